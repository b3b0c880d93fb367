"""Outlines of what lies so far from a hull."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from auditor.report.boards.inches.plane import far
from auditor.report.boards.pen import Spot, num


def round_hull(hull: Sequence[Spot], off: float) -> str:
    """What lies so far from a convex hull on the drawing, as the data of a path: its sides moved out, with a round corner
    between each two."""
    turned = sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise((*hull, hull[0])))
    around = list(hull) if turned > 0 else list(reversed(hull))
    sides = [(a, b) for a, b in pairwise((*around, around[0])) if far(a, b) > 0]
    out, size = "", num(off)
    for (ax, ay), (bx, by) in sides:
        length = far((ax, ay), (bx, by))
        dx, dy = (by - ay) / length * off, (ax - bx) / length * off
        start, end = f"{num(ax + dx)} {num(ay + dy)}", f"{num(bx + dx)} {num(by + dy)}"
        out += f"{f'A{size} {size} 0 0 1 {start}' if out else f'M{start}'}L{end}"
    if not sides:
        return ""
    return f"{out}A{size} {size} 0 0 1 {out[1 : out.index('L')]}z"
