"""One look at an event: which checks look at it, what they see on one position, and what of that is in doubt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from struct import unpack
from typing import Any, NamedTuple

from auditor.core import bounds
from auditor.core.fields import nulls
from auditor.core.findings import ACCUSATIONS, UNTOLD, Fact, Fault, Remark, Unchecked
from auditor.core.holes import Hole
from auditor.core.ruleset import Check, Plan, Ruleset, Topics
from auditor.core.rulings import Hearing, Rulings, Settled
from auditor.core.scopes import Cube, FaultKey, faults_of
from auditor.core.work import spend


@dataclass(frozen=True, slots=True)
class Terms:
    """What a record is replayed by. `strict` lets a fault of ours raise; else it is recorded and the replay goes on."""

    ruleset: Ruleset
    rulings: Rulings
    strict: bool = False

    def hearing(self, options: Cube | None = None) -> Hearing:
        """A hearing under the rulings in force, with some readings answered otherwise."""
        selected = self.rulings.selected
        return Hearing({**selected, **options} if options else selected, self.rulings.settings)


class Look(NamedTuple):
    """What one check saw in one event, under the readings that it asked (with their options) while it looked.

    `steps` are the questions that it put, in order, with what was answered: what it saw hangs on these alone.
    """

    slot: int
    check: Check
    asked: dict[str, str]
    steps: dict[str | Settled, Hashable]
    seen: tuple[Remark, ...]


Refused = Callable[[Look], bool]
"""Whether what one check saw is more than may be seen."""


class _Planned:
    """The checks that look at events of one type and some topics, and how many such events were looked at."""

    __slots__ = ("checks", "clear", "places", "times")

    def __init__(self, plan: Plan) -> None:
        self.checks, self.clear = plan
        self.places = _places(plan)
        self.times = 0


A_READING = 400
"""The work of looking once more at what a check reads, beside what is on the board."""
A_CELL = 4
"""The same for each thing on the board: it is copied to tell that it is asked, asked again, and looked up among what is
in doubt."""
_BYTES = 4
"""How many bytes of a number count how often one rule looked."""


@lru_cache(4_096)
def _places(plan: Plan) -> int:
    """A one at the place of every rule that looks, so that many plans are added up in one number."""
    slots = [*(slot for slot, _ in plan.checks), *plan.clear]
    return sum(1 << 8 * _BYTES * slot for slot in slots)


class Looks:
    """Runs the checks of a game. `unsure`: the id of an event -> why nothing in it accuses anybody (`Record.unsure`). `runs`, once `counted_up`: for each rule how many events its check looked at under the
    rulings in force; `weight`: of the event under judgement (`Ruleset.weight`)."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.ruleset = terms.ruleset
        self.strict = terms.strict
        self.unsure: dict[int, str] = {}
        self.runs = [0] * len(terms.ruleset.rules)
        self.weight = 0
        self._uncounted = list(self.runs)
        self._refused = [0] * len(self.runs)  # how often each rule refused what may not be seen, as fewer than none
        self._left_out = terms.rulings.not_audited
        self._plans: dict[tuple[type, Topics], _Planned] = {}

    def plan(self, event: Any, resolved: Any) -> _Planned:
        """The checks that look at an event."""
        topics = self.ruleset.topics(event, resolved)
        found = self._plans.get((type(event), topics))
        if found is None:
            plan, rules, left_out = self.ruleset.plan(type(event), topics), self.ruleset.rules, self._left_out
            if left_out:
                checks = tuple(entry for entry in plan.checks if rules[entry[0]].id not in left_out)
                plan = Plan(checks, tuple(slot for slot in plan.clear if rules[slot].id not in left_out))
            found = self._plans[type(event), topics] = _Planned(plan)
        return found

    def counted_up(self) -> None:
        """Count in `runs` what was looked at since this was last called. Until then only those stand there, as fewer
        than none, that had nothing to look at: nearly all have."""
        counts = 0
        for planned in self._plans.values():
            counts += planned.times * planned.places
            planned.times = 0
        runs, size = self.runs, len(self.runs)
        for slot, times in enumerate(unpack(f"<{size}I", counts.to_bytes(_BYTES * size, "little"))):
            if times:
                runs[slot] += times

    def at(
        self,
        event: Any,
        resolved: Any,
        position: Any,
        hearing: Hearing,
        *,
        counted: bool = True,
        of: Collection[int] | None = None,
        refused: Refused | None = None,
    ) -> list[Look]:
        """What the checks that look at an event see and ask; those that do neither are left out. `of`: those of some rules alone.
        `refused`: nothing more is looked at once this is true of a look; the rules that were refused most often look first.

        Leaves the hearing without questions, so that each check's own can be told from those of the others.
        """
        looks: list[Look] = []
        planned = self.plan(event, resolved)
        if counted:
            planned.times += 1
        runs = self.runs if counted else self._uncounted
        asked = hearing.asked
        checks = planned.checks if of is None else [entry for entry in planned.checks if entry[0] in of]
        if refused is not None:
            checks = sorted(checks, key=lambda entry: self._refused[entry[0]])
        for slot, check in checks:  # run for every check of every event, nearly all find nothing
            try:
                got = check(event, resolved, position, hearing)
                if not got:
                    if got is None:
                        runs[slot] -= 1
                    if not asked:
                        continue
                elif got.__class__ not in _LISTED:
                    got = self._all_of(slot, got)
            except Exception as error:
                if self.strict:
                    raise
                got = self._failed(slot, error)
            if got or asked:
                looks.append(Look(slot, check, asked, hearing.steps, tuple(got or ())))
                asked = hearing.asked = {}
                hearing.steps = {}
                if refused is not None and refused(looks[-1]):
                    self._refused[slot] -= 1
                    break
        return looks

    def again(self, look: Look, event: Any, resolved: Any, position: Any, options: Cube) -> Look:
        """What one check sees with some readings answered otherwise."""
        spend(bounds.WORK_OF_A_JUDGING + self.weight // 16)
        hearing = self.terms.hearing(options)
        try:
            got = self._all_of(look.slot, look.check(event, resolved, position, hearing) or ())
        except Exception as error:
            if self.strict:
                raise
            got = self._failed(look.slot, error)
        return Look(look.slot, look.check, hearing.asked, hearing.steps, got)

    def _all_of(self, slot: int, remarks: Iterable[Remark]) -> tuple[Remark, ...]:
        """All that a check sees; one that yields looks, asks and breaks only while it is gone through."""
        found: list[Remark] = []
        try:
            for remark in remarks:
                found.append(remark)
        except Exception as error:
            if self.strict:
                raise
            found += self._failed(slot, error)
        return tuple(found)

    def _failed(self, slot: int, error: Exception) -> tuple[Remark, ...]:
        return (Unchecked(self.ruleset.rules[slot].id, our_words(error)),)

    def doubted(self, event: Any, look: Look, resolved: Any, position: Any) -> tuple[Remark, ...]:
        """What a check saw, with each fault that rests on something unknown made ambiguous."""
        kept: list[Remark] = []
        faults: list[Fault] = []
        read: _Read | None = None
        for remark in look.seen:
            if not isinstance(remark, Fault):
                kept.append(remark)
                continue
            if remark.kind in ACCUSATIONS:
                if read is None and remark.rests_on is None and position.holes:
                    read = self._reads(event, look, resolved, position)
                why = self._doubt(remark, event, resolved, read, position)
                if why is not None:
                    text = f"{remark.text}{UNTOLD}{why}."
                    remark = remark._replace(kind="ambiguous", would_be=remark.kind, text=text)
            faults.append(remark)
        if self.ruleset.suspended is not None and faults:
            passed_by = self.ruleset.suspended(event, position)
            faults = [fault for fault in faults if fault.rule not in passed_by]
        return (*kept, *faults)

    def _doubt(self, fault: Fault, event: Any, resolved: Any, read: _Read | None, position: Any) -> str | None:
        """Why nobody can say whether a fault is one: it rests on what is not known, its line is not sure, or a text that
        nobody could read may allow it."""
        if position.holes:
            hole: Hole | None
            if read is not None and fault.rests_on is None and fault[:4] in read:
                hole = read[fault[:4]]
            else:
                hole = position.holes.doubt(fault.rests_on)
            if hole is not None:
                return hole.why
        if (why := self.unsure.get(id(event))) is not None:
            return why
        if open_ := " and ".join(dict.fromkeys(nulls(event))):
            return f"event {event.seq} does not state {open_}"
        if self.ruleset.unstated is not None and (why := self.ruleset.unstated(event, resolved)) is not None:
            return why
        text = self.ruleset.unread(event, position, fault) if self.ruleset.unread is not None else None
        return None if text is None else f"a text that could not be read may allow it, “{text.removesuffix('.')}”"

    def _reads(self, event: Any, look: Look, resolved: Any, position: Any) -> _Read:
        """What a check reads of the position, when it looks once more: each of its faults rests on what was read until it
        was told, since the check last began `apart`, as far as it does not say on what it rests. One that is not told
        there was read elsewhere: it rests on everything."""
        if self.ruleset.watched is None:
            return {}
        read, until = set[Fact](), dict[_Key, frozenset[Fact]]()
        spend(A_READING + A_CELL * self.ruleset.size(position))
        hearing = self.terms.hearing(look.asked)
        hearing.read = read
        try:
            twin, resolved = self.ruleset.watched(event, resolved, position, read, hearing)
            for one in look.check(event, resolved, twin, hearing) or ():
                if isinstance(one, Fault):
                    until[one[:4]] = frozenset(read)
        except Exception:
            if self.strict:
                raise
            return {}
        found: dict[_Key, Hole | None] = {}
        for cells in {*until.values()}:
            told = {key for key, own in until.items() if own == cells}
            found.update(self._holes(event, look, position, set(cells), told))
        return found

    def _holes(
        self, event: Any, look: Look, position: Any, read: set[Fact], told: set[_Key]
    ) -> Iterator[tuple[_Key, Hole | None]]:
        """For faults that rest on what a check read the hole in that. Those that it sees however some of it is, where that
        can be few things, rest on what is beside."""
        holes = position.holes
        cells = self._rests_on(event, position, read)
        in_doubt = {cell for cell in cells or () if holes.doubt((cell,)) is not None}
        supposed, however = self._however(event, look, position, in_doubt, {_same(key) for key in told})
        for key in told:
            yield key, holes.doubt(in_doubt - supposed if _same(key) in however else cells)

    def _rests_on(self, event: Any, position: Any, read: set[Fact]) -> set[Fact] | None:
        """Of the cells that a check read those on which its fault rests: not what the event states itself as the position
        has it. None, for everything, where the event states one of them otherwise as a fact, since its writer saw the
        table, or where a text that nobody can read may allow it."""
        if position.holes.allow_anything():
            return None
        if self.ruleset.stated is None:
            return read
        said = self.ruleset.stated(event, position)
        return read - said.alike if read.isdisjoint(said.facts) else None

    def _however(
        self, event: Any, look: Look, position: Any, in_doubt: set[Fact], found: set[tuple[Any, ...]]
    ) -> tuple[set[Fact], set[tuple[Any, ...]]]:
        """Those cells in doubt that can be few things, and the faults that a check sees however they are."""
        ruleset = self.ruleset
        if ruleset.otherwise is None or not in_doubt:
            return set(), set()
        supposed, positions = ruleset.otherwise(position, in_doubt)
        for one in positions:
            spend(A_READING + A_CELL * ruleset.size(one))
            hearing = self.terms.hearing(look.asked)
            seen = self._all_of(look.slot, look.check(event, ruleset.resolve(event, one, hearing), one, hearing) or ())
            found &= {_same(fault[:4]) for fault in seen if isinstance(fault, Fault)}
            if not found:
                break
        return supposed, found

    def not_looked_at(self) -> list[int]:
        """For each rule, a count that falls whenever it has nothing to look at in an event looked at `elsewhere`."""
        return self._uncounted.copy()

    def have_looked(self, event: Any, resolved: Any, before: Sequence[int]) -> frozenset[str]:
        """The rules that looked at the event that was just looked at `elsewhere`; `before`: the counts before that."""
        planned = self.plan(event, resolved)
        looked = (slot for slot, _ in planned.checks if self._uncounted[slot] == before[slot])
        return frozenset(self.ruleset.rules[slot].id for slot in (*planned.clear, *looked))

    def elsewhere(
        self, event: Any, resolved: Any, position: Any, hearing: Hearing, of: Collection[int] | None = None
    ) -> tuple[Remark, ...]:
        """What the rules, or some of them, see in one event on some other position; counted nowhere."""
        return self._with_doubt(
            self.at(event, resolved, position, hearing, counted=False, of=of), event, resolved, position
        )

    def if_bearable(
        self,
        event: Any,
        resolved: Any,
        position: Any,
        hearing: Hearing,
        bearable: Callable[[FaultKey], bool],
        of: Collection[int] | None = None,
        refused: Refused | None = None,
    ) -> tuple[Remark, ...] | None:
        """The same, or None where they see an accusation that is not `bearable`: on what it rests, which takes longer, is not
        looked up then. None also where a look is `refused`, unless something takes rules out of force."""
        if refused is not None and self.ruleset.suspended is not None and self.ruleset.suspended(event, position):
            refused = None
        looks = self.at(event, resolved, position, hearing, counted=False, of=of, refused=refused)
        if refused is not None and looks and refused(looks[-1]):
            return None
        if not self._are_bearable(looks, event, position, bearable):
            return None
        return self._with_doubt(looks, event, resolved, position)

    def _with_doubt(self, looks: list[Look], event: Any, resolved: Any, position: Any) -> tuple[Remark, ...]:
        return tuple(remark for look in looks if look.seen for remark in self.doubted(event, look, resolved, position))

    def _are_bearable(self, looks: list[Look], event: Any, position: Any, bearable: Callable[[FaultKey], bool]) -> bool:
        suspended = self.ruleset.suspended
        for key, fault in faults_of(remark for look in looks for remark in look.seen).items():
            if fault.kind in ACCUSATIONS and not bearable(key):
                return suspended is not None and bool(suspended(event, position))
        return True


_Key = tuple[Any, ...]
"""Rule, kind, text and subject of a fault."""
_Read = Mapping[_Key, Hole | None]
"""The faults that a check saw on a second look, each with the hole in what it rests on."""


def _same(key: _Key) -> tuple[Any, ...]:
    """A fault, whatever number it gives."""
    rule, kind, _, subject = key
    return rule, kind, subject


_LISTED = (tuple, list)


def our_words(error: Exception) -> str:
    return f"a fault of the auditor, not of the players ({type(error).__name__})"
