"""The recorded games: made from their recipes, rich enough, and with exactly the faults that were planted."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from auditor.conformance.calth.check import check
from auditor.conformance.calth.exercised import exercised
from auditor.conformance.calth.games import PACKS, RECIPES, files
from auditor.conformance.calth.packs import Packs
from auditor.conformance.logs import read_jsonl

GAMES = Path(__file__).parents[2] / "fixtures" / "calth" / "games"
KNOWN = Packs.read(PACKS)


def game(name: str) -> list[dict]:
    return read_jsonl((GAMES / f"{name}.jsonl").read_text(encoding="utf-8"))


def expected(name: str) -> list[dict]:
    path = GAMES / f"{name}.expected.json"
    return json.loads(path.read_text(encoding="utf-8"))["findings"] if path.exists() else []


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_a_recorded_game_is_what_its_recipe_makes(recipe):
    for name, text in files(recipe, KNOWN).items():
        assert (GAMES / name).read_text(encoding="utf-8") == text, name


@pytest.mark.parametrize("name", [recipe.name for recipe in RECIPES])
def test_the_second_referee_finds_what_was_planted_and_nothing_else(name):
    found = [(d.seq, d.rule, d.kind, d.player) for d in check(game(name), packs=KNOWN)]
    assert found == [(line["seq"], line["rule"], line["kind"], line["player"]) for line in expected(name)]


@pytest.mark.parametrize("name", ["clean-1", "clean-2"])
def test_a_clean_game_exercises_most_of_the_catalogue(name):
    lines = game(name)
    events = lines[1:]
    assert len(events) >= 200
    assert sum(event["type"] == "round_end" for event in events) >= 4
    assert len(exercised(lines, KNOWN)) >= 60
    actions = {event["action"] for event in events if event["type"] == "activate"}
    assert actions >= {"advance", "run", "consolidate", "assault", "shoot"}
    types = Counter(event["type"] for event in events)
    assert types["retreat"] and types["last_stand"]
    assert any(event.get("los", {}).get("class") == "obscured" for event in events)
    effects = {event["crit"]["effect"] for event in events if isinstance(event.get("crit"), dict)}
    assert len(effects) >= 5


@pytest.mark.parametrize("name", ["faulty-1", "faulty-2"])
def test_the_faults_of_a_game_are_of_different_rules_rounds_and_players(name):
    planted = expected(name)
    assert len({line["rule"] for line in planted}) == len(planted) >= 10
    assert {line["kind"] for line in planted} == {"illegal", "miscalculated", "omitted"}
    assert {"UM", "WB"} <= {line["player"] for line in planted}
    rounds = {event["seq"]: event.get("round") for event in game(name)[1:]}
    assert len({rounds[line["seq"]] for line in planted}) >= 4
