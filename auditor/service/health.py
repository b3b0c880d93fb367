"""Whether the service can work."""

from __future__ import annotations

import shutil
from typing import Any

from auditor.service.shared import Shared
from auditor.service.values import Numbers, Ready
from auditor.store import migrate, queries
from auditor.store.tables import JOB_STATES, now


class Health:
    """Asked by /readyz."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def numbers(self) -> Numbers:
        """How the work stands."""
        with self._shared.database.read() as session:
            by_state, tries = queries.job_numbers(session)
            tally = queries.tally(session)
            oldest = queries.oldest_waiting(session)
        age = 0 if oldest is None else int((now() - oldest.created_at).total_seconds())
        verdicts = {verdict: number for verdict, number in tally.items() if verdict not in ("waiting", "failed")}
        return Numbers({state: by_state.get(state, 0) for state in JOB_STATES}, verdicts, age, tries)

    def ready(self) -> Ready:
        """Whether an upload sent now would be taken in and audited."""
        checks: dict[str, dict[str, Any]] = {}
        try:
            with self._shared.database.write():
                pass
            checks["writer"] = {"ok": True, "database": self._shared.database.version}
        except Exception as error:
            checks["writer"] = {"ok": False, "why": type(error).__name__}
        at, head = migrate.current(self._shared.database.reader), migrate.head()
        checks["migrations"] = {"ok": at == head, "at": at, "newest": head}
        with self._shared.database.read() as session:
            oldest = queries.oldest_waiting(session)
        age = 0 if oldest is None else int((now() - oldest.created_at).total_seconds())
        checks["queue"] = {"ok": age < 600, "oldest_seconds": age}
        free = shutil.disk_usage(self._shared.settings.data_dir).free
        checks["disk"] = {"ok": free > 2 * self._shared.settings.max_request_bytes, "free_bytes": free}
        return Ready(all(check["ok"] for check in checks.values()), checks)
