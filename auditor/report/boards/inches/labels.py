"""Where the words of a table stand: none over another, over a base or over a line; far from what it names, with a leader.

What is drawn is kept as cells that are taken, a row of them as one whole number, so that a place is tried in a few
operations. A base, a hull and a numbered sign take their cells; a line takes those that it runs through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, floor, pi, sin, sqrt

from markupsafe import escape

from auditor.report.boards.inches.plane import WIDE, far
from auditor.report.boards.pen import Spot, mix, stroke, xy

LETTER = 11.6
"""The width of a letter where letters are largest, on a phone."""
NARROW = frozenset(".,:;'|!iIjlrtf()[]\u2032\u2033 1")
HIGH = 20.0
CELL = 4.0
MOST_TRIED = 5_000
"""Places of one drawing that are tried, for all of its words together: on one that is full the last words find none anyway."""
LEADER = 9.0
"""A label that is farther than this from what it names has a line that leads there."""


def width_of(text: str) -> float:
    return sum(0.55 if sign in NARROW else 1.3 if sign in "mwMW@" else 1.0 for sign in text) * LETTER


@dataclass(frozen=True)
class Label:
    """Words, and where their middle may stand.

    first  room is made for it before others
    kind   its class in the drawing
    of     the places that it names: round these it is tried farther off, with a line that leads there
    short  what is written where there is no room for the words
    """

    text: str
    places: tuple[Spot, ...]
    first: bool = False
    kind: str = "len"
    of: tuple[Spot, ...] = ()
    reach: float = 0.0
    short: str = ""


def side(a: Spot, b: Spot) -> Spot:
    """One to the side of a line, upwards on the drawing."""
    length = far(a, b) or 1.0
    x, y = (b[1] - a[1]) / length, (a[0] - b[0]) / length
    return (x, y) if y < 0 or (y == 0 and x > 0) else (-x, -y)


def beside(a: Spot, b: Spot, text: str, *, first: bool = False, kind: str = "len") -> Label:
    """A label beside the middle of a line, or where there is no room beside another part of it."""
    dx, dy = side(a, b)
    wide = width_of(text) / 2
    off = abs(dx) * wide + abs(dy) * HIGH / 2 + CELL
    places = [
        (x + dx * off * out, y + dy * off * out)
        for out in (1, -1)
        for x, y in (mix(a, b, t) for t in (0.5, 0.35, 0.65, 0.2, 0.8))
    ]
    return Label(text, tuple(places), first, kind, (mix(a, b, 0.5), mix(a, b, 0.3), mix(a, b, 0.7)))


Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Cells:
    """Which cells of a drawing are taken."""

    def __init__(self, deep: float) -> None:
        self.deep = deep
        self.rows = [0] * (int(deep // CELL) + 2)

    def _span(self, left: float, right: float) -> int:
        first, last = max(floor(left / CELL), 0), min(floor(right / CELL), int(WIDE // CELL) + 1)
        return ((1 << (last - first + 1)) - 1) << first if last >= first else 0

    def _rows(self, top: float, bottom: float) -> range:
        return range(max(floor(top / CELL), 0), min(floor(bottom / CELL), len(self.rows) - 1) + 1)

    def box(self, box: Box) -> None:
        mask = self._span(box[0], box[2])
        for row in self._rows(box[1], box[3]):
            self.rows[row] |= mask

    def disc(self, at: Spot, radius: float) -> None:
        for row in self._rows(at[1] - radius, at[1] + radius):
            near = max(row * CELL - at[1], at[1] - (row + 1) * CELL, 0.0)
            if near <= radius:
                half = sqrt(radius * radius - near * near)
                self.rows[row] |= self._span(at[0] - half, at[0] + half)

    def area(self, corners: Sequence[Spot]) -> None:
        """A convex figure."""
        for row in self._rows(min(y for _, y in corners), max(y for _, y in corners)):
            met = [x for a, b in pairwise((*corners, corners[0])) for x in _within(a, b, row)]
            if met:
                self.rows[row] |= self._span(min(met), max(met))

    def line(self, *spots: Spot) -> None:
        for a, b in pairwise(spots):
            for row in self._rows(min(a[1], b[1]), max(a[1], b[1])):
                met = _within(a, b, row)
                if met:
                    self.rows[row] |= self._span(min(met), max(met))

    def ring(self, at: Spot, radius: float) -> None:
        """The rim of a circle."""
        self.line(*((at[0] + radius * cos(pi * n / 24), at[1] + radius * sin(pi * n / 24)) for n in range(49)))

    def has(self, box: Box) -> bool:
        """Whether a cell of a box is taken."""
        mask = self._span(box[0], box[2])
        return any(self.rows[row] & mask for row in self._rows(box[1], box[3]))

    def meets(self, a: Spot, b: Spot) -> bool:
        """Whether a line runs through a cell that is taken."""
        for row in self._rows(min(a[1], b[1]), max(a[1], b[1])):
            met = _within(a, b, row)
            if met and self.rows[row] & self._span(min(met), max(met)):
                return True
        return False


def _within(a: Spot, b: Spot, row: int) -> list[float]:
    """Where a line enters and leaves a row of cells."""
    top, bottom = row * CELL, (row + 1) * CELL
    (x0, y0), (x1, y1) = (a, b) if a[1] <= b[1] else (b, a)
    if y1 < top or y0 > bottom:
        return []
    if y1 == y0:
        return [x0, x1]
    slope = (x1 - x0) / (y1 - y0)
    return [x0 + (max(y0, top) - y0) * slope, x0 + (min(y1, bottom) - y0) * slope]


@dataclass
class Room:
    """What is drawn on a table: where words may not stand (`solid`, `lines`, and what is `written` already); `left`: how many
    places may still be tried."""

    solid: Cells
    lines: Cells
    written: Cells
    left: int = MOST_TRIED

    @classmethod
    def of(cls, deep: float) -> Room:
        return cls(Cells(deep), Cells(deep), Cells(deep))

    def free(self, box: Box) -> bool:
        if box[0] < 0 or box[2] > WIDE or box[1] < 0 or box[3] > self.written.deep:
            return False
        return not (self.written.has(box) or self.solid.has(box) or self.lines.has(box))

    def find(
        self, wide: float, high: float, places: Iterable[Spot], of: Sequence[Spot] = (), reach: float = 0
    ) -> Found:
        """Where the middle of something so wide and high may stand, and the line that leads from there to the nearest of
        the places that it names; None where there is no room."""
        for x, y in (*places, *_around(of, reach, wide, high)):
            box = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
            self.left -= 1
            if self.left < 0:
                return None
            if self.free(box):
                leader = self._leader(box, of, reach)
                if leader is not None:
                    self.written.box(box)
                    return (x, y), leader
        return None

    def _leader(self, box: Box, of: Sequence[Spot], reach: float) -> str | None:
        """ "" where a box is near enough to what it names, None where a line to that would run over words or bases."""
        if not of:
            return ""
        middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        spot = min(of, key=lambda one: far(one, middle))
        start = min(max(spot[0], box[0]), box[2]), min(max(spot[1], box[1]), box[3])
        long = far(start, spot)
        if long <= LEADER + reach:
            return ""
        end = mix(spot, start, min(reach / long, 0.9))
        long = far(start, end)
        if long <= 2 * CELL:
            return ""
        near, end_of_it = mix(start, end, 1.5 * CELL / long), mix(end, start, min(2 * CELL / long, 0.4))
        if self.written.meets(near, end_of_it) or self.solid.meets(near, self._before(near, end_of_it)):
            return None
        self.lines.line(start, end)
        return stroke("leader", start, end)

    def _before(self, a: Spot, b: Spot) -> Spot:
        """Where a line comes to the base within which it ends; its end, where that is in none."""
        steps = 16
        for n in range(steps, 0, -1):
            at = mix(a, b, n / steps)
            if not self.solid.has((at[0], at[1], at[0], at[1])):
                return b if n == steps else mix(a, b, max(n - 1, 0) / steps)
        return a


Found = tuple[Spot, str] | None


def _around(of: Sequence[Spot], reach: float, wide: float, high: float) -> Iterator[Spot]:
    """Places farther and farther from what something names."""
    for off in (12, 24, 38, 54, 74, 98, 128):
        for x, y in of[:3]:
            for n in range(12):
                out = off + reach
                yield x + cos(pi * n / 6) * (out + wide / 2), y + sin(pi * n / 6) * (out + high / 2)


def placed(labels: Iterable[Label], room: Room) -> str:
    """The labels where there is room for them, with the lines that lead to what they name; one that has none is left out."""
    out = []
    for label in sorted(labels, key=lambda one: not one.first):
        for text in filter(None, (label.text, label.short)):
            found = room.find(width_of(text), HIGH, label.places, label.of, label.reach)
            if found is not None:
                (x, y), leader = found
                out.append(f'{leader}<text class="{label.kind}" {xy((x, y + HIGH / 4))}>{escape(text)}</text>')
                break
    return "".join(out)


def length_words(inches: float) -> str:
    """'5.97\u2033', as sentences round it."""
    return f"{inches:.3f}".rstrip("0").rstrip(".") + "\u2033"
