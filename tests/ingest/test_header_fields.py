"""Every field of a header does something, or is refused by its name; and a header that contradicts itself is at fault."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from auditor import engine, systems

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "log-format.md").read_text(encoding="utf-8")
CALTH, CLX, HCG = "calth", "clx", "hcg"

OTHERWISE: dict[tuple[str, str], Any] = {
    **{(game, "title"): "A game by the window" for game in (CALTH, CLX, HCG)},
    **{(game, "match"): {"event": "Spring cup", "round": 3, "table": 12} for game in (CALTH, CLX, HCG)},
    **{(game, "recorded_by"): "Cleo" for game in (CALTH, CLX, HCG)},
    (CALTH, "confirmed_by"): ["UM", "WB"],
    (CLX, "confirmed_by"): ["A"],
    (HCG, "confirmed_by"): ["p1", "p2"],
    (CALTH, "rulings"): {"readings": {"R-ACT-NOP": "open"}},
    (CLX, "rulings"): {"settings": {"measuring_tolerance": "1/4"}},
    (HCG, "rulings"): {"name": "of the shop", "readings": {}},
    (CALTH, "campaign"): {"scenario": 2},
    (CALTH, "board"): "cistern-nine",
    (CALTH, "scenario"): "flooded-cistern",
    (CALTH, "command_cards"): "example-cards",
    (CALTH, "rosters"): {"UM": "example-um", "WB": {}},
    (CLX, "table"): {"W": 6, "D": 4},
    (CLX, "recording_precision"): 0.5,
    (CLX, "terrain"): [{"id": "wall", "shape": "box", "at": [30, 20], "size": [6, 1], "impassable": True}],
}
"""What a field may say otherwise; any other field is tried with the name of a pack that nobody has, or with nonsense."""


def smallest(game: str) -> list[dict[str, Any]]:
    """The log of a game that the docs give to be copied; of inches a game in which somebody stands on the table."""
    if game == CLX:
        text = (Path(__file__).resolve().parents[1] / "clx" / "short-one.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]
    text = PAGE.partition(f"<!-- smallest of {game} -->")[2].partition("```json\n")[2].partition("```")[0]
    lines: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    if game == CALTH:  # the start says again what the header says, and is held against it
        start = {"seq": 1, "type": "game_start", "campaign": {"scenario": 1}}
        lines = [lines[0], start, *({**event, "seq": event["seq"] + 1} for event in lines[1:])]
        lines[0]["campaign"] = start["campaign"]
    return lines


def said(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """What an audit and a report say of a log, but for its hash."""
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()
    audit = {key: value for key, value in engine.audit_log(data, digest=False).items() if key != "log_sha256"}
    return {**audit, "heading": engine.log_heading(data), "told": engine.timeline(data, texts=True)}


@cache
def as_it_is(game: str) -> dict[str, Any]:
    return said(smallest(game))


FIELDS = [
    (game, field) for game in systems.game_keys() for field in systems.game(game).format.header.type.__struct_fields__
]


@pytest.mark.parametrize(("game", "field"), FIELDS)
def test_a_field_of_a_header_that_says_otherwise_is_seen_or_refused(game: str, field: str) -> None:
    lines = smallest(game)
    assert as_it_is(game)["errors"] == []
    lines[0][field] = OTHERWISE.get((game, field), "no-such-thing")
    found = said(lines)
    named = [error for error in found["errors"] if error["path"].startswith(field)]
    if (game, field) in OTHERWISE:
        differs = [key for key in found if found[key] != as_it_is(game)[key]]
        assert differs, f"{field} of {game} is read and used nowhere"
    else:
        assert named, f"{field} of {game} is taken whatever it says"


@pytest.mark.parametrize("game", systems.game_keys())
def test_a_field_that_a_header_does_not_have_is_named_with_the_one_that_was_meant(game: str) -> None:
    lines = smallest(game)
    lines[0] |= {"recorded_buy": "Cleo", "x_app": "mine"}
    notes = [note["text"] for note in said(lines)["notes"] if note["kind"] == "input"]
    assert notes == [
        'Fields of the header that this game does not know were passed over: "recorded_buy", the nearest is "recorded_by".'
    ]


@pytest.mark.parametrize("game", systems.game_keys())
@pytest.mark.parametrize("order", [(0, 0), (0, 0, 1), (0, 1, 0), (1, 1, 1)])
def test_players_named_again_are_an_error_of_the_header_and_accuse_nobody(game: str, order: tuple[int, ...]) -> None:
    lines = smallest(game)
    lines[0]["players"] = [lines[0]["players"][place] for place in order]
    audit = said(lines)
    assert any(error["path"].startswith("players") for error in audit["errors"])
    assert [one for one in audit["findings"] if one["stands"]] == []
    assert audit["verdict"] in ("incomplete", "unreadable")


@pytest.mark.parametrize("game", systems.game_keys())
def test_whoever_confirmed_a_record_is_one_of_its_players(game: str) -> None:
    lines = smallest(game)
    lines[0]["confirmed_by"] = ["somebody else"]
    assert [error["path"] for error in said(lines)["errors"]] == ["confirmed_by[0]"]
