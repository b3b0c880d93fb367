"""What a blow needs to hit and to wound, and which models take the wounds."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import RAN, Figure, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.charges import nearest
from auditor.geometry.inches.lengths import Length, shown
from auditor.geometry.inches.shapes import Shape
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.blows import READINGS, overcame
from auditor.systems.clx.reckoning.needs import CAP, blow_numbers, fears_now, of_target, shared, shot_number, sides_of
from auditor.systems.clx.reckoning.saves import strength_of
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.blows import blows_seen
from auditor.systems.clx.rules.common import Seen, fault, inches, rule, unchecked, within_tolerance
from auditor.systems.clx.rules.weapons import only_snap_shots
from auditor.systems.clx.rules.wounding import CHART, TWICE, shots_wound_by_strength
from auditor.systems.clx.tables import tables, to_hit_in_combat, to_wound
from auditor.systems.clx.tolerance import RND, judge


def _wrong(
    rule_id: str, event: Any, unit: Unit, target: Unit, needed: int, text: str, figures: list[Figure]
) -> list[Remark]:
    return [
        fault(
            rule_id,
            "miscalculated",
            text,
            unit.id,
            claimed={"needed": event.claimed_needed},
            recomputed={"needed": needed},
            figures=figures,
        )
    ]


# -- to hit -------------------------------------------------------------------------------------------------------


def _to_hit(rule_id: str, event: records.HitRolls, position: Position, hearing: Hearing) -> Seen:
    """What a rule sees of the number that blows are claimed to need to hit."""
    found = sides_of(event, position)
    if found is None:
        return None
    own = rule_id == "CLX-ASLT-05"
    step, unit, target, models = found
    claimed = event.claimed_needed
    if claimed is None:
        hearing.not_claimed(int(own))
        return RAN
    skill, against = shared(model.profile.WS for model in models), of_target(target, "WS", position)
    weapon = position.setup.weapons.get(step.weapon or "")
    bomb = weapon is not None and weapon.type in ("bomb", "grenade")
    if skill is None or against is None or (target.vehicle is not None and bomb):
        why = f"the Weapon Skill of {unit.name} or {target.name} is not known, or not one for all"
        return [unchecked(rule_id, why)] if own else None
    fears = {one.id: fears_now(one, other, position) for one, other in ((unit, target), (target, unit))}
    plain = to_hit_in_combat(skill, against)
    capped = unit.prefers(target)
    options = blow_numbers(skill, against, unit, target, position)
    due = {min(one, CAP) for one in options} if capped else options
    if claimed in due:
        return (
            [unchecked(rule_id, f"whether {unit.name} or {target.name} fears the other")]
            if own and len(due) > 1
            else RAN
        )
    needed = min(due)
    if capped and claimed in options:
        about, why = "CLX-USR-09", f": {target.name} is a Preferred Enemy"
    elif fears[unit.id] and claimed == plain:
        about, why = "CLX-USR-12", f": {unit.name} failed its test for fear of {target.name}"
    elif fears[target.id] and claimed == plain:
        about, why = "CLX-USR-12", f": {target.name} failed its test for fear of {unit.name}"
    elif claimed == to_hit_in_combat(max(skill - 1, 1), against) and _won(unit, target, position):
        about, why = "CLX-USR-13", f": {unit.name} has won a round against {target.name}"
    elif claimed == to_hit_in_combat(skill, max(against - 1, 1)) and _won(target, unit, position):
        about, why = "CLX-USR-13", f": {target.name} has won a round against {unit.name}"
    elif not capped and claimed == CAP and any(one.startswith("preferred_enemy:") for one in unit.rules):
        about, why = "CLX-USR-09", f": {target.name} is no Preferred Enemy"
    else:
        about, why = "CLX-ASLT-05", ""
    if about != rule_id:
        return RAN if own else None
    skill, against = skill - bool(fears[unit.id]), against - bool(fears[target.id])
    text = (
        f"{unit.name} hits {target.name} on {needed} or more, with Weapon Skill {skill} against {against}{why}. "
        f"The log says {claimed} or more."
    )
    figures = [Figure("Weapon Skill", skill), Figure("of the target", against)]
    return _wrong(rule_id, event, unit, target, needed, text, figures)


def _won(unit: Unit, enemy: Unit, position: Position) -> bool:
    """Whether a unit is known to have won a round against an enemy that it feared. It decides which rule is about a wrong
    number; where it decides whether that is wrong, `fear_doubt` is set."""
    return not position.is_open("fear_overcome", unit.id) and overcame(unit, enemy, position)


@rule("CLX-ASLT-05", "To hit in combat", events=["hit_rolls"], kinds=["miscalculated"])
def a_blow_hits_by_weapon_skill(
    event: records.HitRolls, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A blow hits on 3 against a lower Weapon Skill, on 4 against an equal one up to twice the own less 1, and on 5 from
    twice the own.

    Log:  who strikes whom, and the number that is claimed. A mixed unit is struck by the skill of most of its models.
    Edge: at exactly twice it is 5. Fear lowers the skill first, Preferred Enemy caps the number last.
    Edge: a step whose models have different skills is unchecked. Hits that follow from the number are CLX-LOG-04.
    """
    return _to_hit("CLX-ASLT-05", event, position, hearing)


# -- to wound -----------------------------------------------------------------------------------------------------


def _to_wound(rule_id: str, event: records.WoundRolls, position: Position, hearing: Hearing) -> Seen:
    """What a rule sees of the number that hits are claimed to need to wound."""
    found = sides_of(event, position)
    if found is None or not event.rolls:
        return None
    own = rule_id == "CLX-ASLT-06"
    step, unit, target, models = found
    claimed = event.claimed_needed
    if claimed is None:
        hearing.not_claimed(int(own))
        return RAN
    weapon = position.setup.weapons.get(step.weapon or "")
    strength = shared(strength_of(weapon, model.profile.S) for model in models)
    toughness = of_target(target, "T", position)
    if strength is None or toughness is None:
        why = f"the Strength of the blow or the Toughness of {target.name} is not known, or not one for all"
        return [unchecked(rule_id, why)] if own else None
    capped = unit.prefers(target)
    options = {name: to_wound(strength, toughness, name) for name in ("AT_LEAST", "EXACT")}
    due = {name: min(one, CAP) if capped else one for name, one in options.items()}
    if set(due.values()) == {claimed}:
        return RAN
    option = "AT_LEAST" if due["AT_LEAST"] == due["EXACT"] else hearing.ask("OR-TWICE")
    needed = due[option]
    if claimed == needed:
        return RAN
    if capped and claimed == options[option]:
        about, why = "CLX-USR-09", f": {target.name} is a Preferred Enemy"
    elif not capped and claimed == CAP and any(one.startswith("preferred_enemy:") for one in unit.rules):
        about, why = "CLX-USR-09", f": {target.name} is no Preferred Enemy"
    else:
        about, why = "CLX-ASLT-06", ""
    if about != rule_id:
        return RAN if own else None
    text = (
        f"{unit.name} wounds {target.name} on {needed} or more, with Strength {strength} against Toughness {toughness}{why}. "
        f"The log says {claimed} or more."
    )
    return _wrong(rule_id, event, unit, target, needed, text, [Figure("S", strength), Figure("T", toughness)])


@rule("CLX-ASLT-06", "To wound", events=["wound_rolls"], kinds=["miscalculated"], readings=[TWICE, CHART])
def a_hit_wounds_by_strength(
    event: records.WoundRolls, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A hit of a blow or a shot wounds on 4 where Strength equals Toughness, on 3 where it is higher and on 2 at twice it; on 5
    where it is lower and on 6 at half. Nothing is immune.

    Log:  who strikes or shoots whom with what, and the number that is claimed. A mixed unit has the Toughness of most models.
    Edge: a step whose models have different Strengths is unchecked. Whether shots wound by this chart is a reading.
    """
    if event.attack in position.attacks:
        return shots_wound_by_strength(event, position, hearing)
    return _to_wound("CLX-ASLT-06", event, position, hearing)


# -- special rules ------------------------------------------------------------------------------------------------


@rule(
    "CLX-USR-09",
    "Preferred Enemy",
    events=["hit_rolls", "wound_rolls"],
    kinds=["miscalculated"],
    readings=["OR-TWICE", "OR-PE-SNAP"],
)
def preferred_enemies_are_hit_and_wounded_on_three(
    event: records.HitRolls, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Against its Preferred Enemy a unit needs at most 3 to hit and to wound.

    Log:  who shoots at or strikes whom, and the numbers that are claimed.
    Edge: what is easier stays as it is. Other targets are hit and wounded as usual.
    Edge: whether this holds for Snap Shots is a reading. That shots are none but Snap Shots the record says of heavy weapons
          of a unit that moved; a smaller number than theirs is CLX-WPN-02.
    """
    attack = position.attacks.get(event.attack)
    if attack is None:
        return _to_hit("CLX-USR-09", event, position, hearing)
    unit, target = position.setup.units.get(attack.unit or ""), position.setup.units.get(attack.target or "")
    if unit is None or target is None or not unit.prefers(target):
        return None
    claimed = event.claimed_needed
    if claimed is None:
        hearing.not_claimed()
        return RAN
    normal, may_snap = shot_number(event, unit, attack, position)
    if normal is None:
        return [unchecked("CLX-USR-09", "the Ballistic Skill of those who fired is not known, or differs")]
    snap = position.setup.base["BASE-SNAP"]
    if snap is not None and only_snap_shots(unit, position.setup.weapons.get(event.weapon or ""), position):
        return _to_snap(event, unit, target, claimed, snap, hearing)
    needed = min(normal, CAP)
    if claimed == needed:
        return RAN
    if snap in (None, claimed) or may_snap:
        # Whether a shot was a Snap Shot the record need not say; under one option a Snap Shot needs 3 as well.
        if claimed != snap or hearing.ask("OR-PE-SNAP") == "NOT":
            return [unchecked("CLX-USR-09", "whether these were Snap Shots")]
    text = f"{target.name} is a Preferred Enemy of {unit.name}: {needed} or more hit, not {claimed}."
    return _wrong("CLX-USR-09", event, unit, target, needed, text, [Figure("without it", normal)])


def _to_snap(event: records.Event, unit: Unit, target: Unit, claimed: int, snap: int, hearing: Hearing) -> Seen:
    """The number of Snap Shots at a Preferred Enemy, where it is too high."""
    needed = min(snap, CAP)
    if claimed <= needed or hearing.ask("OR-PE-SNAP") == "NOT":
        return RAN
    text = f"{target.name} is a Preferred Enemy of {unit.name}: {needed} or more hit in Snap Shots too, not {claimed}."
    return _wrong("CLX-USR-09", event, unit, target, needed, text, [Figure("without it", snap)])


@preferred_enemies_are_hit_and_wounded_on_three.at("wound_rolls")
def preferred_enemies_are_wounded_on_three(
    event: records.WoundRolls, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    if event.attack in position.attacks:
        return shots_wound_by_strength(event, position, hearing, "CLX-USR-09")
    return _to_wound("CLX-USR-09", event, position, hearing)


@rule(
    "CLX-USR-12",
    "Fighting in fear",
    events=["hit_rolls", "fight_step"],
    kinds=["miscalculated"],
    readings=READINGS,
)
def fear_lowers_skill_and_initiative(
    event: records.HitRolls | records.FightStep, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A unit that failed a test for fear of an enemy fights it with a Weapon Skill and an Initiative of one less.

    Log:  the tests for Fear; the numbers that are claimed.
    Edge: the skill is lowered before the table is read, for its own blows and for those against it. It ends with a round that is won (CLX-USR-13).
    """
    if isinstance(event, records.FightStep):
        return blows_seen("CLX-USR-12", event, position, hearing)
    return _to_hit("CLX-USR-12", event, position, hearing)


@rule("CLX-USR-13", "Fear ends", events=["hit_rolls", "fight_step"], kinds=["miscalculated"], readings=READINGS)
def fear_ends_with_a_round_won(
    event: records.HitRolls | records.FightStep, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A unit that has won a round of combat against an enemy fears it no more, and has its Weapon Skill and Initiative
    back.

    Log:  the results of combats; the numbers that are claimed.
    """
    if isinstance(event, records.FightStep):
        return blows_seen("CLX-USR-13", event, position, hearing)
    return _to_hit("CLX-USR-13", event, position, hearing)


# -- the front line -----------------------------------------------------------------------------------------------

ENGAGED = int(tables()["front_line"]["inches"])


@rule("CLX-ASLT-04", "The front line first", events=["allocate"], kinds=["illegal"], readings=["OR-FRONT"])
def the_front_line_takes_wounds_first(
    event: records.Allocate, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Wounds in close combat go to models in the front line before others.

    Log:  where the models stand, and the order in which the wounds are allocated.
    Edge: a model counts as in the front line, for who is given a wound, if it touched an enemy who fell in this phase.
    Edge: where nobody of the unit touches an enemy any more, anybody may take the wound. Who touches enemies that it is not
          in combat with need not be given a wound.
    """
    step = position.combat.steps.get(event.attack)
    if step is None or not event.wounds:
        return None
    gone: set[str] = set()
    left: dict[str, int] = {}
    seen: list[Remark] = []
    for wound in event.wounds:
        model = position.setup.models.get(wound.model or "")
        if model is None or not position.on_table(model.id) or wound.look_out_sir is not None:
            break
        unit = position.setup.units[model.unit]
        seen += _behind(model, unit, step.unit, gone, left, position, hearing)
        if wound.claimed_removed is not False:
            if wound.claimed_removed is None:
                break  # Who is still there is not known from here on.
            gone.add(model.id)
        elif wound.claimed_saved is not True:
            left[model.id] = left.get(model.id, position.models[model.id].wounds or 0) - 1
    return seen or RAN


def _behind(
    model: Model,
    unit: Unit,
    striker: str | None,
    gone: set[str],
    left: dict[str, int],
    position: Position,
    hearing: Hearing,
) -> list[Remark]:
    """A model that takes a wound although it stands behind others."""
    fighting = position.units[unit.id].locked_with | {striker}
    foes = position.enemies(unit.player)
    enemies, fought = (
        [position.shape(one) for one in some] for some in (foes, [m for m in foes if m.unit in fighting])
    )
    fallen = [
        position.shape(one, at=felled.stood.at, heading=felled.stood.heading)
        for name, felled in position.combat.fallen.items()
        if felled.stood.at is not None
        if position.setup.units[(one := position.setup.models[name]).unit].player != unit.player
    ]
    if not fought:
        return []
    own = position.shape(model)
    gap = nearest([own], [*enemies, *fallen])[0]
    front = [
        other
        for other in position.living(unit)
        if other.id not in gone
        and other.id != model.id
        and left.get(other.id, position.models[other.id].wounds or 0) > 0
        and nearest([position.shape(other)], fought)[0] <= RND
    ]
    judged = judge(gap, hearing.settings)
    if judged.over.sign() <= 0 or not front:
        return []
    fronts: list[Shape] = [position.shape(other) for other in front]
    behind: Length = nearest([own], fronts)[0]
    if judge(behind - ENGAGED, hearing.settings).verdict != "beyond" and hearing.ask("OR-FRONT") == "ENGAGED":
        return []
    said = f"{model.id} takes a wound {inches(gap)} from the nearest enemy, though {front[0].id} is in contact with one"
    if judged.verdict != "beyond":
        return [within_tolerance("CLX-ASLT-04", judged, said + ".")]
    return [
        fault(
            "CLX-ASLT-04",
            "illegal",
            said + ".",
            model.id,
            player=unit.player,
            claimed={"model": model.id},
            recomputed={"front_line": sorted(other.id for other in front)},
            figures=[Figure("gap to the nearest enemy", shown(gap))],
            judged=judged,
        )
    ]


RULES: tuple[Rule, ...] = (
    the_front_line_takes_wounds_first,
    a_blow_hits_by_weapon_skill,
    a_hit_wounds_by_strength,
    preferred_enemies_are_hit_and_wounded_on_three,
    fear_lowers_skill_and_initiative,
    fear_ends_with_a_round_won,
)
