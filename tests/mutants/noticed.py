"""One tree with one change in it: which test notices?"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.mutants.rooms import Room

LIMIT = 1800.0
"""Seconds by the clock. A change that makes a program run for ever is noticed: nobody would wait longer."""


def who_notices(tree: Path, room: Room) -> str | None:
    """The first test that fails in a tree, `time` if none came to its end in time, or None if all pass."""
    for tests in filter(None, (room.first, room.then)):
        try:
            run = subprocess.run(
                [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:randomly", "--timeout=300", *tests],
                cwd=tree,
                env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(tree)},
                capture_output=True,
                text=True,
                timeout=LIMIT,
            )
        except subprocess.TimeoutExpired:
            return "time"
        if run.returncode:
            return _failed(run.stdout) or f"pytest ended with {run.returncode}"
    return None


def _failed(output: str) -> str | None:
    lines = [line for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return lines[0].split(" ", 1)[1].split(" - ")[0] if lines else None
