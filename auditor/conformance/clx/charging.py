"""How a unit charges in an invented game: whom, how far, and which way (catalogue 6.8)."""

from __future__ import annotations

import math
from decimal import ROUND_DOWN, Decimal

from auditor.conformance.clx.inches import Point, apart, connected, direction, gap, length, spread, to_polygon
from auditor.conformance.clx.moving import Plan, carry_out, stuck, turn_to_way
from auditor.conformance.clx.table import Model, Table, Unit
from auditor.conformance.clx.throwing import defend, emp, grenade

THOUSANDTH = Decimal("0.001")
TOUCH = Decimal("0.015")
FOOT = ("infantry", "beast", "cavalry", "jump", "jetpack", "jetbike", "bike", "eldar_jetbike", "monstrous")


def may_charge(t: Table, unit: Unit) -> bool:
    """Whether nothing that a unit is or did keeps it from charging."""
    if unit.gone or stuck(t, unit) or unit.falling_back or unit.kind not in FOOT:
        return False
    if unit.ran and ("fleet" not in unit.rules or unit.kind in ("bike", "jetbike", "eldar_jetbike")):
        return False
    heavy = unit.fired & {"heavy", "ordnance"} and (unit.moved or not t.rules("OR-HEAVY-CHARGE", "IF_MOVED"))
    if heavy or ("salvo" in unit.fired and unit.moved):
        return False
    if "salvo" in unit.fired and t.rules("OR-SALVO-STAND", "NO"):
        return False
    if "rapid_fire" in unit.fired and t.rules("OR-RAPID-CHARGE", "NO"):
        return False
    return unit.arrived != t.clock and bool(melee_of(t, unit))


def melee_of(t: Table, unit: Unit) -> list[str]:
    """The weapons that a unit can strike with; one without any does not strike."""
    return [key for key in unit.living[0].entry["weapons"] if t.weapons[key]["type"] == "melee"]


def target_of(t: Table, unit: Unit) -> Unit | None:
    """Whom a unit would charge."""
    foes = sorted(t.enemies(unit), key=lambda foe: t.unit_gap(unit, foe))
    if not foes:
        return None
    near = [foe for foe in foes if t.unit_gap(unit, foe) <= 12]
    hated = [foe for foe in near if unit.hates(foe)]
    one = near[0] if near else foes[0]
    if hated:
        one = hated[0]
    if "frenzy" in unit.rules and not unit.frenzy_lost and one is not foes[0]:
        return None
    if len(near) > 1 and t.unit_gap(unit, near[0]) == t.unit_gap(unit, near[1]):
        return None
    if one.locked or one.hidden or one.vehicle is not None or one.falling_back:
        return None
    return one


def charge(t: Table, unit: Unit) -> None:
    """One unit charges, if there is somebody to charge and a way to do it."""
    target = target_of(t, unit)
    if target is None:
        return
    far = t.unit_gap(unit, target)
    arc = t.arc(target, unit.centre)
    if arc is None or far > 13 or far == 0:
        return
    if far > 9 and t.often("wait", 0.7):
        return
    dice = t.dice(2)
    if far <= 12 and t.often("reach", 0.7):
        while sum(dice) < far:
            dice = t.dice(2)
    if far == far.to_integral_value() and 2 <= far <= 12 and t.often("exactly", 0.5):
        low = max(1, int(far) - 6)
        dice = [low, int(far) - low]
    if 2 <= int(far) <= 12 and far != int(far) and t.led("fall short"):
        low = max(1, int(far) - 6)
        dice = [low, int(far) - low]
    if far <= 11 and t.led("far roll"):
        dice = [6, t.rng.choice((5, 6))]
    roll = Decimal(sum(dice))
    reaches = far <= roll
    plan = into_contact(t, unit, target, roll) if reaches else full_way(t, unit, target, roll)
    if not plan and reaches and t.led("round walls"):
        plan = round_a_wall(t, unit, target, roll)
    if not plan:
        return
    if unit.fears(target) and "fearless" not in unit.rules and not afraid(t, unit, target, "fear_charging"):
        return
    uphill = {m.id for m in unit.living if min(target.living, key=lambda n: gap(m.base, n.base)).z > m.z}
    t.write(
        "charge",
        unit.owner,
        tag={"far": far, "roll": roll, "border": far == roll},
        unit=unit.id,
        target=target.id,
        dice=dice,
        claimed_distance=far.quantize(THOUSANDTH),
        claimed_success=reaches,
        claimed_arc=arc,
    )
    before, unit.charged_sure = unit.centre, t.off_the_rims(target, unit.centre)
    if not reaches:
        rows = carry_out(t, plan)
        turn_to_way(unit, before)
        t.write("charge_move", unit.owner, tag={"roll": roll}, unit=unit.id, target=target.id, models=rows, failed=True)
        return
    unit.charged, unit.charged_rear, unit.uphill, unit.climbed = target.id, arc == "rear", uphill, uphill
    target.climbed = set()
    began = unit.start_gap.get(target.id, Decimal(99))
    unit.no_bonus = began == 1 if t.rules("OR-CHARGE-START", "EXACT") else began <= 1
    if target.fears(unit) and "fearless" not in target.rules:
        afraid(t, target, unit, "fear_charged", must_pass=True)
    if "counterattack" in target.rules and t.clock > target.pinned_until:
        target.counter = tested(t, target, "I", "counterattack")
    if "tests" in t.habits and t.chance(0.6):
        tested(t, unit, t.rng.choice("ST"), "other")
    if t.led("defend"):
        defend(t, target, unit)
    if unit.gone or t.clock <= unit.pinned_until:
        unit.charged = None  # Chargers whom a grenade pins stay where they are (OR-DEF-FAIL).
        return
    if any(not m.alive for m, _ in plan):
        plan = into_contact(t, unit, target, roll)
    if t.led("emp") and emp(t, unit, target):
        pass
    elif "throws" in t.habits or t.often("grenade", 0.5):
        grenade(t, unit, target)
    if target.gone:
        unit.charged = None
        return
    if not any(gap(m.base_at(path[-1]), n.base) <= TOUCH for m, path in plan for n in target.living):
        plan = into_contact(t, unit, target, roll)
    if not plan:
        unit.charged = None
        t.write("remark", text="The charge is called off: there is no way in.")
        return
    rows = carry_out(t, plan)
    turn_to_way(unit, before)
    t.write("charge_move", unit.owner, tag={"roll": roll}, unit=unit.id, target=target.id, models=rows, failed=False)
    unit.locked, target.locked = target, unit
    unit.first_round = target.first_round = True
    target.rear_assaulted = arc == "rear"


def tested(t: Table, unit: Unit, characteristic: str, cause: str) -> bool:
    """A characteristic test (CLX-MISC-01); whether it is passed."""
    value = unit.living[0].n(characteristic)
    die = t.d6()
    passed = die <= value and die != 6
    again = None
    if not passed and value > 5:
        again = t.d6()
        passed = again <= value - 5
    t.write(
        "char_test",
        unit.owner,
        unit=unit.id,
        characteristic=characteristic,
        die=die,
        reroll=again,
        claimed_passed=passed,
        cause=cause,
    )
    return passed


def afraid(t: Table, unit: Unit, of: Unit, cause: str, must_pass: bool = False) -> bool:
    """A Leadership test at -1 for Fear (CLX-USR-10, -11); whether it is passed."""
    limit = unit.ld - 1
    dice = t.dice(2)
    if cause == "fear_charged" and unit.hates(of):
        dice = t.dice(3)
    while must_pass and sum(sorted(dice)[:2]) > limit:
        dice = t.dice(len(dice))
    if cause == "fear_charging" and unit.hates(of):
        dice = t.dice(3)
    passed = sum(sorted(dice)[:2]) <= limit
    t.write(
        "ld_test",
        unit.owner,
        tag={"limit": limit},
        unit=unit.id,
        cause=cause,
        versus=of.id,
        dice=dice,
        claimed_modifier=-1,
        claimed_passed=passed,
    )
    if not passed:
        unit.pinned_until = t.clock + (2 if unit.owner == t.active else 1)
        unit.fear_failed.add(of.id)
    return passed


def into_contact(t: Table, unit: Unit, target: Unit, roll: Decimal) -> Plan:
    """Ways for a charge that reaches: the nearest model goes into contact, the others beside it."""
    pairs = sorted(
        ((gap(m.base, n.base), i, j) for i, m in enumerate(unit.living) for j, n in enumerate(target.living))
    )
    _far, i, j = pairs[0]
    lead, foe = unit.living[i], target.living[j]
    ahead = towards(lead, foe)
    if ahead is None or apart(lead.at, ahead) > roll:
        return []
    move = (ahead[0] - lead.at[0], ahead[1] - lead.at[1])
    others = [n for e in t.units.values() if e.on_table and e is not unit for n in e.living]
    for keep in (Decimal(1), Decimal("0.5"), Decimal("0.75"), Decimal("0.25"), Decimal(0)):
        plan: Plan = [(lead, [lead.at, ahead])]
        taken = [lead.base_at(ahead)]
        for m in sorted((m for m in unit.living if m is not lead), key=lambda m: apart(m.at, ahead)):
            share = Decimal(1)
            end = m.at
            while share >= 0:
                k = share if share == 0 else share * (keep if share < 1 else 1)
                end = (m.at[0] + (move[0] * k).quantize(THOUSANDTH, ROUND_DOWN),
                       m.at[1] + (move[1] * k).quantize(THOUSANDTH, ROUND_DOWN))  # fmt: skip
                base = m.base_at(end)
                if all(gap(base, b) >= 0 for b in taken) and all(gap(base, n.base) >= 0 for n in others):
                    break
                share -= Decimal("0.125")
            taken.append(m.base_at(end))
            plan.append((m, [m.at, end]))
        if fits(t, plan, roll):
            return plan
    return []


def round_a_wall(t: Table, unit: Unit, target: Unit, roll: Decimal) -> Plan:
    """A way for a charge of one model round impassable terrain that lies before it: aside, and then straight at an enemy."""
    if len(unit.living) > 1:
        return []
    (lead,) = unit.living
    foe = min(target.living, key=lambda n: gap(lead.base, n.base))
    for aside in (Decimal("2.5"), Decimal(3), Decimal("3.5"), Decimal(4)):
        for side in t.rng.sample((1, -1), 2):
            corner = (lead.at[0] + side * aside, (lead.at[1] + foe.at[1]) / 2)
            far = apart(corner, foe.at)
            share = (far - lead.base.r - foe.base.r) / far
            end = (corner[0] + ((foe.at[0] - corner[0]) * share).quantize(THOUSANDTH, ROUND_DOWN),
                   corner[1] + ((foe.at[1] - corner[1]) * share).quantize(THOUSANDTH, ROUND_DOWN))  # fmt: skip
            plan: Plan = [(lead, [lead.at, corner, end])]
            if fits(t, plan, roll) and gap(lead.base_at(end), foe.base) <= TOUCH:
                return plan
    return []


def towards(model: Model, foe: Model) -> Point | None:
    """Where a model comes into contact that goes straight at another."""
    far = apart(model.at, foe.at)
    want = far - model.base.r - foe.base.r
    if foe.base.corners or model.base.corners or want <= 0:
        return None
    share = want / far
    dx, dy = (foe.at[0] - model.at[0]) * share, (foe.at[1] - model.at[1]) * share
    return model.at[0] + dx.quantize(THOUSANDTH, ROUND_DOWN), model.at[1] + dy.quantize(THOUSANDTH, ROUND_DOWN)


def fits(t: Table, plan: Plan, roll: Decimal) -> bool:
    """Whether charging models end where they may."""
    spots = [(m, m.base_at(path[-1])) for m, path in plan]
    return (
        all(length(path) <= roll for _, path in plan)
        and connected([base for _, base in spots])
        and t.room(spots)
        and not any(t.crossed(m, path, "impassable") for m, path in plan)
    )


def full_way(t: Table, unit: Unit, target: Unit, roll: Decimal) -> Plan:
    """Ways for a charge that falls short: every model goes the whole roll towards the target (CLX-ASLT-01)."""
    hull = bodies(target)
    aims = [target.centre, *(n.at for n in target.living)]
    for aim in aims:
        plan: Plan = []
        for m in unit.living:
            nearest = aim
            angle = math.radians(direction(m.at, nearest))
            x, y = (Decimal(repr(f(angle))) * roll for f in (math.cos, math.sin))
            end = (m.at[0] + x.quantize(THOUSANDTH), m.at[1] + y.quantize(THOUSANDTH))
            if apart(m.at, end) > roll:
                end = (m.at[0] + x.quantize(THOUSANDTH, ROUND_DOWN), m.at[1] + y.quantize(THOUSANDTH, ROUND_DOWN))
            ray = (m.at[0] + 9 * x, m.at[1] + 9 * y)
            if len(hull) > 2 and to_polygon(m.at, ray, hull) > 0:
                return []
            plan.append((m, [m.at, end]))
        if fits(t, plan, roll):
            return plan
    return []


def bodies(target: Unit) -> list[Point]:
    """Corners within the convex hull of a unit's bases."""
    points: list[Point] = []
    for n in target.living:
        base = n.base
        points.extend(base.corners or ((base.at[0] + dx * base.r, base.at[1] + dy * base.r)
                                       for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1))))  # fmt: skip
    return spread(points)


def charge_a_hull(t: Table, unit: Unit) -> bool:
    """A unit with bombs charges a vehicle straight before it; False where there is none."""
    if not any(t.weapons[key]["type"] == "bomb" for key in unit.living[0].entry["weapons"]):
        return False
    for foe in t.enemies(unit):
        if foe.kind != "vehicle" or len(foe.living) > 1 or foe.locked or foe.living[0].heading % 180 != 90:
            continue
        hull = foe.living[0]
        wide = max(abs(float(p[1])) for p in hull.entry["base"]["pts"])
        before = [m for m in unit.living if abs(float(m.at[0] - hull.at[0])) < wide]
        far = t.unit_gap(unit, foe)
        if not before or min(gap(m.base, hull.base) for m in before) != far or not 1 < far <= 11:
            continue
        up = 1 if hull.at[1] > unit.centre[1] else -1
        way = (far - Decimal("0.01")).quantize(THOUSANDTH, ROUND_DOWN)
        plan: Plan = [(m, [m.at, (m.at[0], m.at[1] + up * way)]) for m in unit.living]
        dice = t.dice(2)
        while sum(dice) < far:
            dice = t.dice(2)
        if not fits(t, plan, Decimal(sum(dice))):
            continue
        t.write("charge", unit.owner, tag={"far": far, "roll": Decimal(sum(dice)), "border": False}, unit=unit.id,
                target=foe.id, dice=dice, claimed_distance=far.quantize(THOUSANDTH), claimed_success=True)  # fmt: skip
        centre = unit.centre
        rows = carry_out(t, plan)
        turn_to_way(unit, centre)
        t.write("charge_move", unit.owner, tag={"roll": Decimal(sum(dice))}, unit=unit.id, target=foe.id, models=rows,
                failed=False)  # fmt: skip
        unit.charged, unit.charged_rear = foe.id, False
        unit.locked, foe.locked = foe, unit
        unit.first_round = foe.first_round = True
        return True
    return False
