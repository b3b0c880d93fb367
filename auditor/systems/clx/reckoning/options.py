"""Asking no more readings than an answer hangs on."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

from auditor.core.rulings import Hearing

Answer = TypeVar("Answer")


def hanging(
    readings: tuple[str, ...], found: dict[tuple[str, ...], Answer]
) -> tuple[tuple[str, ...], dict[tuple[str, ...], Answer]]:
    """Those of some readings on which an answer hangs, and it for every combination of their options alone. `found`: as in
    `asked`."""
    for place in reversed(range(len(readings))):
        fewer: dict[tuple[str, ...], Answer] = {}
        for options, one in found.items():
            other = fewer.setdefault((*options[:place], *options[place + 1 :]), one)
            if other is not one and other != one:
                break
        else:
            readings, found = (*readings[:place], *readings[place + 1 :]), fewer
    return readings, found


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
