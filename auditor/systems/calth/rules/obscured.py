"""Obscured shots (OBS)."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.core.findings import RAN
from auditor.core.rulings import Hearing
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.reckoning.named import NO_CRITICAL_EFFECT
from auditor.systems.calth.records import Attack, Coordinate
from auditor.systems.calth.rules.common import (
    Seen,
    rule,
)
from auditor.systems.calth.rules.defence import bonus_fault
from auditor.systems.calth.rules.sight import OBSCURED_READINGS
from auditor.systems.calth.state import Position


@rule(
    "CAL-OBS-01",
    "Obscured shot",
    section=11,
    events=("attack",),
    kinds=("illegal", "miscalculated"),
    readings=OBSCURED_READINGS,
    when={"attack": ("ranged",)},
)
def obscured_shot(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """Without clear sight a unit may still shoot if some straight line from its hex's centre to some point of the
    target's hex passes through no blocked hex and crosses no sealed door; occupied hexes do not matter to it.

    Log:  the point aimed at.
    Edge: clear sight cannot be traded for an obscured shot.
    """
    if not view.between:
        return None
    if view.unseen(hearing):
        if view.claimed_class != "obscured":
            return None
        return [
            obscured_shot.illegal(
                f"{_shot(event, view)} The log calls the line obscured; no straight line reaches any point of "
                f"{position.at(view.target_hex)}.",
                str(event.attacker),
                claimed={"los.class": "obscured"},
                recomputed={"los.class": "none"},
                evidence=lambda: view.sight_evidence(hearing),
            )
        ]
    if view.aim is None or view.claimed_class == "clear":
        return None if view.unasked_sight(hearing) == "clear" else RAN
    if view.sight(hearing) == "clear":
        return None
    if view.aim_is_legal(hearing):
        return RAN
    return [
        obscured_shot.miscalculated(
            f"{_shot(event, view)} The line to the point aimed at is stopped or leaves {position.at(view.target_hex)}; another "
            "line is free.",
            str(event.attacker),
            claimed={"los.aim": [x if isinstance(x, int) else str(x) for x in _aimed_at(event)]},
            recomputed={"los.aim": view.legal_aim(hearing)},
            evidence=lambda: view.sight_evidence(hearing),
        )
    ]


@rule(
    "CAL-OBS-02",
    "Obscured: two more defence dice",
    section=11,
    events=("attack",),
    kinds=("miscalculated",),
    readings=OBSCURED_READINGS,
    when={"attack": ("ranged",)},
)
def obscured_bonus(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """Every target model rolls 2 more defence dice in an obscured attack, and none for that in a clear one.

    Log:  the bonus claimed.
    Edge: where the class itself is recorded wrongly, the bonus is held against the class recorded: one mistake, one
          finding.
    """
    if not view.between:
        return None
    class_ = view.class_played(hearing)
    if class_ is None:
        return RAN
    by = f" by {event.attacker}" if event.attacker else ""
    why = f"was shot at{by} with an obscured line" if class_ == "obscured" else f"was shot at{by} with a clear line"
    return bonus_fault(obscured_bonus, event, view, "obscured", 2 if class_ == "obscured" else 0, why, hearing)


@rule(
    NO_CRITICAL_EFFECT,
    "Obscured: no critical effect",
    section=11,
    events=("attack",),
    kinds=("illegal",),
    readings=OBSCURED_READINGS,
    when={"attack": ("crit",)},
)
def obscured_no_effect(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """No critical effect can be triggered in an obscured attack; criticals still count as hits.

    Log:  the effect triggered, if any.
    """
    if not view.between or not view.crits:
        return None
    class_ = view.sight(hearing)
    if class_ == "none":
        class_ = view.claimed_class or "none"
    if class_ != "obscured":
        return RAN
    crit = view.crits[0]
    return [
        obscured_no_effect.illegal(
            f"{event.attacker} used a critical effect in an obscured attack.",
            str(event.attacker),
            claimed={"crit": crit.weapon},
            recomputed={"los": "obscured", "crit": "none"},
            evidence=lambda: view.sight_evidence(hearing),
        )
    ]


def _shot(event: Attack, view: AttackView) -> str:
    """Who shot at whom."""
    at = view.position.at
    return f"{event.attacker} at {at(view.shooter_hex)} shot at {event.target} at {at(view.target_hex)}."


def _aimed_at(event: Attack) -> Sequence[Coordinate]:
    """The point aimed at, as the log writes it."""
    return event.los.aim or () if event.los is not None else ()
