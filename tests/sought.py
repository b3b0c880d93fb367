"""Records that a search found to show what no other test shows, and what is said of each.

The search (`tests/mutants/search.py`) changes the examples at random until a condition comes out as in no other test.
Each record is kept as the name of its example and a JSON patch (RFC 6902) of it, with what an audit says and a digest
of the whole audit, words and all. Nobody looked at each of them: they hold the audits still, they do not say that they
are right. `make golden` writes what is said anew, and leaves out a record whose patch no longer fits its example.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from copy import deepcopy
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from auditor.core.audit import audit as audit_of
from auditor.core.canonical import digest
from tests import changed, lines

Log = Mapping[str, Any]
Patch = list[dict[str, Any]]
FOLDERS = ("[A-Z]*", "readings/*")
DOES_NOT_FIT = (KeyError, IndexError, TypeError, AttributeError, ValueError)


def file_of(game: str) -> Path:
    return Path(__file__).parent / game / "sought.json"


@cache
def kept(game: str) -> list[tuple[str, Patch, str]]:
    """The records of a game: the example, the patch of it, and what is said."""
    return [tuple(one) for one in json.loads(file_of(game).read_text(encoding="utf-8"))]


@cache
def logs(game: str) -> dict[str, Log]:
    """The examples of a game by folder and name."""
    examples = import_module(f"tests.{game}.examples")
    found = [path for folder in FOLDERS for path in sorted(examples.FIXTURES.glob(f"{folder}/*.json"))]
    return {
        f"{path.parent.name}/{path.stem}": examples.read(path)
        for path in found
        if not path.name.endswith(".expected.json")
    }


def said(game: str, name: str, patch: Patch) -> str:
    """What is said of an example with a patch. Raises one of DOES_NOT_FIT where the patch does not fit it."""
    log = patched(logs(game)[name], patch)
    try:
        by = import_module(f"tests.{game}.examples").replayed(log)
    except (msgspec.ValidationError, AssertionError):
        return "cannot be read"
    audit = audit_of(*by, engine="test", strict=True)
    return f"{changed.outcome(audit, by)}; audit {digest({**audit, 'ruleset_version': ''})[:12]}"


def patched(log: Log, patch: Patch) -> Log:
    """A log with a JSON patch applied, and its events numbered on from the first."""
    made: Any = deepcopy(log)
    for one in patch:
        value = deepcopy(one.get("value"))
        if one["op"] == "move":
            holder, key = _holder(made, one["from"])
            value = holder.pop(key)
        holder, key = _holder(made, one["path"])
        if one["op"] == "remove":
            del holder[key]
        elif isinstance(holder, list) and one["op"] != "replace":
            holder.insert(len(holder) if key == "-" else key, value)
        else:
            holder[key] = value
    return {**made, "events": lines.renumbered(made["events"])}


def _holder(value: Any, path: str) -> tuple[Any, Any]:
    *parts, last = [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]
    for part in parts:
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value, int(last) if isinstance(value, list) and last != "-" else last


def add(game: str, found: list[tuple[str, Patch]]) -> None:
    """Keep these records too, with nothing said of them yet (`python -m tests.sought`)."""
    rows = [*kept(game), *((name, patch, "") for name, patch in found)]
    file_of(game).write_text(_listed(json.dumps(row) for row in rows), encoding="utf-8")


def _listed(rows: Iterable[str]) -> str:
    return "[\n" + ",\n".join(sorted(set(rows))) + "\n]\n"


def write(game: str, found: list[tuple[str, Patch]]) -> None:
    """Keep these records with what is said of them now."""
    with ProcessPoolExecutor() as pool:
        rows = [row for row in pool.map(partial(_row, game), *zip(*found, strict=True), chunksize=16) if row]
    file_of(game).write_text(_listed(rows), encoding="utf-8")
    print(f"{game}: {len(set(rows))} of {len(found)} records kept that were sought")


def _row(game: str, name: str, patch: Patch) -> str | None:
    try:
        now = said(game, name, patch)
    except DOES_NOT_FIT:
        return None
    return None if now == "cannot be read" else json.dumps([name, patch, now])


def main() -> None:
    for game in ("clx", "hcg"):
        write(game, [(name, patch) for name, patch, _ in kept(game)])


if __name__ == "__main__":
    main()
