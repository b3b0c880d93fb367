"""Whatever the bytes, a log is a record or an `UnreadableLog`, never anything else."""

from __future__ import annotations

import gzip
import io
import json
import zipfile

from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.core.record import Record, UnreadableLog
from auditor.ingest import open_container, read
from tests.ingest.example import HEADER, events, line, log

LOG = log(*events())
OBJECT = json.dumps({"header": HEADER, "events": events()}).encode()
PACKED = gzip.compress(LOG)


def _zipped() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.jsonl", LOG)
        archive.writestr("b/c.json", OBJECT)
        archive.writestr("d.txt", b"hello")
    return stream.getvalue()


ZIPPED = _zipped()

PIECES = st.sampled_from(
    [
        b"",
        b"\n",
        b"\x00",
        b'"',
        b"\\",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"\xff",
        b"\\ud800",
        b"1e999",
        b"NaN",
        b"9" * 400,
        b'"type":',
        b'"seq":1,',
        b'"header":',
        b'"events":[',
        b"null",
        b"\xef\xbb\xbf",
        b"\x1f\x8b",
        b"PK\x03\x04",
        b"[" * 2000,
    ]
) | st.binary(max_size=8)


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """Some bytes with a few pieces cut out and others put in."""
    data = whole
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        stop = start + draw(st.sampled_from([0, 0, 1, 2, 30]))
        data = data[:start] + draw(PIECES) + data[stop:]
    return data[: draw(st.sampled_from([len(data), len(data) // 2]))]


def is_read_or_refused(data: bytes) -> None:
    try:
        record = read(data)
    except UnreadableLog as refused:
        assert refused.errors
        assert all(error.found and error.expected for error in refused.errors)
    else:
        assert isinstance(record, Record)
        assert len(record.events) == len(record.lines)
        assert record.lines == sorted(record.lines)
        assert all(isinstance(event.seq, int) for event in record.events)
        for error in record.errors:
            assert len(error.found) < 400
            assert f"{error}{error.path}{error.found}{error.expected}{error.nearest}".encode()


@given(st.one_of(damaged(LOG), damaged(OBJECT), damaged(PACKED)))
@settings(max_examples=400)
def test_a_damaged_log_is_read_or_refused(data):
    is_read_or_refused(data)


@given(st.binary(max_size=200))
@settings(max_examples=200)
def test_any_bytes_are_read_or_refused(data):
    is_read_or_refused(data)
    is_read_or_refused(line(HEADER) + b"\n" + data)
    is_read_or_refused(b'{"header":' + line(HEADER) + b',"events":[' + data)


@given(damaged(ZIPPED))
@settings(max_examples=300)
def test_a_damaged_zip_gives_members_or_reasons(data):
    for member in open_container(data):
        if isinstance(member.content, bytes):
            is_read_or_refused(member.content)
        else:
            assert member.content.why
