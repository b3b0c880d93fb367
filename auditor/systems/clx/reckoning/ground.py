"""What a moving unit meets on its way: difficult and dangerous terrain, and the Movement that its models have."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import about
from auditor.geometry.inches.moves import centre_crosses, clearance, crosses
from auditor.geometry.inches.shapes import NEAR, Circle, Polygon
from auditor.systems.clx.packs import Model, Setup, Terrain, Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.ways import Way
from auditor.systems.clx.tolerance import allowance
from auditor.systems.clx.written import exact_or_none


def movement_of(model: Model, unit: Unit, setup: Setup) -> Fraction | None:
    """The Movement of a model in inches: of its profile, else what the base rules give its type; None: not known."""
    if model.movement is not None:
        return model.movement
    by_type = setup.base["BASE-MOVE"]
    return exact_or_none(by_type.get(unit.type)) if by_type else None


def rough(setup: Setup) -> list[Terrain]:
    """The pieces of difficult or dangerous terrain."""
    return [piece for piece in setup.terrain.values() if piece.difficult or piece.dangerous]


def crossed(way: Way, position: Position, hearing: Hearing) -> tuple[list[Terrain], list[Terrain]]:
    """The pieces of rough terrain that a model's way certainly crosses, and those where that is within the tolerance.

    Of a way whose ends alone were recorded only these are looked at, for what lies between is not known.
    """
    surely: list[Terrain] = []
    perhaps: list[Terrain] = []
    allowed = allowance(hearing.settings)
    touched = position.ever.once(
        ("crossed", way.ends_only), lambda: list(_touched(way, position, allowed)), (way.model, way.path, allowed)
    )
    for piece, by_base, by_middle in touched:
        option = "BASE" if by_base == by_middle else hearing.ask("OR-TERRAIN-TOUCH")
        crosses_it, near = by_base if option == "BASE" else by_middle
        if crosses_it:
            (perhaps if near else surely).append(piece)
    return surely, perhaps


Crosses = tuple[bool, bool]
"""Whether an area is crossed, and whether it only is within the tolerance."""


def _touched(way: Way, position: Position, allowed: Fraction) -> Iterator[tuple[Terrain, Crosses, Crosses]]:
    """The pieces of rough terrain that a base crosses, with how it does itself, and how its middle does."""
    base = way.model.base
    radius = base.radius if isinstance(base, Circle) else inner_radius(base, position)
    reach = about(radius) + NEAR
    left, low, right, high = way.path.box
    for piece in rough(position.setup):
        x0, y0, x1, y1 = piece.area.box
        if x1 < left - reach or x0 > right + reach or y1 < low - reach or y0 > high + reach:
            continue
        by_base = _by_base(way, radius, piece.area, allowed)
        if by_base[0]:
            by_centre = not way.ends_only and centre_crosses(way.path, piece.area)
            yield (
                piece,
                by_base,
                (by_centre, by_centre and not _centre_surely(way, position.grown(piece.area, -allowed))),
            )


def _by_base(way: Way, radius: Fraction, area: Polygon, allowed: Fraction) -> Crosses:
    paths = [way.path[:1], way.path[-1:]] if way.ends_only else [way.path]
    found = [path for path in paths if crosses(path, radius, area)]
    if not found:
        return False, False
    depth = max((-clearance(path, radius, area) for path in found), key=float)
    return True, 0 < depth <= allowed


def inner_radius(hull: Polygon, position: Position) -> Fraction:
    """The radius of a circle round the reference point that lies in a hull: what is surely covered at any heading."""
    return position.ever.once("inner radius", partial(_inner_radius, hull), (hull,))


def _inner_radius(hull: Polygon) -> Fraction:
    distances = [
        abs(a.x * b.y - b.x * a.y) / Fraction(float((b.x - a.x) ** 2 + (b.y - a.y) ** 2) ** 0.5)
        for a, b in hull.edges()
    ]
    return min(distances) * Fraction(999, 1000)


def _centre_surely(way: Way, smaller: Polygon | None) -> bool:
    """Whether the middle of a base runs through an area by more than the tolerance. `smaller`: the area without that."""
    return smaller is not None and centre_crosses(way.path, smaller)
