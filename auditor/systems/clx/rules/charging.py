"""Charges: how far they reach, where they end, and what happens to a unit that is falling back."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from auditor.core.findings import RAN, Fact, Fault, Figure, Remark, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.charges import misses, nearest
from auditor.geometry.inches.lengths import shown
from auditor.geometry.inches.moves import crosses, passing
from auditor.geometry.inches.shapes import NEAR, Circle, Point, about_gap, distance, gap
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.combat import Charge
from auditor.systems.clx.position.state import Position, places_of
from auditor.systems.clx.reckoning.attacks import leadership
from auditor.systems.clx.reckoning.dice import passes
from auditor.systems.clx.reckoning.due import (
    begins_fight,
    certainly_short,
    charges_of_now,
    comes_up,
    reached,
    roll_of,
    test_of,
    tests_of,
)
from auditor.systems.clx.reckoning.fights import dice_of_a_test, gap_between
from auditor.systems.clx.reckoning.frame import ANY_TIME, leaves_phase
from auditor.systems.clx.reckoning.overlaps import overlaps
from auditor.systems.clx.reckoning.ways import Way, Ways
from auditor.systems.clx.rules.coherency import coherency_kept
from auditor.systems.clx.rules.common import Seen, fault, inches, listed, path_marks, rule, unchecked, within_tolerance
from auditor.systems.clx.rules.leadership import leadership_seen
from auditor.systems.clx.rules.moves import ZONE
from auditor.systems.clx.rules.suppression import EVERY_EVENT
from auditor.systems.clx.tolerance import RND, Judged, judge, judge_met
from auditor.systems.clx.written import exact_or_none

REACH = "CLX-ASLT-01"

# -- reach --------------------------------------------------------------------------------------------------------


def _declared(event: records.Charge, position: Position, hearing: Hearing) -> Seen:
    """The gap and the success that a charge claims."""
    unit, target = position.setup.units.get(event.unit or ""), position.setup.units.get(event.target or "")
    if unit is None or target is None:
        return None
    hearing.not_claimed((event.claimed_distance, event.claimed_success).count(None))
    if _has_run(unit, position) is not None:
        return None  # It may not charge: another unit may have been meant.
    far = gap_between(unit, target, position)
    if far is None:
        return [unchecked(REACH, f"where {unit.name} or {target.name} stands is not known")]
    seen: list[Remark] = []
    claimed = exact_or_none(event.claimed_distance)
    if claimed is not None:
        judged = judge_met(far - claimed, hearing.settings)
        said = f"{unit.name} and {target.name} are {inches(far)} apart, not {shown(claimed)}"
        seen += _measured(
            judged, "miscalculated", said, unit, target, {"distance": shown(claimed)}, {"distance": shown(far)}
        )
    if event.claimed_success is None:
        return seen
    roll = roll_of(event, position)
    if roll is None:
        known = position.setup.base["BASE-CHARGE"] is not None
        why = "the dice of the charge are not those that are due" if known else "the dice of a charge (BASE-CHARGE)"
        return [*seen, unchecked(REACH, why)]
    over = far - roll
    reaches = over.sign() <= 0
    if reaches and not _clear_way(unit, target, roll, position) and hearing.ask("OR-CHARGE-DIST") == "PATH":
        # Of no rule: it is unchecked under this option only, and the scope of a fault under the other is whole.
        return [*seen, Unchecked(None, f"how far {target.name} is by a way round the impassable terrain before it")]
    if reaches == event.claimed_success:
        return seen
    measured = judge(abs(over), hearing.settings)
    judged = Judged(measured.over, "beyond" if measured.verdict == "beyond" else "tolerance", measured.allowed)
    fails = over.sign() > 0
    said = f"{unit.name} rolled {roll} for a charge at {target.name}, {inches(far)} away: it {'falls short' if fails else 'reaches'}"
    by = f" by {inches(judged.over)}" if fails else f" with {inches(judged.over)} to spare"
    right = {"success": not fails, "distance": shown(far), "roll": roll}
    return [
        *seen,
        *_measured(judged, "miscalculated", said, unit, target, {"success": event.claimed_success}, right, by),
    ]


def _clear_way(unit: Unit, target: Unit, roll: int, position: Position) -> bool:
    """Whether a model of a unit can go straight to one of its target within a charge, with no impassable terrain on its way:
    then the way to it is as long as it is far."""
    walls = [piece.area for piece in position.setup.terrain.values() if piece.impassable]
    if not walls:
        return True
    for model in position.living(unit):
        base, start = model.base, position.models[model.id].at
        if start is None or not isinstance(base, Circle):
            continue
        for other in position.living(target):
            end = position.models[other.id].at
            if end is None or gap(position.shape(model), position.shape(other)) > roll:
                continue
            if not any(crosses([start, end], base.radius, wall) for wall in walls):
                return True
    return False


def _measured(
    judged: Judged,
    kind: Any,
    said: str,
    unit: Unit,
    target: Unit,
    claimed: dict[str, Any],
    right: dict[str, Any],
    by: str = "",
) -> list[Remark]:
    """A length that is not as claimed: held against somebody, or within the tolerance. `by`: how much it is, in words."""
    if judged.verdict == "fine":
        return []
    if judged.verdict == "tolerance":
        return [within_tolerance(REACH, judged, said + ":")]
    figures = [Figure(name, value) for name, value in right.items() if not isinstance(value, bool)]
    return [
        fault(
            REACH,
            kind,
            f"{said}{by}.",
            unit.id,
            claimed=claimed,
            recomputed=right,
            figures=figures,
            judged=judged,
        )
    ]


# -- the move -----------------------------------------------------------------------------------------------------


def _destroyed(charge: Charge, target: Unit, position: Position) -> bool:
    """Whether the target of a charge was falling back and failed to regroup."""
    return charge.fleeing is not False and any(test.passed is False for test in tests_of(target, "regroup", position))


def _moved(event: records.ChargeMove, ways: Ways, position: Position, hearing: Hearing) -> Seen:
    unit = ways.unit
    if unit is None or not (ways.ways or ways.unread):
        return None
    charge = position.combat.charges.get(unit.id)
    if charge is None or charge.stated or charge.moment != (position.turn, position.active):
        return [unchecked(REACH, f"the charge that this move of {unit.name} belongs to is not recorded")]
    target = position.setup.units.get(charge.target or "")
    if target is None or _destroyed(charge, target, position) or position.units[unit.id].pinned is not None:
        return None
    if charge.roll is None:
        return [unchecked(REACH, "the dice of the charge are not recorded, or not known (BASE-CHARGE)")]
    failed = event.failed
    if failed is None:
        did = reached(charge, hearing)
        failed = None if did is None else not did
    if failed is None:
        return [unchecked(REACH, f"whether the charge of {unit.name} reached is within the tolerance")]
    unread = [unchecked(REACH, f"the path of {listed(ways.unread)} cannot be read")] if ways.unread else []
    if failed:
        return [*unread, *(one for way in ways.ways for one in _short(way, charge, unit, target, position, hearing))]
    return [
        *unread,
        *_long(ways, charge, unit, target, position, hearing),
        *_ends(event, ways, unit, target, position, hearing),
    ]


def _by_how_much(way: Way, said: str, judged: Judged, roll: int) -> str:
    """What was done in a charge, and how far that is from what the roll gives."""
    if "towards" in said or "halt" in said:
        return f"{said}, by {inches(judged.over)}."
    return f"{said}: {inches(judged.over)} too {'far' if (way.length - roll).sign() > 0 else 'short'}."


def _path_fault(
    way: Way, said: str, judged: Judged, roll: int, unit: Unit, target: Unit, besides: tuple[Fact, ...] = ()
) -> Remark:
    if judged.verdict == "tolerance":
        return within_tolerance(REACH, judged, said + ":")
    return fault(
        REACH,
        "illegal",
        _by_how_much(way, said, judged, roll),
        way.model.id,
        claimed={"path_length": shown(way.length)},
        recomputed={"roll": roll},
        figures=[Figure("path length", shown(way.length)), Figure("roll", roll)],
        judged=judged,
        evidence=path_marks(way.model.id, way.path),
    )


def _long(ways: Ways, charge: Charge, unit: Unit, target: Unit, position: Position, hearing: Hearing) -> list[Remark]:
    """Paths of a charge that reached, and are longer than its roll. One that did not reach is wrong by its claim."""
    roll = charge.roll or 0
    if certainly_short(charge, hearing):
        return []
    seen: list[Remark] = []
    for way in ways.ways:
        over = way.length - roll
        judged = judge(over, hearing.settings, parts=way.parts)
        if judged.verdict != "fine":
            said = f"{way.model.id} charged {inches(way.length)} on a roll of {roll}"
            seen.append(_path_fault(way, said, judged, roll, unit, target))
    return seen


def _ends(
    event: records.ChargeMove, ways: Ways, unit: Unit, target: Unit, position: Position, hearing: Hearing
) -> list[Remark]:
    """A charge that reached ends in contact and in coherency."""
    ends = {way.model.id: position.shape(way.model, way.end, way.heading) for way in ways.ways}
    here = [ends.get(model.id) or position.shape(model) for model in position.living(unit)]
    there = [position.shape(model) for model in position.living(target)]
    seen: list[Remark] = list(coherency_kept(REACH, ways, position, hearing, also=("CLX-MOVE-03",)) or ())
    if not here or not there or ways.lost:
        return seen
    if any(position.nowhere(model.id) for model in (*unit.models, *target.models)):
        return [*seen, unchecked(REACH, f"where all models of {unit.name} and {target.name} stand is not recorded")]
    off = nearest(here, there)[0]
    if off.sign() < 0:  # A base lies over one of the enemy: another may be in contact.
        close = [gap(one, other) for one in here for other in there if about_gap(one, other) < NEAR]
        off = min((abs(one) for one in close), default=off)
    judged = judge_met(off, hearing.settings)
    if judged.verdict == "beyond" and _over(event, ways, target, position):
        return seen  # How far from it a charge ends that lies over the enemy nobody can tell.
    said = f"The charge of {unit.name} ends {inches(off)} from {target.name}, in contact with nobody of it"
    return [*seen, *_measured(judged, "illegal", said, unit, target, {"gap": shown(off)}, {"gap": "0"})]


def _over(event: records.ChargeMove, ways: Ways, target: Unit, position: Position) -> bool:
    """Whether a charge puts a base over one of its target's."""
    enemies = {model.id for model in target.models}
    return any(one.other in enemies for one in overlaps(event, ways, position))


def _short(way: Way, charge: Charge, unit: Unit, target: Unit, position: Position, hearing: Hearing) -> list[Remark]:
    """A model of a charge that fell short moves all that was rolled, towards the target."""
    roll = charge.roll or 0
    if way.before.at is None or way.ends_only:
        return [unchecked(REACH, f"the way of {way.model.id} is not recorded")]
    off = way.length - roll
    judged = judge_met(off, hearing.settings, parts=way.parts)
    seen: list[Remark] = []
    said = f"{way.model.id} moved {inches(way.length)} in a charge that fell short on a roll of {roll}"
    if judged.verdict != "fine":
        if off.sign() > 0 or judged.verdict == "tolerance":
            seen.append(_path_fault(way, said, judged, roll, unit, target))
        elif _at_zone(way, unit, position) and hearing.ask("OR-CHARGE-SHORT") == "STOP":
            pass
        elif _in_the_way(way, roll, target, position):
            seen.append(unchecked(REACH, f"what stood in the way of {way.model.id}"))
        else:
            # Who stands nobody knows where may stand there.
            somewhere = places_of(name for name in position.models if position.nowhere(name))
            seen.append(_path_fault(way, said, judged, roll, unit, target, somewhere))
    there = [position.shape(model) for model in position.living(target)]
    missed = misses(way.path[0], way.end, there) if there else None
    if missed is not None and (not seen or judged.verdict == "tolerance"):
        aside = judge(missed, hearing.settings)
        said = f"{way.model.id} did not move towards {target.name} in a charge that fell short"
        seen.append(_path_fault(way, said, aside, roll, unit, target))
    if not any(isinstance(one, (Fault, Unchecked)) for one in seen):
        seen += _into_zone(way, roll, unit, target, position, hearing)
    return seen


def _into_zone(way: Way, roll: int, unit: Unit, target: Unit, position: Position, hearing: Hearing) -> list[Remark]:
    """A model of a charge that fell short goes nearer to an enemy than an inch, where it has to halt there."""
    if not isinstance(way.model.base, Circle):
        return []
    passed = [passing(way.path, way.model.base.radius, position.shape(one)) for one in position.enemies(unit.player)]
    nearest_to = min((one.least for one in passed if one.start >= ZONE), default=None)
    if nearest_to is None or ZONE - nearest_to <= 2 * RND:  # as near as `_at_zone` takes for an inch
        return []
    if hearing.ask("OR-CHARGE-SHORT") == "FULL":
        return []
    judged = judge(ZONE - nearest_to, hearing.settings, parts=way.parts)
    said = f"{way.model.id} did not halt 1 inch from the enemy in a charge that fell short"
    return [_path_fault(way, said, judged, roll, unit, target)]


def _at_zone(way: Way, unit: Unit, position: Position) -> bool:
    """Whether a model ended where it comes to 1 inch from an enemy."""
    end = position.shape(way.model, way.end, way.heading)
    enemies = [position.shape(model) for model in position.enemies(unit.player)]
    return bool(enemies) and abs(nearest([end], enemies)[0] - ZONE) <= 2 * RND


def _in_the_way(way: Way, roll: int, target: Unit, position: Position) -> bool:
    """Whether terrain or a model lies where a model would have gone on to, so that it may have been stopped."""
    if not isinstance(way.model.base, Circle):
        return True
    near = [position.models[model.id].at for model in position.living(target)]
    ends = [at for at in near if at is not None]
    if not ends:
        return True
    goal = min(ends, key=lambda at: float(distance(way.end, at)))
    start = way.end
    far = float(distance(start, goal))
    if far < 1e-6:
        return True
    share = Fraction(min(roll - float(way.length), far) / far)
    there = Point(start.x + share * (goal.x - start.x), start.y + share * (goal.y - start.y))
    radius = way.model.base.radius
    if any(crosses([start, there], radius, piece.area) for piece in position.setup.terrain.values()):
        return True
    for model_id, model in position.setup.models.items():
        if model_id == way.model.id or not position.on_table(model_id):
            continue
        if passing([start, there], radius, position.shape(model)).least < 0:
            return True
    return False


# -- the rule -----------------------------------------------------------------------------------------------------


def _not_moved(event: records.Event, position: Position, hearing: Hearing) -> list[Remark]:
    """Charges that fell short, and whose unit did not move before the next act that is no reaction."""
    if position.phase != "assault":
        return []
    over = leaves_phase(event, position, "assault")
    if not over and (
        isinstance(event, (*ANY_TIME, records.LdTest, records.CharTest, records.PinningTest, records.Grenade))
        or event.player != position.active
    ):
        return []
    seen: list[Remark] = []
    for charge in charges_of_now(position):
        unit = position.setup.units[charge.unit]
        halted = _halted(charge, position) and not certainly_short(charge, hearing)
        if halted and not over and isinstance(event, _OF_A_THROW):
            continue
        if charge.moved or (not halted and (charge.claimed is True or not certainly_short(charge, hearing))):
            continue
        if isinstance(event, records.ChargeMove) and event.unit in (None, unit.id):
            continue
        if isinstance(event, records.Removed) and position.unit_of(event.model) in (None, unit):
            continue  # What is left of it may move yet.
        state, target = position.units[unit.id], position.setup.units[str(charge.target)]
        if state.falling_back or not position.living(unit) or _destroyed(charge, target, position):
            continue
        if (hearing.ask("OR-DEF-FAIL") == "STAY") if halted else state.pinned is not None:
            continue
        text = f"The charge of {unit.name} fell short; it did not move the {charge.roll} inches that were rolled."
        if halted:
            text = f"{unit.name} was pinned in its charge, and did not move the {charge.roll} inches rolled, short of contact."
        seen.append(fault(REACH, "omitted", text, unit.id, player=unit.player))
    return seen


_OF_A_THROW = (records.CoverRolls, records.WoundRolls, records.Allocate, records.Removed)
"""What still belongs to a grenade, whoever records it."""


def _halted(charge: Charge, position: Position) -> bool:
    """Whether a defender's grenade pinned who charges, with room to go on for more than an inch short of contact."""
    if charge.claimed is False or charge.gap is None or charge.roll is None or charge.gap - ZONE <= RND:
        return False
    thrown = [one for one in position.combat.throws if one.target == charge.unit and one.side == "defender"]
    return any(one.pinned for one in thrown)


@rule(
    REACH,
    "The reach of a charge",
    events=EVERY_EVENT,
    kinds=["illegal", "miscalculated", "omitted"],
    readings=["OR-CHARGE-SHORT", "OR-CHARGE-DIST", "OR-COH-WHEN", "OR-DEF-FAIL"],
)
def a_charge_reaches_as_far_as_it_rolled(event: records.Event, ways: Any, position: Position, hearing: Hearing) -> Seen:
    """A charge reaches a unit whose nearest model is no further than the dice say. One that does not reach fails, and the
    unit moves all that was rolled towards its target. One that reaches ends with a model in contact, in coherency, no
    path being longer than the roll.

    Log:  the dice, the places of both units, the paths, and what is claimed of distance and success.
    Edge: a gap of exactly the roll is reached. A path that has to have a length may be off by the rounding of a record.
    Edge: terrain or models that may have stopped a model leave it unchecked. Which dice are rolled is a base rule.
    Edge: whether chargers move whom a grenade has pinned is a reading; how far they go then is not judged.
    Edge: whether a charge that falls short halts an inch from the enemy is a reading; only round bases are held to it.
    Edge: of a charge that was wrongly called a success the claim is held against it, not the paths as well.
    Edge: a base that ends over one of the enemy is CLX-LOG-05: one in contact beside it is enough.
    Edge: of a unit that may not charge, for it has run (CLX-USR-14), no number is compared: another may have been meant.
    """
    seen: list[Remark] = _not_moved(event, position, hearing)
    if isinstance(event, records.Charge):
        return [*seen, *(_declared(event, position, hearing) or ())]
    if isinstance(event, records.ChargeMove):
        return [*seen, *(_moved(event, ways, position, hearing) or ())]
    return seen or None


# -- units that are falling back ----------------------------------------------------------------------------------


@rule(
    "CLX-ASLT-03",
    "Assaulting a unit that is falling back",
    events=EVERY_EVENT,
    kinds=["illegal", "miscalculated", "omitted"],
)
def a_fleeing_unit_regroups_or_is_destroyed(
    event: records.Event, ways: Any, position: Position, hearing: Hearing
) -> Seen:
    """A unit that is falling back when a charge reaches it tests to regroup at once. If it fails it is destroyed, and the
    chargers move all that they rolled towards where it stood.

    Log:  that the unit was falling back, the charge, the test, who is removed, the paths.
    Edge: the test may stand before the move of the charge or after it. Out of reach no test is due.
    Edge: with which number it regroups is a base rule (BASE-REGROUP).
    """
    if isinstance(event, records.LdTest) and event.cause in ("regroup", "other", None):
        seen_of_it = regroup_seen(event, position, hearing) if event.cause == "regroup" else None
        return _of_no_rule(event, position) if seen_of_it is None else seen_of_it
    if position.phase != "assault":
        return None
    if isinstance(event, records.ChargeMove) and ways.unit is not None:
        return _moved_where_it_stood(ways, position, hearing)
    fighting = begins_fight(event, position)
    over = leaves_phase(event, position, "assault")
    if not over and not fighting:
        return None
    return _neither_regrouped_nor_destroyed(fighting, over, position, hearing)


def _moved_where_it_stood(ways: Ways, position: Position, hearing: Hearing) -> Seen:
    """The way of chargers whose target was destroyed: all that they rolled."""
    rule_id = "CLX-ASLT-03"
    charge = position.combat.charges.get(ways.unit.id) if ways.unit is not None else None
    target = position.setup.units.get((charge.target if charge else None) or "")
    if charge is None or target is None or charge.roll is None or not charge.fleeing:
        return None
    if not _destroyed(charge, target, position):
        return None
    seen: list[Remark] = []
    for way in ways.ways:
        judged = judge_met(way.length - charge.roll, hearing.settings, parts=way.parts)
        said = f"{way.model.id} moved {inches(way.length)}, not the {charge.roll} of the charge at {target.name}"
        if judged.verdict == "tolerance":
            seen.append(within_tolerance(rule_id, judged, said + ":"))
        elif judged.verdict == "beyond" and (
            way.length > charge.roll or not _in_the_way_of_none(way, charge, position)
        ):
            seen.append(
                fault(
                    rule_id,
                    "illegal",
                    _by_how_much(way, said, judged, charge.roll),
                    way.model.id,
                    claimed={"path_length": shown(way.length)},
                    recomputed={"roll": charge.roll},
                    judged=judged,
                    evidence=path_marks(way.model.id, way.path),
                )
            )
    return seen


def _neither_regrouped_nor_destroyed(fighting: set[str], over: bool, position: Position, hearing: Hearing) -> Seen:
    """Targets that were falling back when a charge reached them, and took no test, or failed it and stayed."""
    rule_id = "CLX-ASLT-03"
    found: list[Remark] = []
    for charge in charges_of_now(position):
        target = position.setup.units.get(charge.target or "")
        if target is None or not charge.fleeing or reached(charge, hearing) is not True:
            continue
        if certainly_short(charge, hearing) or not comes_up({charge.unit, target.id}, fighting, over, position):
            continue
        there = [model for model in position.living(target) if position.models[model.id].wounds != 0]
        tests = tests_of(target, "regroup", position)
        if not there:
            continue
        if not tests and tests_of(target, None, position):
            found.append(unchecked(rule_id, f"whether {target.name} took its test to regroup"))
            continue
        due = None
        if not tests:
            due = test_of(target, "regroup")
            text = f"{target.name} was falling back when it was charged, and took no test to regroup."
        elif all(test.passed is False for test in tests):
            text = f"{target.name} failed to regroup when it was charged, and is still on the table."
        else:
            continue
        found.append(fault(rule_id, "omitted", text, target.id, player=target.player, due=due))
    return found


def _in_the_way_of_none(way: Way, charge: Charge, position: Position) -> bool:
    """Whether something may have stopped a model on its way to where nobody stands any more: any base or terrain near
    the end of its way."""
    if not isinstance(way.model.base, Circle):
        return True
    end = position.shape(way.model, way.end)
    rest = max(Fraction(charge.roll or 0) - Fraction(float(way.length)), Fraction(0))
    near = any(
        gap(end, position.shape(model)) <= rest
        for name, model in position.setup.models.items()
        if name != way.model.id and position.on_table(name)
    )
    return near or any(gap(end, piece.area) <= rest for piece in position.setup.terrain.values())


def regroup_seen(event: records.LdTest, position: Position, hearing: Hearing, asking: str = "CLX-ASLT-03") -> Seen:
    """What a rule sees of a test to regroup before an assault."""
    unit = position.setup.units.get(event.unit or "")
    charged = [charge for charge in charges_of_now(position) if charge.target == event.unit and charge.fleeing]
    if unit is None or not charged or position.phase != "assault":
        return None
    if position.setup.base["BASE-REGROUP"] is None:
        why = "with which number a unit regroups (BASE-REGROUP)"
        return [unchecked("CLX-ASLT-03", why)] if asking == "CLX-ASLT-03" else None
    enemy = position.setup.units.get(charged[0].unit)
    return leadership_seen(
        "CLX-ASLT-03", event, unit, (0, 0), position, hearing, enemy, what_for="to regroup", asking=asking
    )


def _of_no_rule(event: records.LdTest, position: Position) -> Seen:
    """A test for which the text has no rule, if its dice say otherwise than what is claimed of it."""
    unit, dice = position.setup.units.get(event.unit or ""), event.dice
    best = None if unit is None else leadership(unit, position)
    if (
        unit is None
        or best is None
        or event.claimed_passed is None
        or dice is None
        or len(dice) not in dice_of_a_test(unit)
    ):
        return None
    if passes(dice, best + (event.claimed_modifier or 0)) == event.claimed_passed:
        return None
    rolled = f"{unit.name} rolls {' and '.join(map(str, dice))} on a Leadership of {best}"
    what = "pass" if event.claimed_passed else "fail"
    return [Unchecked(None, f"{rolled} and is said to {what}: what this test needs is a matter of the base game")]


# -- running and charging -----------------------------------------------------------------------------------------


@rule("CLX-USR-14", "Fleet", events=["charge"], kinds=["illegal"])
def only_the_fleet_charge_after_running(
    event: records.Charge, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A unit with Fleet may charge after it has run; others may not (base rule). After a turbo-boost or going flat out
    nobody charges.

    Log:  what the unit did in the Shooting Phase.
    """
    unit = position.setup.units.get(event.unit or "")
    if unit is None:
        return None
    ran = _has_run(unit, position)
    if ran is None:
        return RAN
    if ran == "run" and position.setup.base["BASE-RUN-CHARGE"] is None:
        return [unchecked("CLX-USR-14", "who may charge after running (BASE-RUN-CHARGE)")]
    how = {"run": "has run", "turbo": "has turbo-boosted"}.get(ran, "has gone flat out")
    text = f"{unit.name} charges after it {how} in this turn."
    return [fault("CLX-USR-14", "illegal", text, unit.id, claimed={"ran": ran})]


def _has_run(unit: Unit, position: Position) -> str | None:
    """How a unit has moved in the Shooting Phase that may not charge after it; None: it may."""
    ran = position.units[unit.id].ran
    return None if ran == "run" and "fleet" in unit.rules else ran


RULES: tuple[Rule, ...] = (
    a_charge_reaches_as_far_as_it_rolled,
    a_fleeing_unit_regroups_or_is_destroyed,
    only_the_fleet_charge_after_running,
)
