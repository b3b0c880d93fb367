"""The one place where an event changes the position: what the log says, else what the rules make of it."""

from __future__ import annotations

from auditor.conformance.calth.board import as_edge, as_hex
from auditor.conformance.calth.position import (
    Event,
    Position,
    Unit,
    heavy_weapon_arm,
    lose_damage_card,
    remove_model,
    set_door,
    step_card,
)
from auditor.conformance.calth.referee import (
    cannons_lost,
    final_faces,
    initiative_winner,
    judged_steps,
    new_unit_tp,
    overheats,
    the_crit,
)
from auditor.conformance.calth.tables import PLASMA, SUPPRESS, Readings


def apply(position: Position, event: Event, readings: Readings) -> None:
    """Change the position as the event says; what it does not say is filled in from the rules."""
    name = event["type"]
    if name == "position":
        _position(position, event)
    elif name == "judge":
        if isinstance(event.get("position"), dict):
            _position(position, event["position"])
    elif name == "place":
        _place(position, event)
    elif name == "initiative":
        rolled = initiative_winner(event.get("attempts", ()), readings)
        position.initiative = event.get("winner") or rolled or position.first_initiative
        position.phase = "ready"
    elif name == "card_draw":
        deck = str(event.get("deck", event["player"]))
        left = position.deck_left.get(deck)
        if event.get("deck_left", -1) >= 0:
            position.deck_left[deck] = event["deck_left"]
        elif left is not None:
            position.deck_left[deck] = max(0, left - event.get("count", 1))
        position.hands[event["player"]].append(event.get("card", "hidden"))
    elif name == "card_play":
        unit = position.units.get(event.get("target", ""))
        if unit is not None:
            unit.tp = max(0, unit.tp + position.card_tps.get(event.get("card", ""), 0))
    elif name == "tp_refresh":
        for line in event["units"]:
            unit = position.units.get(line.get("unit", ""))
            if unit is not None:
                _set(unit, line.get("tp_after"), max(0, line.get("tp_before", unit.tp)) + 2)
        if position.phase != "action":
            position.last_actor = None
    elif name == "activate":
        unit = position.units.get(event["unit"])
        if unit is not None:
            before = event.get("tp_before", unit.tp)
            position.tp_before_activation = before if before >= 0 else unit.tp
            _set(unit, event.get("tp_after"), max(0, position.tp_before_activation - 1))
        position.activated = event["unit"]
        position.last_actor = event["player"]
        position.phase = "action"
    elif name == "pass":
        if position.has_tp(event["player"]):
            position.last_actor = event["player"]
    elif name == "move_unit":
        unit = position.units.get(event["unit"])
        if unit is not None:
            unit.hex = as_hex(event["path"][-1])
    elif name == "move_models":
        _move_models(position, event, readings)
    elif name == "attack":
        _attack(position, event, readings)
    elif name == "last_stand":
        _last_stand(position, event, readings)
    elif name == "tp_loss":
        unit = position.units.get(event["unit"])
        if unit is not None:
            # What an event before it has taken already is only said once more.
            again = event.get("restates", event.get("cause") == "crit")
            _set(unit, event.get("tp_after"), unit.tp if again else unit.tp - event.get("amount", 0))
    elif name == "door":
        set_door(position, as_edge(event["edge"]), event["state"])
    elif name == "weapon_destroyed":
        card = position.damage_cards.get(event.get("card") or "")
        owner = position.models.get(event["model"])
        if owner is None or event["weapon"] not in owner.weapons:
            pass
        elif card is None or card.get("destroys_weapon") == event["weapon"]:
            _destroy_weapon(position, event["model"], event["weapon"])
        else:
            position.broken.add((event["model"], event["weapon"]))
    elif name == "model_removed":
        if event["model"] in position.models and event["model"] not in position.removed:
            remove_model(position, event["model"])
    elif name == "unit_removed":
        gone = position.units.get(event["unit"])
        # A unit that has left its hex takes no model with it.
        for model in list(gone.models) if gone and event.get("cause") not in ("consolidate", "retreat") else []:
            remove_model(position, model)
    elif name == "round_end":
        position.round += 1
        position.phase = "initiative"
        position.initiative = None
        position.last_actor = position.first_actor = None
        position.activated = None
        for label, claimed in event.get("tp_left", {}).items():
            if label in position.units:
                _set(position.units[label], claimed, 0)
    elif name == "scenario_end":
        position.phase = "over"
    if name != "position":
        stated = _stated(event)
        for label, claimed in event.get("tp", {}).items():
            if label in position.units and label not in stated:
                _set(position.units[label], claimed, position.units[label].tp)


def _set(unit: Unit, claimed: int | None, due: int) -> None:
    """The TPs that are claimed, or those that are due where none are, or fewer than none."""
    unit.tp = claimed if claimed is not None and claimed >= 0 else max(0, due)


def _stated(event: Event) -> set[str | None]:
    """The units of which an event states the TPs by more than `tp`, which is adopted before that."""
    keys = {line.get("unit") for line in event.get("units", ()) if line.get("tp_after", line.get("tp")) is not None}
    if event.get("tp_after") is not None and "unit" in event:
        keys.add(event["unit"])
    crit = the_crit(event) if event["type"] == "attack" else None
    if crit is not None and "tp_after" in crit:
        keys.add(event["target"])
    return keys


def _position(position: Position, event: Event) -> None:
    position.round, position.phase = event["round"], event["phase"]
    position.initiative = event.get("initiative")
    position.first_actor = event.get("to_act")
    if position.first_actor is not None:
        position.last_actor = None
    position.units = {
        u["unit"]: Unit(u["unit"], u["side"], as_hex(u["hex"]), list(u["models"]), max(0, u.get("tp") or 0))
        for u in event["units"]
    }
    position.removed = set(event.get("removed") or ())
    for line in event.get("doors") or ():
        set_door(position, as_edge(line["edge"]), line["state"])
    position.broken = {(m, w) for m, w in event.get("weapons_destroyed") or ()}
    for side, deck in event.get("decks", {}).items():
        position.deck_left[side] = deck.get("left")
        position.hands[side] = list(deck.get("hand") or ())
    if "damage_deck" in event:
        position.in_deck = list(event["damage_deck"]["in_deck"])
        position.on_model = list(event["damage_deck"]["on_model"])


def _place(position: Position, event: Event) -> None:
    h = as_hex(event["hex"])
    model = position.models[event["model"]]
    unit = position.unit_at(h)
    if unit is None:
        name = event.get("unit") or f"{model.side.lower()}-at-{h[0]}-{h[1]}"
        unit = position.units[name] = Unit(name, model.side, h, [], 0)
    position.take(model.id)
    unit = position.units.setdefault(unit.id, unit)
    unit.models.append(model.id)


def _move_models(position: Position, event: Event, readings: Readings) -> None:
    parent = position.units[event["unit"]]
    copied = new_unit_tp(position, parent, event["cause"], readings)
    for line in event["moves"]:
        # A model of another unit may not move, and where the log moves it all the same, it is gone from there.
        position.take(line["model"])
    stated = {as_hex(u["hex"]): u for u in event["units"]}
    for line in event["moves"]:
        h = as_hex(line["to"])
        unit = position.unit_at(h)
        if unit is None:
            label = str(stated.get(h, {}).get("unit") or f"{parent.side.lower()}-at-{h[0]}-{h[1]}")
            name = label if label not in position.units else f"{label} in {h[0]},{h[1]}"
            unit = position.units[name] = Unit(name, parent.side, h, [], copied)
        unit.models.append(line["model"])
    for h, claimed in stated.items():
        unit = position.unit_at(h)
        if unit is not None and "tp" in claimed:
            _set(unit, claimed["tp"], unit.tp)


def _attack(position: Position, event: Event, readings: Readings) -> None:
    crit = the_crit(event)
    target = position.units[event["target"]]
    if crit is not None and crit["effect"] == SUPPRESS:
        _set(target, crit.get("tp_after"), target.tp - max(0, crit.get("tp_lost", 1)))
    bearer = target.models[0]
    for due, step in zip(judged_steps(position, event, readings), event.get("steps", ()), strict=True):
        if step.get("casualty", due["casualty"]):
            card = step_card(step)
            if card is None and "target_model" in step:
                remove_model(position, step["target_model"])
            elif card is not None:
                lose_damage_card(position, card, bearer)
    if crit is not None and crit["effect"] == PLASMA:
        due_casualty = crit.get("model") if overheats(crit.get("added", ()), readings) else None
        lost = crit.get("self_casualty", due_casualty)
        if lost in position.models:
            remove_model(position, lost)
    for model in cannons_lost(event, readings):
        _destroy_weapon(position, model, "assault_cannon")


def _destroy_weapon(position: Position, model: str, weapon: str) -> None:
    if (model, weapon) in position.broken:
        return
    position.broken.add((model, weapon))
    card = heavy_weapon_arm(position)
    if weapon == "assault_cannon" and position.models[model].has_damage_deck and card is not None:
        lose_damage_card(position, card, model)


def _last_stand(position: Position, event: Event, readings: Readings) -> None:
    faces = final_faces(event["faces"], event)
    due = [m for m, face in zip(event["models"], faces, strict=False) if face == "S"]
    unit = position.units.get(event["unit"])
    survivors = event.get("survivors", due)
    if unit is not None and len(faces) == len(event["models"]) and set(survivors) - set(unit.models):
        survivors = due  # who is not of the unit cannot have survived in it
    for model in event["models"]:
        if model not in survivors:
            remove_model(position, model)
    if unit is not None:
        _set(unit, event.get("tp_after"), 0)
