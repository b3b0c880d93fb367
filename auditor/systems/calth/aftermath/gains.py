"""To whose advantage a fault was."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.core.effects import Change
from auditor.core.findings import Fault
from auditor.core.gains import advantage
from auditor.systems.calth.reckoning.named import TARGET_OF_AN_ASSAULT
from auditor.systems.calth.reckoning.refresh import COMMAND_CARD
from auditor.systems.calth.state import SIDES, Position

BETTER = {
    "shields": 1,
    "armour": 1,
    "bonus": 1,
    "obscured": 1,
    "rubble": 1,
    "barricade": 1,
    "casualty": -1,
    "pool": 1,
} | dict.fromkeys(("weapons", "models", "total", "harness"), 1)
"""Numbers of an attack: those of the defence are the defender's, whose a fault about them is."""
OWN_HARM = frozenset({COMMAND_CARD, TARGET_OF_AN_ASSAULT})
"""Rules of which what is left out is the player's own loss: a card not drawn, an attack not made."""


def gain(position: Position, fault: Fault, changed: Sequence[Change]) -> str:
    own_harm = OWN_HARM if fault.kind == "omitted" else ()
    return advantage(fault, fault.player, SIDES, changed, lambda one: _worth(one, position, fault), BETTER, own_harm)


def _worth(change: Change, position: Position, fault: Fault) -> tuple[str, int] | None:
    other = change.undone if change.right is None else change.right
    what, _, who = change.what.partition(" of ")
    if change.what in ("initiative", "winner"):
        return (str(change.logged), 1) if change.logged in SIDES else None
    if what == "place" and "removed" in (change.logged, other):
        model = position.table.models.get(who)
        return None if model is None else (model.side, -1 if change.logged == "removed" else 1)
    if what == "victories":
        return None if who not in SIDES else (who, 1 if change.logged > other else -1)
    unit = position.units.get(who)
    side = unit.side if unit is not None else fault.player if who in fault.subject else None
    if what == "TPs" and side is not None and isinstance(change.logged, int) and isinstance(other, int):
        return (side, 1 if change.logged > other else -1)
    return None
