"""The names that a log of the card game may use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor.core.fields import leaves
from auditor.systems.hcg.packs.headers import Setup
from auditor.systems.names import Known, Name, Names, first_spellings, shared, without_strays

OPS = (
    *("modify", "destroy", "lock", "rally", "damage", "return", "grant", "forbid", "flags", "draw", "discard", "mill"),
    *("infiltrate", "reroll", "roll_add", "roll_set", "table", "test", "raw"),
)
"""What an `effect` may say that an ability did, beside words that only a printed text gives."""
SECTORS = (1, 2, 3)
"""Written as texts where they are keys."""


def names(setup: Setup, header: Mapping[str, Any], events: list[Any]) -> Names:
    """Instances are known where both players list theirs, else as the record writes them; printed cards are those of the
    set and of the decks."""
    listed = [player.instances for player in setup.players]
    instances: set[Name] = {name for one in listed for name in one or ()}
    are_listed = all(one is not None for one in listed)
    players = frozenset(player.id for player in setup.players)
    is_plain = are_listed
    if not are_listed:
        shown = (leaf.value for event in events for leaf in leaves(event) if leaf.of == "card")
        spelled = first_spellings(map(str, instances), (name for name in shown if isinstance(name, str)))
        written, is_plain = without_strays(spelled - players)  # A player may stand where a card does.
        instances |= written
    are_told = all(player.deck for player in setup.players)
    printed = {*setup.cards.cards, *(card for player in setup.players for card in player.deck or ())}
    return {
        "face": Known("a face of the die, 1 to 6", frozenset(range(1, 7))),
        "player": Known("a player of the header", players),
        "sector": Known("a sector, 1 to 3", frozenset([*SECTORS, *map(str, SECTORS)])),
        "card": Known(
            "a card of the lists of instances" if are_listed else "a card, written as the others of the record are",
            frozenset(instances),
            whole=is_plain,
            shared=shared(*(one or () for one in listed)),
            where="players",
        ),
        "choice": Known("what an ability does", frozenset(OPS), whole=False),
        "printed card": Known("a card of the set", frozenset(printed), whole=are_told),
    }
