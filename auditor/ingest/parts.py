"""The parts of a log's text: its header and its events, each with the line that it stands on."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from auditor.core.record import InputError
from auditor.systems.shapes import REFUSALS, shown

_SINGLE_OBJECT = re.compile(rb'\s*\{\s*"(?:header|events)"\s*:')
_LIST = re.compile(rb"\s*\[")
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
    mended  whether its lines have been looked through for what `mended` puts right
    remarks how it is written, where that is not as usual; a sentence each
    """

    header: bytes
    header_line: int
    pieces: Sequence[bytes] | Lines
    lines: list[int]
    errors: list[InputError] = field(default_factory=list)
    joined: bytes | None = None
    single: bool = False
    twice: bool = False
    mended: bool = False
    remarks: list[str] = field(default_factory=list)


class _Single(msgspec.Struct):
    header: msgspec.Raw
    events: list[msgspec.Raw]


_single = msgspec.json.Decoder(_Single)
_list = msgspec.json.Decoder(list[msgspec.Raw])
_raw = msgspec.json.Decoder(msgspec.Raw)


def split(text: bytes) -> Parts:
    """The parts of a text: JSONL, objects one behind the other however they are spread over lines, a list of them, or
    one object {"header", "events"}. The text is not blank."""
    if _SINGLE_OBJECT.match(text):
        return _single_object(text)
    return _listed(text) if _LIST.match(text) else _lines(text)


def _listed(text: bytes) -> Parts:
    """A list whose first object is the header, or that holds one object {"header", "events"}."""
    try:
        header, *pieces = [bytes(piece) for piece in _list.decode(text)] or [b""]
    except REFUSALS:
        return _lines(text)
    if not pieces and _SINGLE_OBJECT.match(header):
        start, end = text.index(b"["), text.rindex(b"]")
        return _single_object(text[:start] + b" " + text[start + 1 : end])
    lines = _numbered(text, [header, *pieces], 0)
    joined = b"\n".join(pieces)
    together = joined if joined.count(b"\n") == len(pieces) - 1 else None
    return Parts(header, lines[0], pieces, lines[1:], joined=together, mended=True)


def _numbered(text: bytes, pieces: Iterable[bytes], place: int) -> list[int]:
    """The line that each piece begins on; they stand in the text in order, from a place on."""
    lines: list[int] = []
    line = text.count(b"\n", 0, place) + 1
    for piece in pieces:
        at = text.find(piece, place)
        line += text.count(b"\n", place, at)
        lines.append(line)
        line += piece.count(b"\n")
        place = at + len(piece)
    return lines


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
    if not _is_json(first):
        return _from_first(text)
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
    # Events stand in order, so each is sought behind the one before it; what lies between is kept for a look.
    begin = _EVENTS_KEY.search(text)
    place = begin.end() if begin else 0
    if header and start < place <= start + len(header):
        # The word stood inside the header: the list comes after it.
        begin = _EVENTS_KEY.search(text, start + len(header))
        place = begin.end() if begin else start + len(header)
    lines = _numbered(text, events, place)
    joined = b"\n".join(events)
    is_one_a_line = not errors and joined.count(b"\n") == len(events) - 1
    around = _without(text.replace(header, b"", 1) if header else text, events)
    twice = [
        key for key in ("header", "events") if len(re.findall(rb'[{,]\s*"' + key.encode() + rb'"\s*:', around)) > 1
    ]
    errors += [InputError(1, key, "a key given twice", "each key once") for key in twice]
    together = joined if is_one_a_line else None
    return Parts(
        header, header_line, events, lines, errors, joined=together, single=True, twice=bool(twice), mended=True
    )


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
    find_end = _any_value.raw_decode
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


# -- objects that do not stand one on a line ----------------------------------------------------------------------

_BETWEEN = re.compile("[\\s,\\[\\]\x1e\ufeff]*")
"""What may stand between objects: blanks, commas, the brackets of a list, marks."""
MOST_LOOKED_AHEAD = 2**22
"""Signs beyond their line that objects which turn out to be broken may make the reader look at, in all."""
_any_value = json.JSONDecoder()
_one_object = json.JSONDecoder(parse_int=len, parse_float=len, parse_constant=len)  # only its end is wanted


def _is_json(piece: bytes) -> bool:
    try:
        _raw.decode(piece)
    except REFUSALS:
        return False
    return True


def _from_first(text: bytes) -> Parts:
    """The parts of a text whose first line is no JSON by itself."""
    pieces, lines, glued = _objects(text.split(b"\n"), None)
    if not pieces:
        pieces, lines = [text.strip()], [1]
    return Parts(pieces[0], lines[0], pieces[1:], lines[1:], mended=True, remarks=_glued(glued))


def mended(file: Parts) -> Parts:
    """The same file where its lines do not hold an object each: several on one are taken apart, those spread over lines
    are put together, and commas and brackets around them are left out. What remains broken stays line by line."""
    if file.mended:
        return file
    if all(map(_is_json, file.pieces)):
        return replace(file, mended=True)
    pieces, lines, glued = _objects(list(file.pieces), file.lines)
    remarks = [*file.remarks, *_glued(glued)]
    return replace(file, pieces=pieces, lines=lines, joined=None, mended=True, remarks=remarks)


def _glued(lines: Sequence[int]) -> list[str]:
    if not lines:
        return []
    where = f"Line {lines[0]} holds" if len(lines) == 1 else f"Line {lines[0]} and {len(lines) - 1} more hold"
    return [f"{where} two events or more, one behind the other; each was read as if it stood on a line of its own."]


def _objects(lines: Sequence[bytes], numbers: Sequence[int] | None) -> tuple[list[bytes], list[int], list[int]]:
    """The objects that stand on some lines, the line that each begins on, and the lines where the break between two was
    lost. A line that is broken stays as it is, and so does one that holds anything else."""
    text = b"\n".join(lines).decode("utf-8", "surrogateescape")
    pieces: list[bytes] = []
    begun: list[int] = []
    glued: list[int] = []
    number, start, ahead = 0, 0, MOST_LOOKED_AHEAD
    while number < len(lines):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        found, stop, wasted, is_glued = _run(text, start, end, ahead)
        ahead -= wasted
        line = numbers[number] if numbers is not None else number + 1
        counted = start
        for first, last in found:
            number_of_piece = number + text.count("\n", counted, first)
            number, counted = number_of_piece, first
            begun.append(numbers[number] if numbers is not None else number + 1)
            pieces.append(text[first:last].encode("utf-8", "surrogateescape"))
        if is_glued:
            glued.append(line)
        number += text.count("\n", counted, stop) + 1
        start = stop + 1
    return pieces, begun, glued


def _run(text: str, start: int, end: int, ahead: int) -> tuple[list[tuple[int, int]], int, int, bool]:
    """The objects that begin on the line from `start` to `end`: (where each stands, the end of the line on which the
    last of them ends, signs looked at in vain, whether two stood together with nothing between)."""
    found: list[tuple[int, int]] = []
    is_glued = False
    place, wasted = start, 0
    while True:
        between = _BETWEEN.match(text, place, end)
        at = between.end() if between else place
        if at >= end:
            return found, end, wasted, is_glued
        if text[at] != "{":
            break
        try:
            # Beyond its line an object is followed only while there is patience.
            if ahead > wasted:
                _, stop = _one_object.raw_decode(text, at)
            else:
                _, length = _one_object.raw_decode(text[at:end])
                stop = at + length
        except json.JSONDecodeError as error:
            wasted += max(0, error.pos - end)
            if found:
                return [*found, (at, end)], end, wasted, True
            break
        except (ValueError, RecursionError):
            wasted += max(0, min(len(text) - end, 2**16))
            break
        is_glued |= bool(found) and not text[place:at].strip()
        found.append((at, stop))
        if stop > end:
            end = text.find("\n", stop)
            end = len(text) if end < 0 else end
        place = stop
    if not found and text[start:end].strip("\r\t ,[") == "{":
        # The beginning of an object that is spread over lines and broken: it goes as far as the next of its kind.
        indent = len(text[start:end]) - len(text[start:end].lstrip())
        following = re.compile(rf"\n[ \t]{{0,{indent}}}[\[,]?\{{").search(text, end)
        end = following.start() if following else len(text)
    whole = text[start:end]
    return [(start + len(whole) - len(whole.lstrip("\ufeff \t")), start + len(whole.rstrip("\r")))], end, wasted, False
