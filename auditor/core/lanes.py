"""Lanes: the positions that carried readings lead to, each with the assignments of readings under which it is reached.

Where the options of a reading leave different positions behind, the replay goes on in lanes, one for each, until they
are equal again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from auditor.core import bounds
from auditor.core.holes import Hole
from auditor.core.look import Terms
from auditor.core.scopes import Cube, covers, explore, in_force, simplified
from auditor.core.work import spend


@dataclass(slots=True)
class Lane:
    """A position and the assignments of carried readings under which it is the position."""

    position: Any
    cubes: list[Cube]

    def copy(self) -> Lane:
        return Lane(self.position.copy(), list(self.cubes))


class Spare:
    """How many judgings beyond one an event a whole record may still cost."""

    def __init__(self, events: int) -> None:
        self.left = max(bounds.LEAST_SPARE, min(bounds.SPARE_PER_EVENT * events, bounds.MOST_SPARE))

    @property
    def room(self) -> int:
        """How often one event may be judged again."""
        return max(0, min(bounds.MOST_CELLS, self.left))


class Lanes:
    """The lanes that are followed at one moment of a replay."""

    def __init__(self, terms: Terms, position: Any, spare: Spare) -> None:
        self.terms = terms
        self.spare = spare
        self.all = [Lane(position, [{}])]

    def __len__(self) -> int:
        return len(self.all)

    def __iter__(self) -> Iterator[Lane]:
        return iter(self.all)

    def copies(self) -> list[Lane]:
        return [lane.copy() for lane in self.all]

    def open(self, hole: Hole) -> None:
        """Open a hole in every lane."""
        for lane in self.all:
            lane.position.holes.open(hole)

    def selected(self) -> Lane:
        """The lane of the rulings in force."""
        if len(self.all) == 1:
            return self.all[0]
        return next(lane for lane in self.all for cube in lane.cubes if in_force(cube, self.terms.rulings))

    def split(self, event: Any, adopted: list[tuple[Lane, Any]]) -> bool:
        """Part lanes in which readings leave different positions, and join those whose positions are equal.

        `adopted`: each lane, its event adopted, with the position before the event where the lane may part. Gives back
        whether every reading that is open is still followed.
        """
        parts: list[Lane] = []
        whole = True
        room = self.spare.room
        weight, size = self.terms.ruleset.weight, self.terms.ruleset.size
        for lane, before in adopted:
            if before is None:
                parts.append(lane)
                continue

            def adopt(overrides: dict[str, str], before: Any = before) -> tuple[dict[str, str], Any]:
                # Resolved again, because what was resolved may hold on to parts of the position.
                spend(weight(event, before) + size(before))
                position = before.copy()
                hearing = self.terms.hearing(overrides)
                resolved = self.terms.ruleset.resolve(event, position, hearing)
                self.terms.ruleset.adopt(event, resolved, position, hearing)
                return hearing.asked, position

            for cube in lane.cubes:
                results, complete = explore(adopt, self.terms.rulings.domains, cube, 1 + room)
                whole = whole and complete
                room -= len(results) - 1
                self.spare.left -= len(results) - 1
                parts += [Lane(position, [assignment]) for assignment, position in results]
        rulings = self.terms.rulings
        joined: list[Lane] = []
        things = size(parts[0].position)
        for part in parts:
            spend(len(joined) * (1 + things // 64))
            for lane in joined:
                if lane.position == part.position:
                    lane.cubes.extend(part.cubes)
                    if any(in_force(cube, rulings) for cube in part.cubes):
                        lane.position = part.position  # equal, but what is drawn comes from here
                    break
            else:
                joined.append(part)
        self.spare.left -= len(joined) * len(joined) // 8
        nothing_changed = len(joined) == len(parts) == len(self.all)
        self.all = joined
        if nothing_changed and whole and self.spare.left > 0:
            return True
        domains = rulings.domains
        if not whole or (len(joined) > 1 and self.spare.left <= 0):
            return self._follow_one_lane()
        elif len(joined) == 1 and covers(joined[0].cubes, domains.keys(), domains):
            joined[0].cubes = [{}]
        else:
            for lane in joined:
                lane.cubes = simplified(lane.cubes, domains)
            if sum(len(lane.cubes) for lane in joined) > bounds.MOST_LANES:
                return self._follow_one_lane()
        return True

    def _follow_one_lane(self) -> bool:
        """Give up all lanes but that of the rulings in force. Its assignment stays with it: it no longer covers all.

        Gives back whether every reading that is open is still followed.
        """
        rulings = self.terms.rulings
        lane = self.selected()
        cube = next(cube for cube in lane.cubes if in_force(cube, rulings))
        self.all = [Lane(lane.position, [cube])]
        return covers([cube], rulings.undecided, rulings.domains)
