"""`auditor audit --broker`: the workers of an installation give the output that this machine would have given."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from auditor.batch import faraway
from tests import servers
from tests.cli.shell import (
    CLEAN,
    FINDINGS,
    GAMES,
    INCOMPLETE,
    ROOT,
    UNREADABLE,
    auditor,
    auditor_process,
    lines_of,
    log_of,
    written,
)
from tests.cluster import Cluster
from tests.shares import in_turn


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = written(tmp_path / "logs", a=FINDINGS, b=CLEAN, c=UNREADABLE, d=INCOMPLETE)
    (folder / "notes.txt").write_text("bring dice")
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "e.jsonl").write_bytes((GAMES / "clean-2.jsonl").read_bytes())
    return folder


@pytest.mark.servers
@pytest.mark.timeout(900)
@pytest.mark.parametrize("format", in_turn(0, ["text", "html"]))
def test_a_folder_is_audited_by_workers_as_it_is_here(made: Cluster, folder: Path, tmp_path: Path, format: str):
    outputs = []
    for n, more in enumerate([(), ("--broker", made.env["AUDITOR_BROKER"])]):
        output = tmp_path / f"out-{n}"
        said = auditor_process("audit", folder, "--format", format, "--output", output, *more)
        files = sorted(output.iterdir()) if output.is_dir() else [output]
        outputs.append((said, [(one.name.replace(output.name, "out"), one.read_bytes()) for one in files]))
    here, there = outputs
    assert there == here
    assert here[0].status == 2 and here[1]


@pytest.mark.servers
@pytest.mark.timeout(900)
def test_rulings_packs_and_ways_of_reading_go_with_the_logs(made: Cluster, tmp_path: Path):
    header, *events = lines_of("illegal")
    pack = tmp_path / "board.json"
    pack.write_text(json.dumps(header["board"]))
    log = tmp_path / "a.jsonl"
    log.write_bytes(log_of([{**header, "board": "ex-board"}, *events]))
    rulings = tmp_path / "cup.json"
    rulings.write_text(json.dumps({"game": "calth", "name": "Cup", "readings": {"R-LOS-VERTEX": "open"}}))
    calls: list[tuple[object, ...]] = [
        ("audit", log, "--pack", pack, "--rulings", rulings, "--format", "json"),
        ("audit", log, "--pack", pack, "--read-as", "offset", "--format", "text"),
    ]
    for call, asked in zip(calls, ('"Cup"', "read as it was asked for"), strict=True):
        here = auditor_process(*call)
        assert asked in here.out, here
        assert auditor_process(*call, "--broker", made.env["AUDITOR_BROKER"]) == here, call


@pytest.mark.servers
@pytest.mark.timeout(900)
def test_what_a_broker_forgot_or_a_killed_worker_had_begun_is_sent_again(made: Cluster, tmp_path: Path, monkeypatch):
    monkeypatch.setattr("auditor.jobs.broker._AGAIN_SECONDS", 3.0)
    head, rest = (GAMES / "clean-2.jsonl").read_bytes().split(b"\n", 1)
    folder = tmp_path / "many"
    folder.mkdir()
    for n in range(20):
        (folder / f"{n:02}.jsonl").write_bytes(head[:-1] + b',"table_number":%d}\n' % n + rest)
    here = auditor("audit", folder, "--format", "jsonl")
    said = []
    call = threading.Thread(
        target=lambda: said.append(
            auditor("audit", folder, "--format", "jsonl", "--broker", made.env["AUDITOR_BROKER"])
        )
    )
    call.start()
    time.sleep(1.5)
    made.workers[-1].kill()
    made.broker.kill()  # with all that it knew
    time.sleep(1)
    made.broker.start()
    made.add_worker()
    call.join(300)
    assert [(one.status, one.out) for one in said] == [(here.status, here.out)]


@pytest.mark.servers
@pytest.mark.timeout(900)
def test_workers_of_another_version_are_told_apart(made: Cluster, folder: Path, monkeypatch):
    monkeypatch.setattr(faraway, "program", lambda: "tabletop-auditor 99")
    said = auditor("audit", folder, "--broker", made.env["AUDITOR_BROKER"])
    assert said.status == 2
    assert "and this is tabletop-auditor 99" in said.err


def test_a_broker_that_is_not_there_or_of_no_known_kind_is_a_wrong_call(folder: Path):
    port = servers.free_port()
    said = auditor("audit", folder, "--broker", f"redis://:secret@127.0.0.1:{port}/0")
    assert (said.status, said.out) == (2, "")
    assert f"127.0.0.1:{port}" in said.err and "does not answer" in said.err and "secret" not in said.err
    said = auditor("audit", folder, "--broker", "http://example.org")
    assert said.status == 2 and "may begin with redis://" in said.err
    said = auditor("audit", folder, "--broker", f"redis://127.0.0.1:{port}/0", "--jobs", "2")
    assert said.status == 2 and "--jobs and --broker" in said.err


def test_a_program_without_the_client_of_a_broker_says_how_to_get_it(folder: Path):
    code = (
        "import sys; sys.modules['celery'] = None; sys.argv = ['auditor', 'audit', sys.argv[1], '--broker',"
        " 'redis://127.0.0.1:1/0']; from auditor.cli import app; app()"
    )
    done = subprocess.run([sys.executable, "-c", code, folder], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "make servers" in done.stderr


def test_what_is_sent_is_all_that_an_audit_depends_on():
    """A log's answer is that of the clerk who has the order as it was given, packs and all."""
    from auditor.batch import Clerk, Order

    order = Order(format="jsonl", many=True)
    log = (GAMES / "clean-2.jsonl").read_bytes()
    part = faraway._part([faraway.Member("a", log)], faraway._written(order))
    assert part is not None
    answer = faraway.audited(part["order"], *part["logs"][0])
    assert faraway._read("a", answer, faraway.program()) == Clerk(order).audit("a", log)
