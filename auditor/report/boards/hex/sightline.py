"""A line of sight drawn: what its centre line meets, where it stops, the line used and the part that can be seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from auditor.report.boards.hex import plane
from auditor.report.boards.hex.plane import RING, RING_TOP, Hex, hex_path, spot
from auditor.report.boards.hex.room import Room
from auditor.report.boards.hex.signs import BADGES
from auditor.report.boards.pen import Sight, Spot, arrowhead, mix, num, stroke


@dataclass(frozen=True)
class Contact:
    """A thing that the centre line meets: its crossing, and where along the line it begins and ends (0 to 1)."""

    n: int
    how: str
    stops: bool
    reached: bool
    places: tuple[Hex, ...]
    is_edge: bool
    span: tuple[Fraction, Fraction] | None
    closed: bool | None


def contacts(sight: Sight) -> list[Contact]:
    """The crossings of a sight, in its order, each with the part of the line it takes."""
    start, end = plane.place(sight["from"]), plane.place(sight["to"])
    stop = sight.get("stop")
    out = []
    reached = True
    for i, crossing in enumerate(sight.get("crossings") or (), 1):
        n = crossing.get("n", i)
        stops = bool(crossing.get("stops")) or (stop is not None and n == stop)
        edge = crossing.get("edge")
        places = tuple((int(p[0]), int(p[1])) for p in (edge if edge else crossing.get("hexes") or ()))
        span = None
        if edge:
            ends = plane.hexside(*places) if len(places) == 2 else None
            span = plane.met_edge(start, end, ends) if ends else None
        elif places:
            met = [m for m in (plane.met_hex(start, end, p) for p in places) if m is not None]
            # A line through a corner or along a hexside is told by all the hexes named: what they have in common.
            if met:
                low, high = max(m[0] for m in met), min(m[1] for m in met)
                span = (low, high) if low <= high else met[0]
        how = str(crossing.get("how"))
        out.append(Contact(n, how, stops and reached, reached, places, bool(edge), span, crossing.get("closed")))
        if stop is not None and n == stop:
            reached = False
    return out


def badge(contact: Contact, at: Spot | None = None) -> str:
    """The numbered mark of a contact, for the picture (at a place) or for the list beside it."""
    state = " stop" if contact.stops else "" if contact.reached else " idle"
    shape = BADGES.get(contact.how, BADGES["through"])
    low = {"door_end": 5.2}.get(contact.how, 3.7)
    where = f' transform="translate({num(at[0])} {num(at[1])})"' if at else ""
    return f'<g class="mk{state}"{where}>{shape}<text y="{low}">{contact.n}</text></g>'


def _corners(polygon: Iterable[Sequence[Any]]) -> list[plane.Place]:
    return [plane.place(p) for p in polygon]


def seen_part(sight: Sight) -> str:
    """The part of the target's hex that can be seen, hatched, and the fan of lines that reach it."""
    start = plane.place(sight["from"])
    out = []
    for polygon in sight.get("seen") or ():
        points = _corners(polygon)
        if len(points) < 3:
            continue
        outer = plane.extremes(start, points)
        if outer:
            d = "L".join(f"{num(x)} {num(y)}" for x, y in map(spot, (start, *outer)))
            out.append(f'<path class="fan" d="M{d}z"/>')
        d = "L".join(f"{num(x)} {num(y)}" for x, y in map(spot, points))
        out.append(f'<path class="seen" fill="url(#p-seen)" d="M{d}z"/>')
    return "".join(out)


def closers(found: Sequence[Contact], kinds: Mapping[Hex, str], taken: Mapping[Hex, Any]) -> str:
    """The hexes that stop the line: blocked and off-board ones in a solid outline, occupied ones in a dashed one."""
    out = []
    for contact in found:
        if not contact.stops or contact.is_edge:
            continue
        for at in contact.places:
            shut = kinds.get(at) in ("blocked", None)
            if not shut and at not in taken:
                continue
            if at not in kinds:
                out.append(hex_path("ghosthex", [at]))
            out.append(hex_path("closer-bg", [at], RING, RING_TOP))
            out.append(hex_path("closer" if shut else "closer occ", [at], RING, RING_TOP))
    return "".join(out)


def centre_line(sight: Sight, found: Sequence[Contact]) -> str:
    """The centre line, solid to where it stops and dotted beyond, and the hexsides it runs along or is stopped by."""
    start, end = plane.place(sight["from"]), plane.place(sight["to"])
    a, b = spot(start), spot(end)
    stopper = next((c for c in found if c.stops and c.span), None)
    stop = spot(plane.between(start, end, stopper.span[0])) if stopper and stopper.span else b
    out = [stroke("ray under", a, stop)]
    if stopper:
        out.append(stroke("ray beyond", stop, b))
    out.append(stroke("ray", a, stop))
    for c in found:
        if c.is_edge:
            ends = plane.hexside(*c.places) if len(c.places) == 2 else None
            if c.stops and ends:
                p, q = spot(ends[0]), spot(ends[1])
                out.append(stroke("shut-bg", p, q) + stroke("shut", mix(p, q, 0.04), mix(p, q, 0.96)))
        elif c.span and c.span[0] < c.span[1] and c.how == "along":
            p, q = (spot(plane.between(start, end, t)) for t in c.span)
            if c.stops:
                out.append(stroke("shut-bg", p, q) + stroke("shut", mix(p, q, 0.04), mix(p, q, 0.96)))
            else:
                out.append(stroke("rail", p, q))
    return "".join(out)


def used_line(sight: Sight) -> tuple[str, str]:
    """The line used, in long dashes with a head (under the tokens), and its aim point (above them)."""
    line = sight.get("line")
    if not line:
        return "", ""
    start, aim = plane.place(sight["from"]), plane.place(line["to"])
    a, b = spot(start), spot(aim)
    point = f'<circle class="aimpt" cx="{num(b[0])}" cy="{num(b[1])}" r="3.6"/>'
    return stroke("aim", a, b), arrowhead("aim head", mix(a, b, 0.86), mix(a, b, 0.93)) + point


ALONG_IT = (6, 5, 7, 4, 8, 3, 9, 2, 10, 1, 11)
"""Where on its part of the line a numbered sign is tried, in twelfths: from the middle outwards."""
HALVES = {"along": (14.0, 8.6), "corner": (12.2, 12.2), "door_end": (13.5, 13.3), "door_along": (17.5, 8.6)}
"""Half the width and height of a numbered sign where it is largest, on a phone."""


def contact_badges(sight: Sight, found: Sequence[Contact], room: Room) -> str:
    """The numbered signs on the line, each on its part of it where there is room, else beside it."""
    start, end = plane.place(sight["from"]), plane.place(sight["to"])
    out = []
    for c in found:
        if c.span is None:
            continue
        low, high = c.span
        on_it = [spot(plane.between(start, end, low + (high - low) * n / 12)) for n in ALONG_IT]
        at, leader = room.find(HALVES.get(c.how, (9.5, 9.5)), on_it if low < high else on_it[:1])
        out.append(leader + badge(c, at))
    return "".join(out)
