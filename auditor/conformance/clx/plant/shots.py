"""Faults of shooting, pinning, morale and hits on vehicles (CLX-SHOOT, CLX-SUPP, CLX-MOR-01, CLX-FACE, CLX-VEH, CLX-WPN)."""

from __future__ import annotations

from collections.abc import Callable

from auditor.conformance.clx.chart import hull_wounds
from auditor.conformance.clx.inches import gap
from auditor.conformance.clx.plant.moves import model_of
from auditor.conformance.clx.plant.spoiling import (
    DROP,
    UNTIL,
    Expected,
    Occasion,
    Planter,
    another_needed,
    finals,
    found,
    misread_needed,
)
from auditor.conformance.clx.table import Json, Table, Unit

SNAP = 6
"""What Snap Shots need: that they were such the log need not say."""


def in_shooting(o: Occasion) -> bool:
    """Whether it is the Shooting Phase."""
    return bool(o.event["phase"] == "shooting")


def may_snap(o: Occasion) -> bool:
    """Whether shots may be Snap Shots without a word of it in the log: of flyers, and of vehicles that moved."""
    shot = next(e for e in reversed(o.t.log) if e["type"] == "shoot")
    unit = o.t.units[shot["unit"]]
    return unit.vehicle is not None and (unit.moved or bool(unit.vehicle.get("flyer")))


def misread_to_hit(o: Occasion) -> Expected | None:
    """The number needed to hit is wrong."""
    by_day = o.t.turn < 5
    if o.event["type"] != "hit_rolls" or not in_shooting(o) or not by_day or o.tag["rule"] != "CLX-SHOOT-09":
        return None
    other = another_needed(o.event["claimed_needed"], finals(o.event["rolls"]), o.rng)
    if other in (None, SNAP) or may_snap(o) or any("reroll" in roll for roll in o.event["rolls"]):
        return None
    if o.event.get("claimed_reroll_needed") == o.event["claimed_needed"]:
        return None
    o.event["claimed_needed"] = other
    return found("CLX-SHOOT-09", "miscalculated")


def reroll_of_nobody(o: Occasion) -> Expected | None:
    """A missed shot is rolled again and nothing allows it."""
    if o.event["type"] != "hit_rolls" or not in_shooting(o) or "claimed_reroll_needed" in o.event or may_snap(o):
        return None
    for roll in o.event["rolls"]:
        if roll["die"] < o.event["claimed_needed"]:
            roll["reroll"] = 1
            return found("CLX-SHOOT-09", "illegal")
    return None


def more_dice_than_hits(o: Occasion) -> Expected | None:
    """More dice to wound than hits."""
    if o.event["type"] != "wound_rolls" or not in_shooting(o) or not o.event["rolls"]:
        return None
    if "automatic" in next(e for e in reversed(o.t.log) if e["type"] != "allocate"):
        return None  # A die for a hit that rends is CLX-GEAR-03.
    o.event["rolls"].append({"die": 1})
    return found("CLX-SHOOT-08", "miscalculated")


def misread_to_wound(o: Occasion) -> Expected | None:
    """The number needed to wound is wrong."""
    if o.event["type"] != "wound_rolls" or o.tag.get("rule") != "CLX-ASLT-06":
        return None
    return misread_needed(o, "CLX-ASLT-06")


def misread_cover(o: Occasion, wanted: str) -> Expected | None:
    """The number needed for cover is wrong, of a unit that went to ground or of one that did not."""
    if o.event["type"] != "cover_rolls" or not in_shooting(o) or "claimed_needed" not in o.event:
        return None
    shot = next(e for e in reversed(o.t.log) if e["type"] == "shoot")
    if o.t.clock <= o.t.units[shot["target"]].pinned_until:
        return None  # Who is pinned counts as gone to ground: what its cover is worth then is not stated.
    other = another_needed(o.event["claimed_needed"], o.event["dice"], o.rng)
    if other is None:
        return None
    rule = "CLX-SHOOT-11" if o.tag["ground"] else "CLX-SHOOT-07c"
    if rule != wanted:
        return None
    o.event["claimed_needed"] = other
    o.event.pop("claimed_level", None)
    return found(rule, "miscalculated")


def cover_in_the_open(o: Occasion) -> Expected | None:
    """CLX-SHOOT-07c."""
    return misread_cover(o, "CLX-SHOOT-07c")


def cover_on_the_ground(o: Occasion) -> Expected | None:
    """CLX-SHOOT-11."""
    return misread_cover(o, "CLX-SHOOT-11")


def misread_level(o: Occasion) -> Expected | None:
    """The level of cover is wrong, its number is not."""
    if o.event["type"] != "cover_rolls" or not in_shooting(o) or "claimed_level" not in o.event:
        return None
    o.event["claimed_level"] += o.rng.choice((1, 2))
    return found("CLX-MISC-02", "miscalculated")


def no_cover_dice(o: Occasion) -> Expected | None:
    """Cover that is there is not rolled for."""
    if o.event["type"] != "cover_rolls" or not in_shooting(o) or o.event.get("waived") or "firers" in o.event:
        return None
    if o.event["claimed_saved"] or o.tag["ground"] or o.tag["hull"]:
        return None  # Vehicles owe no cover dice.
    return found("CLX-SHOOT-07b", "omitted", **{DROP: True, UNTIL: ("hit_rolls", lambda t: True)})


def bonus_of_height(o: Occasion) -> Expected | None:
    """More range is claimed than height gives."""
    if o.event["type"] != "weapon_fire":
        return None
    rows = [row for row in o.event["firers"] if "claimed_range_bonus" in row]
    if not rows:
        return None
    o.rng.choice(rows)["claimed_range_bonus"] += 1
    return found("CLX-SHOOT-06", "miscalculated")


def not_the_closest(o: Occasion) -> Expected | None:
    """A wound (which is saved) goes to a model that is not the closest."""
    if o.event["type"] != "allocate" or not in_shooting(o) or o.tag.get("combat"):
        return None
    rows = o.event["list"]
    if len(rows) != 1 or not rows[0]["claimed_saved"]:
        return None
    model = model_of(o.t, rows[0]["model"])
    shooters = [m for u in o.t.of(o.t.active) for m in u.living]
    for other in model.unit.living:
        nearer = min(gap(m.base, model.base) - gap(m.base, other.base) for m in shooters)
        farther = max(gap(m.base, model.base) - gap(m.base, other.base) for m in shooters)
        if other is not model and nearer < farther < 0 and farther < -1:
            rows[0]["model"] = other.id
            return found("CLX-SHOOT-13", "illegal")
    return None


def misread_save(o: Occasion) -> Expected | None:
    """The number needed for a save is wrong; of Hefty and NBC weapons CLX-GEAR-02 and CLX-USR-03 say it, of 1+ armour
    CLX-MISC-03."""
    if o.event["type"] != "allocate" or not in_shooting(o) or {"hefty", "nbc"} & set(o.tag.get("rules", ())):
        return None
    for row in o.event["list"]:
        if "save" in row and row["save"]["kind"] == "AS" and model_of(o.t, row["model"]).n("AS") > 1:
            other = another_needed(row["save"]["claimed_needed"], [row["save"]["die"]], o.rng)
            if other is not None:
                row["save"]["claimed_needed"] = other
                return found("CLX-SHOOT-13", "miscalculated")
    return None


def claimed_arc(rule: str) -> Planter:
    """The planter of a wrong arc against a unit whose facing comes from one rule."""

    def planter(o: Occasion) -> Expected | None:
        """A unit is said to be shot at from another side."""
        if o.event["type"] != "shoot" or "claimed_arc" not in o.event:
            return None
        target = o.t.units[o.event["target"]]
        if target.turned_by != rule or target.crossed:
            return None
        if not o.t.off_the_rims(target, o.t.units[o.event["unit"]].centre):
            return None
        o.event["claimed_arc"] = o.rng.choice([a for a in ("front", "side", "rear") if a != o.event["claimed_arc"]])
        return found(rule, "miscalculated")

    return planter


def still_stands(unit: Unit) -> Callable[[Table], bool]:
    """Whether a unit is there at the end of the phase, not pinned and not running."""
    return lambda t: not unit.gone and unit.pinned_until < t.clock and not unit.falling_back and not unit.crossed


def no_pinning_test(o: Occasion) -> Expected | None:
    """A unit hit by a Pinning weapon takes no test."""
    if o.event["type"] != "pinning_test" or not in_shooting(o) or o.event["claimed_pinned"]:
        return None
    unit = o.t.units[o.event["unit"]]
    if unit.crossed or "fearless" in unit.rules:
        return None
    return found("CLX-SUPP-02", "omitted", **{DROP: True, UNTIL: ("phase_end", still_stands(unit))})


def limit_kept(o: Occasion, other: int) -> bool:
    """Whether a test comes out the same under another modifier."""
    dice = sum(sorted(o.event["dice"])[:2])
    limit = o.tag["limit"]
    return bool((dice <= limit) == (dice <= limit - o.event["claimed_modifier"] + other))


def misread_modifier(o: Occasion, rule: str) -> Expected | None:
    """The modifier of a test is wrong, its result is not; who knows no fear passes whatever it says."""
    unit = o.t.units[o.event["unit"]]
    if "fearless" in unit.rules or any(entry["lost"] for entry in unit.attacks):
        return None  # Of wounds that went to nobody a record does not say whether they were lost.
    if "limit" not in o.tag or "claimed_modifier" not in o.event:
        return None
    for by in o.rng.sample((1, -1), 2):
        other = o.event["claimed_modifier"] + by
        if other <= 0 and limit_kept(o, other):
            o.event["claimed_modifier"] = other
            return found(rule, "miscalculated")
    return None


def pinning_modifier(o: Occasion) -> Expected | None:
    """CLX-SUPP-03."""
    if o.event["type"] != "pinning_test" or not in_shooting(o) or o.t.units[o.event["unit"]].crossed:
        return None
    return misread_modifier(o, "CLX-SUPP-03")


def morale_modifier(o: Occasion) -> Expected | None:
    """CLX-MOR-01."""
    wanted = o.event["type"] == "morale" and o.event["cause"] == "shooting"
    return misread_modifier(o, "CLX-MOR-01") if wanted else None


def crossfire_modifier(o: Occasion) -> Expected | None:
    """CLX-SHOOT-14."""
    wanted = o.event["type"] == "morale" and o.event["cause"] == "crossfire"
    return misread_modifier(o, "CLX-SHOOT-14") if wanted else None


def no_morale_check(o: Occasion) -> Expected | None:
    """A unit with wounds from shooting takes no Morale Check."""
    if o.event["type"] != "morale" or o.event["cause"] != "shooting" or not o.event["claimed_passed"]:
        return None
    unit = o.t.units[o.event["unit"]]
    if unit.crossed or unit.falling_back or "fearless" in unit.rules:
        return None
    return found("CLX-MOR-01", "omitted", **{DROP: True, UNTIL: ("phase_end", lambda t: not unit.gone)})


def wrong_side_of_a_hull(o: Occasion) -> Expected | None:
    """The wrong armour of a vehicle is used."""
    if o.event["type"] != "vehicle_hit":
        return None
    vehicle = o.t.units[o.event["vehicle"]].vehicle
    assert vehicle is not None
    for side in o.rng.sample(("front", "side", "rear"), 3):
        result, wounds = hull_wounds(o.event["claimed_total"], vehicle["armour"][side], o.tag["ap"])
        same = (result, wounds) == (o.event["claimed_result"], o.event["claimed_wounds"])
        if side != o.tag["side"] and same and vehicle["armour"][side] != vehicle["armour"][o.tag["side"]]:
            o.event["claimed_facing"] = side
            return found("CLX-VEH-06", "miscalculated")
    return None


def result_of(rule: str, right: str, ap1: bool, wrong: str) -> Planter:
    """The planter of a wrong result of a hit on a vehicle."""

    def planter(o: Occasion) -> Expected | None:
        """The result of a hit on a vehicle is told as another."""
        if o.event["type"] != "vehicle_hit" or o.tag["result"] != right or (o.tag["ap"] == 1) is not ap1:
            return None
        o.event["claimed_result"] = wrong
        return found(rule, "miscalculated")

    return planter


def one_shot_more(kind: str, rule: str) -> Planter:
    """The planter of a shot too many with a type of weapon."""

    def planter(o: Occasion) -> Expected | None:
        """A model fires more shots than its weapon has."""
        if o.event["type"] == "weapon_fire" and not o.memo:
            weapon = o.t.weapons[o.event["weapon"]]
            if weapon["type"] != kind or not in_shooting(o):
                return None
            shot = next(e for e in reversed(o.t.log) if e["type"] == "shoot")
            target = o.t.units[shot["target"]]
            if shot.get("claimed_failed") or target.gone_to_ground:
                return None
            if any(o.t.cover_from(model_of(o.t, row["model"]), target) for row in o.event["firers"]):
                return None
            row: Json = o.rng.choice(o.event["firers"])
            row["shots"] += 1
            o.memo.update(seq=o.event["seq"], attack=o.event["attack"], row=row)
            return None
        if not o.memo:
            return None
        if o.event["type"] == "hit_rolls" and o.event["attack"] == o.memo["attack"]:
            o.event["rolls"].append({"die": 1})
            return found(rule, "illegal", seq=o.memo["seq"])
        if o.event["type"] == "go_to_ground":  # now there is cover: as if nothing had been done
            o.memo["row"]["shots"] -= 1
            o.memo.clear()
        return None

    return planter


def misread_twin(o: Occasion) -> Expected | None:
    """What a twin-linked shot needs when it is rolled again is wrong."""
    if o.event["type"] != "hit_rolls" or not in_shooting(o) or may_snap(o) or o.t.turn >= 5:
        return None
    weapon = o.t.weapons[o.event["weapon"]]
    if "twin_linked" not in weapon.get("rules", ()) or o.tag["rule"] != "CLX-SHOOT-09":
        return None
    again = [roll["reroll"] for roll in o.event["rolls"] if "reroll" in roll]
    other = another_needed(o.event["claimed_reroll_needed"], again, o.rng)
    firer = next(e for e in reversed(o.t.log) if e["type"] == "weapon_fire")["firers"][0]["model"]
    if other is None or model_of(o.t, firer).n("BS") > 5:
        return None
    o.event["claimed_reroll_needed"] = other
    return found("CLX-SHOOT-10", "miscalculated")


def one_pool_of_two(o: Occasion) -> Expected | None:
    """Wounds by a Rending 6 and others are put into one pool."""
    if o.event["type"] == "wound_rolls" and in_shooting(o) and not o.memo and o.event["rolls"]:
        pool = f"{o.event['attack']}r"
        last = next((e for e in reversed(o.t.log) if e["type"] == "wound_rolls"), {})
        if last.get("pool") == pool and o.event["claimed_wounds"]:
            o.memo.update(seq=o.event["seq"], pool=pool, was=o.event["pool"])
            o.event["pool"] = pool
        return None
    if o.event["type"] == "allocate" and o.memo and o.event["pool"] == o.memo["was"]:
        o.event["pool"] = o.memo["pool"]
        return found("CLX-SHOOT-12", "illegal", seq=o.memo["seq"], player=o.t.active)
    return None


def out_of_reach(o: Occasion) -> Expected | None:
    """A model that reaches nobody is said to fire with the others."""
    if o.event["type"] != "weapon_fire" or not o.event["firers"]:
        return None
    shot = next(e for e in reversed(o.t.log) if e["type"] == "shoot")
    weapon, unit, target = o.t.weapons[o.event["weapon"]], o.t.units[shot["unit"]], o.t.units[shot["target"]]
    if shot.get("claimed_failed") or weapon["type"] == "rapid_fire":
        return None
    firing = {row["model"] for row in o.event["firers"]}
    levels = {o.t.cover_from(model, target) for model in unit.living}
    if len(levels) > 1:
        return None  # The dice for cover would be told apart by who has which.
    for model in unit.living:
        far = min(gap(model.base, n.base) for n in target.living)
        if model.id not in firing and far > weapon["range"] + min(6, int(model.z)) + 1:
            o.event["firers"].append({"model": model.id, "shots": o.event["firers"][0]["shots"]})
            return found("CLX-SHOOT-04", "illegal", subject=[model.id])
    return None


SHOTS: dict[str, Planter] = {
    "CLX-FACE-01": claimed_arc("CLX-FACE-01"),
    "CLX-FACE-02": claimed_arc("CLX-FACE-02"),
    "CLX-SUPP-02": no_pinning_test,
    "CLX-SUPP-03": pinning_modifier,
    "CLX-SHOOT-04": out_of_reach,
    "CLX-SHOOT-06": bonus_of_height,
    "CLX-SHOOT-07b": no_cover_dice,
    "CLX-SHOOT-07c": cover_in_the_open,
    "CLX-SHOOT-10": misread_twin,
    "CLX-SHOOT-11": cover_on_the_ground,
    "CLX-SHOOT-12": one_pool_of_two,
    "CLX-SHOOT-08": more_dice_than_hits,
    "CLX-SHOOT-09": misread_to_hit,
    "CLX-SHOOT-09 illegal": reroll_of_nobody,
    "CLX-SHOOT-13": not_the_closest,
    "CLX-SHOOT-13 miscalculated": misread_save,
    "CLX-SHOOT-14": crossfire_modifier,
    "CLX-MISC-02": misread_level,
    "CLX-ASLT-06": misread_to_wound,
    "CLX-MOR-01": morale_modifier,
    "CLX-MOR-01 omitted": no_morale_check,
    "CLX-VEH-06": wrong_side_of_a_hull,
    "CLX-VEH-07": result_of("CLX-VEH-07", "glance", False, "pen"),
    "CLX-VEH-08": result_of("CLX-VEH-08", "pen", False, "glance"),
    "CLX-VEH-09": result_of("CLX-VEH-09", "pen", True, "glance"),
    "CLX-WPN-01": one_shot_more("assault", "CLX-WPN-01"),
    "CLX-WPN-02": one_shot_more("heavy", "CLX-WPN-02"),
    "CLX-WPN-03": one_shot_more("ordnance", "CLX-WPN-03"),
    "CLX-WPN-04": one_shot_more("pistol", "CLX-WPN-04"),
    "CLX-WPN-05": one_shot_more("rapid_fire", "CLX-WPN-05"),
    "CLX-WPN-06": one_shot_more("salvo", "CLX-WPN-06"),
    "CLX-WPN-07": one_shot_more("primary", "CLX-WPN-07"),
}
