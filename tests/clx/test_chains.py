"""Whether bases hold together, against a graph of all pairs."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx
import pytest

from auditor.core.work import Purse, paid_from
from auditor.geometry.inches.shapes import Circle, Point, about_gap, placed, polygon
from auditor.systems.clx.reckoning.chains import LIMIT, ROUNDING, coherent

HULL = polygon([(2, 1), (-2, 1), (-2, -1), (2, -1)])


@pytest.mark.parametrize("hulls", [0, 3, 1], ids=["bases", "some hulls", "hulls"])
def test_bases_are_coherent_where_the_graph_of_near_pairs_is_connected(hulls: int) -> None:
    chance = random.Random(hulls)
    answers = set()
    for _ in range(120):
        bases: dict[Any, Any] = {}
        for n in range(chance.randrange(1, 9)):
            place = Point(*(Fraction(chance.randrange(40), 4) for _ in range(2)))
            if hulls and n % hulls == 0:
                bases[n] = placed(HULL, Point(2 * place.x, place.y), Fraction(chance.choice((0, 45, 90))))
            else:
                bases[n] = Circle(place, Fraction(chance.choice((1, 2)), 2))
        graph: Any = networkx.Graph()
        graph.add_nodes_from(bases)
        graph.add_edges_from(
            (a, b) for a, b in combinations(bases, 2) if about_gap(bases[a], bases[b]) <= LIMIT + ROUNDING
        )
        assert coherent(bases) == networkx.is_connected(graph)
        answers.add(coherent(bases))
    assert answers == {True, False}


def test_to_look_at_a_large_unit_is_counted() -> None:
    purse = Purse(10_000)
    with paid_from(purse):
        coherent({n: Circle(Point(Fraction(n), Fraction(0)), Fraction(1, 2)) for n in range(100)})
    assert purse.left < 9_000
