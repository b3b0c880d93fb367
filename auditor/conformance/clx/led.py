"""Legal games that are led to what whole games seldom come to: the same situations as those in which faults are planted.

A third of a run is such games, by its seeds. They are small, short and legal from their first event.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from auditor.conformance.clx.plant.prepared import (
    PREPARED,
    REAR,
    STANDING,
    WITHIN_12,
    Led,
    both,
    crossfire,
    fight,
    hulls,
    shots,
    with_passengers,
)
from auditor.conformance.clx.steer import Json, Steer

SHARE = 0.33
PLATEAU: tuple[Json, ...] = (
    {"id": "plateau", "poly": [[20, 8], [52, 8], [52, 20], [20, 20]], "surface_z": 3.5},
    {"id": "step", "poly": [[20, 24], [52, 24], [52, 40], [20, 40]], "surface_z": 1.5},
)
MIRE: tuple[Json, ...] = ({"id": "mire", "poly": [[20, 6], [52, 6], [52, 42], [20, 42]], "dangerous": True},)
ON_THE_MOVE = {"move": 1, "run": 0.1, "shoot": 0.5}


def of_one_wound(led: Led) -> Led:
    """The same with models of one wound: whom a wound on board goes to has no place in a log, only who fell by it."""

    def changed(rng: Random) -> Steer:
        steer = led(rng)
        return replace(steer, profile={side: {**steer.profile.get(side, {}), "W": 1} for side in ("A", "B")})

    return changed


LEADS: Mapping[str, tuple[int, Led, Mapping[str, str]]] = {
    "lore of two disciplines": (9, PREPARED["CLX-PSY-03"], {}),
    "resistance after a dispel": (4, PREPARED["CLX-PSY-10"], {"OR-MR-AFTER": "ALSO"}),
    "rending hulls": (5, PREPARED["CLX-GEAR-04"], {}),
    "thin hulls": (5, hulls(("hw", "th"), ("sv", "ps"), armour=8, hull=9, weapons=both(("fuser",))), {}),
    "passengers": (14, of_one_wound(with_passengers("tr", "sk")), {}),
    "frag": (14, PREPARED["CLX-GREN-06"], {}),
    "hefty": (6, PREPARED["CLX-GEAR-02"], {}),
    "hefty on the best armour": (
        5,
        shots(("hw", "er"), ("ps", "rd"), weapons=both(("bore_gun",)), profile=both({"AS": 1}), boxes=WITHIN_12),
        {},
    ),
    "nbc": (8, PREPARED["CLX-USR-03"], {}),
    "nbc on shields": (5, shots(("hw", "th"), ("sg",), weapons=both(("acid_spit",))), {"OR-HES-AP": "AP_IGNORED"}),
    "rods": (6, PREPARED["CLX-MISC-03 illegal"], {}),
    "prone": (7, PREPARED["CLX-USR-17"], {}),
    "pinning": (8, PREPARED["CLX-SUPP-03"], {}),
    "two who pin": (
        6,
        shots(("hw", "th"), ("ps", "rd"), 2, weapons=both(("net_gun",)), profile=both({"Ld": 9, "T": 5})),
        {},
    ),
    "crossfire": (6, crossfire, {"OR-CROSS-MORALE": "BOTH"}),
    "no run-up": (6, PREPARED["CLX-ASLT-02"], {"OR-CHARGE-START": "EXACT"}),
    "from the rear": (5, fight(rules=both(("surprise_assault",)), **REAR), {"OR-SURPRISE-STACK": "YES"}),
    "uphill": (5, fight(
        ground=({"id": "ridge", "poly": [[20, 24], [52, 24], [52, 36], [20, 36]], "surface_z": 3},),
        gap=None, boxes={"A": ((32, 40, 20, 22),), "B": ((32, 40, 25, 27),)}, meek=("B",), odds=STANDING,
        profile=both({"T": 7, "S": 3, "Ld": 10})), {"OR-HIGH": "EVERY_ROUND"}),
    "from on high": (6, shots(("er", "hw"), ("lk",), ground=PLATEAU), {}),
    "salvo and charge": (4, fight(("th",), odds={**STANDING, "shoot": 1}, gap=("4", "5")), {}),
    "heavy and charge": (4, fight(
        ("hw",), ("ps",), weapons=both(("net_gun",)), odds={**STANDING, "shoot": 1}, gap=("4", "5"),
        profile=both({"T": 6})), {"OR-HEAVY-CHARGE": "IF_MOVED"}),
    "rolled again twice": (4, shots(("cs", "hw"), ("br",)), {"OR-REROLL-ONCE": "BOTH"}),
    "mire": (4, shots(("hw", "er"), ("ps", "rd"), ground=MIRE, odds=ON_THE_MOVE), {"OR-DANGEROUS": "ROLL_ONLY"}),
    "to the last turn": (14, shots(("er",), ("ps",), 1, most=2), {"OR-LENGTH-ROLLER": "ANY", "OR-FIRST": "SPLIT"}),
}  # fmt: skip
"""By name: how often, beside the others; who meets whom; the readings that the players go by in every other such game."""

OF_THEIR_OWN: Mapping[str, Json] = {
    "to the last turn": {"turns": 8},
    # A save that hangs on a reading, and of which nothing is claimed, leaves open who fell.
    "hefty on the best armour": {"omit_claims": 0.0},
    "nbc on shields": {"omit_claims": 0.0},
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
