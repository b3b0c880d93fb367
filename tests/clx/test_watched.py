"""What a fault rests on is what its check read: a watched position tells it, and is else the position it is made of."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from auditor.core.findings import Fact, Fault
from auditor.core.holes import Hole
from auditor.core.look import Looks, Terms
from auditor.core.rulings import Hearing, rulings
from auditor.systems.clx import records
from auditor.systems.clx.adopt import adopt
from auditor.systems.clx.position.state import AttackState, Position
from auditor.systems.clx.position.watched import CELLS, otherwise, watched
from auditor.systems.clx.reckoning.restated import compared
from auditor.systems.clx.reckoning.ways import ways_of
from auditor.systems.clx.ruleset import RULESET, opening
from auditor.systems.clx.written import place_of
from tests.clx.examples import example, judged, record_of
from tests.clx.test_holes import with_a_hole_before_the_shots

SHOTS = example("CLX-SHOOT-07c/illegal-between").log
HULL = example("CLX-VEH-07/illegal-side-left-out").log


def position_of(log: Any) -> Position:
    return opening(record_of(log))


@pytest.mark.parametrize(
    ("ask", "cells"),
    [
        (lambda position: position.models["hw.m1"].at, {("at", "hw.m1")}),
        (lambda position: position.models["hw.m1"].wounds, {("at", "hw.m1"), ("wounds", "hw.m1")}),
        (lambda position: position.models["hw.m1"].heading, {("at", "hw.m1")}),
        (lambda position: position.models["hw.m1"] is not None, set()),
        (lambda position: position.boxes(), set()),
        (lambda position: position.units["hw"].pinned, {("pinned", "hw"), ("game", "now")}),
        (lambda position: position.units["hw"].hidden, {("hidden", "hw")}),
        (lambda position: position.units["hw"].arrived_in(1), {("arrived", "hw"), ("game", "now")}),
        (lambda position: position.active, {("game", "now")}),
        (lambda position: "k1" in position.attacks, {("attack", "k1")}),
        (lambda position: position.attacks["k1"].places, {("attack", "k1"), ("measured", "k1")}),
        (lambda position: position.attacks.get("k2"), {("attack", "k2"), ("game", "phase")}),
        (lambda position: list(position.attacks), {("attack", "k1"), ("game", "phase")}),
        (lambda position: len(position.attacks), {("attack", "k1"), ("game", "phase")}),
        (lambda position: position.combat.charges.get("hw"), {("charge", "hw")}),
        (lambda position: position.combat.tests, {("game", "turn")}),
        (lambda position: position.setup.players, set()),
    ],
)
def test_a_watched_position_tells_what_is_asked_of_it(ask: Any, cells: set[Any]) -> None:
    position = position_of(SHOTS)
    position.attacks["k1"] = AttackState("hw", "sv")
    asked: set[Any] = set()
    twin = watched(position, asked)
    assert asked == set()
    assert ask(twin) == ask(position)
    assert asked == cells
    assert {cell[0] for cell in asked} <= CELLS.keys()


def test_which_way_it_faces_is_a_cell_of_a_hull_alone() -> None:
    asked: set[Any] = set()
    twin = watched(position_of(HULL), asked)
    hull = next(name for name, model in twin.setup.models.items() if twin.setup.units[model.unit].vehicle is not None)
    assert twin.models[hull].heading is None
    assert asked == {("at", hull), ("heading", hull)}


def test_a_watched_model_or_unit_is_the_one_it_is_made_of() -> None:
    position = position_of(SHOTS)
    twin = watched(position, set())
    assert dict(twin.models.items()) == position.models
    assert twin.units == position.units
    position.units["hw"] = replace(position.units["hw"], hidden=True)
    assert twin.units != position.units


@pytest.mark.parametrize("log", [SHOTS, HULL, with_a_hole_before_the_shots(SHOTS)], ids=["shots", "hull", "a hole"])
def test_a_check_sees_the_same_on_a_watched_position(log: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    watching, seen = Looks.doubted, 0

    def doubted(self: Looks, event: Any, look: Any, resolved: Any, position: Any) -> Any:
        nonlocal seen
        assert self.ruleset.watched is not None
        cells: set[Any] = set()
        hearing = self.terms.hearing(look.asked)
        twin, resolved_there = self.ruleset.watched(event, resolved, position, cells, hearing)
        again = look.check(event, resolved_there, twin, hearing) or ()
        faults, asked = ([_seen(one) for one in found if isinstance(one, Fault)] for found in (again, look.seen))
        assert faults == asked
        assert {cell[0] for cell in cells} <= CELLS.keys()
        seen += len(faults)
        return watching(self, event, look, resolved, position)

    monkeypatch.setattr(Looks, "doubted", doubted)
    judged(log)
    assert seen


def test_a_flag_that_may_be_few_things_is_supposed_to_be_each_of_them() -> None:
    position = position_of(SHOTS)
    flags = {("pinned", "sv"), ("jinking", "sv"), ("at", "sv.m1")}
    tried, ways = otherwise(position, flags)
    assert tried == {("pinned", "sv"), ("jinking", "sv")}
    found = {(one.units["sv"].pinned, one.units["sv"].jinking) for one in ways}
    assert found == {(lies, jinks) for lies in (None, "new", "serving") for jinks in (False, True)}
    assert position.units["sv"].pinned is None


def test_too_many_flags_are_not_supposed_and_neither_is_what_may_be_nothing() -> None:
    position = position_of(SHOTS)
    many = {(flag, unit) for flag in ("pinned", "gone_to_ground", "prone") for unit in ("sv", "hw")}
    assert (otherwise(position, many)[0], list(otherwise(position, many)[1])) == (set(), [])
    unknown = replace(position.setup.models["hw.m1"], wounds=None)
    position.setup = replace(position.setup, models={**position.setup.models, "hw.m1": unknown})
    assert otherwise(position, {("wounds", "hw.m1")})[0] == set()


def _at(position: Position, *models: str) -> None:
    for n, name in enumerate(models):
        position.models[name] = replace(position.models[name], at=place_of([10 + n, 20]))


@pytest.mark.parametrize(
    ("event", "stated"),
    [
        (
            records.Move(seq=5, unit="hw", models=[records.Moved(id="hw.m1", path=[[10, 20], [12, 20]])]),
            {("at", "hw.m1"), *((flag, "hw") for flag in ("pinned", "gone_to_ground", "locked_with"))},
        ),
        (records.Move(seq=5, unit="nobody", models=[records.Moved(id="hw.m1", path=[[11, 20], [12, 20]])]), set()),
        (
            records.WeaponFire(seq=5, attack="k1", firers=[records.Firer(model="hw.m1", shots=1)]),
            {("pinned", "hw"), ("gone_to_ground", "hw"), ("locked_with", "hw")},
        ),
        (records.WeaponFire(seq=5, attack="k1", firers=[records.Firer(model="hw.m1", shots=1, snap=True)]), set()),
        (records.WeaponFire(seq=5, attack="k9"), set()),
        (
            records.FightStep(seq=5, attackers=[records.Attacker(model="hw.m1", claimed_initiative=4)]),
            {("pinned", "hw")},
        ),
        (records.FightStep(seq=5, attackers=[records.Attacker(model="hw.m1", claimed_initiative=1)]), set()),
        (records.GoToGround(seq=5, unit="sv"), {("prone", "sv")}),
    ],
)
def test_a_line_states_again_what_the_position_has_and_no_more(event: Any, stated: set[Any]) -> None:
    position = position_of(SHOTS)
    _at(position, "hw.m1")
    position.attacks["k1"] = AttackState("hw", "sv")
    assert compared(event, position).alike == stated


def test_what_stands_otherwise_is_not_stated() -> None:
    position = position_of(SHOTS)
    position.units["hw"] = replace(position.units["hw"], pinned="new", locked_with=frozenset({"sv"}))
    stated = compared(records.Move(seq=5, unit="hw"), position).alike
    assert stated == {("gone_to_ground", "hw")}


def test_a_turn_that_begins_says_what_its_units_have_done_in_it_after_a_line_is_lost() -> None:
    position = position_of(SHOTS)
    position.holes.open(Hole(4, "event 4 is missing from the record"))
    player, other = position.setup.players
    mine = next(unit.id for unit in position.setup.units.values() if unit.player == player)
    adopt(records.TurnStart(seq=5, player=player, turn=2), None, position, Hearing({}, {}))
    assert position.holes.doubt([("moved", mine), ("shot", mine), ("game", "turn"), ("game", "phase")]) is None
    assert position.holes.doubt([("hidden", mine)]) is not None
    theirs = next(unit.id for unit in position.setup.units.values() if unit.player == other)
    assert position.holes.doubt([("moved", theirs)]) is not None


@pytest.mark.parametrize("fights", ["in no fight", "in a fight", "not known"])
def test_a_charge_before_a_turn_began_counts_no_more_unless_its_unit_is_in_a_fight(fights: str) -> None:
    position = position_of(SHOTS)
    position.holes.open(Hole(4, "event 4 is missing from the record"))
    if fights != "not known":
        position.holes.state([("locked_with", "hw")])
        locked = frozenset({"sv"} if fights == "in a fight" else ())
        position.units["hw"] = replace(position.units["hw"], locked_with=locked)
    adopt(records.TurnStart(seq=5, player="B", turn=2), None, position, Hearing({}, {}))
    in_doubt = [position.holes.doubt([(word, "hw")]) is not None for word in ("charge", "faced")]
    assert in_doubt == [fights != "in no fight"] * 2


def told_in_doubt(event: Any, *unknown: Fact) -> dict[str, str]:
    """Rule -> kind of what is seen in an event, on a position where some cells are in doubt."""
    position = position_of(SHOTS)
    for name, place in (("hw.m1", (20, 20)), ("sv.m1", (24, 20)), ("sv.m2", (60, 40))):
        position.models[name] = replace(position.models[name], at=place_of(list(place)))
    position.holes.open(Hole(4, "event 4 is missing from the record", frozenset(unknown)))
    terms = Terms(RULESET, rulings({}, RULESET.readings, settings=RULESET.settings))
    looks, hearing = Looks(terms), terms.hearing()
    resolved = RULESET.resolve(event, position, hearing)
    return {one.rule: one.kind for one in looks.elsewhere(event, resolved, position, hearing) if isinstance(one, Fault)}


TOO_NEAR = records.Move(seq=5, unit="hw", models=[records.Moved(id="hw.m1", path=[[20, 20], [22.5, 20]])])


@pytest.mark.parametrize(
    ("unknown", "kind"),
    [(("at", "sv.m2"), "illegal"), (("at", "sv.m1"), "ambiguous"), (("at", "hw.m1"), "illegal")],
)
def test_who_came_too_near_one_enemy_did_so_wherever_the_others_stand(unknown: Fact, kind: str) -> None:
    assert told_in_doubt(TOO_NEAR, unknown)["CLX-MOVE-02"] == kind


def test_what_is_kept_of_a_line_is_not_that_of_another_telling_of_it() -> None:
    position = position_of(SHOTS)
    for name, place in (("hw.m1", (20, 20)), ("sv.m1", (24, 20)), ("sv.m2", (60, 40))):
        position.models[name] = replace(position.models[name], at=place_of(list(place)))
    terms = Terms(RULESET, rulings({}, RULESET.readings, settings=RULESET.settings))
    looks, hearing = Looks(terms), terms.hearing()
    told = []
    for place in ([24.5, 20], [20, 30]):
        put = records.Deploy(seq=5, unit="hw", models=[records.Placed(id="hw.m1", pos=place)])
        seen = looks.elsewhere(put, RULESET.resolve(put, position, hearing), position, hearing)
        told.append("CLX-LOG-05" in {one.rule for one in seen if isinstance(one, Fault)})
    assert told == [True, False]


def test_a_removed_model_did_not_shoot_whatever_is_in_doubt_of_who_shot_with_it() -> None:
    position = position_of(SHOTS)
    for name in ("hw.m1", "sv.m1"):
        position.models[name] = replace(position.models[name], at=None, alive=False)
    position.attacks["k1"] = AttackState("hw", "sv")
    position.holes.open(Hole(4, "event 4 is missing from the record", frozenset([("at", "sv.m1")])))
    terms = Terms(RULESET, rulings({}, RULESET.readings, settings=RULESET.settings))
    firers = [records.Firer(model=name, shots=1) for name in ("sv.m1", "hw.m1")]
    fire = records.WeaponFire(seq=5, attack="k1", weapon="rifle", firers=firers)
    seen = Looks(terms).elsewhere(fire, None, position, terms.hearing())
    kinds = {one.subject: one.kind for one in seen if isinstance(one, Fault) and one.rule == "CLX-LOG-02"}
    assert kinds == {("sv.m1",): "ambiguous", ("hw.m1",): "illegal"}


def test_a_base_put_down_on_another_is_told_though_nobody_knows_where_it_was_before() -> None:
    put = records.Deploy(seq=5, unit="hw", models=[records.Placed(id="hw.m1", pos=[24.5, 20])])
    assert told_in_doubt(put, ("at", "hw.m1"), ("at", "sv.m2"))["CLX-LOG-05"] == "illegal"
    assert told_in_doubt(put, ("at", "sv.m1"))["CLX-LOG-05"] == "ambiguous"


def test_a_model_put_down_at_no_height_stands_on_the_ground_wherever_it_was_before() -> None:
    position = position_of(SHOTS)
    position.models["hw.m1"] = replace(position.models["hw.m1"], z=Fraction(3))
    put = records.Deploy(seq=5, unit="hw", models=[records.Placed(id="hw.m1", pos=[24, 20])])
    ways = ways_of(put, position)
    assert ways is not None and [way.height for way in ways.ways] == [0]


@pytest.mark.parametrize(
    ("path", "in_doubt"),
    [
        ([[12, 20], [14, 20]], True),
        ([[12, 20], [14, 20, 0]], False),
        ([[10, 20], [14, 20]], False),
    ],
    ids=["from elsewhere", "its height is written", "from where it stood"],
)
def test_how_high_who_moves_on_after_a_lost_line_stands_is_known_where_a_line_says_it(
    path: list[list[int | float | str]], in_doubt: bool
) -> None:
    position = position_of(SHOTS)
    _at(position, "hw.m1")
    position.models["hw.m1"] = replace(position.models["hw.m1"], z=Fraction(3))
    position.holes.open(Hole(4, "event 4 is missing from the record"))
    move = records.Move(seq=5, unit="hw", models=[records.Moved(id="hw.m1", path=path)])
    hearing = Hearing({}, {"measuring_tolerance": "0.25"})
    adopt(move, RULESET.resolve(move, position, hearing), position, hearing)
    asked: set[Any] = set()
    assert watched(position, asked).models["hw.m1"].z in (0, 3)
    assert (("height", "hw.m1") in asked) == in_doubt
    assert position.holes.doubt([("at", "hw.m1")]) is None
    assert in_doubt == (position.holes.doubt(asked) is not None)


def _seen(one: Fault) -> tuple[Fault, Any]:
    """A fault without what is made when it is asked for, and the place where a line may be missing."""
    return one.without_evidence()._replace(due=None, lacks=None), one.lacks and one.lacks._replace(lines=tuple)
