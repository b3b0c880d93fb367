"""How the position follows assaults: what the log says of charges, fights, tests and falling back is gone on with.

`adopt` calls `before` while the position is as it was, and `after` once the event has changed it. No reading is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from auditor.core.holes import Hole
from auditor.geometry.inches.moves import crosses
from auditor.geometry.inches.shapes import Circle, about_gap
from auditor.systems.clx import records
from auditor.systems.clx.adopt.changes import change
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.combat import Charge, Fallen, Result, Step, Test, Throw
from auditor.systems.clx.position.state import AttackState, Position, UnitState, all_of_units, bases_of, flags_of
from auditor.systems.clx.position.values import replace
from auditor.systems.clx.reckoning import attacks, rolled
from auditor.systems.clx.reckoning.cover import cover_of
from auditor.systems.clx.reckoning.dice import reaches
from auditor.systems.clx.reckoning.due import charges_of_now, roll_of
from auditor.systems.clx.reckoning.facing import reference
from auditor.systems.clx.reckoning.fights import contact, gap_between, least_gap, passed_by_dice, wounds_in
from auditor.systems.clx.reckoning.losses import losses
from auditor.systems.clx.reckoning.names import strange_fighters
from auditor.systems.clx.reckoning.pinned import pins
from auditor.systems.clx.reckoning.throws import emp, side_of, struck_by_emp
from auditor.systems.clx.reckoning.unsaid import LYING
from auditor.systems.clx.reckoning.ways import ways_of
from auditor.systems.clx.tolerance import RND
from auditor.systems.clx.written import exact_or_none

CLOSE = float(2 * RND)
"""Inches by which two models may be differently near to a third and still be equally near, as far as a record tells."""


def before(event: records.Event, position: Position, allowed: Fraction) -> None:
    """What an event adds to the combat, seen from the position before it.

    allowed   inches from the side of a piece of terrain within which it is not certain that it gives cover
    """
    act = _BEFORE.get(type(event))
    if isinstance(event, records.Grenade):
        _grenade(event, position, allowed)
    elif act is not None:
        act(event, position)


def after(event: records.Event, position: Position) -> None:
    """What of the combat follows from the position that an event leaves."""
    act = _AFTER.get(type(event))
    if act is not None:
        act(event, position)


def _unit(position: Position, unit_id: str | None) -> Unit | None:
    return position.setup.units.get(unit_id or "")


# -- charges ------------------------------------------------------------------------------------------------------


def _charge(event: records.Charge, position: Position) -> None:
    unit, target = _unit(position, event.unit), _unit(position, event.target)
    if unit is None:
        return
    earlier = position.combat.charges.get(unit.id)
    if earlier is not None and earlier.moment == (position.turn, position.active) and earlier.target != event.target:
        position.combat.charges[unit.id] = Charge(unit.id, event.target, earlier.moment, stated=True)
        return
    there: UnitState | None = None if target is None else position.units[target.id]
    lower, unsure = _lower(unit, target, position)
    position.combat.charges[unit.id] = Charge(
        unit=unit.id,
        target=event.target,
        seq=event.seq,
        moment=(position.turn, position.active),
        gap=None if target is None else gap_between(unit, target, position),
        roll=roll_of(event, position),
        claimed=event.claimed_success,
        face=there,
        at=None if target is None else reference(target, position),
        of=reference(unit, position),
        fleeing=None if target is None else _then(target, "falling_back", position),
        pinned=None if target is None else _then(target, "pinned", position),
        lower=lower,
        level_unknown=unsure,
        arc=event.claimed_arc,
    )


def _then(unit: Unit, flag: str, position: Position) -> bool | None:
    """Whether a flag of a unit is set; None: not by anything on record, and a stated position does not say that it is not."""
    return bool(getattr(position.units[unit.id], flag)) or (None if position.is_open(flag, unit.id) else False)


def _lower(unit: Unit, target: Unit | None, position: Position) -> tuple[frozenset[str], frozenset[str]]:
    """The models of a unit that stand lower than the nearest model of another, and those of which that is not sure."""
    there = position.living(target) if target is not None else []
    lower: set[str] = set()
    unsure: set[str] = set()
    if target is not None and any(position.nowhere(model.id) for model in target.models):
        # The nearest may be one of which nobody has said where it stands.
        return frozenset(), frozenset(model.id for model in unit.models)
    unsure |= {model.id for model in unit.models if position.nowhere(model.id)}
    for model in position.living(unit) if there else ():
        base = position.shape(model)
        far = {other.id: about_gap(base, position.shape(other)) for other in there}
        least = min(far.values())
        z = position.models[model.id].z
        nearest_to_it = [other for other, gap in far.items() if gap <= least + CLOSE]
        found = {position.models[other].z > z for other in nearest_to_it}
        if any(position.models[one].z_open for one in (model.id, *nearest_to_it)):
            unsure.add(model.id)
        elif found == {True}:
            lower.add(model.id)
        elif True in found:
            unsure.add(model.id)
    return frozenset(lower), frozenset(unsure)


def _charge_move(event: records.ChargeMove, position: Position) -> None:
    charge = position.combat.charges.get(event.unit or "")
    if event.unit is None:
        for other in charges_of_now(position):
            if not other.moved:  # It may be the one that moved.
                position.combat.charges[other.unit] = replace(other, moved=True, assumed=True)
    if charge is None:
        return
    # Where the charge was said to reach and its move to have failed, or the other way round, play goes on with either.
    failed = None if event.failed is not None and event.failed == charge.claimed else event.failed
    position.combat.charges[charge.unit] = replace(charge, moved=True, assumed=False, short=failed)
    unit, target = position.setup.units[charge.unit], _unit(position, charge.target)
    if target is None or failed:
        return
    if failed is False or contact(unit, target, position):
        _lock(position, unit.id, target.id)


def _lock(position: Position, one: str, other: str, *, since: bool = True) -> None:
    """Two units are in combat with each other. `since`: from now on, unless it is known that they were before."""
    if other not in position.units:
        return
    pair = frozenset((one, other))
    if since and other not in position.units[one].locked_with:
        position.combat.since.setdefault(pair, (position.turn, position.active))
    position.combat.bound -= pair  # Whether they are when this round is over, its result says.
    for a, b in ((one, other), (other, one)):
        change(position, a, locked_with=position.units[a].locked_with | {b})
        if not any(charge.fleeing is None for charge in charges_of_now(position) if charge.target == a):
            # Who is in combat is not falling back, unless it was when it was charged.
            position.holes.state(flags_of(a, "falling_back"))


def part(position: Position, unit_id: str) -> None:
    """A unit is in combat with nobody any more. When its combats began is kept where it is destroyed: who strikes at the
    same Initiative does so yet."""
    destroyed = not any(position.models[model.id].alive for model in position.setup.units[unit_id].models)
    for other in position.units[unit_id].locked_with:
        if not destroyed:
            position.combat.since.pop(frozenset((unit_id, other)), None)
        if other in position.units:
            change(position, other, locked_with=position.units[other].locked_with - {unit_id})
    change(position, unit_id, locked_with=frozenset())
    position.holes.state(flags_of(unit_id, "locked_with"))
    position.combat.bound -= {unit_id}


def _fall_back(event: records.FallBack, position: Position) -> None:
    _moves_hidden(event, position)
    if event.unit in position.units:
        part(position, str(event.unit))


# -- fights -------------------------------------------------------------------------------------------------------


def _fight_step(event: records.FightStep, position: Position) -> None:
    strange = strange_fighters(event, position)
    rows = event.attackers or []
    owners = {owner.id for row in rows if (owner := position.unit_of(row.model)) is not None}
    targets = {row.target for row in rows}
    weapons = {row.weapon for row in rows}
    unit = next(iter(owners)) if len(owners) == 1 else None
    target = next(iter(targets)) if len(targets) == 1 else None
    weapon = next(iter(weapons)) if len(weapons) == 1 else None
    if strange:
        unit = target = None  # Whoever was meant.
    blows = [row.claimed_attacks for row in rows]
    # A step that is said to be at another Initiative than those who strike in it: which it was nobody knows.
    agrees = all(row.claimed_initiative in (None, event.initiative) for row in rows)
    position.combat.steps[event.attack] = Step(
        unit=unit,
        target=target,
        weapon=weapon,
        initiative=event.initiative if agrees else None,
        attackers=tuple((str(row.model), row.claimed_attacks) for row in rows),
        blows=None if None in blows else sum(blow for blow in blows if blow is not None),
        counts=AttackState(unit, target, weapons=(weapon,)),
    )
    position.holes.state([("attack", event.attack)])
    if unit is not None and target is not None:
        charged = {(one.unit, one.target) for one in charges_of_now(position)}
        begun = (unit, target) in charged or (target, unit) in charged
        _lock(position, unit, target, since=begun)  # Who fights without a charge on record may have fought before.


def _dice(event: Any, position: Position) -> None:
    step = position.combat.steps.get(event.attack)
    if step is not None:
        position.combat.steps[event.attack] = replace(step, counts=rolled.after(event, step.counts, position))
    position.combat.throws = tuple(
        replace(
            throw,
            counts=rolled.after(event, throw.counts, position),
            weapon=throw.weapon or getattr(event, "weapon", None),  # Its dice say what was thrown, where it does not.
        )
        if throw.attack == event.attack
        else throw
        for throw in position.combat.throws
    )


def _allocate(event: records.Allocate, position: Position) -> None:
    _dice(event, position)
    step = position.combat.steps.get(event.attack)
    gone = losses(event, position).gone
    _fallen(position, gone, None if step is None else step.initiative)
    position.combat.throws = tuple(
        replace(throw, fallen=throw.fallen + len(gone), wounds=max(throw.wounds, len(event.wounds or ())))
        if throw.attack == event.attack
        else throw
        for throw in position.combat.throws
    )


def _wound_rolls(event: records.WoundRolls, position: Position) -> None:
    _dice(event, position)
    rolled = len(event.rolls or ()) + (event.automatic or 0)
    position.combat.throws = tuple(
        replace(throw, wounds=throw.wounds + rolled) if throw.attack == event.attack else throw
        for throw in position.combat.throws
    )


def _removed(event: records.Removed, position: Position) -> None:
    _fallen(position, [str(event.model)], None)


def _fallen(position: Position, models: Iterable[str], initiative: int | None) -> None:
    for model in models:
        if model in position.models and (position.on_table(model) or position.nowhere(model)):
            position.combat.fallen[model] = Fallen(position.models[model], initiative)


def _leave(event: records.Event, position: Position) -> None:
    """Units of which nobody is left are in combat with nobody."""
    for unit_id, state in list(position.units.items()):
        if state.locked_with and not position.living(position.setup.units[unit_id]):
            part(position, unit_id)


def _result(event: records.CombatResult, position: Position) -> None:
    setup, combat = position.setup, position.combat
    open_steps = [step for step in combat.steps.values() if not step.counted]
    fought = {unit for step in open_steps for unit in (step.unit, step.target) if unit is not None}
    units = frozenset(event.units) if event.units else frozenset(fought)
    first, second = setup.players
    wounds: dict[str, int | None] = {first: event.wounds_by_A, second: event.wounds_by_B}
    inflicted: dict[str, int | None] = {}
    unsaved: dict[str, int | None] = {}
    for player in setup.players:
        low, high = wounds_in(units, player, position)
        if wounds[player] is None:
            wounds[player] = low if low == high else None
        # What is claimed is claimed under whichever reading the players went by.
        claimed = event.wounds_by_A if player == first else event.wounds_by_B
        fits = claimed is not None and low <= claimed <= high
        unsaved[player] = claimed if fits else low if low == high else None
        before_saves = wounds_in(units, player, position, inflicted=True)
        certain = before_saves[0] if before_saves[0] == before_saves[1] else None
        inflicted[player] = certain if claimed is None else claimed
        if claimed is not None and not (low <= claimed <= high or before_saves[0] <= claimed <= before_saves[1]):
            wounds[player] = inflicted[player] = None  # Neither is it: play may have gone on with the right number.
    loser, known = None, True
    if isinstance(event.claimed_loser, str) or event.claimed_loser is None:
        loser = event.claimed_loser if event.claimed_loser in setup.players else None
    else:
        # Whether wounds count that were saved is a reading (OR-WOUNDS): a loser is known where it is the same.
        by = {_loser_by(counts[first], counts[second], setup.players) for counts in (wounds, inflicted, unsaved)}
        known, loser = by.pop() if len(by) == 1 else (False, None)
    combat.results = (*combat.results, Result(units, loser, known, wounds, inflicted))
    combat.steps = {
        name: replace(step, counted=True) if step.unit in units or step.target in units else step
        for name, step in combat.steps.items()
    }
    for unit_id in units & position.units.keys():
        if known and position.setup.units[unit_id].player != loser:
            combat.bound |= {unit_id}
        _after_round(position, unit_id, units, loser, known)


def _loser_by(first: int | None, second: int | None, players: tuple[str, str]) -> tuple[bool, str | None]:
    """Whether it is known who lost a round by the wounds that the players caused, and who: None for a tie."""
    if first is None or second is None:
        return False, None
    return True, None if first == second else players[first > second]


def _after_round(position: Position, unit_id: str, units: frozenset[str], loser: str | None, known: bool) -> None:
    """A round may end a unit's frenzy, or its fear."""
    unit, state = position.setup.units[unit_id], position.units[unit_id]
    if "frenzy" in unit.rules and state.frenzy_lost is not True and (not known or unit.player == loser):
        change(position, unit_id, frenzy_lost=True if known else None)
    enemies = frozenset(one for one in units & position.units.keys() if position.setup.units[one].player != unit.player)
    if not known:
        change(position, unit_id, fear_doubt=state.fear_doubt | (state.fear_failed & enemies))
    elif loser is not None and unit.player != loser:
        change(position, unit_id, fear_overcome=state.fear_overcome | enemies)


# -- hidden and prone units ---------------------------------------------------------------------------------------


def _moves_hidden(
    event: records.Move | records.Run | records.ChargeMove | records.PileIn | records.FallBack, position: Position
) -> None:
    """A hidden unit stays hidden as long as its models certainly stay in a piece of cover; one whose models are shown to move,
    where the line names no unit, is hidden no more."""
    if event.unit is None:
        for owner in filter(None, (position.unit_of(row.id) for row in event.models or ())):
            change(position, owner.id, hidden=False)
        return
    unit = position.units.get(event.unit or "")
    ways = ways_of(event, position) if unit is not None and unit.hidden else None
    if ways is None or ways.unit is None:
        return
    pieces = [piece.area for piece in position.setup.terrain.values() if piece.cover and piece.area.convex]
    for way in ways.ways:
        base = way.model.base
        if not way.moved:
            continue
        if not isinstance(base, Circle) or not any(
            all(crosses([point], base.radius - RND, area) for point in way.path) for area in pieces
        ):
            change(position, ways.unit.id, hidden=False)
            return


def _spot(event: records.Spot, position: Position) -> None:
    """A unit that was spotted, or may have been, is hidden no more."""
    spotter = _unit(position, event.spotter)
    if event.target not in position.units and event.claimed_revealed is not False:
        for unit in position.setup.units.values():
            if spotter is None or unit.player != spotter.player:
                change(position, unit.id, hidden=False)
    if event.target in position.units and event.claimed_revealed is not False:
        change(position, str(event.target), hidden=False)


def _weapon_fire(event: records.WeaponFire, position: Position) -> None:
    attack = position.attacks.get(event.attack)
    if attack is not None and attack.unit in position.units and position.units[str(attack.unit)].hidden:
        change(position, str(attack.unit), shot_hidden=True)


def leave_shooting(position: Position) -> None:
    """A Shooting Phase is over: units with Prone Position that Pinning weapons fired at, and that chose nothing, have
    dropped."""
    for attack in position.attacks.values():
        unit = position.setup.units.get(attack.target or "")
        if unit is None or attack.failed or "prone_position" not in unit.rules:
            continue
        if position.units[unit.id].prone is None and any(attacks.pins(one, position) for one in attack.begun):
            # No line says so: where it was in doubt, it is.
            position.units[unit.id] = replace(position.units[unit.id], prone=("dropped", "new"))
            if position.astray is not None:  # The choice of which nobody knows whose or what it was may be its own.
                position.holes.open(position.astray.of(flags_of(unit.id, "prone")))


# -- vehicles -----------------------------------------------------------------------------------------------------


def _explosion(event: records.VehicleExplodes, position: Position) -> None:
    inside = position.setup.units.get(event.passenger_unit or "")
    if inside is None:
        return
    own = {model.id for model in inside.models}
    fallen = None if event.casualties is None else len(own & set(event.casualties))
    position.combat.wrecks[event.attack] = (inside.id, fallen)


def _shock(event: records.TankShock, position: Position) -> None:
    """The enemy units that a tank shock reaches: the one that is named unless the vehicle stopped short of it; others
    where a base is certainly driven over."""
    ways = ways_of(event, position)
    vehicle = _unit(position, event.vehicle)
    if ways is None or vehicle is None:
        return
    for unit in position.setup.units.values():
        if unit.player == vehicle.player or unit.vehicle is not None or not position.living(unit):
            continue
        least = least_gap(ways, unit, position)
        if unit.id == event.unit:
            reached = least is None or least <= RND
        else:
            reached = least is not None and least < -RND
        if reached:
            position.combat.shocked[unit.id] = True


# -- tests and grenades -------------------------------------------------------------------------------------------


def _passed(event: Any, position: Position) -> bool | None:
    """Whether a test was passed, as claimed; None where the dice say otherwise: play may have gone on with either."""
    by_dice, claimed = passed_by_dice(event, position), event.claimed_passed
    return by_dice if claimed is None else None if by_dice not in (None, claimed) else bool(claimed)


def _whose(event: Any, position: Position) -> str | None:
    """The unit that an event names, else that of the model that it names."""
    return event.unit or getattr(position.unit_of(getattr(event, "model", None)), "id", None)


def _test(event: Any, position: Position) -> None:
    kind = "ld" if isinstance(event, records.LdTest) else "char" if isinstance(event, records.CharTest) else "morale"
    test = Test(
        kind=kind,
        unit=_whose(event, position),
        cause=event.cause,
        passed=_passed(event, position),
        versus=getattr(event, "versus", None),
        phase=position.phase,
        model=getattr(event, "model", None),
        attacks=frozenset(event.attacks) if getattr(event, "attacks", None) else None,
        seq=event.seq,
    )
    position.combat.tests = (*position.combat.tests, test)
    if kind == "morale" and event.cause == "combat" and test.passed and test.unit is not None:
        position.combat.bound |= {test.unit}
    if isinstance(event, records.LdTest) and event.cause == "regroup" and test.passed and test.unit in position.units:
        change(position, str(test.unit), falling_back=False)
        position.holes.state(flags_of(str(test.unit), "falling_back"))
    if isinstance(event, records.LdTest) and event.cause in ("fear_charged", "fear_charging"):
        _fear(test, position)
    if isinstance(event, records.LdTest) and event.cause is None:
        _for_nothing_known(test, position)


def _for_nothing_known(test: Test, position: Position) -> None:
    """A test of Leadership of which the record does not say what it is for: where its result would change what the unit is,
    nobody knows what that is."""
    unit = _unit(position, test.unit)
    if unit is None:
        return
    state = position.units[unit.id]
    regroups = state.falling_back and test.passed is not False
    presses = state.prone is not None and test.passed is not True
    afraid = test.passed is not True and any("fear" in one.rules for one in _enemies(unit, position))
    if regroups or presses or afraid:
        why = f"what the test of event {test.seq} was for is not recorded"
        position.holes.open(Hole(test.seq, why, frozenset(all_of_units([unit.id]))))


def _enemies(unit: Unit, position: Position) -> list[Unit]:
    return [one for one in position.setup.units.values() if one.player != unit.player]


def _fear(test: Test, position: Position) -> None:
    unit = _unit(position, test.unit)
    if unit is None:
        return
    state = position.units[unit.id]
    if test.versus is None:
        feared = {one.id for one in _enemies(unit, position) if "fear" in one.rules}
        if test.passed is not True:
            change(position, unit.id, fear_doubt=state.fear_doubt | feared)
        if test.passed is False and test.cause == "fear_charging":
            change(position, unit.id, pinned="new")
        return
    if test.passed is None:
        change(position, str(test.unit), fear_doubt=state.fear_doubt | {test.versus})
    elif not test.passed:
        doubt = state.fear_doubt if position.is_open("fear_overcome", unit.id) else state.fear_doubt - {test.versus}
        change(position, unit.id, fear_failed=state.fear_failed | {test.versus}, fear_doubt=doubt)
        if test.cause == "fear_charging":
            change(position, str(test.unit), pinned="new")


def _grenade(event: records.Grenade, position: Position, allowed: Fraction) -> None:
    hits = None if event.hit_models is None else tuple(event.hit_models)
    effects = event.claimed_effects
    position.combat.throws = (
        *position.combat.throws,
        Throw(
            attack=event.attack,
            unit=_whose(event, position),
            model=event.model,
            weapon=event.grenade,
            side=side_of(event, position),
            target=event.target,
            hits=hits,
            slowed=None if effects is None or effects.initiative_one is None else tuple(effects.initiative_one),
            cover=_in_cover(event, position, allowed),
            pinned=None if effects is None else effects.pinned,
            struck=struck_by_emp(event, position),
            counts=AttackState(_whose(event, position), event.target, weapons=(event.grenade,)),
        ),
    )
    # Only an EMP grenade pins by itself: what another is said to have pinned a test decides.
    pins_outright = effects is not None and effects.pinned and emp(position.setup.weapons.get(event.grenade or ""))
    if pins_outright and event.target in position.units:
        change(position, event.target, pinned="new")


def _in_cover(event: records.Grenade, position: Position, allowed: Fraction) -> bool | None:
    """Whether the target of a grenade certainly stands in cover from terrain, or in none; None: not certain."""
    thrower, target = position.setup.models.get(event.model or ""), _unit(position, event.target)
    if thrower is None or target is None:
        return None
    state = position.units[target.id]
    if position.holes.doubt(bases_of(one.id for one in (thrower, *target.models))) is not None:
        return None
    found = cover_of(thrower, target, position, allowed)
    lies = state.gone_to_ground or state.prone or state.pinned
    if found is None or lies or any(position.is_open(flag, target.id) for flag in LYING):
        return None
    return True if min(found.least) > 0 else False if max(found.most) == 0 else None


def _cover(event: records.CoverRolls, position: Position) -> None:
    _dice(event, position)
    position.combat.throws = tuple(
        # Dice for cover that there is not are one fault: play may have gone on with it or without it.
        replace(
            throw,
            cover=throw.cover if not event.dice else None if throw.cover is False else True,
            stopped=_stopped(event, throw.stopped),
        )
        if throw.attack == event.attack
        else throw
        for throw in position.combat.throws
    )


def _stopped(event: records.CoverRolls, before: int | None) -> int | None:
    """How many hits cover may have stopped at most, with those `before`: as claimed, or more if the dice say so."""
    if not event.dice and event.claimed_saved is None and not event.waived:
        return before
    needed = event.claimed_needed
    rolled = sum(die != 1 if needed is None else reaches(die, needed) for die in event.dice or ())
    return (before or 0) + (
        rolled if event.claimed_saved is None else max(rolled * (needed is not None), event.claimed_saved)
    )


def _pinning(event: records.PinningTest, position: Position) -> None:
    """What a test says of whether a grenade pinned its target. That an EMP grenade did outright a test does not take back."""
    pinned, known = pins(event, position), position.setup.weapons
    position.combat.throws = tuple(
        replace(throw, pinned=pinned)
        if throw.attack in (event.causes or ()) and not (throw.pinned and emp(known.get(throw.weapon or "")))
        else throw
        for throw in position.combat.throws
    )


def stated(position: Position, entry: records.UnitStated) -> None:
    """What a stated position says of a unit's combats and charges. When a combat began that is new in it is not known."""
    unit, combat = str(entry.unit), position.combat
    if entry.locked_with is not None:
        combat.bound = combat.bound | {unit} if entry.locked_with else combat.bound - {unit}
        for pair in [pair for pair in combat.since if unit in pair and not pair - {unit} <= set(entry.locked_with)]:
            combat.since.pop(pair)
    if entry.charged is not None and (unit not in combat.charges or combat.charges[unit].target != entry.charged):
        combat.charges[unit] = Charge(unit, entry.charged, (position.turn, position.active), stated=True)
    if unit in combat.charges and not combat.charges[unit].moved:
        combat.charges[unit] = replace(combat.charges[unit], moved=True, assumed=True)
    for enemy, written in (entry.start_gap or {}).items():
        far = exact_or_none(written)
        if far is not None:
            combat.gaps[unit, enemy] = far


_BEFORE: dict[type, Callable[[Any, Position], None]] = {
    records.Charge: _charge,
    records.FightStep: _fight_step,
    records.HitRolls: _dice,
    records.CoverRolls: _cover,
    records.WoundRolls: _wound_rolls,
    records.VehicleHit: _dice,
    records.Allocate: _allocate,
    records.Removed: _removed,
    records.CombatResult: _result,
    records.LdTest: _test,
    records.CharTest: _test,
    records.Morale: _test,
    records.PinningTest: _pinning,
    records.FallBack: _fall_back,
    records.VehicleExplodes: _explosion,
    records.TankShock: _shock,
    records.Move: _moves_hidden,
    records.Run: _moves_hidden,
    records.ChargeMove: _moves_hidden,
    records.PileIn: _moves_hidden,
    records.Spot: _spot,
    records.WeaponFire: _weapon_fire,
}
_AFTER: dict[type, Callable[[Any, Position], None]] = {
    records.ChargeMove: _charge_move,
    records.Allocate: _leave,
    records.Removed: _leave,
    records.VehicleExplodes: _leave,
    records.FightStep: _leave,  # Who fell at the same Initiative strikes, and is in combat with nobody.
}
