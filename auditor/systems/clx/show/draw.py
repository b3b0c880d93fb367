"""Positions of Calixtus' Edition as data to draw, and as facts to compare."""

from __future__ import annotations

from functools import partial
from itertools import compress
from operator import attrgetter
from typing import Any

from auditor.core.ruleset import Moment
from auditor.geometry.inches.lengths import shown
from auditor.geometry.inches.shapes import Circle, Point, heading_of
from auditor.systems.clx import records
from auditor.systems.clx.position.state import Look, Position, Split, UnitState
from auditor.systems.clx.reckoning import rolled
from auditor.systems.clx.reckoning.facing import CHOICES
from auditor.systems.clx.show.marks import COVERS


def draw(position: Position, event: records.Event) -> dict[str, Any]:
    """The table as data of kind `inches`: lengths and coordinates are decimals in inches, as texts."""
    setup = position.setup
    models = []
    numbers = {
        model.id: n for unit in setup.units.values() if len(unit.models) > 1 for n, model in enumerate(unit.models, 1)
    }
    for model_id, model in setup.models.items():
        standing = position.models[model_id]
        if not position.on_table(model_id) or standing.at is None:
            continue
        shape = position.shape(model)
        entry: dict[str, Any] = {
            "id": model_id,
            "unit": model.unit,
            "player": setup.units[model.unit].player,
            "at": [shown(standing.at.x), shown(standing.at.y)],
            "z": shown(standing.z),
        }
        if model_id in numbers:
            entry["n"] = numbers[model_id]
        if standing.wounds is not None:
            entry["wounds"] = standing.wounds
        if isinstance(shape, Circle):
            entry["radius"] = shown(shape.radius)
        else:
            entry["hull"] = [[shown(x), shown(y)] for x, y in shape.corners]
            entry["heading"] = None if standing.heading is None else shown(standing.heading)
        models.append(entry)
    drawn = {
        "kind": "inches",
        "width": shown(setup.width),
        "depth": shown(setup.depth),
        "terrain": _terrain(position),
        "models": models,
        "units": [
            {
                "id": unit_id,
                "name": unit.name,
                "player": unit.player,
                "states": _states(position.units[unit_id]),
                "facing": None if unit.vehicle is not None else _facing(position.units[unit_id]),
            }
            for unit_id, unit in setup.units.items()
        ],
        "moment": moment(event, position),
        "acting": next((getattr(event, key) for key in _ACTS if getattr(event, key, None)), None),
    }
    attack = rolled.course(event, position)
    return drawn if attack is None else {**drawn, "attack": attack}


def _terrain(position: Position) -> list[dict[str, Any]]:
    """The pieces of terrain, which are drawn alike all through a game."""

    def drawn() -> list[dict[str, Any]]:
        return [
            {
                "id": piece.id,
                "name": piece.name,
                "outline": [[shown(x), shown(y)] for x, y in piece.area.corners],
                "difficult": piece.difficult,
                "dangerous": piece.dangerous,
                "impassable": piece.impassable,
                "cover": COVERS.get(piece.cover),
                "blocks_sight": piece.blocks_los,
            }
            for piece in position.setup.terrain.values()
        ]

    return position.ever.once("terrain drawn", drawn)


def _facing(unit: UnitState) -> str | None:
    """Which way a unit faces, in degrees, where that is known and hangs on no reading."""
    looks = {id(look): look for look in unit.facing.values()}.values()  # Most are one and the same.
    if len(unit.facing) < len(CHOICES):
        return None
    found = {look.direction for look in looks if isinstance(look, Look)}
    if len(found) != 1 or any(isinstance(look, Split) for look in looks):
        return None
    return f"{heading_of(*found.pop()):.1f}".removesuffix(".0")


_ACTS = ("unit", "vehicle", "psyker")
_STATES = ("hidden", "falling_back", "pinned", "gone_to_ground", "jinking", "prone", "ran", "charged")


def _states(unit: UnitState) -> list[str]:
    found = [name.replace("_", " ") for name in _STATES if getattr(unit, name)]
    return [*found, *(f"in combat with {enemy}" for enemy in sorted(unit.locked_with))]


def _place(at: Point) -> str:
    """A place in words."""
    return f"{shown(at.x)}, {shown(at.y)}"


_COMPARED = ("pinned", "falling_back", "gone_to_ground", "shooting_spent")
_compared = attrgetter(*_COMPARED)


def facts(position: Position) -> dict[str, Any]:
    """What can be compared between two positions, by name."""
    found: dict[str, Any] = {}
    for model_id, standing in position.models.items():
        if not standing.alive:
            found[f"place of {model_id}"] = "removed"
            if position.setup.models[model_id].profile.W == 1:
                found[f"wounds of {model_id}"] = 1  # That it lost its only wound is said by that it was removed.
        elif standing.at is not None:
            # The same models are compared again and again, and few have moved between.
            found[f"place of {model_id}"] = position.ever.once("in words", partial(_place, standing.at), (standing.at,))
            if standing.wounds is not None:
                found[f"wounds of {model_id}"] = standing.wounds
    for unit_id, state in position.units.items():
        for name in compress(_COMPARED, _compared(state)):
            found[f"{unit_id} {name.replace('_', ' ')}"] = True
    for player, charges in position.pools.items():
        found[f"warp charges of {position.setup.player(player)}"] = charges
    found["first turn"] = None if position.first is None else position.setup.player(position.first)
    for turn, continues in position.length.items():
        if continues is not None:
            found[f"the roll after turn {turn}"] = "the game goes on" if continues else "the game ends"
    return found


def moment(event: records.Event, position: Position) -> Moment:
    """When an event is."""
    turn = getattr(event, "turn", None) or position.turn
    phase = getattr(event, "phase", None) or position.phase
    if not turn:
        return Moment(part="Before the battle", short="", text="Before the battle")
    words = f"Turn {turn}" + (f", {phase} phase" if phase else "")
    return Moment(part=f"Turn {turn}", short=f"T{turn}", text=words)
