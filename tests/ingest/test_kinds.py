"""What is no log is named by its first bytes and its first line, whatever its name, and it is said what to do."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile

import pytest

from auditor.core.record import UnreadableLog
from auditor.ingest import NotRead, open_container, read
from auditor.ingest.kinds import HEAD, foreign, head_of, may_be_log, wide
from tests.ingest.example import HEADER, events, line, log

LOG = log(*events())


def zip_of(*names: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, b"x")
    return stream.getvalue()


def tar_of_a_log(mode: str) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode) as archive:
        info = tarfile.TarInfo("t.jsonl")
        info.size = len(LOG)
        archive.addfile(info, io.BytesIO(LOG))
    return stream.getvalue()


XML = b'<?xml version="1.0" encoding="utf-8"?>\n<!-- made by hand -->\n'

KINDS = [
    ("tar", tar_of_a_log("w")),
    ("tar", tar_of_a_log("w:gz")),
    ("bzip2", tar_of_a_log("w:bz2")),
    ("xz", tar_of_a_log("w:xz")),
    ("zst", b"\x28\xb5\x2f\xfd" + b"\x04" * 50),
    ("7z", b"7z\xbc\xaf\x27\x1c" + b"\x04" * 50),
    ("RAR", b"Rar!\x1a\x07\x01\x00"),
    ("picture", b"\x89PNG\r\n\x1a\n\x00"),
    ("picture", b"\xff\xd8\xff\xe0\x00\x10JFIF"),
    ("picture", b"\x00\x00\x00\x18ftypheic\x00"),
    ("PDF", b"%PDF-1.7\n"),
    ("VASSAL", b"!VCSK6a"),
    ("Excel", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    ("SQLite", b"SQLite format 3\x00"),
    ("Rich Text", b"{\\rtf1\\ansi"),
    ("OCTGN", XML + b'<deck game="a-b"><section name="Main"/></deck>'),
    ("Lackey", XML + b'<deck version="0.8"><meta><game>x</game></meta></deck>'),
    ("BattleScribe", XML + b'<roster id="1" name="x"/>'),
    ("XML", XML + b"<unknown/>"),
    ("web page", b"\n<!DOCTYPE html>\n<html><head>"),
    ("chess", b'[Event "Casual"]\n[Site "?"]\n\n1. e4 e5'),
    ("table", b"id;title;group\n1;x;y\n"),
    ("table", b"\xef\xbb\xbfsep=;\nid;title;group\n"),
    ("table", "id\ttitle\tgroup\n".encode("utf-16")),
    ("table", b"type,who\nmove,UM\nshoot,WB\n"),
    ("table", b"Round|Player|Unit\n1|UM|um-1\n"),
    ("table", b'"Round","Player, name","Unit {id}"\n"1","UM, or WB","[a]"\n'),
    ("table", b"Game of Saturday;;;\n\nRound;Player;Unit;Act\n1;UM;a;run\n"),
    ("table", "Runde;Spieler;Einheit\n1;J\u00fcrgen;L\u00e4ufer\n".encode("cp1252")),
    ("HTML", b"<table><tr><td>Round</td></tr></table>"),
    ("SYLK", b"ID;PWXL;N;E\nP;PGeneral\n"),
    ("Excel", XML + b'<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">'),
    ("OpenDocument", XML + b'<office:document office:mimetype="x">'),
    ("a spreadsheet has saved", b'"{""type"":""header"",""game"":""calth""}"\n"{""type"":""place""}"\n'),
    ("a spreadsheet has saved", b'"{""type"": ""header""",""game"": ""calth""\n'),
    ("Tabletop Simulator", b'{"SaveName":"x","Date":"","ObjectStates":[]}'),
    ("Tabletop Simulator", json.dumps({"SaveName": "x", "ObjectStates": [{"a": 1}]}, indent=2).encode()),
    ("BattleScribe", b'{"roster":{"name":"x"}}'),
    ("data pack", b'{"id":"x","title":"X","source":"me","cards":[]}'),
    ("data pack", b'[{"id":"x","title":"X","source":"me","cards":[]}]'),
    ("an audit", b'{"audit":1,"digest":"x","verdict":"clean"}'),
    ("VASSAL", zip_of("savedGame", "moduledata", "savedata")),
    ("VASSAL", zip_of("buildFile.xml", "images/x.png")),
    ("Excel", zip_of("[Content_Types].xml", "xl/workbook.xml")),
    ("Word", zip_of("[Content_Types].xml", "word/document.xml")),
    ("OpenDocument", zip_of("mimetype", "content.xml")),
    ("BattleScribe", zip_of("army.ros")),
]


@pytest.mark.parametrize(("what", "data"), KINDS, ids=[f"{n} {what}" for n, (what, _) in enumerate(KINDS)])
def test_a_file_of_another_kind_is_named_and_no_log(what, data):
    (member,) = open_container(data)
    assert isinstance(member.content, NotRead) or not data.startswith(b"PK")
    said = member.content.why if isinstance(member.content, NotRead) else ""
    if not data.startswith(b"PK"):
        with pytest.raises(UnreadableLog) as refused:
            read(data)
        said += str(refused.value)
        assert len(refused.value.errors) == 1
    assert what in said and ";" in said


@pytest.mark.parametrize("data", [data for what, data in KINDS if not data.startswith(b"PK")])
def test_a_log_that_quotes_the_beginning_of_such_a_file_is_a_log(data):
    quoted = data[:300].decode("latin-1")
    text = log({"seq": 1, "type": "remark", "text": quoted}, header={**HEADER, "title": quoted})
    assert read(text).header["title"] == quoted
    assert may_be_log(text[:HEAD]) or b'"header"' in text[:HEAD]


@pytest.mark.parametrize("at", [4, 8, 257])
@pytest.mark.parametrize("word", ["ustar", "ftyp", "WEBP", "ftypheic"])
def test_no_word_within_a_log_makes_it_something_else(at, word):
    start = b'{"type":"header","game":"calth","title":"'
    text = (start + b"x" * max(0, at - len(start)) + word.encode()).ljust(600, b"y")
    assert foreign(text) is None


@pytest.mark.parametrize(
    "head",
    [
        LOG,
        b"",
        b"x",
        b"Dear judge, we played, and then, well, it happened; see below.\nThen, well, we stopped, of course.\n",
        b"# rounds, players, units\n" + LOG,
        b"type: header\ngame: calth\n",
        b"\n\n",
        b"We played, and Ann won.",
        b"\xff",
        line(HEADER),
        b"{",
        b"[",
        b"BMW",
        b"MZ",
    ],
)
def test_what_may_be_a_log_is_not_named(head):
    assert foreign(head) is None


def test_a_log_is_known_by_its_beginning():
    for text in (LOG, b"[" + LOG, b"\n " + LOG, b'{"header":{}}', b'{"events":[', b'{"game":"calth","format":1'):
        assert may_be_log(text[:HEAD]) and may_be_log(text[:HEAD].decode(errors="ignore").encode("utf-16"))
        assert may_be_log(head_of(gzip.compress(gzip.compress(text))))
    for text in (b"", b"header", b'{"id":"x"}', b"[1]", b'<a "header":>'):
        assert not may_be_log(text)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_encodings_are_told_without_a_mark(encoding):
    assert wide('{"type":"header"'.encode(encoding)) == encoding
    assert wide(b'{"type":"header"') is None and wide(b"\0" * 40) is None and wide(b"") is None
