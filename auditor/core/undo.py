"""Undos: what play goes back to, and which events belong to the game as it was played in the end."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, NamedTuple

from auditor.core import bounds
from auditor.core.lanes import Lane, Lanes
from auditor.core.record import Record
from auditor.core.ruleset import Ruleset
from auditor.core.work import spend


class Stretch(NamedTuple):
    """Events played without an undo, from index `start` on; before them the stretch `after`, up to its index `last`."""

    start: int
    after: Stretch | None
    last: int


class Snapshot(NamedTuple):
    """What an undo goes back to: how things stood after the event at one place of the record."""

    place: int
    lanes: list[Lane]
    stretch: Stretch
    end: Any
    things: int


class Undos:
    """The way back. `end` is the event that ended the record, None while it goes on."""

    def __init__(self, ruleset: Ruleset, record: Record) -> None:
        self.targets = _undo_targets(ruleset, record)
        self.snapshots: dict[int, Snapshot] = {}
        self.end: Any = None
        self._events = len(record.events)
        self._stretch = Stretch(0, None, -1)
        self._kept = self._things = 0
        self._size = ruleset.size
        self._starts: list[int] = [0]
        self._stops: list[int] = [len(record.events)]

    def keep(self, seq: int, index: int, lanes: Lanes, *, still: bool = False) -> None:
        """Keep how things stand after an event, if an undo will go back to it. `still`: nothing is judged any more, so
        that the lanes stay as they are."""
        replaced = self.snapshots.pop(seq, None)
        if replaced is not None:
            self._let_go(replaced)
        if still:
            self.snapshots[seq] = Snapshot(index, [], self._stretch, self.end, 0)
            return
        things = sum(self._size(lane.position) for lane in lanes)
        if self._kept + len(lanes) <= bounds.MOST_SNAPSHOTS and self._things + things <= bounds.MOST_POSITIONS:
            spend(things)
            copies = lanes.copies()
            self.snapshots[seq] = Snapshot(index, copies, self._stretch, self.end, things)
            self._kept += len(copies)
            self._things += things

    def _let_go(self, snapshot: Snapshot) -> None:
        self._kept -= len(snapshot.lanes)
        self._things -= snapshot.things

    def go_back(self, index: int, to: int) -> Snapshot | None:
        """Go back to just after the event numbered `to`; None where the record cannot be followed there."""
        goes_back = self.snapshots.get(to)
        if goes_back is None:
            return None
        self.end = goes_back.end
        self._stretch = Stretch(index, goes_back.stretch, goes_back.place)
        self.targets[to] -= 1
        if not self.targets[to]:
            del self.targets[to], self.snapshots[to]
            self._let_go(goes_back)
        return goes_back

    @property
    def finished(self) -> bool:
        """Whether the game had come to its end, so that nothing can be due any more."""
        return getattr(self.end, "reason", None) == "finished"

    def was_played(self, index: int) -> bool:
        """Whether an event belongs to the game as it was played in the end: no undo took it back for good."""
        n = bisect_right(self._starts, index) - 1
        return n >= 0 and index < self._stops[n]

    def settle(self) -> None:
        """The parts of the record that were played in the end, as places to start and stop at."""
        stop = self._events
        stretch: Stretch | None = self._stretch
        parts: list[tuple[int, int]] = []
        while stretch is not None:
            parts.append((stretch.start, stop))
            stop = stretch.last + 1
            stretch = stretch.after
        parts.reverse()
        self._starts = [start for start, _ in parts]
        self._stops = [stop for _, stop in parts]


def _undo_targets(ruleset: Ruleset, record: Record) -> dict[int, int]:
    """Numbers of the events to which undos go back, with how many do."""
    wanted: dict[int, int] = {}
    undo = {kind for kind, name in ruleset.events.items() if name == "undo"}
    if undo.isdisjoint(map(type, record.events)):
        return wanted
    for event in record.events:
        if type(event) in undo and isinstance(event.to, int):
            wanted[event.to] = wanted.get(event.to, 0) + 1
    return wanted
