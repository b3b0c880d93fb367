"""From the bytes of an upload to the logs in it, and from the header of a log to what lists show of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from auditor.core.record import UnreadableLog
from auditor.ingest import LIMITS, Limits, NotRead, open_container
from auditor.ingest import Member as PackedMember
from auditor.ingest.containers import gunzip, is_zip
from auditor.ingest.kinds import GZIP, is_junk
from auditor.store.cleaning import clean


@dataclass(frozen=True)
class OpenedMember:
    """One log out of an upload; `data` is missing when the member could not be read."""

    name: str
    data: bytes | None
    problems: tuple[dict[str, Any], ...] = ()
    skipped: bool = False
    size: int | None = None


@dataclass(frozen=True)
class Opened:
    """An upload unpacked: `container` is plain, gzip or zip. The members come one by one, to be in memory so."""

    container: str
    members: Iterable[OpenedMember]
    problems: tuple[dict[str, Any], ...] = ()


def is_packed(begin: bytes) -> bool:
    """Whether a file that begins so is a zip or gzip."""
    return is_zip(begin) or begin.startswith(GZIP)


def open_upload(name: str, data: bytes, limits: Limits = LIMITS) -> Opened:
    """Unpack an upload: what it is, the logs in it, and what is wrong with it. Never raises for bad bytes."""
    if not is_zip(data):
        if is_junk(name):
            return Opened("plain", (OpenedMember(name, None, skipped=True),))
        (member,) = open_container(data, limits=limits)
        return Opened("gzip" if data.startswith(GZIP) else "plain", (_opened(member._replace(name=name), limits),))
    members = open_container(data, limits=limits)
    first = next(members, None)
    if first is None:
        return Opened("zip", (), (problem("a zip without files", "logs"),))
    if isinstance(first.content, NotRead) and not first.name:
        return Opened("zip", (), (problem(first.content.why, "a zip that can be trusted"),))
    return Opened("zip", (_opened(member, limits) for member in chain((first,), members)))


def _opened(member: PackedMember, limits: Limits) -> OpenedMember:
    if isinstance(member.content, NotRead):
        why = (problem(member.content.why, "a log"),)
        skipped = member.content.skipped and not member.content.perhaps
        return OpenedMember(member.name, None, why, skipped, member.content.size)
    return OpenedMember(member.name, _unpacked(member.content, limits))


def _unpacked(data: bytes, limits: Limits) -> bytes:
    """A log's own bytes. A damaged gzip file stays as it came, so that its audit names the damage."""
    if data.startswith(GZIP):
        try:
            whole, errors = gunzip(data, limits)
        except UnreadableLog:
            return data
        return data if errors else whole
    return data


def problem(found: str, expected: str = "", path: str = "") -> dict[str, Any]:
    """Something wrong with an upload, in the shape of the audit's errors."""
    return {"line": None, "path": path, "found": found, "expected": expected, "nearest": None}


def header_summary(header: Mapping[str, Any]) -> dict[str, Any]:
    """What lists show of a header: game, title, players and match, cleaned; boards and rosters are left out."""

    def text(value: Any, limit: int) -> str | None:
        return clean(value, limit) or None if isinstance(value, str | int) and not isinstance(value, bool) else None

    players = header.get("players")
    match, confirmed = header.get("match"), header.get("confirmed_by")
    summary: dict[str, Any] = {
        "game": text(header.get("game"), 32),
        "title": text(header.get("title"), 200),
        "players": [
            {"id": text(player.get("id"), 60) or "", "name": text(player.get("name"), 120) or ""}
            for player in (players if isinstance(players, list) else [])[:8]
            if isinstance(player, dict)
        ],
        "board": text(_named_part(header.get("board")), 120),
        "scenario": text(_named_part(header.get("scenario")), 120),
        "recorded_by": text(header.get("recorded_by"), 120),
        "confirmed_by": [text(one, 60) or "?" for one in confirmed[:8]] if isinstance(confirmed, list) else None,
        "match": {
            name: text(match.get(name), 80)
            for name in ("event", "round", "table")
            if isinstance(match, dict) and text(match.get(name), 80)
        },
    }
    return {name: value for name, value in summary.items() if value is not None}


def _named_part(value: Any) -> Any:
    """A board or scenario may be an id, or stand in the header whole."""
    return (value.get("title") or value.get("id")) if isinstance(value, dict) else value
