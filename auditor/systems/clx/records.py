"""The events of a log of Calixtus' Edition, as they are written: one struct an event type.

Source: catalogue section 5 and design 5.1. Field names are those of the log; fields that begin with `claimed_` are what
the players worked out, the rest are facts. Every field but `seq` may be absent and is then None: whether that matters
is the auditor's business. `Allocate.wounds` is `list` in logs. Unknown fields are passed over. Structs are plain for speed, and read-only to everyone.

Numbers are kept as written (`written.exact` makes them exact); ids have at most 64 characters, texts 2,000.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from auditor.systems import acts
from auditor.systems.clx.written import Id, Int, Number, Place, Text
from auditor.systems.fields import claim, fact, label

Phase: TypeAlias = Literal["pre", "movement", "psychic", "shooting", "assault", "post"]
Arc: TypeAlias = Literal["front", "side", "rear"]
MOST_POINTS, MOST_ENTRIES = 64, 400
"""Points of the way of one model; models, dice or rows that one event lists."""
Row = TypeVar("Row")
Some = Annotated[list[Row], Meta(max_length=MOST_ENTRIES)]
ById = Annotated[dict[Id, Row], Meta(max_length=MOST_ENTRIES)]
Dice: TypeAlias = Some[Int]
Path: TypeAlias = Annotated[list[Place], Meta(max_length=MOST_POINTS)]
Headings: TypeAlias = Annotated[list[Number], Meta(max_length=MOST_POINTS)]


class Part(msgspec.Struct, kw_only=True, gc=False, omit_defaults=True):
    """A piece of an event."""


class PlayerDie(Part):
    player: Annotated[Id | None, fact("player", "who rolled")] = None
    die: Annotated[Int | None, fact("face", "what the die showed")] = None


class Placed(Part):
    """A model put on the table. `heading`: of a vehicle, in degrees."""

    id: Annotated[Id | None, fact("model", "which model it is")] = None
    pos: Annotated[Place | None, fact("point", "where it was placed, in inches")] = None
    heading: Annotated[Number | None, fact("number", "of a vehicle: which way it faces", unit="degrees")] = None


class Moved(Part):
    """The way of one model. `ends_only`: what lies between its points was not recorded."""

    id: Annotated[Id | None, fact("model", "which model moved")] = None
    path: Annotated[
        Path | None, fact("point", "its path in inches, with the point where it begins", states=("start", "id"))
    ] = None
    headings: Annotated[
        Headings | None,
        fact("number", "of a vehicle: which way it faces on leaving each point, and at the end", unit="degrees"),
    ] = None
    ends_only: Annotated[bool | None, fact("flag", "whether only the ends of the path were recorded")] = None


class ModelDie(Part):
    model: Annotated[Id | None, fact("model", "for which model")] = None
    die: Annotated[Int | None, fact("face", "what the die showed")] = None


def rolled_again(reroll: int | list[int] | None) -> list[int]:
    """The faces of a die that was rolled again, of which one may stand by itself."""
    return [] if reroll is None else reroll if isinstance(reroll, list) else [reroll]


class Roll(Part):
    """A die and, where it was rolled again, what it became; a list where it was rolled again more than once."""

    die: Annotated[Int | None, fact("face", "what the die showed")] = None
    reroll: Annotated[Int | Some[Int] | None, fact("face", "what it showed when it was rolled again")] = None

    def __post_init__(self) -> None:
        if self.reroll == []:
            self.reroll = None

    @property
    def again(self) -> list[int]:
        """What it showed each time that it was rolled again."""
        return rolled_again(self.reroll)

    @property
    def final(self) -> int | None:
        """What it showed in the end."""
        return self.again[-1] if self.again else self.die


class Firer(Part):
    model: Annotated[Id | None, fact("model", "which model fired")] = None
    shots: Annotated[Int | None, fact("number", "how many shots it fired", unit="shots")] = None
    claimed_range: Annotated[Number | None, claim("number", "the range", unit="inches")] = None
    claimed_range_bonus: Annotated[Number | None, claim("number", "what height adds to the range", unit="inches")] = (
        None
    )
    claimed_half: Annotated[bool | None, claim("flag", "whether the target was within half range")] = None
    snap: Annotated[bool | None, fact("flag", "whether they were snap shots")] = None


class LookOut(Part):
    """Look Out, Sir!: a wound taken by another model."""

    die: Annotated[Int | None, fact("face", "what the die showed")] = None
    to: Annotated[Id | None, fact("model", "which model took the wound")] = None


class Save(Part):
    kind: Annotated[Literal["AS", "inv"] | None, fact("choice", "whether it was an armour or an invulnerable save")] = (
        None
    )
    die: Annotated[Int | None, fact("face", "what the die showed")] = None
    claimed_needed: Annotated[Int | None, claim("number", "what the save needed")] = None


class Wound(Part):
    """One wound as it was allocated. No `save`: none was taken."""

    model: Annotated[Id | None, fact("model", "which model was wounded")] = None
    look_out_sir: Annotated[LookOut | None, fact("part", "whether another model took it (Look Out, Sir!)")] = None
    save: Annotated[Save | None, fact("part", "the save, if one was taken")] = None
    claimed_saved: Annotated[bool | None, claim("flag", "whether it was saved")] = None
    claimed_removed: Annotated[bool | None, claim("flag", "whether the model was removed")] = None


class Attacker(Part):
    model: Annotated[Id | None, fact("model", "which model struck")] = None
    claimed_attacks: Annotated[Int | None, claim("number", "how many attacks it had", unit="attacks")] = None
    claimed_initiative: Annotated[
        Int | None, claim("number", "at which Initiative it struck", states=("strikes", "model"))
    ] = None
    target: Annotated[Id | None, fact("unit", "at which unit it struck")] = None
    weapon: Annotated[Id | None, fact("weapon", "with which weapon it struck")] = None


class Effects(Part):
    """What an EMP grenade is said to have done."""

    wounded: Annotated[Some[Id] | None, claim("model", "which models were wounded")] = None
    pinned: Annotated[bool | None, claim("flag", "whether the unit was pinned")] = None
    initiative_one: Annotated[Some[Id] | None, claim("model", "which models strike at Initiative 1")] = None


class ModelStated(Part):
    id: Annotated[Id | None, fact("model", "which model it is")] = None
    pos: Annotated[Place | None, fact("point", "where it stands, in inches")] = None
    heading: Annotated[Number | None, fact("number", "of a vehicle: which way it faces", unit="degrees")] = None
    wounds: Annotated[Int | None, fact("number", "how many wounds it has left", unit="wounds")] = None
    embarked: Annotated[Id | None, fact("unit", "on board which transport it is")] = None


class Arrived(Part):
    turn: Annotated[Int | None, fact("number", "in which turn")] = None
    method: Annotated[Literal["normal", "outflank", "deepstrike"] | None, fact("choice", "how")] = None


class UnitStated(Part):
    unit: Annotated[Id | None, fact("unit", "which unit it is")] = None
    models: Annotated[Some[ModelStated] | None, fact("part", "where its models stand")] = None
    facing: Annotated[Number | None, fact("number", "which way it faces", unit="degrees")] = None
    hidden: Annotated[bool | None, fact("flag", "whether it is hidden")] = None
    reserve: Annotated[bool | None, fact("flag", "whether it is in reserve")] = None
    falling_back: Annotated[bool | None, fact("flag", "whether it is falling back")] = None
    pinned: Annotated[bool | None, fact("flag", "whether it is pinned")] = None
    gone_to_ground: Annotated[bool | None, fact("flag", "whether it has gone to ground")] = None
    prone: Annotated[
        Literal["none", "dropped", "pressed", "against_orders"] | None,
        fact("choice", "how it came off with dropping prone"),
    ] = None
    jinking: Annotated[bool | None, fact("flag", "whether it is jinking")] = None
    locked_with: Annotated[Some[Id] | None, fact("unit", "with which units it is locked in combat")] = None
    frenzy_lost: Annotated[bool | None, fact("flag", "whether it has lost its Frenzy")] = None
    fear_failed: Annotated[Some[Id] | None, fact("unit", "of which units it is afraid")] = None
    fear_overcome: Annotated[Some[Id] | None, fact("unit", "of which units it has overcome its fear")] = None
    known: Annotated[ById[Some[Id]] | None, fact("power", "which powers its models know", keys="model")] = None
    moved: Annotated[bool | None, fact("flag", "whether it moved this turn")] = None
    ran: Annotated[Literal["run", "turbo", "flat_out"] | None, fact("choice", "how it ran this turn")] = None
    shot: Annotated[Some[Id] | None, fact("weapon", "which weapons it shot with this turn")] = None
    shooting_spent: Annotated[bool | None, fact("flag", "whether its shooting is spent")] = None
    charged: Annotated[Id | None, fact("unit", "whom it charged this turn")] = None
    arrived: Annotated[
        Arrived | msgspec.UnsetType | None, fact("part", "when and how it arrived", null="it did not")
    ] = msgspec.UNSET
    start_gap: Annotated[
        ById[Number] | None,
        fact("number", "how far it was from other units when the turn began", keys="unit", unit="inches"),
    ] = None


StatedTurn: TypeAlias = Annotated[Int | None, fact("number", "which turn it is, 0 before the battle")]
StatedPhase: TypeAlias = Annotated[Phase | None, fact("choice", "which phase it is")]
StatedActive: TypeAlias = Annotated[Id | None, fact("player", "whose turn it is")]
StatedFirst: TypeAlias = Annotated[Id | None, fact("player", "who had the first turn")]
StatedRemoved: TypeAlias = Annotated[Some[Id] | None, fact("model", "which models were removed")]
StatedPools: TypeAlias = Annotated[
    ById[Int] | None, fact("number", "how many warp charges each player has left", keys="player", unit="charges")
]
StatedUnits: TypeAlias = Annotated[Some[UnitStated] | None, fact("part", "how the units stand")]


class Stated(Part):
    """A whole position in the log's words."""

    turn: StatedTurn = None
    phase: StatedPhase = None
    active: StatedActive = None
    first: StatedFirst = None
    removed: StatedRemoved = None
    pools: StatedPools = None
    units: StatedUnits = None


class Event(msgspec.Struct, kw_only=True, gc=False, omit_defaults=True, tag_field="type"):
    """What every event may carry: the turn (0 before the battle) and the phase it is in, and who acts."""

    seq: acts.Seq
    player: Annotated[Id | None, fact("player", "who acted")] = None
    turn: Annotated[Int | None, fact("number", "in which turn it was, 0 before the battle")] = None
    phase: Annotated[Phase | None, fact("choice", "in which phase it was")] = None


# -- the frame ----------------------------------------------------------------------------------------------------


class RollOff(Event, tag="roll_off"):
    rolls: Annotated[Some[PlayerDie] | None, fact("part", "the dice of both players", needed=True)] = None
    claimed_winner: Annotated[Id | None, claim("player", "who won the roll-off")] = None


class DeployChoice(Event, tag="deploy_choice"):
    deploys_first: Annotated[Id | None, fact("player", "who deploys first", needed=True)] = None
    first_turn: Annotated[Id | None, fact("player", "who has the first turn", needed=True)] = None


class Deploy(Event, tag="deploy"):
    unit: Annotated[Id | None, fact("unit", "which unit was deployed", needed=True)] = None
    models: Annotated[Some[Placed] | None, fact("part", "where its models were placed")] = None
    facing: Annotated[Number | None, fact("number", "which way it faces", unit="degrees")] = None
    hidden: Annotated[bool | None, fact("flag", "whether it is hidden")] = None
    vehicle: Annotated[Id | None, fact("unit", "on board which transport it is")] = None


class Seize(Event, tag="seize"):
    die: Annotated[Int | None, fact("face", "what the die showed", needed=True)] = None
    claimed_success: Annotated[bool | None, claim("flag", "whether the initiative was seized")] = None


class TurnStart(Event, tag="turn_start"):
    claimed_night: Annotated[bool | None, claim("flag", "whether it is night")] = None


class TurnEnd(Event, tag="turn_end"):
    claimed_night: Annotated[bool | None, claim("flag", "whether it is night")] = None


class PhaseStart(Event, tag="phase_start"):
    pass


class PhaseEnd(Event, tag="phase_end"):
    pass


class GameLengthRoll(Event, tag="game_length_roll"):
    after_turn: Annotated[Int | None, fact("number", "after which turn it was rolled", needed=True)] = None
    roller: Annotated[Id | None, fact("player", "who rolled", needed=True)] = None
    die: Annotated[Int | None, fact("face", "what the die showed", needed=True)] = None
    claimed_continues: Annotated[bool | None, claim("flag", "whether the game goes on")] = None


class GameEnd(Event, tag="game_end"):
    after_turn: Annotated[Int | None, fact("number", "after which turn the game ended", needed=True)] = None
    reason: Annotated[
        Literal["roll", "last_turn", "concession", "time", "other"] | None, fact("choice", "why it ended", needed=True)
    ] = None


# -- movement -----------------------------------------------------------------------------------------------------


class ReserveArrival(Event, tag="reserve_arrival"):
    unit: Annotated[Id | None, fact("unit", "which unit arrived", needed=True)] = None
    method: Annotated[
        Literal["normal", "outflank", "deepstrike"] | None, fact("choice", "how it arrived", needed=True)
    ] = None
    models: Annotated[Some[Placed] | None, fact("part", "where its models were placed", needed=True)] = None
    facing: Annotated[Number | None, fact("number", "which way it faces", unit="degrees")] = None
    hidden: Annotated[bool | None, fact("flag", "whether it is hidden")] = None


class Move(Event, tag="move"):
    unit: Annotated[Id | None, fact("unit", "which unit moved", needed=True, states=("moves", ""))] = None
    models: Annotated[Some[Moved] | None, fact("part", "the ways of its models", needed=True)] = None
    difficult_dice: Annotated[Dice | None, fact("face", "what the dice for difficult terrain showed")] = None
    dangerous: Annotated[Some[ModelDie] | None, fact("part", "the dice for dangerous terrain")] = None
    claimed_allowance: Annotated[Number | None, claim("number", "how far it may move", unit="inches")] = None


class Embark(Event, tag="embark"):
    unit: Annotated[Id | None, fact("unit", "which unit embarked", needed=True)] = None
    vehicle: Annotated[Id | None, fact("unit", "on board which transport it went", needed=True)] = None


class Disembark(Event, tag="disembark"):
    unit: Annotated[Id | None, fact("unit", "which unit disembarked", needed=True)] = None
    vehicle: Annotated[Id | None, fact("unit", "from which transport it came", needed=True)] = None
    models: Annotated[Some[Placed] | None, fact("part", "where its models were placed", needed=True)] = None


# -- psychic phase ------------------------------------------------------------------------------------------------


class LoreMastery(Event, tag="lore_mastery"):
    psyker: Annotated[Id | None, fact("model", "which psyker rolled", needed=True)] = None
    dice: Annotated[Dice | None, fact("face", "what the dice of lore showed")] = None
    allocation: Annotated[Some[Id] | None, fact("discipline", "for which discipline each die was rolled")] = None
    known: Annotated[Some[Id] | None, fact("power", "which powers the psyker knows")] = None
    swapped_primaris: Annotated[Id | None, fact("power", "which power was taken in place of the primaris")] = None


class WarpCharge(Event, tag="warp_charge"):
    psyker: Annotated[Id | None, fact("model", "which psyker rolled", needed=True)] = None
    role: Annotated[Literal["attack", "dispel"] | None, fact("choice", "for whose pool it was rolled", needed=True)] = (
        None
    )
    d3: Annotated[Int | Dice | None, fact("face", "what the dice read as D3 showed")] = None
    d6: Annotated[Int | Dice | None, fact("face", "what the dice showed")] = None
    claimed_charges: Annotated[Int | None, claim("number", "how many warp charges the roll gives", unit="charges")] = (
        None
    )


class Cast(Event, tag="cast"):
    id: Annotated[Id | None, fact("cast", "the name by which later events call the cast")] = None
    psyker: Annotated[Id | None, fact("model", "which psyker cast", needed=True)] = None
    power: Annotated[Id | None, fact("power", "which power was cast", needed=True)] = None
    target: Annotated[Id | None, fact("unit", "at which unit it was cast")] = None
    dice: Annotated[Dice | None, fact("face", "what the dice showed", needed=True)] = None
    claimed_total: Annotated[Int | None, claim("number", "the total of the dice")] = None
    claimed_success: Annotated[bool | None, claim("flag", "whether the cast succeeded")] = None
    claimed_perils: Annotated[bool | None, claim("flag", "whether it brought perils")] = None


class Dispel(Event, tag="dispel"):
    cast: Annotated[Id | None, fact("cast", "against which cast", needed=True)] = None
    psyker: Annotated[Id | None, fact("model", "which psyker dispelled")] = None
    dice: Annotated[Dice | None, fact("face", "what the dice showed", needed=True)] = None
    claimed_success: Annotated[bool | None, claim("flag", "whether the cast was dispelled")] = None
    claimed_perils: Annotated[bool | None, claim("flag", "whether it brought perils")] = None


class MentalResistance(Event, tag="mental_resistance"):
    cast: Annotated[Id | None, fact("cast", "against which cast", needed=True)] = None
    unit: Annotated[Id | None, fact("unit", "which unit resisted", needed=True)] = None
    die: Annotated[Int | None, fact("face", "what the die showed", needed=True)] = None
    claimed_bonus: Annotated[Int | None, claim("number", "what is added to the die")] = None
    claimed_needed: Annotated[Int | None, claim("number", "what was needed")] = None
    claimed_success: Annotated[bool | None, claim("flag", "whether the unit resisted")] = None


class Perils(Event, tag="perils"):
    psyker: Annotated[Id | None, fact("model", "which psyker it befell")] = None
    cause: Annotated[Id | None, fact("cast", "which cast brought it")] = None
    outcome: Annotated[Text | None, label("text", "what came of it, in words")] = None


class Spot(Event, tag="spot"):
    spotter: Annotated[Id | None, fact("unit", "which unit looked", needed=True)] = None
    target: Annotated[Id | None, fact("unit", "for which unit it looked", needed=True)] = None
    die_spotter: Annotated[Int | None, fact("face", "what the die of the spotter showed", needed=True)] = None
    die_target: Annotated[Int | None, fact("face", "what the die of the target showed", needed=True)] = None
    reroll_spotter: Annotated[Int | None, fact("face", "what the die of the spotter showed when rolled again")] = None
    reroll_target: Annotated[Int | None, fact("face", "what the die of the target showed when rolled again")] = None
    auspex: Annotated[bool | None, fact("flag", "whether an auspex was used")] = None
    distance: Annotated[Number | None, fact("number", "the distance", unit="inches")] = None
    claimed_revealed: Annotated[bool | None, claim("flag", "whether the unit was revealed")] = None


# -- shooting -----------------------------------------------------------------------------------------------------


class Shoot(Event, tag="shoot"):
    attack: Annotated[Id | None, fact("attack", "the name by which later events call the attack", needed=True)] = None
    unit: Annotated[Id | None, fact("unit", "which unit shot", needed=True)] = None
    target: Annotated[Id | None, fact("unit", "which unit was shot at", needed=True)] = None
    claimed_in_range: Annotated[bool | None, claim("flag", "whether the target was in range")] = None
    claimed_failed: Annotated[bool | None, claim("flag", "whether the attack failed")] = None
    claimed_arc: Annotated[Arc | None, claim("choice", "from which arc it came")] = None


class Jink(Event, tag="jink"):
    unit: Annotated[Id | None, fact("unit", "which unit jinked", needed=True)] = None
    attack: Annotated[Id | None, fact("attack", "against which attack")] = None


class GoToGround(Event, tag="go_to_ground"):
    unit: Annotated[Id | None, fact("unit", "which unit went to ground", needed=True, states=("lies", ""))] = None
    attack: Annotated[Id | None, fact("attack", "against which attack", needed=True)] = None


class WeaponFire(Event, tag="weapon_fire"):
    attack: Annotated[Id | None, fact("attack", "of which attack it is", needed=True, states=("shoots", ""))] = None
    weapon: Annotated[Id | None, fact("weapon", "which weapon was fired", needed=True)] = None
    firers: Annotated[Some[Firer] | None, fact("part", "which models fired it", needed=True)] = None
    guess: Annotated[Number | None, fact("number", "of a guess weapon: the range guessed", unit="inches")] = None


class GuessShot(Event, tag="guess_shot"):
    attack: Annotated[Id | None, fact("attack", "of which attack it is", needed=True)] = None
    model: Annotated[Id | None, fact("model", "which model fired", needed=True)] = None
    aim: Annotated[Place | None, fact("point", "the point aimed at, in inches", needed=True)] = None
    guess: Annotated[Number | None, fact("number", "the range guessed", unit="inches", needed=True)] = None
    placed_distance: Annotated[Number | None, fact("number", "how far away the shot was placed", unit="inches")] = None
    to_hit_die: Annotated[Int | None, fact("face", "what the die to hit showed")] = None
    scatter_angle: Annotated[Number | None, fact("number", "which way it scattered", unit="degrees")] = None
    scatter_dice: Annotated[Dice | None, fact("face", "what the dice for the scatter showed")] = None
    claimed_final: Annotated[Place | None, claim("point", "where it came down, in inches")] = None
    hit_models: Annotated[Some[Id] | None, fact("model", "which models were under it")] = None


class CoverRolls(Event, tag="cover_rolls"):
    attack: Annotated[Id | None, fact("attack", "of which attack it is", needed=True)] = None
    weapon: Annotated[Id | None, fact("weapon", "against which weapon")] = None
    firers: Annotated[Some[Id] | None, fact("model", "against which firers, where their cover differs")] = None
    waived: Annotated[bool | None, fact("flag", "whether cover was waived")] = None
    dice: Annotated[
        Dice | None, fact("face", "what the dice showed", needed=lambda event: not event.waived and not event.reread)
    ] = None
    claimed_level: Annotated[Int | None, claim("number", "the level of the cover")] = None
    claimed_needed: Annotated[Int | None, claim("number", "what was needed")] = None
    claimed_saved: Annotated[Int | None, claim("number", "how many shots were stopped", unit="shots")] = None
    reread: Annotated[bool | None, fact("flag", "whether the dice of an earlier event are read again")] = None


class HitRolls(Event, tag="hit_rolls"):
    attack: Annotated[Id | None, fact("attack", "of which attack it is", needed=True, states=("shoots", ""))] = None
    weapon: Annotated[Id | None, fact("weapon", "with which weapon", needed=True)] = None
    rolls: Annotated[Some[Roll] | None, fact("part", "the dice to hit", needed=True)] = None
    claimed_needed: Annotated[Int | None, claim("number", "what was needed")] = None
    claimed_reroll_needed: Annotated[Int | None, claim("number", "what a die rolled again needed")] = None
    claimed_hits: Annotated[Int | None, claim("number", "how many hits there were", unit="hits")] = None


class WoundRolls(Event, tag="wound_rolls"):
    attack: Annotated[Id | None, fact("attack", "of which attack it is", needed=True)] = None
    weapon: Annotated[Id | None, fact("weapon", "with which weapon", needed=True)] = None
    rolls: Annotated[Some[Roll] | None, fact("part", "the dice to wound", needed=True)] = None
    claimed_needed: Annotated[Int | None, claim("number", "what was needed")] = None
    claimed_wounds: Annotated[Int | None, claim("number", "how many wounds there were", unit="wounds")] = None
    pool: Annotated[Id | None, fact("pool", "the name by which the allocation calls these wounds")] = None
    automatic: Annotated[Int | None, fact("number", "how many wounds needed no die", unit="wounds")] = None


class Allocate(Event, tag="allocate"):
    attack: Annotated[Id | None, fact("attack", "of which attack it is", needed=True)] = None
    pool: Annotated[Id | None, fact("pool", "which wounds were allocated")] = None
    wounds: Annotated[Some[Wound] | None, fact("part", "the wounds in the order of allocation", needed=True)] = (
        msgspec.field(default=None, name="list")
    )
    chosen_by: Annotated[Id | None, fact("player", "who chose among models equally close")] = None


# -- tests and flight ---------------------------------------------------------------------------------------------


class PinningTest(Event, tag="pinning_test"):
    unit: Annotated[Id | None, fact("unit", "which unit tested", needed=True)] = None
    causes: Annotated[Some[Id] | None, fact("attack", "because of which attacks")] = None
    dice: Annotated[Dice | None, fact("face", "what the dice showed", needed=True)] = None
    claimed_modifier: Annotated[Int | None, claim("number", "what is added to the dice")] = None
    claimed_pinned: Annotated[bool | None, claim("flag", "whether the unit is pinned")] = None


class Morale(Event, tag="morale"):
    unit: Annotated[Id | None, fact("unit", "which unit tested", needed=True)] = None
    cause: Annotated[
        Literal["shooting", "crossfire", "combat", "tank_shock", "other"] | None, fact("choice", "why it tested")
    ] = None
    attacks: Annotated[Some[Id] | None, fact("attack", "because of which attacks")] = None
    dice: Annotated[Dice | None, fact("face", "what the dice showed", needed=True)] = None
    claimed_modifier: Annotated[Int | None, claim("number", "what is added to the dice")] = None
    claimed_passed: Annotated[bool | None, claim("flag", "whether the test was passed")] = None


class LdTest(Event, tag="ld_test"):
    unit: Annotated[Id | None, fact("unit", "which unit tested", needed=True)] = None
    cause: Annotated[
        Literal["fear_charged", "fear_charging", "prone", "regroup", "other"] | None,
        fact("choice", "why it tested", needed=True),
    ] = None
    versus: Annotated[Id | None, fact("unit", "because of which unit it tested")] = None
    dice: Annotated[Dice | None, fact("face", "what the dice showed", needed=True)] = None
    claimed_modifier: Annotated[Int | None, claim("number", "what is added to the dice")] = None
    claimed_passed: Annotated[bool | None, claim("flag", "whether the test was passed")] = None


class CharTest(Event, tag="char_test"):
    unit: Annotated[Id | None, fact("unit", "which unit tested")] = None
    model: Annotated[Id | None, fact("model", "which model tested")] = None
    characteristic: Annotated[
        Literal["S", "T", "I"] | None, fact("choice", "which characteristic was tested", needed=True)
    ] = None
    die: Annotated[Int | None, fact("face", "what the die showed", needed=True)] = None
    reroll: Annotated[Int | Some[Int] | None, fact("face", "what it showed when it was rolled again")] = None
    claimed_passed: Annotated[bool | None, claim("flag", "whether the test was passed")] = None
    cause: Annotated[Literal["acute_senses", "counterattack", "other"] | None, fact("choice", "why it was made")] = None


class FallBack(Event, tag="fall_back"):
    unit: Annotated[Id | None, fact("unit", "which unit fell back", needed=True)] = None
    dice: Annotated[Dice | None, fact("face", "what the dice showed", needed=True)] = None
    models: Annotated[Some[Moved] | None, fact("part", "the ways of its models", needed=True)] = None
    dangerous: Annotated[Some[ModelDie] | None, fact("part", "the dice for dangerous terrain")] = None


class ProneChoice(Event, tag="prone_choice"):
    unit: Annotated[Id | None, fact("unit", "which unit chose", needed=True)] = None
    attack: Annotated[Id | None, fact("attack", "under which attack")] = None
    choice: Annotated[
        Literal["drop", "press"] | None, fact("choice", "whether it dropped or pressed on", needed=True)
    ] = None


class Run(Event, tag="run"):
    unit: Annotated[Id | None, fact("unit", "which unit ran", needed=True, states=("moves", ""))] = None
    mode: Annotated[Literal["run", "turbo", "flat_out"] | None, fact("choice", "how it ran")] = None
    dice: Annotated[Dice | None, fact("face", "what the dice showed")] = None
    models: Annotated[Some[Moved] | None, fact("part", "the ways of its models", needed=True)] = None
    claimed_distance: Annotated[Number | None, claim("number", "how far it may run", unit="inches")] = None
    zooming: Annotated[bool | None, fact("flag", "whether the flyer zooms this turn")] = None
    swooping: Annotated[bool | None, fact("flag", "whether the flying monster swoops this turn")] = None


# -- assault ------------------------------------------------------------------------------------------------------


class Charge(Event, tag="charge"):
    unit: Annotated[Id | None, fact("unit", "which unit charged", needed=True, states=("moves", ""))] = None
    target: Annotated[Id | None, fact("unit", "which unit was charged", needed=True)] = None
    dice: Annotated[Dice | None, fact("face", "what the dice showed", needed=True)] = None
    claimed_distance: Annotated[Number | None, claim("number", "the gap to the nearest model", unit="inches")] = None
    claimed_success: Annotated[bool | None, claim("flag", "whether the charge succeeded")] = None
    claimed_arc: Annotated[Arc | None, claim("choice", "from which arc it came")] = None


class ChargeMove(Event, tag="charge_move"):
    unit: Annotated[Id | None, fact("unit", "which unit charged", needed=True, states=("moves", ""))] = None
    target: Annotated[Id | None, fact("unit", "which unit was charged", needed=True)] = None
    models: Annotated[Some[Moved] | None, fact("part", "the ways of its models", needed=True)] = None
    failed: Annotated[bool | None, fact("flag", "whether the charge failed")] = None


class PileIn(Event, tag="pile_in"):
    unit: Annotated[Id | None, fact("unit", "which unit piled in", needed=True)] = None
    models: Annotated[Some[Moved] | None, fact("part", "the ways of its models", needed=True)] = None


class Grenade(Event, tag="grenade"):
    attack: Annotated[Id | None, fact("attack", "the name by which later events call the attack", needed=True)] = None
    unit: Annotated[Id | None, fact("unit", "which unit threw", needed=True)] = None
    model: Annotated[Id | None, fact("model", "which model threw", needed=True)] = None
    grenade: Annotated[Id | None, fact("weapon", "which grenade was thrown", needed=True)] = None
    side: Annotated[
        Literal["attacker", "defender"] | None, fact("choice", "whether the attacker or the defender threw")
    ] = None
    target: Annotated[Id | None, fact("unit", "at which unit it was thrown", needed=True)] = None
    hit_models: Annotated[Some[Id] | None, fact("model", "which models were hit")] = None
    effect_dice: Annotated[Some[ModelDie] | None, fact("part", "the dice for an EMP grenade")] = None
    claimed_needed: Annotated[Int | None, claim("number", "what was needed")] = None
    claimed_effects: Annotated[Effects | None, claim("part", "what an EMP grenade did")] = None


class FightStep(Event, tag="fight_step"):
    attack: Annotated[Id | None, fact("attack", "the name by which later events call the step", needed=True)] = None
    initiative: Annotated[Int | None, fact("number", "at which Initiative it was", needed=True)] = None
    attackers: Annotated[Some[Attacker] | None, fact("part", "which models struck", needed=True)] = None


class CombatResult(Event, tag="combat_result"):
    units: Annotated[Some[Id] | None, fact("unit", "which units fought")] = None
    wounds_by_A: Annotated[Int | None, claim("number", "how many wounds the first player caused", unit="wounds")] = None
    wounds_by_B: Annotated[Int | None, claim("number", "how many wounds the second player caused", unit="wounds")] = (
        None
    )
    claimed_loser: Annotated[
        Id | msgspec.UnsetType | None, claim("player", "who lost the combat", null="nobody, it was a tie")
    ] = msgspec.UNSET


# -- vehicles and the rest ----------------------------------------------------------------------------------------


class VehicleHit(Event, tag="vehicle_hit"):
    attack: Annotated[Id | None, fact("attack", "of which attack it is", needed=True)] = None
    weapon: Annotated[Id | None, fact("weapon", "with which weapon")] = None
    vehicle: Annotated[Id | None, fact("unit", "which vehicle was hit", needed=True)] = None
    claimed_facing: Annotated[Arc | None, claim("choice", "which side was hit")] = None
    dice: Annotated[Dice | None, fact("face", "what the dice for armour penetration showed", needed=True)] = None
    rending_d3: Annotated[Int | None, fact("face", "what the D3 for rending showed")] = None
    claimed_total: Annotated[Int | None, claim("number", "the total")] = None
    claimed_result: Annotated[
        Literal["none", "glance", "pen"] | None, claim("choice", "whether it was a glancing or a penetrating hit")
    ] = None
    claimed_wounds: Annotated[Int | None, claim("number", "how many hull wounds it caused", unit="wounds")] = None
    to_hit_die: Annotated[Int | None, fact("face", "what the die to hit showed")] = None


class VehicleExplodes(Event, tag="vehicle_explodes"):
    attack: Annotated[Id | None, fact("attack", "the name by which later events call the explosion")] = None
    vehicle: Annotated[Id | None, fact("unit", "which vehicle exploded", needed=True)] = None
    radius_die: Annotated[Int | None, fact("face", "what the die for the radius showed", needed=True)] = None
    hit_models: Annotated[Some[Id] | None, fact("model", "which models were hit")] = None
    wound_rolls: Annotated[Some[ModelDie] | None, fact("part", "the dice to wound of those around it")] = None
    saves: Annotated[Some[ModelDie] | None, fact("part", "the saves of those around it")] = None
    casualties: Annotated[Some[Id] | None, fact("model", "which models were removed")] = None
    passenger_unit: Annotated[Id | None, fact("unit", "which unit was on board")] = None
    passenger_hits: Annotated[Int | None, fact("number", "how many hits it took", unit="hits")] = None
    passenger_S: Annotated[Int | None, fact("number", "the Strength of these hits")] = None
    passenger_AP: Annotated[Int | None, fact("number", "the AP of these hits")] = None
    passenger_wound_rolls: Annotated[Dice | None, fact("face", "what the dice to wound of the passengers showed")] = (
        None
    )
    passenger_saves: Annotated[Dice | None, fact("face", "what the saves of the passengers showed")] = None
    survivors: Annotated[Some[Placed] | None, fact("part", "where the passengers that are left were placed")] = None


class TankShock(Event, tag="tank_shock"):
    vehicle: Annotated[Id | None, fact("unit", "which vehicle drove", needed=True)] = None
    unit: Annotated[Id | None, fact("unit", "at which unit it drove", needed=True)] = None
    path: Annotated[Path | None, fact("point", "its path in inches, with the point where it begins", needed=True)] = (
        None
    )
    headings: Annotated[
        Headings | None, fact("number", "which way it faces on leaving each point, and at the end", unit="degrees")
    ] = None


class Removed(Event, tag="removed"):
    model: Annotated[Id | None, fact("model", "which model was removed", needed=True)] = None
    reason: Annotated[Text | None, fact("text", "why it was removed")] = None


class Note(Event, tag="note"):
    """A remark of the players."""

    text: acts.Remarked = None


# -- as in every game ---------------------------------------------------------------------------------------------


class Position(Event, tag="position"):
    """States the position; `turn` and `phase` are those of every event."""

    turn: StatedTurn = None
    phase: StatedPhase = None
    active: StatedActive = None
    first: StatedFirst = None
    removed: StatedRemoved = None
    pools: StatedPools = None
    units: StatedUnits = None


class Undo(Event, tag="undo"):
    to: acts.BackTo = None


class Judge(Event, tag="judge"):
    text: acts.Settled = None
    position: Annotated[Stated | None, acts.AS_SETTLED] = None


class Remark(Event, tag="remark"):
    text: acts.Remarked = None


class End(Event, tag="end"):
    reason: acts.Ended = None


AnyEvent: TypeAlias = (
    RollOff
    | DeployChoice
    | Deploy
    | Seize
    | TurnStart
    | TurnEnd
    | PhaseStart
    | PhaseEnd
    | GameLengthRoll
    | GameEnd
    | ReserveArrival
    | Move
    | Embark
    | Disembark
    | LoreMastery
    | WarpCharge
    | Cast
    | Dispel
    | MentalResistance
    | Perils
    | Spot
    | Shoot
    | Jink
    | GoToGround
    | WeaponFire
    | GuessShot
    | CoverRolls
    | HitRolls
    | WoundRolls
    | Allocate
    | PinningTest
    | Morale
    | LdTest
    | CharTest
    | FallBack
    | ProneChoice
    | Run
    | Charge
    | ChargeMove
    | PileIn
    | Grenade
    | FightStep
    | CombatResult
    | VehicleHit
    | VehicleExplodes
    | TankShock
    | Removed
    | Note
    | Position
    | Undo
    | Judge
    | Remark
    | End
)

EVENTS: dict[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in AnyEvent.__args__}
"""Type name in logs -> struct."""
