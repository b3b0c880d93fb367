"""Armies, weapons and tables for invented games: the example packs as they are, or made up from them.

The example packs are read as data. What is made up stands inline in the header.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

Json = dict[str, Any]

PACKS = Path(__file__).parents[2] / "systems" / "clx" / "data" / "packs"
SIDES = ("A", "B")
FACTIONS = {"A": "Ashen Wardens", "B": "Salt Vultures"}
TABLES = ("quarry", "delta")
MORE_WEAPONS: tuple[Json, ...] = (
    {"id": "field_gun", "type": "ordnance", "range": 48, "S": 7, "AP": 3, "shots": 1},
    {"id": "net_gun", "type": "heavy", "range": 30, "S": 4, "AP": None, "shots": 3, "rules": ["pinning"]},
    {"id": "bore_gun", "type": "assault", "range": 18, "S": 6, "AP": 5, "shots": 1, "rules": ["hefty"]},
)
ARMED_ANEW = {"hw": "net_gun", "ps": "bore_gun", "mt": "field_gun"}


@cache
def pack(name: str) -> Json:
    """A data pack of the examples."""
    value: Json = json.loads((PACKS / f"{name}.json").read_text(encoding="utf-8"))
    return value


def units_of(side: str) -> list[Json]:
    """The units of the example armies that a side can have."""
    return [unit for unit in pack("example-armies")["units"] if unit["faction"] == FACTIONS[side]]


def chosen_units(
    rng: Random, side: str, size: int, playable: set[str] | None = None, favoured: Sequence[str] = ()
) -> list[Json]:
    """Units of about `size` models, at least one unit: each of the examples once, then copies with other ids.

    Those that are favoured come first.
    """
    first = [unit for unit in units_of(side) if playable is None or unit["id"] in playable]
    taken: list[Json] = []
    count = copy = 0
    while count < size and copy < 9:
        copy += 1
        order = list(first)
        rng.shuffle(order)
        order.sort(key=lambda unit: unit["id"] not in favoured)
        for unit in order:
            if count >= size or (taken and count + len(unit["models"]) > size + 2):
                continue
            taken.append(unit if copy == 1 else copied(unit, f"{unit['id']}{copy}"))
            count += len(unit["models"])
    return taken


def copied(unit: Json, key: str) -> Json:
    """A unit once more, with another id."""
    made = deepcopy(unit)
    made["id"], made["name"] = key, f"{unit['name']} {key[-1]}"
    for model in made["models"]:
        model["id"] = key + model["id"].removeprefix(unit["id"])
    return made


def varied(rng: Random, unit: Json) -> Json:
    """A unit with other numbers in its profile, perhaps with other weapons or pistols, and the same for all its models."""
    made = deepcopy(unit)
    near = {name: rng.choice((-1, 0, 0, 1)) for name in ("WS", "BS", "S", "T", "I", "A", "Ld", "AS")}
    wounds = rng.choice((0, 0, 0, 1))
    weapon = ARMED_ANEW.get(unit["id"].rstrip("0123456789")) if rng.random() < 0.5 else None
    for model in made["models"]:
        profile = model["profile"]
        for name, by in near.items():
            if profile.get(name):
                profile[name] = max(1, min(10, profile[name] + by))
        if profile.get("AS"):
            profile["AS"] = min(6, profile["AS"])
        if profile.get("W"):
            profile["W"] += wounds
        if weapon is not None:
            model["weapons"] = [weapon, *model["weapons"][1:]]
        if near["Ld"] > 0 and unit["type"] == "infantry" and "side_arm" not in model["weapons"]:
            model["weapons"] = [*model["weapons"], "side_arm"]
    return made


def with_auspex(unit: Json) -> Json:
    """A unit whose models carry an auspex."""
    made = deepcopy(unit)
    for model in made["models"]:
        model["wargear"] = ["auspex"]
    return made


def random_terrain(rng: Random, width: int, depth: int) -> list[Json]:
    """Some pieces of terrain between the deployment zones, most of them boxes, one or two with a slant."""
    pieces: list[Json] = []
    kinds: tuple[Json, ...] = (
        {"cover": "soft", "difficult": True},
        {"cover": "hard", "blocks_los": True, "difficult": True},
        {"cover": "soft"},
        {"blocks_los": True, "impassable": True},
        {"cover": "hard", "blocks_los": True, "los_height": 1},
        {"dangerous": True},
        {"surface_z": 3},
        {"cover": "hard", "surface_z": 2},
    )
    for n in range(rng.randint(3, 8)):
        w, d = rng.randint(3, 9), rng.randint(2, 7)
        x, y = rng.randint(4, width - w - 4), rng.randint(10, depth - d - 10)
        lean = rng.choice((0, 0, 1, 2))
        corners = [[x, y], [x + w, y], [x + w + lean, y + d], [x + lean, y + d]]
        if all(x > p["poly"][2][0] or p["poly"][0][0] > x + w + lean or y > p["poly"][2][1] or p["poly"][0][1] > y + d
               for p in pieces):  # fmt: skip
            pieces.append({"id": f"piece{n}", "poly": corners, **rng.choice(kinds)})
    return pieces


def two_halves(rng: Random, x: int, y: int) -> list[Json]:
    """Two walls with a gap of a thousandth of an inch between them."""
    d = rng.randint(3, 6)
    wall: Json = {"blocks_los": True, "impassable": True}
    middle = x + 6
    return [
        {"id": "half_w", "poly": [[x, y], [middle, y], [middle, y + d], [x, y + d]], **wall},
        {
            "id": "half_e",
            "poly": [[middle + 0.001, y], [middle + 6, y], [middle + 6, y + d], [middle + 0.001, y + d]],
            **wall,
        },
    ]
