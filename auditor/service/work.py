"""The job table, as whoever does the work sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from auditor.jobs.identity import NotOfThis, of_terms
from auditor.jobs.opening import ArchivedLog
from auditor.jobs.work import Audited
from auditor.service.packs import Packs
from auditor.service.shared import Shared
from auditor.store import jobs, queries
from auditor.store.archive import Altered, Missing
from auditor.store.cleaning import clean

LOST = (
    "The log, or a pack that it needs, is not in the archive as it came. Sending the same bytes again puts it right; "
    "then try the audit again."
)


SUPERSEDED = "The rules changed while this waited. Its audit under the rules of today is {}."


@dataclass(frozen=True)
class AuditTask:
    """A claimed audit, as the workers see it."""

    claim: jobs.Claim
    of: str
    args: tuple[ArchivedLog, dict[str, Any] | None, tuple[tuple[str, bytes], ...]]
    function: str = "audit"


class AuditQueue:
    """The job table, as the workers see it."""

    def __init__(self, shared: Shared, packs: Packs) -> None:
        self._shared = shared
        self._packs = packs
        self._db = shared.database

    def claim(self, owner: str, slow: bool | None = None) -> AuditTask | None:
        settings = self._shared.settings
        if self._db.alone:  # a claim of nothing would keep others from writing; elsewhere it costs no more than a look
            with self._db.read() as session:
                if not jobs.any_due(session, slow):
                    return None
        with self._db.write() as session:
            held = jobs.claim(session, owner, settings.lease_seconds, slow)
        if held is None:
            return None
        asked = held.asked
        try:
            log, packs = self._shared.archived(asked.sha256), self._packs.files(asked.packs)
        except (Missing, Altered):
            with self._db.write() as session:
                jobs.give_back(session, held, LOST, again=False)
            self._shared.notify()
            return None
        return AuditTask(held, of_terms(asked.sha256, asked.rulings_digest), (log, asked.rulings, packs))

    def later(self, task: AuditTask) -> None:
        with self._db.write() as session:
            jobs.later(session, task.claim)

    def extend(self, task: AuditTask) -> bool:
        with self._db.write() as session:
            return jobs.extend(session, task.claim, self._shared.settings.lease_seconds)

    def finish(self, task: AuditTask, result: Audited) -> None:
        """Store the audit of a task. Raises NotOfThis for one of another log, or under other rulings or packs.

        An audit asked for under rules that have changed since is stored under those that judged it.
        """
        if result.of != task.of:
            raise NotOfThis(f"an audit of {result.of} was given for {task.of}")
        asked = task.claim.asked
        judged_by = result.version or asked.version
        with self._db.write() as session:
            if judged_by != asked.version:
                other = queries.identity(session, asked.log_id, judged_by, asked.rulings_digest)
                if other is not None:
                    jobs.give_back(session, task.claim, SUPERSEDED.format(other.key), again=False)
            if jobs.settle(session, task.claim):
                jobs.store(
                    session,
                    task.claim,
                    judged_by,
                    result.counts,
                    canonical=result.canonical,
                    timeline=result.timeline,
                    numbers=result.numbers,
                    errors=result.errors,
                )
        self._shared.notify()

    def fail(self, task: AuditTask, text: str, again: bool) -> None:
        if "Altered" in text or "Missing" in text:
            text = LOST
        again = again and task.claim.tries + 1 < self._shared.settings.max_tries
        with self._db.write() as session:
            jobs.give_back(session, task.claim, clean(text, 500), again=again)
        self._shared.notify()
