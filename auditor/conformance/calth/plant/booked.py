"""Games with a planted fault, perhaps beside a second one, by the name of the fault and a number."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

from auditor.conformance.calth.board import Hex
from auditor.conformance.calth.generate import lay_out, play
from auditor.conformance.calth.plant import Expected, SpoiledTable
from auditor.conformance.calth.plant.occasions import settings_for
from auditor.conformance.calth.position import Unit
from auditor.conformance.calth.sight import Sight
from auditor.conformance.inventor import Planted

Json = dict[str, Any]

ROUNDS_OF_FAULTY_GAMES = 3
TRIES = 80
"""So many games are played for one planted fault before it is given up; nearly all need fewer than five."""
MOST_ADDRESSED = 2**31

# Faults that nearly every game gives an occasion for: the ones that stand beside another.
COMPANIONS = (
    *("CAL-INI-01", "CAL-RDY-02", "CAL-ACT-02", "CAL-ACT-04", "CAL-ADV-01", "CAL-ATK-01", "CAL-ATK-03", "CAL-ATK-04"),
    *("CAL-ATK-05", "CAL-ATK-06", "CAL-DIE-01", "CAL-CON-05"),
)
# Faults of the set-up, which no later round gives an occasion for.
ONCE = ("CAL-SET-01", "CAL-SET-02", "CAL-INI-01 illegal", "CAL-AUD-06 placed")


class BookedTable(SpoiledTable):
    """A spoiled table that remembers which fault is which, and plays no longer than it must unless it `plays_on`."""

    booked: dict[str, Expected]
    plays_on: bool

    def is_over(self) -> bool:
        """Also when every fault has been planted."""
        if super().is_over():
            return True
        return not self.plays_on and not self.pending and all(expected.seq for expected in self.planted)

    def shots(self, unit: Unit, beside: Hex | None = None) -> list[tuple[Unit, Sight, int | None]]:
        """One target that the unit may shoot; no other is looked for."""
        return list(islice(self.all_shots(unit, beside), 1))

    def plant(self, name: str, expected: Expected | None) -> bool:
        """Book a planted fault under its name too."""
        if not super().plant(name, expected):
            return False
        assert expected is not None
        self.booked[name] = expected
        return True


def planted(name: str, number: int) -> Planted | None:
    """The game number `number` with a fault: every other time beside a second one, and in round 1, 2 or 3 by turns.

    One in four goes on to its last round, the others end with the round of the fault.
    None where no game gives an occasion for it.
    """
    rng = Random(f"{name} {number}")
    turn = 1 if name in ONCE or name.split()[0] in ONCE else 1 + number // 2 % ROUNDS_OF_FAULTY_GAMES
    other = number % 2 == 1
    companions = [one for one in COMPANIONS if one.split()[0] != name.split()[0]]
    for attempt in range(TRIES):
        seed = rng.randrange(MOST_ADDRESSED)
        # The longer it takes, the less is asked for: an early second fault, an early fault, no second one.
        companion = rng.choice(companions) if other and attempt < TRIES * 3 // 4 else None
        its_turn = rng.choice((1, turn, ROUNDS_OF_FAULTY_GAMES)) if attempt < TRIES // 4 else 1
        if attempt >= TRIES // 2:
            turn = 1
        found = _planted_in(seed, name, turn, companion, its_turn, plays_on=number // 6 % 4 == 0)
        if found is not None and (companion is None or found.beside is not None):
            return found
    return None


def _planted_in(
    seed: int, name: str, turn: int, companion: str | None, its_turn: int, plays_on: bool
) -> Planted | None:
    rounds = ROUNDS_OF_FAULTY_GAMES
    header, table = lay_out(BookedTable, seed, rounds=rounds, **settings_for(name, Random(seed)))
    table.booked, table.plays_on = {}, plays_on
    table.prepare([name] if companion is None else [name, companion], rounds)
    table.pending[name] = turn
    if companion is not None:
        table.pending[companion] = its_turn
    play(table, rounds)
    booked = {key: expected.as_json() for key, expected in table.booked.items() if expected.seq}
    if name not in booked:
        return None
    fault, beside = booked[name], booked.get(companion) if companion else None
    if beside is not None and fault["kind"] == "ambiguous" and beside["seq"] > fault["seq"]:
        return None  # what the record does not state may leave all that comes after it undecided (CAL-AUD-04)
    return Planted(seed, [header, *table.log], fault, beside)
