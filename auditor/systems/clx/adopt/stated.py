"""Positions that the log or a judge states: what they say holds, what they leave out stays and stays in doubt."""

from __future__ import annotations

from typing import Any

from auditor.core.holes import Hole
from auditor.systems.clx import records
from auditor.systems.clx.adopt import combat as adopt_combat
from auditor.systems.clx.adopt.changes import change, placed, remove
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import (
    FRAME,
    PHASES,
    Position,
    Standing,
    all_of_units,
    flags_of,
    places_of,
    units_of,
)
from auditor.systems.clx.position.values import replace
from auditor.systems.clx.reckoning import attacks
from auditor.systems.clx.reckoning.facing import as_stated
from auditor.systems.clx.reckoning.psychic import UNKNOWN_POOL, UNSAID_POOL
from auditor.systems.clx.reckoning.unsaid import (
    FLAGS,
    IN_ITS_OWN_TURN,
    feared,
    fought_before,
    is_said,
    pinned_in_its_own_turn,
    unsaid,
)
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.written import exact_or_none, height_of, place_of


def state_position(event: records.Position, resolved: Ways | None, position: Position) -> None:
    """The log states a position."""
    _state(position, event, event.turn, event.phase, event.seq)


def judge(event: records.Judge, resolved: Ways | None, position: Position) -> None:
    """A judge states a position, or changes nothing that is known here. A test that a unit failed before, of which it says
    something, is settled by it: whether it falls back is no longer the record's to show."""
    stated = event.position
    if stated is None:
        return
    _state(position, stated, stated.turn, stated.phase, event.seq)
    said = {entry.unit for entry in stated.units or ()}
    position.combat.tests = tuple(
        replace(test, passed=None) if test.passed is False and test.unit in said else test
        for test in position.combat.tests
    )


def _state(
    position: Position, stated: records.Position | records.Stated, turn: int | None, phase: str | None, seq: int
) -> None:
    """The position as it is stated. What it leaves out stays as it was, and stays in doubt where it was; where a model is
    of which nothing has been said yet is a hole."""
    position.stated = True
    position.fired, position.flat_out = {}, frozenset()
    another_turn = _is_another_turn(position, stated, turn, phase)
    if another_turn:
        position.combat.new_turn()
    position.attacks = {
        name: replace(attack, hits=attacks.UNKNOWN, unsaved=attacks.UNKNOWN, inflicted=attacks.UNKNOWN, groups={})
        for name, attack in position.attacks.items()
    }
    _state_frame(position, stated, turn, phase)
    position.perils = ()
    for model in stated.removed or ():
        remove(position, model)
    entries = {entry.unit: entry for entry in stated.units or ()}
    unheard = [unit for unit in position.setup.units.values() if _unheard(unit, position)]
    left_open = _left_open(position, entries)
    for unit_id in position.units:
        if position.holes.doubt(units_of([unit_id])) is not None:
            change(position, unit_id, facing=as_stated(None))
    if turn is not None and all(unit in entries for unit in position.units):
        position.holes.close()
    for entry in stated.units or ():
        if entry.unit in position.units:
            _state_unit(position, entry, seq, another_turn)
    _lock_both(position, entries)
    _open_flags(position, left_open, seq)
    for unit in unheard:
        _open_passions(position, unit, entries.get(unit.id))
    if another_turn and phase == "movement":
        position.combat.started = {
            name: standing
            for name, standing in position.models.items()
            if not position.units[position.setup.models[name].unit].moved and not position.nowhere(name)
        }
    elsewhere = [
        model_id
        for model_id in position.models
        if position.nowhere(model_id)
        if not ((listed := entries.get(position.setup.models[model_id].unit)) and listed.reserve)
    ]
    if elsewhere:
        why = f"the position stated at event {seq} does not say where {elsewhere[0]} is"
        position.holes.open(Hole(seq, why, frozenset(places_of(elsewhere))))


def _state_frame(
    position: Position, stated: records.Position | records.Stated, turn: int | None, phase: str | None
) -> None:
    """Which turn and phase it is and whose, who goes first, and the pools of psychic dice."""
    if turn is not None:
        position.turn = turn
        position.begun = position.begun or turn > 0
    if phase in PHASES:
        position.phase = phase
        position.closed = frozenset(PHASES[: PHASES.index(str(phase))])
    if stated.active in position.setup.players:
        position.active = stated.active
    if stated.first in position.setup.players:
        position.first = stated.first
    if turn is not None and phase is not None and stated.active is not None:
        position.holes.state(FRAME)
    if stated.pools is not None or position.phase in (None, "psychic"):
        # Charges of which it does not speak may have been rolled for in this phase.
        size = UNKNOWN_POOL if stated.pools is None else UNSAID_POOL
        unsaid = dict.fromkeys(position.setup.players, size) if position.phase in (None, "psychic") else {}
        position.pools = {**unsaid, **(stated.pools or {})}


def _lock_both(position: Position, entries: dict[str | None, records.UnitStated]) -> None:
    """Who is stated to be in combat with a unit of which it is not said with whom it is, has it for an enemy."""
    for unit_id, entry in entries.items():
        for other in entry.locked_with or ():
            mine = position.units.get(other)
            if mine is not None and (other not in entries or entries[other].locked_with is None):
                change(position, other, locked_with=mine.locked_with | {str(unit_id)})


def _left_open(position: Position, entries: dict[str | None, records.UnitStated]) -> dict[str, list[str]]:
    """The flags that a position leaves out: of a unit of which the record has said nothing before those that may be set,
    of another those that were in doubt."""
    found: dict[str, list[str]] = {}
    for unit_id in position.units:
        unit, entry = position.setup.units[unit_id], entries.get(unit_id)
        if _unheard(unit, position):
            found[unit_id] = unsaid(unit, entry, position)
        else:
            found[unit_id] = [
                flag
                for flag in FLAGS
                if not is_said(entry, flag) and position.holes.doubt(flags_of(unit_id, flag)) is not None
            ]
    return found


def _unheard(unit: Unit, position: Position) -> bool:
    """Whether the record has said nothing of a unit yet."""
    standing = [position.models[model.id] for model in unit.models]
    return all(one.at is None and one.aboard is None for one in standing)


def _open_flags(position: Position, left_open: dict[str, list[str]], seq: int) -> None:
    for unit_id, flags in left_open.items():
        unit = position.setup.units[unit_id]
        for flag in flags:
            why = f"the position stated at event {seq} does not say whether {unit.name} {FLAGS[flag]}"
            late = flag == "pinned" and pinned_in_its_own_turn(unit, position)
            facts = flags_of(unit_id, flag, *([IN_ITS_OWN_TURN] if late else []))
            position.holes.open(Hole(seq, why, frozenset(facts)))


def _open_passions(position: Position, unit: Unit, entry: records.UnitStated | None) -> None:
    """What a first position leaves out of a unit's Fear and Frenzy: whom it fears, and whether it is frenzied yet."""
    failed = None if entry is None else entry.fear_failed
    overcome = None if entry is None else entry.fear_overcome
    afraid = feared(unit, position) if failed is None else frozenset(failed if overcome is None else ())
    changed: dict[str, Any] = {"fear_doubt": afraid - frozenset(overcome or ())}
    if "frenzy" in unit.rules and (entry is None or entry.frenzy_lost is None):
        changed["frenzy_lost"] = None
    if fought_before(position) and not (entry is not None and entry.reserve):
        change(position, unit.id, **changed)


def _is_another_turn(
    position: Position, stated: records.Position | records.Stated, turn: int | None, phase: str | None
) -> bool:
    """Whether a stated position lies in another player's turn than the one before it. What it leaves out has not changed,
    unless the phase is an earlier one."""
    if stated.active is None and phase in PHASES and position.phase in PHASES:
        back = PHASES.index(phase) < PHASES.index(position.phase)
    else:
        back = False
    return back or turn not in (None, position.turn) or stated.active not in (None, position.active)


def _state_unit(position: Position, entry: records.UnitStated, seq: int, another_turn: bool) -> None:
    for row in entry.models or ():
        if row.id in position.models:
            _state_model(position, row, seq)
    changed: dict[str, Any] = {}
    for name in (
        "hidden",
        "falling_back",
        "jinking",
        "moved",
        "ran",
        "shooting_spent",
        "charged",
        "frenzy_lost",
    ):
        value = getattr(entry, name)
        if value is not None:
            changed[name] = value
    if entry.facing is not None:
        changed["facing"] = as_stated(exact_or_none(entry.facing))
    changed |= _begun_in_a_turn(position, entry, another_turn)
    if entry.locked_with is not None:
        changed["locked_with"] = frozenset(entry.locked_with)
    for name in ("fear_failed", "fear_overcome"):
        if getattr(entry, name) is not None:
            changed[name], changed["fear_doubt"] = frozenset(getattr(entry, name)), frozenset()
    adopt_combat.stated(position, entry)
    if entry.arrived is None:
        changed["arrived"] = None
    elif isinstance(entry.arrived, records.Arrived) and entry.arrived.turn is not None:
        changed["arrived"] = (entry.arrived.turn, entry.arrived.method or "normal")
    if entry.shot is not None:
        changed["shot"] = changed["declared"] = frozenset(entry.shot)
    change(position, entry.unit, **changed)
    for psyker, powers in (entry.known or {}).items():
        if psyker in position.models:
            position.known[psyker] = frozenset(powers)
    left_out = {(flag, entry.unit) for flag in FLAGS if not (is_said(entry, flag) or entry.reserve)}
    position.holes.state(fact for fact in all_of_units([str(entry.unit)]) if fact not in left_out)
    unit = position.setup.units[str(entry.unit)]
    if changed.get("pinned") == "serving" and pinned_in_its_own_turn(unit, position):
        why = f"the position stated at event {seq} does not say whether {unit.name} was pinned in this turn"
        position.holes.open(Hole(seq, why, frozenset(flags_of(unit.id, "pinned", IN_ITS_OWN_TURN))))


def _state_model(position: Position, row: records.ModelStated, seq: int) -> None:
    before: Standing = position.models[str(row.id)]
    at = place_of(row.pos)
    z, heading = height_of(row.pos), exact_or_none(row.heading)
    position.models[str(row.id)] = Standing(
        at=None if row.embarked is not None else at or before.at,
        z=before.z if z is None else z,
        heading=before.heading if heading is None else heading,
        wounds=before.wounds if row.wounds is None else row.wounds,
        alive=before.alive or at is not None or row.embarked is not None,
        aboard=row.embarked,
        z_open=z is None and before.z_open,
    )
    placed(position, str(row.id), seq, turned=heading is not None)
    if row.wounds is not None:
        position.holes.state([("wounds", str(row.id))])


def _begun_in_a_turn(position: Position, entry: records.UnitStated, another_turn: bool) -> dict[str, Any]:
    """What is stated of going to ground, prone and pinned, which last from one turn into another."""
    changed: dict[str, Any] = {}
    # What began in the enemy's turn is over with the unit's own: in that it is said of the turn that is being played.
    before_it = position.units[str(entry.unit)]
    # In whose turn it is said may not be recorded: then it ends, too, where the next turn of the enemy begins.
    own = position.active in (None, position.setup.units[str(entry.unit)].player)
    since = "serving" if own else "new"
    if entry.gone_to_ground is not None:
        kept = None if another_turn else before_it.gone_to_ground
        changed["gone_to_ground"] = (kept or since) if entry.gone_to_ground else None
    if entry.prone is not None and (another_turn or before_it.prone is None or before_it.prone[0] != entry.prone):
        changed["prone"] = None if entry.prone == "none" else (entry.prone, since)
    if entry.pinned is not None:
        kept = None if another_turn else before_it.pinned
        changed["pinned"] = (kept or since) if entry.pinned else None
    return changed
