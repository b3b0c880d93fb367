"""A position as a record states it (catalogue 5.3, Position): where every card lies as a battle phase begins."""

from __future__ import annotations

from auditor.conformance.hcg.game import Game
from auditor.conformance.hcg.table import PLAYERS, SLOTS, Event, Piece

LISTS = ("deploy_hand", "command_hand", "discard", "limbo", "set_aside")


def position_of(game: Game) -> Event:
    """The fields of a position before the first battle of a turn is chosen. It leaves nothing out."""
    return {
        "phase": "battle",
        "roles": {game.atk: "attacker", game.dfd: "defender"},
        "planet": game.sectors[1].planet,
        "next": game.atk,
        "sectors": [sector_of(game, slot) for slot in SLOTS],
        "served": {player: [] for player in PLAYERS},
        "zones": {player: zones_of(game, player) for player in PLAYERS},
    }


def sector_of(game: Game, slot: int) -> Event:
    taken = {"state": "taken", "by": game.taken[slot]} if slot in game.taken else {"state": "open"}
    return {"slot": slot, **taken, "fought": slot in game.fought}


def zones_of(game: Game, player: str) -> Event:
    """Where a player's cards lie."""
    deck = list(game.zone(player, "deck"))
    return {
        "deck": {"n": len(deck), "order": deck},
        **{name: list(game.zone(player, name)) for name in LISTS},
        "sectors": {str(slot): [row(piece) for piece in game.row(player, slot)] for slot in SLOTS},
        "fleet": [row(piece) for piece in game.fleet(player)],
    }


def row(piece: Piece) -> Event:
    return {"card": piece.id, "face": piece.face, "position": piece.position}
