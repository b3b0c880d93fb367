"""The attack roll: its dice, its order, the pool (ATK-01 to ATK-03, ATK-10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from auditor.core.findings import RAN, Fault, Figure, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.calth.packs import Weapon
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.reckoning.dice import ORDER_OF_ROLL, early, hits, late
from auditor.systems.calth.reckoning.lacking import lack_of_place
from auditor.systems.calth.records import (
    Attack,
    faces,
)
from auditor.systems.calth.rules.common import (
    Seen,
    dice_of,
    rule,
)
from auditor.systems.calth.state import Position, Unit
from auditor.systems.calth.words import count, names, noun

PARTS = ("models", "weapons", "pistols", "harness")


def _dice_faults(under: Rule, event: Attack, view: AttackView, hearing: Hearing, own_parts: tuple[str, ...]) -> Seen:
    """The claimed number of attack dice against the number due."""
    attacker = view.attacker
    if attacker is None or event.dice is None:
        if attacker is not None:
            hearing.not_claimed()
            return RAN
        return None
    number = view.dice_number(hearing)
    if number is None:
        return None
    dice, parts = event.dice, view.dice_parts(hearing)
    if dice.total is None:
        hearing.not_claimed()
    wrong = {
        f"dice.{part}": (getattr(dice, part), parts[part])
        for part in own_parts
        if getattr(dice, part) is not None and getattr(dice, part) != parts[part]
    }
    if dice.total is not None and not view.allows_dice(dice.total, hearing):
        others = [part for part in PARTS if part not in own_parts]
        blamed = sum(getattr(dice, part) - parts[part] for part in others if getattr(dice, part) is not None)
        # What a wrong harness or weapons part adds is told under its own rule, once.
        if dice.total - number != blamed or blamed == 0:
            wrong["dice.total"] = (dice.total, view.shots_due(hearing) if view.mode == "ranged" else number)
    if not wrong:
        return RAN
    due = view.dice_due(hearing)
    assert due is not None
    part, (claimed, ruled) = next(iter(wrong.items()))
    if dice.total is not None and dice.total != due.value:
        said = f"{attacker.id} attacked with {count(dice.total, 'die', 'dice')}; it has {due.working()}."
    else:
        said = f"{attacker.id} counted {claimed} dice for {part[5:]}, not {ruled}; in all it has {due.working()}."
    return [
        under.miscalculated(
            said,
            attacker.id,
            claimed={key: said for key, (said, _) in wrong.items()},
            recomputed={key: ruled for key, (_, ruled) in wrong.items()},
            figures=(due,),
            lacks=lack_of_place(attacker.id, event, view.position),
        )
    ]


@rule(
    "CAL-ATK-01",
    "Dice of a melee attack",
    section=12,
    events=("attack",),
    kinds=("miscalculated", "ambiguous"),
    readings=("R-PIS-TWO", "R-HAR-STACK", "R-ASL-HARNESS"),
    when={"attack": ("melee",)},
)
def melee_dice(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """The Assault of every model of the attacking unit, the Assault bonus of each melee weapon carried, 1 for each
    model with a bolt or plasma pistol, and the dice of a grenade harness.

    Log:  the dice with their parts.
    Edge: a pistol's die has no range. A counter-attack is made with the models that are left.
    """
    if view.mode != "melee":
        return None
    if event.weapons and view.attacker is not None:
        fault = _melee_weapons(event, view, view.attacker, position, hearing)
        if fault is not None:
            return [fault]
    return _dice_faults(melee_dice, event, view, hearing, ("models", "pistols"))


def _melee_weapons(
    event: Attack, view: AttackView, attacker: Unit, position: Position, hearing: Hearing
) -> Fault | None:
    """Weapons that the list counts and no living model of the unit carries."""
    strange = [
        (model, weapon)
        for model, weapon in event.weapons or ()
        # What a removed model of the unit's side counts for is CAL-ATK-08.
        if not view.carries(model, weapon)
        and not _has_fallen(model, attacker.side, position)
        and (model, weapon) not in position.destroyed
    ]
    if not strange:
        return None
    carried = view.all_carried
    due = view.dice_due(hearing)
    counted = names(f"{_name(position.table.weapons, weapon)} of {model}" for model, weapon in strange)
    return melee_dice.miscalculated(
        f"{attacker.id} attacked with {counted}, which it does not carry.",
        attacker.id,
        claimed={"weapons": [list(entry) for entry in event.weapons or ()]},
        recomputed={"weapons": [list(entry) for entry in event.weapons or () if entry in carried]},
        figures=(due,) if due is not None else (),
        lacks=lack_of_place(attacker.id, event, position),
    )


@rule(
    "CAL-ATK-02",
    "Dice of a ranged attack",
    section=12,
    events=("attack",),
    kinds=("miscalculated", "ambiguous"),
    readings=("R-ATK-MULTI", "R-DST-OCC", "R-DST-OBST"),
    when={"attack": ("ranged",)},
)
def ranged_dice(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """The Shoot values of all usable ranged weapons that the models of the unit carry.

    Log:  the weapons counted, the dice.
    Edge: destroyed weapons, and short ones out of range, give nothing; Assault plays no part.
    """
    if view.mode != "ranged" or view.attacker is None:
        return None
    found: list[Remark] = []
    if event.weapons is not None:
        fault = _weapons_counted(event, view, position, hearing)
        if fault is not None:
            found.append(fault)
    if not found:
        return _dice_faults(ranged_dice, event, view, hearing, ("models", "pistols"))
    return found


def _weapons_counted(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Fault | None:
    """Weapons that the list counts and the unit does not have, and such that it has and the list leaves out."""
    attacker = view.attacker
    assert attacker is not None
    known = position.table.weapons
    if view.one_weapon_each and event.weapons == view.carried_ranged:
        return None
    counted = [(model, weapon) for model, weapon in event.weapons or ()]
    if view.one_weapon_each and len(set(counted)) == len(counted):
        carried, short = view.carried_ranged, view.restricted()
        if all(e in carried for e in counted) and all(e in counted for e in carried if e not in short):
            return None  # whatever reaches, this is no wrong list; what is too short is CAL-SHT-02's business
    usable = view.usable(hearing)
    strange = [
        entry
        for entry in dict.fromkeys(counted)
        if entry not in view.carried_ranged or (counted.count(entry) > view.carried_ranged.count(entry))
    ]
    reaching_3 = set(view.restricted())
    strange = [e for e in strange if e not in position.destroyed and not _has_fallen(e[0], attacker.side, position)]
    missing_ = [e for e in usable if counted.count(e) < usable.count(e) and e not in reaching_3]
    second = [e for e in dict.fromkeys(counted) if e not in usable and e in view.in_reach(hearing)]
    if view.follow_up:
        strange = [e for e in strange if e in view.carried_ranged or e not in view.all_carried]
    if not strange and not missing_ and not second:
        return None  # a destroyed one is named by CAL-CRT-06, one of a model that is gone by CAL-ATK-08
    told = []
    if second:
        told.append(
            f"counted is {names(f'{_name(known, w)} of {m}' for m, w in second)} beside another of the same model"
        )
    if strange:
        told.append(f"counted are {names(f'{_name(known, w)} of {m}' for m, w in strange)}, not there to shoot")
    if missing_:
        told.append(f"left out {names(f'{_name(known, w)} of {m}' for m, w in dict.fromkeys(missing_))}")
    return ranged_dice.miscalculated(
        f"{attacker.id} shot with the wrong weapons: {'; '.join(told)}.",
        attacker.id,
        **dice_of_weapons(event, view, usable, hearing),
        lacks=lack_of_place(attacker.id, event, position),
    )


def _has_fallen(model: str | None, side: str, position: Position) -> bool:
    known = position.table.models.get(model) if model in position.removed else None
    return known is not None and known.side == side


def dice_of_weapons(
    event: Attack, view: AttackView, due: Sequence[tuple[str, str]], hearing: Hearing
) -> dict[str, Any]:
    """What a fault says of weapons wrongly counted: the dice claimed and due; where no other number of dice was claimed
    the weapons counted and due. The working of the dice is beside it.
    """
    working = view.dice_due(hearing)
    figures = (working,) if working is not None else ()
    total, number = event.dice.total if event.dice is not None else None, view.shots_due(hearing)
    if total is not None and total != number:
        return {"claimed": {"dice.total": total}, "recomputed": {"dice.total": number}, "figures": figures}
    return {
        "claimed": {"weapons": [list(entry) for entry in event.weapons or ()]},
        "recomputed": {"weapons": [list(entry) for entry in due]},
        "figures": figures,
    }


def _name(known: Mapping[str, Weapon], weapon: str) -> str:
    return f"the {known[weapon].name.lower()}" if weapon in known else f'"{weapon}"'


@rule(
    "CAL-ATK-03",
    "The damage pool",
    section=12,
    events=("attack",),
    kinds=("miscalculated",),
    finds={"attack": ("passes in doubt",)},
)
def damage_pool(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """The pool is the number of hits and criticals in the attack roll as it finally lies.

    Log:  the faces, what was rolled again or added, the pool.
    """
    final = view.final
    if final is None:
        return None
    if event.pool is None:
        hearing.not_claimed()
        return RAN
    due = hits(final)
    if event.pool == due:
        return RAN
    first = view.first_with_added
    if first != final and event.pool == hits(first):
        return RAN  # the old faces were counted: CAL-DIE-02
    criticals, plain_hits = final.count("C"), final.count("H")
    figure = Figure("pool", due, ((noun(criticals, "critical"), criticals), (noun(plain_hits, "hit"), plain_hits)))
    return [
        damage_pool.miscalculated(
            f"The faces {final} of {event.attacker} make a pool of {figure.working()}; the log has {event.pool}.",
            str(event.attacker),
            claimed={"pool": event.pool},
            recomputed={"pool": due},
            figures=(dice_of("the attack roll", final), figure),
        )
    ]


@rule(
    ORDER_OF_ROLL,
    "The order of an attack roll",
    section=12,
    events=("attack",),
    kinds=("illegal", "ambiguous"),
    readings=("R-VEX-TIMING",),
    finds={"attack": ("rolled again",)},
)
def order_of_roll(event: Attack, view: AttackView, position: Position, hearing: Hearing) -> Seen:
    """First the dice with those of the harness; then the Legion Vexilla; then, if a critical shows, one effect or none,
    which is carried out; then the pool.

    Log:  when each re-roll was made.
    """
    after = late(event)
    before = early(event)
    roll = faces(event.roll)
    beyond = (
        [entry for entry in before if roll is not None and any(i >= len(roll) for i in entry.indices or ())]
        if before and view.added
        else []
    )
    if not after and not beyond:
        return RAN
    if view.mode != "melee":
        return RAN  # the vexilla has no place in shooting at all: CAL-WAR-02
    if hearing.ask("R-VEX-TIMING") == "any_time":
        return RAN
    return [
        order_of_roll.illegal(
            f"{event.attacker} rolled dice again with the Legion Vexilla after an effect had been carried out; it comes before.",
            str(event.attacker),
        )
    ]
