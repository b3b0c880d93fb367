"""Canonical JSON (RFC 8785) for values without floats, and the digests made from it.

Audits hold integers within ±(2^53 - 1), strings, booleans, null, lists and objects with text keys. Two ways give the
same bytes: `encoded` is for what this program made (`plain`) and is fast; `canonical` looks through a value from
elsewhere first and refuses what may not stand in an audit.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import orjson

LARGEST = 2**53 - 1

_OPTIONS = orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER
_ABOVE = re.compile(rb"[\xf0-\xf4]")

_SORTED = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, check_circular=False)
_AS_GIVEN = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)


def canonical(value: Any) -> bytes:
    """The canonical JSON of a value, UTF-8. Raises TypeError for floats and other foreign types, ValueError for
    integers that are too large and for lone surrogates."""
    if _keys_sort_by_code_point(value, {}):
        return _SORTED.encode(value).encode()
    return _AS_GIVEN.encode(_ordered(value)).encode()


def encoded(value: Any) -> bytes:
    """The canonical JSON of a value that is known to be plain: no float is looked for. Else as `canonical`."""
    try:
        made = orjson.dumps(value, option=_OPTIONS)
    except orjson.JSONEncodeError:
        # Too deep for it, or not plain after all, which the walk tells better.
        return canonical(value)
    # orjson orders keys by code point. That differs from RFC 8785 only above the basic plane: four bytes in UTF-8.
    if not made.isascii() and _ABOVE.search(made) and not _keys_sort_by_code_point(value, {}):
        return _AS_GIVEN.encode(_ordered(value)).encode()
    return made


def digest(value: Any) -> str:
    """SHA-256, in hex, of the canonical JSON of a plain value."""
    return hashlib.sha256(encoded(value)).hexdigest()


def _keys_sort_by_code_point(value: Any, known: dict[int, bool]) -> bool:
    """Looks through a value once: raises if it may not stand in an audit, and says if plain sorting will do.

    `known`: what was found of lists and objects already looked through; boards share most of their parts.
    """
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return True
    if kind is int:
        if abs(value) > LARGEST:
            raise ValueError(f"{value} is beyond ±(2^53 - 1)")
        return True
    if id(value) in known:
        return known[id(value)]
    plain = True  # No early end: everything must be looked through.
    if kind is list or kind is tuple:
        for item in value:
            if not _keys_sort_by_code_point(item, known):
                plain = False
        known[id(value)] = plain
        return plain
    if kind is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise TypeError(f"{type(key).__name__} cannot be a key in an audit")
            # RFC 8785 orders by UTF-16 code units, which differs from code points above the basic plane.
            if not key.isascii() and max(key) > "\uffff":
                plain = False
            if not _keys_sort_by_code_point(item, known):
                plain = False
        known[id(value)] = plain
        return plain
    raise TypeError(f"{kind.__name__} cannot stand in an audit")


def _ordered(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_ordered(item) for item in value]
    if isinstance(value, dict):
        return {key: _ordered(value[key]) for key in sorted(value, key=lambda key: key.encode("utf-16-be"))}
    return value


_TURNING = re.compile("[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def json_text(text: str) -> str:
    """JSON with every sign written as an escape that would turn the direction of writing or not be seen. Such signs
    stand only in strings, so the value is the same."""
    return text if text.isascii() else _TURNING.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)
