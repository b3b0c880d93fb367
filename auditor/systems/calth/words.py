"""Words for hexes, numbers, lists and players, as they stand in sentences."""

from __future__ import annotations

from auditor.geometry.hexes import Hex
from auditor.systems.words import count as count
from auditor.systems.words import listed


def at(hex_: Hex | None) -> str:
    """A hex in words: `7,5`."""
    return "an unknown hex" if hex_ is None else f"{hex_[0]},{hex_[1]}"


def noun(n: int, one: str) -> str:
    """`die` or `dice`, as the number of them asks."""
    return one if n == 1 else {"die": "dice"}.get(one, f"{one}s")


names = listed
PLAYERS = {"UM": "the Ultramarines", "WB": "the Word Bearers"}
