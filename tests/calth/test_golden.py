"""The audits of the example games are those that are kept as files, and these cannot change unnoticed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.engine import compare, verify
from tests.golden import GAMES, accept, audit_of, file_of

EXAMPLES = sorted(GAMES.glob("*.jsonl"))


@pytest.mark.parametrize("game", EXAMPLES, ids=lambda path: path.stem)
def test_the_audit_of_an_example_game_is_the_one_that_is_kept(game: Path) -> None:
    assert file_of(game).exists(), "make golden ARGS=--new writes it"
    kept, now = json.loads(file_of(game).read_bytes()), audit_of(game)
    difference = compare(kept, now)
    assert not difference["gone"] and not difference["new"]
    assert [(one["id"], one["differs"]) for one in difference["changed"]] == []
    assert {key for key in now if kept.get(key) != now[key]} == set()
    assert verify(kept, game.read_bytes()) == []


def test_at_least_four_games_are_kept() -> None:
    assert len(EXAMPLES) >= 4


def kept_as(version: str, text: str) -> Any:
    body = {"ruleset_version": version, "findings": [], "verdict": text, "digest": "", "rulings": {"name": "defaults"}}
    return lambda _game: body


def test_a_changed_audit_is_refused_under_the_same_version_of_the_rules(tmp_path: Path) -> None:
    game = tmp_path / "a-game.jsonl"

    def stored() -> str:
        return json.loads(file_of(game, tmp_path).read_bytes())["verdict"]

    # A file that is not there is written only when that is said.
    assert "missing" in (accept(game, tmp_path, audit=kept_as("1", "clean")) or "")
    assert not file_of(game, tmp_path).exists()
    assert accept(game, tmp_path, new=True, audit=kept_as("1", "clean")) is None
    # Unchanged: nothing to accept. Changed: only with a new version.
    assert accept(game, tmp_path, audit=kept_as("1", "clean")) is None
    for new in (False, True):
        assert "version 1" in (accept(game, tmp_path, new=new, audit=kept_as("1", "findings")) or "")
        assert stored() == "clean"
    assert accept(game, tmp_path, audit=kept_as("2", "findings")) is None
    assert stored() == "findings"
