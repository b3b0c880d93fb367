"""Which rule of sight a shot of the wrong class breaks. Catalogue CAL-LOS-01 to -05 and 16.4.

A shot is judged by its centre line. What stops that line, or would under some reading, decides; where nothing does,
what may have been taken for a stop.
"""

from __future__ import annotations

from fractions import Fraction

from auditor.conformance.calth.board import Edge, Hex, edge_of, step
from auditor.conformance.calth.sight import (
    Lattice,
    Scene,
    Vector,
    centre,
    corner,
    cross,
    enters,
    hexes_near,
    minus,
    sign,
    time_of,
)

THROUGH, ALONG, CORNER, DOOR_END, SEEN_THROUGH = (
    "CAL-LOS-01", "CAL-LOS-02", "CAL-LOS-03", "CAL-LOS-04", "CAL-LOS-05",
)  # fmt: skip


def rule_of_class(scene: Scene) -> str:
    """The rule under which a wrong class of this shot is told."""
    return next(iter(rules_met(scene)), THROUGH)


def rules_met(scene: Scene) -> list[str]:
    """The rules that speak of what the centre line meets, in the order in which they decide; empty where it meets nothing.

    First come those of which something stops the line under some reading, then those of what is merely there.
    """
    s = centre(scene.shooter)
    d = minus(centre(scene.target), s)
    near = hexes_near(s, d, Fraction(1))
    inside = [h for h in near if h not in (scene.shooter, scene.target) and enters(h, s, d, Fraction(1))]
    crossed, traced = _edges_met(near, s, d)
    stopping, there = set[str](), set[str]()
    if any(scene.is_closed(h, units_too=True) for h in inside) or crossed & set(scene.sealed):
        stopping.add(THROUGH)
    if crossed & scene.board.obstructions:
        stopping.add(SEEN_THROUGH)
    for edge in traced:
        closed = [scene.is_closed(h, units_too=True) for h in edge]
        if all(closed) or edge in _doors(scene):
            stopping.add(ALONG)
        elif any(closed):
            there.add(ALONG)
    stopping |= _rules_of_corners(scene, near, s, d)
    barricades = {edge_of(h, step(h, k)) for h, k in scene.board.barricades}
    if any(scene.board.is_rubble(h) for h in inside) or crossed & (set(scene.board.doors) | barricades):
        there.add(SEEN_THROUGH)
    order = (THROUGH, ALONG, DOOR_END, CORNER, SEEN_THROUGH)
    met = [rule for rule in order if rule in stopping] + [rule for rule in order if rule in there]
    return list(dict.fromkeys(met))


def _doors(scene: Scene) -> set[Edge]:
    """The edges that are a sealed door, or may count as one (R-LOS-OBST)."""
    return set(scene.sealed) | scene.board.obstructions


def _edges_met(near: list[Hex], s: Lattice, d: Vector) -> tuple[set[Edge], set[Edge]]:
    """The edges that the line crosses between their ends, and those that it runs along."""
    crossed, traced = set[Edge](), set[Edge]()
    for h in near:
        for k in range(6):
            a, b = corner(h, k - 1), corner(h, k)
            ca, cb = cross(d, minus(a, s)), cross(d, minus(b, s))
            if ca == cb == 0:
                times = sorted((time_of(a, s, d), time_of(b, s, d)))
                if times[0] < 1 and times[1] > 0:
                    traced.add(edge_of(h, step(h, k)))
            elif ca * cb < 0:
                # The meeting point divides a-b in the ratio of the two cross products.
                axis = 0 if d[0] else 1
                where = Fraction(a[axis] * abs(cb) + b[axis] * abs(ca), abs(ca) + abs(cb))
                if 0 < (where - s[axis]) / d[axis] < 1:
                    crossed.add(edge_of(h, step(h, k)))
    return crossed, traced


def _rules_of_corners(scene: Scene, near: list[Hex], s: Lattice, d: Vector) -> set[str]:
    """The rules that speak of the corners that the line meets: of a door's end there, else of a closed hex on one side."""
    found: set[str] = set()
    for h in near:
        for k in range(6):
            v = corner(h, k)
            if cross(d, minus(v, s)) != 0 or not 0 < time_of(v, s, d) < 1:
                continue
            three = (h, step(h, k), step(h, k + 1))
            spokes = {
                edge_of(a, b): _side(a, b, v, d)
                for a, b in ((three[0], three[1]), (three[1], three[2]), (three[2], three[0]))
            }
            if any(side and edge in _doors(scene) for edge, side in spokes.items()):
                found.add(DOOR_END)
            elif any(
                scene.is_closed(x, units_too=True) and len(sides := {side for edge, side in spokes.items() if x in edge}) == 1 and 0 not in sides
                for x in three
            ):  # fmt: skip
                found.add(CORNER)
    return found


def _side(a: Hex, b: Hex, v: Lattice, d: Vector) -> int:
    """On which side of the line the edge between two hexes lies that ends in v."""
    k = next(k for k in range(6) if step(a, k) == b)
    ends = corner(a, k - 1), corner(a, k)
    return sign(cross(d, minus(ends[1] if ends[0] == v else ends[0], v)))
