"""The tables of the game and its open readings, copied out of catalogue sections 2, 13 and 14."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

Readings = Mapping[str, str]
SIDES = ("UM", "WB")


def other(side: str) -> str:
    """The opponent of a side."""
    return "WB" if side == "UM" else "UM"


class Weapon(NamedTuple):
    """One line of the weapon tables; ranges in hexes, None where there is no limit."""

    kind: str
    shoot: int
    assault: int
    limit: int | None
    effect: str
    effect_range: int | None


SUPPRESS, FOLLOW_UP, MELT, CANNON = "CAL-CRT-03", "CAL-CRT-04", "CAL-CRT-05", "CAL-CRT-06"
MISSILE, PLASMA, FIST, CHAINSWORD = "CAL-CRT-07", "CAL-CRT-08", "CAL-CRT-09", "CAL-CRT-10"
CLAWS, CHAINFIST, SWORD = "CAL-CRT-11", "CAL-CRT-12", "CAL-CRT-13"

WEAPONS: dict[str, Weapon] = {
    "assault_cannon": Weapon("ranged", 6, 0, None, CANNON, None),
    "boltgun": Weapon("ranged", 2, 0, None, SUPPRESS, None),
    "bolt_pistol": Weapon("ranged", 2, 1, 3, SUPPRESS, None),
    "combi_bolter": Weapon("ranged", 4, 0, None, SUPPRESS, None),
    "flamer": Weapon("ranged", 4, 0, 3, FOLLOW_UP, None),
    "heavy_bolter": Weapon("ranged", 6, 0, None, SUPPRESS, None),
    "heavy_flamer": Weapon("ranged", 6, 0, 3, FOLLOW_UP, None),
    "meltagun": Weapon("ranged", 3, 0, None, MELT, 3),
    "missile_launcher": Weapon("ranged", 5, 0, None, MISSILE, None),
    "multi_melta": Weapon("ranged", 4, 0, None, MELT, 6),
    "plasma_gun": Weapon("ranged", 3, 0, None, PLASMA, None),
    "plasma_pistol": Weapon("ranged", 3, 1, 3, PLASMA, None),
    "chainfist": Weapon("melee", 0, 1, None, CHAINFIST, None),
    "chainsword": Weapon("melee", 0, 1, None, CHAINSWORD, None),
    "contemptor_power_fist": Weapon("melee", 0, 2, None, FIST, None),
    "lightning_claw": Weapon("melee", 0, 1, None, CLAWS, None),
    "two_lightning_claws": Weapon("melee", 0, 3, None, CLAWS, None),
    "power_fist": Weapon("melee", 0, 0, None, FIST, None),
    "power_sword": Weapon("melee", 0, 1, None, SWORD, None),
}
PISTOLS = ("bolt_pistol", "plasma_pistol")
FLAMERS = ("flamer", "heavy_flamer")

# The first option of each reading is its default.
READINGS: dict[str, tuple[str, ...]] = {
    "R-DIE-INIT": ("crit_is_hit", "plain_hits_only"),
    "R-RRL-FINAL": ("final_faces", "first_faces"),
    "R-VEX-TIMING": ("before_crit", "any_time"),
    "R-GLY-CANNON": ("shield_blank", "hit_blank", "hit_shield"),
    "R-GLY-CANNON-MAX": ("critical", "hit", "blank"),
    "R-CANNON-COUNT": ("final_roll", "ever_shown"),
    "R-CANNON-WHEN": ("if_triggered", "always"),
    "R-GLY-CHAIN": ("critical", "any_hit"),
    "R-GLY-PLASMA": ("critical", "blank"),
    "R-CMP-TALLY": ("first_five", "all_six"),
    "R-ACT-PASS": ("no_pass", "pass_allowed"),
    "R-ACT-NOP": ("allowed", "not_allowed"),
    "R-RDY-EMPTY": ("no_draw", "reshuffle"),
    "R-CON-TP": ("current", "before_activation"),
    "R-ASL-HARNESS": ("action_only", "also_counter"),
    "R-HAR-STACK": ("once", "each"),
    "R-DLS-VEX": ("in_hex", "unit_before_retreat"),
    "R-LOS-VERTEX": ("clear", "blocks"),
    "R-LOS-EDGEMIX": ("counts", "same_kind"),
    "R-LOS-OFFBOARD": ("blocked", "ignored"),
    "R-LOS-EDGEADJ": ("geometric", "strict"),
    "R-LOS-TIP": ("pinch", "graze_ok", "touch_blocks"),
    "R-LOS-ALONG": ("not_crossing", "crossing"),
    "R-LOS-OBST": ("see_through", "stops"),
    "R-OBS-POINT": ("interior", "closed"),
    "R-OBS-WIDTH": ("line", "width"),
    "R-OBS-BARR": ("shooter_best", "declared_line", "centre_line"),
    "R-BAR-TIP": ("pinch", "graze_ok", "touch_blocks"),
    "R-BAR-OWNER": ("owner_hex", "both_sides"),
    "R-DEF-STACK": ("add", "highest"),
    "R-ARM0-BONUS": ("bonus_kept", "no_dice"),
    "R-SWD-ROUND": ("up", "down"),
    "R-DST-OCC": ("passable", "stops"),
    "R-DST-OBST": ("passable", "stops"),
    "R-ATK-MULTI": ("all", "one_per_model"),
    "R-PIS-TWO": ("once", "each"),
    "R-CRT-UNUSED": ("used_only", "any_carried"),
    "R-FLM-CHAIN": ("chain", "once"),
    "R-FLM-GONE": ("last_hex", "no_follow_up"),
    "R-FLM-SIDE": ("enemy_only", "any_unit"),
    "R-SOR-DECK": ("reshuffle_each", "no_repeat_in_attack"),
    "R-SOR-CAS": ("models_only", "locations_count"),
}


def option(readings: Readings, reading: str) -> str:
    """The option in force for a reading: what the mapping says, else the default.

    Raises KeyError for an unknown reading and ValueError for an unknown option.
    """
    options = READINGS[reading]
    chosen = readings.get(reading, options[0])
    if chosen not in options:
        raise ValueError(f"{reading} has no option {chosen!r}; it has {', '.join(options)}")
    return chosen


FACE_NAMES = {"hit": "H", "critical": "C", "shield": "S", "blank": "B"}


def cannon_rerolls(readings: Readings) -> frozenset[str]:
    """The two faces that an assault cannon may roll again (R-GLY-CANNON)."""
    return frozenset(FACE_NAMES[name] for name in option(readings, "R-GLY-CANNON").split("_"))


def cannon_breaks_on(readings: Readings) -> str:
    """The face of which four or more destroy an assault cannon (R-GLY-CANNON-MAX)."""
    return FACE_NAMES[option(readings, "R-GLY-CANNON-MAX")]


def chain_faces(readings: Readings) -> str:
    """The faces that add a die to a chainsword's attack (R-GLY-CHAIN)."""
    return "C" if option(readings, "R-GLY-CHAIN") == "critical" else "CH"


def overheat_face(readings: Readings) -> str:
    """The face of which two among the four added dice cost the plasma firer (R-GLY-PLASMA)."""
    return FACE_NAMES[option(readings, "R-GLY-PLASMA")]


LEVELS = ("major_victory", "minor_victory", "draw", "minor_defeat", "major_defeat")
MIRROR = dict(zip(LEVELS, reversed(LEVELS), strict=True))
SHIFT = {"minor_victory": "major_victory", "major_defeat": "minor_defeat", "minor_defeat": "draw"}


def tally(results: list[dict[str, str]], readings: Readings) -> dict[str, int]:
    """How many scenarios each side won, by any level (CAL-CMP-01, R-CMP-TALLY).

    `results` are entries {"scenario": n, "UM": level, "WB": level}.
    """
    counted = [r for r in results if option(readings, "R-CMP-TALLY") == "all_six" or int(r["scenario"]) != 6]
    return {side: sum(r[side].endswith("victory") for r in counted) for side in SIDES}


def shifted(before: Mapping[str, str], wins: Mapping[str, int]) -> dict[str, str]:
    """The result of scenario 6 after the leader's adjustment (CAL-CMP-02)."""
    if wins["UM"] == wins["WB"]:
        return {side: before[side] for side in SIDES}
    leader = max(SIDES, key=lambda side: wins[side])
    result = SHIFT.get(before[leader], before[leader])
    return {leader: result, other(leader): MIRROR[result]}
