"""How the logs of a game are written, as the reader of logs needs to know it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from auditor.core.record import PackUsed
from auditor.systems.names import Names
from auditor.systems.packs import Packs
from auditor.systems.shapes import Misfit, Shape


def no_names(setup: Any, header: Mapping[str, Any], events: list[Any]) -> Names:
    """The names of a game whose names may be anything."""
    return {}


@dataclass(frozen=True)
class Format:
    """How the logs of one game are written.

    events  type name -> struct
    event   any of them, as a type
    free    structs with fields that may hold any JSON
    header  the header's shape
    given   header fields that hold data packs, and those of their parts whose absence the header answers for
    names   (setup, header, events) -> the names that a log may use, by what they are of
    once    header fields that nothing can be replayed without, so that a log which gives one twice is not read
    most_events, most_bytes   what a log of the game may have at most, where that is less than of any log: far more than
            any real game, and no more than can be reckoned in the time and memory of one audit
    setup   (header line, packs) -> what the packs say or None, everything wrong with them, packs named by id
    """

    events: Mapping[str, type]
    event: Any
    free: frozenset[type]
    header: Shape[Any]
    given: frozenset[str]
    setup: Callable[[bytes, Packs], tuple[Any, list[Misfit], tuple[PackUsed, ...]]]
    once: frozenset[str] = frozenset()
    names: Callable[[Any, Mapping[str, Any], list[Any]], Names] = no_names
    most_events: int | None = None
    most_bytes: int | None = None

    @cached_property
    def decoder(self) -> msgspec.json.Decoder[Any]:
        return msgspec.json.Decoder(self.event)

    @cached_property
    def shapes(self) -> Mapping[str, Shape[Any]]:
        """The shape of each event type, for errors."""
        return {name: Shape(kind) for name, kind in self.events.items()}
