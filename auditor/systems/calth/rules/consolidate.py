"""Consolidate: also the way in which a unit retreats (CON)."""

from __future__ import annotations

from auditor.core.findings import RAN, Remark
from auditor.core.rulings import Hearing
from auditor.geometry.hexes import Hex
from auditor.systems.calth.reckoning.claims import JOINING, NEW_UNITS, WrongTps
from auditor.systems.calth.reckoning.views import (
    ActView,
    MovesView,
)
from auditor.systems.calth.records import (
    MoveModels,
    Retreat,
)
from auditor.systems.calth.rules.board import hexes_entered
from auditor.systems.calth.rules.common import (
    Seen,
    move_marks,
    rule,
    said_of,
    tp_faults,
)
from auditor.systems.calth.state import Position
from auditor.systems.calth.words import count


@rule(
    "CAL-CON-01",
    "Consolidate",
    section=9,
    events=("move_models",),
    kinds=("illegal", "ambiguous"),
    readings=("R-ACT-NOP",),
)
def consolidate(event: MoveModels, view: MovesView, position: Position, hearing: Hearing) -> Seen:
    """Any number of models of the unit move one step each, singly, into adjacent hexes with room; they may part.

    Log:  every model's destination, and the units that result.
    Edge: legal when pinned, next to enemies and into rubble (a retreat may not end next to an enemy).
    """
    unit = view.actor
    if unit is None and view.destroyed(event.unit):
        return None  # it has no model left: CAL-ATK-08
    if unit is None or event.moves is None or len(view.going) < len(event.moves):
        lacking = [what for what, value in (("the unit", unit), ("the moves", event.moves is not None)) if not value]
        named = (event.unit,) if event.unit else ()
        return [consolidate.missing(lacking or ["every model and its destination"], *named)]
    problems: list[tuple[str, str, Hex]] = []
    moved: set[str] = set(view.before or ())
    retreats = view.cause == "retreat"  # where it may not go, CAL-RET-02 says
    for number, (model, to) in enumerate(view.going):
        if model in moved:
            problems.append((model, f"{model} moves twice", to))
            continue
        moved.add(model)
        if model not in unit.models:
            problems.append((model, f"{model} is not of {unit.id}", to))
            continue
        for _, why in view.problems[number] if view.problems and not retreats else ():
            problems.append((model, why, to))
        there = position.by_hex.get(to)
        if there is not None and there.side != unit.side and not retreats:
            problems.append((model, f"{there.id} of the other side holds {position.at(to)}", to))
    nobody = not event.moves and not retreats and view.before is None
    if nobody and event.seq not in position.recorded.moves.continued and hearing.ask("R-ACT-NOP") == "not_allowed":
        return [consolidate.illegal(f"{unit.id} consolidated no model at all.", unit.id)]
    if not problems:
        return RAN
    told = "; ".join(dict.fromkeys(why for _, why, _ in problems))
    return [
        consolidate.illegal(
            f"{unit.id} cannot consolidate so: {told}.",
            unit.id,
            player=unit.side if event.player is None else "",
            claimed={"moves": [{"model": m, "to": list(to)} for m, to in view.going]},
            evidence=move_marks([unit.hex, problems[0][2]], False, problems[0][1]),
        )
    ]


@rule(
    "CAL-CON-02",
    "Nothing else moves",
    section=9,
    events=("move_models",),
    kinds=("illegal",),
)
def nothing_else_moves(event: MoveModels, view: MovesView, position: Position, hearing: Hearing) -> Seen:
    """Models of the units that are joined do not move.

    Log:  the moves.
    """
    unit = view.actor
    if unit is None or not event.moves:
        return None
    entered = {to for _, to in view.going}
    found: list[Remark] = []
    for model, to in view.going:
        other = position.unit_of.get(model)
        if other is not None and other is not unit and other.hex in entered:
            found.append(
                nothing_else_moves.illegal(
                    f"{model} of {other.id} moved although {other.id} is only being joined.",
                    model,
                    evidence=move_marks([other.hex, to], False, "does not move"),
                )
            )
    return found or RAN


@rule(
    "CAL-CON-03",
    "Room in the hexes entered",
    section=9,
    events=("move_models",),
    kinds=("illegal",),
)
def consolidate_room(event: MoveModels, view: MovesView, position: Position, hearing: Hearing) -> Seen:
    """In every hex entered, the bulk there and the bulk that arrives are at most 3 together.

    Edge: the order of the models does not matter; only how full the hexes are in the end.
    """
    if not event.moves or view.cause == "retreat":
        return None  # a retreat into a hex without room is CAL-RET-02
    return hexes_entered(consolidate_room, view, position)


@rule(
    JOINING,
    "Joining a unit",
    section=9,
    events=("move_models",),
    kinds=("miscalculated",),
    beside=NEW_UNITS,
)
def joining(event: MoveModels, view: MovesView, position: Position, hearing: Hearing) -> Seen:
    """A model that enters a hex of friends becomes part of that unit and shares its TPs, which do not change.

    Log:  the TPs of the unit joined.
    Edge: a fresh model may thereby lose or gain activations.
    """
    unit = view.actor
    if unit is None or not event.moves:
        return None
    hosts = [hex_ for hex_ in view.arriving if (host := position.by_hex.get(hex_)) is not None and host is not unit]
    if not hosts:
        return None
    stated = {entry.hex for entry in event.units or () if entry.tp is not None}
    if any(hex_ not in stated for hex_ in hosts):
        hearing.not_claimed()
    return tp_faults(joining, event, view, position, hearing, _host_words) or RAN


def _host_words(wrong: WrongTps) -> str:
    return f"{wrong.name} was joined and keeps its {count(wrong.due or 0, 'TP')}; {said_of(wrong)}."


@rule(
    NEW_UNITS,
    "New units",
    section=9,
    events=("move_models", "retreat"),
    kinds=("miscalculated",),
    readings=("R-CON-TP",),
    when={"retreat": ("tps",)},
)
def new_units(event: MoveModels, view: MovesView, position: Position, hearing: Hearing) -> Seen:
    """An empty hex that receives models holds a new unit, one a hex, with as many TPs as the unit that they came from;
    that unit keeps its own.

    Log:  the TPs of every unit that results.
    Edge: if everybody left, the old unit is gone and the new ones still get its TPs.
    """
    unit = view.actor
    if unit is None or event.moves is None:
        return None
    if event.units is None or any(entry.tp is None for entry in event.units):
        hearing.not_claimed()
    return tp_faults(new_units, event, view, position, hearing, _new_words) or RAN


def _new_words(wrong: WrongTps) -> str:
    if wrong.due is None:
        return f"Nobody stands where {wrong.name} is recorded; {said_of(wrong)} TP{'s' * (list(wrong.claimed.values()) != [1])}."
    return f"{wrong.name} has {count(wrong.due, 'TP')}, as the unit that its models came from; {said_of(wrong)}."


@new_units.at("retreat")
def _tps_of_who_retreats(event: Retreat, view: ActView, position: Position, hearing: Hearing) -> Seen:
    """A unit that retreats keeps its TPs."""
    return tp_faults(new_units, event, view, position, hearing, _new_words) or RAN
