"""An act of a unit that nobody activated: how the game goes on (CAL-ACT-02, CAL-AUD-01)."""

from __future__ import annotations

from auditor.core.holes import Hole
from auditor.systems.calth import records
from auditor.systems.calth.adopt.common import end_activation
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.reckoning.licence import action_of
from auditor.systems.calth.reckoning.views import ActivationView, MovesView, MoveView, View
from auditor.systems.calth.records import Attack
from auditor.systems.calth.state import Activation, Position


def act_unactivated(event: records.Event, view: MoveView | MovesView | AttackView, position: Position) -> None:
    """A unit acts that was not activated (CAL-ACT-02), when its player's turn it may be: the game goes on as if it had been,
    for the line may be missing, or come after the act. An activation of which nothing is recorded yet is not over by that.
    """
    unit, act = view.actor, position.act
    if view.licence != "none" or (isinstance(event, Attack) and event.role is None):
        return
    if unit is None or unit.tp < 1 or unit.side != position.side_to_act() or position.holes.doubt([("act",)]):
        return
    if act is not None and not act.seen and act.action != "none":
        return
    action = action_of(view.role if isinstance(view, AttackView) else view.cause)
    if action is None:
        return
    end_activation(position)
    position.begin_action()
    why = f"whether {unit.id} was activated for its act at event {event.seq} is not recorded"
    position.holes.open(Hole(event.seq, why, frozenset({("tp", unit.id)})))
    position.act = Activation(unit, action, unit.tp, unit.tp, event.seq)
    position.act.told = False


def pay_unactivated(event: records.Event, view: View, position: Position) -> None:
    """An activation is over that no line made, and the game does not go on with one of the same player: it was paid for."""
    act, following = position.act, view.actor if isinstance(view, ActivationView) else None
    unit = position.of_act(act.hex) if act is not None else None
    if act is not None and unit is not None and act.side != (following.side if following is not None else event.player):
        unit.tp = max(0, unit.tp - 1)
