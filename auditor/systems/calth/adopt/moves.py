"""Moves of units and of single models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from auditor.core.findings import Fact
from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.geometry.hexes import Hex
from auditor.systems.calth.adopt.common import free_label, label_of_side, lose_an_assault, lose_track, settle
from auditor.systems.calth.adopt.unactivated import act_unactivated
from auditor.systems.calth.reckoning.ahead import is_said_of
from auditor.systems.calth.reckoning.claims import possible, tps_of_new
from auditor.systems.calth.reckoning.moves import can_stand
from auditor.systems.calth.reckoning.views import MovesView, MoveView
from auditor.systems.calth.state import Moving, Position, Unit, of_unit


def move_unit(event: Any, view: MoveView, position: Position, hearing: Hearing) -> None:
    unit, cause, path, licence = view.actor, view.cause, view.path, view.licence
    act_unactivated(event, view, position)
    act = position.act
    if unit is None or not event.path:
        lose_track(position, event, "which unit went where")
        return
    start, end = path[view.before - 1 if view.before else 0], path[-1]
    position.holes.state([("hex", unit.id)])
    own = act is not None and act.hex == unit.hex and act.side == unit.side
    movers = tuple(m for m in event.models if m in unit.models) if event.models else ()
    movers = movers or unit.models
    if start != unit.hex:
        position.shift(unit, start)
        if own and act is not None:
            act.hex = start
            act.start = start
    moved = end == unit.hex or can_stand(position, end, unit.side, movers)
    if moved and end != unit.hex:
        _walk(position, unit, movers, end, event.unit)
    if own and act is not None and moved:
        act.hex = end
    if moved and licence != "none":
        position.moving = Moving(cause, end, path=tuple(path))
    if act is not None and own:
        if cause in ("advance", "run"):
            act.moved = True
            act.other_made = act.other_made or cause != act.action
        elif cause == "assault_pre":
            act.premoved = True
            lose_an_assault(position)
        elif cause == "move_in":
            act.moved_in = True


def _walk(position: Position, unit: Unit, movers: tuple[str, ...], end: Hex, label: str | None) -> None:
    """Move a unit, or a part of it, to a hex that can take it."""
    host = position.by_hex.get(end)
    if len(movers) == len(unit.models) and host is None:
        position.shift(unit, end)
        return
    tp, side = unit.tp, unit.side
    for model in movers:
        position.take(model)
    settle(position, side, end, movers, tp, label if len(movers) == len(unit.models) else None)


def move_models(event: Any, view: MovesView, position: Position, hearing: Hearing) -> None:
    unit, before = view.actor, view.before
    if unit is None or event.moves is None:
        lose_track(position, event, "which models went where")
        return
    labels: dict[Hex, Any] = {entry.hex: entry for entry in event.units or () if entry.hex is not None}
    parent_hex, side = unit.hex, unit.side
    going = _going(event, side, position)
    arriving: dict[Hex, list[str]] = {}
    for model, to in going.items():
        arriving.setdefault(to, []).append(model)
    new_hexes = [hex_ for hex_ in arriving if hex_ not in position.by_hex]
    unclaimed = [hex_ for hex_ in new_hexes if hex_ not in labels or possible(labels[hex_].tp) is None]
    tp = tps_of_new(view.cause, position, unit, hearing) if unclaimed else unit.tp
    in_doubt = position.holes.doubt([("tp", unit.id)])
    act_unactivated(event, view, position)
    act = position.act
    if any(m.model is None or m.to is None for m in event.moves):
        lose_track(position, event, "which models went where")
    named = {move.model for move in event.moves}
    if any(model in position.table.models and position.table.models[model].side != side for model in named):
        why = f"event {event.seq} moves a model that is not of {side}, so who moved is not known"
        _doubt_where(position, event.seq, why, unit, (model for model in unit.models if model not in named))
    parent = labels.get(parent_hex)
    parent_tp = possible(parent.tp) if parent is not None else None
    if parent_tp is not None:
        unit.tp = parent_tp
    for hex_ in _refused(position, side, arriving):
        if position.table.zone_of(hex_) == "off":
            why = f"event {event.seq} moves models to {position.at(hex_)}, which is no hex, so where they went is not known"
            _doubt_where(position, event.seq, why, unit, arriving[hex_])
        del arriving[hex_]
    _arrive(arriving, labels, side, tp, position)
    if not labels.keys() >= arriving.keys():  # the hex of an entry is written wrongly: nobody knows whose it is
        labels = {hex_: entry for hex_, entry in labels.items() if hex_ == parent_hex or hex_ in arriving}
    for hex_, entry in labels.items():
        other, claimed = position.by_hex.get(hex_), possible(entry.tp)
        if hex_ != parent_hex and hex_ not in arriving and other is not None and claimed is not None:
            other.tp = claimed  # a claim of a unit that the moves do not touch
    relabel(position, event.seq, side, labels)
    if in_doubt is not None:
        new = (position.by_hex.get(hex_) for hex_ in unclaimed)
        position.holes.open(in_doubt.of(("tp", one.id) for one in new if one is not None))
    _keep_of_nobody(position, labels)
    if any(hex_ not in labels or labels[hex_].unit is None for hex_ in new_hexes if hex_ in position.by_hex):
        lose_track(position, event, "what the new unit is called")
    if position.by_hex.get(parent_hex) is unit:
        position.moving = Moving(view.cause, parent_hex, models=(*(before or ()), *going))
    if act is None:
        return
    if view.cause == "retreat":
        act.retreated = True
        left = position.by_hex.get(parent_hex)
        act.staying = left.models if left is not None and left.side == side else ()
        act.kept = act.staying or ("nobody",)
    elif act.side == side and act.hex == parent_hex:
        act.moved = True
        act.other_made = act.other_made or act.action != "consolidate"


def _going(event: Any, side: str, position: Position) -> dict[str, Hex]:
    """The models of a side that leave their hexes, and where they go."""
    found: dict[str, Hex] = {}
    for move in event.moves:
        stood = position.unit_of.get(move.model)
        if move.to is not None and stood is not None and stood.side == side and move.to != stood.hex:
            found[move.model] = move.to
    return found


def _arrive(arriving: dict[Hex, list[str]], labels: dict[Hex, Any], side: str, tp: int, position: Position) -> None:
    """Put models where they went: in the unit that stands there, or in a new one."""
    for models in arriving.values():
        for model in models:
            position.take(model)
    for hex_, models in arriving.items():
        entry = labels.get(hex_)
        claimed = possible(entry.tp) if entry is not None else None
        host = position.by_hex.get(hex_)
        if host is not None:
            position.join(host, tuple(models))
            if claimed is not None:
                host.tp = claimed
        else:
            settle(position, side, hex_, tuple(models), claimed if claimed is not None else tp, None)


def _doubt_where(position: Position, seq: int, why: str, unit: Unit, models: Iterable[str]) -> None:
    """Nobody knows where some models of a unit went: it may have left its hex with them."""
    gone: set[Fact] = {("in", model) for model in models}
    position.holes.open(Hole(seq, why, frozenset(gone | {("units",), ("hex", unit.id)})))


def _refused(position: Position, side: str, arriving: Mapping[Hex, list[str]]) -> list[Hex]:
    """The hexes that cannot take the models that arrive there; who cannot arrive does not leave either."""
    refused: list[Hex] = []
    while True:
        moving = [model for hex_, models in arriving.items() if hex_ not in refused for model in models]
        more = [
            hex_
            for hex_, models in arriving.items()
            if hex_ not in refused and not can_stand(position, hex_, side, models, moving)
        ]
        if not more:
            return refused
        refused += more


def _keep_of_nobody(position: Position, entries: Mapping[Hex, Any]) -> None:
    """Keep the labels that the log has for hexes to which nobody went: of which unit they are nobody can tell."""
    for hex_, entry in entries.items():
        if entry.unit is not None and hex_ not in position.by_hex and entry.unit not in position.units:
            position.former = {entry.unit: (), **position.former}


def relabel(position: Position, seq: int, side: str, entries: Mapping[Hex, Any]) -> None:
    """Give units the labels that the log has for their hexes; a label says nothing but who is meant later. One that
    another unit bears is given only where the record goes on so.
    """
    named = [
        (unit, label_of_side(position, entry.unit, side))
        for hex_, entry in entries.items()
        if entry.unit is not None and (unit := position.by_hex.get(hex_)) is not None and unit.side == side
    ]
    moving = {unit.id for unit, _ in named}
    for unit, label in named:
        bearer = position.units.get(label)
        if (
            bearer is not None
            and label not in moving
            and is_said_of(position.recorded.events, seq, label, unit, bearer)
        ):
            del position.units[label]
            position.former = {**position.former, label: (*position.former.get(label, ()), *bearer.models)}
            bearer.id = free_label(position, None, side, bearer.hex)
            position.units[bearer.id] = bearer
    wanted: set[str] = set()
    for unit, label in named:
        if label not in wanted and (label not in position.units or label in moving):
            wanted.add(label)
            position.units.pop(unit.id, None)
    taken = set(position.units)
    for unit, label in named:
        if label in wanted and label not in taken:
            if label != unit.id:  # the old label stays with its models, not with those that left it before
                position.former = {**position.former, unit.id: unit.models}
                position.holes.forget(of_unit(label))
            unit.id = label
            taken.add(label)
        position.units[unit.id] = unit
        position.gone = position.gone - {unit.id}
    position.former = {label: models for label, models in position.former.items() if label not in position.units}
