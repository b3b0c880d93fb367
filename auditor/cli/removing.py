"""`auditor remove-upload`: an upload and everything of it, taken out of an installation that is stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from auditor.cli.calls import CLEAN, FINDINGS, WrongCall, command, interruptible
from auditor.cli.output import to_stdout


@command
def remove_upload(
    hashes: Annotated[
        list[str], typer.Argument(metavar="SHA256...", help="The hash of each upload, as its page says.")
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Do it; without this only say what would go.")] = False,
    data: Annotated[Path | None, typer.Option(metavar="FOLDER", help="The data folder, as for `serve`.")] = None,
) -> int:
    """Remove uploads, the logs that no other upload holds, and their audits. The service must be stopped.

    Its page does the same for one that runs. Exit status: 0 removed, 1 nothing was removed because --yes is missing.
    """
    from auditor.cli.serving import opened
    from auditor.service import NotFound

    service = opened(data)
    try:
        with interruptible():
            for sha256 in hashes:
                try:
                    gone = service.removing.remove(sha256) if yes else service.removing.look(sha256)
                except NotFound:
                    raise WrongCall(f"there is no upload {sha256}") from None
                kept = f"; {gone.kept} logs stay, other uploads hold them" if gone.kept else ""
                done = "removed" if yes else "would be removed"
                to_stdout(f"{gone.name}: {gone.logs} logs and {gone.audits} audits {done}{kept}\n")
    finally:
        service.close()
    return CLEAN if yes else FINDINGS
