"""What was revealed or came off a deck, as the table went on, where a line names a card that cannot be the one.

See `as_played`; what is wrong with the line is said by the rules (HCG-SETUP-02, HCG-SETUP-05, HCG-FW-02, HCG-DOC-03,
HCG-ROLL-06).
"""

from __future__ import annotations

from typing import Any

import msgspec

from auditor.systems.hcg import records
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.refills import whose_deck


def _slip(named: list[str], player: str | None, seq: int, position: Position) -> tuple[str, str] | None:
    """(card named, card that lay there instead) of cards off the top of a deck: one that did not lie there and that the record
    takes off this deck later, in the place of one that never comes off it."""
    if player is None or player not in position.table.other:
        return None
    top = position.deck_top.get(player, ())[: len(named)]
    wrong = [one for one in named if one not in top and one not in position.passed_over]
    due = [one for one in top if one not in named]
    if len(top) != len(named) or len(wrong) != 1 or len(due) != 1:
        return None
    later = position.table.later
    if not later.comes_off(seq, player, wrong[0]) or later.comes_off(seq, player, due[0]):
        return None
    return wrong[0], due[0]


def _one(event: Any, position: Position) -> Any:
    """A roll or a flip is of the card that lay on top, where the record takes the one named off the deck later."""
    found = None if event.card is None else _slip([event.card], event.by, event.seq, position)
    return event if found is None else msgspec.structs.replace(event, card=found[1])


def _reveal(event: records.SetupReveal, position: Position) -> records.SetupReveal:
    """A card of the other player's deck was revealed by that player, who has not revealed another. Else the card on top was
    revealed, where that is known and comes off the deck next, and one that nobody knows in place of the enemy's."""
    player, later = event.by, position.table.later
    if event.card is None or player is None or player not in position.table.other:
        return event
    owner = position.owner.get(event.card, player)
    if owner != player and owner not in position.reveals and not later.reveals(event.seq, owner):
        return msgspec.structs.replace(event, by=owner)
    top = position.deck_top.get(player, ())
    if top and top[0] != event.card and top[0] in later.off_the_deck(event.seq, player):
        return msgspec.structs.replace(event, card=top[0])
    return event if owner == player else msgspec.structs.replace(event, card=None)


def _refill(event: records.Reshuffle, position: Position) -> records.Reshuffle:
    """The deck of the player whose cards are shuffled was refilled."""
    return msgspec.structs.replace(event, by=whose_deck(event, position))


AS_DRAWN: dict[type, Any] = {
    records.SetupReveal: _reveal,
    records.DeployFirst: _one,
    records.Roll: _one,
    records.Reshuffle: _refill,
}
"""Event type -> the event with the card that it was."""
