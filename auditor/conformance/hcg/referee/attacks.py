"""Shots, charges, assaults with blocks, damage, sweeps and rewards, withdrawals (catalogue 4.14 to 4.20, 4.24)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auditor.conformance.hcg.referee.abilities import Ability
from auditor.conformance.hcg.referee.acts import Acts
from auditor.conformance.hcg.referee.board import Reader
from auditor.conformance.hcg.referee.course import BROKEN_OFF, Faults
from auditor.conformance.hcg.referee.doings import OF_CHOICES
from auditor.conformance.hcg.referee.found import NotJudged
from auditor.conformance.hcg.referee.numbers import misread_by, speaks_of_numbers
from auditor.conformance.hcg.referee.sources import IN_PLAY
from auditor.conformance.hcg.table import Attack, Event, Piece
from auditor.conformance.hcg.texts import Static


@dataclass
class Fight:
    """The attack of a battle action, from its announcement to its end."""

    by: str
    unit: Piece
    kind: str
    """shot or assault."""
    special: int | None = None
    """Which ability a special assault uses."""
    ability: Ability | None = None
    """That ability as it was announced."""
    target: Piece | None = None
    begun: bool = True
    """A special assault begins, and locks its unit, when its costs are paid."""
    window: bool = False
    """Whether the tactics window is open, or was."""
    dealt: int | None = None
    """Damage of the step that is going on, while the counterattack may still come."""
    steps: int = 0
    leftover: int | None = None
    """Damage beyond armor where a unit was destroyed."""
    hit: Piece | None = None
    """The card that the damage step was dealt to."""
    answered: bool = False
    swept: bool = False
    rewarded: bool = False
    is_early: bool = False
    """Whether its ability was resolved before the fight with the blocker."""
    born: int = 0
    borne: int = 0
    """Damage by a counterattack that the attacking unit has survived."""

    @property
    def rule(self) -> str:
        """The rule of the damage step."""
        return "SHOOT-07" if self.kind == "shot" else "SWEEP-03" if self.swept else "ASLT-06"


def has_failed(ability: Ability | None) -> bool:
    """Whether an ability has a test that was not passed."""
    test = ability.last("test") if ability is not None else None
    return test is not None and not test.is_passed


class Attacks(Acts):
    """The table with its attacks."""

    def __init__(self, header: Event, options: Mapping[str, str] | None, events: Sequence[Event] = ()) -> None:
        super().__init__(header, options, events)
        self.fight: Fight | None = None
        self.killed: dict[int, bool] = {}
        """Of each damage event: whether a card was destroyed."""
        self.doomed_now: list[str] = []
        """Destroyed in the damage step that is going on."""
        self.doomed_later: list[str] = []
        """Destroyed by damage of the ability that is being carried out."""
        self.survived: list[tuple[str, int]] = []
        """What cards have survived in this battle: the card, and the damage."""

    def before(self, event: Event) -> Faults:
        """What is over when an event begins."""
        yield from super().before(event)
        is_damage = event["type"] == "damage"
        if event["type"] in ("end", "game.end") and event.get("reason") in BROKEN_OFF:
            list(self.step_is_over())
        elif not is_damage or "from" not in event:
            owed = list(self.step_is_over())
            if owed and event["type"].startswith("reaction"):
                raise NotJudged("a counterattack that may still come")
            yield from owed
        if not is_damage or "from" in event:
            self.lay_off(self.doomed_later)
            self.doomed_later = []

    def lay_off(self, names: list[str]) -> None:
        """Cards that damage has destroyed go to the discard pile."""
        for name in names:
            if self.pieces[name].zone in IN_PLAY:
                self.move(name, "discard")

    # ---------------------------------------------------------------- announcing

    def may_fight(self, by: str, unit: Piece, *positions: str) -> bool:
        """Whether a card is an own unit at this sector in one of these positions."""
        own = unit.owner == by and self.is_here(unit.id) and unit.card.kind == "unit"
        return own and unit.position in positions

    def may_be_attacked(self, by: str, unit: Piece, target: Piece, *kinds: str) -> bool:
        mine = target.owner == by or not self.is_here(target.id) or target.card.kind not in kinds
        return (
            not mine and not self.forbids(target, "be attacked", unit) and not self.forbids(target, "be targeted", unit)
        )

    def can_go_on(self, unit: Piece, *cards: Piece) -> None:
        """What cannot be an attack at all cannot be followed."""
        if not all(self.is_here(one.id) for one in (unit, *cards)) or unit.card.kind != "unit":
            self.stops = True

    def on_ba_charge(self, at: Reader) -> Faults:
        by, unit = at.player(), at.piece("unit")
        yield from self.open_ba(at, unit=unit)
        if self.stops:
            return
        if unit.card.kind != "unit":
            yield self.fault("POS-04", "illegal", by)
        elif not self.may_fight(by, unit, "ready") or self.forbids(unit, "charge"):
            yield self.fault("CHG-01", "illegal", by)
        if not self.is_here(unit.id):
            self.stops = True
        if unit.card.kind == "unit":
            unit.position = "charging"

    def on_ba_shoot(self, at: Reader) -> Faults:
        by, unit, target = at.player(), at.piece("unit"), at.piece("target")
        yield from self.open_ba(at, unit=unit)
        if self.stops:
            return
        able = self.may_fight(by, unit, "ready", "charging") and unit.card.stats["firepower"] is not None
        if not able or self.forbids(unit, "shoot"):
            yield self.fault("SHOOT-01", "illegal", by)
        if not self.may_be_attacked(by, unit, target, "unit", "asset"):
            yield self.fault("SHOOT-02", "illegal", by)
        self.can_go_on(unit, target)
        unit.position = "locked"
        self.fight = Fight(by, unit, "shot", target=target)
        self.attack = Attack("shot", unit.id, target.id, target.id)

    def on_ba_assault(self, at: Reader) -> Faults:
        by, unit = at.player(), at.piece("unit")
        special = at.one_of("mode", ("standard", "special")) == "special"
        index = at.number("ability") if special else None
        target = None if special else at.piece("target")
        yield from self.open_ba(at, unit=unit)
        if self.stops:
            return
        able = self.may_fight(by, unit, "charging") and unit.card.stats["assault"] is not None
        is_able = able and not self.forbids(unit, "assault")
        if special and not any(index == place for place, _ in unit.card.typed("A")):
            yield self.fault("ASLT-02", "illegal", by)
        elif not is_able:
            yield self.fault("SPEC-02" if special else "ASLT-01", "illegal", by)
        if is_able and target is not None and not self.may_be_attacked(by, unit, target, "unit", "asset"):
            yield self.fault("ASLT-03", "illegal", by)
        self.can_go_on(unit, *([target] if target else []))
        self.fight = Fight(by, unit, "assault", special=index, target=target, begun=not special)
        if index is not None and index in [place for place, _ in unit.card.typed("A")]:
            yield from self.announce(at, (unit.id, index), unit, unit.card.box[index])
            self.fight.ability = self.now
        if target is not None:
            unit.position = "locked"
            self.attack = Attack("assault", unit.id, target.id, target.id)

    def begin(self) -> None:
        """A special assault whose costs are paid: its unit is locked."""
        if self.fight is not None and not self.fight.begun:
            self.fight.begun = True
            self.fight.unit.position = "locked"
            self.attack = Attack("assault", self.fight.unit.id, None)

    # ---------------------------------------------------------------- blocks

    def on_block(self, at: Reader) -> Faults:
        self.in_step("battle")
        by, unit, fight = at.player(), at.piece("unit"), self.fight
        if fight is None or fight.dealt is not None:
            raise NotJudged("a block of no attack")
        yield from self.costs_are_paid()
        self.begin()
        attack = self.attack
        if attack is None or self.is_broken():
            raise NotJudged("a block of no attack")
        shot = fight.kind == "shot"
        rule = "SHOOT-03" if shot else "ASLT-04"
        if shot and fight.window:
            yield self.fault("SHOOT-05", "illegal", by)
        elif fight.window:
            raise NotJudged("a block of an assault after tactics")
        elif shot and unit.id == attack.target:
            yield self.fault("SHOOT-04", "illegal", by)
        else:
            if fight.swept and self.option("OR-SWEEPBLOCK") == "not-allowed":
                yield self.fault("SWEEP-04", "illegal", by)
            if by == fight.by or attack.blocker or not self.may_block(by, unit, fight, attack):
                yield self.fault(rule, "illegal", by)
        if not self.is_here(unit.id) or unit.card.kind != "unit":
            self.stops = True
        unit.position = "locked"
        attack.defender = attack.blocker = unit.id

    def may_block(self, by: str, unit: Piece, fight: Fight, attack: Attack) -> bool:
        shot = fight.kind == "shot"
        if not self.may_fight(by, unit, *(("ready", "charging") if shot else ("charging",))):
            return False
        if unit.id == attack.target and (shot or self.option("OR-SELFBLOCK") == "never"):
            return False
        speed = self.value(unit, "speed")
        if self.option("OR-VSBLOCK") == "counts" and self.foe(unit) is None:
            speed = max(speed, self.value(unit, "speed", fight.unit))
        if shot and speed <= self.value(fight.unit, "speed"):
            return False
        forbidden = self.forbids(unit, "block", fight.unit) or self.forbids(unit, "be attacked", fight.unit)
        return not forbidden and not self.forbids(fight.unit, "be blocked", unit)

    def on_block_none(self, at: Reader) -> Faults:
        self.in_step("battle")
        yield from self.costs_are_paid()
        self.begin()

    # ---------------------------------------------------------------- tactics

    def on_tactic(self, at: Reader) -> Faults:
        if self.is_broken() and self.fight is not None and self.fight.window and not self.goes_on_without():
            yield self.fault("DES-03", "illegal", at.player())
            self.stops = True
            return
        yield from self.costs_are_paid()
        if self.stops:
            return
        self.open_window()
        yield from super().on_tactic(at)

    def goes_on_without(self) -> bool:
        """OR-TACASSET: whether the window of an attack goes on, of which no unit was destroyed."""
        if self.attack is None or self.goes_by("OR-TACASSET", "ends-ba"):
            return False
        both = [self.pieces[one] for one in (self.attack.attacker, self.attack.defender) if one is not None]
        lost = [one for one in both if not self.is_here(one.id)]
        return all(one.card.kind != "unit" or one.zone != "discard" for one in lost)

    def on_tactic_pass(self, at: Reader) -> Faults:
        yield from self.costs_are_paid()
        self.open_window()
        yield from self.said(at)

    def open_window(self) -> None:
        self.begin()
        if self.fight is not None:
            self.fight.window = True

    # ---------------------------------------------------------------- damage

    def on_damage(self, at: Reader) -> Faults:
        due = (
            "effect"
            if "from" not in at.event
            else "firepower"
            if self.fight and self.fight.kind == "shot"
            else "assault"
        )
        stat = at.one_of("stat", ("firepower", "assault", "effect")) if "stat" in at.event else due
        card = at.piece("to")
        if card.zone not in IN_PLAY:
            raise NotJudged("damage to a card that is not in play")
        if stat == "effect":
            yield from self.damage_by_an_effect(at, card)
            return
        unit, fight, attack = at.piece("from"), self.fight, self.attack
        if fight is None:
            raise NotJudged("damage outside an attack")
        if attack is not None and attack.defender is None:
            if fight.special is None:
                raise NotJudged("an attack on nobody")
            yield self.fault("SPEC-04", "illegal", fight.by)
            self.stops = True
            return
        if self.is_broken() and fight.dealt is None and fight.window:
            yield self.fault("DES-03", "illegal", fight.by)
            self.stops = True
            return
        if attack is None or attack.defender is None or (self.is_broken() and fight.dealt is None):
            raise NotJudged("damage of an attack that is over")
        defender = self.pieces[attack.defender]
        step = fight.steps + (fight.dealt is None)
        if "step" in at.event and at.number("step") != step:
            yield self.fault("DOC-04", "miscalculated", None)
        if fight.dealt is None:
            yield from self.deal(at, fight, unit, card, stat)
        elif unit is defender and card is fight.unit:
            yield from self.answer(at, fight, defender, stat)
        elif self.is_no_answer(at, fight, unit):
            yield self.fault("CA-03", "illegal", None)
            dies = at.event.get("destroyed", False)
            self.falls_or_lives(card, dies, self.as_claimed(at, "amount", 0))
            self.doomed_now += [card.id] if dies else []
        else:
            raise NotJudged("another card deals damage")

    def deal(self, at: Reader, fight: Fight, unit: Piece, card: Piece, stat: str) -> Faults:
        """The damage of the attacking unit."""
        assert self.attack is not None and self.attack.defender is not None
        defender = self.pieces[self.attack.defender]
        due_stat = "firepower" if fight.kind == "shot" else "assault"
        if unit is not fight.unit or card is not defender:
            if unit is defender and at.event.get("counter"):
                raise NotJudged("a counterattack before the damage")
            misses = unit is fight.unit and fight.target is card and self.attack.blocker is not None
            if misses and fight.kind == "shot":
                yield from self.hits_the_target(at, fight, card, stat)
                return
            if misses:
                raise NotJudged("the target of a blocked assault is hit")
            yield self.fault(fight.rule, "miscalculated", fight.by)
            self.stops = True
            return
        if stat != due_stat:
            yield self.fault(fight.rule, "miscalculated", fight.by)
            self.stops = True
            return
        amount = self.amount_due(fight, defender)
        yield from self.numbers(at, fight, fight.rule, unit, card, stat, amount)
        self.is_dealt(at, fight, card, amount)

    def hits_the_target(self, at: Reader, fight: Fight, card: Piece, stat: str) -> Faults:
        """The damage of a blocked shot dealt to its target (HCG-SHOOT-09). Raises NotJudged where more than that is wrong."""
        assert self.attack is not None and self.attack.defender is not None
        yield self.fault("SHOOT-09", "illegal", fight.by)
        due = [self.amount_due(fight, self.pieces[self.attack.defender])]
        self.attack.defender = card.id
        due.append(self.amount_due(fight, card))
        amount = self.as_claimed(at, "amount", due[0])
        wrong = list(self.numbers(at, fight, fight.rule, fight.unit, card, stat, amount))
        if stat != "firepower" or amount not in due or wrong:
            raise NotJudged("what the target of a blocked shot is hit with")
        self.is_dealt(at, fight, card, amount)
        fight.answered = True  # Whether a card strikes back that was hit wrongly nobody says.
        self.stops = self.stops or "destroyed" not in at.event

    def is_dealt(self, at: Reader, fight: Fight, card: Piece, amount: int) -> None:
        """The attacking unit has dealt its damage, as it is recorded."""
        if fight.steps == 0:
            fight.born = self.damage_steps + 1
        self.damage_steps += 1
        fight.steps += 1
        fight.dealt, fight.hit, fight.answered = self.as_claimed(at, "amount", amount), card, False
        armor = self.as_claimed(at, "armor", self.value(card, "armor"))
        dies = at.event.get("destroyed", self.kills(fight.dealt, armor))
        self.falls_or_lives(card, dies, fight.dealt)
        fight.leftover = fight.dealt - armor if dies and card.card.kind == "unit" else None
        if dies:
            self.doomed_now.append(card.id)

    def amount_due(self, fight: Fight, defender: Piece) -> int:
        """What the attacking unit deals; in a sweep what was left over and what came after."""
        unit = fight.unit
        if not fight.swept:
            return self.value(unit, "firepower" if fight.kind == "shot" else "assault")
        assert fight.leftover is not None
        if self.option("OR-SWEEPPOOL") == "reapply":
            return fight.leftover + self.value(unit, "assault") - (unit.card.stats["assault"] or 0)
        new = sum(bonus.amount for bonus in unit.bonuses if bonus.stat == "assault" and bonus.born >= fight.born)
        was = self.versus(unit, "assault", fight.hit)
        return fight.leftover + new + max(0, self.versus(unit, "assault", defender) - was)

    def as_claimed(self, at: Reader, key: str, due: int) -> int:
        return at.number(key) if key in at.event else due

    def numbers(self, at: Reader, fight: Fight, rule: str, unit: Piece, card: Piece, stat: str, amount: int) -> Faults:
        """Amount, armor and outcome of one direction: the first that is wrong is the fault."""
        armor = self.value(card, "armor")
        self.numbers_are_known()
        said_amount, said_armor = self.as_claimed(at, "amount", amount), self.as_claimed(at, "armor", armor)
        if said_amount != amount:
            why = self.misread(fight, unit, stat, said_amount - amount)
            yield self.fault(why or rule, "miscalculated", unit.owner)
        elif said_armor != armor:
            why = self.misread(fight, card, "armor", said_armor - armor)
            yield self.fault(why or rule, "miscalculated", unit.owner)
        else:
            said = at.event.get("destroyed", self.kills(amount + self.borne(fight, card), armor))
            if not isinstance(said, bool):
                raise NotJudged("whether a card was destroyed cannot be read")
            if said != self.kills(amount + self.borne(fight, card), armor):
                added = said and self.is_killed_by_wounds(card, amount, armor)
                yield self.fault("DMG-03" if added else rule, "miscalculated", unit.owner)

    def borne(self, fight: Fight, card: Piece) -> int:
        """What counterattacks have dealt to the attacking unit before, where that adds up (OR-DMGACC)."""
        return fight.borne if card is fight.unit and fight.swept and self.goes_by("OR-DMGACC", "per-ba") else 0

    def misread(self, fight: Fight, piece: Piece, stat: str, off: int) -> str | None:
        """The rule that says why a number is off by so much: of a blocked attack, what it was against its target."""
        attack, foe = self.attack, self.foe(piece)
        if piece is fight.unit and fight.swept and self.goes_by("OR-SWEEPPOOL", "pool-plus-new"):
            # Of what is left over, nothing can be left out: only what the new target gives.
            gained = max(0, self.versus(piece, stat, foe) - self.versus(piece, stat, fight.hit))
            if gained and off == -gained:
                return "VS-01"
            return "TAC-06" if (stat, off) in self.ended.get(piece.id, ()) else None
        if piece is fight.unit and attack is not None and attack.blocker and attack.target and not fight.swept:
            then = self.versus(piece, stat, self.pieces[attack.target]) - self.versus(piece, stat, foe)
            if then == off:
                return "VS-02"
        return misread_by(self, piece, stat, off, self.ended)

    def numbers_are_known(self) -> None:
        """Raises NotJudged where a text that cannot be read may change them."""
        if self.is_tainted or any(speaks_of_numbers(text) for text in self.statics_here()):
            raise NotJudged("a text that cannot be read may speak of the numbers")

    def statics_here(self) -> list[Static]:
        """The texts that are always on here."""
        texts = [text for one in self.here() for text in one.card.statics]
        return [*texts, *self.sectors[self.sector].statics]

    def is_no_answer(self, at: Reader, fight: Fight, unit: Piece) -> bool:
        """Whether a card that is not the defending one counterattacks: the attacking unit, or the target of a blocked attack."""
        has_it = unit.card.kind == "unit" and "counterattack" in self.keywords(unit)
        blocked = self.attack is not None and self.attack.blocker is not None and unit is fight.target
        return bool(at.event.get("counter")) and has_it and (unit is fight.unit or blocked)

    def answer(self, at: Reader, fight: Fight, defender: Piece, stat: str) -> Faults:
        """A counterattack."""
        if fight.answered:
            raise NotJudged("a second counterattack")
        fight.answered = True
        if at.event.get("counter") is False:
            yield self.fault("DOC-04", "miscalculated", None)
        if not self.counterattacks(fight, defender):
            yield self.fault("CA-01", "illegal", defender.owner)
        else:
            due_stat = "firepower" if fight.kind == "shot" else "assault"
            if defender.card.stats[due_stat] is None:
                raise NotJudged("a unit counterattacks without a number for it")
            if stat != due_stat:
                yield self.fault("CA-01", "miscalculated", defender.owner)
            else:
                amount = self.value(defender, due_stat)
                yield from self.numbers(at, fight, "CA-01", defender, fight.unit, stat, amount)
        amount = self.as_claimed(at, "amount", self.value(defender, stat))
        armor = self.as_claimed(at, "armor", self.value(fight.unit, "armor"))
        dies = at.event.get("destroyed", self.kills(amount + self.borne(fight, fight.unit), armor))
        self.falls_or_lives(fight.unit, dies, amount)
        fight.borne = amount
        if self.killed[self.seq]:
            self.doomed_now.append(fight.unit.id)

    def counterattacks(self, fight: Fight, defender: Piece) -> bool:
        has_it = defender.card.kind == "unit" and "counterattack" in self.keywords(defender)
        least = 0 if self.option("OR-CAZERO") == "always" else 1
        return has_it and fight.dealt is not None and fight.dealt >= least

    def falls_or_lives(self, card: Piece, dies: bool, amount: int) -> None:
        """What came of damage, as it is recorded."""
        self.killed[self.seq] = dies
        if not dies:
            self.survived.append((card.id, amount))

    def is_killed_by_wounds(self, card: Piece, amount: int, armor: int) -> bool:
        """Whether damage that does not kill a card would, if what it survived before were added (HCG-DMG-03)."""
        before = sum(wound for name, wound in self.survived if name == card.id)
        return before > 0 and self.kills(amount + before, armor)

    def open_battle(self, number: int, slot: int) -> None:
        super().open_battle(number, slot)
        self.survived = []

    def step_is_over(self) -> Faults:
        """The damage step is over: a counterattack that did not come is left out, what died leaves the table."""
        fight = self.fight
        if fight is None or fight.dealt is None:
            return
        defender = fight.hit
        assert defender is not None
        if not fight.answered and self.counterattacks(fight, defender):
            died = defender.id in self.doomed_now
            yield self.fault("CA-02" if died else "CA-01", "omitted", defender.owner)
        self.lay_off(self.doomed_now)
        self.doomed_now = []
        fight.dealt, self.attack = None, None

    def damage_by_an_effect(self, at: Reader, card: Piece) -> Faults:
        """Damage by an ability."""
        yield from self.does(at)
        if self.stops:
            return
        ability, armor = self.now, self.value(card, "armor")
        if ability.kind in OF_CHOICES:
            yield from self.is_on_chosen("damage", [card])
        yield from self.is_on_all("damage", "damage", [card])
        self.befallen.add(card.id)
        (said, *more) = [one.n for one in self.doing(ability) if one.op == "damage"] or [0]
        due = self.amount_of(ability, said) if ability.text.readable and not more else None
        amount = at.number("amount") if "amount" in at.event else due
        if amount is None and "destroyed" not in at.event:
            raise NotJudged("whether a card was destroyed is not stated")
        rule = self.rule_of(ability, said)
        if due is not None and amount != due:
            if rule is None:
                raise NotJudged("another damage than the text says")
            yield self.fault(rule, "miscalculated", ability.by)
        dies = at.event.get("destroyed", amount is not None and self.kills(amount, armor))
        if self.as_claimed(at, "armor", armor) != armor:
            self.numbers_are_known()
            if misread_by(self, card, "armor", at.number("armor") - armor, self.ended) is not None:
                raise NotJudged("a part of a number that explains why armor against an effect is wrong")
            yield self.fault("DMG-04", "miscalculated", None)
        elif amount == due and amount is not None and dies != self.kills(amount, armor):
            self.numbers_are_known()
            added = dies and self.is_killed_by_wounds(card, amount, armor)
            yield self.fault("DMG-03" if added else "DMG-02", "miscalculated", None)
        self.falls_or_lives(card, dies, amount or 0)
        if self.killed[self.seq]:
            self.doomed_later.append(card.id)

    # ---------------------------------------------------------------- sweeps and rewards

    def on_sweep(self, at: Reader) -> Faults:
        self.in_step("battle")
        by, unit, target, fight = at.player(), at.piece("unit"), at.piece("target"), self.fight
        if fight is None or by != fight.by or unit is not fight.unit or not fight.steps:
            raise NotJudged("a sweep by another card")
        if fight.kind == "shot":
            yield self.fault("SHOOT-08", "illegal", by)
            self.stops = True
            return
        if fight.swept:
            yield self.fault("SWEEP-05", "illegal", by)
            self.stops = True
            return
        earned = fight.leftover is not None and fight.leftover > 0 and self.is_here(unit.id)
        if fight.is_early:
            raise NotJudged("a sweep after an ability that came too early")
        if fight.rewarded or (not earned and fight.special is not None):
            yield self.fault("SPEC-05", "illegal", by)
        elif not earned:
            yield self.fault("SWEEP-01", "illegal", by)
        if not self.may_be_attacked(by, unit, target, "unit"):
            blocked_asset = target is fight.target and target.card.kind == "asset"
            yield self.fault("SWEEP-06" if blocked_asset else "SWEEP-02", "illegal", by)
        due = fight.leftover if fight.leftover is not None else 0
        left = self.as_claimed(at, "leftover", due)
        if earned and left != due:
            yield self.fault("SWEEP-03", "miscalculated", by)
        self.can_go_on(unit, target)
        self.stops = self.stops or fight.leftover is None
        fight.swept, fight.leftover, fight.window, fight.target = True, left, False, target
        self.attack = Attack("assault", unit.id, target.id, target.id)

    def on_special(self, at: Reader) -> Faults:
        self.in_step("battle")
        by, unit, fight = at.player(), at.piece("unit"), self.fight
        if fight is None or by != fight.by or unit is not fight.unit:
            raise NotJudged("the ability of another assault")
        self.begin()
        if fight.special is None:
            yield self.fault("ASLT-02", "illegal", by)
            self.stops = True
            return
        if at.number("ability") != fight.special or fight.rewarded:
            raise NotJudged("another ability, or once more")
        if fight.steps:
            earned = fight.leftover is not None and fight.leftover > 0
            lives = self.is_here(unit.id) or self.goes_by("OR-SPECIALDEAD", "resolves")
            if fight.swept or not earned or not lives:
                yield self.fault("SPEC-05", "illegal", by)
        elif self.is_broken() and fight.window:
            yield self.fault("SPEC-06", "illegal", by)
            self.stops = True
            return
        elif self.attack is None or self.is_broken():
            raise NotJudged("the ability of an assault that goes on")
        elif self.attack.defender is not None:
            # The fight with the blocker is still to come.
            yield self.fault("SPEC-03", "illegal", by)
            fight.rewarded = fight.is_early = True
            return
        fight.rewarded = True
        self.attack = None

    def is_broken(self) -> bool:
        """Whether the attack has lost its attacking unit or its defending card."""
        if self.attack is None:
            return False
        gone = self.attack.defender is not None and not self.is_here(self.attack.defender)
        return gone or not self.is_here(self.attack.attacker)

    # ---------------------------------------------------------------- the end of a battle action

    def ba_is_over(self) -> Faults:
        """A damage step that did not come is left out."""
        yield from self.step_is_over()
        fight = self.fight
        if fight is not None and self.attack is not None and not self.is_broken():
            if fight.is_early:
                raise NotJudged("no fight after an ability that came before it")
            if self.attack.defender is not None:
                yield self.fault(fight.rule, "omitted", fight.by)
            elif fight.window and not fight.rewarded and not has_failed(fight.ability):
                yield self.fault("SPEC-04", "omitted", fight.by)
        self.fight = None

    def on_ba_withdraw(self, at: Reader) -> Faults:
        by, cards = at.player(), at.pieces("destroyed")
        out_of_turn = list(self.open_ba(at))
        yield from out_of_turn
        if out_of_turn:
            self.stops = True
            return
        if any(card.owner != by for card in cards):
            raise NotJudged("a withdrawal that destroys the other player's cards")
        here = self.row(by)
        if any(piece.card.kind == "unit" and piece.position in ("ready", "charging") for piece in here):
            yield self.fault("WDR-01", "illegal", by)
        if any(piece not in cards for piece in here):
            yield self.fault("WDR-02", "omitted", by)
            self.stops = True
        if any(card not in here for card in cards):
            yield self.fault("WDR-02", "illegal", by)
            self.stops = True
            return
        for card in cards:
            self.move(card.id, "discard")
        self.withdrew, self.withdrawn = by, cards

    def on_ba_end(self, at: Reader) -> Faults:
        self.in_step("battle")
        yield from self.ba_is_over()
        positions = at.event.get("positions", {})
        if not isinstance(positions, dict):
            raise NotJudged("positions that cannot be read")
        for name, position in positions.items():
            piece = at.known(name)
            if position not in ("ready", "locked", "charging"):
                raise NotJudged("a position that is none")
            if position == "charging" and piece.card.kind != "unit":
                yield self.fault("POS-04", "miscalculated", piece.owner)
            elif piece.zone not in IN_PLAY or position != piece.position:
                yield self.fault("POS-01", "miscalculated", piece.owner)
            if piece.zone in IN_PLAY:
                piece.position = position
        self.close_ba()
