"""Movement: how far, how near to the enemy, and over what ground."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, hypot
from typing import Any

from auditor.core.findings import RAN, Figure, Note, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import Length, shown
from auditor.geometry.inches.moves import Pass, about_gaps, first_within, hull_passing, passing, too_near
from auditor.geometry.inches.shapes import NEAR, Box, Circle, Shape, distance
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.fights import held_in_combat
from auditor.systems.clx.reckoning.ground import crossed, movement_of, rough
from auditor.systems.clx.reckoning.ways import Way, Ways
from auditor.systems.clx.rules import coherency
from auditor.systems.clx.rules.common import (
    Seen,
    fault,
    inches,
    listed,
    path_marks,
    rule,
    unchecked,
    within_tolerance,
)
from auditor.systems.clx.show import marks
from auditor.systems.clx.tables import tables
from auditor.systems.clx.tolerance import Judged, judge
from auditor.systems.clx.written import exact_or_none

ZONE = Fraction(tables()["zone"]["inches"])
_ABOUT_ZONE, _HAIR = float(ZONE), 4 * NEAR
_JUST_BEYOND = ZONE + Fraction(1, 10**6)


# -- how far ------------------------------------------------------------------------------------------------------


@rule(
    "CLX-MOVE-01",
    "How far a model moves",
    events=["move"],
    kinds=["illegal", "miscalculated"],
    readings=["OR-TERRAIN-TOUCH", "OR-DIFF-SCOPE"],
)
def a_model_moves_at_most_its_movement(event: records.Move, ways: Ways, position: Position, hearing: Hearing) -> Seen:
    """In the Movement Phase a model moves at most its Movement, measured along its path. A unit that is pinned or in
    combat does not move at all (base rule).

    Log:  the path of every model. Its Movement stands in the pack of units, or in BASE-MOVE.
    Edge: a unit is in combat as long as one of its models touches an enemy that it fought, neither lost the last round
          without a test that it passed, and neither has fallen back.
    Edge: exactly the Movement is allowed; each model has its own.
    Edge: a move of which only the ends were recorded is held to the straight line between them.
    Edge: what difficult terrain takes away is CLX-MOVE-04, what pivots cost is CLX-VEH-05.
    """
    if ways.unit is None or not ways.ways:
        return None
    setup = position.setup
    seen: list[Remark] = []
    state = position.units[ways.unit.id]
    moves_pinned = state.pinned is not None and any(way.moved for way in ways.ways)
    if moves_pinned and setup.base["BASE-PINNED"] is None:
        seen.append(unchecked("CLX-MOVE-01", f"whether {ways.unit.name}, which is pinned, may move (BASE-PINNED)"))
    elif moves_pinned:
        text = f"{ways.unit.name} is pinned and does not move (base rule, not in the Calixtus text)."
        return [fault("CLX-MOVE-01", "illegal", text, ways.unit.id)]
    held = held_in_combat(ways.unit, position) if any(way.moved for way in ways.ways) else ()
    if held and setup.base["BASE-LOCKED"] is None:
        seen.append(unchecked("CLX-MOVE-01", f"whether {ways.unit.name}, which is in combat, may move (BASE-LOCKED)"))
    elif held:
        who = listed(enemy.name for enemy in held)
        text = f"{ways.unit.name} is in combat with {who} and does not move (base rule, not in the Calixtus text)."
        return [fault("CLX-MOVE-01", "illegal", text, ways.unit.id)]
    lacking: list[str] = []
    beside = _Beside(ways, hearing.settings)
    for way in ways.ways:
        allowed = movement_of(way.model, ways.unit, setup)
        if allowed is None:
            lacking.append(way.model.id)
            continue
        over = way.length - allowed
        if over.sign() <= 0:
            continue
        judged = judge(over, hearing.settings, parts=way.parts)
        if judged.verdict == "tolerance":
            said = f"{way.model.id} moved {inches(way.length)}; {inches(allowed)} are allowed."
            seen.append(within_tolerance("CLX-MOVE-01", judged, said))
        elif not _slowed(way, ways, event, position, hearing):
            seen.append(_too_far("CLX-MOVE-01", way, allowed, judged, beside))
    if lacking:
        why = f"the Movement of {listed(lacking)} is not known: it stands neither in the pack of units nor in BASE-MOVE"
        seen.append(unchecked("CLX-MOVE-01", why))
    if ways.unread:
        seen.append(unchecked("CLX-MOVE-01", f"the path of {listed(ways.unread)} cannot be read"))
    return seen + _claimed_allowance(event, ways.unit, ways, position, hearing)


def _claimed_allowance(
    event: records.Move, unit: Unit, ways: Ways, position: Position, hearing: Hearing
) -> list[Remark]:
    """The allowance as claimed, where terrain does not change it and all models have the same. Whether what pivots cost is
    taken off it already the text leaves open."""
    if event.difficult_dice is not None:
        return []
    hulls = [way for way in ways.ways if not isinstance(way.model.base, Circle)]
    if any(way.before.heading is None or way.headings is None for way in hulls):
        return []
    claimed = exact_or_none(event.claimed_allowance)
    if claimed is None:
        hearing.not_claimed()
        return []
    allowances = {movement_of(way.model, unit, position.setup) for way in ways.ways}
    right = next(iter(allowances))
    if len(allowances) > 1 or right is None or claimed == right:
        return []
    if unit.vehicle is not None and right - claimed in {cost for way in ways.ways for cost in _pivoting(way)}:
        return []
    if any(any(crossed(way, position, hearing)) for way in ways.ways):
        return []
    text = f"{unit.name} may move {inches(right)}, not {shown(claimed)}."
    return [
        fault(
            "CLX-MOVE-01",
            "miscalculated",
            text,
            unit.id,
            claimed={"allowance": shown(claimed)},
            recomputed={"allowance": shown(right)},
        )
    ]


def _pivoting(way: Way) -> set[Fraction]:
    """What the pivots of a vehicle may cost, by the options of OR-PIVOT."""
    shares = [turn / 90 for turn in way.turns]
    return {sum(shares, Fraction(0)), Fraction(sum(map(floor, shares))), Fraction(sum(map(ceil, shares)))}


def _too_far(
    rule_id: str,
    way: Way,
    allowed: Fraction,
    judged: Judged,
    beside: _Beside,
    *,
    also: tuple[str, ...] = (),
) -> Remark:
    """A model that moved too far, drawn beside the others of its unit."""
    straight = " even in a straight line" if way.ends_only else ""
    length = way.length
    far, most = shown(length), shown(allowed)
    legs = [
        (f"leg {i + 1}", shown(distance(a, b)))
        for i, (a, b) in enumerate(p for p in pairwise(way.path) if p[0] != p[1])
    ]
    return fault(
        rule_id,
        "illegal",
        f"{way.model.id} moved {inches(length)}{straight}; {inches(allowed)} are allowed: too far by {inches(judged.over)}.",
        way.model.id,
        claimed={"path_length": far},
        recomputed={"path_length": far, "allowance": most},
        figures=[Figure("path length", far, tuple(legs))],
        also=also,
        judged=judged,
        evidence=lambda: path_marks(way.model.id, way.path, allowed, *beside.of(way, allowed))(),
    )


class _Beside:
    """The ways of the models that an event moved, as they are drawn beside one that went too far: each is drawn once."""

    def __init__(self, ways: Ways, settings: Mapping[str, str]) -> None:
        self._ways = [way for way in ways.ways if way.moved]
        self._settings = settings
        self._drawn: dict[tuple[str, Fraction | None], dict[str, Any]] = {}

    def of(self, way: Way, allowed: Fraction) -> list[dict[str, Any]]:
        """All but one; where another is over the allowance, by how much, and whether that counts."""
        return [
            self._mark(one, allowed if one.model.movement == way.model.movement else None)
            for one in self._ways
            if one is not way
        ]

    def _mark(self, one: Way, allowed: Fraction | None) -> dict[str, Any]:
        drawn = self._drawn.get((one.model.id, allowed))
        if drawn is None:
            drawn = self._drawn[one.model.id, allowed] = self._draw(one, allowed)
        return drawn

    def _draw(self, one: Way, allowed: Fraction | None) -> dict[str, Any]:
        if allowed is None:
            return marks.way(one.model.id, one.path, ok=True)
        judged = judge(one.length - allowed, self._settings, parts=one.parts)
        if judged.verdict == "fine":
            return marks.way(one.model.id, one.path, ok=True)
        if judged.verdict == "beyond":
            return marks.way(one.model.id, one.path, allowed)
        label = f"{one.model.id}: {inches(judged.over)} over, within the tolerance of {inches(judged.allowed)}"
        return {**marks.way(one.model.id, one.path, allowed, ok=True), "label": label}


# -- rough ground -------------------------------------------------------------------------------------------------


def _higher(event: records.Move) -> int | None:
    """The higher of the two dice for difficult terrain."""
    dice = event.difficult_dice
    if dice is None or len(dice) != 2 or not all(1 <= die <= 6 for die in dice):
        return None
    return max(dice)


def _slowed(way: Way, ways: Ways, event: records.Move, position: Position, hearing: Hearing) -> bool:
    """Whether the dice for difficult terrain decide how far a model moves, so that CLX-MOVE-04 looks at it."""
    return _higher(event) is not None and _is_slowed(way, ways, position, hearing)


def _is_slowed(way: Way, ways: Ways, position: Position, hearing: Hearing) -> bool:
    if crossed(way, position, hearing)[0]:
        return True
    others = (one for one in ways.ways if one is not way)
    return any(crossed(one, position, hearing)[0] for one in others) and hearing.ask("OR-DIFF-SCOPE") == "UNIT"


@rule(
    "CLX-MOVE-04",
    "Difficult and dangerous terrain",
    events=["move"],
    kinds=["illegal", "miscalculated", "omitted"],
    readings=["OR-DIFF-CAP", "OR-DIFF-SCOPE", "OR-TERRAIN-TOUCH", "OR-DANGEROUS"],
)
def rough_ground_slows_a_unit(event: records.Move, ways: Ways, position: Position, hearing: Hearing) -> Seen:
    """A unit that moves through difficult or dangerous terrain rolls two D6 and moves at most the higher of them, in
    inches. In dangerous terrain each model tests as well (base rule).

    Log:  the paths, the dice; the terrain stands in its pack.
    Edge: the dice are not added; two equal ones count once.
    Edge: to graze a piece of terrain is not to cross it. Dice rolled for nothing are no fault.
    Edge: where the allowance is claimed wrongly, who keeps to it is not accused besides.
    Edge: whether a base crosses within the tolerance of measuring accuses nobody, but an allowance that is wrong either way
          is wrong.
    """
    if ways.unit is None or not ways.ways or not rough(position.setup):
        return None
    surely: dict[str, list[str]] = {}
    dangerous: list[str] = []
    seen: list[Remark] = []
    for way in ways.ways:
        if not way.moved:
            continue
        yes, perhaps = crossed(way, position, hearing)
        if yes:
            surely[way.model.id] = [piece.name for piece in yes]
            if any(piece.dangerous for piece in yes):
                dangerous.append(way.model.id)
        elif perhaps:
            text = f"Whether {way.model.id} crossed {listed(p.name for p in perhaps)} is within the tolerance."
            seen.append(Note("tolerance", text, "CLX-MOVE-04"))
    if not surely:
        return [*seen, *_either_way(event, ways.unit, ways, position, hearing)] if seen else seen
    who = listed(surely)
    where = listed(dict.fromkeys(name for names in surely.values() for name in names))
    if event.difficult_dice is None:
        text = f"{who} moved through {where}; nobody rolled two D6 for that."
        seen.append(fault("CLX-MOVE-04", "omitted", text, ways.unit.id))
    elif (die := _higher(event)) is None:
        seen.append(unchecked("CLX-MOVE-04", "the two dice for difficult terrain cannot be read"))
    else:
        seen += _slow(event, event.difficult_dice, Fraction(die), ways.unit, ways, position, hearing)
    tested = {row.model for row in event.dangerous or ()}
    missing = [model for model in dangerous if model not in tested]
    if missing and hearing.ask("OR-DANGEROUS") == "TEST_TOO":
        if None in tested:
            seen.append(unchecked("CLX-MOVE-04", "which models the tests for dangerous terrain are of is not recorded"))
        elif position.setup.base["BASE-DANGEROUS"] is None:
            seen.append(unchecked("CLX-MOVE-04", "whether models test in dangerous terrain (BASE-DANGEROUS)"))
        else:
            text = f"{listed(missing)} moved through dangerous terrain without a test (base rule)."
            seen.append(fault("CLX-MOVE-04", "omitted", text, *missing))
    return seen


def _slow(
    event: records.Move,
    dice: list[int],
    die: Fraction,
    unit: Unit,
    ways: Ways,
    position: Position,
    hearing: Hearing,
) -> Iterator[Remark]:
    """What the dice allow: every model, or those that cross."""
    claimed = exact_or_none(event.claimed_allowance)
    slowed: list[tuple[Way, Fraction, Fraction]] = []
    for way in ways.ways:
        if not _is_slowed(way, ways, position, hearing):
            continue
        movement = movement_of(way.model, unit, position.setup)
        if movement is None:
            yield unchecked("CLX-MOVE-04", f"the Movement of {way.model.id} is not known")
            continue
        allowed = die
        if die > movement and (way.length > movement or claimed is not None):
            allowed = movement if hearing.ask("OR-DIFF-CAP") == "MIN" else die
        elif die > movement:
            allowed = movement
        slowed.append((way, allowed, movement))
    allowances = {allowed for _, allowed, _ in slowed} if len(slowed) == len(ways.ways) else set()
    wrong = claimed if len(allowances) == 1 and claimed not in allowances else None
    farther: list[str] = []
    beside = _Beside(ways, hearing.settings)
    for way, allowed, movement in slowed:
        over = way.length - allowed
        if over.sign() <= 0:
            continue
        if wrong is not None and way.length <= wrong:
            farther.append(way.model.id)  # It kept to the wrong number, which is the fault.
            continue
        judged = judge(over, hearing.settings, parts=way.parts)
        if judged.verdict == "tolerance":
            said = f"{way.model.id} moved {inches(way.length)}; the dice allow {inches(allowed)}."
            yield within_tolerance("CLX-MOVE-04", judged, said)
        else:
            also = ("CLX-MOVE-01",) if way.length > movement else ()
            yield _too_far("CLX-MOVE-04", way, allowed, judged, beside, also=also)
    if event.claimed_allowance is None:
        hearing.not_claimed()
    elif wrong is not None:
        allowed = next(iter(allowances))
        text = f"The dice {listed(map(str, dice))} allow {unit.name} {inches(allowed)}, the higher of them at most, not {shown(wrong)}."
        yield fault(
            "CLX-MOVE-04",
            "miscalculated",
            text + (f" {listed(farther)} went farther." if farther else ""),
            str(event.unit),
            claimed={"allowance": shown(wrong)},
            recomputed={"allowance": shown(allowed)},
            figures=[Figure("allowance", shown(allowed)), *(Figure(f"die {i + 1}", d) for i, d in enumerate(dice))],
        )


def _either_way(event: records.Move, unit: Unit, ways: Ways, position: Position, hearing: Hearing) -> Iterator[Remark]:
    """An allowance that is neither what the dice allow nor the Movement, of a unit that may have crossed terrain or not."""
    claimed, die = exact_or_none(event.claimed_allowance), _higher(event)
    if unit.vehicle is not None or claimed is None or die is None:
        return
    movements = {movement_of(way.model, unit, position.setup) for way in ways.ways}
    movement = next(iter(movements))
    if len(movements) > 1 or movement is None or claimed in (movement, die):
        return
    dice = listed(map(str, event.difficult_dice or []))
    slow = movement if die > movement and hearing.ask("OR-DIFF-CAP") == "MIN" else Fraction(die)
    free = inches(movement)
    text = f"The dice {dice} allow {unit.name} {inches(slow)}, and {free} are allowed where nobody crossed: not {shown(claimed)}."
    if slow == movement:
        text = f"{unit.name} may move {free}, whether somebody crossed terrain or not: not {shown(claimed)}."
    yield fault(
        "CLX-MOVE-04",
        "miscalculated",
        text,
        str(event.unit),
        claimed={"allowance": shown(claimed)},
        recomputed={"allowance": shown(slow)},
    )


# -- the enemy ----------------------------------------------------------------------------------------------------


@rule("CLX-MOVE-02", "One inch from the enemy", events=["move"], kinds=["illegal"], readings=["OR-STOP"])
def a_model_stays_an_inch_from_enemies(event: records.Event, ways: Ways, position: Position, hearing: Hearing) -> Seen:
    """A moving model stops rather than come nearer than 1 inch to an enemy model, along its whole path.

    Log:  the path of every model, the places of the enemy.
    Edge: exactly 1 inch is allowed, at the end and in passing.
    Edge: a model that starts nearer than that may leave, but come no nearer, and not stay nearer once it moves.
    Edge: charges, falling back, tank shock and pile-ins are exempt; of a flyer only the ends of its way are looked at.
    """
    return zone_kept("CLX-MOVE-02", ways, position, hearing)


def zone_kept(rule_id: str, ways: Ways, position: Position, hearing: Hearing, also: tuple[str, ...] = ()) -> Seen:
    """What a rule sees of a unit that moves near the enemy; `also`: what else such a move breaks."""
    if ways.unit is None or not ways.ways:
        return None
    moved = [way for way in ways.ways if way.moved]
    others = _enemies_near(moved, ways.unit, position)
    if not others:
        return RAN
    seen: list[Remark] = []
    flies = ways.unit.vehicle is not None and ways.unit.vehicle.flyer
    for way in moved:
        if flies:  # What a flyer passes over is a matter of the base game: the ends of its way are looked at.
            way = replace(way, ends_only=True)
        enemies = _within_reach(way, others)
        shapes: list[Shape] = [position.shape(model) for model in enemies]
        near = _near(way, shapes) if isinstance(way.model.base, Circle) else list(range(len(shapes)))
        worst: tuple[Length, Model, Pass, bool] | None = None
        for i in _may_be_worst(way, shapes, near):
            passed = _passed(way, shapes[i])
            start = passed.start
            limit = ZONE if start >= ZONE or passed.end < ZONE else start
            least = passed.end if start < ZONE and passed.end < ZONE and passed.least >= start else passed.least
            short = limit - least
            stays = start < ZONE and passed.end < ZONE
            if short.sign() > 0 and (worst is None or short > worst[0]):
                worst = (short, enemies[i], passed, stays)
            elif short.sign() == 0 and _halts(way, shapes[i]) and hearing.ask("OR-STOP") == "HALT":
                text = f"{way.model.id} came to 1 inch from {enemies[i].id} and moved on."
                seen.append(fault(rule_id, "illegal", text, way.model.id, also=also))
        if worst is not None:
            seen.append(_too_near(rule_id, also, way, position, hearing, *worst))
    return seen


def _enemies_near(moved: Sequence[Way], unit: Unit, position: Position) -> list[tuple[Box, Model]]:
    """The enemies near the box round all ways of a unit, each with the box round its base."""
    if not moved:
        return []
    lefts, lows, rights, highs = zip(*map(_reach, moved), strict=True)
    left, low, right, high = min(lefts), min(lows), max(rights), max(highs)
    models, units = position.setup.models, position.setup.units
    there = [
        (box, models[name])
        for name, box in position.boxes().items()
        if box[2] > left and box[0] < right and box[3] > low and box[1] < high
    ]
    return [one for one in there if units[one[1].unit].player != unit.player]


def _within_reach(way: Way, others: list[tuple[Box, Model]]) -> list[Model]:
    """Those that a model may have come to an inch from: near the box round its path, whichever way a hull faced."""
    left, low, right, high = _reach(way)
    return [one for (x0, y0, x1, y1), one in others if x1 > left and x0 < right and y1 > low and y0 < high]


def _reach(way: Way) -> Box:
    base = way.model.base
    size = float(base.radius) if isinstance(base, Circle) else max(hypot(x, y) for x, y in base.floats)
    reach = size + float(_JUST_BEYOND) + NEAR
    left, low, right, high = way.path.box
    return left - reach, low - reach, right + reach, high + reach


def _near(way: Way, shapes: Sequence[Shape]) -> list[int]:
    """Enemies that a round base came to an inch from, or nearer."""
    base = way.model.base
    assert isinstance(base, Circle)
    path = way.path[-1:] if way.ends_only else way.path
    return too_near(path, base.radius, shapes, _JUST_BEYOND)


def _may_be_worst(way: Way, shapes: Sequence[Shape], near: list[int]) -> list[int]:
    """Of the enemies that a model came near, those that it may have come nearest to for what is allowed, and those that
    it may have passed at the limit to a hair: floats sort out the others, which would change nothing of what is said."""
    base = way.model.base
    if len(near) < 2 or way.ends_only or not isinstance(base, Circle):
        return near
    zone, worst = _ABOUT_ZONE, 0.0
    most: dict[int, float] = {}
    for i in near:
        other = shapes[i]
        if not isinstance(other, Circle):
            continue
        start, end, legs = about_gaps(way.path, base.radius, other)
        least = min(start, end, *legs)
        if any(abs(gap - zone) <= _HAIR for gap in (start, end, *legs)):
            continue
        if start < zone and end < zone:
            short, most[i] = zone - (least if least < start - _HAIR else end), zone - least
        else:
            short = most[i] = min(start, zone) - least
        worst = max(worst, short)
    return [i for i in near if i not in most or most[i] >= worst - _HAIR]


def _passed(way: Way, other: Shape) -> Pass:
    base = way.model.base
    if isinstance(base, Circle):
        path = (way.path[0], way.path[-1]) if way.ends_only else way.path
        passed = passing(path, base.radius, other)
        return Pass(min(passed.start, passed.end), passed.start, passed.end) if way.ends_only else passed
    before = way.before.heading
    headings = way.headings if way.headings and len(way.headings) == len(way.path) else None
    turned = headings or (before or Fraction(0),) * len(way.path)
    passed = hull_passing(base, (way.path[0], *way.path), (turned[0] if before is None else before, *turned), other)
    return Pass(min(passed.start, passed.end), passed.start, passed.end) if way.ends_only else passed


def _halts(way: Way, other: Shape) -> bool:
    """Whether a model's path goes on after the place where its gap to another base is exactly an inch."""
    base = way.model.base
    if not isinstance(base, Circle) or not isinstance(other, Circle) or way.ends_only:
        return False
    legs = [(a, b) for a, b in pairwise(way.path) if a != b]
    for i, (a, b) in enumerate(legs):
        passed = passing((a, b), base.radius, other)
        if passed.least != ZONE:
            continue
        inside = passed.start != ZONE and passed.end != ZONE
        if inside or (passed.end == ZONE and i < len(legs) - 1):
            return True
    return False


def _too_near(
    rule_id: str,
    also: tuple[str, ...],
    way: Way,
    position: Position,
    hearing: Hearing,
    short: Length,
    enemy: Model,
    passed: Pass,
    stays: bool,
) -> Remark:
    blur = position.shape(enemy).blur + (Fraction(0) if isinstance(way.model.base, Circle) else Fraction(1, 10**9))
    judged = judge(short, hearing.settings, parts=way.parts, blur=blur)
    gap_text = inches(passed.least)
    said = f"{way.model.id} came to {gap_text} from {enemy.id}; 1 inch is the limit."
    if judged.verdict != "beyond":
        return within_tolerance(rule_id, judged, said)
    stop = None
    base, other = way.model.base, position.shape(enemy)
    if isinstance(base, Circle) and isinstance(other, Circle) and not way.ends_only and passed.start >= ZONE:
        stop = first_within(way.path, base.radius, other, ZONE)
    if passed.least.sign() < 0:
        said = f"{way.model.id} moved over {enemy.id}; 1 inch is the limit."
    if stop is not None:
        said += f" It had to stop after {inches(stop)}."
    elif stays and passed.least == passed.start:
        said = f"{way.model.id} began {gap_text} from {enemy.id} and ended within 1 inch of it. A model so near may leave, but not stay."
    elif stays:
        said += " It had started nearer than that and stayed so."
    return fault(
        rule_id,
        "illegal",
        said,
        way.model.id,
        claimed={"gap": shown(passed.least)},
        recomputed={"gap": shown(passed.least), "limit": shown(ZONE), **({"stop": shown(stop)} if stop else {})},
        figures=[Figure("least gap", shown(passed.least))],
        also=also,
        judged=judged,
        evidence=path_marks(way.model.id, way.path, stop, *marks.zone(position.shape(enemy), ZONE)),
    )


RULES: tuple[Rule, ...] = (
    a_model_moves_at_most_its_movement,
    a_model_stays_an_inch_from_enemies,
    *coherency.RULES,
    rough_ground_slows_a_unit,
)
