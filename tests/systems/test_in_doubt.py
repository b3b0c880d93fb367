"""A finding that rests on what nobody knows is no accusation: what is left of each after an unknown event is kept."""

from __future__ import annotations

import json

import pytest

from tests.in_doubt import all_left, file_of, games


@pytest.mark.parametrize("game", ["clx", "hcg"])
def test_what_is_left_of_a_finding_after_an_unknown_event_is_what_is_kept(game: str) -> None:
    kept = json.loads(file_of(game).read_text(encoding="utf-8"))
    assert all_left(*games()[game]) == kept
