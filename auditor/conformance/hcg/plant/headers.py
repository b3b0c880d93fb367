"""Decks and sectors that break a rule before the game begins."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from auditor.conformance.hcg.abilities import WARY_CARDS
from auditor.conformance.hcg.cards import SMALLEST_DECK, example_set
from auditor.conformance.hcg.game import Game
from auditor.conformance.hcg.generate import unread
from auditor.conformance.hcg.texts import Text

Sides = dict[str, str]
Decks = dict[str, dict[str, int]]
TOO_MANY = 5


def too_small(rng: Random, player: str, sides: Sides, decks: Decks) -> None:
    """A deck of fewer than sixty cards."""
    deck = decks[player]
    while sum(deck.values()) >= SMALLEST_DECK:
        card = rng.choice(sorted(deck))
        deck[card] -= 1
        if not deck[card]:
            del deck[card]


def too_many_copies(rng: Random, player: str, sides: Sides, decks: Decks) -> None:
    """Five copies of one card."""
    decks[player][rng.choice(sorted(decks[player]))] = TOO_MANY


def of_the_other_side(rng: Random, player: str, sides: Sides, decks: Decks) -> None:
    """A card of the side that the deck is not of."""
    other_side = "traitor" if sides[player] == "loyalist" else "loyalist"
    cards = [one for one in example_set().values() if one.alignment == other_side and not unread(one)]
    decks[player][rng.choice(sorted(one.id for one in cards if one.id not in WARY_CARDS))] = 1


DECKS: dict[str, Callable[[Random, str, Sides, Decks], None]] = {
    "HCG-DECK-01": too_small,
    "HCG-DECK-02": too_many_copies,
    "HCG-DECK-03": of_the_other_side,
}
"""What makes a deck of a player break a rule, before it is shuffled."""


def sector_in_a_deck(game: Game, player: str) -> str | None:
    """A sector card among those that a deck lists."""
    game.decks_listed[player] = {**game.decks_listed[player], game.sectors[1].id: 1}
    return player


def two_planets(game: Game, player: str) -> str | None:
    """Sectors of two planets."""
    planet = game.sectors[1].planet
    cards = [one for one in example_set().values() if one.kind == "sector" and one.planet != planet]
    game.sectors[3] = game.rng.choice([one for one in cards if not any(isinstance(text, Text) for text in one.box)])
    return None


TABLES: dict[str, Callable[[Game, str], str | None]] = {
    "HCG-DECK-04": sector_in_a_deck,
    "HCG-SETUP-01": two_planets,
}
"""What makes a header break a rule; whose fault it is."""
HEADERS = (*DECKS, *TABLES)
