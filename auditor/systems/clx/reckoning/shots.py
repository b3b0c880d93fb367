"""Whom a firing model reaches: range with what height adds to it, and sight, to each model of the target.

Source: catalogue 2.6, 2.7 and CLX-SHOOT-06.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal

from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import Length
from auditor.geometry.inches.shapes import gap
from auditor.systems.clx.packs import Model, Unit, Weapon
from auditor.systems.clx.state import Position
from auditor.systems.clx.tables import tables
from auditor.systems.clx.tolerance import Judged, judge

ELEV, ELEV_REF = "OR-ELEV", "OR-ELEV-REF"
HEIGHTS: tuple[tuple[str, str], ...] = tuple(product(("FLOOR", "LINEAR"), ("GROUND", "RELATIVE")))
"""The options of these two readings, combined."""
MOST = Fraction(tables()["height"]["most"])

State = Literal["fine", "tolerance", "far", "unseen", "unknown"]
OUT: tuple[State, ...] = ("far", "unseen")


def bonus(own: Fraction, other: Fraction, elev: str, ref: str) -> Fraction:
    """The inches that height adds to a range. `own`, `other`: the heights of the firing model and of its target."""
    up = max(own - other if ref == "RELATIVE" else own, Fraction(0))
    return min(Fraction(up.numerator // up.denominator) if elev == "FLOOR" else up, MOST)


@dataclass(frozen=True, slots=True)
class Pair:
    """A firing model and a model of its target, as they stand.

    blur     how far the gap between their bases may be off by itself
    bonuses  inches added to the range, by the options of OR-ELEV and OR-ELEV-REF
    """

    firer: Model
    target: Model
    gap: Length
    blur: Fraction
    bonuses: tuple[Fraction, ...]

    def limit(self, reach: Fraction, heights: tuple[str, str]) -> Fraction:
        """A range with what height adds to it."""
        return reach + self.bonuses[HEIGHTS.index(heights)]


def pair_of(firer: Model, target: Model, position: Position) -> Pair:
    """Both models must be on the table."""
    a, b = position.shape(firer), position.shape(target)
    own, other = position.models[firer.id].z, position.models[target.id].z
    return Pair(firer, target, gap(a, b), a.blur + b.blur, tuple(bonus(own, other, elev, ref) for elev, ref in HEIGHTS))


def visible(firer: Model, target: Model, position: Position, by: Fraction = Fraction(0)) -> bool | None:
    """Whether one model sees another, with the sides of all blockers moved outwards by `by`; None: it hangs on a height
    that is not known."""
    ground = position.setup.ground.moved(by) if by else position.setup.ground
    tops = tuple(
        None if model.height is None else position.models[model.id].z + model.height for model in (firer, target)
    )
    return ground.visible(position.shape(firer), position.shape(target), (tops[0], tops[1]))


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
    judged  by how much that one is out of range
    """

    state: State
    pair: Pair
    judged: Judged


def reach(firer: Model, weapon: Weapon, target: Unit, position: Position, hearing: Hearing) -> Reach | None:
    """How a firing model stands to its target; None where the range is not known, or one of them is not on the table.

    The readings on height are asked only where the answers differ under them.
    """
    living = position.living(target)
    if weapon.range is None or not position.on_table(firer.id) or not living:
        return None
    if spatial(firer, living, position, hearing):
        return None
    pairs = sorted((pair_of(firer, model, position) for model in living), key=lambda one: float(one.gap))
    if all(len(set(pair.bonuses)) == 1 for pair in pairs):
        return _reach(pairs, weapon.range, HEIGHTS[0], position, hearing)
    found = {heights: _reach(pairs, weapon.range, heights, position, hearing) for heights in HEIGHTS}
    if len({one.state for one in found.values()}) == 1 and found[HEIGHTS[0]].state == "fine":
        return found[HEIGHTS[0]]
    return found[hearing.ask(ELEV), hearing.ask(ELEV_REF)]


def _reach(
    pairs: list[Pair], inches: Fraction, heights: tuple[str, str], position: Position, hearing: Hearing
) -> Reach:
    judged = [(pair, judge(pair.gap - pair.limit(inches, heights), hearing.settings, blur=pair.blur)) for pair in pairs]
    near = [(pair, one) for pair, one in judged if one.verdict != "beyond"]
    sights = {pair.target.id: visible(pair.firer, pair.target, position) for pair, _ in near}
    for pair, one in near:
        if one.verdict == "fine" and sights[pair.target.id]:
            return Reach("fine", pair, one)
    for pair, one in near:
        if sights[pair.target.id] is None:
            return Reach("unknown", pair, one)
    for pair, one in near:
        if sights[pair.target.id] or visible(pair.firer, pair.target, position, -one.allowed):
            return Reach("tolerance", pair, one)
    if near:
        return Reach("unseen", *near[0])
    return Reach("far", *next(((p, j) for p, j in judged if visible(p.firer, p.target, position)), judged[0]))


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
    targets: Iterable[Model],
    heights: tuple[str, str],
    position: Position,
    hearing: Hearing,
) -> Iterator[tuple[Model, State]]:
    """Each target model with how it stands to those who fire at it: `fine` where one of them reaches it, and so on."""
    order: tuple[State, ...] = ("fine", "tolerance", "unknown", "unseen", "far")
    for target in targets:
        states: set[State] = {"far"}
        for firer in firers:
            if weapon.range is not None and position.on_table(firer.id):
                states.add(_reach([pair_of(firer, target, position)], weapon.range, heights, position, hearing).state)
        yield target, min(states, key=order.index)
