"""Deliveries that take long are opened and written by threads of their own, part by part, while whoever sent them looks
on. A stop in the middle loses nothing: whoever is there next goes on where it was.

There are two lanes, each a thread: one for what is opened quickly, and one for what has turned out to need longer.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta

from auditor.jobs.child import GivenUp, OutOfTime
from auditor.jobs.opening import OpenedUpload
from auditor.jobs.unpack import problem
from auditor.service.opening import Opener
from auditor.service.shared import Shared
from auditor.store import fillings
from auditor.store.archive import Stored
from auditor.store.database import Busy
from auditor.store.tables import Filling, now

log = logging.getLogger("auditor.service")

MOST_WAITING = 100
"""So many deliveries wait to be opened; who sends another large one is told to come again."""
PART = 200
"""At most so many files of a delivery are written in one transaction,"""
PART_SECONDS = 0.4
"""and at most for so long."""
_AGAIN_SECONDS = 10.0
"""When a delivery is looked at again with which something went wrong: others come first."""

Opened = tuple[str, Stored, OpenedUpload]


class Lost(Exception):
    """Bytes that were there when an upload was opened are not there any more: it has to be opened again."""


class Fillers:
    """`write_part` writes what comes next of a claimed delivery, in one transaction, and says whether anything is left."""

    def __init__(
        self,
        shared: Shared,
        opener: Opener,
        write_part: Callable[[Filling, Sequence[Opened], str], bool],
        written: Callable[[], None],
    ) -> None:
        self._shared = shared
        self._opener = opener
        self._write_part = write_part
        self._written = written
        self._work = threading.Condition()
        self._stopping = False
        self._threads: list[threading.Thread] = []
        self._failed: Counter[int] = Counter()

    def start(self) -> None:
        """Begin, or go on with, whatever is not taken in."""
        with self._work:
            if not self._threads and not self._stopping:
                for name, slow in (("quick", False), ("slow", True)):
                    thread = threading.Thread(
                        target=self._run, args=(slow,), name=f"auditor-filling-{name}", daemon=True
                    )
                    self._threads.append(thread)
                    thread.start()
            self._work.notify_all()

    def stop(self) -> None:
        """Give up whatever is being opened; the next one to start goes on with it."""
        with self._work:
            self._stopping = True
            self._work.notify_all()
        for thread in self._threads:
            thread.join()

    def _run(self, slow: bool) -> None:
        while not self._stopping:
            try:
                if self._do_one(slow):
                    continue
            except Exception:
                # The database may be full or locked for a moment; what waits is in its rows.
                log.exception("a delivery could not be taken in for now")
            with self._work:
                if not self._stopping:
                    self._work.wait(1.0)

    def _do_one(self, slow: bool) -> bool:
        database, lease = self._shared.database, self._shared.settings.lease_seconds
        with database.read() as session:
            if not fillings.any_due(session, slow):
                return False  # looking costs no write
        with database.write() as session:
            row = fillings.claim(session, secrets.token_hex(16), lease, slow)
        if row is None:
            return False
        assert row.owner is not None
        heap = row.owner
        try:
            self._fill(row, heap)
            self._failed.pop(row.delivery_id, None)
        except GivenUp:
            return False
        except OutOfTime:
            self._change(row, slow=True)
        except Lost:
            self._change(row)
        except Exception as error:
            if not isinstance(error, OSError | Busy):
                self._failed[row.delivery_id] += 1
            self._change(row, wait=_AGAIN_SECONDS)
            raise
        finally:
            self._shared.archive.drop(heap)
            self._shared.notify()
        return True

    def _fill(self, row: Filling, heap: str) -> None:
        extended = time.monotonic()

        def beat() -> bool:
            nonlocal extended
            if self._stopping:
                return False
            lease = self._shared.settings.lease_seconds
            if time.monotonic() - extended < lease / 4 or self._shared.database.alone:
                return True
            extended = time.monotonic()
            with self._shared.database.write() as session:
                assert row.owner is not None
                return fillings.ours(session, row.delivery_id, row.owner, lease) is not None

        files = [(file["name"], Stored(file["sha256"], file["size"], True)) for file in row.files]
        if self._failed[row.delivery_id] >= self._shared.settings.max_tries:
            fault = OpenedUpload("plain", problems=(problem("a fault of ours: this could not be taken in"),))
            opened = [(name, stored, fault) for name, stored in files]
        else:
            opened = [
                (name, stored, self._opener.open(name, stored, heap, slow=row.slow, beat=beat))
                for name, stored in files
            ]
        while self._write_part(row, opened, heap):
            self._written()
            if self._stopping:
                raise GivenUp("The service stops.", again=True)
        self._written()

    def _change(self, row: Filling, *, slow: bool | None = None, wait: float = 0.0) -> None:
        """Give a delivery back, to be claimed again."""
        with self._shared.database.write() as session:
            assert row.owner is not None
            mine = fillings.ours(session, row.delivery_id, row.owner, 0.0)
            if mine is not None:
                mine.slow = mine.slow if slow is None else slow
                mine.owner, mine.lease_until = None, now() + timedelta(seconds=wait) if wait else None
                session.add(mine)
        with self._work:
            self._work.notify_all()
