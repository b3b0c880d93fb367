"""What random bytes are fed to: the readers of logs, of names and texts, and of data packs. Whatever the bytes, each gives a
result that keeps its promises or one of the refusals that it is known for; anything else raises, and is a crash."""

from __future__ import annotations

import json
from collections.abc import Callable

from auditor.core.canonical import json_text
from auditor.core.nearest import nearest_id
from auditor.core.record import InputError, UnreadableLog
from auditor.engine.headers import log_heading, log_sha256
from auditor.ingest import BadPacks, Limits, check_packs, open_container, read
from auditor.ingest.kinds import foreign, foreign_json, head_of, is_junk, is_named_like_a_log, may_be_log
from auditor.report.hostile import cell, file_name, message, one_line
from auditor.report.words import label, name_markup, slug, tidy, unbroken
from auditor.store.cleaning import clean, is_clean
from auditor.store.words import parts
from auditor.systems.sheets import is_date, number, truth

LIMITS = Limits(decoded=2**20, events=2_000, line=2**16, members=50, total=2**22, stored=2**20)
LONGEST_ERROR = 4_000


def is_told(errors: tuple[InputError, ...] | list[InputError]) -> None:
    """Every error says what was found and expected, in bounds, in text that can be sent."""
    assert errors
    for error in errors:
        assert error.found and error.expected
        assert len(f"{error}".encode()) < LONGEST_ERROR


def logs(data: bytes) -> None:
    """A file: a log, plain or packed, or whatever else."""
    for member in open_container(data, limits=LIMITS):
        content = member.content
        if not isinstance(content, bytes):
            assert content.why
            continue
        assert len(log_sha256(content)) == 64
        json.dumps(log_heading(content)).encode()
        try:
            record = read(content, limits=LIMITS)
        except UnreadableLog as refused:
            is_told(refused.errors)
            continue
        assert len(record.events) == len(record.lines) <= LIMITS.events
        assert record.lines == sorted(record.lines)
        assert all(isinstance(event.seq, int) for event in record.events)
        if record.errors:
            is_told(record.errors)


def names(data: bytes) -> None:
    """A name or a text, as bytes of a file's name."""
    text = data.decode("utf-8", "surrogateescape" if data[:1] < b"\x80" else "surrogatepass" if not data else "replace")
    said = one_line(text)
    assert "\n" not in said and "\u202e" not in said
    assert cell(text)[:1] not in tuple("=+-@|%\t\r\n")
    assert "](" not in message(text)
    file_name(text).encode()
    str(name_markup(tidy(text))).encode()
    str(unbroken(tidy(text))).encode()
    assert slug(text).isascii()
    label(text)
    kept = clean(text, 80)
    assert is_clean(kept) and len(kept) <= 80
    kept.encode()
    written = json.dumps(tidy(text), ensure_ascii=False)
    assert json.loads(json_text(written)) == json.loads(written)
    assert all(len(word) <= 40 for word in parts(text))
    nearest_id(text[:100], ("um-champion", "w1", "plasma_pistol", "c01", "Zoë"))
    is_junk(text), is_named_like_a_log(text), is_date(text), truth(text)
    whole = number(text)
    assert whole is None or abs(whole) < 10**9


def packs(data: bytes) -> None:
    """A file of data packs, JSON or a sheet."""
    name = ("x.csv", "x.json", "x.txt", "x")[data[0] % 4] if data else "x"
    said: list[str] = []
    try:
        found = check_packs([(name, data[1:])], remarks=said)
    except BadPacks as bad:
        is_told(bad.errors)
    else:
        assert all(len(pack.sha256) == 64 for pack in found)
    assert all(said)


def kinds(data: bytes) -> None:
    """The first bytes of a file."""
    head = head_of(data)
    kind = foreign(head) or foreign_json(data)
    assert kind is None or (kind.what and kind.do)
    may_be_log(head)


TARGETS: tuple[Callable[[bytes], None], ...] = (logs, logs, names, packs, kinds)


def one(data: bytes) -> None:
    """One input: its first byte says where it goes."""
    if data:
        TARGETS[data[0] % len(TARGETS)](data[1:])
