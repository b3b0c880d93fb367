"""The position of a card game, hidden cards included; what does not change is the `table`.

A `Position` is mutable: only `adopt` and `correct` change it. All that it holds is immutable or a flat dict of such, so
that a copy is a copy of dicts. Source: catalogue section 3.

What is known of hidden cards
    An instance is *located* where the log has shown it (`at`). All other cards of a player lie unnamed in the deck or in
    a *pool*: so many unknown cards of one hidden zone. A pool remembers the latest event at which a card of it left
    the deck, and an unlocated instance the event since which it has been unlocated. Only an instance that was
    unlocated by then can be one of the pool. Where several readings of a record are possible this is the widest:
    what none of the cards can be is a fault, and nothing else is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from auditor.core.findings import Fact
from auditor.core.holes import Hole, Holes
from auditor.systems.hcg.packs import Card
from auditor.systems.hcg.position.kept import Kept
from auditor.systems.hcg.position.parts import (
    SLOTS,
    Action,
    Battle,
    Bonus,
    Happening,
    Pending,
    Pool,
    Reveal,
    Rolling,
    Sector,
    Taken,
    Window,
)
from auditor.systems.hcg.position.places import At, Places
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.table import Table
from auditor.systems.hcg.records import Role, ZoneName

MOST_EXPIRED = 50
"""How many bonuses that have ended are kept."""


@dataclass
class Position:
    """What is on the table, and what is known of it.

    phase       setup, first_wave, deployment, battle, end, over
    turn, turn_said   the number of the turn as it is counted, and as the log has it
    marked      the last phase of this turn that a phase.start announced; "" if none did
    roles       player -> attacker or defender, for the whole game; empty while unknown
    reveals     player -> the card shown to find out who chooses a role
    shuffled    players whose deck was shuffled after their reveal
    coin        who won the coin; None: none was flipped
    at          instance -> where it lies; an instance of no entry is unlocated
    owner       instance -> whose deck it came from; card: instance -> its card (section 6), as far as shown
    free_since  instance -> the event since which it has been unlocated; without an entry it always was
    pools       (player, zone, sector or None) -> unknown cards there
    deck_n      player -> cards left in the deck; None where nobody can say
    deck_top    player -> the cards known on top of it, topmost first
    flipped     players who have flipped a first-wave card in this game
    served      player -> sectors that got a first-wave card this turn, in order
    here        player -> sectors where the player had a card when this turn's first wave began
    drawn       player -> cards drawn for deployment this turn; None where nobody can say
    dealt       players whose hand for deployment was due: they had deployed a card
    last        who flipped or deployed last in this step; missed: who was passed over in it and may still catch up
    refilled    player -> the event that took more cards off the deck than it had; play went on as if it was refilled before;
                another dict each time, since copies share it
    said_early  events of which a line spoke that stands before them: rolls, and what may be answered
    had         player -> fought or none, once the player's battle of this turn was begun or declined
    left        cards that lay face up at a sector which was not fought over when a turn ended, until they are turned up
    rallied     players whose ships were rallied in the end phase of this turn
    after_win   what was played after somebody had two sectors: battle, turn
    battle      the battle under way; action: its open battle action
    bonuses     numbers that abilities have changed, in play order; expired: those of battle actions that are over
    passed_over cards that lay on top of a deck when another was taken
    emptied     (player, event) that took the last card off a deck
    settled     the cards of a roll within the window of another whose result stands on it, until the next event
    short       players who have needed a card from an empty deck
    joined      ships that came to a fleet in the set-up under way; spent: ships that were locked when the second battle of
                the turn began
    foretold    a position has stated the turn, and nothing of it is recorded since: its mark may still come
    midway      a position stood within a battle action that is not over: what is open in it nobody can say; `unstated`: of
                what hangs on that, what the position leaves open when it is over, too
    untold      texts played in this battle that could not be read, may last, and of which no effect is recorded
    arrived     cards that were infiltrated, until play goes on
    wounds      card -> the damage of this battle that it survived, blow by blow; another dict each time, since copies share it
    roll        the last roll, under way or settled; below: the rolls within whose windows it was made, outermost first
    pending     the ability that hangs on its test
    plays       the abilities announced in the open battle action (or set-up, or victory step), in order
    happened    what has just happened and may be answered; reacted: (card, ability, trigger, seq) of reactions to it
    windows     open windows, the innermost last
    used        (instance, ability, "ba" | "event" | "roll", number) -> how often it was used there
    kept        what was worked out for the event under judgement (`kept.py`)
    standing    the static texts that were in force when they were looked for last (`values.Standing`)
    totals      which flag total -> what it hung on when it was counted last, and what it was (`victory.flags_of`); another dict
                each time, since copies share it
    unsaid      the flip that sets up a battle which nobody has chosen; the game has gone on as if somebody had
    adopting    an event is being adopted: none is under judgement
    """

    table: Table
    holes: Holes = field(default_factory=Holes)
    started: bool = False
    seq: int = 0
    turn: int = 0
    turn_said: int = 0
    phase: str = "setup"
    marked: str = ""
    foretold: bool = False
    roles: dict[str, Role] = field(default_factory=dict)
    role_by: str | None = None
    planet: str | None = None
    reveals: dict[str, Reveal] = field(default_factory=dict)
    shuffled: frozenset[str] = frozenset()
    coin: str | None = None
    at: Places = field(default_factory=Places)
    owner: dict[str, str] = field(default_factory=dict)
    card: dict[str, str] = field(default_factory=dict)
    free_since: dict[str, int] = field(default_factory=dict)
    pools: dict[tuple[str, ZoneName, int | None], Pool] = field(default_factory=dict)
    deck_n: dict[str, int | None] = field(default_factory=dict)
    deck_top: dict[str, tuple[str, ...]] = field(default_factory=dict)
    sectors: dict[int, Sector] = field(default_factory=dict)
    flipped: frozenset[str] = frozenset()
    served: dict[str, tuple[int, ...]] = field(default_factory=dict)
    here: dict[str, frozenset[int]] = field(default_factory=dict)
    drawn: dict[str, int | None] = field(default_factory=dict)
    dealt: frozenset[str] = frozenset()
    last: str | None = None
    missed: str | None = None
    refilled: Mapping[str, int] = field(default_factory=dict)
    said_early: frozenset[int] = frozenset()
    had: dict[str, str] = field(default_factory=dict)
    left: frozenset[str] = frozenset()
    rallied: frozenset[str] = frozenset()
    after_win: frozenset[str] = frozenset()
    battle: Battle | None = None
    action: Action | None = None
    bonuses: tuple[Bonus, ...] = ()
    expired: tuple[Bonus, ...] = ()
    passed_over: frozenset[str] = frozenset()
    emptied: tuple[str, int] | None = None
    settled: tuple[str, ...] = ()
    short: frozenset[str] = frozenset()
    joined: tuple[str, ...] = ()
    spent: frozenset[str] = frozenset()
    midway: bool = False
    unstated: frozenset[Fact] = frozenset()
    untold: tuple[tuple[str, str], ...] = ()
    arrived: tuple[str, ...] = ()
    wounds: dict[str, tuple[int, ...]] = field(default_factory=dict)
    roll: Rolling | None = None
    below: tuple[Rolling, ...] = ()
    pending: Pending | None = None
    plays: tuple[Play, ...] = ()
    happened: tuple[Happening, ...] = ()
    reacted: tuple[tuple[str, int | str | None, int | None, int], ...] = ()
    windows: tuple[Window, ...] = ()
    used: dict[tuple[str, int | str, str, int], int] = field(default_factory=dict)
    kept: Kept | None = field(default=None, compare=False)
    standing: Any = field(default=None, compare=False, repr=False)
    totals: dict[Any, tuple[Any, Any]] = field(default_factory=dict, compare=False, repr=False)
    unsaid: int | None = None
    adopting: bool = False

    def copy(self) -> Position:
        twin = Position.__new__(Position)
        own = twin.__dict__
        own.update(self.__dict__)
        for name in _COPIED:
            own[name] = own[name].copy()
        twin.kept = None
        return twin

    def as_announced(self, play: Play) -> Position:
        """The table from which an X of a play is counted."""
        return self if play.table is None else play.table.position

    # -- who ------------------------------------------------------------------------------------------------------

    def player_as(self, role: Role) -> str | None:
        """The player who has a role; None while roles are unknown."""
        return next((player for player, has in self.roles.items() if has == role), None)

    def other(self, player: str) -> str:
        return self.table.other[player]

    # -- cards ----------------------------------------------------------------------------------------------------

    def card_of(self, instance: str | None) -> Card | None:
        """The card of an instance; None where it is not known or no set has it."""
        card = self.card.get(instance)  # type: ignore[arg-type]
        if card is None:
            if instance is None or not self.table.shows:
                return None
            card = self.table.shown_next(self.seq).get(instance)
        return self.table.printed.get(card)  # type: ignore[arg-type]

    @property
    def going(self) -> Action | None:
        """The open battle action, as the event under judgement finds it: none where that opens another."""
        over = self.action is not None and not self.adopting and self.table.opens_next(self.seq, self.action)
        return None if over else self.action

    @property
    def flag_changes(self) -> tuple[Bonus, ...]:
        """What abilities have changed of the flag totals themselves."""
        return tuple(bonus for bonus in self.__dict__["bonuses"] if bonus.target in self.table.other)

    @property
    def told_battle(self) -> Battle | None:
        """The battle under way as the record has told it, for what is asked of the record and not of the table: whether it
        has a line already."""
        found: Battle | None = self.__dict__["battle"]
        return found

    @property
    def alive(self) -> tuple[Bonus, ...]:
        """The bonuses that have not ended, as the event under judgement finds them."""
        if self.action is None or not self.bonuses or self.going is not None:
            return self.bonuses
        return tuple(bonus for bonus in self.bonuses if bonus.until != "ba")

    def lives_at(self, instance: str | None, slot: int | None) -> bool:
        """Whether a card lies at a sector and was not destroyed in the damage step under way."""
        at = self.at.get(instance) if instance is not None else None
        if at is None or at.zone != "sector" or at.sector != slot:
            return False
        return self.action is None or instance not in self.action.doomed

    def lives_in_play(self, instance: str) -> bool:
        """Whether a card lies at a sector or in a fleet, and was not destroyed in the damage step under way."""
        at = self.at.get(instance)
        if at is None or at.zone not in ("sector", "fleet"):
            return False
        return self.action is None or instance not in self.action.doomed

    def named(self, instance: str | None) -> str:
        """An instance in words: "Salt Riders (p1-07)", or the instance alone."""
        if instance is None:
            return "a card"
        card = self.card_of(instance)
        return f"{card.title} ({instance})" if card is not None else instance

    def pool(self, player: str, zone: ZoneName, sector: int | None = None) -> Pool:
        return self.pools.get((player, zone, sector), NO_POOL)

    def located(self, player: str, zone: ZoneName, sector: int | None = None) -> list[str]:
        """The known instances of a player in a zone."""
        return [instance for _, instance, _ in self.at.of(player, zone, sector)]

    def count(self, player: str, zone: ZoneName, sector: int | None = None) -> int:
        """How many cards of a player lie in a zone that is not the deck, known or not."""
        return len(self.at.of(player, zone, sector)) + self.pool(player, zone, sector).n

    def may_be(self, instance: str, player: str, zone: ZoneName, sector: int | None = None) -> bool:
        """Whether an instance can be one of the unknown cards of a place."""
        pool = self.pool(player, zone, sector)
        return pool.n > 0 and self._is_free(instance, player) and self.free_since.get(instance, 0) <= pool.since

    def may_be_drawn(self, instance: str, player: str) -> bool:
        """Whether an instance can come off a player's deck, however many cards that has."""
        at = self.at.get(instance)
        if at is not None:
            return at.zone == "deck" and at.player == player
        return self._is_free(instance, player)

    def _is_free(self, instance: str, player: str) -> bool:
        """Whether an instance is of a player's deck, as far as is known, and nobody has seen where it lies."""
        listed = self.table.listed.get(player)
        if instance in self.at or (listed is not None and instance not in listed):
            return False
        return self.owner.get(instance, player) == player

    def unseen(self, player: str) -> dict[str, int] | None:
        """How many of each card of a player's deck no instance has been shown to be; None without a deck list."""
        deck = self.table.decks.get(player)
        if deck is None:
            return None
        left = dict(deck)
        for instance, card in self.card.items():
            if self.owner.get(instance) == player and card in left:
                left[card] -= 1
        return left

    def copies(self, player: str, card: str) -> list[str]:
        """The distinct instances of a player's deck that were shown to be one card."""
        return sorted(
            instance for instance, shown in self.card.items() if shown == card and self.owner.get(instance) == player
        )

    # -- sectors --------------------------------------------------------------------------------------------------

    def open_slots(self) -> tuple[int, ...]:
        return tuple(slot for slot, sector in self.sectors.items() if sector.state != "taken")

    def has_cards_at(self, player: str, slot: int) -> bool:
        return self.count(player, "sector", slot) > 0

    # -- windows --------------------------------------------------------------------------------------------------

    @property
    def window(self) -> Window | None:
        """The innermost open window."""
        return self.windows[-1] if self.windows else None

    # -- changes; for adopt and correct only ----------------------------------------------------------------------

    def show(self, instance: str, player: str | None, card: str | None) -> None:
        """An instance is shown: whose deck it is of and what card it is, where that was not known before. What it cannot be,
        since all copies were seen, it is not: then nobody knows what it is (HCG-DOC-01)."""
        if player is not None:
            self.owner.setdefault(instance, player)
        if card is not None and instance not in self.card:
            owner = self.owner.get(instance)
            if owner is None or len(self.copies(owner, card)) != self.table.decks.get(owner, {}).get(card):
                self.card[instance] = card

    def take(self, player: str, zone: ZoneName, instance: str | None, sector: int | None = None) -> Taken:
        """A card leaves a place for another. A named one that lies elsewhere leaves that place instead; an unnamed one
        off a deck whose top is known is that card, and of a place with known cards nobody knows which it was."""
        if instance is None and zone != "deck":
            self._mix(player, zone, sector)
        elif instance is not None:
            self.holes.state((("at", instance),))
            if instance in self.left:
                self.left -= {instance}
        there = self.at.pop(instance, None) if instance is not None else None
        if there is not None and there.zone != "deck":
            return Taken(instance, self.seq)
        if there is not None or zone == "deck":
            off = self._off_the_deck(there.player if there is not None else player, instance)
            if instance in self.passed_over:
                self.passed_over -= {instance}
            return Taken(off, self.seq)
        pool = self.pool(player, zone, sector)
        if pool.n > 0:
            self.lose(player, zone, sector)
            return Taken(instance, pool.since)
        return Taken(instance, self.seq)

    def end_bonuses(self, *until: str) -> None:
        """Bonuses end that last until then; without `until` all."""
        ended = tuple(bonus for bonus in self.bonuses if not until or bonus.until in until)
        self.bonuses = tuple(bonus for bonus in self.bonuses if bonus not in ended)
        self.expire(ended)

    def expire(self, ended: Iterable[Bonus]) -> None:
        """The last bonuses that ended are kept to tell a wrong number by."""
        self.expired = (*self.expired, *ended)[-MOST_EXPIRED:]

    def lose(self, player: str, zone: ZoneName, sector: int | None = None) -> None:
        """One unknown card fewer in a place."""
        pool = self.pool(player, zone, sector)
        self._set_pool((player, zone, sector), pool._replace(n=max(0, pool.n - 1)))

    def _mix(self, player: str, zone: ZoneName, sector: int | None) -> None:
        """Of the known cards of a place nobody can say any more which lie there."""
        known = self.located(player, zone, sector)
        if not known:
            return
        for instance in known:
            del self.at[instance]
            self.free_since[instance] = self.seq
        self._set_pool((player, zone, sector), Pool(self.pool(player, zone, sector).n + len(known), self.seq))

    def put(self, taken: Taken, at: At) -> None:
        """A card comes to a place; an unknown one joins the pool there."""
        if taken.instance is not None:
            self.at[taken.instance] = at
            self.free_since.pop(taken.instance, None)
        else:
            key = (at.player, at.zone, at.sector)
            pool = self.pools.get(key, NO_POOL)
            # Nobody can say which card of a pool came when: the latest stands for all (the widest reading).
            came = (*pool.came, self.seq) if at.zone == "sector" and self.seq not in pool.came else pool.came
            self._set_pool(key, Pool(pool.n + 1, max(pool.since, taken.since), came))

    def shuffle_in(self, player: str, instances: Iterable[str], order: tuple[str, ...] | None) -> None:
        """Instances are shuffled into a player's deck; `order` top first where it is recorded."""
        for instance in instances:
            self.at.pop(instance, None)
            self.free_since[instance] = self.seq
        self.forget_order(player)
        if order is not None:
            self.order_deck(player, order)

    def forget_order(self, player: str) -> None:
        """Nobody knows any more how a player's deck lies."""
        for instance in self.deck_top.get(player, ()):
            if instance in self.at and self.at[instance].zone == "deck":
                del self.at[instance]
        self.deck_top[player] = ()

    def order_deck(self, player: str, order: tuple[str, ...]) -> None:
        """The cards known on top of a deck, topmost first."""
        self.deck_top[player] = order
        at = At("deck", player, face="down")
        for instance in order:
            self.at[instance] = at
            self.owner.setdefault(instance, player)

    def contradict_top(self, player: str, instance: str) -> None:
        """Another card than the one known is said to lie on top: either may."""
        top = self.deck_top.get(player, ())
        if not top or top[0] == instance or self.owner.get(instance) != player:
            return
        self.deck_top[player] = tuple(one for one in top[1:] if one != instance)
        why = f"whether {top[0]} or {instance} lay on top of {player}'s deck at event {self.seq} is not known"
        self.holes.open(Hole(self.seq, why, frozenset({("at", top[0]), ("at", instance)})))
        for one in (top[0], instance):
            if one in self.at and self.at[one].zone == "deck":
                del self.at[one]
            self.passed_over |= {one}

    def _off_the_deck(self, player: str, instance: str | None) -> str | None:
        """One card fewer; gives back which one, where that can be told. A card that was not due takes the place of the one
        that was: which of the two lies where is in doubt from then on."""
        top = self.deck_top.get(player, ())
        if top and instance is None:
            instance = top[0]
            self.at.pop(instance, None)
        if top and instance != top[0] and instance not in self.passed_over:
            due, top = top[0], top[1:]
            if due in self.at and self.at[due].zone == "deck":
                del self.at[due]
                self.passed_over |= {due}
            why = f"whether {due} or {instance} came off {player}'s deck at event {self.seq} is not known"
            doubtful: set[Fact] = {("at", due), ("at", str(instance))}
            if instance in top:  # A line may be missing that took what lay above it: the deck has fewer cards then.
                doubtful.add(("deck", player))
            self.holes.open(Hole(self.seq, why, frozenset(doubtful)))
        if top:
            left = top[1:]
            if instance != top[0] or instance in left:
                left = tuple(one for one in top if one != instance)
            self.deck_top[player] = left
        n = self.deck_n.get(player)
        if n:
            self.deck_n[player] = n - 1
            if n == 1:
                self.emptied = (player, self.seq)
        return instance

    def _set_pool(self, key: tuple[str, ZoneName, int | None], pool: Pool) -> None:
        if pool.n:
            self.pools[key] = pool
        else:
            self.pools.pop(key, None)


NO_POOL = Pool(0, 0)
_COPIED = (
    "roles", "reveals", "at", "owner", "card", "free_since", "pools", "deck_n", "deck_top", "sectors", "served", "here",
    "drawn", "had", "used", "holes",
)  # fmt: skip


def opening(table: Table) -> Position:
    """The position before the first event: every card in its deck, nobody knows in which order."""
    position = Position(table)
    for player in table.players:
        position.deck_n[player] = table.sizes.get(player)
        position.deck_top[player] = ()
        position.served[player] = ()
        position.here[player] = frozenset()
        position.drawn[player] = 0
    position.card.update(table.card_of)
    position.owner.update(table.owner_of)
    for slot in SLOTS:
        position.sectors[slot] = Sector(table.sectors.get(slot))
    return position


def on_board(position: Position) -> Iterator[tuple[str, At]]:
    """The known instances in play: at a sector or in a fleet."""
    return position.at.in_play()
