"""The events of a log of Calixtus' Edition, as they are written: one struct an event type.

Source: catalogue section 5 and design 5.1. Field names are those of the log; fields that begin with `claimed_` are what
the players worked out, the rest are facts. Every field but `seq` may be absent and is then None: whether that matters
is the auditor's business. `Allocate.wounds` is `list` in logs. Unknown fields are passed over. Structs are plain for speed, and read-only to everyone.

Numbers are kept as written (`written.exact` makes them exact); ids have at most 64 characters, texts 2,000.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from auditor.systems.clx.written import LARGEST, Id, Int, Number, Place, Text

Phase: TypeAlias = Literal["pre", "movement", "psychic", "shooting", "assault", "post"]
Arc: TypeAlias = Literal["front", "side", "rear"]
Dice: TypeAlias = list[Int]
Path: TypeAlias = list[Place]


class Part(msgspec.Struct, kw_only=True, gc=False, omit_defaults=True):
    """A piece of an event."""


class PlayerDie(Part):
    player: Id | None = None
    die: Int | None = None


class Placed(Part):
    """A model put on the table. `heading`: of a vehicle, in degrees."""

    id: Id | None = None
    pos: Place | None = None
    heading: Number | None = None


class Moved(Part):
    """The way of one model. `ends_only`: what lies between its points was not recorded."""

    id: Id | None = None
    path: Path | None = None
    headings: list[Number] | None = None
    ends_only: bool | None = None


class ModelDie(Part):
    model: Id | None = None
    die: Int | None = None


class Roll(Part):
    """A die and, where it was rolled again, what it became; a list where it was rolled again more than once."""

    die: Int | None = None
    reroll: Int | list[Int] | None = None

    def __post_init__(self) -> None:
        if self.reroll == []:
            self.reroll = None


class Firer(Part):
    model: Id | None = None
    shots: Int | None = None
    claimed_range: Number | None = None
    claimed_range_bonus: Number | None = None
    claimed_half: bool | None = None
    snap: bool | None = None


class LookOut(Part):
    """Look Out, Sir!: a wound taken by another model."""

    die: Int | None = None
    to: Id | None = None


class Save(Part):
    kind: Literal["AS", "inv"] | None = None
    die: Int | None = None
    claimed_needed: Int | None = None


class Wound(Part):
    """One wound as it was allocated. No `save`: none was taken."""

    model: Id | None = None
    look_out_sir: LookOut | None = None
    save: Save | None = None
    claimed_saved: bool | None = None
    claimed_removed: bool | None = None


class Attacker(Part):
    model: Id | None = None
    claimed_attacks: Int | None = None
    claimed_initiative: Int | None = None
    target: Id | None = None
    weapon: Id | None = None


class Effects(Part):
    """What an EMP grenade is said to have done."""

    wounded: list[Id] | None = None
    pinned: bool | None = None
    initiative_one: list[Id] | None = None


class ModelStated(Part):
    id: Id | None = None
    pos: Place | None = None
    heading: Number | None = None
    wounds: Int | None = None
    embarked: Id | None = None


class Arrived(Part):
    turn: Int | None = None
    method: Literal["normal", "outflank", "deepstrike"] | None = None


class UnitStated(Part):
    unit: Id | None = None
    models: list[ModelStated] | None = None
    facing: Number | None = None
    hidden: bool | None = None
    reserve: bool | None = None
    falling_back: bool | None = None
    pinned: bool | None = None
    gone_to_ground: bool | None = None
    prone: Literal["none", "dropped", "pressed", "against_orders"] | None = None
    jinking: bool | None = None
    locked_with: list[Id] | None = None
    frenzy_lost: bool | None = None
    fear_failed: list[Id] | None = None
    fear_overcome: list[Id] | None = None
    known: dict[Id, list[Id]] | None = None
    moved: bool | None = None
    ran: Literal["run", "turbo", "flat_out"] | None = None
    shot: list[Id] | None = None
    shooting_spent: bool | None = None
    charged: Id | None = None
    arrived: Arrived | msgspec.UnsetType | None = msgspec.UNSET
    start_gap: dict[Id, Number] | None = None


class Stated(Part):
    """A whole position in the log's words."""

    turn: Int | None = None
    phase: Phase | None = None
    active: Id | None = None
    first: Id | None = None
    removed: list[Id] | None = None
    pools: dict[Id, Int] | None = None
    units: list[UnitStated] | None = None


class Event(msgspec.Struct, kw_only=True, gc=False, omit_defaults=True, tag_field="type"):
    """What every event may carry: the turn (0 before the battle) and the phase it is in, and who acts."""

    seq: Annotated[int, Meta(ge=1, le=LARGEST)]
    player: Id | None = None
    turn: Int | None = None
    phase: Phase | None = None


# -- the frame ----------------------------------------------------------------------------------------------------


class RollOff(Event, tag="roll_off"):
    rolls: list[PlayerDie] | None = None
    claimed_winner: Id | None = None


class DeployChoice(Event, tag="deploy_choice"):
    deploys_first: Id | None = None
    first_turn: Id | None = None


class Deploy(Event, tag="deploy"):
    unit: Id | None = None
    models: list[Placed] | None = None
    facing: Number | None = None
    hidden: bool | None = None
    vehicle: Id | None = None


class Seize(Event, tag="seize"):
    die: Int | None = None
    claimed_success: bool | None = None


class TurnStart(Event, tag="turn_start"):
    claimed_night: bool | None = None


class TurnEnd(Event, tag="turn_end"):
    claimed_night: bool | None = None


class PhaseStart(Event, tag="phase_start"):
    pass


class PhaseEnd(Event, tag="phase_end"):
    pass


class GameLengthRoll(Event, tag="game_length_roll"):
    after_turn: Int | None = None
    roller: Id | None = None
    die: Int | None = None
    claimed_continues: bool | None = None


class GameEnd(Event, tag="game_end"):
    after_turn: Int | None = None
    reason: Literal["roll", "last_turn", "concession", "time", "other"] | None = None


# -- movement -----------------------------------------------------------------------------------------------------


class ReserveArrival(Event, tag="reserve_arrival"):
    unit: Id | None = None
    method: Literal["normal", "outflank", "deepstrike"] | None = None
    models: list[Placed] | None = None
    facing: Number | None = None
    hidden: bool | None = None


class Move(Event, tag="move"):
    unit: Id | None = None
    models: list[Moved] | None = None
    difficult_dice: Dice | None = None
    dangerous: list[ModelDie] | None = None
    claimed_allowance: Number | None = None


class Embark(Event, tag="embark"):
    unit: Id | None = None
    vehicle: Id | None = None


class Disembark(Event, tag="disembark"):
    unit: Id | None = None
    vehicle: Id | None = None
    models: list[Placed] | None = None


# -- psychic phase ------------------------------------------------------------------------------------------------


class LoreMastery(Event, tag="lore_mastery"):
    psyker: Id | None = None
    dice: Dice | None = None
    allocation: list[Id] | None = None
    known: list[Id] | None = None
    swapped_primaris: Id | None = None


class WarpCharge(Event, tag="warp_charge"):
    psyker: Id | None = None
    role: Literal["attack", "dispel"] | None = None
    d3: Int | Dice | None = None
    d6: Int | Dice | None = None
    claimed_charges: Int | None = None


class Cast(Event, tag="cast"):
    id: Id | None = None
    psyker: Id | None = None
    power: Id | None = None
    target: Id | None = None
    dice: Dice | None = None
    claimed_total: Int | None = None
    claimed_success: bool | None = None
    claimed_perils: bool | None = None


class Dispel(Event, tag="dispel"):
    cast: Id | None = None
    psyker: Id | None = None
    dice: Dice | None = None
    claimed_success: bool | None = None
    claimed_perils: bool | None = None


class MentalResistance(Event, tag="mental_resistance"):
    cast: Id | None = None
    unit: Id | None = None
    die: Int | None = None
    claimed_bonus: Int | None = None
    claimed_needed: Int | None = None
    claimed_success: bool | None = None


class Perils(Event, tag="perils"):
    psyker: Id | None = None
    cause: Id | None = None
    outcome: Text | None = None


class Spot(Event, tag="spot"):
    spotter: Id | None = None
    target: Id | None = None
    die_spotter: Int | None = None
    die_target: Int | None = None
    reroll_spotter: Int | None = None
    reroll_target: Int | None = None
    auspex: bool | None = None
    distance: Number | None = None
    claimed_revealed: bool | None = None


# -- shooting -----------------------------------------------------------------------------------------------------


class Shoot(Event, tag="shoot"):
    attack: Id | None = None
    unit: Id | None = None
    target: Id | None = None
    claimed_in_range: bool | None = None
    claimed_failed: bool | None = None
    claimed_arc: Arc | None = None


class Jink(Event, tag="jink"):
    unit: Id | None = None
    attack: Id | None = None


class GoToGround(Event, tag="go_to_ground"):
    unit: Id | None = None
    attack: Id | None = None


class WeaponFire(Event, tag="weapon_fire"):
    attack: Id | None = None
    weapon: Id | None = None
    firers: list[Firer] | None = None
    guess: Number | None = None


class GuessShot(Event, tag="guess_shot"):
    attack: Id | None = None
    model: Id | None = None
    aim: Place | None = None
    guess: Number | None = None
    placed_distance: Number | None = None
    to_hit_die: Int | None = None
    scatter_angle: Number | None = None
    scatter_dice: Dice | None = None
    claimed_final: Place | None = None
    hit_models: list[Id] | None = None


class CoverRolls(Event, tag="cover_rolls"):
    attack: Id | None = None
    weapon: Id | None = None
    firers: list[Id] | None = None
    waived: bool | None = None
    dice: Dice | None = None
    claimed_level: Int | None = None
    claimed_needed: Int | None = None
    claimed_saved: Int | None = None
    reread: bool | None = None


class HitRolls(Event, tag="hit_rolls"):
    attack: Id | None = None
    weapon: Id | None = None
    rolls: list[Roll] | None = None
    claimed_needed: Int | None = None
    claimed_reroll_needed: Int | None = None
    claimed_hits: Int | None = None


class WoundRolls(Event, tag="wound_rolls"):
    attack: Id | None = None
    weapon: Id | None = None
    rolls: list[Roll] | None = None
    claimed_needed: Int | None = None
    claimed_wounds: Int | None = None
    pool: Id | None = None
    automatic: Int | None = None


class Allocate(Event, tag="allocate"):
    attack: Id | None = None
    pool: Id | None = None
    wounds: list[Wound] | None = msgspec.field(default=None, name="list")
    chosen_by: Id | None = None


# -- tests and flight ---------------------------------------------------------------------------------------------


class PinningTest(Event, tag="pinning_test"):
    unit: Id | None = None
    causes: list[Id] | None = None
    dice: Dice | None = None
    claimed_modifier: Int | None = None
    claimed_pinned: bool | None = None


class Morale(Event, tag="morale"):
    unit: Id | None = None
    cause: Literal["shooting", "crossfire", "combat", "tank_shock", "other"] | None = None
    attacks: list[Id] | None = None
    dice: Dice | None = None
    claimed_modifier: Int | None = None
    claimed_passed: bool | None = None


class LdTest(Event, tag="ld_test"):
    unit: Id | None = None
    cause: Literal["fear_charged", "fear_charging", "prone", "regroup", "other"] | None = None
    versus: Id | None = None
    dice: Dice | None = None
    claimed_modifier: Int | None = None
    claimed_passed: bool | None = None


class CharTest(Event, tag="char_test"):
    unit: Id | None = None
    model: Id | None = None
    characteristic: Literal["S", "T", "I"] | None = None
    die: Int | None = None
    reroll: Int | list[Int] | None = None
    claimed_passed: bool | None = None
    cause: Literal["acute_senses", "counterattack", "other"] | None = None


class FallBack(Event, tag="fall_back"):
    unit: Id | None = None
    dice: Dice | None = None
    models: list[Moved] | None = None
    dangerous: list[ModelDie] | None = None


class ProneChoice(Event, tag="prone_choice"):
    unit: Id | None = None
    attack: Id | None = None
    choice: Literal["drop", "press"] | None = None


class Run(Event, tag="run"):
    unit: Id | None = None
    mode: Literal["run", "turbo", "flat_out"] | None = None
    dice: Dice | None = None
    models: list[Moved] | None = None
    claimed_distance: Number | None = None
    zooming: bool | None = None
    swooping: bool | None = None


# -- assault ------------------------------------------------------------------------------------------------------


class Charge(Event, tag="charge"):
    unit: Id | None = None
    target: Id | None = None
    dice: Dice | None = None
    claimed_distance: Number | None = None
    claimed_success: bool | None = None
    claimed_arc: Arc | None = None


class ChargeMove(Event, tag="charge_move"):
    unit: Id | None = None
    target: Id | None = None
    models: list[Moved] | None = None
    failed: bool | None = None


class PileIn(Event, tag="pile_in"):
    unit: Id | None = None
    models: list[Moved] | None = None


class Grenade(Event, tag="grenade"):
    attack: Id | None = None
    unit: Id | None = None
    model: Id | None = None
    grenade: Id | None = None
    side: Literal["attacker", "defender"] | None = None
    target: Id | None = None
    hit_models: list[Id] | None = None
    effect_dice: list[ModelDie] | None = None
    claimed_needed: Int | None = None
    claimed_effects: Effects | None = None


class FightStep(Event, tag="fight_step"):
    attack: Id | None = None
    initiative: Int | None = None
    attackers: list[Attacker] | None = None


class CombatResult(Event, tag="combat_result"):
    units: list[Id] | None = None
    wounds_by_A: Int | None = None
    wounds_by_B: Int | None = None
    claimed_loser: Id | msgspec.UnsetType | None = msgspec.UNSET


# -- vehicles and the rest ----------------------------------------------------------------------------------------


class VehicleHit(Event, tag="vehicle_hit"):
    attack: Id | None = None
    weapon: Id | None = None
    vehicle: Id | None = None
    claimed_facing: Arc | None = None
    dice: Dice | None = None
    rending_d3: Int | None = None
    claimed_total: Int | None = None
    claimed_result: Literal["none", "glance", "pen"] | None = None
    claimed_wounds: Int | None = None
    to_hit_die: Int | None = None


class VehicleExplodes(Event, tag="vehicle_explodes"):
    attack: Id | None = None
    vehicle: Id | None = None
    radius_die: Int | None = None
    hit_models: list[Id] | None = None
    wound_rolls: list[ModelDie] | None = None
    saves: list[ModelDie] | None = None
    casualties: list[Id] | None = None
    passenger_unit: Id | None = None
    passenger_hits: Int | None = None
    passenger_S: Int | None = None
    passenger_AP: Int | None = None
    passenger_wound_rolls: Dice | None = None
    passenger_saves: Dice | None = None
    survivors: list[Placed] | None = None


class TankShock(Event, tag="tank_shock"):
    vehicle: Id | None = None
    unit: Id | None = None
    path: Path | None = None
    headings: list[Number] | None = None


class Removed(Event, tag="removed"):
    model: Id | None = None
    reason: Text | None = None


class Note(Event, tag="note"):
    """A remark of the players."""

    text: Text | None = None


# -- as in every game ---------------------------------------------------------------------------------------------


class Position(Event, tag="position"):
    """States the position; `turn` and `phase` are those of every event."""

    active: Id | None = None
    first: Id | None = None
    removed: list[Id] | None = None
    pools: dict[Id, Int] | None = None
    units: list[UnitStated] | None = None


class Undo(Event, tag="undo"):
    to: Int | None = None


class Judge(Event, tag="judge"):
    text: Text | None = None
    position: Stated | None = None


class Remark(Event, tag="remark"):
    text: Text | None = None


class End(Event, tag="end"):
    reason: Literal["finished", "time", "concession", "judge"] | None = None


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
