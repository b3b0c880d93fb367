"""What is remembered of a game while its events are looked at for how near they come to a fault."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from auditor.conformance.clx.table import Json, Model, Table, Unit

Near = dict[str, tuple[str, str]]
QUARTER = 0.25


class Watch:
    """Looks at each event of a table before it is written, and counts in `seen` which situations it is."""

    def __init__(self, looks: Mapping[str, tuple[Look, ...]]) -> None:
        self.looks = looks
        self.seen: Counter[str] = Counter()
        self.phase_events = 0
        self.charges = 0
        self.answers = 0
        """Charges left to cast and to dispel."""
        self.cast_dice: list[int] = []
        self.attack = ""
        self.unit: Unit | None = None
        self.target: Unit | None = None
        self.pools = 0
        self.firers: list[Model] = []
        self.arcs: dict[str, set[Any]] = {}

    def __call__(self, t: Table, event: Json, tag: Json) -> bool:
        for look in self.looks.get(event["type"], ()):
            self.seen.update(set(look(self, t, event, tag)))
        self.phase_events += 1
        return True


Look = Callable[[Watch, Table, Json, Json], Iterator[str]]


def far(one: Model, other: Model) -> float:
    """The gap of two round bases, in floats; hulls are far away from everything."""
    a, b = one.base, other.base
    if a.corners or b.corners:
        return 99.0
    return math.hypot(float(a.at[0] - b.at[0]), float(a.at[1] - b.at[1])) - float(a.r) - float(b.r)


def far_of(model: Model, unit: Unit) -> float:
    """The gap of a model and the nearest of a unit."""
    return min((far(model, other) for other in unit.living), default=99.0)


def centres(one: Unit, other: Unit) -> float:
    """How far the first models of two units are from each other, about."""
    a, b = one.models[0].at, other.models[0].at
    return math.hypot(float(a[0] - b[0]), float(a[1] - b[1]))


def within_one(value: int, limit: int) -> bool:
    """Whether a value is the limit, or one above it."""
    return value in (limit, limit + 1)
