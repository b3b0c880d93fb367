"""What is worked out once while an event is judged, because the position does not change meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from auditor.core.rulings import Hearing
from auditor.systems.hcg import records

if TYPE_CHECKING:
    from auditor.systems.hcg.position.state import Position

_T = TypeVar("_T")


class Kept:
    """What was found out on a position since `event` was resolved there. `adopt` lets go of it before it changes anything,
    and a copy of a position has none."""

    __slots__ = ("event", "found")

    def __init__(self, event: records.Event) -> None:
        self.event = event
        self.found: dict[Hashable, Any] = {}


def of_event(work_out: Callable[[Any, Position], _T]) -> Callable[[Any, Position], _T]:
    """Worked out once for the event under judgement. Nobody may change what comes out."""

    @wraps(work_out)
    def once(event: records.Event, position: Position) -> _T:
        kept = position.kept
        if kept is None or kept.event is not event:
            return work_out(event, position)
        try:
            return kept.found[work_out]  # type: ignore[no-any-return]
        except KeyError:
            pass
        answer = kept.found[work_out] = work_out(event, position)
        return answer

    return once


def of_position(work_out: Callable[[Position], _T]) -> Callable[[Position], _T]:
    """Worked out once on the position on which an event is judged. Nobody may change what comes out."""

    @wraps(work_out)
    def once(position: Position) -> _T:
        kept = position.kept
        if kept is None:
            return work_out(position)
        try:
            return kept.found[work_out]  # type: ignore[no-any-return]
        except KeyError:
            pass
        answer = kept.found[work_out] = work_out(position)
        return answer

    return once


def unasked(position: Position, hearing: Hearing, key: Hashable, work_out: Callable[[], _T]) -> _T:
    """Worked out once on the position on which an event is judged, unless it asks a reading: then each time."""
    found = position.kept.found if position.kept is not None else {}
    if key in found:
        answer: _T = found[key]
        return answer
    before, hearing.steps = hearing.steps, {}
    try:
        answer = work_out()
    finally:
        asked, hearing.steps = hearing.steps, before
        before.update(asked)
    if not asked:
        found[key] = answer
    return answer
