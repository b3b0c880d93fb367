"""Boards by their kind: a kind is one value (`kind.Kind`), and nothing outside this package knows what a board shows.

A new kind is a folder here, a line in KINDS and a template in `templates/boards/`.
"""

from __future__ import annotations

from functools import partial

from markupsafe import Markup

from auditor.report.boards.cards import CARDS
from auditor.report.boards.hex import HEX
from auditor.report.boards.inches import INCHES
from auditor.report.boards.kind import Kind, Scene, Size, View
from auditor.report.boards.pen import Board, Sheet, letters
from auditor.report.boards.unknown import UNKNOWN

__all__ = [
    "KINDS",
    "UNKNOWN",
    "Board",
    "Kind",
    "Scene",
    "Sheet",
    "Size",
    "View",
    "draw",
    "kind_of",
    "letters",
    "speech_of",
]

KINDS: dict[str, Kind] = {kind.key: kind for kind in (CARDS, HEX, INCHES)}


def kind_of(board: Board | None) -> Kind:
    """The kind of a board; of none, or of one that is not known here, the kind that describes."""
    return KINDS.get(str((board or {}).get("kind")), UNKNOWN)


def speech_of(board: Board | None) -> Kind:
    """The kind of a board as it says this board's places, by the names that are printed on them where there are some."""
    kind = kind_of(board)
    return kind if board is None or kind.of is None else kind.of(board)


def draw(scene: Scene, view: View | None = None) -> Markup:
    """A scene as one element of a page. The page must hold `signs.page_defs()` and the sheet's `defs()` once. Where the page
    has no room for more boards, a sentence that says so.
    """
    view = view or View()
    drawing = partial(kind_of(scene.board).draw, scene, view)
    return drawing() if view.sheet is None else view.sheet.drawn(drawing)
