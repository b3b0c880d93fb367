"""What a command costs from its start to its end, in processor time: for one log the start is most of it."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.bench.games import examples, name_of
from tests.bench.measure import ROOT, middle, worked
from tests.bench.table import Row, at_most

AUDIT, OTHERS = 0.45, 0.25


def commands() -> dict[str, tuple[list[str], float]]:
    """What is called, and at most how many seconds it may take."""
    audits = {
        f"audit {name_of(path)}": (["audit", str(path)], AUDIT) for path in examples() if path.stem.startswith("clean")
    }
    return {"--help": (["--help"], OTHERS), "rules CAL-LOS-01": (["rules", "CAL-LOS-01"], OTHERS), **audits}


def called(arguments: list[str], root: Path = ROOT) -> float:
    return worked([sys.executable, "-m", "auditor", *arguments], root)


def bench(rounds: int) -> list[Row]:
    asked = commands()
    times: dict[str, list[float]] = {name: [] for name in asked}
    bare: list[float] = []
    for arguments, _ in asked.values():
        called(arguments)
    for _ in range(rounds):
        bare.append(worked([sys.executable, "-c", "import json, typer"]))
        for name, (arguments, _) in asked.items():
            times[name].append(called(arguments))
    return [
        Row(
            f"auditor {name}",
            f"{middle(times[name]):.2f} s (least {min(times[name]):.2f})",
            f"python -c 'import json, typer': {middle(bare):.2f} s",
            f"{middle(one / two for one, two in zip(times[name], bare, strict=True)):.1f} x",
            *at_most(goal, middle(times[name]), "s"),
        )
        for name, (_, goal) in asked.items()
    ]
