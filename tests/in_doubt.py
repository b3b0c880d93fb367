"""What is left of the findings of the examples where something unknown happened just before them.

A finding rests on facts, and is no accusation once nobody knows them: most are ambiguous then. Those that stand all the
same rest on what their own event says, and those that are gone were about what was there before. Both are kept in a
file for each game, with a line for each example; `make golden` writes them anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

Audited = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def file_of(game: str) -> Path:
    return Path(__file__).parent / game / "in_doubt.json"


def left(log: Mapping[str, Any], audited: Audited) -> list[str]:
    """The findings of a log that are not ambiguous after an event of a type that nobody knows: standing, or gone."""
    findings, events = audited(log)["findings"], log["events"]
    found = []
    for place in range(1, len(events)):
        seq = events[place]["seq"]
        here = [one for one in findings if one["seq"] == seq]
        if not here:
            continue
        lost = {"seq": seq, "type": "lost"}
        now = audited({**log, "events": [*events[:place], lost, *events[place:]]})["findings"]
        kinds = {_key(one): one["kind"] for one in now}
        for one in here:
            kind = kinds.get(_key(one))
            if kind != "ambiguous":
                about = " ".join(map(str, one["subject"]))
                found.append(f"{seq} {one['rule']} {about}: {'gone' if kind is None else 'stands'}")
    return found


def all_left(paths: Iterable[Path], read: Callable[[Path], Any], audited: Audited) -> dict[str, list[str]]:
    """What is left in each example, of those in which anything is."""
    each = {f"{path.parent.name}/{path.stem}": left(read(path), audited) for path in paths}
    return {name: lines for name, lines in sorted(each.items()) if lines}


def games() -> dict[str, tuple[list[Path], Callable[[Path], Any], Audited]]:
    """The games whose examples are tried: their files, and how one is read and audited."""
    from tests.clx import examples as clx
    from tests.hcg import examples as hcg

    return {
        "clx": (clx.examples("illegal"), clx.read, clx.audited),
        "hcg": (hcg.examples("HCG-*", "illegal"), hcg.read, hcg.audited),
    }


def main() -> None:
    """Keep what is left of the findings of all games' examples."""
    for game, tried in games().items():
        lines = [f"{json.dumps(name)}: {json.dumps(lines)}" for name, lines in all_left(*tried).items()]
        file_of(game).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _key(finding: Mapping[str, Any]) -> tuple[Any, ...]:
    return (finding["rule"], finding["seq"], finding["player"], *finding["subject"])
