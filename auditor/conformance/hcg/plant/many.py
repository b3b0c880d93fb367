"""Whole games with several planted faults, well apart from each other."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from auditor.conformance.hcg.game import Game
from auditor.conformance.hcg.generate import lay_out, settings_of
from auditor.conformance.hcg.plant.misdeeds import MISDEEDS
from auditor.conformance.hcg.plant.numbers import NUMBERS
from auditor.conformance.hcg.plant.table import Expected, SpoiledGame
from auditor.conformance.hcg.plant.twists import TWISTS
from auditor.conformance.hcg.record import Style, dress
from auditor.conformance.hcg.table import Event, Made

APART = 20
"""So many events at least between two faults."""
NEVER = 10**9
FULL: dict[str, Any] = {
    "omit_claims": 0.0,
    "detail": "full",
    "passes": "explicit",
    "hidden": "open",
    "unread": False,
    "readings": {},
}
"""How a game with faults is written down: with everything, under the default readings."""


class FaultyGame(SpoiledGame):
    """A game in which each of the faults `names` is planted at its first occasion."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.names: list[str] = []
        self.booked: list[Expected] = []
        self.last = -APART

    @property
    def still_to_plant(self) -> list[str]:
        return list(self.names)

    @property
    def waiting(self) -> bool:
        """Whether one more fault can be planted now: none that was planted still waits for its event."""
        return self.planted is None and len(self.log) - self.last >= APART

    def book(self, expected: Expected | None) -> bool:
        """Remember the fault that was just planted; the next one is a number too high where this was one too low."""
        if expected is None:
            return False
        self.booked.append(expected)
        self.names.remove(self.pending)
        self.planted = expected if expected.event is None else None
        self.last, self.high = len(self.log), not self.high
        return True

    def write(self, type_: str, **fields: Any) -> Event:
        event = Game.write(self, type_, **fields)
        if self.planted is not None and self.planted.is_at(event):
            self.planted.event, self.planted = event, None
        for name in [one for one in self.names if one in NUMBERS]:
            if not self.waiting:
                break
            self.pending = name
            self.book(NUMBERS[name](self, event))
        return event

    def twist(self, point: str, value: Made, *facts: Any) -> Made:
        for name in [one for one in self.names if TWISTS.get(one, ("",))[0] == point]:
            if self.waiting:
                self.pending = name
                found = TWISTS[name][1](self, value, *facts)
                if found is not None:
                    self.book(found[1])
                    value = found[0]
        return value

    def pick_act(self, by: str) -> str:
        for name in [one for one in self.names if one in MISDEEDS]:
            if self.waiting:
                before, self.pending, self.last = self.last, name, NEVER
                done = MISDEEDS[name](self, by)
                if done:
                    return done
                self.last = before
        return Game.pick_act(self, by)


def faulty_game(seed: int, names: Sequence[str]) -> tuple[list[Event], list[Event]] | None:
    """The whole game of a seed with these faults, as far as it gave occasions, and what must be found, in the log's order.

    None where the game ended before it could be seen that something was left out.
    """
    settings = {**settings_of(seed), **FULL}
    settings.pop("stops_at", None)
    game = lay_out(FaultyGame, seed, settings)
    assert isinstance(game, FaultyGame)
    game.names = list(names)
    game.play()
    if game.planted is not None:
        return None
    lines, seqs = dress(game, Style(0.0, terse=False, implied=False, hidden="open"), Random(f"dress {seed}"))
    for one in game.booked:
        if one.event is None or one.event["seq"] not in seqs:
            return None
        one.seq = seqs[one.event["seq"]]
    return lines, sorted((one.as_json() for one in game.booked), key=lambda one: one["seq"])
