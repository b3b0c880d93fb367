"""SQLite with one writer connection, and readers beside it.

One connection writes and checkpoints, because SQLite before 3.51.3 can damage a file when a checkpoint meets another
connection's commit, and because a queue for the one writer is fairer than SQLite's waiting. Every writing transaction
opens with BEGIN IMMEDIATE, so that none dies between reading and writing. A lock on the folder keeps a second process
out for as long as this one lives, however it ends.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Session

import auditor.store.tables  # noqa: F401  (the metadata must be filled before anything asks for it)

_COMMON = ("busy_timeout=10000", "foreign_keys=ON", "trusted_schema=OFF")
_WRITER = ("journal_mode=WAL", "synchronous=FULL", *_COMMON)
_READER = (*_COMMON, "query_only=ON", "wal_autocheckpoint=0")


class CannotOpen(RuntimeError):
    """The data folder or its database cannot be used; the text names it and says what to do."""


class StoreBusy(CannotOpen):
    """Another process has this data folder open."""


class Database:
    """The two engines over one file. `write()` and `read()` give sessions; nothing else opens one."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self.file = file
        self._lock = _lock_folder(file.parent)
        url = sa.URL.create("sqlite", database=str(file))
        self.writer = sa.create_engine(url, pool_size=1, max_overflow=0, pool_timeout=60)
        _prepare(self.writer, _WRITER, "BEGIN IMMEDIATE")
        self.reader = sa.create_engine(url, pool_size=4, max_overflow=12)
        _prepare(self.reader, _READER, "BEGIN")

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session that commits when the block ends well, and otherwise leaves nothing behind.

        Raises OSError (ENOSPC) when the disk is full.
        """
        try:
            with Session(self.writer, expire_on_commit=False) as session, session.begin():
                yield session
        except sa.exc.OperationalError as error:
            if getattr(error.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
                raise OSError(errno.ENOSPC, "the disk is full") from error
            raise

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session over one moment's state; writing through it is an error."""
        with Session(self.reader, expire_on_commit=False) as session:
            yield session

    def close(self) -> None:
        """Give up both engines and the lock."""
        self.reader.dispose()
        self.writer.dispose()
        self._lock.close()


def sqlite_version() -> str:
    """The SQLite this process runs on, for /readyz."""
    return sqlite3.sqlite_version


def _prepare(engine: sa.Engine, pragmas: tuple[str, ...], begin: str) -> None:
    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, _record: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # transactions are opened below, not by the driver
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def on_begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)


def _lock_folder(folder: Path) -> IO[bytes]:
    handle = (folder / "lock").open("a+b")
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        handle.close()
        if error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EAGAIN):
            raise CannotOpen(f"{folder} cannot be locked ({error.strerror}); choose a folder of this machine") from None
        raise StoreBusy(f"another auditor has {folder} open; stop it, or choose another data folder") from None
    return handle
