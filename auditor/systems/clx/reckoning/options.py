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

    found     one answer for every combination of some options of each, in the order of `readings` and of `product`
    key       what matters of an answer: a reading is asked only if that differs between its options
    """
    each = {id(one): one for one in found.values()}  # Most answers are one and the same.
    matters = {name: key(one) for name, one in each.items()}
    if len({*matters.values()}) == 1:
        return next(iter(found.values()))
    combinations = list(found)
    left = [matters[id(one)] for one in found.values()]
    for place, reading in enumerate(readings):
        if left.count(left[0]) == len(left):
            break
        options = list(dict.fromkeys([combination[place] for combination in combinations]))
        span = len(left) // len(options)
        shares = [left[start : start + span] for start in range(0, len(left), span)]
        option = 0
        if any(share != shares[0] for share in shares):
            option = options.index(hearing.ask(reading))
        left = shares[option]
        combinations = combinations[option * span : (option + 1) * span]
    return found[combinations[0]]
