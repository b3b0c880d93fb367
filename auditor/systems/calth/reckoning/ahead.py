"""What a record shows later: some acts are judged by what follows them in their activation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from auditor.systems.calth import records

_OVER = frozenset(
    {records.Pass, records.RoundEnd, records.ScenarioEnd, records.Initiative, records.Position, records.GameStart}
)
"""Events after which no activation is open."""


def actions_recorded(events: Sequence[Any]) -> dict[int, frozenset[str]]:
    """For each activation, by the number of its event, the actions that the record shows before it is over, and
    "counter" where it shows a counter-attack, or any attack after one was said to be made.
    """
    found: dict[int, set[str]] = {}
    activation: int | None = None
    struck = False
    for event in events:
        kind = type(event)
        if kind is records.Activate:
            activation = event.seq
        elif kind in _OVER:
            activation = None
            struck = False
        elif kind is records.Counter:
            struck = struck or event.choice == "made"
        elif activation is not None:
            # After a counter-attack was made an attack is one, whatever role it bears.
            action = "counter" if struck and kind is records.Attack else _action_of(kind, event)
            if action is not None:
                found.setdefault(activation, set()).add(action)
    return {number: frozenset(actions) for number, actions in found.items()}


def _action_of(kind: type, event: Any) -> str | None:
    if kind is records.Attack:
        return event.role or {"melee": "assault", "ranged": "shoot"}.get(event.mode or "")
    if kind is records.MoveUnit:
        return event.cause if event.cause in ("advance", "run") else None
    if kind is records.MoveModels:
        return event.cause if event.cause != "retreat" else None
    return None


def moves_in_lines(events: Sequence[Any]) -> tuple[frozenset[int], frozenset[int]]:
    """Moves of which the next line goes on with the line before: the numbers of the lines that the next one may go on
    with, and of those that may go on with the one before: whether it is the same unit's, its position tells. Nothing but
    remarks and what was taken back stands between them, and no gap.
    """
    continued: set[int] = set()
    going_on: set[int] = set()
    before: Any = None
    last = 0
    after: dict[int | None, Any] = {}
    for event in events:
        if before is None and type(event) in _NO_MOVE:
            last, after[event.seq] = event.seq, None
            continue
        gap, last = event.seq != last + 1 or type(event) not in _KNOWN, event.seq
        if before is not None and gap:
            continued.add(before.seq)  # the line that goes on with it may be missing
        if type(event) is records.Undo:
            before = after.get(event.to)  # a gap before it is taken back too
        if type(event) is records.Undo or (type(event) is records.Remark and not gap):
            after[event.seq] = before
            continue
        if before is not None and not gap and type(event) is type(before):
            if None in (before.cause, event.cause) or before.cause == event.cause:
                continued.add(before.seq)
                going_on.add(event.seq)
        before = event if type(event) in _MOVES else None
        after[event.seq] = before
    return frozenset(continued), frozenset(going_on)


_KNOWN = frozenset(records.EVENTS.values())
_MOVES = frozenset({records.MoveUnit, records.MoveModels})
_NO_MOVE = _KNOWN - _MOVES - {records.Undo, records.Remark}
