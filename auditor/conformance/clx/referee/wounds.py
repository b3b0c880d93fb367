"""Who takes the wounds, saves, and hits on hulls (catalogue 6.5, 6.8, 6.10, 6.11)."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from auditor.conformance.clx.chart import armour_save, hull_wounds, to_wound
from auditor.conformance.clx.inches import Base, gap
from auditor.conformance.clx.referee.board import Reader
from auditor.conformance.clx.referee.found import Faults, Found, NotJudged
from auditor.conformance.clx.referee.moves import ROUNDED
from auditor.conformance.clx.referee.shots import Attack, Pool, Shots
from auditor.conformance.clx.table import Model, Unit
from auditor.conformance.clx.wounding import POWERED, hull_side

DEBRIS = (4, 6)
"""Strength and AP of debris (CLX-VEH-02)."""


class Inside(NamedTuple):
    """What is wrong with what is said of those inside a wreck, and who of them fell."""

    faults: tuple[Found, ...] = ()
    fallen: tuple[str, ...] = ()


class Wounds(Shots):
    """The game with its wounds."""

    def on_allocate(self, at: Reader) -> Faults:
        attack = self.attack(at)
        pool = attack.pools.get(at.text("pool"))
        rows = at.rows("list")
        owner = attack.target.owner
        if pool is None or pool.given or not rows or len(rows) > pool.wounds:
            raise NotJudged("wounds of another pool, or more than there are")
        if any(not one.given and one.wounds and one is not pool for one in attack.pools.values()):
            raise NotJudged("a pool before one that came earlier")
        pool.given = True
        for row in rows:
            yield from self.wound_goes_to(attack, pool, row, owner)
        attack.entry["lost"] = attack.entry.get("lost", 0) + pool.wounds - len(rows)
        if len(rows) < pool.wounds and self.eligible(attack, pool):
            raise NotJudged("wounds are left over")

    def in_front(self, attack: Attack) -> list[Model]:
        """Who of a unit in a fight stands in the front line (OR-FRONT)."""
        living = attack.target.living
        line = [m for m in living if any(gap(m.base, n.base) <= ROUNDED for n in attack.unit.models if n.alive)]
        if self.by("OR-FRONT") == "ENGAGED":
            behind = {m.id: min((gap(m.base, n.base) for n in line if n is not m), default=None) for m in living}
            if any(far is not None and 2 < far <= 2 + ROUNDED for far in behind.values()):
                raise NotJudged("two inches behind the front line by a hair")
            line = [m for m in living if m in line or ((far := behind[m.id]) is not None and far <= 2)]
        return line

    def eligible(self, attack: Attack, pool: Pool) -> list[tuple[Decimal, Model]]:
        """Who may take the next wound, with the distances that decide. Raises NotJudged where sight is in doubt."""
        living = attack.target.living
        if attack.kind == "fight":
            return [(Decimal(0), m) for m in self.in_front(attack) or living]
        firers = pool.volley.models
        found: list[tuple[Decimal, Model]] = []
        for model in living:
            far = [(max(Decimal(0), gap(f.base, model.base)), f) for f in firers]
            near = [
                (d, f) for d, f in far if attack.kind == "grenade" or d <= self.reach_of(f, model, pool.volley.weapon)
            ]
            seen = [True] if attack.kind == "grenade" else [self.t.visible(f, model) for _, f in near]
            if near and None in seen and True not in seen:
                raise NotJudged("sight by a hair")
            if near and True in seen:
                off = min(d for d, _ in far)
                if attack.kind == "shoot" and self.by("OR-ALLOC-FROM") == "UNIT_CENTRE":
                    off = max(Decimal(0), gap(Base(attack.unit.centre), model.base))
                found.append((off, model))
        return found

    def wound_goes_to(self, attack: Attack, pool: Pool, row: Reader, owner: str) -> Faults:
        """One wound: whom it goes to, its save, and what became of it."""
        model = row.model(alive=False)
        if model.unit is not attack.target or "look_out_sir" in row.event:
            raise NotJudged("a wound on another unit, or passed on")
        if model.id in self.taken_off:
            return  # It was removed by mistake, which has been told: the rules leave it on the table.
        if not model.alive:
            yield self.fault("LOG-02", "illegal", owner)
            if row.flag_claimed("claimed_saved") is not True or row.flag_claimed("claimed_removed"):
                raise NotJudged("a wound that hurts nobody")
            return
        faults = [] if self.is_due_to(attack, pool, model) else [("ASLT-04" if attack.kind == "fight" else "SHOOT-13",
                                                                  "illegal")]  # fmt: skip
        pool.takers.add(model.id)
        attack.entry["inflicted"] = attack.entry.get("inflicted", 0) + 1
        more, saved = self.save_counts(attack, pool, model, row)
        faults += more
        removed = row.flag_claimed("claimed_removed")
        left = model.wounds - (not saved)
        if removed not in (None, left <= 0):
            doubled = not saved and pool.volley.strength >= 2 * model.n("T")
            if attack.kind != "shoot" or (removed and doubled):
                raise NotJudged("who is removed in a fight, or outright by a blow of twice its Toughness")
            faults.append(("SHOOT-13", "miscalculated" if removed else "omitted"))
        if len(faults) > 1 or (faults and faults[0][1] == "omitted"):
            raise NotJudged("more than one fault of one wound, or one left where it stands")
        for rule, kind in faults:
            yield self.fault(rule, kind, owner)
        model.wounds = left
        if not saved:
            attack.entry["unsaved"] += 1
            attack.entry["casualties"] = attack.entry.get("casualties", 0) + (left <= 0)
            if "pinning" in pool.volley.weapon.get("rules", ()):
                attack.entry["pinning_wounds"] += 1
        if left > 0 and removed:
            self.taken_off.add(model.id)
        if left <= 0 or removed:
            model.alive = False
            self.fallen.add(model.id)

    def is_due_to(self, attack: Attack, pool: Pool, model: Model) -> bool:
        """CLX-SHOOT-13, CLX-ASLT-04: whether a wound may go to this model."""
        found = self.eligible(attack, pool)
        if attack.kind == "fight":
            fell = [n for n in attack.unit.models if n.id in self.fallen]
            return any(one is model for _, one in found) or any(gap(model.base, n.base) <= ROUNDED for n in fell)
        if attack.kind == "shoot" and self.by("OR-ALLOC-NEXT") == "ROTATE":
            waiting = [(d, one) for d, one in found if one.id not in pool.takers]
            if not waiting:
                pool.takers.clear()
            found = waiting or found
        if not found:
            return False
        least = min(d for d, _ in found)
        return any(one is model and d - least <= 2 * ROUNDED for d, one in found)

    def save_counts(self, attack: Attack, pool: Pool, model: Model, row: Reader) -> tuple[list[tuple[str, str]], bool]:
        """What is wrong with a save, and whether the wound is claimed to be saved."""
        said = row.flag_claimed("claimed_saved")
        if "save" not in row.event:
            if said:
                raise NotJudged("a wound is saved without a save")
            return [], False
        if not isinstance(row.event["save"], dict):
            raise NotJudged("a save that is none")
        save = Reader(self, row.event["save"])
        kind, die = save.one_of("kind", ("AS", "inv")), save.whole("die")
        rules, volley = pool.volley.weapon.get("rules", ()), pool.volley
        faults = [("LOG-03", "illegal")] if not 1 <= die <= 6 else []
        armour = model.n("AS") or None
        if "nbc" in rules and (kind == "inv" or "hefty" in rules):
            raise NotJudged("what a gas leaves of another save")
        if kind == "inv":
            needed, rule = model.n("inv") or None, "SHOOT-13"
        else:
            needed, rule = self.armour_needs(attack, pool, armour), "SHOOT-13"
            shielded = "hostile_environment_shielding" in model.unit.rules
            if "nbc" in rules and not (shielded and model.entry.get("armour_class") in POWERED):
                needed, rule = None, "USR-03"
            elif "nbc" in rules:
                rule = "USR-03"
            elif pool.rends and armour:
                rule = "GEAR-03"
            elif "power" in rules:
                rule = "MISC-03"
            elif "hefty" in rules and volley.strength > 3:
                rule = "GEAR-02"
            elif armour == 1:
                rule = "MISC-03"
        claimed = save.number_claimed("claimed_needed")
        if needed is None:
            if (kind == "inv" or armour is None) or (rule == "GEAR-02" and pool.ap is not None and pool.ap <= armour):
                raise NotJudged("a save that the model does not have")
            faults.append((rule, "illegal"))
        elif claimed not in (None, needed):
            faults.append((rule, "miscalculated"))
        against = claimed if claimed is not None else needed
        if against is None:
            raise NotJudged("a save against nothing")
        right = die >= against and die > 1
        if said not in (None, right):
            if claimed is None:
                raise NotJudged("a save without the number that it hangs on")
            faults.append(("SHOOT-13" if attack.kind == "shoot" else "LOG-04", "miscalculated"))
        return faults, right if said is None else said

    def armour_needs(self, attack: Attack, pool: Pool, armour: int | None) -> int | None:
        """What an armour save needs, by OR-HEFTY-S, OR-1PLUS and OR-HES-AP; None where there is none."""
        rules, ap, strength = pool.volley.weapon.get("rules", ()), pool.ap, pool.volley.strength
        if "nbc" in rules and self.by("OR-HES-AP") == "AP_IGNORED":
            ap = None
        if "hefty" in rules and self.by("OR-HEFTY-S") == "USER":
            users = {model.n("S") for model in pool.volley.models}
            if len(users) > 1:
                raise NotJudged("users of several Strengths")
            strength = users.pop()
        needed = armour_save(armour, ap, strength, rules)
        if armour == 1 and "hefty" in rules and strength > 3 and self.by("OR-1PLUS") == "ONE" and ap != 1:
            needed = max(2, 1 + strength - 3)
            return needed if needed <= 6 else None
        return needed

    # ---------------------------------------------------------------- hulls

    def on_vehicle_hit(self, at: Reader) -> Faults:
        attack, volley = self.volley(at)
        hull_unit = at.unit("vehicle")
        rules, weapon, owner = volley.weapon.get("rules", ()), volley.weapon, attack.unit.owner
        if hull_unit is not attack.target or hull_unit.vehicle is None or attack.kind != "shoot" or not volley.hits:
            raise NotJudged("a hit on another hull, or by a blow")
        (hull, *others) = hull_unit.living
        sides = {hull_side(self.t, model, hull) for model in volley.models}
        if others or len(sides) > 1 or None in sides:
            raise NotJudged("several hulls, or several sides")
        side = sides.pop()
        assert side is not None
        dice = at.dice()
        count = 2 if "melta" in rules or "fusion" in rules else 1
        if len(dice) != count or any(not 1 <= die <= 6 for die in dice):
            raise NotJudged("other dice than the weapon has")
        more = at.whole("rending_d3") if "rending_d3" in at.event else 0
        if not 0 <= more <= 3 or ("rending_d3" in at.event and not more):
            raise NotJudged("a D3 that shows something else")
        if "to_hit_die" in at.event and not 1 <= at.whole("to_hit_die") <= 6:
            yield self.fault("LOG-03", "illegal", owner)
            self.stops = True
            return
        rends = "rending" in rules and 6 in dice
        ap = weapon["AP"]
        if "rending" in rules and self.by("OR-REND-VEH") == "HIT_DIE":
            rends = at.whole("to_hit_die") == 6
            ap = 1 if rends else ap
        if bool(more) != rends:
            if "claimed_result" in at.event or "claimed_wounds" in at.event:
                raise NotJudged("a D3 that is not due, and what came of it")
            yield self.fault("GEAR-04", "illegal" if more else "omitted", owner)
            self.stops = True
            return
        total = sum(dice) + volley.strength + more
        if at.number_claimed("claimed_total") not in (None, total):
            raise NotJudged("either of several rules says what the total is")
        faults: list[str] = []
        if "claimed_facing" in at.event and at.text("claimed_facing") != side:
            faults.append("VEH-06")
        pen, glance = self.by("OR-PEN"), self.by("OR-AP1-GLANCE")
        result, wounds = hull_wounds(total, hull_unit.vehicle["armour"][side], ap, pen, glance)
        over = total - hull_unit.vehicle["armour"][side]
        said = at.number_claimed("claimed_wounds")
        wrong = "claimed_result" in at.event and at.text("claimed_result") != result
        if wrong or said not in (None, wounds):
            if over < 0:
                raise NotJudged("either of several rules says that nothing happens")
            faults.append("VEH-09" if ap == 1 else "VEH-07" if over == 0 else "VEH-08")
        if len(faults) > 1:
            raise NotJudged("more than one number of one hit is wrong")
        for rule in faults:
            yield self.fault(rule, "miscalculated", owner)
        hull.wounds -= wounds if said is None else said
        hull.alive = hull.wounds > 0

    def on_vehicle_explodes(self, at: Reader) -> Faults:
        """CLX-VEH-02, and what is said of those inside."""
        unit = self.t.units.get(at.text("vehicle"))
        radius, named = at.whole("radius_die"), at.names("hit_models")
        if unit is None or unit.vehicle is None or not unit.on_table:
            raise NotJudged("an explosion that is not followed")
        if len(unit.models) > 1 or unit.living or not 1 <= radius <= 6:
            raise NotJudged("an explosion of a hull that stands")
        (hull,) = unit.models
        struck = [at.board.models.get(key) for key in named]
        if len(set(named)) < len(named) or any(model is None for model in struck):
            raise NotJudged("models that are not known")
        if any(model is not None and not model.alive for model in struck):
            raise NotJudged("debris on the dead")
        for model in self.t.standing():
            off = gap(hull.base, model.base) - radius
            if off < -ROUNDED and model.id not in named:
                yield self.fault("VEH-02", "omitted", unit.owner)
            if off > ROUNDED and model.id in named:
                yield self.fault("VEH-02", "miscalculated", unit.owner)
        inside = self.those_inside(at, unit, hull)
        self.bystanders_fall(at, inside.fallen)
        yield from inside.faults

    def those_inside(self, at: Reader, transport: Unit, hull: Model) -> Inside:
        """What becomes of those on board of a hull that explodes (CLX-VEH-01, -03)."""
        raise NotImplementedError

    def bystanders_fall(self, at: Reader, inside: Sequence[str]) -> None:
        """Who falls by the dice of an explosion, as it is recorded, beside those inside. Raises NotJudged where others
        are named."""
        saves = {row.text("model"): row.whole("die") for row in at.rows("saves")}
        fallen: list[str] = []
        for row in at.rows("wound_rolls"):
            model, die = row.model(), row.whole("die")
            if model.unit.vehicle is not None or not 1 <= die <= 6:
                raise NotJudged("debris on a hull, or no die")
            needed = armour_save(model.n("AS") or None, DEBRIS[1], DEBRIS[0], ())
            save = saves.get(model.id)
            self.only_by_default("OR-TOWOUND-SHOOT")
            exactly = self.by("OR-TWICE") == "EXACT"
            if die < to_wound(DEBRIS[0], model.n("T"), exactly) or (needed and save and save >= needed and save > 1):
                continue
            model.wounds -= 1
            if model.wounds <= 0:
                model.alive = False
                fallen.append(model.id)
        if sorted(at.names("casualties")) != sorted([*fallen, *inside]):
            raise NotJudged("others fall than the dice say")
