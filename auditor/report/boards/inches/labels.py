"""Lengths written beside ways and gaps, and names written in arcs, so that none lies over another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import escape

from auditor.report.boards.inches.plane import far
from auditor.report.boards.pen import Spot, mix, xy

LETTER = 13.0
"""The width of a letter where letters are largest, on a phone."""
HIGH = 20.0


@dataclass(frozen=True)
class Label:
    """A length or name, and where it may stand: each place is the middle of its line of writing. `first`: room is made for it."""

    text: str
    places: tuple[Spot, ...]
    first: bool = False

    @property
    def width(self) -> float:
        return LETTER * sum(0.5 if sign in ".″" else 1 for sign in self.text)


def side(a: Spot, b: Spot) -> Spot:
    """One to the side of a line, upwards on the drawing."""
    length = far(a, b) or 1.0
    x, y = (b[1] - a[1]) / length, (a[0] - b[0]) / length
    return (x, y) if y < 0 or (y == 0 and x > 0) else (-x, -y)


def beside(a: Spot, b: Spot, text: str, *, first: bool = False) -> Label:
    """A label beside the middle of a line, or where there is no room beside another part of it."""
    dx, dy = side(a, b)
    places = [
        (x + dx * 12 * out, y + dy * 9 * out + 3)
        for out in (1, -1.6)
        for x, y in (mix(a, b, t) for t in (0.5, 0.25, 0.75))
    ]
    return Label(text, tuple(places), first)


Box = tuple[float, float, float]
"""The middle of a line of writing, and its width."""


def placed(labels: Sequence[Label], depth: float) -> tuple[str, list[Box]]:
    """The labels that have room on a drawing of some depth, and where they stand; one that has none is left out."""
    taken: list[Box] = []
    out = []
    for label in sorted(labels, key=lambda one: not one.first):
        for x, y in label.places:
            free = all(abs(x - u) >= (label.width + wide) / 2 or abs(y - v) >= HIGH for u, v, wide in taken)
            if free and HIGH / 2 <= y <= depth:
                taken.append((x, y, label.width))
                out.append(f'<text class="len" {xy((x, y))}>{escape(label.text)}</text>')
                break
    return "".join(out), taken
