"""Records of the game in inches that keep every limit and might cost most: pieces with many corners, many models, long
ways, long numbers, many dice."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from auditor.conformance.logs import as_jsonl

Event = dict[str, Any]
PROFILE = {"M": 6, "WS": 4, "BS": 4, "S": 4, "T": 4, "W": 1, "I": 4, "A": 1, "Ld": 8, "AS": 4}
WEAPONS = [
    {"id": "gun", "type": "rapid_fire", "range": 72, "S": 4, "AP": 5, "shots": 1},
    {"id": "blade", "type": "melee", "S": "user"},
]
ARMOUR = {"front": 12, "side": 11, "rear": 10}


def _unit(name: str, models: int, base: Any = None, **more: Any) -> Event:
    return {
        "id": name,
        "type": "infantry",
        "models": [
            {
                "id": f"{name}.{n}",
                "profile": PROFILE,
                "base": base or {"shape": "circle", "r": 0.5},
                "height": 1,
                "weapons": ["gun", "blade"],
            }
            for n in range(models)
        ],
        **more,
    }


def _header(a: list[Event], b: list[Event], terrain: Iterable[Event] = ()) -> Event:
    sides = (("A", a), ("B", b))
    return {
        "type": "header",
        "game": "clx",
        "format": 1,
        "players": [{"id": side, "name": side, "units": [unit["id"] for unit in units]} for side, units in sides],
        "table": {"W": 2_000, "D": 2_000},
        "units": [*a, *b],
        "weapons": WEAPONS,
        "terrain": list(terrain),
    }


def _log(header: Event, events: Iterable[Event]) -> bytes:
    frame = [
        {"type": "roll_off", "rolls": [{"player": "A", "die": 5}, {"player": "B", "die": 2}]},
        {"type": "deploy_choice", "player": "A", "deploys_first": "A", "first_turn": "A"},
    ]
    return as_jsonl([header, *({"seq": n, **event} for n, event in enumerate([*frame, *events], 1))]).encode()


def _deployed(unit: Event, x: float, y: float, apart: float = 1.5, wide: int = 20, **more: Any) -> Event:
    player = unit["id"][0].upper()
    models = [
        {"id": model["id"], "pos": [round(x + apart * (n % wide), 3), round(y + apart * (n // wide), 3)], **more}
        for n, model in enumerate(unit["models"])
    ]
    return {"type": "deploy", "player": player, "turn": 0, "phase": "pre", "unit": unit["id"], "models": models}


def _turn(player: str, phase: str, turn: int = 1) -> list[Event]:
    now = {"turn": turn, "phase": phase, "player": player}
    return [{"type": "turn_start", **now}, {"type": "phase_start", **now}]


def _moved(unit: Event, deployed: Event, dx: float, dy: float, times: int = 1, **more: Any) -> Event:
    """A move of all models of a unit from where they were deployed (or from the last move of it)."""
    models = []
    for n, one in enumerate(deployed["models"]):
        x, y = one["pos"]
        path = [[round(x + dx * i / times, 4), round(y + dy * i / times, 4)] for i in range(times + 1)]
        models.append({"id": one["id"], "path": path, **more})
        deployed["models"][n] = {**one, "pos": path[-1]}
    return {
        "type": "move",
        "player": unit["id"][0].upper(),
        "turn": 1,
        "phase": "movement",
        "unit": unit["id"],
        "models": models,
    }


def _piece(name: str, x: float, y: float, corners: int, r: float = 2.0) -> Event:
    """A round piece, of so many corners."""
    spots = [
        [round(x + r * math.cos(2 * math.pi * n / corners), 4), round(y + r * math.sin(2 * math.pi * n / corners), 4)]
        for n in range(corners)
    ]
    return {"id": name, "poly": spots, "blocks_los": True, "cover": "hard", "difficult": True}


def _pieces(count: int, corners: int) -> list[Event]:
    return [_piece(f"t{n}", 30 + 5 * (n % 20), 30 + 5 * (n // 20), corners) for n in range(count)]


PIECES, CORNERS, MODELS, OF_A_UNIT, POINTS = 33, 30, 400, 100, 64


def pieces(count: int) -> bytes:
    """A header with many corners, and no game."""
    a, b = [_unit("a", 5)], [_unit("b", 5)]
    return _log(_header(a, b, _pieces(max(1, count // CORNERS), CORNERS)), [])


def overlapping(count: int) -> bytes:
    """Pieces that lie upon each other, and no game."""
    a, b = [_unit("a", 5)], [_unit("b", 5)]
    terrain = [_piece(f"t{n}", 30 + 0.01 * n, 30, CORNERS) for n in range(max(1, count // CORNERS))]
    return _log(_header(a, b, terrain), [])


def shots(count: int) -> bytes:
    """A hundred shoot at a hundred past as many corners as there may be, again and again."""
    a, b = _unit("a", OF_A_UNIT), _unit("b", OF_A_UNIT)
    header = _header([a], [b], _pieces(PIECES, CORNERS))
    there = [_deployed(a, 30, 5), _deployed(b, 30, 30 + 5 * (PIECES // 20) + 10)]
    firers = [{"model": model["id"], "shots": 1} for model in a["models"]]
    now = {"turn": 1, "phase": "shooting", "player": "A"}
    fire: list[Event] = []
    for n in range(count):
        name = f"x{n}"
        fire += [
            {"type": "shoot", "attack": name, "unit": "a", "target": "b", **now},
            {"type": "weapon_fire", "attack": name, "weapon": "gun", "firers": firers, **now},
            {
                "type": "hit_rolls",
                "attack": name,
                "weapon": "gun",
                "rolls": [{"die": 3}] * 50,
                "claimed_hits": 9,
                **now,
            },
        ]
    return _log(header, [*there, *_turn("A", "movement"), {"type": "phase_start", **now}, *fire])


def hulls(count: int) -> bytes:
    """Squadrons of hulls that pivot, again and again."""
    hull = {"shape": "poly", "pts": [[2, 1], [-2, 1], [-2, -1], [2, -1]]}
    squad = {"type": "vehicle", "vehicle": {"armour": ARMOUR, "W": 3, "squadron": True}}
    a, b = ([_unit(f"{side}{n}", 20, hull, **squad) for n in range(MODELS // 40)] for side in "ab")
    return _marched(a, b, count, 5, 2, heading=0, headings=[0, 90])


def one_unit(count: int) -> bytes:
    """One unit of many models that moves again and again."""
    return _marched([_unit("a", OF_A_UNIT)], [_unit("b", 5)], count, 1.5, 20)


def many_units(count: int) -> bytes:
    """Many models in units of ten, all of which move past each other, again and again."""
    a, b = ([_unit(f"{side}{n}", 10) for n in range(MODELS // 20)] for side in "ab")
    return _marched(a, b, count, 1.5, 10)


def _marched(a: list[Event], b: list[Event], count: int, apart: float, wide: int, **more: Any) -> bytes:
    """Two armies in which the units of the first march there and back."""
    headings = {"headings": more.pop("headings")} if "headings" in more else {}
    deep = apart * (len(a[0]["models"]) / wide + 1)
    there = [_deployed(unit, 20, 20 + deep * n, apart, wide, **more) for n, unit in enumerate(a)]
    there += [_deployed(unit, 20 + apart * wide + 5, 20 + deep * n, apart, wide, **more) for n, unit in enumerate(b)]
    played = [{**one, "models": list(one["models"])} for one in there]
    moves = [
        _moved(a[n % len(a)], there[n % len(a)], 4 if n // len(a) % 2 else -4, 3, **headings) for n in range(count)
    ]
    return _log(_header(a, b), [*played, *_turn("A", "movement"), *moves])


def charges(count: int) -> bytes:
    """Charges of one large unit at another."""
    size = OF_A_UNIT
    a, b = _unit("a", size), _unit("b", size)
    there = [_deployed(a, 20, 20), _deployed(b, 20, 30 + 1.5 * size // 20)]
    now = {"turn": 1, "phase": "assault", "player": "A"}
    way = [{"id": one["id"], "path": [one["pos"], [one["pos"][0], one["pos"][1] + 5]]} for one in there[0]["models"]]
    lines: list[Event] = [
        {"type": "charge", "unit": "a", "target": "b", "dice": [3, 4], "claimed_distance": 5, **now},
        {"type": "charge_move", "unit": "a", "target": "b", "models": way, **now},
    ]
    begun = [*there, *_turn("A", "movement"), {"type": "phase_start", **now}]
    return _log(_header([a], [b]), [*begun, *(lines[n % 2] for n in range(count))])


def long_ways(count: int) -> bytes:
    """Models on ways of as many points as they may have, past many others."""
    a, b = _unit("a", 10), _unit("b", 100)
    there = [_deployed(a, 5, 5.01), _deployed(b, 5, 9)]
    played = [{**one, "models": list(one["models"])} for one in there]
    moves = [_moved(a, there[0], 0.5 if n % 2 else -0.5, 1, POINTS - 1) for n in range(count)]
    return _log(_header([a], [b], _pieces(20, 10)), [*played, *_turn("A", "movement"), *moves])


def long_numbers(count: int) -> bytes:
    """Places whose numbers are as long as they may be."""
    a, b = _unit("a", 20), _unit("b", 20)

    def text(n: int, k: int) -> str:
        top = (f"{7 + n * 13 + k}" + "123456789" * 4)[:DIGITS]
        under = (f"{1 + n}" + "987654321" * 4)[:DIGITS]
        return f"{int(under) * (5 + k % 20) + int(top) % int(under)}/{under}"[:32]

    def place(n: int, k: int) -> list[Any]:
        return [text(n, k), text(n + 1, k + 3)]

    there = []
    for unit in (a, b):
        models = [{"id": m["id"], "pos": place(n, n)} for n, m in enumerate(unit["models"])]
        there.append(
            {
                "type": "deploy",
                "player": unit["id"].upper(),
                "turn": 0,
                "phase": "pre",
                "unit": unit["id"],
                "models": models,
            }
        )
    moves = []
    for k in range(count):
        models = [{"id": m["id"], "path": [place(n, n + k), place(n, n + k + 1)]} for n, m in enumerate(a["models"])]
        moves.append({"type": "move", "player": "A", "turn": 1, "phase": "movement", "unit": "a", "models": models})
    return _log(_header([a], [b], _pieces(10, 10)), [*there, *_turn("A", "movement"), *moves])


DIGITS = 15


def unreadable(count: int) -> bytes:
    """Moves in which no number can be read."""
    return re.sub(rb'"path":\[\[([0-9.]+),', rb'"path":[[{"x":\1},', one_unit(count))


def as_texts(count: int) -> bytes:
    """Dice that are all written as texts."""
    return re.sub(rb'"die":([0-9]+)', rb'"die":"\1"', dice(count))


def dice(count: int) -> bytes:
    """Dice of one attack, over and over."""
    a, b = _unit("a", 10), _unit("b", 10)
    there = [_deployed(a, 20, 20), _deployed(b, 20, 40)]
    now = {"turn": 1, "phase": "shooting", "player": "A"}
    firers = [{"model": model["id"], "shots": 1, "claimed_range": 99} for model in a["models"]]
    lines: list[Event] = [
        {"type": "hit_rolls", "attack": "x", "weapon": "gun", "rolls": [{"die": 9}] * 10, "claimed_hits": 77, **now},
        {
            "type": "wound_rolls",
            "attack": "x",
            "weapon": "gun",
            "rolls": [{"die": 4}] * 10,
            "claimed_wounds": 9,
            "pool": "p",
            **now,
        },
    ]
    begun: list[Event] = [
        *there,
        *_turn("A", "movement"),
        {"type": "phase_start", **now},
        {"type": "shoot", "attack": "x", "unit": "a", "target": "b", **now},
        {"type": "weapon_fire", "attack": "x", "weapon": "gun", "firers": firers, **now},
    ]
    return _log(_header([a], [b]), [*begun, *(lines[n % 2] for n in range(count))])


def faults(count: int) -> bytes:
    """Models that move too far, over and over, each move with its boards."""
    a = [_unit(f"a{n}", 50) for n in range(MODELS // 200 or 1)]
    b = [_unit(f"b{n}", 50) for n in range(MODELS // 200 or 1)]
    there = [_deployed(unit, 20, 20 + 6 * n, wide=25) for n, unit in enumerate(a)]
    there += [_deployed(unit, 80, 20 + 6 * n, wide=25) for n, unit in enumerate(b)]
    played = [{**one, "models": list(one["models"])} for one in there]
    moves = [_moved(a[n % len(a)], there[n % len(a)], 0, 30 if n // len(a) % 2 else -30) for n in range(count)]
    return _log(_header(a, b), [*played, *_turn("A", "movement"), *moves])


def notes(count: int) -> bytes:
    """Texts."""
    a, b = _unit("a", 10), _unit("b", 10)
    return _log(_header([a], [b]), ({"type": "note", "text": "x" * 200, "player": "A"} for _ in range(count)))


def positions(count: int) -> bytes:
    """Whole positions, one after the other."""
    a, b = _unit("a", MODELS // 20), _unit("b", MODELS // 20)
    there = [_deployed(a, 20, 20), _deployed(b, 20, 60)]
    stated = {"type": "position", "turn": 1, "phase": "movement", "active": "A", "first": "A"}
    stated["units"] = [{"unit": one["unit"], "models": one["models"]} for one in there]
    return _log(_header([a], [b]), [*there, *_turn("A", "movement"), *(stated for _ in range(count))])


def undone(count: int) -> bytes:
    """A move of many models that is taken back again and again."""
    a, b = _unit("a", 100), _unit("b", 100)
    there = [_deployed(a, 20, 20), _deployed(b, 20, 60)]
    first = [{**one, "models": list(one["models"])} for one in there]
    move = _moved(a, there[0], 1, 4)
    begun = [*first, *_turn("A", "movement")]
    lines = [move, {"type": "undo", "to": len(begun) + 2}]
    return _log(_header([a], [b]), [*begun, *(lines[n % 2] for n in range(count))])


SHAPES: Mapping[str, tuple[Callable[[int], bytes], int]] = {
    "corners of pieces, no game": (pieces, PIECES * CORNERS),
    "corners of pieces upon each other": (overlapping, PIECES * CORNERS),
    "100 models shoot at 100 past corners": (shots, 400),
    "hulls that pivot": (hulls, 4_000),
    "moves of one large unit": (one_unit, 1_000),
    "moves past many models": (many_units, 4_000),
    "charges of large units": (charges, 1_000),
    "moves of many points": (long_ways, 600),
    "moves between long numbers": (long_numbers, 3_000),
    "moves of which no number can be read": (unreadable, 1_000),
    "lines of dice": (dice, 19_900),
    "lines of dice in texts": (as_texts, 19_900),
    "moves that are too long": (faults, 2_000),
    "notes": (notes, 19_900),
    "whole positions": (positions, 2_000),
    "a move taken back again and again": (undone, 4_000),
}
