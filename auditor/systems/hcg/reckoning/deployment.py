"""Whose turn it is to flip or deploy, and what is still to be done (HCG-FW, HCG-DEP)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.parts import AFTER_FIRST_WAVE, HAND, PHASES
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.battles import is_empty
from auditor.systems.hcg.reckoning.plays import play_by
from auditor.systems.hcg.records import DeployFirst, DeployRegular, Draw, PhaseStart, TurnStart, ZoneName


def begins_as_foretold(event: records.Event, position: Position) -> bool:
    """Whether a mark is that of the turn which a position has stated before it: nothing ends there and nothing begins."""
    return isinstance(event, TurnStart) and position.foretold and event.turn in (None, position.turn)


def begins_again(event: records.Event, position: Position) -> bool:
    """Whether a mark is that of the turn whose first wave is under way: no other turn begins."""
    under_way = position.turn > 0 and position.phase == "first_wave" and not position.foretold
    return isinstance(event, TurnStart) and under_way and event.turn == position.turn_said


def begins_unsaid(event: records.Event, position: Position) -> bool:
    """Whether a new turn begins with its first wave, and nothing says that it begins: the turn before is in its end phase."""
    first = isinstance(event, DeployFirst) or (isinstance(event, PhaseStart) and event.phase == "first_wave")
    return first and position.phase == "end"


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


def may_be_spent(player: str, position: Position, hearing: Hearing) -> bool:
    """Whether nobody can say that there is a card to come off a player's deck: it has none left, or nobody knows how many,
    and it is not refilled (OR-DECKOUT)."""
    if position.deck_n.get(player):
        return False
    return not position.count(player, "discard") or hearing.ask("OR-DECKOUT") != "reshuffle"


def can_flip(player: str, position: Position, hearing: Hearing) -> bool:
    """Whether a player has a card for the first wave: a deck of which nothing has been discarded has not run out."""
    if position.deck_n.get(player) is None and not position.count(player, "discard"):
        return True
    return not may_be_spent(player, position, hearing)


def strays(position: Position, player: str) -> int:
    """How many first-wave cards of a player went to a sector that is not open, or to one that had one already."""
    served = position.served.get(player, ())
    return len(served) - len(set(served).intersection(position.open_slots()))


def ends_first_wave(event: records.Event, position: Position) -> bool:
    """Whether the first wave is over with an event: none of its flips is recorded after that."""
    if isinstance(event, PhaseStart):
        still = event.phase in (None, "first_wave")
    elif isinstance(event, TurnStart):
        still = begins_as_foretold(event, position) or begins_again(event, position)
    else:
        still = isinstance(event, Draw) and event.cause != "deployment"
    return not still and isinstance(event, AFTER_FIRST_WAVE) and not position.table.later_flip(event.seq)


def is_without_a_flip(player: str, event: DeployFirst, position: Position, hearing: Hearing) -> bool:
    """Whether a player flips fewer cards from an event on than are due, and the other player, who flips one in it, no more: not
    who goes on is at fault, a flip is missing."""
    due = {one: len(waiting(position, one, hearing)) for one in position.table.players}
    return _goes_on_without(player, event, due, position)


def is_without_a_deployment(player: str, event: DeployRegular, position: Position) -> bool:
    """Whether a player deploys fewer cards from an event on than the hand holds, and the other player, who deploys one in it,
    no more: not who goes on is at fault, a line is missing."""
    due = {one: position.count(one, "deploy_hand") for one in position.table.players}
    return _goes_on_without(player, event, due, position)


def _goes_on_without(
    player: str, event: DeployFirst | DeployRegular, due: Mapping[str, int], position: Position
) -> bool:
    """Whether one of the cards that were `due` of a player is missing, and none of the other player's, as far as the record
    goes on: the other one's card that is recorded is not its player's by mistake."""
    other, later = position.other(player), position.table.later
    cards = () if event.card is None else (event.card,)
    mine, theirs = (later.sends(event.seq, one, type(event)) for one in (player, other))
    if mine is None or theirs is None or event.by != other or who_acted(event, cards, position) != other:
        return False
    return len(mine) < due[player] and len(theirs) < due[other]


def next_to_flip(position: Position, hearing: Hearing) -> str | None:
    """The player whose first-wave flip is due; None where roles are unknown or the first wave is done."""

    def is_due(player: str) -> bool:
        return len(waiting(position, player, hearing)) > strays(position, player) and can_flip(
            player, position, hearing
        )

    return _next(position, is_due)


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


class Due(NamedTuple):
    """A hand that is being drawn: why, and how many of its cards no line has drawn yet."""

    cause: str
    n: int


def hand_due(player: str | None, position: Position) -> Due | None:
    """The hand that a player is drawing, and has not all of; None where nobody knows, or nothing is due."""
    battle = position.battle
    if player is None or player not in position.table.other:
        return None
    if battle is None:
        drawn = position.drawn[player] if position.phase in ("first_wave", "deployment") else None
        if position.phase == "first_wave" and position.table.later_flip(position.seq):
            return None  # Flips come first.
        cause = "deployment"
    else:
        drawn = battle.drew(player)
        cause = "command"
        if battle.step != "setup" or battle.skipped or any(is_empty(position, one) for one in position.table.players):
            return None
    return None if drawn is None or drawn >= HAND else Due(cause, HAND - drawn)


def counted(event: Draw) -> int | None:
    """How many cards were drawn: where the number and the cards named differ, no more than both say (HCG-DOC-04)."""
    named = None if event.cards is None else len(set(event.cards))
    return event.n if named is None else named if event.n is None else min(named, event.n)


class Drawn(NamedTuple):
    """What a draw took, as the table went on: cards, None for one that is not known. in_doubt: it may have been others."""

    cards: list[str | None]
    in_doubt: bool = False


def drawn(event: Draw, player: str, position: Position) -> Drawn:
    """What a draw took. Where its number and the cards that it names differ, the order of the deck tells which is wrong."""
    if is_said_again(event, player, position):
        return Drawn([])
    if event.cards is None:
        return Drawn([None] * min(event.n or 0, MOST_DRAWN))
    named = list(dict.fromkeys(event.cards))
    n, top = event.n if event.n is not None else len(named), position.deck_top.get(player, ())
    fits = set(named) == set(top[: len(named)])
    if fits:
        named.sort(key=top.index)  # The same cards, listed in another order.
    listed: list[str | None] = [one if position.may_be_drawn(one, player) else None for one in named]
    if n == len(named) or (n < len(named) and (fits or not top)):
        return Drawn(listed, in_doubt=n == HAND != len(named))
    whole: list[str | None] = [*top[: min(n, MOST_DRAWN)]]
    if len(whole) == n and not fits and (set(named) <= set(whole) or set(named) >= set(whole)):
        return Drawn(whole)
    return Drawn(listed, in_doubt=True)


def is_said_again(event: Draw, player: str, position: Position) -> bool:
    """Whether a draw names several cards, and all of them have been drawn and lie in the hand: none came off the deck."""
    hand: ZoneName = "deploy_hand" if cause_of(event, position) == "deployment" else "command_hand"
    cards = event.cards or ()
    return len(cards) > 1 and all(one in position.located(player, hand) for one in cards)


def left_out(event: Draw, player: str, position: Position) -> list[str]:
    """The cards of a hand that lay above others which a draw names, and that it leaves out: where the last that it names
    completes the hand, they were drawn too (HCG-DEP-01 and HCG-BSET-07 miss them)."""
    cause, named, top = cause_of(event, position), event.cards or (), position.deck_top.get(player, ())
    if cause not in ("deployment", "command") or event.n not in (None, len(named)) or not set(named).issubset(top):
        return []
    depth = max((top.index(one) + 1 for one in named), default=0)
    skipped = [one for one in top[:depth] if one not in named]
    before = _hand_drawn(player, cause, position)
    return skipped if before is not None and before + depth == HAND else []


MOST_DRAWN = 500
"""Cards that one draw can be of; a greater number is no number of cards."""


def cause_of(event: Draw, position: Position) -> str | None:
    """Why cards were drawn, as the table went on: a hand is drawn in the step that it is due in, and by an ability only where
    one may have been used."""
    if event.cause not in ("deployment", "command"):
        return _hand_that_is_due(event, position) or event.cause
    if position.battle is None:
        return "deployment" if position.phase in ("first_wave", "deployment") else event.cause
    return {"setup": "command", "battle": "effect"}.get(position.battle.step, event.cause)


def _hand_that_is_due(event: Draw, position: Position) -> str | None:
    """The hand that was drawn where an ability is said to have drawn it, and none was used; None where one may have been."""
    battle = position.battle
    if event.cause != "effect" or event.source is not None or position.plays or event.by is None:
        return None
    if battle is None:
        return "deployment" if position.phase in ("first_wave", "deployment") else None
    before = battle.drew(event.by)
    whole = battle.step == "setup" and not position.table.setup.terse and counted(event) == HAND - before
    return "command" if whole else None


def who_acted(event: DeployFirst | Draw | DeployRegular, cards: Sequence[str], position: Position) -> str | None:
    """Who flipped, drew or deployed, as the table went on: who is said to have, unless all the cards are the other player's
    and that player's to take, or nobody knows whose they are and the one has too many with them, the other too few; None
    where it is no player."""
    player = event.by
    if player is None or player not in position.table.other:
        return None
    other = position.other(player)
    if any(position.owner.get(one) not in (None, other) for one in cards):
        return player
    if not _are_of(other, cards, position):
        return other if isinstance(event, Draw) and _is_lacking(event, player, position) else player
    if isinstance(event, Draw):
        play = play_by(event, position) if event.cause not in ("deployment", "command") else None
        theirs = all(position.may_be_drawn(one, other) for one in cards)
        return other if theirs and (play is None or play.by == other) else player
    due = position.other(position.last) if position.last is not None else position.player_as("defender")
    if due == player:
        return player
    if isinstance(event, DeployFirst):
        return other if position.may_be_drawn(cards[0], other) else player
    return other if may_leave_hand(cards[0], other, position) else player


def drew_theirs(event: Draw, position: Position) -> bool:
    """Whether the cards that a player is said to have drawn are the other player's, who drew them (HCG-DOC-02)."""
    other, cards = position.table.other.get(event.by or ""), event.cards or ()
    return other is not None and _are_of(other, cards, position) and who_acted(event, cards, position) == other


def _are_of(player: str, cards: Sequence[str], position: Position) -> bool:
    return bool(cards) and all(position.owner.get(one) == player for one in cards)


def _is_lacking(event: Draw, player: str, position: Position) -> bool:
    """Whether cards that a player is said to have drawn are more than were due of that player, and the other player lacks
    as many."""
    cause = cause_of(event, position)
    before = {one: _hand_drawn(one, cause, position) for one in (player, position.other(player))}
    if before[player] != HAND or (had := before[position.other(player)]) is None:
        return False
    return counted(event) == HAND - had


def _hand_drawn(player: str, cause: str | None, position: Position) -> int | None:
    """How many cards a player has drawn for the hand that is due; None: nobody knows, or none is due."""
    if cause == "deployment":
        return position.drawn.get(player)
    return None if cause != "command" or position.battle is None else position.battle.drew(player)


def may_leave_hand(instance: str, player: str, position: Position) -> bool:
    """Whether a card can be deployed out of a player's hand; of an empty hand nobody knows what was in it."""
    at = position.at.get(instance)
    if not position.count(player, "deploy_hand") and not position.count(player, "set_aside"):
        return at is None or at.zone not in ("sector", "fleet", "discard")
    if at is not None:
        return at.zone in ("deploy_hand", "set_aside") and at.player == player
    return any(position.may_be(instance, player, zone) for zone in ("deploy_hand", "set_aside"))


def belied(event: PhaseStart, position: Position) -> str | None:
    """The phase of what follows the mark of a later one, where play is not past it; None where nothing belies the mark."""
    told = position.table.later.phase_next(event.seq)
    if event.phase not in PHASES or position.phase not in PHASES or told is None:
        return None
    if told == position.phase == "battle" and len(position.had) == len(position.table.players):
        return None
    now = PHASES.index(position.phase)
    return told if now <= PHASES.index(told) < PHASES.index(event.phase) else None
