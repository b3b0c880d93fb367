"""Betrayal at Calth as the core sees it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from auditor.core.naming import Named, players_in
from auditor.core.ruleset import Ruleset
from auditor.systems.calth import records
from auditor.systems.calth.adopt import about, adopt, undone
from auditor.systems.calth.aftermath import aftermath, gain, rightly
from auditor.systems.calth.draw import describe, draw, facts, marks, moment, sight, unfinished
from auditor.systems.calth.readings import READINGS
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.reckoning.claims import unclaimed
from auditor.systems.calth.reckoning.overrides import suspended
from auditor.systems.calth.reckoning.recorded import InRecord
from auditor.systems.calth.reckoning.resolve import resolve, topics
from auditor.systems.calth.reckoning.restated import stated
from auditor.systems.calth.reckoning.shot import says_its_kind
from auditor.systems.calth.reckoning.views import View
from auditor.systems.calth.rules import RULES
from auditor.systems.calth.rules.acts import GIVES_WAY
from auditor.systems.calth.state import Position, Recorded, Table
from auditor.systems.calth.watched import watched
from auditor.systems.calth.words import PLAYERS
from auditor.systems.guide import remedy

VERSION = "1.4.0"


def opening(record: Any) -> Position:
    """The position before the first event: the table set up by the header's packs, nobody placed."""
    return Position(Table(record.setup, record.header), recorded(record))


def unstated(event: Any, view: View) -> str | None:
    """That an attack says neither its mode nor its role, or may be of another activation than the open one."""
    if not isinstance(view, AttackView):
        return None
    return view.unrecorded if says_its_kind(event) else f"event {event.seq} does not state the kind of attack"


def out_of_force(event: records.Event, position: Position) -> frozenset[str]:
    """Rules that an override on the event takes out of force (CAL-AUD-05)."""
    return suspended(position, event) if event.override is not None or position.suspensions else _NONE


_NONE: frozenset[str] = frozenset()


def names(position: Position) -> Mapping[str, Named]:
    """The sides by the names of their players, else by their own; units and models go by their labels at the table."""
    players = players_in(position.table.header)
    weapons = {ident: Named(weapon.name.lower()) for ident, weapon in position.table.weapons.items()}
    models = {ident: Named(ident, of=model.side) for ident, model in position.table.models.items()}
    units = {label: Named(label, of=side) for label, side in _sides(position).items()}
    return models | units | weapons | {side: Named(players.get(side) or own) for side, own in PLAYERS.items()}


def _sides(position: Position) -> dict[str, str]:
    """The sides of all units that a record has named, by their labels; without the labels that both sides use."""
    found: dict[str, set[str]] = {}
    made: dict[str, set[str]] = {}  # Models go to units of their own side; what a log lists besides may be a slip.
    models = position.table.models
    for event in position.recorded.events:
        if isinstance(event, records.Place) and event.unit is not None:
            model = models.get(event.model or "")
            if model is not None:
                found.setdefault(event.unit, set()).add(model.side)
        elif isinstance(event, records.MoveModels):
            moved = {models[name].side for move in event.moves or () if (name := move.model or "") in models}
            for after in event.units or ():
                if after.unit is not None and len(moved) == 1:
                    made.setdefault(after.unit, set()).update(moved)
        elif isinstance(event, records.Position):
            for one in event.units or ():
                if one.unit is not None and one.side is not None:
                    found.setdefault(one.unit, set()).add(one.side)
    for label, unit in position.units.items():
        found.setdefault(label, set()).add(unit.side)
    return {label: sides.pop() for label, sides in (made | found).items() if len(sides) == 1}


def same_for(event: Any, view: View, position: Position, other: Position) -> bool:
    """Whether an event is judged the same in two positions: they differ in nothing but destroyed weapons, and these are
    of no model that attacks or is named as one that does. No rule on events other than attacks reads them."""
    kind = type(event)
    if kind in _ABOUT_WEAPONS:
        return False
    if kind is records.Attack:
        concerned = {*view.attacker_models, *(crit.model for crit in view.crits)}
        concerned.update(model for model, _ in event.weapons or ())
        if any(model in concerned for model, _ in position.destroyed ^ other.destroyed):
            return False
    return position.differs_only_in_weapons(other)


_ABOUT_WEAPONS = frozenset({records.GameStart, records.Position, records.Judge, records.WeaponDestroyed})


def recorded(record: Any) -> Recorded:
    """What the lines of a record tell as a whole."""
    return InRecord(record.events, record.setup)


def retold(position: Position, told: Recorded) -> None:
    """The position goes on in another record of the game."""
    position.recorded = told


RULESET = Ruleset(
    key="calth",
    title="Betrayal at Calth",
    version=VERSION,
    events={kind: name for name, kind in records.EVENTS.items()},
    rules=RULES,
    readings=READINGS,
    opening=opening,
    resolve=resolve,
    adopt=adopt,
    undone=undone,
    right=lambda event, fault: unclaimed(event),
    same_for=same_for,
    about=about,
    facts=facts,
    draw=draw,
    describe=describe,
    unfinished=unfinished,
    moment=moment,
    recorded=recorded,
    retold=retold,
    suspended=out_of_force,
    unstated=unstated,
    gives_way=GIVES_WAY,
    marks=marks,
    sight=sight,
    topics=topics,
    aftermath=aftermath,
    rightly=rightly,
    gain=gain,
    names=names,
    watched=watched,
    stated=stated,
    remedy=partial(remedy, "auditor.systems.calth"),
)
