"""What a check sees and what an audit says: figures, faults, notes, and what could not be checked.

A `Fault` is a value that a rule's check yields for one event under one set of readings. The replay compares the
faults of all readings and makes findings of them (`scopes`, `audit`). Nothing here is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Kind = Literal["illegal", "miscalculated", "omitted", "ambiguous"]
NoteKind = Literal["tolerance", "reading", "unverifiable", "unknown_event", "record", "input", "hole", "by_judge"]
Value = Any  # JSON without floats: str | int | bool | None | list | dict
Fact = Hashable
Evidence = Mapping[str, Any]

ACCUSATIONS: frozenset[str] = frozenset({"illegal", "miscalculated", "omitted"})


UNTOLD = " Whether that is so cannot be told: "
"""Between what a check says and why nobody can say whether it is true."""


class Figure(NamedTuple):
    """A number that remembers its parts: `Figure("attack dice", 6, (("boltgun", 2), ("combi-bolter", 4)))`."""

    name: str
    value: int | str
    parts: tuple[tuple[str, int | str], ...] = ()

    def as_json(self) -> dict[str, Value]:
        return {
            "name": self.name,
            "value": self.value,
            "parts": [{"what": what, "value": value} for what, value in self.parts],
        }

    def working(self) -> str:
        """The number and its parts as a sum: `6 = 2 boltgun + 4 combi-bolter`."""
        if not self.parts:
            return str(self.value)
        said = ""
        for what, value in self.parts:
            minus = isinstance(value, int) and value < 0
            joint = (" \u2212 " if minus else " + ") if said else ("\u2212" if minus else "")
            said += f"{joint}{-value if minus and isinstance(value, int) else value} {what}"
        return f"{self.value} = {said}"


def total(name: str, parts: Iterable[tuple[str, int]]) -> Figure:
    """The figure that is the sum of its parts."""
    kept = tuple(parts)
    return Figure(name, sum(value for _, value in kept), kept)


class Lack(NamedTuple):
    """One of several lines that may be missing.

    seq    the event before which it may be missing first: there, or later, up to the event that is accused
    lines  (position before it, hearing) -> the lines that it may be; called where what was meant is sought, and never
           while a check looks
    whole  whether what they have to state and do not is filled with what other lines have there; else it stays open
    also   other events before which it may be missing
    far    how much more far-fetched it is that it is missing
    """

    seq: int
    lines: Callable[[Any, Any], Iterable[Any]]
    whole: bool = True
    also: tuple[int, ...] = ()
    far: int = 0


class Fault(NamedTuple):
    """One thing that a rule sees wrong in one event, under the readings in force while it looked.

    rule      the rule's id
    kind      illegal | miscalculated | omitted | ambiguous
    text      one sentence that a judge can read aloud
    subject   ids of what it is about; with rule and seq it tells one fault from another
    player    whose act or number it is; "" means the player of the event, None means both
    claimed, recomputed   values of the log and of the rules, JSON without floats
    rests_on  the facts that the verdict needs; None: all of them. A hole in one of them makes it ambiguous.
              An empty tuple: nothing beyond the event itself.
    seq       an earlier event that the fault belongs to (a card revealed later); None: the event judged
    also      other rules that the same act breaks, where a game reports one fault an act
    evidence  called once, before the position changes, where the fault is shown: marks, sight, path; the latter two
              hold nothing but whole numbers within ±(2^53 - 1), booleans and texts without lone surrogates
    game_fields   what the game says of it beyond all this, by the names that its ruleset declares (`Ruleset.fields`)
    due       makes the line that seems to be missing, as far as the rules tell what it says, or a list of those that may be
    lacks     what may be missing where the rules do not tell which line it is
    would_be  for `ambiguous`: the kind it would have if the missing fact were against the player
    """

    rule: str
    kind: Kind
    text: str
    subject: tuple[str, ...] = ()
    player: str | None = ""
    claimed: Value = None
    recomputed: Value = None
    figures: tuple[Figure, ...] = ()
    rests_on: tuple[Fact, ...] | None = None
    seq: int | None = None
    also: tuple[str, ...] = ()
    evidence: Callable[[], Evidence] | None = None
    would_be: Kind | None = None
    game_fields: Mapping[str, Value] | None = None
    due: Callable[[], Any] | None = None
    lacks: Lack | None = None

    def lines_due(self) -> list[Any]:
        """The lines of which one seems to be missing."""
        due = self.due() if self.due is not None else []
        return due if isinstance(due, list) else [due]

    def without_evidence(self) -> Fault:
        """The same fault, with nothing to show: a fault may hold on to all that its evidence is drawn from."""
        return self if self.evidence is None else self._replace(evidence=None)


@dataclass(frozen=True, slots=True)
class Note:
    """A remark that accuses nobody and changes no verdict."""

    kind: NoteKind
    text: str
    rule: str | None = None
    margin: str | None = None


@dataclass(frozen=True, slots=True)
class Unchecked:
    """Something that a rule was called for and could not check; it makes an audit incomplete."""

    rule: str | None
    why: str


Remark = Fault | Note | Unchecked

RAN: tuple[Remark, ...] = ()
"""What a check gives back when it looked and found nothing; `None` means that it had nothing to look at."""
