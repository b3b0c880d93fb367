"""Numbers in sentences, the same in every game."""

from __future__ import annotations


def count(n: int, one: str, many: str | None = None) -> str:
    """`1 hit`, `3 hits`; of another form the plural is given: `1 die`, `3 dice`."""
    return f"{n} {one if n == 1 else many or one + 's'}"
