"""The sample is what the seed says, each change can be made, and a change that matters is noticed."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from tests.mutants import quick
from tests.mutants.__main__ import copy_of_the_tree
from tests.mutants.changes import Change, changes, sample
from tests.mutants.conditions import COMPARED, NAME, Outcomes, marked
from tests.mutants.noticed import who_notices
from tests.mutants.report import Tried, page, share
from tests.mutants.rooms import ROOMS, ROOT, Room
from tests.shares import is_tried

PATHS = Room("paths", ("geometry/paths.py",), ("tests/geometry/test_paths.py",), ("tests/geometry/test_paths.py",))


def test_every_room_has_code_and_tests() -> None:
    for room in ROOMS:
        assert all(any((ROOT / "auditor").glob(pattern)) for pattern in room.code), room.name
        assert all((ROOT / tests.partition("::")[0]).exists() for tests in (*room.first, *room.then)), room.name


def test_the_sample_is_what_the_seed_says() -> None:
    taken = sample(PATHS, 10, 1)
    assert taken == sample(PATHS, 10, 1) != sample(PATHS, 10, 2)
    assert len({(one.file, one.kind, one.number) for one in taken}) == 10


def test_each_change_changes_the_code_and_leaves_python() -> None:
    source = (ROOT / "auditor/geometry/paths.py").read_text()
    found = [one for many in changes(Path("auditor/geometry/paths.py")).values() for one in many]
    of_each_kind = {one.kind: one for one in found}.values()
    assert len(found) > 2 * len(of_each_kind) > 40
    for one in [one for one in of_each_kind if is_tried(4, one.kind)]:
        changed = one.applied(source)
        assert changed != source
        ast.parse(changed)


def test_what_leaves_no_python_is_not_in_a_sample(tmp_path: Path) -> None:
    (tmp_path / "auditor/geometry").mkdir(parents=True)
    (tmp_path / "auditor/geometry/paths.py").write_text("def both(one, other):\n    return {**one, **other}, 2**3\n")
    found = [one for many in changes(Path("auditor/geometry/paths.py"), tmp_path).values() for one in many]
    assert len({one.number for one in found if "_Pow_" in one.kind}) == 3
    taken = sample(PATHS, 100, 1, tmp_path)
    assert [one.number for one in taken if "_Pow_" in one.kind] == [2]


def test_a_change_that_matters_is_noticed_and_none_is_not(tmp_path: Path) -> None:
    tree = copy_of_the_tree(tmp_path)
    assert who_notices(tree, PATHS) is None
    path = tree / "auditor/geometry/paths.py"
    path.write_text(path.read_text().replace("neighbours(hex_)[:3]", "neighbours(hex_)[:2]"))
    assert "tests/geometry/test_paths.py" in (who_notices(tree, PATHS) or "")


def test_the_quick_tests_notice_a_change_that_they_come_to() -> None:
    found = [one for many in changes(Path("auditor/geometry/paths.py")).values() for one in many]
    some = [one for one in found if one.within == "_graph"]
    known = quick.reached(PATHS, some)
    assert known and all(one.changes for one in known)
    noticed = [quick.who_notices(PATHS, one, number, known) for number, one in enumerate(some[:3])]
    assert any(name is not None and name.startswith("tests/geometry/test_paths.py::") for name in noticed)
    assert quick.who_notices(PATHS, some[0], len(some), known) is None


def test_a_source_says_when_it_comes_to_a_statement() -> None:
    met: list[int] = []
    source = "def f(x):\n    if x:\n        return 1\n    elif x is None:\n        return 2\n    return 3\n"
    at = [Change("f.py", "f", "NumberReplacer", 0, line) for line in (3, 4, 6)]
    space = {"_reached_": met.append}
    exec(compile(quick.marked(source, list(enumerate(at))), "f.py", "exec"), space)
    assert (space["f"](1), met) == (1, [0])  # type: ignore[operator]
    met.clear()
    assert (space["f"](0), met) == (3, [1, 2])  # type: ignore[operator]


def test_a_source_says_how_its_conditions_come_out() -> None:
    source = """
def f(x: int | None, many: bool = False) -> str:
    if many:
        return "many"
    if x is None or (x > 2 and not x == 5):
        return "some"
    return "one" if x else ", ".join(one for one in "ab" if one != "c")
"""
    outcomes = Outcomes()
    space: dict[str, Any] = {NAME: outcomes.see, COMPARED: outcomes.compare}
    exec(compile(marked("f.py", source, outcomes), "f.py", "exec"), space)
    assert [space["f"](x) for x in (1, 3, 0)] == ["one", "some", "a, b"]
    listed = [(condition.line, condition.text, how) for condition, how in outcomes.one_way()]
    assert listed == [
        (3, "many", "always False"),
        (5, "x is None", "always False"),
        (5, "not x == 5", "always True"),
        (5, "x == 5", "always False"),
        (7, 'one != "c"', "always True"),
    ]
    assert [(one.text, how) for one, how in outcomes.never()] == [("x > 2", "never equal")]


def test_the_page_counts_what_was_noticed() -> None:
    first, second = sample(PATHS, 2, 1)
    tried = [Tried(PATHS, first, "tests/a.py::test_b"), Tried(PATHS, second, None)]
    assert share(tried) == 0.5
    assert "| all | 2 | 0 | 1 | 1 | 50.0% |" in page(tried, 1, 2)
