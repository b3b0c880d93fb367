"""Whoever asks the registry knows no game: with a toy game registered beside Calth, each command serves both."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from auditor import engine, systems
from auditor.core.rulings import BadRulings
from auditor.service import Service
from auditor.settings import Settings
from auditor.web import create_app
from tests.cli.shell import CLEAN, auditor
from tests.ingest.example import BOARD
from tests.systems.pebbles import WITH_INVENTOR, log
from tests.web.conftest import Browser, Near

pytestmark = pytest.mark.usefixtures("pebbles")

LEGAL = log({"pebbles": 3, "left": 7}, {"pebbles": 3, "left": 4}, {"pebbles": 1})
GREEDY = log({"pebbles": 3}, {"pebbles": 3}, {"pebbles": 4, "left": 1})
BAG: dict[str, Any] = {"id": "big-bag", "title": "A big bag", "source": "invented", "holds": 50}


def written(path: Path, value: Any) -> Path:
    path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    return path


def test_logs_of_both_games_are_audited_in_one_go(tmp_path: Path):
    for name, data in (("a", CLEAN), ("b", LEGAL), ("c", GREEDY)):
        written(tmp_path / f"{name}.jsonl", data)
    said = auditor("audit", tmp_path, "--format", "json")
    assert said.status == 1
    assert [(one["game"], one["verdict"]) for one in said.value] == [
        ("calth", "clean"), ("pebbles", "clean"), ("pebbles", "findings"),
    ]  # fmt: skip
    assert [one["rule"] for one in said.value[2]["findings"]] == ["PEB-LEFT", "PEB-TAKE"]
    for format in ("text", "jsonl", "csv", "sarif"):
        assert auditor("audit", tmp_path, "--format", format).status == 1, format
    pages = auditor("audit", tmp_path, "--format", "html", "--output", tmp_path / "pages")
    assert pages.status == 1 and len(list((tmp_path / "pages").iterdir())) == 3


def test_rules_readings_and_schemas_are_those_of_the_game_asked_for():
    assert [rule["id"] for rule in auditor("rules", "--game", "pebbles", "--format", "json").value] == [
        "PEB-TAKE",
        "PEB-LEFT",
    ]
    assert {rule["id"][:3] for rule in auditor("rules", "--format", "json").value} >= {"CAL", "PEB"}
    assert "at most three pebbles" in auditor("rules", "PEB-TAKE").out
    assert [one["id"] for one in auditor("readings", "--game", "pebbles", "--format", "json").value] == ["R-LAST"]
    for call, good in ((("pebbles",), json.loads(LEGAL.splitlines()[0])), (("pebbles", "--pack", "bag"), BAG)):
        schema = auditor("schema", *call).value
        Draft202012Validator.check_schema(schema)
        assert Draft202012Validator(schema).is_valid(good)
        assert not Draft202012Validator(schema).is_valid({})
    assert auditor("schema", "pebbles", "--pack", "board").status == 2
    assert auditor("rules", "--game", "pebles").err.count('the nearest is "pebbles"') == 1


def test_rulings_are_of_the_game_that_they_name_or_alone_fit(tmp_path: Path):
    game = written(tmp_path / "g.jsonl", GREEDY)
    generous = {"R-LAST": "all_of_them"}
    for n, rulings in enumerate((generous, {"game": "pebbles", **generous}, {"name": "x", "readings": generous})):
        path = written(tmp_path / f"{n}.json", rulings)
        value = auditor("audit", game, "--rulings", path, "--format", "json").value
        assert [one["rule"] for one in value["findings"] if one["stands"]] == ["PEB-LEFT"]
        assert value["rulings"]["readings"] == generous
    neither = auditor("audit", game, "--rulings", written(tmp_path / "n.json", {"name": "neither"}))
    assert neither.status == 2 and f"they name no game and fit {' and '.join(systems.game_keys())}" in neither.err
    assert (
        auditor("audit", game, "--rulings", written(tmp_path / "p.json", {"name": "p", "game": "pebbles"})).status == 1
    )
    wrong = auditor(
        "audit", game, "--rulings", written(tmp_path / "w.json", {"game": "pebbles", "R-LOS-VERTEX": "clear"})
    )
    assert wrong.status == 2 and "R-LOS-VERTEX" in wrong.err
    unknown = auditor("audit", game, "--rulings", written(tmp_path / "u.json", {"game": "pebles"}))
    assert unknown.status == 2 and 'the nearest is "pebbles"' in unknown.err
    other = auditor("audit", game, "--rulings", written(tmp_path / "c.json", {"game": "calth"}))
    assert other.status == 2 and 'of the game "calth", and this is pebbles' in other.err


def test_rulings_of_another_game_in_a_header_are_named():
    audit = engine.audit_log(log({"pebbles": 1}, rulings={"game": "calth", "readings": {}}))
    assert [error["path"] for error in audit["errors"]] == ["rulings"]
    assert 'of the game "calth"' in audit["errors"][0]["found"]
    with pytest.raises(BadRulings):
        engine.audit_log(GREEDY, rulings={"game": "calth"})


def test_data_packs_are_those_of_their_game(tmp_path: Path):
    game = written(tmp_path / "g.jsonl", log({"pebbles": 1, "left": 49}, bag="big-bag"))
    assert auditor("audit", game).status == 2
    bag, board = written(tmp_path / "bag.json", BAG), written(tmp_path / "board.json", BOARD)
    audit = auditor("audit", game, "--pack", bag, "--format", "json")
    assert (audit.status, audit.value["packs"][0]["id"]) == (0, "big-bag")
    other = auditor("audit", game, "--pack", bag, "--pack", board)
    assert (other.status, other.out) == (2, "")
    assert '"small" is a board of calth; this log is of pebbles' in other.err
    kept = written(tmp_path / "audit.json", audit.value)
    assert auditor("verify", kept, game, "--pack", bag).status == 0
    assert auditor("verify", kept, game, "--pack", board).status == 2


def test_many_logs_may_have_packs_of_all_their_games(tmp_path: Path):
    logs = tmp_path / "logs"
    logs.mkdir()
    written(logs / "a.jsonl", log({"pebbles": 1, "left": 49}, bag="big-bag"))
    packs = written(tmp_path / "packs.json", [BAG, BOARD])
    alone = auditor("audit", logs, "--pack", packs)
    assert alone.status == 2 and '"small" is a board of calth, and no log here is of that game' in alone.err
    written(logs / "b.jsonl", CLEAN)
    assert auditor("audit", logs, "--pack", packs).status == 0


def test_packs_are_checked_before_anybody_plays_by_them(tmp_path: Path):
    bag, board = written(tmp_path / "bag.json", BAG), written(tmp_path / "board.json", BOARD)
    said = auditor("packs", "check", bag, board, "--format", "json")
    assert said.status == 0
    assert [(one["game"], one["kind"], one["id"]) for one in said.value] == [
        ("pebbles", "bag", "big-bag"),
        ("calth", "board", "small"),
    ]
    assert "calth board small" in auditor("packs", "check", board).out
    written(bag, {**BAG, "holds": 0})
    written(board, {**BOARD, "title": ""})
    wrong = auditor("packs", "check", tmp_path)
    assert (wrong.status, wrong.err.count("\n")) == (1, 2)
    assert "bag.json: holds" in wrong.err and "board.json: title" in wrong.err
    assert auditor("packs", "check", tmp_path / "nowhere").status == 2
    (tmp_path / "empty").mkdir()
    assert auditor("packs", "check", tmp_path / "empty").status == 2


def test_what_a_game_lacks_is_said(tmp_path: Path):
    questions = written(tmp_path / "q", b'{"from": [0, 0], "to": [1, 2]}\n')
    said = auditor("sight", "--batch", questions, "--game", "pebbles")
    assert said.status == 2 and "pebbles has no lines of sight" in said.err
    assert auditor("sight", "--batch", questions).status == 0
    with pytest.raises(systems.NotOffered, match="pebbles has no lines of sight"):
        systems.game("pebbles").sight()


def test_a_game_without_a_second_referee_says_so(tmp_path: Path):
    game, out = written(tmp_path / "g.jsonl", LEGAL), tmp_path / "out.jsonl"
    for call in (
        ("generate", "--game", "pebbles", "--output", out),
        ("mutate", game, "--rule", "PEB-TAKE", "--output", out),
        ("mutate", game, "--game", "calth", "--rule", "CAL-ACT-02", "--output", out),
        ("conformance", "--game", "pebbles", "--games", "1"),
        ("fuzz", "--game", "pebbles", "--tries", "1"),
    ):
        said = auditor(*call)
        assert said.status == 2 and "pebbles" in said.err and not out.exists(), call
    assert auditor("generate", "--game", "calth", "--rounds", "1", "--output", out).status == 0
    assert engine.log_header(out.read_bytes())["game"] == "calth"


def test_games_are_invented_and_the_auditor_is_tried_for_the_game_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(systems.REGISTRY, "pebbles", lambda: WITH_INVENTOR)
    out = tmp_path / "out.jsonl"
    which = auditor("generate", "--output", out)
    assert which.status == 2 and "--game " in which.err and "|pebbles" in which.err
    assert auditor("generate", "--game", "pebbles", "--output", out, "--reading", "R-LAST=all_of_them").status == 0
    assert engine.audit_log(out.read_bytes())["verdict"] == "clean"
    assert auditor("generate", "--game", "pebbles", "--output", out, "--reading", "R-LOS-VERTEX=clear").status == 2
    assert auditor("generate", "--game", "pebbles", "--output", out, "--fault", "CAL-ACT-02").status == 2
    assert auditor("generate", "--game", "pebbles", "--output", out, "--fault", "PEB-TAKE").status == 0
    assert [one["rule"] for one in engine.audit_log(out.read_bytes())["findings"]] == ["PEB-TAKE"]
    assert "never changed" in auditor("mutate", out, "--rule", "PEB-TAKE", "--output", tmp_path / "x").err
    table = auditor("conformance", "--game", "pebbles", "--games", "3", "--faults", "2", "--format", "json").value
    assert (table["game"], table["games"], table["false_accusations"], table["passed"]) == ("pebbles", 3, 0, True)
    assert [(one["rule"], one["found"]) for one in table["rules"]] == [("PEB-TAKE", 2), ("PEB-LEFT", 0)]
    page = auditor("conformance", "--game", "pebbles", "--games", "1", "--faults", "0", "--format", "md").out
    assert page.startswith("# Conformance of the rules of Pebbles\n")
    assert auditor("fuzz", "--game", "pebbles", "--tries", "3", "--format", "json").value["game"] == "pebbles"


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    settings = Settings(data_dir=tmp_path, load_examples=False, look_seconds=60.0)
    service = Service(settings, "auditor.engine", Near.make)
    service.start()
    yield Browser(create_app(settings, service).test_client())
    service.close()


def test_stored_rulings_keep_their_game(browser: Browser):
    def store(name: str, value: Any) -> int:
        return browser.post(
            "/rulings", name=name, rulings_file=(io.BytesIO(json.dumps(value).encode()), "r.json")
        ).status_code

    assert store("Cup", {"R-LAST": "all_of_them"}) == 303
    assert store("Any", {"name": "any"}) == 400
    assert store("Plain", {"game": "pebbles"}) == 303
    assert [browser.get(f"/rulings/{name}.json").json["game"] for name in ("Cup", "Plain")] == ["pebbles", "pebbles"]
    assert browser.get("/readings?rulings=Cup").location == "/readings/pebbles?rulings=Cup"
    assert "in force" in browser.page("/readings/pebbles?rulings=Cup")
    assert browser.get("/readings/calth?rulings=Cup").status_code == 404


def test_the_list_says_whose_games_they_are_and_shows_those_of_one(browser: Browser):
    browser.upload(("pebbles.jsonl", LEGAL), ("calth.jsonl", CLEAN))
    titles = {key: systems.game(key).ruleset.title for key in ("pebbles", "calth")}
    both = browser.page("/audits")
    assert all(f"<bdi>{title}" in both for title in titles.values())
    for key, other in (("pebbles", "calth"), ("calth", "pebbles")):
        one = browser.page(f"/audits?game={key}")
        assert f"<bdi>{titles[key]}" in one and f"<bdi>{titles[other]}" not in one
        assert f'<option value="{key}" selected>' in one
    assert browser.get("/audits?game=chess").status_code == 404


def test_the_pages_about_rules_lead_from_game_to_game(browser: Browser):
    for what in ("rules", "readings"):
        choice = browser.get(f"/{what}")
        assert choice.status_code == 200
        for key in ("calth", "pebbles"):
            assert f'href="/{what}/{key}"' in choice.text
            assert f'href="/{what}/{key}"' in browser.page(f"/{what}/{'pebbles' if key == 'calth' else 'calth'}")
        assert browser.get(f"/{what}?game=pebbles").location == f"/{what}/pebbles"
        assert browser.get(f"/{what}/chess").status_code == 404
    assert "PEB-TAKE" in browser.page("/rules/pebbles") and "CAL-" not in browser.page("/rules/pebbles")
    place = browser.get("/readings/R-LAST").location
    assert place.startswith("/readings/pebbles#")
    assert f'id="{place.split("#")[1]}"' in browser.page("/readings/pebbles")
    assert "R-LAST" in browser.page("/rules/PEB-TAKE")


def test_a_lone_game_needs_no_choice(browser: Browser, monkeypatch: pytest.MonkeyPatch):
    for key in systems.game_keys()[1:]:
        monkeypatch.delitem(systems.REGISTRY, key)
    (key,) = systems.game_keys()
    for what in ("rules", "readings"):
        assert browser.get(f"/{what}").location == f"/{what}/{key}"
