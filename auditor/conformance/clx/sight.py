"""Sight between two bases, by the cells between critical directions: another way than trying candidate lines.

Lines that meet both bases are told apart by direction and offset. Which corner of a blocker lies left of which changes
only at the directions of pairs of corners and of tangents from corners to round bases. Between two such directions one
is tried, and in it the middle of each stretch between two offsets: if a free line exists that is wider than nothing,
one of these is free. In floats; what hangs on less than `SLACK` inch is None. Source: Calixtus catalogue 2.7.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

from auditor.conformance.clx.inches import Base, Polygon

Spot = tuple[float, float]
SLACK = 2e-4


class Blocker(NamedTuple):
    """What stands in the way: the corners, and its height in inches, None for no end."""

    corners: Polygon
    height: float | None


def sees(one: Base, other: Base, blockers: Sequence[Blocker], eyes: tuple[float, float]) -> bool | None:
    """Whether some line from base to base is free; None where that hangs on a hair.

    `eyes` are the heights of the two ends above the table. A blocker under both is no blocker; one whose height lies
    between the two hides a part of the way only, and makes the answer None if it matters.
    """
    in_way: list[list[Spot]] = []
    doubtful: list[list[Spot]] = []
    for blocker in blockers:
        corners = [(float(x), float(y)) for x, y in blocker.corners]
        if blocker.height is not None and min(eyes) >= blocker.height:
            continue
        near = [_overlap(base, corners) for base in (one, other)]
        if max(near) > SLACK:
            continue
        in_hull = not _clear_of(one, other, corners)
        if not in_hull:
            continue
        half = blocker.height is not None and max(eyes) >= blocker.height
        (doubtful if half or max(near) > -SLACK else in_way).append(corners)
    if not in_way and not doubtful:
        return True
    if _free(one, other, [_moved(p, SLACK) for p in in_way + doubtful]):
        return True
    if _free(one, other, [_moved(p, -SLACK) for p in in_way]):
        return None
    return False


def _ends(base: Base) -> list[tuple[Spot, float]]:
    """Circles whose hull is the base: one of radius r, or the corners with radius 0."""
    if base.corners:
        return [((float(x), float(y)), 0.0) for x, y in base.corners]
    return [((float(base.at[0]), float(base.at[1])), float(base.r))]


def _overlap(base: Base, corners: list[Spot]) -> float:
    """How deep the base lies in the polygon, less than 0 where it is outside."""
    return max(r - _to_polygon(c, corners) for c, r in _ends(base)) if not base.corners else _hull_depth(base, corners)


def _hull_depth(base: Base, corners: list[Spot]) -> float:
    hull = [c for c, _ in _ends(base)]
    if any(_inside(c, corners) for c in hull) or any(_inside(c, hull) for c in corners):
        return 1.0
    sides = list(zip(hull, hull[1:] + hull[:1], strict=True))
    others = list(zip(corners, corners[1:] + corners[:1], strict=True))
    if any(_crossing(a, b, c, d) for a, b in sides for c, d in others):
        return 1.0
    return -min(
        min(min(_to_side(c, a, b) for a, b in others) for c in hull),
        min(min(_to_side(c, a, b) for a, b in sides) for c in corners),
    )


def _crossing(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    return _left(a, b, c) * _left(a, b, d) < 0 and _left(c, d, a) * _left(c, d, b) < 0


def _left(a: Spot, b: Spot, c: Spot) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _to_side(p: Spot, a: Spot, b: Spot) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    whole = dx * dx + dy * dy
    t = 0.0 if whole == 0 else max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / whole))
    return math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)


def _inside(p: Spot, corners: list[Spot]) -> bool:
    odd = False
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        if (a[1] > p[1]) != (b[1] > p[1]) and (_left(a, b, p) > 0) == (b[1] > a[1]):
            odd = not odd
    return odd


def _to_polygon(p: Spot, corners: list[Spot]) -> float:
    """How far a point is from a polygon, less than 0 inside."""
    rim = min(_to_side(p, a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True))
    return -rim if _inside(p, corners) else rim


def _clear_of(one: Base, other: Base, corners: list[Spot]) -> bool:
    """Whether a polygon lies wholly to one side of the hull of both bases, by a separating direction."""
    discs = _ends(one) + _ends(other)
    (ax, ay), (bx, by) = (float(v) for v in one.at), (float(v) for v in other.at)
    angles = [math.atan2(by - ay, bx - ax) + math.pi / 2 * k for k in range(4)]
    angles += [
        math.atan2(b[1] - a[1], b[0] - a[0]) + side
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
        for side in (math.pi / 2, -math.pi / 2)
    ]
    for angle in angles:
        c, s = math.cos(angle), math.sin(angle)
        if max(x * c + y * s + r for (x, y), r in discs) < min(x * c + y * s for x, y in corners) - SLACK:
            return True
    return False


def _moved(corners: list[Spot], by: float) -> list[Spot]:
    """A polygon grown (or shrunk) by so much, its corners mitred."""
    if sum(_left((0.0, 0.0), a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)) < 0:
        corners = corners[::-1]
    grown: list[Spot] = []
    for i, b in enumerate(corners):
        a, c = corners[i - 1], corners[(i + 1) % len(corners)]
        n1 = _normal(a, b)
        n2 = _normal(b, c)
        k = by / (1 + n1[0] * n2[0] + n1[1] * n2[1])
        grown.append((b[0] + k * (n1[0] + n2[0]), b[1] + k * (n1[1] + n2[1])))
    return grown


def _normal(a: Spot, b: Spot) -> Spot:
    d = math.hypot(b[0] - a[0], b[1] - a[1])
    return (b[1] - a[1]) / d, (a[0] - b[0]) / d


def _free(one: Base, other: Base, polygons: list[list[Spot]]) -> bool:
    """Whether some line is free, wider than nothing."""
    discs = [*_ends(one), *_ends(other)]
    corners = [(c, 0.0) for p in polygons for c in p]
    (ax, ay), (bx, by) = (float(v) for v in one.at), (float(v) for v in other.at)
    centre = math.atan2(by - ay, bx - ax)
    far = math.hypot(bx - ax, by - ay)
    widest = math.asin(min(1.0, (float(one.reach) + float(other.reach)) / far)) if far else math.pi / 2
    if _line_is_free(one, other, polygons, centre, -ax * math.sin(centre) + ay * math.cos(centre)):
        return True
    turns = {-widest, widest}
    things = discs + corners
    for i, (p, r) in enumerate(things):
        for q, s in things[i + 1 :]:
            d = math.hypot(q[0] - p[0], q[1] - p[1])
            if d < 1e-12:
                continue
            angle = math.atan2(q[1] - p[1], q[0] - p[0])
            for reach in {r + s, r - s, s - r, -r - s}:
                if abs(reach) <= d:
                    lean = math.asin(reach / d)
                    for back in (0.0, math.pi):
                        turn = (angle + lean + back - centre + math.pi) % (2 * math.pi) - math.pi
                        if -widest < turn < widest:
                            turns.add(turn)
    order = sorted(turns)
    for low, high in itertools.pairwise(order):
        if high - low < 1e-12:
            continue
        angle = centre + (low + high) / 2
        c, s = math.cos(angle), math.sin(angle)
        spans = []
        for base in (one, other):
            marks = [(-x * s + y * c, r) for (x, y), r in _ends(base)]
            spans.append((min(m - r for m, r in marks), max(m + r for m, r in marks)))
        floor, roof = max(a for a, _ in spans), min(b for _, b in spans)
        if floor >= roof:
            continue
        cuts = sorted({floor, roof, *(-x * s + y * c for (x, y), _ in corners if floor < -x * s + y * c < roof)})
        for left, right in itertools.pairwise(cuts):
            if right - left > 1e-12 and _line_is_free(one, other, polygons, angle, (left + right) / 2):
                return True
    return False


def _line_is_free(one: Base, other: Base, polygons: list[list[Spot]], angle: float, offset: float) -> bool:
    """Whether the line of a direction and offset is free between the near ends of the two bases."""
    c, s = math.cos(angle), math.sin(angle)
    start, stop = _chord(one, c, s, offset)[1], _chord(other, c, s, offset)[0]
    for polygon in polygons:
        met: list[float] = []
        for a, b in zip(polygon, polygon[1:] + polygon[:1], strict=True):
            oa, ob = -a[0] * s + a[1] * c - offset, -b[0] * s + b[1] * c - offset
            if (oa > 0) != (ob > 0):
                t = oa / (oa - ob)
                met.append((a[0] + t * (b[0] - a[0])) * c + (a[1] + t * (b[1] - a[1])) * s)
        met.sort()
        for near, far in zip(met[::2], met[1::2], strict=False):
            if min(far, stop) - max(near, start) > 0:
                return False
    return True


def _chord(base: Base, c: float, s: float, offset: float) -> tuple[float, float]:
    """Where a line enters and leaves a base, along its direction."""
    if not base.corners:
        x, y = float(base.at[0]), float(base.at[1])
        half = math.sqrt(max(0.0, float(base.r) ** 2 - (-x * s + y * c - offset) ** 2))
        return x * c + y * s - half, x * c + y * s + half
    met: list[float] = []
    hull = [p for p, _ in _ends(base)]
    for a, b in zip(hull, hull[1:] + hull[:1], strict=True):
        oa, ob = -a[0] * s + a[1] * c - offset, -b[0] * s + b[1] * c - offset
        if (oa > 0) != (ob > 0):
            t = oa / (oa - ob)
            met.append((a[0] + t * (b[0] - a[0])) * c + (a[1] + t * (b[1] - a[1])) * s)
    return (min(met), max(met)) if met else (0.0, 0.0)
