"""Each limit of a log that /limits names: just at it a log is taken, just above it is refused or not read, by name."""

from __future__ import annotations

import gzip
import io
import zipfile
from dataclasses import replace
from typing import Any

import pytest

from auditor.core.record import UnreadableLog
from auditor.ingest import LIMITS, Limits, open_container, read
from auditor.systems import game
from tests.bench.measure import ROOT
from tests.ingest.example import events, log

LOG = log(*events())
LINES = LOG.count(b"\n") - 1
LONGEST = max(map(len, LOG.splitlines()))


def said(data: bytes, limits: Limits = LIMITS) -> list[str]:
    """What is wrong with a log: what was found, and what is expected."""
    try:
        errors: Any = read(data, limits=limits).errors
    except UnreadableLog as refused:
        errors = refused.errors
    return [f"{error.found}; {error.expected}" for error in errors]


@pytest.mark.parametrize(
    ("name", "at", "words"),
    [("decoded", len(LOG), "bytes"), ("events", LINES, "events"), ("line", LONGEST, "bytes")],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_a_log_may_be_so_large_and_no_larger(name: str, at: int, words: str, pack: Any) -> None:
    assert said(pack(LOG), replace(LIMITS, **{name: at})) == []
    found = said(pack(LOG), replace(LIMITS, **{name: at - 1}))
    assert found and all(words in one and f"{at - 1:,}" in one for one in found)


def with_text(letters: int) -> bytes:
    return log({"seq": 1, "type": "remark", "text": "x" * letters})


def with_number(number: int) -> bytes:
    return log({"seq": number, "type": "remark", "text": "x"})


def with_name(letters: int) -> bytes:
    return log({"seq": 1, "type": "activate", "player": "UM", "unit": "u" * letters, "extra": False})


def with_depth(depth: int) -> bytes:
    deep: Any = 1
    for _ in range(depth - 1):
        deep = [deep]
    return log({"seq": 1, "type": "remark", "x": deep})


@pytest.mark.parametrize(
    ("make", "most", "words"),
    [
        (with_text, 2_000, "at most 2000 characters"),
        (with_number, 2**53 - 1, "a whole number"),
        (with_depth, LIMITS.depth, "at most 64 levels"),
    ],
)
def test_a_line_may_hold_so_much_and_no_more(make: Any, most: int, words: str) -> None:
    assert said(make(most)) == []
    (why,) = said(make(most + 1))
    assert words in why


def test_an_id_has_at_most_64_characters() -> None:
    assert not any("64" in one for one in said(with_name(64)))
    assert any("64" in one for one in said(with_name(65)))


@pytest.mark.parametrize(
    ("key", "example"), [("calth", "faulty-1.jsonl"), ("hcg", "in-short.json"), ("clx", "faulty-1.jsonl")]
)
def test_a_game_has_limits_of_its_own_where_it_is_never_as_long(key: str, example: str, monkeypatch) -> None:
    form = vars(game(key).format)
    data = (ROOT / "fixtures" / key / "games" / example).read_bytes()
    count = len(read(data).events)
    assert count < form["most_events"] / 10 and len(data) < form["most_bytes"] / 10
    for name, at, words in (("most_events", count, "events"), ("most_bytes", len(data), "bytes")):
        with monkeypatch.context() as patch:
            patch.setitem(form, name, at)
            assert said(data) == []
            patch.setitem(form, name, at - 1)
            assert said(data) == [f"{at:,} {words}; at most {at - 1:,} in a log of this game"]


def zipped(*members: bytes, method: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for n, member in enumerate(members):
            archive.writestr(f"{n}.jsonl", member)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "at", "words"),
    [
        ("members", 3, "3 members"),
        ("total", 3 * len(LOG), "together"),
        ("stored", len(zipped(LOG, LOG, LOG)), "more than"),
    ],
)
def test_a_zip_may_hold_so_much_and_no_more(name: str, at: int, words: str) -> None:
    data = zipped(LOG, LOG, LOG)
    assert [type(one.content) for one in open_container(data, limits=replace(LIMITS, **{name: at}))] == [bytes] * 3
    (refused,) = open_container(data, limits=replace(LIMITS, **{name: at - 1}))
    assert words in refused.content.why  # type: ignore[union-attr]


def member(size: int, ratio: int) -> str:
    """Why a member that unpacks to so much is not read, where as much as the log is always allowed; "" where it is."""
    data = zipped(LOG + b"\n" * (size - len(LOG)), method=zipfile.ZIP_DEFLATED)
    (one,) = open_container(data, limits=replace(LIMITS, free=len(LOG), ratio=ratio))
    return "" if isinstance(one.content, bytes) else one.content.why


def test_a_member_of_a_zip_may_grow_so_many_times_beyond_what_is_always_allowed() -> None:
    assert member(len(LOG), 0) == ""
    assert "0 times its packed size" in member(len(LOG) + 1, 0)
    with zipfile.ZipFile(io.BytesIO(zipped(LOG + b"\n" * 2**20, method=zipfile.ZIP_DEFLATED))) as archive:
        (info,) = archive.infolist()
    needed = -(-(2**20) // info.compress_size)
    assert member(info.file_size, needed) == ""
    assert f"{needed - 1} times its packed size" in member(info.file_size, needed - 1)
