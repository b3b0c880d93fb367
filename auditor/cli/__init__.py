"""The command line. What is imported late is imported late on purpose: `auditor --help` should not load the rules.

Exit status: 0 clean or the same, 1 findings or differences, 2 a wrong call or an unreadable log, 3 incomplete,
70 a fault of ours, 130 after Ctrl-C, 141 when nobody reads on.
"""

from __future__ import annotations

import signal
import sys
from typing import Annotated, NoReturn

import typer

from auditor import __version__
from auditor.cli import (
    abilities,
    audits,
    comparing,
    conformance,
    doctoring,
    fuzzing,
    inventing,
    moving,
    packs,
    removing,
    rulebook,
    serving,
    sight,
    slips,
)
from auditor.cli.calls import CLEAN, OUR_FAULT, complain, leave

app = typer.Typer(
    name="auditor",
    help="Re-simulates the recorded log of a tabletop game and names every illegal act and miscalculated number.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for work in (
    audits.audit,
    rulebook.rules,
    rulebook.readings,
    rulebook.schema,
    comparing.compare,
    comparing.verify,
    serving.serve,
    serving.worker,
    serving.reaudit,
    doctoring.doctor,
    removing.remove_upload,
    moving.migrate_store,
    sight.sight,
    abilities.abilities,
    inventing.generate,
    inventing.mutate,
    conformance.conformance,
    fuzzing.fuzz,
    slips.slips,
):
    app.command()(work)

of_packs = typer.Typer(
    help="Data packs: boards, rosters, scenarios, decks.", no_args_is_help=True, rich_markup_mode=None
)
of_packs.command()(packs.check)
# A group of one command needs a callback, or the command takes the group's name.
of_packs.callback()(lambda: None)
app.add_typer(of_packs, name="packs")


def _say_version(wanted: bool) -> None:
    if wanted:
        print(f"auditor {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Say the version and stop.")
    ] = False,
) -> None:
    """What all commands have."""


def main() -> NoReturn:
    """The `auditor` program. Whatever goes wrong with us has the exit status 70 and one line, never 1."""
    signal.signal(signal.SIGINT, leave)
    try:
        app(prog_name="auditor")
    except Exception as error:
        complain(f"a fault of the auditor: {type(error).__name__}")
        sys.exit(OUR_FAULT)
    sys.exit(CLEAN)
