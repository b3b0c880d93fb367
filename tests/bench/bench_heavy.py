"""What a record may cost: heavy records of every game, each in a process with limits, and each again twice as long.

The promise: no log within the limits costs more than ten seconds of processor and 300 MB; its JSON has at most 20 MB, and
a page of its report at most 2 MB.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from subprocess import CalledProcessError
from typing import Any

from auditor import engine
from auditor.engine import audit_json, log_heading
from auditor.jobs import drawings, forms
from auditor.jobs.packed import head_and_rest, packed
from auditor.jobs.subject import Subject
from auditor.report.paging import LISTS
from tests.bench import bench_worst, heavy_cards, heavy_inches
from tests.bench.measure import ROOT, in_a_child, largest_resident, seconds
from tests.bench.table import Row

MOST_SECONDS, MOST_MEGABYTES, MOST_JSON, MOST_PAGE = 10.0, 300.0, 20.0, 2.0
LIMIT_MEGABYTES, LIMIT_SECONDS = 1024, 60
"""Of the process in which each log is audited."""
Shapes = Mapping[str, tuple[Callable[[int], bytes], int]]

HEXES: Shapes = {name: shape for name, shape in bench_worst.LOGS.items() if shape[0] is not bench_worst.cards}
SHAPES: Mapping[str, Shapes] = {"hcg": heavy_cards.SHAPES, "clx": heavy_inches.SHAPES, "calth": HEXES}
WARM = {
    "calth": "fixtures/calth/games/clean-1.jsonl",
    "hcg": "fixtures/hcg/games/in-short.json",
    "clx": "fixtures/clx/games/faulty-1.jsonl",
}


def bench(divided_by: int = 1, only: str = "") -> list[Row]:
    return [
        row
        for game, shapes in SHAPES.items()
        for name, (make, count) in shapes.items()
        if only in f"{game} {name}"
        for row in bench_one(game, name, make, count, divided_by)
    ]


def bench_one(game: str, name: str, make: Callable[[int], bytes], count: int, divided_by: int = 1) -> list[Row]:
    """A shape at half of its length, and at all of it."""
    rows: list[Row] = []
    before: dict[str, Any] | None = None
    for size in (max(1, count // divided_by // 2), max(1, count // divided_by)):
        data = make(size)
        found = cost_of(game, data)
        what = f"{game}: {size:,} {name}, {len(data) / 1e6:.1f} MB"
        if found is None:
            rows.append(Row(what, f"more than {LIMIT_SECONDS} s or {LIMIT_MEGABYTES} MB", "", "", GOAL, False))
            continue
        grown = f"{found['seconds'] / max(before['seconds'], 0.01):.1f} x" if before else ""
        before = found
        met = (
            found["seconds"] <= MOST_SECONDS
            and found["most"] / 1e6 <= MOST_MEGABYTES
            and found["json"] / 1e6 <= MOST_JSON
            and found["page"] is not None
            and found["page"] / 1e6 <= MOST_PAGE
        )
        page = f"{found['page'] / 1e6:.1f} MB" if found["page"] is not None else f"more than {LIMIT_SECONDS} s"
        ours = f"{found['seconds']:.1f} s, {found['most'] / 1e6:.0f} MB, JSON {found['json'] / 1e6:.1f} MB, page {page}"
        rows.append(Row(what, ours, found["verdict"], grown, GOAL, met))
    return rows


GOAL = f"at most {MOST_SECONDS:g} s, {MOST_MEGABYTES:.0f} MB, JSON {MOST_JSON:g} MB, page {MOST_PAGE:g} MB"


def cost_of(game: str, data: bytes) -> dict[str, Any] | None:
    """What an audit costs in a process of its own; None where it went beyond that process's limits."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "heavy.jsonl"
        path.write_bytes(data)
        limits = {"megabytes": LIMIT_MEGABYTES, "most_seconds": LIMIT_SECONDS}
        try:
            found: dict[str, Any] = in_a_child("bench_heavy.measure", game, str(path), **limits)
        except CalledProcessError:
            return None
        try:
            found["page"] = in_a_child("bench_heavy.largest_page", game, str(path), **limits)
        except CalledProcessError:
            found["page"] = None
    return found


def measure(game: str, path: str) -> dict[str, Any]:
    """In a process of its own: audit a file; seconds of processor, most bytes of memory, bytes of JSON."""
    audit_json((ROOT / WARM[game]).read_bytes())
    data = Path(path).read_bytes()
    made: dict[str, Any] = {}

    def work() -> None:
        value, text = audit_json(data)
        made.update(verdict=value["verdict"], json=len(text))
        Path(f"{path}.audit").write_bytes(text)
        if value["verdict"] == "unreadable":
            made["verdict"] = f"refused: {value['errors'][0]['found']}"

    took = seconds(work)
    return {"seconds": took, "most": largest_resident(), **made}


def largest_page(game: str, path: str) -> int:
    """In a process of its own: bytes of the largest page of the report that was just audited: its first one, the second of
    one of its lists, or that of its last event or of the one with the most findings; without the shell."""
    data, audit = Path(path).read_bytes(), Path(f"{path}.audit").read_bytes()
    events = list(engine.timeline(data))
    written = json.dumps(events).encode()
    value, digest = json.loads(audit), engine.log_sha256(data)
    subject = Subject("1", "heavy.jsonl", game, log_heading(data), digest, value["verdict"], len(events))
    asked: list[tuple[Any, ...]] = [("report",), *(("report_list", name, 2) for name in LISTS)]
    found = Counter(finding["seq"] for finding in value["findings"])
    frames = engine.replay_frames(
        data, seqs=[*(seq for seq, _ in found.most_common(1)), *(e["seq"] for e in events[-1:])]
    )
    asked += [("event", drawings.pack([frame]), frame["seq"]) for frame in frames]
    made = [forms.form(engine, subject, packed(audit), packed(written), *one).value for one in asked]
    return max(sum(map(len, head_and_rest(one)[1])) for one in made if one is not None)


def main() -> None:
    """`python -m tests.bench.bench_heavy [WORDS [DIVISOR]]`: the shapes whose names hold some words, each as it is done."""
    import sys

    only = sys.argv[1] if len(sys.argv) > 1 else ""
    divided_by = sys.argv[2] if len(sys.argv) > 2 else "1"
    for game, shapes in SHAPES.items():
        for name, (make, count) in shapes.items():
            if only in f"{game} {name}":
                for row in bench_one(game, name, make, count, int(divided_by)):
                    print("  " + " | ".join(row.cells()), flush=True)


if __name__ == "__main__":
    main()
