"""What the exit status says, and that a fault of ours is never taken for a finding."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from auditor import engine
from tests.cli.shell import (
    BROKEN_HEADER,
    CLEAN,
    FINDINGS,
    GAMES,
    INCOMPLETE,
    ROOT,
    UNREADABLE,
    auditor,
    auditor_process,
    written,
)

FAULT = CLEAN.replace(b"Ada", b"Eve")
LOGS = {"clean": (CLEAN, 0), "findings": (FINDINGS, 1), "unreadable": (UNREADABLE, 2), "incomplete": (INCOMPLETE, 3)}
FORMATS = ("text", "json", "jsonl", "sarif", "csv", "html")


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that stumbles over the log of Eve."""
    audit_log = engine.audit_log

    def stumble(data: bytes, **how: Any) -> Any:
        if b"Eve" in data:
            raise ZeroDivisionError("a secret of the log")
        return audit_log(data, **how)

    monkeypatch.setattr(engine, "audit_log", stumble)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", LOGS)
def test_the_status_is_that_of_the_verdict_in_every_format(tmp_path: Path, name: str, format: str) -> None:
    data, status = LOGS[name]
    log = tmp_path / "game.jsonl"
    log.write_bytes(data)
    said = auditor("audit", log, "--format", format)
    assert (said.status, said.err) == (status, "")
    assert said.out


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"[1]", b"\xff\xfe{}", b"PK\x03\x04junk", b"\x1f\x8bjunk", BROKEN_HEADER]
)
def test_a_log_without_a_usable_header_is_unreadable(tmp_path: Path, data: bytes) -> None:
    log = tmp_path / "game.jsonl"
    log.write_bytes(data)
    said = auditor("audit", log, "--format", "jsonl")
    assert said.status == 2
    assert said.value["verdict"] == "unreadable"
    assert said.value["errors"]


def test_the_gravest_of_many_decides(tmp_path: Path, faulty: None) -> None:
    logs = {**LOGS, "fault": (FAULT, 70)}
    for n, names in enumerate(itertools.chain.from_iterable(itertools.combinations(logs, k) for k in (1, 2, 5))):
        folder = written(tmp_path / str(n), **{name: logs[name][0] for name in names})
        wanted = next(status for status in (70, 2, 1, 3, 0) if status in {logs[name][1] for name in names})
        assert auditor("audit", folder).status == wanted, names


@pytest.mark.parametrize("format", ["text", "json", "jsonl", "sarif", "csv"])
def test_a_fault_of_ours_is_one_line_and_the_other_logs_are_audited(tmp_path: Path, faulty: None, format: str) -> None:
    folder = written(tmp_path / "logs", a=FINDINGS, b=FAULT, c=CLEAN)
    said = auditor("audit", folder, "--format", format)
    assert said.status == 70
    assert len(said.err.splitlines()) == 1
    assert "b.jsonl: a fault of the auditor: ZeroDivisionError in tests.cli.test_exit_status, line" in said.err
    assert "Traceback" not in said.err + said.out
    assert "a secret" not in said.err + said.out
    if format == "json":
        assert [audit["verdict"] for audit in said.value] == ["findings", "clean"]
    if format == "text":
        assert said.out.endswith(
            "3 logs: 1 clean, 1 with findings and 1 not audited because of a fault of the auditor.\n"
        )


def test_a_fault_outside_of_any_log_is_one_line_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(game: str) -> Any:
        raise KeyError("a secret")

    monkeypatch.setattr(engine, "rules", stumble)
    said = auditor("rules")
    assert said.status == 70
    assert (
        said.err
        == "auditor: a fault of the auditor: KeyError in tests.cli.test_exit_status, line "
        + said.err.split()[-1]
        + "\n"
    )
    assert said.out == ""


@pytest.mark.parametrize(
    "call",
    [
        ["audit"],
        ["audit", "no-such-file.jsonl"],
        ["audit", "x\0y"],
        ["audit", GAMES / "clean-1.jsonl", "--format", "pdf"],
        ["audit", GAMES / "clean-1.jsonl", "--jobs", "-1"],
        ["audit", GAMES / "clean-1.jsonl", "--rulings", "no-such-file.json"],
        ["audit", GAMES / "clean-1.jsonl", "--pack", "no-such-folder"],
        ["audit", GAMES / "clean-1.jsonl", "--output", "no-such-folder/x"],
        ["audit", GAMES / "clean-1.jsonl", "--output", GAMES],
        ["audit", GAMES, "--format", "html"],
        ["audit", GAMES, "--format", "html", "--output", GAMES / "clean-1.jsonl"],
        ["frobnicate"],
        ["rules", "CAL-NO-99"],
        ["rules", "--game", "chess"],
        ["readings", "--game", "chess"],
        ["readings", "--format", "csv"],
        ["schema"],
        ["schema", "chess"],
        ["compare", "a.json"],
        ["compare", "a.json", "b.json"],
        ["verify", "a.json", GAMES / "clean-1.jsonl"],
        ["serve", "--host", "0.0.0.0"],
        ["serve", "--port", "99999"],
        ["sight"],
        ["sight", "--batch", "no-such-file"],
        ["generate"],
        ["generate", "--output", "x.jsonl"],
        ["generate", "--game", "calth", "--output", "no-such-folder/x.jsonl"],
        ["generate", "--game", "calth", "--output", "x.jsonl", "--rounds", "0"],
        ["generate", "--game", "clx", "--output", "x.jsonl", "--board", GAMES / "clean-1.jsonl"],
        ["generate", "--game", "hcg", "--output", "x.jsonl", "--reading", "OR-DECKOUT=run-dry"],
    ],
)
def test_a_wrong_call_is_said_and_does_nothing(call: list[object]) -> None:
    said = auditor(*call)
    assert (said.status, said.out) == (2, "")
    assert said.err
    assert "Traceback" not in said.err


def test_everything_wrong_with_a_call_is_said_at_once(tmp_path: Path) -> None:
    rulings = tmp_path / "cup.json"
    rulings.write_text('{"readings": {"R-LOS-VERTX": "clear", "R-LOS-VERTEX": "yes"}, "settings": 1, "extra": 2}')
    pack = tmp_path / "pack.json"
    pack.write_text('{"id": "b", "hexes": [{"q": 0}], "edges": 3}')
    said = auditor("audit", "gone.jsonl", "away.jsonl", "--rulings", rulings, "--pack", pack, "--output", "no/x")
    assert said.status == 2
    for problem in (
        "gone.jsonl: No such file",
        "away.jsonl: No such file",
        'there is no reading "R-LOS-VERTX"; the nearest is "R-LOS-VERTEX"',
        'R-LOS-VERTEX has no option "yes"',
        '"settings" is an object',
        '"extra" is not part of a rulings set',
        "hexes[0].r",
        "edges",
        "there is no folder no",
    ):
        assert problem in said.err, problem


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it is not JSON"),
        ("[]", "a rulings set is an object"),
        ('{"name": "a", "name": "b"}', "name is given twice"),
        ("[" * 100_000, "it is not JSON"),
        ("\udcff", "it is not UTF-8"),
        ("NaN", "it is not JSON"),
    ],
)
def test_rulings_that_cannot_be_read_are_a_wrong_call(tmp_path: Path, text: str, problem: str) -> None:
    rulings = tmp_path / "cup.json"
    rulings.write_bytes(text.encode("utf-8", "surrogateescape"))
    said = auditor("audit", GAMES / "clean-1.jsonl", "--rulings", rulings)
    assert said.status == 2
    assert problem in said.err


def test_a_folder_without_a_log_is_a_wrong_call(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no log")
    said = auditor("audit", tmp_path)
    assert said.status == 2
    assert said.err.splitlines() == [
        f"auditor: skipped {tmp_path}/notes.txt: it does not begin as a log does",
        f"auditor: there is no log in {tmp_path}",
    ]


def test_nobody_reading_on_is_no_fault() -> None:
    """The audits are larger than any pipe holds; the reader leaves after a few bytes."""
    call = [sys.executable, "-m", "auditor", "audit", str(GAMES), "--format", "json"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        said = process.stderr.read().decode()
        assert process.wait(60) == 141
    assert "Traceback" not in said and "Error" not in said


SLOW_TO_WAKE = """
import time
from concurrent.futures import process
def wakeup(self):
    if not self._closed:
        time.sleep(0.4)
        self._writer.send_bytes(b"")
process._ThreadWakeup.wakeup = wakeup
"""
"""Widens the moment between seeing a pool's pipe open and writing to it, when the program ends."""


@pytest.mark.parametrize(
    ("jobs", "seconds", "before"),
    [(1, 0.1, ""), (1, 0.4, ""), (1, 0.9, ""), (1, 2.5, ""), (2, 3.0, ""), (2, 2.0, SLOW_TO_WAKE)],
    ids=["1-0.1", "1-0.4", "1-0.9", "1-2.5", "2-3.0", "2-slow"],
)
def test_an_interrupted_audit_ends_quietly(tmp_path: Path, jobs: int, seconds: float, before: str) -> None:
    """While it loads the rules, while it audits, and while others audit for it."""
    logs = written(tmp_path / "logs", **{f"g{n:03}": (GAMES / "faulty-1.jsonl").read_bytes() for n in range(400)})
    call = ["audit", str(logs), "--format", "csv", "--jobs", str(jobs), "--output", str(tmp_path / "out.csv")]
    code = f"import sys\nfrom auditor import cli\nprint('ready', flush=True)\nsys.argv = {['auditor', *call]!r}\ncli.main()"
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", before + code], cwd=ROOT, **pipes) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read().decode()
        assert process.wait(60) == 130
    assert said == ""
    assert [path.name for path in tmp_path.iterdir()] == ["logs"], "an output is whole or not there"


def test_a_process_that_dies_over_a_log_is_a_fault_of_ours(tmp_path: Path) -> None:
    """Whatever ends it, the status is never that of a finding."""
    script = tmp_path / "script.py"
    log = tmp_path / "a.jsonl"
    log.write_bytes(CLEAN)
    script.write_text(
        "import os, sys\n"
        "from auditor import engine\n"
        "engine.audit_log = lambda *a, **k: os._exit(1)\n"
        "if __name__ == '__main__':\n"
        "    from auditor.cli import main\n"
        f"    sys.argv = ['auditor', 'audit', {str(log)!r}, '--jobs', '2']\n"
        "    main()\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, cwd=ROOT, env=_env(), timeout=240)
    assert done.returncode == 70
    assert len(done.stderr.decode().splitlines()) == 1, done.stderr.decode()


def _env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def test_the_module_is_the_program() -> None:
    said = auditor_process("--version")
    assert (said.status, said.out.split()[0]) == (0, "auditor")
    assert auditor_process().status == 2


def test_help_loads_no_rules_and_no_server() -> None:
    code = (
        "import sys\n"
        "from auditor.cli import app\n"
        "try:\n"
        "    app(['audit', '--help'])\n"
        "except SystemExit:\n"
        "    pass\n"
        "heavy = {'flask', 'sqlmodel', 'sqlalchemy', 'shapely', 'networkx', 'msgspec', 'jsonschema', 'auditor.engine'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, timeout=240)
    assert done.stderr.decode().strip() == "[]"


def test_an_audit_loads_no_server(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    log.write_bytes(CLEAN)
    code = (
        "import sys\n"
        "from auditor.cli import app\n"
        "try:\n"
        f"    app(['audit', {str(log)!r}])\n"
        "except SystemExit:\n"
        "    pass\n"
        "print(sorted({'flask', 'sqlmodel', 'sqlalchemy', 'alembic', 'waitress', 'jinja2'} & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, timeout=240)
    assert done.stderr.decode().strip() == "[]"
    assert done.stdout.decode().startswith(str(log))
