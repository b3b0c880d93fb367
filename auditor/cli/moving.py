"""`auditor migrate-store`: an installation copied from one machine's files to shared servers, or back."""

from __future__ import annotations

from typing import Annotated

import typer

from auditor.cli.calls import CLEAN, INCOMPLETE, WrongCall, command, complain, interruptible
from auditor.cli.output import to_stdout


@command
def migrate_store(
    source: Annotated[str, typer.Argument(metavar="FROM", help="sqlite:///FILE or postgresql+psycopg://…")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The same; it must be empty.")],
    archive: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="FROM TO", help="Copy the archive too: each a folder or s3://bucket/prefix."),
    ] = None,
) -> int:
    """Copy all that an installation keeps, and compare both sides. Nothing is changed in FROM.

    Exit status: 0 all arrived, 3 bytes of the archive were missing or damaged before, 2 nothing was copied.
    """
    from auditor.service.moving import move
    from auditor.store.database import CannotOpen
    from auditor.store.opening import keep_private

    keep_private()
    try:
        with interruptible():
            copied, lost = move(source, target, archive, _say)
    except CannotOpen as why:
        raise WrongCall(str(why)) from None
    except OSError as error:
        raise WrongCall(f"{error.filename or ''} {error.strerror or error}".strip()) from None
    for one in copied:
        to_stdout(f"{one.what}: {one.count}, the same on both sides ({one.digest[:16]})\n")
    for sha256 in lost:
        complain(f"the bytes {sha256} were missing or damaged where they were copied from")
    return INCOMPLETE if lost else CLEAN


def _say(what: str, done: int, of: int) -> None:
    import sys

    if sys.stderr.isatty():
        sys.stderr.write(f"\r{what}: {done} of {of}" + ("\n" if done == of else ""))
