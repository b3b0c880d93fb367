"""Grenades in an assault: when they are thrown and how far, what EMP does, and the tests they call for (catalogue 6.7)."""

from __future__ import annotations

from auditor.conformance.clx.inches import gap
from auditor.conformance.clx.referee.board import Reader
from auditor.conformance.clx.referee.fights import NO_RUN_UP, Charge, Fights, Part
from auditor.conformance.clx.referee.found import Faults, NotJudged
from auditor.conformance.clx.referee.moves import ROUNDED
from auditor.conformance.clx.referee.shots import Attack, Volley
from auditor.conformance.clx.table import Json, Model, Unit
from auditor.conformance.clx.throwing import EMP_NEEDS, REACH, STRUCK_BY_EMP

FRAG = "frag"


class Throws(Fights):
    """The game with its grenades."""

    held: Charge | None
    """A charge that a defender's grenade has stopped, and whose unit has not moved."""

    def on_grenade(self, at: Reader) -> Faults:
        unit, model, name = at.unit(), at.model(), at.text("attack")
        kind, side = at.one_of("grenade", (FRAG, "photon", "emp")), at.one_of("side", ("attacker", "defender"))
        if model.unit is not unit or kind not in model.entry["weapons"] or name in self.attacks:
            raise NotJudged("another thrower")
        target = self.thrown_at(at, unit, side)
        struck = [Reader(self, {"model": key}).model() for key in at.names("hit_models")]
        if any(one.unit is not target for one in struck) or target.vehicle is not None or unit.thrower is not None:
            raise NotJudged("others are hit, or a second throw")
        unit.thrower = model.id
        faults = [*self.is_thrown_in_time(unit, side), *self.is_in_reach(model, target)]
        faults += self.emp_works(at, struck, target) if kind == "emp" else []
        if len(faults) > 1:
            raise NotJudged("more than one fault of one throw")
        for rule, wrong in faults:
            yield self.fault(rule, wrong, unit.owner)
        if faults and side == "defender":
            self.stops = True
        weapon = self.t.weapons[kind]
        volley = Volley(weapon, {model.id: 1}, [model], int(weapon["S"] or 0), hits=len(struck))
        entry: Json = {"attack": name, "unit": unit.id, "arc": None, "hits": len(struck), "unsaved": 0}
        entry |= {"pinning_hits": len(struck), "pinning_wounds": 0, "tested": False, "crossed": False, "casualties": 0}
        entry |= {"struck": len(struck)}
        entry |= {"in_cover": bool(self.t.cover_from(model, target)), "inflicted": 0}
        self.attacks[name] = Attack(name, "grenade", unit, target, entry, {weapon["id"]: volley})
        self.thrown.append(self.attacks[name])
        self.stops = self.stops or kind == "emp"

    def thrown_at(self, at: Reader, unit: Unit, side: str) -> Unit:
        """The target of a throw, which is the other side of a charge. Raises NotJudged where it is not."""
        target, charge = at.unit("target"), self.charge
        if target.owner == unit.owner or (side == "attacker") != (unit.owner == self.t.active):
            raise NotJudged("a throw at a friend, or of the wrong side")
        if side == "defender" and charge is None and not self.steps and not target.charged:
            return target
        pair = (unit, target) if side == "attacker" else (target, unit)
        if charge is None or (charge.unit, charge.target) != pair or not charge.reaches:
            raise NotJudged("a throw that is not followed")
        return target

    def is_thrown_in_time(self, unit: Unit, side: str) -> list[tuple[str, str]]:
        """CLX-GREN-04, by OR-DEF-TIME: a defender throws after the charge roll, before it, or at either moment."""
        barred = "BEFORE_ROLL" if self.charge is not None else "AFTER_ROLL"
        return [("GREN-04", "illegal")] if side == "defender" and self.by("OR-DEF-TIME") == barred else []

    def is_in_reach(self, model: Model, target: Unit) -> list[tuple[str, str]]:
        """CLX-GREN-01. Where the throw is a guess (OR-GREN-G) nothing says how far it was guessed."""
        off = min(gap(model.base, n.base) for n in target.living) - REACH
        if model.z >= 1 and off > 0:
            raise NotJudged("whether height adds to the reach of a grenade")
        return [("GREN-01", "illegal")] if off > ROUNDED and self.by("OR-GREN-G") == "PLAIN" else []

    def emp_works(self, at: Reader, struck: list[Model], target: Unit) -> list[tuple[str, str]]:
        """CLX-GREN-05 and -08, by OR-EMP and OR-EMP-PIN, of models in powered armour."""
        if any(m.entry.get("armour_class") not in STRUCK_BY_EMP for m in struck) or not struck:
            raise NotJudged("armour that may not count")
        dice = {row.text("model"): row.whole("die") for row in at.rows("effect_dice")}
        if set(dice) != {m.id for m in struck} or not all(1 <= die <= 6 for die in dice.values()):
            raise NotJudged("other dice than are due")
        if at.number_claimed("claimed_needed") not in (None, EMP_NEEDS):
            return [("GREN-05", "miscalculated")]
        if "claimed_effects" not in at.event:
            return []
        worked = {key for key, die in dice.items() if die >= EMP_NEEDS}
        said = Reader(self, at.event["claimed_effects"])
        wounded, slowed = set(said.names("wounded")), set(said.names("initiative_one"))
        if slowed != set(dice):
            raise NotJudged("who fights at Initiative 1")
        wrong = wounded != (worked if self.by("OR-EMP") == "WOUND" else set())
        pinned = bool(worked) and self.by("OR-EMP-PIN") == "OUTRIGHT"
        wrong = wrong or said.flag_claimed("pinned") not in (None, pinned)
        return [("GREN-08", "miscalculated")] if wrong else []

    # ---------------------------------------------------------------- tests

    def on_pinning_test(self, at: Reader) -> Faults:
        """CLX-GREN-02, by OR-FRAG-TEST: one test less all wounds, or one less 1 for each; by OR-FRAG-TRIGGER whether it is
        due at all."""
        named = [self.attacks.get(name) for name in at.names("causes")]
        throw = named[0] if len(named) == 1 else None
        if throw is None or throw.kind != "grenade":
            yield from super().on_pinning_test(at)
            return
        unit, wounds = at.unit(), throw.entry["pinning_wounds"]
        each = wounds > 1 and self.by("OR-FRAG-TEST") == "PER_WOUND"
        if throw.target is not unit or self.t.clock <= unit.pinned_until or "prone_position" in unit.rules:
            raise NotJudged("a test of another unit, or of one that needs none")
        undue = False
        if not throw.entry["hits"] or (not wounds and self.by("OR-FRAG-TRIGGER") == "WOUND"):
            undue = at.flag_claimed("claimed_pinned") is not False
        if throw.entry["tested"] and not each:
            raise NotJudged("a second test")
        throw.entry["tested"] = True
        if undue:
            self.is_surely_undue(at, throw)
            yield self.fault("GREN-02", "illegal", unit.owner)
        else:
            yield from self.test(at, unit, -1 if each else -wounds, "GREN-02", "claimed_pinned", False)
        if (undue or not self.passed) and FRAG in throw.volleys and throw.entry["in_cover"]:
            self.caught.add(unit.id)
        if undue or not self.passed:
            unit.pinned_until = self.t.clock + (2 if unit.owner == self.t.active else 1)
        if (undue or not self.passed) and unit.owner == self.t.active:
            if self.charge is None or self.charge.unit is not unit:
                raise NotJudged("who is pinned by a defender charged nobody")
            self.held = self.charge

    def is_surely_undue(self, at: Reader, throw: Attack) -> None:
        """Raises NotJudged where a test that pins may have been due: where the text is not clear, or the record."""
        (volley,) = throw.volleys.values()
        some = throw.entry["hits"] and (volley.weapon["id"] != FRAG or volley.wounding != 0)
        if at.flag_claimed("claimed_pinned") is None or some or volley.covered or volley.weapon["id"] == "emp":
            raise NotJudged("a test that is perhaps not due, and that pins")
        if "fearless" in throw.target.rules or list(at.dice_fit(at.dice(), 2, None)):
            raise NotJudged("a test that is not due, and something else")

    def on_charge_move(self, at: Reader) -> Faults:
        """CLX-GREN-04, by OR-DEF-FAIL, of chargers whom a grenade has pinned."""
        held = self.held
        if held is None:
            yield from super().on_charge_move(at)
            return
        unit = at.unit()
        ways = self.ways(at, unit)
        if unit is not held.unit or any(self.jumps(way) or not way.length for way in ways):
            raise NotJudged("another charge, or one that goes nowhere")
        self.go(unit, ways)
        self.charge = self.held = None
        touches = any(gap(m.base, n.base) <= ROUNDED for m in unit.living for n in held.target.living)
        self.stops = True
        if touches or self.by("OR-DEF-FAIL") == "STAY":
            yield self.fault("GREN-04", "illegal", unit.owner)

    def on_charge(self, at: Reader) -> Faults:
        if self.held is not None:
            raise NotJudged("a charge after one that a grenade has stopped")
        yield from super().on_charge(at)

    def parts_of(self, unit: Unit, model: Model, weapon: Json, foe: Unit) -> list[Part]:
        """CLX-GREN-07, by OR-PHOTON: a defensive grenade takes the blow for charging, whether it hits or not."""
        parts = super().parts_of(unit, model, weapon, foe)
        met = [one for one in self.thrown if one.target is unit and "photon" in one.volleys]
        if unit.thrower == model.id or not any(m.entry["struck"] or self.by("OR-PHOTON") == "THROWN" for m in met):
            return parts
        return [Part("GREN-07", False, 1), *parts[1:]]

    def blows_count(
        self, row: Reader, unit: Unit, model: Model, weapon: Json, foe: Unit
    ) -> tuple[str | None, int, int]:
        """CLX-GREN-06, by OR-FRAG-INIT: whether a unit that a frag grenade pinned in cover strikes in its normal order."""
        if unit.id not in self.caught or self.by("OR-FRAG-INIT") == "INIT1":
            return super().blows_count(row, unit, model, weapon, foe)
        blows, moment = self.due_by(model, self.parts_of(unit, model, weapon, foe), False)
        said, at_said = row.number_claimed("claimed_attacks"), row.number_claimed("claimed_initiative")
        if said not in (None, blows) or at_said not in (None, 1, moment):
            raise NotJudged("another number of one who was pinned in cover")
        return "GREN-06" if at_said not in (None, moment) else None, blows, moment

    def opens(self, phase: str) -> None:
        super().opens(phase)
        self.fought: set[str] = set()
        self.caught: set[str] = set()
        """Units that a frag grenade pinned in cover."""
        self.held = None

    def closes(self, phase: str) -> Faults:
        if phase == "assault":
            if self.held is not None and self.by("OR-DEF-FAIL") == "FULL":
                if self.held.far <= NO_RUN_UP + ROUNDED:
                    raise NotJudged("no room to go on")
                yield self.fault("ASLT-01", "omitted", self.held.unit.owner)
            self.held = None
            yield from self.untested({throw.target.id for throw in self.thrown} - self.fought)
        yield from super().closes(phase)

    def untested(self, units: set[str]) -> Faults:
        """CLX-GREN-02, by OR-FRAG-TRIGGER: grenades that called for a test of one of these units, and got none."""
        for throw in self.thrown:
            unit = throw.target
            due = throw.entry["hits"] and (throw.entry["pinning_wounds"] or self.by("OR-FRAG-TRIGGER") == "HIT")
            if unit.id not in units or not due or throw.entry["tested"] or unit.gone:
                continue
            if self.t.clock <= unit.pinned_until or unit.falling_back:
                continue
            if "fearless" in unit.rules or "prone_position" in unit.rules:
                continue
            yield self.fault("GREN-02", "omitted", unit.owner)
            self.stops = True
            return

    def on_fight_step(self, at: Reader) -> Faults:
        rows = at.rows("attackers")
        units = {row.text("target") for row in rows} | {row.model(alive=False).unit.id for row in rows}
        yield from self.untested(units - self.fought)
        self.fought |= units
        if not self.stops:
            yield from super().on_fight_step(at)
