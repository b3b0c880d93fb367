"""After a lost line: what later lines state again is known again, and what they contradict stays in doubt."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from auditor import systems
from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.engine import audit_log
from auditor.systems.calth import adopt as adopting
from auditor.systems.calth import records
from auditor.systems.calth.adopt import adopt
from auditor.systems.calth.packs import setup_of
from auditor.systems.calth.reckoning.resolve import resolve
from auditor.systems.calth.reckoning.restated import BEFORE, compared
from auditor.systems.calth.state import Activation, Position, Table, Unit
from auditor.systems.calth.watched import CELLS, FIELDS, watched
from auditor.systems.packs import Packs
from auditor.trials.spelled import accused
from tests.calth.examples import example

HEADER = example("CAL-MEL-01/illegal").log["header"]
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


CRITICAL = {"model": "a1", "weapon": "chainsword", "effect": "CAL-CRT-09"}
RUN = {"seq": 3, "player": "UM", "type": "move_unit", "unit": "um-1", "cause": "run"}


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ({**activated(3, "UM", 2), "tp_after": 2}, "CAL-ACT-02"),
        ({**RUN, "path": [[0, 0], [0, 1], [0, 2], [0, 3]]}, "CAL-RUN-01"),
        ({**RUN, "path": [[0, 0], [2, 2]]}, "CAL-RUN-01"),
    ],
)
def test_what_a_line_shows_by_itself_is_told_after_a_lost_one(line: dict[str, Any], rule: str) -> None:
    kinds = {kind for of, kind in told(opened("a1", "a2"), line, seq=3) if of == rule}
    assert kinds == ({"illegal"} if "RUN" in rule else {"miscalculated"})


def test_of_two_faults_of_one_check_each_rests_on_what_was_read_until_it_was_told() -> None:
    shown = attack(4, BOTH[:1], models=4, weapons=2, pistols=1) | {"crit": CRITICAL}
    found = told(opened("a1", "a2"), activated(3, "UM", 2), shown, seq=4)
    assert sorted(kind for rule, kind in found if rule == "CAL-MEL-01") == ["ambiguous", "miscalculated"]


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
    made, event = position(), records.CardPlay(seq=2, target="um-1")
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
        (lambda twin: twin.by_hex.get((1, 0)), {("hex", "wb-1"), ("in", "b1")}),
        (lambda twin: twin.of_act((1, 0)), {("in", "b1")}),
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
    ("known", "named", "cells"),
    [
        ([("in", "b2")], None, {("hex", "wb-1"), ("in", "b2")}),
        ([("units",)], None, {("hex", "wb-1"), ("units",)}),
        ([], "wb-1", {("hex", "wb-1")}),
    ],
)
def test_that_a_unit_stands_in_a_hex_is_known_by_a_model_the_list_of_units_or_its_name(
    known: list[Any], named: str | None, cells: set[Any]
) -> None:
    found: set[Any] = set()
    made, hearing = position(), Hearing({}, {})
    made.holes.open(Hole(1, "lost"))
    made.holes.state(known)
    event = records.Activate(seq=2, player="WB", unit=named)
    twin, _ = watched(event, resolve(event, made, hearing), made, found, hearing)
    twin.by_hex.get((1, 0))
    assert found == cells


@pytest.mark.parametrize(
    ("event", "look", "cells"),
    [
        (ATTACK, lambda view: view.before_effect, set()),
        (ATTACK, lambda view: view.mode, set()),
        (ATTACK, lambda view: view.role, {("act",), ("attack",)}),
        (records.Initiative(seq=2), lambda view: view.event.winner, set()),
        (records.Initiative(seq=2), lambda view: view.late, {("phase",)}),
        (records.Activate(seq=2, unit="um-1", player="UM"), lambda view: view.actor, set()),
        (records.MoveUnit(seq=2, unit="um-1", player="UM", cause="run"), lambda view: view.cause, set()),
        (records.MoveUnit(seq=2, unit="um-1", player="UM", cause="run"), lambda view: view.phase, {("phase",)}),
        (records.Position(seq=2), lambda view: view.event.units, set()),
    ],
)
def test_a_view_asks_for_no_more_than_what_is_asked_of_it(event: Any, look: Any, cells: set[Any]) -> None:
    found: set[Any] = set()
    made, hearing = position(), Hearing({}, {})
    made.act = Activation(made.units["um-1"], "shoot", 2, 1, 1)
    _, view = watched(event, resolve(event, made, hearing), made, found, hearing)
    look(view)
    assert found == cells


def test_every_field_of_a_position_has_a_cell_or_tells_by_its_entries() -> None:
    entries = {"units", "by_hex", "unit_of", "occupied", "destroyed", "removed"}
    read_with_units = {"gone", "former", "shared"}
    of_no_fact = {"holes", "table", "recorded", "started"}
    assert set(Position.__slots__) - FIELDS.keys() == entries | read_with_units | of_no_fact
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
    made.holes.state([("units",), ("count", "wb-1"), ("in", "b2")])
    made.remove("b1")
    made.remove("b2")
    assert made.holes.doubt([("units",)]) is None
    made.remove("a1")
    made.remove("a2")
    assert made.holes.doubt([("units",)]) is not None


def test_a_door_that_a_card_of_a_lost_line_may_have_opened_accuses_nobody() -> None:
    log = example("CAL-SET-03/legal-another-card-named").log
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


# -- what is worked out from what is in doubt -----------------------------------------------------------------------


def adopted(event: Any, *in_doubt: Any) -> Position:
    """A position of which some cells are in doubt, after an event."""
    made, hearing = position(), Hearing({}, {})
    made.started, made.phase = True, "action"
    made.holes.open(Hole(1, "lost", frozenset(in_doubt)))
    adopt(event, resolve(event, made, hearing), made, hearing)
    return made


APART = records.MoveModels(
    seq=2, player="UM", unit="um-1", cause="consolidate", moves=[records.ModelMove(model="a2", to=(0, 1))],
    units=[records.UnitAfter(unit="um-1", hex=(1, 0), tp=1)],
)  # fmt: skip


@pytest.mark.parametrize(("cell", "known"), [(("hex", "wb-1"), False), (("tp", "um-1"), True)])
def test_tps_given_to_whoever_is_thought_to_stand_in_a_hex_are_as_much_in_doubt(cell: Any, known: bool) -> None:
    made = adopted(APART, cell)
    assert made.units["wb-1"].tp == 1
    assert (made.holes.doubt([("tp", "wb-1")]) is None) is known


def test_what_a_line_says_itself_is_known_whatever_is_in_doubt_besides() -> None:
    event = records.Activate(seq=2, player="UM", unit="um-1", action="run")
    made = adopted(event, ("hex", "um-1"), ("hex", "wb-1"), ("units",), ("act",))
    assert made.act is not None and made.holes.doubt([("act",), ("turn",), ("tp", "um-1")]) is None


@pytest.mark.parametrize(("game", "line"), [(203, 50), (212, 74), (212, 76), (212, 99)])
def test_what_was_worked_out_after_a_lost_line_accuses_nobody(game: int, line: int) -> None:
    lines, _ = systems.game("calth").inventor().legal_game(game)
    assert not accused([*lines[:line], *lines[line + 1 :]])


def test_the_twin_on_which_an_event_is_carried_out_in_doubt_ends_as_the_position(monkeypatch: Any) -> None:
    carry_out, facts = adopting._carry_out, systems.game("calth").ruleset.facts
    ends: list[tuple[bool, Any]] = []

    def carried(event: Any, view: Any, made: Position, hearing: Hearing) -> None:
        carry_out(event, view, made, hearing)
        ends.append((type(made) is Position, {**facts(made)}))

    monkeypatch.setattr(adopting, "_carry_out", carried)
    lines, _ = systems.game("calth").inventor().legal_game(212)
    accused([*lines[:20], *lines[21:120]])
    pairs = [(twin, own) for (plain, twin), (_, own) in pairwise(ends) if not plain]
    assert len(pairs) > 50
    assert all(twin == own for twin, own in pairs)


def test_a_second_line_of_a_move_that_states_no_path_is_no_second_action() -> None:
    lines, _ = systems.game("calth").inventor().legal_game(400)
    assert lines[171]["unit"] == lines[172]["unit"] and lines[171]["path"][-1] == lines[172]["path"][0]
    assert not accused([*lines[:172], {**lines[172], "path": None}, *lines[173:]])


@pytest.mark.parametrize(("amount", "found"), [(0, []), (1, []), (2, ["CAL-CRT-03"])])
def test_where_nobody_knows_the_tps_of_a_unit_it_may_have_had_none_to_lose(amount: int, found: list[str]) -> None:
    log = example("CAL-CRT-03/legal-tps-after-a-loss-stated").log
    position, activated, attack, loss = log["events"][:4]
    judge = {"type": "judge", "text": "Both agree on how it stood; the game goes on."}
    attack["crit"]["tp_after"] = 0
    del loss["tp"]
    events = [position, judge, activated, attack, {**loss, "amount": amount}, *log["events"][4:]]
    numbered = [{**event, "seq": n} for n, event in enumerate(events, 1)]
    audit = audit_log("\n".join(map(json.dumps, [log["header"], *numbered])).encode(), strict=True)
    assert [one["rule"] for one in audit["findings"] if one["scope"]["kind"] == "every_reading"] == found
