"""Text that players wrote, made fit for places that are not pages: a terminal, a spreadsheet, an annotation.

A log may hold escape sequences that repaint a terminal, marks that turn the direction of writing, line breaks that
would forge a line of ours, and formulas that a spreadsheet would run.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

_JOINERS = "\u200c\u200d"
"""Without these some scripts cannot be written; they move nothing."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20|%]")
_PLACEHOLDER = re.compile(r"\{(\d+)\}")
_SPACE = re.compile(r"\s+")
_TOO_MANY_MARKS = re.compile(
    r"([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{3})[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)


def one_line(text: Any) -> str:
    """A value's text on one line: breaks and runs of space become one space, what cannot be seen becomes U+FFFD."""
    said = str(text)
    if said.isascii() and said.isprintable() and "  " not in said:
        return said.strip(" ")
    said = _SPACE.sub(" ", said)
    if said.isprintable():
        seen = said
    else:
        seen = "".join(
            c if c.isprintable() or c in _JOINERS or unicodedata.category(c) not in _UNSEEN else "\ufffd" for c in said
        )
    return _TOO_MANY_MARKS.sub(r"\1", seen).strip(" ")


def file_name(name: str) -> str:
    """The name of a file as text: bytes that are not UTF-8 are written out."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def cell(value: Any) -> str:
    """A value as a cell of a spreadsheet, never as a formula: such text gets an apostrophe before it."""
    if isinstance(value, int):
        return str(value)
    text = "" if value is None else one_line(value)
    return f"'{text}" if _FORMULA.match(text) else text


def message(text: Any) -> str:
    """A text as a SARIF message: no link and no placeholder that the text could make of itself."""
    said = one_line(text).replace("](", "] (")
    return _PLACEHOLDER.sub(r"{{\1}}", said)
