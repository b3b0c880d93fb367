"""What the record says later of where a unit goes on from: a move that is not recorded shows only there.

It is read once, before the replay; nothing that is judged is taken from it but what may be in doubt.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from auditor.geometry.inches.shapes import Point
from auditor.systems.clx import records
from auditor.systems.clx.written import place_of

PATHS = (records.Move, records.Run, records.ChargeMove, records.FallBack, records.PileIn)
ARRIVING = (records.Deploy, records.ReserveArrival, records.Disembark)
PLACED = (*ARRIVING, records.Embark)


class GoesOn(NamedTuple):
    """An event that moves a unit or puts it down.

    starts  where its models go on from; empty where it says so of none
    flight  the unit falls back by it
    """

    seq: int
    starts: Mapping[str, Point]
    flight: bool = False


class Later:
    """The events that move a unit or put it down, and those that say who took wounds, in the order of the record.

    end_reason  why the record says that it ends; None where it does not say
    """

    def __init__(self, events: Sequence[Any], unit_of: Mapping[str, str]) -> None:
        self._ways: dict[str, list[GoesOn]] = {}
        self._tests: dict[str | None, list[int]] = {}
        self._allocated: set[tuple[str | None, str | None]] = set()
        self._phase_ends = 0
        self._attacks: dict[str, list[Any]] = {}
        self.end_reason: str | None = None
        for event in events:
            if isinstance(event, records.Allocate):
                self._allocated.add((event.attack, event.pool))
            elif isinstance(event, (records.PhaseEnd, records.TurnEnd)):
                self._phase_ends = event.seq
            elif isinstance(event, (records.Morale, records.LdTest)):
                self._tests.setdefault(event.unit, []).append(event.seq)
            elif isinstance(event, records.End):
                self.end_reason = event.reason
            if getattr(event, "attack", None) is not None:
                self._attacks.setdefault(event.attack, []).append(event)
            for unit, starts in _said(event, unit_of):
                self._ways.setdefault(unit, []).append(GoesOn(event.seq, starts, isinstance(event, records.FallBack)))

    def next_way(self, unit: str, seq: int) -> GoesOn | None:
        """Where the models of a unit go on from after an event, as the next event says that moves them."""
        ways = self._ways.get(unit, ())
        at = bisect_right(ways, seq, key=lambda way: way.seq)
        return ways[at] if at < len(ways) else None

    def flees_from(self, unit: str, test: int) -> int | None:
        """The event by which a unit falls back from a test that it failed: what moves it next, before another test."""
        way = self.next_way(unit, test)
        if way is None or not way.flight or any(test < other < way.seq for other in self._tests.get(unit, ())):
            return None
        return way.seq

    def of_attack(self, attack: str | None, seq: int) -> list[Any]:
        """The events of an attack after one event, in the order of the record."""
        return [event for event in self._attacks.get(attack or "", ()) if event.seq > seq]

    def attack_at(self, seq: int) -> str | None:
        """The attack of which an event is."""
        return next((name for name, events in self._attacks.items() if any(one.seq == seq for one in events)), None)

    def never_allocates(self, attack: str | None, pool: str | None, seq: int) -> bool:
        """Whether no line of the record says who took the wounds of a pool, or with `pool` None any of an attack, although
        the record comes to the end of a phase after this event."""
        if self._phase_ends <= seq:
            return False
        if pool is None:
            return all(name not in (attack, None) for name, _ in self._allocated)
        return self._allocated.isdisjoint(product((attack, None), (pool, None)))


def _said(event: Any, unit_of: Mapping[str, str]) -> list[tuple[str, dict[str, Point]]]:
    """The units that an event moves or puts down, each with where its models go on from."""
    if isinstance(event, PATHS):
        rows = [(row.id, place_of(row.path[0])) for row in event.models or () if row.path]
        starts = {str(model): at for model, at in rows if at is not None and unit_of.get(str(model)) == event.unit}
        return [(str(event.unit), starts if len(starts) == len(rows) else {})]
    if isinstance(event, records.TankShock):
        return [(str(event.vehicle), {})]
    if isinstance(event, PLACED):
        return [(str(event.unit), {})]
    if isinstance(event, records.VehicleExplodes):
        survivors = {unit_of.get(str(one.id)) for one in event.survivors or ()}
        return [(unit, {}) for unit in sorted({str(event.vehicle), *filter(None, survivors)})]
    stated = event.position if isinstance(event, records.Judge) else event
    if isinstance(stated, (records.Position, records.Stated)):
        return [(str(entry.unit), {}) for entry in stated.units or ()]
    return []
