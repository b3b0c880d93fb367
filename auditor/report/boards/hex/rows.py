"""The units of a hex board as tables beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.report.boards.hex.places import hex_words, names_of
from auditor.report.boards.pen import Board
from auditor.report.model import Json, Side
from auditor.report.words import label, side_class


@dataclass(frozen=True)
class UnitRow:
    """A unit as the table beside the board shows it."""

    id: str
    place: str
    models: str
    bulk: str
    tp: str
    acting: bool


def units(board: Board, sides: Sequence[Side]) -> tuple[tuple[Side, tuple[UnitRow, ...]], ...]:
    units, names = board.get("units") or (), names_of(board)
    ids = sorted({str(u.get("side")) for u in units} | {s.id for s in sides})
    out = []
    for ident in ids:
        side = next((s for s in sides if s.id == ident), None) or Side(ident, ident, side_class(ids, ident))
        rows = [
            UnitRow(
                str(u["id"]),
                hex_words(u["hex"], names),
                ", ".join(_carries(m) for m in u.get("models") or ()) or "none",
                str(sum(m["bulk"] for m in u.get("models") or () if isinstance(m.get("bulk"), int))),
                "?" if u.get("tp") is None else str(u["tp"]),
                u["id"] == board.get("acting"),
            )
            for u in units
            if str(u.get("side")) == ident
        ]
        out.append((side, tuple(rows)))
    return tuple(out)


def _carries(model: Json) -> str:
    things = [label(str(w)) for w in (*(model.get("weapons") or ()), *(model.get("wargear") or ()))]
    name = str(model.get("name") or model.get("id"))
    return f"{name} ({', '.join(things)})" if things else name
