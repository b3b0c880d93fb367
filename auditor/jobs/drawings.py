"""Drawings of a replay, packed in blocks: made by a child, kept, and taken out one at a time.

A block is compressed lines of JSON: the numbers of its events, then a frame a line. Boards of one game are much alike,
so a block is small (about 100 bytes an event), and whoever wants one frame never holds more than that one.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

_CHUNK = 256 * 1024


def pack(frames: Sequence[dict[str, Any]]) -> bytes:
    """Frames as one block."""
    press = zlib.compressobj(6)
    lines = ([frame["seq"] for frame in frames], *frames)
    packed = [press.compress(json.dumps(line, separators=(",", ":")).encode() + b"\n") for line in lines]
    return b"".join((*packed, press.flush()))


def unpack(block: bytes) -> Iterator[dict[str, Any]]:
    """All frames of a block, one by one."""
    lines = _lines(block)
    next(lines)
    return (json.loads(line) for line in lines)


def frame_of(block: bytes, seq: int) -> dict[str, Any] | None:
    """The frame of this number; of several events that share it the last one's. None if the block has none."""
    lines = _lines(block)
    numbers: list[int] = json.loads(next(lines))
    if seq not in numbers:
        return None
    place = len(numbers) - 1 - numbers[::-1].index(seq)
    for at, line in enumerate(lines):
        if at == place:
            frame: dict[str, Any] = json.loads(line)
            return frame
    return None


def _lines(block: bytes) -> Iterator[bytes]:
    """The lines of a block, unpacked no faster than they are taken."""
    press = zlib.decompressobj()
    rest, packed = b"", block
    while packed or not press.eof:
        more = press.decompress(packed, _CHUNK)
        packed = press.unconsumed_tail
        *lines, rest = (rest + more).split(b"\n")
        yield from lines
        if not more and not packed:
            return
