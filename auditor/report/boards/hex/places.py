"""Places of a hex board in words: hexes, paths and hexsides as a player would read them out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Names = Mapping[tuple[Any, ...], str]
NO_NAMES: Names = {}


def is_pair(value: Any) -> bool:
    """Whether this is a place [q, r]: two integers."""
    return (
        isinstance(value, list | tuple)
        and len(value) == 2
        and all(isinstance(n, int) and not isinstance(n, bool) for n in value)
    )


def names_of(board: Mapping[str, Any]) -> Names:
    """What is printed on the hexes of a board, where it says so: {(3, -1): "C7"}."""
    return {(h[0], h[1]): str(h[3]) for h in board.get("hexes") or () if len(h) > 3}


def hex_words(place: Sequence[Any], names: Names = NO_NAMES) -> str:
    """'3,-1', as players write it, so that it can be searched for; 'C7 (3,-1)' where the board has a name for it."""
    said = ",".join(str(n) for n in place)
    name = names.get(tuple(place)) if names else None
    return said if name is None else f"{name} ({said})"


def path_words(path: Iterable[Sequence[Any]], names: Names = NO_NAMES) -> str:
    """'0,0 → 1,0'."""
    return " → ".join(hex_words(p, names) for p in path)


def edge_words(edge: Iterable[Sequence[Any]], names: Names = NO_NAMES) -> str:
    """'0,0 | 1,0', the two hexes that share a hexside."""
    return " | ".join(hex_words(p, names) for p in edge)


def value_words(value: Any, name: str, names: Names = NO_NAMES) -> str | None:
    """Words for a value that is a hex, a path, a hexside or a list of hexes, by the name of its field; None: it is none."""
    if is_pair(value):
        return hex_words(value, names)
    if isinstance(value, list | tuple) and value and all(is_pair(v) for v in value):
        if "edge" in name or "door" in name:
            return edge_words(value, names)
        if "path" in name:
            return path_words(value, names)
        return " · ".join(hex_words(v, names) for v in value)
    return None
