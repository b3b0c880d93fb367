"""A recorded game with faults, written otherwise: seen from elsewhere, mirrored, on a larger table, under other ids."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from auditor.conformance.clx.relations import RELATIONS
from auditor.engine import audit_log

GAME = Path(__file__).parents[3] / "fixtures/clx/games/faulty-1.jsonl"
OTHERWISE = ("renamed", "other units", "turned half round", "turned a quarter", "mirrored", "shifted")


def found(data: bytes) -> list[tuple[Any, ...]]:
    names = ("seq", "rule", "kind", "player", "stands")
    return sorted(tuple(finding[name] for name in names) for finding in audit_log(data)["findings"])


@pytest.fixture(scope="module")
def as_recorded() -> list[tuple[Any, ...]]:
    return found(GAME.read_bytes())


@pytest.mark.parametrize("name", OTHERWISE)
def test_the_same_is_found_however_it_is_written(name: str, as_recorded: list[tuple[Any, ...]]) -> None:
    lines = [json.loads(line) for line in GAME.read_text(encoding="utf-8").splitlines()]
    related = RELATIONS[name](lines, Random(name))
    assert related.data != GAME.read_bytes() and found(related.data) == as_recorded
    assert sum(stands for *_, stands in as_recorded) == 15
