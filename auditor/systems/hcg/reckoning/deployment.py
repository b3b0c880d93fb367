"""Whose turn it is to flip or deploy, and what is still to be done (HCG-FW, HCG-DEP)."""

from __future__ import annotations

from auditor.core.rulings import Hearing
from auditor.systems.hcg.records import DeployRegular
from auditor.systems.hcg.state import Position


def hand_is_due(event: DeployRegular, player: str, position: Position) -> bool:
    """Whether a player must have drawn the whole hand before a card is deployed: nothing more is drawn, or it is their own
    card."""
    if event.by not in position.table.other:
        return False
    return player == event.by or not position.table.later.draws_a_hand(event.seq, player)


def waiting(position: Position, player: str, hearing: Hearing) -> tuple[int, ...]:
    """The open sectors to which a player has yet to send a first-wave card this turn.

    Asks OR-FWREPEAT where the player had cards at one of them before.
    """
    slots = position.open_slots()
    held = position.here.get(player, frozenset())
    if held.intersection(slots) and hearing.ask("OR-FWREPEAT") == "empty-only":
        slots = tuple(slot for slot in slots if slot not in held)
    served = position.served.get(player, ())
    return tuple(slot for slot in slots if slot not in served)


def next_to_flip(position: Position, hearing: Hearing) -> str | None:
    """The player whose first-wave flip is due; None where roles are unknown or the first wave is done."""
    return _next(position, lambda player: bool(waiting(position, player, hearing)))


def next_to_deploy(position: Position) -> str | None:
    """The player whose regular deployment is due; None where roles are unknown or both hands are empty."""
    return _next(position, lambda player: position.count(player, "deploy_hand") > 0)


def _next(position: Position, can: object) -> str | None:
    assert callable(can)
    defender, attacker = position.player_as("defender"), position.player_as("attacker")
    if defender is None or attacker is None:
        return None
    order = (defender, attacker) if position.last is None else (position.other(position.last), position.last)
    return next((player for player in order if can(player)), None)
