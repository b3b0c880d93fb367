"""Lines that are not recorded: a unit goes on from elsewhere than where the record left all that move of it, or acts and
no line has put it on the table, or takes wounds and no line says who of it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from auditor.core.holes import Hole
from auditor.geometry.inches.shapes import distance
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Position, all_of_units, places_of, units_of
from auditor.systems.clx.reckoning.attacks import wounds_rolled
from auditor.systems.clx.reckoning.throws import throw_of


def open_until_it_goes_on(units: Iterable[str], position: Position, seq: int, allowed: Fraction) -> None:
    """Put in doubt where units are, and what they do, that an event has put down and that go on from elsewhere: a move
    between may not be recorded. `allowed`: inches that are held against nobody."""
    for unit_id in units:
        unit = position.setup.units.get(unit_id)
        later = None if unit is None else position.later.next_way(unit_id, seq)
        if unit is None or later is None or not later.starts:
            continue
        stood = {model: position.models[model] for model in later.starts}
        if any(one.told or one.at is None for one in stood.values()):
            continue
        if position.holes.doubt((*places_of(stood), *units_of([unit_id]))) is not None:
            continue
        starts = later.starts
        if all(
            one.at not in (None, starts[name]) and distance(one.at, starts[name]) > allowed
            for name, one in stood.items()
        ):
            facts = (*places_of(model.id for model in unit.models), *all_of_units([unit_id]))
            position.holes.open(Hole(seq, _why(unit, later.seq), frozenset(facts)))


def opened_until(unit: Unit | None, seq: int, position: Position) -> Hole | None:
    """The hole that lasts until an event: with this the unit goes on from elsewhere."""
    if unit is None or not position.holes:
        return None
    hole = position.holes.doubt(units_of([unit.id]))
    return hole if hole is not None and hole.why == _why(unit, seq) else None


def _why(unit: Unit, seq: int) -> str:
    return f"with event {seq} {unit.name} goes on from elsewhere: a move of it before that may not be recorded"


def never_put_down(unit: Unit, position: Position) -> bool:
    """Whether nothing has put a unit on the table so far."""
    return all(position.nowhere(model.id) for model in unit.models)


def any_deployed(player: str, position: Position) -> bool:
    """Whether the record has said of any unit of a player where it was put down, other than from reserve."""
    units = [unit for unit in position.setup.units.values() if unit.player == player]
    return any(position.units[one.id].arrived is None and not never_put_down(one, position) for one in units)


BEFORE = (records.LoreMastery, records.WarpCharge)
"""What may be done by a psyker who has not come to the table."""


def open_never_put_down(models: Iterable[str], position: Position, seq: int) -> None:
    """Put in doubt where units are that act and that no line has put on the table: it has been told. Of a player without
    any deployment all are."""
    known = position.setup.models
    nowhere = (known[model].unit for model in models if model in known and position.models[model].at is None)
    for unit_id in dict.fromkeys(nowhere):
        unit = position.setup.units[unit_id]
        if not never_put_down(unit, position) or told_of(unit, position):
            continue
        alone = any_deployed(unit.player, position)
        for one in [unit] if alone else position.setup.units.values():
            if one.player == unit.player and never_put_down(one, position):
                position.holes.open(Hole(seq, _nowhere(one), frozenset(places_of(model.id for model in one.models))))


def told_of(unit: Unit, position: Position) -> bool:
    """Whether it is known already that nobody knows where the models of a unit came to stand."""
    return all(position.holes.doubt(places_of([model.id])) is not None for model in unit.models)


def _nowhere(unit: Unit) -> str:
    return f"no line has put {unit.name} on the table"


def open_unallocated(event: records.WoundRolls, position: Position) -> None:
    """Put in doubt who is left of a unit where no line says who took wounds that were certainly rolled. Of an attack that
    says so of other wounds these may have been lost, as nobody was left whom it could see; in a fight none are."""
    if wounds_rolled(event)[0] == 0:
        return
    step, throw = position.combat.steps.get(event.attack), throw_of(event.attack, position)
    attack = position.attacks.get(event.attack)
    target = next((one.target for one in (attack, step, throw) if one is not None), None)
    unit = position.setup.units.get(target or "")
    pool = event.pool if step is not None else None
    if unit is not None and position.later.never_allocates(event.attack, pool, event.seq):
        why = f"no line says who took the wounds of event {event.seq}"
        position.holes.open(Hole(event.seq, why, frozenset(places_of(model.id for model in position.living(unit)))))
