"""Tests of which one case in so many is tried are there, and each of them is tried."""

from __future__ import annotations

from pathlib import Path

from tests import shares

TESTS = Path(__file__).parent
NAMED = [(file, test) for files in shares.CASES.values() for file, tests in files.items() for test in tests]


def test_each_test_that_is_named_is_there_and_named_once() -> None:
    assert len(set(NAMED)) == len(NAMED) > 50
    for file, test in NAMED:
        assert f"\ndef {test}(" in (TESTS / file).read_text(encoding="utf-8"), (file, test)


def test_of_many_cases_one_in_so_many_is_left_over_and_of_a_test_that_is_not_named_all_of_them(monkeypatch) -> None:
    monkeypatch.setattr(shares, "CASES", {3: {"a.py": ["few"]}})
    monkeypatch.setattr(shares, "WHOLE", False)
    names = ["a.py::all[1]", *(f"a.py::few[{n}]" for n in range(7)), "b.py::few[1]", "a.py::all[2]"]
    left = shares.left_for_whole_runs(names)
    kept = [name for place, name in enumerate(names) if place not in left]
    assert [name for name in kept if not name.startswith("a.py::few")] == [
        "a.py::all[1]",
        "b.py::few[1]",
        "a.py::all[2]",
    ]
    assert 2 <= len(kept) - 3 <= 3
    monkeypatch.setattr(shares, "WHOLE", True)
    assert shares.left_for_whole_runs(names) == set()


def test_a_test_with_fewer_cases_than_its_share_is_tried_all_the_same(monkeypatch) -> None:
    monkeypatch.setattr(shares, "WHOLE", False)
    for name in ("x", "xy", "xyz"):
        monkeypatch.setattr(shares, "CASES", {3: {"a.py": [name]}})
        assert len(shares.left_for_whole_runs([f"a.py::{name}[{n}]" for n in range(2)])) == 1
