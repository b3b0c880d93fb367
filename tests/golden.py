"""What is kept as files and compared whole: the audits of the example games, pictures, reports in other forms.

`make golden` accepts them anew. An audit may only change together with its ruleset's version, so a changed audit under
an old version is refused, and a file that is missing is written only with `make golden ARGS=--new`: else it would be
enough to delete it.

The version of the program is masked, because an audit is a function of the log, the rules, the rulings and the data
packs; the digest is that of the file as it stands, so `auditor verify` accepts it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from auditor import engine
from auditor.core.canonical import canonical, digest

ROOT = Path(__file__).parents[1]
GAMES = ROOT / "fixtures" / "calth" / "games"
AUDITS = ROOT / "tests" / "calth" / "golden"
MASK = "(any version)"


def audit_of(game: Path) -> dict[str, Any]:
    """The audit of a game's file as it is kept."""
    audit = {**engine.audit_log(game.read_bytes()), "engine": MASK}
    del audit["digest"]
    return {**audit, "digest": digest(audit)}


def file_of(game: Path, folder: Path = AUDITS) -> Path:
    """Where the audit of a game is kept."""
    return folder / f"{game.stem}.audit.json"


def accept(
    game: Path, folder: Path, *, new: bool = False, audit: Callable[[Path], dict[str, Any]] = audit_of
) -> str | None:
    """Keep the audit of a game as it is now. Gives back why it was refused, or None."""
    file, now = file_of(game, folder), audit(game)
    if not file.exists():
        if not new:
            return f"{file.name} is missing; ARGS=--new writes it for the first time"
    else:
        kept = json.loads(file.read_bytes())
        if canonical(kept) == canonical(now):
            return None
        print(f"{game.stem}: {_difference(kept, now)}")
        if kept["ruleset_version"] == now["ruleset_version"]:
            return f"the audit of {game.stem} changed, and the ruleset still has version {now['ruleset_version']}"
    folder.mkdir(exist_ok=True)
    file.write_bytes(canonical(now) + b"\n")
    return None


def _difference(kept: dict[str, Any], now: dict[str, Any]) -> str:
    found = engine.compare(kept, now)
    said = [f"{len(found[word])} {word}" for word in ("gone", "new", "changed")] + [f"{found['unchanged']} unchanged"]
    said += [f"another {key}" for key in now if key not in ("findings", "digest") and kept.get(key) != now[key]]
    return "findings: " + ", ".join(said)


def main() -> int:
    """Accept everything anew. Exit status 1 where an audit was refused."""
    parser = argparse.ArgumentParser(prog="make golden ARGS=…", description=__doc__)
    parser.add_argument("--new", action="store_true", help="write audits of games that have none yet")
    new = parser.parse_args().new
    games = sorted(GAMES.glob("*.jsonl"))
    refused = [why for game in games if (why := accept(game, AUDITS, new=new))]
    for why in refused:
        print(f"refused: {why}", file=sys.stderr)

    from tests import fields, words
    from tests.report import golden, golden_formats

    golden.main()
    golden_formats.main()
    words.main()
    fields.main()
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
