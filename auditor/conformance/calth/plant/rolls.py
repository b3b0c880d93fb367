"""Faults of an attack up to its last re-roll: what is rolled, and what a critical hit does to it."""

from __future__ import annotations

from typing import Any

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.plant.moment import Expected, Moment, Spoiler
from auditor.conformance.calth.position import faces_of
from auditor.conformance.calth.tables import (
    CANNON,
    CHAINSWORD,
    CLAWS,
    MISSILE,
    PLASMA,
    SUPPRESS,
    WEAPONS,
    cannon_rerolls,
    overheat_face,
)


def wrong_distance(at: Moment) -> Expected | None:
    """The distance is one too long, where no weapon depends on it."""
    event = at.event
    if event["mode"] != "ranged" or at.unit is None:
        return None
    carried = [WEAPONS[w] for _, w in rules.intact(at.position, at.unit)]
    if any(w.limit is not None or w.effect_range is not None for w in carried if w.kind == "ranged"):
        return None
    due = event["los"]["distance"]
    if due is None:
        return None
    event["los"]["distance"] = due + 1
    text = "The distance to the target was miscounted."
    return at.fault("CAL-DST-01", "miscalculated", at.side, text, "los.distance", due + 1, due)


def _bonus_left_out(at: Moment, name: str, rule: str, text: str) -> Expected | None:
    bonuses = at.event.get("los", {}).get("bonuses", {})
    if not bonuses.get(name):
        return None
    due = bonuses[name]
    bonuses[name] = 0
    return at.fault(rule, "miscalculated", at.foe, text, f"los.bonuses.{name}", 0, due)


def no_obscured_bonus(at: Moment) -> Expected | None:
    """The two dice of an obscured shot are forgotten."""
    return _bonus_left_out(at, "obscured", "CAL-OBS-02", "The defence dice of an obscured shot were left out.")


def no_rubble_bonus(at: Moment) -> Expected | None:
    """The die for rubble is forgotten."""
    return _bonus_left_out(at, "rubble", "CAL-DEF-02", "The defence die for rubble was left out.")


def no_barricade_bonus(at: Moment) -> Expected | None:
    """The two dice for a barricade are forgotten."""
    return _bonus_left_out(at, "barricade", "CAL-DEF-03", "The defence dice for a barricade were left out.")


def one_model_too_many(at: Moment) -> Expected | None:
    """A melee attack counts one die too many for its models."""
    dice = at.event["dice"]
    if at.event["mode"] != "melee":
        return None
    due = dice["models"]
    at.event["dice"] = {**dice, "models": due + 1, "total": dice["total"] + 1}
    text = "The Assault values of a melee attack were added up wrongly."
    return at.fault("CAL-ATK-01", "miscalculated", at.side, text)


def one_shot_too_many(at: Moment) -> Expected | None:
    """The total of a ranged attack is one more than its parts."""
    dice = at.event["dice"]
    if at.event["mode"] != "ranged":
        return None
    due = dice["total"]
    at.event["dice"] = {**dice, "total": due + 1}
    text = "The dice of a ranged attack were added up wrongly."
    return at.fault("CAL-ATK-02", "miscalculated", at.side, text, "dice.total", due + 1, due)


def _wrong_table(at: Moment, mode: str, rule: str, text: str) -> Expected | None:
    dice = at.event["dice"]
    if at.event["mode"] != mode or not dice["weapons"]:
        return None
    due = dice["weapons"]
    at.event["dice"] = {**dice, "weapons": due + 1, "total": dice["total"] + 1}
    return at.fault(rule, "miscalculated", at.side, text, "dice.weapons", due + 1, due)


def wrong_shoot_value(at: Moment) -> Expected | None:
    """A ranged weapon counts one die more than the table gives it."""
    return _wrong_table(at, "ranged", "CAL-RNG-01", "A ranged weapon gave more dice than the table says.")


def wrong_assault_bonus(at: Moment) -> Expected | None:
    """A melee weapon counts one die more than the table gives it."""
    return _wrong_table(at, "melee", "CAL-MEL-01", "A melee weapon gave more dice than the table says.")


def no_harness(at: Moment) -> Expected | None:
    """The dice of a grenade harness are forgotten."""
    dice = at.event["dice"]
    if not dice["harness"] or at.event["mode"] != "melee":
        return None
    at.event["dice"] = {**dice, "harness": 0, "total": dice["total"] - dice["harness"]}
    text = "The dice of a grenade harness were left out."
    return at.fault("CAL-WAR-01", "miscalculated", at.side, text, "dice.harness", 0, dice["harness"])


# ------------------------------------------------------------------ attacks, the roll


def extra_face(at: Moment) -> Expected | None:
    """One face more is recorded than dice were due."""
    at.event["roll"] += at.table.roll(1)
    text = "More dice were rolled than were due."
    return at.fault("CAL-DIE-01", "miscalculated", at.side, text)


def vexilla_after_the_effect(at: Moment) -> Expected | None:
    """A Legion Vexilla re-rolls a die after a critical effect has been carried out."""
    event, crit = at.event, rules.the_crit(at.event)
    if event["mode"] != "melee" or at.unit is None or crit is None or event.get("vexilla"):
        return None
    bearer = next((m for m in at.unit.models if rules.has_vexilla(at.position, [m])), None)
    again = {i for entry in crit.get("passes", ()) for i in entry["indices"]}
    misses = [i for i, face in enumerate(event["roll"]) if face in "SB" and i not in again]
    if bearer is None or not misses:
        return None
    event["vexilla"] = {"model": bearer, "indices": misses[:1], "faces": at.table.roll(1), "when": "after_crit"}
    text = "A Legion Vexilla re-rolled a die after the critical effect had been carried out."
    return at.fault("CAL-ATK-10", "illegal", at.side, text)


def vexilla_of_nobody(at: Moment) -> Expected | None:
    """A unit without a bearer re-rolls as if it had a vexilla."""
    event = at.event
    if event["mode"] != "melee" or at.unit is None or rules.has_vexilla(at.position, at.unit.models):
        return None
    misses = [i for i, face in enumerate(event["roll"]) if face in "SB"]
    if not misses:
        return None
    event["vexilla"] = {"model": at.unit.models[0], "indices": misses[:2], "faces": at.table.roll(len(misses[:2]))}
    return at.fault(
        "CAL-WAR-02", "illegal", at.side, "A unit without a Legion Vexilla re-rolled dice as if it had one."
    )


def vexilla_in_a_shot(at: Moment) -> Expected | None:
    """A vexilla re-rolls dice of a ranged attack."""
    event = at.event
    if event["mode"] != "ranged" or at.unit is None:
        return None
    bearer = next((m for m in at.unit.models if rules.has_vexilla(at.position, [m])), None)
    misses = [i for i, face in enumerate(event["roll"]) if face in "SB"]
    if bearer is None or not misses:
        return None
    event["vexilla"] = {"model": bearer, "indices": misses[:1], "faces": at.table.roll(1)}
    return at.fault("CAL-WAR-02", "illegal", at.side, "A Legion Vexilla was used in a ranged attack.")


def _shows_critical(at: Moment) -> bool:
    return "C" in rules.faces_for_trigger(at.event, at.table.readings)


def _effect_of(at: Moment, effect: str) -> dict[str, Any] | None:
    """The critical effect of this attack, if it is the one asked for."""
    crit = rules.the_crit(at.event)
    return crit if crit is not None and crit["effect"] == effect else None


def _suppressor(at: Moment) -> tuple[str, str] | None:
    open_ = rules.effects_open(at.position, at.event, at.table.readings)
    return next((pair for pair in open_ if WEAPONS[pair[1]].effect == SUPPRESS), None)


def effect_while_obscured(at: Moment) -> Expected | None:
    """A critical effect in an obscured attack."""
    event, target = at.event, at.target
    if target is None or event.get("los", {}).get("class") != "obscured" or not _shows_critical(at):
        return None
    pair = _suppressor(at)
    if pair is None:
        return None
    event["crit"] = at.table.carry_out(event, target, *pair)
    text = "A critical effect was triggered in an obscured attack."
    return at.fault("CAL-OBS-03", "illegal", at.side, text)


def effect_without_critical(at: Moment) -> Expected | None:
    """A critical effect although no critical shows."""
    event, target = at.event, at.target
    if target is None or event.get("los", {}).get("class") != "clear" or _shows_critical(at):
        return None
    pair = _suppressor(at)
    if pair is None:
        return None
    event["crit"] = at.table.carry_out(event, target, *pair)
    text = "A critical effect was triggered without a critical in the roll."
    return at.fault("CAL-CRT-01", "illegal", at.side, text)


def pistol_in_melee(at: Moment) -> Expected | None:
    """The effect of a pistol in a melee attack."""
    event, target = at.event, at.target
    if event["mode"] != "melee" or at.unit is None or target is None or not _shows_critical(at):
        return None
    pistols = [pair for pair in rules.intact(at.position, at.unit) if pair[1] == "bolt_pistol"]
    if not pistols:
        return None
    event["crit"] = at.table.carry_out(event, target, *pistols[0])
    text = "The effect of a bolt pistol was triggered in a melee attack."
    return at.fault("CAL-CRT-02", "illegal", at.side, text)


def suppressed_twice(at: Moment) -> Expected | None:
    """The target loses two TPs to one effect."""
    crit, target = _effect_of(at, SUPPRESS), at.target
    if crit is None or target is None or target.tp < 2:
        return None
    crit["tp_lost"], crit["tp_after"] = 2, target.tp - 2
    text = "A suppressed unit lost two TPs."
    return at.fault("CAL-CRT-03", "miscalculated", at.side, text)


def suppression_forgotten(at: Moment) -> Expected | None:
    """The target keeps its TPs although the effect was triggered."""
    crit, target = _effect_of(at, SUPPRESS), at.target
    if crit is None or target is None or target.tp < 1:
        return None
    crit["tp_lost"], crit["tp_after"] = 0, target.tp
    return at.fault("CAL-CRT-03", "omitted", at.side, "A suppressed unit lost no TP.")


def cannon_rerolls_hits(at: Moment) -> Expected | None:
    """The assault cannon rolls a hit again."""
    crit = _effect_of(at, CANNON)
    faces = rules.faces_before_crit(at.event)
    wrong = [i for i, face in enumerate(faces) if face not in cannon_rerolls(at.table.readings)]
    if crit is None or not wrong or not crit["passes"]:
        return None
    first = crit["passes"][0]
    crit["passes"] = [{"indices": [*first["indices"], wrong[-1]], "faces": first["faces"] + at.table.roll(1)}]
    crit["weapon_destroyed"] = rules.cannon_breaks(at.event, at.table.readings)
    text = "An assault cannon re-rolled a die that showed a hit."
    return at.fault("CAL-CRT-06", "illegal", at.side, text)


def cannon_kept(at: Moment) -> Expected | None:
    """The assault cannon is kept although the roll destroys it."""
    crit = _effect_of(at, CANNON)
    if crit is None or not crit["weapon_destroyed"]:
        return None
    crit["weapon_destroyed"] = False
    text = "An assault cannon was kept although its roll destroyed it."
    return at.fault("CAL-CRT-06", "omitted", at.side, text, "crit.weapon_destroyed", False, True)


def cannon_given_up(at: Moment) -> Expected | None:
    """The assault cannon is destroyed although the roll does not say so."""
    crit = _effect_of(at, CANNON)
    if crit is None or crit["weapon_destroyed"] or at.table.walker_is_nearly_gone():
        return None
    crit["weapon_destroyed"] = True
    text = "An assault cannon was destroyed although its roll did not destroy it."
    return at.fault("CAL-CRT-06", "miscalculated", at.side, text, "crit.weapon_destroyed", True, False)


def _one_die_more(at: Moment, effect: str, text: str) -> Expected | None:
    crit = _effect_of(at, effect)
    if crit is None:
        return None
    crit["added"] += at.table.roll(1)
    return at.fault(effect, "miscalculated", at.side, text)


def missile_adds_more(at: Moment) -> Expected | None:
    """The missile launcher adds one die too many."""
    return _one_die_more(at, MISSILE, "A missile launcher added more dice than the target has models.")


def chain_adds_more(at: Moment) -> Expected | None:
    """The chainsword adds one die too many."""
    return _one_die_more(at, CHAINSWORD, "A chainsword added more dice than the roll shows criticals.")


def overheat_ignored(at: Moment) -> Expected | None:
    """The plasma firer stays although the weapon overheated."""
    crit = _effect_of(at, PLASMA)
    if crit is None:
        return None
    if crit["self_casualty"] is None:
        # Two overheating dice, so that there is something to ignore.
        crit["added"] = overheat_face(at.table.readings) * 2 + crit["added"][2:]
    due = crit["model"]
    crit["self_casualty"] = None
    text = "The firer of an overheated plasma weapon was not removed."
    return at.fault("CAL-CRT-08", "omitted", at.side, text, "crit.self_casualty", None, due)


def three_plasma_dice(at: Moment) -> Expected | None:
    """The plasma weapon adds three dice only."""
    crit = _effect_of(at, PLASMA)
    if crit is None:
        return None
    crit["added"] = crit["added"][:3]
    crit["self_casualty"] = crit["model"] if rules.overheats(crit["added"], at.table.readings) else None
    return at.fault("CAL-CRT-08", "miscalculated", at.side, "A plasma weapon added three dice.")


def claws_take_three(at: Moment) -> Expected | None:
    """A single lightning claw re-rolls three dice."""
    crit = _effect_of(at, CLAWS)
    if crit is None or crit["weapon"] != "lightning_claw":
        return None
    again = {i for entry in rules.rerolls_of(at.event) for i in entry["indices"]}
    free = [i for i in range(len(at.event["roll"])) if i not in again]
    if len(free) < 3:
        return None
    crit["passes"] = [{"indices": free[:3], "faces": at.table.roll(3)}]
    text = "A single lightning claw re-rolled three dice."
    return at.fault("CAL-CRT-11", "illegal", at.side, text)


def rerolled_again(at: Moment) -> Expected | None:
    """A lightning claw re-rolls a die that the vexilla had re-rolled."""
    crit = _effect_of(at, CLAWS)
    vexilla = at.event.get("vexilla")
    if crit is None or not vexilla:
        return None
    crit["passes"] = [{"indices": [vexilla["indices"][0]], "faces": at.table.roll(1)}]
    text = "A die that had been re-rolled was re-rolled again."
    return at.fault("CAL-DIE-02", "illegal", at.side, text)


def _hits_before_rerolls(at: Moment) -> int:
    """The hits that the roll had, with what an effect added, before any die was rolled again."""
    crit = rules.the_crit(at.event) or {}
    return rules.hits([*faces_of(at.event["roll"]), *faces_of(crit.get("added", ""))])


def hits_miscounted(at: Moment) -> Expected | None:
    """One hit too many goes into the pool."""
    due = at.event["pool"]
    if due + 1 == _hits_before_rerolls(at):
        return None  # that would be the old faces counted
    at.event["pool"] = due + 1
    text = "The hits of an attack roll were miscounted."
    return at.fault("CAL-ATK-03", "miscalculated", at.side, text, "pool", due + 1, due)


def old_faces_counted(at: Moment) -> Expected | None:
    """The pool counts the faces that were rolled again."""
    due, old = at.event["pool"], _hits_before_rerolls(at)
    if old == due:
        return None
    at.event["pool"] = old
    text = "The faces that a re-roll had replaced were counted."
    return at.fault("CAL-DIE-02", "miscalculated", at.side, text, "pool", old, due)


SPOILERS: dict[str, tuple[str, Spoiler]] = {
    "CAL-DST-01": ("dice", wrong_distance),
    "CAL-OBS-02": ("dice", no_obscured_bonus),
    "CAL-DEF-02": ("dice", no_rubble_bonus),
    "CAL-DEF-03": ("dice", no_barricade_bonus),
    "CAL-ATK-01": ("dice", one_model_too_many),
    "CAL-ATK-02": ("dice", one_shot_too_many),
    "CAL-RNG-01": ("dice", wrong_shoot_value),
    "CAL-MEL-01": ("dice", wrong_assault_bonus),
    "CAL-WAR-01": ("dice", no_harness),
    "CAL-DIE-01": ("roll", extra_face),
    "CAL-WAR-02": ("vexilla", vexilla_of_nobody),
    "CAL-WAR-02 ranged": ("vexilla", vexilla_in_a_shot),
    "CAL-OBS-03": ("crit", effect_while_obscured),
    "CAL-CRT-01": ("crit", effect_without_critical),
    "CAL-CRT-02": ("crit", pistol_in_melee),
    "CAL-CRT-03": ("crit", suppressed_twice),
    "CAL-CRT-06": ("crit", cannon_rerolls_hits),
    "CAL-CRT-06 omitted": ("crit", cannon_kept),
    "CAL-CRT-07": ("crit", missile_adds_more),
    "CAL-CRT-08": ("crit", overheat_ignored),
    "CAL-CRT-10": ("crit", chain_adds_more),
    "CAL-CRT-11": ("crit", claws_take_three),
    "CAL-DIE-02": ("crit", rerolled_again),
    "CAL-ATK-10": ("crit", vexilla_after_the_effect),
    "CAL-CRT-03 omitted": ("crit", suppression_forgotten),
    "CAL-CRT-06 miscalculated": ("crit", cannon_given_up),
    "CAL-CRT-08 miscalculated": ("crit", three_plasma_dice),
    "CAL-ATK-03": ("pool", hits_miscounted),
    "CAL-DIE-02 miscalculated": ("pool", old_faces_counted),
}
