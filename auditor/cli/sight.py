"""`auditor sight`: questions about lines of sight."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from auditor.cli.calls import CLEAN, WrongCall, command
from auditor.cli.inputs import WHICH_GAME, game_with, why_unreadable
from auditor.cli.output import to_stdout


@command
def sight(
    batch: Annotated[str, typer.Option(metavar="FILE", help="Questions as JSON lines; - for stdin.")],
    game: Annotated[str | None, typer.Option(metavar="KEY", help=WHICH_GAME)] = None,
) -> int:
    """Answer questions about lines of sight: of hexes, or of inches with --game clx.

    One JSON object a line in, one answer a line out, in order; {"error": why} to what cannot be answered.

    Of hexes: {"from": [0, 0], "to": [3, -1]}, and if need be "board", "blocked", "occupied", "sealed", "obstructions",
    "barricades", "aim", "readings".

    Of inches: {"from": {"at": [10, 10], "radius": 0.5}, "to": {"hull": [[20, 8], [24, 8], [24, 12]]}}, and if need be
    "terrain" ([{"id", "poly": [[x, y], ...], "blocks_los", "los_height"}]) and "range"; a model may have "z" and "height".
    """
    from auditor.systems import game as game_of
    from auditor.systems import game_keys

    asked = game or next(key for key in game_keys() if game_of(key).load_sight is not None)
    answers = game_with(asked, lambda one: one.load_sight is None, "lines of sight to ask about").sight()
    if batch != "-" and (why := why_unreadable(Path(batch))):
        raise WrongCall(f"--batch {batch}: {why}")
    with sys.stdin.buffer if batch == "-" else Path(batch).open("rb") as source:
        for answer in answers(source):
            to_stdout(f"{answer}\n")
            if batch == "-":
                sys.stdout.flush()
    return CLEAN
