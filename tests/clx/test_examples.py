"""Every rule and reading that is written is held to its example files; those that are not written yet are named here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.systems.clx.readings import READINGS
from auditor.systems.clx.ruleset import RULESET
from tests import words
from tests.clx.examples import audited, differences, examples, judged, with_players
from tests.examples import Example
from tests.report.test_tables_of_inches import MARKS
from tests.shares import is_tried

LISTS = json.loads(Path(__file__).with_name("unwritten.json").read_text(encoding="utf-8"))
"""All rules of the catalogue; those of them that nobody has written yet; the readings that no rule asks yet."""
DRAWN = {mark["mark"] for mark, _ in MARKS}
KINDS = {rule.id: rule.kinds for rule in RULESET.rules}
TOLD = [*examples("legal"), *examples("illegal")]
NOT_EXPECTED = {"verdict": "clean", "findings": []}


def audit_of(example: Example) -> dict[str, Any]:
    """The audit of an example, whose words are kept. What its lines may have meant changes nothing of a lone accusation."""
    return (judged if is_lone(example) else audited)(with_players(example.log))


def is_lone(example: Example) -> bool:
    """Whether at most one accusation is expected."""
    return len((example.expected or NOT_EXPECTED)["findings"]) < 2


def told(example: Example) -> list[str]:
    """Where the audit of an example differs from what is expected of it. What its lines may have meant costs most: it is
    sought where the audit differs without it, and in a share of the others."""
    log = with_players(example.log)
    found = differing(example, judged(log))
    meant = found or is_tried(120 if is_lone(example) else 24, example, "meant")
    return differing(example, audited(log)) if meant else []


def differing(example: Example, audit: dict[str, Any]) -> list[str]:
    """Where an audit differs from what is expected of its example; no expectation means silence."""
    expected = example.expected or NOT_EXPECTED
    found = differences(expected["findings"], audit["findings"])
    found += words.differences("clx", str(example), audit)
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


@pytest.mark.parametrize("example", examples("legal"), ids=str)
def test_legal_play_is_silent_under_every_rule(example: Example) -> None:
    assert told(example) == []


@pytest.mark.parametrize("example", examples("illegal"), ids=str)
def test_illegal_play_gives_exactly_what_was_expected(example: Example) -> None:
    assert told(example) == []


def test_every_rule_that_is_written_has_a_legal_and_an_illegal_example() -> None:
    for rule in RULESET.rules:
        there = {one.name: one for one in examples(file=rule.id)}
        assert "legal" in there, rule.id
        assert rule.id in {entry["rule"] for entry in there["illegal"].expected["findings"]}, rule.id


def test_every_rule_has_a_second_pair_of_examples_but_those_whose_only_edge_is_the_first() -> None:
    counts = {rule.id: [len(examples(name, rule.id)) for name in ("legal", "illegal")] for rule in RULESET.rules}
    assert [rule for rule, count in counts.items() if min(count) < 2] == ["CLX-PSY-08"]


def test_the_rules_that_are_not_written_yet_are_those_named() -> None:
    written = {rule.id for rule in RULESET.rules}
    assert written | set(LISTS["unwritten"]) == set(LISTS["catalogue"])
    assert not written & set(LISTS["unwritten"])
    assert len(LISTS["catalogue"]) == len(set(LISTS["catalogue"])) == 121


OF_READINGS = [one for one in examples(file="readings/*") if one.name == "example"]


@pytest.mark.parametrize(
    ("example", "option"), [(one, option) for one in OF_READINGS for option in one.expected["under"]], ids=str
)
def test_a_verdict_turns_on_its_reading(example: Example, option: str) -> None:
    for audit_of_log in (judged, audited):  # the whole where it differs without what its lines may have meant
        audit = audit_of_log(example.log, {example.rule: option})
        standing = [finding for finding in audit["findings"] if finding["stands"]]
        found = differences(example.expected["under"][option], standing)
        if not found and not is_tried(8, example, option, "meant"):
            break
    assert found == []
    left_open = judged(example.log, {example.rule: "open"})
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
        (under,) = (one.expected["under"] for one in OF_READINGS if one.rule == reading.id)
        assert set(under) == set(reading.names), reading.id
        assert len({json.dumps(findings) for findings in under.values()}) > 1, reading.id
