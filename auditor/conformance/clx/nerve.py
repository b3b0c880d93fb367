"""What comes of attacks in an invented game: suppression, crossfire, and checks of morale (catalogue 6.4, 6.5, 6.9)."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.conformance.clx.inches import turn_between
from auditor.conformance.clx.moving import fall_back
from auditor.conformance.clx.table import Json, Table, Unit


def shaken(t: Table, unit: Unit, attacks: Sequence[Json] | None = None) -> None:
    """The Morale Check after shooting (CLX-MOR-01), for all attacks of the phase if not said otherwise; wounds of a
    crossfire check are not counted again."""
    if attacks is None and t.rules("OR-MORALE-WHEN", "PER_ATTACK"):
        return
    both = t.rules("OR-CROSS-MORALE", "BOTH")
    kind = suffered(t)
    counted = [a for a in (unit.attacks if attacks is None else attacks) if a[kind] and (both or not a["crossed"])]
    if counted and unit.vehicle is None and not stands(t, unit, "shooting", counted):
        fall_back(t, unit, "CLX-MOR-01")


def stands(t: Table, unit: Unit, cause: str, counted: Sequence[Json]) -> bool:
    """A Morale Check for the wounds of some attacks, and whether the unit passes it."""
    wounds = sum(a[suffered(t)] for a in counted)
    dice = sure_dice(t, unit, unit.ld - wounds)
    passed: bool = sum(dice) <= unit.ld - wounds
    t.write(
        "morale",
        unit.owner,
        tag={"limit": unit.ld - wounds, **({"crossfire": True} if cause == "crossfire" else {})},
        unit=unit.id,
        cause=cause,
        attacks=[a["attack"] for a in counted],
        dice=dice,
        claimed_modifier=-wounds,
        claimed_passed=passed,
    )
    return passed


def suffered(t: Table) -> str:
    """Which wounds of an attack count for morale (OR-WOUNDS)."""
    return "inflicted" if t.rules("OR-WOUNDS", "INFLICTED") else "unsaved"


def sure_dice(t: Table, unit: Unit, limit: int) -> list[int]:
    """Two dice; for a unit that a failed test does nothing to (or that falls back already) such as pass, if any do."""
    dice = t.dice(2)
    if "fearless" in unit.rules or unit.falling_back:
        while sum(dice) > max(limit, 2):
            dice = t.dice(2)
    return dice


def aftermath(t: Table, target: Unit, entry: Json, whence: float, over: float, pinning: bool) -> None:
    """What an attack calls for when its dice are done: facing, lying prone, pinning, crossfire."""
    crossing = crossing_attacks(t, target)
    opposed = any(one is entry for one in crossing)
    if pinning or opposed:
        target.facing, target.turned_by, target.turned_over = whence, "CLX-FACE-02", over
    lies = "prone_position" in target.rules
    if lies and pinning and not target.asked_prone:
        prone(t, target, entry)
    again = t.rules("OR-CROSS-REPEAT", "EACH") and opposed
    if crossing and (again or not target.crossed):
        target.crossed = True
        for a in crossing:
            a["crossed"] = True
        if not stands(t, target, "crossfire", crossing):
            fall_back(t, target)
            if target.gone:
                return
    for a in target.attacks:
        caught = any(one is a for one in crossing)
        hits = a["hits"] if caught else a["pinning_hits"]
        wounds = a["unsaved"] if caught else a["pinning_wounds"]
        if t.rules("OR-SUPP", "SEPARATE") and not caught:
            hits = wounds
        if t.rules("OR-PIN-COUNT", "PER_PHASE"):
            if any(one["tested"] for one in target.attacks):
                continue
            wounds = sum(one["pinning_wounds"] for one in target.attacks)
        if hits and not a["tested"] and not lies and t.clock > target.pinned_until:
            a["tested"] = True
            pin(t, target, [a["attack"]], wounds)


def crossing_attacks(t: Table, target: Unit) -> list[Json]:
    """The attacks that catch a unit in crossfire; none where it is not caught (CLX-SHOOT-14, OR-CROSS, OR-CROSS-NEED)."""
    need = {"SHOT": None, "HIT": "hits", "WOUND": "unsaved"}[t.readings.get("OR-CROSS-NEED", "SHOT")]

    def opposite(a: Json, b: Json) -> bool:
        if t.rules("OR-CROSS", "OPPOSED"):
            return turn_between(a["whence"], b["whence"]) > 135
        return {a["arc"], b["arc"]} == {"front", "rear"}

    pairs = [
        (a, b)
        for i, a in enumerate(target.attacks)
        for b in target.attacks[i + 1 :]
        if a["unit"] != b["unit"] and opposite(a, b)
    ]
    if not any(need is None or (a[need] and b[need]) for a, b in pairs):
        return []
    if t.rules("OR-CROSS", "OPPOSED"):
        return [one for one in target.attacks if any(one is a or one is b for a, b in pairs)]
    return [one for one in target.attacks if one["arc"] in ("front", "rear")]


def pin(t: Table, target: Unit, causes: list[str], wounds: int) -> bool:
    """A Pinning Test (CLX-SUPP-03); whether the unit is pinned by it."""
    dice = t.dice(2)
    if "fearless" in target.rules:
        while sum(dice) > max(2, target.ld - wounds):
            dice = t.dice(2)
        if sum(dice) > target.ld - wounds:
            return False
    pinned = sum(dice) > target.ld - wounds
    t.write(
        "pinning_test",
        target.owner,
        tag={"limit": target.ld - wounds},
        unit=target.id,
        causes=causes,
        dice=dice,
        claimed_modifier=-wounds,
        claimed_pinned=pinned,
    )
    if pinned:
        target.pinned_until = t.clock + (2 if target.owner == t.active else 1)
    return pinned


def prone(t: Table, target: Unit, entry: Json) -> None:
    """A unit with the rule drops or presses on (CLX-USR-17)."""
    target.asked_prone = True
    choice = t.rng.choice(("drop", "press"))
    t.write("prone_choice", target.owner, unit=target.id, attack=entry["attack"], choice=choice)
    if choice == "drop":
        target.stuck_until = t.clock + 1
        return
    target.pressed = True
    dice = t.dice(2)
    passed = sum(dice) <= target.ld
    t.write(
        "ld_test", target.owner, unit=target.id, cause="prone", dice=dice, claimed_modifier=0, claimed_passed=passed
    )
    if not passed:
        target.stuck_until = target.no_shots_until = t.clock + 1
