"""What rules have to show on a table, as marks of a board of inches (`report/boards/inches` lists them)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from auditor.geometry.inches.coherency import Chain
from auditor.geometry.inches.lengths import shown
from auditor.geometry.inches.shapes import NEAR, Circle, Shape
from auditor.systems.clx.packs import Model, Unit
from auditor.systems.clx.reckoning.cover import pieces_for
from auditor.systems.clx.reckoning.shots import Pair, pair_of
from auditor.systems.clx.reckoning.ways import ways_of
from auditor.systems.clx.state import Position
from auditor.systems.clx.tables import tables

Marks = list[dict[str, Any]]
COVERS = {level: f"{name} cover ({tables()['cover'][name]}+)" for level, name in ((1, "soft"), (2, "hard"))}
Floats = tuple[float, float]
MOST_LINES = 8
"""So many lines of those who fire are drawn."""


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


def shot(pair: Pair, limit: Fraction, position: Position, *, seen: bool, ok: bool) -> Marks:
    """A shot from one model at another: the gap between their bases and the reach of the one from its base on, or the
    line where it cannot see the other, with what stops it.

    limit  the range with what height adds to it, in inches
    """
    ends = [_middle(shape) for shape in pair.shapes]
    if not seen:
        line = {"mark": "line", "from": ends[0], "to": ends[1], "label": "no model in range can be seen", "ok": ok}
        return [{**line, **_stop(pair, position)}]
    marks: Marks = [{"mark": "gap", "from": ends[0], "to": ends[1], "length": shown(pair.gap), "ok": ok}]
    base = pair.shapes[0]
    if isinstance(base, Circle):
        marks.append({"mark": "range", "at": place(base.centre), "length": shown(base.radius + limit)})
    return marks


def _stop(pair: Pair, position: Position) -> dict[str, Any]:
    """Where the first piece of terrain stops the line between the middles of two bases, and which it is."""
    setup = position.setup
    pieces = [piece for piece in setup.terrain.values() if piece.blocks_los]
    (ax, ay), (bx, by) = ((float(x), float(y)) for x, y in map(_middle, pair.shapes))
    met = [
        (t, pieces[place])
        for place in setup.ground.sight(*pair.shapes, pair.tops).stops
        for t in _entering((ax, ay), (bx, by), pieces[place].area.floats)
    ]
    if not met:
        return {}
    t, piece = min(met, key=lambda one: one[0])
    label = f"{piece.name} stops the line between their middles; no model in range can be seen"
    return {"stopped": [shown(Fraction(ax + t * (bx - ax))), shown(Fraction(ay + t * (by - ay)))], "label": label}


def _entering(start: Floats, end: Floats, corners: Sequence[Floats]) -> Iterator[float]:
    """Where a line meets the sides of a polygon, as shares of its length from the start on."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    for (px, py), (qx, qy) in zip(corners, (*corners[1:], corners[0]), strict=True):
        ex, ey = qx - px, qy - py
        across = dx * ey - dy * ex
        if abs(across) < NEAR:
            continue
        t = ((px - start[0]) * ey - (py - start[1]) * ex) / across
        u = ((px - start[0]) * dy - (py - start[1]) * dx) / across
        if 0 <= t <= 1 and 0 <= u <= 1:
            yield t


def covers(firers: Sequence[Model], target: Unit, position: Position) -> Marks:
    """The lines from those who fire to the models of a target nearest to them, with the pieces of terrain that give these
    cover."""
    found: Marks = []
    for firer in firers[:MOST_LINES]:
        pairs = [pair_of(firer, model, position) for model in position.living(target)]
        if not position.on_table(firer.id) or not pairs:
            continue
        pair = min(pairs, key=lambda one: one.about)
        line: dict[str, Any] = {"mark": "line", "from": _middle(pair.shapes[0]), "to": _middle(pair.shapes[1])}
        said = [
            f"{pair.target.id} {'stands in' if stands else 'is behind'} {piece.name}: {COVERS[piece.cover]}"
            for piece, stands in pieces_for(firer, pair.target, position)
        ]
        line["label"] = "; ".join(said) or f"nothing gives {pair.target.id} cover"
        found.append(line)
    return found


def _middle(shape: Shape) -> list[str]:
    if isinstance(shape, Circle):
        return place(shape.centre)
    corners = list(shape.corners)
    return [shown(Fraction(sum(getattr(c, axis) for c in corners)) / len(corners)) for axis in ("x", "y")]


def act(event: Any, position: Position) -> Marks:
    """The act of an event: the ways of the models that it moves, or a line from a unit to its target; of dice, those of
    the attack that they are of."""
    ways = ways_of(event, position)
    if ways is not None:
        return [way(one.model.id, one.path, ok=True) for one in ways.ways if len(one.path) > 1]
    whose = position.attacks.get(getattr(event, "attack", None), event)
    ends = [_where(getattr(whose, name, None), position) for name in ("unit", "target")]
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
