"""Critical effects of melee weapons (CRT-09 to CRT-13)."""

from __future__ import annotations

from auditor.core.findings import RAN, Figure
from auditor.core.rulings import Hearing
from auditor.systems.calth.effects import Critical
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.records import (
    Attack,
)
from auditor.systems.calth.rules.common import (
    Seen,
    rule,
)
from auditor.systems.calth.rules.effects_ranged import armour_effect, dice_added
from auditor.systems.calth.state import Position
from auditor.systems.calth.words import noun


@rule(
    Critical.POWER_FIST,
    "Power fist",
    section=13,
    events=("attack",),
    kinds=("miscalculated",),
    when={"attack": (Critical.POWER_FIST,)},
)
def power_fist(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """Power fist, Contemptor power fist: the first target model rolls as if its Armour were 0.

    Log:  the Armour used in the first pass.
    """
    return armour_effect(power_fist, event, view, hearing) if view.effect is Critical.POWER_FIST else None


@rule(
    Critical.CHAINSWORD,
    "Chainsword",
    section=13,
    events=("attack",),
    kinds=("miscalculated", "ambiguous"),
    readings=("R-GLY-CHAIN",),
    when={"attack": (Critical.CHAINSWORD,)},
)
def chainsword(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """One die more for each trigger face in the whole attack roll; trigger faces among the added dice add nothing.

    Log:  the faces of the dice added.
    """
    if view.effect is not Critical.CHAINSWORD or view.before_effect is None:
        return None
    roll = view.before_effect
    due = roll.count("C")
    parts: tuple[tuple[str, int], ...] = ((noun(due, "critical"), due),)
    if "H" in roll and hearing.ask("R-GLY-CHAIN") == "any_hit":
        parts = (*parts, (noun(roll.count("H"), "hit"), roll.count("H")))
        due += roll.count("H")
    return dice_added(chainsword, event, view, due, Figure("dice added", due, parts))


@rule(
    Critical.LIGHTNING_CLAWS,
    "Lightning claws",
    section=13,
    events=("attack",),
    kinds=("illegal", "ambiguous"),
    when={"attack": (Critical.LIGHTNING_CLAWS,)},
)
def lightning_claws(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """Up to 2 dice of the attack roll, whatever they show, are rolled again, once; with a pair of claws up to 4.

    Log:  the dice and their new faces.
    Edge: the critical that triggered it may go too. Two single claws on different models do not add up.
    """
    if view.effect is not Critical.LIGHTNING_CLAWS:
        return None
    crit = view.crits[0]
    weapon = position.table.weapons.get(crit.weapon) if crit.weapon is not None else None
    most = weapon.rerolls if weapon is not None else 0
    made = sum(len(entry.indices or ()) for entry in crit.passes or ())
    if made <= most:
        return RAN
    return [
        lightning_claws.illegal(
            f"{made} dice were rolled again by the claws of {crit.model}; {most} are allowed.",
            str(crit.model),
            claimed={"dice": made},
            recomputed={"dice": most},
        )
    ]


@rule(
    Critical.CHAINFIST,
    "Chainfist",
    section=13,
    events=("attack",),
    kinds=("miscalculated",),
    when={"attack": (Critical.CHAINFIST,)},
)
def chainfist(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """The Stamina of the first target model is 1 when hits are allocated to it.

    Log:  the Stamina used in the first pass.
    Edge: exactly one hit is used up.
    """
    if view.effect is not Critical.CHAINFIST:
        return None
    if not event.steps or view.target is None:
        return RAN
    step, due = event.steps[0], view.stamina_due(0)
    if step.stamina_used is None or due is None or step.stamina_used == due.value:
        return RAN
    return [
        chainfist.miscalculated(
            f"With the chainfist of {event.attacker} its first target's Stamina counts as {due.value}, not {step.stamina_used}.",
            str(event.attacker),
            claimed={"steps.0.stamina_used": step.stamina_used},
            recomputed={"steps.0.stamina_used": due.value},
            figures=(due,),
        )
    ]


@rule(
    Critical.POWER_SWORD,
    "Power sword",
    section=13,
    events=("attack",),
    kinds=("miscalculated",),
    readings=("R-SWD-ROUND",),
    when={"attack": (Critical.POWER_SWORD,)},
)
def power_sword(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """The Armour of the first target model is halved for its defence roll.

    Log:  the Armour used in the first pass.
    """
    return armour_effect(power_sword, event, view, hearing) if view.effect is Critical.POWER_SWORD else None
