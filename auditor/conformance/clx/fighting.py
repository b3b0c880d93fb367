"""The Assault Phase of an invented game: its combats, and their results (catalogue 6.7, 6.8)."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from auditor.conformance.clx.charging import TOUCH, charge, charge_a_hull, into_contact, may_charge, melee_of
from auditor.conformance.clx.chart import majority, strength_of, to_hit_combat, to_wound
from auditor.conformance.clx.inches import gap
from auditor.conformance.clx.moving import carry_out, fall_back
from auditor.conformance.clx.nerve import sure_dice
from auditor.conformance.clx.table import DOUBT, Json, Model, Table, Unit
from auditor.conformance.clx.wounding import hull_side, strike_hull, wounded

BRUSH = Decimal("0.5")
"""So near to an enemy a model may be written to touch it under a tolerance of a quarter inch."""


def assault_phase(t: Table) -> None:
    """The active player's Assault Phase: charges, then every combat."""
    t.phase = "assault"
    t.write("phase_start", t.active)
    mine = t.of(t.active)
    t.rng.shuffle(mine)
    for unit in mine:
        if may_charge(t, unit) and not (t.steer is not None and t.active in t.steer.meek):
            if not t.led("bombs") or not charge_a_hull(t, unit):
                charge(t, unit)
    for unit in t.of(t.active):
        if unit.locked is not None and (unit.vehicle or unit.locked.vehicle):
            bombs(t, *((unit.locked, unit) if unit.vehicle else (unit, unit.locked)))
        elif unit.locked is not None:
            combat(t, unit, unit.locked)
    for unit in t.units.values():
        # What a charge gives it gives in its own turn (CLX-ASLT-09), whoever charges in the next.
        unit.charged, unit.charged_rear, unit.uphill = None, False, set()
    t.write("phase_end", t.active)


def surprise(t: Table, unit: Unit) -> int:
    """How often a charging unit has the bonus of Surprise Assault: from the rear, and by its special rule."""
    rear, own = unit.charged_rear, "surprise_assault" in unit.rules
    return rear + own if t.rules("OR-SURPRISE-STACK", "YES") else int(rear or own)


def attacks_of(t: Table, unit: Unit, model: Model, weapon: Json, foe: Unit) -> int:
    """How many blows a model has (CLX-ASLT-09)."""
    base = model.n("A") * (2 if "frenzy" in unit.rules and not unit.frenzy_lost else 1)
    fresh = unit.charged == foe.id and unit.first_round
    given_up = unit.thrower == model.id and t.rules("OR-FORGO", "ALL")
    if fresh and not unit.no_bonus and unit.thrower != model.id:
        base += 1
    if fresh and not given_up:
        base += surprise(t, unit)
    if unit.counter:
        base += 1
    if fresh and unit.hates(foe) and not given_up:
        base += 1
    if not fresh and unit.first_round and unit.hates(foe) and t.rules("OR-HATRED-A", "FIRST_TURN"):
        base += 1
    close = [w for w in model.entry["weapons"] if t.weapons[w]["type"] in ("melee", "pistol")]
    if len(close) > 1 and "two_handed" not in weapon.get("rules", ()):
        base += 1
    return base


def initiative_of(t: Table, unit: Unit, model: Model, foe: Unit) -> int:
    """At which Initiative a model strikes (CLX-ASLT-08 to -10)."""
    fresh = unit.charged == foe.id and unit.first_round
    value = model.n("I") - unit.init_loss
    if fresh and not (unit.thrower == model.id and t.rules("OR-FORGO", "ALL")):
        value += surprise(t, unit)
    if model.id in unit.climbed if t.rules("OR-HIGH", "EVERY_ROUND") else fresh and model.id in unit.uphill:
        value -= 1
    if foe.id in unit.fear_failed and foe.id not in unit.fear_overcome:
        value -= 1
    if model.id in unit.slowed or (t.clock <= unit.pinned_until and foe.charged == unit.id and foe.first_round):
        return 1
    return max(1, min(10, value))


def front(unit: Unit, foe: Unit) -> list[Model]:
    """The models in base contact with the other unit (OR-FRONT=CONTACT)."""
    return [m for m in unit.living if any(gap(m.base, n.base) <= TOUCH for n in foe.living)]


def fighters(unit: Unit, foe: Unit) -> list[Model]:
    """Who strikes: models in contact, and those within two inches of a friend in contact."""
    line = front(unit, foe)
    return [m for m in unit.living if m in line or any(gap(m.base, f.base) <= 2 for f in line)]


def engaged(unit: Unit) -> list[Model]:
    """Who of a unit may strike those whom it is in combat with."""
    return [] if unit.locked is None else fighters(unit, unit.locked)


def combat(t: Table, one: Unit, other: Unit) -> None:
    """One round of a combat of two units (CLX-ASLT-04 to -10, CLX-MOR-02)."""
    if not front(one, other) and not pile_in(t, one, other):
        return
    wounds = {one.id: 0, other.id: 0}
    arms = {unit.id: t.rng.choice(melee_of(t, unit) or [""]) for unit in (one, other)}
    for initiative in range(10, 0, -1):
        strikes: list[tuple[Unit, Unit, list[Model]]] = []
        for unit, foe in ((one, other), (other, one)):
            able = [m for m in fighters(unit, foe) if initiative_of(t, unit, m, foe) == initiative]
            if able and arms[unit.id]:
                strikes.append((unit, foe, able))
        t.rng.shuffle(strikes)
        for unit, foe, able in strikes:
            if not foe.gone:
                wounds[unit.id] += blows(t, unit, foe, able, t.weapons[arms[unit.id]], initiative)
    result(t, one, other, wounds)


def blows(t: Table, unit: Unit, foe: Unit, able: Sequence[Model], weapon: Json, initiative: int) -> int:
    """One step of a fight; gives back the unsaved wounds."""
    name = t.name("d")
    # What being pinned does in a combat that began before is a matter of the base game: no Initiative is claimed.
    assaulted = foe.charged == unit.id and foe.first_round
    told = initiative if assaulted or t.clock > unit.pinned_until else None
    rows = [
        {
            "model": m.id,
            "claimed_attacks": attacks_of(t, unit, m, weapon, foe),
            "claimed_initiative": told,
            "target": foe.id,
            "weapon": weapon["id"],
        }
        for m in able
    ]
    t.write("fight_step", unit.owner, tag={"bonus": unit.charged == foe.id}, attack=name, initiative=initiative,
            attackers=rows)  # fmt: skip
    afraid_now = foe.id in unit.fear_failed and foe.id not in unit.fear_overcome
    skill = max(1, majority(m.n("WS") for m in able) - afraid_now)
    theirs = majority(n.n("WS") for n in foe.living)
    if unit.id in foe.fear_failed and unit.id not in foe.fear_overcome:
        theirs = max(1, theirs - 1)
    needed = to_hit_combat(skill, theirs)
    if unit.prefers(foe):
        needed = min(needed, 3)
    again = unit.charged == foe.id and unit.first_round and unit.hates(foe)
    rolls: list[Json] = []
    hits: list[int] = []
    for _ in range(sum(row["claimed_attacks"] for row in rows)):
        die = t.d6()
        rolls.append({"die": die})
        if die < needed and again:
            die = rolls[-1]["reroll"] = t.d6()
        if die >= needed:
            hits.append(die)
    t.write("hit_rolls", unit.owner, tag={"rule": "CLX-ASLT-05"}, attack=name, weapon=weapon["id"], rolls=rolls,
            claimed_needed=needed, claimed_reroll_needed=needed if again else None, claimed_hits=len(hits))  # fmt: skip
    line = fighters(foe, unit)[::-1] if t.rules("OR-FRONT", "ENGAGED") else front(foe, unit)
    auto = sum(die == 6 for die in hits) if "rending" in weapon.get("rules", ()) else 0
    unsaved = 0
    user = majority(m.n("S") for m in able)
    strength = strength_of(weapon, user)
    if auto:
        t.write("wound_rolls", unit.owner, attack=name, weapon=weapon["id"], rolls=[], automatic=auto,
                claimed_wounds=auto, pool=f"{name}r")  # fmt: skip
        unsaved += suffer(t, foe, line, name, f"{name}r", auto, strength, 1, weapon, user)
    left = len(hits) - auto
    if not left or foe.gone:
        return unsaved
    needed = to_wound(strength, majority(n.n("T") for n in foe.living), t.rules("OR-TWICE", "EXACT"))
    if unit.prefers(foe):
        needed = min(needed, 3)
    dice = t.dice(left)
    wounds = sum(die >= needed for die in dice)
    t.write("wound_rolls", unit.owner, tag={"rule": "CLX-ASLT-06"}, attack=name, weapon=weapon["id"],
            rolls=[{"die": d} for d in dice], claimed_needed=needed, claimed_wounds=wounds, pool=f"{name}p")  # fmt: skip
    if wounds:
        unsaved += suffer(t, foe, line, name, f"{name}p", wounds, strength, weapon["AP"], weapon, user)
    return unsaved


def brushed(t: Table, unit: Unit) -> list[Model]:
    """Where places are written a little off: the model that may be taken for one in contact first."""
    foe = unit.locked
    if t.doubt <= DOUBT or foe is None or foe.gone or unit.gone:
        return []
    far = {m.id: min(gap(m.base, n.base) for n in foe.living) for m in unit.living}
    nearest = min(unit.living, key=lambda m: far[m.id])
    return [nearest] if far[nearest.id] <= BRUSH else []


def suffer(
    t: Table, foe: Unit, line: Sequence[Model], name: str, pool: str, wounds: int, strength: int, ap: int | None,
    weapon: Json, user: int,
) -> int:  # fmt: skip
    """Wounds of a fight: those in the front line first (CLX-ASLT-04)."""
    rows: list[Json] = []
    for _ in range(wounds):
        # Who was engaged only through a friend that has fallen since is not any more (OR-FRONT=ENGAGED).
        still = engaged(foe)
        standing = [m for m in line if m in still] or brushed(t, foe) or foe.living
        if not standing:
            break
        hurt = [m for m in standing if m.wounds < m.n("W")]
        rows.append(wounded(t, (hurt or standing)[0], strength, ap, weapon.get("rules", ()), user))
    if rows:
        t.write(
            "allocate",
            foe.owner,
            tag={"ap": ap, "combat": True, "rules": weapon.get("rules", ())},
            attack=name,
            pool=pool,
            list=rows,
        )
    return sum(t.rules("OR-WOUNDS", "INFLICTED") or not row["claimed_saved"] for row in rows)


def result(t: Table, one: Unit, other: Unit, wounds: dict[str, int]) -> None:
    """Who lost, and what comes of it (CLX-MOR-02)."""
    by = {u.owner: wounds[u.id] for u in (one, other)}
    loser = None if by["A"] == by["B"] else ("A" if by["A"] < by["B"] else "B")
    event = t.write("combat_result", t.active, units=[one.id, other.id], wounds_by_A=by["A"], wounds_by_B=by["B"])
    event["claimed_loser"] = loser
    for unit in (one, other):
        unit.first_round, unit.counter = False, False
        unit.init_loss, unit.slowed = 0, set()
    lost = next((u for u in (one, other) if u.owner == loser), None)
    if one.gone or other.gone:
        for unit in (one, other):
            unit.locked = None
    if lost is None:
        return
    won = other if lost is one else one
    won.fear_overcome.add(lost.id)
    if "frenzy" in lost.rules:
        lost.frenzy_lost = True
    if lost.gone or won.gone or lost.vehicle is not None:
        return
    modifier = -abs(by["A"] - by["B"]) - (1 if lost.rear_assaulted and won.charged == lost.id else 0)
    limit = lost.ld + modifier
    dice = t.dice(3) if lost.hates(won) else sure_dice(t, lost, limit)
    if "fearless" in lost.rules:
        while sum(sorted(dice)[:2]) > max(2, limit):
            dice = t.dice(len(dice))
    passed = sum(sorted(dice)[:2]) <= limit
    t.write("morale", lost.owner, tag={"limit": limit}, unit=lost.id, cause="combat", dice=dice,
            claimed_modifier=modifier, claimed_passed=passed)  # fmt: skip
    if not passed:
        fall_back(t, lost, "CLX-MOR-02")


def bombs(t: Table, unit: Unit, foe: Unit) -> None:
    """A round of a combat with a vehicle: everybody in reach uses a bomb, which hits by itself (CLX-GREN-09 to -11)."""
    hull = foe.living[0]
    able = [m for m in fighters(unit, foe) if hull_side(t, m, hull) is not None]
    if not able:
        return
    bomb = t.rng.choice([key for key in able[0].entry["weapons"] if t.weapons[key]["type"] == "bomb"])
    name = t.name("d")
    rows = [{"model": m.id, "claimed_attacks": 1, "target": foe.id, "weapon": bomb} for m in able]
    t.write("fight_step", unit.owner, tag={"bonus": False}, attack=name, initiative=majority(m.n("I") for m in able),
            attackers=rows)  # fmt: skip
    wounds = 0
    for m in able:
        if not foe.gone:
            wounds += strike_hull(t, unit, t.weapons[bomb], foe, {"attack": name}, m, None)
    result(t, unit, foe, {unit.id: wounds, foe.id: 0})


def pile_in(t: Table, one: Unit, other: Unit) -> bool:
    """Two units in combat that nobody touches any more close up again."""
    for unit, foe in ((one, other), (other, one)):
        plan = into_contact(t, unit, foe, Decimal(99))
        if plan:
            t.write("pile_in", unit.owner, unit=unit.id, models=carry_out(t, plan))
            return True
    return False
