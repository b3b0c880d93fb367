"""What stands on the table. Catalogue sections 3 and 4."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from auditor.conformance.calth.board import Board, Edge, Hex, as_edge
from auditor.conformance.calth.tables import SIDES

Event = dict[str, Any]


@dataclass
class Model:
    """One miniature: its profile's numbers and what it carries."""

    id: str
    side: str
    assault: int
    armour: int
    stamina: int
    bulk: int
    weapons: list[str]
    wargear: list[str]

    @property
    def has_damage_deck(self) -> bool:
        """Whether the Damage deck stands for this model (Sor Gharax)."""
        return "damage_deck" in self.wargear


@dataclass
class Unit:
    """The models of one side in one hex, in the order in which the log named them."""

    id: str
    side: str
    hex: Hex
    models: list[str]
    tp: int


@dataclass
class Position:
    """A game in progress. Everything is public; only `apply` (module adoption) changes it."""

    board: Board
    models: dict[str, Model] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    sealed: set[Edge] = field(default_factory=set)
    broken: set[tuple[str, str]] = field(default_factory=set)
    round: int = 1
    phase: str = "setup"
    initiative: str | None = None
    first_initiative: str | None = None
    last_actor: str | None = None
    first_actor: str | None = None
    tp_before_activation: int | None = None
    activated: str | None = None
    deck_left: dict[str, int | None] = field(default_factory=dict)
    hands: dict[str, list[str]] = field(default_factory=lambda: {side: [] for side in SIDES})
    card_tps: dict[str, int] = field(default_factory=dict)
    damage_cards: dict[str, dict[str, Any]] = field(default_factory=dict)
    in_deck: list[str] = field(default_factory=list)
    on_model: list[str] = field(default_factory=list)
    cards_that_kill: int | None = None

    def unit_at(self, h: Hex) -> Unit | None:
        """The unit that stands in a hex."""
        return next((unit for unit in self.units.values() if unit.hex == h), None)

    def unit_of(self, model: str) -> Unit | None:
        """The unit that a model belongs to."""
        return next((unit for unit in self.units.values() if model in unit.models), None)

    def take(self, model: str) -> None:
        """Take a model out of its unit, to be put somewhere else."""
        unit = self.unit_of(model)
        if unit is not None:
            unit.models.remove(model)
            if not unit.models:
                del self.units[unit.id]

    def occupied(self) -> set[Hex]:
        """Every hex with at least one model."""
        return {unit.hex for unit in self.units.values()}

    def side_units(self, side: str) -> list[Unit]:
        """The units of one side."""
        return [unit for unit in self.units.values() if unit.side == side]

    def bulk(self, models: Iterable[str]) -> int:
        """The bulk of some models together."""
        return sum(self.models[m].bulk for m in models)

    def has_tp(self, side: str) -> bool:
        """Whether a side still has a unit with TPs."""
        return any(unit.tp >= 1 for unit in self.side_units(side))


def faces_of(value: Any) -> list[str]:
    """The faces of a roll, from a string or a list."""
    return list(value)


def opening(header: Mapping[str, Any]) -> Position:
    """The position before the first event, from a header whose packs are all given inline."""
    position = Position(Board.read(header["board"]))
    position.sealed = {edge for edge, is_sealed in position.board.doors.items() if is_sealed}
    position.first_initiative = header["scenario"].get("first_initiative")
    for line in header["scenario"].get("doors", ()):
        set_door(position, as_edge(line["edge"]), line["state"])
    for side in SIDES:
        roster = header["rosters"][side]
        profiles = {p["id"]: p for p in roster["profiles"]}
        for m in roster["models"]:
            p = profiles[m["profile"]]
            position.models[m["id"]] = Model(
                m["id"], side, p["assault"], p["armour"], p["stamina"], p["bulk"],
                list(m["weapons"]), list(m.get("wargear", ())),
            )  # fmt: skip
        for card in roster.get("damage_cards", ()):
            position.damage_cards[card["id"]] = card
            position.in_deck.append(card["id"])
        if roster.get("removed_when"):
            position.cards_that_kill = roster["removed_when"]["cards_on_model"]
    cards = header.get("command_cards")
    for side in SIDES:
        position.card_tps |= {c["id"]: c["effect"]["tp"] for c in cards or () if "tp" in (c.get("effect") or {})}
        position.deck_left[side] = None if cards is None else sum(card["side"] == side for card in cards)
    return position


def set_door(position: Position, edge: Edge, state: str) -> None:
    """Seal or open a door."""
    (position.sealed.add if state == "sealed" else position.sealed.discard)(edge)


def remove_model(position: Position, model: str) -> None:
    """Take a model off the board for good; a unit without models goes with its last one."""
    unit = position.unit_of(model)
    position.removed.add(model)
    if unit is not None:
        unit.models.remove(model)
        if not unit.models:
            del position.units[unit.id]


def lose_damage_card(position: Position, card: str, bearer: str) -> None:
    """Carry out what is printed on a Damage card whose location was destroyed."""
    printed = position.damage_cards[card]
    if printed.get("stays_on_model") and card in position.in_deck:
        position.in_deck.remove(card)
        position.on_model.append(card)
    if printed.get("destroys_weapon"):
        position.broken.add((bearer, printed["destroys_weapon"]))
    if position.cards_that_kill is not None and len(position.on_model) >= position.cards_that_kill:
        remove_model(position, bearer)


def heavy_weapon_arm(position: Position) -> str | None:
    """The Damage card for a destroyed assault cannon, if it is still in the deck."""
    cards = (c for c in position.in_deck if position.damage_cards[c].get("destroys_weapon") == "assault_cannon")
    return next(cards, None)


def step_card(step: Mapping[str, Any]) -> str | None:
    """The Damage card of a step, whether it stands as an object or as a bare id."""
    card = step.get("damage_card")
    return card["card"] if isinstance(card, dict) else card
