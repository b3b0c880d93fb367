"""`python -m tests.mutants` (`make mutants`): a sample of small changes, who notices each, and docs/mutants.md.

What was tried is kept in `build/mutants.jsonl`, by the change and the text of its file: a run that was stopped goes on
where it was. The exit status is 1 when fewer are noticed than the goal asks for.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import Any

from tests.mutants.changes import Change, sample
from tests.mutants.noticed import who_notices
from tests.mutants.report import GOAL, Tried, page, share
from tests.mutants.rooms import ROOMS, ROOT, Room

KEPT = ROOT / "build" / "mutants.jsonl"


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.split("\n")[0])
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--count", type=int, default=300, help="changes in all rooms together")
    asked.add_argument("--room", action="append", choices=[room.name for room in ROOMS], help="only this room")
    asked.add_argument("--jobs", type=int, default=1)
    asked.add_argument("--page", type=Path, help="write the page here (docs/mutants.md)")
    how = asked.parse_args()
    rooms = [room for room in ROOMS if not how.room or room.name in how.room]
    work = [
        (room, change) for room in rooms for change in sample(room, max(1, how.count * room.share // 100), how.seed)
    ]
    tried = _try(work, how.jobs)
    said = page(tried, how.seed, how.count)
    if how.page:
        how.page.write_text(said, encoding="utf-8")
    print(said)
    return 0 if share(tried) >= GOAL else 1


def _try(work: list[tuple[Room, Change]], jobs: int) -> list[Tried]:
    """Each change in a copy of the tree, so many at a time, each copy with one change at a time."""
    known = _kept()
    lock = Lock()
    KEPT.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, KEPT.open("a", encoding="utf-8") as kept:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            trees.put(copy_of_the_tree(Path(folder) / str(number)))
        for room in {room for room, _ in work if any(_key(change) not in known for at, change in work if at is room)}:
            tree = trees.get()
            if (failed := who_notices(tree, room)) is not None:
                raise SystemExit(f"without any change this fails: {failed}")
            trees.put(tree)

        def one(room: Room, change: Change) -> Tried:
            key = _key(change)
            if key not in known:
                tree = trees.get()
                path = tree / change.file
                source = path.read_text(encoding="utf-8")
                try:
                    path.write_text(change.applied(source), encoding="utf-8")
                    noticed = who_notices(tree, room)
                finally:
                    path.write_text(source, encoding="utf-8")
                    trees.put(tree)
                with lock:
                    known[key] = noticed
                    kept.write(json.dumps({"key": key, "noticed": noticed, **asdict(change)}) + "\n")
                    kept.flush()
                    print(f"{change}: {noticed or 'NOT NOTICED'}", file=sys.stderr, flush=True)
            return Tried(room, change, known[key])

        with ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(lambda job: one(*job), work))


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
