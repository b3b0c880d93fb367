"""What two revisions say otherwise: `python -m tests.differ REV` (`make audits-differ REV=…`).

Both audit the examples of all games, a few changes of each (`tests/changed.py`, `tests/lines.py`), and invented games,
a third of them with planted faults and a third with damage to the record, each under random rulings. Of each audit that
differs it is said which findings, notes and counts are no longer there (-) and which are new (+). What is
compared is the whole audit but for the versions, with what is drawn of findings that do not stand. A change that only
makes the program faster leaves all of them as they were. Exit status 1 where any audit differs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

from auditor.conformance.calth.generate import generate
from auditor.conformance.calth.plant import PLANTABLE, faulty_game
from auditor.conformance.clx.generate import Settings
from auditor.conformance.clx.inventor import legal_lines
from auditor.conformance.clx.plant import PLANTABLE as CLX_PLANTABLE
from auditor.conformance.clx.plant import faulty_game as faulty
from auditor.conformance.hcg.inventor import legal_lines as hcg_legal_lines
from auditor.conformance.hcg.plant import PLANTABLE as HCG_PLANTABLE
from auditor.conformance.hcg.plant import planted
from auditor.conformance.logs import as_jsonl
from auditor.core.rulings import Reading
from auditor.systems.calth.readings import READINGS
from auditor.systems.clx.readings import READINGS as CLX_READINGS
from auditor.systems.hcg.readings import READINGS as HCG_READINGS
from tests import lines
from tests.bench.compare import unpacked
from tests.bench.games import examples
from tests.bench.measure import ROOT
from tests.calth.damage import cut_off, doubled, dropped, several_dropped, swapped
from tests.changed import changes
from tests.examples import FIXTURES
from tests.examples import examples as of_rules

GAMES, CHANGES = 300, 2
DAMAGE = (dropped, several_dropped, doubled, swapped, cut_off)

PROBE = """
import hashlib, json, sys
from pathlib import Path
from auditor.core.canonical import canonical
from auditor.engine import audit_log

def short(value):
    return hashlib.sha256(canonical(value)).hexdigest()[:16]

def told(audit):
    yield "verdict " + audit["verdict"]
    for one in audit["findings"]:
        stands = "" if one["stands"] else " (does not stand)"
        effect = (one["effect"] or {}).get("text")
        also = " also " + ", ".join(one["also"]) if one["also"] else ""
        yield f"{one['seq']} {one['rule']} {one['kind']} of {one['player']}{stands}: {one['text']}{also}" + (
            f" | {effect}" if effect else ""
        )
        rest = {key: value for key, value in one.items() if key not in ("text", "effect", "id", "content")}
        yield f"{one['seq']} {one['rule']} in full {short(rest)}"
    for one in audit["notes"]:
        yield f"{one['seq']} note: {one['text']}"
    for one in audit["coverage"]["unchecked"]:
        yield f"{one['seq']} {one['rule']} unchecked: {one['why']}"
    for one in audit["coverage"]["rules_run"]:
        yield f"{one['rule']} looked at {one['times']}"

for path in sorted(Path(sys.argv[1]).glob("*.jsonl")):
    rulings = json.loads(path.with_suffix(".rulings").read_text())
    audit = audit_log(path.read_bytes(), rulings=rulings, everything=True)
    for key in ("engine", "ruleset_version", "digest"):
        audit.pop(key, None)
    parts = {key: short(value) for key, value in audit.items()}
    print(json.dumps([path.stem, [*told(audit), *(f"part {key}: {value}" for key, value in parts.items())]]))
"""


def some_rulings(rng: Random, readings: Sequence[Reading] = READINGS) -> dict[str, Any]:
    """Answers to some of the readings, a few of them left open."""
    share, left_open = rng.choice((0.0, 0.05, 0.3, 1.0)), rng.choice((0.0, 0.1))
    answers = {
        reading.id: "open" if rng.random() < left_open else rng.choice(reading.names)
        for reading in readings
        if rng.random() < share
    }
    return {"name": "random", "readings": answers}


Game = tuple[str, bytes, dict[str, Any]]
"""The name of a game, its log, and the rulings under which it is audited."""


def calth(count: int) -> Iterator[Game]:
    """The whole examples of Calth, each also under rulings, and so many invented games."""
    for path in examples():
        if path.parent.parent.name == "calth":
            yield path.stem, path.read_bytes(), {}
            yield f"{path.stem}-ruled", path.read_bytes(), some_rulings(Random(path.stem))
    for seed in range(1, count + 1):
        rng = Random(f"same {seed}")
        kind = ("legal", "planted", "damaged")[seed % 3]
        lines = generate(seed) if kind == "legal" else faulty_game(seed, rng.sample(PLANTABLE, 4))[0]
        data = rng.choice(DAMAGE)(list(lines), rng) if kind == "damaged" else as_jsonl(lines).encode()
        yield f"{kind}-{seed:04}", data, some_rulings(rng)


def logs_of(game: str, games: str = "*.json*") -> Iterator[tuple[str, bytes]]:
    """The examples of a game that are no readings, and its whole games, each by its name."""
    yield from ((str(example), example.read_bytes()) for example in of_rules(game, file="*"))
    for path in sorted((FIXTURES / game / "games").glob(games)):
        if not path.name.endswith(".expected.json"):
            yield f"games/{path.stem}", path.read_bytes()


def otherwise(game: str, count: int) -> Iterator[Game]:
    """So many changes of each example of a game's rules, drawn by its name."""
    for name, data in logs_of(game, "*.json"):
        log = json.loads(data)
        made = [*changes(name, log), *lines.otherwise(game, name, log)]
        for number, (_, other) in enumerate(Random(name).sample(made, min(count, len(made))), 1):
            yield f"{name.replace('/', '-')}-otherwise-{number}", json.dumps(other).encode(), {}


def inches(count: int) -> Iterator[Game]:
    """All examples in inches under their own rulings, and a tenth of so many invented games."""
    for name, data in logs_of("clx"):
        yield name.replace("/", "-"), data, {}
    for seed in range(1, count // 10 + 1):
        rng = Random(f"same in inches {seed}")
        kind = ("legal", "planted", "damaged")[seed % 3]
        planted = kind == "planted"
        lines = faulty(seed, rng.sample(CLX_PLANTABLE, 12), Settings(size=12))[0] if planted else legal_lines(seed)
        data = rng.choice(DAMAGE)(lines, rng) if kind == "damaged" else as_jsonl(lines).encode()
        yield f"inches-{kind}-{seed:04}", data, some_rulings(rng, CLX_READINGS)


def cards(count: int) -> Iterator[Game]:
    """All examples of the card game, each also under rulings, and a tenth of so many invented games."""
    for log, data in logs_of("hcg"):
        name = log.replace("/", "-")
        yield name, data, {}
        yield f"{name}-ruled", data, some_rulings(Random(name), HCG_READINGS)
    for seed in range(1, count // 10 + 1):
        rng = Random(f"same cards {seed}")
        kind = ("legal", "planted", "damaged")[seed % 3]
        game = planted(rng.choice(HCG_PLANTABLE), seed, alone=True) if kind == "planted" else None
        lines = game.lines if game is not None else hcg_legal_lines(seed)
        data = rng.choice(DAMAGE)(lines, rng) if kind == "damaged" else as_jsonl(lines).encode()
        yield f"cards-{kind}-{seed:04}", data, some_rulings(rng, HCG_READINGS)


GAMES_OF: Mapping[str, Callable[[int], Iterator[Game]]] = {"calth": calth, "clx": inches, "hcg": cards}


def said(tree: Path, logs: Path) -> tuple[dict[str, list[str]], int]:
    """What the revision in a folder says of logs, and with which status it ended."""
    at_work = subprocess.run(
        [sys.executable, "-c", PROBE, str(logs)],
        cwd=tree, env={**os.environ, "PYTHONPATH": str(tree)}, stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    return dict(map(json.loads, at_work.stdout.splitlines())), at_work.returncode


def differences(before: Sequence[str], now: Sequence[str]) -> list[str]:
    """What is said in one audit and not in the other; parts by their names alone, and only where nothing else is."""
    gone, new = Counter(before) - Counter(now), Counter(now) - Counter(before)
    found = [f"- {one}" for one in gone] + [f"+ {one}" for one in new]
    words = [one for one in found if not one[2:].startswith("part ") and " in full " not in one]
    return words or sorted({f"~ {one[2:].rpartition(' ')[0].rstrip(':')}" for one in found})


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differ", description=__doc__)
    parser.add_argument("revision", help="what the working tree is held against: a commit, a tag, HEAD~3 …")
    parser.add_argument("--games", type=int, default=GAMES, help="invented games of Calth; a tenth of the others")
    parser.add_argument("--changes", type=int, default=CHANGES, help="changes of each example")
    parser.add_argument("--game", choices=GAMES_OF, help="only games of this one")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder) / "logs"
        logs.mkdir()
        try:
            old = unpacked(asked.revision, Path(folder) / "old")
        except subprocess.CalledProcessError:
            parser.error(f"git knows no revision {asked.revision}")
        wanted = [asked.game] if asked.game else list(GAMES_OF)
        written = chain.from_iterable(GAMES_OF[game](asked.games) for game in wanted)
        changed = chain.from_iterable(otherwise(game, asked.changes) for game in wanted if game in lines.GOES_ON)
        for name, data, rulings in chain(written, changed):
            (logs / f"{name}.jsonl").write_bytes(data)
            (logs / f"{name}.rulings").write_text(json.dumps(rulings))
        told = []
        with ThreadPoolExecutor() as side_by_side:
            for found, status in side_by_side.map(lambda tree: said(tree, logs), (old, ROOT)):
                if status:
                    parser.error("an audit raised")
                told.append(found)
        before, now = told
    differing = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    for name in differing:
        print(f"{name}:")
        for one in differences(before.get(name, ()), now.get(name, ())):
            print(f"    {one}")
    print(f"{len(now)} audits, {len(differing)} differ from those of {asked.revision}")
    return 1 if differing or not now else 0


if __name__ == "__main__":
    sys.exit(main())
