"""Steps of a round that are recorded late: each is one fault, at the late event (CAL-RDY-03)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from auditor.systems.calth import records
from auditor.systems.calth.state import SIDES


def after_gaps(events: Sequence[Any]) -> frozenset[int]:
    """The numbers of events before which one is missing."""
    return frozenset(event.seq for before, event in pairwise(events) if event.seq > before.seq + 1)


def late_steps(events: Any, after_gap: frozenset[int] = frozenset()) -> dict[int, set[str]]:
    """Steps of each round that are recorded after the actions (or, for the initiative, the ready phase) have begun.

    `after_gap`: the numbers of events before which the record has a gap; a step may stand in it.
    A step that is recorded late is one fault, at the late event (CAL-RDY-03), so it must not be missed before. Counted
    by rounds as the record goes through them.
    """
    late: dict[int, set[str]] = {}
    number, begun, ready = 1, False, False
    rolled = drew = refreshed = False
    for event in events:
        kind = type(event)
        if begun and event.seq in after_gap:
            late.setdefault(number, set()).update((*SIDES, "refresh"))  # one may stand in what is missing
        if kind not in _OF_ROUNDS:
            continue
        if kind is records.Activate:
            begun = True
        elif kind is records.TpRefresh:
            if begun and not refreshed:
                late.setdefault(number, set()).add("refresh")
            ready = refreshed = True
        elif kind is records.CardDraw:
            if begun and event.player is not None and event.override is None:
                late.setdefault(number, set()).add(event.player)
            ready = drew = True
        elif kind is records.Initiative:
            if begun and rolled:
                number, begun, ready, refreshed, drew = number + 1, False, False, False, False
            elif ready and not rolled:
                late.setdefault(number, set()).add("initiative")
            rolled = True
        elif kind is records.RoundEnd:
            number, begun, ready, rolled, refreshed, drew = number + 1, False, False, False, False, False
        elif kind is records.Position and event.round is not None:
            number, begun, ready = event.round, event.phase in ("action", "over"), event.phase in ("ready", "action")
            rolled = refreshed = drew = ready
            if event.phase == "ready":
                refreshed = drew = False
    del drew
    return late


_OF_ROUNDS = frozenset(
    {
        records.Activate,
        records.TpRefresh,
        records.CardDraw,
        records.Initiative,
        records.RoundEnd,
        records.Position,
    }
)
