"""What a game's second referee, generator and planters of faults give to commands and to the conformance run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from auditor.conformance.logs import Json, Lines
from auditor.conformance.relations import Relation

Options = Mapping[str, str]
"""Readings with the option that they are answered by."""
NOT_JUDGED = "not judged"
"""The kind of what a second referee says of the event from which on it judges nothing."""


class Planted(NamedTuple):
    """A game with a fault, perhaps beside a second one, as it must be found."""

    seed: int
    lines: list[Json]
    fault: Json
    beside: Json | None = None


class Turned(NamedTuple):
    """A game with a fault of a reading: `lines` whose header has the option under which it is one."""

    seed: int
    reading: str
    under: dict[str, str]
    played: dict[str, str]
    lines: list[Json]
    faults: list[Json]


def plantable(readings: Mapping[str, Sequence[str]], *without: Collection[str]) -> tuple[str, ...]:
    """The options of readings, as "R=OPTION", but for those that some of `without` name."""
    every = (f"{reading}={option}" for reading, options in readings.items() for option in options)
    return tuple(name for name in every if not any(name in some for some in without))


class CannotInvent(Exception):
    """No game, or no copy of a log, is as it was asked for; the message says why."""


@dataclass(frozen=True)
class Inventor:
    """The second opinion on one game.

    readings     the open readings and their options, the default first
    plantable    the faults that can be planted, each a rule's id, perhaps with what tells it from others of the rule
    plantable_readings  the same of faults under one option of a reading only: "R=OPTION"
    never        "R=OPTION" -> why nothing is a fault under that option alone
    near         situations one step from a fault: key -> (rule, in words)
    number_rules rules about a number

    check        (lines, options) -> what the second referee finds, each with seq, rule, kind and player; None where
                 there is none yet: then nothing is compared but legal games and planted faults
    judged       the rules that `check` judges, where it does not judge all: every game of a run is then compared within
                 these, up to the event of which it says NOT_JUDGED
    findings_of  a planted fault, as the games with faults name it -> all the findings that it must give
    numbers      event -> the rules of `number_rules` for which it claims a number
    legal_game   seed -> a legal game, and how often it came near which fault
    legal_lines  seed -> a legal game with every data pack in full, as the second referee can follow it
    unreadable   a legal game -> the events that hang on a printed text which nobody can read: an audit may leave them open
    settings_of  seed -> how that game is played: "omit_claims", "readings"
    planted      (fault, number) -> a game with a fault: seed, lines, fault, beside; None where there is no occasion
    plant_reading  ("R=OPTION", number) -> the same: seed, lines, faults, under, played, reading; raises LookupError
    relations    name -> the relation that writes a game otherwise

    write_game   (seed, rounds, board file or None, target, share of claims left out, options) -> how many events; raises
                 CannotInvent
    write_faulty_game   (seed, fault, target) -> the file beside it that says what must be found; raises CannotInvent
    write_mutated_game  (log, fault, seed, target, options) -> the same; raises CannotInvent
    """

    readings: Mapping[str, Sequence[str]]
    plantable: Sequence[str]
    plantable_readings: Sequence[str]
    never: Mapping[str, str]
    near: Mapping[str, tuple[str, str]]
    number_rules: Sequence[str]

    check: Callable[[Lines, Options | None], Sequence[Any]] | None
    findings_of: Callable[[Mapping[str, Any]], Sequence[Mapping[str, Any]]]
    numbers: Callable[[Json], set[str]]
    legal_game: Callable[[int], tuple[list[Json], Counter[str]]]
    legal_lines: Callable[[int], list[Json]]
    settings_of: Callable[[int], Json]
    planted: Callable[[str, int], Planted | None]
    plant_reading: Callable[[str, int], Turned]
    relations: Mapping[str, Relation]

    write_game: Callable[[int, int, Path | None, Path, float, Options], int]
    write_faulty_game: Callable[[int, str, Path], Path]
    write_mutated_game: Callable[[Path, str, int, Path, Options], Path]

    judged: Sequence[str] | None = None
    unreadable: Callable[[Lines], Collection[int]] = lambda lines: ()
