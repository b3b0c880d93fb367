"""How often a rule of the card game was looked at, and how near a legal game came to a fault of it."""

from __future__ import annotations

from collections import Counter

import pytest

from auditor import engine
from auditor.conformance.hcg.generate import legal_game, play_game, settings_of
from auditor.conformance.hcg.habits import LIKED, habit_of
from auditor.conformance.hcg.inventor import INVENTOR
from auditor.conformance.hcg.near import NEAR, NUMBER_RULES, numbers
from auditor.conformance.logs import as_jsonl

LOOKED_AT = (
    *("HCG-BA-06", "HCG-SHOOT-08", "HCG-CHG-02", "HCG-BAC-01", "HCG-BAA-01", "HCG-INF-02", "HCG-DES-03"),
    *("HCG-WIN-03", "HCG-WIN-04"),
)


def test_a_rule_that_finds_nothing_to_say_was_looked_at():
    ran: set[str] = set()
    for seed in (3, 5, 11, 14, 16):
        audit, _ = engine.audit_counts(as_jsonl(legal_game(seed)[0]).encode())
        ran |= {one["rule"] for one in audit["coverage"]["rules_run"]}
    assert [rule for rule in LOOKED_AT if rule not in ran] == []


def test_what_is_near_a_fault_is_counted_for_rules_that_there_are():
    known = {rule["id"]: rule for rule in engine.rules("hcg")}
    near = {rule for rule, _ in NEAR.values()} | set(NUMBER_RULES)
    assert near <= set(known)
    assert [rule for rule, one in known.items() if one["auditable"] is True and rule not in near] == []


@pytest.fixture(scope="module")
def seen() -> list[set[str]]:
    return [set(legal_game(seed)[1]) for seed in (1, 2, 3, 5, 7, 11)]


def test_a_game_says_what_it_came_near_to(seen):
    assert set().union(*seen) <= set(NEAR)
    assert {"shot by one", "none to spare", "after one pass"} <= seen[0]
    # Nothing is true of every game but what every game has many of.
    rare = {"tie of dice", "old copy", "past the asset", "effect as a reward", "short turn", "smallest deck"}
    assert not rare & set.intersection(*seen)


def test_looking_changes_no_game():
    plain = next(seed for seed in range(100) if not habit_of(seed))
    assert legal_game(plain)[0] == play_game(plain, settings_of(plain))[0]


def test_habits_lead_to_what_is_rare_without_them():
    seeds = {habit: [seed for seed in range(200) if habit_of(seed) == habit][:6] for habit in LIKED}
    seen = {habit: sum((legal_game(seed)[1] for seed in few), Counter()) for habit, few in seeds.items()}
    assert seen["specials"]["past the asset"] and seen["specials"]["effect as a reward"]
    assert seen["versus"]["other opponent"] and seen["spite"]["source gone"] and seen["long"]["a winner is named"]


def test_what_is_left_out_of_a_log_is_not_counted_in_it():
    for seed in range(1, 12, 2):
        lines, near = legal_game(seed)
        kinds = [event["type"] for event in lines[1:]]
        assert near["broken off"] <= kinds.count("ba.end")
        assert near["one faster"] <= kinds.count("block") + kinds.count("block.none")


def test_an_event_claims_the_numbers_that_stand_in_it():
    assert numbers({"seq": 9, "type": "sweep", "by": "p1", "unit": "p1-1", "target": "p2-1"}) == set()
    assert numbers({"seq": 9, "type": "sweep", "by": "p1", "unit": "p1-1", "leftover": 2}) == {"HCG-SWEEP-03"}
    claimed = {rule for seed in (1, 2) for event in INVENTOR.legal_game(seed)[0][1:] for rule in numbers(event)}
    assert claimed <= set(NUMBER_RULES)
