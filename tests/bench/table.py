"""Rows of the table of measurements."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Row(NamedTuple):
    """What was measured, against what, and whether the goal, if there is one, was met."""

    what: str
    ours: str
    yardstick: str
    ratio: str
    goal: str | None = None
    met: bool | None = None

    def cells(self) -> tuple[str, ...]:
        met = "" if self.met is None else "met" if self.met else "NOT met"
        return self.what, self.ours, self.yardstick, self.ratio, self.goal or "", met


def at_most(goal: float | None, found: float, unit: str = "x") -> tuple[str | None, bool | None]:
    """The goal of a row and whether it was met."""
    return (None, None) if goal is None else (f"at most {goal:g} {unit}", found <= goal)


def at_least(goal: float | None, found: float, unit: str = "x") -> tuple[str | None, bool | None]:
    """The goal of a row and whether it was met."""
    return (None, None) if goal is None else (f"at least {goal:g} {unit}", found >= goal)


def show(rows: Iterable[Row]) -> None:
    """Print rows in columns."""
    cells = [row.cells() for row in rows]
    if not cells:
        return
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    for row in cells:
        print("  " + "   ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
