"""The import rules of pyproject.toml: that they cover everything, that no string gets round them, that docs show them."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS: dict[str, Any] = {one["name"]: one for one in PROJECT["tool"]["importlinter"]["contracts"]}
LAYERS = [set(layer.split(" | ")) for layer in CONTRACTS["Layers"]["layers"]]
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
SOURCES = sorted((ROOT / "auditor").rglob("*.py"))

BY_NAME = {
    "auditor/jobs/child.py": "what the child does, named by the process that starts it",
    "auditor/jobs/work.py": "the engine, named by the service that makes the task",
    "auditor/service/games.py": "the same engine",
}
"""Modules that import what a caller names; tests put another engine there. The names given are held to the layers."""


@cache
def rooms() -> frozenset[str]:
    """The modules and packages right under `auditor`."""
    found = {path.stem for path in (ROOT / "auditor").glob("*.py")}
    found |= {path.parent.name for path in (ROOT / "auditor").glob("*/__init__.py")}
    return frozenset(found - {"__init__"})


def height(room: str) -> int:
    return next(n for n, layer in enumerate(LAYERS) if room in layer)


def games() -> set[str]:
    return {f"auditor.systems.{path.parent.name}" for path in (ROOT / "auditor" / "systems").glob("*/__init__.py")}


def test_every_room_has_its_layer():
    assert set.union(*LAYERS) == rooms()


def test_every_game_and_every_second_referee_is_held_to_the_rules():
    assert set(CONTRACTS["No game knows another"]["modules"]) == games()
    assert set(CONTRACTS["Nobody but the registry imports a game"]["protected_modules"]) == games()
    referees = {
        f"auditor.conformance.{path.parent.name}" for path in (ROOT / "auditor/conformance").glob("*/__init__.py")
    }
    assert set(CONTRACTS["Nobody but the registry imports a second referee"]["protected_modules"]) == referees


def test_every_package_has_a_door():
    doors = {
        name for one in CONTRACTS.values() if one["name"].startswith("Door: ") for name in one["protected_modules"]
    }
    packages = PROJECT["project"]["dependencies"] + PROJECT["project"]["optional-dependencies"]["cluster"]
    called = {re.split(r"[\[<>=]", each)[0].replace("-", "_") for each in packages}
    needed = {{"markdown_it_py": "markdown_it"}.get(each, each) for each in called}  # by the name of its module
    assert doors == needed - {"psycopg"}  # SQLAlchemy loads it, by the name in an address


@cache
def nodes_of(path: Path) -> list[ast.Call | ast.Constant | ast.Expr]:
    """The calls, constants and expressions that stand in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call | ast.Constant | ast.Expr)]


IMPORTERS = re.compile(r"exec|eval|__import__|import_module|find_spec|run_module|run_path|resolve_name")
NAMED = re.compile(r"""["']auditor\.""")
"""How a string begins that names a module; only where one stands is the tree of a file looked through."""


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def imports_by_name(path: Path) -> Iterator[ast.Call]:
    """Calls that import what a string names; only of a file in which a name of one stands is the tree looked through."""
    for node in nodes_of(path) if IMPORTERS.search(text_of(path)) else ():
        if isinstance(node, ast.Call):
            bare = isinstance(node.func, ast.Name) and node.func.id in ("exec", "eval", "__import__")
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if bare or called in ("import_module", "find_spec", "run_module", "run_path", "resolve_name"):
                yield node


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_string_gets_round_the_import_rules(path: Path):
    """A module is imported by a statement, which the rules see, or named by a string that the layers allow."""
    name = path.relative_to(ROOT).as_posix()
    if any(imports_by_name(path)):
        assert name in BY_NAME, f"{name} imports by a string"
    if not NAMED.search(text_of(path)):
        return
    docstrings = {id(node.value) for node in nodes_of(path) if isinstance(node, ast.Expr)}
    room = path.relative_to(ROOT / "auditor").parts[0].removesuffix(".py")
    for node in nodes_of(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            named = re.fullmatch(r"auditor\.(\w+)[\w.:]*", node.value)
            if named and named[1] in rooms() and named[1] != room:
                assert height(room) < height(named[1]), f"{name} names {node.value}"


def test_those_that_import_what_is_named_are_the_ones_listed():
    found = {path.relative_to(ROOT).as_posix() for path in SOURCES if any(imports_by_name(path))}
    assert found == set(BY_NAME)


def test_the_picture_of_the_architecture_is_that_of_the_rules():
    shown = re.search(r"```layers\n(.*?)```", ARCHITECTURE, re.S)
    assert shown is not None
    lines = [line.strip() for line in shown[1].strip().splitlines()]
    assert lines == [layer for layer in CONTRACTS["Layers"]["layers"] if layer != "__main__"]


def test_the_pictures_of_games_are_those_of_the_rules():
    pictures = dict(re.findall(r"```layers-of-(\w+)\n(.*?)```", ARCHITECTURE, re.S))
    floors = {
        one["containers"][0].rpartition(".")[2]: one["layers"]
        for one in CONTRACTS.values()
        if one["type"] == "layers" and one["containers"][0].startswith("auditor.systems.") and one.get("exhaustive")
    }
    assert {game: picture.split("\n")[:-1] for game, picture in pictures.items()} == floors
    assert {"clx", "hcg"} <= set(floors)


def test_every_room_is_described():
    described = set(re.findall(r"^\| `([a-z_]+)(?:/|\.py|`)", ARCHITECTURE, re.M))
    assert rooms() - {"__main__"} <= described
