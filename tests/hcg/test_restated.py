"""After a lost line: what later lines state again is known again, and what they contradict stays in doubt."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.core.holes import Hole
from auditor.systems.hcg import records
from auditor.systems.hcg.position.parts import Battle, Victory
from auditor.systems.hcg.position.places import At
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.restated import AFTER, BEFORE, compared, state, stated
from tests.hcg.examples import example, judged
from tests.hcg.test_watched import position_of_an_example


def position(**sectors: Any) -> Position:
    made = position_of_an_example()
    made.seq, made.turn, made.turn_said = 4, 2, 2
    made.holes.open(Hole(4, "event 4 is missing from the record"))
    for slot, changed in sectors.items():
        made.sectors[int(slot[1:])] = made.sectors[int(slot[1:])]._replace(**changed)
    return made


FOUGHT = {"state": "in_battle", "fought": True}
TAKEN = {"state": "taken", "by": "p1", "fought": True}


@pytest.mark.parametrize(
    ("event", "sectors", "looks", "alike", "unlike"),
    [
        (records.DeployFirst(seq=5, sector=2), {}, BEFORE, {("sector", 2)}, set()),
        (records.DeployRegular(seq=5, sector=2), {"_2": TAKEN}, BEFORE, set(), {("sector", 2)}),
        (records.DeployRegular(seq=5, sector=7), {}, BEFORE, set(), set()),
        (records.BattleChoose(seq=5, sector=2), {"_2": FOUGHT}, AFTER, {("sector", 2)}, set()),
        (records.BattleChoose(seq=5, sector=2), {"_2": TAKEN}, AFTER, set(), {("sector", 2)}),
        (records.SectorReset(seq=5, sector=2), {"_2": {"fought": True}}, AFTER, {("sector", 2)}, set()),
        (records.SectorReset(seq=5, sector=2), {}, AFTER, set(), {("sector", 2)}),
        (records.SectorTaken(seq=5, sector=2, by="p1"), {"_2": TAKEN}, AFTER, {("sector", 2)}, set()),
        (records.SectorTaken(seq=5, sector=2), {"_2": TAKEN}, AFTER, set(), set()),
        (records.SectorTaken(seq=5, sector=2, by="p1", turn=3), {"_2": TAKEN}, AFTER, set(), {("sector", 2)}),
        (records.TurnEnd(seq=5, turn=2), {}, BEFORE, {"turn"}, set()),
        (records.TurnEnd(seq=5, turn=3), {}, BEFORE, set(), set()),
    ],
)
def test_a_line_states_again_what_the_position_has_and_no_more(
    event: Any, sectors: Any, looks: Any, alike: set[Any], unlike: set[Any]
) -> None:
    said = compared(event, position(**sectors), looks)
    assert (said.alike, said.unlike) == (alike, unlike)


def test_a_sector_whose_winner_the_lines_tell_in_two_ways_stays_in_doubt() -> None:
    made = position(_2=TAKEN)
    made.battle = Battle(1, 2, "p1", "victory", victory=Victory(told=True, winner="p2"))
    assert compared(records.SectorTaken(seq=5, sector=2, by="p1"), made, AFTER) == (set(), set(), set())


def test_all_sectors_are_known_once_each_of_them_is() -> None:
    made = position(_1=FOUGHT)
    state(compared(records.BattleChoose(seq=5, sector=1), made, AFTER), made)
    state(compared(records.DeployFirst(seq=6, sector=2), made, BEFORE), made)
    assert made.holes.doubt(["sectors"]) is not None
    state(compared(records.DeployFirst(seq=7, sector=3), made, BEFORE), made)
    assert made.holes.doubt(["sectors", ("sector", 1)]) is None


def test_what_a_line_contradicts_is_in_doubt_again() -> None:
    made = position()
    made.holes.state([("sector", 2)])
    made.sectors[2] = made.sectors[2]._replace(**TAKEN)
    state(compared(records.DeployFirst(seq=6, sector=2), made, BEFORE), made)
    assert made.holes.doubt([("sector", 2)]) is not None


@pytest.mark.parametrize(("zone", "left"), [(None, set()), ("command_hand", {("at", "c9")})])
def test_a_card_that_is_rolled_comes_off_the_deck_unless_it_lay_elsewhere(zone: Any, left: set[Any]) -> None:
    made = position()
    if zone is not None:
        made.at["c9"] = At(zone, "p1")
    made.table.listed.clear()
    assert {("at", "c9")} - stated(records.Roll(seq=5, by="p1", card="c9"), made).alike == left


@pytest.mark.parametrize(("served", "kind"), [((1, 2, 3), "miscalculated"), ((1, 2), "ambiguous")])
def test_a_wrong_winner_is_told_after_a_lost_line_where_later_lines_state_every_sector(
    served: tuple[int, ...], kind: str
) -> None:
    log = example("HCG-END-01/illegal-too-early").log
    first, check, end = log["events"]
    first = {**first, "sectors": [{"slot": slot, "state": "open", "fought": False} for slot in (1, 2, 3)]}
    flips = [
        {"seq": 4 + slot, "type": "deploy.first", "by": "p2", "card": f"p2-{slot}", "sector": slot} for slot in served
    ]
    events = [
        first,
        {"seq": 3, "type": "turn.start", "turn": 4},
        *flips,
        {**check, "seq": 8, "turn": 4},
        {**end, "seq": 9},
    ]
    found = judged({**log, "events": events})["findings"]
    assert [one["kind"] for one in found if one["rule"] == "HCG-END-01"] == [kind]
