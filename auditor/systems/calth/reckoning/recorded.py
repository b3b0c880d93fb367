"""What a record tells as a whole (`state.Recorded`), each worked out when it is asked for first: a record that is told
otherwise, to see what a line may have meant, is mostly asked for little of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from auditor.core.lazily import cached_property
from auditor.systems.calth import records
from auditor.systems.calth.packs import Setup
from auditor.systems.calth.reckoning.ahead import actions_recorded, moves_in_lines
from auditor.systems.calth.reckoning.late import after_gaps, told_late
from auditor.systems.calth.reckoning.set_up import set_up_of
from auditor.systems.calth.state import Late, MovesInLines, Recorded, SetUp


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
        return set_up_of(self.events, self._setup)

    @cached_property
    def late(self) -> Late:
        return told_late(self.events, after_gaps(self._lines))

    @cached_property
    def moves(self) -> MovesInLines:
        return moves_in_lines(self._lines)

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
