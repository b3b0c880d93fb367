"""Small prepared situations: a table with a few units that stand as wanted, and as much of a game as is needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from random import Random
from typing import Any

from auditor.conformance.clx.armies import MORE_WEAPONS, SIDES, pack
from auditor.conformance.clx.inches import Point, number
from auditor.conformance.clx.moving import Plan, carry_out, place, turn_to_way
from auditor.conformance.clx.table import Json, Model, Table, Unit

WIDTH, DEPTH = 48, 48
PLAIN: Json = {"M": 6, "WS": 4, "BS": 4, "S": 4, "T": 4, "W": 1, "I": 4, "A": 1, "Ld": 8, "AS": 5}
FACTIONS = {"A": "Ashen Wardens", "B": "Salt Vultures"}
ALL_WEAPONS: tuple[Json, ...] = (*pack("example-weapons")["weapons"], *MORE_WEAPONS)


class Dull(Exception):
    """Nothing comes of a situation: it is prepared anew."""


def unit(
    key: str,
    count: int = 3,
    *,
    kind: str = "infantry",
    weapons: Sequence[str] = ("repeater", "glaive"),
    rules: Sequence[str] = (),
    vehicle: Json | None = None,
    base: Json | None = None,
    more: Mapping[str, Any] | None = None,
    profile: Mapping[str, int] | None = None,
    **numbers: int,
) -> Json:
    """An entry of the data: so many models alike. The owner is the side that its id begins with, in capitals."""
    given = {**(profile or {}), **numbers}
    whole: Json = {**PLAIN, "inv": None, "CS": None, **given}
    if vehicle is not None:
        whole |= {name: given.get(name) for name in ("WS", "S", "T", "W", "I", "A", "Ld", "AS")}
    side = key[0].upper()
    models = [
        {
            "id": f"{key}.m{n + 1}",
            "profile": dict(whole),
            "base": base or {"shape": "circle", "r": 0.5},
            "height": 1.5,
            "weapons": list(weapons),
            "armour_class": "other",
            **(more or {}),
        }
        for n in range(count)
    ]
    entry: Json = {"id": key, "name": f"Unit {key}", "faction": FACTIONS[side], "type": kind, "models": models}
    return {**entry, "vehicle": vehicle, "rules": list(rules)}


HULL: Json = {"shape": "poly", "pts": [[2.25, 1.5], [-2.25, 1.5], [-2.25, -1.5], [2.25, -1.5]]}


def box(key: str, x: float, y: float, wide: float, deep: float, **what: Any) -> Json:
    """A piece of terrain."""
    return {"id": key, "poly": [[x, y], [x + wide, y], [x + wide, y + deep], [x, y + deep]], **what}


class Stage:
    """A table on which a situation is played under some readings.

    `played` are these, `under` those under which it is a fault.
    """

    def __init__(self, rng: Random, played: Mapping[str, str], under: Mapping[str, str]) -> None:
        self.rng, self.played, self.under = rng, played, under
        self.t: Table

    def by(self, reading: str) -> str:
        """The option by which a reading is played."""
        return self.played[reading]

    def lay(self, *units: Json, terrain: Sequence[Json] = (), weapons: Sequence[Json] = ()) -> Table:
        """An empty table for some units."""
        entries = deepcopy(list(units))
        borne = {key for entry in entries for model in entry["models"] for key in model["weapons"]}
        arms = [one for one in (*ALL_WEAPONS, *weapons) if one["id"] in borne]
        psykers = any(model.get("psyker") for entry in entries for model in entry["models"])
        header: Json = {
            "type": "header",
            "game": "clx",
            "format": 1,
            "players": [
                {"id": side, "name": name, "units": [one["id"] for one in entries if one["id"][0].upper() == side]}
                for side, name in zip(SIDES, ("Player one", "Player two"), strict=True)
            ],
            "table": {"W": WIDTH, "D": DEPTH},
            "recording_precision": 0.001,
            "units": entries,
            "weapons": arms,
            "powers": "example-powers" if psykers else [],
            "terrain": list(terrain),
        }
        self.t = t = Table(
            rng=self.rng,
            header=header,
            units={},
            weapons={one["id"]: one for one in arms},
            powers={one["id"]: one for one in pack("example-powers")["powers"]} if psykers else {},
            terrain=list(terrain),
            base_rules={},
            readings=self.played,
            width=number(WIDTH),
            depth=number(DEPTH),
        )
        for entry in entries:
            one = Unit(entry["id"], entry["id"][0].upper(), entry)
            for model in entry["models"]:
                wounds = entry["vehicle"]["W"] if entry["vehicle"] else model["profile"]["W"]
                one.models.append(Model(model["id"], model, one, wounds))
            t.units[one.id] = one
        return t

    def choose(self, deploys: str = "A", begins: str = "A") -> None:
        """The roll-off, which A wins, and what is chosen."""
        dice = self.rng.sample(range(1, 7), 2)
        rolls = [{"player": "A", "die": max(dice)}, {"player": "B", "die": min(dice)}]
        self.t.write("roll_off", rolls=rolls, claimed_winner="A")
        self.t.write("deploy_choice", "A", deploys_first=deploys, first_turn=begins)
        self.t.first = begins

    def put(self, key: str, *spots: tuple[float, float], facing: int = 90, hidden: bool = False) -> Unit:
        """Put a unit down, each model at its place, hidden or not. Raises Dull where there is no room."""
        one = self.t.units[key]
        for model, (x, y) in zip(one.models, spots, strict=True):
            model.at, model.heading = (number(x), number(y)), facing
            model.z = self.t.surface(model.at)
        if not self.t.room([(model, model.base) for model in one.models]):
            raise Dull
        one.on_table, one.facing, one.hidden = True, facing, hidden
        rows: list[Json] = [{"id": m.id, "pos": place(m.at, m.z)} for m in one.models]
        if one.vehicle is not None:
            rows = [{**row, "heading": facing} for row in rows]
        self.t.write("deploy", one.owner, unit=key, models=rows, facing=facing, hidden=hidden or None)
        return one

    def row(self, key: str, x: float, y: float, facing: int = 90, step: float = 1.5, hidden: bool = False) -> Unit:
        """Put a unit down in a row from left to right."""
        spots = [(round(x + step * n, 3), y) for n in range(len(self.t.units[key].models))]
        return self.put(key, *spots, facing=facing, hidden=hidden)

    def about(self, low: float, high: float) -> float:
        """A number of quarter inches in a span."""
        return self.rng.randint(round(4 * low), round(4 * high)) / 4

    # ---------------------------------------------------------------- turns and phases

    @contextmanager
    def turn(self, player: str) -> Iterator[None]:
        """A player's turn."""
        t = self.t
        t.turn += player == t.first
        t.active = player
        t.clock += 1
        t.phase = "movement"
        for one in t.units.values():
            one.begin_turn(player)
        t.write("turn_start", player, claimed_night=t.turn >= 5)
        yield
        t.write("turn_end", player)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """A phase that the situation plays by itself."""
        t = self.t
        t.phase = name
        if name == "movement":
            for one in t.of(t.active):
                one.start_gap = {foe.id: t.unit_gap(one, foe) for foe in t.enemies(one)}
        if name == "shooting":
            for one in t.units.values():
                one.attacks, one.frame, one.crossed = [], None, False
                one.gone_to_ground = one.pressed = one.asked_prone = False
        t.write("phase_start", t.active)
        yield
        if name == "assault":
            for one in t.units.values():
                one.charged, one.charged_rear, one.uphill = None, False, set()
        t.write("phase_end", t.active)

    def go(self, one: Unit, plan: Plan, type_: str = "move", **fields: Any) -> None:
        """A unit moves as planned."""
        before = one.centre
        rows = carry_out(self.t, plan)
        turn_to_way(one, before)
        one.moved = one.moved or type_ == "move"
        self.t.write(type_, one.owner, unit=one.id, models=rows, **fields)

    @staticmethod
    def steps(one: Unit, *legs: tuple[float, float]) -> Plan:
        """A plan by which all models of a unit go the same legs."""
        plan: Plan = []
        for model in one.living:
            path: list[Point] = [model.at]
            for x, y in legs:
                path.append((path[-1][0] + number(x), path[-1][1] + number(y)))
            plan.append((model, path))
        return plan
