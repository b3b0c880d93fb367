"""What happens under the service: the database held, deleted, replaced; uploads lost. It says so, and nothing is lost."""

from __future__ import annotations

import io
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from auditor.service import CannotOpen, Incoming, Service
from auditor.store.database import WAIT_SECONDS, Busy, Turns
from auditor.web import create_app
from tests.web.conftest import CLEAN, ENGINE, FAULTY, Browser, Near, log_of, settled


@contextmanager
def held(file: Path) -> Iterator[None]:
    """The database, held by another program as a backup holds it."""
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def keys_of(service: Service) -> list[str]:
    return [line.key for line in service.audits.page().audits]


def test_a_database_that_another_program_holds_is_said_soon_and_pages_that_read_go_on(browser, service, settings):
    browser.upload(("game.jsonl", CLEAN))
    (key,) = keys_of(service)
    token = browser.token()
    with held(settings.database):
        begun = time.monotonic()
        answer = browser.client.post(
            "/upload", data={"csrf_token": token, "logs": [(io.BytesIO(FAULTY), "another.jsonl")]}
        )
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "2"
        assert time.monotonic() - begun < 2.0
        assert "a fault of ours" not in answer.text.lower()
        api = browser.client.post(
            "/api/v1/uploads", data={"csrf_token": token, "logs": [(io.BytesIO(FAULTY), "another.jsonl")]}
        )
        assert (api.status_code, api.json["error"]["code"]) == (503, 503)
        for address in ("/", f"/audits/{key}", f"/audits/{key}.json", "/upload", "/rulings", "/packs", "/healthz"):
            assert browser.get(address).status_code == 200, address
        ready = browser.get("/readyz")
        assert (ready.status_code, ready.json["checks"]["writer"]["ok"]) == (503, False)
        assert keys_of(service) == [key]
    assert browser.get("/readyz").status_code == 200
    assert browser.upload(("another.jsonl", FAULTY)).status_code == 303


def test_many_who_wait_for_a_database_that_is_held_are_all_told_soon(service, settings):
    waited: list[float] = []

    def write() -> None:
        begun = time.monotonic()
        with pytest.raises(Busy), service._shared.database.write() as session:
            session.connection()  # here it begins
        waited.append(time.monotonic() - begun)

    with held(settings.database):
        threads = [threading.Thread(target=write) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(waited) == 8
    assert max(waited) < WAIT_SECONDS + 0.5


def test_writers_have_their_turn_in_the_order_they_asked():
    turns, order = Turns(), []

    def take(n: int) -> None:
        with turns.turn(10.0):
            order.append(n)

    with turns.turn(1.0):
        threads = [threading.Thread(target=take, args=(n,)) for n in range(8)]
        for n, thread in enumerate(threads, 2):
            thread.start()
            while len(turns._waiting) < n:
                time.sleep(0.001)
    for thread in threads:
        thread.join()
    assert order == list(range(8))


def test_an_audit_that_is_done_while_the_database_is_held_is_stored_when_it_is_free(settings):
    service = Service(settings, ENGINE)
    key = service.deliveries.receive(
        [Incoming("slow.jsonl", io.BytesIO(log_of({"type": "slow", "seconds": 1.0})))], service.rulings.own()
    )
    service.start()
    try:
        while service.deliveries.page(key).files[0].fate != "in work":
            time.sleep(0.02)
        with held(settings.database):
            time.sleep(4.0)
        line = settled(service, keys_of(service)[0])
        assert (line.state, line.verdict) == ("done", "clean")
        with service._shared.database.read() as session:
            from sqlmodel import select

            from auditor.store.tables import Job

            assert session.exec(select(Job.attempts, Job.tries)).all() == [(1, 0)]  # it was done once
    finally:
        service.close()


def deleted(database: Path) -> None:
    database.unlink()


def replaced(database: Path) -> None:
    other = database.with_name("a copy")
    shutil.copy(database, other)
    other.replace(database)


def journal_deleted(database: Path) -> None:
    Path(f"{database}-wal").unlink()


def folder_moved_away(database: Path) -> None:
    database.parent.rename(database.parent.with_name("elsewhere"))


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be deleted there")
@pytest.mark.parametrize("spoil", [deleted, replaced, journal_deleted, folder_moved_away])
def test_nothing_is_acknowledged_when_the_database_was_taken_away_under_the_service(settings, spoil, caplog):
    service = Service(settings, ENGINE, Near.make)
    service.start()
    try:
        browser = Browser(create_app(settings, service).test_client())
        assert browser.upload(("game.jsonl", CLEAN)).status_code == 303
        token = browser.token()
        spoil(settings.database)
        for address in ("/upload", "/api/v1/uploads"):
            logs = [(io.BytesIO(FAULTY), "another.jsonl")]
            answer = browser.client.post(address, data={"csrf_token": token, "logs": logs})
            assert answer.status_code in (500, 503) if spoil is folder_moved_away else answer.status_code == 503
        ready = browser.get("/readyz")
        if spoil is not folder_moved_away:
            assert ready.json["checks"]["writer"]["ok"] is False
            assert "would be lost" in ready.json["checks"]["writer"]["why"]
        shown = browser.get("/").status_code
        # A connection that is opened anew may not be able to read what has lost its journal: that is said, then.
        assert shown == 200 or (spoil is journal_deleted and shown == 503 and "disk I/O error" in caplog.text)
        if shown == 200:
            assert len(keys_of(service)) == 1
    finally:
        service.close()


def test_a_database_that_cannot_be_read_is_said_in_words(browser, service, settings, caplog):
    browser.upload(("game.jsonl", CLEAN))
    service._shared.database.reader.dispose()  # what is opened already stays readable
    settings.database.rename(settings.database.with_name("elsewhere"))
    settings.database.mkdir()
    answer = browser.get("/")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    assert "The database cannot be read" in answer.text
    assert "unable to open database file" in caplog.text


def test_readyz_finds_uploads_that_are_lost_or_altered(browser, service, settings):
    browser.upload(("game.jsonl", CLEAN))
    assert browser.get("/readyz").json["checks"]["archive"] == {"ok": True, "looked_at": 1}
    sha256 = service.audits.page().audits[0].log_sha256
    place = settings.archive / sha256[:2] / sha256
    place.write_bytes(CLEAN[:-5])
    ready = browser.get("/readyz")
    assert ready.status_code == 503
    assert ready.json["checks"]["archive"] == {"ok": False, "looked_at": 1, "lost": [sha256]}
    place.unlink()
    assert browser.get("/readyz").status_code == 503
    browser.upload(("game.jsonl", CLEAN))
    assert browser.get("/readyz").status_code == 200


def test_readyz_really_writes(browser, service, monkeypatch):
    from sqlalchemy import event

    said: list[str] = []
    event.listen(service._shared.database.writer, "before_cursor_execute", lambda *args: said.append(args[2]))
    assert browser.get("/readyz").status_code == 200
    assert any("note" in words for words in said)


def test_data_that_a_newer_program_wrote_is_refused(settings):
    service = Service(settings, ENGINE, Near.make)
    with service._shared.database.write() as session:
        import sqlalchemy as sa

        session.execute(sa.text("UPDATE note SET value = '99.0.1' WHERE name = 'engine'"))
    service.close()
    before = settings.database.read_bytes()
    with pytest.raises(CannotOpen, match=r"newer version of this program \(99\.0\.1;"):
        Service(settings, ENGINE, Near.make)
    assert settings.database.read_bytes() == before
