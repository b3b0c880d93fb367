"""The numbers of the catalogue's tables, each as its own formula. Source: Calixtus catalogue 6."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any


def to_hit_shooting(bs: int) -> int:
    """CLX-SHOOT-09."""
    return max(2, 7 - bs)


def reroll_shooting(bs: int) -> int | None:
    """CLX-SHOOT-09: what a missed shot hits on when it is rolled again; None: it is not."""
    return max(2, 12 - bs) if bs > 5 else None


def to_hit_combat(ws: int, defender: int) -> int:
    """CLX-ASLT-05."""
    if defender < ws:
        return 3
    return 4 if defender < 2 * ws else 5


def to_wound(strength: int, toughness: int, exactly: bool = False) -> int:
    """CLX-ASLT-06; `exactly`: OR-TWICE=EXACT."""
    if strength == 2 * toughness or (strength > 2 * toughness and not exactly):
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength == toughness or (2 * strength < toughness and not exactly) else 5


def majority(values: Iterable[int]) -> int:
    """BASE-MAJORITY: the value that most have; of equally many the higher."""
    count = Counter(values)
    return max(count, key=lambda value: (count[value], value))


def strength_of(weapon: dict[str, Any], user: int) -> int:
    """The Strength of a blow with a weapon."""
    printed = weapon["S"]
    if printed in (None, "user"):
        return user
    if printed == "x2":
        return min(10, 2 * user)
    if isinstance(printed, str):
        return min(10, user + int(printed.removeprefix("user")))
    return int(printed)


def armour_save(armour: int | None, ap: int | None, strength: int, rules: Iterable[str]) -> int | None:
    """BASE-AS, CLX-GEAR-02, CLX-MISC-03: the armour save against a wound; None where there is none."""
    if armour is None or armour > 6 or "power" in rules:
        return None
    if ap is not None and (ap <= armour if armour > 1 else ap == 1):
        return None
    needed = max(2, armour)
    if "hefty" in rules:
        needed += max(0, strength - 3)
    return needed if needed <= 6 else None


def charges(d3: int, level: int) -> int:
    """CLX-PSY-04 under OR-CHARGE=D3_TIMES_ML."""
    return d3 * level


def resistance(bonus: int, stack: str = "CUMULATIVE") -> int:
    """CLX-PSY-13 by the options of OR-MR-STACK."""
    if stack == "ONCE":
        return 5 if bonus else 6
    if stack == "ALL":
        return 5 if bonus == 3 else 6
    return 6 - bonus


def goes_on(turn: int, die: int) -> bool:
    """CLX-GAME-04 to -06: whether a game goes on after a game turn."""
    return die >= {5: 4, 6: 3, 7: 2}[turn]


def hull_wounds(
    total: int, armour: int, ap: int | None, pen: str = "ONE_PLUS_N", glance: str = "TWO"
) -> tuple[str, int]:
    """CLX-VEH-07 to -09: the result of a hit on a vehicle and the wounds that it takes off, by the options of OR-PEN and
    OR-AP1-GLANCE."""
    over = total - armour
    if over < 0:
        return "none", 0
    if over == 0 and ap != 1:
        return "glance", 1
    if ap == 1 and (over or glance == "TWO"):
        over += 1
    return "pen", max(1, over + (pen == "ONE_PLUS_N"))


def run_dice(kind: str, swooping: bool = False) -> int:
    """CLX-SHOOT-15: how many dice a run has; 0: none is rolled."""
    if kind in ("beast", "cavalry") or (kind == "fmc" and swooping):
        return 2
    return 0 if kind in ("bike", "jetbike", "eldar_jetbike", "vehicle") else 1


TURBO = {"bike": 12, "jetbike": 24, "eldar_jetbike": 36}


def flat_out(vehicle: dict[str, Any]) -> int:
    """CLX-SHOOT-15: how far a vehicle goes flat out that is no zooming flyer; 0: it may not."""
    if vehicle.get("heavy"):
        return 0
    if vehicle.get("fast"):
        return 18 if vehicle.get("skimmer") else 12
    return 6
