"""The map: hexes, edges, adjacency and counting. Catalogue sections 1, 8 and 16.7."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from auditor.conformance.calth.tables import Readings, option

Hex = tuple[int, int]
Edge = tuple[Hex, Hex]

DIRECTIONS: tuple[Hex, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def as_hex(pair: Iterable[Any]) -> Hex:
    """A hex from the pair that a JSON file holds."""
    q, r = pair
    return (int(q), int(r))


def step(h: Hex, direction: int) -> Hex:
    """The neighbour of a hex in one of the directions 0 to 5."""
    dq, dr = DIRECTIONS[direction % 6]
    return (h[0] + dq, h[1] + dr)


def neighbours(h: Hex) -> list[Hex]:
    """The six hexes round a hex, on the board or not."""
    q, r = h
    return [(q + dq, r + dr) for dq, dr in DIRECTIONS]


def are_neighbours(a: Hex, b: Hex) -> bool:
    """Whether two hexes share an edge, whatever stands on it."""
    return (b[0] - a[0], b[1] - a[1]) in DIRECTIONS


def edge_of(a: Hex, b: Hex) -> Edge:
    """The edge between two hexes, the same whichever is named first."""
    return (a, b) if a <= b else (b, a)


def as_edge(pair: Iterable[Any]) -> Edge:
    """An edge from the pair of pairs that a JSON file holds."""
    a, b = pair
    return edge_of(as_hex(a), as_hex(b))


@dataclass
class Board:
    """A board as drawn. `doors` says for each door whether it begins sealed."""

    kinds: dict[Hex, str]
    doors: dict[Edge, bool] = field(default_factory=dict)
    obstructions: set[Edge] = field(default_factory=set)
    barricades: set[tuple[Hex, int]] = field(default_factory=set)

    @classmethod
    def read(cls, pack: Mapping[str, Any]) -> Board:
        """A board from a data pack in the shape of catalogue section 4."""
        board = cls({(h["q"], h["r"]): h.get("kind", "open") for h in pack["hexes"]})
        for line in pack.get("edges", ()):
            edge = edge_of(as_hex(line["a"]), as_hex(line["b"]))
            if line["feature"] == "door":
                board.doors[edge] = line.get("sealed", True)
            else:
                board.obstructions.add(edge)
        for line in pack.get("barricades", ()):
            board.barricades.add((as_hex(line["hex"]), line["dir"]))
        return board

    def is_shut(self, h: Hex) -> bool:
        """Blocked or off the board: nothing stands there, nothing is counted through it."""
        return self.kinds.get(h, "blocked") == "blocked"

    def is_rubble(self, h: Hex) -> bool:
        """Whether the hex is rubble."""
        return self.kinds.get(h) == "rubble"

    def adjacent(self, a: Hex, b: Hex, sealed: Collection[Edge]) -> bool:
        """Whether two hexes are adjacent: an edge in common without sealed door or obstruction (CAL-HEX-04)."""
        if not are_neighbours(a, b):
            return False
        edge = edge_of(a, b)
        return edge not in sealed and edge not in self.obstructions

    def distance(
        self, start: Hex, end: Hex, sealed: Collection[Edge], occupied: Collection[Hex], readings: Readings
    ) -> int | None:
        """How many steps the shortest route takes; None where there is no route (CAL-DST-01)."""
        route = self.route(start, end, sealed, occupied, readings)
        return None if route is None else len(route) - 1

    def route(
        self, start: Hex, end: Hex, sealed: Collection[Edge], occupied: Collection[Hex], readings: Readings
    ) -> list[Hex] | None:
        """A shortest route with both its ends, by plain breadth-first search (catalogue 16.7)."""
        through_units = option(readings, "R-DST-OCC") == "passable"
        over_obstructions = option(readings, "R-DST-OBST") == "passable"
        came_from: dict[Hex, Hex | None] = {start: None}
        waiting = deque([start])
        while waiting and end not in came_from:
            here = waiting.popleft()
            if here != start and here in occupied and not through_units:
                continue
            for there in neighbours(here):
                edge = edge_of(here, there)
                if there in came_from or self.is_shut(there) or edge in sealed:
                    continue
                if edge in self.obstructions and not over_obstructions:
                    continue
                came_from[there] = here
                waiting.append(there)
        if end not in came_from:
            return None
        route = [end]
        while (before := came_from[route[-1]]) is not None:
            route.append(before)
        return route[::-1]
