"""An attack as it was rolled, step by step, from its dice to hit to who was removed: what a report draws of it.

Nothing is judged here. A number that is counted again is counted from the recorded dice by the number that the log
says they need; where that is not recorded, or a die was rolled again, it is not counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from auditor.systems.clx import records
from auditor.systems.clx.packs import Model
from auditor.systems.clx.position.state import AttackState, Position, Rolled
from auditor.systems.clx.position.values import replace
from auditor.systems.clx.reckoning import attacks
from auditor.systems.clx.reckoning.dice import reaches
from auditor.systems.clx.reckoning.fights import majority
from auditor.systems.clx.reckoning.saves import unsaved


def after(event: records.Event, attack: AttackState, position: Position) -> AttackState:
    """An attack after an event with its dice, with that event among its steps."""
    step = _step(event, attack, position)
    found = attacks.after(event, attack, position)
    return found if step is None else replace(found, rolled=(*found.rolled, step))


def course(event: records.Event, position: Position) -> dict[str, Any] | None:
    """The attack that an event is of, as a board of inches draws it; None where no dice of it have been rolled.

    `position` is the one before or after the event.
    """
    name = getattr(event, "attack", None)
    attack = position.attacks.get(name)
    if attack is None:
        step = position.combat.steps.get(name)
        throw = next((one for one in position.combat.throws if one.attack == name), None)
        attack = step.counts if step is not None else None if throw is None else throw.counts
    if attack is None:
        return None
    steps = attack.rolled
    if all(one.seq != event.seq for one in steps) and (now := _step(event, attack, position)) is not None:
        steps = (*steps, now)
    if not steps:
        return None
    weapons = dict.fromkeys(step.weapon for step in steps)
    return {
        "id": name,
        "unit": attack.unit,
        "target": attack.target,
        "now": event.seq,
        "weapons": [
            {
                "name": position.setup.named(weapon),
                "shots": _shots(weapon, attack),
                "steps": [_drawn(step) for step in steps if step.weapon == weapon],
            }
            for weapon in weapons
        ],
    }


def _drawn(step: Rolled) -> dict[str, Any]:
    names = ("seq", "what", "dice", "needed", "claimed", "counted", "beside", "row", "faces")
    drawn = {name: getattr(step, name) for name in names if getattr(step, name) not in (None, "", ())}
    return {**drawn, "faces": list(step.faces)} if step.faces else drawn


def _shots(weapon: str | None, attack: AttackState) -> int | None:
    """The shots of a weapon, as the log says who fired it how often."""
    group = attack.groups.get(weapon)
    shots = [shots for _, shots in group.shots] if group is not None else []
    return None if not shots or None in shots else sum(one for one in shots if one is not None)


def _step(event: records.Event, attack: AttackState, position: Position) -> Rolled | None:
    weapon = attacks.weapon_of(getattr(event, "weapon", None), attack)
    step = Rolled(event.seq, "", weapon)
    if isinstance(event, records.CoverRolls) and event.dice:
        needed = event.claimed_needed
        counted = None if needed is None else sum(reaches(die, needed) for die in event.dice)
        return replace(
            step,
            what="cover",
            dice=len(event.dice),
            needed=needed,
            claimed=event.claimed_saved,
            counted=counted,
            faces=tuple(event.dice),
        )
    if isinstance(event, records.HitRolls) and event.rolls is not None:
        counted = _counted(event.rolls, event.claimed_needed)
        row = _skills(weapon, attack, position)
        return replace(
            step,
            what="hits",
            dice=len(event.rolls),
            needed=event.claimed_needed,
            claimed=event.claimed_hits,
            counted=counted,
            row=row,
            faces=_faces(event.rolls),
        )
    if isinstance(event, records.WoundRolls) and (event.rolls is not None or event.automatic):
        rolls, beside = event.rolls or [], event.automatic or 0
        counted = _counted(rolls, event.claimed_needed)
        return replace(
            step,
            what="wounds",
            dice=len(rolls),
            needed=event.claimed_needed,
            claimed=event.claimed_wounds,
            counted=None if counted is None else counted + beside,
            beside=beside or None,
            row=_strength(weapon, attack, position),
            faces=_faces(rolls),
        )
    if isinstance(event, records.VehicleHit):
        wounds = 0 if event.claimed_result == "none" else event.claimed_wounds
        dice = tuple(event.dice or ())
        return replace(step, what="hull", dice=len(dice), claimed=wounds, row=event.claimed_result or "", faces=dice)
    if isinstance(event, records.Allocate) and event.wounds is not None:
        return _allocated(event, event.wounds, attack, position)
    return None


def _faces(rolls: Iterable[records.Roll]) -> tuple[int | None, ...]:
    """The dice as they ended."""
    return tuple(roll.final for roll in rolls)


def _counted(rolls: Iterable[records.Roll], needed: int | None) -> int | None:
    """How many dice reach a number; None where that or a die is not recorded, or one was rolled again."""
    if needed is None or any(roll.die is None or roll.reroll is not None for roll in rolls):
        return None
    return sum(reaches(roll.die or 0, needed) for roll in rolls)


def _allocated(event: records.Allocate, wounds: list[records.Wound], attack: AttackState, position: Position) -> Rolled:
    weapon = attack.pools[event.pool][0] if event.pool in attack.pools else attacks.weapon_of(None, attack)
    needed = {wound.save.claimed_needed for wound in wounds if wound.save is not None}
    least, most = unsaved(wounds, event.pool, attack, position)
    removed = sum(bool(wound.claimed_removed) for wound in wounds)
    known = position.setup.models
    models = [known[str(wound.model)] for wound in wounds if wound.model in known]
    return Rolled(
        event.seq,
        "saves",
        weapon,
        dice=len(wounds),
        needed=next(iter(needed)) if len(needed) == 1 else None,
        counted=least if least == most else None,
        beside=removed,
        row=_armour(weapon, models, position),
        faces=tuple(wound.save.die for wound in wounds if wound.save is not None),
    )


def _skills(weapon: str | None, attack: AttackState, position: Position) -> str:
    """The row of the table to hit: the Ballistic Skill of who fired, or the Weapon Skills of who fight."""
    if attack.groups:
        firing = [position.setup.models.get(name or "") for name in attack.firers.get(weapon, ())]
        skills = {None if model is None else model.profile.BS for model in firing}
        skill = next(iter(skills)) if len(skills) == 1 else None
        return "" if skill is None else f"Ballistic Skill {skill}"
    own, against = (_of_most(unit, "WS", position) for unit in (attack.unit, attack.target))
    return "" if own is None or against is None else f"Weapon Skill {own} against {against}"


def _strength(weapon: str | None, attack: AttackState, position: Position) -> str:
    """The row of the table to wound."""
    known = position.setup.weapons.get(weapon or "")
    tough = _of_most(attack.target, "T", position)
    if known is None or not isinstance(known.strength, int) or tough is None:
        return ""
    return f"Strength {known.strength} against Toughness {tough}"


def _armour(weapon: str | None, models: list[Model], position: Position) -> str:
    known = position.setup.weapons.get(weapon or "")
    armour = {model.profile.AS for model in models}
    value = next(iter(armour)) if len(armour) == 1 else None
    if known is None or value is None:
        return ""
    return f"armour of {value}+ against " + ("no AP" if known.ap is None else f"AP {known.ap}")


def _of_most(unit: str | None, name: str, position: Position) -> int | None:
    """A characteristic of most of the living models of a unit."""
    known = position.setup.units.get(unit or "")
    return None if known is None else majority(getattr(model.profile, name) for model in position.living(known))
