"""The yardstick of checking one event: python-chess reading and validating one ply of a game.

The games are played at random by a seeded generator and written as PGN, so that no file and no network is needed.
"""

from __future__ import annotations

import io
import random

import chess
import chess.pgn

GAMES, PLIES = 5, 80


def games(count: int = GAMES, plies: int = PLIES) -> list[str]:
    """Legal games as PGN, always the same ones."""
    return [_game(random.Random(seed), plies) for seed in range(count)]


def _game(rng: random.Random, plies: int) -> str:
    game = chess.pgn.Game()
    board, node = chess.Board(), game
    while board.ply() < plies and not board.is_game_over():
        move = rng.choice(sorted(board.legal_moves, key=chess.Move.uci))
        board.push(move)
        node = node.add_variation(move)
    return str(game)


def validate(pgns: list[str]) -> int:
    """Read games as `chess.pgn.read_game` does, every move found among the legal ones; gives back their plies."""
    plies = 0
    for pgn in pgns:
        game = chess.pgn.read_game(io.StringIO(pgn))
        assert game is not None and not game.errors
        plies += game.end().ply()
    return plies
