"""The recorded games with faults in fixtures/hcg/games: how each is made, and with which faults."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from auditor.conformance.hcg.plant.many import faulty_game
from auditor.conformance.hcg.table import Event
from auditor.conformance.logs import as_jsonl

GAMES = Path(__file__).parents[3] / "fixtures" / "hcg" / "games"


@dataclass(frozen=True)
class Recipe:
    """What a recorded game is made from: a seed, and the faults that are planted as far as it gives occasions."""

    name: str
    seed: int
    names: tuple[str, str]
    table: int
    faults: tuple[str, ...]


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        "faulty-1", 7, ("Wilhelmina Oduya", "Casper Brandt"), 2,
        faults=(
            "HCG-SETUP-06 miscalculated", "HCG-DEP-02 again", "HCG-BSET-07", "HCG-BA-01", "HCG-SHOOT-07 damage",
            "HCG-CHG-01", "HCG-ROLL-01", "HCG-VIC-02", "HCG-VIC-07", "HCG-TURN-03", "HCG-TAC-02", "HCG-SHOOT-03 speed",
            "HCG-FW-02", "HCG-CA-01 miscalculated", "HCG-FW-04", "HCG-SPEC-05", "HCG-ROLL-05", "HCG-WDR-01",
        ),
    ),
    Recipe(
        "faulty-2", 40, ("Ione Vasquez", "Tobias Renn"), 5,
        faults=(
            "HCG-FW-03", "HCG-DEP-01", "HCG-BPH-05", "HCG-POS-01", "HCG-TAC-04", "HCG-SHOOT-01 locked",
            "HCG-ASLT-01 ready", "HCG-MOD-04", "HCG-VIC-05", "HCG-VIC-08", "HCG-END-01", "HCG-REA-01",
            "HCG-ASLT-06 armor", "HCG-SHOOT-07 destroyed", "HCG-ROLL-02", "HCG-MOD-02", "HCG-CARD-05", "HCG-X-01",
            "HCG-SWEEP-03 leftover",
        ),
    ),
    Recipe(
        "faulty-3", 11, ("Renske Adebayo", "Milo Thorsen"), 6,
        faults=(
            "HCG-SETUP-02 miscalculated", "HCG-FW-01", "HCG-DEP-03", "HCG-BSET-07", "HCG-ASLT-04", "HCG-ASLT-03 own",
            "HCG-REA-03", "HCG-MOD-03", "HCG-OPT-02", "HCG-BA-04", "HCG-VIC-09", "HCG-WDR-02", "HCG-ROLL-03",
            "HCG-SWEEP-01", "HCG-SHOOT-07 armor", "HCG-TAC-06", "HCG-STAT-01", "HCG-OPT-06", "HCG-CA-01 illegal",
            "HCG-VS-01", "HCG-SHOOT-04", "HCG-REA-02",
        ),
    ),
)  # fmt: skip


def played(recipe: Recipe) -> tuple[list[Event], list[Event]]:
    """A recorded game and what an audit must find in it. Raises ValueError where its seed gives no such game."""
    game = faulty_game(recipe.seed, recipe.faults)
    if game is None:
        raise ValueError(f"{recipe.name}: the game ends before all of its faults show")
    (header, *events), expected = game
    players = [{**one, "name": name} for one, name in zip(header["players"], recipe.names, strict=True)]
    said = {
        "title": f"{recipe.names[0]} against {recipe.names[1]}",
        "match": {"event": "Winter Muster", "round": 2, "table": recipe.table},
    }
    begin = {key: header.pop(key) for key in ("type", "game", "format")}
    return [{**begin, **said, **header, "players": players}, *events], expected


def files(recipe: Recipe) -> dict[str, str]:
    """The files of a recorded game by name."""
    lines, expected = played(recipe)
    text = json.dumps({"findings": expected}, indent=1, ensure_ascii=False) + "\n"
    return {f"{recipe.name}.jsonl": as_jsonl(lines), f"{recipe.name}.expected.json": text}


def write_recorded_games(folder: Path = GAMES) -> list[str]:
    """Write the recorded games into a folder and give back the names of the files."""
    made = {name: text for recipe in RECIPES for name, text in files(recipe).items()}
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return list(made)
