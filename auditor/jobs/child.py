"""A child process that works for us, one call at a time, under limits of memory and of processor time.

A log that hangs the audit, eats the memory or brings the interpreter down costs one child, never the web process. The
child is kept between calls, because starting Python and importing a game takes longer than most audits. Where the system
can, children are forked, in milliseconds, from a process without threads that has loaded the games (`prepare`).

A child lives on after a call only if it answered that very call: calls are numbered and answers bear the number. What
ends a call otherwise, whatever it is, ends the child too, so that no late answer is ever taken for that of a later call.
"""

from __future__ import annotations

import contextlib
import importlib
import math
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from itertools import count
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from typing import Any

from auditor.store.database import Busy

_OUT_OF_TIME = getattr(signal, "SIGXCPU", -1)
_OUT_OF_SLICE = getattr(signal, "SIGPROF", -1)
_GRACE = 1.0
"""Seconds after a call's time is over until a child that cannot be talked with is ended by somebody else."""
_FORKED = "forkserver" in multiprocessing.get_all_start_methods()
_CONTEXT: ForkServerContext | SpawnContext = (  # the web process has threads: it must not fork itself
    multiprocessing.get_context("forkserver") if _FORKED else multiprocessing.get_context("spawn")
)


def prepare(module: str) -> None:
    """Have the process from which children are forked import a module, once, before the first of them."""
    if _FORKED:
        _CONTEXT.set_forkserver_preload([module])


class ChildFailed(RuntimeError):
    """A call gave no result. `again` says whether another try may end otherwise."""

    def __init__(self, text: str, *, again: bool = False, detail: str = "") -> None:
        super().__init__(text)
        self.again = again
        self.detail = detail


class GivenUp(ChildFailed):
    """The caller gave the call up; the work itself did nothing wrong."""


class OutOfTime(ChildFailed):
    """It needed more time than there was."""


class Child:
    """Calls functions of one module in a process of its own. Used by one thread at a time.

    `first` is a function of the module with its arguments, called as soon as the process is there, so that no caller
    has to wait for what it prepares.
    """

    def __init__(
        self, module: str, *, memory_bytes: int, calls: int = 200, first: tuple[str, tuple[Any, ...]] | None = None
    ) -> None:
        self.module = module
        self.nice = 0
        self.first = first
        self.memory_bytes = memory_bytes
        self.calls = calls
        self._left = 0
        self._numbers = count(1)  # goes on over all processes: no two calls ever have the same
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    @property
    def alive(self) -> bool:
        """Whether there is a process."""
        return self._process is not None and self._process.is_alive()

    def start(self) -> None:
        """Have a process ready, so that the first call need not wait for one."""
        if self._process is not None and self._process.is_alive() and self._left > 0:
            return
        self.stop()
        ours, theirs = _CONTEXT.Pipe()
        process = _CONTEXT.Process(
            target=_work, args=(theirs, self.module, self.memory_bytes, self.first, self.nice), daemon=True
        )
        process.start()
        theirs.close()
        self._process, self._pipe, self._left = process, ours, self.calls

    def call(
        self,
        function: str,
        *args: Any,
        seconds: float,
        patience: float = 5.0,
        beat: Callable[[], bool] | None = None,
        every: float = 5.0,
    ) -> Any:
        """What the function gives back, if it needs at most so many seconds of processor time.

        By the clock it may take `patience` times as long: others may use the processor too. `beat` is called while
        waiting; if it says False the work is given up. Raises ChildFailed when the function raises, the child dies or
        a limit is reached.
        """
        try:
            self.start()
            self._left -= 1
            outcome, value = self._answer(next(self._numbers), function, args, seconds, seconds * patience, beat, every)
        except BaseException:
            self.stop()
            raise
        if outcome == "done":
            return value
        if outcome == "memory":
            self.stop()
            raise ChildFailed(f"It needed more than {self.memory_bytes // 1024**2} MiB of memory and was stopped.")
        text, detail = value
        raise ChildFailed(f"A fault of ours: {text}", detail=detail)

    def _answer(
        self,
        number: int,
        function: str,
        args: tuple[Any, ...],
        seconds: float,
        clock: float,
        beat: Callable[[], bool] | None,
        every: float,
    ) -> tuple[str, Any]:
        """The child's answer to the call of this number: how it ended, and what came out. Whatever is raised here, the child
        is in the middle of something."""
        assert self._pipe is not None and self._process is not None
        end = time.monotonic() + clock
        # A child may stop in the middle of taking or giving a message, where no poll waits: then its end ends that too.
        late = threading.Timer(clock + _GRACE, _end, (self._process,))
        late.daemon = True
        late.start()
        try:
            with self._talking(seconds, clock, end):
                self._pipe.send((number, function, args, seconds))
            while True:
                with self._talking(seconds, clock, end):
                    if self._pipe.poll(max(0.0, min(every, end - time.monotonic()))):
                        return _opened(self._pipe.recv_bytes(self.memory_bytes), number)
                if time.monotonic() >= end:
                    raise _too_long(clock)
                if beat is not None and not beat():
                    raise GivenUp("The work was given up.", again=True)
        finally:
            late.cancel()

    @contextlib.contextmanager
    def _talking(self, seconds: float, clock: float, end: float) -> Iterator[None]:
        """What goes wrong with the pipe, in words: the process ended, and how, or what it sent is no message."""
        try:
            yield
        except (EOFError, OSError) as error:
            if time.monotonic() >= end:
                raise _too_long(clock) from error
            code = self._exit_code()
            if code is None:
                raise _unreadable(error) from error
            if code in (-_OUT_OF_TIME, -_OUT_OF_SLICE):
                raise OutOfTime(f"It needed more than {seconds:g} s of processor time and was stopped.") from error
            raise ChildFailed(f"The process that did the work ended (exit status {code}).", again=True) from error

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        pipe, process = self._pipe, self._process
        self._process = self._pipe = None  # first: whatever happens below, nobody asks this one again
        if pipe is not None:
            pipe.close()
        if process is not None:
            process.kill()
            process.join()
            process.close()

    def _exit_code(self) -> int | None:
        if self._process is None:
            return None
        self._process.join(2)
        return self._process.exitcode


def _opened(given: bytes, number: int) -> tuple[str, Any]:
    """What a child sent, if it is the answer to the call of this number."""
    try:
        answered, outcome, value = pickle.loads(given)
    except Exception as error:
        raise _unreadable(error) from error
    if answered != number or outcome not in ("done", "memory", "raised"):
        raise ChildFailed("The process gave the answer of another call, and it was thrown away.", again=True)
    return outcome, value


def _unreadable(error: Exception) -> ChildFailed:
    return ChildFailed(f"The process gave no answer that can be read ({type(error).__name__}).", again=True)


def _end(process: BaseProcess) -> None:
    with contextlib.suppress(ValueError):  # it was ended meanwhile
        process.kill()


def _too_long(clock: float) -> OutOfTime:
    return OutOfTime(f"It took longer than {clock:g} seconds and was stopped.")


class SharedChild:
    """A child that several threads call, one after the other; at most so many at once, others are told to come again."""

    def __init__(self, child: Child, most: int = 3) -> None:
        self._child = child
        self._lock = threading.Lock()
        self._callers = threading.BoundedSemaphore(most)

    def start(self) -> None:
        """Have the process ready."""
        with self._lock:
            self._child.start()

    def call(self, function: str, *args: Any, **how: Any) -> Any:
        """As Child.call. Raises Busy where too many wait already."""
        if not self._callers.acquire(blocking=False):
            raise Busy("too many wait for this")
        try:
            with self._lock:
                return self._child.call(function, *args, **how)
        finally:
            self._callers.release()

    def stop(self) -> None:
        """End the process when it has done what it is doing."""
        with self._lock:
            self._child.stop()


def _work(
    pipe: Connection, module: str, memory_bytes: int, first: tuple[str, tuple[Any, ...]] | None, nice: int
) -> None:
    """The child's life: take a call, answer it, until nobody is there any more."""
    # Ctrl-C, and a stop of the whole group, are the parent's to answer: it ends us when it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    _limit_memory(memory_bytes)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    functions = importlib.import_module(module)
    if first is not None:
        with contextlib.suppress(Exception):  # what goes wrong here goes wrong in the first call too, and is said there
            getattr(functions, first[0])(*first[1])
    while True:
        try:
            number, function, args, seconds = pipe.recv()
        except (EOFError, OSError):
            return
        _limit_time(seconds)
        try:
            answer = ForkingPickler.dumps((number, "done", getattr(functions, function)(*args)))
        except MemoryError:
            answer = ForkingPickler.dumps((number, "memory", None))
        except Exception as error:
            # Without the message: it may quote the log, and this text goes to pages and to the operator's log.
            answer = ForkingPickler.dumps((number, "raised", (type(error).__name__, _where(error))))
        finally:
            _no_limit_of_time()
        with contextlib.suppress(BrokenPipeError):
            pipe.send_bytes(answer)


def _where(error: BaseException) -> str:
    """The places of a traceback, innermost last, without values."""
    return " > ".join(
        f"{os.path.basename(frame.filename)}:{frame.lineno} {frame.name}"  # noqa: PTH119
        for frame in traceback.extract_tb(error.__traceback__)
    )


def _limit_time(seconds: float) -> None:
    """End this process when it has used so much more processor time: by a timer, and by a limit in whole seconds, which no
    library can take away."""
    if sys.platform != "win32":
        import resource

        signal.setitimer(signal.ITIMER_PROF, seconds)
        usage = resource.getrusage(resource.RUSAGE_SELF)
        until = math.ceil(usage.ru_utime + usage.ru_stime + seconds)
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        with contextlib.suppress(ValueError, OSError):  # the operator's own limit may be lower
            resource.setrlimit(resource.RLIMIT_CPU, (until, most))


def _no_limit_of_time() -> None:
    """What is done between calls is nobody's time."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, 0)


def _limit_memory(size: int) -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(ValueError, OSError):  # the operator's own limit may be lower
            resource.setrlimit(resource.RLIMIT_AS, (size, size))


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
