"""Charges and fights: who reaches whom, blows and the Initiative at which they fall, who lost (catalogue 6.7 to 6.9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from auditor.conformance.clx.chart import majority, strength_of, to_hit_combat
from auditor.conformance.clx.inches import Point, gap, number, spread, to_polygon, way_gap
from auditor.conformance.clx.referee.board import Reader
from auditor.conformance.clx.referee.found import Faults, NotJudged
from auditor.conformance.clx.referee.moves import ROUNDED, Way
from auditor.conformance.clx.referee.nerve import Nerve
from auditor.conformance.clx.referee.shots import TYPES, Attack, Volley
from auditor.conformance.clx.table import Json, Model, Unit

NO_RUN_UP = Decimal(1)
SPECIAL = ("USR-02", "USR-12", "USR-13", "USR-15", "USR-16", "USR-18", "GREN-06", "GREN-07", "GEAR-01", "ASLT-02", "ASLT-07b", "ASLT-08",
           "ASLT-10", "ASLT-09")  # fmt: skip
"""Rules about blows, the more special first (catalogue 1.4)."""
MOST = Decimal(12)
"""The longest charge with two dice."""
FAR = 200
HAIR = Decimal("0.00001")


class Part(NamedTuple):
    """Something that may change how a model strikes: the rule about it, whether it does, and by how much."""

    rule: str
    given: bool
    blows: int = 0
    initiative: int = 0


@dataclass
class Charge:
    """A charge that has been declared: the roll, whether it reaches, and what its moment decides."""

    unit: Unit
    target: Unit
    roll: int
    reaches: bool
    rear: bool
    uphill: set[str]
    far: Decimal


class Fights(Nerve):
    """The game with its fights."""

    def __init__(self, header: Json, options: Mapping[str, str] | None) -> None:
        super().__init__(header, options)
        self.charge: Charge | None = None
        self.climbed: dict[str, tuple[str, set[str]]] = {}
        """Whom a unit charged last, and its models that did so uphill."""
        self.either: set[str] = set()
        """Units in a charge of which it is wrongly said that it was one into the rear, or none: play goes on with either."""
        self.thrown: list[Attack] = []
        """The grenades of this phase."""
        self.steps: list[Attack] = []
        """The steps of fights since the last result."""
        self.fell: dict[str, tuple[int, int]] = {}
        """At which moment and Initiative a model fell."""
        self.lost: dict[str, tuple[Unit, int]] = {}
        """Losers that owe a Morale Check: who won, and the modifier."""

    def opens(self, phase: str) -> None:
        super().opens(phase)
        self.charge, self.steps, self.thrown, self.lost, self.either = None, [], [], {}, set()

    def closes(self, phase: str) -> Faults:
        yield from super().closes(phase)
        if phase != "assault":
            return
        for key in self.lost:
            unit = self.t.units[key]
            if not unit.gone and not unit.falling_back and "fearless" not in unit.rules:
                yield self.fault("MOR-02", "omitted", unit.owner)
        for unit in self.t.units.values():
            unit.charged, unit.charged_rear, unit.uphill = None, False, set()

    # ---------------------------------------------------------------- charges

    def on_charge(self, at: Reader) -> Faults:
        unit, target, dice = at.unit(), at.unit("target"), at.dice()
        if unit.owner != self.t.active or target.owner == unit.owner or self.stuck(unit) or target.locked:
            raise NotJudged("nobody who may charge, or nobody to charge")
        if unit.vehicle or target.vehicle or target.falling_back or unit.charged or self.steps:
            raise NotJudged("hulls, flights and second charges are not followed")
        if unit.arrived == self.t.clock:
            raise NotJudged("from which side an outflanker charges")
        stood = self.by("OR-HEAVY-CHARGE") == "IF_MOVED" and not unit.moved
        barred = [] if stood else [TYPES[kind] for kind in unit.fired & {"heavy", "ordnance"}]
        barred += ["WPN-06"] if "salvo" in unit.fired and (unit.moved or self.by("OR-SALVO-STAND") == "NO") else []
        barred += ["WPN-05"] if "rapid_fire" in unit.fired and self.by("OR-RAPID-CHARGE") == "NO" else []
        barred += ["USR-14"] if unit.ran and ("fleet" not in unit.rules or "bike" in unit.kind) else []
        if barred:
            if len(barred) > 1:
                raise NotJudged("more than one reason against a charge")
            yield self.fault(barred[0], "illegal", unit.owner)
            self.stops = True
            return
        if len(dice) != 2 or any(not 1 <= die <= 6 for die in dice):
            yield from at.dice_fit(dice, 2, unit.owner)
            self.stops = True
            return
        self.is_tested(unit, target)
        walled = any(piece.get("impassable") for piece in self.t.terrain) and self.by("OR-CHARGE-DIST") == "PATH"
        self.goes_for_the_hated(unit, target)
        far, roll, arc = self.t.unit_gap(unit, target), sum(dice), self.arc(target, unit.centre)
        turned = target.turned_over is not None and not self.t.off_the_rims(target, unit.centre, float(ROUNDED))
        if arc is None or turned or (far != roll and abs(far - roll) <= ROUNDED):
            raise NotJudged("by a hair in reach, or on the rim of an arc")
        faults: list[str] = []
        success = at.flag_claimed("claimed_success")
        if walled and success is not False and far <= roll:
            raise NotJudged("how far it is round something")
        # What is claimed of a length that is met exactly is right within the rounding of the record, whatever it is (2.2).
        if success not in (None, far <= roll) and far != roll and not (walled and far <= roll):
            faults.append("ASLT-01")
        claimed = at.event.get("claimed_distance")
        if claimed is not None and type(claimed) not in (int, float):
            raise NotJudged("a distance that is no number")
        if claimed is not None and abs(number(claimed) - far) > ROUNDED:
            faults.append("ASLT-01")
        if "claimed_arc" in at.event and at.one_of("claimed_arc", ("front", "side", "rear")) != arc:
            faults.append(target.turned_by.removeprefix("CLX-"))
            self.either |= {unit.id, target.id} if "rear" in (arc, at.text("claimed_arc")) else set()
        if len(faults) > 1:
            raise NotJudged("more than one fault of one charge")
        for rule in faults:
            yield self.fault(rule, "miscalculated", unit.owner)
        uphill = {m.id for m in unit.living if min(target.living, key=lambda n: gap(m.base, n.base)).z > m.z}
        self.charge = Charge(unit, target, roll, far <= roll, arc == "rear", uphill, far)
        run_up = unit.start_gap.get(target.id)
        if run_up is None or (run_up != NO_RUN_UP and abs(run_up - NO_RUN_UP) <= ROUNDED):
            raise NotJudged("how far away the charge began is not known")
        unit.no_bonus = run_up <= NO_RUN_UP if self.by("OR-CHARGE-START") == "WITHIN" else run_up == NO_RUN_UP

    def goes_for_the_hated(self, unit: Unit, target: Unit) -> None:
        """Raises NotJudged where a unit may have to charge another whom it hates (CLX-USR-16)."""
        hated = [foe for foe in self.t.enemies(unit) if foe is not target and unit.hates(foe)]
        far = self.t.unit_gap(unit, target)
        if any(self.t.unit_gap(unit, foe) <= (far if unit.hates(target) else MOST) + ROUNDED for foe in hated):
            raise NotJudged("a hated unit nearer by")

    def is_tested(self, unit: Unit, foe: Unit) -> None:
        """Raises NotJudged where a unit was not tested for Fear of another (CLX-USR-10, -11)."""
        if unit.fears(foe) and "fearless" not in unit.rules and (unit.id, foe.id) not in self.feared:
            raise NotJudged("a test for Fear may still come, or is left out")

    def on_charge_move(self, at: Reader) -> Faults:
        charge, unit, target = self.charge, at.unit(), at.unit("target")
        if charge is None or (charge.unit, charge.target) != (unit, target) or type(at.event.get("failed")) is not bool:
            raise NotJudged("a charge that nobody declared")
        self.charge = None
        failed = at.event["failed"]
        if failed == charge.reaches:
            raise NotJudged("a charge that is carried out otherwise than it came out")
        ways = self.ways(at, unit)
        yield from self.ways_of_a_charge(ways, charge)
        self.go(unit, ways)
        if failed:
            return
        self.is_tested(target, unit)
        if not any(gap(m.base, n.base) <= ROUNDED for m in unit.living for n in target.living):
            yield self.fault("ASLT-01", "illegal", unit.owner)
            self.stops = True
        unit.charged, unit.charged_rear, unit.uphill = target.id, charge.rear, charge.uphill
        self.climbed[unit.id] = (target.id, charge.uphill)
        self.climbed.pop(target.id, None)
        unit.locked, target.locked = target, unit
        unit.first_round = target.first_round = True
        target.rear_assaulted = charge.rear

    def ways_of_a_charge(self, ways: list[Way], charge: Charge) -> Faults:
        """CLX-ASLT-01 of each model's way, and of the unit's coherency where the charge reaches."""
        torn, told = self.torn(charge.unit, ways), set[str]()
        if torn and not charge.reaches:
            raise NotJudged("a unit that is torn by a move that it has to make")
        if not charge.reaches and len(ways) != len(charge.unit.living):
            raise NotJudged("not everybody goes")
        for way in ways:
            faults = ["LOG-01"] if self.jumps(way) else []
            off = way.length - charge.roll
            spare = ROUNDED * max(1, way.legs)
            if not charge.reaches and off < -spare and self.stops_at_the_zone(way):
                continue
            if off > spare or (not charge.reaches and off < -spare):
                faults.append("ASLT-01")
            if not charge.reaches and not self.is_towards(way, charge.target):
                raise NotJudged("a way past the target")
            if not faults and not charge.reaches and self.goes_into_the_zone(way):
                faults.append("ASLT-01")
            if len(faults) > 1:
                raise NotJudged("more than one fault of one way")
            for rule in faults:
                told.add(way.model.id)
                yield self.fault(rule, "illegal", charge.unit.owner)
        if torn and not self.torn_by(charge.unit, ways, told):
            yield self.fault("ASLT-01", "illegal", charge.unit.owner)

    def stops_at_the_zone(self, way: Way) -> bool:
        """Whether a charge that falls short may have stopped where it did, an inch from an enemy (OR-CHARGE-SHORT)."""
        if self.by("OR-CHARGE-SHORT") == "FULL":
            return False
        end = way.model.base_at(way.points[-1])
        near = min(gap(end, n.base) for foe in self.t.enemies(way.model.unit) for n in foe.living)
        if ROUNDED < abs(near - NO_RUN_UP) < 3 * ROUNDED:
            raise NotJudged("an inch from the enemy by a hair")
        return abs(near - NO_RUN_UP) <= ROUNDED

    def goes_into_the_zone(self, way: Way) -> bool:
        """Whether a charge that falls short goes on where it has to halt, an inch from an enemy (OR-CHARGE-SHORT)."""
        if self.by("OR-CHARGE-SHORT") == "FULL":
            return False
        spare, base = ROUNDED * max(1, way.legs), way.model.base_at(way.points[0])
        met = [n for foe in self.t.enemies(way.model.unit) for n in foe.living if gap(base, n.base) >= NO_RUN_UP]
        near = [NO_RUN_UP - way_gap(base, way.points, n.base) for n in met]
        if any(abs(one - spare) < HAIR for one in near):
            raise NotJudged("an inch from the enemy by a hair")
        return any(one > spare for one in near)

    @staticmethod
    def is_towards(way: Way, target: Unit) -> bool:
        """Whether a way, prolonged, meets the hull of a unit's bases."""
        a, b = way.points[0], way.points[-1]
        if a == b:
            return False
        end: Point = (a[0] + (b[0] - a[0]) * FAR, a[1] + (b[1] - a[1]) * FAR)
        centres = spread([n.at for n in target.living])
        return to_polygon(a, end, centres) <= min(n.base.r for n in target.living)

    def on_pile_in(self, at: Reader) -> Faults:
        unit = at.unit()
        self.go_and_keep_facing(unit, self.ways(at, unit))
        yield from ()

    def on_char_test(self, at: Reader) -> Faults:
        """CLX-MISC-01; of what comes of a test only that of a counterattack is followed."""
        cause = at.one_of("cause", ("acute_senses", "counterattack", "other"))
        what = at.one_of("characteristic", ("S", "T", "I"))
        die, again = at.whole("die"), at.whole("reroll") if "reroll" in at.event else None
        unit, value = self.who_is_tested(at, what)
        if not 1 <= die <= 6 or (again is not None and not 1 <= again <= 6):
            raise NotJudged("a die that shows something else")
        if not value or unit.owner != at.player() or (what == "I" and self.t.clock <= unit.pinned_until):
            raise NotJudged("a test of nothing, of another player's unit, or of the Initiative of a pinned unit")
        first = die <= min(value, 5)
        passed = first or (again is not None and value > 5 and again <= value - 5)
        faults = [("MISC-01", "illegal")] if again is not None and (value <= 5 or first) else []
        said = at.flag_claimed("claimed_passed")
        if said not in (None, passed):
            faults.append(("MISC-01", "miscalculated"))
        if len(faults) > 1 or (faults and first and again is not None):
            raise NotJudged("more than one fault of one test")
        for rule, kind in faults:
            yield self.fault(rule, kind, unit.owner)
        if cause == "counterattack":
            known = self.charge is not None and unit is self.charge.target and "counterattack" in unit.rules
            self.stops = self.stops or not known
            unit.counter = passed if said is None else said
        elif cause == "acute_senses":
            self.stops = True

    def who_is_tested(self, at: Reader, what: str) -> tuple[Unit, int]:
        """The unit of a characteristic test and the value that it tests on: of a model its own, of a unit that of most."""
        if "model" not in at.event:
            unit = at.unit()
            return unit, majority(model.n(what) for model in unit.living)
        model = at.model()
        if "unit" in at.event and at.unit() is not model.unit:
            raise NotJudged("a test of a model of another unit")
        return model.unit, model.n(what)

    # ---------------------------------------------------------------- blows

    def parts_of(self, unit: Unit, model: Model, weapon: Json, foe: Unit) -> list[Part]:
        """What may change a model's blows and Initiative, whether it does or not (catalogue 6.8, formulas of CLX-ASLT-09)."""
        fresh = unit.charged == foe.id and unit.first_round
        threw = unit.thrower == model.id
        forgone = threw and self.by("OR-FORGO") == "ALL"
        own, rear = "surprise_assault" in unit.rules, unit.charged_rear
        twice = self.by("OR-SURPRISE-STACK") == "YES"
        hatred = unit.hates(foe) and (fresh or (unit.first_round and self.by("OR-HATRED-A") == "FIRST_TURN"))
        close = [w for w in model.entry["weapons"] if self.t.weapons[w]["type"] in ("melee", "pistol")]
        two_handed = "two_handed" in weapon.get("rules", ())
        charged, uphill = self.climbed.get(unit.id, ("", set()))
        every = charged == foe.id and self.by("OR-HIGH") == "EVERY_ROUND"
        near = fresh and unit.no_bonus and not threw
        parts = [
            Part("ASLT-02" if near else "ASLT-09", fresh and not unit.no_bonus and not threw, 1),
            Part("GEAR-01" if two_handed and len(close) > 1 else "ASLT-09", len(close) > 1 and not two_handed, 1),
            Part("GREN-06", unit.init_loss > 0, 0, -unit.init_loss),
        ]
        if charged == foe.id:
            parts.append(Part("ASLT-08", model.id in uphill and (fresh or every), 0, -1))
        if foe.id in unit.fear_failed:
            overcome = foe.id in unit.fear_overcome
            parts.append(Part("USR-13" if overcome else "USR-12", self.is_afraid(unit, foe), 0, -1))
        if forgone:
            return parts  # Whoever counts what it gave up breaks no rule about that (CLX-GREN-01).
        if own:
            parts.append(Part("USR-18", fresh, 1, 1))
        if rear or (fresh and not own):
            parts.append(Part("ASLT-07b", fresh and rear and (twice or not own), 1, 1))
        if any(rule.startswith("hatred:") for rule in unit.rules):
            parts.append(Part("USR-16", hatred, 1))
        if "frenzy" in unit.rules:
            parts.append(Part("USR-15", not unit.frenzy_lost, model.n("A")))
        if "counterattack" in unit.rules:
            parts.append(Part("USR-02", unit.counter, 1))
        return parts

    def strikes_at_one(self, unit: Unit, foe: Unit) -> bool:
        """CLX-ASLT-10: whether a unit is pinned and was assaulted in this turn. What being pinned does in a combat that
        began before is a matter of the base game, and is not judged."""
        pinned = self.t.clock <= unit.pinned_until
        return pinned and foe.charged == unit.id and foe.first_round

    def due_by(self, model: Model, parts: list[Part], first: bool) -> tuple[int, int]:
        """The blows and the Initiative of a model."""
        blows = model.n("A") + sum(part.blows for part in parts if part.given)
        moment = model.n("I") + sum(part.initiative for part in parts if part.given)
        return blows, 1 if first else max(1, min(10, moment))

    def blows_count(
        self, row: Reader, unit: Unit, model: Model, weapon: Json, foe: Unit
    ) -> tuple[str | None, int, int]:
        """The rule that a model's claimed blows or Initiative break, if they do, and both as they are due.

        A wrong number is put down to what explains it by itself, to the more special rule where several things do.
        """
        parts, first = self.parts_of(unit, model, weapon, foe), self.strikes_at_one(unit, foe)
        blows, moment = self.due_by(model, parts, first)
        said, at_said = row.number_claimed("claimed_attacks"), row.number_claimed("claimed_initiative")
        if said in (None, blows) and at_said in (None, moment):
            return None, blows, moment
        if not first and self.t.clock <= unit.pinned_until:
            raise NotJudged("a unit that was pinned in a combat before")
        found: set[str] = set()
        for part in parts:
            turned = [one._replace(given=not one.given) if one is part else one for one in parts]
            other, other_moment = self.due_by(model, turned, first)
            if said in (None, other) and at_said in (None, other_moment):
                found.add(part.rule)
        if "ASLT-02" in found and unit.start_gap.get(foe.id) == NO_RUN_UP:
            raise NotJudged("a charge that began an inch away")
        if first and at_said not in (None, moment):
            if said not in (None, blows):
                raise NotJudged("two numbers of one blow")
            found = {"ASLT-10"}
        forgone = unit.thrower == model.id and self.by("OR-FORGO") == "ALL"
        if not found and said not in (None, blows) and at_said not in (None, moment) and not forgone:
            raise NotJudged("two numbers of one blow, each wrong by itself")
        return min(found, key=SPECIAL.index, default="ASLT-09"), blows, moment

    @staticmethod
    def is_afraid(unit: Unit, foe: Unit) -> bool:
        """CLX-USR-12."""
        return foe.id in unit.fear_failed and foe.id not in unit.fear_overcome

    def on_fight_step(self, at: Reader) -> Faults:
        name, initiative, rows = at.text("attack"), at.whole("initiative"), at.rows("attackers")
        if name in self.attacks or not rows or self.charge is not None:
            raise NotJudged("a step out of place")
        if self.either:
            raise NotJudged("a fight after a charge whose side is claimed wrongly")
        models = [row.model(alive=False) for row in rows]
        unit, foe = models[0].unit, rows[0].unit("target")
        weapon = self.t.weapons.get(rows[0].text("weapon"))
        same = all(
            (row.event.get("target"), row.event.get("weapon")) == (foe.id, weapon and weapon["id"]) for row in rows
        )
        if not same or any(m.unit is not unit for m in models) or len({m.id for m in models}) < len(models):
            raise NotJudged("a step that mixes units, targets or weapons")
        if unit.locked is not foe or weapon is None or weapon["type"] != "melee" or foe.vehicle or unit.vehicle:
            raise NotJudged("a fight of others, or with something else")
        if any(not m.alive and self.fell.get(m.id) != (self.t.clock, initiative) for m in models):
            raise NotJudged("somebody strikes who has fallen")
        if any(weapon["id"] not in m.entry["weapons"] for m in models):
            raise NotJudged("a weapon that nobody has")
        for step in self.steps:
            if {step.unit, step.target} == {unit, foe}:
                if step.entry["initiative"] < initiative or (step.unit is unit and step.entry["struck"] & set(models)):
                    raise NotJudged("somebody strikes too late, or twice")
        volley = Volley(weapon, {}, models, strength_of(weapon, majority(m.n("S") for m in models)))
        for row, model in zip(rows, models, strict=True):
            rule, blows, moment = self.blows_count(row, unit, model, weapon, foe)
            said = row.number_claimed("claimed_attacks")
            if rule is not None:
                yield self.fault(rule, "miscalculated", unit.owner)
            elif initiative != moment:
                raise NotJudged("a step at another Initiative")
            volley.dice[model.id] = blows if said is None else said
        entry: Json = {"attack": name, "initiative": initiative, "struck": set(models), "hits": 0, "unsaved": 0}
        entry |= {
            "pinning_hits": 0,
            "pinning_wounds": 0,
            "tested": True,
            "inflicted": 0,
            "afraid": self.is_afraid(unit, foe),
        }
        attack = Attack(name, "fight", unit, foe, entry, {weapon["id"]: volley})
        self.attacks[name] = attack
        self.steps.append(attack)

    def to_strike(self, attack: Attack, volley: Volley, said: int | None) -> tuple[int, int | None, tuple[str, str]]:
        unit, foe = attack.unit, attack.target
        if attack.kind != "fight" or foe.gone:
            raise NotJudged("dice to hit of a throw, or at nobody")
        skills = {m.n("WS") for m in volley.models}
        if len(skills) > 1:
            raise NotJudged("attackers of several skills")
        own, other = skills.pop(), majority(n.n("WS") for n in foe.living)
        needed = to_hit_combat(max(1, own - self.is_afraid(unit, foe)), max(1, other - self.is_afraid(foe, unit)))
        kept = to_hit_combat(max(1, own - (foe.id in unit.fear_failed)), max(1, other - (unit.id in foe.fear_failed)))
        # A number is put down to Fear where Fear alone explains it: that it is forgotten, or kept after it ended.
        rule = "ASLT-05"
        if said is not None and said != needed:
            rule = {kept: "USR-13", to_hit_combat(own, other): "USR-12"}.get(said, rule)
        if unit.prefers(foe) and needed > 3:
            needed, rule = 3, "USR-09"
        again = unit.charged == foe.id and unit.first_round and unit.hates(foe)
        return needed, needed if again else None, (rule, "USR-16")

    def on_allocate(self, at: Reader) -> Faults:
        attack = self.attack(at)
        stood = [m for m in attack.target.models if m.alive]
        yield from super().on_allocate(at)
        if attack.kind == "fight":
            moment = (self.t.clock, attack.entry["initiative"])
            self.fell |= {m.id: moment for m in stood if not m.alive}
        if attack.kind == "grenade" and "frag" in attack.volleys and not attack.entry["in_cover"]:
            attack.target.init_loss = attack.entry["casualties"]

    # ---------------------------------------------------------------- who lost

    def on_combat_result(self, at: Reader) -> Faults:
        """CLX-MOR-02: the wounds of both sides and who lost."""
        by, keys = at.player(), at.names("units")
        pair = [self.t.units.get(key) for key in keys]
        if len(pair) != 2 or not self.steps or {u.id for s in self.steps for u in (s.unit, s.target)} != set(keys):
            raise NotJudged("another combat than the one fought")
        if any(pool.wounds and not pool.given and not s.target.gone for s in self.steps for pool in s.pools.values()):
            raise NotJudged("wounds that nobody took")
        count = {side: sum(self.suffered(s.entry) for s in self.steps if s.unit.owner == side) for side in "AB"}
        said = {side: at.number_claimed(f"wounds_by_{side}") for side in "AB"}
        taken = {side: count[side] if said[side] is None else int(said[side] or 0) for side in "AB"}
        loser = None if count["A"] == count["B"] else min("AB", key=lambda side: count[side])
        wrong = taken != count
        if "claimed_loser" in at.event:
            claimed = at.player("claimed_loser") if at.event["claimed_loser"] is not None else None
            wrong = wrong or claimed != loser
            loser = claimed
        if wrong and any({one.unit, one.target} == set(pair) and one.entry["unsaved"] for one in self.thrown):
            raise NotJudged("whether the wounds of a grenade count")
        if wrong:
            yield self.fault("MOR-02", "miscalculated", by)
        self.combat_ends([u for u in pair if u is not None], loser, abs(taken["A"] - taken["B"]))

    def combat_ends(self, pair: list[Unit], loser: str | None, by: int) -> None:
        """What a combat leaves behind."""
        self.steps = []
        for unit in pair:
            unit.first_round, unit.counter, unit.init_loss = False, False, 0
        if any(unit.gone for unit in pair):
            for unit in pair:
                unit.locked = None
        if loser is None:
            return
        lost, won = pair if pair[0].owner == loser else pair[::-1]
        won.fear_overcome.add(lost.id)
        lost.frenzy_lost = lost.frenzy_lost or "frenzy" in lost.rules
        if not lost.gone and not won.gone:
            rear = lost.rear_assaulted and won.charged == lost.id
            self.lost[lost.id] = (won, -by - rear)

    def morale_after_combat(self, at: Reader, unit: Unit) -> Faults:
        if unit.id not in self.lost:
            raise NotJudged("a check of who did not lose")
        won, modifier = self.lost.pop(unit.id)
        if unit.rear_assaulted and at.number_claimed("claimed_modifier") not in (None, modifier):
            raise NotJudged("either of two rules says what the rear takes away")
        yield from self.test(at, unit, modifier, "MOR-02", "claimed_passed", True, 3 if unit.hates(won) else 2)
        self.runs(unit, "MOR-02")
