"""The only place where a position changes.

`adopt` goes on with what the log claims where that can exist, and with what was recomputed where it cannot
(CAL-AUD-01). `correct` does the same with one fault put right. Both ask a reading only where they fall back on what was
recomputed, and before they change anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import UNSET, structs

from auditor.core.findings import Fault
from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.geometry.hexes import Hex
from auditor.systems.calth import records
from auditor.systems.calth.attack_view import AttackView
from auditor.systems.calth.records import faces
from auditor.systems.calth.resolve import resolve
from auditor.systems.calth.rules.assault import must_roll
from auditor.systems.calth.rules.common import assault_losses, retreat_due
from auditor.systems.calth.rules.dice import rerolled
from auditor.systems.calth.rules.moves import tps_of_new
from auditor.systems.calth.rules.rounds import decided_attempts, first_initiative
from auditor.systems.calth.rules.setup import override_named
from auditor.systems.calth.state import CAPACITY, OTHER, READY_TPS, Activation, Position, Unit, side_key
from auditor.systems.calth.view import View


def _label(position: Position, wanted: str | None, side: str, hex_: Hex) -> str:
    """A label for a new unit: the log's, unless another unit bears it."""
    if wanted is not None and (wanted not in position.units or position.units[wanted].hex == hex_):
        return wanted
    base = f"{side.lower()}@{hex_[0]},{hex_[1]}"
    label, n = base, 1
    while label in position.units:
        n += 1
        label = f"{base}#{n}"
    return label


def _can_stand(position: Position, hex_: Hex, side: str, models: Iterable[str], leaving: Iterable[str] = ()) -> bool:
    """Whether these models can be in that hex: it is enterable, not the other side's, and has room (CAL-AUD-01).

    `leaving` are models that leave it in the same event.
    """
    if hex_ not in position.table.passable:
        return False
    there = position.by_hex.get(hex_)
    if there is not None and there.side != side:
        return False
    present = [m for m in there.models if m not in {*models, *leaving}] if there is not None else []
    return position.bulk(present) + position.bulk(m for m in models if m in position.table.models) <= CAPACITY


def _settle(position: Position, side: str, hex_: Hex, models: tuple[str, ...], tp: int, label: str | None) -> None:
    """Let models stand in a hex: they join the unit there, or are a new one."""
    host = position.by_hex.get(hex_)
    if host is not None:
        position.join(host, models)
    else:
        position.put(Unit(_label(position, label, side, hex_), side, hex_, models, max(0, tp)))


def _lost(position: Position, event: Any, what: str) -> None:
    """The event leaves out a fact that cannot be derived: from here on anything may have changed (CAL-AUD-04)."""
    position.holes.open(Hole(event.seq, f"event {event.seq} does not state {what}"))


# -- the record -----------------------------------------------------------------------------------------------


def _nothing(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    """An event that changes nothing, or that restates what another said."""


def _stated(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    """A stated position replaces the replayed one; what it leaves out is a hole, unless it is the first."""
    stated = event.position if isinstance(event, records.Judge) else event
    if stated is None:
        return
    first = not position.started
    table = position.table
    if stated.units is not None:
        for unit in list(position.units.values()):
            position.lift(unit)
        position.gone = frozenset()
        placed: set[str] = set()
        for entry in stated.units:
            models = tuple(m for m in dict.fromkeys(entry.models or ()) if m in table.models and m not in placed)
            if entry.hex is None or not models:
                continue
            side = entry.side or table.models[models[0]].side
            if entry.hex in position.by_hex and position.by_hex[entry.hex].side != side:
                continue
            placed.update(models)
            _settle(position, side, entry.hex, models, entry.tp or 0, entry.unit)
        reserve = frozenset(stated.reserve or ())
        removed = frozenset(stated.removed or ())
        if stated.removed is None and not first:
            removed = position.removed - placed
        position.removed = removed
        position.reserve = reserve if stated.reserve is not None else frozenset()
    if stated.round is not None:
        position.round = stated.round
    if stated.phase is not None:
        position.phase = stated.phase
        position.rolled = stated.phase in ("ready", "action", "over")
        position.drawn = {"UM": 1, "WB": 1} if stated.phase in ("action", "over") else {}
        position.refreshed = frozenset(position.units) if stated.phase in ("action", "over") else None
    if stated.initiative is not None or first:
        position.initiative = stated.initiative
    if stated.doors is not None or first:
        sealed = set(position.sealed)
        for entry in stated.doors or ():
            if entry.edge is None or entry.state is None:
                continue
            door = side_key(*entry.edge)
            if door in table.board.doors:
                (sealed.add if entry.state == "sealed" else sealed.discard)(door)
        position.sealed = frozenset(sealed)
    if stated.weapons_destroyed is not None or first:
        position.destroyed = frozenset((m, w) for m, w in stated.weapons_destroyed or ())
    if stated.damage_deck is not None:
        if stated.damage_deck.in_deck is not None:
            position.damage_in_deck = frozenset(stated.damage_deck.in_deck)
        if stated.damage_deck.on_model is not None:
            position.damage_on_model = frozenset(stated.damage_deck.on_model)
            if stated.damage_deck.in_deck is None:
                position.damage_in_deck = frozenset(table.locations) - position.damage_on_model
    elif first and any(m.has_damage_deck for m in table.models.values()):
        position.damage_in_deck = None  # left out: unknown, so that no finding rests on it
    if stated.decks is not None:
        for side, deck in stated.decks.items():
            if deck.left is not None:
                position.deck_left[side] = deck.left
            if deck.hand is not None:
                position.hands[side] = tuple(deck.hand)
    position.act = None
    position.casualties = ()
    position.card_waiting = None
    position.last_side = OTHER[stated.to_act] if stated.to_act is not None else None
    if stated.units is not None and stated.phase is not None:
        position.holes.close()
        left_out: set[Any] = {
            ("tp", entry.unit) for entry in stated.units if entry.unit is not None and entry.tp is None
        }
        if not first and stated.doors is None and table.board.doors:
            left_out.add(("doors",))
        if stated.phase == "action" and stated.to_act is None:
            left_out.add(("turn",))
        if left_out:
            position.holes.open(
                Hole(event.seq, f"the position stated at event {event.seq} leaves it out", frozenset(left_out))
            )
    if any(entry.hex is None or not entry.models or entry.unit is None for entry in stated.units or ()):
        _lost(position, event, "where every unit stands, who is in it and what it is called")
    elif first and (stated.phase is None or stated.round is None):
        _lost(position, event, "which phase of which round it is")


def _place(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    if event.model is None or event.hex is None:
        _lost(position, event, "which model was placed where")
        return
    model = position.table.models.get(event.model)
    if model is None or model.id in position.removed:
        return
    if not _can_stand(position, event.hex, model.side, [model.id]):
        return
    tp = 0
    position.take(model.id)
    position.reserve = position.reserve - {model.id}
    host = position.by_hex.get(event.hex)
    _settle(position, model.side, event.hex, (model.id,), tp, event.unit)
    if event.unit is None and host is None:
        _lost(position, event, "what the new unit is called")


# -- rounds ---------------------------------------------------------------------------------------------------


def _new_round(position: Position, number: int) -> None:
    position.round = number
    position.phase = "initiative"
    position.rolled = False
    position.initiative = None
    position.last_side = None
    position.act = None
    position.drawn = {}
    position.refreshed = None
    position.casualties = ()


def _initiative(event: Any, view: View, position: Position, hearing: Hearing) -> None:
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


def _card_draw(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    side = event.player
    if side is None:
        position.holes.open(Hole(event.seq, f"event {event.seq} does not state who drew", frozenset([("cards",)])))
        return
    n = event.count if event.count is not None else 1
    deck = event.deck or side
    if position.phase in ("initiative", "ready", "setup", "action") and event.override is None:
        position.drawn = {**position.drawn, side: position.drawn.get(side, 0) + n}
    position.drawn_in_all[deck] = position.drawn_in_all.get(deck, 0) + n
    if event.deck_left is not None:
        position.deck_left[deck] = event.deck_left
    elif deck in position.deck_left:
        position.deck_left[deck] = max(0, position.deck_left[deck] - n)
    if position.phase == "initiative" and event.override is None:
        position.phase = "ready"
    if position.draws_allowed:
        position.draws_allowed = max(0, position.draws_allowed - n)


def _card_play(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    """A card's machine-readable effect is applied; a card that is only text, or not known, is a hole."""
    known = None
    table = position.table
    if event.card is not None and table.cards is not None:
        known = table.cards.get(event.card)
    if known is None and event.override is not None:
        known = override_named(position, event)
    if event.card is not None:
        position.played = position.played | {event.card}
    if known is None or known.effect is None:
        return
    effect = known.effect
    unit = position.units.get(event.target) if event.target is not None else None
    if effect.tp is not None and unit is not None:
        claimed = event.tp.get(unit.id) if event.tp else None
        unit.tp = max(0, claimed if claimed is not None else unit.tp + effect.tp)
    if effect.draw is not None:
        position.draws_allowed += effect.draw


def _tp_refresh(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    given = set(position.refreshed or ())
    if event.units is None or any(entry.unit is None for entry in event.units):
        _lost(position, event, "which units got their TPs")
    for entry in event.units or ():
        unit = position.units.get(entry.unit) if entry.unit is not None else None
        if unit is None:
            continue
        given.add(unit.id)
        before = entry.tp_before if entry.tp_before is not None else unit.tp
        unit.tp = max(0, entry.tp_after if entry.tp_after is not None else before + READY_TPS)
        if entry.tp_before is not None or entry.tp_after is not None:
            position.holes.state([("tp", unit.id)])
    position.refreshed = frozenset(given)
    if position.phase in ("setup", "initiative"):
        position.phase = "ready"


def _activate(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    unit = view.actor
    side = event.player or (unit.side if unit is not None else None)
    if position.phase in ("setup", "initiative", "ready"):
        position.phase = "action"
        position.rolled = True
    position.casualties = ()
    position.card_waiting = None
    if side is not None:
        position.last_side = side
    if unit is None:
        position.act = None
        if event.unit not in position.gone:
            _lost(position, event, "a unit that is on the board")
        return
    if event.action is None:
        _lost(position, event, "the action")
    before = event.tp_before if event.tp_before is not None and event.tp_before >= 0 else unit.tp
    after = event.tp_after if event.tp_after is not None and event.tp_after >= 0 else max(0, before - 1)
    unit.tp = after
    position.holes.state([("act",)])
    if event.tp_before is not None or event.tp_after is not None:
        position.holes.state([("tp", unit.id)])
    position.act = Activation(unit.id, unit.side, event.action or "none", unit.hex, before, after)


def _pass(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    if position.phase == "ready":
        position.phase = "action"
    position.act = None
    position.casualties = ()
    if event.player is not None:
        position.last_side = event.player
    else:
        position.holes.open(Hole(event.seq, f"event {event.seq} does not state who passed", frozenset({("turn",)})))


def _round_end(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    for unit in position.units.values():
        # A round that was ended with TPs left was ended all the same; what is left over is what the log says.
        if event.tp_left and unit.id in event.tp_left:
            unit.tp = max(0, event.tp_left[unit.id])
    _new_round(position, position.round + 1)


def _scenario_end(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    position.act = None
    position.phase = "over"


# -- moves ----------------------------------------------------------------------------------------------------


def _move_unit(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    unit, act = view.actor, position.act
    cause = view.cause
    if unit is None or not event.path:
        _lost(position, event, "which unit went where")
        return
    start, end = event.path[0], event.path[-1]
    own = act is not None and act.hex == unit.hex and act.side == unit.side
    movers = tuple(m for m in (event.models or unit.models) if m in unit.models) or unit.models
    if start != unit.hex and _can_stand(position, start, unit.side, unit.models) and start not in position.by_hex:
        position.shift(unit, start)
        if own and act is not None:
            act.hex = start
            act.start = start
    moved = end == unit.hex or _can_stand(position, end, unit.side, movers)
    if moved and end != unit.hex:
        _walk(position, unit, movers, end, event.unit)
    if own and act is not None and moved:
        act.hex = end
    if act is not None and own:
        if cause in ("advance", "run"):
            act.moved = True
        elif cause == "assault_pre":
            act.premoved = True
        elif cause == "move_in":
            act.moved_in = True


def _walk(position: Position, unit: Unit, movers: tuple[str, ...], end: Hex, label: str | None) -> None:
    """Move a unit, or a part of it, to a hex that can take it."""
    host = position.by_hex.get(end)
    if len(movers) == len(unit.models) and host is None:
        position.shift(unit, end)
        return
    tp, side = unit.tp, unit.side
    for model in movers:
        position.take(model)
    _settle(position, side, end, movers, tp, label if len(movers) == len(unit.models) else None)


def _move_models(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    unit, act = view.actor, position.act
    if unit is None or event.moves is None or any(m.model is None or m.to is None for m in event.moves):
        _lost(position, event, "which models went where")
    if unit is None or event.moves is None:
        return
    labels: dict[Hex, Any] = {entry.hex: entry for entry in event.units or () if entry.hex is not None}
    parent_hex, side = unit.hex, unit.side
    going: dict[str, Hex] = {}
    for move in event.moves:
        if move.to is not None and move.model in position.unit_of and move.to != position.unit_of[move.model].hex:
            if position.unit_of[move.model].side == side:
                going[move.model] = move.to
    arriving: dict[Hex, list[str]] = {}
    for model, to in going.items():
        arriving.setdefault(to, []).append(model)
    new_hexes = [hex_ for hex_ in arriving if hex_ not in position.by_hex]
    unclaimed = [hex_ for hex_ in new_hexes if hex_ not in labels or labels[hex_].tp is None]
    tp = tps_of_new(view.cause, position, unit, hearing) if unclaimed else unit.tp
    parent = labels.get(parent_hex)
    if parent is not None and parent.tp is not None:
        unit.tp = max(0, parent.tp)
    for hex_ in _refused(position, side, arriving):
        del arriving[hex_]
    for models in arriving.values():
        for model in models:
            position.take(model)
    for hex_, models in arriving.items():
        entry = labels.get(hex_)
        claimed = entry.tp if entry is not None and entry.tp is not None else None
        host = position.by_hex.get(hex_)
        if host is not None:
            position.join(host, tuple(models))
            if claimed is not None:
                host.tp = max(0, claimed)
        else:
            _settle(position, side, hex_, tuple(models), claimed if claimed is not None else tp, None)
    _relabel(position, side, labels)
    if any(hex_ not in labels or labels[hex_].unit is None for hex_ in new_hexes if hex_ in position.by_hex):
        _lost(position, event, "what the new unit is called")
    if act is None:
        return
    if view.cause == "retreat":
        act.retreated = True
        left = position.by_hex.get(parent_hex)
        act.staying = left.models if left is not None and left.side == side else ()
        act.kept = act.staying or ("nobody",)
    elif act.side == side and act.hex == parent_hex:
        act.moved = True


def _refused(position: Position, side: str, arriving: Mapping[Hex, list[str]]) -> list[Hex]:
    """The hexes that cannot take the models that arrive there; who cannot arrive does not leave either."""
    refused: list[Hex] = []
    while True:
        moving = [model for hex_, models in arriving.items() if hex_ not in refused for model in models]
        more = [
            hex_
            for hex_, models in arriving.items()
            if hex_ not in refused and not _can_stand(position, hex_, side, models, moving)
        ]
        if not more:
            return refused
        refused += more


def _relabel(position: Position, side: str, entries: Mapping[Hex, Any]) -> None:
    """Give units the labels that the log has for their hexes; a label says nothing but who is meant later."""
    named = [
        (unit, entry.unit)
        for hex_, entry in entries.items()
        if entry.unit is not None and (unit := position.by_hex.get(hex_)) is not None and unit.side == side
    ]
    moving = {unit.id for unit, _ in named}
    wanted: set[str] = set()
    for unit, label in named:
        if label not in wanted and (label not in position.units or label in moving):
            wanted.add(label)
            position.units.pop(unit.id, None)
    taken = set(position.units)
    for unit, label in named:
        if label in wanted and label not in taken:
            unit.id = label
            taken.add(label)
        position.units[unit.id] = unit
        position.gone = position.gone - {unit.id}


# -- attacks --------------------------------------------------------------------------------------------------


def _attack(event: Any, view: AttackView, position: Position, hearing: Hearing) -> None:
    attacker, target, act = view.attacker, view.target, position.act
    if attacker is None or target is None or _undecided(event, view):
        _lost(position, event, "who attacked whom, or what became of it")
    removed, over, locations = _losses(event, view, hearing)
    doomed, unmarked = _doomed_cannons(view, hearing)
    suppressed = _suppression(view)
    opened = act is not None and attacker is not None and act.hex == attacker.hex and act.side == attacker.side
    side = target.side if target is not None else None
    target_hex, before = view.target_hex, view.target_models
    if suppressed is not None and target is not None:
        target.tp = suppressed
    for model in removed:
        position.remove(model)
    if over is not None:
        position.remove(over)
    position.casualties = position.casualties + tuple(removed) + ((over,) if over is not None else ())
    for location in locations:
        if location.stays_on_model:
            position.damage_on_model = position.damage_on_model | {location.id}
            if position.damage_in_deck is not None:
                position.damage_in_deck = position.damage_in_deck - {location.id}
        if location.destroys_weapon is not None:
            owner = next((m for m in before if position.table.models[m].has_damage_deck), None)
            if owner is not None:
                position.destroyed = position.destroyed | {(owner, location.destroys_weapon)}
    for cannon in (*doomed, *unmarked):
        _destroy(position, (cannon, "assault_cannon"))
        if _bears_too_many_cards(position, cannon):
            position.remove(cannon)
            position.casualties = (*position.casualties, cannon)
    position.card_waiting = None
    if act is None:
        return
    if suppressed is not None and event.target is not None:
        act.suppressed = (*act.suppressed, event.target)
    # Models of a third unit do not count, however they came to be attacked (CAL-RET-01).
    if (
        view.mode == "melee"
        and side is not None
        and (view.role == "assault" or target_hex in (act.hex, act.target_hex))
    ):
        act.losses[side] += len(removed)
        act.locations[side] += len(locations)
    if view.role == "assault" and opened:
        act.attacked = True
        act.target, act.target_hex, act.target_models = event.target, target_hex, before
        if act.action == "none" or act.action not in ("assault",):
            act.action = "assault" if not act.moved else act.action
    elif view.role == "counter":
        act.countered = True
    elif view.role == "shoot" and opened:
        act.attacked = True
    act.owes = (*act.owes, *unmarked)
    flame = view.effect == "CAL-CRT-04" and target_hex is not None
    if view.role == "flamer_follow_up":
        act.flames += 1
        act.flame = (target_hex, target_hex in position.by_hex) if flame and target_hex is not None else None
    elif view.role == "shoot":
        act.flames = 1 if flame else 0
        act.flame = (target_hex, target_hex in position.by_hex) if flame and target_hex is not None else None


def _undecided(event: Any, view: AttackView) -> bool:
    """Whether the models that an attack removed cannot be told."""
    pool = view.pool_played()
    if event.steps is None:
        return pool is None or pool > 0
    return (
        view.vague
        or any(
            step.casualty is not False
            and step.target_model is None
            and step.damage_card is None
            and len(view.target_models) > 1
            for step in event.steps
        )
        or any(step.casualty is None and (step.faces is None or pool is None) for step in event.steps)
    )


def _losses(event: Any, view: AttackView, hearing: Hearing) -> tuple[list[str], str | None, list[Any]]:
    """Models of the target that are removed, the firer that overheats, the locations of Sor Gharax destroyed."""
    removed: list[str] = []
    locations: list[Any] = []
    left = list(view.target_models)
    for number, step in enumerate(event.steps or ()):
        if not view.casualty(number, hearing):
            continue
        if view.is_location(number):
            location = view.location(number)
            if location is not None:
                locations.append(location)
            continue
        model = step.target_model
        if model is None and len(left) == 1:
            model = left[0]
        if model in left:
            left.remove(model)
            removed.append(model)
    if locations and view.target_is_only_sor:
        most = view.position.table.removed_at
        if most is not None and view.cards_after(hearing) >= most:
            removed.extend(left)
    over = None
    if view.effect == "CAL-CRT-08":
        told = view.overheat_told()
        if told is None:
            over = view.crits[0].model if view.overheats(hearing) else None
        else:
            over = told or None
        if over not in view.attacker_models:
            over = None
    return removed, over, locations


def _doomed_cannons(view: AttackView, hearing: Hearing) -> tuple[list[str], list[str]]:
    """Models whose assault cannon this attack destroys: by its own effect, as told or else as recomputed, and without."""
    by_effect: list[str] = []
    model = view.crits[0].model if view.effect == "CAL-CRT-06" else None
    if model is not None:
        told = view.destruction_told()
        if told if told is not None else view.doomed(hearing):
            by_effect.append(model)
    others = [one for one in view.cannons() if one != model]
    return by_effect, others if others and view.doomed(hearing, without_effect=True) else []


def _destroy(position: Position, weapon: tuple[str, str]) -> None:
    """A weapon is destroyed; one of Sor Gharax puts the card of its location on the model (CAL-CRT-06)."""
    if weapon in position.destroyed:
        return
    position.destroyed = position.destroyed | {weapon}
    model = position.table.models.get(weapon[0])
    if model is None or not model.has_damage_deck:
        return
    for location in position.table.locations.values():
        if location.destroys_weapon == weapon[1] and location.stays_on_model:
            position.damage_on_model = position.damage_on_model | {location.id}
            if position.damage_in_deck is not None:
                position.damage_in_deck = position.damage_in_deck - {location.id}


def _bears_too_many_cards(position: Position, model: str) -> bool:
    """Whether so many Damage cards lie on a model that it is removed, as its roster says."""
    most, known = position.table.removed_at, position.table.models.get(model)
    if most is None or known is None or not known.has_damage_deck or model not in position.unit_of:
        return False
    return len(position.damage_on_model) >= most


def _suppression(view: AttackView) -> int | None:
    """TPs of the target after a suppressing effect; None where there was none."""
    if view.effect != "CAL-CRT-03" or view.target is None:
        return None
    crit = view.crits[0]
    if crit.tp_after is not None:
        return max(0, int(crit.tp_after))
    lost = crit.tp_lost if crit.tp_lost is not None else min(1, view.target.tp)
    return max(0, view.target.tp - int(lost))


def _counter(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    """Says only that a counter-attack is made or not; the attack itself follows."""


def _retreat(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    act = position.act
    if act is None or not act.attacked:
        return
    if event.due is not None:
        act.said = event.due
    elif event.casualties:
        owner = OTHER[act.side]
        stated = {side: assault_losses(act, side, hearing) for side in (owner, act.side)} | event.casualties
        act.said = stated[owner] > stated[act.side]
    elif retreat_due(act, position, hearing):
        act.said = True


def _last_stand(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    unit, act = view.actor, position.act
    if unit is None or event.models is None:
        _lost(position, event, "who made the last stand")
        return
    shown = faces(event.faces)
    if event.survivors is not None:
        saved = [m for m in event.models if m in event.survivors]
    elif shown is not None and len(shown) == len(event.models) and (final := rerolled(shown, event)) is not None:
        saved = [m for m, face in zip(event.models, final, strict=True) if face == "S"]
    else:
        _lost(position, event, "who survived")
        return
    lost = [m for m in event.models if m not in saved and m in unit.models]
    if event.tp_after is not None and event.tp_after >= 0:
        unit.tp = event.tp_after
    else:
        unit.tp = 0
    for model in lost:
        position.remove(model)
    position.casualties = position.casualties + tuple(lost)
    if act is not None:
        act.retreated = True
        act.rolled = True


# -- small events ---------------------------------------------------------------------------------------------


def _tp_loss(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    unit = position.units.get(event.unit) if event.unit is not None else None
    if unit is None:
        if event.unit not in position.gone:
            _lost(position, event, "which unit lost TPs")
        return
    if event.tp_after is not None:
        unit.tp = max(0, event.tp_after)
    elif not view.echo:
        before = event.tp_before if event.tp_before is not None else unit.tp
        unit.tp = max(0, before - (event.amount or 0))
    if event.tp_before is not None or event.tp_after is not None:
        position.holes.state([("tp", unit.id)])


def _door(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    if event.edge is None or event.state is None:
        position.holes.open(
            Hole(event.seq, f"which door changed at event {event.seq} is not recorded", frozenset([("doors",)]))
        )
        return
    door = side_key(*event.edge)
    if door not in position.table.board.doors:
        return
    position.sealed = position.sealed | {door} if event.state == "sealed" else position.sealed - {door}


def _weapon_destroyed(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    if event.model is not None and event.weapon is not None:
        location = position.table.locations.get(event.card) if event.card is not None else None
        if location is None or location.destroys_weapon == event.weapon:
            _destroy(position, (event.model, event.weapon))
        else:
            position.destroyed = position.destroyed | {(event.model, event.weapon)}
        act = position.act
        if act is not None and event.weapon == "assault_cannon":
            act.owes = tuple(model for model in act.owes if model != event.model)


def _damage_card(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    position.card_waiting = event


def _model_removed(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    if event.model is None:
        _lost(position, event, "which model was removed")
    if event.model in position.unit_of:
        position.remove(event.model)


def _unit_removed(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    unit = position.units.get(event.unit) if event.unit is not None else None
    if event.unit is None:
        _lost(position, event, "which unit was removed")
    if unit is not None:
        for model in unit.models:
            position.remove(model)


ADOPT: Mapping[type, Callable[[Any, Any, Position, Hearing], None]] = {
    records.GameStart: _nothing,
    records.Position: _stated,
    records.Judge: _stated,
    records.Place: _place,
    records.Initiative: _initiative,
    records.CardDraw: _card_draw,
    records.CardPlay: _card_play,
    records.TpRefresh: _tp_refresh,
    records.Activate: _activate,
    records.Pass: _pass,
    records.MoveUnit: _move_unit,
    records.MoveModels: _move_models,
    records.Attack: _attack,
    records.Counter: _counter,
    records.Retreat: _retreat,
    records.LastStand: _last_stand,
    records.TpLoss: _tp_loss,
    records.Door: _door,
    records.WeaponDestroyed: _weapon_destroyed,
    records.DamageCard: _damage_card,
    records.UnitRemoved: _unit_removed,
    records.ModelRemoved: _model_removed,
    records.RoundEnd: _round_end,
    records.ScenarioEnd: _scenario_end,
    records.CampaignEnd: _nothing,
    records.End: _nothing,
}


_OF_AN_ACT = frozenset(
    {records.MoveUnit, records.MoveModels, records.Attack, records.Counter, records.Retreat, records.LastStand}
)


def adopt(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    """Go on with what the log claims, where it can exist."""
    if position.act is not None and position.act.void and type(event) in _OF_AN_ACT:
        return  # the act that this belongs to did not happen in this replay
    ADOPT[type(event)](event, view, position, hearing)
    if event.tp:
        for label, claimed in event.tp.items():
            unit = position.units.get(label)
            if unit is not None and claimed >= 0:
                unit.tp = claimed
    position.started = True


CLAIMS = {
    "attack": ("pool",),
    "step": ("armour_used", "bonus_dice", "shields", "pool_after_shields", "stamina_used", "casualty", "pool_left"),
    "crit": ("tp_lost", "tp_after", "weapon_destroyed"),
}


def correct(event: Any, view: View, position: Position, hearing: Hearing, fault: Fault) -> None:
    """Adopt an event with one fault put right: a wrong or missing result becomes the recomputed one, an illegal act does
    not happen, save that its dice and TPs stay spent."""
    if fault.kind == "illegal":
        _undo_act(event, view, position, hearing)
        position.started = True
        return
    if fault.rule == "CAL-RDY-02" and fault.kind == "omitted":
        for unit in position.units.values():
            if position.refreshed is None or unit.id in fault.subject:
                unit.tp += READY_TPS
                position.holes.state([("tp", unit.id)])
    event = unclaimed(event)
    adopt(event, resolve(event, position, hearing), position, hearing)


def alike(fault: Fault) -> bool:
    """What `correct` goes by: whether the act did not happen, or happened with other results."""
    return fault.kind == "illegal"


def _undo_act(event: Any, view: View, position: Position, hearing: Hearing) -> None:
    """What is left of an illegal act: the TP of an activation, the steps of the round that were taken all the same."""
    act = position.act
    kind = type(event)
    if kind is records.Activate:
        _activate(event, view, position, hearing)
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
        records.RoundEnd,
        records.Pass,
        records.TpRefresh,
        records.CardDraw,
        records.Position,
    ):
        ADOPT[kind](event, view, position, hearing)


def unclaimed(event: Any) -> Any:
    """The event with its facts only: every number that follows from them is left out."""
    replace = structs.replace
    if isinstance(event, records.Attack):
        steps = [replace(step, **dict.fromkeys(CLAIMS["step"])) for step in event.steps or ()]
        crit = event.crit
        if isinstance(crit, records.Crit):
            crit = replace(crit, self_casualty=UNSET, **dict.fromkeys(CLAIMS["crit"]))
        return replace(event, pool=None, los=None, steps=steps if event.steps is not None else None, crit=crit, tp=None)
    if isinstance(event, records.Activate):
        return replace(event, tp_after=None, tp=None)
    if isinstance(event, records.MoveModels):
        units = [replace(entry, tp=None) for entry in event.units or ()]
        return replace(event, units=units, tp=None)
    if isinstance(event, records.TpRefresh):
        return replace(event, units=[replace(entry, tp_after=None) for entry in event.units or ()], tp=None)
    if isinstance(event, records.LastStand):
        return replace(event, survivors=None, tp_after=None, tp=None)
    if isinstance(event, records.TpLoss):
        return replace(event, tp_after=None, tp=None)
    if isinstance(event, records.Initiative):
        return replace(event, winner=None)
    return replace(event, tp=None)


def can_judge(event: Any, corrected: Position, played: Position) -> bool:
    """Whether an event can still be judged in a corrected position: its units stand where they stood, no model of those
    that act is gone, and the same activation is open. A unit that only the mistake had removed can be judged too."""
    back = False
    for name in ("unit", "attacker", "target"):
        label = str(getattr(event, name, None))
        here, there = corrected.units.get(label), played.units.get(label)
        if here is None:
            if there is not None:
                return False
            continue
        if there is None:
            if label not in played.gone:
                return False
            back = True
        elif here.hex != there.hex or (name != "target" and not set(there.models) <= set(here.models)):
            return False
    if isinstance(event, (records.MoveUnit, records.MoveModels, records.Attack, records.LastStand, records.Retreat)):
        act, other = corrected.act, played.act
        if act is not None and act.void:
            return False
        if act is None and other is not None:
            return False
        if act is not None and other is None and not (back and act.unit == getattr(event, "unit", None)):
            return False
        if act is not None and other is not None and (act.unit, act.action) != (other.unit, other.action):
            return False
    return True


__all__ = ["adopt", "can_judge", "correct", "must_roll", "unclaimed"]
