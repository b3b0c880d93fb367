"""Units that drop prone, or press on."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import RAN, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.due import test_of, tests_of
from auditor.systems.clx.reckoning.fights import not_rolled
from auditor.systems.clx.reckoning.frame import leaves_phase
from auditor.systems.clx.reckoning.lacking import lack_of_choice
from auditor.systems.clx.rules.common import Seen, fault, rule
from auditor.systems.clx.rules.leadership import leadership_seen
from auditor.systems.clx.rules.suppression import EVERY_EVENT

PRONE = "CLX-USR-17"


@rule(PRONE, "Prone Position", events=EVERY_EVENT, kinds=["illegal", "miscalculated", "omitted"], readings=["OR-PRONE"])
def prone_units_lie_still(event: records.Event, ways: Any, position: Position, hearing: Hearing) -> Seen:
    """A unit with Prone Position that a Pinning weapon fires at drops, or presses on. One that dropped does not move in its
    next turn. One that presses on has no cover for the rest of the phase and takes a Leadership test; if it fails it
    neither moves nor shoots in its next turn.

    Log:  the attacks with their weapons, the choice and its test, what the unit does in its next turn.
    Edge: with no choice recorded it has dropped. The choice holds from the next attack on. Fearless units pass.
    Edge: whether units without the rule may choose too is OR-PRONE.
    """
    if isinstance(event, records.LdTest):
        unit = position.setup.units.get(event.unit or "")
        if unit is None or event.cause != "prone" or "fearless" in unit.rules:
            return None
        return leadership_seen(PRONE, event, unit, (0, 0), position, hearing, what_for="to press on")
    if isinstance(event, (records.Move, records.Run, records.Shoot)):
        return _lying(event, ways, position, hearing)
    if isinstance(event, records.CoverRolls):
        return _covered(event, position, hearing)
    if position.phase != "shooting" or not leaves_phase(event, position, "shooting"):
        return None
    seen: list[Remark] = []
    for unit_id, state in position.units.items():
        unit = position.setup.units[unit_id]
        if state.prone != ("pressed", "new") or "fearless" in unit.rules or not position.living(unit):
            continue
        chose = any(test.prone and test.unit == unit.id for test in position.pin_tests)
        tested = tests_of(unit, "prone", position) or tests_of(unit, None, position)
        if not chose or tested or not _holds(unit, hearing):
            continue
        text = f"{unit.name} pressed on and took no Leadership test."
        figures = not_rolled(unit, (0, 0), position)
        due = test_of(unit, "prone")
        seen.append(fault(PRONE, "omitted", text, unit.id, player=unit.player, figures=figures, due=due))
    return seen or None


def _holds(unit: Unit, hearing: Hearing) -> bool:
    """Whether a choice to drop or press on means anything for a unit."""
    return "prone_position" in unit.rules or hearing.ask("OR-PRONE") == "GENERAL"


def _lying(event: Any, ways: Any, position: Position, hearing: Hearing) -> Seen:
    """What a unit does in the turn in which it lies prone."""
    unit = position.setup.units.get(event.unit or "")
    state = None if unit is None else position.units[unit.id].prone
    if unit is None or state is None or state[1] != "serving":
        return None
    if state[0] == "pressed":
        return RAN
    shoots = isinstance(event, records.Shoot)
    if shoots and state[0] != "against_orders":
        return RAN
    if not shoots and not any(way.moved for way in ways.ways):
        return None
    if not _holds(unit, hearing):
        return RAN
    why = "dropped prone" if state[0] == "dropped" else "went to ground against its orders"
    what = "shoots" if shoots else "moves"
    text = f"{unit.name} {what} though it {why} in the enemy's turn."
    lacks = lack_of_choice(unit, event, position)
    return [fault(PRONE, "illegal", text, unit.id, lacks=lacks)]


def _covered(event: records.CoverRolls, position: Position, hearing: Hearing) -> Seen:
    """Cover that is rolled after the unit pressed on under an earlier attack."""
    attack = position.attacks.get(event.attack)
    unit = None if attack is None else position.setup.units.get(attack.target or "")
    if unit is None or not event.dice or event.waived or position.units[unit.id].prone != ("pressed", "new"):
        return None
    order = list(position.attacks)
    chosen = {one for test in position.pin_tests if test.prone and test.unit == unit.id for one in test.causes or ()}
    if not any(one in order and order.index(one) < order.index(event.attack) for one in chosen):
        return None
    if not _holds(unit, hearing):
        return RAN
    text = f"{unit.name} pressed on and has no cover for the rest of the phase."
    return [fault(PRONE, "illegal", text, unit.id, player=unit.player)]


RULES: tuple[Rule, ...] = (prone_units_lie_still,)
