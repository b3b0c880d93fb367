"""The table of a card game (what does not change) and the position on it (what does), hidden cards included.

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

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from auditor.core.findings import Fact
from auditor.core.holes import Hole, Holes
from auditor.core.lazily import cached_property
from auditor.systems.hcg.packs import Card, Setup
from auditor.systems.hcg.position.kept import Kept
from auditor.systems.hcg.position.lookahead import Later
from auditor.systems.hcg.position.lookahead_kinds import Kinds
from auditor.systems.hcg.position.places import At as At
from auditor.systems.hcg.position.places import Places
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.records import (
    OF_A_PLAYER,
    BaEnd,
    BattleAction,
    BattleChoose,
    BattleNone,
    Cost,
    DeployFirst,
    DeployRegular,
    Draw,
    End,
    Event,
    EventResolved,
    GameEnd,
    Mill,
    Modifier,
    PhaseStart,
    Remark,
    Role,
    Roll,
    SetupAbility,
    SetupFlip,
    SetupShips,
    SetupUnique,
    Tactic,
    TacticPass,
    TurnEnd,
    TurnStart,
    Undo,
    VictoryReveal,
    ZoneName,
)

SLOTS = (1, 2, 3)
HAND = 6
"""Cards drawn for a deployment hand and for a command hand."""
AFTER_FIRST_WAVE = (Draw, DeployRegular, PhaseStart, BattleChoose, BattleNone, TurnEnd, TurnStart)
"""Events with which a first wave may be over."""
APART = (BattleAction, BaEnd, BattleChoose, SetupFlip, SetupUnique, SetupAbility, SetupShips)
"""Events that begin or end a battle action, or are of a set-up: what is played within one comes after them."""
PHASES = ("first_wave", "deployment", "battle", "end")
HIDDEN: tuple[ZoneName, ...] = ("deploy_hand", "command_hand", "set_aside")


class Pool(NamedTuple):
    """So many unknown cards in one place.

    since  the latest event at which one of them left the deck
    came   the events by which they came to a sector
    """

    n: int
    since: int
    came: tuple[int, ...] = ()


class Taken(NamedTuple):
    """A card on its way: which one, where that is known, and the latest event at which it can have left the deck."""

    instance: str | None
    since: int


class Sector(NamedTuple):
    """A sector of the board. `card` as the header names it; `by` who took it, `when` in which turn; `fought` this turn."""

    card: str | None
    state: str = "open"
    by: str | None = None
    fought: bool = False
    when: int | None = None


class Reveal(NamedTuple):
    """A card shown to find out who chooses a role; `die` as the log has it, else as the card prints it."""

    card: str | None
    die: int | None
    seq: int


class Window(NamedTuple):
    """An open window (catalogue 3.5). `next` has the say; `passes` in a row; `entries` are the numbers of events in it.

    kind     block, tactics, reaction, modifier
    trigger  the event that a reaction answers, or the roll that a modifier changes
    out      who has passed in it
    astray   somebody acted in it who had not the say: a line is missing, or two changed places, and nobody knows whose turn
             it is
    """

    kind: str
    opener: str
    next: str
    ba: int | None = None
    trigger: int | None = None
    passes: int = 0
    entries: tuple[int, ...] = ()
    out: frozenset[str] = frozenset()
    astray: bool = False

    def entered(self, seq: int, by: str, other: str, *, passed: bool) -> Window:
        """The same after somebody has played something in it, or passed: the other player has the say."""
        # In windows other than that of tactics, who has passed may be out of it for good (OR-REACTPASS).
        alone = self.kind != "tactics" and other in self.out
        return self._replace(
            next=other,
            passes=self.passes + 1 if passed else 0,
            entries=(*self.entries, seq),
            out=self.out | {by} if passed else self.out,
            astray=self.astray or (by != self.next and not alone),
        )


class Bonus(NamedTuple):
    """A number that an ability changed: of a card, or the flag total of a player. `step`: damage steps of its battle
    action that were over when it began.

    verified is false where the log alone says so: no text that could be read gives it.
    """

    target: str
    stat: str
    amount: int
    until: str
    source: str | None
    seq: int
    step: int = 0
    verified: bool = True
    what: str | None = None


SETUP = "setup"
"""How long a number lasts that a set-up instruction gave and that names no time (OR-BONUSSETUP)."""


class Awaits(NamedTuple):
    """A modifier that hangs on a roll of its own. source: its card and ability; `change`: what it does to the number once
    its test is passed; `d6`: 1 where it adds a d6, -1 where it takes one away."""

    source: tuple[str, int | str | None]
    change: tuple[str, int] | None = None
    d6: int = 0


class Rolling(NamedTuple):
    """A roll. `die` as the table went on with it; `changes` by modifiers in play order: ("add", n) or ("set", n).

    need    of a test, as printed or claimed; None where it is no test or nobody can say
    final   as the log has it, once the roll is settled
    passed  whether that passes the test, as the log has it; None where nobody can say
    unsure  a modifier whose effect nobody can tell was played on it
    source  the card whose ability asks for it, and which ability
    used    (card, ability) of the modifiers in play that were used on it
    awaits  the modifier on it that is still to be rolled for
    nested  whether something that was played on it was rolled for
    before  the cards rolled in its place before a reroll
    play    the event that announced the ability which it is made for
    """

    seq: int
    by: str
    card: str | None
    die: int | None
    purpose: str | None = None
    need: int | None = None
    changes: tuple[tuple[str, int], ...] = ()
    unsure: bool = False
    final: int | None = None
    passed: bool | None = None
    settled: bool = False
    source: tuple[str, int | str | None] | None = None
    used: tuple[tuple[str, int | str | None], ...] = ()
    awaits: Awaits | None = None
    nested: bool = False
    before: tuple[str, ...] = ()
    play: int | None = None


class Pending(NamedTuple):
    """An ability that was announced and whose test is still to be passed. `window`: as it was before the tactic;
    `whole`: it is the battle action itself; `outer`: the one within whose roll it was announced, or the battle action in
    whose window it was, where that is still to be rolled for."""

    seq: int
    by: str
    source: str
    ability: int | str | None
    choices: tuple[str, ...]
    window: Window | None = None
    from_hand: bool = False
    whole: bool = False
    outer: Pending | None = None


class Happening(NamedTuple):
    """What an event has brought about and a reaction may answer.

    what    as `Trigger.what`: destroyed, locked, attacked, blocks, charges, shoots, assaults, infiltrated, draws,
            discards, plays
    by      who started it; card, at: the card that it befell, and where that lay before; player: who drew, discarded,
            played
    sure    whether it is known to have happened
    """

    seq: int
    what: str
    by: str | None
    card: str | None = None
    at: At | None = None
    player: str | None = None
    sure: bool = True


class EventDue(NamedTuple):
    """An E ability that may have to be resolved in a victory step. place: hand, here (at the sector of the battle),
    fleet, elsewhere (at another sector), withdrawn (destroyed by the withdrawal that ended the battle)."""

    by: str
    card: str
    ability: int | str
    place: str
    kind: str


class Victory(NamedTuple):
    """How far the victory step of a battle has come.

    due       the events that cards in play supplied when the battle ended
    revealed  players who have shown their hands; `discarded`: players who have discarded them
    shown     the cards in the hands when they were shown
    resolved  (card, ability): events that were carried out; rounds: the roles of those who carried out one
    counted   the stages of the flag totals that were recorded
    looked    (role, player): rounds of events that were over when the hand of the player had been shown; "" for the player:
              those of cards in play
    over      whether the round of events is over
    compared  whether the flags were compared, or the sector was taken or reset
    told      whether the log has said who takes the sector, and `winner` who does
    closed    whether the sector was taken or reset
    partial   whether a position stated it when it had begun, so that nobody knows what had been done
    """

    due: tuple[EventDue, ...] = ()
    revealed: tuple[str, ...] = ()
    shown: frozenset[str] = frozenset()
    discarded: tuple[str, ...] = ()
    resolved: tuple[tuple[str, int | str | None], ...] = ()
    rounds: tuple[str, ...] = ()
    counted: tuple[str | None, ...] = ()
    looked: frozenset[tuple[str, str]] = frozenset()
    over: bool = False
    compared: bool = False
    told: bool = False
    winner: str | None = None
    closed: bool = False
    partial: bool = False


class Battle(NamedTuple):
    """The battle that is being fought. n: 1 for the attacker's, 2 for the defender's. `next` has the next battle
    action; `passes` in a row; `ba`: the last battle action that was closed, `said` as the log numbers it, `ended`: whether its
    end is recorded.

    stage     of the set-up, the last substep that was recorded, as HCG-BSET-01 counts them; 0 before the first
    behind    whether the substep recorded last came too late
    drawn     (player, cards drawn for the command hand), one entry a draw
    returned  players to whom a unique card went back, one entry a card
    both      the cards that went back because both players had a copy
    carried   (card, ability or None): set-up instructions carried out
    skipped   whether the battle step was skipped
    unread    texts played in it that could not be read and speak of flags
    victory   its victory step, once that has begun
    chosen    whether the line of its choice is recorded, comes late in its set-up, or is not there; void: neither player
              had a card at the sector, so that it cannot have been fought there
    """

    n: int
    sector: int
    chooser: str | None
    step: str = "setup"
    next: str | None = None
    passes: int = 0
    ba: int = 0
    stage: int = 0
    behind: bool = False
    drawn: tuple[tuple[str, int], ...] = ()
    returned: tuple[str, ...] = ()
    both: tuple[str, ...] = ()
    carried: tuple[tuple[str, int | str | None], ...] = ()
    skipped: bool = False
    unread: tuple[str, ...] = ()
    victory: Victory | None = None
    said: int = 0
    ended: bool = True
    chosen: Literal["recorded", "unsaid", "void"] = "recorded"

    @property
    def withdrawn(self) -> bool:
        """Whether it is over before its end is recorded, as a withdrawal leaves it."""
        return self.step == "victory"

    def drew(self, player: str) -> int:
        """How many cards a player has drawn for the command hand."""
        return sum(n for one, n in self.drawn if one == player)


class Action(NamedTuple):
    """The open battle action.

    n, said   its number as it is counted, and as the log has it
    kind      shoot, charge, assault, card, ability, withdraw, pass
    target    as first chosen; `defending`: the card that fights, after a block the blocker; both anew in a sweep
    tactics   how many tactics were played since the attack was declared
    step      damage steps that have begun
    dealt     who dealt damage in the step under way
    amount    what the attacking unit dealt in it, as the table went on with it
    doomed    cards destroyed in the step under way: damage is simultaneous, so they leave when the step is over
    fell      cards destroyed in the steps that are over
    over      that by the rules, where the log has another
    leftover  damage less armor where the last assault destroyed a unit; None where it did not
    unsure    whether the damage or the armor of the last step is not known
    fought    the names of the static and versus bonuses that acted on the first damage of an assault
    sweep     a sweeping advance was made
    rewarded  the effect of a special assault was used
    source    the card whose line or ability is played, where that is the battle action
    ended     the attacking or defending card that left play in the tactics window, which ends the attack
    suffered  damage that the attacking unit has survived in it
    spent     the unit of a special assault was locked for it
    overran   its tactics window was left open, or went on when it was over: passes that come after that are no more than that
    """

    n: int
    kind: str
    by: str
    unit: str | None = None
    mode: str | None = None
    target: str | None = None
    defending: str | None = None
    blocker: str | None = None
    tactics: int = 0
    step: int = 0
    dealt: tuple[str, ...] = ()
    amount: int | None = None
    doomed: tuple[str, ...] = ()
    fell: tuple[str, ...] = ()
    leftover: int | None = None
    over: int | None = None
    unsure: bool = False
    fought: tuple[str, ...] = ()
    sweep: bool = False
    rewarded: bool = False
    source: str | None = None
    ended: str | None = None
    suffered: int = 0
    said: int = 0
    spent: bool = False
    overran: bool = False


class Table:
    """What does not change during a game: the players, their decks as far as they are given, the cards.

    `decks` maps a player to how many of each card; `sizes` to how many cards; both only where the header says so. `known`:
    all instances, where those of both players are listed.
    """

    def __init__(self, setup: Setup, header: Mapping[str, Any], events: Sequence[Any] = ()) -> None:
        self.setup = setup
        self.header = header
        self._lines = events
        self.cards = setup.cards
        self.printed = setup.cards.cards
        first, second = setup.players
        self.players = (first.id, second.id)
        self.other = {first.id: second.id, second.id: first.id}
        self.sides = {player.id: player.side for player in setup.players}
        self.decks: dict[str, Mapping[str, int]] = {}
        self.sizes: dict[str, int] = {}
        self.card_of: dict[str, str] = {}
        self.owner_of: dict[str, str] = {}
        self.listed: dict[str, frozenset[str]] = {}
        for player in setup.players:
            if player.instances is not None:
                self.card_of.update(player.instances)
                self.owner_of.update(dict.fromkeys(player.instances, player.id))
                self.listed[player.id] = frozenset(player.instances)
                self.decks[player.id] = _counted(player.instances.values())
                self.sizes[player.id] = len(player.instances)
            if player.deck is not None:
                self.decks[player.id] = player.deck
                self.sizes[player.id] = sum(player.deck.values())
        everybody = len(self.listed) == len(self.players)
        self.known = frozenset[str]().union(*self.listed.values()) if everybody else None
        self.sectors = {slot: card for slot, card in setup.sectors if slot in SLOTS}

    # -- what the lines of the record tell as a whole, each worked out when it is asked for first ----------------------

    @cached_property
    def _kinds(self) -> Kinds:
        return Kinds(self._lines)

    @cached_property
    def _flips(self) -> list[int]:
        return sorted(event.seq for event in self._kinds.of(DeployFirst))

    @cached_property
    def _turns(self) -> list[int]:
        return sorted(event.seq for event in self._kinds.of(TurnStart))

    @cached_property
    def _choices(self) -> list[tuple[int, str]]:
        return sorted((event.seq, event.by or "") for event in self._kinds.of(BattleChoose))

    @cached_property
    def _instructions(self) -> dict[str, list[int]]:
        return _by_name(
            (event.source.card or "", event.seq) for event in self._kinds.of(SetupAbility) if event.source is not None
        )

    @cached_property
    def _turned_up(self) -> dict[str, list[int]]:
        return _by_name(
            (name, event.seq)
            for event in self._kinds.of(SetupFlip)
            for name in {"", *(one.card or "" for one in event.cards or ())}
        )

    @cached_property
    def _events(self) -> dict[str, list[int]]:
        return _by_name(
            (event.source.card or "", event.seq) for event in self._kinds.of(EventResolved) if event.source is not None
        )

    @cached_property
    def _reveals(self) -> dict[str, list[int]]:
        return _by_name((event.by or "", event.seq) for event in self._kinds.of(VictoryReveal))

    @cached_property
    def _took(self) -> dict[str, list[int]]:
        mills = (event for event in self._kinds.of(Cost) if event.op == "mill")
        took = (*self._kinds.of(Draw, Roll, Mill, DeployFirst), *mills)
        return _by_name((event.by or "", event.seq) for event in took)

    @cached_property
    def _tactics(self) -> list[int]:
        return sorted(event.seq for event in self._kinds.of(Tactic, TacticPass))

    @cached_property
    def rolls(self) -> frozenset[int]:
        """The numbers of the events that are rolls."""
        return frozenset(event.seq for event in self._kinds.of(Roll))

    @cached_property
    def rerolled(self) -> dict[int, int]:
        """That of a roll which a modifier names as the reroll of another -> that other."""
        named = ((event.reroll, event.roll) for event in self._kinds.of(Modifier))
        return {new: old for new, old in named if new is not None and old is not None}

    @cached_property
    def later(self) -> Later:
        return Later(self._lines, self._kinds)

    @cached_property
    def _played(self) -> list[Any]:
        return sorted((event for event in self._lines if not isinstance(event, Remark)), key=_SEQ)

    @cached_property
    def _seqs(self) -> list[int]:
        return list(map(_SEQ, self._played))

    @cached_property
    def _ends(self) -> bool:
        return bool(self._kinds.of(GameEnd, End))

    @cached_property
    def _takes_back(self) -> bool:
        return bool(self._kinds.of(Undo))

    @cached_property
    def _shown(self) -> dict[int, Mapping[str, str]]:
        return {event.seq: event.ids for event in self._lines if isinstance(event, Event) and event.ids}

    @cached_property
    def shows(self) -> bool:
        """Whether lines tell of instances which cards they are."""
        return bool(self._shown)

    @cached_property
    def _actions(self) -> dict[int, int | None]:
        return {event.seq: event.ba for event in self._kinds.of(BattleAction)}

    @cached_property
    def _opens(self) -> list[int]:
        return sorted(self._actions)

    @cached_property
    def strangers(self) -> dict[int, str]:
        """The events in which somebody acts who is no player of this game -> who."""
        return {
            event.seq: event.by
            for event in self._lines
            if type(event) in OF_A_PLAYER and event.by is not None and event.by not in self.players
        }

    def is_no_card(self, instance: str | None) -> bool:
        """Whether an instance is in neither list of instances: whatever a line says of it, it names no card (HCG-DOC-05)."""
        return self.known is not None and instance is not None and instance not in self.known

    def shown_next(self, seq: int) -> Mapping[str, str]:
        """The cards of instances that the event after an event shows (`ids`): known as that event is judged."""
        at = bisect_right(self._seqs, seq)
        return self._shown.get(self._seqs[at], {}) if at < len(self._seqs) else {}

    def breaks_off_before(self, seq: int) -> bool:
        """Whether the record simply stops before an event of this number."""
        return not self._ends and self._seqs[-1] < seq

    def opens_next(self, seq: int, action: Action) -> bool:
        """Whether the event after an event opens another battle action; one of the same number is part of the open one."""
        at = bisect_right(self._seqs, seq)
        if at == len(self._seqs) or self._seqs[at] not in self._actions:
            return False
        return self._actions[self._seqs[at]] not in (action.n, action.said)

    def next_to(self, seq: int) -> Any:
        """The event after an event; None after the last."""
        at = bisect_right(self._seqs, seq)
        return self._played[at] if at < len(self._played) else None

    def sets_up_next(self, seq: int) -> SetupFlip | None:
        """The flip of a set-up that comes after an event; None of a record in which play was taken back."""
        event = self.next_to(seq) if not self._takes_back else None
        return event if isinstance(event, SetupFlip) else None

    def doubt_strangers(self, seq: int, holes: Holes) -> None:
        """Whoever acts in the event after an event and is no player: who it was, nobody knows."""
        if self.strangers and (event := self.next_to(seq)) is not None and event.seq in self.strangers:
            why = f"event {event.seq} is of {self.strangers[event.seq]}, who is no player of this game"
            holes.open(Hole(event.seq, why))

    def opened_before(self, seq: int) -> int:
        """The event before one that opens a battle action last; 0 where none does."""
        at = bisect_left(self._opens, seq)
        return self._opens[at - 1] if at else 0

    def took_before(self, seq: int, player: str) -> int:
        """The event before one with which a player took cards off the deck last; 0 where there is none."""
        took = self._took.get(player, [])
        at = bisect_left(took, seq)
        return took[at - 1] if at else 0

    def first_tactic(self, seq: int) -> int:
        """The first tactic, or pass, of the battle action that an event is of, before that event; else that event."""
        first = bisect_left(self._tactics, self.opened_before(seq))
        return min(self._tactics[first], seq) if first < len(self._tactics) else seq

    def begun_with(self, seq: int) -> int:
        """The first of the events before one, or that one, that stand in no battle action or within the same."""
        at = bisect_left(self._seqs, seq)
        while at and not _is_apart(self._played[at - 1]):
            at -= 1
        return self._seqs[at] if at < len(self._seqs) else seq

    def later_flip(self, seq: int) -> bool:
        """Whether the record goes on with a first-wave flip in the same turn after an event.

        What is recorded late is one fault, at the act that came too early, and not missed before.
        """
        at = bisect_right(self._flips, seq)
        if at == len(self._flips):
            return False
        turn = bisect_right(self._turns, seq)
        return turn == len(self._turns) or self._flips[at] < self._turns[turn]

    def later_choice(self, seq: int, player: str) -> bool:
        """Whether the record has a player choose a sector later in the same turn."""
        turn = bisect_right(self._turns, seq)
        end = self._turns[turn] if turn < len(self._turns) else None
        later = self._choices[bisect_right(self._choices, (seq, "\uffff")) :]
        return any(by == player for number, by in later if end is None or number < end)

    def later_instruction(self, seq: int, card: str) -> bool:
        """Whether the record has a card carry out its set-up instruction later, before the next battle."""
        return self._later(self._instructions, seq, card)

    def turned_up_later(self, seq: int, card: str = "") -> bool:
        """Whether the record turns up a card, or any at all, later and before the next battle."""
        return self._later(self._turned_up, seq, card)

    def later_event(self, seq: int, card: str) -> bool:
        """Whether the record has an event of a card carried out later, before the next battle."""
        return self._later(self._events, seq, card)

    def later_reveal(self, seq: int, player: str) -> bool:
        """Whether the record has a player show the command hand later, before the next battle."""
        return self._later(self._reveals, seq, player)

    def _later(self, found: Mapping[str, list[int]], seq: int, what: str) -> bool:
        numbers = found.get(what)
        if numbers is None or numbers[-1] <= seq:
            return False
        after = bisect_right(self._choices, (seq, "\uffff"))
        first = numbers[bisect_right(numbers, seq)]
        return after == len(self._choices) or first < self._choices[after][0]


_SEQ = attrgetter("seq")


def _is_apart(event: Any) -> bool:
    return isinstance(event, APART) or (isinstance(event, Draw) and event.cause != "effect")


def _by_name(found: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    """Name -> its numbers, in order."""
    names: dict[str, list[int]] = {}
    for name, number in sorted(found):
        names.setdefault(name, []).append(number)
    return names


def _counted(names: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in names:
        found[name] = found.get(name, 0) + 1
    return found


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
    said_early  rolls of which a line spoke that stands before them
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
