"""A folder of many logs of Betrayal at Calth, by two processes against one: by the clock, since that is what two are for."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.games import examples
from tests.bench.measure import middle, worked
from tests.bench.table import Row, at_least

LOGS = 1_000
GOAL = 1.8


def bench(logs: int = LOGS, rounds: int = 3) -> list[Row]:
    games = [path.read_bytes() for path in examples() if path.parent.parent.name == "calth"]
    clock: dict[int, list[float]] = {1: [], 2: []}
    work: dict[int, list[float]] = {1: [], 2: []}
    with tempfile.TemporaryDirectory() as folder:
        for n in range(logs):
            header, rest = games[n % len(games)].split(b"\n", 1)
            (Path(folder) / f"{n:04}.jsonl").write_bytes(header[:-1] + b',"table_number":%d}\n' % n + rest)
        for _ in range(rounds):
            for jobs in (1, 2):
                command = [sys.executable, "-m", "auditor", "audit", folder, "--format", "jsonl", "--jobs", str(jobs)]
                start = time.perf_counter()
                work[jobs].append(worked(command))
                clock[jobs].append(time.perf_counter() - start)
    ratio = middle(one / two for one, two in zip(clock[1], clock[2], strict=True))
    cost = middle(two / one for one, two in zip(work[1], work[2], strict=True))
    return [
        Row(
            f"{logs:,} logs, 2 processes against 1, by the clock ({os.cpu_count()} cores)",
            f"{middle(clock[2]):.1f} s",
            f"1 process: {middle(clock[1]):.1f} s",
            f"{ratio:.2f} x",
            *at_least(GOAL, ratio),
        ),
        Row(
            "the same in processor time: what two cost more than one",
            f"{middle(work[2]):.1f} s",
            f"1 process: {middle(work[1]):.1f} s",
            f"{cost:.2f} x",
        ),
    ]
