"""Random small boards, rosters, scenarios and decks, invented for the generator; ids and names are ours."""

from __future__ import annotations

from random import Random
from typing import Any

from auditor.conformance.calth.board import Board, Hex, edge_of, neighbours, step
from auditor.conformance.calth.tables import SIDES, WEAPONS

Pack = dict[str, Any]
SOURCE = "invented for testing"

RANGED = [w for w, line in WEAPONS.items() if line.kind == "ranged"]
MELEE = [w for w, line in WEAPONS.items() if line.kind == "melee"]


def hexagon(radius: int) -> list[Hex]:
    """The hexes of a hexagonal board."""
    span = range(-radius, radius + 1)
    return [(q, r) for q in span for r in span if abs(q + r) <= radius]


def is_in_one_piece(open_hexes: set[Hex]) -> bool:
    """Whether every hex can be walked to from every other, doors apart."""
    if not open_hexes:
        return False
    reached = {min(open_hexes)}
    waiting = list(reached)
    while waiting:
        for h in neighbours(waiting.pop()):
            if h in open_hexes and h not in reached:
                reached.add(h)
                waiting.append(h)
    return reached == open_hexes


def random_board(rng: Random, radius: int | None = None) -> Pack:
    """A board of 19 to about 90 hexes with holes, rubble, doors, obstructions and barricades."""
    size = radius or rng.choice((2, 3, 3, 4, 4, 5))
    while True:
        hexes = [h for h in hexagon(size) if rng.random() > 0.06 or size == 2]
        kinds = {h: rng.choices(("open", "blocked", "rubble"), (78, 9, 13))[0] for h in hexes}
        if is_in_one_piece({h for h, kind in kinds.items() if kind != "blocked"}):
            break
    board = Board(kinds)
    edges: list[dict[str, Any]] = []
    for h in sorted(kinds):
        for k in range(3):
            g = step(h, k)
            if g not in kinds or "blocked" in (kinds[h], kinds[g]):
                continue
            draw = rng.random()
            if draw < 0.09:
                sealed = rng.random() < 0.55
                edges.append({"a": list(h), "b": list(g), "feature": "door", "sealed": sealed})
                board.doors[edge_of(h, g)] = sealed
            elif draw < 0.12:
                edges.append({"a": list(h), "b": list(g), "feature": "obstruction"})
    barricades = [
        {"hex": list(h), "dir": k}
        for h in sorted(kinds)
        for k in range(6)
        if kinds[h] != "blocked" and rng.random() < 0.05
    ]
    return {
        "id": f"board-{rng.randrange(10**6)}",
        "title": "Random ground",
        "source": SOURCE,
        "hexes": [{"q": q, "r": r, "kind": kinds[q, r], "section": "a"} for q, r in sorted(kinds)],
        "edges": edges,
        "barricades": barricades,
    }


def large_board(rng: Random) -> Pack:
    """A board of 60 hexes and more."""
    while True:
        board = random_board(rng, rng.choice((5, 5, 6)))
        if len(board["hexes"]) >= 60:
            return board


def random_roster(rng: Random, side: str, count: int, heavy: bool) -> Pack:
    """A roster of `count` models that share out all the weapons; `heavy` adds the one with the Damage deck."""
    tag = side.lower()
    profiles = [
        {"id": "line", "name": "Line", "assault": 2, "armour": 2, "stamina": 1, "bulk": 1},
        {"id": "veteran", "name": "Veteran", "assault": 3, "armour": 2, "stamina": 1, "bulk": 1},
        {"id": "captain", "name": "Captain", "assault": 3, "armour": 3, "stamina": 2, "bulk": 1},
        {"id": "plated", "name": "Plated", "assault": 2, "armour": 3, "stamina": 2, "bulk": 2},
    ]
    models: list[dict[str, Any]] = []
    bag: list[str] = []
    for n in range(count):
        if not bag:
            bag = [*RANGED, "boltgun", "boltgun", "bolt_pistol", "flamer", "plasma_gun", *MELEE]
            rng.shuffle(bag)
        profile = rng.choices(("line", "veteran", "captain", "plated"), (6, 3, 2, 2))[0]
        weapons = [bag.pop()]
        if rng.random() < 0.45 and bag and bag[-1] not in weapons:
            weapons.append(bag.pop())
        wargear = [w for w, chance in (("grenade_harness", 0.12), ("legion_vexilla", 0.2)) if rng.random() < chance]
        models.append({"id": f"{tag}{n + 1}", "profile": profile, "weapons": weapons, "wargear": wargear})
    roster: Pack = {"id": f"roster-{tag}", "title": "Random company", "source": SOURCE}
    if heavy:
        profiles.append({"id": "sor_gharax", "name": "Walker", "assault": 3, "armour": 4, "stamina": 3, "bulk": 3})
        models.append(
            {
                "id": f"{tag}-walker",
                "profile": "sor_gharax",
                "weapons": ["assault_cannon", "contemptor_power_fist"],
                "wargear": ["damage_deck"],
            }
        )
        spots = ("hull", "left leg", "right leg", "Heavy Weapon Arm", "Fist Arm", "sarcophagus", "exhaust", "optics")
        roster["damage_cards"] = [
            {
                "id": f"dmg-{n + 1}",
                "location": spot,
                "armour": rng.choice((2, 3, 3, 4)),
                "stamina": rng.choice((1, 2, 2, 3)),
                "effect": None,
                "stays_on_model": spot != "exhaust",
                "destroys_weapon": {"Heavy Weapon Arm": "assault_cannon", "Fist Arm": "contemptor_power_fist"}.get(
                    spot
                ),
            }
            for n, spot in enumerate(spots)
        ]
        roster["removed_when"] = {"cards_on_model": 3}
    return {**roster, "profiles": profiles, "models": models}


def random_cards(rng: Random, fewest: int = 2, most: int = 7) -> list[Pack]:
    """A Command deck for each side."""
    return [
        {"id": f"{side.lower()}-card-{n}", "side": side, "name": f"Order {n}", "timing": "action",
         "rule_ids": [], "effect": {"tp": 1} if n % 2 else None}
        for side in SIDES
        for n in range(1, rng.randrange(fewest + 1, most + 2))
    ]  # fmt: skip


def random_scenario(rng: Random, board: Pack, rounds: int) -> Pack:
    """A scenario on a board, with a few doors that change at the start of a round."""
    doors = [e for e in board["edges"] if e["feature"] == "door"]
    rng.shuffle(doors)
    changes = [
        {
            "id": f"bulkhead-{n}",
            "name": "Bulkhead",
            "text": "The named door changes at the start of the named round.",
            "rule_ids": ["CAL-SET-03"],
            "effect": {
                "door": {"edge": [door["a"], door["b"]], "state": "open" if door["sealed"] else "sealed"},
                "round": rng.randrange(1, rounds + 1),
            },
        }
        for n, door in enumerate(doors[:3], 1)
    ]
    started = [{"edge": [d["a"], d["b"]], "state": rng.choice(("open", "sealed"))} for d in doors[3:5]]
    ground = sorted((h["q"], h["r"]) for h in board["hexes"] if h.get("kind", "open") != "blocked")
    share = len(ground) * 2 // 5
    zones = {"UM": ground[:share], "WB": ground[-share:]}
    deployments = [{"side": s, "models": "all", "zone": [list(h) for h in zone]} for s, zone in zones.items()]
    return {
        "id": f"scenario-{rng.randrange(10**6)}",
        "title": "Random meeting",
        "source": SOURCE,
        "board": board["id"],
        "first_initiative": rng.choice(("UM", "WB", None)),
        "deployments": deployments if rng.random() < 0.7 else [],
        "doors": started,
        "special_rules": changes,
        "rounds": rounds,
        "end": "After the last round, or when a round ends and one side has no models left.",
    }
