"""How many cards a player discards for an ability (HCG-OPT-04, HCG-DISC-01, HCG-OPT-06)."""

from __future__ import annotations

from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.abilities.shapes import Effect
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.costs import cards_of, unpaid
from auditor.systems.hcg.reckoning.plays import ability_of, play_by


def discards_of(play: Play | None, ability: Ability | None, *players: str | None) -> Effect | None:
    """The part of a text by which one of these discards from the hand ("enemy", "each", "you" or None for the player);
    None where it has none, or several."""
    if play is None or ability is None or ability.status != "full":
        return None
    found = [one for one in ability.effects if one.op == "discard"]
    if len(found) != 1 or found[0].player not in players:
        return None
    return found[0] if found[0].source is None or found[0].source.place == "hand" else None


def done(play: Play, op: str) -> int:
    """The number of cards to which an ability has done something so far."""
    return sum(len(cards) for one, cards in play.done if one == op)


def discarded(effect: Effect, play: Play, player: str) -> int:
    """How many cards a player has discarded so far for an ability."""
    if effect.player != "each":
        return done(play, "discard")
    return sum(n for one, _, n, _ in play.picked if one == player)


def due_now(event: records.Discard | records.Cost, position: Position) -> tuple[str, int] | None:
    """(who discards, how many cards) by the text that a discard is for, as many as are in the hand; None where that cannot be
    told, or not all cards of the hand are known."""
    play = play_by(event, position)
    ability = ability_of(position, play)
    if play is None or ability is None or event.cards is None:
        return None
    if isinstance(event, records.Cost):
        left, towards = unpaid(ability, play)
        due = left[0] if left and left[0].op == event.op == "discard" and not left[0].upto else None
        n = None if due is None else cards_of(due, ability, play)
        player, n = play.by, None if n is None else n - towards
    else:
        effect = discards_of(play, ability, None, "you", "enemy", "each")
        if effect is None or effect.upto or not isinstance(effect.n, int):
            return None
        theirs = position.other(play.by) if effect.player == "enemy" else play.by
        player = event.by if effect.player == "each" and event.by in position.table.other else theirs
        n = effect.n - discarded(effect, play, player)
    if n is None or position.pool(player, "command_hand").n or position.table.setup.terse:
        return None
    held = [one for one in position.located(player, "command_hand") if one != play.card]
    return player, max(0, min(n, len(held)))
