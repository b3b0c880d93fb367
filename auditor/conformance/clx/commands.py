"""What a command line may call: write invented games and games with a fault."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from auditor.conformance.clx.generate import Settings, generate
from auditor.conformance.clx.plant import planted
from auditor.conformance.clx.variants import without_claims
from auditor.conformance.inventor import CannotInvent
from auditor.conformance.logs import as_jsonl

Json = dict[str, Any]


def write(path: Path, text: str) -> None:
    """A text file in UTF-8 with LF, whatever the system."""
    path.write_text(text, encoding="utf-8", newline="\n")


def write_game(
    seed: int,
    rounds: int,
    board: Path | None,
    out: Path,
    omit_claims: float = 0.0,
    readings: Mapping[str, str] | None = None,
) -> int:
    """Write a legal game as JSONL to `out` and give back the number of its events. Raises CannotInvent.

    `rounds` are game turns, at most eight. Tables are invented, and games are played under the default readings alone.
    """
    if board is not None or readings:
        raise CannotInvent("games of Calixtus' Edition are invented on invented tables, under the default readings")
    lines = generate(seed, Settings(turns=rounds))
    if omit_claims:
        lines = without_claims(lines, omit_claims, Random(seed))
    write(out, as_jsonl(lines))
    return len(lines) - 1


def write_faulty_game(seed: int, fault: str, out: Path) -> Path:
    """Write a game with one planted fault to `out`, and beside it what an audit must find. Raises CannotInvent."""
    game = planted(fault, seed, alone=True)
    if game is None:
        raise CannotInvent("no game of this seed gives an occasion")
    write(out, as_jsonl(game.lines))
    return write_expected(out, [game.fault])


def write_mutated_game(log: Path, fault: str, seed: int, out: Path, readings: Mapping[str, str] | None = None) -> Path:
    """Raises CannotInvent: faults are put into games while these are played."""
    raise CannotInvent("faults of this game are put in while it is played, not into a record")


def write_expected(out: Path, findings: Sequence[Json]) -> Path:
    """Write what must be found in a log beside it."""
    beside = out.with_suffix(".expected.json")
    write(beside, json.dumps({"findings": list(findings)}, indent=1, ensure_ascii=False) + "\n")
    return beside
