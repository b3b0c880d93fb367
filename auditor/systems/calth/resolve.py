"""What the rules make of an event in a position: whose turn, licences, dice due, distance, sight, pool, casualties.

`resolve` is pure and refuses nothing. Most of what it finds is worked out only when a rule asks for it, because most
rules have little to ask of most events; whatever hangs on a reading is worked out anew at each asking, so that no
remembered answer swallows a question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from auditor.core.rulings import Hearing
from auditor.systems.calth import records
from auditor.systems.calth.attack_view import AttackView
from auditor.systems.calth.state import Position, Unit
from auditor.systems.calth.view import View, acting_unit, licence


def _floating(event: Any, position: Position) -> View:
    """Events that may stand between any others; what they state of the moment is taken as it is."""
    view = View(event, position)
    if event.phase is not None:
        view.phase = event.phase
    if event.round is not None and event.round in (position.round, position.round + 1):
        view.round = event.round
    return view


def _plain(event: Any, position: Position) -> View:
    return View(event, position)


def _place(event: Any, position: Position) -> View:
    return _floating(event, position)


def _initiative(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = "initiative"
    if position.phase == "action" and (position.rolled or position.last_side is not None):
        view.round = position.round + 1
    elif position.phase == "ready" or (position.phase == "action" and not position.rolled):
        if position.rolled:
            view.late = f"The initiative of round {position.round} was decided a second time."
        else:
            view.late = f"The initiative of round {position.round} was decided after the ready phase had begun."
        view.phase = event.phase or view.phase
    return view


def _card_draw(event: Any, position: Position) -> View:
    view = View(event, position)
    view.licensed_draw = (
        position.phase == "action" and bool(position.drawn.get(event.player, 0)) and (position.draws_allowed > 0)
    )
    if event.override is not None or view.licensed_draw:
        return _floating(event, position)
    view.phase = "ready"
    if position.phase == "initiative" and not position.rolled:
        view.phase = event.phase or "ready"
    elif position.phase == "action":
        view.phase = event.phase or "ready"
        if not position.drawn.get(event.player, 0):
            view.late = "A Command card of the ready phase was drawn after the actions had begun."
    elif position.phase == "setup":
        view.phase = event.phase or "setup"
    return view


def _tp_refresh(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = "ready"
    if position.phase == "initiative" and not position.rolled:
        view.phase = event.phase or "ready"
    elif position.phase == "action":
        view.phase = event.phase or "ready"
        view.late = "Units were given their TPs after the actions had begun."
    return view


def _activate(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = "action"
    unit = position.units.get(event.unit) if event.unit is not None else None
    view.actor = unit
    view.side_due = position.side_to_act()
    if position.phase == "initiative" and not position.rolled:
        view.phase = event.phase or "action"
    return view


def _pass(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = "action" if position.phase == "ready" else position.phase
    return view


def _move_unit(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = "action" if position.phase != "setup" else "setup"
    act = position.act
    unit = acting_unit(position, event.unit, event.path[0] if event.path else None, event.player)
    view.actor = unit
    cause = event.cause
    if cause is None and act is not None:
        if act.action in ("advance", "run"):
            cause = act.action
        elif act.action == "assault":
            cause = "move_in" if act.attacked else "assault_pre"
    view.cause = cause
    if cause in ("advance", "run"):
        licence(view, unit, cause, act is not None and act.moved)
    elif cause == "assault_pre":
        licence(view, unit, "assault", act is not None and (act.premoved or act.attacked))
    elif cause == "scenario":
        return _with_actor(_floating(event, position), unit, cause)
    return view


def _with_actor(view: View, unit: Unit | None, cause: str | None) -> View:
    view.actor = unit
    view.cause = cause
    return view


def _move_models(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = "action"
    unit = position.units.get(event.unit) if event.unit is not None else None
    if unit is None and event.unit not in position.gone:
        models = [m.model for m in event.moves or () if m.model in position.unit_of]
        unit = position.unit_of[models[0]] if models else None
    view.actor = unit
    act = position.act
    cause = event.cause
    if cause is None and act is not None:
        cause = "consolidate" if act.action == "consolidate" else "retreat"
    view.cause = cause
    if cause == "consolidate":
        licence(view, unit, "consolidate", act is not None and act.moved)
    return view


def _last_stand(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = "action"
    act = position.act
    unit = position.units.get(event.unit) if event.unit is not None else None
    if unit is None and act is not None and act.target_hex is not None:
        unit = position.by_hex.get(act.target_hex)
    if unit is None:
        rolled = [m for m in event.models or () if m in position.unit_of]
        unit = position.unit_of[rolled[0]] if rolled else None
    view.actor = unit
    return view


def _in_action(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = "action"
    unit = getattr(event, "unit", None)
    view.actor = position.units.get(unit) if unit is not None else None
    return view


def _tp_loss(event: Any, position: Position) -> View:
    view = _floating(event, position)
    act = position.act
    view.echo = event.cause == "crit" and act is not None and event.unit in act.suppressed
    return view


def _round_end(event: Any, position: Position) -> View:
    view = View(event, position)
    view.phase = position.phase if position.phase == "action" else event.phase or position.phase
    return view


def _over(event: Any, position: Position) -> View:
    return _floating(event, position)


def _attack(event: Any, position: Position) -> AttackView:
    return AttackView(event, position)


def topics(event: Any, view: View) -> tuple[str, ...]:
    """What an event is about, for `Rule.when`: what it names, and what is out of the ordinary about it.

    opening            nothing has been adopted before it
    override           it says that something changed the rules
    tps                it states TPs
    misdated           its round or phase is not the one that it belongs to, or it comes too late
    before actions     the actions of the round have not begun
    during an Assault  an Assault is open
    For moves their cause; for attacks mode, role and effect, `crit` where one was triggered, `critical shown`.
    """
    position, act = view.position, view.position.act
    if (
        position.phase == "action"
        and position.started
        and event.override is None
        and not event.tp
        and (act is None or act.action != "assault")
        and (event.phase is None or event.phase == view.phase)
        and (event.round is None or event.round == view.round)
        and view.late is None
    ):
        return view.subject
    found = list(view.subject)
    if not position.started:
        found.append("opening")
    if event.override is not None:
        found.append("override")
    if event.tp:
        found.append("tps")
    if (
        (event.phase is not None and event.phase != view.phase)
        or (event.round is not None and event.round != view.round)
        or view.late is not None
    ):
        found.append("misdated")
    if position.phase != "action":
        found.append("before actions")
    if act is not None and act.action == "assault":
        found.append("during an Assault")
    return tuple(found)


RESOLVERS: Mapping[type, Callable[[Any, Position], View]] = {
    records.GameStart: _over,
    records.Position: _over,
    records.Place: _place,
    records.Initiative: _initiative,
    records.CardDraw: _card_draw,
    records.CardPlay: _floating,
    records.TpRefresh: _tp_refresh,
    records.Activate: _activate,
    records.Pass: _pass,
    records.MoveUnit: _move_unit,
    records.MoveModels: _move_models,
    records.Attack: _attack,
    records.Counter: _in_action,
    records.Retreat: _in_action,
    records.LastStand: _last_stand,
    records.TpLoss: _tp_loss,
    records.Door: _floating,
    records.WeaponDestroyed: _floating,
    records.DamageCard: _floating,
    records.UnitRemoved: _floating,
    records.ModelRemoved: _floating,
    records.RoundEnd: _round_end,
    records.ScenarioEnd: _over,
    records.CampaignEnd: _over,
    records.Judge: _over,
    records.End: _over,
}


def resolve(event: Any, position: Position, hearing: Hearing) -> View:
    """What the rules make of an event in a position."""
    return RESOLVERS[type(event)](event, position)
