"""The speed table: `python -m tests.bench` (`make bench`), or some of its parts, or with `--quick` everything small.

A goal that is not met is said in the table; the exit status is 0 all the same, since it says that everything ran.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable, Mapping, Sequence

import shapely

from auditor import __version__
from tests.bench import (
    bench_audit,
    bench_cards,
    bench_generated,
    bench_geometry,
    bench_heavy,
    bench_inches,
    bench_many,
    bench_profile,
    bench_scale,
    bench_service,
    bench_start,
    bench_worst,
)
from tests.bench.games import examples
from tests.bench.table import Row, show

ROUNDS = 15


def audits(quick: bool) -> list[Row]:
    """Whole audits of the example games; medians of interleaved rounds."""
    games = examples()[:1] if quick else examples()
    rounds = 1 if quick else ROUNDS
    return [row for path in games for row in bench_audit.bench(path, rounds)] + bench_audit.bench_causes(rounds)


def profile(quick: bool) -> list[Row]:
    """Where the time goes: the same log with one part of the work after another put in, warm."""
    games = [path for path in examples() if path.stem.startswith("clean")]
    return [
        row for path in (games[:1] if quick else games) for row in bench_profile.bench(path, 1 if quick else ROUNDS)
    ]


def generated(quick: bool) -> list[Row]:
    """Generated games."""
    return bench_generated.bench(2 if quick else bench_generated.GAMES)


def inches(quick: bool) -> list[Row]:
    """Exact measuring in inches."""
    return bench_inches.bench(1 if quick else bench_inches.SCENES)


def cards(quick: bool) -> list[Row]:
    """The card game: an event beside one of Calth, and printed texts."""
    return bench_cards.bench(1 if quick else ROUNDS)


def heavy(quick: bool) -> list[Row]:
    """What a record may cost: heavy records of every game, each at half of its length and at all of it."""
    return bench_heavy.bench(divided_by=400 if quick else 1, only="tactics" if quick else "")


def worst(quick: bool) -> list[Row]:
    """Logs that might cost most, each in a process with limits."""
    return bench_worst.bench(divided_by=500 if quick else 1)


def start(quick: bool) -> list[Row]:
    """Commands from start to end, processor time."""
    return bench_start.bench(1 if quick else 9)


def many(quick: bool) -> list[Row]:
    """Many logs."""
    return bench_many.bench(8, 1) if quick else bench_many.bench()


def service(quick: bool) -> list[Row]:
    """The service."""
    return bench_service.bench(1 if quick else 15, quick=quick)


def scale(quick: bool) -> list[Row]:
    """Beyond one machine: embedded and clustered side by side, with PostgreSQL, Redis and an S3 server."""
    return bench_scale.bench(quick=quick)


def geometry(quick: bool) -> list[Row]:
    """Lines of sight and distances."""
    return [bench_geometry.bench_clear()] if quick else bench_geometry.bench()


PARTS: Mapping[str, Callable[[bool], list[Row]]] = {
    part.__name__: part
    for part in (audits, profile, generated, start, many, service, scale, geometry, inches, cards, worst, heavy)
}


def main(args: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of {', '.join(PARTS)}; all if none is named")
    parser.add_argument("--quick", action="store_true", help="everything once and small, to see that it runs")
    asked = parser.parse_args(args)
    unknown = [part for part in asked.parts if part not in PARTS]
    if unknown:
        parser.error(f"there is no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    parts = asked.parts or list(PARTS)
    print(" ".join(["python -m tests.bench", *asked.parts, *(["--quick"] if asked.quick else [])]))
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(
        f"  auditor {__version__}, Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores{load};"
        f" shapely {shapely.__version__}, GEOS {shapely.geos_version_string}"
    )
    missed: list[str] = []
    for part in parts:
        print(f"\n{PARTS[part].__doc__}", flush=True)
        rows = PARTS[part](asked.quick)
        show(rows)
        missed += [row.what for row in rows if row.met is False]
    print(f"\nGoals not met: {'; '.join(missed) if missed else 'none'}")


if __name__ == "__main__":
    main()
