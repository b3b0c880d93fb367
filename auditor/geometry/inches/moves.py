"""Paths of moving bases: how long they are, how near they pass to other bases, what ground they cross, and pivots.

A path is a list of points, start included. A base that is a polygon keeps its heading along a leg.
Source: Calixtus catalogue 2.3, 2.4, 2.10.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import hypot

from auditor.geometry.effort import count
from auditor.geometry.inches.lengths import ZERO, Length, about, root, total
from auditor.geometry.inches.shapes import (
    NEAR,
    Circle,
    Point,
    Polygon,
    Shape,
    about_segment_to_polygon,
    about_squared_to_segment,
    convex_hull,
    gap,
    placed,
    rotation,
    runs_through,
    squared,
    squared_segment_to_polygon,
    squared_to_polygon,
    squared_to_segment,
)


def path_length(path: Sequence[Point]) -> Length:
    """The length of a path: the sum of its legs."""
    return total(root(squared(a, b)) for a, b in legs(path))


def legs(path: Sequence[Point]) -> Iterable[tuple[Point, Point]]:
    """The legs of a path that have a length."""
    return ((a, b) for a, b in pairwise(path) if a != b)


# -- passing near other bases ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pass:
    """How near a moving base came to another one.

    least  the smallest gap along the path; below zero where the bases overlapped
    start, end  the gaps at the ends of the path
    """

    least: Length
    start: Length
    end: Length


def passing(path: Sequence[Point], radius: Fraction, other: Shape) -> Pass:
    """How near a round base came to another base on its path (a single point is a base that did not move)."""
    count(60 * len(path))
    if isinstance(other, Circle):
        reach, centre = radius + other.radius, other.centre
        least = min((squared_to_segment(centre, a, b) for a, b in legs(path)), default=squared(path[0], centre))
        start, end = squared(path[0], centre), squared(path[-1], centre)
    else:
        reach = radius
        start, end = squared_to_polygon(path[0], other), squared_to_polygon(path[-1], other)
        least = min((squared_segment_to_polygon(a, b, other) for a, b in legs(path)), default=start)
    return Pass(root(least) - reach, root(start) - reach, root(end) - reach)


def about_gaps(path: Sequence[Point], radius: Fraction, other: Circle) -> tuple[float, float, list[float]]:
    """The gaps at the ends of a path, and the least one on each leg, in floats, right to within `NEAR`."""
    count(2 * len(path))
    x, y, reach = other.fx, other.fy, other.fr + about(radius)
    floats = [(about(a), about(b)) for a, b in path]
    start, end = (hypot(a - x, b - y) - reach for a, b in (floats[0], floats[-1]))
    return start, end, [about_squared_to_segment(x, y, *a, *b) ** 0.5 - reach for a, b in pairwise(floats)]


def too_near(
    path: Sequence[Point], radius: Fraction, others: Sequence[Shape], zone: Fraction = Fraction(1)
) -> list[int]:
    """Which of `others` a round base came nearer to than `zone` somewhere on its path, by their places in the list.

    Passing at exactly `zone` is not nearer. Floats sort out what stays clear of the zone, or comes into it, by far.
    """
    count(len(path) + len(others) // 2)
    floats = [(about(x), about(y)) for x, y in path]
    reach = about(radius) + about(zone) + NEAR
    left, right = min(x for x, _ in floats) - reach, max(x for x, _ in floats) + reach
    low, high = min(y for _, y in floats) - reach, max(y for _, y in floats) + reach
    steps = list(pairwise(floats)) or [(floats[0], floats[0])]
    found: list[int] = []
    for place, other in enumerate(others):
        if isinstance(other, Circle):
            x, y, r = other.fx, other.fy, other.fr
            if x + r < left or x - r > right or y + r < low or y - r > high:
                continue
            count(len(steps))
            nearest = min(about_squared_to_segment(x, y, *a, *b) for a, b in steps) ** 0.5 - r
            if nearest > reach:
                continue
            if nearest < reach - 2 * NEAR:
                found.append(place)
                continue
            count(20 * len(steps))
            limit = radius + other.radius + zone
            if any(squared_to_segment(other.centre, a, b) < limit * limit for a, b in legs(path)) or (
                squared(path[0], other.centre) < limit * limit
            ):
                found.append(place)
        else:
            x0, y0, x1, y1 = other.box
            if x1 < left or x0 > right or y1 < low or y0 > high:
                continue
            if passing(path, radius, other).least < zone:
                found.append(place)
    return found


def first_within(path: Sequence[Point], radius: Fraction, other: Circle, zone: Fraction = Fraction(1)) -> Length | None:
    """How far a round base had moved when its gap to another first fell to `zone`; None where it never did.

    0 where it starts nearer than that, or starts at `zone` and goes nearer at once.
    """
    count(60 * len(path))
    reach = radius + other.radius + zone
    centre = other.centre
    gone: list[Length] = []
    if squared(path[0], centre) < reach * reach:
        return Length()
    for a, b in legs(path):
        fx, fy = a.x - centre.x, a.y - centre.y
        vx, vy = b.x - a.x, b.y - a.y
        beyond = fx * fx + fy * fy - reach * reach  # Not below zero, or the leg before would have met it.
        span, along = vx * vx + vy * vy, fx * vx + fy * vy
        room = along * along - span * beyond
        if along < 0 and room > 0:
            here = Length(ZERO, ((-along / span, span), (Fraction(-1), room / span)))
            if here <= root(span):
                return total([*gone, here])
        gone.append(root(span))
    return None


def swept(hull: Polygon, a: Point, b: Point) -> Polygon:
    """The area that a convex hull standing at `a` covers on a straight leg from `a` to `b`."""
    dx, dy = b.x - a.x, b.y - a.y
    return Polygon(convex_hull([*hull.corners, *(Point(x + dx, y + dy) for x, y in hull.corners)]), hull.blur)


def hull_passing(local: Polygon, path: Sequence[Point], headings: Sequence[Fraction], other: Shape) -> Pass:
    """How near a hull came to another base on its path. `headings`: one a point, on leaving it; the last the final one.

    `local` is the hull with its front towards +x, its reference point, which lies inside it, at (0, 0). A heading that
    changes is a pivot in place, the shorter way round. The result is right to within the hull's blur.
    """
    count(200 * len(path))
    here = [placed(local, place, heading) for place, heading in zip(path, headings, strict=True)]
    gaps = [gap(here[0], other)]
    for i in range(1, len(path)):
        if path[i] != path[i - 1]:
            gaps.append(gap(swept(here[i - 1], path[i - 1], path[i]), other))
        if headings[i] != headings[i - 1]:
            gaps += [gap(here[i], other), *_beside_pivot(local, path[i], headings[i - 1], headings[i], other)]
    return Pass(min(gaps), gaps[0], gap(here[-1], other))


def _beside_pivot(local: Polygon, place: Point, before: Fraction, after: Fraction, other: Shape) -> Iterable[Length]:
    """The gaps at the headings within a pivot at which the hull may be nearest to another base.

    Seen from the hull, the other base goes round its reference point. Between the ends, a corner of one of them is
    nearest to the other where it points along the way to a corner of the other, or straight at a side of it.
    """
    way = turned(before, after)
    count(20 * len(local.corners) * (1 if isinstance(other, Circle) else 2 * len(other.corners)))
    if way < 0:
        before, way = after, -way
    c, s, _ = rotation(before)
    end = rotation(way)

    def comes_by(corner: Point, towards: Point) -> bool:
        """Whether a corner of the hull points that way at some heading of the pivot."""
        wx, wy = towards.x - place.x, towards.y - place.y
        ax, ay = c * corner.x - s * corner.y, s * corner.x + c * corner.y
        x, y = ax * wx + ay * wy, ax * wy - ay * wx
        return y >= 0 and (way == 180 or x * end[1] - y * end[0] >= 0)

    reach = other.radius if isinstance(other, Circle) else ZERO
    theirs = [other.centre] if isinstance(other, Circle) else list(other.corners)
    sides = [] if isinstance(other, Circle) else list(other.edges())
    for corner in local.corners:
        far = squared(corner, _ORIGIN)
        for spot in theirs:
            if comes_by(corner, spot):
                yield max(root(squared(spot, place)) - root(far), Length()) - reach
        for a, b in sides:
            foot = _foot(place, a, b)
            if foot is not None and comes_by(corner, foot):
                yield max(root(squared(foot, place)) - root(far), Length())


_ORIGIN = Point(ZERO, ZERO)


def _foot(p: Point, a: Point, b: Point) -> Point | None:
    """The point of a segment straight opposite to p, if it is not beyond the ends."""
    vx, vy = b.x - a.x, b.y - a.y
    share = ((p.x - a.x) * vx + (p.y - a.y) * vy) / (vx * vx + vy * vy)
    return Point(a.x + share * vx, a.y + share * vy) if 0 <= share <= 1 else None


# -- pivots ---------------------------------------------------------------------------------------------------------


def turned(before: Fraction, after: Fraction) -> Fraction:
    """The way round from one heading to another, the shorter one: more than -180 and at most 180 degrees."""
    way = (after - before) % 360
    return way if way <= 180 else way - 360


def pivots(path: Sequence[Point], headings: Sequence[Fraction]) -> list[Fraction]:
    """The degrees turned at each place of a path where the heading changes; the changes at one place are added.

    `headings`: one a point, on leaving it. Points that are repeated are one place.
    """
    found: list[Fraction] = []
    here = ZERO
    for i in range(1, len(path)):
        if path[i] != path[i - 1] and here:
            found.append(here)
            here = ZERO
        here += abs(turned(headings[i - 1], headings[i]))
    return [*found, here] if here else found


# -- ground ---------------------------------------------------------------------------------------------------------


def crosses(path: Sequence[Point], radius: Fraction, ground: Polygon) -> bool:
    """Whether a round base has more than its edge in a piece of ground anywhere on its path."""
    x0, y0, x1, y1 = ground.box
    reach = about(radius) + NEAR
    xs, ys = [about(x) for x, _ in path], [about(y) for _, y in path]
    if max(xs) + reach < x0 or min(xs) - reach > x1 or max(ys) + reach < y0 or min(ys) - reach > y1:
        return False
    near = radius * radius
    size = about(radius)
    for a, b in legs(path):
        far = about_segment_to_polygon(a, b, ground)
        if far is None or abs(far - size) <= NEAR:
            if squared_segment_to_polygon(a, b, ground) < near:
                return True
        elif far < size:
            return True
    return squared_to_polygon(path[0], ground) < near


def centre_crosses(path: Sequence[Point], ground: Polygon) -> bool:
    """Whether a path runs through the inside of a piece of ground over some length."""
    return any(runs_through(a, b, ground) for a, b in legs(path))


def clearance(path: Sequence[Point], radius: Fraction, ground: Polygon) -> Length:
    """By how much a round base stayed clear of a piece of ground on its path; below zero where it crossed it.

    A path with a point in the ground has a clearance of less the radius.
    """
    nearest = min((squared_segment_to_polygon(a, b, ground) for a, b in legs(path)), default=None)
    return root(squared_to_polygon(path[0], ground) if nearest is None else nearest) - radius
