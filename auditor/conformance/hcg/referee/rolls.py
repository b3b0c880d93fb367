"""Rolls and their modifiers (catalogue 4.8, 4.23)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from auditor.conformance.hcg.referee.attacks import Attacks
from auditor.conformance.hcg.referee.board import Reader
from auditor.conformance.hcg.referee.course import Faults
from auditor.conformance.hcg.referee.found import NotJudged
from auditor.conformance.hcg.table import PLAYERS, Event
from auditor.conformance.hcg.texts import Effect, Text


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
        if not tests or tests[-1].need is None:
            raise NotJudged("the test of a modifier cannot be told")
        return tests[-1].value >= tests[-1].need

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
    modifiers: list[Modified] = field(default_factory=list)
    final: int | None = None
    """As it is claimed."""
    is_over: bool = False
    is_closed: bool = False
    """Whether its window is said to be closed."""

    @property
    def value(self) -> int:
        """What it comes to: as claimed, or counted."""
        return self.counted() if self.final is None else self.final

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
        return total


class Rolls(Attacks):
    """The table with its rolls."""

    def __init__(self, header: Event, options: Mapping[str, str] | None) -> None:
        super().__init__(header, options)
        self.rolls: dict[int, Rolled] = {}
        self.waiting: list[Modified] = []
        """Modifiers of the battle action, whose rolls may follow."""

    def on_roll(self, at: Reader) -> Faults:
        by, card = at.player(), at.piece()
        purpose = at.one_of("purpose", ("test", "d6", "variable"))
        source, _ = at.source()
        text = self.text_of(at)
        if card.owner != by or card.zone not in ("deck", "command_hand"):
            raise NotJudged("a roll of another card")
        if card.zone == "command_hand" or self.top(by) not in (None, card.id):
            yield self.fault("ROLL-01" if card.zone == "command_hand" else "DOC-03", "illegal", by)
            self.stops = True
            return
        if source is not None and source.owner != by:
            yield self.fault("ROLL-01", "illegal", by)
        made = Rolled(by, card.card.die, purpose, self.need_of(at, text) if purpose == "test" else None)
        for one in self.waiting:
            if one.source == self.key(at):
                one.inner.append(made)
        if at.event.get("die") is not None and at.number("die") != card.card.die:
            yield self.fault("ROLL-01", "miscalculated", by)
        else:
            yield from self.outcome(at, made)
        self.rolls[self.seq] = made
        self.move(card.id, "limbo")

    def key(self, at: Reader) -> tuple[str, Any]:
        """What tells an ability from another."""
        source = at.event["source"]
        return str(source.get("card")), source.get("ability")

    def need_of(self, at: Reader, text: object) -> int | None:
        """The number that a test needs. Raises NotJudged where its text does not say it, or the record says another."""
        if not isinstance(text, Text):
            raise NotJudged("a test of a text that is none")
        needs = [cost.need for cost in text.costs if cost.op == "test"]
        if len(needs) != 1:
            raise NotJudged("which test it is cannot be told")
        said = at.number("need") if "need" in at.event else None
        if isinstance(needs[0], str):
            return said
        if said not in (None, needs[0]):
            raise NotJudged("a test with another need")
        return needs[0]

    def outcome(self, at: Reader, made: Rolled) -> Faults:
        """The final number that an event claims, then whether the test was passed."""
        passed = at.event.get("passed")
        made.is_over = not {"final", "passed"}.isdisjoint(at.event)
        if at.event.get("final") is not None:
            said, due = at.number("final"), made.counted()
            if said != due:
                left_out = any(one.is_played() and made.counted(without=one) == said for one in made.modifiers)
                yield self.fault("ROLL-05" if left_out else "MOD-04", "miscalculated", made.by)
                made.final = said
                return
            made.final = said
        if passed is None or made.need is None:
            return
        if not isinstance(passed, bool):
            raise NotJudged("whether a test was passed cannot be read")
        if passed != (made.value >= made.need):
            yield self.fault("ROLL-02", "miscalculated", made.by)

    def on_roll_final(self, at: Reader) -> Faults:
        made = self.rolls.get(at.number("roll"))
        if made is None or made.is_over:
            raise NotJudged("the end of no roll")
        yield from self.outcome(at, made)
        made.is_over = made.is_closed = True

    def on_modifier(self, at: Reader) -> Faults:
        made, text = self.rolls.get(at.number("roll")), self.text_of(at)
        if self.step == "battle" and made is not None and made.is_closed:
            yield self.fault("MOD-01", "illegal", at.player())
            self.stops = True
            return
        if self.step == "battle" and (made is None or made.is_over or not isinstance(text, Text)):
            raise NotJudged("a modifier of no roll")
        yield from super().on_modifier(at)
        if self.stops:
            return
        assert made is not None and isinstance(text, Text)
        effect = text.effects[0] if text.readable and len(text.effects) == 1 else None
        x = text.x if isinstance(text.x, int) else at.number("x") if "x" in at.event else None
        one = Modified(self.key(at), effect, any(cost.op == "test" for cost in text.costs), x)
        self.waiting.append(one)
        if effect is not None and effect.op == "reroll":
            # One whose test failed leaves the roll open.
            made.is_over = "reroll" in at.event
            return
        made.modifiers.append(one)
        if effect is None or "reroll" in at.event:
            return
        if effect.op == "roll_set" and at.event.get("set", effect.n) != effect.n:
            raise NotJudged("another number than the text says")
        fixed = effect.op == "roll_add" and isinstance(effect.mods[0][2], int)
        if fixed and at.event.get("amount", one.amount()) != one.amount():
            raise NotJudged("another number than the text says")

    def before(self, event: Event) -> Faults:
        yield from super().before(event)
        if event["type"].startswith("ba."):
            self.waiting = []
        if self.step != "battle" and event["type"] != "reshuffle":
            # Nothing modifies a roll outside the battle step: its card lies in limbo for the refill alone.
            for player in PLAYERS:
                self.discard_names(list(self.zone(player, "limbo")))
