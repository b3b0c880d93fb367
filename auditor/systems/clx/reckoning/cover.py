"""Which cover a target has against who fires at it, before anybody is hit.

Source: catalogue 2.11, CLX-SHOOT-07b, -07c and -11. A level is 7 less the save: 1 is 6+, 5 is 2+; 0 is no cover.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from auditor.geometry.inches.shapes import Polygon, overlap, stretches_inside
from auditor.geometry.inches.sight import grown
from auditor.systems.clx.packs import Model, Terrain, Unit
from auditor.systems.clx.reckoning.attacks import pins
from auditor.systems.clx.reckoning.shots import HEIGHTS, pair_of, visible
from auditor.systems.clx.state import AttackState, Group, Position
from auditor.systems.clx.tables import tables

COVER_UNIT = "OR-COVER-UNIT"
HOW = ("MAJORITY", "CLOSEST", "ANY")
BEST = 7 - int(tables()["cover"]["best"])
LEVELS = {1: 7 - int(tables()["cover"]["soft"]), 2: 7 - int(tables()["cover"]["hard"])}
"""Soft and hard cover of a piece of terrain -> level."""


@lru_cache(maxsize=4096)
def _moved(area: Polygon, by: Fraction) -> Polygon | None:
    return area if by == 0 else grown(area, by)


def _helps(piece: Terrain, firer: Model, target: Model, position: Position, by: Fraction) -> bool:
    """Whether a piece of terrain gives cover, with its sides moved outwards by `by` (and inwards for the firer)."""
    area, own = _moved(piece.area, by), _moved(piece.area, -by)
    if area is None:
        return False
    if overlap(position.shape(target), area):
        return True
    if position.setup.base["BASE-COVER-GEOM"] != "AREA_OR_INTERVENING":
        return False
    start, end = position.models[firer.id].at, position.models[target.id].at
    if start is None or end is None or not stretches_inside(start, end, area):
        return False
    return own is None or not overlap(position.shape(firer), own)


@dataclass(frozen=True, slots=True)
class Cover:
    """The level of cover of a unit against one firer, by the options of OR-COVER-UNIT; `least` and `most`: what it may be
    within the tolerance."""

    levels: tuple[int, ...]
    least: tuple[int, ...]
    most: tuple[int, ...]

    def of(self, option: str) -> int:
        return self.levels[HOW.index(option)]


def cover_of(firer: Model, target: Unit, position: Position, allowed: Fraction) -> Cover | None:
    """The cover of a target from terrain; None where the base rules do not say what gives it, or nobody stands there."""
    living = position.living(target)
    if position.setup.base["BASE-COVER-GEOM"] is None or not living or not position.on_table(firer.id):
        return None
    pieces = [piece for piece in position.setup.terrain.values() if piece.cover]
    if not pieces:
        return Cover((0, 0, 0), (0, 0, 0), (0, 0, 0))
    gaps = {model.id: pair_of(firer, model, position).gap for model in living}
    by: list[tuple[int, ...]] = []
    for shift in (Fraction(0), -allowed, allowed):
        levels = {
            model.id: max((LEVELS[p.cover] for p in pieces if _helps(p, firer, model, position, shift)), default=0)
            for model in living
        }
        by.append(_by_option(levels, gaps, 2 * allowed if shift else Fraction(0), least=shift < 0))
    return Cover(*by)


def _by_option(levels: dict[str, int], gaps: dict[str, Any], tie: Fraction, *, least: bool) -> tuple[int, ...]:
    ordered = sorted(levels.values(), reverse=True)
    nearest = min(gaps.values(), key=float)
    close = [levels[model] for model, far in gaps.items() if far - nearest <= tie]
    return ordered[(len(ordered) + 1) // 2 - 1], min(close) if least else max(close), ordered[0]


Ask = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Better:
    """What else gives a target cover.

    ground   it went to ground: yes, no, or None where it may count or not
    prone    it may have dropped
    jink     the level of a jink; 0: none
    """

    ground: bool | None
    prone: bool
    jink: int = 0

    def levels(self, level: int, ask: Ask) -> set[int]:
        """The levels that a target with some cover from terrain may take. The 6+ of lying prone is its to take."""
        found: set[int] = set()
        for ground in (True, False) if self.ground is None else (self.ground,):
            one = {level + 1 if ground else level}
            if self.prone:
                one.add(max(level + 1 if ask("OR-PRONE-COVER") == "PLUS_ONE" else max(level, 1), *one))
            found |= one | ({max(*one, self.jink)} if self.jink else set())
        return {min(one, BEST) for one in found}


def fired_at_by_pinning(unit: Unit, position: Position, but: str | None) -> bool:
    """Whether Pinning weapons, or weapons that are not known, have been fired at a unit in another attack of the phase."""
    return any(
        attack.target == unit.id
        and name != but
        and any(pins(weapon, position) is not False for weapon in attack.weapons)
        for name, attack in position.attacks.items()
    )


def better(target: Unit, name: str | None, attack: AttackState, position: Position, ask: Ask) -> Better | None:
    """What a target has beside terrain; None where it cannot be known: it pressed on, or what a jink gives is not said."""
    state = position.units[target.id]
    if state.prone is not None and state.prone[0] == "pressed":
        return None
    jink = 0
    if state.jinking:
        value = position.setup.base["BASE-JINK"]
        if value is None:
            return None
        jink = 7 - int(value)
    prone = state.prone is not None or (
        "prone_position" in target.rules and fired_at_by_pinning(target, position, name)
    )
    ground: bool | None = state.gone_to_ground is not None
    if attack.ground == "some time":
        ground = None
    elif attack.ground is not None:
        when = ask("OR-GTG-TIME")
        ground = when == "RETROACTIVE" or (
            None if attack.ground == "late" and when == "BEFORE_COVER" else when != "NEXT_ATTACK"
        )
    elif state.pinned is not None and not ground:
        ground = None
    return Better(ground, prone, jink)


def single_shots(weapon: Any) -> bool:
    """Whether the shots of a weapon take cover one by one: not where it is known only later who is hit."""
    return weapon is not None and not weapon.guess and "blast" not in weapon.rules


# -- kept with the attack -----------------------------------------------------------------------------------------


def firers_of(group: Group, position: Position, named: Iterable[str | None] | None = None) -> list[Model]:
    """The models that fire a group, or those of them that are named."""
    wanted = None if named is None else set(named)
    names = dict.fromkeys(model for model, _ in group.shots if wanted is None or model in wanted)
    return [position.setup.models[name] for name in names if name is not None and name in position.setup.models]


def covers_alike(found: list[Cover | None]) -> bool:
    """Whether a target certainly has the same cover against all who fire."""
    covers = set(found)
    return len(covers) == 1 and all(one is not None and one.least == one.most for one in covers)


def with_cover(attack: AttackState, weapon: str | None, position: Position, allowed: Fraction) -> AttackState:
    """An attack at the first dice of a weapon: the cover that the target certainly has, and whether all shots are made."""
    group, target = attack.groups.get(weapon), position.setup.units.get(attack.target or "")
    known = position.setup.weapons.get(weapon or "")
    if group is None or target is None or known is None or not single_shots(known):
        return attack
    firers = firers_of(group, position)
    found = [cover_of(model, target, position, allowed) for model in firers]
    covers = [one for one in found if one is not None]
    state = position.units[target.id]
    pressed = state.prone is not None and state.prone[0] == "pressed"
    due: tuple[tuple[str, int], ...] = ()
    if covers and len(covers) == len(found) and not pressed and target.vehicle is None:
        due = tuple((how, max(one.least[place] for one in covers)) for place, how in enumerate(HOW))
    group = replace(
        group,
        cover=due,
        alike=covers_alike(found),
        whole=len(firers) == len(group.shots)
        and all(makes_its_shots(model, known, target, position) for model in firers),
    )
    return replace(attack, groups={**attack.groups, weapon: group})


def makes_its_shots(firer: Model, weapon: Any, target: Unit, position: Position) -> bool:
    """Whether a model certainly has a visible target in range, whatever height adds."""
    if weapon.range is None or not position.on_table(firer.id):
        return False
    for model in position.living(target):
        pair = pair_of(firer, model, position)
        if pair.gap <= min(pair.limit(weapon.range, one) for one in HEIGHTS) and visible(firer, model, position):
            return True
    return False
