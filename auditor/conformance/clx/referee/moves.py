"""Deployment, moves, runs and falling back (catalogue 6.2, 6.5, 6.10), with the lengths that they may have."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from auditor.conformance.clx.chart import TURBO, flat_out, run_dice
from auditor.conformance.clx.inches import (
    Base,
    Point,
    apart,
    connected,
    direction,
    gap,
    length,
    middle,
    runs_through,
    to_polygon,
    way_gap,
)
from auditor.conformance.clx.referee.board import Reader
from auditor.conformance.clx.referee.found import Faults, NotJudged
from auditor.conformance.clx.referee.minds import Minds
from auditor.conformance.clx.table import Json, Model, Unit, near

ROUNDED = Decimal("0.015")
"""RND of the catalogue (2.2): what the rounding of a record may make of a length."""
ZONE, COHERENT = Decimal(1), Decimal(2)
ROUGH = ("difficult", "dangerous")


@dataclass
class Way:
    """A model's way: its points, the heights at both ends, and the headings of a hull."""

    model: Model
    points: list[Point]
    heights: tuple[Decimal, Decimal]
    headings: list[float] | None

    @property
    def legs(self) -> int:
        """How many legs lead anywhere."""
        return sum(a != b for a, b in itertools.pairwise(self.points))

    @property
    def length(self) -> Decimal:
        return length(self.points)


class Moves(Minds):
    """The game with its movement."""

    def __init__(self, header: Json, options: Mapping[str, str] | None) -> None:
        super().__init__(header, options)
        self.went: set[str] = set()
        """Units that a move has turned in this turn, and in `shot` those that a shot of theirs has."""
        self.shot: set[str] = set()
        self.told: dict[str, float] = {}
        """How a unit faces by the record of its deployment, which may be written to a whole degree."""
        self.flees: dict[str, str] = {}
        """Units that fall back, or must, with the rule that makes them."""
        self.stated = Decimal(0)
        """An allowance that was stated wrongly in the event at hand."""

    def on_deploy(self, at: Reader) -> Faults:
        unit = self.t.units.get(at.text("unit"))
        if unit is None or unit.on_table or unit.owner != at.player() or self.first is None or self.seized:
            raise NotJudged("a deployment out of place")
        if unit.aboard is not None:
            raise NotJudged("a unit that is on board")
        self.is_put_down(at, unit)
        yield from ()

    def on_reserve_arrival(self, at: Reader) -> Faults:
        """A unit with Outflank comes to the table from a side."""
        unit = self.t.units.get(at.text("unit"))
        if unit is None or unit.on_table or unit.owner != self.t.active or "outflank" not in unit.rules or unit.vehicle:
            raise NotJudged("an arrival out of place, or of another unit")
        if unit.aboard is not None or at.text("method") != "outflank":
            raise NotJudged("an arrival that is not followed")
        self.is_put_down(at, unit)
        unit.arrived = self.t.clock
        yield from ()

    def is_put_down(self, at: Reader, unit: Unit) -> None:
        """The models of a unit come to the table, hidden (CLX-USR-04) or not. Raises NotJudged where it does not infiltrate
        and hides, or other models come."""
        rows, unit.hidden = at.rows("models"), bool(at.flag_claimed("hidden"))
        if unit.hidden and "infiltrators" not in unit.rules:
            raise NotJudged("a unit hides that does not infiltrate")
        if sorted(row.text("id") for row in rows) != sorted(model.id for model in unit.models):
            raise NotJudged("other models than the unit has")
        for row in rows:
            model = self.models[row.text("id")]
            model.at, model.z = row.place(row.event.get("pos"))
            model.heading = self.angle(row.event.get("heading")) if unit.vehicle else 0
        unit.on_table, unit.facing = True, self.angle(at.event.get("facing"))
        self.told[unit.id] = unit.facing

    @staticmethod
    def angle(value: object) -> float:
        """A heading or facing in degrees."""
        if type(value) not in (int, float):
            raise NotJudged(f"{value!r} is no angle")
        return float(value)  # type: ignore[arg-type]

    def arc(self, target: Unit, point: Point, facing: float | None = None) -> str | None:
        """From which side of a unit a point lies; None where that is not known, or by a hair."""
        faces = target.facing if facing is None else facing
        told = faces is not None and faces == self.told.get(target.id)
        if told and faces == target.facing and not self.t.off_the_rims(target, point):
            return None
        return self.t.arc(target, point, facing)

    # ---------------------------------------------------------------- ways

    def ways(self, at: Reader, unit: Unit) -> list[Way]:
        """The ways of an event, each of another living model of the unit."""
        found: list[Way] = []
        for row in at.rows("models"):
            model = row.model("id")
            if model.unit is not unit or row.event.get("ends_only") or any(w.model is model for w in found):
                raise NotJudged("a way of another unit, or only its ends")
            places = [row.place(place, model.z) for place in row.items("path")]
            if not places or places[0][1] != model.z:
                raise NotJudged("a way from another height")
            headings = [self.angle(one) for one in row.items("headings")] if "headings" in row.event else None
            if (headings is not None and len(headings) != len(places)) or (unit.vehicle and headings is None):
                raise NotJudged("headings for other points")
            found.append(Way(model, [point for point, _ in places], (places[0][1], places[-1][1]), headings))
        if not found:
            raise NotJudged("nobody moves")
        return found

    def go(self, unit: Unit, ways: Sequence[Way]) -> None:
        """Everybody goes; the unit turns to where it went (CLX-FACE-01)."""
        before, faced = unit.centre, (unit.facing, unit.turned_over)
        if unit.hidden and any(way.legs for way in ways):
            self.leaves_cover(unit, ways)
        for way in ways:
            way.model.at, way.model.z = way.points[-1], way.heights[1]
            if way.headings is not None:
                way.model.heading = way.headings[-1]
        if unit.vehicle is not None or not any(way.legs for way in ways):
            return
        if (over := apart(before, unit.centre)) > 0:
            unit.facing, unit.turned_by, unit.turned_over = direction(before, unit.centre), "CLX-FACE-01", float(over)
        if self.by("OR-FACING-MOVE") == "LAST_LEG":
            unit.facing, unit.turned_by = self.last_leg(ways), "CLX-FACE-01"
        if self.by("OR-FACING-ORDER") == "SHOT" and unit.id in self.shot:
            unit.facing, unit.turned_over = faced
        self.went.add(unit.id)

    def leaves_cover(self, unit: Unit, ways: Sequence[Way]) -> None:
        """A hidden unit moves (CLX-USR-04)."""
        raise NotImplementedError

    def go_and_keep_facing(self, unit: Unit, ways: Sequence[Way]) -> None:
        """Everybody goes; the unit faces as before."""
        facing, turned, over, went = unit.facing, unit.turned_by, unit.turned_over, unit.id in self.went
        self.go(unit, ways)
        unit.facing, unit.turned_by, unit.turned_over = facing, turned, over
        if not went:
            self.went.discard(unit.id)

    def begins_turn(self, player: str) -> None:
        super().begins_turn(player)
        self.went, self.shot = set(), set()

    @staticmethod
    def last_leg(ways: Sequence[Way]) -> float | None:
        """The direction of the last leg of a unit's move; None where its models went in different numbers of legs."""
        moved = [way for way in ways if way.legs]
        if len({way.legs for way in moved}) > 1:
            return None
        ends = [[(a, b) for a, b in itertools.pairwise(way.points) if a != b][-1] for way in moved]
        start, end = middle([a for a, _ in ends]), middle([b for _, b in ends])
        return direction(start, end) if start != end else None

    def jumps(self, way: Way) -> bool:
        """CLX-LOG-01."""
        return apart(way.points[0], way.model.at) > ROUNDED

    def rough(self, way: Way, flag: str) -> bool | None:
        """Whether a way crosses terrain of a kind (2.10); None where that hangs on the rounding of the record."""
        if not self.t.crossed(way.model, way.points, flag) and way.model.base.corners:
            return False
        legs = list(itertools.pairwise(way.points)) or [(way.points[0], way.points[0])]
        sure = False
        by_centre = self.by("OR-TERRAIN-TOUCH") == "CENTRE"
        for piece in self.t.terrain:
            if not piece.get(flag):
                continue
            if way.model.base.corners:
                return None
            if by_centre:
                through = self.centre_crosses(way, self.t.corners(piece))
                if through is None:
                    return None
                sure = sure or through
                continue
            far = min(to_polygon(a, b, self.t.corners(piece)) for a, b in legs)
            inner = any(a == b for a, b in legs) or far > 0
            if abs(far - way.model.base.r) <= ROUNDED and inner:
                return None
            sure = sure or far < way.model.base.r
        return sure

    @staticmethod
    def centre_crosses(way: Way, corners: Sequence[Point]) -> bool | None:
        """Whether the centre of a base passes through a polygon; None where that hangs on the rounding of the record."""
        legs = [(a, b) for a, b in itertools.pairwise(way.points) if a != b]
        crossing = any(runs_through(a, b, corners) for a, b in legs)
        for a, b in legs:
            for x, y in ((ROUNDED, 0), (-ROUNDED, 0), (0, ROUNDED), (0, -ROUNDED)):
                beside = [(a[0] + x, a[1] + y), (b[0] + x, b[1] + y)]
                if crossing != any(runs_through(p, q, corners) for p, q in (beside,)) and len(legs) == 1:
                    return None
        near = any(to_polygon(a, b, corners) <= ROUNDED for a, b in legs)
        return None if len(legs) > 1 and crossing != near else crossing

    def too_near(self, way: Way) -> bool | None:
        """CLX-MOVE-02 (2.4); None where a hull comes near."""
        model, base = way.model, way.model.base_at(way.points[0])
        broken = False
        for enemy in self.t.enemies(model.unit):
            for foe in enemy.living:
                far = 1 + float(way.length)
                if not near(base, foe.base, far):
                    continue
                if base.corners:
                    if way_gap(Base(way.points[0], base.reach), way.points, foe.base) >= ZONE:
                        continue
                    return None
                least, start = way_gap(base, way.points, foe.base), gap(base, foe.base)
                end = gap(model.base_at(way.points[-1]), foe.base)
                if self.by("OR-STOP") == "HALT" and way.length and least <= ZONE + ROUNDED:
                    if base.corners or foe.base.corners or least != ZONE:
                        raise NotJudged("an inch from the enemy by a hair, or of a hull")
                    broken = broken or self.goes_on_from(way, foe)
                if least >= ZONE - ROUNDED:
                    continue
                if start >= ZONE or (way.length and (least < start - ROUNDED or end < ZONE - ROUNDED)):
                    broken = True
        return broken

    @staticmethod
    def goes_on_from(way: Way, foe: Model) -> bool:
        """Whether a way that comes no nearer to a model than an inch goes on from where it is an inch away (OR-STOP).
        Raises NotJudged where it begins there."""
        places = [gap(way.model.base_at(point), foe.base) for point in way.points]
        if places[0] == ZONE:
            raise NotJudged("a way that begins an inch from the enemy")
        return places[-1] != ZONE or ZONE in places[:-1]

    def torn(self, unit: Unit, ways: Sequence[Way]) -> bool:
        """Whether a unit is out of coherency after its ways (2.5). Raises NotJudged where it was before."""
        was = connected([model.base for model in unit.living], COHERENT)
        after = list(self.bases_after(unit, ways).values())
        when = self.by("OR-COH-WHEN")
        if connected(after, COHERENT + ROUNDED):
            if was and when == "STEPWISE":
                return self.torn_by_steps(unit, ways)
            return was and when == "SIMULTANEOUS" and self.torn_meanwhile(unit, ways)
        if not was:
            raise NotJudged("a unit that was torn before")
        return True

    @staticmethod
    def bases_after(unit: Unit, ways: Sequence[Way]) -> dict[str, Base]:
        """Where the models of a unit stand after its ways."""
        ends = {way.model.id: way for way in ways}
        return {
            m.id: m.base_at(ends[m.id].points[-1], (ends[m.id].headings or [m.heading])[-1]) if m.id in ends else m.base
            for m in unit.living
        }

    def torn_by(self, unit: Unit, ways: Sequence[Way], told: Collection[str]) -> bool:
        """Whether a unit is torn beside a model of whose way a fault has been told: its way is one act, and the gap no other.
        The gap is the widest of those that would have to be bridged. Where a way begins elsewhere than its model stood, one
        of the two places is wrong, and nothing else is told of the move."""
        after = self.bases_after(unit, ways)
        if any(map(self.jumps, ways)):
            return True
        if not told or connected(list(after.values()), COHERENT + ROUNDED):
            return False
        sides = {name: {name} for name in after}
        pairs = sorted(itertools.combinations(after, 2), key=lambda pair: gap(after[pair[0]], after[pair[1]]))
        last = pairs[0]
        for one, other in pairs:
            if sides[one] is not sides[other]:
                last = (one, other)
                sides[one] |= sides[other]
                for name in sides[other]:
                    sides[name] = sides[one]
        return bool(set(told) & set(last))

    @staticmethod
    def holds(bases: Sequence[Base]) -> bool:
        """Whether bases are in coherency. Raises NotJudged where that is within the rounding of the record."""
        held = connected(bases, COHERENT)
        if not held and connected(bases, COHERENT + 2 * ROUNDED):
            raise NotJudged("coherency by a hair")
        return held

    def torn_by_steps(self, unit: Unit, ways: Sequence[Way]) -> bool:
        """Whether a unit is out of coherency after the move of one of its models, in the order of the record."""
        bases = {m.id: m.base for m in unit.living}
        for way in ways:
            bases[way.model.id] = way.model.base_at(way.points[-1], way.headings[-1] if way.headings else None)
            if not self.holds(list(bases.values())):
                return True
        return False

    def torn_meanwhile(self, unit: Unit, ways: Sequence[Way]) -> bool:
        """Whether a unit is out of coherency at a hundredth of the moves of all its models together."""
        if any(way.headings is not None for way in ways):
            raise NotJudged("hulls that move together")
        bases = {m.id: m.base for m in unit.living}
        for n in range(1, 100):
            for way in ways:
                bases[way.model.id] = way.model.base_at(along(way.points, way.length * n / 100))
            if not self.holds(list(bases.values())):
                return True
        return False

    # ---------------------------------------------------------------- the Movement Phase

    def stuck(self, unit: Unit) -> bool:
        """Whether a unit may not move."""
        until = max(unit.pinned_until, unit.grounded_until, unit.stuck_until)
        return unit.locked is not None or unit.falling_back or self.t.clock <= until

    def opens(self, phase: str) -> None:
        super().opens(phase)
        if phase == "movement":
            for unit in self.t.of(self.t.active):
                unit.start_gap = {foe.id: self.t.unit_gap(unit, foe) for foe in self.t.enemies(unit)}

    def on_move(self, at: Reader) -> Faults:
        unit = at.unit()
        if unit.owner != self.t.active or self.stuck(unit) or unit.moved:
            raise NotJudged("a unit that may not move, or moves again")
        ways = self.ways(at, unit)
        dice = at.dice("difficult_dice") if "difficult_dice" in at.event else None
        if dice is not None and (len(dice) != 2 or any(not 1 <= die <= 6 for die in dice)):
            yield from at.dice_fit(dice, 2, unit.owner)
            self.stops = True
            return
        crossing = [self.rough(way, flag) for way in ways for flag in ROUGH]
        slow = any(crossing)
        if None in crossing and not slow and (dice is not None or unit.vehicle):
            raise NotJudged("terrain by a hair, or under a hull")
        if slow and dice is None:
            yield self.fault("MOVE-04", "omitted", unit.owner)
        best = Decimal(max(dice)) if slow and dice is not None else None
        limited = self.limited(ways) if slow else []
        self.stated = Decimal(0)
        if slow or dice is None:
            yield from self.allowance_is(at, unit, ways, best, limited)
        told: set[str] = set()
        for way in ways:
            for fault in self.way_is_lawful(unit, way, best if way in limited else None):
                told.add(way.model.id)
                yield fault
        if self.torn(unit, ways) and not self.torn_by(unit, ways, told):
            yield self.fault("MOVE-03", "illegal", unit.owner)
        yield from self.danger(at, unit, ways)
        unit.moved = any(way.legs or len(set(way.headings or [0])) > 1 for way in ways)
        self.go(unit, ways)

    def limited(self, ways: Sequence[Way]) -> list[Way]:
        """The ways that the dice for difficult terrain slow down (OR-DIFF-SCOPE)."""
        if self.by("OR-DIFF-SCOPE") == "UNIT":
            return list(ways)
        crossing = {way.model.id: [self.rough(way, flag) for flag in ROUGH] for way in ways}
        if any(None in found and True not in found for found in crossing.values()):
            raise NotJudged("terrain by a hair, of one model")
        return [way for way in ways if any(crossing[way.model.id])]

    def slowed(self, full: Decimal, best: Decimal) -> Decimal:
        """What the dice for difficult terrain allow (OR-DIFF-CAP)."""
        return best if self.by("OR-DIFF-CAP") == "REPLACE" else min(full, best)

    def allowance_is(
        self, at: Reader, unit: Unit, ways: Sequence[Way], best: Decimal | None, limited: Sequence[Way]
    ) -> Faults:
        """A claimed allowance (CLX-MOVE-01, -04)."""
        claimed = at.event.get("claimed_allowance")
        if "claimed_allowance" not in at.event:
            return
        if type(claimed) not in (int, float):
            raise NotJudged("an allowance that is no number")
        full = {way.model.n("M") for way in ways}
        if len(full) > 1:
            return
        right = Decimal(full.pop())
        if best is not None:
            if len(limited) < len(ways):
                return
            right = self.slowed(right, best)
        if Decimal(str(claimed)) != right:
            if (limited and best is None) or any(len(set(way.headings or [0])) > 1 for way in ways):
                raise NotJudged("an allowance without the dice that it hangs on, or with pivots")
            if best is not None:
                self.stated = Decimal(str(claimed))
            yield self.fault("MOVE-04" if best is not None else "MOVE-01", "miscalculated", unit.owner)

    def way_is_lawful(self, unit: Unit, way: Way, best: Decimal | None) -> Faults:
        """CLX-LOG-01, CLX-MOVE-01, -02, -04 and CLX-VEH-05 of one way."""
        faults: list[str] = []
        full = Decimal(way.model.n("M"))
        limit = full if best is None else self.slowed(full, best)
        pivots = unit.vehicle is not None and (unit.kind != "walker" or self.by("OR-PIVOT-WHO") == "ALL_VEHICLES")
        turns = self.turns(way) if pivots else []
        cost = sum(map(self.price, turns), Decimal(0))
        over = way.length + cost - limit
        if way.length + cost <= self.stated:
            over = Decimal(0)  # It kept to a number that was wrong, and that has been told.
        if over > ROUNDED * max(1, way.legs + len(turns)):
            if turns and way.length > limit:
                raise NotJudged("too far, with a pivot besides")
            faults.append("VEH-05" if turns else "MOVE-01" if best is None else "MOVE-04")
        if self.jumps(way):
            faults.append("LOG-01")
        if pivots and self.slips(way):
            faults.append("VEH-05")
        close = self.too_near(way)
        if close is None:
            raise NotJudged("a hull near the enemy")
        if close:
            faults.append("MOVE-02")
        if len(faults) > 1:
            raise NotJudged("more than one fault of one way")
        for rule in faults:
            yield self.fault(rule, "illegal", unit.owner)

    def price(self, degrees: Decimal) -> Decimal:
        """What a pivot costs (OR-PIVOT)."""
        quarters = degrees / 90
        if self.by("OR-PIVOT") == "FLOOR":
            return Decimal(math.floor(quarters))
        return Decimal(math.ceil(quarters)) if self.by("OR-PIVOT") == "CEIL" else quarters

    def turns(self, way: Way) -> list[Decimal]:
        """The pivots of a hull, in degrees: the changes at one place are one."""
        assert way.headings is not None
        found: list[Decimal] = []
        if not way.model.base.corners:
            return found
        at, turned = way.points[0], Decimal(0)
        before = way.model.heading
        for point, heading in zip(way.points, way.headings, strict=True):
            if point != at:
                found, at, turned = [*found, turned], point, Decimal(0)
            off = Decimal(str(heading)) - Decimal(str(before))
            turned += abs((off + 180) % 360 - 180 if off >= -180 else (off + 540) % 360 - 180)
            before = heading
        return [one for one in [*found, turned] if one]

    def slips(self, way: Way) -> bool:
        """Whether a leg does not run along the heading (CLX-VEH-05)."""
        assert way.headings is not None
        for n, (a, b) in enumerate(itertools.pairwise(way.points)):
            if a == b:
                continue
            far = float(apart(a, b))
            aside = min(abs(far * math.sin(math.radians(direction(a, b) - way.headings[i]))) for i in (n, n + 1))
            most = float(ROUNDED) + far * math.sin(math.radians(0.5))
            if abs(aside - most) < 1e-6:
                raise NotJudged("a leg by a hair off its heading")
            if aside > most:
                return True
        return False

    def danger(self, at: Reader, unit: Unit, ways: Sequence[Way]) -> Faults:
        """Dangerous Terrain tests (BASE-DANGEROUS): a 1 is a wound. Whether they are due at all is OR-DANGEROUS."""
        tests = at.rows("dangerous") if "dangerous" in at.event else []
        hurt = [way.model.id for way in ways if self.rough(way, "dangerous")]
        if hurt and not tests:
            if self.by("OR-DANGEROUS") == "TEST_TOO":
                yield self.fault("MOVE-04", "omitted", unit.owner)
            return
        if sorted(row.text("model") for row in tests) != sorted(hurt):
            raise NotJudged("tests of others than crossed dangerous ground")
        for row in tests:
            if not 1 <= row.whole("die") <= 6:
                raise NotJudged("a die that shows something else")
            if row.whole("die") == 1:
                model = row.model()
                model.wounds -= 1

    def on_removed(self, at: Reader) -> Faults:
        """A model is taken off; what for is not judged."""
        at.model(alive=False).alive = False
        yield from ()

    # ---------------------------------------------------------------- running and fleeing

    def on_run(self, at: Reader) -> Faults:
        unit = at.unit()
        if unit.owner != self.t.active or self.stuck(unit):
            raise NotJudged("a unit that may not run")
        if unit.ran or (unit.tried and not (self.wasted(unit) and self.by("OR-RUN-AFTER-FAIL") == "YES")):
            yield self.fault("RUN-02", "illegal", unit.owner)
            if self.by("OR-COH-WHEN") != "END" and self.torn(unit, self.ways(at, unit)):
                yield self.fault("RUN-03", "illegal", unit.owner)
            self.stops = True
            return
        if unit.vehicle is not None and (unit.vehicle.get("flyer") or unit.vehicle.get("squadron")):
            raise NotJudged("flyers and squadrons are not followed")
        if any(key in at.event for key in ("swooping", "zooming")):
            raise NotJudged("a way of flying that is stated")
        ways = self.ways(at, unit)
        count = run_dice(unit.kind)
        dice = at.dice() if count or "dice" in at.event else []
        count = run_dice(unit.kind, swooping=len(dice) > count)
        if len(dice) != count or any(not 1 <= die <= 6 for die in dice):
            yield from at.dice_fit(dice, count, unit.owner)
            unit.ran = True  # How far it may go nobody can tell: it stands where the log says.
            self.go(unit, ways)
            return
        far = Decimal(sum(dice) if count else TURBO.get(unit.kind) or flat_out(unit.vehicle or {}))
        if not far:
            raise NotJudged("a heavy vehicle goes flat out")
        claimed = at.event.get("claimed_distance")
        if "claimed_distance" in at.event and type(claimed) not in (int, float):
            raise NotJudged("a distance that is no number")
        if claimed is not None and Decimal(str(claimed)) != far:
            if not count:
                raise NotJudged("a distance for which nobody rolls")
            yield self.fault("RUN-01", "miscalculated", unit.owner)
            far = max(far, Decimal(str(claimed)))  # Who keeps to a wrong number is not accused besides.
        told: set[str] = set()
        for way in ways:
            turns = self.turns(way) if unit.kind == "vehicle" else []
            cost = sum(map(self.price, turns), Decimal(0))
            if (turns and way.length + cost > far) or (unit.kind == "vehicle" and self.slips(way)):
                raise NotJudged("a run that pivots too much, or slips")
            if self.too_near(way) is not False:
                raise NotJudged("a run near the enemy")
            faults = ["RUN-01"] if way.length - far > ROUNDED * max(1, way.legs) else []
            faults += ["LOG-01"] if self.jumps(way) else []
            if len(faults) > 1:
                raise NotJudged("more than one fault of one way")
            for rule in faults:
                told.add(way.model.id)
                yield self.fault(rule, "illegal", unit.owner)
        if self.torn(unit, ways) and not self.torn_by(unit, ways, told):
            yield self.fault("RUN-03", "illegal", unit.owner)
        unit.ran = True
        self.go(unit, ways)

    def wasted(self, unit: Unit) -> bool:
        """Whether a unit has lost its shooting by an attack out of range."""
        raise NotImplementedError

    def on_fall_back(self, at: Reader) -> Faults:
        unit, dice = at.unit(), at.dice()
        rule = self.flees.pop(unit.id, None)
        if (rule is None and not unit.falling_back) or at.event.get("dangerous"):
            raise NotJudged("nobody must fall back")
        if len(dice) != 2 or any(not 1 <= die <= 6 for die in dice):
            yield from at.dice_fit(dice, 2, unit.owner)
            self.stops = True
            return
        ways = self.ways(at, unit)
        for way in ways:
            faults = [rule] if way.length - sum(dice) > ROUNDED * max(1, way.legs) else []
            faults += ["LOG-01"] if self.jumps(way) else []
            if len(faults) > 1 or None in faults:
                raise NotJudged("too far, and no rule that says so")
            for one in faults:
                assert one is not None
                yield self.fault(one, "illegal", unit.owner)
        self.go_and_keep_facing(unit, ways)
        self.flee(unit)

    @staticmethod
    def flee(unit: Unit) -> None:
        """A unit falls back, out of a combat too."""
        unit.falling_back = True
        if unit.locked is not None:
            unit.locked.locked, unit.locked = None, None


def along(points: Sequence[Point], inches: Decimal) -> Point:
    """The place so many inches along a way."""
    for a, b in itertools.pairwise(points):
        far = apart(a, b)
        if far and inches <= far:
            return (a[0] + (b[0] - a[0]) * inches / far, a[1] + (b[1] - a[1]) * inches / far)
        inches -= far
    return points[-1]
