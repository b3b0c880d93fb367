"""Where a move ends for which its rule tells a fault: that place may be a slip of the pen, and it has been told."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from auditor.geometry.inches.shapes import NEAR, Circle, Point, Shape, about_gap, box_of, rotation
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.chains import coherent
from auditor.systems.clx.reckoning.ground import movement_of
from auditor.systems.clx.reckoning.runs import distance_of, rows_for
from auditor.systems.clx.reckoning.ways import HELD_TO_THEIR_START, Way, Ways
from auditor.systems.clx.tables import tables
from auditor.systems.clx.tolerance import HALF_A_DEGREE, RND

HELD_TO_COHERENCY = (records.Move, records.Run, records.ChargeMove)
KEEPS_OFF = (records.Move, records.Run)
ZONE = Fraction(tables()["zone"]["inches"])
QUARTER = Fraction(tables()["pivot"]["degrees"])


def wrong_ends(event: records.Event, ways: Ways | None, position: Position, allowed: Fraction) -> tuple[str, ...]:
    """Models of which it is told that an event takes them too far, too near the enemy, sideways, or out of coherency with
    their unit: of that it may be any who moves. `allowed`: inches that are held against nobody."""
    if ways is None or ways.unit is None or not isinstance(event, HELD_TO_THEIR_START):
        return ()
    moved = [way for way in ways.ways if way.moved]
    if isinstance(event, HELD_TO_COHERENCY) and moved and not ways.lost and _tears(ways, position, float(allowed)):
        return tuple(way.model.id for way in moved)
    short = float(ZONE - allowed)
    near = _enemies_near(ways.unit, moved, position, short) if moved and isinstance(event, KEEPS_OFF) else []
    return tuple(
        way.model.id
        for way in moved
        if _too_long(event, way, ways.unit, position, allowed)
        or _slips(way)
        or (near and _too_near(way, near, position, short))
    )


def _enemies_near(unit: Unit, moved: Sequence[Way], position: Position, short: float) -> list[Shape]:
    """The bases of the enemy in the box round all ends of a unit's ways, and so many inches beyond."""
    ends = [box_of(position.shape(way.model, way.end, way.heading)) for way in moved]
    lefts, lows, rights, highs = zip(*ends, strict=True)
    far = short + NEAR
    left, low, right, high = min(lefts) - far, min(lows) - far, max(rights) + far, max(highs) + far
    there = (
        position.setup.models[name]
        for name, (x0, y0, x1, y1) in position.boxes().items()
        if x1 > left and x0 < right and y1 > low and y0 < high
    )
    return [position.shape(model) for model in there if position.setup.units[model.unit].player != unit.player]


def _tears(ways: Ways, position: Position, allowed: float) -> bool:
    """Whether a unit that was in coherency is out of it."""
    assert ways.unit is not None
    before: dict[Any, Shape] = {model.id: position.shape(model) for model in position.living(ways.unit)}
    after = {**before, **{way.model.id: position.shape(way.model, way.end, way.heading) for way in ways.ways}}
    return not coherent(after, allowed) and coherent(before)


def _too_long(event: records.Event, way: Way, unit: Unit, position: Position, allowed: Fraction) -> bool:
    """Whether a way is longer than its rule allows, or of another length than a charge that fell short."""
    most = _most(event, way, unit, position)
    if most is None:
        return False
    if isinstance(event, records.ChargeMove) and event.failed and way.length < most - allowed:
        return True
    turns, far = way.turns if isinstance(event, records.Move) else (), way.length
    if not turns and far <= most:
        return False
    return far > most + max(allowed, way.parts * RND) - sum(turns) / QUARTER


def _most(event: Any, way: Way, unit: Unit, position: Position) -> Fraction | None:
    """How far a model may go, as far as the event says so."""
    if isinstance(event, (records.Move, records.TankShock)):
        most = movement_of(way.model, unit, position.setup)
        dice = event.difficult_dice if isinstance(event, records.Move) else None
        return min(most, Fraction(max(dice))) if dice and most is not None else most
    if isinstance(event, records.Run):
        found = [far for row in rows_for(unit, event) if (far := distance_of(row, event)) is not None]
        return max(found, default=None)
    if isinstance(event, records.FallBack):
        return Fraction(sum(event.dice)) if event.dice else None
    charge = position.combat.charges.get(unit.id)
    return None if charge is None or charge.roll is None else Fraction(charge.roll)


def _too_near(way: Way, enemies: Sequence[Shape], position: Position, short: float) -> bool:
    """Whether a way ends within so many inches of an enemy."""
    end = position.shape(way.model, way.end, way.heading)
    if not isinstance(end, Circle):
        return any(about_gap(end, enemy) < short for enemy in enemies)
    for enemy in enemies:
        if not isinstance(enemy, Circle):
            if about_gap(end, enemy) < short:
                return True
            continue
        dx, dy, reach = end.fx - enemy.fx, end.fy - enemy.fy, end.fr + enemy.fr + short
        if dx * dx + dy * dy < reach * reach:
            return True
    return False


def _slips(way: Way) -> bool:
    """Whether a hull goes sideways on a leg of its way."""
    turned = way.headings
    if isinstance(way.model.base, Circle) or turned is None or len(turned) != len(way.path):
        return False
    return any(sideways(a, b, turned[i : i + 2]) is not None for i, (a, b) in enumerate(pairwise(way.path)))


def sideways(a: Point, b: Point, headings: Sequence[Fraction]) -> Fraction | None:
    """How far a leg runs off both headings at its ends, where that is more than the rounding of the record makes of it."""
    if a == b:
        return None
    dx, dy = b.x - a.x, b.y - a.y
    off = min(abs(c * dy - s * dx) for c, s, _ in map(rotation, headings))
    far = Fraction(float(dx * dx + dy * dy) ** 0.5)
    return None if off <= RND + far * HALF_A_DEGREE + Fraction(1, 10**6) else off
