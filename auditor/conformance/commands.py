"""What a command line may call: write a generated game, a game with a fault, or the recorded games."""

from __future__ import annotations

import json
from pathlib import Path

from auditor.conformance.games import PACKS, RECIPES, files
from auditor.conformance.generate import as_jsonl, generate
from auditor.conformance.packs import Packs
from auditor.conformance.plant import plant


def write(path: Path, text: str) -> None:
    """A text file in UTF-8 with LF, whatever the system."""
    path.write_text(text, encoding="utf-8", newline="\n")


def write_game(seed: int, rounds: int, board: Path | None, out: Path, omit_claims: float = 0.0) -> int:
    """Write a legal game as JSONL to `out` and give back the number of its events.

    `board` is the file of a board pack, or None for an invented one; everything else is invented.
    """
    ground = None if board is None else json.loads(board.read_text(encoding="utf-8"))
    lines = generate(seed, rounds=rounds, board=ground, omit_claims=omit_claims)
    write(out, as_jsonl(lines))
    return len(lines) - 1


def write_faulty_game(seed: int, fault: str, out: Path) -> Path:
    """Write a game with one planted fault to `out`, and beside it the file that says what an audit must find.

    `fault` is one of plant.PLANTABLE. Gives back the path of the second file.
    """
    lines, expected = plant(fault, seed)
    write(out, as_jsonl(lines))
    beside = out.with_suffix(".expected.json")
    write(beside, json.dumps({"findings": [expected]}, indent=1, ensure_ascii=False) + "\n")
    return beside


def write_recorded_games(folder: Path, packs: Path = PACKS) -> list[str]:
    """Write the recorded games into a folder and give back the names of the files."""
    known = Packs.read(packs)
    written: list[str] = []
    for recipe in RECIPES:
        for name, text in files(recipe, known).items():
            write(folder / name, text)
            written.append(name)
    return written
