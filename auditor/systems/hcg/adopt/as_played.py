"""An event as the table went on with it, where a single value of its line cannot be true.

What is wrong with the line is said there, by the rules; what the line may have meant instead, the core asks (`core/meant`).
Here stands what the line itself and the texts of the cards tell of it; what that leaves in doubt, `in_doubt` says.
"""

from __future__ import annotations

from typing import Any

import msgspec

from auditor.systems.hcg import records
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.claims import stat_of, until_of
from auditor.systems.hcg.reckoning.costs import unpaid
from auditor.systems.hcg.reckoning.plays import ANNOUNCED, ANNOUNCES, ability_of, lies_in, play_by
from auditor.systems.hcg.reckoning.reactions import window_of
from auditor.systems.hcg.reckoning.victory import whose_hand

_ANSWERS = (records.Reaction, records.ReactionPass)


def as_played(event: Any, position: Position) -> Any:
    """The event with what cannot be true of it as the position and the texts of its cards have it."""
    kind = type(event)
    if kind in _ANSWERS:
        event = _answer(event, position)
    made = _OF_A_KIND.get(kind)
    if made is not None:
        event = made(event, position)
    if kind not in ANNOUNCES:
        return event
    source: records.Source | None = getattr(event, "source", None)
    if (
        isinstance(event, ANNOUNCED)
        and source is not None
        and source.zone != (zone := lies_in(source, position, fights=isinstance(event, records.BattleAction)))
    ):
        event = msgspec.structs.replace(event, source=msgspec.structs.replace(source, zone=zone))
    return event


def _answer(event: records.Reaction | records.ReactionPass, position: Position) -> Any:
    """What answers nothing that has just happened belongs to the window in which its player has the say, unless it answers
    what is still to come."""
    windows = [one.trigger for one in position.windows if one.kind == "reaction" and one.trigger is not None]
    happened = [one.seq for one in position.happened if one.seq is not None]
    if event.trigger is None or event.trigger in windows or event.trigger in happened or event.trigger > event.seq:
        return event
    for trigger in sorted({*windows, *happened}, reverse=True):
        meant = msgspec.structs.replace(event, trigger=trigger)
        window = window_of(meant, position)
        if window is not None and window.next == event.by and window.passes < 2:
            return meant
    return event


def _rallied(event: records.EndShips, position: Position) -> records.EndShips:
    """Ships that are all the other player's were rallied by that player."""
    if event.rallied is None or event.by not in position.table.other:
        return event
    other = position.other(event.by)
    theirs = {position.at[one].player if one in position.at else None for one in event.rallied} == {other}
    return msgspec.structs.replace(event, by=other) if theirs else event


def _hand(event: Any, position: Position) -> Any:
    """A hand is shown or discarded by the player whose cards it holds."""
    whose = whose_hand(event, position)
    return event if whose == event.by else msgspec.structs.replace(event, by=whose)


def _cost(event: records.Cost, position: Position) -> records.Cost:
    """A cost that the text does not print was the one that was to be paid."""
    play = play_by(event, position)
    if play is not None and event.by not in (None, play.by):
        event = msgspec.structs.replace(event, by=play.by)
    ability = ability_of(position, play)
    if play is None or ability is None or event.op is None:
        return event
    unpaid_costs = unpaid(ability, play)[0]
    left = [cost.op for cost in unpaid_costs]
    if left and event.op not in left and "raw" not in left and left[0] not in ("test", "other"):
        event = msgspec.structs.replace(event, op=left[0])
    due = next((cost for cost in unpaid_costs if cost.op == event.op), None)
    if due is not None and due.target is not None and due.target.q == "self" and event.cards not in (None, [play.card]):
        event = msgspec.structs.replace(event, cards=[play.card])
    return event


def _effect(event: records.Effect, position: Position) -> records.Effect:
    """What a text gives lasts as long as it says, and changes the number that it names."""
    play = play_by(event, position) if event.op == "modify" and event.source is None else None
    if play is not None:
        source = records.Source(zone=play.said, card=play.card, ability=play.ability)  # type: ignore[arg-type]
        event = msgspec.structs.replace(event, source=source)
    stat: Any = stat_of(event, position)
    if stat is not None:
        event = msgspec.structs.replace(event, stat=stat)
    until: Any = until_of(event, position)
    return event if until is None or event.until is None else msgspec.structs.replace(event, until=until)


_OF_A_KIND: dict[type, Any] = {
    records.Effect: _effect,
    records.EndShips: _rallied,
    records.VictoryReveal: _hand,
    records.VictoryDiscard: _hand,
    records.Cost: _cost,
}

PUT_RIGHT = frozenset({*_OF_A_KIND, *_ANSWERS, *ANNOUNCES})
"""Event types of which something may be put in its place."""
