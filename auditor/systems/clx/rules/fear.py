"""Fear: the tests of units that are charged by what they fear, or want to charge it."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import RAN, Figure, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.due import (
    begins_fight,
    can_flee,
    certainly_short,
    charges_of_now,
    comes_up,
    reached,
    test_of,
    tests_of,
)
from auditor.systems.clx.reckoning.fights import not_rolled
from auditor.systems.clx.reckoning.frame import leaves_phase
from auditor.systems.clx.reckoning.lacking import lack_of_flight
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, rule, unchecked
from auditor.systems.clx.rules.flight import flight_seen
from auditor.systems.clx.rules.leadership import leadership_seen
from auditor.systems.clx.rules.suppression import EVERY_EVENT

CHARGED, CHARGING = "CLX-USR-10", "CLX-USR-11"


def fears(unit: Unit, enemy: Unit, position: Position) -> bool:
    """Whether a unit certainly fears another."""
    return (
        "fear" in enemy.rules
        and "fear" not in unit.rules
        and enemy.id not in position.units[unit.id].fear_overcome
        and can_flee(unit, position)
    )


def fear_seen(event: records.LdTest, position: Position, hearing: Hearing, asking: str) -> Seen:
    """What a rule sees of a test for Fear: it is taken at -1."""
    rule_id = {"fear_charged": CHARGED, "fear_charging": CHARGING}.get(event.cause or "")
    unit = position.setup.units.get(event.unit or "")
    if unit is None or rule_id is None or "fearless" in unit.rules:
        return None
    if asking not in (rule_id, "CLX-USR-16"):
        return None
    enemy = position.setup.units.get(event.versus or "")
    return leadership_seen(rule_id, event, unit, (-1, -1), position, hearing, enemy, what_for="for Fear", asking=asking)


@rule(CHARGED, "Charged by what it fears", events=EVERY_EVENT, kinds=["illegal", "miscalculated", "omitted"])
def a_unit_tests_when_what_it_fears_charges(
    event: records.Event, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Each time a unit is charged by one that it fears, it tests at its Leadership less 1 and falls back at once if it
    fails. Every unit fears those with Fear, except units with Fear themselves and those that have beaten them in a round.

    Log:  the charge, the test, the falling back.
    Edge: due before the first blow of that combat. A charge that falls short calls for no test that could be missed.
    Edge: what Fearless does is a matter of the base game. A test that was not due is nobody's fault unless it failed and
          the unit fell back.
    """
    if isinstance(event, records.LdTest):
        return fear_seen(event, position, hearing, CHARGED)
    if isinstance(event, records.FallBack):
        return _flight(event, resolved, position, hearing)
    if position.phase != "assault":
        return None
    over, fighting = leaves_phase(event, position, "assault"), begins_fight(event, position)
    if not over and not fighting:
        return None
    seen: list[Remark] = []
    for charge in charges_of_now(position):
        unit, enemy = position.setup.units.get(charge.target or ""), position.setup.units[charge.unit]
        if unit is None or reached(charge, hearing) is not True or certainly_short(charge, hearing):
            continue
        if charge.fleeing or not fears(unit, enemy, position):
            continue
        if charge.fleeing is None and tests_of(unit, "regroup", position):
            continue  # It was falling back, by that.
        if not comes_up({unit.id, enemy.id}, fighting, over, position):
            continue
        tests = tests_of(unit, "fear_charged", position, enemy.id)
        if not tests and _tested_for_nothing(unit, "fear_charging", position):
            seen.append(unchecked(CHARGED, f"whether {unit.name} took its test for fear of {enemy.name}"))
            continue
        figures: list[Figure] = []
        due = lacks = None
        if not tests:
            due = test_of(unit, "fear_charged", enemy.id)
            text = f"{unit.name} was charged by {enemy.name}, which it fears, and took no test."
            figures = not_rolled(unit, (-1, -1), position)
        elif all(test.passed is False for test in tests):
            flight = position.later.flees_from(unit.id, tests[-1].seq) or 0
            if flight > event.seq and (over or flight == event.seq + 1):
                continue  # It is told a line too late.
            text = f"{unit.name} failed its test for fear of {enemy.name} and did not fall back."
            lacks = lack_of_flight(unit, position)
        else:
            continue
        seen.append(fault(CHARGED, "omitted", text, unit.id, player=unit.player, figures=figures, due=due, lacks=lacks))
    return seen


def _flight(event: records.FallBack, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Falling back after a test for Fear: as far as it rolled, and only where the test was due."""
    return flight_seen(CHARGED, event, resolved, position, hearing, _undue)


def _tested_for_nothing(unit: Unit, undue: str, position: Position) -> bool:
    """Whether a unit took a test of Leadership in this phase for which nothing called as the record has it: it may have been
    another one, with a wrong cause or enemy. `undue`: a cause that nothing gives it."""
    for test in position.combat.tests:
        if test.kind != "ld" or test.unit != unit.id or test.phase != position.phase:
            continue
        enemy = position.setup.units.get(test.versus or "")
        if test.cause in (None, "other", undue) or (enemy is not None and "fear" not in enemy.rules):
            return True
    return False


def _undue(unit: Unit, position: Position) -> str | None:
    """Why a test for Fear of a charged unit was not due; None where it may have been."""
    versus = {test.versus for test in tests_of(unit, "fear_charged", position) if test.passed is False}
    if "fear" in unit.rules:
        return f"{unit.name} causes Fear itself and fears nobody"
    enemies = [position.setup.units.get(one or "") for one in versus]
    if enemies and all(enemy is not None and "fear" not in enemy.rules for enemy in enemies):
        return f"{enemies[0].name if enemies[0] else ''} causes no Fear"
    return None


@rule(CHARGING, "Charging what it fears", events=["charge", "ld_test"], kinds=["illegal", "miscalculated", "omitted"])
def a_unit_tests_before_it_charges_what_it_fears(
    event: records.Charge | records.LdTest, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Before a unit charges one that it fears it tests at its Leadership less 1; if it fails it is pinned and does not
    charge.

    Log:  the test, before the charge that it is for.
    Edge: a unit that has beaten the enemy in a round of combat tests no more. What Fearless does is a base rule.
    """
    if isinstance(event, records.LdTest):
        return fear_seen(event, position, hearing, CHARGING)
    unit, enemy = position.setup.units.get(event.unit or ""), position.setup.units.get(event.target or "")
    if unit is None or enemy is None or not fears(unit, enemy, position):
        return None
    tests = tests_of(unit, "fear_charging", position, enemy.id)
    if not tests and _tested_for_nothing(unit, "fear_charged", position):
        return [unchecked(CHARGING, f"whether {unit.name} took its test for fear of {enemy.name}")]
    if not tests:
        text = f"{unit.name} charges {enemy.name}, which it fears, without a test."
        due = test_of(unit, "fear_charging", enemy.id)
        return [fault(CHARGING, "omitted", text, unit.id, player=unit.player, due=due)]
    if tests[-1].passed is False:
        text = f"{unit.name} charges {enemy.name} although it failed its test for fear of it."
        return [fault(CHARGING, "illegal", text, unit.id, player=unit.player)]
    return RAN


RULES: tuple[Rule, ...] = (
    a_unit_tests_when_what_it_fears_charges,
    a_unit_tests_before_it_charges_what_it_fears,
)
