"""Who chooses a role (HCG-SETUP-02, HCG-SETUP-03)."""

from __future__ import annotations

from typing import Literal, NamedTuple

from auditor.systems.hcg import records
from auditor.systems.hcg.state import Position


class Choice(NamedTuple):
    """Who may choose a role. how: lower die, coin, tie (nobody yet), unknown."""

    how: Literal["die", "coin", "tie", "unknown"]
    player: str | None = None


def chooser(position: Position) -> Choice:
    """The player who chooses a role, by the dice as the table went on with them."""
    dice = {player: reveal.die for player, reveal in position.reveals.items()}
    first, second = position.table.players
    mine, theirs = dice.get(first), dice.get(second)
    if mine is None or theirs is None:
        return Choice("unknown")
    if mine != theirs:
        return Choice("die", first if mine < theirs else second)
    return Choice("tie") if position.coin is None else Choice("coin", position.coin)


def role_in_play(event: records.SetupRole, position: Position) -> records.Role | None:
    """The role in which the player who takes one acts from then on; None where the record does not tell."""
    if event.by is None or event.by not in position.table.other or position.roles:
        return None
    return position.table.later.role_of(event.seq, event.by)


def misplaced(event: records.SetupShuffle, position: Position) -> list[str]:
    """The cards of an order that are of the other player's deck, or stand in it twice."""
    order = event.order or []
    twice = {one for one in order if order.count(one) > 1} if len(set(order)) < len(order) else set()
    owner = position.table.owner_of
    return [one for one in dict.fromkeys(order) if one in twice or owner.get(one, event.by) != event.by]
