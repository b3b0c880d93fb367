"""Data packs of several games: whose they are, which version is meant, and what is refused."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
import rfc8785

from auditor import engine, systems
from auditor.ingest import BadPacks, check_packs, packs_with
from auditor.systems.packs import newness
from tests.ingest.example import BOARD
from tests.systems.pebbles import PEBBLES, log

BAG: dict[str, Any] = {"id": "big-bag", "title": "A big bag", "source": "invented", "holds": 50}


@pytest.fixture(autouse=True)
def two_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(systems.REGISTRY, "pebbles", lambda: PEBBLES)


def checked(*packs: Any) -> list[tuple[str, str, str, str]]:
    files = [(f"{n}.json", json.dumps(pack).encode()) for n, pack in enumerate(packs)]
    return [(pack.game, pack.kind, pack.id, pack.version) for pack in check_packs(files)]


def refused(*packs: Any) -> list[tuple[str, str | None]]:
    with pytest.raises(BadPacks) as bad:
        checked(*packs)
    return [(error.path, error.nearest) for error in bad.value.errors]


def test_a_pack_that_names_no_game_is_of_the_one_that_knows_its_kind():
    assert checked(BAG, BOARD) == [("pebbles", "bag", "big-bag", ""), ("calth", "board", "small", "")]


def test_a_pack_that_fits_two_games_must_name_its_own(monkeypatch):
    twin = systems.Game("stones", PEBBLES.format, replace(PEBBLES.packs, built_in=list), PEBBLES.load_ruleset)
    monkeypatch.setitem(systems.REGISTRY, "stones", lambda: twin)
    assert refused(BAG) == [("0.json: game", None)]
    assert checked({**BAG, "game": "stones"}) == [("stones", "bag", "big-bag", "")]


def test_a_pack_is_held_to_the_game_that_it_names():
    assert refused({**BAG, "game": "peebles"}, {**BAG, "game": "calth"}, {**BOARD, "game": "pebbles"}, {**BAG, "holds": 0}) == [
        ("0.json: game", "pebbles"),
        ("1.json", None),
        ("2.json", None),
        ("3.json: holds", None),
    ]  # fmt: skip


def test_a_pack_says_who_it_is():
    data = json.dumps({**BAG, "game": "pebbles", "version": "1.2"}, indent=1).encode()
    (pack,) = check_packs([("bag.json", data)])
    written = json.loads(data)
    assert (pack.game, pack.kind, pack.id, pack.version, pack.title) == (
        "pebbles",
        "bag",
        "big-bag",
        "1.2",
        "A big bag",
    )
    assert pack.written == written
    assert pack.sha256 == hashlib.sha256(rfc8785.dumps(written)).hexdigest()


def test_versions_stand_beside_each_other_and_none_is_overwritten():
    assert refused({**BAG, "version": "1@2"}, {**BAG, "version": 2}) == [
        ("0.json: version", None),
        ("1.json: version", None),
    ]
    assert refused(BAG, {**BAG, "holds": 51}) == [("1.json: id", None)]
    assert refused({**BAG, "id": "small-bag"}) == [("0.json: id", None)]
    assert len(checked(BAG, {**BAG, "version": "2", "holds": 51}, BAG)) == 3


def test_a_header_means_the_newest_version_or_the_one_that_it_names():
    versions = [{**BAG, "holds": n, "version": version} for n, version in ((51, "1.9"), (52, "1.10"), (50, ""))]
    files = [(f"{n}.json", json.dumps(pack).encode()) for n, pack in enumerate(versions)]
    packs = packs_with(check_packs(files))

    def left(name: str) -> Any:
        audit = engine.audit_log(log({"pebbles": 1, "left": 0}, bag=name), packs=packs)
        return audit["verdict"] if not audit["findings"] else audit["findings"][0]["recomputed"]

    assert [left(name) for name in ("big-bag", "big-bag@1.9", "big-bag@1.10", "big-bag@3", "small-bag")] == [
        51, 50, 51, "unreadable", 9,
    ]  # fmt: skip


@pytest.mark.parametrize(("older", "newer"), [("", "1"), ("1.9", "1.10"), ("2", "10"), ("1", "1.1"), ("2025", "2026")])
def test_versions_are_compared_by_their_numbers(older: str, newer: str):
    assert newness(older) < newness(newer)
