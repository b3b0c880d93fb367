"""A line that is left out of a legal record: what is accused of it names the line that may be missing.

The records `short-….jsonl` are games of the generator (two turns).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.engine import audit_log
from auditor.trials.told_once import numbered
from tests.clx.examples import example

HERE = Path(__file__).parent

LEFT_OUT = [
    # game, line that is left out, its type, where it is missed, by which rule
    ("one", 1, "roll_off", 1, "CLX-GAME-02"),
    ("two", 3, "deploy", 14, "CLX-LOG-02"),
    ("two", 8, "deploy", 32, "CLX-LOG-02"),  # No later line says where all of the unit stood.
    ("three", 4, "deploy", 12, "CLX-LOG-02"),
    ("one", 13, "move", 42, "CLX-LOG-01"),
    ("three", 14, "move", 18, "CLX-LOG-01"),
    ("one", 20, "run", 43, "CLX-LOG-01"),
    ("two", 60, "run", 104, "CLX-LOG-01"),
    ("three", 90, "charge_move", 100, "CLX-LOG-01"),
    ("two", 127, "fall_back", 127, "CLX-MOR-01"),
    ("three", 101, "fall_back", 101, "CLX-MOR-02"),
    ("one", 71, "cover_rolls", 71, "CLX-SHOOT-07b"),
    ("three", 54, "cover_rolls", 54, "CLX-SHOOT-07b"),
]


@pytest.mark.parametrize(("game", "at", "kind", "seq", "rule"), LEFT_OUT)
def test_a_line_left_out_is_named_by_the_rule_that_misses_it(
    game: str, at: int, kind: str, seq: int, rule: str
) -> None:
    lines = read(game)
    assert lines[at]["type"] == kind
    (found,) = standing(numbered([*lines[:at], *lines[at + 1 :]]))
    assert (found["seq"], found["rule"], found["meant"]["missing"]["type"]) == (seq, rule, kind)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("CLX-GREN-02/illegal-no-test", "pinning_test"),
        ("CLX-SUPP-02/illegal", "pinning_test"),
        ("CLX-USR-07/illegal", "pinning_test"),
        ("CLX-VEH-03/illegal", "pinning_test"),
        ("CLX-SHOOT-14/illegal-one-attack-without-a-test", "pinning_test"),
        ("CLX-USR-10/illegal", "ld_test"),
        ("CLX-USR-11/illegal", "ld_test"),
        ("CLX-USR-17/illegal-no-test", "ld_test"),
        ("CLX-ASLT-03/illegal", "ld_test"),
        ("CLX-GAME-04/illegal-no-roll", "game_length_roll"),
        ("CLX-PSY-04/illegal-psyker-not-named", "warp_charge"),
        ("CLX-PSY-09/illegal-player-not-recorded", "perils"),
        ("CLX-PSY-11/illegal-told-in-the-next-phase", "perils"),
    ],
)
def test_a_line_of_which_the_record_has_no_other_is_named_with_what_is_known_of_it(name: str, kind: str) -> None:
    audit = audit_log(json.dumps(example(name).log).encode())
    found = [one for one in audit["findings"] if one["stands"] and one["kind"] == "omitted"]
    assert found and all(one["meant"]["missing"]["type"] == kind for one in found)


@pytest.mark.parametrize("name", ["CLX-ASLT-09/legal-thrower", "CLX-GREN-07/legal", "CLX-GREN-07/legal-from-the-rear"])
def test_who_has_no_attack_for_charging_may_have_thrown_a_grenade_or_been_thrown_one(name: str) -> None:
    log = example(name).log
    lines = [log["header"], *log["events"]]
    (at,) = (n for n, line in enumerate(lines) if line["type"] == "grenade")
    (found,) = standing(numbered([*lines[:at], *lines[at + 1 :]]))
    missing = [one["missing"] for one in (found["meant"], *found["meant"]["or"]) if "missing" in one]
    lost = lines[at]
    assert [(one["type"], one["model"], one["grenade"], one["side"]) for one in missing] == [
        ("grenade", lost["model"], lost["grenade"], lost["side"])
    ]


def test_a_way_that_begins_an_inch_off_is_a_slip_of_a_number_before_it_is_a_line_that_is_missing() -> None:
    lines = read("one")
    assert (lines[3]["type"], lines[3]["unit"]) == ("deploy", "bs")
    lines[3]["models"][0]["pos"][0] += 1
    (found,) = standing(lines)
    assert (found["rule"], "missing" in found["meant"]) == ("CLX-LOG-01", False)


def test_a_unit_that_moved_before_the_log_lost_it_has_not_run_where_it_had() -> None:
    """Where it begins elsewhere than it stood by more than it may move or run, no line is missing."""
    lines = read("one")
    path = lines[43]["models"][0]["path"] if lines[43]["unit"] == "bs" else lines[42]["models"][0]["path"]
    path[:] = [[x, y + 20] for x, y in path]
    found = standing(lines)
    assert found and all("missing" not in (one["meant"] or {}) for one in found)


def test_a_phase_that_begins_under_the_name_of_a_later_one_is_told_there() -> None:
    lines = read("one")
    lines[56]["phase"] = "assault"
    (found,) = standing(lines)
    assert (found["seq"], found["meant"]["seq"]) == (57, 56)
    assert found["meant"]["change"] == [{"path": "phase", "from": "assault", "to": "movement"}]


def test_a_deployment_and_the_attempt_to_seize_the_initiative_may_have_changed_places() -> None:
    lines = read("one")
    at = next(n for n, line in enumerate(lines) if line.get("type") == "seize")
    (found,) = standing(numbered([*lines[: at - 1], lines[at], lines[at - 1], *lines[at + 1 :]]))
    assert (found["rule"], found["meant"]["exchanged"]) == ("CLX-GAME-03", at - 1)


def test_going_to_ground_and_the_cover_dice_may_have_changed_places() -> None:
    """What the dice need is a matter of another rule where the unit lies on the ground."""
    log = example("CLX-SHOOT-11/legal-number").log
    unit = next(one for one in log["events"][0]["units"] if one.get("gone_to_ground"))
    unit |= {"gone_to_ground": False, "prone": "none", "pinned": False}
    to_ground = {"type": "go_to_ground", "player": "B", "unit": unit["unit"], "attack": log["events"][1]["attack"]}
    log["events"].insert(4, to_ground)
    for number, event in enumerate(log["events"], 1):
        event["seq"] = number
    found = [one for one in audit_log(json.dumps(log).encode())["findings"] if one["stands"]]
    assert {one["rule"] for one in found} == {"CLX-SHOOT-07c", "CLX-SHOOT-11"}
    assert [one["meant"]["exchanged"] for one in found if one["meant"]] == [5]


def read(game: str) -> list[dict[str, Any]]:
    """The lines of a record; a line with a number stands at it."""
    return [json.loads(line) for line in (HERE / f"short-{game}.jsonl").read_text(encoding="utf-8").splitlines()]


def standing(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    audit = audit_log("\n".join(map(json.dumps, lines)).encode(), digest=False)
    return [one for one in audit["findings"] if one["stands"] and not one["depends_on"]]
