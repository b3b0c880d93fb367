"""What a whole audit costs, from the bytes of a log to the audit's value and to its JSON.

Each yardstick runs in the same process, in turn with what it measures, on the same bytes. Times are of the processor, so
that what else the machine does counts less; they are medians of several rounds, and a ratio is the median of the rounds'
own ratios.
"""

from __future__ import annotations

import json
from pathlib import Path

from auditor.engine import audit_json, audit_log
from auditor.geometry import fans, lines
from auditor.ingest import read
from auditor.systems.calth import state
from tests.bench import bench_chess
from tests.bench.games import ON_THE_BOARD_OF, name_of
from tests.bench.measure import in_a_child, loads, middle, seconds, steady
from tests.bench.table import Row, at_most
from tests.calth.examples import five_roots

WARM = {"clean-1": 10.0, "clean-2": 7.0}
COLD = {"clean-1": 13.0, "clean-2": 9.0}
PLY = {"clean-1": 2.0, "clean-2": 1.3}
"""Goals, in multiples of the yardstick."""


def with_everything(data: bytes) -> bytes:
    """An audit with its digest, as JSON."""
    return audit_json(data)[1]


def forget() -> None:
    """Let every line and fan be compiled anew, as for a board that nobody has played on yet."""
    state._SIGHTS.clear()
    lines._kept.cache_clear()
    fans._kept.cache_clear()


def bench(path: Path, rounds: int) -> list[Row]:
    """One example game: whole, with everything, cold, on a new board, and an event against a ply."""
    name, data = name_of(path), path.read_bytes()
    events = data.count(b"\n") - 1
    pgns = bench_chess.games()
    plies = bench_chess.validate(pgns)
    columns: dict[str, list[float]] = {key: [] for key in ("loads", "read", "audit", "all", "new", "ply")}
    audit_log(data)
    for _ in range(rounds):
        columns["loads"].append(steady(lambda: loads(data)) / events)
        columns["audit"].append(seconds(lambda: audit_log(data, digest=False)) / events)
        columns["read"].append(seconds(lambda: read(data)) / events)
        columns["all"].append(seconds(lambda: with_everything(data)) / events)
        columns["ply"].append(seconds(lambda: bench_chess.validate(pgns)) / plies)
    for _ in range(min(rounds, 3)):
        forget()
        columns["new"].append(seconds(lambda: audit_log(data, digest=False)) / events)

    def row(what: str, ours: str, theirs: str, yardstick: str, goal: float | None) -> Row:
        pairs = list(zip(columns[ours], columns[theirs], strict=False))
        ratio = middle(one / two for one, two in pairs)
        return Row(
            f"{what} ({name}, {events} events)",
            f"{middle(columns[ours]) * 1e6:.1f} us an event",
            f"{yardstick}: {middle(columns[theirs]) * 1e6:.1f} us",
            f"{ratio:.2f} x",
            *at_most(goal, ratio),
        )

    rows = [
        row("reading the log", "read", "loads", "json.loads", None),
        row("audit alone, warm", "audit", "loads", "json.loads", None),
        row("audit + digest + JSON, warm", "all", "loads", "json.loads", WARM.get(name)),
        row("audit alone, on a board not seen before", "new", "loads", "json.loads", None),
        row("an event (audit alone, warm) against a ply", "audit", "ply", "chess.pgn.read_game", PLY.get(name)),
    ]
    return [*rows, *bench_cold(path, min(rounds, 5))]


def bench_cold(path: Path, rounds: int) -> list[Row]:
    """A game that the process has never seen, on a board that it knows from another game."""
    header = json.loads(path.read_bytes().split(b"\n", 1)[0])
    if header["game"] not in ON_THE_BOARD_OF:
        return []
    told = [in_a_child("bench_audit.first_audit", str(path)) for _ in range(rounds)]
    ratio = middle(one["audit"] / one["loads"] for one in told)
    return [
        Row(
            f"audit + digest + JSON, cold: game never seen, board known ({name_of(path)})",
            f"{middle(one['audit'] for one in told) * 1e3:.1f} ms",
            f"json.loads: {middle(one['loads'] for one in told) * 1e3:.2f} ms",
            f"{ratio:.2f} x",
            *at_most(COLD.get(name_of(path)), ratio),
        )
    ]


def first_audit(path: str) -> dict[str, float]:
    """In a process of its own: the first audit of a game, after one of another game on its board."""
    data = Path(path).read_bytes()
    header = json.loads(data.split(b"\n", 1)[0])
    with_everything(ON_THE_BOARD_OF[header["game"]](header))
    yardstick = steady(lambda: loads(data))
    return {"audit": seconds(lambda: with_everything(data)), "loads": yardstick}


def bench_causes(rounds: int) -> list[Row]:
    """A game with five roots: with its causes, against the same audit without them."""
    data = five_roots()
    pairs = [
        (seconds(lambda: audit_log(data, digest=False)), seconds(lambda: audit_log(data, digest=False, causes=False)))
        for _ in range(rounds + 1)
    ][1:]  # the first compiles the board
    ratio = middle(one / two for one, two in pairs)
    return [
        Row(
            "an audit with causes (five roots)",
            f"{middle(one for one, _ in pairs) * 1e3:.0f} ms",
            f"without: {middle(two for _, two in pairs) * 1e3:.0f} ms",
            f"{ratio:.2f} x",
            *at_most(3.0, ratio),
        )
    ]
