"""A position that tells which of its cells are asked: what a fault rests on is what its check reads.

The words of the cells are those that holes open and events state (`CELLS`). A plain position pays nothing for this: the
twin is made only where a check accuses while something is in doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from auditor.core.findings import Fact
from auditor.core.watched import Ask, Asked
from auditor.systems.hcg.position.kept import Kept
from auditor.systems.hcg.position.parts import Battle
from auditor.systems.hcg.position.places import At, Places
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position

CELLS: Mapping[str, str] = {
    "at": "where a card lies, and how: (at, card)",
    "zone": "which cards lie in a zone of a player: (zone, player, zone, slot or None)",
    "deck": "how many cards a deck has, and which lie on top: (deck, player)",
    "sector": "how a sector stands: (sector, slot)",
    "sectors": "how the sectors stand, all of them",
    "served": "which sectors a player has served in the first wave of this turn: (served, player)",
    "drawn": "how many cards a player has drawn for deployment this turn: (drawn, player)",
    "phase": "which phase it is",
    "turn": "which turn it is",
    "roles": "who is the attacker and who the defender",
    "reveals": "which cards were revealed for the choice of a role",
    "next": "whose act is due, outside of battle actions and within them",
    "battle": "which battle is fought, what is under way in it",
    "battles": "which battles of the turn have been",
    "setup": "what has been done of the set-up of the battle",
    "stage": "how far the set-up of the battle has come",
    "passes": "how many battle actions in a row were passes",
    "withdrawn": "whether somebody has withdrawn from the battle",
    "flags": "the flag totals beyond what the cards give",
    "bonuses": "which numbers abilities have changed",
    "granted": "which traits abilities have given",
    "roll": "the roll under way",
    "x": "what an X was counted from as its ability was announced: (x, the number of that event)",
}
"""The cells of a position: the first word of each, and what it says. A cell is that word, or a tuple that begins with it."""

_FIELDS: Mapping[str, tuple[str, ...]] = {
    "phase": ("phase",),
    "marked": ("phase",),
    "turn": ("turn",),
    "turn_said": ("turn",),
    "roles": ("roles",),
    "role_by": ("roles",),
    "reveals": ("reveals",),
    "shuffled": ("reveals",),
    "coin": ("reveals",),
    "last": ("next",),
    "missed": ("next",),
    "had": ("battles",),
    "battle": ("battle",),
    "action": ("battle",),
    "plays": ("battle",),
    "happened": ("battle",),
    "reacted": ("battle",),
    "wounds": ("battle",),
    "used": ("battle",),
    "untold": ("battle",),
    "settled": ("roll",),
    "flipped": ("next",),
    "here": ("next",),
    "dealt": ("next",),
    "left": ("battles",),
    "after_win": ("battles",),
    "spent": ("battles",),
    "rallied": ("phase",),
    "windows": ("next",),
    "bonuses": ("bonuses", "granted"),
    "flag_changes": ("flags",),
    "roll": ("roll",),
    "below": ("roll",),
    "pending": ("roll",),
}
"""Field of a position -> the cells that are asked with it."""

_OF_A_BATTLE: Mapping[str, str] = {
    "passes": "passes",
    "next": "next",
    "stage": "stage",
    "behind": "stage",
    "drawn": "setup",
    "returned": "setup",
    "both": "setup",
    "carried": "setup",
}


def watched(position: Position, cells: set[Fact]) -> Position:
    """A twin of a position that adds to `cells` what is asked of it."""
    return _twin(position.copy(), cells.add)


def _twin(copy: Position, ask: Ask) -> Position:
    twin = _Watched.__new__(_Watched)
    own = object.__getattribute__(twin, "__dict__")
    own.update(object.__getattribute__(copy, "__dict__"))
    own["ask"] = ask
    own["at"] = _places(own["at"], ask)
    own["pools"] = _each(own["pools"], lambda key: ask(("zone", *key)))
    for field, cell in (("deck_top", "deck"), ("deck_n", "deck"), ("served", "served"), ("drawn", "drawn")):
        own[field] = _each(own[field], _of_a_player(cell, ask))
    own["sectors"] = _each(own["sectors"], lambda slot: ask(("sector", slot)), lambda: ask("sectors"))
    if own["battle"] is not None:
        own["battle"] = _battle(own["battle"], ask)
    own["standing"], own["totals"] = None, {}
    own["kept"] = Kept(own["kept"].event) if own["kept"] is not None else None
    return twin


def _each(entries: Mapping[Any, Any], one: Callable[[Any], None], more: Callable[[], None] = lambda: None) -> Asked:
    """A map whose entries are cells; `more`: asked besides where it is gone through."""

    def whole() -> None:
        more()
        for key in entries:
            one(key)

    return Asked(entries, one, whole)


def _of_a_player(cell: str, ask: Ask) -> Callable[[Any], None]:
    return lambda player: ask((cell, player))


class _Watched(Position):
    """A position whose fields tell that they are asked."""

    def __getattribute__(self, name: str) -> Any:
        for cell in _FIELDS.get(name, ()):
            object.__getattribute__(self, "ask")(cell)
        return object.__getattribute__(self, name)

    def copy(self) -> Position:
        return _twin(super().copy(), object.__getattribute__(self, "ask"))

    def as_announced(self, play: Play) -> Position:
        if play.table is not None:
            object.__getattribute__(self, "ask")(("x", str(play.seq)))
        return super().as_announced(play)


def _places(places: Places, ask: Ask) -> Places:
    twin = _WatchedPlaces.__new__(_WatchedPlaces)
    twin.ask = ask
    return _as(places, twin)


def _as(places: Places, twin: Places) -> Places:
    dict.update(twin, dict.items(places))
    for name in Places.__slots__:
        setattr(twin, name, getattr(places, name))
    return twin


class _WatchedPlaces(Places):
    """Places that tell which cards are asked for, and which zones are gone through."""

    __slots__ = ("ask",)
    ask: Ask

    def get(self, key: Any, default: Any = None) -> Any:
        self.ask(("at", key))
        return super().get(key, default)

    def __getitem__(self, key: str) -> At:
        self.ask(("at", key))
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.ask(("at", key))
        return super().__contains__(key)

    def copy(self) -> Places:
        return _as(self, Places.__new__(Places)).copy()

    def of(self, player: str, zone: Any, sector: int | None = None) -> Any:
        self.ask(("zone", player, zone, sector))
        return self._seen(super().of(player, zone, sector))

    def _seen(self, lying: Any) -> Any:
        for _, instance, _ in lying:
            self.ask(("at", instance))
        return lying

    def in_play(self) -> Iterator[tuple[str, At]]:
        found = list(super().in_play())
        for instance, at in found:
            self.ask(("zone", at.player, at.zone, at.sector))
            self.ask(("at", instance))
        return iter(found)

    def items(self) -> Any:
        for instance in dict.keys(self):
            self.ask(("at", instance))
        return super().items()


def _battle(battle: Battle, ask: Ask) -> Battle:
    def field(name: str, cell: str) -> property:
        there = Battle._fields.index(name)

        def read(self: Any) -> Any:
            ask(cell)
            return tuple.__getitem__(self, there)

        return property(read)

    kind: Any = type("WatchedBattle", (Battle,), {name: field(name, cell) for name, cell in _OF_A_BATTLE.items()})

    def withdrawn(self: Any) -> bool:
        ask("withdrawn")
        return bool(self.step == "victory")

    kind.withdrawn = property(withdrawn)
    made: Battle = tuple.__new__(kind, battle)
    return made


def unlisted(cells: Iterable[Fact]) -> list[Fact]:
    """The cells that are not of those that a position has."""
    return [cell for cell in cells if (cell if isinstance(cell, str) else cell[0]) not in CELLS]  # type: ignore[index]
