"""An installation of several machines: who nudges the workers, and what a worker is (`jobs.broker`)."""

from __future__ import annotations

import os
import queue
import socket
from collections.abc import Callable
from datetime import timedelta

from auditor.jobs.broker import MOST_NUDGES, Nudges, celery_app, run_worker
from auditor.jobs.child import Child
from auditor.jobs.worker import Workers
from auditor.service.shared import Shared
from auditor.settings import Settings
from auditor.store import jobs
from auditor.store.tables import now


class Rows:
    """What the rows say of the work; a `jobs.broker.Backlog`."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def due(self) -> int:
        """How many jobs may be claimed now, up to as many as nudges are sent at once."""
        with self._shared.database.read() as session:
            return jobs.due(session, MOST_NUDGES)

    def idle(self, seconds: float) -> bool:
        """Whether jobs are due and none was claimed for so long."""
        with self._shared.database.read() as session:
            if jobs.due(session, 1) == 0:
                return False
            last = jobs.last_claimed(session)
        return last is None or now() - last > timedelta(seconds=seconds)


def nudges(settings: Settings, shared: Shared) -> Nudges:
    """What a web process runs instead of workers of its own."""
    return Nudges(celery_app(settings.broker_url), Rows(shared))


def work(
    settings: Settings, shared: Shared, workers: Workers, make_child: Callable[[], Child], concurrency: int
) -> int:
    """Be a worker of an installation until a signal says stop; gives back the exit status.

    `workers` has no threads of its own: Celery's take turns with children that are kept between messages.
    """
    app, rows = celery_app(settings.broker_url), Rows(shared)
    bell = Nudges(app, rows)
    owner = f"{socket.gethostname()[:40]}-{os.getpid()}"
    children: queue.LifoQueue[tuple[int, Child]] = queue.LifoQueue()
    for number in range(1, concurrency + 1):
        child = make_child()
        child.start()
        children.put((number, child))

    def work_for(seconds: float, stopping: Callable[[], bool]) -> None:
        number, child = children.get()
        try:
            workers.work(child, f"{owner}-{number}", seconds, stopping)
        finally:
            children.put((number, child))

    bell.start()
    bell.wake()
    try:
        return run_worker(app, work_for, bell.send, rows, concurrency=concurrency, name=f"auditor-{os.getpid()}")
    finally:
        bell.stop()
        while not children.empty():
            children.get()[1].stop()
