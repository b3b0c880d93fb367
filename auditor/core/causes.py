"""Which findings are causes and which only follow.

To put a finding right, a wrong or missing result becomes the recomputed one and an illegal act does not happen. A
later finding depends on it if, in the replay from there, its event can still be judged and the fault is gone. An
event that can no longer be judged stays independent: a correction must not absolve a separate offence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from auditor.core.findings import ACCUSATIONS
from auditor.core.replay import Replay
from auditor.core.rest import Beside, is_adopted, open_holes
from auditor.core.seen import Seen


class Cause:
    """The record from where one finding is put right, as far as to the last finding: a companion (`rest`).

    `by_event`: place of an event -> those in `outcome.seen` of the findings of it; the same for all.
    gone   places in `outcome.seen` of the later findings that are gone there
    whole  whether all later findings were looked into
    """

    def __init__(self, replay: Replay, root: int, by_event: Mapping[int, list[int]], last: int) -> None:
        self.replay = replay
        self.root = root
        self.seen: Seen = replay.outcome.seen[root]
        self.start = self.seen.index
        self.gone: list[int] = []
        self.last = last
        self.position: Any = None
        self._by_event = by_event

    def set_out(self, played: Any) -> bool:
        replay = self.replay
        try:
            self.position, _ = replay.evidence.corrected(replay.record.events[self.start], self.seen)
            open_holes(replay, self.start, self.position, after=True)
        except Exception:
            if replay.strict:
                raise
            return False
        return bool(self.position != played)

    def step(self, at: Beside) -> bool:
        if at.index > self.last:
            return False
        try:
            return self._step(at)
        except Exception:
            # The corrected game need not make sense as a whole; what comes after stays independent.
            if self.replay.strict:
                raise
            return False

    def went(self, event: Any) -> None:
        """Nothing more is to be seen there."""

    def stop(self, error: Exception) -> None:
        """What comes after stays independent."""

    def arrive(self, played: Any) -> None:
        """All later findings have been looked into."""

    def _step(self, at: Beside) -> bool:
        if at.is_as_played:
            return False
        replay = self.replay
        here = self._by_event.get(at.index)
        if here is not None and is_adopted(replay, at.event):
            before = replay.outcome.seen[here[0]].before
            if before == at.position:
                return False
            if replay.ruleset.about(at.event, at.looked) == replay.ruleset.about(at.event, before):
                # One that is only in doubt there is not gone: nobody can say that it follows.
                there = {key for key, fault in at.found.items() if {fault.kind, fault.would_be} & ACCUSATIONS}
                self.gone += [i for i in here if there.isdisjoint(replay.outcome.seen[i].keys)]
        return True


def causes(replay: Replay) -> tuple[list[Cause], bool]:
    """Those of the findings that stand that may be causes of later ones; and whether all of them can be looked into."""
    seen = replay.outcome.seen
    accused = sorted((i for i, one in enumerate(seen) if one.stands), key=lambda i: seen[i].index)
    found: list[Cause] = []
    whole, start = True, 0
    drawn = [i for i in accused if seen[i].before is not None]
    by_event: dict[int, list[int]] = {}
    for i in drawn:
        by_event.setdefault(seen[i].index, []).append(i)
    undrawn_from = next((n for n in range(len(accused), 0, -1) if seen[accused[n - 1]].before is None), 0)
    for root in accused:
        while start < len(accused) and seen[accused[start]].index <= seen[root].index:
            start += 1
        if start == len(accused):
            break
        if seen[root].before is None:
            return found, False
        whole = whole and undrawn_from <= start
        found.append(Cause(replay, root, by_event, seen[drawn[-1]].index))
    return found, whole


def note(replay: Replay, found: Sequence[Cause]) -> None:
    """Fill in `depends_on` (indices into `outcome.seen`) for what is gone without one of these."""
    roots: dict[int, list[int]] = {}
    for cause in found:
        for i in cause.gone:
            roots.setdefault(i, []).append(cause.root)
    for i, of in roots.items():
        replay.outcome.seen[i].depends_on = tuple(of)
