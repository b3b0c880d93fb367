"""What is on the table in a game of Calixtus' Edition. Only `adopt` changes a position.

Models and units are frozen and replaced when something changes, so that a copy of a position is two copies of dicts.
Source: catalogue section 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import chain, compress
from operator import is_not
from types import MappingProxyType
from typing import Any

from auditor.core.holes import Hole, Holes
from auditor.geometry.inches.arcs import Arc, Direction
from auditor.geometry.inches.lengths import ZERO
from auditor.geometry.inches.shapes import Box, Circle, Point, Polygon, Shape, box_of, placed
from auditor.geometry.inches.sight import grown
from auditor.systems.clx.packs import Model, Setup, Unit
from auditor.systems.clx.position.combat import Combat
from auditor.systems.clx.position.kept import Kept
from auditor.systems.clx.position.lookahead import Later

BOXES = "the boxes round bases"
PHASES = ("movement", "psychic", "shooting", "assault")


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a model is and how it fares. `at` None: not on the table. `heading`: of a hull, in degrees;
    None: not known.

    wounds   left; None: its profile does not say how many it had
    aboard   the unit of the transport that it is in
    struck   a line of its own has said that it is removed
    apart    the event that put it down far from its unit, and so put in doubt where it stands
    told     where its last move ended has been told as a fault, and may be a slip of the pen
    z_open   its line left its height out, as before, and nobody knows how high it stood then
    """

    at: Point | None = None
    z: Fraction = ZERO
    heading: Fraction | None = None
    wounds: int | None = None
    alive: bool = True
    aboard: str | None = None
    struck: bool = False
    apart: int | None = None
    told: bool = False
    z_open: bool = False


Options = tuple[str, str, str]
"""One option each of OR-FACING-MOVE, OR-FACING-ORDER and OR-SUPP: the readings on which a facing hangs."""


@dataclass(frozen=True, slots=True)
class Look:
    """A direction in which a unit faces, and what turned it there: stated, move, shot or suppression."""

    direction: Direction
    by: str


Crossed = tuple[str, str, str]
"""One option each of OR-CROSS, OR-CROSS-NEED and OR-ARC: the readings on which it hangs whether shots are a crossfire."""


@dataclass(frozen=True, slots=True)
class Split:
    """Which way a unit faces where that hangs on whether shots at it were a crossfire; options left out: not known."""

    looks: Mapping[Crossed, Look]


Faces = Look | Split


def look_of(faces: Faces | None, crossed: Crossed) -> Look | None:
    """The facing under some options of the readings on crossfire; None: not known."""
    return faces.looks.get(crossed) if isinstance(faces, Split) else faces


Count = tuple[int, int]
"""At least so many, and at most."""


@dataclass(frozen=True, slots=True)
class Group:
    """The shots of one weapon in an attack.

    seq        of the event that fires it
    shots      model -> its shots; None: not recorded. Models with no shots are left out
    covered    cover dice rolled so far; `saved`: shots that they stopped
    waived     the target took no cover
    whole      all who fire are certainly in range and sight, so that all these shots are made
    hit_dice   dice to hit so far; `hit_seq`: of the first event that has them
    wound_dice dice to wound so far; `wound_seq`: of the last event that has them
    automatic  wounds without a die
    sixes      6s among the dice to hit, rerolls taken as they ended; None: not recorded
    cover      (option of OR-COVER-UNIT, level) of cover that the target certainly had at the first dice against one of
               those who fire
    alike      the target had the same cover against all of them
    unsure     there may be dice of it that the record does not show, or does not give to a weapon
    """

    seq: int
    shots: tuple[tuple[str | None, int | None], ...] = ()
    covered: int = 0
    saved: Count = (0, 0)
    waived: bool = False
    whole: bool = False
    hit_dice: int = 0
    hit_seq: int | None = None
    wound_dice: int = 0
    wound_seq: int | None = None
    automatic: int = 0
    sixes: int | None = 0
    cover: tuple[tuple[str, int], ...] = ()
    alike: bool = False
    unsure: bool = False


@dataclass(frozen=True, slots=True)
class Rolled:
    """A step of an attack as it was rolled, for who draws it: see `reckoning.rolled`.

    seq      of its event
    what     cover, hits, wounds, hull or saves
    dice     how many were rolled; of saves: how many wounds were allocated
    needed   as the log says; `claimed`: how many succeeded, of a hull: the wounds that it took, as the log says
    counted  how many of the dice reach `needed`; of saves: how many wounds were not saved
    beside   wounds without a die; of saves: models removed
    row      the row of the table that it goes by, or the result on a hull
    faces    of the dice as they were rolled; None: not recorded
    """

    seq: int
    what: str
    weapon: str | None
    dice: int = 0
    needed: int | None = None
    claimed: int | None = None
    counted: int | None = None
    beside: int | None = None
    row: str = ""
    faces: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class AttackState:
    """A shooting attack of this phase.

    seq      of the event that declares it
    claim    what that says of its range: out of range (False), in range (True)
    places   the reference points of the unit and of its target when it was declared; None: not known
    frame    which way the target faced then, as `UnitState.facing`
    toward   the direction from the unit to its target when it was declared; None: not known
    arc      of the target that it comes from, as the log says
    failed   the log says that it was out of range
    weapons  those that were fired
    begun    those of them whose dice have been rolled
    firers   weapon -> the models that fired it
    snap     weapons of which some shots were Snap Shots, as the log says
    hits     weapon -> hits on the target; `unsaved`: wounds that were not saved
    inflicted  weapon -> wounds before saves
    wasted   weapon -> those of them that an allocation gave to nobody
    pools    wound pool -> the weapon that it is of, and the wounds in it that have not been allocated; below 0: so many more
             were allocated than it had
    groups   weapon -> its shots and dice
    ground   the target went to ground in this attack: before its first die ("early"), after it ("late"), or when the
             record does not say in which ("some time")
    order    the wound pools in the order in which they were allocated
    made     wound pool -> the weapons that its wounds are of, each with whether they came without a die
    takers   wound pool -> the models that its wounds were allocated to, in that order
    rolled   its steps so far
    """

    unit: str | None
    target: str | None
    seq: int = 0
    claim: bool | None = None
    places: tuple[Point, Point] | None = None
    frame: Mapping[Options, Faces] = field(default_factory=lambda: MappingProxyType({}))
    toward: Direction | None = None
    arc: Arc | None = None
    failed: bool = False
    weapons: tuple[str | None, ...] = ()
    begun: frozenset[str | None] = frozenset()
    firers: dict[str | None, tuple[str | None, ...]] = field(default_factory=dict)
    snap: frozenset[str | None] = frozenset()
    hits: dict[str | None, Count] = field(default_factory=dict)
    unsaved: dict[str | None, Count] = field(default_factory=dict)
    inflicted: dict[str | None, Count] = field(default_factory=dict)
    wasted: dict[str | None, int] = field(default_factory=dict)
    pools: dict[str | None, tuple[str | None, int]] = field(default_factory=dict)
    groups: dict[str | None, Group] = field(default_factory=dict)
    ground: str | None = None
    order: tuple[str | None, ...] = ()
    made: dict[str | None, tuple[tuple[str | None, bool], ...]] = field(default_factory=dict)
    takers: dict[str | None, tuple[str, ...]] = field(default_factory=dict)
    rolled: tuple[Rolled, ...] = ()


@dataclass(frozen=True, slots=True)
class PinTest:
    """A pinning test of this phase. `causes`: the attacks that called for it; None: not recorded, or none is named.

    pinned   whether it says that the unit is pinned; None: it does not say
    prone    it is the choice of a unit that drops or presses on instead
    """

    unit: str | None
    causes: frozenset[str] | None
    pinned: bool | None
    prone: bool = False


@dataclass(frozen=True, slots=True)
class UnitState:
    """What a unit is and has done. The flags of its turn begin with `moved`; they end with its player's turn.

    pinned       "new" until the next turn of its player begins, "serving" in it; so with `gone_to_ground`
    shot_hidden  it has shot since it was hidden
    jinking      in this phase
    prone        dropped, pressed, or against_orders, as it chose, and "new" or "serving" as with `pinned`
    declared     the weapons with which it shot, or tried to, this turn
    locked_with  enemy units with which it is in combat
    frenzy_lost  None: not known
    fear_failed, fear_overcome, fear_doubt   enemy units: a Fear test against them was failed, they were beaten in a round
                 of combat, or the record does not tell
    arrived      turn and method of its arrival from reserve
    facing       which way it faces, under each combination of readings; a combination left out: not known
    faced_move   it has turned by a move in this turn of its player; `faced_shot`: by a shot
    """

    hidden: bool = False
    shot_hidden: bool = False
    falling_back: bool = False
    pinned: str | None = None
    gone_to_ground: str | None = None
    jinking: bool = False
    prone: tuple[str, str] | None = None
    declared: frozenset[str] = frozenset()
    locked_with: frozenset[str] = frozenset()
    moved: bool = False
    ran: str | None = None
    shot: frozenset[str] = frozenset()
    shooting_spent: bool = False
    charged: str | None = None
    arrived: tuple[int, str] | None = None
    frenzy_lost: bool | None = False
    fear_failed: frozenset[str] = frozenset()
    fear_overcome: frozenset[str] = frozenset()
    fear_doubt: frozenset[str] = frozenset()
    facing: Mapping[Options, Faces] = field(default_factory=lambda: MappingProxyType({}))
    faced_move: bool = False
    faced_shot: bool = False

    def arrived_in(self, turn: int | None) -> bool:
        """Whether it is on record that it arrived from reserve in a turn."""
        return self.arrived is not None and self.arrived[0] == turn

    def outflanks_in(self, turn: int | None) -> bool:
        """Whether it is on record that it arrived outflanking in a turn."""
        return self.arrived == (turn, "outflank")


FLAGS_OF_A_UNIT: tuple[str, ...] = tuple(UnitState.__slots__)
"""The flags of a unit, each a fact of its own."""
NOTHING_DONE: Mapping[str, Any] = {
    **{"moved": False, "ran": None, "shot": frozenset(), "shooting_spent": False, "charged": None},
    **{"declared": frozenset(), "faced_move": False, "faced_shot": False},
}
"""What a unit has done in its own turn, when that begins."""


@dataclass(frozen=True, slots=True)
class CastState:
    """A power that was cast in this Psychic Phase, as the record goes on with it.

    succeeded   None: the log does not claim it, and it cannot be worked out
    dispels     attempts to dispel it
    total       the casting total that is claimed, where it is another than the dice and the Leadership make
    """

    player: str | None
    psyker: str | None
    power: str | None
    target: str | None
    dice: tuple[int, ...] | None
    succeeded: bool | None
    dispels: int = 0
    total: int | None = None


@dataclass(frozen=True, slots=True)
class PerilsDue:
    """Perils of the Warp that must come next: of whom, by which rule, and how many 6s called for them."""

    rule: str
    player: str | None
    psyker: str | None
    cast: str | None
    sixes: int
    seq: int


_DICTS = ("models", "units", "length", "pools", "casts", "known", "attacks", "fired")
"""The fields of a position that a copy has for itself, beside its combat and its holes."""


@dataclass(slots=True)
class Position:
    """A position. `setup` never changes and is shared by copies.

    turn, phase, active   where the game is; `active` None before the first `turn_start`
    closed                phases of this player's turn that have ended
    stated                the record states positions: what lies before it is owed by nobody
    winner                of the roll-off; None: not rolled, or a tie
    choice                (deploys first, first turn) as chosen
    first                 who has the first turn
    seized                None: no attempt yet; else (player, whether it succeeded)
    bare                  nothing has been done in the phase that is on, since a line began it
    rival                 whose phase began, where that of the other player's turn was the line before: who acts first says
                          whose turn it is
    ended_turns           (turn, player) of the turns that have ended
    length                game turn -> whether the roll after it let the game go on, None where its die is not recorded;
                          `length_open`: turns of which its die says otherwise, so that play may go on either way
    over                  why the game has to be over, once it has
    pools                 player -> warp charges left in this Psychic Phase; a player who has not rolled is not in it
    charged               (psyker, role) of the warp charges rolled in this Psychic Phase
    casts                 id -> what was cast in this Psychic Phase
    perils                that are due
    known                 psyker -> powers; a psyker of whom the record says nothing is not in it
    pin_tests             of this phase
    fired                 model -> the weapons that it has fired in this phase
    flat_out              vehicles of squadrons that have gone flat out in this phase
    combat                charges, fights and tests
    attacks               id -> the shooting attacks of this phase
    played                whether any event has been played
    astray                the hole that an event of this phase opened by naming what the record does not have
    later                 what the record says later; copies share it
    now, ever             what was worked out once: of this position as it is, and of all positions of the game
    boxed                 how all models stood when it was last asked, and the box round the base of each on the table
    """

    setup: Setup
    models: dict[str, Standing]
    units: dict[str, UnitState]
    turn: int | None = None
    phase: str | None = None
    active: str | None = None
    closed: frozenset[str] = frozenset()
    stated: bool = False
    rolled: bool = False
    winner: str | None = None
    choice: tuple[str | None, str | None] | None = None
    first: str | None = None
    seized: tuple[str | None, bool] | None = None
    begun: bool = False
    bare: bool = False
    rival: str | None = None
    ended_turns: frozenset[tuple[int, str]] = frozenset()
    length: dict[int, bool | None] = field(default_factory=dict)
    length_open: frozenset[int] = frozenset()
    over: str | None = None
    pools: dict[str, int] = field(default_factory=dict)
    charged: frozenset[tuple[str | None, str | None]] = frozenset()
    casts: dict[str | None, CastState] = field(default_factory=dict)
    perils: tuple[PerilsDue, ...] = ()
    known: dict[str, frozenset[str]] = field(default_factory=dict)
    attacks: dict[str | None, AttackState] = field(default_factory=dict)
    pin_tests: tuple[PinTest, ...] = ()
    fired: dict[str | None, frozenset[str]] = field(default_factory=dict)
    flat_out: frozenset[str] = frozenset()
    combat: Combat = field(default_factory=Combat)
    played: bool = False
    holes: Holes = field(default_factory=Holes)
    astray: Hole | None = None
    later: Later = field(default_factory=lambda: Later((), {}), compare=False, repr=False)
    now: Kept = field(default_factory=Kept, compare=False, repr=False)
    ever: Kept = field(default_factory=Kept, compare=False, repr=False)
    boxed: tuple[list[Standing], dict[str, Box]] = field(default=([], {}), compare=False, repr=False)

    def copy(self) -> Position:
        dicts: dict[str, Any] = {name: dict(getattr(self, name)) for name in _DICTS}
        return replace(self, **dicts, combat=self.combat.copy(), holes=self.holes.copy(), now=Kept())

    # -- questions --------------------------------------------------------------------------------------------------

    @property
    def second(self) -> str | None:
        """The player who has the second turn."""
        return None if self.first is None else self.setup.opponent(self.first)

    def stated_in(self, turn: int) -> bool:
        """Whether a position was stated so late in a turn that what was due after that turn may lie before it."""
        return self.stated and not any(number == turn for number, _ in self.ended_turns)

    def unit_of(self, model: str | None) -> Unit | None:
        known = self.setup.models.get(model or "")
        return None if known is None else self.setup.units[known.unit]

    def is_open(self, flag: str, unit: str) -> bool:
        """Whether a stated position left a flag of a unit open, and nothing has settled it since."""
        hole = self.holes.doubt(flags_of(unit, flag)) if self.holes else None
        return hole is not None and hole.facts is not None

    def on_table(self, model: str) -> bool:
        standing = self.models[model]
        return standing.alive and standing.at is not None

    def nowhere(self, model: str) -> bool:
        """Whether a model is alive and neither on the table nor on board, as far as the record says."""
        standing = self.models[model]
        return standing.alive and standing.at is None and standing.aboard is None

    def living(self, unit: Unit) -> list[Model]:
        """The models of a unit that are alive and on the table, in the order of the pack."""
        return [model for model in unit.models if self.on_table(model.id)]

    def grown(self, area: Polygon, by: Fraction) -> Polygon | None:
        """An area with its sides moved outwards by `by` inches, or inwards; None where nothing, or nothing simple, is left."""
        return self.ever.once(("grown", by), partial(grown, area, by), (area,))

    def stand(self, models: Iterable[Model]) -> list[object]:
        """Where some models stand and which way they face: what is measured between their bases hangs on nothing else."""
        stand = [self.models[model.id] for model in models]
        return [*(one.at for one in stand), *(one.heading for one in stand)]

    def shape(self, model: Model, at: Point | None = None, heading: Fraction | None = None) -> Shape:
        """The base of a model as it stands, or as it would at another place and heading. It must be on the table.

        A hull of unknown heading is taken along +x; its heading is a hole then, so that nobody is accused for it.
        """
        standing = self.models[model.id]
        place = at or standing.at
        if place is None:
            raise ValueError(f"{model.id} is not on the table")
        return self.base_at(model, place, standing.heading if heading is None else heading)[0]

    def base_at(self, model: Model, place: Point, heading: Fraction | None) -> tuple[Shape, Box]:
        """The base of a model at a place and heading, and the box round it."""
        base = model.base
        if isinstance(base, Circle):
            return self.ever.once("base", lambda: _boxed(Circle(place, base.radius)), (model, place))
        turned = heading or ZERO
        return self.ever.once("base", lambda: _boxed(placed(base, place, turned)), (model, place, turned))

    def boxes(self) -> Mapping[str, Box]:
        """The box round the base of each model on the table, to look for somebody. A watched position tells nothing of that:
        it tells whose base is asked for then, and a fault rests on who was found and not on all who stand elsewhere."""
        return self.now.once(BOXES, self._boxes)

    def _boxes(self) -> Mapping[str, Box]:
        stand, (before, boxes) = list(self.models.values()), self.boxed
        moved = list(compress(self.models, map(is_not, stand, before))) if before else list(self.models)
        if moved:
            new = {name: box for name in moved if (box := self._box(name)) is not None}
            boxes = {**boxes, **new}
            if len(new) < len(moved) or list(boxes)[-1] in new:  # In the order of the models, and none that is gone.
                gone = {name for name in moved if name not in new}
                boxes = {name: boxes[name] for name in self.models if name in boxes and name not in gone}
            self.boxed = stand, boxes
        return boxes

    def _box(self, name: str) -> Box | None:
        standing = self.models[name]
        if not standing.alive or standing.at is None:
            return None
        return self.base_at(self.setup.models[name], standing.at, standing.heading)[1]

    def enemies(self, player: str) -> list[Model]:
        """The models of the other player that are alive and on the table."""
        units = (unit for unit in self.setup.units.values() if unit.player != player)
        return list(chain.from_iterable(self.living(unit) for unit in units))


def _boxed(shape: Shape) -> tuple[Shape, Box]:
    return shape, box_of(shape)


def places_of(models: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The facts that are the places of models."""
    return tuple(("at", model) for model in models)


def bases_of(models: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The facts that are the places of models, and which way they face where they are hulls."""
    return tuple((cell, model) for model in models for cell in ("at", "heading"))


def units_of(units: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The facts that are the states of units, to ask for them."""
    return tuple(("unit", unit) for unit in units)


def all_of_units(units: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The facts that are the states of units, with their flags and charges, to open and to state them."""
    return tuple((name, unit) for unit in units for name in ("unit", *FLAGS_OF_A_UNIT, "charge"))


def flags_of(unit: str, *flags: str) -> tuple[tuple[str, str], ...]:
    """The facts that are flags of a unit: each rests a fault on it that the flag, set the other way, would explain."""
    return tuple((flag, unit) for flag in flags)


NOBODY = ""
"""Who ended a turn, where the record does not say."""
NOW: tuple[tuple[str, str], ...] = (("game", "now"),)
"""The fact that is turn, phase and whose turn it is."""
ENDED: tuple[tuple[str, str], ...] = (("game", "ended"),)
"""The fact that is which turns have ended, and what was rolled after them."""
FRAME = (*NOW, *ENDED)
OF_A_PHASE: tuple[tuple[str, str], ...] = (("game", "phase"),)
"""The fact that is what has been done in this phase, as far as no attack has a name for it."""
OF_A_TURN: tuple[tuple[str, str], ...] = (("game", "turn"),)
"""The fact that is what has been tested in this turn, and where models stood when it began."""
