"""Facings and arcs: on which side of a unit something lies, and by how much.

A facing is a direction (dx, dy), which need not have length 1: a unit that moved or shot faces along an exact vector;
one that was placed with a facing in degrees faces along `shapes.rotation`. Source: Calixtus catalogue 2.8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Literal

from auditor.geometry.inches.lengths import Length, root
from auditor.geometry.inches.shapes import Point, Polygon, centroid, convex_hull, distance, turn

Arc = Literal["front", "side", "rear"]
Direction = tuple[Fraction, Fraction]

ORDER: tuple[Arc, ...] = ("front", "side", "rear")


@dataclass(frozen=True, slots=True)
class Bearing:
    """The arc in which a point lies, and its distance from the nearest ray that bounds the arc.

    `across`: the arc on the other side of that ray.
    """

    arc: Arc
    margin: Length
    across: Arc


def mean(points: Sequence[Point]) -> Point:
    """The reference point of a unit: the mean of its base centres."""
    return Point(_mean([p.x for p in points]), _mean([p.y for p in points]))


def _mean(numbers: Sequence[Fraction]) -> Fraction:
    """Over their common denominator, so that one number is brought to its lowest terms and not each sum."""
    scale = lcm(*(number.denominator for number in numbers))
    return Fraction(sum(number.numerator * (scale // number.denominator) for number in numbers), scale * len(numbers))


def _whole(facing: Direction, at: Point, of: Point) -> tuple[int, int, int, int]:
    """In whole numbers: how far a point lies along a facing and across it, both times the length of the facing, the
    square of that length, and by what the first two are to be divided to be in inches."""
    (fx, fy), bx, by = facing, of.x - at.x, of.y - at.y
    one, other = lcm(fx.denominator, fy.denominator), lcm(bx.denominator, by.denominator)
    x, y = fx.numerator * (one // fx.denominator), fy.numerator * (one // fy.denominator)
    u, v = bx.numerator * (other // bx.denominator), by.numerator * (other // by.denominator)
    return x * u + y * v, x * v - y * u, x * x + y * y, other


def quarters(facing: Direction, at: Point, of: Point) -> Bearing:
    """The arc of a unit at `at` in which `of` lies: front to 45 degrees, side to 135, rear beyond.

    On a ray the arc nearer to the front counts. A point at `at` itself lies in the front with no margin.
    """
    dot, cross, norm, scale = _whole(facing, at, of)
    side = abs(cross)
    if norm == 0:
        raise ValueError("a facing has a direction")
    # The rays lie at 45 degrees to the facing: the distance from one is |dot -+ cross| / sqrt(2) / |facing|.
    under = 2 * norm * scale * scale
    if dot >= side:
        return Bearing("front", root(Fraction((dot - side) ** 2, under)), "side")
    if -dot > side:
        return Bearing("rear", root(Fraction((dot + side) ** 2, under)), "side")
    if dot >= 0:
        return Bearing("side", root(Fraction((dot - side) ** 2, under)), "front")
    return Bearing("side", root(Fraction((dot + side) ** 2, under)), "rear")


def halves(facing: Direction, at: Point, of: Point) -> Bearing:
    """The same where the front goes to 90 degrees and the rear is the rest."""
    dot, _, norm, scale = _whole(facing, at, of)
    if norm == 0:
        raise ValueError("a facing has a direction")
    margin = root(Fraction(dot * dot, norm * scale * scale))
    return Bearing("front", margin, "rear") if dot >= 0 else Bearing("rear", margin, "front")


def hull_rays(local: Polygon) -> tuple[Point, Point, Point, Point]:
    """The four corners of a hull that bound its arcs, in local coordinates: front left, rear left, rear right, front
    right. Of a hull with more or fewer than four corners, those of the box around it."""
    corners = convex_hull(local.corners)
    if len(corners) == 4:
        centre = centroid(local)
        ahead = sorted(corners, key=lambda c: (-c.x, c.y))
        front, rear = sorted(ahead[:2], key=lambda c: -c.y), sorted(ahead[2:], key=lambda c: -c.y)
        if front[0].y > centre.y > front[1].y and rear[0].y > centre.y > rear[1].y:
            return front[0], rear[0], rear[1], front[1]
    left, right = min(c.x for c in corners), max(c.x for c in corners)
    low, high = min(c.y for c in corners), max(c.y for c in corners)
    return Point(right, high), Point(left, high), Point(left, low), Point(right, low)


def diagonals(at: Point, rays: Sequence[Point], of: Point, armour: Sequence[int]) -> Bearing:
    """The arc of a vehicle in which `of` lies: rays from the centroid `at` through four points bound front, sides, rear.

    rays    front left, rear left, rear right, front right, as they stand on the table
    armour  of front, side and rear: a point on a ray counts for the better of the two, the first where they are equal
    """
    found: list[Arc] = []
    spans: tuple[tuple[Arc, Point, Point], ...] = (
        ("front", rays[3], rays[0]),
        ("side", rays[0], rays[1]),
        ("rear", rays[1], rays[2]),
        ("side", rays[2], rays[3]),
    )
    for arc, start, end in spans:
        if _within_angle(at, start, end, of):
            found.append(arc)
    arc = max(found or ["front"], key=lambda name: (armour[ORDER.index(name)], -ORDER.index(name)))
    margins: list[tuple[Length, Arc]] = []
    for i, ray in enumerate(rays):
        beside: tuple[Arc, Arc] = (spans[i][0], spans[(i + 1) % 4][0])
        if arc in beside:
            margins.append((_from_ray(at, ray, of), beside[0] if beside[1] == arc else beside[1]))
    margin, across = min(margins, key=lambda one: one[0])
    return Bearing(arc, margin, across)


def _within_angle(at: Point, start: Point, end: Point, of: Point) -> bool:
    """Whether `of` lies in the closed angle from one ray round counter-clockwise to another, less than 180 degrees."""
    return turn(at, start, of) >= 0 and turn(at, of, end) >= 0


def _from_ray(at: Point, through: Point, of: Point) -> Length:
    """The distance of a point from a ray."""
    vx, vy = through.x - at.x, through.y - at.y
    wx, wy = of.x - at.x, of.y - at.y
    if vx * wx + vy * wy <= 0:
        return distance(at, of)
    return root((vx * wy - vy * wx) ** 2 / (vx * vx + vy * vy))


def opposed(target: Point, one: Point, other: Point) -> bool:
    """Whether two points lie in directions from `target` that differ by more than 135 degrees."""
    ax, ay = one.x - target.x, one.y - target.y
    bx, by = other.x - target.x, other.y - target.y
    dot, cross = ax * bx + ay * by, ax * by - ay * bx
    return -dot > abs(cross)


def off_quarter(facing: Direction, at: Point, of: Point, arc: Arc) -> Length:
    """How far a point lies from an arc of `quarters`; 0 where it lies in it."""
    if quarters(facing, at, of).arc == arc:
        return Length(Fraction(0))
    dot, cross, norm, scale = _whole(facing, at, of)
    side, under = abs(cross), 2 * norm * scale * scale
    ahead, behind = root(Fraction((dot - side) ** 2, under)), root(Fraction((dot + side) ** 2, under))
    if arc == "side":
        return ahead if dot >= side else behind
    if (arc == "front" and dot >= -side) or (arc == "rear" and dot <= side):
        return ahead if arc == "front" else behind
    return distance(at, of)
