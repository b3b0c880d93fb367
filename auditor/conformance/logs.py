"""Logs as invented games are written: a header and its events, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

Json = dict[str, Any]
Lines = Sequence[Json]
"""The header and the events of a log."""


def as_jsonl(lines: Lines) -> str:
    """Header and events as JSONL: one compact object a line, LF, in the order of the fields."""
    return "".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines)


def read_jsonl(text: str) -> list[Json]:
    """The objects of a JSONL text."""
    return [json.loads(line) for line in text.splitlines() if line.strip()]
