"""The names that a log of the card game may use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor.systems.hcg.packs.headers import Setup
from auditor.systems.names import Known, Names, shared

SECTORS = (1, 2, 3)
"""Written as texts where they are keys."""


def names(setup: Setup, header: Mapping[str, Any], events: list[Any]) -> Names:
    """Instances are known where both players list theirs; printed cards are those of the set and of the decks."""
    listed = [player.instances for player in setup.players]
    instances = {name for one in listed for name in one or ()}
    printed = {*setup.cards.cards, *(card for player in setup.players for card in player.deck or ())}
    return {
        "face": Known("a face of the die, 1 to 6", frozenset(range(1, 7))),
        "player": Known("a player of the header", frozenset(player.id for player in setup.players)),
        "sector": Known("a sector, 1 to 3", frozenset([*SECTORS, *map(str, SECTORS)])),
        "card": Known(
            "a card of the lists of instances",
            frozenset(instances),
            whole=all(one is not None for one in listed),
            shared=shared(*(one or () for one in listed)),
            where="players",
        ),
        "printed card": Known("a card of the set", frozenset(printed), whole=False),
    }
