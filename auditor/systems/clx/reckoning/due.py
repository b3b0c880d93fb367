"""Tests and moves that an assault makes due, and when it is certain that they were left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.combat import Charge, Test
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.dice import total_of
from auditor.systems.clx.tolerance import judge


def roll_of(event: records.Charge, position: Position) -> int | None:
    """What the dice of a charge come to; None where they are not those that are due, or these are not known."""
    return total_of(position.setup.base["BASE-CHARGE"], event.dice)


def reached(charge: Charge, hearing: Hearing) -> bool | None:
    """Whether a charge came to its target: as the log claims, else as its dice certainly say; None: not known."""
    if charge.stated:
        return None
    if charge.claimed is not None:
        return charge.claimed
    if charge.gap is None or charge.roll is None:
        return None
    judged = judge(charge.gap - charge.roll, hearing.settings)
    return True if judged.over.sign() <= 0 else None if judged.verdict != "beyond" else False


def certainly_short(charge: Charge, hearing: Hearing) -> bool:
    """Whether a charge fell short, whatever the log claims."""
    if charge.gap is None or charge.roll is None:
        return False
    return judge(charge.gap - charge.roll, hearing.settings).verdict == "beyond"


def check_of(unit: Unit, cause: Any) -> Callable[[], records.Morale]:
    """What makes the line of a Morale Check that is missing; what its dice showed nobody knows."""
    return partial(records.Morale, seq=0, player=unit.player, unit=unit.id, cause=cause)


def pinning_of(unit: Unit, attacks: Iterable[str | None]) -> Callable[[], records.PinningTest]:
    """The same of a pinning test that attacks called for."""
    causes = [one for one in attacks if one is not None]
    return partial(records.PinningTest, seq=0, player=unit.player, unit=unit.id, causes=causes)


def test_of(unit: Unit, cause: Any, versus: str | None = None) -> Callable[[], records.LdTest]:
    """The same of a test of Leadership; `versus`: because of which unit."""
    return partial(records.LdTest, seq=0, player=unit.player, unit=unit.id, cause=cause, versus=versus)


def tests_of(unit: Unit, cause: str | None, position: Position, versus: str | None = None) -> list[Test]:
    """The tests of Leadership of a unit in this turn for a cause; those that name no enemy count for each.
    `cause` None: those that do not say what they are for."""
    return [
        test
        for test in position.combat.tests
        if test.kind == "ld"
        and test.unit == unit.id
        and test.cause == cause
        and (versus is None or test.versus in (None, versus))
    ]


def charges_of_now(position: Position) -> list[Charge]:
    """The charges that were declared in this turn, failed ones as well."""
    now = (position.turn, position.active)
    return [charge for charge in position.combat.charges.values() if charge.moment == now]


def begins_fight(event: records.Event, position: Position) -> set[str]:
    """The units whose blows an event begins."""
    if not isinstance(event, records.FightStep):
        return set()
    found = {row.target for row in event.attackers or () if row.target is not None}
    return found | {unit.id for row in event.attackers or () if (unit := position.unit_of(row.model)) is not None}


def last_failed(unit: Unit, position: Position, *, perhaps: bool = False) -> Test | None:
    """The last test of a unit in this phase that makes it fall back, if it failed.

    perhaps   or if its result is not recorded
    """
    found = [
        test
        for test in position.combat.tests
        if test.unit == unit.id
        and test.phase == position.phase
        and (test.kind == "morale" or test.cause == "fear_charged")
    ]
    failed = (False, None) if perhaps else (False,)
    return found[-1] if found and found[-1].passed in failed else None


def can_flee(unit: Unit, position: Position) -> bool:
    """Whether a unit is one that takes tests of morale and may fall back from them: not a vehicle, not Fearless (what
    that does is a matter of the base game), not falling back already, with models that certainly live."""
    return (
        unit.vehicle is None
        and "fearless" not in unit.rules
        and not position.units[unit.id].falling_back
        and any(model.profile.Ld is not None and position.models[model.id].wounds for model in position.living(unit))
    )


def comes_up(units: set[str], fighting: set[str], over: bool, position: Position) -> bool:
    """Whether what is due before the first blow of a combat must have come: its first blow is struck, or the phase ends
    without one."""
    struck = any(units & {step.unit, step.target} for step in position.combat.steps.values())
    return not struck and (over or bool(units & fighting))
