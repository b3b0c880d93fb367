"""What a report says: plain values, made by casebook, pages and replay, printed by the templates and by `terminal`.

Neither printer decides anything. Markup is made only where a template prints: a `Shown` value, a picture, dice and signs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from markupsafe import Markup

from auditor.report.paging import Part
from auditor.report.words import Speech, dice, faces_in, name_markup, value_markup, value_words

if TYPE_CHECKING:
    from auditor.report.links import Links

Json: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Side:
    """A player: id as in the log, the name said aloud, and the shape of the tokens."""

    id: str
    name: str
    shape: str

    @property
    def shown(self) -> Markup:
        """The name for a page, where it breaks between its words."""
        return name_markup(self.name)

    @property
    def full(self) -> str:
        """'Ines Aldana (UM)'."""
        return self.name if self.name == self.id else f"{self.name} ({self.id})"


@dataclass(frozen=True)
class Shown:
    """A value of an audit under the name of its field: `words` in text, with its dice drawn in a page."""

    value: Any
    name: str = ""
    speech: Speech | None = None

    @property
    def words(self) -> str:
        faces = faces_in(self.name, self.value)
        return " ".join(faces) if faces else value_words(self.value, self.name, self.speech)

    def __html__(self) -> Markup:
        return value_markup(self.value, self.name, self.speech)


@dataclass(frozen=True)
class Row:
    """One line of the comparison. `sign` is '=', '≠' or '' where nothing was compared; None: that side says nothing."""

    name: str
    claimed: Shown | None
    recomputed: Shown | None
    sign: str


@dataclass(frozen=True)
class Working:
    """A number and the parts it is made of."""

    name: str
    value: str
    parts: str
    faces: tuple[str, ...] = ()
    speech: Speech | None = None

    @property
    def dice(self) -> Markup | None:
        return dice(self.faces, self.speech) if self.faces else None


@dataclass(frozen=True)
class Picture:
    """A board, what it shows, and the marks on it in words (letter, words); drawn when it is printed.

    stamp  what tells it apart from the picture beside it: "before", "as logged", "as it should be", or ""
    """

    svg: Callable[[], Markup]
    title: str
    caption: str
    marks: tuple[tuple[str, str], ...] = ()
    stamp: str = ""


@dataclass(frozen=True)
class Said:
    """An event that a line of a passage tells: whose it is, and the sign of a finding there."""

    seq: int
    href: str | None
    side: Side | None
    kind: str
    icon: str


@dataclass(frozen=True)
class PassageLine:
    """A line of a passage. `rows`: what the log claims there and the rules give otherwise; `is_here`: what is looked at."""

    events: tuple[Said, ...]
    depth: int
    text: str
    reckoned: tuple[str, ...]
    rows: tuple[Row, ...]
    is_here: bool


LETTERS_OF_AN_EVENT = 320
"""What a page takes to tell an event of a passage, beside its words: the link to it, its signs, whose it is."""


@dataclass(frozen=True)
class Passage:
    """Events that belong together, in order: parts with "" in sight, and parts that are folded below what is said of them.
    No parts: the page has no room for them.
    """

    title: str
    parts: tuple[tuple[str, tuple[PassageLine, ...]], ...]

    @property
    def letters(self) -> int:
        """So many letters of a page they take, about."""
        lines = [line for _, part in self.parts for line in part]
        words = sum(len(line.text) + sum(map(len, line.reckoned)) for line in lines)
        return words + LETTERS_OF_AN_EVENT * sum(len(line.events) for line in lines)


@dataclass(frozen=True)
class ContactLine:
    """One thing the centre line meets, with the same numbered sign as on the board."""

    sign: Markup
    how: str
    place: str
    note: str
    stops: bool


@dataclass(frozen=True)
class Option:
    """A reading with one of its options; `in_force` where this is the one that was played by."""

    reading: str
    question: str
    href: str | None
    option: str
    means: str
    in_force: bool


@dataclass(frozen=True)
class Assignments:
    """Assignments of options told as one: of each reading, the options of which any may stand there.

    A reading of which any option at all may stand there is left out; with none left it is every assignment.
    """

    options: tuple[tuple[Option, ...], ...]

    @property
    def in_force(self) -> bool:
        """Whether what was played by is one of them."""
        return all(any(option.in_force for option in of) for of in self.options)


@dataclass(frozen=True)
class Scope:
    """Under which readings a finding holds: assignments of options, the first few in sight and the rest folded."""

    every: bool
    holds: tuple[Assignments, ...]
    clears: tuple[Assignments, ...]
    nearest: tuple[Option, ...]  # of the assignments that it holds under, one that is nearest to what was played by
    note: str
    readings: tuple[Option, ...] = ()  # those that the finding hangs on, each with its option in force


@dataclass(frozen=True)
class Changed:
    """A thing that differs: as logged, as it should be, as if the act had not been done; None: that column says nothing."""

    what: str
    logged: str
    right: str | None
    undone: str | None

    @property
    def other(self) -> str:
        """What it would be instead, in words."""
        if self.undone is not None:
            return f"{self.undone} if it had not been done"
        return f"{self.right} as it should be"


@dataclass(frozen=True)
class Odds:
    """What dice could have brought: of what, the chance as a fraction and in words, and as a bar of so many parts."""

    of: str
    fraction: str
    words: str
    bar: Markup


@dataclass(frozen=True)
class Case:
    """A finding as the report shows it.

    at, place   when: "R3", and in full "round 3, line 20, seen at event 31"
    side, who   whose act it is; without a side it is both players'
    fields      what only its game says of it, by name
    passage     the events that its own belongs to
    """

    id: str
    anchor: str
    kind: str
    icon: str
    seq: int | None
    at: str
    place: str
    side: Side | None
    who: str
    text: str
    event_text: str
    rule: str
    rule_title: str
    rule_href: str | None
    rule_words: str
    would_be: str | None
    also: tuple[tuple[str, str | None], ...]
    meant: str
    rows: tuple[Row, ...]
    working: tuple[Working, ...]
    fields: tuple[tuple[str, Shown], ...]
    passage: Passage | None
    pictures: tuple[Picture, ...]
    contacts: tuple[ContactLine, ...]
    answers: tuple[tuple[str, str], ...]
    scope: Scope
    under: tuple[str, ...]
    effect: str
    changed: tuple[Changed, ...]
    odds: tuple[Odds, ...]
    gain: str
    remedy: str
    follows_from: tuple[tuple[str, str | None], ...]
    consequences: tuple[Case, ...]
    links: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Ruled:
    """A line of the rulings in force."""

    words: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Tally:
    """A kind of finding and how many of it each player has: roots, and those that follow from one."""

    kind: str
    icon: str
    cells: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Gains:
    """How many of the findings by themselves were to a player's advantage, by who slipped: own slips, the other's."""

    words: str
    cells: tuple[int, ...]


@dataclass(frozen=True)
class NoteGroup:
    """Notes of one kind: event, its address, rule, its address, words, margin."""

    title: str
    notes: tuple[tuple[int | None, str | None, str | None, str | None, str, str], ...]


@dataclass(frozen=True)
class Coverage:
    """What was checked and what was not."""

    words: tuple[str, ...]
    unchecked: tuple[tuple[str, str | None, str, tuple[tuple[int, str | None], ...]], ...]
    idle: tuple[tuple[str, str | None, str], ...]
    not_auditable: tuple[tuple[str, str | None, str], ...]
    set_aside: tuple[tuple[str, str | None, str], ...]


@dataclass(frozen=True)
class ReportPage:
    """Everything that a report says."""

    title: str
    heading: str
    ruleset: str
    under_heading: str
    players: tuple[Side, ...]
    verdict: str
    word: str
    sentences: tuple[str, ...]
    asides: tuple[str, ...]
    columns: tuple[Side | None, ...]
    tally: tuple[Tally, ...]
    gains: tuple[Gains, ...]
    total: tuple[tuple[int, int], ...]
    follow_note: bool
    rulings_name: str
    rulings: tuple[Ruled, ...]
    titles: Mapping[str, str]
    header_notes: tuple[str, ...]
    caveat: str
    not_checked: tuple[str, ...]
    strip: Markup
    cases: tuple[Case, ...]
    ambiguous: tuple[Case, ...]
    only_under: tuple[tuple[tuple[Option, ...], tuple[Case, ...], int], ...]
    set_aside: tuple[Case, ...]
    errors: tuple[Json, ...]
    notes: tuple[NoteGroup, ...]
    lists: Mapping[str, Part]
    coverage: Coverage
    footer: tuple[tuple[str, str], ...]
    verify: str
    key: tuple[tuple[Markup, str], ...]
    board_template: str
    links: Links
    defs: Callable[[], Markup]
    open_first: bool


@dataclass(frozen=True)
class EventLine:
    """An event in the list of a part of the game; `more`: findings of it beyond its cases."""

    seq: int
    href: str | None
    text: str
    cases: tuple[Case, ...]
    more: int
    now: bool


@dataclass(frozen=True)
class ReplayPage:
    """Everything that `replay.html` prints: one event."""

    title: str
    seq: int
    heading: str
    text: str
    state: str
    caveat: str
    side: Side | None
    position: str
    cases: tuple[Case, ...]
    more: int
    passage: Passage | None
    picture: Picture
    closeup: Picture | None  # for narrow screens, where the whole board is small
    further: tuple[Picture, ...]
    contacts: tuple[ContactLine, ...]
    answers: tuple[tuple[str, str], ...]
    previous: tuple[int, str | None] | None
    next: tuple[int, str | None] | None
    previous_finding: tuple[int, str | None] | None
    next_finding: tuple[int, str | None] | None
    parts: tuple[tuple[str, str | None, bool], ...]
    part: str
    strip: Markup
    events: tuple[EventLine, ...]
    beside: Any
    line: int | None
    key: tuple[tuple[Markup, str], ...]
    board_template: str
    links: Links
    defs: Callable[[], Markup]
