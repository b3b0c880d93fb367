"""What a line states again of the position: the fields say what (`records`), here is whether the position agrees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from auditor.core import restated as restating
from auditor.core.fields import Leaf, restated
from auditor.core.findings import Fact
from auditor.core.restated import Compared
from auditor.geometry.inches.shapes import distance
from auditor.systems.clx import records
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.tolerance import RND
from auditor.systems.clx.written import place_of

Look = Callable[[Any, Position, Any, Leaf], "Iterator[tuple[bool, Fact]]"]
"""(event, position, whose it is, the value) -> cells, each with whether the position agrees."""


def _start(event: records.Event, position: Position, model: Any, leaf: Leaf) -> Iterator[tuple[bool, Fact]]:
    """The point at which a path begins."""
    stands, begins = position.models.get(model), place_of(leaf.value)
    if leaf.path[-1] == 0 and stands is not None and stands.at is not None and begins is not None:
        if stands.at == begins or distance(stands.at, begins) <= RND:
            yield True, ("at", model)


def _moves(event: records.Event, position: Position, _: Any, leaf: Leaf) -> Iterator[tuple[bool, Fact]]:
    """A unit that moves or charges: it does not lie, and is in no combat."""
    yield from _not_set(position, leaf.value, "pinned", "gone_to_ground", "locked_with")


def _shoots(event: records.Event, position: Position, _: Any, leaf: Leaf) -> Iterator[tuple[bool, Fact]]:
    """A unit whose shots are no Snap Shots: it does not lie, and is in no combat."""
    attack = position.attacks.get(leaf.value)
    if attack is not None and not attack.snap and not any(one.snap for one in getattr(event, "firers", None) or ()):
        yield from _not_set(position, attack.unit, "pinned", "gone_to_ground", "locked_with")


def _strikes(event: records.Event, position: Position, model: Any, leaf: Leaf) -> Iterator[tuple[bool, Fact]]:
    """A model that is said to strike at another Initiative than a pinned one does."""
    unit = position.unit_of(model)
    if unit is not None and leaf.value != 1:
        yield from _not_set(position, unit.id, "pinned")


def _lies(event: records.Event, position: Position, _: Any, leaf: Leaf) -> Iterator[tuple[bool, Fact]]:
    """A unit that goes to ground: it neither dropped nor pressed on."""
    yield from _not_set(position, leaf.value, "prone")


def _not_set(position: Position, unit: str | None, *flags: str) -> Iterator[tuple[bool, Fact]]:
    if unit in position.units:
        for flag in flags:
            if not getattr(position.units[str(unit)], flag):
                yield True, (flag, unit)


BEFORE: Mapping[str, Look] = {
    "start": _start,
    "moves": _moves,
    "shoots": _shoots,
    "strikes": _strikes,
    "lies": _lies,
}
"""What is held against the position before the event."""


def compared(event: records.Event, position: Position) -> Compared:
    """What an event states, held against the position before it."""
    return restating.compared(
        (one.leaf, BEFORE[one.word](event, position, one.whose, one.leaf)) for one in restated(event)
    )
