"""The work that reckoning costs: counted, never timed, so that the same record stops at the same place on every machine.

One piece of work takes about a microsecond. The core counts the events that it resolves and the judgings of each; a game
says how much an event weighs beyond that (`Ruleset.weight`), and what measures on its own counts as it goes (`spend`).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


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


@contextmanager
def paid_from(purse: Purse | None) -> Iterator[None]:
    """What is done within is paid from one purse, whatever pays for what is done around it; None: nobody counts."""
    before = _PAYING.purse
    _PAYING.purse = Purse(_ENDLESS) if purse is None else purse
    try:
        yield
    finally:
        _PAYING.purse = before
