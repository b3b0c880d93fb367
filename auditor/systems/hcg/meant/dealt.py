"""Cards that were drawn without a word.

That a draw is missing is said by the rules (HCG-DEP-01, HCG-BSET-07, HCG-BAC-01 and the like). Where the record goes on with
the cards of it, they were drawn, and nobody wrote it down: the table goes on with them in the hand, so that none of them is
said to lie elsewhere (catalogue 1.3).
"""

from __future__ import annotations

from auditor.systems.hcg import records
from auditor.systems.hcg.position.state import HAND, At, Position
from auditor.systems.hcg.reckoning.battles import is_empty
from auditor.systems.hcg.reckoning.deployment import hand_due
from auditor.systems.hcg.reckoning.effects import undrawn
from auditor.systems.hcg.reckoning.plays import ability_of


def deal(position: Position) -> None:
    """Draw the hands, or the rest of them, of which the record says nothing, before the first event that needs them."""
    event = position.table.needs_a_hand_next(position.seq)
    if isinstance(event, records.DeployRegular):
        _to_deploy(event, position)
    elif isinstance(event, records.Reshuffle):
        _before_a_refill(event, position)
    elif event is not None and position.battle is not None and position.battle.step == "setup":
        _to_command(position)


def _to_deploy(event: records.DeployRegular, position: Position) -> None:
    """The cards that a player deploys beyond those of which a draw is recorded."""
    player, later = event.by, position.table.later
    drawn = position.drawn.get(player) if player is not None else None
    if player is None or drawn is None or drawn >= HAND or position.battle is not None:
        return
    there = position.count(player, "set_aside") + position.count(player, "deploy_hand")
    if later.draws_a_hand(position.seq, player):
        return
    n = later.deploys(event.seq, player) - there
    if drawn and n > HAND - drawn:
        return  # More than a hand that was drawn explains.
    n = min(HAND, n)
    top, after = position.deck_top.get(player, ()), later.off_the_deck(position.seq, player)
    if not drawn and top[HAND : HAND + 1] and top[HAND] in after:
        n = HAND
    if n <= 0 or (top and (top[0] in after or (not there and event.card not in (None, *top[:n])))):
        return
    if event.card is None or position.may_be_drawn(event.card, player):
        _draw(player, n, "deploy_hand", position)


def _before_a_refill(event: records.Reshuffle, position: Position) -> None:
    """What a deck still has before it is refilled in the midst of a hand, where the draws of that leave out as many cards."""
    player, due = event.by, hand_due(event.by, position)
    if player is None or due is None:
        return
    left = position.deck_n.get(player)
    if left and left + position.table.later.draws(event.seq, player, due.cause) == due.n:
        _draw(player, left, "deploy_hand" if due.cause == "deployment" else "command_hand", position)


def _to_command(position: Position) -> None:
    battle = position.battle
    if battle is None or battle.skipped or any(is_empty(position, player) for player in position.table.players):
        return
    for player in position.table.players:
        due = HAND - battle.drew(player)
        if due > 0:
            back = battle.returned.count(player)  # OR-UNIQHAND: they may count among the six.
            n = next((n for n in (due, due - back) if _lies_below(player, n, position)), due)
            if _is_drawn(player, n, position):
                _draw(player, n, "command_hand", position)


def deal_for_abilities(position: Position) -> None:
    """Draw what the abilities of a battle action that is over draw, where nothing is recorded of it."""
    for play in position.plays:
        ability = ability_of(position, play)
        if ability is None or play.kind == "A" or play.passed is False:
            continue
        if play.passed is None and ability.tests:
            continue
        for effect in ability.effects:
            for player in undrawn(effect, play, position):
                n = effect.n if isinstance(effect.n, int) else _next_below(player, position)
                if _is_drawn(player, n, position):
                    _draw(player, n, "command_hand", position)


def _is_drawn(player: str, n: int, position: Position) -> bool:
    """Whether the record goes on with cards that nobody is said to have drawn: what comes off the deck next lay below them, or
    they are shown in the hand."""
    later = position.table.later
    top = position.deck_top.get(player, ())
    if top and top[0] in later.off_the_deck(position.seq, player):
        return False
    if _lies_below(player, n, position):
        return True
    held = later.held_undrawn(position.seq, player)
    if top:
        return any(one in top[:n] for one in held.surely)
    new = [one for one in held.shown if one not in position.at and position.may_be_drawn(one, player)]
    return len(new) > position.pool(player, "command_hand").n + held.unnamed


def _lies_below(player: str, n: int, position: Position) -> bool:
    top = position.deck_top.get(player, ())
    return n > 0 and any(one in position.table.later.off_the_deck(position.seq, player) for one in top[n : n + 1])


def _next_below(player: str, position: Position) -> int:
    """How many cards lie above the one that comes off a deck next; 0 where nobody knows."""
    after = position.table.later.off_the_deck(position.seq, player)
    return next((n for n, one in enumerate(position.deck_top.get(player, ())) if one in after), 0)


def _draw(player: str, n: int, zone: records.ZoneName, position: Position) -> None:
    left = position.deck_n.get(player)
    if left is not None and left < n:
        return  # There may have been a refill.
    for _ in range(n):
        position.put(position.take(player, "deck", None), At(zone, player, face="down"))
