"""How faults wait for their occasion in a game that is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from auditor.conformance.clx.table import Table

Json = dict[str, Any]
Expected = dict[str, Any]

DROP = "drop"
"""In what a planter says: keep the event out of the log."""
UNTIL = "until"
"""In what a planter says: the type of event at which an omission is found, and whether it still is one then."""

ONCE = ("roll_off", "deploy_choice", "seize")
"""Events of which a game has one: who lets them pass waits in vain."""


@dataclass
class Occasion:
    """An event before it is written, what is known of it, and what a planter keeps in mind."""

    t: Table
    event: Json
    tag: Json
    memo: Json
    rng: Random


Planter = Callable[[Occasion], Expected | None]


@dataclass
class Pending:
    """A fault that waits."""

    name: str
    planter: Planter
    expected: Expected = field(default_factory=dict)
    memo: Json = field(default_factory=dict)
    until: tuple[str, Callable[[Table], bool]] | None = None
    failed: bool = False


class Spoiler:
    """Offers each event to the faults that wait; no two faults come closer than some events.

    lasting   so many player turns are played after the last fault, and twice as many where one still waits; None: all that
              there are. A game that is led to the first of them goes its own way from there
    """

    def __init__(self, pending: Sequence[Pending], rng: Random, apart: int, lasting: int | None = None) -> None:
        self.pending = list(pending)
        self.rng = rng
        self.apart = apart
        self.last = -apart
        self.lasting = lasting

    def planted(self) -> list[Pending]:
        """The faults that are in the log for sure."""
        return [p for p in self.pending if p.expected.get("seq") is not None and not p.failed and p.until is None]

    def __call__(self, t: Table, event: Json, tag: Json) -> bool:
        """Whether an event is to be written; it may be changed."""
        for p in self.pending:
            if p.until and event["type"] == p.until[0]:
                p.failed = not p.until[1](t)
                p.expected["seq"], p.until = event["seq"], None
        begun = [p for p in self.pending if p.memo and not p.expected]
        ready = begun or [p for p in self.pending if not p.expected]
        if not begun and event["seq"] - self.last < self.apart:
            return True
        for p in ready:
            only = self.lasting is not None and event["type"] in ONCE
            if not p.memo and not only and self.rng.random() < 0.3:
                continue
            found = p.planter(Occasion(t, event, tag, p.memo, self.rng))
            if found is None:
                continue
            self.last = event["seq"]
            dropped = found.pop(DROP, False)
            p.until = found.pop(UNTIL, None)
            found.setdefault("seq", event["seq"])
            found.setdefault("player", event.get("player"))
            p.expected = found
            if self.lasting is not None and self.pending[0].expected:
                t.steer = None if t.turn and p is self.pending[0] else t.steer
                t.last = t.clock + self.lasting * (1 if all(one.expected for one in self.pending) else 2)
            return not dropped
        return True


def found(rule: str, kind: str, **more: Any) -> Expected:
    """What must be found."""
    return {"rule": rule, "kind": kind, **more}


def finals(rolls: Sequence[Json]) -> list[int]:
    """All dice that were looked at, rerolled ones and their rerolls."""
    dice: list[int] = []
    for roll in rolls:
        dice.append(roll["die"])
        if "reroll" in roll:
            dice.append(roll["reroll"])
    return dice


def another_needed(needed: int, dice: Sequence[int], rng: Random, low: int = 2) -> int | None:
    """Another target number under which no die changes sides, if there is one."""
    both = [needed - 1, needed + 1]
    rng.shuffle(both)
    for other in both:
        if low <= other <= 6 and not any(min(needed, other) <= die < max(needed, other) for die in dice):
            return other
    return None


def misread_needed(o: Occasion, rule: str) -> Expected | None:
    """The number that the dice of an event need is wrong, and no die changes sides."""
    other = another_needed(o.event["claimed_needed"], finals(o.event["rolls"]), o.rng)
    if other is None:
        return None
    o.event["claimed_needed"] = other
    return found(rule, "miscalculated")
