"""What a kind of board gives to the reports: one frozen value, so that nothing else has to know what a board shows.

A board is data that a game draws (`Ruleset.draw`): {"kind": key, …}, the rest as its kind likes. Every board, also one of
a kind that nobody here knows, may carry
  text     a sentence, or a list of sentences, that describes all of it
  moment   when it is, as `Ruleset.moment` gives it: {"part": "Battle 3, sector 2", "short": "B3.2", "text": …}
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from markupsafe import Markup, escape

from auditor.report.boards.pen import Board, Mark, Sheet, Sight, Window, num
from auditor.report.model import ContactLine, Side

Size: TypeAlias = Literal["whole", "near"]
Event: TypeAlias = Mapping[str, Any]
"""An event as the timeline of a log tells it: {"seq", "type", "player", "moment", "text"}."""


@dataclass(frozen=True)
class Scene:
    """What one picture shows: a board, and on it the marks, the sight and the path of an audit's evidence or a frame."""

    board: Board
    marks: Sequence[Mark] = ()
    sight: Sight | None = None
    path: Sequence[Any] = ()


@dataclass(frozen=True)
class View:
    """How a scene is to be drawn.

    size     "near": the places that the scene is about and what is round them; "whole": all of the board
    labels   with the names of places
    sides    ids of the players; the first is drawn in one shape, the second in another, whoever is on the board
    focus    for "near": these places (of `Kind.interest`) instead of the scene's own, so that two boards show the same
    sheet    where what several boards of a page share is drawn once; None: the drawing stands by itself
    """

    size: Size = "whole"
    labels: bool = True
    sides: Sequence[str] | None = None
    focus: Sequence[Any] = ()
    sheet: Sheet | None = None
    title: str = ""

    def share(self, markup: str) -> str:
        """The markup, by reference where there is a sheet to define it on."""
        return self.sheet.share(markup) if self.sheet is not None else markup


@dataclass(frozen=True)
class Further:
    """One more picture of a scene: its title, what draws it, and its caption."""

    title: str
    drawn: Callable[[], Markup]
    caption: str


@dataclass(frozen=True)
class Line:
    """A line of a passage: the places of its events in the passage, how far it is set in, what is said of them, and what the
    rules give there; `is_quiet` where nothing was done."""

    places: tuple[int, ...]
    depth: int
    text: str
    reckoned: tuple[str, ...] = ()
    is_quiet: bool = False


@dataclass(frozen=True)
class Passages:
    """How a kind tells events that belong together, such as an attack with all that is played in it.

    title    what one is called: "This battle action"
    spans    all events -> (first, last) place of each passage, in their order; an event may be in none
    lines    the events of one (or some that follow each other in it), the places in them that have a line to themselves,
             and the marks of an audit by their places -> its lines
    """

    title: str
    spans: Callable[[Sequence[Event]], Sequence[tuple[int, int]]]
    lines: Callable[[Sequence[Event], Container[int], Mapping[int, Sequence[Mark]]], tuple[Line, ...]]


@dataclass(frozen=True)
class Kind:
    """A kind of board.

    key          the `kind` of its boards
    template     prints what stands beside a board: the macros `beside(rows)` and `key(items)`
    draw         scene, view -> one element for the page: an SVG (`framed`), or other markup
    interest     scene -> the places that it is about, in the kind's own form; empty: nothing in particular
    description  scene -> all of it in words, for those who do not see the picture
    state        board -> when it is and whose turn: "Round 2, action phase, UM to act"
    when         board -> when it is, within a sentence: "round 2"
    changes      before, after -> what differs between two boards
    differing    before, after -> marks on the second board that ring what differs from the first
    beside       board, sides -> what the template's `beside` prints: a table of units, hands and decks, …
    key_items    ids of the players -> (sign, what it means)
    mark_words   mark -> it in words, with its label
    further      scene, view, what the rules give for the act in a few words or "" -> pictures beside that of the board: an
                 attack step by step
    contacts     scene -> what a line of sight meets, numbered as in the picture
    answers      scene -> (question, answer) about sight and distance
    value        value, name of its field -> words for a claimed value that is a place of such a board; None: not one
    extra        what a finding of such a game has beyond those of others (`game_fields`) -> (what it is, in words); None:
                 each under its own name
    passages     which events are told together, as those of an attack; None: each by itself
    named        board, {id of a player: the name} -> the board with the names in place of the ids, which says so by
                 "by_name": true; as it is where no id of a player is shown
    of           board -> the kind as it says the places of this board, where they have names of their own
    faces        letter of a face of a die -> (its name, the id of its symbol in `defs` or in `signs`)
    defs         patterns and symbols that its drawings use, once on every page
    closes_up    whether a narrow screen shows the places that a scene is about beside the whole board
    """

    key: str
    template: str
    draw: Callable[[Scene, View], Markup]
    interest: Callable[[Scene], Sequence[Any]]
    description: Callable[[Scene], str]
    state: Callable[[Board], str]
    when: Callable[[Board], str]
    changes: Callable[[Board, Board], str]
    beside: Callable[[Board, Sequence[Side]], Any]
    key_items: Callable[[Sequence[str]], Sequence[tuple[Markup, str]]]
    mark_words: Callable[[Mark], str]
    differing: Callable[[Board, Board], Sequence[Mark]] = lambda before, after: ()
    further: Callable[[Scene, View, str], tuple[Further, ...]] = lambda scene, view, ruled: ()
    contacts: Callable[[Scene], tuple[ContactLine, ...]] = lambda scene: ()
    answers: Callable[[Scene], tuple[tuple[str, str], ...]] = lambda scene: ()
    value: Callable[[Any, str], str | None] = lambda value, name: None
    extra: Callable[[Mapping[str, Any]], Sequence[tuple[str, str]] | None] = lambda fields: None
    passages: Passages | None = None
    named: Callable[[Board, Mapping[str, str]], Board] = lambda board, names: board
    of: Callable[[Board], Kind] | None = None
    faces: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    defs: str = ""
    closes_up: bool = True


def framed(drawn: str, window: Window, view: View, description: str) -> Markup:
    """A drawing as an SVG element of a page: its window, its title and its description."""
    x, y, wide, high = window
    n = view.sheet.number() if view.sheet is not None else 0
    return Markup(
        f'<svg class="board {view.size}" viewBox="{num(x)} {num(y)} {num(wide)} {num(high)}" width="{wide * 1.5:.0f}" '
        f'role="img" aria-labelledby="b{n}t" aria-describedby="b{n}d">'
        f'<title id="b{n}t">{escape(view.title or "The board")}</title>'
        f'<desc id="b{n}d">{escape(description)}</desc>{drawn}</svg>'
    )
