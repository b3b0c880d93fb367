"""What a line may have been that is missing: one that a rule says is due, or one like those that stand nearby."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from copy import copy
from functools import partial
from itertools import chain, islice, permutations
from operator import itemgetter
from typing import Any

from auditor.core import bounds
from auditor.core.fields import Leaf, declared, holds_a_list, leaves, of_one_type, replaced
from auditor.core.findings import Fault, Lack
from auditor.core.record import player_of
from auditor.core.supposed import IDS, PLACES, Lines, Supposed, Told, ids_of, numbered


class Missing:
    """Lines that a record may lack. `accused_after`: what accusations of lines after a place are about, each by itself;
    `may_lack`: the lines of which one may be missing before a place."""

    def __init__(
        self,
        lines: Lines,
        accused_after: Callable[[int], list[tuple[str, ...]]],
        may_lack: Callable[[Lack, int], Sequence[Any]],
    ) -> None:
        self.lines = lines
        self.accused_after = accused_after
        self.may_lack = may_lack
        self._places: dict[str | None, list[int]] = {}

    def at(self, place: int, faults: Sequence[Fault]) -> Iterator[tuple[int, Iterator[Supposed]]]:
        """A line like one that stands nearby, without what it claims: of what the faults are about; as that one is, or as the
        other player's; with what the lines beside it say; of what is named there; and where something is left out, of
        another thing that is named nearby. Each with how far-fetched it is at least."""
        omitted = any(fault.kind == "omitted" for fault in faults)
        whose = self._whose_turn(faults)
        size = 1 if omitted or whose is not None else 3
        about = self._about(place, faults)
        yield 0, self._due(place, faults)
        like = partial(self._like_others, place, whose=whose)
        if about:
            yield size, like(size, lambda one: self._about_others(one, about))
        yield size + 1, like(size + 1, lambda one: [one])
        beside = [self.lines.events[at] for at in (place, place - 1) if at >= 0]
        kinds = self._of_each_kind(place)
        yield size + 1, like(size + 1, lambda one: (new for by in beside for new in _filled(one, by)), kinds)
        if about:
            near = [name for at in self._last_of(place, about) for name in sorted(self.lines.named(at))]
            names = list(dict.fromkeys((*about, *near)))[: bounds.MOST_TAKEN]
            yield size + 1, like(size + 1, lambda one: self._renamed(one, names), kinds)
        if omitted:
            yield size + 2, like(size + 2, lambda one: self._of_what_is_near(one, place))

    def lacking(self, place: int, faults: Sequence[Fault]) -> Iterator[tuple[int, Iterator[Supposed]]]:
        """The lines of which rules say that one may be missing: where it may have stood first, where the accused line stands,
        and in between before a line that names something of it."""
        for lack in (fault.lacks for fault in faults if fault.lacks is not None):
            said = (place, *self._also(place, lack))
            for n, at in enumerate(self.lacked_at(place, lack)):
                names = self.lines.named(at) if n and at not in said else None
                yield 1 + (n > 0) + lack.far, self._lacking_at(at, lack, names)

    def beside(self, place: int, faults: Sequence[Fault]) -> set[int]:
        """The places that are looked at for some faults beside the lines that name what they are about."""
        lacked = {at for one in faults if one.lacks is not None for at in self.lacked_at(place, one.lacks)}
        return lacked.union(at for one in faults for line in one.lines_due() for at in self.told_as(line, place))

    def lacked_at(self, place: int, lack: Lack) -> list[int]:
        """The places before which a line may be missing where a rule says so, the first one first."""
        back = range(place, -1, -1)
        first = next((at for at in back if self.lines.events[at].seq == lack.seq), place)
        soon = range(first, min(first + bounds.NEAR_BEFORE, place))
        near = range(max(first, place - bounds.NEAR_BEFORE), place + 1)
        also = self._also(place, lack)
        return list(dict.fromkeys(at for at in (first, *also, *soon, *near) if self.lines.was_played(at)))

    def _also(self, place: int, lack: Lack) -> list[int]:
        """The places before one of what a rule says beside the first."""
        return [at for at in range(place) if self.lines.events[at].seq in lack.also] if lack.also else []

    def _lacking_at(self, at: int, lack: Lack, names: Collection[str] | None = None) -> Iterator[Supposed]:
        """Those whose names later lines have first come first; `names`: only lines that name one of these."""
        seq, far = self.lines.events[at].seq, bounds.LOOKED_BACK
        there: dict[Any, int] = {}
        for n, later in enumerate(range(at, min(at + far, len(self.lines.events)))):
            for name in self.lines.named(later):
                there.setdefault(name, n)
        found: list[tuple[float, Any]] = []
        told_of = self._with_what_it_needs if lack.whole else lambda one, at: [one]
        lines = (full for one in self.may_lack(lack, at) for full in told_of(one, at))
        for event in islice(lines, bounds.MOST_MADE):
            own = {leaf.value for leaf in ids_of(event) if leaf.of != "ability"}
            if names is None or not own.isdisjoint(names):
                found.append((sum(there.get(name, far) for name in own) / max(len(own), 1), event))
        found.sort(key=itemgetter(0))
        for n, (_, event) in enumerate(found[: bounds.MOST_LACKING]):
            told = (Told(numbered(event, seq), None),)
            yield Supposed("missing", at, at, told, seq, n // bounds.ALIKE, player_of(event), in_part=True)

    def _about(self, place: int, faults: Sequence[Fault]) -> list[str]:
        """What some faults are about, and then the accusations of later lines."""
        subjects = [one for fault in faults for one in fault.subject]
        later = [one for those in self.accused_after(place) for one in those]
        names = dict.fromkeys((*subjects, *later[: bounds.MOST_TAKEN_LATER]))
        return [one for one in names if one not in self.lines.players and self.lines.kinds_of(one)]

    def before(self, place: int, faults: Sequence[Fault]) -> Iterator[tuple[int, Iterator[Supposed]]]:
        """A line about what later accusations are about, missing before the first of the lines shortly before a place that
        names it: what that line tells may have come of it."""
        whose = self._whose_turn(faults)
        if whose is None:
            return
        before = range(max(0, place - bounds.NEAR_BEFORE), place)
        of_few = [at for at in before if len(self.lines.named(at)) <= bounds.MOST_NAMED]
        for name in self._about(place, faults):
            near = (at for at in of_few if name in self.lines.named(at))
            if (at := next(near, None)) is not None:
                like = partial(self._like_others, at, 2, models=self._of_each_kind(at), whose=whose)
                yield 2, like(partial(self._about_others, about=[name]))
                yield 2, like(partial(_filled, beside=self.lines.events[at], but=("player",)))
                yield 2, like(partial(self._renamed, names=sorted(self.lines.named(at))[: bounds.MOST_TAKEN]))

    def _whose_turn(self, faults: Sequence[Fault]) -> str | None:
        """Whose line may be missing where one player did what it was the turn of the other to do."""
        players = self.lines.players
        turns = [one for one in faults if {type(one.claimed), type(one.recomputed)} == {str}]
        swapped = (one for one in turns if one.claimed in players and one.recomputed in players)
        return next((str(one.recomputed) for one in swapped if one.claimed != one.recomputed), None)

    def _due(self, place: int, faults: Sequence[Fault]) -> Iterator[Supposed]:
        """The lines that rules say are missing; where they do not say which card or which place, with one that later lines
        name first. What no line of the record has, as dice of a kind of which it has no line, stays open."""
        seq = self.lines.events[place].seq
        for fault in faults:
            n = 0
            for due in fault.lines_due():
                one = numbered(due, seq)
                full = self._told_in_full(one, place)
                first = next(full, None)
                for event in [one] if first is None else chain([first], full):
                    told, whose, far = (Told(event, None),), player_of(event), n // bounds.ALIKE
                    yield Supposed("missing", place, place, told, seq, far, whose, in_part=first is None)
                    n += 1

    def _told_in_full(self, event: Any, place: int) -> Iterator[Any]:
        """A line with what it has to state and does not, and of whom it is."""
        for one in self._with_what_it_needs(event, place):
            yield from list(self._of_whom(one, place)) or [one]

    def _with_what_it_needs(self, event: Any, place: int) -> Iterator[Any]:
        """A line with what it has to state and does not."""
        kind: type = type(event)
        for name, what in declared(kind).items():
            if what.role == "fact" and what.needed is True and getattr(event, name) is None:
                leaf = Leaf((name,), None, what)
                a_list = holds_a_list(kind, name)
                for value in self._accused_lists(place, leaf) if a_list else self._named_first_after(place, leaf):
                    yield from self._with_what_it_needs(replaced(event, leaf, value), place)
                return
        yield event

    def _of_whom(self, event: Any, place: int) -> Iterator[Any]:
        """A line of a thing that later accusations are about, where it need not name one and does not."""
        kind: type = type(event)
        later = list(dict.fromkeys(one for those in self.accused_after(place) for one in those))
        later = [one for one in later if one not in self.lines.players][: bounds.MOST_OF_IT]
        for name, what in declared(kind).items():
            is_one = what.of in IDS and not holds_a_list(kind, name)
            if what.role == "fact" and is_one and getattr(event, name) is None:
                its = (one for one in later if what.of in self.lines.kinds_of(one))
                yield from (replaced(event, Leaf((name,), None, what), one) for one in its)

    def _accused_lists(self, place: int, leaf: Leaf) -> list[list[str]]:
        """Lists of what later accusations are about, of the kind of a value: of all that one is about, and of each alone."""
        of_its_kind = [
            [one for one in those if leaf.of in self.lines.kinds_of(one)] for those in self.accused_after(place)
        ]
        return [*filter(None, of_its_kind), *([one] for those in of_its_kind if len(those) > 1 for one in those)]

    def _named_first_after(self, place: int, leaf: Leaf) -> list[Any]:
        """Values of the kind of one: places as they are named nearby; of all else those first that later lines name first,
        then those that no line names, then those that earlier lines name."""
        there = self.lines.like(leaf)
        if leaf.of in PLACES:
            near = self.lines.nearby(place, leaf, len(self.lines.events), 0, bounds.MOST_ACCUSED_VALUES)
            return [value for _, value in near]
        firsts = sorted(found[0] for found in there.by_value.values())
        later = [there.values[at] for at in firsts if there.places[at] >= place]
        known = self.lines.known.get(leaf.of, ()) if leaf.of in IDS else ()
        unnamed = [name for name in sorted(map(str, known)) if repr(name) not in there.by_value]
        earlier = [there.values[at] for at in firsts if there.places[at] < place]
        return [*later, *unnamed, *earlier][: bounds.MOST_ACCUSED_VALUES]

    def told_as(self, line: Any, place: int) -> list[int]:
        """The last of the lines before a place that are of the same type and player as one that a rule misses."""
        whose = player_of(line)
        back = range(place - 1, max(-1, place - 1 - bounds.LOOKED_BACK), -1)
        events = self.lines.events
        alike = (at for at in back if type(events[at]) is type(line) and player_of(events[at]) == whose)
        return [at for at in islice(alike, bounds.MOST_TAKEN) if self.lines.was_played(at)]

    def _last_of(self, place: int, about: Iterable[str]) -> list[int]:
        """The line before a place that last names something of some names, if it stands not far back."""
        wanted = set(about)
        back = range(place - 1, max(-1, place - 1 - bounds.LOOKED_BACK), -1)
        return [at for at in back if not wanted.isdisjoint(self.lines.named(at))][:1]

    def _of_each_kind(self, place: int) -> list[int]:
        """Of each kind of act the lines that stand nearest to a place, one before it and one after it."""
        if not self._places:
            for at, kind in enumerate(self.lines.kinds):
                self._places.setdefault(kind, []).append(at)
        found: list[int] = []
        for places in self._places.values():
            first = bisect_left(places, place)
            found += places[max(0, first - 1) : first + 1]
        return sorted(found, key=lambda at: (abs(at - place), at > place))

    def _like_others(
        self,
        place: int,
        size: int,
        others: Callable[[Any], Iterable[Any]],
        models: Sequence[int] | None = None,
        whose: str | None = None,
    ) -> Iterator[Supposed]:
        """What may be made of lines that stand nearby, or of some others, to be the one that is missing; `whose`: of one
        player."""
        seq = self.lines.events[place].seq
        done: set[str] = set()
        near = islice(_around(place, len(self.lines.events)), bounds.LOOKED_FOR_LIKE)
        for at in near if models is None else models:
            if self.lines.kinds[at] is None or self.lines.kinds[at] in self.lines.no_act:
                continue
            bare = self._pointing_as(numbered(_facts_alone(self.lines.events[at]), seq), place)
            for one in (bare, *self._of_the_other(bare)):
                for event in others(one):
                    name = repr(event)
                    if name not in done and (whose is None or player_of(event) in (None, whose)):
                        farther = len(done) // bounds.ALIKE
                        done.add(name)
                        told = (Told(event, None),)
                        yield Supposed("missing", place, place, told, seq, size + farther, player_of(event))

    def _pointing_as(self, event: Any, place: int) -> Any:
        """A line that points at the event at which the line beside it points, in a field of the same name."""
        for name, what in declared(type(event)).items():
            if what.of == "event" and name != "seq" and getattr(event, name) is not None:
                beside = (getattr(self.lines.events[at], name, None) for at in (place - 1, place) if at >= 0)
                if (at := next((one for one in beside if one is not None), None)) is not None:
                    event = replaced(event, Leaf((name,), None, what), at)
        return event

    def _about_others(self, event: Any, about: Sequence[str]) -> Iterator[Any]:
        ids = ids_of(event)
        for leaf in ids if len(ids) <= bounds.MOST_NAMED else ():
            yield from (
                replaced(event, leaf, name)
                for name in about
                if name != leaf.value and leaf.of in self.lines.kinds_of(name)
            )

    def _renamed(self, event: Any, names: Sequence[str]) -> Iterator[Any]:
        """A line that names one or two things, of others, wherever it names them; abilities of cards are as they are."""
        ids = [leaf for leaf in ids_of(event) if leaf.of != "ability"]
        old = list(dict.fromkeys(leaf.value for leaf in ids))
        if not 1 <= len(old) <= 2:
            return
        for new in permutations(names, len(old)):
            to = dict(zip(old, new, strict=True))
            if all(leaf.of in self.lines.kinds_of(to[leaf.value]) for leaf in ids):
                twin = event
                for leaf in ids:
                    twin = replaced(twin, leaf, to[leaf.value])
                yield twin

    def _of_what_is_near(self, event: Any, place: int) -> Iterator[Any]:
        for leaf in ids_of(event)[:1]:
            yield from (replaced(event, leaf, name) for _, name in self.lines.nearby(place, leaf, bounds.NEARBY, 0))

    def _of_the_other(self, event: Any) -> Iterator[Any]:
        """A line as the other player's, where it names a player."""
        if len(self.lines.players) != 2:
            return
        other = dict(zip(self.lines.players, reversed(self.lines.players), strict=True))
        twin = event
        for leaf in leaves(event):
            if leaf.of == "player" and leaf.value in other and not leaf.key:
                twin = replaced(twin, leaf, other[leaf.value])
        if twin is not event:
            yield twin


def _around(place: int, count: int) -> Iterator[int]:
    """The places of so many lines, the nearest to one first; of two that are as near the one before it."""
    yield place
    for far in range(1, count):
        yield from (at for at in (place - far, place + far) if 0 <= at < count)


def _facts_alone(event: Any) -> Any:
    """An event without what it claims: nobody can say what a line that was never written claimed."""
    twin = copy(event)
    for name, what in declared(type(event)).items():
        if what.role != "fact" and what.needed is not True and getattr(event, name) is not None:
            setattr(twin, name, None)
    return twin


def _filled(event: Any, beside: Any, but: Collection[str] = ()) -> Iterator[Any]:
    """A line with what one beside it says in fields of the same name: with the rest as it is, or without what is not needed.
    `but`: kinds of things that are not taken from it."""
    kind: type = type(event)
    other: type = type(beside)
    mine, its = declared(kind), declared(other)
    said = {
        name: getattr(beside, name)
        for name, what in mine.items()
        if what.role == "fact" and name != "seq" and name in its and what.of == its[name].of and what.of not in but
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
