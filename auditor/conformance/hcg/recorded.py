"""Recorded games in fixtures/hcg/games: how those with faults are made and with which, and one in which a deck runs out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from auditor.conformance.hcg.generate import play_game, settings_of
from auditor.conformance.hcg.plant.many import FULL, faulty_game
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


DECK_RUNS_OUT = Recipe("deck-runs-out", 80, ("Oluwaseun Hartmann", "Linnea Castellanos"), 3, faults=())
"""A legal game of players for whom a deck that has run out is lost (OR-DECKOUT = deck-loss), and whose game ends so."""


def played(recipe: Recipe) -> tuple[list[Event], list[Event]]:
    """A recorded game and what an audit must find in it. Raises ValueError where its seed gives no such game."""
    game = faulty_game(recipe.seed, recipe.faults)
    if game is None:
        raise ValueError(f"{recipe.name}: the game ends before all of its faults show")
    lines, expected = game
    return headed(recipe, lines), expected


def headed(recipe: Recipe, lines: list[Event]) -> list[Event]:
    """A game with the names of its players, and where it was played."""
    header, *events = lines
    players = [{**one, "name": name} for one, name in zip(header["players"], recipe.names, strict=True)]
    said = {
        "title": f"{recipe.names[0]} against {recipe.names[1]}",
        "match": {"event": "Winter Muster", "round": 2, "table": recipe.table},
    }
    begin = {key: header.pop(key) for key in ("type", "game", "format")}
    return [{**begin, **said, **header, "players": players}, *events]


def game_of_a_deck_that_runs_out() -> str:
    """The file of DECK_RUNS_OUT, one object with a line for each event, as the other games without faults are written."""
    settings = {**settings_of(DECK_RUNS_OUT.seed), **FULL, "readings": {"OR-DECKOUT": "deck-loss"}, "stops_at": None}
    header, *events = headed(DECK_RUNS_OUT, play_game(DECK_RUNS_OUT.seed, settings)[0])
    told = ",\n  ".join(json.dumps(event, ensure_ascii=False) for event in events)
    return f'{{\n "header": {json.dumps(header, ensure_ascii=False)},\n "events": [\n  {told}\n ]\n}}\n'


def files(recipe: Recipe) -> dict[str, str]:
    """The files of a recorded game by name."""
    lines, expected = played(recipe)
    text = json.dumps({"findings": expected}, indent=1, ensure_ascii=False) + "\n"
    return {f"{recipe.name}.jsonl": as_jsonl(lines), f"{recipe.name}.expected.json": text}


def write_recorded_games(folder: Path = GAMES) -> list[str]:
    """Write the recorded games into a folder and give back the names of the files."""
    made = {name: text for recipe in RECIPES for name, text in files(recipe).items()}
    made[f"{DECK_RUNS_OUT.name}.json"] = game_of_a_deck_that_runs_out()
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return list(made)
