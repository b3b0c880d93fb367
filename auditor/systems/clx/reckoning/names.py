"""Whom and what an event names that the record does not have."""

from __future__ import annotations

from typing import Any

from auditor.systems.clx import records
from auditor.systems.clx.state import Position

_UNITS = ("unit", "target", "vehicle", "spotter", "versus")
_MODELS = ("psyker", "model")
_OF_AN_ATTACK = (
    records.WeaponFire,
    records.GuessShot,
    records.CoverRolls,
    records.HitRolls,
    records.WoundRolls,
    records.Allocate,
    records.VehicleHit,
)


def strangers(event: Any, position: Position) -> tuple[str, ...]:
    """What an event names and the record does not have, in words: a unit, a model, an attack that nobody declared."""
    setup = position.setup
    found = [f"the unit {name}" for key in _UNITS if _is_stranger(name := getattr(event, key, None), setup.units)]
    found += [f"the model {name}" for key in _MODELS if _is_stranger(name := getattr(event, key, None), setup.models)]
    if isinstance(event, _OF_AN_ATTACK) and event.attack is not None:
        fights = position.combat
        declared = {*position.attacks, *fights.steps, *fights.wrecks, *(throw.attack for throw in fights.throws)}
        # Of the attacks under way when a position is stated, the first may have been declared before it.
        if event.attack not in declared and (declared or not position.stated):
            found.append(f"the attack {event.attack}")
        weapon = getattr(event, "weapon", None)
        if _is_stranger(weapon, setup.weapons):
            found.append(f"the weapon {weapon}")
    return tuple(found)


def _is_stranger(name: Any, known: Any) -> bool:
    return isinstance(name, str) and name not in known
