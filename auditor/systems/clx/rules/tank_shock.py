"""Tank shock: the units that a vehicle drives into."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import RAN, Figure, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.due import can_flee, check_of, last_failed
from auditor.systems.clx.reckoning.fights import not_rolled
from auditor.systems.clx.reckoning.frame import leaves_phase
from auditor.systems.clx.reckoning.lacking import lack_of_flight
from auditor.systems.clx.rules.common import Seen, fault, rule, unchecked
from auditor.systems.clx.rules.flight import flight_seen, stays
from auditor.systems.clx.rules.leadership import leadership_seen
from auditor.systems.clx.rules.suppression import EVERY_EVENT

SHOCK = "CLX-VEH-04"


@rule(SHOCK, "Tank shock", events=EVERY_EVENT, kinds=["illegal", "miscalculated", "omitted"])
def units_that_are_driven_into_take_a_check(
    event: records.Event, ways: Any, position: Position, hearing: Hearing
) -> Seen:
    """An enemy unit that a tank shock reaches takes a Morale Check at its plain Leadership, unless it is a vehicle. If it
    fails it falls back at once, and each of its models takes a Dangerous Terrain test.

    Log:  the path and headings of the vehicle, the unit it was aimed at, the check, the falling back with its tests.
    Edge: the unit that is named is reached unless the vehicle clearly stopped short of it; another one only if a base
          of it is driven over.
    Edge: how far it falls back is a base rule. What Fearless does is one as well.
    """
    if isinstance(event, records.Morale):
        unit = position.setup.units.get(event.unit or "")
        if unit is None or event.cause != "tank_shock" or "fearless" in unit.rules:
            return None
        return leadership_seen(SHOCK, event, unit, (0, 0), position, hearing, what_for="against a tank shock")
    if isinstance(event, records.FallBack):
        return [*_untested(event, position), *(flight_seen(SHOCK, event, ways, position, hearing) or ())] or None
    if position.phase != "movement" or not position.combat.shocked or not leaves_phase(event, position, "movement"):
        return None
    seen: list[Remark] = []
    for unit_id in position.combat.shocked:
        unit = position.setup.units[unit_id]
        if not can_flee(unit, position):
            continue
        tests = [
            test
            for test in position.combat.tests
            if test.kind == "morale" and test.unit == unit.id and test.cause in ("tank_shock", None)
        ]
        figures: list[Figure] = []
        due = lacks = None
        if not tests:
            due = check_of(unit, "tank_shock")
            text = f"{unit.name} was reached by a tank shock and took no Morale Check."
            figures = not_rolled(unit, (0, 0), position)
        elif stays(unit, "tank_shock", position, event.seq):
            text = f"{unit.name} failed its check against a tank shock and did not fall back."
            lacks = lack_of_flight(unit, position)
        else:
            continue
        seen.append(fault(SHOCK, "omitted", text, unit.id, player=unit.player, figures=figures, due=due, lacks=lacks))
    return seen or RAN


def _untested(event: records.FallBack, position: Position) -> list[Remark]:
    """Models that fall back from a tank shock without a Dangerous Terrain test."""
    unit = position.setup.units.get(event.unit or "")
    test = None if unit is None else last_failed(unit, position)
    if unit is None or test is None or test.cause != "tank_shock":
        return []
    if position.setup.base["BASE-DANGEROUS"] is None:
        return [unchecked(SHOCK, f"what tests {unit.name} takes in falling back is not stated (BASE-DANGEROUS)")]
    tested = {row.model for row in event.dangerous or ()}
    if None in tested:
        return []  # It may be the test of any of them.
    left = [model.id for model in position.living(unit) if model.id not in tested and position.models[model.id].wounds]
    if not left:
        return []
    text = f"{', '.join(left)} fell back from a tank shock without a Dangerous Terrain test."
    return [fault(SHOCK, "omitted", text, unit.id, player=unit.player, claimed={"untested": left})]


RULES: tuple[Rule, ...] = (units_that_are_driven_into_take_a_check,)
