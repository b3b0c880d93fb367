"""The rest of a record, gone through once more beside positions in which something is put right.

What follows from a fault is seen by playing the record on from where it is put right, beside the record as it was
played: `causes` asks so which findings only follow, `following` what a fault changed to the end. Any number of such
companions go along in one pass, so that the record as it was played is replayed once for all of them. Each event that a
companion goes through is a step; their number is bounded (`bounds`), so that a record full of faults cannot take for
ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

from auditor.core import bounds
from auditor.core.findings import Fault
from auditor.core.replay import Replay
from auditor.core.ruleset import Position
from auditor.core.rulings import Hearing
from auditor.core.scopes import FaultKey, faults_of
from auditor.core.work import spend

MOST_COMPARED = 8
"""Companions that set out from the same event before one, with whose positions its own is compared, to go along in one."""


class Beside:
    """One event of the rest at a position in which something is put right, for all companions that stand in it.

    played  the position before the event as it was played
    """

    def __init__(self, replay: Replay, index: int, position: Position, played: Position) -> None:
        self.replay = replay
        self.index = index
        self.event = replay.record.events[index]
        self.position = position
        self.played = played

    @cached_property
    def is_as_played(self) -> bool:
        return bool(self.position == self.played)

    @cached_property
    def looked(self) -> Position:
        """The position as the event is judged: what the record leaves open there is open."""
        if self.index not in self.replay.holes_at:
            return self.position
        looked: Position = self.position.copy()
        open_holes(self.replay, self.index, looked, after=False)
        return looked

    @cached_property
    def found(self) -> Mapping[FaultKey, Fault]:
        """What is wrong with the event there."""
        replay, looked = self.replay, self.looked
        spend(replay.ruleset.weight(self.event, looked) + replay.ruleset.size(looked))
        hearing = Hearing(replay.rulings.selected, replay.rulings.settings)
        resolved = replay.ruleset.resolve(self.event, looked, hearing)
        return faults_of(replay.looks.elsewhere(self.event, resolved, looked, hearing))


class Companion(Protocol):
    """Something that goes along with the rest of a record.

    start     the place in the record of the event after which it sets out
    position  where it stands once it has set out; several may stand in one
    """

    start: int
    position: Any

    def set_out(self, played: Any) -> bool:
        """Begin just after the event at `start`, with the position as it was played; False: there is nothing to follow."""

    def step(self, at: Beside) -> bool:
        """Look at one event. False: it is done. It goes on to another `position` by itself, or is taken along."""

    def went(self, event: Any) -> None:
        """It was taken along: its position is that after an event."""

    def stop(self, error: Exception) -> None:
        """It could not be taken along."""

    def arrive(self, played: Any) -> None:
        """The record is over; `played` is the position at its end."""


def steps_for(events: int) -> int:
    """The steps that the companions of a record of so many events may take."""
    return max(bounds.LEAST_STEPS, min(bounds.STEPS_PER_EVENT * events, bounds.MOST_STEPS))


def go_along(replay: Replay, companions: Sequence[Companion], before: Any, steps: int) -> list[Companion]:
    """Let companions go along to the end of the record, under the rulings in force; gives back those that were not done
    when the steps were spent.

    `before`: the position before the event at the earliest start; it is changed.
    """
    todo = sorted(companions, key=lambda one: one.start)
    going: list[Companion] = []
    if not todo:
        return []
    events = replay.record.events
    for index in range(todo[0].start, len(events)):
        if not replay.was_played(index):
            continue
        if len(going) > steps:
            return going + todo
        steps -= len(going)
        going = _step(replay, index, going, before)
        try:
            carry_on(replay, index, before)
        except Exception:
            if replay.strict:
                raise
            return going + todo
        while todo and todo[0].start <= index:
            one = todo.pop(0)
            if one.set_out(before):
                with_it = (other.position for other in going[-MOST_COMPARED:] if other.start == one.start)
                one.position = next((there for there in with_it if there == one.position), one.position)
                going.append(one)
        if not going and not todo:
            return []
    for one in going:
        one.arrive(before)
    return []


def _step(replay: Replay, index: int, going: Sequence[Companion], played: Position) -> list[Companion]:
    """Let companions look at an event and go on to the next; those that stand in one position are taken along together."""
    here = {id(one.position): Beside(replay, index, one.position, played) for one in going}
    with_it: dict[int, list[Companion]] = {}
    still: list[Companion] = []
    for one in going:
        at = here[id(one.position)]
        if one.step(at):
            still.append(one)
            if one.position is at.position:
                with_it.setdefault(id(at.position), []).append(one)
    for name, together in with_it.items():
        try:
            carry_on(replay, index, here[name].position)
            for one in together:
                one.went(here[name].event)
        except Exception as error:
            if replay.strict:
                raise
            for one in together:
                one.stop(error)
                still.remove(one)
    return still


def carry_on(replay: Replay, index: int, position: Position) -> None:
    """Go on from a position with one event as the log has it, under the rulings in force."""
    event = replay.record.events[index]
    open_holes(replay, index, position, after=False)
    if is_adopted(replay, event):
        # Resolved and adopted, and compared with the record as it was played.
        spend(replay.ruleset.weight(event, position) // 2)
        hearing = Hearing(replay.rulings.selected, replay.rulings.settings)
        replay.ruleset.adopt(event, replay.ruleset.resolve(event, position, hearing), position, hearing)
    open_holes(replay, index, position, after=True)


def is_adopted(replay: Replay, event: Any) -> bool:
    """Whether an event changes positions: a remark, an undo and an event of an unknown type do not."""
    return replay.ruleset.events.get(type(event)) not in (None, "remark", "undo")


def open_holes(replay: Replay, index: int, position: Position, *, after: bool) -> None:
    """What the record does not say stays unknown in a corrected game as well."""
    for is_after, hole in replay.holes_at.get(index, ()):
        if is_after is after:
            position.holes.open(hole)
