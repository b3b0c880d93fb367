"""A database with two engines: one that writes, one that reads. Here: SQLite with one writer connection, and readers beside it.

One connection writes and checkpoints, because SQLite before 3.51.3 can damage a file when a checkpoint meets another
connection's commit, and because a queue for the one writer is fairer than SQLite's waiting. Every writing transaction
opens with BEGIN IMMEDIATE, so that none dies between reading and writing. A lock on the folder keeps a second process
out for as long as this one lives, however it ends.
"""

from __future__ import annotations

import errno
import math
import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Session

import auditor.store.tables  # noqa: F401  (the metadata must be filled before anything asks for it)

WAIT_SECONDS = 1.8
"""How long a write waits for its turn at most."""
_LOCK_MILLISECONDS = 900
"""How long the one whose turn it is waits for a lock that another program holds."""

_COMMON = (f"busy_timeout={_LOCK_MILLISECONDS}", "foreign_keys=ON", "trusted_schema=OFF")
_WRITER = ("journal_mode=WAL", "synchronous=FULL", *_COMMON)
_READER = (*_COMMON, "query_only=ON", "wal_autocheckpoint=0")


class CannotOpen(RuntimeError):
    """The data folder or its database cannot be used; the text names it and says what to do."""


class StoreBusy(CannotOpen):
    """Another process has this data folder open."""


class Busy(RuntimeError):
    """The database cannot be written, or read, at the moment; soon it can be, or whoever holds it has to let go."""


class Replaced(RuntimeError):
    """The files of the database are not those that this process opened: what it writes would be lost."""


class Unreadable(RuntimeError):
    """The files of the database cannot be opened or read."""


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

        Raises OSError (ENOSPC) when the disk is full, Busy when it is another's turn for too long, Replaced and Unreadable.
        """
        with self._in_words(), Session(self.writer, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session over one moment's state; writing through it is an error. Raises Busy and Unreadable."""
        with self._in_words(), Session(self.reader, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """What a full disk, one that fails, and a lock that another program holds are called here."""
        try:
            yield
        except sa.exc.TimeoutError as error:
            raise Busy("no connection came free in time") from error
        except sa.exc.OperationalError as error:
            if self.is_full(error):
                raise OSError(errno.ENOSPC, "the disk is full") from error
            if self.is_locked(error):
                raise Busy("another program holds the database") from error
            if self.is_unreadable(error):
                raise Unreadable(f"the database cannot be read: {error.orig}") from error
            raise

    def is_locked(self, error: sa.exc.OperationalError) -> bool:
        """Whether this went wrong because another program holds a lock."""
        return False

    def is_unreadable(self, error: sa.exc.OperationalError) -> bool:
        """Whether this went wrong because the files of the database cannot be opened or read."""
        return False

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
        self.writer = sa.create_engine(url, pool_size=1, max_overflow=0, pool_timeout=WAIT_SECONDS)
        _prepare(self.writer, _WRITER, "BEGIN IMMEDIATE")
        self.reader = sa.create_engine(url, pool_size=4, max_overflow=12, pool_timeout=WAIT_SECONDS)
        _prepare(self.reader, _READER, "BEGIN")
        self._turns = Turns()
        self._files: dict[Path, tuple[int, int]] | None = None
        self._anchor: sqlite3.Connection | None = None

    @contextmanager
    def write(self) -> Iterator[Session]:
        with self._turns.turn(WAIT_SECONDS):
            self._look_for_files()
            try:
                with super().write() as session:
                    yield session
            except Busy:
                self._turns.in_vain()
                raise
            self._look_for_files()  # before anybody is told that something was stored

    def watch(self) -> None:
        """From now on refuse to write when the files of the database are not these any more. Raises OSError."""
        # The file beside the database goes with the last connection to it; this one stays.
        self._anchor = sqlite3.connect(self.file, check_same_thread=False)
        self._anchor.execute("SELECT count(*) FROM sqlite_master").fetchone()
        self._files = {file: _identity(file) for file in (self.file, Path(f"{self.file}-wal")) if file.exists()}

    def _look_for_files(self) -> None:
        for file, identity in (self._files or {}).items():
            try:
                there: tuple[int, int] | None = _identity(file)
            except FileNotFoundError:
                there = None
            if there != identity:
                how = "was deleted" if there is None else "is another file now"
                raise Replaced(f"{file} {how}, so what is written would be lost; stop the service and put it back")

    def is_full(self, error: sa.exc.OperationalError) -> bool:
        return getattr(error.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL

    def is_locked(self, error: sa.exc.OperationalError) -> bool:
        code = getattr(error.orig, "sqlite_errorcode", None) or 0
        return code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

    def is_unreadable(self, error: sa.exc.OperationalError) -> bool:
        code = getattr(error.orig, "sqlite_errorcode", None) or 0
        return code & 0xFF in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)

    def close(self) -> None:
        """Give up both engines and the lock."""
        if self._anchor is not None:
            self._anchor.close()
        super().close()
        self._lock.close()


class Turns:
    """Who may write next: whoever asked first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._in_vain = -math.inf

    @contextmanager
    def turn(self, seconds: float) -> Iterator[None]:
        """One's turn, after at most so many seconds. Raises Busy; at once where somebody waited for a lock of another program
        meanwhile, in vain."""
        mine, asked = threading.Event(), time.monotonic()
        with self._lock:
            self._waiting.append(mine)
            if self._waiting[0] is mine:
                mine.set()
        try:
            if not mine.wait(seconds):
                raise Busy("too many others write")
            if self._in_vain > asked:
                raise Busy("another program holds the database")
            yield
        finally:
            with self._lock:
                self._waiting.remove(mine)
                if self._waiting:
                    self._waiting[0].set()

    def in_vain(self) -> None:
        """Say that the database could not be had in one's turn."""
        self._in_vain = time.monotonic()


def _identity(file: Path) -> tuple[int, int]:
    found = file.stat()
    return found.st_dev, found.st_ino


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
