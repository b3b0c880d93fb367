"""Uploads are opened by a child of their own, so that no large file, whatever is in it, is whole in the web process."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable
from typing import Any

from auditor.jobs.child import ChildFailed, GivenUp, OutOfTime, SharedChild
from auditor.jobs.opening import OpenedUpload, mentioned_in, open_archived
from auditor.jobs.unpack import is_packed, problem
from auditor.service.games import Games
from auditor.service.shared import Shared
from auditor.store.archive import Missing, Stored

log = logging.getLogger("auditor.service")


SECONDS = 60.0
"""Of processor time, to unpack an upload and look at the headers in it."""
QUICK_SECONDS = 5.0
"""Of processor time, for each upload at first: what needs more waits for the lane of slow ones."""
SMALL = 2**20
"""Bytes of a file that is opened here and now, if it is not packed."""


class Opener:
    """Opens uploads: small ones here and now, others in a child, one at a time in each of two lanes."""

    def __init__(self, shared: Shared, child: SharedChild, slow_child: SharedChild, games: Games) -> None:
        self._shared = shared
        self._child = child
        self._slow_child = slow_child
        self._games = games

    def open_small(self, name: str, stored: Stored) -> OpenedUpload | None:
        """The logs of an upload that is small and not packed; None for another."""
        archive = self._shared.archive
        if stored.size > SMALL or is_packed(archive.begin(stored.sha256)):
            return None
        return open_archived(self._games.engine, archive.root, stored, name, self._shared.limits, archive.spare)

    def open(
        self, name: str, stored: Stored, heap: str, *, slow: bool = True, beat: Callable[[], bool] | None = None
    ) -> OpenedUpload:
        """The logs of any upload, what is unpacked of it on a heap (`Archive.put`). One that cannot be opened within the
        limits has that among its problems.

        Raises OutOfTime where the lane of slow ones may get further, GivenUp, and OSError where the disk is full.
        """
        archive, limits = self._shared.archive, self._shared.limits
        try:
            archive.here(stored.sha256)
            small = self.open_small(name, stored)
        except Missing:
            return _not_opened("the bytes are not in the archive any more", "the same bytes, sent again")
        if small is not None:
            return small
        tries = self._shared.settings.max_tries
        for left in reversed(range(tries)):
            try:
                opened: OpenedUpload = self._ask(
                    "open_archived", archive.root, stored, name, limits, archive.spare, heap, slow=slow, beat=beat
                )
                return opened
            except GivenUp:
                raise
            except ChildFailed as failure:
                if isinstance(failure, OutOfTime) and not slow:
                    raise
                if str(failure).endswith(": OSError"):
                    raise OSError(errno.ENOSPC, "what an upload holds could not be written") from failure
                log.warning("an upload could not be opened: %s %s", failure, failure.detail)
                if not failure.again or not left:
                    return _not_opened(str(failure), "a file that can be opened within the limits")
        raise AssertionError("there is at least one try")

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

    def _ask(self, function: str, *args: Any, slow: bool = False, beat: Callable[[], bool] | None = None) -> Any:
        patience = self._shared.settings.patience
        child, seconds = (self._slow_child, SECONDS) if slow else (self._child, QUICK_SECONDS)
        return child.call(
            function, self._games.engine_name, *args, seconds=seconds, patience=patience, beat=beat, every=0.5
        )


def _not_opened(found: str, expected: str) -> OpenedUpload:
    return OpenedUpload("plain", problems=(problem(found, expected),))
