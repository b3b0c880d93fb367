"""How a command is called and how it ends: its exit status, a wrong call, a fault of ours, Ctrl-C."""

from __future__ import annotations

import functools
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

import typer

CLEAN, FINDINGS, WRONG_CALL, INCOMPLETE, OUR_FAULT, INTERRUPTED, NOBODY_READS = 0, 1, 2, 3, 70, 130, 141


class WrongCall(Exception):
    """The command cannot do what it was asked for; `problems` lists all of it."""

    def __init__(self, *problems: str) -> None:
        self.problems = problems
        super().__init__("; ".join(problems))


def complain(problem: str) -> None:
    """A line on standard error. Names of files come from anywhere, so they are tamed."""
    from auditor.report.hostile import one_line

    print(f"auditor: {one_line(problem)}", file=sys.stderr)


def command(work: Callable[..., int]) -> Callable[..., None]:
    """A command whose exit status is what it gives back, with our three kinds of trouble kept apart."""

    @functools.wraps(work)
    def run(*arguments: Any, **options: Any) -> None:
        try:
            status = work(*arguments, **options)
            sys.stdout.flush()
        except WrongCall as wrong:
            for problem in wrong.problems:
                complain(problem)
            status = WRONG_CALL
        except BrokenPipeError:
            # Whoever read our output has gone; what is left in the buffer must not fail once more at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            status = NOBODY_READS
        except KeyboardInterrupt:
            status = INTERRUPTED
        except Exception as error:
            from auditor.batch import fault_in_words

            complain(f"a fault of the auditor: {fault_in_words(error)}")
            status = OUR_FAULT
        raise typer.Exit(status)

    return run


def leave(_signal: int, _frame: FrameType | None) -> NoReturn:
    """What Ctrl-C does where there is nothing to tidy up. Raised as an exception it is lost in imports of others."""
    os._exit(INTERRUPTED)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C be a KeyboardInterrupt, so that what was begun is tidied up."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
