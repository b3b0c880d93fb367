"""Whole games of the card game, made up: the same seed gives the same game, and every one of its cards is somewhere."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from auditor.conformance.hcg.cards import example_set
from auditor.conformance.hcg.generate import legal_game, play_game, settings_of
from auditor.conformance.hcg.texts import Static, Text
from auditor.conformance.logs import as_jsonl

PLAIN = {"omit_claims": 0.0, "hidden": "open", "detail": "full", "passes": "explicit"}
SEEDS = (0, 3, 7, 10, 11, 19, 31, 37, 39, 40, 43)
UNREAD = (
    *("BA: Choose a sector; nobody may deploy there next turn.", "T: Double the firepower of any unit."),
    *("Whoever holds this ground holds the well.", "R: When any unit blocks, that unit shines."),
    *("BA Sing the marching song, (4+): Draw 1 card.", "T: Exchange two units of your choice."),
    *("A: Move one enemy unit to the sector beside this one.", "E: If the moon is full, take a sector."),
    *("M: Ask your enemy to name a number; use that.", "The fires here never went out."),
)


def test_every_text_of_the_example_set_but_the_ten_unreadable_ones_is_read():
    texts = [text for card in example_set().values() for text in (*card.box, card.line) if text is not None]
    unread = {one.text for one in texts if isinstance(one, Text) and not one.readable}
    unread |= {one.text for one in texts if isinstance(one, Static) and one.kind == "unread"}
    assert unread == set(UNREAD)


def test_the_same_seed_gives_the_same_bytes():
    assert as_jsonl(legal_game(5)[0]) == as_jsonl(legal_game(5)[0])
    assert as_jsonl(legal_game(5)[0]) != as_jsonl(legal_game(6)[0])


@pytest.fixture(scope="module")
def games() -> list[tuple[list[dict[str, Any]], Counter[str]]]:
    return [play_game(seed, {**settings_of(seed), **PLAIN}) for seed in SEEDS]


def test_games_end_in_many_ways(games):
    ends = {lines[-1].get("reason") for lines, _ in games}
    assert {"two_sectors", "turn4_total", "extra_turn", "concession", "deck_loss"} <= ends


def test_games_come_to_what_an_auditor_may_get_wrong(games):
    seen = sum((counted for _, counted in games), Counter())
    wanted = (
        *("reaction at depth 2", "reroll", "modified roll", "reshuffle", "counterattack", "sweep", "coin", "skip"),
        *("own copies", "copies on both sides", "unique ship", "special", "special as reward", "attack broken off"),
        *("unique copy destroyed", "failed special", "no battle"),
    )
    assert [name for name in wanted if not seen[name]] == []


def test_decks_are_as_large_as_the_events_leave_them(games):
    for lines, _ in games:
        left = {player["id"]: len(player["instances"]) for player in lines[0]["players"]}
        for event in lines[1:]:
            who, kind = event.get("by"), event["type"]
            if kind in ("deploy.first", "roll"):
                left[who] -= 1
            elif kind == "draw":
                left[who] -= event["n"]
            elif kind == "mill" or (kind == "cost" and event["op"] == "mill"):
                left[who] -= len(event["cards"])
            elif kind == "reshuffle":
                left[who] += event["n"]
            elif kind == "turn.end":
                assert event["decks"] == left
            assert min(left.values()) >= 0
