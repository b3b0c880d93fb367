"""Moving in the Shooting Phase instead of shooting: Run, Turbo-Boost, Flat-Out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from auditor.core.findings import RAN, Fault, Figure, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import shown
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.runs import distance_of, rows_for
from auditor.systems.clx.reckoning.shots import ELEV, ELEV_REF
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.coherency import coherency_kept
from auditor.systems.clx.rules.common import Seen, fault, inches, listed, path_marks, rule, unchecked, within_tolerance
from auditor.systems.clx.rules.moves import zone_kept
from auditor.systems.clx.rules.ranges import may_have_failed
from auditor.systems.clx.tolerance import Judged, judge
from auditor.systems.clx.written import exact_or_none


@rule("CLX-RUN-01", "How far a unit runs", events=["run"], kinds=["illegal", "miscalculated"])
def a_unit_runs_as_far_as_its_kind_does(event: records.Run, ways: Ways, position: Position, hearing: Hearing) -> Seen:
    """A unit may give up shooting to move again. Most run a D6; beasts, cavalry and swooping monsters 2D6 added up; bikes
    turbo-boost up to 12, jetbikes 24, Eldar jetbikes 36 inches; vehicles go flat out up to 6, fast ones 12, fast skimmers
    18, zooming flyers at least 12 and at most 24; heavy vehicles do not.

    Log:  the dice, the paths; how a flyer or flying monster moves this turn.
    Edge: where the distance is claimed wrongly, who keeps to it is not accused besides.
    Edge: one roll for the unit. Where the record does not say how a flyer moves, it is taken as what allows it.
    """
    unit = ways.unit
    if unit is None:
        return None
    rows = rows_for(unit, event)
    if all(row.get("most", 0) is None for row in rows):
        text = f"{unit.name} is a heavy vehicle and does not go flat out."
        return [fault("CLX-RUN-01", "illegal", text, unit.id)]
    found = [(row, far) for row in rows if (far := distance_of(row, event)) is not None]
    if not found:
        return [unchecked("CLX-RUN-01", f"the dice with which {unit.name} runs are not those that are due")]
    rows, distances = [row for row, _ in found], [far for _, far in found]
    seen: list[Remark] = []
    if ways.unread:
        seen.append(unchecked("CLX-RUN-01", f"the path of {listed(ways.unread)} cannot be read"))
    claimed = exact_or_none(event.claimed_distance)
    if claimed is None:
        hearing.not_claimed()
    wrong = claimed if all("dice" in row for row in rows) and claimed not in distances else None
    most = max(distances) if wrong is None else max(*distances, wrong)
    least = min(Fraction(row.get("least", 0)) for row in rows)
    for way in ways.ways:
        over = way.length - most
        under = least - way.length
        if over.sign() > 0:
            judged = judge(over, hearing.settings, parts=way.parts)
            said = f"{way.model.id} moved {inches(way.length)}; {inches(most)} are allowed"
            seen.append(_judged(judged, way, said, f": too far by {inches(over)}.", most))
        elif under.sign() > 0 and way.moved and not way.ends_only:
            judged = judge(under, hearing.settings, parts=way.parts)
            said = f"{way.model.id} moved {inches(way.length)}; a zooming flyer moves at least {inches(least)}"
            seen.append(_judged(judged, way, said, ".", least))
    if wrong is not None:
        seen.append(_wrong_distance(event, unit, ways, wrong, max(distances)))
    return seen


def _wrong_distance(event: records.Run, unit: Unit, ways: Ways, wrong: Fraction, right: Fraction) -> Fault:
    """A distance that is claimed, and is not what the dice give, with the models that went farther than that."""
    farther = [way.model.id for way in ways.ways if way.length > right and way.length <= wrong]
    dice = event.dice or []
    text = (
        f"{unit.name} runs: {'the die' if len(dice) == 1 else 'the dice'} {' and '.join(map(str, dice))} "
        f"{'gives' if len(dice) == 1 else 'give'} {inches(right)}, not {shown(wrong)}."
    )
    text += f" {listed(farther)} went farther." if farther else ""
    parts = tuple((f"die {i + 1}", die) for i, die in enumerate(event.dice or ()))
    return fault(
        "CLX-RUN-01",
        "miscalculated",
        text,
        unit.id,
        claimed={"distance": shown(wrong)},
        recomputed={"distance": shown(right)},
        figures=[Figure("distance", shown(right), parts)],
    )


def _judged(judged: Judged, way: Any, said: str, rest: str, limit: Fraction) -> Remark:
    if judged.verdict != "beyond":
        return within_tolerance("CLX-RUN-01", judged, said + ".")
    return fault(
        "CLX-RUN-01",
        "illegal",
        said + rest,
        way.model.id,
        claimed={"path_length": shown(way.length)},
        recomputed={"path_length": shown(way.length), "limit": shown(limit)},
        figures=[Figure("path length", shown(way.length))],
        judged=judged,
        evidence=path_marks(way.model.id, way.path),
    )


@rule(
    "CLX-RUN-02",
    "Running or shooting",
    events=["run", "shoot", "weapon_fire"],
    kinds=["illegal"],
    readings=["OR-RUN-AFTER-FAIL", ELEV, ELEV_REF],
)
def a_unit_runs_or_shoots(
    event: records.Run | records.Shoot | records.WeaponFire, ways: Any, position: Position, hearing: Hearing
) -> Seen:
    """Running is declared for the whole unit, once, and instead of shooting: a unit that has shot, or tried to, does not
    run, and one that has run does not shoot. The vehicles of a squadron declare each by itself.

    Log:  what each unit did in the phase, and each vehicle of a squadron.
    Edge: whether a unit runs whose attack failed is a reading. An attack of which no dice are recorded may have failed,
          unless somebody who fired surely reached the target.
    """
    if isinstance(event, records.Run):
        unit = ways.unit
    else:
        made = position.attacks.get(event.attack) if isinstance(event, records.WeaponFire) else event
        unit = None if made is None else position.setup.units.get(made.unit or "")
    if unit is None:
        return None
    if unit.vehicle is not None and unit.vehicle.squadron:
        return _of_a_squadron(event, unit, ways, position, hearing)
    if isinstance(event, records.WeaponFire):
        return None
    state = position.units[unit.id]
    text = None
    if isinstance(event, records.Shoot):
        if state.ran is not None:
            text = f"{unit.name} shoots after it has run in this turn."
    elif state.ran is not None:
        text = f"{unit.name} runs a second time in this turn."
    elif state.shot:
        # Dice would show that an attack went on; without any it may have failed, if nobody who fired surely reached.
        if not _may_have_failed(unit, position, hearing) or hearing.ask("OR-RUN-AFTER-FAIL") == "NO":
            text = f"{unit.name} runs after it has shot in this turn."
    elif state.shooting_spent and hearing.ask("OR-RUN-AFTER-FAIL") == "NO":
        text = f"{unit.name} runs after its shooting was lost because the target was out of range."
    return RAN if text is None else [fault("CLX-RUN-02", "illegal", text, unit.id)]


def _of_a_squadron(event: records.Event, unit: Unit, ways: Any, position: Position, hearing: Hearing) -> Seen:
    """What each vehicle of a squadron does: an attack is of the squadron, and who fires is of the vehicle."""
    if isinstance(event, records.Shoot):
        return None
    if isinstance(event, records.WeaponFire):
        found = [(one.model, "fires after it has gone flat out") for one in event.firers or () if one.shots != 0]
        found = [(model, text) for model, text in found if model in position.flat_out]
    else:
        gone = [way.model.id for way in ways.ways if way.moved]
        found = [(one, "goes flat out a second time") for one in gone if one in position.flat_out]
        found += [
            (one, "goes flat out after it has fired")
            for one in gone
            if one in position.fired and _surely_shot(one, unit, position, hearing)
        ]
    texts = {model: f"{model} {text} in this turn." for model, text in reversed(found)}
    return [fault("CLX-RUN-02", "illegal", text, str(model)) for model, text in texts.items()] or RAN


def _surely_shot(model: str, unit: Unit, position: Position, hearing: Hearing) -> bool:
    """Whether a vehicle has fired in an attack that was surely in range, or no reading lets it run after one that failed."""
    mine = [
        attack
        for attack in position.attacks.values()
        if attack.unit == unit.id and any(model in firers for firers in attack.firers.values())
    ]
    if not mine:
        return False
    failed = all(may_have_failed(attack, unit, position, hearing) for attack in mine)
    return not failed or hearing.ask("OR-RUN-AFTER-FAIL") == "NO"


def _may_have_failed(unit: Unit, position: Position, hearing: Hearing) -> bool:
    """Whether all attacks of a unit in this phase may have been out of range."""
    mine = [attack for attack in position.attacks.values() if attack.unit == unit.id]
    return bool(mine) and all(may_have_failed(attack, unit, position, hearing) for attack in mine)


@rule("CLX-RUN-03", "Coherency while running", events=["run"], kinds=["illegal"], readings=["OR-STOP", "OR-COH-WHEN"])
def a_running_unit_keeps_coherency_and_distance(
    event: records.Run, ways: Ways, position: Position, hearing: Hearing
) -> Seen:
    """A unit that runs, turbo-boosts or goes flat out ends in coherency, squadrons included, and stays an inch from
    enemies, as in the Movement Phase.

    Log:  the path of every model; models that are not named stand where they stood.
    """
    zone = zone_kept("CLX-RUN-03", ways, position, hearing, also=("CLX-MOVE-02",))
    held = coherency_kept("CLX-RUN-03", ways, position, hearing, also=("CLX-MOVE-03",))
    return None if zone is None else [*zone, *(held or ())]


@rule("CLX-SHOOT-15", "Moving again instead of shooting", events=["run"], kinds=["illegal"])
def a_unit_moves_again_as_its_kind_does(event: records.Run, ways: Ways, position: Position, hearing: Hearing) -> Seen:
    """A unit that gives up shooting to move again runs, turbo-boosts or goes flat out, whichever its kind does: bikes and
    jetbikes turbo-boost, vehicles go flat out, walkers and all others run.

    Log:  how the unit moves again. How far is CLX-RUN-01, and so are heavy vehicles, which do not at all.
    """
    unit = ways.unit
    if unit is None or event.mode is None:
        return None
    modes = {row["mode"] for row in rows_for(unit, event)}
    if event.mode in modes:
        return RAN
    text = f"{unit.name} {_MODES[event.mode]}; a unit of its kind {' or '.join(_MODES[one] for one in sorted(modes))}."
    rule_id = a_unit_moves_again_as_its_kind_does.id
    return [fault(rule_id, "illegal", text, unit.id, claimed=event.mode, recomputed=min(modes))]


_MODES = {"run": "runs", "turbo": "turbo-boosts", "flat_out": "goes flat out"}

RULES: tuple[Rule, ...] = (
    a_unit_runs_as_far_as_its_kind_does,
    a_unit_runs_or_shoots,
    a_running_unit_keeps_coherency_and_distance,
    a_unit_moves_again_as_its_kind_does,
)
