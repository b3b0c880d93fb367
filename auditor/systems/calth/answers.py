"""Tables over readings: an answer for every combination of their options at once, as one bit each.

A reading is asked only if the answer still hangs on it. So what is kept between queries are such tables, never answers,
and no question is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Any

from auditor.systems.calth.readings import READINGS

Ask = Callable[[str], str]
"""Gives the option of a reading, by its id; called only where an answer hangs on it."""


@dataclass(frozen=True, slots=True)
class Question:
    """A reading on which an answer hangs, among the combinations in `left`; `after` each option what comes next."""

    reading: str
    left: int
    after: dict[str, Any]


class Choice:
    """Tables over some readings of which exactly one holds for each combination of options in `among`; others do not
    matter. Called, it gives back the place of the one that holds, or None if the answers lead to such others.

    What had to be asked to choose is kept as a tree of questions. Equal choices are one: see `Answers.choice`.
    """

    __slots__ = ("among", "begun", "first", "over", "tables")

    def __init__(self, over: Answers, tables: tuple[int, ...], among: int) -> None:
        self.over, self.tables, self.among = over, tables, among
        self.begun = False
        self.first: Question | int | None = None

    def __call__(self, ask: Ask) -> int | None:
        return self.over.which(self, ask)


class Answers:
    """Tables over some readings: one bit for each combination of their options, set where the thing holds.

    A table is an integer, so that "or", "and" and "not" of rules are those of integers.
    """

    def __init__(self, *readings: str) -> None:
        known = {reading.id: tuple(option.id for option in reading.options) for reading in READINGS}
        self.options = {reading: known[reading] for reading in readings}
        self.size = prod(len(options) for options in self.options.values())
        self.always = (1 << self.size) - 1
        self._masks: dict[tuple[str, str], int] = {}
        self._pairs: dict[str, list[tuple[int, int, int]]] = {}
        self._repeats: dict[int, int] = {}
        self._questions: dict[int, Question | bool] = {}
        self._choices: dict[tuple[tuple[int, ...], int], Choice] = {}
        stride = 1
        for reading, options in self.options.items():
            block = (1 << stride) - 1
            period = stride * len(options)
            repeated = sum(block << start for start in range(0, self.size, period))
            for i, option in enumerate(options):
                self._masks[reading, option] = repeated << (i * stride)
            # Two of its options: how far their combinations are shifted from those of the first, and these.
            self._pairs[reading] = [
                (i * stride, j * stride, repeated) for i in range(1, len(options)) for j in range(i)
            ]
            stride = period

    def where(self, reading: str, *options: str) -> int:
        """The table that holds exactly under these options of one reading."""
        table = 0
        for option in options:
            table |= self._masks[reading, option]
        return table

    def widen(self, table: int, of: Answers) -> int:
        """A table over the first few of these readings as one over all of them."""
        repeat = self._repeats.get(of.size)
        if repeat is None:
            repeat = self._repeats[of.size] = sum(1 << start for start in range(0, self.size, of.size))
        return table * repeat

    def decide(self, table: int, ask: Ask) -> bool:
        """Whether the table holds, asking, in order, only the readings on which that still hangs."""
        # Asked more often than anything else, so what was found out is kept as a tree: question, answer, next question.
        next_ = self._questions.get(table)
        if next_ is None:
            if len(self._questions) >= 4096:
                self._questions.clear()
            next_ = self._questions[table] = self._question(table, self.always)
        while next_ is not True and next_ is not False:
            option = ask(next_.reading)
            found = next_.after.get(option)
            if found is None:
                found = self._question(table, next_.left & self._masks[next_.reading, option])
                next_.after[option] = found
            next_ = found
        return next_ is True

    def _question(self, table: int, left: int) -> Question | bool:
        """Whether the table holds among the combinations in `left`, or what must be asked first."""
        if not left & table:
            return False
        if not left & ~table:
            return True
        reading = self._first_asked((table,), left)
        return Question(reading, left, {}) if reading is not None else False

    def choice(self, tables: tuple[int, ...], among: int) -> Choice:
        """The choice between some tables, the same for the same tables as long as it is kept."""
        found = self._choices.get((tables, among))
        if found is None:
            if len(self._choices) >= 4096:
                self._choices.clear()
            found = self._choices[tables, among] = Choice(self, tables, among)
        return found

    def which(self, choice: Choice, ask: Ask) -> int | None:
        """Which table of a choice holds, asking, in order, only the readings on which that still hangs.

        None if the answers given lead to combinations that do not matter.
        """
        if not choice.begun:
            choice.first, choice.begun = self._next(choice, choice.among), True
        next_ = choice.first
        while isinstance(next_, Question):
            asked, option = next_, ask(next_.reading)
            if option not in asked.after:
                asked.after[option] = self._next(choice, asked.left & self._masks[asked.reading, option])
            next_ = asked.after[option]
        return next_

    def _next(self, choice: Choice, left: int) -> Question | int | None:
        found, reading = self._step(choice.tables, left)
        return found if reading is None else Question(reading, left, {})

    def _step(self, tables: tuple[int, ...], left: int) -> tuple[int | None, str | None]:
        """The table that holds, or else the first reading on which it hangs which one does."""
        if not any(not left & ~table for table in tables):
            reading = self._first_asked(tables, left)
            if reading is not None:
                return None, reading
        return next((i for i, table in enumerate(tables) if table & left), None), None

    def under(self, ask: Ask) -> int:
        """The one combination of options that `ask` gives, as a table. Every reading is asked."""
        left = self.always
        for reading in self.options:
            left &= self._masks[reading, ask(reading)]
        return left

    def _first_asked(self, tables: tuple[int, ...], left: int) -> str | None:
        """The first reading in which two combinations in `left` differ, and in no other, that some table answers
        differently."""
        for reading, pairs in self._pairs.items():
            for one, other, first in pairs:
                both = (left >> one) & (left >> other) & first
                if both:
                    for table in tables:
                        if ((table >> one) ^ (table >> other)) & both:
                            return reading
        return None


once = lru_cache(maxsize=4096)
"""For questions: those that are made of the same values are one, so that it is cheap to see that they are equal."""


@once
@dataclass(frozen=True, slots=True, eq=False)
class Holds:
    """The question whether a table holds."""

    over: Answers
    table: int

    def __call__(self, ask: Ask) -> bool:
        return self.over.decide(self.table, ask)
