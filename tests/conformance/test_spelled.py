"""Nobody is accused of how a value is written; a sample of what `make spellings` tries."""

from __future__ import annotations

import json
import re

import pytest

from auditor import systems
from auditor.trials import spelled
from auditor.trials.spelled import ONE_IN, ROUNDED, SPELLED, accused, try_as_people_write
from auditor.trials.tally import Tally
from tests.spelled import tried


@pytest.mark.parametrize("game", systems.game_keys())
def test_a_legal_game_in_another_spelling_accuses_nobody(game: str) -> None:
    found = tried(game, range(1, 2), 12, 8)
    assert len(found) >= 15
    assert [(one.way, one.where, one.accused[:1]) for one in found if one.accused] == []


def test_attacks_that_do_not_state_what_they_are_accuse_nobody() -> None:
    lines, _ = systems.game("calth").inventor().legal_game(2)
    assert {line.get("role") for line in lines} >= {"assault", "counter"}
    for left_out in ({"role"}, {"mode"}, {"role", "mode"}):
        written = [{key: value for key, value in line.items() if key not in left_out} for line in lines]
        assert accused(written) == []


def test_two_sides_that_use_like_labels_accuse_nobody() -> None:
    lines, _ = systems.game("calth").inventor().legal_game(4)
    as_one = re.sub(r'"(?:um|wb)-(\d+)"', r'"squad \1"', json.dumps(lines[1:]))
    assert '"unit_removed", "unit": "squad' in as_one, "a unit that is gone while the other bears its label"
    assert accused([lines[0], *json.loads(as_one)]) == []


def test_lore_dice_of_a_discipline_spelled_otherwise_accuse_nobody() -> None:
    lines, _ = systems.game("clx").inventor().legal_game(3)
    here = next(n for n, line in enumerate(lines) if line["type"] == "lore_mastery" and line.get("allocation"))
    for write in (str.title, "{} ".format, "{} or so".format):
        made = [
            *lines[:here],
            {**lines[here], "allocation": [*map(write, lines[here]["allocation"])]},
            *lines[here + 1 :],
        ]
        assert accused(made) == []


@pytest.mark.parametrize("game", systems.game_keys())
def test_a_conformance_run_writes_a_share_of_its_games_as_people_do(game: str) -> None:
    tally = Tally()
    lines, _ = systems.game(game).inventor().legal_game(ONE_IN)
    for seed in range(1, ONE_IN + 1):
        try_as_people_write(game, lines, seed, tally)
    names = {SPELLED, ROUNDED} if "recording_precision" in lines[0] else {SPELLED}
    assert tally.relations == {(name, "held"): 1 for name in names}, tally.broken_listed


def test_a_game_that_no_rounding_explains_breaks_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    lines, _ = systems.game("clx").inventor().legal_game(ONE_IN)
    monkeypatch.setattr(spelled, "accused", lambda lines: ["1 CLX-MOVE-01 too far"])
    tally = Tally()
    try_as_people_write("clx", lines, ONE_IN, tally)
    assert tally.relations == {(SPELLED, "broken"): 1, (ROUNDED, "broken"): 1}
    assert [one["number"] for one in tally.broken_listed] == [ONE_IN, ONE_IN]
