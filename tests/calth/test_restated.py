"""After a lost line: what later lines state again is known again, and what they contradict stays in doubt."""

from __future__ import annotations

import json
from typing import Any

import pytest

from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.engine import audit_log
from auditor.systems.calth import records
from auditor.systems.calth.packs import setup_of
from auditor.systems.calth.reckoning.resolve import resolve
from auditor.systems.calth.reckoning.restated import BEFORE, compared
from auditor.systems.calth.state import Activation, Position, Table, Unit
from auditor.systems.calth.watched import CELLS, FIELDS, watched
from auditor.systems.packs import Packs
from tests.calth.examples import FIXTURES

HEADER = json.loads((FIXTURES / "CAL-MEL-01" / "illegal.json").read_text())["header"]
BARE = {"weapons": 0, "pistols": 0, "harness": 0}


def header() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(json.dumps(HEADER))
    made["rosters"]["UM"]["models"] = [
        {"id": "a1", "profile": "line", "weapons": ["chainsword"], "wargear": []},
        {"id": "a2", "profile": "line", "weapons": ["bolt_pistol"], "wargear": []},
        {"id": "a3", "profile": "line", "weapons": ["chainsword"], "wargear": []},
    ]
    made["rosters"]["WB"]["models"] = [
        {"id": f"b{n}", "profile": "line", "weapons": [], "wargear": []} for n in (1, 2, 3)
    ]
    return made


def opened(*models: str) -> dict[str, Any]:
    """The position, after which a line is lost."""
    units = [
        {"unit": "um-1", "side": "UM", "hex": [0, 0], "models": list(models), "tp": 2},
        {"unit": "wb-1", "side": "WB", "hex": [1, 0], "models": ["b1", "b2"], "tp": 2},
    ]
    return {
        "seq": 1, "type": "position", "round": 2, "phase": "action", "initiative": "UM", "to_act": "UM", "units": units,
        "removed": [], "reserve": [],
    }  # fmt: skip


def activated(seq: int, side: str, tp: int, action: str = "assault") -> dict[str, Any]:
    unit = f"{side.lower()}-1"
    return {
        "seq": seq, "player": side, "type": "activate", "unit": unit, "tp_before": tp, "tp_after": tp - 1,
        "action": action,
    }  # fmt: skip


def attack(
    seq: int, counted: list[list[str]], steps: list[dict[str, Any]] | None = None, **dice: int
) -> dict[str, Any]:
    parts = {**BARE, **dice}
    parts["total"] = sum(parts.values())
    return {
        "seq": seq, "player": "UM", "type": "attack", "attacker": "um-1", "target": "wb-1", "mode": "melee",
        "role": "assault", "weapons": counted, "dice": parts,
        "roll": ("H" * len(steps or ())).ljust(parts["total"], "B"),
        "crit": "none", "pool": len(steps or ()), "steps": steps or [],
    }  # fmt: skip


def declined(seq: int) -> list[dict[str, Any]]:
    return [
        {"seq": seq, "player": "WB", "type": "counter", "unit": "wb-1", "choice": "declined"},
        {
            "seq": seq + 1,
            "player": "WB",
            "type": "retreat",
            "unit": "wb-1",
            "due": False,
            "casualties": {"UM": 0, "WB": 0},
        },
    ]


def told(*events: dict[str, Any], seq: int) -> list[tuple[str, str]]:
    text = "\n".join(map(json.dumps, [header(), *events]))
    audit = audit_log(text.encode(), digest=False)
    assert not audit["errors"], audit["errors"]
    return [(one["rule"], one["kind"]) for one in audit["findings"] if one["seq"] == seq]


BOTH = [["a1", "chainsword"], ["a2", "bolt_pistol"]]
FIRST = [
    activated(3, "UM", 2),
    attack(4, BOTH, models=4, weapons=1, pistols=1),
    *declined(5),
    activated(7, "WB", 2, "none"),
]


def test_a_wrong_number_is_told_where_the_line_and_those_before_state_who_is_in_the_unit() -> None:
    again = [activated(8, "UM", 1), attack(9, BOTH, models=4, weapons=2, pistols=1)]
    assert told(opened("a1", "a2"), *FIRST, *again, seq=9) == [("CAL-MEL-01", "miscalculated")]


def test_it_is_in_doubt_where_a_model_was_never_named() -> None:
    again = [activated(3, "UM", 2), attack(4, BOTH[:1], models=4, weapons=2, pistols=1)]
    assert told(opened("a1", "a2"), *again, seq=4) == [("CAL-MEL-01", "ambiguous")]


def test_it_is_in_doubt_where_the_dice_of_the_models_are_not_stated() -> None:
    again = [activated(3, "UM", 2), attack(4, BOTH, weapons=2, pistols=1)]
    assert ("CAL-MEL-01", "ambiguous") in told(opened("a1", "a2"), *again, seq=4)


def test_a_model_that_nobody_knows_to_be_in_the_unit_puts_it_in_doubt() -> None:
    again = [activated(8, "UM", 1), attack(9, [*BOTH, ["a3", "chainsword"]], models=6, weapons=2, pistols=1)]
    found = told(opened("a1", "a2"), *FIRST, *again, seq=9)
    assert found and {kind for _, kind in found} == {"ambiguous"}


@pytest.mark.parametrize(("fallen", "kind"), [("b1", "miscalculated"), ("b3", "ambiguous")])
def test_losses_are_known_since_the_activation_unless_a_stranger_fell(fallen: str, kind: str) -> None:
    passes = {
        "armour_used": 2, "bonus_dice": 0, "stamina_used": 1, "pool_after_shields": 1, "pool_left": 0,
        "target_model": fallen, "faces": "BB", "shields": 0, "casualty": True,
    }  # fmt: skip
    stood = {**passes, "target_model": "b2", "faces": "SB", "shields": 1, "pool_after_shields": 0, "casualty": False}
    steps = [{**passes, "pool_after_shields": 2, "pool_left": 1}, stood]
    lines = [activated(3, "UM", 2), attack(4, BOTH, steps, models=4, weapons=1, pistols=1), *declined(5)]
    lines[-1] |= {"due": True, "casualties": {"UM": 0, "WB": 3}}
    assert ("CAL-RET-01", kind) in told(opened("a1", "a2"), *lines, seq=6)


# -- cells ------------------------------------------------------------------------------------------------------------


def position() -> Position:
    setup, _, _ = setup_of(json.dumps(header()).encode(), Packs())
    assert setup is not None
    made = Position(Table(setup, header()))
    made.put(Unit("um-1", "UM", (0, 0), ("a1", "a2"), 2))
    made.put(Unit("wb-1", "WB", (1, 0), ("b1", "b2"), 1))
    return made


ATTACK = records.Attack(
    seq=2, player="UM", attacker="um-1", target="wb-1", mode="melee", role="assault", roll="HB", crit="none"
)


def asked(look: Any) -> set[Any]:
    cells: set[Any] = set()
    made, event = position(), records.CardPlay(seq=2)
    hearing = Hearing({}, {})
    twin, _ = watched(event, resolve(event, made, hearing), made, cells, hearing)
    cells.clear()
    look(twin)
    return cells


@pytest.mark.parametrize(
    ("look", "cells"),
    [
        (lambda twin: twin.units["um-1"].side, set()),
        (lambda twin: twin.units["um-1"].tp, {("tp", "um-1")}),
        (lambda twin: twin.units["um-1"].hex, {("hex", "um-1")}),
        (lambda twin: "a1" in twin.units["um-1"].models, {("in", "a1")}),
        (lambda twin: sorted(twin.units["um-1"].models), {("count", "um-1"), ("in", "a1"), ("in", "a2")}),
        (lambda twin: twin.units.get("um-7"), {("units",)}),
        (lambda twin: twin.by_hex.get((1, 0)), {("hex", "wb-1")}),
        (lambda twin: twin.by_hex.get((5, 5)), {("units",), ("hex", "um-1"), ("hex", "wb-1")}),
        (lambda twin: twin.occupied, {("units",), ("hex", "um-1"), ("hex", "wb-1")}),
        (lambda twin: ("a1", "chainsword") in twin.destroyed, {("weapon", "a1", "chainsword")}),
        (lambda twin: "a1" in twin.removed, {("in", "a1")}),
        (lambda twin: twin.act, {("act",)}),
        (lambda twin: twin.round, {("round",)}),
    ],
)
def test_a_watched_position_tells_what_is_asked_of_it(look: Any, cells: set[Any]) -> None:
    assert asked(look) == cells
    assert {cell[0] for cell in cells} <= CELLS.keys()


@pytest.mark.parametrize(
    ("event", "look", "cells"),
    [
        (ATTACK, lambda view: view.before_effect, set()),
        (ATTACK, lambda view: view.mode, set()),
        (ATTACK, lambda view: view.role, {("act",), ("attack",)}),
        (records.Initiative(seq=2), lambda view: view.event.winner, set()),
        (records.Initiative(seq=2), lambda view: view.late, {("phase",)}),
    ],
)
def test_a_view_asks_for_no_more_than_what_is_asked_of_it(event: Any, look: Any, cells: set[Any]) -> None:
    found: set[Any] = set()
    made, hearing = position(), Hearing({}, {})
    made.act = Activation(made.units["um-1"], "shoot", 2, 1, 1, made.table.later)
    _, view = watched(event, resolve(event, made, hearing), made, found, hearing)
    look(view)
    assert found == cells


def test_every_field_of_a_position_has_a_cell_or_tells_by_its_entries() -> None:
    entries = {"units", "by_hex", "unit_of", "occupied", "destroyed", "removed"}
    read_with_units = {"gone", "former", "shared"}
    assert set(Position.__slots__) - FIELDS.keys() == entries | read_with_units | {"holes", "table", "started"}
    assert set(FIELDS.values()) <= CELLS.keys()


def test_a_weapon_of_another_kind_is_not_asked_for() -> None:
    cells: set[Any] = set()
    made, hearing = position(), Hearing({}, {})
    event = records.Attack(seq=2, player="UM", attacker="um-1", target="wb-1", mode="melee", role="assault")
    _, view = watched(event, resolve(event, made, hearing), made, cells, hearing)
    cells.clear()
    assert view.arms.bonus == 1  # type: ignore[attr-defined]
    assert {cell for cell in cells if cell[0] == "weapon"} == {("weapon", "a1", "chainsword")}


def test_a_line_states_again_what_the_position_has_and_no_more() -> None:
    event = records.Attack(
        seq=2, player="UM", attacker="um-1", target="wb-1", mode="melee", weapons=[("a1", "chainsword"), ("b1", "boltgun")],
        dice=records.Dice(models=4, weapons=9), steps=[records.Step(target_model="b2")],
    )  # fmt: skip
    said = compared(event, position(), BEFORE)
    assert said.alike == {("in", "a1"), ("weapon", "a1", "chainsword"), ("in", "b2")}
    assert said.facts == said.unlike == {("in", "b1"), ("count", "um-1")}


def test_a_label_that_another_unit_gets_is_not_known_by_what_was_said_of_the_first() -> None:
    made = position()
    made.holes.open(Hole(1, "a line is lost"))
    made.holes.state([("count", "um-1"), ("hex", "um-1")])
    made.lift(made.units["um-1"])
    made.put(Unit("um-1", "UM", (5, 5), ("a3",), 0))
    assert made.holes.doubt([("count", "um-1")]) is not None
    assert made.holes.doubt([("hex", "um-1")]) is not None


def test_a_unit_whose_last_known_model_goes_may_still_be_there() -> None:
    made = position()
    made.holes.open(Hole(1, "a line is lost"))
    made.holes.state([("units",), ("count", "wb-1")])
    made.remove("b1")
    made.remove("b2")
    assert made.holes.doubt([("units",)]) is None
    made.remove("a1")
    made.remove("a2")
    assert made.holes.doubt([("units",)]) is not None


def test_a_door_that_a_card_of_a_lost_line_may_have_opened_accuses_nobody() -> None:
    log = json.loads((FIXTURES / "CAL-SET-03" / "legal-another-card-named.json").read_text())
    lines = [line for line in log["events"] if line["type"] != "card_play"]
    audit = audit_log("\n".join(map(json.dumps, [log["header"], *lines])).encode(), digest=False, meant=False)
    assert [(one["rule"], one["kind"]) for one in audit["findings"]] == [("CAL-SET-03", "ambiguous")]


@pytest.mark.parametrize("deck", ["UM", "WB"])
def test_a_draw_that_a_card_of_a_lost_line_may_allow_accuses_nobody(deck: str) -> None:
    lines = [
        {**opened("a1", "a2"), "phase": "ready"},
        {"seq": 3, "type": "card_draw", "player": "UM", "deck": deck, "count": 2},
    ]
    assert told(*lines, seq=3) == [("CAL-RDY-01", "ambiguous")]
