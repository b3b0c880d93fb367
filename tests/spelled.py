"""Legal games in the spellings of people: `python -m tests.spelled` tries many and writes their table into the docs."""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

from auditor import systems
from auditor.trials.spelled import Tried, everywhere, once, table

TABLE = Path(__file__).parents[1] / "docs" / "spellings.md"


def tried(game: str, seeds: range, single: int, whole: int) -> list[Tried]:
    """Legal games of some seeds, each written otherwise: so often one value of it, so often all of a kind."""
    found: list[Tried] = []
    for seed in seeds:
        lines, _ = systems.game(game).inventor().legal_game(seed)
        rng = Random(f"{game} {seed}")
        found += [*once(game, seed, lines, rng, single), *everywhere(game, seed, lines, rng, whole)]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="legal games of each game")
    parser.add_argument("--values", type=int, default=200, help="values written otherwise, one at a time, in each")
    parser.add_argument("--kinds", type=int, default=100, help="kinds written otherwise as a whole, in each")
    given = parser.parse_args()
    rows, faults = [], 0
    for game in systems.game_keys():
        found = tried(game, range(1, given.games + 1), given.values, given.kinds)
        for one in found:
            if one.accused:
                print(f"{game} {one.seed}: {one.way}, {one.where}: {one.accused[0]}")
        rows += [f"| {game} | {way} | {games} | {wrong} |" for way, games, wrong in table(found)]
        faults += sum(bool(one.accused) for one in found)
    head = (
        "# Legal games in the spellings of people\n\nMade by `python -m tests.spelled`: legal games with one value, or all "
        f"of a kind, written otherwise.\n{given.games} games of each game, {given.values} values and {given.kinds} kinds in "
        "each. Nobody may be accused of a spelling. `make test` tries a\nsample, and one legal game in five of a conformance "
        "run is written so too.\n\n| game | way | games | accused |\n|---|---|---|---|\n"
    )
    TABLE.write_text(head + "\n".join(rows) + "\n", encoding="utf-8")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
