"""The differential fuzz: one value of a legal log is changed at random, and auditor and second referee must agree.

A try takes a legal game, changes, drops, doubles or swaps one value of one event, ends the log with that event, and
asks both who is at fault. What they say is compared as (event, rule, kind, player). Each try follows from the seed and
its number alone, so that a difference can be looked at again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache, partial
from multiprocessing import get_context
from random import Random
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from auditor import engine, systems
from auditor.conformance.inventor import NOT_JUDGED
from auditor.conformance.logs import as_jsonl
from auditor.trials.audited import as_the_referee_tells
from auditor.trials.compared import Both, Judge, both
from auditor.trials.tally import Json

Path = tuple[str | int, ...]

FACES = "CHSB"
KEPT = ("seq", "type")
DROPPED = 0.08
"""How often a value is left out instead of changed."""
TRIES_A_GAME = 20
MOST_LISTED = 2_000


class Opponent(NamedTuple):
    """What the fuzz needs of a game.

    legal_game   seed -> header and events of a legal game
    judge        (lines, readings) -> what the second referee finds, each with seq, rule, kind and player
    rules        the rules that are compared; None for all
    """

    legal_game: Callable[[int], list[Json]]
    judge: Judge
    rules: Sequence[str] | None = None


def opponent_of(game: str) -> Opponent:
    """The second referee of a game. Raises systems.NotOffered."""
    inventor = systems.game(game).inventor()
    if inventor.check is None:
        raise systems.NotOffered(f"{game} has no second referee")
    return Opponent(inventor.legal_lines, inventor.check, inventor.judged)


class Change(NamedTuple):
    """One value of an event changed: where, by what, from what to what (None where there is nothing)."""

    seq: int
    type: str
    path: Path
    how: str
    old: Any
    new: Any

    @property
    def place(self) -> str:
        """The path with its list places and its ids left out: `attack.steps[].shields`."""
        words = [self.type]
        for part in self.path:
            if isinstance(part, int):
                words[-1] += "[]"
            else:
                words.append("*" if part[:1].islower() and "-" in part else part)
        return ".".join(words)


@dataclass
class Tried:
    """What some tries gave. Two of them add up. `not_judged` are those that the referee cannot follow to the change."""

    tries: int = 0
    not_judged: int = 0
    alike: int = 0
    accused: int = 0
    places: Counter[tuple[str, str]] = field(default_factory=Counter)
    listed: list[Json] = field(default_factory=list)

    def add(self, more: Tried) -> None:
        self.tries += more.tries
        self.not_judged += more.not_judged
        self.alike += more.alike
        self.accused += more.accused
        self.places.update(more.places)
        self.listed += more.listed[: max(0, MOST_LISTED - len(self.listed))]


def changed(lines: Sequence[Json], rng: Random, *, left_out: bool = False) -> tuple[list[Json], Change] | None:
    """A legal log with one value changed, cut after the event that it stands in; None where nothing came of it, or, with
    `left_out`, where the value would not be left out.
    """
    types = sorted({event["type"] for event in lines[1:]})
    chosen = rng.choice(types)
    index = rng.choice([n for n, event in enumerate(lines) if n and event["type"] == chosen])
    paths = list(_paths(lines[index]))
    if not paths:
        return None
    path = rng.choice(_representatives(paths, rng))
    holder, key = _holder(lines[index], path)
    old = holder[key]
    dropped = rng.random() < DROPPED
    if left_out and not dropped:
        return None
    name = str(next((part for part in reversed(path) if isinstance(part, str)), ""))
    how, new = ("dropped", None) if dropped else _other(old, name, lines, rng)
    if not dropped and new == old:
        return None
    event = deepcopy(lines[index])
    holder, key = _holder(event, path)
    if dropped:
        del holder[key]
    else:
        holder[key] = deepcopy(new)
    return [*lines[:index], event], Change(event["seq"], chosen, path, how, deepcopy(old), new)


def _paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """The places of all values within a value, itself left out."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        if path or key not in KEPT:
            yield (*path, key)
            yield from _paths(part, (*path, key))


def _representatives(paths: list[Path], rng: Random) -> list[Path]:
    """One path of each form, so that long lists are not changed more often than single fields."""
    forms: dict[tuple[str | None, ...], list[Path]] = {}
    for path in paths:
        forms.setdefault(tuple(part if isinstance(part, str) else None for part in path), []).append(path)
    return [rng.choice(same) for same in forms.values()]


def _holder(event: Json, path: Path) -> tuple[Any, Any]:
    holder: Any = event
    for part in path[:-1]:
        holder = holder[part]
    return holder, path[-1]


def _other(old: Any, name: str, lines: Sequence[Json], rng: Random) -> tuple[str, Any]:
    """How a value that is not left out is changed, and the new one."""
    if rng.random() < 0.04:
        return "nulled", None
    if isinstance(old, bool):
        return "flipped", not old
    if isinstance(old, int):
        return "number", rng.choice([old - 1, old + 1, old + rng.randint(-3, 3), 0, old + 2])
    if isinstance(old, str) and old and set(old) <= set(FACES) and name not in ("player", "side"):
        place = rng.randrange(len(old))
        cut, rest = old[:place], old[place + 1 :]
        return "face", rng.choice([cut + rng.choice(FACES) + rest, cut + rest, old + rng.choice(FACES)])
    if isinstance(old, list) and len(old) == 2 and all(type(part) is int for part in old):
        dq, dr = rng.choice([(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1), (2, -1), (0, 3)])
        return "hex", [old[0] + dq, old[1] + dr]
    if isinstance(old, list) and old:
        place = rng.randrange(len(old))
        more = old[:place] + old[place + 1 :]
        return rng.choice([("shorter", more), ("doubled", [*old, deepcopy(old[place])]), ("turned", old[::-1])])
    if isinstance(old, dict) and old:
        lost = rng.choice(sorted(old))
        return "shorter", {key: value for key, value in old.items() if key != lost}
    seen = _values_of(name, lines)
    return "other value", rng.choice(seen) if seen else None


def _values_of(name: str, lines: Sequence[Json]) -> list[Any]:
    """What stands under a name anywhere in a log, each value once, and what a game calls its units and models."""
    found: dict[str, Any] = {}
    for event in lines[1:]:
        for path in _paths(event):
            named = next((part for part in reversed(path) if isinstance(part, str)), "")
            if named == name:
                holder, key = _holder(event, path)
                if not isinstance(holder[key], (dict, list)):
                    found[repr(holder[key])] = holder[key]
    return [found[key] for key in sorted(found)]


def judged(opponent: Opponent, lines: Sequence[Json], found: Sequence[Any] | None = None) -> Both:
    """What the auditor says of a log and what the second referee says (`found`, if it was asked), of what stands or is
    left open.
    """
    judge = opponent.judge if found is None else lambda *_: found
    audit = engine.audit_log(as_jsonl(lines).encode(), digest=False, causes=False, strict=True)
    return both(judge, opponent.rules, lines, as_the_referee_tells(audit))


@lru_cache(maxsize=4)
def _game(opponent: Opponent, seed: int) -> list[Json]:
    return opponent.legal_game(seed)


def change_of(opponent: Opponent, seed: int, number: int) -> tuple[list[Json], Change] | None:
    """The log and the change of try `number`; None where nothing came of it."""
    return changed(game_of(opponent, seed, number), Random(f"{seed} {number}"))


def game_of(opponent: Opponent, seed: int, number: int) -> list[Json]:
    """The legal game in which try `number` changes a value: header and events."""
    return _game(opponent, seed * 1_000_000 + number // TRIES_A_GAME)


def tries(opponent: Opponent, seed: int, numbers: Sequence[int]) -> Tried:
    """Some tries of a seed."""
    done = Tried()
    for number in numbers:
        made = change_of(opponent, seed, number)
        if made is None:
            continue
        lines, change = made
        done.tries += 1
        entry: Json = {"seed": seed, "try": number, "place": change.place, **change._asdict()}
        try:
            found = opponent.judge(lines, None)
            if any(one.kind == NOT_JUDGED and one.seq < change.seq for one in found):
                # What could be compared is the legal game, in which nothing was changed.
                done.not_judged += 1
                done.places[change.place, "not judged"] += 1
                continue
            ours, theirs, until = judged(opponent, lines, found)
        except Exception as error:
            done.places[change.place, "raised"] += 1
            done.listed.append({**entry, "raised": f"{type(error).__name__}: {error}"})
            continue
        done.accused += bool(ours)
        if until is not None and ours == theirs:
            done.not_judged += 1
            done.places[change.place, "not judged"] += 1
        elif ours == theirs:
            done.alike += 1
            done.places[change.place, "alike"] += 1
        else:
            done.places[change.place, "different"] += 1
            done.listed.append(
                {**entry, "auditor": sorted(ours - theirs, key=str), "referee": sorted(theirs - ours, key=str)}
            )
    return done


class Adds(Protocol):
    """What some tries gave; two of them add up."""

    def add(self, more: Self, /) -> None:
        """Take in what other tries gave."""


Outcome = TypeVar("Outcome", bound=Adds)
Of = TypeVar("Of")


def run(
    some: Callable[[Of, int, Sequence[int]], Outcome],
    opponent: Of,
    seed: int,
    count: int,
    *,
    jobs: int = 1,
    step: Callable[[int], None] = lambda _: None,
) -> Outcome:
    """`count` tries of a seed over some processes, by `some` that makes some of them (`tries`); `step` hears of each
    chunk that is done.
    """
    chunks = [range(first, min(first + TRIES_A_GAME, count)) for first in range(0, count, TRIES_A_GAME)]
    whole = some(opponent, seed, ())
    work = partial(some, opponent, seed)
    with ExitStack() as stack:
        pool = stack.enter_context(ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))) if jobs > 1 else None
        for chunk, part in zip(chunks, (pool.map if pool is not None else map)(work, chunks), strict=True):
            whole.add(part)
            step(len(chunk))
    return whole


def report(game: str, seed: int, tried: Tried) -> Json:
    """What was tried, as a value: counts, the places with differences, and each difference with the try that shows it."""
    places: dict[str, Json] = {}
    for (place, what), times in sorted(tried.places.items()):
        none: Json = {"place": place, "alike": 0, "not judged": 0, "different": 0, "raised": 0}
        places.setdefault(place, none)[what] = times
    return {
        "game": game,
        "ruleset_version": engine.GAMES[game].version,
        "seed": seed,
        "tries": tried.tries,
        "not_judged": tried.not_judged,
        "alike": tried.alike,
        "different": tried.tries - tried.alike - tried.not_judged,
        "accused": tried.accused,
        "places": sorted(places.values(), key=lambda one: (-one["different"] - one["raised"], one["place"])),
        "differences": tried.listed,
    }
