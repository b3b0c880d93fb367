"""Opening the database of a data folder at the start: looked over, and brought up to date, or refused with a reason.

Nothing is written before the folder is locked and the file is known to be ours, whole and not newer than this program.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import sqlalchemy as sa

from auditor import __version__
from auditor.store import migrate, notes
from auditor.store.database import Busy, CannotOpen, Database, Sqlite

_CHECKED_BYTES = 1024**3
"""A file up to this size is read through at each start (0.05 s of processor for 120 MB); a larger one is not."""

_REASONS = {
    sqlite3.SQLITE_BUSY: "is held by another program",
    sqlite3.SQLITE_NOTADB: "is not a database",
    sqlite3.SQLITE_CORRUPT: "is damaged",
    sqlite3.SQLITE_READONLY: "cannot be written",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened",
    sqlite3.SQLITE_PERM: "may not be opened",
    sqlite3.SQLITE_FULL: "cannot grow: the disk is full",
    sqlite3.SQLITE_IOERR: "cannot be read or written",
}
_REMEDIES = {
    sqlite3.SQLITE_BUSY: "let that end",
    sqlite3.SQLITE_NOTADB: "move it away",
    sqlite3.SQLITE_CORRUPT: "put a backup in its place",
    sqlite3.SQLITE_FULL: "make room",
}


def keep_private() -> None:
    """What this process stores from here on is for the owner's eyes: logs name people."""
    os.umask(0o077)


def check_folder(folder: Path) -> None:
    """Raise CannotOpen for a folder that is not empty and was never ours: nothing of anybody else's is touched."""
    if not folder.is_dir():
        return
    there = {path.name for path in folder.iterdir()} - {"lost+found"}
    if there and not there & {"lock", "auditor.sqlite3"}:
        raise CannotOpen(
            f"{folder} is not empty and is no data folder of this program; choose another data folder, new or empty"
        )


def open_database(file: Path, url: str | None = None) -> Database:
    """The database in its newest shape: the SQLite file, or the one on a server that `url` names.

    Raises CannotOpen, with the file's or the server's name and what to do, or OSError.
    """
    return _open_server(url) if url else _open_file(file)


def open_as_it_is(url: str) -> Database:
    """The database on a server, in whatever shape it is; nothing is written. Raises CannotOpen."""
    from auditor.store.postgres import Postgres

    return Postgres(url)


def _open_file(file: Path) -> Database:
    database = Sqlite(file)
    try:
        _look_over(database, str(file))
        _look_through(database)
        migrate.upgrade(database.writer)
        notes.sign(database, str(file), __version__)
        database.watch()
    except Busy as error:
        database.close()
        raise CannotOpen(f"{file} is held by another program; let that end, or choose another data folder") from error
    except (sa.exc.DatabaseError, sqlite3.DatabaseError) as error:
        database.close()
        raise CannotOpen(_why(file, error)) from error
    except BaseException:
        database.close()
        raise
    return database


def _open_server(url: str) -> Database:
    from auditor.store.postgres import Postgres

    database = Postgres(url)
    name = sa.make_url(url).render_as_string()
    try:
        _look_over(database, name)
        # Several processes start at once: one of them brings the tables up to date, the others wait for it.
        with database.one_at_a_time() as session:
            migrate.upgrade(session.connection())
        notes.sign(database, name, __version__)
    except sa.exc.DatabaseError as error:
        database.close()
        raise CannotOpen(f"{name} cannot be used ({error.orig}); see who may write there") from error
    except BaseException:
        database.close()
        raise
    return database


def _look_over(database: Database, name: str) -> None:
    """Raise CannotOpen for a database that is another program's or a newer version's."""
    tables = sa.inspect(database.reader).get_table_names()
    step = migrate.current(database.reader)
    if tables and "alembic_version" not in tables:
        raise CannotOpen(f"{name} is the database of another program; choose another data folder")
    if step is not None and step not in migrate.steps():
        raise CannotOpen(
            f"{name} was written by a newer version of this program (its tables are at step {step}); "
            "start that version, or choose another data folder"
        )


def _look_through(database: Sqlite) -> None:
    """Let SQLite say whether its file is damaged."""
    file = database.file
    if sa.inspect(database.reader).get_table_names() and file.stat().st_size <= _CHECKED_BYTES:
        with database.reader.connect() as connection:
            found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        if found != "ok":
            raise CannotOpen(f"{file} is damaged; put a backup in its place, or choose another data folder")


def _why(file: Path, error: sa.exc.DatabaseError | sqlite3.DatabaseError) -> str:
    cause = error.orig if isinstance(error, sa.exc.DatabaseError) else error
    code = (getattr(cause, "sqlite_errorcode", None) or 0) & 0xFF
    reason = _REASONS.get(code, f"cannot be used ({cause})")
    remedy = _REMEDIES.get(code, "see who may write there")
    return f"{file} {reason}; {remedy}, or choose another data folder"
