"""What exact sight costs and what inexact sight gets wrong.

Every comparison runs in one process, ours and the other method in turn, on the same questions, and the answers are
compared before the times are. Times are medians of several rounds.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Callable

import shapely

from auditor.geometry import fans, lines
from auditor.geometry.hexes import centre, corners, disc, edge, ends, neighbours
from auditor.systems.calth.sight import Sight
from tests.bench.table import Row, at_least, at_most
from tests.geometry import oracle

ROUNDS = 7


def defaults(reading: str) -> str:
    return oracle.DEFAULTS[reading]


def width(reading: str) -> str:
    """Polygons cannot tell a single ray from nothing, so the shadows are compared where a whole fan is asked for."""
    return "width" if reading == "R-OBS-WIDTH" else oracle.DEFAULTS[reading]


def seconds(work: Callable[[], object]) -> float:
    """Of processor time, so that what else the machine does counts less."""
    start = time.process_time()
    work()
    return time.process_time() - start


def board_of_61(seed: int):
    """61 hexes, a quarter of them obstacles, half blocked and half occupied; a dozen sealed doors."""
    rng = random.Random(seed)
    board = disc(4)
    obstacles = rng.sample(board, len(board) // 4)
    doors = rng.sample([edge(h, g) for h in board for g in neighbours(h)[:3] if g in board], 12)
    return board, set(obstacles[::2]), set(obstacles[1::2]), doors


def polygon(h):
    return shapely.Polygon(corners(h))


# -- clear sight -------------------------------------------------------------------------------------------------


def clear_by_shapely(a, b, obstacles, sides):
    """The same rule with shapely alone: one `relate` for each obstacle, and one for each hexside between two."""
    line = shapely.LineString([centre(a), centre(b)])
    along = []
    for h, shape in obstacles:
        if h in (a, b):
            continue
        matrix = line.relate(shape)
        if matrix[0] == "1":
            return False
        if matrix[1] == "1":
            along.append(h)
    return not any(
        side in sides and line.relate(sides[side])[0] == "1"
        for i, h in enumerate(along)
        for g in along[:i]
        if (side := (min(h, g), max(h, g)))
    )


def bench_clear():
    board, blocked, occupied, _ = board_of_61(1)
    eye = Sight(board, blocked)
    taken = eye.hexes(occupied)
    obstacles = [(h, polygon(h)) for h in sorted(blocked | occupied)]
    sides = {edge(h, g): shapely.LineString(ends(edge(h, g))) for h in board for g in neighbours(h)}
    pairs = [(a, b) for a in board for b in board if a != b]
    ours = [eye.clear(a, b, taken, 0, 0, defaults) for a, b in pairs]
    theirs = [clear_by_shapely(a, b, obstacles, sides) for a, b in pairs]
    assert ours == theirs

    def run_ours():
        clear = eye.clear
        for a, b in pairs:
            clear(a, b, taken, 0, 0, defaults)

    def run_theirs():
        for a, b in pairs[::8]:
            clear_by_shapely(a, b, obstacles, sides)

    return compare("clear sight, 61 hexes", run_ours, len(pairs), run_theirs, len(pairs[::8]), "shapely, a loop", 80)


# -- obscured sight ----------------------------------------------------------------------------------------------


def shadow(s, points):
    """Where a thing hides what lies behind it, as a polygon of whole numbers that ends far beyond the board."""
    spokes = sorted(points, key=lambda v: math.atan2(*(reversed(oracle.minus(v, s)))))
    low = next(v for v in points if all(oracle.cross(oracle.minus(v, s), oracle.minus(w, s)) >= 0 for w in points))
    high = next(v for v in points if all(oracle.cross(oracle.minus(v, s), oracle.minus(w, s)) <= 0 for w in points))
    far = [(s[0] + 1000 * (v[0] - s[0]), s[1] + 1000 * (v[1] - s[1])) for v in (low, high)]
    return shapely.MultiPoint([*spokes, *far]).convex_hull


class Shadows:
    """Obscured sight with shapely: what is left of the target when the shadows of all that stands in the way are cut."""

    def __init__(self, board, blocked, doors):
        off = {h for g in board for h in disc(2, g)} - set(board)
        self.things = [(h, polygon(h)) for h in sorted(blocked | off)] + [
            (door, shapely.LineString(ends(door))) for door in doors
        ]
        self.tree = shapely.STRtree([shape for _, shape in self.things])
        self.shapes = {h: polygon(h) for h in board}
        self.kept = {}

    def shadow(self, a, i):
        if (a, i) not in self.kept:
            thing, shape = self.things[i]
            points = list(shape.coords) if shape.geom_type == "LineString" else corners(thing)
            self.kept[a, i] = (
                shadow(centre(a), points) if len({oracle.sign(turn) for turn in turns(a, points)}) else None
            )
        return self.kept[a, i]

    def sees(self, a, b):
        target = self.shapes[b]
        way = shapely.MultiPoint([centre(a), *corners(b)]).convex_hull
        found = [
            self.shadow(a, i)
            for i in self.tree.query(way, predicate="intersects")
            if self.things[i][0] not in (a, b) and self.things[i][1].relate(way)[0] != "F"
        ]
        return target.difference(shapely.union_all(found)).area > 1e-9


def turns(a, points):
    s = centre(a)
    return [oracle.cross(oracle.minus(v, s), oracle.minus(w, s)) for v in points for w in points]


def bench_obscured():
    board, blocked, _, doors = board_of_61(2)
    eye = Sight(board, blocked)
    sealed = eye.edges(doors)
    other = Shadows(board, blocked, doors)
    pairs = [(a, b) for a in board for b in board if a != b]
    some = pairs[::8]
    ours = [eye.obscured(a, b, sealed, 0, width) for a, b in some]
    theirs = [other.sees(a, b) for a, b in some]
    assert ours == theirs, [pair for pair, one, two in zip(some, ours, theirs, strict=True) if one != two]
    run_all(eye, pairs, sealed)

    def run_theirs():
        for a, b in some[::3]:
            other.sees(a, b)

    return compare(
        "obscured sight, 12 sealed doors",
        lambda: run_all(eye, pairs, sealed),
        len(pairs),
        run_theirs,
        len(some[::3]),
        "shapely, filtered shadows",
        40,
    )


def run_all(eye, pairs, sealed):
    obscured = eye.obscured
    for a, b in pairs:
        obscured(a, b, sealed, 0, width)


def compare(name, ours, our_count, theirs, their_count, other_name, goal):
    def often():
        for _ in range(10):
            ours()

    times = [(seconds(often) / our_count / 10, seconds(theirs) / their_count) for _ in range(ROUNDS)]
    mine, other = (statistics.median(column) for column in zip(*times, strict=True))
    ratio = statistics.median(two / one for one, two in times)
    return Row(
        name, f"{mine * 1e6:.2f} us", f"{other_name}: {other * 1e6:.1f} us", f"{ratio:.0f} x", *at_least(goal, ratio)
    )


# -- compiling ---------------------------------------------------------------------------------------------------


def bench_cold():
    """Every line and every fan of a board, from nothing."""
    board, blocked, occupied, doors = board_of_61(3)
    pairs = [(a, b) for a in board for b in board if a != b]

    def run():
        lines._kept.cache_clear()
        fans._kept.cache_clear()
        eye = Sight(board, blocked, doors)
        taken, sealed = eye.hexes(occupied), eye.edges(doors)
        for a, b in pairs:
            eye.clear(a, b, taken, sealed, 0, defaults)
            eye.field.fan_between(a, b)

    def run_asked():
        lines._kept.cache_clear()
        fans._kept.cache_clear()
        eye = Sight(board, blocked, doors)
        taken, sealed = eye.hexes(occupied), eye.edges(doors)
        for a, b in pairs:
            eye.classify(a, b, taken, sealed, 0, defaults)

    cold = statistics.median(seconds(run) for _ in range(3))
    asked = statistics.median(seconds(run_asked) for _ in range(3))
    return [
        Row("all lines and fans of 61 hexes, cold", f"{cold:.2f} s", "", "", *at_most(0.4, cold, "s")),
        Row("all 3660 pairs classified, cold", f"{asked:.2f} s", "", ""),
    ]


# -- errors ------------------------------------------------------------------------------------------------------


def exact(offset):
    s, d = (0, 0), centre(offset)
    found = set()
    for h in oracle.box(s, d):
        if h not in ((0, 0), offset) and oracle.touches_straight(h, s, d):
            chord = oracle.chord(h, s, d)
            if chord and max(chord[0], 0) < min(chord[1], 1):
                found.add(h)
    return found


def ours(offset):
    return {contact.hexes[0] for contact in lines.centre_line(offset).contacts if contact.how == "through"}


def on_paper(q, r):
    """Where a point in axial units lies on a drawing with regular hexes."""
    return math.sqrt(3) * (q + r / 2), 1.5 * r


def regular(h):
    x, y = on_paper(*h)
    return shapely.Polygon(
        [(x + math.cos(math.radians(60 * k + 30)), y + math.sin(math.radians(60 * k + 30))) for k in range(6)]
    )


def by_floats(offset):
    line = shapely.LineString([on_paper(0, 0), on_paper(*offset)])
    near = [h for h in oracle.box((0, 0), centre(offset)) if oracle.touches_straight(h, (0, 0), centre(offset))]
    return {h for h in near if h not in ((0, 0), offset) and line.relate(regular(h))[0] == "1"}


def rounded(q, r):
    """The hex whose cube coordinates are nearest."""
    x, z = q, r
    y = -x - z
    rx, ry, rz = round(x), round(y), round(z)
    dx, dy, dz = abs(rx - x), abs(ry - y), abs(rz - z)
    if dx > dy and dx > dz:
        rx = -ry - rz
    elif dy <= dz:
        rz = -rx - ry
    return rx, rz


def by_samples(offset, count):
    found = {rounded(offset[0] * i / count, offset[1] * i / count) for i in range(1, count)}
    return found - {(0, 0), offset}


def bench_errors(radius=30):
    offsets = [offset for offset in disc(radius) if offset != (0, 0)]
    methods = {
        "ours": ours,
        "shapely on square roots of 3": by_floats,
        "cube rounding, one point a step": lambda o: by_samples(o, oracle_steps(o)),
        "sampling, 20 points a step": lambda o: by_samples(o, 20 * oracle_steps(o)),
    }
    truth = [exact(offset) for offset in offsets]
    rows = []
    for name, method in methods.items():
        wrong = sum(method(offset) != true for offset, true in zip(offsets, truth, strict=True))
        goal = ("0", not wrong) if name == "ours" else (None, None)
        said = f"offsets to radius {radius} whose line is said to pass through other hexes: {name}"
        rows.append(Row(said, f"{wrong} of {len(offsets)}", "", f"{100 * wrong / len(offsets):.1f} %", *goal))
    return rows


def oracle_steps(offset):
    return max(abs(offset[0]), abs(offset[1]), abs(offset[0] + offset[1]))


def bench():
    return [bench_clear(), bench_obscured(), *bench_cold(), *bench_errors()]
