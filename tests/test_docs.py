"""What the documents say of the program's parts holds, and they can be read in a window of usual width."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import fields

ROOT = Path(__file__).parents[1]
WIDTH = 120
PAGES = sorted(
    path
    for folder in ("docs", "templates", "fixtures", "auditor")
    for path in (ROOT / folder).rglob("*.md")
    if "node_modules" not in path.parts
) + sorted(ROOT.glob("*.md"))
LINK = re.compile(r"\]\(([^)\s]+)\)")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def text_lines(page: Path) -> list[tuple[int, str]]:
    """The numbered lines that can be folded: rows of tables cannot, nor lines of a log that is shown."""
    found: list[tuple[int, str]] = []
    is_json = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            is_json = line == "```json"
        if not (is_json or line.startswith("|")):
            found.append((number, line))
    return found


def test_there_are_pages() -> None:
    assert {"README.md", "CHANGELOG.md", "docs/architecture.md", "docs/log-format.md"} <= set(map(name_of, PAGES))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_line_of_a_page_is_at_most_120_characters_wide(page: Path) -> None:
    assert [(number, len(line)) for number, line in text_lines(page) if len(line) > WIDTH] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    links = [link.split("#")[0] for link in LINK.findall(page.read_text()) if "://" not in link]
    assert [link for link in links if link and not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", ["conformance", "conformance-hcg", "conformance-clx"])
def test_a_page_of_a_conformance_run_can_be_read_in_one_sitting(page: str) -> None:
    assert len((ROOT / "docs" / f"{page}.md").read_text().split()) <= 1500


NAMED = re.compile(r"`(auditor/[\w/]+\.py)`\s+`(\w+)`")
WORDS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in (ROOT / "docs" / "glossary.md").read_text().splitlines()
    if line.startswith("| ") and "`auditor/" in line
]


def statements(within: ast.AST) -> Iterator[ast.AST]:
    """All statements, however deep; no expression holds one."""
    for node in ast.iter_child_nodes(within):
        if not isinstance(node, ast.expr):
            yield node
            yield from statements(node)


def names_in(path: Path) -> set[str]:
    """What a module defines: classes, functions, methods and values of the module."""
    found: set[str] = set()
    for node in statements(ast.parse(path.read_text())):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


@pytest.mark.parametrize("page", ["start", "glossary"])
def test_what_a_page_says_is_in_a_file_is_there(page: str) -> None:
    named = NAMED.findall((ROOT / "docs" / f"{page}.md").read_text())
    assert len(named) >= 15
    assert [(path, name) for path, name in named if name not in names_in(ROOT / path)] == []


def test_each_word_has_one_meaning_and_no_public_name_uses_another_for_it() -> None:
    assert 35 <= len(WORDS) <= 50
    assert len({word for word, *_ in WORDS}) == len(WORDS)
    others = {other for *_, not_so in WORDS for other in not_so.removesuffix(" |").split(", ") if other}
    public = {
        name
        for folder in ("core", "systems")
        for path in (ROOT / "auditor" / folder).rglob("*.py")
        for name in names_in(path)
        if not name.startswith("_")
    }
    words = {"_".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name)).lower() for name in public}
    assert {(other, name) for other in others for name in words if f"_{other}_" in f"_{name}_"} == set()


def packages() -> set[str]:
    """Every package that the project names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    named = [
        *project["project"]["dependencies"],
        *(one for group in project["dependency-groups"].values() for one in group),
    ]
    return {re.split(r"[<>=!\[; ]", one, maxsplit=1)[0] for one in named}


def test_every_package_has_a_row_that_says_what_it_is_for_and_its_licence() -> None:
    rows = [line.strip("| ").split(" | ") for line in (ROOT / "docs" / "dependencies.md").read_text().splitlines()]
    rows = [row for row in rows if len(row) == 3]
    listed = {name for row in rows for name in re.split(r", ?", re.sub(r" \([^)]*\)", "", row[0]))}
    missing = {name for name in packages() if name not in listed and not name.startswith("types-")}
    assert missing == set()
    assert all(what.strip() and licence.strip() for _, what, licence in rows)


def test_the_tables_of_fields_are_those_that_the_games_declare() -> None:
    page = fields.PAGE.read_text()
    assert fields.page(page) == page
    assert len(re.findall(r"^\| `", page, re.MULTILINE)) > 400


@pytest.mark.parametrize("game", ["calth", "hcg", "clx"])
def test_the_smallest_log_of_each_game_can_be_copied(game: str) -> None:
    from auditor import engine

    text = (ROOT / "docs" / "log-format.md").read_text(encoding="utf-8")
    (log,) = re.findall(rf"<!-- smallest of {game} -->\n\n```json\n(.*?)```", text, re.DOTALL)
    audit = engine.audit_log(log.encode())
    assert (audit["game"], audit["verdict"], audit["errors"], audit["notes"]) == (game, "clean", [], [])
