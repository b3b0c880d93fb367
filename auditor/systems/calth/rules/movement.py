"""Advance and Run, and what being pinned forbids (ADV, PIN, RUN)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from auditor.core.findings import RAN
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.hexes import Hex
from auditor.systems.calth.reckoning.lacking import lack_of_move_in
from auditor.systems.calth.reckoning.views import (
    ActivationView,
    MoveView,
)
from auditor.systems.calth.records import (
    Activate,
    MoveUnit,
)
from auditor.systems.calth.rules.common import (
    Seen,
    move_marks,
    rule,
    unit_marks,
)
from auditor.systems.calth.state import Position, Unit
from auditor.systems.calth.words import count, names


@rule(
    "CAL-ADV-01",
    "Advance",
    section=9,
    events=("move_unit",),
    kinds=("illegal", "ambiguous"),
    when={"move_unit": ("advance",)},
)
def advance(event: MoveUnit, view: MoveView, position: Position, hearing: Hearing) -> Seen:
    """The unit as a whole moves one step into an adjacent hex that is neither occupied nor blocked.

    Log:  the path.
    Edge: legal when pinned, into rubble, and from one enemy to the next. A unit does not join another by an Advance,
          and a part of a unit that moves away is a Consolidate.
    """
    if view.cause != "advance":
        return None
    return _whole_move(advance, "an Advance", event, view, position, exactly=1)


def _whole_move(
    under: Rule,
    action: str,
    event: MoveUnit,
    view: MoveView,
    position: Position,
    *,
    exactly: int | None = None,
    most: int = 1,
) -> Seen:
    """A unit that moves as a whole, step by step into free adjacent hexes."""
    unit, path = view.actor, view.path
    if unit is None or not path:
        if unit is None and view.destroyed(event.unit):
            return None  # it has no model left: CAL-ATK-08
        lacking = [what for what, value in (("the unit", unit), ("the path", path)) if not value]
        return [under.missing(lacking, *((event.unit,) if event.unit else ()))]
    steps = len(path) - 1
    counts = steps == exactly if exactly is not None else steps <= most
    problems: list[str] = []
    held: dict[Hex, Unit] = {}
    if not counts:
        limit = count(exactly, "step") if exactly is not None else f"at most {count(most, 'step')}"
        problems.append(f"{action} is {limit}, and the path has {steps}")
    # In doubt what the path shows by itself is told alone: what else is wrong rests on who stands where.
    if not problems or not position.holes:
        problems += [why for step in view.problems for _, why in step]
    if not problems or not position.holes:
        held = _in_the_way(view, position, unit)
        problems += _not_free(event, held, position, unit)
    if not problems:
        return RAN
    return [
        under.illegal(
            f"{unit.id} cannot make this move: {'; '.join(problems)}.",
            unit.id,
            player=unit.side if event.player is None else "",
            claimed={"path": [list(h) for h in event.path or ()]},
            lacks=lack_of_move_in(event, position, *(there.id for there in held.values())),
            evidence=move_marks(path, False, action),
        )
    ]


def _in_the_way(view: MoveView, position: Position, unit: Unit) -> dict[Hex, Unit]:
    """The other units in the hexes of a path."""
    held = {end: position.by_hex[end] for _, end in view.steps if end in position.by_hex}
    return {end: there for end, there in held.items() if there is not unit}


def _not_free(event: MoveUnit, held: Mapping[Hex, Unit], position: Position, unit: Unit) -> list[str]:
    """Who stands in the way of a path, or who of the unit does not go along."""
    occupied = [f"{position.at(end)} is occupied by {there.id}" for end, there in held.items()]
    if occupied or event.models is None or set(event.models) == set(unit.models):
        return occupied
    if any(m not in event.models for m in unit.models):
        return [f"only {names(event.models)} of {unit.id} moved"]
    strange = [m for m in event.models if m not in unit.models]
    return [f"{names(strange)} {'is' if len(strange) == 1 else 'are'} not of {unit.id}"] if strange else []


@rule(
    "CAL-PIN-01",
    "Pinned units",
    section=9,
    events=("activate",),
    kinds=("illegal",),
)
def pinned(event: Activate, view: ActivationView, position: Position, hearing: Hearing) -> Seen:
    """A unit adjacent to an enemy unit is pinned when its action starts: it may only Advance, Consolidate or Assault.

    Edge: an enemy behind a sealed door or an obstruction does not pin. Doing nothing is allowed.
    """
    if event.action not in ("run", "shoot"):
        return None
    unit = view.actor
    if unit is None or view.disputed or view.is_late:
        return None  # where it stood when it acted is not where it stands now
    if not position.next_to_enemy(unit.hex, unit.side):
        return RAN
    enemies = position.enemies_beside(unit.hex, unit.side)
    who = names(sorted(e.id for e in enemies))
    return [
        pinned.illegal(
            f"{unit.id} declared a {event.action.capitalize()} next to {who}. Pinned, it may only Advance, Consolidate or "
            "Assault.",
            unit.id,
            player=unit.side,
            claimed={"action": event.action},
            lacks=lack_of_move_in(event, position, unit.id, *(e.id for e in enemies)),
            evidence=unit_marks(position, unit.id, *(e.id for e in enemies), label="pins"),
        )
    ]


@rule(
    "CAL-RUN-01",
    "Run",
    section=9,
    events=("move_unit",),
    kinds=("illegal", "ambiguous"),
    readings=("R-ACT-NOP",),
    when={"move_unit": ("run",)},
)
def run(event: MoveUnit, view: MoveView, position: Position, hearing: Hearing) -> Seen:
    """The unit as a whole moves up to two steps, each into an adjacent hex that is neither occupied nor blocked.

    Log:  the path.
    Edge: stepping back to the start is legal, it is empty by then; so is a single step.
    """
    if view.cause != "run":
        return None
    seen = _whole_move(run, "a Run", event, view, position, most=2)
    if not seen and len(view.path) == 1 and hearing.ask("R-ACT-NOP") == "not_allowed":
        who = view.actor.id if view.actor is not None else str(event.unit)
        return [run.illegal(f"{who} ran no step at all.", who)]
    return seen


def _left_behind(view: MoveView) -> Sequence[Hex]:
    """The hexes that a move entered and went on from in this event."""
    return view.path[max(1, view.before - 1) : -1]


@rule(
    "CAL-RUN-02",
    "A Run stops next to an enemy",
    section=9,
    events=("move_unit",),
    kinds=("illegal",),
    when={"move_unit": ("run",)},
)
def run_stops_at_enemies(event: MoveUnit, view: MoveView, position: Position, hearing: Hearing) -> Seen:
    """On entering a hex adjacent to an enemy unit the Run ends.

    Edge: an enemy behind a sealed door or an obstruction does not stop it.
    """
    unit = view.actor
    if view.cause != "run" or unit is None or len(view.path) < 3:
        return None
    for hex_ in _left_behind(view):
        if position.next_to_enemy(hex_, unit.side):
            enemies = position.enemies_beside(hex_, unit.side)
            return [
                run_stops_at_enemies.illegal(
                    f"{unit.id} ran on after entering {position.at(hex_)}, "
                    f"next to {names(sorted(e.id for e in enemies))}.",
                    unit.id,
                    claimed={"path": [list(h) for h in event.path or ()]},
                    evidence=move_marks(view.path, False, "the Run ends next to an enemy"),
                )
            ]
    return RAN


@rule(
    "CAL-RUN-03",
    "A Run stops in rubble",
    section=9,
    events=("move_unit",),
    kinds=("illegal",),
    when={"move_unit": ("run",)},
)
def run_stops_in_rubble(event: MoveUnit, view: MoveView, position: Position, hearing: Hearing) -> Seen:
    """On entering a rubble hex the Run ends.

    Edge: rubble in the start hex costs nothing; a second step into rubble is fine.
    """
    unit = view.actor
    if view.cause != "run" or unit is None or len(view.path) < 2:
        return None
    for hex_ in _left_behind(view):
        if hex_ in position.table.rubble:
            return [
                run_stops_in_rubble.illegal(
                    f"{unit.id} ran on after entering the rubble at {position.at(hex_)}.",
                    unit.id,
                    claimed={"path": [list(h) for h in event.path or ()]},
                    evidence=move_marks(view.path, False, "the Run ends in rubble"),
                )
            ]
    return RAN
