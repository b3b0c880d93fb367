"""Every part of the speed table runs and says what it measured; what the numbers are is no matter here."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pytest

from auditor import systems
from auditor.engine import audit_log
from tests.bench import bench_heavy, bench_scale, bench_worst, bytecodes, compare, faulty, measure
from tests.bench.__main__ import PARTS, main
from tests.bench.games import GENERATED, examples, name_of
from tests.bench.measure import ROOT
from tests.shares import WHOLE, is_tried

SAID = {
    "audits": [
        "reading the log",
        "audit + digest + JSON, warm",
        "cold: game never seen",
        "chess.pgn.read_game",
        "five roots",
    ],
    "profile": ["reading", "without a rule", "the other readings", "digest and JSON"],
    "generated": ["median", "worst", "seed", "the first audit"],
    "start": ["auditor --help", "auditor rules CAL-LOS-01", "auditor audit clean-1"],
    "many": ["2 processes against 1", "processor time"],
    "service": ["upload to settled audit", "report page", "event page", "uploads a second", "the web process"],
    "scale": ["2 workers against 1", "embedded", "a million", "cost of the queue", "a player's page", "random kills"],
    "geometry": ["clear sight", "shapely, a loop"],
    "inches": ["ten models to ten", "30 models moved", "wrong", "60 models a side"],
    "cards": ["an event of Calth (clean-1)", "abilities of 150 cards, read", "asked for again"],
    "heavy": ["tactics in one battle action", "JSON"],
    "worst": [
        "broken lines",
        "unknown types",
        "attacks",
        "faults everywhere",
        "taken back",
        "events, legal",
        "hostile JSON",
        "events of a card game",
    ],
}


LONG = {"scale", "service", "worst", "many", "heavy", "start"}
"""Parts that take long even when small: they are run in whole runs."""


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(part, marks=[pytest.mark.servers, pytest.mark.timeout(900)]) if part == "scale" else part
        for part in PARTS
        if WHOLE or part not in LONG
    ],
)
def test_a_part_of_the_table_runs(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--quick", part])
    told = capsys.readouterr().out
    for what in [*SAID[part], "Goals not met"]:
        assert what in told


def test_the_table_is_a_command() -> None:
    command = [sys.executable, "-m", "tests.bench", "--quick", "cards"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=250)
    assert told.returncode == 0, told.stderr
    assert SAID["cards"][0] in told.stdout


def test_a_part_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["sped"])
    assert ended.value.code == 2
    assert "there is no part sped; there are audits, profile, generated" in capsys.readouterr().err


def test_no_two_logs_have_one_name_in_the_table() -> None:
    names = [name_of(path) for path in examples()]
    assert len(names) == len(set(names))


def test_every_game_with_a_generator_is_registered() -> None:
    assert set(GENERATED) <= set(systems.game_keys())


@pytest.mark.parametrize("name", bench_worst.LOGS)
def test_a_log_that_might_cost_most_has_the_length_that_it_says(name: str) -> None:
    make, _ = bench_worst.LOGS[name]
    assert make(400).count(b"\n") - 1 >= 400


HEAVY = [(game, name) for game in ("hcg", "clx") for name in bench_heavy.SHAPES[game] if is_tried(10, game, name)]


@pytest.mark.parametrize(("game", "name"), HEAVY)
def test_a_heavy_record_is_read_and_followed(game: str, name: str) -> None:
    make, count = bench_heavy.SHAPES[game][name]
    value = audit_log(make(max(2, count // 2_000)))
    assert value["verdict"] != "unreadable" and value["coverage"]["resolved"] > 0
    assert not any("fault of the auditor" in one["why"] for one in value["coverage"]["unchecked"])


def test_a_log_beyond_the_limits_is_said_and_does_not_stop_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_worst, "MEGABYTES", 20)
    (row,) = bench_worst.bench_one("events, legal", bench_worst.legal, 50)
    assert row.met is False and "20 MB" in row.ours


# -- two revisions ------------------------------------------------------------------------------------------------


def test_an_interval_leaves_out_as_many_rounds_as_it_may() -> None:
    assert compare.interval([float(n) for n in range(1, 16)]) == (4.0, 12.0)
    assert compare.interval([float(n) for n in range(1, 7)]) == (1.0, 6.0)


@pytest.mark.parametrize(
    ("ratios", "said"),
    [
        ([0.5] * 15, "faster"),
        ([1.2] * 15, "SLOWER"),
        ([0.9, 1.1] * 7, "not proved"),
        ([0.5] * 11 + [1.5] * 4, "not proved"),
        ([0.5] * 12 + [1.5] * 3, "faster"),
        ([0.5] * 5, "not proved: 5 rounds are too few"),
    ],
)
def test_a_difference_is_proved_or_it_is_said_that_it_is_not(ratios: list[float], said: str) -> None:
    assert compare.verdict(ratios).startswith(said)


def test_two_revisions_are_held_against_each_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compare, "unpacked", lambda revision, folder: ROOT)
    compare.main(["itself", "start", "--rounds", "1"])
    told = capsys.readouterr().out
    assert "old: itself" in told
    assert told.count("not proved: 1 rounds are too few") == 3


def test_processor_time_of_a_command_is_its_own() -> None:
    busy = measure.worked([sys.executable, "-c", "sum(range(20_000_000))"])
    idle = measure.worked([sys.executable, "-c", "import time; time.sleep(1)"])
    assert busy > 2 * idle


def test_bytecodes_are_counted_alike_whenever_and_whatever_else_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    assert bytecodes.bytecodes(lambda: None) < bytecodes.bytecodes(lambda: [n * n for n in range(1000)])
    log = ROOT / "fixtures" / "calth" / "games" / "clean-1.jsonl"
    bytecodes.main([str(log)])
    said = capsys.readouterr().out
    bytecodes.main([str(log)])
    assert capsys.readouterr().out == said and said.startswith("calth clean-1: ") and "245 events" in said


def test_who_waits_for_a_delivery_waits_for_all_of_it_and_takes_a_file_without_an_audit_as_it_is(monkeypatch):
    """A delivery that is being opened has no files yet, and what cannot be read never has an audit."""
    done = {"fate": "audited", "audit": {"state": "done"}}
    in_work, refused = {"fate": "in work", "audit": {"state": "running"}}, {"fate": "refused", "audit": None}
    said = [[], [done], [in_work, refused], [done, refused]]
    answers = [{"settled": n == len(said) - 1, "files": files} for n, files in enumerate(said)]
    left = iter(answers)
    monkeypatch.setattr("urllib.request.urlopen", lambda *_of, **_how: io.BytesIO(json.dumps(next(left)).encode()))
    files = bench_scale.files_of("http://nobody", "key")
    assert [bench_scale.state_of(file) for file in files] == ["done", "refused"]
    left = iter(answers[:1] * 9)
    with pytest.raises(AssertionError, match="not all is settled"):
        bench_scale.files_of("http://nobody", "key", 0.3)


def test_what_a_faulty_game_costs_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    faulty.main([str(ROOT / "fixtures" / "calth" / "games" / "clean-1.jsonl"), "--rounds", "1"])
    said = capsys.readouterr().out
    assert said.startswith("calth clean-1: ") and "x json.loads" in said
