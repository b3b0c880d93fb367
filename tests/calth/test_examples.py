"""Every rule and reading is held to its example files, written from the catalogue before any auditor saw them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.systems.calth.readings import READINGS
from auditor.systems.calth.ruleset import RULESET
from tests import words
from tests.calth.examples import FIXTURES, audited, differences, examples, judged, matches
from tests.examples import Example, not_auditable
from tests.shares import is_tried

GAMES = FIXTURES / "games"
TOLD = [*examples("legal"), *examples("illegal")]
NOT_EXPECTED = {"verdict": "clean", "findings": []}
KINDS = {rule.id: set(rule.kinds) for rule in RULESET.rules}


def audit_of(example: Example) -> dict[str, Any]:
    """The audit of an example, whose words are kept. What its lines may have meant changes nothing of a lone accusation."""
    return (judged if is_lone(example) else audited)(example)


def is_lone(example: Example) -> bool:
    """Whether at most one accusation is expected."""
    return len((example.expected or NOT_EXPECTED)["findings"]) < 2


def told(example: Example) -> list[str]:
    """Where the audit of an example differs from what is expected of it. What its lines may have meant costs most: it is
    sought where the audit differs without it, and in a share of the others."""
    found = differing(example, judged(example))
    meant = found or is_tried(120 if is_lone(example) else 24, example, "meant")
    return differing(example, audited(example)) if meant else []


def differing(example: Example, audit: dict[str, Any]) -> list[str]:
    """Where an audit differs from what is expected of its example; no expectation means silence."""
    expected = example.expected or NOT_EXPECTED
    found = differences(expected["findings"], audit["findings"]) + words.differences("calth", str(example), audit)
    if audit["verdict"] != expected["verdict"]:
        found.append(f"the verdict is {audit['verdict']}, not {expected['verdict']}")
    for note in expected.get("notes", ()):
        if not any(all(given[key] == value for key, value in note.items()) for given in audit["notes"]):
            found.append(f"no note {json.dumps(note)}")
    if not expected["findings"]:
        noted = [
            [note["seq"] for note in notes if note["kind"] == "record"]
            for notes in (expected.get("notes", ()), audit["notes"])
        ]
        found += [] if noted[0] == noted[1] else [f"notes of the record at {noted[1]}, not at {noted[0]}"]
    for finding in audit["findings"]:
        open_record = {"ambiguous"} if "cannot be told" in finding["text"] else set()  # a hole leaves any open
        if finding["kind"] not in KINDS[finding["rule"]] | open_record:
            found.append(f"{finding['rule']} says of itself that it is never {finding['kind']}")
    return found


@pytest.mark.parametrize("example", examples("legal"), ids=str)
def test_legal_play_is_silent_under_every_rule(example: Example) -> None:
    assert told(example) == []


@pytest.mark.parametrize("example", examples("illegal"), ids=str)
def test_illegal_play_gives_exactly_what_was_expected(example: Example) -> None:
    assert told(example) == []


@pytest.mark.parametrize("example", [one for one in examples("legal") if is_tried(6, one, "unknown")], ids=str)
def test_legal_play_with_unknown_fields_stays_silent(example: Example, tmp_path: Path) -> None:
    log = example.log
    log["header"]["x_weather"] = "rain"
    for event in log["events"]:
        event["x_note"] = {"by": ["somebody"], "n": 3}
    strange = tmp_path / "log.json"
    strange.write_text(json.dumps(log))
    audit = audited(strange)
    expected = example.expected or NOT_EXPECTED
    assert [f for f in audit["findings"] if f["stands"]] == []
    assert audit["verdict"] == expected["verdict"]


def test_every_rule_has_a_legal_and_an_illegal_example_or_a_reason() -> None:
    for rule in RULESET.rules:
        there = {one.name: one for one in examples(file=rule.id)}
        assert "legal" in there, rule.id
        broken = "illegal" in there and there["illegal"].expected
        assert broken or not_auditable("calth", rule.id), rule.id


def test_every_rule_is_named_by_the_finding_of_its_own_illegal_example() -> None:
    for example in examples("illegal"):
        if example.name == "illegal" and example.expected:
            named = [rule for one in example.expected["findings"] for rule in (one["rule"], *one.get("also", ()))]
            assert example.rule in named, example


READ = [(one, option) for one in examples(file="readings/*") for option in one.expected["under"]]


@pytest.mark.parametrize(("example", "option"), READ, ids=str)
def test_a_verdict_turns_on_its_reading(example: Example, option: str) -> None:
    expected = example.expected
    audit = audited(example, {**expected.get("with", {}), example.rule: option})
    standing = [f for f in audit["findings"] if f["stands"] or f["kind"] == "ambiguous"]
    assert differences(expected["under"][option], standing) == []


def test_every_reading_has_an_example_for_each_option() -> None:
    for reading in READINGS:
        (under,) = (one.expected["under"] for one in examples(file=f"readings/{reading.id}") if one.name == "example")
        assert set(under) == set(reading.names), reading.id
        assert len({json.dumps(findings) for findings in under.values()}) > 1, reading.id


@pytest.mark.parametrize("name", ["clean-1", "clean-2"])
def test_a_clean_game_gets_no_finding(name: str) -> None:
    audit = audited(GAMES / f"{name}.jsonl")
    assert [f["text"] for f in audit["findings"] if f["stands"]] == []
    assert audit["verdict"] == "clean"
    assert audit["coverage"]["unchecked"] == []
    assert len(audit["coverage"]["rules_run"]) >= 60


@pytest.mark.parametrize("name", ["faulty-1", "faulty-2"])
def test_a_faulty_game_gets_exactly_its_planted_faults(name: str) -> None:
    audit = audited(GAMES / f"{name}.jsonl")
    expected = json.loads((GAMES / f"{name}.expected.json").read_text())["findings"]
    standing = [f for f in audit["findings"] if f["stands"] or f["kind"] == "ambiguous"]
    assert differences(expected, standing) == []
    assert len({entry["rule"] for entry in expected}) >= 10


def test_claimed_and_recomputed_are_compared_key_for_key() -> None:
    expected = {"rule": "CAL-ATK-03", "claimed": {"pool": 4}, "recomputed": {"pool": 3}}
    assert matches(expected, expected | {"seq": 3})
    assert not matches(expected, expected | {"claimed": {"hits": 4}})
    assert not matches(expected, expected | {"claimed": {"pool": 4, "dice.total": 7}})
    assert not matches(expected, expected | {"recomputed": {"pool": 2}})
    assert matches({"rule": "CAL-ATK-03"}, expected)


def test_what_was_read_against_the_catalogue_again_is_there() -> None:
    names = (FIXTURES / "read-again.txt").read_text().split("\n\n")[1].split()
    assert len(names) == len(set(names)) > 40
    assert set(names) <= {f"{one.file}/{one.name}" for one in examples(file=None)}
