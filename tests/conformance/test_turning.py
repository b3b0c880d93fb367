"""What turns on a reading: under one option a fault, under another none, with the reading open neither."""

from __future__ import annotations

from random import Random

import pytest

from auditor import engine, trial, turning
from auditor.conformance.generate import as_jsonl, generate
from auditor.conformance.plant.readings import NEVER, PLANTABLE_READINGS, settings_of
from auditor.conformance.tables import READINGS
from auditor.ingest import read_packs
from auditor.report import conformance as page
from auditor.systems.calth import readings as of_the_auditor

PACKS = read_packs([])
OPTIONS = [f"{reading}={option}" for reading, options in READINGS.items() for option in options]
# Games in which what the players did is judged otherwise under many options: sight, close combat, flamers, the walker.
GROUNDS = ("R-OBS-POINT", "R-LOS-EDGEADJ", "R-PIS-TWO", "R-SOR-CAS")


@pytest.fixture(scope="module")
def tally():
    return trial.run([trial.Task(name, 0, 1) for name in PLANTABLE_READINGS], jobs=2)


def test_every_option_has_a_planter_or_a_reason():
    assert sorted([*PLANTABLE_READINGS, *NEVER]) == sorted(OPTIONS)
    assert {one.id: set(one.names) for one in of_the_auditor.READINGS} == {k: set(v) for k, v in READINGS.items()}
    for reading in READINGS:
        assert any(name.startswith(f"{reading}=") for name in PLANTABLE_READINGS), reading


def test_a_fault_of_every_option_is_found_and_only_there_and_open_where_nobody_ruled(tally):
    assert tally.missed_listed == []
    right = ("planted", "found", "clean under the other", "ambiguous when open", "right scope")
    for name in PLANTABLE_READINGS:
        assert [tally.faults[name, what] for what in right] == [1] * 5, name
    assert trial.is_passed(tally)


@pytest.mark.parametrize("ground", GROUNDS)
def test_a_game_is_judged_alike_under_every_option_of_every_reading(ground):
    settings = settings_of(ground, Random(f"a game for {ground}"))
    lines = generate(7, **{**settings, "rounds": 2})
    data = as_jsonl(lines).encode()
    turned = 0
    for name in OPTIONS:
        reading, _, option = name.partition("=")
        if option == READINGS[reading][0]:
            continue
        rulings = {"name": "test", "readings": {reading: option}}
        audit = engine.audit_log(data, rulings=rulings, packs=PACKS, digest=False, causes=False, strict=True)
        found = turning.by_referee(lines, {reading: option})
        assert turning.said(turning.held_against(audit)) == found, name
        turned += bool(found)
    assert turned >= 3


# -- a run that must not pass ---------------------------------------------------------------------------------------


def without_findings(audit):
    audit["findings"].clear()


def everything_stands(audit):
    for one in audit["findings"]:
        one.update(stands=True, kind=one["would_be"] or one["kind"])


def says_that_all_holds_always(audit):
    for one in audit["findings"]:
        one["scope"] = {"kind": "every_reading"}


def turns_scopes_round(audit):
    for one in audit["findings"]:
        scope = one["scope"]
        if scope["kind"] == "only_under":
            scope["holds"], scope["clears"] = scope["clears"], scope["holds"]


@pytest.mark.parametrize(
    ("spoil", "missing"),
    [
        (without_findings, {"found", "ambiguous when open", "right scope"}),
        (everything_stands, {"clean under the other", "ambiguous when open"}),
        (says_that_all_holds_always, {"right scope"}),
        (turns_scopes_round, {"right scope"}),
    ],
)
def test_an_audit_that_is_wrong_about_a_reading_does_not_pass(monkeypatch, spoil, missing):
    honest = engine.audit_log

    def audit_log(data, **how):
        audit = honest(data, **how)
        spoil(audit)
        return audit

    monkeypatch.setattr(engine, "audit_log", audit_log)
    tally = trial.do(trial.Task("R-CON-TP=current", 0, 1))
    right = {"found", "clean under the other", "ambiguous when open", "right scope"}
    assert {what for what in right if not tally.faults["R-CON-TP=current", what]} >= missing
    assert tally.faults["R-CON-TP=current", "planted"] == 1
    assert not trial.is_passed(tally)


# -- the page -------------------------------------------------------------------------------------------------------


def test_the_page_says_of_every_option_what_was_found_or_why_it_cannot_be_planted(tally):
    value = trial.report(tally, seed=0, faults=1)
    text = page.document(value, date="2030-01-02", command="auditor conformance", speed="")
    assert "| R-CON-TP | 0 | current | 1 | 1 | 0 | 1 | 1 | 1 |  |" in text
    assert NEVER["R-FLM-SIDE=any_unit"] in text
    assert (
        f"{len(PLANTABLE_READINGS)} under {len(PLANTABLE_READINGS)} options; found: {len(PLANTABLE_READINGS)}" in text
    )
    assert "Options of readings for which no fault was planted: none." in text
    assert "R-CON-TP=current 1 (1)" in page.table_text(value)
