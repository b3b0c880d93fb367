"""Files of examples stand as they have to, what is wrong in one is said all at once, and the command does what it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests import examples, layout

HEADER = {"type": "header", "game": "toy", "format": 1, "board": {"id": "b", "name": "Hall"}, "first": None}
EVENTS = [{"seq": 1, "type": "position"}, {"seq": 2, "type": "end"}]
EXPECTED = {"verdict": "findings", "findings": [{"rule": "TOY-1", "seq": 2}], "notes": []}
OTHER = {**HEADER, "board": {"id": "b"}, "title": "Otherwise"}


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a game with one header, which has a null in it."""
    monkeypatch.setattr(examples, "FIXTURES", tmp_path)
    (folder := tmp_path / "toy").mkdir()
    (folder / "readings").mkdir()
    (folder / "headers.json").write_text(layout.headers({"example": HEADER}))
    return folder


def written(path: Path, **examples_of_it: Any) -> Path:
    path.write_text(layout.file({"examples": examples_of_it}))
    return path


def test_every_file_stands_as_the_command_writes_it() -> None:
    """Else the next change of a file would show what nobody changed: python -m tests.examples --layout."""
    files = list(examples.files())
    assert len(files) > 500
    assert [str(path) for path, text in files if path.read_text(encoding="utf-8") != text] == []


def test_no_example_stands_where_nobody_reads_it() -> None:
    folders = {path.name for path in examples.FIXTURES.glob("*/*") if path.is_dir()}
    assert folders == {"games", "counts", examples.READINGS}
    assert [str(path) for path in examples.FIXTURES.glob(f"*/{examples.READINGS}/*") if path.suffix != ".json"] == []


def test_a_file_is_read_and_laid_out_with_a_line_for_each_event_and_each_finding(toy: Path) -> None:
    patch = {"example": {"board": {"name": None}, "title": "Otherwise"}}
    path = written(
        toy / "TOY-1.json",
        legal={"header": "example", "events": EVENTS},
        illegal={"header": patch, "events": EVENTS, "expected": EXPECTED},
    )
    legal, illegal = examples.example("toy", "TOY-1/legal"), examples.example("toy", "TOY-1/illegal")
    assert (str(legal), legal.log, legal.expected) == ("TOY-1/legal", {"header": HEADER, "events": EVENTS}, None)
    assert (illegal.log["header"], illegal.expected) == (OTHER, EXPECTED)
    assert illegal.log is not illegal.log, "a test may change it"
    assert (
        path.read_text()
        == """{
"examples": {

"illegal": {
 "header": {"example": {"board": {"name": null}, "title": "Otherwise"}},
 "events": [
  {"seq": 1, "type": "position"},
  {"seq": 2, "type": "end"}
 ],
 "expected": {"verdict": "findings", "findings": [
  {"rule": "TOY-1", "seq": 2}
 ], "notes": []}
},

"legal": {
 "header": "example",
 "events": [
  {"seq": 1, "type": "position"},
  {"seq": 2, "type": "end"}
 ]
}

}
}
"""
    )


@pytest.mark.parametrize(
    ("value", "patch", "result"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1, None]}, {"a": [1, None]}),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ({"a": "foo"}, "bar", "bar"),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_a_patch_is_a_merge_patch_as_rfc_7396_has_it(value: Any, patch: Any, result: Any) -> None:
    assert layout.patched(value, patch) == result


@pytest.mark.parametrize(
    ("header", "as_written"),
    [
        (HEADER, "example"),
        (OTHER, {"example": {"board": {"name": None}, "title": "Otherwise"}}),
        ({**HEADER, "format": 1.0}, {"example": {"format": 1.0}}),
        ({**HEADER, "title": None}, None),
        ({**HEADER, "board": {"id": None, "name": "Hall"}}, None),
        ({**HEADER, "models": [None]}, {"example": {"models": [None]}}),
    ],
    ids=["the same", "a patch", "another kind of number", "a null", "a null further in", "a null in a list"],
)
def test_a_header_is_written_with_least_and_whole_where_no_patch_can(header: Any, as_written: Any) -> None:
    shortest = layout.shortest(header, {"example": HEADER})
    assert shortest == (header if as_written is None else as_written)
    if as_written not in (None, "example"):
        assert layout.is_same(layout.patched(HEADER, shortest["example"]), header)


def test_all_that_is_wrong_in_files_is_said_at_once_and_where(toy: Path) -> None:
    value = {
        "headers": {"far": {"example": {"title": "Far"}}, "example": HEADER, "near": "nearly"},
        "example": {},
        "not_auditable": [],
        "examples": {
            "legal": {"header": "exmple", "events": EVENTS, "expect": []},
            "legal-bare": {},
            "legal-list": [],
            "illegal": {
                "header": {"example": {}, "far": {}},
                "events": [1],
                "expected": {"findings": {}, "under": {"yes": [3]}, "why": ""},
            },
            "illegal-null": {"header": "example", "events": EVENTS, "expected": None},
        },
    }
    (toy / "TOY-1.json").write_text(json.dumps(value))
    (toy / "TOY-2.json").write_text('{"examples": }')
    (toy / "readings" / "R-TOY.json").write_text("[]")
    with pytest.raises(examples.WronglyWritten) as wrong:
        examples.examples("toy", file="*")
    names = 'not a name, {name: patch}, or a header with its "type"; names: "example", "far"'
    assert list(wrong.value.told) == [
        """toy/TOY-1.json: has 'example', and may have "headers", "not_auditable", "examples\"""",
        "toy/TOY-1.json: not_auditable is [], not a sentence",
        "toy/TOY-1.json: header example: is in headers.json already",
        f'toy/TOY-1.json: header near is "nearly", {names}',
        """toy/TOY-1.json: legal: has 'expect', and may have "header", "events", "expected\"""",
        f'toy/TOY-1.json: legal: header is "exmple", {names}, "near"',
        "toy/TOY-1.json: legal-bare: has no 'header'",
        "toy/TOY-1.json: legal-bare: has no 'events'",
        'toy/TOY-1.json: legal-list is [], not an object with "header", "events", "expected"',
        f'toy/TOY-1.json: illegal: header is {{"example": {{}}, "far": {{}}}}, {names}, "near"',
        "toy/TOY-1.json: illegal: events is [1], not a list of objects",
        """toy/TOY-1.json: illegal: expected has 'why', and may have "verdict", "findings", "notes", "put_right", """
        '"under", "with"',
        'toy/TOY-1.json: illegal: expected has "findings" and "under", or neither; it has one of them',
        "toy/TOY-1.json: illegal: expected findings is {}, not a list of objects",
        "toy/TOY-1.json: illegal: expected under yes is [3], not a list of objects",
        'toy/TOY-1.json: illegal-null: expected is null, not an object with "verdict", "findings", "notes", '
        '"put_right", "under", "with"',
        "toy/TOY-1.json: header far: nothing names it",
        "toy/TOY-1.json: header near: nothing names it",
        "toy/TOY-2.json: is not JSON: Expecting value: line 1 column 14 (char 13)",
    ]
    with pytest.raises(examples.WronglyWritten, match=r"toy/readings/R-TOY\.json: is \[\], not an object"):
        examples.examples("toy", file="readings/*")


def test_a_name_that_stands_twice_is_not_lost_in_silence(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = json.dumps({"header": "example", "events": EVENTS})
    (toy / "TOY-1.json").write_text(f'{{"examples": {{"legal": {one}, "legal": {one}}}}}')
    assert examples.main(["--layout"]) == 1
    assert capsys.readouterr().err == "toy/TOY-1.json: 'legal' stands 2 times in one object\n"


def test_the_command_writes_an_example_as_a_log(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(toy / "TOY-1.json", legal={"header": {"example": {"title": "Für alle"}}, "events": EVENTS})
    written(toy / "readings" / "R-TOY.json", example={"header": "example", "events": EVENTS})
    for name in ("TOY-1/legal", "toy/TOY-1/legal"):
        assert examples.main([name]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert list(map(json.loads, lines)) == [{**HEADER, "title": "Für alle"}, *EVENTS]
    assert [examples.main([name]) for name in ("R-TOY/example", "readings/R-TOY/example")] == [0, 0]
    capsys.readouterr()
    assert examples.main(["TOY-1/legl"]) == 1
    assert capsys.readouterr().err == "there is no example TOY-1/legl; there is TOY-1/legal\n"


@pytest.mark.parametrize("in_lines", [True, False])
def test_the_command_puts_a_log_into_a_file_and_keeps_what_was_expected(
    toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], in_lines: bool
) -> None:
    path = written(toy / "TOY-1.json", illegal={"header": "example", "events": [], "expected": EXPECTED})
    lines = "".join(json.dumps(line) + "\n" for line in (OTHER, *EVENTS))
    log = tmp_path / "log.json"
    log.write_text(lines if in_lines else json.dumps({"header": OTHER, "events": EVENTS}))
    for name in ("TOY-1/illegal", "TOY-1/illegal-new", "readings/R-TOY/example"):
        assert examples.main([name, "--of", str(log)]) == 0
    assert capsys.readouterr().out == "toy/TOY-1.json\ntoy/TOY-1.json\ntoy/readings/R-TOY.json\n"
    illegal, new = examples.read(path)
    assert (illegal.log, illegal.expected) == ({"header": OTHER, "events": EVENTS}, EXPECTED)
    assert (new.name, new.log, new.expected) == ("illegal-new", illegal.log, None)


def test_the_command_writes_files_as_they_have_to_stand(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(toy / "TOY-1.json", legal={"header": "example", "events": EVENTS})
    text = path.read_text()
    path.write_text(json.dumps(json.loads(text)))
    assert examples.main(["--layout"]) == 0
    assert (path.read_text(), capsys.readouterr().out) == (text, "toy/TOY-1.json\n")
