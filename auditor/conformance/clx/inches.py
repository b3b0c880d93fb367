"""Lengths, gaps and crossings on the table in decimals of fifty digits.

Coordinates are decimals as a log writes them, so a squared length is exact and its root right to fifty digits; two
lengths made of such roots never agree to forty digits without being equal. Source: Calixtus catalogue 2.1 to 2.5, 2.10.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from functools import cached_property
from typing import Any

Point = tuple[Decimal, Decimal]
Polygon = Sequence[Point]
Segment = tuple[Point, Point]
Rough = tuple[float, float, float, float]
"""A segment in floats."""

DIGITS = 50
FIFTY = Context(prec=DIGITS)
NONE = Decimal(0)
ONE = Decimal(1)
CLOSE = Decimal("1e-30")
HAIR = 1e-6
"""More, in inches, than a length in floats may be wrong by. They choose what is measured, and never measure."""


def number(value: Any) -> Decimal:
    """A number of a pack or log as the decimal that it is written as."""
    return Decimal(str(value))


def written(value: Decimal) -> int | float:
    """A decimal as a JSON number."""
    return int(value) if value == value.to_integral_value() else float(value)


def root(value: Decimal) -> Decimal:
    """The square root, to fifty digits."""
    return FIFTY.sqrt(value)


def squared(a: Point, b: Point) -> Decimal:
    """How far two points are from each other, squared."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def apart(a: Point, b: Point) -> Decimal:
    """How far two points are from each other, in inches."""
    return root(squared(a, b))


def cross(a: Point, b: Point, c: Point) -> Decimal:
    """Twice the area of the triangle; positive where c lies to the left of the way from a to b."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def to_segment(p: Point, a: Point, b: Point) -> Decimal:
    """How far a point is from a segment."""
    along = (b[0] - a[0]) * (p[0] - a[0]) + (b[1] - a[1]) * (p[1] - a[1])
    whole = squared(a, b)
    if along <= 0 or whole == 0:
        return apart(p, a)
    if along >= whole:
        return apart(p, b)
    return FIFTY.divide(abs(cross(a, b, p)), root(whole))


def meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments have a point in common."""
    ab, cd = (cross(a, b, c), cross(a, b, d)), (cross(c, d, a), cross(c, d, b))
    if min(ab) > 0 or max(ab) < 0 or min(cd) > 0 or max(cd) < 0:
        return False
    if not any(ab):
        return all(max(min(a[i], b[i]), min(c[i], d[i])) <= min(max(a[i], b[i]), max(c[i], d[i])) for i in (0, 1))
    return True


def rough(a: Point, b: Point) -> Rough:
    """A segment in floats."""
    return float(a[0]), float(a[1]), float(b[0]), float(b[1])


def _off(x: float, y: float, segment: Rough) -> float:
    """About how far a point is from a segment."""
    ax, ay, bx, by = segment
    dx, dy = bx - ax, by - ay
    whole = dx * dx + dy * dy
    along = 0.0 if whole == 0 else min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / whole))
    return math.hypot(x - ax - along * dx, y - ay - along * dy)


def _beside(one: Rough, other: Rough) -> bool:
    """Whether a segment lies on one side of another's line for sure."""
    ax, ay, bx, by = one
    first, second = ((bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in (other[:2], other[2:]))
    return min(first, second) > HAIR or max(first, second) < -HAIR


def between_segments(some: Sequence[Segment], others: Sequence[Segment]) -> Decimal:
    """How far the nearest of some segments and the nearest of others are from each other."""
    roughly = [rough(*one) for one in others]
    candidates: list[tuple[float, Point, Segment]] = []
    for one in some:
        its = rough(*one)
        for other, there in zip(others, roughly, strict=True):
            if not _beside(its, there) and not _beside(there, its) and meet(*one, *other):
                return NONE
            candidates += [
                (_off(*its[:2], there), one[0], other),
                (_off(*its[2:], there), one[1], other),
                (_off(*there[:2], its), other[0], one),
                (_off(*there[2:], its), other[1], one),
            ]
    least = min(far for far, _, _ in candidates) + HAIR
    return min(to_segment(p, *segment) for far, p, segment in candidates if far <= least)


def edges(polygon: Polygon) -> list[Segment]:
    """The sides of a polygon."""
    return list(zip(polygon, [*polygon[1:], polygon[0]], strict=True))


def within(p: Point, polygon: Polygon) -> bool:
    """Whether a point lies inside a polygon, its rim left out."""
    if any(cross(a, b, p) == 0 and to_segment(p, a, b) == 0 for a, b in edges(polygon)):
        return False
    odd = False
    for a, b in edges(polygon):
        if (a[1] > p[1]) != (b[1] > p[1]) and (cross(a, b, p) > 0) == (b[1] > a[1]):
            odd = not odd
    return odd


def to_polygon(a: Point, b: Point, polygon: Polygon) -> Decimal:
    """How far a segment is from a polygon with its inside; 0 where they meet."""
    if within(a, polygon):
        return NONE
    return between_segments([(a, b)], edges(polygon))


def runs_through(a: Point, b: Point, polygon: Polygon) -> bool:
    """Whether a segment lies in a polygon's inside over some length."""
    with localcontext() as context:
        context.prec = DIGITS
        cuts = [NONE, ONE]
        for c, d in edges(polygon):
            one, other = cross(c, d, a), cross(c, d, b)
            if one != other:
                cuts.append(one / (one - other))
        cuts = sorted(t for t in cuts if 0 <= t <= 1)
        for s, t in itertools.pairwise(cuts):
            if t - s > CLOSE:
                m = (s + t) / 2
                if within((a[0] + m * (b[0] - a[0]), a[1] + m * (b[1] - a[1])), polygon):
                    return True
    return False


@dataclass(frozen=True)
class Base:
    """A base or hull where it stands: a round one of radius `r`, or the corners of a hull."""

    at: Point
    r: Decimal = NONE
    corners: tuple[Point, ...] = ()

    @cached_property
    def reach(self) -> Decimal:
        """How far the base reaches from its place."""
        return max(apart(self.at, c) for c in self.corners) if self.corners else self.r

    @cached_property
    def rough(self) -> tuple[float, float, float]:
        """Its place and how far it reaches, in floats."""
        return float(self.at[0]), float(self.at[1]), float(self.reach)


def stand(shape: dict[str, Any], at: Point, heading: float = 0) -> Base:
    """A base of a pack, put down at a place, with its front to `heading` degrees."""
    if shape["shape"] == "circle":
        return Base(at, number(shape["r"]))
    c, s = (Decimal(repr(round(f(math.radians(heading)), 15))) for f in (math.cos, math.sin))
    corners = tuple(
        (at[0] + number(x) * c - number(y) * s, at[1] + number(x) * s + number(y) * c) for x, y in shape["pts"]
    )
    return Base(at, NONE, corners)


def gap(one: Base, other: Base) -> Decimal:
    """The distance of two bases' edges: less than 0 where round bases overlap, 0 where a hull is met."""
    if one.corners or other.corners:
        return way_gap(one, [one.at], other)
    return apart(one.at, other.at) - one.r - other.r


def least_gap(some: Sequence[Base], others: Sequence[Base]) -> Decimal:
    """The least distance of the edges of some bases and others."""
    pairs = sorted(((between_edges(one, other), one, other) for one in some for other in others), key=lambda e: e[0])
    least = gap(*pairs[0][1:])
    for far, one, other in pairs[1:]:
        if far > float(least) + HAIR:
            break
        least = min(least, gap(one, other))
    return least


def between_edges(one: Base, other: Base) -> float:
    """About how far the edges of two bases are from each other; of hulls, the circles round them, which are nearer."""
    x, y, r = one.rough
    u, v, s = other.rough
    return math.hypot(x - u, y - v) - r - s


def way_gap(one: Base, path: Sequence[Point], other: Base) -> Decimal:
    """The least gap of a round base on its way to another base; a hull is taken where it stands."""
    legs = list(itertools.pairwise(path)) or [(path[0], path[0])]
    if one.corners and other.corners:
        if within(one.corners[0], other.corners) or within(other.corners[0], one.corners):
            return NONE
        return between_segments(edges(one.corners), edges(other.corners))
    if one.corners:
        return to_polygon(other.at, other.at, one.corners) - other.r
    if other.corners:
        return min(to_polygon(a, b, other.corners) for a, b in legs) - one.r
    return min(to_segment(other.at, a, b) for a, b in legs) - one.r - other.r


def length(path: Sequence[Point]) -> Decimal:
    """How long a path is."""
    return sum((apart(a, b) for a, b in itertools.pairwise(path)), NONE)


def middle(points: Sequence[Point]) -> Point:
    """The mean of some points."""
    with localcontext() as context:
        context.prec = DIGITS
        return sum((p[0] for p in points), NONE) / len(points), sum((p[1] for p in points), NONE) / len(points)


def connected(bases: Sequence[Base], limit: Decimal = Decimal(2)) -> bool:
    """Whether every base can be reached from every other in steps of at most `limit` inches."""
    left = set(range(1, len(bases)))
    edge = [0] if bases else []
    far = float(limit) + HAIR
    while edge:
        one = edge.pop()
        may = [i for i in left if between_edges(bases[one], bases[i]) <= far]
        near = {i for i in may if gap(bases[one], bases[i]) <= limit}
        left -= near
        edge.extend(near)
    return not left


def direction(a: Point, b: Point) -> float:
    """The direction from a to b, in degrees from +x against the clock."""
    return math.degrees(math.atan2(float(b[1] - a[1]), float(b[0] - a[0])))


def turn_between(one: float, other: float) -> float:
    """The angle between two directions, 0 to 180 degrees."""
    return abs((one - other + 180) % 360 - 180)


def spread(points: Sequence[Point]) -> list[Point]:
    """The corners of the convex hull, against the clock."""
    rest = sorted(set(points))
    if len(rest) < 3:
        return rest
    halves: list[list[Point]] = []
    for order in (rest, rest[::-1]):
        half: list[Point] = []
        for p in order:
            while len(half) > 1 and cross(half[-2], half[-1], p) <= 0:
                half.pop()
            half.append(p)
        halves.append(half[:-1])
    return halves[0] + halves[1]
