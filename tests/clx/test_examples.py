"""Every rule and reading that is written is held to its example files; those that are not written yet are named here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.systems.clx.readings import READINGS
from auditor.systems.clx.ruleset import RULESET
from tests import words
from tests.clx.examples import FIXTURES, audited, differences, examples, expected_of, judged, named, read, with_players
from tests.report.test_tables_of_inches import MARKS
from tests.shares import is_tried

LISTS = read(Path(__file__).with_name("unwritten.json"))
"""All rules of the catalogue; those of them that nobody has written yet; the readings that no rule asks yet."""
DRAWN = {mark["mark"] for mark, _ in MARKS}
KINDS = {rule.id: rule.kinds for rule in RULESET.rules}
TOLD = [*examples("legal"), *examples("illegal")]
NOT_EXPECTED = {"verdict": "clean", "findings": []}


def audit_of(path: Path) -> dict[str, Any]:
    """The audit of an example. What its lines may have meant changes nothing of a lone accusation and costs most: it is
    sought in a share of these."""
    lone = len((expected_of(path) or {"findings": ()})["findings"]) < 2
    return (judged if lone and not is_tried(6, named(path), "meant") else audited)(with_players(read(path)))


def told(path: Path) -> list[str]:
    """Where an audit differs from what its example file expects; no expectation means silence."""
    expected = expected_of(path) or NOT_EXPECTED
    audit = audit_of(path)
    found = differences(expected["findings"], audit["findings"])
    found += words.differences("clx", named(path), audit)
    for finding in audit["findings"]:
        drawn = {mark["mark"] for mark in (finding["evidence"] or {}).get("marks") or ()}
        found += [f"{finding['rule']} shows a {mark!r}, which nobody draws" for mark in drawn - DRAWN]
        if (finding["would_be"] or finding["kind"]) not in KINDS[finding["rule"]]:
            found.append(f"{finding['rule']} says of itself that it is never {finding['would_be'] or finding['kind']}")
    if audit["verdict"] != expected["verdict"]:
        found.append(f"the verdict is {audit['verdict']}, not {expected['verdict']}: {audit['coverage']['unchecked']}")
    for note in expected.get("notes", ()):
        if not any(all(given[key] == value for key, value in note.items()) for given in audit["notes"]):
            found.append(f"no note {json.dumps(note)} in {audit['notes']}")
    if not expected.get("notes") and audit["notes"] and expected["verdict"] == "clean":
        found.append(f"notes: {audit['notes']}")
    return found


@pytest.mark.parametrize("path", examples("legal"), ids=named)
def test_legal_play_is_silent_under_every_rule(path: Path) -> None:
    assert told(path) == []


@pytest.mark.parametrize("path", examples("illegal"), ids=named)
def test_illegal_play_gives_exactly_what_was_expected(path: Path) -> None:
    assert told(path) == []


def test_every_rule_that_is_written_has_a_legal_and_an_illegal_example() -> None:
    for rule in RULESET.rules:
        folder = FIXTURES / rule.id
        assert (folder / "legal.json").exists(), rule.id
        expected = read(folder / "illegal.expected.json")["findings"]
        assert rule.id in {entry["rule"] for entry in expected}, rule.id


def test_every_rule_has_a_second_pair_of_examples_but_those_whose_only_edge_is_the_first() -> None:
    counts = {
        rule.id: [sum(path.parent.name == rule.id for path in examples(name)) for name in ("legal", "illegal")]
        for rule in RULESET.rules
    }
    assert [rule for rule, count in counts.items() if min(count) < 2] == ["CLX-PSY-08"]


def test_the_rules_that_are_not_written_yet_are_those_named() -> None:
    written = {rule.id for rule in RULESET.rules}
    assert written | set(LISTS["unwritten"]) == set(LISTS["catalogue"])
    assert not written & set(LISTS["unwritten"])
    assert len(LISTS["catalogue"]) == len(set(LISTS["catalogue"])) == 121


def reading_examples() -> list[tuple[Path, str]]:
    return [
        (path, option)
        for path in sorted((FIXTURES / "readings").glob("*/example.json"))
        for option in expected_of(path)["under"]
    ]


@pytest.mark.parametrize(("path", "option"), reading_examples(), ids=lambda v: named(v) if isinstance(v, Path) else v)
def test_a_verdict_turns_on_its_reading(path: Path, option: str) -> None:
    audit = audited(read(path), {path.parent.name: option})
    standing = [finding for finding in audit["findings"] if finding["stands"]]
    assert differences(expected_of(path)["under"][option], standing) == []
    left_open = judged(read(path), {path.parent.name: "open"})
    assert left_open["verdict"] == "incomplete"
    accusing = [finding for finding in left_open["findings"] if finding["stands"] or finding["kind"] == "ambiguous"]
    assert {finding["kind"] for finding in accusing} == {"ambiguous"}


def test_every_reading_that_is_asked_has_an_example_for_each_option() -> None:
    asked: set[str] = {reading for rule in RULESET.rules for reading in rule.readings}
    assert asked | set(LISTS["unasked"]) == {reading.id for reading in READINGS}
    assert not asked & set(LISTS["unasked"])
    for reading in READINGS:
        if reading.id not in asked:
            continue
        under: dict[str, Any] = read(FIXTURES / "readings" / reading.id / "example.expected.json")["under"]
        assert set(under) == set(reading.names), reading.id
        assert len({json.dumps(findings) for findings in under.values()}) > 1, reading.id
