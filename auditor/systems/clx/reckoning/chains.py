"""Whether bases hold together, in floats: by more than the rounding of a record."""

from __future__ import annotations

from typing import Any

from auditor.geometry.inches.shapes import Circle, Shape, about_gap
from auditor.systems.clx.tables import tables
from auditor.systems.clx.tolerance import RND

COHERENCY = int(tables()["coherency"]["inches"])
LIMIT = float(COHERENCY)
ROUNDING = float(RND)


def coherent(bases: dict[Any, Shape], spare: float = ROUNDING) -> bool:
    """Whether some bases are in coherency, or out of it by no more than the rounding of a record (or than `spare`)."""
    shapes = list(bases.values())
    left = set(range(1, len(shapes)))
    reached = [0]
    while reached and left:
        here = shapes[reached.pop()]
        near = [i for i in left if joined(here, shapes[i], spare)]
        left.difference_update(near)
        reached += near
    return not left


def joined(one: Shape, other: Shape, spare: float = ROUNDING) -> bool:
    """The same of two bases."""
    if isinstance(one, Circle) and isinstance(other, Circle):
        reach = LIMIT + one.fr + other.fr + spare
        dx, dy = one.fx - other.fx, one.fy - other.fy
        return dx * dx + dy * dy <= reach * reach
    return about_gap(one, other) <= LIMIT + spare
