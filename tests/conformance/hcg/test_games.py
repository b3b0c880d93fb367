"""The recorded games with faults: made as their recipes say, and an audit finds what their lists say and nothing else."""

from __future__ import annotations

import json

import pytest

from auditor.conformance.hcg.recorded import GAMES, RECIPES, files
from tests.hcg.examples import judged


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_an_audit_of_a_recorded_game_finds_what_its_list_says(recipe):
    made = files(recipe)
    assert {name: (GAMES / name).read_text(encoding="utf-8") for name in made} == made
    header, *events = [json.loads(line) for line in made[f"{recipe.name}.jsonl"].splitlines()]
    expected = json.loads(made[f"{recipe.name}.expected.json"])["findings"]
    assert len({one["rule"] for one in expected}) >= 12
    found = [one for one in judged({"header": header, "events": events})["findings"] if one["stands"]]
    assert [{key: one[key] for key in expected[0]} for one in found] == expected


def test_together_their_lists_name_more_than_thirty_rules():
    lists = [json.loads((GAMES / f"{one.name}.expected.json").read_text(encoding="utf-8")) for one in RECIPES]
    assert len({found["rule"] for one in lists for found in one["findings"]}) > 30


def test_the_files_are_those_of_the_recipes():
    assert {path.stem for path in GAMES.glob("*.jsonl")} == {recipe.name for recipe in RECIPES}
