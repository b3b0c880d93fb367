"""Steps of a round that are recorded late: each is one fault, at the late event (CAL-RDY-03)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress, pairwise
from operator import or_, sub
from typing import Any

from auditor.systems.calth import records
from auditor.systems.calth.reckoning.ahead import NUMBER
from auditor.systems.calth.state import SIDES, Late


def after_gaps(events: Sequence[Any]) -> frozenset[int]:
    """The numbers of events before which one is missing."""
    numbers = list(map(NUMBER, events))
    if max(map(sub, numbers[1:], numbers), default=1) <= 1:
        return frozenset()  # as in nearly every record
    return frozenset(number for before, number in pairwise(numbers) if number > before + 1)


def told_late(events: Any, after_gap: frozenset[int] = frozenset()) -> Late:
    """The steps of each round that are recorded late, counted by rounds as the record goes through them.

    `after_gap`: the numbers of events before which the record has a gap; a step may stand in it.
    A step that is recorded late is one fault, at the late event (CAL-RDY-03), so it must not be missed before.
    """
    late: dict[int, set[str]] = {}
    tps: dict[int, frozenset[str] | None] = {}
    number, begun, ready = 1, False, False
    rolled = drew = refreshed = False
    named: frozenset[str] = frozenset()  # units that have been given TPs in this round
    opened: int | None = None  # the last event that changes anything before the actions of this round
    kinds = list(map(type, events))
    of_rounds: Iterable[bool] = map(_OF_ROUNDS.__contains__, kinds)
    if after_gap:
        of_rounds = map(or_, of_rounds, map(after_gap.__contains__, map(NUMBER, events)))
    # Each telling of a record is asked for this, so most lines are passed over.
    for place in compress(range(len(kinds)), of_rounds):
        event, kind = events[place], kinds[place]
        if begun and event.seq in after_gap:
            late.setdefault(number, set()).update((*SIDES, "refresh"))  # one may stand in what is missing
        if kind is records.Activate or (kind is records.Pass and (ready or rolled)):
            if not begun:
                earlier = (at for at in range(place - 1, -1, -1) if kinds[at] not in _CHANGES_NOTHING)
                begun, opened = True, next((events[at].seq for at in earlier), None)
        elif kind is records.TpRefresh:
            given = _given(event)
            if begun and not refreshed:
                late.setdefault(number, set()).add("refresh")
            if begun and opened is not None and (given is None or given - named):
                others = tps.get(opened, frozenset())
                tps[opened] = None if given is None or others is None else others | given - named
            named |= given or frozenset()
            ready = refreshed = True
        elif kind is records.CardDraw:
            if begun and event.player is not None and event.override is None:
                late.setdefault(number, set()).add(event.player)
            ready = drew = True
        elif kind is records.Initiative:
            if begun and rolled:
                number, begun, ready, refreshed, drew = number + 1, False, False, False, False
                named = frozenset()
            elif ready and not rolled:
                late.setdefault(number, set()).add("initiative")
            rolled = True
        elif kind is records.RoundEnd:
            number, begun, ready, rolled, refreshed, drew = number + 1, False, False, False, False, False
            named = frozenset()
        elif kind is records.Position and event.round is not None:
            number, begun, ready = event.round, event.phase in ("action", "over"), event.phase in ("ready", "action")
            rolled = refreshed = drew = ready
            named, opened = frozenset(), None
            if event.phase == "ready":
                refreshed = drew = False
    del drew
    return Late(late, tps)


def _given(event: Any) -> frozenset[str] | None:
    """The labels of the units that a refresh names; None where it does not name all."""
    labels = [entry.unit for entry in event.units or ()]
    return None if not labels or None in labels else frozenset(labels)


_OF_ROUNDS = frozenset(
    {
        records.Activate,
        records.TpRefresh,
        records.CardDraw,
        records.Initiative,
        records.RoundEnd,
        records.Pass,
        records.Position,
    }
)
_CHANGES_NOTHING = frozenset({records.Remark, records.Undo})
