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
from typing import Literal

from auditor.geometry.compiled import Kind, met_by
from auditor.geometry.hexes import (
    CORNERS,
    OUTWARD,
    Edge,
    Hex,
    Point,
    centre,
    corners,
    corridor,
    cross,
    edge,
    ends,
    hexes_at,
    hull,
    side,
    sign,
    steps,
)

How = Literal["through", "along", "corner", "cross"]


@dataclass(frozen=True, slots=True)
class Contact:
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
    (ux, uy), (x, y) = direction, centre(target)
    # Numerator and denominator of both places, the denominators positive; 1/0 is as far as one likes.
    low, high = (0, 1), (1, 0)
    for gx, gy in OUTWARD:
        slope, room = gx * ux + gy * uy, 3 + gx * x + gy * y
        if slope > 0:
            if room * high[1] < high[0] * slope:
                high = (room, slope)
        elif slope < 0:
            if -room * low[1] > low[0] * -slope:
                low = (-room, -slope)
        elif room < 0:
            raise ValueError("the line misses the hex")
    if high[0] * low[1] < low[0] * high[1]:
        raise ValueError("the line misses the hex")
    return Fraction(*low), Fraction(*high)


def sides_at(at: Fraction, direction: Point, target: Hex) -> tuple[int, ...]:
    """The hexsides of `target` (directions 0 to 5) on which the point `at` directions from (0, 0) lies.

    None inside, one on a hexside, two neighbouring ones at a corner.
    """
    x, y = at * direction[0] - 3 * target[0], at * direction[1] - 3 * target[1]
    return tuple(k for k, (gx, gy) in enumerate(OUTWARD) if gx * x + gy * y == 3)


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
    enters, leaves = span(direction, target)
    kinds = _relations(direction, target)

    passed = [hex_ for hex_, kind in kinds.items() if kind == "through" and before(hex_, target)]
    contacts = [Contact("through", span(direction, hex_)[0], (hex_,)) for hex_ in passed]
    contacts += _crossed(direction, [(0, 0), *passed])

    points: set[Point] = set()
    traced: set[Edge] = set()
    for hex_, kind in kinds.items():
        if kind in ("along", "corner"):
            here = [k for k, v in enumerate(corners(hex_)) if _on(direction, v)]
            points.update(corners(hex_)[k] for k in here)
            if kind == "along":
                traced.add(side(hex_, here[0] if here == [0, 5] else here[1]))
    both_ends = ((0, 0), target)
    contacts += [
        Contact("along", at, tuple(hex_ for hex_ in found if hex_ not in both_ends), found)
        for found in traced
        if (at := min(_place(direction, end) for end in ends(found))) <= enters
    ]
    contacts += [
        _corner(direction, point, at, both_ends) for point in points if (at := _place(direction, point)) <= enters
    ]
    # What is met at a point comes before what begins there.
    contacts.sort(key=lambda contact: (contact.at, contact.how in ("through", "along"), contact.hexes))
    return Line(direction, enters, leaves, sides_at(enters, direction, target), tuple(contacts))


_kept = lru_cache(maxsize=8192)(_met)


def _relations(direction: Point, target: Hex) -> dict[Hex, Kind]:
    """How each hex near the line meets it, up to some way past the target. The two end hexes are left out."""
    furthest = max(abs(part) for part in centre(target)) + 3
    times = -(-furthest // max(abs(part) for part in direction))
    far = (times * direction[0], times * direction[1])
    # A hex whose centre is further to the side than its corners reach is missed.
    width = max(cross(direction, v) for v in CORNERS)
    near = [hex_ for hex_ in sorted(corridor(target)) if abs(cross(direction, centre(hex_))) <= width]
    near = [hex_ for hex_ in near if hex_ not in ((0, 0), target)]
    kinds = met_by(direction, target)
    if kinds is None:
        return by_shapely(far, near)
    return {hex_: kinds[hex_] for hex_ in near if hex_ in kinds}


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


def _crossed(direction: Point, hexes: Iterable[Hex]) -> list[Contact]:
    """The hexsides of `hexes` that the line crosses between their ends."""
    found: dict[Edge, Fraction] = {}
    for hex_ in hexes:
        signs = [sign(cross(direction, v)) for v in corners(hex_)]
        for k in range(6):
            if signs[k - 1] * signs[k] == -1:
                crossed = side(hex_, k)
                a, b = ends(crossed)
                along = (b[0] - a[0], b[1] - a[1])
                at = Fraction(cross(a, along), cross(direction, along))
                if at > 0:
                    found[crossed] = at
    return [Contact("cross", at, (), crossed) for crossed, at in found.items()]


def _corner(direction: Point, point: Point, at: Fraction, both_ends: tuple[Hex, Hex]) -> Contact:
    hexes = hexes_at(point)
    spokes: dict[Edge, int] = {}
    for i, hex_ in enumerate(hexes):
        spoke = edge(hex_, hexes[i - 1])
        a, b = ends(spoke)
        end = b if a == point else a
        spokes[spoke] = sign(cross(direction, (end[0] - point[0], end[1] - point[1])))
    beside: list[tuple[Hex, int]] = []
    touched: tuple[Hex, ...] = ()
    for hex_ in hexes:
        if hex_ in both_ends:
            continue
        two = [spokes[edge(hex_, other)] for other in hexes if other != hex_]
        lies = set(two) - {0}
        if len(lies) == 1:
            beside.append((hex_, lies.pop()))
            if 0 not in two:
                touched = (hex_,)
    return Contact(
        "corner", at, touched, None, tuple((spoke, lies) for spoke, lies in spokes.items() if lies), tuple(beside)
    )


def _on(direction: Point, point: Point) -> bool:
    return cross(direction, point) == 0


def _place(direction: Point, point: Point) -> Fraction:
    """Where on the line a corner on it lies, counted in `direction`s. A corner has no part 0; then `direction` has none."""
    return Fraction(point[0], direction[0])


def moved(contact: Contact, by: Hex) -> Contact:
    """The same contact with its hexes and hexsides moved by `by`."""
    q, r = by
    return Contact(
        contact.how,
        contact.at,
        tuple([(dq + q, dr + r) for dq, dr in contact.hexes]),
        moved_edge(contact.edge, q, r) if contact.edge else None,
        tuple([(moved_edge(spoke, q, r), lies) for spoke, lies in contact.spokes]),
        tuple([((dq + q, dr + r), lies) for (dq, dr), lies in contact.beside]),
    )


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
