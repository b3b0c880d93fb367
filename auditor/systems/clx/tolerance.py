"""When a length is too long, and when it is only within what a tape or the rounding of a record can tell.

Source: catalogue 2.2. `RND` guards against the rounding of the record, the tournament's measuring tolerance against the
hands of players. Each applies once to the whole of what is measured, never to dice or counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import radians, sin
from typing import Literal

from auditor.core.rulings import Setting
from auditor.geometry.inches.lengths import Length

RND = Fraction(15, 1000)
"""Inches by which a distance between two points written to two decimals may be off."""

HALF_A_DEGREE = Fraction(sin(radians(0.5)))
"""The sine of half a degree: an angle in the log may be rounded to whole degrees."""

MEASURING_TOLERANCE = Setting(
    "measuring_tolerance", "Inches by which a measured length may be over its limit without being held against anybody"
)

Verdict = Literal["fine", "tolerance", "beyond"]


@dataclass(frozen=True, slots=True)
class Judged:
    """By how much a limit is broken (below zero: kept, with so much to spare), and what that amounts to."""

    over: Length
    verdict: Verdict
    allowed: Fraction


def tolerance(settings: Mapping[str, str]) -> Fraction:
    """The tournament's measuring tolerance in inches."""
    return _number(settings.get("measuring_tolerance", "0"))


_number = lru_cache(maxsize=64)(Fraction)


def allowance(settings: Mapping[str, str], parts: int = 1) -> Fraction:
    """T(n): inches over a limit that are not held against anybody. `parts` as in `judge`."""
    return max(tolerance(settings), max(parts, 1) * RND)


def judge(over: Length, settings: Mapping[str, str], *, parts: int = 1, blur: Fraction = Fraction(0)) -> Judged:
    """How much a length is over its limit, and what that amounts to.

    parts  legs of some length, and pivots, of the path that is measured; 1 for everything else
    blur   how far the shapes that were measured may be off by themselves (`shapes.Polygon.blur`)
    """
    allowed = allowance(settings, parts)
    if over <= blur:
        return Judged(over, "fine", allowed)
    return Judged(over, "tolerance" if over <= allowed + blur else "beyond", allowed)


def judge_met(off: Length, settings: Mapping[str, str], *, parts: int = 1, blur: Fraction = Fraction(0)) -> Judged:
    """The same for a length that has to be met: `off` is how far it is from that, either way."""
    off, guard = abs(off), max(parts, 1) * RND + blur
    if off <= guard:
        return Judged(off, "fine", guard)
    allowed = tolerance(settings)
    return Judged(off, "tolerance" if off <= allowed else "beyond", max(allowed, guard))
