"""The program as a person calls it, and small logs to call it with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from auditor.cli import app
from tests.examples import example

ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "fixtures" / "calth" / "games"


def lines_of(name: str) -> list[dict[str, Any]]:
    """Header and events of an example of CAL-ADV-01, and the end of the record after them."""
    record = example("calth", f"CAL-ADV-01/{name}").log
    end = {"seq": len(record["events"]) + 1, "type": "end", "reason": "time"}
    return [record["header"], *record["events"], end]


def log_of(lines: Sequence[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


CLEAN = log_of(lines_of("legal"))
FINDINGS = log_of(lines_of("illegal"))
INCOMPLETE = CLEAN + b'{"seq": 5, "type": \n'
UNREADABLE = b'{"type": "header", "game": "calht", "format": 1}\n'
BROKEN_HEADER = b'{"type": "header", "game": "calth", "format": 1}\n'


@dataclass(frozen=True)
class Said:
    """What a call came to."""

    status: int
    out: str
    err: str

    @property
    def value(self) -> Any:
        """The JSON on standard output."""
        return json.loads(self.out)


def auditor(*arguments: object, stdin: bytes = b"") -> Said:
    """The program called in this process, by one whose files others may read."""
    mask = os.umask(0o022)
    try:
        result = CliRunner().invoke(app, [str(one) for one in arguments], input=stdin)
    finally:
        os.umask(mask)
    return Said(result.exit_code, result.stdout, result.stderr)


def auditor_process(*arguments: object, stdin: bytes = b"", cwd: Path = ROOT) -> Said:
    """The program called in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "auditor", *map(str, arguments)], input=stdin, capture_output=True, cwd=cwd, timeout=120
    )
    return Said(done.returncode, done.stdout.decode(), done.stderr.decode())


def written(folder: Path, **logs: bytes) -> Path:
    """A folder with some logs in it; the name of each gets `.jsonl`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in logs.items():
        (folder / f"{name}.jsonl").write_bytes(data)
    return folder
