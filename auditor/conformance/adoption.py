"""The one place where an event changes the position: what the log says, else what the rules make of it."""

from __future__ import annotations

from auditor.conformance.board import as_edge, as_hex
from auditor.conformance.position import (
    Event,
    Position,
    Unit,
    heavy_weapon_arm,
    lose_damage_card,
    remove_model,
    set_door,
    step_card,
)
from auditor.conformance.referee import (
    cannons_lost,
    final_faces,
    initiative_winner,
    judged_steps,
    new_unit_tp,
    overheats,
    the_crit,
)
from auditor.conformance.tables import PLASMA, SUPPRESS, Readings


def apply(position: Position, event: Event, readings: Readings) -> None:
    """Change the position as the event says; what it does not say is filled in from the rules."""
    name = event["type"]
    if name == "position":
        _position(position, event)
    elif name == "place":
        _place(position, event)
    elif name == "initiative":
        rolled = initiative_winner(event.get("attempts", ()), readings)
        position.initiative = event.get("winner") or rolled or position.first_initiative
        position.phase = "ready"
    elif name == "card_draw":
        deck = str(event.get("deck", event["player"]))
        left = position.deck_left.get(deck)
        if left is not None:
            position.deck_left[deck] = max(0, left - event.get("count", 1))
        position.hands[event["player"]].append(event.get("card", "hidden"))
    elif name == "card_play":
        unit = position.units.get(event.get("target", ""))
        if unit is not None:
            unit.tp = max(0, unit.tp + position.card_tps.get(event["card"], 0))
    elif name == "tp_refresh":
        for line in event["units"]:
            unit = position.units.get(line["unit"])
            if unit is not None:
                unit.tp = line.get("tp_after", line.get("tp_before", unit.tp) + 2)
        position.last_actor = None
    elif name == "activate":
        unit = position.units.get(event["unit"])
        if unit is not None:
            position.tp_before_activation = event.get("tp_before", unit.tp)
            unit.tp = max(0, event.get("tp_after", event.get("tp_before", unit.tp) - 1))
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
        unit = position.units[event["unit"]]
        due = unit.tp if event["cause"] == "crit" else unit.tp - event["amount"]
        unit.tp = max(0, event.get("tp_after", due))
    elif name == "door":
        set_door(position, as_edge(event["edge"]), event["state"])
    elif name == "weapon_destroyed":
        card = position.damage_cards.get(event.get("card") or "")
        if card is None or card.get("destroys_weapon") == event["weapon"]:
            _destroy_weapon(position, event["model"], event["weapon"])
        else:
            position.broken.add((event["model"], event["weapon"]))
    elif name == "model_removed":
        if event["model"] not in position.removed:
            remove_model(position, event["model"])
    elif name == "unit_removed":
        gone = position.units.get(event["unit"])
        for model in list(gone.models) if gone else []:
            remove_model(position, model)
    elif name == "round_end":
        position.round += 1
        position.phase = "initiative"
        position.initiative = None
        position.last_actor = position.first_actor = None
        position.activated = None
    elif name == "scenario_end":
        position.phase = "over"
    for label, claimed in event.get("tp", {}).items():
        if label in position.units:
            position.units[label].tp = max(0, claimed)


def _position(position: Position, event: Event) -> None:
    position.round, position.phase = event["round"], event["phase"]
    position.initiative = event.get("initiative")
    position.first_actor = event.get("to_act")
    position.units = {
        u["unit"]: Unit(u["unit"], u["side"], as_hex(u["hex"]), list(u["models"]), max(0, u["tp"]))
        for u in event["units"]
    }
    position.removed = set(event.get("removed", ()))
    for line in event.get("doors", ()):
        set_door(position, as_edge(line["edge"]), line["state"])
    position.broken = {(m, w) for m, w in event.get("weapons_destroyed", ())}
    for side, deck in event.get("decks", {}).items():
        position.deck_left[side] = deck.get("left")
        position.hands[side] = list(deck.get("hand", ()))
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
    unit.models.append(model.id)


def _move_models(position: Position, event: Event, readings: Readings) -> None:
    parent = position.units[event["unit"]]
    copied = new_unit_tp(position, parent, event["cause"], readings)
    was_there = {unit.hex for unit in position.units.values() if unit is not parent}
    start = parent.hex
    for line in event["moves"]:
        # A model of another unit may not move, and where the log moves it all the same, it is gone from there.
        unit = position.unit_of(line["model"])
        if unit is not None:
            unit.models.remove(line["model"])
            if not unit.models:
                del position.units[unit.id]
    stated = {as_hex(u["hex"]): u for u in event["units"]}
    for line in event["moves"]:
        h = as_hex(line["to"])
        unit = position.unit_at(h)
        if unit is None:
            unit = Unit(stated[h]["unit"], parent.side, h, [], copied)
            position.units[unit.id] = unit
        unit.models.append(line["model"])
    for h, claimed in stated.items():
        unit = position.unit_at(h)
        if unit is not None and "tp" in claimed:
            unit.tp = claimed["tp"]
        if unit is not None and h not in was_there and h != start and unit.id != claimed["unit"]:
            raise ValueError(f"unit {claimed['unit']} is not the one in {h}")


def _attack(position: Position, event: Event, readings: Readings) -> None:
    crit = the_crit(event)
    target = position.units[event["target"]]
    if crit is not None and crit["effect"] == SUPPRESS:
        target.tp = max(0, crit.get("tp_after", target.tp - 1))
    bearer = target.models[0]
    for due, step in zip(judged_steps(position, event, readings), event.get("steps", ()), strict=True):
        if step.get("casualty", due["casualty"]):
            card = step_card(step)
            if card is None:
                remove_model(position, step["target_model"])
            else:
                lose_damage_card(position, card, bearer)
    if crit is not None and crit["effect"] == PLASMA:
        due_casualty = crit["model"] if overheats(crit["added"], readings) else None
        lost = crit.get("self_casualty", due_casualty)
        if lost is not None:
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
    survivors = event.get("survivors", due)
    for model in event["models"]:
        if model not in survivors:
            remove_model(position, model)
    unit = position.units.get(event["unit"])
    if unit is not None:
        tp = event.get("tp_after", 0)
        unit.tp = 0 if tp is None else tp
