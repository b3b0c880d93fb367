"""What the second referee of the card game says of legal games whose header rules otherwise than they were played."""

from __future__ import annotations

import pytest

from auditor.conformance.hcg.inventor import INVENTOR
from auditor.conformance.hcg.readings import READINGS
from auditor.conformance.hcg.referee import JUDGED, check
from auditor.conformance.hcg.referee.check import Referee
from auditor.conformance.hcg.table import DEFAULTS, PLAYED_UNDER, Bonus
from auditor.conformance.inventor import NOT_JUDGED
from auditor.systems.hcg import readings as of_the_auditor

FOUND = {
    "OR-SIDES": (0, "opposed", "HCG-DECK-03"),
    "OR-ROLLRANGE": (0, "clamp-1-6", "HCG-MOD-04"),
    "OR-REACTPASS": (2, "final", "HCG-MOD-03"),
    "OR-EVENTSCOPE": (4, "all-in-play", "HCG-VIC-04"),
    "OR-EVENTDEF": (4, "units-only", "HCG-VIC-04"),
    "OR-COPYID": (6, "name-group", "HCG-DECK-02"),
}
"""Reading -> the seed of a legal game, an option under which it is none, and the rule that it breaks."""


def ruled(seed: int, **rulings: str) -> list:
    header, *events = INVENTOR.legal_lines(seed)
    return [{**header, "rulings": {name.replace("_", "-"): option for name, option in rulings.items()}}, *events]


@pytest.mark.parametrize("reading", FOUND)
def test_what_is_a_fault_under_another_option_is_found_under_it(reading: str) -> None:
    seed, option, rule = FOUND[reading]
    assert option in READINGS[reading] and rule in JUDGED
    assert {one.rule for one in check(ruled(seed, **{reading: option}))} == {rule}
    assert check(ruled(seed, **{reading: READINGS[reading][0]})) == []


def test_every_reading_has_an_option_and_those_that_are_played_are_judged() -> None:
    assert len(READINGS) == 46
    assert {reading: READINGS[reading][0] for reading in DEFAULTS} == DEFAULTS
    assert all(set(options) <= set(READINGS[reading]) for reading, options in PLAYED_UNDER.items())
    assert {one.id: set(one.names) for one in of_the_auditor.READINGS} == {k: set(v) for k, v in READINGS.items()}
    assert {one.id: one.default for one in of_the_auditor.READINGS} == {k: v[0] for k, v in READINGS.items()}


def test_an_option_that_is_not_judged_ends_its_judgement() -> None:
    for rulings in ({"OR-FIZZLE": "some"}, {"OR-SIDES": "open"}, {"OR-NONE": "any"}):
        assert [(one.seq, one.kind) for one in check(ruled(0, **rulings))] == [(0, NOT_JUDGED)]


def test_numbers_hang_on_readings() -> None:
    plain = Referee(ruled(0)[0], None)
    other = Referee(ruled(0, **{"OR-ZEROKILL": "needs-1", "OR-STATFLOOR": "none"})[0], None)
    assert [plain.kills(0, 0), plain.kills(2, 2), other.kills(0, 0), other.kills(2, 2)] == [True, True, False, True]
    for table, value in ((plain, 0), (other, -3)):
        unit = next(one for one in table.pieces.values() if one.card.stats["speed"] == 1)
        table.sector = 1
        table.move(unit.id, "sector", 1)
        unit.bonuses.append(Bonus("speed", -4, "ba"))
        assert table.value(unit, "speed") == value
