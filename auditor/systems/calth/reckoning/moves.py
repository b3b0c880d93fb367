"""Steps from hex to hex, and what a hex holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import Enum
from typing import NamedTuple

from auditor.geometry.hexes import DIRECTIONS, Hex
from auditor.systems.calth.state import CAPACITY, Position, Unit, side_key


class MapProblem(Enum):
    """What of the map stands in the way of a step."""

    BLOCKED = "a blocked hex"
    OFF_BOARD = "no hex of the board"
    SEALED = "a sealed door"
    OTHER = "no adjacent hex"


Problem = tuple[MapProblem, str]
"""What stands in the way of a step, and why in words."""


def are_neighbours(a: Hex, b: Hex) -> bool:
    """Whether two hexes share a hexside, whatever stands on it."""
    return (b[0] - a[0], b[1] - a[1]) in DIRECTIONS


def problems_of_step(position: Position, start: Hex, end: Hex) -> tuple[Problem, ...]:
    """Why one step from hex to hex cannot be made by any model.

    Occupied hexes are not looked at here: what they mean differs between the actions.
    """
    if end in position.adjacent(start):
        return ()
    table = position.table
    problems: list[Problem] = []
    zone = table.zone_of(end)
    if zone == "blocked":
        problems.append((MapProblem.BLOCKED, f"{position.at(end)} is blocked"))
    elif zone == "off":
        problems.append((MapProblem.OFF_BOARD, f"{position.at(end)} is no hex of the board"))
    if not are_neighbours(start, end):
        problems.append((MapProblem.OTHER, f"{position.at(end)} is not adjacent to {position.at(start)}"))
    else:
        side, between = side_key(start, end), f"stands between {position.at(start)} and {position.at(end)}"
        if side in position.sealed:
            problems.append((MapProblem.SEALED, f"a sealed door {between}"))
        elif side in table.obstructions:
            problems.append((MapProblem.OTHER, f"an obstruction {between}"))
    return tuple(problems)


class Filling(NamedTuple):
    """A hex as it would be filled (CAL-HEX-07): who is there and stays, and the bulk of all.

    held_by   the unit of the other side that holds it, if one does
    present   models that are there and stay
    bulk      the bulk of those and of the models that arrive
    """

    held_by: Unit | None
    present: tuple[str, ...]
    bulk: int

    @property
    def fits(self) -> bool:
        return self.held_by is None and self.bulk <= CAPACITY


def filling(
    position: Position, hex_: Hex, side: str | None, arriving: Iterable[str], leaving: Collection[str] = ()
) -> Filling:
    """A hex with models that arrive in it while others leave: what counts is how full it is in the end.

    The one place where it is decided whether models fit in a hex. `leaving` may name models of any hex.
    """
    known = position.table.models
    bulk = 0
    for model in arriving:
        row = known.get(model)
        if row is not None:
            bulk += row.bulk
    there = position.by_hex.get(hex_)
    if there is None:
        return Filling(None, (), bulk)
    present = tuple([m for m in there.models if m not in leaving])
    for model in present:
        bulk += known[model].bulk
    return Filling(there if there.side != side else None, present, bulk)


def can_stand(position: Position, hex_: Hex, side: str, models: Collection[str], leaving: Iterable[str] = ()) -> bool:
    """Whether these models can be in that hex: it is enterable, not the other side's, and has room (CAL-AUD-01).

    `leaving` are models that leave it in the same event.
    """
    if hex_ not in position.table.passable:
        return False
    return filling(position, hex_, side, models, {*models, *leaving}).fits
