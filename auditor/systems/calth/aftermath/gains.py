"""To whose advantage a fault was."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from auditor.core.effects import UNKNOWN, Change
from auditor.core.findings import Fault
from auditor.core.gains import advantage
from auditor.systems.calth.reckoning.named import TARGET_OF_AN_ASSAULT
from auditor.systems.calth.reckoning.refresh import COMMAND_CARD
from auditor.systems.calth.state import OTHER, SIDES, Position

BETTER = {
    "shields": 1,
    "armour": 1,
    "bonus": 1,
    "obscured": 1,
    "rubble": 1,
    "barricade": 1,
    "casualty": -1,
    "pool": 1,
    "armour_used": 1,
    "stamina_used": 1,
    "class": 1,
} | dict.fromkeys(("weapons", "models", "total", "harness"), 1)
"""Numbers of an attack: those of the defence are the defender's, whose a fault about them is."""
CLASSES = {None: 0, "none": 0, "obscured": 1, "clear": 2}
"""Lines of sight, the best for who shoots the highest."""
OWN_HARM = frozenset({COMMAND_CARD, TARGET_OF_AN_ASSAULT})
"""Rules of which what is left out is the player's own loss: a card not drawn, an attack not made."""


LAST_SCENARIO = "scenario_6.after"
LOST = "casualties."
LEVELS = ("major_defeat", "minor_defeat", "draw", "minor_victory", "major_victory")


def gain(position: Position, fault: Fault, changed: Sequence[Change]) -> str:
    if isinstance(fault.claimed, Mapping) and LAST_SCENARIO in fault.claimed:
        return _of_the_campaign(fault.claimed[LAST_SCENARIO], fault.recomputed[LAST_SCENARIO])
    own_harm = OWN_HARM if fault.kind == "omitted" else ()
    fault = fault._replace(claimed=_ranked(fault.claimed), recomputed=_ranked(fault.recomputed))
    return advantage(fault, fault.player, SIDES, changed, lambda one: _worth(one, position, fault), BETTER, own_harm)


def _of_the_campaign(after: Mapping[str, str], due: Mapping[str, str]) -> str:
    """For whom the end of the last scenario is better as logged, where it is so for one side alone."""
    better = {
        side if LEVELS.index(after[side]) > LEVELS.index(due[side]) else OTHER[side]
        for side in SIDES
        if after.get(side) and after[side] != due[side]
    }
    return better.pop() if len(better) == 1 else UNKNOWN


MAY_DIE = re.compile(r"(\S+) (stays|is removed)")


def _ranked(value: Any) -> Any:
    """Claims with the class of a line of sight as a number."""
    if not isinstance(value, Mapping):
        return value
    return {key: CLASSES.get(one, one) if str(key).endswith("class") else one for key, one in value.items()}


def _worth(change: Change, position: Position, fault: Fault) -> tuple[str, int] | None:
    other = change.undone if change.right is None else change.right
    what, _, who = change.what.partition(" of ")
    if (dies := MAY_DIE.match(change.what)) and (model := position.table.models.get(dies[1])) is not None:
        # What dice not rolled leave open: as logged it is the other way round.
        return (model.side, -1 if dies[2] == "stays" else 1)
    if what.startswith("damage to the"):
        model = position.table.models.get(who)
        return None if model is None else (model.side, -1 if change.logged not in (None, "none") else 1)
    if change.what in ("initiative", "winner"):
        return (str(change.logged), 1) if change.logged in SIDES else None
    if what == "place" and "removed" in (change.logged, other):
        model = position.table.models.get(who)
        return None if model is None else (model.side, -1 if change.logged == "removed" else 1)
    if change.what.startswith("models lost by ") and change.what[15:] in SIDES:
        return (change.what[15:], -1 if change.logged > other else 1)
    if what == "victories":
        return None if who not in SIDES else (who, 1 if change.logged > other else -1)
    unit = position.units.get(who)
    side = unit.side if unit is not None else fault.player if who in fault.subject else None
    if what == "TPs" and side is not None and isinstance(change.logged, int) and isinstance(other, int):
        return (side, 1 if change.logged > other else -1)
    return None
