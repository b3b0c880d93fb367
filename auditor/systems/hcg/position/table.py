"""The table of a card game: what does not change while it is played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from auditor.systems.hcg.packs import Setup
from auditor.systems.hcg.position.parts import SLOTS
from auditor.systems.hcg.position.told import InRecord


class Table(InRecord):
    """What does not change during a game: the players, their decks as far as they are given, the cards; and what the lines
    of the record tell as a whole.

    `decks` maps a player to how many of each card; `sizes` to how many cards; both only where the header says so.
    """

    def __init__(self, setup: Setup, header: Mapping[str, Any], events: Sequence[Any] = ()) -> None:
        super().__init__(events, [player.id for player in setup.players])
        self.setup = setup
        self.header = header
        self.cards = setup.cards
        self.printed = setup.cards.cards
        first, second = setup.players
        self.other = {first.id: second.id, second.id: first.id}
        self.sides = {player.id: player.side for player in setup.players}
        self.decks: dict[str, Mapping[str, int]] = {}
        self.sizes: dict[str, int] = {}
        self.card_of: dict[str, str] = {}
        self.owner_of: dict[str, str] = {}
        self.listed: dict[str, frozenset[str]] = {}
        for player in setup.players:
            if player.instances is not None:
                self.card_of.update(player.instances)
                self.owner_of.update(dict.fromkeys(player.instances, player.id))
                self.listed[player.id] = frozenset(player.instances)
                self.decks[player.id] = _counted(player.instances.values())
                self.sizes[player.id] = len(player.instances)
            if player.deck is not None:
                self.decks[player.id] = player.deck
                self.sizes[player.id] = sum(player.deck.values())
        self.sectors = {slot: card for slot, card in setup.sectors if slot in SLOTS}


def _counted(names: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in names:
        found[name] = found.get(name, 0) + 1
    return found
