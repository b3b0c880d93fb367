"""EMP and Haywire grenades, and bombs on vehicles."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import RAN, Figure, Note, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit, Weapon
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.blows import READINGS as BLOWS
from auditor.systems.clx.reckoning.throws import emp, powered, strikers_hit_by
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.blows import blows_seen
from auditor.systems.clx.rules.common import Seen, fault, listed, rule, unchecked, whose
from auditor.systems.clx.tables import tables
from auditor.systems.words import count

NEEDED = {name: int(tables()["grenades"][name]["needed"]) for name in ("emp", "haywire")}


@rule("CLX-GREN-05", "EMP and Haywire", events=["grenade"], kinds=["miscalculated"])
def emp_works_on_four_and_haywire_on_two(
    event: records.Grenade, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """An EMP grenade has its effect on 4 or more, a Haywire grenade on 2 or more.

    Log:  the number that is claimed. What the effect does to a vehicle is a base rule (BASE-HAYWIRE).
    """
    weapon = position.setup.weapons.get(event.grenade or "")
    kind = "emp" if emp(weapon) else "haywire" if weapon is not None and "haywire" in weapon.rules else None
    if kind is None:
        return None
    if event.claimed_needed is None:
        hearing.not_claimed()
        return RAN
    needed = NEEDED[kind]
    if event.claimed_needed == needed:
        return RAN
    name = {"emp": "EMP", "haywire": "Haywire"}[kind]
    text = f"The {name} grenade of {event.model} works on {needed} or more, not on {event.claimed_needed}."
    return [
        fault(
            emp_works_on_four_and_haywire_on_two.id,
            "miscalculated",
            text,
            str(event.model),
            claimed={"needed": event.claimed_needed},
            recomputed={"needed": needed},
        )
    ]


@rule(
    "CLX-GREN-08",
    "EMP grenades",
    events=["grenade", "fight_step"],
    kinds=["illegal", "miscalculated"],
    readings=BLOWS,
)
def an_emp_grenade_strikes_powered_armour(
    event: records.Grenade | records.FightStep, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """An EMP grenade strikes models in power armour, in other powered armour and in armour of 2+. For each that it hits a die
    is rolled: on 4 or more it is wounded and its unit pinned, and every one that was hit fights at Initiative 1.

    Log:  the models that were hit, the die of each, the effects that are claimed, and the Initiative in the fight. Armour is
          in the pack of units.
    Edge: other models are not affected. Whether there is a wound, and whether the unit is pinned without a test, are
          readings. What it does to a vehicle is a base rule (BASE-HAYWIRE).
    """
    rule_id = an_emp_grenade_strikes_powered_armour.id
    if isinstance(event, records.FightStep):
        return blows_seen(rule_id, event, position, hearing) if strikers_hit_by(emp, event, position) else None
    weapon = position.setup.weapons.get(event.grenade or "")
    target = position.setup.units.get(event.target or "")
    if not emp(weapon) or target is None:
        return None
    if event.claimed_effects is None:
        hearing.not_claimed()
        return RAN
    if target.vehicle is not None:
        return [unchecked(rule_id, "what an EMP grenade does to a vehicle is not stated (BASE-HAYWIRE)")]
    own = {model.id: model for model in target.models}
    bare = [
        name
        for name in dict.fromkeys(
            [*(event.claimed_effects.wounded or ()), *(event.claimed_effects.initiative_one or ())]
        )
        if name in own and powered(own[name]) is False
    ]
    if bare:
        text = f"The log has an EMP grenade{f' of {event.unit}' if event.unit else ''} affect {listed(bare)}, whose armour is not powered."
        return [fault(rule_id, "illegal", text, *bare, claimed=bare)]
    return _effects(event, event.claimed_effects, own, target, hearing)


def _effects(
    event: records.Grenade, effects: records.Effects, own: dict[str, Model], target: Unit, hearing: Hearing
) -> Seen:
    rule_id = an_emp_grenade_strikes_powered_armour.id
    if event.hit_models is None or event.effect_dice is None:
        return [unchecked(rule_id, "the models that were hit, or their dice, are not recorded")]
    hit = [own[name] for name in event.hit_models if name in own]
    if any(powered(model) is None for model in hit):
        return [unchecked(rule_id, f"whether the armour of {target.name} counts for EMP grenades")]
    dice = {row.model: row.die for row in event.effect_dice}
    if any(dice.get(model.id) is None for model in hit):
        return [unchecked(rule_id, "the dice of the models that were hit are not recorded")]
    struck = {model.id for model in hit if powered(model)}
    worked = {name for name in struck if (dice[name] or 0) >= NEEDED["emp"]}
    wrong: dict[str, tuple[Any, Any]] = {}
    if effects.wounded is not None and set(effects.wounded) not in ({*worked}, set()):
        wrong["wounded"] = (sorted(effects.wounded), sorted(worked))
    elif effects.wounded is not None and worked:
        wounded = worked if hearing.ask("OR-EMP") == "WOUND" else set()
        if set(effects.wounded) != wounded:
            wrong["wounded"] = (sorted(effects.wounded), sorted(wounded))
    if effects.pinned and not worked:
        wrong["pinned"] = (True, False)
    elif effects.pinned is not None and worked:
        outright = hearing.ask("OR-EMP-PIN") == "OUTRIGHT"
        if effects.pinned != outright:
            wrong["pinned"] = (effects.pinned, outright)
    if effects.initiative_one is not None and not worked <= set(effects.initiative_one) <= struck:
        wrong["initiative_one"] = (sorted(effects.initiative_one), sorted(struck))
    elif effects.initiative_one is not None and set(effects.initiative_one) != struck:
        if hearing.ask("OR-EMP") == "WOUND":
            wrong["initiative_one"] = (sorted(effects.initiative_one), sorted(struck))
    if not wrong:
        return RAN
    text = f"Of {target.name} the EMP grenade{f' of {event.unit}' if event.unit else ''} hit {listed(sorted(struck)) or 'nobody'} in powered armour"
    if struck:
        text += f"; {NEEDED['emp']} or more is on the dice of {listed(sorted(worked)) or 'nobody'}"
    text += "."
    for name, said in (("wounded", "wounded"), ("initiative_one", "strike at Initiative 1")):
        if name in wrong:
            text += f" The log has {listed(wrong[name][0]) or 'nobody'} {said}."
    return [
        fault(
            rule_id,
            "miscalculated",
            text,
            target.id,
            claimed={name: one for name, (one, _) in wrong.items()},
            recomputed={name: one for name, (_, one) in wrong.items()},
        )
    ]


def effect_dice_due(event: records.Grenade, position: Position) -> int | None:
    """How many dice an EMP grenade asks for: one for each model hit (CLX-LOG-03)."""
    if not emp(position.setup.weapons.get(event.grenade or "")) or event.hit_models is None:
        return None
    return len(event.hit_models)


# -- bombs --------------------------------------------------------------------------------------------------------


def _bomb(rule_id: str, event: records.VehicleHit, position: Position, hearing: Hearing) -> Seen:
    """A hit with a bomb: two dice and its Strength."""
    weapon = position.setup.weapons.get(event.weapon or "")
    kind = "melta" if rule_id == "CLX-GREN-09" else "fusion"
    if weapon is None or weapon.type != "bomb" or kind not in weapon.rules:
        return None
    if event.dice is None or not isinstance(weapon.strength, int):
        return [unchecked(rule_id, f"the dice of the hit, or the Strength of {weapon.name}, are not known")]
    if len(event.dice) != 2:
        text = f"{weapon.name} of {whose(event, position)} rolls 2 dice to penetrate, not {len(event.dice)}."
        claimed, recomputed = {"dice": len(event.dice)}, {"dice": 2}
    elif event.claimed_total is None:
        hearing.not_claimed()
        return RAN
    else:
        total = sum(event.dice) + weapon.strength
        if event.claimed_total == total:
            return RAN
        text = f"{weapon.name} of {whose(event, position)} penetrates with {sum(event.dice)} and its Strength of {weapon.strength}: {total}."
        claimed, recomputed = {"total": event.claimed_total}, {"total": total}
    return [
        fault(
            rule_id,
            "miscalculated",
            text,
            str(event.vehicle),
            claimed=claimed,
            recomputed=recomputed,
            figures=[Figure("Strength", weapon.strength)],
        )
    ]


@rule("CLX-GREN-09", "Melta bombs", events=["vehicle_hit"], kinds=["miscalculated"])
def a_melta_bomb_penetrates_with_two_dice(
    event: records.VehicleHit, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A Melta bomb penetrates with 2D6 and its Strength.

    Log:  the dice, and the total that is claimed. What the total does is CLX-VEH-07 to -09.
    """
    return _bomb(a_melta_bomb_penetrates_with_two_dice.id, event, position, hearing)


@rule("CLX-GREN-10", "Fusion bombs", events=["vehicle_hit"], kinds=["miscalculated"])
def a_fusion_bomb_penetrates_with_two_dice(
    event: records.VehicleHit, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A Fusion bomb penetrates with 2D6 and its Strength, and its hits have AP 1.

    Log:  the dice, and the total that is claimed. What AP 1 does is CLX-VEH-09.
    """
    return _bomb(a_fusion_bomb_penetrates_with_two_dice.id, event, position, hearing)


@rule("CLX-GREN-11", "Bombs on vehicles", events=["fight_step", "hit_rolls", "vehicle_hit"], kinds=["miscalculated"])
def bombs_hit_vehicles_by_themselves(
    event: records.FightStep | records.HitRolls | records.VehicleHit,
    resolved: Ways | None,
    position: Position,
    hearing: Hearing,
) -> Seen:
    """A grenade or bomb that is used in close combat against a vehicle without a Weapon Skill hits by itself. It takes the
    place of all attacks of its bearer.

    Log:  the step of the fight with its weapon, dice to hit if there are any, the hits on the vehicle.
    Edge: against a vehicle with a Weapon Skill it must hit as any blow does (a base rule).
    Edge: more than one attack with it is noted only: that it is one is common practice.
    """
    rule_id = bombs_hit_vehicles_by_themselves.id
    if isinstance(event, records.FightStep):
        return _attacks(event, position)
    step = position.combat.steps.get(event.attack)
    weapon = None if step is None else position.setup.weapons.get(step.weapon or "")
    vehicle = None if step is None else position.setup.units.get(step.target or "")
    if step is None or weapon is None or weapon.type not in ("bomb", "grenade"):
        return None
    if vehicle is None or vehicle.vehicle is None:
        return None
    skilled = vehicle.vehicle.has_ws
    if isinstance(event, records.HitRolls):
        if skilled or event.claimed_hits is None or event.rolls is None or event.claimed_hits >= len(event.rolls):
            return RAN
        text = f"{weapon.name} of {step.unit} hits {vehicle.name}, which has no Weapon Skill, by itself: {count(len(event.rolls), 'hit')}."
        return [
            fault(
                rule_id,
                "miscalculated",
                text,
                str(step.unit),
                claimed={"hits": event.claimed_hits},
                recomputed={"hits": len(event.rolls)},
            )
        ]
    if not skilled or event.to_hit_die is not None or step.counts.hits:
        return RAN
    text = (
        f"{weapon.name} of {step.unit} hits {vehicle.name}, which has a Weapon Skill, without a die to hit (base rule)."
    )
    return [
        fault(
            rule_id,
            "miscalculated",
            text,
            str(step.unit),
            claimed={"automatic": True},
            recomputed={"automatic": False},
        )
    ]


def _attacks(event: records.FightStep, position: Position) -> Seen:
    seen: list[Remark] = []
    for row in event.attackers or ():
        weapon: Weapon | None = position.setup.weapons.get(row.weapon or "")
        if weapon is None or weapon.type not in ("bomb", "grenade") or (row.claimed_attacks or 0) <= 1:
            continue
        text = f"{row.model} makes {row.claimed_attacks} attacks with {weapon.name}; one is common practice."
        seen.append(Note("reading", text, bombs_hit_vehicles_by_themselves.id))
    return seen


RULES: tuple[Rule, ...] = (
    emp_works_on_four_and_haywire_on_two,
    an_emp_grenade_strikes_powered_armour,
    a_melta_bomb_penetrates_with_two_dice,
    a_fusion_bomb_penetrates_with_two_dice,
    bombs_hit_vehicles_by_themselves,
)
