"""Stated positions and models placed."""

from __future__ import annotations

from typing import Any

from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.systems.calth import records
from auditor.systems.calth.adopt.common import give_to_the_most, lose_track, settle
from auditor.systems.calth.reckoning.moves import can_stand
from auditor.systems.calth.reckoning.views import View
from auditor.systems.calth.state import OTHER, Position, side_key


def stated_position(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    """A stated position replaces the replayed one; what it leaves out is a hole, unless it is the first."""
    stated = event.position if isinstance(event, records.Judge) else event
    if stated is None:
        return
    first = not position.started
    table = position.table
    if stated.units is not None:
        _state_units(stated, position, first)
    if stated.round is not None:
        position.round = stated.round
    if stated.phase is not None:
        position.phase = stated.phase
        position.rolled = stated.phase in ("ready", "action", "over")
        position.drawn = {"UM": 1, "WB": 1} if stated.phase in ("action", "over") else {}
        position.refreshed = frozenset(position.units) if stated.phase in ("action", "over") else None
        position.awaited = None
    # After the first activation lanes may be one that differ in the initiative; it is not asked for unless stated anew.
    if stated.initiative is not None or first or (position.last_side is not None and stated.to_act is None):
        position.initiative = stated.initiative
    if stated.doors is not None or first:
        sealed = set(position.sealed)
        for entry in stated.doors or ():
            if entry.edge is None or entry.state is None:
                continue
            door = side_key(*entry.edge)
            if door in table.board.doors:
                (sealed.add if entry.state == "sealed" else sealed.discard)(door)
        position.sealed = frozenset(sealed)
    if stated.weapons_destroyed is not None or first:
        position.destroyed = frozenset((m, w) for m, w in stated.weapons_destroyed or ())
    _state_cards(stated, position, first)
    position.act = None
    position.begin_action()
    position.card_waiting = None
    position.last_side = OTHER[stated.to_act] if stated.to_act is not None else None
    if stated.units is not None and stated.phase is not None:
        _open_left_out(event, stated, position, first)
    if any(entry.hex is None or not entry.models or entry.unit is None for entry in stated.units or ()):
        lose_track(position, event, "where every unit stands, who is in it and what it is called")
    elif first and (stated.phase is None or stated.round is None):
        lose_track(position, event, "which phase of which round it is")


def _state_units(stated: Any, position: Position, first: bool) -> None:
    """Units where they are stated to stand, models in reserve and removed."""
    table = position.table
    borne = {unit.id: unit.models for unit in position.units.values()}
    for unit in list(position.units.values()):
        position.lift(unit)
    position.gone = frozenset()
    placed: set[str] = set()
    for entry in stated.units:
        models = tuple(m for m in dict.fromkeys(entry.models or ()) if m in table.models and m not in placed)
        if entry.hex is None or not models:
            continue
        side = entry.side or table.models[models[0]].side
        if entry.hex in position.by_hex and position.by_hex[entry.hex].side != side:
            continue
        placed.update(models)
        settle(position, side, entry.hex, models, entry.tp or 0, entry.unit)
    borne = {**position.former, **borne}
    position.former = {label: models for label, models in borne.items() if label not in position.units}
    reserve = frozenset(stated.reserve or ())
    removed = frozenset(stated.removed or ())
    if stated.removed is None and not first:
        removed = position.removed - placed
    position.removed = removed
    position.reserve = reserve if stated.reserve is not None else frozenset()


def _state_cards(stated: Any, position: Position, first: bool) -> None:
    """Damage cards in the deck and on the model, Command cards left and in hand."""
    table = position.table
    if stated.damage_deck is not None:
        if stated.damage_deck.in_deck is not None:
            position.damage_in_deck = frozenset(stated.damage_deck.in_deck)
        if stated.damage_deck.on_model is not None:
            position.damage_on_model = frozenset(stated.damage_deck.on_model)
            if stated.damage_deck.in_deck is None:
                position.damage_in_deck = frozenset(table.locations) - position.damage_on_model
        if not {*(stated.damage_deck.in_deck or ()), *(stated.damage_deck.on_model or ())} <= set(table.locations):
            position.damage_in_deck = None  # a name is that of no card: nobody can tell which is in the deck
    elif first and any(m.has_damage_deck for m in table.models.values()):
        position.damage_in_deck = None  # left out: unknown, so that no finding rests on it
    if stated.decks is not None:
        for side, deck in stated.decks.items():
            if deck.left is not None:
                position.deck_left[side] = deck.left
            if deck.hand is not None:
                position.hands[side] = tuple(deck.hand)


def _open_left_out(event: records.Event, stated: Any, position: Position, first: bool) -> None:
    """All is known again but what a whole position leaves out."""
    position.holes.close()
    left_out: set[Any] = {("tp", entry.unit) for entry in stated.units if entry.unit is not None and entry.tp is None}
    doors = stated.doors
    told = first if doors is None else all(None not in (entry.edge, entry.state) for entry in doors)
    if not told and position.table.board.doors:
        left_out.add(("doors",))
    if stated.phase == "action" and stated.to_act is None:
        left_out.add(("turn",))
    if left_out:
        position.holes.open(
            Hole(event.seq, f"the position stated at event {event.seq} leaves it out", frozenset(left_out))
        )


def place(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    if event.model is None or event.hex is None:
        lose_track(position, event, "which model was placed where")
        return
    label = position.recorded.set_up.labels.get(event.seq, event.unit)
    name, hex_ = position.recorded.set_up.meant.get(event.seq, (event.model, event.hex))
    model = position.table.models.get(name)
    if model is not None and model.id in position.removed:
        return
    if model is None or hex_ is None or not can_stand(position, hex_, model.side, [model.id]):
        if label is not None:
            position.former = {label: (), **position.former}  # a unit so called may stand somewhere
        return
    tp = 0
    position.take(model.id)
    position.reserve = position.reserve - {model.id}
    host = position.by_hex.get(hex_)
    settle(position, model.side, hex_, (model.id,), tp, label)
    if label is not None and position.phase == "setup":
        give_to_the_most(position, label, position.by_hex[hex_])
    if label is None and host is None:
        lose_track(position, event, "what the new unit is called")
