"""Windows: modifiers to a roll, reactions to what happened, tactics in a battle action (catalogue 4.22, 4.23)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from auditor.conformance.hcg.abilities import Abilities, Plan
from auditor.conformance.hcg.table import Event, Happening, Piece, other
from auditor.conformance.hcg.texts import Text, Trigger

DEEPEST = 6
LONGEST = 300
"""So many events after a battle action began nobody plays on a roll any more: no table goes on with rerolls of rerolls."""


@dataclass
class Roll:
    """A roll that is not final yet."""

    by: str
    source: Event
    purpose: str
    need: int | None
    event: Event
    value: int
    cards: list[str]


class Windows(Abilities):
    """The table with its windows; `keenness` is how much players like to play in each kind."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.depth = 0
        self.began = 0
        """How many events there were when the battle action began."""
        self.passed = False
        self.keenness = {"tactic": 0.4, "reaction": 0.7, "modifier": 0.35}
        self.says_passes = 0.2

    # ---------------------------------------------------------------- what can be played

    def abilities_of(self, by: str, letter: str) -> list[tuple[Piece, int | str, Text]]:
        """Command lines in hand and texts in play of one type, in any order."""
        found: list[tuple[Piece, int | str, Text]] = []
        for name in self.hand(by):
            line = self.pieces[name].card.line
            if line is not None and line.type == letter and len(self.hand(by)) > self.reserved[by]:
                found.append((self.pieces[name], "line", line))
        for piece in self.in_play(by):
            found += [(piece, index, text) for index, text in piece.card.typed(letter)]
        self.rng.shuffle(found)
        return found

    def unused(self, piece: Piece, index: int | str, text: Text, scope: tuple[Any, ...]) -> bool:
        return index == "line" or text.unlimited or (index, *scope) not in piece.used

    def begin(self, plan: Plan, type_: str, scope: tuple[Any, ...], **fields: Any) -> Event:
        """Announce an ability: the event, the card on the table, what its being played sets off."""
        plan = self.twist("announced", plan)
        x = plan.x if plan.free_x or (plan.x is not None and self.chance(0.5)) else None
        choices = plan.choices if type_ != "modifier" else None
        event = self.write(type_, by=plan.by, source=plan.source, choices=choices, x=x, **fields)
        if plan.index == "line":
            self.move(plan.piece.id, "limbo")
            self.react([(event, [Happening("plays", player=plan.by)])], plan.by)
        else:
            plan.piece.used.add((plan.index, *scope))
        return event

    def take_back(self, plan: Plan) -> bool:
        """Whether what failed its test is not used (OR-FAILEDTEST); a card goes back to the hand."""
        if not plan.failed or self.goes_by("OR-FAILEDTEST", "spent"):
            return False
        if plan.index == "line" and plan.piece.zone == "limbo":
            self.move(plan.piece.id, "command_hand", face="down")
        return True

    def finish(self, plan: Plan) -> None:
        """A card from the hand goes to the discard pile when it has been resolved."""
        if plan.index == "line" and plan.piece.zone == "limbo":
            self.move(plan.piece.id, "discard")

    # ---------------------------------------------------------------- rolls

    def roll(self, by: str, source: Event, purpose: str, need: int | None = None) -> int | None:
        """A roll with its modifiers; the final number, None where no card is left."""
        return self.roll_on(by, source, purpose, need, [])

    def roll_on(self, by: str, source: Event, purpose: str, need: int | None, before: list[str]) -> int | None:
        """A roll, perhaps in place of one whose card still lies in limbo."""
        if not self.refill(by):
            return None
        card = self.take(by, "limbo")
        die = self.pieces[card].card.die
        event = self.write("roll", by=by, source=source, card=card, die=die, purpose=purpose, need=need)
        self.emptied(by)
        made = Roll(by, source, purpose, need, event, die, [*before, card])
        if self.step != "battle":
            self.settle(made, event)
            return made.value
        return self.modifier_window(made)

    def settle(self, made: Roll, event: Event) -> None:
        """The roll is final: its cards are discarded."""
        if self.goes_by("OR-ROLLRANGE", "clamp-1-6"):
            made.value = min(max(made.value, 1), 6)
        event["final"] = made.value
        if made.need is not None:
            self.passed = self.twist("passed", made.value >= made.need, made, event)
            event["passed"] = self.passed
        self.twist("final", event, made)
        for name in made.cards:
            if self.pieces[name].zone == "limbo":
                self.move(name, "discard")

    def modifier_window(self, made: Roll) -> int | None:
        acting, passes, waiting, played = made.by, 0, 0, False
        out: set[str] = set()
        self.depth += 1
        while passes < 2:
            plan = self.pick_modifier(acting, made)
            if plan is None:
                passes += 1
                out.add(acting)
                if played:
                    self.write("modifier.pass", by=acting, roll=made.event["seq"])
                else:
                    waiting += 1
            else:
                if not played and waiting:
                    self.write("modifier.pass", by=other(acting), roll=made.event["seq"])
                passes, played = self.passes_that_stand(out), True
                rerolled, value = self.play_modifier(plan, made)
                if rerolled:
                    self.depth -= 1
                    return value
            acting = self.twist("next modifier", self.next_in_window(acting, out), passes)
        self.depth -= 1
        if played:
            event = self.write("roll.final", roll=made.event["seq"])
            self.settle(made, event)
            self.seen["modified roll"] += 1
        else:
            if self.chance(self.says_passes / 2):
                for who in (made.by, other(made.by)):
                    self.write("modifier.pass", by=who, roll=made.event["seq"])
            self.settle(made, made.event)
        return made.value

    def passes_that_stand(self, out: set[str]) -> int:
        """How many passes count after something was played; where a pass is final, all do (OR-REACTPASS)."""
        return len(out) if self.goes_by("OR-REACTPASS", "final") else 0

    def next_in_window(self, acting: str, out: set[str]) -> str:
        """Who has the next say; where a pass is final not somebody who has passed."""
        is_out = other(acting) in out and self.goes_by("OR-REACTPASS", "final")
        return acting if is_out else other(acting)

    def pick_modifier(self, by: str, made: Roll) -> Plan | None:
        goes_on = self.depth <= DEEPEST and len(self.log) <= self.began + LONGEST
        if not goes_on or not self.chance(self.keenness["modifier"]):
            return None
        scope = ("roll", made.event["seq"])
        for piece, index, text in self.abilities_of(by, "M"):
            whose = text.effects[0].whose if text.effects else "any"
            if (whose == "own" and made.by != by) or (whose == "enemy" and made.by == by):
                continue
            if self.may_be_refunded(text):
                continue
            if self.unused(piece, index, text, scope) and (plan := self.plan(by, piece, index, text)):
                return plan
        return None

    def may_be_refunded(self, text: Text) -> bool:
        """Whether the test of a modifier or a reaction would be refunded: whose say it is then, is left open."""
        return self.goes_by("OR-FAILEDTEST", "refunded") and any(cost.op == "test" for cost in text.costs)

    def play_modifier(self, plan: Plan, made: Roll) -> tuple[bool, int | None]:
        """A modifier; whether it led to a new roll, and what that came to."""
        effect = plan.text.effects[0] if plan.text.effects else None
        event = self.begin(plan, "modifier", ("roll", made.event["seq"]), roll=made.event["seq"])
        paid = self.pay(plan)
        if not paid:
            self.finish(plan)
            return False, None
        if effect is None:
            # A text that nobody can read: what it did is what the log says.
            event["set"] = self.rng.randint(1, 6)
            made.value = event["set"]
        elif effect.op == "roll_set":
            event["set"] = int(effect.n)
            made.value = int(effect.n)
        elif effect.op == "roll_add":
            _, sign, said = effect.mods[0]
            if said == "d6":
                amount = self.roll(plan.by, plan.source, "d6") or 0
            else:
                amount = int((plan.x if said == "x" else said) or 0)
                event["amount"] = sign * amount
            made.value += sign * amount
        else:
            self.seen["reroll"] += 1
            if not self.zone(made.by, "deck") and not self.zone(made.by, "discard"):
                self.finish(plan)
                return False, None
            # A modifier that calls for a new roll is resolved with the call.
            self.finish(plan)
            at = len(self.log)
            value = self.roll_on(made.by, made.source, made.purpose, made.need, made.cards)
            new = next(one for one in self.log[at:] if one["type"] == "roll")
            event["reroll"] = new["seq"]
            return True, value
        self.finish(plan)
        return False, None

    # ---------------------------------------------------------------- reactions

    def react(self, happened: Sequence[tuple[Event, Sequence[Happening]]], initiator: str) -> None:
        """The reaction windows for what has just happened, in the order of the triggers."""
        if self.step != "battle" or self.depth > DEEPEST or self.is_broken():
            return
        for event, acts in happened:
            self.reaction_window(event, acts, initiator)

    def is_broken(self) -> bool:
        """Whether the attack has lost its attacking unit or its defending card."""
        if self.attack is None:
            return False
        gone = self.attack.defender is not None and not self.is_here(self.attack.defender)
        return gone or not self.is_here(self.attack.attacker)

    def goes_on_without(self) -> bool:
        """Whether the window goes on all the same (OR-TACASSET): no unit of the attack was destroyed."""
        if self.attack is None or self.goes_by("OR-TACASSET", "ends-ba"):
            return False
        both = (self.attack.attacker, self.attack.defender)
        gone = [self.pieces[one] for one in both if one is not None and not self.is_here(one)]
        return not any(one.card.kind == "unit" and one.zone == "discard" for one in gone)

    def reaction_window(self, event: Event, acts: Sequence[Happening], initiator: str) -> None:
        acting, passes, waiting, played = initiator, 0, 0, False
        out: set[str] = set()
        trigger = event["seq"]
        self.depth += 1
        while passes < 2:
            plan = self.pick_reaction(acting, trigger, acts)
            if plan is None:
                passes += 1
                out.add(acting)
                if played:
                    self.write("reaction.pass", by=acting, trigger=trigger)
                else:
                    waiting += 1
            else:
                if not played and waiting:
                    self.write("reaction.pass", by=other(acting), trigger=trigger)
                passes, played = self.passes_that_stand(out), True
                self.seen[f"reaction at depth {self.depth}"] += 1
                self.begin(plan, "reaction", ("trigger", trigger), trigger=trigger)
                if self.pay(plan):
                    self.resolve_or_state(plan)
                self.finish(plan)
                if self.is_broken():
                    break
            acting = self.twist("next reaction", self.next_in_window(acting, out), passes)
        self.depth -= 1

    def pick_reaction(self, by: str, trigger: int, acts: Sequence[Happening]) -> Plan | None:
        if not self.chance(self.keenness["reaction"]):
            return None
        scope = ("trigger", trigger)
        for piece, index, text in self.abilities_of(by, "R"):
            if text.trigger is None or not self.unused(piece, index, text, scope) or self.may_be_refunded(text):
                continue
            one = next((act for act in acts if self.answers(text.trigger, act, by, piece)), None)
            if one is not None and (plan := self.plan(by, piece, index, text, that=one.piece)):
                return plan
        return None

    def answers(self, trigger: Trigger, act: Happening, by: str, piece: Piece) -> bool:
        """Whether what happened is what a reaction waits for."""
        if trigger.act != act.act:
            return False
        if trigger.what is None:
            return act.player is not None and act.player == (by if trigger.player == "you" else other(by))
        return act.piece is not None and self.is_such(self.pieces[act.piece], trigger.what, by, piece)

    # ---------------------------------------------------------------- tactics

    def tactics_window(self, actor: str) -> bool:
        """Tactics and passes by turns, the actor first; false where the attack broke off in it."""
        acting, passes, played = actor, 0, 0
        while passes < 2:
            plan = self.pick_tactic(acting)
            if plan is None:
                self.write("tactic.pass", by=acting)
                passes += 1
            else:
                scope = ("ba", self.battle, self.turn, self.ba)
                self.begin(plan, "tactic", scope)
                if self.pay(plan):
                    self.resolve_or_state(plan)
                if self.take_back(plan):
                    plan.piece.used.discard((plan.index, *scope))
                    continue
                passes, played = 0, played + 1
                self.finish(plan)
                if self.is_broken() and not self.goes_on_without():
                    self.seen["attack broken off"] += 1
                    return False
            acting = self.twist("next tactic", other(acting), passes)
        return not self.is_broken()

    def pick_tactic(self, by: str) -> Plan | None:
        if not self.chance(self.keenness["tactic"]):
            return None
        for piece, index, text in self.abilities_of(by, "T"):
            if self.unused(piece, index, text, ("ba", self.battle, self.turn, self.ba)):
                if plan := self.plan(by, piece, index, text):
                    return plan
        return None

    def resolve_or_state(self, plan: Plan) -> None:
        """Resolve a text, or let the log state what one that nobody can read did."""
        if plan.text.readable or plan.text.effects:
            self.resolve(plan)
            return
        self.seen["unread text"] += 1
        units = [piece.id for piece in self.here() if piece.card.kind == "unit"]
        if units:
            name = self.rng.choice(units)
            self.write("effect", source=plan.source, op="grant", targets=[name], what=plan.text.text, until="ba")
