"""The JSON Schemas of logs and of data packs, made from what a game says its format is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor import systems
from auditor.core.fields import declared, parts_of, written
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


def table(game: str) -> str:
    """The fields of a log of a game as a table in Markdown: of every event, of each type of event, of their parts and of
    the header. Raises KeyError for an unknown game."""
    form = systems.game(game).format
    kinds = form.events
    common = dict.fromkeys(
        name for name, what in declared(next(iter(kinds.values()))).items() if _is_in_all(kinds, name)
    )
    parts = {part: None for kind in kinds.values() for part in parts_of(kind) if part not in kinds.values()}
    rows = [_row("every event", next(iter(kinds.values())), name) for name in common]
    for tag, kind in kinds.items():
        own = [name for name, what in declared(kind).items() if name not in common or _differs(kinds, kind, name)]
        rows += [_row(f"`{tag}`", kind, name) for name in own] or [f"| `{tag}` | | | | nothing of its own |"]
    rows += [_row(f"*{part.__name__}*", part, name) for part in parts for name in declared(part)]
    rows += [_row("`header`", form.header.type, name) for name in declared(form.header.type)]
    return "\n".join(["| of | field | is | of what | says |", "|---|---|---|---|---|", *rows]) + "\n"


def _is_in_all(kinds: Mapping[str, type], name: str) -> bool:
    return all(name in declared(kind) for kind in kinds.values())


def _differs(kinds: Mapping[str, type], kind: type, name: str) -> bool:
    """Whether a field that every event has is needed in one type of event, or says something else there than in most."""
    words = [declared(other)[name].words for other in kinds.values()]
    what = declared(kind)[name]
    return what.needed is True or words.count(what.words) < len(words) / 2


def _row(of: str, kind: type, name: str) -> str:
    what = declared(kind)[name]
    field = f"`{written(kind, name)}`" + (" (!)" if what.needed is True else " (?)" if what.needed else "")
    kinds = [what.of, *what.each[1:]]
    values = ", ".join(kinds) + (f" in {what.unit}" if what.unit else "") + (f", by {what.keys}" if what.keys else "")
    says = what.words + (f"; null: {what.null}" if what.null else "")
    says += f"; left out: {what.absent}; null: not stated" if what.absent else ""
    return f"| {of} | {field} | {what.role} | {values} | {says} |"
