"""A record that is written in another way is at fault before anybody else, and is read so when it is asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.engine import audit_log
from auditor.systems.conventions import by_name
from tests.cli.shell import GAMES, auditor
from tests.clx.test_precision import rounded

ROOT = Path(__file__).resolve().parents[2]
INCHES = ROOT / "tests" / "clx" / "short-one.jsonl"


def scaled(value: Any, factor: float) -> Any:
    if isinstance(value, dict):
        return {key: scaled(item, factor) for key, item in value.items()}
    if isinstance(value, list):
        is_place = len(value) in (2, 3) and any(isinstance(one, float) for one in value)
        return [
            round(one * factor, 3) if is_place and not isinstance(one, list) else scaled(one, factor) for one in value
        ]
    return value


def in_centimetres(lines: list[Any]) -> list[Any]:
    table = {key: round(item * 2.54) for key, item in lines[0]["table"].items()}
    return [{**lines[0], "table": table}, *(scaled(event, 2.54) for event in lines[1:])]


def by_column_and_row(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: by_column_and_row(item, name) for name, item in value.items()}
    if isinstance(value, list):
        if key in ("hex", "to", "path", "edge") and len(value) == 2 and all(isinstance(one, int) for one in value):
            q, r = value
            return [q, r + (q - (q & 1)) // 2]
        return [by_column_and_row(item, key) for item in value]
    return value


def offset(lines: list[Any]) -> list[Any]:
    return [lines[0], *map(by_column_and_row, lines[1:])]


def faces(value: Any, letters: dict[int, str]) -> Any:
    if isinstance(value, dict):
        return {key: faces(item, letters) for key, item in value.items()}
    if isinstance(value, list):
        return [faces(item, letters) for item in value]
    return value.translate(letters) if isinstance(value, str) and value and set(value) <= set("CHSB") else value


SB = str.maketrans("SB", "BS")


def by_number(lines: list[Any]) -> list[Any]:
    return [lines[0], *(faces(event, str.maketrans("BSHC", "1356")) for event in lines[1:])]


def from_zero(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: from_zero(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [from_zero(item, key) for item in value]
    dice = ("die", "dice", "reroll", "d3", "d6", "difficult_dice", "to_hit_die", "scatter_dice")
    return value - 1 if key in dice and isinstance(value, int) else value


@pytest.mark.parametrize(
    ("game", "write", "way"),
    [
        (INCHES, in_centimetres, "cm"),
        (GAMES / "clean-1.jsonl", offset, "offset"),
        (GAMES / "clean-1.jsonl", by_number, "faces-up"),
    ],
)
def test_a_record_in_another_way_accuses_nobody_until_somebody_chooses(tmp_path: Path, game, write, way) -> None:
    lines = [json.loads(line) for line in game.read_text(encoding="utf-8").splitlines()]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(line) + "\n" for line in write(lines)), encoding="utf-8")
    said = auditor("audit", log, "--format", "json")
    assert said.status == 3
    assert [one for one in said.value["findings"] if one["stands"]] == []
    note = said.value["notes"][0]
    assert note["kind"] == "input" and note["text"].endswith(f"To read it so: --read-as {way}."), note
    path = tmp_path / "audit.json"
    asked = auditor("audit", log, "--format", "json", "--read-as", way)
    assert asked.value["read_as"] == way and len([one for one in asked.value["findings"] if one["stands"]]) <= 1
    path.write_text(asked.out, encoding="utf-8")
    assert auditor("verify", path, log).status == 0


def test_faults_of_one_player_stay_faults(tmp_path: Path) -> None:
    said = auditor("audit", GAMES / "faulty-1.jsonl", "--format", "json")
    assert said.status == 1
    assert [note for note in said.value["notes"] if note["kind"] == "input"] == []


def test_three_of_both_players_are_explained_and_two_of_one_are_faults() -> None:
    """Shields and blanks exchanged: the record is followed to its third attack, and to its second."""
    lines = [json.loads(line) for line in (GAMES / "clean-1.jsonl").read_text(encoding="utf-8").splitlines()]
    for stop, standing in ((54, 0), (53, 2)):
        log = "".join(json.dumps(line) + "\n" for line in (lines[0], *(faces(e, SB) for e in lines[1:stop])))
        audit = audit_log(log.encode(), digest=False, causes=False)
        assert len([one for one in audit["findings"] if one["stands"]]) == standing
        asked = [note for note in audit["notes"] if note["text"].endswith("To read it so: --read-as faces-SB.")]
        assert len(asked) == (standing == 0)


def test_a_way_that_there_is_not_is_a_wrong_call() -> None:
    said = auditor("audit", INCHES, "--read-as", "furlongs")
    assert said.status == 2 and "cm, cm-all, mm" in said.err


@pytest.mark.parametrize("name", ["offset", "offset-even", "offset-rows", "offset-even-rows", "exchanged", "negated"])
def test_hexes_of_another_way_are_all_other_hexes(name: str) -> None:
    way = by_name(name)
    assert way is not None
    every = [(q, r) for q in range(-4, 5) for r in range(-4, 5)]
    assert len({way.read(one) for one in every}) == len(every)


@pytest.mark.parametrize(
    ("name", "meant"), [("faces-up", "BSSHHC"), ("faces-down", "CHHSSB"), ("faces-SB", "CHBS"), ("faces-HS", "CSHB")]
)
def test_faces_of_another_way_are_faces(name: str, meant: str) -> None:
    way, written = by_name(name), "123456" if len(meant) == 6 else "CHSB"
    assert way is not None
    assert way.read(written) == meant and way.read(list(written)) == list(meant)


def test_dice_counted_from_zero_accuse_nobody() -> None:
    lines = [json.loads(line) for line in INCHES.read_text(encoding="utf-8").splitlines()[:35]]
    log = "".join(json.dumps(line) + "\n" for line in (lines[0], *map(from_zero, lines[1:])))
    audit = audit_log(log.encode())
    assert audit["errors"] and [one for one in audit["findings"] if one["stands"]] == []
    assert any(note["text"].endswith("To read it so: --read-as faces-from-zero.") for note in audit["notes"])


@pytest.mark.parametrize("step", [0.25, 0.1])
def test_a_precision_that_all_places_share_is_offered(tmp_path: Path, step: float) -> None:
    lines = [json.loads(line) for line in INCHES.read_text(encoding="utf-8").splitlines()]
    lines[0].pop("recording_precision", None)
    lines = [lines[0], *(rounded(event, step) for event in lines[1:])]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    said = auditor("audit", log, "--format", "json")
    stand = [one for one in said.value["findings"] if one["stands"]]
    notes = [note["text"] for note in said.value["notes"] if note["kind"] == "input"]
    assert bool(stand) is any(note.endswith(f"--read-as rounded-{step:g}.") for note in notes), (stand, notes)
    asked = auditor("audit", log, "--format", "json", "--read-as", f"rounded-{step:g}").value
    assert [one for one in asked["findings"] if one["stands"]] == []
