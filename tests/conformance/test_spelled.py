"""Nobody is accused of how a value is written; a sample of what `python -m tests.spelled` tries."""

from __future__ import annotations

import json
import re

import pytest

from auditor import systems
from auditor.trials.spelled import accused
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
