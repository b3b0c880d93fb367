"""The small changes that a file allows, and a sample of them that a seed decides."""

from __future__ import annotations

import ast
import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
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

Where = tuple[tuple[int, int], tuple[int, int], str]
"""From which line and column to which, and in which function."""

FAMILIES = ("ReplaceBinaryOperator_",)
"""Kinds that share their places: `ReplaceBinaryOperator_Add_Sub` stands wherever `ReplaceBinaryOperator_Add_Mul` does."""

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
    nodes = list(ast_nodes(get_ast_from_path(root / file)))
    not_run = _not_run((root / file).read_text(encoding="utf-8"))
    found: dict[Place, list[Change]] = defaultdict(list)
    of_family: dict[str, list[Where]] = {}
    for kind in _kinds():
        family = kind.rsplit("_", 1)[0] if kind.startswith(FAMILIES) else kind
        if family not in of_family:
            of_family[family] = list(_places(nodes, _operator(kind)))
        for number, (start, end, within) in enumerate(of_family[family]):
            if not any(first <= start and end <= last for first, last in not_run):
                change = Change(str(file), within, kind, number, start[0])
                found[(str(file), start, end)].append(change)
    return found


def _places(nodes: Sequence[Any], operator: Operator) -> Iterator[Where]:
    for node in nodes:
        for start, end in operator.mutation_positions(node):
            yield tuple(start), tuple(end), ASTQuery(node).get_definition_name() or "the module"


def sample(room: Room, count: int, seed: int, root: Path = ROOT) -> list[Change]:
    """So many changes of a room, at different places, the same for the same seed and code.

    Which places are taken hangs on the text of each line and its function alone, so that a change elsewhere in the
    code replaces few of them. What would leave no Python (another sign for the `**` of `{**one}`) is passed over.
    """
    ranked = []
    for file in room.files(root):
        lines = (root / file).read_text(encoding="utf-8").split("\n")
        for place, found in changes(file, root).items():
            (row, column), one = place[1], found[0]
            text = f"{seed} {file} {one.within} {column} {lines[row - 1].strip()}"
            ranked.append((hashlib.sha256(text.encode()).hexdigest(), place, found))
    chosen = (Random(rank).choice(found) for rank, _, found in sorted(ranked, key=lambda one: one[:2]))
    return list(islice((change for change in chosen if _leaves_python(change, root)), count))


def _leaves_python(change: Change, root: Path) -> bool:
    try:
        ast.parse(change.applied((root / change.file).read_text(encoding="utf-8")))
    except SyntaxError:
        return False
    return True
