"""What was seen: faults with their scopes, notes, and what could not be checked, kept as the replay goes along."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from auditor.core import bounds
from auditor.core.findings import ACCUSATIONS, UNTOLD, Fault, Note, Remark, Unchecked
from auditor.core.lanes import Lane
from auditor.core.look import Terms
from auditor.core.record import Record, player_of
from auditor.core.scopes import (
    EVERY_READING,
    Cube,
    FaultKey,
    Partition,
    Scope,
    partitions_under,
    simplified,
)
from auditor.core.work import spend

NO_EVIDENCE: dict[str, Any] = {"before": None, "after": None, "marks": [], "sight": None, "path": []}
"""That of a fault beyond the first `MOST_DRAWN`."""
NO_EFFECT: dict[str, Any] = {
    "changed": [],
    "followed_to": None,
    "unknown_from": None,
    "odds": [],
    "gain": "unknown",
    "text": "",
}


@dataclass(slots=True)
class Seen:
    """A fault as the replay found it, with what a finding needs.

    index     place in the record of the event that showed it; `seen_at` is that event's number
    pinned    place in the record of the event that it belongs to; `seq` is that event's number
    options   the assignment of readings under which the fault is the one given
    keys      those of all the faults that it stands for: its own, and those of the same act that `also` names
    slim      whether it is an accusation that holds only under readings not in force: it is drawn if somebody asks
    evidence, effect   None where it is not drawn
    before    the position that it was judged on (None where it is not drawn)
    undone_by number of the undo that took its event back, if play did not return to it
    meant     what a line may have meant that explains it (`meant.Meant`); of_player: whose it is then, if another's
    """

    index: int
    pinned: int
    seq: int
    seen_at: int
    keys: tuple[FaultKey, ...]
    fault: Fault
    scope: Scope
    stands: bool
    under: tuple[tuple[Cube, Fault], ...]
    options: Cube
    slim: bool = False
    evidence: dict[str, Any] | None = None
    effect: dict[str, Any] | None = None
    before: Any = None
    undone_by: int | None = None
    depends_on: tuple[int, ...] = ()
    meant: Any = None
    of_player: str | None = None

    def player(self, events: Sequence[Any]) -> str | None:
        """Whose act or number it is; where the fault does not say, the player of the event that it is pinned to."""
        player = self.fault.player if self.of_player is None else self.of_player
        return player_of(events[self.pinned]) if player == "" else player


@dataclass(slots=True)
class Outcome:
    """All that one replay saw.

    runs      for each rule, in the ruleset's order, how many events its check looked at under the rulings in force
    resolved  events that were replayed
    silent    claims that the log did not make
    asked     reading -> events that asked it, under whatever options
    ended     whether the record has its end
    checked   whether a rule looked at an act
    until     where a record without its end breaks off, in words
    beyond    faults that were seen and are not in `seen`, since there are too many to list
    beyond_stands, beyond_undecided   whether one of these stands, or is an ambiguity that play did not take back
    """

    seen: list[Seen] = field(default_factory=list)
    notes: list[tuple[int, Note]] = field(default_factory=list)
    unchecked: list[tuple[int, Unchecked]] = field(default_factory=list)
    runs: list[int] = field(default_factory=list)
    resolved: int = 0
    silent: int = 0
    asked: dict[str, int] = field(default_factory=dict)
    ended: bool = True
    checked: bool = True
    until: str = ""
    beyond: int = 0
    beyond_stands: bool = False
    beyond_undecided: bool = False


class Judged(NamedTuple):
    """What one rule sees of an event in one lane under one assignment of readings.

    Assignments that give the same answers to what the rule asks share their remarks and faults; `told`, where the rule
    asks something, gives the faults in the words of one assignment.
    """

    cube: Cube
    lane: Lane
    remarks: tuple[Remark, ...]
    faults: dict[FaultKey, Fault]
    told: Callable[[Cube], dict[FaultKey, Fault]] | None


@dataclass(slots=True)
class Judging:
    """One event as one rule sees it under everything that it asks. `whole` is false where there was too much to ask."""

    index: int
    event: Any
    seq: int
    cells: list[Judged]
    whole: bool


class Ledger:
    """Keeps what the rules see: `outcome` is the sum of it, `on_line` the faults that no undo has taken back so far."""

    def __init__(self, terms: Terms, record: Record, runs: list[int]) -> None:
        self.ruleset = terms.ruleset
        self.rulings = terms.rulings
        self.strict = terms.strict
        self.record = record
        self.outcome = Outcome(runs=runs)
        self.on_line: list[Seen] = []
        self._beyond_stands: set[int] = set()
        self._beyond_undecided: set[int] = set()
        self.notes: list[tuple[int, int, Note]] = []
        self.unchecked: list[tuple[int, int, Unchecked]] = []
        self._places: dict[int, list[int]] | None = None
        self._partitions = partitions_under(terms.rulings)

    def note(self, index: int, seq: int, note: Note) -> None:
        self.notes.append((index, seq, note))

    def was_not_checked(self, index: int, seq: int, rule: str | None, why: str) -> None:
        self.unchecked.append((index, seq, Unchecked(rule, why)))

    def count_asked(self, asked: Iterable[str]) -> None:
        for reading in asked:
            self.outcome.asked[reading] = self.outcome.asked.get(reading, 0) + 1

    def keep(self, event: Any, judgings: list[Judging]) -> list[tuple[Seen, Judged]]:
        """Make what the rules see in one event into faults with scopes, each with the cell that it is shown from."""
        fresh: list[tuple[Seen, Judged]] = []
        for judging in judgings:
            fresh += self._faults_in(judging)
        if len(fresh) > 1 and self.ruleset.may_be_one_act([seen.fault.rule for seen, _ in fresh]):
            fresh = self._grouped(event, fresh)
        spend(bounds.WORK_OF_A_FAULT * len(fresh))
        for seen, _ in fresh:
            self.outcome.seen.append(seen)
            self.on_line.append(seen)
        if len(self.outcome.seen) > 2 * bounds.MOST_SEEN:
            self._cut()
        return fresh

    def _cut(self) -> None:
        """Keep as many faults as may be listed: those that stand before those that do not, then the first seen."""
        outcome = self.outcome
        if len(outcome.seen) <= bounds.MOST_SEEN:
            return
        order = sorted(range(len(outcome.seen)), key=lambda i: _weight(outcome.seen[i]))
        for i in order[bounds.MOST_SEEN :]:
            one = outcome.seen[i]
            if one.stands:
                self._beyond_stands.add(one.index)
            elif one.fault.kind == "ambiguous":
                self._beyond_undecided.add(one.index)
        outcome.beyond += len(order) - bounds.MOST_SEEN
        outcome.seen = [outcome.seen[i] for i in sorted(order[: bounds.MOST_SEEN])]
        kept = {id(one) for one in outcome.seen}
        self.on_line = [one for one in self.on_line if id(one) in kept]

    def _faults_in(self, judging: Judging) -> list[tuple[Seen, Judged]]:
        """What one rule sees in one event; its notes and what it could not check are kept on the way."""
        index, seq, cells = judging.index, judging.seq, judging.cells
        if judging.whole and len(cells) == 1 and not cells[0].cube and cells[0].told is None:
            return self._everywhere(judging, cells[0])
        parts = self._partitions.of([cell.cube for cell in cells])
        if not parts.covered and not judging.whole:
            self._too_much_asked(index, seq)
        said: set[Unchecked] = set()
        for n, is_in_force in parts.maybe.items():
            for remark in cells[n].remarks:
                if isinstance(remark, Note) and is_in_force:
                    self.note(index, seq, remark)
                elif isinstance(remark, Unchecked) and remark not in said:
                    said.add(remark)
                    self.unchecked.append((index, seq, remark))
        keys = cells[0].faults if len(cells) == 1 else dict.fromkeys([key for cell in cells for key in cell.faults])
        shown = [self._shown(key, judging, parts) for key in keys]
        return [one for one in shown if one is not None]

    def _everywhere(self, judging: Judging, cell: Judged) -> list[tuple[Seen, Judged]]:
        """What one rule sees under every reading alike: as `_faults_in` and `_shown`, with nothing to be weighed."""
        index, seq = judging.index, judging.seq
        unchecked: list[Unchecked] = []
        for remark in cell.remarks:
            if isinstance(remark, Note):
                self.note(index, seq, remark)
            elif isinstance(remark, Unchecked) and remark not in unchecked:
                unchecked.append(remark)
        self.unchecked += [(index, seq, remark) for remark in unchecked]
        return [
            (self._seen(judging, key, fault, EVERY_READING, fault.kind in ACCUSATIONS, cell.cube), cell)
            for key, fault in cell.faults.items()
        ]

    def _too_much_asked(self, index: int, seq: int) -> None:
        """An event asks more open readings than can be followed; said once for all its rules."""
        said = (index, seq, Unchecked(None, "it depends on more open readings than can be followed"))
        if said not in self.unchecked[-1:]:
            self.unchecked.append(said)

    def _grouped(self, event: Any, fresh: list[tuple[Seen, Judged]]) -> list[tuple[Seen, Judged]]:
        """One fault for each act: of faults that hold under the same readings and are pinned to the same event, the game
        says which belong to one act. The first stands for the others (`also`)."""
        together: dict[Any, list[tuple[Seen, Judged]]] = {}
        for seen, cell in fresh:
            same = (seen.scope.key(), seen.fault.kind == "ambiguous", seen.stands, seen.pinned)
            together.setdefault(same, []).append((seen, cell))
        kept: list[tuple[Seen, Judged]] = []
        for ones in together.values():
            if len(ones) == 1:
                kept += ones
                continue
            by_fault = {id(seen.fault): (seen, cell) for seen, cell in ones}
            try:
                acts = self.ruleset.acts(event, ones[0][1].lane.position, [seen.fault for seen, _ in ones])
                for primary, *others in acts:
                    seen, cell = by_fault.pop(id(primary))
                    also = [by_fault.pop(id(fault))[0] for fault in others]
                    rules = dict.fromkeys((*primary.also, *(one.fault.rule for one in also)))
                    missed = next((one for one in (primary, *others) if one.due or one.lacks), primary)
                    named = tuple(rule for rule in rules if rule != primary.rule)
                    seen.fault = primary._replace(also=named, due=missed.due, lacks=missed.lacks)
                    seen.keys += tuple(key for one in also for key in one.keys)
                    kept.append((seen, cell))
                if by_fault and self.strict:
                    raise ValueError(f"{len(by_fault)} faults belong to no act")
            except Exception:
                if self.strict:
                    raise
            # Whatever is grouped or not: no fault is lost.
            kept += by_fault.values()
        return kept

    def _shown(self, key: FaultKey, judging: Judging, parts: Partition) -> tuple[Seen, Judged] | None:
        """One fault as it is shown: as under the rulings in force if it is there, else as where it is."""
        rulings, cells, maybe = self.rulings, judging.cells, parts.maybe
        seen_there = [cell.faults.get(key) for cell in cells]
        there = [n for n, fault in enumerate(seen_there) if fault is not None]
        accusing = [n for n, fault in enumerate(seen_there) if fault is not None and fault.kind in ACCUSATIONS]
        there_in_force = [n for n in there if n in maybe]
        first = next(
            (n for n in there_in_force if maybe[n]),
            ([n for n in accusing if n in maybe] or there_in_force or accusing or there)[0],
        )
        cell = cells[first]
        fault = cell.faults[key]
        if cell.told is not None:
            fault = cell.told(cell.cube).get(key, fault)
        if fault.kind not in ACCUSATIONS and not there_in_force:
            # An ambiguity under readings that nobody chose leaves nothing undecided here.
            text = f"{self._answered(cell.cube)}: {fault.text}"
            self.notes.append((judging.index, judging.seq, Note("reading", text, fault.rule)))
            return None
        agreeing = accusing if fault.kind in ACCUSATIONS else there
        scope = parts.scope(agreeing)
        if scope.readings and any(
            isinstance(remark, Unchecked) and remark.rule == fault.rule for one in cells for remark in one.remarks
        ):
            scope = replace(scope, partial=True)
        stands = bool(there_in_force) and fault.kind in ACCUSATIONS
        if stands and not (parts.covered and maybe.keys() <= set(agreeing)):
            stands = False
            unruled = [reading for reading in scope.readings if reading in rulings.undecided]
            questions = " and ".join(f"“{self.ruleset.reading(one).question}” ({one})" for one in unruled)
            text = f"{fault.text}{UNTOLD}nobody has answered {questions}."
            fault = fault._replace(kind="ambiguous", would_be=fault.kind, text=text)
        seen = self._seen(judging, key, fault, scope, stands, cell.cube)
        seen.slim = not stands and fault.kind in ACCUSATIONS
        seen.under = self._otherwise(cell.faults[key], seen_there, cells)
        return seen, cell

    def _answered(self, cube: Cube) -> str:
        """Answers to open questions in words: 'If the answer to “From where?” is “from the nearest” (R-FROM: NEAREST)'."""
        said = []
        for reading_id, option_id in sorted(cube.items()):
            reading = self.ruleset.reading(reading_id)
            means = next((option.means for option in reading.options if option.id == option_id), option_id)
            said.append(f"“{reading.question}” is “{means}” ({reading_id}: {option_id})")
        return f"If the answer to {' and that to '.join(said)}"

    def _seen(self, judging: Judging, key: FaultKey, fault: Fault, scope: Scope, stands: bool, options: Cube) -> Seen:
        if self.strict and fault.game_fields and not fault.game_fields.keys() <= self.ruleset.fields.keys():
            raise ValueError(f"{fault.rule} has fields that the ruleset does not declare: {sorted(fault.game_fields)}")
        index, seq = judging.index, fault.seq
        if seq is None:
            return Seen(index, index, judging.seq, judging.seq, (key,), fault, scope, stands, (), options)
        return Seen(index, self._place(seq, index), seq, judging.seq, (key,), fault, scope, stands, (), options)

    def _otherwise(
        self, fault: Fault, seen_there: list[Fault | None], cells: list[Judged]
    ) -> tuple[tuple[Cube, Fault], ...]:
        """The readings under which the same fault has another kind or other recomputed values."""
        others: list[tuple[Fault, list[Cube]]] = []
        for other, cell in zip(seen_there, cells, strict=True):
            if other is None or other is fault:
                continue
            if other.kind == fault.kind and other.recomputed == fault.recomputed:
                continue
            for known, cubes in others:
                if known.kind == other.kind and known.recomputed == other.recomputed:
                    cubes.append(cell.cube)
                    break
            else:
                others.append((other, [cell.cube]))
        if not others:
            return ()
        entries = [(cube, other) for other, cubes in others for cube in simplified(cubes, self.rulings.domains)]
        return tuple(sorted(entries, key=lambda entry: sorted(entry[0].items())))

    def _place(self, seq: int, index: int) -> int:
        """Where in the record the last event numbered `seq` stands, at or before `index`; `index` if there is none."""
        if self._places is None:
            self._places = {}
            for place, event in enumerate(self.record.events):
                self._places.setdefault(event.seq, []).append(place)
        places = self._places.get(seq, [])
        n = bisect_right(places, index)
        return places[n - 1] if n else index

    def take_back(self, place: int, seq: int) -> None:
        """The undo numbered `seq` has taken back what was seen after one place of the record."""
        while self.on_line and self.on_line[-1].index > place:
            self.on_line.pop().undone_by = seq

    def close(self, was_played: Callable[[int], bool]) -> None:
        """Settle what was taken back for good, and put notes in the order of the record."""
        outcome = self.outcome
        for seen in outcome.seen:
            if seen.undone_by is not None:
                if was_played(seen.index):
                    seen.undone_by = None
                else:
                    seen.stands = False
        self._cut()
        outcome.beyond_stands = any(map(was_played, self._beyond_stands))
        outcome.beyond_undecided = any(map(was_played, self._beyond_undecided))
        for index, seq, unchecked in self.unchecked:
            if was_played(index):
                outcome.unchecked.append((seq, unchecked))
            else:
                # What was not looked at has been taken back: it leaves nothing open, but it is said.
                text = f"Not checked: {unchecked.why}. Play was taken back later."
                self.note(index, seq, Note("hole", text, unchecked.rule))
        self.notes.sort(key=lambda said: said[0])
        outcome.notes = [(seq, note) for _, seq, note in self.notes]


def _weight(seen: Seen) -> int:
    """Which faults go first where not all can be listed: those that stand, what is undecided, the rest."""
    if seen.undone_by is not None:
        return 2
    return 0 if seen.stands else 1 if seen.fault.kind == "ambiguous" else 2
