"""What a line states again of the position, held against it: what agrees is known again, what does not is in doubt with the
rest. Which cells a value states its declaration says (`fields.restated`), whether the position agrees the game.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from auditor.core.fields import Leaf
from auditor.core.findings import Fact
from auditor.core.holes import Holes


class Compared(NamedTuple):
    """What an event states of the position: the cells that agree, and those that do not; of these what it states as a
    fact.
    """

    alike: frozenset[Fact]
    unlike: frozenset[Fact]
    facts: frozenset[Fact]


def compared(found: Iterable[tuple[Leaf, Iterable[tuple[bool, Fact]]]]) -> Compared:
    """What the values of an event state, each with its cells and whether the position agrees."""
    alike: set[Fact] = set()
    unlike: set[Fact] = set()
    facts: set[Fact] = set()
    for leaf, cells in found:
        for agrees, cell in cells:
            (alike if agrees else unlike).add(cell)
            if not agrees and leaf.declared.role == "fact":
                facts.add(cell)
    return Compared(frozenset(alike - unlike), frozenset(unlike), frozenset(facts))


def state(said: Compared, holes: Holes) -> None:
    """What an event states as the position has it is known again; what it states otherwise is in doubt with the rest."""
    holes.state(said.alike)
    hole = holes.doubt(None) if said.unlike else None
    if hole is not None:
        holes.open(hole.of(said.unlike))
