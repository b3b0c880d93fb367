"""Faults in the other direction, and of the wrong model: too few dice, hits and losses, effects that touch another."""

from __future__ import annotations

from typing import Any

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.plant.moment import Expected, Moment, Spoiler
from auditor.conformance.calth.tables import CHAINSWORD, CLAWS, FIST, MISSILE, PLASMA, SUPPRESS, SWORD, other

# ------------------------------------------------------------------ rolls


def two_dice(at: Moment) -> Expected | None:
    """The loser of the initiative rolls two dice; the third would have changed nothing."""
    event = at.event
    if event["type"] != "initiative" or event["source"] != "roll" or len(event["attempts"]) != 1:
        return None
    side = other(event["winner"])
    rolled = event["attempts"][0][side]
    misses = [i for i, face in enumerate(rolled) if face in "SB"]
    if not misses:
        return None
    event["attempts"][0][side] = rolled[: misses[0]] + rolled[misses[0] + 1 :]
    return at.fault("CAL-INI-01", "miscalculated", side, "Two dice were rolled for the initiative.")


def face_left_out(at: Moment) -> Expected | None:
    """One face fewer is recorded than dice were due."""
    if len(at.event["roll"]) < 2:
        return None
    at.event["roll"] = at.event["roll"][:-1]
    return at.fault("CAL-DIE-01", "miscalculated", at.side, "Fewer dice were rolled than were due.")


def hit_overlooked(at: Moment) -> Expected | None:
    """One hit too few goes into the pool."""
    due = at.event["pool"]
    crit = rules.the_crit(at.event) or {}
    first = rules.hits([*at.event["roll"], *crit.get("added", "")])
    if not due or due - 1 == first:
        return None  # those would be the old faces counted
    at.event["pool"] = due - 1
    text = "A hit of an attack roll was not counted."
    return at.fault("CAL-ATK-03", "miscalculated", at.side, text, "pool", due - 1, due)


def _step_rolled(at: Moment, more: bool) -> Expected | None:
    """A defence roll with a die that shows no shield more, or fewer."""
    faces = at.step["faces"]
    if "target_model" not in at.step:
        return None
    if more:
        at.step["faces"] = faces + at.table.rng.choice("HB")
    else:
        others = [i for i, face in enumerate(faces) if face != "S"]
        if not others or len(faces) < 2:
            return None
        at.step["faces"] = faces[: others[0]] + faces[others[0] + 1 :]
    return at.fault("CAL-ATK-05", "miscalculated", at.foe, "A defence roll has not the dice due.")


def defence_die_more(at: Moment) -> Expected | None:
    """A defence roll of one die too many."""
    return _step_rolled(at, more=True)


def defence_die_fewer(at: Moment) -> Expected | None:
    """A defence roll of one die too few."""
    return _step_rolled(at, more=False)


# ------------------------------------------------------------------ parts of the dice and bonuses


def _part_less(rule: str, name: str, least: int) -> Spoiler:
    """A die of melee is forgotten, where at least so many come of this part."""

    def spoil(at: Moment) -> Expected | None:
        dice = at.event["dice"]
        if at.event["mode"] != "melee" or dice[name] < least:
            return None
        due = dice[name]
        at.event["dice"] = {**dice, name: due - 1, "total": dice["total"] - 1}
        text = f"A die was forgotten ({name})."
        return at.fault(rule, "miscalculated", at.side, text, f"dice.{name}", due - 1, due)

    return spoil


def _bonus_is(rule: str, name: str, due: int, claimed: int) -> Spoiler:
    """A defence bonus that is due is taken with another number of dice."""

    def spoil(at: Moment) -> Expected | None:
        los = at.event.get("los")
        if los is None or los["bonuses"][name] != due or at.target is None:
            return None
        los["bonuses"] = {**los["bonuses"], name: claimed}
        text = f"A bonus for defence has another number ({name})."
        return at.fault(rule, "miscalculated", at.target.side, text, f"los.bonuses.{name}", claimed, due)

    return spoil


def bonus_grows(at: Moment) -> Expected | None:
    """The second target model of an attack rolls with a bonus die more."""
    due = at.step["bonus_dice"]
    if len(at.event["steps"]) < 2 or not due:
        return None
    at.step["bonus_dice"] = due + 1
    text = "A later target model rolled more bonus dice than the first."
    return at.fault("CAL-DEF-04", "miscalculated", at.foe, text, at.step_field("bonus_dice"), due + 1, due)


# ------------------------------------------------------------------ effects


def _effect(at: Moment, effect: str) -> dict[str, Any] | None:
    crit = rules.the_crit(at.event)
    return crit if crit is not None and crit["effect"] == effect else None


def _one_die_fewer(effect: str) -> Spoiler:
    """An effect adds one die too few."""

    def spoil(at: Moment) -> Expected | None:
        crit = _effect(at, effect)
        if crit is None or not crit["added"]:
            return None
        crit["added"] = crit["added"][:-1]
        return at.fault(effect, "miscalculated", at.side, "An effect added fewer dice than are due.")

    return spoil


def five_plasma_dice(at: Moment) -> Expected | None:
    """The plasma weapon adds five dice, of which the fifth shows a shield."""
    crit = _effect(at, PLASMA)
    if crit is None:
        return None
    crit["added"] += "S"
    return at.fault(PLASMA, "miscalculated", at.side, "A plasma weapon added five dice.")


def overheats_another(at: Moment) -> Expected | None:
    """An overheated plasma weapon takes another model of the unit than its bearer."""
    crit, unit = _effect(at, PLASMA), at.unit
    if crit is None or unit is None or crit["self_casualty"] is None or len(unit.models) < 2:
        return None
    due = crit["self_casualty"]
    crit["self_casualty"] = next(m for m in unit.models if m != due)
    text = "Another model than the firer was removed for overheating."
    return at.fault(PLASMA, "miscalculated", at.side, text, "crit.self_casualty", crit["self_casualty"], due)


def overheats_for_nothing(at: Moment) -> Expected | None:
    """The firer of a plasma weapon is removed although it did not overheat."""
    crit, unit = _effect(at, PLASMA), at.unit
    if crit is None or unit is None or crit["self_casualty"] is not None:
        return None
    crit["self_casualty"] = crit["model"]
    text = "A firer was removed although the weapon did not overheat."
    return at.fault(PLASMA, "miscalculated", at.side, text, "crit.self_casualty", crit["model"], None)


def effect_of_another(at: Moment) -> Expected | None:
    """The effect of a weapon is used by a model of the unit that does not carry it."""
    crit, unit = _effect(at, SUPPRESS), at.unit
    if crit is None or unit is None:
        return None
    others = [m for m in unit.models if crit["weapon"] not in at.position.models[m].weapons]
    if not others:
        return None
    crit["model"] = others[0]
    return at.fault("CAL-CRT-02", "illegal", at.side, "An effect was used by a model that does not carry the weapon.")


def claws_take_five(at: Moment) -> Expected | None:
    """A pair of lightning claws re-rolls five dice."""
    crit = _effect(at, CLAWS)
    if crit is None or crit["weapon"] != "two_lightning_claws":
        return None
    again = {i for entry in rules.rerolls_of(at.event) for i in entry["indices"]}
    free = [i for i in range(len(at.event["roll"])) if i not in again]
    if len(free) < 5:
        return None
    crit["passes"] = [{"indices": free[:5], "faces": at.table.roll(5)}]
    return at.fault(CLAWS, "illegal", at.side, "A pair of lightning claws re-rolled five dice.")


def _armour_is(effect: str, by: int) -> Spoiler:
    """The first target rolls with an Armour that is neither its own nor what the effect makes of it."""

    def spoil(at: Moment) -> Expected | None:
        if _effect(at, effect) is None or len(at.event["steps"]) != 1:
            return None
        due, printed = at.step["armour_used"], rules.printed_values(at.position, at.step)[0]
        if due == printed or due + by < 0 or due + by == printed:
            return None
        at.step["armour_used"] = due + by
        text = "The first target rolled with another Armour than the effect gives it."
        return at.fault(effect, "miscalculated", at.side, text, at.step_field("armour_used"), due + by, due)

    return spoil


def suppressed_too_little(at: Moment) -> Expected | None:
    """A suppressed unit has one TP more afterwards than is said that it lost."""
    crit, target = _effect(at, SUPPRESS), at.target
    if crit is None or target is None or crit["tp_lost"] != 1:
        return None
    due = crit["tp_after"]
    crit["tp_after"] = due + 2
    at.table.restated_losses = 0.0  # a line that restates the loss would state another wrong number
    text = "The TPs after a suppression are wrong."
    return at.fault(SUPPRESS, "miscalculated", at.side, text, "crit.tp_after", due + 2, due)


# ------------------------------------------------------------------ the damage loop


def felled_by_too_little(at: Moment) -> Expected | None:
    """A model is removed although the hits do not reach its Stamina."""
    step = at.step
    if step["casualty"] or "target_model" not in step:
        return None
    step["casualty"] = True
    text = "A model was removed although the hits did not reach its Stamina."
    return at.fault("CAL-ATK-06", "miscalculated", at.foe, text, at.step_field("casualty"), True, False)


def _hits_left(by: int) -> Spoiler:
    """The hits left are wrong where nobody is left that they could fall on."""

    def spoil(at: Moment) -> Expected | None:
        steps, target = at.event["steps"], at.target
        if not steps or target is None or not steps[-1]["casualty"] or "damage_card" in steps[-1]:
            return None
        if len([step for step in steps if step["casualty"]]) < len(target.models) or steps[-1]["pool_left"] + by < 0:
            return None
        due = steps[-1]["pool_left"]
        steps[-1]["pool_left"] = due + by
        name = f"steps.{len(steps) - 1}.pool_left"
        return at.fault("CAL-ATK-06", "miscalculated", at.foe, "The hits left are wrong.", name, due + by, due)

    return spoil


def picked_of_another_unit(at: Moment) -> Expected | None:
    """A pass is rolled by a model of another unit, of the same kind, which stays."""
    steps, target = at.event["steps"], at.target
    if len(steps) < 2 or target is None or steps[-1]["casualty"] or "target_model" not in steps[-1]:
        return None
    known = at.position.models
    kind = rules.printed_values(at.position, steps[-1])
    strangers = [
        m
        for unit in at.position.side_units(target.side)
        if unit is not target
        for m in unit.models
        if rules.printed_values(at.position, {"target_model": m}) == kind and not known[m].has_damage_deck
    ]
    if not strangers:
        return None
    steps[-1]["target_model"] = at.table.rng.choice(strangers)
    return at.fault("CAL-ATK-04", "illegal", at.foe, "A model of another unit was picked as a target.")


# ------------------------------------------------------------------ losses, last stands, the campaign


def losses_forgotten(at: Moment) -> Expected | None:
    """A retreat that is due names one casualty of the attacker too few."""
    event = at.event
    if event["type"] != "retreat" or not event["due"]:
        return None
    foe = other(event["player"])
    due = event["casualties"][foe]
    if not due:
        return None
    event["casualties"] = {**event["casualties"], foe: due - 1}
    text = "The casualties of the assault were miscounted."
    return at.fault("CAL-RET-01", "miscalculated", event["player"], text, f"casualties.{foe}", due - 1, due)


def losses_invented(at: Moment) -> Expected | None:
    """A retreat names a casualty of the attacker too many, which leaves it due."""
    event = at.event
    if event["type"] != "retreat" or not event["due"]:
        return None
    foe, own = other(event["player"]), event["casualties"][event["player"]]
    due = event["casualties"][foe]
    if due + 1 >= own:
        return None
    event["casualties"] = {**event["casualties"], foe: due + 1}
    text = "The casualties of the assault were miscounted."
    return at.fault("CAL-RET-01", "miscalculated", event["player"], text, f"casualties.{foe}", due + 1, due)


def lost_with_a_shield(at: Moment) -> Expected | None:
    """A model that showed a shield in its last stand is lost."""
    event = at.event
    if event["type"] != "last_stand" or not event["survivors"]:
        return None
    due = list(event["survivors"])
    event["survivors"] = due[:-1]
    if not event["survivors"]:
        event["tp_after"] = None
    text = "A model was lost in its last stand although it showed a shield."
    return at.fault("CAL-DLS-01", "miscalculated", event["player"], text, "survivors", due[:-1], due)


def tally_too_low(at: Moment) -> Expected | None:
    """The victories of the player who is behind are counted one too low."""
    event = at.event
    if event["type"] != "campaign_end":
        return None
    behind = min(("UM", "WB"), key=lambda side: int(event["tally"][side]))
    due = event["tally"][behind]
    if not due or event["tally"][other(behind)] == due:
        return None
    event["tally"] = {**event["tally"], behind: due - 1}
    text = "The victories of the campaign were miscounted."
    return at.fault("CAL-CMP-01", "miscalculated", None, text, f"tally.{behind}", due - 1, due)


SPOILERS: dict[str, tuple[str, Spoiler]] = {
    "CAL-INI-01 two dice": ("write", two_dice),
    "CAL-DIE-01 fewer": ("roll", face_left_out),
    "CAL-ATK-03 fewer": ("pool", hit_overlooked),
    "CAL-ATK-05 die more": ("shields", defence_die_more),
    "CAL-ATK-05 die fewer": ("shields", defence_die_fewer),
    "CAL-ATK-01 pistol forgotten": ("dice", _part_less("CAL-ATK-01", "pistols", 1)),
    "CAL-WAR-01 fewer": ("dice", _part_less("CAL-WAR-01", "harness", 2)),
    "CAL-OBS-02 one": ("dice", _bonus_is("CAL-OBS-02", "obscured", 2, 1)),
    "CAL-DEF-02 two": ("dice", _bonus_is("CAL-DEF-02", "rubble", 1, 2)),
    "CAL-DEF-03 one": ("dice", _bonus_is("CAL-DEF-03", "barricade", 2, 1)),
    "CAL-DEF-04 more": ("armour", bonus_grows),
    "CAL-CRT-07 fewer": ("crit", _one_die_fewer(MISSILE)),
    "CAL-CRT-10 fewer": ("crit", _one_die_fewer(CHAINSWORD)),
    "CAL-CRT-08 five": ("crit", five_plasma_dice),
    "CAL-CRT-08 another": ("crit", overheats_another),
    "CAL-CRT-08 for nothing": ("crit", overheats_for_nothing),
    "CAL-CRT-02 of another": ("crit", effect_of_another),
    "CAL-CRT-11 five": ("crit", claws_take_five),
    "CAL-CRT-09 some": ("armour", _armour_is(FIST, 1)),
    "CAL-CRT-13 less": ("armour", _armour_is(SWORD, -1)),
    "CAL-CRT-03 more left": ("crit", suppressed_too_little),
    "CAL-ATK-06 invented": ("casualty", felled_by_too_little),
    "CAL-ATK-06 more left": ("steps", _hits_left(1)),
    "CAL-ATK-06 less left": ("steps", _hits_left(-1)),
    "CAL-ATK-04 of another": ("steps", picked_of_another_unit),
    "CAL-RET-01 forgotten": ("write", losses_forgotten),
    "CAL-RET-01 invented": ("write", losses_invented),
    "CAL-DLS-01 lost": ("write", lost_with_a_shield),
    "CAL-CMP-01 less": ("write", tally_too_low),
}
