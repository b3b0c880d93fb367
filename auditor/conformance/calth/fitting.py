"""What else an attack says beside a label, held against each unit that may be meant: catalogue section 5, "Labels"."""

from __future__ import annotations

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.position import Event, Position, Unit
from auditor.conformance.calth.tables import Readings


def as_attacker(position: Position, event: Event, unit: Unit, target: Unit | None, readings: Readings) -> int:
    """How many of the statements of a melee attack are so if this unit made it."""
    if target is None:
        return 0
    claimed = event.get("dice", {})
    due = rules.melee_dice(position, unit, target, "assault", readings)
    right = [bool(claimed.get(name) == due[name]) for name in ("models", "weapons", "pistols")]
    return sum([*right, rules.adjacent(position, unit.hex, target.hex)])


def as_target(position: Position, event: Event, shooter: Unit, unit: Unit, readings: Readings) -> int:
    """How many of the statements of an attack on where its target stands are so if it is this unit."""
    if event["mode"] == "melee":
        return int(rules.adjacent(position, shooter.hex, unit.hex))
    los = event.get("los", {})
    right = 0
    if "distance" in los:
        right += los["distance"] == rules.distance(position, shooter.hex, unit.hex, readings)
    if "class" in los:
        right += los["class"] == rules.sight(position, shooter, unit, readings).kind
    if "rubble" in los.get("bonuses", {}):
        right += los["bonuses"]["rubble"] == int(position.board.is_rubble(unit.hex))
    return right
