"""Data packs and the header of a log, as they are written. The published schemas are made from these structs.

Source: catalogue sections 4, 5 and 7. `packs` makes them ready for a replay and checks what a shape cannot say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from auditor.systems import acts
from auditor.systems.clx.written import Id, Name, NotNegative, Number, Positive, Text, Value
from auditor.systems.fields import fact
from auditor.systems.shapes import Shape

UnitType: TypeAlias = Literal[
    "infantry",
    "artillery",
    "jump",
    "jetpack",
    "monstrous",
    "beast",
    "cavalry",
    "fmc",
    "walker",
    "bike",
    "jetbike",
    "eldar_jetbike",
    "vehicle",
]
WeaponType: TypeAlias = Literal[
    "assault", "heavy", "ordnance", "pistol", "rapid_fire", "salvo", "primary", "grenade", "bomb", "melee"
]
WeaponRule: TypeAlias = Literal[
    "pinning",
    "blast",
    "twin_linked",
    "rending",
    "hefty",
    "melta",
    "fusion",
    "nbc",
    "two_handed",
    "power",
    "haywire",
    "emp",
]
MOST_CORNERS, MOST_PIECES, MOST_UNITS, MOST_IN_A_UNIT, MOST_NAMED = 32, 100, 300, 100, 64
"""Corners of a hull or a piece of terrain, pieces on a table, entries of any other pack, models of a unit, and names that
one entry lists. The packs say how many models may play (`MOST_MODELS`)."""
Names: TypeAlias = Annotated[list[Id], Meta(max_length=MOST_NAMED)]
Strength: TypeAlias = Value | Annotated[str, Meta(pattern=r"^(user|user\+[1-9]|x[2-9])$")]


class Written(msgspec.Struct, kw_only=True, gc=False):
    """A piece of a pack, as it is written."""


class Round(Written, tag_field="shape", tag="circle", kw_only=True):
    """A round base and its radius in inches."""

    r: Annotated[Number, fact("number", "its radius", unit="inches")]


class Hull(Written, tag_field="shape", tag="poly", kw_only=True):
    """A convex base, its front towards +x; a model's position is (0, 0) of it."""

    pts: Annotated[
        Annotated[list[tuple[Number, Number]], Meta(min_length=3, max_length=MOST_CORNERS)],
        fact("number", "its corners in inches, seen from the model, the front towards +x", unit="inches"),
    ]


class Profile(Written, kw_only=True):
    """The characteristics of a model; null: not known, or none."""

    M: Annotated[Number | None, fact("number", "its Movement in inches")] = None
    WS: Annotated[Value | None, fact("number", "its Weapon Skill")] = None
    BS: Annotated[Annotated[int, Meta(ge=0, le=20)] | None, fact("number", "its Ballistic Skill")] = None
    S: Annotated[Value | None, fact("number", "its Strength")] = None
    T: Annotated[Value | None, fact("number", "its Toughness")] = None
    W: Annotated[NotNegative | None, fact("number", "its Wounds")] = None
    I: Annotated[Value | None, fact("number", "its Initiative")] = None  # noqa: E741
    A: Annotated[NotNegative | None, fact("number", "its Attacks")] = None
    Ld: Annotated[Annotated[int, Meta(ge=0, le=12)] | None, fact("number", "its Leadership")] = None
    AS: Annotated[Annotated[int, Meta(ge=1, le=6)] | None, fact("number", "its armour save")] = None
    inv: Annotated[Annotated[int, Meta(ge=2, le=6)] | None, fact("number", "its invulnerable save")] = None
    CS: Annotated[Annotated[int, Meta(ge=1, le=6)] | None, fact("number", "its cover save")] = None


class Psyker(Written, kw_only=True):
    ML: Annotated[Positive, fact("number", "its mastery level")]
    disciplines: Annotated[Names, fact("discipline", "which disciplines it knows")] = []
    kind: Annotated[Literal["psyker", "psychic_pilot", "brotherhood"], fact("choice", "what kind of psyker it is")] = (
        "psyker"
    )


class ModelEntry(Written, kw_only=True):
    id: Annotated[Name, fact("model", "the id by which logs name the model")]
    profile: Annotated[Profile, fact("part", "its characteristics")]
    base: Annotated[Round | Hull, fact("part", "its base")]
    height: Annotated[Number | None, fact("number", "its height", unit="inches")] = None
    weapons: Annotated[Names, fact("weapon", "which weapons it carries")] = []
    armour_class: Annotated[
        Literal["power", "artificer", "terminator", "eldar", "other"], fact("choice", "what kind of armour it wears")
    ] = "other"
    psyker: Annotated[Psyker | None, fact("part", "of a psyker: what it can do")] = None
    character: Annotated[bool, fact("flag", "whether it is a character")] = False
    wargear: Annotated[Names, fact("wargear", "which wargear it carries")] = []


class Armour(Written, kw_only=True):
    front: Annotated[NotNegative, fact("number", "its armour at the front")]
    side: Annotated[NotNegative, fact("number", "its armour at the side")]
    rear: Annotated[NotNegative, fact("number", "its armour at the rear")]


class Vehicle(Written, kw_only=True):
    armour: Annotated[Armour, fact("part", "its armour")]
    W: Annotated[Positive | None, fact("number", "its hull wounds", unit="wounds")] = None
    heavy: Annotated[bool, fact("flag", "whether it is heavy")] = False
    fast: Annotated[bool, fact("flag", "whether it is fast")] = False
    skimmer: Annotated[bool, fact("flag", "whether it is a skimmer")] = False
    flyer: Annotated[bool, fact("flag", "whether it is a flyer")] = False
    transport: Annotated[bool, fact("flag", "whether it is a transport")] = False
    open_topped: Annotated[bool, fact("flag", "whether it is open-topped")] = False
    squadron: Annotated[bool, fact("flag", "whether it is a squadron")] = False
    has_ws: Annotated[bool, fact("flag", "whether it has a Weapon Skill")] = False


class UnitEntry(Written, kw_only=True):
    id: Annotated[Name, fact("unit", "the id by which logs name the unit")]
    type: Annotated[UnitType, fact("choice", "what type of unit it is")]
    models: Annotated[
        Annotated[list[ModelEntry], Meta(min_length=1, max_length=MOST_IN_A_UNIT)], fact("part", "its models")
    ]
    name: Annotated[Text, acts.NAME] = ""
    faction: Annotated[Text | None, fact("text", "of which faction it is")] = None
    vehicle: Annotated[Vehicle | None, fact("part", "of a vehicle or walker: what it is")] = None
    rules: Annotated[Names, fact("rule", "which special rules it has")] = []
    weapons_per_model: Annotated[
        Positive, fact("number", "with how many weapons a model may shoot", unit="weapons")
    ] = 1


class SalvoShots(Written, kw_only=True):
    low: Annotated[Positive, fact("number", "how many shots it has when it moved", unit="shots")]
    high: Annotated[Positive, fact("number", "how many shots it has when it did not", unit="shots")]


class WeaponEntry(Written, kw_only=True):
    id: Annotated[Name, fact("weapon", "the id by which logs name the weapon")]
    type: Annotated[WeaponType, fact("choice", "what type of weapon it is")]
    name: Annotated[Text, acts.NAME] = ""
    range: Annotated[Number | None, fact("number", "its range", unit="inches")] = None
    guess: Annotated[bool, fact("flag", "whether its range is guessed")] = False
    S: Annotated[Strength | None, fact("number", "its Strength")] = None
    AP: Annotated[Annotated[int, Meta(ge=1, le=6)] | None, fact("number", "its AP")] = None
    shots: Annotated[NotNegative | SalvoShots | None, fact("number", "how many shots it has", unit="shots")] = None
    rules: Annotated[
        Annotated[list[WeaponRule], Meta(max_length=MOST_NAMED)], fact("rule", "which special rules it has")
    ] = []


class PowerEntry(Written, kw_only=True):
    id: Annotated[Name, fact("power", "the id by which logs name the power")]
    discipline: Annotated[Name, fact("discipline", "of which discipline it is")]
    casting_level: Annotated[NotNegative, fact("number", "its casting level")]
    mastery_cost: Annotated[NotNegative, fact("number", "what it costs to know it")]
    primaris: Annotated[bool, fact("flag", "whether it is the primaris power")] = False
    target: Annotated[Literal["unit", "none"], fact("choice", "whether it has a unit for its target")] = "unit"
    name: Annotated[Text, acts.NAME] = ""


class TerrainEntry(Written, kw_only=True):
    id: Annotated[Name, fact("terrain", "the id of the piece")]
    poly: Annotated[
        Annotated[list[tuple[Number, Number]], Meta(min_length=3, max_length=MOST_CORNERS)],
        fact("point", "its corners, in inches"),
    ]
    difficult: Annotated[bool, fact("flag", "whether it is difficult")] = False
    dangerous: Annotated[bool, fact("flag", "whether it is dangerous")] = False
    impassable: Annotated[bool, fact("flag", "whether nobody can pass")] = False
    cover: Annotated[Literal["none", "soft", "hard"], fact("choice", "what cover it gives")] = "none"
    blocks_los: Annotated[bool, fact("flag", "whether it blocks the line of sight")] = False
    los_height: Annotated[Number | None, fact("number", "up to which height it does", unit="inches")] = None
    surface_z: Annotated[Number, fact("number", "how high its surface lies", unit="inches")] = 0
    name: Annotated[Text, acts.NAME] = ""


class Pack(Written, kw_only=True):
    """What every pack file carries. `source` says who entered it, and from what."""

    id: Annotated[Name, acts.PACK_ID]
    title: Annotated[Text, acts.PACK_TITLE] = ""
    source: Annotated[Text, acts.PACK_SOURCE] = ""
    game: Annotated[Literal["clx"], acts.GAME] = "clx"


class UnitsPack(Pack, kw_only=True):
    units: Annotated[Annotated[list[UnitEntry], Meta(max_length=MOST_UNITS)], fact("part", "the units")]


class WeaponsPack(Pack, kw_only=True):
    weapons: Annotated[Annotated[list[WeaponEntry], Meta(max_length=MOST_UNITS)], fact("part", "the weapons")]


class PowersPack(Pack, kw_only=True):
    powers: Annotated[Annotated[list[PowerEntry], Meta(max_length=MOST_UNITS)], fact("part", "the powers")]


class TerrainPack(Pack, kw_only=True):
    terrain: Annotated[
        Annotated[list[TerrainEntry], Meta(max_length=MOST_PIECES)], fact("part", "the pieces of terrain")
    ]


class BaseRulesPack(Pack, kw_only=True):
    base_rules: Annotated[dict[str, Any], fact("anything", "what the base rules say, by hook")]


SCHEMAS: Mapping[str, Shape[Any]] = {
    "units": Shape(UnitsPack),
    "weapons": Shape(WeaponsPack),
    "powers": Shape(PowersPack),
    "terrain": Shape(TerrainPack),
    "base_rules": Shape(BaseRulesPack),
}
"""The shapes of pack files by kind; the key of that name holds what the pack is about."""


class Player(Written, kw_only=True):
    id: Annotated[Name, acts.PLAYER_ID]
    name: Annotated[Text, acts.PLAYER_NAME] = ""
    units: Annotated[
        Annotated[list[Name], Meta(max_length=MOST_UNITS)], fact("unit", "which units are the player's")
    ] = []


class Size(Written, kw_only=True):
    """The table, in inches: x runs from 0 to W, y from 0 to D."""

    W: Annotated[Number, fact("number", "how wide the table is", unit="inches")]
    D: Annotated[Number, fact("number", "how deep the table is", unit="inches")]


class Header(Written, tag_field="type", tag="header", kw_only=True):
    """The first line of a log. Packs stand by id or in full (the lists of section 4 without their wrapping)."""

    game: Annotated[Literal["clx"], acts.GAME]
    players: Annotated[
        Annotated[list[Player], Meta(min_length=2, max_length=2)], fact("part", "the two players and their units")
    ]
    table: Annotated[Size, fact("part", "how large the table is")]
    units: Annotated[
        Name | Annotated[list[UnitEntry], Meta(max_length=MOST_UNITS)],
        fact("pack", "the units: the id of their pack, or in full"),
    ]
    format: Annotated[Literal[1], acts.FORMAT] = 1
    weapons: Annotated[
        Name | Annotated[list[WeaponEntry], Meta(max_length=MOST_UNITS)],
        fact("pack", "the weapons: the id of their pack, or in full"),
    ] = []
    powers: Annotated[
        Name | Annotated[list[PowerEntry], Meta(max_length=MOST_UNITS)],
        fact("pack", "the powers: the id of their pack, or in full"),
    ] = []
    terrain: Annotated[
        Name | Annotated[list[TerrainEntry], Meta(max_length=MOST_PIECES)],
        fact("pack", "the terrain: the id of its pack, or in full"),
    ] = []
    base_rules: Annotated[Name | dict[str, Any], fact("pack", "the base rules: the id of their pack, or in full")] = {}
    recording_precision: Annotated[Number | None, fact("number", "how exactly places were recorded", unit="inches")] = (
        None
    )
    rulings: Annotated[dict[str, Any] | None, acts.RULINGS] = None
    title: Annotated[Text | None, acts.TITLE] = None
    match: Annotated[dict[str, Any] | None, acts.MATCH] = None
    recorded_by: Annotated[Text | None, acts.RECORDED_BY] = None
    confirmed_by: Annotated[list[Text] | None, acts.CONFIRMED_BY] = None


HEADER: Shape[Header] = Shape(Header)
