"""Losses that stand on a line of their own: TPs, models, weapons; doors."""

from __future__ import annotations

from typing import Any

from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.systems.calth import records
from auditor.systems.calth.adopt.attacks import destroy
from auditor.systems.calth.adopt.common import lose_track
from auditor.systems.calth.reckoning.claims import possible
from auditor.systems.calth.reckoning.labels import is_gone
from auditor.systems.calth.reckoning.licence import Held, Warrant, unit_leaving
from auditor.systems.calth.reckoning.views import LossView, View
from auditor.systems.calth.state import Position, side_key


def tp_loss(event: records.TpLoss, view: LossView, position: Position, hearing: Hearing) -> None:
    unit = view.change.unit
    if unit is None:
        if not is_gone(position, event.unit, event.player):
            lose_track(position, event, "which unit lost TPs")
        return
    change = view.change
    after = possible(event.tp_after)
    if after is not None:
        unit.tp = after
    elif change.warrant is Warrant.DIFFERS and event.amount is not None:
        claimed = change.before - event.amount
        unit.tp = claimed if claimed >= 0 else unit.tp
    elif change.warrant not in (Warrant.ECHO, Warrant.DIFFERS) and change.due is not None:
        unit.tp = change.due
    if event.tp_before is not None or event.tp_after is not None:
        position.holes.state([("tp", unit.id)])


def door_changed(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    if event.edge is None or event.state is None:
        position.holes.open(
            Hole(event.seq, f"which door changed at event {event.seq} is not recorded", frozenset([("doors",)]))
        )
        return
    door = side_key(*event.edge)
    if door not in position.table.board.doors:
        if position.table.board.doors:
            why = f"which door changed at event {event.seq} nobody can tell"
            position.holes.open(Hole(event.seq, why, frozenset([("doors",)])))
        return
    position.sealed = position.sealed | {door} if event.state == "sealed" else position.sealed - {door}


def weapon_destroyed(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    if event.model is None or event.weapon is None or not view.destruction.carried:
        return
    location = position.table.locations.get(event.card) if event.card is not None else None
    if location is None or location.destroys_weapon == event.weapon:
        destroy(position, (event.model, event.weapon))
    else:
        position.destroyed = position.destroyed | {(event.model, event.weapon)}
    act = position.act
    if act is not None and event.weapon == "assault_cannon":
        act.owes = tuple(model for model in act.owes if model != event.model)


def damage_card(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    position.card_waiting = event
    if event.card is not None:
        position.hold(Held("card", "damage_card", (), weapon=event.card))


def model_removed(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    if event.model is None:
        lose_track(position, event, "which model was removed")
    if event.model in position.unit_of:
        position.remove(event.model)


def unit_removed(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    unit = unit_leaving(event, position)
    if event.unit is None:
        lose_track(position, event, "which unit was removed")
    if unit is not None:
        for model in unit.models:
            position.remove(model)
