"""Faults of the map: acts that go where no model can go, or where there is no room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.board import Hex, are_neighbours, edge_of, neighbours
from auditor.conformance.calth.plant.moment import Expected, Misdeed
from auditor.conformance.calth.position import Unit

if TYPE_CHECKING:
    from auditor.conformance.calth.plant.table import SpoiledTable

MOVE_RULES = {"advance": "CAL-ADV-01", "run": "CAL-RUN-01", "consolidate": "CAL-CON-01"}


def _ready(table: SpoiledTable, side: str) -> list[Unit]:
    units = [unit for unit in table.position.side_units(side) if unit.tp >= 1]
    table.rng.shuffle(units)
    return units


def _beside(table: SpoiledTable, unit: Unit) -> list[Hex]:
    hexes = neighbours(unit.hex)
    table.rng.shuffle(hexes)
    return hexes


def _go(table: SpoiledTable, unit: Unit, to: Hex, rule: str, text: str, *, can_be: bool) -> Expected:
    """One step that breaks a map rule, by any of the three moves; `can_be`: whether the unit could stand there."""
    actions = ["advance", "consolidate"]
    if not rules.next_to_enemy(table.position, unit.hex, unit.side):
        actions.append("run")
    action = table.rng.choice(actions)
    table.activate(unit, action)
    expected = table.expect(rule, "illegal", unit.side, text)
    expected.breaks_too(MOVE_RULES[action], f"This is no legal {action}.")
    table.can_be = can_be
    if action == "consolidate":
        placing: dict[str, Hex | None] = dict.fromkeys(unit.models)
        placing[unit.models[0]] = to
        table.move_models(unit, placing, "consolidate")
    else:
        table.write("move_unit", unit.side, unit=unit.id, path=[list(unit.hex), list(to)], cause=action)
    table.can_be = True
    return expected


def _into_nothing(table: SpoiledTable, side: str, rule: str, text: str, *, on_board: bool) -> Expected | None:
    position = table.position
    for unit in _ready(table, side):
        for h in _beside(table, unit):
            shut = position.board.is_shut(h) and (h in position.board.kinds) == on_board
            if shut and rules.adjacent(position, unit.hex, h):
                return _go(table, unit, h, rule, text, can_be=False)
    return None


def into_blocked(table: SpoiledTable, side: str) -> Expected | None:
    """A unit or a model of it moves into a blocked hex."""
    return _into_nothing(table, side, "CAL-HEX-01", "A blocked hex was entered.", on_board=True)


def off_the_board(table: SpoiledTable, side: str) -> Expected | None:
    """A unit or a model of it moves off the board."""
    return _into_nothing(table, side, "CAL-HEX-02", "A space that is no hex of the board was entered.", on_board=False)


def _through_nothing(table: SpoiledTable, side: str, rule: str, text: str, *, on_board: bool) -> Expected | None:
    position = table.position
    for unit in _ready(table, side):
        if rules.next_to_enemy(position, unit.hex, side):
            continue
        for h in _beside(table, unit):
            if not position.board.is_shut(h) or (h in position.board.kinds) != on_board:
                continue
            ends = [g for g in neighbours(h) if rules.may_enter(position, h, g)]
            if ends and rules.adjacent(position, unit.hex, h) and not rules.next_to_enemy(position, h, side):
                table.activate(unit, "run")
                expected = table.expect(rule, "illegal", side, text).breaks_too("CAL-RUN-01", "This is no legal Run.")
                path = [list(x) for x in (unit.hex, h, table.rng.choice(ends))]
                table.write("move_unit", side, unit=unit.id, path=path, cause="run")
                return expected
    return None


def through_blocked(table: SpoiledTable, side: str) -> Expected | None:
    """A unit runs through a blocked hex."""
    return _through_nothing(table, side, "CAL-HEX-01", "A unit ran through a blocked hex.", on_board=True)


def through_the_outside(table: SpoiledTable, side: str) -> Expected | None:
    """A unit runs across a space that is no hex of the board."""
    return _through_nothing(table, side, "CAL-HEX-02", "A unit ran across the outside of the board.", on_board=False)


def through_a_door(table: SpoiledTable, side: str) -> Expected | None:
    """A unit or a model of it goes through a sealed door."""
    position = table.position
    for unit in _ready(table, side):
        for h in _beside(table, unit):
            if edge_of(unit.hex, h) in position.sealed and rules.room(position, h, side) == rules.CAPACITY:
                return _go(table, unit, h, "CAL-HEX-05", "A sealed door was passed.", can_be=True)
    return None


def advance_onto_others(table: SpoiledTable, side: str) -> Expected | None:
    """A unit Advances into a hex where others stand."""
    return _onto_others(table, side, "advance")


def run_onto_others(table: SpoiledTable, side: str) -> Expected | None:
    """A unit Runs into a hex where others stand."""
    return _onto_others(table, side, "run")


def _onto_others(table: SpoiledTable, side: str, action: str) -> Expected | None:
    """A whole unit enters a hex where there is no room for it, or where an enemy stands: the act's rule alone says so."""
    position = table.position
    for unit in _ready(table, side):
        if action == "run" and rules.next_to_enemy(position, unit.hex, side):
            continue
        for h in _beside(table, unit):
            if not rules.adjacent(position, unit.hex, h) or position.unit_at(h) is None:
                continue
            if rules.room(position, h, side) < position.bulk(unit.models):
                table.activate(unit, action)
                expected = table.expect(MOVE_RULES[action], "illegal", side, "The hex was occupied.")
                table.can_be = False
                table.write("move_unit", side, unit=unit.id, path=[list(unit.hex), list(h)], cause=action)
                table.can_be = True
                return expected
    return None


def into_a_full_hex(table: SpoiledTable, side: str) -> Expected | None:
    """A model Consolidates into a hex of friends that has no room for it."""
    return _into_a_full_hex(table, side, "CAL-CON-03", "CAL-HEX-07")


def fuller_than_a_hex_holds(table: SpoiledTable, side: str) -> Expected | None:
    """The same act, looked for under the rule of the map."""
    return _into_a_full_hex(table, side, "CAL-HEX-07", "CAL-CON-03")


def _into_a_full_hex(table: SpoiledTable, side: str, rule: str, beside: str) -> Expected | None:
    position = table.position
    for unit in _ready(table, side):
        for h in _beside(table, unit):
            host = position.unit_at(h)
            if host is None or host.side != side or not rules.adjacent(position, unit.hex, h):
                continue
            for model in unit.models:
                if position.models[model].bulk > rules.room(position, h, side):
                    table.activate(unit, "consolidate")
                    expected = table.expect(rule, "illegal", side, "More bulk went into a hex than it holds.")
                    expected.breaks_too(beside, "More bulk went into a hex than it holds.")
                    placing: dict[str, Hex | None] = dict.fromkeys(unit.models)
                    placing[model] = h
                    table.can_be = False
                    table.move_models(unit, placing, "consolidate")
                    table.can_be = True
                    return expected
    return None


def host_makes_room(table: SpoiledTable, side: str) -> Expected | None:
    """A model of the unit that is being joined moves on, as if it were part of the Consolidate."""
    position = table.position
    for unit in _ready(table, side):
        for h in _beside(table, unit):
            host = position.unit_at(h)
            if host is None or host.side != side or not rules.adjacent(position, unit.hex, h) or len(host.models) < 2:
                continue
            mover, moved = unit.models[0], host.models[0]
            free = rules.room(position, h, side) + position.models[moved].bulk
            onward = [
                g
                for g in neighbours(h)
                if rules.may_enter(position, h, g)
                and g != unit.hex
                and (rules.adjacent(position, unit.hex, g) or not are_neighbours(unit.hex, g))
            ]
            # What a new unit of a foreign model copies is nobody's rule, so both have the same.
            if onward and position.models[mover].bulk <= free and host.tp == unit.tp - 1:
                return _swapped(table, unit, host, mover, moved, table.rng.choice(onward))
    return None


def _swapped(table: SpoiledTable, unit: Unit, host: Unit, mover: str, moved: str, to: Hex) -> Expected:
    side = unit.side
    table.activate(unit, "consolidate")
    expected = table.expect("CAL-CON-02", "illegal", side, "A model of a unit that was only joined moved too.")
    expected.breaks_too("CAL-CON-01", "A model that is not of the unit moved.")
    stays = [{"unit": unit.id, "hex": list(unit.hex), "tp": unit.tp}] if len(unit.models) > 1 else []
    table.write(
        "move_models", side, unit=unit.id,
        moves=[{"model": mover, "to": list(host.hex)}, {"model": moved, "to": list(to)}],
        units=[
            *stays,
            {"unit": host.id, "hex": list(host.hex), "tp": host.tp},
            {"unit": table.mint(side), "hex": list(to), "tp": unit.tp},
        ],
        cause="consolidate",
    )  # fmt: skip
    return expected


MISDEEDS: dict[str, Misdeed] = {
    "CAL-HEX-01": into_blocked,
    "CAL-HEX-01 through": through_blocked,
    "CAL-HEX-02": off_the_board,
    "CAL-HEX-02 through": through_the_outside,
    "CAL-HEX-05": through_a_door,
    "CAL-HEX-07": fuller_than_a_hex_holds,
    "CAL-ADV-01 onto others": advance_onto_others,
    "CAL-RUN-01 onto others": run_onto_others,
    "CAL-CON-02": host_makes_room,
    "CAL-CON-03": into_a_full_hex,
}
