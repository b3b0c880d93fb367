"""What a line may have meant: small changes of a record, each of one line or two, with how far-fetched each is.

One value of a line is taken for another of its kind that stands nearby, a number for one that is one off, a flag for its
contrary, a player for the other; a line for one written twice, one that is missing, or one told a place too early or late.
What the values of a line are, its fields declare (`fields`). Nothing is judged here: `meant` does.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heapreplace
from typing import Any, NamedTuple

from auditor.core import bounds
from auditor.core.findings import Fault
from auditor.core.suppose_lines import Wholes
from auditor.core.suppose_missing import Missing
from auditor.core.suppose_values import LIKELIEST, UNLIKELY, Values
from auditor.core.supposed import IDS, Lines, Rank, Supposed

_TEXTS = frozenset({"text", "anything", "part", "faces", "pack", "rule"})
"""What no other value is sought for."""
_SIGNS = ".,;:()“”"
"""What may stand round a name in a sentence."""


class Supposing:
    """The changes of one record."""

    def __init__(self, lines: Lines, values: Values, missing: Missing) -> None:
        self.lines = lines
        self.values = values
        self.wholes = Wholes(lines)
        self.missing = missing

    def suspects(self, place: int, faults: Sequence[Fault], pinned: Iterable[int] = ()) -> dict[int, int]:
        """The lines to look at for faults of one event, each with how far-fetched that is: its own, and those that the faults
        belong to; the one before, the last that name what the faults are about, and the last that say where those stand
        whom it names; those that only name the same as it, the nearest first; the one after."""
        about = self._about_of(faults)
        mine = self.lines.named(place).union(about).difference(self.lines.players)
        first = max(0, place - bounds.LOOKED_BACK)
        sharing = [at for at in range(place - 2, first - 1, -1) if not mine.isdisjoint(self.lines.named(at))]
        of_it = self.lines.last_that_name(about, place - 1)[: bounds.MOST_SUSPECTS]
        placed = self.lines.last_that_place(self.lines.own(place), place)
        stands = self.lines.last_that_place(self.lines.ids(about), place)[:1]
        placed += [at for one in stands for at in self.lines.last_that_place(self.lines.own(one), one)]
        found = [*((at, 0) for at in (place, *pinned)), *((at, 1) for at in (place - 1, *of_it, *placed))]
        others = [at for at in sharing if at not in of_it][: bounds.MOST_SUSPECTS - len(of_it)]
        found += ((at, far) for far, at in enumerate((*others, place + 1), 2))
        far_off: dict[int, int] = {}
        for at, far in found:
            if 0 <= at < len(self.lines.events) and self.lines.was_played(at):
                far_off.setdefault(at, far)
        return far_off

    def _about_of(self, faults: Iterable[Fault]) -> set[str]:
        """What some faults are about, beside players."""
        return {name for fault in faults for name in fault.subject}.difference(self.lines.players)

    def likeliest(
        self, place: int, faults: Sequence[Fault], pinned: Collection[int] = ()
    ) -> Iterator[tuple[Rank, Supposed]]:
        """What may have been meant where some faults of one event are, the least far-fetched first: how far-fetched it is and
        how far away, and what. What the nearer line may have meant comes before what one farther away may have. `pinned`:
        the lines that the faults belong to, where they were seen later."""
        suspects = self.suspects(place, faults, pinned)
        about = self._about_of(faults).union(*(_names_in(fault.claimed) for fault in faults))
        about.update(word.strip(_SIGNS).removesuffix("'s") for fault in faults for word in fault.text.split())
        ways = [
            way
            for at, far in suspects.items()
            for way in self._about(at, far, faults if at == place or at in pinned else (), about)
        ]
        for line in (line for fault in faults for line in fault.lines_due()):
            told = self.missing.told_as(line, place)
            ways += [_Way(self.values.as_due(at, line), LIKELIEST, int(at < place - 1)) for at in told]
        ways += [
            _Way(told, least, suspects[at])
            for at in (place, place - 1)
            if at in suspects
            for least, told in self.missing.at(at, faults)
        ]
        ways += [_Way(told, least, 1) for least, told in self.missing.before(place, faults)]
        ways += [_Way(told, 0, 0, more) for more, told in self.missing.lacking(place, faults)]
        return _merged(ways)

    def _about(self, place: int, far: int, faults: Sequence[Fault], about: Container[Any]) -> Iterator[_Way]:
        """What may have been meant by one line, in several ways, each the likeliest first; `faults`: those of this line;
        `about`: what those are about that are looked into."""
        kind = self.lines.kinds[place]
        if kind is not None and kind not in self.lines.fixed:
            leaves = self.lines.leaves_of(place)
            of_it = {leaf.path[:2] for leaf in leaves if leaf.of in IDS and leaf.value in about}
            for leaf in leaves:
                if leaf.declared.role != "label" and leaf.of not in _TEXTS:
                    accused = leaf.of in IDS and leaf.value in about
                    beside = self.values.beside(place, leaf)
                    least = LIKELIEST if beside not in (None, leaf.value) else 0 if faults else 1
                    apart = UNLIKELY if beside == leaf.value and not self.values.is_otherwise(leaf, faults) else 0
                    if not faults and len(leaf.path) > 2 and leaf.path[:2] not in of_it:
                        apart += 2  # An entry of a list that is about something else.
                    yield _Way(self.values.changed(place, leaf, faults, accused), least, far, apart)
            if faults:
                yield _Way(self.values.once(place), 1, far)
        if kind is not None and kind not in self.lines.no_act:
            yield _Way(self.wholes.twice(place), 0, far)
            yield _Way(self.wholes.exchanged(place), 0, far)


class _Way(NamedTuple):
    """Tellings of one line, the likeliest first; how far-fetched the first is at least, by what is changed in it; and how far
    away the line is. What a nearer line may have meant comes first. `more`: how much more far-fetched they all are."""

    told: Iterator[Supposed]
    least: float
    far: int
    more: int = 0

    def rank(self, size: float) -> Rank:
        return size + 2 * self.far + self.more, self.far


def _merged(ways: Sequence[_Way]) -> Iterator[tuple[Rank, Supposed]]:
    """All tellings of some ways, the likeliest first; a way is begun when its turn has come: most never are."""
    waiting: list[tuple[Rank, int, Supposed | None]] = [(way.rank(way.least), n, None) for n, way in enumerate(ways)]
    heapify(waiting)
    while waiting:
        rank, n, one = waiting[0]
        if one is not None:
            yield rank, one
        one = next(ways[n].told, None)
        if one is None:
            heappop(waiting)
        else:
            heapreplace(waiting, (ways[n].rank(one.size), n, one))


def _names_in(value: Any) -> Iterator[str]:
    """The texts within a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (name for part in value.values() for name in _names_in(part))
    elif isinstance(value, (list, tuple)):
        yield from (name for part in value for name in _names_in(part))
