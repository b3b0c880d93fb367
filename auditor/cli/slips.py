"""`auditor slips`: is one slip in a log told once, and is nobody else charged with it?"""

from __future__ import annotations

import json
import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from auditor.cli.calls import CLEAN, command, interruptible
from auditor.cli.inputs import WHICH_GAME, game_with
from auditor.cli.output import progress_bar, to_stdout, writer


class SlipsFormat(StrEnum):
    """What the outcome is written as."""

    text = "text"
    json = "json"


@command
def slips(
    game: Annotated[str | None, typer.Option(metavar="KEY", help=WHICH_GAME)] = None,
    slips: Annotated[int, typer.Option(min=1, help="So many logs with one slip.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="The same seed makes the same slips.")] = 1,
    jobs: Annotated[int, typer.Option(min=0, help="Processes at once; 0: one a processor.")] = 1,
    planted: Annotated[
        bool, typer.Option("--planted", help="Take games with a planted fault: without a slip, and with one elsewhere.")
    ] = False,
    format: Annotated[SlipsFormat, typer.Option(help="What to write.")] = SlipsFormat.text,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write it, if not to stdout.")] = None,
) -> int:
    """Make one slip in a legal log and count how it is told: once, several times, as the other player's, explained.

    With --planted it is counted whether a planted fault is lost, or bears another kind or player, by what a line may have
    meant. The status is 0: the counts are for people to read.
    """
    from auditor.trials import fuzz, told_once

    key = game_with(game, lambda one: one.load_inventor is None, "generator of games").key
    make = told_once.planted if planted else told_once.legal
    with interruptible(), progress_bar(slips) as advance:
        told = fuzz.run(make, key, seed, slips, jobs=jobs or os.cpu_count() or 1, step=advance)
    value = told_once.report(key, seed, told)
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n" if format is SlipsFormat.json else _words(value)
    with writer(output, to_stdout) as write:
        write(text)
    return CLEAN


def _words(value: dict[str, Any]) -> str:
    """The counts, a line each, then every log that was not told as it should be."""
    lines = [f"{value['game']} {value['ruleset_version']}, seed {value['seed']}"]
    lines += [f"{name.replace('_', ' '):>14} {value[name]:6,}" for name in value if isinstance(value[name], int)]
    for one in value["listed"]:
        lines.append("")
        lines += [f"{name}: {said}" for name, said in one.items() if said not in ([], False)]
    return "\n".join(lines) + "\n"
