"""One planted fault of each kind must be found, and nothing beside it; what nobody planted a fault in is silent.

Kept as files, since planting takes longer than judging.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from auditor import engine
from auditor.conformance.calth.plant import PLANTABLE as IN_CALTH
from auditor.conformance.calth.plant import findings_of
from auditor.conformance.calth.plant.booked import planted as planted_in_calth
from auditor.conformance.clx.inventor import INVENTOR as INCHES
from auditor.conformance.clx.plant import planted as planted_in_inches
from auditor.conformance.hcg.inventor import INVENTOR as CARDS
from auditor.conformance.hcg.plant import planted as planted_in_cards
from auditor.conformance.inventor import Inventor
from auditor.conformance.logs import as_jsonl
from auditor.trials.audited import as_the_referee_tells, held_against, record_notes
from tests.mutants.rooms import ROOT

SELDOM = "HCG-WIN-01 illegal"
"""Of a fault with this name no game of the first hundred numbers gives an occasion."""
LEGAL_GAMES_OF_INCHES = (100, 101, 102, 103, 104, 105)
LEGAL_GAMES_OF_CARDS = (100, 101, 105, 106, 109, 115, 118, 121, 127, 130)
Json = dict[str, Any]


@cache
def _folder(game: str) -> Path:
    sources = sorted((ROOT / "auditor/conformance" / game).rglob("*.py"))
    text = b"".join(path.read_bytes() for path in [*sources, Path(__file__)])
    folder = ROOT / "build" / "planted" / game / hashlib.sha256(text).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _game(game: str, name: str, invented: Callable[[], Json]) -> Json:
    """A game and what must be found of it; invented once."""
    kept = _folder(game) / f"{name}.json"
    if not kept.exists():
        kept.write_text(json.dumps(invented()), encoding="utf-8")
    found: Json = json.loads(kept.read_text(encoding="utf-8"))
    return found


def _in_calth(name: str) -> Json:
    game = planted_in_calth(name, 0)
    assert game is not None
    due = [_key(one) for one in findings_of(game.fault)]
    return {"log": as_jsonl(game.lines), "due": due}


def _in_cards(name: str) -> Json:
    """A game that ends soon after its fault, which is too high and too low by turns."""
    numbers = range(6 + CARDS.plantable.index(name) % 2, 100)
    game = next(found for number in numbers if (found := planted_in_cards(name, number, alone=True)) is not None)
    return {"log": as_jsonl(game.lines), "due": [_key(one) for one in CARDS.findings_of(game.fault)]}


def _in_inches(name: str) -> Json:
    game = next(found for number in range(100) if (found := planted_in_inches(name, number, alone=True)) is not None)
    return {"log": as_jsonl(game.lines), "due": [_key(one) for one in INCHES.findings_of(game.fault)]}


def _of_an_option(inventor: Inventor, name: str) -> Json:
    """A game that is played under another option of a reading, to the first fault under this one that was planted."""
    game = inventor.plant_reading(name, 0)
    due = [_key(one) for one in game.faults]
    return {"log": as_jsonl(game.lines), "due": due, "since": due[0][0]}


def _key(one: Mapping[str, Any]) -> list[Any]:
    return [one["seq"], one["rule"], one["kind"], one["player"]]


def _is_found(game: Json) -> None:
    """What is held against anybody, and what the record contradicts itself in, is what is due."""
    audit, _ = engine.audit_counts(game["log"].encode())
    since = game.get("since", 0)
    held = [
        _key(one) for one in (*held_against(as_the_referee_tells(audit)), *record_notes(audit)) if one["seq"] >= since
    ]
    assert sorted(held, key=str) == sorted(game["due"], key=str)


@pytest.mark.parametrize("name", IN_CALTH)
def test_a_fault_planted_in_calth_is_found_and_nothing_beside_it(name: str) -> None:
    _is_found(_game("calth", name, lambda: _in_calth(name)))


@pytest.mark.parametrize("name", [name for name in CARDS.plantable if name != SELDOM])
def test_a_fault_planted_in_a_card_game_is_found_and_nothing_beside_it(name: str) -> None:
    _is_found(_game("hcg", name, lambda: _in_cards(name)))


@pytest.mark.parametrize("name", CARDS.plantable_readings)
def test_a_fault_of_an_option_in_a_card_game_is_found_and_nothing_beside_it(name: str) -> None:
    _is_found(_game("hcg", name, lambda: _of_an_option(CARDS, name)))


@pytest.mark.parametrize("name", INCHES.plantable)
def test_a_fault_planted_in_inches_is_found_and_nothing_beside_it(name: str) -> None:
    _is_found(_game("clx", name, lambda: _in_inches(name)))


@pytest.mark.parametrize("name", INCHES.plantable_readings)
def test_a_fault_of_an_option_in_inches_is_found_and_nothing_beside_it(name: str) -> None:
    _is_found(_game("clx", name, lambda: _of_an_option(INCHES, name)))


@pytest.mark.parametrize("seed", LEGAL_GAMES_OF_INCHES)
def test_a_legal_game_of_inches_is_clean(seed: int) -> None:
    game = _game("clx", f"legal-{seed}", lambda: {"log": as_jsonl(INCHES.legal_game(seed)[0]), "due": []})
    _is_found(game)
    assert engine.audit_counts(game["log"].encode())[0]["verdict"] == "clean"


@pytest.mark.parametrize("seed", LEGAL_GAMES_OF_CARDS)
def test_a_legal_card_game_is_clean(seed: int) -> None:
    game = _game("hcg", f"legal-{seed}", lambda: {"log": as_jsonl(CARDS.legal_game(seed)[0]), "due": []})
    _is_found(game)
    assert engine.audit_counts(game["log"].encode())[0]["verdict"] == "clean"
