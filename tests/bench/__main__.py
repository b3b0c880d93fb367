"""The speed table: `python -m tests.bench` (`make bench`), or with `--quick` every part of it once and small.

A goal that is not met is said in the table; the exit status is 0 all the same, since it says that everything ran.
"""

from __future__ import annotations

import argparse
import os
import platform

import shapely

from auditor import __version__
from tests.bench import bench_audit, bench_geometry
from tests.bench.table import Row, show


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="everything once and small, to see that it runs")
    quick = parser.parse_args().quick
    rounds = 1 if quick else 15
    print(f"python -m tests.bench{' --quick' if quick else ''}")
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(
        f"  auditor {__version__}, Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores{load};"
        f" shapely {shapely.__version__}, GEOS {shapely.geos_version_string}"
    )
    print(f"\nWhole audits; processor time, medians of {rounds} interleaved rounds")
    rows: list[Row] = []
    for name in ("clean-1",) if quick else ("clean-1", "clean-2"):
        rows += bench_audit.bench(name, rounds)
    rows += bench_audit.bench_causes(rounds)
    rows += bench_audit.bench_long(2_000 if quick else bench_audit.LONG)
    show(rows)
    print("\nGeometry")
    if quick:
        bench_geometry.show([bench_geometry.bench_clear()])
    else:
        bench_geometry.main()
    missed = [row.what for row in rows if row.met is False]
    print(f"\nGoals of whole audits not met: {'; '.join(missed) if missed else 'none'}")


if __name__ == "__main__":
    main()
