"""Legal games that are led to what whole games seldom come to.

Half of a run is such games, by its seeds. They are small, legal from their first event, and bring their situation several
times: in every turn, or by many units at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from auditor.conformance.clx.plant.prepared import (
    CHARGES,
    CLOSE,
    FIGHTING,
    FOOT,
    LINE_A,
    LINE_B,
    PREPARED,
    RIDGE,
    SHOOTING,
    STANDING,
    VOLLEYS,
    Led,
    abreast,
    both,
    either,
    fight,
    shots,
    with_passengers,
)
from auditor.conformance.clx.steer import Json, Steer, named

SHARE = 0.5
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


def beside_a_fight(rng: Random) -> Steer:
    """Two pairs of units so near that some fight while others are in reach of pistols."""
    return Steer(
        units={"A": tuple(rng.sample(("hw", "er", "th"), 2)), "B": tuple(rng.sample(("ps", "rd", "sv"), 2))},
        most=3,
        boxes={"A": ((28, 34, 18, 20), (37, 43, 18, 20)), "B": ((28, 34, 26, 27), (37, 43, 26, 27))},
        weapons=both(("side_arm",)),
        profile=both({"T": 8, "S": 3, "Ld": 10}),
        meek=(rng.choice("AB"),),
        ground=(),
        odds={**FIGHTING, "move": 0.2, "shoot": 0.1, "run": 0, "run instead": 0, "pistols in combat": 1},
    )


def with_reserves(rng: Random) -> Steer:
    """Units that come outflanking, and enemies in the reach of their guns."""
    table, later = ("ja", "er"), ("ps", "lk")
    units = {"A": tuple(rng.choice(table) for _ in range(11)), "B": tuple(rng.choice(later) for _ in range(11))}
    across = (10, 20, 50, 60)
    return Steer(
        units=units,
        most=2,
        boxes={"A": tuple((x, x + 2, 15, 18) for x in across), "B": tuple((x, x + 2, 30, 33) for x in across)},
        profile=both({"T": 10, "Ld": 10, "W": 3, "BS": 5}),
        rules=both(("outflank",)),
        weapons=both(("long_rifle",)),
        bare=True,
        later=tuple(key for side in ("A", "B") for key in named(units[side])[4:]),
        meek=("A", "B"),
        ground=(),
        odds={**VOLLEYS, "move": 0.3, "arrivals alone": 1, "one at a time": 1},
    )


def exploding(rng: Random) -> Steer:
    """Thin hulls of both sides before each other, one of a side with passengers, and units on foot beside them."""
    across = ((12, 12), (36, 36), (60, 60))
    beside = ((17, 20), (29, 31), (41, 44))
    return Steer(
        units={"A": ("tr", "tr", "tr", "er", "hw", "er"), "B": ("sk", "sk", "sk", "ps", "rd", "ps")},
        most=4,
        aboard={"er": "tr", "ps": "sk"},
        boxes={
            "A": (*((*x, 17, 18) for x in across), *((*x, 16, 20) for x in beside)),
            "B": (*((*x, 31, 32) for x in across), *((*x, 29, 33) for x in beside)),
        },
        profile=both({"Ld": rng.choice((7, 9, 10)), "W": 1, "BS": 4}),
        weapons=both(("heavy_caster",)),
        armour=8,
        hull=1,
        meek=("A", "B"),
        ground=(),
        odds={**VOLLEYS, "wreck": 0},
    )


def between_fires(rng: Random) -> Steer:
    """Units between two others who shoot at them from both sides, two such groups side by side."""
    across = ((16, 20), (52, 56))
    around = tuple((*x, *y) for x in across for y in ((12, 13), (35, 36)))
    middle = tuple((*x, 23, 25) for x in across)
    shooters: Mapping[str, tuple[str, ...]] = {"A": ("hw", "er", "th"), "B": ("sv", "ps", "lk")}
    first, second = rng.choice((("A", "B"), ("B", "A")))
    return Steer(
        units={first: tuple(rng.choices(shooters[first], k=4)), second: tuple(rng.sample(FOOT[second], 2))},
        most=3,
        boxes={first: around, second: middle},
        profile={second: {"T": 4, "AS": 4, "W": 3, "Ld": 10}},
        ground=(),
        meek=("A", "B"),
        odds={**VOLLEYS, "move": 0},
    )


def of_one_wound(led: Led) -> Led:
    """The same with models of one wound: whom a wound on board goes to has no place in a log, only who fell by it."""

    def changed(rng: Random) -> Steer:
        steer = led(rng)
        return replace(steer, profile={side: {**steer.profile.get(side, {}), "W": 1} for side in ("A", "B")})

    return changed


FIELD: tuple[Json, ...] = ({"id": "field", "cover": "soft", "poly": [[0, 8], [72, 8], [72, 40], [0, 40]]},)
"""Cover all over the table."""
WALLS: tuple[Json, ...] = tuple(
    {"id": f"wall{n}", "impassable": True, "poly": [[x - 1, 22], [x + 1, 22], [x + 1, 22.5], [x - 1, 22.5]]}
    for n, x in enumerate(range(6, 72, 12))
)
"""A wall before each of six units."""
HARDY = {"T": 6, "W": 3, "Ld": 10}

LEADS: Mapping[str, tuple[int, Led, Mapping[str, str]]] = {
    "lore of two disciplines": (36, PREPARED["CLX-PSY-03"], {"OR-LORE-SPLIT": "BY_POINT", "OR-FIRST": "SPLIT"}),
    "resistance after a dispel": (18, abreast(
        ("oa", "oa"), ("hx", "jk"), odds={**VOLLEYS, "shoot": 0, "cast": 1, "dispel": 1}), {"OR-MR-AFTER": "ALSO"}),
    "rending hulls": (10, abreast(
        ("tr",) * 3, ("sg",) * 3, south=18, north=30, most=1, armour=8, hull=60, profile={"A": {"BS": 0}, "B": HARDY}), {}),
    "bolts on hulls": (2, abreast(
        ("tr",) * 3, ("ps",) * 3, south=18, north=27.5, armour=14, hull=90, weapons={"B": ("fuser",)}, bare=True,
        meek=("A", "B"), odds=VOLLEYS, profile={"B": {"T": 9, "W": 4}}), {}),
    "exploding hulls": (57, exploding, {}),
    "passengers": (10, of_one_wound(with_passengers("tr", "sk")), {}),
    "frag in cover": (27, abreast(
        LINE_A, LINE_B, **{**CLOSE, "odds": {**CHARGES, "grenade": 1, "defend": 0.8}}, meek=("B",), ground=FIELD,
        weapons=both(("frag", "glaive")), bare=True, rules={"B": ("counterattack",)},
        profile={"A": {"Ld": 10, "T": 7}, "B": {"T": 8, "Ld": 6, "I": 4}}), {}),
    "frag in the open": (12, abreast(
        LINE_A, LINE_B, **{**CLOSE, "odds": {**CHARGES, "grenade": 1, "defend": 0.2}}, meek=("B",),
        weapons=both(("frag", "glaive")), bare=True, rules={"B": ("counterattack",)},
        profile={"A": {"Ld": 10}, "B": {"T": 2, "AS": 6, "W": 3, "I": 6}}), {"OR-GREN-G": "GUESS"}),
    "defensive grenades": (14, abreast(
        LINE_A, LINE_B, **{**CLOSE, "odds": {**CHARGES, "grenade": 0, "defend": 1, "lands wide": 0.5}}, meek=("B",),
        weapons={"A": ("glaive",), "B": ("photon", "glaive")}, bare=True, profile={"A": {"Ld": 6, "T": 6}}), {}),
    "hefty": (8, abreast(
        ("hw", "er", "th"), ("ps", "rd", "lk"), south=18, north=31, weapons=both(("bore_gun",)), bare=True,
        profile=both({"AS": 2, "T": 5, "W": 3, "Ld": 10}), rules={"B": ("infiltrators",)}), {}),
    "hefty on the best armour": (8, abreast(
        ("hw", "er", "th"), ("ps", "rd", "lk"), south=18, north=31, weapons=both(("bore_gun",)), bare=True,
        profile=both({"AS": 1, "T": 5, "W": 3, "Ld": 10})), {}),
    "nbc": (10, abreast(
        ("hw", "th", "hw"), ("sg",) * 3, weapons=both(("acid_spit",)), bare=True,
        rules=both(("hostile_environment_shielding",)), profile=both({**HARDY, "AS": 3, "W": 4})), {}),
    "nbc on shields": (5, abreast(
        ("hw", "th", "hw"), ("sg",) * 3, weapons=both(("acid_spit",)), bare=True,
        rules=both(("hostile_environment_shielding",)), profile=both({**HARDY, "AS": 5, "W": 5})),
        {"OR-HES-AP": "AP_IGNORED"}),
    "rods": (3, PREPARED["CLX-MISC-03 illegal"], {}),
    "prone": (12, abreast(
        ("er",) * 3, ("ps", "rd", "sv"), weapons={"B": ("net_gun",)}, bare=True,
        profile={"A": {"T": 6, "W": 3, "Ld": 7}, "B": HARDY}), {}),
    "prone in cover": (13, abreast(
        ("er",) * 3, ("ps", "rd", "sv"), weapons={"B": ("net_gun",)}, bare=True, ground=BRUSH,
        profile={"A": {**HARDY, "Ld": 9}, "B": HARDY}), {}),
    "prone by choice": (10, abreast(
        ("hw", "th", "hw"), ("ps", "rd", "sv"), weapons=both(("net_gun",)), bare=True, profile=both({**HARDY, "Ld": 9})),
        {"OR-PRONE": "GENERAL"}),
    "pinning": (20, abreast(
        ("hw", "th", "hw"), ("ps", "rd", "sv"), weapons=both(("net_gun",)), bare=True,
        profile=both({"T": 6, "W": 2, "AS": 1, "Ld": 7})), {}),
    "two who pin": (
        6,
        shots(("hw", "th"), ("ps", "rd"), 2, weapons=both(("net_gun",)), profile=both({"Ld": 9, "T": 5})),
        {},
    ),
    "crossfire": (15, between_fires, {"OR-CROSS-MORALE": "BOTH"}),
    "no run-up": (7, abreast(
        LINE_A[:6], LINE_B[:6], south=20, north=21.75, odds=CHARGES, profile=both({"T": 6})), {"OR-CHARGE-START": "EXACT"}),
    "from the rear": (6, abreast(
        LINE_A[:6], LINE_B[:6], south=20, north=25, odds=CHARGES, backs=True, rules=both(("surprise_assault",))),
        {"OR-SURPRISE-STACK": "YES"}),
    "uphill": (12, abreast(
        LINE_A[:6], LINE_B[:6], south=21, north=26, odds=CHARGES, ground=RIDGE, meek=("B",),
        profile=both({"T": 8, "S": 3, "Ld": 10})), {"OR-HIGH": "EVERY_ROUND"}),
    "from on high": (7, abreast(
        ("er", "hw", "er"), ("lk",) * 3, south=18.5, north=32, weapons=both(("long_rifle",)), bare=True, ground=PLATEAU,
        profile=both(HARDY)), {}),
    "salvo and charge": (22, abreast(
        ("th", "th", "er") * 2, LINE_B[:6], south=20, north=25, odds={**CHARGES, "shoot": 1}, meek=("B",), profile=both({"T": 7, "W": 3}),
        rules={"B": ("hatred:Ashen Wardens",)}),
        {}),
    "heavy and charge": (11, abreast(
        LINE_A[:6], LINE_B[:6], south=20, north=25, odds={**CHARGES, "shoot": 1}, meek=("B",),
        weapons=both(("net_gun", "glaive")), bare=True, profile=both({"T": 7, "W": 2, "Ld": 10})),
        {"OR-HEAVY-CHARGE": "IF_MOVED"}),
    "rolled again twice": (19, abreast(
        ("cs",) * 3, ("br",) * 3, most=3, profile=both({**HARDY, "BS": 7}),
        odds={**VOLLEYS, "third die": 1}), {"OR-REROLL-ONCE": "BOTH"}),
    "mire": (7, abreast(
        ("hw", "er", "hw"), ("ps", "rd", "ps"), ground=MIRE, odds=ON_THE_MOVE, profile=both({"T": 5, "Ld": 10})),
        {"OR-DANGEROUS": "ROLL_ONLY"}),
    "to the last turn": (70, shots(
        ("er",), ("ps",), 1, most=2, meek=("A", "B"), odds={**SHOOTING, "move": 0.2, "shoot": 0.1}),
        {"OR-LENGTH-ROLLER": "ANY", "OR-FIRST": "SPLIT"}),
    "pistols in combat": (22, beside_a_fight, {}),
    "late jinks": (5, abreast(
        ("cs", "hw", "cs"), ("br", "sg", "br"), profile=both(HARDY), odds={**VOLLEYS, "late jinks": 0.7}), {}),
    "Snap Shots at the preferred": (5, either(*(abreast(
        ("hw", "er", "th"), ("sv", "ps", "rd"), weapons=both(("net_gun",)), bare=True, rules=PREFER,
        profile=both({**HARDY, "BS": skill}), odds={**VOLLEYS, "move": 0.9, "snap": 0.9}) for skill in (4, 5))),
        {"OR-PE-SNAP": "NOT"}),
    "shots of the hidden": (5, abreast(
        ("hw", "er", "hw"), ("lk",) * 3, ground=BRUSH, profile=both(HARDY),
        odds={**VOLLEYS, "hide": 1, "shots of the hidden": 1, "spot": 0.1}), {"OR-HIDE-SHOOT": "REVEALS"}),
    "spotting": (12, abreast(
        ("er", "hw", "er"), ("lk",) * 3, ground=BRUSH, profile={"A": {"I": 4}, "B": {"I": 7}}, odds={**VOLLEYS, "spot": 1}), {}),
    "EMP grenades": (58, abreast(
        LINE_A, LINE_B, **{**CLOSE, "odds": {**CHARGES, "emp": 1}}, meek=("A",), weapons=both(("emp", "glaive")), bare=True,
        profile={"A": {"A": 1, "S": 2}, "B": {"T": 6, "Ld": 10}}), {}),
    "bombs": (17, either(
        abreast(("hw",) * 3, ("sk",) * 3, south=24, north=30, most=3, weapons=both(("melta_bomb", "fusion_bomb")), hull=90,
                armour=14, odds={**STANDING, "shoot": 0, "bombs": 1, "wreck": 1}),
        abreast(("tr", "bs", "tr"), ("ps",) * 3, south=18, north=24, most=3, weapons=both(("melta_bomb", "fusion_bomb")),
                hull=90, armour=14, odds={**STANDING, "shoot": 0, "bombs": 1, "wreck": 1})), {}),
    "guessed shots": (8, abreast(
        ("hw", "er", "hw"), ("ps", "rd", "ps"), most=1, weapons=both(("ash_mortar", "field_gun")), bare=True,
        profile=both({"T": 8, "W": 4, "BS": 4, "Ld": 10}), odds={**VOLLEYS, "guess": 1, "move": 0}), {}),
    "guessed shots, a little off": (5, abreast(
        ("hw", "er", "hw"), ("ps", "rd", "ps"), most=1, weapons=both(("ash_mortar",)), bare=True,
        profile=both({"T": 8, "W": 4, "BS": 4, "Ld": 10}), odds={**VOLLEYS, "guess": 1, "move": 0}), {}),
    "reserves": (42, with_reserves, {"OR-OUTFLANK": "MODIFIER"}),
    "tank shock": (38, either(
        abreast(("tr",) * 7, ("ps", "rd") * 4, south=18, north=24, step=9, profile={"B": {"Ld": 8, "W": 1}},
                meek=("A", "B"), odds={**VOLLEYS, "move": 0, "tank shock": 1, "shoot": 0}),
        abreast(("hw", "er") * 4, ("sk",) * 7, south=24, north=30, step=9, profile={"A": {"Ld": 8, "W": 1}},
                meek=("A", "B"), odds={**VOLLEYS, "move": 0, "tank shock": 1, "shoot": 0})), {}),
    "fear": (18, abreast(
        LINE_A, LINE_B, **CLOSE, meek=("B",), rules={"B": ("fear",)}, profile={"A": {"Ld": 8, "T": 6}, "B": {"T": 6}}), {}),
    "in the front line": (9, fight(profile=both({"AS": 4, "A": 1, "W": 2, "Ld": 10}), most=6, odds=STANDING), {"OR-FRONT": "ENGAGED"}),
    "past the enemy": (6, abreast(
        LINE_A[:4], LINE_B[:4], south=20, north=25, meek=("A", "B"), most=2, odds={**VOLLEYS, "move": 1, "pass by": 1, "shoot": 0.1}),
        {}),
    "round a wall": (10, abreast(
        ("hw", "er") * 3, ("ps", "rd") * 3, south=20, north=24.5, most=1, ground=WALLS, profile=both({"T": 7}),
        odds={**CHARGES, "far roll": 1, "round walls": 1}), {}),
    "short charges": (7, abreast(
        LINE_A, LINE_B, **{**CLOSE, "north": 24.7, "odds": {**CHARGES, "fall short": 1}}, most=1, profile=both({"T": 7})), {}),
    "far away": (6, abreast(
        ("hw", "er", "ja"), ("ps", "rd", "lk"), south=4, north=44, odds={**VOLLEYS, "run instead": 1, "waste": 1}),
        {"OR-RUN-AFTER-FAIL": "YES"}),
}  # fmt: skip
"""By name: how often, beside the others; who meets whom; the readings that the players go by in every other such game."""

LONG = ("rending hulls", "bolts on hulls", "hefty", "hefty on the best armour", "nbc", "nbc on shields", "prone", "prone in cover",
        "prone by choice", "pinning", "from on high", "rolled again twice", "to the last turn", "Snap Shots at the preferred",
        "shots of the hidden", "spotting", "guessed shots", "guessed shots, a little off", "far away")  # fmt: skip
AT_ONCE = ("lore of two disciplines", "frag in cover", "frag in the open", "defensive grenades", "no run-up", "from the rear",
           "salvo and charge", "heavy and charge", "EMP grenades", "fear", "round a wall", "short charges")  # fmt: skip
"""Games that go to the last turn, and those that come to what they are led to in the first."""
OF_THEIR_OWN: Mapping[str, Json] = {
    **{name: {"turns": 8} for name in LONG},
    **{name: {"turns": 1} for name in AT_ONCE},
    "exploding hulls": {"turns": 4},
    "late jinks": {"base_rules": True, "turns": 5},
    "spotting": {"habits": ("hides",), "turns": 8},
    "guessed shots, a little off": {"jittered": True, "turns": 8},
    "pistols in combat": {"turns": 5},
    "bombs": {"turns": 4},
    "tank shock": {"turns": 3},
    "mire": {"turns": 5},
    "reserves": {"turns": 8, "readings": {"OR-OUTFLANK": "MODIFIER"}},
    # A save that hangs on a reading, and of which nothing is claimed, leaves open who fell.
    "hefty on the best armour": {"omit_claims": 0.0, "turns": 8},
    "nbc on shields": {"omit_claims": 0.0, "turns": 8},
    # What the dice of a photon grenade need no audit works out.
    "defensive grenades": {"omit_claims": 0.0, "turns": 1},
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
