"""Questions as JSON lines: an answer for each, in order; to what cannot be answered, why not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

Answer = Callable[[Mapping[str, Any]], dict[str, Any]]


class Unanswerable(ValueError):
    """What is wrong with a query."""


def answered(query: Any, answer: Answer) -> dict[str, Any]:
    """The answer to one query, or {"error": why}."""
    try:
        if not isinstance(query, Mapping):
            raise Unanswerable("a query is a JSON object")
        return answer(query)
    except ValueError as wrong:
        return {"error": str(wrong)}


def answered_lines(lines: Iterable[str | bytes], answer: Answer) -> Iterator[str]:
    """One JSON answer for each line, in order, without line ends."""
    for line in lines:
        try:
            found = answered(json.loads(line), answer)
        except (ValueError, RecursionError):
            found = {"error": "the line is not JSON"}
        yield json.dumps(found, separators=(",", ":"))
