"""What an event made happen, as far as a reaction may wait for it (catalogue 4.23, HCG-REA-01; 5.3, Windows)."""

from __future__ import annotations

from auditor.conformance.hcg.referee.found import NotJudged
from auditor.conformance.hcg.table import Event, Happening, Piece, other
from auditor.conformance.hcg.texts import Trigger
from auditor.conformance.hcg.values import Reckoning

OF_AN_ATTACK = {
    "ba.shoot": (("shoots", "unit"), ("locked", "unit"), ("attacked", "target")),
    "ba.assault": (("assaults", "unit"), ("locked", "unit"), ("attacked", "target")),
    "ba.charge": (("charges", "unit"),),
    "block": (("blocks", "unit"), ("locked", "unit")),
    "sweep": (("assaults", "unit"), ("attacked", "target")),
}
TO_CARDS = {"destroy": "destroyed", "lock": "locked", "infiltrate": "infiltrated"}
BY_A_PLAYER = {"discard": "discards", "draw": "draws"}
PERHAPS = {
    "ba.assault": ("attacked",),
    "block": ("attacked",),
    "mill": ("discards",),
    "roll": ("discards", "draws"),
    "effect": (*TO_CARDS.values(), *BY_A_PLAYER.values()),
}
"""What the catalogue leaves open: whether an event is such an act too."""


def acts_of(event: Event) -> list[Happening]:
    """What certainly happened by an event."""
    type_, by = event["type"], event.get("by")
    acts = [Happening(act, event[key]) for act, key in OF_AN_ATTACK.get(type_, ()) if key in event]
    kind = event.get("op") if type_ == "cost" else type_
    cards = event.get("destroyed") if type_ == "ba.withdraw" else event.get("cards")
    if type_ == "ba.withdraw":
        kind = "destroy"
    if kind in TO_CARDS and isinstance(cards, list):
        acts += [Happening(TO_CARDS[kind], name) for name in cards]
    if kind in BY_A_PLAYER:
        acts.append(Happening(BY_A_PLAYER[kind], player=by))
    if type_ == "damage" and event.get("destroyed"):
        acts.append(Happening("destroyed", event.get("to")))
    source = event.get("source")
    if type_ == "ba.card" or (
        type_ in ("tactic", "reaction", "modifier") and isinstance(source, dict) and source.get("ability") == "line"
    ):
        acts.append(Happening("plays", player=by))
    return acts


def is_answer(table: Reckoning, trigger: Trigger, event: Event, by: str, source: Piece) -> bool:
    """Whether an event is what a reaction of `by` waits for. Raises NotJudged where nobody can tell."""
    same = [one for one in acts_of(event) if one.act == trigger.act]
    if not same:
        if trigger.act in PERHAPS.get(event["type"], ()) or (event["type"] == "damage" and "destroyed" not in event):
            raise NotJudged("whether this is what a reaction waits for")
        return False
    what = trigger.what
    if what is None:
        if trigger.player not in ("you", "enemy"):
            raise NotJudged("a trigger of both players")
        return (by if trigger.player == "you" else other(by)) in {one.player for one in same}
    pieces = [table.pieces[one.piece] for one in same if one.piece in table.pieces]
    if what.q == "self":
        return source in pieces
    if what.kind == "card" and any(piece.card.kind == "ship" for piece in pieces):
        raise NotJudged("whether a card that a reaction waits for may be a ship")
    if any(table.is_such(piece, what, by, source) for piece in pieces):
        return True
    if what.state or what.role or what.limit or what.keywords or what.flag is not None:
        raise NotJudged("what a card was when a reaction could answer it")
    return False
