"""Whose say it is in the windows of a battle action, and how often a text in play is used (catalogue 4.22, 4.23)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from auditor.conformance.hcg.referee.abilities import BATTLE_ACTIONS, Ability
from auditor.conformance.hcg.referee.acts import PASSES_TO_CLOSE
from auditor.conformance.hcg.referee.board import Reader
from auditor.conformance.hcg.referee.course import Faults
from auditor.conformance.hcg.referee.found import NotJudged
from auditor.conformance.hcg.referee.rolled import Modified
from auditor.conformance.hcg.referee.rolls import Rolls
from auditor.conformance.hcg.referee.triggers import is_answer
from auditor.conformance.hcg.table import Event, other
from auditor.conformance.hcg.texts import Text

HAVE_NO_WINDOW = ("ba.charge", "ba.pass", "ba.withdraw")


@dataclass
class Window:
    """A window: who has the next say, and how many passed in a row."""

    next: str
    passes: int = 0
    is_repeated: bool = False
    """Whether a turn in it was not used, and is played again (OR-FAILEDTEST)."""
    out: set[str] = field(default_factory=set)
    """Who has passed in it."""
    last: Modified | None = None
    """The modifier that was played in it last."""
    has_no_order: bool = False
    """Whether a modifier failed its test, after which nothing tells who has the say."""

    @property
    def is_closed(self) -> bool:
        return self.passes >= PASSES_TO_CLOSE

    @property
    def is_in_order(self) -> bool:
        """Whether it can be told who has the say."""
        self.has_no_order = self.has_no_order or (self.last is not None and not self.last.is_played())
        return not self.has_no_order

    def played(self, by: str) -> None:
        self.passes, self.next = 0, other(by)


class Windows(Rolls):
    """The table with its windows. Where passes are implied no order can be told, and none is judged."""

    def __init__(self, header: Event, options: Mapping[str, str] | None, events: Sequence[Event] = ()) -> None:
        super().__init__(header, options, events)
        self.tactics: Window | None = None
        self.on_rolls: dict[int, Window] = {}
        self.on_triggers: dict[int, Window] = {}
        self.initiators: dict[int, str] = {}
        """Who brought about each event of the battle action."""
        self.past: dict[int, Event] = {}
        """The events of the battle action."""
        self.uses: set[tuple[Any, ...]] = set()
        self.came_back = False
        """Whether a card came back to a hand in this battle, which its players may have discarded (OR-FAILEDTEST)."""
        self.opened_by = ""
        """The type of the event that opened the battle action."""

    def before(self, event: Event) -> Faults:
        yield from super().before(event)
        type_ = event["type"]
        if type_.startswith("ba.") and type_ != "ba.end":
            self.tactics, self.uses, self.opened_by = None, set(), type_
            self.on_rolls, self.on_triggers, self.initiators, self.past = {}, {}, {}, {}
            self.used_up = self.used_up if self.step == "battle" else set()
        elif type_ == "sweep":
            self.tactics = None
        self.past[self.seq] = event
        initiator = self.initiator(event)
        if initiator is not None:
            self.initiators[self.seq] = initiator

    def initiator(self, event: Event) -> str | None:
        """Whose ability or attack an event is part of (HCG-REA-03)."""
        source = event.get("source")
        if isinstance(source, dict):
            card = self.pieces.get(str(source.get("card")))
            return card.owner if card is not None else None
        if event["type"] == "damage":
            return self.fight.by if self.fight is not None else None
        return event.get("by")

    # ---------------------------------------------------------------- what is played

    def is_what_happened(self, at: Reader, seq: int) -> bool:
        """Whether a reaction answers what it waits for. Raises NotJudged where nobody can tell."""
        card, text = at.source()[0], self.text_of(at)
        if card is None or not isinstance(text, Text) or text.trigger is None:
            return True
        event = self.past[seq]
        if seq in self.killed:
            event = {**event, "destroyed": self.killed[seq]}
        return is_answer(self, text.trigger, event, at.player(), card)

    def is_used_again(self, at: Reader, rule: str, scope: tuple[Any, ...]) -> Faults:
        """A text in play, once in this scope unless it is Unlimited."""
        card, ability = at.source()
        text = self.text_of(at)
        if card is None or card.owner != at.player() or not isinstance(text, Text):
            raise NotJudged("a source that is not one's own")
        if ability == "line" or text.unlimited:
            return
        if (not self.is_here(card.id) and card.zone != "fleet") or not text.readable:
            raise NotJudged("a source that is not here, or cannot be read")
        use = (card.id, ability, *scope)
        if use in self.uses:
            yield self.fault(rule, "illegal", at.player())
        self.uses.add(use)

    def say(self, at: Reader, window: Window, rule: str) -> Faults:
        """Something is played in a window."""
        by = at.player()
        if not self.implied and window.is_in_order:
            is_final = self.is_final(rule)
            if self.is_over(window, rule) and rule != "TAC-02":
                raise NotJudged("a window that is closed")
            waits = by != window.next and not (is_final and other(by) in window.out)
            if self.is_over(window, rule) or waits or (is_final and by in window.out):
                yield self.fault(rule, "illegal", by)
                self.stops = self.stops or window.is_repeated
        window.played(by)

    def is_final(self, rule: str) -> bool:
        """Whether who passes in a window of a rule is out of it."""
        return rule != "TAC-02" and self.goes_by("OR-REACTPASS", "final")

    def is_over(self, window: Window, rule: str) -> bool:
        """Whether a window is closed: by two passes in a row, or when both are out."""
        return len(window.out) >= PASSES_TO_CLOSE if self.is_final(rule) else window.is_closed

    def passes_in(self, at: Reader, window: Window, rule: str) -> Faults:
        """A pass; one out of turn by who has just played something breaks the order."""
        by = at.player()
        alone = self.is_final(rule) and other(by) in window.out and by not in window.out
        judged = not self.implied and window.is_in_order
        if judged and (self.is_over(window, rule) or (by != window.next and not alone)):
            if window.passes and not window.is_repeated:
                raise NotJudged("a pass after a pass that was not due")
            yield self.fault(rule, "illegal", by)
            self.stops = self.stops or window.is_repeated
        window.passes, window.next = window.passes + 1, other(by)
        window.out.add(by)

    def give_back(self, ability: Ability) -> None:
        if ability.kind == "tactic" and self.tactics is not None and self.step == "battle":
            self.tactics.next, self.tactics.passes = ability.by, ability.passes
            self.tactics.is_repeated = True
            self.uses.discard((*ability.key, "ba"))
        elif ability.kind in BATTLE_ACTIONS:
            self.next, self.passes, self.is_repeated = ability.by, self.passed_before, True
        elif ability.kind not in ("event", "setup.ability"):
            raise NotJudged("a test of a reaction or of a modifier is refunded")
        if ability.piece is not None and ability.piece.zone == "limbo" and ability.key[1] == "line":
            self.came_back = True
            self.used_up.discard(ability.piece.id)
            self.move(ability.piece.id, "command_hand", face="down")

    def has_no_window(self) -> bool:
        """Whether the battle action opens no window; of some that is a reading."""
        opened = self.option("OR-CHARGEWIN")
        of_charges = opened == "window-all" or (opened == "window" and self.opened_by == "ba.charge")
        return self.opened_by in HAVE_NO_WINDOW and not of_charges

    def tactics_window(self) -> Window:
        if self.tactics is None:
            self.tactics = Window(self.acting)
        return self.tactics

    def on_tactic(self, at: Reader) -> Faults:
        if self.step == "battle" and self.has_no_window():
            yield self.fault("CHG-02" if self.opened_by == "ba.charge" else "TAC-01", "illegal", at.player())
            self.stops = True
            return
        window = self.tactics_window()
        yield from super().on_tactic(at)
        if not self.stops:
            self.now.passes = window.passes
            yield from self.of_an_order_that_is_judged(self.say(at, window, "TAC-02"))
            yield from self.is_used_again(at, "TAC-04", ("ba",))

    def on_modifier(self, at: Reader) -> Faults:
        seq = at.number("roll")
        yield from super().on_modifier(at)
        if not self.stops:
            window = self.on_rolls.setdefault(seq, Window(self.rolls[seq].by))
            yield from self.say(at, window, "MOD-03")
            window.last = self.waiting[-1]
            yield from self.is_used_again(at, "MOD-02", ("roll", seq))

    def on_reaction(self, at: Reader) -> Faults:
        seq = at.number("trigger")
        if seq >= self.seq:
            yield self.fault("DOC-05", "ambiguous", at.player())
            self.stops = True
            return
        if self.step == "battle" and seq not in self.initiators:
            raise NotJudged("a reaction to what nobody did")
        yield from super().on_reaction(at)
        if self.stops:
            return
        window = self.on_triggers.setdefault(seq, Window(self.initiators[seq]))
        if self.is_what_happened(at, seq):
            yield from self.say(at, window, "REA-03")
        else:
            yield self.fault("REA-01", "illegal", at.player())
            window.played(at.player())
        yield from self.is_used_again(at, "REA-02", ("trigger", seq))

    # ---------------------------------------------------------------- passes

    def on_tactic_pass(self, at: Reader) -> Faults:
        self.in_step("battle")
        if not self.is_open:
            yield self.fault("DOC-05", "ambiguous", at.player())
            self.stops = True
            return
        if self.has_no_window():
            raise NotJudged("a pass where there is no window")
        window = self.tactics_window()
        yield from super().on_tactic_pass(at)
        if self.is_undealt() and self.is_broken() and not self.goes_on_without():
            return  # The attack has ended, and its window with it.
        yield from self.of_an_order_that_is_judged(self.passes_in(at, window, "TAC-02"))

    def of_an_order_that_is_judged(self, faults: Faults) -> Faults:
        """Raises NotJudged for a wrong order in the window of a charge, a pass or a withdrawal (OR-CHARGEWIN)."""
        found = list(faults)
        if found and self.opened_by in HAVE_NO_WINDOW:
            raise NotJudged("whose say it is in the window of a charge, a pass or a withdrawal")
        yield from found

    def on_modifier_pass(self, at: Reader) -> Faults:
        seq = at.number("roll")
        if seq not in self.rolls:
            raise NotJudged("a pass on no roll")
        if seq in self.on_rolls or not self.rolls[seq].is_over:
            yield from self.passes_in(at, self.on_rolls.setdefault(seq, Window(self.rolls[seq].by)), "MOD-03")
        # Else nothing is played on it, and none of its passes is demanded (catalogue 1.4).
        yield from self.said(at)

    def on_reaction_pass(self, at: Reader) -> Faults:
        seq = at.number("trigger")
        if seq >= self.seq:
            yield self.fault("DOC-05", "ambiguous", at.player())
            self.stops = True
            return
        if seq not in self.initiators:
            raise NotJudged("a pass on nothing")
        if seq not in self.on_triggers and at.player() != self.initiators[seq]:
            if any(not window.is_closed for window in self.on_triggers.values()):
                raise NotJudged("a pass that may be one in another window")
            if any(seq < n < self.seq and by == at.player() for n, by in self.initiators.items()):
                raise NotJudged("a pass that may be one on something later")
        yield from self.passes_in(at, self.on_triggers.setdefault(seq, Window(self.initiators[seq])), "REA-03")
        yield from self.said(at)

    def ba_is_over(self) -> Faults:
        """An attack that goes on without a card that it has lost in its window (OR-TACASSET) closes the window."""
        if self.is_undealt() and not self.implied and self.tactics is not None and not self.tactics.is_closed:
            if self.is_broken() and self.goes_on_without():
                yield self.fault("TAC-02", "illegal", self.acting)
        yield from super().ba_is_over()

    def is_undealt(self) -> bool:
        """Whether an attack is on, and its damage step, or that of its sweep, has not come."""
        return self.fight is not None and self.fight.dealt is None and self.fight.steps == int(self.fight.swept)

    def on_damage(self, at: Reader) -> Faults:
        begins = "from" in at.event and self.fight is not None and self.fight.dealt is None
        if begins and not self.implied and self.attack is not None and self.attack.defender is not None:
            if (self.tactics is None or not self.tactics.is_closed) and not self.is_broken():
                yield self.fault("TAC-02", "illegal", self.fight.by if self.fight else None)
        yield from super().on_damage(at)
