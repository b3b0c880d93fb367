"""What a fault changed: the record as it was logged, and as it should have been, held against each other by their facts.

What a comparison of positions cannot tell a game adds (`Aside`): results that its positions do not hold, what dice that
were not rolled might have brought, that nobody can tell. How far the record can be followed, `following` finds out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from auditor.core.naming import CALLED, in_plain_words

NOBODY, UNKNOWN = "nobody", "unknown"
"""Whose gain it is, where it is no player's."""


@dataclass(frozen=True, slots=True)
class Chance:
    """What dice that were not rolled might have brought: `Chance("um-3 stays", Fraction(11, 36))`."""

    what: str
    odds: Fraction

    def as_json(self) -> dict[str, str]:
        return {
            "of": self.what,
            "chance": f"{self.odds.numerator}/{self.odds.denominator}",
            "text": f"{self.what}: {odds_in_words(self.odds)}",
        }


class Change(NamedTuple):
    """One thing that differs. A fact that is not there is None.

    right   as it should have been: the act done rightly
    undone  as if it had not been done, of an act that was not allowed at all
    """

    what: str
    logged: Any
    right: Any = None
    undone: Any = None


Column = Literal["right", "undone"]


@dataclass(frozen=True, slots=True)
class Aside:
    """What a game has to say of a fault's effect beyond the facts that differ.

    told     sentences
    chances  what they say of dice, as exact odds
    open     whether dice that were not rolled leave open what would have come of it, so that the positions compared are
             those with the dice as they were rolled
    results  what came out of the event otherwise and no position holds: who won a roll, whether a power was stopped
    unsure   why nobody can tell what would have come of it, where that is so for another reason than dice
    settled  whether what came of a wrong number is the same with the right one, so far as the event itself goes
    """

    told: tuple[str, ...] = ()
    chances: tuple[Chance, ...] = ()
    open: bool = False
    results: tuple[Change, ...] = ()
    unsure: str = ""
    settled: bool = False

    def __add__(self, other: Aside) -> Aside:
        return replace(
            self,
            told=self.told + other.told,
            chances=self.chances + other.chances,
            open=self.open or other.open,
            results=self.results + other.results,
            unsure=self.unsure or other.unsure,
            settled=self.settled or other.settled,
        )


NOTHING_ASIDE = Aside()


@dataclass(frozen=True, slots=True)
class Followed:
    """How far the record was followed from where a fault is put right, and what differs there.

    changed  what differs: where the two are the same again, what differed just after the event
    end      whether it was followed to the end of the record, `same_from`: or until both are the same again, there
    to       the last event that it was followed to
    unknown_from, why   the first event that cannot be told any more, and the reason, as a clause
    carried  later events whose numbers go back to the fault, so that they were put right as well
    column   which of the two games beside the logged one this is
    """

    changed: Sequence[Change] = ()
    to: int = 0
    end: bool = False
    same_from: int | None = None
    unknown_from: int | None = None
    why: str = ""
    carried: tuple[int, ...] = ()
    column: Column = "right"


NO_TRACE = "No later event of the log shows a difference"
UNTRACED = "What else came of it nobody can tell"
NOTHING = "It changed nothing: the rest of the record is the same."


def difference(logged: Mapping[str, Any], other: Mapping[str, Any], column: Column = "right") -> list[Change]:
    """The facts that differ: as logged, and as they should have been or as if the act had not been done."""
    differing = [what for what, value in logged.items() if other.get(what) != value]
    differing += [what for what, value in other.items() if what not in logged and value is not None]
    return [
        Change(what, _beside(logged.get(what), other.get(what)), **{column: _beside(other.get(what), logged.get(what))})
        for what in sorted(differing)
    ]


def results_of(claimed: Any, right: Any) -> tuple[Change, ...]:
    """The values of a log that differ from those of the rules, as what came out otherwise."""
    if isinstance(claimed, Mapping) and isinstance(right, Mapping):
        both = [
            (key, value, right[key])
            for key, value in claimed.items()
            if key in right and right[key] != value and not (value is None and right[key] in (0, "none"))
        ]
        return tuple(Change(in_words(key), _flat(value, key), _flat(other, key)) for key, value, other in both)
    if isinstance(claimed, Mapping) or isinstance(right, Mapping) or claimed == right:
        return ()
    return (Change("what the log says", _flat(claimed), _flat(right)),)


def _flat(value: Any, key: str = "") -> Any:
    """A value as one word or number: lists and objects are written out."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {in_words(one)}" for key, one in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(str(_fact(one)) for one in value) or "none"
    return _fact(value, key)


def in_words(key: Any) -> str:
    """The name of a value of a log in words: `crit.tp_after` is "TPs left"."""
    last = str(key).rsplit(".", 1)[-1]
    if last == "tp_after":
        return "TPs left"
    return CALLED.get(last, last.replace("_", " "))


def _fact(value: Any, key: str = "") -> Any:
    return "none" if value is None else in_plain_words(value, key) if isinstance(value, str) else value


def _beside(value: Any, other: Any) -> Any:
    """A fact; one that is not there is no, beside one that is yes."""
    return False if value is None and other is True else _fact(value)


def effect(followed: Followed, aside: Aside = NOTHING_ASIDE, gain: str = UNKNOWN) -> dict[str, Any]:
    """The effect of a fault as an audit gives it; `text` says all of it."""
    changed = [*aside.results, *followed.changed]
    unknown_from = followed.unknown_from
    parts = [_what_differs(changed, followed, aside)]
    if followed.carried:
        rests = f"{_events(followed.carried)} {'rests' if len(followed.carried) == 1 else 'rest'} on it"
        same = (followed.same_from is not None or followed.end) and not changed
        parts.append(
            f"{rests} and would bear other numbers; what is on the table stays the same." if same else f"{rests}."
        )
    parts += aside.told
    if aside.unsure:
        parts.append(f"{aside.unsure}.")
    elif aside.open:
        parts.append(f"From event {unknown_from} on nobody can tell.")
    elif unknown_from is not None:
        parts.append(f"From event {unknown_from} on nobody can tell: {followed.why}.")
    elif followed.same_from is not None and followed.changed:
        parts.append(f"From event {followed.same_from} on the record is the same again.")
    elif aside.results and not (followed.changed or followed.carried or aside.told):
        # A position that holds what is wrong was followed to the end; one that does not says nothing of what came of it.
        parts.append(f"{NO_TRACE if followed.end else UNTRACED}.")
    return {
        "changed": [
            {"what": one.what, "as_logged": one.logged, "as_it_should_be": one.right, "as_if_not_done": one.undone}
            for one in changed
        ],
        "followed_to": followed.to,
        "unknown_from": unknown_from,
        "odds": [chance.as_json() for chance in aside.chances],
        "gain": gain,
        "text": " ".join(part for part in parts if part),
    }


def is_nothing(followed: Followed, aside: Aside) -> bool:
    """Whether the whole rest of the record is the same."""
    differs = followed.changed or aside.results or followed.carried
    left_open = aside.open or aside.unsure or followed.unknown_from is not None
    return not differs and not left_open and (followed.end or followed.same_from is not None)


def _what_differs(changed: Sequence[Change], followed: Followed, aside: Aside) -> str:
    if is_nothing(followed, aside):
        return NOTHING
    if not changed:
        return ""
    lines = [_line(one) for one in changed]
    text = "; ".join(lines[:6]) + (f"; and {len(lines) - 6} more" if len(lines) > 6 else "") + "."
    if aside.open:
        return f"With the dice as they were rolled: {text}"
    if followed.end and followed.same_from is None and followed.changed:
        return f"At the end of the record: {text}"
    return text[0].upper() + text[1:] if text.split(" ")[0].rstrip(":;,").isalpha() else text


def _line(one: Change) -> str:
    other = (
        f"{_said(one.undone)} if it had not been done"
        if one.undone is not None
        else f"{_said(one.right)} as it should be"
    )
    return f"{one.what}: {_said(one.logged)} as logged, {other}"


def _said(value: Any) -> str:
    return "none" if value is None else "yes" if value is True else "no" if value is False else str(value)


def _events(numbers: Sequence[int]) -> str:
    shown = [str(n) for n in numbers[:5]]
    if len(numbers) > 5:
        shown.append(f"{len(numbers) - 5} more")
    head = "Event" if len(numbers) == 1 else "Events"
    return f"{head} {', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else f"{head} {shown[0]}"


def odds_in_words(odds: Fraction) -> str:
    """`11 of 36`, `1 of 3`."""
    return f"{odds.numerator} of {odds.denominator}"
