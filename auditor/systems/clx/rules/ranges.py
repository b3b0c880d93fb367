"""Range and sight of those who shoot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from auditor.core.findings import RAN, Evidence, Figure, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import Length, shown
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit, Weapon
from auditor.systems.clx.position.state import AttackState, Position
from auditor.systems.clx.reckoning.attacks import attack_of, weapon_of
from auditor.systems.clx.reckoning.shots import (
    ELEV,
    ELEV_REF,
    HEIGHTS,
    OUT,
    Reach,
    bonus,
    reach,
    spatial,
    surely,
)
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, inches, rule, unchecked, within_tolerance
from auditor.systems.clx.show.marks import shot
from auditor.systems.clx.tolerance import Judged, judge_met
from auditor.systems.clx.written import exact_or_none

DICE = ["hit_rolls", "cover_rolls", "wound_rolls"]


def _aimed(weapon: Weapon) -> bool:
    """Whether a weapon is shot straight at what is in range and sight: guessed shots are CLX-SHOOT-06g, and grenades,
    bombs and blades are not shot at all."""
    return not weapon.guess and weapon.type not in ("grenade", "bomb", "melee")


def _reached(
    names: list[str | None], weapon: Weapon, units: tuple[Unit, Unit], position: Position, hearing: Hearing
) -> Iterator[tuple[Model, Reach | None]]:
    """Each model of the first unit that fires, with how it stands to the second; None where that is not known."""
    unit, target = units
    for name in dict.fromkeys(names):
        model = position.setup.models.get(name or "")
        if model is not None and model.unit == unit.id and position.on_table(model.id):
            yield model, reach(model, weapon, target, position, hearing)


def _figures(found: Reach, weapon: Weapon) -> list[Figure]:
    limit = found.pair.gap - found.judged.over
    added = limit - (weapon.range or 0)
    parts = (("range", shown(weapon.range or 0)), ("height", shown(added))) if added.sign() else ()
    return [Figure("distance", shown(found.pair.gap)), Figure("range", shown(limit), parts)]


def _shown(found: Reach, position: Position, *, ok: bool = False) -> Evidence:
    """The gap between the two models that decide, and how far the one reaches; where sight decides, the line."""
    return {"marks": shot(found.pair, found.limit, position, seen=found.state != "unseen", ok=ok)}


def _out(
    rule_id: str, model: Model, found: Reach, weapon: Weapon, units: tuple[Unit, Unit], position: Position, seq: int
) -> Remark:
    """A model that shot at what it does not reach."""
    pair = found.pair
    far = found.state == "far"
    why = (
        f"{pair.target.id} is {inches(pair.gap)} away and {inches(pair.gap - found.judged.over)} are in range: too far"
        f" by {inches(found.judged.over)}"
        if far
        else "none of the models in range can be seen"
    )
    return fault(
        rule_id,
        "illegal",
        f"{model.id} shoots at {units[1].name} with {weapon.name}: {why}.",
        model.id,
        recomputed={"distance": shown(pair.gap), "range": shown(pair.gap - found.judged.over)},
        figures=_figures(found, weapon),
        judged=found.judged if far else None,
        evidence=lambda: _shown(found, position),
        seq=seq,
    )


@rule(
    "CLX-SHOOT-04",
    "Range and sight of each model",
    events=["weapon_fire", *DICE],
    kinds=["illegal"],
    readings=[ELEV, ELEV_REF],
)
def a_model_shoots_at_what_it_sees_in_range(
    event: Any, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A model shoots only if a visible model of the target is within the range of its weapon, with what height adds.

    Log:  the places and heights of the models, the weapon, the firers with their shots.
    Edge: at exactly the range is in range. That one model is out does not stop the others.
    Edge: where nobody is in range the attack is lost (CLX-SHOOT-05); where it is in range of nobody who can be seen, the
          first dice show that it was made all the same.
    Edge: guessed shots are CLX-SHOOT-06g.
    """
    found = attack_of(event, position)
    if found is None or found[0].failed:
        return None
    attack, unit, target = found
    dice = not isinstance(event, records.WeaponFire)
    name = weapon_of(event.weapon, attack)
    weapon = position.setup.weapons.get(name or "")
    group = attack.groups.get(name)
    if weapon is None or not _aimed(weapon) or (dice and (group is None or name in attack.begun)):
        return None
    if isinstance(event, records.WeaponFire):
        names = [firer.model for firer in event.firers or () if firer.shots != 0]
        seq = event.seq
    else:
        assert group is not None
        names, seq = [model for model, _ in group.shots], group.seq
    reached = list(_reached(names, weapon, (unit, target), position, hearing))
    if not reached:
        return None
    if any(one is None for _, one in reached):
        return None if dice else [unchecked(a_model_shoots_at_what_it_sees_in_range.id, _unknown(weapon))]
    stands = [(model, one) for model, one in reached if one is not None]
    # Nobody that certainly reaches: a record may have left out that the attack failed. The first dice tell.
    lost = not any(surely(one, position) for _, one in stands)
    if dice != lost or (lost and all(one.state == "far" for _, one in stands)):
        return RAN if lost else None
    rule_id = a_model_shoots_at_what_it_sees_in_range.id
    seen: list[Remark] = []
    for model, one in stands:
        if one.state in OUT:
            seen.append(_out(rule_id, model, one, weapon, (unit, target), position, seq))
        elif one.state == "tolerance":
            seen.append(_near(rule_id, model, one, target))
        elif one.state == "unknown":
            why = f"whether {model.id} sees {one.pair.target.id} hangs on a height that is not known"
            seen.append(unchecked(rule_id, why))
    return seen


def _unknown(weapon: Weapon) -> str:
    if weapon.range is None:
        return f"the range of {weapon.name} is not known"
    return "distances between different heights are measured on the plan only (OR-3D)"


def _near(rule_id: str, model: Model, found: Reach, target: Unit) -> Remark:
    if found.judged.verdict == "tolerance":
        return within_tolerance(rule_id, found.judged, f"{model.id} shoots at {target.name} beyond its range:")
    barely = Judged(found.judged.over * 0, "tolerance", found.judged.allowed)
    return within_tolerance(rule_id, barely, f"{model.id} sees {found.pair.target.id} only past a corner:")


@rule(
    "CLX-SHOOT-05",
    "Out of range: the attack is lost",
    events=["shoot", "weapon_fire", *DICE],
    kinds=["illegal", "miscalculated"],
    readings=[ELEV, ELEV_REF],
)
def an_attack_out_of_range_is_lost(event: Any, resolved: Ways | None, position: Position, hearing: Hearing) -> Seen:
    """If the target turns out to be beyond the range of the weapon, the attack is lost, and so is the unit's shooting for
    the rest of the turn. Whether it is, the places say.

    Log:  the places, that the attack failed, what else the unit shoots at in the turn, and the dice.
    Edge: to declare such an attack is no fault. With some models in range it goes on with these.
    Edge: an attack with weapons of several ranges is lost for those that do not reach.
    """
    if isinstance(event, records.Shoot):
        return _again(event, position)
    found = attack_of(event, position)
    if found is None:
        return None
    attack, unit, target = found
    name = weapon_of(event.weapon, attack)
    weapon = position.setup.weapons.get(name or "")
    if weapon is None or not _aimed(weapon):
        return None
    if isinstance(event, records.WeaponFire):
        return _claimed_out(event, weapon, found, position, hearing)
    group = attack.groups.get(name)
    if group is None or name in attack.begun:
        return None
    reached = list(_reached([model for model, _ in group.shots], weapon, (unit, target), position, hearing))
    stands = [one for _, one in reached if one is not None]
    if not reached or len(stands) < len(reached) or any(one.state != "far" for one in stands):
        return RAN
    nearest = min(stands, key=lambda one: float(one.judged.over))
    text = (
        f"{unit.name} rolls dice for {weapon.name}, but its attack is lost: {nearest.pair.target.id} is"
        f" {inches(nearest.pair.gap)} away, too far by {inches(nearest.judged.over)} for all who fire."
    )
    return [
        fault(
            an_attack_out_of_range_is_lost.id,
            "illegal",
            text,
            unit.id,
            player=unit.player,
            claimed={"in_range": attack.claim},
            recomputed={"in_range": False},
            figures=_figures(nearest, weapon),
            judged=nearest.judged,
            evidence=lambda: _shown(nearest, position),
            seq=group.seq,
        )
    ]


def _again(event: records.Shoot, position: Position) -> Seen:
    unit = position.setup.units.get(event.unit or "")
    if unit is None:
        return None
    if not position.units[unit.id].shooting_spent:
        return RAN
    text = f"{unit.name} shoots again after its shooting of this turn was lost because the target was out of range."
    rule_id = an_attack_out_of_range_is_lost.id
    return [fault(rule_id, "illegal", text, unit.id, claimed=event.target)]


def _claimed_out(
    event: records.WeaponFire,
    weapon: Weapon,
    found: tuple[AttackState, Unit, Unit],
    position: Position,
    hearing: Hearing,
) -> Seen:
    """An attack that is said to be out of range although a model has a visible target in range. A model that does not carry
    the weapon says nothing: another one may have been meant."""
    attack, unit, target = found
    if not attack.failed and attack.claim is not False:
        return RAN
    names = [firer.model for firer in event.firers or () if firer.shots != 0]
    near = [
        (model, one)
        for model, one in _reached(names, weapon, (unit, target), position, hearing)
        if one is not None and one.state == "fine" and (weapon.id in model.weapons or not model.weapons)
    ]
    if not near:
        return RAN
    rule_id = an_attack_out_of_range_is_lost.id
    model, best = min(near, key=lambda one: float(one[1].judged.over))
    spare = -best.judged.over
    said = (
        f"The attack of {unit.name} is in range: {model.id} is {inches(best.pair.gap)} from"
        f" {best.pair.target.id}, and {inches(best.pair.gap + spare)} are in range"
    )
    if not surely(best, position):
        judged = Judged(spare, "tolerance", best.judged.allowed)
        return [within_tolerance(rule_id, judged, f"{said}.")]
    return [
        fault(
            rule_id,
            "miscalculated",
            f"{said}, {inches(spare)} to spare.",
            unit.id,
            claimed={"in_range": False},
            recomputed={"in_range": True},
            figures=_figures(best, weapon),
            judged=Judged(spare, "beyond", best.judged.allowed),
            evidence=lambda: _shown(best, position, ok=True),
            seq=attack.seq,
        )
    ]


def may_have_failed(attack: AttackState, unit: Unit, position: Position, hearing: Hearing) -> bool:
    """Whether an attack may have turned out to be out of range: no dice of it are recorded, and nobody who fired surely
    reached a model that it saw."""
    target = position.setup.units.get(attack.target or "")
    if attack.begun or target is None:
        return False
    for name, group in attack.groups.items():
        weapon = position.setup.weapons.get(name or "")
        if weapon is None:
            return False
        firers = [model for model, _ in group.shots]
        reached = _reached(firers, weapon, (unit, target), position, hearing)
        if any(one is not None and one.state == "fine" and surely(one, position) for _, one in reached):
            return False
    return True


@rule(
    "CLX-SHOOT-06",
    "Height extends range",
    events=["weapon_fire"],
    kinds=["miscalculated"],
    readings=[ELEV, ELEV_REF],
)
def height_adds_to_range(
    event: records.WeaponFire, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A model on higher ground has 1 inch more of range for each full inch above the table, at most 6.

    Log:  the height at which the model stands, and the bonus that is claimed.
    Edge: below 1 inch nothing, from 6 inches on 6. The height of the target does not matter.
    """
    found = attack_of(event, position)
    if found is None:
        return None
    _, _, target = found
    rule_id = height_adds_to_range.id
    seen: list[Remark] = []
    for firer in event.firers or ():
        model = position.setup.models.get(firer.model or "")
        claimed = exact_or_none(firer.claimed_range_bonus)
        if claimed is None:
            hearing.not_claimed()
            continue
        if model is None or not position.on_table(model.id):
            continue
        living = position.living(target)
        if spatial(model, living, position, hearing):
            seen.append(unchecked(rule_id, "distances between different heights are measured on the plan only (OR-3D)"))
            continue
        own = position.models[model.id].z
        others = {position.models[one.id].z for one in living} or {own}
        options = {heights: {bonus(own, other, *heights) for other in others} for heights in HEIGHTS}
        if all(claimed in one for one in options.values()):
            continue
        chosen = options[hearing.ask(ELEV), hearing.ask(ELEV_REF)]
        judged = min(
            (judge_met(Length(claimed - one), hearing.settings) for one in chosen), key=lambda j: float(j.over)
        )
        whole = hearing.ask(ELEV) == "FLOOR"
        if claimed in chosen or (not whole and judged.verdict == "fine"):
            continue
        right = max(chosen)
        text = f"{model.id} stands {inches(own)} above the table: {inches(right)} of range are added, not {shown(claimed)}."
        if not whole and judged.verdict == "tolerance":
            seen.append(within_tolerance(rule_id, judged, text))
            continue
        seen.append(
            fault(
                rule_id,
                "miscalculated",
                text,
                model.id,
                claimed={"range_bonus": shown(claimed)},
                recomputed={"range_bonus": shown(right)},
                figures=[Figure("added by height", shown(right)), Figure("height", shown(own))],
            )
        )
    return seen


RULES: tuple[Rule, ...] = (
    a_model_shoots_at_what_it_sees_in_range,
    an_attack_out_of_range_is_lost,
    height_adds_to_range,
)
