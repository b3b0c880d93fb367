from __future__ import annotations

import gzip
import hashlib
import io
import stat
import struct
import warnings
import zipfile
from pathlib import Path

import pytest

from auditor.ingest import Limits, NotRead, open_container, read
from tests.ingest.example import HEADER, events, line, log

LOG = log(*events())
OBJECT = b'{"header":' + line(HEADER) + b',"events":[]}'


def zipped(*members: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", method) as archive:
        warnings.simplefilter("ignore")
        for name, content in members:
            archive.writestr(name, content, method)
    return stream.getvalue()


def whys(data: bytes, **more: Limits) -> dict[str, str]:
    return {m.name: m.content.why for m in open_container(data, **more) if isinstance(m.content, NotRead)}


def test_a_zip_gives_its_logs_in_the_order_of_their_names():
    data = zipped(("b.jsonl", LOG), ("a/c.jsonl.gz", gzip.compress(LOG)), ("a/b.json", OBJECT), ("a/", b""))
    members = list(open_container(data))
    assert [member.name for member in members] == ["a/b.json", "a/c.jsonl.gz", "b.jsonl"]
    assert {member.container_sha256 for member in members} == {hashlib.sha256(data).hexdigest()}
    record = read(members[1].content, container_sha256=members[1].container_sha256)
    assert record.log_sha256 == hashlib.sha256(LOG).hexdigest()
    assert record.container_sha256 == hashlib.sha256(data).hexdigest()


def test_what_is_no_log_is_listed_as_skipped():
    data = zipped(("a.jsonl", LOG), ("b.txt", b"x"), ("c.json", b'{"hexes":[]}'), ("d.json", b"["), ("e.JSON", OBJECT))
    skipped = {m.name for m in open_container(data) if isinstance(m.content, NotRead) and m.content.skipped}
    assert skipped == {"b.txt", "c.json", "d.json"}


def test_a_folder_is_read_like_a_zip(tmp_path: Path):
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "x.jsonl").write_bytes(LOG)
    (tmp_path / "a.json").write_bytes(b" \n" + OBJECT)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(LOG))
    (tmp_path / "pack.json").write_bytes(b'{"id":"x","hexes":[]}')
    (tmp_path / "notes.txt").write_bytes(b"x")
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    members = {m.name: m.content for m in open_container(tmp_path)}
    assert list(members) == ["a.json", "b.jsonl.gz", "deep/er/x.jsonl", "gone.jsonl", "notes.txt", "pack.json"]
    assert [name for name, content in members.items() if isinstance(content, bytes)] == list(members)[:3]
    gone = members["gone.jsonl"]
    assert isinstance(gone, NotRead) and not gone.skipped


def test_a_single_file_is_a_log_whatever_its_name(tmp_path: Path):
    path = tmp_path / "game.txt"
    path.write_bytes(LOG)
    assert [tuple(member) for member in open_container(path)] == [("game.txt", LOG, None)]
    path.write_bytes(zipped(("a.jsonl", LOG)))
    assert [member.name for member in open_container(str(path))] == ["a.jsonl"]
    with pytest.raises(OSError):
        list(open_container(tmp_path / "nowhere"))


@pytest.mark.parametrize(
    "name",
    ["/a.jsonl", "../a.jsonl", "x/../../a.jsonl", "\\a.jsonl", "x\\..\\..\\a.jsonl", "x" * 1100 + ".jsonl"],
)
def test_names_that_lead_elsewhere_refuse_the_zip(name):
    data = zipped(("good.jsonl", LOG), (name, LOG))
    assert list(whys(data)) == [""]
    assert "plain name" in whys(data)[""]


def test_an_empty_name_or_a_name_with_a_nul_refuses_the_zip():
    data = zipped(("a.jsonl", LOG))
    assert "zip" in whys(data.replace(b"a.jsonl", b"a\0jsonl"))[""]
    local, directory = data.index(b"PK\x03\x04"), data.index(b"PK\x01\x02")
    nameless = bytearray(data)
    nameless[local + 26 : local + 28] = b"\0\0"
    nameless[directory + 28 : directory + 30] = b"\0\0"
    assert "zip" in whys(bytes(nameless))[""]


def test_a_name_given_twice_refuses_the_zip():
    assert "twice" in whys(zipped(("a.jsonl", LOG), ("a.jsonl", b"other")))[""]


def test_links_and_zips_within_zips_and_strange_methods_are_not_opened():
    link = zipfile.ZipInfo("link.jsonl")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    data = zipped(
        (link, b"/etc/hostname"), ("in.zip", zipped(("a.jsonl", LOG))), ("also.jsonl", zipped(("a.jsonl", LOG)))
    )
    found = whys(data)
    assert "link" in found["link.jsonl"]
    assert "zip within" in found["in.zip"] and "zip within" in found["also.jsonl"]
    assert "method" in whys(zipped(("a.jsonl", LOG), method=zipfile.ZIP_BZIP2))["a.jsonl"]


def test_an_encrypted_member_is_not_opened():
    data = bytearray(zipped(("a.jsonl", LOG)))
    for place in (data.index(b"PK\x03\x04") + 6, data.index(b"PK\x01\x02") + 8):
        data[place] |= 1
    assert "encrypted" in whys(bytes(data))["a.jsonl"]


def test_members_that_overlap_refuse_the_zip():
    data = bytearray(zipped(("a.jsonl", LOG), ("b.jsonl", LOG)))
    second = data.rindex(b"PK\x01\x02")
    data[second + 42 : second + 46] = struct.pack("<I", 0)
    assert "refused" in whys(bytes(data))[""]


@pytest.mark.parametrize(
    "changed",
    [
        lambda data: b"#!/bin/sh\n" + data,
        lambda data: data + data,
        lambda data: data[:-1],
        lambda data: data[:-22],
        lambda data: data.replace(b"a.jsonl", b"b.jsonl", 1),
        lambda data: b"PK\x03\x04",
        lambda data: b"PK\x05\x06",
        lambda data: b"PK\x03\x04" + b"\0" * 100,
    ],
    ids=[
        "more before",
        "two",
        "end cut",
        "no end",
        "two names",
        "a start",
        "an end",
        "a start and nothing",
    ],
)
def test_a_zip_that_two_readers_would_read_differently_is_not_read(changed):
    data = changed(zipped(("a.jsonl", LOG)))
    for member in open_container(data):
        # What stands before a zip makes it no zip at all: it is then a log that cannot be read.
        assert isinstance(member.content, NotRead) or not data.startswith(b"PK")


def test_a_zip_bomb_is_refused_by_what_it_declares_and_by_what_it_gives():
    bomb = zipped(("a.jsonl", b" " * 2**25))
    assert "at most" in whys(bomb)["a.jsonl"]
    lying = bytearray(bomb)
    for place in (lying.index(b"PK\x03\x04") + 22, lying.index(b"PK\x01\x02") + 24):
        lying[place : place + 4] = struct.pack("<I", 1000)
    assert list(whys(bytes(lying))) == ["a.jsonl"]
    many = zipped(*((f"{n}.jsonl", b"x") for n in range(20)))
    assert "20 members" in whys(many, limits=Limits(members=10))[""]
    assert "together" in whys(zipped(("a.jsonl", LOG)), limits=Limits(total=100))[""]
    assert "more than" in whys(bomb, limits=Limits(stored=100))[""]


def test_a_zip_with_a_second_end_in_its_comment_is_refused():
    stream = io.BytesIO(zipped(("a.jsonl", LOG)))
    with zipfile.ZipFile(stream, "a") as archive:
        archive.comment = b"PK\x05\x06" + b"\0" * 18
    assert "end record" in whys(stream.getvalue())[""]


def test_a_damaged_member_does_not_spoil_the_others():
    data = bytearray(zipped(("a.jsonl", LOG), ("b.jsonl", LOG)))
    data[data.index(b"a.jsonl") + 40] ^= 0xFF
    members = {m.name: m.content for m in open_container(bytes(data))}
    assert isinstance(members["a.jsonl"], NotRead)
    assert members["b.jsonl"] == LOG


@pytest.mark.parametrize("name", ["a\\b.jsonl", "C:a.jsonl", "c:/a.jsonl", "C:\\games\\a.jsonl", "12:30 table 4.jsonl"])
def test_names_as_other_systems_write_them_are_only_shown(name):
    data = zipped(("good.jsonl", LOG), (name, LOG), ("a\\", b""))
    assert {m.name: m.content for m in open_container(data)} == {"good.jsonl": LOG, name.replace("\\", "/"): LOG}


def test_one_name_in_two_spellings_refuses_the_zip():
    assert "twice" in whys(zipped(("a/b.jsonl", LOG), ("a\\b.jsonl", LOG)))[""]


@pytest.mark.parametrize("behind", [b"\n", b"\r\n--boundary--\r\n", b"\0" * 70_000])
def test_what_stands_behind_a_zip_is_no_part_of_it(behind):
    assert [m.content for m in open_container(zipped(("a.jsonl", LOG)) + behind)] == [LOG]


NAMES = [
    "t.ndjson",
    "t.jsonlines",
    "t.log",
    "t.jsonl.txt",
    "t.jsonl (1)",
    "t.json",
    "t.JSONL",
    "t",
    "t.txt",
    "t.jsonl.bak",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("packed", [bytes, gzip.compress, lambda data: gzip.compress(gzip.compress(data))])
def test_a_log_is_known_by_how_it_begins_in_zips_and_folders(tmp_path: Path, name, packed):
    (tmp_path / name).write_bytes(packed(LOG))
    for source in (zipped((name, packed(LOG))), tmp_path):
        (member,) = open_container(source)
        assert read(member.content).log_sha256 == hashlib.sha256(LOG).hexdigest()


JUNK = ["__MACOSX/._a.jsonl", "._a.jsonl", "x/._a.jsonl", ".DS_Store", "~$a.jsonl", "Thumbs.db", "x/desktop.ini"]


@pytest.mark.parametrize("name", JUNK)
def test_what_a_system_leaves_beside_files_is_passed_over(tmp_path: Path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(LOG)
    for source in (zipped((name, LOG)), tmp_path):
        (member,) = open_container(source)
        assert isinstance(member.content, NotRead) and member.content.junk


@pytest.mark.parametrize(
    ("name", "content", "perhaps"),
    [
        ("a.7z", b"7z\xbc\xaf\x27\x1c", True),
        ("a.jsonl.zst", b"\x28\xb5\x2f\xfd", True),
        ("save.vsav", zipped(("savedGame", b"!VCSK"), ("moduledata", b"x")), True),
        ("army.rosz", zipped(("army.ros", b"<roster/>")), False),
        ("a.jsonl", b"\x89PNG\r\n\x1a\n", True),
        ("table.png", b"\x89PNG\r\n\x1a\n", False),
        ("pack.json", b'{"id":"x","title":"X","source":"me","hexes":[]}', False),
        ("save.json", b'{"SaveName":"x","ObjectStates":[]}', True),
        ("notes.txt", b"We played well.", False),
    ],
)
def test_what_is_skipped_and_may_hold_a_log_is_told_from_what_does_not(tmp_path: Path, name, content, perhaps):
    (tmp_path / name).write_bytes(content)
    (tmp_path / "good.jsonl").write_bytes(LOG)
    for source in (zipped((name, content), ("good.jsonl", LOG)), tmp_path):
        skipped = [m.content for m in open_container(source) if isinstance(m.content, NotRead)]
        assert [(one.skipped, one.perhaps) for one in skipped] == [(True, perhaps)]


def test_a_zip_in_a_folder_is_not_opened_and_not_forgotten(tmp_path: Path):
    (tmp_path / "in.zip").write_bytes(zipped(("a.jsonl", LOG)))
    (member,) = open_container(tmp_path)
    assert isinstance(member.content, NotRead) and member.content.perhaps and "by itself" in member.content.why
