"""A recorded game with faults, written otherwise: seen from elsewhere, mirrored, on a larger table, under other ids."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from auditor.conformance.clx.plant import planted
from auditor.conformance.clx.relations import RELATIONS
from auditor.conformance.logs import as_jsonl
from auditor.engine import audit_log

GAME = Path(__file__).parents[3] / "fixtures/clx/games/faulty-1.jsonl"
OTHERWISE = ("renamed", "other units", "turned half round", "turned a quarter", "mirrored", "shifted")


def found(data: bytes) -> list[tuple[Any, ...]]:
    names = ("seq", "rule", "kind", "player", "stands")
    return sorted(
        tuple(finding[name] for name in names) for finding in audit_log(data, meant=False, digest=False)["findings"]
    )


@pytest.fixture(scope="module")
def as_recorded() -> list[tuple[Any, ...]]:
    return found(GAME.read_bytes())


@pytest.mark.parametrize("name", OTHERWISE)
def test_the_same_is_found_however_it_is_written(name: str, as_recorded: list[tuple[Any, ...]]) -> None:
    lines = [json.loads(line) for line in GAME.read_text(encoding="utf-8").splitlines()]
    related = RELATIONS[name](lines, Random(name))
    assert related.data != GAME.read_bytes() and found(related.data) == as_recorded
    assert sum(stands for *_, stands in as_recorded) == 16


def test_a_record_in_which_a_base_leaves_the_table_is_not_put_on_a_larger_one() -> None:
    game = planted("CLX-LOG-05", 5)
    assert game is not None and game.fault["rule"] == "CLX-LOG-05"
    as_it_is = as_jsonl(game.lines).encode()
    assert RELATIONS["shifted"](game.lines, Random("shifted")).data == as_it_is
    placed = {row["id"]: row for event in game.lines[1:] if event["type"] == "deploy" for row in event["models"]}
    (key,) = game.fault["subject"]
    placed[key]["pos"] = [24, 24]
    assert RELATIONS["shifted"](game.lines, Random("shifted")).data != as_jsonl(game.lines).encode()
