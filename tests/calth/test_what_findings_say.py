"""Sentences and marks of findings of some examples, word for word."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.core.findings import Fault
from auditor.systems.calth.aftermath.attacks import without_rerolls
from auditor.systems.calth.records import Attack, Reroll
from tests.calth.examples import FIXTURES, audited


def finding(name: str, rule: str) -> dict[str, Any]:
    (found,) = [one for one in audited(FIXTURES / f"{name}.json")["findings"] if one["rule"] == rule]
    return found


@pytest.mark.parametrize(
    ("name", "rule", "text"),
    [
        ("CAL-SOR-01/illegal-no-card", "CAL-SOR-01", "No Damage card was drawn for pass 1."),
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
            "The distance from 0,0 to 3,0 is recorded as 4; the shortest way is 3 steps.",
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
