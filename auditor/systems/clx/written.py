"""How numbers, lengths, places and ids stand in logs and packs of Calixtus' Edition.

A JSON number is the decimal that was written: a float is turned back into the shortest decimal that reads as it,
which is what stood in the file for every number of up to 15 digits. A length may also be a text ("21/4", "7 1/2").
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Annotated, TypeAlias

from msgspec import Meta

from auditor.geometry.inches.lengths import length
from auditor.geometry.inches.shapes import Point

LARGEST = 2**53 - 1
FARTHEST = 10_000
"""Inches. No table is larger; what lies beyond is refused."""

Int: TypeAlias = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
NotNegative: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST)]
Positive: TypeAlias = Annotated[int, Meta(ge=1, le=LARGEST)]
Value: TypeAlias = Annotated[int, Meta(ge=0, le=10)]
"""A characteristic."""
Id: TypeAlias = Annotated[str, Meta(max_length=64)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
Text: TypeAlias = Annotated[str, Meta(max_length=2_000)]
LONGEST_NUMBER, FINEST = 32, 10**20
"""Characters of a number that is written as a text, and the largest denominator of any."""
Number: TypeAlias = (
    Annotated[int, Meta(ge=-FARTHEST, le=FARTHEST)]
    | Annotated[float, Meta(ge=-FARTHEST, le=FARTHEST)]
    | Annotated[str, Meta(max_length=LONGEST_NUMBER)]
)
"""A length, coordinate or angle as written: see `exact`."""
Place: TypeAlias = Annotated[list[Number], Meta(min_length=2, max_length=3)]
"""[x, y] or [x, y, z]."""


@lru_cache(maxsize=65536)
def exact(written: int | float | str) -> Fraction:
    """The number that was written. Raises ValueError for a text that is no length, or that is too far out or too fine."""
    if isinstance(written, str):
        sign = -1 if written.strip().startswith("-") else 1
        number = sign * length(written.strip().removeprefix("-"))
    else:
        number = Fraction(str(written))
    if abs(number) > FARTHEST:
        raise ValueError(f"{written!r} is more than {FARTHEST:,}")
    if number.denominator > FINEST:
        raise ValueError(f"{written!r} is finer than any measure")
    return number


def exact_or_none(written: int | float | str | None) -> Fraction | None:
    """The same; None where nothing, or no number, was written."""
    if written is None:
        return None
    try:
        return exact(written)
    except ValueError:
        return None


def place_of(written: list[int | float | str] | None) -> Point | None:
    """The point of a position as written; None where one of its coordinates is no number."""
    if written is None or len(written) < 2:
        return None
    return _point(written[0], written[1])


@lru_cache(maxsize=65536)
def _point(x: int | float | str, y: int | float | str) -> Point | None:
    """One object for one place, so that what was measured from it is found again."""
    across, up = exact_or_none(x), exact_or_none(y)
    return None if across is None or up is None else Point(across, up)


def height_of(written: list[int | float | str] | None) -> Fraction | None:
    """The z of a position, where it was written."""
    return exact_or_none(written[2]) if written is not None and len(written) > 2 else None
