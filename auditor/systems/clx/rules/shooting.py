"""Who shoots at what, with which weapons, and what a shot needs to hit."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import RAN, Figure, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import AttackState, Position
from auditor.systems.clx.reckoning.dice import reaches
from auditor.systems.clx.reckoning.frame import by_day
from auditor.systems.clx.reckoning.needs import CAP, may_snap, shot_number, skill_of
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, listed, rule, unchecked
from auditor.systems.clx.tables import to_hit


def _attack(event: Any, position: Position) -> tuple[AttackState, Unit] | None:
    """The shooting attack that an event is of, and the unit that makes it; None where the record has none."""
    attack = position.attacks.get(event.attack)
    unit = None if attack is None else position.setup.units.get(attack.unit or "")
    return None if attack is None or unit is None else (attack, unit)


@rule("CLX-SHOOT-01", "One target", events=["shoot"], kinds=["illegal"])
def a_unit_shoots_at_one_target(
    event: records.Shoot, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """All models of a unit shoot at the same unit in a phase.

    Log:  unit and target of each attack.
    Edge: vehicles and monstrous creatures may have rules of their own. Only an attack whose dice were rolled counts: one
          that failed for range is CLX-SHOOT-05.
    """
    unit = position.setup.units.get(event.unit or "")
    if unit is None or event.target not in position.units:
        return None  # Of a name that nobody has it is not known who was meant.
    if unit.vehicle is not None or unit.type in ("monstrous", "fmc"):
        return None
    others = [
        str(attack.target)
        for name, attack in position.attacks.items()
        if attack.unit == unit.id and attack.begun and name != event.attack and attack.target in position.units
    ]
    other = next((one for one in others if one != event.target), None)
    if other is None:
        return RAN
    text = f"{unit.name} shoots at {event.target} after it has shot at {other} in this phase."
    return [fault("CLX-SHOOT-01", "illegal", text, unit.id, claimed=event.target, recomputed=other)]


@rule("CLX-SHOOT-02", "Weapon by weapon", events=["weapon_fire"], kinds=["illegal"])
def a_weapon_is_fired_once_in_an_attack(
    event: records.WeaponFire, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """All models that fire a weapon fire it together: it has one group of shots in an attack.

    Log:  the weapon of each group.
    """
    found = _attack(event, position)
    if found is None or event.weapon is None:
        return None
    attack, unit = found
    if event.weapon not in attack.weapons:
        return RAN
    text = f"{unit.name} fires {position.setup.named(event.weapon)} a second time in its attack on {attack.target}."
    return [fault("CLX-SHOOT-02", "illegal", text, unit.id, claimed=event.weapon)]


@rule("CLX-SHOOT-03", "One weapon for each model", events=["weapon_fire"], kinds=["illegal"])
def a_model_fires_as_many_weapons_as_it_may(
    event: records.WeaponFire, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A model fires one weapon in a phase, or as many as its entry says; vehicles and monstrous creatures are free.

    Log:  the firers of each weapon. The number of weapons is in the pack of units.
    """
    found = _attack(event, position)
    if found is None or event.weapon is None or not event.firers:
        return None
    attack, unit = found
    if attack.failed or unit.vehicle is not None or unit.type in ("monstrous", "fmc"):
        return None
    seen: list[Remark] = []
    for model in dict.fromkeys(firer.model for firer in event.firers if firer.shots != 0 and firer.model is not None):
        weapons = position.fired.get(model, frozenset()) | {event.weapon}
        if len(weapons) > unit.weapons_per_model and event.weapon not in position.fired.get(model, frozenset()):
            named = listed(sorted(map(position.setup.named, weapons)))
            text = f"{model} fires {named}; it may fire {unit.weapons_per_model} of its weapons."
            seen.append(
                fault(
                    "CLX-SHOOT-03",
                    "illegal",
                    text,
                    str(model),
                    claimed=len(weapons),
                    recomputed=unit.weapons_per_model,
                )
            )
    return seen


# -- to hit -------------------------------------------------------------------------------------------------------


def _plain(event: records.HitRolls, position: Position) -> tuple[Unit, AttackState] | None:
    """An attack whose hits are by Ballistic Skill alone: no Snap Shots, no Preferred Enemy, not in combat."""
    found = _attack(event, position)
    if found is None:
        return None
    attack, unit = found
    preferred = unit.prefers(position.setup.units.get(attack.target or ""))
    return None if preferred or may_snap(event, unit, attack, position) else (unit, attack)


def _said_to_be_ordinary(event: records.HitRolls, position: Position) -> tuple[Unit, AttackState] | None:
    """The same of shots that might be Snap Shots, where the number that is claimed for them says that they are none."""
    found = _attack(event, position)
    snap = position.setup.base["BASE-SNAP"]
    if found is None or snap is None or event.claimed_needed in (None, snap):
        return None
    attack, unit = found
    preferred = unit.prefers(position.setup.units.get(attack.target or ""))
    needed = shot_number(event, unit, attack, position)[0]
    return None if preferred or event.claimed_needed != needed else (unit, attack)


@rule("CLX-SHOOT-09", "To hit", events=["hit_rolls"], kinds=["illegal", "miscalculated"])
def a_shot_hits_by_ballistic_skill(
    event: records.HitRolls, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A shot hits on 7 less the Ballistic Skill, 2 at best. Of a skill above 5 a miss may be rolled again once, and hits
    on 12 less the skill, 2 at best.

    Log:  who fired the weapon, the dice with their rerolls, and the numbers that are claimed.
    Edge: the hits that follow from the claimed numbers are CLX-LOG-04. Not to reroll is allowed.
    Edge: the number of a Snap Shot is unchecked: the record may not say that it was one. So is any other at night.
    Edge: Snap Shots, Preferred Enemy, and rerolls of twin-linked weapons are rules of their own.
    """
    found = _plain(event, position)
    if found is None:
        return _perhaps_snap(event, position) or _rerolls_at_preferred(event, position)
    unit, attack = found
    skill, why = skill_of(event, unit, attack, position)
    if skill is None:
        return [unchecked("CLX-SHOOT-09", why)]
    if skill == 0:
        return [unchecked("CLX-SHOOT-09", "what a Ballistic Skill of 0 does is a matter of the base game")]
    needed, again = to_hit(skill)
    assert needed is not None
    weapon = position.setup.weapons[str(event.weapon)]
    twin = "twin_linked" in weapon.rules
    hearing.not_claimed(int(event.claimed_needed is None))
    seen: list[Remark] = []
    wrong: dict[str, tuple[Any, Any]] = {}
    if event.claimed_needed is not None and event.claimed_needed != needed:
        wrong["needed"] = (event.claimed_needed, needed)
    if event.claimed_reroll_needed is not None and not twin and event.claimed_reroll_needed != again:
        wrong["reroll"] = (event.claimed_reroll_needed, again)
    snap = position.setup.base["BASE-SNAP"]
    if "needed" in wrong and snap in (None, event.claimed_needed):
        return [unchecked("CLX-SHOOT-09", "whether these were Snap Shots")]
    if wrong and not by_day(position):
        return [unchecked("CLX-SHOOT-09", "what darkness does to shooting is not stated (BASE-NIGHT)")]
    if wrong:
        then = f", and on {again} when rolled again" if again is not None else ""
        text = f"{unit.name}, with a Ballistic Skill of {skill}, hits on {needed} or more with {weapon.name}{then}."
        seen.append(
            fault(
                "CLX-SHOOT-09",
                "miscalculated",
                text,
                unit.id,
                claimed={name: one for name, (one, _) in wrong.items()},
                recomputed={name: one for name, (_, one) in wrong.items()},
                figures=[Figure("needed", needed), Figure("Ballistic Skill", skill)],
            )
        )
    if not twin:
        seen += _rerolls(event, unit, needed, again)
    return seen


def _perhaps_snap(event: records.HitRolls, position: Position) -> Seen:
    """A number that is not that of ordinary shots, nor that of Snap Shots, where the record does not say which these were:
    of vehicles and flyers, and of units that are pinned or went to ground. Heavy weapons are CLX-WPN-02."""
    found = _attack(event, position)
    if found is None or event.claimed_needed in (None, position.setup.base["BASE-SNAP"]):
        return None
    attack, unit = found
    weapon = position.setup.weapons.get(event.weapon or "")
    if weapon is None or weapon.type == "heavy" or event.weapon in attack.snap:
        return None
    needed, snap = shot_number(event, unit, attack, position)
    if not snap or needed is None or event.claimed_needed == needed:
        return None
    return [unchecked("CLX-SHOOT-09", "whether these were Snap Shots")]


def _rerolls_at_preferred(event: records.HitRolls, position: Position) -> Seen:
    """Dice that were rolled again at a Preferred Enemy, where shots are not `_plain` and yet no Snap Shots: what these need
    is CLX-USR-09, which gives no reroll."""
    found, weapon = _attack(event, position), position.setup.weapons.get(event.weapon or "")
    if found is None or weapon is None or "twin_linked" in weapon.rules:
        return None
    attack, unit = found
    needed, snap = shot_number(event, unit, attack, position)
    skill, _ = skill_of(event, unit, attack, position)
    if snap or needed is None or not skill:
        return None
    return _rerolls(event, unit, min(needed, CAP), to_hit(skill)[1]) or None


def _had_hit(die: int, needed: int | None, event: records.HitRolls) -> bool:
    """Whether a die hit by the number due and by the one claimed: a wrong number is one fault."""
    return reaches(die, needed) and (event.claimed_needed is None or reaches(die, event.claimed_needed))


def _rerolls(event: records.HitRolls, unit: Unit, needed: int | None, again: int | None) -> list[Remark]:
    """Dice that were rolled again although nothing allows it."""
    for number, roll in enumerate(event.rolls or (), 1):
        if not roll.again or roll.die is None:
            continue
        if again is None:
            why = "with a Ballistic Skill of 5 or less no miss is rolled again"
        elif _had_hit(roll.die, needed, event):
            why = "it had hit"
        elif len(roll.again) > 1:
            why = "a die is rolled again once"
        else:
            continue
        text = f"Die {number} of {unit.name}, a {roll.die}, was rolled again: {why}."
        return [fault("CLX-SHOOT-09", "illegal", text, unit.id, claimed=roll.reroll)]
    return []


@rule(
    "CLX-SHOOT-10",
    "Twin-linked",
    events=["hit_rolls"],
    kinds=["illegal", "miscalculated"],
    readings=["OR-REROLL-ONCE"],
)
def a_twin_linked_shot_may_be_rolled_again(
    event: records.HitRolls, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A twin-linked shot that missed may be rolled again once, and needs the same number.

    Log:  the dice with their rerolls, and the number claimed for these.
    Edge: with a Ballistic Skill above 5 there are two rights to a reroll: whether both may be used is a reading.
    """
    rule_id = a_twin_linked_shot_may_be_rolled_again.id
    found = _plain(event, position) or _said_to_be_ordinary(event, position)
    weapon = position.setup.weapons.get(event.weapon or "")
    if found is None or weapon is None or "twin_linked" not in weapon.rules:
        return None
    unit, attack = found
    skill, why = skill_of(event, unit, attack, position)
    if not skill:
        return [unchecked(rule_id, why or "what a Ballistic Skill of 0 does is a matter of the base game")]
    needed, again = to_hit(skill)
    claimed = event.claimed_reroll_needed
    if claimed is not None and claimed not in (needed, again):
        text = f"A twin-linked shot of {unit.name} that is rolled again hits on {needed} or more."
        return [
            fault(
                rule_id,
                "miscalculated",
                text,
                unit.id,
                claimed={"reroll": claimed},
                recomputed={"reroll": needed},
            )
        ]
    for number, roll in enumerate(event.rolls or (), 1):
        rerolls = roll.again
        if not rerolls or roll.die is None:
            continue
        if _had_hit(roll.die, needed, event):
            why = "it had hit"
        elif len(rerolls) > 1 and (again is None or len(rerolls) > 2):
            why = "a die is rolled again once"
        elif len(rerolls) == 2 and reaches(rerolls[0], needed):
            why = "it had hit when it was rolled again"
        elif len(rerolls) == 2 and hearing.ask("OR-REROLL-ONCE") == "ONE":
            why = "a die is rolled again once, by the better of two rights"
        else:
            continue
        text = f"Die {number} of {unit.name}, a {roll.die}, was rolled again: {why}."
        return [fault(rule_id, "illegal", text, unit.id, claimed=rerolls)]
    return RAN


RULES: tuple[Rule, ...] = (
    a_unit_shoots_at_one_target,
    a_weapon_is_fired_once_in_an_attack,
    a_model_fires_as_many_weapons_as_it_may,
    a_shot_hits_by_ballistic_skill,
    a_twin_linked_shot_may_be_rolled_again,
)
