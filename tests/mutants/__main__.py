"""`python -m tests.mutants` (`make mutants`): a sample of small changes, who notices each, and docs/mutants.md.

What was tried is kept in `build/mutants.jsonl`, by the change and the text of its file: a run that was stopped goes on
where it was, and several may be made at once, each of other rooms. What nobody noticed is tried again only with
`--again`. The exit status is 1 when fewer are noticed than the goal asks for.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.mutants import quick
from tests.mutants.changes import Change, sample
from tests.mutants.noticed import who_notices, who_notices_in
from tests.mutants.report import GOAL, Tried, page, share
from tests.mutants.rooms import ROOMS, ROOT, Room

KEPT = ROOT / "build" / "mutants.jsonl"
COUNT = 150


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.split("\n")[0])
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--count", type=int, default=COUNT, help="changes in all rooms together, as many in each")
    asked.add_argument("--room", action="append", choices=[room.name for room in ROOMS], help="only this room")
    asked.add_argument("--again", action="store_true", help="try again what nobody noticed")
    asked.add_argument("--page", type=Path, help="write the page here (docs/mutants.md)")
    how = asked.parse_args()
    tried: list[Tried] = []
    for room in ROOMS:
        if not how.room or room.name in how.room:
            tried += _try(room, sample(room, how.count // len(ROOMS), how.seed), how.again)
    said = page(tried, how.seed, how.count)
    if how.page:
        how.page.write_text(said, encoding="utf-8")
    print(said)
    return 0 if share(tried) >= GOAL else 1


def _try(room: Room, changes: list[Change], again: bool) -> list[Tried]:
    """Each change in turn: the quick tests that come to it, then those that pytest has to run."""
    known = {key: noticed for key, noticed in _kept().items() if noticed is not None or not again}
    new = [(n, change) for n, change in enumerate(changes) if _key(change) not in known]
    if new:
        cases = quick.reached(room, changes)
        left = []
        for number, change in new:
            noticed = quick.who_notices(room, change, number, cases)
            if noticed is None:
                left.append(change)
            else:
                known[_key(change)] = _keep(change, noticed)
        if left:
            with tempfile.TemporaryDirectory() as folder:
                tree = copy_of_the_tree(Path(folder))
                if (failed := who_notices(tree, room)) is not None:
                    raise SystemExit(f"without any change this fails: {failed}")
                for change in left:
                    known[_key(change)] = _keep(change, who_notices_in(tree, room, change))
    return [Tried(room, change, known[_key(change)]) for change in changes]


def _keep(change: Change, noticed: str | None) -> str | None:
    KEPT.parent.mkdir(exist_ok=True)
    with KEPT.open("a", encoding="utf-8") as kept:
        kept.write(json.dumps({"key": _key(change), "noticed": noticed, **asdict(change)}) + "\n")
    print(f"{change}: {noticed or 'NOT NOTICED'}", file=sys.stderr, flush=True)
    return noticed


def copy_of_the_tree(tree: Path) -> Path:
    """The files that git knows, as they stand in this folder."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tree / name)
    return tree


def _key(change: Change) -> str:
    source = (ROOT / change.file).read_bytes()
    return hashlib.sha256(f"{change.kind} {change.number} {change.file}\n".encode() + source).hexdigest()[:20]


def _kept() -> dict[str, Any]:
    if not KEPT.exists():
        return {}
    lines = [json.loads(line) for line in KEPT.read_text(encoding="utf-8").splitlines()]
    return {line["key"]: line["noticed"] for line in lines}


if __name__ == "__main__":
    raise SystemExit(main())
