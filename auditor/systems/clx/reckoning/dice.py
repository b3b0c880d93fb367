"""Dice: whether one reaches a number, and dice as the base rules write them: "2D6", "D3+1"."""

from __future__ import annotations

import re

_DICE = re.compile(r"([1-9]?)D([36])(?:\+(\d{1,2}))?")


def reaches(die: int, needed: int | None) -> bool:
    """Whether a die succeeds: a 1 never does, and a number above 6, or none, cannot be reached."""
    return needed is not None and needed <= 6 and die > 1 and die >= needed


def passes(dice: list[int], needed: int) -> bool:
    """Whether dice pass a test at a number; of three the two lowest count."""
    return sum(sorted(dice)[:2]) <= needed


def parts_of(written: str | None) -> tuple[int, int, int] | None:
    """How many dice, of how many sides, and what is added; None where nothing is written."""
    found = None if written is None else _DICE.fullmatch(written)
    return None if found is None else (int(found[1] or 1), int(found[2]), int(found[3] or 0))


def most_of(written: str | None) -> int | None:
    """The most that such dice can show."""
    parts = parts_of(written)
    return None if parts is None else parts[0] * parts[1] + parts[2]


def total_of(written: str | None, dice: list[int] | None) -> int | None:
    """What recorded dice come to; None where they are not those that are due, or that is not known."""
    parts = parts_of(written)
    if parts is None or dice is None or len(dice) != parts[0] or not all(1 <= die <= parts[1] for die in dice):
        return None
    return sum(dice) + parts[2]
