"""What measuring costs, told to whoever wants to know: what may be long is counted where it is gone through.

One piece of work is about a microsecond. This room knows nobody who counts; a game says who does (`counted_by`).
"""

from __future__ import annotations

from collections.abc import Callable


def _nobody(work: int) -> None:
    """Nobody counts."""


_told: Callable[[int], None] = _nobody


def counted_by(told: Callable[[int], None]) -> None:
    """From now on `told` is told of work; what it raises ends the measuring."""
    global _told
    _told = told


def count(work: int) -> None:
    """So much work is about to be done."""
    _told(work)
