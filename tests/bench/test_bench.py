"""Every part of the speed table runs and says what it measured; what the numbers are is no matter here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_table_runs() -> None:
    command = [sys.executable, "-m", "tests.bench", "--quick"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert told.returncode == 0, told.stderr
    for part in (
        "whole audit (clean-1",
        "json.loads",
        "chess.pgn.read_game",
        "with causes",
        "resident size",
        "clear sight",
        "Goals",
    ):
        assert part in told.stdout
