"""Crossfire: whether a unit was shot at from two opposite directions in a phase, and what it lost to these shots.

Source: catalogue CLX-SHOOT-14 and 2.8. What it is hangs on many readings; it is worked out for each combination of them,
and a check asks those only on which its own answer hangs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from typing import Literal

from auditor.geometry.inches.arcs import halves, quarters
from auditor.geometry.inches.shapes import Point
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import AttackState, Count, Crossed, Look, Options, Position, look_of
from auditor.systems.clx.position.values import replace
from auditor.systems.clx.reckoning.attacks import NONE, on, pins, plus, wounds_of
from auditor.systems.clx.reckoning.facing import ARC, CHOICES, CROSS, CROSSES, MOVE, NEED, ORDER, SUPP, off_its_rays
from auditor.systems.clx.reckoning.options import hanging
from auditor.systems.clx.tolerance import allowance

WOUNDS = "OR-WOUNDS"
NEEDS = ("SHOT", "HIT", "WOUND")
"""The options of OR-CROSS-NEED."""
READINGS = (CROSS, NEED, ARC, MOVE, ORDER, SUPP, WOUNDS)
"""What a crossfire may hang on, in the order of the combinations."""

Verdict = Literal["yes", "no", "near", "unknown"]
Sides = frozenset[str]


@dataclass(frozen=True, slots=True)
class Crossfire:
    """Whether a unit was caught in crossfire: near, where that is within the tolerance of a ray; and the wounds that it
    lost to the shots at its front and rear.

    sides   the attacks that came from these
    unsure  attacks that may have, or may not: within the tolerance of a ray, or as play went on from a side that the log
            tells wrongly
    """

    verdict: Verdict
    wounds: Count = NONE
    sides: frozenset[str | None] = frozenset()
    unsure: frozenset[str | None] = frozenset()

    def lost_to(self, name: str | None, attack: AttackState, *, inflicted: bool) -> Count:
        """The wounds of an attack that count among those of the crossfire."""
        if name not in self.sides | self.unsure:
            return NONE
        least, most = wounds_of(attack, inflicted=inflicted)
        return 0 if name in self.unsure else least, most


@dataclass(frozen=True, slots=True)
class _Shot:
    name: str | None
    attack: AttackState
    at: Point
    of: Point
    outflanks: bool
    suppresses: bool | None
    worked: dict[tuple[int, str], tuple[str, Sides]] = field(default_factory=dict, compare=False, repr=False)

    def sides(self, look: Look, arcs: str, allowed: Fraction) -> tuple[str, Sides]:
        """The arc in which the shot lies, and all in which it may lie within the tolerance."""
        key = (id(look), arcs)
        if key not in self.worked:
            self.worked[key] = self._sides(look, arcs, allowed)
        return self.worked[key]

    def _sides(self, look: Look, arcs: str, allowed: Fraction) -> tuple[str, Sides]:
        bearing = (quarters if arcs == "QUARTERS" else halves)(look.direction, self.at, self.of)
        near = bearing.margin <= off_its_rays(look, self.at, self.of, allowed)
        found = [self._outflanked(bearing.arc), *([self._outflanked(bearing.across)] if near else [])]
        return found[0], frozenset(found)

    def told_otherwise(self, options: Options, crossed: Crossed, allowed: Fraction) -> bool:
        """Whether the log tells a side that it did not come from (CLX-FACE-01, -02): play went on from there."""
        look = look_of(self.attack.frame.get(options), crossed)
        if look is None or self.attack.arc is None:
            return False
        return self.attack.arc not in self.sides(look, crossed[2], allowed)[1] and not (
            self.outflanks and self.attack.arc == "side"
        )

    def _outflanked(self, arc: str) -> str:
        return "rear" if arc == "side" and self.outflanks else arc


def _shots(unit: Unit, position: Position, without: str | None = None) -> list[_Shot] | None:
    """The attacks of this phase on a unit that were made; None where one of them came from nobody knows where."""
    found: list[_Shot] = []
    for name, attack in on(unit, position).items():
        if attack.failed or not attack.begun or (without is not None and name == without):
            continue
        if attack.places is None:
            return None
        suppress = [pins(weapon, position) for weapon in attack.begun]
        found.append(
            _Shot(
                name,
                attack,
                attack.places[1],
                attack.places[0],
                position.units[str(attack.unit)].outflanks_in(position.turn),
                True if True in suppress else None if None in suppress else False,
            )
        )
    return found


@dataclass(frozen=True, slots=True)
class Lying:
    """An attack of a phase on a unit, for those who look at it: where it came from, and what the unit lost to it.

    unit       that made it, and its name; `of` is where it stood, `at` where its target did
    look       which way the target faced for it; None: not known, or no matter, as only directions are compared
    side       of the target that it came from; "": not known, or no matter
    inflicted  wounds before saves are counted
    """

    attack: str | None
    unit: str
    name: str
    at: Point
    of: Point
    look: Look | None
    side: str
    wounds: Count
    inflicted: bool


def lying(unit: Unit, position: Position, allowed: Fraction, options: Mapping[str, str]) -> list[Lying]:
    """The attacks of this phase on a unit in their order, as they lie under options of the readings."""
    cross, need, arcs, move, order, supp, wounds = (options[reading] for reading in READINGS)
    shots = _shots(unit, position) or []
    found = []
    for shot in shots:
        faces = (shots[0] if cross == "FIXED" else shot).attack.frame.get((move, order, supp))
        look = None if cross == "OPPOSED" else look_of(faces, (cross, need, arcs))
        side = "" if look is None else shot.sides(look, arcs, allowed)[0]
        if look is not None and cross == "LIVE" and shot.suppresses:
            side = "front"
        inflicted = wounds == "INFLICTED"
        lost = wounds_of(shot.attack, inflicted=inflicted)
        by = position.setup.units[str(shot.attack.unit)]
        found.append(Lying(shot.name, by.id, by.name, shot.at, shot.of, look, side, lost, inflicted))
    return found


def may_cross(unit: Unit, position: Position) -> bool:
    """Whether more than one unit shot at a unit in this phase, which is not in combat and no vehicle."""
    shooters = {attack.unit for attack in on(unit, position).values() if attack.begun}
    return len(shooters) > 1 and unit.vehicle is None and not position.units[unit.id].locked_with


@dataclass(frozen=True, slots=True)
class Crossfires:
    """The crossfire on a unit for each combination of options of the readings on which it hangs, the last of which is
    OR-WOUNDS; `before`: the same without an attack that is left out."""

    readings: tuple[str, ...]
    under: dict[tuple[str, ...], Crossfire]
    before: dict[tuple[str, ...], Crossfire]


def crossfires(unit: Unit, position: Position, settings: Mapping[str, str], without: str | None = None) -> Crossfires:
    """The crossfire on a unit. `without`: an attack that is left out in `before`."""
    question = ("crossfires", unit.id, without)
    return position.now.once(question, lambda: _crossfires(unit, position, allowance(settings), without))


def _crossfires(unit: Unit, position: Position, allowed: Fraction, without: str | None) -> Crossfires:
    every = _shots(unit, position)
    shots = [every] if without is None else [every, _shots(unit, position, without)]
    found = [_under(unit, position, _lines(every), one, NEEDS, allowed) for one in shots]
    both = {crossed: tuple(each[crossed] for each in found) for crossed in found[0]}
    readings, alike = hanging(_OF_SIDES, both)
    under: list[dict[tuple[str, ...], Crossfire]] = []
    for n, made in enumerate(shots):
        lost: dict[tuple[int, str], Crossfire] = {}  # Under most options it is one and the same.
        for one, wounds in product({id(one[n]): one[n] for one in alike.values()}.values(), ("UNSAVED", "INFLICTED")):
            lost[id(one), wounds] = replace(one, wounds=_lost(made or [], one, inflicted=wounds == "INFLICTED"))
        under.append(
            {
                (*options, wounds): lost[id(one[n]), wounds]
                for options, one in alike.items()
                for wounds in ("UNSAVED", "INFLICTED")
            }
        )
    return Crossfires((*readings, WOUNDS), under[0], under[-1])


_OF_SIDES = (CROSS, NEED, ARC, MOVE, ORDER, SUPP)
_Lines = Mapping[Options, Options]


def _under(
    unit: Unit, position: Position, lines: _Lines, shots: list[_Shot] | None, needs: Iterable[str], allowed: Fraction
) -> dict[tuple[str, ...], Crossfire]:
    """The crossfire of some shots by the options of _OF_SIDES, its wounds left open."""
    senses = "acute_senses" in unit.rules and any(
        test.kind == "char"
        and test.cause in ("acute_senses", None)
        and test.unit == unit.id
        and test.passed is not False
        for test in position.combat.tests
    )
    unknown = Crossfire("unknown")
    opposed = {} if shots is None else _opposed(shots, allowed)
    found: dict[tuple[str, ...], Crossfire] = {}
    for cross, need, arcs in product(("FIXED", "LIVE", "OPPOSED"), needs, ("QUARTERS", "HALVES")):
        each: dict[Options, Crossfire] = {}
        for options, like in lines.items():
            if shots is None or senses:
                found[cross, need, arcs, *options] = unknown
            elif cross == "OPPOSED":
                found[cross, need, arcs, *options] = opposed[need]
            else:
                if like not in each:
                    each[like] = _crossfire(shots, cross, need, arcs, like, allowed)
                found[cross, need, arcs, *options] = each[like]
    return found


def _lines(shots: list[_Shot] | None) -> _Lines:
    """The options of the readings on a facing -> the first under which it faced in the same way for all shots."""
    looks = {options: [shot.attack.frame.get(options) for shot in shots or ()] for options in CHOICES}
    return {options: next(one for one in CHOICES if looks[one] == looks[options]) for options in CHOICES}


def _lost(shots: list[_Shot], one: Crossfire, *, inflicted: bool) -> Count:
    lost = NONE
    for shot in shots:
        lost = plus(lost, one.lost_to(shot.name, shot.attack, inflicted=inflicted))
    return lost


def _did(shot: _Shot, need: str) -> Count:
    """How often a shot did what a crossfire needs of it."""
    if need == "SHOT":
        return 1, 1
    if need == "WOUND":
        return wounds_of(shot.attack)[0], wounds_of(shot.attack, inflicted=True)[1]
    found = NONE
    for count in shot.attack.hits.values():
        found = plus(found, count)
    return found


def _crossfire(shots: list[_Shot], cross: str, need: str, arcs: str, options: Options, allowed: Fraction) -> Crossfire:
    if not shots:
        return Crossfire("no")
    sided: list[tuple[_Shot, str, Sides, str, Sides]] = []
    told = False
    for shot in shots:
        look = look_of((shots[0] if cross == "FIXED" else shot).attack.frame.get(options), (cross, need, arcs))
        if look is None:
            return Crossfire("unknown" if len({one.attack.unit for one in shots}) > 1 else "no")
        arc, may = shot.sides(look, arcs, allowed)
        if shot.told_otherwise(options, (cross, need, arcs), allowed):
            told, may = True, _ANY
        # Under LIVE a unit that has been turned counts the attack that turned it as from its front.
        turned = cross == "LIVE" and shot.suppresses
        sided.append((shot, arc, may, "front" if turned else arc, frozenset(["front"]) if turned else may))
    pairs = [
        (((first[3], second[1]) in _OPPOSITE), *_both(first[4], second[2]), _needs(first[0], second[0], need))
        for first, second in combinations(sided, 2)
        if first[0].attack.unit != second[0].attack.unit
    ]
    sides = frozenset(
        shot.name for shot, arc, _, label, _ in sided if arc in ("front", "rear") or label in ("front", "rear")
    )
    unsure = frozenset(shot.name for shot, _, may, _, _ in sided if len(may) > 1)
    verdict = _verdict(pairs)
    return Crossfire("unknown" if told and verdict == "near" else verdict, sides=sides, unsure=unsure)


def turned_by(
    unit: Unit, attack: str | None, position: Position, allowed: Fraction
) -> dict[tuple[Options, Crossed], bool | None]:
    """Whether the first dice of an attack make a unit face it because it is of a crossfire; None: not known. By the
    readings on a facing, and those on crossfire: where hits or wounds are needed, nothing is known of them yet."""
    shots = _shots(unit, position)
    found = _under(unit, position, _lines(shots), shots, ("SHOT",), allowed)
    turned: dict[tuple[Options, Crossed], bool | None] = {}
    for options, (cross, need, arcs) in product(CHOICES, CROSSES):
        one = found[cross, "SHOT", arcs, *options]
        answer: bool | None = None
        if one.verdict == "no":
            answer = False
        elif one.verdict == "yes" and need == "SHOT" and attack not in one.unsure:
            answer = attack in one.sides
        turned[options, (cross, need, arcs)] = answer
    return turned


_ANY: Sides = frozenset(("front", "side", "rear"))
_OPPOSITE = {("front", "rear"), ("rear", "front")}


def _both(one: Sides, other: Sides) -> tuple[bool, bool]:
    """Whether two attacks surely, and whether they possibly, came from opposite sides."""
    found = {(a, b) in _OPPOSITE for a in one for b in other}
    return found == {True}, True in found


def _needs(one: _Shot, other: _Shot, need: str) -> Count:
    """Whether both did what is needed: surely (1, 1), not at all (0, 0), or nobody knows (0, 1)."""
    counts = (_did(one, need), _did(other, need))
    return min(min(low for low, _ in counts), 1), min(min(high for _, high in counts), 1)


def _verdict(pairs: list[tuple[bool, bool, bool, Count]]) -> Verdict:
    """From pairs of attacks: (opposite, surely, possibly, whether they did what is needed)."""
    if any(surely and did[0] for _, surely, _, did in pairs):
        return "yes"
    if any((exact or possibly) and did[0] for exact, _, possibly, did in pairs):
        return "near"
    return "unknown" if any(possibly and did[1] for _, _, possibly, did in pairs) else "no"


def _opposed(shots: list[_Shot], allowed: Fraction) -> dict[str, Crossfire]:
    """Two attacks whose bearings from the target differ by more than 135 degrees, by the options of OR-CROSS-NEED."""
    pairs: list[tuple[_Shot, _Shot, bool, bool, bool]] = []
    sides: set[str | None] = set()
    unsure: set[str | None] = set()
    for one, other in combinations(shots, 2):
        if one.attack.unit == other.attack.unit:
            continue
        facing = (one.of.x - one.at.x, one.of.y - one.at.y)
        if not any(facing):
            return dict.fromkeys(NEEDS, Crossfire("unknown"))
        # Seen along the one bearing, the other lies behind by more than 135 degrees: in the rear quarter.
        there = Point(one.at.x + other.of.x - other.at.x, one.at.y + other.of.y - other.at.y)
        bearing = quarters(facing, one.at, there)
        near = bearing.margin <= off_its_rays(Look(facing, "shot"), one.at, there, allowed)
        exact = bearing.arc == "rear"
        pairs.append((one, other, exact, exact and not near, exact or (near and bearing.across == "rear")))
        if exact:
            sides |= {one.name, other.name}
        if near:
            unsure |= {one.name, other.name}
    return {
        need: Crossfire(
            _verdict([(exact, surely, may, _needs(one, other, need)) for one, other, exact, surely, may in pairs]),
            sides=frozenset(sides),
            unsure=frozenset(unsure),
        )
        for need in NEEDS
    }
