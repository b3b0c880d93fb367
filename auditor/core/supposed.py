"""Lines of a record supposed otherwise, and the lines of a record by what they name.

What the values of a line are, its fields declare (`fields`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from heapq import nsmallest
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from auditor.core import bounds
from auditor.core.fields import Declared, Leaf, declared, leaves
from auditor.core.work import spend

NO_ACT = frozenset({"undo", "judge", "remark", "end", "position"})
"""Events that are no act of play: none of them is taken to be missing, written twice or out of place."""
IDS = frozenset(
    {"unit", "model", "card", "printed card", "weapon", "wargear", "power", "ability", "attack", "pool", "cast"}
)
PLACES = frozenset({"hex", "point", "edge"})


Rank: TypeAlias = tuple[float, int]
"""How far-fetched a change is, and how far away; the least first."""


class Told(NamedTuple):
    """An event as it is supposed, and the place in the record of the line that it stands for; None for a missing one."""

    event: Any
    place: int | None


class Change(NamedTuple):
    """One value that is supposed to be another."""

    leaf: Leaf
    new: Any


@dataclass(frozen=True, slots=True)
class Supposed:
    """A record of which the lines from `start` to before `stop` are supposed to be `told`.

    how       change | twice | missing | exchanged
    seq       the number of the line that is supposed otherwise; `beside`: of the one that it repeats, or is exchanged with
    size      how far-fetched it is, 0 the likeliest
    player    whose line it is then
    pointers  numbers of events that other lines point at -> those that they point at then
    in_part   it is made by a rule, which cannot tell all that it said: what it does not state is held against nothing
    """

    how: str
    start: int
    stop: int
    told: tuple[Told, ...]
    seq: int
    size: float
    player: str | None
    beside: int | None = None
    change: Change | None = None
    pointers: Mapping[int, int] = field(default_factory=dict)
    in_part: bool = False


def pointing(event: Any, pointers: Mapping[int, int]) -> Any:
    """An event with the numbers of events that it points at replaced."""
    kind: type = type(event)
    for name in _pointers_of(kind):
        at = getattr(event, name)
        if type(at) is int and at in pointers:
            event = copy(event)
            setattr(event, name, pointers[at])
    return event


@cache
def _pointers_of(kind: type) -> tuple[str, ...]:
    """The fields in which events of a class point at others by their numbers."""
    return tuple(name for name, what in declared(kind).items() if what.of == "event" and name != "seq")


def ids_of(event: Any) -> list[Leaf]:
    """The values of an event that name units, models, cards and the like."""
    return [leaf for leaf in leaves(event) if leaf.of in IDS and isinstance(leaf.value, str)]


def numbered(event: Any, seq: int) -> Any:
    twin = copy(event)
    twin.seq = seq
    return twin


class Like:
    """The values of one kind in the order of the record, where each stands, and which of them are equal."""

    def __init__(self) -> None:
        self.places: list[int] = []
        self.values: list[Any] = []
        self.by_value: dict[str, list[int]] = {}

    def add(self, place: int, value: Any) -> None:
        self.by_value.setdefault(repr(value), []).append(len(self.values))
        self.places.append(place)
        self.values.append(value)


_NOTHING = Like()


class Lines:
    """The lines of a record, by what they name. `names`: event class -> its type; `was_played`: whether no undo took a place
    back; `known`: see `Record`. No value is sought in `fixed` ones, and those of `no_act` stand where they stand."""

    def __init__(
        self,
        events: Sequence[Any],
        names: Mapping[type, str],
        players: Sequence[str],
        was_played: Callable[[int], bool],
        ends: frozenset[str],
        known: Mapping[str, Collection[Any]] = {},
    ) -> None:
        self.events = events
        self.players = tuple(players)
        self.was_played = was_played
        self.known = known
        self.fixed = ends | {"undo", "judge", "remark"}
        self.no_act = ends | NO_ACT
        self.kinds = [names.get(type(event)) for event in events]
        self._leaves: dict[int, tuple[Leaf, ...]] = {}
        self._named: dict[int, frozenset[Any]] = {}
        self._values: dict[str, Like] = {}
        self._named_as: dict[str, frozenset[str]] = {}

    def leaves_of(self, place: int) -> tuple[Leaf, ...]:
        found = self._leaves.get(place)
        if found is None:
            found = self._leaves[place] = tuple(one for one in leaves(self.events[place]) if one.path != ("seq",))
        return found

    def named(self, place: int) -> frozenset[Any]:
        """The units, models, cards and the like that a line names."""
        found = self._named.get(place)
        if found is None:
            ids = (one.value for one in self.leaves_of(place) if one.of in IDS and isinstance(one.value, str))
            found = self._named[place] = frozenset(ids)
        return found

    def own(self, place: int) -> list[Leaf]:
        """What a line names itself, not in its parts: who acts, and at whom, and the hex or the point that comes last."""
        leaves = self.leaves_of(place)
        own = [leaf for leaf in leaves if len(leaf.path) == 1 and leaf.of in ("unit", "model", "card")]
        return [*own, *[leaf for leaf in leaves if leaf.of in PLACES][-1:]]

    def ids(self, names: Iterable[str]) -> list[Leaf]:
        """Names as values of each kind of which they are."""
        pairs = [(name, of) for name in sorted(names) for of in sorted(self.kinds_of(name))]
        return [Leaf((), name, Declared("fact", of, "")) for name, of in pairs]  # type: ignore[arg-type]

    def like(self, leaf: Leaf) -> Like:
        """All values of the kind of one: ids and places of the same kind of thing, numbers and words of the same field."""
        return self.all_values().get(_kind(leaf), _NOTHING)

    def all_values(self) -> dict[str, Like]:
        if not self._values:
            spend(bounds.WORK_OF_ITS_VALUES * len(self.events))
            for at in range(len(self.events)):
                for one in self.leaves_of(at):
                    self._values.setdefault(_kind(one), Like()).add(at, one.value)
        return self._values

    def nearby(
        self, place: int, leaf: Leaf, within: int, size: int, most: int = bounds.MOST_VALUES, apart: float = 1
    ) -> Iterator[tuple[float, Any]]:
        """Other values of the kind of one that stand in the record, the nearest first, those after a line before those
        before it; each once, and by how much `apart` it is more far-fetched than the one before."""
        there = self.like(leaf)
        first = bisect_left(there.places, place)
        near: list[tuple[int, bool, int]] = []
        spend(len(there.by_value))
        for found in there.by_value.values():
            at = bisect_left(found, first)
            # Where it stands next, and where it stood last.
            ahead = (there.places[found[at]] - place, False, found[at]) if at < len(found) else None
            back = (place - there.places[found[at - 1]], True, -found[at - 1]) if at else None
            nearest = ahead if back is None or (ahead is not None and ahead < back) else back
            if nearest is not None and nearest[0] <= within:
                near.append(nearest)
        for n, (_, _, at) in enumerate(nsmallest(most, near)):
            yield size + n * apart, there.values[abs(at)]

    def kinds_of(self, name: str) -> frozenset[str]:
        """Of what kinds of things a name is that of one, as it stands in the record or as its packs and rules have it."""
        found = self._named_as.get(name)
        if found is None:
            said = repr(name)
            kinds = {kind for kind, values in self.all_values().items() if kind in IDS and said in values.by_value}
            found = self._named_as[name] = IDS & kinds.union(of for of, known in self.known.items() if name in known)
        return found

    def last_that_name(self, names: Iterable[str], before: int) -> list[int]:
        """Those lines before a place that name one of some names and stand last; of each name a few."""
        found: set[int] = set()
        for name in names:
            for kind in self.kinds_of(name):
                there = self.all_values().get(kind, _NOTHING)
                places = [there.places[n] for n in there.by_value.get(repr(name), ())]
                last = bisect_left(places, before)
                found.update(places[max(0, last - bounds.MOST_OF_IT) : last])
        return sorted(found, reverse=True)

    def last_that_place(self, wanted: Iterable[Leaf], before: int) -> list[int]:
        """Those lines before a place that have one of some values, say where something stands, and come last."""
        found: set[int] = set()
        for leaf in wanted:
            there = self.like(leaf)
            places = [there.places[n] for n in there.by_value.get(repr(leaf.value), ())]
            last = bisect_left(places, before)
            back = (at for at in reversed(places[max(0, last - bounds.NEARBY) : last]) if self._says_where(at))
            found.update(islice(back, bounds.MOST_OF_IT))
        return sorted(found, reverse=True)[: 2 * bounds.MOST_OF_IT]

    def _says_where(self, place: int) -> bool:
        return any(leaf.of in PLACES for leaf in self.leaves_of(place))

    def first_that_points(self, place: int, pointers: Mapping[int, int]) -> int | None:
        """The first of the lines shortly before a place that point at some events by their numbers."""
        near = range(max(0, place - bounds.NEARBY), place)
        return next((at for at in near if pointing(self.events[at], pointers) is not self.events[at]), None)


def _kind(leaf: Leaf) -> str:
    if leaf.of in IDS or leaf.of in PLACES:
        return leaf.of
    return f"{leaf.of} {next((part for part in reversed(leaf.path) if isinstance(part, str)), '')}"
