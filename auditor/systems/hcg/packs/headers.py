"""What the header of a log says: the players, their decks, the sectors, and the card set that it names or carries.

Source: HCG catalogue 5.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from auditor.core.nearest import nearest_id
from auditor.core.record import PackUsed
from auditor.systems.hcg.packs.cards import NO_CARDS, CardSet, card_set
from auditor.systems.hcg.packs.shapes import HEADER as HEADER_SHAPE
from auditor.systems.hcg.packs.shapes import MOST_CARDS, Header, PlayerEntry
from auditor.systems.packs import Packs
from auditor.systems.shapes import REFUSALS, Misfit, parse, shown


@dataclass(frozen=True)
class Player:
    """What a header says of a player. `deck` and `instances` None: not given."""

    id: str
    name: str
    side: str | None
    deck: Mapping[str, int] | None
    instances: Mapping[str, str] | None


@dataclass(frozen=True)
class Setup:
    """What a header says. `cards` is empty where no card set is known; `sectors` maps slots to cards, as written."""

    cards: CardSet
    players: tuple[Player, Player]
    sectors: tuple[tuple[int, str], ...]
    terse: bool
    passes_implied: bool


def setup_of(header: bytes, packs: Packs) -> tuple[Setup | None, list[Misfit], tuple[PackUsed, ...]]:
    """What a header's line says, everything that is wrong with it, and the card set that it names by id.

    None where there are not two players to speak of. A log without a card set is audited as far as that goes.
    """
    try:
        written = HEADER_SHAPE.read(header)
    except REFUSALS:
        try:
            written = HEADER_SHAPE.of(parse(header.decode()))
        except (*REFUSALS, ValueError):
            return None, [], ()  # What does not fit the header's shape has been listed by whoever read the header.
    cards, wrong, used = _cards_of(written, packs)
    first, second = map(_player, written.players)
    if first.id == second.id:
        wrong.append(Misfit("players[1].id", shown(second.id), "another id than the first player's"))
        return None, wrong, used
    sectors = tuple((entry.slot, entry.card) for entry in written.sectors or ())
    return Setup(cards, (first, second), sectors, written.detail == "terse", written.passes == "implied"), wrong, used


def _player(entry: PlayerEntry) -> Player:
    deck: dict[str, int] | None = None
    if entry.deck is not None:
        deck = {}
        for row in entry.deck:
            deck[row.card] = deck.get(row.card, 0) + row.n
    return Player(entry.id, entry.name, entry.side, deck, entry.instances)


def _cards_of(written: Header, packs: Packs) -> tuple[CardSet, list[Misfit], tuple[PackUsed, ...]]:
    given = written.cards
    if given is None:
        return NO_CARDS, [], ()
    if isinstance(given, str):
        kept = packs.find("cards", given)
        if kept is None:
            near = nearest_id(given, packs.of_kind("cards"))
            return (
                NO_CARDS,
                [Misfit("cards", shown(given), "the id of a card set known here, or one in full", near)],
                (),
            )
        return kept.made, [], (kept.used,)
    entries = given.get("cards") if isinstance(given, dict) else given
    if not isinstance(entries, list) or len(entries) > MOST_CARDS:
        return NO_CARDS, [Misfit("cards", shown(given)[:80], f"a card set, at most {MOST_CARDS:,} cards")], ()
    made, wrong = _inline(msgspec.json.encode(entries), "cards.cards" if isinstance(given, dict) else "cards")
    return made, list(wrong), ()


@lru_cache(maxsize=16)
def _inline(entries: bytes, path: str) -> tuple[CardSet, tuple[Misfit, ...]]:
    """A set given in full in a header. The same one is read once."""
    made, wrong = card_set("", "", parse(entries.decode()), lambda i: f"{path}[{i}]")
    return made, tuple(wrong)
