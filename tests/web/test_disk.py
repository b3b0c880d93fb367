"""The data folder: nothing of anybody else's is touched, nobody else reads it, and what is lost there is said."""

from __future__ import annotations

import gzip
import io
import shutil
import stat
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from auditor.service import CannotOpen, Incoming, Service
from auditor.service.work import LOST
from auditor.settings import Settings
from auditor.web import create_app, serve
from tests.web.conftest import CLEAN, ENGINE, FAULTY, Browser, Near, settled
from tests.web.test_start import picture
from tests.web.test_uploads import zipped


def test_a_folder_that_is_not_ours_is_refused_and_nothing_in_it_is_touched(settings: Settings):
    for name in ("kept/mine.txt", "archive/incoming/mine.txt", "mine.txt"):
        file = settings.data_dir / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("mine")
    before = picture(settings.data_dir)
    with pytest.raises(CannotOpen, match="is not empty and is no data folder of this program"):
        Service(settings, ENGINE, Near.make)
    assert picture(settings.data_dir) == before


def test_in_our_own_folder_only_what_is_named_as_ours_is_deleted(settings: Settings):
    Service(settings, ENGINE, Near.make).close()
    ours = [settings.kept / ("a" * 64), settings.archive / "incoming" / ("b" * 32)]
    others = [settings.kept / "mine.txt", settings.archive / "incoming" / "mine.txt", settings.kept / "folder" / "x"]
    for file in (*ours, *others):
        file.parent.mkdir(exist_ok=True)
        file.write_text("something")
    Service(settings, ENGINE, Near.make).close()
    assert [file.exists() for file in ours] == [False, False]
    assert [file.read_text() for file in others] == ["something"] * 3


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files are a matter of POSIX")
def test_what_is_stored_is_the_owner_s_alone_in_a_folder_that_was_there_too(settings: Settings, monkeypatch):
    import os

    before = os.umask(0o022)
    settings.data_dir.mkdir(mode=0o755)

    def instead(_settings: Settings, service: Service, _door: Any) -> None:
        service.deliveries.receive([Incoming("game.jsonl", io.BytesIO(CLEAN))], service.rulings.own())

    monkeypatch.setattr("auditor.web.server._serve", instead)
    try:
        serve(port=0, settings=settings, engine=ENGINE)
    finally:
        os.umask(before)
    files = list(settings.data_dir.rglob("*"))
    assert settings.database in files and len([path for path in files if path.is_file()]) >= 3
    assert {oct(stat.S_IMODE(path.stat().st_mode) & 0o077) for path in files} == {"0o0"}


def missing(place: Path) -> None:
    place.unlink()


def cut(place: Path) -> None:
    place.write_bytes(place.read_bytes()[:-7])


def altered(place: Path) -> None:
    place.write_bytes(place.read_bytes().replace(b"Ann", b"Eve"))


@pytest.mark.parametrize("spoil", [missing, cut, altered])
def test_a_stored_file_that_is_lost_is_said_and_sending_it_again_heals_it(browser, service, settings, spoil):
    key = browser.upload(("game.jsonl", FAULTY)).location.split("/")[-1]
    sha256 = service.audits.line(key).log_sha256
    spoil(settings.archive / sha256[:2] / sha256)
    addresses = [
        f"/logs/{sha256}/bytes",
        f"/logs/{sha256}/lines/2",
        f"/uploads/by-hash/{sha256}",
        f"/audits/{key}/events/2",
    ]
    for address in addresses:
        answer = browser.get(address)
        if spoil is not missing and "events" in address:
            continue  # a child says so, and here there is none
        assert answer.status_code == 410, address
        assert "send the same bytes again" in " ".join(answer.text.split())
        assert "safe" not in answer.text
    assert browser.get(f"/audits/{key}").status_code == 200
    browser.upload(("game.jsonl", FAULTY))
    for address in addresses:
        assert browser.get(address).status_code == 200, address


def test_an_audit_whose_log_is_lost_says_so_and_can_be_tried_when_it_is_back(settings: Settings):
    service = Service(settings, ENGINE, Near.make)
    try:
        key = service.deliveries.receive([Incoming("a", io.BytesIO(CLEAN))], service.rulings.own())
        audit = service.deliveries.page(key).files[0].audit
        assert audit is not None
        (settings.archive / audit.log_sha256[:2] / audit.log_sha256).unlink()
        service.start()
        assert settled(service, audit.key).error == LOST
        service.deliveries.receive([Incoming("a", io.BytesIO(CLEAN))], service.rulings.own())
        service.audits.retry(audit.key)
        assert settled(service, audit.key).verdict == "clean"
    finally:
        service.close()


def test_what_is_packed_within_a_zip_is_counted_unpacked_and_nothing_of_it_is_written(settings: Settings):
    service = Service(replace(settings, max_unpacked_bytes=100_000), ENGINE, Near.make)
    try:
        bomb = gzip.compress(CLEAN + b" \n" * 30_000)
        data = zipped(*((f"{n}.jsonl.gz", bomb) for n in range(4)))
        key = service.deliveries.receive([Incoming("bomb.zip", io.BytesIO(data))], service.rulings.own())
        (fate,) = service.deliveries.page(key).files
        assert fate.fate == "refused"
        assert "100,000 bytes" in fate.problems[0]["found"]
        assert [path.name for path in settings.archive.glob("??/*")] == [fate.upload_sha256]
        fits = zipped(("a.jsonl.gz", gzip.compress(CLEAN)), ("b.jsonl", FAULTY))
        key = service.deliveries.receive([Incoming("fits.zip", io.BytesIO(fits))], service.rulings.own())
        assert {file.fate for file in service.deliveries.page(key).files} == {"queued"}
    finally:
        service.close()


def test_nothing_is_taken_in_when_the_disk_has_little_room(service, app, settings, monkeypatch):
    browser = Browser(app.test_client())
    token = browser.token()

    class Usage(NamedTuple):
        total: int
        used: int
        free: int

    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(10**9, 10**9 - 1000, 1000))
    answer = browser.client.post("/upload", data={"csrf_token": token, "logs": [(io.BytesIO(CLEAN), "a.jsonl")]})
    assert answer.status_code == 507
    assert browser.get("/readyz").json["checks"]["disk"]["ok"] is False
    assert not list(settings.archive.glob("??/*"))


def test_a_fault_of_ours_promises_nothing(service, settings, monkeypatch):
    app = create_app(settings, service)
    monkeypatch.setattr(service.audits, "find", None)
    answer = Browser(app.test_client()).get("/")
    assert answer.status_code == 500
    assert "safe" not in answer.text
