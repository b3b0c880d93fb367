"""Attacks up to the pool: catalogue sections 11 to 14."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.bench import Found
from auditor.conformance.calth.damage import Damage
from auditor.conformance.calth.misjudged import rule_of_class
from auditor.conformance.calth.position import Event, Unit, faces_of, step_card
from auditor.conformance.calth.tables import (
    CANNON,
    CHAINSWORD,
    CLAWS,
    FOLLOW_UP,
    MISSILE,
    PLASMA,
    WEAPONS,
    cannon_rerolls,
    option,
)


class Attacks(Damage):
    """Dice due, line of sight, the roll and critical effects."""

    def on_attack(self, event: Event) -> Found:
        position, side, role = self.position, event["player"], event["role"]
        attacker, target = position.units.get(event["attacker"]), position.units.get(event["target"])
        if attacker is None or target is None:
            empty = attacker is not None and event["mode"] == "melee" and role == "assault"
            if empty and attacker is not None:
                yield from self.licensed(event, attacker.id, "assault")
            yield self.fault(
                "CAL-ASL-01" if empty else "CAL-ATK-08", "illegal", side, "a unit that is not on the board"
            )
            if attacker is None and role == "counter":
                yield self.fault("CAL-ASL-03", "illegal", side, "a counter-attack by a destroyed unit")
            return
        if event.get("role_contradicts"):
            yield self.fault("CAL-ACT-03", "ambiguous", side, "the role of the attack contradicts its mode")
        if event["mode"] == "melee":
            yield from self.melee(event, attacker, target, role)
        else:
            yield from self.ranged(event, attacker, target, role)
        lacking = self.lacking(event, target)
        if lacking:
            yield self.fault(lacking[0], "ambiguous", side, "a fact of the attack is not recorded")
        elif not set(faces_of(event["roll"])) <= set("CHSB"):
            yield self.fault("CAL-DIE-01", "ambiguous", side, "a face that these dice do not have")
        else:
            yield from self.roll(event, attacker, target)
        yield from self.defence(event, target)

    def lacking(self, event: Event, target: Unit) -> list[str]:
        """The rules that a missing fact of an attack keeps from being judged, in the order in which they are asked."""
        rules_left: list[str] = []
        if "roll" not in event:
            rules_left.append("CAL-DIE-01")
        elif any(not ("indices" in entry and "faces" in entry) for entry in rules.stated_rerolls(event)):
            rules_left.append("CAL-DIE-02")
        elif "crit" not in event and "C" in rules.faces_before_crit(event) and self.seen_kind != "obscured":
            rules_left.append("CAL-CRT-01")
        crit = rules.the_crit(event)
        if crit is not None and not ("model" in crit and "weapon" in crit):
            rules_left.append("CAL-CRT-02")
        elif crit is not None and crit.get("passes_lost"):
            rules_left.append(crit["effect"])
        elif crit is not None and crit["effect"] in (MISSILE, PLASMA, CHAINSWORD) and "added" not in crit:
            # An effect wrongly named needs no dice of its own.
            weapon = WEAPONS.get(crit["weapon"])
            if weapon is None or weapon.effect == crit["effect"]:
                rules_left.append(crit["effect"])
        if "steps" not in event and event.get("pool", rules.hits(rules.faces_after_crit(event))) > 0:
            rules_left.append("CAL-ATK-07")
        for step, due in zip(event.get("steps", ()), rules.judged_steps(self.position, event, self.ask), strict=True):
            if step_card(step) is None and "target_model" not in step and len(target.models) > 1:
                rules_left.append("CAL-ATK-04")
            if "faces" not in step and due["dice"] > 0:
                rules_left.append("CAL-ATK-05")
        return rules_left

    def melee(self, event: Event, attacker: Unit, target: Unit, role: str) -> Found:
        position, side, active = self.position, event["player"], self.active
        if role == "assault":
            yield from self.licensed(event, attacker.id, "assault")
            if target.side == side or not rules.adjacent(position, attacker.hex, target.hex):
                yield self.fault("CAL-ASL-01", "illegal", side, "the target is not an adjacent enemy unit")
            if active is not None:
                if active.player == side and (active.target is None or active.striker is not None):
                    # What follows an attack follows the one that was made, whoever should have made it.
                    active.striker = attacker.id if attacker.id != active.unit else None
                    active.countered = False
                active.target, active.target_side, active.target_hex = target.id, target.side, target.hex
        else:
            right = active is not None and active.target == attacker.id
            right = right and active is not None and target.id in (active.unit, active.striker)
            if not right or (active is not None and active.countered):
                yield self.fault("CAL-ASL-03", "illegal", side, "this unit has no counter-attack against that one")
            if active is not None:
                if active.said in ("declined", "not_possible") and not active.countered:
                    yield self.fault("CAL-ASL-03", "ambiguous", side, "a counter-attack that was said not to be made")
                active.countered = True
        due, more = rules.melee_dice(position, attacker, target, role, self.ask), self.dice_of_card(event)
        due = {**due, "total": due["total"] + more}
        claimed = event.get("dice", due)
        for names, rule in ((("models", "pistols"), "CAL-ATK-01"), (("weapons",), "CAL-MEL-01")):
            # Each distinct rule once (CAL-AUD-03).
            yield from [one for name in names for one in self.compare(rule, claimed, name, due[name], side)][:1]
        yield from self.compare("CAL-WAR-01", claimed, "harness", due["harness"], side)
        listed = {(m, w) for m, w in event["weapons"]} - {*rules.carried(position, attacker)}
        gone = {(m, w) for m, w in listed if m in position.removed and position.models[m].side == attacker.side}
        if gone:
            yield self.fault("CAL-ATK-08", "illegal", side, f"{min(gone)[0]} is removed, and is counted")
        unknown = sorted(listed - gone)
        if unknown:
            yield self.fault("CAL-ATK-01", "miscalculated", side, f"{unknown[0][0]} carries no {unknown[0][1]} here")
        parts = more + sum(claimed.get(name, due[name]) for name in ("models", "weapons", "pistols", "harness"))
        self.right_sums = {parts, due["total"]}
        if claimed.get("total", parts) not in self.right_sums:
            yield from self.compare("CAL-ATK-01", claimed, "total", due["total"], side)
        self.dice_due = due["total"]
        self.right_sums.add(claimed.get("total", parts))
        self.seen_kind = ""

    def ranged(self, event: Event, attacker: Unit, target: Unit, role: str) -> Found:
        position, side, active = self.position, event["player"], self.active
        if role == "flamer_follow_up":
            yield from self.follow_up(event, attacker, target)
        else:
            yield from self.licensed(event, attacker.id, "shoot")
            if target.side == side:
                yield self.fault("CAL-SHT-01", "illegal", side, "the target is a friend")
        if active is not None:
            active.flame_hex = target.hex
        los = event.get("los", {})
        steps = rules.distance(position, attacker.hex, target.hex, self.ask)
        if los.get("distance") is not None:
            yield from self.compare("CAL-DST-01", los, "distance", steps, side)
        seen = rules.sight(position, attacker, target, self.ask, rules.aim_of(event))
        self.seen_kind = seen.kind
        claimed_class = los.get("class", seen.kind)
        if seen.kind == "none":
            yield self.fault("CAL-SHT-01", "illegal", side, "no line of sight of either kind")
        if seen.kind == "none" and claimed_class == "obscured":
            yield self.fault("CAL-OBS-01", "illegal", side, "no line for an obscured shot")
        elif seen.kind != claimed_class:
            rule = rule_of_class(rules.scene(position, attacker, target, self.ask))
            yield self.fault(rule, "miscalculated", side, "the class of the shot", claimed_class, seen.kind)
        if seen.kind == claimed_class == "obscured" and rules.aim_of(event) is not None and not seen.aim_is_legal:
            yield self.fault("CAL-OBS-01", "miscalculated", side, "the line to the point aimed at is not legal")
        parts = rules.bonuses(position, target, seen)
        parts["obscured"] = 2 if claimed_class == "obscured" else 0
        claimed = los.get("bonuses", parts)
        # A bonus that goes with the class claimed follows from that class, and is not another fault (CAL-AUD-02).
        fitting = {seen.barricade} if seen.kind != "none" else set()
        if claimed_class not in (seen.kind, "none"):
            aim = rules.aim_of(event)
            fitting.add(rules.barricade_of(position, attacker, target, claimed_class, self.ask, aim))
        over = claimed.get("barricade", 0)
        if over in (0, 2) and (not fitting or None in fitting or bool(over) in fitting):
            parts["barricade"] = over
        elif seen.kind == "none":
            # An illegal shot is counted as if it had been allowed, of the class that it claims.
            parts["barricade"] = 2 if True in fitting else 0
        for name, rule in (("obscured", "CAL-OBS-02"), ("rubble", "CAL-DEF-02"), ("barricade", "CAL-DEF-03")):
            yield from self.compare(rule, claimed, name, parts[name], target.side)
        yield from self.weapons(event, attacker, steps, role)
        # A weapon that is listed twice is one fault of the list; its dice count once.
        due, more = rules.shooting_dice({(m, w) for m, w in event["weapons"]}), self.dice_of_card(event)
        due = {**due, "total": due["total"] + more}
        dice = event.get("dice", due)
        # Dice that are those due do not go with a list of weapons that is wrong: that is one fault already.
        usable = rules.shooting_weapons(position, attacker, steps, role)
        all_count = option(self.ask, "R-ATK-MULTI") == "all"
        if not (all_count and dice.get("weapons") == rules.shooting_dice(usable)["weapons"]):
            yield from self.compare("CAL-RNG-01", dice, "weapons", due["weapons"], side)
        for names, rule in ((("models", "pistols"), "CAL-ATK-02"), (("harness",), "CAL-WAR-01")):
            yield from [one for name in names for one in self.compare(rule, dice, name, 0, side)][:1]
        parts_claimed = more + sum(dice.get(name, due[name]) for name in ("models", "weapons", "pistols", "harness"))
        self.right_sums = {parts_claimed, due["total"]}
        if dice.get("total", due["total"]) not in self.right_sums:
            yield from self.compare("CAL-ATK-02", dice, "total", due["total"], side)
        self.dice_due = due["total"]
        self.right_sums.add(dice.get("total", due["total"]))
        if all_count:
            self.right_sums.add(rules.shooting_dice(usable)["total"] + more)
        if not usable:
            yield self.fault("CAL-SHT-01", "illegal", side, "no usable weapon")

    def weapons_due(self, event: Event, unit: Unit, target: Unit) -> list[tuple[str, str]]:
        """The weapons that give dice in an attack which does not name them."""
        if event["mode"] == "melee":
            return rules.melee_weapons(self.position, unit, self.ask)
        steps = rules.distance(self.position, unit.hex, target.hex, self.ask)
        return rules.shooting_weapons(self.position, unit, steps, event["role"])

    def weapons(self, event: Event, attacker: Unit, steps: int | None, role: str) -> Found:
        """The weapons counted in a ranged attack against those that may be."""
        side = event["player"]
        named = {(m, w) for m, w in event["weapons"]}
        carried = set(rules.intact(self.position, attacker))
        due = set(rules.shooting_weapons(self.position, attacker, steps, role))
        if len(named) < len(event["weapons"]):
            yield self.fault("CAL-ATK-02", "miscalculated", side, "a weapon is counted twice")
        broken = sorted((named - carried) & self.position.broken)
        if broken:
            # Each distinct rule once, however many weapons (CAL-AUD-03).
            yield self.fault("CAL-CRT-06", "illegal", side, f"{broken[0][1]} of {broken[0][0]} is destroyed")
        gone = {(m, w) for m, w in named if m in self.position.removed and self.position.models[m].side == side}
        if gone:
            yield self.fault("CAL-ATK-08", "illegal", side, f"{min(gone)[0]} is removed, and is counted")
        strange = sorted(named - carried - self.position.broken - gone)
        for m, w in strange:
            yield self.fault("CAL-ATK-02", "miscalculated", side, f"{m} has no {w} to shoot with")
        too_far = [w for _, w in sorted(named & carried - due) if not rules.within(steps, WEAPONS[w].limit)]
        if too_far:
            yield self.fault("CAL-SHT-02", "illegal", side, f"{too_far[0]} beyond its range")
        wrong = [w for _, w in sorted(named & carried - due) if rules.within(steps, WEAPONS[w].limit)]
        if wrong:
            rule = "CAL-CRT-04" if role == "flamer_follow_up" else "CAL-ATK-02"
            yield self.fault(rule, "miscalculated", side, f"{wrong[0]} gives no dice here")
        left_out = sorted(due - named)
        if option(self.ask, "R-ATK-MULTI") == "one_per_model":
            armed = [m for m, _ in named & due]
            if len(set(armed)) < len(armed):
                yield self.fault("CAL-ATK-02", "miscalculated", side, "two weapons of one model")
            left_out = [(m, w) for m, w in left_out if m not in armed]
        if strange:
            # The one named in its place is left out: one fault.
            left_out = [(m, w) for m, w in left_out if WEAPONS[w].limit is not None]
        for rule, some in (
            ("CAL-SHT-02", [w for _, w in left_out if WEAPONS[w].limit is not None]),
            ("CAL-ATK-02", [w for _, w in left_out if WEAPONS[w].limit is None]),
        ):
            if some:
                yield self.fault(rule, "miscalculated", side, f"{some[0]} was left out")

    def follow_up(self, event: Event, attacker: Unit, target: Unit) -> Found:
        """The extra attack of a flamer: allowed by a trigger, on a unit next to the target before."""
        active, side = self.active, event["player"]
        if active is None or active.unit != attacker.id or not active.may_follow_up:
            yield self.fault("CAL-CRT-04", "illegal", side, "no follow-up attack was due to this unit")
        elif active.flame_hex is None or not rules.adjacent(self.position, active.flame_hex, target.hex):
            yield self.fault("CAL-CRT-04", "illegal", side, "the second target is not next to the first")
        elif target.side == side and option(self.ask, "R-FLM-SIDE") == "enemy_only":
            yield self.fault("CAL-CRT-04", "illegal", side, "the second target is a friend")
        elif not rules.within(rules.distance(self.position, attacker.hex, target.hex, self.ask), 3):
            yield self.fault("CAL-CRT-04", "illegal", side, "the second target is beyond 3 hexes")

    def roll(self, event: Event, attacker: Unit, target: Unit) -> Found:
        """Faces, re-rolls, the critical effect and the pool."""
        position, side = self.position, event["player"]
        faces = faces_of(event["roll"])
        if len(faces) not in self.right_sums:
            yield self.fault("CAL-DIE-01", "miscalculated", side, "faces in the roll", len(faces), self.dice_due)
        bearer = event["mode"] == "melee" and rules.has_vexilla(position, attacker.models)
        yield from self.rerolls_are_legal(event, faces, bearer, side)
        added = faces_of((rules.the_crit(event) or {}).get("added", ()))
        if event["mode"] == "melee" and option(self.ask, "R-VEX-TIMING") == "before_crit":
            for entry in rules.rerolls_of(event):
                if rules.is_late(entry) or any(len(faces) <= i < len(faces) + len(added) for i in entry["indices"]):
                    yield self.fault("CAL-ATK-10", "illegal", side, "a vexilla after an effect was carried out")
        crit = rules.the_crit(event)
        if isinstance(event.get("crit"), list) and len(event["crit"]) > 1:
            yield self.fault("CAL-CRT-01", "illegal", side, "two critical effects in one attack")
        if crit is not None:
            yield from self.trigger(event, attacker, crit)
            yield from self.effect(event, target, crit)
        due = rules.hits(rules.faces_after_crit(event))
        first = rules.hits([*faces, *faces_of((crit or {}).get("added", ()))])
        rule = "CAL-DIE-02" if event.get("pool") == first else "CAL-ATK-03"
        if rules.roll_is_whole(event):
            yield from self.compare(rule, event, "pool", due, side)

    def trigger(self, event: Event, attacker: Unit, crit: Mapping[str, Any]) -> Found:
        """Whether this effect may be triggered at all."""
        side = event["player"]
        if crit["weapon"] in WEAPONS:
            table = "CAL-MEL-01" if event["mode"] == "melee" else "CAL-RNG-01"
            yield from self.compare(table, crit, "effect", WEAPONS[crit["weapon"]].effect, side)
        if "C" not in rules.faces_for_trigger(event, self.ask):
            yield self.fault("CAL-CRT-01", "illegal", side, "an effect without a critical")
        if self.seen_kind == "obscured":
            yield self.fault("CAL-OBS-03", "illegal", side, "an effect in an obscured attack")
        if event["role"] == "flamer_follow_up" and crit["effect"] == FOLLOW_UP:
            # The attack that comes of it follows from this fault, and is none of its own.
            if option(self.ask, "R-FLM-CHAIN") == "once":
                yield self.fault("CAL-CRT-04", "illegal", side, "a follow-up triggered another follow-up")
        if (crit["model"], crit["weapon"]) not in rules.effects_open(self.position, event, self.ask):
            yield self.fault("CAL-CRT-02", "illegal", side, f"{crit['weapon']} has no effect in this attack")

    def effect(self, event: Event, target: Unit, crit: Mapping[str, Any]) -> Found:
        """What a triggered effect did to the roll and to the target's TPs."""
        side, effect = event["player"], crit["effect"]
        faces = rules.faces_before_crit(event)
        passes = list(crit.get("passes", ()))
        added = faces_of(crit.get("added", ()))
        if any(len(entry["indices"]) != len(faces_of(entry["faces"])) for entry in passes):
            yield self.fault("CAL-DIE-02", "miscalculated", side, "dice re-rolled and their new faces differ in number")
        if effect == CANNON:
            now = list(faces)
            for entry in passes:
                if any(i >= len(now) or now[i] not in cannon_rerolls(self.ask) for i in entry["indices"]):
                    yield self.fault(CANNON, "illegal", side, "a die re-rolled that shows another face")
                    break
                now = rules.rerolled(now, [entry])
            due = rules.cannon_breaks(event, self.ask)
            yield from self.compare(CANNON, crit, "weapon_destroyed", due, side, "omitted" if due else "miscalculated")
        elif effect == CLAWS:
            allowed = 4 if crit["weapon"] == "two_lightning_claws" else 2
            chosen = [i for entry in passes for i in entry["indices"]]
            if len(chosen) > allowed:
                yield self.fault(CLAWS, "illegal", side, "more dice than the claws allow", len(chosen), allowed)
            before = {i for entry in rules.rerolls_of(event) if not rules.is_late(entry) for i in entry["indices"]}
            if any(not 0 <= i < len(faces) for i in chosen):
                yield self.fault("CAL-DIE-02", "illegal", side, "a die was re-rolled that is not in the roll")
            elif before & set(chosen) or len(chosen) != len(set(chosen)):
                yield self.fault("CAL-DIE-02", "illegal", side, "a die was re-rolled twice")
        elif effect in (MISSILE, PLASMA, CHAINSWORD):
            weapon = WEAPONS.get(crit["weapon"])
            if weapon is not None and weapon.effect != effect and "added" not in crit:
                return  # an effect wrongly named is one fault
            due_added = {MISSILE: len(target.models), PLASMA: 4, CHAINSWORD: rules.chain_dice(event, self.ask)}[effect]
            if len(added) != due_added:
                yield self.fault(effect, "miscalculated", side, "dice added", len(added), due_added)
            if effect == PLASMA:
                loses = crit["model"] if rules.overheats(added, self.ask) else None
                kind = "omitted" if loses and crit.get("self_casualty") is None else "miscalculated"
                yield from self.compare(PLASMA, crit, "self_casualty", loses, side, kind)
