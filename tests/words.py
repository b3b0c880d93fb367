"""What the audits of the examples say, word for word, in a file for each game with a line for each example.

`make golden` writes them anew. A sentence that changes shows there, beside the change of the code that changed it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tests.examples import Example


def file_of(game: str) -> Path:
    """Where the words of a game's examples are kept."""
    return Path(__file__).parent / game / "words.json"


def said(audit: Mapping[str, Any]) -> list[str]:
    """The findings and notes of an audit in words, with what each finding changed."""
    lines = [f"{note['seq']} note: {note['text']}" for note in audit["notes"]]
    for finding in audit["findings"]:
        effect = (finding["effect"] or {}).get("text")
        words = f"{finding['seq']} {finding['rule']} {finding['kind']}: {finding['text']}"
        lines.append(f"{words} | {effect}" if effect else words)
    return lines


def differences(game: str, name: str, audit: Mapping[str, Any]) -> list[str]:
    """Where an audit of an example says something else than what is kept."""
    there, now = kept(game).get(name), said(audit)
    if there is None:
        return ["its words are not kept: make golden"] if now else []
    return [f"no longer says: {one}" for one in _beyond(there, now)] + [f"says: {one}" for one in _beyond(now, there)]


def _beyond(some: list[str], others: list[str]) -> list[str]:
    """What is in the first list more often than in the second."""
    left, found = list(others), []
    for one in some:
        if one in left:
            left.remove(one)
        else:
            found.append(one)
    return found


@cache
def kept(game: str) -> dict[str, list[str]]:
    return json.loads(file_of(game).read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def write(game: str, examples: Iterable[Example], audited: Callable[[Example], Mapping[str, Any]]) -> None:
    """Keep what the audits of these examples say; those that say nothing are left out."""
    found = {str(example): said(audited(example)) for example in examples}
    lines = [f"{json.dumps(name)}: {json.dumps(now)}" for name, now in sorted(found.items()) if now]
    file_of(game).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main() -> None:
    """Keep the words of all games' examples."""
    from tests.calth import test_examples as calth
    from tests.clx import test_examples as clx
    from tests.hcg import test_examples as hcg

    write("calth", calth.TOLD, calth.audit_of)
    write("hcg", hcg.TOLD, hcg.audit_of)
    write("clx", clx.TOLD, clx.audit_of)
