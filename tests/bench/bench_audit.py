"""What a whole audit costs, from the bytes of a log to the audit's value: `python -m tests.bench.bench_audit`.

Each yardstick runs in the same process, in turn with what it measures, on the same bytes. Times are of the processor, so
that what else the machine does counts less; they are medians of several rounds, and a ratio is the median of the rounds'
own ratios.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from auditor.conformance.generate import as_jsonl, generate
from auditor.core.canonical import canonical
from auditor.engine import audit_log
from auditor.geometry import fans, lines
from auditor.ingest import read
from auditor.systems.calth import state
from tests.bench import bench_chess
from tests.bench.table import Row
from tests.calth.examples import five_roots

GAMES = Path(__file__).parents[2] / "fixtures" / "calth" / "games"
LONG = 100_000
MOST_SECONDS, MOST_MEGABYTES = 10.0, 300.0


def seconds(work: Callable[[], object], times: int = 1) -> float:
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times


def loads(data: bytes) -> None:
    """The yardstick: the same bytes, each line of them parsed."""
    for line in data.splitlines():
        json.loads(line)


def with_everything(data: bytes) -> bytes:
    """An audit with its digest, as JSON."""
    return canonical(audit_log(data))


def forget() -> None:
    """Let every line and fan be compiled anew, as for a board that nobody has played on yet."""
    state._SIGHTS.clear()
    lines._kept.cache_clear()
    fans._kept.cache_clear()


def bench(name: str, rounds: int) -> list[Row]:
    """One clean game: whole, with everything, on a new board, and an event against a ply."""
    data = (GAMES / f"{name}.jsonl").read_bytes()
    events = data.count(b"\n") - 1
    pgns = bench_chess.games()
    plies = bench_chess.validate(pgns)
    value = audit_log(data, digest=False)
    assert value["verdict"] == "clean"
    columns: dict[str, list[float]] = {key: [] for key in ("loads", "read", "audit", "all", "new", "ply")}
    for _ in range(rounds):
        columns["loads"].append(seconds(lambda: loads(data), 5) / events)
        columns["audit"].append(seconds(lambda: audit_log(data, digest=False)) / events)
        columns["read"].append(seconds(lambda: read(data)) / events)
        columns["all"].append(seconds(lambda: with_everything(data)) / events)
        columns["ply"].append(seconds(lambda: bench_chess.validate(pgns)) / plies)
    for _ in range(min(rounds, 3)):
        forget()
        columns["new"].append(seconds(lambda: audit_log(data, digest=False)) / events)

    def row(what: str, ours: str, theirs: str, yardstick: str, goal: float | None) -> Row:
        pairs = list(zip(columns[ours], columns[theirs], strict=False))
        ratio = statistics.median(one / two for one, two in pairs)
        return Row(
            f"{what} ({name}, {events} events)",
            f"{statistics.median(columns[ours]) * 1e6:.1f} us an event",
            f"{yardstick}: {statistics.median(columns[theirs]) * 1e6:.1f} us",
            f"{ratio:.2f} x",
            None if goal is None else f"at most {goal:.2f} x",
            None if goal is None else ratio <= goal,
        )

    return [
        row("reading the log", "read", "loads", "json.loads", None),
        row("whole audit", "audit", "loads", "json.loads", 2.0),
        row("with digest and JSON", "all", "loads", "json.loads", None),
        row("whole audit on a board not seen before", "new", "loads", "json.loads", None),
        row("an event against a ply", "audit", "ply", "chess.pgn.read_game", 0.35),
    ]


def bench_causes(rounds: int) -> list[Row]:
    """A game with five roots: with its causes, against the same audit without them."""
    data = five_roots()
    pairs = [
        (seconds(lambda: audit_log(data, digest=False)), seconds(lambda: audit_log(data, digest=False, causes=False)))
        for _ in range(rounds + 1)
    ][1:]  # the first compiles the board
    ratio = statistics.median(one / two for one, two in pairs)
    return [
        Row(
            "an audit with causes (five roots)",
            f"{statistics.median(one for one, _ in pairs) * 1e3:.0f} ms",
            f"without: {statistics.median(two for _, two in pairs) * 1e3:.0f} ms",
            f"{ratio:.2f} x",
            "at most 3.00 x",
            ratio <= 3,
        )
    ]


# -- a long log --------------------------------------------------------------------------------------------------


def long_log(events: int) -> bytes:
    """One generated game over and over, each time from the position that it states at first."""
    header, *once = generate(3, rounds=5, first_round=2)
    once = [event for event in once if event["type"] not in ("scenario_end", "campaign_end", "end", "game_start")]
    log = [{**once[i % len(once)], "seq": i + 1} for i in range(events)]
    return as_jsonl([header, *log]).encode()


def largest_resident() -> int:
    """The most memory that this process has had, in bytes. Linux lets a child inherit its parent's `ru_maxrss`."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1]) * 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def measure(path: str) -> None:
    """In a process of its own: audit a file and say how long that took and how much memory the process used."""
    audit_log((GAMES / "clean-1.jsonl").read_bytes(), digest=False)
    before = largest_resident()
    data = Path(path).read_bytes()
    start, worked = time.perf_counter(), time.process_time()
    value = audit_log(data, digest=False)
    took, worked = time.perf_counter() - start, time.process_time() - worked
    assert value["coverage"]["resolved"] >= data.count(b"\n") - 2
    print(json.dumps({"seconds": took, "worked": worked, "before": before, "most": largest_resident()}))


def bench_long(events: int = LONG) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.jsonl"
        path.write_bytes(long_log(events))
        size = path.stat().st_size / 1e6
        command = [sys.executable, "-c", f"from tests.bench.bench_audit import measure; measure({str(path)!r})"]
        told = subprocess.run(command, cwd=GAMES.parents[2], capture_output=True, text=True, check=True).stdout
    found = json.loads(told)
    megabytes = found["most"] / 1e6
    what = f"{events:,} events, {size:.1f} MB, one core"
    return [
        Row(
            f"a long log: {what}",
            f"{found['worked']:.1f} s",
            f"by the clock {found['seconds']:.1f} s",
            f"{found['worked'] / events * 1e6:.0f} us an event",
            f"at most {MOST_SECONDS * events / LONG:.1f} s",
            found["worked"] <= MOST_SECONDS * events / LONG,
        ),
        Row(
            "its memory (largest resident size)",
            f"{megabytes:.0f} MB",
            f"before it {found['before'] / 1e6:.0f} MB",
            "",
            f"at most {MOST_MEGABYTES:.0f} MB",
            megabytes <= MOST_MEGABYTES,
        ),
    ]


if __name__ == "__main__":
    from tests.bench.table import show

    show([*bench("clean-1", 9), *bench("clean-2", 9), *bench_causes(9), *bench_long()])
