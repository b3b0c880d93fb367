"""A command answers at once: what it does not need is not imported. Counted in modules, since times vary."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from auditor.cli.calls import CLEAN, FINDINGS, INCOMPLETE

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "fixtures" / "calth" / "games"
CLEAN_GAME = str(GAMES / "clean-1.jsonl")

HEAVY = {
    "shapely", "numpy", "networkx", "jsonschema", "pydantic", "flask", "werkzeug", "waitress", "sqlalchemy",
    "sqlmodel", "alembic", "concurrent.futures.process", "auditor.web", "auditor.store", "auditor.service",
    "auditor.conformance", "auditor.trial",
}  # fmt: skip
RULES = {"auditor.engine", "auditor.core", "auditor.systems", "auditor.geometry", "auditor.ingest", "msgspec"}
REPORTS = {"rich", "jinja2", "auditor.report"}

COMMAND = """
import sys
sys.argv = ["auditor", *sys.argv[1:]]
from auditor.cli import main
try:
    main()
except SystemExit as ended:
    print(*sys.modules, file=sys.stderr)
    raise
"""


def imported(*arguments: str, status: int = CLEAN) -> set[str]:
    """The modules that are there when a command has done its work."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == status, done.stderr
    assert done.stdout
    return set(done.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "without"),
    [
        (["--help"], HEAVY | RULES | REPORTS),
        (["--version"], HEAVY | RULES | REPORTS),
        (["audit", "--help"], HEAVY | RULES | REPORTS),
        (["rules", "CAL-LOS-01"], HEAVY | REPORTS),
        (["readings"], HEAVY | REPORTS),
        (["audit", CLEAN_GAME, "--format", "jsonl"], HEAVY | REPORTS),
        (["audit", CLEAN_GAME], HEAVY | {"jinja2"}),
    ],
    ids=["help", "version", "help of audit", "rules ID", "readings", "audit as jsonl", "audit as text"],
)
def test_a_command_does_not_import(arguments: list[str], without: set[str]) -> None:
    there = imported(*arguments)
    assert "auditor.cli" in there
    assert without & there == set()


@pytest.mark.parametrize("game", ["faulty-1", "clean-2", "faulty-2"])
def test_the_boards_that_come_with_the_program_are_compiled_already(game: str) -> None:
    log = str(GAMES / f"{game}.jsonl")
    status = CLEAN if game.startswith("clean") else FINDINGS
    assert {"shapely", "networkx", "jsonschema"} & imported("audit", log, "--format", "jsonl", status=status) == set()


def test_a_line_that_is_refused_is_explained_and_that_import_is_seen(tmp_path: Path) -> None:
    log = tmp_path / "damaged.jsonl"
    log.write_bytes((GAMES / "clean-1.jsonl").read_bytes().replace(b'"seq":40', b'"seq":"forty"'))
    assert "jsonschema" in imported("audit", str(log), "--format", "jsonl", status=INCOMPLETE)
