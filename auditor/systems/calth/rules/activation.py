"""Activations: who may, what they cost, how many actions they hold (ACT)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from auditor.core.findings import RAN, Remark
from auditor.core.ruleset import Topics
from auditor.core.rulings import Hearing
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.reckoning.claims import BOOKKEEPING, COST, WrongTps, tps_before
from auditor.systems.calth.reckoning.licence import Warrant, action_of
from auditor.systems.calth.reckoning.views import (
    ActivationView,
    LossView,
    MovesView,
    MoveView,
    PassView,
    StatedView,
    View,
)
from auditor.systems.calth.records import Activate, Attack, Event, MoveModels, MoveUnit, Pass, TpLoss
from auditor.systems.calth.records import Position as StatedPosition
from auditor.systems.calth.rules.common import (
    CLOSING,
    Seen,
    closes,
    move_marks,
    rule,
    said_of,
    tp_faults,
    unit_marks,
)
from auditor.systems.calth.state import OTHER, SIDES, Position
from auditor.systems.calth.words import count, names

OF_AN_ACTION: Mapping[str, Topics] = {
    "move_unit": ("advance", "run", "assault_pre", "move_in", "scenario"),
    "move_models": ("consolidate",),
    "attack": ("assault", "shoot", "counter", "flamer_follow_up"),
}
"""Acts that are an action or begin one, so that an activation has to allow them."""

NOT_AS_ACTIVATED: Mapping[str, Topics] = dict.fromkeys(OF_AN_ACTION, ("not as activated",))
"""Where something may be wrong about that."""


@rule(
    "CAL-ACT-01",
    "Players alternate",
    section=7,
    events=("activate",),
    kinds=("illegal",),
)
def alternation(event: Activate, view: ActivationView, position: Position, hearing: Hearing) -> Seen:
    """The player with the initiative activates first; then the players alternate, one activation each.

    Log:  who activates.
    Edge: a player without a unit that has TPs is passed over (CAL-ACT-04). Counter-attacks, retreats and flamer
          follow-ups are no activations. Whose turn it is, is looked up again after the whole activation.
    """
    side = view.actor.side if view.actor is not None else event.player
    if view.disputed:
        return None  # nobody can tell whose activation it is: CAL-ACT-02
    due = view.side_due
    if side is None or due is None or side == due:
        return RAN
    if not position.has_tps(side):
        return RAN  # a unit without TPs is CAL-ACT-02's business
    line: Any = partial(Activate, seq=0, action="none")
    return [
        alternation.illegal(
            f"{side} activated {event.unit or 'a unit'} when it was the turn of {due}, who had units with TPs.",
            *((event.unit,) if event.unit else ()),
            player=side,
            due=partial(line, player=due),
            evidence=unit_marks(position, event.unit, label="acts out of turn"),
        )
    ]


@rule(
    COST,
    "An activation costs 1 TP",
    section=7,
    events=("activate", "move_unit", "move_models", "attack", "tp_loss"),
    kinds=("illegal", "miscalculated", "ambiguous"),
    when=OF_AN_ACTION,
    finds=NOT_AS_ACTIVATED,
)
def activation_cost(event: Activate, view: ActivationView, position: Position, hearing: Hearing) -> Seen:
    """To act a unit is activated, which costs it 1 TP, whatever the action; a unit without TPs cannot be activated.

    Log:  TPs before and after.
    Edge: counter-attack, retreat, last stand, free move-in and flamer follow-up need no activation and cost nothing.
    """
    unit = view.actor if event.unit else None
    if event.unit is None:
        return [activation_cost.missing(["the unit"])]
    if view.disputed:
        return [activation_cost.missing(["whose unit was activated"], event.unit, player=event.player)]
    if unit is None:
        if view.destroyed(event.unit):
            return None  # CAL-ATK-08
        if position.holes:
            return None  # it may be a unit that nobody has told of
        return [activation_cost.missing(["a unit that is on the board"], event.unit)]
    found: list[Remark] = []
    stated = event.tp_before if position.holes.doubt([("tp", unit.id)]) else None
    # Where nobody knows what it had, the record states it.
    has = stated if stated is not None and stated > 0 else tps_before(event, position, unit)
    if has == 0 and position.awaited:
        return found or RAN  # the TPs of this round are recorded later: CAL-RDY-03
    if has == 0:
        found.append(
            activation_cost.illegal(
                f"{unit.id} was activated without a TP.",
                unit.id,
                player=unit.side,
                claimed={"tp_before": event.tp_before},
                recomputed={"tp_before": 0},
                evidence=unit_marks(position, unit.id, label="0 TPs"),
            )
        )
    else:
        found += tp_faults(activation_cost, event, view, position, hearing, _cost_words)
    if event.tp_before is None or event.tp_after is None:
        hearing.not_claimed()
    return found or RAN


def _cost_words(wrong: WrongTps) -> str:
    return f"{wrong.name} pays 1 TP for its activation and has {wrong.due} left; {said_of(wrong)}."


@activation_cost.at("tp_loss")
def _cost_told(event: TpLoss, view: LossView, position: Position, hearing: Hearing) -> Seen:
    """A `tp_loss` of cause activation restates what the activation cost."""
    if event.cause != "activation":
        return None
    return tp_faults(activation_cost, event, view, position, hearing, _cost_words) or RAN


@activation_cost.at("move_unit", "move_models", "attack")
def _licensed(
    event: MoveUnit | MoveModels | Attack, view: MoveView | MovesView | AttackView, position: Position, hearing: Hearing
) -> Seen:
    """An act is that of a unit that was activated."""
    if view.cause == "scenario" and isinstance(event, MoveUnit):
        return _moved_by_scenario(event, view)
    if view.licence != "none":
        return RAN if view.licence == "activation" else None
    if isinstance(event, Attack) and event.role is None:
        return None  # it may be a counter-attack
    unit = view.actor
    who = unit.id if unit is not None else "A unit"
    return [
        activation_cost.illegal(
            f"{who} acted without being activated.",
            *((unit.id,) if unit is not None else ()),
            evidence=unit_marks(position, who, label="not activated"),
            due=_activation_for(event, view, unit.tp if unit is not None else 0),
        )
    ]


def _activation_for(event: Event, view: MoveView | MovesView | AttackView, tp: int) -> Callable[[], Activate] | None:
    """The line that would have activated a unit for its act when it had so many TPs."""
    unit = view.actor
    if unit is None:
        return None
    line: Any = partial(Activate, seq=0, round=event.round, phase=event.phase)
    action = action_of(view.role if isinstance(view, AttackView) else view.cause)
    return partial(line, player=unit.side, unit=unit.id, tp_before=tp, tp_after=tp - 1, action=action)


def _moved_by_scenario(event: MoveUnit, view: View) -> Seen:
    """A move without an activation takes a special rule of the scenario, or a card."""
    unit = view.actor
    if unit is None or view.warrant is not Warrant.NONE:
        return RAN
    return [
        activation_cost.illegal(
            f"{unit.id} was moved by the scenario, which has no special rule.",
            unit.id,
            player=unit.side,
            evidence=move_marks(event.path, False, "not activated"),
        )
    ]


@rule(
    "CAL-ACT-03",
    "One action an activation",
    section=7,
    events=("move_unit", "move_models", "attack", *CLOSING),
    kinds=("illegal", "ambiguous"),
    when={**OF_AN_ACTION, **{name: ("nothing recorded",) for name in CLOSING if name != "activate"}},
    finds={**NOT_AS_ACTIVATED, "activate": ("nothing recorded", "action unstated")},
)
def one_action(event: Activate, view: ActivationView, position: Position, hearing: Hearing) -> Seen:
    """An activation holds at most one action.

    Log:  the action declared and the events that follow.
    Edge: no action at all is fine. What belongs to an action (counter-attack, retreat, move-in, follow-up) is no second
          one. Only another action than the one declared: the record contradicts itself, and the event is judged as what
          it shows.
    """
    found = list(_something_was_recorded(event, view, position, hearing) or ())
    if event.action is None:
        found.append(one_action.missing(["the action"], *((event.unit,) if event.unit else ())))
    return found or RAN


@one_action.at(*(name for name in CLOSING if name != "activate"))
def _something_was_recorded(event: Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Of an action that was declared something is recorded when the activation is over. An Assault: CAL-ASL-01."""
    act = position.act
    if act is None or act.seen or act.action in ("none", "assault") or not closes(event, view):
        return None
    if position.holes.doubt([("act",)]):
        return None  # it may stand in a gap
    what = _NOTHING_OF[act.action]
    return [one_action.missing([f"{what} of {act.unit}"], act.unit, player=act.side)]


_PARTS = {
    "advance": "the Advance",
    "run": "the Run",
    "assault_pre": "the move before the attack",
    "move_in": "the move-in",
    "assault": "the attack of the Assault",
    "counter": "the counter-attack",
    "shoot": "the shot",
    "flamer_follow_up": "the follow-up",
}
_NOTHING_OF = {"advance": "the Advance", "run": "the Run", "consolidate": "the Consolidate", "shoot": "the shot"}


@one_action.at("move_unit", "move_models", "attack")
def _is_the_action_declared(
    event: MoveUnit | MoveModels | Attack, view: MoveView | MovesView | AttackView, position: Position, hearing: Hearing
) -> Seen:
    """An act is the one action of the open activation."""
    if view.licence in ("activation", "first"):
        return RAN
    act, unit = position.act, view.actor
    if getattr(view, "recast", False) and unit is not None:
        what, part = ("attack", view.role) if isinstance(view, AttackView) else ("move", view.cause)
        return [
            one_action.ambiguous(
                f"{unit.id} is recorded with another {what} than the one that is due, and is judged as {_PARTS[str(part)]}.",
                unit.id,
            )
        ]
    if view.licence == "second" and unit is not None and act is not None:
        return [
            one_action.illegal(
                f"{unit.id} made a second action in one activation.",
                unit.id,
                evidence=unit_marks(position, unit.id, label="second action"),
                due=_activation_for(event, view, act.tp_before),  # the open one, had it been for this action
            )
        ]
    if view.licence == "other" and act is not None:
        return [
            one_action.ambiguous(
                f"The record declares the action {act.action} for {act.unit} and then shows another.", act.unit
            )
        ]
    return None


@rule(
    "CAL-ACT-04",
    "When one player has no TPs left",
    section=7,
    events=("pass", "position"),
    kinds=("illegal", "miscalculated", "ambiguous"),
    readings=("R-ACT-PASS",),
)
def out_of_tps(event: Pass, view: PassView, position: Position, hearing: Hearing) -> Seen:
    """A player whose units have no TPs is passed over, and the other goes on alone until nobody has TPs.

    Log:  the passes.
    Edge: a player who gets TPs back by a card or scenario joins in again.
    """
    side = event.player
    if side is None:
        return [out_of_tps.missing(["who passed"])]
    if not position.has_tps(side):
        return RAN
    if hearing.ask("R-ACT-PASS") == "pass_allowed":
        return RAN
    able = sorted(unit.id for unit in position.units.values() if unit.side == side and unit.tp > 0)
    return [
        out_of_tps.illegal(
            f"{side} passed although {names(able)} {'has' if len(able) == 1 else 'have'} TPs.",
            player=side,
            evidence=unit_marks(position, *able, label="has TPs"),
        )
    ]


@out_of_tps.at("position")
def _stated_turn(event: StatedPosition, view: StatedView, position: Position, hearing: Hearing) -> Seen:
    """A stated position in which the side to act has no TPs while the other has."""
    if event.to_act is None or event.phase != "action" or event.units is None:
        return None
    if any(unit.side is None or unit.tp is None for unit in event.units):
        return None
    tps = {side: sum(max(0, u.tp or 0) for u in event.units if u.side == side) for side in SIDES}
    if tps[event.to_act] == 0 and tps[OTHER[event.to_act]] > 0:
        return [
            out_of_tps.miscalculated(
                f"The log has {event.to_act} act next, who had no unit with TPs left; {OTHER[event.to_act]} had.",
                player=None,
                claimed={"to_act": event.to_act},
                recomputed={"to_act": OTHER[event.to_act]},
            )
        ]
    return RAN


@rule(
    BOOKKEEPING,
    "Keeping count of TPs",
    section=7,
    events=("position", "tp_loss", "activate", "move_models", "*"),
    kinds=("miscalculated", "illegal", "ambiguous"),
    when={"*": ("tps",)},
    finds={"activate": ("tps", "in doubt")},
)
def tp_bookkeeping(event: StatedPosition, view: StatedView, position: Position, hearing: Hearing) -> Seen:
    """A unit at 0 cannot lose a TP, no count falls below 0, and nothing takes or gives TPs but what a rule, a card or the
    scenario says.

    Log:  the TPs claimed for units, what they were lost to.
    Edge: an effect that takes a TP from a unit at 0 is legal and does nothing.
    """
    return [
        tp_bookkeeping.miscalculated(
            f"{entry.unit} is stated with {entry.tp} TPs; a count never falls below 0.",
            str(entry.unit),
            player=entry.side,
            claimed={f"units.{entry.unit}.tp": entry.tp},
            recomputed={f"units.{entry.unit}.tp": 0},
        )
        for entry in event.units or ()
        if entry.tp is not None and entry.tp < 0
    ] or RAN


@tp_bookkeeping.at("tp_loss")
def _tps_lost(event: TpLoss, view: LossView, position: Position, hearing: Hearing) -> Seen:
    """What takes TPs is licensed: an effect, an activation, a last stand, a card, the scenario."""
    found: list[Remark] = []
    change = view.change
    if event.unit is None:
        return [tp_bookkeeping.missing(["the unit"])]
    unit, amount = change.unit, event.amount
    if unit is None:
        return RAN
    gains = amount is not None and amount < 0 and not (change.warrant is Warrant.GIVEN and amount == change.amount)
    if (change.warrant is Warrant.NONE and amount != 0) or gains:
        found.append(
            tp_bookkeeping.illegal(
                f"{unit.id} {'gained' if gains else 'lost'} {count(abs(amount or 0), 'TP')} in the log "
                f'("{(event.cause or "no cause")[:40]}"), and nothing gives that.',
                unit.id,
                player=unit.side,
                claimed={"amount": amount, "cause": event.cause},
                recomputed={"amount": change.amount or 0},
            )
        )
    elif change.warrant is Warrant.UNSTATED:
        found.append(tp_bookkeeping.missing(["what took the TPs"], unit.id, player=unit.side))
    return [*found, *tp_faults(tp_bookkeeping, event, view, position, hearing, _count_words)] or RAN


@tp_bookkeeping.at("activate", "move_models", "*")
def _tps_claimed(event: Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """The TPs that an event claims for units, where no rule of its own compares them."""
    return tp_faults(tp_bookkeeping, event, view, position, hearing, _count_words) or RAN


def _count_words(wrong: WrongTps) -> str:
    if list(wrong.claimed) == ["tp_before"]:
        return f"{wrong.name} has {count(wrong.recomputed['tp_before'] or 0, 'TP')} before this, not {wrong.claimed['tp_before']}."
    return f"{wrong.name} has {wrong.due} TPs after this event; {said_of(wrong)}."
