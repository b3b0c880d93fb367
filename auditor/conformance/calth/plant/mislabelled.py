"""Slips of labels: the rest of the event says who is meant, so they are notes and accuse nobody (CAL-AUD-06)."""

from __future__ import annotations

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.board import Hex
from auditor.conformance.calth.plant.moment import Expected, Moment, Spoiler
from auditor.conformance.calth.tables import other

NOBODY = "no such unit"


def _slip(at: Moment, name: str, value: str) -> Expected:
    """Write a wrong label; the game goes on with the right one."""
    at.table.meant[name] = at.event[name]
    at.event[name] = value
    text = f"The {name} of an event is not the one that the rest of it means."
    return at.fault("CAL-AUD-06", "record", None, text, name, value, at.table.meant[name])


def target_mistyped(at: Moment) -> Expected | None:
    """The target of an attack is called by a label that nobody bears; the models hit are named."""
    event = at.event
    if event["type"] != "attack" or not any("target_model" in step for step in event["steps"]):
        return None
    return _slip(at, "target", NOBODY)


def attacker_mistyped(at: Moment) -> Expected | None:
    """The attacker is called by a label that nobody bears; its models and weapons are named."""
    event = at.event
    return _slip(at, "attacker", NOBODY) if event["type"] == "attack" and event["weapons"] else None


def other_target(at: Moment) -> Expected | None:
    """The target of an attack is called by the label of another unit; the models hit tell, if there are two of them or the
    other unit stands elsewhere.
    """
    event = at.event
    if event["type"] != "attack" or (target := at.position.units.get(event["target"])) is None:
        return None
    picked = {step["target_model"] for step in event["steps"] if "target_model" in step}
    attacker = at.position.units[event["attacker"]]
    others = [unit for unit in at.position.side_units(target.side) if unit is not target]
    if len(picked) == 1 and event["mode"] == "melee":
        others = [unit for unit in others if not rules.adjacent(at.position, attacker.hex, unit.hex)]
    elif len(picked) == 1:
        near = event["los"].get("distance", len(at.position.board.kinds))
        others = [unit for unit in others if _apart(unit.hex, attacker.hex) > near]
    return _slip(at, "target", at.table.rng.choice(others).id) if picked and others else None


def _apart(a: Hex, b: Hex) -> int:
    """The steps between two hexes of an empty board; no way is shorter."""
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r))


def other_attacker(at: Moment) -> Expected | None:
    """The attacker is called by the label of another unit; its models and weapons are named."""
    event = at.event
    if event["type"] != "attack" or event["mode"] != "ranged" or not event["weapons"]:
        return None
    return _by_another_label(at, "attacker", event["attacker"])


def _by_another_label(at: Moment, name: str, meant: str) -> Expected | None:
    unit = at.position.units.get(meant)
    if unit is None:
        return None
    others = [one.id for one in at.position.side_units(unit.side) if one is not unit]
    return _slip(at, name, at.table.rng.choice(others)) if others else None


def called_a_counter(at: Moment) -> Expected | None:
    """The attack of an Assault calls itself a counter-attack: another action than the one declared, or a slip."""
    event = at.event
    if event["type"] != "attack" or event["role"] != "assault":
        return None
    at.table.meant["role"], event["role"] = event["role"], "counter"
    return at.fault("CAL-ACT-03", "ambiguous", at.side, "An Assault was called a counter-attack.")


def placed_under_another_label(at: Moment) -> Expected | None:
    """A model is set up with its own unit and under the label of another one."""
    return _by_another_label(at, "unit", at.event["unit"]) if at.event["type"] == "place" else None


def unit_mistyped(at: Moment) -> Expected | None:
    """A unit whose models are named is called by a label that nobody bears."""
    event = at.event
    named = event["type"] == "last_stand" or (event["type"] == "move_models" and event["moves"])
    return _slip(at, "unit", NOBODY) if named else None


def other_player(at: Moment) -> Expected | None:
    """An attack is written down as the other player's; its units and models say whose it is."""
    event = at.event
    if event["type"] != "attack" or not event["weapons"]:
        return None
    return _slip(at, "player", other(event["player"]))


def other_player_moves(at: Moment) -> Expected | None:
    """A move of the unit that was activated is written down as the other player's."""
    event = at.event
    if event["type"] != "move_unit" or event["cause"] not in ("advance", "run"):
        return None
    return _slip(at, "player", other(event["player"]))


SPOILERS: dict[str, tuple[str, Spoiler]] = {
    "CAL-AUD-06 target": ("write", target_mistyped),
    "CAL-AUD-06 attacker": ("write", attacker_mistyped),
    "CAL-AUD-06 another target": ("write", other_target),
    "CAL-AUD-06 another attacker": ("write", other_attacker),
    "CAL-AUD-06 placed": ("write", placed_under_another_label),
    "CAL-ACT-03 called a counter": ("write", called_a_counter),
    "CAL-AUD-06 unit": ("write", unit_mistyped),
    "CAL-AUD-06 player": ("write", other_player),
    "CAL-AUD-06 moved": ("write", other_player_moves),
}
