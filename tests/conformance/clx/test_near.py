"""How near a legal game of Calixtus' Edition came to a fault."""

from __future__ import annotations

from collections import Counter

import pytest

from auditor import engine
from auditor.conformance.clx.generate import Settings, generate
from auditor.conformance.clx.inventor import HABITS, INVENTOR
from auditor.conformance.clx.near import NEAR, NUMBER_RULES, numbers, watch
from auditor.trials.table import report
from auditor.trials.tally import Tally


def test_what_is_near_a_fault_is_counted_for_rules_that_there_are():
    known = {rule["id"] for rule in engine.rules("clx")}
    assert {rule for rule, _ in NEAR.values()} | set(NUMBER_RULES) <= known


@pytest.fixture(scope="module")
def seen() -> Counter[str]:
    look = watch()
    for seed in (3, 4):
        assert generate(seed, Settings(size=6, turns=3), look) == generate(seed, Settings(size=6, turns=3))
    return look.seen


def test_looking_changes_no_game_and_counts(seen):
    assert set(seen) <= set(NEAR) | {f"number {rule}" for rule in NUMBER_RULES}
    assert {"whole way", "hit by one", "moved before", "wound by one", "edge of range"} <= set(seen)


def test_an_event_claims_the_numbers_that_stand_in_it():
    assert numbers({"seq": 9, "type": "charge", "unit": "a", "target": "b"}) == set()
    assert numbers({"seq": 9, "type": "charge", "unit": "a", "dice": [1, 2], "claimed_distance": 3}) == {
        "CLX-ASLT-01",
        "CLX-LOG-03",
    }


def test_a_run_says_how_often_a_rule_was_one_step_from_its_fault(seen):
    tally = Tally(near=Counter(seen), rules=Counter({"CLX-MOVE-01": 1000, "CLX-WPN-01": 1}))
    lines = {line["rule"]: line["near"] for line in report("clx", tally, seed=1, faults=0)["rules"]}
    assert 0 < lines["CLX-MOVE-01"] == seen["whole way"] and lines["CLX-WPN-01"] == 1
    assert set(INVENTOR.near) == set(NEAR)


HABIT_BY_EVENT = {"jink": "jinks", "spot": "hides", "char_test": "tests"}


@pytest.mark.parametrize("event", HABIT_BY_EVENT)
def test_a_habit_leads_to_what_nobody_does_without_it(event):
    told = next(dict(one) for _, one in HABITS if HABIT_BY_EVENT[event] in one.get("habits", ()))
    told = {"size": 6, **told, "turns": 3}
    kinds = {line["type"] for seed in range(4) for line in generate(seed, Settings(**told))[1:]}
    assert event in kinds


def test_a_long_game_ends_after_turn_eight():
    lines = generate(3, Settings(size=5, turns=8))
    assert lines[-2]["after_turn"] == 8 and lines[-2]["reason"] == "last_turn"
