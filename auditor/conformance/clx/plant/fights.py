"""Faults of charges and fights (CLX-ASLT, CLX-MOR-02, CLX-USR-10, -11, CLX-MISC-01, CLX-GEAR)."""

from __future__ import annotations

from auditor.conformance.clx.charging import TOUCH
from auditor.conformance.clx.inches import gap
from auditor.conformance.clx.plant.moves import model_of
from auditor.conformance.clx.plant.shots import misread_modifier
from auditor.conformance.clx.plant.spoiling import (
    DROP,
    UNTIL,
    Expected,
    Occasion,
    Planter,
    found,
    misread_needed,
)


def misread_blow(o: Occasion) -> Expected | None:
    """The number needed to hit in combat is wrong."""
    if o.event["type"] != "hit_rolls" or o.tag.get("rule") != "CLX-ASLT-05":
        return None
    if any("reroll" in roll for roll in o.event["rolls"]) or "claimed_reroll_needed" in o.event:
        return None
    row = next(e for e in reversed(o.t.log) if e["type"] == "fight_step")["attackers"][0]
    if model_of(o.t, row["model"]).unit.prefers(o.t.units[row["target"]]):
        return None  # A number without Preferred Enemy is CLX-USR-09.
    return misread_needed(o, "CLX-ASLT-05")


def in_both_hands(o: Occasion) -> bool:
    """Whether they strike with a weapon for both hands: an attack too many may then be put down to that (CLX-GEAR-01)."""
    return "two_handed" in o.t.weapons[o.event["attackers"][0]["weapon"]].get("rules", ())


def one_blow_more(o: Occasion) -> Expected | None:
    """A model strikes once more than it may."""
    if o.event["type"] == "fight_step" and not o.memo:
        rules = o.t.units[model_of(o.t, o.event["attackers"][0]["model"]).unit.id].rules
        if (
            o.tag["bonus"]
            or in_both_hands(o)
            or any(rule.split(":")[0] in ("hatred", "frenzy", "counterattack") for rule in rules)
        ):
            return None
        row = o.rng.choice(o.event["attackers"])
        row["claimed_attacks"] += 1
        o.memo.update(seq=o.event["seq"], model=row["model"])
        return None
    if o.event["type"] == "hit_rolls" and o.memo:
        o.event["rolls"].append({"die": 1})
        return found("CLX-ASLT-09", "miscalculated", seq=o.memo["seq"], subject=[o.memo["model"]])
    return None


def behind_the_front(o: Occasion) -> Expected | None:
    """A wound (which is saved) goes past the front line."""
    if o.event["type"] != "allocate" or not o.tag.get("combat") or len(o.event["list"]) != 1:
        return None
    row = o.event["list"][0]
    model = model_of(o.t, row["model"])
    foe = model.unit.locked
    if not row["claimed_saved"] or foe is None:
        return None
    near = [m for m in model.unit.living if any(gap(m.base, n.base) <= TOUCH for n in foe.living)]
    far = [m for m in model.unit.living if all(gap(m.base, n.base) > 1 for n in foe.living)]
    if not near or not far:
        return None
    row["model"] = o.rng.choice(far).id
    return found("CLX-ASLT-04", "illegal")


def misread_distance(o: Occasion) -> Expected | None:
    """A charge that reaches is said to fall short, or the other way round, and is carried out all the same."""
    if o.event["type"] != "charge" or abs(o.tag["far"] - o.tag["roll"]) < 0.2:
        return None
    o.event["claimed_success"] = not o.event["claimed_success"]
    return found("CLX-ASLT-01", "miscalculated")


def misread_front(o: Occasion) -> Expected | None:
    """A charge is said to come from another side."""
    if o.event["type"] != "charge":
        return None
    target = o.t.units[o.event["target"]]
    if "acute_senses" in target.rules or not o.t.off_the_rims(target, o.t.units[o.event["unit"]].centre):
        return None
    wrong = [a for a in ("front", "side", "rear") if a != o.event["claimed_arc"]]
    o.event["claimed_arc"] = o.rng.choice(wrong)
    return found(target.turned_by, "miscalculated")


def combat_modifier(o: Occasion) -> Expected | None:
    """CLX-MOR-02."""
    if o.event["type"] != "morale" or o.event["cause"] != "combat":
        return None
    unit = o.t.units[o.event["unit"]]
    if unit.rear_assaulted:
        return None  # What the rear takes away is CLX-ASLT-07a.
    return misread_modifier(o, "CLX-MOR-02")


def wounds_misread(o: Occasion) -> Expected | None:
    """The wounds of a combat are counted wrongly, but not who lost."""
    if o.event["type"] != "combat_result":
        return None
    a, b = o.event["wounds_by_A"], o.event["wounds_by_B"]
    if a == b:
        return None
    units = [o.t.units[key] for key in o.event["units"]]
    if not any(unit.gone for unit in units) or any(unit.thrower for unit in units):
        return None  # Whether the wounds of a grenade count is not stated.
    o.event["wounds_by_A" if a > b else "wounds_by_B"] += 1
    return found("CLX-MOR-02", "miscalculated")


def no_check_of_the_loser(o: Occasion) -> Expected | None:
    """Who lost a combat takes no Morale Check."""
    if o.event["type"] != "morale" or o.event["cause"] != "combat" or not o.event["claimed_passed"]:
        return None
    unit = o.t.units[o.event["unit"]]
    if "fearless" in unit.rules:
        return None
    return found("CLX-MOR-02", "omitted", **{DROP: True, UNTIL: ("phase_end", lambda t: True)})


def fear_modifier(cause: str, rule: str) -> Planter:
    """The planter of a test for Fear with a wrong modifier."""

    def planter(o: Occasion) -> Expected | None:
        """A test for Fear is taken without its -1."""
        wanted = o.event["type"] == "ld_test" and o.event["cause"] == cause
        return misread_modifier(o, rule) if wanted else None

    return planter


def second_try(o: Occasion) -> Expected | None:
    """A characteristic of 5 or less is tested again."""
    if o.event["type"] != "char_test" or o.event["claimed_passed"] or "reroll" in o.event:
        return None
    unit = o.t.units[o.event["unit"]]
    if unit.living[0].n("I") > 5:
        return None
    o.event["reroll"] = 6
    return found("CLX-MISC-01", "illegal")


def save_against_rending(o: Occasion) -> Expected | None:
    """Armour is used against a Rending wound."""
    if o.event["type"] != "allocate" or o.tag.get("ap") != 1 or o.event["pool"] != f"{o.event['attack']}r":
        return None
    for row in o.event["list"]:
        if "save" not in row and not row["claimed_saved"]:
            armour = model_of(o.t, row["model"]).n("AS")
            if armour:
                row["save"] = {"kind": "AS", "die": 1, "claimed_needed": armour}
                return found("CLX-GEAR-03", "illegal")
    return None


FIGHTS: dict[str, Planter] = {
    "CLX-ASLT-01": misread_distance,
    "CLX-ASLT-04": behind_the_front,
    "CLX-ASLT-05": misread_blow,
    "CLX-ASLT-09": one_blow_more,
    "CLX-FACE-01 charge": misread_front,
    "CLX-MOR-02": combat_modifier,
    "CLX-MOR-02 wounds": wounds_misread,
    "CLX-MOR-02 omitted": no_check_of_the_loser,
    "CLX-USR-10": fear_modifier("fear_charged", "CLX-USR-10"),
    "CLX-USR-11": fear_modifier("fear_charging", "CLX-USR-11"),
    "CLX-MISC-01": second_try,
    "CLX-GEAR-03": save_against_rending,
}
