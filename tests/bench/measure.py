"""How things are measured: by processor time, each beside its yardstick, in a process of its own where memory counts."""

from __future__ import annotations

import atexit
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[2]


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """Processor time of one call, over several."""
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times


def loads(data: bytes) -> None:
    """The yardstick: the same bytes, each line of them parsed."""
    for line in data.splitlines():
        json.loads(line)


def steady(work: Callable[[], object], least: float = 0.05) -> float:
    """Processor time of one call of something short: over as many calls as take long enough to be told apart."""
    times = 1
    while (took := seconds(work, times) * times) < least:
        times *= 2
    return took / times


def least_of(work: Callable[[], object], times: int) -> float:
    """The shortest of several calls, for what is too long to be repeated often."""
    return min(seconds(work) for _ in range(times))


def middle(numbers: Iterable[float]) -> float:
    return median(numbers)


def share(numbers: Sequence[float], of: float) -> float:
    """The number below which so large a share of the others lies."""
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, int(of * len(ordered)))]


def largest_resident() -> int:
    """The most memory that this process has had, in bytes. Linux lets a child inherit its parent's `ru_maxrss`."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1]) * 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def in_a_child(function: str, *args: Any, megabytes: int = 2048, most_seconds: int = 300) -> Any:
    """What a function of this package ("bench_long.measure") gives back as JSON, called in a process with limits of
    memory and processor time. Raises CalledProcessError where it goes beyond them."""
    module, name = function.split(".")
    code = (
        "import json, resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({megabytes * 2**20},) * 2)\n"
        f"resource.setrlimit(resource.RLIMIT_CPU, ({most_seconds},) * 2)\n"
        f"from tests.bench import {module}\n"
        f"print(json.dumps({module}.{name}(*json.loads(sys.argv[1]))))"
    )
    command = [sys.executable, "-c", code, json.dumps(args)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def worked(command: Sequence[str], cwd: Path = ROOT) -> float:
    """Processor time of a command from its start to its end, that of its own children included.

    What is imported is compiled once and kept, as where the program is installed, whatever the environment says; so the
    first call takes longer.
    """
    environment = {**os.environ, "PYTHONPATH": str(cwd), "PYTHONPYCACHEPREFIX": str(_compiled())}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=cwd, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@cache
def _compiled() -> Path:
    """A folder for compiled modules, gone with this process."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return Path(folder.name)
