"""Random bytes to the readers: `python -m tests.fuzz --runs 20000000 FOLDER`, with atheris where it is installed (it follows
which lines are reached, and keeps in FOLDER what reached new ones), else with hypothesis. The first crash ends it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
TOKENS = Path(__file__).parent / "tokens.dict"
FOLLOWED = ("auditor.ingest", "auditor.core.record", "auditor.systems.packs", "auditor.systems.sheets")
"""Where it is followed which lines are reached, at half of the speed: in the readers. All else runs as it is."""


def _passed_over() -> list[str]:
    """The modules of the program whose lines are not followed."""
    root = Path(__file__).parents[2]
    files = (path.relative_to(root).with_suffix("") for path in (root / "auditor").rglob("*.py"))
    names = (".".join(file.parts).removesuffix(".__init__") for file in files)
    return [name for name in names if not name.startswith(FOLLOWED)]


def by_atheris(runs: int, folder: Path, seconds: int, longest: int) -> None:
    import atheris

    with atheris.instrument_imports(include=["auditor"], exclude=_passed_over()):
        from tests.fuzz import targets
    options = [
        f"-runs={runs}",
        f"-max_len={longest}",
        f"-dict={TOKENS}",
        "-timeout=30",
        "-rss_limit_mb=1500",
        f"-max_total_time={seconds}",
    ]
    atheris.Setup([sys.argv[0], *options, "-print_final_stats=1", str(folder), str(CORPUS)], targets.one)
    atheris.Fuzz()


def by_hypothesis(runs: int) -> None:
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st

    from tests.fuzz import targets

    seeds = [path.read_bytes() for path in sorted(CORPUS.iterdir())]

    @settings(max_examples=runs, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(
        st.sampled_from(seeds), st.lists(st.tuples(st.integers(0, 4096), st.integers(0, 40), st.binary(max_size=20)))
    )
    def feed(seed: bytes, changes: list[tuple[int, int, bytes]]) -> None:
        for at, length, piece in changes:
            seed = seed[:at] + piece + seed[at + length :]
        targets.one(seed)

    feed()
    print(f"{runs:,} inputs, no crash")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where inputs that reached something new are kept")
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=0, help="stop after so long; 0: only after the runs")
    parser.add_argument("--longest", type=int, default=1024, help="bytes of an input")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    try:
        import atheris  # noqa: F401
    except ImportError:
        by_hypothesis(given.runs)
    else:
        by_atheris(given.runs, given.folder, given.seconds, given.longest)


if __name__ == "__main__":
    main()
