"""One pass over a record: resolve, check, adopt, under every reading that matters.

Most events ask nothing and are judged once, in place. A rule that asks is followed on the same position through every
combination of the readings that it asks (`judging`); where their options leave different positions behind, the replay
goes on in lanes (`lanes`), one for each, until the lanes are equal again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

from auditor.core import bounds
from auditor.core.evidence import Everything, Evidence
from auditor.core.findings import Note, Unchecked
from auditor.core.holes import Hole
from auditor.core.judging import Judge, Resolution
from auditor.core.lanes import Lane, Lanes, Spare
from auditor.core.look import Looks, Terms, our_words
from auditor.core.naming import NO_NAMES, Names, players_in
from auditor.core.record import Record
from auditor.core.ruleset import Ruleset
from auditor.core.rulings import Hearing, Rulings
from auditor.core.scopes import Cube
from auditor.core.seen import Judged, Ledger, Outcome, Seen
from auditor.core.undo import Undos
from auditor.core.work import Purse, Spent, paid_from, spend

_COMMON = ("undo", "remark", "judge", "end")
"""Names of events that mean the same in every game."""
TOO_MUCH_WORK = (
    f"from here on nothing was judged: to reckon this record takes more work than one record may cost "
    f"({bounds.MOST_WORK:,} steps)"
)
_ALL: list[Cube] = [{}]
"""The assignments of a lane that is followed under every reading."""


_WHOLE = frozenset({"position", "judge"})
"""Events that may state the whole position."""


class Replay:
    """Replays one record under one rulings set. `strict` lets a fault of ours raise; else it is recorded in
    `outcome.unchecked` and the replay continues. `everything`: draw also what holds only under readings not in force (`Evidence`).

    `purse`: what pays for it, where that is not a purse of its own. `draws`: whether faults get their boards. `remarks`: what is to be said of how the record is measured.
    After `run`, `outcome` is what was seen, `was_played(index)` whether an event was not taken back in the end, and
    `holes_at` the holes that opened just before or just after an event.

    What it costs is counted (`core/work.py`). Once `bounds.MOST_WORK` is spent, the record is followed to its end, so that
    what is taken back later is known, but nothing more of it is resolved or judged; the audit says so.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        record: Record,
        rulings: Rulings,
        *,
        strict: bool = False,
        everything: Everything = False,
        purse: Purse | None = None,
        draws: bool = True,
    ) -> None:
        self.ruleset = ruleset
        self.record = record
        beside, self.remarks = ruleset.measured(record, rulings.settings)
        self.rulings = rulings = replace(rulings, settings={**rulings.settings, **beside}) if beside else rulings
        self.strict = strict
        self._ends = {"end", *ruleset.ends}
        self.terms = Terms(ruleset, rulings, strict)
        self.looks = Looks(self.terms)
        self.looks.unsure = {id(record.events[index]): why for index, why in record.unsure.items()}
        self.ledger = Ledger(self.terms, record, self.looks.runs)
        self.outcome = self.ledger.outcome
        self.evidence = Evidence(self.terms, self.ledger, everything=everything, draws=draws)
        spare = Spare(len(record.events))
        self.judge = Judge(self.terms, self.looks, spare, self.outcome)
        self.lanes = Lanes(self.terms, ruleset.opening(record), spare)
        self.undos = Undos(ruleset, record)
        self.was_played = self.undos.was_played
        self.holes_at: dict[int, list[tuple[bool, Hole]]] = {}
        self.purse = Purse(bounds.MOST_WORK) if purse is None else purse
        self._stopped_at: int | None = None

    @cached_property
    def names(self) -> Names:
        """The names of the record's ids, as they are known when it has been replayed."""
        names = self.ruleset.names
        if names is None:
            return NO_NAMES
        return Names(names(self.lanes.selected().position), players_in(self.record.header))

    def run(self, on_event: Callable[[int, Any, Any], None] | None = None) -> Outcome:
        """Replay to the end and say what was seen.

        `on_event(index, event, position)` is called before each event with the position of the lane in force.
        """
        with paid_from(self.purse):
            return self._run(on_event)

    def _run(self, on_event: Callable[[int, Any, Any], None] | None) -> Outcome:
        ends = self._ends
        plain = {kind for kind, name in self.ruleset.events.items() if name not in _COMMON and name not in ends}
        doubtful = self.record.doubtful
        undone_to = self.undos.targets
        if 0 in undone_to:
            self._keep(0, -1)
        expected = 1
        hearing = self.terms.hearing()
        for index, event in enumerate(self.record.events):
            if on_event is not None:
                with paid_from(None):
                    on_event(index, event, self.lanes.selected().position)
            seq = event.seq
            if seq != expected:
                seq = self._misplaced(index, seq, expected)
            expected = seq + 1
            if doubtful and index in doubtful:
                self._hole(index, seq, doubtful[index])
            if type(event) in plain and self.undos.end is None:
                hearing = self._step(index, event, seq, hearing)
            else:
                hearing = self._special(index, event, seq, hearing)
            if doubtful and index in doubtful and self.ruleset.events.get(type(event)) in _WHOLE:
                self._hole(index, seq, doubtful[index], after=True)  # A position closes every hole, but not its own.
            if undone_to and seq in undone_to:
                self._keep(seq, index)
        with paid_from(None):
            self._close()
        return self.outcome

    def _keep(self, seq: int, index: int) -> None:
        """Keep how things stand after an event."""
        try:
            self.undos.keep(seq, index, self.lanes, still=self._stopped_at is not None)
        except Spent:
            self._stop(seq)
            self.undos.keep(seq, index, self.lanes, still=True)

    def _stop(self, seq: int) -> None:
        """The work that a record may cost is spent: nothing is judged from an event on."""
        self._stopped_at = seq
        self.lanes.open(Hole(seq, TOO_MUCH_WORK))

    # -- one event ---------------------------------------------------------------------------------------------

    def _step(self, index: int, event: Any, seq: int, hearing: Hearing) -> Hearing:
        """Resolve, check, adopt. Gives back a hearing that may serve again."""
        if self._stopped_at is not None:
            return hearing
        lanes = self.lanes.all
        try:
            lane = lanes[0]
            weight = self.looks.weight = self.ruleset.weight(event, lane.position)
            if lane.cubes == _ALL and len(lanes) == 1:
                # The common case: one position. If nothing is asked and nothing seen, one judging is all.
                position = lane.position
                spend(weight)
                resolved = self.ruleset.resolve(event, position, hearing)
                if not hearing.asked:
                    looks = self.looks.at(event, resolved, position, hearing)
                    asked: set[str] = set()
                    fresh: list[tuple[Seen, Judged]] = []
                    if looks:
                        here = Resolution(lane, lane.cubes, lane.cubes[0], resolved, looks)
                        fresh = self._judge(index, event, seq, [here], True, asked)
                    self._adopt(event, resolved, position, hearing)
                    self.outcome.resolved += 1
                    if hearing.silent:
                        self.outcome.silent += hearing.silent
                        hearing.silent = 0
                    if not looks and not hearing.asked:
                        return hearing
                    parted = bool(hearing.asked)
                    if fresh:
                        self.evidence.after(event, fresh, {id(lane): {}} if parted else {})
                    if asked or parted:
                        self.ledger.count_asked(asked.union(hearing.asked))
                    if not parted:
                        return hearing
                    self._split(index, event, seq, [(lane, hearing.snapshot)])
                    return self.terms.hearing()
            self._step_everywhere(index, event, seq)
            self.outcome.resolved += 1
        except Spent:
            self._stop(seq)
        except Exception as error:
            if self.strict:
                raise
            self.ledger.was_not_checked(index, seq, None, our_words(error))
            self._hole(index, seq, f"event {seq} could not be resolved", after=True)
        return self.terms.hearing()

    def _adopt(self, event: Any, resolved: Any, position: Any, hearing: Hearing) -> None:
        """Change the position; if a reading is asked meanwhile, `hearing.snapshot` is the position before."""
        hearing.adopting = position
        if self.strict:
            hearing.untouched = position.copy()
        self.ruleset.adopt(event, resolved, position, hearing)
        hearing.adopting = hearing.untouched = None

    def _judge(
        self, index: int, event: Any, seq: int, resolutions: list[Resolution], whole: bool, asked: set[str]
    ) -> list[tuple[Seen, Judged]]:
        """Keep what was seen in an event and draw what can be drawn before it is adopted; adds to `asked`."""
        judgings = self.judge.by_rule(index, event, seq, resolutions, whole, asked)
        fresh = self.ledger.keep(event, judgings) if judgings else []
        if fresh:
            self.evidence.before(event, fresh)
        return fresh

    def _step_everywhere(self, index: int, event: Any, seq: int) -> None:
        """Judge one event in every lane under every reading that it asks; keep what was seen; adopt in every lane."""
        asked: set[str] = set()
        resolutions, mains, whole = self.judge.everywhere(self.lanes, event, asked)
        fresh = self._judge(index, event, seq, resolutions, whole, asked)
        selected = self.lanes.selected()
        adopted: list[tuple[Lane, Any]] = []
        parted: dict[int, Cube] = {}
        for lane, options, resolved, differs in mains:
            # Positions can differ only where adopt asks, or where what was resolved differs.
            before = lane.position.copy() if differs else None
            hearing = self.terms.hearing(options)
            self._adopt(event, resolved, lane.position, hearing)
            if lane is selected:
                self.outcome.silent += hearing.silent
            asked.update(hearing.asked)
            if before is None:
                before = hearing.snapshot
            if before is not None:
                parted[id(lane)] = options
            adopted.append((lane, before))
        self.ledger.count_asked(asked)
        if fresh:
            self.evidence.after(event, fresh, parted)
        if parted or len(self.lanes) > 1:
            self._split(index, event, seq, adopted)

    def _split(self, index: int, event: Any, seq: int, adopted: list[tuple[Lane, Any]]) -> None:
        if not self.lanes.split(event, adopted):
            why = "from here on, what follows depends on more open readings than can be followed"
            self.ledger.was_not_checked(index, seq, None, why)

    # -- what every game has ----------------------------------------------------------------------------------

    def _special(self, index: int, event: Any, seq: int, hearing: Hearing) -> Hearing:
        """Events that mean the same in every game, and those that the game does not have."""
        kind = type(event)
        name = self.ruleset.events.get(kind)
        if name is None:
            self._unknown(index, event, seq)
        elif name == "undo":
            self._undo(index, event, seq)
        elif name == "remark":
            pass
        elif self._is_after_the_end(event, name):
            why = f"the record ends at event {self.undos.end.seq}, so what stands after that is not judged"
            self.ledger.was_not_checked(index, seq, None, why)
        else:
            if name in self._ends and index < self._last_play:
                self.looks.unsure.setdefault(id(event), f"the record goes on after its end at event {seq}")
            hearing = self._step(index, event, seq, hearing)
            if name == "judge":
                self._ruled_by_judge(index, event, seq)
            elif name in self._ends:
                self.undos.end = event
        return hearing

    @cached_property
    def _last_play(self) -> int:
        """The place of the last event that is play; what seems left out at an end before it may only come later."""
        none = {None, "position", *_COMMON, *self._ends}
        kinds = [self.ruleset.events.get(type(event)) for event in self.record.events]
        return next((at for at in range(len(kinds) - 1, -1, -1) if kinds[at] not in none), -1)

    def _is_after_the_end(self, event: Any, name: str) -> bool:
        """Whether an event is play after the end of the record, or ends it in the same way once more."""
        end = self.undos.end
        return (
            end is not None
            and name not in ("judge", "position")
            and (name not in self._ends or type(event) is type(end))
        )

    def _undo(self, index: int, event: Any, seq: int) -> None:
        """Go back to just after an earlier event; what was played since is taken back, unless play returns to it."""
        goes_back = self.undos.go_back(index, event.to)
        if goes_back is None:
            why = f"event {seq} takes play back to event {event.to}, to which the record cannot be followed"
            self.ledger.was_not_checked(index, seq, None, why)
            self._hole(index, seq, why)
            return
        if self._stopped_at is None:
            try:
                spend(goes_back.things)
                self.lanes.all = [lane.copy() for lane in goes_back.lanes]
            except Spent:
                self._stop(seq)
        self.ledger.take_back(goes_back.place, seq)

    def _misplaced(self, index: int, seq: int | None, expected: int) -> int:
        """An event whose number is not the next one. Gives back the number that it goes by."""
        if seq is None:
            return expected
        if seq > expected:
            missing = f"event {expected} is" if seq == expected + 1 else f"events {expected} to {seq - 1} are"
            why = f"{missing} missing from the record"
        else:
            why = f"event number {seq} stands where {expected} was expected"
        self.ledger.was_not_checked(index, seq, None, why)
        self._hole(index, seq, why)
        return seq

    def _unknown(self, index: int, event: Any, seq: int) -> None:
        """An event of a type that the game does not have, or a line that could not be read."""
        why = getattr(event, "why", None)
        if why is None:
            why = f"event {seq} is of an unknown type"
            name = str(getattr(event, "type", type(event).__name__))[:64]
            self.ledger.note(index, seq, Note("unknown_event", f'Event {seq} is of the unknown type "{name}".'))
        self.ledger.was_not_checked(index, seq, None, why)
        self._hole(index, seq, why)

    def _ruled_by_judge(self, index: int, event: Any, seq: int) -> None:
        text = str(getattr(event, "text", None) or "A judge ruled.")
        self.ledger.note(index, seq, Note("by_judge", text))
        stated = getattr(event, "position", None)
        if stated is None or stated == type(stated)():
            why = f"a judge ruled at event {seq} and the record does not say what it changed"
            self._hole(index, seq, why, after=True)

    def _hole(self, index: int, seq: int, why: str, *, after: bool = False) -> None:
        """From just before (or after) an event on, nothing is certain."""
        hole = Hole(seq, why)
        self.holes_at.setdefault(index, []).append((after, hole))
        self.lanes.open(hole)

    def _close(self) -> None:
        """Settle what was taken back, and say what is unfinished."""
        self.undos.settle()
        self.looks.counted_up()
        self.ledger.close(self.was_played)
        outcome, events = self.outcome, self.record.events
        acts = {kind for kind, name in self.ruleset.events.items() if name not in (*_COMMON, *self._ends)}
        outcome.checked = any(outcome.runs) and (bool(outcome.seen) or not acts.isdisjoint(map(type, events)))
        outcome.ended = self.undos.end is not None or not self.ruleset.ends
        if self._stopped_at is not None:
            # Said even where play was taken back to before it: what came after that was not judged either.
            outcome.unchecked.append((self._stopped_at, Unchecked(None, TOO_MUCH_WORK)))
            if not outcome.ended:
                outcome.until = ""
            return
        if self.undos.finished or not events:
            return
        seq = next((event.seq for event in reversed(events) if event.seq is not None), 0)
        try:
            if not outcome.ended:
                outcome.until = self._when(events[-1])
            for sentence in self.ruleset.unfinished(self.lanes.selected().position):
                note = Note("unverifiable", f"Unfinished at the end of the record: {sentence}")
                outcome.notes.append((seq, note))
        except Exception as error:
            if self.strict:
                raise
            outcome.unchecked.append((seq, Unchecked(None, our_words(error))))

    def _when(self, event: Any) -> str:
        """When an event of the record is: "in round 2"; "" where the game cannot say."""
        if type(event) not in self.ruleset.events:
            return ""
        part = str(self.ruleset.moment(event, self.lanes.selected().position).get("part", ""))
        part = part[:1].lower() + part[1:]
        return part if not part or part.startswith("before ") else f"in {part}"
