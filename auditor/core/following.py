"""What a fault changed, to the end of the record.

Beside the record as it was played goes one in which the fault is put right (`rest`): the act done rightly, where the
game can say what that is (`Ruleset.rightly`), a wrong or missing result replaced by the recomputed one, else the act
not done. Each later event is judged there. A number of it that is wrong there and not in the record goes back to the
fault and is put right as well. Where an event cannot be as it is logged, nobody can tell what would have been played
instead: the record is followed as far as that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from auditor.core import bounds, causes
from auditor.core.effects import (
    NO_TRACE,
    NOBODY,
    UNKNOWN,
    Aside,
    Change,
    Column,
    Followed,
    difference,
    effect,
    is_nothing,
    results_of,
)
from auditor.core.evidence import Evidence
from auditor.core.findings import ACCUSATIONS, UNTOLD, Fault, Note
from auditor.core.look import our_words
from auditor.core.naming import Names
from auditor.core.replay import Replay
from auditor.core.rest import Beside, Companion, go_along, is_adopted, open_holes, steps_for
from auditor.core.rulings import Hearing
from auditor.core.scopes import FaultKey
from auditor.core.seen import Seen
from auditor.core.work import Purse, Spent, paid_from, spend


def follow(replay: Replay, *, to_the_end: bool = True) -> bool:
    """Fill in what findings depend on and what each of them changed; whether all causes were looked into.

    Without `to_the_end` what a finding changed is looked at just after its event alone, for tests of other things.
    """
    of_causes, whole = causes.causes(replay)
    known = _known(replay)
    followed = [one for one in replay.outcome.seen if to_the_end and one.stands and _is_drawn(one)]
    effects = [Effect(replay, one, known) for one in followed]
    companions: list[Companion] = [*of_causes, *effects]
    if companions:
        first = min(companions, key=lambda one: one.start)
        assert isinstance(first, (causes.Cause, Effect))
        steps = 2 * steps_for(len(replay.record.events))
        try:
            with paid_from(Purse(bounds.MOST_WORK_ON_CAUSES)):
                left = go_along(replay, companions, first.seen.before.copy(), steps)
            whole = whole and not any(isinstance(one, causes.Cause) for one in left)
        except Spent:
            whole = False
    causes.note(replay, of_causes)
    just_after(replay, effects)
    return whole


def just_after(replay: Replay, followed: Sequence[Effect] = ()) -> None:
    """Fill in what each finding changed: as far as it was followed, else just after its event."""
    purses = {slim: Purse(bounds.MOST_WORK_ON_DRAWINGS) for slim in (True, False)}
    for one in followed:
        _told(one.seen, purses, one.tell)
    for seen in replay.outcome.seen:
        if _is_drawn(seen) and seen.effect is not None and not seen.effect["text"]:
            _told(seen, purses, Effect(replay, seen, {}).tell_at_once)


def _told(seen: Seen, purses: Mapping[bool, Purse], tell: Callable[[], None]) -> None:
    """Say what a fault changed, where there is work left for that."""
    try:
        with paid_from(purses[seen.slim]):
            tell()
    except Spent:
        return  # Nothing is said of it.


def _is_drawn(seen: Seen) -> bool:
    return seen.before is not None and seen.effect is not None and seen.fault.kind in ACCUSATIONS


HEADER = 0
"""The number that a fault of the header is pinned to."""
INSTEAD = f"{NO_TRACE}; what would have been done instead nobody can tell"
LEFT_OUT = f"{NO_TRACE}; what would have come of it nobody can tell"

Known = Mapping[int, set[FaultKey]]


def _known(replay: Replay) -> Known:
    """What is wrong or in doubt with each event as it was played."""
    found: dict[int, set[FaultKey]] = {}
    for seen in replay.outcome.seen:
        if seen.stands or seen.fault.kind == "ambiguous":
            found.setdefault(seen.index, set()).update(seen.keys)
    return found


class Effect:
    """The record from where one fault is put right: a companion (`rest`)."""

    def __init__(self, replay: Replay, seen: Seen, known: Known) -> None:
        self.replay = replay
        self.seen = seen
        self.start = seen.index
        self._known = known
        self._event = replay.record.events[seen.index]
        self._ruleset = replay.ruleset
        self.position: Any = None
        self._changed: list[Change] = []
        self._carried: list[int] = []
        self._column: Column = "right"
        self._done_rightly = False
        self._held = False  # whether positions hold what is wrong, so that all that comes of it was seen
        self._to = seen.seen_at
        self._followed: Followed | None = None

    # -- the companion ------------------------------------------------------------------------------------------

    def set_out(self, played: Any) -> bool:
        return bool(self._try(lambda: self._set_out(played)))

    def step(self, at: Beside) -> bool:
        return bool(self._try(lambda: self._step(at)))

    def went(self, event: Any) -> None:
        self._to = event.seq

    def stop(self, error: Exception) -> None:
        self._failed(error)

    def arrive(self, played: Any) -> None:
        def end() -> bool:
            last = self.replay.record.events[-1].seq
            self._changed = self._differing(played) or self._changed
            self._followed = self._so_far(to=last if last is not None else self._to, end=True)
            return True

        self._try(end)

    def _try(self, what: Any) -> Any:
        try:
            return what()
        except Exception as error:
            if self.replay.strict:
                raise
            return self._failed(error)

    def _failed(self, error: Exception) -> bool:
        """The corrected game need not make sense as a whole; it is followed as far as it does."""
        if self.seen.slim:
            return False  # The audit is the same whether it is drawn or not.
        text = f"What {self.seen.fault.rule} changed is not known: {our_words(error)}."
        self.replay.outcome.notes.append((self.seen.seen_at, Note("unverifiable", text, self.seen.fault.rule)))
        self._followed = self._followed or self._so_far(
            to=self._to, unknown_from=self._next(self.start), why="the rest could not be worked out"
        )
        return False

    def _set_out(self, played: Any) -> bool:
        self.position = self._put_right()
        self._show_it_right()
        open_holes(self.replay, self.start, self.position, after=True)
        self._changed = self._differing(played)
        if self.position == played:
            return self._same_again(self._next(self.start))
        self._held = True
        return True

    def _show_it_right(self) -> None:
        """Draw the board as it should be; as if the act had not been done it is the one before it."""
        if self._column == "right":
            self.replay.evidence.put_right(self._event, self.seen, self.position)

    def _put_right(self) -> Any:
        """The position after the event with the fault put right."""
        seen, evidence = self.seen, self.replay.evidence
        is_illegal = seen.fault.kind == "illegal"
        if is_illegal and (seen.seq == HEADER or self._ruleset.events.get(type(self._event)) == "position"):
            return evidence.played(self._event, seen)  # What it is seen at is no act that could be left out.
        position, self._done_rightly = evidence.corrected(self._event, seen)
        if is_illegal and not self._done_rightly:
            self._column = "undone"
        return position

    def _step(self, at: Beside) -> bool:
        event, played = at.event, at.played
        if at.is_as_played:
            return self._same_again(event.seq)
        if not self._changed:
            self._changed = self._differing(played)
        name = self._ruleset.events.get(type(event))
        if name == "position" and self._differing(played):
            return self._lost(at.index, "there the position is stated as it was played")
        if not is_adopted(self.replay, event):
            return True
        if self._ruleset.about(event, at.looked) != self._ruleset.about(event, played):
            return self._lost(at.index, f"what is logged there rests on it ({self._described(event, played)})")
        fault = self._fault_there(at)
        if fault is None:
            return True
        if fault.kind != "miscalculated":
            without = "without this act" if self._column == "undone" else "with this put right"
            return self._lost(at.index, f"{without}, what is logged there would no longer fit ({_short(fault.text)})")
        self._carried.append(event.seq)
        self.position = self.position.copy()
        hearing = Hearing(self.replay.rulings.selected, self.replay.rulings.settings)
        open_holes(self.replay, at.index, self.position, after=False)
        self._ruleset.correct(event, self.position, hearing, fault)
        open_holes(self.replay, at.index, self.position, after=True)
        self._to = event.seq
        return True

    def _fault_there(self, at: Beside) -> Fault | None:
        """What is wrong with an event in the corrected game only: the gravest, if there is anything."""
        known = self._known.get(at.index, ())
        fresh = [fault for key, fault in at.found.items() if key not in known]
        return min(fresh, key=lambda fault: fault.kind == "miscalculated", default=None)

    # -- where it ends ------------------------------------------------------------------------------------------

    def _same_again(self, seq: int) -> bool:
        last = self.replay.record.events[-1].seq
        self._followed = self._so_far(to=last if last is not None else self._to, same_from=seq)
        return False

    def _lost(self, index: int, why: str) -> bool:
        self._followed = self._so_far(to=self._to, unknown_from=self.replay.record.events[index].seq, why=why)
        return False

    def _so_far(self, **more: Any) -> Followed:
        return Followed(self._changed, carried=tuple(self._carried), column=self._column, **more)

    def _next(self, index: int) -> int:
        """The number of the event after one."""
        events = self.replay.record.events
        return next((int(one.seq) for one in events[index + 1 :] if one.seq is not None), self.seen.seen_at)

    def _differing(self, played: Any) -> list[Change]:
        facts = self._ruleset.facts
        spend(2 * self._ruleset.size(played))
        return difference(facts(played), facts(self.position), self._column)

    def _described(self, event: Any, played: Any) -> str:
        return self._ruleset.describe(event, played).rstrip(".")

    # -- what is said -------------------------------------------------------------------------------------------

    def tell(self) -> None:
        """Say what the fault changed, as far as it was followed."""
        followed = self._followed
        if followed is None:
            why = "the record has too many findings to follow each of them any farther"
            followed = self._so_far(to=self._to, unknown_from=self._next(self.start), why=why)
        self._say(followed)

    def tell_at_once(self) -> None:
        """Say what the fault changed just after its event."""

        def compare() -> Followed:
            played = self.replay.evidence.played(self._event, self.seen)
            self.position = self._put_right()
            self._show_it_right()
            self._changed = self._differing(played)
            return self._so_far(to=self._to, same_from=self._next(self.start) if self.position == played else None)

        self._say(self._try(compare) or Followed(to=self._to))

    def _say(self, followed: Followed) -> None:
        evidence: Evidence = self.replay.evidence
        aside = self._try(partial(evidence.aside, self._event, self.seen)) or Aside()
        aside = self._without_a_trace(followed, aside)
        if (aside.open or aside.unsure) and followed.unknown_from is None:
            followed = Followed(
                followed.changed, to=self.seen.seen_at, unknown_from=self.seen.seq, column=followed.column
            )
        gain = self._gain(followed, aside)
        names = self.replay.names
        followed = replace(followed, changed=_named(followed.changed, names), why=names(followed.why))
        self.seen.effect = effect(
            followed,
            replace(
                aside,
                told=tuple(map(names, aside.told)),
                results=_named(aside.results, names),
                chances=tuple(replace(one, what=names(one.what)) for one in aside.chances),
            ),
            gain,
        )

    def _without_a_trace(self, followed: Followed, aside: Aside) -> Aside:
        """What is said where nothing in the rest of the record differs. A wrong number is still what came of the event,
        unless the game knows better; what would have been done instead of an act, or with one that was left out, nobody
        can tell."""
        fault = self.seen.fault
        shows = followed.changed or followed.carried or aside.results or aside.open or aside.unsure
        if shows or followed.unknown_from is not None or aside.settled:
            return aside
        if fault.kind == "miscalculated" and self._held and followed.same_from is not None:
            return aside
        if fault.kind == "miscalculated":
            return replace(aside, results=results_of(fault.claimed, fault.recomputed))
        if self._done_rightly:
            return aside
        return replace(aside, unsure=INSTEAD if fault.kind == "illegal" else LEFT_OUT)

    def _gain(self, followed: Followed, aside: Aside) -> str:
        """To whose advantage the fault was."""
        if is_nothing(followed, aside):
            return NOBODY
        if self._ruleset.gain is None:
            return UNKNOWN
        changed = (*aside.results, *followed.changed, *(Change(one.what, None) for one in aside.chances))
        fault = self.seen.fault._replace(player=self.seen.player(self.replay.record.events))
        gained = self._try(partial(self._ruleset.gain, self.seen.before, fault, changed))
        return gained or UNKNOWN


def _named(changed: Sequence[Change], names: Names) -> tuple[Change, ...]:
    """What differs, told by names."""
    return tuple(Change(names(one.what), *map(names.of, one[1:])) for one in changed)


def _short(text: str) -> str:
    """A sentence without what makes it undecided, and without its full stop."""
    return text.split(UNTOLD)[0].rstrip(".")
