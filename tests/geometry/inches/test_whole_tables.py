"""Tables drawn by chance: as wide as tables are, written as players write them, and much of them a hair from a limit.

What floats sort out first must come out as the plain exact form says, which looks at everything.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise

import pytest

from auditor.geometry.inches.exact_lines import Line, Round, lines_touching
from auditor.geometry.inches.exact_lines import _meets as meets
from auditor.geometry.inches.exact_lines import _runs_through as runs_into
from auditor.geometry.inches.moves import crosses, too_near
from auditor.geometry.inches.shapes import (
    Circle,
    Point,
    Polygon,
    Shape,
    centroid,
    convex_hull,
    overlap,
    placed,
    point,
    polygon,
    runs_through,
    squared_segment_to_polygon,
    squared_segment_to_segment,
    squared_to_polygon,
    squared_to_segment,
    stretches_inside,
    turn,
    where_in,
)
from auditor.geometry.inches.sight import BLOCKED, CLEAR, Blocker, Ground
from auditor.geometry.inches.sight import _Pair as Pair
from tests.geometry.inches import second

HAIRS = [Fraction(0), Fraction(1, 10**9), Fraction(-1, 10**9), Fraction(1, 10**5), Fraction(-1, 10**5)]
RADII = [Fraction(1, 2), Fraction(63, 100), Fraction(1), Fraction(5, 4), Fraction(3)]
ZONES = [Fraction(1), Fraction(1, 2), Fraction(3)]
SHAPES: list[list[tuple[int, int]]] = [
    [],  # any
    [(0, 0), (8, 0), (8, 4), (4, 4), (4, 8), (0, 8)],
    [(0, 0), (12, 0), (12, 4), (8, 4), (8, 8), (4, 8), (4, 4), (0, 4)],
    [(0, 0), (12, 0), (12, 8), (8, 8), (8, 4), (4, 4), (4, 8), (0, 8)],
    [(0, 0), (4, 0), (4, 4), (8, 4), (8, 8), (0, 8)],
    [(0, 0), (4, 4), (8, 0), (12, 4), (8, 8)],
]
EACH = pytest.mark.parametrize("seed", range(16))


def anywhere(chance: random.Random) -> Point:
    return Point(Fraction(chance.randint(0, 7200), 100), Fraction(chance.randint(0, 4800), 100))


def ground(chance: random.Random) -> Polygon:
    """A box at a heading, a triangle, an L, or a piece of many corners."""
    at, heading = anywhere(chance), Fraction(chance.choice([0, 0, 90, 30, 37, 161]))
    w, h = (Fraction(chance.randint(1, 900), 100) for _ in range(2))
    kind = chance.randrange(4)
    if kind == 0:
        local = [(0, 0), (w, 0), (w, h), (0, h)]
    elif kind == 1:
        local = [(0, 0), (w, h / 3), (w / 4, h)]
    elif kind == 2:
        local = [(0, 0), (w, 0), (w, h / 3), (w / 3, h / 3), (w / 3, h), (0, h)]
    else:
        local = [(0, 0), (w / 2, -h / 9), (w, 0), (w, h / 2), (w * 5 / 6, h), (w / 6, h), (-w / 9, h / 2)]
    return placed(polygon(local), at, heading)


def leg_from(start: Point, chance: random.Random) -> tuple[Point, tuple[Fraction, Fraction]]:
    """Where a leg of a path ends, and a direction across it of length 1, both exact."""
    x, y = chance.choice([(3, 4), (4, 3), (5, 0), (0, 5), (-3, 4), (4, -3), (-5, 0), (0, -5)])
    far = Fraction(chance.randint(1, 300), 100)
    side = chance.choice([1, -1])
    return Point(start.x + x * far, start.y + y * far), (Fraction(-y * side, 5), Fraction(x * side, 5))


def off(a: Point, b: Point, across: tuple[Fraction, Fraction], far: Fraction, chance: random.Random) -> Point:
    """A point so far beside a place of a leg, its ends among them."""
    share = chance.choice([Fraction(0), Fraction(1), Fraction(chance.randint(0, 100), 100)])
    return Point(a.x + share * (b.x - a.x) + far * across[0], a.y + share * (b.y - a.y) + far * across[1])


def spike(tip: Point, across: tuple[Fraction, Fraction], chance: random.Random) -> Polygon:
    """A triangle whose one corner is nearest to what lies the other way."""
    (x, y), long, wide = across, chance.randint(1, 9), chance.randint(1, 5)
    ends = [Point(tip.x + long * x - side * wide * y, tip.y + long * y + side * wide * x) for side in (1, -1)]
    return polygon([tip, *ends])


def plainly(path: Sequence[Point], other: Shape) -> Fraction:
    """The squared distance of a path from the centre of a base, or from a polygon: every side is looked at."""
    steps = list(pairwise(path)) or [(path[0], path[0])]
    if isinstance(other, Circle):
        return min(squared_to_segment(other.centre, a, b) for a, b in steps)
    if any(second.lies_in(p, other) >= 0 for p in path):
        return Fraction(0)
    return min(squared_segment_to_segment(a, b, c, d) for a, b in steps for c, d in other.edges())


@EACH
def test_who_comes_too_near_and_what_ground_is_crossed(seed: int) -> None:
    chance = random.Random(seed)
    met = {True: 0, False: 0}
    for _ in range(20):
        r, zone = chance.choice(RADII), chance.choice(ZONES)
        path = [anywhere(chance)]
        others: list[Shape] = [ground(chance) for _ in range(4)]
        others += [Circle(anywhere(chance), chance.choice(RADII)) for _ in range(4)]
        for _ in range(chance.choice([0, 1, 1, 2, 3])):
            end, across = leg_from(path[-1], chance)
            size = chance.choice(RADII)
            others.append(Circle(off(path[-1], end, across, r + size + zone + chance.choice(HAIRS), chance), size))
            for far in (r + zone, r):
                others.append(spike(off(path[-1], end, across, far + chance.choice(HAIRS), chance), across, chance))
            path.append(end)
        if len(path) == 1:
            others.append(Circle(Point(path[0].x + 1 + r + zone + chance.choice(HAIRS), path[0].y), Fraction(1)))
        expected = []
        for place, other in enumerate(others):
            reach = r + zone + (other.radius if isinstance(other, Circle) else 0)
            far = plainly(path, other)
            if far < reach * reach:
                expected.append(place)
            if isinstance(other, Polygon):
                assert squared_segment_to_polygon(path[0], path[-1], other) == plainly([path[0], path[-1]], other)
                assert squared_to_polygon(path[0], other) == plainly(path[:1], other)
                assert crosses(path, r, other) is (far < r * r)
                met[far < r * r] += 1
        assert too_near(path, r, others, zone) == expected
    assert min(met.values()) > 5


@EACH
def test_what_overlaps_and_what_runs_through_whom(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(30):
        area = ground(chance)
        edge = chance.choice(list(area.edges()))
        (a, b), share = edge, Fraction(chance.randint(0, 12), 12)
        on = Point(a.x + share * (b.x - a.x), a.y + share * (b.y - a.y))
        hair = chance.choice(HAIRS)
        beside = Point(on.x + hair * (b.y - a.y), on.y - hair * (b.x - a.x))
        assert where_in(beside, area) == second.lies_in(beside, area)
        far = anywhere(chance)
        for end in (on, beside, *area.corners):
            inside = second.runs_inside(far, end, Fraction(0), Fraction(1), area)
            assert runs_through(far, end, area) is inside
            assert bool(stretches_inside(far, end, area)) is inside
            beyond = Point(2 * end.x - far.x, 2 * end.y - far.y)
            assert runs_through(end, beyond, area) is second.runs_inside(end, beyond, Fraction(0), Fraction(1), area)
        r = chance.choice(RADII)
        for centre in (beside, anywhere(chance), Point(beside.x + r, beside.y), Point(beside.x, beside.y - r)):
            meets_it = second.lies_in(centre, area) >= 0 or plainly([centre], area) < r * r
            assert overlap(Circle(centre, r), area) is meets_it
            assert overlap(area, Circle(centre, r)) is meets_it


def sparse(chance: random.Random) -> tuple[Shape, Shape, list[Polygon]]:
    """Two bases that do not meet, and ground of which none overlaps them."""
    while True:
        bases: list[Shape] = [
            Circle(anywhere(chance), chance.choice(RADII)) if chance.random() < 0.7 else ground(chance)
            for _ in range(2)
        ]
        if not all(isinstance(one, Circle) or one.convex for one in bases) or overlap(*bases):
            continue
        areas = [ground(chance) for _ in range(chance.randint(1, 5))]
        areas = [area for area in areas if not any(overlap(base, area) for base in bases)]
        (ax, ay), (bx, by) = (centroid(base) for base in bases)
        mid = Point((ax + bx) / 2, (ay + by) / 2)
        areas = [area.moved_by(mid.x - area.corners[0].x, mid.y - area.corners[0].y) for area in areas[:3]] + areas[3:]
        areas = [area for area in areas if not any(overlap(base, area) for base in bases)]
        if areas:
            return bases[0], bases[1], areas


@EACH
def test_what_floats_say_of_a_line_is_so(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(6):
        a, b, areas = sparse(chance)
        table = Ground(Blocker(area) for area in areas)
        pair = Pair(a, b, table.pieces)
        scene = pair.scene()
        things = [*scene.a, *scene.b, *(Round(*corner, 0) for area in scene.areas for corner in area)]
        for _ in range(60):
            one, other = chance.sample(things, 2)
            for line in lines_touching(one, other):
                for way in (line, line.turned()):
                    said = pair.about(*way.about(scene.scale))
                    if said in (CLEAR, BLOCKED):
                        assert scene.free(way) is (said == CLEAR), (a, b, areas, way)


@EACH
def test_what_is_seen_is_seen_line_by_line_and_drawn_free(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(8):
        a, b, areas = sparse(chance)
        table = Ground(Blocker(area) for area in areas)
        seen = table.sees_exactly(a, b)
        assert table.sees(a, b) is seen
        sight = table.sight(a, b)
        assert sight.visible is seen
        middles = centroid(a), centroid(b)
        assert set(sight.stops) == {i for i, area in enumerate(areas) if runs_through(*middles, area)}
        line = [Point(Fraction(x), Fraction(y)) for x, y in sight.line]
        if sight.line != tuple((float(x), float(y)) for x, y in middles):
            assert not any(runs_through(*line, area) for area in areas)
            for end, base in zip(line, (a, b), strict=True):
                assert overlap(Circle(end, Fraction(1, 10**6)), base)


@EACH
def test_where_a_line_comes_to_a_base_it_lies_in_it(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(40):
        base = polygon_in_whole_numbers(chance)
        outline = [Round(int(x), int(y), 0) for x, y in base.corners]
        p, q = (Round(chance.randint(-9, 9), chance.randint(-9, 9), 0) for _ in range(2))
        if p == q:
            continue
        line: Line = lines_touching(p, q)[0]
        place = meets(line, outline)
        touched = second.chord(Point(Fraction(p.x), Fraction(p.y)), Point(Fraction(q.x), Fraction(q.y)), base)
        assert (place is None) is (touched is None)
        if place is not None:
            (along, _), (under, _) = place
            far = Fraction(along, under) - line.along(p.x, p.y)[0]
            x, y, norm = line.ny[0], -line.nx[0], line.nx[0] ** 2 + line.ny[0] ** 2
            assert second.lies_in(Point(p.x + far * x / norm, p.y + far * y / norm), base) >= 0


def polygon_in_whole_numbers(chance: random.Random) -> Polygon:
    while True:
        corners = [point(chance.randint(-9, 9), chance.randint(-9, 9)) for _ in range(chance.randint(3, 6))]
        hull = convex_hull(corners)
        if len(hull) > 2:
            return polygon(hull)


@EACH
def test_where_a_line_first_runs_into_ground_whatever_sides_lie_along_it(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(120):
        corners = chance.choice(SHAPES) or [(chance.randint(-4, 4), chance.randint(-2, 2)) for _ in range(6)]
        try:
            area = polygon(corners)
        except ValueError:
            continue
        c, d = chance.choice(list(area.edges()))
        i, j = chance.sample(range(-4, 9), 2)
        p, q = (Point(c.x + (d.x - c.x) * k / 4, c.y + (d.y - c.y) * k / 4) for k in (i, j))
        if chance.random() < 0.3 or any(number.denominator > 1 for number in (*p, *q)):
            p, q = (Point(Fraction(chance.randint(-6, 6)), Fraction(chance.randint(-2, 2))) for _ in range(2))
        if p == q:
            continue
        line = lines_touching(*(Round(int(one.x), int(one.y), 0) for one in (p, q)))[0]
        start, end = ((line.along(int(one.x), int(one.y)), (1, 0)) for one in (p, q))
        if start[0] > end[0]:
            line, start, end = line.turned(), ((-start[0][0], 0), (1, 0)), ((-end[0][0], 0), (1, 0))
        corners = [(int(x), int(y)) for x, y in area.corners]
        entered = runs_into(line, corners, start, end)
        stretches = stretches_inside(p, q, area)
        assert bool(stretches) is second.runs_inside(p, q, Fraction(0), Fraction(1), area)
        assert (entered is not None) is bool(stretches)
        if entered is not None:
            (along, _), (under, _) = entered
            share = (Fraction(along, under) - start[0][0]) / (end[0][0] - start[0][0])
            assert share == stretches[0][0]


@EACH
def test_the_lines_along_two_corners_are_those_with_all_their_sides_on_one_side(seed: int) -> None:
    chance = random.Random(seed)
    areas = [ground(chance) for _ in range(4)]
    corners = [
        (place, area.corners[i - 1], corner, area.corners[(i + 1) % len(area.corners)])
        for place, area in enumerate(areas)
        for i, corner in enumerate(area.corners)
    ]
    expected = {
        (one[0], other[0], one[2], other[2])
        for one, other in combinations(corners, 2)
        if all(turn(one[2], other[2], end[1]) * turn(one[2], other[2], end[3]) >= 0 for end in (one, other))
    }
    assert set(Ground(Blocker(area) for area in areas).bitangents()) == expected
