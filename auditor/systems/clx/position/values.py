"""A value with some of its fields changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

Value = TypeVar("Value")
_set = object.__setattr__


@cache
def _fields(kind: Any) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """The names of the fields of a kind of value, and what gives all of them."""
    names = tuple(one.name for one in fields(kind))
    return names, attrgetter(*names)


def replace(value: Value, **changes: Any) -> Value:
    """As `dataclasses.replace`, at a third of the work: for values of several fields that are replaced at every step, and
    that work nothing out when they are made."""
    kind: Any = type(value)
    names, all_of = _fields(kind)
    made: Value = object.__new__(kind)
    for name, one in zip(names, all_of(value), strict=True):
        _set(made, name, one)
    for name, one in changes.items():
        _set(made, name, one)
    return made
