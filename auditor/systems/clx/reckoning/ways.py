"""The ways of models: what an event says that they moved along, or where it puts them, as exact points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from auditor.geometry.effort import count
from auditor.geometry.inches.lengths import ZERO, Length, about
from auditor.geometry.inches.moves import legs, path_length, pivots
from auditor.geometry.inches.shapes import Box, Circle, Point, distance
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit
from auditor.systems.clx.position.state import Position, Standing, places_of
from auditor.systems.clx.reckoning.unrecorded import opened_until
from auditor.systems.clx.written import exact_or_none, height_of, place_of


class Path(tuple[Point, ...]):
    """The points of a way, start included: what is measured of them alone is measured once, and counted as often as it is
    asked, so that what a record may cost does not hang on what is kept."""

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def legs(self) -> tuple[tuple[Point, Point], ...]:
        """The legs that have a length."""
        return tuple(legs(self))

    @cached_property
    def box(self) -> Box:
        """The box round it."""
        xs, ys = [about(x) for x, _ in self], [about(y) for _, y in self]
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def length(self) -> Length:
        count(15 * len(self))
        return self._length

    @cached_property
    def _length(self) -> Length:
        return path_length(self)

    @cached_property
    def _hash(self) -> int:
        return tuple.__hash__(self)


@dataclass(frozen=True, slots=True)
class Way:
    """The way of one model, start included; a model that is put down has the one point where.

    before     how it stood before the event
    headings   one a point, where they were recorded
    ends_only  what lies between the points was not recorded
    turns      the degrees of each pivot
    """

    model: Model
    before: Standing
    path: Path
    z: Fraction | None = None
    headings: tuple[Fraction, ...] | None = None
    ends_only: bool = False
    turns: Sequence[Fraction] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", self._turns())

    def _turns(self) -> Sequence[Fraction]:
        if not self.headings or len(self.headings) != len(self.path) or isinstance(self.model.base, Circle):
            return ()
        if self.before.heading is None:
            return pivots(self.path, self.headings)
        return pivots((self.path[0], *self.path), (self.before.heading, *self.headings))

    @property
    def end(self) -> Point:
        return self.path[-1]

    @property
    def height(self) -> Fraction:
        return self.before.z if self.z is None else self.z

    @property
    def heading(self) -> Fraction | None:
        """The heading at the end; None: not known, as of a hull whose headings on its way were not recorded."""
        if self.headings:
            return self.headings[-1]
        return self.before.heading if isinstance(self.model.base, Circle) else None

    @property
    def length(self) -> Length:
        """The length of the path; of one whose ends alone were recorded, the least that it can have been."""
        return self.path.length

    @property
    def moved(self) -> bool:
        return bool(self.path.legs or self.turns)

    @property
    def parts(self) -> int:
        """Legs and pivots: by so many roundings its length may be off."""
        return len(self.path.legs) + len(self.turns)


@dataclass(frozen=True, slots=True)
class Ways:
    """The unit that an event moves or puts down, and the ways of its models.

    unit       None where the event names none, none that is known, or models of other units alone: nobody can say then
               which unit was meant
    unknown    ids of models that the unit named does not have, and of those whose way is given twice
    unread     ids of models whose way cannot be read, or was left out
    lost       models of which nobody can say where they stand after it: those of `unread`, `unknown` and `jumped`, and
               where the event has an unknown one, those of the unit that it leaves out, since one of them may have been
               meant
    jumped     ways that begin elsewhere than where the record left their model, which nothing had put in doubt; they are
               not in `ways`: one of the two places is wrong, so nobody can say how far these models went and past whom
    """

    unit: Unit | None
    ways: tuple[Way, ...] = ()
    unknown: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    jumped: tuple[Way, ...] = ()


MOVES = (records.Move, records.Run, records.ChargeMove, records.PileIn, records.FallBack)
DEPLOYMENTS = (records.Deploy, records.ReserveArrival)
PLACINGS = (records.Deploy, records.ReserveArrival, records.Disembark)
HELD_TO_THEIR_START = (records.Move, records.Run, records.ChargeMove, records.FallBack, records.TankShock)
"""Events whose paths are to begin where their models stand; a `pile_in` is adopted and not checked."""


def ways_of(event: records.Event, position: Position, allowed: Fraction | None = None) -> Ways | None:
    """The ways in an event; None for an event that moves nobody.

    allowed  inches by which a way may begin elsewhere than where its model stood; None: it is not asked
    """
    ways = _written(event, position)
    if ways is None or allowed is None or not isinstance(event, HELD_TO_THEIR_START):
        return ways
    jumped = tuple(way for way in ways.ways if _jumps(way, event.seq, position, allowed))
    if not jumped:
        return ways
    names = tuple(way.model.id for way in jumped)
    kept = tuple(way for way in ways.ways if way.model.id not in names)
    return replace(ways, ways=kept, lost=(*ways.lost, *names), jumped=jumped)


def _jumps(way: Way, seq: int, position: Position, allowed: Fraction) -> bool:
    stood = way.before.at
    if way.before.told or stood is None or stood == way.path[0] or distance(stood, way.path[0]) <= allowed:
        return False
    doubt = position.holes.doubt(places_of([way.model.id]))
    if doubt is None or doubt.seq == way.before.apart:
        return True  # It was put far from its unit: a way from elsewhere shows that there was a slip indeed.
    return doubt == opened_until(position.setup.units[way.model.unit], seq, position)


def _written(event: records.Event, position: Position) -> Ways | None:
    if isinstance(event, MOVES):
        return _ways(position, event.unit, [(row, row.id) for row in event.models or ()])
    if isinstance(event, PLACINGS):
        rows = [(row, row.id) for row in event.models or ()]
        owners = {None if (unit := position.unit_of(name)) is None else unit.id for _, name in rows}
        named = event.unit if event.unit is not None or len(owners) != 1 else owners.pop()
        return _ways(position, named, rows, ZERO if isinstance(event, DEPLOYMENTS) else None)
    if isinstance(event, records.TankShock):
        unit = position.setup.units.get(event.vehicle or "")
        ids = [model.id for model in unit.models if position.on_table(model.id)] if unit is not None else []
        return _ways(position, event.vehicle, [(event, one) for one in ids[:1]])
    return None


def _ways(
    position: Position,
    unit_id: str | None,
    rows: Sequence[tuple[Any, Any]],
    ground: Fraction | None = None,
) -> Ways:
    """`rows`: what says where each model goes. `ground`: the height at which a model comes to stand where none is written;
    None: as before."""
    unit = position.setup.units.get(unit_id or "")
    own = {model.id: model for model in unit.models} if unit is not None else {}
    names = [str(row[1]) for row in rows]
    ways: list[Way] = []
    unknown: list[str] = []
    unread: list[str] = []
    for row, model_id in rows:
        model = own.get(model_id or "")
        if model is None or names.count(model.id) > 1:
            unknown.append(str(model_id))
            continue
        before = position.models[model.id]
        way = position.ever.once("way", partial(_way, row, model, before, ground, position), (row, model, before))
        if way is None:
            unread.append(model.id)
        else:
            ways.append(way)
    left_out = [one for one in own if one not in names] if unknown else []
    lost = tuple(one for one in dict.fromkeys([*unread, *unknown, *left_out]) if one in position.setup.models)
    if own.keys().isdisjoint(names) and names:
        unit = None
    return Ways(unit, tuple(ways), tuple(dict.fromkeys(unknown)), tuple(unread), lost)


def _way(row: Any, model: Model, before: Standing, ground: Fraction | None, position: Position) -> Way | None:
    """The way of a model that stood so before; None where it cannot be read."""
    if isinstance(row, records.Placed):
        path = None if row.pos is None else [row.pos]
        headings = None if row.heading is None else [row.heading]
    else:
        path, headings = row.path, row.headings
    points = position.ever.once("path", partial(_points, path), (row,))
    turned = [exact_or_none(one) for one in headings or ()]
    if not path or points is None or None in turned:
        return None
    z = height_of(path[-1])
    known = None if headings is None else tuple(one for one in turned if one is not None)
    return Way(model, before, points, ground if z is None else z, known, bool(getattr(row, "ends_only", None)))


def _points(path: Sequence[Any] | None) -> Path | None:
    """A path as it is written; None where it has no point, or one that cannot be read."""
    points = [place_of(place) for place in path or ()]
    known = [one for one in points if one is not None]
    return Path(known) if known and len(known) == len(points) else None
