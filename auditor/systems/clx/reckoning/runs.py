"""How far the table lets a unit move in the Shooting Phase: Run, Turbo-Boost, Flat-Out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.tables import move_in_shooting


def rows_for(unit: Unit, event: records.Run) -> list[dict[str, Any]]:
    """The rows of the table that may hold for a unit: more than one where the record does not say how a flyer or a flying
    monster moves this turn."""
    if unit.type == "fmc":
        who = [name for name, swoops in (("fmc_swooping", True), ("fmc", False)) if event.swooping in (None, swoops)]
    elif unit.type != "vehicle" or unit.vehicle is None:
        who = [unit.type]
    else:
        kind = unit.vehicle
        ground = (
            "heavy_vehicle"
            if kind.heavy
            else "fast_skimmer"
            if kind.fast and kind.skimmer
            else "fast_vehicle"
            if kind.fast
            else "vehicle"
        )
        zooms = kind.flyer and event.zooming is not False
        who = ["flyer_zooming"] * zooms + [ground] * (not kind.flyer or not event.zooming)
    return [move_in_shooting(name) for name in who]


def distance_of(row: dict[str, Any], event: records.Run) -> Fraction | None:
    """How far a row lets a unit move: what its dice add up to, or its inches; None where the dice cannot be read."""
    if "dice" not in row:
        return Fraction(row["most"] or 0)
    dice = event.dice or []
    if len(dice) != row["dice"] or not all(1 <= die <= 6 for die in dice):
        return None
    return Fraction(sum(dice))
