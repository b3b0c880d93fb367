"""An installation of several machines: who nudges the workers, and what a worker is (`jobs.broker`)."""

from __future__ import annotations

import logging
import os
import queue
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from auditor.jobs.broker import MOST_NUDGES, SLICE_SECONDS, Nudges, celery_app, run_worker
from auditor.jobs.child import Child, ChildFailed
from auditor.jobs.worker import ERRAND, NICE, WorkDone, Workers
from auditor.service.shared import Shared
from auditor.settings import Settings
from auditor.store import jobs
from auditor.store.tables import now

log = logging.getLogger("auditor.jobs")

_LOOK_SECONDS = 1.0
"""How often those who do the slow jobs look for one."""
_UNASKED_SECONDS = 10.0
"""Jobs that are due and that nobody claimed for so long are done without a message: some sweeps (`jobs.broker`) have sent
one in vain by then."""


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


@dataclass(frozen=True)
class Errand:
    """What does the errands of an order that comes with its logs: a function of a module, for one log a call."""

    module: str
    function: str


class ErrandsDone:
    """Does errands, log by log, in children of their own with the limits of audits. No child is there before the first."""

    def __init__(self, settings: Settings, errand: Errand, concurrency: int, done: WorkDone) -> None:
        self._settings = settings
        self._done = done
        self._function = errand.function
        self._children: queue.LifoQueue[Child] = queue.LifoQueue()
        for _ in range(concurrency):
            child = Child(errand.module, memory_bytes=settings.audit_memory_bytes, calls=settings.audits_a_child)
            self._children.put(child)

    def answers(self, part: dict[str, Any]) -> list[Any]:
        """An answer for each log of a part; {"failed": why} for one that gave none within the limits."""
        child = self._children.get()
        try:
            return [
                self._done.counted(partial(self._answer, child, part["order"], log), lambda _said: ERRAND)
                for log in part["logs"]
            ]
        finally:
            self._children.put(child)

    def _answer(self, child: Child, order: str, log: list[Any]) -> Any:
        seconds, patience = self._settings.audit_seconds, self._settings.patience
        said = ""
        for _try in range(self._settings.max_tries):
            try:
                return child.call(self._function, order, *log, seconds=seconds, patience=patience)
            except ChildFailed as failure:
                said = str(failure)
                if not failure.again:
                    break
        return {"failed": said}

    def stop(self) -> None:
        """End the children."""
        while not self._children.empty():
            self._children.get().stop()


def work(
    settings: Settings,
    shared: Shared,
    workers: Workers,
    make_child: Callable[[], Child],
    errand: Errand,
    concurrency: int,
) -> int:
    """Be a worker of an installation until a signal says stop; gives back the exit status.

    `workers` has no threads of its own: Celery's take turns with children that are kept between messages. Jobs that turned
    out to be slow need no message: threads of their own look for them, as many as on one machine. One more looks for jobs
    that nobody claims although they are due.
    """
    stopping = threading.Event()
    errands = ErrandsDone(settings, errand, concurrency, workers.done)
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
            workers.work(child, f"{owner}-{number}", seconds, stopping, slow=False)
        finally:
            children.put((number, child))

    def work_slowly(number: int) -> None:
        child = make_child()
        child.nice = NICE
        while not stopping.is_set():
            try:
                workers.work(child, f"{owner}-slow-{number}", SLICE_SECONDS, stopping.is_set, slow=True)
            except Exception:  # the database may be away for a moment; the job keeps its lease and comes again
                log.exception("a worker could not do its round")
            stopping.wait(_LOOK_SECONDS)
        child.stop()

    def work_unasked() -> None:
        """The broker may be away, or this worker's consumer may not have found its way back to it (celery#8030, #10205)."""
        idle = 0.0
        while not stopping.wait(_LOOK_SECONDS):
            try:
                idle = idle + _LOOK_SECONDS if rows.idle(_UNASKED_SECONDS) else 0.0
                if idle >= _UNASKED_SECONDS:
                    log.warning("jobs wait and no message comes: looking for them without one")
                    work_for(SLICE_SECONDS, stopping.is_set)
            except Exception:
                log.exception("a worker could not do its round")

    lanes = [threading.Thread(target=work_slowly, args=(n,), daemon=True) for n in range(1, settings.slow_workers + 1)]
    lanes.append(threading.Thread(target=work_unasked, daemon=True))
    for lane in lanes:
        lane.start()
    bell.start()
    bell.wake()
    try:
        name = f"auditor-{os.getpid()}"
        return run_worker(app, work_for, bell.send, rows, errands.answers, stopping, concurrency=concurrency, name=name)
    finally:
        stopping.set()
        bell.stop()
        for lane in lanes:
            lane.join()
        errands.stop()
        while not children.empty():
            children.get()[1].stop()
