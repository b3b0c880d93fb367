"""How much work an event is, and how large a position: see `Ruleset.weight`."""

from __future__ import annotations

from auditor.systems.hcg import records
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.records import EVENTS
from auditor.systems.weights import entries_in

_OF_AN_EVENT, _OF_AN_ENTRY, _OF_WHAT_IS_OPEN = 120, 8, 10
"""Work: an event, each card that it lists, each line that is open as it comes."""

entries = entries_in(EVENTS.values())


def weight(event: records.Event, position: Position) -> int:
    """An event, the cards that it lists, and the lines that it may answer or count."""
    return _OF_AN_EVENT + _OF_AN_ENTRY * entries(event) + _OF_WHAT_IS_OPEN * _open(position)


def _open(position: Position) -> int:
    """How many lines are still open: of the battle action, its windows, its rolls, the victory step."""
    found = len(position.plays) + len(position.happened) + len(position.reacted) + len(position.bonuses)
    found += (
        sum(map(len, position.wounds.values())) // 64
        + len(position.below)
        + len(position.untold)
        + len(position.refilled) // 8
        + len(position.said_early) // 8
        + len(position.used) // 8
    )
    for window in position.windows:
        found += 1 + len(window.entries) // 32
    if position.roll is not None:
        found += len(position.roll.changes) + len(position.roll.used)
    if (battle := position.battle) is not None:
        found += len(battle.carried) + len(battle.drawn) // 8
        if (victory := battle.victory) is not None:
            found += len(victory.resolved) + len(victory.counted) // 8 + len(victory.due)
    return found


def size(position: Position) -> int:
    """Cards, and what is open."""
    return 40 + len(position.card) // 2 + len(position.at) + _open(position)
