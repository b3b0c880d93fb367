"""Routes found over masks against the paths of a graph."""

from __future__ import annotations

import random

import networkx
import pytest

from auditor.geometry.hexes import disc, edge, neighbours
from auditor.geometry.paths import Paths, route


@pytest.mark.parametrize("seed", range(40))
def test_a_route_over_masks_is_the_path_of_the_graph(seed):
    rng = random.Random(seed)
    ground = sorted(rng.sample(disc(4), 45))
    paths = Paths(ground)
    bit = {hex_: 1 << i for i, hex_ in enumerate(ground)}
    sides = [edge(h, g) for h in ground for g in neighbours(h)[:3] if g in bit]
    shut = frozenset(rng.sample(sides, rng.randint(0, 25)))
    steps = paths.steps(bit, shut)
    found = 0
    for _ in range(60):
        a, b = rng.choice(ground), rng.choice(ground)
        taken = rng.sample(ground, rng.randint(0, 12))
        expected = paths.path(a, b, shut, taken)
        walked = route(steps, bit[a], bit[b], sum(bit[hex_] for hex_ in taken))
        assert walked == (None if expected is None else [bit[hex_] for hex_ in expected])
        found += walked is not None
    assert found > 0


def test_the_ways_from_a_hex_are_looked_for_once():
    honest, looked = networkx.single_source_shortest_path_length, []

    def counted(graph, source):
        looked.append(source)
        return honest(graph, source)

    paths = Paths(disc(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(networkx, "single_source_shortest_path_length", counted)
        for start in ((0, 0), (1, 0), (0, 0), (1, 0)):
            paths.path(start, (-1, 2))
    assert looked == [(0, 0), (1, 0)]
