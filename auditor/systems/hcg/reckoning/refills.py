"""Which cards a refill of a deck takes, and which events need cards from it (HCG-ROLL-06)."""

from __future__ import annotations

from typing import Any

from auditor.systems.hcg import records
from auditor.systems.hcg.position.parts import Rolling
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.deployment import is_said_again


def needs(event: records.Event) -> int | None:
    """How many cards an event takes off the deck of its player; None where it does not say, 0 where it takes none."""
    if isinstance(event, records.Draw):
        return event.n if event.n is not None else len(event.cards) if event.cards is not None else None
    if isinstance(event, records.Mill) or (isinstance(event, records.Cost) and event.op == "mill"):
        return len(event.cards) if event.cards is not None else None
    if isinstance(event, records.Roll):
        return 1 if event.card is not None else 0  # Real dice take none.
    return 1 if isinstance(event, records.DeployFirst) else 0


def off_the_deck(event: Any) -> list[str]:
    """The instances that an event takes off the top of a deck, in order."""
    if isinstance(event, (records.Roll, records.DeployFirst)):
        return [] if event.card is None else [event.card]
    return list(event.cards or ())


def whose_deck(event: records.Event, position: Position) -> str | None:
    """Off whose deck an event takes cards, or which one it refills: that of its player, unless all the cards are of the other
    one's (HCG-DOC-02, HCG-ROLL-06)."""
    player, cards = event.by, event.order if isinstance(event, records.Reshuffle) else off_the_deck(event)
    if player not in position.table.other or not cards:
        return player
    other = position.other(player)
    return other if all(position.owner.get(one) == other for one in cards) else player


MAY_RUN_SHORT = frozenset(
    {records.Draw, records.Mill, records.Cost, records.Roll, records.DeployFirst, records.Reshuffle}
)
"""Event types that may take cards off a deck, and that of a refill."""


def ran_short(event: records.Event, position: Position) -> str | None:
    """The player who needed a card from an empty deck when an event came: more was taken than there was, or the empty deck
    was refilled. None where nobody did, or nobody can say."""
    if type(event) not in MAY_RUN_SHORT:
        return None
    player = whose_deck(event, position)
    left = position.deck_n.get(player) if player is not None else None
    if left is None or position.table.setup.terse:
        return None
    if isinstance(event, records.Reshuffle):
        return player if left == 0 else None
    n = needs(event)
    if n is None or n <= left:
        return None
    return None if isinstance(event, records.Draw) and is_said_again(event, str(player), position) else player


def comes_late(event: records.Reshuffle, position: Position) -> bool:
    """Whether a refill is written after the line that had needed it, with which the deck was refilled: no other line has taken
    a card off it since."""
    player = event.by or ""
    return position.refilled.get(player) == position.table.took_before(event.seq, player)


def pile_of(position: Position, player: str) -> list[str]:
    """The known cards of a player's discard pile, with those destroyed in the damage step under way."""
    doomed = position.action.doomed if position.action is not None else ()
    return [*position.located(player, "discard"), *(one for one in doomed if position.owner.get(one) == player)]


def limbo(position: Position, player: str) -> tuple[list[str], int]:
    """Cards that may lie on the table and not yet in the pile: one just being rolled, hand cards that were played. Those
    known to be in the one or the other, and how many of the pile's unknown cards may be such."""
    if position.battle is None and (position.roll is None or position.roll.settled):
        return [], 0  # After a battle nothing that was played or rolled in it lies on the table.
    rolls = [one for one in (*position.below, position.roll) if one is not None and not _gone(one, position)]
    found = {card for roll in rolls if roll.by == player for card in (roll.card, *roll.before) if card is not None}
    found |= set(position.settled)
    plays = [one for one in position.plays if one.zone == "hand" and one.by == player]
    found |= {one.card for one in plays if not one.over and not one.refilled}
    unknown = sum(one not in position.at and position.may_be(one, player, "discard") for one in found)
    return [one for one in pile_of(position, player) if one in found], min(unknown, position.pool(player, "discard").n)


def _gone(roll: Rolling, position: Position) -> bool:
    """Whether a roll was made for an ability of a battle action that is over: its card lies in the pile."""
    return roll.settled and roll.play is not None and all(roll.play != one.seq for one in position.plays)
