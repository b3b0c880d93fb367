"""Which way a unit faces. What that is hangs on readings, so it is followed under each of their options at once.

Source: catalogue 2.8, CLX-FACE-01 and -02. A direction follows from a move or a shot and is exact then; one that was
written in degrees may be rounded to whole ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import hypot
from types import MappingProxyType

from auditor.core.rulings import Hearing
from auditor.geometry.inches.arcs import Arc, Bearing, Direction, halves, mean, quarters
from auditor.geometry.inches.shapes import Point, distance, rotation
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Crossed, Faces, Look, Options, Position, Split, UnitState, look_of
from auditor.systems.clx.position.values import replace
from auditor.systems.clx.reckoning.options import asked
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.tolerance import HALF_A_DEGREE, RND

MOVE, ORDER, SUPP = "OR-FACING-MOVE", "OR-FACING-ORDER", "OR-SUPP"
CROSS, NEED, ARC = "OR-CROSS", "OR-CROSS-NEED", "OR-ARC"
CHOICES: tuple[Options, ...] = tuple(
    product(("NET", "LAST_LEG"), ("LATEST", "MOVE", "SHOT"), ("ALL_PINNING", "SEPARATE"))
)
"""The options of these three readings, combined."""


CROSSES: tuple[Crossed, ...] = tuple(
    product(("FIXED", "LIVE", "OPPOSED"), ("SHOT", "HIT", "WOUND"), ("QUARTERS", "HALVES"))
)
"""The options of OR-CROSS, OR-CROSS-NEED and OR-ARC, combined."""


def as_stated(heading: Fraction | None) -> Mapping[Options, Faces]:
    """The facing that the log states in degrees; nothing where it does not."""
    if heading is None:
        return MappingProxyType({})
    c, s, _ = rotation(heading)
    return MappingProxyType(dict.fromkeys(CHOICES, Look((c, s), "stated")))


def reference(unit: Unit, position: Position) -> Point | None:
    """The mean of the base centres of a unit's living models; None where none is on the table, or it is not recorded where
    one of them stands."""
    if any(position.nowhere(model.id) for model in unit.models):
        return None
    at = [place for model in position.living(unit) if (place := position.models[model.id].at) is not None]
    return mean(at) if at else None


def between(start: Point, end: Point) -> Direction | None:
    """The direction from one point to another; None where they are the same."""
    return None if start == end else (end.x - start.x, end.y - start.y)


def _mean(moves: Iterable[tuple[Point, Point]]) -> Direction | None:
    """The mean of the moves of some models; None where these cancel out."""
    each = [Point(end.x - start.x, end.y - start.y) for start, end in moves]
    whole = mean(each) if each else None
    return None if whole is None or whole.x == whole.y == 0 else whole


def directions_moved(ways: Ways) -> dict[str, Direction | None]:
    """The direction of a unit's move by the options of OR-FACING-MOVE; None where it has none, or none is known.

    The reference point of a unit moves as the mean of its models does. It has a last leg of its own only where all
    models that moved did so in equally many legs, and all of these were recorded.
    """
    moved = [way for way in ways.ways if way.moved]
    legs = {len(way.path.legs) for way in moved}
    whole = _mean((way.path[0], way.path[-1]) for way in moved)
    last: Direction | None = None
    if len(legs) == 1 and 0 not in legs and not any(way.ends_only for way in moved):
        last = whole if legs == {1} else _mean(way.path.legs[-1] for way in moved)
    return {"NET": whole, "LAST_LEG": last}


def after_move(state: UnitState, directions: Mapping[str, Direction | None]) -> UnitState:
    """A unit faces where it moved, unless it shot this turn and that decides. `directions`: as `directions_moved`."""
    moved = {option: _look(toward, "move") for option, toward in directions.items()}
    looks: dict[Options, Faces] = {
        options: look
        for options in CHOICES
        if (look := state.facing.get(options) if options[1] == "SHOT" and state.faced_shot else moved[options[0]])
        is not None
    }
    return replace(state, facing=MappingProxyType(looks), faced_move=True)


def after_shot(state: UnitState, toward: Direction | None) -> UnitState:
    """A unit faces where it shot, unless it moved this turn and that decides."""
    shot = _look(toward, "shot")
    looks: dict[Options, Faces] = {
        options: look
        for options in CHOICES
        if (look := state.facing.get(options) if options[1] == "MOVE" and state.faced_move else shot) is not None
    }
    return replace(state, facing=MappingProxyType(looks), faced_shot=True)


def after_suppression(state: UnitState, toward: Direction | None, *, pinning: bool) -> UnitState:
    """A unit faces whence it was shot at with Suppression Fire in the enemy's turn.

    pinning   by shots of a Pinning weapon. Whether these suppress without a wound hangs on OR-SUPP; under SEPARATE, and
              where something else makes the shots Suppression Fire or not, the facing is not known from there on.
    """
    look = _look(toward, "suppression") if pinning else None
    looks: dict[Options, Faces] = {}
    if look is not None:
        looks = {options: look for options in CHOICES if options[2] == "ALL_PINNING"}
    return replace(state, facing=MappingProxyType(looks))


def after_crossfire(
    state: UnitState, toward: Direction | None, turned: Mapping[tuple[Options, Crossed], bool | None]
) -> UnitState:
    """A unit faces whence it was shot at, where these shots are of a crossfire; else as before.

    turned   whether they are, by the readings on which that hangs; None: not known
    """
    look = _look(toward, "suppression")
    looks: dict[Options, Faces] = {}
    for options in CHOICES:
        before = state.facing.get(options)
        faces = {
            crossed: one
            for crossed in CROSSES
            if (turns := turned[options, crossed]) is not None
            and (one := look if turns else look_of(before, crossed)) is not None
        }
        if len(faces) == len(CROSSES) and len(set(faces.values())) == 1:
            looks[options] = next(iter(faces.values()))
        elif faces:
            looks[options] = Split(MappingProxyType(faces))
    return replace(state, facing=MappingProxyType(looks))


@lru_cache(4096)
def _look(toward: Direction | None, by: str) -> Look | None:
    """One object for one direction: the same games are compared again and again."""
    return None if toward is None else Look(toward, by)


def off_its_rays(look: Look, at: Point, of: Point, allowed: Fraction) -> Fraction:
    """Inches by which a point may lie off the arcs of a facing and not be held against anybody.

    A stated facing may be rounded to the whole degree. One that follows from a move or a shot is as sure as the places
    of its two ends are: a short move that is written a little off turns by many degrees.

    allowed   inches that a measured length may be off
    """
    far = float(distance(at, of))
    if look.by == "stated":
        return max(allowed, RND + Fraction(far) * HALF_A_DEGREE)
    return allowed + Fraction(far * min(1.0, float(allowed) / hypot(*map(float, look.direction))))


# -- arcs ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seen:
    """In which arc something lies, and the look by which it does; `halves`: there is front and rear only (OR-ARC)."""

    bearing: Bearing
    look: Look
    halves: bool


@dataclass(frozen=True, slots=True)
class Arcs:
    """Where a unit stands that is seen from another, and where that stands; the arc in which it does by the options of
    the readings on a facing and on crossfire; None: its facing is not known."""

    at: Point
    of: Point
    seen: dict[tuple[str, ...], Seen | None]


def arcs_between(target: Unit, unit: Unit, position: Position) -> Arcs | None:
    """None where one of them stands nowhere, or nobody knows where."""
    return position.now.once(("arcs", target.id, unit.id), lambda: _arcs(target, unit, position))


def _arcs(target: Unit, unit: Unit, position: Position) -> Arcs | None:
    at, of, facing = reference(target, position), reference(unit, position), position.units[target.id].facing
    if at is None or of is None:
        return None
    seen: dict[tuple[str, ...], Seen | None] = {}
    worked: dict[tuple[int, str], Seen] = {}
    split = any(isinstance(faces, Split) for faces in facing.values())
    for options, crossed in product(CHOICES, CROSSES if split else CROSSES[:2]):
        look = look_of(facing.get(options), crossed)
        if look is None:
            seen[*options, *crossed] = None
            continue
        key = (id(look), crossed[2])
        if key not in worked:
            half = crossed[2] == "HALVES"
            worked[key] = Seen((halves if half else quarters)(look.direction, at, of), look, half)
        seen[*options, *crossed] = worked[key]
    return Arcs(at, of, seen)


def arc_of(arcs: Arcs, hearing: Hearing, claimed: Arc) -> Seen | None:
    """The arc of a unit in which another one lies; None where its facing is not known.

    Readings are asked only where the claim is right under some of them and wrong under others.
    """
    if all(one is not None and one.bearing.arc == claimed for one in arcs.seen.values()):
        return next(iter(arcs.seen.values()))
    return asked(arcs.seen, (MOVE, ORDER, SUPP, CROSS, NEED, ARC), hearing, _same)


def _same(one: Seen | None) -> tuple[str, bool] | None:
    """What matters of an arc: which it is, and whether Suppression Fire made it so."""
    return None if one is None else (one.bearing.arc, one.look.by == "suppression")
