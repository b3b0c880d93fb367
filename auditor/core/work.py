"""The work that reckoning costs: counted, never timed, so that the same record stops at the same place on every machine.

One piece of work takes about a microsecond. The core counts the events that it resolves and the judgings of each; a game
says how much an event weighs beyond that (`Ruleset.weight`), and what measures on its own counts as it goes (`spend`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

Answer = TypeVar("Answer")
Kept: TypeAlias = dict[Hashable, tuple[Any, int]]
"""Question -> what was worked out, and what that cost."""


class Spent(BaseException):
    """The work that a record may cost is done. No fault of anybody, and nothing but the replay may catch it."""


class Purse:
    """So much work, and no more."""

    __slots__ = ("left",)

    def __init__(self, work: int) -> None:
        self.left = work

    @property
    def spent(self) -> bool:
        return self.left < 0


_ENDLESS = 1 << 62


class _Paying(threading.local):
    """Out of which purse the work of this thread is paid; where nobody counts, it is one that is never spent."""

    def __init__(self) -> None:
        self.purse = Purse(_ENDLESS)


_PAYING = _Paying()


def spend(work: int) -> None:
    """Count some work. Raises Spent where that is more than is left, then and ever after."""
    purse = _PAYING.purse
    purse.left -= work
    if purse.left < 0:
        raise Spent


def once(kept: Kept, question: Hashable, work_out: Callable[[], Answer]) -> Answer:
    """What is worked out once, and counted as often as it is asked, so that what a record may cost does not hang on what
    is kept."""
    found = kept.get(question)
    if found is not None:
        spend(found[1])
        return found[0]  # type: ignore[no-any-return]
    answer, cost = priced(work_out)
    kept[question] = answer, cost
    return answer


def priced(work_out: Callable[[], Answer]) -> tuple[Answer, int]:
    """What is worked out, and what that cost."""
    purse = _PAYING.purse
    before = purse.left
    answer = work_out()
    return answer, before - purse.left


@contextmanager
def paid_from(purse: Purse | None) -> Iterator[None]:
    """What is done within is paid from one purse, whatever pays for what is done around it; None: nobody counts."""
    before = _PAYING.purse
    _PAYING.purse = Purse(_ENDLESS) if purse is None else purse
    try:
        yield
    finally:
        _PAYING.purse = before
