"""Second methods for the inches: slower, and by other means than what they hold to account.

Roots are taken in decimals of 120 places. Sight is decided for polygons alone, by every line through two corners and
a cut of each line at every side, in fractions; round bases are enclosed between polygons inside and outside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, pairwise
from math import pi, tan
from typing import Any

from hypothesis import strategies as st

from auditor.geometry.inches.shapes import Circle, Point, Polygon, point, polygon

PLACES = 120


def decimal_of(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def value_of(rational: Fraction, roots: Iterable[tuple[Fraction, Fraction]]) -> Decimal:
    """A sum of roots to 120 places."""
    with localcontext() as context:
        context.prec = PLACES
        return decimal_of(rational) + sum(
            (decimal_of(factor) * decimal_of(radicand).sqrt() for factor, radicand in roots), start=Decimal(0)
        )


def turned(p: Point, c: Fraction = Fraction(3, 5), s: Fraction = Fraction(4, 5)) -> Point:
    """A point turned about the origin by an exact angle."""
    return Point(c * p.x - s * p.y, s * p.x + c * p.y)


def turned_shape(shape: Circle | Polygon) -> Any:
    if isinstance(shape, Circle):
        return Circle(turned(shape.centre), shape.radius)
    return Polygon(tuple(turned(corner) for corner in shape.corners))


def mirrored(shape: Circle | Polygon) -> Any:
    if isinstance(shape, Circle):
        return Circle(Point(-shape.centre.x, shape.centre.y), shape.radius)
    return Polygon(tuple(Point(-x, y) for x, y in reversed(shape.corners)))


# -- things to try -------------------------------------------------------------------------------------------------

hundredths = st.integers(-2000, 2000).map(lambda n: Fraction(n, 100))
"""Coordinates as players write them."""
lattice = st.integers(-12, 12).map(Fraction)
"""Coordinates that often meet exactly."""
coordinates = st.one_of(lattice, hundredths)
points = st.builds(point, coordinates, coordinates)
by_a_hair = st.sampled_from([Fraction(0), Fraction(1, 10**12), Fraction(-1, 10**12), Fraction(1, 10**7)])
"""What floats cannot tell from nothing, and what they just can."""
radii = st.sampled_from([Fraction(1, 2), Fraction(63, 100), Fraction(1), Fraction(5, 4), Fraction(2)])
circles = st.builds(Circle, points, radii)


def boxes(at: Any = lattice) -> Any:
    sizes = st.integers(1, 6)
    return st.builds(lambda x, y, w, h: polygon([(x, y), (x + w, y), (x + w, y + h), (x, y + h)]), at, at, sizes, sizes)


@st.composite
def simple_polygons(draw: Any) -> Polygon:
    """Triangles, boxes, and polygons with a corner that points inwards."""
    for _ in range(20):
        corners = draw(st.lists(st.builds(point, lattice, lattice), min_size=3, max_size=5, unique=True))
        try:
            return polygon(corners)
        except ValueError:
            continue
    return draw(boxes())


# -- sight ---------------------------------------------------------------------------------------------------------


def ring(circle: Circle, n: int, outside: bool) -> Polygon:
    """A polygon of n corners inside a circle, or one that holds it, by rational points of the circle."""
    corners = []
    for i in range(n):
        t = Fraction(round(tan((2 * pi * i / n - pi) / 2 * 0.9999) * 1000), 1000)
        c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
        corners.append((c, s))
    scale = circle.radius
    if outside:
        # Every edge of the inner ring lies further out than this part of the radius.
        nearest = min(
            ((corners[i - 1][0] + corners[i][0]) / 2) ** 2 + ((corners[i - 1][1] + corners[i][1]) / 2) ** 2
            for i in range(n)
        )
        scale = circle.radius / nearest  # nearest < 1 is a square, so this is more than enough
    return Polygon(tuple(Point(circle.centre.x + scale * c, circle.centre.y + scale * s) for c, s in corners))


def polygons_see(a: Polygon, b: Polygon, blockers: Sequence[Polygon]) -> bool:
    """Whether some segment between two convex polygons passes outside every blocker, by every pair of corners."""
    corners = [*a.corners, *b.corners, *(corner for blocker in blockers for corner in blocker.corners)]
    for p, q in combinations(dict.fromkeys(corners), 2):
        ends_a, ends_b = chord(p, q, a), chord(p, q, b)
        if ends_a is None or ends_b is None:
            continue
        if ends_a[0] > ends_b[0]:
            ends_a, ends_b = ends_b, ends_a
        start, end = ends_a[1], ends_b[0]
        if start >= end or not any(runs_inside(p, q, start, end, blocker) for blocker in blockers):
            return True
    return False


def chord(p: Point, q: Point, area: Polygon) -> tuple[Fraction, Fraction] | None:
    """Where the line through p and q comes to a convex polygon and leaves it, counted from p in units of q - p."""
    met = sorted(cuts(p, q, area))
    return (met[0], met[-1]) if met else None


def cuts(p: Point, q: Point, area: Polygon) -> set[Fraction]:
    """All places at which a line meets the sides of a polygon, the ends of sides along it included."""
    dx, dy = q.x - p.x, q.y - p.y
    span = dx * dx + dy * dy
    found: set[Fraction] = set()
    for c, d in area.edges():
        at_c, at_d = dx * (c.y - p.y) - dy * (c.x - p.x), dx * (d.y - p.y) - dy * (d.x - p.x)
        if at_c == 0:
            found.add(((c.x - p.x) * dx + (c.y - p.y) * dy) / span)
        if at_c * at_d < 0:
            k = at_c / (at_c - at_d)
            x, y = c.x + k * (d.x - c.x), c.y + k * (d.y - c.y)
            found.add(((x - p.x) * dx + (y - p.y) * dy) / span)
    return found


def lies_in(p: Point, area: Polygon) -> int:
    """1, 0 or -1 for a point inside a polygon, on its boundary or outside: by the sides to its right, in fractions."""
    inside = False
    for a, b in area.edges():
        across = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)
        if across == 0 and (a.x - p.x) * (b.x - p.x) <= 0 and (a.y - p.y) * (b.y - p.y) <= 0:
            return 0
        if (a.y > p.y) != (b.y > p.y) and p.x < a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y):
            inside = not inside
    return 1 if inside else -1


def runs_inside(p: Point, q: Point, start: Fraction, end: Fraction, area: Polygon) -> bool:
    """Whether some stretch of a line between two places lies inside a polygon: the middles of all pieces are tried."""
    places = sorted({start, end, *(t for t in cuts(p, q, area) if start < t < end)})
    for low, high in pairwise(places):
        t = (low + high) / 2
        if lies_in(Point(p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)), area) > 0:
            return True
    return False
