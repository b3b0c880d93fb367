"""How long an event is: the entries of its lists and objects, by which a game says how much work it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from operator import attrgetter
from typing import Any

import msgspec

_FLAT = (str, int, float, bool, type(None))


def entries_in(kinds: Iterable[type]) -> Callable[[Any], int]:
    """What counts the entries of an event of one of some types, found out by which of its fields may hold any."""
    getters = {kind: _getter(kind) for kind in kinds}

    def entries(event: Any) -> int:
        getter = getters.get(type(event))
        return 0 if getter is None else sum(map(_entries, getter(event)))

    return entries


def _getter(kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
    names = [one.name for one in msgspec.structs.fields(kind) if _may_hold_entries(one.type)]
    return attrgetter(*names, names[0]) if names else None


@cache
def _within(kind: Any) -> tuple[str, ...]:
    """The fields of an object in an event that may hold entries."""
    return tuple(one.name for one in msgspec.structs.fields(kind) if _may_hold_entries(one.type, anything=True))


def _may_hold_entries(kind: Any, *, anything: bool = False) -> bool:
    """`anything`: what that answers of a field that may be anything."""
    if kind is Any:
        return anything
    if kind in _FLAT or kind is msgspec.UnsetType:
        return False
    parts = getattr(kind, "__args__", None)
    origin = getattr(kind, "__origin__", None)
    if origin in (list, dict):
        return True
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return any(_may_hold_entries(one.type, anything=anything) for one in msgspec.structs.fields(kind))
    if not parts or _is_literal(kind):
        return False
    return any(_may_hold_entries(part, anything=anything) for part in parts)


def _is_literal(kind: Any) -> bool:
    return all(isinstance(part, (str, int)) for part in kind.__args__)


def _entries(value: Any) -> int:
    """The entries of lists and objects in a value; of a list of places or texts, how many these are."""
    kind: Any = type(value)
    if kind is list:
        return len(value) + (sum(map(_entries, value)) if value and isinstance(value[0], msgspec.Struct) else 0)
    if kind is dict:
        return len(value) + sum(_entries(one) for one in value.values() if type(one) not in _FLAT)
    if isinstance(value, msgspec.Struct):
        return sum(_entries(getattr(value, name)) for name in _within(kind))
    return 0
