"""`auditor doctor`: what is wrong with a data folder, and what to do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from auditor.cli.calls import CLEAN, FINDINGS, WrongCall, command, interruptible


@command
def doctor(
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The data folder; AUDITOR_DATA, else ./auditor-data.")
    ] = None,
) -> int:
    """Look over a data folder: what is wrong, and what to do. Nothing is changed; a service may be running."""
    from auditor.service.doctor import examine
    from auditor.settings import BadSettings, Settings

    try:
        settings = Settings.of_environment()
    except BadSettings as error:
        raise WrongCall(str(error)) from None
    if data is not None:
        settings = replace(settings, data_dir=data)
    well = True
    with interruptible():
        for one in examine(settings):
            well = well and one.ok
            print(f"{'ok   ' if one.ok else 'WRONG'} {one.part}: {one.found}" + ("" if one.ok else f"; {one.remedy}"))
    return CLEAN if well else FINDINGS
