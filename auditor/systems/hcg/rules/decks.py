"""Card kinds and deck construction (catalogue 4.1, 4.2). What is wrong with a header stands at number 0."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from auditor.core.findings import RAN, Fault, Unchecked
from auditor.core.ruleset import Rule, not_auditable
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.packs import Card, CardSet, DeckFault, deck_faults
from auditor.systems.hcg.packs.decks import MOST_OF_ONE
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.battles import owner_of_flipped
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.rules.common import CHAPTERS, SOURCE, Seen, rule, shown_by
from auditor.systems.words import listed

HEADER = 0
FIRST = {"*": ("first",)}
OF_THE_ACTOR = (
    records.SetupReveal, records.DeployFirst, records.DeployRegular, records.Draw, records.Roll, records.Mill,
    records.BaCard, records.VictoryReveal, records.VictoryDiscard,
)  # fmt: skip
"""Events whose cards are of the deck of who acts."""

HCG_CARD_02 = not_auditable(
    "HCG-CARD-02",
    "What each kind prints",
    "It is about card data: a card set that breaks it is refused when it is read, before any log.",
    """A unit prints flags, firepower, assault, speed, armor, keywords, an ability box, a die number and a command line;
    an asset the same but firepower, assault and speed; a ship no flags and no armor; a sector a flag requirement,
    keywords and an ability.

    Log:  nothing; card sets are checked by themselves.
    """,
    chapter=CHAPTERS["4.1"],
    source=f"{SOURCE}, section 4.1",
)
HCG_CARD_04 = not_auditable(
    "HCG-CARD-04",
    "Rarity and collector data",
    "They have no effect on play.",
    "Rarity and collector information have no effect on play.",
    chapter=CHAPTERS["4.1"],
    source=f"{SOURCE}, section 4.1",
)


def _lists(position: Position, this: Rule, cards: CardSet) -> list[tuple[str, list[DeckFault]]] | None:
    """For each deck list of the header, what breaks a rule in it; None where no header lists a deck."""
    table = position.table
    if not table.decks:
        return None
    return [
        (player, [one for one in deck_faults(table.sides[player], counts, cards) if one.rule == this.id])
        for player, counts in table.decks.items()
    ]


def _told(found: list[tuple[str, list[DeckFault]]] | None) -> Seen:
    if found is None:
        return None
    return [_of_header(player, one) for player, faults in found for one in faults] or RAN


def _of_header(player: str, one: DeckFault) -> Fault:
    return Fault(
        rule=one.rule,
        kind="illegal",
        text=f"{one.text[0]} {player}'s {one.text[1]}".lstrip(),
        subject=one.subject or (player,),
        player=player,
        claimed=one.claimed,
        recomputed=one.recomputed,
        seq=HEADER,
    )


@rule("HCG-DECK-01", "At least 60 cards", section="4.2", events=["*"], kinds=["illegal"], when=FIRST)
def a_deck_has_sixty_cards(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A deck has at least 60 cards. There is no upper limit.

    Log:  the deck list in the header; without one nothing is checked.
    Edge: exactly 60 is legal. Sector cards do not count.
    """
    return _told(_lists(position, a_deck_has_sixty_cards, position.table.cards))


@rule(
    "HCG-DECK-02",
    "At most four of any one card",
    section="4.2",
    events=["*"],
    kinds=["illegal"],
    readings=["OR-COPYID"],
    when={"*": ("first", "shows")},
)
def a_deck_has_four_of_a_card(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A deck holds at most four copies of any one card.

    Log:  the deck list in the header; or five distinct instances of one card seen from one deck.
    Edge: the limit applies to unaligned cards too. An instance seen twice is not two copies.
    """
    seen: list[Fault] = []
    table = position.table
    if view.first:
        for player, counts in table.decks.items():
            plain = [one for one in deck_faults(None, counts, table.cards) if one.rule == a_deck_has_four_of_a_card.id]
            grouped = [
                one
                for one in deck_faults(None, counts, table.cards, lambda card: card.group)
                if one.rule == a_deck_has_four_of_a_card.id
            ]
            if plain != grouped and hearing.ask("OR-COPYID") == "name-group":
                plain = grouped
            seen += [_of_header(player, one) for one in plain]
    shown = shown_by(event)
    by_title = _fifth_copies(event, shown, position, lambda card: card.title)
    if shown and by_title != (by_group := _fifth_copies(event, shown, position, lambda card: card.group)):
        by_title = by_group if hearing.ask("OR-COPYID") == "name-group" else by_title
    seen += by_title
    if seen:
        return seen
    return RAN if view.first or shown else None


def _fifth_copies(
    event: records.Event, told: Mapping[str, str], position: Position, name_of: Callable[[Card], str]
) -> list[Fault]:
    """Cards of which this event shows the fifth distinct instance of a deck that nobody listed, alone or with others.
    `name_of`: what cards have alike that count as one."""
    found: list[Fault] = []
    new: Counter[tuple[str, str]] = Counter()
    printed = position.table.cards

    def name(card: str) -> str:
        known = printed.get(card)
        return name_of(known) if known is not None else card

    for instance, card in told.items():
        player = _whose(event, instance, card, position)
        if player is None or card not in printed or instance in position.card or player in position.table.decks:
            continue  # A name that no card of the set bears need not be one card.
        new[player, name(card)] += 1
        before = [one for one, known in position.card.items() if position.owner.get(one) == player and known != card]
        alike = sum(name(position.card[one]) == name(card) for one in before)
        n = len(position.copies(player, card)) + alike + new[player, name(card)]
        if n == MOST_OF_ONE + 1:
            text = f"{n} instances of {name(card)} have been seen from {player}'s deck; at most {MOST_OF_ONE} fit."
            found.append(
                a_deck_has_four_of_a_card.fault(
                    "illegal",
                    text,
                    card,
                    player=player,
                    claimed=n,
                    recomputed=MOST_OF_ONE,
                )
            )
    return found


def _whose(event: records.Event, instance: str, card: str, position: Position) -> str | None:
    """From whose deck a card is that an event shows, as far as the record tells."""
    owner = position.owner.get(instance)
    if owner is None and isinstance(event, records.SetupFlip):
        return owner_of_flipped(position, instance, card)
    if owner is None and isinstance(event, OF_THE_ACTOR):
        return event.by if instance in (getattr(event, "card", None), *(getattr(event, "cards", None) or ())) else None
    return owner


@rule(
    "HCG-DECK-03",
    "One side plus unaligned",
    section="4.2",
    events=["*"],
    kinds=["illegal", "ambiguous"],
    readings=["OR-SIDES"],
    when=FIRST,
)
def a_deck_is_of_one_side(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A deck declares loyalist or traitor, and holds only cards of that side and unaligned ones.

    Log:  the declared side and the deck list in the header.
    Edge: an all-unaligned deck is legal and still has a side. Where no side is declared it is that of the cards, if
          they are of one side; if they are of both, one side is the wrong one whatever was declared.
    """
    table = position.table
    if not table.decks and not any(table.sides.values()):
        return None
    seen: list[Fault | Unchecked] = []
    for player, counts in table.decks.items():
        unknown = sorted(card for card in counts if card not in table.cards)
        if unknown:
            more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
            why = f"no card set knows {unknown[0]}{more} of {player}'s deck, so that their side cannot be told"
            seen.append(Unchecked(a_deck_is_of_one_side.id, why))
        side = table.sides[player]
        if side is not None:
            found = [one for one in deck_faults(side, counts, table.cards) if one.rule == a_deck_is_of_one_side.id]
            seen += [_of_header(player, one) for one in found]
            continue
        sides = {card.alignment for one in counts if (card := table.cards.get(one)) is not None} & {
            "loyalist",
            "traitor",
        }
        if len(sides) > 1:
            text = f"{player}'s deck holds loyalist and traitor cards; no side is declared, and none allows both."
            seen.append(a_deck_is_of_one_side.fault("illegal", text, player, player=player, seq=HEADER))
        elif not sides:
            text = f"{player}'s deck has no declared side, and its cards tell none."
            seen.append(a_deck_is_of_one_side.fault("ambiguous", text, player, player=player, seq=HEADER))
    first, second = (table.sides[player] for player in table.players)
    if first is not None and first == second and hearing.ask("OR-SIDES") == "opposed":
        text = f"{listed(table.players)} both bring the {first} side."
        seen.append(a_deck_is_of_one_side.fault("illegal", text, *table.players, player=None, seq=HEADER))
    return seen or RAN


@rule(
    "HCG-DECK-04",
    "No sector card in a deck",
    section="4.2",
    events=["*"],
    kinds=["illegal"],
    when={"*": ("first", "shows")},
)
def no_sector_card_is_in_a_deck(event: Any, view: View, position: Position, hearing: Hearing) -> Seen:
    """Sector cards are the board. They are never in a deck, in a hand or in a discard pile.

    Log:  the deck list in the header; or an instance shown to be a sector card.
    """
    seen: list[Fault] = []
    cards = position.table.cards
    if view.first:
        for player, faults in _lists(position, no_sector_card_is_in_a_deck, cards) or ():
            seen += [_of_header(player, one) for one in faults]
    for instance, card_id in (event.ids or {}).items():
        card = cards.get(card_id)
        if card is not None and card.kind == "sector" and instance not in position.card:
            player = position.owner.get(instance) or event.by
            text = f"{instance} is {card.title}, a sector card."
            seen.append(no_sector_card_is_in_a_deck.fault("illegal", text, instance, player=player))
    if seen:
        return seen
    return RAN if view.first or event.ids else None


RULES = (
    HCG_CARD_02,
    HCG_CARD_04,
    a_deck_has_sixty_cards,
    a_deck_has_four_of_a_card,
    a_deck_is_of_one_side,
    no_sector_card_is_in_a_deck,
)
