"""Wrong claims of TPs, too high and too low, of every unit that an event may speak of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.board import as_hex
from auditor.conformance.calth.plant.moment import Expected, Moment, Spoiler
from auditor.conformance.calth.tables import SUPPRESS


def _before(by: int) -> Spoiler:
    """An activation starts from other TPs than the unit has; what follows from them is right."""

    def spoil(at: Moment) -> Expected | None:
        event = at.event
        if event["type"] != "activate" or event["tp_before"] + by < 1 or not at.table.chance(0.5):
            return None
        due = event["tp_before"]
        event["tp_before"], event["tp_after"] = due + by, event["tp_after"] + by
        text = "The TPs before an activation are not those that the unit has."
        return at.fault("CAL-ACT-05", "miscalculated", event["player"], text, "tp_before", due + by, due)

    return spoil


def paid_twice(at: Moment) -> Expected | None:
    """An activation costs two TPs."""
    event = at.event
    if event["type"] != "activate" or event["tp_after"] < 1 or event["action"] == "consolidate":
        return None
    due = event["tp_after"]
    event["tp_after"] = due - 1
    return at.fault("CAL-ACT-02", "miscalculated", event["player"], "It cost two TPs.", "tp_after", due - 1, due)


def paid_nothing_by_word(at: Moment) -> Expected | None:
    """An activation costs nothing, by what is said of the units after it."""
    event = at.event
    if event["type"] != "activate" or event["action"] in ("none", "consolidate"):
        return None
    due = event.pop("tp_after")
    event["tp"] = {event["unit"]: event["tp_before"]}
    text = "An activation cost no TP."
    return at.fault("CAL-ACT-02", "miscalculated", event["player"], text, f"tp.{event['unit']}", due + 1, due)


def _refreshed(change: Callable[[dict[str, Any]], tuple[str, int, int]], kind: str, text: str) -> Spoiler:
    """One line of a ready phase is changed; `change` gives its field, what it says then, and what is due."""

    def spoil(at: Moment) -> Expected | None:
        if at.event["type"] != "tp_refresh":
            return None
        line = at.table.rng.choice(at.event["units"])
        name, claimed, due = change(line)
        side = at.position.units[line["unit"]].side
        return at.fault("CAL-RDY-02", kind, side, text, f"units.{line['unit']}.{name}", claimed, due)

    return spoil


def _one_tp(line: dict[str, Any]) -> tuple[str, int, int]:
    line["tp_after"] = line["tp_before"] + 1
    return "tp_after", line["tp_after"], line["tp_before"] + 2


def _no_tp(line: dict[str, Any]) -> tuple[str, int, int]:
    line["tp_after"] = line["tp_before"]
    return "tp_after", line["tp_after"], line["tp_before"] + 2


def _more_before(line: dict[str, Any]) -> tuple[str, int, int]:
    line["tp_before"], line["tp_after"] = line["tp_before"] + 1, line["tp_after"] + 1
    return "tp_before", line["tp_before"], line["tp_before"] - 1


def refreshed_twice(at: Moment) -> Expected | None:
    """A unit stands in the ready phase twice."""
    event = at.event
    if event["type"] != "tp_refresh":
        return None
    line = at.table.rng.choice(event["units"])
    again = {**line, "tp_before": line["tp_after"], "tp_after": line["tp_after"] + 2}
    event["units"] = [*event["units"], again]
    return at.fault("CAL-RDY-02", "illegal", None, "A unit was refreshed twice.")


def _moved(rule: str, by: int, whose: str) -> Spoiler:
    """A Consolidate changes the TPs of the parent, of a new unit or of a host."""

    def spoil(at: Moment) -> Expected | None:
        event = at.event
        if event["type"] != "move_models" or event["cause"] != "consolidate":
            return None
        parent = at.position.units[event["unit"]]
        for line in event["units"]:
            h = as_hex(line["hex"])
            there = at.position.unit_at(h)
            role = "parent" if h == parent.hex else "new" if there is None else "host"
            if role != whose or line["tp"] + by < 0:
                continue
            due = line["tp"]
            line["tp"] = due + by
            text = f"A Consolidate changed the TPs of a unit ({whose})."
            return at.fault(rule, "miscalculated", parent.side, text, f"units.{line['unit']}.tp", due + by, due)
        return None

    return spoil


def nobody_keeps_tps(at: Moment) -> Expected | None:
    """The unit that has left its hex is listed there with TPs."""
    event = at.event
    if event["type"] != "move_models" or event["cause"] != "consolidate":
        return None
    parent = at.position.units[event["unit"]]
    if any(as_hex(line["hex"]) == parent.hex for line in event["units"]):
        return None
    # Under a label of its own, so that the units that came of it keep theirs.
    label = at.table.mint(parent.side)
    event["units"] = [*event["units"], {"unit": label, "hex": list(parent.hex), "tp": 1}]
    return at.fault("CAL-CON-05", "miscalculated", parent.side, "A unit is listed in a hex in which nobody is left.")


def suppressed_twice(at: Moment) -> Expected | None:
    """A suppress effect takes two TPs."""
    event = at.event
    crit = rules.the_crit(event) if event["type"] == "attack" else None
    if crit is None or crit["effect"] != SUPPRESS or crit["tp_after"] < 1 or crit["tp_lost"] != 1:
        return None
    crit["tp_lost"], crit["tp_after"] = 2, crit["tp_after"] - 1
    return at.fault(SUPPRESS, "miscalculated", event["player"], "An effect took two TPs.", "crit.tp_lost", 2, 1)


def suppressed_another(at: Moment) -> Expected | None:
    """A suppress effect takes a TP from another unit too."""
    event = at.event
    crit = rules.the_crit(event) if event["type"] == "attack" else None
    if crit is None or crit["effect"] != SUPPRESS:
        return None
    units = at.position.units
    others = [u for u in units.values() if u.tp and u.id not in (event["attacker"], event["target"])]
    if not others:
        return None
    unit = at.table.rng.choice(others)
    event["tp"] = {unit.id: unit.tp - 1}
    text = "A unit that was not attacked lost a TP."
    return at.fault("CAL-ACT-05", "miscalculated", unit.side, text, f"tp.{unit.id}", unit.tp - 1, unit.tp)


def _charged(type_: str, whose: str, rule: str, **wanted: str) -> Spoiler:
    """An event that costs nothing takes a TP of the unit that acts."""

    def spoil(at: Moment) -> Expected | None:
        event = at.event
        if event["type"] != type_ or any(event.get(key) != value for key, value in wanted.items()):
            return None
        unit = at.position.units[event[whose]]
        claimed = unit.tp - 1 if unit.tp else unit.tp + 1
        event["tp"] = {unit.id: claimed}
        text = "A unit paid for what costs nothing, or gained by it."
        return at.fault(rule, "miscalculated", unit.side, text, f"tp.{unit.id}", claimed, unit.tp)

    return spoil


def tps_left_over(at: Moment) -> Expected | None:
    """A unit is said to have a TP left when the round ends."""
    event = at.event
    if event["type"] != "round_end" or event["tp_left"]:
        return None
    unit = at.table.rng.choice(sorted(at.position.units.values(), key=lambda one: one.id))
    event["tp_left"] = {unit.id: 1}
    text = "A unit was said to have a TP left when the round ended."
    return at.fault("CAL-RND-01", "miscalculated", unit.side, text, f"tp_left.{unit.id}", 1, 0)


def loss_below_zero(at: Moment) -> Expected | None:
    """A loss of TPs is written down once more, as fewer than none."""
    event = at.event
    if event["type"] != "tp_loss":
        return None
    event["amount"] = -1
    side = at.position.units[event["unit"]].side
    return at.fault("CAL-ACT-05", "illegal", side, "A loss of fewer TPs than none was recorded.")


SPOILERS: dict[str, tuple[str, Spoiler]] = {
    "CAL-ACT-05 before": ("write", _before(1)),
    "CAL-ACT-05 less before": ("write", _before(-1)),
    "CAL-ACT-05 another": ("write", suppressed_another),
    "CAL-ACT-05 below zero": ("write", loss_below_zero),
    "CAL-ACT-02 twice": ("write", paid_twice),
    "CAL-ACT-02 said": ("write", paid_nothing_by_word),
    "CAL-RDY-02 one": ("write", _refreshed(_one_tp, "miscalculated", "A unit got one TP.")),
    "CAL-RDY-02 none": ("write", _refreshed(_no_tp, "omitted", "A unit got no TPs.")),
    "CAL-RDY-02 before": ("write", _refreshed(_more_before, "miscalculated", "A unit had fewer TPs.")),
    "CAL-RDY-02 twice": ("write", refreshed_twice),
    "CAL-CON-04 less": ("write", _moved("CAL-CON-04", -1, "host")),
    "CAL-CON-05 less": ("write", _moved("CAL-CON-05", -1, "new")),
    "CAL-CON-05 parent": ("write", _moved("CAL-CON-05", 1, "parent")),
    "CAL-CON-05 parent less": ("write", _moved("CAL-CON-05", -1, "parent")),
    "CAL-CON-05 nobody": ("write", nobody_keeps_tps),
    "CAL-CRT-03 twice": ("write", suppressed_twice),
    "CAL-ASL-03 charged": ("write", _charged("attack", "attacker", "CAL-ASL-03", role="counter")),
    "CAL-ASL-03 charged before": ("write", _charged("counter", "unit", "CAL-ASL-03", choice="made")),
    "CAL-CRT-04 charged": ("write", _charged("attack", "attacker", "CAL-CRT-04", role="flamer_follow_up")),
    "CAL-ASL-04 charged": ("write", _charged("move_unit", "unit", "CAL-ASL-04", cause="move_in")),
    "CAL-ACT-05 moved": ("write", _charged("move_unit", "unit", "CAL-ACT-05", cause="run")),
    "CAL-ACT-05 attack": ("write", _charged("attack", "attacker", "CAL-ACT-05", role="assault")),
    "CAL-RND-01 miscalculated": ("write", tps_left_over),
}
