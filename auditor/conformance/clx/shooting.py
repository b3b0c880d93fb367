"""The Shooting Phase of an invented game (catalogue 6.4 to 6.6, 9)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from auditor.conformance.clx.chart import (
    TURBO,
    flat_out,
    majority,
    reroll_shooting,
    run_dice,
    to_hit_shooting,
    to_wound,
)
from auditor.conformance.clx.inches import Base, apart, direction, gap
from auditor.conformance.clx.moving import carry_out, drive_way, find_way, goal, stuck, turn_to_way
from auditor.conformance.clx.nerve import aftermath, shaken
from auditor.conformance.clx.table import Json, Model, Table, Unit
from auditor.conformance.clx.wounding import hull_side, strike_hull, wounded

SNAP = 6
"""What a Snap Shot needs (BASE-SNAP)."""


@dataclass
class Firer:
    """A model that fires: how far it reaches and what it may shoot."""

    model: Model
    nearest: Decimal
    bonus: Decimal
    reach: Decimal
    half: Decimal
    shots: int


def shooting_phase(t: Table) -> None:
    """The active player's Shooting Phase."""
    t.phase = "shooting"
    for unit in t.units.values():
        unit.attacks, unit.frame, unit.crossed = [], None, False
        unit.gone_to_ground = unit.pressed = unit.asked_prone = unit.jinks = False
    t.write("phase_start", t.active)
    mine = t.of(t.active)
    t.rng.shuffle(mine)
    for unit in mine:
        if unit.locked and not unit.gone and t.led("pistols in combat") and t.clock > unit.pinned_until:
            shoot_at_somebody(t, unit)
        if unit.hidden and not unit.gone and t.led("shots of the hidden"):
            unit.shot_hidden = shoot_at_somebody(t, unit) or unit.shot_hidden
        if unit.gone or unit.locked or unit.hidden or unit.falling_back or t.clock <= unit.no_shots_until:
            continue
        if unit.arrived != t.clock and t.led("arrivals alone"):
            continue
        for foe in t.enemies(unit):
            if foe.hidden and unit.vehicle is None and t.often("spot", 0.9):
                spot(t, unit, foe)
        if t.clock <= max(unit.pinned_until, unit.grounded_until):
            continue
        if "huddles" in t.habits and any(t.unit_gap(unit, foe) <= 12 for foe in t.enemies(unit)):
            if t.chance(0.25):
                shoot_at_somebody(t, unit)
            continue
        if (t.often("run", 0.2) and t.clock > unit.stuck_until) or (
            t.often("shoot", 0.95)
            and not shoot_at_somebody(t, unit)
            and t.often("run instead", 0.7)
            and t.clock > unit.stuck_until
        ):
            run(t, unit)
    for unit in list(t.units.values()):
        if unit.on_table and not unit.gone and unit.owner != t.active:
            shaken(t, unit)
    t.write("phase_end", t.active)


def spot(t: Table, unit: Unit, target: Unit) -> None:
    """A unit looks for one that is hidden (CLX-USR-05, -06)."""
    own, theirs = (majority(m.n("I") for m in one.living) for one in (unit, target))
    die, against = t.d6(), t.d6()
    found, again = die + own > against + theirs, None
    if not found and any("auspex" in m.entry.get("wargear", ()) for m in unit.living):
        again = t.d6()
        found = again + own > against + theirs
    t.write(
        "spot",
        unit.owner,
        tag={"ahead": (again or die) + own - against - theirs},
        spotter=unit.id,
        target=target.id,
        die_spotter=die,
        die_target=against,
        reroll_spotter=again,
        claimed_revealed=found,
    )
    target.hidden = not found


def run(t: Table, unit: Unit) -> None:
    """A unit runs instead of shooting (CLX-SHOOT-15)."""
    if stuck(t, unit):
        return
    dice: list[int] | None = None
    if unit.kind == "vehicle":
        if unit.vehicle and (unit.vehicle.get("flyer") or unit.vehicle.get("squadron") or not flat_out(unit.vehicle)):
            return
        assert unit.vehicle is not None
        far, mode = Decimal(flat_out(unit.vehicle)), "flat_out"
    elif unit.kind in TURBO:
        far, mode = Decimal(TURBO[unit.kind]), "turbo"
    else:
        dice = t.dice(run_dice(unit.kind))
        far, mode = Decimal(sum(dice)), "run"
    before = unit.centre
    if unit.kind == "vehicle":
        way = drive_way(t, unit, far)
        if way is None:
            return
        border = False
        rows = carry_out(t, *way)
    else:
        plan, border = find_way(t, unit, far, goal(t, unit), ("impassable", "difficult", "dangerous"))
        if not plan:
            return
        rows = carry_out(t, plan)
        if unit.vehicle is not None:
            heading = round(direction(before, unit.centre)) % 360
            for row, (model, path) in zip(rows, plan, strict=True):
                row["headings"] = [heading] * len(path)
                model.heading = heading
    unit.ran = True
    turn_to_way(unit, before)
    t.write(
        "run",
        unit.owner,
        tag={"allowance": far, "border": border, "before": before},
        unit=unit.id,
        mode=mode,
        dice=dice,
        models=rows,
        claimed_distance=far,
    )


def weapon_of(t: Table, unit: Unit) -> list[str]:
    """The weapons of a unit that may shoot now, and that all its models have."""
    found: list[str] = []
    for key in unit.living[0].entry["weapons"]:
        weapon = t.weapons[key]
        guessed = t.steer is not None and "guess" in t.steer.odds and weapon.get("guess")
        if unit.locked and weapon["type"] != "pistol":
            continue
        if weapon["type"] in ("melee", "grenade", "bomb"):
            continue
        if not guessed and ("blast" in weapon.get("rules", ()) or weapon.get("guess")):
            continue
        if weapon["type"] in ("heavy", "ordnance", "salvo") and unit.vehicle is not None and unit.moved:
            continue
        if weapon["type"] == "heavy" and unit.moved and unit.kind == "infantry" and not guessed and t.led("snap"):
            found.append(key)
            continue
        if weapon["type"] in ("heavy", "ordnance") and unit.moved:
            continue
        if weapon["type"] in ("heavy", "ordnance", "salvo") and unit.kind not in (
            "infantry",
            "artillery",
            "vehicle",
            "walker",
        ):
            continue
        found.append(key)
    return found


def reach_of(t: Table, model: Model, weapon: Json, target: Model) -> tuple[Decimal, Decimal]:
    """The range bonus of height and the range with it (CLX-SHOOT-06, OR-ELEV, OR-ELEV-REF)."""
    up = max(Decimal(0), model.z - target.z) if t.rules("OR-ELEV-REF", "RELATIVE") else model.z
    bonus = min(Decimal(6), up if t.rules("OR-ELEV", "LINEAR") else Decimal(int(up)))
    return bonus, Decimal(weapon["range"]) + bonus


def firers_at(t: Table, unit: Unit, weapon: Json, target: Unit) -> tuple[list[Firer], bool, bool]:
    """Who can fire at a target; whether sight was in doubt; whether any model is in range at all."""
    found: list[Firer] = []
    doubt = reached = False
    for model in unit.living:
        near = sorted(((gap(model.base, n.base), i, n) for i, n in enumerate(target.living)), key=lambda e: e[:2])
        within = [(max(Decimal(0), far), n) for far, _, n in near if far <= reach_of(t, model, weapon, n)[1]]
        reached = reached or bool(within)
        for far, n in within:
            seen = t.visible(model, n)
            if seen is None:
                doubt = True
            if seen:
                bonus, reach = reach_of(t, model, weapon, n)
                half = (Decimal(weapon["range"]) if t.rules("OR-RAPID-HALF", "PRINTED") else reach) / 2
                found.append(Firer(model, far, bonus, reach, half, shots_of(weapon, unit, far, half)))
                break
    return found, doubt, reached


def shots_of(weapon: Json, unit: Unit, far: Decimal, half: Decimal) -> int:
    """How many shots a model has (catalogue 6.6)."""
    if weapon["type"] == "salvo":
        return int(weapon["shots"]["low" if unit.moved else "high"])
    if weapon["type"] == "rapid_fire":
        return 2 if far <= half else 1
    return 1 if weapon["type"] == "pistol" else int(weapon["shots"])


def shoot_at_somebody(t: Table, unit: Unit) -> bool:
    """A unit shoots at an enemy that it can shoot at; False where there is none."""
    weapons = weapon_of(t, unit)
    if not weapons or unit.living[0].n("BS") == 0:
        return False
    seen = t.rules("OR-HIDE-SHOOT", "REVEALS")
    foes = [e for e in t.enemies(unit) if not e.locked and not e.falling_back]
    foes = [e for e in foes if not e.hidden or (seen and e.shot_hidden)]
    if t.steer is not None and t.steer.later:
        foes = [e for e in foes if not e.attacks]  # What counts where those who outflank are not alone is left open.
    t.rng.shuffle(foes)
    if t.chance(0.7):
        foes.sort(key=lambda e: t.unit_gap(unit, e))
    if any(e.attacks for e in foes) and t.chance(0.5):
        foes.sort(key=lambda e: not e.attacks)
    for target in foes[:4]:
        if target.vehicle is None and t.arc(target, unit.centre) is None:
            continue
        if target.frame is not None and t.arc(target, unit.centre, target.frame) is None:
            continue
        t.rng.shuffle(weapons)
        chosen = next((w for w in weapons if suits(t, unit, w, target)), None)
        if chosen is None:
            if t.often("waste", 0.05) and all(not firers_at(t, unit, t.weapons[w], target)[2] for w in weapons):
                wasted(t, unit, t.weapons[weapons[0]], target)
                return not t.rules("OR-RUN-AFTER-FAIL", "YES")
            continue
        more = [w for w in weapons if w != chosen and suits(t, unit, w, target)]
        per_model = unit.entry.get("weapons_per_model") or 1
        attack(t, unit, [chosen, *more[: per_model - 1]], target)
        return True
    return False


def suits(t: Table, unit: Unit, weapon_id: str, target: Unit) -> bool:
    """Whether a weapon can be fired at a target, with everything that matters beyond doubt."""
    firers, doubt, _ = firers_at(t, unit, t.weapons[weapon_id], target)
    if not firers or doubt:
        return False
    if any(t.visible(f.model, n) is None for f in firers for n in target.living):
        return False
    if target.vehicle is not None:
        sides = {hull_side(t, f.model, target.living[0]) for f in firers}
        return len(sides) == len(target.living) == 1 and None not in sides
    return True


def wasted(t: Table, unit: Unit, weapon: Json, target: Unit) -> None:
    """A declared attack that turns out to be out of range (CLX-SHOOT-05)."""
    name = t.name("k")
    t.write(
        "shoot",
        unit.owner,
        attack=name,
        unit=unit.id,
        target=target.id,
        claimed_in_range=False,
        claimed_failed=True,
    )
    rows = [{"model": m.id, "shots": 1} for m in unit.living]
    t.write("weapon_fire", unit.owner, attack=name, weapon=weapon["id"], firers=rows)
    unit.tried = True
    unit.fired.add(weapon["type"])


def attack(t: Table, unit: Unit, weapons: Sequence[str], target: Unit) -> None:
    """One shooting attack with one weapon or more."""
    name = t.name("k")
    towards, whence = direction(unit.centre, target.centre), direction(target.centre, unit.centre)
    over = float(apart(unit.centre, target.centre))
    side = t.arc(target, unit.centre) if target.vehicle is None else None
    if target.frame is None and target.vehicle is None:
        target.frame, target.frame_over = target.facing, target.turned_over
    entry: Json = {
        "attack": name,
        "unit": unit.id,
        "arc": t.arc(target, unit.centre, target.frame) if target.vehicle is None else None,
        "hits": 0,
        "unsaved": 0,
        "inflicted": 0,
        "lost": 0,
        "whence": whence,
        "pinning_hits": 0,
        "pinning_wounds": 0,
        "tested": False,
        "crossed": False,
    }
    if "jinks" in t.habits and jinker(target) and not target.jinks and t.chance(0.7):
        t.write("jink", target.owner, unit=target.id)
        target.jinks = True
    t.write(
        "shoot",
        unit.owner,
        tag={"arc": side},
        attack=name,
        unit=unit.id,
        target=target.id,
        claimed_in_range=True,
        claimed_failed=False,
        claimed_arc=side,
    )
    if jinker(target) and not target.jinks and t.led("late jinks"):
        t.write("jink", target.owner, unit=target.id, attack=name)
        target.jinks = True
    unit.tried = True
    outflanks = "outflank" in unit.rules and unit.arrived == t.clock
    pinning = False
    used: set[str] = set()
    for weapon_id in weapons:
        if target.gone:
            break
        weapon = t.weapons[weapon_id]
        pinning = pinning or "pinning" in weapon.get("rules", ())
        fire(t, unit, weapon, target, entry, first=not used)
        used.add(weapon_id)
        unit.fired.add(weapon["type"])
    if unit.vehicle is None and unit.locked is None:
        unit.facing, unit.turned_by, unit.turned_over = towards, "CLX-FACE-01", over
    target.attacks.append(entry)
    if outflanks and target.vehicle is None:
        # Whether these shots turn it hangs on a reading (OR-OUTFLANK): nobody acts on its facing until it moves.
        target.facing = None
        entry["arc"] = "rear" if entry["arc"] == "side" else entry["arc"]
    if target.gone or target.vehicle is not None:
        return
    if t.rules("OR-PRONE", "GENERAL") and entry["pinning_hits"] and "prone_position" not in target.rules:
        if not target.asked_prone and t.clock > target.pinned_until and t.chance(0.5):
            t.write("prone_choice", target.owner, unit=target.id, attack=name, choice="drop")
            target.asked_prone, entry["tested"] = True, True
            target.stuck_until = t.clock + 1
    aftermath(t, target, entry, whence, over, pinning)
    if t.rules("OR-MORALE-WHEN", "PER_ATTACK") and not target.gone and not target.falling_back:
        shaken(t, target, [entry])


def jinker(unit: Unit) -> bool:
    """Whether a unit may jink (CLX-SHOOT-07a)."""
    return unit.kind in TURBO or bool(unit.vehicle and unit.vehicle.get("skimmer"))


def _rule_to_hit(unit: Unit, target: Unit) -> str | None:
    """The rule of the number to hit; None where either of two can be named for it."""
    if not unit.prefers(target):
        return "CLX-SHOOT-09"
    return "CLX-USR-09" if unit.living[0].n("BS") < 4 else None


def go_to_ground(t: Table, target: Unit, entry: Json) -> None:
    """A unit that is shot at goes to ground (CLX-SHOOT-11)."""
    t.write("go_to_ground", target.owner, unit=target.id, attack=entry["attack"])
    target.gone_to_ground = True
    target.grounded_until = t.clock + 1
    entry["too_late"] = t.rules("OR-GTG-TIME", "NEXT_ATTACK")


def fire(t: Table, unit: Unit, weapon: Json, target: Unit, entry: Json, first: bool) -> None:
    """All models of a unit that fire one weapon (CLX-SHOOT-02)."""
    firers, _, _ = firers_at(t, unit, weapon, target)
    if not firers:
        return
    if weapon.get("guess"):
        firers = firers[:1]
    snap = weapon["type"] == "heavy" and unit.moved and unit.vehicle is None
    rows = [
        {
            "model": f.model.id,
            "shots": f.shots,
            "snap": snap or None,
            "claimed_range": f.reach,
            "claimed_range_bonus": f.bonus,
            "claimed_half": f.nearest <= f.half if weapon["type"] == "rapid_fire" else None,
        }
        for f in firers
    ]
    name = entry["attack"]
    border = any(f.nearest == f.reach or f.nearest == f.half for f in firers)
    t.write(
        "weapon_fire",
        unit.owner,
        tag={"border": border, "bonus": max(f.bonus for f in firers)},
        attack=name,
        weapon=weapon["id"],
        firers=rows,
    )
    may_drop = target.kind == "infantry" and not target.gone_to_ground and "prone_position" not in target.rules
    if first and may_drop and t.clock > target.pinned_until and t.often("ground", 0.15):
        go_to_ground(t, target, entry)
    if weapon.get("guess"):
        guessed(t, weapon, firers[0].model, target, name, hit_models=[])
        return
    shots = sum(f.shots for f in firers) - covered(t, weapon, firers, target, entry)
    if not shots:
        return
    needed = SNAP if snap else to_hit_shooting(unit.living[0].n("BS"))
    again = None if snap else reroll_shooting(unit.living[0].n("BS"))
    if unit.prefers(target) and not (snap and t.rules("OR-PE-SNAP", "NOT")):
        needed = min(needed, 3)
        again = None if again is None else min(again, 3)
    rules = weapon.get("rules", ())
    if "twin_linked" in rules:
        again = needed
    rolls: list[Json] = []
    final: list[tuple[int, bool]] = []
    for _ in range(shots):
        die = t.d6()
        if die >= needed or again is None or t.chance(0.1):
            rolls.append({"die": die})
            final.append((die, die >= needed))
        else:
            other = t.d6()
            bs_again = reroll_shooting(unit.living[0].n("BS")) if "twin_linked" in rules else None
            if (
                bs_again is not None
                and other < again
                and t.rules("OR-REROLL-ONCE", "BOTH")
                and t.often("third die", 0.5)
            ):
                third = t.d6()
                rolls.append({"die": die, "reroll": [other, third]})
                final.append((third, third >= bs_again))
                continue
            rolls.append({"die": die, "reroll": other})
            final.append((other, other >= again))
    hits = [die for die, hit in final if hit]
    t.write(
        "hit_rolls",
        unit.owner,
        tag={"rule": _rule_to_hit(unit, target)},
        attack=name,
        weapon=weapon["id"],
        rolls=rolls,
        claimed_needed=needed,
        claimed_reroll_needed=again,
        claimed_hits=len(hits),
    )
    entry["hits"] += len(hits)
    if "pinning" in rules:
        entry["pinning_hits"] += len(hits)
    if not hits:
        return
    if target.vehicle is not None:
        for die in hits:
            if not target.gone:
                strike_hull(t, unit, weapon, target, entry, firers[0].model, die)
        return
    auto = sum(die == 6 for die in hits) if "rending" in rules else 0
    if auto:
        t.write(
            "wound_rolls",
            unit.owner,
            attack=name,
            weapon=weapon["id"],
            rolls=[],
            automatic=auto,
            claimed_wounds=auto,
            pool=f"{name}r",
        )
        allocate(t, weapon, firers, target, entry, f"{name}r", auto, 1)
    left = len(hits) - auto
    if not left or target.gone:
        return
    needed = to_wound(weapon["S"], majority(m.n("T") for m in target.living), t.rules("OR-TWICE", "EXACT"))
    if unit.prefers(target):
        needed = min(needed, 3)
    dice = t.dice(left)
    wounds = sum(die >= needed for die in dice)
    pool = f"{name}{weapon['id']}"
    t.write(
        "wound_rolls",
        unit.owner,
        tag={"rule": "CLX-ASLT-06"},
        attack=name,
        weapon=weapon["id"],
        rolls=[{"die": die} for die in dice],
        claimed_needed=needed,
        claimed_wounds=wounds,
        pool=pool,
    )
    if wounds:
        allocate(t, weapon, firers, target, entry, pool, wounds, weapon["AP"])


def guessed(t: Table, weapon: Json, model: Model, target: Unit, attack: str, **more: Any) -> None:
    """A shot of guessed range (CLX-SHOOT-06g): it may be placed off the guess by as much as the Ballistic Skill, and it
    scatters by 2D6 inches where its die misses. Nobody is said to be under a shot: whom its blast may wound no audit works
    out."""
    skill = model.n("BS")
    nearest = min(target.living, key=lambda n: gap(model.base, n.base))
    aim, off = nearest.at, gap(model.base, nearest.base)
    # A guess that is far off is bad, and no fault (OR-GUESS-BS).
    guess = max(1, round(float(off)) + t.rng.choice((0, 1, -1, 2, skill + 1, -skill - 2)))
    guess = min(guess, weapon["range"] + skill)
    placed = min(Decimal(guess) + Decimal(t.rng.randint(-4 * skill, 4 * skill)) / 4, Decimal(weapon["range"]))
    placed = max(placed, Decimal(1))
    die = t.d6()
    hit = die >= to_hit_shooting(skill)
    share = placed / apart(model.at, aim)
    final = [float(a + (b - a) * share) for a, b in zip(model.at, aim, strict=True)]
    angle, dice = (None, None) if hit else (t.rng.randint(0, 359), t.dice(2))
    if angle is not None and dice is not None:
        far = sum(dice)
        final = [final[0] + far * math.cos(math.radians(angle)), final[1] + far * math.sin(math.radians(angle))]
    if t.chance(0.3):
        final = [round(v, 2) for v in final]
    t.write(
        "guess_shot",
        model.unit.owner,
        tag={"spare": skill - abs(placed - guess)},
        attack=attack,
        model=model.id,
        aim=list(aim),
        guess=guess,
        placed_distance=placed,
        to_hit_die=die,
        scatter_angle=angle,
        scatter_dice=dice,
        claimed_final=[Decimal(repr(round(v, 3))) for v in final],
        **more,
    )


def covered(t: Table, weapon: Json, firers: Sequence[Firer], target: Unit, entry: Json) -> int:
    """The cover dice of an attack; how many shots they stop (CLX-SHOOT-07b, -07c)."""
    if target.pressed:
        return 0
    by_level: dict[int, list[Firer]] = defaultdict(list)
    for f in firers:
        by_level[t.cover_from(f.model, target)].append(f)
    stopped = 0
    jink = 7 - t.base_rules["BASE-JINK"] if target.jinks else 0
    for level, group in sorted(by_level.items()):
        ground = target.gone_to_ground and not entry.get("too_late")
        better = max(level, jink) + ground
        if better == 0:
            continue
        fields: Json = {"firers": [f.model.id for f in group]} if len(by_level) > 1 else {}
        if t.chance(0.04):
            t.write(
                "cover_rolls", target.owner, attack=entry["attack"], weapon=weapon["id"], waived=True, dice=[], **fields
            )
            continue
        dice = t.dice(sum(f.shots for f in group))
        needed = 7 - better
        saved = sum(die >= needed for die in dice)
        stopped += saved
        t.write(
            "cover_rolls",
            target.owner,
            tag={"level": better, "ground": ground, "hull": target.vehicle is not None},
            attack=entry["attack"],
            weapon=weapon["id"],
            dice=dice,
            claimed_level=better,
            claimed_needed=needed,
            claimed_saved=saved,
            **fields,
        )
    return stopped


def allocate(
    t: Table, weapon: Json, firers: Sequence[Firer], target: Unit, entry: Json, pool: str, wounds: int, ap: int | None
) -> None:
    """Wounds go to the closest models that can be seen and reached (CLX-SHOOT-13)."""
    rules = weapon.get("rules", ())
    rows: list[Json] = []
    taken: set[int] = set()
    centre = firers[0].model.unit.centre if t.rules("OR-ALLOC-FROM", "UNIT_CENTRE") else None
    for _ in range(wounds):
        nearest: list[tuple[Decimal, int]] = []
        for i, n in enumerate(target.models):
            if not n.alive:
                continue
            far = [(gap(f.model.base, n.base), f) for f in firers]
            if any(g <= f.reach and t.visible(f.model, n) for g, f in far):
                off = min(g for g, _ in far)
                if centre is not None:
                    off = gap(Base(centre, Decimal(0)), n.base)
                nearest.append((max(Decimal(0), off), i))
        if not nearest:
            break
        if t.rules("OR-ALLOC-NEXT", "ROTATE"):
            taken = taken if {i for _, i in nearest} - taken else set()
            nearest = [one for one in nearest if one[1] not in taken]
        taken.add(min(nearest)[1])
        model = target.models[min(nearest)[1]]
        rows.append(wounded(t, model, weapon["S"], ap, rules, firers[0].model.n("S")))
        entry["inflicted"] += 1
        if not rows[-1]["claimed_saved"]:
            entry["unsaved"] += 1
            if "pinning" in rules:
                entry["pinning_wounds"] += 1
    entry["lost"] += wounds - len(rows)
    if rows:
        t.write("allocate", target.owner, tag={"ap": ap, "rules": rules}, attack=entry["attack"], pool=pool, list=rows)
