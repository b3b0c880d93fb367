"""What rules have to show on a table, as marks of a board of inches (`report/boards/inches` lists them)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from auditor.geometry.inches.coherency import Chain
from auditor.geometry.inches.lengths import shown
from auditor.geometry.inches.shapes import Circle, Shape
from auditor.systems.clx.reckoning.shots import Pair
from auditor.systems.clx.reckoning.ways import ways_of
from auditor.systems.clx.state import Position

Marks = list[dict[str, Any]]


def place(at: Any) -> list[str]:
    """A point as decimals."""
    return [shown(at.x), shown(at.y)]


def way(model: str, path: Iterable[Any], allowed: Any = None, *, ok: bool = False) -> dict[str, Any]:
    """The way of a model, and where on it the allowance ended."""
    mark: dict[str, Any] = {"mark": "way", "model": model, "path": [place(p) for p in path], "ok": ok}
    if allowed is not None:
        mark["allowed"] = shown(allowed)
    return mark


def zone(shape: Shape, reach: Fraction) -> Marks:
    """So far round a base nobody may come; nothing for a hull."""
    if not isinstance(shape, Circle):
        return []
    radius = shown(shape.radius + reach)
    return [{"mark": "zone", "at": place(shape.centre), "radius": radius, "ok": False}]


def net(chain: Chain, bases: Mapping[Hashable, Shape]) -> Marks:
    """What holds a unit together, and its longest gap with its length."""
    if chain.between is None or chain.widest is None:
        return []
    middle = {name: _middle(shape) for name, shape in bases.items()}
    links = [[middle[a], middle[b]] for a, b in chain.links]
    longest = [middle[end] for end in chain.between]
    return [
        {"mark": "net", "links": links},
        {"mark": "gap", "from": longest[0], "to": longest[1], "length": shown(chain.widest), "ok": False},
    ]


def shot(pair: Pair, limit: Fraction, *, seen: bool, ok: bool) -> Marks:
    """A shot from one model at another: the gap between their bases and the reach of the one from its base on, or the
    line where it cannot see the other.

    limit  the range with what height adds to it, in inches
    """
    ends = [_middle(shape) for shape in pair.shapes]
    if not seen:
        return [{"mark": "line", "from": ends[0], "to": ends[1], "label": "no model in range can be seen", "ok": ok}]
    marks: Marks = [{"mark": "gap", "from": ends[0], "to": ends[1], "length": shown(pair.gap), "ok": ok}]
    base = pair.shapes[0]
    if isinstance(base, Circle):
        marks.append({"mark": "range", "at": place(base.centre), "length": shown(base.radius + limit)})
    return marks


def _middle(shape: Shape) -> list[str]:
    if isinstance(shape, Circle):
        return place(shape.centre)
    corners = list(shape.corners)
    return [shown(Fraction(sum(getattr(c, axis) for c in corners)) / len(corners)) for axis in ("x", "y")]


def act(event: Any, position: Position) -> Marks:
    """The act of an event: the ways of the models that it moves, or a line from a unit to its target."""
    ways = ways_of(event, position)
    if ways is not None:
        return [way(one.model.id, one.path, ok=True) for one in ways.ways if len(one.path) > 1]
    ends = [_where(getattr(event, name, None), position) for name in ("unit", "target")]
    if ends[0] is None or ends[1] is None:
        return []
    return [{"mark": "line", "from": ends[0], "to": ends[1]}]


def _where(unit_id: Any, position: Position) -> list[str] | None:
    """The middle of a unit's models."""
    unit = position.setup.units.get(unit_id) if isinstance(unit_id, str) else None
    spots = [position.models[model.id].at for model in position.living(unit)] if unit is not None else []
    if not spots:
        return None
    return [shown(sum((getattr(p, axis) for p in spots), start=Fraction(0)) / len(spots)) for axis in ("x", "y")]
