"""The quick net: which cases come to a change, and whether one of them notices it. Each change in a process of its own.

A child process takes one module's text as changed, so that no file is written, and is stopped after so much processor
time. What needs no change to be loaded (third-party packages) is loaded before, once.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import json
import os
import resource
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any, NamedTuple

from tests.mutants.cases import cases
from tests.mutants.changes import Change
from tests.mutants.rooms import ROOT, Room

OWN = ("auditor", "tests")
MEMORY = 6 * 2**30


class Reached(NamedTuple):
    """A case, how long it takes, and the changes whose places it comes to."""

    case: str
    seconds: float
    changes: frozenset[int]


def reached(room: Room, changes: Sequence[Change]) -> list[Reached]:
    """Every case of a room that passes without a change, the shortest first."""
    found = _in_a_child(lambda: _reached(room, changes), None)
    loaded, kept = json.loads(found)
    for name in loaded:
        try:
            importlib.import_module(name)
        except Exception:  # a child imports it again, and then it matters
            continue
    return sorted((Reached(case, spent, frozenset(met)) for case, spent, met in kept), key=lambda one: one.seconds)


def who_notices(room: Room, change: Change, number: int, known: Sequence[Reached]) -> str | None:
    """The first case that fails with a change, the shortest first, `time` where its processor time runs out, or None."""
    mine = [one for one in known if number in one.changes]
    if not mine:
        return None
    wanted, spent = [one.case for one in mine], sum(one.seconds for one in mine)
    path = ROOT / change.file
    source = {str(path): change.applied(path.read_text(encoding="utf-8"))}
    said = _in_a_child(lambda: _first_to_fail(room, wanted, source), 15 + 5 * spent)
    return "time" if said == "" else json.loads(said)


def _first_to_fail(room: Room, wanted: Sequence[str], source: Mapping[str, str]) -> str:
    take(source)
    try:
        calls = dict(cases(room.first))
    except BaseException as error:
        return json.dumps(f"loading: {type(error).__name__}")
    for case in wanted:
        try:
            calls[case]()
        except BaseException:
            return json.dumps(case)
    return "null"


def _reached(room: Room, changes: Sequence[Change]) -> str:
    met: set[int] = set()
    vars(builtins)["_reached_"] = met.add
    sources: dict[str, str] = {}
    for file in sorted({change.file for change in changes}):
        places = [(n, one) for n, one in enumerate(changes) if one.file == file]
        sources[str(ROOT / file)] = marked((ROOT / file).read_text(encoding="utf-8"), places)
    before = set(sys.modules)
    take(sources)
    calls = list(cases(room.first))
    always = set(met)
    kept = []
    for case, call in calls:
        met.clear()
        begun = time.process_time()
        try:
            call()
        except BaseException as error:
            raise SystemExit(f"without any change this fails: {case}: {error!r}") from error
        kept.append((case, time.process_time() - begun, sorted(met | always)))
    loaded = [name for name in sys.modules if name not in before and name.split(".")[0] not in OWN]
    return json.dumps([loaded, kept])


def marked(source: str, places: Sequence[tuple[int, Change]]) -> str:
    """A source that says when it comes to the statement in which a change stands."""
    tree = ast.parse(source)
    for number, change in places:
        body, at = _statement(tree, change.line)
        body.insert(at, ast.parse(f"_reached_({number})").body[0])
    return ast.unparse(ast.fix_missing_locations(tree))


def _statement(tree: ast.Module, line: int) -> tuple[list[ast.stmt], int]:
    """The innermost list of statements around a line, and where in it; not before a docstring or a `from __future__`."""
    found: tuple[list[ast.stmt], int] = (tree.body, len(tree.body))
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if not isinstance(body, list):
                continue
            for at, one in enumerate(body):
                if isinstance(one, ast.stmt) and _first_line(one) <= line <= (one.end_lineno or 0) and one.lineno:
                    found = (body, at)
    return found


def _first_line(one: ast.stmt) -> int:
    return min([one.lineno, *(each.lineno for each in getattr(one, "decorator_list", ()))])


def take(sources: Mapping[str, str]) -> None:
    """Load these files as if they held these texts, with everything that was made of the honest ones."""
    for name in list(sys.modules):
        if name.split(".")[0] in OWN and not name.startswith("tests.mutants"):
            del sys.modules[name]
    honest = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> Any:
        text = sources.get(self.path)
        return honest(self, fullname) if text is None else compile(text, self.path, "exec")

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


def _in_a_child(work: Callable[[], str], limit: float | None) -> str:
    """What a call says in a process of its own; "" where that was stopped. What it raises is said here."""
    with tempfile.TemporaryDirectory() as folder:
        said = Path(folder) / "said"
        pid = os.fork()
        if pid == 0:
            _work(work, limit, said)
        _, status = os.waitpid(pid, 0)
        if os.waitstatus_to_exitcode(status) == 3:
            raise SystemExit(said.read_text(encoding="utf-8"))
        return said.read_text(encoding="utf-8") if said.exists() else ""


def _work(work: Callable[[], str], limit: float | None, said: Path) -> None:
    """The child's whole life."""
    code = 1
    try:
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 3))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        said.write_text(work(), encoding="utf-8")
        code = 0
    except BaseException:
        said.write_text(traceback.format_exc(), encoding="utf-8")
        code = 3
    finally:
        os._exit(code)
