"""Line of sight by exact arithmetic, word for word after catalogue section 16.

Nothing is cached and nothing is clever: every line is tried against every hex near it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cmp_to_key
from math import floor, gcd

from auditor.conformance.board import Board, Edge, Hex, edge_of, step
from auditor.conformance.tables import Readings, option

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


def is_stopped(scene: Scene, d: Vector, reach: Fraction, units_too: bool) -> bool:
    """Whether the segment from the shooter's centre along d, for 0 < t < reach, is stopped (16.4a)."""
    s = centre(scene.shooter)
    near = hexes_near(s, d, reach)
    doors = scene.stopping_edges()
    ask = scene.readings

    for h in near:  # 1 inside
        if scene.is_closed(h, units_too):
            inside = chord(h, s, d)
            if inside is not None and max(inside[0], Fraction(0)) < min(inside[1], reach):
                return True

    for h in near:
        for k in range(3):
            g = step(h, k)
            edge = edge_of(h, g)
            a, b = corner(h, k - 1), corner(h, k)
            side_a, side_b = sign(cross(d, minus(a, s))), sign(cross(d, minus(b, s)))
            if side_a == side_b == 0:  # 2 on the line
                times = sorted((time_of(a, s, d), time_of(b, s, d)))
                if max(times[0], Fraction(0)) < min(times[1], reach):
                    if both_closed(scene, h, g, units_too):
                        return True
                    if edge in doors and option(ask, "R-LOS-ALONG") == "crossing":
                        return True
            elif edge in doors and side_a * side_b == -1:  # 3 crossed
                # The meeting point divides a-b in the ratio of the two cross products.
                ca, cb = abs(cross(d, minus(a, s))), abs(cross(d, minus(b, s)))
                axis = 0 if d[0] else 1
                where = Fraction(a[axis] * cb + b[axis] * ca, ca + cb)
                if 0 < (where - s[axis]) / d[axis] < reach:
                    return True

    seen: set[Lattice] = set()
    for h in near:
        for k in range(6):
            v = corner(h, k)
            if v in seen or cross(d, minus(v, s)) != 0:
                continue
            seen.add(v)
            if 0 < time_of(v, s, d) < reach and corner_stops(scene, (h, step(h, k), step(h, k + 1)), v, d, units_too):
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
    return not is_stopped(scene, d, Fraction(1), units_too=True)


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
    # The box of both hexes, two hexes wider.
    qs, rs = (scene.shooter[0], target[0]), (scene.shooter[1], target[1])
    box = [(q, r) for q in range(min(qs) - 2, max(qs) + 3) for r in range(min(rs) - 2, max(rs) + 3)]
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


def legal_lines(scene: Scene) -> list[Line]:
    """One legal obscured line for every direction of 16.5 that has one; empty where no shot is possible."""
    s = centre(scene.shooter)
    width_only = option(scene.readings, "R-OBS-WIDTH") == "width"
    border_too = option(scene.readings, "R-OBS-POINT") == "closed"
    found: list[Line] = []
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
            if not is_stopped(scene, d, end, units_too=False):
                found.append(Line(d, end, entry, wide))
    return found


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
    `aim_is_legal`: whether the line to the declared aim point is one. `over_by_class` is what the barricade would do
    if the shot were of another class.
    """

    kind: str
    aim: Point | None
    barricade: bool | None
    aim_is_legal: bool = False
    over_by_class: Mapping[str, bool | None] = field(default_factory=dict)


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
    if is_stopped(scene, d, end, units_too=False):
        return None
    return Line(d, end, low, wide=False)


def look(scene: Scene, aim: Point | None = None) -> Sight:
    """What the shooter sees of the target, with the declared aim point where there is one."""
    d = minus(centre(scene.target), centre(scene.shooter))
    inside = chord(scene.target, centre(scene.shooter), d)
    assert inside is not None
    over = enters_over_barricade(scene, d, inside[0])
    lines = legal_lines(scene)
    free = [line for line in lines if not enters_over_barricade(scene, line.d, line.entry)]
    declared = None if aim is None else declared_line(scene, aim)
    obscured = _over_barricade_obscured(scene, lines, free, declared, over)
    by_class = {"clear": over, "obscured": obscured}
    if is_clear(scene):
        return Sight("clear", (Fraction(scene.target[0]), Fraction(scene.target[1])), over, False, by_class)
    if not lines:
        return Sight("none", None, obscured, False, {"obscured": obscured, "clear": over})
    best = (free or lines)[0].aim(scene.shooter)
    if declared is not None and option(scene.readings, "R-OBS-BARR") == "declared_line":
        best = declared.aim(scene.shooter)
    return Sight("obscured", best, obscured, declared is not None, by_class)


def _over_barricade_obscured(
    scene: Scene, lines: list[Line], free: list[Line], declared: Line | None, centres: bool
) -> bool | None:
    """Whether an obscured shot crosses a barricade, by the line that counts (R-OBS-BARR); None where none does."""
    rule = option(scene.readings, "R-OBS-BARR")
    if rule == "centre_line":
        return centres
    if rule == "declared_line" and declared is not None:
        return enters_over_barricade(scene, declared.d, declared.entry)
    if not lines or (rule == "declared_line" and 0 < len(free) < len(lines)):
        return None
    return not free
