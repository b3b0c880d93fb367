"""What a command line may call: write generated games, games with a fault, the recorded games, counts of sight."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from auditor.conformance.calth.counts import as_text, counted
from auditor.conformance.calth.games import PACKS, RECIPES, files
from auditor.conformance.calth.generate import generate
from auditor.conformance.calth.mutate import CannotMutate, mutate
from auditor.conformance.calth.packs import Packs
from auditor.conformance.calth.plant import findings_of, plant
from auditor.conformance.calth.plant.readings import PLANTABLE_READINGS, plant_reading
from auditor.conformance.calth.turn import turn
from auditor.conformance.inventor import CannotInvent
from auditor.conformance.logs import as_jsonl, read_jsonl


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
    """Write a legal game as JSONL to `out` and give back the number of its events.

    `board` is the file of a board pack, or None for an invented one; everything else is invented. `readings` are
    those that it is played under, where they are not the defaults.
    """
    ground = None if board is None else json.loads(board.read_text(encoding="utf-8"))
    lines = generate(seed, rounds=rounds, board=ground, omit_claims=omit_claims, readings=readings)
    write(out, as_jsonl(lines))
    return len(lines) - 1


def write_faulty_game(seed: int, fault: str, out: Path) -> Path:
    """Write a game with one planted fault to `out`, and beside it the file that says what an audit must find.

    `fault` is one of plant.PLANTABLE or of PLANTABLE_READINGS. Gives back the path of the second file. Raises
    CannotInvent where no game of this seed gives an occasion.
    """
    try:
        if fault in PLANTABLE_READINGS:
            game = plant_reading(fault, seed)
            lines, expected = game.lines, _as_one(game.faults)
        else:
            lines, expected = plant(fault, seed)
    except LookupError as why:
        raise CannotInvent(str(why)) from None
    return _write_both(out, lines, expected)


def write_mutated_game(log: Path, fault: str, seed: int, out: Path, readings: Mapping[str, str] | None = None) -> Path:
    """Write a copy of a legal log with one event changed to `out`, and beside it what an audit must find.

    For the fault of a reading it is the header that is changed. Gives back the path of the second file. Raises mutate.CannotMutate, also where the log cannot be read.
    """
    try:
        lines = _lines_of(log.read_text(encoding="utf-8-sig"))
        if fault in PLANTABLE_READINGS:
            turned, faults = turn(lines, fault, readings, Packs.read(PACKS))
            made = turned, _as_one(faults)
        else:
            made = mutate(lines, fault, seed, readings, Packs.read(PACKS))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        # The referee reads complete logs only, and says so by breaking.
        raise CannotMutate(f"the referee cannot replay this log ({type(error).__name__}: {error})") from None
    return _write_both(out, *made)


def _lines_of(text: str) -> list[dict[str, Any]]:
    """Header and events of a log that is one JSON object, or JSON lines."""
    try:
        whole = json.loads(text)
    except json.JSONDecodeError:
        return read_jsonl(text)
    return [{"type": "header", **whole["header"]}, *whole["events"]]


def _as_one(faults: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Faults of one event as `findings_of` reads them."""
    return {**faults[0], "also": faults[1:]}


def _write_both(out: Path, lines: Sequence[dict[str, Any]], expected: Mapping[str, Any]) -> Path:
    write(out, as_jsonl(lines))
    beside = out.with_suffix(".expected.json")
    findings = [{k: v for k, v in one.items() if k != "also"} for one in findings_of(expected)]
    write(beside, json.dumps({"findings": findings}, indent=1, ensure_ascii=False) + "\n")
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


def write_counts(folder: Path, packs: Path = PACKS) -> list[str]:
    """Write what can be seen from each hex of every example board into a folder; give back the names of the files."""
    boards = [pack for pack in Packs.read(packs).by_id.values() if "hexes" in pack]
    for pack in boards:
        write(folder / f"{pack['id']}.json", as_text(counted(pack)))
    return [f"{pack['id']}.json" for pack in boards]
