"""Uploads on disk, each under the SHA-256 of its bytes: archive/ab/abcdef….

A file is there whole or not at all: it is written under another name, synced, and renamed. No name that came from
outside is ever part of a path.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_CHUNK = 1024 * 1024
_SHA256 = re.compile(r"[0-9a-f]{64}")
_DRAFT = re.compile(r"[0-9a-f]{32}")


class Missing(FileNotFoundError):
    """Bytes that were stored are not there any more."""


class Altered(ValueError):
    """Bytes that were stored are not what they were."""


@dataclass(frozen=True)
class Stored:
    """Bytes that are on disk for good; `known` says that they were there before."""

    sha256: str
    size: int
    known: bool


class Archive:
    """Immutable bytes by their SHA-256. Nothing is taken in while the disk has less room than `spare` bytes."""

    spare = 0

    def __init__(self, root: Path) -> None:
        self.root = root
        self._incoming = root / "incoming"
        self._incoming.mkdir(parents=True, exist_ok=True)

    def path(self, sha256: str) -> Path:
        """Where these bytes are, or would be. Raises ValueError when the text is not a SHA-256."""
        if not _SHA256.fullmatch(sha256):
            raise ValueError("not a SHA-256 in lower-case hexadecimal")
        return self.root / sha256[:2] / sha256

    def put(self, stream: IO[bytes], heap: str = "") -> Stored:
        """Store what the stream gives. When this returns, the bytes survive a power cut.

        With a heap (`heap`) they lie there and not yet under their hash, if they are not known: see `take_over`.
        """
        if self.spare and shutil.disk_usage(self.root).free < self.spare:
            raise OSError(errno.ENOSPC, "too little room on the disk", str(self.root))
        draft = self._incoming / secrets.token_hex(16)
        digest = hashlib.sha256()
        size = 0
        try:
            with draft.open("xb") as out:
                while chunk := stream.read(_CHUNK):
                    digest.update(chunk)
                    size += len(chunk)
                    out.write(chunk)
                out.flush()
                os.fsync(out.fileno())
            sha256 = digest.hexdigest()
            place = self.path(sha256)
            known = place.is_file() and _digest(place) == sha256  # a file that decayed is put right
            if not known and heap:
                draft.replace(self._heap(heap) / sha256)
            elif not known:
                place.parent.mkdir(exist_ok=True)
                draft.replace(place)
                _sync_folder(place.parent)
                _sync_folder(self.root)
        finally:
            draft.unlink(missing_ok=True)
        return Stored(sha256, size, known)

    def _heap(self, name: str) -> Path:
        if not _DRAFT.fullmatch(name):
            raise ValueError("no name of a heap")
        folder = self._incoming / name
        folder.mkdir(exist_ok=True)
        return folder

    def take_over(self, heap: str, hashes: Iterable[str]) -> None:
        """Put bytes of a heap where the archive keeps them; those that are not on it are there already.

        What is unpacked lies on a heap until its rows are about to be written, so that nothing stays that no row names.
        """
        folders = set()
        for sha256 in hashes:
            place = self.path(sha256)
            place.parent.mkdir(exist_ok=True)
            with contextlib.suppress(FileNotFoundError):
                (self._incoming / heap / sha256).replace(place)
                folders.add(place.parent)
        for folder in folders:
            _sync_folder(folder)
        if folders:
            _sync_folder(self.root)

    def drop(self, heap: str) -> None:
        """Remove a heap and what is left on it."""
        if _DRAFT.fullmatch(heap):
            shutil.rmtree(self._incoming / heap, ignore_errors=True)

    def has(self, sha256: str) -> bool:
        """Whether there are bytes under this hash, whatever they are."""
        return self.path(sha256).is_file()

    def remove(self, sha256: str) -> None:
        """Remove these bytes; only for one who knows that no row names them, and that none is being written."""
        self.path(sha256).unlink(missing_ok=True)

    def keep(self, sha256: str) -> None:
        """Make sure that what lies in the folder under this hash is where the archive keeps its bytes for good.

        For those that others wrote there, as children do; `put` does it by itself.
        """

    def here(self, sha256: str) -> Path:
        """The file with these bytes, on this machine. Raises Missing, a FileNotFoundError, where there are none."""
        place = self.path(sha256)
        if not place.is_file():
            raise Missing(errno.ENOENT, "these bytes are not in the archive any more", str(place))
        return place

    def read(self, sha256: str) -> bytes:
        """The bytes. Raises FileNotFoundError when there are none, ValueError when they are not what they were."""
        data = self.here(sha256).read_bytes()
        if hashlib.sha256(data).hexdigest() != sha256:
            raise Altered(f"archive file {sha256} has changed on disk")
        return data

    def is_whole(self, sha256: str) -> bool:
        """Whether these bytes are there as they came."""
        try:
            return _digest(self.here(sha256)) == sha256
        except (OSError, ValueError):
            return False

    def begin(self, sha256: str, size: int = 16) -> bytes:
        """The first bytes."""
        with self.here(sha256).open("rb") as stream:
            return stream.read(size)

    def parts(self, sha256: str) -> Iterator[bytes]:
        """The bytes in parts. Raises as `read`, before the first part is taken."""
        place = self.here(sha256)
        if _digest(place) != sha256:
            raise Altered(f"archive file {sha256} has changed on disk")
        return _chunks(place)

    def lines(self, sha256: str, first: int, last: int, most: int) -> tuple[list[bytes], int]:
        """The lines from one number to another, at most so many bytes of each, and how many lines there are.

        Raises as `read`. No more than a chunk is held, whatever the lines are.
        """
        found: list[bytes] = []
        number, line = 1, b""
        for chunk in self.parts(sha256):
            ends = chunk.count(b"\n")
            if number + ends < first or number > last:
                number += ends
                continue
            start = 0
            while number <= last:
                stop = chunk.find(b"\n", start)
                if number >= first:
                    line += chunk[start : len(chunk) if stop < 0 else stop][: most - len(line)]
                if stop < 0:
                    break
                if number >= first:
                    found.append(line)
                    line = b""
                number, start = number + 1, stop + 1
            else:
                number += chunk.count(b"\n", start)
        if first <= number <= last:
            found.append(line)
        return found, number

    def sweep(self) -> int:
        """Remove what writers that died left behind; only for the one process that holds the store's lock."""
        drafts = [file for file in self._incoming.iterdir() if _DRAFT.fullmatch(file.name)]
        for draft in drafts:
            if draft.is_dir():
                self.drop(draft.name)
            else:
                draft.unlink(missing_ok=True)
        return len(drafts)


def _chunks(file: Path) -> Iterator[bytes]:
    with file.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _sync_folder(folder: Path) -> None:
    """Make a rename durable; where folders cannot be opened (Windows) the rename is all there is."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
