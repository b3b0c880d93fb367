"""Reading a board of cards: whatever it holds, these give lists and texts, and never raise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from auditor.report.boards.pen import Board

Card = Mapping[str, Any]


def mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def listing(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


def cards_of(row: Any) -> list[Card]:
    return [card for card in listing(mapping(row).get("cards")) if isinstance(card, Mapping)]


def unknown_in(row: Any) -> int:
    """How many cards of a row nobody can name."""
    n = mapping(row).get("unknown")
    return n if isinstance(n, int) and n > 0 else 0


def sectors(board: Board) -> list[Mapping[str, Any]]:
    return [sector for sector in listing(board.get("sectors")) if isinstance(sector, Mapping)]


def players(board: Board) -> list[str]:
    """The players of a board, in the order in which it names them."""
    named = [*mapping(board.get("roles")), *mapping(board.get("zones"))]
    for sector in sectors(board):
        named += mapping(sector.get("rows"))
    return list(dict.fromkeys(map(str, named)))


def placed(board: Board) -> Iterator[tuple[str, str, Card]]:
    """Every card that is known: whose, where, the card."""
    for sector in sectors(board):
        for player, row in mapping(sector.get("rows")).items():
            for card in cards_of(row):
                yield str(player), f"sector {sector.get('slot')}", card
    for player, zones in mapping(board.get("zones")).items():
        for zone, row in mapping(zones).items():
            for card in cards_of(row):
                yield str(player), str(zone).replace("_", " "), card


def name_of(card: Card) -> str:
    """Its title; of a card that no pack knows, its id."""
    return str(card.get("title") or card.get("card") or "a card")


def fought(board: Board) -> Any:
    """The sector of the battle, if one is fought."""
    return mapping(board.get("battle")).get("sector")
