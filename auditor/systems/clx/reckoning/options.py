"""Asking no more readings than an answer hangs on."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from itertools import product
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

    found     one answer for every combination of some options of each, in the order of `readings`
    key       what matters of an answer: a reading is asked only if that differs between its options
    """
    options = [tuple(dict.fromkeys(one)) for one in zip(*found, strict=True)]
    combinations = list(product(*options))
    left = [key(found[combination]) for combination in combinations]
    for place, reading in enumerate(readings):
        if left.count(left[0]) == len(left):
            break
        span = len(left) // len(options[place])
        shares = [left[start : start + span] for start in range(0, len(left), span)]
        option = 0
        if any(share != shares[0] for share in shares):
            option = options[place].index(hearing.ask(reading))
        left = shares[option]
        combinations = combinations[option * span : (option + 1) * span]
    return found[combinations[0]]
