"""Where a command writes: standard output, a file that appears whole or not at all, a bar that shows how far it is."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.batch import Done

MANY = 20
"""From so many files on a terminal shows how far the audit has come."""


class ListFormat(StrEnum):
    """What a list of rules or readings is written as."""

    text = "text"
    json = "json"


@contextmanager
def writer(output: Path | None, to_stdout: Callable[[str], None]) -> Iterator[Callable[[str], None]]:
    """Where the output goes: stdout, or a file that appears whole or not at all."""
    if output is None:
        yield to_stdout
        return
    if output.exists() and not output.is_file():
        # A device or a pipe: it cannot be replaced.
        with output.open("w", encoding="utf-8", newline="") as device:
            yield lambda text: _write(device, text)
        return
    with tempfile.TemporaryFile("w+", encoding="utf-8", newline="") as kept:
        yield lambda text: _write(kept, text)
        kept.seek(0)
        # Written beside its place, so that it is there in one step.
        handle, name = tempfile.mkstemp(dir=output.parent, prefix=f".{output.name[:100]}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                shutil.copyfileobj(kept, file)
            mask = os.umask(0)
            os.umask(mask)
            Path(name).chmod(0o666 & ~mask)
            Path(name).replace(output)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _write(file: IO[str], text: str) -> None:
    file.write(text)


def to_stdout(text: str) -> None:
    """Text to standard output in UTF-8, line ends as they are; a terminal may speak another tongue."""
    if sys.stdout.isatty():
        encoding = sys.stdout.encoding or "ascii"
        sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
    else:
        sys.stdout.buffer.write(text.encode())


def print_json(value: Any) -> None:
    to_stdout(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


@contextmanager
def progress(
    count: int, *, hold: bool
) -> Iterator[tuple[Callable[[Iterable[Done]], Iterator[Done]], Callable[[str], None]]]:
    """Show how far many logs have come, on a terminal. Gives (what to watch with, where to write).

    With `hold` the output would run through the bar, so it is held back until the bar is gone.
    """
    if count < MANY or not sys.stderr.isatty():
        yield iter, to_stdout
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    held: list[str] = []
    bar = Progress(
        BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    )

    def watched(done: Iterable[Done]) -> Iterator[Done]:
        task = bar.add_task("", total=count)
        for one in done:
            bar.advance(task)
            yield one

    with bar:
        yield watched, held.append if hold else to_stdout
    for text in held:
        to_stdout(text)


@contextmanager
def progress_bar(count: int) -> Iterator[Callable[[int], None]]:
    """Show how far something has come, on a terminal. Gives what to call with the size of each part done."""
    if not sys.stderr.isatty():
        yield lambda size: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    bar = Progress(
        BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    )
    task = bar.add_task("", total=count)
    with bar:
        yield lambda size: bar.advance(task, size)
