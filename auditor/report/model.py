"""What the pages print: plain values, made by desk, pages and replay; the templates decide nothing about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from markupsafe import Markup

from auditor.report.links import Links

Json: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Side:
    """A player: id as in the log, the name said aloud, and the shape of the tokens."""

    id: str
    name: str
    shape: str


@dataclass(frozen=True)
class Row:
    """One line of the comparison. `sign` is '=', '≠' or '' where nothing was claimed."""

    name: str
    claimed: Markup
    recomputed: Markup
    sign: str


@dataclass(frozen=True)
class Working:
    """A number and the parts it is made of."""

    name: str
    value: str
    parts: str
    dice: Markup | None


@dataclass(frozen=True)
class Picture:
    """A board, what it shows, and the marks on it in words (letter, words)."""

    svg: Markup
    title: str
    caption: str
    marks: tuple[tuple[str, str], ...] = ()


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
    href: str | None
    option: str
    means: str
    in_force: bool


@dataclass(frozen=True)
class Scope:
    """Under which readings a finding holds: assignments of options, the first few in sight and the rest folded."""

    every: bool
    holds: tuple[tuple[Option, ...], ...]
    clears: tuple[tuple[Option, ...], ...]
    partial: bool


@dataclass(frozen=True)
class Case:
    """A finding as the report shows it."""

    id: str
    anchor: str
    kind: str
    icon: str
    seq: int | None
    at: str
    side: Side | None
    text: str
    event_text: str
    rule: str
    rule_title: str
    rule_href: str | None
    rule_words: str
    would_be: str | None
    also: tuple[str, ...]
    rows: tuple[Row, ...]
    working: tuple[Working, ...]
    pictures: tuple[Picture, ...]
    contacts: tuple[ContactLine, ...]
    answers: tuple[tuple[str, str], ...]
    scope: Scope
    under: tuple[tuple[str, str, str], ...]
    effect: str
    changed: tuple[tuple[str, str, str], ...]
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
class NoteGroup:
    """Notes of one kind: event, its address, rule, its address, words, margin."""

    title: str
    notes: tuple[tuple[int | None, str | None, str | None, str | None, str, str], ...]


@dataclass(frozen=True)
class Coverage:
    """What was looked at and what was not."""

    words: tuple[str, ...]
    unchecked: tuple[tuple[str, str | None, str, tuple[tuple[int, str | None], ...]], ...]
    idle: tuple[tuple[str, str | None, str], ...]
    not_auditable: tuple[tuple[str, str | None, str], ...]
    set_aside: tuple[tuple[str, str | None, str], ...]


@dataclass(frozen=True)
class ReportPage:
    """Everything that `report.html` prints."""

    title: str
    heading: str
    under_heading: str
    players: tuple[Side, ...]
    verdict: str
    word: str
    sentences: tuple[str, ...]
    asides: tuple[str, ...]
    columns: tuple[Side | None, ...]
    tally: tuple[Tally, ...]
    total: tuple[tuple[int, int], ...]
    follow_note: bool
    rulings_name: str
    rulings: tuple[Ruled, ...]
    header_notes: tuple[str, ...]
    not_checked: tuple[str, ...]
    strip: Markup
    cases: tuple[Case, ...]
    ambiguous: tuple[Case, ...]
    only_under: tuple[tuple[tuple[Option, ...], tuple[Case, ...]], ...]
    set_aside: tuple[Case, ...]
    errors: tuple[Json, ...]
    notes: tuple[NoteGroup, ...]
    coverage: Coverage
    footer: tuple[tuple[str, str], ...]
    verify: str
    key: tuple[tuple[Markup, str], ...]
    links: Links
    defs: Markup
    open_first: bool


@dataclass(frozen=True)
class UnitRow:
    """A unit as the table under the replay shows it."""

    id: str
    place: str
    models: str
    bulk: str
    tp: str
    acting: bool


@dataclass(frozen=True)
class EventLine:
    """An event in the list of a round."""

    seq: int
    href: str | None
    text: str
    cases: tuple[Case, ...]
    now: bool


@dataclass(frozen=True)
class ReplayPage:
    """Everything that `replay.html` prints: one event."""

    title: str
    seq: int
    heading: str
    text: str
    state: str
    side: Side | None
    position: str
    cases: tuple[Case, ...]
    picture: Picture
    closeup: Picture | None  # for narrow screens, where the whole board is small
    contacts: tuple[ContactLine, ...]
    answers: tuple[tuple[str, str], ...]
    previous: tuple[int, str | None] | None
    next: tuple[int, str | None] | None
    previous_finding: tuple[int, str | None] | None
    next_finding: tuple[int, str | None] | None
    rounds: tuple[tuple[str, str | None, bool], ...]
    round_name: str
    strip: Markup
    events: tuple[EventLine, ...]
    units: tuple[tuple[Side, tuple[UnitRow, ...]], ...]
    line: int | None
    key: tuple[tuple[Markup, str], ...]
    links: Links
    defs: Markup
