"""Whether a record is at fault before anybody else: written in another unit, or numbered in another way.

Where many acts of both players fail, the record is read once in each of the other ways that there are for its game
(`systems.conventions`). If one of them takes nearly all accusations away and leaves nothing more undecided, nobody is
accused until somebody has chosen; the note at the top says which way it is and how to ask for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from auditor.core import bounds
from auditor.core.record import Record, UnreadableLog
from auditor.core.replay import TOO_MUCH_WORK, Replay
from auditor.core.rulings import BadRulings
from auditor.core.work import Purse
from auditor.engine.games import Json
from auditor.ingest import Reading
from auditor.systems.conventions import CONVENTIONS, Convention, by_name, of_game

SHARE = 20
"""At least one to so many events that a way writes otherwise: a game with a few faults is not judged in every other way."""
GONE = 3
"""At least three in four of them have to be gone."""
LONGEST = 2_000
"""Events of a record that is read in other ways: three times those of the longest game that is known. Each way costs as much as
the audit itself, and what that may cost is promised."""


class Doubt(NamedTuple):
    """That a record may be written otherwise: `text` for the reader, `why` for each finding that hangs on it; how many
    findings and errors there are as it is written (`before`), and read so (`left`)."""

    convention: Convention
    text: str
    why: str
    before: int
    left: int

    def as_json(self) -> Json:
        """What an audit keeps of it, for whoever chooses."""
        words = {"read_as": self.convention.name, "words": self.convention.words}
        return {**words, "against_as_written": self.before, "against_read_so": self.left}


def chosen(rulings: Mapping[str, Any] | None) -> tuple[Mapping[str, Any] | None, Convention | None]:
    """Rulings without their `read_as`, None where nothing else was given, and the convention that it names.

    How a record is to be read is said with the rulings that it is judged by. Raises BadRulings where there is no such way.
    """
    if rulings is None or "read_as" not in rulings:
        return rulings, None
    convention = by_name(str(rulings["read_as"]))
    if convention is None:
        raise BadRulings([not_a_way(str(rulings["read_as"])[:64])])
    return {key: value for key, value in rulings.items() if key != "read_as"} or None, convention


def not_a_way(name: str) -> str:
    """That there is no convention of some name, and which there are; "" where there is one."""
    if by_name(name) is not None:
        return ""
    return f"{name}: it is none of {', '.join(one.name for one in CONVENTIONS)}"


def doubt(
    value: Json,
    reading: Reading,
    record: Record,
    kinds: Iterable[type],
    replay: Callable[[Record, Purse], Replay],
) -> Doubt | None:
    """The other way of writing that explains the accusations of an audit, if one does; `reading`: of its log; `kinds`: the
    events of its game; `replay`: of a record, paid from a purse, without a drawing."""
    before = _against(value)
    if not before or len(record.events) > LONGEST or len(record.errors) > bounds.MOST_ERRORS or _is_spent(value):
        return None
    players = {one["player"] for one in value["findings"] if one["stands"]}
    # What is nobody's, and what cannot be read at all, is no fault of one player alone.
    many = before >= bounds.LEAST_OTHERWISE and (len(players) != 1 or None in players or bool(value["errors"]))
    best: tuple[int, Convention] | None = None
    purse = Purse(bounds.MOST_WORK_OTHERWISE)
    for convention in of_game(kinds):
        if not (many or convention.offered) or not convention.only_if(dict(record.header), record.events):
            continue
        try:
            otherwise = reading.record(convention)
        except UnreadableLog:
            continue
        touched = sum(one != other for one, other in zip(record.events, otherwise.events, strict=True))
        if not convention.offered and not 0 < touched <= before * SHARE:
            continue
        again = _judged(replay(otherwise, purse), before // (GONE + 1) - len(otherwise.errors[: bounds.MOST_ERRORS]))
        if purse.spent:
            break
        if again is None or again.open > _open(value):
            continue
        left = again.standing + len(otherwise.errors[: bounds.MOST_ERRORS])
        if best is None or left < best[0]:
            best = left, convention
    if best is None:
        return None
    left, convention = best
    words = f"perhaps the record is written {convention.words}"
    what = "findings and errors" if value["errors"] else "findings"
    until = "" if convention.offered else " Nobody is accused until somebody chooses."
    gone = f"read so, {before - left} of {before} {what} are gone"
    said = f"{words[0].upper()}{words[1:]}: {gone}.{until} To read it so: --read-as {convention.name}."
    return Doubt(convention, said, words, before, left)


class _Judged(NamedTuple):
    """How many accusations stand in a record, and how much of it could not be judged."""

    standing: int
    open: int


class _Enough(Exception):
    """More stand than may."""


def _judged(replay: Replay, most: int) -> _Judged | None:
    """What comes of a record in which at most so many accusations may stand; None where there are more. Where nothing is
    taken back, it is left off as soon as there are."""
    seen, at, standing = replay.outcome.seen, 0, 0

    def count(index: int, event: Any, position: Any) -> None:
        nonlocal at, standing
        standing += sum(one.stands for one in seen[at:])
        at = len(seen)
        if standing > most:
            raise _Enough

    try:
        outcome = replay.run(None if replay.undos.targets else count)
    except _Enough:
        return None
    standing = sum(one.stands for one in outcome.seen)
    doubts = sum(one.fault.kind == "ambiguous" for one in outcome.seen)
    open_ = doubts + len(outcome.unchecked[: bounds.MOST_UNCHECKED])
    return _Judged(standing, open_) if standing <= most else None


def _against(value: Json) -> int:
    """What speaks against a record: accusations, and errors of it such as sectors that there are not."""
    return sum(bool(one["stands"]) for one in value["findings"]) + len(value["errors"])


def _is_spent(value: Json) -> bool:
    """Whether the work that a record may cost was done before its end: it is not gone through once more."""
    return any(one["why"] == TOO_MUCH_WORK for one in value["coverage"]["unchecked"])


def _open(value: Json) -> int:
    """How much of a record could not be judged."""
    doubts: Sequence[Any] = [one for one in value["findings"] if one["kind"] == "ambiguous"]
    return len(doubts) + len(value["coverage"]["unchecked"])
