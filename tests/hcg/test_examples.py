"""Every rule and reading that is written is held to its example files."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from auditor.systems.hcg.readings import READINGS
from auditor.systems.hcg.rules import CATALOGUE, NOT_WRITTEN, RULES
from tests import words
from tests.examples import Example
from tests.hcg.examples import audited, differences, examples, judged
from tests.shares import is_tried

TOLD = [
    *(one for name in ("legal", "illegal", "ambiguous") for one in examples(name)),
    *examples("example", "readings/*"),
]
CLEAN: dict[str, Any] = {"verdict": "clean", "findings": []}


def audit_of(example: Example) -> dict[str, Any]:
    """The audit of an example, whose words are kept. What its lines may have meant changes nothing of a lone accusation."""
    return (judged if is_lone(example) else audited)(example.log)


def is_lone(example: Example) -> bool:
    """Whether at most one accusation is expected."""
    return len((example.expected or CLEAN)["findings"]) < 2


def told(example: Example) -> list[str]:
    """Where the audit of an example differs from what is expected of it. What its lines may have meant costs most: it is
    sought where the audit differs without it, and in a share of the others."""
    found = differing(example, judged(example.log))
    meant = found or is_tried(120 if is_lone(example) else 24, example, "meant")
    return differing(example, audited(example.log)) if meant else []


def differing(example: Example, audit: dict[str, Any]) -> list[str]:
    """Where an audit differs from what is expected of its example; no expectation means silence."""
    expected = example.expected or CLEAN
    found = differences(expected["findings"], audit["findings"])
    found += words.differences("hcg", str(example), audit)
    if audit["verdict"] != expected["verdict"]:
        found.append(f"the verdict is {audit['verdict']}, not {expected['verdict']}: {audit['coverage']['unchecked']}")
    return found


@pytest.mark.parametrize("example", examples("legal"), ids=str)
def test_legal_play_is_silent_under_every_rule(example: Example) -> None:
    assert example.expected is None
    assert told(example) == []


@pytest.mark.parametrize("example", [*examples("illegal"), *examples("ambiguous")], ids=str)
def test_illegal_play_gives_exactly_what_was_expected(example: Example) -> None:
    assert example.expected is not None
    assert told(example) == []


@pytest.mark.parametrize("example", examples("example", "readings/*"), ids=str)
def test_an_example_of_a_reading_turns_on_it(example: Example) -> None:
    assert told(example) == []
    reading = next(one for one in READINGS if one.id == example.rule)
    said = {}
    for option in reading.names:
        audit = judged(example.log, {reading.id: option})
        said[option] = json.dumps([(f["rule"], f["seq"], f["kind"], f["stands"]) for f in audit["findings"]])
    assert len(set(said.values())) > 1, said


def test_every_rule_that_is_written_has_a_legal_and_an_illegal_example_or_a_reason() -> None:
    for rule in RULES:
        there = examples(file=rule.id)
        if rule.check is None:
            assert rule.why_not_auditable and not there
            continue
        assert {"legal", "illegal"} <= {one.name for one in there}, rule.id
        findings = [f for one in there for f in (one.expected or CLEAN)["findings"]]
        assert any(finding["rule"] == rule.id for finding in findings), rule.id
        assert {finding["kind"] for finding in findings if finding["rule"] == rule.id} <= set(rule.kinds), rule.id
    assert {one.rule for one in examples()} <= {rule.id for rule in RULES}


def test_every_reading_that_a_rule_asks_has_an_example() -> None:
    asked = {reading for rule in RULES for reading in rule.readings}
    there = {one.rule for one in examples(file="readings/*")}
    assert there <= asked
    assert asked == there


def test_the_rules_that_are_not_written_are_listed_by_name() -> None:
    """Nobody may think that these are checked. Whoever writes one takes it off this list."""
    assert len(CATALOGUE) == 183 == len(set(CATALOGUE))
    assert {rule.id for rule in RULES}.isdisjoint(NOT_WRITTEN)
    assert [*(rule.id for rule in RULES), *NOT_WRITTEN].__len__() == 183
    chapters: dict[str, list[str]] = {}
    for rule_id in NOT_WRITTEN:
        _, chapter, number = rule_id.split("-")
        chapters.setdefault(chapter, []).append(number)
    assert {chapter: " ".join(numbers) for chapter, numbers in chapters.items()} == MISSING


MISSING: dict[str, str] = {}


def test_the_readings_are_those_of_the_catalogue() -> None:
    assert len(READINGS) == 46 and all(reading.default == reading.options[0].id for reading in READINGS)
    for rule in RULES:
        assert set(rule.readings) <= {reading.id for reading in READINGS}


OF_POSITIONS = ("die", "face", "decks", "planet", "turn", "next", "passes", "flags")
OF_VICTORIES = ("atk", "dfd", "stage", "requirement", "winner", "readied", "discarded", "rallied", "totals")


@pytest.mark.parametrize("example", examples("legal"), ids=str)
def test_claims_may_be_left_out_without_an_accusation(example: Example) -> None:
    """Of each event every claim in turn."""
    log = example.log
    for number, claim in product(range(len(log["events"])), (*OF_POSITIONS, *OF_VICTORIES)):
        event = log["events"][number]
        if claim not in event or (claim == "turn" and event["type"] == "turn.start"):
            continue
        if not is_tried(6, example, "without", number, claim):
            continue
        events = [dict(one) for one in log["events"]]
        del events[number][claim]
        audit = audited({**log, "events": events})
        assert not [f for f in audit["findings"] if f["kind"] != "ambiguous"], (number, claim)


@pytest.mark.parametrize("example", examples("legal"), ids=str)
def test_a_legal_record_cut_anywhere_accuses_nobody(example: Example) -> None:
    log = example.log
    for stop in range(1, len(log["events"])):
        if not is_tried(6, example, "cut", stop):
            continue
        audit = audited({**log, "events": log["events"][:stop]})
        assert not [f for f in audit["findings"] if f["stands"]], stop


@pytest.mark.parametrize("example", examples("legal"), ids=str)
def test_a_legal_record_with_a_line_missing_accuses_nobody(example: Example) -> None:
    log = example.log
    for gone in range(len(log["events"]) - 1):
        if not is_tried(6, example, "gone", gone):
            continue
        audit = audited({**log, "events": [one for n, one in enumerate(log["events"]) if n != gone]})
        assert not [f for f in audit["findings"] if f["stands"]], gone
