"""Games that are led to the occasion for a fault: who meets whom, how near to each other, and what the bot likes to do.

The games are legal. A fault that is not named here has its occasion in most games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from auditor.conformance.clx.steer import Box, Json, Steer

Led = Callable[[Random], Steer]
Names = tuple[str, ...]

NEXT: Mapping[str, tuple[Box, ...]] = {"A": ((32, 40, 17, 22),), "B": ((32, 40, 26, 31),)}
ACROSS: Mapping[str, tuple[Box, ...]] = {"A": ((28, 44, 13, 17),), "B": ((28, 44, 29, 33),)}
"""Both sides in front of each other: for fights, and for shots."""
WITHIN_12: Mapping[str, tuple[Box, ...]] = {"A": ((31, 41, 18, 20),), "B": ((31, 41, 26, 28),)}
AT_12: Mapping[str, tuple[Box, ...]] = {"A": ((31, 41, 15, 17),), "B": ((31, 41, 25, 28),)}
"""The same within the range of pistols, and where it ends."""
FIGHTING = {"move": 0.4, "run": 0.1, "shoot": 0.3, "run instead": 0.2, "wait": 0, "reach": 1}
STANDING = {**FIGHTING, "move": 0, "run": 0, "run instead": 0}
SHOOTING = {"move": 0.5, "run": 0.1, "shoot": 1, "run instead": 0.1}
VOLLEYS = {"move": 0.1, "run": 0, "shoot": 1, "run instead": 0, "ground": 0.1}
CHARGES = {**STANDING, "shoot": 0}
"""What units like to do that stand in front of each other: shots, and charges."""
FOOT: Mapping[str, Names] = {"A": ("hw", "er", "th"), "B": ("ps", "rd", "lk")}
"""Units on foot that fight and shoot, without special rules that count in a fight."""
NEAR, TOUCHING = ("1.5", "2.5", "4", "5"), ("0.25", "0.5", "0.75", "1")
COPSE: tuple[Json, ...] = (
    {"id": "copse_s", "poly": [[20, 8], [52, 8], [52, 20], [20, 20]], "cover": "soft", "difficult": True},
    {"id": "copse_n", "poly": [[20, 28], [52, 28], [52, 40], [20, 40]], "cover": "soft", "difficult": True},
)
RIDGE: tuple[Json, ...] = ({"id": "ridge", "poly": [[20, 24], [52, 24], [52, 36], [20, 36]], "surface_z": 3},)


def open_ground(rng: Random) -> tuple[Json, ...]:
    """A table with a little cover beside the middle, or with none."""
    if rng.random() < 0.5:
        return ()
    x, y = rng.randint(20, 48), rng.choice((12, 22, 33))
    return ({"id": "bushes", "poly": [[x, y], [x + 4, y], [x + 4, y + 3], [x, y + 3]], "cover": "soft"},)


def some(rng: Random, names: Sequence[str], most: int) -> Names:
    """One of these units or more; the first of a pair is not always the same."""
    return tuple(rng.sample(names, min(len(names), rng.randint(1, most))))


def both(value: Any) -> dict[str, Any]:
    """The same for both sides."""
    return {"A": value, "B": value}


def fight(a: Names = FOOT["A"], b: Names = FOOT["B"], upto: int = 2, **more: Any) -> Led:
    """Units that meet hand to hand at once."""
    chosen: dict[str, Any] = {"boxes": NEXT, "gap": NEAR, "odds": FIGHTING, "straight": True, "most": 4, **more}

    def led(rng: Random) -> Steer:
        ground = chosen.get("ground") or open_ground(rng)
        units = {"A": some(rng, a, upto), "B": some(rng, b, upto)}
        return Steer(units=units, **{**chosen, "ground": ground})

    return led


def shots(a: Names, b: Names, upto: int = 2, **more: Any) -> Led:
    """Units that shoot at each other across some inches."""
    return fight(a, b, upto, **{"boxes": ACROSS, "gap": None, "odds": SHOOTING, "straight": False, **more})


def either(*several: Led) -> Led:
    """One of these or another."""
    return lambda rng: rng.choice(several)(rng)


def abreast(a: Names, b: Names, south: float = 14, north: float = 30, step: int = 12, **more: Any) -> Led:
    """Units of both sides side by side, each straight before an enemy; a side's units are those named, in any order.

    south, north   how far up the table the front ranks stand; nobody charges if they are far from each other
    step           inches from one unit to the next
    """
    most = max(len(a), len(b))
    first = 36 - step * (most - 1) // 2
    boxes = {
        side: tuple((x, x, y, y) for x in range(first, first + step * most, step))
        for side, y in (("A", south), ("B", north))
    }
    far = north - south >= 12
    chosen: dict[str, Any] = {
        "most": 2, "boxes": boxes, "ground": (), "meek": ("A", "B") if far else (), "odds": VOLLEYS if far else STANDING, **more,
    }  # fmt: skip

    def led(rng: Random) -> Steer:
        return Steer(units={"A": tuple(rng.sample(a, len(a))), "B": tuple(rng.sample(b, len(b)))}, **chosen)

    return led


def crossfire(rng: Random) -> Steer:
    """Two units on the two sides of one that faces one of them."""
    around, middle = ((32, 40, 9, 12), (32, 40, 36, 39)), ((34, 38, 23, 25),)
    shooters: Mapping[str, Names] = {"A": ("hw", "er", "th"), "B": ("sv", "ps", "lk")}
    first, second = rng.choice((("A", "B"), ("B", "A")))
    pair, one = tuple(rng.sample(shooters[first], 2)), (rng.choice(FOOT[second]),)
    return Steer(
        units={first: pair, second: one},
        most=4,
        boxes={first: around, second: middle},
        profile={second: {"T": 4, "AS": 3}},
        ground=open_ground(rng),
        odds={**SHOOTING, "move": 0.2},
    )


def psychic(**odds: float) -> Led:
    """Psykers on both sides."""
    return shots(("oa",), ("hx", "jk"), 2, odds={**SHOOTING, **odds})


def beside_a_hull(rng: Random) -> Steer:
    """A thin hull with its own side's units around it, in front of guns."""
    hull, friends, guns = rng.choice((("tr", ("er", "hw"), ("sv", "ps")), ("sk", ("ps", "rd"), ("hw", "th"))))
    mine, theirs = ("A", "B") if hull == "tr" else ("B", "A")
    around = ((33, 39, 21, 27), (29, 31, 20, 27), (41, 43, 20, 27))
    return Steer(
        units={mine: (hull, *friends), theirs: tuple(rng.sample(guns, len(guns)))},
        most=4,
        boxes={mine: around, theirs: ((30, 42, 9, 11), (30, 42, 37, 39))},
        armour=8,
        hull=1,
        ground=open_ground(rng),
        odds={**SHOOTING, "move": 0.1, "wreck": 0},
    )


def quiet() -> Led:
    """A few models that do little: for games that are to be long."""
    return shots(("er", "hw"), ("ps", "rd"), 1, most=2, meek=("A", "B"), odds={**SHOOTING, "move": 0.4, "shoot": 0.1})


def hulls(a: Names, b: Names, **more: Any) -> Led:
    """Vehicles of one side in front of units of the other, if it has any."""
    boxes = {"A": ((30, 42, 16, 19),), "B": ((30, 42, 27, 30),)}
    against_a = shots(("tr", "bs"), b, 1, boxes=boxes, **more)
    return either(against_a, shots(a, ("sk",), 1, boxes=boxes, **more)) if a else against_a


REAR: dict[str, Any] = {"backs": True, "odds": STANDING, "gap": ("3", "4", "6"), "straight": False}
STURDY = {"T": 6, "S": 3, "A": 1}
AFRAID: dict[str, Any] = {"profile": {"A": {**STURDY, "Ld": 6, "I": 4}, "B": {"S": 3, "A": 2, "T": 7}}}


def with_passengers(*transports: str) -> Led:
    """Thin transports with a unit on board, in front of guns."""

    def led(rng: Random) -> Steer:
        hull = rng.choice(transports)
        mine, theirs = ("A", "B") if hull == "tr" else ("B", "A")
        inside, guns = rng.choice(FOOT[mine][:2]), {"A": GUNS_A, "B": GUNS_B}[theirs]
        return Steer(
            units={mine: (hull, inside, rng.choice(FOOT[mine][:2])), theirs: some(rng, guns, 2)},
            most=5,
            aboard={inside: hull},
            boxes={mine: ((33, 39, 21, 27), (28, 44, 20, 28)), theirs: ((30, 42, 9, 11), (30, 42, 37, 39))},
            profile={mine: {"Ld": rng.choice((7, 9, 10))}},
            armour=8,
            hull=1,
            ground=open_ground(rng),
            odds={**SHOOTING, "move": 0.2},
        )

    return led


LINE_A, LINE_B = ("hw", "th") * 4, ("ps", "rd") * 4
CLOSE: dict[str, Any] = {"south": 20, "north": 25, "step": 8, "odds": CHARGES}
"""Eight units a side within reach of a charge, and of grenades."""
GUNS_A, GUNS_B = ("hw", "th"), ("sv", "ps")

PREPARED: dict[str, Led] = {
    "CLX-ASLT-02": fight(gap=TOUCHING, odds=STANDING),
    "CLX-ASLT-04": fight(upto=1, profile=both({"AS": 3, "A": 1}), most=6),
    "CLX-ASLT-07a": fight(profile=both({"T": 3, "AS": 6, "Ld": 8, "A": 2}), **REAR),
    "CLX-ASLT-07b": fight(**REAR),
    "CLX-ASLT-08": fight(
        ground=RIDGE, gap=None, boxes={"A": ((32, 40, 20, 22),), "B": ((32, 40, 25, 27),)}, meek=("B",), odds=STANDING
    ),
    "CLX-ASLT-09 thrower": fight(weapons=both(("frag",)), odds={**FIGHTING, "grenade": 1}),
    "CLX-ASLT-10": fight(
        weapons=both(("frag",)), odds={**FIGHTING, "grenade": 1}, profile=both({"Ld": 5, "I": 4, "T": 4})
    ),
    "CLX-USR-02": fight(rules=both(("counterattack",)), profile=both({"I": 3, "T": 5})),
    "CLX-USR-02 left out": fight(rules=both(("counterattack",)), profile=both({"I": 5, "T": 5})),
    "CLX-MISC-01": fight(rules=both(("counterattack",)), profile=both({"I": 2})),
    "CLX-USR-12": abreast(LINE_A[:4], LINE_B[:4], **CLOSE, rules={"B": ("fear",)}, **AFRAID),
    "CLX-USR-14": fight(odds={**FIGHTING, "run": 0.8}),
    "CLX-USR-15": fight(
        rules={"A": ("frenzy",)},
        profile={"A": {"A": 1, "T": 5, "Ld": 10}, "B": {"A": 3, "S": 5, "T": 5}},
    ),
    "CLX-USR-16": fight(b=("sv",), meek=("B",)),
    "CLX-USR-16 left out": fight(b=("sv",), meek=("A",)),
    "CLX-USR-18": fight(("ja",), meek=("B",)),
    "CLX-FACE-01 charge": fight(),
    "CLX-SHOOT-14": crossfire,
    "CLX-SUPP-02": shots(GUNS_A, GUNS_B, profile=both({"Ld": 10, "T": 5})),
    "CLX-SUPP-03": shots(GUNS_A, GUNS_B, profile=both({"Ld": 9})),
    "CLX-FACE-02": shots(("hw", "th", "cs"), ("sv", "ps", "br"), 3, profile=both({"Ld": 10, "T": 6})),
    "CLX-SHOOT-04": shots(FOOT["A"], FOOT["B"], weapons=both(("side_arm",)), bare=True, boxes=AT_12),
    "CLX-SHOOT-07b": shots(FOOT["A"], FOOT["B"], most=2, ground=COPSE),
    "CLX-SHOOT-07c": shots(FOOT["A"], FOOT["B"], most=3, ground=COPSE),
    "CLX-MISC-02": shots(FOOT["A"], FOOT["B"], most=3, ground=COPSE),
    "CLX-SHOOT-11": shots(FOOT["A"], FOOT["B"], odds={**SHOOTING, "ground": 0.7}),
    "CLX-SHOOT-12": shots(FOOT["A"], ("sg",), profile={"A": {"T": 3, "Ld": 10}}),
    "CLX-SHOOT-13": shots(FOOT["A"], FOOT["B"], 1, profile=both({"AS": 2})),
    **dict.fromkeys(("CLX-GAME-05", "CLX-GAME-05 misread", "CLX-GAME-06", "CLX-GAME-06 misread", "CLX-GAME-07"), quiet()),
    "CLX-LOG-04": shots(FOOT["A"], FOOT["B"], profile=both({"T": 7, "W": 2})),
    "CLX-LOG-02": shots(FOOT["A"], FOOT["B"], profile=both({"AS": 3, "Ld": 10})),
    "CLX-MOVE-02": fight(meek=("A", "B"), odds={**FIGHTING, "move": 1}, straight=False),
    "CLX-MOVE-04": shots(FOOT["A"], FOOT["B"], ground=COPSE, odds={**SHOOTING, "move": 1}),
    "CLX-MOVE-04 omitted": shots(FOOT["A"], FOOT["B"], ground=COPSE, odds={**SHOOTING, "move": 1}),
    "CLX-VEH-02": beside_a_hull,
    "CLX-VEH-03": beside_a_hull,
    "CLX-VEH-01": with_passengers("sk"),
    "CLX-VEH-03 strength": with_passengers("tr"),
    "CLX-VEH-03 modifier": with_passengers("tr", "sk"),
    "CLX-VEH-03 omitted": with_passengers("tr", "sk"),
    "CLX-VEH-07": hulls(GUNS_A, GUNS_B, armour=11, hull=9),
    "CLX-VEH-08": hulls(GUNS_A, GUNS_B, armour=8, hull=9),
    "CLX-VEH-09": hulls(GUNS_A, GUNS_B, armour=9, weapons=both(("fuser",))),
    "CLX-GEAR-04": hulls((), ("sg",), armour=12),
    "CLX-WPN-02": shots(FOOT["A"], FOOT["B"], weapons=both(("heavy_caster",)), bare=True, odds={**SHOOTING, "move": 0.2}),
    "CLX-WPN-03": shots(FOOT["A"], FOOT["B"], weapons=both(("field_gun",)), odds={**SHOOTING, "move": 0}),
    "CLX-WPN-04": shots(("hw", "ja"), ("rd",), weapons=both(("side_arm",)), boxes=WITHIN_12),
    "CLX-WPN-05": shots(("er",), ("lk",)),
    "CLX-SHOOT-03": shots(FOOT["A"], FOOT["B"], weapons=both(("side_arm",)), boxes=WITHIN_12),
    "CLX-SHOOT-05": shots(FOOT["A"], FOOT["B"], odds={**SHOOTING, "shoot": 0.4}),
    "CLX-SHOOT-05 once more": shots(
        ("hw", "er", "ja"), ("ps", "rd", "sv"), 3, weapons=both(("side_arm",)), odds={**SHOOTING, "shoot": 0.3, "move": 0},
        boxes={"A": ((28, 44, 14, 16),), "B": ((34, 40, 22, 24), (20, 50, 43, 46), (28, 44, 24, 26))},
    ),
    "CLX-USR-17": shots(("er",), GUNS_B, profile={"A": {"Ld": 6, "T": 6}}),
    "CLX-USR-17 omitted": shots(("er",), GUNS_B, profile={"A": {"Ld": 9, "T": 6}}),
    "CLX-RUN-02": shots(FOOT["A"], FOOT["B"]),
    "CLX-MOR-01 omitted": shots(FOOT["A"], FOOT["B"], profile=both({"Ld": 10})),
    "CLX-GEAR-02": shots(FOOT["A"], FOOT["B"], weapons=both(("bore_gun",)), profile=both({"AS": 2}), boxes=WITHIN_12),
    "CLX-USR-03": either(shots(("hw",), ("wy", "dr"), boxes=WITHIN_12), shots(GUNS_A, ("sg",), weapons={"A": ("acid_spit",)})),
    "CLX-USR-09": shots(("ja",), FOOT["B"], profile={"A": {"BS": 3}}, boxes=WITHIN_12),
    "CLX-ASLT-09": fight(("hw", "er"), FOOT["B"]),
    "CLX-MOR-02": fight(profile=both({"T": 3, "AS": 5})),
    "CLX-MOR-02 wounds": fight(profile=both({"T": 3, "AS": 6, "A": 3}), most=2),
    "CLX-MOR-02 omitted": fight(profile=both({"T": 3, "AS": 5, "Ld": 10})),
    "CLX-USR-10": fight(b=("dr", "wy"), meek=("A",), profile={"A": {"Ld": 8}}),
    "CLX-USR-11": fight(b=("dr", "wy"), meek=("B",), profile={"A": {"Ld": 8}}),
    "CLX-GEAR-01": fight(("th",), FOOT["B"], weapons={"A": ("side_arm",)}),
    "CLX-GEAR-03": either(fight(("ja",), FOOT["B"]), fight(FOOT["A"], ("dr", "wy"))),
    "CLX-GREN-01": fight(weapons=both(("frag",)), gap=("4", "5", "6"), odds={**FIGHTING, "move": 0, "grenade": 0}),
    "CLX-GREN-02": fight(weapons=both(("frag",)), odds={**FIGHTING, "grenade": 1}),
    "CLX-GREN-06": fight(weapons=both(("frag",)), odds={**FIGHTING, "grenade": 1}),
    "CLX-MISC-03 illegal": either(fight(("oa",), FOOT["B"]), fight(FOOT["A"], ("hx",))),
    "CLX-GAME-03": shots(FOOT["A"], FOOT["B"], odds={**SHOOTING, "seize": 1}),
    "CLX-PSY-02": psychic(),
    "CLX-PSY-03": abreast(
        ("oa",) * 8, ("hx",), south=10, north=40, step=8, most=1,
        odds={**VOLLEYS, "shoot": 0, "one discipline": 0, "both disciplines": 1, "cast": 0.2}),
    "CLX-PSY-10": psychic(cast=1, dispel=1),
    "CLX-PSY-11": psychic(cast=1, dispel=1),
}  # fmt: skip
"""Name of a fault -> what its games are led to."""
