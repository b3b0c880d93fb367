"""Data packs and the header of a log, as they are written. The published schemas are made from these structs.

Source: catalogue sections 4, 5 and 7. `packs` makes them ready for a replay and checks what a shape cannot say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from auditor.systems.clx.written import Id, Name, NotNegative, Number, Positive, Text, Value
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
Strength: TypeAlias = Value | Annotated[str, Meta(pattern=r"^(user|user\+[1-9]|x[2-9])$")]


class Written(msgspec.Struct, kw_only=True, gc=False):
    """A piece of a pack, as it is written."""


class Round(Written, tag_field="shape", tag="circle", kw_only=True):
    """A round base and its radius in inches."""

    r: Number


class Hull(Written, tag_field="shape", tag="poly", kw_only=True):
    """A convex base, its front towards +x; a model's position is (0, 0) of it."""

    pts: Annotated[list[tuple[Number, Number]], Meta(min_length=3, max_length=64)]


class Profile(Written, kw_only=True):
    """The characteristics of a model; null: not known, or none."""

    M: Number | None = None
    WS: Value | None = None
    BS: Annotated[int, Meta(ge=0, le=20)] | None = None
    S: Value | None = None
    T: Value | None = None
    W: NotNegative | None = None
    I: Value | None = None  # noqa: E741
    A: NotNegative | None = None
    Ld: Annotated[int, Meta(ge=0, le=12)] | None = None
    AS: Annotated[int, Meta(ge=1, le=6)] | None = None
    inv: Annotated[int, Meta(ge=2, le=6)] | None = None
    CS: Annotated[int, Meta(ge=1, le=6)] | None = None


class Psyker(Written, kw_only=True):
    ML: Positive
    disciplines: list[Id] = []
    kind: Literal["psyker", "psychic_pilot", "brotherhood"] = "psyker"


class ModelEntry(Written, kw_only=True):
    id: Name
    profile: Profile
    base: Round | Hull
    height: Number | None = None
    weapons: list[Id] = []
    armour_class: Literal["power", "artificer", "terminator", "eldar", "other"] = "other"
    psyker: Psyker | None = None
    character: bool = False
    wargear: list[Id] = []


class Armour(Written, kw_only=True):
    front: NotNegative
    side: NotNegative
    rear: NotNegative


class Vehicle(Written, kw_only=True):
    armour: Armour
    W: Positive | None = None
    heavy: bool = False
    fast: bool = False
    skimmer: bool = False
    flyer: bool = False
    transport: bool = False
    open_topped: bool = False
    squadron: bool = False
    has_ws: bool = False


class UnitEntry(Written, kw_only=True):
    id: Name
    type: UnitType
    models: Annotated[list[ModelEntry], Meta(min_length=1)]
    name: Text = ""
    faction: Text | None = None
    vehicle: Vehicle | None = None
    rules: list[Id] = []
    weapons_per_model: Positive = 1


class SalvoShots(Written, kw_only=True):
    low: Positive
    high: Positive


class WeaponEntry(Written, kw_only=True):
    id: Name
    type: WeaponType
    name: Text = ""
    range: Number | None = None
    guess: bool = False
    S: Strength | None = None
    AP: Annotated[int, Meta(ge=1, le=6)] | None = None
    shots: NotNegative | SalvoShots | None = None
    rules: list[WeaponRule] = []


class PowerEntry(Written, kw_only=True):
    id: Name
    discipline: Name
    casting_level: NotNegative
    mastery_cost: NotNegative
    primaris: bool = False
    target: Literal["unit", "none"] = "unit"
    name: Text = ""


class TerrainEntry(Written, kw_only=True):
    id: Name
    poly: Annotated[list[tuple[Number, Number]], Meta(min_length=3, max_length=64)]
    difficult: bool = False
    dangerous: bool = False
    impassable: bool = False
    cover: Literal["none", "soft", "hard"] = "none"
    blocks_los: bool = False
    los_height: Number | None = None
    surface_z: Number = 0
    name: Text = ""


class Pack(Written, kw_only=True):
    """What every pack file carries. `source` says who entered it, and from what."""

    id: Name
    title: Text = ""
    source: Text = ""
    game: Literal["clx"] = "clx"


class UnitsPack(Pack, kw_only=True):
    units: list[UnitEntry]


class WeaponsPack(Pack, kw_only=True):
    weapons: list[WeaponEntry]


class PowersPack(Pack, kw_only=True):
    powers: list[PowerEntry]


class TerrainPack(Pack, kw_only=True):
    terrain: list[TerrainEntry]


class BaseRulesPack(Pack, kw_only=True):
    base_rules: dict[str, Any]


SCHEMAS: Mapping[str, Shape[Any]] = {
    "units": Shape(UnitsPack),
    "weapons": Shape(WeaponsPack),
    "powers": Shape(PowersPack),
    "terrain": Shape(TerrainPack),
    "base_rules": Shape(BaseRulesPack),
}
"""The shapes of pack files by kind; the key of that name holds what the pack is about."""


class Player(Written, kw_only=True):
    id: Name
    name: Text = ""
    units: list[Name] = []


class Size(Written, kw_only=True):
    """The table, in inches: x runs from 0 to W, y from 0 to D."""

    W: Number
    D: Number


class Header(Written, tag_field="type", tag="header", kw_only=True):
    """The first line of a log. Packs stand by id or in full (the lists of section 4 without their wrapping)."""

    game: Literal["clx"]
    players: Annotated[list[Player], Meta(min_length=2, max_length=2)]
    table: Size
    units: Name | list[UnitEntry]
    format: Literal[1] = 1
    weapons: Name | list[WeaponEntry] = []
    powers: Name | list[PowerEntry] = []
    terrain: Name | list[TerrainEntry] = []
    base_rules: Name | dict[str, Any] = {}
    recording_precision: Number | None = None
    rulings: dict[str, Any] | None = None
    title: Text | None = None
    match: dict[str, Any] | None = None
    recorded_by: Text | None = None
    confirmed_by: list[Text] | None = None


HEADER: Shape[Header] = Shape(Header)
