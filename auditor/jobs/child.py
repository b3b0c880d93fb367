"""A child process that works for us, one call at a time, under limits of memory and of processor time.

A log that hangs the audit, eats the memory or brings the interpreter down costs one child, never the web process. The
child is kept between calls, because starting Python and importing a game takes longer than most audits.
"""

from __future__ import annotations

import contextlib
import importlib
import math
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

_OUT_OF_TIME = getattr(signal, "SIGXCPU", -1)
_SPAWN = multiprocessing.get_context("spawn")  # the web process has threads, so it must not fork


class ChildFailed(RuntimeError):
    """A call gave no result. `again` says whether another try may end otherwise."""

    def __init__(self, text: str, *, again: bool = False, detail: str = "") -> None:
        super().__init__(text)
        self.again = again
        self.detail = detail


class Child:
    """Calls functions of one module in a process of its own. Used by one thread at a time.

    `first` is a function of the module with its arguments, called as soon as the process is there, so that no caller
    has to wait for what it prepares.
    """

    def __init__(
        self, module: str, *, memory_bytes: int, calls: int = 200, first: tuple[str, tuple[Any, ...]] | None = None
    ) -> None:
        self.module = module
        self.first = first
        self.memory_bytes = memory_bytes
        self.calls = calls
        self._left = 0
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None

    def start(self) -> None:
        """Have a process ready, so that the first call need not wait for one."""
        if self._process is not None and self._process.is_alive() and self._left > 0:
            return
        self.stop()
        ours, theirs = _SPAWN.Pipe()
        process = _SPAWN.Process(target=_work, args=(theirs, self.module, self.memory_bytes, self.first), daemon=True)
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
        self.start()
        assert self._pipe is not None
        self._left -= 1
        clock = seconds * patience
        try:
            self._pipe.send((function, args, seconds))
            end = time.monotonic() + clock
            while not self._pipe.poll(max(0.0, min(every, end - time.monotonic()))):
                if time.monotonic() >= end:
                    self.stop()
                    raise ChildFailed(f"It took longer than {clock:g} seconds and was stopped.")
                if beat is not None and not beat():
                    self.stop()
                    raise ChildFailed("The work was taken over by another worker.", again=True)
            outcome, value = self._pipe.recv()
        except (EOFError, OSError) as error:
            code = self._exit_code()
            self.stop()
            if code is not None and code == -_OUT_OF_TIME:
                text = f"It needed more than {seconds:g} s of processor time and was stopped."
                raise ChildFailed(text) from error
            raise ChildFailed(f"The process that did the work ended (exit status {code}).", again=True) from error
        if outcome == "done":
            return value
        if outcome == "memory":
            self.stop()
            raise ChildFailed(f"It needed more than {self.memory_bytes // 1024**2} MiB of memory and was stopped.")
        text, detail = value
        raise ChildFailed(f"A fault of ours: {text}", detail=detail)

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        self._process = self._pipe = None

    def _exit_code(self) -> int | None:
        if self._process is None:
            return None
        self._process.join(2)
        return self._process.exitcode


class SharedChild:
    """A child that several threads call, one after the other."""

    def __init__(self, child: Child) -> None:
        self._child = child
        self._lock = threading.Lock()

    def start(self) -> None:
        """Have the process ready."""
        with self._lock:
            self._child.start()

    def call(self, function: str, *args: Any, seconds: float, patience: float) -> Any:
        """As Child.call."""
        with self._lock:
            return self._child.call(function, *args, seconds=seconds, patience=patience)

    def stop(self) -> None:
        """End the process when it has done what it is doing."""
        with self._lock:
            self._child.stop()


def _work(pipe: Connection, module: str, memory_bytes: int, first: tuple[str, tuple[Any, ...]] | None) -> None:
    """The child's life: take a call, answer it, until nobody is there any more."""
    # Ctrl-C, and a stop of the whole group, are the parent's to answer: it ends us when it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _limit_memory(memory_bytes)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    functions = importlib.import_module(module)
    if first is not None:
        with contextlib.suppress(Exception):  # what goes wrong here goes wrong in the first call too, and is said there
            getattr(functions, first[0])(*first[1])
    while True:
        try:
            function, args, seconds = pipe.recv()
        except (EOFError, OSError):
            return
        _limit_time(seconds)
        try:
            answer: tuple[str, Any] = ("done", getattr(functions, function)(*args))
        except MemoryError:
            answer = ("memory", None)
        except Exception as error:
            # Without the message: it may quote the log, and this text goes to pages and to the operator's log.
            answer = ("raised", (type(error).__name__, _where(error)))
        with contextlib.suppress(BrokenPipeError):
            pipe.send(answer)


def _where(error: BaseException) -> str:
    """The places of a traceback, innermost last, without values."""
    return " > ".join(
        f"{os.path.basename(frame.filename)}:{frame.lineno} {frame.name}"  # noqa: PTH119
        for frame in traceback.extract_tb(error.__traceback__)
    )


def _limit_time(seconds: float) -> None:
    """End this process when it has used so much more processor time; whole seconds are all that systems count."""
    if sys.platform != "win32":
        import resource

        usage = resource.getrusage(resource.RUSAGE_SELF)
        until = math.ceil(usage.ru_utime + usage.ru_stime + seconds)
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        with contextlib.suppress(ValueError, OSError):  # the operator's own limit may be lower
            resource.setrlimit(resource.RLIMIT_CPU, (until, most))


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
