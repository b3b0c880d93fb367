"""The table of an invented game: what stands where, what each unit has done, and the log that grows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from random import Random
from typing import Any

from auditor.conformance.clx.inches import (
    NONE,
    Base,
    Point,
    apart,
    between_edges,
    direction,
    gap,
    least_gap,
    middle,
    number,
    runs_through,
    stand,
    to_polygon,
    turn_between,
    way_gap,
    within,
    written,
)
from auditor.conformance.clx.sight import Blocker, sees
from auditor.conformance.clx.steer import Steer

Json = dict[str, Any]
COVER = {"none": 0, "soft": 1, "hard": 2}
DOUBT = Decimal("0.05")
"""So near to the rim of an arc, in inches, nobody of ours acts on it."""
WIDE_DOUBT = Decimal("0.3")
"""The same where every place is to be written a little off."""


@dataclass(eq=False)
class Model:
    """A model: its entry in the data and where it is."""

    id: str
    entry: Json
    unit: Unit
    wounds: int
    at: Point = (NONE, NONE)
    z: Decimal = NONE
    heading: float = 0
    alive: bool = True
    last: tuple[Point, float, Base] | None = None

    def n(self, name: str) -> int:
        """A number of its profile; 0 where there is none."""
        return int(self.entry["profile"].get(name) or 0)

    @property
    def base(self) -> Base:
        """Its base where it stands."""
        return self.base_at(self.at)

    def base_at(self, at: Point, heading: float | None = None) -> Base:
        """Its base at another place."""
        turned = self.heading if heading is None else heading
        if self.last is None or self.last[0] != at or self.last[1] != turned:
            self.last = (at, turned, stand(self.entry["base"], at, turned))
        return self.last[2]


@dataclass(eq=False)
class Unit:
    """A unit: its entry in the data and what it is up to. Moments are numbers of player turns.

    slowed        its models that an EMP grenade has hit
    turned_over   the length in inches of the move or shot that turned it, and `frame_over` the same of its frame: the
                  shorter, the less is certain of its facing where places are written a little off; None: it is stated
    charged_sure  whether its last charge came from where no measuring doubts the arc
    """

    id: str
    owner: str
    entry: Json
    models: list[Model] = field(default_factory=list)
    facing: float | None = None
    turned_by: str = "CLX-FACE-01"
    turned_over: float | None = None
    frame_over: float | None = None
    on_table: bool = False
    aboard: str | None = None
    moved: bool = False
    ran: bool = False
    tried: bool = False
    fired: set[str] = field(default_factory=set)
    charged: str | None = None
    charged_rear: bool = False
    charged_sure: bool = True
    uphill: set[str] = field(default_factory=set)
    climbed: set[str] = field(default_factory=set)
    no_bonus: bool = False
    thrower: str | None = None
    counter: bool = False
    locked: Unit | None = None
    first_round: bool = False
    pinned_until: int = -1
    grounded_until: int = -1
    stuck_until: int = -1
    no_shots_until: int = -1
    gone_to_ground: bool = False
    jinks: bool = False
    hidden: bool = False
    shot_hidden: bool = False
    pressed: bool = False
    asked_prone: bool = False
    falling_back: bool = False
    frenzy_lost: bool = False
    init_loss: int = 0
    slowed: set[str] = field(default_factory=set)
    start_gap: dict[str, Decimal] = field(default_factory=dict)
    attacks: list[Json] = field(default_factory=list)
    frame: float | None = None
    crossed: bool = False
    arrived: int = -1
    outflanking: bool = False
    fear_failed: set[str] = field(default_factory=set)
    fear_overcome: set[str] = field(default_factory=set)
    rear_assaulted: bool = False

    def begin_turn(self, player: str) -> None:
        """What lasts for a turn is over when one begins: of a player's own units all, of the others what a fight left."""
        if self.owner == player:
            self.moved = self.ran = self.tried = False
            self.fired = set()
            self.charged, self.thrower, self.no_bonus = None, None, False
            self.charged_rear, self.uphill = False, set()
        self.init_loss = 0
        self.slowed = set()
        self.rear_assaulted = False

    @property
    def living(self) -> list[Model]:
        """Its models on the table."""
        return [model for model in self.models if model.alive]

    @property
    def gone(self) -> bool:
        """Whether nobody is left."""
        return not self.living

    @property
    def rules(self) -> list[str]:
        """Its special rules."""
        return list(self.entry.get("rules", ()))

    @property
    def kind(self) -> str:
        """Its unit type."""
        return str(self.entry["type"])

    @property
    def vehicle(self) -> Json | None:
        """What it is as a vehicle."""
        value: Json | None = self.entry.get("vehicle")
        return value

    @property
    def centre(self) -> Point:
        """Its reference point."""
        return middle([model.at for model in self.living])

    @property
    def ld(self) -> int:
        """BASE-LD: the highest Leadership among the living."""
        return max(model.n("Ld") for model in self.living)

    def hates(self, other: Unit) -> bool:
        """Whether it has Hatred of another unit."""
        return self._names("hatred:", other)

    def prefers(self, other: Unit) -> bool:
        """Whether another unit is its Preferred Enemy."""
        return self._names("preferred_enemy:", other)

    def fears(self, other: Unit) -> bool:
        """Whether another unit makes it afraid."""
        return "fear" in other.rules and "fear" not in self.rules and other.id not in self.fear_overcome

    def _names(self, start: str, other: Unit) -> bool:
        named = {rule.removeprefix(start) for rule in self.rules if rule.startswith(start)}
        return bool(named & {other.id, other.entry.get("faction")})


@dataclass
class Table:
    """A game in play."""

    rng: Random
    header: Json
    units: dict[str, Unit]
    weapons: dict[str, Json]
    powers: dict[str, Json]
    terrain: list[Json]
    base_rules: Json
    width: Decimal
    depth: Decimal
    log: list[Json] = field(default_factory=list)
    tags: dict[int, Json] = field(default_factory=dict)
    turn: int = 0
    phase: str = "pre"
    active: str = "A"
    first: str = "A"
    clock: int = 0
    known: dict[str, list[str]] = field(default_factory=dict)
    counter: int = 0
    doubt: Decimal = DOUBT
    faces: Sequence[int] = ()
    """What the dice show, one as often as the other; none: those of a fair die."""
    deep: Decimal = Decimal(10)
    any_facing: bool = False
    readings: Mapping[str, str] = field(default_factory=dict)
    steer: Steer | None = None
    habits: frozenset[str] = frozenset()
    """splits: lore is split between disciplines; jinks: who may jink does; throws: grenades are always
    thrown; huddles: armies stand in the middle, and run no more where they can charge; tests: charges come
    with characteristic tests of the base game; hides: infiltrators lie hidden and still until they are spotted."""
    sights: dict[Any, bool | None] = field(default_factory=dict)
    outlines: dict[str, list[Point]] = field(default_factory=dict)
    last: int | None = None
    """The number of the player turn after which the game breaks off; None: it goes on to its end."""
    spoil: Callable[[Table, Json, Json], bool] | None = None
    """Called with each event before it is written, and what is known of it; False keeps it out of the log."""

    def rules(self, reading: str, option: str) -> bool:
        """Whether a tournament has ruled so, other than by default."""
        return self.readings.get(reading) == option

    # the log

    def write(self, type_: str, player: str | None = None, tag: Json | None = None, **fields: Any) -> Json:
        """Put an event into the log; what is None in the fields is left out."""
        event: Json = {"seq": len(self.log) + 1, "turn": self.turn, "phase": self.phase}
        if player is not None:
            event["player"] = player
        event["type"] = type_
        event.update({key: _plain(value) for key, value in fields.items() if value is not None})
        if self.spoil is not None and not self.spoil(self, event, tag or {}):
            return event
        self.log.append(event)
        if tag:
            self.tags[event["seq"]] = tag
        return event

    def name(self, letter: str) -> str:
        """A new name for an attack or cast."""
        self.counter += 1
        return f"{letter}{self.counter}"

    def d6(self) -> int:
        """A die."""
        return self.rng.choice(self.faces) if self.faces else self.rng.randint(1, 6)

    def dice(self, count: int) -> list[int]:
        """Some dice."""
        return [self.d6() for _ in range(count)]

    def chance(self, share: float) -> bool:
        """Whether something happens that happens so often."""
        return self.rng.random() < share

    def often(self, what: str, share: float) -> bool:
        """Whether something happens that happens so often, where the game is not led to more or less of it."""
        return self.chance(share if self.steer is None else self.steer.odds.get(what, share))

    def led(self, what: str) -> bool:
        """Whether something happens that the bot does in no game that is not led to it."""
        return self.steer is not None and what in self.steer.odds and self.chance(self.steer.odds[what])

    # who there is

    def of(self, player: str) -> list[Unit]:
        """A player's units on the table."""
        return [u for u in self.units.values() if u.owner == player and u.on_table and not u.gone]

    def enemies(self, unit: Unit) -> list[Unit]:
        """The other side's units on the table."""
        return self.of(self.other(unit.owner))

    @staticmethod
    def other(player: str) -> str:
        """The other player."""
        return "B" if player == "A" else "A"

    def standing(self) -> Iterable[Model]:
        """All models on the table."""
        return (m for u in self.units.values() if u.on_table for m in u.living)

    # where things are

    def unit_gap(self, one: Unit, other: Unit) -> Decimal:
        """The least distance of two units' models."""
        return max(NONE, least_gap([m.base for m in one.living], [n.base for n in other.living]))

    def corners(self, piece: Json) -> list[Point]:
        """The corners of a piece of terrain."""
        key = piece["id"]
        if key not in self.outlines:
            self.outlines[key] = [(number(x), number(y)) for x, y in piece["poly"]]
        return self.outlines[key]

    def surface(self, at: Point) -> Decimal:
        """The height of the ground under a place."""
        heights = [number(p["surface_z"]) for p in self.terrain if p.get("surface_z") and within(at, self.corners(p))]
        return max(heights, default=NONE)

    def in_bounds(self, base: Base) -> bool:
        """Whether a base lies on the table."""
        points = base.corners or (
            (base.at[0] - base.r, base.at[1] - base.r),
            (base.at[0] + base.r, base.at[1] + base.r),
        )
        return all(0 <= x <= self.width and 0 <= y <= self.depth for x, y in points)

    def crossed(self, model: Model, path: Sequence[Point], flag: str) -> bool:
        """Whether a model's way crosses terrain of a kind; of hulls, whether it comes near."""
        reach = model.base.reach
        legs = list(itertools.pairwise(path)) or [(path[0], path[0])]
        return any(
            piece.get(flag)
            and self._beside(piece, path, reach)
            and min(to_polygon(a, b, self.corners(piece)) for a, b in legs) < reach
            for piece in self.terrain
        )

    def _beside(self, piece: Json, path: Sequence[Point], reach: Decimal) -> bool:
        """Whether the box round a way comes as near to the box round a piece as that."""
        corners = self.corners(piece)
        return all(
            min(p[i] for p in path) - reach < max(c[i] for c in corners)
            and max(p[i] for p in path) + reach > min(c[i] for c in corners)
            for i in (0, 1)
        )

    def room(self, spots: Sequence[tuple[Model, Base]], apart_from: Iterable[Model] = ()) -> bool:
        """Whether bases fit where they are to stand: on the table, beside each other and beside all who stay."""
        moving = {id(m) for m, _ in spots} | {id(m) for m in apart_from}
        if not all(self.in_bounds(base) for _, base in spots):
            return False
        for i, (_, base) in enumerate(spots):
            for _, other in spots[i + 1 :]:
                if near(base, other) and gap(base, other) < 0:
                    return False
                if near(base, other) and base.corners and other.corners and gap(base, other) <= 0:
                    return False
        for stayed in self.standing():
            if id(stayed) in moving:
                continue
            its = stayed.base
            for _, base in spots:
                if near(base, its) and (gap(base, its) < 0 or (gap(base, its) <= 0 and (base.corners or its.corners))):
                    return False
        return True

    def keeps_clear(self, model: Model, path: Sequence[Point]) -> bool:
        """Whether a round base keeps an inch from the enemy on its way (CLX-MOVE-02)."""
        base = model.base
        around, far = [Base(p, base.reach) for p in path], 1 + float(apart(path[0], path[-1]))
        for enemy in self.enemies(model.unit):
            for foe in enemy.living:
                its = foe.base
                if not any(near(one, its, far) for one in around):
                    continue
                least = way_gap(base, path, its)
                if least >= 1:
                    continue
                start, end = gap(base, its), gap(model.base_at(path[-1]), its)
                if least < start or end < 1:
                    return False
        return True

    # sight, cover, arcs

    def visible(self, one: Model, other: Model) -> bool | None:
        """Whether a model sees another; None where that hangs on a hair."""
        key = (one.at, other.at, one.z, other.z, one.id, other.id, one.heading, other.heading)
        if key not in self.sights:
            blockers = [Blocker(self.corners(p), p.get("los_height")) for p in self.terrain if p.get("blocks_los")]
            eyes = (float(one.z) + one.entry["height"], float(other.z) + other.entry["height"])
            self.sights[key] = sees(one.base, other.base, blockers, eyes)
        return self.sights[key]

    def cover_from(self, firer: Model, target: Unit) -> int:
        """The cover level of a unit from a firer: the highest that at least half of its models have (OR-COVER-UNIT)."""
        if self.rules("OR-COVER-UNIT", "CLOSEST"):
            return self._model_cover(firer, min(target.living, key=lambda n: gap(firer.base, n.base)))
        levels = sorted((self._model_cover(firer, model) for model in target.living), reverse=True)
        return levels[0 if self.rules("OR-COVER-UNIT", "ANY") else (len(levels) + 1) // 2 - 1]

    def in_cover(self, unit: Unit) -> bool:
        """Whether every base of a unit lies in cover."""
        covers = [self.corners(piece) for piece in self.terrain if piece.get("cover", "none") != "none"]
        return all(any(_in(model.base, corners) for corners in covers) for model in unit.living)

    def _model_cover(self, firer: Model, model: Model) -> int:
        between = self.base_rules.get("BASE-COVER-GEOM", "AREA_OR_INTERVENING") != "AREA_ONLY"
        best = 0
        for piece in self.terrain:
            level = COVER[piece.get("cover", "none")]
            if level <= best:
                continue
            corners = self.corners(piece)
            if _in(model.base, corners) or (
                between and runs_through(firer.at, model.at, corners) and not _in(firer.base, corners)
            ):
                best = level
        return best

    def off_the_rims(self, target: Unit, point: Point, doubt: float | None = None) -> bool:
        """Whether a point lies clear of the rims of a unit's arcs, even where its facing is written to a whole degree, or
        follows from a short move or shot whose ends are written a little off; `doubt`: by how much, in inches."""
        if target.facing is None:
            return False
        far = float(apart(target.centre, point))
        off = turn_between(target.facing, direction(target.centre, point))
        doubt, over = float(self.doubt) if doubt is None else doubt, target.turned_over
        doubt += far * (math.sin(math.radians(0.5)) if over is None else doubt / max(over, 0.01))
        return all(abs(off - rim) >= 90 or far * math.sin(math.radians(abs(off - rim))) > doubt for rim in (45, 135))

    def arc(self, target: Unit, point: Point, facing: float | None = None) -> str | None:
        """From which side a point lies (OR-ARC); None where that is not known or near the rim of an arc."""
        faces = target.facing if facing is None else facing
        if faces is None:
            return None
        centre = target.centre
        far = apart(centre, point)
        off = turn_between(faces, direction(centre, point))
        doubt = float(self.doubt)
        if self.doubt > DOUBT:
            over = target.turned_over if facing is None else target.frame_over
            doubt *= 1 + (float(far) / max(over, 0.01) if over is not None else 0)
        halves = self.rules("OR-ARC", "HALVES")
        for rim in (90,) if halves else (45, 135):
            if abs(off - rim) < 90 and abs(float(far) * math.sin(math.radians(off - rim))) < doubt:
                return None
        if halves:
            return "front" if off < 90 else "rear"
        return "front" if off < 45 else "side" if off < 135 else "rear"


def _in(base: Base, corners: Sequence[Point]) -> bool:
    """Whether a base lies over the inside of a polygon."""
    if base.corners:
        return min(to_polygon(a, b, corners) for a, b in zip(base.corners, base.corners[1:], strict=False)) <= 0 or any(
            within(c, base.corners) for c in corners
        )
    return to_polygon(base.at, base.at, corners) < base.r


def near(one: Base, other: Base, more: float = 0.0) -> bool:
    """Whether two bases may be within a hair of each other, in floats."""
    return between_edges(one, other) <= more + 0.01


def _plain(value: Any) -> Any:
    """A value as it stands in a log."""
    if isinstance(value, Decimal):
        return written(value)
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items() if one is not None}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
