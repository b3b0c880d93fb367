"""One pass over a record: resolve, check, adopt, under every reading that matters.

Most events ask nothing and are judged once, in place. An event that asks is judged again on the same position for
every combination of the readings asked; where their options leave different positions behind, the replay goes on in
lanes, one for each, until the lanes are equal again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from auditor.core.findings import ACCUSATIONS, Fault, Note, Remark, Unchecked
from auditor.core.holes import Hole
from auditor.core.record import Record
from auditor.core.ruleset import Check, Plan, Ruleset
from auditor.core.rulings import Hearing, Rulings
from auditor.core.scopes import (
    Cube,
    FaultKey,
    Scope,
    covers,
    explore,
    faults_of,
    in_force,
    may_be_in_force,
    scope_of,
    simplified,
)

MOST_CELLS = 256
"""How often one event may be judged again, over all lanes."""
MOST_LANES = 64
"""Assignments of carried readings that are followed at once."""
MOST_SNAPSHOTS = 1000
"""Positions kept at once for undos to come."""
MOST_DRAWN = 300
MOST_SEEN = 10_000
"""Faults that get their boards, effect and causes; a record with more has lost its players' trust anyway."""
LEAST_SPARE, SPARE_PER_EVENT, MOST_SPARE = 50_000, 20, 400_000
"""Judgings beyond one an event that a whole record may cost, so that no log can hold a worker for ever."""

Shown = TypeVar("Shown")

NO_EVIDENCE: dict[str, Any] = {"before": None, "after": None, "marks": [], "sight": None, "path": []}
NO_EFFECT: dict[str, Any] = {"changed": [], "text": ""}


@dataclass(slots=True)
class Seen:
    """A fault as the replay found it, with what a finding needs.

    index     place in the record of the event that showed it; `seen_at` is that event's number
    pinned    place in the record of the event that it belongs to; `seq` is that event's number
    options   the assignment of readings under which the fault is the one given
    before    the position that it was judged on (None beyond the first `MOST_DRAWN`)
    undone_by number of the undo that took its event back, if play did not return to it
    """

    index: int
    pinned: int
    seq: int
    seen_at: int
    key: FaultKey
    fault: Fault
    scope: Scope
    stands: bool
    under: tuple[tuple[Cube, Fault], ...]
    options: Cube
    evidence: dict[str, Any] = field(default_factory=lambda: NO_EVIDENCE)
    effect: dict[str, Any] = field(default_factory=lambda: NO_EFFECT)
    before: Any = None
    undone_by: int | None = None
    depends_on: tuple[int, ...] = ()


@dataclass(slots=True)
class Outcome:
    """All that one replay saw.

    runs      for each rule, in the ruleset's order, how many events its check looked at under the rulings in force
    resolved  events that were replayed
    silent    claims that the log did not make
    asked     reading -> events that asked it, under whatever options
    """

    seen: list[Seen] = field(default_factory=list)
    notes: list[tuple[int, Note]] = field(default_factory=list)
    unchecked: list[tuple[int, Unchecked]] = field(default_factory=list)
    runs: list[int] = field(default_factory=list)
    resolved: int = 0
    silent: int = 0
    asked: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Lane:
    """A position and the assignments of carried readings under which it is the position."""

    position: Any
    cubes: list[Cube]

    def copy(self) -> Lane:
        return Lane(self.position.copy(), list(self.cubes))


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
    finished: bool


class Judged(NamedTuple):
    """One event as judged in one lane under one assignment of readings."""

    cube: Cube
    lane: Lane
    resolved: Any
    remarks: tuple[Remark, ...]
    faults: dict[FaultKey, Fault]


class Asking(NamedTuple):
    """A check that asked readings under the rulings in force, what it asked, and what it saw."""

    slot: int
    check: Check
    asked: dict[str, str]
    seen: tuple[Remark, ...]


@dataclass(frozen=True, slots=True)
class Judging:
    """One event as judged under everything that it asks. `whole` is false where there was too much to ask."""

    index: int
    event: Any
    seq: int
    cells: list[Judged]
    whole: bool


class Replay:
    """Replays one record under one rulings set. `strict` lets a fault of ours raise; else it is said and passed by.

    After `run`, `outcome` is what was seen, `was_played(index)` whether an event was not taken back in the end, and
    `holes_at` the holes that opened just before or just after an event.
    """

    def __init__(self, ruleset: Ruleset, record: Record, rulings: Rulings, *, strict: bool = False) -> None:
        self.ruleset = ruleset
        self.record = record
        self.rulings = rulings
        self.strict = strict
        self.outcome = Outcome(runs=[0] * len(ruleset.rules))
        self.lanes = [Lane(ruleset.opening(record), [{}])]
        self.finished = False
        self.holes_at: dict[int, list[tuple[bool, Hole]]] = {}
        self._spare = max(LEAST_SPARE, min(SPARE_PER_EVENT * len(record.events), MOST_SPARE))
        self._stretch = Stretch(0, None, -1)
        self._kept = 0
        self._beyond = 0
        self._starts: list[int] = [0]
        self._stops: list[int] = [len(record.events)]
        self._seen_on_line: list[Seen] = []
        self._notes: list[tuple[int, int, Note]] = []
        self._unchecked: list[tuple[int, int, Unchecked]] = []
        self._places: dict[int, list[int]] | None = None

    def _plan(self, event: Any, resolved: Any) -> Plan:
        """The checks that look at an event."""
        ruleset, left_out = self.ruleset, self.rulings.not_audited
        plan = ruleset.plan(type(event), ruleset.topics(event, resolved))
        if left_out:
            plan = tuple(entry for entry in plan if ruleset.rules[entry[0]].id not in left_out)
        return plan

    # -- the pass ---------------------------------------------------------------------------------------------

    def run(self, on_event: Callable[[int, Any, Any], None] | None = None) -> Outcome:
        """Replay to the end and say what was seen.

        `on_event(index, event, position)` is called before each event with the position of the lane in force.
        """
        plain = {kind for kind, name in self.ruleset.events.items() if name not in ("undo", "remark", "judge", "end")}
        doubtful = self.record.doubtful
        undos = self._undo_targets()
        snapshots: dict[int, Snapshot] = {}
        if 0 in undos:
            self._keep_snapshot(0, -1, snapshots)
        expected = 1
        hearing = self._hearing()
        for index, event in enumerate(self.record.events):
            if on_event is not None:
                on_event(index, event, self.selected_lane().position)
            seq = event.seq
            if seq != expected:
                seq = self._misplaced(index, seq, expected)
            expected = seq + 1
            if doubtful and index in doubtful:
                self._hole(index, seq, doubtful[index])
            if type(event) in plain:
                hearing = self._step(index, event, seq, hearing)
            else:
                hearing = self._special(index, event, seq, hearing, undos, snapshots)
            if undos and seq in undos:
                self._keep_snapshot(seq, index, snapshots)
        self._close()
        return self.outcome

    def _hearing(self, options: Cube | None = None) -> Hearing:
        """A hearing under the rulings in force, with some readings answered otherwise."""
        selected = self.rulings.selected
        return Hearing({**selected, **options} if options else selected, self.rulings.settings)

    def _step(self, index: int, event: Any, seq: int, hearing: Hearing) -> Hearing:
        """Resolve, check, adopt. Gives back a hearing that may serve again."""
        lanes = self.lanes
        try:
            if len(lanes) == 1 and len(lanes[0].cubes) == 1 and not lanes[0].cubes[0] and self.ruleset.sift is None:
                # The common case: one position. If nothing is asked and nothing seen, one judging is all.
                lane = lanes[0]
                position = lane.position
                resolved = self.ruleset.resolve(event, position, hearing)
                if not hearing.asked:
                    found, asking = self._look_singly(event, resolved, position, hearing)
                    if found or asking:
                        fresh = self._judge_singly(index, event, seq, lane, resolved, found, asking)
                        hearing.asked = {}
                    else:
                        fresh = []
                    hearing.adopting = position
                    self.ruleset.adopt(event, resolved, position, hearing)
                    hearing.adopting = None
                    self.outcome.resolved += 1
                    if hearing.silent:
                        self.outcome.silent += hearing.silent
                        hearing.silent = 0
                    parted = bool(hearing.asked)
                    if fresh:
                        main = Judged({}, lane, resolved, (), {})
                        self._complete(event, fresh, [(lane, main)], {id(lane)} if parted else set())
                    if not parted:
                        return hearing
                    self._count_asked(hearing.asked)
                    self._split(index, event, seq, [(lane, hearing.snapshot)])
                    return self._hearing()
            self._judge_everywhere(index, event, seq)
            self.outcome.resolved += 1
        except Exception as error:
            if self.strict:
                raise
            self._was_not_checked(index, seq, None, _our_words(error))
            self._hole(index, seq, f"event {seq} could not be resolved", after=True)
        return self._hearing()

    def _look_singly(
        self, event: Any, resolved: Any, position: Any, hearing: Hearing
    ) -> tuple[list[Remark], list[Asking]]:
        """What the checks see under the rulings in force: of those that asked nothing together, of the others apart."""
        found: list[Remark] = []
        asking: list[Asking] = []
        runs = self.outcome.runs
        for slot, check in self._plan(event, resolved):
            try:
                got = check(event, resolved, position, hearing)
                if got is not None and got.__class__ not in _LISTED:
                    got = _all_of(got, self.ruleset.rules[slot].id, self.strict)
            except Exception as error:
                if self.strict:
                    raise
                got = (Unchecked(self.ruleset.rules[slot].id, _our_words(error)),)
            if got is None:
                if hearing.asked:
                    asking.append(Asking(slot, check, hearing.asked, ()))
                    hearing.asked = {}
                continue
            runs[slot] += 1
            if hearing.asked:
                asking.append(Asking(slot, check, hearing.asked, tuple(got)))
                hearing.asked = {}
            elif got:
                found.extend(got)
        return found, asking

    def _all_of(self, slot: int, remarks: Iterable[Remark]) -> tuple[Remark, ...]:
        """All that a check sees; one that yields looks, asks and breaks only while it is gone through."""
        found: list[Remark] = []
        try:
            found.extend(remarks)
        except Exception as error:
            if self.strict:
                raise
            found.append(Unchecked(self.ruleset.rules[slot].id, _our_words(error)))
        return tuple(found)

    def _judge_singly(
        self,
        index: int,
        event: Any,
        seq: int,
        lane: Lane,
        resolved: Any,
        found: list[Remark],
        asking: list[Asking],
    ) -> list[tuple[Seen, Judged]]:
        """Follow each check that asked something through its own readings, and keep what was seen.

        What one rule sees hangs only on what it asks itself, so the readings of one rule need not be combined with
        those of another.
        """
        position = lane.position
        judgings: list[Judging] = []
        if found:
            remarks = self._doubted(event, found, position)
            judgings.append(Judging(index, event, seq, [Judged({}, lane, resolved, remarks, faults_of(remarks))], True))
        asked: set[str] = set()
        for one in asking:
            asked.update(one.asked)
            room = max(0, min(MOST_CELLS, self._spare))

            def judge(overrides: dict[str, str], one: Asking = one) -> tuple[dict[str, str], tuple[Remark, ...]]:
                if not overrides:
                    return one.asked, one.seen
                hearing = self._hearing(overrides)
                rule = self.ruleset.rules[one.slot].id
                try:
                    got = _all_of(one.check(event, resolved, position, hearing) or (), rule, self.strict)
                except Exception as error:
                    if self.strict:
                        raise
                    got = (Unchecked(rule, _our_words(error)),)
                asked.update(hearing.asked)
                return hearing.asked, got

            results, complete = explore(judge, self.rulings.domains, {}, 1 + room)
            self._spare -= len(results) - 1
            if complete and not any(seen for _, seen in results):
                continue
            cells: list[Judged] = []
            for assignment, seen in results:
                remarks = self._doubted(event, seen, position) if seen else ()
                cells.append(Judged(assignment, lane, resolved, remarks, faults_of(remarks) if remarks else {}))
            judgings.append(Judging(index, event, seq, cells, complete))
        self._count_asked(asked)
        fresh: list[tuple[Seen, Judged]] = []
        for judging in judgings:
            fresh += self._keep(judging)
        if fresh:
            self._draw_before(event, fresh)
        return fresh

    def _look(self, event: Any, resolved: Any, position: Any, hearing: Hearing, runs: list[int] | None) -> list[Remark]:
        """What the checks of one event see, on one position and under one set of options; counted in `runs`."""
        found: list[Remark] = []
        for slot, check in self._plan(event, resolved):
            try:
                got = check(event, resolved, position, hearing)
                if got is None:
                    continue
                if got != ():
                    found.extend(got)
            except Exception as error:
                if self.strict:
                    raise
                found.append(Unchecked(self.ruleset.rules[slot].id, _our_words(error)))
            if runs is not None:
                runs[slot] += 1
        return found

    def _judge_everywhere(self, index: int, event: Any, seq: int) -> None:
        """Judge one event under every reading that it asks, in every lane; keep what was seen; adopt in every lane."""
        judging, mains, asked = self._judgings(index, event, seq)
        fresh = self._keep(judging)
        if fresh:
            self._draw_before(event, fresh)
        selected = self.selected_lane()
        adopted: list[tuple[Lane, Any]] = []
        for lane, main in mains:
            # Positions can differ only where adopt asks, or where what was resolved differs.
            before = None
            if any(
                cell.lane is lane and cell.resolved is not main.resolved and cell.resolved != main.resolved
                for cell in judging.cells
            ):
                before = lane.position.copy()
            hearing = self._hearing(main.cube)
            hearing.adopting = lane.position if before is None else None
            self.ruleset.adopt(event, main.resolved, lane.position, hearing)
            hearing.adopting = None
            if lane is selected:
                self.outcome.silent += hearing.silent
            asked |= hearing.asked
            adopted.append((lane, hearing.snapshot if before is None else before))
        self._count_asked(asked)
        parted = {id(lane) for lane, before in adopted if before is not None}
        if fresh:
            self._complete(event, fresh, mains, parted)
        if parted or len(self.lanes) > 1:
            self._split(index, event, seq, adopted)

    def _judgings(self, index: int, event: Any, seq: int) -> tuple[Judging, list[tuple[Lane, Judged]], dict[str, str]]:
        """The event judged in every lane: all cells, each lane's first one, and all readings asked."""
        rulings = self.rulings
        everything: list[Judged] = []
        mains: list[tuple[Lane, Judged]] = []
        asked: dict[str, str] = {}
        whole = True
        room = max(0, min(MOST_CELLS, self._spare))
        for lane in self.lanes:
            main: Judged | None = None
            for cube in lane.cubes:
                is_in_force = in_force(cube, rulings)

                def judge(
                    overrides: dict[str, str],
                    position: Any = lane.position,
                    cube: Cube = cube,
                    is_in_force: bool = is_in_force,
                ) -> tuple[dict[str, str], tuple[Any, list[Remark]]]:
                    counts = is_in_force and overrides == cube
                    hearing = self._hearing(overrides)
                    resolved = self.ruleset.resolve(event, position, hearing)
                    runs = self.outcome.runs if counts else None
                    found = self._look(event, resolved, position, hearing, runs)
                    if counts:
                        self.outcome.silent += hearing.silent
                    asked.update(hearing.asked)
                    return hearing.asked, (resolved, found)

                results, complete = explore(judge, rulings.domains, cube, 1 + room)
                whole = whole and complete
                room -= len(results) - 1
                self._spare -= len(results) - 1
                for n, (assignment, (resolved, found)) in enumerate(results):
                    remarks = self._doubted(event, found, lane.position)
                    cell = Judged(assignment, lane, resolved, remarks, faults_of(remarks))
                    everything.append(cell)
                    if n == 0 and (main is None or is_in_force):
                        main = cell
            assert main is not None, "a lane has at least one assignment"
            mains.append((lane, main))
        self._spare -= len(self.lanes) - 1
        return Judging(index, event, seq, everything, whole), mains, asked

    def _doubted(self, event: Any, remarks: Iterable[Remark], position: Any) -> tuple[Remark, ...]:
        """The remarks, with each fault that rests on something unknown made ambiguous."""
        kept: list[Remark] = []
        faults: list[Fault] = []
        for remark in remarks:
            if not isinstance(remark, Fault):
                kept.append(remark)
                continue
            if position.holes and remark.kind in ACCUSATIONS:
                hole = position.holes.doubt(remark.rests_on)
                if hole is not None:
                    text = f"{remark.text} Not decidable: {hole.why}."
                    remark = replace(remark, kind="ambiguous", would_be=remark.kind, text=text)
            faults.append(remark)
        if self.ruleset.suspended is not None and faults:
            passed_by = self.ruleset.suspended(event, position)
            faults = [fault for fault in faults if fault.rule not in passed_by]
        if self.ruleset.sift is not None and faults:
            faults = self.ruleset.sift(event, position, faults)
        return (*kept, *faults)

    def look(self, event: Any, resolved: Any, position: Any, hearing: Hearing) -> tuple[Remark, ...]:
        """What the rules see in one event on some other position; counted nowhere."""
        return self._doubted(event, self._look(event, resolved, position, hearing, None), position)

    # -- what was seen ----------------------------------------------------------------------------------------

    def _keep(self, judging: Judging) -> list[tuple[Seen, Judged]]:
        """Make what the cells show into faults with scopes, each with the cell that it is shown from."""
        index, seq, rulings = judging.index, judging.seq, self.rulings
        if judging.whole and not any(cell.remarks for cell in judging.cells):
            return []
        maybe = [cell for cell in judging.cells if may_be_in_force(cell.cube, rulings)]
        covered = covers((cell.cube for cell in maybe), rulings.undecided, rulings.domains)
        if not covered and not judging.whole:
            self._was_not_checked(index, seq, None, "it depends on more open readings than can be followed")
        said: set[Unchecked] = set()
        for cell in maybe:
            is_in_force = in_force(cell.cube, rulings)
            for remark in cell.remarks:
                if isinstance(remark, Note) and is_in_force:
                    self._notes.append((index, seq, remark))
                elif isinstance(remark, Unchecked) and remark not in said:
                    said.add(remark)
                    self._unchecked.append((index, seq, remark))
        keys = dict.fromkeys(key for cell in judging.cells for key in cell.faults)
        if not keys:
            return []
        whole = covers((cell.cube for cell in judging.cells), rulings.domains.keys(), rulings.domains)
        shown = [self._shown(key, judging, maybe, covered, whole) for key in keys]
        fresh = [one for one in shown if one is not None]
        room = MOST_SEEN - len(self.outcome.seen)
        if len(fresh) > room:
            # A record with more faults than anybody can read: the rest is counted, and the audit says so.
            self._beyond += len(fresh) - max(0, room)
            fresh = fresh[: max(0, room)]
        for seen, _ in fresh:
            self.outcome.seen.append(seen)
            self._seen_on_line.append(seen)
        return fresh

    def _shown(
        self, key: FaultKey, judging: Judging, maybe: list[Judged], covered: bool, whole: bool
    ) -> tuple[Seen, Judged] | None:
        """One fault as it is shown: as under the rulings in force if it is there, else as where it is.

        `maybe` are the cells that lie in the rulings in force if open readings may go either way; `covered`: they are
        all that there are; `whole`: the cells cover every reading.
        """
        rulings = self.rulings
        there = [cell for cell in judging.cells if key in cell.faults]
        accusing = [cell for cell in there if cell.faults[key].kind in ACCUSATIONS]
        there_in_force = [cell for cell in maybe if key in cell.faults]
        cell = next(
            (one for one in there_in_force if in_force(one.cube, rulings)),
            (there_in_force or accusing or there)[0],
        )
        fault = cell.faults[key]
        if fault.kind not in ACCUSATIONS and not there_in_force:
            # An ambiguity under readings that nobody chose leaves nothing undecided here.
            text = f"Under {_named(cell.cube)}: {fault.text}"
            self._notes.append((judging.index, judging.seq, Note("reading", text, fault.rule)))
            return None
        agreeing = {id(one) for one in (accusing if fault.kind in ACCUSATIONS else there)}
        scope = scope_of([(one.cube, id(one) in agreeing) for one in judging.cells], rulings, partial=not whole)
        if scope.readings and any(
            isinstance(remark, Unchecked) and remark.rule == fault.rule
            for one in judging.cells
            for remark in one.remarks
        ):
            scope = replace(scope, partial=True)
        stands = bool(there_in_force) and fault.kind in ACCUSATIONS
        if stands and not (covered and all(id(one) in agreeing for one in maybe)):
            stands = False
            unruled = [reading for reading in scope.readings if reading in rulings.undecided]
            text = f"{fault.text} Not decidable: nobody has ruled on {' and '.join(unruled)}."
            fault = replace(fault, kind="ambiguous", would_be=fault.kind, text=text)
        seen = Seen(
            index=judging.index,
            pinned=judging.index if fault.seq is None else self._place(fault.seq, judging.index),
            seq=judging.seq if fault.seq is None else fault.seq,
            seen_at=judging.seq,
            key=key,
            fault=fault,
            scope=scope,
            stands=stands,
            under=self._otherwise(key, cell, there),
            options=cell.cube,
        )
        return seen, cell

    def _otherwise(self, key: FaultKey, shown: Judged, there: list[Judged]) -> tuple[tuple[Cube, Fault], ...]:
        """The readings under which the same fault has another kind or other recomputed values."""
        fault = shown.faults[key]
        others: list[tuple[Fault, list[Cube]]] = []
        for cell in there:
            other = cell.faults[key]
            if other is fault or (other.kind == fault.kind and other.recomputed == fault.recomputed):
                continue
            for known, cubes in others:
                if known.kind == other.kind and known.recomputed == other.recomputed:
                    cubes.append(cell.cube)
                    break
            else:
                others.append((other, [cell.cube]))
        entries = [(cube, other) for other, cubes in others for cube in simplified(cubes, self.rulings.domains)]
        return tuple(sorted(entries, key=lambda entry: sorted(entry[0].items())))

    def _draw_before(self, event: Any, fresh: list[tuple[Seen, Judged]]) -> None:
        """Give faults the position that they were judged on and what their rules have to show; before adopt."""
        room = max(0, MOST_DRAWN - (len(self.outcome.seen) - len(fresh)))
        positions: dict[int, Any] = {}
        boards: dict[int, Any] = {}
        for seen, _ in fresh[room:]:
            # Nothing of it will be shown, and what could show it holds on to the whole event as it was resolved.
            seen.fault = replace(seen.fault, evidence=None)
            seen.under = tuple((cube, replace(other, evidence=None)) for cube, other in seen.under)
        for seen, cell in fresh[:room]:
            lane = id(cell.lane)
            if lane not in positions:
                positions[lane] = cell.lane.position.copy()
                boards[lane] = self._try_to_show(seen, partial(self.ruleset.draw, positions[lane], event))
            seen.before = positions[lane]
            seen.evidence = {**NO_EVIDENCE, "before": boards[lane]}
            if seen.fault.evidence is not None:
                seen.evidence.update(self._try_to_show(seen, seen.fault.evidence) or {})
            if not seen.evidence["marks"] and self.ruleset.marks is not None:
                # The rule has nothing of its own to show: then the act itself is drawn.
                drawn = self._try_to_show(seen, partial(self.ruleset.marks, event, positions[lane]))
                seen.evidence["marks"] = drawn or []

    def _complete(
        self, event: Any, fresh: list[tuple[Seen, Judged]], mains: list[tuple[Lane, Judged]], parted: set[int]
    ) -> None:
        """Give faults what can be said only after the event: the board as played on, and what the fault changed.

        `parted`: ids of the lanes in which the readings leave different positions.
        """
        boards: dict[int, Any] = {}
        effects: dict[int, Effects] = {}
        main_cells = {id(main) for _, main in mains}
        for seen, cell in fresh:
            if seen.before is None:
                continue
            if id(cell) in main_cells or id(cell.lane) not in parted:
                played = cell.lane.position
                lane = id(cell.lane)
            else:
                played = self._try_to_show(seen, partial(self._played, event, seen))
                lane = id(cell)
                if played is None:
                    continue
            if lane not in boards:
                boards[lane] = self._try_to_show(seen, partial(self.ruleset.draw, played, event))
                effects[lane] = Effects(self, event, played)
            seen.evidence["after"] = boards[lane]
            if seen.fault.kind in ACCUSATIONS:
                seen.effect = self._try_to_show(seen, partial(effects[lane].of, seen)) or seen.effect

    def _played(self, event: Any, seen: Seen) -> Any:
        """The position after an event as play goes on under the readings that a fault is shown under."""
        position = seen.before.copy()
        hearing = self._hearing(seen.options)
        self.ruleset.adopt(event, self.ruleset.resolve(event, position, hearing), position, hearing)
        return position

    def corrected(self, event: Any, seen: Seen) -> Any:
        """The position after an event with one fault put right."""
        return self.put_right(event, seen)[0]

    def put_right(self, event: Any, seen: Seen) -> tuple[Any, dict[str, str]]:
        """The position after an event with one fault put right, and the readings on which it hangs."""
        position = seen.before.copy()
        hearing = self._hearing(seen.options)
        resolved = self.ruleset.resolve(event, position, hearing)
        self.ruleset.correct(event, resolved, position, hearing, seen.fault)
        return position, hearing.asked

    def _try_to_show(self, seen: Seen, show: Callable[[], Shown]) -> Shown | None:
        """What `show` gives back; a fault must not be lost because its picture failed."""
        try:
            return show()
        except Exception as error:
            if self.strict:
                raise
            text = f"What {seen.fault.rule} has to show is missing: {_our_words(error)}."
            self._notes.append((seen.index, seen.seen_at, Note("unverifiable", text, seen.fault.rule)))
            return None

    def _place(self, seq: int, index: int) -> int:
        """Where in the record the last event numbered `seq` stands, at or before `index`; `index` if there is none."""
        if self._places is None:
            self._places = {}
            for place, event in enumerate(self.record.events):
                self._places.setdefault(event.seq, []).append(place)
        places = self._places.get(seq, [])
        n = bisect_right(places, index)
        return places[n - 1] if n else index

    def _count_asked(self, asked: Iterable[str]) -> None:
        for reading in asked:
            self.outcome.asked[reading] = self.outcome.asked.get(reading, 0) + 1

    # -- lanes ------------------------------------------------------------------------------------------------

    def selected_lane(self) -> Lane:
        """The lane of the rulings in force."""
        if len(self.lanes) == 1:
            return self.lanes[0]
        return next(lane for lane in self.lanes for cube in lane.cubes if in_force(cube, self.rulings))

    def _split(self, index: int, event: Any, seq: int, adopted: list[tuple[Lane, Any]]) -> None:
        """Part lanes in which readings leave different positions, and join those whose positions are equal.

        `adopted`: each lane, its event adopted, with the position before the event where the lane may part.
        """
        parts: list[Lane] = []
        whole = True
        room = max(0, min(MOST_CELLS, self._spare))
        for lane, before in adopted:
            if before is None:
                parts.append(lane)
                continue

            def adopt(overrides: dict[str, str], before: Any = before) -> tuple[dict[str, str], Any]:
                # Resolved again, because what was resolved may hold on to parts of the position.
                position = before.copy()
                hearing = self._hearing(overrides)
                resolved = self.ruleset.resolve(event, position, hearing)
                self.ruleset.adopt(event, resolved, position, hearing)
                return hearing.asked, position

            for cube in lane.cubes:
                results, complete = explore(adopt, self.rulings.domains, cube, 1 + room)
                whole = whole and complete
                room -= len(results) - 1
                self._spare -= len(results) - 1
                parts += [Lane(position, [assignment]) for assignment, position in results]
        joined: list[Lane] = []
        for part in parts:
            for lane in joined:
                if lane.position == part.position:
                    lane.cubes.extend(part.cubes)
                    break
            else:
                joined.append(part)
        self._spare -= len(joined) * len(joined) // 8
        nothing_changed = len(joined) == len(parts) == len(self.lanes)
        self.lanes = joined
        if nothing_changed and whole and self._spare > 0:
            return
        domains = self.rulings.domains
        if not whole or (len(joined) > 1 and self._spare <= 0):
            self._follow_one_lane(index, seq)
        elif len(joined) == 1 and covers(joined[0].cubes, domains.keys(), domains):
            joined[0].cubes = [{}]
        else:
            for lane in joined:
                lane.cubes = simplified(lane.cubes, domains)
            if sum(len(lane.cubes) for lane in joined) > MOST_LANES:
                self._follow_one_lane(index, seq)

    def _follow_one_lane(self, index: int, seq: int) -> None:
        """Give up all lanes but that of the rulings in force. Its assignment stays with it: it no longer covers all."""
        lane = self.selected_lane()
        cube = next(cube for cube in lane.cubes if in_force(cube, self.rulings))
        self.lanes = [Lane(lane.position, [cube])]
        if not covers([cube], self.rulings.undecided, self.rulings.domains):
            why = "from here on, what follows depends on more open readings than can be followed"
            self._was_not_checked(index, seq, None, why)

    # -- what every game has ----------------------------------------------------------------------------------

    def _special(
        self,
        index: int,
        event: Any,
        seq: int,
        hearing: Hearing,
        undos: dict[int, int],
        snapshots: dict[int, Snapshot],
    ) -> Hearing:
        """Events that mean the same in every game, and those that the game does not have."""
        kind = type(event)
        name = self.ruleset.events.get(kind)
        if name is None:
            self._unknown(index, event, seq)
        elif name == "undo":
            self._undo(index, event, seq, undos, snapshots)
        elif name != "remark":
            hearing = self._step(index, event, seq, hearing)
            if name == "judge":
                self._ruled_by_judge(index, event, seq)
            elif name == "end":
                self.finished = getattr(event, "reason", None) == "finished"
        return hearing

    def _undo_targets(self) -> dict[int, int]:
        """Numbers of the events to which undos go back, with how many do."""
        wanted: dict[int, int] = {}
        undo = {kind for kind, name in self.ruleset.events.items() if name == "undo"}
        for event in self.record.events:
            if type(event) in undo and isinstance(event.to, int):
                wanted[event.to] = wanted.get(event.to, 0) + 1
        return wanted

    def _keep_snapshot(self, seq: int, index: int, snapshots: dict[int, Snapshot]) -> None:
        replaced = snapshots.pop(seq, None)
        self._kept -= len(replaced.lanes) if replaced else 0
        if self._kept + len(self.lanes) <= MOST_SNAPSHOTS:
            lanes = [lane.copy() for lane in self.lanes]
            snapshots[seq] = Snapshot(index, lanes, self._stretch, self.finished)
            self._kept += len(lanes)

    def _undo(self, index: int, event: Any, seq: int, undos: dict[int, int], snapshots: dict[int, Snapshot]) -> None:
        """Go back to just after an earlier event; what was played since is taken back, unless play returns to it."""
        goes_back = snapshots.get(event.to)
        if goes_back is None:
            why = f"event {seq} takes play back to event {event.to}, to which the record cannot be followed"
            self._was_not_checked(index, seq, None, why)
            self._hole(index, seq, why)
            return
        self.lanes = [lane.copy() for lane in goes_back.lanes]
        self.finished = goes_back.finished
        self._stretch = Stretch(index, goes_back.stretch, goes_back.place)
        while self._seen_on_line and self._seen_on_line[-1].index > goes_back.place:
            self._seen_on_line.pop().undone_by = seq
        undos[event.to] -= 1
        if not undos[event.to]:
            del undos[event.to], snapshots[event.to]
            self._kept -= len(goes_back.lanes)

    def was_played(self, index: int) -> bool:
        """Whether an event belongs to the game as it was played in the end: no undo took it back for good."""
        n = bisect_right(self._starts, index) - 1
        return n >= 0 and index < self._stops[n]

    def _misplaced(self, index: int, seq: int | None, expected: int) -> int:
        """An event whose number is not the next one. Gives back the number that it goes by."""
        if seq is None:
            return expected
        if seq > expected:
            missing = f"event {expected} is" if seq == expected + 1 else f"events {expected} to {seq - 1} are"
            why = f"{missing} missing from the record"
        else:
            why = f"event number {seq} stands where {expected} was expected"
        self._was_not_checked(index, seq, None, why)
        self._hole(index, seq, why)
        return seq

    def _unknown(self, index: int, event: Any, seq: int) -> None:
        """An event of a type that the game does not have, or a line that could not be read."""
        why = getattr(event, "why", None)
        if why is None:
            why = f"event {seq} is of an unknown type"
            name = str(getattr(event, "type", type(event).__name__))[:64]
            self._notes.append((index, seq, Note("unknown_event", f'Event {seq} is of the unknown type "{name}".')))
        self._was_not_checked(index, seq, None, why)
        self._hole(index, seq, why)

    def _ruled_by_judge(self, index: int, event: Any, seq: int) -> None:
        text = str(getattr(event, "text", None) or "A judge ruled.")
        self._notes.append((index, seq, Note("by_judge", text)))
        if getattr(event, "position", None) is None:
            why = f"a judge ruled at event {seq} and the record does not say what it changed"
            self._hole(index, seq, why, after=True)

    def _hole(self, index: int, seq: int, why: str, *, after: bool = False) -> None:
        """From just before (or after) an event on, nothing is certain."""
        hole = Hole(seq, why)
        self.holes_at.setdefault(index, []).append((after, hole))
        for lane in self.lanes:
            lane.position.holes.open(hole)

    def _was_not_checked(self, index: int, seq: int, rule: str | None, why: str) -> None:
        self._unchecked.append((index, seq, Unchecked(rule, why)))

    def _close(self) -> None:
        """Settle what was taken back, and say what is unfinished."""
        self._settle_stretches()
        outcome = self.outcome
        if self._beyond:
            seq = self.record.events[-1].seq or 0
            why = f"{self._beyond} more faults were seen than the {MOST_SEEN} that are listed"
            outcome.unchecked.append((seq, Unchecked(None, why)))
        for seen in outcome.seen:
            if seen.undone_by is not None:
                if self.was_played(seen.index):
                    seen.undone_by = None
                else:
                    seen.stands = False
        for index, seq, unchecked in self._unchecked:
            if self.was_played(index):
                outcome.unchecked.append((seq, unchecked))
            else:
                # What was not looked at has been taken back: it leaves nothing open, but it is said.
                text = f"Not checked: {unchecked.why}. Play was taken back later."
                self._notes.append((index, seq, Note("hole", text, unchecked.rule)))
        self._notes.sort(key=lambda said: said[0])
        outcome.notes = [(seq, note) for _, seq, note in self._notes]
        if self.finished or not self.record.events:
            return
        seq = next((event.seq for event in reversed(self.record.events) if event.seq is not None), 0)
        try:
            for sentence in self.ruleset.unfinished(self.selected_lane().position):
                note = Note("unverifiable", f"Unfinished at the end of the record: {sentence}")
                outcome.notes.append((seq, note))
        except Exception as error:
            if self.strict:
                raise
            outcome.unchecked.append((seq, Unchecked(None, _our_words(error))))

    def _settle_stretches(self) -> None:
        """The parts of the record that were played in the end, as places to start and stop at."""
        stop = len(self.record.events)
        stretch: Stretch | None = self._stretch
        parts: list[tuple[int, int]] = []
        while stretch is not None:
            parts.append((stretch.start, stop))
            stop = stretch.last + 1
            stretch = stretch.after
        parts.reverse()
        self._starts = [start for start, _ in parts]
        self._stops = [stop for _, stop in parts]


_LISTED = (tuple, list)


def _all_of(remarks: Iterable[Remark], rule: str, strict: bool) -> tuple[Remark, ...]:
    """All that a check yields; where it breaks off, what came before is kept."""
    found: list[Remark] = []
    try:
        for remark in remarks:
            found.append(remark)
    except Exception as error:
        if strict:
            raise
        found.append(Unchecked(rule, _our_words(error)))
    return tuple(found)


def _our_words(error: Exception) -> str:
    return f"a fault of the auditor, not of the players ({type(error).__name__})"


def _named(cube: Cube) -> str:
    return " and ".join(f"{reading} as {option}" for reading, option in sorted(cube.items()))


class Effects:
    """What the faults of one event changed, against the position as it was played on."""

    def __init__(self, replay: Replay, event: Any, played: Any) -> None:
        self.replay = replay
        self.event = event
        self.played = played
        self._facts: Mapping[str, Any] | None = None
        self._known: dict[Any, list[tuple[dict[str, str], dict[str, Any]]]] = {}

    def of(self, seen: Seen) -> dict[str, Any]:
        """The effect of one fault, the same for all that are put right alike under the readings that it hangs on."""
        ruleset = self.replay.ruleset
        known = self._known.setdefault((id(seen.before), ruleset.alike(seen.fault)), [])
        options = {**self.replay.rulings.selected, **seen.options}
        for asked, effect in known:
            if all(options[reading] == option for reading, option in asked.items()):
                return effect
        ruled, asked = self.replay.put_right(self.event, seen)
        if self._facts is None:
            self._facts = ruleset.facts(self.played)
        effect = _difference(self._facts, ruleset.facts(ruled))
        known.append((asked, effect))
        return effect


def _difference(played: Mapping[str, Any], ruled: Mapping[str, Any]) -> dict[str, Any]:
    differing = [what for what, value in played.items() if ruled.get(what) != value]
    differing += [what for what, value in ruled.items() if what not in played and value is not None]
    changed = [
        {"what": what, "as_played": played.get(what), "by_the_rules": ruled.get(what)} for what in sorted(differing)
    ]
    if not changed:
        return {"changed": [], "text": "It changed nothing on the board."}
    lines = [
        f"{one['what']}: {_said(one['as_played'])} as played, {_said(one['by_the_rules'])} by the rules"
        for one in changed
    ]
    return {"changed": changed, "text": "; ".join(lines[:6]) + (" and more" if len(lines) > 6 else "") + "."}


def _said(value: Any) -> str:
    return "none" if value is None else str(value)
