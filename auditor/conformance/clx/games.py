"""The recorded games in fixtures/clx/games: how each is made, and with which faults."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from auditor.conformance.clx.generate import Settings, generate
from auditor.conformance.clx.plant import faulty_game
from auditor.conformance.clx.table import Json
from auditor.conformance.clx.variants import coarse
from auditor.conformance.logs import as_jsonl

GAMES = Path(__file__).parents[3] / "fixtures" / "clx" / "games"


CLOSE: dict[str, Any] = {"deep": 22, "habits": ("throws", "huddles")}


@dataclass(frozen=True)
class Recipe:
    """What a recorded game is made from: example armies on an example table. `close`: they begin nearer to each other, and
    throw grenades where they can."""

    name: str
    seed: int
    size: int
    terrain: str
    names: tuple[str, str]
    table: int
    turns: int = 3
    base_rules: bool = True
    coarse: bool = False
    close: bool = False
    faults: tuple[str, ...] = field(default=())

    @property
    def settings(self) -> Settings:
        """The settings of its generator."""
        return Settings(
            size=self.size,
            turns=self.turns,
            plain=True,
            base_rules=self.base_rules,
            names=self.names,
            title=f"{self.names[0]} against {self.names[1]}",
            match={"event": "Salt Harvest", "round": 1, "table": self.table},
            terrain=self.terrain,
            **(CLOSE if self.close else {}),
        )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        "faulty-1", 4, 12, "quarry", ("Marek Lindholm", "Odile Ferrand"), 4,
        faults=(
            "CLX-RUN-01 miscalculated", "CLX-RUN-03", "CLX-LOG-01", "CLX-FACE-01", "CLX-GAME-08", "CLX-MOVE-03",
            "CLX-SHOOT-06", "CLX-MOR-01", "CLX-PSY-04", "CLX-SHOOT-08", "CLX-WPN-01", "CLX-PSY-07", "CLX-ASLT-01",
            "CLX-LOG-03", "CLX-ASLT-06", "CLX-SHOOT-09", "CLX-GAME-02", "CLX-VEH-06", "CLX-PSY-02", "CLX-MOR-02",
            "CLX-SHOOT-13", "CLX-MOVE-01",
        ),
    ),
    Recipe(
        "faulty-2", 22, 30, "delta", ("Sunniva Dahl", "Casimir Roth"), 1, turns=5,
        faults=(
            "CLX-GAME-02", "CLX-MOVE-01", "CLX-SHOOT-07c", "CLX-VEH-06", "CLX-VEH-08", "CLX-MOR-01", "CLX-WPN-07",
            "CLX-PSY-07", "CLX-ASLT-09", "CLX-RUN-01", "CLX-MOVE-04", "CLX-SHOOT-08", "CLX-GAME-08", "CLX-ASLT-05",
            "CLX-SUPP-02", "CLX-SUPP-03", "CLX-GEAR-03", "CLX-MOR-02", "CLX-SHOOT-06", "CLX-LOG-04", "CLX-USR-10",
            "CLX-RUN-03", "CLX-ASLT-06", "CLX-FACE-02", "CLX-MISC-02",
        ),
    ),
    Recipe(
        "faulty-3", 23, 31, "quarry", ("Bram Okonjo", "Lise Verhaegen"), 2, turns=5, base_rules=False,
        faults=(
            "CLX-PSY-02", "CLX-MOVE-04", "CLX-VEH-05", "CLX-PSY-11", "CLX-VEH-07", "CLX-GAME-04", "CLX-PSY-07",
            "CLX-MOVE-01", "CLX-LOG-01", "CLX-SHOOT-08", "CLX-SHOOT-06", "CLX-RUN-03", "CLX-SHOOT-13", "CLX-ASLT-01",
            "CLX-MOVE-03", "CLX-ASLT-06", "CLX-MOR-02", "CLX-USR-10", "CLX-FACE-01", "CLX-GAME-08",
        ),
    ),
    Recipe(
        "faulty-4", 201, 31, "delta", ("Hanne Kvist", "Tarquin Obi"), 7, turns=5, close=True,
        faults=(
            "CLX-GREN-01", "CLX-GREN-02", "CLX-GREN-06", "CLX-ASLT-09", "CLX-ASLT-05", "CLX-MOR-02", "CLX-PSY-01",
            "CLX-GAME-02", "CLX-GAME-08", "CLX-MOVE-01", "CLX-RUN-03", "CLX-MOR-01", "CLX-SHOOT-07b", "CLX-PSY-10",
            "CLX-PSY-13", "CLX-VEH-06", "CLX-VEH-08", "CLX-ASLT-01", "CLX-SHOOT-08", "CLX-SHOOT-09", "CLX-SUPP-03",
            "CLX-LOG-04", "CLX-SHOOT-13", "CLX-PSY-04", "CLX-RUN-01", "CLX-PSY-07", "CLX-MISC-02", "CLX-SHOOT-11",
            "CLX-ASLT-06",
        ),
    ),
    Recipe("close-quarters", 203, 31, "delta", ("Wilhelmina Ross", "Idris Calloway"), 8, turns=5, close=True),
    Recipe("five-turns", 104, 31, "quarry", ("Ferdinand Achebe", "Petra Nyland"), 3, turns=5),
    Recipe("no-base-rules", 105, 32, "delta", ("Ysolde Marsh", "Tobias Grein"), 5, turns=5, base_rules=False),
    Recipe("centres-and-totals", 106, 31, "quarry", ("Noor Valdis", "Emeric Stone"), 6, turns=5, coarse=True),
)  # fmt: skip


def played(recipe: Recipe) -> tuple[list[Json], list[Json]]:
    """A recorded game and what an audit must find in it."""
    if recipe.faults:
        return faulty_game(recipe.seed, recipe.faults, recipe.settings)
    lines = generate(recipe.seed, recipe.settings)
    return (coarse(lines) if recipe.coarse else lines), []


def files(recipe: Recipe) -> dict[str, str]:
    """The files of a recorded game by name."""
    lines, expected = played(recipe)
    made = {f"{recipe.name}.jsonl": as_jsonl(lines)}
    if recipe.faults:
        made[f"{recipe.name}.expected.json"] = json.dumps({"findings": expected}, indent=1, ensure_ascii=False) + "\n"
    return made


def write_recorded_games(folder: Path = GAMES) -> list[str]:
    """Write the recorded games into a folder and give back the names of the files."""
    written: list[str] = []
    folder.mkdir(parents=True, exist_ok=True)
    for recipe in RECIPES:
        for name, text in files(recipe).items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
            written.append(name)
    return written
