"""The end phase and the end of the game (catalogue 4.27)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec import UNSET

from auditor.core.findings import RAN, Remark, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.lookahead import breaks_off
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.deployment import begins_as_foretold
from auditor.systems.hcg.reckoning.game_end import (
    LAST_TURN,
    standing,
    sum_of,
    taken_by,
    turn_is_over,
    winner_by_sectors,
)
from auditor.systems.hcg.reckoning.refills import ran_short
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.reckoning.victory import claimed_winner, is_unfought
from auditor.systems.hcg.rules.common import PHASE_NAMES, Seen, both, rule
from auditor.systems.hcg.rules.played import tag
from auditor.systems.hcg.rules.victory import has_begun
from auditor.systems.words import count, listed

TAKES = ("reshuffle", "roll", "mill", "cost")
GOES_ON_WITH = ("battle.choose", "phase.start", "turn.start", "deploy.first", "draw", "deploy.regular")
ENDED_BY = ("game.end", "end")


def _claimed_winner(event: records.Event) -> Any:
    return event.winner if isinstance(event, records.GameEnd) else UNSET


def _name(player: str | None) -> str:
    return player or "nobody"


@rule(
    "HCG-END-01",
    "Who has won",
    section="4.27",
    events=["end.check"],
    kinds=["miscalculated"],
    readings=["OR-WINTIME", "OR-TIE", "OR-EXTRABOTH"],
)
def the_check_names_the_winner(event: records.EndCheck, view: View, position: Position, hearing: Hearing) -> Seen:
    """In the end phase it is looked at whether somebody has won the game.

    Log:  `winner`, a claim. Null claims nothing.
    """
    this = the_check_names_the_winner
    if event.winner is UNSET or event.winner is None:
        hearing.not_claimed()
        return None
    now = standing(position, hearing)
    if now.unknown is not None:
        return [Unchecked(this.id, now.unknown)]
    if now.over and now.winner == event.winner:
        return RAN
    right = now.winner if now.over else None
    text = f"The end phase names {event.winner} as the winner; {_name(right)} has won{_sums(position)}."
    return [
        this.miscalculated(
            text,
            player=None,
            claimed={"winner": event.winner},
            recomputed={"winner": right},
        )
    ]


def _sums(position: Position) -> str:
    found = [sum_of(position, player) for player in position.table.players]
    told = [f"{figure.name}: {figure.working()}" for figure in found if figure is not None]
    return f" ({', '.join(told)})" if told else ""


@rule(
    "HCG-END-02",
    "Ships rally",
    section="4.27",
    events=["end.ships", "sector.reset", "rally", "turn.start"],
    kinds=["illegal", "omitted", "ambiguous"],
)
def ships_rally_in_the_end_phase(event: Any, view: View, position: Position, hearing: Hearing) -> Seen:
    """When the game goes on, all ships of both players are rallied in the end phase.

    Log:  `rallied`; where it is left out, all of them. A player without a locked ship need not be named.
    Edge: a ship that was ready may be listed. Without an effect no ship rallies earlier.
    """
    this = ships_rally_in_the_end_phase
    if isinstance(event, records.EndShips):
        unsaid = records.lacking(event)
        if unsaid:
            return [this.missing(unsaid)]
        return _rallied(this, event, position, hearing)
    if begins_as_foretold(event, position):
        return None
    if isinstance(event, records.TurnStart):
        return _still_locked(this, position)
    if isinstance(event, records.Rally) and (event.source is not None or event.cause == "effect"):
        return None
    listed = event.readied if isinstance(event, records.SectorReset) else event.cards
    seen = []
    for instance in listed or ():
        at = position.at.get(instance)
        if at is not None and at.zone == "fleet":
            text = f"{position.named(instance)} was rallied before the end phase; it lies in {at.player}'s fleet."
            seen.append(this.illegal(text, instance, player=at.player))
    return seen or None


def _rallied(this: Rule, event: records.EndShips, position: Position, hearing: Hearing) -> Seen:
    player = str(event.by)
    if player not in position.table.other:
        return None
    if event.rallied is None:
        hearing.not_claimed()
        return None
    seen: list[Remark] = []
    for instance in event.rallied:
        at = position.at.get(instance)
        if at is None or (at.zone == "fleet" and at.player == player):
            continue
        text = f"{position.named(instance)} was rallied in the end phase; it is no ship in {player}'s fleet."
        seen.append(this.illegal(text, instance))
    left = [one for one in _locked(position, player) if one not in event.rallied]
    if left and not position.table.setup.terse:
        text = f"{player} left {', '.join(map(position.named, left))} locked in the end phase."
        seen.append(this.omitted(text, *left, player=player))
    return seen or RAN


def _locked(position: Position, player: str) -> list[str]:
    return [one for one in position.located(player, "fleet") if position.at[one].stance == "locked"]


def _still_locked(this: Rule, position: Position) -> Seen:
    if position.phase != "end" or position.table.setup.terse:
        return None
    seen = []
    for player in position.table.players:
        left = [] if player in position.rallied else _locked(position, player)
        if left:
            text = f"A new turn began, and {listed(map(position.named, left))} had not been rallied."
            due = partial(records.EndShips, seq=0, by=player, rallied=left)
            seen.append(this.omitted(text, *left, player=player, due=due))
    return seen or RAN


@rule(
    "HCG-END-03",
    "Unfought sectors",
    section="4.27",
    events=["sector.reset"],
    kinds=["illegal"],
)
def unfought_sectors_are_left_alone(
    event: records.SectorReset, view: View, position: Position, hearing: Hearing
) -> Seen:
    """Sectors that were not fought over are left alone: nothing there is made ready or turned.

    Log:  the sector that was reset.
    Edge: how the cards there lie in the next turn is OR-LEFTFACE.
    """
    battle, slot = position.battle, event.sector
    if slot is None or slot not in position.sectors or (battle is not None and battle.sector == slot):
        return RAN if battle is not None else None
    if not is_unfought(slot, position):
        return None
    text = f"The log has {both(position)} reset sector {slot}, which was not fought over in this turn."
    return [unfought_sectors_are_left_alone.illegal(text, player=None, claimed=slot)]


@rule(
    "HCG-WIN-01",
    "Two sectors win",
    section="4.27",
    events=[*GOES_ON_WITH, *TAKES, *ENDED_BY],
    kinds=["illegal", "miscalculated"],
    readings=["OR-WINTIME", "OR-DECKOUT"],
)
def two_sectors_win(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Who has taken two sectors has won the game, at once (OR-WINTIME). Under OR-DECKOUT = deck-loss a player who needs a
    card from an empty deck has lost it.

    Log:  what comes after the second sector; `winner` of `game.end`.
    Edge: play that goes on is one fault, at the first event after it.
    """
    this, winner = two_sectors_win, winner_by_sectors(position)
    if isinstance(event, records.GameEnd) and event.reason == "deck_loss":
        return _lost(this, event, position, hearing)
    if (short := ran_short(event, position)) is not None and short not in position.short:
        if hearing.ask("OR-DECKOUT") == "deck-loss":
            text = f"Play went on after {short} had needed a card from an empty deck, which loses the game."
            return [this.illegal(text, player=None, recomputed=position.other(short))]
    if winner is None or breaks_off(event) or tag(event) in TAKES:
        return None
    if isinstance(event, (records.GameEnd, records.End)):
        return _named(this, event, position, winner, "two_sectors", hearing)
    if "turn" in position.after_win:
        return None
    if isinstance(event, records.PhaseStart) and event.phase in ("end", None):
        return None
    if isinstance(event, records.BattleChoose):
        if "battle" in position.after_win or hearing.ask("OR-WINTIME") == "end-phase":
            return RAN
    elif (position.phase == "battle" and isinstance(event, records.Draw)) or (
        "battle" in position.after_win and hearing.ask("OR-WINTIME") == "immediate"
    ):
        return None
    slots = " and ".join(map(str, taken_by(position, winner)))
    text = f"Play went on after {winner} had taken sectors {slots}, which wins the game."
    return [this.illegal(text, player=None, recomputed=winner)]


def _lost(this: Rule, event: records.GameEnd, position: Position, hearing: Hearing) -> Seen:
    """The winner of a game that ended because a deck had run out. Where it may not end so: HCG-WIN-04."""
    empty = [player for player in position.table.players if position.deck_n.get(player) == 0]
    known = all(position.deck_n.get(player) is not None for player in position.table.players)
    if len(empty) != 1 or not known or hearing.ask("OR-DECKOUT") != "deck-loss":
        return None
    if event.winner is UNSET:
        hearing.not_claimed()
        return None
    winner = position.other(empty[0])
    if event.winner == winner:
        return RAN
    text = f"{empty[0]}'s deck had run out, so that {winner} has won; the log says {_name(event.winner)}."
    claim, due = {"winner": event.winner}, {"winner": winner}
    return [this.miscalculated(text, player=None, claimed=claim, recomputed=due)]


def _named(
    this: Rule, event: records.Event, position: Position, winner: str | None, reason: str, hearing: Hearing
) -> Seen:
    """The winner and the reason that the end of a game names."""
    claimed: dict[str, Any] = {}
    recomputed: dict[str, Any] = {}
    said = _claimed_winner(event)
    if said is UNSET:
        hearing.not_claimed()
    elif said != winner:
        claimed["winner"], recomputed["winner"] = said, winner
    why = getattr(event, "reason", None) if isinstance(event, records.GameEnd) else None
    same = {reason, "extra_turn"} if position.turn > LAST_TURN and reason != "two_sectors" else {reason}
    if why is None:
        hearing.not_claimed()
    elif why not in same and not claimed:
        claimed["reason"], recomputed["reason"] = why, reason
    totals = event.totals if isinstance(event, records.GameEnd) else None
    for player, n in (totals or {}).items():
        figure = sum_of(position, player) if player in position.table.other else None
        if figure is not None and figure.value != n:
            claimed[f"totals of {player}"], recomputed[f"totals of {player}"] = n, figure.value
    if not claimed:
        return RAN
    right = f"{winner} has won" if winner is not None else "nobody has won"
    text = f"{right}{_sums(position)}; the log says {listed(_claims(claimed))}."
    return [this.miscalculated(text, player=None, claimed=claimed, recomputed=recomputed)]


def _claims(claimed: dict[str, Any]) -> Iterator[str]:
    for key, value in claimed.items():
        if key == "winner":
            yield f"{_name(value)} won"
        else:
            yield f"{'the reason is' if key == 'reason' else key} {str(value).replace('_', ' ')}"


@rule(
    "HCG-WIN-02",
    "The end of turn 4",
    section="4.27",
    events=["turn.start", *ENDED_BY],
    kinds=["illegal", "miscalculated", "omitted"],
    readings=["OR-TIE", "OR-EXTRABOTH"],
)
def higher_requirements_win_after_turn_four(
    event: records.Event, view: View, position: Position, hearing: Hearing
) -> Seen:
    """If nobody has two sectors at the end of turn 4, the requirements of the sectors taken are added up: the higher sum
    wins. One sector against none always does.

    Log:  `winner` and `totals` of `game.end`, claims; whether a further turn is played.
    Edge: equal sums are OR-TIE. In further turns the sums are compared at the end of each.
    """
    this = higher_requirements_win_after_turn_four
    if position.turn < LAST_TURN or winner_by_sectors(position) is not None or breaks_off(event):
        return None
    if not turn_is_over(position):
        return None  # Nothing is added up within a turn.
    now = standing(position, hearing)
    if now.unknown is not None:
        return [Unchecked(this.id, now.unknown)]
    if isinstance(event, records.TurnStart):
        if not now.over:
            return RAN
        text = f"{both(position)} began another turn; the game was over{_sums(position)}."
        return [this.illegal(text, player=None, claimed=event.turn, recomputed=now.winner)]
    if not now.over:
        if not any(taken_by(position, player) for player in position.table.players):
            return None  # There is nothing to add up.
        ours, theirs = (sum_of(position, player) for player in position.table.players)
        is_equal = ours is not None and theirs is not None and ours.value == theirs.value
        how = "with equal sums" if is_equal else "when both had taken their first sector in the same extra turn"
        text = f"The log ends the game of {both(position)} {how}{_sums(position)}; another turn is played."
        return [this.omitted(text, player=None, claimed=getattr(event, "winner", None) or None)]
    return _named(this, event, position, now.winner, str(now.reason), hearing)


@rule(
    "HCG-WIN-03",
    "Extra turns",
    section="4.27",
    events=ENDED_BY,
    kinds=["omitted"],
)
def extra_turns_are_whole(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """If nobody has a sector after turn 4, extra turns are played. The game ends at the end of the turn in which a sector
    was taken: the second battle of that turn is still fought.

    Log:  where the game ends.
    Edge: two sectors taken by one player end it at once (HCG-WIN-01).
    """
    this = extra_turns_are_whole
    if winner_by_sectors(position) is not None or breaks_off(event):
        return None
    if turn_is_over(position):
        if position.turn < LAST_TURN:
            return None
        if any(taken_by(position, player) for player in position.table.players):
            return RAN
        ended = f"The log ends the game of {both(position)} after turn {position.turn}"
        text = f"{ended}, and neither had taken a sector; an extra turn is played."
        return [this.omitted(text, player=None)]
    if position.turn <= LAST_TURN:
        return None
    where = f"within extra turn {position.turn}, in its {PHASE_NAMES.get(position.phase, position.phase)}"
    text = f"The log ends the game of {both(position)} {where}; the turn is played to its end."
    return [this.omitted(text, player=None)]


@rule(
    "HCG-WIN-04",
    "No earlier end",
    section="4.27",
    events=ENDED_BY,
    kinds=["omitted"],
    readings=["OR-DECKOUT", "OR-FLAGUNITS", "OR-STATFLOOR", "OR-BONUSSETUP"],
)
def the_game_does_not_end_earlier(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Before the end of turn 4 the game ends by two sectors, and otherwise only where a player concedes, time is up or a
    judge ends it, or, under OR-DECKOUT = deck-loss, where a deck has run out.

    Log:  where the game ends, and its reason.
    Edge: a second sector that was won and is not said to be taken is HCG-VIC-08 alone. An end without its reason, where a
    deck has run out that may lose the game, is that end.
    """
    this = the_game_does_not_end_earlier
    if isinstance(event, records.GameEnd) and event.reason == "deck_loss":
        return _too_early(this, event, position, hearing)
    if winner_by_sectors(position) is not None or breaks_off(event):
        return RAN
    if (
        position.turn > LAST_TURN
        or (position.turn == LAST_TURN and turn_is_over(position))
        or _takes_the_second(event, position, hearing)
    ):
        return RAN
    if (
        getattr(event, "reason", None) is None
        and _may_have_run_out(position)
        and hearing.ask("OR-DECKOUT") == "deck-loss"
    ):
        return RAN
    where = f"in the {PHASE_NAMES.get(position.phase, position.phase)} of turn {position.turn}"
    text = f"The log ends the game of {both(position)} {where}, and neither has two sectors."
    claimed = getattr(event, "reason", None)
    return [this.omitted(text, player=None, claimed=claimed)]


def _takes_the_second(event: records.Event, position: Position, hearing: Hearing) -> bool:
    """Whether the winner of the battle has a sector already, or may have: that the second is not said to be taken is HCG-VIC-08.
    In a short record who won the battle need not be said, and the winner of the game is the one who did."""
    battle = position.battle
    victory = battle.victory if battle is not None else None
    told = victory is not None and victory.told
    winner = victory.winner if victory is not None else None
    if battle is None or (victory is not None and victory.closed):
        return False
    if position.table.setup.terse:
        if isinstance(said := _claimed_winner(event), str):
            winner = said if not told or said == winner else None
    elif has_begun(battle):
        known, winner = claimed_winner(position, hearing)
        if not known:
            return any(taken_by(position, player) for player in position.table.players)
    return winner is not None and bool(taken_by(position, winner))


def _may_have_run_out(position: Position) -> bool:
    """Whether a deck has no cards left, as far as the record tells."""
    left = map(position.deck_n.get, position.table.players)
    return position.table.setup.terse or any(n is None or n <= 0 for n in left)


def _too_early(this: Rule, event: records.GameEnd, position: Position, hearing: Hearing) -> Seen:
    """A game that is said to have ended because a deck had run out."""
    if winner_by_sectors(position) is not None:
        return None
    if not _may_have_run_out(position):
        left = {player: position.deck_n.get(player) for player in position.table.players}
        cards = listed(f"{player}'s deck has {count(n or 0, 'card')} left" for player, n in left.items())
        text = f"The log ends the game because a deck had run out; {cards}."
        return [this.omitted(text, player=None, claimed=event.reason, recomputed=left)]
    if hearing.ask("OR-DECKOUT") == "deck-loss":
        return RAN
    text = f"The log ends the game of {both(position)} because a deck had run out, which loses no game."
    return [this.omitted(text, player=None, claimed=event.reason)]


RULES = (
    the_check_names_the_winner,
    ships_rally_in_the_end_phase,
    unfought_sectors_are_left_alone,
    two_sectors_win,
    higher_requirements_win_after_turn_four,
    extra_turns_are_whole,
    the_game_does_not_end_earlier,
)
