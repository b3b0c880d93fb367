"""Frenzy and Hatred: whom a unit must charge, and what it has of it in a fight."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from auditor.core.findings import RAN, Fault, Figure, Note, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.charges import nearest
from auditor.geometry.inches.lengths import Length, shown
from auditor.geometry.inches.moves import crosses
from auditor.geometry.inches.shapes import Circle, Point, Shape, distance, gap
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.blows import READINGS
from auditor.systems.clx.reckoning.charges import charge_now
from auditor.systems.clx.reckoning.dice import most_of, reaches
from auditor.systems.clx.reckoning.fights import gap_between
from auditor.systems.clx.reckoning.needs import blows_may_need
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.blows import blows_seen
from auditor.systems.clx.rules.charging import regroup_seen
from auditor.systems.clx.rules.common import Seen, fault, inches, rule, unchecked, within_tolerance
from auditor.systems.clx.rules.fear import fear_seen
from auditor.systems.clx.rules.morale import combat_morale_seen, shot_morale_seen
from auditor.systems.clx.tolerance import Judged, judge


def _beyond_reach(unit: Unit, position: Position) -> bool:
    """Whether a unit is one that cannot be charged: hidden (CLX-USR-04), or a flyer (a base rule)."""
    return position.units[unit.id].hidden or (unit.vehicle is not None and unit.vehicle.flyer)


def _enemies(
    unit: Unit, position: Position, which: Callable[[Unit], bool] | None = None, *, all_of_them: bool = False
) -> list[tuple[Length, Unit]]:
    """The enemy units that could be charged, with their gaps; flyers and hidden units only with `all_of_them`."""
    found = []
    for other in position.setup.units.values():
        if other.player == unit.player or (which is not None and not which(other)):
            continue
        if not all_of_them and _beyond_reach(other, position):
            continue
        far = gap_between(unit, other, position)
        if far is not None:
            found.append((far, other))
    return found


def _further(far: Length, near: Length, hearing: Hearing) -> Judged:
    """By how much one unit is further than another: two lengths are measured, so the tolerance counts twice."""
    once = judge(far - near, hearing.settings)
    twice = 2 * once.allowed
    verdict = once.verdict if once.verdict == "fine" else "tolerance" if once.over <= twice else "beyond"
    return Judged(once.over, verdict, twice)


def _charged_another(
    rule_id: str,
    event: records.Charge,
    unit: Unit,
    due: list[tuple[Length, Unit]],
    besides: list[tuple[Length, Unit]],
    what: str,
    position: Position,
    hearing: Hearing,
) -> list[Remark]:
    """A charge at a unit that is further than the one that was due. `besides`: whom it may charge if they are as near."""
    target = position.setup.units.get(event.target or "")
    if not due or target is None:
        return []
    near, first = min(due, key=lambda one: one[0])
    far = next((far for far, one in (*due, *besides) if one.id == target.id), None)
    if far is None:
        far = gap_between(unit, target, position)
        judged = Judged(Length(Fraction(0)), "beyond", Fraction(0))
    else:
        judged = _further(far, near, hearing)
    if far is None or judged.verdict == "fine":
        return []
    said = f"{unit.name} charges {target.name}, {inches(far)} away; {first.name}, {what}, is {inches(near)} away."
    if judged.verdict == "tolerance":
        return [within_tolerance(rule_id, judged, said)]
    return [
        fault(
            rule_id,
            "illegal",
            said,
            unit.id,
            claimed={"target": target.id},
            recomputed={"target": first.id},
            figures=[Figure("gap", shown(far)), Figure("nearest", shown(near))],
        )
    ]


# -- Frenzy -------------------------------------------------------------------------------------------------------


@rule(
    "CLX-USR-15",
    "Frenzy",
    events=["fight_step", "charge", "move"],
    kinds=["illegal", "miscalculated"],
    readings=READINGS,
)
def frenzy_doubles_attacks_and_drives(event: Any, resolved: Ways | None, position: Position, hearing: Hearing) -> Seen:
    """Frenzy doubles the Attacks of the profile, not what is added to them. A unit in Frenzy moves and charges towards the
    enemy unit that is nearest; it loses its Frenzy for good with a lost round of combat.

    Log:  results of combats, moves, charges, the attacks that are claimed.
    Edge: whether it has lost its Frenzy may not be known: then no number is held against anybody.
    Edge: of two enemies that are equally near, as far as measuring can tell, it may choose.
    Edge: a unit that has Hatred as well, and hates another, cannot keep to both: whichever it charges is unchecked.
    Edge: a move is looked at only where the nearest model could have gone half an inch straight towards the enemy.
    Edge: a flyer or a hidden unit that is nearer than all others may draw it or not: these cannot be charged.
    """
    return blows_seen("CLX-USR-15", event, position, hearing)


def _in_frenzy(unit: Unit, position: Position) -> bool:
    """Whether a unit is in Frenzy, or may be."""
    return "frenzy" in unit.rules and position.units[unit.id].frenzy_lost is not True


def _unless_lost(seen: Seen, unit: Unit, position: Position) -> Seen:
    """What is held against a unit in Frenzy, unless it is not known whether it has lost it."""
    if position.units[unit.id].frenzy_lost is None and any(isinstance(one, Fault) for one in seen or ()):
        return [unchecked("CLX-USR-15", f"whether {unit.name} has lost its Frenzy")]
    return seen


@frenzy_doubles_attacks_and_drives.at("charge")
def frenzy_charges_the_nearest(
    event: records.Charge, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    unit = position.setup.units.get(event.unit or "")
    if unit is None or not _in_frenzy(unit, position):
        return None
    due = _enemies(unit, position)
    besides = _enemies(unit, position, all_of_them=True)
    what = "the nearest enemy of a unit in Frenzy"
    seen = _charged_another("CLX-USR-15", event, unit, due, besides, what, position, hearing)
    seen = _unless_torn(seen, event, unit, _hated_in_reach(unit, position, hearing), hearing)
    return _unless_lost(seen, unit, position)


@frenzy_doubles_attacks_and_drives.at("move")
def frenzy_moves_towards_the_nearest(event: records.Move, ways: Ways, position: Position, hearing: Hearing) -> Seen:
    unit = ways.unit
    if unit is None or not _in_frenzy(unit, position) or not any(way.moved for way in ways.ways) or ways.lost:
        return None
    return _unless_lost(_moved(unit, ways, position, hearing), unit, position)


def _moved(unit: Unit, ways: Ways, position: Position, hearing: Hearing) -> Seen:
    """What is wrong with the way that a unit in Frenzy moves."""
    state = position.units[unit.id]
    enemies = _enemies(unit, position)
    if not enemies or state.locked_with or state.falling_back or state.moved:
        return None
    before, target = min(enemies, key=lambda one: one[0])
    ends = {way.model.id: position.shape(way.model, way.end, way.heading) for way in ways.ways}
    here = [ends.get(model.id, position.shape(model)) for model in position.living(unit)]

    def gap_after(one: Unit) -> Length:
        return nearest(here, [position.shape(model) for model in position.living(one)])[0]

    after = min(gap_after(one) for far, one in enemies if _further(far, before, hearing).verdict != "beyond")
    judged = judge(after - before, hearing.settings)
    if (after - before).sign() < 0 or not _free_to_close(unit, target, position):
        return RAN
    # The text names whichever unit is nearest; that a flyer or a hidden unit could not be charged need not turn it away.
    others = [(far, one) for far, one in _enemies(unit, position, all_of_them=True) if _beyond_reach(one, position)]
    if any(_further(far, before, hearing).verdict != "beyond" and gap_after(one) < far for far, one in others):
        return RAN
    said = (
        f"{unit.name}, in Frenzy, moves from {inches(before)} to {inches(after)} from {target.name}, the nearest enemy."
    )
    if judged.verdict != "beyond":
        return [Note("tolerance", said, "CLX-USR-15", margin=shown(judged.over))]
    return [
        fault(
            "CLX-USR-15",
            "illegal",
            said,
            unit.id,
            claimed={"gap": shown(after)},
            recomputed={"less_than": shown(before)},
            figures=[Figure("gap before", shown(before)), Figure("gap after", shown(after))],
            judged=judged,
        )
    ]


STEP = Fraction(1, 2)


def _free_to_close(unit: Unit, target: Unit, position: Position) -> bool:
    """Whether the model nearest to a unit could have gone half an inch straight towards it."""
    models, others = position.living(unit), position.living(target)
    far, i, j = nearest([position.shape(one) for one in models], [position.shape(one) for one in others])
    model, start = models[i], position.models[models[i].id].at
    end = position.models[others[j].id].at
    if far <= 1 + STEP + Fraction(1, 10) or start is None or end is None or not isinstance(model.base, Circle):
        return False
    share = STEP / Fraction(float(distance(start, end)))
    there = Point(start.x + share * (end.x - start.x), start.y + share * (end.y - start.y))
    shape = position.shape(model, there)
    ground = position.setup.terrain.values()
    if any(crosses([start, there], model.base.radius, piece.area) for piece in ground):
        return False
    return all(_clear(shape, position.shape(other), other.id, unit, position) for other in _others(model.id, position))


def _others(model_id: str, position: Position) -> Iterator[Any]:
    return (m for m in position.setup.models.values() if m.id != model_id and position.on_table(m.id))


def _clear(shape: Shape, other: Shape, other_id: str, unit: Unit, position: Position) -> bool:
    enemy = position.setup.units[position.setup.models[other_id].unit].player != unit.player
    return gap(shape, other) > (1 if enemy else 0)


# -- Hatred -------------------------------------------------------------------------------------------------------


@rule(
    "CLX-USR-16",
    "Hatred",
    events=["fight_step", "charge", "hit_rolls", "morale", "ld_test"],
    kinds=["illegal", "miscalculated"],
    readings=[*READINGS, "OR-WOUNDS", "OR-MORALE-WHEN"],
)
def hatred_charges_and_strikes_again(event: Any, resolved: Ways | None, position: Position, hearing: Hearing) -> Seen:
    """A unit with Hatred charges the nearest hated enemy in reach. In the first turn of a combat that it charged into it
    has one attack more and rolls misses again. Its tests against a hated enemy are three dice, the two lowest counting.

    Log:  charges, the attacks that are claimed, the dice to hit with their rerolls.
    Edge: the reach is the largest roll that the dice of a charge can show (BASE-CHARGE).
    Edge: of two hated enemies that are equally near, as far as measuring can tell, it may choose.
    """
    return blows_seen("CLX-USR-16", event, position, hearing)


@hatred_charges_and_strikes_again.at("charge")
def hatred_charges_the_nearest_it_hates(
    event: records.Charge, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    unit = position.setup.units.get(event.unit or "")
    if unit is None or not any(one.startswith("hatred:") for one in unit.rules):
        return None
    if most_of(position.setup.base["BASE-CHARGE"]) is None:
        return [unchecked("CLX-USR-16", "the dice of a charge are not known (BASE-CHARGE)")]
    due = _hated_in_reach(unit, position, hearing, event.target)
    besides = _enemies(unit, position, lambda one: unit.hates(one), all_of_them=True)
    seen = _charged_another("CLX-USR-16", event, unit, due, besides, "whom it hates", position, hearing)
    frenzy = "frenzy" in unit.rules and position.units[unit.id].frenzy_lost is not True
    return _unless_torn(seen, event, unit, _enemies(unit, position) if frenzy else [], hearing)


def _unless_torn(
    seen: list[Remark], event: records.Charge, unit: Unit, others: list[tuple[Length, Unit]], hearing: Hearing
) -> list[Remark]:
    """What is seen of a charge at another than was due, unless its other passion drives the unit to that one. `others`:
    whom that is about."""
    if not others:
        return seen
    least = min(far for far, _ in others)
    first = {one.id for far, one in others if _further(far, least, hearing).verdict != "beyond"}
    accused = [one for one in seen if isinstance(one, Fault)]
    if event.target not in first or not accused:
        return seen
    return [unchecked(accused[0].rule, f"whether Hatred or Frenzy decides whom {unit.name} charges")]


def _hated_in_reach(
    unit: Unit, position: Position, hearing: Hearing, target: str | None = None
) -> list[tuple[Length, Unit]]:
    """The hated enemies that a charge can certainly reach, with their gaps, and `target` if it is one; all of them where
    nobody has said how far a charge reaches."""
    if not any(one.startswith("hatred:") for one in unit.rules):
        return []
    allowed = judge(Length(Fraction(0)), hearing.settings).allowed
    hated = _enemies(unit, position, lambda one: unit.hates(one))
    reach = most_of(position.setup.base["BASE-CHARGE"])
    return [(far, one) for far, one in hated if reach is None or far <= reach - allowed or one.id == target]


@hatred_charges_and_strikes_again.at("hit_rolls")
def misses_are_rolled_again_in_the_first_turn(
    event: records.HitRolls, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    step = position.combat.steps.get(event.attack)
    if step is None:
        return None
    unit, target = position.setup.units.get(step.unit or ""), position.setup.units.get(step.target or "")
    if unit is None or target is None or not unit.hates(target):
        return None
    again = [roll for roll in event.rolls or () if roll.again]
    if not again:
        return RAN
    charge = charge_now(unit.id, position)
    # A wrong number is one fault: who rolled again what missed by the number due, or by the claimed one, is not accused.
    needed = [] if event.claimed_needed is None else [event.claimed_needed, *(blows_may_need(event, position) or ())]
    if charge is None:
        why = f"{unit.name} did not charge in this turn"
    elif any(len(roll.again) > 1 for roll in again):
        why = "a die is rolled again once"
    elif needed and any(roll.die is not None and all(reaches(roll.die, one) for one in needed) for roll in again):
        why = "a die that was rolled again had hit"
    else:
        return RAN
    text = f"Blows of {unit.name} at {target.name}, whom it hates, were rolled again: {why}."
    return [fault("CLX-USR-16", "illegal", text, unit.id, claimed={"rerolls": len(again)})]


@hatred_charges_and_strikes_again.at("morale", "ld_test")
def hatred_counts_the_two_lowest(event: Any, resolved: Ways | None, position: Position, hearing: Hearing) -> Seen:
    if isinstance(event, records.LdTest):
        regroups = event.cause == "regroup"
        seen = regroup_seen if regroups else fear_seen
        return seen(event, position, hearing, "CLX-USR-16")
    return (shot_morale_seen if event.cause == "shooting" else combat_morale_seen)(
        event, position, hearing, "CLX-USR-16"
    )


RULES: tuple[Rule, ...] = (frenzy_doubles_attacks_and_drives, hatred_charges_and_strikes_again)
