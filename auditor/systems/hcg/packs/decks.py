"""Decks, and what a deck may hold. Source: HCG catalogue 4.2 (HCG-DECK-01 to 04)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditor.systems.hcg.packs.cards import Card, CardSet
from auditor.systems.hcg.packs.shapes import ROW
from auditor.systems.shapes import REFUSALS, Misfit, shown

LEAST_CARDS = 60
MOST_OF_ONE = 4


@dataclass(frozen=True)
class Deck:
    """A deck: how many of each card (ids of its set)."""

    id: str
    title: str
    set: str
    side: str
    cards: Mapping[str, int]

    @property
    def size(self) -> int:
        return sum(self.cards.values())


@dataclass(frozen=True, slots=True)
class DeckFault:
    """A rule of deck construction that a list breaks. `text`: its parts, between which whose deck it is belongs; `subject`: ids
    of the cards."""

    rule: str
    text: tuple[str, str]
    subject: tuple[str, ...] = ()
    claimed: int | str | None = None
    recomputed: int | str | None = None


def rows(entries: Sequence[Any], place: Callable[[int], str]) -> tuple[dict[str, int], list[Misfit]]:
    """How many of each card some rows (parsed JSON) list, and everything that is wrong with them."""
    wrong: list[Misfit] = []
    cards: dict[str, int] = {}
    for i, entry in enumerate(entries):
        try:
            row = ROW.of(entry)
        except REFUSALS as refusal:
            found = ROW.misfits(entry) or [Misfit("", shown(entry)[:80], str(refusal))]
            wrong += [Misfit(f"{place(i)}.{m.path}".rstrip("."), m.found, m.expected, m.nearest) for m in found]
            continue
        cards[row.card] = cards.get(row.card, 0) + row.n
    return cards, wrong


def deck_faults(
    side: str | None,
    counts: Mapping[str, int],
    card_set: CardSet,
    copies: Callable[[Card], str] = lambda card: card.title,
) -> list[DeckFault]:
    """The rules that a deck list breaks; empty for a legal deck.

    `copies` tells which cards count as one for the limit of four (OR-COPYID): by default those of one title. Cards that
    the set does not have count for the size only.
    """
    return [
        *_too_small(counts, card_set),
        *_too_many(counts, card_set, copies),
        *_of_the_other_side(side, counts, card_set),
        *_sectors(counts, card_set),
    ]


def _too_small(counts: Mapping[str, int], card_set: CardSet) -> Iterable[DeckFault]:
    # A sector card does not count: it is no card of a deck (HCG-DECK-04).
    size = sum(n for card, n in counts.items() if (known := card_set.get(card)) is None or known.kind != "sector")
    if size < LEAST_CARDS:
        text = "", f"deck has {size} cards; at least {LEAST_CARDS} are needed."
        yield DeckFault("HCG-DECK-01", text, claimed=size, recomputed=LEAST_CARDS)


def _too_many(counts: Mapping[str, int], card_set: CardSet, copies: Callable[[Card], str]) -> Iterable[DeckFault]:
    together: dict[str, list[str]] = {}
    for card_id in counts:
        card = card_set.get(card_id)
        together.setdefault(copies(card) if card is not None else card_id, []).append(card_id)
    for name, cards in together.items():
        n = sum(counts[card] for card in cards)
        if n > MOST_OF_ONE:
            text = "", f"deck has {n} copies of {name}; at most {MOST_OF_ONE} are allowed."
            yield DeckFault("HCG-DECK-02", text, tuple(sorted(cards)), n, MOST_OF_ONE)


def _of_the_other_side(side: str | None, counts: Mapping[str, int], card_set: CardSet) -> Iterable[DeckFault]:
    if side is None:
        return
    for card_id in counts:
        card = card_set.get(card_id)
        if card is not None and card.alignment not in (None, "unaligned", side):
            text = f"{card.title} is a {card.alignment} card in", f"{side} deck."
            yield DeckFault("HCG-DECK-03", text, (card_id,), card.alignment, side)


def _sectors(counts: Mapping[str, int], card_set: CardSet) -> Iterable[DeckFault]:
    for card_id in counts:
        card = card_set.get(card_id)
        if card is not None and card.kind == "sector":
            text = f"{card.title} is a sector card and is in", "deck."
            yield DeckFault("HCG-DECK-04", text, (card_id,))
