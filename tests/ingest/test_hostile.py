"""Whatever the bytes, a log is a record or an `UnreadableLog`, never anything else."""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile

from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.core.record import Record, UnreadableLog
from auditor.ingest import open_container, read
from auditor.ingest.reader import is_deeper
from auditor.systems.shapes import has_keys_twice, keys_twice, parse
from tests.ingest.example import HEADER, events, line, log
from tests.shares import tries

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
@settings(max_examples=tries(400))
def test_a_damaged_log_is_read_or_refused(data):
    is_read_or_refused(data)


@given(st.binary(max_size=200))
@settings(max_examples=tries(200))
def test_any_bytes_are_read_or_refused(data):
    is_read_or_refused(data)
    is_read_or_refused(line(HEADER) + b"\n" + data)
    is_read_or_refused(b'{"header":' + line(HEADER) + b',"events":[' + data)


@given(damaged(ZIPPED))
@settings(max_examples=tries(300))
def test_a_damaged_zip_gives_members_or_reasons(data):
    for member in open_container(data):
        if isinstance(member.content, bytes):
            is_read_or_refused(member.content)
        else:
            assert member.content.why


NESTED = st.recursive(
    st.one_of(st.integers(), st.text('[]{}"\\a', max_size=6)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text("[a{", max_size=3), inner, max_size=3)
    ),
    max_leaves=40,
)


def depth_of(value) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth_of, inner), default=0)


@given(NESTED)
@settings(max_examples=tries(400))
def test_brackets_within_texts_are_no_levels(value):
    piece, depth = json.dumps(value).encode(), depth_of(value)
    assert [is_deeper(piece, most) for most in (depth - 1, depth, depth + 1)] == [depth > 0, False, False]


def written(value, twice: bool) -> str:
    """A value as JSON; `twice`: with the first key of each object once more at its end."""
    if isinstance(value, list):
        return "[" + ",".join(written(item, twice) for item in value) + "]"
    if not isinstance(value, dict):
        return json.dumps(value)
    pairs = [f"{json.dumps(key)}: {written(item, twice)}" for key, item in value.items()]
    return "{" + ",".join(pairs + pairs[: int(twice)]) + "}"


@given(NESTED, st.booleans())
@settings(max_examples=tries(200))
def test_a_key_given_twice_is_seen_wherever_it_stands(value, twice):
    text = written(value, twice)
    objects = list(keys_twice(parse(text)))
    assert has_keys_twice(text) == bool(objects) == (twice and bool(re.search(r"\{[^}]", json.dumps(_bare(value)))))


def _bare(value):
    """A value without its texts."""
    if isinstance(value, dict):
        return {str(i): _bare(item) for i, item in enumerate(value.values())}
    return [_bare(item) for item in value] if isinstance(value, list) else 0
