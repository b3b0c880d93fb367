"""Falling back: which rule it is by, and how far it goes."""

from __future__ import annotations

from collections.abc import Callable

from auditor.core.findings import Figure, Remark
from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import shown
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.dice import total_of
from auditor.systems.clx.reckoning.due import last_failed
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, inches, listed, path_marks, unchecked, within_tolerance
from auditor.systems.clx.tolerance import judge

BY = {
    "shooting": "CLX-MOR-01",
    "combat": "CLX-MOR-02",
    "tank_shock": "CLX-VEH-04",
    "fear_charged": "CLX-USR-10",
}
"""Cause of a failed test -> the rule that makes the unit fall back."""


def flight_seen(
    rule_id: str,
    event: records.FallBack,
    ways: Ways,
    position: Position,
    hearing: Hearing,
    undue: Callable[[Unit, Position], str | None] = lambda unit, position: None,
) -> Seen:
    """What a rule sees of a unit that falls back by it: a test that was not due, and a path longer than the dice.

    undue   why the test that failed was not due; None where it may have been
    """
    unit = position.setup.units.get(event.unit or "")
    if unit is None:
        return None
    # Who falls back failed it, where its result is not recorded.
    test = last_failed(unit, position, perhaps=True)
    if test is None or BY.get(test.cause or "") != rule_id:
        return None
    why = undue(unit, position)
    if why is not None:
        text = f"{unit.name} falls back after a test that was not due: {why}."
        return [fault(rule_id, "illegal", text, unit.id, player=unit.player)]
    written = position.setup.base["BASE-FALLBACK"]
    roll = total_of(written, event.dice)
    seen: list[Remark] = []
    if ways.unread:
        seen.append(unchecked(rule_id, f"the path of {listed(ways.unread)} cannot be read"))
    if not any(way.moved for way in ways.ways):
        return seen
    if roll is None:
        lack = "the dice of falling back (BASE-FALLBACK)" if written is None else "the dice with which it falls back"
        return [*seen, unchecked(rule_id, f"{lack} of {unit.name}")]
    for way in ways.ways:
        over = way.length - roll
        judged = judge(over, hearing.settings, parts=way.parts)
        if judged.verdict == "fine":
            continue
        said = (
            f"{way.model.id} fell back {inches(way.length)} on a roll of {roll} (base rule, not in the Calixtus text)"
        )
        if judged.verdict == "tolerance":
            seen.append(within_tolerance(rule_id, judged, said + ":"))
            continue
        seen.append(
            fault(
                rule_id,
                "illegal",
                f"{said}: too far by {inches(over)}.",
                way.model.id,
                player=unit.player,
                claimed={"path_length": shown(way.length)},
                recomputed={"roll": roll},
                figures=[Figure("path length", shown(way.length)), Figure("roll", roll)],
                judged=judged,
                evidence=path_marks(way.model.id, way.path),
            )
        )
    return seen


def stays(unit: Unit, cause: str, position: Position, seq: int) -> bool:
    """Whether the last test in this phase of a unit that is not falling back was one for a cause, and failed; not where the
    record shows the flight after the event at which it has to have come."""
    test = last_failed(unit, position)
    if test is None or test.cause != cause:
        return False
    return (position.later.flees_from(unit.id, test.seq) or 0) <= seq
