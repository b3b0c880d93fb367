"""Hexes, hexsides and corners on an integer lattice.

Hexes are axial (q, r). Centres stand at (3q, 3r) and corners on the other lattice points, so every point that
matters has integer coordinates. That map is an affine image of the regular grid: straightness, incidence, order
and sides are kept; lengths, angles and areas are not.

Source: Calth catalogue sections 1 and 16.1-16.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Hex = tuple[int, int]
Edge = tuple[Hex, Hex]
Point = tuple[int, int]
"""A point of the lattice: three lattice units to one axial unit."""

DIRECTIONS: tuple[Hex, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
CORNERS: tuple[Point, ...] = ((2, -1), (1, -2), (-1, -1), (-2, 1), (-1, 2), (1, 1))
"""Corner k lies between directions k and k + 1; the hexside towards direction k runs from corner k - 1 to corner k."""

OUTWARD: tuple[Point, ...] = ((2, 1), (1, -1), (-1, -2), (-2, -1), (-1, 1), (1, 2))
"""Outward k measures how far a point lies towards direction k: 3 on hexside k, 6 at the neighbour's centre."""


def neighbour(hex_: Hex, direction: int) -> Hex:
    """The hex that shares the hexside towards `direction` (0 to 5)."""
    step = DIRECTIONS[direction]
    return hex_[0] + step[0], hex_[1] + step[1]


def neighbours(hex_: Hex) -> tuple[Hex, ...]:
    """The six hexes around, in direction order."""
    q, r = hex_
    return tuple((q + dq, r + dr) for dq, dr in DIRECTIONS)


def edge(a: Hex, b: Hex) -> Edge:
    """The hexside shared by two neighbours, the same whichever is named first. Raises ValueError for other pairs."""
    if (b[0] - a[0], b[1] - a[1]) not in DIRECTIONS:
        raise ValueError(f"{list(a)} and {list(b)} share no hexside")
    return (a, b) if a <= b else (b, a)


def side(hex_: Hex, direction: int) -> Edge:
    """The hexside of `hex_` towards `direction` (0 to 5)."""
    other = neighbour(hex_, direction)
    return (hex_, other) if hex_ <= other else (other, hex_)


def steps(a: Hex, b: Hex) -> int:
    """How many hexes apart two hexes are on an empty board."""
    dq, dr = b[0] - a[0], b[1] - a[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def centre(hex_: Hex) -> Point:
    """Where the centre of a hex stands on the lattice."""
    return 3 * hex_[0], 3 * hex_[1]


def corner(hex_: Hex, number: int) -> Point:
    """Where corner `number` (0 to 5) of a hex stands on the lattice."""
    x, y = CORNERS[number]
    return 3 * hex_[0] + x, 3 * hex_[1] + y


def corners(hex_: Hex) -> tuple[Point, ...]:
    """The six corners of a hex in order."""
    x, y = 3 * hex_[0], 3 * hex_[1]
    return tuple([(x + dx, y + dy) for dx, dy in CORNERS])


def ends(edge_: Edge) -> tuple[Point, Point]:
    """The two corners between which a hexside runs."""
    (q, r), other = edge_
    k = DIRECTIONS.index((other[0] - q, other[1] - r))
    return corner((q, r), k - 1 if k else 5), corner((q, r), k)


def hexes_at(point: Point) -> tuple[Hex, Hex, Hex]:
    """The three hexes that meet in a corner."""
    x, y = point
    if x % 3 == 1 and y % 3 == 1:
        q, r = (x - 1) // 3, (y - 1) // 3
        return (q, r), (q + 1, r), (q, r + 1)
    if x % 3 == 2 and y % 3 == 2:
        q, r = (x - 2) // 3, (y - 2) // 3
        return (q, r + 1), (q + 1, r), (q + 1, r + 1)
    raise ValueError(f"{point} is no corner")


def cross(u: Point, v: Point) -> int:
    """Positive where `v` lies to one side of `u`, negative on the other, 0 where they are in line."""
    return u[0] * v[1] - u[1] * v[0]


def sign(number: int) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)


def turned(hex_: Hex, sixths: int) -> Hex:
    """The hex turned about (0, 0), one direction further for each sixth."""
    q, r = hex_
    for _ in range(sixths % 6):
        q, r = q + r, -q
    return q, r


def mirrored(hex_: Hex) -> Hex:
    """The hex mirrored about the line through directions 1 and 4: directions 0 and 2, 3 and 5 change places."""
    q, r = hex_
    return -r, -q


def _symmetry(sixths: int, flip: bool) -> Callable[[Hex], Hex]:
    return lambda hex_: turned(mirrored(hex_) if flip else hex_, sixths)


SYMMETRIES = tuple(_symmetry(sixths, flip) for flip in (False, True) for sixths in range(6))
"""The twelve ways of laying the grid onto itself with (0, 0) kept in place."""


def disc(radius: int, around: Hex = (0, 0)) -> tuple[Hex, ...]:
    """All hexes at most `radius` steps from `around`, row by row."""
    q, r = around
    return tuple(
        (q + dq, r + dr)
        for dr in range(-radius, radius + 1)
        for dq in range(max(-radius, -radius - dr), min(radius, radius - dr) + 1)
    )


def corridor(target: Hex) -> frozenset[Hex]:
    """Every hex within two of the straight line from (0, 0) to `target`: all that a line from the centre of one
    to any point of the other can meet, and some more."""
    reach = steps((0, 0), target)
    found: set[Hex] = set()
    for i in range(reach + 1):
        # Half up in integers: at most half a unit off in q and in r, which a margin of two hexes covers.
        q, r = ((2 * i * part + reach) // (2 * reach) if reach else 0 for part in target)
        found.update([(q + dq, r + dr) for dq, dr in _NEAR])
    return frozenset(found)


_NEAR = disc(2)


def hull(hexes: Iterable[Hex], margin: int) -> tuple[int, int, int, int, int, int]:
    """The hexagon around some hexes, grown by `margin`: the bounds of q, of r and of q + r, lowest first."""
    qs, rs, sums = zip(*((q, r, q + r) for q, r in hexes), strict=True)
    return (
        min(qs) - margin,
        max(qs) + margin,
        min(rs) - margin,
        max(rs) + margin,
        min(sums) - margin,
        max(sums) + margin,
    )
