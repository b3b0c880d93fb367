"""`auditor serve`: the web service on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from auditor.cli.calls import CLEAN, WrongCall, command, interruptible


@command
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; only this machine's own.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any that is free.")] = 8000,
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where uploads are kept; AUDITOR_DATA, else ./auditor-data.")
    ] = None,
) -> int:
    """Start the web service on this machine."""
    from auditor.web import CannotServe
    from auditor.web import serve as start

    try:
        with interruptible():
            start(host, port, data)
    except CannotServe as why:
        raise WrongCall(str(why)) from None
    return CLEAN
