"""Card sets, decks and the header of a log, as they are written. The published schemas are made from these structs.

Source: HCG catalogue 5.1 and 6. `cards` and `decks` make them ready for use and check what a shape cannot say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from auditor.systems import acts
from auditor.systems.fields import fact, label
from auditor.systems.hcg.abilities.words import MOST_CHARACTERS
from auditor.systems.shapes import Shape

LONGEST_ID = 64
LONGEST_TEXT = 2_000
MOST_CARDS = 5_000
"""Cards of one set; with the longest texts that the language takes, they are read within seconds."""
MOST_COPIES = MOST_INSTANCES = 250
"""Copies of one card, and cards that a header lists of one player: four times a deck."""

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

    name: Annotated[Name, fact("text", "the keyword")]
    bold: Annotated[bool, fact("flag", "whether it is printed bold")] = False


def _printed(words: str) -> Meta:
    return fact("number", words, null="it cannot be used for that")


class CardEntry(Written, kw_only=True):
    """A card, or one side of a sector card. What does not apply to its kind is absent or null.

    A number of a unit may be null: the unit cannot be used for that act. `source` says where its numbers come from,
    where that differs from the source of the set. `parsed` is kept by other programs and never believed: texts are
    read anew.
    """

    id: Annotated[Name, fact("printed card", "the id by which decks and logs name the card")]
    title: Annotated[Title, label("text", "the title of the card")]
    kind: Annotated[Kind, fact("choice", "what kind of card it is")]
    group: Annotated[Title | None, fact("text", "the group to which the card belongs")] = None
    alignment: Annotated[Alignment | None, fact("choice", "whose side may play the card")] = None
    flags: Annotated[Number | None, fact("number", "the flags printed on it", unit="flags")] = None
    firepower: Annotated[Number | UnsetType | None, _printed("its firepower")] = UNSET
    assault: Annotated[Number | UnsetType | None, _printed("its assault")] = UNSET
    speed: Annotated[Number | UnsetType | None, _printed("its speed")] = UNSET
    armor: Annotated[Number | UnsetType | None, _printed("its armor")] = UNSET
    keywords: Annotated[Annotated[list[KeywordEntry], Meta(max_length=20)], fact("part", "its keywords")] = []
    abilities: Annotated[
        Annotated[list[Printed], Meta(max_length=20)], fact("text", "the texts of its ability box, each as printed")
    ] = []
    die: Annotated[int | None, fact("face", "the die printed on it")] = None
    line: Annotated[Printed | None, fact("text", "the text of its command line, as printed")] = None
    line_colour: Annotated[Colour | None, fact("choice", "the colour of its command line")] = None
    unique: Annotated[bool | None, fact("flag", "whether it is unique")] = None
    requirement: Annotated[
        Annotated[int, Meta(ge=1, le=99)] | None,
        fact("number", "of a sector: the flags that it asks for", unit="flags"),
    ] = None
    planet: Annotated[Title | None, fact("text", "of a sector: its planet")] = None
    reverse: Annotated[Id | None, fact("printed card", "of a sector: what its other side is")] = None
    source: Annotated[Text | None, label("text", "where its numbers come from, if not from that of the set")] = None
    parsed: Annotated[Any, label("anything", "how another program read its texts; never believed")] = None


class CardSetPack(Written, kw_only=True):
    """A set of cards. `source` says who entered it, and from what."""

    id: Annotated[Name, acts.PACK_ID]
    title: Annotated[Title, acts.PACK_TITLE]
    source: Annotated[Text, acts.PACK_SOURCE]
    game: Annotated[Literal["hcg"] | None, acts.GAME] = None
    cards: Annotated[
        Annotated[list[CardEntry], Meta(min_length=1, max_length=MOST_CARDS)], fact("part", "the cards of the set")
    ]


class DeckRow(Written, kw_only=True):
    """So many copies of one card."""

    card: Annotated[Name, fact("printed card", "which card it is")]
    n: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_COPIES)], fact("number", "how many copies of it there are", unit="copies")
    ]


class DeckPack(Written, kw_only=True):
    """A deck of cards of one set."""

    id: Annotated[Name, acts.PACK_ID]
    title: Annotated[Title, acts.PACK_TITLE]
    source: Annotated[Text, acts.PACK_SOURCE]
    game: Annotated[Literal["hcg"] | None, acts.GAME] = None
    set: Annotated[Name, fact("pack", "of which set its cards are")]
    side: Annotated[PlayerSide, fact("choice", "whose side the deck is for")]
    cards: Annotated[
        Annotated[list[DeckRow], Meta(min_length=1, max_length=MOST_CARDS)], fact("part", "the cards of the deck")
    ]


class PlayerEntry(Written, kw_only=True):
    id: Annotated[Name, acts.PLAYER_ID]
    name: Annotated[Text, acts.PLAYER_NAME] = ""
    side: Annotated[PlayerSide | None, fact("choice", "whose side the player is on")] = None
    deck: Annotated[
        Annotated[list[DeckRow], Meta(max_length=MOST_INSTANCES)] | None, fact("part", "the cards of the player's deck")
    ] = None
    instances: Annotated[
        Annotated[dict[Name, Name], Meta(max_length=MOST_INSTANCES)] | None,
        fact("printed card", "what each card of the player's deck is", keys="card"),
    ] = None


class SectorEntry(Written, kw_only=True):
    slot: Annotated[int, fact("sector", "which sector it is")]
    card: Annotated[Name, fact("printed card", "which sector card lies there")]


class Header(Written, kw_only=True, tag_field="type", tag="header"):
    """The first line of a log. The card set stands by id, or in full."""

    game: Annotated[Literal["hcg"], acts.GAME]
    format: Annotated[Literal[1], acts.FORMAT]
    players: Annotated[
        Annotated[list[PlayerEntry], Meta(min_length=2, max_length=2)], fact("part", "the two players and their decks")
    ]
    sectors: Annotated[
        Annotated[list[SectorEntry], Meta(max_length=8)] | None, fact("part", "which sector cards lie where")
    ] = None
    cards: Annotated[Any, fact("pack", "the card set: its id, or the set itself")] = None
    detail: Annotated[
        Literal["full", "terse"], fact("choice", "whether every act is written, or only what decides the position")
    ] = "full"
    passes: Annotated[
        Literal["explicit", "implied"], fact("choice", "whether passes are written, or follow where nothing is")
    ] = "explicit"
    rulings: Annotated[dict[str, Any] | None, acts.RULINGS] = None
    match: Annotated[dict[str, Any] | None, acts.MATCH] = None
    recorded_by: Annotated[Text | None, acts.RECORDED_BY] = None
    confirmed_by: Annotated[list[Id] | None, acts.CONFIRMED_BY] = None
    title: Annotated[Text | None, acts.TITLE] = None


CARD: Shape[CardEntry] = Shape(CardEntry)
ROW: Shape[DeckRow] = Shape(DeckRow)
HEADER: Shape[Header] = Shape(Header)

SCHEMAS: Mapping[str, Shape[Any]] = {"cards": Shape(CardSetPack), "deck": Shape(DeckPack)}
"""Kinds of packs."""
