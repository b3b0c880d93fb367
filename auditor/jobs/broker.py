"""Celery between those who have work and those who do it, where they are on different machines.

The row in the database is the truth about a job; a message only says that there is work (a *nudge*). Whoever gets one
claims jobs in their turn until none is due or its slice of time is over, and passes the nudge on. So a message that is
lost, doubled or delivered late costs nothing but a moment: what the rows say is done once, by its fencing token, and in
the order of the rows, whatever the broker does. A sweeper in every process nudges again where a job waits and nobody
claims.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any, Protocol

from celery import Celery
from celery.signals import worker_shutting_down

log = logging.getLogger("auditor.jobs")

TASK = "auditor.work"
QUEUE = "auditor"
SLICE_SECONDS = 30.0
"""How long one message is worked on, at least to the end of the audit that was begun."""
_EXPIRES_SECONDS = 600
"""A nudge older than this says nothing any more; clocks of machines may differ by as much."""
_VISIBILITY_SECONDS = 3600
"""Of Redis: a message older than this is delivered a second time. Far beyond a slice and the longest audit."""
_SWEEP_SECONDS = 3.0
MOST_NUDGES = 16
"""Sent at once: more than any machine has workers."""


class Backlog(Protocol):
    """What the rows say of the work."""

    def due(self) -> int:
        """How many jobs may be claimed now, up to `MOST_NUDGES`."""
        ...

    def idle(self, seconds: float) -> bool:
        """Whether jobs are due and none was claimed for so long."""
        ...


def celery_app(broker: str) -> Celery:
    """The application of both sides. Messages are acknowledged late, and fetched one at a time."""
    app = Celery("auditor", broker=broker)
    app.conf.update(
        task_default_queue=QUEUE,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_ignore_result=True,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_enable_remote_control=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_connection_timeout=3,
        broker_transport_options={
            "visibility_timeout": _VISIBILITY_SECONDS,
            "socket_connect_timeout": 3,
            "socket_timeout": 10,
        },
    )
    return app


class Nudges:
    """Sends messages in a thread of its own, so that no upload waits for a broker; a `jobs.queue.Runner`."""

    def __init__(self, app: Celery, backlog: Backlog) -> None:
        self._app = app
        self._backlog = backlog
        self._bell = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="auditor-nudges", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        self._bell.set()

    def stop(self) -> None:
        """Ask the thread to end and wait for it."""
        self._stopping.set()
        self._bell.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            rung = self._bell.wait(_SWEEP_SECONDS)
            self._bell.clear()
            if self._stopping.is_set():
                return
            try:
                if rung or self._backlog.idle(_SWEEP_SECONDS):
                    self.send(self._backlog.due())
            except Exception as error:
                # The rows keep what is due; the sweeper tries again.
                log.warning("workers could not be nudged: %s", error)

    def send(self, number: int) -> None:
        """So many messages that there is work. Raises kombu's OperationalError where the broker does not answer."""
        for _ in range(min(number, MOST_NUDGES)):
            self._app.send_task(TASK, expires=_EXPIRES_SECONDS, retry=False)


def run_worker(
    app: Celery,
    work: Callable[[float, Callable[[], bool]], None],
    nudge: Callable[[int], Any],
    backlog: Backlog,
    *,
    concurrency: int,
    name: str,
) -> int:
    """Have messages worked on by some threads until a signal says stop; gives back the exit status.

    `work(seconds, stopping)` claims and does jobs until none is due, the time is over or it is asked to stop. At
    SIGTERM no message is taken any more, and audits that were begun are finished. Threads, because Celery's own child
    processes may start none (celery#1709), and each audit runs in a child with its limits.
    """
    stopping = threading.Event()

    def shutting_down(**_said: Any) -> None:
        stopping.set()

    worker_shutting_down.connect(shutting_down, weak=False)

    @app.task(name=TASK, ignore_result=True)  # type: ignore[untyped-decorator,unused-ignore]
    def auditor_work() -> None:
        work(SLICE_SECONDS, stopping.is_set)
        left = 0 if stopping.is_set() else backlog.due()
        if left:
            # One for the slice that is over, one for a worker that may have been forgotten.
            nudge(min(left, 2))

    worker = app.Worker(
        pool="threads",
        concurrency=concurrency,
        hostname=f"{name}@%h",
        loglevel="WARNING",
        without_gossip=True,
        without_mingle=True,
        queues=[QUEUE],
    )
    worker.start()
    return int(worker.exitcode or 0)
