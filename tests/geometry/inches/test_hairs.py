"""Numbers that floats cannot tell apart, limits met exactly, and shapes that are hardly any: each is decided exactly."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any

import pytest

from auditor.geometry.inches.arcs import halves, hull_rays, opposed, quarters
from auditor.geometry.inches.charges import misses
from auditor.geometry.inches.coherency import chain
from auditor.geometry.inches.exact_lines import Line, Round, Scene, lines_touching
from auditor.geometry.inches.lengths import Length, length, root
from auditor.geometry.inches.moves import crosses, first_within, hull_passing, too_near
from auditor.geometry.inches.shapes import (
    Circle,
    Point,
    Polygon,
    about_segment_to_polygon,
    convex_hull,
    overlap,
    point,
    polygon,
    where_in,
)
from auditor.geometry.inches.sight import Blocker, Ground, grown, with_margin

HAIR = Fraction(1, 10**9)
LESS = Fraction(1, 10**30)
"""So little that no float of an ordinary size can show it."""


def circle(x: Any, y: Any, r: Any = 1) -> Circle:
    return Circle(Point(Fraction(x), Fraction(y)), Fraction(r))


def box(x0: Any, y0: Any, x1: Any, y1: Any) -> Polygon:
    return polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


# -- lengths --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("off", [-1, 0, 1])
def test_a_sign_that_floats_cannot_see(off: int) -> None:
    in_truth_rational = Length(off * LESS - 2, [(Fraction(1), Fraction(4))])
    assert in_truth_rational.sign() == off
    assert in_truth_rational.is_rational()


@pytest.mark.parametrize("digits", [17, 40, 80])
def test_a_root_lies_between_its_decimals(digits: int) -> None:
    low = Fraction(isqrt(2 * 10 ** (2 * digits)), 10**digits)
    above, below = root(Fraction(2)) - low, root(Fraction(2)) - (low + Fraction(1, 10**digits))
    assert (above.sign(), below.sign()) == (1, -1)
    assert not above.is_rational()


def test_a_root_of_nothing_and_a_length_no_times_count_for_nothing() -> None:
    number = Length(3, [(Fraction(5), Fraction(0)), (Fraction(0), Fraction(2))])
    assert number == 3
    assert number.is_rational()
    assert (number.floor(), number.shown()) == (3, "3")


def test_a_length_is_nothing_else() -> None:
    assert Length(1) != "1"
    assert not Length(1) == "1"  # noqa: SIM201


@pytest.mark.parametrize(("number", "whole"), [(3 - LESS, 2), (Fraction(3), 3), (3 + LESS, 3), (-LESS, -1)])
def test_whole_inches_that_floats_take_for_more(number: Fraction, whole: int) -> None:
    assert Length(number).floor() == whole
    assert Length(number - 2, [(Fraction(1), Fraction(4))]).floor() == whole


@pytest.mark.parametrize("whole", range(1, 60))
def test_whole_inches_that_floats_take_for_less(whole: int) -> None:
    low = Fraction(isqrt(2 * 10**60), 10**30)
    number = Length(whole - low, [(Fraction(1), Fraction(2))])  # More than `whole` by less than 1e-30.
    assert number.floor() == whole
    assert Length(whole - low - LESS, [(Fraction(1), Fraction(2))]).floor() == whole - 1


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Length(0, [(Fraction(-1, 10**6), Fraction(2))]), "0.000"),
        (Length(0, [(Fraction(-1), Fraction(2))]), "-1.414"),
        (Length(0, [(Fraction(1), Fraction(1, 4 * 10**6))]), "0.001"),  # Half of a thousandth, as a root.
        (Length(0, [(Fraction(1), Fraction(9, 4))]), "1.5"),
        (Length(LESS, [(Fraction(1), Fraction(9, 4))]), "1.500"),
        (Length(-LESS, [(Fraction(1), Fraction(1, 4 * 10**6))]), "0.000"),
    ],
)
def test_what_is_shown_of_a_number_near_half_of_a_place(number: Length, text: str) -> None:
    assert number.shown() == text


@pytest.mark.parametrize("digits", [1, 39, 40])
def test_a_length_may_have_many_digits(digits: int) -> None:
    assert length("1" * digits) == int("1" * digits)
    with pytest.raises(ValueError, match="is not a length"):
        length("1" * 41)


# -- shapes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("y", "convex"), [(-HAIR, True), (0, True), (HAIR, False)])
def test_a_corner_turned_by_a_hair(y: Any, convex: bool) -> None:
    area = polygon([(0, 0), (5, y), (10, 0), (10, 10), (0, 10)])
    assert area.convex is convex


@pytest.mark.parametrize("corners", [[], [(0, 0)], [(0, 0), (1, 0)], [(0, 0), (0, 0)], [(0, 0), (1, 0), (0, 0)]])
def test_two_corners_are_no_polygon(corners: Any) -> None:
    with pytest.raises(ValueError, match="three corners"):
        polygon(corners)


def test_the_hull_of_few_points_is_these() -> None:
    assert convex_hull([]) == ()
    assert convex_hull([point(1, 2)]) == (point(1, 2),)
    assert convex_hull([point(3, 2), point(1, 2), point(3, 2)]) == (point(1, 2), point(3, 2))


@pytest.mark.parametrize(("off", "meets"), [(-HAIR, True), (0, False), (HAIR, False)])
def test_bases_that_overlap_by_a_hair(off: Any, meets: bool) -> None:
    assert overlap(circle(0, 0), circle(2 + off, 0)) is meets
    assert overlap(circle(0, 0), box(1 + off, -1, 3, 1)) is meets
    assert overlap(box(1 + off, -1, 3, 1), circle(0, 0)) is meets
    assert overlap(box(0, 0, 1, 1), box(1 + off, 0, 3, 1)) is meets


def test_the_insides_of_the_same_area_meet_whatever_its_corners() -> None:
    plain = box(0, 0, 4, 4)
    more = polygon([(0, 0), (2, 0), (4, 0), (4, 4), (0, 4), (0, 1)])
    apart, within = box(4, 0, 8, 4), box(1, 1, 2, 2)
    assert overlap(plain, more) and overlap(more, plain) and overlap(plain, plain)
    assert overlap(plain, within) and overlap(within, plain)
    assert not overlap(plain, apart) and not overlap(more, apart) and not overlap(apart, more)


@pytest.mark.parametrize("y", [1 + HAIR, 1, 1 - HAIR])
def test_floats_do_not_say_how_far_a_segment_is_that_passes_by_a_hair(y: Any) -> None:
    assert about_segment_to_polygon(point(-5, y), point(5, y), box(-1, -1, 1, 1)) is None


def test_a_point_level_with_corners_lies_inside_or_outside() -> None:
    notched = polygon([(0, 0), (4, 0), (4, 2), (2, 1), (0, 2)])
    assert [where_in(point(x, 1), notched) for x in (-1, 0, 1, 2, 3, 4, 5)] == [-1, 0, 1, 0, 1, 0, -1]
    near = [where_in(Point(Fraction(x), 1 + HAIR), notched) for x in (1, 2, 3)]
    assert near == [1, -1, 1]


# -- moves and charges ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("y", "nearer"), [(3, False), (3 - HAIR, True), (3 + HAIR, False)])
def test_a_base_that_stands_still_at_the_edge_of_the_zone(y: Any, nearer: bool) -> None:
    assert too_near([point(0, y)], Fraction(1), [circle(0, 0)]) == ([0] if nearer else [])
    assert too_near([point(-5, y), point(5, y)], Fraction(1), [circle(0, 0)]) == ([0] if nearer else [])


def test_where_the_zone_is_met_on_the_second_leg_and_only_grazed_on_the_first() -> None:
    path = [point(-5, 3), point(5, 3), point(5, 0), point(0, 0)]
    assert first_within(path, Fraction(1), circle(0, 0)) == 15  # 10 along its edge, 3 down, 2 towards it.
    assert first_within(path[:2], Fraction(1), circle(0, 0)) is None
    assert first_within([point(0, 3), point(0, 0)], Fraction(1), circle(0, 0)) == 0
    assert first_within([point(0, 3 - HAIR)], Fraction(1), circle(0, 0)) == 0


@pytest.mark.parametrize(("x", "in_it"), [(-1, False), (-1 + HAIR, True), (-1 - HAIR, False)])
def test_a_base_at_the_edge_of_the_ground(x: Any, in_it: bool) -> None:
    ground = box(0, 0, 4, 4)
    assert crosses([Point(Fraction(x), Fraction(2))], Fraction(1), ground) is in_it
    assert crosses([Point(Fraction(x), Fraction(-9)), Point(Fraction(x), Fraction(9))], Fraction(1), ground) is in_it


@pytest.mark.parametrize(
    ("headings", "nearest"),
    [((0, 0), "1"), ((0, 360), "1"), ((0, 90), "0"), ((90, 0), "0"), ((0, 180), "0"), ((0, -180), "0")],
)
def test_a_hull_that_turns_round_comes_as_near_as_its_corners_reach(headings: tuple[int, int], nearest: str) -> None:
    hull = box(-4, -3, 4, 3)  # Its corners reach 5 inches from the middle.
    spot = circle(0, 5, 1)  # From 4 to 6 inches ahead of its side.
    here = [point(0, 0), point(0, 0)]
    made = hull_passing(hull, here, [Fraction(one) for one in headings], spot)
    assert made.start == (0 if headings[0] else 1)
    if nearest == "1":
        assert made.least == 1
    else:
        assert made.least <= 0


@pytest.mark.parametrize(
    ("start", "end", "missed"),
    [
        ((1, 0), (3, 0), None),  # It begins on the edge of the base and goes away from it.
        ((1, 0), (-3, 0), None),
        ((1, 0), (1, 3), None),
        ((3, 0), (3, 4), root(Fraction(16 * 8, 9))),  # Past its edge, which has a sine of a third.
        ((3, 0), (4, 5), Length(Fraction(1, 3), [(Fraction(5, 3), Fraction(8))])),
        ((3, 0), (6, 0), 3),
        ((3, 0), (0, 0), None),
    ],
)
def test_towards_a_round_base(start: Any, end: Any, missed: Any) -> None:
    assert misses(point(*start), point(*end), [circle(0, 0)]) == missed


@pytest.mark.parametrize("far", [Fraction(1, 2), Fraction(1), Fraction(2)])
def test_towards_a_corner_that_is_near_or_far(far: Fraction) -> None:
    hull = polygon([(far, 0), (far + 1, 0), (far + 1, 1)])
    # Straight up: beside the left edge of what is seen, which leads to the far upper corner.
    assert misses(point(0, 0), point(0, 4), [hull]) == root(16 * (far + 1) ** 2 / ((far + 1) ** 2 + 1))
    assert misses(point(0, 0), Point(far, -far), [hull]) == far  # The right edge leads along the table's x.


# -- coherency and arcs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wider", ["first", "second"])
def test_the_widest_gap_by_a_hair(wider: str) -> None:
    first, second = (3 + HAIR, 3) if wider == "first" else (3, 3 + HAIR)
    bases = {"a": circle(0, 0), "b": circle(first, 0), "c": circle(first + second, 0)}
    made = chain(bases)
    assert made.widest == 1 + HAIR
    assert made.between == (("a", "b") if wider == "first" else ("b", "c"))


@pytest.mark.parametrize("arc", [quarters, halves])
def test_a_facing_of_no_length_is_refused(arc: Any) -> None:
    with pytest.raises(ValueError, match="a facing has a direction"):
        arc((Fraction(0), Fraction(0)), point(0, 0), point(1, 0))


@pytest.mark.parametrize(
    ("other", "across"), [((-1, 0), True), ((-2, 1), True), ((-1, 1), False), ((-1, 2), False), ((1, 1), False)]
)
def test_opposed_is_more_than_135_degrees(other: tuple[int, int], across: bool) -> None:
    assert opposed(point(0, 0), point(1, 0), point(*other)) is across
    assert opposed(point(0, 0), point(*other), point(1, 0)) is across


@pytest.mark.parametrize(
    ("corners", "rays"),
    [
        ([(2, 0), (0, 1), (-2, 0), (0, -1)], [(2, 1), (-2, 1), (-2, -1), (2, -1)]),  # It has one corner ahead.
        ([(2, -1), (2, 3), (-2, 4), (-2, 3)], [(2, 4), (-2, 4), (-2, -1), (2, -1)]),  # Both corners behind on one side.
        ([(2, -1), (2, 2), (-2, 1), (-2, -1)], [(2, 2), (-2, 1), (-2, -1), (2, -1)]),
    ],
)
def test_a_hull_of_four_corners_that_do_not_lie_round_it_has_the_arcs_of_its_box(corners: Any, rays: Any) -> None:
    assert hull_rays(polygon(corners)) == tuple(point(*one) for one in rays)


# -- lines and sight ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "lines"),
    [
        (Round(0, 0, 5), Round(1, 0, 2), 0),  # One within the other.
        (Round(0, 0, 3), Round(1, 0, 2), 1),  # They touch from within.
        (Round(0, 0, 3), Round(3, 0, 2), 2),  # They overlap.
        (Round(0, 0, 3), Round(5, 0, 2), 3),  # They touch.
        (Round(0, 0, 3), Round(6, 0, 2), 4),
        (Round(0, 0, 0), Round(6, 0, 2), 2),
        (Round(0, 0, 2), Round(6, 0, 0), 2),
        (Round(0, 0, 0), Round(6, 0, 0), 1),
        (Round(6, 0, 0), Round(6, 0, 0), 0),
    ],
)
def test_the_lines_that_touch_two_rounds(one: Round, other: Round, lines: int) -> None:
    assert len(lines_touching(one, other)) == lines


def _level(y: int) -> Line:
    (line,) = lines_touching(Round(-9, y, 0), Round(9, y, 0))
    return line


@pytest.mark.parametrize(("y", "meets"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_a_line_must_meet_both_bases(y: int, meets: bool) -> None:
    for first, second in ((circle(0, 0), circle(9, 0, 3)), (box(-1, -1, 1, 1), circle(9, 0, 3))):
        for line in (_level(y), _level(y).turned()):
            assert Scene(first, second, []).free(line) is meets
            assert Scene(second, first, []).free(line) is meets
            assert Scene(first, second, [box(4, -9, 5, 9)]).stops(line) == ((0,) if meets else ())


def test_a_line_that_touches_a_base_on_either_side_meets_it_and_a_hair_beside_does_not() -> None:
    walls = [box(3, 2, 4, 8), box(6, -8, 7, -2), box(5, -9, 6, 9)]
    for line in lines_touching(Round(0, 0, 1), Round(9, 0, 1)):
        assert Scene(circle(0, 0), circle(9, 0), walls[:2]).free(line) or line.d  # The level ones pass between.
        smaller = Scene(circle(0, 0, 1 - HAIR), circle(9, 0), [])
        scaled = lines_touching(Round(0, 0, smaller.scale), Round(9 * smaller.scale, 0, smaller.scale))
        assert not any(smaller.free(one) for one in scaled)


def test_the_middle_line_is_stopped_by_what_it_runs_through_alone() -> None:
    beside, through = box(3, 2, 4, 8), box(6, -8, 7, 8)
    seen = Ground([Blocker(beside), Blocker(through)]).sight(circle(0, 0), circle(20, 0))
    assert (seen.visible, seen.stops) == (False, (1,))


def test_the_middles_of_hulls_may_lie_between_whole_inches() -> None:
    wall, beside = Blocker(box(20, 5, 21, 15)), Blocker(box(20, 0, 21, 1))
    assert Ground([beside, wall]).sight(box(10, 10, 11, 11), box(30, 10, 31, 11)).stops == (1,)


def test_a_base_sees_itself_and_one_in_the_same_place() -> None:
    wall = Ground([Blocker(box(3, -8, 4, 8))])
    seen = wall.sight(circle(0, 0), circle(0, 0, 2))
    assert (seen.visible, seen.stops) == (True, ())


@pytest.mark.parametrize(
    ("heights", "walls", "visible"),
    [
        ((1, 2), (3,), False),
        ((1, 2), (1,), True),
        ((3, 3), (3,), True),
        ((1, 3), (3,), False),  # As high as the higher one: no line passes over it everywhere or in part.
        ((1, 3), (2,), None),
        ((1, 3), (2, None), False),
        ((1, 3), (1, None), False),
        ((None, 3), (2,), None),
        ((1, None), (2,), None),
        ((None, None), (None,), False),
        ((None, 3), (2, 9), None),
    ],
)
def test_what_stops_sight_by_its_height(heights: Any, walls: Any, visible: Any) -> None:
    ground = Ground(
        [
            Blocker(box(3 + n, -8, 3 + n + Fraction(1, 2), 8), None if high is None else Fraction(high))
            for n, high in enumerate(walls)
        ]
    )
    eyes = tuple(None if one is None else Fraction(one) for one in heights)
    assert ground.visible(circle(0, 0), circle(20, 0), eyes) is visible  # type: ignore[arg-type]
    assert ground.sight(circle(0, 0), circle(20, 0), eyes).visible is visible  # type: ignore[arg-type]


def test_a_blocker_that_is_ignored_hides_nothing() -> None:
    ground = Ground([Blocker(box(3, -8, 4, 8)), Blocker(box(6, -8, 7, 8))])
    for sees in (ground.sees, ground.sees_exactly):
        answers = [sees(circle(0, 0), circle(20, 0), ignoring=frozenset(one)) for one in ((), (0,), (1,), (0, 1))]
        assert answers == [False, False, False, True]


def test_what_is_seen_through_a_gap_of_no_width_is_drawn_along_the_middle() -> None:
    walls = [Blocker(box(8, -9, 9, Fraction(1, 4))), Blocker(box(8, Fraction(1, 4), 9, 9))]
    seen = Ground(walls).sight(circle(0, 0, Fraction(1, 2)), circle(20, 0, Fraction(1, 2)))
    assert (seen.visible, seen.stops, seen.line) == (True, (0,), ((0.0, 0.0), (20.0, 0.0)))


@pytest.mark.parametrize(("low", "high", "seen"), [("0.3", "0.4", True), ("0.35", "0.34", False)])
def test_a_gap_between_two_points_is_seen_through_past_a_corner_of_a_hull(low: str, high: str, seen: bool) -> None:
    # No line through two corners of the rocks meets both hulls, and none through a corner of each hull runs in the gap.
    below = polygon([("9.9", -9), ("10.1", -9), (10, low)])
    above = polygon([("9.9", 9), (10, high), ("10.1", 9)])
    assert Ground([Blocker(below), Blocker(above)]).sees(box(0, 0, 2, 2), box(18, 0, 20, 2)) is seen


def test_a_free_line_is_drawn_though_a_wall_stands_close_behind_who_looks() -> None:
    between, behind = box(8, -9, 9, "0.3"), box("-1.2", -9, "-0.8", 9)
    seen = Ground([Blocker(between), Blocker(behind)]).sight(circle(0, 0, "0.5"), circle(20, 0, "0.5"))
    assert (seen.visible, seen.stops) == (True, (0,))
    (ax, ay), (bx, by) = seen.line
    assert ay + (by - ay) * (8 - ax) / (bx - ax) > 0.3 and ay + (by - ay) * (9 - ax) / (bx - ax) > 0.3


def test_a_round_wall_of_many_corners_hides_what_is_behind_it() -> None:
    ring = [(0, 5), (2, 5), (4, 4), (5, 2), (5, 0), (5, -2), (4, -4), (2, -5), (0, -5), (-2, -5), (-4, -4), (-5, -2)]
    wall = polygon([*ring, (-5, 0), (-5, 2), (-4, 4), (-2, 5)])
    assert len(wall.corners) > 12 and wall.convex
    ground = Ground([Blocker(wall)])
    assert not ground.sees(circle(-20, 0), circle(20, 0))
    assert ground.sees(circle(-20, 4), circle(20, 4))  # Over its top, which is five from the middle.


def test_a_side_with_a_corner_in_it_moves_as_one() -> None:
    plain, more = box(0, 0, 4, 4), polygon([(0, 0), (2, 0), (4, 0), (4, 4), (0, 4)])
    wide = grown(more, Fraction(1, 2))
    assert wide is not None
    assert wide.box == grown(plain, Fraction(1, 2)).box  # type: ignore[union-attr]
    assert len(wide.corners) == 5


def test_who_stands_in_a_blocker_of_which_nothing_is_left_stands_nowhere() -> None:
    thin = Blocker(box(0, 0, 1, 10))
    (grown_one,) = with_margin([thin], Fraction(1))
    assert grown_one.stands == ()
    assert with_margin([thin], Fraction(-1)) == []
    (less,) = with_margin([Blocker(box(0, 0, 9, 9))], Fraction(1))
    assert less.stands is not None and len(less.stands) == 1
