"""Of two units that an attack may mean, the one that all else in the event fits (catalogue section 5, Labels)."""

from __future__ import annotations

from auditor.geometry.fans import Exact
from auditor.systems.calth import records
from auditor.systems.calth.reckoning.arms import arms_of
from auditor.systems.calth.sight import Class, is_outside
from auditor.systems.calth.state import Position, Unit


def fits_as_attacker(event: records.Attack, position: Position, unit: Unit, target: Unit | None) -> int:
    """How much of a melee attack is as if this unit made it: it stands beside the target, and its dice."""
    arms = arms_of(position.table, unit.models, position.destroyed)
    dice = event.dice
    alike = [target is not None and target.hex in position.adjacent(unit.hex)]
    if dice is not None:
        alike += [dice.models == arms.assault, dice.weapons == arms.bonus]
        alike.append(dice.pistols in (sum(1 for n in arms.pistols if n), sum(arms.pistols)))
    return sum(alike)


def fits_as_target(
    event: records.Attack, position: Position, attacker: Unit, unit: Unit, aim: Exact | None, *, melee: bool
) -> int:
    """How much of an attack is as if it were made on this unit: in melee it stands beside the attacker; else distance,
    class, rubble and the point aimed at, each where it is so under some reading.
    """
    if melee:
        return int(unit.hex in position.adjacent(attacker.hex))
    los = event.los
    if los is None:
        return 0
    shot = position.table.shot(attacker.hex, unit.hex, position.occupied, position.sealed_mask)
    alike = [los.distance in {len(path) - 1 for path in shot.lengths[0] if path is not None}]
    possible: set[Class] = {shot.classify(lambda _: "")} if shot.is_sure else {"clear", "obscured"}
    alike.append(los.class_ in possible)
    if los.bonuses is not None:
        alike.append(los.bonuses.rubble == int(unit.hex in position.table.rubble))
    if aim is not None:
        alike.append(not is_outside(aim, unit.hex))
    return sum(alike)
