"""What all rooms of the service use: the data folder's database and archive, the settings, and a bell that rings when an
audit is settled."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import IO, Any

from auditor.ingest import Limits
from auditor.jobs.opening import ArchivedLog
from auditor.service.values import NotFound
from auditor.settings import Settings
from auditor.store.archive import Archive
from auditor.store.database import Database

WAITERS = 3
"""So many requests wait for a moment at once: the threads of the server are for those who read."""


@dataclass
class Shared:
    """One data folder, open; no session or row leaves the service."""

    settings: Settings
    limits: Limits
    database: Database
    archive: Archive
    folder: IO[bytes] | None = None
    """Keeps other processes out of the data folder, where the database does not."""
    waiters: threading.BoundedSemaphore = field(default_factory=lambda: threading.BoundedSemaphore(WAITERS))
    """Held by a request that waits for something to be done; who gets none does not wait."""
    settled: threading.Condition = field(default_factory=threading.Condition)

    def close(self) -> None:
        """Let go of the database and of the data folder."""
        self.database.close()
        if self.folder is not None:
            self.folder.close()

    def archived(self, sha256: str) -> ArchivedLog:
        """A log for a child to read, whose bytes are on this machine. Raises as Archive.here."""
        self.archive.here(sha256)
        return ArchivedLog(self.archive.root, sha256)

    def notify(self) -> None:
        """Tell those who wait that an audit was settled."""
        with self.settled:
            self.settled.notify_all()


_HEX_DIGITS = frozenset("0123456789abcdef")


def checked_hex(text: str, length: int) -> str:
    """The text, if it can be a key or a hash at all; whatever else stood in an address is not to be found."""
    if len(text) != length or not set(text) <= _HEX_DIGITS:
        raise NotFound("key")
    return text


def row_id(row: Any) -> int:
    """The id of a row that has one."""
    assert row.id is not None
    return int(row.id)
