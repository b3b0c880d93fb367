"""The legal games of the conformance run: small ones come to what they are made for, and every one is found clean."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from auditor import engine
from auditor.conformance.calth.check import check
from auditor.conformance.calth.small_games import SMALL_GAMES, corridors, fences, flames, last_stands, walker
from auditor.conformance.calth.variety import game_of, legal_game, legal_lines, settings_of
from auditor.conformance.logs import as_jsonl
from auditor.ingest import packs_with
from tests.shares import WHOLE, is_tried

GAMES = 12 if WHOLE else 6


@pytest.mark.parametrize(
    ("occasion", "rules", "readings"),
    [
        (last_stands, ("CAL-DLS-01", "CAL-DLS-02", "CAL-DLS-03"), ()),
        (corridors, ("CAL-DLS-03",), ("R-DLS-VEX",)),
        (walker, ("CAL-SOR-01", "CAL-SOR-02"), ("R-SOR-DECK", "R-SOR-CAS")),
        (flames, ("CAL-CRT-04",), ("R-FLM-SIDE", "R-FLM-CHAIN", "R-FLM-GONE", "R-PIS-TWO")),
        (fences, ("CAL-LOS-02", "CAL-CRT-07"), ("R-LOS-EDGEADJ", "R-LOS-OBST")),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_small_game_comes_to_what_it_is_made_for(occasion, rules, readings):
    ran, asked = set(), set()
    for seed in range(GAMES):
        lines, _ = game_of(seed, {**occasion(Random(seed), 2), "omit_claims": 0.0})
        audit, questions = engine.audit_counts(as_jsonl(lines).encode(), packs=packs_with([]))
        assert audit["verdict"] == "clean", (seed, audit["findings"])
        ran |= {line["rule"] for line in audit["coverage"]["rules_run"]}
        asked |= set(questions)
    assert set(rules) <= ran
    assert set(readings) <= asked


def test_half_of_the_games_are_small_and_every_other_one_leaves_out_claims():
    settings = [settings_of(seed) for seed in range(400)]
    small = [one for one in settings if "taste" in one]
    assert 160 < len(small) < 240
    assert sum(one["omit_claims"] > 0 for one in settings) == 200
    titles = {one["board"]["title"] for one in small}
    assert len(titles) == len(SMALL_GAMES)


def test_the_same_number_gives_the_same_game():
    assert legal_game(11) == legal_game(11)


def test_everybody_finds_a_place_in_a_small_game():
    for occasion in SMALL_GAMES:
        for seed in range(40 if WHOLE else 10):
            game = occasion(Random(seed), 1)
            lines, _ = game_of(seed, {**game, "rounds": 1, "omit_claims": 0.0})
            placed = {line["model"] for line in lines[1:] if line["type"] == "place"}
            models = {model["id"] for roster in game["rosters"].values() for model in roster["models"]}
            assert placed == models, (occasion.__name__, seed)


def test_a_third_of_the_games_is_played_on_large_boards_and_recorded_as_people_do():
    games, large, seen = 60 if WHOLE else 40, 0, Counter()
    for seed in range(games):
        header, *events = legal_lines(seed)
        large += len(header["board"]["hexes"]) >= 60
        seen.update(event["type"] for event in events)
        seen.update(f"end by {event['reason']}" for event in events if event["type"] == "end")
        seen["in long hand"] += any("rerolls" in event for event in events)
        assert not is_tried(4, "variety", seed) or check([header, *events]) == [], seed
    assert large >= games / 3
    wanted = ("undo", "judge", "remark", "damage_card", "end by time", "end by concession", "end by judge")
    assert all(seen[name] for name in (*wanted, "in long hand")), seen


def test_a_game_may_last_six_rounds():
    assert any(event.get("round") == 6 for event in legal_lines(42)[1:])
