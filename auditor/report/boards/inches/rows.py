"""The units of a table beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.report.boards.inches.plane import number
from auditor.report.boards.inches.words import states_of, units_of
from auditor.report.boards.pen import Board
from auditor.report.model import Side
from auditor.report.words import side_class


@dataclass(frozen=True)
class UnitRow:
    """A unit as the table beside the board shows it."""

    id: str
    name: str
    models: str
    wounds: str
    states: str
    acting: bool


def units(board: Board, sides: Sequence[Side]) -> tuple[tuple[Side, tuple[UnitRow, ...]], ...]:
    """Each side with its units that have models on the table."""
    found = units_of(board)
    names = {str(unit.get("id")): str(unit.get("name") or "") for unit in board.get("units") or ()}
    of = {unit: str(models[0].get("player")) for unit, models in found.items()}
    ids = sorted({*of.values(), *(side.id for side in sides)})
    out = []
    for ident in ids:
        side = next((s for s in sides if s.id == ident), None) or Side(ident, ident, side_class(ids, ident))
        rows = []
        for unit, models in found.items():
            if of[unit] != ident:
                continue
            left = [number(m.get("wounds")) for m in models]
            wounds = "?" if None in left else f"{sum(w for w in left if w is not None):g}"
            states = ", ".join(states_of(board, unit))
            acting = board.get("acting") is not None and str(board["acting"]) == unit
            rows.append(UnitRow(unit, names.get(unit, ""), str(len(models)), wounds, states, acting))
        out.append((side, tuple(rows)))
    return tuple(out)
