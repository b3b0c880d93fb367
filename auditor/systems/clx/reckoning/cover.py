"""Which cover a target has against who fires at it, before anybody is hit.

Source: catalogue 2.11, CLX-SHOOT-07b, -07c and -11. A level is 7 less the save: 1 is 6+, 5 is 2+; 0 is no cover.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from auditor.core.rulings import Hearing
from auditor.core.work import spend
from auditor.geometry.inches.shapes import NEAR, Box, Point, Polygon, box_of, overlap, runs_through
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Terrain, Unit
from auditor.systems.clx.position.state import AttackState, Group, Position
from auditor.systems.clx.position.values import replace
from auditor.systems.clx.reckoning.attacks import attack_of, pins, weapon_of
from auditor.systems.clx.reckoning.shots import HEIGHTS, Pair, pair_of
from auditor.systems.clx.tables import tables
from auditor.systems.clx.tolerance import RND, tolerance

COVER_UNIT = "OR-COVER-UNIT"
HOW = ("MAJORITY", "CLOSEST", "ANY")
BEST = 7 - int(tables()["cover"]["best"])
LEVELS = {1: 7 - int(tables()["cover"]["soft"]), 2: 7 - int(tables()["cover"]["hard"])}
"""Soft and hard cover of a piece of terrain -> level."""


Areas = tuple[Polygon, Polygon | None, Polygon | None]
"""The area of a piece of terrain, that with its sides moved inwards by the tolerance, and outwards; None: nothing is
left of it."""
_OTHER_WAY = (0, 2, 1)
"""Their places, with inwards for outwards."""


def _areas(position: Position, allowed: Fraction) -> list[tuple[Terrain, Areas]]:
    """The pieces of terrain that give cover."""

    def work_out() -> list[tuple[Terrain, Areas]]:
        pieces = [(piece, piece.area) for piece in position.setup.terrain.values() if piece.cover]
        return [(one, (area, position.grown(area, -allowed), position.grown(area, allowed))) for one, area in pieces]

    return position.ever.once(("areas of cover", allowed), work_out)


def _stands_in(model: Model, area: Polygon | None, position: Position) -> bool:
    """Whether a base is in an area of terrain."""
    return area is not None and overlap(position.shape(model), area)


Levels = tuple[int, int, int]
"""What terrain gives with its sides where they are, moved inwards by the tolerance, and moved outwards by it."""


def _standing(target: Unit, position: Position, allowed: Fraction) -> dict[str, Levels]:
    """The cover of each model of a unit from what it stands in."""
    pieces = _areas(position, allowed)
    found: dict[str, Levels] = {}
    for model in position.living(target):
        box = box_of(position.shape(model))
        near = [(LEVELS[piece.cover], areas) for piece, areas in pieces if not _apart(box, areas[2])]
        found[model.id] = _each(
            max((level for level, areas in near if _stands_in(model, areas[place], position)), default=0)
            for place in range(3)
        )
    return found


def _each(levels: Iterable[int]) -> Levels:
    exact, least, most = levels
    return exact, least, most


def _apart(box: Box, outer: Polygon | None) -> bool:
    """Whether a box certainly has nothing in common with an area; None: the area is not known."""
    if outer is None:
        return False
    x0, y0, x1, y1 = outer.box
    return box[2] + NEAR < x0 or box[0] - NEAR > x1 or box[3] + NEAR < y0 or box[1] - NEAR > y1


def _between(pair: Pair, position: Position, allowed: Fraction) -> Levels:
    """The cover that lies between a firing model and a target. What the firing model stands in gives none."""
    found = pair.covers.get(allowed)
    if found is None:
        spend(20 + 8 * len(position.setup.terrain))
        start, end = position.models[pair.firer.id].at, position.models[pair.target.id].at
        levels = [0, 0, 0]
        if start is not None and end is not None:
            xs, ys = sorted((float(start.x), float(end.x))), sorted((float(start.y), float(end.y)))
            box = (xs[0], ys[0], xs[1], ys[1])
            for piece, areas in _areas(position, allowed):
                level = LEVELS[piece.cover]
                if level <= min(levels) or _apart(box, areas[2]):
                    continue
                for place, through in enumerate(_through(start, end, areas)):
                    if through and level > levels[place]:
                        if not _stands_in(pair.firer, areas[_OTHER_WAY[place]], position):
                            levels[place] = level
        found = pair.covers[allowed] = _each(levels)
    return found


def _through(start: Point, end: Point, areas: Areas) -> tuple[bool, bool, bool]:
    """Through which areas of a piece of terrain a line runs: where it does through a smaller one, it does through a
    greater one."""
    area, inner, outer = areas
    if outer is not None and not runs_through(start, end, outer):
        return False, False, False
    if inner is not None and runs_through(start, end, inner):
        return True, True, outer is not None
    return runs_through(start, end, area), False, outer is not None


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
    of = (firer, *living, *position.stand((firer, *living)))
    return position.ever.once(("cover", allowed), lambda: _cover_of(firer, target, position, allowed), of)


def levels_about(firer: Model, target: Unit, position: Position, allowed: Fraction) -> set[int]:
    """The levels of the pieces of terrain that give a target cover or may, within the tolerance; and no cover."""
    lies_between = position.setup.base["BASE-COVER-GEOM"] == "AREA_OR_INTERVENING"
    start = position.models[firer.id].at
    found = {0}
    for piece, (_, inner, area) in _areas(position, allowed):
        level = LEVELS[piece.cover]
        for model in position.living(target) if level not in found and area is not None else ():
            end = position.models[model.id].at
            assert area is not None and start is not None and end is not None, "both are on the table"
            between = lies_between and runs_through(start, end, area)
            if overlap(position.shape(model), area) or (between and not _stands_in(firer, inner, position)):
                found.add(level)
    return found


def pieces_for(firer: Model, model: Model, position: Position) -> list[tuple[Terrain, bool]]:
    """The pieces of terrain that give a model cover against another; with each whether it stands in it, or behind it."""
    start, end = position.models[firer.id].at, position.models[model.id].at
    lies_between = position.setup.base["BASE-COVER-GEOM"] == "AREA_OR_INTERVENING"
    found = []
    for piece in position.setup.terrain.values():
        if not piece.cover:
            continue
        stands = _stands_in(model, piece.area, position)
        behind = lies_between and start is not None and end is not None and runs_through(start, end, piece.area)
        if stands or (behind and not _stands_in(firer, piece.area, position)):
            found.append((piece, stands))
    return found


def _cover_of(firer: Model, target: Unit, position: Position, allowed: Fraction) -> Cover:
    if not any(piece.cover for piece in position.setup.terrain.values()):
        return Cover((0, 0, 0), (0, 0, 0), (0, 0, 0))
    standing = position.now.once(("standing", target.id, allowed), lambda: _standing(target, position, allowed))
    pairs = {model.id: pair_of(firer, model, position) for model in position.living(target)}
    levels = dict(standing)
    if position.setup.base["BASE-COVER-GEOM"] == "AREA_OR_INTERVENING":
        for name, pair in pairs.items():
            here, between = standing[name], _between(pair, position, allowed)
            levels[name] = (max(here[0], between[0]), max(here[1], between[1]), max(here[2], between[2]))
    return Cover(
        *(
            _by_option({name: one[place] for name, one in levels.items()}, pairs, tie, least=place == 1)
            for place, tie in enumerate((Fraction(0), 2 * allowed, 2 * allowed))
        )
    )


def _by_option(levels: dict[str, int], pairs: dict[str, Pair], tie: Fraction, *, least: bool) -> tuple[int, ...]:
    ordered = sorted(levels.values(), reverse=True)
    if ordered[0] == ordered[-1]:
        return (ordered[0],) * len(HOW)
    first = min(pair.about for pair in pairs.values()) + NEAR
    nearest = min(pair.gap for pair in pairs.values() if pair.about <= first + NEAR)
    beyond = first + float(tie) + NEAR
    close = [levels[model] for model, pair in pairs.items() if pair.about <= beyond and pair.gap - nearest <= tie]
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


PRESSED = ("pressed", "against_orders")
"""How a unit lies that chose to press on, and has no cover for it; the second failed its test."""


def better(target: Unit, name: str | None, attack: AttackState, position: Position, ask: Ask) -> Better | None:
    """What a target has beside terrain; None where it cannot be known: it pressed on, or what a jink gives is not said."""
    state = position.units[target.id]
    if state.prone is not None and state.prone[0] in PRESSED:
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
    pressed = state.prone is not None and state.prone[0] in PRESSED
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
        least = min(pair.limit(weapon.range, one) for one in HEIGHTS)
        if pair.about <= float(least) + NEAR and pair.gap <= least and pair.sees(position.setup.ground, Fraction(0)):
            return True
    return False


def levels_of(
    event: records.CoverRolls, found: tuple[AttackState, Unit, Unit], position: Position, hearing: Hearing
) -> tuple[set[int], set[int]] | str:
    """The levels of cover that may be taken, and those within the tolerance; or why that is not known."""
    attack, _, target = found
    group = attack.groups.get(weapon_of(event.weapon, attack))
    if group is None:
        return "who fired is not recorded"
    firers = firers_of(group, position, event.firers)
    allowed = max(tolerance(hearing.settings), RND)
    covers = [cover_of(model, target, position, allowed) for model in firers]
    known = [one for one in covers if one is not None]
    if not known or len(known) < len(covers):
        return "what gives cover is not known (BASE-COVER-GEOM), or who fired"
    same = all(len(set(zip(one.levels, one.least, one.most, strict=True))) == 1 for one in known)
    how = HOW[0] if same else hearing.ask(COVER_UNIT)
    place = HOW.index(how)
    alike = {one.of(how) for one in known}
    if len(alike) > 1:  # Within the tolerance it may be one cover against all.
        alike = set.intersection(*(set(range(one.least[place], one.most[place] + 1)) for one in known))
    if not alike:
        return f"the cover of {target.name} is not the same against all who fire, and the record does not part them"
    more = better(target, event.attack, attack, position, hearing.ask)
    if more is None:
        return f"what jinking gives {target.name} is not stated (BASE-JINK), or it pressed on"
    near: set[int] = set()
    for model, one in zip(firers, known, strict=True):
        least, most = one.least[place], one.most[place]
        levels = set(range(least, most + 1))
        # Between none and hard cover there is soft cover only where some piece of it may lie.
        near |= (
            levels if most - least < 2 else levels & (levels_about(model, target, position, allowed) | {least, most})
        )
    exact = {level for one in alike for level in more.levels(one, hearing.ask)}
    return exact, {level for one in near for level in more.levels(one, hearing.ask)}


def levels_due(event: records.CoverRolls, position: Position, hearing: Hearing) -> set[int] | None:
    """The levels of cover that a target may take; None where that is not known, or it takes none."""
    found = attack_of(event, position)
    if found is None or found[0].failed or event.waived:
        return None
    if not single_shots(position.setup.weapons.get(weapon_of(event.weapon, found[0]) or "")):
        return None
    levels = levels_of(event, found, position, hearing)
    return None if isinstance(levels, str) else levels[0]
