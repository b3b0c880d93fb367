"""Two revisions side by side: `python -m tests.bench.compare REV [PART…]` (`make bench-compare REV=…`).

The working tree is held against a revision of the repository. Both do the same work in turn, each in a process of its
own, so that what else the machine does befalls both; what is compared is processor time. A difference is proved where
all of a 95 % interval of the rounds' ratios lies on one side of 1.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Mapping, Sequence
from math import comb
from pathlib import Path

from tests.bench.games import GENERATED, examples, name_of
from tests.bench.measure import ROOT, middle, worked

ROUNDS = 15
CLEARLY = 0.95

PROBE = """
import sys, time
from auditor.engine import audit_log
data = open(sys.argv[1], "rb").read()
times = int(sys.argv[2])
if times:
    audit_log(data)
start = time.process_time()
for _ in range(times or 1):
    audit_log(data)
print((time.process_time() - start) / (times or 1))
"""
"""What both revisions run: it asks of them nothing but `audit_log`."""

Work = Callable[[Path], float]
"""Processor time of some work, done by the revision in a folder."""


def interval(ratios: Sequence[float], sure: float = CLEARLY) -> tuple[float, float]:
    """Between which of the ratios their median lies, with so much certainty: order statistics, no assumption made."""
    ordered = sorted(ratios)
    n, left_out, outside = len(ordered), 0, 0
    while 1 - 2 * (outside + comb(n, left_out)) / 2**n >= sure:
        outside += comb(n, left_out)
        left_out += 1
    left_out = max(left_out - 1, 0)
    return ordered[left_out], ordered[n - 1 - left_out]


def verdict(ratios: Sequence[float]) -> str:
    """What the ratios of new to old prove."""
    low, high = interval(ratios)
    if len(ratios) < 6:
        return f"not proved: {len(ratios)} rounds are too few"
    if high < 1:
        return f"faster, between {low:.2f} and {high:.2f} times the old"
    if low > 1:
        return f"SLOWER, between {low:.2f} and {high:.2f} times the old"
    return f"not proved: between {low:.2f} and {high:.2f} times the old"


def unpacked(revision: str, folder: Path) -> Path:
    """The files of a revision. Raises CalledProcessError where there is none of that name."""
    packed = subprocess.run(["git", "archive", revision], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def probe(log: Path, times: int) -> Work:
    def work(tree: Path) -> float:
        told = subprocess.run(
            [sys.executable, "-c", PROBE, str(log), str(times)],
            cwd=tree, env={**os.environ, "PYTHONPATH": str(tree)}, stdout=subprocess.PIPE, check=True,
        )  # fmt: skip
        return float(json.loads(told.stdout))

    return work


def command(*arguments: str) -> Work:
    before: set[Path] = set()

    def work(tree: Path) -> float:
        called = [sys.executable, "-m", "auditor", *arguments]
        if tree not in before:
            before.add(tree)
            worked(called, tree)
        return worked(called, tree)

    return work


def audits(folder: Path) -> Mapping[str, Work]:
    """Whole audits of the example games, warm and first."""
    work: dict[str, Work] = {}
    for path in examples():
        work[f"audit with digest, warm: {name_of(path)}"] = probe(path, 8)
        work[f"audit with digest, first: {name_of(path)}"] = probe(path, 0)
    return work


def generated(folder: Path) -> Mapping[str, Work]:
    """Whole audits of generated games: both revisions get the same logs, written by this one."""
    logs = []
    for key, generate in GENERATED.items():
        for seed in (1, 2, 3, 5):
            logs.append(folder / f"{key}-seed-{seed}.jsonl")
            logs[-1].write_bytes(generate(seed))
    return {f"audit with digest, warm: {path.stem}": probe(path, 2) for path in logs}


def start(folder: Path) -> Mapping[str, Work]:
    """Commands from start to end."""
    clean = next(path for path in examples() if path.stem.startswith("clean"))
    return {
        "auditor --help": command("--help"),
        "auditor rules CAL-LOS-01": command("rules", "CAL-LOS-01"),
        f"auditor audit {clean.stem}": command("audit", str(clean)),
    }


PARTS: Mapping[str, Callable[[Path], Mapping[str, Work]]] = {part.__name__: part for part in (audits, generated, start)}
"""What can be compared, by part; each gets a folder for what it writes."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.compare", description=__doc__)
    parser.add_argument("revision", help="what the working tree is held against: a commit, a tag, HEAD~3 …")
    parser.add_argument("parts", nargs="*", metavar="PART", help="audits, generated, start; all if none is named")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder) / "logs"
        logs.mkdir()
        if unknown := [part for part in asked.parts if part not in PARTS]:
            parser.error(f"there is no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
        try:
            old = unpacked(asked.revision, Path(folder) / "old")
        except subprocess.CalledProcessError:
            parser.error(f"git knows no revision {asked.revision}")
        print(f"old: {asked.revision}; new: the working tree; {asked.rounds} rounds in turn, processor time")
        for part in asked.parts or PARTS:
            for name, work in PARTS[part](logs).items():
                pairs = [(work(old), work(ROOT)) for _ in range(asked.rounds)]
                ratios = [new / before for before, new in pairs]
                before, new = middle(one for one, _ in pairs), middle(two for _, two in pairs)
                print(
                    f"  {name:<44} {before * 1e3:8.1f} ms  {new * 1e3:8.1f} ms  {middle(ratios):5.2f} x  {verdict(ratios)}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
