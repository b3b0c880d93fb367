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


def show(rows: Iterable[Row]) -> None:
    """Print rows in columns."""
    cells = [row.cells() for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    for row in cells:
        print("  " + "   ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
