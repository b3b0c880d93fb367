"""One step from a fault: shots, charges, blows, wounds, hulls."""

from __future__ import annotations

import math
from collections.abc import Iterator

from auditor.conformance.clx.inches import direction, gap, turn_between
from auditor.conformance.clx.near.watch import QUARTER, Look, Near, Watch, centres, far, far_of
from auditor.conformance.clx.table import Json, Table, Unit

NEAR: Near = {
    "near a rim": ("CLX-FACE-01", "an attack within 15 degrees of the rim of an arc, on a unit that faces its own way"),
    "turned by shots": ("CLX-FACE-02", "an attack within 30 degrees of the rim of an arc, on a unit turned by shots"),
    "one pinning hit": ("CLX-SUPP-02", "exactly one hit, or none, with a Pinning weapon"),
    "nearer enemy": ("CLX-SHOOT-01", "a shot past an enemy that is nearer than the target"),
    "together": ("CLX-SHOOT-02", "several models that fire a weapon together: apart they would be two groups"),
    "other weapon": ("CLX-SHOOT-03", "models that fire one of the two weapons they have"),
    "hit by one": ("CLX-SHOOT-09", "a shot that shows what it needs to hit, or one less"),
    "rolled again": ("CLX-SHOOT-10", "a miss of a twin-linked weapon that is rolled again, or one that is not"),
    "edge of range": (
        "CLX-SHOOT-04",
        "a model within a quarter inch of its range, or one that is out and does not fire",
    ),
    "attack lost": (
        "CLX-SHOOT-05",
        "an attack out of range, or one with the nearest firer within an inch of its range",
    ),
    "from on high": ("CLX-SHOOT-06", "a shot with a bonus for height"),
    "just in time": (
        "CLX-SHOOT-07a",
        "a jink of a skimmer, one in an attack before its first die, or one after others of its side have been shot at",
    ),
    "grounded by one": ("CLX-SHOOT-11", "cover dice of a unit on the ground that show what it needs, or one less"),
    "all stopped": ("CLX-SHOOT-07b", "cover that stops all shots, or all but one, or is waived"),
    "half in cover": ("CLX-SHOOT-07c", "cover that exactly as many models have as need it, or one fewer or more"),
    "moved and fired": ("CLX-WPN-01", "an assault weapon fired by a unit that has moved"),
    "moved with a pistol": ("CLX-WPN-04", "a pistol fired by a unit that has moved"),
    "guessed to the limit": (
        "CLX-SHOOT-06g",
        "a shot placed within an inch of as far off its guess as may be, or a die that shows what it needs, or one less",
    ),
    "just outflanked": ("CLX-USR-07", "shots of a unit that has just outflanked hit with one die, or with none"),
    "shocked": ("CLX-VEH-04", "a check of a unit that a tank has reached"),
    "half range": ("CLX-WPN-05", "a rapid fire weapon within an inch of half its range"),
    "primary on the move": ("CLX-WPN-07", "a primary weapon fired by a unit that has moved"),
    "one hit": ("CLX-SHOOT-08", "exactly one die to wound"),
    "rending six": ("CLX-GEAR-03", "a rending weapon that shows one 6 to hit, or a 5 and none"),
    "rending hull": ("CLX-GEAR-04", "a rending weapon against a hull with a 5 or a 6"),
    "second pool": ("CLX-SHOOT-12", "a second pool of wounds in one attack"),
    "nearly as close": ("CLX-SHOOT-13", "a wound on a model with another within a quarter inch as close"),
    "two sides": ("CLX-SHOOT-14", "a unit shot at from two arcs in one phase"),
    "another could throw": ("CLX-GREN-01", "a grenade thrown while another model could throw one too"),
    "one under it": ("CLX-GREN-02", "a grenade that hits exactly one model"),
    "cover from it": ("CLX-GREN-03", "cover dice against a grenade, of a unit that is not pinned"),
    "could throw too": ("CLX-GREN-04", "a charge on a unit with grenades, or a throw of those who charge"),
    "EMP by one": ("CLX-GREN-05", "an EMP grenade of which a die shows what it needs, or one less"),
    "EMP on some": ("CLX-GREN-08", "an EMP grenade that hits some models of a unit, or works on some"),
    "melta bomb": ("CLX-GREN-09", "a Melta bomb, the total of which is claimed"),
    "fusion bomb": ("CLX-GREN-10", "a Fusion bomb, the total of which is claimed"),
    "frag by one": ("CLX-GREN-06", "dice to wound of a frag grenade that show what it needs, or one less"),
    "bomb in hand": ("CLX-GREN-11", "a blow of a model that carries a grenade or bomb and strikes with another weapon"),
    "charge by one": ("CLX-ASLT-01", "a charge that reaches or falls short by less than an inch"),
    "fleeing beside it": ("CLX-ASLT-03", "a charge while an enemy falls back"),
    "ran or fleet": ("CLX-USR-14", "a charge of a unit with Fleet, or one beside a unit that has run"),
    "short run-up": ("CLX-ASLT-02", "a charge of a unit that began its turn within 3 inches of its target"),
    "side or rear": ("CLX-ASLT-07b", "blows of a unit that charged into a side or the rear, or so charged"),
    "uneven ground": ("CLX-ASLT-08", "blows at an Initiative that heights change, or on uneven ground"),
    "with a bonus": ("CLX-ASLT-09", "blows of a unit that has charged"),
    "pinned in combat": ("CLX-ASLT-10", "blows of a unit whose enemy charged, or that is pinned"),
    "two weapons": ("CLX-GEAR-01", "blows with a two-handed weapon, or with one of two"),
    "counterattacks": ("CLX-USR-02", "blows of a unit that was charged, by one that could counterattack or is one"),
    "surprises": ("CLX-USR-18", "blows of a unit with Surprise Assault, or that charged"),
    "no grenade thrown": ("CLX-GREN-07", "blows of a unit that charged one with grenades"),
    "whole front line": ("CLX-ASLT-04", "wounds in combat, while others stand behind the front line"),
    "blow by one": ("CLX-ASLT-05", "a blow that shows what it needs to hit, or one less"),
    "wound by one": ("CLX-ASLT-06", "a die to wound that shows what it needs, or one less"),
    "preferred": ("CLX-USR-09", "a Preferred Enemy is shot at or struck with a 2 or a 3 among the dice"),
    "in fear": ("CLX-USR-12", "blows against a unit with Fear, or by one that failed for it"),
    "fears no more": ("CLX-USR-13", "blows against a unit with Fear that has been beaten, or may be"),
    "hefty": ("CLX-GEAR-02", "wounds by a Hefty weapon"),
    "shielded": ("CLX-USR-03", "wounds by an NBC weapon"),
    "best armour": ("CLX-MISC-03", "wounds on armour of 2+ or 1+"),
    "in frenzy": (
        "CLX-USR-15",
        "a move or charge of a unit with Frenzy while two enemies are nearly as near, or a blow of it",
    ),
    "misses again": ("CLX-USR-16", "a miss that Hatred rolls again, or a blow of a unit with it"),
    "infiltrators": ("CLX-USR-04", "an attack on infiltrators"),
    "keen senses": ("CLX-USR-01", "blows against a unit with Acute Senses, or by one"),
    "from the side": ("CLX-USR-08", "blows or hits on a side, or by a unit that may outflank"),
    "open wreck": ("CLX-VEH-01", "a transport explodes that might be open-topped"),
    "edge of the blast": ("CLX-VEH-02", "an explosion with a model within an inch of its rim"),
    "nobody inside": ("CLX-VEH-03", "a transport explodes with nobody inside"),
    "corner of a hull": ("CLX-VEH-06", "a hit on a hull within 15 degrees of the ray through a corner"),
    "glancing by one": ("CLX-VEH-07", "a total equal to the armour, or one below"),
    "penetrating by one": ("CLX-VEH-08", "a total one or two above the armour, or equal to it"),
    "AP 1": ("CLX-VEH-09", "a hit on a hull with AP 1 or 2"),
}


# -- shots ------------------------------------------------------------------------------------------------------------


def _arc(t: Table, unit: Unit, target: Unit) -> Iterator[str]:
    """How near to the rim of an arc an attack comes."""
    if target.vehicle is not None or target.facing is None:
        return
    off = turn_between(target.facing, direction(target.centre, unit.centre))
    near = min(abs(off - 45), abs(off - 135))
    if target.turned_by == "CLX-FACE-02":
        if near < 30:
            yield "turned by shots"
    elif near < 15:
        yield "near a rim"


def _jink(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    unit = t.units[event["unit"]]
    if unit.vehicle is not None or "attack" in event or any(foe.attacks for foe in t.of(unit.owner) if foe is not unit):
        yield "just in time"


def _shoot(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    unit, target = t.units[event["unit"]], t.units[event["target"]]
    watch.attack, watch.unit, watch.target = event["attack"], unit, target
    watch.pools = 0
    yield from _arc(t, unit, target)
    if event["claimed_failed"]:
        yield "attack lost"
    away = centres(unit, target)
    if any(centres(unit, foe) < away for foe in t.enemies(unit) if foe is not target):
        yield "nearer enemy"
    if target.vehicle is None:
        arcs = watch.arcs.setdefault(target.id, set())
        if arcs and tag.get("arc") not in arcs:
            yield "two sides"
        arcs.add(tag.get("arc"))
    if "infiltrators" in target.rules:
        yield "infiltrators"


SHOTS = {
    "assault": "CLX-WPN-01",
    "heavy": "CLX-WPN-02",
    "ordnance": "CLX-WPN-03",
    "pistol": "CLX-WPN-04",
    "rapid_fire": "CLX-WPN-05",
    "salvo": "CLX-WPN-06",
    "primary": "CLX-WPN-07",
}
MOVED = {"assault": "moved and fired", "pistol": "moved with a pistol", "primary": "primary on the move"}


def _fire(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    unit, target, weapon = watch.unit, watch.target, t.weapons[event["weapon"]]
    assert unit is not None and target is not None
    kind = weapon["type"]
    names = {row["model"] for row in event["firers"]}
    watch.firers = [model for model in unit.living if model.id in names]
    if kind in SHOTS:
        yield f"number {SHOTS[kind]}"
    if unit.moved and kind in MOVED:
        yield MOVED[kind]
    if len(watch.firers) > 1:
        yield "together"
    if any(sum("shots" in t.weapons[key] and t.weapons[key]["range"] is not None for key in m.entry["weapons"]) > 1
           for m in watch.firers):  # fmt: skip
        yield "other weapon"
    if tag.get("bonus"):
        yield "from on high"
    if len(watch.firers) < len(unit.living):
        yield "edge of range"
    least = 99.0
    for model, row in zip(watch.firers, event["firers"], strict=True):
        if "claimed_range" not in row:
            continue
        left = float(row["claimed_range"]) - far_of(model, target)
        least = min(least, left)
        if 0 <= left <= QUARTER:
            yield "edge of range"
        if kind == "rapid_fire" and abs(left - float(row["claimed_range"]) / 2) <= 1:
            yield "half range"
    if least <= 1:
        yield "attack lost"


def _cover(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    if event["attack"].startswith("g"):
        yield "cover from it"
        return
    if event.get("waived"):
        yield "all stopped"
        return
    dice, needed = event["dice"], event["claimed_needed"]
    if len(dice) - event["claimed_saved"] <= 1:
        yield "all stopped"
    if tag["ground"] and any(needed - die in (0, 1) for die in dice):
        yield "grounded by one"
    if watch.firers and watch.target is not None:
        level = tag["level"] - tag["ground"]
        levels = [t._model_cover(watch.firers[0], model) for model in watch.target.living]
        have = sum(one >= level for one in levels)
        if abs(2 * have - len(levels)) <= 2 and len(levels) > 1:
            yield "half in cover"


def _shown(roll: Json) -> int:
    """What a die shows in the end; one may be rolled again twice."""
    again = roll["reroll"] if "reroll" in roll else roll["die"]
    return int(again[-1] if isinstance(again, list) else again)


def _hits(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    shot = event["attack"].startswith("k")
    needed, again = event["claimed_needed"], event.get("claimed_reroll_needed")
    weapon, unit, target = t.weapons[event["weapon"]], watch.unit, watch.target
    assert unit is not None and target is not None
    rules = weapon.get("rules", ())
    final = [(_shown(roll), again if "reroll" in roll and again else needed) for roll in event["rolls"]]
    dice = [die for die, _ in final]
    if any(need - die in (0, 1) for die, need in final):
        yield "hit by one" if shot else "blow by one"
    if "twin_linked" in rules and any(roll["die"] < needed for roll in event["rolls"]):
        yield "rolled again"
    if "pinning" in rules and event["claimed_hits"] <= 1:
        yield "one pinning hit"
    if "rending" in rules and (dice.count(6) == 1 or (5 in dice and 6 not in dice)):
        yield "rending six"
    if unit.prefers(target) and {2, 3} & set(dice):
        yield "preferred"
    if shot and "outflank" in unit.rules and unit.arrived == t.clock and event["claimed_hits"] <= 1:
        yield "just outflanked"
    if not shot and (again is not None or any(rule.startswith("hatred:") for rule in unit.rules)):
        yield "misses again"


def _wounds(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    watch.pools += 1
    if watch.pools > 1:
        yield "second pool"
    dice = [roll["die"] for roll in event["rolls"]]
    if len(dice) == 1:
        yield "one hit"
    if any(event["claimed_needed"] - die in (0, 1) for die in dice):
        yield "wound by one"
        if event["attack"].startswith("g"):
            yield "frag by one"
    if dice and watch.unit is not None and watch.target is not None and watch.unit.prefers(watch.target):
        if {2, 3} & set(dice):
            yield "preferred"


def _allocate(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    target = watch.target
    assert target is not None
    if any(
        target.models[i].n("AS") in (1, 2) for i, m in enumerate(target.models) if m.id == event["list"][0]["model"]
    ):
        yield "best armour"
    rules = tag.get("rules", ())
    if "hefty" in rules:
        yield "hefty"
    if "nbc" in rules:
        yield "shielded"
    if tag.get("combat"):
        touched = {row["model"] for row in event["list"]}
        if any(model.id not in touched for model in target.living):
            yield "whole front line"
        return
    struck = next((m for m in target.models if m.id == event["list"][-1]["model"]), None)
    if struck is not None and watch.firers:
        off = min(far(f, struck) for f in watch.firers)
        for model in target.living:
            if model is not struck and abs(min(far(f, model) for f in watch.firers) - off) <= QUARTER:
                yield "nearly as close"


# -- charges and blows ------------------------------------------------------------------------------------------------


def _grenades(t: Table, unit: Unit) -> bool:
    return any(t.weapons[key]["type"] in ("grenade", "bomb") for key in unit.models[0].entry["weapons"])


def _charge(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    unit, target = t.units[event["unit"]], t.units[event["target"]]
    yield from _arc(t, unit, target)
    if abs(tag["far"] - tag["roll"]) < 1:
        yield "charge by one"
    if any(foe.falling_back for foe in t.enemies(unit)):
        yield "fleeing beside it"
    if "fleet" in unit.rules or any(one.ran for one in t.of(unit.owner)):
        yield "ran or fleet"
    if _grenades(t, target):
        yield "could throw too"
    if "infiltrators" in target.rules:
        yield "infiltrators"
    if "fear" in unit.rules:
        yield "charged in fear"
    yield from _frenzy(watch, t, event, tag)


def _frenzy(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    unit = t.units[event["unit"]]
    if "frenzy" in unit.rules and not unit.frenzy_lost:
        ways = sorted(centres(unit, foe) for foe in t.enemies(unit))
        if len(ways) > 1 and ways[1] - ways[0] <= 6:
            yield "in frenzy"


def _grenade(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    unit = t.units[event["unit"]]
    watch.attack, watch.unit, watch.target, watch.firers, watch.pools = (
        *(event["attack"], unit, t.units[event["target"]], [], 0),
    )
    yield "could throw too"
    if len(unit.living) > 1:
        yield "another could throw"
    if len(event["hit_models"]) == 1:
        yield "one under it"
    dice = [row["die"] for row in event.get("effect_dice", ())]
    if dice and {3, 4} & set(dice):
        yield "EMP by one"
    if dice and (len(dice) < len(t.units[event["target"]].living) or 0 < sum(die > 3 for die in dice) < len(dice)):
        yield "EMP on some"


def _guess(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    skill = next(m for unit in t.units.values() for m in unit.models if m.id == event["model"]).n("BS")
    if tag["spare"] <= 1 or max(2, 7 - skill) - event["to_hit_die"] in (0, 1):
        yield "guessed to the limit"


def _morale(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    if event["cause"] == "tank_shock":
        yield "shocked"


def _blows(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    rows = event["attackers"]
    unit, foe = (t.units[key] for key in (_unit_of(t, rows[0]["model"]), rows[0]["target"]))
    watch.attack, watch.unit, watch.target, watch.firers, watch.pools = event["attack"], unit, foe, [], 0
    weapon = t.weapons[rows[0]["weapon"]]
    fresh = unit.charged == foe.id and unit.first_round
    yield "number CLX-ASLT-09"
    if fresh:
        yield "with a bonus"
        if float(unit.start_gap.get(foe.id, 99)) <= 3:
            yield "short run-up"
        if unit.charged_rear or "surprise_assault" in unit.rules:
            yield from ("side or rear", "surprises")
        elif (
            foe.facing is not None and unit.living and turn_between(foe.facing, direction(foe.centre, unit.centre)) > 45
        ):
            yield "side or rear"
        if _grenades(t, foe):
            yield "no grenade thrown"
        if "acute_senses" in foe.rules:
            yield "keen senses"
        if "counterattack" in foe.rules:
            yield "counterattacks"
    elif foe.charged == unit.id:
        yield "pinned in combat"
        if "counterattack" in unit.rules:
            yield "counterattacks"
    if t.clock <= unit.pinned_until:
        yield "pinned in combat"
    if unit.uphill or len({m.z for m in (*unit.living, *foe.living)}) > 1:
        yield "uneven ground"
    close = [key for key in unit.models[0].entry["weapons"] if t.weapons[key]["type"] in ("melee", "pistol")]
    if "two_handed" in weapon.get("rules", ()) or len(close) > 1:
        yield "two weapons"
    if _grenades(t, unit):
        yield "bomb in hand"
    if "fear" in foe.rules:
        yield "fears no more" if foe.id in unit.fear_overcome else "in fear"
    if "frenzy" in unit.rules:
        yield "in frenzy"
    if "outflank" in unit.rules:
        yield "from the side"
    if "acute_senses" in unit.rules:
        yield "keen senses"


def _unit_of(t: Table, name: str) -> str:
    return next(unit.id for unit in t.units.values() for model in unit.models if model.id == name)


def _result(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    if abs(event["wounds_by_A"] - event["wounds_by_B"]) == 1:
        yield "lost by one"
    if any("fear" in t.units[key].rules for key in event["units"]):
        yield "fears no more"


# -- hulls ------------------------------------------------------------------------------------------------------------


def _hull(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    target, unit = t.units[event["vehicle"]], watch.unit
    assert target.vehicle is not None and unit is not None
    over = event["claimed_total"] - target.vehicle["armour"][tag["side"]]
    if over in (0, -1):
        yield "glancing by one"
    if over in (0, 1, 2):
        yield "penetrating by one"
    if tag["ap"] in (1, 2):
        yield "AP 1"
    if t.weapons[event["weapon"]]["type"] == "bomb":
        yield "melta bomb" if "melta" in t.weapons[event["weapon"]]["rules"] else "fusion bomb"
    if "rending" in t.weapons[event["weapon"]].get("rules", ()) and {5, 6} & {*event["dice"], event["to_hit_die"]}:
        yield "rending hull"
    hull = target.living[0]
    if watch.firers and hull.base.corners:
        shape = hull.entry["base"]["pts"]
        half_w, half_d = (max(abs(p[i]) for p in shape) for i in (0, 1))
        off = turn_between(direction(hull.at, watch.firers[0].at), hull.heading)
        corner = math.degrees(math.atan2(half_d, half_w))
        if min(abs(off - corner), abs(off - (180 - corner))) < 15:
            yield "corner of a hull"
    if tag["side"] == "side" and "outflank" in unit.rules:
        yield "from the side"


def _explodes(watch: Watch, t: Table, event: Json, tag: Json) -> Iterator[str]:
    target = t.units[event["vehicle"]]
    assert target.vehicle is not None
    if target.vehicle.get("transport"):
        yield from ("open wreck", "nobody inside")
    hull = next(model for model in target.models)
    if any(abs(float(gap(hull.base, m.base)) - event["radius_die"]) <= 1 for m in t.standing() if m is not hull):
        yield "edge of the blast"


LOOKS: dict[str, tuple[Look, ...]] = {
    "jink": (_jink,),
    "shoot": (_shoot,),
    "weapon_fire": (_fire,),
    "cover_rolls": (_cover,),
    "hit_rolls": (_hits,),
    "wound_rolls": (_wounds,),
    "allocate": (_allocate,),
    "charge": (_charge,),
    "move": (_frenzy,),
    "grenade": (_grenade,),
    "guess_shot": (_guess,),
    "morale": (_morale,),
    "fight_step": (_blows,),
    "combat_result": (_result,),
    "vehicle_hit": (_hull,),
    "vehicle_explodes": (_explodes,),
}
