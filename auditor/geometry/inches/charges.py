"""Charges: how far apart two units stand, and whether a move goes towards a unit. Source: Calixtus 2.9, CLX-ASLT-01."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from auditor.geometry.effort import count
from auditor.geometry.inches.lengths import ZERO, Length
from auditor.geometry.inches.shapes import NEAR, Circle, Point, Shape, about_gap, distance, gap, squared

Round = tuple[Point, Fraction]


def nearest(shapes: Sequence[Shape], others: Sequence[Shape]) -> tuple[Length, int, int]:
    """The smallest gap between one of `shapes` and one of `others`, and which two these are; of equal ones the first.

    Raises ValueError where a list is empty.
    """
    count(len(shapes) * len(others))
    about = [(about_gap(a, b), i, j) for i, a in enumerate(shapes) for j, b in enumerate(others)]
    least = min(about)[0]
    close = sorted((i, j) for far, i, j in about if far <= least + NEAR)
    return min(((gap(shapes[i], others[j]), i, j) for i, j in close), key=lambda one: one[0])


@dataclass(frozen=True, slots=True)
class _Ray:
    """A ray from a point that just touches a round: its direction is (x + u sqrt(d), y + v sqrt(d)), times sqrt(n)."""

    x: Fraction
    u: Fraction
    y: Fraction
    v: Fraction
    d: Fraction
    n: Fraction

    def _length(self, rational: Fraction, factor: Fraction) -> Length:
        if self.n == 1:
            return Length(rational, ((factor, self.d),))
        return Length(ZERO, ((rational, self.n),))

    def left_of(self, x: Fraction, y: Fraction) -> Length:
        """How far (x, y), seen from the start of the ray, lies to the left of its line."""
        return self._length(self.x * y - self.y * x, self.u * y - self.v * x)

    def along(self, x: Fraction, y: Fraction) -> Length:
        """How far (x, y) lies along the ray."""
        return self._length(self.x * x + self.y * y, self.u * x + self.v * y)


def _tangents(start: Point, one: Round) -> tuple[_Ray, _Ray]:
    """The rays from `start`, which lies outside it, that touch a round on its right and on its left side."""
    (cx, cy), r = one
    x, y = cx - start.x, cy - start.y
    far = x * x + y * y
    if r == 0:
        ray = _Ray(x, ZERO, y, ZERO, ZERO, 1 / far)
        return ray, ray
    d = far - r * r
    # Of length `far`, so it is divided by that: sqrt(d) (x, y) -+ r (-y, x).
    right = _Ray(r * y / far, x / far, -r * x / far, y / far, d, Fraction(1))
    left = _Ray(-r * y / far, x / far, r * x / far, y / far, d, Fraction(1))
    return right, left


def misses(start: Point, end: Point, others: Iterable[Shape]) -> Length | None:
    """By how much a move fails to go towards some bases: its length times the sine of the angle by which the move,
    prolonged, misses their convex hull (its whole length where that is a right angle or more); None where it meets it.

    A move of no length meets everything.
    """
    count(20)
    dx, dy = end.x - start.x, end.y - start.y
    if not dx and not dy:
        return None
    rounds: list[Round] = []
    for shape in others:
        if isinstance(shape, Circle):
            rounds.append((shape.centre, shape.radius))
        else:
            rounds += [(corner, ZERO) for corner in shape.corners]
    count(8 * len(rounds))
    for (x, y), r in rounds:
        wx, wy = x - start.x, y - start.y
        if wx * wx + wy * wy <= r * r:
            return None
        across = dx * wy - dy * wx
        if dx * wx + dy * wy >= 0 and across * across <= r * r * (dx * dx + dy * dy):
            return None
    edges = _edges_of_sight(start, rounds)
    if edges is None:
        return None
    right, left = edges
    past_right, past_left = right.left_of(dx, dy), left.left_of(dx, dy)
    if past_right > 0 and past_left < 0:
        return None  # Between the two, which are opposite where the move begins on a side of the hull.
    whole = distance(start, end)
    return min(abs(ray.left_of(dx, dy)) if ray.along(dx, dy) > 0 else whole for ray in edges)


def _edges_of_sight(start: Point, rounds: Sequence[Round]) -> tuple[_Ray, _Ray] | None:
    """The rays from a point along the right and the left edge of the convex hull of some rounds, none of which holds
    the point; None where the point lies inside the hull."""
    found: list[_Ray] = []
    for side in (0, 1):
        for one in sorted(rounds, key=lambda r: squared(start, r[0])):
            count(10 * len(rounds))
            ray = _tangents(start, one)[side]
            # Seen along the right edge no round reaches to its right, along the left edge none to its left.
            if all((ray.left_of(x - start.x, y - start.y) * (1 - 2 * side) - r).sign() >= 0 for (x, y), r in rounds):
                found.append(ray)
                break
        else:
            return None
    return found[0], found[1]
