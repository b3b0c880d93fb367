"""The games that come with the program."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path


def fixtures_dir() -> Path | None:
    """The folder of games that come with the program: in a wheel beside the code, else in the checkout."""
    here = Path(__file__).resolve().parent.parent
    for folder in (here / "_fixtures", here.parent / "fixtures"):
        if folder.is_dir():
            return folder
    return None


def games_in(folder: Path) -> list[Path]:
    """The games of a folder of them, by name: logs as JSONL, or as one object. What is expected of one is no game."""
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix == ".jsonl" or (path.suffix == ".json" and not path.name.endswith(".expected.json"))
    )


@cache
def example_hashes() -> frozenset[str]:
    """The SHA-256 of each game that comes with the program."""
    folder = fixtures_dir()
    games = sorted(folder.glob("*/games")) if folder is not None else []
    return frozenset(hashlib.sha256(path.read_bytes()).hexdigest() for each in games for path in games_in(each))


LARGEST_SAMPLE = 64 * 1024
"""Bytes of a game that a child warms up with: a longer one would keep the first upload waiting."""


@cache
def samples() -> tuple[bytes, ...]:
    """The shortest game of each folder without a planted fault, for a child to warm up with: what accusations lead to takes
    ten times as long. None of a folder whose games are all long."""
    folder = fixtures_dir()
    folders = sorted(folder.glob("*/games")) if folder is not None else []
    games = [games_in(each) for each in folders]
    legal = [[path for path in logs if not path.stem.startswith("faulty-")] or logs for logs in games if logs]
    shortest = [min(logs, key=lambda path: path.stat().st_size) for logs in legal]
    return tuple(path.read_bytes() for path in shortest if path.stat().st_size <= LARGEST_SAMPLE)
