"""Whom and what an event names: who acts in it, and what the record does not have, or more often than it can."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from auditor.systems.clx import records
from auditor.systems.clx.position.state import AttackState, Position
from auditor.systems.clx.reckoning.due import charges_of_now
from auditor.systems.clx.reckoning.frame import strange_psyker
from auditor.systems.clx.reckoning.throws import guess_of_a_throw
from auditor.systems.clx.reckoning.ways import MOVES, Ways

_UNITS = ("unit", "target", "vehicle", "spotter", "versus")
_MODELS = ("psyker", "model")
_NAMED = {
    kind: tuple(tuple(key for key in keys if key in kind.__struct_fields__) for keys in (_UNITS, _MODELS))
    for kind in records.EVENTS.values()
}
"""Which of these fields an event of a kind has."""
_NEEDED: dict[type, tuple[str, ...]] = {
    records.Charge: ("unit", "target"),
    records.ChargeMove: ("unit",),
    records.FallBack: ("unit",),
    records.GoToGround: ("unit",),
    records.Grenade: ("unit", "target"),
    records.Jink: ("unit",),
    records.LdTest: ("unit",),
    records.Morale: ("unit",),
    records.PinningTest: ("unit",),
    records.ProneChoice: ("unit", "choice"),
    records.Removed: ("model",),
    records.Shoot: ("unit", "target"),
}
"""Acts of which nobody can say who is meant where the record leaves out one of these fields."""
OF_AN_ATTACK = (
    records.WeaponFire,
    records.GuessShot,
    records.CoverRolls,
    records.HitRolls,
    records.WoundRolls,
    records.Allocate,
    records.VehicleHit,
)
"""Events that are of an attack, of a step of a fight or of a grenade."""


def astray(event: records.Event, position: Position) -> tuple[str, ...]:
    """What is wrong with the names in an event, each as "names the unit x, which …": a unit, a model, a weapon or an attack
    that the record does not have, or of an act no unit at all, a model that fires or is removed twice."""
    return position.now.once("astray", lambda: _astray(event, position), (event,))


def _astray(event: Any, position: Position) -> tuple[str, ...]:
    setup = position.setup
    of_attack = isinstance(event, OF_AN_ATTACK)
    units, models = _NAMED.get(type(event), (_UNITS, _MODELS))
    unknown = [f"the unit {name}" for key in units if _is_stranger(name := getattr(event, key, None), setup.units)]
    unknown += [f"the model {name}" for key in models if _is_stranger(name := getattr(event, key, None), setup.models)]
    if not guess_of_a_throw(event, position):  # It comes before the throw that it is of.
        unknown += [f"the attack {name}" for name in _attacks_of(event) if not _is_declared(name, position)]
    if of_attack and _is_stranger(weapon := getattr(event, "weapon", None), setup.weapons):
        unknown.append(f"the weapon {weapon}")
    found = [f"names {one}, which the record does not have" for one in unknown]
    if of_attack and event.attack is None and not _is_declared(None, position):
        found.append("does not say which attack is meant")
    found += [f"does not say which {key} is meant" for key in _NEEDED.get(type(event), ()) if not getattr(event, key)]
    if isinstance(event, records.CharTest) and event.unit is None and event.model is None:
        found.append("does not say whose test it is")
    attack = position.attacks.get(event.attack) if of_attack else None
    if attack is not None:
        found += _not_of(attack, event, position)
    if isinstance(event, records.WeaponFire):
        found += [f"names {name} twice among those who fire" for name in _twice(event, position)]
    if strange_psyker(event, position):
        found.append(f"names the psyker {event.psyker}, who is not one of {event.player}")
    if isinstance(event, records.Charge):
        unit, target = (position.setup.units.get(name or "") for name in (event.unit, event.target))
        if unit is not None and target is not None and unit.player == target.player:
            found.append(f"names the target {event.target}, which is of its own side")
    if isinstance(event, records.FightStep):
        found += [f"has {name} strike, {why}" for name, why in strange_fighters(event, position).items()]
    removed = position.models.get(event.model or "") if isinstance(event, records.Removed) else None
    if removed is not None and removed.struck:
        found.append(f"removes {event.model} again")
    return tuple(found)


def strange_fighters(event: records.FightStep, position: Position) -> dict[str, str]:
    """The models of a step that cannot have struck in it, since their unit or the one that they strike is in no combat, or
    both are of one player; each with why."""
    if position.stated:
        return {}
    found: dict[str, str] = {}
    for row in event.attackers or ():
        unit, target = position.unit_of(row.model), position.setup.units.get(row.target or "")
        if unit is None or target is None:
            continue
        idle = next((one for one in (unit, target) if not _in_combat(one.id, position)), None)
        if idle is not None:
            found[str(row.model)] = f"but {idle.name} is in no combat"
        elif unit.player == target.player:
            found[str(row.model)] = f"but {target.name} is of its own side"
    return found


def _in_combat(unit: str, position: Position) -> bool:
    pairs = [(charge.unit, charge.target) for charge in charges_of_now(position)]
    pairs += [(step.unit, step.target) for step in position.combat.steps.values() if step.unit is not None]
    return bool(position.units[unit].locked_with) or any(unit in pair for pair in pairs)


def _is_stranger(name: Any, known: Any) -> bool:
    return isinstance(name, str) and name not in known


def _attacks_of(event: records.Event) -> list[str]:
    """The attacks that an event takes as declared."""
    if isinstance(event, OF_AN_ATTACK):
        return [] if event.attack is None else [event.attack]
    return [*(getattr(event, "attacks", None) or ()), *(getattr(event, "causes", None) or ())]


def _is_declared(name: str | None, position: Position) -> bool:
    """Whether an attack was declared. Of those under way when a position is stated, the first may lie before it."""
    declared = _declared(position)
    return name in declared or nameless(name, position) is not None or (position.stated and not declared)


def _declared(position: Position) -> set[str | None]:
    """The attacks, steps of fights, grenades and explosions of this phase; None among them: one without a name."""
    fights = position.combat
    return {*position.attacks, *fights.steps, *fights.wrecks, *(throw.attack for throw in fights.throws)}


def nameless(name: str | None, position: Position) -> str | None:
    """Whose a name may be that nothing in this phase was declared by: that of the attack, the step or the throw declared
    last, where that was declared without one. None: nobody's."""
    declared = _declared(position)
    if name is None or name in declared or None not in declared:
        return None
    throws = [throw.attack for throw in position.combat.throws]
    found = [
        kind
        for kind, names in (("attack", [*position.attacks]), ("step", [*position.combat.steps]), ("throw", throws))
        if names[-1:] == [None] and names.count(None) == 1
    ]
    return found[0] if len(found) == 1 else None


def _not_of(attack: AttackState, event: records.Event, position: Position) -> list[str]:
    """What an event of an attack says that does not go with how that was declared."""
    found: list[str] = []
    if isinstance(event, records.WeaponFire):
        strange = _of_others([firer.model for firer in event.firers or ()], attack.unit, position)
        found += [f"has {name} fire in an attack of {attack.unit}" for name in strange]
    elif isinstance(event, records.Allocate):
        strange = _of_others([wound.model for wound in event.wounds or ()], attack.target, position)
        found += [f"allocates a wound to {name} in an attack at {attack.target}" for name in strange]
    elif (weapon := getattr(event, "weapon", None)) is not None and attack.weapons and weapon not in attack.weapons:
        found.append(f"names the weapon {weapon}, which nobody fired in the attack")
    return found


def _of_others(models: list[str | None], unit: str | None, position: Position) -> list[str]:
    """The models of units other than the one that it was declared of."""
    if unit not in position.setup.units:
        return []
    owners = {name: position.unit_of(name) for name in models if name is not None}
    return [name for name, owner in owners.items() if owner is not None and owner.id != unit]


def _twice(event: records.WeaponFire, position: Position) -> list[str]:
    """Models with one weapon of a kind that fire it twice."""
    names = [firer.model for firer in event.firers or () if firer.shots != 0 and firer.model is not None]
    units = {name: position.unit_of(name) for name in names if names.count(name) > 1}
    return [
        name
        for name, unit in units.items()
        if unit is not None and unit.vehicle is None and unit.type not in ("monstrous", "fmc")
    ]


def who_acts(event: records.Event, ways: Ways | None, position: Position) -> Iterator[tuple[str, str]]:
    """The models that act in an event or take wounds, each with what it does; of a fight those that are no more."""
    if isinstance(event, (*MOVES, records.TankShock)):
        for way in ways.ways if ways is not None else ():
            yield way.model.id, "moves"
    elif isinstance(event, records.WeaponFire):
        for firer in event.firers or ():
            yield str(firer.model), "shoots"
    elif isinstance(event, records.Allocate):
        removed: set[str] = set()
        for wound in event.wounds or ():
            if wound.model is not None and wound.model not in removed:
                yield wound.model, "is allocated a wound"
            if wound.claimed_removed and wound.model is not None:
                removed.add(wound.model)
    elif isinstance(event, (records.Cast, records.Dispel, records.LoreMastery, records.WarpCharge)):
        if event.psyker is not None:
            yield event.psyker, {records.Cast: "casts", records.Dispel: "dispels"}.get(type(event), "rolls")
    elif isinstance(event, records.Grenade) and event.model is not None:
        yield event.model, "throws a grenade"
    elif isinstance(event, records.FightStep) and not position.combat.wrecks:
        strange = strange_fighters(event, position)
        for row in event.attackers or ():
            standing = position.models.get(row.model or "")
            if standing is None or standing.alive or row.model in position.combat.fallen or row.model in strange:
                continue
            yield str(row.model), "strikes"
