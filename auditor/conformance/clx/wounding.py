"""What hits do in an invented game: saves, and wounds of models and of hulls (catalogue 6.5, 6.10)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal

from auditor.conformance.clx.chart import (
    armour_save,
    hull_wounds,
    majority,
    to_wound,
)
from auditor.conformance.clx.inches import apart, direction, gap, turn_between
from auditor.conformance.clx.nerve import pin
from auditor.conformance.clx.table import Json, Model, Table, Unit

POWERED = ("power", "artificer", "terminator", "eldar")
"""Armour in which Hostile Environment Shielding is of use (CLX-USR-03)."""


def hull_side(t: Table, firer: Model, hull: Model) -> str | None:
    """Which side of a hull a model looks at (CLX-VEH-06, OR-VARC); None near a ray."""
    if t.rules("OR-VARC", "QUARTERS"):
        turned, away = turn_between(direction(hull.at, firer.at), hull.heading), float(apart(hull.at, firer.at))
        if any(abs(away * math.sin(math.radians(turned - rim))) < 0.3 for rim in (45, 135)):
            return None
        return "front" if turned < 45 else "side" if turned < 135 else "rear"
    base = hull.entry["base"]
    if base["shape"] == "circle":
        half_w = half_d = 1.0
    else:
        half_w, half_d = (max(abs(p[i]) for p in base["pts"]) for i in (0, 1))
    off = math.radians(direction(hull.at, firer.at) - hull.heading)
    far = float(apart(hull.at, firer.at))
    x, y = far * math.cos(off), abs(far * math.sin(off))
    corner = math.hypot(half_w, half_d)
    for sign in (1, -1):
        if abs(sign * x * half_d - y * half_w) / corner < 0.3:
            return None
    if y * half_w > abs(x) * half_d:
        return "side"
    return "front" if x > 0 else "rear"


def armour_against(
    t: Table, model: Model, strength: int, ap: int | None, rules: Sequence[str], user: int | None
) -> int | None:
    """What a model's armour save needs (OR-HEFTY-S, OR-1PLUS, OR-HES-AP); None where there is none."""
    if "nbc" in rules and t.rules("OR-HES-AP", "AP_IGNORED"):
        ap = None
    if "hefty" in rules and user is not None and t.rules("OR-HEFTY-S", "USER"):
        strength = user
    if "hefty" in rules and model.n("AS") == 1 and strength > 3 and ap != 1 and t.rules("OR-1PLUS", "ONE"):
        return strength - 2 if strength <= 8 else None
    return armour_save(model.n("AS") or None, ap, strength, rules)


def wounded(
    t: Table, model: Model, strength: int, ap: int | None, rules: Sequence[str], user: int | None = None
) -> Json:
    """One wound on one model: its save, and whether it is removed. `user`: the Strength of who struck or fired."""
    armour = armour_against(t, model, strength, ap, rules, user)
    if "nbc" in rules and (
        "hostile_environment_shielding" not in model.unit.rules or model.entry.get("armour_class") not in POWERED
    ):
        armour = None
    ward = model.entry["profile"].get("inv") if "nbc" not in rules else None
    options = [(needed, kind) for needed, kind in ((armour, "AS"), (ward, "inv")) if needed]
    row: Json = {"model": model.id}
    saved = False
    if options:
        needed, kind = min(options)
        die = t.d6()
        saved = die >= needed and die > 1
        row["save"] = {"kind": kind, "die": die, "claimed_needed": needed}
    if not saved:
        model.wounds -= 1
        model.alive = model.wounds > 0
    row["claimed_saved"], row["claimed_removed"] = saved, not model.alive
    return row


def strike_hull(t: Table, unit: Unit, weapon: Json, target: Unit, entry: Json, firer: Model, hit: int | None) -> int:
    """A hit on a vehicle (CLX-VEH-06 to -09, CLX-GEAR-04), of a bomb without a die to hit; the wounds that it takes off."""
    hull = target.living[0]
    side = hull_side(t, firer, hull)
    assert side is not None and target.vehicle is not None
    rules = weapon.get("rules", ())
    dice = t.dice(2 if "melta" in rules or "fusion" in rules else 1)
    by_hit = t.rules("OR-REND-VEH", "HIT_DIE")
    rends = "rending" in rules and (hit if by_hit else dice[0]) == 6
    ap = 1 if rends and by_hit else weapon["AP"]
    more = t.rng.randint(1, 3) if rends else None
    total = sum(dice) + weapon["S"] + (more or 0)
    pen, glance = t.readings.get("OR-PEN", "ONE_PLUS_N"), t.readings.get("OR-AP1-GLANCE", "TWO")
    result, wounds = hull_wounds(total, target.vehicle["armour"][side], ap, pen, glance)
    t.write(
        "vehicle_hit",
        unit.owner,
        tag={"side": side, "result": result, "ap": ap},
        attack=entry["attack"],
        weapon=weapon["id"],
        vehicle=target.id,
        claimed_facing=side,
        dice=dice,
        rending_d3=more,
        claimed_total=total,
        claimed_result=result,
        claimed_wounds=wounds,
        to_hit_die=hit,
    )
    hull.wounds -= wounds
    if hull.wounds <= 0:
        explode_or_wreck(t, target, hull)
    return wounds


def explode_or_wreck(t: Table, target: Unit, hull: Model) -> None:
    """A vehicle without wounds blows up, or is taken off the table (BASE-VEHICLE-DAMAGE says nothing): so that its debris
    hits no other one, where that can be."""
    inside = [unit for unit in t.units.values() if unit.aboard == target.id]
    if not inside and t.often("wreck", 0.5):
        hull.alive = False
        t.write("removed", target.owner, model=hull.id, reason="wrecked")
        return
    radius = t.d6()
    hulls = [gap(hull.base, m.base) for m in t.standing() if m is not hull and m.unit.vehicle is not None]
    if inside and any(far <= radius for far in hulls):
        radius = max((reach for reach in range(1, radius) if all(far > reach for far in hulls)), default=radius)
    within = [m for m in t.standing() if m is not hull and gap(hull.base, m.base) <= radius]
    caught = [m for m in within if m.unit.vehicle is None or inside]
    if len(caught) < len(within):
        hull.alive = False
        t.write("removed", target.owner, model=hull.id, reason="wrecked")
        return
    hull.alive = False
    rolls, saves, dead = [], [], []
    for model in caught:
        if model.unit.vehicle is not None:
            continue  # What a hit does to another hull is a matter of the base game.
        die = t.d6()
        rolls.append({"model": model.id, "die": die})
        if die < to_wound(4, model.n("T"), t.rules("OR-TWICE", "EXACT")):
            continue
        needed = armour_save(model.n("AS") or None, 6, 4, ())
        if needed is not None:
            save = t.d6()
            saves.append({"model": model.id, "die": save})
            if save >= needed and save > 1:
                continue
        model.wounds -= 1
        if model.wounds <= 0:
            model.alive = False
            dead.append(model.id)
            foe = model.unit.locked
            if foe is not None and model.unit.gone:
                foe.locked = model.unit.locked = None
    name = t.name("x")
    fields: Json = {}
    fallen: list[str] = []
    for unit in inside:
        fields, fallen = climb_out(t, unit, target, hull)
    t.write(
        "vehicle_explodes",
        target.owner,
        attack=name,
        vehicle=target.id,
        radius_die=radius,
        hit_models=[m.id for m in caught],
        wound_rolls=rolls,
        saves=saves,
        casualties=dead + fallen,
        **fields,
    )
    for unit in inside:
        if not unit.gone:
            pin(t, unit, [name], len(fallen))


SEATS = tuple((x, y) for x in (-1.65, -0.55, 0.55, 1.65) for y in (-0.6, 0.6))
"""Where those who climb out of a transport come to stand, seen from the middle of its hull."""


def climb_out(t: Table, unit: Unit, transport: Unit, hull: Model) -> tuple[Json, list[str]]:
    """A unit on board of a transport that explodes is hit, and what is left of it stands where the hull stood
    (CLX-VEH-01, -03); what the log says of it, and who fell."""
    strength, ap = (3, None) if (transport.vehicle or {}).get("open_topped") else (5, 5)
    dice = t.dice(len(unit.living))
    needed = to_wound(strength, majority(m.n("T") for m in unit.living), t.rules("OR-TWICE", "EXACT"))
    rows = [wounded(t, unit.living[0], strength, ap, ()) for die in dice if die >= needed]
    turn = math.radians(hull.heading)
    placed: list[Json] = []
    for model, (x, y) in zip(unit.living, t.rng.sample(SEATS, len(unit.living)), strict=True):
        off = (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn))
        model.at = (hull.at[0] + Decimal(repr(round(off[0], 2))), hull.at[1] + Decimal(repr(round(off[1], 2))))
        placed.append({"id": model.id, "pos": list(model.at)})
    unit.aboard, unit.on_table = None, True
    told: Json = {
        "passenger_unit": unit.id,
        "passenger_hits": len(dice),
        "passenger_S": strength,
        "passenger_AP": ap,
        "passenger_wound_rolls": dice,
        "passenger_saves": [row["save"]["die"] for row in rows if "save" in row],
        "survivors": placed,
    }
    return told, [row["model"] for row in rows if row["claimed_removed"]]
