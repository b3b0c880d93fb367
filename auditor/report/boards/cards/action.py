"""A battle action told on one strip: its events in order, what belongs to another below that, passes in one line."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from auditor.report.boards.cards.table import listing
from auditor.report.boards.cards.words import sum_words, test_words
from auditor.report.boards.kind import Event, Line, Passages
from auditor.report.boards.pen import Mark

SHORTEST = 3
"""An action of fewer events, such as a charge, is told by its event."""

_BETWEEN = {"turn", "phase", "deploy", "battle", "setup", "victory", "sector", "end", "game", "position", "header"}
"""What no battle action holds, by the first part of a type."""
_WITHIN = {"block", "tactic", "reaction", "modifier", "roll", "cost", "effect", "damage", "sweep", "special"}
"""What only an action holds: a record that starts within one begins with these."""
_STAGES = {"ba", "block", "sweep", "special"}
"""The stages of an action, which stand at the margin."""
_OUTSIDE = {"judge", "remark", "undo"}
_CLOSED_BY = 2
"""Passes in a row that close a window: one of each player."""


def spans(events: Sequence[Event]) -> list[tuple[int, int]]:
    """First and last place of each battle action of at least `SHORTEST` events, in their order."""
    found: list[tuple[int, int]] = []
    first: int | None = None
    is_start = True  # of a record or after a stated position, where an action may be under way
    for place, event in enumerate(events):
        kind = str(event.get("type"))
        head = kind.split(".")[0]
        begins = head == "ba" and kind != "ba.end"
        if first is not None and (begins or head in _BETWEEN):
            found.append((first, place - 1))
            first = None
        if begins or (first is None and is_start and head in _WITHIN):
            first = place
        if first is not None and kind == "ba.end":
            found.append((first, place))
            first = None
        is_start = head in ("position", "header") or (is_start and head in _OUTSIDE)
    if first is not None:
        found.append((first, len(events) - 1))
    return [(one, other) for one, other in found if other - one + 1 >= SHORTEST]


class _Depths:
    """How far each event stands from the margin: what is played in a window below what opened it, and what it costs and does
    below that. An event says only its type here, so a reaction stands below the event before its window."""

    def __init__(self) -> None:
        self.last = 0
        self.passed = 0
        self._begin()

    def _begin(self) -> None:
        """A stage of the action begins: nothing is played and no window is open."""
        self.acting = 0
        self.rolls: list[tuple[int, int]] = []
        self.reacting: tuple[int, int] | None = None

    def of(self, kind: str, following: str) -> int:
        """The depth of an event of this type; `following` is the type of the next."""
        head, is_pass = kind.split(".")[0], kind.endswith(".pass")
        depth = self._of(kind, head, following)
        self.passed = self.passed + 1 if is_pass else 0
        if self.passed >= _CLOSED_BY:
            if head == "tactic":
                self.acting = 0
            elif head == "reaction" and self.reacting is not None:
                self.acting, self.reacting = self.reacting[1], None
            self.passed = 0
        self.last = depth
        return depth

    def _of(self, kind: str, head: str, following: str) -> int:
        if head in _STAGES:
            self._begin()
        if head in _STAGES or head in _OUTSIDE:
            return 0
        if head == "tactic":
            self.rolls, self.reacting = [], None
            if kind == "tactic":
                self.acting = 1
            return 1
        if head == "reaction":
            if self.reacting is None:
                self.reacting = (self.last + 1, self.acting)
            if kind == "reaction":
                self.acting = self.reacting[0]
            return self.reacting[0]
        if head == "modifier":
            depth = self.rolls[-1][0] + 1 if self.rolls else self.acting + 1
            if kind == "modifier":
                self.acting = depth
            return depth
        if kind == "roll.final" and self.rolls:
            depth, self.acting = self.rolls.pop()
            return depth
        depth = self.acting + 1
        if kind == "roll" and following.split(".")[0] in ("modifier", "roll"):
            self.rolls.append((depth, self.acting))
        return 0 if head == "damage" and self.acting == 0 else depth


def lines(events: Sequence[Event], apart: Container[int], marks: Mapping[int, Sequence[Mark]]) -> tuple[Line, ...]:
    """An action's events as lines. Passes that follow each other stand in one line, and its end in none, except those at the
    places in `apart`; `marks`: what the audit reckoned at a place."""
    depths, told = _Depths(), list[Line]()
    acts: dict[int, str] = {}
    for place, event in enumerate(events):
        kind = str(event.get("type"))
        depth = depths.of(kind, str(events[place + 1].get("type")) if place + 1 < len(events) else "")
        text = said(event)
        alone = place in apart
        if kind == "ba.end" and not alone:
            continue
        if kind.endswith(".pass") and told and not alone and _is_lone_pass(told[-1], kind, events, apart):
            told[-1] = Line((*told[-1].places, place), told[-1].depth, "pass", is_quiet=True)
            continue
        source = text.rpartition(", by ")[2]
        if kind == "effect" and source and source in acts.get(depth - 1, ""):
            text = text.removesuffix(f", by {source}")
        acts[depth] = text
        told.append(Line((place,), depth, text, _reckoned(marks.get(place, ())), kind.endswith(".pass")))
    return tuple(told)


def _is_lone_pass(line: Line, kind: str, events: Sequence[Event], apart: Container[int]) -> bool:
    """Whether a line holds one pass of this type, which the next may join."""
    (first, *others) = line.places
    return not others and first not in apart and events[first].get("type") == kind


def said(event: Event) -> str:
    """An event in words, without the player who is named before them."""
    text = str(event.get("text") or event.get("type") or "")
    return text.removeprefix(f"{event['player']}: ") if event.get("player") else text


def _reckoned(marks: Sequence[Mark]) -> tuple[str, ...]:
    """The sums of an event, as the rules give them, and what a test's roll became; its line says the need and the roll, and a
    number of one part alone is said where it is met."""
    out: list[str] = []
    for mark in marks:
        if mark.get("mark") == "sum" and (mark.get("outcome") is not None or len(listing(mark.get("parts"))) > 1):
            whole: dict[str, Any] = {**mark, "title": None}
            out.append(f"by the rules: {sum_words(whole)}")
        elif mark.get("mark") == "test" and mark.get("final") not in (None, mark.get("roll")):
            out.append(test_words(mark))
    return tuple(dict.fromkeys(out))


ACTIONS = Passages("This battle action", spans, lines)
