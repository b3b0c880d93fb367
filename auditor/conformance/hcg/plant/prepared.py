"""Decks and readings under which the occasion for a fault comes often enough. All of them are legal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from auditor.conformance.hcg.abilities import WARY_CARDS
from auditor.conformance.hcg.cards import MOST_COPIES, Card, example_set, random_deck
from auditor.conformance.hcg.generate import Decks, unread
from auditor.conformance.hcg.texts import Text

Wanted = Callable[[Card], bool]


def does(letter: str, op: str, line: bool | None = None, q: str = "") -> Wanted:
    """Cards with a text of this type that does this; of the command line or the box only."""

    def wanted(card: Card) -> bool:
        texts = [] if line is False or card.line is None else [card.line]
        texts += [] if line else [one for one in card.box if isinstance(one, Text)]
        return any(
            one.type == letter and any(effect.op == op and (not q or _q(effect) == q) for effect in one.effects)
            for one in texts
        )

    return wanted


def _q(effect: Any) -> str:
    return str(effect.what.q) if effect.what is not None else ""


def either(*several: Wanted) -> Wanted:
    return lambda card: any(one(card) for one in several)


def ship_that_locks(card: Card) -> bool:
    return card.kind == "ship" and any(one.costs and one.costs[0].op == "lock" for _, one in card.typed("T"))


def tests(card: Card) -> bool:
    """Cards that roll for a test."""
    texts = [one for one in (*card.box, card.line) if isinstance(one, Text)]
    return any(cost.op == "test" for one in texts for cost in one.costs)


def plain(card: Card) -> bool:
    """Units without a standing text."""
    return card.kind == "unit" and not card.statics


def frail(card: Card) -> bool:
    """Units that little damage destroys."""
    return card.kind == "unit" and (card.stats["armor"] or 0) <= 2 and not card.statics


def fast(card: Card) -> bool:
    """Units that can block most shots, and survive them."""
    return card.kind == "unit" and (card.stats["speed"] or 0) >= 4 and (card.stats["armor"] or 0) >= 3


def versus(card: Card) -> bool:
    """Units with a versus bonus."""
    return card.kind == "unit" and any(text.kind == "versus" for text in card.statics)


def texts_of(card: Card, line: bool = False) -> list[Text]:
    """The texts of a card, or its command line only."""
    return [one for one in ((card.line,) if line else (*card.box, card.line)) if isinstance(one, Text)]


def limited(field: str, line: bool = False) -> Wanted:
    """Cards with a text that asks for one card and says something about it; what, is the name of a field."""

    def wanted(card: Card) -> bool:
        means = [effect.what for text in texts_of(card, line) for effect in text.effects if effect.what is not None]
        return any(one.q == "exact" and getattr(one, field) not in (None, ()) for one in means)

    return wanted


def plays(card: Card) -> bool:
    """Cards whose command line is a variable roll that may draw a card."""
    rows = [row for text in texts_of(card, line=True) for row in text.rows]
    return any(len(effects) == 1 and effects[0].op == "draw" for _, _, effects in rows)


strikes = does("T", "damage", line=True, q="exact")
"""Cards whose command line is a tactic that deals damage to one card."""


WANTED: dict[str, Wanted] = {
    "HCG-SPEC-01": lambda card: any(text.costs and text.costs[0].op == "test" for _, text in card.typed("A")),
    "HCG-SPEC-03": lambda card: bool(card.typed("A")),
    "HCG-SPEC-04": lambda card: bool(card.typed("A")),
    "HCG-SPEC-06": either(
        lambda card: any(not text.costs for _, text in card.typed("A")), does("T", "damage", q="exact")
    ),
    "HCG-SPEC-07": lambda card: bool(card.typed("A")),
    "HCG-BAA-03": either(does("BA", "destroy", line=False), does("T", "damage")),
    "HCG-OPT-01": does("T", "modify", line=False),
    "HCG-OPT-05": does("BA", "lock", q="all"),
    "HCG-DISC-02": does("BA", "mill"),
    "HCG-DMG-02": either(does("T", "damage"), does("BA", "damage")),
    "HCG-DMG-04": either(does("T", "damage"), does("BA", "damage")),
    "HCG-POS-03": does("T", "lock"),
    "HCG-SHIP-02": ship_that_locks,
    "HCG-SHIP-05": ship_that_locks,
    "HCG-SHIP-01": lambda card: card.kind == "ship",
    "HCG-INF-02": does("BA", "infiltrate"),
    "HCG-BSET-01": either(lambda card: bool(card.set_ups), lambda card: card.kind == "ship"),
    "HCG-UNIQ-03": lambda card: (card.unique and card.group != card.title) or card.id in ("ex-l01", "ex-t01"),
    "HCG-UNIQ-05": lambda card: card.unique,
    "HCG-CMD-01": does("R", "draw", line=False),
    "HCG-CMD-03": either(
        does("M", "roll_add", line=True), lambda card: card.line is not None and card.line.type == "R"
    ),
    "HCG-WIN-03": lambda card: not card.flags and not _gives_flags(card),
    "HCG-MOD-01": either(does("M", "roll_add", line=True), tests),
    "HCG-POS-02": either(does("A", "lock", q="exact"), does("BA", "lock", q="exact")),
    "HCG-VS-01": versus,
    "HCG-VS-02": versus,
    "HCG-VS-03": versus,
    "HCG-UNIQ-04": either(does("BA", "infiltrate"), lambda card: card.unique and card.kind != "ship"),
    "HCG-SPEC-05": lambda card: bool(card.typed("A")),
    "HCG-CARD-05": plain,
    "HCG-TAC-06": either(plain, does("T", "modify", line=True)),
    "HCG-CA-01": lambda card: card.kind == "unit" and "counterattack" in card.keywords,
    "HCG-SWEEP-05": lambda card: card.kind == "unit" and (card.stats["assault"] or 0) >= 3 and not card.statics,
    "HCG-SWEEP-03": lambda card: card.kind == "unit" and (card.stats["assault"] or 0) >= 3 and not card.statics,
    "HCG-WIN-01": lambda card: card.flags >= 2,
    "HCG-BSET-06": lambda card: card.kind == "ship",
    "HCG-OPT-03": strikes,
    "HCG-DES-03": either(strikes, frail),
    "HCG-FLAG-01": limited("flag"),
    "HCG-KEY-01": limited("keywords"),
    "HCG-ROLL-04": plays,
    "HCG-CA-03": either(lambda card: card.kind == "unit" and "counterattack" in card.keywords, fast),
}
"""Rule -> the cards that come often in the decks of its games."""
MOST_WANTED = 6
MANY = {
    "HCG-WIN-03": 24,
    "HCG-WIN-01": 16,
    "HCG-BSET-06": 8,
    "HCG-DES-03": 10,
    "HCG-SWEEP-03": 12,
    "HCG-CA-03": 12,
    "HCG-SPEC-06": 12,
    "HCG-MOD-01": 12,
    "HCG-VS-01": 12,
    "HCG-VS-02": 12,
    "HCG-VS-03": 12,
    "HCG-SWEEP-05": 12,
    "HCG-UNIQ-04": 10,
    "HCG-CARD-05": 16,
    "HCG-TAC-06": 16,
}
"""Rule -> how many of its cards come in, where that is not the usual number; 24 make up a whole deck."""
READINGS = {"HCG-SWEEP-04": {"OR-SWEEPBLOCK": "not-allowed"}}
"""Rule -> the readings that its games are played under."""


TRAITORS = {"HCG-SPEC-06": strikes, "HCG-OPT-03": strikes, "HCG-DES-03": strikes}
"""Rule -> cards that must be in the decks of both players, who are traitors, as such cards are."""


def _gives_flags(card: Card) -> bool:
    texts = [one for one in (*card.box, card.line) if isinstance(one, Text)]
    return any(effect.op == "flags" for text in texts for effect in text.effects)


def prepare(rule: str, rng: Random, sides: dict[str, str], decks: Decks) -> None:
    """Let the cards that a fault needs come often."""
    if rule in TRAITORS:
        avoided = frozenset(card.id for card in example_set().values() if card.id in WARY_CARDS or unread(card))
        for player, deck in decks.items():
            if sides[player] != "traitor":
                sides[player], size = "traitor", sum(deck.values())
                decks[player] = random_deck(rng, "traitor", size, avoided, [])
    wanted = WANTED.get(rule)
    if wanted is not None:
        fill(rng, sides, decks, wanted, MANY.get(rule, MOST_WANTED))
    if rule in TRAITORS:
        fill(rng, sides, decks, TRAITORS[rule])


def fill(
    rng: Random,
    sides: dict[str, str],
    decks: Decks,
    wanted: Wanted,
    most: int = MOST_WANTED,
    cards: Mapping[str, Card] | None = None,
) -> None:
    """Let so many cards of a kind into each deck, in the place of others."""
    known = example_set() if cards is None else cards
    for player, deck in decks.items():
        fit = [
            card.id
            for card in known.values()
            if card.alignment in (sides[player], "unaligned")
            and wanted(card)
            and card.id not in WARY_CARDS
            and not unread(card)
        ]
        size = sum(deck.values())
        chosen = rng.sample(fit, min(len(fit), most))
        for name in chosen:
            deck[name] = MOST_COPIES
        while sum(deck.values()) > size and (rest := sorted(set(deck) - set(chosen))):
            name = rng.choice(rest)
            deck[name] -= 1
            if not deck[name]:
                del deck[name]
