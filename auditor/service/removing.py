"""An upload removed, and everything that is here because of it: what no other upload holds, with its audits and its bytes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace

from auditor.service.shared import Shared, checked_hex, row_id
from auditor.service.values import NotFound, Removal
from auditor.store import fillings, queries, removal
from auditor.store.database import Busy
from auditor.store.tables import SHA256

log = logging.getLogger("auditor.service")

_LOGS = 50
"""Removed in one transaction, with their audits."""


class Removing:
    """Bytes go last, when no row names them, while nobody can write one that does. `forget` is told whose drawings are to be
    forgotten."""

    def __init__(self, shared: Shared, forget: Callable[[set[str]], None]) -> None:
        self._shared = shared
        self._forget = forget

    def look(self, sha256: str) -> Removal:
        """What would go with an upload. Raises NotFound."""
        with self._shared.database.read() as session:
            row = queries.upload(session, checked_hex(sha256, SHA256))
            if row is None:
                raise NotFound("upload")
            upload_id = row_id(row)
            alone, audits, all_logs = removal.count(session, upload_id)
        return Removal(row.sha256, row.name, row.size, alone, audits, all_logs - alone)

    def remove(self, sha256: str) -> Removal:
        """Remove an upload and everything of it. What was cut off is gone on with when it is called once more.

        Raises NotFound, and Busy where the upload is being taken in.
        """
        gone = self.look(sha256)
        more = True
        while more:
            with self._shared.database.one_at_a_time() as session:
                row = queries.upload(session, sha256)
                if row is None:
                    raise NotFound("upload")
                if fillings.naming(session, sha256):
                    raise Busy("it is being taken in")
                logs, audits = removal.remove_some(session, row_id(row), _LOGS)
                more = bool(logs)
                if not more:
                    removal.remove_upload(session, row_id(row))
            self._forget(set(audits))
            self.discard(logs if more else [sha256])
        self._shared.notify()
        log.info("an upload was removed: %s, with %d logs and %d audits", sha256, gone.logs, gone.audits)
        return replace(gone)

    def discard(self, hashes: Iterable[str]) -> None:
        """Remove bytes that no row names. Where that cannot be done now, they stay and harm nobody."""
        wanted = list(hashes)
        if not wanted:
            return
        try:
            with self._shared.database.one_at_a_time() as session:
                for sha256 in wanted:
                    if not removal.is_named(session, sha256) and not fillings.naming(session, sha256):
                        self._shared.archive.remove(sha256)
        except Exception:
            log.exception("bytes that nothing names could not be removed")
