"""The JSON Schemas of logs and of data packs, made from what a game says its format is."""

from __future__ import annotations

from typing import Any

from auditor import systems
from auditor.systems.packs import LONGEST_VERSION
from auditor.systems.shapes import schema_of


def schema(game: str) -> dict[str, Any]:
    """The JSON Schema of a log of a game: of its header and of each event, one of which stands on every line, and of
    the single object {"header", "events"}. Raises KeyError for an unknown game."""
    form = systems.game(game).format
    made = schema_of(form.header.type, *form.events.values())
    header, *events = made.pop("anyOf")
    return {
        "$schema": made["$schema"],
        "title": f"A log of {game}",
        "description": "Each line of a JSONL log is a header (the first) or an event; one object may hold them all.",
        "anyOf": [
            {"$ref": "#/$defs/header"},
            {"$ref": "#/$defs/event"},
            {
                "type": "object",
                "properties": {
                    "header": {"$ref": "#/$defs/header"},
                    "events": {"type": "array", "items": {"$ref": "#/$defs/event"}},
                },
                "required": ["header", "events"],
            },
        ],
        "$defs": {**made["$defs"], "header": header, "event": {"anyOf": events}},
    }


def pack_schema(game: str, kind: str) -> dict[str, Any]:
    """The JSON Schema of a game's data packs of one kind. Raises KeyError for an unknown game or kind."""
    made = systems.game(game).packs.kinds[kind].schema
    every = {
        "game": {"description": "Of which game the pack is.", "const": game},
        "version": {
            "description": "Which version of the pack it is.",
            "type": "string",
            "maxLength": LONGEST_VERSION,
            "pattern": "^[^@]*$",
        },
    }
    return {
        **made,
        "title": f"A data pack of {game}: {kind}",
        "properties": every,
        "required": ["id", "title", "source"],
    }
