"""The events of a Betrayal at Calth log, as they are written: one struct an event type.

Source: catalogue section 5 and design 5.1. Field names are those of the log; the one exception is `Los.class_`, since
`class` is a Python word. Every field but `seq` may be absent and is then None: whether an absence matters is the
auditor's business. A field written as null cannot be told from an absent one. Unknown fields are passed over.

Structs are plain for speed, and read-only to everyone. Whole numbers may be written 3 or 3.0 (the reader makes both
the int 3); they lie within +-(2**53 - 1). Ids have at most 64 characters, texts 2,000.

`player` is set by the reader from `by` where only `by` was written, so rules ask `event.player`.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from fractions import Fraction
from importlib import resources
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

WEAPONS: frozenset[str] = frozenset(
    row["id"]
    for row in msgspec.json.decode(resources.files(__package__).joinpath("data", "weapons.json").read_bytes())[
        "weapons"
    ]
)
"""The ids of the built-in weapons."""

LARGEST = 2**53 - 1
LONGEST_ID = 64
LONGEST_TEXT = 2_000

Int: TypeAlias = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
Id: TypeAlias = Annotated[str, Meta(max_length=LONGEST_ID)]
Text: TypeAlias = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Hex: TypeAlias = tuple[Int, Int]
Edge: TypeAlias = tuple[Hex, Hex]
Side: TypeAlias = Literal["UM", "WB"]
# msgspec enforces the keys of such an object; its schema has to be told.
_BY_SIDE = Meta(extra_json_schema={"propertyNames": {"enum": ["UM", "WB"]}})
Phase: TypeAlias = Literal["setup", "initiative", "ready", "action", "over"]
DoorState: TypeAlias = Literal["sealed", "open"]
Level: TypeAlias = Literal["major_victory", "minor_victory", "draw", "minor_defeat", "major_defeat"]
Faces: TypeAlias = Text | list[Id] | Int
"""`"CHSB"` or `["C","H","S","B"]`; a number is a mere total, from which no face can be told. See `faces`."""
Coordinate: TypeAlias = Int | float | Id
"""An exact number: an integer, a decimal, or `"n/d"`. See `exact`."""


def faces(value: str | list[str] | int | None) -> str | None:
    """The faces as one letter a die. None where none were written (absent, or only a total).

    Letters other than C, H, S and B are kept for the rules to see; a list entry that is not one letter becomes "?".
    """
    if type(value) is str:
        return value
    if isinstance(value, list):
        return "".join(face if len(face) == 1 else "?" for face in value)
    return None


def exact(value: int | float | str | None) -> Fraction | None:
    """A logged coordinate as the exact number that was written (0.1 is one tenth). None where it is not a number."""
    if value is None or isinstance(value, bool):
        return None
    text = str(value).strip()
    if len(text) > LONGEST_ID:
        return None
    try:
        if "/" in text:
            upper, _, lower = text.partition("/")
            return Fraction(int(upper), int(lower))
        number = Decimal(text)
        if not number.is_finite() or abs(number.adjusted()) > LONGEST_ID:
            return None
        return Fraction(number)
    except (ValueError, ZeroDivisionError, InvalidOperation):
        return None


class Part(msgspec.Struct, kw_only=True, gc=False, omit_defaults=True):
    """A piece of an event."""


class Override(Part):
    """A scenario rule or Command card that a player says changed the rules here (CAL-AUD-05). `until`: a number is that
    of the last event for which it holds.
    """

    source: Text | None = None
    rule_ids: list[Id] | None = None
    text: Text | None = None
    until: Literal["activation", "round", "scenario"] | Int | None = None


class Reroll(Part):
    """Dice rolled again: `rerolls` entries, `vexilla`, and the `passes` of a critical effect. Indices from 0."""

    source: Text | None = None
    player: Side | None = None
    model: Id | None = None
    indices: list[Int] | None = None
    faces: Faces | None = None
    when: Literal["before_crit", "after_crit"] | None = None


class Bonuses(Part):
    """Defence dice that the log grants the target of a shot."""

    obscured: Int | None = None
    rubble: Int | None = None
    barricade: Int | None = None


class Los(Part):
    """The line of sight that a ranged attack claims. `aim` is a point in axial hex units."""

    class_: Literal["clear", "obscured"] | None = msgspec.field(default=None, name="class")
    aim: tuple[Coordinate, Coordinate] | None = None
    distance: Int | None = None
    bonuses: Bonuses | None = None


class Dice(Part):
    """The attack dice as claimed, part by part."""

    models: Int | None = None
    weapons: Int | None = None
    pistols: Int | None = None
    harness: Int | None = None
    total: Int | None = None


class Crit(Part):
    """The critical effect that was triggered, and what it did. `self_casualty` null says nobody; absent says
    nothing.
    """

    model: Id | None = None
    weapon: Id | None = None
    effect: Id | None = None
    passes: list[Reroll] | None = None
    added: Faces | None = None
    tp_lost: Int | None = None
    tp_after: Int | None = None
    self_casualty: Id | msgspec.UnsetType | None = msgspec.UNSET
    weapon_destroyed: bool | None = None


class CardDrawn(Part):
    """The location card that gave an attack on Sor Gharax its target."""

    card: Id | None = None
    by: Side | None = None
    shuffled: bool | None = None
    selection: Literal["drawn", "chosen"] | None = None


class Step(Part):
    """One pass of the loop of an attack: a target, its defence roll, what is left of the pool."""

    target_model: Id | None = None
    damage_card: Id | CardDrawn | None = None
    chosen_by: Side | None = None
    armour_used: Int | None = None
    bonus_dice: Int | None = None
    faces: Faces | None = None
    rerolls: list[Reroll] | None = None
    vexilla: Reroll | None = None
    shields: Int | None = None
    pool_after_shields: Int | None = None
    stamina_used: Int | None = None
    casualty: bool | None = None
    pool_left: Int | None = None


class Attempt(Part):
    """One throw of both players for the initiative."""

    UM: Faces | None = None
    WB: Faces | None = None
    rerolls: list[Reroll] | None = None
    vexilla: Reroll | None = None


class TpChange(Part):
    unit: Id | None = None
    tp_before: Int | None = None
    tp_after: Int | None = None


class ModelMove(Part):
    model: Id | None = None
    to: Hex | None = None


class UnitAfter(Part):
    """A unit that a Consolidate or a retreat left, made or enlarged."""

    unit: Id | None = None
    hex: Hex | None = None
    tp: Int | None = None


class UnitStated(Part):
    unit: Id | None = None
    side: Side | None = None
    hex: Hex | None = None
    models: list[Id] | None = None
    tp: Int | None = None


class DoorStated(Part):
    edge: Edge | None = None
    state: DoorState | None = None


class DeckStated(Part):
    left: Int | None = None
    hand: list[Id] | None = None


class DamageDeckStated(Part):
    in_deck: list[Id] | None = None
    on_model: list[Id] | None = None


class Cause(Part):
    """What a door obeyed: `source` names the kind (scenario, card), `id` the rule or card."""

    source: Text | None = None
    id: Id | None = None


class GameResult(Part):
    """The levels of one scenario of a campaign."""

    scenario: Int | None = None
    UM: Level | None = None
    WB: Level | None = None


class Shift(Part):
    before: Annotated[dict[Side, Level], _BY_SIDE] | None = None
    after: Annotated[dict[Side, Level], _BY_SIDE] | None = None


class Stated(Part):
    """A whole position in the log's words: the fields of a `position` event, and what a judge settled."""

    round: Int | None = None
    phase: Phase | None = None
    initiative: Side | None = None
    to_act: Side | None = None
    units: list[UnitStated] | None = None
    removed: list[Id] | None = None
    reserve: list[Id] | None = None
    doors: list[DoorStated] | None = None
    weapons_destroyed: list[tuple[Id, Id]] | None = None
    decks: Annotated[dict[Side, DeckStated], _BY_SIDE] | None = None
    damage_deck: DamageDeckStated | None = None


class Event(msgspec.Struct, kw_only=True, gc=False, omit_defaults=True, tag_field="type"):
    """What every event may carry. `tp` is what the log claims for units after the event."""

    seq: Annotated[int, Meta(ge=1, le=LARGEST)]
    player: Side | None = None
    by: Side | None = None
    round: Int | None = None
    phase: Phase | None = None
    override: Override | None = None
    tp: dict[Id, Int] | None = None


class GameStart(Event, tag="game_start"):
    """Any of the header's fields again, as written."""

    game: Any = None
    format: Any = None
    players: Any = None
    scenario: Any = None
    board: Any = None
    rosters: Any = None
    command_cards: Any = None
    rulings: Any = None
    campaign: Any = None


class Position(Event, tag="position"):
    """The whole state; the fields of `Stated`."""

    initiative: Side | None = None
    to_act: Side | None = None
    units: list[UnitStated] | None = None
    removed: list[Id] | None = None
    reserve: list[Id] | None = None
    doors: list[DoorStated] | None = None
    weapons_destroyed: list[tuple[Id, Id]] | None = None
    decks: Annotated[dict[Side, DeckStated], _BY_SIDE] | None = None
    damage_deck: DamageDeckStated | None = None


class Place(Event, tag="place"):
    model: Id | None = None
    hex: Hex | None = None
    unit: Id | None = None


class Initiative(Event, tag="initiative"):
    source: Literal["roll", "scenario"] | None = None
    attempts: list[Attempt] | None = None
    winner: Side | None = None


class CardDraw(Event, tag="card_draw"):
    deck: Side | None = None
    card: Id | None = None
    count: Int | None = None
    deck_left: Int | None = None


class CardPlay(Event, tag="card_play"):
    card: Id | None = None
    target: Id | None = None


class TpRefresh(Event, tag="tp_refresh"):
    units: list[TpChange] | None = None


class Activate(Event, tag="activate"):
    unit: Id | None = None
    tp_before: Int | None = None
    tp_after: Int | None = None
    action: Literal["advance", "run", "consolidate", "assault", "shoot", "none"] | None = None


class Pass(Event, tag="pass"):
    reason: Text | None = None


class MoveUnit(Event, tag="move_unit"):
    unit: Id | None = None
    path: list[Hex] | None = None
    cause: Literal["advance", "run", "assault_pre", "move_in", "scenario"] | None = None
    models: list[Id] | None = None


class MoveModels(Event, tag="move_models"):
    unit: Id | None = None
    moves: list[ModelMove] | None = None
    units: list[UnitAfter] | None = None
    cause: Literal["consolidate", "retreat"] | None = None


class Attack(Event, tag="attack"):
    """An attack from the dice to the last pass. `crit` is "none" (no C showed), "declined", or what was triggered."""

    attacker: Id | None = None
    target: Id | None = None
    mode: Literal["melee", "ranged"] | None = None
    role: Literal["assault", "counter", "shoot", "flamer_follow_up"] | None = None
    los: Los | None = None
    weapons: list[tuple[Id, Id]] | None = None
    dice: Dice | None = None
    roll: Faces | None = None
    vexilla: Reroll | None = None
    rerolls: list[Reroll] | None = None
    crit: Literal["none", "declined"] | Crit | list[Crit] | None = None
    pool: Int | None = None
    steps: list[Step] | None = None

    def __post_init__(self) -> None:
        """Some write the weapon before its model: that says the same."""
        if self.weapons and any(first in WEAPONS and second not in WEAPONS for first, second in self.weapons):
            self.weapons = [(b, a) if a in WEAPONS and b not in WEAPONS else (a, b) for a, b in self.weapons]


class Counter(Event, tag="counter"):
    unit: Id | None = None
    choice: Literal["made", "declined", "not_possible"] | None = None


class Retreat(Event, tag="retreat"):
    unit: Id | None = None
    due: bool | None = None
    casualties: Annotated[dict[Side, Int], _BY_SIDE] | None = None


class LastStand(Event, tag="last_stand"):
    unit: Id | None = None
    models: list[Id] | None = None
    faces: Faces | None = None
    vexilla: Reroll | None = None
    rerolls: list[Reroll] | None = None
    survivors: list[Id] | None = None
    tp_after: Int | None = None


class TpLoss(Event, tag="tp_loss"):
    unit: Id | None = None
    amount: Int | None = None
    cause: Text | None = None
    tp_before: Int | None = None
    tp_after: Int | None = None


class Door(Event, tag="door"):
    edge: Edge | None = None
    state: DoorState | None = None
    cause: Cause | None = None


class WeaponDestroyed(Event, tag="weapon_destroyed"):
    model: Id | None = None
    weapon: Id | None = None
    cause: Text | None = None
    card: Id | None = None


class DamageCard(Event, tag="damage_card"):
    """A draw from the Damage deck outside an attack, or just before one. `by` draws."""

    card: Id | None = None
    shuffled: bool | None = None
    selection: Literal["drawn", "chosen"] | None = None


class UnitRemoved(Event, tag="unit_removed"):
    unit: Id | None = None
    cause: Text | None = None


class ModelRemoved(Event, tag="model_removed"):
    model: Id | None = None
    cause: Text | None = None


class RoundEnd(Event, tag="round_end"):
    tp_left: dict[Id, Int] | None = None


class ScenarioEnd(Event, tag="scenario_end"):
    results: Annotated[dict[Side, Level], _BY_SIDE] | None = None


class CampaignEnd(Event, tag="campaign_end"):
    results: list[GameResult] | None = None
    tally: Annotated[dict[Side, Int], _BY_SIDE] | None = None
    scenario_6: Shift | None = None


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
    GameStart
    | Position
    | Place
    | Initiative
    | CardDraw
    | CardPlay
    | TpRefresh
    | Activate
    | Pass
    | MoveUnit
    | MoveModels
    | Attack
    | Counter
    | Retreat
    | LastStand
    | TpLoss
    | Door
    | WeaponDestroyed
    | DamageCard
    | UnitRemoved
    | ModelRemoved
    | RoundEnd
    | ScenarioEnd
    | CampaignEnd
    | Undo
    | Judge
    | Remark
    | End
)

EVENTS: dict[str, type[Event]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (
        GameStart,
        Position,
        Place,
        Initiative,
        CardDraw,
        CardPlay,
        TpRefresh,
        Activate,
        Pass,
        MoveUnit,
        MoveModels,
        Attack,
        Counter,
        Retreat,
        LastStand,
        TpLoss,
        Door,
        WeaponDestroyed,
        DamageCard,
        UnitRemoved,
        ModelRemoved,
        RoundEnd,
        ScenarioEnd,
        CampaignEnd,
        Undo,
        Judge,
        Remark,
        End,
    )
}
"""Type name in logs -> struct."""
