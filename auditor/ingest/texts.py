"""From the bytes of a log to its text in UTF-8: other encodings, marks before it, what a cut left behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from auditor.core.record import InputError
from auditor.ingest.kinds import UTF8_BOM, WIDE_BOMS, wide

_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_AROUND = b"\x00 \t\r\n"


@dataclass
class Text:
    """The text of a log.

    remarks  how it was written, where that is not as usual; a sentence each
    errors   what is wrong with the file as a whole
    """

    utf8: bytes
    remarks: list[str] = field(default_factory=list)
    errors: list[InputError] = field(default_factory=list)


def text_of(data: bytes) -> Text:
    """The text of a log whose bytes are out of gzip. Whatever they are, nothing is raised."""
    text = Text(data)
    encoding = wide(data[:40])
    if encoding is not None:
        _from_wide(text, encoding)
    elif not data.isascii():
        _from_one_byte(text)
    while text.utf8.startswith(UTF8_BOM):
        text.utf8 = text.utf8[len(UTF8_BOM) :]
    if text.utf8.endswith((b"\0", b"\0\n")):
        whole = text.utf8.rstrip(_AROUND)
        count = text.utf8.count(b"\0", len(whole))
        found = f"{count:,} NUL bytes at the end" if whole else f"{count:,} NUL bytes and nothing else"
        text.errors.append(InputError(None, "", found, "a whole log; this one was cut off, as when power fails"))
        text.utf8 = whole
    if b"\n" not in text.utf8 and b"\r" in text.utf8:
        text.utf8 = text.utf8.replace(b"\r", b"\n")
        text.remarks.append("The lines of the file end in CR alone; they were read as lines.")
    return text


def _from_wide(text: Text, encoding: str) -> None:
    data, width = text.utf8, int(encoding[4:6]) // 8
    for mark, name in WIDE_BOMS:
        if name == encoding and data.startswith(mark):
            data = data[len(mark) :]
            break
    if len(data) % width:
        text.errors.append(InputError(None, "", "half a sign at the end", f"whole signs of {width} bytes"))
        data = data[: len(data) // width * width]
    text.utf8 = data.decode(encoding, "replace").encode("utf-8", "replace")
    text.remarks.append(f"The file is written in {encoding[:6].upper()} and was read so; a log is UTF-8.")


def _from_one_byte(text: Text) -> None:
    """Read a text as Windows-1252 that is not UTF-8 anywhere. One that is so here and there is damaged."""
    try:
        text.utf8.decode()
    except UnicodeDecodeError:
        if _MULTIBYTE.search(text.utf8) or _CONTROLS.search(text.utf8.rstrip(_AROUND)):
            return
        text.utf8 = text.utf8.decode("cp1252", "replace").encode()
        text.remarks.append(
            "The file is not UTF-8; it was read as Windows-1252. Names with letters other than a to z may be spelled"
            " otherwise."
        )
