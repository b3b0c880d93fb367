"""Wargear (WAR)."""

from __future__ import annotations

from auditor.core.findings import RAN, Remark
from auditor.core.rulings import Hearing
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.reckoning.dice import VEXILLA
from auditor.systems.calth.reckoning.overrides import by_vexilla
from auditor.systems.calth.reckoning.views import InitiativeView
from auditor.systems.calth.records import Attack, Initiative
from auditor.systems.calth.rules.common import (
    Seen,
    rule,
)
from auditor.systems.calth.state import Position
from auditor.systems.calth.words import count


@rule(
    "CAL-WAR-01",
    "Grenade harness",
    section=14,
    events=("attack",),
    kinds=("miscalculated",),
    readings=("R-HAR-STACK", "R-ASL-HARNESS"),
)
def grenade_harness(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """When a unit with a grenade harness makes an Assault, its attack roll has one die more for each model in the
    target unit.

    Log:  the dice for the harness.
    Edge: it is no choice; the dice are part of the attack.
    """
    if view.attacker is None or event.dice is None or (view.mode != "melee" and not event.dice.harness):
        return None
    bearers = view.bearers("grenade_harness")
    claimed = event.dice.harness
    if claimed is None:
        hearing.not_claimed()
        return RAN if bearers else None
    due = view.harness_dice(hearing)
    if due is None:
        return None
    if claimed == due.value:
        return RAN if bearers else None
    return [
        grenade_harness.miscalculated(
            f"The grenade harness of {view.attacker.id} gives {count(int(due.value), 'die', 'dice')} here, not {claimed}.",
            view.attacker.id,
            claimed={"dice.harness": claimed},
            recomputed={"dice.harness": due.value},
            figures=(due,),
        )
    ]


@rule(
    VEXILLA,
    "Legion Vexilla",
    section=14,
    events=("attack", "initiative"),
    kinds=("illegal",),
    when={"attack": ("rolled again",)},
)
def legion_vexilla(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """A unit with a living bearer may roll any dice again, once each, in melee attack rolls and in last stands.

    Log:  the bearer, the dice, their new faces.
    Edge: fewer dice, or none, is legal. It has no place in shooting, in defence rolls or in rolls for the initiative.
    """
    found: list[Remark] = []
    for number, step in enumerate(event.steps or ()):
        if by_vexilla(position, step):
            target = view.target
            found.append(
                legion_vexilla.illegal(
                    f"{event.target or 'The unit attacked'} rolled dice of defence roll {number + 1} again; nothing allows that.",
                    str(number),
                    player=target.side if target is not None else "",
                )
            )
    entries = by_vexilla(position, event)
    if not entries or view.attacker is None:
        return found or None
    attacker = view.attacker
    for entry in entries:
        if view.mode == "ranged":
            found.append(
                legion_vexilla.illegal(
                    f"{attacker.id} rolled dice of a shot again with a Legion Vexilla; it serves in melee and last "
                    "stands.",
                    attacker.id,
                )
            )
            break
        if entry.source is not None and entry.source != "vexilla" and entry is not event.vexilla:
            found.append(
                legion_vexilla.illegal(
                    f'{attacker.id} rolled dice again by "{entry.source[:60]}", which nothing in the rules grants.',
                    attacker.id,
                )
            )
            break
        if view.bearers("legion_vexilla"):
            continue  # a bearer is there; who is named is a label
        if entry.model is None:
            found.append(legion_vexilla.illegal(f"{attacker.id} has no bearer of a Legion Vexilla.", attacker.id))
            continue
        model = position.table.models.get(entry.model)
        if model is None or "legion_vexilla" not in model.wargear or entry.model not in view.attacker_models:
            why = "is not in the unit" if entry.model not in view.attacker_models else "bears no Legion Vexilla"
            found.append(
                legion_vexilla.illegal(
                    f"{attacker.id} rolled dice again with a Legion Vexilla, and {entry.model} {why}.",
                    attacker.id,
                )
            )
            break
    return found or RAN


@legion_vexilla.at("initiative")
def _none_for_the_initiative(event: Initiative, view: InitiativeView, position: Position, hearing: Hearing) -> Seen:
    for attempt in event.attempts or ():
        if by_vexilla(position, attempt):
            return [
                legion_vexilla.illegal(
                    "The log has dice of a roll for the initiative rolled again with a Legion Vexilla; it serves in melee and "
                    "last stands.",
                    player=None,
                )
            ]
    return None
