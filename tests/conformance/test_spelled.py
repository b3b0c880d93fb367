"""Nobody is accused of how a value is written; a sample of what `python -m tests.spelled` tries."""

from __future__ import annotations

import pytest

from auditor import systems
from tests.spelled import tried


@pytest.mark.parametrize("game", systems.game_keys())
def test_a_legal_game_in_another_spelling_accuses_nobody(game: str) -> None:
    found = tried(game, range(1, 2), 12, 8)
    assert len(found) >= 15
    assert [(one.way, one.where, one.accused[:1]) for one in found if one.accused] == []
