"""Legal games in the spellings of people: `make spellings` tries each field in each way and writes the table of the docs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random
from time import process_time

from auditor import systems
from auditor.trials.spelled import Tried, carried_out, plans, table

TABLE = Path(__file__).parents[1] / "docs" / "spellings.md"


def main() -> int:
    parser = argparse.ArgumentParser(prog="make spellings ARGS=…", description=__doc__)
    parser.add_argument("--games", type=int, default=1, help="legal games of each game")
    parser.add_argument("--first", type=int, default=3, help="the number of the first of them")
    parser.add_argument(
        "--share", type=float, default=0.0, help="of the places of a field so many, at least one; 1: all"
    )
    parser.add_argument("--minutes", type=float, help="of processor for each game; what is left then is not tried")
    given = parser.parse_args()
    rows, shares, faults = [], [], 0
    for game in systems.game_keys():
        found, planned, begun = list[Tried](), 0, process_time()
        for seed in range(given.first, given.first + given.games):
            lines, _ = systems.game(game).inventor().legal_game(seed)
            todo = plans(game, lines, Random(f"{game} {seed}"), given.share)
            planned += len(todo)
            for at, plan in enumerate(todo):
                if given.minutes is not None and process_time() - begun > 60 * given.minutes:
                    break
                for one in carried_out(game, seed, lines, plan):
                    found.append(one)
                    if one.accused:
                        print(f"{game} {one.seed}: {one.way}, {one.where}: {one.accused[0]}", flush=True)
                if at % 500 == 499:
                    print(f"{game} {seed}: {at + 1:,} of {len(todo):,}", file=sys.stderr, flush=True)
        shares.append(f"{game} {len(found):,} of {planned:,}")
        rows += [f"| {game} | {way} | {games} | {wrong} |" for way, games, wrong in table(found)]
        faults += sum(bool(one.accused) for one in found)
    head = HEAD.format(
        games=given.games,
        places=f"{given.share:.0%} of its places, at least one" if given.share else "one of its places",
        shares=", ".join(shares),
        chosen="" if given.minutes is None else f"; by chance, {given.minutes:g} minutes of processor a game",
    )
    TABLE.write_text(head + "\n".join(rows) + "\n", encoding="utf-8")
    return 1 if faults else 0


HEAD = """# Legal games in the spellings of people

Made by `make spellings`: each declared field of the events of legal games ({games} of each game), at {places},
and each kind of value everywhere, in each of the ways that mean something for it. `ARGS="--share 1"` writes every
single value so, `ARGS="--minutes 2"` ends after so much.
Tried: {shares}{chosen}.

Nobody should be accused of a spelling; what is not 0 below is still to be mended. `make test` tries a sample, and one
legal game in five of a conformance run is written so too.

| game | way | written | accused |
|---|---|---|---|
"""


if __name__ == "__main__":
    raise SystemExit(main())
