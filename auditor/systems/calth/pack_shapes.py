"""Data packs and the header of a log, as they are written. The published schemas are made from these structs.

Source: catalogue sections 4 and 5. `packs` makes them ready for a replay and checks what a shape cannot say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from auditor.systems import acts
from auditor.systems.calth.records import DoorState, Id, Int, Side, Text
from auditor.systems.fields import fact, label
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

    id: Annotated[Id, acts.PACK_ID] = ""
    title: Annotated[Text, acts.PACK_TITLE] = ""
    source: Annotated[Text, acts.PACK_SOURCE] = ""


class BoardHex(Written, kw_only=True):
    q: Annotated[Near, fact("number", "the first axial coordinate of the hex")]
    r: Annotated[Near, fact("number", "the second axial coordinate of the hex")]
    kind: Annotated[Literal["open", "blocked", "rubble"], fact("choice", "whether it is open, blocked or rubble")] = (
        "open"
    )
    section: Annotated[Id | None, fact("text", "on which section of the board it lies")] = None
    name: Annotated[
        Annotated[str, Meta(min_length=1, max_length=8)] | None, label("text", "what is printed on the board")
    ] = None
    """What is printed on the board: "C7"."""


class BoardEdge(Written, kw_only=True):
    a: Annotated[Place, fact("hex", "the hex on one side")]
    b: Annotated[Place, fact("hex", "the hex on the other side")]
    feature: Annotated[Literal["door", "obstruction"], fact("choice", "whether it is a door or an obstruction")]
    sealed: Annotated[bool | None, fact("flag", "of a door: whether it is sealed at first")] = None


class BoardBarricade(Written, kw_only=True):
    """A barricade drawn inside `hex`, on its side towards direction `dir`."""

    hex: Annotated[Place, fact("hex", "inside which hex it is drawn")]
    dir: Annotated[Annotated[int, Meta(ge=0, le=5)], fact("number", "towards which side of the hex, 0 to 5")]


class BoardPack(Pack, kw_only=True):
    hexes: Annotated[Annotated[list[BoardHex], Meta(min_length=1)], fact("part", "the hexes of the board")]
    edges: Annotated[list[BoardEdge], fact("part", "its doors and obstructions")] = []
    barricades: Annotated[list[BoardBarricade], fact("part", "its barricades")] = []


class ProfileEntry(Written, kw_only=True):
    id: Annotated[Name, fact("text", "the id by which models name the profile")]
    name: Annotated[Text | None, acts.NAME] = None
    assault: Annotated[NotNegative, fact("number", "the attack dice in melee", unit="dice")]
    armour: Annotated[NotNegative, fact("number", "the Armour")]
    stamina: Annotated[Positive, fact("number", "the Stamina")]
    bulk: Annotated[Annotated[int, Meta(ge=1, le=3)], fact("number", "the bulk")]


class ModelEntry(Written, kw_only=True):
    id: Annotated[Name, fact("model", "the id by which logs name the model")]
    profile: Annotated[Id, fact("text", "which profile it has")]
    weapons: Annotated[list[Id], fact("weapon", "which weapons it carries")] = []
    wargear: Annotated[list[Id], fact("wargear", "which wargear it carries")] = []


class DamageCardEntry(Written, kw_only=True):
    id: Annotated[Name, fact("card", "the id by which logs name the card")]
    location: Annotated[Text, fact("text", "which location it shows")]
    armour: Annotated[NotNegative, fact("number", "the Armour there")]
    stamina: Annotated[Positive, fact("number", "the Stamina there")]
    effect: Annotated[Text | None, fact("text", "what it does, in words")] = None
    stays_on_model: Annotated[bool, fact("flag", "whether it stays on the model")] = False
    destroys_weapon: Annotated[Id | None, fact("weapon", "which weapon it destroys")] = None


class RemovedWhen(Written, kw_only=True):
    cards_on_model: Annotated[Positive, fact("number", "how many cards on the model remove it", unit="cards")]


class RosterPack(Pack, kw_only=True):
    side: Annotated[Side | None, fact("player", "for which side it is")] = None
    profiles: Annotated[list[ProfileEntry], fact("part", "the profiles of its models")]
    models: Annotated[list[ModelEntry], fact("part", "its models")]
    damage_cards: Annotated[list[DamageCardEntry] | None, fact("part", "its location cards")] = None
    removed_when: Annotated[RemovedWhen | None, fact("part", "when a model with location cards is removed")] = None


class DoorEffect(Written, kw_only=True, forbid_unknown_fields=True):
    edge: Annotated[tuple[Place, Place], fact("edge", "which door changes")]
    state: Annotated[DoorState, fact("choice", "whether it is sealed or open then")]
    round: Annotated[Positive | None, fact("number", "in which round")] = None


class EffectEntry(Written, kw_only=True, forbid_unknown_fields=True):
    """What a card or special rule does, machine-readable."""

    suspends: Annotated[list[Id] | None, fact("rule", "which rules it takes out of force")] = None
    tp: Annotated[Int | None, fact("number", "how many TPs it gives or takes", unit="TPs")] = None
    dice: Annotated[Int | None, fact("number", "how many attack dice it gives or takes", unit="dice")] = None
    defence_dice: Annotated[Int | None, fact("number", "how many defence dice it gives or takes", unit="dice")] = None
    door: Annotated[DoorEffect | None, fact("part", "which door it changes")] = None
    round: Annotated[Positive | None, fact("number", "in which round")] = None
    draw: Annotated[Int | None, fact("number", "how many cards are drawn for it", unit="cards")] = None


class DeploymentEntry(Written, kw_only=True):
    side: Annotated[Side, fact("player", "for which side it is")]
    models: Annotated[Literal["all"] | list[Id], fact("model", 'which models are placed, or "all"')] = "all"
    zone: Annotated[list[Place] | None, fact("hex", "in which hexes")] = None


class DoorEntry(Written, kw_only=True):
    edge: Annotated[tuple[Place, Place], fact("edge", "which door it is")]
    state: Annotated[DoorState, fact("choice", "whether it is sealed or open")]


class SpecialRuleEntry(Written, kw_only=True):
    id: Annotated[Name, fact("rule", "the id by which logs name the rule")]
    name: Annotated[Text, acts.NAME] = ""
    text: Annotated[Text, fact("text", "the rule in words")] = ""
    rule_ids: Annotated[list[Id], fact("rule", "which rules it changes")] = []
    effect: Annotated[EffectEntry | None, fact("part", "what it does, as far as a machine can read it")] = None


class ScenarioPack(Pack, kw_only=True):
    board: Annotated[Id | None, fact("pack", "on which board it is played")] = None
    deployments: Annotated[list[DeploymentEntry] | None, fact("part", "who is placed where")] = None
    first_initiative: Annotated[Side | None, fact("player", "who has the initiative in the first round")] = None
    doors: Annotated[list[DoorEntry] | None, fact("part", "how the doors stand at first")] = None
    special_rules: Annotated[list[SpecialRuleEntry], fact("part", "its special rules")] = []
    rounds: Annotated[Positive | None, fact("number", "how many rounds it lasts", unit="rounds")] = None
    end: Annotated[Text | None, fact("text", "how it ends, in words")] = None


class CardEntry(Written, kw_only=True):
    id: Annotated[Name, fact("card", "the id by which logs name the card")]
    side: Annotated[Side | None, fact("player", "for which side it is")] = None
    name: Annotated[Text, acts.NAME] = ""
    timing: Annotated[Text, fact("text", "when it is played, in words")] = ""
    text: Annotated[Text, fact("text", "what it does, in words")] = ""
    rule_ids: Annotated[list[Id], fact("rule", "which rules it changes")] = []
    effect: Annotated[EffectEntry | None, fact("part", "what it does, as far as a machine can read it")] = None


class CardsPack(Pack, kw_only=True):
    cards: Annotated[list[CardEntry], fact("part", "the cards")]


class PlayerEntry(Written, kw_only=True):
    id: Annotated[Side, acts.PLAYER_ID]
    name: Annotated[Text, acts.PLAYER_NAME]


class RostersEntry(Written, kw_only=True):
    UM: Annotated[Id | RosterPack, fact("pack", "the roster of UM: its id, or in full")]
    WB: Annotated[Id | RosterPack, fact("pack", "the roster of WB: its id, or in full")]


class CampaignEntry(Written, kw_only=True):
    scenario: Annotated[
        Annotated[int, Meta(ge=1, le=6)] | None, fact("number", "which scenario of the campaign it is")
    ] = None
    results: Annotated[list[Any] | None, fact("anything", "how the scenarios before it came off")] = None


class Header(Written, kw_only=True, tag_field="type", tag="header"):
    """The first line of a log. Packs stand by id or inline."""

    game: Annotated[Literal["calth"], acts.GAME]
    format: Annotated[Literal[1], acts.FORMAT]
    players: Annotated[list[PlayerEntry], fact("part", "the two players")]
    scenario: Annotated[Id | ScenarioPack, fact("pack", "the scenario: its id, or in full")]
    board: Annotated[Id | BoardPack, fact("pack", "the board: its id, or in full")]
    rosters: Annotated[RostersEntry, fact("part", "the rosters of both sides")]
    command_cards: Annotated[
        Id | list[CardEntry] | None, fact("pack", "the command cards: the id of their pack, or in full")
    ] = None
    rulings: Annotated[dict[str, Any] | None, acts.RULINGS] = None
    campaign: Annotated[CampaignEntry | None, fact("part", "of which campaign the game is")] = None
    match: Annotated[dict[str, Any] | None, acts.MATCH] = None
    recorded_by: Annotated[Text | None, acts.RECORDED_BY] = None
    confirmed_by: Annotated[list[Side] | None, acts.CONFIRMED_BY] = None
    title: Annotated[Text | None, acts.TITLE] = None


SCHEMAS: Mapping[str, Shape[Any]] = {
    "board": Shape(BoardPack),
    "roster": Shape(RosterPack),
    "scenario": Shape(ScenarioPack),
    "command_cards": Shape(CardsPack),
}
"""Kinds of packs; their schemas are published in data/schemas."""

HEADER: Shape[Header] = Shape(Header)
