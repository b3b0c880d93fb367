"""What a whole line may have been: one written twice, one exchanged with its neighbour."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from auditor.core.record import player_of
from auditor.core.supposed import Lines, Supposed, Told, numbered, pointing


class Wholes:
    """Lines of a record that stand there once too often, or in each other's place."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines

    def _pairs(self, place: int) -> Iterator[tuple[int, Any, Any]]:
        """A line with the one before and the one after it, where both are acts of play."""
        for first in (place - 1, place):
            if first < 0 or first + 1 >= len(self.lines.events):
                continue
            if not (self.lines.was_played(first) and self.lines.was_played(first + 1)):
                continue
            if {self.lines.kinds[first], self.lines.kinds[first + 1]}.isdisjoint({None, *self.lines.no_act}):
                yield first, self.lines.events[first], self.lines.events[first + 1]

    def twice(self, place: int) -> Iterator[Supposed]:
        for first, one, other in self._pairs(place):
            if _alike(one, other):
                for gone, kept in ((first + 1, one.seq), (first, other.seq)):
                    seq = self.lines.events[gone].seq
                    yield Supposed("twice", gone, gone + 1, (), seq, 0, player_of(one), kept, pointers={seq: kept})

    def exchanged(self, place: int) -> Iterator[Supposed]:
        for first, one, other in self._pairs(place):
            if _alike(one, other):
                continue
            pointers = {one.seq: other.seq, other.seq: one.seq}
            earlier, later = (pointing(event, pointers) for event in (other, one))
            told = (Told(numbered(earlier, one.seq), first + 1), Told(numbered(later, other.seq), first))
            mine, its = (one, other) if first == place else (other, one)
            yield Supposed(
                "exchanged", first, first + 2, told, mine.seq, 2, player_of(mine), its.seq, pointers=pointers
            )


def _alike(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(numbered(one, 0) == numbered(other, 0))
