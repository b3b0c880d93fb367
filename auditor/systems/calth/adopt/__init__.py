"""The only place where a position changes.

`adopt` goes on with what the log claims where that can exist, and with what was recomputed where it cannot
(CAL-AUD-01). `correct` does the same with one fault put right. Both ask a reading only where they fall back on what was
recomputed, and before they change anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from typing import Any

from auditor.core.fields import leaves
from auditor.core.findings import Fact, Fault
from auditor.core.restated import state
from auditor.core.rulings import Hearing
from auditor.core.work import spend
from auditor.systems.calth import records
from auditor.systems.calth.adopt.assaults import counter, last_stand, retreat
from auditor.systems.calth.adopt.attacks import attack
from auditor.systems.calth.adopt.common import lose_what_was_not_recorded, nothing
from auditor.systems.calth.adopt.losses import (
    damage_card,
    door_changed,
    model_removed,
    tp_loss,
    unit_removed,
    weapon_destroyed,
)
from auditor.systems.calth.adopt.moves import move_models, move_unit
from auditor.systems.calth.adopt.rounds import (
    activate,
    await_tps,
    card_draw,
    card_play,
    initiative,
    leave_awaited_open,
    pass_turn,
    round_end,
    scenario_end,
    tp_refresh,
)
from auditor.systems.calth.adopt.stated import place, stated_position
from auditor.systems.calth.adopt.unactivated import act_unactivated, pay_unactivated
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.reckoning.labels import units_listed
from auditor.systems.calth.reckoning.licence import Held
from auditor.systems.calth.reckoning.overrides import tps_given
from auditor.systems.calth.reckoning.restated import AFTER, BEFORE, compared
from auditor.systems.calth.reckoning.views import RIGHT, ActivationView, MovesView, MoveView, View, labels_astray
from auditor.systems.calth.state import Position, Unit
from auditor.systems.calth.watched import to_adopt

ADOPT: Mapping[type, Callable[[Any, Any, Position, Hearing], None]] = {
    records.GameStart: nothing,
    records.Position: stated_position,
    records.Judge: stated_position,
    records.Place: place,
    records.Initiative: initiative,
    records.CardDraw: card_draw,
    records.CardPlay: card_play,
    records.TpRefresh: tp_refresh,
    records.Activate: activate,
    records.Pass: pass_turn,
    records.MoveUnit: move_unit,
    records.MoveModels: move_models,
    records.Attack: attack,
    records.Counter: counter,
    records.Retreat: retreat,
    records.LastStand: last_stand,
    records.TpLoss: tp_loss,
    records.Door: door_changed,
    records.WeaponDestroyed: weapon_destroyed,
    records.DamageCard: damage_card,
    records.UnitRemoved: unit_removed,
    records.ModelRemoved: model_removed,
    records.RoundEnd: round_end,
    records.ScenarioEnd: scenario_end,
    records.CampaignEnd: nothing,
    records.End: nothing,
}


_OF_AN_ACT = frozenset(
    {records.MoveUnit, records.MoveModels, records.Attack, records.Counter, records.Retreat, records.LastStand}
)


def _give(event: records.Event, position: Position, unit: Unit, had: int, given: int) -> None:
    """TPs that the override on an event gives or takes, where the event does not state what the unit has after it."""
    crits = event.crit if isinstance(event, records.Attack) else None
    stated = getattr(event, "tp_after", None) is not None or getattr(crits, "tp_after", None) is not None
    if not stated and position.units.get(unit.id) is unit:
        taken = had - unit.tp
        unit.tp = max(0, max(0, had + given) - taken)
        position.hold(Held("tps", "card", unit.models, had, max(0, had + given)))


_CLOSING = frozenset({records.Activate, records.Pass, records.RoundEnd, records.ScenarioEnd, records.Initiative})
"""Events at which an open activation is over."""

_SEEN = frozenset({records.MoveUnit, records.MoveModels, records.Attack, records.Judge})
"""Events of which one at least shows what became of the action declared."""


_OF_A_ROUND: tuple[Fact, ...] = tuple(
    (word,) for word in ("act", "attack", "losses", "phase", "refreshed", "round", "turn")
)
_SAID_BY: Mapping[type, tuple[Fact, ...]] = {
    records.Initiative: _OF_A_ROUND,
    records.RoundEnd: _OF_A_ROUND,
    records.Activate: (("act",), ("attack",), ("losses",), ("phase",), ("turn",)),
    records.Pass: (("act",), ("phase",), ("turn",)),
    records.MoveUnit: (("act",),),
    records.Attack: (("act",), ("attack",), ("losses",)),
    records.Counter: (("act",),),
    records.Retreat: (("act",),),
}
"""What events say of the round and of the activation by being there, whatever is in doubt besides."""


_WORK_IN_DOUBT = 500
"""The work of adopting an event while something is in doubt: it is carried out twice, once on a copy that tells what is asked."""


def adopt(event: records.Event, view: View, position: Position, hearing: Hearing) -> None:
    """Go on with what the log claims, where it can exist."""
    act, kind = position.act, type(event)
    if act is not None and act.void and kind in _OF_AN_ACT:
        return  # the act that this belongs to did not happen in this replay
    if kind in _CLOSING and view.late is None and act is not None:
        if not act.seen:
            lose_what_was_not_recorded(position)
        if not act.told:
            pay_unactivated(event, view, position)
    before = position.moving
    open_before = position.holes.copy() if position.holes else None
    stated_again = compared(event, position, BEFORE) if open_before is not None else None
    labelled = event.round is not None or event.phase is not None
    astray = labels_astray(event, view) if labelled else RIGHT
    if stated_again is None:
        _carry_out(event, view, position, hearing)
    else:
        _carry_out_in_doubt(event, view, position, hearing, stated_again.alike)
    if position.moving is before:
        position.moving = None
    if kind in _SEEN and position.act is not None:
        position.act.seen = True
    if labelled:
        position.mislabelled = astray
    if event.tp:
        for label, claimed in event.tp.items():
            unit = units_listed(position, [(label, claimed)])[0]
            if unit is not None and claimed >= 0:
                unit.tp = claimed
                position.holes.state([("tp", unit.id)])
    if open_before is not None and stated_again is not None:
        holes = position.holes  # What the event itself leaves open stays so.
        again = {fact for fact in stated_again.alike if holes.doubt([fact]) is open_before.doubt([fact])}
        state(stated_again._replace(alike=frozenset(again)), holes)
        state(compared(event, position, AFTER), holes)
    if event.seq in position.recorded.late.tps:
        await_tps(event, position)
    elif position.awaited:
        leave_awaited_open(event, position)
    position.started = True


def _carry_out(event: records.Event, view: View, position: Position, hearing: Hearing) -> None:
    """What the event itself changes, with what its override gives."""
    if event.override is None:
        ADOPT[type(event)](event, view, position, hearing)
        return
    unit, given = tps_given(position, event)
    had = unit.tp if unit is not None else 0
    ADOPT[type(event)](event, view, position, hearing)
    if unit is not None and given:
        _give(event, position, unit, had, given)


def _carry_out_in_doubt(
    event: records.Event, view: View, position: Position, hearing: Hearing, said: Collection[Fact]
) -> None:
    """The same, and what is worked out from what is in doubt is in doubt with it: a twin tells what was read for what is
    written. What the event says of it itself is known again after that."""
    spend(_WORK_IN_DOUBT)
    said = {*said, *_SAID_BY.get(type(event), ())}
    twin, seen = to_adopt(event, view, position, said, hearing)
    _carry_out(event, seen, twin, hearing)
    _carry_out(event, view, position, hearing)
    position.holes = twin.holes


def undone(event: records.Event, view: View, position: Position, hearing: Hearing, fault: Fault) -> None:
    """Go on as if an illegal act had not been done, save that its dice and TPs stay spent."""
    _undo_act(event, view, position, hearing)
    if type(event) in _SEEN and position.act is not None:
        position.act.seen = True  # it is recorded, though it did not happen here
    if event.seq in position.recorded.late.tps:
        await_tps(event, position)
    position.started = True


def _undo_act(event: records.Event, view: View, position: Position, hearing: Hearing) -> None:
    """What is left of an illegal act: the TP of an activation, the steps of the round that were taken all the same."""
    kind = type(event)
    if isinstance(view, (MoveView, MovesView, AttackView)):
        act_unactivated(event, view, position)
    act = position.act
    if isinstance(view, ActivationView):
        activate(event, view, position, hearing)
        if position.act is not None:
            position.act.void = True
    elif isinstance(view, AttackView):
        if act is not None:
            if view.role in ("assault", "shoot"):
                act.attacked = True
                act.void = True
            else:
                act.countered = act.countered or view.role == "counter"
                act.flame = None
    elif kind in (records.MoveUnit, records.MoveModels):
        if act is not None and view.cause in ("advance", "run", "consolidate"):
            act.moved = True
        if act is not None and view.cause == "assault_pre":
            act.premoved = act.void = True
        if act is not None and view.cause == "retreat":
            act.retreated = act.rolled = True
    elif kind in (
        records.Initiative,
        records.CardPlay,
        records.RoundEnd,
        records.Pass,
        records.TpRefresh,
        records.CardDraw,
        records.Position,
    ):
        ADOPT[kind](event, view, position, hearing)


def about(event: records.Event, position: Position) -> Hashable:
    """Where the units stand that an event is about, whether the models that it names stand, and the activation that it is of."""
    names = () if isinstance(event, records.Place) else ("unit", "attacker", "target")
    units = [position.units.get(str(getattr(event, name, None))) for name in names]
    act = position.act if isinstance(event, _OF_AN_ACTIVATION) else None
    who = tuple(leaf.value in position.unit_of for leaf in leaves(event) if leaf.of == "model")
    return tuple(unit and unit.hex for unit in units), who, act and (act.unit, act.action, act.void)


_OF_AN_ACTIVATION = (records.MoveUnit, records.MoveModels, records.Attack, records.LastStand, records.Retreat)


__all__ = ["about", "adopt", "undone"]
