"""Pinning, morale and Leadership: tests with their numbers, and those that are left out (catalogue 6.4, 6.5, 6.9)."""

from __future__ import annotations

from collections.abc import Mapping

from auditor.conformance.clx.referee.board import Reader
from auditor.conformance.clx.referee.found import Faults, NotJudged
from auditor.conformance.clx.referee.wounds import Wounds
from auditor.conformance.clx.shooting import is_crossfire
from auditor.conformance.clx.table import Json, Table, Unit

DURING = ("weapon_fire", "go_to_ground", "cover_rolls", "hit_rolls", "wound_rolls", "allocate", "vehicle_hit",
          "vehicle_explodes", "removed", "judge")  # fmt: skip
"""Events between a `shoot` and the end of the attack."""
FEARS = {"fear_charged": "USR-10", "fear_charging": "USR-11"}


class Nerve(Wounds):
    """The game with its tests."""

    def __init__(self, header: Json, options: Mapping[str, str] | None) -> None:
        super().__init__(header, options)
        self.shaken: set[str] = set()
        """Units that have taken the Morale Check of this Shooting Phase."""
        self.feared: set[tuple[str, str]] = set()
        """Who has been tested for Fear of whom in this phase."""
        self.passed = True
        """Whether the last test is claimed to be passed."""

    def opens(self, phase: str) -> None:
        super().opens(phase)
        self.shaken, self.feared = set(), set()

    def attack_ends(self, at: Reader) -> Faults:
        """When an attack is done its target turns to it (CLX-FACE-02), and it counts for what comes of attacks."""
        attack = self.now
        if attack is not None and at.event["type"] not in DURING:
            self.now, attack.done = None, True
            target = attack.target
            if not target.gone and any(pool.wounds and not pool.given for pool in attack.pools.values()):
                raise NotJudged("wounds that nobody took")
            if not attack.failed and attack.volleys:
                target.attacks.append(attack.entry)
                if not target.gone and target.vehicle is None:
                    if attack.entry["arc"] is None and len(target.attacks) > 1:
                        raise NotJudged("by a hair on the rim of an arc")
                    if attack.entry["suppresses"] or self.crosses(target, attack.entry):
                        target.facing = attack.whence
                        target.turned_by = "CLX-FACE-02"
        if at.event["type"] in ("shoot", "phase_end") and self.phase == "shooting":
            yield from self.crossfire_is_left_out()

    @staticmethod
    def crosses(unit: Unit, entry: Json) -> bool:
        """Whether an attack is one of a crossfire (CLX-SHOOT-14)."""
        return is_crossfire(unit) and entry["arc"] in ("front", "rear")

    def crossfire_is_left_out(self) -> Faults:
        """CLX-SHOOT-14: no check before the next attack or the end of the phase."""
        for unit in self.t.of(Table.other(self.t.active)):
            if unit.vehicle is None and not unit.crossed and is_crossfire(unit):
                if "fearless" in unit.rules:
                    raise NotJudged("what a base rule lets a unit off")
                yield self.fault("SHOOT-14", "omitted", unit.owner)
                unit.crossed = self.stops = True

    def closes(self, phase: str) -> Faults:
        """What is left out when a phase ends."""
        for key, rule in sorted(self.flees.items()):
            unit = self.t.units[key]
            if not unit.gone:
                yield self.fault(rule, "omitted", unit.owner)
        self.flees = {}
        if phase == "shooting":
            for unit in self.t.of(Table.other(self.t.active)):
                if unit.vehicle is None:
                    yield from self.left_out_after_shots(unit)

    def left_out_after_shots(self, unit: Unit) -> Faults:
        """CLX-SUPP-02 and CLX-MOR-01 of a unit."""
        untested = [e for e in unit.attacks if not e["tested"] and self.pins(unit, e)[0]]
        if untested and self.t.clock > unit.pinned_until and "prone_position" not in unit.rules:
            if "fearless" in unit.rules or len(untested) > 1:
                raise NotJudged("what a base rule lets a unit off, or several tests")
            yield self.fault("SUPP-02", "omitted", unit.owner)
        wounds = sum(e["unsaved"] for e in unit.attacks if not e["crossed"])
        if wounds and unit.id not in self.shaken:
            if "fearless" in unit.rules or unit.falling_back or unit.crossed:
                raise NotJudged("a check that something else may stand for")
            yield self.fault("MOR-01", "omitted", unit.owner)

    def pins(self, unit: Unit, entry: Json) -> tuple[int, int]:
        """Hits and wounds of an attack that count for pinning (CLX-SUPP-02, -03, CLX-SHOOT-14)."""
        names = ("hits", "unsaved") if self.crosses(unit, entry) else ("pinning_hits", "pinning_wounds")
        return entry[names[0]], entry[names[1]]

    # ---------------------------------------------------------------- tests

    def test(self, at: Reader, unit: Unit, right: int, rule: str, flag: str, sense: bool, count: int = 2) -> Faults:
        """The dice of a test, its modifier and its result; `sense` is what the flag says where it is passed.

        What follows is kept in `self.passed`.
        """
        dice = at.dice()
        if len(dice) != count or any(not 1 <= die <= 6 for die in dice):
            yield from at.dice_fit(dice, count, unit.owner)
            self.stops = True
            return
        sum_ = sum(sorted(dice)[:2])
        modifier, said = at.number_claimed("claimed_modifier"), at.flag_claimed(flag)
        passed = sum_ <= unit.ld + right
        if modifier not in (None, right) or (said is not None and said != (passed is sense)):
            yield self.fault(rule, "miscalculated", unit.owner)
        self.passed = passed if said is None else said is sense

    def on_pinning_test(self, at: Reader) -> Faults:
        unit, causes = at.unit(), at.names("causes")
        if len(causes) != 1 or causes[0] not in self.attacks:
            raise NotJudged("a test for several attacks, or for none")
        attack = self.attacks[causes[0]]
        if attack.target is not unit or unit.vehicle is not None or attack.entry["tested"]:
            raise NotJudged("a test of another unit, or a second one")
        if self.t.clock <= unit.pinned_until or "prone_position" in unit.rules:
            raise NotJudged("a test of a unit that needs none")
        hits, wounds = self.pins(unit, attack.entry)
        if not hits:
            raise NotJudged("a test that is not due")
        attack.entry["tested"] = True
        rule = "GREN-02" if attack.kind == "grenade" else "SUPP-03"
        yield from self.test(at, unit, -wounds, rule, "claimed_pinned", False)
        if not self.passed:
            unit.pinned_until = self.t.clock + (2 if unit.owner == self.t.active else 1)

    def on_morale(self, at: Reader) -> Faults:
        unit = at.unit()
        cause = at.one_of("cause", ("shooting", "crossfire", "combat"))
        if unit.vehicle is not None:
            raise NotJudged("a vehicle takes no test")
        if cause == "combat":
            yield from self.morale_after_combat(at, unit)
            return
        if self.phase != "shooting" or unit.owner == self.t.active:
            raise NotJudged("a check out of place")
        if cause == "crossfire":
            if unit.crossed or not is_crossfire(unit):
                raise NotJudged("a check for no crossfire")
            unit.crossed = True
            counted, rule = [e for e in unit.attacks if e["arc"] in ("front", "rear")], "SHOOT-14"
            for entry in counted:
                entry["crossed"] = True
        else:
            counted, rule = [e for e in unit.attacks if not e["crossed"]], "MOR-01"
            if unit.id in self.shaken or not any(e["unsaved"] for e in counted):
                raise NotJudged("a check that is not due")
            self.shaken.add(unit.id)
        yield from self.test(at, unit, -sum(e["unsaved"] for e in counted), rule, "claimed_passed", True)
        self.runs(unit, rule)

    def runs(self, unit: Unit, rule: str) -> None:
        """After a failed check a unit must fall back."""
        if not self.passed:
            if "fearless" in unit.rules or unit.falling_back:
                raise NotJudged("what a base rule makes of a failed check")
            self.flees[unit.id] = rule

    def morale_after_combat(self, at: Reader, unit: Unit) -> Faults:
        """CLX-MOR-02."""
        raise NotImplementedError

    def on_prone_choice(self, at: Reader) -> Faults:
        """A unit drops or presses on (CLX-USR-17)."""
        unit, choice = at.unit(), at.one_of("choice", ("drop", "press"))
        if "prone_position" not in unit.rules or unit.asked_prone or at.text("attack") not in self.attacks:
            raise NotJudged("a choice that nobody has")
        unit.asked_prone = True
        if choice == "drop":
            unit.stuck_until = self.t.clock + 1
        unit.pressed = choice == "press"
        yield from ()

    def on_ld_test(self, at: Reader) -> Faults:
        unit = at.unit()
        cause = at.one_of("cause", ("prone", "regroup", *FEARS))
        if unit.vehicle is not None:
            raise NotJudged("a vehicle takes no test")
        if cause == "prone":
            if not unit.pressed:
                raise NotJudged("a test of a unit that did not press on")
            yield from self.test(at, unit, 0, "USR-17", "claimed_passed", True)
            if not self.passed:
                unit.stuck_until = unit.no_shots_until = self.t.clock + 1
        elif cause == "regroup":
            if not unit.falling_back or self.phase != "movement":
                raise NotJudged("a unit regroups that stands")
            yield from self.test(at, unit, 0, "ASLT-03", "claimed_passed", True)
            unit.falling_back = not self.passed
        else:
            foe = at.unit("versus")
            if not unit.fears(foe) or foe.owner == unit.owner or self.phase != "assault":
                raise NotJudged("a test for no Fear")
            self.feared.add((unit.id, foe.id))
            count = 3 if unit.hates(foe) else 2
            yield from self.test(at, unit, -1, FEARS[cause], "claimed_passed", True, count)
            if not self.passed:
                unit.fear_failed.add(foe.id)
                if cause == "fear_charging":
                    unit.pinned_until = self.t.clock + 2
                else:
                    self.flees[unit.id] = FEARS[cause]
