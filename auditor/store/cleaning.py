"""Text that any database and any page can hold: no lone surrogate, NUL, control or direction sign, and not too long."""

from __future__ import annotations

import math
import unicodedata
from typing import Any

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
# Signs that turn the direction of what follows: a file name could read as another one.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
MAX_DEPTH = 40


def is_clean(text: str) -> bool:
    """True if the text can be stored and sent: UTF-8 can encode it and it holds no NUL."""
    return "\0" not in text and (text.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in text))


def clean(text: object, limit: int) -> str:
    """The text on one line, in NFC, at most `limit` characters; what was cut ends in an ellipsis.

    A lone surrogate is written out (`\\ud800`); control and direction signs become U+FFFD.
    """
    if isinstance(text, str) and len(text) <= limit and text.isascii() and text.isprintable():
        return text.strip()
    # One sign can become six, and NFC can only shorten, so this many are enough.
    said = str(text)[: limit * 4 + 64]
    seen = said if said.isprintable() else "".join(map(_cleaned, said))
    whole = unicodedata.normalize("NFC", seen).strip()
    return whole if len(whole) <= limit else whole[: limit - 1] + "…"


def _cleaned(sign: str) -> str:
    if "\ud800" <= sign <= "\udfff":
        return f"\\u{ord(sign):04x}"
    if sign in "\t\r\n":
        return " "
    return REPLACEMENT if sign in _TURNING or unicodedata.category(sign) == "Cc" else sign


def clean_value(value: Any, *, limit: int = 2000, depth: int = MAX_DEPTH) -> Any:
    """A JSON value whose every text is clean; numbers that JSON cannot hold and what lies too deep become text."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return value if is_clean(value) and len(value) <= limit else clean(value, limit)
    if depth <= 0:
        return clean("…", limit)
    if isinstance(value, dict):
        return {clean(key, 200): clean_value(each, limit=limit, depth=depth - 1) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [clean_value(each, limit=limit, depth=depth - 1) for each in value]
    return clean(value, limit)
