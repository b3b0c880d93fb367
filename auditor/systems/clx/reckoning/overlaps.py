"""Bases that cannot be where an event puts them: over another base, or beyond the edge of the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from auditor.geometry.inches.lengths import Length
from auditor.geometry.inches.shapes import NEAR, Circle, Polygon, Shape, about_gap, box_of, gap
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.ways import Way, Ways


@dataclass(frozen=True, slots=True)
class Overlap:
    """How deep a base lies over another at the end of its way. `other` None: so far it reaches beyond the table."""

    way: Way
    depth: Length
    other: str | None


def overlaps(event: records.Event, ways: Ways, position: Position) -> tuple[Overlap, ...]:
    """What the bases that an event moves come to lie over, of whatever depth. A pair of them is named once.

    Fleeing models and flyers may leave the table; flyers stand over others, and a tank shock goes over those who then fall
    back. Models that stand at different heights stand over one another, on the floors of a ruin.
    """
    unit = ways.unit
    if unit is None or not ways.ways:
        return ()
    # One line may be judged in several tellings on one position: what is kept hangs on all that the line says here.
    moved = tuple((way.model.id, way.path, way.headings) for way in ways.ways)
    question = ("overlaps", type(event), unit.id, moved, ways.lost)
    return position.now.once(question, lambda: tuple(_found(event, ways, unit, position)))


def _found(event: records.Event, ways: Ways, unit: Unit, position: Position) -> Iterator[Overlap]:
    flyers = position.setup.flyers
    flying = any(model.id in flyers for model in unit.models)
    leaving = flying or isinstance(event, records.FallBack)
    moved = {way.model.id: _where_it_ends(way, position) for way in ways.ways}
    models = position.setup.models
    there = {name: box_of(shape) for name, shape in moved.items()}
    lefts, lows, rights, highs = zip(*there.values(), strict=True)
    x0, y0, x1, y1 = min(lefts) - 2 * NEAR, min(lows) - 2 * NEAR, max(rights) + 2 * NEAR, max(highs) + 2 * NEAR
    others = {
        other: box
        for other, box in position.boxes().items()
        if box[0] < x1 and x0 < box[2] and box[1] < y1 and y0 < box[3]
        if other not in moved and other not in ways.lost and other not in flyers
    }
    by_name = {way.model.id: way for way in ways.ways}
    boxed = [*others.items(), *there.items()]
    done: set[str] = set()
    for way in ways.ways:
        shape = moved[way.model.id]
        done.add(way.model.id)
        beyond = None if leaving else _beyond(shape, position)
        if beyond is not None:
            yield Overlap(way, beyond, None)
        if flying or isinstance(event, records.TankShock):
            continue
        x0, y0, x1, y1 = there[way.model.id]
        for other, (left, low, right, high) in boxed:
            if left - x1 < NEAR and x0 - right < NEAR and low - y1 < NEAR and y0 - high < NEAR and other not in done:
                if way.height != (by_name[other].height if other in by_name else position.models[other].z):
                    continue  # on another floor
                depth = _depth(shape, moved[other] if other in moved else position.shape(models[other]))
                if depth is not None:
                    yield Overlap(way, depth, other)


def _where_it_ends(way: Way, position: Position) -> Shape:
    """The base of a model at the end of its way; of a round one it is not asked how it stood before."""
    if isinstance(way.model.base, Circle):
        return position.base_at(way.model, way.end, None)[0]
    return position.shape(way.model, way.end, way.heading)


def _beyond(shape: Shape, position: Position) -> Length | None:
    """How far a base reaches beyond the table, if it does."""
    setup = position.setup
    x0, y0, x1, y1 = box_of(shape)
    if x0 > NEAR and y0 > NEAR and x1 < float(setup.width) - NEAR and y1 < float(setup.depth) - NEAR:
        return None
    if isinstance(shape, Circle):
        (x, y), r = shape.centre, shape.radius
        most = max(r - x, r - y, x + r - setup.width, y + r - setup.depth)
    else:
        most = max(max(-x, -y, x - setup.width, y - setup.depth) for x, y in shape.corners)
    return Length(most) if most > 0 else None


def _depth(one: Shape, other: Shape) -> Length | None:
    """How deep two bases overlap, if they do; of two hulls nobody has worked that out."""
    if isinstance(one, Polygon) and isinstance(other, Polygon):
        return None
    if about_gap(one, other) > NEAR:
        return None
    depth = -gap(one, other)
    return depth if depth.sign() > 0 else None
