"""What nobody can know after a line that cannot be true, and after cards that came from where nobody knows."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import Fact
from auditor.core.holes import Hole
from auditor.systems.hcg import records
from auditor.systems.hcg.position.places import At
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.battles import cards_at
from auditor.systems.hcg.reckoning.discards import due_now
from auditor.systems.hcg.reckoning.effects import left_out
from auditor.systems.hcg.reckoning.plays import is_in_hand, play_by

OF_UNITS = (records.BaShoot, records.BaCharge, records.BaAssault, records.Block)
DOUBTED = frozenset(
    {
        *OF_UNITS, records.BaWithdraw, records.Discard, records.Cost, records.Destroy, records.Lock, records.Rally,
        records.Return, records.Infiltrate,
    }
)  # fmt: skip
"""Event types of lines that leave something in doubt where they cannot be true."""


def doubt(event: Any, position: Position) -> None:
    """Open the holes that a line of a battle leaves which cannot be true. Before the event is adopted."""
    if isinstance(event, OF_UNITS):
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
        facts: set[Fact] = {("at", one) for one in left}
        facts |= {("zone", event.by, "sector", position.battle.sector)}
        facts |= {("zone", one, "discard", None) for one in position.table.players}
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
    if battle is None or at is None:
        return
    if at.zone == "sector" and at.player == event.by:
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
