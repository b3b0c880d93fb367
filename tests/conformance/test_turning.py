"""What turns on a reading: under one option a fault, under another none, with the reading open neither."""

from __future__ import annotations

import json
from random import Random
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from auditor import cli, engine
from auditor.conformance.calth.check import check
from auditor.conformance.calth.generate import generate
from auditor.conformance.calth.inventor import INVENTOR
from auditor.conformance.calth.plant.readings import NEVER, PLANTABLE_READINGS, plant_reading, settings_of
from auditor.conformance.calth.tables import READINGS
from auditor.conformance.inventor import NOT_JUDGED
from auditor.conformance.logs import as_jsonl, read_jsonl
from auditor.ingest import packs_with
from auditor.report import conformance as page
from auditor.systems.calth import readings as of_the_auditor
from auditor.trials import readings as turning
from auditor.trials import run as the_run
from auditor.trials.audited import as_the_referee_tells, held_against
from auditor.trials.run import do
from auditor.trials.table import is_passed, report
from auditor.trials.tally import Task
from tests.calth.examples import examples
from tests.shares import WHOLE, is_tried

PACKS = packs_with([])
OPTIONS = [f"{reading}={option}" for reading, options in READINGS.items() for option in options]
# Games in which what the players did is judged otherwise under many options: sight, close combat, flamers, the walker.
GROUNDS = ("R-OBS-POINT", "R-LOS-EDGEADJ", "R-PIS-TWO", "R-SOR-CAS")
ROUNDS = {"R-PIS-TWO": 2, "R-SOR-CAS": 2}
# Numbers that soon give an occasion where others are long in coming; another bot would cost time, not the test.
SOON = {
    "R-ACT-NOP=not_allowed": 6, "R-RDY-EMPTY=reshuffle": 1, "R-DLS-VEX=in_hex": 3, "R-LOS-VERTEX=clear": 7,
    "R-LOS-OFFBOARD=ignored": 6, "R-LOS-EDGEADJ=strict": 7, "R-LOS-TIP=pinch": 2, "R-LOS-TIP=graze_ok": 6,
    "R-LOS-ALONG=not_crossing": 1, "R-LOS-ALONG=crossing": 5, "R-OBS-WIDTH=line": 2, "R-OBS-BARR=centre_line": 5,
    "R-BAR-TIP=pinch": 7, "R-DST-OCC=passable": 6, "R-ARM0-BONUS=no_dice": 6, "R-SOR-CAS=models_only": 5,
}  # fmt: skip


TRIED = [name for name in PLANTABLE_READINGS if name == "R-CON-TP=current" or is_tried(12, "planted", name)]


@pytest.fixture(scope="module")
def tally():
    return the_run.run([Task("calth", name, SOON.get(name, 0), 1) for name in TRIED], jobs=1)


def test_every_option_has_a_planter_or_a_reason():
    assert sorted([*PLANTABLE_READINGS, *NEVER]) == sorted(OPTIONS)
    assert {one.id: set(one.names) for one in of_the_auditor.READINGS} == {k: set(v) for k, v in READINGS.items()}
    for reading in READINGS:
        assert any(name.startswith(f"{reading}=") for name in PLANTABLE_READINGS), reading


def test_a_fault_of_every_option_is_found_and_only_there_and_open_where_nobody_ruled(tally):
    assert tally.missed_listed == []
    right = ("planted", "found", "clean under the other", "ambiguous when open", "right scope")
    for name in TRIED:
        assert [tally.faults[name, what] for what in right] == [1] * 5, name
    assert is_passed(tally)


@pytest.mark.parametrize("ground", GROUNDS)
def test_a_game_is_judged_alike_under_every_option_of_every_reading(ground):
    settings = settings_of(ground, Random(f"a game for {ground}"))
    lines = generate(7, **{**settings, "rounds": ROUNDS.get(ground, 1)})
    data = as_jsonl(lines).encode()
    turned = 0
    for name in OPTIONS:
        reading, _, option = name.partition("=")
        if option == READINGS[reading][0] or not is_tried(3, ground, name):
            continue
        rulings = {"name": "test", "readings": {reading: option}}
        audit = engine.audit_log(data, rulings=rulings, packs=PACKS, digest=False, causes=False, strict=True)
        found = turning.by_referee(INVENTOR, lines, {reading: option})
        assert turning.said(held_against(as_the_referee_tells(audit))) == found, name
        turned += bool(found)
    assert turned >= (3 if WHOLE else 1)


def test_what_an_option_never_forbids_is_no_fault_under_it_whatever_else_was_played():
    for name in NEVER:
        reading, _, allowing = name.partition("=")
        for seed in range(2):
            for option in set(READINGS[reading]) - {allowing}:
                readings = {reading: option}
                lines = generate(seed, **settings_of(reading, Random(seed)), readings=readings)
                assert check(lines, readings) == check(lines, {reading: allowing}) == [], (name, seed)
    with pytest.raises(LookupError, match="An enemy is also a unit"):
        plant_reading("R-FLM-SIDE=any_unit", 0)


@pytest.mark.parametrize("example", examples(file="readings/*"), ids=str)
def test_an_example_is_open_exactly_where_options_disagree_and_its_scopes_say_where(example):
    log, expected = example.log, example.expected
    lines, reading = [log["header"], *log["events"]], example.rule
    under = expected.get("with", {})

    def audited(option):
        rulings = {"name": "test", "readings": {**under, reading: option}}
        audit = engine.audit_log(example.read_bytes(), rulings=rulings, packs=PACKS, causes=False, strict=True)
        return as_the_referee_tells(audit)

    assert turning.left_open_wrongly(INVENTOR, lines, under, reading, audited("open")) == []
    for option in READINGS[reading]:
        held = {**under, reading: option}
        assert turning.wrong_scopes(INVENTOR, lines, held, audited(option), Random(example.name)) == [], option


def test_a_fault_of_another_kind_under_each_option_is_one_open_finding_and_two_faults_are_two():
    def found(*kinds):
        return [SimpleNamespace(seq=9, rule="CAL-OBS-01", kind=kind, player="WB") for kind in kinds]

    def judged(by_option, *open_kinds):
        inventor = SimpleNamespace(
            readings={"R-X": tuple(by_option)},
            check=lambda lines, readings: by_option[readings["R-X"]],
            judged=None,
        )
        one = {"seq": 9, "rule": "CAL-OBS-01", "player": "WB", "kind": "ambiguous", "stands": False}
        findings = [{**one, "would_be": kind} for kind in open_kinds]
        return turning.left_open_wrongly(inventor, [], {}, "R-X", {"findings": findings})

    by_turns = {"a": found(), "b": found("miscalculated"), "c": found("illegal")}
    assert judged(by_turns, "miscalculated") == judged(by_turns, "illegal") == []
    assert judged(by_turns) and judged(by_turns, "omitted")
    both = {"a": found(), "b": found("miscalculated", "illegal")}
    assert judged(both, "miscalculated", "illegal") == []
    assert judged(both, "miscalculated") == ["event 9, CAL-OBS-01 illegal of WB is missing"]


def test_of_a_referee_that_judges_some_rules_up_to_some_event_nothing_else_is_compared():
    def one_of(seq, rule, kind="illegal"):
        return SimpleNamespace(seq=seq, rule=rule, kind=kind, player="p1")

    def left_open(seq, rule):
        of = {"seq": seq, "rule": rule, "player": "p1", "kind": "ambiguous", "would_be": "illegal", "stands": False}
        return {
            **of,
            "scope": {"kind": "only_under", "holds": [{"R-X": "a"}], "clears": [{"R-X": "b"}], "partial": False},
        }

    def inventor(judged, *until):
        ends = [one_of(seq, "why", NOT_JUDGED) for seq in until]
        by_option = {"a": [one_of(3, "A"), *ends], "b": []}
        return SimpleNamespace(
            readings={"R-X": ("a", "b")}, judged=judged, check=lambda lines, readings: by_option[readings["R-X"]]
        )

    findings = [left_open(3, "A"), left_open(4, "B"), left_open(9, "A")]

    def said_wrongly(judged, *until):
        open_ones = turning.left_open_wrongly(inventor(judged, *until), [], {}, "R-X", {"findings": findings})
        scopes = turning.wrong_scopes(inventor(judged, *until), [], {"R-X": "a"}, {"findings": findings}, Random(2))
        return len(open_ones), len(scopes)

    assert (said_wrongly(None), said_wrongly(("A",)), said_wrongly(None, 4)) == ((2, 2), (1, 1), (0, 0))
    assert said_wrongly(None, 9) == (1, 1)
    findings.pop(0)
    assert said_wrongly(("A",), 9) == (1, 1)
    assert said_wrongly(("A",), 0) == said_wrongly(("A",), 3) == (0, 0)


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
    tally = do(Task("calth", "R-CON-TP=current", 0, 1))
    right = {"found", "clean under the other", "ambiguous when open", "right scope"}
    assert {what for what in right if not tally.faults["R-CON-TP=current", what]} >= missing
    assert tally.faults["R-CON-TP=current", "planted"] == 1
    assert not is_passed(tally)


# -- the page -------------------------------------------------------------------------------------------------------


def test_the_page_says_of_every_option_what_was_found_or_why_it_cannot_be_planted(tally):
    value = report("calth", tally, seed=0, faults=1)
    text = page.document(value, date="2030-01-02", command="auditor conformance", speed="")
    assert "| R-CON-TP | 0 | current | 1 | 1 | 0 | 1 | 1 | 1 |  |" in text
    assert NEVER["R-FLM-SIDE=any_unit"] in text
    unfolded = " ".join(text.split())
    count = len(TRIED)
    assert f"{count} under {count} options; found: {count}" in unfolded
    assert ("Options of readings for which no fault was planted: none." in unfolded) is ([*PLANTABLE_READINGS] == TRIED)
    assert "R-CON-TP=current 1 (1)" in page.table_text(value)


# -- the commands ---------------------------------------------------------------------------------------------------


def run(*arguments):
    return CliRunner().invoke(cli.app, list(arguments))


def test_a_game_played_under_other_readings_is_judged_under_another_option_by_command(tmp_path):
    game, turned = tmp_path / "game.jsonl", tmp_path / "turned.jsonl"
    done = run(
        "generate", "--game", "calth", "--seed", "3", "--reading", "R-CON-TP=before_activation", "--output", str(game)
    )
    assert done.exit_code == 0
    lines = read_jsonl(game.read_text(encoding="utf-8"))
    assert lines[0]["rulings"]["readings"] == {"R-CON-TP": "before_activation"}
    assert check(lines) == []
    assert run("mutate", str(game), "--rule", "R-CON-TP=current", "--output", str(turned)).exit_code == 0
    changed = read_jsonl(turned.read_text(encoding="utf-8"))
    assert changed[1:] == lines[1 : len(changed)]
    expected = json.loads((tmp_path / "turned.expected.json").read_text(encoding="utf-8"))["findings"]
    audit = engine.audit_log(turned.read_bytes())
    assert turning.said(held_against(audit)) == turning.said(expected)
    assert {one["seq"] for one in expected} == {expected[0]["seq"]}


def test_a_fault_of_a_reading_is_written_by_command(tmp_path):
    target = tmp_path / "game.jsonl"
    assert (
        run("generate", "--game", "calth", "--fault", "R-CON-TP", "--seed", "4", "--output", str(target)).exit_code == 0
    )
    expected = json.loads((tmp_path / "game.expected.json").read_text(encoding="utf-8"))["findings"]
    assert target.read_text(encoding="utf-8") == as_jsonl(plant_reading("R-CON-TP=current", 4).lines)
    assert turning.said(held_against(as_the_referee_tells(engine.audit_log(target.read_bytes())))) == turning.said(
        expected
    )


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("generate", "--game", "calth", "--reading", "R-CON-TP"), "not of the form"),
        (("generate", "--game", "calth", "--reading", "R-CON-TPS=current"), "there is no reading"),
        (("generate", "--game", "calth", "--reading", "R-CON-TP=later"), "has the options current, before_activation"),
        (
            ("generate", "--game", "calth", "--reading", "R-CON-TP=current", "--fault", "CAL-ADV-01"),
            "names its own readings",
        ),
        (("generate", "--game", "calth", "--fault", "R-FLM-SIDE=any_unit"), "An enemy is also a unit"),
        (("mutate", "GAME", "--rule", "R-CON-TP=current"), "was played under R-CON-TP=current"),
        (("mutate", "GAME", "--rule", "R-CMP-TALLY=all_six"), "is legal under R-CMP-TALLY=all_six too"),
        (("mutate", "GAME", "--rule", "R-CON-TP=current", "--reading", "R-PIS-TWO=each"), "not legal as it was played"),
    ],
)
def test_what_cannot_be_had_is_said(tmp_path, arguments, why):
    game = tmp_path / "game.jsonl"
    if "GAME" in arguments:
        settings = settings_of("R-PIS-TWO", Random("two pistols"))
        game.write_text(as_jsonl(generate(1, **{**settings, "rounds": 1})), encoding="utf-8")
    arguments = [str(game) if one == "GAME" else one for one in arguments]
    done = run(*arguments, "--output", str(tmp_path / "out.jsonl"))
    assert done.exit_code == 2
    assert why in done.stderr
