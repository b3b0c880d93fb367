"""`python -m tests.mutants.conditions --room ROOM`: the conditions of a room that come out one way in all its quick tests.

No test can notice a change of a condition that is always true, or always false: either nothing shows it, and an example
is missing, or it cannot come out otherwise and is not needed. One pass over the tests lists them all, where a sample of
changes finds one at a time. What only types need, and `x or ()`, is among them.
"""

from __future__ import annotations

import argparse
import ast
import builtins
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests.mutants import quick
from tests.mutants.cases import cases
from tests.mutants.rooms import ROOMS, ROOT, Room

NAME = "_came_out_"


class Condition(NamedTuple):
    """A condition: its file, line and column, and its text."""

    file: str
    line: int
    column: int
    text: str


class Outcomes:
    """How often conditions came out true and false. `see` gives back what it is given."""

    def __init__(self) -> None:
        self.of: dict[Condition, set[bool]] = {}
        self._conditions: list[Condition] = []

    def number(self, condition: Condition) -> int:
        self.of.setdefault(condition, set())
        self._conditions.append(condition)
        return len(self._conditions) - 1

    def see(self, number: int, value: Any) -> Any:
        self.of[self._conditions[number]].add(bool(value))
        return value

    def one_way(self) -> Iterator[tuple[Condition, str]]:
        """The conditions that came out one way, or were not come to, in the order of the code."""
        for condition, seen in sorted(self.of.items()):
            if len(seen) < 2:
                yield condition, "not come to" if not seen else f"always {seen.copy().pop()}"


class _Marker(ast.NodeTransformer):
    """Puts a call of `see` around each part of `and` and `or`, each comparison, each `not`, and what an `if` asks."""

    def __init__(self, file: str, source: str, outcomes: Outcomes) -> None:
        self.file, self.source, self.outcomes = file, source, outcomes

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.value = self.visit(node.value) if node.value is not None else None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = [self.visit(one) for one in node.body]  # Types and decorators decide nothing.
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        node.values = [self._marked(one) for one in node.values]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        return self._around(node, self.generic_visit(node))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        return (
            self._around(node, self.generic_visit(node)) if isinstance(node.op, ast.Not) else self.generic_visit(node)
        )

    def visit_If(self, node: ast.If) -> ast.AST:
        test, node.test = node.test, ast.Constant(True)
        node = self.generic_visit(node)  # type: ignore[assignment]
        node.test = self._marked(test)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        test, node.test = node.test, ast.Constant(True)
        node = self.generic_visit(node)  # type: ignore[assignment]
        node.test = self._marked(test)
        return node

    def _marked(self, node: ast.expr) -> ast.expr:
        marked: ast.expr = self.visit(node)
        is_marked = isinstance(node, (ast.BoolOp, ast.Compare)) or marked is not node
        return marked if is_marked else self._around(node, node)

    def _around(self, node: ast.expr, visited: Any) -> ast.expr:
        text = " ".join((ast.get_source_segment(self.source, node) or "").split())
        number = self.outcomes.number(Condition(self.file, node.lineno, node.col_offset, text))
        call = ast.Call(ast.Name(NAME, ast.Load()), [ast.Constant(number), visited], [])
        return ast.copy_location(call, node)


def marked(file: str, source: str, outcomes: Outcomes) -> str:
    """A source that says how each of its conditions comes out."""
    tree = _Marker(file, source, outcomes).visit(ast.parse(source))
    return ast.unparse(ast.fix_missing_locations(tree))


def outcomes_of(room: Room, say: Callable[[str], object] = print) -> Outcomes:
    """How the conditions of a room's code come out in its quick tests. This process has the marked code from then on."""
    outcomes = Outcomes()
    files = {str(ROOT / file): (str(file), (ROOT / file).read_text(encoding="utf-8")) for file in room.files()}
    vars(builtins)[NAME] = outcomes.see
    quick.take({path: marked(file, source, outcomes) for path, (file, source) in files.items()})
    for name, call in cases(room.first):
        try:
            call()
        except BaseException as error:
            say(f"this fails, with conditions marked: {name}: {error!r}")
    return outcomes


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.mutants.conditions", description=__doc__.split("\n")[0])
    asked.add_argument("--room", required=True, choices=[room.name for room in ROOMS])
    outcomes = outcomes_of(next(room for room in ROOMS if room.name == asked.parse_args().room))
    listed = list(outcomes.one_way())
    for condition, how in listed:
        print(f"{condition.file}:{condition.line}: {how}: {condition.text}")
    print(f"{len(listed)} of {len(outcomes.of)} conditions")


if __name__ == "__main__":
    main()
