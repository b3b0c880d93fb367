"""Faults of the Psychic Phase (CLX-PSY)."""

from __future__ import annotations

from auditor.conformance.clx.chart import resistance
from auditor.conformance.clx.plant.spoiling import Expected, Occasion, Planter, another_needed, found


def no_primaris(o: Occasion) -> Expected | None:
    """A psyker does not know the primaris power of its discipline."""
    if o.event["type"] != "lore_mastery" or len(set(o.event["allocation"])) > 1 or o.event.get("swapped_primaris"):
        return None
    others = [p for p in o.t.known[o.event["psyker"]] if not o.t.powers[p].get("primaris")]
    o.t.known[o.event["psyker"]] = o.event["known"] = others
    return found("CLX-PSY-01", "omitted")


def too_much_lore(o: Occasion) -> Expected | None:
    """A psyker knows more than its dice pay for."""
    if o.event["type"] != "lore_mastery" or len(set(o.event["allocation"])) > 1:
        return None
    budget = sum(o.event["dice"])
    known = o.event["known"]
    spent = sum(o.t.powers[p]["mastery_cost"] for p in known)
    for power in o.t.powers.values():
        right = power["discipline"] == o.event["allocation"][0] and power["id"] not in known
        if right and not power.get("primaris") and spent <= budget < spent + power["mastery_cost"]:
            known.append(power["id"])
            return found("CLX-PSY-02", "illegal")
    return None


def charges_misread(o: Occasion) -> Expected | None:
    """A roll for warp charges is said to give another number."""
    if o.event["type"] != "warp_charge" or o.event["role"] != "attack":
        return None
    o.event["claimed_charges"] += 1
    return found("CLX-PSY-04", "miscalculated")


def total_misread(o: Occasion) -> Expected | None:
    """The total of a cast is wrong, its success is not."""
    if o.event["type"] != "cast":
        return None
    for by in o.rng.sample((1, -1), 2):
        if (o.event["claimed_total"] + by >= o.tag["level"]) == o.event["claimed_success"]:
            o.event["claimed_total"] += by
            return found("CLX-PSY-07", "miscalculated")
    return None


def failed_cast_works(o: Occasion) -> Expected | None:
    """A cast below its casting level is called a success."""
    if o.event["type"] != "cast" or o.event["claimed_success"]:
        return None
    o.event["claimed_success"] = True
    return found("CLX-PSY-07", "miscalculated")


def perils_of_one_six(o: Occasion) -> Expected | None:
    """Perils are claimed with fewer than two 6s."""
    if o.event["type"] != "cast" or o.event["claimed_perils"]:
        return None
    o.event["claimed_perils"] = True
    return found("CLX-PSY-09", "miscalculated")


def dispel_misread(o: Occasion) -> Expected | None:
    """What a dispel roll did is told the other way round."""
    if o.event["type"] != "dispel":
        return None
    o.event["claimed_success"] = not o.event["claimed_success"]
    return found("CLX-PSY-10", "miscalculated")


def perils_of_a_dispel(o: Occasion) -> Expected | None:
    """Perils are claimed of a dispel roll with fewer than two 6s."""
    if o.event["type"] != "dispel" or o.event["claimed_perils"]:
        return None
    o.event["claimed_perils"] = True
    return found("CLX-PSY-11", "miscalculated")


def resistance_misread(o: Occasion) -> Expected | None:
    """The number needed to resist is wrong."""
    if o.event["type"] != "mental_resistance":
        return None
    other = another_needed(resistance(o.event["claimed_bonus"]), [o.event["die"]], o.rng)
    if other is None:
        return None
    o.event["claimed_needed"] = other
    return found("CLX-PSY-13", "miscalculated")


def charges_of_the_other(o: Occasion) -> Expected | None:
    """A roll for charges to dispel with is said to give another number."""
    if o.event["type"] != "warp_charge" or o.event["role"] != "dispel":
        return None
    o.event["claimed_charges"] += 1
    return found("CLX-PSY-05", "miscalculated")


def one_charge_more(o: Occasion) -> Expected | None:
    """The last charges are cast with one die more than there are."""
    if o.memo and o.event["type"] == "perils":
        return None
    if o.memo:
        cast, seq, player = o.memo["cast"], o.memo["seq"], o.memo["player"]
        if o.event["type"] == "dispel" and o.event["cast"] == cast["id"]:
            o.event["claimed_success"] = sum(o.event["dice"]) > sum(cast["dice"])
        return found("CLX-PSY-06", "illegal", seq=seq, player=player)
    if o.event["type"] != "cast":
        return None
    left = 0
    for event in reversed(o.t.log):
        if event["type"] == "phase_start":
            break
        if event["type"] == "warp_charge" and event["role"] == "attack":
            left += event["claimed_charges"]
        if event["type"] == "cast":
            left -= len(event["dice"])
    total = o.event["claimed_total"] + 1
    if left != len(o.event["dice"]) or (total >= o.tag["level"]) != o.event["claimed_success"]:
        return None
    o.event["dice"].append(1)
    o.event["claimed_total"] = total
    o.memo.update(cast=o.event, seq=o.event["seq"], player=o.event["player"])
    return None


def too_dear_for_its_share(o: Occasion) -> Expected | None:
    """Powers of one discipline cost more than the dice that were put on it, though not more than all."""
    if o.event["type"] != "lore_mastery" or len(set(o.event["allocation"])) < 2:
        return None
    known = o.event["known"]
    dice = list(zip(o.event["dice"], o.event["allocation"], strict=True))
    spent = sum(o.t.powers[p]["mastery_cost"] for p in known)
    for power in o.t.powers.values():
        own = power["discipline"]
        share = sum(die for die, of in dice if of == own)
        mine = sum(o.t.powers[p]["mastery_cost"] for p in known if o.t.powers[p]["discipline"] == own)
        primaris = next(p for p in o.t.powers.values() if p["discipline"] == own and p.get("primaris"))
        if not share or power["id"] in known or power.get("primaris") or share < primaris["mastery_cost"]:
            continue
        cost = power["mastery_cost"]
        if mine <= share < mine + cost and spent + cost <= sum(o.event["dice"]):
            known.append(power["id"])
            return found("CLX-PSY-03", "illegal")
    return None


def another_resists(o: Occasion) -> Expected | None:
    """A unit resists that was not the target."""
    if o.event["type"] != "mental_resistance":
        return None
    for unit in o.t.of(o.event["player"]):
        if unit.id != o.event["unit"] and not any(m.entry.get("psyker") for m in unit.living):
            if "adamantium_will" not in unit.rules and not o.event["claimed_bonus"]:
                o.event["unit"] = unit.id
                return found("CLX-PSY-12", "illegal")
    return None


MINDS: dict[str, Planter] = {
    "CLX-PSY-01": no_primaris,
    "CLX-PSY-02": too_much_lore,
    "CLX-PSY-04": charges_misread,
    "CLX-PSY-03": too_dear_for_its_share,
    "CLX-PSY-05": charges_of_the_other,
    "CLX-PSY-06": one_charge_more,
    "CLX-PSY-12": another_resists,
    "CLX-PSY-07": total_misread,
    "CLX-PSY-07 success": failed_cast_works,
    "CLX-PSY-09": perils_of_one_six,
    "CLX-PSY-10": dispel_misread,
    "CLX-PSY-11": perils_of_a_dispel,
    "CLX-PSY-13": resistance_misread,
}
