"""Who chooses a role (HCG-SETUP-02, HCG-SETUP-03)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple

from auditor.systems.hcg import records
from auditor.systems.hcg.position.parts import Reveal
from auditor.systems.hcg.position.state import Position


class Choice(NamedTuple):
    """Who may choose a role. how: lower die, coin, tie (nobody yet), unknown."""

    how: Literal["die", "coin", "tie", "unknown"]
    player: str | None = None


def chooser(position: Position) -> Choice:
    """The player who chooses a role, by the dice as the table went on with them: of a die number that is told wrongly, nobody
    knows with which of the two."""
    first, second = (_dice(position.reveals.get(player), position) for player in position.table.players)
    found = {_chooser(mine, theirs, position) for mine in first for theirs in second}
    return found.pop() if len(found) == 1 else Choice("unknown")


def _dice(reveal: Reveal | None, position: Position) -> set[int | None]:
    """The die numbers with which play may have gone on: as told, and as the card that was revealed bears it."""
    card = None if reveal is None else position.card_of(reveal.card)
    told = None if reveal is None else reveal.die
    return {told} if card is None or card.die is None or told is None else {told, card.die}


def _chooser(mine: int | None, theirs: int | None, position: Position) -> Choice:
    first, second = position.table.players
    if mine is None or theirs is None:
        return Choice("unknown")
    if mine != theirs:
        return Choice("die", first if mine < theirs else second)
    return Choice("tie") if position.coin is None else Choice("coin", position.coin)


def other_role(position: Position) -> Callable[[], records.SetupRole] | None:
    """The choice of the other role by the player who chose one; None where nobody did."""
    by = position.role_by
    if by is None:
        return None
    role: records.Role = "attacker" if position.roles.get(by) == "defender" else "defender"
    return partial(records.SetupRole, seq=0, by=by, role=role)


def roles_of(by: str | None) -> list[records.SetupRole]:
    """The choices of a role that a player has."""
    return [records.SetupRole(seq=0, by=by, role="attacker"), records.SetupRole(seq=0, by=by, role="defender")]


def misplaced(event: records.SetupShuffle, position: Position) -> list[str]:
    """The cards of an order that are of the other player's deck, or stand in it twice."""
    order = event.order or []
    twice = {one for one in order if order.count(one) > 1} if len(set(order)) < len(order) else set()
    owner = position.table.owner_of
    return [one for one in dict.fromkeys(order) if one in twice or owner.get(one, event.by) != event.by]
