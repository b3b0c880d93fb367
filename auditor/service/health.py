"""Whether the service can work."""

from __future__ import annotations

import shutil
from typing import Any

from auditor.service.shared import Shared
from auditor.service.values import Numbers, Ready
from auditor.store import migrate, notes, queries
from auditor.store.database import Busy, Replaced, Unreadable
from auditor.store.tables import JOB_STATES, now

_SAMPLE = 5
_SAMPLE_BYTES = 2**20
"""So many logs of at most so many bytes are looked at each time."""


class Health:
    """Asked by /readyz."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def numbers(self) -> Numbers:
        """How the work stands."""
        with self._shared.database.read() as session:
            by_state, tries = queries.job_numbers(session)
            verdicts = queries.verdicts(session)
            oldest = queries.oldest_waiting(session)
        age = 0 if oldest is None else int((now() - oldest.created_at).total_seconds())
        return Numbers({state: by_state.get(state, 0) for state in JOB_STATES}, verdicts, age, tries)

    def ready(self) -> Ready:
        """Whether an upload sent now would be taken in and audited: a row is written and read back, and some of the archive is
        looked at."""
        checks: dict[str, dict[str, Any]] = {}
        try:
            same = notes.pulse(self._shared.database)
            checks["writer"] = {"ok": same, "database": self._shared.database.version}
        except (Busy, Replaced, Unreadable) as error:
            checks["writer"] = {"ok": False, "why": str(error)}
        except Exception as error:
            checks["writer"] = {"ok": False, "why": type(error).__name__}
        at, head = migrate.current(self._shared.database.reader), migrate.head()
        checks["migrations"] = {"ok": at == head, "at": at, "newest": head}
        with self._shared.database.read() as session:
            oldest = queries.oldest_waiting(session)
        age = 0 if oldest is None else int((now() - oldest.created_at).total_seconds())
        checks["queue"] = {"ok": age < 600, "oldest_seconds": age}
        free = shutil.disk_usage(self._shared.settings.data_dir).free
        least = self._shared.settings.min_free_bytes
        checks["disk"] = {"ok": free > least, "free_bytes": free, "least_bytes": least}
        checks["archive"] = self._archive()
        return Ready(all(check["ok"] for check in checks.values()), checks)

    def _archive(self) -> dict[str, Any]:
        """Whether some of the uploads that are small lie in the archive as they came; others each time."""
        with self._shared.database.read() as session:
            sample = queries.some_logs(session, _SAMPLE, _SAMPLE_BYTES)
        lost = [sha256 for sha256 in sample if not self._shared.archive.is_whole(sha256)]
        return {"ok": not lost, "looked_at": len(sample), **({"lost": lost} if lost else {})}
