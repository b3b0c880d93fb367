"""What dice to hit and to wound may need, so far as the record and the rules say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit, Weapon
from auditor.systems.clx.position.combat import Step, Throw
from auditor.systems.clx.position.state import AttackState, Group, Position
from auditor.systems.clx.reckoning.attacks import attack_of, weapon_of
from auditor.systems.clx.reckoning.blows import frag
from auditor.systems.clx.reckoning.fights import majority
from auditor.systems.clx.reckoning.saves import strength_of
from auditor.systems.clx.reckoning.throws import throw_of, weapon_of_throw
from auditor.systems.clx.tables import tables, to_hit, to_hit_in_combat, to_wound

CAP = int(tables()["preferred_enemy"]["needed"])
FRAG_STRENGTH = int(tables()["grenades"]["frag"]["S"])


def skill_of(event: records.HitRolls, unit: Unit, attack: AttackState, position: Position) -> tuple[int | None, str]:
    """The Ballistic Skill of those who fired a weapon in an attack; None and why where there is not one for all."""
    firers: list[Model] = []
    for name in attack.firers.get(event.weapon, ()):
        model = position.setup.models.get(name or "")
        if model is None:
            return None, "who fired the weapon is not known"
        firers.append(model)
    if not firers:
        return None, "who fired the weapon is not recorded"
    skills = {model.profile.BS for model in firers}
    skill = next(iter(skills))
    if len(skills) != 1 or skill is None:
        return None, "the Ballistic Skill of those who fired is not known, or differs"
    return skill, ""


def may_snap(event: records.HitRolls, unit: Unit, attack: AttackState, position: Position) -> bool:
    """Whether shots are Snap Shots, or may be."""
    state, weapon = position.units[unit.id], position.setup.weapons.get(event.weapon or "")
    return (
        event.weapon in attack.snap
        or state.pinned is not None
        or bool(state.gone_to_ground)
        or weapon is None
        or (weapon.type == "heavy" and (state.moved or state.arrived is not None))
        or (unit.vehicle is not None and (unit.vehicle.flyer or state.moved))
    )


def shot_number(
    event: records.HitRolls, unit: Unit, attack: AttackState, position: Position
) -> tuple[int | None, bool]:
    """What shots need to hit by Ballistic Skill, and whether they may be Snap Shots."""
    skill, _ = skill_of(event, unit, attack, position)
    return None if skill is None else to_hit(skill)[0], may_snap(event, unit, attack, position)


def toughness(unit: Unit, position: Position) -> int | None:
    """The Toughness of most of the living models of a unit, the higher of a tie; None where the base rules do not say so
    (BASE-MAJORITY), or it is not known."""
    if position.setup.base["BASE-MAJORITY"] is None:
        return None
    return majority(model.profile.T for model in position.living(unit))


def wounded_by(event: records.Event, position: Position) -> tuple[AttackState, Unit, Unit, Weapon, Group] | None:
    """An attack with a weapon on a unit that has wounds and not armour."""
    found = attack_of(event, position)
    if found is None or found[0].failed or found[2].vehicle is not None:
        return None
    attack, unit, target = found
    name = weapon_of(getattr(event, "weapon", None), attack)
    weapon, group = position.setup.weapons.get(name or ""), attack.groups.get(name)
    return None if weapon is None or group is None else (attack, unit, target, weapon, group)


def shots_may_need(event: records.WoundRolls, position: Position) -> frozenset[int] | None:
    """What dice to wound of shots may need by the one chart of the text; None where that is not known."""
    found = wounded_by(event, position)
    if found is None:
        return None
    _, unit, target, weapon, _ = found
    tough = toughness(target, position)
    if tough is None or not isinstance(weapon.strength, int):
        return None
    options = {to_wound(weapon.strength, tough, option) for option in ("AT_LEAST", "EXACT")}
    return frozenset(min(one, CAP) for one in options) if unit.prefers(target) else frozenset(options)


def frag_may_need(throw: Throw, position: Position) -> frozenset[int] | None:
    """What dice to wound of a frag grenade may need, with and without Preferred Enemy (CLX-USR-09) where that is, or may
    be, against its target; None where that is not known, and for other grenades."""
    target = position.setup.units.get(throw.target or "")
    if target is None or not frag(weapon_of_throw(throw, position)) or target.vehicle is not None:
        return None
    tough = toughness(target, position)
    if tough is None:
        return None
    unit = position.setup.units.get(throw.unit or "")
    options = frozenset(to_wound(FRAG_STRENGTH, tough, option) for option in ("AT_LEAST", "EXACT"))
    return options | {min(one, CAP) for one in options} if unit is None or unit.prefers(target) else options


def sides_of(event: Any, position: Position) -> tuple[Step, Unit, Unit, list[Model]] | None:
    """The step of a fight that dice are of, both units, and who strikes; None for other dice."""
    step = position.combat.steps.get(event.attack)
    if step is None or event.attack in position.attacks:
        return None
    unit, target = position.setup.units.get(step.unit or ""), position.setup.units.get(step.target or "")
    models = [position.setup.models.get(name) for name, _ in step.attackers]
    known = [model for model in models if model is not None]
    return None if unit is None or target is None or len(known) != len(models) else (step, unit, target, known)


def of_target(target: Unit, name: str, position: Position) -> int | None:
    """A characteristic of a unit that is struck, as most of its models have it; None where it is not known, or hangs on
    who of it has fallen in this phase."""
    living = [model for model in target.models if position.on_table(model.id)]
    fallen = [model for model in target.models if model.id in position.combat.fallen]
    if position.setup.base["BASE-MAJORITY"] is None:
        values = {getattr(model.profile, name) for model in (*living, *fallen)}
        return next(iter(values)) if len(values) == 1 else None
    now = majority(getattr(model.profile, name) for model in living)
    before = majority(getattr(model.profile, name) for model in (*living, *fallen))
    return before if now is None or now == before else None


def shared(values: Iterable[int | None]) -> int | None:
    """The value that all have; None where they differ, or it is not known."""
    found = set(values)
    return next(iter(found)) if len(found) == 1 else None


def fears_now(unit: Unit, enemy: Unit, position: Position) -> bool | None:
    """Whether a unit fights an enemy in fear, with a skill of one less; None: the record does not say."""
    state = position.units[unit.id]
    doubt = enemy.id in state.fear_doubt
    if not (doubt or enemy.id in state.fear_failed) or enemy.id in state.fear_overcome:
        return False
    return None if doubt else True


def blow_numbers(skill: int, against: int, unit: Unit, target: Unit, position: Position) -> set[int]:
    """What blows may need to hit, with Fear, before Preferred Enemy."""

    def skills(own: int, one: Unit, other: Unit) -> set[int]:
        afraid = fears_now(one, other, position)
        return {own, max(own - 1, 1)} if afraid is None else {max(own - afraid, 1)}

    return {
        to_hit_in_combat(mine, theirs)
        for mine in skills(skill, unit, target)
        for theirs in skills(against, target, unit)
    }


def blows_may_need(event: records.HitRolls | records.WoundRolls, position: Position) -> frozenset[int] | None:
    """What blows may need to hit or to wound; None where that is not known."""
    found = sides_of(event, position)
    if found is None:
        return None
    step, unit, target, models = found
    weapon = position.setup.weapons.get(step.weapon or "")
    if isinstance(event, records.HitRolls):
        skill, against = shared(model.profile.WS for model in models), of_target(target, "WS", position)
        bomb = weapon is not None and weapon.type in ("bomb", "grenade")
        if skill is None or against is None or (target.vehicle is not None and bomb):
            return None
        options = blow_numbers(skill, against, unit, target, position)
    else:
        strength = shared(strength_of(weapon, model.profile.S) for model in models)
        tough = of_target(target, "T", position)
        if strength is None or tough is None:
            return None
        options = {to_wound(strength, tough, name) for name in ("AT_LEAST", "EXACT")}
    return frozenset(min(one, CAP) for one in options) if unit.prefers(target) else frozenset(options)


def may_need(event: Any, position: Position) -> tuple[frozenset[int] | None, str]:
    """The numbers that dice to hit or to wound may need; None and why where they are not known."""
    why = "what the dice need is not claimed, and follows from nothing that is recorded"
    attack = position.attacks.get(event.attack)
    if attack is None:
        throw = throw_of(event.attack, position) if isinstance(event, records.WoundRolls) else None
        return blows_may_need(event, position) if throw is None else frag_may_need(throw, position), why
    if isinstance(event, records.WoundRolls):
        return shots_may_need(event, position), why
    unit, target = position.setup.units.get(attack.unit or ""), position.setup.units.get(attack.target or "")
    normal, snap = (None, False) if unit is None else shot_number(event, unit, attack, position)
    if unit is None or normal is None or (snap and position.setup.base["BASE-SNAP"] is None):
        return None, why
    found = {normal, *([int(position.setup.base["BASE-SNAP"])] if snap else [])}
    return frozenset(found | {min(one, CAP) for one in found} if unit.prefers(target) else found), why
