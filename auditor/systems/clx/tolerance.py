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
from typing import Any, Literal

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


PRECISION = "recording_precision"
"""The setting under which a replay knows how coarsely its record gives places; absent where finely enough for `RND`."""
FINE = Fraction(1, 100)


def tolerance(settings: Mapping[str, str]) -> Fraction:
    """The tournament's measuring tolerance in inches, or what the rounding of a coarse record can explain if more."""
    return _tolerance(*_said(settings))


def rounding(settings: Mapping[str, str]) -> Fraction:
    """By how much a distance between two points may be off because the record rounds them."""
    return _rounding(_said(settings)[1])


def _said(settings: Mapping[str, str]) -> tuple[str, str]:
    return settings.get("measuring_tolerance", "0"), settings.get(PRECISION, "0")


# There are few of these numbers, and they are asked for at every length.


@lru_cache(maxsize=64)
def _tolerance(tape: str, step: str) -> Fraction:
    return max(_number(tape), _coarse(step))


@lru_cache(maxsize=64)
def _rounding(step: str) -> Fraction:
    return max(RND, _coarse(step))


@lru_cache(maxsize=1024)
def _allowance(tape: str, step: str, parts: int) -> Fraction:
    return max(_tolerance(tape, step), max(parts, 1) * _rounding(step))


def _coarse(step: str) -> Fraction:
    # Each end is off by half a step along both axes: both ends together by the diagonal of a step, 1.415 of it.
    return _number(step) * 3 / 2


def measured(record: Any, settings: Mapping[str, str]) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """What a replay of a record is to know beside the settings in force: how coarsely its places are recorded, where
    that is coarser than `RND` allows for; and what is to be said of it (catalogue 2.2)."""
    step = record.setup.precision
    if step is None or step <= FINE:
        return {}, ()
    said: tuple[str, ...] = ()
    if step > tolerance(settings):
        tape = _number(settings.get("measuring_tolerance", "0"))
        said = (
            f"Places are recorded to {float(step):g} inches, more coarsely than the measuring tolerance of {float(tape):g}: "
            f"what that rounding can explain, up to {float(step * 3 / 2):g} inches between two points, is held against nobody.",
        )
    return {PRECISION: str(step)}, said


_number = lru_cache(maxsize=64)(Fraction)


def allowance(settings: Mapping[str, str], parts: int = 1) -> Fraction:
    """T(n): inches over a limit that are not held against anybody. `parts` as in `judge`."""
    return _allowance(*_said(settings), parts)


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
    off, guard = abs(off), max(parts, 1) * rounding(settings) + blur
    if off <= guard:
        return Judged(off, "fine", guard)
    allowed = tolerance(settings)
    return Judged(off, "tolerance" if off <= allowed else "beyond", max(allowed, guard))
