"""A second, slower way to every exact claim: the catalogue's section 16 written down line by line, in fractions.

It shares no code with the package. It looks at every hex and every hexside of the box around a segment and at
every direction of section 16.5, and keeps nothing between two questions.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import lcm

AROUND = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
CORNER = [(2, -1), (1, -2), (-1, -1), (-2, 1), (-1, 2), (1, 1)]

DEFAULTS = {
    "R-LOS-VERTEX": "clear",
    "R-LOS-EDGEMIX": "counts",
    "R-LOS-OFFBOARD": "blocked",
    "R-LOS-EDGEADJ": "geometric",
    "R-LOS-TIP": "pinch",
    "R-LOS-ALONG": "not_crossing",
    "R-LOS-OBST": "see_through",
    "R-OBS-POINT": "interior",
    "R-OBS-WIDTH": "line",
    "R-OBS-BARR": "shooter_best",
    "R-BAR-TIP": "pinch",
    "R-BAR-OWNER": "owner_hex",
    "R-DST-OCC": "passable",
    "R-DST-OBST": "passable",
}


@dataclass
class Scene:
    board: set | None = None
    blocked: set = field(default_factory=set)
    occupied: set = field(default_factory=set)
    sealed: set = field(default_factory=set)  # frozensets of two hexes
    obstructions: set = field(default_factory=set)
    barricades: set = field(default_factory=set)  # (hex, direction)


def sign(x):
    return (x > 0) - (x < 0)


def cross(u, v):
    return u[0] * v[1] - u[1] * v[0]


def centre(h):
    return (3 * h[0], 3 * h[1])


def minus(a, b):
    return (a[0] - b[0], a[1] - b[1])


@cache
def corners(h):
    return [(3 * h[0] + x, 3 * h[1] + y) for x, y in CORNER]


@cache
def ends(e):
    a, b = tuple(e)
    return sorted(set(corners(a)) & set(corners(b)))


def chord(h, s, d):
    """The open interval of t in which s + t d is inside the hex, or None."""
    low, high = None, None
    x, y = s[0] - 3 * h[0], s[1] - 3 * h[1]
    for value, slope in ((x - y, d[0] - d[1]), (x + 2 * y, d[0] + 2 * d[1]), (2 * x + y, 2 * d[0] + d[1])):
        if slope == 0:
            if not -3 < value < 3:
                return None
            continue
        one, two = sorted((Fraction(-3 - value, slope), Fraction(3 - value, slope)))
        low = one if low is None else max(low, one)
        high = two if high is None else min(high, two)
    return (low, high) if low < high else None


def inside(point, h):
    """1 inside, 0 on the border, -1 outside."""
    x, y = point[0] - 3 * h[0], point[1] - 3 * h[1]
    return sign(3 - max(abs(x - y), abs(x + 2 * y), abs(2 * x + y)))


def box(s, p):
    """Every hex near a segment."""
    xs, ys = sorted((s[0], p[0])), sorted((s[1], p[1]))
    return [
        (q, r)
        for q in range(int(xs[0] // 3) - 2, int(xs[1] // 3) + 4)
        for r in range(int(ys[0] // 3) - 2, int(ys[1] // 3) + 4)
    ]


def touches_straight(h, s, d):
    """Whether the endless straight line through s meets the hex or its border."""
    sides = {sign(cross(d, minus(v, s))) for v in corners(h)}
    return sides != {1} and sides != {-1}


def edges_of(hexes):
    return {frozenset((h, (h[0] + dq, h[1] + dr))) for h in hexes for dq, dr in AROUND}


def closed_hexes(scene, near, ends_, with_occupied):
    closed = {
        h
        for h in near
        if h in scene.blocked
        or (scene.board is not None and h not in scene.board)
        or (with_occupied and h in scene.occupied)
    }
    return closed - set(ends_)


def both_closed(h, g, closed, scene, o):
    def off(x):
        return scene.board is not None and x not in scene.board

    def merely(x):
        return not off(x) and x not in scene.blocked

    if o["R-LOS-OFFBOARD"] == "ignored" and (off(h) or off(g)):
        return False
    if h not in closed or g not in closed:
        return False
    if o["R-LOS-EDGEADJ"] == "strict" and frozenset((h, g)) in scene.sealed | scene.obstructions:
        return False
    return not (o["R-LOS-EDGEMIX"] == "same_kind" and merely(h) != merely(g))


def stopped(s, p, scene, ends_, with_occupied, o):
    """16.4a."""
    # Whole numbers for the direction: the segment is then s + t d for 0 < t < end.
    d = minus(p, s)
    scale = lcm(*(Fraction(part).denominator for part in d))
    d, end = tuple(int(part * scale) for part in d), Fraction(1, scale)
    near = [h for h in box(s, p) if touches_straight(h, s, d)]
    closed = closed_hexes(scene, near, ends_, with_occupied)
    sealed = set(scene.sealed)
    if o["R-LOS-OBST"] == "stops":
        sealed |= scene.obstructions

    def place(v):
        return Fraction(v[0] - s[0], d[0]) if d[0] else Fraction(v[1] - s[1], d[1])

    for h in closed:
        found = chord(h, s, d)
        if found and max(found[0], 0) < min(found[1], end):
            return True
    for e in edges_of(near):
        a, b = ends(e)
        ca, cb = sign(cross(d, minus(a, s))), sign(cross(d, minus(b, s)))
        if ca == cb == 0:
            one, two = sorted((place(a), place(b)))
            if max(one, 0) < min(two, end):
                if both_closed(*e, closed, scene, o):
                    return True
                if e in sealed and o["R-LOS-ALONG"] == "crossing":
                    return True
        elif e in sealed and ca * cb == -1:
            side = minus(b, a)
            if 0 < Fraction(cross(minus(a, s), side), cross(d, side)) < end:
                return True
    for v in {v for h in near for v in corners(h)}:
        if cross(d, minus(v, s)) != 0 or not 0 < place(v) < end:
            continue
        three = [h for h in box(v, v) if v in corners(h)]
        assert len(three) == 3

        def side_of(h, g, v=v):
            (far,) = set(ends(frozenset((h, g)))) - {v}
            return sign(cross(d, minus(far, v)))

        if o["R-LOS-VERTEX"] == "blocks":
            for h in three:
                g1, g2 = (g for g in three if g != h)
                if h in closed and side_of(h, g1) == side_of(h, g2) != 0:
                    return True
        tips = {side_of(h, g) for h in three for g in three if h < g and frozenset((h, g)) in sealed} - {0}
        if tips and o["R-LOS-TIP"] == "touch_blocks":
            return True
        if tips and o["R-LOS-TIP"] == "pinch":
            shut = set(tips)
            for h in three:
                if h in closed:
                    lies = {side_of(h, g) for g in three if g != h} - {0}
                    if len(lies) == 1:
                        shut |= lies
            if shut == {-1, 1}:
                return True
    return False


def clear(a, b, scene, o):
    return not stopped(centre(a), centre(b), scene, (a, b), True, o)


def candidates(a, b, scene):
    """16.5, steps 1 to 3: [(direction, whether in between two critical ones, whether an end of the cone)]."""
    s = centre(a)
    rays = [minus(v, s) for v in corners(b)]
    right = next(u for u in rays if all(cross(u, v) >= 0 for v in rays))
    left = next(u for u in rays if all(cross(u, v) <= 0 for v in rays))
    near = box(s, centre(b))
    critical = set(rays)
    for h in closed_hexes(scene, near, (a, b), False):
        critical |= {minus(v, s) for v in corners(h)}
    for e in scene.sealed | scene.obstructions:
        critical |= {minus(v, s) for v in ends(e)}
    critical = {
        u
        for u in critical
        if u != (0, 0)
        and cross(right, u) >= 0
        and cross(u, left) >= 0
        and (cross(right, u) + cross(u, left) > 0)
        and cross(right, left) > 0
        and not (u[0] * right[0] + u[1] * right[1] < 0 and cross(right, u) == 0)
        and not (u[0] * left[0] + u[1] * left[1] < 0 and cross(u, left) == 0)
    }
    kept = {}
    for u in critical:
        kept.setdefault(Fraction(cross(right, u), cross(right, u) + cross(u, left)), u)
    ordered = [kept[key] for key in sorted(kept)]
    assert cross(ordered[0], right) == 0 == cross(ordered[-1], left)
    found = [(u, False, u in (ordered[0], ordered[-1])) for u in ordered]
    found += [((u[0] + v[0], u[1] + v[1]), True, False) for u, v in pairwise(ordered)]
    return found


def at(s, t, d):
    return (s[0] + t * d[0], s[1] + t * d[1])


def obscured_lines(a, b, scene, o):
    """Every candidate point of 16.5 whose line is legal: [(point, whether a fan, point of entry)]."""
    s = centre(a)
    found = []
    for d, between, extreme in candidates(a, b, scene):
        if o["R-OBS-WIDTH"] == "width" and not between:
            continue
        points = []
        if extreme:
            if o["R-OBS-POINT"] == "closed":
                first = min(
                    (v for v in corners(b) if cross(d, minus(v, s)) == 0),
                    key=lambda v: (v[0] - s[0]) ** 2 + (v[1] - s[1]) ** 2,
                )
                points.append((first, first))
        else:
            t1, t2 = chord(b, s, d)
            entry = at(s, t1, d)
            points.append((at(s, (t1 + t2) / 2, d), entry))
            if o["R-OBS-POINT"] == "closed":
                points.append((entry, entry))
        found += [(p, between, entry) for p, entry in points if not stopped(s, p, scene, (a, b), False, o)]
    return found


def obscured(a, b, scene, o):
    return bool(obscured_lines(a, b, scene, o))


def classify(a, b, scene, o):
    return "clear" if clear(a, b, scene, o) else "obscured" if obscured(a, b, scene, o) else "none"


def aim_is_legal(a, b, point, scene, o):
    where = inside(point, b)
    if where < (0 if o["R-OBS-POINT"] == "closed" else 1):
        return False
    return not stopped(centre(a), point, scene, (a, b), False, o)


def barricade_on_way(entry, b, scene, o):
    """16.6 for one line, by its point of entry."""

    def carries(k):
        other = (b[0] + AROUND[k][0], b[1] + AROUND[k][1])
        return (b, k) in scene.barricades or (
            o["R-BAR-OWNER"] == "both_sides" and (other, (k + 3) % 6) in scene.barricades
        )

    touched = []
    for k in range(6):
        u, v = corners(b)[k - 1], corners(b)[k]
        if cross(minus(v, u), minus(entry, u)) == 0:
            touched.append(k)
    assert touched
    if len(touched) == 1:
        return carries(touched[0])
    tip = o["R-BAR-TIP"]
    if tip == "graze_ok":
        return False
    return (any if tip == "touch_blocks" else all)(carries(k) for k in touched)


def entry_of(a, b, point):
    """Where the segment first meets the closed target hex."""
    s, d = centre(a), minus(point, centre(a))
    found = chord(b, s, d)
    if found and found[0] <= 1:
        return at(s, found[0], d)
    on_ray = [v for v in corners(b) if cross(d, minus(v, s)) == 0]
    return min(on_ray, key=lambda v: (v[0] - s[0]) ** 2 + (v[1] - s[1]) ** 2)


def barricade(a, b, sight, scene, aim, o):
    if sight == "none":
        return None
    if sight == "clear" or o["R-OBS-BARR"] == "centre_line":
        return barricade_on_way(entry_of(a, b, centre(b)), b, scene, o)
    if o["R-OBS-BARR"] == "declared_line":
        if aim is None or not aim_is_legal(a, b, aim, scene, o):
            # No line counts: decided only where every legal one says the same.
            found = {barricade_on_way(entry, b, scene, o) for _, _, entry in obscured_lines(a, b, scene, o)}
            return found.pop() if len(found) == 1 else None
        return barricade_on_way(entry_of(a, b, aim), b, scene, o)
    lines = obscured_lines(a, b, scene, o)
    return all(barricade_on_way(entry, b, scene, o) for _, _, entry in lines) if lines else None


def distance(a, b, scene, o, limit=60):
    """16.7, breadth first."""
    shut = set(scene.sealed)
    if o["R-DST-OBST"] == "stops":
        shut |= scene.obstructions
    ahead, seen = deque([(a, 0)]), {a}
    while ahead:
        here, n = ahead.popleft()
        if here == b:
            return n
        if n == limit:
            return None
        for dq, dr in AROUND:
            there = (here[0] + dq, here[1] + dr)
            if there in seen or frozenset((here, there)) in shut:
                continue
            if there != b and (
                there in scene.blocked
                or (scene.board is not None and there not in scene.board)
                or (o["R-DST-OCC"] == "stops" and there in scene.occupied)
            ):
                continue
            seen.add(there)
            ahead.append((there, n + 1))
    return None
