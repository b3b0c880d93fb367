"""What an Assault leads to: its losses, whether the target has to retreat, where to, and who has to make a last
stand.
"""

from __future__ import annotations

from auditor.core.rulings import Hearing
from auditor.geometry.hexes import Hex
from auditor.systems.calth.state import OTHER, Activation, Position, Unit

LAST_STAND_ROLL = "CAL-DLS-01"


def open_assault(position: Position) -> Activation | None:
    """The open activation, if it is an Assault."""
    act = position.act
    return act if act is not None and act.action == "assault" else None


def assaulted(position: Position, act: Activation) -> Unit | None:
    """The unit that an Assault is made on, as it stands now in its hex; not one that has come there since."""
    unit = position.of_act(act.target_hex)
    if unit is None or unit.side == act.side or not any(model in unit.models for model in act.target_models):
        return None
    return unit


def retreat_due(act: Activation, position: Position, hearing: Hearing) -> bool:
    """Whether the target of an Assault has to retreat (CAL-RET-01)."""
    if not act.attacked or assaulted(position, act) is None:
        return False
    lost, other = assault_losses(act, OTHER[act.side], hearing), assault_losses(act, act.side, hearing)
    return lost > other


def assault_losses(act: Activation, side: str, hearing: Hearing) -> int:
    """Models that a side's unit lost in the melee attacks of this action."""
    locations = act.locations[side]
    if locations and hearing.ask("R-SOR-CAS") == "locations_count":
        return act.losses[side] + locations
    return act.losses[side]


def retreat_room(position: Position, start: Hex, side: str, bulk: int) -> list[Hex]:
    """Hexes that a retreating model may enter now: adjacent, not beside an enemy, with room (CAL-RET-02)."""
    found: list[Hex] = []
    for hex_ in sorted(position.adjacent(start)):
        there = position.by_hex.get(hex_)
        if there is not None and there.side != side:
            continue
        if position.next_to_enemy(hex_, side) or position.room(hex_) < bulk:
            continue
        found.append(hex_)
    return found


def can_leave(position: Position, unit: Unit) -> bool:
    """Whether some model of a unit that has to retreat can."""
    known = position.table.models
    return any(retreat_room(position, unit.hex, unit.side, known[m].bulk) for m in unit.models if m in known)


def must_roll(position: Position, act: Activation | None, hearing: Hearing) -> tuple[Unit, tuple[str, ...]] | None:
    """The unit and its models that have to roll in a desperate last stand, if one is due."""
    if act is None or act.action != "assault" or not act.attacked or act.rolled:
        return None
    unit = assaulted(position, act)
    if unit is None:
        return None
    if act.retreated or act.said or retreat_due(act, position, hearing):
        return unit, unit.models
    return None
