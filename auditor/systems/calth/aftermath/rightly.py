"""Acts of which only a part was not allowed, as they should have been done: the rules leave no choice of that."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import structs

from auditor.core.findings import Fault
from auditor.core.rulings import Hearing
from auditor.systems.calth import records
from auditor.systems.calth.adopt import adopt
from auditor.systems.calth.aftermath.attacks import about_its_roll, only_rolled_again, without_rerolls
from auditor.systems.calth.effects import ADDING
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.reckoning.claims import unclaimed
from auditor.systems.calth.reckoning.named import NO_CRITICAL_EFFECT
from auditor.systems.calth.reckoning.refresh import REFRESH, make_up_for
from auditor.systems.calth.reckoning.resolve import resolve
from auditor.systems.calth.records import Attack, TpRefresh
from auditor.systems.calth.state import Position

NO_EFFECT = (NO_CRITICAL_EFFECT,)
"""Rules by which no effect may be used in an attack that is allowed."""


def rightly(event: records.Event, position: Position, hearing: Hearing, fault: Fault) -> bool:
    """Adopt an attack without the weapons, re-rolls or effects that were not allowed in it, where that can be done, TPs
    given twice as they are given once, and those that were given to nobody as they are due."""
    if fault.rule == REFRESH and fault.kind == "omitted":
        make_up_for(position, fault.subject)
        right = unclaimed(event)
        adopt(right, resolve(right, position, hearing), position, hearing)
        return True
    if isinstance(event, TpRefresh) and fault.kind == "illegal" and isinstance(fault.recomputed, Mapping):
        due = fault.recomputed
        once = [
            structs.replace(one, tp_after=due.get(f"units.{one.unit}.tp_after", one.tp_after))
            for one in event.units or ()
        ]
        given = structs.replace(event, units=once)
        adopt(given, resolve(given, position, hearing), position, hearing)
        return True
    if not isinstance(event, Attack) or fault.kind != "illegal":
        return False
    if only_rolled_again(event, fault):
        right = without_rerolls(event, fault)
    elif fault.rule in NO_EFFECT:
        view = resolve(event, position, hearing)
        if not isinstance(view, AttackView) or view.effect in ADDING:
            return False
        right = structs.replace(event, crit="declined")
    elif about_its_roll(fault):
        right = event
    else:
        return False
    right = unclaimed(right)
    adopt(right, resolve(right, position, hearing), position, hearing)
    return True
