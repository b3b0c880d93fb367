"""The recorded games: made as their recipes say, with lists of faults that an audit finds, and nothing beside them."""

from __future__ import annotations

import json

import pytest

from auditor import engine
from auditor.conformance.clx.games import GAMES, RECIPES, files
from auditor.conformance.logs import read_jsonl
from tests.clx.examples import judged

FAULTY = [recipe.name for recipe in RECIPES if recipe.faults]


def expected_of(name):
    return json.loads((GAMES / f"{name}.expected.json").read_text(encoding="utf-8"))["findings"]


def test_a_recorded_game_is_what_its_recipe_makes():
    made = files(RECIPES[0])
    assert {name: (GAMES / name).read_text(encoding="utf-8") for name in made} == made


def test_the_files_are_those_of_the_recipes():
    assert {path.stem for path in GAMES.glob("*.jsonl")} == {recipe.name for recipe in RECIPES}


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_a_recorded_game_has_the_turns_and_about_the_models_of_its_recipe(recipe):
    lines = read_jsonl((GAMES / f"{recipe.name}.jsonl").read_text(encoding="utf-8"))
    placed = {row["id"]: event["player"] for event in lines[1:] if event["type"] == "deploy" for row in event["models"]}
    models = [list(placed.values()).count(side) for side in ("A", "B")]
    # In coarse detail a unit has one place.
    assert all(0 < n < recipe.size / 2 if recipe.coarse else abs(n - recipe.size) <= 8 for n in models)
    assert max(event["turn"] for event in lines[1:]) == recipe.turns


def test_three_games_without_a_fault_and_three_with_faults_are_of_full_size_and_bring_up_all_kinds_of_play():
    whole = [recipe for recipe in RECIPES if recipe.size >= 30 and recipe.turns >= 5]
    assert sum(bool(recipe.faults) for recipe in whole) >= 3 and sum(not recipe.faults for recipe in whole) >= 3
    assert any(recipe.coarse for recipe in whole) and any(not recipe.base_rules for recipe in whole)
    played = {
        event["type"]
        for recipe in whole
        for event in read_jsonl((GAMES / f"{recipe.name}.jsonl").read_text(encoding="utf-8"))
    }
    assert {"cast", "dispel", "pinning_test", "grenade", "vehicle_hit", "fight_step", "morale", "fall_back"} <= played


@pytest.mark.parametrize("name", FAULTY)
def test_a_list_names_a_dozen_rules(name):
    assert len({one["rule"] for one in expected_of(name)}) >= 12


@pytest.mark.parametrize("name", FAULTY)
def test_an_audit_of_a_faulty_game_finds_what_its_list_says_and_nothing_else(name):
    lines = read_jsonl((GAMES / f"{name}.jsonl").read_text(encoding="utf-8"))
    found = judged({"header": lines[0], "events": lines[1:]})["findings"]
    held = sorted((f["seq"], f["rule"], f["kind"], f["player"] or "") for f in found if f["stands"])
    assert held == sorted((e["seq"], e["rule"], e["kind"], e["player"] or "") for e in expected_of(name))


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        *(("five-turns", "clean"), ("no-base-rules", "clean"), ("close-quarters", "clean")),
        ("centres-and-totals", "incomplete"),
    ],
)
def test_an_audit_of_a_game_without_a_fault_accuses_nobody(name, verdict):
    audit = engine.audit_log((GAMES / f"{name}.jsonl").read_bytes(), digest=False, causes=False)
    assert audit["verdict"] == verdict
    assert [one for one in audit["findings"] if one["stands"]] == []
