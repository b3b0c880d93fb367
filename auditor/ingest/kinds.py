"""What a file is, told by its first bytes and its first line, never by its name: a log, or what else, and what to do.

Only what people really send is listed. Sources: the signatures that the formats' own specifications give; for other
programs of tabletop games, files as these programs save them.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from auditor.systems.shapes import REFUSALS

HEAD = 4096
"""Bytes that are looked at."""
GZIP = b"\x1f\x8b"
UTF8_BOM = b"\xef\xbb\xbf"
WIDE_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_WIDE_MARKS = tuple(mark for mark, _ in WIDE_BOMS)


@dataclass(frozen=True, slots=True)
class Foreign:
    """A file that is no log.

    what   what it is: "a tar archive"
    do     what to do with it
    holds  whether there may be logs or games in it, so that leaving it out has to be said
    """

    what: str
    do: str
    holds: bool = False

    def __str__(self) -> str:
        return f"it is {self.what}; {self.do}"


TABLE_KIND = "a table (CSV)"
PACK_KIND = "a data pack"
_UNPACK = "unpack it and give the logs in it, or a zip of them"
_NOT_OURS = "a log holds what happened, event by event; no such thing can be made from this file"
_AS_WRITTEN = "give the file as the recorder wrote it, for a spreadsheet changes numbers and ids too"
_OTHER_PROGRAM = "its games are not recorded as events; a log has to be written by a recorder"
_LIST = "it lists what is played and is no game; a log begins with a header"
_LOG = "a game has to be a log, as a recorder writes it: one JSON object a line; how, the guide for recorders says"
_TABLE = f"card and unit sheets are data packs (Packs, or auditor packs check); {_LOG}"
_PICTURE = Foreign("a picture", _NOT_OURS)
_SOUND = Foreign("sound or video", _NOT_OURS)
_EXCEL = f"card and unit sheets are data packs, saved as CSV; {_LOG}"


def _archive(name: str) -> Foreign:
    return Foreign(name, _UNPACK, holds=True)


_FIRST_BYTES: tuple[tuple[int, bytes, Foreign], ...] = (
    (0, b"7z\xbc\xaf\x27\x1c", _archive("a 7z archive")),
    (0, b"Rar!\x1a\x07", _archive("a RAR archive")),
    (257, b"ustar", _archive("a tar archive")),
    (0, b"\x28\xb5\x2f\xfd", _archive("packed by Zstandard (zst)")),
    (0, b"\xfd7zXZ\x00", _archive("packed by xz")),
    (0, b"BZh", _archive("packed by bzip2")),
    (0, b"\x04\x22\x4d\x18", _archive("packed by LZ4")),
    (0, b"\x1f\x9d", _archive("packed by compress (.Z)")),
    (0, b"MSCF", _archive("a cabinet archive")),
    (0, b"!VCSK", Foreign("a saved game or log of VASSAL", _OTHER_PROGRAM, holds=True)),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Foreign("an old Office file (Excel or Word)", _EXCEL, holds=True)),
    (0, b"SQLite format 3\x00", Foreign("an SQLite database", "export the log from it", holds=True)),
    (0, b"%PDF", Foreign("a PDF", _NOT_OURS)),
    (0, b"%!PS", Foreign("a PostScript file", _NOT_OURS)),
    (0, b"{\\rtf", Foreign("a Rich Text document", "save it as plain text, one JSON object a line", holds=True)),
    (0, b"bplist00", Foreign("a property list of a Mac", _NOT_OURS)),
    (0, b"\x00\x05\x16\x07", Foreign("what a Mac keeps beside a file", "give the file itself")),
    (0, b"\x00\x05\x16\x00", Foreign("what a Mac keeps beside a file", "give the file itself")),
    (0, b"\x89PNG", _PICTURE),
    (0, b"\xff\xd8\xff", _PICTURE),
    (0, b"GIF8", _PICTURE),
    (0, b"II*\x00", _PICTURE),
    (0, b"MM\x00*", _PICTURE),
    (0, b"RIFF", Foreign("a picture, sound or video", _NOT_OURS)),
    (4, b"ftyphei", _PICTURE),
    (4, b"ftypmif1", _PICTURE),
    (4, b"ftypavif", _PICTURE),
    (0, b"BM", _PICTURE),
    (4, b"ftyp", _SOUND),
    (0, b"OggS", _SOUND),
    (0, b"ID3", _SOUND),
    (0, b"\x1aE\xdf\xa3", _SOUND),
    (0, b"\x7fELF", Foreign("a program", _NOT_OURS)),
    (0, b"MZ", Foreign("a program", _NOT_OURS)),
)
"""(where, bytes, what it is); the first that fits counts."""
_BEGINNINGS = tuple({sign for at, sign, _ in _FIRST_BYTES if not at})
_INSIDE = tuple({(at, sign[:4]) for at, sign, _ in _FIRST_BYTES if at})
"""What the beginnings have in common: one look passes over a file that is none of them."""
_NOT_TEXT = {b"BM", b"MZ", b"BZh", b"ID3"}
"""Beginnings that a text could have too: about these, as before what stands further on, there are bytes of no text."""
_PRINTABLE = re.compile(rb"[\t\n\r -~]*")

_FIRST_WORDS: tuple[tuple[re.Pattern[str], Foreign], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), foreign)
    for pattern, foreign in (
        (r"<(?:!DOCTYPE html|html)\b", Foreign("a web page", "it may be a page to sign in: download the log again")),
        (r"<deck\b[^<>]{0,400}\bgame\s*=", Foreign("a deck of OCTGN", _LIST)),
        (r"<deck\b", Foreign("a deck of LackeyCCG or the like", _LIST)),
        (r"<cockatrice_", Foreign("a deck of Cockatrice", _LIST)),
        (r"<(?:roster|catalogue|gameSystem)\b", Foreign("a BattleScribe file", _LIST)),
        (r"<(?:game|package)\b[^<>]{0,400}(?:octgn|nuspec)", Foreign("a game definition of OCTGN", _LIST)),
        (r"<VASSAL\.", Foreign("a module of VASSAL", _LIST)),
        (r"<(?:svg)\b", _PICTURE),
        (r"<table\b", Foreign("a table of a web page (HTML)", _EXCEL, holds=True)),
        (r"<Workbook\b", Foreign("an Excel workbook (XML)", _EXCEL, holds=True)),
        (r"<office:document\b", Foreign("an OpenDocument sheet or text (LibreOffice)", _EXCEL, holds=True)),
        (r"<plist\b", Foreign("a property list of a Mac", _NOT_OURS)),
        (r"<\?xml|<[a-z][\w.:-]{0,60}[\s>]", Foreign("an XML file", _NOT_OURS)),
        (r"\[(?:Event|Site|White)\s+\"", Foreign("a game of chess (PGN)", _NOT_OURS)),
        (r"-----BEGIN PGP", Foreign("an encrypted or signed text (PGP)", "decrypt it first", holds=True)),
        (r"version https://git-lfs", Foreign("a pointer of Git LFS", "fetch the file that it stands for", holds=True)),
        (r"Name\tSet\t", Foreign("a card list of LackeyCCG", _LIST)),
        (r"ID;P", Foreign("a sheet (SYLK)", _EXCEL, holds=True)),
        (r'"\{\s*""', Foreign("a log that a spreadsheet has saved, its quotes doubled", _AS_WRITTEN, holds=True)),
    )
)

_WORDS_BEGIN = frozenset(
    sign
    for pattern, _ in _FIRST_WORDS
    for first in pattern.pattern.lstrip("\\")[0]
    for sign in (first.lower(), first.upper())
)
"""The signs that such texts begin with."""

_KEYS: tuple[tuple[frozenset[str], Foreign], ...] = (
    (frozenset({"id", "title", "source"}), Foreign(PACK_KIND, "give it as a data pack, beside a log")),
    (frozenset({"ObjectStates"}), Foreign("a save of Tabletop Simulator", _OTHER_PROGRAM, holds=True)),
    (frozenset({"SaveName"}), Foreign("a save of Tabletop Simulator", _OTHER_PROGRAM, holds=True)),
    (frozenset({"roster"}), Foreign("a roster of BattleScribe or New Recruit", _LIST)),
    (frozenset({"catalogue"}), Foreign("a BattleScribe file", _LIST)),
    (frozenset({"gameSystem"}), Foreign("a BattleScribe file", _LIST)),
    (frozenset({"digest", "verdict"}), Foreign("an audit", "give the log that it is of")),
    (frozenset({"runs", "version"}), Foreign("a report (SARIF)", "give the log that it is of")),
    (frozenset({"readings", "name"}), Foreign("a set of rulings", "give it as the rulings, beside a log")),
)
"""Keys of the object that a file is, and what it then is."""

_ENTRIES: tuple[tuple[str, Foreign], ...] = (
    (r"(^|\n)savedGame(\n|$)", Foreign("a saved game or log of VASSAL", _OTHER_PROGRAM, holds=True)),
    (r"(^|\n)(buildFile(\.xml)?|moduledata|extensiondata)(\n|$)", Foreign("a module of VASSAL", _LIST)),
    (r"(^|\n)xl/", Foreign("an Excel workbook", _EXCEL, holds=True)),
    (r"(^|\n)word/", Foreign("a Word document", "save it as plain text, one JSON object a line", holds=True)),
    (r"(^|\n)ppt/", Foreign("a PowerPoint file", _NOT_OURS)),
    (r"(^|\n)[^\n]+\.(ros|cat|gst)(\n|$)", Foreign("a BattleScribe file", _LIST)),
    (r"(^|\n)[^\n]+\.nuspec(\n|$)", Foreign("a game definition of OCTGN", _LIST)),
    (r"(^|\n)(Index/|Index\.zip(\n|$))", Foreign("a Numbers or Pages document", _EXCEL, holds=True)),
    (r"(^|\n)content\.xml(\n|$)", Foreign("an OpenDocument sheet or text (LibreOffice)", _EXCEL, holds=True)),
    (r"(^|\n)META-INF/", Foreign("a Java program", _NOT_OURS)),
)
"""Patterns of the names in a zip, one a line, and what the zip then is."""

_HEADER_SIGN = re.compile(
    rb'"type"\s*:\s*"header"|"header"\s*:|"events"\s*:|"game"\s*:\s*"[^"\\]{0,64}"\s*,\s*"format"'
)
_LOG_KEYS = frozenset({"header", "events"})
_JUNK = re.compile(
    r"(^|/)(__MACOSX(/|$)|\._|~\$|\.~|\.DS_Store$|Thumbs\.db$|desktop\.ini$|Icon\r$|\.git/|\.Trashes/)", re.I
)
_LOG_NAME = re.compile(r"\.(jsonl|ndjson|jsonlines|json-lines|json-seq|ldjson)([._ (-]|$)", re.I)
_JSON_NAME = re.compile(r"\.json(\.(gz|txt))*( ?\(\d+\))?$", re.I)


def is_junk(name: str) -> bool:
    """Whether a file is what a system or an editor leaves beside the files of people."""
    return _JUNK.search(name) is not None


def is_named_like_a_log(name: str) -> bool:
    """Whether a name says that its file is a log."""
    return _LOG_NAME.search(name) is not None


def is_named_like_json(name: str) -> bool:
    """Whether a name says that its file is JSON, which may be a log or a data pack."""
    return _JSON_NAME.search(name) is not None


def head_of(data: bytes) -> bytes:
    """The first bytes of a file, out of gzip, however often."""
    head = data[:HEAD]
    for _ in range(4):
        if not head.startswith(GZIP):
            break
        try:
            head = zlib.decompressobj(31).decompress(head, HEAD)
        except zlib.error:
            return b""
    return head


def wide(head: bytes) -> str | None:
    """The encoding of two or four bytes a sign that a text begins in, by its mark or by where its NULs stand."""
    if head.startswith(_WIDE_MARKS):
        return next(name for mark, name in WIDE_BOMS if head.startswith(mark))
    sample = head[:40]
    if len(sample) < 4 or b"\0" not in sample or sample.count(0) * 3 < len(sample):
        return None
    # The first signs of a log are ASCII, so all bytes of each but one are NUL.
    for name, width, place in (("utf-32-le", 4, 0), ("utf-32-be", 4, 3), ("utf-16-le", 2, 0), ("utf-16-be", 2, 1)):
        signs = sample[: len(sample) // width * width]
        if all((byte != 0) == (n % width == place) for n, byte in enumerate(signs)):
            return name
    return None


def _text(head: bytes) -> str:
    """The first bytes as text, without marks and blanks before it."""
    name = wide(head)
    text = head[: len(head) // 4 * 4].decode(name, "replace") if name else head.decode("utf-8", "replace")
    return text.lstrip("\ufeff \t\r\n\x1e\x00")


def may_be_log(head: bytes) -> bool:
    """Whether first bytes (out of gzip) are those of a log: an object or a list that begins with a header."""
    text = _text(head)
    return text.startswith(("{", "[")) and _HEADER_SIGN.search(text.encode("utf-8", "replace")) is not None


@lru_cache(maxsize=16)
def foreign(head: bytes) -> Foreign | None:
    """What a file is that begins so (out of gzip) and is no log; None where it may be one.

    Those who open, read and store a file ask one after the other, so the answers about the last few are kept.
    """
    if head.startswith(_BEGINNINGS) or any(head.startswith(sign, at) for at, sign in _INSIDE):
        for at, sign, kind in _FIRST_BYTES:
            if head.startswith(sign, at) and not ((at or sign in _NOT_TEXT) and _PRINTABLE.fullmatch(head[: at or 64])):
                return kind
    text = _text(head)
    if text[:1] in _WORDS_BEGIN:
        # Declarations and remarks of XML stand before the element that tells what it is.
        is_declared = text.startswith(("<?xml", "<!"))
        for pattern, kind in _FIRST_WORDS:
            if pattern.match(text) or (is_declared and pattern.pattern.startswith("<") and pattern.search(text)):
                return kind
    return Foreign(TABLE_KIND, _TABLE) if _is_table(text) else None


def _is_table(text: str) -> bool:
    """Whether a text is a table: two of its first lines have as many cells, two or more, and none of them is JSON.

    Of a text whose one line is a heading, three cells. After a comma within a sentence stands a blank.
    """
    if text.startswith("sep="):
        return True  # as a spreadsheet begins its own
    if text.startswith(("{", "[")):
        return False
    lines = [line for line in map(_unquoted, text.split("\n")[:_ROWS]) if line.strip()]
    if not lines or any(line.lstrip().startswith(("{", "[")) for line in lines):
        return False
    counts = [[_count(sign, line) for line in lines] for sign in _SEPARATORS]
    rows = [max((row.count(cells) for cells in row if cells), default=0) for row in counts]
    return max(rows) >= 2 or (len(lines) == 1 and max(row[0] for row in counts) >= 2)


_ROWS = 12
"""Lines that are looked at."""
_SEPARATORS = (",", ";", "\t", "|")
_OF_SENTENCES = (",", ";")


def _count(sign: str, line: str) -> int:
    """How often a sign divides cells in a line; after one within a sentence stands a blank."""
    return line.count(sign) - (line.count(sign + " ") if sign in _OF_SENTENCES else 0)


_QUOTED = re.compile(r'"[^"]*"')


def _unquoted(line: str) -> str:
    """A line without what stands in quotes."""
    return _QUOTED.sub("", line) if '"' in line else line


def foreign_json(text: bytes) -> Foreign | None:
    """What a JSON text is that is no log, by the keys of the object that it is or of the first in its list."""
    keys = _keys(text)
    if keys is None or _LOG_KEYS & keys or {"type", "seq"} & keys:
        return None
    return next((kind for some, kind in _KEYS if some <= keys), None)


def _keys(text: bytes) -> frozenset[str] | None:
    begin = text.lstrip()[:1]
    try:
        if begin == b"{":
            return frozenset(msgspec.json.decode(text, type=dict[str, msgspec.Raw]))
        if begin == b"[":
            first = msgspec.json.decode(text, type=list[dict[str, msgspec.Raw]])
            return frozenset(first[0]) if first else None
    except REFUSALS:
        pass
    return None


def foreign_zip(names: Collection[str]) -> Foreign | None:
    """What a zip is that holds files of these names, and no log by its name."""
    if any(is_named_like_a_log(name) for name in names):
        return None
    listed = "\n".join(names)
    return next((kind for pattern, kind in _ENTRIES if re.search(pattern, listed)), None)
