"""Sentences and marks of findings of some examples, word for word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.core.findings import Fault
from auditor.systems.calth.aftermath.attacks import without_rerolls
from auditor.systems.calth.records import Attack, Reroll
from tests.calth.examples import audited, example


def finding(name: str, rule: str) -> dict[str, Any]:
    (found,) = [one for one in audited(example(name))["findings"] if one["rule"] == rule]
    return found


@pytest.mark.parametrize(
    ("name", "rule", "text"),
    [
        ("CAL-SOR-01/illegal-no-card", "CAL-SOR-01", "Ada drew no Damage card for pass 1."),
        (
            "CAL-SHT-02/illegal",
            "CAL-SHT-02",
            "The bolt pistol of Ada's a2 was counted, which reaches 3 hexes; the target is 4 hexes away.",
        ),
        (
            "CAL-DLS-03/illegal",
            "CAL-DLS-03",
            "Ben's wb-1 rolled dice of its last stand again with a Legion Vexilla: d1 is not among the models that roll.",
        ),
        (
            "CAL-DST-01/illegal",
            "CAL-DST-01",
            "Ada's um-1 at 0,0 shot at Ben's wb-1 at 3,0. The log has 4 as the distance; the shortest way is 3 steps.",
        ),
        ("CAL-ASL-01/illegal", "CAL-ASL-01", "Ada's um-1 at 0,0 assaulted Ben's wb-1 at 2,0, which is not adjacent."),
        (
            "CAL-RET-03/illegal-moves-not-stated",
            "CAL-CON-01",
            "The record does not state the moves, so this cannot be judged.",
        ),
    ],
)
def test_a_fault_is_told_in_these_words(name: str, rule: str, text: str) -> None:
    assert finding(name, rule)["text"] == text


def test_players_without_names_go_by_their_sides(tmp_path: Path) -> None:
    log = example("CAL-RDY-01/illegal-other-deck").log
    for player in log["header"]["players"]:
        del player["name"]
    (path := tmp_path / "nameless.json").write_text(json.dumps(log), encoding="utf-8")
    (found,) = (one for one in audited(path)["findings"] if one["rule"] == "CAL-RDY-01")
    assert found["text"] == "The Word Bearers drew from the Command deck of the Ultramarines."


def test_an_assault_out_of_reach_is_drawn_as_what_may_not_be() -> None:
    marks = finding("CAL-ASL-01/illegal", "CAL-ASL-01")["evidence"]["marks"]
    assert marks == [{"mark": "move", "path": [[0, 0], [2, 0]], "ok": False, "label": "not adjacent"}]


def test_of_the_re_rolls_of_an_attack_only_the_one_that_came_too_late_is_taken_back() -> None:
    in_time, late = Reroll(indices=[2], faces="H"), Reroll(indices=[1], faces="H", when="after_crit")
    attack = Attack(seq=3, roll="CBSHSBS", rerolls=[in_time], vexilla=late)
    right = without_rerolls(attack, Fault("CAL-ATK-10", "illegal", "too late"))
    assert (right.rerolls, right.vexilla) == ([in_time], None)
    nothing = without_rerolls(attack, Fault("CAL-WAR-02", "illegal", "nothing allows it"))
    assert (nothing.rerolls, nothing.vexilla) == (None, None)
