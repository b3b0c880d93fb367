"""Where logs come from, and that the same logs give the same output however they come."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import json
import os
import pty
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.batch import Sources
from tests.cli.shell import (
    CLEAN,
    FINDINGS,
    GAMES,
    INCOMPLETE,
    ROOT,
    UNREADABLE,
    auditor,
    auditor_process,
    lines_of,
    written,
)
from tests.shares import in_turn


def zip_of(**files: bytes) -> bytes:
    """A zip; `a_jsonl` is the member `a.jsonl`."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("_", "."), data)
    return sink.getvalue()


def test_one_log_is_an_object_and_many_are_a_list_in_the_order_of_their_paths(tmp_path: Path) -> None:
    folder = written(tmp_path / "logs", b=CLEAN, a=FINDINGS, c=UNREADABLE)
    one = auditor("audit", folder / "a.jsonl", "--format", "json").value
    assert one["verdict"] == "findings"
    many = auditor("audit", folder, "--format", "json").value
    assert [audit["verdict"] for audit in many] == ["findings", "clean", "unreadable"]
    assert many[0] == one
    named = auditor("audit", folder / "c.jsonl", folder / "b.jsonl", folder / "b.jsonl", "--format", "json").value
    assert [audit["verdict"] for audit in named] == ["clean", "unreadable"]
    alone = written(tmp_path / "alone", a=FINDINGS)
    assert auditor("audit", alone, "--format", "json").value == [one]


def test_a_sheet_is_named_and_it_is_said_where_sheets_and_games_go(tmp_path: Path) -> None:
    (tmp_path / "game.csv").write_bytes(b"Round;Player;Unit\n1;UM;um-1\n")
    (tmp_path / "book.xlsx").write_bytes(zip_of(**{"xl/workbook_xml": b"x"}))
    for name, kind in (("game.csv", "a table (CSV)"), ("book.xlsx", "an Excel workbook")):
        said = auditor("audit", tmp_path / name)
        words = " ".join(said.out.split())
        assert said.status == 2
        assert f"it is {kind}; card and unit sheets are data packs" in words
        assert "a game has to be a log, as a recorder writes it" in words


@pytest.mark.parametrize("data", [CLEAN, FINDINGS, INCOMPLETE, UNREADABLE])
def test_json_is_indented_by_two_and_holds_every_letter_as_it_is(tmp_path: Path, data: bytes) -> None:
    log = tmp_path / "a.jsonl"
    log.write_bytes(data + '{"seq":999,"type":"Zoë \\u0007"}\n'.encode())
    written_out = auditor("audit", log, "--format", "json")
    assert ("Zoë" in written_out.out) == (data is not UNREADABLE)
    assert written_out.out == json.dumps(written_out.value, ensure_ascii=False, indent=2) + "\n"


def test_the_game_of_a_single_log_is_told_from_its_first_line(tmp_path: Path) -> None:
    """So that no other game is loaded for it."""
    log = tmp_path / "a.jsonl"
    for data in (CLEAN, gzip.compress(CLEAN), gzip.compress(CLEAN)[:-9]):
        log.write_bytes(data)
        assert Sources([str(log)]).game == "calth"
    for data in (
        b"",
        b"\n",
        b'{"type":"header","game":"nine"}\n',
        b'{"type":"header","game":["calth"]}\n',
        b"\x1f\x8b\x08oops",
    ):
        log.write_bytes(data)
        assert Sources([str(log)]).game is None
    log.write_bytes(CLEAN)
    assert Sources([str(tmp_path)]).game is None


def test_json_lines_hold_the_same_audits(tmp_path: Path) -> None:
    folder = written(tmp_path, a=FINDINGS, b=CLEAN)
    many = auditor("audit", folder, "--format", "json").value
    lines = auditor("audit", folder, "--format", "jsonl").out.splitlines()
    assert [json.loads(line) for line in lines] == many


@pytest.mark.parametrize("data", [CLEAN, FINDINGS, INCOMPLETE, UNREADABLE])
def test_a_log_is_the_same_log_from_a_file_stdin_gzip_and_a_zip(tmp_path: Path, data: bytes) -> None:
    log = tmp_path / "a.jsonl"
    log.write_bytes(data)
    plain = auditor("audit", log, "--format", "jsonl")
    assert auditor("audit", "-", "--format", "jsonl", stdin=data) == plain
    assert auditor("audit", "-", "--format", "jsonl", stdin=gzip.compress(data)) == plain
    assert auditor("audit", "-", "--format", "jsonl", stdin=zip_of(a_jsonl=data)) == plain
    packed = tmp_path / "a.zip"
    packed.write_bytes(zip_of(a_jsonl=data))
    assert auditor("audit", packed, "--format", "jsonl") == plain


def test_a_single_object_is_a_log_too(tmp_path: Path) -> None:
    header, *events = lines_of("illegal")
    log = tmp_path / "a.json"
    log.write_text(json.dumps({"header": header, "events": events}))
    said = auditor("audit", tmp_path, "--format", "json")
    assert (said.status, said.value[0]["verdict"]) == (1, "findings")


def test_a_zip_on_stdin_is_a_list_however_few_logs_it_holds() -> None:
    said = auditor("audit", "-", "--format", "json", stdin=zip_of(a_jsonl=CLEAN, b_jsonl=FINDINGS))
    assert [audit["verdict"] for audit in said.value] == ["clean", "findings"]
    assert len(auditor("audit", "-", "--format", "json", stdin=zip_of(a_jsonl=CLEAN)).value) == 1
    assert "stdin/a.jsonl" in auditor("audit", "-", stdin=zip_of(a_jsonl=CLEAN)).out


def test_what_is_no_log_is_listed_and_changes_nothing(tmp_path: Path) -> None:
    written(tmp_path / "sub", b=CLEAN)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(CLEAN))
    (tmp_path / "notes.txt").write_text("no log")
    (tmp_path / "expected.json").write_text('{"verdict": "clean"}')
    said = auditor("audit", tmp_path)
    assert said.status == 0
    assert said.err.splitlines() == [
        f"auditor: skipped {tmp_path}/expected.json: it has no header at its top level",
        f"auditor: skipped {tmp_path}/notes.txt: it does not begin as a log does",
    ]
    assert said.out.endswith("2 logs: 2 clean.\n")


def test_a_member_that_is_refused_is_an_unreadable_log(tmp_path: Path) -> None:
    packed = tmp_path / "a.zip"
    packed.write_bytes(zip_of(a_jsonl=CLEAN, inner_zip=zip_of(b_jsonl=CLEAN), notes_txt=b""))
    said = auditor("audit", packed, "--format", "json")
    assert said.status == 2
    assert [audit["verdict"] for audit in said.value] == ["clean", "unreadable"]
    assert said.value[1]["errors"][0]["found"] == "a zip within a zip is not opened"
    assert said.err == f"auditor: skipped {packed}/notes.txt: it does not begin as a log does\n"


@pytest.mark.parametrize("name", ["../../etc/x.jsonl", "/x.jsonl", "..\\x.jsonl", "\\x.jsonl"])
def test_a_zip_with_names_that_lead_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        info = zipfile.ZipInfo("x")
        info.filename = name
        archive.writestr(info, CLEAN)
    said = auditor("audit", "-", "--format", "json", stdin=sink.getvalue())
    assert (said.status, said.value[0]["verdict"]) == (2, "unreadable")
    assert "is not a plain name" in said.value[0]["errors"][0]["found"]


def test_names_cannot_move_a_terminal_or_leave_a_folder(tmp_path: Path) -> None:
    name = "\x1b[2Jé=1 .jsonl"
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_bytes(FINDINGS)
    (tmp_path / "in" / "\x1b[31m.txt").write_bytes(b"")
    for format in ("text", "csv", "sarif"):
        said = auditor("audit", tmp_path / "in", "--format", format)
        assert said.status == 1
        assert "\x1b" not in said.out + said.err
    said = auditor("audit", tmp_path / "in", "--format", "html", "--output", tmp_path / "out")
    assert said.status == 1
    (page,) = (tmp_path / "out").iterdir()
    assert page.name.isprintable() and page.name.endswith("__2Jé_1_.jsonl.html")


def test_pages_of_many_logs_do_not_overwrite_each_other(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    written(folder / "x", a=CLEAN)
    written(folder, x_a=CLEAN)
    assert auditor("audit", folder, "--format", "html", "--output", tmp_path / "out").status == 0
    assert len(list((tmp_path / "out").iterdir())) == 2


@pytest.mark.parametrize("format", in_turn(0, ["text", "sarif"]))
def test_the_output_is_the_same_whatever_the_number_of_processes(tmp_path: Path, format: str) -> None:
    logs = {f"g{n}": data for n, data in enumerate([FINDINGS, CLEAN, INCOMPLETE, UNREADABLE] * 3)}
    folder = written(tmp_path / "logs", **logs)
    (folder / "notes.txt").write_text("no log")
    one = auditor_process("audit", folder, "--format", format)
    assert one.status == 2
    assert auditor_process("audit", folder, "--format", format, "--jobs", "2") == one


def test_output_goes_to_a_file_whole(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    log.write_bytes(FINDINGS)
    output = tmp_path / "out.json"
    output.write_text("what was there before")
    said = auditor("audit", log, "--format", "json", "--output", output)
    assert (said.status, said.out, said.err) == (1, "", "")
    assert output.read_text(encoding="utf-8") == auditor("audit", log, "--format", "json").out
    assert auditor("audit", log, "--output", "/dev/null").status == 1
    assert Path("/dev/null").is_char_device()


def test_rulings_given_are_in_force_and_a_header_that_differs_is_noted(tmp_path: Path) -> None:
    header, *events = lines_of("legal")
    log = tmp_path / "a.jsonl"
    header = {**header, "rulings": {"name": "ours", "readings": {"R-LOS-VERTEX": "open"}}}
    log.write_bytes(b"".join(json.dumps(line).encode() + b"\n" for line in [header, *events]))
    own = auditor("audit", log, "--format", "json").value
    assert (own["rulings"]["name"], own["rulings"]["readings"]["R-LOS-VERTEX"]) == ("ours", "open")
    assert own["notes"] == []
    rulings = tmp_path / "cup.json"
    default = auditor("readings", "--format", "json").value
    option = next(reading["default"] for reading in default if reading["id"] == "R-LOS-VERTEX")
    rulings.write_text(json.dumps({"R-LOS-VERTEX": option}))
    given = auditor("audit", log, "--format", "json", "--rulings", rulings).value
    assert (given["rulings"]["name"], given["rulings"]["readings"]["R-LOS-VERTEX"]) == ("cup", option)
    assert [(note["kind"], note["seq"]) for note in given["notes"]] == [("reading", None)]
    said = auditor("audit", log, "--rulings", rulings).out
    assert "The header claims R-LOS-VERTEX as open" in said.split("──")[0]


def test_packs_of_a_folder_are_known_by_id(tmp_path: Path) -> None:
    header, *events = lines_of("legal")
    packs = tmp_path / "packs"
    packs.mkdir()
    (packs / "board.json").write_text(json.dumps(header["board"]))
    log = tmp_path / "a.jsonl"
    log.write_bytes(b"".join(json.dumps(line).encode() + b"\n" for line in [{**header, "board": "ex-board"}, *events]))
    assert auditor("audit", log).status == 2
    said = auditor("audit", log, "--pack", packs, "--format", "json")
    assert said.status == 0
    assert [pack["id"] for pack in said.value["packs"]] == ["ex-board"]


@pytest.mark.parametrize("name", [*in_turn(1, ["clean-1", "clean-2"]), *in_turn(0, ["faulty-1", "faulty-2"])])
def test_the_recorded_games_can_be_audited_in_every_format(name: str) -> None:
    for format in ("text", "csv", "sarif", "html"):
        said = auditor("audit", GAMES / f"{name}.jsonl", "--format", format)
        assert said.status == (0 if name.startswith("clean") else 1)
        assert "\x1b" not in said.out


def test_many_logs_show_how_far_they_have_come_on_a_terminal_only(tmp_path: Path) -> None:
    folder = written(tmp_path, **{f"g{n}": CLEAN for n in range(25)})
    assert auditor_process("audit", folder).err == ""
    ours, theirs = pty.openpty()
    call = [sys.executable, "-m", "auditor", "audit", str(folder)]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=theirs, cwd=ROOT) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the end of a terminal is an error
            while piece := os.read(ours, 65536):
                shown += piece
        assert process.stdout is not None
        assert process.stdout.read().decode().endswith("25 logs: 25 clean.\n")
    os.close(ours)
    assert b"25/25" in shown


@pytest.mark.parametrize("left", ["round.7z", "t.jsonl.zst", "t.vsav"])
def test_what_was_left_out_and_may_be_a_game_is_said_by_the_status_and_the_count(tmp_path: Path, left: str) -> None:
    first = {"round.7z": b"7z\xbc\xaf\x27\x1c", "t.jsonl.zst": b"\x28\xb5\x2f\xfd", "t.vsav": b"!VCSK"}[left]
    (tmp_path / left).write_bytes(first)
    written(tmp_path, b=CLEAN)
    said = auditor("audit", tmp_path)
    assert said.status == 3
    assert left in said.err
    assert said.out.endswith("1 log: 1 clean. 1 file was left out that may hold more.\n")


def test_what_a_mac_leaves_in_a_folder_is_not_even_named(tmp_path: Path) -> None:
    written(tmp_path, b=CLEAN)
    (tmp_path / "._b.jsonl").write_bytes(b"\x00\x05\x16\x07")
    (tmp_path / ".DS_Store").write_bytes(b"\x00\x00\x00\x01Bud1")
    said = auditor("audit", tmp_path)
    assert (said.status, said.err) == (0, "")


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_pipe_is_read_once_and_whole(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    (tmp_path / "t").write_bytes(pack(FINDINGS))
    call = f"{sys.executable} -m auditor audit <(cat {tmp_path / 't'}) --format json"
    done = subprocess.run(["bash", "-c", call], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["log_sha256"] == hashlib.sha256(FINDINGS).hexdigest()


def test_no_option_that_names_an_output_overwrites_what_is_read(tmp_path: Path) -> None:
    log, folder = tmp_path / "a.jsonl", tmp_path / "in"
    log.write_bytes(FINDINGS)
    folder.mkdir()
    (folder / "b.txt").write_bytes(FINDINGS)
    rulings, pack = tmp_path / "r.json", tmp_path / "packs" / "p.json"
    pack.parent.mkdir()
    rulings.write_text('{"game": "calth", "name": "x", "readings": {}}')
    pack.write_bytes((ROOT / "auditor/systems/calth/data/packs/ossuary-gate.json").read_bytes())
    (tmp_path / "link.jsonl").hardlink_to(log)
    (tmp_path / "soft.jsonl").symlink_to(log)
    board = tmp_path / "game.expected.json"
    board.write_bytes(pack.read_bytes())
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    calls: list[list[object]] = [
        ["audit", log, "--output", log],
        ["audit", log, "--output", tmp_path / "link.jsonl"],
        ["audit", log, "--output", tmp_path / "soft.jsonl"],
        ["audit", log, "--output", f"{folder}/../a.jsonl"],
        ["audit", folder, "--output", folder / "b.txt"],
        ["audit", tmp_path, "--output", folder / "b.txt", "--format", "csv"],
        ["audit", log, "--rulings", rulings, "--output", rulings],
        ["audit", log, "--pack", pack, "--output", pack],
        ["audit", log, "--pack", pack.parent, "--output", pack],
        ["mutate", log, "--rule", "CAL-ADV-01", "--output", log],
        ["generate", "--game", "calth", "--board", board, "--output", board],
        ["generate", "--game", "calth", "--board", board, "--output", tmp_path / "game.jsonl"],
    ]
    for call in calls:
        said = auditor(*call)
        assert said.status == 2 and "nothing was written" in said.err, (call, said)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_what_is_read_from_stdin_is_not_written_over(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    log.write_bytes(FINDINGS)
    with log.open("rb") as stdin:
        call = [sys.executable, "-m", "auditor", "audit", "-", "--output", log]
        done = subprocess.run(call, stdin=stdin, capture_output=True, text=True)
    assert done.returncode == 2 and "it is stdin, which is read; nothing was written" in done.stderr
    assert log.read_bytes() == FINDINGS


@pytest.mark.parametrize("format", ["text", "json", "jsonl", "csv", "sarif", "html"])
def test_a_name_that_is_not_utf_8_is_no_fault(tmp_path: Path, format: str) -> None:
    name = os.fsencode(str(tmp_path)) + b"/Zo\xeb.jsonl"
    Path(os.fsdecode(name)).write_bytes(FINDINGS)
    call = [os.fsencode(sys.executable), b"-m", b"auditor", b"audit", name, b"--format", format.encode()]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 1, done.stderr
    done.stdout.decode()
    if format == "sarif":
        assert b"Zo%EB.jsonl" in done.stdout
    if format == "csv":
        assert b"Zo\\xeb.jsonl" in done.stdout


def test_names_of_pages_keep_letters_of_any_language(tmp_path: Path) -> None:
    written(tmp_path / "in", **{"Zoë-Łódź": CLEAN, "山": FINDINGS})
    assert auditor("audit", tmp_path / "in", "--format", "html", "--output", tmp_path / "out").status == 1
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "Zoë-Łódź.jsonl.html",
        "山.jsonl.html",
    ] or all(any(word in path.name for word in ("Zoë-Łódź", "山")) for path in (tmp_path / "out").iterdir())
