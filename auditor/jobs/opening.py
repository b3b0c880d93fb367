"""Opening an upload in a child: the logs in it, each on disk under its own hash, and what their headers say.

The engine is handed over as a module. Files travel as paths, and of a header only what lists show of it, so that neither is ever whole in another process.
"""

from __future__ import annotations

import io
import logging
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auditor.ingest import Limits
from auditor.ingest.containers import is_zip
from auditor.jobs.unpack import header_summary, open_upload, problem
from auditor.store.archive import Archive, Stored

log = logging.getLogger("auditor.jobs")

LONGEST_ID = 128
MOST_SIGNS = 16_384
"""Of all texts that are taken out of a header as names of data packs, together."""


@dataclass(frozen=True)
class ArchivedLog:
    """Where a log lies; whoever reads it makes sure that it is still what it was."""

    root: Path
    sha256: str

    def read(self) -> bytes:
        """Its bytes. Raises as Archive.read."""
        return Archive(self.root).read(self.sha256)


@dataclass(frozen=True)
class OpenedLog:
    """One log of an upload; `stored` is missing where it could not be read.

    header     what lists show of its header
    mentioned  texts in it that may name data packs
    """

    name: str
    stored: Stored | None = None
    header: Mapping[str, Any] | None = None
    mentioned: tuple[str, ...] = ()
    problems: tuple[dict[str, Any], ...] = ()
    skipped: bool = False
    size: int | None = None


@dataclass(frozen=True)
class OpenedUpload:
    """An upload unpacked: `container` is plain, gzip or zip."""

    container: str
    logs: tuple[OpenedLog, ...] = ()
    problems: tuple[dict[str, Any], ...] = ()


def open_archived(
    engine: Any, root: Path, stored: Stored, name: str, limits: Limits, spare: int = 0, heap: str = ""
) -> OpenedUpload:
    """The logs of an upload that is in the archive; never raises for what is in it. `spare` and `heap`: as of an Archive."""
    archive = Archive(root)
    archive.spare = spare
    data = archive.read(stored.sha256)
    if _unpacked_size(name, data, limits) > limits.total:
        why = problem(f"more than {limits.total:,} bytes unpacked", f"at most {limits.total:,} bytes in all")
        return OpenedUpload("zip", problems=(why,))
    opened = open_upload(name, data, limits)
    logs: list[OpenedLog] = []
    for member in opened.members:
        if member.data is None:
            logs.append(OpenedLog(member.name, problems=member.problems, skipped=member.skipped, size=member.size))
            continue
        there = stored if opened.container == "plain" else archive.put(io.BytesIO(member.data), heap)
        header = _header(engine, member.data)
        logs.append(OpenedLog(member.name, there, header_summary(header), mentioned(header), member.problems))
    return OpenedUpload(opened.container, tuple(logs), opened.problems)


def _unpacked_size(name: str, data: bytes, limits: Limits) -> int:
    """How much is in a zip, with what is packed in it unpacked too, counted before any of it is written; 0 of other files."""
    if not is_zip(data):
        return 0
    total = 0
    for member in open_upload(name, data, limits).members:
        total += len(member.data or b"")
        if total > limits.total:
            break
    return total


def mentioned_in(engine: Any, archived: ArchivedLog) -> tuple[str, ...]:
    """The texts in the header of a log that may name data packs."""
    return mentioned(_header(engine, archived.read()))


def _header(engine: Any, data: bytes) -> dict[str, Any]:
    """The header of a log as written, or an empty one: what is wrong with it the audit will say."""
    try:
        header = engine.log_header(data)
    except Exception:
        # A log may be anything; only its audit judges it.
        log.info("a header could not be read")
        return {}
    return header if isinstance(header, dict) else {}


def mentioned(value: Any) -> tuple[str, ...]:
    """The texts in a JSON value that could be the id of a pack, "@version" and all: the outermost first, each once, as
    far as there is room (`MOST_SIGNS`)."""
    found: dict[str, None] = {}
    room, todo = MOST_SIGNS, deque([value])
    while todo and room > 0:
        one = todo.popleft()
        if isinstance(one, dict):
            todo.extend(one.values())
        elif isinstance(one, list | tuple):
            todo.extend(one)
        elif isinstance(one, str) and 0 < len(one) <= LONGEST_ID and one not in found:
            room -= len(one)
            found[one] = None
    return tuple(found)
