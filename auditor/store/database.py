"""A database with two engines: one that writes, one that reads. Here: SQLite with one writer connection, and readers beside it.

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
    """Two engines over one database. `write()` and `read()` give sessions; nothing else opens one.

    `alone` says whether no other process can have it open.
    """

    writer: sa.Engine
    reader: sa.Engine
    alone: bool
    version: str
    """Which engine, and its version, for /readyz."""

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session that commits when the block ends well, and otherwise leaves nothing behind.

        Raises OSError (ENOSPC) when the disk is full.
        """
        try:
            with Session(self.writer, expire_on_commit=False) as session, session.begin():
                yield session
        except sa.exc.OperationalError as error:
            if self.is_full(error):
                raise OSError(errno.ENOSPC, "the disk is full") from error
            raise

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session over one moment's state; writing through it is an error."""
        with Session(self.reader, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def one_at_a_time(self) -> Iterator[Session]:
        """As `write`, for those who look whether something is there and then add it: no two of them at once, in
        whichever process."""
        with self.write() as session:
            yield session

    def is_full(self, error: sa.exc.OperationalError) -> bool:
        """Whether this went wrong because the disk is full."""
        raise NotImplementedError

    def close(self) -> None:
        """Give up both engines."""
        self.reader.dispose()
        self.writer.dispose()


class Sqlite(Database):
    """The two engines over one file."""

    alone = True
    version = f"SQLite {sqlite3.sqlite_version}"

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self.file = file
        self._lock = lock_folder(file.parent)
        url = sa.URL.create("sqlite", database=str(file))
        self.writer = sa.create_engine(url, pool_size=1, max_overflow=0, pool_timeout=60)
        _prepare(self.writer, _WRITER, "BEGIN IMMEDIATE")
        self.reader = sa.create_engine(url, pool_size=4, max_overflow=12)
        _prepare(self.reader, _READER, "BEGIN")

    def is_full(self, error: sa.exc.OperationalError) -> bool:
        return getattr(error.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL

    def close(self) -> None:
        """Give up both engines and the lock."""
        super().close()
        self._lock.close()


def _prepare(engine: sa.Engine, pragmas: tuple[str, ...], begin: str) -> None:
    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, _record: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # transactions are opened below, not by the driver
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def on_begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)


def lock_folder(folder: Path) -> IO[bytes]:
    """Keep a second process out of a folder for as long as the file given back is open. Raises CannotOpen."""
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
