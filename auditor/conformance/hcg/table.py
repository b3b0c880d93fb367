"""The table: where every card lies, whose turn it is, and the log that is written of it.

Zones, faces and positions are those of catalogue section 3; what a log line looks like, those of section 5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from auditor.conformance.hcg.cards import Card
from auditor.conformance.hcg.readings import READINGS

Event = dict[str, Any]
Made = TypeVar("Made")
PLAYERS = ("p1", "p2")
SLOTS = (1, 2, 3)
ZONES = ("deck", "deploy_hand", "command_hand", "discard", "limbo", "fleet", "set_aside")
DEFAULTS = {reading: options[0] for reading, options in READINGS.items()}
NOT_PLAYED = ("OR-FAILEDTEST",)
PLAYED_UNDER = {
    **{reading: options for reading, options in READINGS.items() if reading not in NOT_PLAYED},
    "OR-DECKOUT": ("reshuffle", "deck-loss"),
    "OR-CHARGEWIN": ("none", "window"),
}
"""The readings by which a game can be played otherwise, with the options that players here know."""
PLANETS = ("Meridian", "Cinderhall", "Vesper")


def other(player: str) -> str:
    """The player opposite."""
    return "p2" if player == "p1" else "p1"


class GameOver(Exception):
    """The game ends here; winner and reason are those of `game.end`, and the log says it."""

    def __init__(self, winner: str | None, reason: str) -> None:
        super().__init__(reason)
        self.winner, self.reason = winner, reason


@dataclass
class Bonus:
    """Something gained: an amount of a stat, or a trait or keyword. `born` counts damage steps before it."""

    stat: str
    amount: int
    until: str
    gained: str = ""
    born: int = 0


@dataclass
class Piece:
    """One instance of a card; `sector` is set while it lies at one."""

    id: str
    card: Card
    owner: str
    zone: str = "deck"
    sector: int | None = None
    face: str = "down"
    position: str = "ready"
    bonuses: list[Bonus] = field(default_factory=list)
    used: set[tuple[Any, ...]] = field(default_factory=set)


@dataclass
class Attack:
    """The attack that is going on. `defender` is the card it really fights; none in an unblocked special assault."""

    kind: str
    attacker: str
    defender: str | None
    target: str | None = None
    blocker: str | None = None


@dataclass
class Happening:
    """Something that a reaction may answer: an act of a card or of a player."""

    act: str
    piece: str | None = None
    player: str | None = None


class Table:
    """All that lies on the table, and the log so far."""

    def __init__(
        self, rng: Random, decks: dict[str, dict[str, int]], cards: dict[str, Card], sectors: list[str]
    ) -> None:
        self.rng = rng
        self.cards = cards
        self.readings: dict[str, str] = {}
        self.log: list[Event] = []
        self.pieces: dict[str, Piece] = {}
        self.zones: dict[str, dict[str, list[str]]] = {player: {zone: [] for zone in ZONES} for player in PLAYERS}
        for player in PLAYERS:
            names = [name for name, count in decks[player].items() for _ in range(count)]
            for number, name in enumerate(names, 1):
                piece = Piece(f"{player}-{number:02}", cards[name], player)
                self.pieces[piece.id] = piece
                self.zones[player]["deck"].append(piece.id)
            rng.shuffle(self.zones[player]["deck"])
        self.rows: dict[tuple[int, str], list[str]] = {(slot, player): [] for slot in SLOTS for player in PLAYERS}
        self.sectors = {slot: cards[name] for slot, name in zip(SLOTS, sectors, strict=True)}
        self.taken: dict[int, str] = {}
        self.fought: set[int] = set()
        self.last_order: dict[str, Event] = {}
        self.atk, self.dfd = PLAYERS
        self.turn = self.battle = self.ba = 0
        self.sector = 0
        self.step = ""
        """setup, battle or victory while a battle goes on."""
        self.damage_steps = 0
        self.attack: Attack | None = None
        self.flag_changes: list[tuple[str, int, str]] = []
        """(player, amount, until)."""
        self.seen: Counter[str] = Counter()

    # ---------------------------------------------------------------- the log

    def write(self, type_: str, **fields: Any) -> Event:
        """Add an event to the log."""
        event: Event = {"seq": len(self.log) + 1, "type": type_}
        event.update({key: value for key, value in fields.items() if value is not None or key == "winner"})
        if self.turn and "turn" not in event:
            event["turn"] = self.turn
        if self.battle:
            event["battle"] = self.battle
        if self.ba and self.step == "battle":
            event["ba"] = self.ba
        self.log.append(event)
        return event

    def chance(self, share: float) -> bool:
        """True in this share of cases."""
        return self.rng.random() < share

    def twist(self, point: str, value: Made, *_: Any) -> Made:
        """What is done at a point where it could be done wrongly; a fair table does what it should."""
        return value

    def option(self, reading: str) -> str:
        """The option of a reading that the game is played under."""
        return self.readings.get(reading, DEFAULTS[reading])

    def goes_by(self, reading: str, option: str) -> bool:
        """Whether the game is played under an option."""
        return self.option(reading) == option

    def name_of(self, card: Card) -> str:
        """The name that tells which cards are copies of one unique card; by a reading the shortest title that leads it."""
        if self.goes_by("OR-UNIQNAME", "group-field"):
            return card.group
        titles = [one.title for one in self.cards.values()]
        return min((one for one in titles if card.title == one or card.title.startswith(f"{one} ")), key=len)

    # ---------------------------------------------------------------- zones

    def zone(self, player: str, name: str) -> list[str]:
        """The instances in a zone of a player."""
        return self.zones[player][name]

    def hand(self, player: str) -> list[str]:
        return self.zones[player]["command_hand"]

    def row(self, player: str, sector: int | None = None) -> list[Piece]:
        """A player's cards at a sector, the current one if none is given."""
        return [self.pieces[name] for name in self.rows[sector or self.sector, player]]

    def fleet(self, player: str) -> list[Piece]:
        return [self.pieces[name] for name in self.zones[player]["fleet"]]

    def in_play(self, player: str) -> list[Piece]:
        """A player's cards that can act in this battle: those at its sector, ships that have arrived."""
        return self.row(player) + self.fleet(player)

    def here(self) -> list[Piece]:
        """All cards at the current sector, the attacker's first."""
        return self.row(self.atk) + self.row(self.dfd)

    def is_here(self, name: str | None) -> bool:
        """Whether a card lies at the current sector."""
        return name is not None and self.pieces[name].zone == "sector" and self.pieces[name].sector == self.sector

    def open_sectors(self) -> list[int]:
        return [slot for slot in SLOTS if slot not in self.taken]

    def move(self, name: str, zone: str, sector: int | None = None, face: str = "up") -> None:
        """Lay a card somewhere else: ready, and without what it had gained."""
        piece = self.pieces[name]
        if piece.zone == "sector":
            assert piece.sector is not None
            self.rows[piece.sector, piece.owner].remove(name)
        else:
            self.zones[piece.owner][piece.zone].remove(name)
        piece.zone, piece.sector, piece.face, piece.position = zone, sector, face, "ready"
        piece.bonuses.clear()
        if zone == "sector":
            assert sector is not None
            self.rows[sector, piece.owner].append(name)
        elif zone == "deck":
            self.zones[piece.owner]["deck"].insert(0, name)
        else:
            self.zones[piece.owner][zone].append(name)

    # ---------------------------------------------------------------- decks

    def shuffle(self, player: str) -> None:
        """The shuffle of the set-up."""
        self.last_order[player] = self.write("setup.shuffle", by=player, order=list(self.zone(player, "deck")))

    def refill(self, player: str) -> bool:
        """Make a new deck of the discard pile if the deck is empty; whether there is a card to take."""
        if self.zone(player, "deck"):
            return True
        how = self.option("OR-DECKOUT")
        if how == "deck-loss":
            raise GameOver(other(player), "deck_loss")
        pile = list(self.zone(player, "discard"))
        if how == "run-dry" or not pile:
            return False
        self.rng.shuffle(pile)
        for name in reversed(pile):
            self.move(name, "deck", face="down")
        self.last_order[player] = self.write("reshuffle", by=player, n=len(pile), order=pile)
        self.seen["reshuffle"] += 1
        return True

    def emptied(self, player: str) -> None:
        """After cards were taken off a deck: where the refill is due at once, it comes now."""
        if not self.zone(player, "deck") and self.option("OR-RESHUFFLETIME") == "on-empty":
            if self.option("OR-DECKOUT") == "reshuffle":
                self.refill(player)

    def take(self, player: str, zone: str) -> str:
        """The top card of a deck that is not empty, moved."""
        name = self.zone(player, "deck")[0]
        self.move(name, zone)
        return name

    def arrange(self, player: str, wanted: Callable[[Piece], bool]) -> bool:
        """Let the next card of a deck be of a kind, whatever the shuffle: the order that was written down says so too."""
        deck = self.zone(player, "deck")
        place = next((n for n, name in enumerate(deck) if wanted(self.pieces[name])), None)
        if place is None:
            return False
        if place:
            if (order := self.last_order[player].get("order")) is not None:
                first, second = order.index(deck[0]), order.index(deck[place])
                order[first], order[second] = order[second], order[first]
            deck[0], deck[place] = deck[place], deck[0]
        return True

    def draw(self, player: str, count: int, to: str, cause: str, source: Event | None = None) -> list[Event]:
        """Draw cards: one event, or two with the refill between; fewer where there are no more."""
        events: list[Event] = []
        while count:
            if not self.refill(player):
                break
            names = [self.take(player, to) for _ in range(min(count, len(self.zone(player, "deck"))))]
            count -= len(names)
            events.append(self.write("draw", by=player, n=len(names), cards=names, to=to, cause=cause, source=source))
            self.emptied(player)
        return events

    def discard_names(self, names: Iterable[str]) -> None:
        for name in names:
            self.move(name, "discard")
