"""Planted faults are found where they were planted, and nothing beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.conformance.clx.commands import write_faulty_game, write_game
from auditor.conformance.clx.generate import Settings, generate
from auditor.conformance.clx.inventor import INVENTOR, SIZES
from auditor.conformance.clx.plant import PLANTABLE, faulty_game, planted
from auditor.conformance.clx.plant.prepared import PREPARED
from auditor.conformance.clx.plant.scenes import SCENES
from auditor.conformance.inventor import CannotInvent
from auditor.conformance.logs import as_jsonl, read_jsonl
from tests.clx.examples import judged
from tests.shares import is_tried


def held_against(lines):
    found = judged({"header": lines[0], "events": lines[1:]})["findings"]
    return sorted((f["seq"], f["rule"], f["kind"], f["player"] or "") for f in found if f["stands"])


@pytest.mark.parametrize("seed", [11])
def test_faults_are_found_where_they_were_planted_and_nothing_else_is(seed):
    lines, expected = faulty_game(seed, PLANTABLE, Settings(size=5, turns=2), apart=10)
    assert expected
    assert held_against(lines) == sorted((e["seq"], e["rule"], e["kind"], e["player"] or "") for e in expected)


def test_a_fault_is_the_only_difference_from_the_legal_game():
    settings = Settings(size=5, turns=2)
    lines, expected = faulty_game(14, ["CLX-GAME-08"], settings)
    legal = generate(14, settings)
    differing = [i for i, (a, b) in enumerate(zip(lines, legal, strict=True)) if a != b]
    assert differing == [expected[0]["seq"]]


@pytest.mark.parametrize("name", [name for name in PREPARED if is_tried(6, name)])
def test_a_game_that_is_led_to_a_fault_has_it_and_no_other(name):
    game = planted(name, 2)
    assert game is not None
    assert game.fault["rule"] == name.split()[0]
    fault = game.fault
    assert held_against(game.lines) == [(fault["seq"], fault["rule"], fault["kind"], fault["player"] or "")]


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_ends_with_its_fault_and_has_no_other(name):
    for number in range(4):
        game = planted(name, number)
        assert game is not None and game.fault["rule"] == name.split()[0]
        fault = game.fault
        assert fault["seq"] == len(game.lines) - 1
        assert held_against(game.lines) == [(fault["seq"], fault["rule"], fault["kind"], fault["player"] or "")]
        first = planted(name, number)
        assert first is not None and as_jsonl(first.lines) == as_jsonl(game.lines)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        *(
            ("CLX-SHOOT-07c", 93),
            ("CLX-SHOOT-08", 19),
            ("CLX-MOR-01", 18),
            ("CLX-MOR-02 wounds", 53),
            ("CLX-USR-02", 16),
        ),
        *(("CLX-PSY-06", 142), ("CLX-ASLT-02", 10), ("CLX-ASLT-07a", 124), ("CLX-ASLT-07b", 130), ("CLX-VEH-02", 96)),
        ("CLX-USR-16 left out", 81),
    ],
)
def test_what_is_no_fault_by_the_rules_is_not_planted(name, number):
    """A pinned unit's cover, a die for a hit that rends, a test of who knows no fear, the wounds of a grenade; of limits
    that are missed by a hair: an inch from the enemy, the rim of an arc, the reach of debris."""
    game = planted(name, number)
    assert game is not None
    due = [fault for fault in (game.fault, game.beside) if fault is not None]
    assert held_against(game.lines) == sorted((e["seq"], e["rule"], e["kind"], e["player"] or "") for e in due)


def test_a_command_writes_a_game_and_a_faulty_game(tmp_path: Path):
    out = tmp_path / "game.jsonl"
    assert write_game(3, 1, None, out) == len(read_jsonl(out.read_text())) - 1
    beside = write_faulty_game(3, "CLX-GAME-02", out)
    assert '"CLX-GAME-02"' in beside.read_text()
    with pytest.raises(CannotInvent):
        write_game(3, 1, out, out)


def test_the_legal_game_of_a_number_is_always_the_same():
    settings = INVENTOR.settings_of(2)
    assert settings == INVENTOR.settings_of(2)
    assert {INVENTOR.settings_of(seed)["size"] for seed in range(200)} == set(SIZES)
    assert as_jsonl(INVENTOR.legal_lines(41)) == as_jsonl(INVENTOR.legal_lines(41))
