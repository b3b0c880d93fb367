"""Whether a pinning test pinned a unit: as it is claimed, else as its dice say. Source: catalogue CLX-SUPP-03, CLX-GREN-02."""

from __future__ import annotations

from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Count, Position
from auditor.systems.clx.reckoning.attacks import ANY_NUMBER, NONE, leadership, on, plus, wounds_of
from auditor.systems.clx.reckoning.throws import thrown, wounds_by


def pins(event: records.PinningTest, position: Position) -> bool | None:
    """Whether a unit is pinned by a test, as far as that is the same for all wounds that may count; None: not known."""
    if event.claimed_pinned is not None:
        return event.claimed_pinned
    unit, dice = position.setup.units.get(event.unit or ""), event.dice
    if unit is None or dice is None or len(dice) != 2 or not all(1 <= die <= 6 for die in dice):
        return None
    best = leadership(unit, position)
    if best is None:
        return None
    low, high = _wounds(event, unit, position) if event.claimed_modifier is None else (-event.claimed_modifier,) * 2
    if sum(dice) <= best - high:
        return False
    return None if sum(dice) <= best - low or "fearless" in unit.rules else True


def _wounds(event: records.PinningTest, unit: Unit, position: Position) -> Count:
    """The fewest and the most wounds that may count for a test."""
    if any(name in position.combat.wrecks for name in event.causes or ()):
        return 0, ANY_NUMBER
    found = NONE
    for attack in on(unit, position).values():
        found = plus(found, wounds_of(attack))
    for throw in position.combat.throws:
        if throw.target == unit.id:
            found = plus(found, wounds_by(throw))
    named = thrown(event.causes, position)
    certain = named is not None and all(throw.target == unit.id for throw in named)
    # Of several wounds by a grenade each may call for a test of its own (OR-FRAG-TEST): then one counts.
    low = min(sum(wounds_by(throw)[0] for throw in named or ()), 1) if certain else 0
    return low, found[1]
