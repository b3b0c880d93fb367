"""The events of a log of the card game, as they are written: one struct an event type.

Source: catalogue section 5 and design 5.1. Field names are those of the log; the one exception is `from_`, since `from`
is a Python word. Every field but `seq` may be absent and is then None: whether an absence matters is the auditor's
business. Unknown fields are passed over.

Card references are instances; `ids` on any event tells their cards (section 6). `by` is the player who acts.
Structs are plain for speed, and read-only to everyone. Whole numbers lie within +-(2**53 - 1).
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from auditor.core.fields import lacking as lacking  # asked for beside the events
from auditor.core.fields import needed
from auditor.systems import acts
from auditor.systems.fields import claim, fact, label

LARGEST = 2**53 - 1
LONGEST_ID = 64
LONGEST_TEXT = 2_000
MOST_CARDS, MOST_PLAYERS = 250, 8
"""Cards that one event may list or tell, twice those of both decks; and entries by player or by sector."""

Int: TypeAlias = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
Id: TypeAlias = Annotated[str, Meta(max_length=LONGEST_ID)]
Text: TypeAlias = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Ids: TypeAlias = Annotated[list[Id], Meta(max_length=MOST_CARDS)]
Value = TypeVar("Value")
ByCard = Annotated[dict[Id, Value], Meta(max_length=MOST_CARDS)]
ByPlayer = Annotated[dict[Id, Value], Meta(max_length=MOST_PLAYERS)]
Few = Annotated[list[Value], Meta(max_length=MOST_PLAYERS)]

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

    zone: Annotated[
        Literal["hand", "sector", "fleet", "sectorcard"] | None,
        fact("choice", "where the card lay when the ability was announced"),
    ] = None
    card: Annotated[Id | None, fact("card", "of which card it was", also=("printed card",))] = None
    ability: Annotated[
        Int | Literal["line"] | None,
        fact("ability", 'which ability of the card it was, counted from 0; or "line" for its command line'),
    ] = None


_NONE_CHOSEN = "none, where no other is named"


class Choices(Part):
    """The cards chosen for an ability. {} says that none were; no object at all says nothing."""

    target: Annotated[Id | UnsetType | None, fact("card", "which card was chosen", absent=_NONE_CHOSEN)] = UNSET
    targets: Annotated[
        Ids | UnsetType | None,
        fact("card", "which cards were chosen, in the order of the text", absent=_NONE_CHOSEN),
    ] = UNSET

    @property
    def cards(self) -> tuple[str, ...]:
        """All chosen cards in the order of the text."""
        if self.targets:
            return tuple(self.targets)
        return (self.target,) if self.target else ()


class ZoneOf(Part):
    """A zone of a player who is not the owner of the card."""

    zone: Annotated[ZoneName | None, fact("choice", "which zone it is")] = None
    player: Annotated[Id | None, fact("player", "whose zone it is")] = None


Zone: TypeAlias = ZoneName | ZoneOf


class Flip(Part):
    card: Annotated[Id | None, fact("card", "which card was turned up", states=("turned up", ""))] = None
    id: Annotated[Id | None, fact("printed card", "what the card turned out to be")] = None


class Row(Part):
    """A card as a `position` states it; a bare instance is short for face up, ready, own."""

    card: Annotated[Id | None, fact("card", "which card lies there")] = None
    face: Annotated[Face | None, fact("choice", "whether it lies face up or down")] = None
    position: Annotated[Stance | None, fact("choice", "whether it is ready, locked or charging")] = None
    owner: Annotated[Id | None, fact("player", "whose card it is, where that is not who controls it")] = None


Rows: TypeAlias = Annotated[list[Id | Row | None], Meta(max_length=MOST_CARDS)] | Int
"""The cards of a zone; null for one whose instance is not known, a number for so many of them."""


def _cards_in(where: str) -> Meta:
    words = f"the cards {where}: instances or rows, null for one that is not known; or how many there are"
    return fact("card", words, number="cards")


class DeckStated(Part):
    n: Annotated[Int | None, fact("number", "how many cards the deck has", unit="cards")] = None
    order: Annotated[Ids | None, fact("card", "the cards of the deck, topmost first, where that is known")] = None


class ZonesStated(Part):
    deck: Annotated[DeckStated | None, fact("part", "the deck")] = None
    deploy_hand: Annotated[Rows | None, _cards_in("in the deployment hand")] = None
    command_hand: Annotated[Rows | None, _cards_in("in the command hand")] = None
    discard: Annotated[Rows | None, _cards_in("in the discard pile")] = None
    limbo: Annotated[Rows | None, _cards_in("that are being played")] = None
    set_aside: Annotated[Rows | None, _cards_in("that are set aside")] = None
    sectors: Annotated[
        ByPlayer[Rows] | None,
        fact("card", "for each sector the cards that the player has there", keys="sector", number="cards"),
    ] = None
    fleet: Annotated[Rows | None, _cards_in("in the fleet")] = None


class SectorStated(Part):
    slot: Annotated[Int | None, fact("sector", "which sector it is")] = None
    state: Annotated[
        Literal["open", "in_battle", "taken"] | None, fact("choice", "whether it is open, in battle or taken")
    ] = None
    by: Annotated[Id | None, fact("player", "who took it")] = None
    fought: Annotated[bool | None, fact("flag", "whether it was fought over this turn")] = None


class BonusStated(Part):
    target: Annotated[Id | None, fact("card", "which card has the bonus", also=("player",))] = None
    stat: Annotated[StatName | None, fact("choice", "which of its numbers is changed")] = None
    amount: Annotated[Int | None, fact("number", "by how much it is changed")] = None
    until: Annotated[Text | None, fact("text", "until when the bonus lasts")] = None
    source: Annotated[Any, label("anything", "where the bonus came from")] = None


StatedTurn: TypeAlias = Annotated[Int | None, fact("number", "which turn it is")]
StatedBattle: TypeAlias = Annotated[Int | None, fact("number", "which battle of the turn it is")]
StatedBa: TypeAlias = Annotated[Int | None, fact("number", "which battle action was the last one, 0 before the first")]
StatedPhase: TypeAlias = Annotated[PhaseName | None, fact("choice", "which phase it is")]
StatedRoles: TypeAlias = Annotated[
    ByPlayer[Role] | None, fact("choice", "who is the attacker and who the defender", keys="player")
]
StatedPlanet: TypeAlias = Annotated[Text | None, label("text", "which planet is fought over")]
StatedNext: TypeAlias = Annotated[Id | UnsetType | None, fact("player", "whose act is due", null="it is nobody's")]
StatedZones: TypeAlias = Annotated[
    ByPlayer[ZonesStated] | None, fact("part", "for each player where the cards lie", keys="player")
]
StatedSectors: TypeAlias = Annotated[Few[SectorStated] | None, fact("part", "how the sectors stand")]
StatedServed: TypeAlias = Annotated[
    ByPlayer[Few[Int]] | None,
    fact("sector", "for each player the sectors served this turn, in the first wave", keys="player"),
]
StatedSector: TypeAlias = Annotated[Int | None, fact("sector", "where the battle is")]
StatedChooser: TypeAlias = Annotated[Id | None, fact("player", "who chose the sector of the battle")]
StatedStep: TypeAlias = Annotated[
    Literal["setup", "battle", "victory"] | None, fact("choice", "which part of the battle it is")
]
StatedPasses: TypeAlias = Annotated[
    Int | None, fact("number", "how many battle actions in a row were passes", unit="passes")
]
StatedFlags: TypeAlias = Annotated[
    ByPlayer[Int] | None, fact("number", "the flag total of each player in the battle", keys="player", unit="flags")
]
StatedBonuses: TypeAlias = Annotated[
    Annotated[list[BonusStated], Meta(max_length=MOST_CARDS)] | None, fact("part", "the bonuses that are in force")
]
Shown: TypeAlias = Annotated[
    ByCard[Id] | None, fact("printed card", "what the cards are that the event shows", keys="card")
]


class Stated(Part):
    """Where everything lies: the fields of a `position`, and of what a judge settled."""

    turn: StatedTurn = None
    battle: StatedBattle = None
    ba: StatedBa = None
    phase: StatedPhase = None
    roles: StatedRoles = None
    planet: StatedPlanet = None
    next: StatedNext = UNSET
    zones: StatedZones = None
    sectors: StatedSectors = None
    served: StatedServed = None
    sector: StatedSector = None
    chooser: StatedChooser = None
    step: StatedStep = None
    passes: StatedPasses = None
    flags: StatedFlags = None
    bonuses: StatedBonuses = None
    ids: Shown = None


class Event(msgspec.Struct, kw_only=True, gc=False, omit_defaults=True, tag_field="type"):
    """One line of a log. `ids`: the cards of instances that it shows.

    `choices` and `x` belong on the event that announces an ability; on a later one of the same ability (its roll, its
    effect, what it changes) they say that the choice was made only there.
    """

    seq: acts.Seq
    by: Annotated[Id | None, fact("player", "who acted")] = None
    turn: Annotated[Int | None, claim("number", "in which turn it was", states=("turn", ""))] = None
    battle: Annotated[Int | None, claim("number", "in which battle of the turn it was")] = None
    ba: Annotated[Int | None, claim("number", "in which battle action of the battle it was")] = None
    ids: Shown = None
    t: Annotated[Any, label("anything", "at what time it was")] = None
    note: Annotated[Any, label("anything", "what the players noted beside it")] = None

    opens_ba: ClassVar[bool] = False

    @property
    def player(self) -> str | None:
        return self.by


class Act(Event):
    """An event of which nobody can say what it changed unless it states who acted."""

    by: Annotated[Id | None, fact("player", "who acted", needed=True)] = None


def _source(words: str, *, needed: bool = False, announces: bool = False) -> Meta:
    """The field `source`; of an event that announces an ability its card is needed too."""
    return fact("part", words, needed=needed, parts={"card": "of which card it was"} if announces else {})


OfAbility: TypeAlias = Annotated[Source | None, _source("which ability did it")]
Chosen: TypeAlias = Annotated[Choices | None, fact("part", "what was chosen for the ability")]
X: TypeAlias = Annotated[Int | None, fact("number", "what X was")]
Results: TypeAlias = Annotated[Any, label("anything", "what came of it, in words")]
DieOfCard: TypeAlias = Annotated[Int | None, claim("face", "what the die of the card showed")]
Final: TypeAlias = Annotated[Int | None, claim("number", "what the roll counts after modifiers")]
Passed: TypeAlias = Annotated[bool | None, claim("flag", "whether the test was passed")]
SectorHere: TypeAlias = Annotated[Int | None, fact("sector", "at which sector it was")]


# -- setting up ---------------------------------------------------------------------------------------------------


class SetupShuffle(Event, tag="setup.shuffle"):
    order: Annotated[Ids | None, fact("card", "how the deck lies, topmost card first")] = None


class SetupReveal(Act, tag="setup.reveal"):
    card: Annotated[Id | None, fact("card", "which card was revealed")] = None
    die: DieOfCard = None


class SetupCoin(Event, tag="setup.coin"):
    winner: Annotated[Id | None, fact("player", "who won the coin", needed=True)] = None


class SetupRole(Act, tag="setup.role"):
    """`by`, the chooser, takes `role`."""

    role: Annotated[Role | None, fact("choice", "which role was chosen", needed=True)] = None


class SetupPlanet(Event, tag="setup.planet"):
    planet: StatedPlanet = None


# -- turns, deployment --------------------------------------------------------------------------------------------


class TurnStart(Event, tag="turn.start"):
    pass


class PhaseStart(Event, tag="phase.start"):
    phase: Annotated[PhaseName | None, fact("choice", "which phase began", needed=True)] = None


class DeployFirst(Act, tag="deploy.first"):
    card: Annotated[Id | None, fact("card", "which card was flipped", needed=True)] = None
    sector: Annotated[Int | None, fact("sector", "which sector it went to", needed=True, states=("open", ""))] = None
    face: Annotated[Face | None, fact("choice", "whether it was placed face up or down")] = None


class Draw(Act, tag="draw"):
    """`cards` None: the instances stay open."""

    n: Annotated[
        Int | None, fact("number", "how many cards were drawn", unit="cards", needed=lambda event: event.cards is None)
    ] = None
    cards: Annotated[Ids | None, fact("card", "which cards were drawn")] = None
    to: Annotated[ZoneName | None, fact("choice", "where the cards went")] = None
    cause: Annotated[Text | None, fact("text", "why cards were drawn", needed=True)] = None
    source: OfAbility = None
    choices: Chosen = None
    x: X = None


class DeployRegular(Act, tag="deploy.regular"):
    card: Annotated[Id | None, fact("card", "which card was deployed")] = None
    sector: Annotated[Int | None, fact("sector", "which sector the card went to", needed=True, states=("open", ""))] = (
        None
    )
    face: Annotated[Face | None, fact("choice", "whether it was placed face up or down")] = None


class Reshuffle(Event, tag="reshuffle"):
    by: Annotated[Id | None, fact("player", "whose deck was refilled", needed=True)] = None
    n: Annotated[Int | None, claim("number", "how many cards were shuffled in", unit="cards")] = None
    order: Annotated[Ids | None, fact("card", "how the deck lies, topmost card first")] = None


# -- battles, their set-up ----------------------------------------------------------------------------------------


class BattleChoose(Act, tag="battle.choose"):
    sector: Annotated[
        Int | None, fact("sector", "which sector was chosen", needed=True, states=("fought over", ""))
    ] = None


class BattleNone(Act, tag="battle.none"):
    reason: Annotated[Literal["no_sector", "no_cards"] | None, claim("choice", "why no battle was fought")] = None


class SetupFlip(Event, tag="setup.flip"):
    sector: SectorHere = None
    cards: Annotated[
        Annotated[list[Flip], Meta(max_length=MOST_CARDS)] | None,
        fact("part", "which cards were turned up", needed=True, parts={"card": "which card was turned up"}),
    ] = None


class SetupUnique(Event, tag="setup.unique"):
    stays: Annotated[Id | None, fact("card", "which copy stays")] = None
    returned: Annotated[Ids | None, fact("card", "which cards were returned", needed=True)] = None
    to: Annotated[ZoneName | None, fact("choice", "where the cards went")] = None
    reason: Annotated[
        Literal["own", "both"] | None, fact("choice", "whether a player's own copies met, or those of both players")
    ] = None


class SetupAbility(Event, tag="setup.ability"):
    source: Annotated[Source | None, _source("which instruction was carried out", needed=True, announces=True)] = None
    choices: Chosen = None
    x: X = None
    results: Results = None


class SetupShips(Event, tag="setup.ships"):
    ships: Annotated[Ids | None, fact("card", "which ships moved", needed=True)] = None


class SetupSkip(Event, tag="setup.skip"):
    empty: Annotated[Few[Id] | None, claim("player", "which players have no cards there")] = None


# -- battle actions -----------------------------------------------------------------------------------------------


class BattleAction(Act):
    """An event that opens a battle action, or is part of the open one where it bears the same `ba`."""

    opens_ba: ClassVar[bool] = True


class BaShoot(BattleAction, tag="ba.shoot"):
    unit: Annotated[Id | None, fact("card", "who shot", needed=True)] = None
    target: Annotated[Id | None, fact("card", "who was shot at", needed=True)] = None


class BaCharge(BattleAction, tag="ba.charge"):
    unit: Annotated[Id | None, fact("card", "who charged", needed=True)] = None


class BaAssault(BattleAction, tag="ba.assault"):
    unit: Annotated[Id | None, fact("card", "who assaulted", needed=True)] = None
    mode: Annotated[
        Literal["standard", "special"] | None, fact("choice", "whether it was a standard or a special assault")
    ] = None
    target: Annotated[Id | None, fact("card", "who was assaulted", needed=lambda event: not event.special)] = None
    ability: Annotated[
        Int | None, fact("ability", "with which ability of the unit, counted from 0, it was a special one")
    ] = None
    choices: Chosen = None
    x: X = None

    @property
    def special(self) -> bool:
        """Whether it is a special one: so it is said, or an ability is named."""
        return self.mode == "special" or (self.mode is None and self.ability is not None)


class BaCard(BattleAction, tag="ba.card"):
    card: Annotated[Id | None, fact("card", "which card was played", needed=True)] = None
    choices: Chosen = None
    x: X = None


class BaAbility(BattleAction, tag="ba.ability"):
    source: Annotated[Source | None, _source("which ability was used", needed=True, announces=True)] = None
    choices: Chosen = None
    x: X = None


class BaWithdraw(BattleAction, tag="ba.withdraw"):
    destroyed: Annotated[Ids | None, claim("card", "which cards were destroyed by it")] = None


class BaPass(BattleAction, tag="ba.pass"):
    pass


class Block(Event, tag="block"):
    unit: Annotated[Id | None, fact("card", "which unit blocked", needed=True)] = None


class BlockNone(Event, tag="block.none"):
    pass


class Cost(Event, tag="cost"):
    source: OfAbility = None
    op: Annotated[
        Literal["lock", "discard", "mill", "destroy", "rally", "other"] | None,
        fact("choice", "which cost was paid", needed=True),
    ] = None
    cards: Annotated[Ids | None, fact("card", "with which cards a cost was paid", needed=True)] = None


class Roll(Act, tag="roll"):
    source: OfAbility = None
    card: Annotated[Id | None, fact("card", "which card was rolled with", states=("off the deck", "by"))] = None
    die: DieOfCard = None
    purpose: Annotated[Literal["test", "d6", "variable"] | None, fact("choice", "what the roll was for")] = None
    need: Annotated[Int | None, claim("number", "what the test needed")] = None
    final: Final = None
    passed: Passed = None
    choices: Chosen = None
    x: X = None


class RollFinal(Event, tag="roll.final"):
    roll: Annotated[Int | None, fact("event", "of which roll it is")] = None
    final: Final = None
    passed: Passed = None


# -- windows ------------------------------------------------------------------------------------------------------


class Tactic(Act, tag="tactic"):
    source: Annotated[Source | None, _source("where the tactic came from", needed=True, announces=True)] = None
    choices: Chosen = None
    x: X = None


class TacticPass(Act, tag="tactic.pass"):
    pass


class Reaction(Act, tag="reaction"):
    source: Annotated[Source | None, _source("where the reaction came from", needed=True, announces=True)] = None
    trigger: Annotated[Int | None, fact("event", "what it answered", needed=True)] = None
    choices: Chosen = None
    x: X = None


class ReactionPass(Act, tag="reaction.pass"):
    trigger: Annotated[Int | None, fact("event", "what it answered", needed=True)] = None


class Modifier(Act, tag="modifier"):
    source: Annotated[Source | None, _source("where the modifier came from", needed=True, announces=True)] = None
    roll: Annotated[Int | None, fact("event", "which roll it changed")] = None
    amount: Annotated[Int | None, claim("number", "by how much it changed the roll")] = None
    set: Annotated[Int | None, claim("number", "to what it set the roll")] = None
    reroll: Annotated[Int | None, fact("event", "which roll took the place of the first")] = None
    choices: Chosen = None
    x: X = None


class ModifierPass(Act, tag="modifier.pass"):
    roll: Annotated[Int | None, fact("event", "which roll was left as it was")] = None


# -- what abilities and attacks do --------------------------------------------------------------------------------


class Effect(Event, tag="effect"):
    source: OfAbility = None
    op: Annotated[Id | None, fact("choice", "what the ability did")] = None
    targets: Annotated[Ids | None, fact("card", "to which cards, or players, it was done", also=("player",))] = None
    amount: Annotated[Int | None, claim("number", "how much it was")] = None
    stat: Annotated[StatName | None, claim("choice", "which number it changed")] = None
    what: Annotated[Any, claim("anything", "which trait, ability or act it gave or forbade")] = None
    until: Annotated[Literal["ba", "battle", "turn", "static"] | None, claim("choice", "until when it lasts")] = None
    parsed: Annotated[Any, label("anything", "how another program read the text")] = None
    choices: Chosen = None
    x: X = None


class Damage(Event, tag="damage"):
    from_: Annotated[Id | None, fact("card", "which card dealt the damage")] = msgspec.field(default=None, name="from")
    to: Annotated[
        Id | None,
        fact(
            "card",
            "which card was damaged",
            needed=lambda event: event.by_ability and event.destroyed is not False,
        ),
    ] = None
    stat: Annotated[
        Literal["firepower", "assault", "effect"] | None, fact("choice", "with which number it was dealt")
    ] = None
    amount: Annotated[Int | None, claim("number", "how much damage it was")] = None
    armor: Annotated[Int | None, claim("number", "the armor of the card that was damaged")] = None
    destroyed: Annotated[bool | None, claim("flag", "whether the card was destroyed")] = None
    counter: Annotated[bool | None, fact("flag", "whether it was dealt in return")] = None
    step: Annotated[Int | None, claim("number", "in which damage step of the battle action it was")] = None
    source: OfAbility = None
    choices: Chosen = None
    x: X = None

    @property
    def by_ability(self) -> bool:
        """Whether an ability dealt it; without a `stat`, the source says so."""
        return self.stat == "effect" or (self.stat is None and self.source is not None)


def _changed(how: str) -> Meta:
    return fact("card", f"which cards were {how}", needed=True)


class Change(Event):
    """Cards that change their zone or position, with the cause: "effect" and a `source`, "unique", or free text."""

    cards: Annotated[Ids | None, fact("card", "which cards were changed", needed=True)] = None
    cause: Annotated[Text | None, fact("text", 'why: "effect", "unique", or in words')] = None
    source: OfAbility = None
    from_: Annotated[Zone | None, claim("choice", "where the cards lay")] = msgspec.field(default=None, name="from")
    to: Annotated[Zone | None, fact("choice", "where the cards went")] = None
    choices: Chosen = None
    x: X = None


class Destroy(Change, tag="destroy"):
    cards: Annotated[Ids | None, _changed("destroyed")] = None


class Lock(Change, tag="lock"):
    cards: Annotated[Ids | None, _changed("locked")] = None


class Rally(Change, tag="rally"):
    cards: Annotated[Ids | None, _changed("rallied")] = None


class Return(Change, tag="return"):
    cards: Annotated[Ids | None, _changed("returned")] = None


class Discard(Change, tag="discard"):
    """`by` picked the cards."""

    cards: Annotated[Ids | None, _changed("discarded")] = None


class Mill(Change, tag="mill"):
    """Off the top of the deck of `by`."""

    by: Annotated[Id | None, fact("player", "off whose deck cards were discarded", needed=True)] = None
    cards: Annotated[Ids | None, _changed("discarded off the deck")] = None


class Infiltrate(Change, tag="infiltrate"):
    """`by` is the new controller; `position` is a claim."""

    by: Annotated[Id | None, fact("player", "who acted", needed=True)] = None
    cards: Annotated[Ids | None, _changed("infiltrated")] = None
    sector: SectorHere = None
    position: Annotated[Stance | None, claim("choice", "whether the cards are ready, locked or charging")] = None


class Sweep(Event, tag="sweep"):
    unit: Annotated[Id | None, fact("card", "who made the sweeping advance")] = None
    target: Annotated[Id | None, fact("card", "who was swept", needed=True)] = None
    leftover: Annotated[Int | None, claim("number", "how much damage was left over")] = None


class SweepNone(Event, tag="sweep.none"):
    unit: Annotated[Id | None, fact("card", "who made no sweeping advance")] = None


class Special(Event, tag="special"):
    unit: Annotated[Id | None, fact("card", "whose special assault it was")] = None
    ability: Annotated[Int | None, fact("ability", "which ability of the unit it was, counted from 0")] = None


class SpecialNone(Event, tag="special.none"):
    unit: Annotated[Id | None, fact("card", "whose special assault it was")] = None
    ability: Annotated[Int | None, fact("ability", "which ability of the unit it was, counted from 0")] = None


class BaEnd(Event, tag="ba.end"):
    positions: Annotated[
        ByCard[Stance] | None, claim("choice", "whether the cards are ready, locked or charging", keys="card")
    ] = None
    cause: Annotated[Text | None, fact("text", "why the battle action ended")] = None


class BattleEnd(Event, tag="battle.end"):
    cause: Annotated[Literal["double_pass", "withdraw", "skip"] | None, fact("choice", "why the battle ended")] = None


# -- victory, ends ------------------------------------------------------------------------------------------------


class VictoryFlags(Event, tag="victory.flags"):
    atk: Annotated[Int | None, claim("number", "the flags of the attacker", unit="flags")] = None
    dfd: Annotated[Int | None, claim("number", "the flags of the defender", unit="flags")] = None
    stage: Annotated[Stage | None, fact("choice", "before or after whose events the flags were counted")] = None


class VictoryReveal(Act, tag="victory.reveal"):
    cards: Annotated[Ids | None, fact("card", "which cards were shown", needed=True)] = None


class EventResolved(Act, tag="event"):
    """One E ability carried out in the victory step."""

    source: Annotated[Source | None, _source("which event was resolved", needed=True, announces=True)] = None
    choices: Chosen = None
    x: X = None
    results: Results = None


class VictoryDiscard(Act, tag="victory.discard"):
    cards: Annotated[Ids | None, claim("card", "which cards were discarded")] = None


class VictoryResult(Event, tag="victory.result"):
    winner: Annotated[Id | UnsetType | None, claim("player", "who won the battle", null="nobody did")] = UNSET
    atk: Annotated[Int | None, claim("number", "the flags of the attacker", unit="flags")] = None
    dfd: Annotated[Int | None, claim("number", "the flags of the defender", unit="flags")] = None
    requirement: Annotated[Int | None, claim("number", "the flags that the sector asks for", unit="flags")] = None


class SectorTaken(Event, tag="sector.taken"):
    sector: Annotated[Int | None, fact("sector", "which sector was taken", states=("taken", ""))] = None
    discarded: Annotated[Ids | None, claim("card", "which cards were discarded from it")] = None


class SectorReset(Event, tag="sector.reset"):
    sector: Annotated[Int | None, fact("sector", "which sector was reset", states=("reset", ""))] = None
    readied: Annotated[Ids | None, claim("card", "which cards became ready")] = None
    face: Annotated[Face | None, claim("choice", "whether the cards lie face up or down then")] = None


class EndShips(Act, tag="end.ships"):
    rallied: Annotated[Ids | None, claim("card", "which ships became ready")] = None


class EndCheck(Event, tag="end.check"):
    winner: Annotated[Id | UnsetType | None, claim("player", "who has won the game", null="nobody has")] = UNSET


class TurnEnd(Event, tag="turn.end"):
    decks: Annotated[
        ByPlayer[Int] | None, claim("number", "how many cards each deck has", keys="player", unit="cards")
    ] = None


class GameEnd(Event, tag="game.end"):
    winner: Annotated[Id | UnsetType | None, claim("player", "who won the game", null="nobody did")] = UNSET
    reason: Annotated[
        Literal["two_sectors", "turn4_total", "extra_turn", "draw", "deck_loss", "concession", "time", "judge"] | None,
        fact("choice", "why the game ended"),
    ] = None
    totals: Annotated[
        ByPlayer[Int] | None,
        claim("number", "the requirements of the sectors that each player took, added up", keys="player"),
    ] = None


# -- what every game has ------------------------------------------------------------------------------------------


class Position(Event, tag="position"):
    turn: StatedTurn = None
    battle: StatedBattle = None
    ba: StatedBa = None
    phase: StatedPhase = None
    roles: StatedRoles = None
    planet: StatedPlanet = None
    next: StatedNext = UNSET
    zones: StatedZones = None
    sectors: StatedSectors = None
    served: StatedServed = None
    sector: StatedSector = None
    chooser: StatedChooser = None
    step: StatedStep = None
    passes: StatedPasses = None
    flags: StatedFlags = None
    bonuses: StatedBonuses = None


class Undo(Event, tag="undo"):
    to: acts.BackTo = None


class Judge(Event, tag="judge"):
    text: acts.Settled = None
    position: Annotated[Stated | None, acts.AS_SETTLED] = None


class Remark(Event, tag="remark"):
    text: acts.Remarked = None


class End(Event, tag="end"):
    reason: acts.Ended = None


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


OF_A_PLAYER = frozenset({SetupAbility, *(kind for kind in _TYPES if "by" in needed(kind))})
"""Event types of which it matters who acted."""
