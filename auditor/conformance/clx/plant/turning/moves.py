"""Situations in which readings on movement matter (catalogue 6.2, 6.10)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from auditor.conformance.clx.charging import full_way
from auditor.conformance.clx.inches import Point, direction, number
from auditor.conformance.clx.moving import Plan, step
from auditor.conformance.clx.nerve import shaken
from auditor.conformance.clx.plant.stage import HULL, Dull, Stage, box, unit
from auditor.conformance.clx.shooting import attack, firers_at
from auditor.conformance.clx.table import Unit

Leg = tuple[float, float]


def ready(s: Stage) -> None:
    """B's unit far away."""
    s.row("b", 20, 45, 270)


def plan_of(one: Unit, *ways: tuple[Leg, ...]) -> Plan:
    """A plan by which each model goes legs of its own."""
    plan: Plan = []
    for model, legs in zip(one.living, ways, strict=True):
        path: list[Point] = [model.at]
        for x, y in legs:
            path.append((path[-1][0] + number(x), path[-1][1] + number(y)))
        plan.append((model, path))
    return plan


def past_an_enemy(s: Stage) -> None:
    """A model passes an enemy an inch away."""
    count = s.rng.randint(1, 3)
    s.lay(unit("a", count), unit("b", 1))
    s.choose()
    x, y = s.about(10, 30), s.about(10, 30)
    side = s.rng.choice((1, -1))
    s.put("a", *((x + 1.5 * side * n, y) for n in range(count)))
    ahead = s.about(1, 5)
    s.put("b", (x - 2 * side, y + ahead), facing=270)
    far = s.about(ahead + 0.5, 6)
    with s.turn("A"), s.phase("movement"):
        s.go(s.t.units["a"], s.steps(s.t.units["a"], (0, far)), claimed_allowance=6)


def apart_on_the_way(s: Stage) -> None:
    """A unit is in coherency before and after its move, and not on the way."""
    count = s.rng.randint(2, 4)
    s.lay(unit("a", count), unit("b", 1))
    s.choose()
    a = s.row("a", s.about(10, 30), s.about(5, 20), step=s.rng.choice((1.25, 1.5, 2.25, 2.5, 2.75)))
    ready(s)
    aside, ahead = s.about(1, 2.5), s.about(-0.5, 0.5)
    with s.turn("A"), s.phase("movement"):
        if s.rng.random() < 0.5:
            plan = s.steps(a, (0, s.about(2, 6)))
        else:
            ways = [((-aside, 0.0), (aside, ahead)), *[((0.0, 0.25),)] * (count - 1)]
            plan = plan_of(a, *ways)
        if s.rng.random() < 0.3:
            plan = plan[::-1]
        s.go(a, plan)


def fast_over_rough_ground(s: Stage) -> None:
    """A unit rolls a higher die for difficult terrain than its Movement is."""
    full = s.rng.randint(2, 5)
    s.lay(unit("a", s.rng.randint(1, 4), M=full), unit("b", 1), terrain=[box("brush", 5, 10, 30, 8, difficult=True)])
    s.choose()
    a = s.row("a", s.about(8, 25), s.about(9, 17))
    ready(s)
    dice = [s.rng.randint(full + 1, 6), s.rng.randint(1, 6)]
    s.rng.shuffle(dice)
    die = max(dice)
    replaced = s.by("OR-DIFF-CAP") == "REPLACE"
    with s.turn("A"), s.phase("movement"):
        if replaced and s.rng.random() < 0.5:
            s.go(a, s.steps(a, (0, s.about(full + 0.25, die))), difficult_dice=dice)
        else:
            s.go(a, s.steps(a, (0, s.about(1, full))), difficult_dice=dice, claimed_allowance=die if replaced else full)


def some_over_rough_ground(s: Stage) -> None:
    """One model of a unit crosses difficult terrain, and the others go further than the dice."""
    count = s.rng.randint(2, 4)
    terrain = [box("brush", 8, 12, 6, 9, difficult=True)]
    s.lay(unit("a", count), unit("b", 1), terrain=terrain)
    s.choose()
    a = s.row("a", 13, s.about(8, 11), step=2)
    ready(s)
    dice = [s.rng.randint(2, 4), s.rng.randint(1, 4)]
    slow = max(dice)
    fast = min(6.0, s.about(slow + 0.5, slow + 2))
    ways: list[tuple[Leg, ...]] = [((0.0, float(slow)),), *[((0.0, fast),)] * (count - 1)]
    with s.turn("A"), s.phase("movement"):
        s.go(a, plan_of(a, *ways), difficult_dice=dice)


def brushing_rough_ground(s: Stage) -> None:
    """A base goes over the edge of difficult terrain, and its centre does not."""
    count = s.rng.randint(1, 3)
    s.lay(unit("a", count), unit("b", 1), terrain=[box("brush", 20, 12, 9, 9, difficult=True)])
    s.choose()
    x = s.rng.choice((19.6, 19.7, 19.75, 19.8, 19.9))
    a = s.put("a", *((x - 1.5 * n, 10) for n in range(count)))
    ready(s)
    with s.turn("A"), s.phase("movement"):
        s.go(a, s.steps(a, (0, s.about(3, 6))), claimed_allowance=6)


def over_dangerous_ground(s: Stage) -> None:
    """A unit crosses dangerous terrain, rolls the dice for it, and takes no test."""
    s.lay(unit("a", s.rng.randint(1, 4)), unit("b", 1), terrain=[box("mire", 5, 10, 30, 8, dangerous=True)])
    s.choose()
    a = s.row("a", s.about(8, 25), s.about(8, 16))
    ready(s)
    dice = [s.rng.randint(4, 6), s.rng.randint(1, 6)]
    with s.turn("A"), s.phase("movement"):
        s.go(a, s.steps(a, (0, s.about(2, 4))), difficult_dice=dice, claimed_allowance=max(dice))


def pivot(s: Stage) -> None:
    """A vehicle turns and goes as far as it may by what its pivot is thought to cost."""
    hull = {"armour": {"front": 12, "side": 11, "rear": 10}, "W": 3}
    s.lay(unit("a", 1, kind="vehicle", vehicle=hull, base=HULL, weapons=["heavy_caster"], M=12, BS=3), unit("b", 1))
    s.choose()
    a = s.put("a", (s.about(20, 26), s.about(20, 24)), facing=90)
    ready(s)
    turned, way = s.rng.choice(((90, (1, 0)), (180, (0, -1)), (135, None), (45, None)))
    cost = {"PRORATA": Decimal(turned) / 90, "FLOOR": Decimal(turned // 90), "CEIL": Decimal(-(-turned // 90))}
    by, other = cost[s.by("OR-PIVOT")], cost[s.under["OR-PIVOT"]]
    if by == other:
        turned, way = s.rng.choice((30, 60, 120, 150)), None
        quarters = Decimal(turned) / 90
        by = {"PRORATA": quarters, "FLOOR": Decimal(turned // 90), "CEIL": Decimal(turned // 90 + 1)}[s.by("OR-PIVOT")]
    heading = (90 - turned) % 360
    far = (12 - by).quantize(Decimal("0.01"), rounding="ROUND_DOWN")
    if way is None:
        x, y = step(heading, far, False)
    else:
        x, y = way[0] * far, way[1] * far
    (hull_model,) = a.living
    end = (hull_model.at[0] + x, hull_model.at[1] + y)
    with s.turn("A"), s.phase("movement"):
        plan: Plan = [(hull_model, [hull_model.at, hull_model.at, end])]
        rows = [{"id": hull_model.id, "path": [list(p) for p in plan[0][1]], "headings": [90, heading, heading]}]
        hull_model.at, hull_model.heading = end, heading
        s.t.write("move", "A", unit="a", models=rows)


def walker_turns(s: Stage) -> None:
    """A walker goes its whole Movement in a direction that it did not look in."""
    walker = {"armour": {"front": 12, "side": 12, "rear": 10}, "W": 3, "has_ws": True}
    s.lay(unit("a", 1, kind="walker", vehicle=walker, base=HULL, weapons=["heavy_caster"], M=6, BS=4), unit("b", 1))
    s.choose()
    a = s.put("a", (s.about(15, 26), s.about(15, 24)), facing=90)
    ready(s)
    heading, (x, y) = s.rng.choice(((0, (1, 0)), (180, (-1, 0)), (270, (0, -1))))
    (model,) = a.living
    far = number(s.about(5.5, 6))
    end = (model.at[0] + x * far, model.at[1] + y * far)
    path = [model.at, model.at, end] if s.rng.random() < 0.5 else [model.at, end]
    with s.turn("A"), s.phase("movement"):
        rows = [{"id": model.id, "path": [list(p) for p in path], "headings": [heading] * len(path)}]
        model.at, model.heading = end, heading
        s.t.write("move", "A", unit="a", models=rows)


# ---------------------------------------------------------------- which way a unit faces


def claim_an_arc(s: Stage, at: str, by: str) -> None:
    """In the other player's turn a unit is named as a target, and it is said from which side."""
    target, shooter = s.t.units[at], s.t.units[by]
    arc = s.t.arc(target, shooter.centre)
    if arc is None:
        raise Dull
    with s.turn(shooter.owner), s.phase("shooting"):
        s.t.write("shoot", shooter.owner, attack="k9", unit=by, target=at, claimed_in_range=True, claimed_failed=False,
                  claimed_arc=arc)  # fmt: skip


def move_with_a_bend(s: Stage) -> None:
    """A unit moves round a corner, and is shot at in the other player's turn."""
    s.lay(unit("a", s.rng.randint(1, 3)), unit("b", 2))
    s.choose()
    a = s.row("a", s.about(15, 30), s.about(10, 20))
    s.row("b", s.about(5, 40), s.about(5, 40), 270)
    legs = s.rng.choice((((0, 3), (3, 0)), ((3, 0), (0, 3)), ((0, 3), (-3, -1)), ((-1, 1), (0, -4))))
    with s.turn("A"), s.phase("movement"):
        s.go(a, s.steps(a, *legs))
    if s.by("OR-FACING-MOVE") == "LAST_LEG":
        x, y = legs[-1]
        a.facing = angle(x, y)
    claim_an_arc(s, "a", "b")


def angle(x: float, y: float) -> float:
    """A direction in degrees."""
    return direction((Decimal(0), Decimal(0)), (number(x), number(y)))


def move_and_shot(s: Stage) -> None:
    """A unit moves one way and shoots another, perhaps charges a third, and is shot at in the other player's turn."""
    s.lay(unit("a", 2), unit("b", 8, T=8, AS=2), unit("bc", 1))
    s.choose()
    a = s.row("a", s.about(15, 30), s.about(15, 30))
    b = s.row("b", s.about(5, 35), s.about(5, 40), 270, step=1.25)
    c = s.row("bc", s.about(5, 40), s.about(5, 40), 270)
    if min(s.t.unit_gap(a, b), s.t.unit_gap(a, c), s.t.unit_gap(b, c)) < 7:
        raise Dull
    moves, charges = s.rng.random() < 0.7, s.rng.random() < 0.5
    moved = shot = charged = None
    with s.turn("A"):
        with s.phase("movement"):
            if moves:
                x, y = s.rng.choice(((0, 2), (2, 0), (-2, 0), (0, -2)))
                s.go(a, s.steps(a, (x, y)))
                moved = a.facing
        with s.phase("shooting"):
            if not firers_at(s.t, a, s.t.weapons["repeater"], b)[0] or s.t.arc(b, a.centre) is None:
                raise Dull
            attack(s.t, a, ["repeater"], b)
            shot = a.facing
            shaken(s.t, b)
        with s.phase("assault"):
            if charges:
                roll = s.rng.choice(([1, 1], [1, 2], [2, 2]))
                plan = full_way(s.t, a, c, Decimal(sum(roll)))
                if not plan or s.t.unit_gap(a, c) <= sum(roll) or s.t.arc(c, a.centre) is None:
                    raise Dull
                s.t.write("charge", "A", unit="a", target="bc", dice=roll, claimed_success=False)
                s.go(a, plan, "charge_move", target="bc", failed=True)
                charged = a.facing
    by = s.by("OR-FACING-ORDER")
    last = charged or shot
    a.facing = shot if by == "SHOT" else (charged or moved or shot) if by == "MOVE" else last
    claim_an_arc(s, "a", s.rng.choice(("b", "bc")))


MOVES: dict[str, Callable[[Stage], None]] = {
    "OR-STOP": past_an_enemy,
    "OR-COH-WHEN": apart_on_the_way,
    "OR-DIFF-CAP": fast_over_rough_ground,
    "OR-DIFF-SCOPE": some_over_rough_ground,
    "OR-TERRAIN-TOUCH": brushing_rough_ground,
    "OR-DANGEROUS": over_dangerous_ground,
    "OR-PIVOT": pivot,
    "OR-PIVOT-WHO": walker_turns,
    "OR-FACING-MOVE": move_with_a_bend,
    "OR-FACING-ORDER": move_and_shot,
}
