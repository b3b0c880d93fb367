"""Facing: from which side a unit is shot at or charged."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import RAN, Figure, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.arcs import Arc, off_quarter
from auditor.geometry.inches.lengths import shown
from auditor.geometry.inches.shapes import Point, distance
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Position, Split
from auditor.systems.clx.reckoning.facing import Seen as SeenArc
from auditor.systems.clx.reckoning.facing import arc_of, arcs_between, off_its_rays
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, inches, rule, unchecked, within_tolerance
from auditor.systems.clx.show.sides import arcs
from auditor.systems.clx.tolerance import Judged, allowance

READINGS = ["OR-FACING-MOVE", "OR-FACING-ORDER", "OR-SUPP", "OR-CROSS", "OR-CROSS-NEED", "OR-ARC"]
_HOW = {
    "stated": "facing as the record states",
    "move": "facing where it moved",
    "shot": "facing where it shot",
    "suppression": "turned by the Suppression Fire on it",
}


def _arc(rule_id: str, event: records.Shoot | records.Charge, position: Position, hearing: Hearing) -> Seen:
    """The arc of the target that is claimed, by the one of the two rules by which the target faces as it does."""
    own = rule_id == "CLX-FACE-01"
    claimed = event.claimed_arc
    if claimed is None:
        if own:
            hearing.not_claimed()
        return RAN if own else None
    units = position.setup.units
    unit, target = units.get(event.unit or ""), units.get(event.target or "")
    if unit is None or target is None:
        return [unchecked(rule_id, "the unit or its target is not known")] if own else None
    if target.vehicle is not None:
        return [unchecked(rule_id, f"from which side {target.name} is attacked is CLX-VEH-06")] if own else None
    places = arcs_between(target, unit, position)
    if places is None:
        return [unchecked(rule_id, f"where {target.name} or {unit.name} stands is not known")] if own else None
    seen = arc_of(places, hearing, claimed)
    if seen is None:
        # Where it is known under other options it is of no rule, so that the scope of a fault under these is whole.
        about = None if any(isinstance(one, Split) for one in position.units[target.id].facing.values()) else rule_id
        return [Unchecked(about, f"the facing of {target.name} is not known")] if own else None
    if own == (seen.look.by == "suppression"):
        return None
    if seen.bearing.arc == claimed:
        return RAN
    if claimed == "rear" and seen.bearing.arc == "side" and position.units[unit.id].outflanks_in(position.turn):
        return RAN  # Who has just outflanked attacks the rear from the side.
    if _turned(event, claimed, unit, target, position):
        return [unchecked(rule_id, f"whether Acute Senses or outflanking change the arc of {target.name}")]
    return [_judged(rule_id, event, unit, target, seen, (places.at, places.of), position, hearing)]


def _turned(event: records.Shoot | records.Charge, claimed: Arc, unit: Unit, target: Unit, position: Position) -> bool:
    """Whether Acute Senses or outflanking may have changed the arc of a charge or of shots (CLX-USR-01, -08)."""
    outflanks = position.is_open("arrived", unit.id) or position.units[unit.id].outflanks_in(position.turn)
    senses = "acute_senses" in target.rules
    if isinstance(event, records.Charge):
        return senses or outflanks
    tested = any(
        test.kind == "char"
        and test.unit == target.id
        and test.cause in ("acute_senses", None)
        and test.passed is not False
        for test in position.combat.tests
    )
    return (outflanks and claimed == "rear") or (senses and tested and claimed == "front")


def _judged(
    rule_id: str,
    event: records.Shoot | records.Charge,
    unit: Unit,
    target: Unit,
    seen: SeenArc,
    places: tuple[Point, Point],
    position: Position,
    hearing: Hearing,
) -> Any:
    """A claim of the wrong arc: held against it, or within the tolerance of the ray between the two arcs."""
    at, of = places
    claimed: Arc = event.claimed_arc or "front"
    arc = seen.bearing.arc
    far = distance(at, of)
    off = far
    if seen.bearing.across == claimed:
        off = seen.bearing.margin
    elif seen.bearing.across == "side" or arc == "side":
        off = off_quarter(seen.look.direction, at, of, claimed)
    allowed = off_its_rays(seen.look, at, of, allowance(hearing.settings))
    judged = Judged(off, "tolerance" if off <= allowed else "beyond", allowed)
    what = "charge" if isinstance(event, records.Charge) else "attack"
    said = (
        f"The {what} of {unit.name} comes from the {arc} of {target.name}, {_HOW[seen.look.by]}, not from the {claimed}"
    )
    if judged.verdict == "tolerance":
        return within_tolerance(rule_id, judged, f"{said}:")
    return fault(
        rule_id,
        "miscalculated",
        f"{said}: {inches(off)} outside the {claimed}.",
        target.id,
        claimed=claimed,
        recomputed=arc,
        figures=[Figure("off the arc claimed", shown(off))],
        judged=judged,
        evidence=lambda: {"marks": arcs(seen, at, of, claimed, shown(off))},
    )


@rule("CLX-FACE-01", "Facing in one's own turn", events=["shoot", "charge"], kinds=["miscalculated"], readings=READINGS)
def a_unit_faces_where_it_moved_or_shot(
    event: records.Shoot | records.Charge, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A unit faces where it moved or shot in its turn. Who attacks it is in its front, its side or its rear.

    Log:  the facing at deployment, the paths, the attacks, and the arc that is claimed. Runs and charge moves turn a unit
          like moves; falling back, a failed attack and a pile-in do not.
    Edge: no move and no shot: it faces as before. On the ray between two arcs the one nearer to the front counts.
    Edge: the sides of a vehicle are CLX-VEH-06.
    """
    return _arc("CLX-FACE-01", event, position, hearing)


@rule(
    "CLX-FACE-02", "Facing in the enemy's turn", events=["shoot", "charge"], kinds=["miscalculated"], readings=READINGS
)
def a_unit_faces_where_suppression_came_from(
    event: records.Shoot | records.Charge, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """In the enemy's turn a unit faces the direction from which it was last shot at with Suppression Fire.

    Log:  the attacks with their weapons, and the arc that is claimed.
    Edge: ordinary fire changes nothing. Units in combat and vehicles are not turned.
    """
    return _arc("CLX-FACE-02", event, position, hearing)


RULES: tuple[Rule, ...] = (a_unit_faces_where_it_moved_or_shot, a_unit_faces_where_suppression_came_from)
