"""What a position is made of: sectors, windows, bonuses, rolls, the battle under way and its battle action."""

from __future__ import annotations

from typing import Literal, NamedTuple

from auditor.systems.hcg.position.places import At
from auditor.systems.hcg.records import (
    BattleChoose,
    BattleNone,
    DeployRegular,
    Draw,
    PhaseStart,
    TurnEnd,
    TurnStart,
    ZoneName,
)

SLOTS = (1, 2, 3)
HAND = 6
"""Cards drawn for a deployment hand and for a command hand."""
AFTER_FIRST_WAVE = (Draw, DeployRegular, PhaseStart, BattleChoose, BattleNone, TurnEnd, TurnStart)
"""Events with which a first wave may be over."""
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
    early     the battle action of which a tactic or a pass stands before it
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
    early: int = 0
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
