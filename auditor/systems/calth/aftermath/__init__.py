"""What is to be said of the effect of a fault beyond the facts that differ.

Two things that a comparison of positions cannot tell: what dice that were not rolled might have brought (`attacks`,
`rolls`), and why the corrected position is what it is where an illegal act counts as not made (`not_made`).
"""

from __future__ import annotations

from collections.abc import Mapping

from auditor.core.effects import NOTHING_ASIDE, Aside, Change
from auditor.core.findings import Fault
from auditor.core.rulings import Hearing
from auditor.systems.calth import records
from auditor.systems.calth.aftermath.attacks import about_its_roll, of_attack, only_rolled_again
from auditor.systems.calth.aftermath.gains import LAST_SCENARIO, LOST, gain
from auditor.systems.calth.aftermath.not_made import not_made
from auditor.systems.calth.aftermath.rightly import NO_EFFECT, rightly
from auditor.systems.calth.aftermath.rolls import of_initiative, of_last_stand
from auditor.systems.calth.reckoning.attack import TARGET_LOCATION
from auditor.systems.calth.reckoning.retreats import LAST_STAND_ROLL
from auditor.systems.calth.state import SIDES, Position
from auditor.systems.calth.words import PLAYERS


def aftermath(event: records.Event, position: Position, hearing: Hearing, fault: Fault) -> Aside:
    """What is to be said of the effect of a fault, on the position before its event."""
    in_part = isinstance(event, records.TpRefresh) and isinstance(fault.recomputed, Mapping)
    said = not_made(event, position, hearing) if fault.kind == "illegal" and not in_part else NOTHING_ASIDE
    if fault.rule == TARGET_LOCATION and fault.kind == "omitted":
        return said + Aside(unsure="Which card would have been drawn from a shuffled deck nobody can tell")
    if isinstance(event, records.Attack):
        found = of_attack(event, position, hearing, fault)
        in_part = only_rolled_again(event, fault) or about_its_roll(fault) or fault.rule in NO_EFFECT
        return found if in_part else said + found
    if isinstance(event, records.CampaignEnd):
        return said + Aside(results=_of_campaign(fault))
    if isinstance(event, records.Retreat) and fault.kind == "miscalculated":
        return said + Aside(results=_losses(fault))
    if isinstance(event, records.Initiative):
        return said + of_initiative(event, hearing, fault)
    if fault.rule == LAST_STAND_ROLL:
        return said + of_last_stand(event, position, hearing, fault)
    return said


def _losses(fault: Fault) -> tuple[Change, ...]:
    """The models lost in an Assault, where they were counted wrongly."""
    claimed, right = fault.claimed, fault.recomputed
    if not isinstance(claimed, Mapping) or not isinstance(right, Mapping):
        return ()
    sides = [key for key in claimed if key.startswith(LOST)]
    return tuple(Change(f"models lost by {key[len(LOST) :]}", claimed[key], right[key]) for key in sides)


def _of_campaign(fault: Fault) -> tuple[Change, ...]:
    """The victories of each side, and how the last scenario ended, where they are wrong."""
    claimed, right = fault.claimed, fault.recomputed
    if not isinstance(claimed, Mapping) or not isinstance(right, Mapping):
        return ()
    after, due = claimed.get(LAST_SCENARIO, {}), right.get(LAST_SCENARIO, {})
    found = [(f"victories of {key[6:]}", claimed[key], right[key]) for key in right if key.startswith("tally.")]
    found += [
        (f"scenario 6 for {PLAYERS[side]}", *(one[side].replace("_", " ") for one in (after, due)))
        for side in SIDES
        if after.get(side) and after[side] != due.get(side)
    ]
    return tuple(Change(*one) for one in found)


__all__ = ["aftermath", "gain", "rightly"]
