"""What is to be said of the effect of a fault beyond the facts that differ.

Two things that a comparison of positions cannot tell: what dice that were not rolled might have brought (`attacks`,
`rolls`), and why the corrected position is what it is where an illegal act counts as not made (`not_made`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor.core.effects import NOTHING_ASIDE, Aside, Change, results_of
from auditor.core.findings import Fault
from auditor.core.rulings import Hearing
from auditor.systems.calth import records
from auditor.systems.calth.aftermath.attacks import about_its_roll, of_attack, only_rolled_again
from auditor.systems.calth.aftermath.gains import gain
from auditor.systems.calth.aftermath.not_made import not_made
from auditor.systems.calth.aftermath.rightly import NO_EFFECT, rightly
from auditor.systems.calth.aftermath.rolls import of_initiative, of_last_stand
from auditor.systems.calth.reckoning.attack import TARGET_LOCATION
from auditor.systems.calth.reckoning.retreats import LAST_STAND_ROLL
from auditor.systems.calth.state import Position


def aftermath(event: Any, position: Position, hearing: Hearing, fault: Fault) -> Aside:
    """What is to be said of the effect of a fault, on the position before its event."""
    in_part = isinstance(event, records.TpRefresh) and isinstance(fault.recomputed, Mapping)
    said = not_made(event, position, hearing) if fault.kind == "illegal" and not in_part else NOTHING_ASIDE
    if fault.rule == TARGET_LOCATION and fault.kind == "omitted":
        return said + Aside(unsure="Which card would have been drawn from a shuffled deck nobody can tell")
    if isinstance(event, records.Attack):
        found = of_attack(event, position, hearing, fault)
        in_part = only_rolled_again(event, fault) or about_its_roll(fault) or fault.rule in NO_EFFECT
        return found if in_part else said + found
    if fault.kind == "omitted" and isinstance(event, records.CampaignEnd):
        return said + Aside(results=results_of(fault.claimed, fault.recomputed))
    if isinstance(event, records.CampaignEnd) and fault.kind == "miscalculated":
        tally = [(key, due) for key, due in fault.recomputed.items() if key.startswith("tally.")]
        return Aside(results=tuple(Change(f"victories of {key[6:]}", fault.claimed[key], due) for key, due in tally))
    if isinstance(event, records.Initiative):
        return said + of_initiative(event, position, hearing, fault)
    if fault.rule == LAST_STAND_ROLL:
        return said + of_last_stand(event, position, hearing, fault)
    return said


__all__ = ["aftermath", "gain", "rightly"]
