"""Invented games of seeds that nobody chose: what an audit costs at the middle, near the end, and at worst."""

from __future__ import annotations

from auditor.engine import audit_log
from tests.bench.games import GENERATED
from tests.bench.measure import least_of, loads, middle, seconds, share, steady
from tests.bench.table import Row, at_most

GAMES = 100
MEDIAN, WORST = 10.0, 25.0


def bench(games: int = GAMES) -> list[Row]:
    """The games of seeds 1, 2, 3 …, first audit and second, the audit alone, in multiples of json.loads."""
    return [row for key in GENERATED for row in bench_one(key, games)]


def bench_one(key: str, games: int) -> list[Row]:
    audit_log(GENERATED[key](0))  # loads the game
    first: dict[int, float] = {}
    again: dict[int, float] = {}
    for seed in range(1, games + 1):
        data = GENERATED[key](seed)
        yardstick = steady(lambda data=data: loads(data))
        first[seed] = seconds(lambda data=data: audit_log(data, digest=False)) / yardstick
        again[seed] = least_of(lambda data=data: audit_log(data, digest=False), 2) / yardstick

    def row(what: str, found: float, note: str, goal: float | None) -> Row:
        return Row(
            f"{games} generated games ({key}), audit alone: {what}",
            note,
            "json.loads",
            f"{found:.1f} x",
            *at_most(goal, found),
        )

    worst, worst_first = max(again, key=again.__getitem__), max(first, key=first.__getitem__)
    return [
        row("median", middle(again.values()), "warm", MEDIAN),
        row("95 of 100 below", share(list(again.values()), 0.95), "warm", None),
        row("worst", again[worst], f"warm, seed {worst}", WORST),
        row("median", middle(first.values()), "the first audit, board and all", None),
        row("worst", first[worst_first], f"the first audit, board and all, seed {worst_first}", None),
    ]
