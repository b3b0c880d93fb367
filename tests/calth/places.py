"""The places in Calth's rules that make a fault, and which of them a piece of work comes to.

A place is a call of `illegal`, `miscalculated`, `omitted`, `ambiguous`, `missing` or `fault` of a rule. It goes by its
file, the function it stands in and its number among those of that function, so that other edits do not rename it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import auditor.systems.calth.rules as rules_of_calth
from auditor.core.ruleset import Rule

MAKERS = ("illegal", "miscalculated", "omitted", "ambiguous", "missing", "fault")
FOLDER = Path(rules_of_calth.__file__).parent


def places() -> dict[tuple[str, int], str]:
    """(file, last line of the call) and every line before it -> the place's name."""
    found: dict[tuple[str, int], str] = {}
    for path in sorted(FOLDER.glob("*.py")):
        for name, call in _calls(ast.parse(path.read_text(encoding="utf-8")), path.stem):
            for line in range(call.lineno, (call.end_lineno or call.lineno) + 1):
                found.setdefault((str(path), line), name)
    return found


def _calls(tree: ast.AST, name: str) -> Iterator[tuple[str, ast.Call]]:
    """Each call of a maker, innermost last, with the name of its place."""
    counted: dict[str, int] = {}

    def walk(node: ast.AST, within: str) -> Iterator[tuple[str, ast.Call]]:
        for child in ast.iter_child_nodes(node):
            inside = f"{within}.{child.name}" if isinstance(child, ast.FunctionDef) else within
            is_maker = (
                isinstance(child, ast.Call) and isinstance(child.func, ast.Attribute) and child.func.attr in MAKERS
            )
            if is_maker:
                counted[inside] = counted.get(inside, 0) + 1
                yield f"{inside} {counted[inside]}", child
            yield from walk(child, inside)

    yield from walk(tree, name)


class Reached(NamedTuple):
    """The names of the places that came to make a fault, and which kinds were made under which rule."""

    places: set[str]
    kinds: set[tuple[str, str]]


@contextmanager
def watched() -> Iterator[Reached]:
    """What faults are made meanwhile."""
    known, reached = places(), Reached(set(), set())
    made = Rule.fault

    def fault(self: Rule, *args: Any, **more: Any) -> Any:
        frame = sys._getframe(1)
        while frame is not None and not frame.f_code.co_filename.startswith(str(FOLDER)):
            frame = frame.f_back
        if frame is not None:
            name = known.get((frame.f_code.co_filename, frame.f_lineno))
            if name is not None:
                reached.places.add(name)
        fault = made(self, *args, **more)
        reached.kinds.add((fault.rule, fault.kind))
        return fault

    Rule.fault = fault  # type: ignore[method-assign]
    try:
        yield reached
    finally:
        Rule.fault = made  # type: ignore[method-assign]
