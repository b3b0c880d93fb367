"""What turns on a reading of the card game: under one option a fault, under another none, with the reading open neither."""

from __future__ import annotations

import json

import pytest

from auditor import engine
from auditor.conformance.hcg.inventor import INVENTOR
from auditor.conformance.hcg.plant.readings import (
    NEVER,
    NOT_YET,
    PLANTABLE_READINGS,
    first_fault,
    game_of,
    plant_reading,
)
from auditor.conformance.hcg.readings import READINGS
from auditor.conformance.logs import as_jsonl
from auditor.trials import readings as turning
from auditor.trials.audited import held_against
from tests.cli.shell import auditor
from tests.shares import is_tried

RIGHT = ("planted", "found", "clean under the other", "ambiguous when open", "right scope")


def test_every_option_has_a_planter_or_a_reason_or_is_still_to_come() -> None:
    options = [f"{reading}={option}" for reading, known in READINGS.items() for option in known]
    assert sorted([*PLANTABLE_READINGS, *NEVER, *NOT_YET]) == sorted(options)
    with pytest.raises(LookupError, match="It allows any two sides"):
        plant_reading("OR-SIDES=any", 1)


@pytest.mark.parametrize("name", [name for name in PLANTABLE_READINGS if is_tried(6, name)])
def test_a_fault_of_an_option_is_found_and_only_there_and_open_where_nobody_ruled(name: str) -> None:
    tried = turning.tried_reading(INVENTOR, name, 1)
    assert tried.wrong == []
    assert [tried.counts[what] for what in RIGHT] == [1] * 5


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("OR-EVENTDEF=symmetric", 25),  # a battle that is skipped after one from which somebody withdrew
        ("OR-FIZZLE=partial", 41),  # the source is lost as well as what was chosen
        ("OR-FIZZLE=partial", 203),  # the source is lost, and it is done to another card than was chosen
        ("OR-FLAGUNITS=need-flag-unit", 39),  # a card that was left at a sector is deployed anew
        ("OR-SELFBLOCK=never", 12),  # a sweep that may not be blocked is blocked by its target
    ],
)
def test_what_a_long_run_once_found_wrong_is_right(name: str, number: int) -> None:
    assert turning.tried_reading(INVENTOR, name, number).wrong == []


def test_who_acts_is_told_after_a_test_that_is_rolled_after_a_tactic_and_refunded() -> None:
    lines = game_of(1366006680, "OR-COSTTIME", {"OR-COSTTIME": "resolve"})[:64]
    assert [one["type"] for one in lines[55:60]] == ["tactic", "effect", "tactic.pass", "tactic.pass", "roll"]
    readings = {"OR-COSTTIME": "resolve", "OR-FAILEDTEST": "refunded"}
    rulings = {"name": "tried", "readings": readings}
    audit = engine.audit_log(as_jsonl(lines).encode(), rulings=rulings, causes=False)
    said = turning.said(held_against(audit))
    assert list(said) == [(63, "HCG-BA-01", "illegal", "p2")]
    assert said == turning.by_referee(INVENTOR, lines, readings)


@pytest.mark.parametrize("name", [name for name in NEVER if name.partition("=")[0] in INVENTOR.readings])
def test_what_an_option_never_forbids_is_no_fault_under_it(name: str) -> None:
    reading, _, allowing = name.partition("=")
    for option in set(READINGS[reading]) - {allowing}:
        lines = game_of(1, reading, {reading: option})
        assert first_fault(lines, {reading: allowing}, {reading: option}) is None


def test_a_fault_of_a_reading_is_written_by_command(tmp_path) -> None:  # type: ignore[no-untyped-def]
    out = tmp_path / "game.jsonl"
    assert auditor("generate", "--game", "hcg", "--fault", "OR-ZEROKILL", "--seed", 4, "--output", out).status == 0
    game = plant_reading("OR-ZEROKILL=literal", 4)
    assert out.read_text(encoding="utf-8") == as_jsonl(game.lines)
    expected = json.loads((tmp_path / "game.expected.json").read_text(encoding="utf-8"))["findings"]
    assert turning.said(held_against(engine.audit_log(out.read_bytes()))) == turning.said(expected)
