"""What follows from how a unit charged: from which side, from how near, uphill."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from auditor.core.rulings import Hearing
from auditor.geometry.inches.arcs import halves, off_quarter, quarters
from auditor.geometry.inches.charges import nearest
from auditor.geometry.inches.lengths import Length
from auditor.geometry.inches.shapes import Polygon
from auditor.systems.clx.position.combat import Charge
from auditor.systems.clx.position.state import Look, Position, Split, look_of
from auditor.systems.clx.reckoning.facing import ARC, CHOICES, CROSS, CROSSES, MOVE, NEED, ORDER, SUPP, off_its_rays
from auditor.systems.clx.reckoning.options import asked, hanging
from auditor.systems.clx.tables import tables
from auditor.systems.clx.tolerance import allowance, judge_met, tolerance

RUN_UP = Fraction(tables()["run_up"]["inches"])
SIDE_READINGS = (MOVE, ORDER, SUPP, CROSS, NEED, ARC)
"""What the side from which a charge comes may hang on."""


def charge_now(unit: str, position: Position) -> Charge | None:
    """The charge of a unit in this turn, unless the log says that it failed."""
    charge = position.combat.charges.get(unit)
    if charge is None or charge.moment != (position.turn, position.active) or charge.short:
        return None
    return charge


def charges_on(unit: str, position: Position) -> list[Charge]:
    """The charges at a unit in this turn."""
    return [
        charge
        for one in position.combat.charges
        if (charge := charge_now(one, position)) is not None and charge.target == unit
    ]


# -- how near it began --------------------------------------------------------------------------------------------


def start_gap(charge: Charge, position: Position) -> Length | None:
    """The gap between a unit and its target when the Movement Phase of this turn began; None where it is not known, or
    one of them was not on the table."""
    combat, setup = position.combat, position.setup
    if charge.target is None or charge.target not in setup.units:
        return None
    stated = combat.gaps.get((charge.unit, charge.target))
    if stated is not None:
        return Length(stated)
    if combat.started is None:
        return None
    question = ("start gap", charge.unit, charge.target)
    return position.ever.once(
        question, lambda: _start_gap(charge.unit, str(charge.target), position), (combat.started,)
    )


def _start_gap(one: str, other: str, position: Position) -> Length | None:
    """The gap between two units as they stood when the Movement Phase began; None where that is not known."""
    started = position.combat.started
    assert started is not None
    shapes = []
    for unit_id in (one, other):
        unit = position.setup.units[unit_id]
        if any(model.id not in started for model in unit.models):
            return None
        there = [model for model in unit.models if started[model.id].alive and started[model.id].at is not None]
        if any(started[model.id].heading is None and isinstance(model.base, Polygon) for model in there):
            return None
        shapes.append(
            [position.shape(model, at=started[model.id].at, heading=started[model.id].heading) for model in there]
        )
    return nearest(shapes[0], shapes[1])[0] if all(shapes) else None


def started_near(charge: Charge, position: Position, hearing: Hearing) -> bool | None:
    """Whether a unit has no bonus for its charge because it began so near (CLX-ASLT-02); None: not known, or within the
    tolerance."""
    gap, settings = start_gap(charge, position), hearing.settings
    if gap is None:
        return False if _came_since(charge, position) else None
    met = position.ever.once(("run up", tolerance(settings)), lambda: _run_up(gap, settings), (gap,))
    return met["WITHIN"] if met["WITHIN"] == met["EXACT"] else met[hearing.ask("OR-CHARGE-START")]


def _run_up(gap: Length, settings: Mapping[str, str]) -> dict[str, bool | None]:
    """Whether a unit that began so far from its target has no bonus, by the options of OR-CHARGE-START. Exactly 1 inch is
    too near where the tournament allows nothing for the hands of players."""
    judged = judge_met(gap - RUN_UP, settings)
    if judged.verdict != "beyond":
        exact = True if judged.over.sign() == 0 and not tolerance(settings) else None
        return {"WITHIN": exact, "EXACT": exact}
    return {"WITHIN": (gap - RUN_UP).sign() < 0, "EXACT": False}


def _came_since(charge: Charge, position: Position) -> bool:
    """Whether the unit was certainly not on the table when the Movement Phase began."""
    started = position.combat.started
    unit = position.setup.units[charge.unit]
    return started is not None and all(
        model.id in started and (started[model.id].at is None or not started[model.id].alive) for model in unit.models
    )


# -- from which side ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rear:
    """Whether a charge comes from the rear; None: not known, or within the tolerance (`near`). `rule`: by which rule.
    `left`: the kind of fault that it is to leave out what it gives."""

    rear: bool | None
    why: str
    rule: str = "CLX-ASLT-07b"
    left: str = "miscalculated"
    near: bool = False


def faced(charge: Charge, options: Mapping[str, str]) -> Look | None:
    """Which way the target of a charge faced when it was declared, under options of the readings; None: not known."""
    if charge.face is None:
        return None
    faces = charge.face.facing.get((options[MOVE], options[ORDER], options[SUPP]))
    return look_of(faces, (options[CROSS], options[NEED], options[ARC]))


def outflanks(charge: Charge, position: Position) -> bool:
    """Whether the unit outflanks in the turn of its charge."""
    return position.units[charge.unit].outflanks_in(charge.moment[0])


def rear_of(charge: Charge, position: Position, hearing: Hearing) -> Rear:
    """Whether a charge comes from the rear, with what outflanking and Acute Senses make of it."""
    target = position.setup.units.get(charge.target or "")
    if target is None or charge.face is None or charge.at is None or charge.of is None or target.vehicle is not None:
        return Rear(None, f"from which side {charge.target} was charged")
    senses = _senses(charge, position)
    if senses:
        return Rear(False, f"{target.name} passed its test for Acute Senses", "CLX-USR-01")
    outflanking = outflanks(charge, position)
    rear, side, known = _arc(charge, position, hearing, outflanking=outflanking)
    if rear is False and not outflanking and position.is_open("arrived", charge.unit):
        if _arc(charge, position, hearing, outflanking=True)[0] is not False:
            name = position.setup.units[charge.unit].name
            return Rear(None, f"whether {name} is outflanking in this turn", "CLX-USR-08")
    rule = "CLX-USR-08" if outflanking and side else "CLX-ASLT-07b"
    if rear is None:
        return Rear(None, f"from which side {target.name} was charged", rule, near=known)
    perhaps_turned = outflanking or "acute_senses" in target.rules or position.is_open("arrived", charge.unit)
    if charge.arc is not None and rear != (charge.arc == "rear") and not perhaps_turned:
        # Play may have gone on with the wrong side that is claimed, or with the right one.
        return Rear(None, f"from which side {target.name} was charged, of which a wrong one is claimed", rule)
    if rear and senses is None:
        return Rear(None, f"whether {target.name} passed its test for Acute Senses", "CLX-USR-01")
    if rear and charge.face.locked_with and _passed(charge, position):
        return Rear(True, "", "CLX-USR-01", "illegal")
    return Rear(rear, "" if rear else f"the charge does not come from the rear of {target.name}", rule)


def _senses(charge: Charge, position: Position) -> bool | None:
    """Whether a target that was in no combat yet has passed its test for Acute Senses in this turn."""
    assert charge.face is not None
    target = position.setup.units[str(charge.target)]
    if "acute_senses" not in target.rules or charge.face.locked_with:
        return False
    return _passed(charge, position)


def _passed(charge: Charge, position: Position) -> bool | None:
    """Whether the target has passed a test for Acute Senses in this turn; False where none is recorded. A test that does
    not say what it is for may be one."""
    tests = [test for test in position.combat.tests if test.kind == "char" and test.unit == charge.target]
    results = [test.passed for test in tests if test.cause == "acute_senses"]
    results += [None for test in tests if test.cause is None and test.passed is not False]
    return True if True in results else None if None in results else False


Sided = tuple[bool | None, bool, bool]
"""Whether a charge comes from the rear (of who outflanks, from the side as well); whether from the side; and whether the
facing is known, so that None is for the tolerance alone."""


def _arc(charge: Charge, position: Position, hearing: Hearing, *, outflanking: bool) -> Sided:
    """From which side the charge comes under the readings in force."""
    allowed = allowance(hearing.settings)
    question = ("sides", allowed, outflanking)
    readings, seen = position.ever.once(
        question, lambda: hanging(SIDE_READINGS, _arcs(charge, allowed, outflanking)), (charge,)
    )
    return asked(seen, readings, hearing, lambda answer: answer)


def _arcs(charge: Charge, allowed: Fraction, outflanking: bool) -> dict[tuple[str, ...], Sided]:
    """From which side the charge comes, by the readings on the target's facing, on crossfire, which may have turned it, and
    on arcs."""
    assert charge.face is not None
    seen: dict[tuple[str, ...], Sided] = {}
    alike: dict[tuple[int, str], Sided] = {}
    split = any(isinstance(faces, Split) for faces in charge.face.facing.values())
    for options, crossed in product(CHOICES, CROSSES if split else CROSSES[:2]):  # Else only OR-ARC makes a difference.
        look, arcs = look_of(charge.face.facing.get(options), crossed), crossed[2]
        if look is None:
            seen[*options, *crossed] = None, False, False
            continue
        if (id(look), arcs) not in alike:
            alike[id(look), arcs] = _side(charge, look, arcs, allowed, outflanking)
        seen[*options, *crossed] = alike[id(look), arcs]
    return seen


def _side(charge: Charge, look: Look, arcs: str, allowed: Fraction, outflanking: bool) -> Sided:
    assert charge.at is not None and charge.of is not None
    bearing = (quarters if arcs == "QUARTERS" else halves)(look.direction, charge.at, charge.of)
    counting = ("side", "rear") if outflanking else ("rear",)
    doubtful = off_its_rays(look, charge.at, charge.of, allowed)
    off = bearing.margin
    if bearing.arc not in counting and not outflanking and arcs == "QUARTERS":
        off = off_quarter(look.direction, charge.at, charge.of, "rear")
    elif bearing.arc in counting and bearing.across in counting:
        off = off_quarter(look.direction, charge.at, charge.of, "front")
    if off <= doubtful:
        return None, bearing.arc == "side", True
    return bearing.arc in counting, bearing.arc == "side", True
