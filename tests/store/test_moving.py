"""An installation moved from a SQLite file to a PostgreSQL server and back: the same rows, the same bytes."""

from __future__ import annotations

import io
import tempfile
import zlib
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlmodel import SQLModel, select

from auditor.service.moving import move
from auditor.store import jobs
from auditor.store.archive import Archive
from auditor.store.database import CannotOpen
from auditor.store.moving import open_url
from auditor.store.tables import Audit, AuditValue, Delivery, Job, Log, LogWord, Member, Upload
from tests import servers

pytestmark = pytest.mark.servers


def installation(folder: Path, *, logs: int = 5) -> str:
    """A data folder with some audited logs; the URL of its database."""
    archive = Archive(folder / "archive")
    database = open_url(f"sqlite:///{folder / 'x.sqlite3'}", fresh=True)
    with database.write() as session:
        session.add(Delivery(key="d" * 20, source="upload", rulings_label="defaults"))
        for n in range(1, logs + 1):
            stored = archive.put(io.BytesIO(b"log %d\n" % n))
            upload = Upload(sha256=stored.sha256, size=stored.size, container="plain", name=f"ö{n}", source="upload")
            log = Log(sha256=stored.sha256, size=stored.size, name=f"n{n}", header={"players": [{"id": "\N{SNOWMAN}"}]})
            session.add_all([upload, log])
            session.flush()
            session.add(Member(upload_id=upload.id or 0, position=0, name="n", log_id=log.id))
            session.add(LogWord(word="wörd", log_id=log.id or 0))
            audit = Audit(
                key=f"{n:020x}", log_id=log.id or 0, ruleset_version="1", rulings_digest="0" * 64, rulings_label="own"
            )
            session.add(audit)
            session.flush()
            session.add(Job(audit_id=audit.id or 0, turn=n, state="queued" if n == logs else "done"))
            packed = zlib.compress(b"{}" * n)
            session.add(AuditValue(audit_id=audit.id or 0, canonical=packed, timeline=packed, numbers=b"\0\xff"))
    database.close()
    return f"sqlite:///{folder / 'x.sqlite3'}"


def rows(url: str) -> dict[str, list[object]]:
    database = open_url(url)
    with database.read() as session:
        found = {
            table.name: sorted(map(repr, session.execute(sa.select(table)).all()))
            for table in SQLModel.metadata.sorted_tables
            if table.name != "secret"
        }
    database.close()
    return found  # type: ignore[return-value]


def quiet(_what: str, _done: int, _of: int) -> None: ...


def test_an_installation_goes_to_a_server_and_back_unchanged(tmp_path, postgres):
    here = installation(tmp_path)
    there, back = servers.database(postgres), f"sqlite:///{tmp_path / 'back' / 'x.sqlite3'}"
    copied, lost = move(here, there, (str(tmp_path / "archive"), str(tmp_path / "second")), quiet)
    assert not lost
    assert {one.what: one.count for one in copied if one.what in ("archive", "log", "audit")} == {
        "archive": 5, "log": 5, "audit": 5,
    }  # fmt: skip
    move(there, back, None, quiet)
    assert rows(back) == rows(here)
    names = {path.name for path in (tmp_path / "archive").glob("??/*")}
    assert {path.name for path in (tmp_path / "second").glob("??/*")} == names


def test_the_server_goes_on_where_the_file_ended(tmp_path, postgres):
    there = servers.database(postgres)
    move(installation(tmp_path), there, None, quiet)
    database = open_url(there)
    with database.write() as session:
        claimed = jobs.claim(session, "a", 60)
        assert claimed is not None
        session.add(Log(sha256="f" * 64, size=1, name="new"))
    with database.read() as session:
        assert max(session.exec(select(Log.id)).all()) == 6  # type: ignore[type-var]
    database.close()


def test_a_database_that_is_not_empty_takes_nothing(tmp_path, postgres):
    here, there = installation(tmp_path), servers.database(postgres)
    move(here, there, None, quiet)
    with pytest.raises(CannotOpen, match="take an empty one"):
        move(here, there, None, quiet)


def test_bytes_that_were_lost_before_are_named(tmp_path, postgres):
    here = installation(tmp_path)
    gone, damaged = sorted((tmp_path / "archive").glob("??/*"))[:2]
    gone.unlink()
    damaged.write_bytes(b"x")
    _copied, lost = move(here, servers.database(postgres), (str(tmp_path / "archive"), str(tmp_path / "b")), quiet)
    assert lost == sorted([gone.name, damaged.name])


def test_a_move_to_a_bucket_and_back_leaves_the_folder_of_the_installation_as_it_was(tmp_path, postgres, monkeypatch):
    """Before a bucket stands a folder, which is kept within bounds: that of the installation is the one that is copied."""
    here, there = installation(tmp_path), servers.database(postgres)
    kept = sorted(tmp_path.rglob("*"))
    monkeypatch.setenv("AUDITOR_DATA", str(tmp_path))
    with tempfile.TemporaryDirectory() as folder, servers.s3(Path(folder)) as (env, _server):
        for name, value in env.items():
            monkeypatch.setenv(name, value)
        _copied, lost = move(here, there, (str(tmp_path / "archive"), env["AUDITOR_ARCHIVE"]), quiet)
        assert (lost, sorted(tmp_path.rglob("*"))) == ([], kept)
        monkeypatch.setenv("AUDITOR_DATA", str(tmp_path / "other"))
        back = tmp_path / "back"
        back.mkdir()
        to = f"sqlite:///{back / 'x.sqlite3'}"
        _copied, lost = move(there, to, (env["AUDITOR_ARCHIVE"], str(back / "archive")), quiet)
        assert (lost, rows(to)) == ([], rows(here))
    assert not (tmp_path / "other").exists()


def test_a_file_that_is_not_there_is_not_made(tmp_path):
    with pytest.raises(CannotOpen, match="is not there"):
        open_url(f"sqlite:///{tmp_path / 'none.sqlite3'}")
    assert not (tmp_path / "none.sqlite3").exists()
