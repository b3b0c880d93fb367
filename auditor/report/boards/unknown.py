"""A board of a kind that nobody here knows: it is described, never drawn, and nothing about it can fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from auditor.report.boards.kind import Kind, Scene, View
from auditor.report.boards.pen import Board, Mark
from auditor.report.model import Side
from auditor.report.words import label, shorten, value_words

MOST = 1200
"""Characters of a description that is made of a board's fields."""
_NOT_SHOWN = frozenset({"kind", "text", "moment"})


def lines(board: Board) -> tuple[str, ...]:
    """The board's own text, a sentence each; else its fields, one each."""
    text = board.get("text")
    if isinstance(text, str) and text.strip():
        return (text.strip(),)
    if isinstance(text, list | tuple) and text:
        return tuple(str(line) for line in text)
    return tuple(
        f"{_capital(label(str(name)))}: {shorten(value_words(value, str(name)), MOST)}."
        for name, value in board.items()
        if name not in _NOT_SHOWN
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def description(scene: Scene) -> str:
    said = [*lines(scene.board), *(f"{mark_words(mark)}." for mark in scene.marks)]
    return " ".join(said) or "Nothing is known of this board."


def draw(scene: Scene, view: View) -> Markup:
    said = lines(scene.board) or ("There is no board to show.",)
    return Markup('<div class="board-words">{}</div>').format(
        Markup("").join(Markup("<p>{}</p>").format(s) for s in said)
    )


def state(board: Board) -> str:
    return _capital(_moment(board, "text") or _moment(board, "part"))


def when(board: Board) -> str:
    return _moment(board, "part")


def _moment(board: Board, key: str) -> str:
    moment = board.get("moment")
    return str(moment.get(key) or "") if isinstance(moment, Mapping) else ""


def changes(before: Board, after: Board) -> str:
    """The lines that are new, and where there is none, those that are gone."""
    old, new = lines(before), lines(after)
    come = [line for line in new if line not in old]
    gone = [line for line in old if line not in new]
    said = f"now: {' '.join(come)}" if come else f"no more: {' '.join(gone)}" if gone else ""
    return shorten(said.rstrip("."), MOST)


def beside(board: Board, sides: Sequence[Side]) -> Any:
    return lines(board)


def answers(scene: Scene) -> tuple[tuple[str, str], ...]:
    """The sight and the path of the evidence, as they are."""
    said = [("Line of sight", scene.sight), ("Path", scene.path)]
    return tuple((name, value_words(value, name.lower())) for name, value in said if value)


def mark_words(mark: Mark) -> str:
    """The mark's label and fields, in words."""
    said = str(mark.get("label") or "")
    what = label(str(mark.get("mark") or ""))
    skipped = ("mark", "label", "ok", "how")
    fields = ", ".join(
        f"{label(str(name))} {value_words(value, str(name))}" for name, value in mark.items() if name not in skipped
    )
    drawn = f"{what} ({fields})" if what and fields else what or fields
    if mark.get("ok") is False or mark.get("how") == "bad":
        drawn = f"{drawn}, not allowed" if drawn else "not allowed"
    return f"{drawn}: {said}" if said and drawn else said or drawn or "a mark"


UNKNOWN = Kind(
    key="",
    template="boards/unknown.html",
    draw=draw,
    interest=lambda scene: (),
    description=description,
    state=state,
    when=when,
    changes=changes,
    beside=beside,
    key_items=lambda sides: (),
    mark_words=mark_words,
    answers=answers,
)
