"""Every rule and reading that is written is held to its example files."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from auditor.systems.hcg.readings import READINGS
from auditor.systems.hcg.rules import CATALOGUE, NOT_WRITTEN, RULES
from tests import words
from tests.hcg.examples import FIXTURES, audited, differences, examples, expected_of, judged, read
from tests.shares import is_tried

TOLD = [
    *(one for name in ("legal", "illegal", "ambiguous") for one in examples("HCG-*", name)),
    *examples("readings/*", "example"),
]
CLEAN = {"verdict": "clean", "findings": []}


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def audit_of(path: Path) -> dict[str, Any]:
    """The audit of an example. What its lines may have meant changes nothing of a lone accusation and costs most: it is
    sought in a share of these."""
    lone = len((expected_of(path) or {"findings": ()})["findings"]) < 2
    return (judged if lone and not is_tried(6, named(path), "meant") else audited)(read(path))


def told(path: Path) -> list[str]:
    """Where an audit differs from what its example file expects; no expectation means silence."""
    expected = expected_of(path) or CLEAN
    audit = audit_of(path)
    found = differences(expected["findings"], audit["findings"])
    found += words.differences("hcg", named(path), audit)
    if audit["verdict"] != expected["verdict"]:
        found.append(f"the verdict is {audit['verdict']}, not {expected['verdict']}: {audit['coverage']['unchecked']}")
    return found


@pytest.mark.parametrize("path", examples("HCG-*", "legal"), ids=named)
def test_legal_play_is_silent_under_every_rule(path: Path) -> None:
    assert expected_of(path) is None
    assert told(path) == []


@pytest.mark.parametrize("path", [*examples("HCG-*", "illegal"), *examples("HCG-*", "ambiguous")], ids=named)
def test_illegal_play_gives_exactly_what_was_expected(path: Path) -> None:
    assert expected_of(path) is not None
    assert told(path) == []


@pytest.mark.parametrize("path", examples("readings/*", "example"), ids=named)
def test_an_example_of_a_reading_turns_on_it(path: Path) -> None:
    assert told(path) == []
    reading = next(one for one in READINGS if one.id == path.parent.name)
    said = {}
    for option in reading.names:
        audit = judged(read(path), {reading.id: option})
        said[option] = json.dumps([(f["rule"], f["seq"], f["kind"], f["stands"]) for f in audit["findings"]])
    assert len(set(said.values())) > 1, said


def test_every_rule_that_is_written_has_a_legal_and_an_illegal_example_or_a_reason() -> None:
    for rule in RULES:
        folder = FIXTURES / rule.id
        if rule.check is None:
            assert rule.why_not_auditable and not folder.exists()
            continue
        assert (folder / "legal.json").exists(), rule.id
        assert (folder / "illegal.json").exists(), rule.id
        findings = [f for path in folder.glob("*.expected.json") for f in read(path)["findings"]]
        assert any(finding["rule"] == rule.id for finding in findings), rule.id
        assert {finding["kind"] for finding in findings if finding["rule"] == rule.id} <= set(rule.kinds), rule.id
    assert {path.name for path in FIXTURES.glob("HCG-*")} <= {rule.id for rule in RULES}


def test_every_reading_that_a_rule_asks_has_an_example() -> None:
    asked = {reading for rule in RULES for reading in rule.readings}
    there = {path.name for path in (FIXTURES / "readings").iterdir()}
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


@pytest.mark.parametrize("path", examples("HCG-*", "legal"), ids=named)
def test_claims_may_be_left_out_without_an_accusation(path: Path) -> None:
    """Of each event every claim in turn."""
    log = read(path)
    for number, claim in product(range(len(log["events"])), (*OF_POSITIONS, *OF_VICTORIES)):
        event = log["events"][number]
        if claim not in event or (claim == "turn" and event["type"] == "turn.start"):
            continue
        if not is_tried(6, named(path), "without", number, claim):
            continue
        events = [dict(one) for one in log["events"]]
        del events[number][claim]
        audit = audited({**log, "events": events})
        assert not [f for f in audit["findings"] if f["kind"] != "ambiguous"], (number, claim)


@pytest.mark.parametrize("path", examples("HCG-*", "legal"), ids=named)
def test_a_legal_record_cut_anywhere_accuses_nobody(path: Path) -> None:
    log = read(path)
    for stop in range(1, len(log["events"])):
        if not is_tried(6, named(path), "cut", stop):
            continue
        audit = audited({**log, "events": log["events"][:stop]})
        assert not [f for f in audit["findings"] if f["stands"]], stop


@pytest.mark.parametrize("path", examples("HCG-*", "legal"), ids=named)
def test_a_legal_record_with_a_line_missing_accuses_nobody(path: Path) -> None:
    log = read(path)
    for gone in range(len(log["events"]) - 1):
        if not is_tried(6, named(path), "gone", gone):
            continue
        audit = audited({**log, "events": [one for n, one in enumerate(log["events"]) if n != gone]})
        assert not [f for f in audit["findings"] if f["stands"]], gone
