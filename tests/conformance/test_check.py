"""The replay check: silent about every generated game and about the catalogue's own log, not about a wrong one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from auditor.conformance.calth.check import check
from auditor.conformance.calth.generate import generate
from auditor.conformance.calth.tables import READINGS
from auditor.conformance.logs import as_jsonl, read_jsonl

OTHER_READINGS = {name: options[-1] for name, options in READINGS.items()}
APPENDIX = Path(__file__).with_name("appendix-a.jsonl")


@pytest.mark.parametrize("seed", range(30))
def test_a_generated_game_is_legal(seed):
    assert check(read_jsonl(as_jsonl(generate(seed, rounds=4)))) == []


@pytest.mark.parametrize("seed", range(30, 36))
def test_a_game_generated_under_other_readings_is_legal_under_them(seed):
    assert check(generate(seed, rounds=3, readings=OTHER_READINGS)) == []


@pytest.mark.parametrize("seed", range(40, 46))
def test_a_game_with_claims_left_out_is_legal(seed):
    assert check(generate(seed, rounds=3, omit_claims=0.4)) == []


@pytest.mark.parametrize("seed", range(50, 54))
def test_a_record_may_begin_with_a_position_and_cards_may_be_played(seed):
    lines = generate(seed, rounds=4, first_round=2, plays_cards=True)
    assert lines[1]["type"] == "position"
    assert check(lines) == []


def test_a_campaign_is_tallied():
    assert check(generate(7, rounds=2, campaign=True)) == []


def appendix() -> list[dict]:
    return read_jsonl(APPENDIX.read_text(encoding="utf-8"))


def test_the_catalogues_whole_log_is_accepted():
    assert check(appendix()) == []


def test_the_catalogues_whole_log_depends_on_what_a_new_unit_copies():
    found = check(appendix(), {"R-CON-TP": "before_activation"})
    assert [(d.seq, d.rule, d.kind) for d in found] == [(5, "CAL-CON-05", "miscalculated")]


@pytest.mark.parametrize(
    ("seq", "path", "value", "rule", "kind"),
    [
        (2, ("tp_after",), 2, "CAL-ACT-02", "miscalculated"),
        (3, ("path",), [[-2, 2], [-2, 0]], "CAL-ADV-01", "illegal"),
        (5, ("units", 1, "tp"), 2, "CAL-CON-05", "miscalculated"),
        (7, ("los", "class"), "obscured", "CAL-LOS-01", "miscalculated"),
        (7, ("los", "distance"), 4, "CAL-DST-01", "miscalculated"),
        (7, ("steps", 1, "shields"), 0, "CAL-ATK-05", "miscalculated"),
        (7, ("crit", "tp_after"), 1, "CAL-CRT-03", "miscalculated"),
        (11, ("vexilla", "model"), "b1", None, None),
        (11, ("dice", "harness"), 1, "CAL-WAR-01", "miscalculated"),
        (11, ("steps", 0, "armour_used"), 2, "CAL-CRT-13", "miscalculated"),
        (14, ("casualties",), {"UM": 1, "WB": 1}, "CAL-RET-01", "miscalculated"),
        (16, ("faces",), "S", "CAL-DLS-01", "miscalculated"),
        (17, ("path",), [[0, 0], [0, 1]], "CAL-ASL-04", "illegal"),
    ],
)
def test_a_changed_log_is_not_accepted(seq, path, value, rule, kind):
    lines = json.loads(json.dumps(appendix()))
    place = lines[seq]
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    found = [(d.seq, d.rule, d.kind) for d in check(lines)]
    assert ((seq, rule, kind) in found) if rule else found == []


def in_two_lines(lines: list[dict], seq: int, *parts: dict) -> list[dict]:
    """The catalogue's log with the move of an event written down in two lines, and nothing after it."""
    head, first = lines[:seq], lines[seq]
    return [*head, *({**first, **part, "seq": seq + n} for n, part in enumerate(parts))]


@pytest.mark.parametrize(
    ("seq", "parts", "found"),
    [
        (3, ({"path": [[-2, 2], [-1, 2]]}, {"path": [[-1, 2], [-1, 1]]}), [(4, "CAL-ADV-01", "illegal")]),
        (10, ({"path": [[-1, 0], [0, 0]]}, {"path": [[0, 0], [0, -1]]}), [(11, "CAL-ASL-02", "illegal")]),
    ],
    ids=["an Advance of two steps", "two steps before an attack"],
)
def test_lines_that_join_are_one_move(seq, parts, found):
    lines = in_two_lines(json.loads(json.dumps(appendix())), seq, *parts)
    assert [(d.seq, d.rule, d.kind) for d in check(lines)] == found


def test_a_declared_action_of_which_nothing_is_recorded_is_left_open():
    lines = [line for line in appendix()[:5] if line.get("seq") != 3]
    assert [(d.seq, d.rule, d.kind) for d in check(lines)] == [(4, "CAL-ACT-03", "ambiguous")]


def test_what_was_undone_is_not_judged():
    lines = json.loads(json.dumps(appendix()))[:4]
    wrong = {**lines[3], "path": [[-2, 2], [-2, 0]]}
    undo = {"seq": 4, "type": "undo", "to": 2}
    assert check([*lines[:3], wrong, undo, {**lines[3], "seq": 5}]) == []
