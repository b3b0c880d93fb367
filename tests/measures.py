"""The measures that are cheap to take, a line each: `python -m tests.measures`. What they are for stands in docs/measures.md."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from statistics import median

from auditor import engine

SYSTEMS = Path(__file__).parents[1] / "auditor" / "systems"
GAMES = ("calth", "hcg", "clx")
FUTURE = re.compile(r"\blater\.[a-z_]+")
"""What the record says after the event under judgement is asked of `later`."""

ANYTHING = re.compile(r"^(?!from |import ).*\bAny\b", re.MULTILINE)
"""Lines that take or give anything."""


def sources(*folders: str) -> dict[Path, str]:
    """The files of the games, or those in some folders of each, with their text."""
    found = SYSTEMS.rglob("*.py")
    return {path: path.read_text(encoding="utf-8") for path in found if not folders or path.parent.name in folders}


class Module:
    """A file: its functions and classes by name, and where its imported names come from."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.defined: dict[str, ast.AST] = {}
        self.imported: dict[str, tuple[str, str]] = {}
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                self.defined[node.name] = node
            elif isinstance(node, ast.ImportFrom) and node.module:
                self.imported |= {one.asname or one.name: (node.module, one.name) for one in node.names}


@cache
def module(name: str) -> Module | None:
    """A module of a game by its name; of others nothing is asked."""
    place = SYSTEMS.parents[1].joinpath(*name.split("."))
    path = next((one for one in (place.with_suffix(".py"), place / "__init__.py") if one.exists()), None)
    return Module(path) if path is not None and any(game in name.split(".") for game in GAMES) else None


@cache
def named_by(name: str, function: str) -> tuple[tuple[str, str], ...]:
    """What the body of a function names, each with the module in which it may stand."""
    where = module(name)
    node = where.defined.get(function) if where is not None else None
    if where is None or not isinstance(node, ast.FunctionDef):
        return ()
    parts = [part for line in node.body for part in ast.walk(line)]
    found = {(name, part.id) for part in parts if isinstance(part, ast.Name)}
    for part in parts:
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id in where.imported:
            of, what = where.imported[part.value.id]
            found.add((f"{of}.{what}", part.attr))
    return tuple(sorted(found))


def reached(name: str, function: str) -> set[Path]:
    """The files of a game in which a function stands that another calls or names, itself or by what it calls."""
    found: set[Path] = set()
    seen: set[tuple[str, str]] = set()
    open_ = [(name, function)]
    while open_:
        here = open_.pop()
        where = module(here[0])
        if here in seen or where is None:
            continue
        seen.add(here)
        if here[1] in where.imported:
            open_.append(where.imported[here[1]])
        elif isinstance(where.defined.get(here[1]), ast.FunctionDef):
            found.add(where.path)
            open_ += named_by(*here)
    return found


def reaches(game: str) -> list[int]:
    """How many files each check of a game reaches."""
    rules = engine.GAMES[game].rules
    checks = {check for rule in rules for check in (rule.check, *rule.checks.values()) if check is not None}
    return sorted(len(reached(check.__module__, check.__name__)) for check in checks)


def main() -> None:
    texts = sources()
    lines = sum(text.count("\n") for text in texts.values())
    nones = sum(len(re.findall(r"\bis (?:not )?None\b", text)) for text in texts.values())
    by_hand = sum(len(re.findall(r"rests_on", text)) for text in texts.values())
    anything = sum(len(ANYTHING.findall(text)) for text in texts.values())
    asked = sum(len(FUTURE.findall(text)) for text in sources("rules", "reckoning").values())
    print(f"lines of auditor/systems: {lines:,}")
    print(f"`is None` and `is not None` in 1,000 lines of them: {1000 * nones / lines:.1f}")
    print(f"`rests_on` by hand: {by_hand}")
    print(f"lines with `Any`, but for imports: {anything:,}")
    print(f"reads of the record's future in rules and reckoning: {asked}")
    for game in GAMES:
        counts = reaches(game)
        print(f"files that a check of {game} reaches: median {median(counts):g}, most {counts[-1]}")


if __name__ == "__main__":
    main()
