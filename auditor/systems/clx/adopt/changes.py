"""What many events change: where a model stands, that it is gone, what is known of a unit."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from auditor.core.findings import Fact
from auditor.core.holes import Hole
from auditor.geometry.inches.shapes import Circle, distance
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Position, all_of_units, bases_of, flags_of, places_of, units_of
from auditor.systems.clx.position.values import replace
from auditor.systems.clx.reckoning.ways import Way
from auditor.systems.clx.tolerance import RND


def placed(position: Position, model: str, seq: int, *, turned: bool) -> None:
    """It has been said where a model stands; of a hull whose heading has not been said (`turned`: it has), that is still in
    doubt. Of a model with one wound it has been said that it has that."""
    known = position.setup.models[model]
    position.holes.state([*places_of([model]), *([("wounds", model)] if known.wounds == 1 else ())])
    _not_gone(position, known.unit)
    standing = position.models[model]
    if turned or isinstance(known.base, Circle):
        position.holes.state([("heading", model)])
    if not isinstance(known.base, Circle) and standing.at is not None and standing.heading is None:
        why = f"the heading of {model} is not recorded"
        position.holes.open(Hole(seq, why, frozenset([("heading", model)])))


def height_in_doubt(position: Position, way: Way) -> bool:
    """Whether nobody knows how high a model comes to stand: its way leaves that out, as before, and begins elsewhere than it
    stood, with a line lost between. What puts its place in doubt puts its height in doubt then."""
    before, doubt = way.before, position.holes.doubt(places_of([way.model.id])) if position.holes else None
    if way.z is not None:
        return False
    if doubt is None or (before.at is not None and distance(before.at, way.path[0]) <= RND):
        return before.z_open
    position.holes.open(doubt.of([("height", way.model.id)]))
    return True


def perhaps_gone(position: Position, unit_id: str, models: Collection[str], seq: int) -> None:
    """Some models may be gone: if these are all that were left of a unit, it is not known who is in combat any more."""
    unit, locked = position.setup.units[unit_id], position.units[unit_id].locked_with
    if locked and all(model.id in models for model in position.living(unit)):
        position.holes.open(
            Hole(seq, who_was_removed(seq) + _all_of(unit), frozenset(all_of_units([unit_id, *locked])))
        )


def _not_gone(position: Position, unit_id: str) -> None:
    """A model of a unit stands somewhere: the unit is not gone."""
    hole = position.holes.doubt(units_of([unit_id])) if position.holes else None
    if hole is not None and hole.why == who_was_removed(hole.seq) + _all_of(position.setup.units[unit_id]):
        position.holes.fill(hole)


def who_was_removed(seq: int) -> str:
    """Why it is open who is still there after the wounds of an event."""
    return f"who was removed by the wounds of event {seq} is not recorded for certain"


def _all_of(unit: Unit) -> str:
    return f", perhaps all of {unit.name}"


ADDED_TO = frozenset({"shot", "declared", "locked_with", "fear_failed", "fear_overcome", "fear_doubt", "facing"})
"""Flags that are not known again where something is added to what they were, or that say themselves what is not known."""


def change(position: Position, unit_id: str | None, **changed: Any) -> None:
    """What is known of a unit changes, and is no longer in doubt; nothing does where no such unit is known."""
    if unit_id in position.units:
        position.units[str(unit_id)] = replace(position.units[str(unit_id)], **changed)
        position.holes.state(flags_of(str(unit_id), *(changed.keys() - ADDED_TO)))


def follows(position: Position, fact: Fact, units: Iterable[str | None], *more: Fact) -> None:
    """A fact that is kept follows from where units stand, and from more: it is as sure as these are."""
    known = (unit for one in units if (unit := position.setup.units.get(one or "")) is not None)
    models = [model.id for unit in known for model in unit.models]
    heights = [("height", one) for one in models if position.models[one].z_open]
    hole = position.holes.doubt((*bases_of(models), *heights, *more))
    if hole is None:
        position.holes.state([fact])
    else:
        position.holes.open(hole.of([fact]))


def remove(position: Position, model: str | None) -> None:
    """A model is gone: where it stood is in doubt no longer."""
    if model in position.models:
        position.models[str(model)] = replace(position.models[str(model)], alive=False, at=None, aboard=None)
        position.holes.state(places_of([str(model)]))
