"""Lines that change the position although nothing gives them, and lines that contradict what they restate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.plant.moment import Expected, Misdeed
from auditor.conformance.calth.position import Unit
from auditor.conformance.calth.tables import other

if TYPE_CHECKING:
    from auditor.conformance.calth.plant.table import SpoiledTable


def _texts(table: SpoiledTable) -> bool:
    """Whether the scenario has special rules, which might give it."""
    return bool(table.header["scenario"].get("special_rules"))


def _bystander(table: SpoiledTable, side: str, models: int = 1) -> Unit | None:
    """A unit that nothing has happened to in the action before, while activations go on."""
    position = table.position
    if position.phase != "action":
        return None
    touched: set[str] = set()
    for event in reversed(table.log):
        touched |= {str(event.get(key)) for key in ("unit", "attacker", "target")}
        if event["type"] == "activate":
            break
    units = [u for u in position.side_units(side) if u.id not in touched and len(u.models) >= models]
    if len(position.side_units(side)) < 3:
        return None
    return table.rng.choice(units) if units else None


def tp_taken(table: SpoiledTable, side: str) -> Expected | None:
    """A unit loses a TP by an effect that no attack had."""
    unit = _bystander(table, side)
    if unit is None or unit.tp < 1:
        return None
    expected = table.expect("CAL-ACT-05", "illegal", side, "A unit lost a TP for no cause.")
    table.write(
        "tp_loss", other(side), unit=unit.id, amount=1, cause="crit", tp_before=unit.tp, tp_after=unit.tp - 1
    )  # fmt: skip
    return expected


def model_taken(table: SpoiledTable, side: str) -> Expected | None:
    """A model is taken off although nothing felled it."""
    unit = _bystander(table, side, models=2)
    if unit is None:
        return None
    expected = table.expect("CAL-ATK-08", "illegal", side, "A model was removed for no cause.")
    table.write("model_removed", side, model=table.rng.choice(unit.models), cause="attack")
    return expected


def unit_taken(table: SpoiledTable, side: str) -> Expected | None:
    """A whole unit is taken off although nothing felled it."""
    unit = _bystander(table, side)
    if unit is None:
        return None
    expected = table.expect("CAL-ATK-08", "illegal", side, "A unit was removed for no cause.")
    table.write("unit_removed", side, unit=unit.id, cause="attack")
    return expected


def weapon_lost(table: SpoiledTable, side: str) -> Expected | None:
    """A weapon is destroyed by an effect that no attack had."""
    return _weapon_lost(table, side, "crit", "miscalculated")


def weapon_lost_for_nothing(table: SpoiledTable, side: str) -> Expected | None:
    """A weapon is destroyed for a cause that there is not."""
    return _weapon_lost(table, side, "mishap", "illegal")


def _weapon_lost(table: SpoiledTable, side: str, cause: str, kind: str) -> Expected | None:
    unit = _bystander(table, side)
    intact = rules.intact(table.position, unit) if unit is not None else []
    if not intact:
        return None
    model, weapon = table.rng.choice(intact)
    expected = table.expect("CAL-CRT-06", kind, side, "A weapon was destroyed for no cause.")
    table.write("weapon_destroyed", side, model=model, weapon=weapon, cause=cause)
    return expected


def weapon_never_had(table: SpoiledTable, side: str) -> Expected | None:
    """A weapon is destroyed that the model never carried."""
    unit = _bystander(table, side)
    if unit is None:
        return None
    model = table.rng.choice(unit.models)
    if "assault_cannon" in table.position.models[model].weapons:
        return None
    expected = table.expect("CAL-CRT-06", "illegal", side, "A weapon was destroyed that nobody carried.")
    table.write("weapon_destroyed", side, model=model, weapon="assault_cannon", cause="crit")
    return expected


def weapon_lost_by_a_card(table: SpoiledTable, side: str) -> Expected | None:
    """A weapon is destroyed by a Damage card that nobody drew."""
    unit = _bystander(table, side)
    intact = rules.intact(table.position, unit) if unit is not None else []
    if not intact:
        return None
    model, weapon = table.rng.choice(intact)
    if table.position.models[model].has_damage_deck:
        return None
    expected = table.expect("CAL-SOR-01", "illegal", side, "A weapon was destroyed by a card that was not drawn.")
    table.write("weapon_destroyed", side, model=model, weapon=weapon, cause="damage_card")
    return expected


def placed_late(table: SpoiledTable, side: str) -> Expected | None:
    """A model is placed anew in the middle of the game."""
    unit = _bystander(table, side, models=2)
    if unit is None or _texts(table):
        return None
    position = table.position
    free = [h for h in sorted(position.board.kinds) if rules.room(position, h, side) == rules.CAPACITY]
    if not free:
        return None
    expected = table.expect("CAL-SET-02", "illegal", side, "A model was placed after the set-up.")
    h = table.rng.choice(free)
    table.write("place", side, model=unit.models[-1], hex=list(h), unit=table.mint(side))
    return expected


def risen(table: SpoiledTable, side: str) -> Expected | None:
    """A removed model is placed again."""
    position = table.position
    fallen = sorted(m for m in position.removed if position.models[m].side == side)
    free = [h for h in sorted(position.board.kinds) if rules.room(position, h, side) == rules.CAPACITY]
    if position.phase != "action" or not fallen or not free or _texts(table):
        return None
    expected = table.expect("CAL-ATK-08", "illegal", side, "A removed model was placed again.")
    table.can_be = False
    table.write("place", side, model=table.rng.choice(fallen), hex=list(table.rng.choice(free)), unit=table.mint(side))
    table.can_be = True
    return expected


def carried_off(table: SpoiledTable, side: str) -> Expected | None:
    """A unit is moved by the scenario, which says nothing of it."""
    unit = _bystander(table, side)
    position = table.position
    if unit is None or _texts(table):
        return None
    free = [h for h in sorted(position.board.kinds) if rules.room(position, h, side) == rules.CAPACITY]
    if not free:
        return None
    expected = table.expect("CAL-ACT-02", "illegal", side, "A unit was moved by no rule.")
    path = [list(unit.hex), list(table.rng.choice(free))]
    table.write("move_unit", side, unit=unit.id, path=path, cause="scenario")
    return expected


MISDEEDS: dict[str, Misdeed] = {
    "CAL-ACT-05 illegal": tp_taken,
    "CAL-ATK-08 model removed": model_taken,
    "CAL-ATK-08 unit removed": unit_taken,
    "CAL-ATK-08 placed": risen,
    "CAL-CRT-06 lost": weapon_lost,
    "CAL-CRT-06 illegal": weapon_lost_for_nothing,
    "CAL-CRT-06 never carried": weapon_never_had,
    "CAL-SOR-01 weapon": weapon_lost_by_a_card,
    "CAL-SET-02 late": placed_late,
    "CAL-ACT-02 scenario": carried_off,
}
