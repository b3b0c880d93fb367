"""`auditor conformance`: the auditor held against invented games and the second referee."""

from __future__ import annotations

import json
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.cli.calls import CLEAN, FINDINGS, WrongCall, command, interruptible
from auditor.cli.inputs import WHICH_GAME, game_with, never_over
from auditor.cli.output import progress_bar, to_stdout, writer

if TYPE_CHECKING:
    from auditor.trials.tally import Tally, Task

SAVED_EVERY = 20
"""Seconds after which a long run writes down how far it has come."""


class TableFormat(StrEnum):
    """What the table of a conformance run is written as."""

    text = "text"
    json = "json"
    md = "md"


@command
def conformance(
    game: Annotated[str | None, typer.Option(metavar="KEY", help=WHICH_GAME)] = None,
    games: Annotated[int, typer.Option(min=0, help="So many legal games.")] = 100,
    faults: Annotated[
        int, typer.Option(min=0, help="So many faults for each rule, and a quarter of it for each option of a reading.")
    ] = 2,
    jobs: Annotated[int, typer.Option(min=0, help="Processes at once; 0: one a processor.")] = 1,
    seed: Annotated[
        int, typer.Option(min=0, help="The number of the first game: a run can go on where one ended.")
    ] = 1,
    format: Annotated[TableFormat, typer.Option(help="What to write.")] = TableFormat.text,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write it, if not to stdout.")] = None,
    date: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="The date of a page; else today.")] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep in this file how far the run has come, and go on there.")
    ] = None,
) -> int:
    """Audit invented games: legal ones, which must be clean, and ones with faults, which must be found.

    Of a game that has no second referee yet, the table says what could not be compared. A page (md) that is written to
    a FILE has its tables in another beside it, `FILE-tables`.

    Exit status: 0 if nobody was accused falsely and every fault was found, else 1.
    """
    from datetime import UTC, datetime

    from auditor.report import conformance as page
    from auditor.trials import table

    key = game_with(game, lambda one: one.load_inventor is None, "generator of games").key
    if output is not None and not output.parent.is_dir():
        raise WrongCall(f"--output {output}: there is no folder {output.parent}")
    never_over(output, [] if resume is None else [resume])
    if date is not None:
        try:
            datetime.strptime(date, "%Y-%m-%d")
        except ValueError:
            raise WrongCall(f"--date {date}: it is not a date as YYYY-MM-DD") from None
    before = output.read_text(encoding="utf-8") if output is not None and output.is_file() else ""
    tally, speed = _tried(key, seed, games, faults, jobs or os.cpu_count() or 1, resume)
    value = table.report(key, tally, seed=seed, faults=faults)
    match format:
        case TableFormat.text:
            text = page.table_text(value)
        case TableFormat.json:
            text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
        case TableFormat.md:
            asked = f"auditor conformance --game {key} --games {games} --faults {faults} --seed {seed}"
            on = date or datetime.now(UTC).strftime("%Y-%m-%d")
            beside = None if output is None else output.with_name(f"{output.stem}-tables{output.suffix}")
            if beside is not None:
                beside.write_text(page.tables_alone(value, date=on), encoding="utf-8", newline="")
            at = None if beside is None else beside.name
            text = page.document(value, date=on, command=asked, speed=speed, before=before, tables_at=at)
    with writer(output, to_stdout) as write:
        write(text)
    print(speed, file=sys.stderr)
    return CLEAN if value["passed"] else FINDINGS


def _tried(game: str, seed: int, games: int, faults: int, jobs: int, resume: Path | None) -> tuple[Tally, str]:
    """What a conformance run has counted, and how fast it went. Raises WrongCall."""
    import time

    from auditor import engine
    from auditor.trials import run, table

    work = run.tasks(game, seed, games, faults)
    rules = engine.GAMES[game].version
    asked = {"game": game, "seed": seed, "games": games, "faults": faults, "rules": rules, "chunks": len(work)}
    try:
        kept = run.Kept(resume, asked) if resume is not None else None
    except (OSError, ValueError, KeyError, TypeError) as why:
        raise WrongCall(f"--resume {resume}: {why}") from None
    begun = saved = time.perf_counter()
    with interruptible(), progress_bar(sum(task.size for task in work)) as advance:

        def on_done(task: Task) -> None:
            nonlocal saved
            advance(task.size)
            if kept is not None:
                kept.done += 1
                if time.perf_counter() - saved > SAVED_EVERY:
                    saved = time.perf_counter()
                    kept.save()

        if kept is not None:
            advance(sum(task.size for task in work[: kept.done]))
            try:
                tally = run.run(work[kept.done :], jobs, kept.tally, on_done)
            finally:
                kept.save()
        else:
            tally = run.run(work, jobs, None, on_done)
    return tally, table.throughput(tally, time.perf_counter() - begun)
