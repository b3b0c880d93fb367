"""The grid itself: corners, symmetries, hexagons around hexes, and where a ray lies in a hex."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from auditor.geometry.hexes import SYMMETRIES, corridor, disc, hexes_at, steps
from auditor.geometry.lines import Field, span
from auditor.geometry.paths import around
from tests.geometry import oracle


def test_three_hexes_meet_in_a_corner_and_in_no_other_point():
    hexes = disc(7)
    for point in product(range(-7, 8), repeat=2):
        meeting = {h for h in hexes if point in oracle.corners(h)}
        if meeting:
            assert set(hexes_at(point)) == meeting and len(meeting) == 3, point
        else:
            with pytest.raises(ValueError, match="is no corner"):
                hexes_at(point)


def test_a_corridor_holds_all_within_two_hexes_of_both_its_ends():
    for target in disc(6):
        assert {*disc(2), *disc(2, target)} <= corridor(target), target


def test_the_grid_is_laid_onto_itself_in_twelve_ways():
    marked = [(1, 0), (3, 1)]
    assert len({tuple(way(h) for h in marked) for way in SYMMETRIES}) == 12
    for way in SYMMETRIES:
        assert all(steps(way(a), way(b)) == steps(a, b) for a, b in product(disc(2), repeat=2))


@pytest.mark.parametrize("hexes", [[(0, 0)], [(2, -1), (-1, 3)], [(0, -3), (3, 0), (-2, -2)], [(5, 5), (6, 4)]])
def test_around_some_hexes_lie_those_of_the_smallest_hexagon_grown(hexes):
    def within(h, margin):
        parts = [(q, r, q + r) for q, r in hexes]
        return all(
            min(part[i] for part in parts) - margin <= (*h, sum(h))[i] <= max(part[i] for part in parts) + margin
            for i in range(3)
        )

    for margin in (0, 1, 2):
        found = around(hexes, margin)
        assert len(found) == len(set(found))
        assert set(found) == {h for h in product(range(-12, 13), repeat=2) if within(h, margin)}


def ray_in(direction, target):
    """From where to where a ray from (0, 0) lies in a hex or on its border, or None: three strips, one by one."""
    low, high = Fraction(0), None
    x, y = oracle.centre(target)
    for a, b in ((1, -1), (1, 2), (2, 1)):
        slope, middle = a * direction[0] + b * direction[1], a * x + b * y
        if slope == 0:
            if abs(middle) > 3:
                return None
            continue
        one, two = sorted((Fraction(middle - 3, slope), Fraction(middle + 3, slope)))
        low, high = max(low, one), two if high is None else min(high, two)
    return (low, high) if low <= high else None


def test_a_ray_lies_in_a_hex_from_where_to_where_three_strips_say():
    missed = 0
    for direction in [point for point in product(range(-4, 5), repeat=2) if point != (0, 0)]:
        for target in disc(4):
            wanted = ray_in(direction, target)
            if wanted is None:
                missed += 1
                with pytest.raises(ValueError, match="misses the hex"):
                    span(direction, target)
            else:
                assert span(direction, target) == wanted, (direction, target)
    assert missed > 1000


@pytest.mark.parametrize(("row", "aside"), [(0, 0), (3, 0), (30, 0), (40, 0), (40, 30)])
def test_what_is_out_of_reach_is_too_far_for_the_hexes_on_the_way(row, aside):
    """A row of hexes reaches twice as far as it is long and two further; hexes elsewhere do not help a long line."""
    field = Field([*((q, 0) for q in range(row)), *((0, 500 + n) for n in range(aside))], ())
    for far in range(65 if aside else 1, 100):
        assert field.out_of_reach((0, 0), (far, 0)) == (far > 2 * row + 2), far
    assert not Field(None, ()).out_of_reach((0, 0), (10_000, 0))
