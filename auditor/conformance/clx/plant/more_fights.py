"""Faults in what a model has in a fight, in grenades, and in weapons' own rules (CLX-ASLT, CLX-USR, CLX-GREN, CLX-GEAR)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from auditor.conformance.clx.fighting import initiative_of
from auditor.conformance.clx.inches import gap
from auditor.conformance.clx.plant.acts import of_phase, put
from auditor.conformance.clx.plant.fights import in_both_hands
from auditor.conformance.clx.plant.moves import model_of, points
from auditor.conformance.clx.plant.shots import misread_modifier, still_stands
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
from auditor.conformance.clx.table import Json, Model, Unit

A_HAIR = Decimal("0.05")
"""Inches within which nobody is held to a limit."""

Striker = tuple[Json, Model, Unit, Unit]


def strikers(o: Occasion) -> list[Striker]:
    """Who strikes in a step of a fight: the row, the model, its unit and the enemy."""
    if o.event["type"] != "fight_step":
        return []
    rows: list[Striker] = []
    for row in o.event["attackers"]:
        model = model_of(o.t, row["model"])
        rows.append((row, model, model.unit, o.t.units[row["target"]]))
    return rows


def wrong_number(
    rule: str, fits: Callable[[Occasion, Model, Unit, Unit], bool], attacks: int = 0, initiative: int = 0
) -> Planter:
    """The planter of a claim that is so much off in a fight, where the rule is what the number hangs on."""

    def planter(o: Occasion) -> Expected | None:
        """A number in a fight forgets what changes it, or counts what does not."""
        for row, model, unit, foe in strikers(o):
            if not fits(o, model, unit, foe) or (initiative and "claimed_initiative" not in row):
                continue
            if attacks:
                if row["claimed_attacks"] + attacks < 1:
                    continue
                row["claimed_attacks"] += attacks
            if initiative:
                if not 1 <= row["claimed_initiative"] + initiative <= 10:
                    continue
                row["claimed_initiative"] += initiative
            return found(rule, "miscalculated", subject=[row["model"]])
        return None

    return planter


def fresh(unit: Unit, foe: Unit) -> bool:
    """Whether a unit strikes in the turn in which it charged the other, from where nothing hangs on a hair."""
    return unit.charged == foe.id and unit.first_round and not at_an_inch(unit, foe) and unit.charged_sure


def at_an_inch(unit: Unit, foe: Unit) -> bool:
    """Whether a unit began its Movement Phase an inch from another, within what is allowed for measuring."""
    return abs(unit.start_gap.get(foe.id, Decimal(99)) - 1) <= A_HAIR


def special(unit: Unit) -> set[str]:
    """The special rules of a unit without what they name."""
    return {rule.split(":")[0] for rule in unit.rules}


def rear_forgotten(o: Occasion, model: Model, unit: Unit, foe: Unit) -> bool:
    """It charged into the rear, and nothing else has to do with Surprise Assault."""
    return fresh(unit, foe) and unit.charged_rear and "surprise_assault" not in unit.rules and not frail(unit)


def frail(unit: Unit) -> bool:
    """Whether other bonuses may take the blame."""
    return bool(special(unit) & {"hatred", "frenzy", "counterattack"})


def below(o: Occasion, model: Model, unit: Unit, foe: Unit) -> bool:
    """It charged uphill, and its Initiative is not at a bound."""
    plain = o.t.clock > unit.pinned_until and not unit.charged_rear and foe.id not in unit.fear_failed
    return fresh(unit, foe) and model.id in unit.uphill and plain and 1 < initiative_of(o.t, unit, model, foe) < 10


def pinned_at_once(o: Occasion, model: Model, unit: Unit, foe: Unit) -> bool:
    """It was pinned when it was assaulted in this turn."""
    return o.t.clock <= unit.pinned_until and fresh(foe, unit) and model.n("I") > 2


def surprise(o: Occasion, model: Model, unit: Unit, foe: Unit) -> bool:
    """It has Surprise Assault in the turn of its charge, from the front or the side."""
    return fresh(unit, foe) and "surprise_assault" in unit.rules and not unit.charged_rear and not frail(unit)


def no_surprise(o: Occasion, model: Model, unit: Unit, foe: Unit) -> bool:
    """It has Surprise Assault, but did not charge in this turn."""
    plain = o.t.clock > unit.pinned_until and not unit.init_loss and foe.id not in unit.fear_failed
    charged = unit.charged == foe.id and unit.first_round
    return not charged and "surprise_assault" in unit.rules and plain and not frail(unit)


def failed_counterattack(o: Occasion, model: Model, unit: Unit, foe: Unit) -> bool:
    """It failed its test for Counterattack."""
    tested = any(e["unit"] == unit.id and e["cause"] == "counterattack" for e in of_phase(o, "char_test"))
    return tested and fresh(foe, unit) and not unit.counter and unit.charged is None


def passed_counterattack(o: Occasion, model: Model, unit: Unit, foe: Unit) -> bool:
    """It passed its test for Counterattack."""
    return "counterattack" in unit.rules and fresh(foe, unit) and unit.counter


def lost_frenzy(o: Occasion, model: Model, unit: Unit, foe: Unit) -> bool:
    """It has one Attack and lost its Frenzy."""
    return "frenzy" in unit.rules and unit.frenzy_lost and model.n("A") == 1 and unit.charged is None


def hates_but_stood(o: Occasion, model: Model, unit: Unit, foe: Unit) -> bool:
    """It hates its foe, but did not charge."""
    return unit.hates(foe) and unit.charged is None and not {"counterattack", "frenzy"} & special(unit)


def hates_and_charged(o: Occasion, model: Model, unit: Unit, foe: Unit) -> bool:
    """It hates its foe and charged it."""
    plain = not unit.no_bonus and unit.thrower != model.id and not unit.charged_rear
    return unit.hates(foe) and fresh(unit, foe) and plain and "surprise_assault" not in unit.rules


def afraid(o: Occasion, model: Model, unit: Unit, foe: Unit) -> bool:
    """It failed its test against Fear of its foe."""
    scared = foe.id in unit.fear_failed and foe.id not in unit.fear_overcome
    return scared and o.t.clock > unit.pinned_until and 1 < model.n("I") < 10 and not unit.init_loss


def thrower(o: Occasion, model: Model, unit: Unit, foe: Unit) -> bool:
    """It threw a grenade in place of its bonus."""
    plain = not unit.no_bonus and not frail(unit) and not in_both_hands(o)
    return fresh(unit, foe) and unit.thrower == model.id and plain


def near_start(o: Occasion, model: Model, unit: Unit, foe: Unit) -> bool:
    """It began its Movement Phase within an inch of the enemy that it charged."""
    plain = fresh(unit, foe) and unit.no_bonus and unit.thrower != model.id and not frail(unit)
    return plain and not in_both_hands(o) and "surprise_assault" not in unit.rules and not unit.charged_rear


def preferred(o: Occasion) -> Expected | None:
    """The number against a preferred enemy is wrong."""
    if o.event["type"] != "hit_rolls" or o.tag.get("rule") != "CLX-USR-09" or "reroll" in str(o.event["rolls"]):
        return None
    if o.event["claimed_needed"] != 3 or any(die == 3 for die in finals(o.event["rolls"])) or o.t.turn >= 5:
        return None
    o.event["claimed_needed"] = 4
    return found("CLX-USR-09", "miscalculated")


def with_a_hammer(o: Occasion, model: Model, unit: Unit, foe: Unit) -> bool:
    """It strikes with a hammer and has a pistol besides."""
    both = {"thunder_hammer", "side_arm"} <= set(model.entry["weapons"])
    return both and o.event["attackers"][0]["weapon"] == "thunder_hammer" and not frail(unit)


def thrown_too_far(o: Occasion) -> Expected | None:
    """A model throws that is more than 6 inches away (and hits nobody)."""
    if o.event["type"] != "charge_move" or o.event["failed"] or o.t.units[o.event["unit"]].thrower:
        return None
    target = o.t.units[o.event["target"]]
    for row in o.event["models"]:
        model = model_of(o.t, row["id"])
        (start, *_), unit = points(row), model.unit
        far = min(gap(model.base_at(start), n.base) for n in target.living)
        if far > Decimal("6.3") and "frag" in model.entry["weapons"] and len(row["path"][0]) == 2:
            unit.thrower = model.id
            named = {"attack": o.t.name("g"), "unit": unit.id, "model": model.id, "grenade": "frag"}
            to = {"side": "attacker", "target": target.id, "hit_models": []}
            seq = put(o, "grenade", unit.owner, **named, **to)
            return found("CLX-GREN-01", "illegal", seq=seq, player=unit.owner, subject=[model.id])
    return None


def save_of_one_plus(o: Occasion) -> Expected | None:
    """The number that 1+ armour needs is wrong."""
    if o.event["type"] != "allocate" or {"hefty", "nbc", "power"} & set(o.tag.get("rules", ())) or o.tag["ap"] == 1:
        return None
    for row in o.event["list"]:
        if "save" in row and row["save"]["kind"] == "AS" and model_of(o.t, row["model"]).n("AS") == 1:
            other = another_needed(row["save"]["claimed_needed"], [row["save"]["die"]], o.rng)
            if other is not None:
                row["save"]["claimed_needed"] = other
                return found("CLX-MISC-03", "miscalculated")
    return None


def save_against_power(o: Occasion) -> Expected | None:
    """A save is taken (and fails) against a power weapon."""
    if o.event["type"] != "allocate" or "power" not in o.tag.get("rules", ()):
        return None
    for row in o.event["list"]:
        armour = model_of(o.t, row["model"]).n("AS")
        if "save" not in row and armour:
            row["save"] = {"kind": "AS", "die": 1, "claimed_needed": max(2, armour)}
            return found("CLX-MISC-03", "illegal")
    return None


def hits_on_nobody(o: Occasion) -> Expected | None:
    """Hits on passengers are told of a vehicle in which nobody is."""
    if o.event["type"] != "vehicle_explodes" or "passenger_unit" in o.event:
        return None
    o.event["passenger_hits"] = o.rng.choice((1, 2, 5))
    return found("CLX-VEH-03", "miscalculated")


def hits_of_the_other_kind(rule: str, strength: int, ap: int | None) -> Planter:
    """The planter of hits on passengers with the numbers of the other kind of transport."""

    def planter(o: Occasion) -> Expected | None:
        """Those in an open-topped transport are said to be hit as those in a closed one, or the other way round."""
        if o.event["type"] != "vehicle_explodes" or o.event.get("passenger_S") in (None, strength):
            return None
        o.event["passenger_S"] = strength
        if ap is not None:
            o.event["passenger_AP"] = ap
        return found(rule, "miscalculated")

    return planter


def from_a_wreck(o: Occasion) -> bool:
    """Whether a unit that climbed out of a wreck is tested."""
    wrecks = {event["attack"] for event in o.t.log if event["type"] == "vehicle_explodes"}
    return o.event["type"] == "pinning_test" and bool(wrecks & set(o.event["causes"]))


def modifier_after_a_wreck(o: Occasion) -> Expected | None:
    """The modifier of the test of those who climbed out of a wreck is wrong."""
    return misread_modifier(o, "CLX-VEH-03") if from_a_wreck(o) else None


def no_test_after_a_wreck(o: Occasion) -> Expected | None:
    """Those who climbed out of a wreck take no test."""
    if not from_a_wreck(o) or o.event["claimed_pinned"]:
        return None
    unit = o.t.units[o.event["unit"]]
    return found("CLX-VEH-03", "omitted", **{DROP: True, UNTIL: ("phase_end", still_stands(unit))})


def grenade_modifier(o: Occasion) -> Expected | None:
    """The modifier of a pinning test after a grenade is wrong."""
    if o.event["type"] != "pinning_test" or o.event["phase"] != "assault":
        return None
    return misread_modifier(o, "CLX-GREN-02")


def grenade_strength(o: Occasion) -> Expected | None:
    """The number that a frag grenade needs to wound is wrong."""
    if o.event["type"] != "wound_rolls" or o.event["weapon"] != "frag" or o.event["phase"] != "assault":
        return None
    return misread_needed(o, "CLX-GREN-06")


def special_save(rule: str, of: str) -> Planter:
    """The planter of a wrong number of a save against a weapon with a rule of its own."""

    def planter(o: Occasion) -> Expected | None:
        """The number needed for a save is wrong."""
        if o.event["type"] != "allocate" or of not in o.tag.get("rules", ()) or o.event["phase"] != "shooting":
            return None
        for row in o.event["list"]:
            if "save" in row and row["save"]["kind"] == "AS":
                other = another_needed(row["save"]["claimed_needed"], [row["save"]["die"]], o.rng)
                if other is not None:
                    row["save"]["claimed_needed"] = other
                    return found(rule, "miscalculated")
        return None

    return planter


def second_d3(o: Occasion) -> Expected | None:
    """A D3 of Rending is added to a die that is no 6."""
    if o.event["type"] != "vehicle_hit" or "rending" not in o.t.weapons[o.event["weapon"]].get("rules", ()):
        return None
    if 6 in o.event["dice"] or "rending_d3" in o.event or o.event["claimed_result"] != "none":
        return None
    vehicle = o.t.units[o.event["vehicle"]].vehicle
    if vehicle is None or o.event["claimed_total"] + 1 >= vehicle["armour"][o.tag["side"]]:
        return None
    o.event["rending_d3"], o.event["claimed_total"] = 1, o.event["claimed_total"] + 1
    return found("CLX-GEAR-04", "illegal")


def spared_by_debris(o: Occasion) -> Expected | None:
    """A model within reach of debris is not hit (its die would have wounded nobody)."""
    if o.event["type"] != "vehicle_explodes":
        return None
    (hull,) = o.t.units[o.event["vehicle"]].models
    for row in o.event["wound_rolls"]:
        if row["die"] == 1 and gap(hull.base, model_of(o.t, row["model"]).base) <= o.event["radius_die"] - A_HAIR:
            o.event["hit_models"].remove(row["model"])
            o.event["wound_rolls"].remove(row)
            return found("CLX-VEH-02", "omitted", subject=[row["model"]])
    return None


def rear_modifier(o: Occasion) -> Expected | None:
    """A unit that was assaulted from the rear leaves out its -1."""
    if o.event["type"] != "morale" or o.event["cause"] != "combat":
        return None
    unit = o.t.units[o.event["unit"]]
    foe = unit.locked
    if not unit.rear_assaulted or foe is None or foe.charged != unit.id or not foe.charged_sure:
        return None
    dice, was = sum(sorted(o.event["dice"])[:2]), o.event["claimed_modifier"]
    if (dice <= o.tag["limit"]) != (dice <= o.tag["limit"] + 1):
        return None
    o.event["claimed_modifier"] = was + 1
    return found("CLX-ASLT-07a", "miscalculated")


MORE_FIGHTS: dict[str, Planter] = {
    "CLX-ASLT-02": wrong_number("CLX-ASLT-02", near_start, attacks=1),
    "CLX-ASLT-07a": rear_modifier,
    "CLX-ASLT-07b": wrong_number("CLX-ASLT-07b", rear_forgotten, attacks=-1, initiative=-1),
    "CLX-ASLT-08": wrong_number("CLX-ASLT-08", below, initiative=1),
    "CLX-ASLT-10": wrong_number("CLX-ASLT-10", pinned_at_once, initiative=1),
    "CLX-USR-02": wrong_number("CLX-USR-02", failed_counterattack, attacks=1),
    "CLX-USR-02 left out": wrong_number("CLX-USR-02", passed_counterattack, attacks=-1),
    "CLX-USR-09": preferred,
    "CLX-USR-12": wrong_number("CLX-USR-12", afraid, initiative=1),
    "CLX-USR-15": wrong_number("CLX-USR-15", lost_frenzy, attacks=1),
    "CLX-USR-16": wrong_number("CLX-USR-16", hates_but_stood, attacks=1),
    "CLX-USR-16 left out": wrong_number("CLX-USR-16", hates_and_charged, attacks=-1),
    "CLX-USR-18": wrong_number("CLX-USR-18", surprise, attacks=-1, initiative=-1),
    "CLX-USR-18 too late": wrong_number("CLX-USR-18", no_surprise, attacks=1, initiative=1),
    "CLX-ASLT-09 thrower": wrong_number("CLX-ASLT-09", thrower, attacks=1),
    "CLX-GEAR-01": wrong_number("CLX-GEAR-01", with_a_hammer, attacks=1),
    "CLX-GREN-01": thrown_too_far,
    "CLX-GREN-02": grenade_modifier,
    "CLX-GREN-06": grenade_strength,
    "CLX-GEAR-02": special_save("CLX-GEAR-02", "hefty"),
    "CLX-GEAR-04": second_d3,
    "CLX-USR-03": special_save("CLX-USR-03", "nbc"),
    "CLX-VEH-02": spared_by_debris,
    "CLX-VEH-01": hits_of_the_other_kind("CLX-VEH-01", 5, 5),
    "CLX-VEH-03": hits_on_nobody,
    "CLX-VEH-03 strength": hits_of_the_other_kind("CLX-VEH-03", 3, None),
    "CLX-VEH-03 modifier": modifier_after_a_wreck,
    "CLX-VEH-03 omitted": no_test_after_a_wreck,
    "CLX-MISC-03": save_of_one_plus,
    "CLX-MISC-03 illegal": save_against_power,
}
