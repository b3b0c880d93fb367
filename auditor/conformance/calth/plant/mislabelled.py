"""Slips of labels: the rest of the event says who is meant, so they are notes and accuse nobody (CAL-AUD-06)."""

from __future__ import annotations

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
    "CAL-AUD-06 unit": ("write", unit_mistyped),
    "CAL-AUD-06 player": ("write", other_player),
    "CAL-AUD-06 moved": ("write", other_player_moves),
}
