"""The games that are measured: those that come with the program, and invented ones, of every game that is registered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from auditor import systems
from auditor.conformance.calth.games import PACKS
from auditor.conformance.calth.generate import generate
from auditor.conformance.calth.packs import Packs
from auditor.conformance.logs import as_jsonl
from tests.bench.measure import ROOT


def examples() -> list[Path]:
    """The whole games that come with the program, those of a new game as soon as it is registered."""
    return [path for key in systems.game_keys() for path in sorted((ROOT / "fixtures" / key / "games").glob("*.jsonl"))]


def name_of(path: Path) -> str:
    """What the tables call such a log: "clean-1", and of another game than Calth "hcg faulty-1"."""
    game = path.parent.parent.name
    return path.stem if game == "calth" else f"{game} {path.stem}"


def _calth(seed: int) -> bytes:
    return as_jsonl(generate(seed)).encode()


GENERATED: Mapping[str, Callable[[int], bytes]] = {"calth": _calth}
"""An invented legal game by its seed, as `auditor generate --seed` writes it. A game with a generator has a line here."""


def _calth_on_the_board_of(header: Mapping[str, Any]) -> bytes:
    ground = {key: header[key] for key in ("board", "scenario", "rosters", "command_cards")}
    return as_jsonl(generate(8, **ground, packs=Packs.read(PACKS))).encode()


ON_THE_BOARD_OF: Mapping[str, Callable[[Mapping[str, Any]], bytes]] = {"calth": _calth_on_the_board_of}
"""An invented game on the board of another, by that one's header: after it the board is known, and nothing else."""
