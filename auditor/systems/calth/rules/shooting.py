"""Shooting: at whom, and with which weapons (SHT)."""

from __future__ import annotations

from auditor.core.findings import RAN, Remark
from auditor.core.rulings import Hearing
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.records import (
    Attack,
)
from auditor.systems.calth.rules.attack_roll import dice_of_weapons
from auditor.systems.calth.rules.common import (
    Seen,
    rule,
)
from auditor.systems.calth.rules.sight import OBSCURED_READINGS
from auditor.systems.calth.state import Position
from auditor.systems.calth.words import count


@rule(
    "CAL-SHT-01",
    "Shoot",
    section=11,
    events=("attack",),
    kinds=("illegal", "ambiguous"),
    readings=OBSCURED_READINGS,
    when={"attack": ("ranged",)},
)
def shoot(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """The activated unit makes a ranged attack on one enemy unit that it sees, in clear sight or obscured.

    Log:  the target and the weapons.
    Edge: there is no longest range. A Shoot needs a weapon that gives at least one die.
    """
    if view.mode != "ranged":
        return None
    attacker, target = view.attacker, view.target
    if attacker is None:
        return None
    if target is None:
        return None  # one that has lost all its models is CAL-ATK-08's business
    found: list[Remark] = []
    if target.side == attacker.side and view.role != "flamer_follow_up":
        return [shoot.illegal(f"{attacker.id} shot at {target.id} of its own side.", attacker.id)]
    if not view.between:
        return None
    if view.unseen(hearing):
        found.append(
            shoot.illegal(
                f"{attacker.id} at {position.at(attacker.hex)} shot at {target.id} at {position.at(target.hex)} "
                f"without any line of sight: {view.what_stops(hearing)}, and no other line reaches the target.",
                attacker.id,
                claimed={"los.class": view.claimed_class},
                recomputed={"los.class": "none"},
                evidence=lambda: view.sight_evidence(hearing),
            )
        )
    if not view.has_dice(hearing):
        found.append(
            shoot.illegal(
                f"{attacker.id} shot without a weapon that gives a die at "
                f"{count(view.unasked_distance(hearing) or 0, 'hex', 'hexes')}.",
                attacker.id,
                "dice",
                claimed={"dice.total": event.dice.total if event.dice is not None else None},
                recomputed={"dice.total": 0},
            )
        )
    return found or RAN


@rule(
    "CAL-SHT-02",
    "Weapons that reach 3 hexes",
    section=11,
    events=("attack",),
    kinds=("illegal", "miscalculated"),
    readings=("R-DST-OCC", "R-DST-OBST", "R-ATK-MULTI"),
    when={"attack": ("ranged",)},
)
def restricted_weapons(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """Bolt pistols, plasma pistols, flamers and heavy flamers shoot only at targets within 3 hexes.

    Log:  the weapons counted.
    Edge: 3 is within 3. The other weapons of the unit shoot on.
    """
    if not view.between or view.attacker is None:
        return None
    short = view.restricted()
    if not short:
        return None
    if event.weapons is None:
        return None
    distance = view.unasked_distance(hearing)
    counted = {(model, weapon) for model, weapon in event.weapons}
    within = view.within(3, hearing)
    if not within:
        far = [entry for entry in short if entry in counted]
        if not far:
            return RAN
        said = "there is no way to the target" if distance is None else f"the target is {distance} hexes away"
        reach = "reaches" if len(far) == 1 else "reach"
        return [
            restricted_weapons.illegal(
                f"{_weapons(position, far)} counted, which {reach} 3 hexes; {said}.",
                view.attacker.id,
                **dice_of_weapons(event, view, view.usable(hearing), hearing),
                evidence=lambda: {"path": view.way(hearing)},
            )
        ]
    left_out = [entry for entry in short if entry not in counted and entry in view.usable(hearing)]
    if left_out:
        return [
            restricted_weapons.miscalculated(
                f"{_weapons(position, left_out)} left out; the target is {distance} away, within 3.",
                view.attacker.id,
                **dice_of_weapons(event, view, (*event.weapons, *left_out), hearing),
                evidence=lambda: {"path": view.way(hearing)},
            )
        ]
    return RAN


def _weapons(position: Position, entries: list[tuple[str, str]]) -> str:
    told = [f"the {position.table.weapons[w].name.lower()} of {m}" for m, w in entries]
    listed = ", ".join(told[:-1]) + (" and " if len(told) > 1 else "") + told[-1]
    return f"{listed[0].upper()}{listed[1:]} {'was' if len(told) == 1 else 'were'}"
