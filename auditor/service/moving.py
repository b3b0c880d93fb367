"""An installation copied to other servers (`store.moving`)."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from auditor.settings import Settings
from auditor.store.archive import Archive
from auditor.store.moving import Copied, Progress, copy, copy_archive, open_url


def move(
    source: str, target: str, archives: tuple[str, str] | None, progress: Progress
) -> tuple[list[Copied], list[str]]:
    """Copy a database, and an archive before it; what was copied, and the hashes of bytes that were lost before.

    Raises CannotOpen or OSError, and then the target has no rows.
    """
    copied: list[Copied] = []
    lost: list[str] = []
    leaving = open_url(source)
    try:
        arriving = open_url(target, fresh=True)
        try:
            if archives is not None:
                with ExitStack() as stack:
                    places = [_archive(place, stack) for place in archives]
                    files, lost = copy_archive(leaving, places[0], places[1], progress)
                copied.append(files)
            return copied + copy(leaving, arriving, progress), lost
        finally:
            arriving.close()
    finally:
        leaving.close()


def _archive(place: str, stack: ExitStack) -> Archive:
    """An archive by its folder or its address. Before a bucket stands a folder of its own, which goes with the stack: that of
    an installation would be cleared of what was not used lately, and it may be the one that is copied."""
    from auditor.service import open_archive

    if "://" not in place:
        return Archive(Path(place))
    settings = Settings(archive_url=place)
    settings.check()
    folder = stack.enter_context(TemporaryDirectory(prefix="auditor-"))
    return open_archive(replace(settings, data_dir=Path(folder)))
