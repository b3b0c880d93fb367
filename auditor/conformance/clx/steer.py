"""How an invented game is led to where something comes up: who is there, where, and what the bot likes to do.

All of it is legal play: the bot only chooses among what it may do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from auditor.conformance.clx.armies import copied, units_of

Json = dict[str, Any]
Box = tuple[float, float, float, float]
"""Left and right, low and high, in inches."""


def named(keys: Sequence[str]) -> tuple[str, ...]:
    """The ids that the units of an army have: those that are named again are copies."""
    return tuple(f"{key}{keys[:i].count(key) + 1}" if key in keys[:i] else key for i, key in enumerate(keys))


@dataclass(frozen=True)
class Steer:
    """How a game is led.

    units     the units of each side, by the ids of the examples; one named again is a copy
    most      so many models of a unit, at most
    profile   numbers of all models of a side in place of their own; `armour` of its vehicles on every side, and `hull`
              their wounds
    rules     special rules, and `weapons` weapons, that all units of a side have besides; `bare`: these weapons alone
    ground    the terrain; None: as ever
    boxes     where the units of a side are put down, one after the other
    gap       so near to an enemy who is there already, one of these in inches; None: it does not matter
    aboard    unit -> the transport of its side that it is deployed on board of, and stays in
    later     units that are not put down before the game, and arrive from reserve, outflanking
    backs     units face away from the enemy when they are put down
    straight  units go to the nearest enemy if they move
    meek      who never charges
    odds      how often the bot does what it may, in place of its own shares (`Table.often`)
    """

    units: Mapping[str, tuple[str, ...]]
    most: int = 5
    profile: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    armour: int | None = None
    hull: int | None = None
    rules: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    weapons: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    bare: bool = False
    ground: tuple[Json, ...] | None = None
    boxes: Mapping[str, tuple[Box, ...]] = field(default_factory=dict)
    gap: tuple[str, ...] | None = None
    aboard: Mapping[str, str] = field(default_factory=dict)
    later: tuple[str, ...] = ()
    backs: bool = False
    straight: bool = False
    meek: tuple[str, ...] = ()
    odds: Mapping[str, float] = field(default_factory=dict)

    def box(self, side: str, number: int) -> Box:
        """Where the unit of a number of a side is put down."""
        return self.boxes[side][number % len(self.boxes[side])]

    def army(self, side: str) -> list[Json]:
        """The units of a side as the examples have them, with fewer models."""
        known = {unit["id"]: unit for unit in units_of(side)}
        made: list[Json] = []
        for key, name in zip(self.units[side], named(self.units[side]), strict=True):
            unit = deepcopy(known[key]) if name == key else copied(known[key], name)
            unit["models"] = unit["models"][: self.most]
            made.append(unit)
        return made

    def armed(self, side: str, unit: Json) -> Json:
        """A unit with the numbers, rules and weapons that it is to have."""
        unit["rules"] = [*unit.get("rules", ()), *(r for r in self.rules.get(side, ()) if r not in unit["rules"])]
        for model in unit["models"]:
            own = model["profile"]
            own.update({name: n for name, n in self.profile.get(side, {}).items() if own.get(name) is not None})
            given = self.weapons.get(side, ())
            model["weapons"] = list(dict.fromkeys(given if self.bare and given else [*model["weapons"], *given]))
        if unit.get("vehicle"):
            if self.armour is not None:
                unit["vehicle"]["armour"] = dict.fromkeys(unit["vehicle"]["armour"], self.armour)
            unit["vehicle"]["W"] = self.hull or unit["vehicle"]["W"]
        return unit
