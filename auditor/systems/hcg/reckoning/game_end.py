"""Who has won the game, and whether it goes on (catalogue 4.27)."""

from __future__ import annotations

from typing import NamedTuple

from auditor.core.findings import Figure
from auditor.core.rulings import Hearing
from auditor.systems.hcg.position.parts import SLOTS
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.battles import may_fight_at

LAST_TURN = 4


class Standing(NamedTuple):
    """How a game stands at the end of a turn.

    over     whether it ends there; `winner`, None for a draw
    reason   two_sectors, turn4_total, extra_turn, draw
    unknown  why it cannot be told
    """

    over: bool
    winner: str | None = None
    reason: str | None = None
    unknown: str | None = None


GOES_ON = Standing(False)


def taken_by(position: Position, player: str) -> list[int]:
    return [slot for slot in SLOTS if _is_taken(position, slot) and position.sectors[slot].by == player]


def _is_taken(position: Position, slot: int) -> bool:
    return position.sectors[slot].state == "taken"


def winner_by_sectors(position: Position) -> str | None:
    """Who has taken two sectors (HCG-WIN-01)."""
    if sum(sector.state == "taken" for sector in position.sectors.values()) < 2:
        return None
    return next((player for player in position.table.players if len(taken_by(position, player)) > 1), None)


def sum_of(position: Position, player: str) -> Figure | None:
    """The sum of the requirements of the sectors that a player has taken; None where one is not known."""
    parts: list[tuple[str, int]] = []
    for slot in taken_by(position, player):
        card = position.table.cards.get(position.sectors[slot].card)
        if card is None or card.requirement is None:
            return None
        parts.append((card.title, card.requirement))
    return Figure(f"requirements of {player}", sum(n for _, n in parts), tuple(parts))


def turn_is_over(position: Position) -> bool:
    """Whether nothing of a turn is left to be done but its end phase."""
    if position.phase != "battle":
        return position.phase == "end"
    battle = position.battle
    if battle is not None and (battle.victory is None or not battle.victory.closed):
        return False
    return not any(one not in position.had and may_fight_at(position, one) for one in position.table.players)


def standing(position: Position, hearing: Hearing) -> Standing:
    """How the game stands if a turn ends now (HCG-WIN-01 to HCG-WIN-03)."""
    two = winner_by_sectors(position)
    if two is not None:
        return Standing(True, two, "two_sectors")
    if position.turn < LAST_TURN:
        return GOES_ON
    if not any(_is_taken(position, slot) for slot in SLOTS):
        return GOES_ON
    if any(_is_taken(position, slot) and position.sectors[slot].by is None for slot in SLOTS):
        return Standing(False, unknown="it is not known who took a sector")
    first, second = position.table.players
    ours, theirs = sum_of(position, first), sum_of(position, second)
    if ours is None or theirs is None:
        return Standing(False, unknown="the requirement of a sector is not known")
    if _both_this_turn(position) and hearing.ask("OR-EXTRABOTH") == "play-on":
        return GOES_ON
    if ours.value != theirs.value:
        reason = "turn4_total" if position.turn == LAST_TURN else "extra_turn"
        return Standing(True, first if int(ours.value) > int(theirs.value) else second, reason)
    return Standing(True, None, "draw") if hearing.ask("OR-TIE") == "draw" else GOES_ON


def _both_this_turn(position: Position) -> bool:
    """Whether both players took their first sector in the same extra turn."""
    if position.turn <= LAST_TURN:
        return False
    when = [[position.sectors[slot].when for slot in taken_by(position, one)] for one in position.table.players]
    return all(turns == [position.turn] for turns in when)
