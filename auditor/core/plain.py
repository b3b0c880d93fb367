"""Values as an audit may hold them: no floats, no large integers, no lone surrogates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor.core.canonical import LARGEST

LONGEST_TEXT = 200


def plain(value: Any) -> Any:
    """A value as an audit may hold it: no floats, no large integers, no lone surrogates.

    What is neither JSON nor such a number is given as its text, at most `LONGEST_TEXT` characters.
    """
    kind = type(value)
    if kind is str:
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    if kind is int:
        return value if -LARGEST <= value <= LARGEST else _quoted(str(value))
    if value is None or kind is bool:
        return value
    if kind is list or kind is tuple:
        return [item if type(item) is str and item.isascii() else plain(item) for item in value] if value else []
    if kind is dict or isinstance(value, Mapping):
        return {
            key if type(key) is str and key.isascii() else str(plain(str(key))): (
                item if type(item) is str and item.isascii() else plain(item)
            )
            for key, item in value.items()
        }
    if isinstance(value, (int, str)):
        return plain(int(value) if isinstance(value, int) else str(value))
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((plain(item) for item in value), key=str)
    return _quoted(str(value))


def _quoted(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()[:LONGEST_TEXT]


class Plain:
    """Makes drawings plain. Boards are large and share most of their parts, so each part is looked through once, and
    what is plain already is given back as it is."""

    def __init__(self) -> None:
        # The parts looked through are kept with what came of them: an id is good only while its object lives.
        self._known: dict[int, tuple[Any, Any]] = {}

    def __call__(self, value: Any) -> Any:
        kind = type(value)
        if kind is not list and kind is not dict:
            return plain(value)
        known = self._known.get(id(value))
        if known is not None:
            return known[1]
        made: Any
        if kind is list:
            made = [self(item) for item in value]
            same = all(one is other for one, other in zip(made, value, strict=True))
        else:
            made = {plain(key) if type(key) is str else str(plain(str(key))): self(item) for key, item in value.items()}
            same = all(one is key and made[one] is value[key] for one, key in zip(made, value, strict=False))
            same = same and len(made) == len(value)
        if same:
            made = value
        self._known[id(value)] = (value, made)
        return made
