"""What was made once and can be made again, kept on disk within a number of bytes; what was not used longest goes first.

Nothing here is worth a backup: at every start our files in the folder are deleted, so nothing that another version made is
ever shown. Files that are not named as ours stay.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import re
import threading
from collections import OrderedDict
from pathlib import Path

log = logging.getLogger("auditor.store")

_OURS = re.compile(r"[0-9a-f]{64}")


class Kept:
    """Bytes by name, in files of one folder. Any thread may ask."""

    def __init__(self, folder: Path, limit: int) -> None:
        self._folder = folder
        self._limit = limit
        self._sizes: OrderedDict[str, int] = OrderedDict()
        self._total = 0
        self._lock = threading.Lock()
        folder.mkdir(parents=True, exist_ok=True)
        for file in folder.iterdir():
            if _OURS.fullmatch(file.name) and file.is_file():
                file.unlink(missing_ok=True)

    def get(self, name: str) -> bytes | None:
        """The bytes under this name, if they are still here."""
        with self._lock:
            if name not in self._sizes:
                return None
            self._sizes.move_to_end(name)
            with contextlib.suppress(FileNotFoundError):
                return self._path(name).read_bytes()
            self._total -= self._sizes.pop(name)
            return None

    def put(self, name: str, data: bytes) -> None:
        """Keep these bytes; others may have to go. Larger ones than may be kept in all, or on a full disk, are not."""
        with self._lock:
            self._forget(name)
            if len(data) > self._limit:
                return
            while self._total + len(data) > self._limit:
                self._forget(next(iter(self._sizes)))
            try:
                self._path(name).write_bytes(data)
            except OSError as error:
                log.warning("what was drawn could not be kept: %s", error.strerror)
                self._path(name).unlink(missing_ok=True)
                return
            self._sizes[name] = len(data)
            self._total += len(data)

    def forget(self, words: set[str]) -> None:
        """Remove everything whose name holds one of these words."""
        with self._lock:
            for name in [name for name in self._sizes if not words.isdisjoint(name.split(" "))]:
                self._forget(name)

    def _forget(self, name: str) -> None:
        if name in self._sizes:
            self._total -= self._sizes.pop(name)
            self._path(name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        # Names may hold anything; a hash can be a file's name everywhere.
        return self._folder / hashlib.sha256(name.encode()).hexdigest()
