"""Data packs and the header of a log, as they are written. The published schemas are made from these structs.

Source: catalogue sections 4 and 5. `packs` makes them ready for a replay and checks what a shape cannot say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from auditor.systems.calth.records import DoorState, Id, Int, Side, Text
from auditor.systems.shapes import Shape

FARTHEST = 500
"""Boards lie within this many hexes of (0, 0); farther coordinates only serve to exhaust memory."""

Near: TypeAlias = Annotated[int, Meta(ge=-FARTHEST, le=FARTHEST)]
NotNegative: TypeAlias = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Positive: TypeAlias = Annotated[int, Meta(ge=1, le=2**53 - 1)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
Place: TypeAlias = tuple[Near, Near]


class Written(msgspec.Struct, kw_only=True, gc=False):
    """A piece of a pack, as it is written."""


class Pack(Written, kw_only=True):
    """What every pack carries. `source` says who entered it, and from what."""

    id: Id = ""
    title: Text = ""
    source: Text = ""


class BoardHex(Written, kw_only=True):
    q: Near
    r: Near
    kind: Literal["open", "blocked", "rubble"] = "open"
    section: Id | None = None
    name: Annotated[str, Meta(min_length=1, max_length=8)] | None = None
    """What is printed on the board: "C7"."""


class BoardEdge(Written, kw_only=True):
    a: Place
    b: Place
    feature: Literal["door", "obstruction"]
    sealed: bool | None = None


class BoardBarricade(Written, kw_only=True):
    """A barricade drawn inside `hex`, on its side towards direction `dir`."""

    hex: Place
    dir: Annotated[int, Meta(ge=0, le=5)]


class BoardPack(Pack, kw_only=True):
    hexes: Annotated[list[BoardHex], Meta(min_length=1)]
    edges: list[BoardEdge] = []
    barricades: list[BoardBarricade] = []


class ProfileEntry(Written, kw_only=True):
    id: Name
    name: Text | None = None
    assault: NotNegative
    armour: NotNegative
    stamina: Positive
    bulk: Annotated[int, Meta(ge=1, le=3)]


class ModelEntry(Written, kw_only=True):
    id: Name
    profile: Id
    weapons: list[Id] = []
    wargear: list[Id] = []


class DamageCardEntry(Written, kw_only=True):
    id: Name
    location: Text
    armour: NotNegative
    stamina: Positive
    effect: Text | None = None
    stays_on_model: bool = False
    destroys_weapon: Id | None = None


class RemovedWhen(Written, kw_only=True):
    cards_on_model: Positive


class RosterPack(Pack, kw_only=True):
    side: Side | None = None
    profiles: list[ProfileEntry]
    models: list[ModelEntry]
    damage_cards: list[DamageCardEntry] | None = None
    removed_when: RemovedWhen | None = None


class DoorEffect(Written, kw_only=True, forbid_unknown_fields=True):
    edge: tuple[Place, Place]
    state: DoorState
    round: Positive | None = None


class EffectEntry(Written, kw_only=True, forbid_unknown_fields=True):
    """What a card or special rule does, machine-readable."""

    suspends: list[Id] | None = None
    tp: Int | None = None
    dice: Int | None = None
    defence_dice: Int | None = None
    door: DoorEffect | None = None
    round: Positive | None = None
    draw: Int | None = None


class DeploymentEntry(Written, kw_only=True):
    side: Side
    models: Literal["all"] | list[Id] = "all"
    zone: list[Place] | None = None


class DoorEntry(Written, kw_only=True):
    edge: tuple[Place, Place]
    state: DoorState


class SpecialRuleEntry(Written, kw_only=True):
    id: Name
    name: Text = ""
    text: Text = ""
    rule_ids: list[Id] = []
    effect: EffectEntry | None = None


class ScenarioPack(Pack, kw_only=True):
    board: Id | None = None
    deployments: list[DeploymentEntry] | None = None
    first_initiative: Side | None = None
    doors: list[DoorEntry] | None = None
    special_rules: list[SpecialRuleEntry] = []
    rounds: Positive | None = None
    end: Text | None = None


class CardEntry(Written, kw_only=True):
    id: Name
    side: Side | None = None
    name: Text = ""
    timing: Text = ""
    text: Text = ""
    rule_ids: list[Id] = []
    effect: EffectEntry | None = None


class CardsPack(Pack, kw_only=True):
    cards: list[CardEntry]


class PlayerEntry(Written, kw_only=True):
    id: Side
    name: Text


class RostersEntry(Written, kw_only=True):
    UM: Id | RosterPack
    WB: Id | RosterPack


class CampaignEntry(Written, kw_only=True):
    scenario: Annotated[int, Meta(ge=1, le=6)] | None = None
    results: list[Any] | None = None


class Header(Written, kw_only=True, tag_field="type", tag="header"):
    """The first line of a log. Packs stand by id or inline."""

    game: Literal["calth"]
    format: Literal[1]
    players: list[PlayerEntry]
    scenario: Id | ScenarioPack
    board: Id | BoardPack
    rosters: RostersEntry
    command_cards: Id | list[CardEntry] | None = None
    rulings: dict[str, Any] | None = None
    campaign: CampaignEntry | None = None
    match: dict[str, Any] | None = None
    recorded_by: Text | None = None
    confirmed_by: list[Side] | None = None
    title: Text | None = None


SCHEMAS: Mapping[str, Shape[Any]] = {
    "board": Shape(BoardPack),
    "roster": Shape(RosterPack),
    "scenario": Shape(ScenarioPack),
    "command_cards": Shape(CardsPack),
}
"""Kinds of packs; their schemas are published in data/schemas."""

HEADER: Shape[Header] = Shape(Header)
