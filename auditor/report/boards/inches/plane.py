"""From inches on the table to places on a drawing. For pictures only: nothing is judged by these floats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

from auditor.report.boards.pen import Board, Spot

WIDE = 600.0
"""Every drawing is so wide, however much of the table it shows, so that its words are always of one size."""
MARGIN = 24.0
"""Round the table, for the ruler."""


def number(value: Any) -> float | None:
    """A length of a board; None for what is none."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    return found if abs(found) < 1e6 else None


def point(value: Any) -> Spot | None:
    """A place on the table, in inches; None for what is none."""
    if isinstance(value, str | bytes) or not isinstance(value, Sequence) or len(value) < 2:
        return None
    x, y = number(value[0]), number(value[1])
    return None if x is None or y is None else (x, y)


def points(values: Any) -> list[Spot]:
    """The places among some values."""
    if isinstance(values, str | bytes) or not isinstance(values, Sequence):
        return []
    return [at for at in map(point, values) if at is not None]


def far(a: Spot, b: Spot) -> float:
    return hypot(b[0] - a[0], b[1] - a[1])


MOST = 1000.0
"""Inches: no table is wider, so that no picture grows without bound."""


def table(board: Board) -> tuple[float, float]:
    """Width and depth; of a board that does not say, wide enough for its models."""
    stand = [at for at in (point(m.get("at")) for m in board.get("models") or ()) if at is not None]
    sizes = []
    for name, axis in (("width", 0), ("depth", 1)):
        size = number(board.get(name))
        if size is None or not 1 <= size <= MOST:
            size = min(max([at[axis] for at in stand], default=0.0) + 6, MOST)
        sizes.append(max(size, 6.0))
    return sizes[0], sizes[1]


@dataclass(frozen=True)
class Plane:
    """A part of the table, from its lower left to its upper right corner in inches, and its scale."""

    left: float
    low: float
    right: float
    high: float

    @property
    def scale(self) -> float:
        """Units of the drawing for an inch."""
        return WIDE / (self.right - self.left)

    @property
    def depth(self) -> float:
        """The height of the drawing."""
        return (self.high - self.low) * self.scale

    def spot(self, at: Spot) -> Spot:
        return (at[0] - self.left) * self.scale, (self.high - at[1]) * self.scale

    def spots(self, places: Iterable[Spot]) -> list[Spot]:
        return [self.spot(at) for at in places]


_NEAR = 3.0
_LEAST = (14.0, 9.0)


def whole(board: Board) -> Plane:
    wide, deep = table(board)
    return Plane(0.0, 0.0, wide, deep)


def near(board: Board, about: Sequence[Spot]) -> Plane:
    """The part of the table round some places; all of it where they take most of it."""
    all_of = whole(board)
    if not about:
        return all_of
    x0, x1 = min(x for x, _ in about) - _NEAR, max(x for x, _ in about) + _NEAR
    y0, y1 = min(y for _, y in about) - _NEAR, max(y for _, y in about) + _NEAR
    x0, x1 = _wider(x0, x1, max(_LEAST[0], (y1 - y0) * 1.1), all_of.right)
    y0, y1 = _wider(y0, y1, max(_LEAST[1], (x1 - x0) * 0.55), all_of.high)
    if (x1 - x0) * (y1 - y0) >= 0.7 * all_of.right * all_of.high:
        return all_of
    return Plane(x0, y0, x1, y1)


def _wider(low: float, high: float, least: float, most: float) -> tuple[float, float]:
    """A span that is wide enough, pushed back onto the table where it hangs over."""
    grow = max(0.0, least - (high - low)) / 2
    low, high = low - grow, high + grow
    if low < 0:
        low, high = 0.0, high - low
    if high > most:
        low, high = low - (high - most), most
    return max(low, 0.0), max(min(high, most), min(1.0, most))
