"""The embedded server: this machine only, one process a folder, and a clean end."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from auditor.service import Service
from auditor.settings import BadSettings, Settings, default_data_dir
from auditor.store.database import Sqlite
from auditor.web import CannotServe, serve
from tests.cli.shell import auditor
from tests.web.conftest import CLEAN, ENGINE, Near, settled

TOP = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", ""])
def test_only_this_machine_is_listened_to(tmp_path, host):
    with pytest.raises(CannotServe, match="no accounts"):
        serve(host=host, data_dir=tmp_path / "data", engine=ENGINE)
    assert not (tmp_path / "data").exists()


def test_a_port_in_use_is_said(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=f"port {port}"):
            serve(port=port, data_dir=tmp_path / "data", engine=ENGINE)
    assert not (tmp_path / "data").exists()


def test_a_folder_in_use_is_said(tmp_path):
    database = Sqlite(tmp_path / "auditor.sqlite3")
    with pytest.raises(CannotServe, match="another auditor"):
        serve(port=0, data_dir=tmp_path, engine=ENGINE)
    database.close()


def started(tmp_path: Path, *, examples: bool = False) -> tuple[subprocess.Popen[str], str]:
    """A server in a process of its own, with the games that come with the program or without, and its address."""
    code = f"""from auditor import service
from auditor.web import serve

prepare = service.prepare
service.prepare = lambda _: prepare({ENGINE!r})  # and not all games, of which its children need none
if __name__ == "__main__":
    serve(port=0, engine={ENGINE!r})
"""
    script = tmp_path / "run.py"
    script.write_text(code)
    env = {**os.environ, "AUDITOR_DATA": str(tmp_path / "data"), "PYTHONPATH": str(TOP)}
    env["AUDITOR_EXAMPLES"] = "1" if examples else "0"
    process = subprocess.Popen([sys.executable, script], env=env, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:\d+/", line)
    assert found is not None, line
    assert "no accounts" in process.stdout.readline()
    return process, found.group()


def test_it_serves_until_it_is_told_to_stop(tmp_path):
    process, address = started(tmp_path, examples=True)
    with process:
        try:
            for path in ("healthz", "readyz", "upload"):
                with urllib.request.urlopen(address + path, timeout=120) as answer:
                    assert answer.status == 200
                    assert answer.headers["X-Content-Type-Options"] == "nosniff"
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(120) == 0
    assert (tmp_path / "data" / "auditor.sqlite3").is_file()


def test_what_was_acknowledged_is_there_after_the_process_was_killed(tmp_path):
    process, address = started(tmp_path)
    acknowledged: list[str] = []
    with process:
        try:
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            token = json.load(browser.open(f"{address}api/v1/token", timeout=120))["token"]
            for n in range(5):
                log = CLEAN + b"\n" * n
                body = (
                    b'--x\r\nContent-Disposition: form-data; name="logs"; filename="a"\r\n\r\n' + log + b"\r\n--x--\r\n"
                )
                request = urllib.request.Request(
                    f"{address}api/v1/uploads",
                    body,
                    {"X-CSRFToken": token, "Content-Type": "multipart/form-data; boundary=x"},
                )
                with browser.open(request, timeout=120) as answer:
                    acknowledged.append(json.load(answer)["files"][0]["upload_sha256"])
        finally:
            process.kill()
    service = Service(Settings(data_dir=tmp_path / "data", workers=1, load_examples=False), ENGINE, Near.make)
    try:
        assert [b"".join(service.deliveries.upload_bytes(sha256)[1]) for sha256 in acknowledged] == [
            CLEAN + b"\n" * n for n in range(5)
        ]
        service.start()
        for line in service.audits.page().audits:
            if line.log_sha256 in acknowledged:
                assert settled(service, line.key).verdict == "clean"
    finally:
        service.close()


def test_the_data_folder_is_the_one_in_the_environment_or_one_here(tmp_path):
    assert default_data_dir({"AUDITOR_DATA": "/srv/x"}) == Path("/srv/x")
    assert default_data_dir({}) == Path("auditor-data")
    assert Settings(data_dir=tmp_path).database.parent == tmp_path


def test_database_broker_and_archive_are_those_of_the_environment():
    said = {
        "AUDITOR_DATABASE": "postgresql+psycopg://a@db/auditor",
        "AUDITOR_BROKER": "redis://broker/0",
        "AUDITOR_ARCHIVE": "s3://bucket/logs",
    }
    settings = Settings.of_environment(said)
    assert (settings.database_url, settings.broker_url, settings.archive_url) == tuple(said.values())
    assert not Settings.of_environment({}).database_url


def test_settings_that_contradict_each_other_are_all_named_at_once():
    with pytest.raises(BadSettings) as caught:
        Settings.of_environment({"AUDITOR_BROKER": "redis://broker/0", "AUDITOR_ARCHIVE": "ftp://files"})
    assert "AUDITOR_DATABASE is not" in str(caught.value)
    assert "AUDITOR_ARCHIVE is ftp://…, and may begin with s3://" in str(caught.value)
    assert "AUDITOR_ARCHIVE is not" not in str(caught.value)


def test_a_broker_needs_a_database_and_a_bucket_that_others_can_reach(tmp_path):
    """Each process has a data folder of its own: without a bucket every audit would fail, since its bytes are elsewhere."""
    some = {"AUDITOR_BROKER": "redis://broker/0", "AUDITOR_DATABASE": "postgresql+psycopg://a@db/auditor"}
    with pytest.raises(BadSettings, match="AUDITOR_ARCHIVE is not: workers elsewhere cannot reach the uploads"):
        Settings.of_environment(some)
    assert Settings.of_environment({**some, "AUDITOR_ARCHIVE": "s3://bucket/logs"}).broker_url
    del some["AUDITOR_BROKER"]
    assert not Settings.of_environment(some).archive_url  # one web process alone may do without


def test_a_worker_without_a_broker_is_refused_before_anything_is_made(tmp_path):
    said = auditor("worker", "--data", tmp_path / "data")
    assert said.status == 2
    assert "AUDITOR_BROKER is not set" in said.err
    assert not (tmp_path / "data").exists()
