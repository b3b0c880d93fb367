"""Deployment and the Movement Phase of an invented game (catalogue 6.1, 6.2, 6.10)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_DOWN, ROUND_UP, Decimal

from auditor.conformance.clx.inches import (
    NONE,
    Base,
    Point,
    apart,
    connected,
    direction,
    gap,
    least_gap,
    length,
    number,
    squared,
    turn_between,
    way_gap,
)
from auditor.conformance.clx.steer import Steer
from auditor.conformance.clx.table import Json, Model, Table, Unit, near

CENT = Decimal("0.01")
RIGHT = ((1, 0), ("0.6", "0.8"), ("0.8", "0.6"), ("0.28", "0.96"), ("0.96", "0.28"))
"""Directions with decimals in which a step of whole inches ends at decimals."""

Plan = list[tuple[Model, list[Point]]]


def exact_directions() -> list[Point]:
    """All directions of RIGHT with their mirror images."""
    found = {
        (number(x) * sx, number(y) * sy) for p in RIGHT for x, y in (p, p[::-1]) for sx in (1, -1) for sy in (1, -1)
    }
    return sorted(found)


EXACT = exact_directions()
HINDERING = ("difficult", "dangerous", "cover", "surface_z")
CLOSE, IN_REACH = Decimal(2), Decimal(20)
"""Nobody arrives from reserve nearer to an enemy than the one, nor farther off than the other if it can be helped."""
HAND = Decimal("0.1")
"""Nobody is put down nearer to an enemy than that."""


def step(angle: float, inches: Decimal, exact: bool) -> Point:
    """A step of at most so many inches in about a direction; of just so many where it is to be exact."""
    if exact:
        x, y = min(EXACT, key=lambda d: turn_between(angle, math.degrees(math.atan2(d[1], d[0]))))
        return x * inches, y * inches
    radians = math.radians(angle)
    x, y = (Decimal(repr(f(radians))) * inches for f in (math.cos, math.sin))
    return x.quantize(CENT, ROUND_DOWN), y.quantize(CENT, ROUND_DOWN)


def deploy(t: Table, unit: Unit) -> bool:
    """Put a unit down in its owner's zone; False where there is no room."""
    faces = 90 if unit.owner == "A" else 270
    deep = t.deep
    low = NONE if unit.owner == "A" else t.depth - deep
    if t.steer is not None:
        return deploy_led(t, unit, t.steer)
    for _ in range(80):
        first = unit.models[0]
        reach = first.base.reach
        # A hull's reach has no decimals: models are put down where a log can write them.
        wide = first.base.r or reach.quantize(CENT, ROUND_UP)
        space = 2 * wide + t.rng.choice((Decimal(2), Decimal(2), Decimal("0.5"), Decimal("1.25"), Decimal("0.1")))
        in_row = t.rng.choice((3, 4, 6, 10))
        aside = int(t.width) * 36 if "huddles" in t.habits else 100
        x0 = Decimal(t.rng.randint(aside, int(t.width) * 100 - aside)) / 100
        y0 = low + Decimal(t.rng.randint(100, int(deep) * 100 - 100)) / 100
        spots: list[tuple[Model, Base]] = []
        for i, model in enumerate(unit.models):
            at = (x0 + space * (i % in_row), y0 + space * (i // in_row))
            spots.append((model, model.base_at(at, faces)))
        bases = [base for _, base in spots]
        if any(b.at[1] - b.reach < low or b.at[1] + b.reach > low + deep for b in bases):
            continue
        if not t.room(spots) or not connected(bases):
            continue
        if any(t.crossed(m, [b.at], "impassable") for m, b in spots):
            continue
        if unit.vehicle and any(t.crossed(m, [b.at], flag) for m, b in spots for flag in HINDERING):
            continue
        looks = (
            faces
            if unit.vehicle or not t.any_facing or t.chance(0.6)
            else t.rng.choice((0, 90, 135, 180, 225, 270, 300))
        )
        stand_down(t, unit, spots, faces, looks)
        return True
    return False


def stand_down(t: Table, unit: Unit, spots: Sequence[tuple[Model, Base]], faces: int, looks: int) -> None:
    """A unit is where it is put down."""
    for model, base in spots:
        model.at, model.heading = base.at, faces
        model.z = t.surface(base.at)
    unit.on_table, unit.facing = True, looks
    rows = [{"id": m.id, "pos": place(m.at, m.z), "heading": faces if unit.vehicle else None} for m in unit.models]
    unit.hidden = "infiltrators" in unit.rules and ("hides" in t.habits or (t.led("hide") and t.in_cover(unit)))
    t.write("deploy", unit.owner, unit=unit.id, models=rows, facing=looks, hidden=unit.hidden or None)


def deploy_led(t: Table, unit: Unit, steer: Steer) -> bool:
    """Put a unit down where a game that is led has it: in its box, and near an enemy if that is wanted; or on board."""
    if unit.id in steer.aboard and t.units[steer.aboard[unit.id]].on_table:
        unit.aboard = steer.aboard[unit.id]
        t.write("deploy", unit.owner, unit=unit.id, vehicle=unit.aboard)
        return True
    faces = 90 if unit.owner == "A" else 270
    foes = [n for e in t.enemies(unit) if not e.vehicle for n in e.living]
    for _ in range(200):
        spots = led_spots(t, unit, steer, faces, foes)
        if not t.room(spots) or not connected([base for _, base in spots]):
            continue
        if any(t.crossed(m, [b.at], "impassable") for m, b in spots):
            continue
        if any(gap(b, n.base) < HAND for _, b in spots for n in foes):
            continue
        if unit.vehicle and any(t.crossed(m, [b.at], flag) for m, b in spots for flag in HINDERING):
            continue
        stand_down(t, unit, spots, faces, 360 - faces if steer.backs and not unit.vehicle else faces)
        return True
    return False


def led_spots(t: Table, unit: Unit, steer: Steer, faces: int, foes: Sequence[Model]) -> list[tuple[Model, Base]]:
    """Where a unit may be put down in a game that is led: a first model somewhere, the others in rows behind it."""
    up = 1 if unit.owner == "A" else -1
    left, right, low, high = steer.box(unit.owner, [u for u in t.units.values() if u.owner == unit.owner].index(unit))
    x, y = (t.rng.randint(round(100 * a), round(100 * b)) for a, b in ((left, right), (low, high)))
    at = (Decimal(x) / 100, Decimal(y) / 100)
    wide = unit.models[0].base.r or unit.models[0].base.reach.quantize(CENT, ROUND_UP)
    if steer.gap is not None and foes:
        foe, way = t.rng.choice(foes), t.rng.choice([d for d in EXACT if d[1] * up <= 0])
        away = foe.base.r + wide + number(t.rng.choice(steer.gap))
        at = ((foe.at[0] + way[0] * away).quantize(CENT), (foe.at[1] + way[1] * away).quantize(CENT))
    space = 2 * wide + t.rng.choice((Decimal("1.25"), Decimal("0.5"), Decimal("0.1")))
    in_row = t.rng.choice((2, 3, 4))
    return [
        (m, m.base_at((at[0] + space * (i % in_row), at[1] - up * space * (i // in_row)), faces))
        for i, m in enumerate(unit.models)
    ]


def place(at: Point, z: Decimal, always: bool = False) -> list[Decimal]:
    """A place as the log has it."""
    return [*at, z] if z or always else list(at)


def stuck(t: Table, unit: Unit) -> bool:
    """Whether a unit may not move this turn."""
    return (
        unit.locked is not None
        or unit.hidden
        or t.clock <= max(unit.pinned_until, unit.grounded_until, unit.stuck_until)
    )


def movement_phase(t: Table) -> None:
    """The active player's Movement Phase."""
    t.phase = "movement"
    late = () if t.steer is None else t.steer.later
    mine = t.of(t.active)
    for unit in mine:
        unit.start_gap = {foe.id: t.unit_gap(unit, foe) for foe in t.enemies(unit)}
    t.write("phase_start", t.active)
    for key in late:
        if t.units[key].owner == t.active and not t.units[key].on_table and t.turn > 1 and t.chance(0.7):
            arrive(t, t.units[key])
            if t.units[key].on_table and t.led("one at a time"):
                break
    t.rng.shuffle(mine)
    for unit in mine:
        if unit.falling_back:
            regroup(t, unit)
        elif unit.kind == "vehicle" and t.led("tank shock") and shock(t, unit):
            continue
        elif not stuck(t, unit) and t.often("move", 0.85):
            move(t, unit)
    t.write("phase_end", t.active)


def arrive(t: Table, unit: Unit) -> None:
    """A unit comes from reserve at the left or the right edge of the table, outflanking."""
    wide = unit.models[0].base.r
    for attempt in range(60):
        left = t.chance(0.5)
        y = Decimal(t.rng.randint(600, int(t.depth) * 100 - 1000)) / 100
        spots: list[tuple[Model, Base]] = []
        for i, model in enumerate(unit.models):
            x = wide + CENT + (2 * wide + 1) * (i // 3)
            at = (x if left else t.width - x, y + (2 * wide + 1) * (i % 3))
            spots.append((model, model.base_at(at, 0)))
        foes = [n for e in t.enemies(unit) for n in e.living]
        off = min((gap(base, n.base) for _, base in spots for n in foes), default=CLOSE)
        if not t.room(spots) or off < CLOSE or (attempt < 40 and off > IN_REACH):
            continue
        if any(t.crossed(m, [b.at], flag) for m, b in spots for flag in ("impassable", "difficult", "dangerous")):
            continue
        for model, base in spots:
            model.at, model.z = base.at, t.surface(base.at)
        unit.on_table, unit.facing, unit.arrived, unit.outflanking = True, 0 if left else 180, t.clock, True
        rows = [{"id": m.id, "pos": place(m.at, m.z)} for m in unit.models]
        t.write("reserve_arrival", unit.owner, unit=unit.id, method="outflank", models=rows, facing=unit.facing)
        return


def shock(t: Table, unit: Unit) -> bool:
    """A tank drives straight into an enemy unit on foot, which takes a Morale Check (CLX-VEH-04); False where none is in
    its way."""
    (hull,) = unit.living
    if stuck(t, unit) or hull.heading % 90:
        return False
    ahead = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[int(hull.heading)]
    long, wide = (max(abs(number(p[i])) for p in hull.entry["base"]["pts"]) for i in (0, 1))
    found: list[tuple[Decimal, Unit]] = []
    for foe in t.enemies(unit):
        for n in foe.living:
            away = (n.at[0] - hull.at[0], n.at[1] - hull.at[1])
            forward = away[0] * ahead[0] + away[1] * ahead[1]
            aside = abs(away[0] * ahead[1] + away[1] * ahead[0])
            if aside <= wide and forward > 0 and not n.base.corners:
                found.append((forward - long - n.base.r, foe))
    if not found:
        return False
    far, foe = min(found, key=lambda one: one[0])
    if not 0 < far <= hull.n("M") or foe.vehicle or foe.locked or foe.falling_back or foe.hidden:
        return False
    if any(m.n("W") != 1 for m in foe.living) or "fearless" in foe.rules:
        return False
    far -= CENT  # Hulls that touch have no room.
    end = (hull.at[0] + far * ahead[0], hull.at[1] + far * ahead[1])
    if far <= 0 or not t.room([(hull, hull.base_at(end))]):
        return False
    if any(t.crossed(hull, [hull.at, end], f) for f in ("impassable", *HINDERING)):
        return False
    others = [n for e in t.enemies(unit) if e is not foe for n in e.living]
    if any(way_gap(Base(hull.at, hull.base.reach), [hull.at, end], n.base) < 1 for n in others):
        return False
    path, heading = [hull.at, end], hull.heading
    hull.at, unit.moved = end, True
    t.write("tank_shock", unit.owner, vehicle=unit.id, unit=foe.id, path=path, headings=[heading, heading])
    dice = t.dice(2)
    passed = sum(dice) <= foe.ld
    t.write("morale", foe.owner, tag={"limit": foe.ld}, unit=foe.id, cause="tank_shock", dice=dice, claimed_modifier=0,
            claimed_passed=passed)  # fmt: skip
    if passed:
        return True
    tests = [{"model": m.id, "die": t.d6()} for m in foe.living]
    fall_back(t, foe, "CLX-VEH-04", tests)
    for test, model in zip(tests, [m for m in foe.models if m.alive], strict=False):
        if test["die"] == 1:
            model.alive = False
            t.write("removed", foe.owner, model=model.id, reason="dangerous terrain")
    return True


def regroup(t: Table, unit: Unit) -> None:
    """A unit that falls back tries to regroup; if it cannot it goes on."""
    dice = t.dice(2)
    passed = sum(dice) <= unit.ld
    t.write("ld_test", unit.owner, unit=unit.id, cause="regroup", dice=dice, claimed_modifier=0, claimed_passed=passed)
    if passed:
        unit.falling_back = False
    elif t.clock > unit.pinned_until:
        fall_back(t, unit)


def fall_back(t: Table, unit: Unit, cause: str | None = None, tests: list[Json] | None = None) -> None:
    """A unit falls back towards its own edge, as far as there is room; `tests`: of its models, for dangerous terrain."""
    roll = t.dice(2)
    down = Decimal(-1 if unit.owner == "A" else 1)
    unit.falling_back = True
    if unit.locked is not None:
        other, unit.locked = unit.locked, None
        other.locked = None
    for inches in range(sum(roll), 0, -1):
        plan: Plan = [(m, [m.at, (m.at[0], m.at[1] + down * inches)]) for m in unit.living]
        spots = [(m, m.base_at(path[-1])) for m, path in plan]
        if not t.room(spots) or any(t.crossed(m, path, "impassable") for m, path in plan):
            continue
        foes = [n for e in t.enemies(unit) for n in e.living]
        if any(gap(base, n.base) < 1 for _, base in spots for n in foes):
            continue
        rows = carry_out(t, plan)
        t.write(
            "fall_back",
            unit.owner,
            tag={"roll": sum(roll), "cause": cause},
            unit=unit.id,
            dice=roll,
            models=rows,
            dangerous=tests,
        )
        unit.hidden = unit.hidden and ("hides" in t.habits or t.in_cover(unit))
        return
    for model in unit.living:
        model.alive = False
        t.write("removed", unit.owner, model=model.id, reason="no way back")


def carry_out(t: Table, plan: Plan, headings: dict[str, list[float]] | None = None) -> list[Json]:
    """Models move as planned; the rows of the event."""
    rows: list[Json] = []
    for model, path in plan:
        before, after = model.z, t.surface(path[-1])
        high = bool(before or after)
        points = [place(p, before if p is not path[-1] else after, high) for p in path]
        row: Json = {"id": model.id, "path": points}
        if headings is not None:
            row["headings"] = headings[model.id]
            model.heading = headings[model.id][-1]
        rows.append(row)
        model.at, model.z = path[-1], after
    return rows


def turn_to_way(unit: Unit, before: Point) -> None:
    """CLX-FACE-01: a unit faces where it went."""
    after = unit.centre
    if apart(before, after) > 0 and unit.vehicle is None:
        unit.facing, unit.turned_by = direction(before, after), "CLX-FACE-01"
        unit.turned_over = float(apart(before, after))


def goal(t: Table, unit: Unit) -> float:
    """The direction in which a unit wants to go."""
    foes = t.enemies(unit)
    if not foes:
        return t.rng.uniform(0, 360)
    nearest = min(foes, key=lambda foe: t.unit_gap(unit, foe))
    towards = direction(unit.centre, nearest.centre)
    if "frenzy" in unit.rules or (t.steer is not None and t.steer.straight):
        return towards
    return towards + t.rng.choice((0, 0, 0, 0, 0, 25, -25, 60, -60, 180))


def move(t: Table, unit: Unit) -> None:
    """One unit moves, if it finds a way."""
    if unit.vehicle is not None and unit.kind != "walker":
        drive(t, unit)
        return
    full = Decimal(min(m.n("M") for m in unit.living))
    plan, border = find_way(t, unit, full, goal(t, unit), flags=("impassable",))
    if not plan:
        return
    crossing = any(t.crossed(m, path, flag) for m, path in plan for flag in ("difficult", "dangerous"))
    dice: list[int] | None = None
    allowance = full
    if crossing or t.chance(0.02):
        dice = t.dice(2)
        if crossing:
            allowance = min(full, Decimal(max(dice)))
        if max(length(path) for _, path in plan) > min(full, Decimal(max(dice))):
            plan, border = find_way(t, unit, min(full, Decimal(max(dice))), goal(t, unit), flags=("impassable",))
        if not plan:
            return
        crossing = any(t.crossed(m, path, flag) for m, path in plan for flag in ("difficult", "dangerous"))
        allowance = min(full, Decimal(max(dice))) if crossing else full
    hurt = [m for m, path in plan if t.crossed(m, path, "dangerous")]
    if t.rules("OR-DANGEROUS", "ROLL_ONLY"):
        hurt = []
    if any(m.n("W") != 1 for m in hurt):
        return
    tests = [{"model": m.id, "die": t.d6()} for m in hurt]
    before = unit.centre
    rows = carry_out(t, plan)
    if unit.vehicle is not None:
        way = round(direction(before, unit.centre)) % 360
        for row, (model, path) in zip(rows, plan, strict=True):
            row["headings"] = [way] * len(path)
            model.heading = way
    unit.moved = True
    turn_to_way(unit, before)
    told = Decimal(max(dice)) if crossing and dice and t.rules("OR-DIFF-CAP", "REPLACE") else allowance
    t.write(
        "move",
        unit.owner,
        tag={"allowance": allowance, "border": border, "crossing": crossing, "full": full, "before": before},
        unit=unit.id,
        models=rows,
        difficult_dice=dice,
        dangerous=tests or None,
        claimed_allowance=told if crossing or dice is None else None,
    )
    for test in tests:
        if test["die"] == 1:
            model = next(m for m in unit.models if m.id == test["model"])
            model.alive = False
            t.write("removed", unit.owner, model=model.id, reason="dangerous terrain")


def find_way(t: Table, unit: Unit, allowance: Decimal, angle: float, flags: Sequence[str]) -> tuple[Plan, bool]:
    """A legal way for every model of a unit, and whether it is one at the border."""
    models = unit.living
    coherent = connected([m.base for m in models])
    frenzied = "frenzy" in unit.rules and not unit.frenzy_lost
    for attempt in range(10):
        exact = t.chance(0.6)
        share = t.rng.choice((1, 1, 1, Decimal("0.5"), Decimal("0.25"))) if attempt else 1
        inches = allowance * share
        if inches != inches.quantize(CENT):
            continue
        bend = 0.0 if attempt == 0 or frenzied else t.rng.uniform(-70, 70)
        if coherent:
            plan = march(t, models, angle + bend, inches, exact)
        else:
            plan = gather(models, inches)
        if coherent and t.chance(0.4):
            plan = one_apart(t, unit, plan, allowance)
        if t.led("pass by"):
            plan = past_an_enemy(t, unit, plan, allowance)
        if lawful(t, unit, plan, allowance, flags) and (not frenzied or nearer(t, unit, plan)):
            return plan, max(length(path) for _, path in plan) == allowance
    return [], False


def nearer(t: Table, unit: Unit, plan: Plan) -> bool:
    """Whether a plan takes a unit nearer to the enemy that is nearest now (CLX-USR-15)."""
    foes = t.enemies(unit)
    if not foes:
        return True
    nearest = min(foes, key=lambda foe: t.unit_gap(unit, foe))
    after = least_gap([m.base_at(path[-1]) for m, path in plan], [n.base for n in nearest.living])
    return after < t.unit_gap(unit, nearest)


def march(t: Table, models: Sequence[Model], angle: float, inches: Decimal, exact: bool) -> Plan:
    """All models go the same way, straight or with one corner."""
    if t.chance(0.2) and inches >= 2:
        first = (inches / 2).quantize(CENT, ROUND_DOWN)
        a, b = step(angle + 30, first, exact), step(angle - 30, inches - first, exact)
        legs = [a, (a[0] + b[0], a[1] + b[1])]
    else:
        legs = [step(angle, inches, exact)]
    return [(m, [m.at, *((m.at[0] + x, m.at[1] + y) for x, y in legs)]) for m in models]


def gather(models: Sequence[Model], inches: Decimal) -> Plan:
    """Models of a torn unit close up on one of them."""
    best: Plan = []
    for hub in models:
        plan: Plan = [(hub, [hub.at, hub.at])]
        for model in models:
            if model is hub:
                continue
            far = apart(model.at, hub.at)
            angle = direction(model.at, hub.at)
            way = min(inches, max(NONE, far - hub.base.reach - model.base.reach - Decimal("1.5")))
            dx, dy = step(angle, way.quantize(CENT, ROUND_DOWN), False)
            plan.append((model, [model.at, (model.at[0] + dx, model.at[1] + dy)]))
        if connected([m.base_at(path[-1]) for m, path in plan]):
            best = plan
            break
    return best


def one_apart(t: Table, unit: Unit, plan: Plan, allowance: Decimal) -> Plan:
    """The same plan, but one model ends at the limit: two inches from a friend, touching it, or one from an enemy."""
    if len(plan) < 2:
        return plan
    i = t.rng.randrange(len(plan))
    model, path = plan[i]
    foes = [n for e in t.enemies(unit) for n in e.living if not n.base.corners]
    hosts: list[tuple[Base, Decimal]] = []
    for j, (friend, way) in enumerate(plan):
        if j != i:
            hosts.append((friend.base_at(way[-1]), t.rng.choice((Decimal(2), NONE))))
    hosts = t.rng.sample(hosts, min(3, len(hosts)))
    close = sorted(foes, key=lambda n: squared(n.at, path[-1]))[:2]
    hosts = [(n.base, Decimal(1)) for n in close] + hosts
    for host, away in hosts:
        spots = [
            (host.at[0] + d[0] * (host.r + model.base.r + away), host.at[1] + d[1] * (host.r + model.base.r + away))
            for d in EXACT
        ]
        for spot in sorted(spots, key=lambda p: squared(p, path[-1])):
            if spot[0] != spot[0].quantize(Decimal("0.001")) or spot[1] != spot[1].quantize(Decimal("0.001")):
                continue
            changed = [*plan[:i], (model, [model.at, spot]), *plan[i + 1 :]]
            if apart(model.at, spot) <= allowance and lawful(t, unit, changed, allowance, ("impassable",)):
                return changed
    return plan


def past_an_enemy(t: Table, unit: Unit, plan: Plan, allowance: Decimal) -> Plan:
    """The same plan, but one model goes to an inch from an enemy and then on (OR-STOP)."""
    foes = [n for e in t.enemies(unit) for n in e.living if not n.base.corners]
    for i, (model, path) in enumerate(plan):
        for foe in sorted(foes, key=lambda n: apart(n.at, model.at))[:2]:
            away = foe.base.r + model.base.r + 1
            spots = [(foe.at[0] + x * away, foe.at[1] + y * away) for x, y in EXACT]
            spots = [p for p in spots if all(v == v.quantize(CENT / 10) for v in p) and p != model.at]
            for spot in sorted(spots, key=lambda p: apart(p, model.at))[:4]:
                back = (foe.at[0] - spot[0], foe.at[1] - spot[1])
                end = (spot[0] - (back[0] / 4).quantize(CENT), spot[1] - (back[1] / 4).quantize(CENT))
                way = (model, [path[0], spot, end])
                changed: Plan = [*plan[:i], way, *plan[i + 1 :]]
                if lawful(t, unit, changed, allowance, ("impassable", "difficult", "dangerous")):
                    return changed
    return plan


def lawful(t: Table, unit: Unit, plan: Plan, allowance: Decimal, flags: Sequence[str]) -> bool:
    """Whether a plan keeps the rules of movement for round bases."""
    if not plan or any(length(path) > allowance for _, path in plan):
        return False
    if all(path[-1] == path[0] for _, path in plan):
        return False
    spots = [(m, m.base_at(path[-1])) for m, path in plan]
    if not connected([base for _, base in spots]) or not t.room(spots):
        return False
    if any(t.crossed(m, path, flag) for m, path in plan for flag in flags):
        return False
    return all(t.keeps_clear(m, path) for m, path in plan)


def drive(t: Table, unit: Unit) -> None:
    """A unit of vehicles that are no walkers moves: they turn, then go straight (CLX-VEH-05)."""
    full = Decimal(min(m.n("M") for m in unit.living))
    way = drive_way(t, unit, full, t.chance(0.15))
    if way is None:
        return
    plan, headings = way
    before = unit.centre
    rows = carry_out(t, plan, headings)
    unit.moved = True
    cost = Decimal(round(turn_between(headings[plan[0][0].id][0], headings[plan[0][0].id][-1]))) / 90
    whole = max(length(path) for _, path in plan) + cost
    turn_to_way(unit, before)
    t.write(
        "move",
        unit.owner,
        tag={"allowance": full, "border": whole == full, "crossing": False, "full": full, "hull": True},
        unit=unit.id,
        models=rows,
        claimed_allowance=full,
    )


def drive_way(
    t: Table, unit: Unit, full: Decimal, only_turn: bool = False
) -> tuple[Plan, dict[str, list[float]]] | None:
    """Ways and headings for hulls within an allowance, clear of terrain and of the enemy."""
    old = unit.living[0].heading
    for _ in range(12):
        new = t.rng.choice((old, old, 0, 90, 180, 270, round(goal(t, unit) / 5) * 5 % 360))
        turned = Decimal(round(turn_between(old, new)))
        left = full - turned / 90
        if left < 0 or (new == old and only_turn):
            continue
        inches = NONE if only_turn else (left * t.rng.choice((1, 1, Decimal("0.5")))).quantize(CENT, ROUND_DOWN)
        square = new % 90 == 0
        x, y = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[int(new)] if square else (0, 0)
        go = (x * inches, y * inches) if square else step(new, inches, False)
        plan: Plan = []
        headings: dict[str, list[float]] = {}
        for m in unit.living:
            end = (m.at[0] + go[0], m.at[1] + go[1])
            path = [m.at] if new == old else [m.at, m.at]
            if inches:
                path.append(end)
            plan.append((m, path))
            headings[m.id] = [old, *([new] * (len(path) - 1))] if new != old else [new] * len(path)
        if hulls_fit(t, unit, plan, float(new)) and (inches or only_turn):
            return plan, headings
    return None


def hulls_fit(t: Table, unit: Unit, plan: Plan, heading: float) -> bool:
    """Whether hulls end in the clear, keep off all terrain and more than an inch from every enemy."""
    spots = [(m, m.base_at(path[-1], heading)) for m, path in plan]
    if not t.room(spots) or not connected([base for _, base in spots]):
        return False
    foes = [n.base for e in t.enemies(unit) for n in e.living]
    for m, path in plan:
        round_it = Base(m.at, m.base.reach)
        if any(near(round_it, b, 1 + float(length(path))) and way_gap(round_it, path, b) < 1 for b in foes):
            return False
        if any(t.crossed(m, path, f) for f in ("difficult", "dangerous", "impassable", "surface_z", "cover")):
            return False
    return True
