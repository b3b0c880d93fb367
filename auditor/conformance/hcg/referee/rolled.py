"""A roll that was made, and what was played on it (catalogue 4.8, 4.23)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from auditor.conformance.hcg.referee.found import NotJudged
from auditor.conformance.hcg.texts import Effect

LOWEST, HIGHEST = 1, 6


@dataclass
class Modified:
    """A modifier that was played: what its text does, and the rolls that it called for."""

    source: tuple[str, Any]
    effect: Effect | None
    """None where the text cannot be read."""
    has_test: bool
    x: int | None = None
    inner: list[Rolled] = field(default_factory=list)

    def is_played(self) -> bool:
        """Whether it counts: one whose test failed does nothing."""
        tests = [one for one in self.inner if one.purpose == "test"]
        if not self.has_test:
            return True
        if not tests:
            raise NotJudged("the test of a modifier cannot be told")
        return tests[-1].is_passed

    def amount(self) -> int:
        """What it adds. Raises NotJudged where nobody can tell."""
        if self.effect is None or self.effect.op != "roll_add":
            raise NotJudged("what a modifier adds cannot be told")
        _, sign, said = self.effect.mods[0]
        rolled = [one.value for one in self.inner if one.purpose == "d6"]
        named = [self.x, *(one.need for one in self.inner if one.purpose == "test")]
        told = [said] if isinstance(said, int) else rolled if said == "d6" else [x for x in named if x is not None][:1]
        if not told:
            raise NotJudged("what a modifier adds cannot be told")
        return sign * told[-1]


@dataclass
class Rolled:
    """A roll that was made, with what was played on it."""

    by: str
    die: int
    purpose: str
    need: int | None
    due: int | None = None
    """What a test needs where another number is claimed."""
    modifiers: list[Modified] = field(default_factory=list)
    final: int | None = None
    """As it is claimed."""
    is_clamped: bool = False
    """Whether modifiers cannot push it beyond the numbers of a die."""
    passed: bool | None = None
    """As it is claimed."""
    is_over: bool = False
    is_closed: bool = False
    """Whether its window is said to be closed."""

    @property
    def value(self) -> int:
        """What it comes to: as claimed, or counted."""
        return self.counted() if self.final is None else self.final

    @property
    def is_passed(self) -> bool:
        """Whether a test is passed: as claimed, or counted. Raises NotJudged where nobody can tell."""
        if self.passed is not None:
            return self.passed
        if self.need is None:
            raise NotJudged("what a test needs cannot be told")
        return self.value >= self.need

    def counted(self, without: Modified | None = None) -> int:
        """Die and modifiers in the order in which they were played. Raises NotJudged where nobody can tell."""
        total = self.die
        for one in self.modifiers:
            if one is without or not one.is_played():
                continue
            if one.effect is not None and one.effect.op == "roll_set":
                total = int(one.effect.n)
            else:
                total += one.amount()
        return min(max(total, LOWEST), HIGHEST) if self.is_clamped else total
