"""What a straight line from the centre of a hex meets on its way into another hex.

That depends only on the direction and on where the other hex lies, so a line is compiled once, from (0, 0), and
then laid on a board by translation. Shapely's `relate` says how a line and a hex meet; on lattice points it decides
by exact predicates, and no coordinate here is anything but a lattice point. What it said of lines of the usual length
comes with the program (see `compiled`). Order and sides come from integers.
Nothing is judged here: a line meets things in certain ways, and what stops it is a question for a game.

This is the only module that imports shapely. Source: Calth catalogue 16.1-16.4.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Literal, NamedTuple

from auditor.geometry.compiled import Kind, met_by
from auditor.geometry.hexes import (
    CORNERS,
    OUTWARD,
    Edge,
    Hex,
    Point,
    centre,
    corner,
    corridor,
    cross,
    edge,
    hexes_at,
    hull,
    side,
    sign,
    steps,
)

How = Literal["through", "along", "corner", "cross"]


class Contact(NamedTuple):
    """One thing that a line meets.

    through  passes through the inside of `hexes[0]`, from `at` onwards
    along    runs along `edge`, from `at` onwards. `hexes` are its two hexes, without the start and the target
    cross    goes from one side of `edge` to the other, between its ends
    corner   goes through a corner. `hexes` is the hex that it only touches there, or empty where it runs along one of
             the corner's hexsides. `spokes` are the hexsides that end there and that it does not run along, each with
             the side (-1 or 1) on which it lies; `beside` the hexes that lie on one side of the line there.

    `at` is the place along the line: 0 at the start, 1 one `direction` further.
    """

    how: How
    at: Fraction
    hexes: tuple[Hex, ...] = ()
    edge: Edge | None = None
    spokes: tuple[tuple[Edge, int], ...] = ()
    beside: tuple[tuple[Hex, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A line from the centre of a hex until it comes to the target hex, and all that it meets, in order.

    direction  one lattice vector
    enters     the place, counted in `direction`s, at which it first meets the target hex
    sides      the target's hexside (direction 0 to 5) that it comes to there, or two where it comes to their corner
    leaves     where it last meets the target hex, as `enters`; equal to it where it only touches a corner
    contacts   nearest first; those at `enters` itself are met only by lines that go on into the target
    """

    direction: Point
    enters: Fraction
    leaves: Fraction
    sides: tuple[int, ...]
    contacts: tuple[Contact, ...]


def before(hex_: Hex, target: Hex) -> bool:
    """Whether a line from the centre of (0, 0) that passes through both comes to `hex_` first.

    Two hexes always have a hexside line between them; the line starts on the nearer one's side of it.
    """
    dq, dr = target[0] - hex_[0], target[1] - hex_[1]
    for x, y in OUTWARD:
        if x * dq + y * dr >= 2:
            return 3 * (x * hex_[0] + y * hex_[1]) + 3 >= 0
    raise ValueError("a hex is not before itself")


def span(direction: Point, target: Hex) -> tuple[Fraction, Fraction]:
    """From where to where a line from (0, 0), long enough, lies in a hex or on its border.

    Counted in `direction`s. Raises ValueError where they do not meet.
    """
    places = _Places(direction)
    low, high = places.of(target)
    return places.exact(low), places.exact(high)


def met(direction: Point, target: Hex) -> Line:
    """What the line from the centre of (0, 0) in `direction`, a lattice vector, meets until it comes to `target`.

    It may also only touch the target's border. The start and the target are never among the hexes met.
    Raises ValueError where it misses the target.
    """
    # Very long lines are large and rare, so they are not kept.
    return _kept(direction, target) if steps((0, 0), target) <= 64 else _met(direction, target)


def centre_line(offset: Hex) -> Line:
    """What the line to the centre of the hex `offset` from the first meets; one `direction` is the whole way."""
    return met(centre(offset), offset)


def _met(direction: Point, target: Hex) -> Line:
    places = _Places(direction)
    enters, leaves = places.of(target)
    sides = places.sides_at(enters, target)

    # Each contact with its place, as a whole number, and whether it only begins there.
    found: list[tuple[int, bool, Contact]] = []
    ways_in = [(target, enters, sides)]
    points: dict[Point, int] = {}
    traced: dict[Edge, int] = {}
    for hex_, kind in _relations(direction, target).items():
        if kind == "through":
            at, _ = places.of(hex_)
            if at < enters:
                found.append((at, True, Contact("through", places.exact(at), (hex_,))))
                ways_in.append((hex_, at, places.sides_at(at, hex_)))
            continue
        x, y = 3 * hex_[0], 3 * hex_[1]
        here = [k for k, (dx, dy) in enumerate(CORNERS) if direction[0] * (y + dy) == direction[1] * (x + dx)]
        met_here = {(v := corner(hex_, k)): places.of_corner(v) for k in here}
        points.update(met_here)
        if kind == "along":
            traced[side(hex_, here[0] if here == [0, 5] else here[1])] = min(met_here.values())
    for hex_, at, where in ways_in:
        if len(where) == 1:
            found.append((at, False, Contact("cross", places.exact(at), (), side(hex_, where[0]))))
    both_ends = ((0, 0), target)
    for edge_, at in traced.items():
        if at <= enters:
            beside = tuple([hex_ for hex_ in edge_ if hex_ not in both_ends])
            found.append((at, True, Contact("along", places.exact(at), beside, edge_)))
    for point, at in points.items():
        if at <= enters:
            found.append((at, False, _corner(direction, point, places.exact(at), both_ends)))
    # What is met at a point comes before what begins there.
    found.sort(key=_order)
    contacts = tuple([contact for _, _, contact in found])
    return Line(direction, places.exact(enters), places.exact(leaves), sides, contacts)


def _order(found: tuple[int, bool, Contact]) -> tuple[int, bool, tuple[Hex, ...]]:
    return found[0], found[1], found[2].hexes


class _Places:
    """Places along a line from (0, 0), long enough, as whole numbers: so many parts of its `direction`."""

    def __init__(self, direction: Point) -> None:
        ux, uy = self.direction = direction
        # How far one direction goes towards hexsides 0, 1 and 2 of a hex; the other three stand opposite.
        self._slopes = [gx * ux + gy * uy for gx, gy in OUTWARD[:3]]
        self._parts = prod([abs(slope) or 1 for slope in self._slopes])
        # How many of the parts lie between the centre of a hex and the hexside, going straight through both.
        self._across = [3 * self._parts // slope if slope else 0 for slope in self._slopes]

    def exact(self, place: int) -> Fraction:
        """A place counted in `direction`s."""
        return Fraction(place, self._parts)

    def of_corner(self, point: Point) -> int:
        """Where a corner on the line lies. A corner has no part 0; then the direction has none."""
        return point[0] * self._parts // self.direction[0]

    def of(self, hex_: Hex) -> tuple[int, int]:
        """From where to where the line lies in a hex or on its border. Raises ValueError where they do not meet."""
        q, r = hex_
        low, high = 0, None
        for n, across in zip((2 * q + r, q - r, -q - 2 * r), self._across, strict=True):
            one, two = (n - 1) * across, (n + 1) * across
            if across < 0:
                one, two = two, one
            elif not across:
                if not -1 <= n <= 1:
                    raise ValueError("the line misses the hex")
                continue
            if one > low:
                low = one
            if high is None or two < high:
                high = two
        if high is None or high < low:
            raise ValueError("the line misses the hex")
        return low, high

    def sides_at(self, place: int, hex_: Hex) -> tuple[int, ...]:
        """The hexsides of a hex on which a place lies: none inside, one, or two neighbouring ones at a corner."""
        (q, r), whole = hex_, 3 * self._parts
        one, two, three = self._slopes
        beyond = (place * one - (2 * q + r) * whole, place * two - (q - r) * whole, place * three + (q + 2 * r) * whole)
        found = [k for k in (0, 1, 2) if beyond[k] == whole]
        return (*found, *[k + 3 for k in (0, 1, 2) if beyond[k] == -whole])


_kept = lru_cache(maxsize=8192)(_met)


def _relations(direction: Point, target: Hex) -> dict[Hex, Kind]:
    """How each hex near the line meets it, up to some way past the target. The two end hexes are left out."""
    kinds = met_by(direction, target)
    if kinds is None:
        furthest = max(abs(part) for part in centre(target)) + 3
        times = -(-furthest // max(abs(part) for part in direction))
        # A hex whose centre is further to the side than its corners reach is missed.
        width = max(cross(direction, v) for v in CORNERS)
        near = [hex_ for hex_ in sorted(corridor(target)) if abs(cross(direction, centre(hex_))) <= width]
        kinds = by_shapely((times * direction[0], times * direction[1]), [hex_ for hex_ in near if hex_ != (0, 0)])
    kinds.pop(target, None)
    return kinds


def by_shapely(end: Point, hexes: list[Hex]) -> dict[Hex, Kind]:
    """How the line from the centre of (0, 0) to a lattice point meets each of some hexes; the others are left out."""
    if not hexes:
        return {}
    import shapely  # takes longer than most audits, and what lines usually meet has been compiled

    shapes = shapely.polygons([[(3 * q + x, 3 * r + y) for x, y in CORNERS] for q, r in hexes])
    line = shapely.linestrings([(0, 0), end])
    shapely.prepare(line)
    kinds: dict[Hex, Kind] = {}
    for hex_, matrix in zip(hexes, shapely.relate(line, shapes).tolist(), strict=True):
        # The first two letters: what the line's inside shares with the hex's inside, and with its border.
        if matrix[0] == "1":
            kinds[hex_] = "through"
        elif matrix[1] == "1":
            kinds[hex_] = "along"
        elif matrix[1] == "0":
            kinds[hex_] = "corner"
    return kinds


def _corner(direction: Point, point: Point, at: Fraction, both_ends: tuple[Hex, Hex]) -> Contact:
    hexes = hexes_at(point)
    # On which side of the line each hex lies; the hexside between the two others runs the opposite way.
    lies = [sign(cross(direction, (3 * q - point[0], 3 * r - point[1]))) for q, r in hexes]
    spokes = [(edge(hexes[i], hexes[i - 1]), -lies[i - 2]) for i in (0, 1, 2) if lies[i - 2]]
    beside: list[tuple[Hex, int]] = []
    touched: tuple[Hex, ...] = ()
    for i, hex_ in enumerate(hexes):
        if hex_ in both_ends:
            continue
        two = {-lies[i - 1], -lies[i - 2]}
        if len(two - {0}) == 1:
            beside.append((hex_, max(two, key=abs)))
            if 0 not in two:
                touched = (hex_,)
    return Contact("corner", at, touched, None, tuple(spokes), tuple(beside))


def moved(contact: Contact, by: Hex) -> Contact:
    """The same contact with its hexes and hexsides moved by `by`."""
    (how, at, hexes, crossed, spokes, beside), (q, r) = contact, by
    if hexes:
        hexes = tuple([(dq + q, dr + r) for dq, dr in hexes])
    if crossed is not None:
        crossed = moved_edge(crossed, q, r)
    if how == "corner":
        spokes = tuple([(moved_edge(spoke, q, r), lies) for spoke, lies in spokes])
        beside = tuple([((dq + q, dr + r), lies) for (dq, dr), lies in beside])
    return Contact(how, at, hexes, crossed, spokes, beside)


class Laid:
    """A line laid on a board, as masks over the bits of its `Field`.

    walled   whether it passes through a hex that can never be seen through
    solid    the hexes that it passes through
    crossed  the marked hexsides that it crosses
    near     the hexes that it touches or runs along
    spokes   the marked hexsides that it runs along, or that end in a corner of it
    walled_beside  whether it touches or runs along a hex that can never be seen through
    grazes   whether there is anything in `near` or `spokes`, or it is walled beside
    plain    whether only the hexes that it passes through matter: it grazes nothing and crosses no marked hexside
    kept     room for whoever judges the line to keep what was worked out for some state of the board
    """

    __slots__ = (
        "_contacts",
        "crossed",
        "grazes",
        "kept",
        "line",
        "near",
        "plain",
        "solid",
        "spokes",
        "start",
        "walled",
        "walled_beside",
    )

    def __init__(self, field: Field, line: Line, start: Hex) -> None:
        self.line, self.start = line, start
        self._contacts: tuple[Contact, ...] | None = None
        self.walled = self.walled_beside = False
        self.solid = self.crossed = self.near = self.spokes = 0
        self.kept: dict[tuple[int, int, int], int] = {}
        q, r = start
        hex_bit, edge_bit = field.hex_bit.get, field.edge_bit.get
        for contact in line.contacts:
            if contact.how == "through":
                dq, dr = contact.hexes[0]
                bit = hex_bit((q + dq, r + dr))
                if bit:
                    self.solid |= bit
                elif field.closed((q + dq, r + dr)):
                    self.walled = True
                continue
            if contact.how == "along":
                beside: tuple[Hex, ...] = contact.hexes
            else:
                beside = tuple(hex_ for hex_, _ in contact.beside)
            for dq, dr in beside:
                bit = hex_bit((q + dq, r + dr))
                if bit:
                    self.near |= bit
                elif field.closed((q + dq, r + dr)):
                    self.walled_beside = True
            if field.edge_bit:
                if contact.edge is not None:
                    bit = edge_bit(moved_edge(contact.edge, q, r), 0)
                    if contact.how == "cross":
                        self.crossed |= bit
                    else:
                        self.spokes |= bit
                for spoke, _ in contact.spokes:
                    self.spokes |= edge_bit(moved_edge(spoke, q, r), 0)
        self.grazes = self.walled_beside or bool(self.near or self.spokes)
        self.plain = not (self.grazes or self.crossed)

    def contacts(self) -> tuple[Contact, ...]:
        """What the line meets, with the hexes of the board."""
        if self._contacts is None:
            self._contacts = tuple([moved(contact, self.start) for contact in self.line.contacts])
        return self._contacts


def moved_edge(edge_: Edge, q: int, r: int) -> Edge:
    """The hexside `q` and `r` further."""
    (q1, r1), (q2, r2) = edge_
    return (q1 + q, r1 + r), (q2 + q, r2 + r)


class Field:
    """A board's hexes and marked hexsides as bits, with the lines between its hexes, compiled when first asked for.

    board    the hexes that exist, or None for a plane without end
    blocked  hexes that never let a line through; what is not on the board does not either
    edges    hexsides that may matter (doors and the like); others can be added at any time

    `hex_bit` gives each open hex of the board its bit, `edge_bit` each marked hexside. `lines` are those compiled, by
    start and target: two small keys are found sooner than one pair of them.
    """

    KEPT = 60_000

    def __init__(self, board: Iterable[Hex] | None, blocked: Iterable[Hex], edges: Iterable[Edge] = ()) -> None:
        self.board = None if board is None else frozenset(board)
        self.blocked = frozenset(blocked)
        open_hexes = sorted(self.board - self.blocked) if self.board is not None else []
        self.hex_bit: dict[Hex, int] = {hex_: 1 << i for i, hex_ in enumerate(open_hexes)}
        self.edge_bit: dict[Edge, int] = {}
        self.lines: dict[Hex, dict[Hex, Laid]] = {}
        self._kept = 0
        for marked in edges:
            self.mark(edge(*marked))

    def off_board(self, hex_: Hex) -> bool:
        """Whether there is no such hex."""
        return self.board is not None and hex_ not in self.board

    def closed(self, hex_: Hex) -> bool:
        """Whether a hex is blocked or does not exist."""
        return hex_ in self.blocked or self.off_board(hex_)

    def mark(self, marked: Edge) -> int:
        """The bit of a hexside, given now if it had none."""
        bit = self.edge_bit.get(marked)
        if bit is None:
            bit = self.edge_bit[marked] = 1 << len(self.edge_bit)
            self.forget()
        return bit

    def notice(self, hex_: Hex) -> int:
        """The bit of a hex, given now if it is an open hex of a plane without end and had none; 0 for a closed one."""
        bit = self.hex_bit.get(hex_, 0)
        if not bit and self.board is None and hex_ not in self.blocked:
            bit = self.hex_bit[hex_] = 1 << len(self.hex_bit)
            self.forget()
        return bit

    def forget(self) -> None:
        """Drop what was compiled."""
        self.lines.clear()
        self._kept = 0

    def out_of_reach(self, a: Hex, b: Hex) -> bool:
        """Whether two hexes are so far apart that every line between them leaves the board.

        A line that goes n hexes far passes through the inside of at least (n - 2) / 2 others on the way.
        """
        if self.board is None:
            return False
        far = steps(a, b)
        if far <= 64:
            return far > 2 * len(self.board) + 2
        low_q, high_q, low_r, high_r, low_sum, high_sum = hull((a, b), 2)
        on_the_way = sum(
            low_q <= q <= high_q and low_r <= r <= high_r and low_sum <= q + r <= high_sum for q, r in self.board
        )
        return far > 2 * on_the_way + 2

    def between(self, a: Hex, b: Hex) -> Laid:
        """The line between two different hex centres."""
        laid = self.lines.get(a, {}).get(b)
        if laid is None:
            if self._kept >= self.KEPT:
                self.forget()
            laid = Laid(self, centre_line((b[0] - a[0], b[1] - a[1])), a)
            self.lines.setdefault(a, {})[b] = laid
            self._kept += 1
        return laid
