"""Cover: jinking, going to ground, cover dice before dice to hit, and what they need."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.core.findings import RAN, Evidence, Fault, Figure, Lack, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import Length
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import AttackState, Group, Position, UnitState
from auditor.systems.clx.reckoning.attacks import attack_of, weapon_of
from auditor.systems.clx.reckoning.cover import (
    BEST,
    COVER_UNIT,
    PRESSED,
    cover_of,
    covers_alike,
    firers_of,
    levels_of,
    makes_its_shots,
    single_shots,
)
from auditor.systems.clx.reckoning.dice import reaches
from auditor.systems.clx.reckoning.frame import leaves_shooting
from auditor.systems.clx.reckoning.groups import shots_of
from auditor.systems.clx.reckoning.unsaid import may_jink
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, listed, rule, unchecked, within_tolerance
from auditor.systems.clx.rules.suppression import EVERY_EVENT
from auditor.systems.clx.show.marks import covers
from auditor.systems.clx.show.sight import sight
from auditor.systems.clx.tolerance import RND, Judged, tolerance
from auditor.systems.words import count

# -- jinking and going to ground ----------------------------------------------------------------------------------


@rule("CLX-SHOOT-07a", "Jinking", events=["jink"], kinds=["illegal"], readings=["OR-JINK-TIME"])
def a_unit_jinks_before_it_is_shot_at(
    event: records.Jink, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Skimmers, bikes and jetbikes may jink. They say so before they are shot at.

    Log:  the unit, the attack for which it jinks, and whether dice of that attack were rolled before.
    Edge: before the first die of an attack that has been declared: whether that is in time is a reading. A jink for the
          whole phase names no attack. The save is a base rule (BASE-JINK).
    """
    rule_id = a_unit_jinks_before_it_is_shot_at.id
    unit = position.setup.units.get(event.unit or "")
    if unit is None:
        return None
    if not may_jink(unit):
        text = f"{unit.name} jinks; only skimmers, bikes and jetbikes do."
        return [fault(rule_id, "illegal", text, unit.id, player=unit.player)]
    attack = position.attacks.get(event.attack)
    if event.attack is None or attack is None or attack.target != unit.id or position.units[unit.id].jinking:
        return RAN
    if attack.begun:
        text = f"{unit.name} jinks after the first die of the attack."
    elif hearing.ask("OR-JINK-TIME") == "BEFORE_TARGET":
        text = f"{unit.name} jinks after it was named as the target."
    else:
        return RAN
    return [fault(rule_id, "illegal", text, unit.id, player=unit.player)]


LEVEL = "CLX-MISC-02"
COVER_READINGS = [COVER_UNIT, "OR-GTG-TIME", "OR-PRONE-COVER"]


@rule(
    "CLX-SHOOT-11",
    "Going to ground",
    events=["go_to_ground", "cover_rolls"],
    kinds=["illegal", "miscalculated"],
    readings=COVER_READINGS,
)
def a_unit_that_is_shot_at_may_go_to_ground(
    event: records.GoToGround, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """A unit that is shot at in the enemy's Shooting Phase may go to ground: its cover saves are better by one, or 6+ where
    it has none, for the rest of the phase.

    Log:  the unit, the attack, and whether dice of that attack were rolled before; the number that its cover is claimed to
          need then.
    Edge: after the first die of the attack: whether that is in time is a reading.
    Edge: vehicles and units in combat do not (a base rule). Going to ground twice changes nothing.
    """
    rule_id = a_unit_that_is_shot_at_may_go_to_ground.id
    unit = position.setup.units.get(event.unit or "")
    if unit is None:
        return None
    state = position.units[unit.id]
    attack = position.attacks.get(event.attack)
    if unit.player == position.active:
        why = "in its own turn"
    elif (unit.vehicle is not None or state.locked_with) and position.setup.base["BASE-GTG"] is None:
        return [unchecked(rule_id, "whether vehicles and units in combat go to ground (BASE-GTG)")]
    elif unit.vehicle is not None:
        why = "although it is a vehicle (base rule)"
    elif state.locked_with:
        why = "although it is in combat (base rule)"
    elif attack is not None and attack.target != unit.id:
        why = f"in an attack on {attack.target}"
    elif (
        event.attack is None
        and not position.stated
        and not any(one.target == unit.id for one in position.attacks.values())
    ):
        why = "although nobody shot at it"
    elif attack is not None and attack.begun and state.gone_to_ground != "new":
        if hearing.ask("OR-GTG-TIME") != "BEFORE_COVER":
            return RAN
        why = "after the first die of the attack"
    else:
        return RAN
    text = f"{unit.name} goes to ground {why}."
    return [fault(rule_id, "illegal", text, unit.id, player=unit.player)]


# -- cover dice ---------------------------------------------------------------------------------------------------


@rule(
    "CLX-SHOOT-07b",
    "Cover comes first",
    events=[*EVERY_EVENT],
    kinds=["illegal", "miscalculated", "omitted"],
    readings=COVER_READINGS,
)
def cover_is_rolled_before_hits(
    event: records.Event, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Cover saves are rolled before the dice to hit, one for each shot; the shots that they stop roll no die to hit.

    Log:  the shots, the cover dice (or that the target took none), and the dice to hit, in their order.
    Edge: no cover, no dice. Cover, and no dice, is an omission unless the target waived them. With it fewer dice to hit than
          shots are nobody's fault: cover may have stopped the others.
    Edge: shots against different cover are rolled apart. Of blasts and guessed shots cover is rolled when it is known who is
          hit, one die for each; their dice are not counted here.
    """
    if isinstance(event, records.CoverRolls):
        return _cover_rolled(event, position, hearing)
    if isinstance(event, records.HitRolls):
        return _too_many(event, position)
    if not leaves_shooting(event, position) or not position.attacks:
        return None
    seen: list[Remark] = []
    for name, attack in position.attacks.items():
        unit, target = position.setup.units.get(attack.unit or ""), position.setup.units.get(attack.target or "")
        if unit is None or target is None or attack.failed:
            continue
        for weapon, group in attack.groups.items():
            if single_shots(position.setup.weapons.get(weapon or "")):
                shot = records.CoverRolls(seq=event.seq, attack=name, weapon=weapon)
                left_out = _left_out(shot, attack, group, target, position, hearing)
                found = left_out or _too_few(attack, group, unit, position)
                seen += [one._replace(lacks=_lack_of_cover(name, weapon, group)) for one in found]
    return seen


def _lack_of_cover(attack: str | None, weapon: str | None, group: Group) -> Lack:
    """Cover dice before the dice to hit, of a target that may have cover."""

    def lines(position: Position, hearing: Hearing) -> Iterator[records.CoverRolls]:
        line = records.CoverRolls(seq=0, turn=position.turn, phase="shooting", attack=attack, weapon=weapon)
        found = attack_of(line, position)
        if found is not None and not _has_none(levels_of(line, found, position, hearing)):
            line.player = found[2].player
            yield line

    return Lack(group.hit_seq or group.seq, lines, whole=False)


def _has_none(levels: tuple[set[int], set[int]] | str) -> bool:
    """Whether there is certainly no cover."""
    return not isinstance(levels, str) and max(levels[1]) == 0


def _cover_rolled(event: records.CoverRolls, position: Position, hearing: Hearing) -> Seen:
    """Cover dice that come after the dice to hit, or against shots from which there is no cover."""
    rule_id = cover_is_rolled_before_hits.id
    found = attack_of(event, position)
    if found is None or found[0].failed or event.reread or event.waived or not event.dice:
        return None
    attack, _, target = found
    weapon = weapon_of(event.weapon, attack)
    group = attack.groups.get(weapon)
    if group is None or not single_shots(position.setup.weapons.get(weapon or "")):
        return None
    if _hits_came_first(event, group) and not (
        attack.ground in ("late", "some time") and hearing.ask("OR-GTG-TIME") != "NEXT_ATTACK"
    ):
        text = f"{target.name} rolls for cover after the dice to hit were rolled."
        return [fault(rule_id, "illegal", text, target.id, player=target.player)]
    levels = levels_of(event, found, position, hearing)
    if isinstance(levels, str):
        return None  # Whether there is cover is not known.
    exact, near = levels
    if max(exact) > 0:
        return RAN
    text = f"{target.name} rolls for cover, but has none against these shots."
    if max(near) > 0:
        return [_barely(rule_id, text, hearing)]
    return [
        fault(
            rule_id,
            "illegal",
            text,
            target.id,
            player=target.player,
            claimed={"dice": len(event.dice), "needed": event.claimed_needed},
            recomputed={"level": 0},
            evidence=lambda: _drawn(event, attack, target, position),
        )
    ]


def _drawn(event: records.CoverRolls, attack: AttackState, target: Unit, position: Position) -> Evidence:
    """What gives a target cover, from each of those who fire."""
    group = attack.groups[weapon_of(event.weapon, attack)]
    return {"marks": covers(firers_of(group, position, event.firers), target, position)}


def _barely(rule_id: str, text: str, hearing: Hearing) -> Remark:
    zero = Judged(Length(), "tolerance", max(tolerance(hearing.settings), RND))
    return within_tolerance(rule_id, zero, f"{text} That hangs on the edge of a piece of terrain:")


def _hits_came_first(event: records.CoverRolls, group: Group) -> bool:
    """Whether dice to hit of the very shots were rolled before: more than the other shots can have had."""
    if not group.hit_dice:
        return False
    if event.firers is None:
        return True
    whole, own = shots_of(group), shots_of(group, set(event.firers))
    return whole is not None and own is not None and group.hit_dice > whole - own - group.saved[0]


def _too_many(event: records.HitRolls, position: Position) -> Seen:
    """More dice to hit than shots that cover did not stop."""
    found = attack_of(event, position)
    if found is None or found[0].failed or event.rolls is None:
        return None
    attack, unit, _ = found
    weapon = weapon_of(event.weapon, attack)
    group = attack.groups.get(weapon)
    if group is None or not single_shots(position.setup.weapons.get(weapon or "")):
        return None
    shots = shots_of(group)
    rolled = group.hit_dice + len(event.rolls)
    if shots is not None and group.covered > shots and rolled <= group.covered:
        return RAN  # So many dice were rolled for cover already: it went wrong there.
    if shots is None or attack.ground in ("late", "some time") or rolled <= shots - group.saved[0]:
        return RAN
    left = shots - group.saved[0]
    return [_wrong_number(attack, unit, rolled, left, group, None)]


def _wrong_number(attack: AttackState, unit: Unit, rolled: int, left: int, group: Group, seq: int | None) -> Fault:
    shots = f"{count(left, 'shot')} {'is' if left == 1 else 'are'} left"
    text = f"{unit.name} rolls {count(rolled, 'die', 'dice')} to hit in its attack on {attack.target}; {shots}."
    return fault(
        cover_is_rolled_before_hits.id,
        "miscalculated",
        text,
        unit.id,
        player=unit.player,
        claimed={"dice": rolled},
        recomputed={"dice": left},
        figures=[Figure("shots left", left, (("shots", shots_of(group) or 0), ("stopped by cover", -group.saved[0])))],
        seq=seq,
    )


def _pressed_on(state: UnitState) -> bool:
    """Whether a unit pressed on, and so takes no cover."""
    return state.prone is not None and state.prone[0] in PRESSED


def _may_have_stopped(attack: AttackState, group: Group, position: Position) -> bool:
    """Whether cover of which no dice are recorded may have stopped some shots of a group."""
    target = position.setup.units.get(attack.target or "")
    if group.covered or group.waived or target is None:
        return False
    state = position.units[target.id]
    if _pressed_on(state):
        return False
    if attack.ground is not None or state.gone_to_ground is not None or state.prone is not None or state.jinking:
        return True
    ground = any(piece.cover for piece in position.setup.terrain.values())
    return ground and position.setup.base["BASE-COVER-GEOM"] is None


def _too_few(attack: AttackState, group: Group, unit: Unit, position: Position) -> list[Fault]:
    """Fewer dice to hit than shots that cover did not stop: certain only when the attack is over."""
    if _may_have_stopped(attack, group, position):
        return []
    shots = shots_of(group)
    if shots is None or not group.hit_dice or not group.whole or group.unsure or attack.ground in ("late", "some time"):
        return []
    if group.hit_dice >= shots - group.saved[1]:
        return []
    return [_wrong_number(attack, unit, group.hit_dice, shots - group.saved[1], group, group.hit_seq)]


def unrolled(position: Position) -> list[str]:
    """Shots of a phase that is not over for which no dice to hit have been rolled though others have, in words."""
    found: list[str] = []
    for attack in position.attacks.values():
        unit = position.setup.units.get(attack.unit or "")
        if unit is None or attack.failed or "shooting" in position.closed:
            continue
        for weapon, group in attack.groups.items():
            if single_shots(position.setup.weapons.get(weapon or "")) and _too_few(attack, group, unit, position):
                found.append(
                    f"{unit.name} has rolled dice to hit for some of its shots at {attack.target}, not for all."
                )
    return found


def _left_out(
    shot: records.CoverRolls, attack: AttackState, group: Group, target: Unit, position: Position, hearing: Hearing
) -> list[Fault]:
    """Cover that a target certainly had and neither took nor waived. `shot`: the roll that was left out."""
    if (
        group.covered
        or group.waived
        or group.unsure
        or group.hit_seq is None
        or _pressed_on(position.units[target.id])
        or not any(level for _, level in group.cover)
    ):
        return []
    options = dict(group.cover)
    level = options[hearing.ask(COVER_UNIT)] if len(set(options.values())) > 1 else group.cover[0][1]
    if not level:
        return []
    text = f"{target.name} has cover of {7 - level}+ against the shots of {attack.unit}, and neither rolled for it nor waived it."
    return [
        fault(
            cover_is_rolled_before_hits.id,
            "omitted",
            text,
            target.id,
            player=target.player,
            recomputed={"level": level},
            seq=group.hit_seq,
            evidence=lambda: {"sight": sight(shot, position, hearing)},
        )
    ]


@rule(
    "CLX-SHOOT-07c",
    "What cover needs",
    events=["cover_rolls"],
    kinds=["miscalculated"],
    readings=COVER_READINGS,
)
def cover_needs_what_its_kind_gives(
    event: records.CoverRolls, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Soft cover saves on 6 or more, hard cover on 5. The best piece of terrain counts.

    Log:  the terrain, the places, who fires, what the target did, and the number that is claimed.
    Edge: what cover needs of a unit that went to ground is CLX-SHOOT-11. A level that is claimed alone is CLX-MISC-02.
    Edge: which cover a unit has whose models have different cover is a reading. Lying prone gives 6+, if it is taken.
    Edge: what a jink gives, and what terrain gives cover to, are base rules (BASE-JINK, BASE-COVER-GEOM).
    """
    return number_of_cover(cover_needs_what_its_kind_gives.id, event, position, hearing)


@a_unit_that_is_shot_at_may_go_to_ground.at("cover_rolls")
def cover_of_a_unit_on_the_ground(
    event: records.CoverRolls, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    return number_of_cover(a_unit_that_is_shot_at_may_go_to_ground.id, event, position, hearing)


def number_of_cover(rule_id: str, event: records.CoverRolls, position: Position, hearing: Hearing) -> Seen:
    """What one of three rules sees of the number that cover is claimed to need: CLX-SHOOT-11 of a unit that went to ground
    in this phase, else CLX-SHOOT-07c, or CLX-MISC-02 of a level that is claimed without a number."""
    found = attack_of(event, position)
    if found is None or found[0].failed or event.waived:
        return None
    level_alone = event.claimed_needed is None and event.claimed_level is not None
    about = LEVEL if level_alone else cover_needs_what_its_kind_gives.id
    if found[0].ground is not None or position.units[found[2].id].gone_to_ground == "new":
        about = a_unit_that_is_shot_at_may_go_to_ground.id
    if about != rule_id:
        return None
    counted = event.claimed_needed is None and event.claimed_level is None
    if counted:
        hearing.not_claimed()
        if event.claimed_saved is None or event.dice is None or event.reread:
            return RAN
    attack, _, target = found
    if not single_shots(position.setup.weapons.get(weapon_of(event.weapon, attack) or "")):
        return [unchecked(rule_id, "the cover of models that a blast hit is not worked out")]
    levels = levels_of(event, found, position, hearing)
    if isinstance(levels, str):
        return [unchecked(rule_id, levels)]
    exact, near = levels
    right = max(exact)
    if not right:
        return RAN  # There is no cover, and no number that it needs.
    claimed = event.claimed_level
    if counted:
        return _miscounted(rule_id, event, found, exact, near, position, hearing)
    if event.claimed_needed is not None:
        claimed = 7 - event.claimed_needed if event.claimed_needed <= 6 else 0
    if claimed in exact:
        return RAN
    needed = listed(f"{7 - level}+" for level in sorted(exact) if level)
    text = f"{target.name} has cover of {needed} against these shots, not {7 - (claimed or 0)}+."
    if claimed in near:
        return [_barely(rule_id, text, hearing)]
    due = {"level": right} if about == LEVEL else {"needed": 7 - right}
    return [
        fault(
            rule_id,
            "miscalculated",
            text,
            target.id,
            player=target.player,
            claimed={"level": event.claimed_level} if about == LEVEL else {"needed": event.claimed_needed},
            recomputed=due,
            figures=[Figure("level of cover", right, (("best there is", BEST),) if right == BEST else ())],
            evidence=lambda: _drawn(event, attack, target, position),
        )
    ]


def _miscounted(
    rule_id: str,
    event: records.CoverRolls,
    found: tuple[AttackState, Unit, Unit],
    exact: set[int],
    near: set[int],
    position: Position,
    hearing: Hearing,
) -> Seen:
    """Shots stopped that the dice do not give by the cover there is, where the number is not claimed."""
    attack, _, target = found

    def stopped(level: int) -> int:
        return sum(reaches(die, 7 - level) for die in event.dice or () if level)

    def stops_as_many(level: int) -> bool:
        return event.claimed_saved == stopped(level)

    if any(map(stops_as_many, exact)):
        return RAN
    right = stopped(max(exact))
    text = f"With cover of {7 - max(exact)}+ the dice of {target.name} stop {count(right, 'shot')}, not {event.claimed_saved}."
    if any(map(stops_as_many, near)):
        return [_barely(rule_id, text, hearing)]
    return [
        fault(
            rule_id,
            "miscalculated",
            text,
            target.id,
            player=target.player,
            claimed={"saved": event.claimed_saved},
            recomputed={"saved": right},
            evidence=lambda: _drawn(event, attack, target, position),
        )
    ]


def cover_dice_due(event: records.CoverRolls, position: Position, hearing: Hearing) -> int | None:
    """How many cover dice are due for a group of shots; None where that is not certain (CLX-LOG-03)."""
    found = attack_of(event, position)
    if found is None or found[0].failed or event.waived or event.reread or not event.dice:
        return None
    attack, _, target = found
    name = weapon_of(event.weapon, attack)
    group, weapon = attack.groups.get(name), position.setup.weapons.get(name or "")
    if group is None or weapon is None or not single_shots(weapon) or group.hit_dice or group.unsure:
        return None
    firers = firers_of(group, position, event.firers)
    shots = shots_of(group, None if event.firers is None else set(event.firers))
    allowed = max(tolerance(hearing.settings), RND)
    if shots is None or not all(makes_its_shots(model, weapon, target, position) for model in firers):
        return None
    left = shots - group.covered if event.firers is None else shots
    if event.firers is None and not covers_alike([cover_of(model, target, position, allowed) for model in firers]):
        return left if len(event.dice) > left else None  # No more than all, however many have cover against them.
    return left


RULES: tuple[Rule, ...] = (
    a_unit_jinks_before_it_is_shot_at,
    a_unit_that_is_shot_at_may_go_to_ground,
    cover_is_rolled_before_hits,
    cover_needs_what_its_kind_gives,
)
