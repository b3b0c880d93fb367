"""Which part left out of a number, or put in wrongly, explains how far it is off (catalogue 1.1, 4.24)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from auditor.conformance.hcg.cards import STATS
from auditor.conformance.hcg.table import PLAYERS, Piece
from auditor.conformance.hcg.texts import Static
from auditor.conformance.hcg.values import Reckoning

TAINTS = (*STATS, "flag", "damage", "destroy", "block", "charge")


def speaks_of_numbers(text: Static) -> bool:
    """Whether a text that cannot be read may change a number of a fight (catalogue 8, 6)."""
    return text.kind == "unread" and any(word in text.text.lower() for word in TAINTS)


def standing_parts(table: Reckoning, piece: Piece, stat: str) -> Iterator[tuple[str, int]]:
    """What each text that is always on gives to a card: the rule that a wrong count breaks, and the amount."""
    own = [(one, text) for player in PLAYERS for one in table.row(player) for text in one.card.statics]
    for source, text in [*own, *((None, text) for text in table.sectors[table.sector].statics)]:
        if text.kind != "standing" or text.what is None:
            continue
        owner = source.owner if source is not None else ""
        meant = source is piece if text.what.q == "self" else table.is_such(piece, text.what, owner, source)
        if not meant:
            continue
        if text.condition is not None and source is not None and not table.holds(text.condition, owner, source):
            continue
        for name, sign, amount in text.mods:
            if name == stat:
                yield "STAT-01" if source is not None else "CARD-05", sign * int(amount)


def versus_parts(table: Reckoning, piece: Piece, stat: str) -> Iterator[tuple[bool, int]]:
    """What each versus text of a card gives: whether it applies now, and the amount."""
    foe = table.foe(piece)
    for text in piece.card.statics:
        if text.kind == "versus" and text.what is not None and foe is not None:
            applies = table.is_such(foe, text.what, piece.owner, piece)
            for name, sign, amount in text.mods:
                if name == stat:
                    yield applies, sign * int(amount)


def misread_by(
    table: Reckoning, piece: Piece, stat: str, off: int, ended: Mapping[str, list[tuple[str, int]]]
) -> str | None:
    """The rule that says why a number is off by so much; None where no one part explains it."""
    versus = list(versus_parts(table, piece, stat))
    if any(applies and amount == -off for applies, amount in versus):
        return "VS-01"
    for rule, amount in standing_parts(table, piece, stat):
        if amount == -off:
            return rule
    if any(name == stat and amount == off for name, amount in ended.get(piece.id, ())):
        return "TAC-06"
    if any(not applies and amount == off for applies, amount in versus):
        return "VS-03"
    return None
