"""The pen: lengths and lines as SVG, and the sheet on which a page keeps what its boards share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from markupsafe import Markup

Board: TypeAlias = Mapping[str, Any]
Mark: TypeAlias = Mapping[str, Any]
Sight: TypeAlias = Mapping[str, Any]
Spot: TypeAlias = tuple[float, float]
Window: TypeAlias = tuple[float, float, float, float]  # x, y, width, height


MOST_DRAWN = 1_100_000
"""Letters of boards and other pictures on one page."""
MOST_TOLD = 300_000
"""Letters of events told round its findings. With both, and its other words, a page has at most 2 MB."""
NOT_DRAWN = Markup(
    '<p class="quiet">This picture is not drawn: the pictures above are all that this page has room for.'
    " It is on the page of its event, in the replay.</p>"
)


@dataclass
class Sheet:
    """What the boards of one page share: each layer once, whatever the number of boards that use it.

    room  how many letters of pictures the page has room for
    told  how many letters of the events round its findings
    """

    room: int = MOST_DRAWN
    told: int = MOST_TOLD
    _layers: dict[str, str] = field(default_factory=dict)
    _boards: int = 0

    def share(self, markup: str) -> str:
        """The markup by reference: the first use defines it."""
        if not markup:
            return ""
        name = self._layers.get(markup)
        if name is None:
            name = self._layers[markup] = f"L{len(self._layers) + 1}"
            self.took(markup)
        return f'<use href="#{name}"/>'

    def took(self, markup: str) -> None:
        """Count what was drawn against the room of the page."""
        self.room -= len(markup)

    def drawn(self, draw: Callable[[], Markup]) -> Markup:
        """A picture, or where the page has no room for more, a sentence that says so."""
        if self.room <= 0:
            return NOT_DRAWN
        drawn = draw()
        self.took(drawn)
        return drawn

    def number(self) -> int:
        """A new number for a board on this page."""
        self._boards += 1
        return self._boards

    def defs(self) -> Markup:
        """The shared layers; stands anywhere on the page, once."""
        if not self._layers:
            return Markup("")
        layers = "".join(f'<g id="{name}">{markup}</g>' for markup, name in self._layers.items())
        return Markup(
            '<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false"><defs>'
            + layers
            + "</defs></svg>"
        )


def num(value: float) -> str:
    """A length on the drawing: one decimal, no more digits than needed."""
    text = f"{value:.1f}"
    if text.endswith(".0"):
        text = text[:-2]
    return "0" if text == "-0" else text


def xy(at: Spot) -> str:
    return f'x="{num(at[0])}" y="{num(at[1])}"'


def stroke(kind: str, a: Spot, b: Spot) -> str:
    return f'<path class="{kind}" d="M{num(a[0])} {num(a[1])}L{num(b[0])} {num(b[1])}"/>'


def mix(a: Spot, b: Spot, t: float) -> Spot:
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])


def arrowhead(kind: str, a: Spot, b: Spot, size: float = 9.0) -> str:
    """An arrow head at b, pointing away from a."""
    length = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5 or 1.0
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    left = (b[0] - ux * size - uy * size * 0.5, b[1] - uy * size + ux * size * 0.5)
    right = (b[0] - ux * size + uy * size * 0.5, b[1] - uy * size - ux * size * 0.5)
    d = "L".join(f"{num(x)} {num(y)}" for x, y in (b, left, right))
    return f'<path class="{kind}" d="M{d}z"/>'


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def letters(marks: Sequence[Mark]) -> list[str]:
    """The letter of each mark that says something, '' for the others; the list beside the picture has the same."""
    out: list[str] = []
    spare = iter(_LETTERS)
    for mark in marks:
        out.append(next(spare, "") if mark.get("label") else "")
    return out
