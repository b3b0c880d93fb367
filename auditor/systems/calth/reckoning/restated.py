"""What a line states again of the position: the fields say which cell (`records`), here is whether the position agrees.

What agrees is known again, for the line itself and for those after it; what does not agree is in doubt with the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from auditor.core import restated as restating
from auditor.core.fields import Leaf, restated, value_at
from auditor.core.findings import Fact
from auditor.core.restated import Compared
from auditor.systems.calth import records
from auditor.systems.calth.reckoning.arms import Arms, arms_of
from auditor.systems.calth.reckoning.labels import unit_called
from auditor.systems.calth.state import OTHER, Position, Unit

Look = Callable[[Any, Position, Any, Leaf], "Iterator[tuple[bool, Fact]]"]
"""(event, position, the unit that the line names, the value) -> cells, each with whether the position agrees."""


def _in(event: records.Event, position: Position, unit: Unit, leaf: Leaf) -> Iterator[tuple[bool, Fact]]:
    """A model of the unit. One that is not known to be of it may be: then the unit is not known."""
    agrees = position.unit_of.get(leaf.value) is unit
    yield agrees, ("in", leaf.value)
    if not agrees:
        yield False, ("count", unit.id)


def _arms(event: records.Event, position: Position, unit: Unit, leaf: Leaf) -> Iterator[tuple[bool, Fact]]:
    """A weapon and its bearer."""
    model, weapon = value_at(event, leaf.path[:-1])
    if leaf.path[-1] == 0:
        yield from _in(event, position, unit, leaf)
    elif (known := position.table.models.get(model)) is not None and weapon in known.weapons:
        yield (model, weapon) not in position.destroyed, ("weapon", model, weapon)


def _arms_of(position: Position, unit: Unit) -> Arms:
    return arms_of(position.table, unit.models, position.destroyed)


def _count(event: Any, position: Position, unit: Unit, leaf: Leaf) -> Iterator[tuple[bool, Fact]]:
    """The Assault of all models: nobody is missing, and nobody else is there."""
    if event.mode == "melee":
        yield leaf.value == _arms_of(position, unit).assault, ("count", unit.id)


def _attacked(event: Any, position: Position, unit: Unit, leaf: Leaf) -> Iterator[tuple[bool, Fact]]:
    """The dice of one grenade harness: so many are in the unit attacked."""
    attacker = unit_called(position, event.attacker, event.player)
    if attacker is not None and len(_arms_of(position, attacker).bearers("grenade_harness")) == 1 and leaf.value:
        yield leaf.value == len(unit.models), ("count", unit.id)


def _melee_arms(event: Any, position: Position, unit: Unit, leaf: Leaf) -> Iterator[tuple[bool, Fact]]:
    """The dice of all melee weapons."""
    arms = _arms_of(position, unit)
    if event.mode == "melee" and leaf.value == arms.bonus:
        yield from ((True, ("weapon", *entry)) for entry in arms.in_hand)


def _start(event: records.Event, position: Position, unit: Unit, leaf: Leaf) -> Iterator[tuple[bool, Fact]]:
    """The hex in which a path begins."""
    if leaf.path[-1] == 0:
        yield tuple(leaf.value) == unit.hex, ("hex", unit.id)


def _all_units(event: Any, position: Position, unit: None, leaf: Leaf) -> Iterator[tuple[bool, Fact]]:
    """A list of all units. One that is recorded after the actions have begun is of an earlier moment."""
    if leaf.path[1] == 0 and position.phase != "action":
        yield {entry.unit for entry in event.units} == position.units.keys(), ("units",)


def _round(event: records.Event, position: Position, unit: None, leaf: Leaf) -> Iterator[tuple[bool, Fact]]:
    """The round that a line says it is of."""
    if leaf.value == position.round:
        yield True, ("round",)


BEFORE: Mapping[str, Look] = {
    "in": _in,
    "arms": _arms,
    "count": _count,
    "attacked": _attacked,
    "melee arms": _melee_arms,
    "path": _start,
    "units": _all_units,
    "round": _round,
}
"""What is held against the position before the event."""


def _went(event: records.Event, position: Position, unit: None, leaf: Leaf) -> Iterator[tuple[bool, Fact]]:
    """Where a model went."""
    model = value_at(event, leaf.path[:-1]).model
    there = position.unit_of.get(model)
    agrees = there is not None and there.hex == tuple(leaf.value)
    yield agrees, ("in", model)
    yield agrees, ("hex", there.id) if there is not None and agrees else ("units",)


def _stands(event: records.Event, position: Position, unit: None, leaf: Leaf) -> Iterator[tuple[bool, Fact]]:
    """Where a unit stands after the event."""
    there = position.by_hex.get(tuple(leaf.value))
    label = value_at(event, leaf.path[:-1]).unit
    agrees = there is not None and there is unit_called(position, label, there.side)
    yield agrees, ("hex", there.id) if there is not None and agrees else ("units",)


def _end(event: Any, position: Position, unit: Unit, leaf: Leaf) -> Iterator[tuple[bool, Fact]]:
    """The hex in which a path ends."""
    if leaf.path[-1] == len(event.path) - 1 and event.models is None:
        yield tuple(leaf.value) == unit.hex, ("hex", unit.id)


AFTER: Mapping[str, Look] = {"went": _went, "stands": _stands, "path": _end}
"""What is held against the position after it."""


def compared(event: records.Event, position: Position, looks: Mapping[str, Look]) -> Compared:
    """What an event states, held against a position."""
    return restating.compared(_found(event, position, looks))


def _found(
    event: records.Event, position: Position, looks: Mapping[str, Look]
) -> Iterator[tuple[Leaf, Iterator[tuple[bool, Fact]]]]:
    for one in restated(event):
        look = looks.get(one.word)
        if look is None:
            continue
        unit = unit_called(position, one.whose, _side_of(event, one.field))
        if unit is not None or not one.field:
            yield one.leaf, look(event, position, unit, one.leaf)


def _side_of(event: Any, field: str) -> str | None:
    """Whose unit a field means: the player's, save that they attack one of the other side."""
    return OTHER.get(event.player) if field == "target" else event.player


def stated(event: records.Event, position: Position) -> Compared:
    """What an event states of the position before it."""
    return compared(event, position, BEFORE)
