"""What an audit of a faulty game costs, with what its lines may have meant: `python -m tests.bench.faulty [LOG...]`, the
example games with faults and the clean ones of inches if none is named.

Processor time of an audit against `json.loads` of its lines, both in turn; the middle of so many rounds.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from auditor.engine import audit_log
from tests.bench.measure import ROOT, loads, middle, steady

GAMES = ROOT / "fixtures"
USUAL = (
    *sorted(GAMES.glob("*/games/faulty-*.jsonl")),
    GAMES / "clx" / "games" / "five-turns.jsonl",
    GAMES / "clx" / "games" / "no-base-rules.jsonl",
)


def main(args: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.faulty", description=__doc__)
    parser.add_argument("logs", nargs="*", type=Path, metavar="LOG", help="logs; if none is named, the usual ones")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args(args)
    for path in given.logs or USUAL:
        data = path.read_bytes()
        audit_log(data)
        rounds = [
            (steady(lambda data=data: audit_log(data)), steady(lambda data=data: loads(data)))
            for _ in range(given.rounds)
        ]  # type: ignore[misc]
        took, ratio = middle(one for one, _ in rounds), middle(one / other for one, other in rounds)
        print(f"{path.parts[-3]} {path.stem}: {took:.2f} s, {ratio:,.0f} x json.loads", flush=True)


if __name__ == "__main__":
    main()
