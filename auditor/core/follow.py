"""The record followed in one lane, that of the rulings in force, as it stands or with some lines supposed otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from auditor.core import bounds
from auditor.core.findings import ACCUSATIONS, Fault, Unchecked
from auditor.core.look import Refused
from auditor.core.record import Record
from auditor.core.replay import Replay
from auditor.core.scopes import FaultKey, faults_of
from auditor.core.supposed import Supposed, pointing
from auditor.core.work import spend

Bearable = Callable[[FaultKey], bool]
"""Whether an accusation may stand, or be left open, without what is followed being given up."""


class Sight(NamedTuple):
    """What was seen in one event.

    accused  the faults held against somebody
    doubtful the keys of those that are left open
    blind    rules that could not check it
    looked   the rules that looked at the event, where that is asked
    """

    accused: dict[FaultKey, Fault]
    doubtful: frozenset[FaultKey]
    blind: frozenset[str | None]
    looked: frozenset[str]


class At:
    """One event at a position, which is not adopted: resolved once, however much is asked about it."""

    def __init__(self, replay: Replay, slots: Mapping[str, int], event: Any, position: Any) -> None:
        self._replay = replay
        self._slots = slots
        self._event = event
        self._position = position
        self._weight = replay.ruleset.weight(event, position)
        spend(self._weight // 4)
        self._hearing = replay.terms.hearing()
        self.resolved = replay.ruleset.resolve(event, position, self._hearing)

    def sight(self, bearable: Bearable, by_whom: bool = False, refused: Refused | None = None) -> Sight | None:
        """What is seen in it; None where it is accused of what is not `bearable`, or what a check sees is `refused`.
        `by_whom`: see `Sight.looked`."""
        spend(self._weight // 4)
        looks = self._replay.looks
        before = looks.not_looked_at() if by_whom else ()
        remarks = looks.if_bearable(
            self._event, self.resolved, self._position, self._hearing, bearable, refused=refused
        )
        if remarks is None:
            return None
        found = faults_of(remarks)
        return Sight(
            {key: fault for key, fault in found.items() if fault.kind in ACCUSATIONS},
            frozenset(key for key, fault in found.items() if fault.kind not in ACCUSATIONS),
            frozenset(remark.rule for remark in remarks if isinstance(remark, Unchecked)),
            looks.have_looked(self._event, self.resolved, before) if by_whom else frozenset(),
        )

    def accused(self, rules: Iterable[str], bearable: Bearable) -> set[FaultKey] | None:
        """What some rules alone hold against somebody in it; None where it is not `bearable`."""
        slots = {self._slots[rule] for rule in rules}
        looks = self._replay.looks
        remarks = looks.if_bearable(self._event, self.resolved, self._position, self._hearing, bearable, slots)
        if remarks is None:
            return None
        return {key for key, fault in faults_of(remarks).items() if fault.kind in ACCUSATIONS}


class Follower:
    """Goes through the events of a replayed record again. `opening` is the position before the first event; `recorded`: what
    the record tells as a whole, as far as its game asks (`Ruleset.recorded`)."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.ruleset = replay.ruleset
        self.record = replay.record
        self.opening = self.ruleset.opening(replay.record)
        self.recorded = self._recorded(replay.record)
        self.as_of(self.opening, self.recorded)
        self._slots = {rule.id: slot for slot, rule in enumerate(self.ruleset.rules)}
        self._acts = {kind for kind, name in self.ruleset.events.items() if name not in ("remark", "undo")}

    def plays(self, place: int) -> bool:
        """Whether an event of the record changes the game as it was played in the end."""
        return type(self.record.events[place]) in self._acts and self.replay.was_played(place)

    def _recorded(self, record: Record) -> Any:
        return self.ruleset.recorded(record) if self.ruleset.recorded is not None else None

    def recorded_for(self, supposed: Supposed) -> Any:
        """What the record tells as a whole as it is supposed to be."""
        events: Sequence[Any] = self.record.events
        spend(bounds.WORK_OF_AN_OPENING * len(events))
        if supposed.pointers:
            events = [pointing(event, supposed.pointers) for event in events]
        told = (one.event for one in supposed.told)
        supposed_to_be = [*events[: supposed.start], *told, *events[supposed.stop :]]
        return self._recorded(replace(self.record, events=supposed_to_be))

    def as_of(self, position: Any, recorded: Any) -> None:
        """Let a position go on in another telling of the record: what it knows of later lines is of that one."""
        if self.ruleset.retold is not None:
            self.ruleset.retold(position, recorded)

    def same(self, position: Any, other: Any, recorded: Any) -> bool:
        """Whether a position within another telling is that of the record as it stands."""
        self.as_of(position, self.recorded)
        try:
            return bool(position == other)
        finally:
            self.as_of(position, recorded)

    def step(
        self,
        event: Any,
        place: int | None,
        position: Any,
        bearable: Bearable,
        by_whom: bool = False,
        refused: Refused | None = None,
    ) -> Sight | None:
        """Judge one event and adopt it. `place`: where it stands in the record, for what is not known there. None, and not
        adopted, where it is accused of what is not `bearable`, or what a check sees is `refused`."""
        self._open_holes(place, position, after=False)
        at = self.at(event, position)
        sight = at.sight(bearable, by_whom, refused)
        if sight is None:
            return None
        spend(self.ruleset.weight(event, position) // 4)
        self.ruleset.adopt(event, at.resolved, position, self.replay.terms.hearing())
        self._open_holes(place, position, after=True)
        return sight

    def at(self, event: Any, position: Any) -> At:
        return At(self.replay, self._slots, event, position)

    def pass_over(self, place: int, position: Any, event: Any = None) -> None:
        """Adopt one event of the record, or what is supposed to stand in its place, without judging it."""
        self._open_holes(place, position, after=False)
        hearing = self.replay.terms.hearing()
        event = self.record.events[place] if event is None else event
        spend(self.ruleset.weight(event, position) // 2)
        self.ruleset.adopt(event, self.ruleset.resolve(event, position, hearing), position, hearing)
        self._open_holes(place, position, after=True)

    def _open_holes(self, place: int | None, position: Any, *, after: bool) -> None:
        for is_after, hole in self.replay.holes_at.get(place, ()) if place is not None else ():
            if is_after is after:
                position.holes.open(hole)
