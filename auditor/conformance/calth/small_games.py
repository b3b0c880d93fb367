"""Small games for what a large one seldom comes to: last stands, Sor Gharax, flamers among friends, lines along edges.

Each function gives the settings of one game (see `generate.lay_out`) and, under `taste`, what its players like to do.
"""

from __future__ import annotations

from random import Random
from typing import Any

from auditor.conformance.calth.board import Hex, are_neighbours, neighbours
from auditor.conformance.calth.boards import (
    SOURCE,
    Pack,
    hexagon,
    is_in_one_piece,
    random_cards,
    random_roster,
    random_scenario,
)
from auditor.conformance.calth.tables import SIDES

Json = dict[str, Any]


def last_stands(rng: Random, rounds: int) -> Json:
    """Two crowds in a pocket: who loses a fight finds no room, and most bear a Legion Vexilla."""
    hexes = _blob(rng, rng.choice((8, 9, 10, 11)))
    kinds = {h: "rubble" if rng.random() < 0.1 else "open" for h in hexes}
    board = _board(rng, "Pocket", kinds, door=0.04, obstruction=0.03)
    count = 3 * (len(hexes) // 2) - rng.choice((0, 0, 1, 2))
    rosters = {side: _tame(rng, side, count, rng.choice((0.5, 0.8, 1.0))) for side in SIDES}
    readings = {"R-DLS-VEX": "unit_before_retreat"} if rng.random() < 0.3 else {}
    taste = {"assault": 3.0, "consolidate": 0.2, "shoot": 0.5, "counters": 0.4, "crowding": 1.0}
    return _game(rng, board, rosters, rounds, readings, taste)


def corridors(rng: Random, rounds: int) -> Json:
    """Columns in corridors one hex wide, where behind the first unit there is room for one model and not for two."""
    length = rng.choice((4, 4, 6))
    dq, dr = rng.choice(((1, 0), (0, 1), (1, -1)))
    lanes = [[(n * dq + 2 * k * dr, n * dr - 2 * k * dq) for n in range(length)] for k in range(rng.choice((2, 2, 3)))]
    board = _board(rng, "Corridors", {h: "rubble" if rng.random() < 0.1 else "open" for lane in lanes for h in lane})
    deep = length // 2
    column = 3 + 2 * (deep - 1)
    rosters = {side: _tame(rng, side, column * len(lanes), 0.9) for side in SIDES}
    readings = {"R-DLS-VEX": "unit_before_retreat"} if rng.random() < 0.95 else {}
    taste = {"assault": 3.0, "consolidate": 0.05, "advance": 0.2, "counters": 0.3, "crowding": 1.0}
    game = _game(rng, board, rosters, rounds, readings, taste)
    game["scenario"]["deployments"] = deployments = []
    for side, turn in zip(SIDES, (slice(deep - 1, None, -1), slice(deep, None)), strict=True):
        models = [model["id"] for model in rosters[side]["models"]]
        for lane in lanes:
            for n, h in enumerate(lane[turn]):
                placed, models = (models[:2], models[2:]) if n else (models[:3], models[3:])
                deployments.append({"side": side, "models": placed, "zone": [list(h)]})
    return game


def walker(rng: Random, rounds: int) -> Json:
    """Sor Gharax among enemies who fight hand to hand; half of his cards go back into the deck."""
    hexes = _blob(rng, rng.choice((8, 9, 10)))
    board = _board(
        rng, "Arena", {h: "rubble" if rng.random() < 0.1 else "open" for h in hexes}, door=0.03, obstruction=0.03
    )
    rosters = {"UM": random_roster(rng, "UM", 7, heavy=False), "WB": random_roster(rng, "WB", 2, heavy=True)}
    no_repeat = rng.random() < 0.15
    if not no_repeat:
        cards = rosters["WB"]["damage_cards"]
        for card in cards:
            card["armour"] = rng.choice((1, 2, 3))
            card["stamina"] = rng.choice((1, 1, 2))
            card["stays_on_model"] = card["destroys_weapon"] is not None or rng.random() < 0.4
        arms = [card for card in cards if card["destroys_weapon"]]
        rosters["WB"]["damage_cards"] = arms + rng.sample([c for c in cards if c not in arms], rng.choice((1, 2, 4)))
    readings = {"R-SOR-DECK": "no_repeat_in_attack"} if no_repeat else {}
    taste = {"assault": 3.0, "shoot": 1.5, "consolidate": 0.3, "none": 0.5}
    return _game(rng, board, rosters, rounds, readings, taste)


def flames(rng: Random, rounds: int) -> Json:
    """Flamers on open ground, small units close together, and follow-up attacks on friends where they are allowed."""
    hexes = _blob(rng, rng.choice((12, 14, 16)))
    board = _board(
        rng, "Furnace", {h: "rubble" if rng.random() < 0.15 else "open" for h in hexes}, door=0.03, obstruction=0.03
    )
    rosters = {}
    for side in SIDES:
        roster = random_roster(rng, side, 9, heavy=False)
        for model in roster["models"]:
            draw = rng.random()
            if draw < 0.5:
                model["weapons"] = [rng.choice(("flamer", "heavy_flamer"))]
            elif draw < 0.65:
                model["weapons"] = ["bolt_pistol", "plasma_pistol"]
            elif draw < 0.8:
                model["weapons"] = [rng.choice(("flamer", "heavy_flamer")), rng.choice(("meltagun", "bolt_pistol"))]
        rosters[side] = roster
    readings = {"R-FLM-SIDE": "any_unit"} if rng.random() < 0.85 else {}
    taste = {"shoot": 6.0, "assault": 0.1, "consolidate": 0.5, "crowding": 0.3, "beside friends": 0.8}
    return _game(rng, board, rosters, rounds, readings, taste)


def fences(rng: Random, rounds: int) -> Json:
    """Obstructions and doors everywhere between crowded hexes, so that lines run along them."""
    kinds = {h: rng.choices(("open", "blocked", "rubble"), (80, 10, 10))[0] for h in hexagon(2)}
    board = _board(rng, "Fences", kinds, door=0.15, obstruction=0.45)
    rosters = {side: random_roster(rng, side, 9, heavy=False) for side in SIDES}
    for roster in rosters.values():
        for model in roster["models"]:
            if rng.random() < 0.4:
                heavy = ("missile_launcher", "missile_launcher", "meltagun", "assault_cannon", "plasma_gun")
                model["weapons"] = [rng.choice(heavy)]
    return _game(rng, board, rosters, rounds, {}, {"shoot": 5.0, "assault": 0.7, "along": 0.9, "crowding": 0.1})


SMALL_GAMES = (last_stands, corridors, walker, flames, fences)


def _tame(rng: Random, side: str, count: int, bears: float) -> Pack:
    """A roster of models so tame that a fight costs one of three, not all; this share bears a Legion Vexilla."""
    roster = random_roster(rng, side, count, heavy=False)
    for model in roster["models"]:
        model["profile"] = "line" if rng.random() < 0.8 else "veteran"
        if rng.random() < 0.6:
            model["weapons"] = [rng.choice(("boltgun", "meltagun", "missile_launcher", "plasma_gun"))]
        if rng.random() < bears:
            model["wargear"] = sorted({*model["wargear"], "legion_vexilla"})
    for profile in roster["profiles"]:
        profile |= {"assault": 1, "armour": 3, "stamina": 1}
    return roster


def _blob(rng: Random, size: int) -> list[Hex]:
    """So many hexes in one piece, grown at random round the origin."""
    grown: list[Hex] = [(0, 0)]
    while len(grown) < size:
        h = rng.choice(neighbours(rng.choice(grown)))
        if h not in grown and max(abs(h[0]), abs(h[1]), abs(h[0] + h[1])) <= 2:
            grown.append(h)
    assert is_in_one_piece(set(grown))
    return sorted(grown)


def _board(rng: Random, title: str, kinds: dict[Hex, str], door: float = 0.0, obstruction: float = 0.0) -> Pack:
    """A board of these hexes with doors and obstructions strewn over their edges."""
    edges: list[Json] = []
    barricades: list[Json] = []
    ground = [h for h in sorted(kinds) if kinds[h] != "blocked"]
    for n, h in enumerate(sorted(kinds)):
        for g in sorted(kinds)[n + 1 :]:
            if not are_neighbours(h, g):
                continue
            draw = rng.random()
            if draw < door:
                edges.append({"a": list(h), "b": list(g), "feature": "door", "sealed": rng.random() < 0.5})
            elif draw < door + obstruction:
                edges.append({"a": list(h), "b": list(g), "feature": "obstruction"})
    for h in ground:
        barricades += [{"hex": list(h), "dir": k} for k in range(6) if rng.random() < 0.05]
    return {
        "id": f"board-{rng.randrange(10**6)}",
        "title": title,
        "source": SOURCE,
        "hexes": [{"q": q, "r": r, "kind": kinds[q, r], "section": "a"} for q, r in sorted(kinds)],
        "edges": edges,
        "barricades": barricades,
    }


def _game(rng: Random, board: Pack, rosters: Json, rounds: int, readings: Json, taste: dict[str, float]) -> Json:
    """The settings: the two sides share all the ground between them."""
    scenario = random_scenario(rng, board, rounds)
    ground = sorted([h["q"], h["r"]] for h in board["hexes"] if h["kind"] != "blocked")
    half = len(ground) // 2
    for roster in rosters.values():
        # So many that everybody finds a place: the widest take a hex each.
        wide = [model for model in roster["models"] if model["profile"] == "plated"]
        for model in wide[1:]:
            model["profile"] = "captain"
    zones = {"UM": ground[:half], "WB": ground[half:]}
    scenario["deployments"] = [{"side": side, "models": "all", "zone": zone} for side, zone in zones.items()]
    return {
        "rounds": rounds,
        "command_cards": random_cards(rng, 1, 3),
        "board": board,
        "scenario": scenario,
        "rosters": rosters,
        "readings": readings,
        "taste": taste,
    }
