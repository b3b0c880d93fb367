"""The die of this game, and rolls of which some dice are missing or too many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.core.odds import MOST_DICE, Cases, die, rolled, sure, taken, together
from auditor.systems.calth.packs import die_faces
from auditor.systems.calth.words import count, names

HIT, SHIELD, CRITICAL = "CH", "S", "C"


def die_words() -> str:
    """What a die shows, and whose word that is: `1 critical, 2 hits, …`."""
    sides = die_faces()
    each = [(sides.count(face), one) for face, one in zip("CHSB", ("critical", "hit", "shield", "blank"), strict=True)]
    shown = names(count(n, one) for n, one in each if n)
    return f"This assumes the usual die, {shown}: the rules' text does not say what a die shows."


@dataclass(frozen=True, slots=True)
class Throw:
    """A roll as it is due, over what was rolled of it.

    cases    by successes
    lacking  dice that were not rolled
    surplus  dice that were too many, so that every choice of those due counts alike
    rolled   dice that were rolled
    """

    cases: Cases
    lacking: int = 0
    surplus: int = 0
    rolled: int = 0

    def gap(self, one: str, many: str, of: str = "") -> str:
        """What is missing or too many, as a sentence begins; "" where the roll is as it should be.

        `one`, `many`: what the dice are called, "attack die" and "attack dice"; `of`: whose they are.
        """
        whose = f" of {of}" if of else ""
        if self.lacking:
            return f"{count(self.lacking, one, many)}{whose} {_were(self.lacking)} not rolled"
        if self.surplus and self.surplus == self.rolled:
            return f"no {one}{whose} was due, and {self.surplus} {_were(self.surplus)} rolled"
        if self.surplus:
            return f"{self.surplus} of the {self.rolled} {many}{whose} {_were(self.surplus)} too many"
        return ""


WHICH = "Which dice were too many nobody can tell, so every choice of them counts alike."


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def throw(shown: Sequence[str], due: int, good: str, *, one: Cases | None = None) -> Throw | None:
    """The roll of `due` dice of which these faces were recorded; None where there are too many dice to reckon with.

    `one`: a die not rolled, where it counts otherwise than by its good faces.
    """
    successes, number = sum(face in good for face in shown), len(shown)
    if number == due:
        return Throw(sure(successes))
    if max(number, due) > MOST_DICE or due < 0:
        return None
    if number < due:
        fresh = rolled(one or die(die_faces(), good), due - number)
        return Throw(together(sure(successes), fresh), lacking=due - number)
    return Throw(taken(successes, number, due), surplus=number - due, rolled=number)
