"""What many events change: where a model stands, that it is gone, what is known of a unit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from auditor.core.holes import Hole
from auditor.geometry.inches.shapes import Circle
from auditor.systems.clx.state import Position, places_of


def placed(position: Position, model: str, seq: int) -> None:
    """It has been said where a model stands; of a hull whose heading has not been said, that is still in doubt."""
    position.holes.state(places_of([model]))
    hull = not isinstance(position.setup.models[model].base, Circle)
    standing = position.models[model]
    if hull and standing.at is not None and standing.heading is None:
        why = f"the heading of {model} is not recorded"
        position.holes.open(Hole(seq, why, frozenset(places_of([model]))))


def change(position: Position, unit_id: str | None, **changed: Any) -> None:
    """What is known of a unit changes; nothing does where no such unit is known."""
    if unit_id in position.units:
        position.units[str(unit_id)] = replace(position.units[str(unit_id)], **changed)


def remove(position: Position, model: str | None) -> None:
    """A model is gone: where it stood is in doubt no longer."""
    if model in position.models:
        position.models[str(model)] = replace(position.models[str(model)], alive=False, at=None, aboard=None)
        position.holes.state(places_of([str(model)]))
