"""A position that tells which of its cells are asked, and which are written: what a fault rests on is what its check reads,
and what an event is adopted with bears the doubt of what was read for it.

The words of the cells are those that holes open and events state (`CELLS`). A plain position pays nothing for this: the
twin is made only where a check accuses, or an event is adopted, while something is in doubt.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from auditor.core.findings import Fact
from auditor.core.holes import Hole, Holes
from auditor.core.rulings import Hearing
from auditor.core.watched import Ask, Asked
from auditor.geometry.hexes import Edge, Hex, side
from auditor.systems.calth import records
from auditor.systems.calth.reckoning.resolve import resolve
from auditor.systems.calth.reckoning.views import View
from auditor.systems.calth.state import Activation, Position, Unit, of_unit

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


def watched(
    event: records.Event, view: View, position: Position, cells: set[Fact], hearing: Hearing
) -> tuple[Position, View]:
    """A twin of a position that adds to `cells` what is asked of it, and what the rules make of the event there."""
    twin = _twin(position, cells.add, view.named)
    return twin, resolve(event, twin, hearing)


WHO_STANDS_WHERE = frozenset({"hex", "in", "units"})
"""The cells on which hangs to whom an act is done."""


class Inherited:
    """The doubt that what is written of a position inherits: that of what was read of it until then, the earliest, beside
    what the event says itself (`said`)."""

    def __init__(self, holes: Holes, said: Collection[Fact]) -> None:
        self.holes, self.said = holes, said
        self.hole: Hole | None = None
        self.changing = False

    def ask(self, cell: Fact) -> None:
        if self.changing or cell in self.said or not (isinstance(cell, tuple) and cell[0] in WHO_STANDS_WHERE):
            return
        if (hole := self.holes.doubt((cell,))) is not None:
            self.hole = hole if self.hole is None else min(self.hole, hole, key=lambda one: (one.seq, one.why))

    def wrote(self, cell: Fact) -> None:
        if self.hole is not None and cell not in self.said and self.holes.doubt((cell,)) is None:
            self.holes.open(self.hole.of((cell,)))


def to_adopt(
    event: records.Event, view: View, position: Position, said: Collection[Fact], hearing: Hearing
) -> tuple[Position, View]:
    """A twin of a copy of a position in which what is written comes to be in doubt with what was read for it (`Inherited`),
    and what the rules make of the event there."""
    copy = position.copy()
    inherited = Inherited(copy.holes, said)
    twin = _twin(copy, inherited.ask, view.named, inherited)
    return twin, resolve(event, twin, hearing)


def _twin(position: Position, ask: Ask, named: Collection[Any], inherited: Inherited | None = None) -> Position:
    twin = _Watched.__new__(_Watched)
    object.__setattr__(twin, "inherited", None)
    for name in Position.__slots__:
        object.__setattr__(twin, name, getattr(position, name))
    units = {label: _unit(unit, ask, inherited) for label, unit in position.units.items()}
    by_hex = {unit.hex: units[unit.id] for unit in position.units.values()}
    unit_of = {model: units[unit.id] for model, unit in position.unit_of.items()}
    everywhere: list[Fact] = [("units",), *(("hex", label) for label in units)]
    there = {label: () if label in named else _there(unit, position) for label, unit in position.units.items()}

    def asked(cells: Iterable[Fact]) -> None:
        for cell in cells:
            ask(cell)

    def standing(label: str) -> tuple[Fact, ...]:
        return ("hex", label), *there[label]

    twin.ask = ask
    twin.everywhere, twin.there = everywhere, there
    twin.units = Asked(units, lambda label: asked(there.get(label, everywhere[:1])), lambda: asked(everywhere[:1]))
    twin.by_hex = Asked(
        by_hex,
        lambda hex_: asked(standing(position.by_hex[hex_].id) if hex_ in by_hex else everywhere),
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
        act.__dict__.update(position.act.__dict__, ask=ask, inherited=inherited)
        twin.act = act
    twin.inherited = inherited
    return twin


def _there(unit: Unit, position: Position) -> tuple[Fact]:
    """What shows that a unit is on the board which a line does not name: a model of which it is known that it is in it,
    else the list of all units."""
    in_it: list[Fact] = [("in", model) for model in unit.models]
    return (next((cell for cell in in_it if position.holes.doubt((cell,)) is None), ("units",)),)


def _unit(unit: Unit, ask: Ask, inherited: Inherited | None) -> Unit:
    twin = _WatchedUnit.__new__(_WatchedUnit)
    twin.ask, twin.inherited = ask, inherited
    twin.id, twin.side = unit.id, unit.side
    twin.own = unit
    return twin


class _Watched(Position):
    """A position whose fields tell that they are asked, and written."""

    __slots__ = ("ask", "everywhere", "inherited", "there")
    ask: Ask
    everywhere: list[Fact]
    there: Mapping[str, tuple[Fact, ...]]
    inherited: Inherited | None

    def __getattribute__(self, name: str) -> Any:
        cell = FIELDS.get(name)
        if cell is not None:
            object.__getattribute__(self, "ask")((cell,))
        elif name == "occupied":
            for place in object.__getattribute__(self, "everywhere"):
                object.__getattribute__(self, "ask")(place)
        return object.__getattribute__(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        cell, inherited = FIELDS.get(name), object.__getattribute__(self, "inherited")
        if cell is not None and inherited is not None and object.__getattribute__(self, name) != value:
            inherited.wrote((cell,))
        object.__setattr__(self, name, value)

    def put(self, unit: Unit) -> None:
        self._change(Position.put, unit)
        for cell in (("units",), *of_unit(unit.id), *(("in", model) for model in unit.models)):
            self._wrote(cell)

    def lift(self, unit: Unit) -> None:
        self._change(Position.lift, unit)
        self._wrote(("units",))

    def shift(self, unit: Unit, hex_: Hex) -> None:
        self._change(Position.shift, unit, hex_)

    def join(self, unit: Unit, models: tuple[str, ...]) -> None:
        self._change(Position.join, unit, models)

    def take(self, model: str) -> Unit | None:
        unit: Unit | None = self._change(Position.take, model)
        return unit

    def remove(self, model: str) -> None:
        self._change(Position.remove, model)

    def _change(self, change: Any, *of: Any) -> Any:
        """A change reads nothing but what is to be changed."""
        inherited = self.inherited
        assert inherited is not None
        before, inherited.changing = inherited.changing, True
        try:
            return change(self, *of)
        finally:
            inherited.changing = before

    def _wrote(self, cell: Fact) -> None:
        if self.inherited is not None:
            self.inherited.wrote(cell)

    def of_act(self, hex_: Any) -> Unit | None:
        found: Unit | None = dict.get(object.__getattribute__(self, "by_hex"), hex_)
        if hex_ is not None:
            for cell in (("units",),) if found is None else self.there.get(found.id, ()):
                self.ask(cell)
        return found

    def adjacent(self, hex_: Hex) -> frozenset[Hex]:
        if any(side(hex_, k) in self.table.board.doors for k in range(6)):
            self.ask(("doors",))
        sealed: frozenset[Edge] = object.__getattribute__(self, "sealed")
        return self.table.adjacent(sealed).get(hex_, frozenset())

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

    def __hash__(self) -> int:
        self._all_of()
        return super().__hash__()


class _WatchedUnit(Unit):
    """A unit whose place, TPs and models tell that they are asked, and written."""

    __slots__ = ("ask", "inherited", "own")
    ask: Ask
    inherited: Inherited | None
    own: Unit

    @property
    def hex(self) -> Hex:
        self.ask(("hex", self.id))
        return self.own.hex

    @hex.setter
    def hex(self, hex_: Hex) -> None:
        self._wrote(("hex", self.id))
        self.own.hex = hex_

    @property
    def tp(self) -> int:
        self.ask(("tp", self.id))
        return self.own.tp

    @tp.setter
    def tp(self, tp: int) -> None:
        self._wrote(("tp", self.id))
        self.own.tp = tp

    @property
    def models(self) -> tuple[str, ...]:
        found = _Models(self.own.models)
        found.ask, found.unit = self.ask, self.id
        return found

    @models.setter
    def models(self, models: tuple[str, ...]) -> None:
        models = tuple(models)
        for model in {*models} ^ {*self.own.models}:
            self._wrote(("in", model))
        self.own.models = models

    def _wrote(self, cell: Fact) -> None:
        if self.inherited is not None:
            self.inherited.wrote(cell)


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

    def __setattr__(self, name: str, value: Any) -> None:
        own = object.__getattribute__(self, "__dict__")
        inherited = own["inherited"]
        if inherited is not None and object.__getattribute__(self, name) != value:
            inherited.wrote((_OF_AN_ACT.get(name, "act"),))
        own[name] = value
