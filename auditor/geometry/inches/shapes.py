"""Points, round bases, hulls and pieces of terrain, with exact coordinates, and the distances between them.

Coordinates are inches: x to the right, y up. A circle stays a circle: it is never made a polygon. Each shape carries
its coordinates as floats too, which sort out what is far from any limit and decide nothing else.

A hull that stands at a heading in whole or broken degrees has no rational corners. It is turned by a rotation that is
exactly rational and off by less than 1e-11 degrees; `blur` bounds, in inches, how far a corner may be off by that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import atan2, degrees, inf, lcm, radians, tan
from typing import NamedTuple, TypeAlias, TypeVar

from auditor.geometry.effort import count
from auditor.geometry.inches.lengths import ONE, ZERO, Length, about, root

NEAR = 1e-7
"""Inches. What floats find to be further than this from a limit is not looked at exactly; tables are under 1e4 wide."""


class Point(NamedTuple):
    x: Fraction
    y: Fraction


def point(x: Fraction | int | str, y: Fraction | int | str) -> Point:
    """A point with exact coordinates."""
    return Point(Fraction(x), Fraction(y))


@dataclass(frozen=True, slots=True)
class Circle:
    """A round base: its centre and its radius, which is greater than 0."""

    centre: Point
    radius: Fraction
    fx: float = field(init=False, repr=False, compare=False)
    fy: float = field(init=False, repr=False, compare=False)
    fr: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "fx", about(self.centre[0]))
        object.__setattr__(self, "fy", about(self.centre[1]))
        object.__setattr__(self, "fr", about(self.radius))

    @property
    def blur(self) -> Fraction:
        return ZERO

    def moved_to(self, place: Point) -> Circle:
        return Circle(place, self.radius)


@dataclass(frozen=True, slots=True)
class Polygon:
    """A simple polygon, corners counter-clockwise. `blur`: how far, in inches, a corner may be from where it is; `middle`: once
    somebody asked for it (`centroid`)."""

    corners: tuple[Point, ...]
    blur: Fraction = ZERO
    floats: tuple[tuple[float, float], ...] = field(init=False, repr=False, compare=False)
    box: tuple[float, float, float, float] = field(init=False, repr=False, compare=False)
    convex: bool = field(init=False, repr=False, compare=False)
    middle: Point | None = field(init=False, repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        floats = tuple((about(x), about(y)) for x, y in self.corners)
        xs, ys = [x for x, _ in floats], [y for _, y in floats]
        object.__setattr__(self, "floats", floats)
        object.__setattr__(self, "box", (min(xs), min(ys), max(xs), max(ys)))
        n = len(floats)
        turns = (
            _turn_about(*floats[i - 2], *floats[i - 1], *floats[i])
            or turn(self.corners[i - 2], self.corners[i - 1], self.corners[i])
            for i in range(n)
        )
        object.__setattr__(self, "convex", all(one >= 0 for one in turns))

    def moved_by(self, dx: Fraction, dy: Fraction) -> Polygon:
        return Polygon(tuple(Point(x + dx, y + dy) for x, y in self.corners), self.blur)

    def edges(self) -> Iterable[tuple[Point, Point]]:
        corners = self.corners
        return zip(corners, corners[1:] + corners[:1], strict=True)


Shape: TypeAlias = Circle | Polygon
Box: TypeAlias = tuple[float, float, float, float]
"""Least x, least y, greatest x, greatest y, in floats."""


def box_of(shape: Shape) -> Box:
    """The box round a shape."""
    if isinstance(shape, Circle):
        return shape.fx - shape.fr, shape.fy - shape.fr, shape.fx + shape.fr, shape.fy + shape.fr
    return shape.box


def _threes(corners: Sequence[Point]) -> Iterable[tuple[Point, Point, Point]]:
    n = len(corners)
    return ((corners[i - 2], corners[i - 1], corners[i]) for i in range(n))


Number = TypeVar("Number", Fraction, int)
"""Exact coordinates: fractions of an inch, or whole parts of one."""


def cross(a: tuple[Number, Number], b: tuple[Number, Number], c: tuple[Number, Number]) -> Number:
    """Twice the area of the triangle, positive where it goes round counter-clockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def turn(a: tuple[Number, Number], b: tuple[Number, Number], c: tuple[Number, Number]) -> int:
    """1 where c lies to the left of the line from a to b, -1 to the right, 0 on it."""
    area = cross(a, b, c)
    return (area > 0) - (area < 0)


def _turn_about(ax: float, ay: float, bx: float, by: float, cx: float, cy: float) -> int:
    """The same in floats; 0 where c lies near the line."""
    vx, vy = bx - ax, by - ay
    area = vx * (cy - ay) - vy * (cx - ax)
    far = NEAR * (1 + abs(vx) + abs(vy))
    return 1 if area > far else -1 if area < -far else 0


def polygon(corners: Iterable[tuple[Fraction | int | str, Fraction | int | str]]) -> Polygon:
    """The polygon with these corners, given either way round. Raises ValueError where it is not simple or has no area.

    A last corner that repeats the first is dropped.
    """
    points = [point(x, y) for x, y in corners]
    if len(points) > 1 and points[0] == points[-1]:
        points.pop()
    if len(points) < 3:
        raise ValueError("a polygon has at least three corners")
    if len(set(points)) < len(points):
        raise ValueError("a corner of the polygon is given twice")
    n = len(points)
    if n == 3 and turn(*points) == 0:
        raise ValueError("the polygon has no area")
    # Of four corners or more, one that goes back along its own side touches the side before or the one after.
    floats = [_floats(one) for one in points]
    boxes = [_box_round(floats[i], floats[(i + 1) % n]) for i in range(n)]
    for i in range(n):
        x0, y0, x1, y1 = boxes[i]
        for j in range(i + 2, n):
            left, low, right, high = boxes[j]
            if left > x1 or right < x0 or low > y1 or high < y0 or (j + 1) % n == i:
                continue
            if segments_meet(points[i], points[i + 1], points[j], points[(j + 1) % n]):
                raise ValueError("the sides of the polygon cross or touch each other")
    if area_twice(points) < 0:
        points.reverse()
    return Polygon(tuple(points))


def _box_round(a: tuple[float, float], b: tuple[float, float]) -> Box:
    """A box that certainly holds a side."""
    (ax, ay), (bx, by) = a, b
    return min(ax, bx) - NEAR, min(ay, by) - NEAR, max(ax, bx) + NEAR, max(ay, by) + NEAR


def area_twice(corners: Sequence[Point]) -> Fraction:
    """Twice the signed area: positive where the corners go round counter-clockwise."""
    return sum((corners[i - 1].x * c.y - c.x * corners[i - 1].y for i, c in enumerate(corners)), start=ZERO)


def centroid(shape: Shape) -> Point:
    """The centre of a circle, the centre of area of a polygon."""
    if isinstance(shape, Circle):
        return shape.centre
    if shape.middle is None:
        object.__setattr__(shape, "middle", _middle(shape.corners))
    assert shape.middle is not None
    return shape.middle


def _middle(corners: Sequence[Point]) -> Point:
    x = y = ZERO
    for i, b in enumerate(corners):
        a = corners[i - 1]
        part = a.x * b.y - b.x * a.y
        x += (a.x + b.x) * part
        y += (a.y + b.y) * part
    scale = 3 * area_twice(corners)
    return Point(x / scale, y / scale)


def convex_hull(points: Iterable[Point]) -> tuple[Point, ...]:
    """The corners of the convex hull, counter-clockwise, without those that lie along a side."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple(ordered)

    def half(line: Iterable[Point]) -> list[Point]:
        kept: list[Point] = []
        for one in line:
            while len(kept) > 1 and turn(kept[-2], kept[-1], one) <= 0:
                kept.pop()
            kept.append(one)
        return kept[:-1]

    return tuple(half(ordered) + half(reversed(ordered)))


# -- headings -----------------------------------------------------------------------------------------------------

_STEPS = 1 << 40
_BLUR_A_FAR_INCH = Fraction(1, 10**11)


@lru_cache(maxsize=4096)
def rotation(heading: Fraction) -> tuple[Fraction, Fraction, bool]:
    """Cosine and sine of a heading in degrees counter-clockwise from +x, as an exact rotation, and whether that is it.

    Whole quarters are exact; other headings are off by less than 1e-11 radians.
    """
    quarters = round(heading / 90)
    rest = heading - 90 * quarters
    half = Fraction(round(tan(radians(float(rest)) / 2) * _STEPS), _STEPS)
    norm = 1 + half * half
    c, s = (1 - half * half) / norm, 2 * half / norm
    for _ in range(quarters % 4):
        c, s = -s, c
    return c, s, rest == 0


def placed(local: Polygon, place: Point, heading: Fraction = ZERO) -> Polygon:
    """A hull given with its front towards +x, as it stands at a place and heading (degrees)."""
    corners, blur = _turned(local, heading)
    px, py = place
    return Polygon(tuple(Point(px + x, py + y) for x, y in corners), blur)


@lru_cache(maxsize=256)
def _turned(local: Polygon, heading: Fraction) -> tuple[tuple[Point, ...], Fraction]:
    """The corners of a hull at a heading, and how far one may be from where it is."""
    c, s, exact = rotation(heading)
    corners = tuple(Point(c * x - s * y, s * x + c * y) for x, y in local.corners)
    reach = ZERO if exact else max(abs(x) + abs(y) for x, y in local.corners)
    return corners, local.blur + reach * _BLUR_A_FAR_INCH


def heading_of(dx: Fraction, dy: Fraction) -> float:
    """The heading of a direction in degrees from 0 to 360, for showing only."""
    return degrees(atan2(float(dy), float(dx))) % 360


# -- distances ----------------------------------------------------------------------------------------------------


def squared(a: Point, b: Point) -> Fraction:
    """The squared distance of two points: in whole numbers, since each sum of fractions is brought to its lowest terms."""
    (ax, ax_of), (ay, ay_of) = a[0].as_integer_ratio(), a[1].as_integer_ratio()
    (bx, bx_of), (by, by_of) = b[0].as_integer_ratio(), b[1].as_integer_ratio()
    across, of = ax * bx_of - bx * ax_of, ax_of * bx_of
    up, up_of = ay * by_of - by * ay_of, ay_of * by_of
    if of == up_of:
        return Fraction(across * across + up * up, of * of)
    across, up, of = across * up_of, up * of, of * up_of
    return Fraction(across * across + up * up, of * of)


def distance(a: Point, b: Point) -> Length:
    """The distance of two points."""
    return root(squared(a, b))


def squared_to_segment(p: Point, a: Point, b: Point) -> Fraction:
    """The squared distance of a point from a segment, which may have length 0."""
    vx, vy = b[0] - a[0], b[1] - a[1]
    wx, wy = p[0] - a[0], p[1] - a[1]
    along = wx * vx + wy * vy
    if along <= 0:
        return wx * wx + wy * wy
    span = vx * vx + vy * vy
    if along >= span:
        return squared(p, b)
    across = vx * wy - vy * wx
    return across * across / span


def about_squared_to_segment(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """The same in floats."""
    vx, vy = bx - ax, by - ay
    wx, wy = px - ax, py - ay
    along = wx * vx + wy * vy
    if along <= 0.0:
        return wx * wx + wy * wy
    span = vx * vx + vy * vy
    if along >= span:
        wx, wy = px - bx, py - by
        return wx * wx + wy * wy
    across = vx * wy - vy * wx
    return across * across / span


def segments_meet(
    a: tuple[Number, Number], b: tuple[Number, Number], c: tuple[Number, Number], d: tuple[Number, Number]
) -> bool:
    """Whether two closed segments have a point in common."""
    abc, abd, cda, cdb = turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
    if abc * abd < 0 and cda * cdb < 0:
        return True
    return (
        (abc == 0 and _between(a, b, c))
        or (abd == 0 and _between(a, b, d))
        or (cda == 0 and _between(c, d, a))
        or (cdb == 0 and _between(c, d, b))
    )


def _between(a: tuple[Number, Number], b: tuple[Number, Number], c: tuple[Number, Number]) -> bool:
    """Whether c, which lies on the line through a and b, lies between them or on them."""
    return min(a[0], b[0]) <= c[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= c[1] <= max(a[1], b[1])


def where_in(p: Point, area: Polygon) -> int:
    """1 where a point lies inside a polygon, 0 on its boundary, -1 outside. Floats answer far from the boundary."""
    count(len(area.corners))
    nearest, within = about_in(float(p[0]), float(p[1]), area)
    if nearest > NEAR * NEAR:
        return 1 if within else -1
    return _exactly_in(p, area.corners)


def _exactly_in(p: tuple[Number, Number], corners: Sequence[tuple[Number, Number]]) -> int:
    """`where_in` without floats."""
    inside = False
    for i, b in enumerate(corners):
        a = corners[i - 1]
        side = turn(a, b, p)
        if side == 0 and _between(a, b, p):
            return 0
        if (a[1] > p[1]) != (b[1] > p[1]) and (side > 0) == (b[1] > a[1]):
            inside = not inside
    return 1 if inside else -1


def squared_to_polygon(p: Point, area: Polygon) -> Fraction:
    """The squared distance of a point from a polygon; 0 inside. Floats sort out the sides that are not the nearest."""
    if where_in(p, area) >= 0:
        return ZERO
    x, y = float(p[0]), float(p[1])
    floats = area.floats
    about = [about_squared_to_segment(x, y, *floats[i - 1], *end) for i, end in enumerate(floats)]
    far = _farther(min(about))
    return min(squared_to_segment(p, area.corners[i - 1], area.corners[i]) for i, one in enumerate(about) if one <= far)


def _farther(squared: float) -> float:
    """A squared distance a little more than this one: what is farther in floats is farther."""
    return float((squared**0.5 + NEAR) ** 2)


def squared_segment_to_segment(a: Point, b: Point, c: Point, d: Point) -> Fraction:
    """The squared distance of two segments."""
    if segments_meet(a, b, c, d):
        return ZERO
    return min(
        squared_to_segment(a, c, d),
        squared_to_segment(b, c, d),
        squared_to_segment(c, a, b),
        squared_to_segment(d, a, b),
    )


def squared_segment_to_polygon(a: Point, b: Point, area: Polygon) -> Fraction:
    """The squared distance of a segment from a polygon; 0 where it has a point in it. Floats sort out what is not the
    nearest."""
    about = about_segment_to_polygon(a, b, area)
    if about is None:
        if where_in(a, area) >= 0:
            return ZERO
        return min(squared_segment_to_segment(a, b, c, d) for c, d in area.edges())
    if about == 0:
        return ZERO
    far = _farther(about * about)
    (ax, ay), (bx, by) = _floats(a), _floats(b)
    found: list[Fraction] = []
    corners, floats = area.corners, area.floats
    for i, (dx, dy) in enumerate(floats):
        cx, cy = floats[i - 1]
        found += [
            squared_to_segment(p, corners[i - 1], corners[i])
            for p, x, y in ((a, ax, ay), (b, bx, by))
            if about_squared_to_segment(x, y, cx, cy, dx, dy) <= far
        ]
        if about_squared_to_segment(dx, dy, ax, ay, bx, by) <= far:
            found.append(squared_to_segment(corners[i], a, b))
    return min(found)


def _floats(p: Point) -> tuple[float, float]:
    return about(p[0]), about(p[1])


def about_segment_to_polygon(a: Point, b: Point, area: Polygon) -> float | None:
    """The distance of a segment from a polygon in floats, right to within `NEAR`; 0 where it certainly has a point in it.
    None where floats cannot say: it comes near a side without crossing it clearly."""
    count(4 * len(area.corners))
    (ax, ay), (bx, by) = _floats(a), _floats(b)
    nearest, inside = about_in(ax, ay, area)
    if inside and nearest > NEAR * NEAR:
        return 0.0
    cx, cy = area.floats[-1]
    open_ = False
    for dx, dy in area.floats:
        nearest = min(
            nearest, about_squared_to_segment(bx, by, cx, cy, dx, dy), about_squared_to_segment(dx, dy, ax, ay, bx, by)
        )
        first, second = _turn_about(cx, cy, dx, dy, ax, ay), _turn_about(cx, cy, dx, dy, bx, by)
        if first * second <= 0:
            third, fourth = _turn_about(ax, ay, bx, by, cx, cy), _turn_about(ax, ay, bx, by, dx, dy)
            if third * fourth <= 0:
                if first * second < 0 and third * fourth < 0:
                    return 0.0
                open_ = True
        cx, cy = dx, dy
    return None if open_ or nearest <= NEAR * NEAR else float(nearest**0.5)


def squared_polygons(one: Polygon, other: Polygon) -> Fraction:
    """The squared distance of two polygons; 0 where they have a point in common.

    Measured in whole numbers, from the first corner of one: hulls that stand to each other as two others did are not
    measured again.
    """
    count(4 * len(one.corners) * len(other.corners))
    scale = lcm(*{number.denominator for shape in (one, other) for corner in shape.corners for number in corner})
    x, y = _in_parts(one.corners[0], scale)
    first, second = (
        tuple((there[0] - x, there[1] - y) for there in (_in_parts(corner, scale) for corner in shape.corners))
        for shape in (one, other)
    )
    short = scale.bit_length() <= _KEPT_BITS and len(first) + len(second) <= _KEPT_CORNERS
    upper, lower = (_squared_apart if short else _squared_apart.__wrapped__)(first, second, scale)
    return Fraction(upper, lower * scale * scale)


_Whole: TypeAlias = tuple[int, int]
_KEPT_BITS, _KEPT_CORNERS = 256, 32
"""What has longer numbers, or more corners, is measured each time: to keep it would take too much room."""


def _in_parts(p: Point, scale: int) -> _Whole:
    """A point in whole parts of an inch, of which so many are one."""
    x, y = p
    return x.numerator * (scale // x.denominator), y.numerator * (scale // y.denominator)


@lru_cache(maxsize=2048)
def _squared_apart(one: tuple[_Whole, ...], other: tuple[_Whole, ...], scale: int) -> tuple[int, int]:
    """The squared distance of two polygons with whole corners, as a quotient; `scale`: how many parts are an inch."""
    floats = [[(x / scale, y / scale) for x, y in corners] for corners in (one, other)]
    inside = _exactly_in(one[0], other) >= 0 or _exactly_in(other[0], one) >= 0
    if inside or _any_sides_meet(one, floats[0], other, floats[1]):
        return 0, 1
    # Apart, so that a corner of one is nearest to a side of the other. Floats sort out which may be.
    found: list[tuple[float, _Whole, _Whole, _Whole]] = []
    for corners, about_corners, sides, about_sides in (
        (one, floats[0], other, floats[1]),
        (other, floats[1], one, floats[0]),
    ):
        for corner, (x, y) in zip(corners, about_corners, strict=True):
            found += [
                (about_squared_to_segment(x, y, *about_sides[i - 1], *end), corner, sides[i - 1], sides[i])
                for i, end in enumerate(about_sides)
            ]
    far = _farther(min(about for about, *_ in found))
    least, of = -1, 1
    for about_squared, p, a, b in found:
        if about_squared <= far:
            upper, lower = _whole_to_segment(p, a, b)
            if least < 0 or upper * of < least * lower:
                least, of = upper, lower
    return least, of


def _whole_to_segment(p: _Whole, a: _Whole, b: _Whole) -> _Whole:
    """`squared_to_segment` of whole points, as a quotient."""
    vx, vy = b[0] - a[0], b[1] - a[1]
    wx, wy = p[0] - a[0], p[1] - a[1]
    along = wx * vx + wy * vy
    if along <= 0:
        return wx * wx + wy * wy, 1
    span = vx * vx + vy * vy
    if along >= span:
        wx, wy = p[0] - b[0], p[1] - b[1]
        return wx * wx + wy * wy, 1
    across = vx * wy - vy * wx
    return across * across, span


_Floats: TypeAlias = Sequence[tuple[float, float]]


def _any_sides_meet(
    one: tuple[_Whole, ...], about_one: _Floats, other: tuple[_Whole, ...], about_other: _Floats
) -> bool:
    """Whether a side of one polygon and a side of another have a point in common. Boxes round them sort out most."""
    boxes = [_box_round(about_other[i - 1], end) for i, end in enumerate(about_other)]
    for i, end in enumerate(about_one):
        here = _box_round(about_one[i - 1], end)
        for j, there in enumerate(boxes):
            if not _boxes_apart(here, there) and segments_meet(one[i - 1], one[i], other[j - 1], other[j]):
                return True
    return False


def gap(one: Shape, other: Shape) -> Length:
    """The distance of two shapes from edge to edge. Two circles, or a circle and a polygon, that overlap have a gap
    below zero (by how much the radii are more than the distance); two polygons that overlap have gap 0."""
    if isinstance(one, Circle):
        if isinstance(other, Circle):
            count(10)
            return root(squared(one.centre, other.centre)) - (one.radius + other.radius)
        return root(squared_to_polygon(one.centre, other)) - one.radius
    if isinstance(other, Circle):
        return gap(other, one)
    return root(squared_polygons(one, other))


def about_gap(one: Shape, other: Shape) -> float:
    """The gap in floats, right to within `NEAR` of an inch; for sorting out what is far."""
    if isinstance(one, Circle):
        if isinstance(other, Circle):
            dx, dy = one.fx - other.fx, one.fy - other.fy
            return float((dx * dx + dy * dy) ** 0.5 - one.fr - other.fr)
        nearest, inside = about_in(one.fx, one.fy, other)
        return -one.fr if inside else float(nearest**0.5) - one.fr
    if isinstance(other, Circle):
        return about_gap(other, one)
    if not _boxes_apart(one.box, other.box):
        return float(root(squared_polygons(one, other)))
    # Apart, so that a corner of one is nearest to a side of the other.
    count(len(one.corners) * len(other.corners))
    from_one = min(about_in(x, y, other)[0] for x, y in one.floats)
    return float(min(from_one, *(about_in(x, y, one)[0] for x, y in other.floats)) ** 0.5)


def _boxes_apart(one: Box, other: Box) -> bool:
    return one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]


def about_in(x: float, y: float, area: Polygon) -> tuple[float, bool]:
    """In floats: the squared distance of a point from the sides of a polygon, and whether it lies inside."""
    inside = False
    nearest = inf
    ax, ay = area.floats[-1]
    for bx, by in area.floats:
        nearest = min(nearest, about_squared_to_segment(x, y, ax, ay, bx, by))
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            inside = not inside
        ax, ay = bx, by
    return nearest, inside


def overlap(one: Shape, other: Shape) -> bool:
    """Whether two shapes have more in common than their boundaries."""
    if isinstance(one, Circle):
        if isinstance(other, Circle):
            off = about_gap(one, other)
            return off < 0 if abs(off) > NEAR else gap(one, other).sign() < 0
        x0, y0, x1, y1 = other.box
        reach = one.fr + NEAR
        if one.fx + reach < x0 or one.fx - reach > x1 or one.fy + reach < y0 or one.fy - reach > y1:
            return False
        count(len(other.corners))
        nearest, inside = about_in(one.fx, one.fy, other)
        if abs(nearest**0.5 - one.fr) > NEAR:
            return nearest < one.fr * one.fr or inside
        return gap(one, other).sign() < 0
    if isinstance(other, Circle):
        return overlap(other, one)
    return _insides_meet(one, other)


def _insides_meet(one: Polygon, other: Polygon) -> bool:
    """Whether the insides of two polygons have a point in common: a stretch of a side of one lies inside the other, or
    they are the same area, whatever its corners."""
    for first, second in ((one, other), (other, one)):
        for a, b in first.edges():
            if stretches_inside(a, b, second):
                return True
    return where_in(_inner_point(one), other) > 0


def _inner_point(area: Polygon) -> Point:
    """A point inside a polygon: the middle of a chord between two of its sides, beside its lowest corner."""
    for a, b, c in _threes(area.corners):
        middle = Point((a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3)
        if where_in(middle, area) > 0:
            return middle
    raise ValueError("a polygon without an inside")


def _clear_of(ax: float, ay: float, bx: float, by: float, area: Polygon) -> bool:
    """Whether a segment certainly has no point inside a polygon: it, or all of the polygon, lies on one side."""
    x0, y0, x1, y1 = area.box
    if max(ax, bx) < x0 - NEAR or min(ax, bx) > x1 + NEAR or max(ay, by) < y0 - NEAR or min(ay, by) > y1 + NEAR:
        return True
    count(1 + len(area.corners) // 2)
    vx, vy = bx - ax, by - ay
    far = NEAR * (1 + abs(vx) + abs(vy))
    sides = [vx * (y - ay) - vy * (x - ax) for x, y in area.floats]
    return min(sides) > far or max(sides) < -far


def runs_through(a: Point, b: Point, area: Polygon) -> bool:
    """Whether a segment runs through the inside of a polygon over some length. Floats answer where it stays clear of the
    polygon, or comes well into it."""
    (ax, ay), (bx, by) = _floats(a), _floats(b)
    if a == b or _clear_of(ax, ay, bx, by, area):
        return False
    if _comes_well_into(ax, ay, bx, by, area):
        count(8 * len(area.corners))
        return True
    if about_segment_to_polygon(a, b, area):
        return False
    count(4 * len(area.corners))
    return bool(stretches_inside(a, b, area))


def _comes_well_into(ax: float, ay: float, bx: float, by: float, area: Polygon) -> bool:
    """Whether the middle of a stretch of a segment between two sides certainly lies inside a polygon."""
    vx, vy = bx - ax, by - ay
    span = vx * vx + vy * vy
    places = [0.0, 1.0]
    cx, cy = area.floats[-1]
    at_c = vx * (cy - ay) - vy * (cx - ax)
    for dx, dy in area.floats:
        at_d = vx * (dy - ay) - vy * (dx - ax)
        if at_c * at_d < 0:
            share = at_c / (at_c - at_d)
            place = ((cx + share * (dx - cx) - ax) * vx + (cy + share * (dy - cy) - ay) * vy) / span
            if 0 < place < 1:
                places.append(place)
        cx, cy, at_c = dx, dy, at_d
    for start, end in pairwise(sorted(places)):
        middle = (start + end) / 2
        nearest, inside = about_in(ax + middle * vx, ay + middle * vy, area)
        if inside and nearest > NEAR * NEAR:
            return True
    return False


def stretches_inside(a: Point, b: Point, area: Polygon) -> list[tuple[Fraction, Fraction]]:
    """The stretches of a segment that run through the inside of a polygon, as parts of its length (0 at a, 1 at b)."""
    if a == b or _clear_of(float(a[0]), float(a[1]), float(b[0]), float(b[1]), area):
        return []
    count(10 * len(area.corners))
    vx, vy = b[0] - a[0], b[1] - a[1]
    span = vx * vx + vy * vy
    places = {ZERO, ONE}
    for c, d in area.edges():
        at_c, at_d = cross(a, b, c), cross(a, b, d)
        for corner, side in ((c, at_c), (d, at_d)):
            if side == 0:
                places.add(((corner[0] - a[0]) * vx + (corner[1] - a[1]) * vy) / span)
        if at_c * at_d < 0:
            share = at_c / (at_c - at_d)
            x, y = c[0] + share * (d[0] - c[0]), c[1] + share * (d[1] - c[1])
            places.add(((x - a[0]) * vx + (y - a[1]) * vy) / span)
    # Between the two ends every place is on the boundary, so that each stretch is a whole one.
    return [
        (start, end)
        for start, end in pairwise(sorted(t for t in places if 0 <= t <= 1))
        if where_in(Point(a[0] + (start + end) / 2 * vx, a[1] + (start + end) / 2 * vy), area) > 0
    ]
