"""What many events change: where a model stands, that it is gone, what is known of a unit."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from auditor.core.holes import Hole
from auditor.geometry.inches.shapes import Circle
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Position, places_of, units_of


def placed(position: Position, model: str, seq: int) -> None:
    """It has been said where a model stands; of a hull whose heading has not been said, that is still in doubt."""
    position.holes.state(places_of([model]))
    _not_gone(position, position.setup.models[model].unit)
    hull = not isinstance(position.setup.models[model].base, Circle)
    standing = position.models[model]
    if hull and standing.at is not None and standing.heading is None:
        why = f"the heading of {model} is not recorded"
        position.holes.open(Hole(seq, why, frozenset(places_of([model]))))


def perhaps_gone(position: Position, unit_id: str, models: Collection[str], seq: int) -> None:
    """Some models may be gone: if these are all that were left of a unit, it is not known who is in combat any more."""
    unit, locked = position.setup.units[unit_id], position.units[unit_id].locked_with
    if locked and all(model.id in models for model in position.living(unit)):
        position.holes.open(Hole(seq, who_was_removed(seq) + _all_of(unit), frozenset(units_of([unit_id, *locked]))))


def _not_gone(position: Position, unit_id: str) -> None:
    """A model of a unit stands somewhere: the unit is not gone."""
    hole = position.holes.doubt(units_of([unit_id])) if position.holes else None
    if hole is not None and hole.why == who_was_removed(hole.seq) + _all_of(position.setup.units[unit_id]):
        position.holes.fill(hole)


def who_was_removed(seq: int) -> str:
    """Why it is open who is still there after the wounds of an event."""
    return f"who was removed by the wounds of event {seq} is not recorded for certain"


def _all_of(unit: Unit) -> str:
    return f", perhaps all of {unit.name}"


def change(position: Position, unit_id: str | None, **changed: Any) -> None:
    """What is known of a unit changes; nothing does where no such unit is known."""
    if unit_id in position.units:
        position.units[str(unit_id)] = replace(position.units[str(unit_id)], **changed)


def remove(position: Position, model: str | None) -> None:
    """A model is gone: where it stood is in doubt no longer."""
    if model in position.models:
        position.models[str(model)] = replace(position.models[str(model)], alive=False, at=None, aboard=None)
        position.holes.state(places_of([str(model)]))
