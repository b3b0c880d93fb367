"""What the first position of a record leaves out of a unit and may be so all the same: that is a hole.

No flag of a position has a default (catalogue section 5: what it leaves out is a hole). But what cannot have happened yet
when it is stated, or is over by then, need not be denied. Source: catalogue section 3, CLX-SHOOT-11, BASE-PINNED.
"""

from __future__ import annotations

import msgspec

from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import (
    NOTHING_DONE,
    OF_A_TURN,
    PHASES,
    Position,
    all_of_units,
    flags_of,
    units_of,
)

FLAGS = {
    "pinned": "is pinned",
    "gone_to_ground": "has gone to ground",
    "prone": "dropped or pressed on",
    "jinking": "jinks",
    "falling_back": "is falling back",
    "fear_overcome": "has beaten what it feared",
    "arrived": "has arrived from reserve in this turn",
}
"""A flag of a unit -> what it says."""

LYING = ("pinned", "gone_to_ground", "prone")
"""Flags by which a unit has cover where it stands in none."""
JINKS = ("bike", "jetbike", "eldar_jetbike")
IN_ITS_OWN_TURN = "pinned in its own turn"
"""A fact beside the flag: a unit may have been pinned since its own Assault Phase."""


def unsaid(unit: Unit, entry: records.UnitStated | None, position: Position) -> list[str]:
    """The flags of a unit that a position leaves out and that may be set in it. `position`: as it is stated, with turn and
    phase."""
    if entry is not None and entry.reserve:
        return []  # What is yet to come has done nothing.
    ground = entry is not None and entry.gone_to_ground  # Who goes to ground neither drops nor presses on.
    flags = [flag for flag in FLAGS if not is_said(entry, flag) and not (ground and flag == "prone")]
    return [flag for flag in flags if _may_be(flag, unit, position)]


def is_said(entry: records.UnitStated | None, flag: str) -> bool:
    """Whether a position speaks of a flag of a unit. That it has not arrived in this turn is said by a null; that it has, by
    the turn and how."""
    value = getattr(entry, flag, None)
    if isinstance(value, records.Arrived) and None in (value.turn, value.method):
        return False
    return value is not msgspec.UNSET and (value is not None or (flag == "arrived" and entry is not None))


def _may_be(flag: str, unit: Unit, position: Position) -> bool:
    if flag == "pinned":
        return pinned_in_its_own_turn(unit, position) or not _nothing_before(position)
    if flag == "falling_back":
        own = position.active == unit.player and position.phase in PHASES[:-1]
        return position.turn != 0 and not (own and _first_turn(position))
    if flag == "fear_overcome":
        return bool(feared(unit, position)) and fought_before(position)
    if flag == "arrived":
        return "outflank" in unit.rules and position.active in (None, unit.player) and position.turn != 0
    if flag == "jinking":
        return may_jink(unit) and position.active != unit.player and _shooting_may_have_begun(position)
    # Who lies down does so in the enemy's Shooting Phase, for its own next turn.
    if position.active == unit.player:
        return not _first_turn(position)
    return position.active is None or _shooting_may_have_begun(position)


def feared(unit: Unit, position: Position) -> frozenset[str]:
    """The enemy units that a unit fears: those with Fear, unless it has Fear itself."""
    enemies = () if "fear" in unit.rules else position.setup.units.values()
    return frozenset(one.id for one in enemies if one.player != unit.player and "fear" in one.rules)


def fought_before(position: Position) -> bool:
    """Whether there may have been combats before a position that is stated."""
    return position.turn != 0 and not (_first_turn(position) and position.phase in PHASES[:-1])


def may_jink(unit: Unit) -> bool:
    """Whether a unit is one of those that jink."""
    return unit.type in JINKS or (unit.vehicle is not None and unit.vehicle.skimmer)


def pinned_in_its_own_turn(unit: Unit, position: Position) -> bool:
    """Whether a unit may have been pinned in its own turn, as tests for Fear and defensive grenades do in the Assault Phase:
    then it is so until its next turn is over."""
    return position.active in (None, unit.player) and position.phase in (None, PHASES[-1]) and position.turn != 0


def _nothing_before(position: Position) -> bool:
    """Whether nothing has happened in the game but moves of who has the first turn."""
    return position.turn == 0 or (_first_turn(position) and position.phase == PHASES[0])


def _first_turn(position: Position) -> bool:
    """Whether this is the first turn of the game, or the game has not begun."""
    opens = position.turn == 1 and position.active is not None and position.active == position.first
    return position.turn == 0 or opens


def _shooting_may_have_begun(position: Position) -> bool:
    return position.turn != 0 and position.phase not in PHASES[:2]


def flags_of_a_new_turn(position: Position, player: str | None) -> list[tuple[str, str]]:
    """The facts that are flags of which nobody need speak any more when a turn of a player begins, and what was done in the
    turn before."""
    found: list[tuple[str, str]] = list(OF_A_TURN)
    for unit in position.setup.units.values() if position.holes else ():
        found += flags_of(unit.id, "jinking")
        fights = flags_of(unit.id, "locked_with")
        if not position.units[unit.id].locked_with and position.holes.doubt(fights) is None:
            found += flags_of(unit.id, "charge", "faced")  # A charge before counts no more.
        if unit.player == player:
            found += flags_of(unit.id, "arrived", *NOTHING_DONE)
            continue
        # What began in the enemy's turn is over with the unit's own; what began in that is over with its next.
        if position.holes.doubt(units_of([unit.id])) not in (None, position.holes.whole):
            continue  # It is not known whose turns have been.
        late = position.holes.doubt(flags_of(unit.id, IN_ITS_OWN_TURN)) is not None
        found += flags_of(unit.id, "gone_to_ground", "prone", IN_ITS_OWN_TURN if late else "pinned")
    return found


def flags_of_who_arrives(unit: Unit) -> tuple[tuple[str, str], ...]:
    """The facts that are what a unit is that comes to the table: it has done nothing yet, and nobody is wounded."""
    wounds = (("wounds", model.id) for model in unit.models)
    return (*all_of_units([unit.id]), *flags_of(unit.id, IN_ITS_OWN_TURN), *wounds)
