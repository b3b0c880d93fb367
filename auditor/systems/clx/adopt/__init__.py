"""The only place where a position changes, with the modules `adopt_…` beside it: the replay goes on with what the log
claims, where that can exist."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from typing import Any

from auditor.core.findings import Fault
from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.adopt import combat as adopt_combat
from auditor.systems.clx.adopt import frame as adopt_frame
from auditor.systems.clx.adopt import psychic as adopt_psychic
from auditor.systems.clx.adopt import stated as adopt_stated
from auditor.systems.clx.adopt.changes import (
    change,
    follows,
    height_in_doubt,
    perhaps_gone,
    placed,
    remove,
    who_was_removed,
)
from auditor.systems.clx.position.state import (
    OF_A_PHASE,
    AttackState,
    Group,
    PinTest,
    Position,
    Standing,
    all_of_units,
    flags_of,
    places_of,
)
from auditor.systems.clx.position.values import replace
from auditor.systems.clx.reckoning import rolled
from auditor.systems.clx.reckoning.cover import with_cover
from auditor.systems.clx.reckoning.crossfire import may_cross, turned_by
from auditor.systems.clx.reckoning.debris import left_inside, left_round
from auditor.systems.clx.reckoning.ends import wrong_ends
from auditor.systems.clx.reckoning.facing import (
    after_crossfire,
    after_move,
    after_shot,
    after_suppression,
    as_stated,
    between,
    directions_moved,
    reference,
)
from auditor.systems.clx.reckoning.fights import may_be_free
from auditor.systems.clx.reckoning.groups import shots_allowed, with_dice
from auditor.systems.clx.reckoning.left_out import left_out, put_apart
from auditor.systems.clx.reckoning.losses import losses
from auditor.systems.clx.reckoning.names import OF_AN_ATTACK, astray, nameless, who_acts
from auditor.systems.clx.reckoning.overlaps import overlaps
from auditor.systems.clx.reckoning.pinned import pins
from auditor.systems.clx.reckoning.restated import compared
from auditor.systems.clx.reckoning.unrecorded import (
    BEFORE,
    open_never_put_down,
    open_unallocated,
    open_until_it_goes_on,
    opened_until,
)
from auditor.systems.clx.reckoning.unsaid import flags_of_who_arrives
from auditor.systems.clx.reckoning.ways import Way, Ways
from auditor.systems.clx.tolerance import RND, allowance, tolerance
from auditor.systems.clx.written import exact_or_none, height_of, place_of


def adopt(event: records.Event, resolved: Ways | None, position: Position, hearing: Hearing) -> None:
    """Go on with an event as the log has it. No reading is asked: what is adopted so far is all claimed or fact."""
    over = [] if resolved is None else overlaps(event, resolved, position)
    told = wrong_ends(event, resolved, position, allowance(hearing.settings))
    wrong = astray(event, position)
    position.now.clear()
    if position.holes:
        # A flag that a stated position left out stays in doubt.
        said = compared(event, position).alike
        position.holes.state(one for one in said if position.holes.doubt((one,)) is position.holes.whole)
    adopt_frame.frame(event, position)
    allowed = max(tolerance(hearing.settings), RND)
    _name_attack(event, position)
    if isinstance(event, _DICE):
        _dice_of_attack(event, position, allowed)
    if isinstance(event, (*_DICE, records.Allocate)) and event.attack in position.attacks:
        position.attacks[event.attack] = with_dice(event, rolled.after(event, position.attacks[event.attack], position))
    if not isinstance(event, BEFORE):
        open_never_put_down((model for model, _ in who_acts(event, resolved, position)), position, event.seq)
    _act(event, resolved, position, allowed)
    adopt_psychic.settle_perils(event, position)
    for model in told:
        position.models[model] = replace(position.models[model], told=True)
    if isinstance(event, records.WoundRolls):
        open_unallocated(event, position)
    open_until_it_goes_on(_put_down(event, resolved), position, event.seq, allowance(hearing.settings))
    for one in over:
        if one.depth > allowance(hearing.settings):
            pair = [one.way.model.id] if one.other is None else [one.way.model.id, one.other]
            why = f"event {event.seq} puts {pair[0]} over {pair[1] if pair[1:] else 'the edge of the table'}"
            position.holes.open(Hole(event.seq, why, frozenset(places_of(pair))))
            for model in pair:
                position.models[model] = replace(position.models[model], apart=None)
    if wrong:
        why = f"event {event.seq} {wrong[0]}"
        names = {*position.attacks, *position.combat.steps, getattr(event, "attack", None)}
        facts = (*all_of_units(position.setup.units), *OF_A_PHASE, *(("attack", name) for name in names))
        known = (one for one in facts if position.holes.doubt((one,)) is None)
        position.astray = Hole(event.seq, why, frozenset(known))
        position.holes.open(position.astray)
    position.played = True
    position.now.clear()


def _put_down(event: records.Event, ways: Ways | None) -> list[str]:
    """The units that an event puts down somewhere."""
    if ways is not None and ways.unit is not None:
        return [ways.unit.id]
    stated = event.position if isinstance(event, records.Judge) else event
    if isinstance(stated, (records.Position, records.Stated)):
        return [str(entry.unit) for entry in stated.units or ()]
    return []


def _name_attack(event: Any, position: Position) -> None:
    """What was declared last without a name takes the name that an event after it goes by."""
    kind = nameless(event.attack, position) if isinstance(event, OF_AN_ATTACK) else None
    if kind == "attack":
        position.attacks[event.attack] = position.attacks.pop(None)
    elif kind == "step":
        position.combat.steps[event.attack] = position.combat.steps.pop(None)
    elif kind == "throw":
        *before, last = position.combat.throws
        position.combat.throws = (*before, replace(last, attack=event.attack))


def _act(event: records.Event, resolved: Ways | None, position: Position, allowed: Fraction) -> None:
    adopt_combat.before(event, position, allowed)
    act = _ACTS.get(type(event))
    if act is not None:
        act(event, resolved, position)
    adopt_combat.after(event, position)


def undone(event: records.Event, resolved: Ways | None, position: Position, hearing: Hearing, fault: Fault) -> None:
    """Go on as if an illegal act had not been done, or not by the models that it was not allowed to."""
    if isinstance(event, (records.TurnStart, records.PhaseStart, records.PhaseEnd, records.TurnEnd)):
        adopt(event, resolved, position, hearing)
        return
    adopt_frame.frame(event, position)
    if resolved is not None and fault.subject:
        kept, jumped = (
            tuple(way for way in ways if way.model.id not in fault.subject) for ways in (resolved.ways, resolved.jumped)
        )
        lost = tuple(model for model in resolved.lost if model not in fault.subject)
        whole = resolved.unit is not None and resolved.unit.id in fault.subject
        if (kept or jumped) and not whole:
            _ACTS[type(event)](event, replace(resolved, ways=kept, lost=lost, jumped=jumped), position)
    position.now.clear()


def about(event: records.Event, position: Position) -> Hashable:
    """Where the units stand that an event is about, and whose turn it is."""
    units = [position.setup.units.get(str(getattr(event, name, None))) for name in ("unit", "target", "vehicle")]
    models = [model.id for unit in units if unit is not None for model in unit.models]
    doubt = position.holes.doubt(places_of(models)) if position.holes else None
    stand = [position.models[model] for model in models]
    return position.turn, position.active, doubt is None, *((one.at, one.alive, one.aboard) for one in stand)


# -- where models are ---------------------------------------------------------------------------------------------


def _put(position: Position, ways: Iterable[Way], seq: int) -> None:
    """Models come to stand where their ways end."""
    for way in ways:
        before = position.models[way.model.id]
        z = before.z if way.z is None else way.z
        position.models[way.model.id] = Standing(
            way.end, z, way.heading, before.wounds, before.alive, None, before.struck,
            z_open=height_in_doubt(position, way),
        )  # fmt: skip
        placed(position, way.model.id, seq, turned=bool(way.headings))


def _lose(event: records.Event, ways: Ways, position: Position, allowed: Fraction = RND) -> None:
    """Of whom an event names by mistake, or leaves out by what seems to be one, nobody can say where they stand after it,
    nor of the former what their units do since."""
    missing = left_out(event, ways, position, allowed).models
    if missing:
        why = f"event {event.seq} does not move {missing[0]}, and its unit moved away from it or over it"
        position.holes.open(Hole(event.seq, why, frozenset(places_of(missing))))
    unrecorded = opened_until(ways.unit, event.seq, position)
    if unrecorded is not None:
        position.holes.fill(unrecorded)
    if not ways.lost:
        return
    _put(position, ways.jumped, event.seq)
    jumped = {way.model.id: way for way in ways.jumped}
    turned = [model for model in ways.lost if model not in jumped or not jumped[model].headings]
    facts = (*places_of(ways.lost), *(("heading", model) for model in turned))
    if isinstance(event, (records.FallBack, records.ChargeMove)):
        facts += all_of_units({position.setup.models[model].unit for model in ways.lost if model not in jumped})
    why = f"event {event.seq} does not say for certain where {ways.lost[0]} came to stand"
    position.holes.open(Hole(event.seq, why, frozenset(facts)))


def _deploy(event: records.Event, resolved: Ways, position: Position) -> None:
    _lose(event, resolved, position)
    if resolved.unit is None:
        return
    if isinstance(event, records.Deploy) and event.vehicle is not None and not event.models:
        _board(position, event.unit, event.vehicle)
        return
    _put(position, resolved.ways, event.seq)
    left_out = [model.id for model in resolved.unit.models if position.nowhere(model.id)]
    if left_out:
        why = f"event {event.seq} does not say where {left_out[0]} came to stand"
        position.holes.open(Hole(event.seq, why, frozenset(places_of(left_out))))
    apart = put_apart(resolved.unit, position)
    if apart:
        for model in apart:
            position.models[model] = replace(position.models[model], apart=event.seq)
        why = f"event {event.seq} puts {apart[0]} far from the rest of its unit"
        position.holes.open(Hole(event.seq, why, frozenset(places_of(apart))))
    if isinstance(event, (records.Deploy, records.ReserveArrival)):
        position.holes.state(flags_of_who_arrives(resolved.unit))
        facing = as_stated(exact_or_none(event.facing))
        change(position, resolved.unit.id, hidden=bool(event.hidden), facing=facing)
    else:
        change(position, resolved.unit.id, facing=as_stated(None))
    if isinstance(event, records.ReserveArrival):
        change(position, resolved.unit.id, arrived=(position.turn or 0, event.method or "normal"))


def _move(event: Any, resolved: Ways, position: Position) -> None:
    _lose(event, resolved, position)
    if not isinstance(event, records.TankShock) and event.models is None and event.unit in position.units:
        _moves_somewhere(event, position)
    if isinstance(event, records.TankShock) and event.vehicle is None:
        _drives(event, position)
    if resolved.unit is None:
        return
    moved = any(way.moved for way in resolved.ways)
    moved = moved or any(way.moved and way.end != way.before.at for way in resolved.jumped)
    _put(position, resolved.ways, event.seq)
    unit = resolved.unit.id
    if moved and isinstance(event, (records.Move, records.Run, records.ChargeMove)):
        _turn(event, position, resolved)
    if isinstance(event, (records.Move, records.Run)):
        _does_not_flee(unit, position)
    if isinstance(event, records.Move) and moved:
        change(position, unit, moved=True)
    elif isinstance(event, records.Run):
        change(position, unit, ran=event.mode or "run")
        if resolved.unit.vehicle is not None and resolved.unit.vehicle.squadron:
            position.flat_out |= {way.model.id for way in resolved.ways if way.moved}
    elif isinstance(event, records.FallBack):
        change(position, unit, falling_back=True)
        position.holes.state(flags_of(unit, "falling_back"))
    elif isinstance(event, records.TankShock) and moved:
        change(position, unit, moved=True)


def _moves_somewhere(event: Any, position: Position) -> None:
    """A unit moves, and of none of its models is it recorded where."""
    unit = position.setup.units[str(event.unit)]
    why = f"event {event.seq} does not say which models of {unit.name} move, nor where"
    facts = (*places_of(model.id for model in unit.models), *all_of_units([unit.id]))
    position.holes.open(Hole(event.seq, why, frozenset(facts)))
    change(position, unit.id, facing=as_stated(None), hidden=False)


def _drives(event: records.TankShock, position: Position) -> None:
    """A vehicle drives, and which is not recorded."""
    vehicles = (one for one in position.setup.units.values() if one.vehicle is not None)
    units = [one for one in vehicles if event.player in (None, one.player)]
    models = [model.id for one in units for model in one.models]
    why = f"event {event.seq} does not say which vehicle drove"
    facts = (*places_of(models), *all_of_units(one.id for one in units))
    position.holes.open(Hole(event.seq, why, frozenset(facts)))


def _turn(event: records.Event, position: Position, ways: Ways) -> None:
    """A unit comes to face where it moved. A second move of one phase has no direction of its own."""
    assert ways.unit is not None
    state = position.units[ways.unit.id]
    if state.locked_with:
        return
    question = ("directions moved", *(way.model.id for way in ways.ways if way.moved))
    turned = after_move(state, position.ever.once(question, lambda: directions_moved(ways), (event,)))
    if ways.lost or (isinstance(event, records.Move) and state.moved):
        turned = replace(turned, facing=as_stated(None))
    position.units[ways.unit.id] = turned


def _board(position: Position, unit_id: str | None, vehicle: str | None) -> None:
    unit = position.setup.units.get(unit_id or "")
    for model in unit.models if unit is not None else ():
        before = position.models[model.id]
        if before.alive:
            position.models[model.id] = replace(before, at=None, aboard=vehicle or "a transport")
            position.holes.state(places_of([model.id]))
    change(position, unit_id, facing=as_stated(None))


def _embark(event: records.Embark, resolved: Ways | None, position: Position) -> None:
    _board(position, event.unit, event.vehicle)


def _removed(event: records.Removed, resolved: Ways | None, position: Position) -> None:
    unit = position.unit_of(event.model)
    if unit is None:
        why = f"whom event {event.seq} removes is not recorded"
        alive = [model for model, standing in position.models.items() if standing.alive]
        position.holes.open(Hole(event.seq, why, frozenset(places_of(alive))))
        return
    if position.models[str(event.model)].struck:
        why = f"event {event.seq} removes {event.model} again: another one may have been meant"
        position.holes.open(Hole(event.seq, why, frozenset(places_of(one.id for one in position.living(unit)))))
    remove(position, event.model)
    position.models[str(event.model)] = replace(position.models[str(event.model)], struck=True)


def _allocate(event: records.Allocate, resolved: Ways | None, position: Position) -> None:
    lost = losses(event, position)
    for model, left in (lost.left or {}).items():
        position.models[model] = replace(position.models[model], wounds=left)
    for model in lost.gone:
        remove(position, model)
    if lost.perhaps:
        facts = (*places_of(lost.perhaps), ("attack", event.attack))
        position.holes.open(Hole(event.seq, who_was_removed(event.seq), frozenset(facts)))
        for unit in {position.setup.models[model].unit for model in lost.perhaps}:
            perhaps_gone(position, unit, lost.perhaps, event.seq)


def _vehicle_hit(event: records.VehicleHit, resolved: Ways | None, position: Position) -> None:
    unit = position.setup.units.get(event.vehicle or "")
    hull = next((model for model in unit.models if position.on_table(model.id)), None) if unit is not None else None
    if hull is not None and event.claimed_wounds:
        before = position.models[hull.id]
        if before.wounds is not None:
            position.models[hull.id] = replace(before, wounds=max(before.wounds - event.claimed_wounds, 0))


def _explodes(event: records.VehicleExplodes, resolved: Ways | None, position: Position) -> None:
    unit = position.setup.units.get(event.vehicle or "")
    left, perhaps = left_round(event, position)
    left |= left_inside(event, position)
    for model in unit.models if unit is not None else ():
        remove(position, model.id)
    unsaid = unit is None or event.survivors is None
    for survivor in event.survivors or ():
        at = place_of(survivor.pos)
        if survivor.id in position.models and at is not None:
            before = position.models[str(survivor.id)]
            # Of who was nowhere until then it is not known either how it came through.
            wounds = None if position.nowhere(str(survivor.id)) else before.wounds
            position.models[str(survivor.id)] = replace(
                before, at=at, z=height_of(survivor.pos) or before.z, aboard=None, wounds=wounds
            )
            position.holes.state(places_of([str(survivor.id)]))
        else:
            unsaid = True
    for casualty in event.casualties or ():
        remove(position, casualty)
    if unsaid:
        # Who of those inside climbed out, and where, or even in what they were, nobody knows.
        others = () if unit is None else position.setup.units.keys() - {unit.id}
        inside = (name for name, one in position.models.items() if one.aboard is not None and one.aboard not in others)
        perhaps = (*perhaps, *inside)
    if perhaps:
        why = "who was removed when a vehicle exploded is not recorded"
        position.holes.open(Hole(event.seq, why, frozenset(places_of(perhaps))))
    for name, wounds in left.items():
        position.models[name] = replace(position.models[name], wounds=wounds)


# -- what units are and have done ---------------------------------------------------------------------------------


def _shoot(event: records.Shoot, resolved: Ways | None, position: Position) -> None:
    places, sure = None, False
    units = position.setup.units
    if event.unit in units and event.target in units:
        here, there = reference(units[str(event.unit)], position), reference(units[str(event.target)], position)
        places = None if here is None or there is None else (here, there)
        stand = places_of(model.id for name in (event.unit, event.target) for model in units[str(name)].models)
        sure = position.holes.doubt(stand) is None
    position.attacks[event.attack] = AttackState(
        event.unit,
        event.target,
        seq=event.seq,
        claim=not event.claimed_failed if event.claimed_in_range is None else event.claimed_in_range,
        places=places,
        frame=position.units[str(event.target)].facing if event.target in units else as_stated(None),
        toward=between(*places) if places is not None and sure else None,
        arc=event.claimed_arc,
        failed=bool(event.claimed_failed),
    )
    position.holes.state([("attack", event.attack)])
    follows(position, ("measured", event.attack), (event.unit, event.target))
    if event.claimed_failed:
        change(position, event.unit, shooting_spent=True)


def _weapon_fire(event: records.WeaponFire, resolved: Ways | None, position: Position) -> None:
    attack = position.attacks.get(event.attack)
    if attack is None:
        return
    firing = [firer for firer in event.firers or () if firer.shots != 0]
    firers = tuple(firer.model for firer in firing)
    weapon, target = position.setup.weapons.get(event.weapon or ""), position.setup.units.get(attack.target or "")
    # More shots than a model may make are one fault; how many were made then, nobody knows.
    shots = tuple(
        (
            one.model,
            None if (one.shots or 0) > shots_allowed(one.model, weapon, attack.unit, target, position) else one.shots,
        )
        for one in firing
    )
    group = attack.groups.get(event.weapon, Group(event.seq))
    snap = {event.weapon} if any(firer.snap for firer in event.firers or ()) else set()
    position.attacks[event.attack] = replace(
        attack,
        weapons=(*attack.weapons, event.weapon),
        firers={**attack.firers, event.weapon: (*attack.firers.get(event.weapon, ()), *firers)},
        snap=attack.snap | snap,
        groups={**attack.groups, event.weapon: replace(group, shots=(*group.shots, *shots))},
    )
    if event.weapon is not None and not attack.failed:
        for model in firers:
            position.fired[model] = position.fired.get(model, frozenset()) | {event.weapon}
    unit = attack.unit
    if unit in position.units and event.weapon is not None:
        change(position, unit, declared=position.units[str(unit)].declared | {event.weapon})
    if unit in position.units and event.weapon is not None and not position.units[str(unit)].shooting_spent:
        change(position, unit, shot=position.units[str(unit)].shot | {event.weapon})


def _dice_of_attack(event: Any, position: Position, allowed: Fraction) -> None:
    """The first dice of a weapon show that the attack goes on: they turn the unit, and may turn its target.

    allowed  inches that a measured length may be off
    """
    attack = position.attacks.get(event.attack)
    if attack is None and position.phase == "shooting":
        for other in position.attacks.values():
            if not other.begun:  # It may be the one whose dice these are.
                _turn_anybody(other, position)
                _turn_shooter(other, position)
    if attack is None or attack.failed or position.phase != "shooting":
        return
    named = getattr(event, "weapon", None)
    weapon = named if named is not None else attack.weapons[0] if len(set(attack.weapons)) == 1 else None
    if weapon in attack.begun:
        return
    unit, target = position.units.get(attack.unit or ""), position.units.get(attack.target or "")
    attack = with_cover(attack, weapon, position, allowed)
    follows(position, ("measured", event.attack), (attack.unit, attack.target))
    if not attack.begun and unit is not None and not unit.locked_with:
        position.units[str(attack.unit)] = after_shot(unit, attack.toward)
    position.attacks[event.attack] = replace(attack, begun=attack.begun | {weapon})
    if unit is None:
        _turn_shooter(attack, position)
    if attack.target not in position.units:
        _turn_anybody(attack, position)
    for one in (attack.unit, attack.target):
        if one in position.units and may_be_free(str(one), position):
            change(position, one, facing=as_stated(None))
    if target is None or target.locked_with or position.setup.units[str(attack.target)].vehicle is not None:
        return
    known = position.setup.weapons.get(weapon or "")
    pinning = known is not None and "pinning" in known.rules
    crossed = may_cross(position.setup.units[str(attack.target)], position)
    arrived = unit is not None and (unit.arrived_in(position.turn) or position.is_open("arrived", str(attack.unit)))
    back = None if attack.toward is None else (-attack.toward[0], -attack.toward[1])
    if pinning or known is None or arrived:
        position.units[str(attack.target)] = after_suppression(target, back, pinning=pinning)
    elif crossed:
        turned = turned_by(position.setup.units[str(attack.target)], event.attack, position, allowed)
        if any(one is not False for one in turned.values()):
            position.units[str(attack.target)] = after_crossfire(target, back, turned)


def _turn_shooter(attack: AttackState, position: Position) -> None:
    """Who shoots may face another way: the unit that is named, else those of the models that are, else any."""
    fired = [position.setup.models.get(one or "") for firers in attack.firers.values() for one in firers]
    named = {attack.unit} if attack.unit in position.units else {model.unit for model in fired if model is not None}
    for unit in named or set(position.units):
        change(position, unit, facing=as_stated(None))


def _turn_anybody(attack: AttackState, position: Position) -> None:
    """Shots of which nobody knows enough may have turned their target, which may be any enemy where it is not named."""
    shooter = position.setup.units.get(attack.unit or "")
    target = position.setup.units.get(attack.target or "")
    for unit in position.setup.units.values() if target is None else [target]:
        if unit.vehicle is None and (shooter is None or unit.player != shooter.player):
            if not position.units[unit.id].locked_with:
                change(position, unit.id, facing=as_stated(None))


def _charge(event: records.Charge, resolved: Ways | None, position: Position) -> None:
    change(position, event.unit, charged=event.target)
    follows(position, ("charge", str(event.unit)), (event.unit, event.target))
    follows(position, ("faced", str(event.unit)), (), *flags_of(str(event.target), "facing", "locked_with"))
    _does_not_flee(str(event.unit), position)


def _does_not_flee(unit: str, position: Position) -> None:
    """Who moves of its own will, or charges, is not falling back."""
    if unit in position.units and not position.units[unit].falling_back:
        position.holes.state(flags_of(unit, "falling_back"))


def _pinning_test(event: records.PinningTest, resolved: Ways | None, position: Position) -> None:
    pinned = pins(event, position)
    if pinned:
        change(position, event.unit, pinned="new")
    elif pinned is None and event.unit in position.units:
        why = (
            f"whether the test of event {event.seq} pinned {position.setup.units[str(event.unit)].name} is not recorded"
        )
        position.holes.open(Hole(event.seq, why, frozenset(all_of_units([str(event.unit)]))))
    causes = frozenset(event.causes) if event.causes else None
    position.pin_tests = (*position.pin_tests, PinTest(event.unit, causes, pinned))


def _prone_choice(event: records.ProneChoice, resolved: Ways | None, position: Position) -> None:
    causes = None if event.attack is None else frozenset([event.attack])
    position.pin_tests = (*position.pin_tests, PinTest(event.unit, causes, None, prone=True))
    if event.choice is not None:
        change(position, event.unit, prone=("dropped" if event.choice == "drop" else "pressed", "new"))
        position.holes.state(flags_of(event.unit or "", "prone"))


def _ld_test(event: records.LdTest, resolved: Ways | None, position: Position) -> None:
    state = position.units.get(event.unit or "")
    if event.cause == "prone" and event.claimed_passed is False and state is not None and state.prone is not None:
        change(position, event.unit, prone=("against_orders", state.prone[1]))


def _go_to_ground(event: records.GoToGround, resolved: Ways | None, position: Position) -> None:
    state = position.units.get(event.unit or "")
    if state is None or state.gone_to_ground == "new":
        return
    change(position, event.unit, gone_to_ground="new")
    position.holes.state(flags_of(str(event.unit), "gone_to_ground"))
    for name, attack in position.attacks.items():
        if attack.target == event.unit and event.attack in (None, name):
            when = "some time" if event.attack is None else "late" if attack.begun else "early"
            position.attacks[name] = replace(attack, ground=when)


def _jink(event: records.Jink, resolved: Ways | None, position: Position) -> None:
    change(position, event.unit, jinking=True)


_DICE = (records.CoverRolls, records.HitRolls, records.GuessShot, records.WoundRolls, records.VehicleHit)
"""Events with the dice of a shooting attack."""

_ACTS: dict[type, Callable[[Any, Any, Position], None]] = {
    records.RollOff: adopt_frame.roll_off,
    records.DeployChoice: adopt_frame.deploy_choice,
    records.Deploy: _deploy,
    records.Seize: adopt_frame.claimed_seize,
    records.TurnStart: adopt_frame.turn_start,
    records.TurnEnd: adopt_frame.turn_end,
    records.PhaseEnd: adopt_frame.phase_end,
    records.GameLengthRoll: adopt_frame.claimed_length,
    records.GameEnd: adopt_frame.game_end,
    records.ReserveArrival: _deploy,
    records.Disembark: _deploy,
    records.Move: _move,
    records.Run: _move,
    records.ChargeMove: _move,
    records.PileIn: _move,
    records.FallBack: _move,
    records.TankShock: _move,
    records.Embark: _embark,
    records.Removed: _removed,
    records.Allocate: _allocate,
    records.VehicleHit: _vehicle_hit,
    records.VehicleExplodes: _explodes,
    records.Shoot: _shoot,
    records.WeaponFire: _weapon_fire,
    records.Charge: _charge,
    records.PinningTest: _pinning_test,
    records.ProneChoice: _prone_choice,
    records.LdTest: _ld_test,
    records.GoToGround: _go_to_ground,
    records.Jink: _jink,
    records.LoreMastery: adopt_psychic.lore,
    records.WarpCharge: adopt_psychic.warp_charge,
    records.Cast: adopt_psychic.cast_power,
    records.Dispel: adopt_psychic.dispel,
    records.Position: adopt_stated.state_position,
    records.Judge: adopt_stated.judge,
}
