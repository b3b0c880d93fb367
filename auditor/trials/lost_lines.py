"""One line lost early in a record, and a wrong number late in it: is the wrong number still told?

A lost line puts in doubt what it may have changed. What later lines state again is known again, so that most of what
is wrong long after it can still be proved. Counted is how often it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from auditor import engine, systems
from auditor.conformance.inventor import Inventor
from auditor.conformance.logs import as_jsonl
from auditor.trials.fuzz import MOST_LISTED, Opponent
from auditor.trials.tally import Json

EARLY = 0.4
"""In which part of a game a line is lost; the wrong number stands in its second half."""


@dataclass
class Lost:
    """What some tries gave. Two of them add up.

    accused   the wrong number is told with the line lost as without it
    in_doubt  it is ambiguous then, and names why
    unsaid    nothing is said of it
    """

    tries: int = 0
    accused: int = 0
    in_doubt: int = 0
    unsaid: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    listed: list[Json] = field(default_factory=list)

    def add(self, more: Lost) -> None:
        for name in ("tries", "accused", "in_doubt", "unsaid"):
            setattr(self, name, getattr(self, name) + getattr(more, name))
        self.rules += more.rules
        self.listed += more.listed[: max(0, MOST_LISTED - len(self.listed))]


def lost_lines(game: str, _: Opponent, seed: int, numbers: Sequence[int]) -> Lost:
    """Some tries of a seed; the second referee is not asked."""
    inventor, done = systems.game(game).inventor(), Lost()
    for number in numbers:
        _try(inventor, seed, number, done)
    return done


def _try(inventor: Inventor, seed: int, number: int, done: Lost) -> None:
    """Plant a wrong number of some rule, and lose a line before it; nothing where there is no occasion."""
    rng = Random(f"lost line {seed}/{number}")
    names = [name for name in inventor.plantable if name.split()[0] in inventor.number_rules]
    game = inventor.planted(rng.choice(names), rng.randrange(10_000))
    if game is None or game.beside is not None or game.fault["kind"] != "miscalculated":
        return
    events = [line for line in game.lines if "seq" in line]
    at = next((n for n, event in enumerate(events) if event["seq"] == game.fault["seq"]), 0)
    if at < len(events) / 2 or _said(game.lines, game.fault) is None:
        return
    lost = rng.choice(events[: round(len(events) * EARLY)])
    told = _said([line for line in game.lines if line is not lost], game.fault)
    done.tries += 1
    if told is not None and told["kind"] == game.fault["kind"]:
        done.accused += 1
        return
    done.in_doubt += told is not None
    done.unsaid += told is None
    done.rules[game.fault["rule"]] += 1
    place = {"try": number, "rule": game.fault["rule"], "seq": game.fault["seq"], "lost": lost["seq"]}
    done.listed.append({**place, "type": lost["type"], "text": told["text"] if told is not None else ""})


def _said(lines: Sequence[Json], fault: Json) -> Json | None:
    """What an audit says of a planted fault: the accusation if there is one, else that it is in doubt."""
    audit = engine.audit_log(as_jsonl(list(lines)).encode(), digest=False)
    found = [one for one in audit["findings"] if (one["seq"], one["rule"]) == (fault["seq"], fault["rule"])]
    return min(found, key=lambda one: (one["kind"] != fault["kind"], not one["stands"]), default=None)


def report(game: str, seed: int, found: Lost) -> Json:
    """What was tried, as a value: the counts, and each wrong number that was not told any more."""
    return {
        "game": game,
        "ruleset_version": engine.GAMES[game].version,
        "seed": seed,
        "tries": found.tries,
        "accused": found.accused,
        "in_doubt": found.in_doubt,
        "unsaid": found.unsaid,
        "rules": dict(found.rules.most_common()),
        "not_told": found.listed,
    }
