"""An installation copied to other servers (`store.moving`)."""

from __future__ import annotations

from pathlib import Path

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
                files, lost = copy_archive(leaving, _archive(archives[0]), _archive(archives[1]), progress)
                copied.append(files)
            return copied + copy(leaving, arriving, progress), lost
        finally:
            arriving.close()
    finally:
        leaving.close()


def _archive(place: str) -> Archive:
    from auditor.service import open_archive

    if "://" not in place:
        return Archive(Path(place))
    settings = Settings(archive_url=place)
    settings.check()
    return open_archive(settings)
