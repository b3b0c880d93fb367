"""The events of a log of the card game, as they are written: one struct an event type.

Source: catalogue section 5 and design 5.1. Field names are those of the log; the one exception is `from_`, since `from`
is a Python word. Every field but `seq` may be absent and is then None: whether an absence matters is the auditor's
business. Unknown fields are passed over.

Card references are instances; `ids` on any event tells their cards (section 6). `by` is the player who acts.
Structs are plain for speed, and read-only to everyone. Whole numbers lie within +-(2**53 - 1).
"""

from __future__ import annotations

from operator import attrgetter
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

LARGEST = 2**53 - 1
LONGEST_ID = 64
LONGEST_TEXT = 2_000
MOST_CARDS = 1_000
"""Cards that one event may list."""

Int: TypeAlias = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
Id: TypeAlias = Annotated[str, Meta(max_length=LONGEST_ID)]
Text: TypeAlias = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Ids: TypeAlias = Annotated[list[Id], Meta(max_length=MOST_CARDS)]

Role: TypeAlias = Literal["attacker", "defender"]
Face: TypeAlias = Literal["up", "down"]
Stance: TypeAlias = Literal["ready", "locked", "charging"]
"""What the rulebook calls the position of a card; `Position` is the event."""
PhaseName: TypeAlias = Literal["setup", "first_wave", "deployment", "battle", "end", "over"]
ZoneName: TypeAlias = Literal["deck", "deploy_hand", "command_hand", "sector", "fleet", "discard", "limbo", "set_aside"]
StatName: TypeAlias = Literal["firepower", "assault", "speed", "armor", "flags", "flag"]
Stage: TypeAlias = Literal["initial", "after_atk", "after_dfd"]


class Part(msgspec.Struct, kw_only=True, gc=False, omit_defaults=True):
    """A piece of an event."""


class Source(Part):
    """Where an ability came from: `ability` is an index in the ability box, or "line" for the command line."""

    zone: Literal["hand", "sector", "fleet", "sectorcard"] | None = None
    card: Id | None = None
    ability: Int | Literal["line"] | None = None


class Choices(Part):
    """The cards chosen for an ability. {} says that none were; no object at all says nothing."""

    target: Id | None = None
    targets: Ids | None = None

    @property
    def cards(self) -> tuple[str, ...]:
        """All chosen cards in the order of the text."""
        if self.targets is not None:
            return tuple(self.targets)
        return () if self.target is None else (self.target,)


class ZoneOf(Part):
    """A zone of a player who is not the owner of the card."""

    zone: ZoneName | None = None
    player: Id | None = None


Zone: TypeAlias = ZoneName | ZoneOf


class Flip(Part):
    card: Id | None = None
    id: Id | None = None


class Row(Part):
    """A card as a `position` states it; a bare instance is short for face up, ready, own."""

    card: Id | None = None
    face: Face | None = None
    position: Stance | None = None
    owner: Id | None = None


Rows: TypeAlias = Annotated[list[Id | Row | None], Meta(max_length=MOST_CARDS)] | Int
"""The cards of a zone; null for one whose instance is not known, a number for so many of them."""


class DeckStated(Part):
    n: Int | None = None
    order: Ids | None = None


class ZonesStated(Part):
    deck: DeckStated | None = None
    deploy_hand: Rows | None = None
    command_hand: Rows | None = None
    discard: Rows | None = None
    limbo: Rows | None = None
    set_aside: Rows | None = None
    sectors: dict[Id, Rows] | None = None
    fleet: Rows | None = None


class SectorStated(Part):
    slot: Int | None = None
    state: Literal["open", "in_battle", "taken"] | None = None
    by: Id | None = None
    fought: bool | None = None


class BonusStated(Part):
    target: Id | None = None
    stat: StatName | None = None
    amount: Int | None = None
    until: Text | None = None
    source: Any = None


class Stated(Part):
    """Where everything lies: the fields of a `position`, and of what a judge settled."""

    turn: Int | None = None
    battle: Int | None = None
    ba: Int | None = None
    phase: PhaseName | None = None
    roles: dict[Id, Role] | None = None
    planet: Text | None = None
    next: Id | UnsetType | None = UNSET
    zones: dict[Id, ZonesStated] | None = None
    sectors: list[SectorStated] | None = None
    served: dict[Id, list[Int]] | None = None
    sector: Int | None = None
    chooser: Id | None = None
    step: Literal["setup", "battle", "victory"] | None = None
    passes: Int | None = None
    flags: dict[Id, Int] | None = None
    bonuses: list[BonusStated] | None = None
    ids: dict[Id, Id] | None = None


class Event(msgspec.Struct, kw_only=True, gc=False, omit_defaults=True, tag_field="type"):
    """One line of a log. `ids`: the cards of instances that it shows.

    `choices` and `x` belong on the event that announces an ability; on a later one of the same ability (its roll, its
    effect, what it changes) they say that the choice was made only there.
    """

    seq: Annotated[int, Meta(ge=1, le=LARGEST)]
    by: Id | None = None
    turn: Int | None = None
    battle: Int | None = None
    ba: Int | None = None
    ids: dict[Id, Id] | None = None
    t: Any = None
    note: Any = None

    opens_ba: ClassVar[bool] = False

    @property
    def player(self) -> str | None:
        return self.by


# -- setting up ---------------------------------------------------------------------------------------------------


class SetupShuffle(Event, tag="setup.shuffle"):
    order: Ids | None = None


class SetupReveal(Event, tag="setup.reveal"):
    card: Id | None = None
    die: Int | None = None


class SetupCoin(Event, tag="setup.coin"):
    winner: Id | None = None


class SetupRole(Event, tag="setup.role"):
    """`by`, the chooser, takes `role`."""

    role: Role | None = None


class SetupPlanet(Event, tag="setup.planet"):
    planet: Text | None = None


# -- turns, deployment --------------------------------------------------------------------------------------------


class TurnStart(Event, tag="turn.start"):
    pass


class PhaseStart(Event, tag="phase.start"):
    phase: PhaseName | None = None


class DeployFirst(Event, tag="deploy.first"):
    card: Id | None = None
    sector: Int | None = None
    face: Face | None = None


class Draw(Event, tag="draw"):
    """`cards` None: the instances stay open."""

    n: Int | None = None
    cards: Ids | None = None
    to: ZoneName | None = None
    cause: Text | None = None
    source: Source | None = None
    choices: Choices | None = None
    x: Int | None = None


class DeployRegular(Event, tag="deploy.regular"):
    card: Id | None = None
    sector: Int | None = None
    face: Face | None = None


class Reshuffle(Event, tag="reshuffle"):
    n: Int | None = None
    order: Ids | None = None


# -- battles, their set-up ----------------------------------------------------------------------------------------


class BattleChoose(Event, tag="battle.choose"):
    sector: Int | None = None


class BattleNone(Event, tag="battle.none"):
    reason: Literal["no_sector", "no_cards"] | None = None


class SetupFlip(Event, tag="setup.flip"):
    sector: Int | None = None
    cards: Annotated[list[Flip], Meta(max_length=MOST_CARDS)] | None = None


class SetupUnique(Event, tag="setup.unique"):
    stays: Id | None = None
    returned: Ids | None = None
    to: ZoneName | None = None
    reason: Literal["own", "both"] | None = None


class SetupAbility(Event, tag="setup.ability"):
    source: Source | None = None
    choices: Choices | None = None
    x: Int | None = None
    results: Any = None


class SetupShips(Event, tag="setup.ships"):
    ships: Ids | None = None


class SetupSkip(Event, tag="setup.skip"):
    empty: list[Id] | None = None


# -- battle actions -----------------------------------------------------------------------------------------------


class BattleAction(Event):
    """An event that opens a battle action, or is part of the open one where it bears the same `ba`."""

    opens_ba: ClassVar[bool] = True


class BaShoot(BattleAction, tag="ba.shoot"):
    unit: Id | None = None
    target: Id | None = None


class BaCharge(BattleAction, tag="ba.charge"):
    unit: Id | None = None


class BaAssault(BattleAction, tag="ba.assault"):
    unit: Id | None = None
    mode: Literal["standard", "special"] | None = None
    target: Id | None = None
    ability: Int | None = None
    choices: Choices | None = None
    x: Int | None = None

    @property
    def special(self) -> bool:
        """Whether it is a special one: so it is said, or an ability is named."""
        return self.mode == "special" or (self.mode is None and self.ability is not None)


class BaCard(BattleAction, tag="ba.card"):
    card: Id | None = None
    choices: Choices | None = None
    x: Int | None = None


class BaAbility(BattleAction, tag="ba.ability"):
    source: Source | None = None
    choices: Choices | None = None
    x: Int | None = None


class BaWithdraw(BattleAction, tag="ba.withdraw"):
    destroyed: Ids | None = None


class BaPass(BattleAction, tag="ba.pass"):
    pass


class Block(Event, tag="block"):
    unit: Id | None = None


class BlockNone(Event, tag="block.none"):
    pass


class Cost(Event, tag="cost"):
    source: Source | None = None
    op: Literal["lock", "discard", "mill", "destroy", "rally", "other"] | None = None
    cards: Ids | None = None


class Roll(Event, tag="roll"):
    source: Source | None = None
    card: Id | None = None
    die: Int | None = None
    purpose: Literal["test", "d6", "variable"] | None = None
    need: Int | None = None
    final: Int | None = None
    passed: bool | None = None
    choices: Choices | None = None
    x: Int | None = None


class RollFinal(Event, tag="roll.final"):
    roll: Int | None = None
    final: Int | None = None
    passed: bool | None = None


# -- windows ------------------------------------------------------------------------------------------------------


class Tactic(Event, tag="tactic"):
    source: Source | None = None
    choices: Choices | None = None
    x: Int | None = None


class TacticPass(Event, tag="tactic.pass"):
    pass


class Reaction(Event, tag="reaction"):
    source: Source | None = None
    trigger: Int | None = None
    choices: Choices | None = None
    x: Int | None = None


class ReactionPass(Event, tag="reaction.pass"):
    trigger: Int | None = None


class Modifier(Event, tag="modifier"):
    source: Source | None = None
    roll: Int | None = None
    amount: Int | None = None
    set: Int | None = None
    reroll: Int | None = None
    choices: Choices | None = None
    x: Int | None = None


class ModifierPass(Event, tag="modifier.pass"):
    roll: Int | None = None


# -- what abilities and attacks do --------------------------------------------------------------------------------


class Effect(Event, tag="effect"):
    source: Source | None = None
    op: Id | None = None
    targets: Ids | None = None
    amount: Int | None = None
    stat: StatName | None = None
    what: Any = None
    until: Literal["ba", "battle", "turn", "static"] | None = None
    parsed: Any = None
    choices: Choices | None = None
    x: Int | None = None


class Damage(Event, tag="damage"):
    from_: Id | None = msgspec.field(default=None, name="from")
    to: Id | None = None
    stat: Literal["firepower", "assault", "effect"] | None = None
    amount: Int | None = None
    armor: Int | None = None
    destroyed: bool | None = None
    counter: bool | None = None
    step: Int | None = None
    source: Source | None = None
    choices: Choices | None = None
    x: Int | None = None

    @property
    def by_ability(self) -> bool:
        """Whether an ability dealt it; without a `stat`, the source says so."""
        return self.stat == "effect" or (self.stat is None and self.source is not None)


class Change(Event):
    """Cards that change their zone or position, with the cause: "effect" and a `source`, "unique", or free text."""

    cards: Ids | None = None
    cause: Text | None = None
    source: Source | None = None
    from_: Zone | None = msgspec.field(default=None, name="from")
    to: Zone | None = None
    choices: Choices | None = None
    x: Int | None = None


class Destroy(Change, tag="destroy"):
    pass


class Lock(Change, tag="lock"):
    pass


class Rally(Change, tag="rally"):
    pass


class Return(Change, tag="return"):
    pass


class Discard(Change, tag="discard"):
    """`by` picked the cards."""


class Mill(Change, tag="mill"):
    """Off the top of the deck of `by`."""


class Infiltrate(Change, tag="infiltrate"):
    """`by` is the new controller; `position` is a claim."""

    sector: Int | None = None
    position: Stance | None = None


class Sweep(Event, tag="sweep"):
    unit: Id | None = None
    target: Id | None = None
    leftover: Int | None = None


class SweepNone(Event, tag="sweep.none"):
    unit: Id | None = None


class Special(Event, tag="special"):
    unit: Id | None = None
    ability: Int | None = None


class SpecialNone(Event, tag="special.none"):
    unit: Id | None = None
    ability: Int | None = None


class BaEnd(Event, tag="ba.end"):
    positions: dict[Id, Stance] | None = None
    cause: Text | None = None


class BattleEnd(Event, tag="battle.end"):
    cause: Literal["double_pass", "withdraw", "skip"] | None = None


# -- victory, ends ------------------------------------------------------------------------------------------------


class VictoryFlags(Event, tag="victory.flags"):
    atk: Int | None = None
    dfd: Int | None = None
    stage: Stage | None = None


class VictoryReveal(Event, tag="victory.reveal"):
    cards: Ids | None = None


class EventResolved(Event, tag="event"):
    """One E ability carried out in the victory step."""

    source: Source | None = None
    choices: Choices | None = None
    x: Int | None = None
    results: Any = None


class VictoryDiscard(Event, tag="victory.discard"):
    cards: Ids | None = None


class VictoryResult(Event, tag="victory.result"):
    winner: Id | UnsetType | None = UNSET
    atk: Int | None = None
    dfd: Int | None = None
    requirement: Int | None = None


class SectorTaken(Event, tag="sector.taken"):
    sector: Int | None = None
    discarded: Ids | None = None


class SectorReset(Event, tag="sector.reset"):
    sector: Int | None = None
    readied: Ids | None = None
    face: Face | None = None


class EndShips(Event, tag="end.ships"):
    rallied: Ids | None = None


class EndCheck(Event, tag="end.check"):
    winner: Id | UnsetType | None = UNSET


class TurnEnd(Event, tag="turn.end"):
    decks: dict[Id, Int] | None = None


class GameEnd(Event, tag="game.end"):
    winner: Id | UnsetType | None = UNSET
    reason: (
        Literal["two_sectors", "turn4_total", "extra_turn", "draw", "deck_loss", "concession", "time", "judge"] | None
    ) = None
    totals: dict[Id, Int] | None = None


# -- what every game has ------------------------------------------------------------------------------------------


class Position(Event, tag="position"):
    phase: PhaseName | None = None
    roles: dict[Id, Role] | None = None
    planet: Text | None = None
    next: Id | UnsetType | None = UNSET
    zones: dict[Id, ZonesStated] | None = None
    sectors: list[SectorStated] | None = None
    served: dict[Id, list[Int]] | None = None
    sector: Int | None = None
    chooser: Id | None = None
    step: Literal["setup", "battle", "victory"] | None = None
    passes: Int | None = None
    flags: dict[Id, Int] | None = None
    bonuses: list[BonusStated] | None = None


class Undo(Event, tag="undo"):
    to: Int | None = None


class Judge(Event, tag="judge"):
    text: Text | None = None
    position: Stated | None = None


class Remark(Event, tag="remark"):
    text: Text | None = None


class End(Event, tag="end"):
    reason: Literal["finished", "time", "concession", "judge"] | None = None


_TYPES: tuple[type[Event], ...] = (
    SetupShuffle, SetupReveal, SetupCoin, SetupRole, SetupPlanet, TurnStart, PhaseStart, DeployFirst, Draw,
    DeployRegular, Reshuffle, BattleChoose, BattleNone, SetupFlip, SetupUnique, SetupAbility, SetupShips, SetupSkip,
    BaShoot, BaCharge, BaAssault, BaCard, BaAbility, BaWithdraw, BaPass, Block, BlockNone, Cost, Roll, RollFinal,
    Tactic, TacticPass, Reaction, ReactionPass, Modifier, ModifierPass, Effect, Damage, Destroy, Lock, Rally, Return,
    Discard, Mill, Infiltrate, Sweep, SweepNone, Special, SpecialNone, BaEnd, BattleEnd, VictoryFlags, VictoryReveal,
    EventResolved, VictoryDiscard, VictoryResult, SectorTaken, SectorReset, EndShips, EndCheck, TurnEnd, GameEnd,
    Position, Undo, Judge, Remark, End,
)  # fmt: skip

EVENTS: dict[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in _TYPES}
"""Type name in logs -> struct."""


def of(*kinds: type[Event]) -> frozenset[type[Event]]:
    """The event types that are of one of some kinds: quicker to look an event's type up in than `isinstance` of each."""
    return frozenset(kind for kind in _TYPES if issubclass(kind, kinds))


AnyEvent: Any = None
for _kind in _TYPES:
    AnyEvent = _kind if AnyEvent is None else AnyEvent | _kind


_WHO = ("by", "who acted")
_FACTS: dict[type[Event], tuple[tuple[str, str], ...]] = {
    SetupReveal: (_WHO,),
    SetupCoin: (("winner", "who won the coin"),),
    SetupRole: (_WHO, ("role", "which role was chosen")),
    PhaseStart: (("phase", "which phase began"),),
    DeployFirst: (_WHO, ("card", "which card was flipped"), ("sector", "which sector it went to")),
    Draw: (_WHO, ("cause", "why cards were drawn")),
    DeployRegular: (_WHO, ("sector", "which sector the card went to")),
    BattleChoose: (_WHO, ("sector", "which sector was chosen")),
    BattleNone: (_WHO,),
    SetupFlip: (("cards", "which cards were turned up"),),
    SetupUnique: (("returned", "which cards were returned"),),
    SetupAbility: (("source", "which instruction was carried out"),),
    SetupShips: (("ships", "which ships moved"),),
    BaShoot: (_WHO, ("unit", "who shot"), ("target", "who was shot at")),
    BaCharge: (_WHO, ("unit", "who charged")),
    BaAssault: (_WHO, ("unit", "who assaulted")),
    BaWithdraw: (_WHO,),
    BaPass: (_WHO,),
    BaCard: (_WHO, ("card", "which card was played")),
    BaAbility: (_WHO, ("source", "which ability was used")),
    Cost: (("op", "which cost was paid"), ("cards", "with which cards a cost was paid")),
    Destroy: (("cards", "which cards were destroyed"),),
    Lock: (("cards", "which cards were locked"),),
    Rally: (("cards", "which cards were rallied"),),
    Return: (("cards", "which cards were returned"),),
    Discard: (("cards", "which cards were discarded"),),
    Infiltrate: (_WHO, ("cards", "which cards were infiltrated")),
    Mill: (("by", "off whose deck cards were discarded"), ("cards", "which cards were discarded off the deck")),
    Reshuffle: (("by", "whose deck was refilled"),),
    Block: (("unit", "which unit blocked"),),
    Tactic: (_WHO, ("source", "where the tactic came from")),
    TacticPass: (_WHO,),
    Roll: (_WHO,),
    Reaction: (_WHO, ("source", "where the reaction came from"), ("trigger", "what it answered")),
    ReactionPass: (_WHO, ("trigger", "what it answered")),
    Modifier: (_WHO, ("source", "where the modifier came from")),
    ModifierPass: (_WHO,),
    Sweep: (("target", "who was swept"),),
    VictoryReveal: (_WHO, ("cards", "which cards were shown")),
    EventResolved: (_WHO, ("source", "which event was resolved")),
    VictoryDiscard: (_WHO,),
    EndShips: (_WHO,),
}
"""Facts without which nobody can say how the position changed (catalogue 5.4)."""

OF_A_PLAYER = frozenset(
    {*(kind for kind, facts in _FACTS.items() if "by" in (name for name, _ in facts)), SetupAbility}
)
"""Event types of which it matters who acted."""


_STATED = {kind: attrgetter(*(name for name, _ in facts), facts[0][0]) for kind, facts in _FACTS.items()}
"""Event type -> what gives all of them at once."""


_OF_A_CARD = frozenset({SetupAbility, BaAbility, Tactic, Reaction, Modifier, EventResolved})
"""Event types that announce an ability of a card which their `source` names."""


def lacking(event: Event) -> list[str]:
    """The facts that an event has to state and does not, in words."""
    kind = type(event)
    stated = _STATED.get(kind)
    if stated is not None and None in stated(event):
        found = [words for name, words in _FACTS[kind] if getattr(event, name) is None]
    else:
        found = []
    if kind in _OF_A_CARD and (source := event.source) is not None and source.card is None:  # type: ignore[attr-defined]
        found.append("of which card it was")
    if not isinstance(event, (Draw, SetupFlip, BaAssault, Damage)):
        return found
    if isinstance(event, Damage) and event.by_ability and event.to is None and event.destroyed is not False:
        found.append("which card was damaged")
    if isinstance(event, Draw) and event.n is None and event.cards is None:
        found.append("how many cards were drawn")
    if isinstance(event, SetupFlip) and any(one.card is None for one in event.cards or ()):
        found.append("which card was turned up")
    if isinstance(event, BaAssault) and not event.special and event.target is None:
        found.append("who was assaulted")
    return found
