"""The parts of a log's text: its header and its events, each with the line that it stands on."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from auditor.core.record import InputError
from auditor.systems.shapes import REFUSALS, shown

_SINGLE_OBJECT = re.compile(rb'\s*\{\s*"(?:header|events)"\s*:')
_EVENTS_KEY = re.compile(rb'"events"\s*:\s*\[')

MOST_CUT = 1 << 20
"""Bytes of a text up to which its lines are held beside it."""


class Lines:
    """The lines of a long text, cut out of it when they are asked for, so that it is not held twice."""

    __slots__ = ("_ends", "_text")

    def __init__(self, text: bytes, lines: Iterable[bytes]) -> None:
        self._text = text
        self._ends = array("q", [-1])
        for line in lines:
            self._ends.append(self._ends[-1] + 1 + len(line))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, place: int) -> bytes:
        return self._text[self._ends[place] + 1 : self._ends[place + 1]]

    def __iter__(self) -> Iterator[bytes]:
        return map(self.__getitem__, range(len(self)))


@dataclass
class Parts:
    """The parts of one log: the header's text, and each event's text with its line.

    joined  the events as one text, where every line of it holds one of `pieces`; None otherwise
    single  whether the log is one object
    twice   whether that object holds its header or its events twice
    """

    header: bytes
    header_line: int
    pieces: Sequence[bytes] | Lines
    lines: list[int]
    errors: list[InputError] = field(default_factory=list)
    joined: bytes | None = None
    single: bool = False
    twice: bool = False


class _Single(msgspec.Struct):
    header: msgspec.Raw
    events: list[msgspec.Raw]


_single = msgspec.json.Decoder(_Single)


def split(text: bytes) -> Parts:
    """The parts of a text, JSONL or one object {"header", "events"}. The text is not blank."""
    return _single_object(text) if _SINGLE_OBJECT.match(text) else _lines(text)


def _lines(text: bytes) -> Parts:
    """JSONL. A first line that is an object with header and events is the whole log instead."""
    start = 0
    line = 1
    while True:
        stop = text.find(b"\n", start)
        first = text[start:] if stop < 0 else text[start:stop]
        if first.strip():
            break
        start, line = stop + 1, line + 1
    try:
        value = msgspec.json.decode(first)
        is_single = isinstance(value, dict) and "header" in value and "events" in value
    except REFUSALS:
        # Perhaps the first line of an object spread over lines; what the whole decodes to decides.
        try:
            _single.decode(text)
            is_single = True
        except REFUSALS:
            is_single = False
    if is_single:
        return _single_object(text)
    body = b"" if stop < 0 else text[stop + 1 :]
    pieces = body.split(b"\n")
    if pieces and not pieces[-1].strip():
        pieces.pop()
    if all(pieces) and not (b"\r" in body and b"\n\r\n" in body):
        lines = list(range(line + 1, line + 1 + len(pieces)))
        return Parts(first, line, Lines(body, pieces) if len(body) > MOST_CUT else pieces, lines, joined=body)
    kept = [(number, piece) for number, piece in enumerate(pieces, line + 1) if piece.strip()]
    return Parts(first, line, [piece for _, piece in kept], [number for number, _ in kept])


def _single_object(text: bytes) -> Parts:
    """One object {"header", "events"}; each event's line is the one that it begins on."""
    errors: list[InputError] = []
    try:
        found = _single.decode(text)
        header, events = bytes(found.header), [bytes(event) for event in found.events]
    except REFUSALS as error:
        header, events, errors = _salvage(text, error)
    start = text.find(header)
    header_line = text.count(b"\n", 0, max(start, 0)) + 1
    lines: list[int] = []
    # Events stand in order, so each is sought behind the one before it; what lies between is kept for a look.
    begin = _EVENTS_KEY.search(text)
    place = begin.end() if begin else 0
    if header and start < place <= start + len(header):
        # The word stood inside the header: the list comes after it.
        begin = _EVENTS_KEY.search(text, start + len(header))
        place = begin.end() if begin else start + len(header)
    line = text.count(b"\n", 0, place) + 1
    for event in events:
        at = text.find(event, place)
        line += text.count(b"\n", place, at)
        lines.append(line)
        line += event.count(b"\n")
        place = at + len(event)
    joined = b"\n".join(events)
    is_one_a_line = not errors and joined.count(b"\n") == len(events) - 1
    around = _without(text.replace(header, b"", 1) if header else text, events)
    twice = [
        key for key in ("header", "events") if len(re.findall(rb'[{,]\s*"' + key.encode() + rb'"\s*:', around)) > 1
    ]
    errors += [InputError(1, key, "a key given twice", "each key once") for key in twice]
    together = joined if is_one_a_line else None
    return Parts(header, header_line, events, lines, errors, joined=together, single=True, twice=bool(twice))


def _without(text: bytes, pieces: Sequence[bytes]) -> bytes:
    """A text without its pieces, which stand in it in order."""
    if not pieces:
        return text
    kept: list[bytes] = []
    place = text.find(pieces[0])
    kept.append(text[: max(place, 0)])
    for piece in pieces:
        at = text.find(piece, place)
        if at < 0:
            continue
        kept.append(text[place:at])
        place = at + len(piece)
    kept.append(text[place:])
    return b"".join(kept)


def _salvage(text: bytes, error: Exception) -> tuple[bytes, list[bytes], list[InputError]]:
    """Header and events of a single object that does not parse as a whole, as far as they can be had."""
    decoded = text.decode("utf-8", "surrogateescape")
    find_end = json.JSONDecoder().raw_decode
    found = [
        InputError(None, "", f"an object that is not whole: {error}"[:200], 'one JSON object {"header", "events"}')
    ]
    header = ""
    events: list[bytes] = []
    place = 0
    at = re.search(r'"header"\s*:\s*', decoded)
    if at:
        try:
            _, place = find_end(decoded, at.end())
            header = decoded[at.end() : place]
        except (ValueError, RecursionError):
            place = 0
    listed = re.compile(r'"events"\s*:\s*\[').search(decoded, place)
    if listed:
        place = listed.end()
        space = re.compile(r"[\s,]*")
        while True:
            begin = space.match(decoded, place)
            place = begin.end() if begin else place
            if place >= len(decoded) or decoded[place] == "]":
                break
            try:
                _, stop = find_end(decoded, place)
            except (ValueError, RecursionError):
                line = decoded.count("\n", 0, place) + 1
                broken = shown(decoded[place : place + 60])
                found.append(
                    InputError(line, f"events[{len(events)}]", broken, "a whole event; nothing behind it was read")
                )
                break
            events.append(decoded[place:stop].encode("utf-8", "surrogateescape"))
            place = stop
    return header.encode("utf-8", "surrogateescape"), events, found
