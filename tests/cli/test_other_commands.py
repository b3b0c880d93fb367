"""Rules, readings, schemas, comparisons, verification, sight, the server and invented games."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from auditor.systems import game, game_keys
from tests.cli.shell import CLEAN, FINDINGS, GAMES, UNREADABLE, auditor, auditor_process, lines_of, log_of
from tests.cli.test_sources import zip_of


def test_every_rule_is_listed_with_what_the_contract_names() -> None:
    found = auditor("rules", "--format", "json").value
    assert [rule["id"] for rule in found] == [rule.id for key in game_keys() for rule in game(key).ruleset.rules]
    for rule in found:
        assert list(rule) == ["id", "title", "chapter", "source", "kinds", "events", "readings", "auditable", "text"]
        assert rule["auditable"] is True or rule["auditable"]
        assert rule["title"] and rule["text"]
    assert auditor("rules", "--game", "calth", "--format", "json").value == [
        rule for rule in found if rule["id"].startswith("CAL-")
    ]


def test_one_rule_is_shown_in_full() -> None:
    (rule,) = auditor("rules", "CAL-ADV-01", "--format", "json").value
    said = auditor("rules", "CAL-ADV-01").out
    assert rule["text"] in said and rule["title"] in said and rule["source"] in said


def test_an_unknown_rule_is_told_the_nearest() -> None:
    said = auditor("rules", "CAL-ADV-1")
    assert (said.status, said.err) == (2, 'auditor: there is no rule "CAL-ADV-1"; the nearest is "CAL-ADV-01"\n')


def test_every_reading_is_listed_with_its_options_and_rules() -> None:
    found = auditor("readings", "--format", "json").value
    rules = {rule["id"]: rule["readings"] for rule in auditor("rules", "--format", "json").value}
    for reading in found:
        assert list(reading) == ["id", "question", "options", "default", "rules"]
        assert reading["default"] in [option["id"] for option in reading["options"]]
        assert reading["rules"] == [rule for rule, asked in rules.items() if reading["id"] in asked]
    said = auditor("readings").out
    for reading in found:
        assert f"\n  * {reading['default']}: " in said


def test_the_schema_takes_the_recorded_games() -> None:
    schema = auditor("schema", "calth").value
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for line in (GAMES / "clean-1.jsonl").read_text(encoding="utf-8").splitlines():
        validator.validate(json.loads(line))


# -- compare and verify ---------------------------------------------------------------------------------------------


def audit_file(folder: Path, name: str, data: bytes, *options: object) -> Path:
    """The audit of a log, in a file."""
    (folder / f"{name}.jsonl").write_bytes(data)
    path = folder / f"{name}.audit.json"
    auditor("audit", folder / f"{name}.jsonl", "--format", "json", "--output", path, *options)
    return path


def test_an_audit_compared_with_itself_has_no_difference(tmp_path: Path) -> None:
    path = audit_file(tmp_path, "a", FINDINGS)
    said = auditor("compare", path, path)
    assert (said.status, said.err) == (0, "")
    assert said.out.endswith("unchanged: 1\n")


def test_a_finding_may_be_gone_new_or_changed(tmp_path: Path) -> None:
    lines = lines_of("illegal")
    old = audit_file(tmp_path, "old", log_of(lines))
    more = {
        "seq": 4,
        "round": 2,
        "phase": "action",
        "player": "WB",
        "type": "activate",
        "unit": "wb-1",
        "action": "advance",
    }
    new = audit_file(tmp_path, "new", log_of([*lines[:-1], {**more, "tp_before": 1, "tp_after": 1}]))
    changed = json.loads(old.read_text(encoding="utf-8"))
    changed["findings"][0] |= {"stands": False, "claimed": 1}
    (tmp_path / "changed.json").write_text(json.dumps(changed))
    difference = auditor("compare", old, new, "--format", "json")
    assert difference.status == 1
    assert [finding["rule"] for finding in difference.value["new"]] == ["CAL-ACT-02"]
    assert (difference.value["gone"], difference.value["changed"]) == ([], [])
    assert [finding["rule"] for finding in auditor("compare", new, old, "--format", "json").value["gone"]] == [
        "CAL-ACT-02"
    ]
    said = auditor("compare", old, tmp_path / "changed.json")
    assert said.status == 1
    assert "changed in claimed, stands: event 3, CAL-ADV-01, illegal (does not stand): " in said.out


@pytest.mark.parametrize("text", ["", "[]", "{}", "3", '{"audit": 1}', '{"audit": 2, "findings": []}', "[" * 10_000])
def test_what_is_no_audit_is_a_wrong_call(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    assert auditor("compare", path, path).status == 2
    assert auditor("verify", path, GAMES / "clean-1.jsonl").status == 2


@pytest.mark.parametrize("data", [CLEAN, FINDINGS, UNREADABLE])
def test_an_audit_is_made_anew_from_its_log(tmp_path: Path, data: bytes) -> None:
    path = audit_file(tmp_path, "a", data)
    said = auditor("verify", path, tmp_path / "a.jsonl")
    assert (said.status, said.err) == (0, "")
    assert json.loads(path.read_text(encoding="utf-8"))["digest"] in said.out
    packed = tmp_path / "a.zip"
    packed.write_bytes(zip_of(x_jsonl=CLEAN + b"\n\n", y_jsonl=data))
    assert auditor("verify", path, packed).status == 0
    packed.write_bytes(zip_of(x_jsonl=CLEAN + b"\n\n", y_jsonl=CLEAN + b"\n\n\n"))
    assert auditor("verify", path, packed).status == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.rstrip(b"\n"),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
    ],
)
@pytest.mark.parametrize("back", [False, True])
def test_a_log_whose_line_ends_were_changed_is_told_from_another_log(
    tmp_path: Path, change: Callable[[bytes], bytes], back: bool
) -> None:
    before, after = (change(FINDINGS), FINDINGS) if back else (FINDINGS, change(FINDINGS))
    (tmp_path / "log.jsonl").write_bytes(before)
    kept = tmp_path / "audit.json"
    auditor("audit", tmp_path / "log.jsonl", "--format", "json", "--output", kept)
    (tmp_path / "log.jsonl").write_bytes(after)
    said = auditor("verify", kept, tmp_path / "log.jsonl")
    assert said.status == 1
    assert "the same lines, other line ends" in said.err and "the audit is reproduced" in said.err


def test_what_is_drawn_beside_an_audit_changes_neither_its_digest_nor_its_verification(tmp_path: Path) -> None:
    game = (GAMES / "faulty-1.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "a.jsonl").write_bytes(b"".join(game[:100]))  # with a finding that stands and some that do not
    slim_text, full_text = (
        auditor("audit", tmp_path / "a.jsonl", "--format", "json", "--evidence", which).out
        for which in ("standing", "all")
    )
    slim, full = json.loads(slim_text), json.loads(full_text)
    assert full.pop("drawn").keys() == {one["id"] for one in slim["findings"] if one["evidence"] is None}
    assert full == slim
    path = tmp_path / "a.json"
    path.write_text(full_text)
    assert auditor("verify", path, tmp_path / "a.jsonl").status == 0
    pages = [
        auditor("audit", tmp_path / "a.jsonl", "--format", "html", "--evidence", which).out.count("<svg")
        for which in ("standing", "all")
    ]
    assert pages[0] < pages[1]


def test_an_audit_under_rulings_is_made_anew_without_being_told_them(tmp_path: Path) -> None:
    rulings = tmp_path / "cup.json"
    rulings.write_text('{"name": "Cup", "readings": {"R-LOS-VERTEX": "open"}, "not_audited": {"CAL-ADV-01": "no"}}')
    path = audit_file(tmp_path, "a", FINDINGS, "--rulings", rulings)
    assert json.loads(path.read_text(encoding="utf-8"))["verdict"] == "clean"
    assert auditor("verify", path, tmp_path / "a.jsonl").status == 0


def test_the_recorded_games_are_made_anew(tmp_path: Path) -> None:
    path = audit_file(tmp_path, "a", (GAMES / "faulty-1.jsonl").read_bytes())
    assert auditor("verify", path, tmp_path / "a.jsonl").status == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"verdict": "clean"}, "the verdict is clean in the audit and findings made anew"),
        ({"findings": []}, "is missing from the audit"),
        ({"ruleset_version": "0"}, "the ruleset version is 0 in the audit"),
        ({"log_sha256": "0" * 64}, "it is the audit of another log"),
        ({"rulings": {"readings": {"R-NO": "x"}}}, 'there is no reading "R-NO"'),
        ({"notes": [{"kind": "input"}]}, "its notes: not the same as made anew"),
        ({"more": 1}, '"more" is unknown in the audit'),
        ({"findings": 1.5}, "a float"),
        ({}, ""),
    ],
)
def test_an_audit_that_was_changed_is_not_reproduced(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    path = audit_file(tmp_path, "a", FINDINGS)
    value = json.loads(path.read_text(encoding="utf-8")) | change
    path.write_text(json.dumps(value))
    found = auditor("verify", path, tmp_path / "a.jsonl")
    if not change:
        assert found.status == 0
    elif change == {"findings": 1.5}:
        assert found.status == 2, "that is no audit at all"
    else:
        assert found.status == 1
        assert said in found.err
        assert "the digest is not the one of the audit's own content" in found.err


# -- the rest -------------------------------------------------------------------------------------------------------


def test_questions_about_sight_are_answered_line_by_line(tmp_path: Path) -> None:
    questions = [{"from": [0, 0], "to": [2, 0]}, {"from": [0, 0], "to": [0, 0]}, "nonsense"]
    text = "".join(f"{json.dumps(question) if not isinstance(question, str) else question}\n" for question in questions)
    (tmp_path / "q.jsonl").write_text(text)
    said = auditor("sight", "--batch", tmp_path / "q.jsonl")
    answers = [json.loads(line) for line in said.out.splitlines()]
    assert said.status == 0
    assert answers[0]["sight"] == "clear"
    assert ["error" in answer for answer in answers] == [False, True, True]
    assert auditor_process("sight", "--batch", "-", stdin=text.encode()).out == said.out


WALL = {"id": "wall", "poly": [[14, 8], [15, 8], [15, 12], [14, 12]]}
BASES = {"from": {"at": [10, 10], "radius": 0.5}, "to": {"at": [20, "10"], "radius": "1/2"}}


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (BASES, {"sight": "seen", "gap": "9", "in_range": None, "crossings": []}),
        ({**BASES, "terrain": [WALL]}, {"sight": "not seen"}),
        ({**BASES, "terrain": [WALL]}, {"crossings": [{"terrain": "wall", "at": ["14", "10"], "stops": True}]}),
        ({**BASES, "terrain": [{**WALL, "blocks_los": False}]}, {"sight": "seen"}),
        ({**BASES, "range": 9}, {"in_range": True}),
        ({**BASES, "range": "8 7/8"}, {"in_range": False}),
        ({**BASES, "terrain": [{**WALL, "los_height": 2}]}, {"sight": "unknown"}),
        (
            {
                "from": {**BASES["from"], "height": 2, "z": 1},
                "to": {**BASES["to"], "height": 2},
                "terrain": [{**WALL, "los_height": 2}],
            },
            {"sight": "seen"},
        ),
        (
            {"from": BASES["from"], "to": {"hull": [[10, 9], [24, 9], [24, 11], [10, 11]]}, "terrain": [WALL]},
            {"sight": "seen", "gap": "0"},
        ),
        (
            {"from": BASES["from"]},
            {"error": 'to: a model is {"at": [x, y], "radius": inches} or {"hull": [[x, y], ...]}'},
        ),
        ({**BASES, "range": -1}, {"error": "range: a length is not below 0"}),
        ({**BASES, "terrain": [WALL, WALL]}, {"error": "terrain[1].id: an id is a text that no other piece has"}),
        (
            {**BASES, "terrain": [{"poly": [[0, 0], [1, 1], [2, 2]]}]},
            {"error": "terrain[0].poly: the polygon has no area"},
        ),
        ([], {"error": "a query is a JSON object"}),
    ],
)
def test_sight_answers_for_inches_too(tmp_path: Path, query: Any, said: dict[str, Any]) -> None:
    (tmp_path / "q.jsonl").write_text(f"{json.dumps(query)}\n")
    found = auditor("sight", "--game", "clx", "--batch", tmp_path / "q.jsonl")
    assert found.status == 0
    answer = json.loads(found.out)
    assert {key: answer.get(key) for key in said} == said


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
def test_the_service_listens_on_this_machine_only(tmp_path: Path, host: str) -> None:
    said = auditor("serve", "--host", host, "--data", tmp_path / "data")
    assert said.status == 2
    assert "listens on 127.0.0.1 only" in said.err
    assert len(said.err.splitlines()) == 1
    assert not (tmp_path / "data").exists()


def test_an_invented_game_is_clean_and_the_same_each_time(tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert (
            auditor(
                "generate", "--game", "calth", "--seed", 3, "--rounds", 1, "--output", tmp_path / f"{name}.jsonl"
            ).status
            == 0
        )
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert auditor("audit", tmp_path / "a.jsonl").status == 0


def test_every_command_has_help() -> None:
    for command in ("audit", "rules", "readings", "schema", "compare", "verify", "serve", "sight", "generate"):
        said = auditor(command, "--help")
        assert said.status == 0
        assert command in said.out
    assert sys.modules  # the runner leaves no state behind that a next call would trip over
    assert auditor("--version").status == 0
