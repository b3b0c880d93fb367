"""What is known of each player's hand, deck, fleet and discard pile, beside the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.report.boards.cards.table import cards_of, mapping, unknown_in
from auditor.report.boards.cards.words import row_words
from auditor.report.boards.pen import Board
from auditor.report.model import Side
from auditor.report.words import label, side_class


@dataclass(frozen=True)
class ZoneRow:
    """A zone of a player: how many cards, and which as far as they are known."""

    name: str
    count: str
    cards: str


def zones(board: Board, sides: Sequence[Side]) -> tuple[tuple[Side, tuple[ZoneRow, ...]], ...]:
    """Each player with the zones that hold cards; the deck always."""
    found = mapping(board.get("zones"))
    ids = sorted({*map(str, found), *(side.id for side in sides)})
    out = []
    for ident in ids:
        side = next((s for s in sides if s.id == ident), None) or Side(ident, ident, side_class(ids, ident))
        rows = []
        for name, row in mapping(found.get(ident)).items():
            if name == "deck":
                rows.append(ZoneRow("deck", "?" if row is None else str(row), ""))
                continue
            n = len(cards_of(row)) + unknown_in(row)
            if n:
                rows.append(ZoneRow(label(str(name)), str(n), row_words(row)))
        out.append((side, tuple(rows)))
    return tuple(out)
