"""The second referee of the card game: legal games are clean for it, and it finds what was planted, without an audit."""

from __future__ import annotations

import json

import pytest

from auditor.conformance.hcg.cards import example_set
from auditor.conformance.hcg.generate import legal_game, play_game, settings_of
from auditor.conformance.hcg.inventor import INVENTOR
from auditor.conformance.hcg.plant import planted
from auditor.conformance.hcg.record import REFERENCES
from auditor.conformance.hcg.recorded import GAMES, RECIPES
from auditor.conformance.hcg.referee import JUDGED, check
from auditor.conformance.inventor import NOT_JUDGED

FEW = {
    **dict.fromkeys(("HCG-SETUP-02 illegal", "HCG-FW-01", "HCG-DEP-02 again", "HCG-BPH-05", "HCG-BSET-07"), 6),
    **dict.fromkeys(("HCG-BA-01", "HCG-SHOOT-04", "HCG-END-01"), 6),
    **dict.fromkeys(("HCG-FW-04", "HCG-ASLT-04", "HCG-SWEEP-01", "HCG-ROLL-02", "HCG-TAC-02", "HCG-REA-03"), 7),
    **{"HCG-WIN-01": 7, "HCG-UNIQ-01": 6, "HCG-UNIQ-04": 7, "HCG-REA-01": 6, "HCG-BSET-05": 6},
    **{"HCG-OPT-02": 7, "HCG-OPT-04": 7, "HCG-OPT-06": 8, "HCG-X-01": 8, "HCG-X-02": 8, "HCG-ROLL-03": 12},
    **{"HCG-VIC-04": 8, "HCG-SHOOT-01 locked": 12, "HCG-VIC-02": 1, "HCG-VIC-08": 2, "HCG-CA-02": 1},
    **{"HCG-BSET-01": 6, "HCG-SPEC-01": 7, "HCG-BAA-01": 4, "HCG-BAA-03": 10, "HCG-DMG-03": 7},
    **{"HCG-DOC-02 another card": 6, "HCG-VS-02": 6},
    **{"HCG-BAC-01": 12, "HCG-CA-03": 13, "HCG-CMD-04": 12, "HCG-DES-02": 9, "HCG-DISC-02 illegal": 1},
    **{"HCG-DISC-02 miscalculated": 12, "HCG-DMG-02": 12, "HCG-DMG-04": 1, "HCG-END-03": 1, "HCG-INF-01": 13},
    **{"HCG-INF-02": 13, "HCG-OPT-05 fewer": 1, "HCG-OPT-05 more": 13, "HCG-POS-03": 1, "HCG-SHIP-05": 12},
    **{"HCG-SHOOT-09": 12, "HCG-SPEC-03": 13, "HCG-SPEC-07": 1, "HCG-TAC-05": 13, "HCG-UNIQ-05": 1, "HCG-VS-03": 13},
}
"""Faults, each with the number of a game that lists the instances and names the cards that are drawn."""


@pytest.mark.parametrize("seed", [2, 4, 1672, 8177], ids=["", "", "a hand of five", "a command hand of three"])
def test_a_legal_game_is_clean_to_its_end(seed: int) -> None:
    assert check(INVENTOR.legal_lines(seed)) == []


@pytest.mark.parametrize("seed", [3000573, 3000601], ids=["no end phase in a terse record", "no end of a turn"])
def test_what_may_be_left_out_is_not_missed(seed: int) -> None:
    assert check(legal_game(seed)[0]) == []


@pytest.mark.parametrize("name", FEW)
def test_a_planted_fault_is_found_and_nothing_else(name: str) -> None:
    assert name.split()[0] in JUDGED
    game = planted(name, FEW[name], alone=True)
    assert game is not None
    found = [vars(one) for one in check(game.lines)]
    assert found == [game.fault]


@pytest.mark.parametrize(("name", "number"), [("HCG-SHIP-01", 1), ("HCG-VIC-01", 1)])
def test_a_planted_fault_is_found_after_which_nobody_can_follow(name: str, number: int) -> None:
    assert name in JUDGED
    game = planted(name, number, alone=True)
    assert game is not None
    fault, last = [vars(one) for one in check(game.lines)]
    assert (fault, last["seq"], last["kind"]) == (game.fault, game.fault["seq"] + 1, NOT_JUDGED)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_of_a_recorded_game_it_finds_what_the_list_names_as_far_as_it_follows(recipe) -> None:
    lines = [json.loads(line) for line in (GAMES / f"{recipe.name}.jsonl").read_text(encoding="utf-8").splitlines()]
    listed = json.loads((GAMES / f"{recipe.name}.expected.json").read_text(encoding="utf-8"))["findings"]
    *found, last = [vars(one) for one in check(lines)]
    if last["kind"] != NOT_JUDGED:
        found, last = [*found, last], {"seq": len(lines)}
    assert found == [one for one in listed if one["rule"] in JUDGED and one["seq"] < last["seq"]]
    assert len(found) >= 3


WRITTEN = {
    "terse": {"detail": "terse", "passes": "implied"},
    "without the order of the decks": {"hidden": "no order"},
    "without a list of the instances": {"hidden": "no instances"},
    "with claims left out": {"omit_claims": 0.6},
}


@pytest.mark.parametrize("settings", WRITTEN.values(), ids=WRITTEN)
def test_a_legal_game_that_says_less_is_clean_to_its_end(settings) -> None:
    plain = {"detail": "full", "passes": "explicit", "hidden": "open", "omit_claims": 0.0, "unread": False}
    lines, _ = play_game(14, {**settings_of(14), **plain, **settings})
    assert len(lines) > 800
    assert check(lines) == []


def test_a_terse_record_leaves_out_the_discard_of_a_hand_and_nothing_that_cannot_be_told() -> None:
    header, *events = INVENTOR.legal_lines(4)
    without = [event for event in events if event["type"] != "victory.discard"]
    number = {event["seq"]: n for n, event in enumerate(without, 1)}
    made = [
        {**event, "seq": number[event["seq"]], **{key: number[event[key]] for key in REFERENCES if event.get(key)}}
        for event in without
    ]
    assert {one.rule for one in check([header, *made])} == {"HCG-VIC-06"}
    assert check([{**header, "detail": "terse"}, *made]) == []


@pytest.mark.parametrize(("end", "found"), [("concession", []), ("draw", ["HCG-CA-01", "HCG-WIN-04"])])
def test_a_counterattack_is_not_left_out_where_the_players_break_off(end: str, found: list[str]) -> None:
    game = planted("HCG-CA-01 omitted", 4)
    assert game is not None
    seq = next(one.seq for one in check(game.lines) if one.rule == "HCG-CA-01")
    last = {"seq": seq, "type": "game.end", "winner": None, "reason": end}
    assert [one.rule for one in check([*game.lines[:seq], last])] == found


def test_a_hand_that_was_empty_before_a_text_filled_it_was_not_to_be_discarded() -> None:
    assert check(INVENTOR.legal_lines(77147)) == []


def test_an_instance_that_is_shown_as_two_cards_is_not_followed() -> None:
    lines, _ = play_game(14, {**settings_of(14), "detail": "full", "hidden": "no instances", "omit_claims": 0.0})
    reveal = next(n for n, line in enumerate(lines) if line.get("ids"))
    ((name, card), *_) = lines[reveal]["ids"].items()
    last = {**lines[-1], "ids": {name: next(one.id for one in example_set().values() if one.id != card)}}
    assert [(one.seq, one.kind) for one in check([*lines[:-1], last])] == [(0, NOT_JUDGED)]


def test_what_it_cannot_follow_ends_its_judgement() -> None:
    header, *events = INVENTOR.legal_lines(2)
    (draw,) = [event for event in events if event["type"] == "draw"][:1]
    events[draw["seq"] - 1] = {key: value for key, value in draw.items() if key != "cards"}
    (said,) = check([header, *events])
    assert (said.seq, said.kind) == (draw["seq"], NOT_JUDGED)
