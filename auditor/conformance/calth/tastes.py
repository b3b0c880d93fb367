"""A watched table whose players have tastes of their own, for games that shall come to something in particular."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.board import Hex, are_neighbours, edge_of, neighbours
from auditor.conformance.calth.habits import TableWithHabits
from auditor.conformance.calth.position import Unit
from auditor.conformance.calth.sight import Sight
from auditor.conformance.calth.tables import option

Shot = tuple[Unit, Sight, int | None]


class TableWithTastes(TableWithHabits):
    """A fair table whose players do what they like more often, in `taste`.

    An act's name gives the factor of its weight. `along` is the share of choices in which a shot along a fence is
    taken before any other, `beside friends` that in which one at an enemy beside friends is, `crowding` that of models put to others at the start, `counters` that of attacks answered.
    """

    taste: Mapping[str, float] = {}
    denied_retreats = 0.95

    def deploy(self) -> None:
        """As at any table, closer together or farther apart."""
        self.crowding = self.taste.get("crowding", self.crowding)
        self.counters = self.taste.get("counters", self.counters)
        super().deploy()

    def acts(self, unit: Unit) -> dict[str, tuple[float, Callable[[], None]]]:
        """As at any table, weighed anew."""
        acts = super().acts(unit)
        return {name: (weight * self.taste.get(name, 1.0), act) for name, (weight, act) in acts.items()}

    def trapped_beside(self, unit: Unit) -> list[Unit]:
        """As at any table; where a bearer who has left may still raise the vexilla, those who have room for one."""
        trapped = super().trapped_beside(unit)
        if option(self.readings, "R-DLS-VEX") == "in_hex":
            return trapped
        parting = [enemy for enemy in trapped if sum(rules.retreat_hexes(self.position, enemy).values()) == 1]
        return parting or trapped

    def shots(self, unit: Unit, beside: Hex | None = None) -> list[Shot]:
        """As at any table, or only those that they like."""
        found = super().shots(unit, beside)
        for wish, is_so in (("along", self.is_along_a_fence), ("beside friends", self.is_beside_friends)):
            if wish in self.taste and beside is None:
                wanted = [shot for shot in found if is_so(unit, shot[0])]
                if wanted and self.chance(self.taste[wish]):
                    return wanted
        return found

    def follow_ups(self, unit: Unit, spot: Hex) -> list[Shot]:
        """As at any table; friends rather than enemies where they may be hit."""
        found = super().follow_ups(unit, spot)
        friends = [shot for shot in found if shot[0].side == unit.side]
        return friends if friends and self.chance(0.7) else found

    def is_along_a_fence(self, unit: Unit, target: Unit) -> bool:
        """Whether the line to a target runs along a door or an obstruction between two closed hexes at once."""
        position = self.position
        beside = [h for h in neighbours(unit.hex) if are_neighbours(h, target.hex)]
        if len(beside) != 2 or are_neighbours(unit.hex, target.hex):
            return False
        board, occupied, edge = position.board, position.occupied(), edge_of(*beside)
        has_fence = edge in board.obstructions or edge in position.sealed
        return has_fence and all(board.is_shut(h) or h in occupied for h in beside)

    def is_beside_friends(self, unit: Unit, target: Unit) -> bool:
        """Whether a target has friends of the shooter next to it, whom a follow-up attack may reach."""
        friends = [friend for friend in self.position.side_units(unit.side) if friend is not unit]
        return any(rules.adjacent(self.position, target.hex, friend.hex) for friend in friends)
