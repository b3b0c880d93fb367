"""python -m auditor.conformance.calth: write games to look at or to audit, and counts of what is seen on the boards."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path

from auditor.conformance.calth.commands import write_counts, write_faulty_game, write_game, write_recorded_games


def main(arguments: list[str]) -> int:
    """Do what the arguments say."""
    parser = ArgumentParser(prog="python -m auditor.conformance.calth", description=__doc__)
    what = parser.add_subparsers(dest="what", required=True)
    game = what.add_parser("game", help="a legal game")
    game.add_argument("out", type=Path)
    game.add_argument("--seed", type=int, default=1)
    game.add_argument("--rounds", type=int, default=4)
    game.add_argument("--board", type=Path, help="file of a board pack (default: an invented board)")
    game.add_argument("--omit-claims", type=float, default=0.0, help="share of the claims to leave out")
    fault = what.add_parser("fault", help="a game with one planted fault, and what an audit must find")
    fault.add_argument("rule", help="rule id, for some followed by the kind, such as 'CAL-RET-01 omitted'")
    fault.add_argument("out", type=Path)
    fault.add_argument("--seed", type=int, default=1)
    recorded = what.add_parser("recorded", help="the recorded games of fixtures/calth/games")
    recorded.add_argument("folder", type=Path)
    counts = what.add_parser("counts", help="fixtures/calth/counts: what is seen from each hex (takes minutes)")
    counts.add_argument("folder", type=Path)
    given = parser.parse_args(arguments)
    if given.what == "game":
        write_game(given.seed, given.rounds, given.board, given.out, given.omit_claims)
    elif given.what == "fault":
        write_faulty_game(given.seed, given.rule, given.out)
    elif given.what == "counts":
        write_counts(given.folder)
    else:
        write_recorded_games(given.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
