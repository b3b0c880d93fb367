"""A watched table at which games are recorded as people record them: in several lines, with slips taken back and judges.

`habits` gives how often each happens; without any the table is the watched one. Nothing of it changes what is legal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from itertools import pairwise
from random import Random
from typing import Any

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.board import Hex
from auditor.conformance.calth.orders import TableWithOrders
from auditor.conformance.calth.position import Event, Unit

ENDINGS = ("time", "concession", "judge")
"""Why a game may end before its last round is over."""


class RecordEnds(Exception):
    """The game stops here, in the middle of whatever it is in."""


def some_habits(rng: Random) -> dict[str, float]:
    """What the people of one game do besides playing."""
    return {
        "lines": rng.choice((0.0, 0.3, 0.8)),
        "remarks": rng.choice((0.0, 0.03, 0.1)),
        "judges": rng.choice((0.0, 0.0, 0.03)),
        "rulings": rng.choice((0.0, 0.02, 0.05)),
        "undos": rng.choice((0.0, 0.05, 0.15)),
        "long hand": rng.choice((0.0, 0.5, 1.0)),
        "single cards": rng.choice((0.0, 0.5)),
    }


class TableWithHabits(TableWithOrders):
    """A watched table with habits, at which orders may be given.

    lines         a Run, a Consolidate or a retreat is written down step by step, or model by model
    remarks       something is remarked between two events
    judges        before an activation a judge settles something, which is all that the record says of it
    rulings       a judge gives a TP back, and states how things stand
    undos         an activation is taken back, and another one made
    long hand     a vexilla is written down as any re-roll is
    single cards  Damage cards are recorded as they are drawn, before the attack that they belong to
    `ends_at` is the number of the event after which the record ends, for the reason in `ending`.
    """

    habits: Mapping[str, float] = {}
    ends_at = 0
    ending = ""

    def does(self, habit: str) -> bool:
        """Whether it happens now."""
        return self.chance(self.habits.get(habit, 0.0))

    def write(self, type_: str, player: str | None = None, **fields: Any) -> Event:
        """Add an event, perhaps a remark before it; the record may end instead."""
        if self.ends_at and len(self.log) >= self.ends_at and self.position.phase != "setup":
            raise RecordEnds
        if self.log and type_ != "place" and self.does("remarks"):
            super().write("remark", text="a short rest")
        if type_ == "attack":
            fields = self.in_long_hand(fields)
        return super().write(type_, player, **fields)

    # -------------------------------------------------------------- how acts are written down

    def walk(self, unit: Unit, path: Sequence[Hex], cause: str) -> None:
        """As at any table; a Run of two steps perhaps in two lines."""
        lines = list(pairwise(path)) if len(path) > 2 and self.does("lines") else [path]
        for line in lines:
            super().walk(unit, line, cause)

    def in_long_hand(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields of an attack with its vexilla as one of its re-rolls."""
        vexilla = fields.get("vexilla")
        if vexilla is None or vexilla.get("when") is not None or not self.does("long hand"):
            return fields
        order = {key: value for key, value in fields.items() if key != "vexilla"}
        return {**order, "rerolls": [{"source": "vexilla", **vexilla}]}

    def move_models(self, unit: Unit, placing: Mapping[str, Hex | None], cause: str) -> None:
        """As at any table, perhaps model by model."""
        goes = {model: h for model, h in placing.items() if h is not None}
        if len(goes) < 2 or not self.does("lines"):
            super().move_models(unit, placing, cause)
            return
        start = unit.hex
        for model, h in goes.items():
            there = self.position.unit_at(start)
            if there is None:
                return
            super().move_models(there, {m: h if m == model else None for m in there.models}, cause)

    def damage(self, unit: Unit, target: Unit, event: Event, steps: int | None) -> list[dict[str, Any]]:
        """As at any table; Damage cards are perhaps recorded as they are drawn."""
        loop = super().damage(unit, target, event, steps)
        if any("damage_card" in step for step in loop) and self.does("single cards"):
            for step in loop:
                card = step["damage_card"]
                self.write("damage_card", card["by"], **card)
                step["damage_card"] = card["card"]
        return loop

    # -------------------------------------------------------------- around the activations

    def activation(self, side: str) -> None:
        """As at any table; a judge may have a word before it, and it may be taken back."""
        if self.does("judges"):
            self.write("judge", text="Both agree on how it stood; the game goes on.")
        if not self.omit_claims and self.does("rulings"):
            self.give_back()
            if rules.side_to_act(self.position) != side:
                return
        if not self.does("undos") or self.omit_claims:
            super().activation(side)
            return
        kept = deepcopy((self.position.__dict__, self.in_hand, self.decks))
        back_to = self.log[-1]["seq"]
        super().activation(side)
        self.position.__dict__.clear()
        self.position.__dict__.update(kept[0])
        self.in_hand, self.decks = kept[1:]
        super().write("undo", to=back_to)
        super().activation(rules.side_to_act(self.position) or side)

    def give_back(self) -> None:
        """A judge says how things stand, with a TP given back."""
        stated = self.as_position("action")
        unit = self.rng.choice(stated["units"])
        unit["tp"] += 1
        stated["to_act"] = rules.side_to_act(self.position)
        self.write("judge", text=f"{unit['unit']} gets a TP back.", position=stated)


def stop(table: TableWithHabits) -> None:
    """The last line of a record that ends before its game does."""
    table.ends_at = 0
    table.write("end", reason=table.ending)
