"""Abilities as they are played: conditions, choices, costs in their order, effects (catalogue 4.21)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from auditor.conformance.hcg.table import Bonus, Event, GameOver, Happening, Piece, other
from auditor.conformance.hcg.texts import Amount, Cost, Effect, Select, Text
from auditor.conformance.hcg.values import Reckoning

CHOOSING = ("destroy", "lock", "rally", "infiltrate", "return", "modify", "grant", "damage")
MOST_NAMED_X = 4
PILES = {"discard pile": "discard", "hand": "command_hand", "deck": "deck"}
"""Where a text has cards taken from -> the zone."""

WARY = frozenset(
    (
        # How many are destroyed hangs on one that is not chosen yet, or on a number that the card has not.
        "A: Destroy X enemy assets. X = that asset's armor.",
        "BA: Destroy X units. X = the card's armor.",
        "BA: Destroy X units. X = the ship's armor.",
        # The catalogue does not say where in a deck, what a card in hand is, or which row a choice is made for.
        "BA: Return up to X units to each player's deck. X = the number of charging units at this sector.",
        "BA Lock this ship: Infiltrate a unit from your hand.",
        "BA: Roll. 1, draw 1 card; 2-6 = lock an enemy unit and rally a unit you control.",
        # Whether there are cards enough is known only after the roll.
        "T Discard d6 cards: Any unit gets +X armor. X is 4.",
        # The attacking unit is gone before it is locked; the source has left play before it answers.
        "A Destroy itself: Destroy up to 2 enemy units.",
        "R: When this unit is destroyed, draw 1 card.",
        # No event is an act of both; and "cards" may be those in hand or those at the sector.
        "R: When both players play a card, draw 1 card.",
        "R: When your enemy discards a card, draw 1 card. Only playable while you have no cards.",
        "T: Any unit gets +1 firepower. Only playable when you have more cards than your enemy.",
    )
)
"""Texts that no player here plays, because the catalogue leaves open what they ask for."""
WARY_CARDS = frozenset(("ex-t04", "ex-u13"))
"""Cards whose standing text counts "cards": left out of decks."""


@dataclass
class Plan:
    """An ability that is to be played, with all its choices made."""

    by: str
    piece: Piece
    index: int | str
    text: Text
    source: Event
    chosen: list[str] = field(default_factory=list)
    choosing: Effect | None = None
    x: int | None = None
    that: str | None = None
    failed: bool = False

    @property
    def choices(self) -> Event:
        """The choices as the log has them."""
        if self.choosing is None or self.choosing.what is None:
            return {}
        what = self.choosing.what
        if what.q == "exact" and what.n == 1:
            return {"target": self.chosen[0]} if self.chosen else {}
        return {"targets": list(self.chosen)}

    @property
    def free_x(self) -> bool:
        """Whether the player names X."""
        return self.x is not None and self.text.x is None


def uses_x(text: Text) -> bool:
    """Whether there is an X in a text."""
    amounts: list[Amount] = [cost.need for cost in text.costs] + [cost.n for cost in text.costs]
    for effect in text.effects:
        amounts += [effect.n, *(amount for _, _, amount in effect.mods)]
        amounts += [effect.what.n] if effect.what else []
    return "x" in amounts


class Abilities(Reckoning):
    """The table where abilities are played."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.reserved: dict[str, int] = {"p1": 0, "p2": 0}
        self.plays_unread = False
        self.least_x = 1
        """The smallest number that players name for X."""
        self.passed = False

    # ---------------------------------------------------------------- what other rooms do

    def roll(self, by: str, source: Event, purpose: str, need: int | None = None) -> int | None:
        """A roll with its modifiers; the final number, None where no card is left."""
        raise NotImplementedError

    def react(self, happened: Sequence[tuple[Event, Sequence[Happening]]], initiator: str) -> None:
        """The reaction windows for what has just happened."""
        raise NotImplementedError

    # ---------------------------------------------------------------- planning

    def plan(
        self, by: str, piece: Piece, index: int | str, text: Text, that: str | None = None, forced: bool = False
    ) -> Plan | None:
        """All choices for an ability, made at random; None where it cannot be played. An unforced one may be declined."""
        if not forced and (text.text in WARY or (not text.readable and not self.plays_unread)):
            return None
        if text.condition is not None and not self.holds(text.condition, by, piece):
            return None
        plan = Plan(by, piece, index, text, self.source_of(piece, index), that=that)
        plan.choosing = next(
            (one for one in text.effects if one.op in CHOOSING and one.what and one.what.q in ("exact", "upto")), None
        )
        if isinstance(text.x, int):
            plan.x = text.x
        elif isinstance(text.x, Select):
            plan.x = len(self.meant(text.x, by, piece))
        elif isinstance(text.x, tuple) and text.x[0] == "self":
            plan.x = self.number_for_x(piece, text.x[1])
        elif text.x is None and uses_x(text):
            plan.x = self.rng.randint(self.least_x, MOST_NAMED_X)
        if plan.choosing is not None and not self.choose(plan, plan.choosing):
            return plan if forced and not self.candidates(plan, plan.choosing) else None
        if isinstance(text.x, tuple) and text.x[0] == "that" and plan.chosen:
            plan.x = self.number_for_x(self.pieces[plan.chosen[0]], text.x[1])
        return plan if forced or self.payable(plan) else None

    def number_for_x(self, piece: Piece, stat: str) -> int:
        """The number of a card that X is: the current or the printed one, by a reading."""
        return (piece.card.stats[stat] or 0) if self.goes_by("OR-XSTAT", "printed") else self.value(piece, stat)

    def candidates(self, plan: Plan, effect: Effect) -> list[str]:
        """The cards that may be chosen for an effect."""
        assert effect.what is not None
        if effect.op == "infiltrate":
            if effect.zone == "hand" and self.goes_by("OR-CMDFACE", "no"):
                return []
            pile = self.zone(plan.by, PILES[effect.zone])
            return [name for name in pile if self.pieces[name].card.kind == effect.what.kind and name != plan.piece.id]
        found = self.meant(effect.what, plan.by, plan.piece)
        if effect.op == "lock":
            found = [piece for piece in found if piece.position != "locked"]
        elif effect.op == "rally":
            found = [piece for piece in found if piece.position != "ready"]
        elif effect.op == "grant" and effect.gained == "counterattack":
            # What a unit without the number deals back is left open.
            found = [
                piece for piece in found if None not in (piece.card.stats["firepower"], piece.card.stats["assault"])
            ]
        return [piece.id for piece in found if not self.shielded(piece, plan.by, plan.piece)]

    def choose(self, plan: Plan, effect: Effect) -> bool:
        """Choose the targets of an effect; whether there are enough."""
        assert effect.what is not None
        names = self.candidates(plan, effect)
        amount = plan.x if effect.what.n == "x" else int(effect.what.n)
        assert amount is not None
        if effect.what.q == "upto":
            amount = min(amount, len(names))
            amount = self.rng.randint(0 if self.chance(0.1) else min(1, amount), amount)
        elif len(names) < amount:
            return False
        plan.chosen = self.rng.sample(self.by_taste(plan, effect, names, amount), amount)
        return True

    def by_taste(self, plan: Plan, effect: Effect, names: list[str], amount: int) -> list[str]:
        """The targets that a player likes: harm goes to the enemy, help to oneself, most of the time."""
        helps = effect.op in ("rally", "infiltrate", "grant") or (effect.op == "modify" and effect.mods[0][1] > 0)
        mine = [name for name in names if (self.pieces[name].owner == plan.by) == helps]
        fighting = [name for name in mine if self.attack and name in (self.attack.attacker, self.attack.defender)]
        for liked, share in ((fighting, 0.7), (mine, 0.85)):
            if len(liked) >= amount and self.chance(share):
                return liked
        return names

    def own(self, plan: Plan, what: Select, taken: set[str]) -> list[str]:
        """The cards that may pay a lock, a rally or a destruction."""
        if what.q == "self":
            return [] if plan.piece.id in taken else [plan.piece.id]
        mine = self.row(plan.by) if what.kind != "ship" else self.fleet(plan.by)
        return [one.id for one in mine if self.is_such(one, what, plan.by, plan.piece) and one.id not in taken]

    def payers(self, plan: Plan, cost: Cost, taken: set[str]) -> list[str]:
        assert cost.what is not None
        names = self.own(plan, cost.what, taken)
        if cost.op == "lock":
            return [name for name in names if self.pieces[name].position != "locked"]
        if cost.op == "rally":
            return [name for name in names if self.pieces[name].position != "ready"]
        return names

    def payable(self, plan: Plan) -> bool:
        """Whether every cost can be paid, as far as can be seen."""
        hand = len(self.hand(plan.by)) - (plan.index == "line") - self.reserved[plan.by]
        taken: set[str] = set()
        left = {who: len(self.zone(who, "deck")) + len(self.zone(who, "discard")) for who in (plan.by,)}
        for cost in plan.text.costs:
            if cost.op == "discard" and not cost.upto:
                hand -= int(cost.n)
            elif cost.op in ("lock", "destroy", "rally"):
                assert cost.what is not None
                names = self.payers(plan, cost, taken)
                count = 1 if cost.what.q == "self" else int(cost.what.n)
                if len(names) < count:
                    return False
                taken |= set(names[:count])
            elif cost.op in ("mill", "test"):
                left[plan.by] -= int(cost.n) if cost.op == "mill" else 1
        return hand >= 0 and left[plan.by] >= 6

    # ---------------------------------------------------------------- paying

    def pay(self, plan: Plan) -> bool:
        """Pay all costs in their order; false where a test failed."""
        held = [int(cost.n) for cost in plan.text.costs if cost.op == "discard" and not cost.upto]
        self.reserved[plan.by] += sum(held)
        try:
            for cost in plan.text.costs:
                if cost.op == "discard" and not cost.upto:
                    self.reserved[plan.by] -= held.pop(0)
                if not self.pay_one(plan, cost):
                    plan.failed = True
                    return False
        finally:
            self.reserved[plan.by] -= sum(held)
        return True

    def pay_one(self, plan: Plan, cost: Cost) -> bool:
        if cost.op == "test":
            need = plan.x if cost.need == "x" else int(cost.need)
            assert need is not None
            need = self.twist("need", need, plan)
            final = self.roll(plan.by, plan.source, "test", need)
            return final is not None and self.twist("test is paid", self.passed, plan)
        if cost.op == "mill":
            self.mill(plan.by, int(cost.n), plan, paid=True)
            return True
        if cost.op == "other":
            self.write("cost", by=plan.by, source=plan.source, op="other", cards=[])
            return True
        if cost.op == "discard" and not self.twist("is paid", True, plan, cost):
            return True
        if cost.op == "discard":
            hand = list(self.hand(plan.by))
            if plan.index == "line" and plan.piece.zone == "limbo" and self.goes_by("OR-SELFCOST", "allowed"):
                hand.append(plan.piece.id)
            count = min(int(cost.n), len(hand)) if not cost.upto else self.rng.randint(0, min(int(cost.n), len(hand)))
            names = self.rng.sample(hand, count)
            event = self.write("cost", by=plan.by, source=plan.source, op="discard", cards=names)
            self.discard_names(names)
            self.react([(event, [Happening("discards", player=plan.by)])] if names else [], plan.by)
            return True
        assert cost.what is not None
        names = self.payers(plan, cost, set())
        names = self.rng.sample(names, 1 if cost.what.q == "self" else int(cost.what.n))
        names = self.twist("who pays", names, plan, cost)
        event = self.write("cost", by=plan.by, source=plan.source, op=cost.op, cards=names)
        happened = [Happening("destroyed" if cost.op == "destroy" else "locked", name) for name in names]
        for name in names:
            if cost.op == "destroy":
                self.move(name, "discard")
            else:
                self.pieces[name].position = "locked" if cost.op == "lock" else "ready"
        self.react([(event, happened)] if cost.op != "rally" else [], plan.by)
        return True

    # ---------------------------------------------------------------- effects

    def resolve(self, plan: Plan) -> None:
        """Do what a text says, as far as it can be done."""
        if plan.text.rows:
            final = self.roll(plan.by, plan.source, "variable")
            for low, high, effects in plan.text.rows:
                if final is not None and low <= final <= high:
                    for effect in self.twist("row", list(effects), plan, final):
                        self.do(plan, effect)
            return
        for effect in plan.text.effects:
            self.do(plan, effect)

    def players(self, plan: Plan, effect: Effect) -> list[str]:
        if effect.player == "each":
            return [plan.by, other(plan.by)]
        return [plan.by if effect.player == "you" else other(plan.by)]

    def do(self, plan: Plan, effect: Effect) -> None:
        """One effect of a text."""
        if not self.twist("is done", True, plan, effect):
            return
        amount = plan.x if effect.n == "x" else effect.n
        if effect.op == "draw":
            for who in self.players(plan, effect):
                # Whether an event drawn while events resolve counts is left open: none is drawn.
                if self.step == "victory" and self.refill(who):
                    if not self.arrange(who, lambda piece: piece.card.line is None or piece.card.line.type != "E"):
                        raise GameOver(other(who), "concession")
                events = self.draw(who, int(amount or 0), "command_hand", "effect", plan.source)
                if len(events) == 1:
                    self.react([(events[0], [Happening("draws", player=who)])], plan.by)
        elif effect.op == "discard":
            for who in self.players(plan, effect):
                self.discard(who, amount, plan)
        elif effect.op == "mill":
            for who in self.players(plan, effect):
                self.mill(who, self.twist("milled count", int(amount or 0), who, plan), plan)
        elif effect.op == "flags":
            self.change_flags(plan, effect)
        elif effect.op in CHOOSING:
            self.do_to_cards(plan, effect)

    def discard(self, who: str, amount: Amount | None, plan: Plan) -> None:
        hand = self.hand(who)
        count = len(hand) if amount == "all" else min(int(amount or 0), len(hand))
        names = self.rng.sample(hand, self.twist("discarded count", count, who, plan.by))
        names = self.twist("discarded names", names, who)
        if not names:
            return
        event = self.write("discard", by=who, cards=names, cause="effect", source=plan.source)
        self.discard_names(names)
        self.react([(event, [Happening("discards", player=who)])], plan.by)

    def mill(self, who: str, count: int, plan: Plan, paid: bool = False) -> None:
        """Cards off the top of a deck; two events with the refill between where it runs out."""
        while count and self.refill(who):
            names = [self.take(who, "discard") for _ in range(min(count, len(self.zone(who, "deck"))))]
            count -= len(names)
            if paid:
                self.write("cost", by=who, source=plan.source, op="mill", cards=names)
            else:
                self.write("mill", by=who, cards=names, cause="effect", source=plan.source)
            self.emptied(who)

    def change_flags(self, plan: Plan, effect: Effect) -> None:
        _, sign, amount = effect.mods[0]
        change = sign * int(amount)
        until = "ba" if self.step == "battle" else "battle"
        for who in self.players(plan, effect):
            self.write("effect", source=plan.source, op="flags", targets=[who], amount=change)
            self.flag_changes.append((who, change, until))

    def objects(self, plan: Plan, effect: Effect) -> list[str]:
        """The cards that an effect befalls now."""
        assert effect.what is not None
        if effect.what.q == "that":
            return [plan.that] if plan.that is not None and self.is_here(plan.that) else []
        if effect is plan.choosing:
            if effect.op == "infiltrate":
                return [name for name in plan.chosen if self.pieces[name].zone == PILES[effect.zone]]
            return [name for name in plan.chosen if self.pieces[name].zone in ("sector", "fleet")]
        return [piece.id for piece in self.meant(effect.what, plan.by, plan.piece) if piece.zone in ("sector", "fleet")]

    def do_to_cards(self, plan: Plan, effect: Effect) -> None:
        names = self.objects(plan, effect)
        if effect.op == "lock":
            names = [name for name in names if self.pieces[name].position != "locked"]
        elif effect.op == "rally":
            names = [name for name in names if self.pieces[name].position != "ready"]
        names = self.twist("befallen", names, plan, effect)
        if not names:
            return
        source = plan.source
        if effect.op in ("modify", "grant"):
            self.give(plan, effect, names)
        elif effect.op == "damage":
            self.deal(plan, effect, names)
        elif effect.op == "infiltrate":
            self.infiltrate(plan, names, PILES[effect.zone])
        elif effect.op == "destroy":
            event = self.write("destroy", cards=names, cause="effect", source=source)
            for name in names:
                self.move(name, "discard")
            self.react([(event, [Happening("destroyed", name) for name in names])], plan.by)
        elif effect.op == "return":
            self.write("return", cards=names, to="command_hand", cause="effect", source=source)
            for name in names:
                self.move(name, "command_hand", face="down")
        else:
            event = self.write(effect.op, cards=names, cause="effect", source=source)
            for name in names:
                self.pieces[name].position = "locked" if effect.op == "lock" else "ready"
            if effect.op == "lock":
                self.react([(event, [Happening("locked", name) for name in names])], plan.by)

    def give(self, plan: Plan, effect: Effect, names: list[str]) -> None:
        """Bonuses and traits."""
        if effect.op == "grant":
            self.write("effect", source=plan.source, op="grant", targets=names, what=effect.gained, until=effect.until)
            for name in names:
                self.pieces[name].bonuses.append(Bonus("", 0, effect.until, effect.gained, self.damage_steps))
            return
        rolled: int | None = None
        until = effect.until
        if self.step == "setup" and until == "ba" and self.goes_by("OR-BONUSSETUP", "battle"):
            until = "battle"
        for stat, sign, said in effect.mods:
            amount = plan.x if said == "x" else said
            if said == "d6" and self.goes_by("OR-D6SHARE", "per-card"):
                self.give_by_rolls(plan, effect, names, stat, sign, until)
                continue
            if said == "d6":
                rolled = self.roll(plan.by, plan.source, "d6") if rolled is None else rolled
                amount = rolled or 0
            number = self.twist("bonus", sign * int(amount or 0), plan, said)
            still = [name for name in names if self.pieces[name].zone in ("sector", "fleet")]
            if not still:
                return
            self.write(
                "effect", source=plan.source, op="modify", targets=still, stat=stat, amount=number, until=effect.until
            )
            for name in still:
                self.pieces[name].bonuses.append(Bonus(stat, number, until, born=self.damage_steps))

    def give_by_rolls(self, plan: Plan, effect: Effect, names: list[str], stat: str, sign: int, until: str) -> None:
        """A rolled bonus with a roll for each card."""
        for name in names:
            number = sign * (self.roll(plan.by, plan.source, "d6") or 0)
            if self.pieces[name].zone in ("sector", "fleet"):
                fields = {"targets": [name], "stat": stat, "amount": number, "until": effect.until}
                self.write("effect", source=plan.source, op="modify", **fields)
                self.pieces[name].bonuses.append(Bonus(stat, number, until, born=self.damage_steps))

    def deal(self, plan: Plan, effect: Effect, names: list[str]) -> None:
        """Damage by an ability, to all at once."""
        amount = int(effect.n)
        happened = []
        armors = {name: self.value(self.pieces[name], "armor") for name in names}
        for name in names:
            dies = self.twist("effect destroys", self.kills(amount, armors[name]), name)
            event = self.write(
                "damage", to=name, stat="effect", amount=amount, armor=armors[name], destroyed=dies, source=plan.source
            )
            if dies:
                happened.append((event, [Happening("destroyed", name)]))
        for _, (one,) in happened:
            assert one.piece is not None
            self.move(one.piece, "discard")
        self.react(happened, plan.by)

    def infiltrate(self, plan: Plan, names: list[str], pile: str) -> None:
        """Cards from a pile or a hand to this sector; a copy of a unique one that lies here goes."""
        event = self.write(
            "infiltrate",
            by=plan.by,
            cards=names,
            to="sector",
            cause="effect",
            source=plan.source,
            **{"from": pile},
        )
        old = [
            piece.id
            for name in names
            for piece in self.here()
            if self.pieces[name].card.unique
            and piece.card.unique
            and self.name_of(piece.card) == self.name_of(self.pieces[name].card)
            and (piece.owner == plan.by or self.goes_by("OR-UNIQINF", "any-copy"))
        ]
        for name in names:
            self.move(name, "sector", self.sector)
            self.pieces[name].position = self.twist("newcomer", "ready", event)
        old = self.twist("old copies", old, names, plan.by)
        if old:
            self.write("destroy", cards=old, cause="unique")
            for name in old:
                self.move(name, "discard")
            self.seen["unique copy destroyed"] += 1
        else:
            self.react([(event, [Happening("infiltrated", name) for name in names])], plan.by)
