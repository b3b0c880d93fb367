"""Which findings are causes and which only follow.

To put a finding right, a wrong or missing result becomes the recomputed one and an illegal act does not happen. A
later finding depends on it if, in the replay from there, its event can still be judged and the fault is gone. An
event that can no longer be judged stays independent: a correction must not absolve a separate offence.
"""

from __future__ import annotations

from auditor.core.findings import ACCUSATIONS
from auditor.core.replay import Replay
from auditor.core.ruleset import Position
from auditor.core.rulings import Hearing
from auditor.core.scopes import faults_of
from auditor.core.seen import Seen

LEAST_STEPS, STEPS_PER_EVENT, MOST_STEPS = 20_000, 20, 200_000
"""Events replayed in search of causes: at least, for each event of the record, and at most."""


def trace(replay: Replay) -> bool:
    """Fill in `depends_on` (indices into `outcome.seen`) for the faults that stand; whether all were looked into.

    The number of events replayed is bounded, so that a record full of faults cannot take for ever; causes beyond the
    bound are left open.
    """
    seen = replay.outcome.seen
    accused = sorted((i for i, one in enumerate(seen) if one.stands), key=lambda i: seen[i].index)
    if len(accused) < 2:
        return True
    budget = max(LEAST_STEPS, min(STEPS_PER_EVENT * len(replay.record.events), MOST_STEPS))
    last = seen[accused[-1]].index
    causes: dict[int, list[int]] = {}
    whole = True
    start = 0
    for root in accused:
        while start < len(accused) and seen[accused[start]].index <= seen[root].index:
            start += 1
        if start == len(accused):
            break
        budget -= last - seen[root].index
        if seen[root].before is None or budget < 0:
            whole = False
            break
        later = [i for i in accused[start:] if seen[i].before is not None]
        whole = whole and len(later) == len(accused) - start
        for i in _gone_without(replay, seen[root], later):
            causes.setdefault(i, []).append(root)
    for i, roots in causes.items():
        seen[i].depends_on = tuple(roots)
    return whole


def _gone_without(replay: Replay, root: Seen, later: list[int]) -> list[int]:
    """The later faults that are gone when `root` is put right and the record is replayed from there."""
    seen, ruleset, rulings, events = replay.outcome.seen, replay.ruleset, replay.rulings, replay.record.events
    by_event: dict[int, list[int]] = {}
    for i in later:
        by_event.setdefault(seen[i].index, []).append(i)
    gone: list[int] = []
    try:
        position = replay.evidence.corrected(events[root.index], root)
        _open_holes(replay, root.index, position, after=True)
        for index in range(root.index + 1, max(by_event, default=0) + 1):
            if not replay.was_played(index):
                continue
            event = events[index]
            _open_holes(replay, index, position, after=False)
            name = ruleset.events.get(type(event))
            if name not in (None, "remark", "undo"):
                hearing = Hearing(rulings.selected, rulings.settings)
                resolved = ruleset.resolve(event, position, hearing)
                if index in by_event:
                    as_played = seen[by_event[index][0]].before
                    if as_played == position:
                        return gone
                    if ruleset.can_judge(event, position, as_played):
                        found = faults_of(replay.looks.elsewhere(event, resolved, position, hearing))
                        # One that is only in doubt there is not gone: nobody can say that it follows.
                        there = {key for key, fault in found.items() if {fault.kind, fault.would_be} & ACCUSATIONS}
                        gone += [i for i in by_event[index] if there.isdisjoint(seen[i].keys)]
                ruleset.adopt(event, resolved, position, hearing)
            _open_holes(replay, index, position, after=True)
    except Exception:
        # The corrected game need not make sense as a whole; what comes after stays independent.
        if replay.strict:
            raise
    return gone


def _open_holes(replay: Replay, index: int, position: Position, *, after: bool) -> None:
    """What the record does not say stays unknown in the corrected game as well."""
    for is_after, hole in replay.holes_at.get(index, ()):
        if is_after is after:
            position.holes.open(hole)
