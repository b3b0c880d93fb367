"""Shooting and line of sight: who may be shot at, which class the shot has, which defence dice it gives."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import RAN, Figure, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.calth.rules.common import (
    at,
    count,
    illegal,
    miscalculated,
    rule,
)
from auditor.systems.calth.state import Position

Seen = list[Remark] | tuple[Remark, ...] | None

SIGHT_READINGS = (
    "R-LOS-VERTEX",
    "R-LOS-EDGEMIX",
    "R-LOS-OFFBOARD",
    "R-LOS-EDGEADJ",
    "R-LOS-TIP",
    "R-LOS-ALONG",
    "R-LOS-OBST",
)
OBSCURED_READINGS = ("R-OBS-POINT", "R-OBS-WIDTH", *SIGHT_READINGS)


def _shot(event: Any, resolved: Any) -> bool:
    """Whether this is a ranged attack between two hexes that are known."""
    return resolved.mode == "ranged" and resolved.shooter_hex is not None and resolved.target_hex is not None


@rule(
    "CAL-SHT-01",
    "Shoot",
    section=11,
    events=("attack",),
    kinds=("illegal", "ambiguous"),
    readings=OBSCURED_READINGS,
    when={"attack": ("ranged",)},
)
def shoot(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """The activated unit makes a ranged attack on one enemy unit that it sees, in clear sight or obscured.

    Log:  the target and the weapons.
    Edge: there is no longest range. A Shoot needs a weapon that gives at least one die.
    """
    if resolved.mode != "ranged":
        return None
    attacker, target = resolved.attacker, resolved.target
    if attacker is None:
        return None
    if target is None:
        if event.target is None or resolved.role == "flamer_follow_up":
            return None
        return [illegal("CAL-SHT-01", f"{attacker.id} shot at {event.target}, which is not on the board.", attacker.id)]
    found: list[Remark] = []
    if target.side == attacker.side and resolved.role != "flamer_follow_up":
        return [illegal("CAL-SHT-01", f"{attacker.id} shot at {target.id} of its own side.", attacker.id)]
    if not _shot(event, resolved):
        return None
    if resolved.unseen(hearing):
        found.append(
            illegal(
                "CAL-SHT-01",
                f"{attacker.id} at {at(attacker.hex)} shot at {target.id} at {at(target.hex)} without any line of sight.",
                attacker.id,
                claimed={"los.class": resolved.claimed_class},
                recomputed={"los.class": "none"},
                evidence=lambda: resolved.sight_evidence(hearing),
            )
        )
    if not resolved.has_dice(hearing):
        found.append(
            illegal(
                "CAL-SHT-01",
                f"{attacker.id} shot without a weapon that gives a die at {count(resolved.unasked_distance(hearing) or 0, 'hex', 'hexes')}.",
                attacker.id,
                "dice",
                claimed={"dice.total": event.dice.total if event.dice is not None else None},
                recomputed={"dice.total": 0},
            )
        )
    return found or RAN


@rule(
    "CAL-SHT-02",
    "Weapons that reach 3 hexes",
    section=11,
    events=("attack",),
    kinds=("illegal", "miscalculated"),
    readings=("R-DST-OCC", "R-DST-OBST", "R-ATK-MULTI"),
    when={"attack": ("ranged",)},
)
def restricted_weapons(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Bolt pistols, plasma pistols, flamers and heavy flamers shoot only at targets within 3 hexes.

    Log:  the weapons counted.
    Edge: 3 is within 3. The other weapons of the unit shoot on.
    """
    if not _shot(event, resolved) or resolved.attacker is None:
        return None
    short = resolved.restricted()
    if not short:
        return None
    if event.weapons is None:
        return None
    distance = resolved.unasked_distance(hearing)
    counted = {(model, weapon) for model, weapon in event.weapons}
    within = resolved.within(3, hearing)
    if not within:
        far = [entry for entry in short if entry in counted]
        if not far:
            return RAN
        said = "there is no way to the target" if distance is None else f"the target is {distance} hexes away"
        reach = "reaches" if len(far) == 1 else "reach"
        return [
            illegal(
                "CAL-SHT-02",
                f"{_weapons(position, far)} counted, which {reach} 3 hexes; {said}.",
                resolved.attacker.id,
                claimed={"weapons": [list(entry) for entry in far]},
                evidence=lambda: {"path": resolved.way(hearing)},
            )
        ]
    left_out = [entry for entry in short if entry not in counted and entry in resolved.usable(hearing)]
    if left_out:
        return [
            miscalculated(
                "CAL-SHT-02",
                f"{_weapons(position, left_out)} left out; the target is {distance} away, within 3.",
                resolved.attacker.id,
                claimed={"weapons": [list(entry) for entry in event.weapons]},
                recomputed={"weapons": [list(entry) for entry in (*event.weapons, *left_out)]},
                evidence=lambda: {"path": resolved.way(hearing)},
            )
        ]
    return RAN


def _weapons(position: Position, entries: list[tuple[str, str]]) -> str:
    told = [f"the {position.table.weapons[w].name.lower()} of {m}" for m, w in entries]
    listed = ", ".join(told[:-1]) + (" and " if len(told) > 1 else "") + told[-1]
    return f"{listed[0].upper()}{listed[1:]} {'was' if len(told) == 1 else 'were'}"


def _wrong_class(rule_id: str, event: Any, resolved: Any, hearing: Hearing) -> Seen:
    """The claimed class of a shot against the recomputed one, told under the rule that decides it."""
    if not _shot(event, resolved):
        return None
    claimed = resolved.claimed_class
    if claimed is None:
        if rule_id == "CAL-LOS-01":
            hearing.not_claimed()
        return RAN if rule_id == "CAL-LOS-01" or resolved.meets(rule_id) else None
    due = resolved.unasked_sight(hearing)
    right = due == claimed or (due == "none" and claimed == "obscured")
    tells = not (right and resolved.shot.is_sure) and resolved.deciding_rule == rule_id
    if tells:
        resolved.sight(hearing)  # here something hangs on it, so it is asked
    if right:
        return RAN if rule_id == "CAL-LOS-01" or resolved.meets(rule_id) else None
    if not tells:
        return None
    shooter, target = resolved.shooter_hex, resolved.target_hex
    if due == "clear":
        text = f"The shot from {at(shooter)} to {at(target)} is recorded as obscured; nothing stops its line, so it is clear."
    else:
        why = resolved.what_stops(hearing)
        verdict = "so it is obscured" if due == "obscured" else "and no other line reaches the target"
        text = f"The shot from {at(shooter)} to {at(target)} is recorded as clear; {why}, {verdict}."
    return [
        miscalculated(
            rule_id,
            text,
            str(event.attacker),
            claimed={"los.class": claimed},
            recomputed={"los.class": due},
            evidence=lambda: resolved.sight_evidence(hearing),
        )
    ]


def _sight_rule(rule_id: str, title: str, text: str, readings: tuple[str, ...]) -> Rule:
    def look(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
        return _wrong_class(rule_id, event, resolved, hearing)

    look.__doc__ = text
    return rule(
        rule_id,
        title,
        section=11,
        events=("attack",),
        kinds=("miscalculated",),
        readings=readings,
        when={"attack": ("ranged",)},
    )(look)


clear_sight = _sight_rule(
    "CAL-LOS-01",
    "Clear line of sight",
    """A line of sight is clear when the straight line between the centres of the two hexes passes through the inside of
    no blocked or occupied hex and crosses no sealed door. Friends and enemies both occupy; the two end hexes never count.

    Log:  the class claimed.
    """,
    SIGHT_READINGS,
)
along_hexsides = _sight_rule(
    "CAL-LOS-02",
    "A line along a hexside",
    """Running along a hexside is passing through neither of its hexes, unless both are closed (blocked, off the board or
    occupied, in any mixture): then the line stops there. Each hexside is judged by itself.

    Log:  the class claimed.
    """,
    ("R-LOS-EDGEMIX", "R-LOS-OFFBOARD", "R-LOS-EDGEADJ", "R-LOS-ALONG", "R-LOS-OBST"),
)
at_corners = _sight_rule(
    "CAL-LOS-03",
    "A line through a corner",
    """Meeting a hex in a single corner point is not passing through it.

    Log:  the class claimed.
    """,
    ("R-LOS-VERTEX",),
)
door_ends = _sight_rule(
    "CAL-LOS-04",
    "The ends of a door",
    """A line that meets a sealed door only at its end stops if something closes the other side at that point too.

    Log:  the class claimed.
    """,
    ("R-LOS-TIP", "R-LOS-OBST"),
)
see_through = _sight_rule(
    "CAL-LOS-05",
    "What does not stop sight",
    """Rubble, barricades, open doors and (by default) obstructions stop no line of sight.

    Log:  the class claimed.
    """,
    ("R-LOS-OBST",),
)


@rule(
    "CAL-OBS-01",
    "Obscured shot",
    section=11,
    events=("attack",),
    kinds=("illegal", "miscalculated"),
    readings=OBSCURED_READINGS,
    when={"attack": ("ranged",)},
)
def obscured_shot(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Without clear sight a unit may still shoot if some straight line from its hex's centre to some point of the target's
    hex passes through no blocked hex and crosses no sealed door; occupied hexes do not matter to it.

    Log:  the point aimed at.
    Edge: clear sight cannot be traded for an obscured shot.
    """
    if not _shot(event, resolved):
        return None
    if resolved.unseen(hearing):
        if resolved.claimed_class != "obscured":
            return None
        return [
            illegal(
                "CAL-OBS-01",
                f"No straight line from {at(resolved.shooter_hex)} reaches any point of {at(resolved.target_hex)}.",
                str(event.attacker),
                claimed={"los.class": "obscured"},
                recomputed={"los.class": "none"},
                evidence=lambda: resolved.sight_evidence(hearing),
            )
        ]
    if resolved.aim is None or resolved.claimed_class == "clear":
        return None if resolved.unasked_sight(hearing) == "clear" else RAN
    if resolved.sight(hearing) == "clear":
        return None
    if resolved.aim_is_legal(hearing):
        return RAN
    return [
        miscalculated(
            "CAL-OBS-01",
            f"The line from {at(resolved.shooter_hex)} to the point aimed at is stopped or leaves {at(resolved.target_hex)}; "
            "another line is free.",
            str(event.attacker),
            claimed={"los.aim": [x if isinstance(x, int) else str(x) for x in event.los.aim]},
            recomputed={"los.aim": resolved.legal_aim(hearing)},
            evidence=lambda: resolved.sight_evidence(hearing),
        )
    ]


def _bonus(event: Any, name: str) -> int | None:
    bonuses = event.los.bonuses if event.los is not None else None
    return getattr(bonuses, name) if bonuses is not None else None


def _defender(resolved: Any) -> str | None:
    """The side that rolls the defence dice."""
    return resolved.target.side if resolved.target is not None else ""


def _bonus_fault(rule_id: str, event: Any, resolved: Any, name: str, due: int, why: str, hearing: Hearing) -> Seen:
    claimed = _bonus(event, name)
    if claimed is None:
        hearing.not_claimed()
        return RAN
    if claimed == due:
        return RAN
    return [
        miscalculated(
            rule_id,
            f"The target at {at(resolved.target_hex)} {why}: {count(due, 'more defence die', 'more defence dice')}, "
            f"not {claimed}.",
            str(event.target),
            player=_defender(resolved),
            claimed={f"los.bonuses.{name}": claimed},
            recomputed={f"los.bonuses.{name}": due},
            figures=(Figure(f"bonus for {name}", due),),
            evidence=lambda: resolved.sight_evidence(hearing),
        )
    ]


@rule(
    "CAL-OBS-02",
    "Obscured: two more defence dice",
    section=11,
    events=("attack",),
    kinds=("miscalculated",),
    readings=OBSCURED_READINGS,
    when={"attack": ("ranged",)},
)
def obscured_bonus(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """Every target model rolls 2 more defence dice in an obscured attack, and none for that in a clear one.

    Log:  the bonus claimed.
    Edge: where the class itself is recorded wrongly, the bonus is held against the class recorded: one mistake, one finding.
    """
    if not _shot(event, resolved):
        return None
    class_ = resolved.class_played(hearing)
    if class_ is None:
        return RAN
    why = "is shot at obscured" if class_ == "obscured" else "is in clear sight"
    return _bonus_fault("CAL-OBS-02", event, resolved, "obscured", 2 if class_ == "obscured" else 0, why, hearing)


@rule(
    "CAL-OBS-03",
    "Obscured: no critical effect",
    section=11,
    events=("attack",),
    kinds=("illegal",),
    readings=OBSCURED_READINGS,
    when={"attack": ("crit",)},
)
def obscured_no_effect(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """No critical effect can be triggered in an obscured attack; criticals still count as hits.

    Log:  the effect triggered, if any.
    """
    if not _shot(event, resolved) or not resolved.crits:
        return None
    class_ = resolved.sight(hearing)
    if class_ == "none":
        class_ = resolved.claimed_class or "none"
    if class_ != "obscured":
        return RAN
    crit = resolved.crits[0]
    return [
        illegal(
            "CAL-OBS-03",
            "A critical effect was triggered in an obscured attack.",
            str(event.attacker),
            claimed={"crit": crit.weapon},
            recomputed={"los": "obscured", "crit": "none"},
            evidence=lambda: resolved.sight_evidence(hearing),
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
def rubble_bonus(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """A unit in rubble rolls 1 more defence die for each target model against shooting, and none in melee.

    Log:  the bonus claimed.
    Edge: the shooter's rubble does nothing.
    """
    if not _shot(event, resolved):
        return None
    in_rubble = resolved.target_hex in position.table.rubble
    why = "stands in rubble" if in_rubble else "does not stand in rubble"
    return _bonus_fault("CAL-DEF-02", event, resolved, "rubble", 1 if in_rubble else 0, why, hearing)


@rule(
    "CAL-DEF-03",
    "Barricade: two more defence dice",
    section=11,
    events=("attack",),
    kinds=("miscalculated",),
    readings=("R-BAR-TIP", "R-BAR-OWNER", "R-OBS-BARR", *OBSCURED_READINGS),
    when={"attack": ("ranged",)},
)
def barricade_bonus(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """If the line of sight crosses a barricade inside the target's hex, each target model rolls 2 more defence dice.

    Log:  the bonus claimed.
    Edge: a line enters a hex once, so never 4; barricades in other hexes do nothing.
    """
    if not _shot(event, resolved):
        return None
    claimed = _bonus(event, "barricade")
    if claimed is None:
        hearing.not_claimed()
        return RAN
    dice = resolved.barricade_dice(hearing)
    if dice is None or claimed in dice:
        return RAN
    due = dice[0]
    why = "is shot at across a barricade" if due else "is not shot at across a barricade"
    return _bonus_fault("CAL-DEF-03", event, resolved, "barricade", due, why, hearing)


@rule(
    "CAL-DEF-04",
    "How the bonuses add up",
    section=11,
    events=("attack",),
    kinds=("miscalculated",),
    readings=("R-DEF-STACK", "R-ARM0-BONUS"),
)
def bonuses_add_up(event: Any, resolved: Any, position: Position, hearing: Hearing) -> Seen:
    """The bonuses for obscured, rubble and barricade add up, and count in every defence roll of the attack; in melee there
    are none.

    Log:  the bonus dice of each defence roll.
    """
    if resolved.target is None or not event.steps:
        return None
    found: list[Remark] = []
    for number, step in enumerate(event.steps):
        if step.bonus_dice is None:
            hearing.not_claimed()
            continue
        due = resolved.bonus_due(number, hearing)
        if due is None or step.bonus_dice == due.value:
            continue
        rule_id = _bonus_rule(resolved, number, step.bonus_dice, int(due.value), hearing)
        found.append(
            miscalculated(
                rule_id,
                f"Defence roll {number + 1} counts {step.bonus_dice} bonus dice; {due.value} are due.",
                str(event.target),
                str(number),
                player="" if rule_id == "CAL-CRT-05" else resolved.target.side,
                claimed={f"steps.{number}.bonus_dice": step.bonus_dice},
                recomputed={f"steps.{number}.bonus_dice": due.value},
                figures=(due,),
            )
        )
    return found or RAN


def _bonus_rule(resolved: Any, number: int, claimed: int, due: int, hearing: Hearing) -> str:
    """The rule under which wrong bonus dice of one defence roll are told."""
    if resolved.mode == "melee":
        return "CAL-DEF-02" if resolved.target.hex in resolved.position.table.rubble and claimed == 1 else "CAL-DEF-04"
    if number == 0 and resolved.effect == "CAL-CRT-05" and 0 in (claimed, due):
        armour = resolved.armour_due(0, hearing)
        if armour is not None and armour.value == 0 and armour.parts:
            return "CAL-CRT-05"
    return "CAL-DEF-04"


RULES = (
    shoot,
    restricted_weapons,
    clear_sight,
    along_hexsides,
    at_corners,
    door_ends,
    see_through,
    obscured_shot,
    obscured_bonus,
    obscured_no_effect,
    rubble_bonus,
    barricade_bonus,
    bonuses_add_up,
)
