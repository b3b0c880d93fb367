"""An act of a unit that nobody activated: how the game goes on (CAL-ACT-02, CAL-AUD-01)."""

from __future__ import annotations

from typing import Any

from auditor.core.holes import Hole
from auditor.systems.calth.adopt.common import end_activation
from auditor.systems.calth.reckoning.ahead import activated_late, acts_again
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.reckoning.labels import unit_called
from auditor.systems.calth.reckoning.views import MovesView, MoveView
from auditor.systems.calth.records import Attack
from auditor.systems.calth.state import OTHER, Activation, Position


def act_unactivated(event: Any, view: MoveView | MovesView | AttackView, position: Position) -> None:
    """A unit acts that was not activated (CAL-ACT-02), when its player's turn it is: the game goes on as if it had been, for
    the line may be missing. It is the other player's turn then, unless the record goes on with the same player's; whether
    the unit paid, nobody can tell. Where its line follows, it is only late.
    """
    unit, act, events = view.actor, position.act, position.table.events
    if view.licence != "none" or (isinstance(event, Attack) and event.role is None):
        return
    if unit is None or unit.tp < 1 or unit.side != position.side_to_act():
        return
    if act is not None and acts_again(events, event.seq, act.unit):
        return  # what is open goes on, and this came between
    action = _ACTION_OF.get(str(view.role if isinstance(view, AttackView) else view.cause))
    if action is None:
        return
    label = event.attacker if isinstance(view, AttackView) else event.unit
    following = position.table.later.following.get(event.seq)
    late = activated_late(events, event.seq, following, label, action)
    end_activation(position)
    position.begin_action()
    before = unit.tp
    if not late:
        if not _goes_on(position, following, unit.side):
            unit.tp -= 1
            position.last_side = unit.side
        why = f"whether {unit.id} was activated for its act at event {event.seq} is not recorded"
        position.holes.open(Hole(event.seq, why, frozenset({("tp", unit.id), ("turn",)})))
    position.act = Activation(unit, action, before, unit.tp, event.seq, position.table.later)
    position.act.told = "after" if late else "never"


def _goes_on(position: Position, following: Any, side: str) -> bool:
    """Whether the record goes on with an activation of the same side (`following`), though the other has TPs."""
    if following is None or not position.has_tps(OTHER[side]):
        return False
    unit = unit_called(position, following.unit, following.player or side)
    return side == (unit.side if unit is not None else following.player)


_ACTION_OF = {
    **{action: action for action in ("advance", "run", "consolidate", "assault", "shoot")},
    "assault_pre": "assault",
}
"""What an act is part of -> the action."""
