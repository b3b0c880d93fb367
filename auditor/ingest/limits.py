"""How much a log may be. Nothing else is a reason to refuse one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What is read at most. A log beyond the first three is refused; a line beyond `depth` is not read.

    The lengths of ids (64) and texts (2,000) and the size of integers (2**53 - 1) belong to the format: they stand in
    the schema, and a line that exceeds them is not read.

    decoded  bytes of one log after gunzip
    events   lines after the header
    line     bytes of one line (of one event, where the log is a single object)
    depth    objects and lists within each other
    stored   bytes of a container as it arrives
    members  files in one zip or folder
    total    bytes of all members of a zip together
    free     bytes that a member of a zip may always have
    ratio    how many times its packed size it may have beyond these; a gzip file is bounded by `decoded` alone
    """

    decoded: int = 64 * 2**20
    events: int = 200_000
    line: int = 2**20
    depth: int = 64
    stored: int = 256 * 2**20
    members: int = 10_000
    total: int = 1024 * 2**20
    free: int = 2**20
    ratio: int = 200


LIMITS = Limits()
