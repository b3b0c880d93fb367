"""What the audits of the example files say, word for word, in a file for each game with a line for each example.

`make golden` writes them anew. A sentence that changes shows there, beside the change of the code that changed it. Of the
card game and of Calixtus' Edition a second file keeps how often each rule had something to look at, and what was left
unchecked, and a third one the numbers of each finding, the readings it holds under, what it rests on, and a digest of
what is drawn.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from auditor.core.canonical import digest

Said = Callable[[Mapping[str, Any]], list[Any]]


def file_of(game: str, what: str = "words") -> Path:
    """Where the words of a game's examples are kept, or what was looked at in them."""
    return Path(__file__).parent / game / f"{what}.json"


def said(audit: Mapping[str, Any]) -> list[str]:
    """The findings and notes of an audit in words, with what each finding changed."""
    lines = [f"{note['seq']} note: {note['text']}" for note in audit["notes"]]
    for finding in audit["findings"]:
        effect = (finding["effect"] or {}).get("text")
        words = f"{finding['seq']} {finding['rule']} {finding['kind']}: {finding['text']}"
        lines.append(f"{words} | {effect}" if effect else words)
    return lines


def looked_at(audit: Mapping[str, Any]) -> list[str]:
    """How often each rule had something to look at, how many claims were left out, and what was left unchecked."""
    coverage = audit["coverage"]
    rules = " ".join(f"{one['rule']}*{one['times']}" for one in coverage["rules_run"])
    left_out = [f"{coverage['not_claimed']} claims left out"] if coverage["not_claimed"] else []
    return [rules, *left_out, *(f"{one['seq']} {one['rule']} unchecked: {one['why']}" for one in coverage["unchecked"])]


def in_full(audit: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What else a finding says: whose it is, the numbers, under which readings it holds, and what is drawn."""
    return [
        {
            **{key: finding[key] for key in NUMBERS if finding[key] not in ([], None)},
            "drawn": digest((finding["evidence"] or {}).get("marks") or [])[:8],
        }
        for finding in audit["findings"]
    ]


def differences(game: str, name: str, audit: Mapping[str, Any], what: str = "words") -> list[str]:
    """Where an audit of an example says something else than what is kept."""
    there, now = kept(game, what).get(name), KEPT[what](audit)
    if there is None:
        return ["its words are not kept: make golden"] if now else []
    return [f"no longer says: {one}" for one in _beyond(there, now)] + [f"says: {one}" for one in _beyond(now, there)]


def _beyond(some: list[Any], others: list[Any]) -> list[Any]:
    """What is in the first list more often than in the second."""
    left, found = list(others), []
    for one in some:
        if one in left:
            left.remove(one)
        else:
            found.append(one)
    return found


@cache
def kept(game: str, what: str) -> dict[str, list[Any]]:
    return json.loads(file_of(game, what).read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def write(
    game: str, paths: Iterable[Path], audited: Callable[[Path], Mapping[str, Any]], whats: Iterable[str] = ("words",)
) -> None:
    """Keep what the audits of these examples say; those that say nothing are left out."""
    found = {f"{path.parent.name}/{path.stem}": audited(path) for path in paths}
    for what in whats:
        lines = [
            f"{json.dumps(name)}: {json.dumps(now)}" for name, one in sorted(found.items()) if (now := KEPT[what](one))
        ]
        file_of(game, what).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


NUMBERS = (
    *("seq", "rule", "player", "subject", "also", "claimed", "recomputed", "figures"),
    *("would_be", "scope", "under", "depends_on"),
)
KEPT: dict[str, Said] = {"words": said, "looked_at": looked_at, "in_full": in_full}


def main() -> None:
    """Keep the words of all games' examples."""
    from tests.calth import test_examples as calth
    from tests.clx import test_examples as clx
    from tests.hcg import test_examples as hcg

    write("calth", calth.TOLD, calth.audit_of)
    write("hcg", hcg.TOLD, hcg.audit_of, KEPT)
    write("clx", clx.TOLD, clx.audit_of, KEPT)
