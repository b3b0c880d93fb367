"""Faults of the record: what it leaves out, what it says against itself, what it rests on that nobody knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.board import neighbours
from auditor.conformance.calth.plant.moment import Expected, Misdeed, Moment, Spoiler
from auditor.conformance.calth.position import Unit
from auditor.conformance.calth.tables import other

if TYPE_CHECKING:
    from auditor.conformance.calth.plant.table import SpoiledTable

# ------------------------------------------------------------------ facts left out


def _lacks(at: Moment, rule: str, what: str) -> Expected:
    return at.fault(rule, "ambiguous", at.event["player"], f"The record does not state {what}.")


def no_attack_faces(at: Moment) -> Expected | None:
    """The faces of an attack roll are left out; everything that followed from them is stated."""
    event = at.event
    if event["type"] != "attack" or isinstance(event["crit"], dict) or event.get("vexilla"):
        return None
    del event["roll"]
    return _lacks(at, "CAL-DIE-01", "the faces of the attack roll")


def no_defence_faces(at: Moment) -> Expected | None:
    """The faces of a defence roll are left out; its shields are stated."""
    event = at.event
    if event["type"] != "attack":
        return None
    rolled = [step for step in event["steps"] if step["faces"]]
    if not rolled:
        return None
    del at.table.rng.choice(rolled)["faces"]
    return _lacks(at, "CAL-ATK-05", "the faces of a defence roll")


def no_target_model(at: Moment) -> Expected | None:
    """The model that saved itself is not named."""
    event = at.event
    if event["type"] != "attack" or len(at.position.units[event["target"]].models) < 2 or not event["steps"]:
        return None
    last = event["steps"][-1]
    if "target_model" not in last or last["casualty"]:
        return None
    del last["target_model"]
    return _lacks(at, "CAL-ATK-04", "the target model")


def no_word_of_an_effect(at: Moment) -> Expected | None:
    """A critical shows, and nothing is said of an effect."""
    event = at.event
    if event["type"] != "attack" or event["crit"] != "declined" or event.get("los", {}).get("class") == "obscured":
        return None
    if "C" not in rules.faces_before_crit(event):
        return None
    del event["crit"]
    return _lacks(at, "CAL-CRT-01", "whether a critical effect was used")


def no_choice(at: Moment) -> Expected | None:
    """A counter-attack is spoken of, and not whether it was made."""
    if at.event["type"] != "counter":
        return None
    del at.event["choice"]
    return _lacks(at, "CAL-ASL-03", "whether a counter-attack was made")


def no_attempts(at: Moment) -> Expected | None:
    """The dice for the initiative are left out; the winner is stated."""
    if at.event["type"] != "initiative" or at.event["source"] != "roll":
        return None
    del at.event["attempts"]
    return at.fault("CAL-INI-01", "ambiguous", None, "The record does not state the dice for the initiative.")


def unknown_face(at: Moment) -> Expected | None:
    """A die of an attack roll shows a face that these dice do not have."""
    event = at.event
    if event["type"] != "attack" or isinstance(event["crit"], dict) or event.get("vexilla") or not event["roll"]:
        return None
    blanks = [i for i, face in enumerate(event["roll"]) if face in "SB"]
    if not blanks:
        return None
    i = at.table.rng.choice(blanks)
    event["roll"] = event["roll"][:i] + "X" + event["roll"][i + 1 :]
    return at.fault("CAL-DIE-01", "ambiguous", event["player"], "A die shows an unknown face.")


# ------------------------------------------------------------------ overrides

OVERRIDDEN = ("activate", "pass", "move_unit", "attack", "counter", "retreat")


def _rests_on(at: Moment, source: str, text: str) -> Expected | None:
    if at.event["type"] not in OVERRIDDEN or "override" in at.event or not at.table.chance(0.2):
        return None
    at.event["override"] = {"source": source, "rule_ids": [], "text": text}
    return at.fault("CAL-AUD-05", "ambiguous", at.event["player"], f"The event rests on {source}.")


def unknown_override(at: Moment) -> Expected | None:
    """An event rests on a card that the data do not know."""
    return _rests_on(at, "a card of their own", "Invented at the table.")


def unread_override(at: Moment) -> Expected | None:
    """An event rests on a card that is text only."""
    texts = [card["id"] for card in at.table.header.get("command_cards", ()) if card["effect"] is None]
    return _rests_on(at, at.table.rng.choice(texts), "As the card says.") if texts else None


def advance_two_by_a_card(table: SpoiledTable, side: str) -> Expected | None:
    """A unit Advances two steps, by a card that nobody knows: the rule for it is not judged."""
    for unit in _ready(table, side):
        ways = [
            (h, g)
            for h in rules.advances(table.position, unit)
            for g in neighbours(h)
            if g != unit.hex and rules.may_enter(table.position, h, g)
        ]
        if ways:
            table.activate(unit, "advance")
            expected = table.expect("CAL-AUD-05", "ambiguous", side, "A long Advance rests on an unknown card.")
            path = [list(h) for h in (unit.hex, *table.rng.choice(ways))]
            named = {"source": "a card of their own", "rule_ids": ["CAL-ADV-01"], "text": "Two steps."}
            table.write("move_unit", side, unit=unit.id, path=path, cause="advance", override=named)
            return expected
    return None


# ------------------------------------------------------------------ the record against itself


def _ready(table: SpoiledTable, side: str) -> list[Unit]:
    units = [unit for unit in table.position.side_units(side) if unit.tp >= 1]
    table.rng.shuffle(units)
    return units


def other_start(table: SpoiledTable, side: str) -> Expected | None:
    """An Advance starts in a hex where the unit does not stand."""
    position = table.position
    for unit in _ready(table, side):
        free = [h for h in sorted(position.board.kinds) if rules.room(position, h, side) == rules.CAPACITY]
        table.rng.shuffle(free)
        for start in free:
            ends = [h for h in neighbours(start) if rules.may_enter(position, start, h)]
            if ends:
                table.activate(unit, "advance")
                expected = table.expect("CAL-AUD-06", "record", None, "A move starts where the unit does not stand.")
                path = [list(start), list(table.rng.choice(ends))]
                table.write("move_unit", side, unit=unit.id, path=path, cause="advance")
                return expected
    return None


# ------------------------------------------------------------------ records that begin with a position


def _begins_here(table: SpoiledTable, to_act: str) -> list[dict[str, Any]] | None:
    """Let the record begin in the middle of a round; gives the units that it states, None where it is too late."""
    position = table.position
    if table.planted or position.phase != "action":
        return None
    holder = position.initiative
    table.restart()
    stated = table.log[0]
    stated |= {"phase": "action", "initiative": holder, "to_act": to_act}
    position.phase, position.initiative, position.first_actor, position.last_actor = "action", holder, to_act, None
    units: list[dict[str, Any]] = stated["units"]
    return units


def wrong_turn_stated(table: SpoiledTable, side: str) -> Expected | None:
    """A record begins with the turn of a player who has no TPs, although the other has some."""
    if table.position.has_tp(other(side)) or _begins_here(table, other(side)) is None:
        return None
    text = "A player without TPs is said to be the next to act."
    return Expected(
        "CAL-ACT-04", "miscalculated", None, text, {"to_act": other(side)}, {"to_act": side}, seq=1
    )  # fmt: skip


def tps_below_zero(table: SpoiledTable, side: str) -> Expected | None:
    """A record begins with a unit that has fewer than no TPs."""
    spent = [unit.id for unit in table.position.units.values() if unit.tp == 0]
    units = _begins_here(table, side) if spent else None
    if units is None:
        return None
    line = next(line for line in units if line["unit"] in spent)
    line["tp"] = -1
    text = "A unit is stated with fewer than no TPs."
    name = f"units.{line['unit']}.tp"
    return Expected("CAL-ACT-05", "miscalculated", line["side"], text, {name: -1}, {name: 0}, seq=1)


# ------------------------------------------------------------------ TPs, rounds and phases as stated


def wrong_tp_stated(at: Moment) -> Expected | None:
    """An event states the TPs of a unit that it does not touch, and they are wrong."""
    event = at.event
    if event["type"] not in ("move_unit", "attack", "counter", "card_draw", "initiative") or not at.table.chance(0.2):
        return None
    involved = {event.get(key) for key in ("unit", "attacker", "target")}
    others = [unit for unit in at.position.units.values() if unit.id not in involved]
    if not others:
        return None
    unit = at.table.rng.choice(others)
    claimed = unit.tp + (-1 if unit.tp and at.table.chance(0.5) else 1)
    event["tp"] = {unit.id: claimed}
    text = "The TPs of a unit were stated wrongly."
    return at.fault("CAL-ACT-05", "miscalculated", unit.side, text, f"tp.{unit.id}", claimed, unit.tp)


def wrong_loss_restated(at: Moment) -> Expected | None:
    """A loss of TPs is written down once more, with another number."""
    event = at.event
    if event["type"] != "tp_loss" or event["cause"] != "crit":
        return None
    due = event["tp_after"]
    event["tp_after"] = due + 1
    side = at.position.units[event["unit"]].side
    text = "A loss of TPs was restated wrongly."
    return at.fault("CAL-CRT-03", "miscalculated", side, text, "tp_after", due + 1, due)


DATED = ("activate", "move_unit", "move_models", "attack", "retreat", "last_stand")


def _misdated(at: Moment, name: str, choose: Callable[[Any], Any]) -> Expected | None:
    if at.event["type"] not in DATED or not at.table.chance(0.2):
        return None
    due = at.event[name]
    at.event[name] = choose(due)
    text = f"The {name} of an event is not the one that is played."
    return at.fault("CAL-AUD-06", "record", None, text, name, at.event[name], due)


def other_round(at: Moment) -> Expected | None:
    """An event bears the number of another round."""
    return _misdated(at, "round", lambda due: due + 1)


def other_phase(at: Moment) -> Expected | None:
    """An event of the actions bears another phase."""
    return _misdated(at, "phase", lambda due: "ready")


# ------------------------------------------------------------------ the start


def one_side_for_both(at: Moment) -> Expected | None:
    """Both players are entered for one side."""
    if at.event["type"] != "game_start":
        return None
    side = at.table.rng.choice(at.event["players"])["id"]
    at.event["players"] = [{**player, "id": side} for player in at.event["players"]]
    return at.fault("CAL-SET-01", "illegal", None, "Both players are entered for one side.")


def other_players(at: Moment) -> Expected | None:
    """The start of the game names other players than the header."""
    if at.event["type"] != "game_start":
        return None
    at.event["players"] = [{**player, "name": f"{player['name']} junior"} for player in at.event["players"]]
    return at.fault("CAL-SET-01", "ambiguous", None, "The start of the game and the header differ.")


SPOILERS: dict[str, tuple[str, Spoiler]] = {
    "CAL-AUD-04": ("write", no_attack_faces),
    "CAL-AUD-04 defence": ("write", no_defence_faces),
    "CAL-AUD-04 target": ("write", no_target_model),
    "CAL-AUD-04 effect": ("write", no_word_of_an_effect),
    "CAL-AUD-04 counter": ("write", no_choice),
    "CAL-AUD-04 initiative": ("write", no_attempts),
    "CAL-AUD-05": ("write", unknown_override),
    "CAL-AUD-05 text": ("write", unread_override),
    "CAL-DIE-01 ambiguous": ("write", unknown_face),
    "CAL-SET-01": ("write", one_side_for_both),
    "CAL-SET-01 ambiguous": ("write", other_players),
    "CAL-ACT-05": ("write", wrong_tp_stated),
    "CAL-CRT-03 restated": ("write", wrong_loss_restated),
    "CAL-AUD-06": ("write", other_round),
    "CAL-AUD-06 phase": ("write", other_phase),
}

MISDEEDS: dict[str, Misdeed] = {
    "CAL-AUD-05 suspended": advance_two_by_a_card,
    "CAL-AUD-06 start": other_start,
    "CAL-ACT-04 miscalculated": wrong_turn_stated,
    "CAL-ACT-05 position": tps_below_zero,
}
