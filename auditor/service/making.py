"""What children make for those who read: made once for all who ask, by threads of its own, so that nobody who reads waits
longer than a moment for anything.

There are two lanes, each a thread with a child: one for what is small, and one for what is large or has turned out to
be slow. So a small report never waits behind a large one.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from auditor.jobs.child import Child, GivenUp, OutOfTime
from auditor.service.values import BeingDrawn, NotDrawn, NotFound
from auditor.store.database import Busy
from auditor.store.kept import Kept

log = logging.getLogger("auditor.service")

Make = Callable[[], bytes | None]

QUICK_SECONDS = 1.0
"""Of processor time, for what is made in the lane of small things; what needs more goes over to the other."""
MOST_WAITING = 100
"""So many things wait in a lane; who asks for another is told to come again."""
_FRESH = 4
_REMEMBERED = 1000


class _Slow(BaseException):
    """What was begun in the lane of small things needs the other one."""


@dataclass
class _One:
    """Something that is being made."""

    name: str
    make: Make
    made: bytes | None = None
    error: Exception | None = None
    done: threading.Event = field(default_factory=threading.Event)


class _Lane:
    def __init__(self, child: Child, most_seconds: float | None) -> None:
        self.child = child
        self.most_seconds = most_seconds
        self.waiting: deque[_One] = deque()


class Making:
    """Asked by any thread. What was made is kept on disk (`Kept`); what could not be made is remembered for a while."""

    def __init__(
        self,
        kept: Kept,
        make_child: Callable[[], Child],
        waiters: threading.Semaphore,
        *,
        look_seconds: float,
        remember_seconds: float,
    ) -> None:
        self._kept = kept
        self._waiters = waiters
        self._look_seconds = look_seconds
        self._remember_seconds = remember_seconds
        self._quick, self._heavy = _Lane(make_child(), QUICK_SECONDS), _Lane(make_child(), None)
        self._work = threading.Condition()
        self._making: dict[str, _One] = {}
        self._fresh: OrderedDict[str, bytes] = OrderedDict()
        self._failures: OrderedDict[str, tuple[float, Exception]] = OrderedDict()
        self._slow: OrderedDict[str, None] = OrderedDict()
        self._stopping = False
        self._threads: list[threading.Thread] = []
        self._here = threading.local()

    def start(self) -> None:
        """Have the children ready."""
        with self._work:
            self._started()

    def _started(self) -> None:
        if not self._threads and not self._stopping:
            for name, lane in (("quick", self._quick), ("heavy", self._heavy)):
                thread = threading.Thread(target=self._run, args=(lane,), name=f"auditor-making-{name}", daemon=True)
                self._threads.append(thread)
                thread.start()

    def stop(self) -> None:
        """Give up whatever is being made."""
        with self._work:
            self._stopping = True
            self._work.notify_all()
        for thread in self._threads:
            thread.join()
        for lane in (self._quick, self._heavy):
            lane.child.stop()

    def ask(self, name: str, make: Make, *, heavy: bool = False) -> bytes:
        """What `make` gives back, under a name of which the first word says what it is of. `heavy`: it may take long.

        Raises BeingDrawn where that needs more than a moment, Busy where too much waits, and what `make` raises.
        """
        made = self._kept.get(name)
        if made is not None:
            return made
        if getattr(self._here, "lane", None) is not None:  # something is made of something else that is made
            return self._make(name, make)
        one = self._one(name, make, heavy)
        if isinstance(one, bytes):
            return one
        if self._waiters.acquire(blocking=False):
            try:
                one.done.wait(self._look_seconds)
            finally:
                self._waiters.release()
        if not one.done.is_set():
            raise BeingDrawn(self._ahead(one))
        if one.error is not None:
            raise one.error
        assert one.made is not None
        return one.made

    def call(self, function: str, *args: Any, seconds: float, patience: float) -> Any:
        """As Child.call, with the child of the lane whose thread this is."""
        lane: _Lane = self._here.lane
        most = seconds if lane.most_seconds is None else min(seconds, lane.most_seconds)
        try:
            return lane.child.call(
                function, *args, seconds=most, patience=patience, beat=lambda: not self._stopping, every=0.25
            )
        except OutOfTime as error:
            if most < seconds:
                raise _Slow from error
            raise
        except GivenUp as error:
            raise Busy("the service stops") from error

    def throw_away(self) -> None:
        """End the child of this thread's lane: it is not to be believed."""
        self._here.lane.child.stop()

    def forget(self, words: set[str]) -> None:
        """Forget everything whose name holds one of these words, such as the key of an audit that is removed."""
        if words:
            self._kept.forget(words)
            with self._work:
                for name in [name for name in self._fresh if not words.isdisjoint(name.split(" "))]:
                    del self._fresh[name]

    def _one(self, name: str, make: Make, heavy: bool) -> _One | bytes:
        with self._work:
            if name in self._fresh:
                return self._fresh[name]
            if name in self._failures:
                until, error = self._failures[name]
                if time.monotonic() < until:
                    raise error
                del self._failures[name]
            one = self._making.get(name)
            if one is None:
                self._started()
                lane = self._heavy if heavy or name.split(" ")[0] in self._slow else self._quick
                if len(lane.waiting) >= MOST_WAITING or self._stopping:
                    raise Busy("too much waits to be drawn")
                one = self._making[name] = _One(name, make)
                lane.waiting.append(one)
                self._work.notify_all()
            return one

    def _ahead(self, one: _One) -> int:
        """How many are made before this one."""
        with self._work:
            for lane in (self._quick, self._heavy):
                if one in lane.waiting:
                    return lane.waiting.index(one) + 1
        return 0

    def _make(self, name: str, make: Make) -> bytes:
        made = make()
        if made is None:
            raise NotFound("form")
        self._kept.put(name, made)
        return made

    def _run(self, lane: _Lane) -> None:
        self._here.lane = lane
        while True:
            if lane is self._quick:  # the other one is started when there is something for it
                try:
                    lane.child.start()
                except Exception:
                    log.exception("a child could not be started")
            with self._work:
                while not lane.waiting and not self._stopping:
                    self._work.wait()
                if self._stopping:
                    return
                one = lane.waiting.popleft()
            self._do(lane, one)

    def _do(self, lane: _Lane, one: _One) -> None:
        try:
            made = self._kept.get(one.name)  # somebody else's may have been made with it
            one.made = self._make(one.name, one.make) if made is None else made
        except _Slow:
            with self._work:
                self._slow[one.name.split(" ")[0]] = None
                if len(self._slow) > _REMEMBERED:
                    self._slow.popitem(last=False)
                self._heavy.waiting.append(one)
                self._work.notify_all()
            return
        except Exception as error:
            one.error = error
            if not isinstance(error, (NotDrawn, NotFound, Busy)):
                log.exception("something could not be made")
        with self._work:
            del self._making[one.name]
            if isinstance(one.error, (NotDrawn, NotFound)):
                self._failures[one.name] = (time.monotonic() + self._remember_seconds, one.error)
                if len(self._failures) > _REMEMBERED:
                    self._failures.popitem(last=False)
            if one.made is not None and self._kept.get(one.name) is None:
                # Too large to be kept, or the disk is full: whoever asks again in a moment still gets it.
                self._fresh[one.name] = one.made
                if len(self._fresh) > _FRESH:
                    self._fresh.popitem(last=False)
        one.done.set()
