"""The integrity of the record: paths begin where models stand, who acts is there, bases do not overlap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from auditor.core.findings import Figure, Note, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import Length, shown
from auditor.geometry.inches.shapes import distance
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.lacking import lack_of_deployment, lack_of_way
from auditor.systems.clx.reckoning.left_out import left_out
from auditor.systems.clx.reckoning.names import astray, who_acts
from auditor.systems.clx.reckoning.overlaps import Overlap, overlaps
from auditor.systems.clx.reckoning.unrecorded import BEFORE, any_deployed, never_put_down, told_of
from auditor.systems.clx.reckoning.ways import Way, Ways
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
from auditor.systems.clx.show import marks
from auditor.systems.clx.tolerance import allowance, judge, tolerance
from auditor.systems.clx.written import place_of

MOVING = ("move", "run", "charge_move", "fall_back", "tank_shock")
"""Events with a path. A `pile_in` is adopted and not checked."""


@rule("CLX-LOG-01", "A path begins where its model stands", events=[*MOVING, "position"], kinds=["illegal"])
def a_path_begins_where_its_model_stands(
    event: records.Event, ways: Ways | None, position: Position, hearing: Hearing
) -> Iterable[Remark] | None:
    """The path of a model begins where the record left the model.

    Log:  the paths.
    Edge: one of the two places may be a slip of the pen: what hangs on where the model went in this event is not looked at,
          and where it stands after it is in doubt until it is said again.
    Edge: a model whose last move was at fault (it went too far, too near the enemy, sideways, or out of coherency) may begin
          elsewhere: where it ended was the slip, told there.
    Edge: a position that differs from the replay is noted, not held against anybody.
    """
    if isinstance(event, records.Position):
        return list(_differences(event, position, hearing))
    return _from_elsewhere(event, ways, position, hearing) if ways is not None and (ways.ways or ways.jumped) else None


def _from_elsewhere(event: records.Event, ways: Ways, position: Position, hearing: Hearing) -> Iterator[Remark]:
    """Each rests on where its model stood, save where it was asked before that nothing puts this in doubt
    (`Ways.jumped`). All paths of a unit that begin elsewhere are one."""
    every, sure = (*ways.jumped, *ways.ways), {way.model.id for way in ways.jumped}
    off = [way for way in every if _jump(way, hearing) is not None]
    together = len(off) == len(every) > 1 and ways.unit is not None
    for one in [off] if together else [[way] for way in off]:
        hearing.apart()
        told = _begins_elsewhere(one, ways.unit, event, position, hearing)
        if sure.issuperset(way.model.id for way in one):
            hearing.apart()
        yield told


def _jump(way: Way, hearing: Hearing) -> Length | None:
    """How far from where its model stood a path begins, where that is not allowed."""
    stood = way.before.at
    if way.before.told or stood is None or stood == way.path[0]:
        return None
    far = distance(stood, way.path[0])
    return far if judge(far, hearing.settings).verdict == "beyond" else None


def _begins_elsewhere(
    off: list[Way], unit: Unit | None, event: records.Event, position: Position, hearing: Hearing
) -> Remark:
    """One path that begins elsewhere, or all of an event: one slip, or one move that is not recorded."""
    way = max(off, key=lambda one: float(_jump(one, hearing) or 0))
    name, far, begins, stood = way.model.id, _jump(way, hearing), way.path[0], way.before.at
    assert far is not None and stood is not None
    text = f"The path of {name} begins {inches(far)} from where it stood."
    if len(off) > 1 and unit is not None:
        how_many = "Both" if len(off) == 2 else f"All {len(off)}"
        text = (
            f"{how_many} paths of {unit.name} begin elsewhere than its models stood, that of {name} {inches(far)} "
            "from there: a move before is not recorded, or these begin at the wrong places."
        )
    others = [(one, one.before.at) for one in off if one is not way]
    return fault(
        "CLX-LOG-01",
        "illegal",
        text,
        unit.id if len(off) > 1 and unit is not None else name,
        claimed={"start": [shown(begins.x), shown(begins.y)]},
        recomputed={"start": [shown(stood.x), shown(stood.y)]},
        figures=[Figure("distance", shown(far))],
        judged=judge(far, hearing.settings),
        lacks=lack_of_way(unit, off, event, position) if unit is not None else None,
        evidence=path_marks(
            name,
            (stood, begins),
            None,
            *(marks.way(one.model.id, (at, one.path[0])) for one, at in others if at is not None),
        ),
    )


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
def who_acts_is_there(
    event: records.Event, ways: Ways | None, position: Position, hearing: Hearing
) -> Iterator[Remark]:
    """A model that was removed, is on board a transport or has not come to the table does not act and is allocated no
    wounds.

    Log:  the models that move, shoot, cast, throw, fight or take wounds.
    Edge: of what an event names that the record does not have, nobody can say who or what was meant; until the phase is
          over nobody is accused of what hangs on it.
    Edge: a unit that acts and that no line has put on the table is one finding: its deployment is not recorded, or comes
          too late, and where it stands is in doubt until it is said. A record with no deployment at all of that player
          accuses nobody.
    Edge: in a step of a fight, models removed at the same Initiative still strike: only those removed before the phase are
          held to this.
    """
    for one in astray(event, position):
        yield unchecked("CLX-LOG-02", f"the event {one}")
    if ways is not None and ways.unknown:
        yield unchecked("CLX-LOG-02", _misnamed(event, ways))
    missing: set[str] = set()
    for model, doing in who_acts(event, ways, position):
        hearing.apart()  # A removed model did not shoot, whatever is in doubt of those who shot with it.
        standing, unit = position.models.get(model), position.unit_of(model)
        if standing is None or unit is None or unit.id in missing:
            continue
        before = isinstance(event, BEFORE)
        if standing.at is None and not before and never_put_down(unit, position):
            missing.add(unit.id)
            if not told_of(unit, position) and not any_deployed(unit.player, position):
                why = f"no line of the record has put any unit of {unit.player} on the table, {unit.name} neither"
                yield unchecked("CLX-LOG-02", why)
            elif not told_of(unit, position):
                text = f"{model} {doing}, but the log has not put {unit.name} on the table."
                yield fault("CLX-LOG-02", "illegal", text, model, lacks=lack_of_deployment(unit, position))
            continue
        if not standing.alive:
            why = "was removed"
        elif standing.aboard is not None:
            if isinstance(
                event, (records.Cast, records.Dispel, records.LoreMastery, records.WarpCharge, records.WeaponFire)
            ):
                continue  # Whether passengers shoot and cast is a matter of the base game.
            why = f"is on board {standing.aboard}"
        elif standing.at is None and not before:
            why = "is not on the table"
        else:
            continue
        yield fault("CLX-LOG-02", "illegal", f"{model} {doing}, but {why}.", model)


def _misnamed(event: Any, ways: Ways) -> str:
    """Why nobody can say where some models came to stand."""
    if ways.unit is None:
        return f"{listed(ways.unknown)} {_are(ways)} named as of {event.unit}, which no model here is of"
    return f"{listed(ways.unknown)} {_are(ways)} named as of {ways.unit.name}, and not of it or named twice"


def _are(ways: Ways) -> str:
    return "is" if len(ways.unknown) == 1 else "are"


@rule(
    "CLX-LOG-05",
    "Bases stand side by side on the table",
    events=[*MOVING, "deploy", "reserve_arrival", "disembark"],
    kinds=["illegal"],
)
def bases_stand_side_by_side(event: records.Event, ways: Ways | None, position: Position, hearing: Hearing) -> Seen:
    """At the end of a move no base overlaps another, and none reaches beyond the edge of the table (base rule).

    Log:  the ends of paths; deployments.
    Edge: bases that touch do not overlap. Fleeing models and flyers may leave the table.
    Edge: flyers pass over and stand over others, and a tank shock goes over those who then fall back.
    Edge: where two bases overlap, one of the two places may be a slip of the pen: both are in doubt until they are said
          again.
    """
    if ways is None or ways.unit is None or not ways.ways:
        return None
    missing = left_out(event, ways, position, allowance(hearing.settings))
    done: set[str] = set(missing.torn)  # That the unit was torn is a fault of its own.
    still = {name for name, _ in missing.overlaid}
    by_way: dict[str, list[Overlap]] = {}
    for one in overlaps(event, ways, position):
        if one.other is None or one.other not in done:
            by_way.setdefault(one.way.model.id, []).append(one)
        if one.other in still:
            done.add(one.other)  # One row that is missing is one fault.
    return [remark for rows in by_way.values() for remark in _overlapping(rows, still, hearing)]


def _overlapping(rows: list[Overlap], still: set[str], hearing: Hearing) -> list[Remark]:
    """What is said of one model, whose base lies over others or beyond the edge. `still`: others that do not move."""
    judged = [judge(one.depth, hearing.settings) for one in rows]
    worst = max(range(len(rows)), key=lambda i: (judged[i].verdict == "beyond", rows[i].depth))
    way, verdict = rows[worst].way, judged[worst].verdict
    if verdict == "tolerance" and tolerance(hearing.settings) == 0:
        return []
    if verdict == "tolerance":
        return [within_tolerance("CLX-LOG-05", judged[worst], f"{way.model.id} {_over_what(rows[worst], still)}.")]
    counted = [one for one, by in zip(rows, judged, strict=True) if by.verdict == "beyond"]
    said = " and ".join(f"{_over_what(one, still)} by {inches(one.depth)}" for one in counted)
    others = [one.other for one in counted if one.other is not None]
    return [
        fault(
            "CLX-LOG-05",
            "illegal",
            f"{way.model.id} {said} (base rule, not in the Calixtus text).",
            way.model.id,
            claimed={"between": [way.model.id, *others]} if others else None,
            figures=[Figure("overlap", shown(one.depth)) for one in counted],
            judged=judged[worst],
            evidence=path_marks(way.model.id, way.path),
        )
    ]


def _over_what(one: Overlap, still: set[str]) -> str:
    if one.other is None:
        return "reaches beyond the edge of the table"
    return f"overlaps {one.other}" + (", which does not move," if one.other in still else "")


RULES: tuple[Rule, ...] = (a_path_begins_where_its_model_stands, who_acts_is_there, bases_stand_side_by_side)
