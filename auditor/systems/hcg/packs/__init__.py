"""Card sets and decks: their shapes, the cards made ready, deck construction, files. Source: HCG catalogue 4.1, 4.2, 6."""

from auditor.systems.hcg.packs.cards import Card, CardSet
from auditor.systems.hcg.packs.decks import Deck, DeckFault, deck_faults
from auditor.systems.hcg.packs.files import PACKS
from auditor.systems.hcg.packs.headers import Setup, setup_of

__all__ = ["PACKS", "Card", "CardSet", "Deck", "DeckFault", "Setup", "deck_faults", "setup_of"]
