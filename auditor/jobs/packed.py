"""Bytes made by a child and handed on packed, so that whoever serves them need never hold all of them."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

CHUNK = 64 * 1024


def packed(data: bytes) -> bytes:
    """The bytes, compressed."""
    return zlib.compress(data, 6)


def unpacked(data: bytes) -> Iterator[bytes]:
    """What was packed, in parts of at most `CHUNK` bytes."""
    press = zlib.decompressobj()
    left = data
    while left or not press.eof:
        part = press.decompress(left, CHUNK)
        left = press.unconsumed_tail
        if part:
            yield part
        elif not left:
            return


def whole(data: bytes) -> bytes:
    """All of what was packed."""
    return zlib.decompress(data)


def head_and_rest(data: bytes) -> tuple[bytes, Iterator[bytes]]:
    """The first line of what was packed, and what comes after it in parts."""
    parts = unpacked(data)
    head = b""
    for part in parts:
        line, end, rest = (head + part).partition(b"\n")
        if end:
            return line, _with(rest, parts)
        head = line
    return head, iter(())


def _with(first: bytes, parts: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from parts
