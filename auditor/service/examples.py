"""The games that come with the program."""

from __future__ import annotations

from functools import cache
from pathlib import Path


def fixtures_dir() -> Path | None:
    """The folder of games that come with the program: in a wheel beside the code, else in the checkout."""
    here = Path(__file__).resolve().parent.parent
    for folder in (here / "_fixtures", here.parent / "fixtures"):
        if folder.is_dir():
            return folder
    return None


@cache
def samples() -> tuple[bytes, ...]:
    """The shortest game of each folder, for a child to warm up with."""
    folder = fixtures_dir()
    games = sorted(folder.glob("*/games")) if folder is not None else []
    logs = [sorted(game.glob("*.jsonl"), key=lambda path: path.stat().st_size) for game in games]
    return tuple(of_one_game[0].read_bytes() for of_one_game in logs if of_one_game)
