"""Whom a firing model reaches: range with what height adds to it, and sight, to each model of the target.

Source: catalogue 2.6, 2.7 and CLX-SHOOT-06.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal

from auditor.core.rulings import Hearing
from auditor.core.work import spend
from auditor.geometry.inches.lengths import Length
from auditor.geometry.inches.shapes import NEAR, Shape, about_gap, gap
from auditor.geometry.inches.sight import Ground
from auditor.systems.clx.packs import Model, Unit, Weapon
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.tables import tables
from auditor.systems.clx.tolerance import Judged, Verdict, allowance, judge

ELEV, ELEV_REF = "OR-ELEV", "OR-ELEV-REF"
HEIGHTS: tuple[tuple[str, str], ...] = tuple(product(("FLOOR", "LINEAR"), ("GROUND", "RELATIVE")))
"""The options of these two readings, combined."""
MOST = Fraction(tables()["height"]["most"])

NOTHING = Fraction(0)
_SURE = 10 * NEAR

State = Literal["fine", "tolerance", "far", "unseen", "unknown"]
OUT: tuple[State, ...] = ("far", "unseen")


def bonus(own: Fraction, other: Fraction, elev: str, ref: str) -> Fraction:
    """The inches that height adds to a range. `own`, `other`: the heights of the firing model and of its target."""
    up = max(own - other if ref == "RELATIVE" else own, NOTHING)
    return min(Fraction(up.numerator // up.denominator) if elev == "FLOOR" else up, MOST)


class Pair:
    """A firing model and a model of its target, as they stand. Kept as long as they stand so, with what was measured.

    about    the gap between their bases in floats, right to within `NEAR`
    blur     how far that gap may be off by itself
    bonuses  inches added to the range, by the options of OR-ELEV and OR-ELEV-REF
    covers   inches of tolerance -> the cover between them, as `reckoning.cover` keeps it
    """

    __slots__ = ("_gap", "_sights", "about", "blur", "bonuses", "covers", "firer", "heights", "shapes", "target")

    def __init__(self, firer: Model, target: Model, shapes: tuple[Shape, Shape], heights: tuple[Fraction, Fraction]):
        self.firer, self.target = firer, target
        self.shapes, self.heights = shapes, heights
        self.about = about_gap(*shapes)
        self.blur = shapes[0].blur + shapes[1].blur
        self.bonuses = tuple(bonus(*heights, elev, ref) for elev, ref in HEIGHTS) if heights[0] else NO_BONUS
        self._gap: Length | None = None
        self._sights: dict[Fraction, bool | None] = {}
        self.covers: dict[Fraction, tuple[int, int, int]] = {}

    @property
    def gap(self) -> Length:
        """The gap between their bases."""
        if self._gap is None:
            self._gap = gap(*self.shapes)
        return self._gap

    def limit(self, reach: Fraction, heights: tuple[str, str]) -> Fraction:
        """A range with what height adds to it."""
        return reach if self.bonuses is NO_BONUS else reach + self.bonuses[HEIGHTS.index(heights)]

    @property
    def tops(self) -> tuple[Fraction | None, Fraction | None]:
        """How high the eyes of the one and the top of the other are above the table; None: not known."""
        own, other = self.heights
        return (
            None if self.firer.height is None else own + self.firer.height,
            None if self.target.height is None else other + self.target.height,
        )

    def sees(self, ground: Ground, by: Fraction) -> bool | None:
        """Whether the one sees the other, with the sides of all blockers moved outwards by `by`."""
        if by not in self._sights:
            self._sights[by] = (ground.moved(by) if by else ground).visible(*self.shapes, self.tops)
        return self._sights[by]


NO_BONUS = (Fraction(0),) * len(HEIGHTS)


def pair_of(firer: Model, target: Model, position: Position) -> Pair:
    """Both models must be on the table."""
    one, other = position.models[firer.id], position.models[target.id]

    def made() -> Pair:
        spend(20)
        return Pair(firer, target, (position.shape(firer), position.shape(target)), (one.z, other.z))

    of = (firer, target, one.at, other.at, one.z, other.z, one.heading, other.heading)
    return position.ever.once("pair", made, of)


def visible(firer: Model, target: Model, position: Position, by: Fraction = NOTHING) -> bool | None:
    """Whether one model sees another, with the sides of all blockers moved outwards by `by`; None: it hangs on a height
    that is not known."""
    return pair_of(firer, target, position).sees(position.setup.ground, by)


def spatial(firer: Model, targets: Iterable[Model], position: Position, hearing: Hearing) -> bool:
    """Whether a distance is to be measured between different heights, which is not done: only on the plan (OR-3D)."""
    own = position.models[firer.id].z
    return hearing.options["OR-3D"] == "SPATIAL" and any(position.models[model.id].z != own for model in targets)


@dataclass(frozen=True, slots=True)
class Reach:
    """Whether a firing model has a visible model of its target in range.

    state   fine, or only within the tolerance; far: nothing in range that can be seen; unseen: what is in range
            cannot be seen; unknown: it hangs on a height that is not known
    pair    with the model that decides: the nearest in range that is visible, else the nearest that is, else the nearest
    limit   the range to that one, with what height adds to it
    """

    state: State
    pair: Pair
    limit: Fraction
    settings: Mapping[str, str]

    @property
    def judged(self) -> Judged:
        """By how much that one is out of range."""
        return judge(self.pair.gap - self.limit, self.settings, blur=self.pair.blur)


def reach(firer: Model, weapon: Weapon, target: Unit, position: Position, hearing: Hearing) -> Reach | None:
    """How a firing model, which must be on the table, stands to its target; None where the range is not known, or nobody of
    the target is on the table.

    The readings on height are asked only where the answers differ under them.
    """
    living = position.living(target)
    if weapon.range is None or not living:
        return None
    if spatial(firer, living, position, hearing):
        return None
    inches, settings = weapon.range, hearing.settings

    def under(heights: tuple[str, str]) -> Reach:
        question = ("reach", firer.id, weapon.id, target.id, heights)
        return position.now.once(
            question, lambda: _reach(_pairs(firer, target, position), inches, heights, position, settings)
        )

    if position.models[firer.id].z == 0:
        return under(HEIGHTS[0])
    found = {heights: under(heights) for heights in HEIGHTS}
    if len({one.state for one in found.values()}) == 1 and found[HEIGHTS[0]].state == "fine":
        return found[HEIGHTS[0]]
    return found[hearing.ask(ELEV), hearing.ask(ELEV_REF)]


def _pairs(firer: Model, target: Unit, position: Position) -> list[Pair]:
    """A firing model with each model of its target, the nearest first."""

    def work_out() -> list[Pair]:
        return sorted((pair_of(firer, model, position) for model in position.living(target)), key=lambda one: one.about)

    return position.now.once(("pairs", firer.id, target.id), work_out)


def _in_range(pair: Pair, limit: Fraction, settings: Mapping[str, str]) -> Verdict:
    """What it amounts to that two models are so far apart. Floats answer where it is far from any limit."""
    over = pair.about - float(limit)
    if over < -_SURE:
        return "fine"
    if over > float(allowance(settings)) + _SURE:
        return "beyond"
    return judge(pair.gap - limit, settings, blur=pair.blur).verdict


def _reach(
    pairs: list[Pair], inches: Fraction, heights: tuple[str, str], position: Position, settings: Mapping[str, str]
) -> Reach:
    ground = position.setup.ground
    near: list[tuple[Pair, Fraction]] = []
    for pair in pairs:
        limit = pair.limit(inches, heights)
        verdict = _in_range(pair, limit, settings)
        if verdict == "fine" and pair.sees(ground, NOTHING):
            return Reach("fine", pair, limit, settings)
        if verdict != "beyond":
            near.append((pair, limit))
    for pair, limit in near:
        if pair.sees(ground, NOTHING) is None:
            return Reach("unknown", pair, limit, settings)
    for pair, limit in near:
        if pair.sees(ground, NOTHING) or pair.sees(ground, -allowance(settings)):
            return Reach("tolerance", pair, limit, settings)
    if near:
        return Reach("unseen", *near[0], settings)
    far = next((pair for pair in pairs if pair.sees(ground, NOTHING)), pairs[0])
    return Reach("far", far, far.limit(inches, heights), settings)


def surely(found: Reach, position: Position) -> bool:
    """Whether a model that is in range is so by more than the tolerance, and can be seen by more than it."""
    if found.state != "fine":
        return False
    allowed = found.judged.allowed
    seen = visible(found.pair.firer, found.pair.target, position, allowed)
    return found.judged.over <= -allowed - found.pair.blur and bool(seen)


def eligible(
    firers: Iterable[Model],
    weapon: Weapon,
    target: Model,
    heights: tuple[str, str],
    position: Position,
    settings: Mapping[str, str],
) -> State:
    """How a target model stands to those who fire at it: `fine` where one of them reaches it, and so on."""
    states: set[State] = {"far"}
    pairs = (pair_of(firer, target, position) for firer in firers if position.on_table(firer.id))
    for pair in sorted(pairs, key=lambda one: one.about):
        if weapon.range is not None:
            state = _reach([pair], weapon.range, heights, position, settings).state
            if state == "fine":
                return state
            states.add(state)
    return min(states, key=_BEST_FIRST.index)


def eligible_surely(
    firers: Iterable[Model],
    weapon: Weapon,
    target: Model,
    heights: tuple[str, str],
    position: Position,
    settings: Mapping[str, str],
) -> bool:
    """Whether one of those who fire has a target model in range and sight by more than the tolerance."""
    pairs = (pair_of(firer, target, position) for firer in firers if position.on_table(firer.id))
    return weapon.range is not None and any(
        surely(_reach([pair], weapon.range, heights, position, settings), position) for pair in pairs
    )


_BEST_FIRST: tuple[State, ...] = ("fine", "tolerance", "unknown", "unseen", "far")
