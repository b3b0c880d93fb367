"""A log is read however a program, a system or a person wrote it down; what was not as usual is said."""

from __future__ import annotations

import gc
import gzip
import json
from time import process_time

import pytest

from auditor.core.record import Unread, UnreadableLog
from auditor.ingest import Limits, read
from tests.ingest.example import HEADER, events, line, log

LOG = log(*events())
PLAIN = read(LOG)
OBJECTS = [HEADER, *events()]
ASCII = LOG.replace("é".encode(), b"e").replace("É".encode(), b"E")


def _pretty(between: str) -> bytes:
    return between.join(json.dumps(one, indent=2) for one in OBJECTS).encode()


@pytest.mark.parametrize(
    "data",
    [
        json.dumps(OBJECTS).encode(),
        json.dumps(OBJECTS, indent=1).encode(),
        json.dumps([{"header": HEADER, "events": events()}]).encode(),
        b"[\n" + b",\n".join(map(line, OBJECTS)) + b"\n]\n",
        b"[\n" + b",\n".join(map(line, OBJECTS)) + b",\n]",
        LOG.replace(b"}\n", b"},\n"),
        LOG.replace(b"}\n", b"} ,\r\n"),
        LOG.replace(b"}\n{", b"}\n,{"),
        _pretty("\n"),
        _pretty(",\n"),
        _pretty(""),
        "\n".join("\x1e" + line(one).decode() for one in OBJECTS).encode(),
        b"\xef\xbb\xbf" * 3 + LOG,
        gzip.compress(gzip.compress(LOG)),
        LOG.replace(b"\n", b"\r"),
        LOG.decode().encode("utf-16"),
        LOG.decode().encode("utf-16-le"),
        LOG.decode().encode("utf-16-be"),
        LOG.decode().encode("utf-32"),
        b"\xff\xfe" + LOG.decode().encode("utf-16-le"),
    ],
    ids=[
        "list", "pretty list", "list of one object", "list by lines", "list by lines with a comma more", "commas",
        "commas and CRLF", "commas before", "pretty", "pretty with commas", "pretty without breaks", "RFC 7464",
        "three BOMs", "gzip twice", "CR", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-16-le with BOM",
    ],
)  # fmt: skip
def test_the_same_log_is_read_in_whatever_clothes(data):
    record = read(data)
    assert record.events == PLAIN.events and record.header == PLAIN.header
    assert record.errors == [] and record.doubtful == {}


def test_each_event_keeps_the_line_that_it_begins_on():
    pretty = read(_pretty("\n"))
    text = _pretty("\n").decode().split("\n")
    assert all(text[number - 1] == "{" for number in pretty.lines)
    assert read(json.dumps(OBJECTS, indent=1).encode()).lines == sorted(
        set(read(json.dumps(OBJECTS, indent=1).encode()).lines)
    )
    assert read(LOG.replace(b"}\n", b"},\n")).lines == PLAIN.lines


@pytest.mark.parametrize("between", [b"", b" ", b"\t"])
def test_two_events_on_a_line_are_both_read_and_it_is_said(between):
    lines = LOG.split(b"\n")
    record = read(b"\n".join([*lines[:4], lines[4] + between + lines[5], *lines[6:]]))
    assert record.events == PLAIN.events and record.errors == []
    assert record.lines[:6] == [2, 3, 4, 5, 5, 6]
    assert record.remarks == (
        "Line 5 holds two events or more, one behind the other; each was read as if it stood on a line of its own.",
    )
    assert read(LOG.replace(b"\n", b"")).events == PLAIN.events


def test_what_stands_broken_behind_a_whole_event_is_a_hole_of_its_own():
    lines = LOG.split(b"\n")
    record = read(b"\n".join([*lines[:4], lines[4] + lines[5][:30], *lines[6:]]))
    assert record.events[3] == PLAIN.events[3] and isinstance(record.events[4], Unread)
    assert record.events[5:] == PLAIN.events[5:] and len(record.errors) == 1


def test_an_event_closed_too_early_is_not_read_without_its_rest():
    record = read(
        log({"seq": 1, "type": "remark"}, b'{"seq":2,"type":"pass"},"player":"UM"}', {"seq": 3, "type": "remark"})
    )
    assert isinstance(record.events[1], Unread) and len(record.events) == 3


def test_a_pretty_log_that_is_cut_or_broken_is_read_but_for_one_event():
    data = _pretty("\n")
    cut = read(data[:-10])
    assert cut.events[:-1] == PLAIN.events[:-1] and isinstance(cut.events[-1], Unread) and len(cut.errors) == 1
    broken = read(data.replace(b'"type": "pass"', b'"type" "pass"'))
    holes = [n for n, event in enumerate(broken.events) if isinstance(event, Unread)]
    assert len(holes) == len(broken.errors) == 1 and len(broken.events) == len(PLAIN.events)


def test_a_list_that_is_cut_is_read_up_to_there():
    data = json.dumps(OBJECTS).encode()
    for stop in range(data.index(b'"seq"'), len(data), 211):
        record = read(data[:stop])
        whole = [event for event in record.events if not isinstance(event, Unread)]
        assert whole == PLAIN.events[: len(whole)] and len(record.events) - len(whole) <= 1


@pytest.mark.parametrize("tail", [b"\0", b"\0" * 4096, b"\0" * 512 + b"\n"])
def test_NULs_behind_a_cut_are_an_error_of_the_file_and_no_event(tail):
    record = read(LOG + tail)
    assert record.events == PLAIN.events
    assert [(error.line, "NUL" in error.found) for error in record.errors] == [(None, True)]
    with pytest.raises(UnreadableLog, match="NUL"):
        read(tail)


def test_a_log_in_an_old_code_page_is_read_and_that_is_said():
    header = {**HEADER, "players": [{"id": "UM", "name": "Zoë Müller"}, {"id": "WB", "name": "“Bén” – O’Neill"}]}
    record = read(log(*events(), header=header).decode().encode("cp1252"))
    assert record.header["players"] == header["players"] and record.errors == []
    assert record.events == read(log(*events(), header=header)).events
    assert "Windows-1252" in record.remarks[0]


@pytest.mark.parametrize("byte", [b"\xe9", b"\x81"])
def test_a_file_that_is_UTF_8_here_and_there_is_damaged(byte):
    record = read(LOG.replace("Été".encode(), b"Et" + byte))
    assert [error.expected for error in record.errors] == ["UTF-8"] and record.remarks == ()


def test_other_encodings_are_said():
    assert "UTF-16" in read(LOG.decode().encode("utf-16")).remarks[0]
    assert "UTF-32" in read(LOG.decode().encode("utf-32-be")).remarks[0]
    cut = read(LOG.decode().encode("utf-16-le")[:-1])
    assert cut.events == PLAIN.events and len(cut.errors) == 1


def test_taking_lines_apart_keeps_the_limits():
    glued = log(b"".join(line({"seq": n, "type": "remark"}) for n in range(1, 30)))
    assert len(read(glued, limits=Limits(events=29)).events) == 29
    with pytest.raises(UnreadableLog, match="29 events"):
        read(glued, limits=Limits(events=28))


@pytest.mark.parametrize(
    "bad",
    [
        b'{"a":[{},',
        b'{"a":[\n',
        b"{\n",
        b"[" * 40 + b"\n",
        b'{"a":{"b":\n',
        b'{"seq":1}{"seq":\n',
        b"},{\n",
        b'{"":"\n',
        b"{}",
    ],
)
def test_reading_broken_lines_takes_time_in_step_with_their_number(bad):
    def seconds(count: int) -> float:
        begin = process_time()
        read(log(bad * count, bad.strip() * count))
        return process_time() - begin

    seconds(10)
    gc.freeze()  # else what all other tests hold is looked through again and again, and counted here
    try:
        few, many = seconds(1_000), seconds(8_000)
    finally:
        gc.unfreeze()
    assert many < 8 * 4 * max(few, 0.05)
