"""What can be seen of a hex from the centre of another: the fan of lines that come to it.

All lines towards the inside of a hex lie in an open cone. The directions to the corners of the hexes in front cut that
cone into arcs, and within one arc every line passes through the same hexes and crosses the same hexsides. So a fan
is: its rays (the directions to corners, in order, both ends of the cone included), the arcs between them, and for each
hex and hexside the set of arcs that it covers, as an integer with one bit for each arc. A single ray between two arcs
meets a corner; what it meets is a line like any other (see `lines`).

Source: Calth catalogue 16.5. Integers and fractions only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key, lru_cache
from itertools import pairwise
from math import gcd

from auditor.geometry.hexes import (
    CORNERS,
    Edge,
    Hex,
    Point,
    centre,
    corners,
    corridor,
    cross,
    disc,
    ends,
    neighbour,
    side,
    steps,
)
from auditor.geometry.lines import Field, Line, before, met, moved_edge

Exact = tuple[Fraction, Fraction]
"""A point in axial units: (q, r) is the centre of hex (q, r)."""


@dataclass(frozen=True, slots=True)
class Fan:
    """All directions from the centre of (0, 0) towards the inside of `target`.

    rays   directions in order: first and last are the ends of the cone, the others go through corners in front
    hexes  the hexes in front of the target, each with the arcs that pass through it (arc i follows ray i) and the rays
    sides  for each arc the target's hexside (direction 0 to 5) through which it comes in
    """

    target: Hex
    rays: tuple[Point, ...]
    hexes: dict[Hex, tuple[int, int]]
    sides: tuple[int, ...]

    def between(self, arc: int) -> Point:
        """A direction inside an arc."""
        (ux, uy), (vx, vy) = self.rays[arc], self.rays[arc + 1]
        return ux + vx, uy + vy

    def crossing(self, edge_: Edge) -> int:
        """The arcs that cross a hexside on the way, the target's own included; 0 for any other."""
        one, two = edge_
        if one not in self.hexes and two not in self.hexes and (0, 0) not in edge_:
            return 0
        return _crossing(edge_, self.rays)

    def line(self, ray: int) -> Line:
        """What a ray meets until it comes to the target."""
        return met(self.rays[ray], self.target)

    def find(self, direction: Point) -> tuple[int | None, int | None]:
        """(arc, None) or (None, ray) for a direction of the closed cone; (None, None) for others."""
        low, high = 0, len(self.rays) - 1
        if cross(self.rays[low], direction) < 0 or cross(direction, self.rays[high]) < 0:
            return None, None
        while low <= high:
            middle = (low + high) // 2
            turn = cross(self.rays[middle], direction)
            if turn == 0:
                return None, middle
            if turn > 0:
                low = middle + 1
            else:
                high = middle - 1
        return high, None

    def seen(self, first: int, last: int) -> tuple[Exact, ...]:
        """The corners of the part of the target that arcs `first` to `last` see, in order around it, from (0, 0)."""
        part: list[tuple[Fraction, Fraction]] = [(Fraction(x), Fraction(y)) for x, y in corners(self.target)]
        (ax, ay), (bx, by) = self.rays[first], self.rays[last + 1]
        for ux, uy in ((ax, ay), (-bx, -by)):
            kept: list[tuple[Fraction, Fraction]] = []
            for (x1, y1), (x2, y2) in pairwise([part[-1], *part]):
                one, two = ux * y1 - uy * x1, ux * y2 - uy * x2
                if one * two < 0:
                    share = one / (one - two)
                    kept.append((x1 + share * (x2 - x1), y1 + share * (y2 - y1)))
                if two >= 0:
                    kept.append((x2, y2))
            part = kept
        return tuple((x / 3, y / 3) for x, y in part)


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def runs(mask: int) -> list[tuple[int, int]]:
    """The unbroken runs of set bits, as first and last."""
    found: list[tuple[int, int]] = []
    for bit in bits(mask):
        if found and found[-1][1] == bit - 1:
            found[-1] = (found[-1][0], bit)
        else:
            found.append((bit, bit))
    return found


def fan(target: Hex) -> Fan:
    """The fan from (0, 0) to another hex."""
    return _kept(target) if steps((0, 0), target) <= 64 else _fan(target)


def _fan(target: Hex) -> Fan:
    right, left = _extremes(target)
    (rx, ry), (lx, ly) = right, left
    # Of a hex whose centre is further to the side than its corners reach, nothing lies in the cone.
    to_right = max([rx * y - ry * x for x, y in CORNERS]) // 3
    to_left = max([x * ly - y * lx for x, y in CORNERS]) // 3
    covered: list[tuple[Hex, Point, Point]] = []
    for q, r in sorted(corridor(target) - {(0, 0), target}):
        if rx * r - ry * q < -to_right or q * ly - r * lx < -to_left:
            continue
        hex_ = (q, r)
        low, high = _extremes(hex_)
        if _overlap(low, high, right, left) and before(hex_, target):
            covered.append((hex_, low, high))

    in_front = ((0, 0), target, *[hex_ for hex_, _, _ in covered])
    points = {(3 * q + x, 3 * r + y) for q, r in in_front for x, y in CORNERS}
    between = {_primitive((x, y)) for x, y in points if rx * y > ry * x and x * ly > y * lx}
    rays = (_primitive(right), *sorted(between, key=cmp_to_key(_turn)), _primitive(left))

    hexes: dict[Hex, tuple[int, int]] = {}
    for hex_, low, high in covered:
        arcs = _arcs(low, high, rays)
        inside = arcs & (arcs << 1)  # the rays between two of the arcs, and the ends of the cone where it covers them
        hexes[hex_] = arcs, inside | (cross(low, right) > 0) | (cross(left, high) > 0) << len(rays) - 1
    sides = [0] * (len(rays) - 1)
    for k in range(6):
        if neighbour(target, k) in in_front:
            for arc in bits(_crossing(side(target, k), rays)):
                sides[arc] = k
    return Fan(target, rays, hexes, tuple(sides))


_kept = lru_cache(maxsize=8192)(_fan)


def _overlap(low: Point, high: Point, right: Point, left: Point) -> bool:
    """Whether the directions between `low` and `high` and those between `right` and `left` share an open part."""
    turn = cross(right, low)
    if turn > 0:
        return cross(low, left) > 0
    return cross(right, high) > 0 if turn else low[0] * right[0] + low[1] * right[1] > 0


def _arcs(low: Point, high: Point, rays: tuple[Point, ...]) -> int:
    """The arcs between two directions; one that is no ray lies outside the cone."""
    low, high = _primitive(low), _primitive(high)
    first = rays.index(low) if low in rays else 0
    last = rays.index(high) if high in rays else len(rays) - 1
    return (1 << last) - (1 << first)


def _crossing(edge_: Edge, rays: tuple[Point, ...]) -> int:
    """The arcs that cross a hexside in front."""
    low, high = ends(edge_)
    turn = cross(low, high)
    if turn < 0:
        low, high = high, low
    return _arcs(low, high, rays) if turn and _overlap(low, high, rays[0], rays[-1]) else 0


def _turn(a: Point, b: Point) -> int:
    return -cross(a, b)


def _primitive(v: Point) -> Point:
    divisor = gcd(v[0], v[1])
    return v[0] // divisor, v[1] // divisor


def _extremes(hex_: Hex) -> tuple[Point, Point]:
    """The corners of a hex in the first and the last direction, of those from (0, 0) to it."""
    q, r = hex_
    low, high = _SILHOUETTES[_facing(hex_)]
    return (3 * q + low[0], 3 * r + low[1]), (3 * q + high[0], 3 * r + high[1])


def _facing(hex_: Hex) -> tuple[int, int, int]:
    """Which hexsides of a hex face (0, 0): for each of directions 0 to 2 that one, the one opposite, or neither."""
    q, r = hex_
    one, two, three = 2 * q + r, q - r, -q - 2 * r
    return (one > 1) - (one < -1), (two > 1) - (two < -1), (three > 1) - (three < -1)


def _silhouette(hex_: Hex) -> tuple[Point, Point]:
    low = high = CORNERS[0]
    x, y = centre(hex_)
    for dx, dy in CORNERS:
        if cross((x + dx, y + dy), (x + low[0], y + low[1])) > 0:
            low = dx, dy
        if cross((x + high[0], y + high[1]), (x + dx, y + dy)) > 0:
            high = dx, dy
    return low, high


_SILHOUETTES = {_facing(hex_): _silhouette(hex_) for hex_ in disc(2) if hex_ != (0, 0)}
"""Which corners are the first and the last hangs on nothing but the hexsides that face the start."""


class LaidFan:
    """A fan laid on a board.

    open_arcs  the arcs that pass through no closed hex
    open_rays  the rays that pass through none, counted as in the fan
    doors      the marked hexsides on the way: their bit, the arcs that cross them, whether they are the target's own
    marked     all of those bits
    kept       room for whoever judges to keep what was worked out for some state of the doors
    """

    __slots__ = ("doors", "fan", "kept", "marked", "open_arcs", "open_rays", "start")

    def __init__(self, field: Field, fan_: Fan, start: Hex) -> None:
        self.fan, self.start = fan_, start
        q, r = start
        arcs = rays = 0
        hex_bit = field.hex_bit
        for (dq, dr), (covered, met_inside) in fan_.hexes.items():
            hex_ = (q + dq, r + dr)
            if hex_ not in hex_bit and field.closed(hex_):
                arcs |= covered
                rays |= met_inside
        count = len(fan_.rays) - 1
        self.open_arcs = ((1 << count) - 1) & ~arcs
        self.open_rays = ((1 << count + 1) - 1) & ~rays
        self.doors: list[tuple[int, int, bool]] = []
        self.marked = 0
        target = fan_.target
        for marked, bit in field.edge_bit.items():
            here = moved_edge(marked, -q, -r)
            covered = fan_.crossing(here)
            if covered:
                self.doors.append((bit, covered, target in here))
                self.marked |= bit
        self.kept: dict[tuple[int, int], int] = {}


class Outlook(Field):
    """A field that also keeps the fans between its hexes."""

    KEPT_FANS = 30_000

    def __init__(self, board: Iterable[Hex] | None, blocked: Iterable[Hex], edges: Iterable[Edge] = ()) -> None:
        self.fans: dict[tuple[Hex, Hex], LaidFan] = {}
        super().__init__(board, blocked, edges)

    def forget(self) -> None:
        """Drop what was compiled."""
        super().forget()
        self.fans.clear()

    def fan_between(self, a: Hex, b: Hex) -> LaidFan:
        """The fan from the centre of `a` to another hex `b`."""
        laid = self.fans.get((a, b))
        if laid is None:
            if len(self.fans) >= self.KEPT_FANS:
                self.fans.clear()
            laid = self.fans[a, b] = LaidFan(self, fan((b[0] - a[0], b[1] - a[1])), a)
        return laid
