"""What logs come in: a file, gzip, a zip, a folder. Nothing is written, and no name from a zip is used as a path.

Zips are refused for everything that tells two readers different things (overlapping members, doubled names, trailing
data, headers that disagree) and for everything that is larger than it says.
"""

from __future__ import annotations

import hashlib
import io
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import msgspec

from auditor.core.record import InputError, UnreadableLog
from auditor.ingest.kinds import (
    GZIP,
    HEAD,
    UTF8_BOM,
    Foreign,
    foreign,
    foreign_json,
    foreign_zip,
    head_of,
    is_junk,
    is_named_like_a_log,
    is_named_like_json,
    may_be_log,
)
from auditor.ingest.limits import LIMITS, Limits
from auditor.systems.shapes import REFUSALS

CHUNK = 2**16

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_END = b"PK\x05\x06"
MOST_GZIPS = 3
"""How often a log may be packed by gzip: a browser or a server may have done it once more."""

_ZIP_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
    IndexError,
    struct.error,
    OverflowError,
)


@dataclass(frozen=True, slots=True)
class NotRead:
    """Why a file of a container was not read.

    skipped  it is no log
    perhaps  it was skipped, and there may be a log or a game in it all the same
    junk     it is what a system leaves beside the files of people: it need not even be named
    size     its bytes, as the directory of its zip says
    """

    why: str
    skipped: bool = False
    perhaps: bool = False
    junk: bool = False
    size: int | None = None


class Member(NamedTuple):
    """A file of a container: its bytes (perhaps still gzip), or why there are none.

    `container_sha256` is the hash of the zip that it came in.
    """

    name: str
    content: bytes | NotRead
    container_sha256: str | None = None


def open_container(source: str | os.PathLike[str] | bytes, *, limits: Limits = LIMITS) -> Iterator[Member]:
    """The logs of a file, folder or zip, one by one, and what was not read, each with the reason.

    Of folders and zips, in the order of their paths: whatever begins as a log does, and whatever is named like one. A
    single file is a log unless its first bytes say what else it is. Nothing is raised for what a container holds; a
    path that does not exist raises OSError.
    """
    if isinstance(source, bytes):
        yield from _bytes("", source, limits)
        return
    path = Path(source)
    if path.is_dir():
        yield from _folder(path, limits)
    elif path.stat().st_size > limits.stored:
        yield Member(path.name, NotRead(f"it has more than {limits.stored:,} bytes"))
    else:
        yield from _bytes(path.name, path.read_bytes(), limits)


def is_zip(data: bytes) -> bool:
    """Whether some bytes mean to be a zip."""
    return data.startswith(_ZIP)


def _bytes(name: str, data: bytes, limits: Limits) -> Iterator[Member]:
    if is_zip(data):
        yield from _zip(name, data, limits)
        return
    kind = foreign_in(data)
    yield Member(name, data if kind is None else NotRead(str(kind)))


def foreign_in(data: bytes) -> Foreign | None:
    """What a file is that is neither a log nor a zip of logs; None where it may be one."""
    if is_zip(data):
        return _foreign_zip(data)
    kind = foreign(head_of(data))
    return foreign_json(data) if kind is None and data[:1] in (b"{", b"[") and not may_be_log(data[:HEAD]) else kind


_JUNK = NotRead("it is a system's own file", skipped=True, junk=True)


def _passed_over(name: str, head: bytes) -> NotRead | None:
    """Why a file of a container is no log, by its first bytes (out of gzip) and its name; None where it is to be read."""
    if is_junk(name):
        return _JUNK
    kind = foreign(head)
    if kind is not None:
        perhaps = kind.holds or is_named_like_a_log(name)
        return NotRead(str(kind), skipped=True, perhaps=perhaps)
    if is_named_like_a_log(name) or is_named_like_json(name) or may_be_log(head):
        return None
    return NotRead("it does not begin as a log does", skipped=True)


def _as_log(name: str, data: bytes) -> bytes | NotRead:
    """The bytes of a file that may be a log; a `.json` without a header is none."""
    head = head_of(data)
    why = _passed_over(name, head)
    if why is not None or is_named_like_a_log(name) or may_be_log(head):
        return data if why is None else why
    kind = foreign_json(data)
    if kind is not None:
        return NotRead(str(kind), skipped=True, perhaps=kind.holds)
    return data if _has_header(data) else NotRead("it has no header at its top level", skipped=True)


class _HasHeader(msgspec.Struct):
    header: msgspec.Raw


def _has_header(data: bytes) -> bool:
    if data.startswith(GZIP):
        return False
    try:
        msgspec.json.decode(data.removeprefix(UTF8_BOM), type=_HasHeader)
    except REFUSALS:
        return False
    return True


# -- folders --------------------------------------------------------------------------------------------------------


def _folder(folder: Path, limits: Limits) -> Iterator[Member]:
    paths = sorted(
        (Path(place, name) for place, _, names in os.walk(folder) for name in names),
        key=lambda path: path.relative_to(folder).as_posix(),
    )
    if len(paths) > limits.members:
        yield Member(folder.name, NotRead(f"it holds {len(paths):,} files; at most {limits.members:,} are read"))
        return
    for path in paths:
        name = path.relative_to(folder).as_posix()
        try:
            if is_junk(name):
                yield Member(name, _JUNK)
            elif not stat.S_ISREG(path.stat().st_mode):
                yield Member(name, NotRead("it is not an ordinary file", skipped=True))
            elif path.stat().st_size > limits.stored:
                yield Member(name, NotRead(f"it has more than {limits.stored:,} bytes"))
            else:
                yield Member(name, _of_folder(name, path))
        except OSError as error:
            yield Member(name, NotRead(f"it cannot be opened: {error.strerror}"))


def _of_folder(name: str, path: Path) -> bytes | NotRead:
    """The bytes of a file that may be a log. Of a large one that is none only the beginning is read. Raises OSError."""
    with path.open("rb") as file:
        head = file.read(HEAD)
        if is_zip(head):
            kind = _foreign_zip(path.read_bytes())
            if kind is not None:
                return NotRead(str(kind), skipped=True, perhaps=kind.holds)
            return NotRead("a zip within a folder is not opened; give it by itself", skipped=True, perhaps=True)
        return _passed_over(name, head_of(head)) or _as_log(name, head + file.read())


# -- zips -----------------------------------------------------------------------------------------------------------


class _Refused(Exception):
    """A zip, or a member of one, that is not opened."""


def _zip(name: str, data: bytes, limits: Limits) -> Iterator[Member]:
    sha256 = hashlib.sha256(data).hexdigest()
    try:
        archive, infos = _directory(data, limits)
    except _Refused as refused:
        yield Member(name, NotRead(f"the zip is refused: {refused}"), sha256)
        return
    except _ZIP_FAULTS as error:
        yield Member(name, NotRead(f"the zip cannot be read: {type(error).__name__}: {error}"[:200]), sha256)
        return
    with archive:
        kind = foreign_zip([info.filename for info in infos])
        if kind is not None:
            yield Member(name, NotRead(str(kind)), sha256)
            return
        for info in sorted(infos, key=lambda one: _shown(one.filename)):
            try:
                content: bytes | NotRead = _member(archive, info, limits)
            except _Refused as refused:
                content = NotRead(str(refused))
            except _ZIP_FAULTS as error:
                content = NotRead(f"it cannot be read: {type(error).__name__}: {error}"[:200])
            if isinstance(content, NotRead):
                content = replace(content, size=info.file_size)
            yield Member(_shown(info.filename), content, sha256)


def _foreign_zip(data: bytes) -> Foreign | None:
    """What a zip is by the names in it, if not one of logs."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return foreign_zip([_shown(name) for name in archive.namelist()[:1000]])
    except _ZIP_FAULTS:
        return None


def _shown(name: str) -> str:
    """The name of a member as it is shown; no file is ever opened by it."""
    return name.replace("\\", "/")


def _directory(data: bytes, limits: Limits) -> tuple[zipfile.ZipFile, list[zipfile.ZipInfo]]:
    """The files of a zip whose directory can be trusted. Raises _Refused, or one of _ZIP_FAULTS."""
    if len(data) > limits.stored:
        raise _Refused(f"it has more than {limits.stored:,} bytes")
    end = data.rfind(_END)
    last = end + 22 + int.from_bytes(data[end + 20 : end + 22], "little")
    if end < 0 or len(data) < last or len(data) < end + 22:
        raise _Refused("it does not end with its end record")
    data = data[:last]  # what a mail program or a script left behind it is no part of it
    entries = int.from_bytes(data[end + 10 : end + 12], "little")
    if entries > limits.members:
        raise _Refused(f"it names {entries:,} members; at most {limits.members:,} are read")
    archive = zipfile.ZipFile(io.BytesIO(data))
    infos = archive.infolist()
    if len(infos) > limits.members:
        raise _Refused(f"it names {len(infos):,} members; at most {limits.members:,} are read")
    names = set()
    for info in infos:
        _check_name(info.orig_filename)
        if _shown(info.filename) in names:
            raise _Refused(f"it holds {_shown(info.filename)!r} twice")
        names.add(_shown(info.filename))
    if sum(info.file_size for info in infos) > limits.total:
        raise _Refused(f"its members have more than {limits.total:,} bytes together")
    _check_spans(data, infos, archive.start_dir)
    return archive, [info for info in infos if not _shown(info.filename).endswith("/")]


def _check_name(name: str) -> None:
    if not name:
        raise _Refused("a member has no name")
    parts = _shown(name).split("/")
    if "\0" in name or _shown(name).startswith("/") or ".." in parts or len(name) > 1024:
        raise _Refused(f"{name[:80]!r} is not a plain name")


def _check_spans(data: bytes, infos: list[zipfile.ZipInfo], directory: int) -> None:
    """Members stand one behind the other from the first byte, and their own headers agree with the directory."""
    reached = 0
    for info in sorted(infos, key=lambda one: one.header_offset):
        at = info.header_offset
        local = data[at : at + 30]
        if len(local) < 30 or local[:4] != b"PK\x03\x04":
            raise _Refused(f"{info.filename!r} is not where the directory says")
        flags, method = struct.unpack("<HH", local[6:10])
        name_length, extra_length = struct.unpack("<HH", local[26:30])
        raw_name = data[at + 30 : at + 30 + name_length]
        if raw_name.decode("utf-8" if flags & 0x800 else "cp437", "replace") != info.orig_filename:
            raise _Refused(f"{info.filename!r} has another name in its own header")
        if method != info.compress_type or (flags ^ info.flag_bits) & 0x1:
            raise _Refused(f"{info.filename!r} and its own header disagree")
        if at < reached:
            raise _Refused(f"{info.filename!r} overlaps another member")
        reached = at + 30 + name_length + extra_length + info.compress_size
    if reached > directory:
        raise _Refused("a member overlaps the directory")
    if data.count(_END, reached) != 1:
        raise _Refused("it has more than one end record")
    if infos and min(info.header_offset for info in infos) != 0:
        raise _Refused("something stands before its first member")


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, limits: Limits) -> bytes | NotRead:
    """The bytes of one member, never more than declared and allowed."""
    name = _shown(info.filename)
    if is_junk(name):
        return _JUNK
    if info.flag_bits & 0x1:
        raise _Refused("it is encrypted")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise _Refused("it is a symbolic link")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _Refused(f"it is packed by method {info.compress_type}; stored and deflated members are read")
    with archive.open(info) as stream:
        head = stream.read(HEAD)
    is_packed = is_zip(head) or name.casefold().endswith(".zip")
    passed_over = None if is_packed else _passed_over(name, head_of(head))
    if passed_over is not None:
        return passed_over
    allowed = min(limits.decoded, limits.free + limits.ratio * info.compress_size)
    if info.file_size > allowed:
        raise _Refused(
            f"it unpacks to {info.file_size:,} bytes; at most {limits.decoded:,} bytes"
            f" and {limits.ratio} times its packed size are read"
        )
    with archive.open(info) as stream:
        data = stream.read(info.file_size + 1)
    if len(data) != info.file_size:
        raise _Refused("its size is not the one that the directory says")
    if is_packed:
        kind = _foreign_zip(data)
        if kind is None:
            raise _Refused("a zip within a zip is not opened")
        return NotRead(str(kind), skipped=True, perhaps=kind.holds)
    return _as_log(name, data)


# -- gzip -----------------------------------------------------------------------------------------------------------


def gunzip(data: bytes, limits: Limits) -> tuple[bytes, list[InputError]]:
    """The content of a gzip file, and of one in it, as far as it goes, and what is wrong with it.

    Raises UnreadableLog where it grows beyond the limit or nothing can be had from it.
    """
    errors: list[InputError] = []
    for _ in range(MOST_GZIPS):
        data, wrong = _gunzip(data, limits)
        errors += wrong
        if not data.startswith(GZIP):
            break
    return data, errors


def _gunzip(data: bytes, limits: Limits) -> tuple[bytes, list[InputError]]:
    errors: list[InputError] = []
    content = bytearray()
    rest = memoryview(data)
    while len(rest):
        stream = zlib.decompressobj(31)
        try:
            while len(rest) and not stream.eof:
                content += stream.decompress(rest[:CHUNK], 2**20)
                left = len(stream.unused_data) if stream.eof else len(stream.unconsumed_tail)
                rest = rest[min(CHUNK, len(rest)) - left :]
                if len(content) > limits.decoded:
                    found = "a gzip file that unpacks to more than it may"
                    raise UnreadableLog([InputError(None, "", found, f"at most {limits.decoded:,} bytes")])
        except zlib.error as error:
            errors.append(InputError(None, "", f"a damaged gzip file ({error})"[:200], "a whole gzip file"))
            break
        if not stream.eof:
            content += stream.flush()
            errors.append(InputError(None, "", "a gzip file that ends early", "a whole gzip file"))
            break
        if len(rest) and bytes(rest[:2]) != GZIP:
            if bytes(rest).strip(b"\0"):
                found = f"{len(rest):,} bytes after the end of the gzip file"
                errors.append(InputError(None, "", found, "nothing more"))
            break
    if errors and not content.strip():
        raise UnreadableLog(errors)
    return bytes(content), errors
