"""The steps of a round, from the initiative to its end."""

from __future__ import annotations

from typing import Any

from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.systems.calth import records
from auditor.systems.calth.adopt.common import end_activation, lose_an_assault, lose_track
from auditor.systems.calth.adopt.moves import relabel
from auditor.systems.calth.reckoning.claims import BOOKKEEPING, COST, JOINING, NEW_UNITS, possible
from auditor.systems.calth.reckoning.initiative import decided_attempts, first_initiative
from auditor.systems.calth.reckoning.labels import is_gone, unit_called, units_listed
from auditor.systems.calth.reckoning.licence import Held, card_of, target_of
from auditor.systems.calth.reckoning.overrides import named_by_override
from auditor.systems.calth.reckoning.refresh import COMMAND_CARD, REFRESH
from auditor.systems.calth.reckoning.views import ActivationView, RefreshView, View
from auditor.systems.calth.state import READY_TPS, Activation, Position, Suspension, Unit


def _new_round(position: Position, number: int) -> None:
    position.round = number
    position.phase = "initiative"
    position.rolled = False
    position.initiative = None
    position.last_side = None
    position.act = None
    position.drawn = {}
    position.refreshed = None
    position.awaited = None
    position.draws_allowed = {}
    position.suspensions = tuple(held for held in position.suspensions if held.until not in ("activation", "round"))
    position.begin_action()
    position.holes.state(_OF_A_ROUND)


_OF_A_ROUND = (("act",), ("attack",), ("losses",), ("phase",), ("refreshed",))
"""What is known where a round begins: nothing of it has been done."""


def initiative(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    winner = event.winner
    if winner is None:
        if event.source == "scenario":
            winner = first_initiative(position)
        else:
            won = decided_attempts(event, hearing)
            winner = next((side for side in won or () if side is not None), None)
    if position.phase == "action" and view.late is None:
        _new_round(position, position.round + 1)
    position.initiative = winner
    position.rolled = True
    if position.phase in ("setup", "initiative"):
        position.phase = "ready"
    if winner is None:
        position.holes.open(
            Hole(event.seq, f"who won the initiative at event {event.seq} is not known", frozenset([("turn",)]))
        )
    else:
        position.holes.state([("turn",)])


def card_draw(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    side = event.player
    if side is None:
        position.holes.open(Hole(event.seq, f"event {event.seq} does not state who drew", frozenset([("cards",)])))
        return
    n = max(0, event.count if event.count is not None else 1)
    deck = event.deck or side
    drawn = position.drawn.get(side, 0)
    due = 0 if drawn or position.phase == "action" else min(1, n)
    extra = n - due if view.licensed else 0
    if position.phase in ("initiative", "ready", "setup", "action"):
        position.drawn = {**position.drawn, side: drawn + n - extra}
    left = position.draws_allowed.get(side, 0) - extra
    position.draws_allowed = {**position.draws_allowed, side: max(0, left)}
    if deck in position.hands:
        position.hands[deck] = position.hands[deck] + (event.card or "hidden",) * n
    position.drawn_in_all[deck] = position.drawn_in_all.get(deck, 0) + n
    if event.deck_left is not None and event.deck_left >= 0:
        position.deck_left[deck] = event.deck_left
    elif deck in position.deck_left:
        position.deck_left[deck] = max(0, position.deck_left[deck] - n)
    if not extra and (position.phase == "initiative" or (position.phase == "setup" and view.phase == "ready")):
        position.phase = "ready"


def card_play(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    """A card's machine-readable effect is applied; a card that is only text, or not known, is a hole."""
    known = card_of(event, position)
    if event.card is not None:
        position.played = position.played | {event.card}
        if event.card not in position.cards_played:
            position.cards_played = (*position.cards_played, event.card)
        _out_of_hand(position, event.card, event.player)
    if known is None or known.effect is None:
        _open_by_text(event, position)
        return
    effect = known.effect
    unit = target_of(event, position)
    if effect.tp is not None and unit is not None:
        before = unit.tp
        unit.tp = max(0, before + effect.tp)
        position.hold(Held("tps", "card", unit.models, before, unit.tp))
    elif effect.tp is not None and not is_gone(position, event.target):
        facts = frozenset(("tp", one.id) for one in position.units.values())
        position.holes.open(Hole(event.seq, f"event {event.seq} does not state on whom its card was played", facts))
    if effect.draw is not None:
        side = event.player or known.side
        if side is not None:
            position.draws_allowed = {
                **position.draws_allowed,
                side: position.draws_allowed.get(side, 0) + effect.draw,
            }


def _out_of_hand(position: Position, card: str, player: str | None) -> None:
    """A card that is played leaves the hand that was stated; one of which nobody knew the name leaves it too."""
    known = (position.table.cards or {}).get(card)
    side = known.side if known is not None and known.side is not None else player
    hand = list(position.hands.get(side or "", ()))
    held = card if card in hand else "hidden"
    if side is not None and held in hand:
        hand.remove(held)
        position.hands[side] = tuple(hand)


def _open_by_text(event: Any, position: Position) -> None:
    """A card that is only text, or not known, may have changed what its override names, of its target or of all units
    of its player; without an override it may have changed its target.
    """
    target = target_of(event, position)
    named = named_by_override(position, event)
    if target is not None:
        units = [target]
    else:
        units = [unit for unit in position.units.values() if unit.side == event.player] if named else []
    if event.override is not None and named and units:
        models = frozenset(model for unit in units for model in unit.models)
        until = event.override.until
        held = Suspension(named, models, "round" if until is None else until)
        position.suspensions = (*position.suspensions, held)
    facts: set[Any] = set()
    for unit in units:
        if event.override is None or not named.isdisjoint(_ON_TPS):
            facts.add(("tp", unit.id))
        if event.override is None or any(rule.startswith(_ON_HEXES) for rule in named - _ON_TPS):
            facts.add(("hex", unit.id))
    if COMMAND_CARD in named or card_of(event, position) is None:
        facts.add(("cards",))  # a card that the data do not know may let its player draw
    if facts:
        position.holes.open(
            Hole(event.seq, f"nobody can tell what the card of event {event.seq} did", frozenset(facts), allows=True)
        )


_ON_TPS = frozenset({COST, BOOKKEEPING, REFRESH, JOINING, NEW_UNITS})
_ON_HEXES = ("CAL-ADV-", "CAL-RUN-", "CAL-PIN-", "CAL-CON-", "CAL-HEX-")


def tp_refresh(event: Any, view: RefreshView, position: Position, hearing: Hearing) -> None:
    given, listed, astray = set(position.refreshed or ()), view.listed, view.astray
    if event.units is None or any(entry.unit is None for entry in event.units):
        lose_track(position, event, "which units got their TPs")
    for entry, unit in zip(event.units or (), listed, strict=True):
        if unit is None:
            continue
        before, after = possible(entry.tp_before), possible(entry.tp_after)
        if position.awaited is not None and unit.id not in given:
            given.add(unit.id)
            _given_late(event, position, unit, after)
            continue
        given.add(unit.id)
        own = unit.tp if before is None else before
        unit.tp = own + READY_TPS if after is None else after
        if entry.tp_before is not None or entry.tp_after is not None:
            position.holes.state([("tp", unit.id)])
        if astray and unit_called(position, entry.unit) is None:
            relabel(position, event.seq, unit.side, {unit.hex: entry})
            given.add(unit.id)
    position.refreshed = frozenset(given)
    if position.awaited is not None:
        position.awaited = position.awaited - given if event.units is not None else frozenset()
    if position.phase in ("setup", "initiative"):
        position.phase = "ready"


def await_tps(event: records.Event, position: Position) -> None:
    """After the last event before the actions: units of which the TPs are recorded only later have them now. Whether they
    were given late or only written late nobody can tell, nor, where they have acted between, how many they have after it.
    """
    named, given = position.recorded.late.tps[event.seq], position.refreshed or ()
    owed = [unit for unit in position.units.values() if unit.id not in given]
    if named is not None and named <= position.units.keys():
        owed = [unit for unit in owed if unit.id in named]
    for unit in owed:
        unit.tp += READY_TPS
    position.awaited = frozenset(unit.id for unit in owed)
    leave_awaited_open(event, position)


def leave_awaited_open(event: records.Event, position: Position) -> None:
    """What is recorded of TPs before they are given may be of units that had none."""
    facts = frozenset(("tp", unit) for unit in position.awaited or ())
    if facts:
        why = f"TPs of round {position.round} are recorded after the actions had begun"
        position.holes.open(Hole(event.seq, why, facts))


def _given_late(event: records.Event, position: Position, unit: Unit, after: int | None) -> None:
    """A unit is given its TPs by a late line: it has them already, and may have spent some of them."""
    fact = ("tp", unit.id)
    if after == unit.tp or (after is None and unit.tp == READY_TPS):
        position.holes.state([fact])
    else:
        why = f"event {event.seq} gives {unit.id} its TPs after the actions had begun"
        position.holes.open(Hole(event.seq, why, frozenset({fact})))


def activate(event: Any, view: ActivationView, position: Position, hearing: Hearing) -> None:
    disputed = view.disputed
    unit = None if disputed else view.actor
    side = unit.side if unit is not None else event.player
    if position.phase in ("setup", "initiative", "ready"):
        position.phase = "action"
        position.rolled = True
    if not view.is_late:
        end_activation(position)
        position.begin_action()
    position.card_waiting = None
    holes = position.holes
    if side is not None:
        position.last_side = side
        if holes:
            holes.state([("turn",)])  # after this activation it is the other player's
    if unit is None:
        position.act = None
        if disputed:
            # The player activated a unit of their own, and nobody can tell which.
            facts = {("act",), *(("tp", one.id) for one in position.units.values() if one.side == side)}
            text = f"event {event.seq} does not state whose unit was activated"
            position.holes.open(Hole(event.seq, text, frozenset(facts)))
        elif not view.destroyed(event.unit):
            lose_track(position, event, "a unit that is on the board")
        return
    if event.action is None:
        lose_track(position, event, "the action")
    stated, after = possible(event.tp_before), possible(event.tp_after)
    before = unit.tp if stated is None else stated
    if after is None:
        after = max(0, before - 1)
    unit.tp = after
    position.held = (*position.held, Held("tps", "activation", unit.models, before, after))
    if holes:
        holes.state([("attack",), ("losses",), ("phase",), *([] if event.action is None else [("act",)])])
        if event.unit != unit.id:
            # It may be a unit of its own, where it moved in with the other by what nobody knows.
            text = f"event {event.seq} names {event.unit}, which is thought to be part of {unit.id}"
            holes.open(Hole(event.seq, text, frozenset({("tp", unit.id)})))
        elif event.tp_before is not None or event.tp_after is not None:
            holes.state([("tp", unit.id)])
    if view.is_late and position.act is not None:
        why = f"whether event {event.seq} activates {unit.id} for its act before it is not recorded"
        holes.open(Hole(event.seq, why, frozenset({("act",)})))
        position.act.told = True
        position.act.tp_before, position.act.tp_after = before, after
        return
    position.act = Activation(unit, event.action or "none", before, after, event.seq)
    lose_an_assault(position)


def pass_turn(event: records.Event, view: View, position: Position, hearing: Hearing) -> None:
    if position.phase == "ready":
        position.phase = "action"
    end_activation(position)
    position.act = None
    position.begin_action()
    if event.player is not None:
        position.last_side = event.player
        position.holes.state([("turn",)])
    else:
        position.holes.open(Hole(event.seq, f"event {event.seq} does not state who passed", frozenset({("turn",)})))


def round_end(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    # A round that was ended with TPs left was ended all the same; what is left over is what the log says.
    left = list((event.tp_left or {}).items())
    for (_, claimed), unit in zip(left, units_listed(position, left), strict=True):
        if unit is not None and claimed >= 0:
            unit.tp = claimed
    had = frozenset(("tp", unit.id) for unit in position.units.values() if unit.tp > 0)
    if had:
        position.holes.open(Hole(event.seq, f"event {event.seq} ends a round in which units still have TPs", had))
    _new_round(position, position.round + 1)


def scenario_end(event: records.Event, view: View, position: Position, hearing: Hearing) -> None:
    position.act = None
    position.suspensions = ()
    position.phase = "over"
