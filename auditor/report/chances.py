"""Odds in a report: the fraction, the words, and a small picture of it as a bar."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from markupsafe import Markup

from auditor.report.model import Odds

WIDTH, HEIGHT = 120, 8
"""Of a bar, in the units of its picture."""


def odds(one: dict[str, Any]) -> Odds:
    """One chance of a finding's effect."""
    chance = Fraction(str(one.get("chance") or "0"))
    words = f"{chance.numerator} in {chance.denominator}"
    return Odds(str(one.get("of") or ""), f"{chance.numerator}/{chance.denominator}", words, bar(chance, words))


def bar(chance: Fraction, words: str) -> Markup:
    """The chance as a part of a bar."""
    part = f"{float(chance) * WIDTH:.1f}"
    return Markup(
        '<svg class="odds" viewBox="0 0 {w} {h}" role="img" aria-label="{words}">'
        '<rect class="all" width="{w}" height="{h}"/><rect class="part" width="{part}" height="{h}"/></svg>'
    ).format(w=WIDTH, h=HEIGHT, words=words, part=part)
