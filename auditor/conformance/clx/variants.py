"""The same game written down in another way: without some claims, with every place a little off, or in less detail."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from decimal import Decimal
from random import Random
from typing import Any

from auditor.conformance.clx.armies import pack
from auditor.conformance.clx.inches import Point, apart, middle, number
from auditor.conformance.clx.table import Json

TOLERANCE = "1/4"
OFF = 80
"""Thousandths of an inch by which a place may be off each way: a length is then off by less than the tolerance."""


def without_claims(lines: Sequence[Json], share: float, rng: Random) -> list[Json]:
    """A log that leaves out about so many of its claims.

    That a model is not removed is left in where the base game may remove it by one wound: nothing else says that it stays.
    So is what came of a save that hangs on a reading: without it the record leaves open who fell.
    """
    wounds, hanging = _many_wounds(lines[0]), _saved_by_a_reading(lines[0])

    def kept(value: Any) -> Any:
        if isinstance(value, dict):
            stays = value.get("claimed_removed") is False and value.get("model") in wounds
            told = FATE if value.get("model") in hanging else FATE[1:] if stays else ()
            return {
                key: kept(one)
                for key, one in value.items()
                if not (key.startswith("claimed_") and rng.random() < share) or key in told
            }
        return [kept(one) for one in value] if isinstance(value, list) else value

    return [lines[0], *(kept(event) for event in lines[1:])]


FATE = ("claimed_saved", "claimed_removed")


def _units(header: Json) -> list[Json]:
    """The entries of all units."""
    units = header["units"]
    found: list[Json] = pack(units)["units"] if isinstance(units, str) else units
    return found


def _many_wounds(header: Json) -> set[str]:
    """The models that have several wounds."""
    return {model["id"] for unit in _units(header) for model in unit["models"] if (model["profile"].get("W") or 0) > 1}


def _saved_by_a_reading(header: Json) -> set[str]:
    """The models whose saves may hang on a reading: shielded ones (OR-HES-AP), and those of the best armour (OR-1PLUS)."""
    return {
        model["id"]
        for unit in _units(header)
        for model in unit["models"]
        if "hostile_environment_shielding" in unit.get("rules", ()) or model["profile"].get("AS") == 1
    }


def jittered(lines: Sequence[Json], rng: Random) -> list[Json]:
    """A log under a tolerance of a quarter inch, in which every place that a model comes to is a little off.

    A model stays where it was written to be until it moves again, so that no way begins anywhere else. Corners of a way
    stay where they are: each would add twice what it is off to the length.
    """
    made = deepcopy(list(lines))
    header = made[0]
    header["rulings"] = {"name": "jittered", "settings": {"measuring_tolerance": TOLERANCE}}
    written: dict[str, list[Any]] = {}
    for event in made[1:]:
        for row in event.get("models", ()):
            if "pos" in row:
                row["pos"] = written[row["id"]] = _off(row["pos"], rng)
            if "path" in row:
                path = row["path"]
                first = written.get(row["id"], path[0])
                last = first if path[-1] == path[0] else _off(path[-1], rng)
                row["path"] = [list(first if p == path[0] else last if p == path[-1] else p) for p in path]
                written[row["id"]] = row["path"][-1]
    return made


def _off(place: list[Any], rng: Random) -> list[Any]:
    shifted = [number(v) + Decimal(rng.randint(-OFF, OFF)) / 1000 for v in place[:2]]
    return [float(v) for v in shifted] + place[2:]


TOTALLED = {
    "shoot": ("claimed_arc",),
    "charge": ("claimed_arc", "claimed_distance"),
    "weapon_fire": ("firers",),
    "cover_rolls": ("dice", "firers"),
    "hit_rolls": ("rolls",),
    "wound_rolls": ("rolls",),
    "allocate": ("list",),
    "fight_step": ("attackers",),
    "grenade": ("model", "hit_models"),
    "guess_shot": ("model", "hit_models"),
    "vehicle_explodes": ("hit_models", "wound_rolls", "saves", "casualties", "survivors"),
}
"""What is not written down where only totals are: who fired, struck or was hit, the dice, and what hangs on all places."""


def coarse(lines: Sequence[Json]) -> list[Json]:
    """A log of units' centres and totals: one model of each unit is placed and moved, and no die of it is told.

    The model is a psyker where there is one, else the one in the middle; nobody else is named.
    """
    made: list[Json] = [deepcopy(lines[0])]
    psykers = {event["psyker"] for event in lines[1:] if event["type"] == "lore_mastery"}
    named: set[str] = set()
    for event in deepcopy(list(lines[1:])):
        for field in TOTALLED.get(event["type"], ()):
            event.pop(field, None)
        if "models" in event:
            if event["type"] in ("deploy", "reserve_arrival"):
                named.add(_in_the_middle(event["models"], psykers))
            event["models"] = [row for row in event["models"] if row["id"] in named]
            for row in event["models"]:
                _only_ends(row)
        if event["type"] == "removed" and event["model"] not in named:
            event = {
                **{key: event[key] for key in ("seq", "turn", "phase", "player")},
                "type": "remark",
                "text": "a loss",
            }
        made.append(event)
    return made


def _in_the_middle(rows: Sequence[Json], psykers: set[str]) -> str:
    spots: dict[str, Point] = {row["id"]: (number(row["pos"][0]), number(row["pos"][1])) for row in rows}
    centre = middle(list(spots.values()))
    return min(spots, key=lambda key: (key not in psykers, apart(spots[key], centre), key))


def _only_ends(row: Json) -> None:
    if "path" in row:
        row["path"] = [row["path"][0], row["path"][-1]]
        row["ends_only"] = True
        if "headings" in row:
            row["headings"] = [row["headings"][0], row["headings"][-1]]
