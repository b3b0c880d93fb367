"""A record: the header and the events of one log, with their place in the file, and what was wrong with the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class InputError:
    """One thing in a file that cannot be read.

    line      counted from 1; None where the whole file is meant
    path      place within the line ("units[2].hex"), "" for the line itself
    found     the offending text as written, quoted and shortened
    expected  what would have been read
    nearest   the known id, type or value that looks most like what was found
    """

    line: int | None
    path: str
    found: str
    expected: str
    nearest: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "line": self.line,
            "path": self.path,
            "found": self.found,
            "expected": self.expected,
            "nearest": self.nearest,
        }

    def __str__(self) -> str:
        place = ", ".join(part for part in (f"line {self.line}" if self.line else "", self.path) if part)
        hint = f'; the nearest is "{self.nearest}"' if self.nearest else ""
        return (
            f"{place}: {self.found}; expected {self.expected}{hint}"
            if place
            else f"{self.found}; expected {self.expected}{hint}"
        )


class UnreadableLog(ValueError):
    """The log has no usable header, or exceeds a limit. Carries every error found; the only error a user can cause."""

    def __init__(self, errors: Sequence[InputError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(map(str, self.errors)))


@dataclass(slots=True)
class Unknown:
    """An event whose type the game does not know: a hole. `raw` is the event as written."""

    seq: int
    type: str
    raw: Mapping[str, Any]
    player: str | None = None


@dataclass(slots=True)
class Unread:
    """A line that stands where an event should and cannot be read: a hole.

    `seq` is the number that the line bears where that much is legible, else the one that was due there.
    """

    seq: int
    line: int
    why: str
    player: str | None = None


@dataclass(frozen=True, slots=True)
class PackUsed:
    """A data pack that a record rests on, known by the hash of its canonical JSON."""

    id: str
    sha256: str


@dataclass(slots=True)
class Record:
    """One log as read. Treat it as read-only.

    game              key of the game ("calth")
    header            the header as written
    events            a game's event structs, `Unknown` and `Unread`, in the order of the file
    lines             for each event its line in the file, from 1
    errors            everything in the file that could not be read, in the order of the file
    log_sha256        of the log's own bytes (after gunzip, or of the member of a zip)
    container_sha256  of the file it came in, where that is another one
    doubtful          index of an event -> why what it says is not certain (a key given twice): a hole there
    unsure            index of an event -> why one of its facts could not be read, so that nothing in it accuses anybody
    setup             what the game made of the header's data packs; the game's own class
    packs             those packs, sorted by id
    known             what a value is of ("card") -> the names of that kind that the header, the packs and the rules have
    remarks           how the file is written, where that is not as usual, a sentence each; nothing is wrong with it
    """

    game: str
    header: Mapping[str, Any]
    events: list[Any]
    lines: list[int]
    errors: list[InputError] = field(default_factory=list)
    log_sha256: str = ""
    container_sha256: str | None = None
    doubtful: dict[int, str] = field(default_factory=dict)
    unsure: dict[int, str] = field(default_factory=dict)
    setup: Any = None
    packs: tuple[PackUsed, ...] = ()
    remarks: tuple[str, ...] = ()
    known: Mapping[str, frozenset[Any]] = field(default_factory=dict)


def player_of(event: Any) -> str | None:
    """Who acts in an event; None where it does not say."""
    return getattr(event, "player", None) or getattr(event, "by", None)
