"""What one value of a line may have been: another of its kind that stands nearby, a number one off, a flag turned, the other
player, what the rules make of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from auditor.core import bounds
from auditor.core.fields import Leaf, Path, leaves, replaced, value_at, without
from auditor.core.findings import Fault
from auditor.core.record import player_of
from auditor.core.supposed import IDS, PLACES, Change, Lines, Supposed, Told

UNLIKELY = 4
"""How much more far-fetched it is that a value was a slip which the lines on both sides have as well; or that a word was meant
which no line of its type says there."""
STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""From a hex to those beside it."""
LIKELIEST = -1
"""How far-fetched it is that a line has by a slip what neither of the lines on both sides has, which say the same."""


class Values:
    """Other values of the lines of a record. `accused`: what the accusations at a place and soon after it are about."""

    def __init__(self, lines: Lines, accused: Callable[[int], Iterable[str]] = lambda place: ()) -> None:
        self.lines = lines
        self.accused = accused

    def changed(self, place: int, leaf: Leaf, faults: Sequence[Fault], accused: bool) -> Iterator[Supposed]:
        """A line with another value in place of one; `accused`: it is what an accusation is about."""
        event = self.lines.events[place]
        done = {repr(leaf.value)}
        for size, new in self._instead(place, leaf, faults, accused):
            name = repr(new)
            if not _of_one_kind(leaf.value, new) or name in done:
                continue
            done.add(name)
            so = replaced(event, leaf, new)
            if leaf.path == ("player",) and getattr(event, "by", None) is not None:
                so.by = new
            told = (Told(so, place),)
            yield Supposed("change", place, place + 1, told, event.seq, size, player_of(so), change=Change(leaf, new))

    def as_due(self, place: int, line: Any) -> Iterator[Supposed]:
        """A line with one value of a line of the same type that a rule misses: it is not missing then, but told otherwise."""
        event = self.lines.events[place]
        own = {leaf.path: leaf for leaf in self.lines.leaves_of(place) if leaf.declared.role == "fact"}
        for one in leaves(line):
            leaf = own.get(one.path)
            if leaf is not None and one.value != leaf.value and _of_one_kind(leaf.value, one.value):
                so = replaced(event, leaf, one.value)
                told, change = (Told(so, place),), Change(leaf, one.value)
                yield Supposed("change", place, place + 1, told, event.seq, LIKELIEST, player_of(so), change=change)

    def once(self, place: int) -> Iterator[Supposed]:
        """A line without a thing or a place that one of its lists names a second time."""
        event = self.lines.events[place]
        seen: list[tuple[Path, Any]] = []
        for leaf in self.lines.leaves_of(place):
            *path, last = leaf.path
            # A pair stays one: what it names twice is said of two things.
            if isinstance(last, int) and leaf.of in IDS | PLACES and isinstance(value_at(event, tuple(path)), list):
                one = tuple(path), leaf.value
                if one in seen:
                    so = without(event, leaf.path)
                    told = (Told(so, place),)
                    yield Supposed(
                        "change", place, place + 1, told, event.seq, 1, player_of(so), change=Change(leaf, None)
                    )
                seen.append(one)

    def is_otherwise(self, leaf: Leaf, faults: Sequence[Fault]) -> bool:
        """Whether the rules of some faults say what a value ought to be."""
        return any(due != leaf.value for due in _recomputed(leaf, faults))

    def beside(self, place: int, leaf: Leaf) -> Any:
        """What the lines on both sides say in the same field, if both say the same."""
        if len(leaf.path) > 1 or not 0 < place < len(self.lines.events) - 1:
            return None
        name = str(leaf.path[0])
        before, after = (getattr(self.lines.events[at], name, None) for at in (place - 1, place + 1))
        return before if before == after else None

    def _is_said_so(self, place: int, leaf: Leaf, value: Any) -> bool:
        """Whether another line of the same type says a word in the same field: a move is in no phase without moves."""
        kind, there = self.lines.kinds[place], self.lines.like(leaf)
        return any(self.lines.kinds[there.places[at]] == kind for at in there.by_value.get(repr(value), ()))

    def _instead(self, place: int, leaf: Leaf, faults: Sequence[Fault], accused: bool) -> Iterator[tuple[float, Any]]:
        """What a value may have been, with how far-fetched that is."""
        value, of = leaf.value, leaf.of
        beside = self.beside(place, leaf)
        if beside is not None:
            yield LIKELIEST, beside
        yield from ((0, due) for due in _recomputed(leaf, faults))
        if of == "player":
            yield from ((1, other) for other in self.lines.players)
        elif isinstance(value, bool):
            yield 1, not value
        elif isinstance(value, (int, float)):
            yield 1, value + 1
            yield 1, value - 1
            yield from self.lines.nearby(place, leaf, bounds.NEARBY, 2)
        elif of in PLACES:
            named = self.lines.like(leaf).by_value
            one_off = sorted(_one_off(value), key=lambda new: repr(new) not in named)  # Where others stand comes first.
            yield from ((1, new) for new in one_off)
            if faults and of == "hex":
                yield from ((1, hex_) for hex_ in _steps_on(self.lines.events[place], leaf))
            yield from self.lines.nearby(place, leaf, bounds.NEARBY, 2)
        else:
            named = self.lines.like(leaf).by_value
            yield from ((1, name) for name in self.accused(place) if repr(name) in named)
            known = self.lines.known.get(of, ())
            few = 0 < len(known) <= bounds.ALIKE
            apart = 1 / bounds.ALIKE if accused or few or of == "choice" else 1
            most = bounds.MOST_ACCUSED_VALUES if accused else bounds.MOST_VALUES
            near = list(self.lines.nearby(place, leaf, len(self.lines.events), 1, most, apart))
            if of == "choice":
                near = [(n + UNLIKELY * (not self._is_said_so(place, leaf, new)), new) for n, new in near]
                near.sort(key=itemgetter(0))
            yield from near
            if accused or few:  # Those that the record names nowhere come last.
                unnamed = enumerate(sorted(map(str, known))[:most], len(near))
                yield from ((1 + n * apart, name) for n, name in unnamed)


def _recomputed(leaf: Leaf, faults: Sequence[Fault]) -> Iterator[Any]:
    """What the rules of some faults say that a claim of their line ought to be."""
    name = next((part for part in reversed(leaf.path) if isinstance(part, str)), "")
    for fault in faults:
        if fault.claimed == leaf.value and isinstance(fault.recomputed, str):
            yield fault.recomputed
        if isinstance(fault.recomputed, Mapping):
            claimed = fault.claimed if isinstance(fault.claimed, Mapping) else {}
            for key, due in fault.recomputed.items():
                if key in (name, name.removeprefix("claimed_")) or (key in claimed and claimed[key] == leaf.value):
                    yield due
            yield from (due for said, due in _differing(claimed, fault.recomputed) if said == leaf.value)


def _one_off(value: Any) -> Iterator[Any]:
    """A place, or a side of two hexes, with one of its numbers one more or one less."""
    for n, part in enumerate(value):
        if isinstance(part, (list, tuple)):
            others = _one_off(part)
        else:
            others = iter((part + 1, part - 1) if isinstance(part, (int, float)) else ())
        yield from (type(value)([*value[:n], other, *value[n + 1 :]]) for other in others)


def _steps_on(event: Any, leaf: Leaf) -> Iterator[Any]:
    """The hexes one step from the one that stands before another in a list."""
    *path, n = leaf.path
    if isinstance(n, int) and n > 0:
        q, r = value_at(event, (*path, n - 1))
        yield from (type(leaf.value)((q + dq, r + dr)) for dq, dr in STEPS)


def _differing(claimed: Any, recomputed: Any) -> Iterator[tuple[Any, Any]]:
    """The single values of what is claimed that are others in what is recomputed, each with the other."""
    if isinstance(claimed, Mapping) and isinstance(recomputed, Mapping):
        for key in claimed:
            if key in recomputed:
                yield from _differing(claimed[key], recomputed[key])
    elif isinstance(claimed, (list, tuple)) and isinstance(recomputed, (list, tuple)):
        for one, other in zip(claimed, recomputed, strict=False):
            yield from _differing(one, other)
    elif claimed != recomputed:
        yield claimed, recomputed


def _of_one_kind(old: Any, new: Any) -> bool:
    numbers = (int, float)
    if isinstance(old, bool) or isinstance(new, bool):
        return type(old) is type(new)
    return type(old) is type(new) or (isinstance(old, numbers) and isinstance(new, numbers))
