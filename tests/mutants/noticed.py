"""One tree with one change in it: does a test notice that pytest has to run?"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from itertools import count
from pathlib import Path

from tests.mutants.changes import Change
from tests.mutants.rooms import Room

LIMIT = 300
"""Seconds of processor time of a process. A change that makes a program run for ever is noticed."""
_times = count(2_000_000_000)


def who_notices(tree: Path, room: Room) -> str | None:
    """The first test that fails in a tree, `time` if its processor time runs out, or None if all pass."""
    if not room.then:
        return None
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:randomly", "--timeout=0", *room.then],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5)),
    )
    if run.returncode < 0:
        return "time"
    return _failed(run.stdout) or f"pytest ended with {run.returncode}" if run.returncode else None


def who_notices_in(tree: Path, room: Room, change: Change) -> str | None:
    """The same with a change, which is taken back."""
    path = tree / change.file
    source = path.read_text(encoding="utf-8")
    try:
        _write(path, change.applied(source))
        return who_notices(tree, room)
    finally:
        _write(path, source)


def _write(path: Path, text: str) -> None:
    """Write a module at a time of its own, by which Python sees that what it compiled is old."""
    path.write_text(text, encoding="utf-8")
    now = next(_times)
    os.utime(path, (now, now))


def _failed(output: str) -> str | None:
    lines = [line for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return lines[0].split(" ", 1)[1].split(" - ")[0] if lines else None
