"""Legal games that are led to what whole games seldom come to: the same situations as those in which faults are planted.

Nearly half of a run is such games, by its seeds. They are small, short and legal from their first event.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from auditor.conformance.clx.plant.prepared import (
    FIGHTING,
    PREPARED,
    REAR,
    SHOOTING,
    STANDING,
    WITHIN_12,
    Led,
    both,
    crossfire,
    either,
    fight,
    hulls,
    shots,
    with_passengers,
)
from auditor.conformance.clx.steer import Json, Steer

SHARE = 0.45
PLATEAU: tuple[Json, ...] = (
    {"id": "plateau", "poly": [[20, 8], [52, 8], [52, 20], [20, 20]], "surface_z": 3.5},
    {"id": "step", "poly": [[20, 24], [52, 24], [52, 40], [20, 40]], "surface_z": 1.5},
)
MIRE: tuple[Json, ...] = ({"id": "mire", "poly": [[20, 6], [52, 6], [52, 42], [20, 42]], "dangerous": True},)
ON_THE_MOVE = {"move": 1, "run": 0.1, "shoot": 0.5}


PREFER: dict[str, tuple[str, ...]] = {
    "A": ("preferred_enemy:Salt Vultures",),
    "B": ("preferred_enemy:Ashen Wardens",),
}
BRUSH: tuple[Json, ...] = (
    {"id": "brush_s", "poly": [[20, 8], [52, 8], [52, 20], [20, 20]], "cover": "soft"},
    {"id": "brush_n", "poly": [[20, 26], [52, 26], [52, 40], [20, 40]], "cover": "soft"},
)
BEFORE_HULLS: Mapping[str, tuple[tuple[int, int, int, int], ...]] = {"A": ((30, 42, 16, 19),), "B": ((30, 42, 27, 30),)}
IN_THE_WAY: Mapping[str, tuple[tuple[int, int, int, int], ...]] = {
    "A": ((34, 36, 16, 17), (34, 36, 20, 21)),
    "B": ((34, 36, 29, 30), (34, 36, 26, 27)),
}
"""Hulls with enemies straight before them, one behind the other."""


def beside_a_fight(rng: Random) -> Steer:
    """Two pairs of units so near that some fight while others are in reach of pistols."""
    return Steer(
        units={"A": tuple(rng.sample(("hw", "er", "th"), 2)), "B": tuple(rng.sample(("ps", "rd", "sv"), 2))},
        most=3,
        boxes={"A": ((28, 34, 18, 20), (37, 43, 18, 20)), "B": ((28, 34, 26, 27), (37, 43, 26, 27))},
        weapons=both(("side_arm",)),
        profile=both({"T": 6, "S": 3, "Ld": 10}),
        meek=(rng.choice("AB"),),
        ground=(),
        odds={**FIGHTING, "move": 0.2, "shoot": 0.1, "run": 0, "run instead": 0, "pistols in combat": 1},
    )


def with_reserves(rng: Random) -> Steer:
    """Units that come outflanking, and enemies in the reach of their guns."""
    return Steer(
        units={"A": ("er", "ja", "oa"), "B": ("lk", "ps", "hx")},
        most=4,
        boxes={
            "A": ((8, 14, 14, 19), (8, 14, 14, 19), (58, 63, 14, 19)),
            "B": ((8, 14, 28, 33), (8, 14, 28, 33), (58, 63, 28, 33)),
        },
        profile=both({"T": 6, "Ld": 9, "W": 2}),
        rules=both(("outflank",)),
        weapons=both(("side_arm",)),
        later=rng.choice((("lk", "er"), ("lk", "ps", "er"))),
        meek=("A", "B"),
        ground=(),
        odds={**SHOOTING, "move": 0, "run": 0, "run instead": 0},
    )


def of_one_wound(led: Led) -> Led:
    """The same with models of one wound: whom a wound on board goes to has no place in a log, only who fell by it."""

    def changed(rng: Random) -> Steer:
        steer = led(rng)
        return replace(steer, profile={side: {**steer.profile.get(side, {}), "W": 1} for side in ("A", "B")})

    return changed


LEADS: Mapping[str, tuple[int, Led, Mapping[str, str]]] = {
    "lore of two disciplines": (16, PREPARED["CLX-PSY-03"], {}),
    "resistance after a dispel": (5, PREPARED["CLX-PSY-10"], {"OR-MR-AFTER": "ALSO"}),
    "rending hulls": (8, PREPARED["CLX-GEAR-04"], {}),
    "thin hulls": (12, hulls(("hw", "th"), ("sv", "ps"), armour=8, hull=9, weapons=both(("fuser",))), {}),
    "passengers": (22, of_one_wound(with_passengers("tr", "sk")), {}),
    "frag": (12, PREPARED["CLX-GREN-06"], {}),
    "hefty": (12, PREPARED["CLX-GEAR-02"], {}),
    "hefty on the best armour": (
        10,
        shots(("hw", "er"), ("ps", "rd"), weapons=both(("bore_gun",)), profile=both({"AS": 1}), boxes=WITHIN_12),
        {},
    ),
    "nbc": (14, PREPARED["CLX-USR-03"], {}),
    "nbc on shields": (6, shots(("hw", "th"), ("sg",), weapons=both(("acid_spit",))), {"OR-HES-AP": "AP_IGNORED"}),
    "rods": (3, PREPARED["CLX-MISC-03 illegal"], {}),
    "prone": (10, PREPARED["CLX-USR-17"], {}),
    "pinning": (5, PREPARED["CLX-SUPP-03"], {}),
    "two who pin": (
        8,
        shots(("hw", "th"), ("ps", "rd"), 2, weapons=both(("net_gun",)), profile=both({"Ld": 9, "T": 5})),
        {},
    ),
    "crossfire": (10, crossfire, {"OR-CROSS-MORALE": "BOTH"}),
    "no run-up": (8, PREPARED["CLX-ASLT-02"], {"OR-CHARGE-START": "EXACT"}),
    "from the rear": (6, fight(rules=both(("surprise_assault",)), **REAR), {"OR-SURPRISE-STACK": "YES"}),
    "uphill": (6, fight(
        ground=({"id": "ridge", "poly": [[20, 24], [52, 24], [52, 36], [20, 36]], "surface_z": 3},),
        gap=None, boxes={"A": ((32, 40, 20, 22),), "B": ((32, 40, 25, 27),)}, meek=("B",), odds=STANDING,
        profile=both({"T": 7, "S": 3, "Ld": 10})), {"OR-HIGH": "EVERY_ROUND"}),
    "from on high": (8, shots(("er", "hw"), ("lk",), ground=PLATEAU), {}),
    "salvo and charge": (5, fight(("th",), odds={**STANDING, "shoot": 1}, gap=("4", "5")), {}),
    "heavy and charge": (5, fight(
        ("hw",), ("ps",), weapons=both(("net_gun",)), odds={**STANDING, "shoot": 1}, gap=("4", "5"),
        profile=both({"T": 6})), {"OR-HEAVY-CHARGE": "IF_MOVED"}),
    "rolled again twice": (5, shots(("cs", "hw"), ("br",)), {"OR-REROLL-ONCE": "BOTH"}),
    "mire": (6, shots(("hw", "er"), ("ps", "rd"), ground=MIRE, odds=ON_THE_MOVE), {"OR-DANGEROUS": "ROLL_ONLY"}),
    "to the last turn": (30, shots(("er",), ("ps",), 1, most=2, meek=("A", "B"), odds={**SHOOTING, "move": 0.2, "shoot": 0.1}), {"OR-LENGTH-ROLLER": "ANY", "OR-FIRST": "SPLIT"}),
    "pistols in combat": (25, beside_a_fight, {}),
    "late jinks": (7, shots(("cs", "hw"), ("br", "sg"), odds={**SHOOTING, "late jinks": 0.7}), {}),
    "Snap Shots at the preferred": (7, shots(
        ("hw", "er", "th"), ("sv", "ps", "rd"), weapons=both(("net_gun",)), rules=PREFER,
        profile=both({"BS": 4, "T": 5, "Ld": 10}), odds={**SHOOTING, "move": 0.9, "snap": 0.9}), {}),
    "shots of the hidden": (12, shots(
        ("hw", "er"), ("lk",), ground=BRUSH, profile={"B": {"T": 6, "Ld": 10}},
        odds={**SHOOTING, "hide": 1, "shots of the hidden": 1, "spot": 0.1}), {"OR-HIDE-SHOOT": "REVEALS"}),
    "prone by choice": (14, shots(
        ("hw", "th"), ("sv", "ps"), 2, weapons=both(("net_gun",)), profile=both({"T": 5})), {"OR-PRONE": "GENERAL"}),
    "prone in cover": (16, shots(
        ("er",), ("sv", "ps", "rd"), 3, weapons={"B": ("net_gun",)}, ground=BRUSH, profile={"A": {"T": 6, "Ld": 9}},
        odds={**SHOOTING, "move": 0}), {}),
    "defensive grenades": (25, fight(
        ("hw", "er"), ("sv", "ps"), weapons=both(("frag", "photon")), gap=("2.5", "4", "5"),
        odds={**FIGHTING, "move": 0, "shoot": 0, "defend": 0.9, "lands wide": 0.1, "grenade": 0.2}), {}),
    "EMP grenades": (30, fight(
        ("th", "hw"), ("rd",), weapons=both(("emp",)), gap=("2.5", "4", "5"), ground=(), meek=("A",), most=6,
        profile={"A": {"A": 1, "S": 2}, "B": {"T": 6, "Ld": 10}},
        odds={**FIGHTING, "move": 0, "shoot": 0, "emp": 1}), {}),
    "bombs": (18, either(
        shots(("hw",), ("sk",), 1, boxes=IN_THE_WAY, weapons=both(("melta_bomb", "fusion_bomb")), hull=40, ground=(),
              armour=14, odds={**STANDING, "shoot": 0, "bombs": 1, "wreck": 1}),
        shots(("tr", "bs"), ("ps", "rd"), 1, boxes=IN_THE_WAY, weapons=both(("melta_bomb", "fusion_bomb")), hull=40,
              ground=(), armour=14, odds={**STANDING, "shoot": 0, "bombs": 1, "wreck": 1})), {}),
    "guessed shots": (22, shots(
        ("hw", "er"), ("ps", "rd"), 2, weapons=both(("ash_mortar",)), profile=both({"BS": 4, "T": 5}),
        odds={**SHOOTING, "move": 0, "guess": 1}), {}),
    "reserves": (25, with_reserves, {"OR-OUTFLANK": "MODIFIER"}),
    "tank shock": (25, either(
        shots(("tr",), ("ps", "rd"), 2, boxes=IN_THE_WAY, ground=(), profile={"B": {"Ld": 8}}, meek=("B",),
              odds={**SHOOTING, "move": 0, "tank shock": 1, "shoot": 0, "run instead": 0}),
        shots(("hw", "er"), ("sk",), 2, boxes=IN_THE_WAY, ground=(), profile={"A": {"Ld": 8}}, meek=("A",),
              odds={**SHOOTING, "move": 0, "tank shock": 1, "shoot": 0, "run instead": 0})), {}),
}  # fmt: skip
"""By name: how often, beside the others; who meets whom; the readings that the players go by in every other such game."""

OF_THEIR_OWN: Mapping[str, Json] = {
    "to the last turn": {"turns": 8},
    "late jinks": {"base_rules": True},
    "reserves": {"turns": 4, "readings": {"OR-OUTFLANK": "MODIFIER"}},
    # A save that hangs on a reading, and of which nothing is claimed, leaves open who fell.
    "hefty on the best armour": {"omit_claims": 0.0},
    "nbc on shields": {"omit_claims": 0.0},
    # What the dice of a photon grenade need no audit works out.
    "defensive grenades": {"omit_claims": 0.0},
}
"""Settings that the games of some leads have besides."""


def settings_led(seed: int) -> dict[str, Any]:
    """What is different in the settings of the game of a number, where it is led; nothing where it is not."""
    rng = Random(f"led {seed}")
    if rng.random() >= SHARE:
        return {}
    name = rng.choices([*LEADS], [often for often, _, _ in LEADS.values()])[0]
    readings = dict(LEADS[name][2]) if rng.random() < 0.8 else {}
    return {
        "led": name,
        "turns": 3,
        "plain": False,
        "jittered": False,
        "habits": (),
        "readings": readings,
        **OF_THEIR_OWN.get(name, {}),
    }


def led_to(name: str | None, seed: int) -> Steer | None:
    """What the game of a seed is led to; None where it is not led."""
    return None if name is None else LEADS[name][1](Random(seed))
