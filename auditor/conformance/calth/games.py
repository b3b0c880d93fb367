"""The recorded games in fixtures/calth/games: two clean ones, two with faults, and how each is made."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from auditor.conformance.calth.generate import generate
from auditor.conformance.calth.packs import Packs
from auditor.conformance.calth.plant import faulty_game
from auditor.conformance.calth.position import Event
from auditor.conformance.logs import as_jsonl

PACKS = Path(__file__).parents[2] / "systems" / "calth" / "data" / "packs"


@dataclass(frozen=True)
class Recipe:
    """What a recorded game is made from."""

    name: str
    seed: int
    scenario: str
    rounds: int
    names: tuple[str, str]
    table: int
    campaign: bool = False
    faults: tuple[str, ...] = field(default=())

    def settings(self, packs: Packs) -> dict[str, Any]:
        """The settings of `generate` for this game."""
        return {
            "rounds": self.rounds,
            "scenario": self.scenario,
            "board": packs.find(self.scenario)["board"],
            "rosters": {"UM": "example-um", "WB": "example-wb"},
            "command_cards": "example-cards",
            "packs": packs,
            "campaign": self.campaign,
            "names": self.names,
            "match": {"event": "Winter Muster", "round": 2, "table": self.table},
            "title": f"{self.names[0]} against {self.names[1]}",
        }


RECIPES = (
    Recipe("clean-1", 44, "gate-skirmish", 5, ("Marit Solheim", "Jonas Okafor"), 3),
    Recipe("clean-2", 15, "flooded-cistern", 5, ("Teodora Vance", "Piet Lindqvist"), 5, campaign=True),
    Recipe(
        "faulty-1", 25, "gate-skirmish", 5, ("Ruben Achterberg", "Sunniva Teale"), 7,
        faults=(
            "CAL-CON-04", "CAL-CRT-08", "CAL-RET-01 omitted", "CAL-DEF-02", "CAL-RUN-03", "CAL-OBS-02", "CAL-ADV-01",
            "CAL-PIN-01", "CAL-INI-01", "CAL-ASL-02", "CAL-ATK-03", "CAL-ATK-05", "CAL-ACT-02",
        ),
    ),
    Recipe(
        "faulty-2", 20, "flooded-cistern", 5, ("Ilse Marchetti", "Bram Oyelaran"), 8, campaign=True,
        faults=(
            "CAL-CON-05", "CAL-OBS-03", "CAL-WAR-02", "CAL-RUN-02", "CAL-SHT-02", "CAL-ATK-06", "CAL-DST-01",
            "CAL-RDY-02", "CAL-ACT-04", "CAL-ASL-01", "CAL-RDY-01", "CAL-RND-01", "CAL-CMP-02",
        ),
    ),
)  # fmt: skip


def played(recipe: Recipe, packs: Packs) -> tuple[list[Event], list[dict[str, Any]]]:
    """A recorded game and what an audit must find in it."""
    if recipe.faults:
        return faulty_game(recipe.seed, recipe.faults, **recipe.settings(packs))
    return generate(recipe.seed, **recipe.settings(packs)), []


def files(recipe: Recipe, packs: Packs) -> dict[str, str]:
    """The files of a recorded game by name."""
    lines, expected = played(recipe, packs)
    made = {f"{recipe.name}.jsonl": as_jsonl(lines)}
    if recipe.faults:
        text = json.dumps({"findings": expected}, indent=1, ensure_ascii=False)
        made[f"{recipe.name}.expected.json"] = text + "\n"
    return made
