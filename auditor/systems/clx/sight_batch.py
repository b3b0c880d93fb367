"""Questions about sight between bases as JSON lines, for checking the geometry from outside (`auditor sight --game clx`).

One query is {"from": model, "to": model, "terrain": [piece...], "range": inches}. A model is {"at": [x, y], "radius"} or
{"hull": [[x, y]...]}, each with "z" (how high it stands, 0 if absent) and "height"; a piece of terrain is {"id", "poly":
[[x, y]...], "blocks_los" (true if absent), "los_height"}, as in a data pack. Lengths are numbers of inches, or texts such
as "7 1/2". Only the two models are required. A query that cannot be answered is answered with {"error": why}.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from auditor.geometry.inches.lengths import Length, shown
from auditor.geometry.inches.shapes import Circle, Point, Polygon, Shape, centroid, gap, polygon, stretches_inside
from auditor.geometry.inches.sight import Blocker, Ground
from auditor.systems.clx.written import exact_or_none
from auditor.systems.questions import Unanswerable, answered, answered_lines

MOST = 100
"""Pieces of terrain of a query."""
MOST_CORNERS = 32
FARTHEST = 10_000
"""Inches: no coordinate lies farther from the corner of the table."""
SAID = {True: "seen", False: "not seen", None: "unknown"}


def answer(query: Any) -> dict[str, Any]:
    """The answer to one query, or {"error"}.

    `sight` is "seen" where some line from the one base to the other is free, else "not seen", or "unknown" where it hangs
    on a height that is not given; `gap` the distance from edge to edge; `in_range` whether that is within `range`, null
    without one; `crossings` what the line between the middles runs through, nearest first, each with where it comes in and
    whether it stops that line; `line` a free line, else that between the middles.
    """
    return answered(query, _answer)


def answer_lines(lines: Iterable[str | bytes]) -> Iterator[str]:
    """One JSON answer for each line, in order, without line ends."""
    return answered_lines(lines, _answer)


def _answer(query: Mapping[str, Any]) -> dict[str, Any]:
    (one, low), (other, high) = (_model(query.get(end), end) for end in ("from", "to"))
    pieces = list(_pieces(query.get("terrain")))
    ground = Ground(Blocker(area, height) for _, area, blocks, height in pieces if blocks)
    seen = ground.sight(one, other, (low, high))
    blocking = [name for name, _, blocks, _ in pieces if blocks]
    stops = {blocking[place] for place in seen.stops}
    apart = max(gap(one, other), Length(Fraction(0)))
    reach = None if query.get("range") is None else _length(query["range"], "range")
    (ax, ay), (bx, by) = seen.line
    return {
        "sight": SAID[seen.visible],
        "gap": shown(apart),
        "in_range": None if reach is None else bool(apart <= reach),
        "crossings": list(_crossings(one, other, pieces, stops)),
        "line": [[_decimal(ax), _decimal(ay)], [_decimal(bx), _decimal(by)]],
    }


Piece = tuple[str, Polygon, bool, Fraction | None]


def _crossings(one: Shape, other: Shape, pieces: list[Piece], stops: set[str]) -> Iterator[dict[str, Any]]:
    start, end = centroid(one), centroid(other)
    met = sorted(
        (spans[0][0], name) for name, area, _, _ in pieces if (spans := stretches_inside(start, end, area)) and spans
    )
    for share, name in met:
        at = [shown(start.x + share * (end.x - start.x)), shown(start.y + share * (end.y - start.y))]
        yield {"terrain": name, "at": at, "stops": name in stops}


def _model(value: Any, where: str) -> tuple[Shape, Fraction | None]:
    """The base or hull of a model, and how high its top is above the table; None: not given."""
    if not isinstance(value, Mapping):
        raise Unanswerable(f'{where}: a model is {{"at": [x, y], "radius": inches}} or {{"hull": [[x, y], ...]}}')
    shape: Shape
    if value.get("hull") is not None:
        shape = _area(value["hull"], f"{where}.hull")
    else:
        radius = _length(value.get("radius"), f"{where}.radius")
        if radius <= 0:
            raise Unanswerable(f"{where}.radius: a base has a radius above 0")
        shape = Circle(_point(value.get("at"), f"{where}.at"), radius)
    height = None if value.get("height") is None else _length(value["height"], f"{where}.height")
    z = Fraction(0) if value.get("z") is None else _length(value["z"], f"{where}.z")
    return shape, None if height is None else z + height


def _pieces(value: Any) -> Iterator[Piece]:
    if value is None:
        return
    if not isinstance(value, list) or len(value) > MOST:
        raise Unanswerable(f"terrain is a list of at most {MOST} pieces")
    names: set[str] = set()
    for n, entry in enumerate(value):
        where = f"terrain[{n}]"
        if not isinstance(entry, Mapping):
            raise Unanswerable(f'{where}: a piece of terrain is {{"poly": [[x, y], ...]}}')
        name, blocks = entry.get("id", f"{n + 1}"), entry.get("blocks_los", True)
        if not isinstance(name, str) or name in names:
            raise Unanswerable(f"{where}.id: an id is a text that no other piece has")
        if not isinstance(blocks, bool):
            raise Unanswerable(f"{where}.blocks_los: true or false")
        names.add(name)
        height = None if entry.get("los_height") is None else _length(entry["los_height"], f"{where}.los_height")
        yield name, _area(entry.get("poly"), f"{where}.poly"), blocks, height


def _area(value: Any, where: str) -> Polygon:
    if not isinstance(value, list) or not 3 <= len(value) <= MOST_CORNERS:
        raise Unanswerable(f"{where}: a list of 3 to {MOST_CORNERS} corners")
    corners = [_point(corner, where) for corner in value]
    try:
        return polygon(corners)
    except ValueError as wrong:
        raise Unanswerable(f"{where}: {wrong}") from None


def _point(value: Any, where: str) -> Point:
    if not isinstance(value, list) or len(value) != 2:
        raise Unanswerable(f"{where}: a point is [x, y] in inches")
    x, y = (_number(part, where) for part in value)
    return Point(x, y)


def _length(value: Any, where: str) -> Fraction:
    found = _number(value, where)
    if found < 0:
        raise Unanswerable(f"{where}: a length is not below 0")
    return found


def _number(value: Any, where: str) -> Fraction:
    found = None if isinstance(value, bool) or not isinstance(value, int | float | str) else exact_or_none(value)
    if found is None or abs(found) > FARTHEST:
        raise Unanswerable(f'{where}: a number of inches, such as 6, 5.25 or "7 1/2"')
    return found


def _decimal(number: float) -> str:
    return shown(Fraction(round(number, 3)))
