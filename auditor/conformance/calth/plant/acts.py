"""Faults that are whole acts: the planter plays them at the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.board import Hex, neighbours
from auditor.conformance.calth.plant.moment import CLOSING, Expected, Misdeed
from auditor.conformance.calth.position import Unit
from auditor.conformance.calth.tables import (
    other,
)

if TYPE_CHECKING:
    from auditor.conformance.calth.plant.table import SpoiledTable


def _free_ways(table: SpoiledTable, unit: Unit, length: int) -> list[list[Hex]]:
    """Paths of so many legal steps that come back to no hex."""
    paths = [[unit.hex]]
    for _ in range(length):
        paths = [
            [*path, h]
            for path in paths
            for h in neighbours(path[-1])
            if h not in path and rules.may_enter(table.position, path[-1], h)
        ]
    return paths


def _ready(table: SpoiledTable, side: str) -> list[Unit]:
    units = [unit for unit in table.position.side_units(side) if unit.tp >= 1]
    table.rng.shuffle(units)
    return units


def _pinned(table: SpoiledTable, unit: Unit) -> bool:
    return rules.next_to_enemy(table.position, unit.hex, unit.side)


def _walk(table: SpoiledTable, unit: Unit, path: Sequence[Hex], cause: str) -> None:
    table.write("move_unit", unit.side, unit=unit.id, path=[list(h) for h in path], cause=cause)


def _moved(table: SpoiledTable, unit: Unit, action: str, path: Sequence[Hex]) -> None:
    table.activate(unit, action)
    _walk(table, unit, path, action)


def run_while_pinned(table: SpoiledTable, side: str) -> Expected | None:
    """A pinned unit Runs one step."""
    for unit in _ready(table, side):
        ways = _free_ways(table, unit, 1)
        if _pinned(table, unit) and ways:
            expected = table.expect("CAL-PIN-01", "illegal", side, "A pinned unit declared a Run.")
            _moved(table, unit, "run", ways[0])
            return expected
    return None


def shoot_while_pinned(table: SpoiledTable, side: str) -> Expected | None:
    """A pinned unit shoots."""
    for unit in _ready(table, side):
        shots = table.shots(unit)
        if _pinned(table, unit) and shots:
            expected = table.expect("CAL-PIN-01", "illegal", side, "A pinned unit declared a Shoot.")
            table.shoot(unit, *shots[0])
            return expected
    return None


def late_card(table: SpoiledTable, side: str) -> Expected | None:
    """The Command card that was forgotten is drawn in the action phase."""
    if side not in table.owed_cards or table.position.phase != "action":
        return None
    table.owed_cards.remove(side)
    expected = table.expect("CAL-RDY-03", "illegal", side, "A Command card was drawn after the actions had begun.")
    table.draw_card(side)
    return expected


def advance_two(table: SpoiledTable, side: str) -> Expected | None:
    """A unit Advances two steps."""
    for unit in _ready(table, side):
        ways = _free_ways(table, unit, 2)
        if ways:
            table.activate(unit, "advance")
            text = "An Advance went two steps."
            expected = table.expect("CAL-ADV-01", "illegal", side, text)
            _walk(table, unit, table.rng.choice(ways), "advance")
            return expected
    return None


def _run(table: SpoiledTable, side: str, rule: str, text: str, length: int, stops: str) -> Expected | None:
    """A Run whose inner hexes are next to an enemy (`enemy`), rubble (`rubble`) or neither (`nothing`)."""
    position = table.position

    def kind(h: Hex) -> tuple[bool, bool]:
        return rules.next_to_enemy(position, h, side), position.board.is_rubble(h)

    wanted = {"nothing": (False, False), "enemy": (True, False), "rubble": (False, True)}[stops]
    for unit in _ready(table, side):
        if _pinned(table, unit):
            continue
        ways = [path for path in _free_ways(table, unit, length) if all(kind(h) == wanted for h in path[1:-1])]
        if ways:
            table.activate(unit, "run")
            expected = table.expect(rule, "illegal", side, text)
            _walk(table, unit, table.rng.choice(ways), "run")
            return expected
    return None


def run_three(table: SpoiledTable, side: str) -> Expected | None:
    """A Run of three steps."""
    return _run(table, side, "CAL-RUN-01", "A Run went three steps.", 3, "nothing")


def run_past_enemy(table: SpoiledTable, side: str) -> Expected | None:
    """A Run that goes on beyond a hex next to an enemy."""
    return _run(table, side, "CAL-RUN-02", "A Run went on after a hex next to an enemy.", 2, "enemy")


def run_through_rubble(table: SpoiledTable, side: str) -> Expected | None:
    """A Run that goes on beyond rubble."""
    return _run(table, side, "CAL-RUN-03", "A Run went on after entering rubble.", 2, "rubble")


def jump(table: SpoiledTable, side: str) -> Expected | None:
    """A model Consolidates into a hex two steps away."""
    for unit in _ready(table, side):
        ways = _free_ways(table, unit, 2)
        near = neighbours(unit.hex)
        far = [path[-1] for path in ways if path[-1] not in near]
        if far and len(unit.models) > 1:
            table.activate(unit, "consolidate")
            expected = table.expect("CAL-CON-01", "illegal", side, "A model Consolidated two steps far.")
            placing: dict[str, Hex | None] = dict.fromkeys(unit.models)
            placing[unit.models[0]] = far[0]
            table.move_models(unit, placing, "consolidate")
            return expected
    return None


def turn_taken(table: SpoiledTable, side: str) -> Expected | None:
    """The other player activates although it is not their turn."""
    if not table.position.has_tp(other(side)):
        return None
    expected = table.expect("CAL-ACT-01", "illegal", other(side), "A player activated out of turn.")
    table.plain_activation(other(side))
    return expected


def needless_pass(table: SpoiledTable, side: str) -> Expected | None:
    """A player with TPs passes."""
    if not table.position.has_tp(other(side)):
        return None
    expected = table.expect("CAL-ACT-04", "illegal", side, "A player who had TPs passed.")
    table.write("pass", side, reason="wants to wait")
    return expected


def spent_unit_acts(table: SpoiledTable, side: str) -> Expected | None:
    """A unit without TPs Advances."""
    for unit in table.position.side_units(side):
        ways = _free_ways(table, unit, 1)
        if unit.tp == 0 and ways:
            expected = table.expect("CAL-ACT-02", "illegal", side, "A unit without TPs was activated.")
            table.write("activate", side, unit=unit.id, tp_before=0, tp_after=0, action="advance")
            _walk(table, unit, ways[0], "advance")
            return expected
    return None


def two_actions(table: SpoiledTable, side: str) -> Expected | None:
    """An Advance and then a Consolidate in one activation."""
    for unit in _ready(table, side):
        ways = _free_ways(table, unit, 2)
        if ways:
            there, beyond = ways[0][1:]
            _moved(table, unit, "advance", (unit.hex, there))
            expected = table.expect("CAL-ACT-03", "illegal", side, "Two actions were made in one activation.")
            table.move_models(unit, dict.fromkeys(unit.models, beyond), "consolidate")
            return expected
    return None


def two_moves(table: SpoiledTable, side: str) -> Expected | None:
    """An Advance of two steps, written down line by line."""
    for unit in _ready(table, side):
        ways = _free_ways(table, unit, 2)
        if ways:
            start, there, beyond = ways[0]
            _moved(table, unit, "advance", (start, there))
            expected = table.expect("CAL-ADV-01", "illegal", side, "An Advance went two steps.")
            _walk(table, unit, (there, beyond), "advance")
            return expected
    return None


def moves_unbidden(table: SpoiledTable, side: str) -> Expected | None:
    """A unit Advances that was not activated."""
    position = table.position
    if position.phase != "action":
        return None
    for unit in _ready(table, side):
        ways = _free_ways(table, unit, 1)
        if ways and unit.id != position.activated:
            expected = table.expect("CAL-ACT-02", "illegal", side, "A unit that was not activated moved.")
            _walk(table, unit, table.rng.choice(ways), "advance")
            return expected
    return None


def other_than_declared(table: SpoiledTable, side: str) -> Expected | None:
    """A Consolidate is declared, and the unit Advances."""
    for unit in _ready(table, side):
        ways = _free_ways(table, unit, 1)
        if ways:
            table.activate(unit, "consolidate")
            expected = table.expect("CAL-ACT-03", "ambiguous", side, "Another action was made than the one declared.")
            _walk(table, unit, table.rng.choice(ways), "advance")
            return expected
    return None


def step_before_assault(table: SpoiledTable, side: str) -> Expected | None:
    """A unit that stands next to an enemy moves before its attack."""
    position = table.position
    for unit in _ready(table, side):
        steps = [h for h in rules.advances(position, unit) if rules.next_to_enemy(position, h, side)]
        if _pinned(table, unit) and steps:
            expected = table.expect(
                "CAL-ASL-02", "illegal", side, "A unit next to an enemy moved before its attack.", 1
            )
            table.assault_from(unit, steps[0])
            return expected
    return None


def assault_without_attack(table: SpoiledTable, side: str) -> Expected | None:
    """An Assault is declared next to an enemy and nothing follows."""
    for unit in _ready(table, side):
        if _pinned(table, unit):
            table.activate(unit, "assault")
            return Expected(
                "CAL-ASL-01", "omitted", side, "An Assault was declared and no attack was made.", at_next=CLOSING
            )
    return None


def destroyed_unit_acts(table: SpoiledTable, side: str) -> Expected | None:
    """A unit that has no model left is activated."""
    gone = [unit for unit, of in table.destroyed.items() if of == side]
    if not gone:
        return None
    expected = table.expect("CAL-ATK-08", "illegal", side, "A unit without models was activated.")
    table.write("activate", side, unit=table.rng.choice(gone), tp_before=1, tp_after=0, action="none")
    return expected


def own_door(table: SpoiledTable, side: str) -> Expected | None:
    """A player opens a door by hand."""
    if not table.position.sealed:
        return None
    a, b = table.rng.choice(sorted(table.position.sealed))
    expected = table.expect("CAL-SET-03", "illegal", None, "A sealed door was opened without a cause.")
    table.write("door", edge=[list(a), list(b)], state="open", cause={"source": "player", "id": "by hand"})
    return expected


def round_cut_short(table: SpoiledTable, side: str) -> Expected | None:
    """The round ends while units have TPs."""
    left = {unit.id: unit.tp for unit in table.position.units.values() if unit.tp > 0}
    if len(left) > 3:
        return None
    table.cut_short = True
    text = "The round ended while units had TPs."
    expected = table.expect("CAL-RND-01", "illegal", None, text)
    expected.recomputed = {"tp_left": left}
    return expected


MISDEEDS: dict[str, Misdeed] = {
    "CAL-PIN-01": run_while_pinned,
    "CAL-PIN-01 shoot": shoot_while_pinned,
    "CAL-RDY-03": late_card,
    "CAL-ADV-01": advance_two,
    "CAL-RUN-01": run_three,
    "CAL-RUN-02": run_past_enemy,
    "CAL-RUN-03": run_through_rubble,
    "CAL-CON-01": jump,
    "CAL-ACT-01": turn_taken,
    "CAL-ACT-04": needless_pass,
    "CAL-ACT-02 illegal": spent_unit_acts,
    "CAL-ACT-02 unbidden": moves_unbidden,
    "CAL-ACT-03": two_actions,
    "CAL-ADV-01 in two lines": two_moves,
    "CAL-ACT-03 ambiguous": other_than_declared,
    "CAL-ASL-01": assault_without_attack,
    "CAL-ASL-02": step_before_assault,
    "CAL-ATK-08": destroyed_unit_acts,
    "CAL-SET-03": own_door,
    "CAL-RND-01": round_cut_short,
}
