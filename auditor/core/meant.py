"""Explanations: what a line may have meant, where accusations follow from it.

After the pass and the causes, small changes of the record (`suppose`) are tried for each accusation that stands and
follows from no other, in order of play. A line supposed otherwise is judged alone on the position before it, and most are
given up there. What is without fault is followed to the accusation, and given up if that stays; what survives is judged
event by event until the position is that of the record again, or to the end.

What counts: the supposed lines are without fault, nobody is accused of anything else, nothing becomes less checkable, and
nothing is explained that comes after an accusation which stays. Where one explanation takes two or more accusations away
that do not follow from each other, they are one finding. A lone one stays as it is; what may have been meant is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from auditor.core import bounds
from auditor.core.fields import Leaf, leaves
from auditor.core.fields import place as written_place
from auditor.core.findings import ACCUSATIONS, Fault, Lack, Unchecked
from auditor.core.follow import Follower, Sight
from auditor.core.look import Look
from auditor.core.record import player_of
from auditor.core.replay import Replay
from auditor.core.ruleset import Ruleset
from auditor.core.scopes import FaultKey
from auditor.core.seen import Seen
from auditor.core.suppose import Supposing
from auditor.core.suppose_missing import Missing
from auditor.core.suppose_values import Values
from auditor.core.supposed import Change, Lines, Supposed, Told, ids_of, pointing
from auditor.core.work import Purse, Spent, paid_from, spend

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Meant:
    """What a line may have meant: `explains` are places in `outcome.seen`; `others` explain as much, as likely. `settles`: what
    was left open, and is judged then and without fault."""

    supposed: Supposed
    explains: tuple[int, ...]
    others: tuple[Supposed, ...] = ()
    folds: bool = False
    settles: tuple[int, ...] = ()


def explain(replay: Replay) -> bool:
    """Fill in `meant` of the accusations that stand and follow from no other, and fold what an explanation takes away
    under the first; whether all were looked into."""
    seen = replay.outcome.seen
    roots = [i for i, one in enumerate(seen) if one.stands and not one.depends_on]
    if not roots:
        return True
    if replay.purse.spent:
        return False  # What could not be judged to its end is not gone through once more.
    roots.sort(key=lambda i: (seen[i].index, replay.ruleset.place(seen[i].fault)))
    try:
        with paid_from(Purse(bounds.MOST_WORK_ON_MEANING)):
            return _explain(replay, roots)
    except Spent:
        return False  # What was found so far holds.


def _explain(replay: Replay, roots: list[int]) -> bool:
    seen = replay.outcome.seen
    search = _Search(replay)
    whole = len(roots) <= bounds.MOST_EXPLAINED
    done: set[int] = set()
    search.prepare([seen[i].index for i in roots[: bounds.MOST_EXPLAINED]])
    for n, root in enumerate(roots[: bounds.MOST_EXPLAINED]):
        if root in done or seen[root].depends_on:
            continue
        together = [i for i in roots if seen[i].index == seen[root].index]
        done.update(together)
        found = search.best(together, len(roots) - n)
        if found is not None:
            _settle(seen, root, found)
    return whole


def _settle(seen: Sequence[Seen], root: int, meant: Meant) -> None:
    """One finding where two or more are explained that do not follow from each other; else the explanation beside it."""
    folded = [i for i in meant.explains if i != root and not seen[i].depends_on]
    changed = meant.supposed.how == "change"
    if changed and all(seen[i].pinned == seen[root].pinned for i in folded):
        folded = []  # Two acts on one event are two findings, even if one value of a line would explain both.
    seen[root].meant = replace(meant, folds=bool(folded))
    for i in folded:
        seen[i].depends_on = (root,)
    if folded and all(other.player == meant.supposed.player for other in meant.others):
        seen[root].of_player = _whose(seen[root], meant.supposed)


def _whose(root: Seen, supposed: Supposed) -> str | None:
    """Whose the finding is then; None: as it was. A line of its own is of whom its rule says, unless it is of another."""
    if supposed.start == root.index and not _is_whose(supposed.change):
        return None
    return supposed.player


def _is_whose(change: Change | None) -> bool:
    return change is not None and change.leaf.path in _WHOSE


_WHOSE = (("by",), ("player",))
"""The fields that say whose line it is."""


class _Search:
    """Tries changes of one replayed record. `budget`: events that may still be gone through."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.seen = replay.outcome.seen
        self.follower = Follower(replay)
        events = replay.record.events
        players = players_of(replay.record.header)
        ruleset = replay.ruleset
        self.lines = Lines(events, ruleset.events, players, replay.was_played, ruleset.ends, replay.record.known)
        missing = Missing(self.lines, self._accused_after, self._may_lack)
        self.supposing = Supposing(self.lines, Values(self.lines, self._accused_near), missing)
        self.budget = max(bounds.LEAST_RETOLD, min(bounds.RETOLD_PER_EVENT * len(events), bounds.MOST_RETOLD))
        self.begun = False
        self.known: dict[int, set[FaultKey]] = {}
        self.doubted: dict[int, set[FaultKey]] = {}
        self.standing: dict[int, list[int]] = {}
        self.open: dict[int, list[int]] = {}
        for i, one in enumerate(self.seen):
            is_open = one.fault.kind == "ambiguous"
            (self.doubted if is_open else self.known).setdefault(one.index, set()).update(one.keys)
            if one.stands or is_open:
                (self.open if is_open else self.standing).setdefault(one.index, []).append(i)
        self.blind: dict[int, set[str | None]] = {}
        for index, _, unchecked in replay.ledger.unchecked:
            self.blind.setdefault(index, set()).add(unchecked.rule)
        self.last = max(self.standing)
        self.events_of = {rule.id: frozenset(rule.events) for rule in ruleset.rules}
        self.beside = {rule.id: {rule.beside} for rule in ruleset.rules if rule.beside is not None}
        self.before: dict[int, Any] = {}
        self.looked: dict[int, frozenset[str]] = {}

    def _accused_near(self, place: int) -> list[str]:
        """What the accusations of a line and of those soon after it are about."""
        near = (self.standing.get(at, ()) for at in range(place, place + bounds.NEARBY))
        return list(dict.fromkeys(one for found in near for i in found for one in self.seen[i].fault.subject))

    def _accused_after(self, place: int) -> list[tuple[str, ...]]:
        """What accusations of later lines are about, each by itself, the nearest first."""
        later = sorted(at for at in self.standing if place < at <= place + bounds.LOOKED_AHEAD)
        return [self.seen[i].fault.subject for at in later for i in self.standing[at]]

    def _may_lack(self, lack: Lack, place: int) -> Sequence[Any]:
        """The lines of which one may be missing before a place."""
        position = self.before.get(place)
        if position is None:
            return ()
        hearing = self.replay.terms.hearing()
        lines = self._tried(lambda: islice(lack.lines(position, hearing), bounds.MOST_MADE))
        spend(bounds.WORK_OF_A_JUDGING * len(lines))
        return lines

    def _tried(self, work: Callable[[], Iterable[_T]]) -> tuple[_T, ...]:
        """What comes of some work on a telling, which need not make sense as a whole: nothing then."""
        try:
            return tuple(work())
        except Exception:
            if self.replay.strict:
                raise
            return ()

    # -- positions of the record as it stands -------------------------------------------------------------------------

    def prepare(self, indices: Iterable[int]) -> None:
        """Go through the record once and keep the positions before the lines that may be supposed otherwise, and some
        between, at which what is followed may be found to be as it was."""
        wanted: set[int] = set()
        for index in indices:
            for place in self._suspects(index, self.standing[index]):
                wanted.update((place - 1, place, place + 1, place + 2))
            wanted.update(self.supposing.missing.beside(index, [self.seen[i].fault for i in self.standing[index]]))
        if not wanted:
            return
        first = min(wanted)
        position = self.follower.opening.copy()
        try:
            for place in range(len(self.replay.record.events)):
                if place in wanted or (place > first and place % bounds.KEPT_EVERY == 0):
                    if len(self.before) < bounds.MOST_KEPT:
                        spend(self.follower.ruleset.size(position) // 4)
                        self.before[place] = position.copy()
                if place > self.last:
                    break
                if self._that_accuse(place):
                    sight = self.follower.at(self.replay.record.events[place], position).sight(_anything, by_whom=True)
                    self.looked[place] = sight.looked if sight is not None else frozenset()
                if self.follower.plays(place):
                    self.follower.pass_over(place, position)
        except Exception:
            if self.replay.strict:
                raise
            # What could not be followed again is not explained; what was kept before it holds.

    # -- one accusation -----------------------------------------------------------------------------------------------

    def best(self, together: Sequence[int], waiting: int) -> Meant | None:
        """The best explanation of the accusations of one event that follow from no other; `waiting`: of how many accusations
        one is still to be sought."""
        share = bounds.SHARE_OF_ANOTHER if self.begun else bounds.SHARE_OF_THE_FIRST
        self.begun = True
        spare = self.budget - max(self.budget // max(waiting, 1), self.budget // share)
        index = self.seen[together[0]].index
        faults = [self.seen[i].fault for i in together]
        most = self._may_follow(index, together)
        found: list[tuple[tuple[float, ...], Supposed, tuple[int, ...]]] = []
        done: set[Any] = set()
        instead: Counter[Any] = Counter()
        pinned = {self.seen[i].pinned for i in together}
        for rank, supposed in islice(self.supposing.likeliest(index, faults, pinned), bounds.MOST_SUPPOSED):
            if self.budget <= spare or len(found) >= bounds.MOST_FOLLOWED:
                break
            if found:
                explained, farther = -found[-1][0][0], rank[0] - found[-1][0][1]
                if farther > (bounds.MORE if explained < most else bounds.BESIDE if most == 1 else 0):
                    break  # All is explained, and what comes now is less likely; or it is much less likely.
            if supposed.how in ("twice", "exchanged"):
                if (supposed.how, supposed.start) in done:
                    continue  # It was thought of from the line beside it.
                done.add((supposed.how, supposed.start))
            value = supposed.change and (supposed.start, supposed.change.leaf.path)
            if value and instead[value] >= bounds.MOST_INSTEAD:
                continue  # What else it may have been explains no more.
            explains = self._tried(partial(self._explained, supposed, index, set(together)))
            if explains:
                instead[value] += 1
                found.append(((-len(explains), *rank), supposed, explains))
                found.sort(key=lambda one: one[0], reverse=True)
        if not found:
            return None
        found.sort(key=lambda one: one[0])
        as_much = [one for one in found[: bounds.MOST_COMPARED] if one[0][0] == found[0][0][0]]
        settled = {id(one): self._tried(partial(self._settled, one)) for _, one, _ in as_much}
        # Of those that explain as much the one after which the least is left open.
        best, supposed, explains = min(as_much, key=lambda one: (-len(settled[id(one[1])]), one[0]))
        alike = [other for rank, other, _ in found if rank == best and other is not supposed]
        if len(explains) == 1:
            # Nobody is charged by what stands beside a lone accusation: another line is named as well.
            elsewhere = [one for one in found if one[1].seq != supposed.seq and one[1] not in alike]
            alike += [one for _, one, _ in elsewhere[:1]]
        return Meant(supposed, explains, tuple(alike), settles=settled[id(supposed)])

    def _suspects(self, index: int, together: Iterable[int]) -> dict[int, int]:
        seen = [self.seen[i] for i in together]
        return self.supposing.suspects(index, [one.fault for one in seen], [one.pinned for one in seen])

    def _may_follow(self, index: int, together: Sequence[int]) -> int:
        """How many accusations there are of an event and of later ones that name something of what it names, or the lines
        that stand nearest to it, or that the same rules make, or that miss a line of the same player."""
        rules = self._rules(together)
        events = self.lines.events
        players = {self.seen[i].player(events) for i in together} - {None}
        near = [place for place, far in self._suspects(index, together).items() if far <= 1]
        names = set[Any]().union(*map(self.lines.named, near), *(self.seen[i].fault.subject for i in together))
        found = 0
        for place, standing in self.standing.items():
            if place > index and place <= index + bounds.LOOKED_BACK:
                subjects = self.lines.named(place).union(*(self.seen[i].fault.subject for i in standing))
                missed = {self.seen[i].player(events) for i in standing if self.seen[i].fault.kind == "omitted"}
                related = names & subjects or rules & self._rules(standing) or players & missed
                if related:
                    found += len(standing)
        return found + len(self.standing[index])

    def _explained(self, supposed: Supposed, index: int, together: set[int]) -> tuple[int, ...]:
        """The accusations that a supposed telling takes away, all those of the event that is looked into among them; none
        where it does not count."""
        start, stop = supposed.start, supposed.stop
        as_it_stands = self._before(supposed)
        if as_it_stands is None or (len(supposed.told) == 1 and not self._alone(supposed, together)):
            return ()
        recorded = self.follower.recorded_for(supposed)
        position = as_it_stands.copy()
        self.follower.as_of(position, recorded)
        for told in supposed.told:
            self.budget -= 1
            rules = self._that_accuse(told.place) if supposed.how == "exchanged" else set()
            bearable, refused = self._open_before(start), self._unlike(start, supposed)
            sight = self.follower.step(told.event, told.place, position, bearable, bool(rules), refused)
            if not self._clean(sight, supposed) or self._escapes(rules, sight, told.place):
                return ()
        gone = [i for place in range(start, stop) for i in self.standing.get(place, ())]
        if stop <= index and not self._reaches(supposed, index, together, position.copy(), recorded):
            return ()
        for place in range(stop, self.last + 1):
            kept = self.before.get(place)
            if kept is not None and self.follower.same(position, kept, recorded):
                break
            if not self.follower.plays(place):
                continue
            self.budget -= 1
            if not self._goes_on(self._told(place, supposed), place, position, gone):
                break
            if self._worse:
                return ()
        return tuple(sorted(gone, key=lambda i: self.seen[i].index)) if together <= set(gone) else ()

    def _settled(self, supposed: Supposed) -> tuple[int, ...]:
        """What was left open and is judged, and without fault, in a telling that explains something; as far as nothing else is
        accused there, and the position is not that of the record again."""
        start, stop = supposed.start, supposed.stop
        last = max((at for at in self.open if at >= start), default=-1)
        found: list[int] = []
        if last < 0:
            return ()
        position, recorded = self._before(supposed).copy(), self.follower.recorded_for(supposed)
        self.follower.as_of(position, recorded)
        told = [*supposed.told, *(Told(self._told(at, supposed), at) for at in range(stop, last + 1))]
        for event, place in told:
            if place is not None and place >= stop:
                kept = self.before.get(place)
                if self.budget <= 0 or (kept is not None and self.follower.same(position, kept, recorded)):
                    break
                if not self.follower.plays(place):
                    continue
            at = start if place is None else place
            bearable = self.known.get(at, _NONE) | self.doubted.get(at, _NONE)
            self.budget -= 1
            sight = self.follower.step(event, place, position, bearable.__contains__)
            if sight is None:
                break
            left = sight.doubtful.union(sight.accused)
            found += [i for i in self.open.get(at, ()) if place is not None and left.isdisjoint(self.seen[i].keys)]
        return tuple(found)

    def _before(self, supposed: Supposed) -> Any:
        """The position before the supposed lines: lines shortly before them may point at them by numbers."""
        start = supposed.start
        if (
            not supposed.pointers
            or (first := self.lines.first_that_points(start, supposed.pointers)) is None
            or (kept := max((at for at in self.before if at <= first), default=None)) is None
        ):
            return self.before.get(start)
        position = self.before[kept].copy()
        for place in range(kept, start):
            if self.follower.plays(place):
                self.budget -= 1
                self.follower.pass_over(place, position, self._told(place, supposed))
        return position

    def _open_before(self, place: int) -> Callable[[FaultKey], bool]:
        """What was left open at a place: it may be so in a line supposed there."""
        return self.doubted.get(place, _NONE).__contains__

    def _unlike(self, place: int, supposed: Supposed | None = None) -> Callable[[Look], bool]:
        """Whether a check sees what no check sees at a place of the record: what it accuses, leaves open or cannot check. Of a
        line that is `supposed` there it may accuse nobody, and what one made by a rule leaves open is held against nothing."""
        doubted, blind = {key[:3] for key in self.doubted.get(place, _NONE)}, self.blind.get(place, _NOBODY)
        known = doubted if supposed is not None else doubted.union(key[:3] for key in self.known.get(place, _NONE))
        in_part = supposed is not None and supposed.in_part

        def unlike(look: Look) -> bool:
            for one in look.seen:
                if isinstance(one, Unchecked):
                    if one.rule not in blind:
                        return True
                elif isinstance(one, Fault):
                    accuses = one.kind in ACCUSATIONS
                    if (accuses or not in_part) and (one.rule, one.seq, one.subject) not in (
                        known if accuses else doubted
                    ):
                        return True
            return False

        return unlike

    def _clean(self, sight: Sight | None, supposed: Supposed) -> bool:
        """Whether a supposed line is without fault, and no less checkable than the one that stands there; of one that is told
        in part what it states is checked."""
        place = supposed.start
        return (
            sight is not None
            and not sight.accused
            and (supposed.in_part or sight.doubtful <= self.doubted.get(place, _NONE))
            and sight.blind <= self.blind.get(place, _NOBODY)
        )

    def _alone(self, supposed: Supposed, together: set[int]) -> bool:
        """Whether a supposed line is without fault where it stands, later lines being as they are: most are not. The rules
        that accuse the event are asked first."""
        told, start = supposed.told[0], supposed.start
        self.budget -= 1
        if told.place is not None and told.place in self.replay.holes_at:
            return True  # What is not known there is known only once it is gone through.
        if told.place is None and not supposed.in_part and not self._is_about(told.event, together):
            return False
        bearable = self._open_before(start)
        due = {key for i in together if told.place is None for key in self.seen[i].keys}
        at = self.follower.at(told.event, self.before[start])
        accused = at.accused(self._rules(together), lambda key: key in due or bearable(key))
        if accused is None:
            return False
        if accused:
            # That it is there is known only to a record that has it.
            return told.place is None and accused <= {key for one in self._left_out(together) for key in one.keys}
        return self._clean(at.sight(bearable, refused=self._unlike(start, supposed)), supposed)

    def _left_out(self, together: Iterable[int]) -> list[Seen]:
        return [self.seen[i] for i in together if self.seen[i].fault.kind == "omitted"]

    def _is_about(self, event: Any, together: set[int]) -> bool:
        """Whether a line that is supposed to be missing is about the very things that are held to be left out, or names none,
        and of a type that their rules look at or say to be due: another one would only say that they are due no longer."""
        said = {player_of(event), *(str(leaf.value) for leaf in leaves(event))}
        kind = self.replay.ruleset.events[type(event)]
        return all(
            (not ids_of(event) or said.issuperset(one.fault.subject))
            and (kind in self.events_of[one.fault.rule] or type(event) in map(type, one.fault.lines_due()))
            for one in self._left_out(together)
        )

    def _reaches(self, supposed: Supposed, index: int, together: set[int], position: Any, recorded: Any) -> bool:
        """Whether the accusations that are looked into are gone, with nothing judged between."""
        for place in range(supposed.stop, index):
            kept = self.before.get(place)
            if kept is not None and self.follower.same(position, kept, recorded):
                return False  # It comes to the same.
            if self.standing.get(place):
                return True  # An accusation between them is judged on the way.
            if self.follower.plays(place):
                self.budget -= 1
                self.follower.pass_over(place, position, self._told(place, supposed))
        self.budget -= 1
        theirs = {key for i in together for key in self.seen[i].keys}
        open_ = self.doubted.get(index, _NONE)
        at = self.follower.at(self._told(index, supposed), position)
        accused = at.accused(self._rules(together), lambda key: key not in theirs or key in open_)
        return accused is not None and accused.isdisjoint(theirs)

    def _rules(self, accusations: Iterable[int]) -> set[str]:
        return {key[0] for i in accusations for key in self.seen[i].keys}

    def _that_accuse(self, place: int | None) -> set[str]:
        """The rules that accuse an event of the record, and those beside them, without those that find something left out,
        which may be due no longer; nor is asked what follows from another finding, which may be of an act that is none then."""
        here = self.standing.get(place, ()) if place is not None else ()
        rules = self._rules(i for i in here if self.seen[i].fault.kind != "omitted" and not self.seen[i].depends_on)
        return rules.union(*(self.beside.get(rule, ()) for rule in rules))

    def _told(self, place: int, supposed: Supposed) -> Any:
        event = self.replay.record.events[place]
        return pointing(event, supposed.pointers) if supposed.pointers else event

    def _goes_on(self, event: Any, place: int, position: Any, gone: list[int]) -> bool:
        """Judge one event of the record in the supposed telling; adds what is gone there. False where what comes after
        is no longer explained, since an accusation stays."""
        here = self.standing.get(place, ())
        rules = self._that_accuse(place)
        known, doubted = self.known.get(place, _NONE), self.doubted.get(place, _NONE)
        bearable, refused = (lambda key: key in known or key in doubted), self._unlike(place)
        sight = self.follower.step(event, place, position, bearable, bool(rules), refused)
        self._worse = (
            sight is None
            or not sight.accused.keys() <= known | doubted
            or not sight.doubtful <= doubted
            or not sight.blind <= self.blind.get(place, _NOBODY)
            or self._escapes(rules, sight, place)
        )
        if sight is None or self._worse:
            return True
        left = [i for i in here if not sight.accused.keys().isdisjoint(self.seen[i].keys)]
        if left:
            return False
        gone += here
        return True

    _worse = False

    def _escapes(self, rules: set[str], sight: Sight | None, place: int | None) -> bool:
        """Whether none of some rules that accuse an event looks at it any more, nor as many in their stead."""
        if sight is None or place is None or not rules.isdisjoint(sight.looked):
            return False
        return bool(rules) and len(sight.looked) < len(self.looked.get(place, rules))


def _anything(key: FaultKey) -> bool:
    return True


_NONE: set[FaultKey] = set()
_NOBODY: set[str | None] = set()


def players_of(header: Mapping[str, Any]) -> tuple[str, ...]:
    """The ids of the players, as a header has them."""
    players = header.get("players")
    listed = players if isinstance(players, list) else []
    return tuple(one["id"] for one in listed if isinstance(one, dict) and isinstance(one.get("id"), str))


# -- in words ---------------------------------------------------------------------------------------------------------


def as_json(
    meant: Meant,
    ids: Sequence[str],
    header: Mapping[str, Any],
    ruleset: Ruleset,
    named: Callable[[str], str],
) -> dict[str, Any]:
    """What stands in a finding: {"seq", "change" | "twice" | "missing" | "exchanged", "explains", "or", "text"}."""
    explains = sorted({ids[i] for i in meant.explains})
    # Two dice that may both have shown another number are said once.
    told = list(dict.fromkeys(_said(one, header, ruleset.describe) for one in (meant.supposed, *meant.others)))
    gone = "this is gone" if len(explains) == 1 else f"these {len(explains)} findings are gone"
    settled = len({ids[i] for i in meant.settles})
    text = f"If {told[0]}, {gone}{_in_order(settled)}."
    if len(told) > 1:
        text += f" The same holds if {', or '.join(told[1 : 1 + _MOST_NAMED])}."
        if len(told) > 1 + _MOST_NAMED:
            text += f" {len(told) - 1 - _MOST_NAMED} more would do."
    return {
        **_shape(meant.supposed, ruleset.events),
        "explains": explains,
        **({"settles": sorted({ids[i] for i in meant.settles})} if settled else {}),
        "or": [_shape(one, ruleset.events) for one in meant.others],
        "text": named(text),
    }


def _in_order(settled: int) -> str:
    """That what could not be judged is without fault then."""
    if not settled:
        return ""
    if settled == 1:
        return ", and one act that could not be judged is as it should be"
    return f", and {settled} acts that could not be judged are as they should be"


_MOST_NAMED = 3


def _values(event: Any) -> list[Leaf]:
    return [leaf for leaf in leaves(event) if leaf.path != ("seq",) and not leaf.key]


def _shape(supposed: Supposed, names: Mapping[type, str]) -> dict[str, Any]:
    found: dict[str, Any] = {"seq": supposed.seq}
    if supposed.change is not None:
        leaf, new = supposed.change
        path = written_place(supposed.told[0].event, leaf.path)
        found["change"] = [{"path": path, "from": leaf.value, "to": new}]
    elif supposed.how == "missing":
        event = supposed.told[0].event
        values = {written_place(event, leaf.path): leaf.value for leaf in _values(event)}
        found["missing"] = {"type": names.get(type(event)), **values}
    else:
        found[supposed.how] = supposed.beside
    return found


def _said(supposed: Supposed, header: Mapping[str, Any], describe: Callable[[Any, Any], str]) -> str:
    """A supposition in words, as it follows "If"."""
    seq = supposed.seq
    if supposed.how == "twice":
        return f"event {seq} is event {supposed.beside} written twice"
    if supposed.how == "exchanged":
        first, second = sorted((seq, supposed.beside or seq))
        return f"event {second} came before event {first}"
    if supposed.how == "missing":
        whose = f" of {_named(supposed.player, header)}'s" if supposed.player else ""
        what = describe(supposed.told[0].event, None).removeprefix(f"{supposed.player}: ").rstrip(".")
        return f"a line{whose} is missing before event {seq} ({what})"
    assert supposed.change is not None
    leaf, new = supposed.change
    if _is_whose(supposed.change):
        return f"event {seq} was {_named(new, header)}'s"
    if leaf.of == "player":
        return f"event {seq} named {_named(new, header)}, not {_named(leaf.value, header)}"
    if new is None:
        return f"event {seq} did not have {_value(leaf.value)} a second time ({leaf.declared.words})"
    return f"event {seq} had {_value(new)} instead of {_value(leaf.value)} ({leaf.declared.words})"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)) and all(isinstance(one, (list, tuple)) for one in value):
        return " and ".join(map(_value, sorted(value)))  # A side of two hexes is the same from both.
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _named(player: str | None, header: Mapping[str, Any]) -> str:
    players = header.get("players")
    for one in players if isinstance(players, list) else []:
        if isinstance(one, dict) and one.get("id") == player and isinstance(one.get("name"), str):
            return str(one["name"])
    return str(player)
