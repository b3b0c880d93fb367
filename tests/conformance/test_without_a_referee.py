"""The conformance run, in small, of games without a second referee, or with one that judges some rules: what it compared."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from auditor import engine, systems
from auditor.report import conformance as page
from auditor.trials import run, table
from auditor.trials.fuzz import opponent_of
from auditor.trials.tally import Task
from tests.cli.shell import auditor

TRIED = {
    "hcg": [("", 101), ("", 116), ("HCG-FW-01", 6), ("HCG-BA-01", 6), ("HCG-CHG-01", 6)],
    "clx": [("", 4), ("CLX-GAME-08", 1)],
}
ACCUSATIONS = {"hcg": 3, "clx": 2}
"""What the second referee says of these, second faults beside them among it; the charge of the card game is in a game of
hidden hands."""
UNASKABLE = {"hcg": set(), "clx": {"OR-3D", "OR-WS"}}
"""Readings none of whose options anybody can break."""
WITH_ONE, WITHOUT = "hcg", "clx"


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the games has no second referee."""
    inventor = replace(systems.game(WITHOUT).inventor(), check=None, judged=None)
    game = replace(systems.game(WITHOUT), load_inventor=lambda: inventor)
    monkeypatch.setitem(systems.REGISTRY, WITHOUT, lambda: game)


def reported(key: str, tried: list[tuple[str, int]]) -> tuple[dict[str, Any], str]:
    """The table of a run of some games, as a value and as a page."""
    value = table.report(key, run.run([Task(key, fault, number, 1) for fault, number in tried], 1), seed=1, faults=1)
    return value, " ".join(page.document(value, date="2030-01-02", command="auditor conformance", speed="").split())


@pytest.mark.parametrize("key", TRIED)
def test_legal_games_are_clean_planted_faults_are_found_and_the_table_says_what_was_not_compared(key: str) -> None:
    value, text = reported(key, TRIED[key])
    assert (value["second_referee"], value["passed"], value["false_accusations"]) == (True, True, 0)
    planted = {one["rule"]: one["found"] for one in value["rules"] if one["planted"]}
    assert planted == {fault: 1 for fault, _ in TRIED[key] if fault}
    assert value["compared"]["games"] == len(TRIED[key]) and value["compared"]["differences"] == 0
    assert value["compared"]["accusations"] == ACCUSATIONS[key]
    assert 200 < value["compared"]["events_judged"] <= value["compared"]["events"]
    assert "The second referee of this game judges" in text
    assert " what each option of a reading makes of an event" in text
    options = {f"{one['id']}={option['id']}" for one in engine.readings(key) for option in one["options"]}
    without = next(line for line in page.goals(value) if line.startswith("Options of readings"))
    never = set(systems.game(key).inventor().never)
    assert options - never == set(without.removesuffix(".").split(": ")[1].split(", "))
    idle = next(line for line in page.goals(value) if line.startswith("Readings asked fewer"))
    unaskable = {one["id"] for one in value["readings"] if all(option["never"] for option in one["options"])}
    assert unaskable == UNASKABLE[key] and not unaskable & set(re.findall(r"[A-Z]+-[A-Z0-9-]+", idle))


@pytest.mark.usefixtures("without")
def test_of_a_game_without_a_second_referee_the_table_says_that_nothing_was_compared() -> None:
    value, text = reported(WITHOUT, [("CLX-GAME-08", 1)])
    assert (value["second_referee"], value["passed"], value["compared"]) == (False, True, None)
    assert "This game has no second referee yet. Compared was: that an audit of a legal game" in text


@pytest.mark.parametrize("key", TRIED)
def test_every_kind_of_fault_is_of_a_rule_that_a_log_can_show(key: str) -> None:
    rules = {one["id"]: one["auditable"] for one in engine.rules(key)}
    assert {name: rules.get(name.split()[0]) for name in systems.game(key).inventor().plantable} == dict.fromkeys(
        systems.game(key).inventor().plantable, True
    )


def test_what_only_one_of_the_two_says_is_a_difference_and_the_run_has_not_passed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inventor = systems.game(WITH_ONE).inventor()
    silent = replace(inventor, check=lambda lines, options: [])
    game = replace(systems.game(WITH_ONE), load_inventor=lambda: silent)
    monkeypatch.setitem(systems.REGISTRY, WITH_ONE, lambda: game)
    tally = run.run([Task(WITH_ONE, "HCG-FW-01", 6, 1)], 1)
    value = table.report(WITH_ONE, tally, seed=1, faults=1)
    (found,) = value["differences"]
    assert (found["rule"], found["kind"], found["said_by"]) == ("HCG-FW-01", "illegal", "auditor")
    assert not value["passed"] and any("says the auditor alone" in line for line in page.troubles(value))


@pytest.mark.usefixtures("without")
def test_what_needs_a_second_referee_is_refused() -> None:
    said = auditor("fuzz", "--game", WITHOUT, "--tries", "1")
    assert said.status == 2 and f"{WITHOUT} has no second referee" in said.err
    with pytest.raises(systems.NotOffered):
        opponent_of(WITHOUT)


@pytest.mark.parametrize(("key", "fault"), [("hcg", "HCG-FW-01"), ("clx", "CLX-GAME-02")])
def test_games_are_written_by_command(key: str, fault: str, tmp_path: Path) -> None:
    out = tmp_path / "game.jsonl"
    assert auditor("generate", "--game", key, "--rounds", 1, "--seed", 3, "--output", out).status == 0
    assert engine.audit_log(out.read_bytes())["verdict"] == "clean"
    said = auditor("mutate", out, "--rule", fault, "--output", tmp_path / "x.jsonl")
    assert said.status == 2 and f"auditor generate --game {key} --fault '{fault}'" in said.err
    assert auditor("generate", "--game", key, "--fault", fault, "--seed", 3, "--output", out).status == 0
    (expected,) = json.loads((tmp_path / "game.expected.json").read_text(encoding="utf-8"))["findings"]
    standing = [one for one in engine.audit_log(out.read_bytes())["findings"] if one["stands"]]
    assert [(one["rule"], one["seq"]) for one in standing] == [(fault, expected["seq"])]


def test_a_run_is_asked_for_by_command_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    call = ["conformance", "--game", "hcg", "--games", 1, "--faults", 0, "--seed", 105, "--format", "json"]
    kept = tmp_path / "kept.json"
    first = auditor(*call, "--resume", kept)
    assert (first.status, first.value["passed"]) == (0, True)
    assert json.loads(kept.read_text(encoding="utf-8"))["done"] == 1
    assert auditor(*call, "--resume", kept).value == first.value
