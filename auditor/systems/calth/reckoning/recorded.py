"""What a record tells as a whole (`state.Recorded`), each worked out when it is asked for first: a record that is told
otherwise, to see what a line may have meant, is mostly asked for little of it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from auditor.core.lazily import cached_property
from auditor.systems.calth import records
from auditor.systems.calth.packs import Setup
from auditor.systems.calth.reckoning.ahead import MAY_GO_ON, NUMBER, actions_recorded, assaults_made, moves_in_lines
from auditor.systems.calth.reckoning.late import after_gaps, told_late
from auditor.systems.calth.reckoning.set_up import set_up_of
from auditor.systems.calth.state import Assault, Late, MovesInLines, Recorded, SetUp


class InRecord(Recorded):
    """What the lines of one record tell as a whole."""

    def __init__(self, lines: Sequence[Any], setup: Setup) -> None:
        self._lines = lines
        self._setup = setup

    @cached_property
    def events(self) -> Sequence[Any]:
        return played(self._lines)

    @cached_property
    def set_up(self) -> SetUp:
        return set_up_of(self.events, self._setup, after_gaps(self._lines))

    @cached_property
    def late(self) -> Late:
        return told_late(self.events, after_gaps(self._lines))

    @cached_property
    def moves(self) -> MovesInLines:
        return moves_in_lines(self._lines)

    def goes_on(self, number: int) -> bool:
        at = bisect_left(self._lines, number, key=NUMBER)
        alike = self._lines[at : bisect_right(self._lines, number, key=NUMBER)]
        # Most moves follow a line of another kind, with which none goes on: the record need not be gone through then.
        before = (*self._lines[max(0, at - 1) : at], *alike[:-1])
        return (not alike or not MAY_GO_ON.isdisjoint(map(type, before))) and number in self.moves.going_on

    @cached_property
    def assaults(self) -> Sequence[Assault]:
        return assaults_made(self.events)

    @cached_property
    def actions(self) -> Mapping[int, frozenset[str]]:
        return actions_recorded(self.events)


def played(events: Sequence[Any]) -> Sequence[Any]:
    """The events without those that an undo takes back for good."""
    if records.Undo not in set(map(type, events)):
        return events
    line: list[Any] = []
    numbers: set[int] = {0}
    for event in events:
        if type(event) is not records.Undo:
            line.append(event)
            numbers.add(event.seq)
        elif event.to in numbers:
            while line and line[-1].seq != event.to:
                numbers.discard(line.pop().seq)
    return line
