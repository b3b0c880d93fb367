"""Small boards drawn at random, readings drawn at random, and the questions asked about them."""

from __future__ import annotations

import random
from itertools import product

from auditor.geometry.hexes import disc, neighbours
from auditor.systems.calth.readings import READINGS
from auditor.systems.calth.sight import Sight
from tests.geometry import oracle

OPTIONS = {reading.id: [option.id for option in reading.options] for reading in READINGS}
SIGHT_READINGS = list(oracle.DEFAULTS)


class Asked:
    """Answers questions from a table and remembers them."""

    def __init__(self, options=None):
        self.options = {**oracle.DEFAULTS, **(options or {})}
        self.asked = []

    def __call__(self, reading):
        if reading not in self.asked:
            self.asked.append(reading)
        return self.options[reading]


def readings(rng):
    """A random option for each reading that sight may ask."""
    return {reading: rng.choice(OPTIONS[reading]) for reading in SIGHT_READINGS}


def scene(rng, radius=3, bounded=True, density=0.2, doors=0.12):
    """A random board: some hexes missing, blocked or occupied, some hexsides with doors, obstructions, barricades."""
    ground = list(disc(radius))
    board = {h for h in ground if rng.random() > 0.1} if bounded else None
    present = sorted(board if bounded else ground)
    blocked = {h for h in present if rng.random() < density}
    occupied = {h for h in present if h not in blocked and rng.random() < density}
    sealed, obstructions, barricades = set(), set(), set()
    for h in present:
        for k, other in enumerate(neighbours(h)):
            if k < 3 and rng.random() < doors:
                (sealed if rng.random() < 0.6 else obstructions).add(frozenset((h, other)))
            if rng.random() < 0.15:
                barricades.add((h, k))
    return oracle.Scene(board, blocked, occupied, sealed, obstructions, barricades)


def sight(a_scene):
    return Sight(a_scene.board, a_scene.blocked)


def state(a_scene):
    """Occupied hexes, sealed doors, obstructions, as a query takes them."""
    return a_scene.occupied, [tuple(e) for e in a_scene.sealed], [tuple(e) for e in a_scene.obstructions]


def every_combination(asked):
    """Every choice of options for some readings."""
    return [dict(zip(asked, options, strict=True)) for options in product(*(OPTIONS[reading] for reading in asked))]


def pairs(rng, count, radius=3):
    ground = disc(radius)
    return [tuple(rng.sample(ground, 2)) for _ in range(count)]


def seeded(seed):
    return random.Random(seed)
