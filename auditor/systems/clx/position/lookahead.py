"""What the record says later of where a unit goes on from: a move that is not recorded shows only there.

It is read once, before the replay; nothing that is judged is taken from it but what may be in doubt.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from auditor.geometry.inches.shapes import Point
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
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
    """The events that move a unit or put it down, and those that say who took wounds, in the order of the record. Each
    question goes through them when it is first asked: few of the records that are supposed are followed far."""

    def __init__(self, events: Sequence[Any], unit_of: Mapping[str, str]) -> None:
        self._events = events
        self._unit_of = unit_of

    @cached_property
    def _moves(self) -> Mapping[str, list[Any]]:
        """Unit -> the events that move it or put it down."""
        found: dict[str, list[Any]] = {}
        for event in self._events:
            for unit in _movers(event, self._unit_of) if type(event) in _MOVING else ():
                found.setdefault(unit, []).append(event)
        return found

    @cached_property
    def _allocated(self) -> set[tuple[str | None, str | None]]:
        return {(event.attack, event.pool) for event in self._events if isinstance(event, records.Allocate)}

    @cached_property
    def _phase_end(self) -> int:
        """The number of the last event by which a phase ends; 0: there is none."""
        ends = (one.seq for one in reversed(self._events) if isinstance(one, (records.PhaseEnd, records.TurnEnd)))
        return next(ends, 0)

    @cached_property
    def _tests(self) -> Mapping[str | None, list[int]]:
        """Unit -> the numbers of its tests."""
        found: dict[str | None, list[int]] = {}
        for event in self._events:
            if isinstance(event, (records.Morale, records.LdTest)):
                found.setdefault(event.unit, []).append(event.seq)
        return found

    @cached_property
    def _attacks(self) -> Mapping[str, list[Any]]:
        """Attack -> its events."""
        found: dict[str, list[Any]] = {}
        for event in self._events:
            if getattr(event, "attack", None) is not None:
                found.setdefault(event.attack, []).append(event)
        return found

    @cached_property
    def end_reason(self) -> str | None:
        """Why the record says that it ends; None where it does not say."""
        return next((event.reason for event in reversed(self._events) if isinstance(event, records.End)), None)

    def next_way(self, unit: str, seq: int) -> GoesOn | None:
        """Where the models of a unit go on from after an event, as the next event says that moves them."""
        moves = self._moves.get(unit, ())
        at = bisect_right(moves, seq, key=lambda event: event.seq)
        if at == len(moves):
            return None
        event = moves[at]
        return GoesOn(event.seq, _starts(event, unit, self._unit_of), isinstance(event, records.FallBack))

    def flees_from(self, unit: str, test: int) -> int | None:
        """The event by which a unit falls back from a test that it failed: what moves it next, before another test."""
        way = self.next_way(unit, test)
        if way is None or not way.flight or any(test < other < way.seq for other in self._tests.get(unit, ())):
            return None
        return way.seq

    def last_test(self, unit: str, cause: str, seq: int) -> int | None:
        """The last test of a unit for a cause before an event."""
        tests = (one for one in reversed(self._events) if isinstance(one, records.LdTest) and one.seq < seq)
        return next((one.seq for one in tests if one.unit == unit and one.cause == cause), None)

    def first_deployed(self, player: str) -> int | None:
        """The first event that deploys a unit of a player."""
        deployed = (one.seq for one in self._events if isinstance(one, records.Deploy) and one.player == player)
        return next(deployed, None)

    def may_have_moved(self, unit: Unit, seq: int, first: str) -> tuple[int, ...]:
        """The events before which a move of a unit may be missing since it moved last: after a charge that reached or a test
        that failed; of each Movement and Shooting Phase of its player before the last event and after the first, those of
        phases that are called `first` before others."""
        moved = max((one.seq for one in self._moves.get(unit.id, ()) if one.seq < seq), default=0)
        called: list[int] = []
        phases: dict[tuple[int | None, str], list[int]] = {}
        for event in self._events:
            if not moved < event.seq < seq:
                continue
            if event.player == unit.player and event.phase in ("movement", "shooting"):
                phases.setdefault((event.turn, event.phase), []).append(event.seq)
            if isinstance(event, _CALLING) and event.unit == unit.id and _calls_for_a_move(event):
                called.append(event.seq + 1)
        found = sorted(phases.items(), key=lambda one: one[0][1] != first)
        return tuple(dict.fromkeys((*called, *(one for _, seqs in found for one in (seqs[-1], *seqs[1:2])))))

    def of_attack(self, attack: str | None, seq: int) -> list[Any]:
        """The events of an attack after one event, in the order of the record."""
        return [event for event in self._attacks.get(attack or "", ()) if event.seq > seq]

    def attack_at(self, seq: int) -> str | None:
        """The attack of which an event is."""
        return next((name for name, events in self._attacks.items() if any(one.seq == seq for one in events)), None)

    def never_allocates(self, attack: str | None, pool: str | None, seq: int) -> bool:
        """Whether no line of the record says who took the wounds of a pool, or with `pool` None any of an attack, although
        the record comes to the end of a phase after this event."""
        if self._phase_end <= seq:
            return False
        if pool is None:
            return all(name not in (attack, None) for name, _ in self._allocated)
        return self._allocated.isdisjoint(product((attack, None), (pool, None)))


_CALLING = (records.Morale, records.LdTest, records.Charge)


def _calls_for_a_move(event: records.Morale | records.LdTest | records.Charge) -> bool:
    """Whether a unit moves after a test, or a charge, as the log has it."""
    return (event.claimed_success if isinstance(event, records.Charge) else not event.claimed_passed) is not False


_MOVING = frozenset((*PATHS, *PLACED, records.TankShock, records.VehicleExplodes, records.Judge, records.Position))


def _movers(event: Any, unit_of: Mapping[str, str]) -> list[str]:
    """The units that an event moves or puts down."""
    if isinstance(event, (*PATHS, *PLACED)):
        return [str(event.unit)]
    if isinstance(event, records.TankShock):
        return [str(event.vehicle)]
    if isinstance(event, records.VehicleExplodes):
        survivors = {unit_of.get(str(one.id)) for one in event.survivors or ()}
        return sorted({str(event.vehicle), *filter(None, survivors)})
    stated = event.position if isinstance(event, records.Judge) else event
    return [] if stated is None else [str(entry.unit) for entry in stated.units or ()]


def _starts(event: records.Event, unit: str, unit_of: Mapping[str, str]) -> dict[str, Point]:
    """Where the models of a unit go on from with an event that moves it."""
    if not isinstance(event, PATHS):
        return {}
    rows = [(row.id, place_of(row.path[0])) for row in event.models or () if row.path]
    starts = {str(model): at for model, at in rows if at is not None and unit_of.get(str(model)) == unit}
    return starts if len(starts) == len(rows) else {}
