"""Lines that touch two rounds or corners, and what they run through, in integers.

The coordinates of a scene are multiplied by their common denominator. A line is n . p = k; where it touches a round,
n and k lie in Q(sqrt d): each is a pair (a, b) that stands for a + b sqrt(d), and n has a whole length. Whatever is
asked of a line comes down to the sign of such a number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from math import lcm, sqrt
from typing import Any, NamedTuple, TypeAlias

from auditor.geometry.effort import count
from auditor.geometry.inches.shapes import Circle, Point, Polygon, Shape

Number: TypeAlias = tuple[int, int]
"""a + b sqrt(d), for the d of the line at hand."""
Place: TypeAlias = tuple[Number, Number]
"""A place along a line: a number divided by a number greater than 0."""


class Round(NamedTuple):
    """A circle in the whole coordinates of a scene; a point has radius 0."""

    x: int
    y: int
    r: int


@dataclass(frozen=True, slots=True)
class Line:
    """The line n . p = k. `norm`: the length of n where a round is touched, else None (then d is 0)."""

    d: int
    nx: Number
    ny: Number
    k: Number
    norm: int | None

    def about(self, scale: int) -> tuple[float, float, float]:
        """The same in floats and inches, with a normal of length 1."""
        root = sqrt(self.d)
        nx, ny, k = (a + b * root for a, b in (self.nx, self.ny, self.k))
        size = (nx * nx + ny * ny) ** 0.5
        return nx / size, ny / size, k / size / scale

    def side(self, x: int, y: int) -> Number:
        """On which side of the line a point lies: n . p - k."""
        return (
            self.nx[0] * x + self.ny[0] * y - self.k[0],
            self.nx[1] * x + self.ny[1] * y - self.k[1],
        )

    def along(self, x: int, y: int) -> Number:
        """How far along the line a point lies, times the length of n."""
        return self.ny[0] * x - self.nx[0] * y, self.ny[1] * x - self.nx[1] * y

    def turned(self) -> Line:
        """The same line run the other way."""
        return Line(self.d, _minus(self.nx), _minus(self.ny), _minus(self.k), self.norm)


def lines_touching(one: Round, other: Round) -> list[Line]:
    """The lines that touch two rounds: one through two points, two where one is a point, else up to four."""
    wx, wy = other.x - one.x, other.y - one.y
    far = wx * wx + wy * wy
    if far == 0:
        return []
    if one.r == 0 == other.r:
        return [Line(0, (-wy, 0), (wx, 0), (-wy * one.x + wx * one.y, 0), None)]
    found: list[Line] = []
    for s in (1, -1) if one.r and other.r else (1,):
        rise = s * other.r - one.r
        d = far - rise * rise
        if d < 0:
            continue
        for t in (1, -1) if d else (1,):
            nx, ny = (rise * wx, -t * wy), (rise * wy, t * wx)
            k = (nx[0] * one.x + ny[0] * one.y - one.r * far, nx[1] * one.x + ny[1] * one.y)
            found.append(Line(d, nx, ny, k, far))
    return found


class Scene:
    """Two bases and the areas that may lie between them, in whole coordinates. No area overlaps a base. `points`: others
    that are asked for."""

    def __init__(self, a: Shape, b: Shape, areas: Sequence[Polygon], points: Sequence[Point] = ()) -> None:
        shaped = (number for shape in (a, b, *areas) for number in _numbers(shape))
        self.scale = lcm(*(number.denominator for number in (*shaped, *(one for place in points for one in place))))
        self.a, self.b = self.outline(a), self.outline(b)
        self.areas = [[(one.x, one.y) for one in self.outline(area)] for area in areas]
        self._corners = sum(map(len, self.areas))
        count(4 * self._corners)

    def whole(self, number: Fraction) -> int:
        return number.numerator * (self.scale // number.denominator)

    def point(self, place: Point) -> Round:
        """A point in whole coordinates; its denominators divide the scale."""
        return Round(self.whole(place[0]), self.whole(place[1]), 0)

    def outline(self, shape: Shape) -> list[Round]:
        """A circle, or the corners of a polygon."""
        if isinstance(shape, Circle):
            x, y, _ = self.point(shape.centre)
            return [Round(x, y, self.whole(shape.radius))]
        return [self.point(corner) for corner in shape.corners]

    def free(self, line: Line) -> bool:
        """Whether a line meets both bases and runs through no area between them."""
        count(20 + 4 * self._corners)
        start, end = _meets(line, self.a), _meets(line, self.b)
        if start is None or end is None:
            return False
        if _order(start, end, line.d) > 0:
            line = line.turned()
            start, end = _turned(start), _turned(end)
        return not any(_runs_through(line, area, start, end) for area in self.areas)

    def stops(self, line: Line) -> tuple[int, ...]:
        """The places of the areas that a line runs through between the bases, nearest to the first base first."""
        start, end = _meets(line, self.a), _meets(line, self.b)
        if start is None or end is None:
            return ()
        if _order(start, end, line.d) > 0:
            line = line.turned()
            start, end = _turned(start), _turned(end)
        met: dict[int, Place] = {}
        for number, area in enumerate(self.areas):
            entered = _runs_through(line, area, start, end)
            if entered is not None:
                met[number] = entered
        by_place = _by_place(line.d)
        return tuple(sorted(met, key=lambda number: by_place(met[number])))


def _numbers(shape: Shape) -> list[Fraction]:
    if isinstance(shape, Circle):
        return [*shape.centre, shape.radius]
    return [number for corner in shape.corners for number in corner]


def _minus(number: Number) -> Number:
    return -number[0], -number[1]


def _turned(place: Place) -> Place:
    return _minus(place[0]), place[1]


def _sign(number: Number, d: int) -> int:
    """The sign of a + b sqrt(d)."""
    a, b = number
    first, second = (a > 0) - (a < 0), ((b > 0) - (b < 0)) if d else 0
    if first == second or not second:
        return first
    if not first:
        return second
    return first * ((a * a > b * b * d) - (a * a < b * b * d))


def _times(one: Number, other: Number, d: int) -> Number:
    return one[0] * other[0] + one[1] * other[1] * d, one[0] * other[1] + one[1] * other[0]


def _less(one: Number, other: Number) -> Number:
    return one[0] - other[0], one[1] - other[1]


def _order(one: Place, other: Place, d: int) -> int:
    """-1, 0 or 1 as the first place lies before, at or behind the second."""
    return _sign(_less(_times(one[0], other[1], d), _times(other[0], one[1], d)), d)


_ONE: Number = (1, 0)


def _by_place(d: int) -> Callable[[Place], Any]:
    """The key that puts places of a line in order."""

    def compare(one: Place, other: Place) -> int:
        return _order(one, other, d)

    return cmp_to_key(compare)


def _meets(line: Line, outline: Sequence[Round]) -> Place | None:
    """A place at which a line lies in a base: beside the centre of a circle, where it comes to a polygon."""
    first = outline[0]
    if first.r:
        a, b = line.side(first.x, first.y)
        if line.norm is None:
            if a * a > first.r**2 * (line.nx[0] ** 2 + line.ny[0] ** 2):
                return None
        else:
            room = first.r * line.norm
            if _sign((a - room, b), line.d) > 0 or _sign((a + room, b), line.d) < 0:
                return None
        return line.along(first.x, first.y), _ONE
    sides = [line.side(x, y) for x, y, _ in outline]
    signs = [_sign(side, line.d) for side in sides]
    for i, sign in enumerate(signs):
        if sign == 0:
            return line.along(outline[i].x, outline[i].y), _ONE
    for i, sign in enumerate(signs):
        if sign != signs[i - 1]:
            return _crossing(line, outline[i - 1][:2], outline[i][:2], sides[i - 1], sides[i])
    return None


def _crossing(line: Line, p: tuple[int, int], q: tuple[int, int], at_p: Number, at_q: Number) -> Place:
    """Where a line crosses the segment between two points that lie on different sides of it."""
    rise = _less(at_q, at_p)
    number = _less(_times(line.along(*p), at_q, line.d), _times(line.along(*q), at_p, line.d))
    return (number, rise) if _sign(rise, line.d) > 0 else (_minus(number), _minus(rise))


def _runs_through(line: Line, area: Sequence[tuple[int, int]], start: Place, end: Place) -> Place | None:
    """Where a line first runs into the inside of a polygon between two places, if it runs through it over a length.

    The line shifted a little to its left, and a little to its right, crosses the sides of the polygon only between
    their ends, and is inside between its first crossing and its second, and so on. The line itself runs through the
    inside where both do: along a side the inside lies on one side only.
    """
    sides = [line.side(x, y) for x, y in area]
    signs = [_sign(side, line.d) for side in sides]
    if min(signs) >= 0 or max(signs) <= 0:
        return None
    by_place = _by_place(line.d)
    shifted = [_inside(line, area, sides, signs, lean) for lean in (1, -1)]
    for first, last in shifted[0]:
        for other_first, other_last in shifted[1]:
            low = max(first, other_first, start, key=by_place)
            high = min(last, other_last, end, key=by_place)
            if _order(low, high, line.d) < 0:
                return low
    return None


def _inside(
    line: Line, area: Sequence[tuple[int, int]], sides: Sequence[Number], signs: Sequence[int], lean: int
) -> list[tuple[Place, Place]]:
    """The stretches of a line inside a polygon, with the corners on the line counted to the side `lean` of it."""
    crossings: list[Place] = []
    for i, sign in enumerate(signs):
        before = signs[i - 1]
        if (sign or lean) == (before or lean):
            continue
        if sign == 0:
            crossings.append((line.along(*area[i]), _ONE))
        elif before == 0:
            crossings.append((line.along(*area[i - 1]), _ONE))
        else:
            crossings.append(_crossing(line, area[i - 1], area[i], sides[i - 1], sides[i]))
    crossings.sort(key=_by_place(line.d))
    return list(zip(crossings[::2], crossings[1::2], strict=True))
