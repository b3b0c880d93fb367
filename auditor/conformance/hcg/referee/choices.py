"""Which cards a text lets be chosen, or pay, and the rule that bars the others (catalogue 4.7, 4.13, 4.21, 4.22, 4.25)."""

from __future__ import annotations

from auditor.conformance.hcg.table import Piece
from auditor.conformance.hcg.texts import Cost, Effect, Select, Text
from auditor.conformance.hcg.values import Reckoning

CHOOSING = ("destroy", "lock", "rally", "infiltrate", "return", "modify", "grant", "damage")
IN_PLAY = ("sector", "fleet")
PILES = {"discard pile": "discard", "hand": "command_hand"}
"""Where a text has cards infiltrated from -> the zone."""


def choosing(text: Text) -> Effect | None:
    """The effect for which a text demands a choice; None where there is none, or more than one."""
    asked = [one for one in text.effects if one.op in CHOOSING and one.what and one.what.q in ("exact", "upto")]
    return asked[0] if len(asked) == 1 else None


def may_be_chosen(table: Reckoning, card: Piece, effect: Effect, by: str, source: Piece | None) -> list[str]:
    """The rules that bar a card from being chosen for an effect; "" stands for one that the catalogue does not name."""
    what = effect.what
    assert what is not None
    if effect.op == "infiltrate":
        fits = card.owner == by and card.zone == PILES.get(effect.zone) and card.card.kind == what.kind
        return [] if fits else [""]
    if card.zone not in IN_PLAY:
        return ["DES-01" if effect.op == "destroy" else ""]
    if card.zone == "fleet" and what.kind != "ship" and what.where != "fleet":
        return ["SHIP-03"]
    if card.zone == "sector" and what.where == "here" and not table.is_here(card.id):
        return ["BA-05"]
    if card not in table.meant(Select(what.q, where=what.where, kind=card.card.kind), by, source):
        return [""]
    barred = is_not_such(table, card, what, by, source)
    if effect.op == "lock" and card.position == "locked":
        barred.append("POS-02")
    if effect.op == "rally" and card.position == "ready":
        barred.append("POS-05")
    if table.forbids(card, "be targeted", source):
        barred.append("")
    return barred


def is_not_such(table: Reckoning, card: Piece, what: Select, by: str, source: Piece | None) -> list[str]:
    """The rules by which a card in play is not what a selector means."""
    barred = []
    if (what.side == "own" and card.owner != by) or (what.side == "enemy" and card.owner == by):
        barred.append("OPT-09")
    if what.role is not None and not table.is_in_role(card, what.role):
        barred.append("TAC-08")
    if what.flag is not None and (table.flags_of(card) > 0) != what.flag:
        barred.append("FLAG-01")
    if not set(what.keywords) <= table.keywords(card):
        barred.append("KEY-01")
    if what.state is not None and card.position != what.state:
        barred.append("POS-03")
    if not barred and what.q != "self" and not table.is_such(card, what, by, source):
        barred.append("")
    return barred


def pays_for(table: Reckoning, card: Piece, cost: Cost, by: str, source: Piece | None, kind: str) -> str | None:
    """The rule that bars a card from paying a lock, a rally or a destruction; "" where it is not clear which."""
    what = cost.what
    assert what is not None
    if cost.op == "lock" and card.position == "locked":
        if card.card.kind == "ship":
            return ""
        return "BAA-02" if what.q == "self" and kind == "ba.ability" and card is source else "POS-02"
    if cost.op == "rally" and card.position == "ready":
        return "POS-05"
    if what.q == "self":
        return None if card is source else "OPT-08"
    place = card in table.fleet(by) if what.kind == "ship" else table.is_here(card.id)
    if card.owner != by or not place:
        return "OPT-08"
    barred = [rule for rule in is_not_such(table, card, what, by, source) if rule != "OPT-09"]
    if what.state is not None and card.position != what.state:
        barred = ["OPT-08"]
    return barred[0] if len(barred) == 1 else "" if barred else None
