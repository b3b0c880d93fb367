"""Faults of the defence and of the damage loop."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.plant.moment import Expected, Moment, Spoiler
from auditor.conformance.calth.tables import (
    CHAINFIST,
    FIST,
    MELT,
    SWORD,
)


def _full_armour(at: Moment, effects: Sequence[str]) -> Expected | None:
    crit = rules.the_crit(at.event)
    if crit is None or crit["effect"] not in effects or len(at.event["steps"]) != 1:
        return None
    printed = rules.printed_values(at.position, at.step)[0]
    due = at.step["armour_used"]
    if due == printed:
        return None
    at.step["armour_used"] = printed
    text = "The first target rolled its full Armour although an effect had lowered it."
    return at.fault(crit["effect"], "miscalculated", at.side, text, at.step_field("armour_used"), printed, due)


def full_armour_against_melta(at: Moment) -> Expected | None:
    """Melta triggered within range, and full Armour rolled."""
    return _full_armour(at, (MELT,))


def full_armour_against_fist(at: Moment) -> Expected | None:
    """Power fist triggered, and full Armour rolled."""
    return _full_armour(at, (FIST,))


def full_armour_against_sword(at: Moment) -> Expected | None:
    """Power sword triggered, and full Armour rolled."""
    return _full_armour(at, (SWORD,))


def full_stamina_against_chainfist(at: Moment) -> Expected | None:
    """Chainfist triggered, and full Stamina used."""
    crit = rules.the_crit(at.event)
    if crit is None or crit["effect"] != CHAINFIST or len(at.event["steps"]) != 1:
        return None
    printed = rules.printed_values(at.position, at.step)[1]
    if printed == 1:
        return None
    at.step["stamina_used"] = printed
    text = "The chainfist's target used its full Stamina."
    return at.fault("CAL-CRT-12", "miscalculated", at.side, text, at.step_field("stamina_used"), printed, 1)


def _on_the_second(at: Moment, effect: str) -> tuple[int, int] | None:
    """The printed values of the second target of an attack with this effect."""
    crit = rules.the_crit(at.event)
    if crit is None or crit["effect"] != effect or len(at.event["steps"]) != 2:
        return None
    return rules.printed_values(at.position, at.step)


def _armour_of_the_second(at: Moment, effect: str, rule: str) -> Expected | None:
    printed = _on_the_second(at, effect)
    if printed is None:
        return None
    due = at.step["armour_used"]
    lowered = rules.defence(printed, 0, effect, at.table.readings)[0]
    if lowered == due or (effect == MELT and rules.first_target_effect(at.event, at.event["los"]["distance"]) is None):
        return None
    at.step["armour_used"] = lowered
    text = "An effect on the first target model lowered the Armour of the second too."
    return at.fault(rule, "miscalculated", at.side, text, at.step_field("armour_used"), lowered, due)


def melta_on_the_second(at: Moment) -> Expected | None:
    """Melta lowers the Armour of the second target model too."""
    return _armour_of_the_second(at, MELT, MELT)


def fist_on_the_second(at: Moment) -> Expected | None:
    """A power fist lowers the Armour of the second target model too."""
    return _armour_of_the_second(at, FIST, FIST)


def sword_on_the_second(at: Moment) -> Expected | None:
    """A power sword halves the Armour of the second target model too."""
    return _armour_of_the_second(at, SWORD, "CAL-CRT-14")


def chainfist_on_the_second(at: Moment) -> Expected | None:
    """A chainfist lowers the Stamina of the second target model too."""
    printed = _on_the_second(at, CHAINFIST)
    if printed is None or printed[1] == 1:
        return None
    at.step["stamina_used"] = 1
    text = "A chainfist lowered the Stamina of the second target too."
    return at.fault("CAL-CRT-14", "miscalculated", at.side, text, at.step_field("stamina_used"), 1, printed[1])


def vexilla_in_defence(at: Moment) -> Expected | None:
    """A die of a defence roll is rolled again as if a Legion Vexilla allowed it."""
    failed = [i for i, face in enumerate(at.step["faces"]) if face != "S"]
    if not failed or "target_model" not in at.step:
        return None
    at.step["vexilla"] = {"model": at.step["target_model"], "indices": failed[:1], "faces": at.table.roll(1)}
    at.step["shields"] = rules.final_faces(at.step["faces"], at.step).count("S")
    return at.fault("CAL-WAR-02", "illegal", at.foe, "A Legion Vexilla was used in a defence roll.")


def shield_overlooked(at: Moment) -> Expected | None:
    """One shield of a defence roll is not counted."""
    due = at.step["shields"]
    if not due:
        return None
    at.step["shields"] = due - 1
    text = "A shield of a defence roll was not counted."
    return at.fault("CAL-ATK-05", "miscalculated", at.foe, text, at.step_field("shields"), due - 1, due)


def bonus_once_only(at: Moment) -> Expected | None:
    """The second target model of an attack rolls without the bonus dice."""
    due = at.step["bonus_dice"]
    if len(at.event["steps"]) < 2 or not due:
        return None
    at.step["bonus_dice"] = 0
    text = "The bonus dice were left out for a later target model."
    return at.fault("CAL-DEF-04", "miscalculated", at.foe, text, at.step_field("bonus_dice"), 0, due)


def casualty_overlooked(at: Moment) -> Expected | None:
    """A model stays although the hits reached its Stamina."""
    if not at.step["casualty"] or "target_model" not in at.step:
        return None
    at.step["casualty"] = False
    text = "A model stayed on the board although the hits reached its Stamina."
    return at.fault("CAL-ATK-06", "miscalculated", at.foe, text, at.step_field("casualty"), False, True)


def attacker_chooses(at: Moment) -> Expected | None:
    """The attacker picks the target model."""
    if "target_model" not in at.step:
        return None
    at.step["chosen_by"] = at.side
    text = "The attacker picked the target model."
    return at.fault("CAL-ATK-04", "illegal", at.foe, text)


def wrong_drawer(at: Moment) -> Expected | None:
    """The Word Bearers draw the Damage card."""
    card = at.step.get("damage_card")
    if card is None:
        return None
    card["by"] = "WB"
    return at.fault("CAL-SOR-01", "illegal", at.foe, "The Word Bearers drew a Damage card.")


def unshuffled(at: Moment) -> Expected | None:
    """Nobody writes down that the Damage deck was shuffled."""
    card = at.step.get("damage_card")
    if card is None:
        return None
    del card["shuffled"]
    return at.fault("CAL-SOR-01", "omitted", "UM", "No shuffle of the Damage deck was recorded.")


def one_pass_more(at: Moment) -> Expected | None:
    """The damage loop goes on although no hits are left."""
    steps, target = at.event["steps"], at.target
    if not steps or target is None or steps[-1]["pool_left"] > 0:
        return None
    fallen = {step.get("target_model") for step in steps if step["casualty"]}
    left = [m for m in target.models if m not in fallen and not at.position.models[m].has_damage_deck]
    if not left:
        return None
    armour, stamina = rules.printed_values(at.position, {"target_model": left[0]})
    bonus = rules.claimed_bonus(at.position, at.event, at.table.readings)
    faces = at.table.roll(armour + bonus)
    more = {"target_model": left[0], "armour_used": armour, "bonus_dice": bonus, "faces": faces}
    more |= {"shields": faces.count("S"), "pool_after_shields": 0, "stamina_used": stamina}
    steps.append({**more, "casualty": False, "pool_left": 0})
    return at.fault("CAL-ATK-07", "illegal", at.foe, "The damage loop went on although no hits were left.")


def loop_cut_short(at: Moment) -> Expected | None:
    """The damage loop stops although hits and models are left."""
    steps = at.event["steps"]
    for n, step in enumerate(steps[:-1]):
        if step["pool_left"] > 0:
            at.event["steps"] = steps[: n + 1]
            text = "The damage loop stopped while hits and models were left."
            return at.fault("CAL-ATK-07", "omitted", at.foe, text)
    return None


SPOILERS: dict[str, tuple[str, Spoiler]] = {
    "CAL-CRT-05": ("armour", full_armour_against_melta),
    "CAL-DEF-04": ("armour", bonus_once_only),
    "CAL-CRT-09": ("armour", full_armour_against_fist),
    "CAL-CRT-13": ("armour", full_armour_against_sword),
    "CAL-ATK-04": ("armour", attacker_chooses),
    "CAL-SOR-01": ("armour", wrong_drawer),
    "CAL-CRT-05 later": ("armour", melta_on_the_second),
    "CAL-CRT-09 later": ("armour", fist_on_the_second),
    "CAL-CRT-14": ("armour", sword_on_the_second),
    "CAL-CRT-14 Stamina": ("stamina", chainfist_on_the_second),
    "CAL-SOR-01 omitted": ("armour", unshuffled),
    "CAL-ATK-05": ("shields", shield_overlooked),
    "CAL-WAR-02 defence": ("shields", vexilla_in_defence),
    "CAL-CRT-12": ("stamina", full_stamina_against_chainfist),
    "CAL-ATK-06": ("casualty", casualty_overlooked),
    "CAL-ATK-07": ("steps", loop_cut_short),
    "CAL-ATK-07 illegal": ("steps", one_pass_more),
}
