"""The table of a game of Betrayal at Calth (what does not change) and the position on it (what does).

A `Position` is mutable and slotted for speed: only `adopt` and `correct` change it. Units are labels: what counts are
models and the hex that they stand in; a hex never holds two units. Source: catalogue section 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from auditor.core.findings import Fact
from auditor.core.holes import Holes
from auditor.geometry.hexes import DIRECTIONS, Edge, Hex, neighbour
from auditor.systems.calth import words
from auditor.systems.calth.packs import Board, DamageCard, Model, Setup, Weapon, weapons
from auditor.systems.calth.shots import Shot
from auditor.systems.calth.sight import Sight

CAPACITY = 3
READY_TPS = 2
SIDES = ("UM", "WB")
OTHER = {"UM": "WB", "WB": "UM"}


Meant = tuple[str, Hex | None]
"""A model and the hex in which it stands; None where nothing says which."""


class SetUp(NamedTuple):
    """What the set-up of a record says, by the numbers of its `place` lines.

    meant    lines that all else contradicts -> who stands where
    labels   lines whose label is that of another hex, while their own hex has a label besides -> the latter
    named    the models that the set-up places, rightly or not: what is wrong with one is said at its line
    placed   the first line of each of them that has a hex; over: the number of the first event after the set-up
    """

    meant: Mapping[int, Meant]
    labels: Mapping[int, str]
    named: frozenset[str]
    placed: Mapping[str, Any] = {}
    over: int | None = None


class MovesInLines(NamedTuple):
    """Moves that a record writes in several lines, by numbers of events.

    continued  lines with which the next one goes on, or may; going_on: lines that go on with the one before
    """

    continued: frozenset[int] = frozenset()
    going_on: frozenset[int] = frozenset()


class Late(NamedTuple):
    """What a record tells late.

    steps  round -> steps that are recorded after the actions (or, for the initiative, the ready phase) have begun
    tps    the last event before the actions of a round, by its number -> the labels of the units of which the TPs are
           recorded after it has begun; None where that is not stated
    """

    steps: Mapping[int, set[str]]
    tps: Mapping[int, frozenset[str] | None]


class Assault(NamedTuple):
    """The attack of an Assault, by its number, who made it, and the line with which that was over, if one was."""

    seq: int
    attacker: str | None
    over: int | None


class Recorded:
    """What a record tells as a whole, by numbers of events: here nothing. `reckoning.recorded` works each out when it is
    asked for first.

    events   those that count, in their order; set_up, late, moves, assaults: see there
    actions  activation -> the actions recorded in it, with "counter"
    """

    @property
    def events(self) -> Sequence[Any]:
        return ()

    @property
    def set_up(self) -> SetUp:
        return SetUp({}, {}, frozenset())

    @property
    def late(self) -> Late:
        return Late({}, {})

    @property
    def moves(self) -> MovesInLines:
        return MovesInLines()

    def goes_on(self, number: int) -> bool:
        """Whether a move goes on with the line before (`MovesInLines.going_on`)."""
        return False

    @property
    def assaults(self) -> Sequence[Assault]:
        return ()

    @property
    def actions(self) -> Mapping[int, frozenset[str]]:
        return {}


class Table:
    """What does not change during a game: board, rosters, scenario, cards, and what is computed from them once.

    `met` and `arms` are room for the reckoning to keep what it has worked out.
    """

    def __init__(self, setup: Setup, header: Mapping[str, Any]) -> None:
        board = setup.board
        self.setup = setup
        self.header = header
        self.board = board
        self.passable = board.passable
        self.rubble = board.rubble
        self.obstructions = board.obstructions
        self.barricades = board.barricades
        self.models: Mapping[str, Model] = dict(setup.models)
        self.weapons: Mapping[str, Weapon] = weapons()
        self.scenario = setup.scenario
        self.cards = setup.cards
        self.damage_side: str | None = None
        self.locations: Mapping[str, DamageCard] = {}
        self.removed_at: int | None = None
        for side, roster in setup.rosters.items():
            if roster.damage_cards:
                self.damage_side = side
                self.locations = roster.damage_cards
                self.removed_at = roster.removed_at
        self.sealed_at_start = frozenset(door for door, sealed in setup.doors.items() if sealed)
        self.sight = sight_of(board)
        self.bit: Mapping[Hex, int] = self.sight.bit
        self.obstruction_mask: int = self.sight.edges(board.obstructions)
        self.protected = frozenset(hex_ for owner, k in board.barricades for hex_ in (owner, neighbour(owner, k)))
        self.with_damage_deck = tuple(model for model, row in setup.models.items() if row.has_damage_deck)
        self.met: dict[tuple[Hex, Hex], tuple[Any, ...]] = self.sight.met
        self.arms: dict[tuple[tuple[str, ...], frozenset[tuple[str, str]]], Any] = setup.arms
        self._shots: dict[tuple[Hex, Hex, int, int], Shot] = {}
        self.drawn: Any = None

    def adjacent(self, sealed: frozenset[Edge]) -> dict[Hex, frozenset[Hex]]:
        """For every hex that models may stand in, the adjacent ones (CAL-HEX-04), doors being as given."""
        found = self.sight.adjacent.get(sealed)
        if found is None:
            if len(self.sight.adjacent) > 64:
                self.sight.adjacent.clear()
            closed = sealed | self.obstructions
            found = {
                here: frozenset(
                    there
                    for dq, dr in DIRECTIONS
                    if (there := (here[0] + dq, here[1] + dr)) in self.passable and side_key(here, there) not in closed
                )
                for here in self.passable
            }
            self.sight.adjacent[sealed] = found
        return found

    def sealed_mask(self, sealed: frozenset[Edge]) -> int:
        """The sealed doors as the sum of their bits in `sight`."""
        found = self.sight.sealed_masks.get(sealed)
        if found is None:
            if len(self.sight.sealed_masks) > 256:
                self.sight.sealed_masks.clear()
            found = self.sight.sealed_masks[sealed] = self.sight.edges(sealed)
        return found

    def shot(self, a: Hex, b: Hex, occupied: int, sealed: int) -> Shot:
        """The shot from one hex to another, hexes being occupied and doors sealed as given. The same in every lane."""
        found = self._shots.get((a, b, occupied, sealed))
        if found is None:
            if len(self._shots) >= 64:
                self._shots.clear()
            found = Shot(self.sight, a, b, occupied, sealed, self.obstruction_mask)
            self._shots[a, b, occupied, sealed] = found
        return found

    def zone_of(self, hex_: Hex) -> str:
        """`open`, `rubble`, `blocked`, or `off` for a place that is no hex of the board."""
        return self.board.kinds.get(hex_, "off")

    def at(self, hex_: Hex | None) -> str:
        """A hex in a sentence: `C7 (7,5)` where its board has a name for it, else `7,5`."""
        name = self.board.names.get(hex_) if hex_ is not None else None
        return words.at(hex_) if name is None else f"{name} ({words.at(hex_)})"


_SIGHTS: dict[int, tuple[Board, Sight]] = {}


def sight_of(board: Board) -> Sight:
    """The compiled sight of a board; boards of known packs are compiled once."""
    kept = _SIGHTS.get(id(board))
    if kept is not None and kept[0] is board:
        return kept[1]
    sight = Sight(board.kinds, board.blocked, (*board.doors, *board.obstructions))
    if len(_SIGHTS) >= 16:
        _SIGHTS.pop(next(iter(_SIGHTS)))
    _SIGHTS[id(board)] = (board, sight)
    return sight


def side_key(a: Hex, b: Hex) -> Edge:
    """The hexside of two hexes, the same whichever is named first; also for hexes that share none."""
    return (a, b) if a <= b else (b, a)


class Unit:
    """The models of one side in one hex, with their tactical points."""

    __slots__ = ("hex", "id", "models", "side", "tp")

    def __init__(self, unit_id: str, side: str, hex_: Hex, models: tuple[str, ...], tp: int) -> None:
        self.id = unit_id
        self.side = side
        self.hex = hex_
        self.models = models
        self.tp = tp

    def __eq__(self, other: object) -> bool:
        # The label is no part of what a unit is, nor is the order of its models.
        return isinstance(other, Unit) and (
            _OF_UNIT(self) == _OF_UNIT(other)
            or (
                self.side == other.side
                and self.hex == other.hex
                and self.tp == other.tp
                and set(self.models) == set(other.models)
            )
        )

    __hash__ = None  # type: ignore[assignment]

    def copy(self) -> Unit:
        return Unit(self.id, self.side, self.hex, self.models, self.tp)


def is_made_up(label: str) -> bool:
    """Whether no line calls a unit so: it goes by its side and its hex (`adopt.common.free_label`)."""
    return "@" in label


def of_unit(label: str) -> tuple[Fact, ...]:
    """What is known of a unit by its label."""
    return ("tp", label), ("hex", label), ("count", label)


class Suspension(NamedTuple):
    """Rules that a card whose text no machine can read takes out of force for a time (CAL-AUD-05).

    models      of the units for which they are
    until       "activation" (of the one then open, else of the next), "round", "scenario", or the number of an event
    """

    rules: frozenset[str]
    models: frozenset[str]
    until: str | int


class Moving(NamedTuple):
    """The move that the event before made, which the next one may go on with (catalogue section 5, One act in several
    lines).

    hex     where the unit stands now, or the one whose models move
    path    the hexes of a whole unit so far; models: those that have moved singly
    """

    cause: str | None
    hex: Hex
    path: tuple[Hex, ...] = ()
    models: tuple[str, ...] = ()


class Activation:
    """What has happened since a unit was activated; open until the next activation, pass or end of round.

    number      of the event by which it was activated
    other_made  an action other than the one declared has been made
    seen        some act has been recorded
    counter     what a `counter` event said
    stead       where the unit activated stands and the action declared, once another has acted in its stead
    told        whether a line of the record activated the unit
    hits_left   who lost a location of Sor Gharax to an attack that stopped with hits left
    """

    unit: str
    side: str
    action: str
    number: int
    start: Hex | None
    hex: Hex | None
    tp_before: int
    tp_after: int
    losses: dict[str, int]
    locations: dict[str, int]
    # What nearly every activation leaves as it is, and so nobody sets at its start.
    stead: tuple[Hex | None, str] | None = None
    told: bool = True
    other_made: bool = False
    seen: bool = False
    counter: str | None = None
    hits_left: tuple[str, int] | None = None
    void: bool = False
    moved: bool = False
    premoved: bool = False
    attacked: bool = False
    target: str | None = None
    target_hex: Hex | None = None
    target_models: tuple[str, ...] = ()
    countered: bool = False
    retreated: bool = False
    said: bool | None = None
    staying: tuple[str, ...] = ()
    rolled: bool = False
    kept: tuple[str, ...] = ()
    moved_in: bool = False
    flame: tuple[Hex, bool] | None = None
    flames: int = 0
    owes: tuple[str, ...] = ()

    def __init__(self, unit: Unit, action: str, tp_before: int, tp_after: int, number: int) -> None:
        self.unit = unit.id
        self.side = unit.side
        self.action = action
        self.number = number
        self.start = self.hex = unit.hex
        self.tp_before = tp_before
        self.tp_after = tp_after
        self.losses = {"UM": 0, "WB": 0}
        self.locations = {"UM": 0, "WB": 0}

    @property
    def shows_its_attack(self) -> bool:
        """Whether a line of the record made its attack, whatever was made and not recorded (the cell `attack`)."""
        return bool(vars(self).get("attacked"))

    @property
    def hexes(self) -> tuple[Hex | None, ...]:
        """Where the unit stands whose activation it is, and the one that acted in its stead."""
        return (self.hex,) if self.stead is None else (self.hex, self.stead[0])

    def pass_to(self, unit: Unit) -> None:
        """Another unit acts in the stead of the one activated, or that one does after all."""
        if self.stead is not None and self.stead[0] == unit.hex:
            self.action = self.stead[1]
            self.stead = None
        elif self.stead is None:
            self.stead = self.hex, self.action
        self.unit, self.hex = unit.id, unit.hex
        self.attacked = self.countered = False

    def copy(self) -> Activation:
        twin = Activation.__new__(Activation)
        twin.__dict__.update(self.__dict__)
        twin.losses = dict(self.losses)
        twin.locations = dict(self.locations)
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Activation) and bool(_ALL_OF_ACTIVATION(self) == _ALL_OF_ACTIVATION(other))

    __hash__ = None  # type: ignore[assignment]


class Position:
    """What is on the table after an event.

    units      unit id -> unit; by_hex and unit_of find the same units by hex and by model
    removed    models out of play for good; reserve: models not yet on the board
    sealed     hexsides with a sealed door
    phase      setup | initiative | ready | action | over
    last_side  who activated last in this action phase (None: nobody yet)
    drawn      cards drawn in this ready phase, by side
    awaited    units of which the TPs of this round are recorded only after the actions have begun; None where no TPs are
    former     models that have left units, by the label that the unit bore
    shared     labels that units of both sides bear: the side whose units bear it as `own_label` has it
    held       what events of the open action changed, for lines that restate it (`reckoning.licence.Held`)
    hands      Command cards in hand by side, where a stated position says; "hidden" for one that is not named
    cards_played   Command cards played in the open action
    mislabelled    what was last stated of the round and of the phase that is not so
    suspensions    rules that cards have taken out of force for a time
    moving         the move that the event before made
    """

    __slots__ = (
        "act",
        "awaited",
        "by_hex",
        "card_waiting",
        "cards_played",
        "casualties",
        "damage_in_deck",
        "damage_on_model",
        "deck_left",
        "destroyed",
        "drawn",
        "drawn_in_all",
        "draws_allowed",
        "former",
        "gone",
        "hands",
        "held",
        "holes",
        "initiative",
        "last_side",
        "mislabelled",
        "moving",
        "occupied",
        "over",
        "phase",
        "played",
        "recorded",
        "refreshed",
        "removed",
        "reserve",
        "rolled",
        "round",
        "sealed",
        "shared",
        "started",
        "suspensions",
        "table",
        "unit_of",
        "units",
    )

    def __init__(self, table: Table, recorded: Recorded | None = None) -> None:
        self.table = table
        self.recorded = recorded or Recorded()
        self.holes = Holes()
        self.units: dict[str, Unit] = {}
        self.by_hex: dict[Hex, Unit] = {}
        self.unit_of: dict[str, Unit] = {}
        self.occupied = 0
        self.removed: frozenset[str] = frozenset()
        self.reserve: frozenset[str] = frozenset(table.models)
        self.sealed = table.sealed_at_start
        self.destroyed: frozenset[tuple[str, str]] = frozenset()
        self.round = 1
        self.phase = "setup"
        self.initiative: str | None = None
        self.last_side: str | None = None
        self.act: Activation | None = None
        self.rolled = False
        self.drawn: dict[str, int] = {}
        self.drawn_in_all: dict[str, int] = {}
        self.refreshed: frozenset[str] | None = None
        self.awaited: frozenset[str] | None = None
        self.draws_allowed: dict[str, int] = {}
        self.gone: frozenset[str] = frozenset()
        self.former: dict[str, tuple[str, ...]] = {}
        self.shared: Mapping[str, str] = {}
        self.deck_left: dict[str, int] = {}
        self.hands: dict[str, tuple[str, ...]] = {}
        self.played: frozenset[str] = frozenset()
        self.damage_in_deck: frozenset[str] | None = frozenset(table.locations)
        self.damage_on_model: frozenset[str] = frozenset()
        self.card_waiting: Any = None
        self.casualties: tuple[str, ...] = ()
        self.held: tuple[Any, ...] = ()
        self.cards_played: tuple[str, ...] = ()
        self.mislabelled: tuple[Any, Any] = (None, None)
        self.moving: Moving | None = None
        self.suspensions: tuple[Suspension, ...] = ()
        self.started = False
        self.over = False

    def copy(self) -> Position:
        twin = Position.__new__(Position)
        for name, value in zip(_SHARED, _ALL_SHARED(self), strict=True):
            setattr(twin, name, value)
        twin.holes = self.holes.copy()
        units: dict[str, Unit] = {}
        by_hex: dict[Hex, Unit] = {}
        unit_of: dict[str, Unit] = {}
        for unit_id, unit in self.units.items():
            unit = unit.copy()
            units[unit_id] = unit
            by_hex[unit.hex] = unit
            for model in unit.models:
                unit_of[model] = unit
        twin.units, twin.by_hex, twin.unit_of = units, by_hex, unit_of
        twin.drawn = dict(self.drawn)
        twin.drawn_in_all = dict(self.drawn_in_all)
        twin.deck_left = dict(self.deck_left)
        twin.draws_allowed = dict(self.draws_allowed)
        twin.hands = dict(self.hands)
        twin.act = self.act.copy() if self.act is not None else None
        return twin

    def __eq__(self, other: object) -> bool:
        """Whether no later event can tell two positions apart: weapons of removed models are not asked for."""
        return (
            isinstance(other, Position)
            and (
                self.destroyed == other.destroyed  # what lanes differ in most often
                or all(model in self.removed for model, _ in self.destroyed ^ other.destroyed)
            )
            and self.differs_only_in_weapons(other)
        )

    __hash__ = None  # type: ignore[assignment]

    def differs_only_in_weapons(self, other: Position) -> bool:
        """Whether nothing tells two positions apart but, perhaps, which weapons are destroyed.

        Who had the initiative says whose activation is the first of a round; after that nothing asks for it.
        """
        return (
            bool(_BESIDE_UNITS(self) == _BESIDE_UNITS(other))
            and (self.initiative == other.initiative or self.last_side is not None)
            and (
                list(map(_OF_UNIT, self.units.values())) == list(map(_OF_UNIT, other.units.values()))
                or self.by_hex == other.by_hex
            )
        )

    @property
    def sealed_mask(self) -> int:
        return self.table.sealed_mask(self.sealed)

    # -- questions --------------------------------------------------------------------------------------------

    def adjacent(self, hex_: Hex) -> frozenset[Hex]:
        """The hexes adjacent to one that models may stand in (CAL-HEX-04); empty for any other."""
        return self.table.adjacent(self.sealed).get(hex_, frozenset())

    def enemies_beside(self, hex_: Hex, side: str) -> list[Unit]:
        """Units of the other side in hexes adjacent to `hex_`."""
        by_hex = self.by_hex
        return [by_hex[h] for h in self.adjacent(hex_) if h in by_hex and by_hex[h].side != side]

    def of_act(self, hex_: Hex | None) -> Unit | None:
        """The unit in a hex of the open activation, its own or that of its target: the activation says who that is."""
        return self.by_hex.get(hex_) if hex_ is not None else None

    def next_to_enemy(self, hex_: Hex, side: str) -> bool:
        by_hex = self.by_hex
        for h in self.adjacent(hex_):
            unit = by_hex.get(h)
            if unit is not None and unit.side != side:
                return True
        return False

    def has_tps(self, side: str) -> bool:
        """Whether some unit of the side can still be activated."""
        for unit in self.units.values():
            if unit.tp > 0 and unit.side == side:
                return True
        return False

    def side_to_act(self) -> str | None:
        """Whose activation is next (CAL-ACT-01, CAL-ACT-04); None where nobody has TPs or nobody knows."""
        if self.act is not None and not self.act.told:
            return None  # it may be the one of which no line tells
        first = OTHER[self.last_side] if self.last_side else self.initiative
        if first is None:
            return None
        if self.has_tps(first):
            return first
        return OTHER[first] if self.has_tps(OTHER[first]) else None

    def may_be_empty(self, side: str) -> bool:
        """Whether the Command deck of a side, of which the record never says how many cards are left, may be used
        up.
        """
        if side in self.deck_left or self.table.cards is None:
            return False
        held = sum(card.side == side for card in self.table.cards.values())
        return self.drawn_in_all.get(side, 0) >= held

    def all_in_hand(self, side: str) -> bool:
        """Whether a side holds its whole Command deck, by the hand stated and what was drawn and played since, or by
        what was drawn and played in the whole record: none to shuffle.
        """
        cards = self.table.cards
        if cards is None:
            return False
        deck = sum(card.side == side for card in cards.values())
        hand = self.hands.get(side)
        if hand is not None:
            return len(hand) >= deck
        played = any(known.side == side for card in self.played if (known := cards.get(card)) is not None)
        return self.drawn_in_all.get(side, 0) >= deck and not played

    def bulk(self, models: Any) -> int:
        """The sum of the bulk of models, by id."""
        known = self.table.models
        return sum(known[model].bulk for model in models)

    def at(self, hex_: Hex | None) -> str:
        """A hex in a sentence (`Table.at`)."""
        return self.table.at(hex_)

    def room(self, hex_: Hex) -> int:
        """How much bulk still fits in a hex (CAL-HEX-07)."""
        unit = self.by_hex.get(hex_)
        return CAPACITY - (self.bulk(unit.models) if unit is not None else 0)

    def own_label(self, label: str, side: str | None) -> str:
        """How a unit of a side that the log calls so goes by here: labels are unique within a side only."""
        return f"{label} ({side})" if side is not None and self.shared.get(label) == side else label

    # -- changes: for adopt and correct only ------------------------------------------------------------------

    def begin_action(self) -> None:
        """What happened in the action before can no longer be restated."""
        self.casualties = ()
        self.held = ()
        self.cards_played = ()

    def hold(self, *held: Any) -> None:
        """Keep what an event changed, for lines that restate it. The last of what is equal is kept, so that an action
        that never ends stays as short as what it does.
        """
        self.held = (*[one for one in self.held if one not in held], *dict.fromkeys(held))

    def put(self, unit: Unit) -> None:
        """Set a unit on the board. Its hex is free."""
        self.holes.forget(of_unit(unit.id))
        self.units[unit.id] = unit
        if unit.id in self.gone:
            self.gone = self.gone - {unit.id}
        if unit.id in self.former:
            self.former = {label: models for label, models in self.former.items() if label != unit.id}
        self.by_hex[unit.hex] = unit
        self.occupied |= self.table.bit.get(unit.hex, 0)
        for model in unit.models:
            self.unit_of[model] = unit

    def lift(self, unit: Unit) -> None:
        """Take a unit off the board, its models with it."""
        self.units.pop(unit.id, None)
        self.gone = self.gone | {unit.id}
        self.by_hex.pop(unit.hex, None)
        self.occupied &= ~self.table.bit.get(unit.hex, 0)
        for model in unit.models:
            self.unit_of.pop(model, None)

    def shift(self, unit: Unit, hex_: Hex) -> None:
        """Move a whole unit to a free hex."""
        bit = self.table.bit
        self.by_hex.pop(unit.hex, None)
        self.occupied = self.occupied & ~bit.get(unit.hex, 0) | bit.get(hex_, 0)
        unit.hex = hex_
        self.by_hex[hex_] = unit

    def join(self, unit: Unit, models: tuple[str, ...]) -> None:
        """Add models to a unit; they share its TPs (CAL-CON-04)."""
        unit.models = unit.models + models
        for model in models:
            self.unit_of[model] = unit

    def take(self, model: str) -> Unit | None:
        """Take one model out of its unit; a unit without models is gone. Gives back the unit it was in."""
        unit = self.unit_of.pop(model, None)
        if unit is None:
            return None
        unit.models = tuple(m for m in unit.models if m != model)
        self.former = {**self.former, unit.id: (*self.former.get(unit.id, ()), model)}
        if not unit.models:
            self.lift(unit)
            self.gone = self.gone - {unit.id}
            hole = self.holes.doubt([("count", unit.id)])
            if hole is not None:  # somebody else may be in it
                self.holes.open(hole.of([("units",)]))
        elif self.holes:
            left = [self.holes.doubt([("in", other)]) for other in unit.models]
            if left[0] is not None and all(left):  # nobody may be left in it
                self.holes.open(left[0].of([("units",)]))
        return unit

    def remove(self, model: str) -> None:
        """Remove a model for good (CAL-ATK-08)."""
        unit = self.take(model)
        if unit is not None and not unit.models:
            self.gone = self.gone | {unit.id}
        self.removed = self.removed | {model}
        self.reserve = self.reserve - {model}


_OWN = ("holes", "units", "by_hex", "unit_of", "drawn", "drawn_in_all", "draws_allowed", "deck_left", "hands", "act")
_SHARED = tuple(name for name in Position.__slots__ if name not in _OWN)
_ALL_SHARED = attrgetter(*_SHARED)
_ALL_OF_ACTIVATION = attrgetter(*Activation.__annotations__)
_OF_UNIT = attrgetter("side", "hex", "tp", "models")
_APART = ("table", "recorded", "units", "by_hex", "unit_of", "occupied", "destroyed", "initiative")
_BESIDE_UNITS = attrgetter(*(name for name in Position.__slots__ if name not in _APART))
"""What is compared of two positions beside their units, the initiative and which weapons are destroyed."""
