"""Calixtus' Edition as the core sees it."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache, partial
from typing import Any

from auditor.core.findings import Fact, Fault
from auditor.core.naming import Named
from auditor.core.ruleset import Ruleset
from auditor.core.rulings import Hearing
from auditor.core.work import spend
from auditor.geometry import effort
from auditor.systems.clx import records
from auditor.systems.clx.adopt import about, adopt, undone
from auditor.systems.clx.aftermath import aftermath, gain, rightly
from auditor.systems.clx.packs import Setup
from auditor.systems.clx.position.lookahead import Later
from auditor.systems.clx.position.state import Position, Standing, UnitState
from auditor.systems.clx.position.watched import otherwise, watched
from auditor.systems.clx.readings import READINGS
from auditor.systems.clx.reckoning.put_right import put_right
from auditor.systems.clx.reckoning.restated import compared
from auditor.systems.clx.reckoning.ways import HELD_TO_THEIR_START, Ways, ways_of
from auditor.systems.clx.reckoning.weight import size, weight
from auditor.systems.clx.rules import RULES
from auditor.systems.clx.rules.common import FIELDS
from auditor.systems.clx.rules.cover import unrolled
from auditor.systems.clx.show.draw import draw, facts, moment
from auditor.systems.clx.show.marks import act
from auditor.systems.clx.show.sight import sight
from auditor.systems.clx.show.telling import describe
from auditor.systems.clx.tolerance import MEASURING_TOLERANCE, allowance, measured
from auditor.systems.guide import remedy

VERSION = "0.6.0"


_unplaced = lru_cache(maxsize=64)(lambda wounds: Standing(wounds=wounds))


def opening(record: Any) -> Position:
    """The position before the first event: nobody on the table."""
    setup: Setup = record.setup
    return Position(
        setup,
        {model_id: _unplaced(model.wounds) for model_id, model in setup.models.items()},
        dict.fromkeys(setup.units, UnitState()),
        later=recorded(record),
    )


def resolve(event: records.Event, position: Position, hearing: Hearing) -> Ways | None:
    """What the rules make of an event: so far, the ways of the models that it moves."""
    return ways_of(event, position, allowance(hearing.settings))


def by_act(event: records.Event, position: Position, faults: list[Fault]) -> list[list[Fault]]:
    """One act is one finding (catalogue 1.4): of faults of one kind about the same subject the rule that comes first in
    `PRECEDENCE` speaks, the others stand in its `also`. What is left out is an act of its own each time,
    and so is what breaks one rule twice: two wounds of one model, say. The way of one model is one act, and what it does to
    others, whom it overlaps or leaves, belongs to it."""
    acts: dict[tuple[Any, ...], list[Fault]] = {}
    times: Counter[tuple[Any, ...]] = Counter()
    for n, fault in enumerate(faults):
        alone = fault.kind == "omitted" or fault.seq is not None or not fault.subject
        about = (fault.kind, _whose(fault, event), fault.subject)
        again = 0 if fault.subject and _of_its_way(event, fault, position) else times[fault.rule, about]
        times[fault.rule, about] += 1
        acts.setdefault((n,) if alone else (again, *about), []).append(fault)
    return _with_whom_else(event, list(acts.values()))


def _whose(fault: Fault, event: records.Event) -> str | None:
    """Whose a fault is: where it does not say, of the player of its event."""
    return event.player if fault.player == "" else fault.player


def _of_its_way(event: records.Event, fault: Fault, position: Position) -> bool:
    """Whether a fault is about the way of one model."""
    who = fault.subject
    return isinstance(event, HELD_TO_THEIR_START) and len(who) == 1 and who[0] in position.setup.models


def _with_whom_else(event: records.Event, acts: list[list[Fault]]) -> list[list[Fault]]:
    """Acts, each with what it does to others: a gap in coherency belongs to what else is wrong with the way of one of the
    two models beside it, and so does a base over another."""
    kept = [one for one in acts if not _models_beside(one[0])]
    for shared in acts:
        beside = _models_beside(shared[0])
        if not beside:
            continue
        of = (shared[0].kind, _whose(shared[0], event))
        for one in kept:
            about = _models_beside(one[0]) or one[0].subject
            if of == (one[0].kind, _whose(one[0], event)) and not beside.isdisjoint(about):
                one += shared
                break
        else:
            kept.append(shared)
    return kept


def _models_beside(fault: Fault) -> frozenset[str]:
    """The two models beside the gap of which a fault tells, or those whose bases overlap; of other faults nobody."""
    if fault.kind != "illegal":
        return frozenset()
    between = fault.claimed.get("between") if isinstance(fault.claimed, dict) else None
    return frozenset(between or ())


PRECEDENCE = tuple(
    f"CLX-{name}"
    for name in (
        *("USR", "GREN", "GEAR", "WPN", "VEH", "MISC", "PSY", "RUN", "ASLT", "MOVE-04", "SHOOT-06g", "SHOOT-14"),
        *("MOVE", "SHOOT", "FACE", "SUPP", "MOR", "ASLT-09", "GAME", "LOG"),
    )
)
"""Families of rules and rules of their own, the more special first (catalogue 1.4)."""


def names(position: Position) -> dict[str, Named]:
    """Units, models, weapons and powers by their names; models of one unit are numbered as in its pack."""
    setup = position.setup
    found = {unit.id: Named(unit.name, of=unit.player) for unit in setup.units.values()}
    for unit in setup.units.values():
        for number, model in enumerate(unit.models, 1):
            found[model.id] = Named(unit.name if len(unit.models) == 1 else f"{unit.name} {number}", beside=True)
    found.update({weapon.id: Named(weapon.name) for weapon in setup.weapons.values()})
    found.update({power: Named(power.replace("_", " ").title()) for power in setup.powers})
    return found


def _watched(
    event: records.Event, resolved: Ways | None, position: Position, cells: set[Fact], hearing: Hearing
) -> tuple[Any, Any]:
    """A twin of a position that tells what is asked of it, and what the rules make of an event there."""
    twin = watched(position, cells)
    return twin, resolve(event, twin, hearing)


effort.counted_by(spend)


def recorded(record: Any) -> Later:
    """What a record says later of where units go on from."""
    return Later(record.events, {model_id: model.unit for model_id, model in record.setup.models.items()})


def retold(position: Position, later: Later) -> None:
    """The position goes on in another record of the game."""
    position.later = later
    position.now.clear()


RULESET = Ruleset(
    key="clx",
    title="Calixtus' Edition",
    version=VERSION,
    events={kind: name for name, kind in records.EVENTS.items()},
    rules=RULES,
    readings=READINGS,
    opening=opening,
    resolve=resolve,
    adopt=adopt,
    undone=undone,
    right=put_right,
    about=about,
    facts=facts,
    draw=draw,
    marks=act,
    sight=sight,
    describe=describe,
    unfinished=unrolled,
    moment=moment,
    recorded=recorded,
    retold=retold,
    settings=(MEASURING_TOLERANCE,),
    measured=measured,
    fields=FIELDS,
    group=by_act,
    precedence=PRECEDENCE,
    aftermath=aftermath,
    rightly=rightly,
    gain=gain,
    names=names,
    remedy=partial(remedy, "auditor.systems.clx"),
    weight=weight,
    size=size,
    watched=_watched,
    stated=compared,
    otherwise=otherwise,
)
