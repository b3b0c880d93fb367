"""Celery between those who have work and those who do it, where they are on different machines.

The row in the database is the truth about a job; a message only says that there is work (a *nudge*). Whoever gets one
claims jobs in their turn until none is due or its slice of time is over, and passes the nudge on. So a message that is
lost, doubled or delivered late costs nothing but a moment: what the rows say is done once, by its fencing token, and in
the order of the rows, whatever the broker does. A sweeper in every process nudges again where a job waits and nobody
claims.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from celery import Celery
from celery.exceptions import OperationalError
from celery.signals import worker_shutting_down

log = logging.getLogger("auditor.jobs")

TASK = "auditor.work"
QUEUE = "auditor"
ERRAND, ERRANDS = "auditor.errand", "auditor-errands"
"""Work that comes with its message and is answered (`Errands`), and its queue."""
SLICE_SECONDS = 30.0
"""How long one message is worked on, at least to the end of the audit that was begun."""
_EXPIRES_SECONDS = 600
"""A nudge older than this says nothing any more; clocks of machines may differ by as much."""
_VISIBILITY_SECONDS = 3600
"""Of Redis: a message older than this is delivered a second time. Far beyond a slice and the longest audit."""
_SWEEP_SECONDS = 3.0
MOST_NUDGES = 16
"""Sent at once: more than any machine has workers."""
_UNDER_WAY = 32
"""Errands sent ahead of the one whose answer is waited for."""
_AGAIN_SECONDS = 60.0
"""An errand not answered for so long is sent again, after twice as long once more: its worker may have been killed, or the
broker may have forgotten it."""
_PATIENT_SECONDS = 30.0
"""After so long without any answer it is said that nobody answers."""


class Backlog(Protocol):
    """What the rows say of the work."""

    def due(self) -> int:
        """How many jobs may be claimed now, up to `MOST_NUDGES`, slow ones apart."""
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
            "queue_order_strategy": "priority",  # those of the worker's list in their order
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
                    due = self._backlog.due()
                    self.send(due - self.waiting() if due > 1 else due)
            except Exception as error:
                # The rows keep what is due; the sweeper tries again.
                log.warning("workers could not be nudged: %s", error)

    def waiting(self) -> int:
        """How many messages nobody has taken yet. While there is one, whoever does work has enough of it."""
        queue = self._app.amqp.queues[QUEUE]
        with self._app.producer_pool.acquire(block=True) as producer:
            declared = producer.channel.queue_declare(
                queue.name,
                durable=queue.durable,
                exclusive=queue.exclusive,
                auto_delete=queue.auto_delete,
                arguments=queue.queue_arguments,
            )
        return int(declared.message_count)

    def send(self, number: int) -> None:
        """So many messages that there is work. Raises kombu's OperationalError where the broker does not answer."""
        for _ in range(min(number, MOST_NUDGES)):
            self._app.send_task(TASK, expires=_EXPIRES_SECONDS, retry=False)


def trouble_with(broker: str) -> str:
    """Why a broker does not answer; "" where it does."""
    with celery_app(broker).connection_for_read() as connection:
        try:
            connection.ensure_connection(max_retries=1, timeout=5, interval_start=0)
        except (OSError, OperationalError, *connection.connection_errors) as error:
            return type(error).__name__
    return ""


class Unreachable(Exception):
    """The broker does not answer."""


@dataclass
class _Errand:
    """One that was sent: `asked` is whatever the caller wants back with its answer."""

    asked: Any
    part: dict[str, Any] | None
    again: float = 0.0
    wait: float = field(default_factory=lambda: _AGAIN_SECONDS)
    ident: str = field(default_factory=lambda: uuid.uuid4().hex)


class Errands:
    """Parts of work sent to whichever workers there are; each is answered through a queue of this process.

    Nothing is kept but here: one whose answer does not come is sent again, and whoever does an errand twice answers twice
    the same. Raises Unreachable where the broker does not answer; if it stops later, that is waited for.
    """

    def __init__(self, broker: str, waiting: Callable[[str], None]) -> None:
        self._app = celery_app(broker)
        self._waiting = waiting
        self._replies = f"auditor-replies-{uuid.uuid4().hex}"
        self._answers: dict[str, list[Any]] = {}
        self._silent_since = time.monotonic()
        self._connection: Any = None
        self._box: Any = None
        try:
            self._connect()
        except self._troubles() as error:
            raise Unreachable(str(error)) from None

    def done(self, parts: Iterable[tuple[Any, dict[str, Any] | None]]) -> Iterator[tuple[Any, list[Any]]]:
        """Each part's answers, in their order, with what was given beside it; a part that is None has none, and is sent to
        nobody."""
        under_way: deque[_Errand] = deque()
        try:
            for asked, part in parts:
                under_way.append(_Errand(asked, part))
                self._send(under_way[-1])
                while len(under_way) >= _UNDER_WAY:
                    yield self._answered(under_way.popleft())
            while under_way:
                yield self._answered(under_way.popleft())
        finally:
            with contextlib.suppress(*self._troubles()):
                self._box.consumer.queues[0].delete()
            self._connection.close()

    def _answered(self, errand: _Errand) -> tuple[Any, list[Any]]:
        """An errand's answer, however long it takes."""
        while errand.part is not None and errand.ident not in self._answers:
            if time.monotonic() >= errand.again:
                self._send(errand)
            try:
                self._take_one()
            except self._troubles() as error:
                self._reconnect(error)
            if time.monotonic() - self._silent_since > _PATIENT_SECONDS:
                self._waiting("no worker has answered for a while; still waiting")
                self._silent_since = time.monotonic() + 10 * _PATIENT_SECONDS
        return errand.asked, self._answers.pop(errand.ident, [])

    def _take_one(self) -> None:
        """Keep an answer that has come, after a moment at most."""
        try:
            message = self._box.get(timeout=1.0)
        except self._box.Empty:
            return
        message.ack()
        self._answers[message.payload["errand"]] = message.payload["answers"]
        self._silent_since = time.monotonic()

    def _send(self, errand: _Errand) -> None:
        """Send an errand; where that fails, its time comes again soon."""
        if errand.part is None:
            return
        try:
            self._app.send_task(
                ERRAND, args=[self._replies, errand.ident, errand.part], queue=ERRANDS, retry=False, compression="zlib"
            )
        except self._troubles() as error:
            log.info("an errand could not be sent: %s", error)
            errand.again = time.monotonic() + 1.0
            return
        errand.again, errand.wait = time.monotonic() + errand.wait, 2 * errand.wait

    def _reconnect(self, why: BaseException) -> None:
        """Wait until the broker is there again."""
        self._waiting(f"the broker does not answer ({why}); waiting for it")
        while True:
            time.sleep(1.0)
            with contextlib.suppress(*self._troubles()):
                return self._connect()

    def _connect(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = self._app.connection_for_read()
        self._connection.ensure_connection(max_retries=1, timeout=5, interval_start=0)
        self._box = _replies(self._connection, self._replies)

    def _troubles(self) -> tuple[type[BaseException], ...]:
        """What is raised where the broker does not answer."""
        connection = self._app.connection_for_read()
        return (OSError, OperationalError, *connection.connection_errors, *connection.channel_errors)


def _replies(connection: Any, name: str) -> Any:
    """The queue of the answers of one caller. It is gone with it."""
    passing = {"durable": False, "auto_delete": True}
    return connection.SimpleQueue(name, queue_opts={**passing, "expires": 3600}, exchange_opts=passing)


def _answer(app: Celery, replies: str, errand: str, answers: list[Any]) -> None:
    with app.connection_for_write() as connection, contextlib.closing(_replies(connection, replies)) as box:
        box.put({"errand": errand, "answers": answers}, serializer="json", compression="zlib")


def run_worker(
    app: Celery,
    work: Callable[[float, Callable[[], bool]], None],
    nudge: Callable[[int], Any],
    backlog: Backlog,
    run_errand: Callable[[dict[str, Any]], list[Any]],
    stopping: threading.Event,
    *,
    concurrency: int,
    name: str,
) -> int:
    """Have messages worked on by some threads until a signal says stop; gives back the exit status.

    `work(seconds, stopping)` claims and does jobs until none is due, the time is over or it is asked to stop. At SIGTERM,
    which sets `stopping`, no message is taken any more, and audits that were begun are finished. `run_errand` gives the
    answers of an errand; these are taken when no nudge waits (on Redis; other brokers give of both in turn). Threads,
    because Celery's own child processes may start none (celery#1709), and each audit runs in a child with its limits.
    """

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

    @app.task(name=ERRAND, ignore_result=True)  # type: ignore[untyped-decorator,unused-ignore]
    def auditor_errand(replies: str, errand: str, part: dict[str, Any]) -> None:
        _answer(app, replies, errand, run_errand(part))

    worker = app.Worker(
        pool="threads",
        concurrency=concurrency,
        hostname=f"{name}@%h",
        loglevel="WARNING",
        without_gossip=True,
        without_mingle=True,
        queues=[QUEUE, ERRANDS],
    )
    worker.start()
    return int(worker.exitcode or 0)
