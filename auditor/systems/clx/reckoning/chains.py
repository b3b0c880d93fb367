"""Whether bases hold together, in floats: by more than the rounding of a record."""

from __future__ import annotations

from typing import Any

from auditor.core.work import spend
from auditor.geometry.inches.shapes import NEAR, Circle, Shape, about_gap, box_of
from auditor.systems.clx.tables import tables
from auditor.systems.clx.tolerance import RND

COHERENCY = int(tables()["coherency"]["inches"])
LIMIT = float(COHERENCY)
ROUNDING = float(RND)


def coherent(bases: dict[Any, Shape], spare: float = ROUNDING) -> bool:
    """Whether some bases are in coherency, or out of it by no more than the rounding of a record (or than `spare`)."""
    shapes = list(bases.values())
    spend(len(shapes) * len(shapes) // 8)
    if all(isinstance(shape, Circle) for shape in shapes):
        return _coherent_rounds([(one.fx, one.fy, one.fr) for one in shapes if isinstance(one, Circle)], spare)
    left = set(range(1, len(shapes)))
    reached = [0]
    while reached and left:
        here = shapes[reached.pop()]
        near = [i for i in left if joined(here, shapes[i], spare)]
        left.difference_update(near)
        reached += near
    return not left


def _coherent_rounds(rounds: list[tuple[float, float, float]], spare: float) -> bool:
    """The same of round bases, by their centres and radii."""
    left, reached = rounds[1:], rounds[:1]
    while reached and left:
        x, y, r = reached.pop()
        rest: list[tuple[float, float, float]] = []
        for one in left:
            dx, dy, reach = x - one[0], y - one[1], LIMIT + r + one[2] + spare
            (reached if dx * dx + dy * dy <= reach * reach else rest).append(one)
        left = rest
    return not left


def joined(one: Shape, other: Shape, spare: float = ROUNDING) -> bool:
    """The same of two bases."""
    if isinstance(one, Circle) and isinstance(other, Circle):
        reach = LIMIT + one.fr + other.fr + spare
        dx, dy = one.fx - other.fx, one.fy - other.fy
        return dx * dx + dy * dy <= reach * reach
    reach = LIMIT + spare
    here, there = box_of(one), box_of(other)
    if max(here[0] - there[2], there[0] - here[2], here[1] - there[3], there[1] - here[3]) > reach + NEAR:
        return False
    return about_gap(one, other) <= reach
