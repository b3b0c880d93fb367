"""What the rules make of a fight: who is in contact, what a test gives, whose wounds count, mixed characteristics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from auditor.core.findings import Figure
from auditor.geometry.inches.charges import nearest
from auditor.geometry.inches.lengths import Length
from auditor.geometry.inches.moves import hull_passing, passing
from auditor.geometry.inches.shapes import Circle
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit
from auditor.systems.clx.position.state import Count, Position, places_of
from auditor.systems.clx.reckoning.attacks import ANY_NUMBER, NONE, leadership, plus, wounds_of
from auditor.systems.clx.reckoning.dice import passes
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.tables import highest_passing
from auditor.systems.clx.tolerance import RND


def gap_between(one: Unit, other: Unit, position: Position) -> Length | None:
    """The gap between the nearest models of two units; None where one of them has none on the table."""
    here = [position.shape(model) for model in position.living(one)]
    there = [position.shape(model) for model in position.living(other)]
    return nearest(here, there)[0] if here and there else None


def contact(one: Unit, other: Unit, position: Position) -> bool:
    """Whether models of two units touch, as far as the rounding of a record can tell."""
    gap = gap_between(one, other, position)
    return gap is not None and gap <= RND


def foes_of(unit: Unit, position: Position) -> list[Unit]:
    """The enemies with which a unit is in combat; a stated position may name others, which are nobody."""
    units = position.setup.units
    return [units[enemy] for enemy in sorted(position.units[unit.id].locked_with) if enemy in units]


def held_in_combat(unit: Unit, position: Position) -> tuple[Unit, ...]:
    """The enemies with which a unit certainly is in combat: it touches them, and all that the record says of the last round
    is that both stay. What vehicles without a Weapon Skill do is left to the base game."""
    return tuple(
        enemy
        for enemy in foes_of(unit, position)
        if {unit.id, enemy.id} <= position.combat.bound
        and all(one.vehicle is None or one.vehicle.has_ws for one in (unit, enemy))
        and contact(unit, enemy, position)
    )


def may_be_free(unit: str, position: Position) -> bool:
    """Whether a unit that was in combat may be in none any more: of each enemy it is in doubt who is left."""
    foes = foes_of(position.setup.units[unit], position)
    return bool(foes) and all(
        position.holes.doubt(places_of(model.id for model in position.living(foe))) is not None for foe in foes
    )


def majority(values: Iterable[int | None]) -> int | None:
    """The value that most have, of several the highest; None where one is not known, or there are none."""
    known = list(values)
    if not known or None in known:
        return None
    counts = Counter(known)
    most = max(counts.values())
    return max(value for value, count in counts.items() if value is not None and count == most)


def passed_by_dice(event: Any, position: Position) -> bool | None:
    """Whether a test passes by its dice, with the modifier that is claimed where one may be due; None where that is not
    known."""
    unit = position.setup.units.get(event.unit or "") or position.unit_of(getattr(event, "model", None))
    if unit is None:
        return None
    if isinstance(event, records.CharTest):
        values = {
            getattr(model.profile, str(event.characteristic), None)
            for model in position.living(unit)
            if event.model in (None, model.id)
        }
        value = next(iter(values)) if len(values) == 1 else None
        if value is None or event.die is None:
            return None
        pinned = position.units[unit.id].pinned is not None or position.is_open("pinned", unit.id)
        perhaps = {value, 1} if pinned and event.characteristic == "I" else {value}
        found = {_passes_at(one, event.die, event.reroll) for one in perhaps}
        return next(iter(found)) if len(found) == 1 else None
    if isinstance(event, records.LdTest) and event.dice is not None and len(event.dice) == 2:
        best = leadership(unit, position)
        lowered = event.cause in ("fear_charged", "fear_charging")
        return None if best is None else sum(event.dice) <= best - lowered
    dice = event.dice or []
    if isinstance(event, records.Morale) and event.claimed_modifier is not None and len(dice) in dice_of_a_test(unit):
        best = leadership(unit, position)
        return None if best is None else passes(dice, best + event.claimed_modifier)
    return None


def _passes_at(value: int, die: int, rerolls: int | list[int] | None) -> bool:
    first, again = highest_passing(value)
    reroll = rerolls[0] if isinstance(rerolls, list) and rerolls else rerolls
    return die <= first or (isinstance(reroll, int) and again is not None and reroll <= again)


def dice_of_a_test(unit: Unit) -> tuple[int, ...]:
    """How many dice a unit may roll for a test of morale or Leadership: three only against a foe that it hates."""
    return (2, 3) if any(one.startswith("hatred:") for one in unit.rules) else (2,)


NEEDED = "needed at most"


def not_rolled(unit: Unit, modifier: Count, position: Position, *, pinning: bool = False) -> list[Figure]:
    """What a test that nobody rolled needed, where that is certain: what it would have come to follows from it."""
    best = leadership(unit, position)
    if best is None or modifier[0] != modifier[1] or not (pinning or dice_of_a_test(unit) == (2,)):
        return []
    parts = (("Leadership", best), *((("modifier", modifier[0]),) if modifier[0] else ()))
    return [Figure(NEEDED, best + modifier[0], parts)]


def wounds_in(units: Iterable[str], player: str, position: Position, *, inflicted: bool = False) -> Count:
    """The wounds that a player's units caused in the steps of these units that no result has counted: those not saved,
    or all before saves. What vehicles lost, and whether wounds of grenades count, is not known (catalogue section 5)."""
    among = set(units)
    setup = position.setup
    found = NONE
    for name, step in position.combat.steps.items():
        sides = {step.unit, step.target} - {None}  # A step of which neither is known may have been one of these.
        if step.counted or (sides and among.isdisjoint(sides)):
            continue
        owner, target = setup.units.get(step.unit or ""), setup.units.get(step.target or "")
        low, high = wounds_of(step.counts, inflicted=inflicted)
        if target is None or target.vehicle is not None:
            high = ANY_NUMBER
        if name in position.attacks:
            low = 0  # Its dice may be those of the shots that go by the same name.
        if owner is None:
            found = plus(found, (0, high))
        elif owner.player == player:
            found = plus(found, (low, high))
    for throw in position.combat.throws:
        owner = setup.units.get(throw.unit or "")
        if throw.unit in among and owner is not None and owner.player == player:
            found = plus(found, (0, throw.wounds))
    return found


def least_gap(ways: Ways, unit: Unit, position: Position) -> Length | None:
    """How near a vehicle came to a unit on its way, below zero where it drove over a base; None: not known."""
    found: list[Length] = []
    for way in ways.ways:
        base = way.model.base
        for model in position.living(unit):
            other = position.shape(model)
            if isinstance(base, Circle):
                found.append(passing(way.path, base.radius, other).least)
            elif way.headings is None or len(way.headings) != len(way.path):
                return None
            else:
                found.append(hull_passing(base, way.path, way.headings, other).least)
    return min(found) if found else None
