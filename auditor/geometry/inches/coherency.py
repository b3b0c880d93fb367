"""Coherency: whether a unit's bases form one chain of gaps that are not too wide, and the widest gap it needs.

This is the only module of the inches that imports networkx. Source: Calixtus catalogue 2.5.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import combinations

from auditor.geometry.inches.lengths import Length
from auditor.geometry.inches.shapes import NEAR, Shape, about_gap, gap


@dataclass(frozen=True, slots=True)
class Chain:
    """The chain that holds a unit together with the smallest gaps.

    widest  the largest gap in it; None for a single base
    between the two bases on either side of that gap
    apart   the bases on its smaller side (of two equal sides, the one with the second base of `between`)
    links   all gaps of the chain, as pairs of bases
    """

    widest: Length | None
    between: tuple[Hashable, Hashable] | None
    apart: tuple[Hashable, ...]
    links: tuple[tuple[Hashable, Hashable], ...]


def chain(bases: Mapping[Hashable, Shape]) -> Chain:
    """The chain of a unit's bases. The unit is coherent exactly if `widest` is not more than the limit."""
    pairs = list(combinations(bases, 2))
    about = [about_gap(bases[a], bases[b]) for a, b in pairs]
    exact: dict[int, Length] = {}

    def gap_of(i: int) -> Length:
        if i not in exact:
            exact[i] = gap(bases[pairs[i][0]], bases[pairs[i][1]])
        return exact[i]

    def compare(i: int, j: int) -> int:
        apart = about[i] - about[j]
        if abs(apart) > NEAR:
            return 1 if apart > 0 else -1
        return (gap_of(i) - gap_of(j)).sign() or i - j

    import networkx  # no log but one of this game needs it, and it takes longer to load than most audits

    # Ranks stand for the gaps, so that networkx compares whole numbers.
    order = sorted(range(len(pairs)), key=cmp_to_key(compare))
    graph: networkx.Graph[Hashable] = networkx.Graph()
    graph.add_nodes_from(bases)
    graph.add_weighted_edges_from((*pairs[i], rank) for rank, i in enumerate(order))
    tree = networkx.minimum_spanning_tree(graph)
    ranks: list[int] = sorted(graph.edges[edge]["weight"] for edge in tree.edges)
    if not ranks:
        return Chain(None, None, (), ())
    first, second = pairs[order[ranks[-1]]]
    links = tuple(pairs[order[rank]] for rank in ranks)
    tree.remove_edge(first, second)
    sides = [networkx.node_connected_component(tree, end) for end in (second, first)]
    smaller = min(sides, key=len)
    return Chain(gap_of(order[ranks[-1]]), (first, second), tuple(base for base in bases if base in smaller), links)


def coherent(bases: Mapping[Hashable, Shape], limit: int = 2) -> bool:
    """Whether the bases form one chain of gaps of at most `limit` inches."""
    widest = chain(bases).widest
    return widest is None or widest <= limit
