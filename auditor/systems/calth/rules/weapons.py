"""The tables of weapons (RNG, MEL). The tables are data: data/weapons.json."""

from __future__ import annotations

from auditor.core.findings import RAN, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.records import (
    Attack,
)
from auditor.systems.calth.rules.common import (
    NO_FACTS,
    Seen,
    rule,
)
from auditor.systems.calth.state import Position
from auditor.systems.calth.words import count, names


def _table_fault(under: Rule, event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """The sum of table values that the log claims for its weapons, and the effect that it names for one."""
    if view.attacker is None:
        return None
    found: list[Remark] = []
    claimed = event.dice.weapons if event.dice is not None else None
    if claimed is None:
        hearing.not_claimed()
    else:
        if claimed != view.weapon_number(hearing) and not view.wrong_weapons(hearing):
            due = view.weapon_dice(hearing)
            found.append(
                under.miscalculated(
                    f"The weapons of {view.attacker.id} are counted as {count(claimed, 'die', 'dice')}; the table of weapons "
                    f"gives {due.working()}.",
                    view.attacker.id,
                    claimed={"dice.weapons": claimed},
                    recomputed={"dice.weapons": due.value},
                    figures=(due,),
                )
            )
    for crit in view.crits:
        weapon = position.table.weapons.get(crit.weapon) if crit.weapon is not None else None
        if weapon is not None and crit.effect is not None and crit.effect != weapon.crit:
            found.append(
                under.miscalculated(
                    f"{view.attacker.id} used {_effect(crit.effect, position)} for its {weapon.name.lower()}.",
                    view.attacker.id,
                    "effect",
                    claimed={"crit.effect": crit.effect},
                    recomputed={"crit.effect": weapon.crit.value},
                    rests_on=NO_FACTS,
                )
            )
    return found or RAN


def _effect(effect: str, position: Position) -> str:
    """A critical effect by the weapons that have it."""
    of = [one.name.lower() for one in position.table.weapons.values() if one.crit == effect]
    return f"the critical effect of the {names(of)}" if of else f"an effect of no weapon ({effect[:20]})"


@rule(
    "CAL-RNG-01",
    "The table of ranged weapons",
    section=13,
    events=("attack",),
    kinds=("miscalculated",),
    readings=("R-ATK-MULTI",),
    when={"attack": ("ranged",)},
)
def ranged_table(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """Each ranged weapon shoots with the dice of the table, within its limit, and has the effect that stands there.

    Log:  the dice for weapons, the effect used.
    """
    if view.mode != "ranged":
        return None
    return _table_fault(ranged_table, event, view, position, hearing)


@rule(
    "CAL-MEL-01",
    "The table of melee weapons",
    section=13,
    events=("attack",),
    kinds=("miscalculated",),
    when={"attack": ("melee",)},
)
def melee_table(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """Each melee weapon adds the Assault of the table and has the effect that stands there.

    Log:  the dice for weapons, the effect used.
    Edge: a pair of lightning claws is one entry of 3, not 1 and 1.
    """
    if view.mode != "melee":
        return None
    return _table_fault(melee_table, event, view, position, hearing)
