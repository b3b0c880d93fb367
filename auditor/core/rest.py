"""The rest of a record, gone through once more beside positions in which something is put right.

What follows from a fault is seen by playing the record on from where it is put right, beside the record as it was
played: `causes` asks so which findings only follow, `following` what a fault changed to the end. Any number of such
companions go along in one pass, so that the record as it was played is replayed once for all of them. Each event that a
companion goes through is a step; their number is bounded (`bounds`), so that a record full of faults cannot take for
ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from auditor.core import bounds
from auditor.core.replay import Replay
from auditor.core.ruleset import Position
from auditor.core.rulings import Hearing
from auditor.core.work import spend


class Companion(Protocol):
    """Something that goes along with the rest of a record.

    start  the place in the record of the event after which it sets out
    """

    start: int

    def set_out(self, played: Any) -> bool:
        """Begin just after the event at `start`, with the position as it was played; False: there is nothing to follow."""

    def step(self, index: int, event: Any, played: Any) -> bool:
        """Go on with one event; `played` is the position before it as it was played. False: it is done."""

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
        going = [one for one in going if one.step(index, events[index], before)]
        try:
            carry_on(replay, index, before)
        except Exception:
            if replay.strict:
                raise
            return going + todo
        while todo and todo[0].start <= index:
            one = todo.pop(0)
            if one.set_out(before):
                going.append(one)
        if not going and not todo:
            return []
    for one in going:
        one.arrive(before)
    return []


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
