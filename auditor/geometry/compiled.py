"""What shapely said of the lines of a board, kept with the program, so that a program that starts need not ask again.

A straight line from the centre of (0, 0) meets the same hexes whatever it is drawn for, so one list for each direction
serves every board. `compiled.json` holds those of every line from a hex to a centre or corner at most `REACH` steps
away, of one sixth of the plane; the other sixths are that one turned. It is written by
`python -m auditor.geometry.compiled`, and a test makes it anew and compares. A file that is damaged, or that another
version of the geometry wrote, is not used: shapely is asked instead.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from math import gcd
from pathlib import Path
from typing import Any, Literal

from auditor.geometry.hexes import Hex, Point, centre, corners, disc, steps, turned

REACH = 16
MADE_BY = "auditor.geometry 1"
"""Which geometry wrote the file; raised whenever what a line meets is worked out differently."""
FILE = Path(__file__).with_name("compiled.json")
Kind = Literal["through", "along", "corner"]
KINDS: tuple[Kind, ...] = ("through", "along", "corner")


def met_by(direction: Point, target: Hex) -> dict[Hex, Kind] | None:
    """How the line from (0, 0) in a direction meets each hex that is at most one step further away than `target`:
    "through", "along" or "corner". None where that was not compiled."""
    furthest = steps((0, 0), target) + 1
    if furthest > REACH + 1:
        return None
    divisor = gcd(*direction)
    x, y = direction[0] // divisor, direction[1] // divisor
    sixths = 0
    while not _in_first_sixth((x, y)):
        x, y = turned((x, y), 1)
        sixths += 1
    flat = _directions().get(f"{x},{y}")
    if flat is None:
        return None
    (a, b), (c, d) = turned((1, 0), -sixths), turned((0, 1), -sixths)
    return {
        (a * q + c * r, b * q + d * r): kind
        for kind, numbers in zip(KINDS, flat, strict=True)
        for q, r in zip(numbers[::2], numbers[1::2], strict=True)
        if max(abs(q), abs(r), abs(q + r)) <= furthest
    }


def _in_first_sixth(direction: Point) -> bool:
    return direction[0] > 0 and direction[1] >= 0


@cache
def _directions() -> dict[str, list[list[int]]]:
    """For each direction the hexes met in each of `KINDS`, as q, r, q, r …; empty where the file cannot be used."""
    try:
        head, body = FILE.read_bytes().split(b"\n", 1)
        if json.loads(head) != _head(body):
            return {}
        directions: dict[str, list[list[int]]] = json.loads(body)
        return directions
    except (OSError, ValueError):
        return {}


def _head(body: bytes) -> dict[str, Any]:
    return {"made_by": MADE_BY, "reach": REACH, "sha256": hashlib.sha256(body).hexdigest()}


def compile_all() -> bytes:
    """The content of the file, by shapely."""
    from auditor.geometry.lines import by_shapely

    beside = [hex_ for hex_ in disc(REACH + 2) if hex_ != (0, 0) and min(hex_) >= -1]
    points = {point for hex_ in disc(REACH) if hex_ != (0, 0) for point in (centre(hex_), *corners(hex_))}
    directions = {(x // gcd(x, y), y // gcd(x, y)) for x, y in points}
    directions |= {(x // gcd(x, y), y // gcd(x, y)) for x, y in corners((0, 0))}
    lines = []
    for direction in sorted(filter(_in_first_sixth, directions)):
        times = 3 * (REACH + 4) // max(direction) + 1
        kinds = by_shapely((times * direction[0], times * direction[1]), beside)
        flat = [[part for hex_ in sorted(kinds) if kinds[hex_] == kind for part in hex_] for kind in KINDS]
        lines.append(f'"{direction[0]},{direction[1]}":{json.dumps(flat, separators=(",", ":"))}')
    body = ("{\n" + ",\n".join(lines) + "\n}\n").encode()
    return json.dumps(_head(body)).encode() + b"\n" + body


if __name__ == "__main__":
    FILE.write_bytes(compile_all())
