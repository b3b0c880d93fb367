"""Numbers of attacks, each too high and too low, and dice that nothing gives."""

from __future__ import annotations

from typing import Any

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.plant.moment import Expected, Moment, Spoiler


def _claim(rule: str, place: str, by: int, mode: str | None = None) -> Spoiler:
    """One number of an attack is changed, and nothing that follows from it: `place` is block and field."""
    block, name = place.split(".")

    def spoil(at: Moment) -> Expected | None:
        event = at.event
        if event["type"] != "attack" or (mode is not None and event["mode"] != mode):
            return None
        holder = event.get(block)
        if not isinstance(holder, dict) or not isinstance(holder.get(name), int) or holder[name] + by < 0:
            return None
        due = holder[name]
        holder[name] = due + by
        text = f"The {name} of an attack is wrong."
        return at.fault(rule, "miscalculated", event["player"], text, place, due + by, due)

    return spoil


def _in_step(rule: str, name: str, by: int) -> Spoiler:
    """One number of a pass of the damage loop is changed, and nothing that follows from it."""

    def spoil(at: Moment) -> Expected | None:
        event = at.event
        if event["type"] != "attack" or not event["steps"]:
            return None
        crit: dict[str, Any] = rules.the_crit(event) or {}
        if crit.get("effect") in rules.ON_FIRST_TARGET:
            return None
        n = at.table.rng.randrange(len(event["steps"]))
        step = event["steps"][n]
        if not isinstance(step.get(name), int) or step[name] + by < (1 if name == "stamina_used" else 0):
            return None
        due = step[name]
        step[name] = due + by
        side = at.position.units[event["target"]].side
        return at.fault(rule, "miscalculated", side, f"The {name} is wrong.", f"steps.{n}.{name}", due + by, due)

    return spoil


def _invented(rule: str, name: str, mode: str) -> Spoiler:
    """A die that nothing gives is counted and rolled."""

    def spoil(at: Moment) -> Expected | None:
        event = at.event
        if event["mode"] != mode:
            return None
        due = event["dice"][name]
        event["dice"] = {**event["dice"], name: due + 1, "total": event["dice"]["total"] + 1}
        text = f"A die was rolled that nothing gives ({name})."
        return at.fault(rule, "miscalculated", event.get("player") or at.side, text, f"dice.{name}", due + 1, due)

    return spoil


def _bonus(rule: str, name: str, dice: int) -> Spoiler:
    """A defence bonus that the target does not have is taken, and its dice are rolled."""

    def spoil(at: Moment) -> Expected | None:
        los = at.event.get("los")
        if los is None or los["bonuses"][name] or at.target is None:
            return None
        los["bonuses"] = {**los["bonuses"], name: dice}
        text = f"Defence dice were rolled that nothing gives ({name})."
        return at.fault(rule, "miscalculated", at.target.side, text, f"los.bonuses.{name}", dice, 0)

    return spoil


SPOILERS: dict[str, tuple[str, Spoiler]] = {
    "CAL-DST-01 less": ("write", _claim("CAL-DST-01", "los.distance", -1)),
    "CAL-ATK-01 sum more": ("write", _claim("CAL-ATK-01", "dice.total", 1, "melee")),
    "CAL-ATK-01 sum less": ("write", _claim("CAL-ATK-01", "dice.total", -1, "melee")),
    "CAL-ATK-01 models less": ("write", _claim("CAL-ATK-01", "dice.models", -1, "melee")),
    "CAL-ATK-02 sum more": ("write", _claim("CAL-ATK-02", "dice.total", 1, "ranged")),
    "CAL-ATK-02 sum less": ("write", _claim("CAL-ATK-02", "dice.total", -1, "ranged")),
    "CAL-RNG-01 less": ("write", _claim("CAL-RNG-01", "dice.weapons", -1, "ranged")),
    "CAL-RNG-01 more": ("write", _claim("CAL-RNG-01", "dice.weapons", 1, "ranged")),
    "CAL-MEL-01 less": ("write", _claim("CAL-MEL-01", "dice.weapons", -1, "melee")),
    "CAL-ATK-05 more shields": ("write", _in_step("CAL-ATK-05", "shields", 1)),
    "CAL-ATK-05 fewer shields": ("write", _in_step("CAL-ATK-05", "shields", -1)),
    "CAL-ATK-05 more Armour": ("write", _in_step("CAL-ATK-05", "armour_used", 1)),
    "CAL-ATK-05 less Armour": ("write", _in_step("CAL-ATK-05", "armour_used", -1)),
    "CAL-ATK-06 more Stamina": ("write", _in_step("CAL-ATK-06", "stamina_used", 1)),
    "CAL-ATK-06 less Stamina": ("write", _in_step("CAL-ATK-06", "stamina_used", -1)),
    "CAL-ATK-01 models invented": ("dice", _invented("CAL-ATK-01", "models", "melee")),
    "CAL-ATK-01 pistol invented": ("dice", _invented("CAL-ATK-01", "pistols", "melee")),
    "CAL-MEL-01 invented": ("dice", _invented("CAL-MEL-01", "weapons", "melee")),
    "CAL-WAR-01 invented": ("dice", _invented("CAL-WAR-01", "harness", "melee")),
    "CAL-RNG-01 invented": ("dice", _invented("CAL-RNG-01", "weapons", "ranged")),
    "CAL-DEF-02 invented": ("dice", _bonus("CAL-DEF-02", "rubble", 1)),
    "CAL-DEF-03 invented": ("dice", _bonus("CAL-DEF-03", "barricade", 2)),
    "CAL-OBS-02 invented": ("dice", _bonus("CAL-OBS-02", "obscured", 2)),
}
