"""What a position knows of assaults: charges, the steps of a fight, the tests taken, grenades, and who fell when.

Everything is what the log says; readings are asked where it is judged. Source: catalogue section 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from auditor.geometry.inches.lengths import Length
from auditor.geometry.inches.shapes import Point

if TYPE_CHECKING:
    from auditor.systems.clx.position.state import AttackState, Standing, UnitState

Moment = tuple[int | None, str | None]
"""The game turn, and whose part of it."""


@dataclass(frozen=True, slots=True)
class Charge:
    """A charge: of this turn, or the one that brought a unit into the combat that it is in.

    gap       between the two units when it was declared; None: not known
    roll      the dice together; None: not recorded
    claimed   whether the log says that it reached
    face      the target as it was then, with its facings; `at`, `of`: the middles of the target and of the unit
    fleeing   the target was falling back, `pinned`: it was pinned; None: not known
    lower     models of the unit that stood lower than the nearest model of the target; `level_unknown`: models that did
              or did not, as several were equally near
    moved     its models have been moved
    short     the log says that the charge failed when they were
    stated    a position states it: nothing else is known of it
    assumed   that they have been moved is taken as read since a position was stated; nothing says so
    seq       the number of the line that declares it
    """

    unit: str
    target: str | None
    moment: Moment
    gap: Length | None = None
    roll: int | None = None
    claimed: bool | None = None
    face: UnitState | None = None
    at: Point | None = None
    of: Point | None = None
    fleeing: bool | None = False
    pinned: bool | None = False
    lower: frozenset[str] = frozenset()
    level_unknown: frozenset[str] = frozenset()
    arc: str | None = None
    moved: bool = False
    short: bool | None = None
    stated: bool = False
    assumed: bool = False
    seq: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a fight in this phase. `counts`: its hits, wounds and wounds not saved. `attackers`: with the attacks claimed
    for each; `blows`: these together."""

    unit: str | None
    target: str | None
    weapon: str | None
    initiative: int | None
    attackers: tuple[tuple[str, int | None], ...]
    blows: int | None
    counts: AttackState
    counted: bool = False


@dataclass(frozen=True, slots=True)
class Test:
    """A test of Leadership, of a characteristic, or of morale in this turn.

    kind    ld, char or morale; `cause` as in the log
    passed  as the log claims, else as its dice say; None: not known
    """

    kind: str
    unit: str | None
    cause: str | None
    passed: bool | None
    versus: str | None = None
    phase: str | None = None
    model: str | None = None
    attacks: frozenset[str] | None = None
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Throw:
    """A grenade of this phase. `hits`: models it hit, None: not recorded; `fallen`: models removed by it so far;
    `wounds`: those that it may have caused, saved or not.

    slowed  models that are said to fight at Initiative 1; None: not said
    cover  the target was in cover, as cover dice show; None: not known
    stopped  at most so many of its hits did cover stop, as its dice show; None: no cover dice are recorded
    pinned  whether it pinned its target, as the record says; None: it does not say
    struck  of an EMP grenade: whether a die of a model in powered armour shows what it needs; None: not known
    counts  what its dice came to
    """

    attack: str | None
    unit: str | None
    model: str | None
    weapon: str | None
    side: str | None
    target: str | None
    hits: tuple[str, ...] | None
    fallen: int = 0
    wounds: int = 0
    slowed: tuple[str, ...] | None = None
    cover: bool | None = None
    stopped: int | None = None
    pinned: bool | None = None
    struck: bool | None = None
    counts: AttackState = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Result:
    """A combat as it ended in this phase.

    units   that fought; `loser`: a player, None for a tie; `known`: whether that is known
    wounds  player -> wounds that they caused, as the log goes on with them; `inflicted`: before saves. None: not known
    """

    units: frozenset[str]
    loser: str | None
    known: bool
    wounds: Mapping[str, int | None]
    inflicted: Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class Fallen:
    """A model removed in this phase: how it stood, and at which Initiative of a fight it fell (None: in none)."""

    stood: Standing
    initiative: int | None


@dataclass(slots=True)
class Combat:
    """Of this phase: steps, throws, results, fallen. Of this turn: tests, started. The rest stands until it changes.

    charges  unit -> its last charge
    wrecks   explosion -> the unit that was inside, and how many of it fell; None: not known
    shocked  units that a tank shock reached in this phase, each with True
    since    pair of units in combat -> when they came into it
    started  model -> where it stood when the Movement Phase of this turn began; None: not known
    gaps     (unit, enemy) -> gap at the start of the Movement Phase as the log states it
    bound    units that stay in their combats by all that the record says: they did not lose the last round, or passed
             their test after it
    """

    charges: dict[str, Charge] = field(default_factory=dict)
    steps: dict[str | None, Step] = field(default_factory=dict)
    tests: tuple[Test, ...] = ()
    throws: tuple[Throw, ...] = ()
    results: tuple[Result, ...] = ()
    shocked: dict[str, bool] = field(default_factory=dict)
    wrecks: dict[str | None, tuple[str, int | None]] = field(default_factory=dict)
    fallen: dict[str, Fallen] = field(default_factory=dict)
    since: dict[frozenset[str], Moment] = field(default_factory=dict)
    started: Mapping[str, Any] | None = None
    gaps: dict[tuple[str, str], Fraction] = field(default_factory=dict)
    bound: frozenset[str] = frozenset()

    @property
    def lines(self) -> int:
        """How much of it is kept."""
        return len(self.charges) + len(self.steps) + len(self.tests) + len(self.throws) + len(self.results)

    def copy(self) -> Combat:
        names = ("charges", "steps", "shocked", "wrecks", "fallen", "since", "gaps")
        dicts: dict[str, Any] = {name: dict(getattr(self, name)) for name in names}
        return replace(self, **dicts)

    def new_phase(self) -> None:
        self.steps, self.throws, self.results, self.shocked, self.wrecks, self.fallen = {}, (), (), {}, {}, {}

    def new_turn(self) -> None:
        self.new_phase()
        self.tests, self.started, self.gaps = (), None, {}

    def grow_old(self, moment: Moment) -> None:
        """What was done in a turn that goes by the same number and player as one that begins was done before it: where no
        line says whose turn it is, both players' turns go by the same."""
        before = (moment[0], "")
        for name, charge in self.charges.items():
            if charge.moment == moment:
                self.charges[name] = replace(charge, moment=before)
        for pair, since in self.since.items():
            if since == moment:
                self.since[pair] = before
