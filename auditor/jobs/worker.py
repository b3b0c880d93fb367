"""Threads that claim jobs and have them done, each in a child of its own."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import TypeVar

from auditor.jobs.child import Child, ChildFailed, GivenUp, OutOfTime
from auditor.jobs.identity import NotOfThis
from auditor.jobs.queue import Queue, Task

log = logging.getLogger("auditor.jobs")

NICE, NICE_IF_SLOW = 5, 10
"""How much those who audit leave the processor to those who answer, and those who do the slow jobs to all."""
_PATIENT = 4
"""By the clock a first try may take so many times longer still: it is processor time that tells what is slow."""
_NEARLY = 0.9
"""Of a lease that could not be made longer: so much of it is used."""
_GRACE = 0.3
"""Seconds between the death of a child and its being held against the job."""

DONE, FAILED, SLOW, GIVEN_UP, ERRAND = WAYS = ("done", "failed", "slow", "given up", "errand")
"""How work ends: its result was stored; it gave none; it was put among the slow ones; it is another's now, or comes again when
the service does; what came with its order (`service.cluster`) was answered."""
T = TypeVar("T")


class WorkDone:
    """What this process did since it started: how often work ended in each way, how long that took by the clock, and how much
    is being done now."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._times: Counter[str] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._running = 0

    def counted(self, work: Callable[[], T], how: Callable[[T], str]) -> T:
        """Do a piece of work; `how` says of what it gives back in which way it ended. What raises was given up."""
        began, ended = time.monotonic(), GIVEN_UP
        with self._lock:
            self._running += 1
        try:
            given = work()
            ended = how(given)
            return given
        finally:
            with self._lock:
                self._running -= 1
                self._times[ended] += 1
                self._seconds[ended] += time.monotonic() - began

    def told(self) -> tuple[int, dict[str, tuple[int, float]]]:
        """How much is being done; and of each way in which work ended, how often it did and how long that took in all."""
        with self._lock:
            return self._running, {how: (times, self._seconds[how]) for how, times in self._times.items()}


class Workers:
    """Some threads over one queue. `wake` tells them that there is work; they also look by themselves."""

    def __init__(
        self,
        queue: Queue,
        *,
        threads: int,
        seconds: float,
        patience: float,
        lease: float,
        make_child: Callable[[], Child],
        engine: str,
        slow_threads: int = 0,
        first_seconds: float = 0.0,
    ) -> None:
        self._queue = queue
        self._seconds = seconds
        self._patience = patience
        self._lease = lease
        self._make_child = make_child
        self._engine = engine
        self.done = WorkDone()
        self._work = threading.Condition()
        self._stopping = False
        self._first_seconds = min(first_seconds or seconds, seconds)
        lanes: list[tuple[str, bool | None]] = [
            (f"worker-{n}", False if slow_threads else None) for n in range(1, threads + 1)
        ]
        lanes += [(f"slow-{n}", True) for n in range(1, slow_threads + 1 if threads else 1)]
        self._threads = [
            threading.Thread(target=self._run, args=lane, name=f"auditor-{lane[0]}", daemon=True) for lane in lanes
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def wake(self) -> None:
        with self._work:
            self._work.notify_all()

    def stop(self) -> None:
        """Ask all threads to stop and wait for them; what they were doing is claimed again at the next start."""
        with self._work:
            self._stopping = True
            self._work.notify_all()
        for thread in self._threads:
            if thread.ident is not None:  # one that was never started cannot be waited for
                thread.join()

    def work(
        self, child: Child, owner: str, seconds: float, stopping: Callable[[], bool], slow: bool | None = None
    ) -> None:
        """Claim and do jobs of a lane in the caller's thread, until none is due, the time is over or `stopping` says so:
        slow jobs, those that may turn out to be (False), or all.

        What was begun is finished. Raises what the queue raises.
        """
        end = time.monotonic() + seconds
        while not stopping() and time.monotonic() < end:
            task = self._queue.claim(owner, slow)
            if task is None:
                return
            self._do(child, task, first=slow is False)
            if not slow:
                child.start()

    def _run(self, owner: str, slow: bool | None) -> None:
        """Do what is due in a lane: of slow jobs, of those that may turn out to be (False), or of all."""
        child: Child = self._make_child()
        child.nice = NICE_IF_SLOW if slow else NICE
        try:
            if not slow:
                child.start()
            while not self._stopping:
                try:
                    task = self._queue.claim(owner, slow)
                    if task is not None:
                        self._do(child, task, first=slow is False)
                        if not slow:
                            child.start()  # a fresh process, if that was the last work of this one
                        continue
                except BaseException:  # whatever it was: a worker that ends does no more work
                    # The database may be full or locked for a moment; the job keeps its lease and comes again.
                    log.exception("a worker could not do its round")
                with self._work:
                    if not self._stopping:
                        self._work.wait(1.0)
        finally:
            child.stop()

    def _do(self, child: Child, task: Task, *, first: bool = False) -> None:
        """Do a task; `first`: in the time that every task gets first, and else leave it to those who do the slow ones."""
        self.done.counted(lambda: self._ended(child, task, first=first), str)

    def _ended(self, child: Child, task: Task, *, first: bool) -> str:
        """Do a task; in which way it ended."""
        extended = time.monotonic()

        def beat() -> bool:
            nonlocal extended
            if self._stopping:
                return False
            if time.monotonic() - extended < self._lease / 4:
                return True
            at = time.monotonic()
            try:
                ours = self._queue.extend(task)
            except Exception:
                # The database may be full or locked for a moment; as long as the lease lasts the job is ours.
                log.exception("a lease could not be made longer")
                return at - extended < self._lease * _NEARLY
            extended = at
            return ours

        try:
            result = child.call(
                task.function,
                self._engine,
                *task.args,
                seconds=self._first_seconds if first else self._seconds,
                patience=self._patience * (_PATIENT if first else 1),
                beat=beat,
                every=0.5,
            )
        except GivenUp:
            log.info("a job was given up: it is another worker's, or the service stops")
            return GIVEN_UP
        except ChildFailed as failure:
            if first and isinstance(failure, OutOfTime) and not self._stopping:
                self._queue.later(task)
                self.wake()
                return SLOW
            if failure.again:
                # Where the whole service is being killed, child first, there is no time for what follows; where it
                # lives on, the log has ended its child, and that counts as a try.
                with self._work:
                    self._work.wait_for(lambda: self._stopping, _GRACE)
            if self._stopping:
                return GIVEN_UP
            log.warning("job gave no result: %s %s", failure, failure.detail)
            self._queue.fail(task, str(failure), failure.again)
            return FAILED
        while True:
            try:
                self._queue.finish(task, result)
                return DONE
            except NotOfThis as wrong:
                child.stop()
                log.critical("a result was thrown away: %s", wrong)
                self._queue.fail(task, "Its result was of another log and was thrown away.", True)
                return FAILED
            except Exception:
                # As above; it would be a pity to do it again.
                log.exception("a result could not be stored")
                if not beat():
                    return GIVEN_UP
            with self._work:
                self._work.wait_for(lambda: self._stopping, 0.5)
