"""Faults put into legal games of Calixtus' Edition while they are played, each with what an audit must find.

A planter sees an event before it is written, with the table as it then stands. It changes the event (or keeps it out
of the log) so that one rule is broken and nothing after it rests on the fault, and says what must be found.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from auditor.conformance.clx.generate import Settings, play, table_for
from auditor.conformance.clx.plant.fights import FIGHTS
from auditor.conformance.clx.plant.frame import FRAME
from auditor.conformance.clx.plant.minds import MINDS
from auditor.conformance.clx.plant.moves import MOVES
from auditor.conformance.clx.plant.shots import SHOTS
from auditor.conformance.clx.plant.spoiling import Expected, Pending, Planter, Spoiler

Json = dict[str, Any]

PLANTERS: dict[str, Planter] = {**FRAME, **MOVES, **MINDS, **SHOTS, **FIGHTS}
PLANTABLE = tuple(PLANTERS)
TRIES = 40


def faulty_game(
    seed: int, names: Sequence[str], settings: Settings, *, apart: int = 8
) -> tuple[list[Json], list[Expected]]:
    """A game with the faults of these names, as far as it gave occasions, and what must be found, in the log's order."""
    t = table_for(seed, settings)
    spoiler = Spoiler([Pending(name, PLANTERS[name]) for name in names], Random(seed), apart)
    t.spoil = spoiler
    play(t, settings.turns)
    return [t.header, *t.log], sorted((p.expected for p in spoiler.planted()), key=lambda e: e["seq"])


class Planted(NamedTuple):
    """A game with a fault; `beside` is for games that plant a second one, and None here."""

    seed: int
    lines: list[Json]
    fault: Expected
    beside: Expected | None = None


def planted(name: str, number: int, settings: Settings | None = None) -> Planted | None:
    """The game number `number` with a fault; None where no game gave an occasion."""
    rng = Random(f"{name} {number}")
    for _ in range(TRIES):
        seed = rng.randrange(2**31)
        chosen = settings or Settings(size=rng.choice((5, 8, 12)), turns=5)
        lines, expected = faulty_game(seed, [name], chosen)
        if expected:
            return Planted(seed, lines, expected[0])
    return None
