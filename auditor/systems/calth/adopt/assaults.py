"""What follows the attacks of an Assault."""

from __future__ import annotations

from typing import Any

from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.systems.calth.adopt.common import lose_track, who_is_left
from auditor.systems.calth.reckoning.claims import possible
from auditor.systems.calth.reckoning.dice import rerolled
from auditor.systems.calth.reckoning.labels import unit_assaulted
from auditor.systems.calth.reckoning.licence import Held
from auditor.systems.calth.reckoning.retreats import assault_losses, retreat_due
from auditor.systems.calth.reckoning.views import View
from auditor.systems.calth.records import faces
from auditor.systems.calth.state import OTHER, Position


def counter(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    """Says only that a counter-attack is made or not; the attack itself follows. If it does not, nobody knows the
    casualties of the action.
    """
    act = position.act
    if act is None or not act.attacked or view.actor is not unit_assaulted(position):
        return
    act.counter = event.choice
    if event.choice == "made" and "counter" not in position.recorded.actions.get(act.number, ()):
        unit = position.of_act(act.hex)
        facts = {_LOSSES, ("attack",), ("units",), *(who_is_left(unit) if unit is not None else ())}
        why = f"event {event.seq} names a counter-attack that is not recorded"
        position.holes.open(Hole(event.seq, why, frozenset(facts)))


_LOSSES = ("losses",)


def retreat(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    act = position.act
    if act is None or not act.attacked:
        return
    said = act.said
    if event.due is not None:
        said = event.due
    elif event.casualties:
        owner = OTHER[act.side]
        stated = {side: assault_losses(act, side, hearing) for side in (owner, act.side)} | event.casualties
        said = stated[owner] > stated[act.side]
    elif retreat_due(act, position, hearing):
        said = True
    if event.casualties:
        position.holes.state([_LOSSES])
    act.said = said


def last_stand(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    unit, act = view.actor, position.act
    if unit is None or event.models is None:
        lose_track(position, event, "who made the last stand")
        return
    shown = faces(event.faces)
    final = rerolled(shown, event) if shown is not None and len(shown) == len(event.models) else None
    by_dice = [m for m, face in zip(event.models, final, strict=True) if face == "S"] if final is not None else None
    # Survivors who are not of the unit cannot be: the dice decide (CAL-AUD-01).
    if event.survivors is not None and (by_dice is None or set(event.survivors) <= set(unit.models)):
        saved = [m for m in event.models if m in event.survivors]
    elif by_dice is not None:
        saved = by_dice
    else:
        lose_track(position, event, "who survived")
        return
    lost = [m for m in event.models if m not in saved and m in unit.models]
    after = possible(event.tp_after) or 0
    position.hold(
        Held("tps", "last_stand", unit.models, unit.tp, after),
        Held("last_stand", "last_stand", tuple(event.models)),
    )
    unit.tp = after
    for model in lost:
        position.remove(model)
    position.casualties = position.casualties + tuple(lost)
    if act is not None:
        act.retreated = True
        act.rolled = True
