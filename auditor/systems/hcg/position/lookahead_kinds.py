"""The events of a record by type."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any

from auditor.systems.hcg import records


class Kinds:
    """The events of a record by type."""

    def __init__(self, events: Sequence[Any]) -> None:
        self._found: dict[type, list[tuple[int, Any]]] = {}
        for entry in enumerate(events):
            self._found.setdefault(type(entry[1]), []).append(entry)

    def of(self, *kinds: type) -> list[Any]:
        """The events of some types, in the order of the record."""
        found = [self._found[kind] for kind in _types(kinds) if kind in self._found]
        return [event for _, event in (found[0] if len(found) == 1 else sorted(chain.from_iterable(found)))]


@cache
def _types(kinds: tuple[type, ...]) -> tuple[type, ...]:
    """The types of events that some types are."""
    return tuple(kind for kind in records.EVENTS.values() if issubclass(kind, kinds))
