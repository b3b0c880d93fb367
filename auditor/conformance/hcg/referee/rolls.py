"""Rolls and their modifiers (catalogue 4.8, 4.23)."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence

from auditor.conformance.hcg.referee.attacks import Attacks
from auditor.conformance.hcg.referee.board import Reader
from auditor.conformance.hcg.referee.course import Faults
from auditor.conformance.hcg.referee.found import Found, NotJudged
from auditor.conformance.hcg.referee.rolled import Modified, Rolled
from auditor.conformance.hcg.table import PLAYERS, Event
from auditor.conformance.hcg.texts import Text


def is_no_roll(text: Text) -> bool:
    """Whether a text discards cards off a deck and asks for no roll."""
    if not text.readable or text.rows or any(cost.op == "test" or cost.n == "d6" for cost in text.costs):
        return False
    amounts = [amount for one in text.effects for amount in (one.n, *(said for _, _, said in one.mods))]
    ops = [*(effect.op for effect in text.effects), *(cost.op for cost in text.costs)]
    return "mill" in ops and "d6" not in amounts


class Rolls(Attacks):
    """The table with its rolls."""

    def __init__(self, header: Event, options: Mapping[str, str] | None, events: Sequence[Event] = ()) -> None:
        super().__init__(header, options, events)
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
            if card.zone == "command_hand":
                yield self.fault("ROLL-01", "illegal", by)
            elif at.event.get("die") is not None and at.number("die") != card.card.die:
                yield self.fault("ROLL-01", "miscalculated", by)  # It comes before the rule of every deck.
            else:
                yield self.fault("DOC-03", "illegal", by)
            self.stops = True
            return
        if isinstance(text, Text) and is_no_roll(text):
            yield self.fault("DISC-02", "illegal", by)
            self.move(card.id, "limbo")
            return
        if source is not None and source.owner != by:
            yield self.fault("ROLL-01", "illegal", by)
        made = Rolled(by, card.card.die, purpose, None, is_clamped=self.option("OR-ROLLRANGE") == "clamp-1-6")
        if purpose == "test":
            made.need = yield from self.need_of(at, text, made)
        yield from self.is_tested(made)
        if self.stops:
            return
        for one in self.waiting:
            if one.source == self.key_of(at.event):
                one.inner.append(made)
        if at.event.get("die") is not None and at.number("die") != card.card.die:
            yield self.fault("ROLL-01", "miscalculated", by)
        else:
            yield from self.outcome(at, made)
        self.rolls[self.seq] = made
        self.move(card.id, "limbo")

    def need_of(self, at: Reader, text: object, made: Rolled) -> Generator[Found, None, int | None]:
        """The number that a test needs. Raises NotJudged where its text does not say it, or the record says another."""
        if not isinstance(text, Text):
            raise NotJudged("a test of a text that is none")
        needs = [cost.need for cost in text.costs if cost.op == "test"]
        if len(needs) != 1:
            raise NotJudged("which test it is cannot be told")
        said, ability = at.number("need") if "need" in at.event else None, self.now
        if isinstance(needs[0], int):
            if said not in (None, needs[0]):
                raise NotJudged("a test with another need")
            return needs[0]
        if ability.x is None:
            ability.x = said
        elif said not in (None, ability.x):
            yield self.fault("X-02" if text.x is None else "X-01", "miscalculated", ability.by)
            made.due = ability.x
            ability.x = said  # A roll made again needs the same.
        return ability.x

    def outcome(self, at: Reader, made: Rolled) -> Faults:
        """The final number that an event claims, then whether the test was passed."""
        passed = at.event.get("passed")
        made.is_over = not {"final", "passed"}.isdisjoint(at.event)
        if at.event.get("final") is not None:
            said, due = at.number("final"), made.counted()
            if said != due:
                played = [one for one in made.modifiers if one.is_played()]
                left_out = said in [made.die if played else due, *(made.counted(without=one) for one in played)]
                yield self.fault("ROLL-05" if left_out else "MOD-04", "miscalculated", made.by)
                made.final = said
                return
            made.final = said
        if passed is None or made.purpose != "test":
            return
        if not isinstance(passed, bool):
            raise NotJudged("whether a test was passed cannot be read")
        made.passed = passed
        if made.need is None:
            return
        if passed not in [made.value >= need for need in (made.need, made.due) if need is not None]:
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
        if not self.is_made_later(at.event.get("reroll")):
            yield self.fault("DOC-05", "ambiguous", at.player())
            self.stops = True
            return
        one = Modified(self.now.key, effect, any(cost.op == "test" for cost in text.costs), self.now.x)
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

    def is_made_later(self, seq: object) -> bool:
        """Whether a new roll that is named comes later, or may come after the end of a record that simply stops."""
        if seq is None:
            return True
        named = next((one for one in self.to_come if one.get("seq") == seq), None)
        if named is not None or type(seq) is not int or seq <= self.seq:
            return named is not None and named["type"] == "roll"
        return not any(one["type"] in ("end", "game.end") for one in self.to_come)

    def before(self, event: Event) -> Faults:
        yield from super().before(event)
        if event["type"].startswith("ba."):
            self.waiting = []
        if self.step != "battle" and event["type"] != "reshuffle":
            # Nothing modifies a roll outside the battle step: its card lies in limbo for the refill alone.
            for player in PLAYERS:
                self.discard_names(list(self.zone(player, "limbo")))
