"""Readings (open questions with named options), a tournament's answers to them, and the asking.

Readings are asked, not configured: a check or a resolution that meets an unclear point asks the hearing of its
event, and the asking is recorded, so that the event can be judged again under the other options.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeVar

from auditor.core.findings import Fact
from auditor.core.nearest import nearest

Settled = Callable[[Callable[[str], str]], Hashable]
"""Works something out by asking readings; see `Hearing.settle`."""
Answer = TypeVar("Answer", bound=Hashable)

OPEN = "open"
LONGEST_NUMBER = 40


@dataclass(frozen=True, slots=True)
class Option:
    id: str
    means: str


@dataclass(frozen=True, slots=True)
class Reading:
    """An open question of the rules. The first option is not special; `default` is in force if nobody rules."""

    id: str
    question: str
    options: tuple[Option, ...]
    default: str

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(option.id for option in self.options)


@dataclass(frozen=True, slots=True)
class Setting:
    """A number that a tournament may set: `Setting("measuring_tolerance", "What a length may be over", "number", "0")`.

    kind     number: an exact number ("1/4", "0.25", 2); whole: an integer
    default  in force if nobody sets it
    """

    name: str
    means: str
    kind: Literal["number", "whole"] = "number"
    default: str = "0"

    def refuses(self, value: Any) -> str | None:
        """What is wrong with a value for this setting, or None."""
        if isinstance(value, (str, int)) and not isinstance(value, bool) and len(str(value)) <= LONGEST_NUMBER:
            try:
                number = Fraction(value)
            except (ValueError, ZeroDivisionError):
                pass
            else:
                if self.kind == "number" or number.denominator == 1:
                    return None
        kind = "an integer" if self.kind == "whole" else "an integer or an exact number as text"
        return f"the setting {self.name} is {kind}"


class BadRulings(ValueError):
    """A rulings set that names what does not exist; `problems` lists all of it, each a sentence."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(self.problems))


@dataclass(frozen=True)
class Rulings:
    """A tournament's answers, complete: every reading has an option or is `open`.

    readings   reading id -> option in force, or "open"
    selected   the same with the default in the place of "open": what the replay goes on with
    domains    reading id -> all its options
    """

    name: str
    readings: Mapping[str, str]
    selected: Mapping[str, str]
    domains: Mapping[str, tuple[str, ...]]
    settings: Mapping[str, str] = field(default_factory=dict)
    not_audited: Mapping[str, str] = field(default_factory=dict)

    @property
    def undecided(self) -> frozenset[str]:
        return frozenset(key for key, option in self.readings.items() if option == OPEN)

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "readings": dict(self.readings),
            "settings": dict(self.settings),
            "not_audited": dict(self.not_audited),
        }


_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""A name or a reason that holds one of these could read as another."""


def rulings(
    given: Any,
    readings: Iterable[Reading],
    rule_ids: Iterable[str] = (),
    name: str = "defaults",
    settings: Iterable[Setting] = (),
) -> Rulings:
    """The complete rulings set made from `given` (the JSON form of the contract, or a bare map of readings).

    Raises BadRulings with every unknown reading, option, rule or setting at once. Whose `game` it is, is not looked at.
    """
    known = {reading.id: reading for reading in readings}
    problems: list[str] = []
    title: Any = name
    given = given if given is not None else {}
    if not isinstance(given, Mapping):
        raise BadRulings([f"a rulings set is an object, not {type(given).__name__}"])
    given = {key: value for key, value in given.items() if key != "game"}
    wrapped = bool({"name", "readings", "settings", "not_audited"} & given.keys()) or not given
    answers = given.get("readings", {}) if wrapped else given
    numbers = given.get("settings", {}) if wrapped else {}
    not_audited = given.get("not_audited", {}) if wrapped else {}
    if wrapped:
        title = given.get("name", name)
        problems += [
            f'"{key}" is not part of a rulings set; it has game, name, readings, settings and not_audited'
            for key in given
            if key not in {"name", "readings", "settings", "not_audited"}
        ]
    if not isinstance(title, str):
        problems.append('"name" is a text')
    elif _TURNING & set(title):
        problems.append('"name" holds signs that turn the direction of writing')
    for part, value in (("readings", answers), ("settings", numbers), ("not_audited", not_audited)):
        if not isinstance(value, Mapping):
            problems.append(f'"{part}" is an object')
    chosen = {reading.id: reading.default for reading in known.values()}
    for key, option in answers.items() if isinstance(answers, Mapping) else ():
        if key not in known:
            problems.append(f'there is no reading "{str(key)[:64]}"{nearest(key, known)}')
        elif option != OPEN and option not in known[key].names:
            options = ", ".join(known[key].names)
            problems.append(f'{key} has no option "{str(option)[:64]}"; it has {options}, or open')
        else:
            chosen[key] = option
    rule_ids = set(rule_ids)
    for key, why in not_audited.items() if isinstance(not_audited, Mapping) else ():
        if key not in rule_ids:
            problems.append(f'there is no rule "{str(key)[:64]}"{nearest(key, rule_ids)}')
        elif not isinstance(why, str):
            problems.append(f"the reason why {key} is not audited is a text")
        elif _TURNING & set(why):
            problems.append(f"the reason why {key} is not audited holds signs that turn the direction of writing")
    declared = {setting.name: setting for setting in settings}
    for key, value in numbers.items() if isinstance(numbers, Mapping) else ():
        if key not in declared:
            problems.append(f'there is no setting "{str(key)[:64]}"{nearest(key, declared)}')
        elif (problem := declared[key].refuses(value)) is not None:
            problems.append(problem)
    if problems:
        raise BadRulings(problems)
    return Rulings(
        name=title,
        readings=chosen,
        selected={key: known[key].default if option == OPEN else option for key, option in chosen.items()},
        domains={reading.id: reading.names for reading in known.values()},
        settings={name: str(numbers.get(name, setting.default)) for name, setting in declared.items()},
        not_audited=dict(not_audited),
    )


class ChangedBeforeAsked(Exception):
    """A game's `adopt` changed the position and asked a reading only then, so that its other options start too late."""


class Hearing:
    """One event being judged: it answers readings and keeps what was asked.

    A rule asks with `hearing.ask("R-LOS-VERTEX")` and only where the options could differ. Where what it goes on to do
    hangs on several readings by one answer only (is the line stopped?), it has that worked out by `hearing.settle`:
    then it is judged once for each such answer, and not for each combination of options that gives it.

    `asked` are the readings asked with their options, `steps` the questions that a check put, with what was answered:
    readings, and what it had settled. `read`: the cells that are asked of the position while a check looks once more to
    tell on what its faults rest; else None.
    """

    __slots__ = ("adopting", "asked", "options", "read", "settings", "silent", "snapshot", "steps", "untouched")

    def __init__(self, options: Mapping[str, str], settings: Mapping[str, str] | None = None) -> None:
        self.options = options
        self.settings = settings or {}
        self.asked: dict[str, str] = {}
        self.steps: dict[str | Settled, Hashable] = {}
        self.silent = 0
        self.read: set[Fact] | None = None
        self.adopting: Any = None
        self.snapshot: Any = None
        self.untouched: Any = None

    def ask(self, reading: str) -> str:
        """The option of `reading` under which the event is being judged.

        While a game adopts an event, the first question keeps a copy of the position: ask before changing anything.
        Raises ChangedBeforeAsked where `untouched`, a copy from before the event, is there to tell.
        """
        option = self.options[reading]
        if reading not in self.asked:
            if self.adopting is not None:
                self.snapshot = self.adopting.copy()
                self.adopting = None
                if self.untouched is not None and self.snapshot != self.untouched:
                    raise ChangedBeforeAsked(f"the position was changed before {reading} was asked")
            self.asked[reading] = option
        self.steps[reading] = option
        return option

    def settle(self, work_out: Callable[[Callable[[str], str]], Answer]) -> Answer:
        """What `work_out(ask)` gives back: something hashable that hangs on nothing but the options that it asks.

        It may be called again later with another `ask`, so it must not ask this hearing, and it changes nothing. Ones
        that are equal are the same question: what it comes to under each reading is then worked out once.
        """
        steps, self.steps = self.steps, {}
        try:
            answer = work_out(self.ask)
        finally:
            asked, self.steps = self.steps, steps
        if asked:
            steps[work_out] = answer
        return answer

    def apart(self) -> None:
        """What is told after this rests on nothing that was read before it: on the line itself, and on what is read from
        here on. For a check that tells one fault a subject, and reads of each all that it needs."""
        if self.read is not None:
            self.read.clear()

    def not_claimed(self, count: int = 1) -> None:
        """Count claims that the log did not make; they are compared with nothing and accuse nobody."""
        self.silent += count
