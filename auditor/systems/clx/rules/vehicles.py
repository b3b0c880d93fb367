"""Vehicles: what pivots cost, and what hits take off."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

from auditor.core.findings import RAN, Figure, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import Length, shown
from auditor.systems.clx import records
from auditor.systems.clx.packs import Unit, Weapon
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.ends import sideways
from auditor.systems.clx.reckoning.ground import movement_of
from auditor.systems.clx.reckoning.ways import Way, Ways
from auditor.systems.clx.rules.common import Seen, fault, inches, path_marks, rule, unchecked, whose, within_tolerance
from auditor.systems.clx.rules.hulls import may_be_hit
from auditor.systems.clx.tables import tables
from auditor.systems.clx.tolerance import judge, tolerance

QUARTER = Fraction(tables()["pivot"]["degrees"])

COST: dict[str, Callable[[Fraction], Fraction]] = {
    "PRORATA": lambda degrees: degrees / QUARTER,
    "FLOOR": lambda degrees: Fraction(floor(degrees / QUARTER)),
    "CEIL": lambda degrees: Fraction(ceil(degrees / QUARTER)),
}


@rule(
    "CLX-VEH-05",
    "Pivots",
    events=["move", "tank_shock"],
    kinds=["illegal"],
    readings=["OR-PIVOT", "OR-PIVOT-WHO"],
)
def a_vehicle_pivots_to_change_direction(
    event: records.Event, ways: Ways, position: Position, hearing: Hearing
) -> Seen:
    """A vehicle moves along its heading or straight back, and pivots to change direction: every 90 degrees cost an inch
    of its movement.

    Log:  a heading for every point of the path, on leaving it; the last the final one.
    Edge: a pivot on the spot costs as well. The changes at one place are one pivot, the shorter way round.
    Edge: a heading may be rounded to whole degrees. A path that is too long without its pivots is CLX-MOVE-01.
    """
    unit = ways.unit
    if unit is None or unit.vehicle is None or not ways.ways:
        return None
    seen: list[Remark] = []
    for way in ways.ways:
        if not way.moved or way.ends_only:
            continue
        if way.headings is None or len(way.headings) != len(way.path):
            seen.append(
                unchecked("CLX-VEH-05", f"the headings of {way.model.id} at the points of its path are not recorded")
            )
            continue
        found = [*_sideways(way, hearing), *_cost(way, unit, position, hearing)]
        if found and unit.type == "walker" and hearing.ask("OR-PIVOT-WHO") == "NON_WALKER":
            continue
        seen += found
    return seen


def _sideways(way: Way, hearing: Hearing) -> list[Remark]:
    """Legs that run neither along the heading nor straight back."""
    headings = way.headings or ()
    for i, (a, b) in enumerate(pairwise(way.path)):
        off = sideways(a, b, headings[i : i + 2])
        if off is None:
            continue
        judged = judge(Length(off), hearing.settings)
        said = f"{way.model.id} moved {inches(off)} sideways on a leg of its path."
        if off <= tolerance(hearing.settings):
            return [within_tolerance("CLX-VEH-05", judged, said)]
        return [
            fault(
                "CLX-VEH-05",
                "illegal",
                said,
                way.model.id,
                figures=[Figure("sideways", shown(off))],
                judged=judged,
                evidence=path_marks(way.model.id, way.path),
            )
        ]
    return []


def _cost(way: Way, unit: Unit, position: Position, hearing: Hearing) -> list[Remark]:
    """A path that is too long with what its pivots cost, though not without."""
    allowed = movement_of(way.model, unit, position.setup)
    if (
        allowed is None
        or not way.turns
        or judge(way.length - allowed, hearing.settings, parts=way.parts).verdict != "fine"
    ):
        return []
    costs = {option: sum(map(cost, way.turns), start=Fraction(0)) for option, cost in COST.items()}
    blur = Fraction(1, 10**6)
    results = {
        option: judge(way.length + cost - allowed, hearing.settings, parts=way.parts, blur=blur)
        for option, cost in costs.items()
    }
    if all(one.verdict == "fine" for one in results.values()):
        return []
    option = hearing.ask("OR-PIVOT")
    judged, cost = results[option], costs[option]
    if judged.verdict == "fine":
        return []
    degrees = sum(way.turns, start=Fraction(0))
    said = (
        f"{way.model.id} moved {inches(way.length)} and pivoted by {shown(degrees)} degrees, which cost {inches(cost)}; "
        f"{inches(allowed)} are allowed"
    )
    if judged.verdict == "tolerance":
        return [within_tolerance("CLX-VEH-05", judged, said + ".")]
    total = way.length + cost
    return [
        fault(
            "CLX-VEH-05",
            "illegal",
            f"{said}: too far by {inches(judged.over)}.",
            way.model.id,
            claimed={"path_length": shown(way.length)},
            recomputed={"path_and_pivots": shown(total), "allowance": shown(allowed)},
            figures=[Figure("movement", shown(total), (("path", shown(way.length)), ("pivots", shown(cost))))],
            judged=judged,
            evidence=path_marks(way.model.id, way.path),
        )
    ]


# -- penetration --------------------------------------------------------------------------------------------------


def _strength(weapon: Weapon | None) -> int | None:
    return weapon.strength if weapon is not None and isinstance(weapon.strength, int) else None


def _dice_due(weapon: Weapon) -> int:
    return 2 if weapon.rules & {"melta", "fusion"} else 1


def _armours(event: records.VehicleHit, position: Position, hearing: Hearing) -> set[int]:
    """The armour of the side that was hit, as claimed, else of every side that may have been; empty: not known."""
    unit = position.setup.units.get(event.vehicle or "")
    if unit is None or unit.vehicle is None:
        return set()
    armour = unit.vehicle.armour
    sides = {"front": armour.front, "side": armour.side, "rear": armour.rear}
    if event.claimed_facing is not None:
        return {sides[event.claimed_facing]}
    if len(set(sides.values())) == 1:
        return {armour.front}
    return {sides[arc] for arc in may_be_hit(event, unit, armour, position, hearing.settings) or ()}


def _wounds(n: int, ap_one: bool, pen: str, glance: str) -> int:
    """What a hit takes off that is `n` above the armour. `pen`, `glance`: the options of OR-PEN and OR-AP1-GLANCE."""
    if n < 0:
        return 0
    if ap_one and (n > 0 or glance == "TWO"):
        n += 1
    elif n == 0:
        return 1
    return 1 + n if pen == "ONE_PLUS_N" else max(n, 1)


def _options(n: int, ap_one: bool) -> dict[tuple[str, str], int]:
    """What a hit takes off by the options of OR-PEN and OR-AP1-GLANCE."""
    return {(pen, glance): _wounds(n, ap_one, pen, glance) for pen in ("ONE_PLUS_N", "N") for glance in ("TWO", "ONE")}


def _may_be(event: records.VehicleHit, armour: int, position: Position) -> bool:
    """Whether what is claimed of a hit is right against an armour, under some reading."""
    weapon = position.setup.weapons.get(event.weapon or "")
    strength = _strength(weapon)
    if weapon is None or strength is None or not event.dice or len(event.dice) != _dice_due(weapon):
        return False
    total = sum(event.dice) + strength + (event.rending_d3 or 0)
    n = total - armour
    ap_one = weapon.ap == 1 or "fusion" in weapon.rules or ("rending" in weapon.rules and event.to_hit_die == 6)
    result = "none" if n < 0 else "glance" if n == 0 and not ap_one else "pen"
    return (
        event.claimed_total in (None, total)
        and event.claimed_result in (None, result)
        and (event.claimed_wounds is None or event.claimed_wounds in _options(n, ap_one).values())
    )


def _hit(rule_id: str, event: records.VehicleHit, position: Position, hearing: Hearing) -> Seen:
    """A hit on a vehicle, looked at by the one of three rules that is about its result."""
    weapon = position.setup.weapons.get(event.weapon or "")
    claims = (event.claimed_total, event.claimed_result, event.claimed_wounds)
    hearing.not_claimed(claims.count(None) if rule_id == "CLX-VEH-07" else 0)
    strength, armours, dice = _strength(weapon), _armours(event, position, hearing), event.dice
    if weapon is None or strength is None or len(armours) != 1 or not dice or len(dice) != _dice_due(weapon):
        if rule_id != "CLX-VEH-07":
            return None
        if claims == (None, None, None) or any(_may_be(event, armour, position) for armour in armours):
            return RAN
        return [unchecked(rule_id, "the Strength, the armour that was hit or the dice of the hit are not known")]
    armour = armours.pop()
    vehicle = position.setup.units[str(event.vehicle)].vehicle
    assert vehicle is not None  # Its armour is known.
    total = sum(dice) + strength + (event.rending_d3 or 0)
    n = total - armour
    ap_one = weapon.ap == 1 or "fusion" in weapon.rules
    if not ap_one and "rending" in weapon.rules and event.to_hit_die == 6:
        ap_one = hearing.ask("OR-REND-VEH") == "HIT_DIE"
    if rule_id != ("CLX-VEH-09" if ap_one and n >= 0 else "CLX-VEH-08" if n > 0 else "CLX-VEH-07"):
        return None
    result = "none" if n < 0 else "glance" if n == 0 and not ap_one else "pen"
    agreed = all(claim in (None, one) for claim, one in zip(claims, (total, result), strict=False))
    if agreed and event.claimed_wounds is None:
        return RAN
    options = _options(n, ap_one)
    wounds, *others = set(options.values())
    if others:
        wounds = options[hearing.ask("OR-PEN"), hearing.ask("OR-AP1-GLANCE") if ap_one and n == 0 else "TWO"]
    if agreed and event.claimed_wounds == wounds:
        return RAN
    off = f"{wounds} {'wound' if wounds == 1 else 'wounds'} off"
    name = position.setup.units[str(event.vehicle)].name
    text = f"{whose(event, position)} has a penetration of {total} against {name}, armour {armour}: {_RESULT[result]}, {off}."
    parts = [("dice", sum(dice)), ("Strength", strength)] + (
        [("Rending", event.rending_d3)] if event.rending_d3 else []
    )
    return [
        fault(
            rule_id,
            "miscalculated",
            text,
            str(event.vehicle),
            claimed={"total": claims[0], "result": claims[1], "wounds": claims[2]},
            recomputed={"total": total, "result": result, "wounds": wounds},
            figures=[Figure("penetration", total, tuple(parts)), Figure("above the armour", n)],
        )
    ]


_RESULT = {"none": "no effect", "glance": "a glancing hit", "pen": "a penetrating hit"}


def _rule_of_hits(rule_id: str, title: str, text: str) -> Rule:
    def check(event: records.VehicleHit, resolved: Ways | None, position: Position, hearing: Hearing) -> Seen:
        return _hit(rule_id, event, position, hearing)

    check.__doc__ = text
    readings = {
        "CLX-VEH-07": ["OR-REND-VEH"],
        "CLX-VEH-08": ["OR-PEN", "OR-REND-VEH"],
        "CLX-VEH-09": ["OR-PEN", "OR-AP1-GLANCE", "OR-REND-VEH"],
    }[rule_id]
    return rule(rule_id, title, events=["vehicle_hit"], kinds=["miscalculated"], readings=readings)(check)


glancing_hits = _rule_of_hits(
    "CLX-VEH-07",
    "Glancing hits",
    """A D6 and the Strength (2D6 for Melta and Fusion, a D3 more for Rending on a 6) are compared with the armour: below
    it nothing happens, to equal it is a glancing hit and takes off one wound.

    Log:  the dice, the side that was hit as claimed, and what is claimed of total, result and wounds.
    Edge: which side is hit is CLX-VEH-06.
    """,
)
penetrating_hits = _rule_of_hits(
    "CLX-VEH-08",
    "Penetrating hits",
    """A total above the armour is a penetrating hit: it takes off one wound, and one more for each point above.

    Log:  the dice, the side that was hit as claimed, and what is claimed of total, result and wounds.
    """,
)
ap_one_hits = _rule_of_hits(
    "CLX-VEH-09",
    "AP 1 against vehicles",
    """AP 1 makes a hit one step worse: a glancing hit penetrates, and a penetrating one counts for a point more.

    Log:  the dice, the side that was hit as claimed, and what is claimed of total, result and wounds.
    """,
)

RULES: tuple[Rule, ...] = (a_vehicle_pivots_to_change_direction, glancing_hits, penetrating_hits, ap_one_hits)
