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
    chosen: tuple[str, ...] = ()
    for place, reading in enumerate(readings):
        left = [one for one in found if one[:place] == chosen]
        options = list(dict.fromkeys(one[place] for one in left))
        matters = any(
            key(found[one]) != key(found[(*one[:place], option, *one[place + 1 :])])
            for one in left
            for option in options
        )
        chosen = (*chosen, hearing.ask(reading) if matters else options[0])
    return found[chosen]
