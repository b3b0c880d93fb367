"""The tables of weapons (RNG, MEL). The tables are data: data/weapons.json."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from auditor.core.findings import Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.records import (
    Attack,
)
from auditor.systems.calth.rules.common import (
    rule,
)
from auditor.systems.calth.state import Position
from auditor.systems.calth.words import count, names


def _told(
    under: Rule, event: Attack, view: AttackView, position: Position, hearing: Hearing
) -> Iterable[Remark] | None:
    """What is wrong in what the log says of the weapons of a unit."""
    return None if view.attacker is None else _wrong(under, event, view, view.attacker.id, position, hearing)


def _wrong(
    under: Rule, event: Attack, view: AttackView, attacker: str, position: Position, hearing: Hearing
) -> Iterator[Remark]:
    """The effect that the log names for a weapon, then the sum of table values that it claims."""
    for crit in view.crits:
        weapon = position.table.weapons.get(crit.weapon) if crit.weapon is not None else None
        if weapon is not None and crit.effect is not None and crit.effect != weapon.crit:
            yield under.miscalculated(
                f"{attacker} used {_effect(crit.effect, position)} for its {weapon.name.lower()}.",
                attacker,
                "effect",
                claimed={"crit.effect": crit.effect},
                recomputed={"crit.effect": weapon.crit.value},
            )
    claimed = event.dice.weapons if event.dice is not None else None
    if claimed is None:
        hearing.not_claimed()
    elif view.weapon_number(hearing) not in (None, claimed) and not view.wrong_weapons(hearing):
        due = view.weapon_dice(hearing)
        yield under.miscalculated(
            f"The weapons of {attacker} are counted as {count(claimed, 'die', 'dice')}; the table of weapons "
            f"gives {due.working()}.",
            attacker,
            claimed={"dice.weapons": claimed},
            recomputed={"dice.weapons": due.value},
            figures=(due,),
        )


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
def ranged_table(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Iterable[Remark] | None:
    """Each ranged weapon shoots with the dice of the table, within its limit, and has the effect that stands there.

    Log:  the dice for weapons, the effect used.
    """
    if view.mode != "ranged":
        return None
    return _told(ranged_table, event, view, position, hearing)


@rule(
    "CAL-MEL-01",
    "The table of melee weapons",
    section=13,
    events=("attack",),
    kinds=("miscalculated",),
    when={"attack": ("melee",)},
)
def melee_table(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Iterable[Remark] | None:
    """Each melee weapon adds the Assault of the table and has the effect that stands there.

    Log:  the dice for weapons, the effect used.
    Edge: a pair of lightning claws is one entry of 3, not 1 and 1.
    """
    if view.mode != "melee":
        return None
    return _told(melee_table, event, view, position, hearing)
