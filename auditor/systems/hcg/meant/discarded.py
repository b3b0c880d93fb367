"""What was discarded, as the table went on, where a line names a card too many or too few.

See `as_played`; what is wrong with the line is said by the rules (HCG-OPT-04, HCG-OPT-06, HCG-DISC-01).
"""

from __future__ import annotations

from auditor.core.findings import Fact
from auditor.core.holes import Hole
from auditor.systems.hcg import records
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.discards import due_now


def discarded(event: records.Discard | records.Cost, position: Position) -> list[str]:
    """The cards that went: without those of too many that the record has in the hand later, with those of the hand that it
    never shows there again where there are too few."""
    told = _told(event, position)
    return list(event.cards or ()) if told is None else told


def doubt_discarded(event: records.Discard | records.Cost, position: Position) -> None:
    """Where the record does not tell which cards went, those in question are a hole."""
    found = due_now(event, position)
    if found is None or len(event.cards or ()) == found[1] or _told(event, position) is not None:
        return
    player, n = found
    if len(event.cards or ()) < n and position.table.later.discards_more(event, player):
        return
    facts: set[Fact] = {("zone", player, "command_hand", None)}
    facts |= {("at", one) for one in (*position.located(player, "command_hand"), *(event.cards or ()))}
    why = f"which cards {player} discarded at event {event.seq} is not known"
    position.holes.open(Hole(event.seq, why, frozenset(facts)))


def _told(event: records.Discard | records.Cost, position: Position) -> list[str] | None:
    found = due_now(event, position)
    if found is None or event.cards is None:
        return None
    hand: Fact = ("zone", found[0], "command_hand", None)
    if position.holes.doubt((hand,)) is not None:
        return None  # Nobody knows how many the player held.
    (player, n), holds = found, position.table.later.holds
    kept = [one for one in event.cards if holds(event.seq, one)]
    gone = [
        one for one in position.located(player, "command_hand") if one not in event.cards and not holds(event.seq, one)
    ]
    if len(event.cards) > n and len(kept) == len(event.cards) - n:
        return [one for one in event.cards if one not in kept]
    if len(event.cards) < n and len(gone) == n - len(event.cards):
        return [*event.cards, *gone]
    return None
