"""How files of examples stand, so that a change shows as little as it can: examples by name, an event and a finding a line.

A header is written with fewest letters: by name, as a JSON Merge Patch (RFC 7396) on one that has a name, or whole.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

WIDTH, SMALL = 120, 45


def patched(value: Any, patch: Any) -> Any:
    """A value with a merge patch on it."""
    if not isinstance(patch, dict):
        return patch
    old = value if isinstance(value, dict) else {}
    new = {key: part for key, part in old.items() if key not in patch or patch[key] is not None}
    return new | {key: patched(old.get(key), part) for key, part in patch.items() if part is not None}


def patch_between(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any] | None:
    """The smallest patch that makes one object of another; None where none does, as no patch can put in a null."""
    patch: dict[str, Any] = {key: None for key in old if key not in new}
    for key, value in new.items():
        if key in old and is_same(old[key], value):
            continue
        part = value
        if isinstance(value, dict) and isinstance(old.get(key), dict):
            part = patch_between(old[key], value)
        if part is None or (_has_nulls(value) and part is value):
            return None
        patch[key] = part
    return patch


def is_same(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same; 1, 1.0 and true are three."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _has_nulls(value: Any) -> bool:
    """Whether a patch would take something in a value for what is to be left out. Nulls in lists it keeps."""
    return value is None or (isinstance(value, dict) and any(map(_has_nulls, value.values())))


def shortest(header: Any, known: Mapping[str, Any]) -> Any:
    """A header as it is written with least, where these have names: a name, a patch on the first that needs least, or whole."""
    best, least = header, len(json.dumps(header))
    for name, other in known.items():
        if is_same(other, header):
            return name
        patch = patch_between(other, header)
        if patch is not None and len(json.dumps(patch)) < least:
            best, least = {name: patch}, len(json.dumps(patch))
    return best


# -- text ----------------------------------------------------------------------------------------------------------


def file(written: Mapping[str, Any]) -> str:
    """A file of examples."""
    parts = []
    if written.get("headers"):
        parts.append(f'"headers": {headers(written["headers"]).rstrip()}')
    if "not_auditable" in written:
        parts.append(f'"not_auditable": {_line(written["not_auditable"])}')
    examples = ",\n\n".join(_example(name, value) for name, value in sorted(written.get("examples", {}).items()))
    parts.append(f'"examples": {{\n\n{examples}\n\n}}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def headers(written: Mapping[str, Any]) -> str:
    """Headers by their names."""
    return (
        "{\n"
        + ",\n".join(f"{_line(name)}: {_wide(value, 1, len(name) + 4)}" for name, value in written.items())
        + "\n}\n"
    )


def _example(name: str, value: Mapping[str, Any]) -> str:
    parts = [f' "header": {_wide(value["header"], 2, 11)}', f' "events": {_list(value["events"], 1)}']
    if "expected" in value:
        parts.append(f' "expected": {_expected(value["expected"])}')
    return f"{_line(name)}: {{\n" + ",\n".join(parts) + "\n}"


def _expected(value: Mapping[str, Any]) -> str:
    parts = []
    for key, part in value.items():
        if key == "under":
            under = ",\n".join(f"  {_line(option)}: {_list(found, 2)}" for option, found in part.items())
            parts.append(f'"under": {{\n{under}\n }}')
        else:
            parts.append(f"{_line(key)}: {_list(part, 1) if isinstance(part, list) else _line(part)}")
    return "{" + ", ".join(parts) + "}"


def _list(value: Sequence[Any], indent: int) -> str:
    """A list with one entry a line."""
    pad = "\n" + " " * indent
    return "[" + ",".join(f"{pad} {_line(entry)}" for entry in value) + pad + "]" if value else "[]"


def _wide(value: Any, indent: int, before: int) -> str:
    """A value in one line where it is short enough; else an object with a line for each key, a list with one for each entry,
    or for as many small ones as fit."""
    text = _line(value)
    if before + len(text) < WIDTH or not value or not isinstance(value, dict | list):
        return text
    pad, end = " " * indent, "\n" + " " * (indent - 1)
    if isinstance(value, dict) and len(value) == 1:
        ((key, part),) = value.items()
        return f"{{{_line(key)}: {_wide(part, indent, before + len(_line(key)) + 3)}}}"
    if isinstance(value, dict):
        keys = {key: _line(key) for key in value}
        parts = [f"{pad}{key}: {_wide(value[name], indent + 1, indent + len(key) + 2)}" for name, key in keys.items()]
        return "{\n" + ",\n".join(parts) + end + "}"
    parts = list(map(_line, value))
    small = all(len(part) < SMALL for part in parts)
    rows: list[str] = []
    for part in parts:
        if small and rows and len(rows[-1]) + len(part) + 3 < WIDTH:
            rows[-1] += f", {part}"
        else:
            rows.append(pad + part)
    return "[\n" + ",\n".join(rows) + end + "]"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
