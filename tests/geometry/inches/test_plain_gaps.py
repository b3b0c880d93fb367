"""Gaps of hulls, and the chains that they make, against the plain method: all pairs, in fractions."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cmp_to_key
from itertools import combinations
from typing import Any

import networkx
import pytest

from auditor.geometry.inches.coherency import chain
from auditor.geometry.inches.shapes import (
    Circle,
    Point,
    Polygon,
    gap,
    placed,
    polygon,
    segments_meet,
    squared_polygons,
    squared_to_segment,
    where_in,
)

HULL = polygon([(2, 1), (-2, 1), (-2, -1), (2, -1)])
WEDGE = polygon([(2, 0), (-1, "3/2"), ("-3/7", 0), (-1, "-3/2")])
HEADINGS = (0, 90, 180, 270, 0, 90, 45, 30, Fraction(7, 3))


def plain(one: Polygon, other: Polygon) -> Fraction:
    """The squared distance of two polygons by all their sides."""
    if where_in(one.corners[0], other) >= 0 or where_in(other.corners[0], one) >= 0:
        return Fraction(0)
    if any(segments_meet(*here, *there) for here in one.edges() for there in other.edges()):
        return Fraction(0)
    return min(
        squared_to_segment(corner, a, b)
        for here, there in ((one, other), (other, one))
        for corner in here.corners
        for a, b in there.edges()
    )


def hull(chance: random.Random, step: Fraction, wide: int) -> Polygon:
    place = Point(*(step * chance.randrange(wide) for _ in range(2)))
    return placed(chance.choice((HULL, WEDGE)), place, Fraction(chance.choice(HEADINGS)))


@pytest.mark.parametrize("step", [Fraction(1), Fraction(1, 2), Fraction(7, 100), Fraction(10**9 + 7, 10**9)])
def test_two_hulls_are_as_far_apart_as_all_their_sides_say(step: Fraction) -> None:
    chance = random.Random(int(step * 100))
    met = 0
    for _ in range(100):
        one, other = (hull(chance, step, int(10 / step)) for _ in range(2))
        far = plain(one, other)
        assert squared_polygons(one, other) == squared_polygons(other, one) == far
        met += far == 0
    assert 0 < met < 100


def test_hulls_at_long_places_and_with_many_corners_are_measured_alike() -> None:
    """What is not kept is measured in the same way."""
    chance = random.Random(3)
    for _ in range(10):
        one, other = (
            polygon(
                (x + Fraction(chance.randrange(1, 10**12), chance.randrange(10**12, 10**13)), y)
                for x, y in [(off, 0), (off + 2, 0), (off + 3, 2), (off + 2, 5), (off, 4)]
            )
            for off in (0, chance.randrange(2, 6))
        )
        assert squared_polygons(one, other) == plain(one, other)
    many = polygon([(n, n * n) for n in range(-12, 13)])
    assert squared_polygons(many, HULL) == plain(many, HULL) == 0
    aside = placed(HULL, Point(Fraction(9), Fraction(1, 3)))
    assert squared_polygons(many, aside) == plain(many, aside) > 0


def plain_chain(bases: dict[Any, Any]) -> list[tuple[Any, Any]]:
    """The links of a chain: every pair compared with every other, exactly, and of equal pairs the first."""
    pairs = list(combinations(bases, 2))
    gaps = [gap(bases[a], bases[b]) for a, b in pairs]
    together = networkx.utils.UnionFind(bases)
    links = []

    def compare(one: int, other: int) -> int:
        return (gaps[one] - gaps[other]).sign() or one - other

    for n in sorted(range(len(pairs)), key=cmp_to_key(compare)):
        a, b = pairs[n]
        if together[a] != together[b]:
            together.union(a, b)
            links.append((a, b))
    return links


@pytest.mark.parametrize("kind", ["rows of hulls", "hulls anywhere", "hulls and bases", "bases of two sizes"])
def test_a_chain_is_that_of_all_pairs_compared_exactly(kind: str) -> None:
    chance = random.Random(len(kind))
    for _ in range(25):
        bases: dict[Any, Any] = {}
        for n in range(chance.randrange(2, 10)):
            if kind == "rows of hulls":
                place = Point(Fraction(5 * (n % 3)), Fraction(5 * (n // 3)))
                bases[f"m{n}"] = placed(HULL, place, Fraction(90 * chance.randrange(2)))
            elif kind == "bases of two sizes" or (kind == "hulls and bases" and n % 2):
                place = Point(*(Fraction(chance.randrange(14), 2) for _ in range(2)))
                bases[f"m{n}"] = Circle(place, Fraction(chance.choice((1, 2)), 2))
            else:
                bases[f"m{n}"] = hull(chance, Fraction(5, 2), 8)
        held = chain(bases)
        links = plain_chain(bases)
        assert list(held.links) == links
        assert held.between == links[-1]
        assert held.widest == gap(*(bases[name] for name in links[-1]))
