"""The second referee of the card game: legal games are clean for it, and it finds what was planted, without an audit."""

from __future__ import annotations

import json

import pytest

from auditor.conformance.hcg.inventor import INVENTOR
from auditor.conformance.hcg.plant import planted
from auditor.conformance.hcg.recorded import GAMES, RECIPES
from auditor.conformance.hcg.referee import JUDGED, check
from auditor.conformance.inventor import NOT_JUDGED

FEW = {
    **dict.fromkeys(("HCG-SETUP-02 illegal", "HCG-FW-01", "HCG-DEP-02 again", "HCG-BPH-05", "HCG-BSET-07"), 6),
    **dict.fromkeys(("HCG-BA-01", "HCG-SHOOT-04", "HCG-CA-02", "HCG-END-01", "HCG-WIN-01"), 6),
    **dict.fromkeys(("HCG-FW-04", "HCG-ASLT-04", "HCG-SWEEP-01", "HCG-ROLL-02", "HCG-TAC-02", "HCG-REA-03"), 7),
    **{"HCG-UNIQ-01": 6, "HCG-UNIQ-04": 7, "HCG-REA-01": 6, "HCG-BSET-05": 6},
    **{"HCG-OPT-02": 7, "HCG-OPT-04": 7, "HCG-OPT-06": 8, "HCG-X-01": 8, "HCG-X-02": 8, "HCG-ROLL-03": 12},
    **{"HCG-VIC-04": 8, "HCG-SHOOT-01 locked": 12, "HCG-VIC-02": 3, "HCG-VIC-08": 2},
}
"""Faults, each with the number of a game that lists the instances and names the cards that are drawn."""


@pytest.mark.parametrize("seed", [2, 4])
def test_a_legal_game_is_clean_to_its_end(seed: int) -> None:
    assert check(INVENTOR.legal_lines(seed)) == []


@pytest.mark.parametrize("name", FEW)
def test_a_planted_fault_is_found_and_nothing_else(name: str) -> None:
    assert name.split()[0] in JUDGED
    game = planted(name, FEW[name])
    assert game is not None
    found = [vars(one) for one in check(game.lines)]
    assert found == [game.fault]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_of_a_recorded_game_it_finds_what_the_list_names_as_far_as_it_follows(recipe) -> None:
    lines = [json.loads(line) for line in (GAMES / f"{recipe.name}.jsonl").read_text(encoding="utf-8").splitlines()]
    listed = json.loads((GAMES / f"{recipe.name}.expected.json").read_text(encoding="utf-8"))["findings"]
    *found, last = [vars(one) for one in check(lines)]
    if last["kind"] != NOT_JUDGED:
        found, last = [*found, last], {"seq": len(lines)}
    assert found == [one for one in listed if one["rule"] in JUDGED and one["seq"] < last["seq"]]
    assert len(found) >= 3


def test_what_it_cannot_follow_ends_its_judgement() -> None:
    header, *events = INVENTOR.legal_lines(2)
    (draw,) = [event for event in events if event["type"] == "draw"][:1]
    events[draw["seq"] - 1] = {key: value for key, value in draw.items() if key != "cards"}
    (said,) = check([header, *events])
    assert (said.seq, said.kind) == (draw["seq"], NOT_JUDGED)
    (said,) = check([{**header, "detail": "terse"}, *events])
    assert (said.seq, said.kind) == (0, NOT_JUDGED)
