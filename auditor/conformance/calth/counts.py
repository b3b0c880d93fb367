"""What can be seen from each hex of a board, counted by the second referee's slow exact arithmetic.

Like the perft numbers of chess programs: long lists of small totals that no two wrong programs get alike. Every
number stands for pairs of different hexes on which models can stand, the shooter's named first.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from auditor.conformance.calth.board import Board, Edge, Hex
from auditor.conformance.calth.sight import Scene, look
from auditor.conformance.calth.tables import READINGS, Readings

Row = dict[str, int]
ABOUT_SIGHT = tuple(name for name in READINGS if name.startswith(("R-LOS-", "R-OBS-", "R-BAR-", "R-DST-")))
"""The readings on which a count may hang."""
SIGHT = ("clear", "obscured", "none")
BARRICADE = {True: "over_barricade", False: "no_barricade", None: "either"}
FAR = ("distance_1", "distance_2", "distance_3", "distance_4_up", "no_route")
MADE_BY = (
    "python -m auditor.conformance.calth counts fixtures/calth/counts: every pair of hexes asked of the second referee "
    "(auditor/conformance/calth/sight.py and board.py), which shares no code with the auditor, in exact arithmetic"
)
MEANS = {
    "clear": "hexes seen clear",
    "obscured": "hexes seen obscured and not clear",
    "none": "hexes not seen at all",
    "over_barricade": "of those seen, hexes that a barricade protects from this shot",
    "no_barricade": "of those seen, hexes that no barricade protects from this shot",
    "either": "of those seen, hexes for which the aim would decide, and no aim is declared",
    "distance_1": "hexes at a distance of exactly 1",
    "distance_2": "hexes at a distance of exactly 2",
    "distance_3": "hexes at a distance of exactly 3",
    "distance_4_up": "hexes at a distance of 4 or more",
    "no_route": "hexes to which no route leads",
}


def standable(board: Board) -> list[Hex]:
    """The hexes on which models can stand, sorted."""
    return sorted(h for h in board.kinds if not board.is_shut(h))


def row(board: Board, start: Hex, sealed: Collection[Edge], occupied: Collection[Hex], readings: Readings) -> Row:
    """What is seen from one hex, and how far the other hexes are."""
    found: Counter[str] = Counter()
    for end in standable(board):
        if end == start:
            continue
        sight = look(Scene(board, start, end, occupied, sealed, readings))
        found[sight.kind] += 1
        if sight.kind != "none":
            found[BARRICADE[sight.barricade]] += 1
        away = board.distance(start, end, sealed, occupied, readings)
        found["no_route" if away is None else "distance_4_up" if away > 3 else f"distance_{away}"] += 1
    return {name: found[name] for name in (*SIGHT, *BARRICADE.values(), *FAR)}


def total(rows: Collection[Row]) -> Row:
    """The sums of some rows."""
    return {name: sum(one[name] for one in rows) for name in MEANS}


def rows(board: Board, sealed: Collection[Edge], occupied: Collection[Hex], readings: Readings) -> dict[Hex, Row]:
    """The rows of all hexes on which models can stand."""
    return {start: row(board, start, sealed, occupied, readings) for start in standable(board)}


def crowd(board: Board) -> list[Hex]:
    """Every third hex on which models can stand: those that are taken as occupied where units matter."""
    return standable(board)[::3]


def counted(pack: Mapping[str, Any]) -> dict[str, Any]:
    """All counts of a board pack, with how they were made. This takes minutes."""
    board = Board.read(pack)
    as_drawn = sorted(edge for edge, shut in board.doors.items() if shut)
    tables: dict[str, Any] = {}
    for name, sealed in (("doors_as_the_pack_begins", as_drawn), ("all_doors_open", [])):
        made = rows(board, sealed, (), {})
        tables[name] = {
            "sealed": sealed,
            "occupied": [],
            "total": total(made.values()),
            "hexes": [_named(start, one) for start, one in made.items()],
        }
    occupied = crowd(board)

    def crowded(readings: Readings) -> Row:
        return total(rows(board, as_drawn, occupied, readings).values())

    return {
        "board": pack["id"],
        "made_by": MADE_BY,
        "means": MEANS,
        "hexes": len(standable(board)),
        "tables": tables,
        "readings": {
            "sealed": as_drawn,
            "occupied": occupied,
            "defaults": crowded({}),
            "other_options": {
                name: {choice: crowded({name: choice}) for choice in READINGS[name][1:]} for name in ABOUT_SIGHT
            },
        },
    }


def _named(start: Hex, numbers: Row) -> dict[str, Any]:
    return {"hex": start, **numbers}


def as_text(counts: Mapping[str, Any]) -> str:
    """The counts as JSON, one row or list a line, the same to the byte wherever they are made."""
    return _lines(counts, "") + "\n"


def _lines(value: Any, indent: str) -> str:
    if isinstance(value, Mapping) and any(isinstance(inner, Mapping | list) for inner in value.values()):
        if "hex" not in value:
            inner = ",\n".join(f"{indent} {json.dumps(k)}: {_lines(v, indent + ' ')}" for k, v in value.items())
            return f"{{\n{inner}\n{indent}}}"
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        inner = ",\n".join(f"{indent} {json.dumps(one)}" for one in value)
        return f"[\n{inner}\n{indent}]"
    return json.dumps(value)
