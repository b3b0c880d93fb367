"""What a record shows later: some acts are judged by what follows them in their activation."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import compress
from operator import attrgetter
from typing import Any

from auditor.systems.calth import records
from auditor.systems.calth.state import Assault, MovesInLines, Unit

OVER = frozenset(
    {records.Pass, records.RoundEnd, records.ScenarioEnd, records.Initiative, records.Position, records.GameStart}
)
"""Events after which no activation is open."""
NUMBER = attrgetter("seq")


def actions_recorded(events: Sequence[Any]) -> dict[int, frozenset[str]]:
    """For each activation, by the number of its event, the actions that the record shows before it is over, and
    "counter" where it shows a counter-attack, or any attack after one was said to be made.
    """
    found: dict[int, set[str]] = {}
    activation: int | None = None
    struck = False
    for event in events:
        kind = type(event)
        if kind is records.Activate or kind in OVER:
            activation = event.seq if kind is records.Activate else None
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


def _rest(events: Sequence[Any], after: int) -> Iterator[Any]:
    """What the record shows after an event until an activation begins or none is open."""
    for n in range(bisect_right(events, after, key=NUMBER), len(events)):
        if type(events[n]) is records.Activate or type(events[n]) in OVER:
            return
        yield events[n]


def assaults_made(events: Sequence[Any]) -> list[Assault]:
    """The attacks of Assaults, in the order of the record."""
    found: list[Assault] = []
    over: int | None = None
    kinds = map(type, events)
    for event in reversed(list(compress(events, map((OVER | {records.Activate, records.Attack}).__contains__, kinds)))):
        if type(event) is not records.Attack:
            over = event.seq
        elif event.role == "assault":
            found.append(Assault(event.seq, event.attacker, over))
    return found[::-1]


def assault_goes_on(events: Sequence[Any], activation: int) -> bool:
    """Whether the record of an activation shows what only the attack of an Assault leads to: casualties, a blow back, a
    retreat, a last stand, a move into the hex left empty.
    """
    for event in _rest(events, activation):
        kind = type(event)
        if kind in (records.Retreat, records.LastStand):
            return True
        if kind is records.Counter and event.choice == "made":
            return True
        if kind is records.Attack and event.role == "counter":
            return True
        if kind in _MOVES and event.cause in ("move_in", "retreat"):
            return True
        if kind in (records.ModelRemoved, records.UnitRemoved) and event.cause == "attack":
            return True
    return False


def moves_in_lines(events: Sequence[Any]) -> MovesInLines:
    """Moves of which the next line goes on with the line before, or may: whether it is the same unit's, its position tells. Nothing but
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
        if before is not None and (gap or (type(event) is records.End and event.reason != "finished")):
            continued.add(before.seq)  # the line that goes on with it may be missing, or was never made
        if type(event) is records.Undo:
            before = after.get(event.to)  # a gap before it is taken back too
        if type(event) is records.Undo or (type(event) is records.Remark and not gap):
            after[event.seq] = before
            continue
        if before is not None and not gap and type(event) is type(before):
            # A unit's lines may bear different causes: the action that was declared tells what each is.
            if type(event) is records.MoveUnit or None in (before.cause, event.cause) or before.cause == event.cause:
                continued.add(before.seq)
                going_on.add(event.seq)
        before = event if type(event) in _MOVES else None
        after[event.seq] = before
    return MovesInLines(frozenset(continued), frozenset(going_on))


_KNOWN = frozenset(records.EVENTS.values())
_MOVES = frozenset({records.MoveUnit, records.MoveModels})
MAY_GO_ON = _MOVES | {records.Undo, records.Remark}
"""What stands before a line that goes on with a move."""
_NO_MOVE = _KNOWN - _MOVES - {records.Undo, records.Remark}


def together(event: Any) -> Iterator[tuple[str | None, set[str]]]:
    """The units that an event names, each with models that stand in it by what the event says."""
    kind = type(event)
    if kind is records.Attack:
        rolled = {model for model, _ in event.weapons or ()}
        for crit in event.crit if isinstance(event.crit, list) else [event.crit]:
            if isinstance(crit, records.Crit) and crit.model is not None:
                rolled.add(crit.model)
        if event.vexilla is not None and event.vexilla.model is not None:
            rolled.add(event.vexilla.model)
        yield event.attacker, rolled
        yield event.target, {step.target_model for step in event.steps or () if step.target_model is not None}
    elif kind is records.MoveModels:
        yield event.unit, {move.model for move in event.moves or () if move.model is not None}
    elif kind is records.MoveUnit:
        yield event.unit, set(event.models or ())
    elif kind is records.LastStand:
        yield event.unit, {*(event.models or ()), *(event.survivors or ())}


def answers(events: Sequence[Any], after: int) -> str | None:
    """The label of the unit that the record shows to answer the attack of an event, by striking back or a retreat."""
    for event in _rest(events, after):
        if isinstance(event, records.Attack) and event.role == "counter":
            return event.attacker
        if isinstance(event, (records.Counter, records.Retreat)):
            return event.unit
    return None


def is_said_of(events: Sequence[Any], after: int, label: str, one: Unit, other: Unit) -> bool:
    """Whether the record after an event means the first of two units by a label, by where it starts or who is in it;
    no where it means the other, or nothing tells.
    """
    for event in events:
        if event.seq <= after:
            continue
        if type(event) is records.MoveUnit and event.unit == label and event.path:
            if event.path[0] in (one.hex, other.hex):
                return event.path[0] == one.hex
        for named, models in together(event):
            if named == label and models.isdisjoint(one.models) != models.isdisjoint(other.models):
                return not models.isdisjoint(one.models)
    return False
