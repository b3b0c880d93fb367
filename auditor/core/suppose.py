"""What a line may have meant: small changes of a record, each of one line or two, with how far-fetched each is.

One value of a line is taken for another of its kind that stands nearby, a number for one that is one off, a flag for its
contrary, a player for the other; a line for one written twice, one that is missing, or one told a place too early or late.
What the values of a line are, its fields declare (`fields`). Nothing is judged here: `meant` does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from heapq import heapify, heappop, heapreplace, nsmallest
from itertools import islice, permutations
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from auditor.core import bounds
from auditor.core.fields import Leaf, declared, leaves, of_one_type, replaced
from auditor.core.findings import Fault
from auditor.core.work import spend

NO_ACT = frozenset({"undo", "judge", "remark", "end", "position"})
"""Events that are no act of play: none of them is taken to be missing, written twice or out of place."""
_IDS = frozenset(
    {"unit", "model", "card", "printed card", "weapon", "wargear", "power", "ability", "attack", "pool", "cast"}
)
_UNLIKELY = 4
"""How much more far-fetched it is that a value was a slip which the lines on both sides have as well; or that a word was meant
which no line of its type says there."""
_PLACES = frozenset({"hex", "point"})
_TEXTS = frozenset({"text", "anything", "part", "faces", "pack", "rule"})
"""What no other value is sought for."""
_SIGNS = ".,;:()“”"
"""What may stand round a name in a sentence."""


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


def player_of(event: Any) -> str | None:
    return getattr(event, "player", None) or getattr(event, "by", None)


def pointing(event: Any, pointers: Mapping[int, int]) -> Any:
    """An event with the numbers of events that it points at replaced."""
    for name, what in declared(type(event)).items():
        if what.of == "event" and name != "seq":
            at = getattr(event, name)
            if type(at) is int and at in pointers:
                event = copy(event)
                setattr(event, name, pointers[at])
    return event


class _Like:
    """The values of one kind in the order of the record, where each stands, and which of them are equal."""

    def __init__(self) -> None:
        self.places: list[int] = []
        self.values: list[Any] = []
        self.by_value: dict[str, list[int]] = {}

    def add(self, place: int, value: Any) -> None:
        self.by_value.setdefault(repr(value), []).append(len(self.values))
        self.places.append(place)
        self.values.append(value)


_NOTHING = _Like()


class Supposing:
    """The changes of one record. `names`: event class -> its type; `was_played`: whether no undo took a place back;
    `accused`: what the accusations at a place and soon after it are about; `known`: see `Record`."""

    def __init__(
        self,
        events: Sequence[Any],
        names: Mapping[type, str],
        players: Sequence[str],
        was_played: Callable[[int], bool],
        ends: frozenset[str],
        accused: Callable[[int], Iterable[str]] = lambda place: (),
        known: Mapping[str, Collection[Any]] = {},
    ) -> None:
        self.events = events
        self.players = tuple(players)
        self.was_played = was_played
        self.accused = accused
        self.known = known
        self._fixed = ends | {"undo", "judge", "remark"}
        self._no_act = ends | NO_ACT
        self._kinds = [names.get(type(event)) for event in events]
        self._leaves: dict[int, tuple[Leaf, ...]] = {}
        self._values: dict[str, _Like] = {}
        self._named_as: dict[str, frozenset[str]] = {}
        self._places: dict[str | None, list[int]] = {}

    def leaves_of(self, place: int) -> tuple[Leaf, ...]:
        found = self._leaves.get(place)
        if found is None:
            found = self._leaves[place] = tuple(one for one in leaves(self.events[place]) if one.path != ("seq",))
        return found

    def suspects(self, place: int, faults: Sequence[Fault], pinned: Iterable[int] = ()) -> dict[int, int]:
        """The lines to look at for faults of one event, each with how far-fetched that is: its own, and those that the faults
        belong to; the one before, and the last that name what the faults are about; those that only name the same as it,
        the nearest first; the one after."""
        about = self._about_of(faults)
        mine = self.named(place).union(about).difference(self.players)
        first = max(0, place - bounds.LOOKED_BACK)
        sharing = [at for at in range(place - 2, first - 1, -1) if not mine.isdisjoint(self.named(at))]
        of_it = [at for at in sharing if not about.isdisjoint(self.named(at))][: bounds.MOST_OF_IT]
        found = [*((at, 0) for at in (place, *pinned)), *((at, 1) for at in (place - 1, *of_it))]
        others = [at for at in sharing if at not in of_it][: bounds.MOST_SUSPECTS - len(of_it)]
        found += ((at, far) for far, at in enumerate((*others, place + 1), 2))
        far_off: dict[int, int] = {}
        for at, far in found:
            if 0 <= at < len(self.events) and self.was_played(at):
                far_off.setdefault(at, far)
        return far_off

    def _about_of(self, faults: Iterable[Fault]) -> set[str]:
        """What some faults are about, beside players."""
        return {name for fault in faults for name in fault.subject}.difference(self.players)

    def named(self, place: int) -> set[Any]:
        """The units, models, cards and the like that a line names."""
        return {leaf.value for leaf in self.leaves_of(place) if leaf.of in _IDS and isinstance(leaf.value, str)}

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
        ways += [
            _Way(told, least, suspects[at])
            for at in (place, place - 1)
            if at in suspects
            for least, told in self._missing(at, faults)
        ]
        return _merged(ways)

    def _about(self, place: int, far: int, faults: Sequence[Fault], about: Container[Any]) -> Iterator[_Way]:
        """What may have been meant by one line, in several ways, each the likeliest first; `faults`: those of this line;
        `about`: what those are about that are looked into."""
        kind = self._kinds[place]
        if kind is not None and kind not in self._fixed:
            for leaf in self.leaves_of(place):
                if leaf.declared.role != "label" and leaf.of not in _TEXTS:
                    accused = leaf.of in _IDS and leaf.value in about
                    apart = _UNLIKELY * self._is_as_beside(place, leaf)
                    yield _Way(self._changed(place, leaf, faults, accused), 0 if faults else 1, far, apart)
        if kind is not None and kind not in self._no_act:
            yield _Way(self._twice(place), 0, far)
            yield _Way(self._exchanged(place), 0, far)

    # -- one value ----------------------------------------------------------------------------------------------------

    def _is_as_beside(self, place: int, leaf: Leaf) -> bool:
        """Whether the lines on both sides say the same in the same field."""
        if len(leaf.path) > 1 or not 0 < place < len(self.events) - 1:
            return False
        name = str(leaf.path[0])
        return all(getattr(self.events[at], name, None) == leaf.value for at in (place - 1, place + 1))

    def _is_said_so(self, place: int, leaf: Leaf, value: Any) -> bool:
        """Whether another line of the same type says a word in the same field: a move is in no phase without moves."""
        kind, there = self._kinds[place], self._like(leaf)
        return any(self._kinds[there.places[at]] == kind for at in there.by_value.get(repr(value), ()))

    def _changed(self, place: int, leaf: Leaf, faults: Sequence[Fault], accused: bool) -> Iterator[Supposed]:
        """A line with another value in place of one; `accused`: it is what an accusation is about."""
        event = self.events[place]
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

    def _instead(self, place: int, leaf: Leaf, faults: Sequence[Fault], accused: bool) -> Iterator[tuple[float, Any]]:
        """What a value may have been, with how far-fetched that is."""
        value, of = leaf.value, leaf.of
        yield from ((0, due) for due in _recomputed(leaf, faults))
        if of == "player":
            yield from ((1, other) for other in self.players)
        elif isinstance(value, bool):
            yield 1, not value
        elif isinstance(value, (int, float)):
            yield 1, value + 1
            yield 1, value - 1
            yield from self._nearby(place, leaf, bounds.NEARBY, 2)
        elif of in _PLACES:
            for n, part in enumerate(value):
                if isinstance(part, (int, float)):
                    for off in (1, -1):
                        parts = [*value[:n], part + off, *value[n + 1 :]]
                        yield 1, tuple(parts) if isinstance(value, tuple) else parts
            yield from self._nearby(place, leaf, bounds.NEARBY, 2)
        else:
            named = self._like(leaf).by_value
            yield from ((1, name) for name in self.accused(place) if repr(name) in named)
            known = self.known.get(of, ())
            few = 0 < len(known) <= bounds.ALIKE
            apart = 1 / bounds.ALIKE if accused or few or of == "choice" else 1
            most = bounds.MOST_ACCUSED_VALUES if accused else bounds.MOST_VALUES
            near = list(self._nearby(place, leaf, len(self.events), 1, most, apart))
            if of == "choice":
                near = [(n + _UNLIKELY * (not self._is_said_so(place, leaf, new)), new) for n, new in near]
                near.sort(key=itemgetter(0))
            yield from near
            if accused or few:  # Those that the record names nowhere come last.
                unnamed = enumerate(sorted(map(str, known))[:most], len(near))
                yield from ((1 + n * apart, name) for n, name in unnamed)

    def _nearby(
        self, place: int, leaf: Leaf, within: int, size: int, most: int = bounds.MOST_VALUES, apart: float = 1
    ) -> Iterator[tuple[float, Any]]:
        """Other values of the kind of one that stand in the record, the nearest first, those after a line before those
        before it; each once, and by how much `apart` it is more far-fetched than the one before."""
        there = self._like(leaf)
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

    def _like(self, leaf: Leaf) -> _Like:
        """All values of the kind of one: ids and places of the same kind of thing, numbers and words of the same field."""
        return self._all_values().get(_kind(leaf), _NOTHING)

    def _all_values(self) -> dict[str, _Like]:
        if not self._values:
            spend(bounds.WORK_OF_ITS_VALUES * len(self.events))
            for at in range(len(self.events)):
                for one in self.leaves_of(at):
                    self._values.setdefault(_kind(one), _Like()).add(at, one.value)
        return self._values

    # -- whole lines --------------------------------------------------------------------------------------------------

    def _pairs(self, place: int) -> Iterator[tuple[int, Any, Any]]:
        """A line with the one before and the one after it, where both are acts of play."""
        for first in (place - 1, place):
            if first < 0 or first + 1 >= len(self.events):
                continue
            if not (self.was_played(first) and self.was_played(first + 1)):
                continue
            if {self._kinds[first], self._kinds[first + 1]}.isdisjoint({None, *self._no_act}):
                yield first, self.events[first], self.events[first + 1]

    def first_that_points(self, place: int, pointers: Mapping[int, int]) -> int | None:
        """The first of the lines shortly before a place that point at some events by their numbers."""
        near = range(max(0, place - bounds.NEARBY), place)
        return next((at for at in near if pointing(self.events[at], pointers) is not self.events[at]), None)

    def _twice(self, place: int) -> Iterator[Supposed]:
        for first, one, other in self._pairs(place):
            if _alike(one, other):
                for gone, kept in ((first + 1, one.seq), (first, other.seq)):
                    seq = self.events[gone].seq
                    yield Supposed("twice", gone, gone + 1, (), seq, 0, player_of(one), kept, pointers={seq: kept})

    def _exchanged(self, place: int) -> Iterator[Supposed]:
        for first, one, other in self._pairs(place):
            if _alike(one, other):
                continue
            pointers = {one.seq: other.seq, other.seq: one.seq}
            earlier, later = (pointing(event, pointers) for event in (other, one))
            told = (Told(_numbered(earlier, one.seq), first + 1), Told(_numbered(later, other.seq), first))
            mine, its = (one, other) if first == place else (other, one)
            yield Supposed(
                "exchanged", first, first + 2, told, mine.seq, 2, player_of(mine), its.seq, pointers=pointers
            )

    def _missing(self, place: int, faults: Sequence[Fault]) -> Iterator[tuple[int, Iterator[Supposed]]]:
        """A line like one that stands nearby, without what it claims: of what the faults are about; as that one is, or as the
        other player's; with what the lines beside it say; of what is named there; and where something is left out, of
        another thing that is named nearby. Each with how far-fetched it is at least."""
        about = list(dict.fromkeys(one for fault in faults for one in fault.subject if self._kinds_of(one)))
        omitted = any(fault.kind == "omitted" for fault in faults)
        size = 1 if omitted else 3
        yield 0, self._due(place, faults)
        like = partial(self._like_others, place)
        if about:
            yield size, like(size, lambda one: self._about_others(one, about))
        yield size + 1, like(size + 1, lambda one: [one])
        beside = [self.events[at] for at in (place, place - 1) if at >= 0]
        kinds = self._of_each_kind(place)
        yield size + 1, like(size + 1, lambda one: (new for by in beside for new in _filled(one, by)), kinds)
        if about:
            near = [name for at in self._last_of(place, about) for name in sorted(self.named(at))]
            names = list(dict.fromkeys((*about, *near)))[: bounds.MOST_TAKEN]
            yield size + 1, like(size + 1, lambda one: self._renamed(one, names), kinds)
        if omitted:
            yield size + 2, like(size + 2, lambda one: self._of_what_is_near(one, place))

    def _due(self, place: int, faults: Sequence[Fault]) -> Iterator[Supposed]:
        """The lines that rules say are missing; where they do not say which card or which place, with one that later lines
        name first."""
        seq = self.events[place].seq
        for fault in faults:
            if fault.due is not None:
                for n, event in enumerate(self._told_in_full(_numbered(fault.due(), seq), place)):
                    told = (Told(event, None),)
                    yield Supposed("missing", place, place, told, seq, n // bounds.ALIKE, player_of(event))

    def _told_in_full(self, event: Any, place: int) -> Iterator[Any]:
        """A line with what it has to state and does not."""
        for name, what in declared(type(event)).items():
            if what.needed is True and getattr(event, name) is None:
                for value in self._named_first_after(place, Leaf((name,), None, what)):
                    yield from self._told_in_full(replaced(event, Leaf((name,), None, what), value), place)
                return
        yield event

    def _named_first_after(self, place: int, leaf: Leaf) -> list[Any]:
        """Values of the kind of one: those first that later lines name first, then those that no line names, then those that
        earlier lines name."""
        there = self._like(leaf)
        firsts = sorted(found[0] for found in there.by_value.values())
        later = [there.values[at] for at in firsts if there.places[at] >= place]
        unnamed = [name for name in sorted(map(str, self.known.get(leaf.of, ()))) if repr(name) not in there.by_value]
        earlier = [there.values[at] for at in firsts if there.places[at] < place]
        return [*later, *unnamed, *earlier][: bounds.MOST_ACCUSED_VALUES]

    def _last_of(self, place: int, about: Iterable[str]) -> list[int]:
        """The line before a place that last names something of some names, if it stands not far back."""
        wanted = set(about)
        back = range(place - 1, max(-1, place - 1 - bounds.LOOKED_BACK), -1)
        return [at for at in back if not wanted.isdisjoint(self.named(at))][:1]

    def _of_each_kind(self, place: int) -> list[int]:
        """Of each kind of act the lines that stand nearest to a place, one before it and one after it."""
        if not self._places:
            for at, kind in enumerate(self._kinds):
                self._places.setdefault(kind, []).append(at)
        found: list[int] = []
        for places in self._places.values():
            first = bisect_left(places, place)
            found += places[max(0, first - 1) : first + 1]
        return sorted(found, key=lambda at: (abs(at - place), at > place))

    def _like_others(
        self, place: int, size: int, others: Callable[[Any], Iterable[Any]], models: Sequence[int] | None = None
    ) -> Iterator[Supposed]:
        """What may be made of lines that stand nearby, or of some others, to be the one that is missing."""
        seq = self.events[place].seq
        done: set[str] = set()
        near = islice(_around(place, len(self.events)), bounds.LOOKED_FOR_LIKE)
        for at in near if models is None else models:
            if self._kinds[at] is None or self._kinds[at] in self._no_act:
                continue
            bare = _numbered(_facts_alone(self.events[at]), seq)
            for one in (bare, *self._of_the_other(bare)):
                for event in others(one):
                    name = repr(event)
                    if name not in done:
                        farther = len(done) // bounds.ALIKE
                        done.add(name)
                        told = (Told(event, None),)
                        yield Supposed("missing", place, place, told, seq, size + farther, player_of(event))

    def _about_others(self, event: Any, about: Sequence[str]) -> Iterator[Any]:
        for leaf in ids_of(event):
            yield from (
                replaced(event, leaf, name) for name in about if name != leaf.value and leaf.of in self._kinds_of(name)
            )

    def _kinds_of(self, name: str) -> frozenset[str]:
        """Of what kinds of things a name is that of one, as it stands in the record or as its packs and rules have it."""
        found = self._named_as.get(name)
        if found is None:
            said = repr(name)
            kinds = {kind for kind, values in self._all_values().items() if kind in _IDS and said in values.by_value}
            found = self._named_as[name] = _IDS & kinds.union(of for of, known in self.known.items() if name in known)
        return found

    def _renamed(self, event: Any, names: Sequence[str]) -> Iterator[Any]:
        """A line that names one or two things, of others, wherever it names them."""
        ids = ids_of(event)
        old = list(dict.fromkeys(leaf.value for leaf in ids))
        if not 1 <= len(old) <= 2:
            return
        for new in permutations(names, len(old)):
            to = dict(zip(old, new, strict=True))
            if all(leaf.of in self._kinds_of(to[leaf.value]) for leaf in ids):
                twin = event
                for leaf in ids:
                    twin = replaced(twin, leaf, to[leaf.value])
                yield twin

    def _of_what_is_near(self, event: Any, place: int) -> Iterator[Any]:
        for leaf in ids_of(event)[:1]:
            yield from (replaced(event, leaf, name) for _, name in self._nearby(place, leaf, bounds.NEARBY, 0))

    def _of_the_other(self, event: Any) -> Iterator[Any]:
        """A line as the other player's, where it names a player."""
        if len(self.players) != 2:
            return
        other = dict(zip(self.players, reversed(self.players), strict=True))
        twin = event
        for leaf in leaves(event):
            if leaf.of == "player" and leaf.value in other and not leaf.key:
                twin = replaced(twin, leaf, other[leaf.value])
        if twin is not event:
            yield twin


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


def _around(place: int, count: int) -> Iterator[int]:
    """The places of so many lines, the nearest to one first; of two that are as near the one before it."""
    yield place
    for far in range(1, count):
        yield from (at for at in (place - far, place + far) if 0 <= at < count)


def _recomputed(leaf: Leaf, faults: Sequence[Fault]) -> Iterator[Any]:
    """What the rules of some faults say that a claim of their line ought to be."""
    name = next((part for part in reversed(leaf.path) if isinstance(part, str)), "")
    for fault in faults:
        if isinstance(fault.recomputed, Mapping):
            claimed = fault.claimed if isinstance(fault.claimed, Mapping) else {}
            for key, due in fault.recomputed.items():
                if key in (name, name.removeprefix("claimed_")) or (key in claimed and claimed[key] == leaf.value):
                    yield due
            yield from (due for said, due in _differing(claimed, fault.recomputed) if said == leaf.value)


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


def _names_in(value: Any) -> Iterator[str]:
    """The texts within a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (name for part in value.values() for name in _names_in(part))
    elif isinstance(value, (list, tuple)):
        yield from (name for part in value for name in _names_in(part))


def _facts_alone(event: Any) -> Any:
    """An event without what it claims: nobody can say what a line that was never written claimed."""
    twin = copy(event)
    for name, what in declared(type(event)).items():
        if what.role != "fact" and what.needed is not True and getattr(event, name) is not None:
            setattr(twin, name, None)
    return twin


def ids_of(event: Any) -> list[Leaf]:
    """The values of an event that name units, models, cards and the like."""
    return [leaf for leaf in leaves(event) if leaf.of in _IDS and isinstance(leaf.value, str)]


def _filled(event: Any, beside: Any) -> Iterator[Any]:
    """A line with what one beside it says in fields of the same name: with the rest as it is, or without what is not needed."""
    kind: type = type(event)
    other: type = type(beside)
    mine, its = declared(kind), declared(other)
    said = {
        name: getattr(beside, name)
        for name, what in mine.items()
        if what.role == "fact" and name != "seq" and name in its and what.of == its[name].of
        if of_one_type(kind, other, name)
    }
    said = {name: value for name, value in said.items() if value is not None}
    if said:
        twin = copy(event)
        for name, value in said.items():
            setattr(twin, name, value)
        yield twin
        bare = copy(twin)
        for name, what in mine.items():
            if name not in said and what.role == "fact" and what.needed is not True and name != "seq":
                setattr(bare, name, None)
        yield bare


def _kind(leaf: Leaf) -> str:
    if leaf.of in _IDS or leaf.of in _PLACES:
        return leaf.of
    return f"{leaf.of} {next((part for part in reversed(leaf.path) if isinstance(part, str)), '')}"


def _of_one_kind(old: Any, new: Any) -> bool:
    numbers = (int, float)
    if isinstance(old, bool) or isinstance(new, bool):
        return type(old) is type(new)
    return type(old) is type(new) or (isinstance(old, numbers) and isinstance(new, numbers))


def _numbered(event: Any, seq: int) -> Any:
    twin = copy(event)
    twin.seq = seq
    return twin


def _alike(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(_numbered(one, 0) == _numbered(other, 0))
