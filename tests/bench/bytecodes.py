"""How many bytecodes an audit takes: `python -m tests.bench.bytecodes [LOG...]`, the clean games of Calth and the card
game's recorded games if none is named.

Counted is the second audit of a log, with its digest. No clock has a say in that and C has no part, so it hangs on no
machine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from auditor.engine import audit_log
from tests.bench.measure import ROOT

GAMES = ROOT / "fixtures"
USUAL = (
    *(GAMES / "calth" / "games" / f"clean-{n}.jsonl" for n in (1, 2)),
    *(GAMES / "hcg" / "games" / f"{name}.json" for name in ("four-turns", "extra-turn", "two-sectors", "hidden-decks")),
    *(GAMES / "hcg" / "games" / name for name in ("in-short.json", "faulty-2.jsonl")),
)


def bytecodes(work: Callable[[], object]) -> int:
    """The bytecodes of Python that some work takes, done once before."""
    work()
    counted = 0

    def within(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal counted
        counted += event == "opcode"
        return within

    def entered(frame: FrameType, event: str, arg: Any) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return within

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        work()
    finally:
        sys.settrace(before)
    return counted


def main(args: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bytecodes", description=__doc__)
    parser.add_argument("logs", nargs="*", type=Path, metavar="LOG", help="logs; if none is named, the usual ones")
    for path in parser.parse_args(args).logs or USUAL:
        data = path.read_bytes()
        events = data.count(b'"seq"')
        found = bytecodes(lambda data=data: audit_log(data))  # type: ignore[misc]
        print(
            f"{path.parts[-3]} {path.stem}: {found:,} bytecodes, {events} events, {found / events:,.0f} an event",
            flush=True,
        )


if __name__ == "__main__":
    main()
