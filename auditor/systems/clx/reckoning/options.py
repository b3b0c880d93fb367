"""Asking no more readings than an answer hangs on."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

from auditor.core.rulings import Hearing

Answer = TypeVar("Answer")


def asked(
    found: Mapping[tuple[str, ...], Answer],
    readings: tuple[str, ...],
    hearing: Hearing,
    key: Callable[[Answer], Hashable],
) -> Answer:
    """The answer under the readings in force, of those worked out for every combination of their options.

    found     one answer for each combination, in the order of `readings`
    key       what matters of an answer: a reading is asked only if that differs between its options
    """
    left = {combination: key(answer) for combination, answer in found.items()}
    for place, reading in enumerate(readings):
        if len(set(left.values())) == 1:
            break
        chosen = hearing.ask(reading) if depends(left, place) else next(iter(left))[place]
        left = {combination: answer for combination, answer in left.items() if combination[place] == chosen}
    return found[next(iter(left))]


def depends(found: Mapping[tuple[str, ...], Hashable], place: int) -> bool:
    """Whether what is found differs between the options at one place of the combinations, all others being the same."""
    others: dict[tuple[str, ...], Hashable] = {}
    return any(
        others.setdefault((*combination[:place], *combination[place + 1 :]), one) != one
        for combination, one in found.items()
    )
