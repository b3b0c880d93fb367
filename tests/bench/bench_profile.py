"""Where an audit's time goes, by ablation: the same log with one part of the work after another put in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from auditor import systems
from auditor.core.replay import Replay
from auditor.core.rulings import rulings as complete
from auditor.engine import audit_json, audit_log, seldom_collected
from auditor.ingest import read
from tests.bench.games import name_of
from tests.bench.measure import loads, middle, seconds, steady
from tests.bench.table import Row


def bench(path: Path, rounds: int) -> list[Row]:
    """Each step with all before it, and what it adds to them, in multiples of json.loads."""
    data = path.read_bytes()
    record = read(data)
    ruleset = systems.game(record.game).ruleset
    in_force = complete(record.header.get("rulings"), ruleset.readings, [rule.id for rule in ruleset.rules])
    decided = replace(in_force, domains={reading: (option,) for reading, option in in_force.selected.items()})
    unjudged = replace(ruleset, rules=())
    steps: dict[str, Callable[[], object]] = {
        "reading": lambda: read(data),
        "resolve and adopt, without a rule": lambda: Replay(unjudged, read(data), decided).run(),
        "checks under the readings in force, and what they find": lambda: Replay(ruleset, read(data), decided).run(),
        "the other readings": lambda: Replay(ruleset, read(data), in_force).run(),
        "causes and the audit's value": lambda: audit_log(data, digest=False),
        "digest and JSON": lambda: audit_json(data),
    }
    times: dict[str, list[float]] = {name: [] for name in steps}
    for work in steps.values():
        work()
    for _ in range(rounds):
        yardstick = steady(lambda: loads(data))
        for name, work in steps.items():
            with seldom_collected():
                times[name].append(seconds(work) / yardstick)
    rows = []
    before = 0.0
    for name, ratios in times.items():
        ratio = middle(ratios)
        rows.append(
            Row(f"{name_of(path)}: {name}", f"adds {ratio - before:.1f} x", "json.loads", f"{ratio:.1f} x so far")
        )
        before = ratio
    return rows
