"""Models that a move does not name: they stand where they stood, unless a row of the record is missing."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from auditor.geometry.inches.coherency import chain
from auditor.geometry.inches.shapes import Shape, overlap
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.chains import COHERENCY
from auditor.systems.clx.reckoning.ways import Ways

MEASURED = Fraction(1, 2)
"""So many inches beyond coherency are no slip of the pen: tournaments measure by a quarter inch or so."""
HELD_TO_COHERENCY = (records.Move, records.Run, records.ChargeMove)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Models that an event leaves out and that may have moved with it all the same.

    torn      the unit was coherent and is not if they stood still, which is a fault of its own
    overlaid  left-out model -> models of its unit that came to stand over where it stood
    """

    torn: tuple[str, ...] = ()
    overlaid: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        return self.torn or tuple(model for model, _ in self.overlaid)


def left_out(event: records.Event, ways: Ways | None, position: Position, allowed: Fraction) -> LeftOut:
    """Who may have been left out of an event that moves a unit by mistake. `allowed`: inches of tolerance."""
    if not isinstance(event, HELD_TO_COHERENCY) or ways is None or ways.unit is None or ways.lost:
        return LeftOut()
    moved = {way.model.id: way for way in ways.ways if way.moved}
    named = {way.model.id for way in ways.ways}
    stayed = [model for model in position.living(ways.unit) if model.id not in named]
    if not moved or not stayed:
        return LeftOut()
    before: dict[Any, Shape] = {model.id: position.shape(model) for model in position.living(ways.unit)}
    ends: dict[Any, Shape] = {name: position.shape(way.model, way.end, way.heading) for name, way in moved.items()}
    if _is_torn({**before, **ends}, allowed) and not _is_torn(before, Fraction(0)):
        return LeftOut(torn=tuple(model.id for model in stayed))
    over = {model.id: tuple(name for name, end in ends.items() if overlap(end, before[model.id])) for model in stayed}
    return LeftOut(overlaid=tuple((model, names) for model, names in over.items() if names))


def put_apart(unit: Unit, position: Position) -> tuple[str, ...]:
    """Models that a unit was put down without: where they are said to stand may be a slip of the pen, though nothing
    forbids it. Of two halves it may be either. Who is off by no more than lengths are measured by was meant to be there."""
    bases: dict[Any, Shape] = {model.id: position.shape(model) for model in position.living(unit)}
    if not _is_torn(bases, MEASURED):
        return ()
    apart = [str(name) for name in chain(bases).apart]
    return tuple(bases if 2 * len(apart) >= len(bases) else apart)


def _is_torn(bases: dict[Any, Shape], allowed: Fraction) -> bool:
    widest = chain(bases).widest if len(bases) > 1 else None
    return widest is not None and widest > COHERENCY + allowed
