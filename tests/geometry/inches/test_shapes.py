"""Distances and overlaps of bases, hulls and ground, against shapely where it is far from a limit, and at the limit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import shapely
from hypothesis import given, settings

from auditor.geometry.inches.lengths import root
from auditor.geometry.inches.shapes import (
    Circle,
    Point,
    Polygon,
    about_gap,
    centroid,
    convex_hull,
    gap,
    heading_of,
    overlap,
    placed,
    point,
    polygon,
    rotation,
    runs_through,
    segments_meet,
    squared,
    squared_segment_to_polygon,
    squared_segment_to_segment,
    squared_to_polygon,
    squared_to_segment,
    stretches_inside,
    where_in,
)
from tests.geometry.inches.second import (
    boxes,
    by_a_hair,
    circles,
    hundredths,
    lies_in,
    points,
    runs_inside,
    simple_polygons,
    turned,
    turned_shape,
)
from tests.shares import tries

MANY = settings(deadline=None, max_examples=tries(150))
HULL = polygon([("2.25", "-1.5"), ("2.25", "1.5"), ("-2.25", "1.5"), ("-2.25", "-1.5")])


def in_shapely(area: Polygon) -> Any:
    return shapely.Polygon(area.floats)


def test_bases_that_touch_have_no_gap_and_do_not_overlap() -> None:
    a, b = Circle(point(0, 0), Fraction("0.63")), Circle(point("0.756", "1.008"), Fraction("0.63"))
    assert gap(a, b) == 0
    assert not overlap(a, b)
    assert overlap(a, Circle(point("0.755", "1.008"), Fraction("0.63")))
    # In floats the same gap is not 0.
    assert (0.756**2 + 1.008**2) ** 0.5 - 0.63 - 0.63 != 0 or about_gap(a, b) == 0


@given(circles, circles)
@MANY
def test_gaps_of_circles(a: Circle, b: Circle) -> None:
    assert gap(a, b) == gap(b, a) == gap(turned_shape(a), turned_shape(b))
    assert float(gap(a, b)) == pytest.approx(about_gap(a, b), abs=1e-9)
    assert overlap(a, b) == (squared(a.centre, b.centre) < (a.radius + b.radius) ** 2)


@given(circles, simple_polygons())
@MANY
def test_gaps_of_circles_and_polygons(a: Circle, area: Polygon) -> None:
    far = gap(a, area)
    expected = in_shapely(area).distance(shapely.Point(a.fx, a.fy)) - a.fr
    assert float(far) == pytest.approx(expected, abs=1e-9)
    assert gap(area, a) == far == gap(turned_shape(area), turned_shape(a))
    assert overlap(a, area) == (far.sign() < 0) == overlap(area, a)


@given(simple_polygons(), simple_polygons())
@MANY
def test_gaps_and_overlaps_of_polygons(a: Polygon, b: Polygon) -> None:
    # On these lattice points shapely's predicates are exact.
    one, other = in_shapely(a), in_shapely(b)
    assert float(gap(a, b)) == pytest.approx(one.distance(other), abs=1e-9)
    assert (gap(a, b) == 0) == one.intersects(other)
    assert overlap(a, b) == overlap(b, a) == bool(one.relate_pattern(other, "T********"))
    assert gap(a, b) == gap(turned_shape(a), turned_shape(b))


def test_a_piece_of_ground_overlaps_itself_with_one_corner_more() -> None:
    """No side of one runs through the inside of the other, and the corner that is looked at first points inwards."""
    dart = polygon([(20, 34), (20, 30), (24, 30), (24, 34), (22, 31)])
    again = polygon([(20, 34), (20, 30), (22, 30), (24, 30), (24, 34), (22, 31)])
    assert overlap(dart, again) and overlap(again, dart)


@given(points, simple_polygons())
@MANY
def test_where_a_point_lies(p: Point, area: Polygon) -> None:
    spot = shapely.Point(float(p.x), float(p.y))
    expected = 1 if in_shapely(area).contains_properly(spot) else 0 if in_shapely(area).intersects(spot) else -1
    if p.x.denominator == 1 == p.y.denominator:
        assert where_in(p, area) == expected


def test_a_segment_that_ends_on_another_meets_it_whichever_is_named_first() -> None:
    a, b, c, d = point(0, 0), point(4, 0), point(2, 0), point(2, 3)
    beyond = point(2, 1)
    for p, q in ((a, b), (b, a)):
        for r, s in ((c, d), (d, c)):
            assert segments_meet(p, q, r, s) and segments_meet(r, s, p, q)
        for r, s in ((beyond, d), (d, beyond)):
            assert not segments_meet(p, q, r, s) and not segments_meet(r, s, p, q)


def test_a_hair_beside_a_slanting_side_is_not_on_it() -> None:
    triangle, hair = polygon([(0, 0), (4, 0), (4, 4)]), Fraction(1, 10**12)
    assert [where_in(Point(Fraction(2), 2 + by), triangle) for by in (-hair, Fraction(0), hair)] == [1, 0, -1]
    assert where_in(Point(4 + hair, Fraction(0)), triangle) == -1  # In line with a side, and beyond its end.


@given(points, points, simple_polygons())
@MANY
def test_what_of_a_segment_lies_inside(a: Point, b: Point, area: Polygon) -> None:
    inside = stretches_inside(a, b, area)
    assert inside == [(1 - t, 1 - s) for s, t in reversed(stretches_inside(b, a, area))]
    line = shapely.LineString([(float(a.x), float(a.y)), (float(b.x), float(b.y))])
    shared = line.intersection(in_shapely(area)).length - line.intersection(in_shapely(area).exterior).length
    assert sum(float(t - s) for s, t in inside) * line.length == pytest.approx(shared, abs=1e-6)


def test_a_segment_may_come_into_a_polygon_and_leave_it_at_corners() -> None:
    diamond = polygon([(3, 0), (5, -2), (7, 0), (5, 2)])
    assert stretches_inside(point(0, 0), point(10, 0), diamond) == [(Fraction("0.3"), Fraction("0.7"))]


@given(points, points, by_a_hair, simple_polygons())
@settings(deadline=None, max_examples=tries(300))
def test_floats_decide_nothing_that_lies_near_a_side(a: Point, b: Point, hair: Fraction, area: Polygon) -> None:
    a, b = Point(a.x, a.y + hair), Point(b.x + hair, b.y)
    for p, q, ground in ((a, b, area), (turned(a), turned(b), turned_shape(area))):
        assert where_in(p, ground) == lies_in(p, ground)
        inside = lies_in(p, ground) >= 0
        assert squared_to_polygon(p, ground) == (
            0 if inside else min(squared_to_segment(p, c, d) for c, d in ground.edges())
        )
        assert squared_segment_to_polygon(p, q, ground) == (
            0 if inside else min(squared_segment_to_segment(p, q, c, d) for c, d in ground.edges())
        )
        through = p != q and runs_inside(p, q, Fraction(0), Fraction(1), ground)
        assert runs_through(p, q, ground) == through == bool(stretches_inside(p, q, ground))


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 0), (1, 0)],
        [(0, 0), (2, 2), (2, 0), (0, 2)],
        [(0, 0), (4, 0), (2, 0)],
        [(0, 0), (4, 0), (2, 0), (6, 5)],
        [(0, 0), (4, 0), (-2, 0), (-2, 3)],
        [(0, 0), (4, 0), (4, 4), (0, 0), (0, 4)],
        [(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)],
    ],
)
def test_what_is_no_simple_polygon_is_refused(corners: Any) -> None:
    with pytest.raises(ValueError, match="polygon"):
        polygon(corners)


def test_a_polygon_may_be_given_either_way_round_and_closed() -> None:
    square = polygon([(0, 0), (2, 0), (2, 2), (0, 2)])
    assert set(polygon([(0, 0), (0, 2), (2, 2), (2, 0), (0, 0)]).corners) == set(square.corners)
    assert square.convex
    assert len(polygon([(0, 0), (3, 0), (4, 0), (0, 4)]).corners) == 4
    assert polygon([(0, 0), (1, 0), (2, 0), (2, 2), (0, 2)]).convex  # A corner in the middle of a side points nowhere.
    assert not polygon([(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)]).convex
    assert centroid(square) == (1, 1)
    assert where_in(point(3, 2), polygon([(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)])) == 1


@given(hundredths)
@MANY
def test_a_rotation_is_exact_and_near(heading: Fraction) -> None:
    c, s, exact = rotation(heading)
    assert c * c + s * s == 1
    assert exact == (heading % 90 == 0)
    import math

    assert float(c) == pytest.approx(math.cos(math.radians(float(heading))), abs=1e-11)
    assert float(s) == pytest.approx(math.sin(math.radians(float(heading))), abs=1e-11)


@pytest.mark.parametrize(("way", "degrees"), [((3, 0), 0), ((0, 2), 90), ((-1, -1), 225), ((100, -1), 359.427061302)])
def test_the_heading_of_a_direction_goes_once_round(way: tuple[int, int], degrees: float) -> None:
    assert heading_of(*map(Fraction, way)) == pytest.approx(degrees)


def test_a_hull_turned_by_a_quarter_is_exact() -> None:
    there = placed(HULL, point(10, 10), Fraction(90))
    assert set(there.corners) == {point(x, y) for x in ("8.5", "11.5") for y in ("7.75", "12.25")}
    assert there.blur == 0
    askew = placed(HULL, point(10, 10), Fraction(30))
    assert 0 < askew.blur < Fraction(1, 10**9)
    assert {squared(one, point(10, 10)) for one in askew.corners} == {Fraction("2.25") ** 2 + Fraction("1.5") ** 2}


@given(boxes(), boxes())
@MANY
def test_the_hull_of_two_boxes_holds_both(a: Polygon, b: Polygon) -> None:
    hull = Polygon(convex_hull([*a.corners, *b.corners]))
    assert hull.convex
    assert all(where_in(corner, hull) >= 0 for corner in (*a.corners, *b.corners))
    assert set(hull.corners) <= {*a.corners, *b.corners}


def test_a_root_of_a_number_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="no real root"):
        root(Fraction(-1))
