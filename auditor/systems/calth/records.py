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

from auditor.systems import acts
from auditor.systems.fields import claim, fact, label

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


def faces(value: str | list[str] | int | msgspec.UnsetType | None) -> str | None:
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

    source: Annotated[Text | None, label("text", "which scenario rule or card is meant")] = None
    rule_ids: Annotated[list[Id] | None, fact("rule", "which rules it takes out of force")] = None
    text: Annotated[Text | None, fact("text", "what it does, in words")] = None
    until: Annotated[
        Literal["activation", "round", "scenario"] | Int | None,
        fact("choice", "until when it holds; a number is that of the last event", number="event"),
    ] = None


class Reroll(Part):
    """Dice rolled again: `rerolls` entries, `vexilla`, and the `passes` of a critical effect. Indices from 0."""

    source: Annotated[Text | None, fact("text", "what allowed it")] = None
    player: Annotated[Side | None, fact("player", "who rolled again")] = None
    model: Annotated[Id | None, fact("model", "whose wargear allowed it")] = None
    indices: Annotated[list[Int] | None, fact("die", "which dice were rolled again, counted from 0")] = None
    faces: Annotated[Faces | None, fact("faces", "what they showed then")] = None
    when: Annotated[
        Literal["before_crit", "after_crit"] | None, fact("choice", "before or after the critical effect")
    ] = None


REROLLS = fact("part", "which dice were rolled again")
VEXILLA = fact("part", "which dice a vexilla had rolled again")


class Bonuses(Part):
    """Defence dice that the log grants the target of a shot."""

    obscured: Annotated[Int | None, claim("number", "the dice for being obscured", unit="dice")] = None
    rubble: Annotated[Int | None, claim("number", "the dice for standing in rubble", unit="dice")] = None
    barricade: Annotated[Int | None, claim("number", "the dice for a barricade", unit="dice")] = None


class Los(Part):
    """The line of sight that a ranged attack claims. `aim` is a point in axial hex units."""

    class_: Annotated[
        Literal["clear", "obscured"] | None,
        claim("choice", "whether the line of sight was clear or obscured", needed=True),
    ] = msgspec.field(default=None, name="class")
    aim: Annotated[
        tuple[Coordinate, Coordinate] | None, fact("point", "at which point was aimed, in axial hex units")
    ] = None
    distance: Annotated[Int | None, claim("number", "the distance", unit="hexes", needed=True)] = None
    bonuses: Annotated[Bonuses | None, claim("part", "the defence dice that the target gets", needed=True)] = None


class Dice(Part):
    """The attack dice as claimed, part by part."""

    models: Annotated[Int | None, claim("number", "the dice of models", unit="dice", states=("count", "attacker"))] = (
        None
    )
    weapons: Annotated[
        Int | None, claim("number", "the dice of weapons", unit="dice", states=("melee arms", "attacker"))
    ] = None
    pistols: Annotated[Int | None, claim("number", "the dice of pistols", unit="dice")] = None
    harness: Annotated[
        Int | None, claim("number", "the dice of the harness", unit="dice", states=("attacked", "target"))
    ] = None
    total: Annotated[Int | None, claim("number", "the dice in all", unit="dice")] = None


class Crit(Part):
    """The critical effect that was triggered, and what it did. `self_casualty` null says nobody; absent says
    nothing.
    """

    model: Annotated[Id | None, fact("model", "whose weapon it was", states=("in", "attacker"))] = None
    weapon: Annotated[Id | None, fact("weapon", "which weapon it was")] = None
    effect: Annotated[Id | None, fact("effect", "which effect was triggered")] = None
    passes: Annotated[list[Reroll] | None, fact("part", "which dice were rolled again for it")] = None
    added: Annotated[Faces | None, fact("faces", "what the dice added by it showed")] = None
    tp_lost: Annotated[Int | None, claim("number", "how many TPs the target lost by it", unit="TPs")] = None
    tp_after: Annotated[Int | None, claim("number", "how many TPs the target has then", unit="TPs")] = None
    self_casualty: Annotated[
        Id | msgspec.UnsetType | None, claim("model", "which model of the attacker was removed by it", null="nobody")
    ] = msgspec.UNSET
    weapon_destroyed: Annotated[bool | None, claim("flag", "whether the weapon was destroyed by it")] = None


_SHUFFLED = "whether the deck was shuffled first"


class CardDrawn(Part):
    """The location card that gave an attack on Sor Gharax its target."""

    card: Annotated[Id | None, fact("printed card", "which card was drawn")] = None
    by: Annotated[Side | None, fact("player", "who drew it")] = None
    shuffled: Annotated[bool | msgspec.UnsetType | None, fact("flag", _SHUFFLED, absent="it was not")] = msgspec.UNSET
    selection: Annotated[Literal["drawn", "chosen"] | None, fact("choice", "whether it was drawn or chosen")] = None


class Step(Part):
    """One pass of the loop of an attack: a target, its defence roll, what is left of the pool."""

    target_model: Annotated[Id | None, fact("model", "which model was hit", states=("in", "target"))] = None
    damage_card: Annotated[Id | CardDrawn | None, fact("printed card", "which location card gave the target")] = None
    chosen_by: Annotated[Side | None, fact("player", "who chose the model")] = None
    armour_used: Annotated[Int | None, claim("number", "the Armour used", needed=True)] = None
    bonus_dice: Annotated[Int | None, claim("number", "the defence dice beside it", unit="dice", needed=True)] = None
    faces: Annotated[Faces | None, fact("faces", "what the defence dice showed", needed=True)] = None
    rerolls: Annotated[list[Reroll] | None, REROLLS] = None
    vexilla: Annotated[Reroll | None, VEXILLA] = None
    shields: Annotated[Int | None, claim("number", "the shields rolled", needed=True)] = None
    pool_after_shields: Annotated[
        Int | None, claim("number", "the hits left after shields", unit="hits", needed=True)
    ] = None
    stamina_used: Annotated[Int | None, claim("number", "the Stamina used", needed=True)] = None
    casualty: Annotated[bool | None, claim("flag", "whether the model was removed", needed=True)] = None
    pool_left: Annotated[Int | None, claim("number", "the hits left after it", unit="hits", needed=True)] = None


Thrown: TypeAlias = Faces | msgspec.UnsetType | None


class Attempt(Part):
    """One throw of both players for the initiative."""

    UM: Annotated[Thrown, fact("faces", "what the dice of UM showed", absent="UM did not roll")] = msgspec.UNSET
    WB: Annotated[Thrown, fact("faces", "what the dice of WB showed", absent="WB did not roll")] = msgspec.UNSET
    rerolls: Annotated[list[Reroll] | None, REROLLS] = None
    vexilla: Annotated[Reroll | None, VEXILLA] = None


class TpChange(Part):
    unit: Annotated[Id | None, fact("unit", "which unit it was", needed=True, states=("units", ""))] = None
    tp_before: Annotated[Int | None, claim("number", "how many TPs it had", unit="TPs", needed=True)] = None
    tp_after: Annotated[Int | None, claim("number", "how many TPs it has then", unit="TPs", needed=True)] = None


class ModelMove(Part):
    model: Annotated[Id | None, fact("model", "which model moved", needed=True)] = None
    to: Annotated[Hex | None, fact("hex", "where it moved to", needed=True, states=("went", ""))] = None


class UnitAfter(Part):
    """A unit that a Consolidate or a retreat left, made or enlarged."""

    unit: Annotated[Id | None, fact("unit", "which unit it is", needed=True)] = None
    hex: Annotated[Hex | None, fact("hex", "where it stands", needed=True, states=("stands", ""))] = None
    tp: Annotated[Int | None, claim("number", "how many TPs it has", unit="TPs", needed=True)] = None


class UnitStated(Part):
    unit: Annotated[Id | None, fact("unit", "which unit it is", needed=True)] = None
    side: Annotated[Side | None, fact("player", "whose unit it is", needed=True)] = None
    hex: Annotated[Hex | None, fact("hex", "where it stands", needed=True)] = None
    models: Annotated[list[Id] | None, fact("model", "which models it has", needed=True)] = None
    tp: Annotated[Int | None, fact("number", "how many TPs it has", unit="TPs", needed=True)] = None


class DoorStated(Part):
    edge: Annotated[Edge | None, fact("edge", "which door it is", needed=True)] = None
    state: Annotated[DoorState | None, fact("choice", "whether it is sealed or open", needed=True)] = None


class DeckStated(Part):
    left: Annotated[Int | None, fact("number", "how many cards are left in the deck", unit="cards")] = None
    hand: Annotated[list[Id] | None, fact("card", "which cards the player holds")] = None


class DamageDeckStated(Part):
    in_deck: Annotated[list[Id] | None, fact("printed card", "which cards are in the deck")] = None
    on_model: Annotated[list[Id] | None, fact("printed card", "which cards lie on the model")] = None


class Cause(Part):
    """What a door obeyed: `source` names the kind (scenario, card), `id` the rule or card."""

    source: Annotated[Text | None, fact("choice", "whether it was a rule of the scenario or a card")] = None
    id: Annotated[Id | None, fact("rule", "which rule or card it was")] = None


class GameResult(Part):
    """The levels of one scenario of a campaign."""

    scenario: Annotated[Int | None, fact("number", "which scenario of the campaign it was")] = None
    UM: Annotated[Level | None, fact("choice", "how UM came off")] = None
    WB: Annotated[Level | None, fact("choice", "how WB came off")] = None


class Shift(Part):
    before: Annotated[
        Annotated[dict[Side, Level], _BY_SIDE] | None,
        claim("choice", "how both came off before the shift", keys="player"),
    ] = None
    after: Annotated[
        Annotated[dict[Side, Level], _BY_SIDE] | None,
        claim("choice", "how both came off after the shift", keys="player"),
    ] = None


StatedRound: TypeAlias = Annotated[Int | None, fact("number", "which round it is", needed=True)]
StatedPhase: TypeAlias = Annotated[Phase | None, fact("choice", "which phase it is", needed=True)]
StatedInitiative: TypeAlias = Annotated[Side | None, fact("player", "who holds the initiative this round")]
StatedToAct: TypeAlias = Annotated[Side | None, fact("player", "whose side activates a unit next")]
StatedUnits: TypeAlias = Annotated[list[UnitStated] | None, fact("part", "which units stand where", needed=True)]
StatedRemoved: TypeAlias = Annotated[list[Id] | None, fact("model", "which models were removed for good")]
StatedReserve: TypeAlias = Annotated[list[Id] | None, fact("model", "which models are not yet on the board")]
StatedDoors: TypeAlias = Annotated[list[DoorStated] | None, fact("part", "how the doors stand")]
StatedWeapons: TypeAlias = Annotated[
    list[tuple[Id, Id]] | None, fact("model", "which weapons of which models are destroyed", each=("model", "weapon"))
]
StatedDecks: TypeAlias = Annotated[
    Annotated[dict[Side, DeckStated], _BY_SIDE] | None, fact("part", "the decks and hands of both sides", keys="player")
]
StatedDamageDeck: TypeAlias = Annotated[DamageDeckStated | None, fact("part", "where the location cards are")]


class Stated(Part):
    """A whole position in the log's words: the fields of a `position` event, and what a judge settled."""

    round: StatedRound = None
    phase: StatedPhase = None
    initiative: StatedInitiative = None
    to_act: StatedToAct = None
    units: StatedUnits = None
    removed: StatedRemoved = None
    reserve: StatedReserve = None
    doors: StatedDoors = None
    weapons_destroyed: StatedWeapons = None
    decks: StatedDecks = None
    damage_deck: StatedDamageDeck = None


class Event(msgspec.Struct, kw_only=True, gc=False, omit_defaults=True, tag_field="type"):
    """What every event may carry. `tp` is what the log claims for units after the event."""

    seq: acts.Seq
    player: Annotated[Side | None, fact("player", "who acted")] = None
    by: Annotated[Side | None, fact("player", "who acted")] = None
    round: Annotated[Int | None, label("number", "in which round it was", states=("round", ""))] = None
    phase: Annotated[Phase | None, label("choice", "in which phase it was")] = None
    override: Annotated[Override | None, fact("part", "the scenario rule or card that changed the rules here")] = None
    tp: Annotated[
        dict[Id, Int] | None, claim("number", "how many TPs units have after the event", keys="unit", unit="TPs")
    ] = None


class GameStart(Event, tag="game_start"):
    """Any of the header's fields again, as written."""

    game: Annotated[Any, fact("anything", "the field of the header again")] = None
    format: Annotated[Any, fact("anything", "the field of the header again")] = None
    players: Annotated[Any, fact("anything", "the field of the header again")] = None
    scenario: Annotated[Any, fact("anything", "the field of the header again")] = None
    board: Annotated[Any, fact("anything", "the field of the header again")] = None
    rosters: Annotated[Any, fact("anything", "the field of the header again")] = None
    command_cards: Annotated[Any, fact("anything", "the field of the header again")] = None
    rulings: Annotated[Any, fact("anything", "the field of the header again")] = None
    campaign: Annotated[Any, fact("anything", "the field of the header again")] = None


class Position(Event, tag="position"):
    """The whole state; the fields of `Stated`."""

    round: StatedRound = None
    phase: StatedPhase = None
    initiative: StatedInitiative = None
    to_act: StatedToAct = None
    units: StatedUnits = None
    removed: StatedRemoved = None
    reserve: StatedReserve = None
    doors: StatedDoors = None
    weapons_destroyed: StatedWeapons = None
    decks: StatedDecks = None
    damage_deck: StatedDamageDeck = None


class Place(Event, tag="place"):
    model: Annotated[Id | None, fact("model", "the model", needed=True)] = None
    hex: Annotated[Hex | None, fact("hex", "the hex", needed=True)] = None
    unit: Annotated[Id | None, fact("unit", "of which unit the model is")] = None


class Initiative(Event, tag="initiative"):
    source: Annotated[
        Literal["roll", "scenario"] | None,
        fact("choice", "whether it was rolled for or given by the scenario", needed=True),
    ] = None
    attempts: Annotated[
        list[Attempt] | None, fact("part", "the throws of both players", needed=lambda event: event.source == "roll")
    ] = None
    winner: Annotated[Side | None, claim("player", "who won the initiative", needed=True)] = None


class CardDraw(Event, tag="card_draw"):
    deck: Annotated[Side | None, fact("player", "from whose deck the card came")] = None
    card: Annotated[Id | None, fact("card", 'which card was drawn; or "hidden"')] = None
    count: Annotated[Int | None, fact("number", "how many cards were drawn", unit="cards")] = None
    deck_left: Annotated[Int | None, claim("number", "how many cards are left in the deck", unit="cards")] = None


class CardPlay(Event, tag="card_play"):
    card: Annotated[Id | None, fact("card", "which card was played")] = None
    target: Annotated[Id | None, fact("unit", "on what it was played", also=("model",))] = None


class TpRefresh(Event, tag="tp_refresh"):
    units: Annotated[list[TpChange] | None, claim("part", "which units were refreshed, and their TPs", needed=True)] = (
        None
    )


class Activate(Event, tag="activate"):
    unit: Annotated[Id | None, fact("unit", "which unit was activated", needed=True)] = None
    tp_before: Annotated[Int | None, claim("number", "how many TPs it had", unit="TPs", needed=True)] = None
    tp_after: Annotated[Int | None, claim("number", "how many TPs it has then", unit="TPs", needed=True)] = None
    action: Annotated[
        Literal["advance", "run", "consolidate", "assault", "shoot", "none"] | None,
        fact("choice", "which action it took", needed=True),
    ] = None


class Pass(Event, tag="pass"):
    reason: Annotated[Text | None, label("text", "why the player passed")] = None


class MoveUnit(Event, tag="move_unit"):
    unit: Annotated[Id | None, fact("unit", "the unit", needed=True)] = None
    path: Annotated[
        list[Hex] | None, fact("hex", "the path, with the hex where it begins", needed=True, states=("path", "unit"))
    ] = None
    cause: Annotated[
        Literal["advance", "run", "assault_pre", "move_in", "scenario"] | None,
        fact("choice", "in which action it moved", needed=True),
    ] = None
    models: Annotated[list[Id] | None, fact("model", "which models moved, if not all", states=("in", "unit"))] = None


class MoveModels(Event, tag="move_models"):
    unit: Annotated[Id | None, fact("unit", "the unit", needed=True)] = None
    moves: Annotated[list[ModelMove] | None, fact("part", "which models moved where", needed=True)] = None
    units: Annotated[list[UnitAfter] | None, fact("part", "which units there are then", needed=True)] = None
    cause: Annotated[
        Literal["consolidate", "retreat"] | None, fact("choice", "in which action they moved", needed=True)
    ] = None


class Attack(Event, tag="attack"):
    """An attack from the dice to the last pass. `crit` is "none" (no C showed), "declined", or what was triggered."""

    attacker: Annotated[Id | None, fact("unit", "which unit attacked", needed=True)] = None
    target: Annotated[Id | None, fact("unit", "which unit was attacked", needed=True)] = None
    mode: Annotated[
        Literal["melee", "ranged"] | None, fact("choice", "whether it was melee or ranged", needed=True)
    ] = None
    role: Annotated[
        Literal["assault", "counter", "shoot", "flamer_follow_up"] | None,
        fact("choice", "as what it was made", needed=True),
    ] = None
    los: Annotated[Los | None, fact("part", "the line of sight", needed=lambda event: event.mode == "ranged")] = None
    weapons: Annotated[
        list[tuple[Id, Id]] | None,
        fact(
            "model",
            "which weapons of which models were counted",
            each=("model", "weapon"),
            needed=True,
            states=("arms", "attacker"),
        ),
    ] = None
    dice: Annotated[Dice | None, claim("part", "the attack dice, part by part", needed=True)] = None
    roll: Annotated[Faces | None, fact("faces", "what the attack dice showed", needed=True)] = None
    vexilla: Annotated[Reroll | None, VEXILLA] = None
    rerolls: Annotated[list[Reroll] | None, REROLLS] = None
    crit: Annotated[
        Literal["none", "declined"] | Crit | list[Crit] | None,
        fact("choice", 'the critical effect: "none" (no C showed), "declined", or what was triggered', needed=True),
    ] = None
    pool: Annotated[Int | None, claim("number", "the number of hits", unit="hits", needed=True)] = None
    steps: Annotated[list[Step] | None, fact("part", "the passes of the loop, one target each", needed=True)] = None

    def __post_init__(self) -> None:
        """Some write the weapon before its model: that says the same."""
        if self.weapons and any(first in WEAPONS and second not in WEAPONS for first, second in self.weapons):
            self.weapons = [(b, a) if a in WEAPONS and b not in WEAPONS else (a, b) for a, b in self.weapons]


class Counter(Event, tag="counter"):
    unit: Annotated[Id | None, fact("unit", "which unit could strike back", needed=True)] = None
    choice: Annotated[
        Literal["made", "declined", "not_possible"] | None, fact("choice", "whether it did", needed=True)
    ] = None


class Retreat(Event, tag="retreat"):
    unit: Annotated[Id | None, fact("unit", "which unit was to retreat", needed=True)] = None
    due: Annotated[bool | None, claim("flag", "whether a retreat was due", needed=True)] = None
    casualties: Annotated[
        Annotated[dict[Side, Int], _BY_SIDE] | None,
        claim(
            "number",
            "how many models each side lost in the melee attacks of the action",
            keys="player",
            unit="models",
            needed=True,
        ),
    ] = None


class LastStand(Event, tag="last_stand"):
    unit: Annotated[Id | None, fact("unit", "which unit made it", needed=True)] = None
    models: Annotated[list[Id] | None, fact("model", "the models", needed=True, states=("in", "unit"))] = None
    faces: Annotated[Faces | None, fact("faces", "the faces", needed=True)] = None
    vexilla: Annotated[Reroll | None, VEXILLA] = None
    rerolls: Annotated[list[Reroll] | None, REROLLS] = None
    survivors: Annotated[list[Id] | None, claim("model", "which models are left", needed=True)] = None
    tp_after: Annotated[Int | None, claim("number", "how many TPs the unit has then", unit="TPs", needed=True)] = None


class TpLoss(Event, tag="tp_loss"):
    unit: Annotated[Id | None, fact("unit", "which unit lost TPs", needed=True)] = None
    amount: Annotated[Int | None, claim("number", "how many TPs it lost", unit="TPs", needed=True)] = None
    cause: Annotated[Text | None, fact("choice", "why it lost them", needed=True)] = None
    tp_before: Annotated[Int | None, claim("number", "how many TPs it had", unit="TPs")] = None
    tp_after: Annotated[Int | None, claim("number", "how many TPs it has then", unit="TPs")] = None


class Door(Event, tag="door"):
    edge: Annotated[Edge | None, fact("edge", "the door", needed=True)] = None
    state: Annotated[DoorState | None, fact("choice", "its state", needed=True)] = None
    cause: Annotated[Cause | None, fact("part", "what it obeyed", needed=True)] = None


class WeaponDestroyed(Event, tag="weapon_destroyed"):
    model: Annotated[Id | None, fact("model", "whose weapon it was", needed=True)] = None
    weapon: Annotated[Id | None, fact("weapon", "which weapon it was", needed=True)] = None
    cause: Annotated[Text | None, fact("choice", "why it was destroyed", needed=True)] = None
    card: Annotated[Id | None, fact("card", "which card destroyed it")] = None


class DamageCard(Event, tag="damage_card"):
    """A draw from the Damage deck outside an attack, or just before one. `by` draws."""

    card: Annotated[Id | None, fact("printed card", "which card was drawn", needed=True)] = None
    shuffled: Annotated[bool | msgspec.UnsetType | None, fact("flag", _SHUFFLED, needed=True, absent="it was not")] = (
        msgspec.UNSET
    )
    selection: Annotated[Literal["drawn", "chosen"] | None, fact("choice", "whether it was drawn or chosen")] = None


class UnitRemoved(Event, tag="unit_removed"):
    unit: Annotated[Id | None, fact("unit", "which unit was removed", needed=True)] = None
    cause: Annotated[Text | None, fact("choice", "why it was removed", needed=True)] = None


class ModelRemoved(Event, tag="model_removed"):
    model: Annotated[Id | None, fact("model", "which model was removed", needed=True)] = None
    cause: Annotated[Text | None, fact("choice", "why it was removed", needed=True)] = None


class RoundEnd(Event, tag="round_end"):
    tp_left: Annotated[
        dict[Id, Int] | None, claim("number", "how many TPs units have left", keys="unit", unit="TPs")
    ] = None


class ScenarioEnd(Event, tag="scenario_end"):
    results: Annotated[
        Annotated[dict[Side, Level], _BY_SIDE] | None, claim("choice", "how both came off", keys="player", needed=True)
    ] = None


class CampaignEnd(Event, tag="campaign_end"):
    results: Annotated[
        list[GameResult] | None, fact("part", "how each scenario came off, before any shift", needed=True)
    ] = None
    tally: Annotated[
        Annotated[dict[Side, Int], _BY_SIDE] | None,
        claim("number", "the tally of each side", keys="player", needed=True),
    ] = None
    scenario_6: Annotated[
        Shift | None, claim("part", "how the last scenario came off before and after the shift", needed=True)
    ] = None


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
