"""Which side of a vehicle is hit."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from auditor.core.findings import RAN, Evidence, Figure, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.arcs import Arc, Bearing, diagonals, hull_rays, quarters
from auditor.geometry.inches.lengths import Length, shown
from auditor.geometry.inches.shapes import Circle, Point, Polygon, centroid, distance, placed, rotation
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit
from auditor.systems.clx.packs.shapes import Armour
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, inches, rule, unchecked, within_tolerance
from auditor.systems.clx.show.sides import Spans, by_corners, by_facing
from auditor.systems.clx.show.sides import hull as hull_marks
from auditor.systems.clx.tolerance import HALF_A_DEGREE, RND, Judged, tolerance

SIDE, FLANK = "CLX-VEH-06", "CLX-USR-08"
BY = {
    "DIAGONALS": "by the corners of its hull",
    "QUARTERS": "by quarters of its heading",
    "BOTH": "by the corners of its hull, and by quarters of its heading too",
}
""""BOTH": the options of OR-VARC agree, and what is measured is measured by the first."""


def _by(event: records.VehicleHit, position: Position) -> tuple[Unit | None, list[Model]]:
    """The unit whose hit it is, and its models that may have made it."""
    attack, step = position.attacks.get(event.attack), position.combat.steps.get(event.attack)
    names: list[str | None] = []
    if attack is not None:
        names = list(attack.firers.get(event.weapon, ())) or [one for group in attack.firers.values() for one in group]
    elif step is not None:
        names = [name for name, _ in step.attackers]
    models = [model for name in names if (model := position.setup.models.get(name or "")) is not None]
    unit = position.setup.units.get((attack.unit if attack else step.unit if step else None) or "")
    return unit, [model for model in models if position.on_table(model.id)]


def bearings(hull: Model, armour: Armour, of: Point, position: Position) -> dict[str, Bearing] | None:
    """The side of a vehicle from which a point lies, by the options of OR-VARC; None where its heading is not known."""
    standing = position.models[hull.id]
    at, heading = standing.at, standing.heading
    if at is None or heading is None:
        return None
    return position.ever.once("bearings", lambda: _bearings(hull, armour, at, heading, of), (hull, at, heading, of))


def _bearings(hull: Model, armour: Armour, at: Point, heading: Fraction, of: Point) -> dict[str, Bearing]:
    c, s, _ = rotation(heading)
    by_heading = quarters((c, s), at, of)
    if not isinstance(hull.base, Polygon):
        return {"DIAGONALS": by_heading, "QUARTERS": by_heading}
    middle, rays = _rays(hull.base, at, heading)
    sides = (armour.front, armour.side, armour.rear)
    return {"DIAGONALS": diagonals(middle, rays, of, sides), "QUARTERS": by_heading}


def _rays(base: Polygon, at: Point, heading: Fraction) -> tuple[Point, tuple[Point, ...]]:
    """The middle of a hull as it stands, and the places through which the rays between its sides run."""
    rays = placed(Polygon(hull_rays(base)), at, heading)
    return centroid(placed(base, at, heading)), rays.corners


def _sides(hull: Model, option: str, position: Position) -> tuple[Point, Spans] | None:
    """The middle of a hull and its sides by an option of OR-VARC, or where both agree, to be drawn."""
    standing = position.models[hull.id]
    if standing.at is None or standing.heading is None:
        return None
    if isinstance(hull.base, Polygon):
        at, rays = _rays(hull.base, standing.at, standing.heading)
        if option != "QUARTERS":
            return at, by_corners(at, rays)
    else:
        at = standing.at
    c, s, _ = rotation(standing.heading)
    return at, by_facing((c, s), only_halves=False)


def may_be_hit(
    event: records.VehicleHit, vehicle: Unit, armour: Armour, position: Position, settings: Mapping[str, str]
) -> frozenset[Arc] | None:
    """The sides of a vehicle that a hit may be on, under either reading and within what can be measured; None where that
    is not known."""
    unit, models = _by(event, position)
    if unit is None or not models:
        return None
    outflanks = position.units[unit.id].outflanks_in(position.turn)
    perhaps = position.is_open("arrived", unit.id)
    found: set[Arc] = set()
    for hull in position.living(vehicle):
        for model in models:
            at = position.models[model.id].at
            options = None if at is None else bearings(hull, armour, at, position)
            if at is None or options is None:
                return None
            for bearing in options.values():
                near = bearing.margin <= _allowed(distance(position.models[hull.id].at or at, at), settings)
                arcs = {bearing.arc, *([bearing.across] if near else [])}
                found |= {_as_rear(arc, outflanks=outflanks) for arc in arcs}
                found |= {"rear"} if perhaps and "side" in arcs else set()
    return frozenset(found) or None


def _allowed(far: Length, settings: Mapping[str, str]) -> Fraction:
    """Inches off a ray that are not held against anybody: headings may be rounded to whole degrees."""
    return max(tolerance(settings), RND + Fraction(float(far)) * HALF_A_DEGREE)


def _as_rear(arc: Arc, *, outflanks: bool) -> Arc:
    """The arc as which one counts: of who outflanks the side is the rear."""
    return "rear" if outflanks and arc == "side" else arc


def _verdict(bearing: Bearing, claimed: Arc, allowed: Fraction, *, outflanks: bool) -> str:
    """Whether the side that is claimed is right, within what can be measured of it ("near"), or wrong."""
    if _as_rear(bearing.arc, outflanks=outflanks) == claimed:
        return "right"
    near = _as_rear(bearing.across, outflanks=outflanks) == claimed and bearing.margin <= allowed
    return "near" if near else "wrong"


class _Missed(NamedTuple):
    """A hit of a model on a hull that comes from another side than the one claimed.

    option   of OR-VARC, by which it was told
    beside   the side claimed lies next to it, and `allowed` inches off the ray between the two are not held against anybody
    """

    hull: Model
    hitter: Model
    option: str
    bearing: Bearing
    allowed: Fraction
    beside: bool


def _seen(rule_id: str, event: records.VehicleHit, position: Position, hearing: Hearing) -> Seen:
    claimed = event.claimed_facing
    if claimed is None:
        hearing.not_claimed(int(rule_id == SIDE))
        return RAN
    vehicle = position.setup.units.get(event.vehicle or "")
    unit, models = _by(event, position)
    hulls = [] if vehicle is None else position.living(vehicle)
    if vehicle is None or vehicle.vehicle is None or unit is None or not models or not hulls:
        why = "who made the hit, or where the vehicle stands, is not known"
        return [unchecked(rule_id, why)] if rule_id == SIDE else None
    armour = vehicle.vehicle.armour
    outflanking = position.units[unit.id].outflanks_in(position.turn)
    missed: list[_Missed] = []
    for hull in hulls:
        for model in models:
            at = position.models[model.id].at
            options = None if at is None else bearings(hull, armour, at, position)
            if at is None or options is None:
                why = f"the heading of {hull.id} is not known"
                return [unchecked(rule_id, why)] if rule_id == SIDE else None
            allowed = _allowed(distance(position.models[hull.id].at or at, at), hearing.settings)
            verdicts = {name: _verdict(one, claimed, allowed, outflanks=outflanking) for name, one in options.items()}
            alike = len({(verdict, options[name].arc) for name, verdict in verdicts.items()}) == 1
            option = "DIAGONALS" if alike else hearing.ask("OR-VARC")
            bearing = options[option]
            if verdicts[option] == "right":
                return RAN
            arcs = {bearing.arc, *([bearing.across] if bearing.margin <= allowed else [])}
            if "side" in arcs and claimed == "rear" and position.is_open("arrived", unit.id):
                why = f"whether {unit.name} is outflanking in this turn"
                return [unchecked(rule_id, why)] if rule_id == SIDE else RAN
            beside = _as_rear(bearing.across, outflanks=outflanking) == claimed
            missed.append(_Missed(hull, model, "BOTH" if alike else option, bearing, allowed, beside))
    flanked = outflanking and all(one.bearing.arc == "side" for one in missed)
    if (FLANK if flanked else SIDE) != rule_id:
        return RAN if rule_id == SIDE else None
    return [_wrong_side(rule_id, claimed, vehicle, armour, unit, models, missed, position, flanked=flanked)]


def _wrong_side(
    rule_id: str,
    claimed: Arc,
    vehicle: Unit,
    armour: Armour,
    unit: Unit,
    models: list[Model],
    missed: list[_Missed],
    position: Position,
    *,
    flanked: bool,
) -> Remark:
    """That none of the hits that may be meant is on the side claimed, or within what can be measured of it."""
    nearest = min((one for one in missed if one.beside), key=lambda one: one.bearing.margin, default=None)
    margin = None if nearest is None else nearest.bearing.margin
    arc: Arc = "rear" if flanked else missed[0].bearing.arc
    said = f"{unit.name} hits the {arc} of {vehicle.name}, not its {claimed}"
    if nearest is not None and nearest.bearing.margin <= nearest.allowed:
        return within_tolerance(rule_id, Judged(nearest.bearing.margin, "tolerance", nearest.allowed), f"{said}:")
    why = ": a unit that outflanks counts its side as the rear" if flanked else ""
    sides = {"front": armour.front, "side": armour.side, "rear": armour.rear}
    figures = [Figure("armour", sides[arc])]
    if margin is not None:
        figures.append(Figure("off the ray between the two", shown(margin)))
        why += f": {inches(margin)} outside its {claimed}" if not flanked else ""
    meant = nearest or missed[0]

    def shows() -> Evidence:
        sides = _sides(meant.hull, meant.option, position)
        if sides is None:
            return {}
        first = [meant.hitter, *(model for model in models if model is not meant.hitter)]
        stand = [(at, model) for model in first if (at := position.models[model.id].at) is not None]
        hits = [(at, f"{model.id} hits {meant.hull.id}" if model is meant.hitter else "") for at, model in stand]
        by = BY["QUARTERS" if isinstance(meant.hull.base, Circle) else meant.option]
        by += ", and the rear for who outflanks" if flanked else ""
        off = None if margin is None else shown(margin)
        return {"marks": hull_marks(sides[0], hits, sides[1], claimed, (missed[0].bearing.arc, by), off)}

    return fault(
        rule_id,
        "miscalculated",
        f"{said}{why}.",
        vehicle.id,
        claimed={"facing": claimed},
        recomputed={"facing": arc},
        figures=figures,
        evidence=shows,
    )


@rule(SIDE, "The side that is hit", events=["vehicle_hit"], kinds=["miscalculated"], readings=["OR-VARC"])
def a_hit_is_on_the_side_it_comes_from(
    event: records.VehicleHit, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A hit is on the front, a side or the rear of a vehicle, as the model that made it stands.

    Log:  the heading of the hull, who fired or struck, and the side that is claimed.
    Edge: on the ray between two sides the better armour counts. Headings may be rounded to whole degrees.
    Edge: of several models that may have made the hit any one's side is accepted; so with several hulls.
    """
    return _seen(SIDE, event, position, hearing)


def flank_of_a_vehicle(event: records.VehicleHit, position: Position, hearing: Hearing) -> Seen:
    """What CLX-USR-08 sees of a hit by a unit that outflanks."""
    return _seen(FLANK, event, position, hearing)


RULES: tuple[Rule, ...] = (a_hit_is_on_the_side_it_comes_from,)
