"""What printed texts forbid: "This unit cannot charge", "All enemy walker units may not charge" (HCG-STAT-01, catalogue 7.2)."""

from __future__ import annotations

from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.selectors import matches
from auditor.systems.hcg.reckoning.values import in_force

UNSURE = "unsure"


def forbidden(position: Position, act: str, instance: str, by: str | None = None) -> str | None:
    """The text in force that keeps a card from an act; None where none does, `UNSURE` where that cannot be told.

    act  charge, shoot, assault, block; be attacked, be targeted, be blocked, which `by` would do
    """
    unsure = None
    for bearer, _, controller, ability in in_force(position):
        if ability.status != "full":
            continue
        for effect in ability.effects:
            if effect.op != "forbid" or effect.what != act or effect.target is None:
                continue
            if effect.target.q not in ("self", "all") or (bearer is not None and not position.lives_in_play(bearer)):
                continue
            means = matches(effect.target, instance, position, controller, bearer)
            whose: bool | None = True
            if effect.by is not None:
                whose = matches(effect.by, by, position, controller, bearer) if by is not None else False
            if means and whose:
                return ability.text
            if means is not False and whose is not False:
                unsure = UNSURE
    return unsure
