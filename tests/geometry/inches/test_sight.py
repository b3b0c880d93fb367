"""Sight between bases: the borders, a second method, and the properties that sight owes us."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.geometry.inches.shapes import Circle, Polygon, gap, overlap, point, polygon
from auditor.geometry.inches.sight import Blocker, Ground, grown, with_margin
from tests.geometry.inches.second import (
    boxes,
    circles,
    mirrored,
    polygons_see,
    radii,
    ring,
    simple_polygons,
    turned_shape,
)
from tests.shares import tries

FEW = settings(deadline=None, max_examples=tries(60), suppress_health_check=list(HealthCheck))
blockers_of_all_kinds = st.lists(simple_polygons(), min_size=1, max_size=4)


def base(x: Any, y: Any, r: Any = "0.5") -> Circle:
    return Circle(point(x, y), Fraction(r))


def box(x0: Any, y0: Any, x1: Any, y1: Any) -> Polygon:
    return polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def ground(*areas: Polygon) -> Ground:
    return Ground(Blocker(area) for area in areas)


A, B = base(0, 0), base(20, 0)


@pytest.mark.parametrize(
    ("areas", "seen"),
    [
        ([], True),
        ([box(8, -5, 9, 5)], False),
        ([box(8, "-0.5", 9, "0.5")], True),  # The outer tangents run along its sides.
        ([box(8, "-0.501", 9, "0.5")], True),
        ([box(8, "-0.501", 9, "0.501")], False),
        (
            [box(8, "-0.500000000001", 9, "0.500000000001")],
            False,
        ),  # The line along its side misses the bases by a hair.
        ([box(8, -5, 9, "-0.0005"), box(8, "0.0005", 9, 5)], True),  # A gap one thousandth wide.
        ([box(8, -5, 9, 0), box(8, 0, 9, 5)], True),  # They touch: the line runs between them, inside neither.
        ([box(8, -5, 9, "0.001"), box(8, "-0.001", 9, 5)], False),
        ([box(8, -5, 9, "0.4"), box(11, "0.4", 12, 5)], True),
        ([box(8, -5, 9, "0.4"), box(9, "0.4", 12, 5)], True),  # Corner to corner, along both their sides.
        ([box(8, -5, 9, "0.9"), box(11, "-0.9", 12, 5)], False),
        ([box(-1, -1, "0.2", 1)], True),  # The model stands in it.
        ([box(-3, -5, "-0.5", 5)], True),  # It touches the base from behind.
        ([box("0.5", -5, 3, 5)], False),  # It touches the base in front.
        ([box(30, -5, 31, 5)], True),
        # The middle line is stopped; what stands beside the way, with both its corners on one side, hides nothing.
        ([box(8, -5, 9, "0.1"), box("9.5", "0.6", 14, 3)], True),
    ],
)
def test_borders(areas: list[Polygon], seen: bool) -> None:
    scene = ground(*areas)
    assert scene.sees(A, B) is seen
    assert scene.sees_exactly(A, B) is seen
    assert scene.sees(B, A) is seen


def test_a_blocker_that_points_inwards_hides_only_where_it_is() -> None:
    horseshoe = polygon([(8, -5), (12, -5), (12, 5), (8, 5), (8, 4), (11, 4), (11, -4), (8, -4)])
    assert not ground(horseshoe).sees(A, B)
    assert ground(horseshoe).sees(A, base(9, 0))
    # Along the inner side of the horseshoe, and past its tip.
    assert ground(horseshoe).sees(base("10.5", 0), base("10.5", 3))
    # A slot: two teeth with nothing between them at y = 0, joined behind the bases.
    comb = polygon([(8, -5), (12, -5), (12, 0), (9, 0), (9, "0.2"), (12, "0.2"), (12, 5), (8, 5)])
    assert not ground(comb).sees(A, B)
    assert ground(comb).sees(base(10, "0.1", "0.1"), B)


@pytest.mark.parametrize("first", ["0.3", "0.1", "0"])
@pytest.mark.parametrize("second", ["-0.2", "-0.05", "-0.5"])
def test_a_line_through_two_gaps_of_no_width_is_found(first: str, second: str) -> None:
    """Twice two pieces touch at a corner, so that one line alone runs between them."""
    areas = [box(8, -9, 9, first), box(9, first, 10, 9), box(11, -9, 12, second), box(12, second, 13, 9)]
    a, b = base(0, 0, 3), base(20, 0, 3)
    for turn in (lambda shape: shape, mirrored, turned_shape, lambda shape: mirrored(turned_shape(shape))):
        assert ground(*map(turn, areas)).sees(turn(a), turn(b))
        assert ground(*map(turn, reversed(areas))).sees(turn(b), turn(a))
    lower = [*areas[:3], box(12, Fraction(second) - Fraction(1, 1000), 13, 9)]
    assert not ground(*lower).sees(a, b)


def test_tall_models_look_over_low_walls() -> None:
    wall = Ground([Blocker(box(8, -5, 9, 5), Fraction(2))])
    assert wall.sight(A, B, (Fraction(1), Fraction("1.5"))).visible is False
    assert wall.sight(A, B, (Fraction(3), Fraction(2))).visible is True
    assert wall.sight(A, B, (Fraction(3), Fraction(1))).visible is None
    assert wall.sight(A, B).visible is None
    assert Ground([Blocker(box(8, 3, 9, 5), Fraction(2))]).sight(A, B).visible is True


def test_what_stops_the_middle_line_is_named_from_near_to_far() -> None:
    scene = ground(box(12, -1, 13, "0.2"), box(8, -1, 9, "0.1"), box(8, 3, 9, 5))
    seen = scene.sight(A, B)
    assert seen.stops == (1, 0)
    assert seen.visible
    (_, y0), (_, y1) = seen.line
    assert (y0, y1) != (0.0, 0.0)


@given(st.lists(st.one_of(circles, boxes()), min_size=2, max_size=2), blockers_of_all_kinds)
@FEW
def test_sight_is_the_same_both_ways_turned_mirrored_and_without_floats(
    shapes: list[Any], areas: list[Polygon]
) -> None:
    a, b = shapes
    scene = ground(*areas)
    seen = scene.sees(a, b)
    assert scene.sees(b, a) is seen
    assert scene.sees_exactly(a, b) is seen
    assert ground(*map(turned_shape, areas)).sees(turned_shape(a), turned_shape(b)) is seen
    assert ground(*map(mirrored, areas)).sees(mirrored(a), mirrored(b)) is seen


@given(circles, circles, blockers_of_all_kinds)
@FEW
def test_without_a_blocker_more_is_seen_and_bigger_bases_see_more(a: Circle, b: Circle, areas: list[Polygon]) -> None:
    scene = ground(*areas)
    if scene.sees(a, b):
        for i in range(len(areas)):
            assert ground(*areas[:i], *areas[i + 1 :]).sees(a, b)
        wider = Circle(a.centre, a.radius + Fraction(1, 2))
        assert scene.sees(wider, b)


@given(boxes(), boxes(), blockers_of_all_kinds)
@FEW
def test_between_polygons_it_is_as_every_pair_of_corners_says(a: Polygon, b: Polygon, areas: list[Polygon]) -> None:
    between = [area for area in areas if not overlap(a, area) and not overlap(b, area)]
    expected = gap(a, b) <= 0 or polygons_see(a, b, between)
    assert ground(*areas).sees(a, b) is expected


@given(circles, circles, st.lists(simple_polygons(), min_size=1, max_size=2))
@settings(deadline=None, max_examples=tries(40), suppress_health_check=list(HealthCheck))
def test_round_bases_lie_between_polygons_inside_and_outside_them(a: Circle, b: Circle, areas: list[Polygon]) -> None:
    between = [area for area in areas if not overlap(a, area) and not overlap(b, area)]
    seen = ground(*areas).sees(a, b)
    inner = [ring(one, 8, outside=False) for one in (a, b)]
    outer = [ring(one, 8, outside=True) for one in (a, b)]
    if gap(*inner) <= 0 or polygons_see(inner[0], inner[1], between):
        assert seen
    if seen and gap(a, b) > 0 and not any(overlap(ring, area) for ring in outer for area in between):
        assert gap(*outer) <= 0 or polygons_see(outer[0], outer[1], between)


@given(st.randoms(use_true_random=False), radii)
@settings(deadline=None, max_examples=tries(40))
def test_no_segment_tried_at_random_is_free_where_nothing_is_seen(chance: random.Random, r: Fraction) -> None:
    a, b = Circle(point(0, 0), r), Circle(point(14, 1), r)
    areas = [
        box(x, y, x + chance.randint(1, 3), y + chance.randint(1, 6))
        for x, y in ((chance.randint(3, 9), chance.randint(-6, 2)) for _ in range(4))
    ]
    seen = ground(*areas).sees(a, b)
    for _ in range(60):
        p, q = (_inside(one, chance) for one in (a, b))
        free = not any(_sampled_inside(p, q, area) for area in areas)
        assert seen or not free


def _inside(circle: Circle, chance: random.Random) -> tuple[float, float]:
    while True:
        x, y = chance.uniform(-1, 1), chance.uniform(-1, 1)
        if x * x + y * y <= 1:
            return float(circle.centre.x) + x * circle.fr, float(circle.centre.y) + y * circle.fr


def _sampled_inside(p: tuple[float, float], q: tuple[float, float], area: Polygon) -> bool:
    """Whether a segment enters a box, by Liang and Barsky's clipping: another way than that of the package."""
    x0, y0, x1, y1 = area.box
    low, high = 0.0, 1.0
    for start, way, least, most in ((p[0], q[0] - p[0], x0, x1), (p[1], q[1] - p[1], y0, y1)):
        if way == 0:
            if not least < start < most:
                return False
            continue
        one, other = sorted(((least - start) / way, (most - start) / way))
        low, high = max(low, one), min(high, other)
    return low < high


def test_grown_blockers_hide_more_and_shrunk_ones_less() -> None:
    wall = [Blocker(box(8, "-0.45", 9, "0.45"))]
    by = Fraction("0.1")
    assert Ground(wall).sees(A, B)
    assert not Ground(with_margin(wall, by)).sees(A, B)
    assert Ground(with_margin(wall, -by)).sees(A, B)
    assert with_margin(wall, -Fraction(1, 2)) == []


@given(simple_polygons(), st.sampled_from([Fraction(1, 64), Fraction(1, 4)]))
@FEW
def test_a_grown_polygon_keeps_its_distance(area: Polygon, by: Fraction) -> None:
    made = grown(area, by)
    if made is None:
        return
    for corner in area.corners:
        spot = Circle(corner, by)
        assert all(gap(Circle(c, Fraction(1, 10**9)), area) > by - Fraction(1, 10**8) for c in made.corners)
        assert overlap(spot, made)
