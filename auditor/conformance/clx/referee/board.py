"""The table that a record describes, and how the fields of its events are read."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from random import Random
from typing import Any

from auditor.conformance.clx.armies import SIDES, pack
from auditor.conformance.clx.inches import Point, number
from auditor.conformance.clx.readings import READINGS
from auditor.conformance.clx.referee.found import Faults, Found, NotJudged
from auditor.conformance.clx.table import Json, Model, Table, Unit

PACKS = {"units": "example-armies", "weapons": "example-weapons", "powers": "example-powers"}
FACES = 6


def data_of(header: Json, kind: str, inside: str | None = None) -> Any:
    """What a header gives of a kind of data, inline or by the name of an example pack. Raises NotJudged."""
    value = header.get(kind)
    if not isinstance(value, str):
        return value
    try:
        return pack(value)[inside or kind]
    except (OSError, KeyError) as error:
        raise NotJudged(f"{kind} is an unknown pack") from error


def ruled(header: Json, options: Mapping[str, str] | None) -> dict[str, str]:
    """How each reading is answered: by the options given, else by the header's rulings. Raises NotJudged where a reading
    is open or not known, or where a header rules on anything else."""
    rulings = header.get("rulings") or {}
    if any(value for key, value in rulings.items() if key not in ("name", "readings")):
        raise NotJudged("rulings on more than readings")
    chosen = rulings.get("readings") or {} if options is None else options
    if any(one not in READINGS.get(name, ()) for name, one in chosen.items()):
        raise NotJudged("a reading that is open or not known")
    return {name: chosen.get(name, given[0]) for name, given in READINGS.items()}


def table_of(header: Json, readings: Mapping[str, str]) -> Table:
    """The empty table of a header. Raises NotJudged where its data cannot be followed."""
    if [one.get("id") for one in header["players"]] != list(SIDES):
        raise NotJudged("the players are not A and B")
    entries = {entry["id"]: entry for entry in data_of(header, "units") or []}
    rules = data_of(header, "base_rules") or {}
    table = Table(
        rng=Random(0),
        header=header,
        units={},
        weapons={one["id"]: one for one in data_of(header, "weapons") or []},
        powers={one["id"]: one for one in data_of(header, "powers") or []},
        terrain=list(data_of(header, "terrain") or []),
        base_rules=rules,
        width=number(header["table"]["W"]),
        depth=number(header["table"]["D"]),
        readings=readings,
    )
    for player in header["players"]:
        for key in player["units"]:
            if key not in entries:
                raise NotJudged(f"{key} is no known unit")
            unit = Unit(key, player["id"], entries[key])
            for one in unit.entry["models"]:
                wounds = unit.vehicle["W"] if unit.vehicle else one["profile"]["W"]
                unit.models.append(Model(one["id"], one, unit, wounds))
            table.units[key] = unit
    return table


class Board:
    """The table of a record, and the event that is looked at."""

    def __init__(self, header: Json, options: Mapping[str, str] | None) -> None:
        self.t = table_of(header, ruled(header, options))
        self.models = {model.id: model for unit in self.t.units.values() for model in unit.models}
        self.seq = 0
        self.stops = False
        """Nothing after this event is judged."""

    def by(self, reading: str) -> str:
        """The option by which a reading is answered."""
        return self.t.readings[reading]

    def only_by_default(self, reading: str) -> None:
        """Raises NotJudged where a reading is answered otherwise than by default: that is not followed here."""
        if self.by(reading) != READINGS[reading][0]:
            raise NotJudged(f"{reading} matters here")

    def fault(self, rule: str, kind: str, player: str | None) -> Found:
        """A fault at this event."""
        return Found(self.seq, f"CLX-{rule}", kind, player)

    def one_number(self, rules: list[str], player: str | None) -> Faults:
        """The rule that the one wrong number of a roll breaks; of more than one it is open which comes first."""
        if len(rules) > 1:
            raise NotJudged("more than one number of one roll is wrong")
        for rule in rules:
            yield self.fault(rule, "miscalculated", player)

    def powers_are_lawful(self) -> Faults:
        """CLX-PSY-08, of the header."""
        for power in self.t.powers.values():
            if power["casting_level"] <= 10:
                yield self.fault("PSY-08", "illegal", None)


class Reader:
    """Fields of an event, each as it must be. Raises NotJudged where one is missing or is something else."""

    def __init__(self, board: Board, event: Json) -> None:
        self.board, self.event = board, event

    def one_of(self, key: str, allowed: tuple[str, ...]) -> str:
        value = self.event.get(key)
        if not isinstance(value, str) or value not in allowed:
            raise NotJudged(f"{key} is {value!r}")
        return value

    def player(self, key: str = "player") -> str:
        return self.one_of(key, SIDES)

    def text(self, key: str) -> str:
        value = self.event.get(key)
        if not isinstance(value, str):
            raise NotJudged(f"{key} is {value!r}")
        return value

    def whole(self, key: str) -> int:
        value = self.event.get(key)
        if type(value) is not int:
            raise NotJudged(f"{key} is {value!r}")
        return value

    def items(self, key: str) -> list[Any]:
        value = self.event.get(key)
        if not isinstance(value, list):
            raise NotJudged(f"{key} is {value!r}")
        return value

    def names(self, key: str) -> list[str]:
        """The names of a list."""
        found = self.items(key)
        if not all(isinstance(name, str) for name in found):
            raise NotJudged(f"{key} holds something else")
        return found

    def rows(self, key: str) -> list[Reader]:
        """The objects of a list."""
        found = self.items(key)
        if not all(isinstance(row, dict) for row in found):
            raise NotJudged(f"{key} holds something else")
        return [Reader(self.board, row) for row in found]

    def dice(self, key: str = "dice") -> list[int]:
        """The dice of a list, whatever they show; a list of none tells nothing."""
        found = self.items(key)
        if not found:
            raise NotJudged(f"{key} are not told")
        if not all(type(die) is int for die in found):
            raise NotJudged(f"{key} holds something else")
        return found

    def number_claimed(self, key: str) -> int | None:
        """A whole number that is claimed; None where nothing is."""
        return self.whole(key) if key in self.event else None

    def flag_claimed(self, key: str) -> bool | None:
        """Whether something is claimed to be so; None where nothing is."""
        value = self.event.get(key)
        if key in self.event and type(value) is not bool:
            raise NotJudged(f"{key} is {value!r}")
        return value

    def unit(self, key: str = "unit") -> Unit:
        """A unit that is there."""
        unit = self.board.t.units.get(self.text(key))
        if unit is None or not unit.on_table or unit.gone:
            raise NotJudged(f"{key} is no unit on the table")
        return unit

    def model(self, key: str = "model", alive: bool = True) -> Model:
        """A model, one that stands on the table if not said otherwise."""
        model = self.board.models.get(self.text(key))
        if model is None or not model.unit.on_table or (alive and not model.alive):
            raise NotJudged(f"{key} is no model on the table")
        return model

    def place(self, value: Any, before: Decimal | None = None) -> tuple[Point, Decimal]:
        """A place and its height; without a height that of before."""
        if not isinstance(value, list) or len(value) not in (2, 3):
            raise NotJudged(f"{value!r} is no place")
        if not all(type(one) in (int, float) for one in value):
            raise NotJudged(f"{value!r} is no place")
        z = number(value[2]) if len(value) > 2 else before or Decimal(0)
        return (number(value[0]), number(value[1])), z

    def dice_fit(self, dice: list[int], count: int | None, player: str | None, faces: int = FACES) -> Faults:
        """CLX-LOG-03 of some dice: what they show, and how many they are."""
        if (count is not None and len(dice) != count) or any(not 1 <= die <= faces for die in dice):
            yield self.board.fault("LOG-03", "illegal", player)
