"""The small changes that a file allows, and a sample of them that a seed decides."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.ast.ast_query import ASTQuery
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names

from tests.mutants.rooms import ROOT, Room

Place = tuple[str, tuple[int, int], tuple[int, int]]
"""A file, and from which line and column to which."""

LEFT_OUT = (
    *("RemoveDecorator", "ExceptionReplacer", "Variable", "NoOp"),
    *("Is_Eq", "IsNot_NotEq", "Eq_Is", "NotEq_IsNot", "USub_Not", "UAdd_Not", "Invert_Not"),
)
"""Kinds of changes that are not asked for: those that stop a module from being imported, those that need a list of
names, `is` for `==`, which seldom differs, and `not` for a sign, which is often no Python."""


@dataclass(frozen=True)
class Change:
    """One small change: the file (relative to the root), where it stands, what is changed and which one of its kind."""

    file: str
    within: str
    kind: str
    number: int
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.kind}"

    def applied(self, source: str) -> str:
        """The source with this change."""
        changed = mutate_code(source, _operator(self.kind), self.number)
        if changed is None or changed == source:
            raise ValueError(f"{self} changes nothing")
        return str(changed)


@cache
def _operator(kind: str) -> Operator:
    return get_operator(f"core/{kind}")()


@cache
def _kinds() -> tuple[str, ...]:
    kinds = (name.removeprefix("core/") for name in operator_names())
    return tuple(sorted(kind for kind in kinds if not kind.startswith(LEFT_OUT) and not kind.endswith(LEFT_OUT)))


def _not_run(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """From where to where types and decorators are written: what a program does seldom hangs on them."""
    found = []
    for node in ast.walk(ast.parse(source)):
        parts: list[ast.expr | None] = []
        if isinstance(node, ast.arg | ast.AnnAssign):
            parts = [node.annotation]
        elif isinstance(node, ast.FunctionDef):
            parts = [node.returns, *node.decorator_list]
        elif isinstance(node, ast.ClassDef):
            parts = [*node.decorator_list]
        for one in parts:
            if one is not None:
                found.append(((one.lineno, one.col_offset), (one.end_lineno or 0, one.end_col_offset or 0)))
    return found


def changes(file: Path, root: Path = ROOT) -> dict[Place, list[Change]]:
    """Every change of a file by its place. Places in types and decorators are left out."""
    tree = get_ast_from_path(root / file)
    not_run = _not_run((root / file).read_text(encoding="utf-8"))
    found: dict[Place, list[Change]] = defaultdict(list)
    for kind in _kinds():
        for number, (start, end, within) in enumerate(_places(tree, _operator(kind))):
            if not any(first <= start and end <= last for first, last in not_run):
                change = Change(str(file), within, kind, number, start[0])
                found[(str(file), start, end)].append(change)
    return found


def _places(tree: Any, operator: Operator) -> Iterator[tuple[tuple[int, int], tuple[int, int], str]]:
    for node in ast_nodes(tree):
        for start, end in operator.mutation_positions(node):
            yield tuple(start), tuple(end), ASTQuery(node).get_definition_name() or "the module"


def sample(room: Room, count: int, seed: int, root: Path = ROOT) -> list[Change]:
    """So many changes of a room, at different places, the same for the same seed and code."""
    found: dict[Place, list[Change]] = {}
    for file in room.files(root):
        found |= changes(file, root)
    random = Random(f"{seed} {room.name}")
    places = random.sample(sorted(found), min(count, len(found)))
    return [random.choice(found[place]) for place in places]
