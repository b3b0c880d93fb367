"""Exact odds of dice: numbers of equally likely cases, never floats.

`Cases`: how many of the equally likely cases have 0, 1, 2 … successes. Their sum is the number of all cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb

Cases = tuple[int, ...]

MOST_DICE = 60
"""Dice of one roll for which odds are worked out; no rule asks for so many, a hostile log may claim any number."""


def sure(successes: int) -> Cases:
    """A roll that has been made: one case."""
    return (0,) * successes + (1,)


def die(sides: Sequence[str] | str, good: str) -> Cases:
    """One die, a success where it shows one of the good faces: `die("CHHSSB", "S")` is `(4, 2)`."""
    hits = sum(face in good for face in sides)
    return (len(sides) - hits, hits)


def together(a: Cases, b: Cases) -> Cases:
    """The successes of two rolls added up."""
    found = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        if x:
            for k, y in enumerate(b):
                found[i + k] += x * y
    return tuple(found)


@lru_cache(maxsize=1024)
def rolled(one: Cases, number: int) -> Cases:
    """`number` dice that are all as `one`.

    Raises ValueError where there are fewer than none, or more than `MOST_DICE`.
    """
    if not 0 <= number <= MOST_DICE:
        raise ValueError(f"odds are worked out for 0 to {MOST_DICE} dice, not for {number}")
    return together(rolled(one, number - 1), one) if number else (1,)


def taken(good: int, dice: int, number: int) -> Cases:
    """`number` of the dice that were rolled, `good` of them successes, each choice of them counting alike."""
    return tuple(comb(good, k) * comb(dice - good, number - k) for k in range(min(good, number) + 1))


def at_least(cases: Cases, successes: int) -> Fraction:
    """The odds of so many successes or more."""
    return Fraction(sum(cases[max(0, successes) :]), sum(cases))


def in_words(odds: Fraction) -> str:
    """`11 of 36`."""
    return f"{odds.numerator} of {odds.denominator}"
