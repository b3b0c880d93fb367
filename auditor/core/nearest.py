"""Words for what a reader typed wrong."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache


def nearest(found: object, known: Iterable[str]) -> str:
    """`; the nearest is "R-DIE-INIT"`, or nothing where no known id is near."""
    match = nearest_id(found, known)
    return f'; the nearest is "{match}"' if match else ""


def nearest_id(found: object, known: Iterable[str]) -> str | None:
    """The known id that looks most like `found`, if any does."""
    if not isinstance(found, str) or len(found) > 64:
        return None
    return _nearest(found.casefold(), tuple(known))


@lru_cache(maxsize=64)
def _nearest(found: str, known: tuple[str, ...]) -> str | None:
    """The same misspelling stands on many lines, and is compared once."""
    by_fold = {key.casefold(): key for key in known}
    close = get_close_matches(found, by_fold, n=1, cutoff=0.6)
    return by_fold[close[0]] if close else None
