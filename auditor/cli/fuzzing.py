"""`auditor fuzz`: auditor and second referee on legal logs of which one value was changed."""

from __future__ import annotations

import json
import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.cli.calls import CLEAN, FINDINGS, WrongCall, command, interruptible
from auditor.cli.inputs import WHICH_GAME, game_with
from auditor.cli.output import progress_bar, to_stdout, writer

if TYPE_CHECKING:
    from auditor.trials.fuzz import Opponent


class FuzzFormat(StrEnum):
    """What the outcome is written as."""

    text = "text"
    json = "json"


@command
def fuzz(
    game: Annotated[str | None, typer.Option(metavar="KEY", help=WHICH_GAME)] = None,
    tries: Annotated[int, typer.Option(min=1, help="So many logs with one value changed.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed changes the same logs alike.")] = 1,
    jobs: Annotated[int, typer.Option(min=0, help="Processes at once; 0: one a processor.")] = 1,
    show: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Write the log of this try, and make no others.")
    ] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Keep the rest of the log, and list who is accused at another event.")
    ] = False,
    lost: Annotated[
        bool, typer.Option("--lost", help="Lose a line early in a game with a wrong number late in it.")
    ] = False,
    format: Annotated[FuzzFormat, typer.Option(help="What to write.")] = FuzzFormat.text,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write it, if not to stdout.")] = None,
) -> int:
    """Change one value of a legal log at random, cut the log there, and ask auditor and second referee.

    Exit status: 0 if both said the same of every log, else 1. With --whole and --lost the auditor alone is asked, and the
    status is 0: what follows from a wrong value is for people to read.
    """
    from functools import partial

    from auditor.trials import fuzz as trials
    from auditor.trials import lost_lines, slips

    key = game_with(game, lambda one: one.load_inventor is None or one.inventor().check is None, "second referee").key
    if output is not None and not output.parent.is_dir():
        raise WrongCall(f"--output {output}: there is no folder {output.parent}")
    opponent = trials.opponent_of(key)
    if show is not None:
        text, status = _log_of(opponent, seed, show, whole), CLEAN
    else:
        processes = jobs or os.cpu_count() or 1
        with interruptible(), progress_bar(tries) as advance:
            if lost:
                some = partial(lost_lines.lost_lines, key)
                left = trials.run(some, opponent, seed, tries, jobs=processes, step=advance)
                value, words, status = lost_lines.report(key, seed, left), _of_lost_lines, CLEAN
            elif whole:
                found = trials.run(slips.slips, opponent, seed, tries, jobs=processes, step=advance)
                value, words, status = slips.report(key, seed, found), _of_whole_records, CLEAN
            else:
                tried = trials.run(trials.tries, opponent, seed, tries, jobs=processes, step=advance)
                value, words = trials.report(key, seed, tried), _words
                status = FINDINGS if value["different"] else CLEAN
        text = json.dumps(value, ensure_ascii=False, indent=1) + "\n" if format is FuzzFormat.json else words(value)
    with writer(output, to_stdout) as write:
        write(text)
    return status


def _log_of(opponent: Opponent, seed: int, number: int, whole: bool) -> str:
    from auditor.conformance.logs import as_jsonl
    from auditor.trials.fuzz import change_of, game_of

    made = change_of(opponent, seed, number)
    if made is None:
        raise WrongCall(f"--show {number}: in this try nothing came of the change")
    lines, _ = made
    return as_jsonl([*lines, *game_of(opponent, seed, number)[len(lines) :]] if whole else lines)


def _words(value: dict[str, Any]) -> str:
    """The outcome for a terminal: the counts, then every difference with the try that shows it."""
    lines = [
        f"{value['tries']:,} logs with one value changed (seed {value['seed']}): auditor and second referee say the "
        f"same of {value['alike']:,}, of {value['different']:,} not; {value['accused']:,} were held against somebody; "
        f"the second referee does not judge the change in {value['not_judged']:,}."
    ]
    for one in value["differences"]:
        where = _where(one)
        if "raised" in one:
            lines.append(f"{where}: raised {one['raised']}")
        else:
            lines.append(
                f"{where}: the auditor alone {_all(one['auditor'])}; the second referee alone {_all(one['referee'])}"
            )
    return "\n".join(lines) + "\n"


def _of_whole_records(value: dict[str, Any]) -> str:
    """The outcome of --whole for a terminal."""
    lines = [
        f"{value['tries']:,} whole logs with one value changed (seed {value['seed']}): held against somebody was that "
        f"event alone in {value['said_here']:,}, another event alone in {value['said_later']:,}, both in "
        f"{value['said_here_and_later']:,}; nothing was said in {value['unsaid']:,}.",
        f"Accusations of other events that follow from nothing: {value['said_later_apart']:,}; the changed line is named in "
        f"{value['said_later_apart_and_named']:,} of them.",
    ]
    for one in value["later"]:
        lines.append(f"{_where(one)}{'' if one['here'] else ' (not told there)'}")
        for said in one["said_later"]:
            follows = ", which follows from an earlier finding" if said["depends_on"] else ""
            lines.append(f"    event {said['seq']}, {said['rule']} {said['kind']}{follows}: {said['text']}")
    return "\n".join(lines) + "\n"


def _of_lost_lines(value: dict[str, Any]) -> str:
    """The outcome of --lost for a terminal."""
    share = f" ({100 * value['accused'] / value['tries']:.0f} %)" if value["tries"] else ""
    lines = [
        f"{value['tries']:,} games with a wrong number in their second half (seed {value['seed']}), a line lost in their "
        f"first 40 %: it is still told in {value['accused']:,}{share}, in doubt in {value['in_doubt']:,}, not mentioned in "
        f"{value['unsaid']:,}."
    ]
    for one in value["not_told"]:
        lines.append(
            f"try {one['try']}: {one['rule']} at event {one['seq']}, event {one['lost']} ({one['type']}) lost: {one['text']}"
        )
    return "\n".join(lines) + "\n"


def _where(one: dict[str, Any]) -> str:
    return f"try {one['try']}, event {one['seq']}: {one['place']} {one['how']}, {one['old']!r} to {one['new']!r}"


def _all(said: list[Any]) -> str:
    return ", ".join(f"{rule} {kind} of {player} at {seq}" for seq, rule, kind, player in said) or "nothing"
