"""What the second opinion measures: floats choose what is measured, and the measure is the same as if all had been."""

from __future__ import annotations

from decimal import Decimal
from itertools import product
from random import Random

import pytest

from auditor.conformance.clx.inches import (
    NONE,
    Base,
    Point,
    Segment,
    between_segments,
    connected,
    edges,
    gap,
    least_gap,
    meet,
    stand,
    to_segment,
    way_gap,
)

HULL = {"shape": "poly", "pts": [[2.25, 1.5], [-2.25, 1.5], [-2.25, -1.5], [2.25, -1.5]]}


def point(rng: Random, most: int = 12) -> Point:
    """A place of whole, half or any thousandths of inches: often on a line with others."""
    parts = rng.choice((1, 2, 1000))
    x, y = (Decimal(rng.randint(0, most * parts)) / parts for _ in range(2))
    return x, y


def base(rng: Random) -> Base:
    """A round base or a hull."""
    if rng.random() < 0.5:
        return Base(point(rng), Decimal(rng.choice(("0.5", "0.75", "1.25"))))
    return stand(HULL, point(rng), rng.choice((0, 90, 45, 33.3)))


def one_by_one(one: Segment, other: Segment) -> Decimal:
    """How far two segments are from each other, all four ends measured."""
    if meet(*one, *other):
        return NONE
    return min(*(to_segment(p, *other) for p in one), *(to_segment(p, *one) for p in other))


@pytest.mark.parametrize("seed", range(60))
def test_the_nearest_of_many_segments_is_as_near_as_the_nearest_of_all_pairs(seed):
    rng = Random(seed)
    some, others = ([(point(rng), point(rng)) for _ in range(rng.randint(1, 4))] for _ in range(2))
    some.append((some[0][0], some[0][0]))
    assert between_segments(some, others) == min(one_by_one(*pair) for pair in product(some, others))


@pytest.mark.parametrize("seed", range(60))
def test_the_least_gap_of_many_bases_is_the_least_of_all_pairs(seed):
    rng = Random(seed)
    some, others = ([base(rng) for _ in range(rng.randint(1, 5))] for _ in range(2))
    assert least_gap(some, others) == min(gap(*pair) for pair in product(some, others))


@pytest.mark.parametrize("seed", range(20))
def test_two_hulls_are_as_far_apart_as_their_sides(seed):
    rng = Random(seed)
    one, other = (stand(HULL, point(rng, 20), rng.choice((0, 90, 20.5))) for _ in range(2))
    assert way_gap(one, [one.at], other) == min(
        one_by_one(*pair) for pair in product(*map(edges, (one.corners, other.corners)))
    )


def test_bases_exactly_two_inches_apart_are_connected_and_those_a_hair_farther_are_not():
    half = Decimal("0.5")
    row = [Base((Decimal(3 * n), NONE), half) for n in range(3)]
    assert connected(row)
    assert not connected([*row, Base((Decimal("9.0000000001"), NONE), half)])
