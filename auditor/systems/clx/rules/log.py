"""The integrity of the record: paths begin where models stand, who acts is there, bases do not overlap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from auditor.core.findings import Figure, Note, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import Length, shown
from auditor.geometry.inches.shapes import NEAR, Circle, Polygon, Shape, about_gap, box_of, distance, gap, overlap
from auditor.systems.clx import records
from auditor.systems.clx.reckoning.left_out import left_out
from auditor.systems.clx.reckoning.names import astray, strange_fighters
from auditor.systems.clx.reckoning.ways import MOVES, Way, Ways
from auditor.systems.clx.rules.common import (
    Seen,
    fault,
    inches,
    listed,
    path_marks,
    rule,
    unchecked,
    within_tolerance,
)
from auditor.systems.clx.state import Position, places_of
from auditor.systems.clx.tolerance import allowance, judge, tolerance
from auditor.systems.clx.written import place_of

MOVING = ("move", "run", "charge_move", "fall_back", "tank_shock")
"""Events with a path. A `pile_in` is adopted and not checked."""


@rule("CLX-LOG-01", "A path begins where its model stands", events=[*MOVING, "position"], kinds=["illegal"])
def a_path_begins_where_its_model_stands(event: Any, ways: Ways | None, position: Position, hearing: Hearing) -> Seen:
    """The path of a model begins where the record left the model.

    Log:  the paths.
    Edge: one of the two places may be a slip of the pen: what hangs on where the model went in this event is not looked at,
          and where it stands after it is in doubt until it is said again.
    Edge: a position that differs from the replay is noted, not held against anybody.
    """
    if isinstance(event, records.Position):
        return list(_differences(event, position, hearing))
    if ways is None or not (ways.ways or ways.jumped):
        return None
    seen: list[Remark] = []
    for way in (*ways.jumped, *ways.ways):
        stood = way.before.at
        if stood is None or stood == way.path[0]:
            continue
        off = distance(stood, way.path[0])
        judged = judge(off, hearing.settings)
        said = f"The path of {way.model.id} begins {inches(off)} from where it stood."
        if judged.verdict != "beyond":
            continue
        seen.append(
            fault(
                "CLX-LOG-01",
                "illegal",
                said,
                way.model.id,
                claimed={"start": [shown(way.path[0].x), shown(way.path[0].y)]},
                recomputed={"start": [shown(stood.x), shown(stood.y)]},
                figures=[Figure("distance", shown(off))],
                rests_on=places_of([way.model.id]),
                judged=judged,
                evidence=path_marks(way.model.id, (stood, way.path[0])),
            )
        )
    return seen


def _differences(event: records.Position, position: Position, hearing: Hearing) -> Iterator[Remark]:
    """Where a stated position differs from the replay by more than measuring can tell."""
    for entry in event.units or ():
        for row in entry.models or ():
            stood = position.models.get(row.id or "")
            at = place_of(row.pos)
            if stood is None or stood.at is None or at is None:
                continue
            off = distance(stood.at, at)
            if judge(off, hearing.settings).verdict == "beyond":
                text = f"{row.id} is stated {inches(off)} from where the record left it."
                yield Note("record", text, "CLX-LOG-01", margin=shown(off))
    for model in event.removed or ():
        if model in position.models and position.on_table(model):
            yield Note("record", f"{model} is stated as removed; the record left it on the table.", "CLX-LOG-01")


_ACTORS = (
    *MOVING,
    "pile_in",
    "embark",
    "cast",
    "dispel",
    "lore_mastery",
    "warp_charge",
    "weapon_fire",
    "allocate",
    "grenade",
    "fight_step",
)
_NAMING = (
    *("deploy", "reserve_arrival", "disembark", "shoot", "jink", "go_to_ground", "guess_shot", "cover_rolls"),
    *("hit_rolls", "wound_rolls", "vehicle_hit", "vehicle_explodes", "pinning_test", "morale", "ld_test", "char_test"),
    *("prone_choice", "charge", "mental_resistance", "spot", "removed"),
)


@rule("CLX-LOG-02", "Who acts is there", events=(*_ACTORS, *_NAMING), kinds=["illegal"])
def who_acts_is_there(event: Any, ways: Ways | None, position: Position, hearing: Hearing) -> Seen:
    """A model that was removed, is on board a transport or has not come to the table does not act and is allocated no
    wounds.

    Log:  the models that move, shoot, cast, throw, fight or take wounds.
    Edge: of what an event names that the record does not have, nobody can say who or what was meant; until the phase is
          over nobody is accused of what hangs on it.
    Edge: in a step of a fight, models removed at the same Initiative still strike: only those removed before the phase are
          held to this.
    """
    found: list[Remark] = [unchecked("CLX-LOG-02", f"the event {one}") for one in astray(event, position)]
    if ways is not None and ways.unknown:
        found.append(unchecked("CLX-LOG-02", _misnamed(event, ways)))
    for model, doing in _who(event, ways, position):
        standing = position.models.get(model)
        if standing is None:
            continue
        if not standing.alive:
            why = "was removed"
        elif standing.aboard is not None:
            if isinstance(
                event, (records.Cast, records.Dispel, records.LoreMastery, records.WarpCharge, records.WeaponFire)
            ):
                continue  # Whether passengers shoot and cast is a matter of the base game.
            why = f"is on board {standing.aboard}"
        elif standing.at is None and not isinstance(event, (records.LoreMastery, records.WarpCharge)):
            why = "is not on the table"
        else:
            continue
        text = f"{model} {doing}, but {why}."
        found.append(fault("CLX-LOG-02", "illegal", text, model, rests_on=places_of([model])))
    return found


def _misnamed(event: Any, ways: Ways) -> str:
    """Why nobody can say where some models came to stand."""
    if ways.unit is None:
        return f"{listed(ways.unknown)} {_are(ways)} named as of {event.unit}, which no model here is of"
    return f"{listed(ways.unknown)} {_are(ways)} named as of {ways.unit.name}, and not of it or named twice"


def _are(ways: Ways) -> str:
    return "is" if len(ways.unknown) == 1 else "are"


def _who(event: Any, ways: Ways | None, position: Position) -> Iterator[tuple[str, str]]:
    if isinstance(event, (*MOVES, records.TankShock)):
        for way in ways.ways if ways is not None else ():
            yield way.model.id, "moves"
    elif isinstance(event, records.WeaponFire):
        for firer in event.firers or ():
            yield str(firer.model), "shoots"
    elif isinstance(event, records.Allocate):
        removed: set[str] = set()
        for wound in event.wounds or ():
            if wound.model is not None and wound.model not in removed:
                yield wound.model, "is allocated a wound"
            if wound.claimed_removed and wound.model is not None:
                removed.add(wound.model)
    elif isinstance(event, (records.Cast, records.Dispel, records.LoreMastery, records.WarpCharge)):
        if event.psyker is not None:
            yield event.psyker, {records.Cast: "casts", records.Dispel: "dispels"}.get(type(event), "rolls")
    elif isinstance(event, records.Grenade) and event.model is not None:
        yield event.model, "throws a grenade"
    elif isinstance(event, records.FightStep) and not position.combat.wrecks:
        strange = strange_fighters(event, position)
        for row in event.attackers or ():
            standing = position.models.get(row.model or "")
            if standing is None or standing.alive or row.model in position.combat.fallen or row.model in strange:
                continue
            yield str(row.model), "strikes"


@rule(
    "CLX-LOG-05",
    "Bases stand side by side on the table",
    events=[*MOVING, "deploy", "reserve_arrival", "disembark"],
    kinds=["illegal"],
)
def bases_stand_side_by_side(event: Any, ways: Ways | None, position: Position, hearing: Hearing) -> Seen:
    """At the end of a move no base overlaps another, and none reaches beyond the edge of the table (base rule).

    Log:  the ends of paths; deployments.
    Edge: bases that touch do not overlap. Fleeing models and flyers may leave the table.
    Edge: flyers pass over and stand over others, and a tank shock goes over those who then fall back.
    """
    if ways is None or ways.unit is None or not ways.ways:
        return None
    leaving = isinstance(event, records.FallBack) or _flies(position, ways.unit.id)
    moved = {way.model.id: position.shape(way.model, way.end, way.heading) for way in ways.ways}
    others = {
        model_id: position.shape(model)
        for model_id, model in position.setup.models.items()
        if model_id not in moved
        and model_id not in ways.lost
        and position.on_table(model_id)
        and not _flies(position, model.unit)
    }
    seen: list[Remark] = []
    missing = left_out(event, ways, position, allowance(hearing.settings))
    over = dict(missing.overlaid)
    done: set[str] = set(missing.torn)  # That the unit was torn is a fault of its own.
    boxed = [(box_of(there), other, there) for other, there in (*others.items(), *moved.items())]
    for way in ways.ways:
        shape = moved[way.model.id]
        done.add(way.model.id)
        beyond = None if leaving else _beyond(shape, position)
        if beyond is not None:
            seen += _judged(way, beyond, hearing, "reaches beyond the edge of the table", ())
        if _flies(position, ways.unit.id) or isinstance(event, records.TankShock):
            continue
        x0, y0, x1, y1 = box_of(shape)
        near = [
            (other, there)
            for (left, low, right, high), other, there in boxed
            if left - x1 < NEAR and x0 - right < NEAR and low - y1 < NEAR and y0 - high < NEAR
        ]
        for other, there in near:
            depth = None if other in done else _depth(shape, there)
            if depth is not None:
                who = f"overlaps {other}" + (", which does not move," if other in over else "")
                seen += _judged(way, depth, hearing, who, places_of([other]))
                done |= {other} & over.keys()  # One row that is missing is one fault.
    return seen


def _flies(position: Position, unit_id: str) -> bool:
    vehicle = position.setup.units[unit_id].vehicle
    return vehicle is not None and vehicle.flyer


def _beyond(shape: Shape, position: Position) -> Length | None:
    """How far a base reaches beyond the table, if it does."""
    setup = position.setup
    x0, y0, x1, y1 = box_of(shape)
    if x0 > NEAR and y0 > NEAR and x1 < float(setup.width) - NEAR and y1 < float(setup.depth) - NEAR:
        return None
    if isinstance(shape, Circle):
        (x, y), r = shape.centre, shape.radius
        most = max(r - x, r - y, x + r - setup.width, y + r - setup.depth)
    else:
        most = max(max(-x, -y, x - setup.width, y - setup.depth) for x, y in shape.corners)
    return Length(most) if most > 0 else None


def _depth(one: Shape, other: Shape) -> Length | None:
    """How deep two bases overlap, if they do; of two hulls, which have no such number here, a lower bound of 0.02."""
    if isinstance(one, Polygon) and isinstance(other, Polygon):
        return None
    if about_gap(one, other) > NEAR:
        return None
    depth = -gap(one, other)
    return depth if depth.sign() > 0 and overlap(one, other) else None


def _judged(way: Way, over: Length, hearing: Hearing, what: str, facts: tuple[tuple[str, str], ...]) -> list[Remark]:
    judged = judge(over, hearing.settings)
    if judged.verdict == "fine" or (judged.verdict == "tolerance" and tolerance(hearing.settings) == 0):
        return []
    if judged.verdict == "tolerance":
        return [within_tolerance("CLX-LOG-05", judged, f"{way.model.id} {what}.")]
    return [
        fault(
            "CLX-LOG-05",
            "illegal",
            f"{way.model.id} {what} by {inches(over)} (base rule, not in the Calixtus text).",
            way.model.id,
            figures=[Figure("overlap", shown(over))],
            rests_on=facts if isinstance(way.model.base, Circle) else (*facts, *places_of([way.model.id])),
            judged=judged,
            evidence=path_marks(way.model.id, way.path),
        )
    ]


RULES: tuple[Rule, ...] = (a_path_begins_where_its_model_stands, who_acts_is_there, bases_stand_side_by_side)
