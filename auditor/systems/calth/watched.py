"""A position that tells which of its cells are asked: what a fault rests on is what its check reads.

The words of the cells are those that holes open and events state (`CELLS`). A plain position pays nothing for this: the
twin is made only where a check accuses while something is in doubt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from auditor.core.findings import Fact
from auditor.core.rulings import Hearing
from auditor.core.watched import Ask, Asked
from auditor.geometry.hexes import Hex
from auditor.systems.calth.reckoning.resolve import resolve
from auditor.systems.calth.reckoning.views import View
from auditor.systems.calth.state import Activation, Position, Unit

CELLS: Mapping[str, str] = {
    "tp": "how many TPs a unit has: (tp, unit)",
    "hex": "where a unit stands: (hex, unit)",
    "in": "of which unit a model is: (in, model)",
    "count": "that nobody else is in a unit: (count, unit)",
    "units": "which units are on the board, and what they are called",
    "weapon": "whether a model still has a weapon: (weapon, model, weapon)",
    "weapons": "which weapons have been destroyed in all",
    "act": "which activation is open, and what has been done in it",
    "attack": "whether the attack of the open activation was made, and struck back",
    "losses": "who was lost in the melee attacks of the open Assault",
    "turn": "whose activation is due",
    "phase": "which phase it is",
    "round": "which round it is",
    "refreshed": "which units have been given the TPs of the round",
    "cards": "the Command decks and hands, and what cards allow",
    "damage_deck": "where the cards of the Damage deck are",
    "doors": "which doors are sealed",
    "removed": "which models are out of play, and which in reserve",
    "position": "all of it",
}
"""The cells of a position: the first word of each, and what it says."""

FIELDS: Mapping[str, str] = {
    "act": "act",
    "casualties": "act",
    "held": "act",
    "cards_played": "act",
    "moving": "act",
    "card_waiting": "damage_deck",
    "damage_in_deck": "damage_deck",
    "damage_on_model": "damage_deck",
    "drawn": "cards",
    "drawn_in_all": "cards",
    "draws_allowed": "cards",
    "deck_left": "cards",
    "hands": "cards",
    "played": "cards",
    "suspensions": "cards",
    "initiative": "turn",
    "last_side": "turn",
    "mislabelled": "round",
    "round": "round",
    "phase": "phase",
    "rolled": "phase",
    "over": "phase",
    "refreshed": "refreshed",
    "awaited": "refreshed",
    "sealed": "doors",
    "reserve": "removed",
}
"""Field of a position -> the cell that is asked with it. Labels of units are read with `units`."""

_OF_AN_ACT: Mapping[str, str] = {
    "losses": "losses",
    "locations": "losses",
    "attacked": "attack",
    "countered": "attack",
    "target_models": "attack",
}
"""Field of an activation -> the cell that is asked with it, beside `act`."""


def watched(event: Any, view: View, position: Position, cells: set[Fact], hearing: Hearing) -> tuple[Position, View]:
    """A twin of a position that adds to `cells` what is asked of it, and what the rules make of the event there."""
    twin = _twin(position, cells.add)
    return twin, resolve(event, twin, hearing)


def _twin(position: Position, ask: Ask) -> Position:
    twin = _Watched.__new__(_Watched)
    for name in Position.__slots__:
        object.__setattr__(twin, name, getattr(position, name))
    units = {label: _unit(unit, ask) for label, unit in position.units.items()}
    by_hex = {unit.hex: units[unit.id] for unit in position.units.values()}
    unit_of = {model: units[unit.id] for model, unit in position.unit_of.items()}
    everywhere: list[Fact] = [("units",), *(("hex", label) for label in units)]

    def asked(cells: Iterable[Fact]) -> None:
        for cell in cells:
            ask(cell)

    twin.ask = ask
    twin.everywhere = everywhere
    twin.units = Asked(
        units, lambda label: asked(() if label in units else everywhere[:1]), lambda: asked(everywhere[:1])
    )
    twin.by_hex = Asked(
        by_hex,
        lambda hex_: asked([("hex", position.by_hex[hex_].id)] if hex_ in by_hex else everywhere),
        lambda: asked(everywhere),
    )
    twin.unit_of = Asked(
        unit_of, lambda model: ask(("in", model)), lambda: asked([("units",), *(("in", model) for model in unit_of)])
    )
    twin.destroyed = _Destroyed(position.destroyed)
    twin.destroyed.ask = ask
    twin.removed = _Removed(position.removed)
    twin.removed.ask = ask
    if position.act is not None:
        act = _WatchedAct.__new__(_WatchedAct)
        act.__dict__.update(position.act.__dict__, ask=ask)
        twin.act = act
    return twin


def _unit(unit: Unit, ask: Ask) -> Unit:
    twin = _WatchedUnit.__new__(_WatchedUnit)
    twin.ask = ask
    twin.id, twin.side = unit.id, unit.side
    twin.own = unit
    return twin


class _Watched(Position):
    """A position whose fields tell that they are asked."""

    __slots__ = ("ask", "everywhere")
    ask: Ask
    everywhere: list[Fact]

    def __getattribute__(self, name: str) -> Any:
        cell = FIELDS.get(name)
        if cell is not None:
            object.__getattribute__(self, "ask")((cell,))
        elif name == "occupied":
            for place in object.__getattribute__(self, "everywhere"):
                object.__getattribute__(self, "ask")(place)
        return object.__getattribute__(self, name)

    def of_act(self, hex_: Any) -> Unit | None:
        found: Unit | None = dict.get(object.__getattribute__(self, "by_hex"), hex_)
        if found is None and hex_ is not None:
            self.ask(("units",))
        return found

    def copy(self) -> Position:
        self.ask(("position",))
        return super().copy()


class _Models(tuple[str, ...]):
    """The models of a unit, which tell that they are asked: one by one, or who they are in all."""

    ask: Ask
    unit: str

    def _all_of(self) -> None:
        self.ask(("count", self.unit))
        for model in super().__iter__():
            self.ask(("in", model))

    def __contains__(self, model: object) -> bool:
        self.ask(("in", model))
        return super().__contains__(model)

    def __len__(self) -> int:
        self._all_of()
        return super().__len__()

    def __iter__(self) -> Iterator[str]:
        self._all_of()
        return super().__iter__()

    def __getitem__(self, which: Any) -> Any:
        self._all_of()
        return super().__getitem__(which)

    def __add__(self, more: Any) -> Any:
        return (*self, *more)

    def __eq__(self, other: object) -> bool:
        self._all_of()
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]


class _WatchedUnit(Unit):
    """A unit whose place, TPs and models tell that they are asked."""

    __slots__ = ("ask", "own")
    ask: Ask
    own: Unit

    @property
    def hex(self) -> Hex:  # type: ignore[override]
        self.ask(("hex", self.id))
        return self.own.hex

    @property
    def tp(self) -> int:  # type: ignore[override]
        self.ask(("tp", self.id))
        return self.own.tp

    @property
    def models(self) -> tuple[str, ...]:  # type: ignore[override]
        found = _Models(self.own.models)
        found.ask, found.unit = self.ask, self.id
        return found


class _Destroyed(frozenset[tuple[str, str]]):
    """The weapons destroyed, which tell which of them are asked for."""

    ask: Ask

    def __contains__(self, weapon: object) -> bool:
        if isinstance(weapon, tuple):
            self.ask(("weapon", *weapon))
        return super().__contains__(weapon)

    def __len__(self) -> int:
        self.ask(("weapons",))
        return super().__len__()

    def __iter__(self) -> Iterator[tuple[str, str]]:
        self.ask(("weapons",))
        return super().__iter__()


class _Removed(frozenset[str]):
    """The models out of play: who is not known to be may be all the same."""

    ask: Ask

    def __contains__(self, model: object) -> bool:
        found = super().__contains__(model)
        if not found:
            self.ask(("in", model))
        return found

    def __len__(self) -> int:
        self.ask(("removed",))
        return super().__len__()

    def __iter__(self) -> Iterator[str]:
        self.ask(("removed",))
        return super().__iter__()


class _WatchedAct(Activation):
    """An activation whose losses tell that they are asked."""

    def __getattribute__(self, name: str) -> Any:
        cell = _OF_AN_ACT.get(name)
        if cell is not None:
            object.__getattribute__(self, "__dict__")["ask"]((cell,))
        return object.__getattribute__(self, name)
