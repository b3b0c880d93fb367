"""What a scope says, for the tests that hold it against whole audits under other readings."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import ACCUSATIONS
from tests.examples import Example
from tests.shares import is_tried


def keys(audit: dict[str, Any]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """The findings of an audit, by what makes one the same as one of another audit."""
    return {(f["rule"], f["seq"], f["player"], *f["subject"]): f for f in audit["findings"]}


def standing(audit: dict[str, Any]) -> set[tuple[Any, ...]]:
    """The findings of an audit that stand."""
    return {key for key, finding in keys(audit).items() if finding["stands"]}


def holding(audit: dict[str, Any], options: dict[str, str]) -> set[tuple[Any, ...]]:
    """The findings of an audit that hold under some options, by their scopes."""
    return {key for key, finding in keys(audit).items() if _holds_under(finding, options)}


def _holds_under(finding: dict[str, Any], options: dict[str, str]) -> bool:
    if finding["kind"] not in ACCUSATIONS:
        return False
    if finding["scope"]["kind"] == "every_reading":
        return True
    return any(all(options[r] == option for r, option in cube.items()) for cube in finding["scope"]["holds"])


def is_in_the_share(example: Example, reading: str, option: str) -> bool:
    """Whether an option is tried on an example: on a fixed thirty-second of them, or on all."""
    return is_tried(128, example, reading, option)
