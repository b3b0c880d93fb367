"""Starts that cannot work: they end with status 2, name the file or the port, say what to do, and change nothing."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.service import Incoming, Service
from auditor.settings import Settings
from auditor.store import jobs
from auditor.web import CannotServe, serve
from tests.cli.shell import auditor
from tests.web.conftest import CLEAN, ENGINE, Near
from tests.web.test_server import started

DATABASE = "auditor.sqlite3"


def picture(folder: Path) -> dict[str, tuple[str, int]]:
    """Every file of a folder, with its content and when it was last changed."""
    return {
        str(path.relative_to(folder)): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder as a service leaves it, with an audit in it."""
    folder = tmp_path_factory.mktemp("sound") / "data"
    service = Service(Settings(data_dir=folder, workers=1, load_examples=False), ENGINE, Near.make)
    for n in range(40):
        service.deliveries.receive([Incoming(f"{n}", io.BytesIO(CLEAN + b"\n" * n))], service.rulings.own())
    service.close()
    return folder


def a_newer_schema(folder: Path) -> None:
    with sqlite3.connect(folder / DATABASE) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()


def no_database(folder: Path) -> None:
    (folder / DATABASE).write_bytes(b"Dear diary, " * 1000)


def a_damaged_database(folder: Path) -> None:
    data = bytearray((folder / DATABASE).read_bytes())
    data[len(data) // 2 :] = b"\xa5" * (len(data) - len(data) // 2)
    (folder / DATABASE).write_bytes(data)


def a_database_cut_short(folder: Path) -> None:
    os.truncate(folder / DATABASE, (folder / DATABASE).stat().st_size // 2 + 100)


def another_programs_database(folder: Path) -> None:
    (folder / DATABASE).unlink()
    with sqlite3.connect(folder / DATABASE) as connection:
        connection.execute("CREATE TABLE recipes (id INTEGER)")
    connection.close()


def a_folder_for_a_database(folder: Path) -> None:
    (folder / DATABASE).unlink()
    (folder / DATABASE).mkdir()


def a_file_for_the_archive(folder: Path) -> None:
    shutil.rmtree(folder / "archive")
    (folder / "archive").write_text("")


def a_folder_for_the_lock(folder: Path) -> None:
    (folder / "lock").unlink()
    (folder / "lock").mkdir()


@pytest.mark.parametrize(
    ("spoil", "file", "said"),
    [
        (a_newer_schema, DATABASE, "newer version"),
        (no_database, DATABASE, "is not a database"),
        (a_damaged_database, DATABASE, "is damaged"),
        (a_database_cut_short, DATABASE, "is damaged"),
        (another_programs_database, DATABASE, "another program"),
        (a_folder_for_a_database, DATABASE, "cannot be opened"),
        (a_file_for_the_archive, "archive", "Not a directory"),
        (a_folder_for_the_lock, "lock", "directory"),
    ],
)
def test_a_data_folder_that_cannot_be_used_is_named_with_what_to_do(
    tmp_path: Path, sound: Path, spoil: Callable[[Path], None], file: str, said: str
) -> None:
    folder = shutil.copytree(sound, tmp_path / "data")
    spoil(folder)
    answer = auditor("serve", "--port", 0, "--data", folder)
    assert answer.status == 2, answer.err
    (line,) = answer.err.splitlines()
    assert said in line
    assert str(folder / file) in line
    assert "choose another data folder" in line
    assert "Error" not in line  # no name of a Python class


def test_a_path_that_is_a_file_or_that_nobody_can_write_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for path in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/auditor-data")):
        answer = auditor("serve", "--port", 0, "--data", path)
        assert answer.status == 2, answer.err
        assert str(path) in answer.err
        assert len(answer.err.splitlines()) == 1
    assert (tmp_path / "file").read_text() == "mine"


def test_a_port_in_use_is_named_with_what_to_do(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        answer = auditor("serve", "--port", port, "--data", tmp_path / "data")
    assert answer.status == 2
    assert f"port {port}" in answer.err
    assert "--port" in answer.err
    assert not (tmp_path / "data").exists()


def test_a_folder_that_another_process_serves_is_refused_before_anything_in_it_is_touched(tmp_path: Path) -> None:
    first = Service(Settings(data_dir=tmp_path / "data", workers=1, load_examples=False), ENGINE, Near.make)
    try:
        first.deliveries.receive([Incoming("game.jsonl", io.BytesIO(CLEAN))], first.rulings.own())
        with first._shared.database.write() as session:
            held = jobs.claim(session, "a worker that lives", 3600)
        (tmp_path / "data" / "archive" / "incoming" / "half").write_bytes(b"an upload under way")
        before = picture(tmp_path / "data")
        with pytest.raises(CannotServe, match=r"another auditor has .*data open"):
            serve(port=0, data_dir=tmp_path / "data", engine=ENGINE)
        assert picture(tmp_path / "data") == before
        with first._shared.database.write() as session:
            assert held is not None and jobs.settle(session, held)  # the job is still the first one's
    finally:
        first.close()


def test_a_killed_process_leaves_no_lock_behind(tmp_path: Path) -> None:
    process, _address = started(tmp_path)
    with process:
        refused = subprocess.run(
            [sys.executable, "-m", "auditor", "serve", "--port", "0", "--data", str(tmp_path / "data")],
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        process.send_signal(signal.SIGKILL)
    assert refused.returncode == 2
    assert "another auditor" in refused.stderr
    Service(Settings(data_dir=tmp_path / "data", workers=1, load_examples=False), ENGINE, Near.make).close()


def test_localhost_is_a_name_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []

    def instead(settings: Settings, _service: Service, door: socket.socket) -> None:
        heard.append(f"{settings.host} {door.getsockname()[0]}")

    monkeypatch.setattr("auditor.web.server._serve", instead)
    serve(host="localhost", port=0, data_dir=tmp_path / "data", engine=ENGINE)
    assert heard == ["localhost 127.0.0.1"]
