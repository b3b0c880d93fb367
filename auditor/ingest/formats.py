"""The games that can be read, each with its header, its events and its data packs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from auditor.core.record import PackUsed
from auditor.systems.calth import pack_shapes as calth_shapes
from auditor.systems.calth import packs as calth_packs
from auditor.systems.calth import records as calth_records
from auditor.systems.shapes import Misfit, Shape, schema_of


@dataclass(frozen=True)
class Format:
    """How the logs of one game are written.

    events    type name -> struct
    event     any of them, as a type
    free      structs with fields that may hold any JSON
    header    the header's shape
    given     header fields that hold data packs, and those of their parts whose absence the header answers for
    setup     (header line, packs) -> what the packs say or None, everything wrong with them, packs named by id
    built_in  the packs that come with the program
    pack_kinds  the shapes of pack files, by kind
    """

    key: str
    events: Mapping[str, type]
    event: Any
    free: frozenset[type]
    header: Shape[Any]
    given: frozenset[str]
    setup: Callable[[bytes, Any], tuple[Any, list[Misfit], tuple[PackUsed, ...]]]
    built_in: Callable[[], Any]
    add_packs: Callable[[Any, Iterable[tuple[str, bytes]]], Any]
    pack_kinds: Mapping[str, Shape[Any]]

    @cached_property
    def decoder(self) -> msgspec.json.Decoder[Any]:
        return msgspec.json.Decoder(self.event)

    @cached_property
    def shapes(self) -> Mapping[str, Shape[Any]]:
        """The shape of each event type, for errors."""
        return {name: Shape(kind) for name, kind in self.events.items()}


CALTH = Format(
    key="calth",
    events=calth_records.EVENTS,
    event=calth_records.AnyEvent,
    free=frozenset({calth_records.GameStart}),
    header=calth_shapes.HEADER,
    given=frozenset({"board", "scenario", "rosters", "rosters.UM", "rosters.WB", "command_cards"}),
    setup=calth_packs.setup_of,
    built_in=calth_packs.built_in,
    add_packs=calth_packs.Packs.plus,
    pack_kinds=calth_shapes.SCHEMAS,
)

FORMATS: Mapping[str, Format] = {CALTH.key: CALTH}


def schema(game: str) -> dict[str, Any]:
    """The JSON Schema of a log of a game: of its header and of each event, one of which stands on every line, and of
    the single object {"header", "events"}. Raises KeyError for an unknown game."""
    form = FORMATS[game]
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
