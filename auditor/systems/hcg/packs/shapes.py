"""Card sets, decks and the header of a log, as they are written. The published schemas are made from these structs.

Source: HCG catalogue 5.1 and 6. `cards` and `decks` make them ready for use and check what a shape cannot say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from auditor.systems.hcg.abilities.words import MOST_CHARACTERS
from auditor.systems.shapes import Shape

LONGEST_ID = 64
LONGEST_TEXT = 2_000
MOST_CARDS = 5_000
"""Cards of one set; with the longest texts that the language takes, they are read within seconds."""
MOST_COPIES = 1_000

Id: TypeAlias = Annotated[str, Meta(max_length=LONGEST_ID)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID)]
Title: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200)]
Text: TypeAlias = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Printed: TypeAlias = Annotated[str, Meta(max_length=MOST_CHARACTERS)]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=99)]

Kind: TypeAlias = Literal["unit", "asset", "ship", "sector"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Alignment: TypeAlias = Literal["loyalist", "traitor", "unaligned"]
PlayerSide: TypeAlias = Literal["loyalist", "traitor"]
Colour: TypeAlias = Literal["blue", "gold", "red", "purple", "white"]


class Written(msgspec.Struct, kw_only=True, gc=False):
    """A piece of a pack, as it is written."""


class KeywordEntry(Written, kw_only=True):
    """A keyword; a bold one has rules of its own."""

    name: Name
    bold: bool = False


class CardEntry(Written, kw_only=True):
    """A card, or one side of a sector card. What does not apply to its kind is absent or null.

    A number of a unit may be null: the unit cannot be used for that act. `source` says where its numbers come from,
    where that differs from the source of the set. `parsed` is kept by other programs and never believed: texts are
    read anew.
    """

    id: Name
    title: Title
    kind: Kind
    group: Title | None = None
    alignment: Alignment | None = None
    flags: Number | None = None
    firepower: Number | UnsetType | None = UNSET
    assault: Number | UnsetType | None = UNSET
    speed: Number | UnsetType | None = UNSET
    armor: Number | UnsetType | None = UNSET
    keywords: list[KeywordEntry] = []
    abilities: Annotated[list[Printed], Meta(max_length=20)] = []
    die: int | None = None
    line: Printed | None = None
    line_colour: Colour | None = None
    unique: bool | None = None
    requirement: Annotated[int, Meta(ge=1, le=99)] | None = None
    planet: Title | None = None
    reverse: Id | None = None
    source: Text | None = None
    parsed: Any = None


class CardSetPack(Written, kw_only=True):
    """A set of cards. `source` says who entered it, and from what."""

    id: Name
    title: Title
    source: Text
    game: Literal["hcg"] | None = None
    cards: Annotated[list[CardEntry], Meta(min_length=1, max_length=MOST_CARDS)]


class DeckRow(Written, kw_only=True):
    """So many copies of one card."""

    card: Name
    n: Annotated[int, Meta(ge=1, le=MOST_COPIES)]


class DeckPack(Written, kw_only=True):
    """A deck of cards of one set."""

    id: Name
    title: Title
    source: Text
    game: Literal["hcg"] | None = None
    set: Name
    side: PlayerSide
    cards: Annotated[list[DeckRow], Meta(min_length=1, max_length=MOST_CARDS)]


class PlayerEntry(Written, kw_only=True):
    id: Name
    name: Text = ""
    side: PlayerSide | None = None
    deck: list[DeckRow] | None = None
    instances: dict[Name, Name] | None = None


class SectorEntry(Written, kw_only=True):
    slot: int
    card: Name


class Header(Written, kw_only=True, tag_field="type", tag="header"):
    """The first line of a log. The card set stands by id, or in full."""

    game: Literal["hcg"]
    format: Literal[1]
    players: Annotated[list[PlayerEntry], Meta(min_length=2, max_length=2)]
    sectors: list[SectorEntry] | None = None
    cards: Any = None
    detail: Literal["full", "terse"] = "full"
    passes: Literal["explicit", "implied"] = "explicit"
    rulings: dict[str, Any] | None = None
    match: dict[str, Any] | None = None
    recorded_by: Text | None = None
    confirmed_by: list[Id] | None = None
    title: Text | None = None


CARD: Shape[CardEntry] = Shape(CardEntry)
ROW: Shape[DeckRow] = Shape(DeckRow)
HEADER: Shape[Header] = Shape(Header)

SCHEMAS: Mapping[str, Shape[Any]] = {"cards": Shape(CardSetPack), "deck": Shape(DeckPack)}
"""Kinds of packs."""
