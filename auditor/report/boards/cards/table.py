"""Reading a board of cards: whatever it holds, these give lists and texts, and never raise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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


def counted_by(sector: Mapping[str, Any], player: str) -> list[dict[str, Any]] | None:
    """What the flags of a player at a sector are made of, a line for each card or change; None where it is not known."""
    counted = mapping(sector.get("counted")).get(player)
    if counted is None:
        return None
    lines = [dict(one) for one in listing(counted) if isinstance(one, Mapping)]
    return [one for one in lines if isinstance(one.get("flags"), int)]


def named(board: Board, names: Mapping[str, str]) -> Board:
    """The board with its players by their names instead of their ids."""

    def name(player: Any) -> Any:
        return names.get(player, player) if isinstance(player, str) else player

    def keyed(value: Any) -> Any:
        return {name(key): inner for key, inner in value.items()} if isinstance(value, Mapping) else value

    def of(value: Any, key: str) -> Any:
        return {**value, key: name(value[key])} if isinstance(value, Mapping) and key in value else value

    def sector(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        players = {key: keyed(value[key]) for key in ("rows", "flags", "counted") if key in value}
        return of({**value, **players}, "by")

    lists: dict[str, Callable[[Any], Any]] = {"sectors": sector, "windows": lambda one: of(one, "next")}
    told = {key: [do(one) for one in listing(board[key])] for key, do in lists.items() if key in board}
    players = {key: keyed(board[key]) for key in ("roles", "zones") if key in board}
    return {**board, **told, **players, "battle": of(board.get("battle"), "next"), "by_name": True}
