"""Where the things of a hex board lie on a drawing, and where a line meets them.

For drawing only: verdicts come from the audit. Places are axial (q, r) as exact fractions, hex centres at integers;
`spot` turns them into drawing units with hexes of radius R, pointy top, y downwards.
Corner k of a hex lies between directions k and k + 1; hexside k runs from corner k - 1 to corner k (catalogue 16.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import sqrt
from typing import TypeAlias

from auditor.report.boards.pen import Spot, num

R = 34.0
WIDE = sqrt(3) * R

Place: TypeAlias = tuple[Fraction, Fraction]
Hex: TypeAlias = tuple[int, int]

DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
_CORNERS = tuple((Fraction(a, 3), Fraction(b, 3)) for a, b in ((2, -1), (1, -2), (-1, -1), (-2, 1), (-1, 2), (1, 1)))


HEX = "l29.4 17v34l-29.4 17-29.4-17v-34z"
INNER = "l25.3 14.6v29.2l-25.3 14.6-25.3-14.6v-29.2z"
RING = "l26.6 15.4v30.7l-26.6 15.4-26.6-15.4v-30.7z"
INNER_TOP, RING_TOP = 29.2, 30.7


def place(pair: Sequence[int | str]) -> Place:
    """A place as exact numbers: [2, 5] or ["31/4", "9/5"]. Raises ValueError or ZeroDivisionError if it is none."""
    q, r = pair
    return Fraction(q), Fraction(r)


def spot(at: Sequence[Fraction | int]) -> Spot:
    """The place on the drawing."""
    q, r = float(at[0]), float(at[1])
    return WIDE * (q + r / 2), 1.5 * R * r


def corner(hex_at: Sequence[Fraction | int], k: int) -> Place:
    """Corner k of a hex."""
    dq, dr = _CORNERS[k % 6]
    return hex_at[0] + dq, hex_at[1] + dr


def hexside(a: Sequence[int], b: Sequence[int]) -> tuple[Place, Place] | None:
    """The two ends of the hexside that two hexes share; None where they are not neighbours."""
    step = (b[0] - a[0], b[1] - a[1])
    if step not in DIRECTIONS:
        return None
    k = DIRECTIONS.index(step)
    return corner(a, k - 1), corner(a, k)


def hex_path(kind: str, places: Iterable[Sequence[int]], shape: str = HEX, top: float = R, fill: str = "") -> str:
    drawn = []
    for q, r in places:
        x, y = spot((q, r))
        drawn.append(f"M{num(x)} {num(y - top)}{shape}")
    if not drawn:
        return ""
    return f'<path class="{kind}"{fill} d="{"".join(drawn)}"/>'


def between(a: Place, b: Place, t: Fraction) -> Place:
    """The place a fraction t of the way from a to b."""
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])


def met_hex(start: Place, end: Place, hex_at: Sequence[int]) -> tuple[Fraction, Fraction] | None:
    """From where to where (0 the start, 1 the end) a segment is in a hex or on its border; None where it never is.

    A corner that is touched gives two equal numbers; a hexside that is run along gives the hexside.
    """
    x, y = 3 * (start[0] - hex_at[0]), 3 * (start[1] - hex_at[1])
    dx, dy = 3 * (end[0] - start[0]), 3 * (end[1] - start[1])
    low, high = Fraction(0), Fraction(1)
    for value, slope in ((x - y, dx - dy), (x + 2 * y, dx + 2 * dy), (2 * x + y, 2 * dx + dy)):
        if slope == 0:
            if abs(value) > 3:
                return None
            continue
        first, second = sorted(((-3 - value) / slope, (3 - value) / slope))
        low, high = max(low, first), min(high, second)
    return (low, high) if low <= high else None


def met_edge(start: Place, end: Place, ends: tuple[Place, Place]) -> tuple[Fraction, Fraction] | None:
    """From where to where a segment is on a hexside; one place gives two equal numbers, None where they never meet."""
    (px, py), (qx, qy) = ends
    dx, dy = end[0] - start[0], end[1] - start[1]
    ex, ey = qx - px, qy - py
    turn = dx * ey - dy * ex
    wx, wy = px - start[0], py - start[1]
    if turn != 0:
        t = (wx * ey - wy * ex) / turn
        u = (wx * dy - wy * dx) / turn
        return (t, t) if 0 <= t <= 1 and 0 <= u <= 1 else None
    if wx * dy - wy * dx != 0 or (dx == 0 and dy == 0):
        return None
    length = dx * dx + dy * dy
    t0 = (wx * dx + wy * dy) / length
    t1 = t0 + (ex * dx + ey * dy) / length
    low, high = max(Fraction(0), min(t0, t1)), min(Fraction(1), max(t0, t1))
    return (low, high) if low <= high else None


def extremes(start: Place, points: Iterable[Place]) -> tuple[Place, Place] | None:
    """The two outermost of some points as seen from a place outside their hull."""
    left: Place | None = None
    right: Place | None = None
    for p in points:
        if p == start:
            continue
        if left is None or right is None:
            left = right = p
            continue
        if _turn(start, left, p) > 0:
            left = p
        if _turn(start, right, p) < 0:
            right = p
    return (left, right) if left is not None and right is not None and left != right else None


def _turn(o: Place, a: Place, b: Place) -> Fraction:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
