"""What a second referee says of a log, and how it says that it cannot go on. It knows no game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Found:
    """A rule that is broken: at which event (0: the header), how (catalogue 1.1), by whom (None: by nobody alone)."""

    seq: int
    rule: str
    kind: str
    player: str | None


class NotJudged(Exception):
    """The record cannot be followed from this event on; the message says why."""
