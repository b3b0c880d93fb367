"""What of a name counts: people write the same one in many ways."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SEPARATORS = re.compile(r"[\s_\-\u2010-\u2015\u2212]+")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)-(?=\d)")
_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")


def alike(one: str, other: str) -> bool:
    """Whether two names differ at most in what people write in more than one way, or in what stands between numbers: "p121"
    may be "p1-21", or a name of its own."""
    return folded(one).replace("~", "") == folded(other).replace("~", "")


def folded(name: str) -> str:
    """A name without what people write in more than one way: case, blanks around it, letters composed or not and of
    full width, `_`, `-` or a blank between its parts, zeros before a number."""
    return _kept(name) if len(name) <= LONGEST_KEPT else _folded(name)


def _folded(name: str) -> str:
    text = unicodedata.normalize("NFKC", name).casefold()
    text = unicodedata.normalize("NFKC", text).strip()
    text = _ZEROS.sub("", _SEPARATORS.sub("-", text))
    # What stands between two numbers keeps them apart: "um-1-1" is not "um-11".
    return "~".join(part.replace("-", "") for part in _BETWEEN_DIGITS.split(text))


_kept = lru_cache(4_096)(_folded)
LONGEST_KEPT = 64
"""Letters of a name that is folded once for all of its lines; what is longer is no name."""
