"""What a log says of itself before its events, and the hash that it goes by."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from auditor.core.plain import plain
from auditor.core.record import UnreadableLog
from auditor.engine.games import Json
from auditor.ingest import LIMITS
from auditor.ingest.containers import gunzip
from auditor.ingest.kinds import GZIP, HEAD, foreign
from auditor.ingest.parts import Parts, split
from auditor.ingest.texts import text_of
from auditor.systems.shapes import REFUSALS


def log_header(data: bytes) -> Json:
    """The header of a log as written, without a look at the rest; empty where none can be had. Never raises."""
    parts = _parts(data)
    if parts is None:
        return {}
    try:
        header = msgspec.json.decode(parts.header)
    except REFUSALS:
        return {}
    return header if isinstance(header, dict) else {}


def log_heading(data: bytes) -> Json:
    """What a report says of a game before its events: {"title", "players": [{"id", "name"}], "match": {"event",
    "round", "table"}, "board", "scenario", "recorded_by", "confirmed_by": [id]}, each only where the header has it in a form to be shown."""
    header = log_header(data)
    players = header.get("players")
    match, confirmed = header.get("match"), header.get("confirmed_by")
    heading: Json = {
        "title": _shown(header.get("title")),
        "players": [
            {
                "id": _shown(player.get("id")) or "?",
                "name": _shown(player.get("name")) or _shown(player.get("id")) or "?",
            }
            for player in (players[:8] if isinstance(players, list) else [])
            if isinstance(player, dict)
        ],
        "match": {key: _shown(match.get(key)) for key in ("event", "round", "table") if isinstance(match, dict)},
        "board": _shown(header.get("board")),
        "scenario": _shown(header.get("scenario")),
        "recorded_by": _shown(header.get("recorded_by")),
        "confirmed_by": [_shown(one) or "?" for one in confirmed[:8]] if isinstance(confirmed, list) else None,
    }
    heading["match"] = {key: value for key, value in heading["match"].items() if value is not None}
    return {key: value for key, value in heading.items() if value not in (None, [], {})}


def _shown(value: Any) -> str | None:
    """A short value of a header as text; of a data pack in full its title or id."""
    if isinstance(value, dict):
        value = value.get("title") or value.get("id")
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return str(plain(value))[:200] or None


def log_sha256(data: bytes) -> str:
    """The hash that a log goes by: of its own bytes, after gunzip."""
    return hashlib.sha256(_unpacked(data)).hexdigest()


def _unpacked(data: bytes) -> bytes:
    """The log's own bytes, or those given where they cannot be unpacked."""
    if data.startswith(GZIP):
        try:
            return gunzip(data, LIMITS)[0]
        except UnreadableLog:
            return data
    return data


def _parts(data: bytes) -> Parts | None:
    unpacked = _unpacked(data)
    if len(unpacked) > LIMITS.decoded or foreign(unpacked[:HEAD]) is not None:
        return None
    text = text_of(unpacked).utf8
    return split(text) if text.strip() else None


def header_line(data: bytes) -> int | None:
    """The line on which the header stands, counted from 1; None where the text cannot be taken apart."""
    parts = _parts(data)
    return parts.header_line if parts else None
