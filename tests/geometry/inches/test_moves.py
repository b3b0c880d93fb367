"""Moves: lengths of paths, the one-inch zone, pivots, ground that is crossed; coherency, arcs and charges."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import networkx
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from auditor.geometry.inches.arcs import diagonals, halves, hull_rays, mean, off_quarter, opposed, quarters
from auditor.geometry.inches.charges import misses, nearest
from auditor.geometry.inches.coherency import chain, coherent
from auditor.geometry.inches.lengths import Length, root
from auditor.geometry.inches.moves import (
    centre_crosses,
    clearance,
    crosses,
    first_within,
    hull_passing,
    passing,
    path_length,
    pivots,
    swept,
    too_near,
    turned,
)
from auditor.geometry.inches.shapes import Circle, Point, Polygon, centroid, gap, overlap, placed, point, polygon
from tests.geometry.inches import second
from tests.geometry.inches.second import boxes, circles, points, radii, simple_polygons, turned_shape
from tests.shares import tries

MANY = settings(deadline=None, max_examples=tries(80))
paths = st.lists(points, min_size=2, max_size=4)
HULL = polygon([("2.25", "-1.5"), ("2.25", "1.5"), ("-2.25", "1.5"), ("-2.25", "-1.5")])
HALF = Fraction(1, 2)


def along(path: list[Point], steps: int = 40) -> list[Point]:
    """Points on a path, its corners among them."""
    return [
        Point(a.x + (b.x - a.x) * i / steps, a.y + (b.y - a.y) * i / steps)
        for a, b in pairwise(path)
        for i in range(steps + 1)
    ]


def test_the_catalogues_move_is_too_long_by_0_708() -> None:
    moved = path_length([point(10, 10), point(16, 13)])
    assert moved.shown() == "6.708"
    assert (moved - 6).shown() == "0.708"
    assert path_length([point(0, 0), point("3.6", "4.8")]) == 6


@given(paths)
@MANY
def test_a_path_is_as_long_turned_and_backwards(path: list[Point]) -> None:
    moved = path_length(path)
    assert moved == path_length(path[::-1]) == path_length([second.turned(p) for p in path])
    assert float(moved) == pytest.approx(sum(math.dist(map(float, a), map(float, b)) for a, b in pairwise(path)))


@pytest.mark.parametrize(("y", "near"), [("2", False), ("1.999", True), ("-2", False), ("0", True)])
def test_passing_at_one_inch_is_not_too_near(y: str, near: bool) -> None:
    path, enemy = [point(0, 0), point(10, 0)], Circle(point(5, y), HALF)
    assert too_near(path, HALF, [enemy]) == ([0] if near else [])
    assert (passing(path, HALF, enemy).least < 1) is near


def test_where_a_move_had_to_stop() -> None:
    enemy = Circle(point(5, 0), HALF)
    assert first_within([point(0, 0), point(10, 0)], HALF, enemy) == 3
    assert first_within([point(0, -3), point(0, 0), point(10, 0)], HALF, enemy) == 6
    assert first_within([point(0, 2), point(10, 2)], HALF, enemy) is None
    assert first_within([point(4, 0), point(0, 0)], HALF, enemy) == 0
    assert first_within([point(3, 0), point(0, 0)], HALF, enemy) is None
    slanting = first_within([point(0, 1), point(10, 1)], HALF, enemy)
    assert slanting is not None and slanting.shown() == "3.268"


@given(paths, radii, st.lists(st.one_of(circles, simple_polygons()), max_size=5))
@MANY
def test_no_point_of_a_path_is_nearer_than_its_nearest(path: list[Point], r: Fraction, others: list[Any]) -> None:
    near = too_near(path, r, others)
    for i, other in enumerate(others):
        passed = passing(path, r, other)
        assert (i in near) == (passed.least < 1)
        gaps = [gap(Circle(p, r), other) for p in along(path, 8)]
        assert passed.least <= min(gaps)
        assert (passed.start, passed.end) == (gaps[0], gaps[-1])
        line = shapely.LineString([tuple(map(float, p)) for p in path])
        shape = shapely.Point(other.fx, other.fy) if isinstance(other, Circle) else shapely.Polygon(other.floats)
        reach = float(r) + (other.fr if isinstance(other, Circle) else 0.0)
        assert float(passed.least) == pytest.approx(line.distance(shape) - reach, abs=1e-9)


@given(paths, radii, circles)
@MANY
def test_the_place_to_stop_is_at_one_inch_and_nothing_before_it_is_nearer(
    path: list[Point], r: Fraction, other: Circle
) -> None:
    stop = first_within(path, r, other)
    if stop is None:
        assert too_near(path, r, [other]) == []
        return
    assert 0 <= stop <= path_length(path)
    gone = 0.0
    for a, b in pairwise(path):
        far = math.dist(map(float, a), map(float, b))
        for i in range(20):
            if gone + far * i / 20 < float(stop) - 1e-6:
                p = Point(a.x + (b.x - a.x) * i / 20, a.y + (b.y - a.y) * i / 20)
                assert gap(Circle(p, r), other) >= 1
        gone += far


@given(boxes(), points, points, st.one_of(circles, simple_polygons()))
@MANY
def test_a_hull_sweeps_all_that_it_stands_on_along_a_leg(hull: Polygon, a: Point, b: Point, other: Any) -> None:
    area = swept(hull.moved_by(a.x, a.y), a, b)
    stands = [hull.moved_by(p.x, p.y) for p in along([a, b], 5)]
    least = min(gap(stand, other) for stand in stands)
    assert gap(area, other) <= least
    passed = hull_passing(hull, [a, b], [Fraction(0), Fraction(0)], other)
    assert passed.least <= least
    assert (passed.start, passed.end) == (gap(stands[0], other), gap(stands[-1], other))


def test_a_pivot_sweeps_its_corners() -> None:
    enemy = Circle(point(0, 4), HALF)
    turning = hull_passing(HULL, [point(0, 0), point(0, 0)], [Fraction(0), Fraction(90)], enemy)
    # The corner at 2.704 from the centre comes past y = 2.704 below the enemy's edge at 3.5.
    assert turning.least == Fraction(7, 2) - root(Fraction("2.25") ** 2 + Fraction("1.5") ** 2)
    assert turning.start == 2
    assert turning.end.shown() == "1.25"


@given(boxes(), points, st.integers(0, 359), st.integers(-180, 180), st.one_of(circles, simple_polygons()))
@settings(deadline=None, max_examples=tries(60))
def test_no_heading_within_a_pivot_is_nearer_than_its_nearest(
    box: Polygon, at: Point, before: int, way: int, other: Any
) -> None:
    middle = centroid(box)
    local = box.moved_by(-middle.x, -middle.y)
    turning = hull_passing(local, [at, at], [Fraction(before), Fraction(before + way)], other)
    tried = [gap(placed(local, at, before + Fraction(way * i, 24)), other) for i in range(25)]
    tiny = Fraction(1, 10**8)
    assert turning.least <= min(tried) + tiny
    # And some heading comes as near as that: a corner moves less than 0.2 inch between two of these.
    farthest = max(float(x * x + y * y) for x, y in local.corners) ** 0.5
    assert float(min(tried) - turning.least) <= farthest * math.radians(abs(way) / 48) + 1e-6


@pytest.mark.parametrize(
    ("headings", "repeated", "degrees"),
    [
        ((0, 90), False, [90]),
        ((0, 270), False, [90]),
        ((350, 10), False, [20]),
        ((0, 180), False, [180]),
        ((5, 5), False, []),
    ],
)
def test_a_pivot_goes_the_shorter_way(headings: tuple[int, int], repeated: bool, degrees: list[int]) -> None:
    path = [point(0, 0), point(4, 0)]
    assert pivots(path, [Fraction(h) for h in headings]) == degrees
    assert abs(turned(*map(Fraction, headings))) == sum(degrees)


def test_changes_at_one_place_are_one_pivot() -> None:
    path = [point(0, 0), point(0, 0), point(0, 0), point(4, 0), point(4, 4)]
    assert pivots(path, [Fraction(h) for h in (0, 45, 90, 0, 0)]) == [90, 90]


# -- ground ---------------------------------------------------------------------------------------------------------


def test_grazing_the_ground_is_not_crossing_it() -> None:
    wood = polygon([(4, 0), (8, 0), (8, 4), (4, 4)])
    assert not crosses([point(0, "4.5"), point(10, "4.5")], HALF, wood)
    assert crosses([point(0, "4.499"), point(10, "4.499")], HALF, wood)
    assert crosses([point(5, 1)], HALF, wood)
    assert not centre_crosses([point(0, 4), point(10, 4)], wood)
    assert centre_crosses([point(0, "3.999"), point(10, "3.999")], wood)
    assert clearance([point(0, 5), point(10, 5)], HALF, wood) == HALF


@given(paths, radii, simple_polygons())
@MANY
def test_a_base_that_stands_in_the_ground_on_its_way_crosses_it(
    path: list[Point], r: Fraction, ground: Polygon
) -> None:
    crossed = crosses(path, r, ground)
    assert crossed == (clearance(path, r, ground) < 0)
    if any(overlap(Circle(p, r), ground) for p in along(path, 10)):
        assert crossed
    if centre_crosses(path, ground):
        assert crossed


# -- coherency ------------------------------------------------------------------------------------------------------


def test_two_inches_hold_a_unit_together_and_a_thousandth_more_does_not() -> None:
    unit = {name: Circle(point(x, 0), HALF) for name, x in (("a", 0), ("b", 3), ("c", 6))}
    assert coherent(unit)
    unit["d"] = Circle(point("9.001", 0), HALF)
    held = chain(unit)
    assert held.widest is not None and held.widest == Fraction("2.001")
    assert held.between == ("c", "d")
    assert held.apart == ("d",)
    assert not coherent(unit)
    assert chain({"a": unit["a"]}).widest is None
    assert coherent({})


@given(st.lists(st.one_of(circles, boxes()), min_size=2, max_size=9), st.integers(0, 4))
@settings(deadline=None, max_examples=tries(60))
def test_the_widest_gap_is_the_least_limit_that_connects(shapes: list[Any], limit: int) -> None:
    unit = dict(enumerate(shapes))
    held = chain(unit)

    def connects(at_most: Length | int) -> bool:
        graph = networkx.Graph()
        graph.add_nodes_from(unit)
        graph.add_edges_from((a, b) for a, b in combinations(unit, 2) if gap(unit[a], unit[b]) <= at_most)
        return bool(networkx.is_connected(graph))

    assert held.widest is not None
    assert connects(held.widest)
    assert not connects(held.widest - Fraction(1, 10**9))
    assert coherent(unit, limit) == connects(limit)
    assert held.widest == chain(dict(enumerate(map(turned_shape, shapes)))).widest
    assert 2 * len(held.apart) <= len(unit)


# -- arcs -----------------------------------------------------------------------------------------------------------

EAST = (Fraction(1), Fraction(0))


@pytest.mark.parametrize("facing", [(Fraction(1), Fraction(0)), (Fraction(-3), Fraction(2))])
@pytest.mark.parametrize("of", [(5, 1), (5, 5), (2, 7), (-1, 7), (-7, 7), (-7, -2), (1, -4), (4, -3)])
def test_how_far_off_an_arc_is_the_least_distance_from_its_points(facing: Any, of: Any) -> None:
    at, there = point(0, 0), point(*of)
    ahead = math.atan2(facing[1], facing[0])
    spans = {"front": [(-45, 45)], "side": [(45, 135), (-135, -45)], "rear": [(135, 225)]}
    for arc, ranges in spans.items():
        sampled = min(
            math.dist(of, [r / 50 * turned(ahead + math.radians(degrees)) for turned in (math.cos, math.sin)])
            for low, high in ranges
            for degrees in range(low, high + 1)
            for r in range(0, 600, 4)
        )
        off = off_quarter(facing, at, there, arc)  # type: ignore[arg-type]
        assert abs(float(off) - sampled) < 0.1, arc


@pytest.mark.parametrize(
    ("at", "arc", "margin"),
    [
        ((5, 0), "front", "3.536"),
        ((5, 5), "front", "0"),
        ((5, -5), "front", "0"),
        ((5, "5.001"), "side", "0.001"),
        ((0, 5), "side", "3.536"),
        ((-5, 5), "side", "0"),
        ((-5, "4.999"), "rear", "0.001"),
        ((-5, 0), "rear", "3.536"),
        ((0, 0), "front", "0"),
    ],
)
def test_quarters(at: Any, arc: str, margin: str) -> None:
    found = quarters(EAST, point(0, 0), point(*at))
    assert (found.arc, found.margin.shown()) == (arc, margin)


def test_halves() -> None:
    assert halves(EAST, point(0, 0), point(0, 5)).arc == "front"
    behind = halves(EAST, point(0, 0), point("-0.25", 5))
    assert (behind.arc, behind.margin) == ("rear", Fraction(1, 4))


@given(points, points, points)
@MANY
def test_arcs_are_those_of_the_angle(facing: Point, at: Point, of: Point) -> None:
    assume(facing != (0, 0) and at != of)
    found = quarters(facing, at, of)
    angle = math.atan2(float(of.y - at.y), float(of.x - at.x)) - math.atan2(float(facing.y), float(facing.x))
    delta = abs(math.remainder(angle, 2 * math.pi)) * 180 / math.pi
    far = math.dist(map(float, of), map(float, at))
    expected = min(far * math.sin(math.radians(min(abs(delta - b), 90))) for b in (45, 135))
    assert float(found.margin) == pytest.approx(expected, abs=1e-9)
    if expected > 1e-9:
        assert found.arc == ("front" if delta < 45 else "side" if delta < 135 else "rear")
    again = quarters(second.turned(facing), second.turned(at), second.turned(of))
    assert (again.arc, again.margin) == (found.arc, found.margin)
    assert opposed(point(0, 0), facing, point(-facing.x, -facing.y))


def test_the_corners_of_a_hull_bound_its_arcs_and_a_ray_counts_for_the_better_armour() -> None:
    rays = hull_rays(HULL)
    assert rays == (point("2.25", "1.5"), point("-2.25", "1.5"), point("-2.25", "-1.5"), point("2.25", "-1.5"))
    centre = point(0, 0)

    def arc(x: Any, y: Any, armour: tuple[int, int, int] = (13, 11, 10)) -> str:
        return diagonals(centre, rays, point(x, y), armour).arc

    assert [arc(10, 0), arc(0, 10), arc(0, -10), arc(-10, 0)] == ["front", "side", "side", "rear"]
    assert arc(9, 6) == "front"
    assert arc(9, 6, (10, 12, 10)) == "side"
    assert arc(9, "6.001") == "side"
    assert arc(-9, 6) == "side"
    assert diagonals(centre, rays, point(9, "6.001"), (13, 11, 10)).margin.shown() == "0.001"
    turned_rays = [placed(Polygon(rays), point(0, 0), Fraction(90)).corners[i] for i in range(4)]
    assert diagonals(centre, turned_rays, point(0, 10), (13, 11, 10)).arc == "front"


def test_the_middle_of_a_unit() -> None:
    assert mean([point(0, 0), point(1, 0), point(0, 1)]) == (Fraction(1, 3), Fraction(1, 3))


# -- charges --------------------------------------------------------------------------------------------------------


def test_a_charge_is_measured_between_the_nearest_edges() -> None:
    chargers = [Circle(point(0, 0), HALF), Circle(point(1, 2), HALF)]
    far, i, j = nearest(chargers, [Circle(point(10, 2), HALF), Circle(point(10, 0), HALF)])
    assert (far, i, j) == (8, 1, 0)


@given(st.lists(circles, min_size=1, max_size=5), st.lists(st.one_of(circles, boxes()), min_size=1, max_size=5))
@MANY
def test_the_nearest_are_nearest(ours: list[Any], theirs: list[Any]) -> None:
    far, i, j = nearest(ours, theirs)
    assert far == gap(ours[i], theirs[j]) == min(gap(a, b) for a in ours for b in theirs)


@pytest.mark.parametrize(
    ("to", "missed"),
    [((5, 0), None), ((5, 1), None), ((4, "1.5"), "0.479"), ((0, 5), "4.849"), ((-5, 0), "5"), ((0, 0), None)],
)
def test_a_move_towards_a_unit(to: Any, missed: str | None) -> None:
    unit = [Circle(point(10, 0), HALF), Circle(point(10, 2), HALF)]
    found = misses(point(0, 0), point(*to), unit)
    assert (found and found.shown()) == missed


@pytest.mark.parametrize(("to", "missed"), [((-1, 0), None), ((-1, 3), None), ((0, 1), None), ((1, 0), "1")])
def test_a_move_from_the_side_of_a_hull_goes_into_it_or_away(to: tuple[int, int], missed: str | None) -> None:
    found = misses(point(0, 0), point(*to), [polygon([(-1, -1), (0, -1), (0, 1), (-1, 1)])])
    assert (found and found.shown()) == missed


@given(points, points, st.lists(st.one_of(circles, boxes()), min_size=1, max_size=4))
@MANY
def test_towards_a_unit_is_towards_its_hull_of_many_corners(start: Point, end: Point, unit: list[Any]) -> None:
    assume(start != end)
    found = misses(start, end, unit)
    outline = []
    for shape in unit:
        if isinstance(shape, Circle):
            outline += [
                (shape.fx + shape.fr * math.cos(i * math.pi / 180), shape.fy + shape.fr * math.sin(i * math.pi / 180))
                for i in range(360)
            ]
        else:
            outline += shape.floats
    hull = shapely.MultiPoint(outline).convex_hull
    sx, sy, dx, dy = float(start.x), float(start.y), float(end.x - start.x), float(end.y - start.y)
    ray = shapely.LineString([(sx, sy), (sx + 1e3 * dx, sy + 1e3 * dy)])
    if ray.distance(hull) > 0.01:
        assert found is not None
    if ray.intersection(hull).length > 0.1:
        assert found is None
    if found is not None:
        far = math.hypot(dx, dy)
        angles = [abs(math.remainder(math.atan2(y - sy, x - sx) - math.atan2(dy, dx), 2 * math.pi)) for x, y in outline]
        expected = far * math.sin(min(min(angles), math.pi / 2))
        assert float(found) == pytest.approx(expected, abs=1e-2 * far)
        again = misses(second.turned(start), second.turned(end), map(turned_shape, unit))
        assert again is not None and again == found
