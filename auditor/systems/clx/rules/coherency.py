"""Coherency: at the end of a move, and on the way."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import hypot
from typing import Any

from auditor.core.findings import RAN, Figure
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.coherency import Chain, chain
from auditor.geometry.inches.lengths import shown
from auditor.geometry.inches.shapes import NEAR, Circle, Point, Polygon, Shape, distance
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.chains import COHERENCY, LIMIT, ROUNDING, coherent, joined
from auditor.systems.clx.reckoning.ground import inner_radius, movement_of
from auditor.systems.clx.reckoning.ways import Way, Ways
from auditor.systems.clx.rules.common import Seen, fault, inches, listed, rule, unchecked, within_tolerance
from auditor.systems.clx.show import marks
from auditor.systems.clx.tolerance import judge


@rule("CLX-MOVE-03", "Coherency", events=["move"], kinds=["illegal"], readings=["OR-COH-WHEN"])
def a_unit_stays_in_coherency(event: records.Event, ways: Ways, position: Position, hearing: Hearing) -> Seen:
    """At the end of its move a unit is one chain of models with gaps of at most 2 inches.

    Log:  the end of every path; models that are not named stand where they stood.
    Edge: exactly 2 inches is enough, and no model needs more than one neighbour.
    Edge: a unit that casualties have torn further apart than it can mend in one move is not at fault.
    Edge: units that do not move are not looked at.
    """
    return coherency_kept("CLX-MOVE-03", ways, position, hearing)


def coherency_kept(rule_id: str, ways: Ways, position: Position, hearing: Hearing, also: tuple[str, ...] = ()) -> Seen:
    """What a rule sees of a unit that moves and may come out of coherency; `also`: what else such a move breaks."""
    unit = ways.unit
    if unit is None or not any(way.moved for way in ways.ways):
        return None
    if ways.lost:
        return [unchecked(rule_id, f"it cannot be told where {listed(ways.lost)} came to stand")]
    before, ends, held, was = position.now.once("coherency", lambda: _in_it(unit, ways, position), (ways,), hearing)
    if held is not None:
        assert held.widest is not None and held.between is not None
        over, after = held.widest - COHERENCY, {**before, **ends}
        if _cannot_mend(position, unit, before):
            return RAN
        blur = sum((shape.blur for shape in after.values()), start=Fraction(0))
        judged = judge(over, hearing.settings, blur=blur)
        said = f"{listed(map(str, held.apart))} stood {inches(held.widest)} from the rest; 2 inches are the limit."
        if judged.verdict != "beyond":
            return [within_tolerance(rule_id, judged, said)]
        return [
            fault(
                rule_id,
                "illegal",
                said,
                unit.id,
                claimed={"gap": shown(held.widest), "between": [str(one) for one in held.between]},
                recomputed={"limit": COHERENCY},
                figures=[Figure("longest gap", shown(held.widest))],
                also=also,
                judged=judged,
                evidence=lambda: {
                    "marks": [
                        *(marks.way(way.model.id, way.path, ok=True) for way in ways.ways if way.moved),
                        *marks.net(held, after),
                    ],
                },
            )
        ]
    meanwhile = _out_of_it(unit, ways, before, ends, position) if was else {}
    if any(meanwhile.values()):
        option = hearing.ask("OR-COH-WHEN")
        if meanwhile.get(option):
            when = "after the move of one of its models" if option == "STEPWISE" else "while its models moved together"
            text = f"{unit.name} was out of coherency {when}."
            return [fault(rule_id, "illegal", text, unit.id, also=also)]
    return RAN


Bases = dict[Any, Shape]


def _in_it(unit: Unit, ways: Ways, position: Position) -> tuple[Bases, Bases, Chain | None, bool]:
    """The bases of a unit before its move, and of those that move after it; how all hang together where they end out of
    coherency; and whether they begin and end in it."""
    before: Bases = {model.id: position.shape(model) for model in position.living(unit)}
    ends: Bases = {way.model.id: _end_shape(position, way) for way in ways.ways}
    after = {**before, **ends}
    if len(after) > 1 and not coherent(after, -NEAR):
        held = chain(after)
        assert held.widest is not None
        if held.widest > COHERENCY:
            return before, ends, held, False
    return before, ends, None, len(after) > 1 and coherent(before)


def _out_of_it(unit: Unit, ways: Ways, before: Bases, ends: Bases, position: Position) -> dict[str, bool]:
    """Whether a unit was out of coherency during its move, by the options of OR-COH-WHEN."""
    paths, headings = tuple(way.path for way in ways.ways), tuple(way.headings for way in ways.ways)
    values, question = (*before.values(), *ends.values(), *paths), ("meanwhile", unit.id, headings)

    def measure() -> dict[str, bool]:
        return {
            "STEPWISE": not _coherent_by_steps(before, ways, ends),
            "SIMULTANEOUS": not _coherent_throughout(position, before, ways),
        }

    return position.ever.once(question, measure, values)


def _end_shape(position: Position, way: Way) -> Shape:
    return position.shape(way.model, way.end, way.heading)


def _cannot_mend(position: Position, unit: Unit, before: dict[Any, Shape]) -> bool:
    """Whether a unit was torn so far apart before that its models could not close the gap in this move."""
    widest = chain(before).widest if len(before) > 1 else None
    if widest is None or widest <= COHERENCY:
        return False
    reach = [movement_of(model, unit, position.setup) for model in position.living(unit)]
    if None in reach:
        return True
    most = max(one for one in reach if one is not None)
    return widest > 2 * most + COHERENCY


def _coherent_by_steps(before: dict[Any, Shape], ways: Ways, ends: dict[str, Shape]) -> bool:
    now = dict(before)
    for way in ways.ways:
        now[way.model.id] = ends[way.model.id]
        if not coherent(now):
            return False
    return True


def _coherent_throughout(position: Position, before: dict[Any, Shape], ways: Ways) -> bool:
    """Whether a unit is in coherency at each hundredth of a move of all its models together."""
    moving = {way.model.id: way for way in ways.ways}
    if all(len(way.path) == 2 for way in ways.ways) and _holds_by_its_ends(before, position, moving):
        return True
    if set(before) >= set(moving):
        rounds = [_round_in(str(name), shape, position) for name, shape in before.items()]
        held = _rounds_coherent_throughout(rounds, [moving.get(str(name)) for name in before])
        if held or all(isinstance(shape, Circle) for shape in before.values()):
            return held
    return all(
        coherent({**before, **{name: _part_way(position, way, i) for name, way in moving.items()}})
        for i in range(1, 100)
    )


def _round_in(name: str, shape: Shape, position: Position) -> Circle:
    """A base, or a circle that lies in a hull at any heading: what keeps these together keeps the hulls together."""
    if isinstance(shape, Circle):
        return shape
    model, at = position.setup.models[name], position.models[name].at
    assert isinstance(model.base, Polygon) and at is not None
    return Circle(at, inner_radius(model.base, position))


def _rounds_coherent_throughout(bases: list[Circle], ways: list[Way | None]) -> bool:
    """The same of round bases, in floats: a unit is coherent by more than the rounding of a record or not held to it.

    Between two bends of its paths each base moves evenly along a line, so that what holds the unit together at both holds
    it together between; only where other pairs do at the one and at the other are the hundredths looked at.
    """
    lines = [
        [(base.fx, base.fy)] if way is None else [(float(x), float(y)) for x, y in way.path]
        for base, way in zip(bases, ways, strict=True)
    ]
    bends = sorted({share for line in lines for share in _bends(line)})
    spots = [_part_of(line, bends) for line in lines]
    if all(_held(bases, moments) for moments in pairwise(zip(*spots, strict=True))):
        return True
    spots = [_part_of(line, [i / 100 for i in range(1, 100)]) for line in lines]
    return all(_held(bases, (moment,)) for moment in zip(*spots, strict=True))


Spot = tuple[float, float]


def _held(bases: list[Circle], moments: Sequence[Sequence[Spot]]) -> bool:
    """Whether pairs of bases that are near enough at each of some moments hold all together. `moments`: where each is."""
    left, reached = set(range(1, len(bases))), [0]
    while reached and left:
        here = reached.pop()
        near = {one for one in left if all(_near(bases[here], at[here], bases[one], at[one]) for at in moments)}
        left -= near
        reached += near
    return not left


def _near(one: Circle, at: Spot, other: Circle, of: Spot) -> bool:
    dx, dy, reach = at[0] - of[0], at[1] - of[1], LIMIT + ROUNDING + one.fr + other.fr
    return dx * dx + dy * dy <= reach * reach


def _bends(line: Sequence[Spot]) -> list[float]:
    """After which parts of its length a line has a bend, its ends included."""
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line)]
    whole = sum(lengths)
    return [0.0, *(gone / whole for gone in accumulate(lengths[:-1]) if whole), 1.0]


def _part_of(line: Sequence[Spot], parts: Sequence[float]) -> list[Spot]:
    """Where a base is after some parts of the length of its line."""
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line)]
    whole = sum(lengths)
    found: list[Spot] = []
    for part in parts:
        gone = whole * part
        here = line[-1]
        for (a, b), length in zip(pairwise(line), lengths, strict=True):
            if gone <= length and length:
                here = (a[0] + gone / length * (b[0] - a[0]), a[1] + gone / length * (b[1] - a[1]))
                break
            gone -= length
        found.append(here)
    return found


def _holds_by_its_ends(before: dict[Any, Shape], position: Position, moving: dict[str, Way]) -> bool:
    """Whether pairs that are near enough both before and after straight moves hold the unit together: the distance of
    two points, or of two convex hulls that do not turn, that move evenly is never more than the greater of those at the
    ends."""
    after = {**before, **{name: _end_shape(position, way) for name, way in moving.items()}}
    names = list(before)
    if set(after) != set(before) or any(way.turns for way in moving.values()):
        return False
    left = set(names[1:])
    reached = names[:1]
    while reached and left:
        here = reached.pop()
        near = [one for one in left if joined(before[here], before[one]) and joined(after[here], after[one])]
        left.difference_update(near)
        reached += near
    return not left


def _part_way(position: Position, way: Way, hundredths: int) -> Shape:
    """Where a base is after so many hundredths of its path."""
    lengths = [float(distance(a, b)) for a, b in pairwise(way.path)]
    gone = sum(lengths) * hundredths / 100
    for (a, b), length in zip(pairwise(way.path), lengths, strict=True):
        if gone <= length and length:
            share = Fraction(gone / length)
            return position.shape(way.model, Point(a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)), way.heading)
        gone -= length
    return _end_shape(position, way)


RULES: tuple[Rule, ...] = (a_unit_stays_in_coherency,)
