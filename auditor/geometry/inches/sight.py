"""Sight between bases: whether some straight segment from one base to the other passes outside every blocking polygon.

Touching a side or a corner does not block, and a piece of ground that one of the two bases stands in does not block
for that pair. If any segment is free, it can be slid and turned until it touches two things, each a corner of a
blocker or one of the bases: so only the lines that do are looked at (the centre line first). All of these have
directions in one quadratic field Q(sqrt d), so every question about them is a sign of a + b sqrt(d) with integers.

Floats find free lines that keep clear of everything, single blockers that hide all, and lines that are certainly
blocked. What they leave open is decided by the integers (`exact_lines`). Source: Calixtus catalogue 2.7.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import hypot

from auditor.geometry.effort import count
from auditor.geometry.inches.exact_lines import Round, Scene, lines_touching
from auditor.geometry.inches.shapes import (
    NEAR,
    Circle,
    Point,
    Polygon,
    Shape,
    about_in,
    centroid,
    gap,
    overlap,
    polygon,
)

CLEAR, BLOCKED, OPEN = 0, 1, -1
_MARGIN = 1e-4
"""Inches along a line within which floats do not say on which side of a base a blocker is crossed."""
_OFFSETS = (0.0, 0.97, -0.97, 0.5, -0.5)

Floats = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Blocker:
    """A piece of ground that stops sight. `height` None: at every height.

    stands  a base that overlaps one of these stands in it and is not blocked by it; None: the area itself
    """

    area: Polygon
    height: Fraction | None = None
    stands: tuple[Polygon, ...] | None = None


@dataclass(frozen=True, slots=True)
class Sight:
    """What can be seen from one base of another.

    visible  None where it hangs on a height that is not known, or on where along the line a blocker is passed
    line     a free line, or else the line between the centres; its ends, in floats, for drawing
    stops    the places (in the list of blockers) of those that the line between the centres runs through
    """

    visible: bool | None
    line: tuple[Floats, Floats]
    stops: tuple[int, ...]


class Piece:
    """A blocker made ready: its corners in floats, a circle round it, and chords that lie in it. `around`: each corner
    with those beside it."""

    __slots__ = ("area", "around", "chords", "corners", "place", "reach", "stands", "x", "y")

    def __init__(self, place: int, area: Polygon, stands: tuple[Polygon, ...] | None = None) -> None:
        self.place = place
        self.area = area
        self.corners = area.floats
        x0, y0, x1, y1 = area.box
        self.x, self.y = (x0 + x1) / 2, (y0 + y1) / 2
        self.stands = (area,) if stands is None else stands
        every = [point for one in (area, *self.stands) for point in one.floats]
        self.reach = max(hypot(x - self.x, y - self.y) for x, y in every) + NEAR
        n = len(area.floats)
        self.around = [(place, area.floats[i - 1], area.floats[i], area.floats[(i + 1) % n]) for i in range(n)]
        pairs = combinations(range(n), 2) if area.convex and n <= 12 else ((i - 1, i) for i in range(n))
        # A chord along a side is no part of the inside: what crosses it between its ends crosses the inside too.
        self.chords = [(area.floats[i], area.floats[j]) for i, j in pairs]


class Ground:
    """The blockers of a table, made ready for many questions."""

    def __init__(self, blockers: Iterable[Blocker]) -> None:
        self.blockers = tuple(blockers)
        self.pieces = tuple(Piece(place, one.area, one.stands) for place, one in enumerate(self.blockers))
        self._bitangents: dict[tuple[int, int], list[tuple[Point, Point]]] = {}
        self._moved: dict[Fraction, Ground] = {}

    def moved(self, by: Fraction) -> Ground:
        """The same table with every side of every blocker moved outwards by `by` inches (inwards: below zero)."""
        if by not in self._moved:
            self._moved[by] = Ground(with_margin(self.blockers, by))
        return self._moved[by]

    def bitangents(self) -> list[tuple[int, int, Point, Point]]:
        """The lines through two corners that have the sides at each of these corners on one side of them, each with the
        places of their pieces."""
        return [
            (one.place, other.place, *ends)
            for one, other in combinations_with_replacement(self.pieces, 2)
            for ends in self._between(one, other)
        ]

    def _between(self, one: Piece, other: Piece) -> list[tuple[Point, Point]]:
        """Those of one piece and another, or of one piece alone; looked for when somebody asks."""
        key = (one.place, other.place)
        found = self._bitangents.get(key)
        if found is None:
            count(2 * len(one.around) * len(other.around))
            if one is other:
                pairs: Iterable[tuple[int, int]] = combinations(range(len(one.around)), 2)
            else:
                pairs = product(range(len(one.around)), range(len(other.around)))
            found = self._bitangents[key] = [
                (one.area.corners[i], other.area.corners[j])
                for i, j in pairs
                if _supports(one.around[i], other.corners[j]) and _supports(other.around[j], one.corners[i])
            ]
        return found

    # -- one pair of bases -----------------------------------------------------------------------------------------

    def sees(self, a: Shape, b: Shape, *, ignoring: frozenset[int] = frozenset()) -> bool:
        """Whether some point of `b` can be seen from some point of `a`, with all blockers as high as can be."""
        if _meet(a, b):
            return True
        pair = _Pair(a, b, [p for p in self.pieces if p.place not in ignoring])
        if not pair.pieces:
            return True
        answer = pair.by_floats()
        return self._by_lines(pair) if answer is None else answer

    def sees_exactly(self, a: Shape, b: Shape, *, ignoring: frozenset[int] = frozenset()) -> bool:
        """The same without the floats that sort out most pairs: every line that may be the free one is looked at."""
        if _meet(a, b):
            return True
        pair = _Pair(a, b, [p for p in self.pieces if p.place not in ignoring])
        return not pair.pieces or self._by_lines(pair)

    def sight(self, a: Shape, b: Shape, heights: tuple[Fraction | None, Fraction | None] = (None, None)) -> Sight:
        """What can be seen of `b` from `a`. `heights`: of the eyes of `a` and of the top of `b` above the table."""
        never, _ = self._by_height(heights)
        visible = self.visible(a, b, heights)
        (ax, ay), (bx, by) = centroid(a), centroid(b)
        line = ((float(ax), float(ay)), (float(bx), float(by)))
        if line[0] == line[1]:
            return Sight(visible, line, ())  # One stands on the other; there is nothing between their centres.
        pair = _Pair(a, b, [p for p in self.pieces if p.place not in never])
        stops: tuple[int, ...] = ()
        if pair.pieces:
            middles = Point(ax, ay), Point(bx, by)
            scene = pair.scene(*middles)
            stops = scene.stops(*lines_touching(*map(scene.point, middles)))
        if visible and stops:
            line = pair.free_line() or line
        return Sight(visible, line, tuple(pair.pieces[i].place for i in stops))

    def visible(
        self, a: Shape, b: Shape, heights: tuple[Fraction | None, Fraction | None] = (None, None)
    ) -> bool | None:
        """Whether anything can be seen of `b` from `a`; None as in `Sight`."""
        never, partly = self._by_height(heights)
        if self.sees(a, b, ignoring=never):
            return True
        return None if partly and self.sees(a, b, ignoring=never | partly) else False

    def _by_height(self, heights: tuple[Fraction | None, Fraction | None]) -> tuple[frozenset[int], frozenset[int]]:
        """The blockers that a line at these heights passes over everywhere, and those that it may pass over."""
        never, partly = set(), set()
        low = None if None in heights else min(h for h in heights if h is not None)
        high = None if None in heights else max(h for h in heights if h is not None)
        for place, blocker in enumerate(self.blockers):
            if blocker.height is None:
                continue
            if low is None or high is None:
                partly.add(place)
            elif blocker.height <= low:
                never.add(place)
            elif blocker.height < high:
                partly.add(place)
        return frozenset(never), frozenset(partly)

    def _by_lines(self, pair: _Pair) -> bool:
        """Whether one of the lines that touch two things is free."""
        scene = pair.scene()
        between = (
            (scene.point(first), scene.point(second))
            for one, other in combinations_with_replacement(pair.pieces, 2)
            for first, second in self._between(one, other)
        )
        for first, second in pair.touched(scene, between):
            count(20)
            for line in lines_touching(first, second):
                if pair.about(*line.about(scene.scale)) != BLOCKED and scene.free(line):
                    return True
        return False


class _Pair:
    """Two bases that do not meet, and the pieces that may stand between them."""

    def __init__(self, a: Shape, b: Shape, pieces: Iterable[Piece]) -> None:
        self.a, self.b = a, b
        self.ax, self.ay, self.ar = _about(a)
        self.bx, self.by, self.br = _about(b)
        dx, dy = self.bx - self.ax, self.by - self.ay
        self.span = hypot(dx, dy)
        self.ux, self.uy = dx / self.span, dy / self.span
        wide = max(self.ar, self.br) + NEAR
        self.pieces: list[Piece] = []
        pieces = list(pieces)
        count(5 + len(pieces))
        for piece in pieces:
            wx, wy = piece.x - self.ax, piece.y - self.ay
            if abs(self.ux * wy - self.uy * wx) > piece.reach + wide:
                continue
            along = self.ux * wx + self.uy * wy
            if along + piece.reach + self.ar < 0 or along - piece.reach - self.br > self.span:
                continue
            if not (_stands_in(a, piece, self.ax, self.ay, self.ar) or _stands_in(b, piece, self.bx, self.by, self.br)):
                self.pieces.append(piece)

    def scene(self, *points: Point) -> Scene:
        return Scene(self.a, self.b, [piece.area for piece in self.pieces], points)

    def by_floats(self) -> bool | None:
        """The answer where it is far from any limit."""
        if self._between(0.0, 0.0) == CLEAR:
            return True
        if any(self._hidden_by(piece) for piece in self.pieces):
            return False
        for first in _OFFSETS:
            for second in _OFFSETS:
                if self._between(first, second) == CLEAR:
                    return True
        return None

    def free_line(self) -> tuple[Floats, Floats] | None:
        """A free line with some room, for drawing."""
        steps = [i / 16 for i in range(-16, 17)]
        for first in steps:
            for second in steps:
                if self._between(first * 0.999, second * 0.999) == CLEAR:
                    return self._ends(first * 0.999, second * 0.999)
        return None

    def _ends(self, first: float, second: float) -> tuple[Floats, Floats]:
        a, b = first * self.ar, second * self.br
        return (self.ax - self.uy * a, self.ay + self.ux * a), (self.bx - self.uy * b, self.by + self.ux * b)

    def _between(self, first: float, second: float) -> int:
        """How the segment between two points, each beside a centre by a part of its radius, fares."""
        if (first and not isinstance(self.a, Circle)) or (second and not isinstance(self.b, Circle)):
            return OPEN
        (px, py), (qx, qy) = self._ends(first, second)
        dx, dy = qx - px, qy - py
        far = hypot(dx, dy)
        return self.about(-dy / far, dx / far, (px * -dy + py * dx) / far)

    def about(self, nx: float, ny: float, k: float) -> int:
        """How the line n . p = k fares between the bases, as far as floats can tell. It meets both bases, or nearly."""
        count(6 + len(self.pieces))
        if (
            abs(nx * self.ax + ny * self.ay - k) > self.ar + NEAR
            or abs(nx * self.bx + ny * self.by - k) > self.br + NEAR
        ):
            return BLOCKED
        start, end = ny * self.ax - nx * self.ay, ny * self.bx - nx * self.by
        if start > end:
            nx, ny, k, start, end = -nx, -ny, -k, -start, -end
        if not isinstance(self.a, Circle):
            start -= self.ar
        if not isinstance(self.b, Circle):
            end += self.br
        answer = CLEAR
        for piece in self.pieces:
            side, along, reach = nx * piece.x + ny * piece.y - k, ny * piece.x - nx * piece.y, piece.reach
            if side > reach or side < -reach or along + reach < start or along - reach > end:
                continue
            one = _crossed(piece, nx, ny, k, start, end)
            if one == BLOCKED and isinstance(self.a, Circle) and isinstance(self.b, Circle):
                return BLOCKED
            if one != CLEAR:
                answer = OPEN
        return answer

    def _hidden_by(self, piece: Piece) -> bool:
        """Whether one chord of a piece certainly parts the two bases: every segment between them crosses it."""
        count(len(piece.chords))
        for (px, py), (qx, qy) in piece.chords:
            dx, dy = qx - px, qy - py
            far = hypot(dx, dy)
            a = (dx * (self.ay - py) - dy * (self.ax - px)) / far
            b = (dx * (self.by - py) - dy * (self.bx - px)) / far
            if a > 0:
                if a < self.ar + NEAR or b > -self.br - NEAR:
                    continue
            elif a > -self.ar - NEAR or b < self.br + NEAR:
                continue
            if self._outside(px, py) * self._outside(qx, qy) < 0:
                return True
        return False

    def _outside(self, x: float, y: float) -> int:
        """1 or -1 where a point lies certainly to the left or right of the hull of the bases, seen along their line."""
        wx, wy = x - self.ax, y - self.ay
        side = self.ux * wy - self.uy * wx
        along = self.ux * wx + self.uy * wy
        # The outer tangents lie at ar + share * (br - ar), divided by the cosine of their slope.
        slope = (self.br - self.ar) / self.span
        if abs(slope) >= 1:
            return 0
        edge = (self.ar + along * slope) / (1 - slope * slope) ** 0.5 + NEAR
        if edge <= 2 * NEAR:  # Beyond the place where the tangents meet, left and right change places.
            return 0
        return 1 if side > edge else -1 if -side > edge else 0

    def touched(self, scene: Scene, between: Iterable[tuple[Round, Round]]) -> Iterator[tuple[Round, Round]]:
        """Every two things that a free line may touch. `between`: the pairs of corners of blockers."""
        for one in scene.a:
            for other in scene.b:
                yield one, other
        for place, piece in enumerate(self.pieces):
            whole = scene.areas[place]
            count(2 * len(piece.around))
            for i, around in enumerate(piece.around):
                for base in (*scene.a, *scene.b):
                    if base.r or _supports(around, (base.x / scene.scale, base.y / scene.scale)):
                        yield Round(*whole[i], 0), base
        yield from between


def _supports(corner: tuple[int, Floats, Floats, Floats], other: Floats) -> bool:
    """Whether a line from a corner to `other` may have both sides of that corner on one side of it."""
    _, (ax, ay), (x, y), (bx, by) = corner
    dx, dy = other[0] - x, other[1] - y
    first, second = dx * (ay - y) - dy * (ax - x), dx * (by - y) - dy * (bx - x)
    return first * second >= 0 or min(abs(first), abs(second)) < NEAR * (1 + abs(dx) + abs(dy))


def _crossed(piece: Piece, nx: float, ny: float, k: float, start: float, end: float) -> int:
    """How a line fares with one piece between two places on it."""
    count(len(piece.corners))
    sides = [nx * x + ny * y - k for x, y in piece.corners]
    low, high = min(sides), max(sides)
    if low > NEAR or high < -NEAR:
        return CLEAR
    if low > -NEAR or high < NEAR:
        return OPEN
    places = [ny * x - nx * y for x, y in piece.corners]
    if min(places) > start + _MARGIN and max(places) < end - _MARGIN:
        return BLOCKED
    met: list[float] = []
    for i, side in enumerate(sides):
        before = sides[i - 1]
        if (before < 0) != (side < 0):
            met.append(places[i - 1] + (places[i] - places[i - 1]) * before / (before - side))
    if max(met) < start - _MARGIN or min(met) > end + _MARGIN:
        return CLEAR
    if min(met) > start + _MARGIN and max(met) < end - _MARGIN:
        return BLOCKED
    return OPEN


def _about(shape: Shape) -> tuple[float, float, float]:
    """A circle round a shape, in floats."""
    if isinstance(shape, Circle):
        return shape.fx, shape.fy, shape.fr
    middle = centroid(shape)
    x, y = float(middle.x), float(middle.y)
    return x, y, max(hypot(px - x, py - y) for px, py in shape.floats)


def _stands_in(shape: Shape, piece: Piece, x: float, y: float, r: float) -> bool:
    """Whether a base overlaps a piece of ground. Floats answer for round bases that are far from touching its edge."""
    if hypot(piece.x - x, piece.y - y) > piece.reach + r + NEAR:
        return False
    return any(_overlaps(shape, area, x, y, r) for area in piece.stands)


def _overlaps(shape: Shape, area: Polygon, x: float, y: float, r: float) -> bool:
    if isinstance(shape, Circle):
        count(len(area.corners))
        nearest, inside = about_in(x, y, area)
        if abs(nearest**0.5 - r) > NEAR:
            return nearest < r * r or (inside and nearest > NEAR)
    return overlap(shape, area)


def _meet(a: Shape, b: Shape) -> bool:
    """Whether two bases have a point in common."""
    ax, ay, ar = _about(a)
    bx, by, br = _about(b)
    return hypot(ax - bx, ay - by) <= ar + br + NEAR and gap(a, b) <= 0


# -- tolerance ----------------------------------------------------------------------------------------------------


def grown(area: Polygon, by: Fraction) -> Polygon | None:
    """A polygon with its sides moved outwards by `by` inches (inwards where that is below zero), corners mitred.

    Right to 1e-6 of an inch, and never nearer than `by`. None where nothing, or nothing simple, is left.
    """
    shift = float(by) + (1e-6 if by > 0 else -1e-6)
    corners = area.floats
    n = len(corners)
    moved: list[tuple[Fraction, Fraction]] = []
    for i in range(n):
        (ax, ay), (x, y), (bx, by_) = corners[i - 1], corners[i], corners[(i + 1) % n]
        ux, uy, vx, vy = x - ax, y - ay, bx - x, by_ - y
        lu, lv = hypot(ux, uy), hypot(vx, vy)
        ux, uy, vx, vy = ux / lu, uy / lu, vx / lv, vy / lv
        # Outwards is to the right of a side that goes round counter-clockwise.
        bend = ux * vy - uy * vx
        if abs(bend) < 1e-9:
            px, py = x + uy * shift, y - ux * shift
        else:
            px, py = x + shift * (ux - vx) / bend, y + shift * (uy - vy) / bend
        moved.append((Fraction(round(px * 10**9), 10**9), Fraction(round(py * 10**9), 10**9)))
    try:
        made = polygon(moved)
    except ValueError:
        return None
    before = [(corners[i][0] - corners[i - 1][0], corners[i][1] - corners[i - 1][1]) for i in range(n)]
    after = [(moved[i][0] - moved[i - 1][0], moved[i][1] - moved[i - 1][1]) for i in range(n)]
    kept = all(float(px) * qx + float(py) * qy > 0 for (px, py), (qx, qy) in zip(after, before, strict=True))
    return made if kept else None


def with_margin(blockers: Sequence[Blocker], by: Fraction) -> list[Blocker]:
    """The blockers with every side moved by `by`; those of which nothing is left are gone.

    Who stands in one is moved the other way: a base so near to it may be written a little off, and stand in it.
    """
    made: list[Blocker] = []
    for blocker in blockers:
        area, stands = grown(blocker.area, by), grown(blocker.area, -by)
        if area is not None:
            made.append(Blocker(area, blocker.height, () if stands is None else (stands,)))
    return made
