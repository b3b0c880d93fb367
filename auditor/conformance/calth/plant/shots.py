"""Faults of who is shot at and of what is seen: targets, lines of sight, the point aimed at."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.misjudged import ALONG, CORNER, DOOR_END, SEEN_THROUGH, THROUGH, rule_of_class
from auditor.conformance.calth.plant.moment import Expected, Misdeed, Moment, Spoiler
from auditor.conformance.calth.plant.seek import meets_only
from auditor.conformance.calth.position import Unit
from auditor.conformance.calth.sight import Sight, declared_line
from auditor.conformance.calth.tables import WEAPONS, other

if TYPE_CHECKING:
    from auditor.conformance.calth.plant.table import SpoiledTable


# ------------------------------------------------------------------ the class of a shot


def _called(at: Moment, class_: str, rule: str) -> Expected | None:
    """The shot is written down as of this class; it is of the other one, which only this rule tells."""
    event, unit, target = at.event, at.unit, at.target
    if event["mode"] != "ranged" or unit is None or target is None:
        return None
    los = event["los"]
    due = los["class"]
    if due == class_ or not meets_only(rule)(at.table, unit, target):
        return None
    aim = {"aim": [str(x) for x in target.hex]} if class_ == "obscured" else {}
    bonuses = {**los["bonuses"], "obscured": 2 if class_ == "obscured" else 0}
    event["los"] = {"class": class_, **aim, "distance": los["distance"], "bonuses": bonuses}
    # An effect in what was really an obscured shot would be a fault of its own (CAL-AUD-02).
    at.table.no_effects = True
    text = (
        "A clear shot was taken for an obscured one."
        if due == "clear"
        else "An obscured shot was taken for a clear one."
    )
    return at.fault(rule, "miscalculated", at.side, text, "los.class", class_, due)


def clear_called_obscured(at: Moment) -> Expected | None:
    """A clear shot whose line meets nothing is written down as obscured."""
    return _called(at, "obscured", THROUGH)


def obscured_called_clear(at: Moment) -> Expected | None:
    """A shot whose line passes through a closed hex or a sealed door is written down as clear."""
    return _called(at, "clear", THROUGH)


def edge_misjudged(at: Moment) -> Expected | None:
    """A line along a hexside is taken for stopped or for free, and it is the other."""
    return _called(at, "obscured", ALONG) or _called(at, "clear", ALONG)


def corner_misjudged(at: Moment) -> Expected | None:
    """A line that touches a closed hex in a corner only is taken for stopped."""
    return _called(at, "obscured", CORNER)


def door_end_misjudged(at: Moment) -> Expected | None:
    """A line that meets the end of a sealed door is taken for stopped or for free, and it is the other."""
    return _called(at, "obscured", DOOR_END) or _called(at, "clear", DOOR_END)


def rubble_taken_for_a_stop(at: Moment) -> Expected | None:
    """A line over rubble, a barricade, an open door or an obstruction is taken for stopped."""
    return _called(at, "obscured", SEEN_THROUGH)


def aimed_beside_the_line(at: Moment) -> Expected | None:
    """The point aimed at in an obscured shot is one to which no free line goes."""
    event, unit, target = at.event, at.unit, at.target
    if event["mode"] != "ranged" or unit is None or target is None or event["los"]["class"] != "obscured":
        return None
    scene = rules.scene(at.position, unit, target, at.table.readings)
    q, r = target.hex
    quarter = Fraction(1, 4)
    points = [(q + x * quarter, r + y * quarter) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    at.table.rng.shuffle(points)
    # Where every point of the target's hex will do, one of the next hex.
    points.append((Fraction(q), Fraction(r + 1)))
    wrong = next(point for point in points if declared_line(scene, point) is None)
    due = event["los"]["aim"]
    event["los"]["aim"] = [str(x) for x in wrong]
    text = "The line to the point aimed at is not free."
    return at.fault("CAL-OBS-01", "miscalculated", at.side, text, "los.aim", event["los"]["aim"], due)


# ------------------------------------------------------------------ the weapons of a shot


def pistol_too_far(at: Moment) -> Expected | None:
    """A restricted weapon gives dice against a target beyond three hexes."""
    event = at.event
    if event.get("role") != "shoot" or at.unit is None:
        return None
    steps = event["los"]["distance"]
    far = [
        pair for pair in rules.intact(at.position, at.unit)
        if WEAPONS[pair[1]].kind == "ranged" and not rules.within(steps, WEAPONS[pair[1]].limit)
    ]  # fmt: skip
    if not far:
        return None
    event["weapons"].append(list(far[0]))
    event["dice"] = rules.shooting_dice(event["weapons"])
    at.table.no_effects = True
    return at.fault("CAL-SHT-02", "illegal", at.side, f"A {far[0][1]} was used beyond three hexes.")


def pistol_left_out(at: Moment) -> Expected | None:
    """A restricted weapon gives no dice although the target is within three hexes."""
    event = at.event
    if event.get("role") != "shoot" or len(event["weapons"]) < 2:
        return None
    near = [pair for pair in event["weapons"] if WEAPONS[pair[1]].limit is not None]
    if not near:
        return None
    event["weapons"].remove(near[0])
    event["dice"] = rules.shooting_dice(event["weapons"])
    at.table.no_effects = True
    text = f"A {near[0][1]} was left out although the target is within three hexes."
    return at.fault("CAL-SHT-02", "miscalculated", at.side, text)


def rifle_in_a_follow_up(at: Moment) -> Expected | None:
    """A weapon that is no flamer gives dice in the follow-up attack of one."""
    event = at.event
    if event.get("role") != "flamer_follow_up" or at.unit is None:
        return None
    steps = event["los"]["distance"]
    shooting = rules.shooting_weapons(at.position, at.unit, steps, "shoot")
    others = [pair for pair in shooting if list(pair) not in event["weapons"]]
    if not others:
        return None
    event["weapons"].append(list(others[0]))
    event["dice"] = rules.shooting_dice(event["weapons"])
    at.table.no_effects = True
    return at.fault("CAL-CRT-04", "miscalculated", at.side, f"A {others[0][1]} gave dice in a flamer's follow-up.")


# ------------------------------------------------------------------ whom to shoot at


def shooters(table: SpoiledTable, side: str) -> list[Unit]:
    """The units of a side that may Shoot now, in a chance order."""
    position = table.position
    units = [
        unit
        for unit in position.side_units(side)
        if unit.tp >= 1 and not rules.next_to_enemy(position, unit.hex, unit.side)
    ]
    table.rng.shuffle(units)
    return units


def _unseen(table: SpoiledTable, side: str) -> tuple[Unit, Unit, int | None] | None:
    """A unit with one that it does not see at all but has weapons against, and the distance."""
    position = table.position
    for unit in shooters(table, side):
        for target in position.side_units(other(side)):
            steps = rules.distance(position, unit.hex, target.hex, table.readings)
            if rules.shooting_weapons(position, unit, steps, "shoot"):
                if rules.sight(position, unit, target, table.readings, known=table.known_lines).kind == "none":
                    return unit, target, steps
    return None


def _shot_unseen(table: SpoiledTable, class_: str, unit: Unit, target: Unit, steps: int | None) -> None:
    table.no_effects = True
    over = rules.barricade_of(table.position, unit, target, class_, table.readings)
    table.shoot(unit, target, Sight(class_, (Fraction(target.hex[0]), Fraction(target.hex[1])), over), steps)


UNSEEN = "A unit shot at one that it does not see."


def unseen_called_clear(table: SpoiledTable, side: str) -> Expected | None:
    """A unit shoots at one that it does not see, as if nothing stood between them."""
    found = _unseen(table, side)
    if found is None:
        return None
    unit, target, steps = found
    rule = rule_of_class(rules.scene(table.position, unit, target, table.readings))
    expected = table.expect("CAL-SHT-01", "illegal", side, UNSEEN, 1)
    expected.also.append(
        table.expect(rule, "miscalculated", side, "A shot without any line of sight was called clear.", 1)
    )
    _shot_unseen(table, "clear", unit, target, steps)
    return expected


def unseen_called_obscured(table: SpoiledTable, side: str) -> Expected | None:
    """A unit shoots at one that it does not see, as if there were an obscured line."""
    found = _unseen(table, side)
    if found is None:
        return None
    expected = table.expect("CAL-OBS-01", "illegal", side, "A shot without any line of sight was called obscured.", 1)
    expected.also.append(table.expect("CAL-SHT-01", "illegal", side, UNSEEN, 1))
    _shot_unseen(table, "obscured", *found)
    return expected


def shot_at_friends(table: SpoiledTable, side: str) -> Expected | None:
    """A unit shoots at one of its own side."""
    position = table.position
    for unit in shooters(table, side):
        for target in position.side_units(side):
            if target is unit or target.hex == unit.hex:
                continue
            steps = rules.distance(position, unit.hex, target.hex, table.readings)
            if not rules.shooting_dice(rules.shooting_weapons(position, unit, steps, "shoot"))["total"]:
                continue
            seen = rules.sight(position, unit, target, table.readings, known=table.known_lines)
            if seen.kind != "none":
                table.no_effects = True
                expected = table.expect("CAL-SHT-01", "illegal", side, "A unit shot at one of its own side.", 1)
                table.shoot(unit, target, seen, steps)
                return expected
    return None


def shot_without_dice(table: SpoiledTable, side: str) -> Expected | None:
    """A unit shoots without a weapon that gives a die."""
    position = table.position
    for unit in shooters(table, side):
        for target in position.side_units(other(side)):
            steps = rules.distance(position, unit.hex, target.hex, table.readings)
            if rules.shooting_weapons(position, unit, steps, "shoot"):
                continue
            seen = rules.sight(position, unit, target, table.readings, known=table.known_lines)
            if seen.kind != "none" and seen.barricade is not None:
                expected = table.expect("CAL-SHT-01", "illegal", side, "A unit shot without a weapon for it.", 1)
                table.shoot(unit, target, seen, steps)
                return expected
    return None


SPOILERS: dict[str, tuple[str, Spoiler]] = {
    "CAL-LOS-01": ("dice", clear_called_obscured),
    "CAL-LOS-01 clear": ("dice", obscured_called_clear),
    "CAL-LOS-02": ("dice", edge_misjudged),
    "CAL-LOS-03": ("dice", corner_misjudged),
    "CAL-LOS-04": ("dice", door_end_misjudged),
    "CAL-LOS-05": ("dice", rubble_taken_for_a_stop),
    "CAL-OBS-01 miscalculated": ("dice", aimed_beside_the_line),
    "CAL-SHT-02": ("dice", pistol_too_far),
    "CAL-SHT-02 miscalculated": ("dice", pistol_left_out),
    "CAL-CRT-04 miscalculated": ("dice", rifle_in_a_follow_up),
}

MISDEEDS: dict[str, Misdeed] = {
    "CAL-SHT-01": unseen_called_clear,
    "CAL-SHT-01 friends": shot_at_friends,
    "CAL-SHT-01 no dice": shot_without_dice,
    "CAL-OBS-01": unseen_called_obscured,
}
