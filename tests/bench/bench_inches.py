"""What exact measuring costs, and what plain shapely on floats gets wrong: `python -m tests.bench inches`.

Both answer the same questions in one process, in turn. Plain shapely is what one would write first: bases as buffered
points; lines of sight between the ends of the bases across, stopped by what they share a length with; gaps as distances
less radii, compared with 1. Half of the moves pass the enemy at exactly one inch.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction

import shapely

from auditor.core.audit import audit
from auditor.core.rulings import rulings
from auditor.geometry.inches.moves import too_near
from auditor.geometry.inches.shapes import Circle, Point, Polygon, point, polygon
from auditor.geometry.inches.sight import Blocker, Ground
from auditor.systems.clx.ruleset import RULESET
from tests.bench.inches_game import TURNS, game
from tests.bench.measure import loads, middle, seconds
from tests.bench.table import Row, at_most
from tests.clx.examples import record_of

RADIUS = Fraction(63, 100)
SCENES = 40
ROUNDS = 5


def hundredths(number: float) -> Fraction:
    return Fraction(round(number * 100), 100)


def unit(rng: random.Random, x: float, y: float, models: int) -> list[Circle]:
    """Models within a square of six inches."""
    spots = (point(hundredths(x + rng.uniform(0, 6)), hundredths(y + rng.uniform(0, 6))) for _ in range(models))
    return [Circle(spot, RADIUS) for spot in spots]


def piece(rng: random.Random) -> Polygon:
    """A piece of terrain of five corners, 1 to 6 inches across."""
    while True:
        x, y, w, h = rng.uniform(5, 60), rng.uniform(5, 40), rng.uniform(1, 6), rng.uniform(1, 6)
        corners = [(x, y), (x + w, y + rng.uniform(-1, 1)), (x + w, y + h), (x + w / 2, y + h + 1), (x, y + h)]
        try:
            return polygon([(hundredths(a), hundredths(b)) for a, b in corners])
        except ValueError:
            continue


# -- sight --------------------------------------------------------------------------------------------------------


def plain_sight(a: Circle, b: Circle, areas: list[shapely.Polygon]) -> bool:
    """Whether one of nine lines between two bases shares no length with an area that holds neither of them."""
    first, second = shapely.Point(a.fx, a.fy).buffer(a.fr), shapely.Point(b.fx, b.fy).buffer(b.fr)
    left = [area for area in areas if not area.intersects(first) and not area.intersects(second)]
    dx, dy = b.fx - a.fx, b.fy - a.fy
    far = (dx * dx + dy * dy) ** 0.5
    nx, ny = -dy / far, dx / far
    for i in (0, 1, -1):
        for j in (0, 1, -1):
            line = shapely.LineString(
                [(a.fx + i * a.fr * nx, a.fy + i * a.fr * ny), (b.fx + j * b.fr * nx, b.fy + j * b.fr * ny)]
            )
            if not any(line.intersection(area).length > 1e-9 for area in left):
                return True
    return False


def bench_sight(scenes: int) -> list[Row]:
    ours, plain, wrong, asked = [], [], 0, 0
    rng = random.Random(5)
    for _ in range(scenes):
        pieces = [piece(rng) for _ in range(20)]
        ground = Ground(Blocker(area) for area in pieces)
        ground.bitangents()
        areas = [shapely.Polygon(area.floats) for area in pieces]
        a, b = (
            unit(rng, rng.uniform(0, 20), rng.uniform(0, 40), 10),
            unit(rng, rng.uniform(40, 60), rng.uniform(0, 40), 10),
        )
        pairs = [(p, q) for p in a for q in b]
        exact: list[bool] = []
        quick: list[bool] = []
        ours.append(seconds(lambda: exact.extend(ground.sees(p, q) for p, q in pairs)))  # noqa: B023
        plain.append(seconds(lambda: quick.extend(plain_sight(p, q, areas) for p, q in pairs)))  # noqa: B023
        wrong += sum(one != other for one, other in zip(exact, quick, strict=True))
        asked += len(pairs)
    mine, other = middle(ours) * 1e3, middle(plain) * 1e3
    worst = max(ours) * 1e3
    return [
        Row(
            "sight of ten models to ten behind twenty pieces",
            f"{mine:.2f} ms, worst {worst:.1f} ms",
            f"plain shapely: {other:.1f} ms, {wrong} of {asked} wrong",
            f"{other / mine:.1f} x",
            *at_most(5, mine, "ms"),
        )
    ]


# -- moves --------------------------------------------------------------------------------------------------------


def bench_moves(scenes: int) -> list[Row]:
    ours, plain, wrong, asked = [], [], 0, 0
    rng = random.Random(7)
    for _ in range(scenes):
        enemies = [one for _ in range(6) for one in unit(rng, rng.uniform(0, 60), rng.uniform(0, 40), 10)]
        paths = [[one.centre] for one in unit(rng, rng.uniform(0, 60), rng.uniform(0, 40), 30)]
        for i, path in enumerate(paths):
            start = path[0]
            if i % 2:
                # Past an enemy on its left, at an inch between the edges: by 3-4-5, so that it is exactly an inch.
                enemy = rng.choice(enemies).centre
                off = 2 * RADIUS + 1
                beside = Point(enemy.x + off * Fraction(3, 5), enemy.y - off * Fraction(4, 5))
                path[:] = [
                    Point(beside.x - 4 * Fraction(4, 5), beside.y - 4 * Fraction(3, 5)),
                    Point(beside.x + 2 * Fraction(4, 5), beside.y + 2 * Fraction(3, 5)),
                ]
            else:
                path += [Point(start.x + 3, start.y + 2), Point(start.x + 5, start.y + 2)]
        exact: list[list[int]] = []
        quick: list[list[int]] = []

        def by_shapely() -> None:
            for path in paths:  # noqa: B023
                line = shapely.LineString([(float(x), float(y)) for x, y in path])
                reach = 2 * float(RADIUS)
                quick.append(  # noqa: B023
                    [i for i, e in enumerate(enemies) if line.distance(shapely.Point(e.fx, e.fy)) - reach < 1]  # noqa: B023
                )

        ours.append(seconds(lambda: exact.extend(too_near(path, RADIUS, enemies) for path in paths)))  # noqa: B023
        plain.append(seconds(by_shapely))
        wrong += sum(len(set(one) ^ set(other)) for one, other in zip(exact, quick, strict=True))
        asked += len(paths) * len(enemies)
    mine, other = middle(ours) * 1e3, middle(plain) * 1e3
    return [
        Row(
            "30 models moved past 60 enemy bases",
            f"{mine:.2f} ms",
            f"plain shapely: {other:.1f} ms, {wrong} of {asked} wrong",
            f"{other / mine:.1f} x",
            *at_most(3, mine, "ms"),
        )
    ]


# -- a whole game -------------------------------------------------------------------------------------------------


def bench_game(turns: int, rounds: int) -> list[Row]:
    """The audit of a game with sixty models a side, all that was measured thrown away each time."""
    header, events = game(turns=turns)
    record = record_of({"header": header, "events": events})
    ruled = rulings({}, RULESET.readings, settings=RULESET.settings)
    lines = "\n".join(json.dumps(line) for line in (header, *events)).encode()
    ours, plain = [], []
    for _ in range(rounds):
        plain.append(seconds(lambda: loads(lines)))
        ours.append(seconds(lambda: audit(record, RULESET, ruled, engine="bench")))
    mine, other = middle(ours), middle(plain)
    return [
        Row(
            f"a game of {turns} turns with 60 models a side, {len(events)} events: audit alone",
            f"{mine:.2f} s",
            f"json.loads: {other * 1e3:.1f} ms",
            f"{mine / other:.0f} x",
            *at_most(0.5 if turns == TURNS else None, mine, "s"),
        )
    ]


def bench(scenes: int = SCENES) -> list[Row]:
    whole = scenes == SCENES
    return bench_sight(scenes) + bench_moves(scenes) + bench_game(TURNS if whole else 1, ROUNDS if whole else 1)
