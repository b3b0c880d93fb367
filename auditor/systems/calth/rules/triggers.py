"""Triggering a critical effect, and whom it touches (CRT-01, CRT-02, CRT-14)."""

from __future__ import annotations

from auditor.core.findings import RAN, Remark
from auditor.core.rulings import Hearing
from auditor.systems.calth.effects import ON_FIRST_TARGET
from auditor.systems.calth.reckoning.attack import AttackView, Blamed
from auditor.systems.calth.records import (
    Attack,
    faces,
)
from auditor.systems.calth.rules.common import (
    Seen,
    rule,
)
from auditor.systems.calth.state import Position


@rule(
    "CAL-CRT-01",
    "Triggering a critical effect",
    section=13,
    events=("attack",),
    kinds=("illegal", "ambiguous"),
    readings=("R-RRL-FINAL",),
    when={"attack": ("crit", "critical shown")},
)
def trigger(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """With at least one critical in the attack roll its player may use the effect of one weapon of one model of the
    unit.

    Log:  the effect, or that none was used.
    Edge: more criticals give no more effects, and criticals on dice that an effect adds give none.
    """
    crits = view.crits
    roll = faces(event.roll)
    if not crits:
        return RAN if roll is not None and "C" in roll else None
    if len(crits) > 1:
        return [
            trigger.illegal(
                f"{event.attacker} triggered {len(crits)} critical effects in one attack; one is allowed.",
                str(event.attacker),
                claimed={"crit": [crit.weapon for crit in crits]},
            )
        ]
    if roll is None:
        return None
    first, final = roll, view.before_effect
    if final is None:
        return None  # what was rolled again is not stated
    shows = "C" in final
    if ("C" in first) != shows:
        shows = "C" in (final if hearing.ask("R-RRL-FINAL") == "final_faces" else first)
    if shows:
        return RAN
    return [
        trigger.illegal(
            f"{event.attacker} used a critical effect, and its roll {final} shows no critical.",
            str(event.attacker),
            claimed={"crit": crits[0].weapon},
            recomputed={"crit": "none"},
        )
    ]


@rule(
    "CAL-CRT-02",
    "An effect of the right weapon",
    section=13,
    events=("attack",),
    kinds=("illegal", "ambiguous"),
    readings=("R-CRT-UNUSED",),
    when={"attack": ("crit",)},
)
def right_weapon(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """A ranged attack triggers the effect of a ranged weapon, a melee attack that of a melee weapon, carried by a
    living model of the unit.

    Log:  the model and the weapon.
    Edge: a pistol's effect cannot be used in melee although it adds a die there.
    """
    crits = view.crits
    attacker = view.attacker
    if not crits or attacker is None:
        return None
    found: list[Remark] = []
    for crit in crits:
        weapon = position.table.weapons.get(crit.weapon) if crit.weapon is not None else None
        model = position.table.models.get(crit.model) if crit.model is not None else None
        if crit.weapon is None or crit.model is None:
            continue
        problem = None
        if weapon is None:
            problem = f'"{crit.weapon}" is no weapon of the tables'
        elif crit.model not in view.attacker_models:
            problem = f"{crit.model} is not among the models of {attacker.id}"
        elif model is not None and crit.weapon not in model.weapons:
            problem = f"{crit.model} carries no {weapon.name.lower()}"
        elif (crit.model, crit.weapon) in position.destroyed:
            problem = f"the {weapon.name.lower()} of {crit.model} is destroyed"
        elif view.mode is not None and weapon.ranged != (view.mode == "ranged"):
            sort = "ranged" if weapon.ranged else "melee"
            problem = f"the {weapon.name.lower()} is a {sort} weapon and this is a {view.mode} attack"
        elif weapon.ranged and not view.took_part((crit.model, crit.weapon), hearing):
            if hearing.ask("R-CRT-UNUSED") == "any_carried":
                continue
            problem = f"the {weapon.name.lower()} of {crit.model} took no part in the attack"
        if problem is not None:
            found.append(
                right_weapon.illegal(
                    f"{attacker.id} triggered an effect it could not: {problem}.",
                    attacker.id,
                    claimed={"crit": crit.weapon},
                )
            )
    return found[:1] or RAN


@rule(
    "CAL-CRT-14",
    "The first target model",
    section=13,
    events=("attack",),
    kinds=("miscalculated",),
    readings=("R-SWD-ROUND", "R-DST-OCC", "R-DST-OBST"),
    when={"attack": ON_FIRST_TARGET},
)
def first_target_only(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """Effects on Armour or Stamina touch only the first model (or location) picked in the attack; the next use full
    values.

    Log:  Armour and Stamina used in each pass.
    """
    if view.effect not in ON_FIRST_TARGET or not event.steps:
        return None
    found: list[Remark] = []
    for number, step in enumerate(event.steps[1:], 1):
        for name, claimed, due, blamed in (
            (
                "armour_used",
                step.armour_used,
                view.armour_due(number, hearing),
                view.armour_blamed(number, hearing),
            ),
            (
                "stamina_used",
                step.stamina_used,
                view.stamina_due(number),
                view.stamina_blamed(number),
            ),
        ):
            if blamed is not Blamed.FIRST_TARGET_ONLY or claimed is None or due is None or claimed == due.value:
                continue
            what = "Armour" if name == "armour_used" else "Stamina"
            found.append(
                first_target_only.miscalculated(
                    f"Pass {number + 1} of the attack of {event.attacker} uses {what} {claimed}; the effect touched the first target "
                    f"only, so it is {due.value}.",
                    str(number),
                    name,
                    claimed={f"steps.{number}.{name}": claimed},
                    recomputed={f"steps.{number}.{name}": due.value},
                    figures=(due,),
                )
            )
    return found or RAN
