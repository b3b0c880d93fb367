"""Which cards are copies of one unique card (HCG-UNIQ-03)."""

from __future__ import annotations

from auditor.core.rulings import Hearing
from auditor.systems.hcg.packs import Card
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.battles import cards_at


def is_unique(card: Card) -> bool:
    return card.unique


def same_name(one: Card, other: Card, hearing: Hearing) -> bool:
    """Whether two cards are of one name (OR-UNIQNAME)."""
    if one.title == other.title:
        return True
    grouped, leading = one.group == other.group, _leads(one.title, other.title) or _leads(other.title, one.title)
    if grouped == leading:
        return grouped
    return grouped if hearing.ask("OR-UNIQNAME") == "group-field" else leading


def _leads(short: str, long: str) -> bool:
    """Whether a title begins with another, at a word boundary."""
    short, long = short.casefold(), long.casefold()
    return long.startswith(short) and not long[len(short) : len(short) + 1].isalnum()


def copies_of(
    instance: str, player: str, position: Position, hearing: Hearing, *, both_unique: bool = True
) -> list[str]:
    """A player's other cards at the sector of the battle that are copies of a card. `both_unique`: only where both bear
    the keyword; otherwise only where one of them does."""
    card = position.card_of(instance)
    found: list[str] = []
    if card is None:
        return found
    for _, other, _ in cards_at(position, player):
        that = position.card_of(other)
        if other == instance or that is None or not position.lives_in_play(other):
            continue
        marked = (is_unique(card), is_unique(that))
        if (all(marked) if both_unique else any(marked) and not all(marked)) and same_name(card, that, hearing):
            found.append(other)
    return found


def may_have_a_copy(instance: str, player: str, position: Position) -> bool:
    """Whether another card of a player, at the sector of the battle or sent back from there as a copy on both sides, may be
    a copy of a card, since nobody knows which card it is."""
    battle = position.battle
    if battle is None:
        return False
    cards = [one for _, one, _ in cards_at(position, player)]
    cards += [one for one in battle.both if position.owner.get(one) == player]
    unnamed = position.pool(player, "sector", battle.sector).n > 0
    return unnamed or any(one != instance and position.card_of(one) is None for one in cards)
