"""Those on board of a transport, and what becomes of them when it explodes (catalogue 6.10)."""

from __future__ import annotations

from collections.abc import Mapping

from auditor.conformance.clx.chart import armour_save, to_wound
from auditor.conformance.clx.inches import gap
from auditor.conformance.clx.referee.board import Reader
from auditor.conformance.clx.referee.fights import HAIR
from auditor.conformance.clx.referee.found import Faults, Found, NotJudged
from auditor.conformance.clx.referee.hiding import Hiding
from auditor.conformance.clx.referee.moves import ROUNDED
from auditor.conformance.clx.referee.shots import Attack
from auditor.conformance.clx.referee.wounds import Inside
from auditor.conformance.clx.table import Json, Model, Unit

CLOSED, OPEN = (5, 5), (3, None)
"""Strength and AP of the hits on those inside a transport, and of those inside an open one (CLX-VEH-03, -01)."""


class Wrecks(Hiding):
    """The game with its passengers."""

    def __init__(self, header: Json, options: Mapping[str, str] | None) -> None:
        super().__init__(header, options)
        self.wrecks: list[Attack] = []
        """The explosions of this phase that somebody climbed out of."""
        self.hurt: set[str] = set()
        """Units of which nobody knows which model has lost a wound."""

    def opens(self, phase: str) -> None:
        super().opens(phase)
        self.wrecks = []

    def on_deploy(self, at: Reader) -> Faults:
        if "vehicle" not in at.event:
            yield from super().on_deploy(at)
            return
        unit, transport = self.t.units.get(at.text("unit")), at.unit("vehicle")
        if unit is None or unit.on_table or unit.aboard is not None or unit.owner != at.player():
            raise NotJudged("a deployment out of place")
        if self.first is None or self.seized or at.event.get("models") or at.event.get("hidden"):
            raise NotJudged("a deployment out of place, or on board and on the table")
        if transport.owner != unit.owner or not (transport.vehicle or {}).get("transport"):
            raise NotJudged("on board of what carries nobody")
        unit.aboard = transport.id

    def aboard(self, transport: Unit) -> list[Unit]:
        """The units on board of a transport."""
        return [unit for unit in self.t.units.values() if unit.aboard == transport.id and not unit.gone]

    def on_removed(self, at: Reader) -> Faults:
        if self.aboard(at.model(alive=False).unit):
            raise NotJudged("what becomes of those on board of a hull that is taken off")
        yield from super().on_removed(at)

    def on_allocate(self, at: Reader) -> Faults:
        if self.attack(at).target.id in self.hurt:
            raise NotJudged("wounds of a unit of which nobody knows who is hurt")
        yield from super().on_allocate(at)

    def on_fight_step(self, at: Reader) -> Faults:
        yield from super().on_fight_step(at)
        if any(not wreck.entry["tested"] and not wreck.target.gone for wreck in self.wrecks):
            raise NotJudged("a test that may have been due before a fight")

    # ---------------------------------------------------------------- the explosion

    def those_inside(self, at: Reader, transport: Unit, hull: Model) -> Inside:
        struck = {self.models[key].unit.id for key in at.names("hit_models")}
        if struck & self.hurt:
            raise NotJudged("debris on a unit of which nobody knows who is hurt")
        inside = self.aboard(transport)
        if not inside:
            more = {key for key in at.event if key.startswith("passenger")} - {"passenger_hits"}
            if more or at.event.get("survivors") or at.player() != transport.owner:
                raise NotJudged("passengers of an empty hull")
            wrong = at.number_claimed("passenger_hits") not in (None, 0)
            return Inside((self.fault("VEH-03", "miscalculated", transport.owner),) if wrong else ())
        (unit, *others) = inside
        if others or at.text("passenger_unit") != unit.id or at.player() != transport.owner:
            raise NotJudged("several units on board, or others than those that are")
        faults = self.hits_are_right(at, unit, transport)
        fallen = [key for key in at.names("casualties") if key in {model.id for model in unit.living}]
        self.fall_by_the_dice(at, unit, transport, len(fallen))
        places = {row.text("id"): row.place(row.event.get("pos")) for row in at.rows("survivors")}
        if sorted([*places, *fallen]) != sorted(model.id for model in unit.living) or len(set(fallen)) < len(fallen):
            raise NotJudged("others climb out than are left")
        for model in unit.living:
            model.alive = model.id not in fallen
            if not model.alive:
                self.fallen.add(model.id)
                continue
            model.at, model.z = places[model.id]
            off = gap(hull.base, model.base)
            if abs(off - ROUNDED) < HAIR:
                raise NotJudged("beside the hull by a hair")
            if off > ROUNDED:
                faults.append(self.fault("VEH-03", "illegal", unit.owner))
        unit.aboard, unit.on_table, unit.facing = None, not unit.gone, None
        name = at.text("attack")
        if name in self.attacks:
            raise NotJudged("an explosion by the name of an attack")
        entry: Json = {"attack": name, "unit": transport.id, "tested": False, "fallen": len(fallen)}
        self.attacks[name] = Attack(name, "explosion", transport, unit, entry)
        self.wrecks.append(self.attacks[name])
        return Inside(tuple(faults), tuple(fallen))

    def hits_are_right(self, at: Reader, unit: Unit, transport: Unit) -> list[Found]:
        """CLX-VEH-01, -03: Strength, AP and number of the hits. An AP that is not told cannot be told from none."""
        rule = "VEH-01" if self.is_open(transport) else "VEH-03"
        strength, ap = OPEN if self.is_open(transport) else CLOSED
        said = at.number_claimed("passenger_AP") if at.event.get("passenger_AP") is not None else None
        wrong = at.number_claimed("passenger_S") not in (None, strength) or said not in (None, ap)
        faults = [self.fault(rule, "miscalculated", transport.owner)] if wrong else []
        if at.number_claimed("passenger_hits") not in (None, len(unit.living)):
            faults.append(self.fault("VEH-03", "miscalculated", transport.owner))
        if len(faults) > 1:
            raise NotJudged("more than one number of the hits is wrong")
        return faults

    @staticmethod
    def is_open(transport: Unit) -> bool:
        """Whether a transport is open-topped."""
        return bool((transport.vehicle or {}).get("open_topped"))

    def fall_by_the_dice(self, at: Reader, unit: Unit, transport: Unit, fallen: int) -> None:
        """Raises NotJudged where others of those inside fall than the dice say, by the numbers that are due or by those
        that are told; and where the dice do not tell."""
        self.only_by_default("OR-TOWOUND-SHOOT")
        alike = {(model.n("T"), model.n("AS"), model.n("inv"), model.wounds) for model in unit.living}
        dice, saves = at.items("passenger_wound_rolls"), at.items("passenger_saves")
        if any(type(die) is not int or not 1 <= die <= 6 for die in [*dice, *saves]) or len(dice) != len(unit.living):
            raise NotJudged("other dice than those inside have")
        if len(alike) > 1:
            raise NotJudged("passengers who are not alike")
        ((tough, armour, inv, left),) = alike
        if inv or not left:
            raise NotJudged("saves that are not followed")
        right = OPEN if self.is_open(transport) else CLOSED
        told = (
            at.whole("passenger_S") if "passenger_S" in at.event else right[0],
            at.whole("passenger_AP") if at.event.get("passenger_AP") is not None else right[1],
        )
        for strength, ap in dict.fromkeys((told, right)):
            wounds = sum(die >= to_wound(strength, tough, self.by("OR-TWICE") == "EXACT") for die in dice)
            needed = armour_save(armour or None, ap, strength, ())
            rest = wounds - sum(needed is not None and die >= needed and die > 1 for die in saves) - fallen * left
            if len(saves) == (wounds if needed else 0) and 0 <= rest <= (len(unit.living) - fallen) * (left - 1):
                self.hurt |= {unit.id} if rest else set()
                return
        raise NotJudged("others fall inside than the dice say")

    # ---------------------------------------------------------------- the test

    def on_pinning_test(self, at: Reader) -> Faults:
        """CLX-VEH-03: the test of those who climbed out."""
        causes = at.names("causes")
        wreck = next((one for one in self.wrecks if causes == [one.name]), None)
        if wreck is None:
            yield from super().on_pinning_test(at)
            return
        unit = at.unit()
        if wreck.target is not unit or wreck.entry["tested"] or self.t.clock <= unit.pinned_until:
            raise NotJudged("a test of another unit, or a second one")
        wreck.entry["tested"] = True
        yield from self.test(at, unit, -wreck.entry["fallen"], "VEH-03", "claimed_pinned", False)
        if not self.passed:
            unit.pinned_until = self.t.clock + (2 if unit.owner == self.t.active else 1)

    def closes(self, phase: str) -> Faults:
        yield from super().closes(phase)
        for wreck in self.wrecks:
            unit = wreck.target
            if wreck.entry["tested"] or unit.gone or unit.falling_back or self.t.clock <= unit.pinned_until:
                continue
            if "fearless" in unit.rules:
                raise NotJudged("what a base rule lets a unit off")
            yield self.fault("VEH-03", "omitted", unit.owner)
