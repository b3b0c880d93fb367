"""Units as a sheet: the same units as in JSON, however a spreadsheet saves it, and every error with its row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.core.record import InputError
from auditor.ingest import check_packs
from auditor.systems.packs import BadPacks, Pack
from tests.cli.shell import auditor
from tests.clx.examples import FIXTURES

SHEET = """Unit;Name;Type;Faction;Special rules;Model;N;M;WS;BS;S;T;W;I;A;Ld;Sv;Inv;Radius;Height;Weapons;Armour class;Character
hw;Highwatch;Infantry;Wardens;fearless|fleet;hw.sgt;;6";4;4;4;4;1;4;2;9;3+;-;0,5;1.5;arc_gun, glaive;Power;yes
hw;;;;;;4;6.0;4;4,0;4;4;1;4;1;8;3+;;0,5;1.5;arc_gun;power;
lr;Lurkers;jetbike;;;lr.1;1;12;3;3;3;4;2;4;1;8;4+;5+;0.75;;;;no
"""


def packs_of(text: str | bytes, name: str = "army.csv") -> list[Pack]:
    return list(check_packs([(name, text.encode() if isinstance(text, str) else text)]))


def errors_of(text: str) -> list[InputError]:
    with pytest.raises(BadPacks) as bad:
        packs_of(text)
    return list(bad.value.errors)


def test_a_sheet_is_the_units_that_it_tells() -> None:
    (pack,) = packs_of(SHEET)
    assert (pack.game, pack.kind, pack.id) == ("clx", "units", "army")
    written: Any = pack.written
    highwatch, lurkers = written["units"]
    assert highwatch["rules"] == ["fearless", "fleet"] and highwatch["type"] == "infantry"
    assert [model["id"] for model in highwatch["models"]] == ["hw.sgt", "hw.m2", "hw.m3", "hw.m4", "hw.m5"]
    sergeant, *others = highwatch["models"]
    assert sergeant["profile"] == {
        **{"M": 6, "WS": 4, "BS": 4, "S": 4, "T": 4, "W": 1, "I": 4, "A": 2, "Ld": 9, "AS": 3, "inv": None},
    }
    assert sergeant["base"] == {"shape": "circle", "r": 0.5} and sergeant["height"] == 1.5
    assert sergeant["weapons"] == ["arc_gun", "glaive"] and sergeant["character"] is True
    assert others[0]["profile"]["Ld"] == 8 and "inv" not in others[0]["profile"]
    assert lurkers["models"][0]["profile"]["inv"] == 5 and lurkers["models"][0]["base"]["r"] == 0.75


@pytest.mark.parametrize(
    "table",
    [
        SHEET.replace(", ", "|").replace("0,5", "0.5").replace("4,0", "4").replace(";", ",").encode(),
        SHEET.replace(";", "\t").encode("utf-16"),
        ("sep=;\r\n" + SHEET.replace("\n", "\r\n")).encode("utf-8-sig"),
        SHEET.replace("Unit;", "UNIT ;").replace("Armour class", "armor-class").encode("cp1252"),
    ],
)
def test_it_is_the_same_however_a_spreadsheet_saves_it(table: bytes) -> None:
    assert packs_of(table)[0].written == packs_of(SHEET)[0].written


def test_every_error_names_its_row() -> None:
    wrong = SHEET.replace(";3;3;3;4;2;", ";3;three;3;4;2;").replace("jetbike", "spaceship").replace("lr.1", "1-Mar")
    wrong = wrong.replace("hw;;;;;;4", "hw;;Walker;;;;4")
    assert {error.path for error in errors_of(wrong)} >= {
        "army.csv: row 3.type",
        "army.csv: row 4.BS",
        "army.csv: row 4.type",
        "army.csv: row 4.model",
    }
    (error,) = errors_of(SHEET.replace("\nlr;", "\n;"))
    assert (error.path, error.expected) == ("army.csv: row 4.unit", "the id of the unit of this model")


@pytest.mark.parametrize("n", ["0", "four", "101", "-3"])
def test_so_many_models_as_no_unit_has_are_refused_by_their_row(n: str) -> None:
    errors = errors_of(SHEET.replace(";;;;;;4;6.0", f";;;;;;{n};6.0"))
    assert [error.path for error in errors] == ["army.csv: row 3.n"]
    (error,) = errors_of(SHEET.replace("hw.sgt;;", "hw.sgt;2;"))
    assert error.path == "army.csv: row 2.n"


def test_a_sheet_of_very_many_models_is_refused_where_it_has_too_many() -> None:
    many = "unit;type;n;M;radius\n" + "".join(f"u{n};infantry;100;6;0.5\n" for n in range(20_000))
    (error,) = errors_of(many)
    assert (error.path, error.found) == ("army.csv: row 22", "more than 2,000 models")


def test_a_sheet_of_cards_is_one_of_cards() -> None:
    (pack,) = packs_of("id,title,kind,alignment,die,line\ns1,Far Bell,ship,traitor,3,E: +1 flag.\n", "ships.csv")
    assert (pack.game, pack.kind) == ("hcg", "cards")


def test_a_game_is_played_with_the_units_of_a_sheet(tmp_path: Path) -> None:
    header, *events = (FIXTURES / "games" / "five-turns.jsonl").read_bytes().splitlines()
    log, sheet = tmp_path / "game.jsonl", tmp_path / "army.csv"
    log.write_bytes(b"\n".join([json.dumps({**json.loads(header), "units": "army"}).encode(), *events[:20]]))
    sheet.write_text(SHEET)
    assert "army" in auditor("audit", log, "--format", "text").out
    given = auditor("audit", log, "--pack", sheet, "--format", "json").value
    assert not any(error["path"] == "units" for error in given["errors"])
    assert "army" in {used["id"] for used in given["packs"]}
