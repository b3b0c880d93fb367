"""`python -m tests.mutants.conditions --room ROOM`: the conditions of a room that come out one way in all its quick tests.

No test can notice a change of a condition that is always true, or always false: either nothing shows it, and an example
is missing, or it cannot come out otherwise and is not needed. One pass over the tests lists them all, where a sample of
changes finds one at a time. What only types need, and `x or ()`, is among them. Of two numbers that are compared it
matters too whether they were ever equal, less, and more.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import operator
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from tests.mutants import quick
from tests.mutants.cases import cases
from tests.mutants.rooms import ROOMS, ROOT, Room

NAME, COMPARED = "_came_out_", "_compared_"
OPERATORS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
NUMBERS = (int, Fraction)
TRUE, FALSE, EQUAL, LESS, MORE = "True", "False", "equal", "less", "more"


Shown = tuple[int, str]
"""That a condition, by its number, came out so."""


class Condition(NamedTuple):
    """A condition: its file, line and column, and its text."""

    file: str
    line: int
    column: int
    text: str


class Outcomes:
    """How conditions came out. `see` and `compare` give back what the condition comes to."""

    def __init__(self) -> None:
        self.of: dict[Condition, set[str]] = {}
        self._conditions: list[Condition] = []
        self._seen: list[set[str]] = []
        self._operators: list[Callable[[Any, Any], Any]] = []
        self._new: set[Shown] = set()

    def newly(self, work: Callable[[], object]) -> set[Shown]:
        """What a call shows that was not seen before."""
        self._new.clear()
        work()
        return set(self._new)

    def all_of(self, work: Callable[[], object]) -> set[Shown]:
        """All that a call shows."""
        seen, self._seen = self._seen, [set() for _ in self._seen]
        try:
            work()
            return {(number, how) for number, outcomes in enumerate(self._seen) for how in outcomes}
        finally:
            self._seen = seen

    def missing(self) -> set[int]:
        """The numbers of the conditions that are come to and did not come out in every way."""
        return {number for number, seen in enumerate(self._seen) if seen and not _whole(seen)}

    def forget(self, shown: Iterable[Shown]) -> None:
        for number, how in shown:
            self._seen[number].discard(how)

    def number(self, condition: Condition, compares: Callable[[Any, Any], Any] = operator.eq) -> int:
        self._seen.append(self.of.setdefault(condition, set()))
        self._conditions.append(condition)
        self._operators.append(compares)
        return len(self._seen) - 1

    def see(self, number: int, value: Any) -> Any:
        self.note(number, TRUE if value else FALSE)
        return value

    def note(self, number: int, how: str) -> None:
        if how not in self._seen[number]:
            self._seen[number].add(how)
            self._new.add((number, how))

    def compare(self, number: int, left: Any, right: Any) -> Any:
        if type(left) in NUMBERS and type(right) in NUMBERS:
            self.note(number, EQUAL if left == right else LESS if left < right else MORE)
        return self.see(number, self._operators[number](left, right))

    def one_way(self) -> Iterator[tuple[Condition, str]]:
        """The conditions that came out one way, or were not come to, in the order of the code."""
        for condition, seen in sorted(self.of.items()):
            if not seen:
                yield condition, "not come to"
            elif not seen >= {TRUE, FALSE}:
                yield condition, f"always {(seen & {TRUE, FALSE}).pop()}"

    def never(self) -> Iterator[tuple[Condition, str]]:
        """Conditions that came out both ways and compare numbers of which one was never equal, less or more."""
        for condition, seen in sorted(self.of.items()):
            if seen >= {TRUE, FALSE} and seen & {EQUAL, LESS, MORE}:
                yield from ((condition, f"never {how}") for how in (EQUAL, LESS, MORE) if how not in seen)


def _whole(seen: set[str]) -> bool:
    return seen >= {TRUE, FALSE} and (not seen & {EQUAL, LESS, MORE} or seen >= {EQUAL, LESS, MORE})


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
        compares = OPERATORS.get(type(node.ops[0])) if len(node.ops) == 1 else None
        if compares is None:
            return self._around(node, self.generic_visit(node))
        number = self._number(node, compares)
        sides = [self.visit(node.left), self.visit(node.comparators[0])]
        call = ast.Call(ast.Name(COMPARED, ast.Load()), [ast.Constant(number), *sides], [])
        return ast.copy_location(call, node)

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
        call = ast.Call(ast.Name(NAME, ast.Load()), [ast.Constant(self._number(node)), visited], [])
        return ast.copy_location(call, node)

    def _number(self, node: ast.expr, compares: Callable[[Any, Any], Any] = operator.eq) -> int:
        text = " ".join((ast.get_source_segment(self.source, node) or "").split())
        return self.outcomes.number(Condition(self.file, node.lineno, node.col_offset, text), compares)


def marked(file: str, source: str, outcomes: Outcomes) -> str:
    """A source that says how each of its conditions comes out."""
    tree = _Marker(file, source, outcomes).visit(ast.parse(source))
    return ast.unparse(ast.fix_missing_locations(tree))


def outcomes_of(room: Room, say: Callable[[str], object] = print) -> Outcomes:
    """How the conditions of a room's code come out in its quick tests. This process has the marked code from then on."""
    outcomes = Outcomes()
    files = {str(ROOT / file): (str(file), (ROOT / file).read_text(encoding="utf-8")) for file in room.files()}
    vars(builtins).update({NAME: outcomes.see, COMPARED: outcomes.compare})
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
    for condition, how in outcomes.never():
        print(f"{condition.file}:{condition.line}: {how}: {condition.text}")


if __name__ == "__main__":
    main()
