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
    """Answer questions about lines of sight.

    One JSON object a line in, one answer a line out, in order. What a question holds, the game says.
    """
    answers = game_with(game, lambda one: one.load_sight is None, "lines of sight to ask about").sight()
    if batch != "-" and (why := why_unreadable(Path(batch))):
        raise WrongCall(f"--batch {batch}: {why}")
    with sys.stdin.buffer if batch == "-" else Path(batch).open("rb") as source:
        for answer in answers(source):
            to_stdout(f"{answer}\n")
            if batch == "-":
                sys.stdout.flush()
    return CLEAN
