"""Line of sight by exact arithmetic, word for word after catalogue section 16.

Nothing is cached and nothing is clever: every line is tried against everything in its box that could stop it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cmp_to_key
from math import floor, gcd
from typing import NamedTuple

from auditor.conformance.calth.board import Board, Edge, Hex, edge_of, step
from auditor.conformance.calth.tables import Readings, option

Point = tuple[Fraction, Fraction]
Vector = tuple[int, int]
Lattice = tuple[int, int]

CORNERS: tuple[Lattice, ...] = ((2, -1), (1, -2), (-1, -1), (-2, 1), (-1, 2), (1, 1))
# A hex is where each of these, measured from its centre, stays strictly between -3 and 3.
WALLS: tuple[Vector, ...] = ((1, -1), (1, 2), (2, 1))


def centre(h: Hex) -> Lattice:
    """The lattice point of a hex's centre."""
    return (3 * h[0], 3 * h[1])


def corner(h: Hex, k: int) -> Lattice:
    """The lattice point of the corner between directions k and k + 1 of a hex."""
    dx, dy = CORNERS[k % 6]
    return (3 * h[0] + dx, 3 * h[1] + dy)


def edge_ends(edge: Edge) -> tuple[Lattice, Lattice]:
    """The two corners of an edge."""
    h, g = edge
    k = next(k for k in range(6) if step(h, k) == g)
    return corner(h, k - 1), corner(h, k)


def cross(u: Vector, v: Vector) -> int:
    """The cross product; its sign says on which side of u the vector v points."""
    return u[0] * v[1] - u[1] * v[0]


def sign(n: int) -> int:
    """-1, 0 or 1."""
    return (n > 0) - (n < 0)


def minus(a: Lattice, b: Lattice) -> Vector:
    """The vector from b to a."""
    return (a[0] - b[0], a[1] - b[1])


@dataclass(frozen=True)
class Scene:
    """What a line of sight may meet: all that is on the board at the moment of a shot, and its two ends."""

    board: Board
    shooter: Hex
    target: Hex
    occupied: Collection[Hex]
    sealed: Collection[Edge]
    readings: Readings = field(default_factory=dict)

    def stopping_edges(self) -> set[Edge]:
        """The edges that stop a line that crosses them: sealed doors, and obstructions under R-LOS-OBST `stops`."""
        edges = set(self.sealed)
        if option(self.readings, "R-LOS-OBST") == "stops":
            edges |= self.board.obstructions
        return edges

    def is_closed(self, h: Hex, units_too: bool) -> bool:
        """Whether a hex is in the set K of 16.4; the two end hexes never are."""
        if h in (self.shooter, self.target):
            return False
        return self.board.is_shut(h) or (units_too and h in self.occupied)


def chord(h: Hex, s: Lattice, d: Vector) -> tuple[Fraction, Fraction] | None:
    """The open interval of t in which s + t*d is inside the hex, on the whole line; None where it never is."""
    low: Fraction | None = None
    high: Fraction | None = None
    dx, dy = s[0] - 3 * h[0], s[1] - 3 * h[1]
    for wx, wy in WALLS:
        offset = wx * dx + wy * dy
        slope = wx * d[0] + wy * d[1]
        if slope == 0:
            if abs(offset) >= 3:
                return None
            continue
        ends = sorted((Fraction(-3 - offset, slope), Fraction(3 - offset, slope)))
        low = ends[0] if low is None else max(low, ends[0])
        high = ends[1] if high is None else min(high, ends[1])
    if low is None or high is None or low >= high:
        return None
    return low, high


def time_of(v: Lattice, s: Lattice, d: Vector) -> Fraction:
    """The t at which s + t*d is the point v, which lies on that line."""
    return Fraction(v[0] - s[0], d[0]) if d[0] else Fraction(v[1] - s[1], d[1])


def hexes_near(s: Lattice, d: Vector, reach: Fraction) -> list[Hex]:
    """Every hex that the segment could meet: its box, two hexes wider, and of that the band along the line."""
    ends = (s, (s[0] + reach * d[0], s[1] + reach * d[1]))
    q_low, q_high = floor(min(e[0] for e in ends) / 3) - 2, floor(max(e[0] for e in ends) / 3) + 3
    r_low, r_high = floor(min(e[1] for e in ends) / 3) - 2, floor(max(e[1] for e in ends) / 3) + 3
    widest = max(abs(cross(d, c)) for c in CORNERS)
    return [
        (q, r)
        for q in range(q_low, q_high + 1)
        for r in range(r_low, r_high + 1)
        if abs(d[0] * (3 * r - s[1]) - d[1] * (3 * q - s[0])) <= widest
    ]


Segment = tuple[Lattice, Lattice]


class Obstacles(NamedTuple):
    """All that can stop a line between the two hexes of a scene; it passes everything else.

    `along` are the edges that stop a line which runs along them, `across` those that stop one which crosses them;
    `corners` says of each corner of a closed hex or a door which three hexes meet there.
    """

    closed: list[Hex]
    along: list[Segment]
    across: list[Segment]
    corners: dict[Lattice, tuple[Hex, Hex, Hex]]


def obstacles(scene: Scene, units_too: bool) -> Obstacles:
    """What can stop a line from the shooter's centre to a point of the target's hex (16.4a).

    Such a line keeps to the band as wide as the target's hex, and what it meets lies half as wide again to each side.
    """
    s = centre(scene.shooter)
    d = minus(centre(scene.target), s)
    widest = 2 * max(abs(cross(d, c)) for c in CORNERS)
    band = {h for h in box_of(scene, 1) if abs(cross(d, minus(centre(h), s))) <= widest}
    closed = {h for h in band if scene.is_closed(h, units_too)}
    doors = [edge for edge in scene.stopping_edges() if edge[0] in band or edge[1] in band]
    pairs = ((h, step(h, k)) for h in closed for k in range(3))
    along = [edge for edge in pairs if edge[1] in closed and both_closed(scene, *edge, units_too)]
    if option(scene.readings, "R-LOS-ALONG") == "crossing":
        along += doors
    corners = {corner(h, k): (h, step(h, k), step(h, k + 1)) for h in closed for k in range(6)}
    for h, g in doors:
        k = next(k for k in range(6) if step(h, k) == g)
        for n in (k - 1, k):
            corners[corner(h, n)] = (h, step(h, n), step(h, n + 1))
    return Obstacles(sorted(closed), [edge_ends(e) for e in along], [edge_ends(e) for e in doors], corners)


def box_of(scene: Scene, wider: int) -> list[Hex]:
    """The box of both hexes, so many hexes wider."""
    qs, rs = (scene.shooter[0], scene.target[0]), (scene.shooter[1], scene.target[1])
    return [
        (q, r) for q in range(min(qs) - wider, max(qs) + wider + 1) for r in range(min(rs) - wider, max(rs) + wider + 1)
    ]


def enters(h: Hex, s: Lattice, d: Vector, reach: Fraction) -> bool:
    """Whether s + t*d is inside the hex for some 0 < t < reach: every bound from below lies under every one from above.

    Bounds are pairs (numerator, positive denominator), so that only whole numbers are multiplied.
    """
    below, above = [(0, 1)], [(reach.numerator, reach.denominator)]
    dx, dy = s[0] - 3 * h[0], s[1] - 3 * h[1]
    for wx, wy in WALLS:
        offset, slope = wx * dx + wy * dy, wx * d[0] + wy * d[1]
        if slope == 0:
            if abs(offset) >= 3:
                return False
            continue
        if slope < 0:
            offset, slope = -offset, -slope
        below.append((-3 - offset, slope))
        above.append((3 - offset, slope))
    return all(low * over < high * under for low, under in below for high, over in above)


def is_between(n: int, m: int, reach: Fraction) -> bool:
    """Whether 0 < n/m < reach; m is not 0."""
    if m < 0:
        n, m = -n, -m
    return n > 0 and n * reach.denominator < m * reach.numerator


def is_stopped(scene: Scene, near: Obstacles, d: Vector, reach: Fraction, units_too: bool) -> bool:
    """Whether the segment from the shooter's centre along d, for 0 < t < reach, is stopped (16.4a)."""
    s = centre(scene.shooter)
    if any(enters(h, s, d, reach) for h in near.closed):  # 1 inside
        return True

    axis = 0 if d[0] else 1
    for a, b in near.along:  # 2 on the line
        if cross(d, minus(a, s)) == cross(d, minus(b, s)) == 0:
            # Both corners in order along the line, in units of d[axis].
            start, end = sorted((a[axis] - s[axis], b[axis] - s[axis]), key=lambda n: n * d[axis])
            if end * d[axis] > 0 and (start * d[axis] <= 0 or is_between(start, d[axis], reach)):
                return True

    for a, b in near.across:  # 3 crossed
        if sign(cross(d, minus(a, s))) * sign(cross(d, minus(b, s))) == -1:
            along = minus(b, a)
            if is_between(cross(minus(a, s), along), cross(d, along), reach):
                return True

    for v, three in near.corners.items():
        if cross(d, minus(v, s)) == 0 and is_between(v[axis] - s[axis], d[axis], reach):
            if corner_stops(scene, three, v, d, units_too):
                return True
    return False


def corner_stops(scene: Scene, three: tuple[Hex, Hex, Hex], v: Lattice, d: Vector, units_too: bool) -> bool:
    """Whether a line along d is stopped in the corner v where three hexes meet (parts 4 and 5 of 16.4a)."""
    doors = scene.stopping_edges()
    ask = scene.readings

    def side(h: Hex, g: Hex) -> int:
        a, b = edge_ends((h, g))
        return sign(cross(d, minus(b if a == v else a, v)))

    def sides_of(h: Hex) -> list[int]:
        return [side(h, g) for g in three if g != h]

    if option(ask, "R-LOS-VERTEX") == "blocks":
        for h in three:
            one, two = sides_of(h)
            if scene.is_closed(h, units_too) and one == two != 0:
                return True
    pairs = ((three[0], three[1]), (three[1], three[2]), (three[2], three[0]))
    tips = {side(h, g) for h, g in pairs if edge_of(h, g) in doors} - {0}
    tip = option(ask, "R-LOS-TIP")
    if not tips or tip == "graze_ok":
        return False
    if tip == "touch_blocks":
        return True
    shut = set(tips)
    for h in three:
        if scene.is_closed(h, units_too):
            sides = set(sides_of(h)) - {0}
            if len(sides) == 1:
                shut |= sides
    return shut == {-1, 1}


def both_closed(scene: Scene, h: Hex, g: Hex, units_too: bool) -> bool:
    """Whether the edge between two hexes stops a line that runs along it."""
    ask = scene.readings
    off_board = h not in scene.board.kinds or g not in scene.board.kinds
    if option(ask, "R-LOS-OFFBOARD") == "ignored" and off_board:
        return False
    if not (scene.is_closed(h, units_too) and scene.is_closed(g, units_too)):
        return False
    edge = edge_of(h, g)
    if option(ask, "R-LOS-EDGEADJ") == "strict" and (edge in scene.sealed or edge in scene.board.obstructions):
        return False
    mixed = scene.board.is_shut(h) != scene.board.is_shut(g)
    return not (mixed and option(ask, "R-LOS-EDGEMIX") == "same_kind")


def is_clear(scene: Scene) -> bool:
    """Whether the line from centre to centre is free (CAL-LOS-01)."""
    d = minus(centre(scene.target), centre(scene.shooter))
    return not is_stopped(scene, obstacles(scene, units_too=True), d, Fraction(1), units_too=True)


@dataclass(frozen=True)
class Line:
    """A legal obscured line: its direction, where it ends, and where it enters the target's hex (t along d)."""

    d: Vector
    end: Fraction
    entry: Fraction
    wide: bool

    def aim(self, shooter: Hex) -> Point:
        """The point aimed at, in axial hex units."""
        s = centre(shooter)
        return ((s[0] + self.end * self.d[0]) / 3, (s[1] + self.end * self.d[1]) / 3)


def primitive(v: Vector) -> Vector:
    """The shortest lattice vector in the same direction."""
    n = gcd(v[0], v[1])
    return (v[0] // n, v[1] // n)


def directions_to_try(scene: Scene) -> list[tuple[Vector, bool]]:
    """The directions of 16.5, sorted across the target's cone; True marks those between two critical ones."""
    s, target = centre(scene.shooter), scene.target
    own = [minus(corner(target, k), s) for k in range(6)]
    first = next(u for u in own if all(cross(u, v) >= 0 for v in own))
    last = next(u for u in own if all(cross(u, v) <= 0 for v in own))
    points = [corner(target, k) for k in range(6)]
    box = box_of(scene, 2)
    for h in box:
        if scene.is_closed(h, units_too=False):
            points += [corner(h, k) for k in range(6)]
    inside_box = set(box)
    for edge in scene.stopping_edges():
        if edge[0] in inside_box or edge[1] in inside_box:
            points += edge_ends(edge)
    rays = {
        primitive(v)
        for v in (minus(p, s) for p in points)
        if v != (0, 0) and cross(first, v) >= 0 and cross(v, last) >= 0
    }
    # The cone is narrower than half a turn, so a vector on the right side of both its ends lies in it.

    def turn(u: Vector, v: Vector) -> int:
        return -cross(u, v)

    ordered = sorted(rays, key=cmp_to_key(turn))
    tried: list[tuple[Vector, bool]] = []
    for u, v in zip(ordered, [*ordered[1:], None], strict=True):
        tried.append((u, False))
        if v is not None:
            tried.append((primitive((u[0] + v[0], u[1] + v[1])), True))
    return tried


def legal_lines(scene: Scene) -> Iterator[Line]:
    """One legal obscured line for every direction of 16.5 that has one; none where no shot is possible."""
    s = centre(scene.shooter)
    width_only = option(scene.readings, "R-OBS-WIDTH") == "width"
    border_too = option(scene.readings, "R-OBS-POINT") == "closed"
    near = obstacles(scene, units_too=False)
    for d, wide in directions_to_try(scene):
        if width_only and not wide:
            continue
        inside = chord(scene.target, s, d)
        ends: list[tuple[Fraction, Fraction]] = []
        if inside is not None:
            ends.append(((inside[0] + inside[1]) / 2, inside[0]))
            if border_too:
                ends.append((inside[0], inside[0]))
        elif border_too:
            corners = [corner(scene.target, k) for k in range(6)]
            touched = [time_of(v, s, d) for v in corners if cross(d, minus(v, s)) == 0]
            ends += [(min(touched), min(touched))]
        for end, entry in ends:
            if not is_stopped(scene, near, d, end, units_too=False):
                yield Line(d, end, entry, wide)


def enters_over_barricade(scene: Scene, d: Vector, entry: Fraction) -> bool:
    """Whether a line along d comes into the target's hex over a barricade (16.6)."""
    s, target = centre(scene.shooter), scene.target
    # Work on whole numbers: stretch everything by the denominator of the entry.
    n = entry.denominator
    point = (s[0] * n + entry.numerator * d[0], s[1] * n + entry.numerator * d[1])

    def carries(k: int) -> bool:
        if (target, k % 6) in scene.board.barricades:
            return True
        both = option(scene.readings, "R-BAR-OWNER") == "both_sides"
        return both and (step(target, k), (k + 3) % 6) in scene.board.barricades

    for k in range(6):
        c = corner(target, k)
        if point == (c[0] * n, c[1] * n):
            pair = (carries(k), carries(k + 1))
            tip = option(scene.readings, "R-BAR-TIP")
            return all(pair) if tip == "pinch" else any(pair) if tip == "touch_blocks" else False
    for k in range(6):
        a, b = corner(target, k - 1), corner(target, k)
        if cross((b[0] - a[0], b[1] - a[1]), (point[0] - a[0] * n, point[1] - a[1] * n)) == 0:
            return carries(k)
    raise AssertionError("a line enters a hex over its border")


@dataclass(frozen=True)
class Sight:
    """What a shot sees: `clear`, `obscured` or `none`; one aim point; whether a barricade helps the target.

    `barricade` is None where a legal declared line would decide, there is none, and the legal ones differ.
    `aim_is_legal`: whether the line to the declared aim point is one.
    """

    kind: str
    aim: Point | None
    barricade: bool | None
    aim_is_legal: bool = False


def declared_line(scene: Scene, aim: Point) -> Line | None:
    """The line to a declared aim point if that point is in the target's hex and the line is legal, else None."""
    s = centre(scene.shooter)
    px, py = aim[0] * 3 - s[0], aim[1] * 3 - s[1]
    n = px.denominator * py.denominator
    whole = (int(px * n), int(py * n))
    if whole == (0, 0):
        return None
    d = primitive(whole)
    end = px / d[0] if d[0] else py / d[1]
    inside = chord(scene.target, s, d)
    if inside is None:
        # The line only touches the border: at a corner, or along a hexside.
        touched = [time_of(v, s, d) for v in (corner(scene.target, k) for k in range(6)) if cross(d, minus(v, s)) == 0]
        if not touched:
            return None
        inside = min(touched), max(touched)
    low, high = inside
    if not low < end < high or chord(scene.target, s, d) is None:
        if not (option(scene.readings, "R-OBS-POINT") == "closed" and low <= end <= high):
            return None
    if is_stopped(scene, obstacles(scene, units_too=False), d, end, units_too=False):
        return None
    return Line(d, end, low, wide=False)


Known = dict[tuple[Hex, Hex, frozenset[Edge]], Line | None]


def look(scene: Scene, aim: Point | None = None, known: Known | None = None) -> Sight:
    """What the shooter sees of the target, with the declared aim point where there is one.

    `known` holds the best lines of earlier looks on this board, and takes this one: no unit stops an obscured line.
    """
    if is_clear(scene):
        middle = (Fraction(scene.target[0]), Fraction(scene.target[1]))
        return Sight("clear", middle, over_barricade(scene, "clear"))
    key = (scene.shooter, scene.target, frozenset(scene.sealed))
    best = known[key] if known is not None and key in known else best_line(scene)
    if known is not None:
        known[key] = best
    over = _over_barricade_obscured(scene, best, aim)
    if best is None:
        return Sight("none", None, over)
    declared = None if aim is None else declared_line(scene, aim)
    if declared is not None and option(scene.readings, "R-OBS-BARR") == "declared_line":
        best = declared
    return Sight("obscured", best.aim(scene.shooter), over, declared is not None)


def best_line(scene: Scene) -> Line | None:
    """A legal obscured line that enters over no barricade; where all do, one of them; None where none is legal."""
    first = None
    for line in legal_lines(scene):
        if not enters_over_barricade(scene, line.d, line.entry):
            return line
        first = first or line
    return first


def over_barricade(scene: Scene, kind: str, aim: Point | None = None) -> bool | None:
    """Whether a shot of a class, `clear` or `obscured`, crosses a barricade; None as in `Sight`."""
    if kind == "obscured":
        return _over_barricade_obscured(scene, best_line(scene), aim)
    d = minus(centre(scene.target), centre(scene.shooter))
    inside = chord(scene.target, centre(scene.shooter), d)
    assert inside is not None
    return enters_over_barricade(scene, d, inside[0])


def _over_barricade_obscured(scene: Scene, best: Line | None, aim: Point | None) -> bool | None:
    """Whether an obscured shot crosses a barricade, by the line that counts (R-OBS-BARR); None where none does."""
    rule = option(scene.readings, "R-OBS-BARR")
    if rule == "centre_line":
        return over_barricade(scene, "clear")
    if best is None:
        return None
    if rule == "shooter_best":
        return enters_over_barricade(scene, best.d, best.entry)
    declared = None if aim is None else declared_line(scene, aim)
    if declared is not None:
        return enters_over_barricade(scene, declared.d, declared.entry)
    answers = {enters_over_barricade(scene, line.d, line.entry) for line in legal_lines(scene)}
    return answers.pop() if len(answers) == 1 else None
