"""An event as the table went on with it, where a single value of its line cannot be true, and what that leaves in doubt.

What is wrong with the line is said there, by the rules; what the line may have meant instead, the core asks (`core/meant`).
Here stands what the line itself and the texts of the cards tell of it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from auditor.core.findings import Fact
from auditor.core.holes import Hole
from auditor.systems.hcg import records
from auditor.systems.hcg.position.state import At, Position
from auditor.systems.hcg.reckoning.battles import cards_at
from auditor.systems.hcg.reckoning.claims import stat_of, until_of
from auditor.systems.hcg.reckoning.costs import unpaid
from auditor.systems.hcg.reckoning.discards import due_now
from auditor.systems.hcg.reckoning.effects import left_out
from auditor.systems.hcg.reckoning.plays import ANNOUNCED, ANNOUNCES, ability_of, is_in_hand, lies_in, play_by
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
    choices: records.Choices | None = getattr(event, "choices", None)
    if choices is not None and any(map(position.table.is_no_card, choices.cards)):
        event = msgspec.structs.replace(event, choices=None)  # Which card was chosen nobody knows.
    source: records.Source | None = getattr(event, "source", None)
    if (
        isinstance(event, ANNOUNCED)
        and source is not None
        and source.zone != (zone := lies_in(source, position, fights=isinstance(event, records.BattleAction)))
    ):
        event = msgspec.structs.replace(event, source=msgspec.structs.replace(source, zone=zone))
    return event


def _fighting(event: Any, position: Position) -> Any:
    """Who fights whom, where the line names no card at all, nobody knows."""
    named = {name: getattr(event, name, None) for name in ("unit", "target")}
    nobody = {name: None for name, card in named.items() if card is not None and position.table.is_no_card(card)}
    return msgspec.structs.replace(event, **nobody) if nobody else event


def _answer(event: records.Reaction | records.ReactionPass, position: Position) -> Any:
    """What answers nothing that has just happened belongs to the window in which its player has the say."""
    windows = [one.trigger for one in position.windows if one.kind == "reaction" and one.trigger is not None]
    happened = [one.seq for one in position.happened if one.seq is not None]
    if event.trigger is None or event.trigger in windows or event.trigger in happened:
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


_OF_UNITS = (records.BaShoot, records.BaCharge, records.BaAssault, records.Block)
_OF_A_KIND: dict[type, Any] = {
    **dict.fromkeys((*_OF_UNITS, records.Sweep), _fighting),
    records.Effect: _effect,
    records.EndShips: _rallied,
    records.VictoryReveal: _hand,
    records.VictoryDiscard: _hand,
    records.Cost: _cost,
}

PUT_RIGHT = frozenset({*_OF_A_KIND, *_ANSWERS, *ANNOUNCES})
"""Event types of which something may be put in its place."""


# -- what nobody can know ----------------------------------------------------------------------------------------------


DOUBTED = frozenset(
    {
        *_OF_UNITS, records.BaWithdraw, records.Discard, records.Cost, records.Destroy, records.Lock, records.Rally,
        records.Return, records.Infiltrate,
    }
)  # fmt: skip
"""Event types of lines that leave something in doubt where they cannot be true."""


def doubt(event: Any, position: Position) -> None:
    """Open the holes that a line of a battle leaves which cannot be true. Before the event is adopted."""
    if isinstance(event, _OF_UNITS):
        if event.by in position.table.other:
            _unit(event, position)
    elif isinstance(event, (records.Discard, records.Cost)):
        _doubt_discarded(event, position)
    elif isinstance(event, records.BaWithdraw):
        _doubt_withdrawn(event, position)
    else:
        play = play_by(event, position)
        others = set(event.cards or ()) - set(play.choices or ()) if play is not None else set()
        left = set(play.choices or ()) - set(event.cards or ()) if play is not None and others else set()
        if left:
            why = f"whether event {event.seq} befell what was chosen is not known"
            position.holes.open(Hole(event.seq, why, frozenset(("at", one) for one in left)))
        _doubt_befallen(event, position)


def _doubt_discarded(event: records.Discard | records.Cost, position: Position) -> None:
    """Where a line names a card too many or too few, nobody knows which cards went."""
    found = due_now(event, position)
    if found is None or len(event.cards or ()) == found[1]:
        return
    player, n = found
    if len(event.cards or ()) < n and position.table.later.discards_more(event, player):
        return
    facts: set[Fact] = {("zone", player, "command_hand", None)}
    facts |= {("at", one) for one in (*position.located(player, "command_hand"), *(event.cards or ()))}
    why = f"which cards {player} discarded at event {event.seq} is not known"
    position.holes.open(Hole(event.seq, why, frozenset(facts)))


def _doubt_withdrawn(event: records.BaWithdraw, position: Position) -> None:
    """A withdrawal destroys all cards of its player at the sector: whether it did one that its list leaves out nobody knows."""
    if event.destroyed is None or event.by not in position.table.other or position.battle is None:
        return
    left = [one for _, one, _ in cards_at(position, event.by) if one not in event.destroyed]
    if left:
        sector, discard = ("sector", position.battle.sector), ("discard", None)
        facts: set[Fact] = {("at", one) for one in left}
        facts |= {("zone", event.by, *sector), *(("zone", one, *discard) for one in position.table.players)}
        why = f"whether event {event.seq} destroyed {' and '.join(map(position.named, left))} is not known"
        position.holes.open(Hole(event.seq, why, frozenset(facts)))


def _doubt_befallen(event: records.Change, position: Position) -> None:
    """What an empty list leaves out may have befallen the cards or not."""
    if due := left_out(event, position):
        why = f"whether event {event.seq} befell what was chosen is not known"
        position.holes.open(Hole(event.seq, why, frozenset(("at", one) for one in due)))


def _unit(event: Any, position: Position) -> None:
    """A card that is none of its player's units in play cannot have acted: nobody knows which unit it stands for."""
    battle = position.battle
    at = position.at.get(event.unit) if event.unit is not None else None
    if battle is None or event.unit is None:
        return
    if at is not None and at.zone == "sector" and at.player == event.by:
        return
    if at is None and event.unit not in {one for listed in position.table.listed.values() for one in listed}:
        if len(position.table.listed) < len(position.table.players):
            return  # Nobody has said which cards there are.
    elif at is None:
        return
    why = f"which unit acted at event {event.seq} is not known"
    mine = frozenset(("at", one) for _, one, _ in cards_at(position, event.by))
    position.holes.open(Hole(event.seq, why, mine))


def from_hand(instance: str, player: str, to: At, position: Position) -> None:
    """A card of a command hand is played or discarded. One that lies elsewhere stays there: which card it was nobody knows."""
    if not is_in_hand(instance, player, position):
        from_hand_unseen(player, position)
        return
    position.show(instance, player, None)
    position.put(position.take(player, "command_hand", instance), to)


def from_hand_unseen(player: str, position: Position) -> None:
    """A card has left a command hand, and nobody knows which, or whether it was one of the hand."""
    why = f"which card left {player}'s hand at event {position.seq} is not known"
    facts: set[Fact] = {("zone", player, "command_hand", None)}
    facts |= {("at", one) for one in position.located(player, "command_hand")}
    position.holes.open(Hole(position.seq, why, frozenset(facts)))


def return_unseen(instance: str, position: Position) -> None:
    """A card that lay where nobody knows goes back to its owner's hand or deck, or it is another one that went back."""
    owner = position.owner.get(instance)
    facts: set[Fact] = {("at", instance)}
    for player in position.table.players if owner is None else (owner,):
        facts |= {("zone", player, "command_hand", None), ("deck", player)}
        facts |= {("at", one) for one in position.located(player, "command_hand")}
    why = f"from where {instance} went back at event {position.seq} is not known"
    position.holes.open(Hole(position.seq, why, frozenset(facts)))
