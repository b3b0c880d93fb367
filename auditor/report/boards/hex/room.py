"""Where the signs of a hex board stand: none over another, over a unit or over the coordinate of a hex.

A sign stands at the first of the places that are its own where there is room, then as near to them as there is; where that
is off what it names, a line leads there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import cos, hypot, pi, sin
from typing import Any

from auditor.report.boards.hex.plane import spot
from auditor.report.boards.pen import Spot, mix, stroke

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
UNIT, ACTING = 18.5, 22.0
"""The radius of a unit's token, and with the ring round the one that acts."""
LETTER = 5.8
"""The width of a letter of a coordinate."""
TIGHT = 0.94
"""Where there is no room for a sign as it is on a phone, it may stand this much tighter: on a screen it is smaller."""
OFF = 5.0
"""A sign that is farther than this from what it names has a line that leads there."""


@dataclass
class Room:
    """What is drawn on a board: the discs of units, the boxes of what is written, and lines."""

    discs: list[tuple[Spot, float]] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    lines: list[tuple[Spot, Spot]] = field(default_factory=list)

    @classmethod
    def of(cls, board: Mapping[str, Any], *, labels: bool) -> Room:
        room = cls()
        for unit in board.get("units") or ():
            x, y = spot(unit["hex"])
            room.discs.append(((x, y + 3), ACTING if unit["id"] == board.get("acting") else UNIT))
        for q, r, _, *name in board.get("hexes") or () if labels else ():
            (x, y), half = spot((q, r)), len(str(name[0]) if name else f"{q},{r}") * LETTER / 2
            room.boxes.append((x - half, y - 28.5, x + half, y - 20.5))
        return room

    def find(self, half: tuple[float, float], places: Sequence[Spot], *, off_lines: bool = False) -> tuple[Spot, str]:
        """Where the middle of a sign so wide and high (by half) stands, and the line that leads from there to the first of
        its places; that place itself where there is no room at all."""
        of = places[0]
        near = self._near(of)
        for size, (x, y) in product((1, TIGHT), (*places, *_around(of))):
            box = (x - size * half[0], y - size * half[1], x + size * half[0], y + size * half[1])
            if not near.is_free(box, off_lines):
                continue
            start = min(max(of[0], box[0]), box[2]), min(max(of[1], box[1]), box[3])
            is_off = (x, y) not in places and hypot(of[0] - start[0], of[1] - start[1]) > OFF
            end = near.end_of(start, of) if is_off else start
            if end is not None:
                self.boxes.append(box)
                return (x, y), stroke("leader", start, end) if is_off else ""
        return of, ""

    def _near(self, at: Spot) -> Room:
        """What lies where a sign of something may come to stand."""
        far = 100.0
        return Room(
            [one for one in self.discs if hypot(one[0][0] - at[0], one[0][1] - at[1]) < far],
            [one for one in self.boxes if abs(one[0] - at[0]) < far and abs(one[1] - at[1]) < far],
            self.lines,
        )

    def is_free(self, box: Box, off_lines: bool) -> bool:
        return not (
            any(met(box, other) for other in self.boxes)
            or any(covers(disc, box) for disc in self.discs)
            or (off_lines and any(runs_through(line, box) for line in self.lines))
        )

    def end_of(self, start: Spot, to: Spot) -> Spot | None:
        """Where a line ends that leads to a place, or to the unit or the sign that is there; None where it would run over
        another."""
        dots = [mix(start, to, n / 10) for n in range(1, 11)]
        there = Room(
            [one for one in self.discs if covers(one, (*to, *to))], [one for one in self.boxes if _holds(one, to)]
        )
        for dot in dots:
            if not there.is_free((*dot, *dot), False):
                return dot
            if not self.is_free((*dot, *dot), False):
                return None
        return to


def _around(at: Spot) -> Iterator[Spot]:
    """Places farther and farther off."""
    for off in (6, 11, 16, 21, 26, 32, 40, 50):
        for n in range(16):
            yield at[0] + off * sin(pi * n / 8), at[1] - off * cos(pi * n / 8)


def _holds(box: Box, at: Spot) -> bool:
    return met(box, (*at, *at))


def met(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def covers(disc: tuple[Spot, float], box: Box) -> bool:
    """Whether a disc has a point within a box."""
    (x, y), radius = disc
    return hypot(max(box[0] - x, 0, x - box[2]), max(box[1] - y, 0, y - box[3])) < radius


def runs_through(line: tuple[Spot, Spot], box: Box) -> bool:
    """Whether a straight line has a point within a box."""
    low, high = 0.0, 1.0
    for axis in (0, 1):
        start, run = line[0][axis], line[1][axis] - line[0][axis]
        first, last = box[axis], box[axis + 2]
        if abs(run) < 1e-9:
            if not first < start < last:
                return False
            continue
        ends = sorted(((first - start) / run, (last - start) / run))
        low, high = max(low, ends[0]), min(high, ends[1])
    return low < high
