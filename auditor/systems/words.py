"""Numbers and names in sentences, the same in every game."""

from __future__ import annotations

from auditor.core.naming import listed as listed


def count(n: int, one: str, many: str | None = None) -> str:
    """`1 hit`, `3 hits`; of another form the plural is given: `1 die`, `3 dice`."""
    return f"{n} {one if n == 1 else many or one + 's'}"


def at_most(best: int, less: int) -> str:
    """What a test needs that a number was taken off: `7 or less (9 − 2)`."""
    return f"{best - less} or less" + (f" ({best} − {less})" if less > 0 else f" ({best} + {-less})" if less else "")
