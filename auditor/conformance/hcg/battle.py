"""Battle actions: shots, charges, assaults with their sweeps and rewards, BA cards and abilities (catalogue 4.13 to 4.20)."""

from __future__ import annotations

from typing import Any

from auditor.conformance.hcg.abilities import CHOOSING, Plan
from auditor.conformance.hcg.table import Attack, Event, GameOver, Happening, Piece, other
from auditor.conformance.hcg.windows import Windows

TIRING = 14
"""After so many battle actions players mostly pass."""


class Battles(Windows):
    """The table with its battle actions."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.sweeps = 0.9
        self.blocks = 0.6
        self.withdraws = 0.5
        self.was_broken = self.sweep_going = self.takes_reward = False
        self.withdrawn: list[Piece] = []
        """What was destroyed by withdrawing from this battle."""
        self.borne = 0
        """Damage by the counterattack of the first assault, which the attacking unit has survived."""

    # ---------------------------------------------------------------- the step

    def battle_step(self) -> str:
        """Battle actions by turns until two passes in a row or a withdrawal; how it ended."""
        self.step, self.ba, self.withdrawn = "battle", 0, []
        chooser = self.atk if self.battle == 1 else self.dfd
        acting, passes = self.twist("first actor", chooser), 0
        while True:
            self.ba, self.began = self.ba + 1, len(self.log)
            act = self.pick_act(acting)
            if act == "failed" and self.goes_by("OR-FAILEDTEST", "refunded"):
                # The turn is not used, and no pass is undone.
                self.end_ba(broken=False)
                continue
            if act == "pass":
                self.write("ba.pass", by=acting)
                if self.goes_by("OR-CHARGEWIN", "window-all"):
                    self.tactics_window(acting)
                passes += 1
            elif act == "withdraw":
                names = self.twist("withdrawn", [piece.id for piece in self.row(acting)], acting)
                self.write("ba.withdraw", by=acting, destroyed=names)
                self.withdrawn = [self.pieces[name] for name in names]
                for name in names:
                    self.move(name, "discard")
                passes = 0
            else:
                passes = 0
            self.end_ba(broken=act == "broken")
            if act == "withdraw":
                return "withdraw"
            if passes == self.twist("closing passes", 2, passes):
                return "double_pass"
            acting = self.twist("next actor", other(acting))

    def end_ba(self, broken: bool) -> None:
        """The end of a battle action: its bonuses go, its card is discarded."""
        for name in list(self.zone("p1", "limbo")) + list(self.zone("p2", "limbo")):
            self.move(name, "discard")
        self.attack, self.damage_steps, self.sweep_going, self.borne = None, 0, False, 0
        fields: Event = {}
        if broken:
            fields["cause"] = "destroyed_in_tactics"
        if self.chance(0.2):
            here = self.here() + self.fleet(self.atk) + self.fleet(self.dfd)
            fields["positions"] = {p.id: p.position for p in self.rng.sample(here, min(3, len(here)))}
        self.write("ba.end", **fields)
        self.expire("ba")

    def expire(self, *ends: str) -> None:
        """What lasts until one of these ends is over."""
        for piece in self.pieces.values():
            if piece.bonuses:
                piece.bonuses = [bonus for bonus in piece.bonuses if bonus.until not in ends]
        self.flag_changes = [change for change in self.flag_changes if change[2] not in ends]

    # ---------------------------------------------------------------- choosing an act

    def pick_act(self, by: str) -> str:
        """Something to do, done; pass and withdrawal are only named."""
        units = [piece for piece in self.row(by) if piece.card.kind == "unit"]
        if self.ba > TIRING and self.chance(0.25 + 0.05 * (self.ba - TIRING)):
            return "pass"
        if not any(piece.position in ("ready", "charging") for piece in units):
            if self.chance(self.withdraws / 4):
                return "withdraw"
        acts = [
            self.do_shoot,
            self.do_charge,
            self.do_charge,
            self.do_assault,
            self.do_assault,
            self.do_card,
            self.do_ability,
        ]
        self.rng.shuffle(acts)
        for act in acts:
            done = act(by)
            if done:
                return done
        return "pass"

    def enemies(self, by: str, unit: Piece, units_only: bool = False) -> list[Piece]:
        """The enemy cards that a unit may attack."""
        return [
            piece
            for piece in self.row(other(by))
            if piece.card.kind in (("unit",) if units_only else ("unit", "asset")) and self.may_attack(unit, piece)
        ]

    def may_attack(self, unit: Piece, piece: Piece) -> bool:
        if self.forbids(piece, "be attacked", unit) or self.forbids(piece, "be targeted", unit):
            return False
        return not self.is_odd(piece)

    def is_odd(self, piece: Piece) -> bool:
        """A unit that counterattacks and lacks the number for it: what it deals is left open."""
        return "counterattack" in self.keywords(piece) and None in (
            piece.card.stats["firepower"],
            piece.card.stats["assault"],
        )

    def do_charge(self, by: str) -> str:
        fit = [
            piece
            for piece in self.row(by)
            if piece.card.kind == "unit" and piece.position == "ready" and not self.forbids(piece, "charge")
        ]
        if not fit:
            return ""
        return self.charge(by, self.rng.choice(fit))

    def charge(self, by: str, unit: Piece) -> str:
        event = self.write("ba.charge", by=by, unit=unit.id)
        unit.position = "charging"
        self.react([(event, [Happening("charges", unit.id)])], by)
        if self.option("OR-CHARGEWIN") != "none":
            self.tactics_window(by)
        return "charge"

    def do_shoot(self, by: str) -> str:
        fit = [
            (piece, target)
            for piece in self.row(by)
            if piece.card.kind == "unit"
            and piece.position != "locked"
            and piece.card.stats["firepower"] is not None
            and not self.forbids(piece, "shoot")
            for target in self.enemies(by, piece)
        ]
        if not fit:
            return ""
        return self.shoot(by, *self.rng.choice(fit))

    def shoot(self, by: str, unit: Piece, target: Piece) -> str:
        event = self.write("ba.shoot", by=by, unit=unit.id, target=target.id)
        unit.position = "locked"
        self.attack = Attack("shot", unit.id, target.id, target.id)
        acts = [Happening("shoots", unit.id), Happening("attacked", target.id), Happening("locked", unit.id)]
        self.react([(event, acts)], by)
        if self.is_broken():
            return "broken"
        self.block(by)
        if self.is_broken() or not self.tactics_window(by):
            return "broken"
        left, killed = self.fight(by, self.value(unit, "firepower"))
        if self.twist("sweep after a shot", False, by, unit, killed, left):
            self.sweep(by, unit, left)
        return "shot"

    # ---------------------------------------------------------------- blocks and damage

    def blockers(self, by: str) -> list[Piece]:
        """The units that may take the attack of `by` on themselves."""
        assert self.attack is not None
        unit = self.pieces[self.attack.attacker]
        shot = self.attack.kind == "shot"
        if self.forbids(unit, "be blocked"):
            return []
        fit = []
        for piece in self.row(other(by)):
            if piece.card.kind != "unit" or piece.position == "locked":
                continue
            if piece.id == self.attack.target and (shot or self.goes_by("OR-SELFBLOCK", "never")):
                continue
            if shot and self.speed_to_block(piece, unit) <= self.value(unit, "speed"):
                continue
            if not shot and piece.position != "charging":
                continue
            if self.forbids(unit, "be blocked", piece) or self.forbids(piece, "block", unit) or self.is_odd(piece):
                continue
            if self.forbids(piece, "be attacked", unit):
                continue
            fit.append(piece)
        return fit

    def speed_to_block(self, piece: Piece, unit: Piece) -> int:
        """The speed of a unit that may block; whether a bonus against the shooter counts already is a reading."""
        alone = self.value(piece, "speed")
        return max(alone, self.value(piece, "speed", unit)) if self.goes_by("OR-VSBLOCK", "counts") else alone

    def block(self, by: str) -> None:
        """The responder's chance to block; what is not written down was declined."""
        assert self.attack is not None
        fit = self.twist("blockers", self.blockers(by), by)
        if not fit or not self.chance(self.blocks):
            if self.chance(0.5):
                self.write("block.none", by=other(by))
            return
        unit = self.rng.choice(fit)
        event = self.write("block", by=other(by), unit=unit.id)
        unit.position = "locked"
        self.attack.defender = self.attack.blocker = unit.id
        self.seen[f"blocked {self.attack.kind}"] += 1
        # The block is the responder's act.
        self.react([(event, [Happening("blocks", unit.id), Happening("locked", unit.id)])], other(by))

    def fight(self, by: str, amount: int) -> tuple[int, bool]:
        """The damage step: both ways at once. Damage beyond armor, and whether a unit died of it."""
        attack = self.attack
        assert attack is not None and attack.defender is not None
        unit, card = self.pieces[attack.attacker], self.pieces[attack.defender]
        stat = "firepower" if attack.kind == "shot" else "assault"
        armor, own_armor = self.value(card, "armor"), self.value(unit, "armor")
        harmed = amount > 0 or (amount == 0 and self.goes_by("OR-CAZERO", "always"))
        counter = card.card.kind == "unit" and "counterattack" in self.keywords(card) and harmed
        back = self.value(card, stat)
        self.damage_steps += 1
        step = self.damage_steps
        dies = self.twist("destroyed", self.kills(amount, armor), card, amount, armor)
        happened = []
        event = self.write(
            "damage",
            **{"from": unit.id, "to": card.id},
            stat=stat,
            amount=amount,
            armor=armor,
            destroyed=dies,
            step=step,
        )
        beyond = event["amount"] - event["armor"]
        if dies:
            happened.append((event, [Happening("destroyed", card.id)]))
        counter = self.twist("counterattack", counter, card, dies)
        borne = self.borne if self.sweep_going and self.goes_by("OR-DMGACC", "per-ba") else 0
        unit_dies = counter and self.kills(back + borne, own_armor)
        if counter:
            self.borne = back
            self.seen["counterattack"] += 1
            event = self.write(
                "damage",
                **{"from": card.id, "to": unit.id},
                stat=stat,
                amount=back,
                armor=own_armor,
                destroyed=unit_dies,
                counter=True,
                step=step,
            )
            if unit_dies:
                happened.append((event, [Happening("destroyed", unit.id)]))
        for _, (one,) in happened:
            assert one.piece is not None
            self.move(one.piece, "discard")
        killed = dies and card.card.kind == "unit"
        self.attack = None
        self.react(happened, by)
        self.attack = attack
        return (beyond if killed else -1), killed

    # ---------------------------------------------------------------- assaults

    def do_assault(self, by: str) -> str:
        fit = [
            piece
            for piece in self.row(by)
            if piece.card.kind == "unit"
            and piece.position == "charging"
            and piece.card.stats["assault"] is not None
            and not self.forbids(piece, "assault")
        ]
        self.rng.shuffle(fit)
        for unit in fit:
            specials = unit.card.typed("A")
            if specials and self.chance(0.85):
                index, text = self.rng.choice(specials)
                plan = self.plan(by, unit, index, text)
                if plan is not None:
                    return self.special_assault(by, unit, plan)
            targets = self.enemies(by, unit)
            if targets:
                return self.standard_assault(by, unit, self.rng.choice(targets))
        return ""

    def standard_assault(self, by: str, unit: Piece, target: Piece) -> str:
        self.was_broken = False
        event = self.write("ba.assault", by=by, unit=unit.id, mode="standard", target=target.id)
        unit.position = "locked"
        self.attack = Attack("assault", unit.id, target.id, target.id)
        acts = [Happening("assaults", unit.id), Happening("attacked", target.id), Happening("locked", unit.id)]
        self.react([(event, acts)], by)
        if self.is_broken():
            return "broken"
        self.block(by)
        if self.is_broken() or not self.tactics_window(by):
            return "broken"
        leftover, killed = self.fight(by, self.value(unit, "assault"))
        earned = killed and leftover > 0 and self.is_here(unit.id)
        if self.twist("sweep is earned", earned, by, unit, killed, leftover):
            if not self.sweep(by, unit, leftover) and self.chance(0.5):
                self.write("sweep.none", by=by, unit=unit.id)
        return "broken" if self.was_broken else "assault"

    def sweep(self, by: str, unit: Piece, leftover: int) -> bool:
        """A sweeping advance; false where it was declined or there is nobody to sweep to."""
        assert self.attack is not None
        self.was_broken = False
        before = self.attack
        first = self.pieces[before.defender] if before.defender else None
        targets = self.twist("sweep's targets", self.enemies(by, unit, units_only=True), by, unit)
        if not targets or not self.chance(self.sweeps):
            return False
        target = self.rng.choice(targets)
        leftover = self.twist("leftover", leftover, by)
        event = self.write("sweep", by=by, unit=unit.id, target=target.id, leftover=leftover)
        self.attack = Attack("assault", unit.id, target.id, target.id)
        self.sweep_going = True
        self.seen["sweep"] += 1
        self.react([(event, [Happening("assaults", unit.id), Happening("attacked", target.id)])], by)
        may_be_blocked = self.twist("sweep may be blocked", self.option("OR-SWEEPBLOCK") == "allowed", by)
        if may_be_blocked and not self.is_broken():
            self.block(by)
        if self.is_broken() or not self.tactics_window(by):
            self.was_broken = True
            return True
        new = sum(bonus.amount for bonus in unit.bonuses if bonus.stat == "assault" and bonus.born >= self.damage_steps)
        foe = self.pieces[self.attack.defender or ""]
        was = self.versus(unit, "assault", first)
        new += max(0, self.versus(unit, "assault", foe) - was)
        if self.goes_by("OR-SWEEPPOOL", "reapply"):
            new = self.value(unit, "assault") - (unit.card.stats["assault"] or 0)
        left, killed = self.fight(by, leftover + new)
        if self.twist("sweep again", False, by, unit, killed, left):
            self.sweep(by, unit, left)
        return True

    def special_assault(self, by: str, unit: Piece, plan: Plan) -> str:
        self.was_broken = False
        plan = self.twist("announced", plan)
        event = self.write(
            "ba.assault", by=by, unit=unit.id, mode="special", ability=plan.index, choices=plan.choices, x=plan.x
        )
        at_the_end = self.goes_by("OR-COSTTIME", "resolve")
        paid_late = self.twist("is paid late", at_the_end, plan)
        if not paid_late and not self.pay(plan):
            self.seen["failed special"] += 1
            return "failed"
        unit.position = "locked"
        self.attack = Attack("assault", unit.id, None)
        if not plan.text.costs:
            self.react([(event, [Happening("assaults", unit.id), Happening("locked", unit.id)])], by)
        if self.is_broken():
            return "broken"
        self.block(by)
        if self.is_broken() or not self.tactics_window(by):
            if self.twist("effect all the same", False, by, unit):
                self.special(plan)
            return "broken"
        if paid_late and not (at_the_end and self.attack.blocker) and not self.pay_late(plan):
            return "failed"
        if self.attack.blocker is None:
            self.seen["special"] += 1
            if self.twist("effect takes place", True, plan):
                self.special(plan)
            return "special"
        rewarded = self.twist("effect before the fight", False, plan)
        if rewarded:
            self.special(plan)
        leftover, killed = self.fight(by, self.value(unit, "assault"))
        earned = killed and leftover > 0 and not rewarded
        lives = self.is_here(unit.id)
        if self.twist(
            "reward is earned",
            earned and (lives or self.goes_by("OR-SPECIALDEAD", "resolves")),
            by,
            unit,
            killed,
            leftover,
        ):
            if self.takes_reward or not lives or self.chance(0.6):
                if not at_the_end or self.pay_late(plan):
                    self.special(plan)
                self.seen["special as reward"] += 1
            elif not self.sweep(by, unit, leftover) and self.chance(0.5):
                self.write("special.none", by=by, unit=unit.id, ability=plan.index)
        return "broken" if self.was_broken else "special"

    def pay_late(self, plan: Plan) -> bool:
        """Pay after the tactics; who cannot any more gives up."""
        if not self.payable(plan):
            raise GameOver(other(plan.by), "concession")
        return self.pay(plan)

    def special(self, plan: Plan) -> None:
        """The effect of a special assault, which is no part of its fight."""
        attack, self.attack = self.attack, None
        self.write("special", by=plan.by, unit=plan.piece.id, ability=plan.index)
        self.resolve_or_state(plan)
        self.attack = attack

    # ---------------------------------------------------------------- cards and abilities

    def do_card(self, by: str) -> str:
        for name in self.rng.sample(self.hand(by), len(self.hand(by))):
            piece = self.pieces[name]
            line = piece.card.line
            if line is None or line.type != "BA":
                continue
            plan = self.plan(by, piece, "line", line)
            if plan is None or not self.is_worth_it(plan):
                continue
            plan = self.twist("announced", plan)
            x = plan.x if plan.free_x or self.chance(0.5) else None
            event = self.write("ba.card", by=by, card=name, choices=plan.choices, x=x)
            self.move(name, "limbo")
            self.react([(event, [Happening("plays", player=by)])], by)
            return self.carry_out(plan, "card")
        return ""

    def do_ability(self, by: str) -> str:
        for piece, index, text in self.abilities_of(by, "BA"):
            if index == "line":
                continue
            plan = self.plan(by, piece, index, text)
            if plan is None or not self.is_worth_it(plan):
                continue
            plan = self.twist("announced", plan)
            x = plan.x if plan.free_x or self.chance(0.5) else None
            self.write("ba.ability", by=by, source=plan.source, choices=plan.choices, x=x)
            return self.carry_out(plan, "ability")
        return ""

    def carry_out(self, plan: Plan, name: str) -> str:
        at_the_end = self.goes_by("OR-COSTTIME", "resolve")
        if not at_the_end and not self.pay(plan):
            if self.goes_by("OR-FAILWIN", "window"):
                self.tactics_window(plan.by)
            self.take_back(plan)
            return "failed"
        here = plan.piece.zone
        self.tactics_window(plan.by)
        if at_the_end and not self.pay_late(plan):
            return "failed"
        lost = here in ("sector", "fleet") and plan.piece.zone not in ("sector", "fleet")
        if (not lost or self.goes_by("OR-SOURCEGONE", "still-resolves")) and self.makes_do(plan):
            self.resolve_or_state(plan)
        return name

    def makes_do(self, plan: Plan) -> bool:
        """Choose others in place of what is gone of the choices of a battle action, where that may be done, and tell whether
        it does anything (OR-FIZZLE)."""
        if plan.choosing is None or plan.choosing.op == "infiltrate" or self.goes_by("OR-FIZZLE", "partial"):
            return True
        fit = self.candidates(plan, plan.choosing)
        left = [name for name in plan.chosen if name in fit]
        if len(left) == len(plan.chosen):
            return True
        if not self.goes_by("OR-FIZZLE", "rechoose"):
            return False
        others = [name for name in fit if name not in plan.chosen]
        missing = min(len(plan.chosen) - len(left), len(others))
        plan.chosen = [*left, *self.rng.sample(others, missing)]
        return True

    def is_worth_it(self, plan: Plan) -> bool:
        """Players seldom play what does nothing."""
        idle = plan.choosing is None and all(
            effect.op in CHOOSING and not self.objects(plan, effect) for effect in plan.text.effects
        )
        return not (idle and plan.text.effects) or self.chance(0.1)
