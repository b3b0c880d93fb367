"""What a conformance run counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

Json = dict[str, Any]

MOST_LISTED = 50
"""So many false accusations, and so many faults not found, are listed; all are counted."""

PAIRS = ("faults", "relations")
"""Counters whose keys are pairs."""


class Task(NamedTuple):
    """A chunk of work: legal games (`fault` is empty) or games with one fault, numbers `first` to `first + size - 1`.

    A fault is one of those that the game's inventor can plant.
    """

    game: str
    fault: str
    first: int
    size: int


@dataclass
class Tally:
    """What was counted. Two tallies add up."""

    games: int = 0
    with_claims_left_out: int = 0
    under_other_readings: int = 0
    events: int = 0
    left_open: int = 0
    """Legal games that are incomplete for a printed text that nobody can read, and for nothing else."""
    broken_off: int = 0
    """Legal games whose record breaks off, as it is meant to; no audit of one is complete."""
    false: int = 0
    false_listed: list[Json] = field(default_factory=list)
    rules: Counter[str] = field(default_factory=Counter)
    near: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By the fault's name and one of: planted, found, elsewhere, missed, beside, round 1, round 2, ..."""
    milliseconds: Counter[str] = field(default_factory=Counter)
    """Of processor time, by what they were spent on."""
    missed_listed: list[Json] = field(default_factory=list)
    relations: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By the name of a relation and one of: held, broken."""
    broken_listed: list[Json] = field(default_factory=list)
    compared: Counter[str] = field(default_factory=Counter)
    """With a second referee that judges some rules: games, events, events judged, accusations, differences."""
    differences_listed: list[Json] = field(default_factory=list)
    raised: list[Json] = field(default_factory=list)
    """Games that could not be played or audited to the end, for a fault of this program: the error of each."""

    def add(self, more: Tally) -> None:
        """Count what another tally has counted."""
        for part in fields(self):
            mine, theirs = getattr(self, part.name), getattr(more, part.name)
            if isinstance(mine, Counter):
                mine.update(theirs)
            else:
                setattr(self, part.name, mine + theirs)

    def as_json(self) -> Json:
        """As a value that a file can hold."""
        value = {part.name: getattr(self, part.name) for part in fields(self)}
        pairs = {name: [[*key, times] for key, times in value[name].items()] for name in PAIRS}
        return {**value, **pairs}

    @classmethod
    def from_json(cls, value: Json) -> Tally:
        """What `as_json` made a value of."""
        counters: Json = {name: Counter(value[name]) for name in ("rules", "near", "asked", "milliseconds", "compared")}
        counters |= {part: Counter({(name, what): n for name, what, n in value[part]}) for part in PAIRS}
        return cls(**{**value, **counters})
