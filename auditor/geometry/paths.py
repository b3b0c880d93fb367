"""Distances and shortest paths between hexes, counted on a graph.

This is the only module that imports networkx. Source: Calth catalogue 16.7.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from auditor.geometry.hexes import Edge, Hex, edge, hull, neighbours

if TYPE_CHECKING:
    import networkx as nx

MOST = 100_000
NONE: frozenset[Edge] = frozenset()


def around(hexes: Iterable[Hex], margin: int = 2) -> tuple[Hex, ...]:
    """All hexes of the hexagon around some hexes, grown by `margin`.

    On a plane without end a shortest path between two of them that keeps clear of others need not leave it.
    Raises ValueError where that is more than `MOST` hexes.
    """
    low_q, high_q, low_r, high_r, low_sum, high_sum = hull(hexes, margin)
    if min((high_q - low_q) * (high_r - low_r), (high_q - low_q) * (high_sum - low_sum)) > MOST:
        raise ValueError(f"the hexes named lie so far apart that routes between them cross more than {MOST} others")
    return tuple(
        (q, r) for r in range(low_r, high_r + 1) for q in range(max(low_q, low_sum - r), min(high_q, high_sum - r) + 1)
    )


class Paths:
    """Shortest paths over some hexes, one step across a hexside each, with some hexsides shut and some hexes left out.

    One graph is kept for each set of shut hexsides and hexes left out, and with it the distances from each hex asked
    about. The two ends of a path always take part, even where they are no hexes of the ground or are left out.
    """

    GRAPHS = 16
    SOURCES = 256

    def __init__(self, ground: Iterable[Hex]) -> None:
        self.ground = frozenset(ground)
        self._graphs: OrderedDict[tuple[frozenset[Edge], frozenset[Hex]], nx.Graph[Hex]] = OrderedDict()
        self._counted: dict[tuple[frozenset[Edge], frozenset[Hex]], dict[Hex, dict[Hex, int]]] = {}
        self._open_steps: tuple[Mapping[Hex, int], dict[int, int]] | None = None

    def distance(
        self, a: Hex, b: Hex, shut: frozenset[Edge] = NONE, without: Collection[Hex] = frozenset()
    ) -> int | None:
        """The number of steps from `a` to `b`, or None where there is no way."""
        left_out = frozenset(without) - {a, b}
        return self._reach(self._steps_from(a, shut, left_out), b, shut)

    def path(
        self, a: Hex, b: Hex, shut: frozenset[Edge] = NONE, without: Collection[Hex] = frozenset()
    ) -> tuple[Hex, ...] | None:
        """A shortest path with both ends, always the same one, or None where there is no way."""
        counted = self._steps_from(a, shut, frozenset(without) - {a, b})
        left = self._reach(counted, b, shut)
        if left is None:
            return None
        path = [b]
        while path[-1] != a:
            left -= 1
            path.append(
                min(
                    hex_
                    for hex_ in neighbours(path[-1])
                    if counted.get(hex_) == left and edge(hex_, path[-1]) not in shut
                )
            )
        return tuple(reversed(path))

    def steps(self, bit: Mapping[Hex, int], shut: frozenset[Edge] = NONE) -> dict[int, int]:
        """From which hexes of the ground one comes to which in one step: masks over their bits, for `route`."""
        if self._open_steps is None or self._open_steps[0] is not bit:
            ground = self.ground
            around = {bit[hex_]: sum([bit[other] for other in neighbours(hex_) if other in ground]) for hex_ in ground}
            self._open_steps = bit, around
        found = dict(self._open_steps[1])
        for a, b in shut:
            if a in self.ground and b in self.ground:
                found[bit[a]] &= ~bit[b]
                found[bit[b]] &= ~bit[a]
        return found

    def _reach(self, counted: dict[Hex, int], b: Hex, shut: frozenset[Edge]) -> int | None:
        if b in counted:
            return counted[b]
        before = [counted[hex_] for hex_ in neighbours(b) if hex_ in counted and edge(hex_, b) not in shut]
        return min(before) + 1 if before else None

    def _steps_from(self, a: Hex, shut: frozenset[Edge], without: frozenset[Hex]) -> dict[Hex, int]:
        import networkx as nx  # see _graph

        graph = self._graph(shut, without)
        kept = self._counted[shut, without]
        counted = kept.get(a)
        if counted is None:
            if len(kept) >= self.SOURCES:
                kept.clear()
            lent = a not in graph
            if lent:
                graph.add_node(a)
                graph.add_edges_from((a, hex_) for hex_ in neighbours(a) if hex_ in graph and edge(a, hex_) not in shut)
            counted = kept[a] = dict(nx.single_source_shortest_path_length(graph, a))
            if lent:
                graph.remove_node(a)
        return counted

    def _graph(self, shut: frozenset[Edge], without: frozenset[Hex]) -> nx.Graph[Hex]:
        import networkx as nx  # takes longer than most audits, and routes on a board need masks only

        graph = self._graphs.get((shut, without))
        if graph is None:
            if len(self._graphs) >= self.GRAPHS:
                oldest, _ = self._graphs.popitem(last=False)
                del self._counted[oldest]
            graph = nx.Graph()
            hexes = self.ground - without
            graph.add_nodes_from(hexes)
            graph.add_edges_from(
                (hex_, other)
                for hex_ in hexes
                for other in neighbours(hex_)[:3]
                if other in hexes and edge(hex_, other) not in shut
            )
            self._graphs[shut, without] = graph
            self._counted[shut, without] = {}
        else:
            self._graphs.move_to_end((shut, without))
        return graph


def route(steps: Mapping[int, int], a: int, b: int, without: int = 0) -> list[int] | None:
    """A shortest path from the bit `a` to the bit `b` with both, that enters none of the hexes in the mask `without`.

    Of several, the one that `Paths.path` finds where bits are in the order of their hexes. None where there is no way.
    """
    free = ~without | a | b
    fronts: list[int] = []
    front = reached = a
    while not front & b:
        fronts.append(front)
        ahead = 0
        while front:
            lowest = front & -front
            ahead |= steps[lowest]
            front ^= lowest
        front = ahead & free & ~reached
        if not front:
            return None
        reached |= front
    path = [b]
    for front in reversed(fronts):
        before = steps[path[-1]] & front
        path.append(before & -before)
    path.reverse()
    return path
