"""The TPs of the ready phase."""

from __future__ import annotations

from auditor.systems.calth.state import READY_TPS, Position

COMMAND_CARD = "CAL-RDY-01"
"""The rule of the Command card of each round."""

REFRESH = "CAL-RDY-02"
"""The rule of the refresh. It has a name here because `correct` makes up for one that was left out."""


def make_up_for(position: Position, left_out: tuple[str, ...]) -> None:
    """Give TPs to the units that were given none; where nobody was, to all. For `rightly` only."""
    for unit in position.units.values():
        if position.refreshed is None or unit.id in left_out:
            unit.tp += READY_TPS
            position.holes.state([("tp", unit.id)])
