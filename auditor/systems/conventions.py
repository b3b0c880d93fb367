"""Other ways in which whole records are written: another unit, another way to number hexes, another coding of dice.

A convention is data: a name, words for it, and what it makes of one value of the declared kinds that it touches. It
knows no game; which games it can be of follows from what their fields are declared to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import pi
from operator import attrgetter
from typing import Any

from auditor.core.fields import Declared, Leaf, holding, leaves, replaced

Json = dict[str, Any]


@dataclass(frozen=True)
class Convention:
    """One such way.

    name     as it is asked for: "cm"
    words    as it is said: "in centimetres"
    touches  whether values of a field are written otherwise in it
    read     such a value as it is written in logs
    header   the header as it is written in logs
    only_if  (header, events) -> whether a record may be written so at all
    offered  whether it is only offered: accusations stand until somebody chooses
    """

    name: str
    words: str
    touches: Callable[[Declared], bool]
    read: Callable[[Any], Any]
    header: Callable[[Json], Json] = lambda header: header
    only_if: Callable[[Json, list[Any]], bool] = lambda header, events: True
    offered: bool = False

    def of(self, events: Iterable[type]) -> bool:
        """Whether any of some events has a value that this touches."""
        return any(holding(kind, self.touches) for kind in events)

    def touched(self, event: Any) -> list[Leaf]:
        """The values of an event that this touches, keys last: they are renamed after what they lead to."""
        kind: type = type(event)
        names = holding(kind, self.touches)
        found = [leaf for leaf in leaves(event, names) if self.touches(leaf.declared)] if names else []
        return sorted(found, key=attrgetter("key")) if len(found) > 1 else found

    def event(self, event: Any, touched: Iterable[Leaf]) -> Any:
        """An event as it is written in logs; `touched`: its values that this touches."""
        for leaf in touched:
            event = _put(event, leaf, self.read)
        return event


def _put(event: Any, leaf: Leaf, read: Callable[[Any], Any]) -> Any:
    try:
        return replaced(event, leaf, read(leaf.value))
    except (TypeError, ValueError, KeyError, IndexError, AttributeError):
        return event  # no value of that kind: it stays as it is written


def _every(value: Any, read: Callable[[Any], Any]) -> Any:
    """Numbers within lists, each read."""
    if isinstance(value, (list, tuple)):
        return type(value)(_every(item, read) for item in value)
    return value if isinstance(value, bool) or not isinstance(value, (int, float)) else read(value)


def _scaled(name: str, words: str, factor: float, *, all_lengths: bool) -> Convention:
    def length(number: float) -> float:
        return round(number / factor, 4)

    def header(header: Json) -> Json:
        table = header.get("table")
        wide = isinstance(table, dict) and all(isinstance(one, int | float) for one in table.values())
        return {**header, "table": _every_of(table, length)} if wide else header

    def touches(what: Declared) -> bool:
        return what.of == "point" or (all_lengths and what.of == "number" and what.unit == "inches")

    return Convention(name, words, touches, lambda value: _every(value, length), header, _is_wide)


WIDEST_TABLE = 80
"""Inches: no table is wider, so a record whose places and table all lie within is not one of a smaller unit."""


def _is_wide(header: Json, events: list[Any]) -> bool:
    """Whether the table, or any place on it, is further than any table is wide in inches."""
    table = header.get("table")
    if isinstance(table, dict) and any(number > WIDEST_TABLE for number in _numbers(list(table.values()))):
        return True
    return any(abs(number) > WIDEST_TABLE for number in _places(events))


def _places(events: list[Any]) -> Iterator[float]:
    """The numbers of all places that a record states."""
    for event in events:
        kind: type = type(event)
        if names := holding(kind, _is_point):
            for leaf in leaves(event, names):
                if leaf.of == "point":
                    yield from _numbers(leaf.value)


def _is_point(what: Declared) -> bool:
    return what.of == "point"


def _every_of(table: Any, read: Callable[[Any], Any]) -> Any:
    return {key: read(item) for key, item in table.items()}


def _is_a_hex(what: Declared) -> bool:
    return what.of in ("hex", "edge")


def _are_faces(what: Declared) -> bool:
    return what.of == "faces"


def _hexes(name: str, words: str, read: Callable[[int, int], tuple[int, int]]) -> Convention:
    def value(value: Any) -> Any:
        if isinstance(value[0], (list, tuple)):
            return tuple(read(*one) for one in value)
        return read(*value)

    return Convention(name, words, _is_a_hex, value)


def _counted(name: str, words: str, of: str, by: int, sign: int = 1) -> Convention:
    def read(value: Any) -> Any:
        number = sign * int(value) + by
        return str(number) if isinstance(value, str) else number

    return Convention(name, words, lambda what: what.of == of, read)


def _coded(name: str, words: str, written: str, meant: str) -> Convention:
    """The faces of dice, each written by the sign of another one."""
    letters = str.maketrans(written, meant)

    def read(value: Any) -> Any:
        if isinstance(value, str):
            return value.translate(letters)
        return [face.translate(letters) for face in value]

    return Convention(name, words, _are_faces, read)


LEAST_PLACES = 10
"""Numbers of places from which on their common step says something."""


def _rounded(step: Fraction) -> Convention:
    """Places rounded to a step, in a record that does not declare how finely it is written."""

    def all_are(header: Json, events: list[Any]) -> bool:
        if header.get("recording_precision") is not None:
            return False
        seen = 0
        for number in _places(events):
            if Fraction(str(number)) % step:
                return False
            seen += 1
        return seen >= LEAST_PLACES

    shown = f"{float(step):g}"
    return Convention(
        f"rounded-{shown}",
        f"with places rounded to {shown} inches, as all of them are multiples of that",
        lambda what: what.of == "point" and "inches" in what.words,
        lambda value: value,
        lambda header: {**header, "recording_precision": float(step)},
        all_are,
        offered=True,
    )


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, (int, float)):
        yield value


_NUMBERED = ("123456", "BSSHHC")
_COUNTED_DOWN = ("123456", "CHHSSB")

CONVENTIONS: tuple[Convention, ...] = (
    _scaled("cm", "in centimetres", 2.54, all_lengths=False),
    _scaled("cm-all", "in centimetres, claimed lengths too", 2.54, all_lengths=True),
    _scaled("mm", "in millimetres", 25.4, all_lengths=False),
    _scaled("mm-all", "in millimetres, claimed lengths too", 25.4, all_lengths=True),
    Convention(
        "radians",
        "with angles in radians",
        lambda what: what.unit == "degrees",
        lambda value: _every(value, lambda number: round(number * 180 / pi, 3)),
    ),
    _hexes("offset", "with hexes by column and row, odd columns lower", lambda q, r: (q, r - (q - (q & 1)) // 2)),
    _hexes("offset-even", "with hexes by column and row, even columns lower", lambda q, r: (q, r - (q + (q & 1)) // 2)),
    _hexes(
        "offset-rows", "with hexes by column and row, odd rows to the right", lambda q, r: (q - (r - (r & 1)) // 2, r)
    ),
    _hexes(
        "offset-even-rows",
        "with hexes by column and row, even rows to the right",
        lambda q, r: (q - (r + (r & 1)) // 2, r),
    ),
    _hexes("exchanged", "with q and r exchanged", lambda q, r: (r, q)),
    _hexes("negated", "with q and r negated", lambda q, r: (-q, -r)),
    _counted("from-zero", "with sectors counted from 0", "sector", 1),
    _counted("from-one", "with abilities counted from 1", "ability", -1),
    _counted("dice-from-one", "with dice counted from 1", "die", -1),
    _counted("faces-from-zero", "with the faces of dice counted from 0", "face", 1),
    _counted("faces-reversed", "with the faces of dice counted down, 1 for the highest", "face", 7, -1),
    _coded("faces-up", "with faces by number, 1 the blank, 2 and 3 shields, 4 and 5 hits, 6 the critical", *_NUMBERED),
    _coded(
        "faces-down", "with faces by number, 1 the critical, 2 and 3 hits, 4 and 5 shields, 6 the blank", *_COUNTED_DOWN
    ),
    *(
        _coded(f"faces-{a}{b}", f"with the faces {a} and {b} exchanged", a + b, b + a)
        for a, b in combinations("CHSB", 2)
    ),
    *map(_rounded, (Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(1, 10), Fraction(1, 20))),
)


def of_game(events: Iterable[type]) -> tuple[Convention, ...]:
    """The conventions in which logs of a game with these events may be written."""
    return _touching(tuple(events))


@cache
def _touching(kinds: tuple[type, ...]) -> tuple[Convention, ...]:
    """Those that touch a field of any of these events; its declarations are gone through once."""
    return tuple(one for one in CONVENTIONS if one.of(kinds))


def by_name(name: str) -> Convention | None:
    return next((one for one in CONVENTIONS if one.name == name), None)
