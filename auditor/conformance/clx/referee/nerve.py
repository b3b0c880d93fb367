"""Pinning, morale and Leadership: tests with their numbers, and those that are left out (catalogue 6.4, 6.5, 6.9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from auditor.conformance.clx.inches import turn_between
from auditor.conformance.clx.referee.board import Reader
from auditor.conformance.clx.referee.found import Faults, NotJudged
from auditor.conformance.clx.referee.shots import Attack
from auditor.conformance.clx.referee.wounds import Wounds
from auditor.conformance.clx.table import Json, Table, Unit

OPPOSED, A_HAIR = 135, 1.0
"""Degrees between two bearings that are opposite (OR-CROSS=OPPOSED), and how near to that nothing is judged."""
DURING = ("weapon_fire", "go_to_ground", "cover_rolls", "hit_rolls", "wound_rolls", "allocate", "vehicle_hit",
          "vehicle_explodes", "removed", "judge", "jink", "guess_shot")  # fmt: skip
"""Events between a `shoot` and the end of the attack."""
FEARS = {"fear_charged": "USR-10", "fear_charging": "USR-11"}


class Nerve(Wounds):
    """The game with its tests."""

    def __init__(self, header: Json, options: Mapping[str, str] | None) -> None:
        super().__init__(header, options)
        self.shaken: dict[str, int] = {}
        """Units that have taken the Morale Check of this Shooting Phase, and for how many wounds."""
        self.last: Json | None = None
        """The last attack of this Shooting Phase; `previous` the same before an attack begins."""
        self.previous: Attack | None = None
        self.feared: set[tuple[str, str]] = set()
        """Who has been tested for Fear of whom in this phase."""
        self.dropped: set[str] = set()
        """Units without the rule that have dropped prone: nothing is judged of what that does."""
        self.passed = True
        """Whether the last test is claimed to be passed."""

    def opens(self, phase: str) -> None:
        super().opens(phase)
        self.shaken, self.feared, self.last, self.previous = {}, set(), None, None

    def on_shoot(self, at: Reader) -> Faults:
        if {at.unit().id, at.unit("target").id} & self.dropped:
            raise NotJudged("a unit that lies prone")
        yield from super().on_shoot(at)

    def stuck(self, unit: Unit) -> bool:
        if unit.id in self.dropped:
            raise NotJudged("a unit that lies prone")
        return super().stuck(unit)

    def attack_ends(self, at: Reader) -> Faults:
        """When an attack is done its target turns to it (CLX-FACE-02), and it counts for what comes of attacks."""
        attack = self.now
        if attack is not None and at.event["type"] not in DURING:
            self.now, attack.done = None, True
            self.previous = attack
            target = attack.target
            if not target.gone and any(pool.wounds and not pool.given for pool in attack.pools.values()):
                raise NotJudged("wounds that nobody took")
            self.last = attack.entry
            if not attack.failed and attack.volleys:
                target.attacks.append(attack.entry)
                if not target.gone and target.vehicle is None:
                    if attack.entry["arc"] is None and len(target.attacks) > 1:
                        raise NotJudged("by a hair on the rim of an arc, or a facing that is not known")
                    if attack.entry["suppresses"] and self.by("OR-SUPP") == "SEPARATE":
                        # Whether such shots turn a unit the text does not say.
                        target.facing = None
                    elif attack.entry["suppresses"] or self.crosses(target, attack.entry):
                        target.facing, target.turned_over = attack.whence, None
                        target.turned_by = "CLX-FACE-02"
        if at.event["type"] in ("shoot", "phase_end") and self.phase == "shooting":
            yield from self.crossfire_is_left_out(at)
        if at.event["type"] == "shoot" and self.by("OR-MORALE-WHEN") == "PER_ATTACK":
            yield from self.check_is_left_out(self.previous, at)

    def suffered(self, entry: Json) -> int:
        """The wounds of an attack that count for morale (OR-WOUNDS)."""
        if self.by("OR-WOUNDS") == "INFLICTED" and entry.get("lost"):
            raise NotJudged("whether wounds that nobody is left to take were inflicted")
        return int(entry["inflicted" if self.by("OR-WOUNDS") == "INFLICTED" else "unsaved"])

    def check_is_left_out(self, attack: Attack | None, at: Reader) -> Faults:
        """CLX-MOR-01 where a check is due after each attack (OR-MORALE-WHEN): none before the next."""
        if attack is None or attack.failed or attack.target.gone or attack.target.vehicle is not None:
            return
        if self.suffered(attack.entry) and not attack.entry["checked"]:
            if len({entry["unit"] for entry in attack.target.attacks}) > 1:
                raise NotJudged("a check after attacks that may be a crossfire")
            if "fearless" in attack.target.rules or attack.target.falling_back or attack.target.crossed:
                raise NotJudged("a check that something else may stand for")
            if at.event.get("claimed_arc") not in (None, self.arc(at.unit("target"), at.unit().centre)):
                raise NotJudged("a check is left out, and the arc of the next attack is wrong")
            yield self.fault("MOR-01", "omitted", attack.target.owner)
            self.stops = True

    def crosses(self, unit: Unit, entry: Json) -> bool:
        """Whether an attack is one of a crossfire (CLX-SHOOT-14)."""
        return any(entry is one for one in self.crossing(unit))

    def crossing(self, unit: Unit) -> list[Json]:
        """The attacks of this phase that catch a unit in crossfire; none where it is not caught (CLX-SHOOT-14)."""
        needs = {"SHOT": None, "HIT": "hits", "WOUND": "wounds"}[self.by("OR-CROSS-NEED")]
        found = unit.attacks

        def did(entry: Json) -> bool:
            if needs == "wounds" and entry["inflicted"] and not entry["unsaved"]:
                raise NotJudged("whether a wound that was saved counts for a crossfire")
            return needs is None or bool(entry["hits"] if needs == "hits" else entry["unsaved"])

        pairs = [(a, b) for i, a in enumerate(found) for b in found[i + 1 :] if a["unit"] != b["unit"]]
        if any(a["told"] or b["told"] for a, b in pairs) and self.by("OR-CROSS") != "OPPOSED":
            raise NotJudged("a crossfire beside a shot whose side is told wrongly")
        if self.by("OR-CROSS") == "LIVE":
            if needs is not None and len(found) > 2:
                raise NotJudged("which way a unit turned while nobody knew yet whether it was hit")
            return self.crossing_live(pairs, did)
        if self.by("OR-CROSS") == "FIXED":
            sided = [entry for entry in found if entry["arc"] in ("front", "rear")]
            caught = any({a["arc"], b["arc"]} == {"front", "rear"} and did(a) and did(b) for a, b in pairs)
            return sided if caught else []
        apart = [(a, b, turn_between(a["whence"], b["whence"])) for a, b in pairs]
        if any(abs(off - OPPOSED) < A_HAIR for _, _, off in apart):
            raise NotJudged("opposite by a hair")
        opposed = [(a, b) for a, b, off in apart if off > OPPOSED]
        if not any(did(a) and did(b) for a, b in opposed):
            return []
        return [entry for entry in found if any(entry is a or entry is b for a, b in opposed)]

    @staticmethod
    def crossing_live(pairs: list[tuple[Json, Json]], did: Callable[[Json], bool]) -> list[Json]:
        """The same where the facing changes with every attack that suppresses: one that turned the unit counts as from its
        front."""
        if any(one["live"] is None for pair in pairs for one in pair):
            raise NotJudged("from which side by the facing that changes")

        def label(one: Json) -> str:
            return "front" if one["suppresses"] else str(one["live"])

        if not any({label(a), b["live"]} == {"front", "rear"} and did(a) and did(b) for a, b in pairs):
            return []
        several = {id(one): one for pair in pairs for one in pair}.values()
        return [one for one in several if {one["live"], label(one)} & {"front", "rear"}]

    def crossfire_is_left_out(self, at: Reader) -> Faults:
        """CLX-SHOOT-14: no check before the next attack or the end of the phase."""
        for unit in self.t.of(Table.other(self.t.active)):
            if unit.vehicle is None and unit.crossed and unit.attacks and self.by("OR-CROSS-REPEAT") == "EACH":
                if any(not entry["crossed"] for entry in self.crossing(unit)):
                    yield from self.no_check(at, unit)
            if unit.vehicle is None and not unit.crossed and self.crossing(unit):
                if "fearless" in unit.rules:
                    raise NotJudged("what a base rule lets a unit off")
                yield from self.no_check(at, unit)

    def no_check(self, at: Reader, unit: Unit) -> Faults:
        """A check for crossfire that is left out. Raises NotJudged where more is wrong because of the crossfire: pinning
        tests, or the arc of the next attack."""
        hit = any(entry["hits"] and not entry["tested"] for entry in self.crossing(unit))
        if "claimed_arc" in at.event or (hit and at.event["type"] == "phase_end"):
            raise NotJudged("a check for crossfire is left out, and more")
        if unit.falling_back:
            raise NotJudged("a check that something else may stand for")
        yield self.fault("SHOOT-14", "omitted", unit.owner)
        unit.crossed = self.stops = True

    def closes(self, phase: str) -> Faults:
        """What is left out when a phase ends, and dice that have not come by then."""
        yield from self.lacking
        self.lacking = []
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
        hit = [e for e in unit.attacks if self.pins(unit, e)[0]]
        untested = [e for e in hit if not e["tested"] and not (e.get("chose") and self.by("OR-PRONE") == "GENERAL")]
        if self.by("OR-PIN-COUNT") == "PER_PHASE" and len(untested) < len(hit):
            untested = []
        if untested and self.t.clock > unit.pinned_until and "prone_position" not in unit.rules:
            if "fearless" in unit.rules or len(untested) > 1 or unit.falling_back:
                raise NotJudged("what a base rule lets a unit off, or several tests")
            rule = "USR-07" if self.arrives(untested[0]) else "SHOOT-14"
            yield self.fault("SUPP-02" if untested[0]["pinning_hits"] else rule, "omitted", unit.owner)
        wounds = sum(map(self.suffered, self.counted(unit)))
        due = wounds and unit.id not in self.shaken
        if self.by("OR-MORALE-WHEN") == "PER_ATTACK":
            # The others were due before the attack that came next.
            due = bool(unit.attacks) and unit.attacks[-1] is self.last and bool(self.suffered(unit.attacks[-1]))
            due = due and not unit.attacks[-1]["checked"]
        elif wounds and unit.id in self.shaken and self.shaken[unit.id] < wounds:
            raise NotJudged("wounds after the check")
        if due:
            if "fearless" in unit.rules or unit.falling_back:
                raise NotJudged("a check that something else may stand for")
            yield self.fault("MOR-01", "omitted", unit.owner)

    def counted(self, unit: Unit) -> list[Json]:
        """The attacks whose wounds count for the check of the phase (OR-CROSS-MORALE)."""
        return [e for e in unit.attacks if not e["crossed"] or self.by("OR-CROSS-MORALE") == "BOTH"]

    def pins(self, unit: Unit, entry: Json) -> tuple[int, int]:
        """Hits and wounds of an attack that count for pinning (CLX-SUPP-02, -03, CLX-SHOOT-14)."""
        if self.crosses(unit, entry):
            return entry["hits"], entry["unsaved"]
        if self.arrives(entry):
            if any(other["unit"] != entry["unit"] for other in unit.attacks):
                raise NotJudged("an outflanker is not alone in shooting at a unit")
            if not entry["pinning_hits"] and self.by("OR-OUTFLANK") == "PINS":
                return entry["hits"], entry["unsaved"]
        if self.by("OR-SUPP") == "SEPARATE":
            return entry["pinning_wounds"], entry["pinning_wounds"]
        return entry["pinning_hits"], entry["pinning_wounds"]

    def arrives(self, entry: Json) -> bool:
        """Whether an attack is one of a unit that arrived in this turn (CLX-USR-07)."""
        return "unit" in entry and self.t.units[entry["unit"]].arrived == self.t.clock

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
            if "fearless" in unit.rules:
                raise NotJudged("who knows no fear passes whatever the test says")
            if count > 2:
                raise NotJudged("either of two rules says how a test is passed with three dice")
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
        if attack.kind == "shoot" and self.by("OR-PIN-COUNT") == "PER_PHASE":
            if self.crossing(unit):
                raise NotJudged("which wounds of a crossfire count for the one test of a phase")
            wounds = sum(self.pins(unit, entry)[1] for entry in unit.attacks)
        if not hits and attack.kind == "shoot" and attack.entry["pinning_hits"]:
            if at.flag_claimed("claimed_pinned") is True:
                yield self.fault("SUPP-02", "illegal", unit.owner)
                self.stops = True
                return
        elif not hits and attack.entry["hits"] and self.arrives(attack.entry) and not attack.entry["unsaved"]:
            if at.flag_claimed("claimed_pinned") is not True or "fearless" in unit.rules:
                raise NotJudged("a test that is not due")
            yield self.fault("USR-07", "illegal", unit.owner)
            self.stops = True
            return
        elif not hits:
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
            crossing = self.crossing(unit)
            if not crossing and not unit.crossed:
                yield from self.undue_crossfire(at, unit)
                return
            if unit.crossed and (self.by("OR-CROSS-REPEAT") == "ONCE" or all(one["crossed"] for one in crossing)):
                yield from self.undue_crossfire(at, unit)
                return
            unit.crossed = True
            counted, rule = crossing, "SHOOT-14"
            for entry in counted:
                entry["crossed"] = True
        else:
            counted, rule = self.counted(unit), "MOR-01"
            if self.by("OR-MORALE-WHEN") == "PER_ATTACK":
                names = at.names("attacks")
                counted = [entry for entry in counted if entry["attack"] in names]
                if unit.crossed or any(entry["checked"] for entry in counted):
                    raise NotJudged("a second check after one attack, or one beside a crossfire")
            if unit.crossed and any(not entry["crossed"] for entry in self.crossing(unit)):
                raise NotJudged("further wounds of a crossfire")
            wounds = sum(map(self.suffered, counted))
            if not wounds or self.shaken.get(unit.id, 0) >= sum(map(self.suffered, self.counted(unit))):
                raise NotJudged("a check that is not due")
            self.shaken[unit.id] = sum(map(self.suffered, self.counted(unit)))
            for entry in counted:
                entry["checked"] = True
        yield from self.test(at, unit, -sum(map(self.suffered, counted)), rule, "claimed_passed", True)
        self.runs(unit, rule)

    def undue_crossfire(self, at: Reader, unit: Unit) -> Faults:
        """CLX-SHOOT-14: a check of a unit that is not caught is a fault where it had an effect (catalogue 1.3)."""
        if at.flag_claimed("claimed_passed") is not False:
            if at.flag_claimed("claimed_passed") is None:
                raise NotJudged("a check for no crossfire")
            return
        yield self.fault("SHOOT-14", "illegal", unit.owner)
        self.stops = True

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
        if unit.asked_prone or at.text("attack") not in self.attacks:
            raise NotJudged("a choice that nobody has")
        if "prone_position" not in unit.rules:
            attack = self.attacks[at.text("attack")]
            if choice != "drop" or attack.target is not unit or not attack.entry["pinning_hits"]:
                raise NotJudged("another choice of a unit without the rule")
            attack.entry["chose"] = True
            self.dropped.add(unit.id)
            return
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
