"""The frozen values that the service hands out, and what it refuses with."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import IO, Any

OWN = "own"
DEFAULTS = "defaults"
FILE = "file"
SET = "set:"
WAITING = "waiting"
FAILED = "failed"


class NotFound(LookupError):
    """There is no such audit, log, upload, delivery, rule or set of rulings."""


class NotYet(RuntimeError):
    """The audit is still queued or running, or it failed."""


class Outdated(RuntimeError):
    """It could be drawn only under the rules that the audit was made by, which have changed since."""


class BadPack(ValueError):
    """Data packs that cannot be stored; `problems` are all that is wrong with them, in the shape of a file's errors."""

    def __init__(self, problems: list[dict[str, Any]]) -> None:
        super().__init__("\n".join(str(problem["found"]) for problem in problems))
        self.problems = problems


class BeingDrawn(RuntimeError):
    """What was asked for is being made; `ahead` are made before it. Ask again in a moment."""

    def __init__(self, ahead: int) -> None:
        super().__init__(f"{ahead} ahead")
        self.ahead = ahead


class NotDrawn(RuntimeError):
    """The replay could not be drawn in the time or memory there is."""


@dataclass(frozen=True)
class Incoming:
    """A file as it was sent: a name that may be anything, and bytes."""

    name: str
    stream: IO[bytes]


@dataclass(frozen=True)
class Choice:
    """Which rulings were chosen. `value` is null for the log's own and for the defaults, which each game has itself."""

    kind: str
    label: str
    value: dict[str, Any] | None = None
    game: str | None = None


@dataclass(frozen=True)
class AuditLine:
    """An audit as lists show it. `state` is queued, running, done or failed; the verdict is null until it is done."""

    key: str
    title: str
    name: str
    game: str | None
    header: dict[str, Any]
    log_sha256: str
    log_size: int
    rulings_label: str
    rulings_kind: str
    rulings_digest: str
    ruleset_version: str
    outdated: bool
    state: str
    verdict: str | None
    digest: str | None
    counts: dict[str, Any]
    error: str | None
    ahead: int | None
    asked_at: datetime
    finished_at: datetime | None
    cursor: int

    @property
    def players(self) -> tuple[dict[str, str], ...]:
        """Who played: ids and names."""
        return tuple(self.header.get("players", []))

    @property
    def match(self) -> dict[str, str]:
        """Event, round and table, as far as the header has them."""
        return dict(self.header.get("match", {}))

    @property
    def settled(self) -> bool:
        """True when nothing more will happen by itself."""
        return self.state in ("done", "failed")


@dataclass(frozen=True)
class Page:
    """Some audits of many; `next` is the cursor of the next page."""

    audits: tuple[AuditLine, ...]
    next: int | None
    tally: dict[str, int]


@dataclass(frozen=True)
class Found:
    """A page of the audits that were looked for: how many there are, which page of how many; `tally` is of all. Each number is
    counted to one beyond `MOST_COUNTED`, and as many audits are on pages."""

    audits: tuple[AuditLine, ...]
    count: int
    number: int
    pages: int
    tally: dict[str, int]


@dataclass(frozen=True)
class Source:
    """An upload that holds a log."""

    sha256: str
    name: str
    member: str
    size: int
    container: str
    received_at: datetime


@dataclass(frozen=True)
class Fate:
    """What became of one file: audited, in part, in work, queued, refused or failed; `known` if it was here before."""

    name: str
    size: int
    upload_sha256: str
    container: str
    fate: str
    known: bool
    text: str
    problems: tuple[dict[str, Any], ...]
    audit: AuditLine | None


@dataclass(frozen=True)
class DeliveryPage:
    """What was sent in one go, trouble first: the files of one page of them.

    `count` files are taken in, `known` of them were here before. `total`: how many there will be, 0 while nobody has counted
    them; null when all are taken in.
    """

    key: str
    source: str
    rulings_label: str
    received_at: datetime
    files: tuple[Fate, ...]
    tally: dict[str, int]
    settled: bool
    number: int = 1
    pages: int = 1
    count: int = 0
    known: int = 0
    total: int | None = None


@dataclass(frozen=True)
class Removal:
    """What goes with an upload that is removed: logs that no other upload holds, and their audits; `kept` logs stay."""

    sha256: str
    name: str
    size: int
    logs: int
    audits: int
    kept: int


@dataclass(frozen=True)
class LogPage:
    """A log with all its audits and the uploads it came in."""

    sha256: str
    name: str
    title: str
    game: str | None
    size: int
    header: dict[str, Any]
    audits: tuple[AuditLine, ...]
    sources: tuple[Source, ...]
    same_match: tuple[AuditLine, ...] = ()


@dataclass(frozen=True)
class StoredPack:
    """A data pack that logs can name; `received_at` is null for one that comes with the program."""

    game: str
    kind: str
    id: str
    version: str
    title: str
    sha256: str
    size: int
    received_at: datetime | None


@dataclass(frozen=True)
class NamedRulings:
    """Rulings stored under a name."""

    name: str
    digest: str
    game: str | None
    value: dict[str, Any]
    created_at: datetime


@dataclass(frozen=True)
class Numbers:
    """Of the queue and the audits: how many jobs by state, audits by verdict, the age of the oldest that waits, tries."""

    jobs: dict[str, int]
    audits: dict[str, int]
    oldest_seconds: int
    tries: int


@dataclass(frozen=True)
class Ready:
    """Whether the service can work, check by check; `ok` is all of them."""

    ok: bool
    checks: dict[str, dict[str, Any]] = field(default_factory=dict)
