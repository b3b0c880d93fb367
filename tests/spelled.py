"""Legal games in the spellings of people: `make spellings` tries each field in each way and writes the table of the docs."""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

from auditor import systems
from auditor.trials.spelled import Tried, each, everywhere, once, table

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
    parser = argparse.ArgumentParser(prog="make spellings ARGS=…", description=__doc__)
    parser.add_argument("--games", type=int, default=1, help="legal games of each game")
    parser.add_argument(
        "--share", type=float, default=0.0, help="of the places of a field so many, at least one (1: all)"
    )
    given = parser.parse_args()
    rows, faults = [], 0
    for game in systems.game_keys():
        found: list[Tried] = []
        for seed in range(1, given.games + 1):
            lines, _ = systems.game(game).inventor().legal_game(seed)
            found += each(game, seed, lines, Random(f"{game} {seed}"), given.share)
        for one in found:
            if one.accused:
                print(f"{game} {one.seed}: {one.way}, {one.where}: {one.accused[0]}")
        rows += [f"| {game} | {way} | {games} | {wrong} |" for way, games, wrong in table(found)]
        rows.append(f"| {game} | all | {len(found):,} | {sum(bool(one.accused) for one in found)} |")
        faults += sum(bool(one.accused) for one in found)
    places = (
        f"{given.share:.0%} of the places where it stands, at least one" if given.share else "one place where it stands"
    )
    head = (
        "# Legal games in the spellings of people\n\nMade by `make spellings` (`python -m tests.spelled`): each declared field "
        f"of the events of legal games\n({given.games} of each game), in {places}, and each kind of value\n"
        'everywhere, written in each of the ways that mean something for it. `make spellings ARGS="--share 1"` writes each\n'
        "single value so. Nobody may be accused of a spelling. `make test` tries a sample, and one legal game in five of a\n"
        "conformance run is written so too.\n\n| game | way | written | accused |\n|---|---|---|---|\n"
    )
    TABLE.write_text(head + "\n".join(rows) + "\n", encoding="utf-8")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
