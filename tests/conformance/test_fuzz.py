"""The differential fuzz, in small: what it changes, what it compares, and that a seed says it all."""

from __future__ import annotations

import json
from random import Random

import pytest
from typer.testing import CliRunner

from auditor import cli
from auditor.conformance.calth.check import check
from auditor.conformance.calth.variety import legal_lines
from auditor.conformance.found import Found
from auditor.conformance.inventor import NOT_JUDGED
from auditor.conformance.logs import read_jsonl
from auditor.trials.fuzz import Opponent, change_of, changed, judged, run, tries
from auditor.trials.slips import slips
from tests.shares import WHOLE

CALTH = Opponent(legal_lines, check)
SLIPS = 40 if WHOLE else 14
TRIES = 40 if WHOLE else 16


def test_one_value_of_one_event_is_changed_and_the_log_ends_there():
    lines = legal_lines(7)
    kinds = set()
    for number in range(250):
        made = changed(lines, Random(number))
        if made is None:
            continue
        log, change = made
        assert log[: len(log) - 1] == lines[: len(log) - 1]
        assert log[-1] != lines[len(log) - 1]
        assert (log[-1]["seq"], log[-1]["type"]) == (change.seq, change.type)
        kinds.add(change.how)
    assert kinds >= {"number", "other value", "dropped", "hex"}


def test_the_same_number_of_the_same_seed_changes_the_same_value():
    first, again = change_of(CALTH, 3, 5), change_of(CALTH, 3, 5)
    assert first == again is not None


def test_an_unchanged_game_is_judged_alike_by_both():
    ours, theirs, until = judged(CALTH, legal_lines(7))
    assert ours == theirs and until is None


def test_what_only_one_of_the_two_says_is_a_difference():
    silent = Opponent(legal_lines, lambda lines, readings: [])
    with_both, with_one = tries(CALTH, 2, range(40)), tries(silent, 2, range(40))
    assert with_one.accused >= with_both.accused > 0
    assert with_one.tries - with_one.alike == with_one.accused
    entry = next(one for one in with_one.listed if "raised" not in one)
    assert entry["auditor"] and not entry["referee"]


def test_no_audit_is_made_of_a_log_that_the_referee_cannot_follow_to_the_change(monkeypatch):
    lost = Opponent(legal_lines, lambda lines, readings: [Found(1, "lost", NOT_JUDGED, None)])
    monkeypatch.setattr("auditor.trials.fuzz.judged", lambda *_: pytest.fail("an audit of the legal game"))
    changes = {number: change_of(lost, 2, number) for number in range(20)}
    done = tries(lost, 2, [number for number, made in changes.items() if made is not None and made[1].seq > 1])
    assert done.not_judged == done.tries > 0 == done.accused and not done.listed


def test_tries_add_up_whatever_the_chunks():
    whole, parts = run(tries, CALTH, 4, TRIES), tries(CALTH, 4, range(12))
    parts.add(tries(CALTH, 4, range(12, TRIES)))
    assert whole == parts


def test_a_try_can_be_written_and_looked_at_again(tmp_path):
    target = tmp_path / "try.jsonl"
    number = next(n for n in range(10) if change_of(CALTH, 1, n) is not None)
    done = CliRunner().invoke(cli.app, ["fuzz", "--game", "calth", "--show", str(number), "--output", str(target)])
    assert done.exit_code == 0
    assert read_jsonl(target.read_text(encoding="utf-8")) == change_of(CALTH, 1, number)[0]
    outcome = CliRunner().invoke(cli.app, ["fuzz", "--game", "calth", "--tries", "10", "--format", "json"])
    value = json.loads(outcome.stdout)
    assert value["tries"] == value["alike"] + value["different"] > 0
    assert outcome.exit_code == (1 if value["different"] else 0)
    assert CliRunner().invoke(cli.app, ["fuzz", "--game", "chess"]).exit_code == 2


def test_a_slip_keeps_the_rest_of_the_record():
    """What is told at the changed event and what at another are counted apart, and tries add up."""
    whole, parts = run(slips, CALTH, 2, SLIPS), slips(CALTH, 2, range(9))
    parts.add(slips(CALTH, 2, range(9, SLIPS)))
    assert whole == parts
    assert whole.here > 0 and whole.here + whole.later + whole.both <= whole.tries <= SLIPS
    for one in whole.listed:
        assert all(said["seq"] != one["seq"] for said in one["said_later"])


def test_a_slip_is_listed_with_whom_it_accuses_later(tmp_path):
    target = tmp_path / "try.jsonl"
    call = ["fuzz", "--game", "calth", "--seed", "2", "--whole"]
    said = CliRunner().invoke(cli.app, [*call, "--tries", "8"])
    assert said.exit_code == 0 and "whole logs with one value changed" in said.output
    value = json.loads(CliRunner().invoke(cli.app, [*call, "--tries", "12", "--format", "json"]).output)
    number = value["later"][0]["try"]
    CliRunner().invoke(cli.app, [*call, "--show", str(number), "--output", str(target)])
    lines = read_jsonl(target.read_text())
    assert lines[-1]["seq"] > value["later"][0]["seq"]
