"""The table that a record describes: every instance, where it lies, and what of the order of a deck is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from auditor.conformance.hcg.cards import SET, SMALLEST_DECK, Card, card_of, example_set
from auditor.conformance.hcg.readings import READINGS
from auditor.conformance.hcg.referee.found import Found, NotJudged
from auditor.conformance.hcg.table import PLAYERS, SLOTS, Event, Piece
from auditor.conformance.hcg.values import Reckoning

MOST_COPIES = 4


def cards_of(header: Event) -> dict[str, Card]:
    """The cards that a record is about. Raises NotJudged for a set that is not known here."""
    named = header.get("cards")
    if named == SET:
        return example_set()
    if not isinstance(named, dict):
        raise NotJudged("the card set is not known")
    return {data["id"]: card_of(data) for data in named["cards"]}


def options_of(header: Event, options: Mapping[str, str] | None) -> dict[str, str]:
    """The readings in force. Raises NotJudged for an option that is not judged here."""
    given = dict(options if options is not None else header.get("rulings") or {})
    for reading, option in given.items():
        if option not in READINGS.get(reading, ()):
            raise NotJudged(f"{reading}={option} is not judged")
    return {**{reading: known[0] for reading, known in READINGS.items()}, **given}


def shown_in(events: Sequence[Event]) -> dict[str, str]:
    """The card of each instance that the events show. Raises NotJudged where they say two things of one."""
    shown: dict[str, str] = {}
    for event in events:
        ids = event.get("ids")
        said = dict(ids) if isinstance(ids, dict) else {}
        flipped = event.get("cards") if event.get("type") == "setup.flip" else ()
        said |= {
            one["card"]: one["id"] for one in flipped or () if isinstance(one, dict) and {"card", "id"} <= set(one)
        }
        for name, card in said.items():
            if shown.setdefault(name, card) != card:
                raise NotJudged(f"{name} is shown as two cards")
    return shown


def instances_of(player: Event, events: Sequence[Event]) -> dict[str, str | None]:
    """The instances of a deck, each with its card, None for one that is never shown.

    A header that does not list them must list the deck, and its shuffle the order.
    """
    if player.get("instances") is not None:
        return dict(player["instances"])
    shuffles = [one for one in events if one.get("type") == "setup.shuffle" and one.get("by") == player["id"]]
    orders = [one["order"] for one in shuffles if isinstance(one.get("order"), list)]
    if player.get("deck") is None or not orders or len(orders[0]) != sum(line["n"] for line in player["deck"]):
        raise NotJudged("the instances are not listed")
    shown = shown_in(events)
    return {name: shown.get(name) for name in orders[0]}


HIDDEN = card_of({"id": "", "title": "", "kind": "unit"})
"""In place of a card that nobody ever sees."""


class Board(Reckoning):
    """The table of a record in which every instance is listed.

    `ordered` says of whose deck the order is known; `zones[player]["deck"]` then lists it from the top.
    """

    def __init__(self, header: Event, options: Mapping[str, str] | None, events: Sequence[Event] = ()) -> None:
        cards = cards_of(header)
        if [one.get("id") for one in header["players"]] != list(PLAYERS):
            raise NotJudged("the players are not p1 and p2")
        slots = {one["slot"]: one["card"] for one in header["sectors"]}
        if sorted(slots) != list(SLOTS) or any(slots[slot] not in cards for slot in SLOTS):
            raise NotJudged("the sectors are not three known cards")
        super().__init__(Random(0), {player: {} for player in PLAYERS}, cards, [slots[slot] for slot in SLOTS])
        self.header = header
        self.readings = options_of(header, options)
        self.is_terse = header.get("detail") == "terse"
        self.implied = header.get("passes") == "implied"
        self.ordered = dict.fromkeys(PLAYERS, False)
        for player in header["players"]:
            for name, card in instances_of(player, events).items():
                if name in self.pieces or card not in (None, *cards):
                    raise NotJudged(f"{name} is no instance of a known card")
                self.pieces[name] = Piece(name, cards[card] if card is not None else HIDDEN, player["id"])
                self.zones[player["id"]]["deck"].append(name)

    # ---------------------------------------------------------------- the header

    def decks(self) -> Iterator[Found]:
        """HCG-DECK and HCG-SETUP-01, of the header."""
        planets = {card.planet for card in self.sectors.values()}
        if len(planets) > 1:
            yield Found(0, "HCG-SETUP-01", "illegal", None)
        declared = [entry.get("side") for entry in self.header["players"]]
        if self.option("OR-SIDES") == "opposed" and declared[0] is not None and declared[0] == declared[1]:
            yield Found(0, "HCG-DECK-03", "illegal", None)
        for entry in self.header["players"]:
            player = entry["id"]
            listed, count = entry.get("deck"), Counter[str]((entry.get("instances") or {}).values())
            named = Counter[str]({line["card"]: line["n"] for line in listed or ()})
            if not count:
                count, seen = named, Counter(one.card.id for one in self.pieces.values() if one.owner == player)
                if not set(named) <= set(self.cards) or any(seen[name] > count[name] for name in seen if name):
                    raise NotJudged("cards are shown that the list of a deck does not have")
            elif listed is not None and named != count:
                raise NotJudged("the list of a deck and its instances differ")
            cards = {name: self.cards[name] for name in count}
            if any(card.kind == "sector" for card in cards.values()):
                yield Found(0, "HCG-DECK-04", "illegal", player)
            if sum(n for name, n in count.items() if cards[name].kind != "sector") < SMALLEST_DECK:
                yield Found(0, "HCG-DECK-01", "illegal", player)
            titles: Counter[str] = Counter()
            for name, n in count.items():
                by_group = self.option("OR-COPYID") == "name-group"
                titles[cards[name].group if by_group else cards[name].title] += n
            for title in titles:
                if titles[title] > MOST_COPIES:
                    yield Found(0, "HCG-DECK-02", "illegal", player)
            sides = {card.alignment for card in cards.values()} - {"unaligned", None}
            if entry.get("side") is None and len(sides) < 2:
                yield Found(0, "HCG-DECK-03", "ambiguous", player)
            elif sides - {entry.get("side")}:
                yield Found(0, "HCG-DECK-03", "illegal", player)

    # ---------------------------------------------------------------- values

    def value(self, piece: Piece, stat: str, foe: Piece | None = None) -> int:
        """A current value, against the card that it fights or `foe`; whether it can fall below nothing is a reading."""
        against = self.versus(piece, stat, foe or self.foe(piece))
        total = (piece.card.stats[stat] or 0) + self.standing(piece, stat) + against
        total += sum(bonus.amount for bonus in piece.bonuses if bonus.stat == stat)
        return total if self.option("OR-STATFLOOR") == "none" else max(0, total)

    # ---------------------------------------------------------------- decks

    def top(self, player: str) -> str | None:
        """The top card of a deck; None where its order is not known or it is empty."""
        deck = self.zone(player, "deck")
        return deck[0] if deck and self.ordered[player] else None

    def set_order(self, player: str, order: list[str]) -> None:
        """The order of a deck as it is recorded. Raises NotJudged where it names other cards."""
        if sorted(order) != sorted(self.zone(player, "deck")):
            raise NotJudged("an order names other cards than the deck has")
        self.zones[player]["deck"] = list(order)
        self.ordered[player] = True


class Reader:
    """Fields of an event, each as it must be. Raises NotJudged where one is missing or is something else."""

    def __init__(self, board: Board, event: Event) -> None:
        self.board, self.event = board, event

    def player(self, key: str = "by") -> str:
        return self.one_of(key, PLAYERS)

    def one_of(self, key: str, allowed: tuple[str, ...]) -> str:
        value = self.event.get(key)
        if not isinstance(value, str) or value not in allowed:
            raise NotJudged(f"{key} is {value!r}")
        return value

    def number(self, key: str) -> int:
        value = self.event.get(key)
        if type(value) is not int:
            raise NotJudged(f"{key} is {value!r}")
        return value

    def piece(self, key: str = "card") -> Piece:
        return self.known(self.event.get(key))

    def known(self, value: Any) -> Piece:
        if not isinstance(value, str) or value not in self.board.pieces:
            raise NotJudged(f"{value!r} is no known instance")
        return self.board.pieces[value]

    def pieces(self, key: str = "cards") -> list[Piece]:
        value = self.event.get(key)
        if not isinstance(value, list):
            raise NotJudged(f"{key} is {value!r}")
        found = [self.known(one) for one in value]
        if len({one.id for one in found}) < len(found):
            raise NotJudged(f"{key} names a card twice")
        return found

    def source(self) -> tuple[Piece | None, Any]:
        """The card of `source`, None for a sector card, and which of its texts."""
        source = self.event.get("source")
        if not isinstance(source, dict) or source.get("ability") is None:
            raise NotJudged("the source is not stated")
        if source.get("zone") == "sectorcard":
            return None, source["ability"]
        return self.known(source.get("card")), source["ability"]
