"""What is written on the drawing of a board, measured from its SVG: no words over others, over a base or over a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from math import cos, hypot, pi, sin

from auditor.report.boards.hex.signs import BADGES
from auditor.report.boards.inches.labels import HIGH, width_of

Spot = tuple[float, float]
Box = tuple[float, float, float, float]
_PLACED = re.compile(
    r'<text class="(?P<kind>len|reach|uname)[^"]*" x="(?P<x>[^"]+)" y="(?P<y>[^"]+)">(?P<text>[^<]+)</text>'
    r'|<g class="(?P<sign>let far|mk[^"]*)" transform="translate\((?P<u>\S+) (?P<v>\S+)\)">'
)
_BASE = re.compile(
    r'<g class="unit[^"]*" transform="translate\((\S+) (\S+)\)"><title>.*?</title><circle class="tok" r="([^"]+)"'
)
_HULL = re.compile(r'<path class="tok" d="M([^"]+)z"')
_LINE = re.compile(r'<path class="(?:act thin|ray|aim|walk|fire|nose|tick|range)(?: bad| beyond)?" d="M([^"]+?)z?"')
_RIM = re.compile(r'<circle class="(?:range|zone|ringed|ghost)[^"]*" cx="([^"]+)" cy="([^"]+)" r="([^"]+)"')
_SIGN = {"let far": 18.0, "mk": 18.6}


def written(drawn: str) -> list[tuple[str, Box]]:
    """The words and signs on a drawing, each with its room."""
    found = []
    for one in _PLACED.finditer(drawn):
        if one["kind"]:
            text = re.sub(r"&#?\w+;", "_", one["text"])
            x, y, wide = float(one["x"]), float(one["y"]), width_of(text)
            found.append((text, (x - wide / 2, y - HIGH * 0.75, x + wide / 2, y + HIGH * 0.25)))
        else:
            x, y, half = float(one["u"]), float(one["v"]), _SIGN[one["sign"] if one["sign"] == "let far" else "mk"] / 2
            found.append((one["sign"], (x - half, y - half, x + half, y + half)))
    return found


def bases(drawn: str) -> list[tuple[Spot, float]]:
    return [((float(x), float(y)), float(r)) for x, y, r in _BASE.findall(drawn)]


def lines(drawn: str) -> list[tuple[Spot, Spot]]:
    """All that is drawn as a line, in straight parts; the sides of hulls too."""
    found: list[tuple[Spot, Spot]] = []
    for d in _LINE.findall(drawn):
        if "A" in d:
            continue
        if "Q" in d:
            start, over, end = (tuple(map(float, part.split())) for part in _quadratic(d))
            found += pairwise([_bow(start, over, end, n / 12) for n in range(13)])  # type: ignore[arg-type]
            continue
        spots = [_spot(part) for part in d.split("L")]
        found += pairwise(spots)
    for d in _HULL.findall(drawn):
        spots = [_spot(part) for part in d.split("L")]
        found += pairwise((*spots, spots[0]))
    for x, y, r in ((float(x), float(y), float(r)) for x, y, r in _RIM.findall(drawn)):
        found += pairwise([(x + r * cos(pi * n / 24), y + r * sin(pi * n / 24)) for n in range(49)])
    return found


def _quadratic(d: str) -> Iterator[str]:
    start, rest = d.split("Q")
    u, v, x, y = rest.split()
    yield from (start, f"{u} {v}", f"{x} {y}")


def _bow(a: Spot, b: Spot, c: Spot, t: float) -> Spot:
    x, y = (a[i] * (1 - t) ** 2 + 2 * b[i] * t * (1 - t) + c[i] * t * t for i in (0, 1))
    return x, y


def _spot(part: str) -> Spot:
    x, y = part.split()
    return float(x), float(y)


def overlaps(drawn: str) -> list[str]:
    """What lies over what, in words."""
    placed, said = written(drawn), []
    for (one, a), (other, b) in combinations(placed, 2):
        if a[0] < b[2] - 0.2 and b[0] < a[2] - 0.2 and a[1] < b[3] - 0.2 and b[1] < a[3] - 0.2:
            said.append(f"{one!r} over {other!r}")
    for one, box in placed:
        for (x, y), radius in bases(drawn):
            if hypot(max(box[0] - x, 0, x - box[2]), max(box[1] - y, 0, y - box[3])) < radius - 0.2:
                said.append(f"{one!r} over a base")
        said += [f"{one!r} over a line" for a, b in lines(drawn) if _meets(box, a, b)]
    return said


def _meets(box: Box, a: Spot, b: Spot) -> bool:
    """Whether a straight line has a point well within a box."""
    low, high = 0.0, 1.0
    for axis in (0, 1):
        start, run = a[axis], b[axis] - a[axis]
        first, last = box[axis] + 0.2, box[axis + 2] - 0.2
        if abs(run) < 1e-9:
            if not first < start < last:
                return False
            continue
        ends = sorted(((first - start) / run, (last - start) / run))
        low, high = max(low, ends[0]), min(high, ends[1])
    return low < high


_SIGN_OF_HEXES = re.compile(r'<g class="(let|mk)[^"]*" transform="translate\((\S+) (\S+)\)">(<.*?>)<text[^>]*>([^<]+)<')
_STEP = re.compile(r'<g transform="translate\((\S+) (\S+)\)"><circle r="6"/><text y="3">(\d+)<')
_COORDINATE = re.compile(r'<text(?: class="onb")? x="(\S+)" y="(\S+)">([^<]+)<')
_TOKEN = re.compile(r'<g class="unit [^"]*" transform="translate\((\S+) (\S+)\)">')
_RUN = re.compile(r'<path class="(?:act|shot|ray|sided|shut|walk)(?: bad| beyond)?" d="M([^"A-Z]+(?:L[^"A-Z]+)+)"')
HALF = {"through": (8.2, 8.2), "along": (12, 7.4), "corner": (10.6, 10.6), "door": (8, 8), "door_end": (11.5, 11.5)}
HALF |= {"door_along": (15, 7.4)}
PHONE = 1.15
"""How much larger signs are on a phone."""


def signs_of_hexes(drawn: str) -> list[tuple[str, Box]]:
    """The letters, numbered signs and steps on a drawing of hexes, each with its room on a phone."""
    shapes = {shape: HALF[how] for how, shape in BADGES.items()}
    found = []
    for kind, u, v, shape, text in _SIGN_OF_HEXES.findall(drawn):
        x, y, (wide, high) = float(u), float(v), (6.5, 6.5) if kind == "let" else shapes[shape]
        found.append((f"{kind} {text}", (x - wide * PHONE, y - high * PHONE, x + wide * PHONE, y + high * PHONE)))
    for u, v, n in _STEP.findall(drawn):
        x, y = float(u), float(v)
        found.append((f"step {n}", (x - 8, y - 8, x + 8, y + 8)))
    return found


def overlaps_of_hexes(drawn: str) -> list[str]:
    """What lies over what on a drawing of hexes, in words. A numbered sign and a step lie on their own line."""
    signs, said = signs_of_hexes(drawn), []
    around = re.search(r'<g class="coord">(.*?)</g>', drawn)
    places = [
        (text, (float(x) - 2.6 * len(text), float(y) - 7, float(x) + 2.6 * len(text), float(y)))
        for x, y, text in _COORDINATE.findall(around[1] if around else "")
    ]
    runs = [pair for d in _RUN.findall(drawn) for pair in pairwise([_spot(part) for part in d.split("L")])]
    for n, (one, a) in enumerate(signs):
        for other, b in (*signs[:n], *places):
            if a[0] < b[2] - 0.2 and b[0] < a[2] - 0.2 and a[1] < b[3] - 0.2 and b[1] < a[3] - 0.2:
                said.append(f"{one!r} over {other!r}")
        for x, y in _TOKEN.findall(drawn):
            spot = (max(a[0] - float(x), 0, float(x) - a[2]), max(a[1] - float(y), 0, float(y) - a[3]))
            said += [f"{one!r} over a unit"] if hypot(*spot) < 17.5 else []
        said += [f"{one!r} over a line" for p, q in runs if one.startswith("let") and _meets(a, p, q)]
    return said
