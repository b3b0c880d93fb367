"""What a question of a check comes to, whatever the readings: cases, each with its answer.

Questions that are equal have equal cases, so these are worked out once in a replay, however many rules put the question
in however many events and lanes.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from auditor.core import bounds
from auditor.core.rulings import Rulings, Settled
from auditor.core.scopes import Cube, explore

MOST_KEPT = 1_024


class Cases(NamedTuple):
    """All cases of one question: assignments that do not overlap and cover all that it asks, the one in force first.

    readings  what it asks, under whatever options
    """

    readings: frozenset[str]
    each: tuple[tuple[Cube, Hashable], ...]


class Questions:
    """The cases of questions under some rulings."""

    def __init__(self, rulings: Rulings) -> None:
        self._rulings = rulings
        self._kept: dict[str | Settled, Cases | None] = {}

    def cases(self, question: str | Settled) -> Cases | None:
        """The cases of a reading, or of what a check had settled by several; None where these are too many."""
        try:
            return self._kept[question]
        except KeyError:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            found = self._kept[question] = self._worked_out(question)
            return found

    def _worked_out(self, question: str | Settled) -> Cases | None:
        selected = self._rulings.selected

        def judge(options: Cube) -> tuple[dict[str, str], Hashable]:
            asked: dict[str, str] = {}

            def ask(reading: str) -> str:
                option = asked[reading] = options.get(reading) or selected[reading]
                return option

            return asked, ask(question) if isinstance(question, str) else question(ask)

        each, whole = explore(judge, self._rulings.domains, {}, 1 + bounds.MOST_CELLS)
        return Cases(frozenset(reading for cube, _ in each for reading in cube), tuple(each)) if whole else None
