"""Uploads are opened by a child of their own, so that no large file, whatever is in it, is whole in the web process."""

from __future__ import annotations

import logging
from typing import Any

from auditor.jobs.child import ChildFailed, SharedChild
from auditor.jobs.opening import OpenedUpload, mentioned_in, open_archived
from auditor.jobs.unpack import is_packed, problem
from auditor.service.games import Games
from auditor.service.shared import Shared
from auditor.store.archive import Stored

log = logging.getLogger("auditor.service")


SECONDS = 60.0
"""Of processor time, to unpack an upload and look at the headers in it."""
SMALL = 2**20
"""Bytes of a file that is opened here and now, if it is not packed."""


class Opener:
    """One large upload at a time."""

    def __init__(self, shared: Shared, child: SharedChild, games: Games) -> None:
        self._shared = shared
        self._child = child
        self._games = games

    def open(self, name: str, stored: Stored) -> OpenedUpload:
        """The logs of an upload. One that cannot be opened within the limits has that among its problems."""
        archive, limits = self._shared.archive, self._shared.limits
        if stored.size <= SMALL and not is_packed(archive.begin(stored.sha256)):
            return open_archived(self._games.engine, archive.root, stored, name, limits, archive.spare)
        try:
            opened: OpenedUpload = self._ask("open_archived", archive.root, stored, name, limits, archive.spare)
        except ChildFailed as failure:
            log.warning("an upload could not be opened: %s %s", failure, failure.detail)
            return OpenedUpload(
                "plain", problems=(problem(str(failure), "a file that can be opened within the limits"),)
            )
        for one in opened.logs:
            if one.stored is not None:
                archive.keep(one.stored.sha256)
        return opened

    def mentioned(self, sha256: str) -> tuple[str, ...]:
        """The texts in a log's header that may name data packs; none where it cannot be read within the limits."""
        archived = self._shared.archived(sha256)
        if self._shared.archive.here(sha256).stat().st_size <= SMALL:
            return mentioned_in(self._games.engine, archived)
        try:
            found: tuple[str, ...] = self._ask("mentioned_in", archived)
        except ChildFailed as failure:
            log.warning("a header could not be read: %s %s", failure, failure.detail)
            return ()
        return found

    def _ask(self, function: str, *args: Any) -> Any:
        patience = self._shared.settings.patience
        return self._child.call(function, self._games.engine_name, *args, seconds=SECONDS, patience=patience)
