"""Legal games in the spellings of people: `make spellings` tries each field in each way and writes the table of the docs."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from random import Random
from time import process_time

from auditor import systems
from auditor.trials.spelled import Tried, carried_out, plans, table

TABLE = Path(__file__).parents[1] / "docs" / "spellings.md"


def main() -> int:
    parser = argparse.ArgumentParser(prog="make spellings ARGS=…", description=__doc__)
    parser.add_argument("--game", action="append", choices=systems.game_keys(), help="this game only")
    parser.add_argument("--games", type=int, default=1, help="legal games of each game")
    parser.add_argument("--first", type=int, default=3, help="the number of the first of them")
    parser.add_argument(
        "--share", type=float, default=0.0, help="of the places of a field so many, at least one; 1: all"
    )
    parser.add_argument("--minutes", type=float, help="of processor for each game; what is left then is not tried")
    given = parser.parse_args()
    faults = 0
    for game in given.game or systems.game_keys():
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
        last = given.first + given.games - 1
        said = PART.format(
            game=game,
            number=given.first if last == given.first else f"{given.first} to {last}",
            places={0: "one of its places", 1: "all of its places"}.get(given.share)
            or f"{given.share:.0%} of its places",
            tried=len(found),
            planned=planned,
            chosen="" if len(found) == planned else f", by chance, in {given.minutes or 0:g} minutes of processor",
        )
        rows = [f"| {way} | {games} | {wrong} |\n" for way, games, wrong in table(found)]
        TABLE.write_text(put(TABLE.read_text(encoding="utf-8"), game, said + "".join(rows)), encoding="utf-8")
        faults += sum(bool(one.accused) for one in found)
    return 1 if faults else 0


PART = """## {game}

Legal game {number}, each field at {places}: {tried:,} of {planned:,} ways tried{chosen}.

| way | written | accused |
|---|---|---|
"""


def put(text: str, game: str, part: str) -> str:
    """The page with the part of one game made anew, at its place or at the end."""
    head, *parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    parts = [one for one in parts if one.splitlines()[0] != f"## {game}"]
    return "\n".join(one.rstrip() + "\n" for one in [head, *sorted([*parts, part])])


if __name__ == "__main__":
    raise SystemExit(main())
