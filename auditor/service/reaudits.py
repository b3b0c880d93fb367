"""Games audited anew under today's rules: all of an event, or all there are. What an audit said before stays beside it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from auditor.jobs.queue import Runner
from auditor.service.audits import Audits
from auditor.service.opening import Opener
from auditor.service.shared import Shared, row_id
from auditor.service.values import FILE, OWN, Choice
from auditor.store import jobs, queries
from auditor.store.tables import Audit, Log

_LOGS = 100
"""Asked for in one transaction."""
_LOOK_SECONDS = 0.5


@dataclass(frozen=True)
class Again:
    """An audit, and the one of the same log under the same rulings that came before it, if there was one."""

    key: str
    title: str
    state: str
    verdict: str | None
    standing: int
    before: str | None = None
    verdict_before: str | None = None
    standing_before: int = 0

    @property
    def differs(self) -> bool:
        """Whether it says another verdict, or holds another number of findings."""
        return self.before is not None and (
            (self.verdict, self.standing) != (self.verdict_before, self.standing_before)
        )


class Reaudits:
    """Asked for in small transactions, behind whatever waits already. Asked for once more, nothing is done twice."""

    def __init__(self, shared: Shared, audits: Audits, opener: Opener, workers: Runner) -> None:
        self._shared = shared
        self._audits = audits
        self._opener = opener
        self._workers = workers

    def ask(self, event: str | None) -> list[int]:
        """Ask for an audit of each log of an event (None: of all), under the rulings of its newest audit and today's
        rules. Gives back the audits.

        A log whose bytes are gone is left out: its page says what is wrong.
        """
        asked: list[int] = []
        for rows in self._some(event):
            with_mentions = []
            for log, audit in rows:
                try:
                    with_mentions.append((log, audit, self._opener.mentioned(log.sha256)))
                except (OSError, ValueError):
                    continue
            with self._shared.database.one_at_a_time() as session:
                turn = jobs.next_turn(session)
                for place, (log, audit, mentioned) in enumerate(with_mentions):
                    kind = OWN if audit.rulings is None else FILE
                    choice = Choice(kind, audit.rulings_label, audit.rulings, log.game)
                    asked.append(self._audits.ask(session, log, mentioned, choice, turn + place).id)
            self._workers.wake()
        return asked

    def wait(self, asked: list[int], advance: Callable[[int], None]) -> None:
        """Until all of them are settled; `advance` is told how many more are."""
        settled = 0
        while settled < len(asked):
            with self._shared.database.read() as session:
                parts = range(0, len(asked), 1000)
                left = sum(queries.unsettled(session, asked[begin : begin + 1000]) for begin in parts)
            advance(len(asked) - left - settled)
            settled = len(asked) - left
            if left:
                time.sleep(_LOOK_SECONDS)

    def compared(self, asked: list[int]) -> Iterator[Again]:
        """Each audit beside the one that came before it."""
        for begin in range(0, len(asked), _LOGS):
            with self._shared.database.read() as session:
                for audit, log, job, before in queries.with_those_before(session, asked[begin : begin + _LOGS]):
                    yield Again(
                        audit.key,
                        log.title or log.name,
                        job.state,
                        audit.verdict,
                        audit.standing,
                        None if before is None else before.key,
                        None if before is None else before.verdict,
                        0 if before is None else before.standing,
                    )

    def _some(self, event: str | None) -> Iterator[list[tuple[Log, Audit]]]:
        """The logs, some at a time, each with its newest audit."""
        after = 0
        while True:
            with self._shared.database.read() as session:
                rows = queries.logs_with_newest_audit(session, event, after=after, limit=_LOGS)
            if not rows:
                return
            yield rows
            after = row_id(rows[-1][0])
