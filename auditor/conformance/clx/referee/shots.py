"""Shooting attacks up to the wounds: who fires what, cover, hits, wounds (catalogue 6.5, 6.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from auditor.conformance.clx.chart import majority, reroll_shooting, to_hit_shooting, to_wound
from auditor.conformance.clx.inches import apart, direction, gap, number, to_polygon
from auditor.conformance.clx.referee.board import Reader
from auditor.conformance.clx.referee.found import Faults, Found, NotJudged
from auditor.conformance.clx.referee.moves import ROUNDED, Moves
from auditor.conformance.clx.table import Json, Model, Unit

TYPES = {"assault": "WPN-01", "heavy": "WPN-02", "ordnance": "WPN-03", "pistol": "WPN-04", "rapid_fire": "WPN-05",
         "salvo": "WPN-06", "primary": "WPN-07"}  # fmt: skip
ON_FOOT = ("infantry", "artillery")
BIG = ("vehicle", "walker", "monstrous", "fmc")
SNAP, PREFERRED, LAST_DAY = 6, 3, 4
"""What Snap Shots need (BASE-SNAP), and shots at a Preferred Enemy at most (CLX-USR-09)."""
SPECIAL = ("blast", "template", "haywire", "emp")


@dataclass
class Volley:
    """What one weapon does in an attack, shot or blow: who with how many dice, and what became of them so far."""

    weapon: Json
    dice: dict[str, int]
    models: list[Model]
    strength: int
    covered: set[str] = field(default_factory=set)
    stopped: int = 0
    hits: int | None = None
    sixes: int = 0
    wounding: int | None = None
    snaps: bool = False
    """Whether they are Snap Shots: with heavy weapons, on foot, after a move."""
    automatic: int | None = None


@dataclass
class Pool:
    """Wounds that are to be allocated together."""

    volley: Volley
    wounds: int
    ap: int | None
    rends: bool
    given: bool = False
    takers: set[str] = field(default_factory=set)
    """Who has had a wound of it since all had one (OR-ALLOC-NEXT)."""


@dataclass
class Attack:
    """An attack: a shooting attack, a step of a fight or a grenade."""

    name: str
    kind: str
    unit: Unit
    target: Unit
    entry: Json
    volleys: dict[str, Volley] = field(default_factory=dict)
    pools: dict[str, Pool] = field(default_factory=dict)
    dice_seen: bool = False
    done: bool = False
    failed: bool = False
    claimed: bool = False
    """Whether it is claimed to be in range, or not to have failed."""
    faced: tuple[float | None, str, float | None] = (None, "", None)
    """How the shooting unit faced before it shot, by which rule, and over which length of a move it turned so."""
    beyond: bool = False
    """Whether a model is said to fire that reaches nobody."""
    clock: int = 0
    seq: int = 0
    """The event that declares it."""
    too_late: bool = False
    """Whether its target went to ground in it, which helps from the next attack on (OR-GTG-TIME)."""
    whence: float | None = None
    """The direction from which it shot at its target."""


class Shots(Moves):
    """The game with its shooting."""

    def __init__(self, header: Json, options: Mapping[str, str] | None) -> None:
        super().__init__(header, options)
        self.attacks: dict[str, Attack] = {}
        self.now: Attack | None = None
        """The shooting attack that is being made."""
        self.fallen: set[str] = set()
        """Models that were removed by wounds in this phase."""
        self.taken_off: set[str] = set()
        """Models that were removed though they had a wound left."""
        self.lacking: list[Found] = []
        """Dice of this phase that are too few: more of them may stand in another event until it is over."""

    def wasted(self, unit: Unit) -> bool:
        """Whether a unit has lost its shooting by an attack out of range (CLX-SHOOT-05)."""
        mine = [a for a in self.attacks.values() if a.kind == "shoot" and a.unit is unit and a.clock == self.t.clock]
        return bool(mine) and all(attack.failed for attack in mine)

    def opens(self, phase: str) -> None:
        super().opens(phase)
        self.fallen = set()
        if phase == "shooting":
            for unit in self.t.units.values():
                unit.attacks, unit.frame, unit.crossed = [], None, False
                unit.gone_to_ground = unit.pressed = unit.asked_prone = False

    def attack(self, at: Reader) -> Attack:
        """The attack that an event names."""
        attack = self.attacks.get(at.text("attack"))
        if attack is None or attack.done:
            raise NotJudged("an unknown attack, or one that is over")
        return attack

    def volley(self, at: Reader) -> tuple[Attack, Volley]:
        """The attack and the weapon of it that an event names."""
        attack = self.attack(at)
        volley = attack.volleys.get(at.text("weapon"))
        if volley is None or attack.failed:
            raise NotJudged("a weapon that is not fired")
        return attack, volley

    # ---------------------------------------------------------------- who shoots at whom

    def on_shoot(self, at: Reader) -> Faults:
        unit, target, name = at.unit(), at.unit("target"), at.text("attack")
        if unit.owner != self.t.active or target.owner == unit.owner or name in self.attacks:
            raise NotJudged("a shot of nobody, or at a friend")
        if unit.falling_back or target.locked or target.falling_back:
            raise NotJudged("an attack out of a flight, or into one or a fight")
        if self.t.clock <= max(unit.pinned_until, unit.grounded_until, unit.no_shots_until):
            raise NotJudged("only Snap Shots")
        fresh = {unit.id} if unit.arrived == self.t.clock else set()
        fresh |= {e["unit"] for e in target.attacks if self.t.units[e["unit"]].arrived == self.t.clock}
        if fresh and ("claimed_arc" in at.event or {e["unit"] for e in target.attacks} | {unit.id} != fresh):
            raise NotJudged("from which side an outflanker shoots, or who shoots beside it")
        entry: Json = {"attack": name, "unit": unit.id, "arc": None, "hits": 0, "unsaved": 0, "pinning_hits": 0}
        entry |= {"pinning_wounds": 0, "tested": False, "crossed": False, "suppresses": False, "inflicted": 0}
        entry |= {"checked": False, "live": None, "told": False}
        self.now = self.attacks[name] = Attack(name, "shoot", unit, target, entry)
        self.now.failed = bool(at.flag_claimed("claimed_failed")) or at.flag_claimed("claimed_in_range") is False
        self.now.faced = (unit.facing, unit.turned_by, unit.turned_over)
        self.now.clock, self.now.seq = self.t.clock, self.seq
        entry["whence"] = self.now.whence = direction(target.centre, unit.centre)
        second = self.second_act(unit, target) if unit.ran or unit.tried else None
        self.now.claimed = "claimed_failed" in at.event or "claimed_in_range" in at.event
        unit.tried = True
        if target.vehicle is not None:
            if "claimed_arc" in at.event:
                raise NotJudged("the side of a hull is claimed of a unit")
        elif "claimed_arc" in at.event:
            claimed, arc = at.one_of("claimed_arc", ("front", "side", "rear")), self.arc(target, unit.centre)
            if arc is None:
                raise NotJudged("by a hair on the rim of an arc")
            if claimed != arc:
                entry["told"] = True
                yield self.fault(target.turned_by.removeprefix("CLX-"), "miscalculated", unit.owner)
        if second is not None:
            yield second
        if self.now.failed:
            return
        if target.vehicle is None:
            target.frame = target.facing if target.frame is None else target.frame
            entry["arc"] = self.arc(target, unit.centre, target.frame)
            entry["live"] = self.arc(target, unit.centre)
        if unit.vehicle is None and not unit.locked:
            if self.by("OR-FACING-ORDER") != "MOVE" or unit.id not in self.went:
                unit.facing, unit.turned_by = direction(unit.centre, target.centre), "CLX-FACE-01"
                unit.turned_over = float(apart(unit.centre, target.centre))
            self.shot.add(unit.id)

    def second_act(self, unit: Unit, target: Unit) -> Found:
        """CLX-SHOOT-01, -05, CLX-RUN-02: a unit shoots that ran or shot before; nothing is followed after that."""
        self.stops = True
        before = [a for a in self.attacks.values() if a.kind == "shoot" and a.unit is unit and a is not self.now]
        if unit.ran:
            return self.fault("RUN-02", "illegal", unit.owner)
        if not before or len({one.target.id for one in before}) > 1:
            raise NotJudged("more attacks of one unit")
        if before[-1].failed:
            return self.fault("SHOOT-05", "illegal", unit.owner)
        if before[-1].target is target or unit.kind in BIG:
            raise NotJudged("a second attack on the same target, or of whom a base rule may let")
        return self.fault("SHOOT-01", "illegal", unit.owner)

    def on_weapon_fire(self, at: Reader) -> Faults:
        attack = self.attack(at)
        unit, weapon = attack.unit, self.t.weapons.get(at.text("weapon"))
        if attack is not self.now or weapon is None or attack.target.gone:
            raise NotJudged("a weapon out of place")
        if weapon["id"] in attack.volleys:
            yield self.fault("SHOOT-02", "illegal", unit.owner)
            self.stops = True
            return
        if weapon.get("guess") or weapon["type"] not in TYPES or set(weapon.get("rules", ())) & set(SPECIAL):
            raise NotJudged("a weapon that is not followed")
        snaps = unit.moved and weapon["type"] == "heavy" and unit.kind == "infantry" and "relentless" not in unit.rules
        if unit.moved and weapon["type"] in ("heavy", "ordnance") and not snaps:
            raise NotJudged("a heavy weapon after a move")
        if unit.locked:
            yield from self.shoots_out_of_a_fight(unit, weapon)
            return
        if unit.moved and weapon["type"] == "salvo" and unit.kind not in ON_FOOT:
            raise NotJudged("a salvo that a base rule may better")
        rows = at.rows("firers")
        volley = Volley(weapon, {}, [], int(weapon["S"]))
        for row in rows:
            model = row.model()
            if model.unit is not unit or model.id in volley.dice or weapon["id"] not in model.entry["weapons"]:
                raise NotJudged("a firer of another unit, or with another weapon")
            if (row.event.get("snap") and not snaps) or row.whole("shots") < 1:
                raise NotJudged("a Snap Shot, or none")
            volley.dice[model.id] = row.whole("shots")
            volley.models.append(model)
        volley.snaps = snaps
        attack.volleys[weapon["id"]] = volley
        unit.fired.add(weapon["type"])
        per_model = int(unit.entry.get("weapons_per_model") or 1)
        fired = [sum(model.id in v.dice for v in attack.volleys.values()) for model in volley.models]
        if unit.kind not in BIG and max(fired, default=0) > per_model:
            yield self.fault("SHOOT-03", "illegal", unit.owner)
        if not attack.failed and not any(self.seen(attack, volley, model) for model in volley.models):
            if len(attack.volleys) > 1 or attack.claimed:
                raise NotJudged("a weapon that reaches nobody")
            attack.failed = True
            unit.facing, unit.turned_by, unit.turned_over = attack.faced
            self.shot.discard(unit.id)
        for row in rows:
            if not self.stops:
                yield from self.firer_may(attack, volley, row)
        attack.entry["suppresses"] |= "pinning" in weapon.get("rules", ()) and not attack.failed

    def shoots_out_of_a_fight(self, unit: Unit, weapon: Json) -> Faults:
        """CLX-WPN-04, by OR-PISTOL: pistols may, or nothing may. What comes of such shots is not followed."""
        if weapon["type"] != "pistol" or unit.vehicle is not None:
            raise NotJudged("a shot out of a fight")
        foe = unit.locked
        if foe is None or not any(gap(m.base, n.base) <= ROUNDED for m in unit.living for n in foe.living):
            raise NotJudged("whether a fight goes on in which nobody is in contact any more")
        if self.by("OR-PISTOL") == "CCW":
            yield self.fault("WPN-04", "illegal", unit.owner)
        self.stops = True

    def firer_may(self, attack: Attack, volley: Volley, row: Reader) -> Faults:
        """CLX-SHOOT-04, -06 and the shots of the weapon's type, of one firer."""
        model, weapon, owner = row.model(), volley.weapon, attack.unit.owner
        bonuses = {self.bonus(model, n) for n in attack.target.living}
        bonus = max(bonuses)
        reach = Decimal(weapon["range"]) + bonus
        faults: list[tuple[str, str]] = []
        said, claimed = row.event.get("claimed_range_bonus"), row.event.get("claimed_range")
        if any(one is not None and type(one) not in (int, float) for one in (said, claimed)):
            raise NotJudged("a range that is no number")
        if len(bonuses) > 1 and (said is not None or claimed is not None):
            raise NotJudged("a range to models at different heights")
        if said is not None and number(said) != bonus:
            faults.append(("SHOOT-06", "miscalculated"))
        if (
            claimed is not None
            and number(claimed) != reach
            and (not faults or number(claimed) - reach != number(said) - bonus)
        ):
            raise NotJudged("a range that is not the weapon's")
        seen = self.seen(attack, volley, model)
        if attack.failed:
            if any(d <= far - ROUNDED for d, far in seen):
                yield Found(attack.seq, "CLX-SHOOT-05", "miscalculated", owner)
                self.stops = True
                return
        elif not seen:
            faults.append(("SHOOT-04", "illegal"))
            attack.beyond = True
        else:
            off = seen[0][0] - (seen[0][1] if self.by("OR-RAPID-HALF") == "EFFECTIVE" else Decimal(weapon["range"])) / 2
            if abs(off) > ROUNDED and row.flag_claimed("claimed_half") not in (None, off <= 0):
                faults.append(("WPN-05", "miscalculated"))
            if volley.dice[model.id] > self.shots_of(attack.unit, weapon, off <= ROUNDED):
                faults.append((TYPES[weapon["type"]], "illegal"))
        if len(faults) > 1:
            raise NotJudged("more than one fault of one firer")
        for rule, kind in faults:
            yield self.fault(rule, kind, owner)

    def bonus(self, firer: Model, target: Model) -> Decimal:
        """The inches that height adds to a range (CLX-SHOOT-06, OR-ELEV, OR-ELEV-REF)."""
        up = firer.z if self.by("OR-ELEV-REF") == "GROUND" else max(Decimal(0), firer.z - target.z)
        return min(Decimal(6), Decimal(int(up)) if self.by("OR-ELEV") == "FLOOR" else up)

    def reach_of(self, firer: Model, target: Model, weapon: Json) -> Decimal:
        """How far a firer reaches towards a model."""
        return Decimal(weapon["range"]) + self.bonus(firer, target)

    def seen(self, attack: Attack, volley: Volley, model: Model) -> list[tuple[Decimal, Decimal]]:
        """How far the models are that a firer reaches and sees, the nearest first, each with how far it reaches there."""
        found: list[tuple[Decimal, Decimal]] = []
        for n in sorted(attack.target.living, key=lambda n: gap(model.base, n.base)):
            far, reach = max(Decimal(0), gap(model.base, n.base)), self.reach_of(model, n, volley.weapon)
            if far <= reach + ROUNDED:
                sees = self.t.visible(model, n)
                if sees is None:
                    raise NotJudged("sight by a hair")
                found += [(far, reach)] if sees else []
        return found

    @staticmethod
    def shots_of(unit: Unit, weapon: Json, half: bool) -> int:
        """How many shots a model has (catalogue 6.6)."""
        if weapon["type"] == "salvo":
            return int(weapon["shots"]["low" if unit.moved else "high"])
        if weapon["type"] == "rapid_fire":
            return 2 if half else 1
        return 1 if weapon["type"] == "pistol" else int(weapon["shots"])

    # ---------------------------------------------------------------- cover

    def on_go_to_ground(self, at: Reader) -> Faults:
        unit, attack = at.unit(), self.attack(at)
        if unit is not attack.target or attack is not self.now or unit.gone_to_ground:
            raise NotJudged("nobody shoots at it, or a second time")
        if unit.vehicle is not None or unit.locked or not attack.volleys or "prone_position" in unit.rules:
            raise NotJudged("a unit that does not go to ground")
        when = self.by("OR-GTG-TIME")
        if attack.dice_seen and when != "NEXT_ATTACK":
            if when == "RETROACTIVE":
                raise NotJudged("dice that are read again")
            yield self.fault("SHOOT-11", "illegal", unit.owner)
            self.stops = True
            return
        unit.gone_to_ground = True
        unit.grounded_until = self.t.clock + 1
        attack.too_late = when == "NEXT_ATTACK"

    def levels(self, attack: Attack, volley: Volley) -> dict[str, int]:
        """The cover level of the target from each firer. Raises NotJudged where a base touches a piece of terrain by a
        hair."""
        for piece in self.t.terrain:
            for n in attack.target.living if piece.get("cover", "none") != "none" else ():
                off = to_polygon(n.at, n.at, self.t.corners(piece)) - n.base.r
                if not n.base.corners and abs(off) <= ROUNDED:
                    raise NotJudged("cover by a hair")
        for model in volley.models if self.by("OR-COVER-UNIT") == "CLOSEST" else ():
            far = {n.id: gap(model.base, n.base) for n in attack.target.living}
            if sum(away <= min(far.values()) + 2 * ROUNDED for away in far.values()) > 1:
                raise NotJudged("who is closest by a hair")
        return {model.id: self.t.cover_from(model, attack.target) for model in volley.models}

    def on_cover_rolls(self, at: Reader) -> Faults:
        attack, volley = self.volley(at)
        target, waived = attack.target, at.flag_claimed("waived")
        dice = at.dice() if not waived or at.event.get("dice") else []
        if attack.kind != "shoot":
            yield from self.cover_of_a_grenade(attack, volley, dice, at)
            return
        levels = self.levels(attack, volley)
        if "firers" in at.event:
            group = list(dict.fromkeys(at.names("firers")))
            if not group or any(row not in levels for row in group):
                raise NotJudged("cover from somebody else")
        else:
            group = list(levels)
        here = {levels[key] for key in group}
        lies = target.pressed or ("prone_position" in target.rules and 0 in here)
        if len(here) != 1 or volley.hits is not None or volley.covered & set(group) or lies or at.event.get("reread"):
            raise NotJudged("cover out of place, or of several levels")
        level = here.pop() + (target.gone_to_ground and not attack.too_late)
        level += self.lies_lower(at, attack, level)
        volley.covered |= set(group)
        if waived:
            if dice:
                raise NotJudged("cover is waived and rolled for")
            return
        attack.dice_seen = True
        if not level:
            if self.t.clock <= target.pinned_until:
                raise NotJudged("cover of the ground alone, of a unit that is pinned")
            yield self.fault("SHOOT-07b", "illegal", target.owner)
            self.stops = True
            return
        shots = sum(volley.dice[key] for key in group)
        if len(dice) != shots and attack.beyond:
            raise NotJudged("dice with or without those of a model that reaches nobody")
        yield from at.dice_fit(dice, shots, target.owner)
        yield from self.cover_counts(at, target, level, dice)
        saved = at.number_claimed("claimed_saved")
        volley.stopped += sum(die >= 7 - level for die in dice) if saved is None else saved

    def lies_lower(self, at: Reader, attack: Attack, level: int) -> int:
        """By how much the cover of a unit in terrain is better for lying prone: by OR-PRONE-COVER=PLUS_ONE it may be by 1."""
        target = attack.target
        if "prone_position" not in target.rules or self.by("OR-PRONE-COVER") == "OPEN_ONLY":
            return 0
        said = at.number_claimed("claimed_needed")
        if said is None or (said != 7 - level and not (target.asked_prone and said == 6 - level)):
            raise NotJudged("cover of a unit that may lie prone")
        return 7 - said - level

    def cover_of_a_grenade(self, attack: Attack, volley: Volley, dice: list[int], at: Reader) -> Faults:
        """Cover against a grenade: one die for each model hit."""
        level = self.t.cover_from(volley.models[0], attack.target)
        if (
            not level
            or volley.covered
            or volley.hits is None
            or len(dice) != volley.hits
            or volley.wounding is not None
        ):
            raise NotJudged("cover that is not there")
        volley.covered.add("")
        yield from at.dice_fit(dice, volley.hits, attack.target.owner)
        yield from self.cover_counts(at, attack.target, level, dice)
        saved = at.number_claimed("claimed_saved")
        volley.hits -= sum(die >= 7 - level for die in dice) if saved is None else saved
        attack.entry["hits"] = attack.entry["pinning_hits"] = volley.hits

    def cover_counts(self, at: Reader, target: Unit, level: int, dice: list[int]) -> Faults:
        """CLX-SHOOT-07c, -11, CLX-MISC-02 and CLX-LOG-04 of a roll for cover."""
        claimed, needed = at.number_claimed("claimed_level"), at.number_claimed("claimed_needed")
        saved = at.number_claimed("claimed_saved")
        faults: list[str] = []
        if claimed not in (None, level):
            # A level that stands alone is what the cover is thought to be worth; beside a number it is its arithmetic.
            faults.append("MISC-02" if needed is not None or not target.gone_to_ground else "SHOOT-11")
        if needed not in (None, 7 - level):
            faults.append("SHOOT-11" if target.gone_to_ground else "SHOOT-07c")
        if faults and self.t.clock <= target.pinned_until:
            raise NotJudged("cover of a unit that counts as gone to ground")
        against = needed if needed is not None else 7 - level
        if saved is not None and saved != sum(die >= against for die in dice):
            if needed is None:
                raise NotJudged("a count without the number that it hangs on")
            faults.append("LOG-04")
        yield from self.one_number(faults, target.owner)

    def cover_is_rolled(self, attack: Attack, volley: Volley) -> Faults:
        """CLX-SHOOT-07b, when the first die to hit is rolled."""
        target = attack.target
        if target.pressed:
            return
        left = [key for key, level in self.levels(attack, volley).items() if level and key not in volley.covered]
        if left and target.vehicle is not None:
            raise NotJudged("vehicles owe no cover dice")
        if left and volley.covered:
            raise NotJudged("cover is rolled against some shots and not against others")
        if left:
            yield self.fault("SHOOT-07b", "omitted", target.owner)
        elif target.gone_to_ground and not attack.too_late and set(volley.dice) - volley.covered:
            raise NotJudged("cover of the ground alone is not rolled for")

    # ---------------------------------------------------------------- to hit

    def on_hit_rolls(self, at: Reader) -> Faults:
        attack, volley = self.volley(at)
        if volley.hits is not None:
            raise NotJudged("dice to hit twice")
        attack.dice_seen = True
        rows = at.rows("rolls")
        if any(isinstance(row.event.get("reroll"), list) and len(row.dice("reroll")) != 2 for row in rows):
            raise NotJudged("a die that is rerolled more than twice")
        if attack.kind == "shoot":
            left_out = list(self.cover_is_rolled(attack, volley))
            yield from left_out
            needed, again, rules = self.to_shoot(attack, volley)
            if volley.snaps:
                needed, again, rules = self.to_snap(attack, at)
                if any("reroll" in row.event for row in rows):
                    raise NotJudged("a Snap Shot that is rolled again")
            count = sum(volley.dice.values()) - volley.stopped
            if len(rows) != count and attack.beyond:
                raise NotJudged("dice with or without those of a model that reaches nobody")
            if len(rows) > count or (len(rows) < count and not left_out):
                yield from self.another_number(len(rows) < count, "SHOOT-07b", attack.unit.owner)
        else:
            needed, again, rules = self.to_strike(attack, volley, at.number_claimed("claimed_needed"))
            if len(rows) != sum(volley.dice.values()):
                raise NotJudged("another number of blows")
        yield from self.hits_count(at, attack, volley, rows, (needed, again), rules)

    def another_number(self, fewer: bool, rule: str, owner: str) -> Faults:
        """A fault of more dice than there should be; of fewer it is one when the phase is over."""
        fault = self.fault(rule, "miscalculated", owner)
        if fewer:
            self.lacking.append(fault)
        else:
            yield fault

    def to_shoot(self, attack: Attack, volley: Volley) -> tuple[int, int | None, tuple[str, str]]:
        """The numbers needed by a shot and by its reroll, and the rules that they come from."""
        skills = {model.n("BS") for model in volley.models}
        if len(skills) != 1 or not (skill := skills.pop()):
            raise NotJudged("firers of several skills, or of none")
        needed, again = to_hit_shooting(skill), reroll_shooting(skill)
        rules = ("SHOOT-09", "SHOOT-09")
        if attack.unit.prefers(attack.target):
            if needed > 3 or (again or 0) > 3:
                rules = ("USR-09", "USR-09" if again is not None else "SHOOT-09")
            needed, again = min(needed, 3), None if again is None else min(again, 3)
        if "twin_linked" in volley.weapon.get("rules", ()):
            again, rules = needed, (rules[0], "SHOOT-10")
        return needed, again, rules

    def to_snap(self, attack: Attack, at: Reader) -> tuple[int, int | None, tuple[str, str]]:
        """The same of a Snap Shot (CLX-WPN-02), by OR-PE-SNAP at the enemy that is preferred."""
        preferred = attack.unit.prefers(attack.target)
        needed = PREFERRED if preferred and self.by("OR-PE-SNAP") == "APPLIES" else SNAP
        said = at.number_claimed("claimed_needed")
        if said is None:
            raise NotJudged("a Snap Shot of which no number is claimed")
        if said > SNAP or at.event.get("claimed_reroll_needed") is not None:
            raise NotJudged("a Snap Shot that needs more than one, or may be rolled again")
        return needed, None, ("USR-09" if said > needed else "WPN-02", "SHOOT-09")

    def to_strike(self, attack: Attack, volley: Volley, said: int | None) -> tuple[int, int | None, tuple[str, str]]:
        """The same of a blow, for which a number is claimed."""
        raise NotImplementedError

    def hits_count(
        self, at: Reader, attack: Attack, volley: Volley, rows: list[Reader], right: tuple[int, int | None],
        rules: tuple[str, str],
    ) -> Faults:  # fmt: skip
        """The numbers needed, the rerolls and the hits that are claimed."""
        owner, (needed, again) = attack.unit.owner, right
        yield from at.dice_fit([die for row in rows for die in (row.whole("die"), *rerolls_of(row))], None, owner)
        said, said_again = at.number_claimed("claimed_needed"), at.event.get("claimed_reroll_needed")
        if said_again is not None and type(said_again) is not int:
            raise NotJudged("a number to reroll that is none")
        faults: list[tuple[str, str]] = []
        if said not in (None, needed) and rules[0] == "SHOOT-09" and attack.unit.prefers(attack.target):
            raise NotJudged("either of two rules gives the number to hit")
        # What darkness does is not stated (BASE-NIGHT), nor with what a vehicle shoots that has moved; and a shot need not be
        # said to be a Snap Shot.
        dark = attack.kind == "shoot" and self.t.turn > LAST_DAY
        may_snap = said == SNAP or (attack.unit.vehicle is not None and attack.unit.moved)
        if said not in (None, needed) and not (rules[0] == "SHOOT-09" and (dark or may_snap)):
            faults.append((rules[0], "illegal" if rules[0] == "WPN-02" else "miscalculated"))
        wrong_again = said_again not in (None, again) or ("claimed_reroll_needed" in at.event and said_again != again)
        if wrong_again and not (rules[1] == "SHOOT-09" and dark):
            faults.append((rules[1], "miscalculated"))
        first, second = needed if said is None else said, again if said_again is None else said_again
        hits: list[int] = []
        for row in rows:
            die = row.whole("die")
            if len(rerolls_of(row)) == 2:
                third = self.third_die(attack, volley)
                if third is None or die >= needed or rerolls_of(row)[0] >= needed:
                    raise NotJudged("a second reroll that nobody has")
                if self.by("OR-REROLL-ONCE") == "ONE" and ("SHOOT-10", "illegal") not in faults:
                    faults.append(("SHOOT-10", "illegal"))
                if rerolls_of(row)[1] >= third:
                    hits.append(rerolls_of(row)[1])
            elif "reroll" in row.event:
                if again is None or die >= needed:
                    faults.append((rules[1], "illegal"))
                die = row.whole("reroll")
                if second is None:
                    second = first
                if die >= second:
                    hits.append(die)
            elif die >= first:
                hits.append(die)
        claimed = at.number_claimed("claimed_hits")
        if claimed not in (None, len(hits)):
            if said is None or (said_again is None and any("reroll" in row.event for row in rows)):
                raise NotJudged("a count without the number that it hangs on")
            faults.append(("LOG-04", "miscalculated"))
        if len(faults) > 1:
            raise NotJudged("more than one number of one roll is wrong")
        for rule, kind in faults:
            yield self.fault(rule, kind, owner)
        volley.hits = len(hits) if claimed is None else claimed
        volley.sixes = sum(die == 6 for die in hits) if "rending" in volley.weapon.get("rules", ()) else 0
        attack.entry["hits"] += volley.hits
        if "pinning" in volley.weapon.get("rules", ()):
            attack.entry["pinning_hits"] += volley.hits

    @staticmethod
    def third_die(attack: Attack, volley: Volley) -> int | None:
        """What a twin-linked shot that missed twice hits on by its Ballistic Skill; None where it has no such right."""
        again = reroll_shooting(min(model.n("BS") for model in volley.models))
        if attack.kind != "shoot" or "twin_linked" not in volley.weapon.get("rules", ()) or again is None:
            return None
        return min(again, 3) if attack.unit.prefers(attack.target) else again

    def on_jink(self, at: Reader) -> Faults:
        """CLX-SHOOT-07a; what it is worth is a matter of the base game."""
        unit = at.unit()
        jinks = "jetbike" in unit.kind or unit.kind == "bike" or bool(unit.vehicle and unit.vehicle.get("skimmer"))
        if not jinks or self.now is None or self.now.target is not unit or self.now.dice_seen:
            raise NotJudged("a jink at another moment, or of another unit")
        self.stops = True
        if self.by("OR-JINK-TIME") == "BEFORE_TARGET":
            yield self.fault("SHOOT-07a", "illegal", unit.owner)

    # ---------------------------------------------------------------- to wound

    def on_wound_rolls(self, at: Reader) -> Faults:
        attack, volley = self.volley(at)
        owner, rows, name = attack.unit.owner, at.rows("rolls"), at.text("pool")
        claimed = at.number_claimed("claimed_wounds")
        if attack.target.vehicle is not None or name in attack.pools or volley.hits is None or attack.target.gone:
            raise NotJudged("wounds of a hull, or out of place")
        if "automatic" in at.event:
            automatic = at.whole("automatic")
            if rows or volley.automatic is not None or automatic != volley.sixes or claimed not in (None, automatic):
                raise NotJudged("other automatic wounds than the 6s")
            volley.automatic = automatic
            attack.pools[name] = Pool(volley, automatic, 1, True)
            return
        if volley.wounding is not None or any("reroll" in row.event for row in rows):
            raise NotJudged("dice to wound twice")
        dice = [row.whole("die") for row in rows]
        yield from at.dice_fit(dice, None, owner)
        faults: list[str] = []
        fewer = False
        if len(dice) != volley.hits - volley.sixes:
            if attack.kind != "shoot":
                raise NotJudged("another number of dice to wound in a fight")
            rending = volley.hits - volley.sixes < len(dice) <= volley.hits
            if len(dice) < volley.hits - volley.sixes:
                fewer = True
            else:
                faults.append("GEAR-03" if rending else "SHOOT-08")
        unknown = attack.kind != "fight" and self.by("OR-TOWOUND-SHOOT") == "BASE"
        exactly = self.by("OR-TWICE") == "EXACT"
        needed = to_wound(volley.strength, majority(n.n("T") for n in attack.target.living), exactly)
        said = at.number_claimed("claimed_needed")
        preferred = attack.unit.prefers(attack.target) and needed > 3
        needed = 3 if preferred else needed
        if unknown and (said is None or attack.kind == "grenade" or preferred):
            raise NotJudged("what the chart of the base game says")
        if not unknown and said not in (None, needed):
            if preferred:
                raise NotJudged("either of two rules says what is needed")
            if attack.kind == "grenade" and volley.weapon["id"] != "frag":
                raise NotJudged("what other grenades than frag need to wound")
            faults.append("GREN-06" if attack.kind == "grenade" else "ASLT-06")
        wounds = sum(die >= (needed if said is None else said) for die in dice)
        if claimed not in (None, wounds):
            if said is None:
                raise NotJudged("a count without the number that it hangs on")
            faults.append("LOG-04")
        if fewer and faults:
            raise NotJudged("more than one number of one roll is wrong")
        if fewer:
            yield from self.another_number(True, "SHOOT-08", owner)
        yield from self.one_number(faults, owner)
        volley.wounding = wounds if claimed is None else claimed
        attack.pools[name] = Pool(volley, volley.wounding, volley.weapon["AP"], False)


def rerolls_of(row: Reader) -> list[int]:
    """The dice with which one was replaced, in their order."""
    if "reroll" not in row.event:
        return []
    return row.dice("reroll") if isinstance(row.event["reroll"], list) else [row.whole("reroll")]
