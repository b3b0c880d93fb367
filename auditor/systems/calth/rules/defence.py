"""Defence dice that a shot gives its target (DEF)."""

from __future__ import annotations

from auditor.core.findings import RAN, Figure, Remark
from auditor.core.ruleset import Rule
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
from auditor.systems.calth.rules.effects_ranged import melt
from auditor.systems.calth.rules.sight import OBSCURED_READINGS
from auditor.systems.calth.state import Position
from auditor.systems.calth.words import count


def _bonus(event: Attack, name: str) -> int | None:
    bonuses = event.los.bonuses if event.los is not None else None
    return getattr(bonuses, name) if bonuses is not None else None


def _defender(view: AttackView) -> str | None:
    """The side that rolls the defence dice."""
    return view.target.side if view.target is not None else ""


def _of_whom(event: Attack, view: AttackView) -> str:
    """The target of an attack and where it is: 'wb-7 at 2,-1'."""
    return f"{event.target or 'The target'} at {view.position.at(view.target_hex)}"


def bonus_fault(under: Rule, event: Attack, view: AttackView, name: str, due: int, why: str, hearing: Hearing) -> Seen:
    """The bonus that the log grants for one thing against the one due."""
    claimed = _bonus(event, name)
    if claimed is None:
        hearing.not_claimed()
        return RAN
    if claimed == due:
        return RAN
    return [
        under.miscalculated(
            f"{_of_whom(event, view)} {why}: it rolls {count(due, 'more defence die', 'more defence dice')}. "
            f"The log gives {claimed}.",
            str(event.target),
            player=_defender(view),
            claimed={f"los.bonuses.{name}": claimed},
            recomputed={f"los.bonuses.{name}": due},
            figures=(Figure(f"bonus for {name}", due),),
            evidence=lambda: view.sight_evidence(hearing),
        )
    ]


@rule(
    "CAL-DEF-02",
    "Rubble: one more defence die",
    section=11,
    events=("attack",),
    kinds=("miscalculated",),
    when={"attack": ("ranged",)},
)
def rubble_bonus(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """A unit in rubble rolls 1 more defence die for each target model against shooting, and none in melee.

    Log:  the bonus claimed.
    Edge: the shooter's rubble does nothing.
    """
    if not view.between:
        return None
    in_rubble = view.target_hex in position.table.rubble
    why = "stands in rubble" if in_rubble else "does not stand in rubble"
    return bonus_fault(rubble_bonus, event, view, "rubble", 1 if in_rubble else 0, why, hearing)


@rule(
    "CAL-DEF-03",
    "Barricade: two more defence dice",
    section=11,
    events=("attack",),
    kinds=("miscalculated",),
    readings=("R-BAR-TIP", "R-BAR-OWNER", "R-OBS-BARR", *OBSCURED_READINGS),
    when={"attack": ("ranged",)},
)
def barricade_bonus(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """If the line of sight crosses a barricade inside the target's hex, each target model rolls 2 more defence dice.

    Log:  the bonus claimed.
    Edge: a line enters a hex once, so never 4; barricades in other hexes do nothing.
    """
    if not view.between:
        return None
    claimed = _bonus(event, "barricade")
    if claimed is None:
        hearing.not_claimed()
        return RAN
    dice = view.barricade_dice(hearing)
    if dice is None or claimed in dice:
        return RAN
    due = dice[0]
    why = "is shot at across a barricade" if due else "is not shot at across a barricade"
    return bonus_fault(barricade_bonus, event, view, "barricade", due, why, hearing)


@rule(
    "CAL-DEF-04",
    "How the bonuses add up",
    section=11,
    events=("attack",),
    kinds=("miscalculated",),
    readings=("R-DEF-STACK", "R-ARM0-BONUS"),
    finds={"attack": ("passes in doubt",)},
)
def bonuses_add_up(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """The bonuses for obscured, rubble and barricade add up, and count in every defence roll of the attack; in melee
    there are none.

    Log:  the bonus dice of each defence roll.
    """
    if view.target is None or not event.steps:
        return None
    found: list[Remark] = []
    for number, step in enumerate(event.steps):
        if step.bonus_dice is None:
            hearing.not_claimed()
            continue
        due = view.bonus_due(number, hearing)
        if due is None or step.bonus_dice == due.value:
            continue
        under = _bonus_rule(view, number, step.bonus_dice, int(due.value), hearing)
        found.append(
            under.miscalculated(
                f"{event.target} has {count(int(due.value), 'bonus die', 'bonus dice')} in defence roll {number + 1}. "
                f"The log gives {step.bonus_dice}.",
                str(event.target),
                str(number),
                player="" if under is melt else view.target.side,
                claimed={f"steps.{number}.bonus_dice": step.bonus_dice},
                recomputed={f"steps.{number}.bonus_dice": due.value},
                figures=(due,),
            )
        )
    return found or RAN


def _bonus_rule(view: AttackView, number: int, claimed: int, due: int, hearing: Hearing) -> Rule:
    """The rule under which wrong bonus dice of one defence roll are told."""
    if view.mode == "melee":
        return rubble_bonus if view.target_hex in view.position.table.rubble and claimed == 1 else bonuses_add_up
    if number == 0 and view.effect is Critical.MELT and 0 in (claimed, due):
        armour = view.armour_due(0, hearing)
        if armour is not None and armour.value == 0 and armour.parts:
            return melt
    return bonuses_add_up
