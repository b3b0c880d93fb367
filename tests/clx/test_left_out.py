"""A field left out of a legal record: what can be worked out without it is, and nobody is accused of what cannot be."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from auditor import engine, systems
from tests.clx.examples import example, examples, judged
from tests.examples import Example
from tests.shares import is_tried

NAMES = [
    # name of the example, place of the event, the field that is left out: of which attack or step an event is
    ("CLX-SHOOT-07b/legal-two-levels", 3, "attack"),
    ("CLX-FACE-01/legal-shot-back", 1, "attack"),
    ("CLX-FACE-01/legal-shot-back", 3, "attack"),
    ("CLX-ASLT-07b/legal-after-a-crossfire", 1, "attack"),
    ("CLX-ASLT-07b/legal-after-a-crossfire", 6, "attack"),
    ("CLX-MOR-01/legal-wounds-after-a-crossfire", 6, "attack"),
    ("CLX-MOR-01/legal-wounds-given-to-nobody", 4, "attack"),
    ("CLX-GREN-06/legal-slowed-just-out-of-cover", 4, "attack"),
]
DICE = [
    # dice that are not there, or wounds that came without
    ("CLX-SHOOT-07b/legal", 3, "dice"),
    ("CLX-SHOOT-07b/legal-two-levels", 3, "dice"),
    ("CLX-GEAR-03/legal", 4, "automatic"),
    ("CLX-GEAR-03/legal-in-a-fight", 3, "automatic"),
    ("CLX-MOR-01/legal-wounds-given-to-nobody", 4, "automatic"),
]
TESTS = [
    # what a test is for, and whose it is
    ("CLX-SHOOT-14/legal-wounds-given-to-nobody", 10, "cause"),
    ("CLX-MOR-02/legal-no-result", 5, "cause"),
    ("CLX-ASLT-07a/legal", 8, "cause"),
    ("CLX-VEH-04/legal", 2, "cause"),
    ("CLX-USR-01/legal", 2, "cause"),
    ("CLX-USR-02/legal", 2, "cause"),
    ("CLX-ASLT-03/legal", 2, "cause"),
    ("CLX-USR-17/legal-pressed", 5, "cause"),
    ("CLX-MOVE-04/legal-dangerous", 1, "dangerous.0.model"),
    ("CLX-VEH-04/legal-fell-back", 3, "dangerous.0.model"),
]
GRENADES = [
    ("CLX-ASLT-09/legal-thrower", 2, "model"),
    ("CLX-ASLT-09/legal-thrower", 2, "side"),
]
WHOM = [
    # who was struck, charged, spotted or removed, and who did it
    ("CLX-FACE-01/legal-free-after-the-dead-struck-back", 6, "list.0.model"),
    ("CLX-MOR-02/legal-enemy-gone", 8, "list.0.model"),
    ("CLX-ASLT-03/legal-destroyed", 3, "model"),
    ("CLX-USR-04/legal-spotted", 1, "target"),
    ("CLX-USR-12/legal", 1, "attackers.0.target"),
    ("CLX-USR-16/legal-struck-as-it-fell", 1, "target"),
    ("CLX-USR-16/legal-struck-as-it-fell", 2, "models"),
    ("CLX-ASLT-01/legal-fell-short", 2, "unit"),
]
POSITIONS = [
    # what a first position does not say: whose turn it is, which phase, the warp charges of a player
    ("CLX-MOVE-01/legal-pinned-until-the-end-of-its-own-turn", 0, "active"),
    ("CLX-PSY-10/legal", 0, "phase"),
    ("CLX-PSY-10/legal", 0, "pools.B"),
    ("CLX-PSY-13/legal", 0, "pools.A"),
    # a model of which it does not say where it is
    *[
        (name, 0, f"units.{unit}.models.{model}")
        for name in (
            "CLX-ASLT-01/legal-something-in-the-way",
            "CLX-ASLT-02/legal-from-the-movement-phase",
            "CLX-ASLT-08/legal",
            "CLX-ASLT-08/legal-either-of-two-heights",
            "CLX-FACE-01/legal-free-after-the-dead-struck-back",
            "CLX-SHOOT-13/legal-wounded-inside-a-wreck-before",
            "CLX-USR-16/legal-struck-as-it-fell",
        )
        for unit, entry in enumerate(example(name).log["events"][0]["units"])
        for model in range(len(entry["models"]))
    ],
]

FRAMES = [
    # which phase, turn, or whose turn it is
    ("CLX-ASLT-02/legal-from-the-movement-phase", 1, "phase"),
    ("CLX-ASLT-07b/legal-after-a-crossfire", 15, "phase"),
    ("CLX-ASLT-10/legal-pinned-by-the-dice", 7, "phase"),
    ("CLX-WPN-01/legal-charge", 3, "phase"),
    ("CLX-GAME-04/legal", 1, "player"),
    ("CLX-GAME-05/legal", 1, "player"),
    ("CLX-GAME-06/legal", 1, "player"),
    ("CLX-GAME-08/legal", 5, "turn"),
]
ACTS = [
    # what was thrown, who moved, came to the table or climbed out, and how dice were shared out
    ("CLX-ASLT-10/legal-pinned-by-the-die-of-an-emp-grenade", 2, "grenade"),
    ("CLX-GREN-06/legal-in-normal-order", 2, "grenade"),
    ("CLX-GREN-06/legal-slowed-just-out-of-cover", 2, "grenade"),
    ("CLX-GREN-07/legal", 2, "grenade"),
    ("CLX-GREN-08/legal-initiative-of-who-was-hit", 2, "grenade"),
    ("CLX-FACE-01/legal", 5, "models"),
    ("CLX-FACE-01/legal-short-move", 1, "models"),
    ("CLX-FACE-01/legal-free-after-the-dead-struck-back", 15, "models"),
    ("CLX-USR-04/legal-left-its-cover", 1, "models"),
    ("CLX-LOG-02/legal-not-all-placed", 2, "unit"),
    ("CLX-SHOOT-13/legal-wounded-inside-a-wreck-before", 1, "survivors"),
    ("CLX-SHOOT-13/legal-wounded-inside-a-wreck-before", 1, "vehicle"),
    ("CLX-PSY-02/legal-primaris-of-a-share", 0, "allocation"),
]
FLAGS = [
    # a flag of a unit that the first position leaves out, where it would explain what else is a fault
    ("CLX-SUPP-01/illegal", "sv", "pinned"),
    ("CLX-SUPP-02/illegal", "sv", "pinned"),
    ("CLX-SUPP-02/illegal-pinned-without-a-hit", "sv", "pinned"),
    ("CLX-SUPP-03/illegal", "sv", "pinned"),
    ("CLX-SHOOT-14/illegal-one-attack-without-a-test", "sv", "pinned"),
    ("CLX-USR-07/illegal", "hw", "pinned"),
    ("CLX-USR-07/illegal-pinned", "hw", "pinned"),
    ("CLX-GREN-02/illegal", "sv", "pinned"),
    ("CLX-GREN-02/illegal-no-test", "sv", "pinned"),
    ("CLX-VEH-03/illegal", "er", "pinned"),
    ("CLX-VEH-03/illegal-modifier", "er", "pinned"),
    ("CLX-ASLT-01/illegal-not-moved", "gr", "pinned"),
    *[
        (f"CLX-SHOOT-{name}", "sv", flag)
        for name in (
            "07b/illegal-in-the-open",
            "07c/illegal",
            "07c/illegal-number-alone",
            "07c/illegal-number-left-out",
        )
        for flag in ("pinned", "gone_to_ground", "prone")
    ],
    ("CLX-SHOOT-07a/illegal-after-the-dice", "cs", "jinking"),
    ("CLX-SHOOT-07b/illegal-left-out", "sv", "prone"),
    ("CLX-USR-17/illegal-nothing-chosen", "er", "prone"),
    ("CLX-GREN-06/illegal-slowed-just-out-of-cover", "sv", "gone_to_ground"),
    ("CLX-GREN-06/illegal-slowed-just-out-of-cover", "sv", "prone"),
    ("CLX-SUPP-02/illegal", "sv", "falling_back"),
    ("CLX-GREN-02/illegal-no-test", "sv", "falling_back"),
    ("CLX-USR-07/illegal", "hw", "falling_back"),
    ("CLX-VEH-03/illegal", "er", "falling_back"),
    ("CLX-SHOOT-14/illegal-no-check", "sv", "falling_back"),
    ("CLX-SHOOT-14/illegal-one-attack-without-a-test", "sv", "falling_back"),
    ("CLX-MOR-01/illegal", "er", "falling_back"),
    ("CLX-MOR-01/illegal-stayed", "er", "falling_back"),
    ("CLX-VEH-04/illegal", "ps", "falling_back"),
    ("CLX-USR-10/illegal", "hw", "falling_back"),
    ("CLX-USR-11/illegal", "hw", "falling_back"),
    ("CLX-USR-10/illegal", "hw", "fear_overcome"),
    ("CLX-USR-11/illegal", "hw", "fear_overcome"),
    ("CLX-USR-11/illegal-failed", "hw", "fear_overcome"),
    ("CLX-USR-12/illegal", "hw", "fear_overcome"),
    ("CLX-USR-12/illegal-initiative", "hw", "fear_overcome"),
    ("CLX-USR-12/illegal-not-failed", "hw", "fear_failed"),
    ("CLX-USR-15/illegal", "bk", "frenzy_lost"),
    ("CLX-USR-15/illegal-move", "bk", "frenzy_lost"),
    ("CLX-USR-15/illegal-not-the-nearest", "bk", "frenzy_lost"),
    ("CLX-ASLT-07b/illegal-not-outflanking", "lk", "arrived"),
    ("CLX-VEH-06/illegal-not-outflanking", "lk", "arrived"),
    ("CLX-SUPP-01/illegal-not-arrived", "lk", "arrived"),
]


@pytest.mark.parametrize(
    ("name", "place", "field"), [*NAMES, *DICE, *TESTS, *GRENADES, *WHOM, *POSITIONS, *FRAMES, *ACTS]
)
def test_what_is_left_out_accuses_nobody(name: str, place: int, field: str) -> None:
    log = without(example(name).log, place, field)
    assert [finding["text"] for finding in judged(log)["findings"] if finding["stands"]] == []


@pytest.mark.parametrize(("name", "unit", "flag"), FLAGS)
def test_a_flag_that_the_first_position_leaves_out_may_be_set(name: str, unit: str, flag: str) -> None:
    log = example(name).log
    assert [finding for finding in judged(log)["findings"] if finding["stands"]]
    place = next(n for n, entry in enumerate(log["events"][0]["units"]) if entry["unit"] == unit)
    found = judged(without(log, 0, f"units.{place}.{flag}"))
    assert found["verdict"] == "incomplete"
    assert [finding["text"] for finding in found["findings"] if finding["stands"]] == []


@pytest.mark.parametrize("example", [one for one in examples("legal") if is_tried(4, one, "weapons")], ids=str)
def test_weapons_that_no_pack_tells_accuse_nobody(example: Example) -> None:
    log = example.log
    lines = [{**log["header"], "weapons": []}, *log["events"]]
    found = engine.audit_log("\n".join(map(json.dumps, lines)).encode(), strict=True, digest=False)
    assert [finding["text"] for finding in found["findings"] if finding["stands"]] == []


@pytest.mark.parametrize("example", examples("legal"), ids=str)
def test_a_unit_that_no_pack_tells_accuses_nobody(example: Example) -> None:
    log = example.log
    units = log["header"].get("units")
    for unit in units if isinstance(units, list) else ():
        lines = [{**log["header"], "units": [one for one in units if one is not unit]}, *log["events"]]
        found = engine.audit_log("\n".join(map(json.dumps, lines)).encode(), strict=True, digest=False)
        assert [finding["text"] for finding in found["findings"] if finding["stands"]] == []


@pytest.mark.parametrize(
    ("name", "place", "field"),
    [
        ("CLX-MOR-01/legal-wounds-after-a-crossfire", 14, "causes"),
        ("CLX-MOR-01/legal-wounds-after-a-crossfire", 13, "attacks"),
    ],
)
def test_a_test_that_names_no_attack_may_be_for_any(name: str, place: int, field: str) -> None:
    log = example(name).log
    log["events"][place][field] = []
    assert [finding["text"] for finding in judged(log)["findings"] if finding["stands"]] == []


@pytest.mark.parametrize(
    ("name", "place", "dice", "said"),
    [
        ("CLX-GREN-07/legal", 1, [], []),
        ("CLX-GREN-07/legal", 1, [3], ["CLX-LOG-03"]),
        ("CLX-USR-02/legal-failed", 1, [4], ["CLX-LOG-03"]),
        ("CLX-ASLT-07b/legal-facing-not-known", 1, [0, 4], ["CLX-LOG-03"]),
        ("CLX-PSY-02/legal", 0, [4], ["CLX-LOG-03"]),
    ],
)
def test_dice_that_are_not_those_that_are_due_are_told_once(
    name: str, place: int, dice: list[int], said: list[str]
) -> None:
    log = example(name).log
    log["events"][place]["dice"] = dice
    assert [finding["rule"] for finding in judged(log)["findings"] if finding["stands"]] == said


@pytest.mark.parametrize("other", ["", "nobody"])
@pytest.mark.parametrize("name", ["CLX-MOVE-01/illegal-in-combat", "CLX-ASLT-04/illegal"])
def test_a_combat_with_nobody_known_hides_nothing(name: str, other: str) -> None:
    log = example(name).log
    said = [(finding["text"], finding["stands"]) for finding in judged(log)["findings"]]
    for entry in log["events"][0]["units"]:
        if entry.get("locked_with"):
            entry["locked_with"].append(other)
    assert [(finding["text"], finding["stands"]) for finding in judged(log)["findings"]] == said


def without(log: Any, place: int, field: str) -> Any:
    """A log with one field of one of its events left out."""
    log = deepcopy(log)
    *way, last = [int(step) if step.isdigit() else step for step in field.split(".")]
    there = log["events"][place]
    for step in way:
        there = there[step]
    del there[last]
    return log


def test_where_no_line_says_whose_turn_it_is_a_charge_of_the_turn_before_is_none_of_this_one() -> None:
    """Both players' turns go by one number then: a fight of the second was judged as that of the charge in the first."""
    lines, _ = systems.game("clx").inventor().legal_game(526)
    said = [{key: value for key, value in line.items() if key != "player"} for line in lines]
    audit = engine.audit_log("\n".join(map(json.dumps, said)).encode(), digest=False, causes=False)
    assert [finding["text"] for finding in audit["findings"] if finding["stands"]] == []
