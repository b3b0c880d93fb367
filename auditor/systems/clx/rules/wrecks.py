"""Vehicles that explode: who is hit by debris, and what happens to those inside."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from auditor.core.findings import RAN, Evidence, Figure, Remark
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.geometry.inches.lengths import shown
from auditor.geometry.inches.shapes import Shape, gap
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.attacks import leadership
from auditor.systems.clx.reckoning.debris import wreck_of
from auditor.systems.clx.reckoning.due import begins_fight, pinning_of
from auditor.systems.clx.reckoning.fights import not_rolled
from auditor.systems.clx.reckoning.frame import leaves_phase
from auditor.systems.clx.reckoning.ways import Ways
from auditor.systems.clx.rules.common import Seen, fault, inches, rule, unchecked, within_tolerance
from auditor.systems.clx.rules.suppression import EVERY_EVENT, pinned_before
from auditor.systems.clx.show.marks import blast, climbing_out
from auditor.systems.clx.tables import tables
from auditor.systems.clx.tolerance import Judged, judge
from auditor.systems.clx.written import place_of
from auditor.systems.words import at_most

OPEN, BLAST, INSIDE = "CLX-VEH-01", "CLX-VEH-02", "CLX-VEH-03"


def _inside(unit: Unit, position: Position) -> list[Model]:
    """The models on board a transport; who is gone is on board of nothing."""
    return [model for model in position.setup.models.values() if position.models[model.id].aboard == unit.id]


def _in_some_transport(position: Position) -> int:
    """How many models that live are on board a transport of which the record does not say which it is."""
    aboard = [standing.aboard for standing in position.models.values() if standing.alive]
    return sum(vehicle is not None and vehicle not in position.setup.units for vehicle in aboard)


# -- debris -------------------------------------------------------------------------------------------------------


@rule(BLAST, "Explosions", events=["vehicle_explodes"], kinds=["omitted", "miscalculated"])
def debris_hits_all_within_reach(
    event: records.VehicleExplodes, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Debris flies a D6 in inches: every model within that distance of the hull takes a hit, friend and foe.

    Log:  the die, the place and heading of the hull, the places of all models, and those that were hit.
    Edge: those inside take hits of their own (CLX-VEH-03). A model within the tolerance of the distance may be hit or not.
    Edge: when a vehicle explodes is a base rule.
    """
    found = wreck_of(event, position)
    radius = event.radius_die
    if found is None or radius is None or not 1 <= radius <= 6 or event.hit_models is None:
        return [unchecked(BLAST, "the place and heading of the vehicle, the die or the models hit are not recorded")]
    unit, hull, shape = found
    hit = set(event.hit_models)
    seen: list[Remark] = []
    for model in position.setup.models.values():
        if model.id == hull.id or not position.on_table(model.id):
            continue
        far = gap(shape, position.shape(model))
        over = far - radius
        if (over.sign() <= 0) == (model.id in hit):
            continue
        measured = judge(abs(over), hearing.settings, blur=shape.blur)
        judged = measured if measured.verdict == "beyond" else Judged(measured.over, "tolerance", measured.allowed)
        said = f"{model.id} stands {inches(far)} from {unit.name}, whose debris flies {radius}"
        missed = over.sign() <= 0
        if judged.verdict == "tolerance":
            seen.append(within_tolerance(BLAST, judged, f"{said}:"))
            continue
        seen.append(
            fault(
                BLAST,
                "omitted" if missed else "miscalculated",
                f"{said}: it {'is' if missed else 'is not'} hit.",
                model.id,
                claimed={"hit": not missed},
                recomputed={"hit": missed, "distance": shown(far), "radius": radius},
                figures=[Figure("distance", shown(far)), Figure("radius", radius)],
                judged=judged,
                evidence=_blast(event, model, f"{model.id} {'is' if missed else 'is not'} hit", position),
            )
        )
    return seen


def _blast(event: records.VehicleExplodes, model: Model, said: str, position: Position) -> Callable[[], Evidence]:
    return lambda: {"marks": blast(event, position, {model.id: said})}


# -- those inside -------------------------------------------------------------------------------------------------


def _profile(rule_id: str, event: records.VehicleExplodes, position: Position, hearing: Hearing) -> list[Remark]:
    """Strength and AP of the hits on those inside."""
    unit = position.setup.units.get(event.vehicle or "")
    if unit is None or unit.vehicle is None or event.passenger_unit is None:
        return []
    opened = unit.vehicle.open_topped
    if (OPEN if opened else INSIDE) != rule_id:
        return []
    row = tables()["explosion"]["open_topped" if opened else "passengers"]
    claims = {"S": event.passenger_S, "AP": event.passenger_AP}
    wrong = {name: claimed for name, claimed in claims.items() if claimed is not None and claimed != row[name]}
    if not wrong:
        return []
    ap = "none" if row["AP"] is None else row["AP"]
    what = "an open-topped transport" if opened else "a transport"
    return [
        fault(
            rule_id,
            "miscalculated",
            f"{unit.name}, {what}, explodes: those inside take hits of Strength {row['S']}, AP {ap}.",
            unit.id,
            claimed=wrong,
            recomputed={name: row[name] for name in wrong},
            figures=[Figure("Strength", row["S"])],
        )
    ]


@rule(OPEN, "Open-topped wrecks", events=["vehicle_explodes"], kinds=["miscalculated"])
def an_open_wreck_hits_less_hard(
    event: records.VehicleExplodes, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Those inside an open-topped transport that explodes take hits of Strength 3 without AP.

    Log:  Strength and AP of the hits on passengers.
    """
    return _profile(OPEN, event, position, hearing)


@rule(INSIDE, "Passengers of a wreck", events=EVERY_EVENT, kinds=["illegal", "miscalculated", "omitted"])
def those_inside_are_hit_and_climb_out(
    event: records.Event, resolved: Ways | None, position: Position, hearing: Hearing
) -> Seen:
    """Those inside a transport that explodes take as many hits of Strength 5, AP 5 as they are. The survivors are placed
    where the vehicle stood and take a Pinning Test at 1 less for each of them that fell.

    Log:  who was on board, the hits, the survivors and their places, the test with the explosion as its cause.
    Edge: the test is due even if nobody fell, before the phase ends, or the unit's first blow in the Assault Phase.
    Edge: a survivor whose base touches the place of the hull is inside it. What Fearless does is a base rule.
    """
    if isinstance(event, records.VehicleExplodes):
        return [*_profile(INSIDE, event, position, hearing), *_hits(event, position, hearing)]
    if isinstance(event, records.PinningTest):
        return _test(event, position, hearing)
    if not position.combat.wrecks or position.phase is None:
        return None
    return list(_untested(event, position, position.phase)) or None


def _hits(event: records.VehicleExplodes, position: Position, hearing: Hearing) -> Iterator[Remark]:
    found = wreck_of(event, position)
    unit = position.setup.units.get(event.vehicle or "")
    if unit is None:
        return
    inside = _inside(unit, position)
    most = len(inside) + _in_some_transport(position)
    right = len(inside) if most == len(inside) else f"{len(inside)} to {most}"
    if event.passenger_unit is not None and event.passenger_unit not in position.setup.units:
        yield unchecked(INSIDE, f"how many of {event.passenger_unit}, which no pack tells, were inside {unit.name}")
    elif event.passenger_hits is not None and not len(inside) <= event.passenger_hits <= most:
        were = "no model was" if right == 0 else "1 model was" if right == 1 else f"{right} models were"
        yield fault(
            INSIDE,
            "miscalculated",
            f"The log has {event.passenger_hits} of those inside {unit.name} hit; {were} inside, and each is hit.",
            unit.id,
            claimed={"hits": event.passenger_hits},
            recomputed={"hits": right},
            figures=[Figure("inside", right)],
        )
    if event.survivors and found is None:
        yield unchecked(INSIDE, f"where {unit.name} stood, and with which heading, is not known")
    if found is None:
        return
    for survivor in event.survivors or ():
        model, at = position.setup.models.get(survivor.id or ""), place_of(survivor.pos)
        if model is None or at is None:
            continue
        off = gap(found[2], position.shape(model, at))
        judged = judge(off, hearing.settings, blur=found[2].blur)
        said = f"{model.id} climbs out {inches(off)} from where {unit.name} stood"
        if judged.verdict == "tolerance":
            yield within_tolerance(INSIDE, judged, f"{said}:")
        elif judged.verdict == "beyond":
            yield fault(
                INSIDE,
                "illegal",
                f"{said}.",
                model.id,
                player=position.setup.units[model.unit].player,
                claimed={"gap": shown(off)},
                recomputed={"gap": "0"},
                figures=[Figure("gap", shown(off))],
                judged=judged,
                evidence=_climb(model, found[2], position.shape(model, at)),
            )


def _climb(model: Model, hull: Shape, base: Shape) -> Callable[[], Evidence]:
    return lambda: {"marks": climbing_out(model, hull, base, f"{model.id} is not where the vehicle stood")}


def _test(event: records.PinningTest, position: Position, hearing: Hearing) -> Seen:
    """The Pinning Test of survivors: its modifier and its result."""
    wreck = next((w for name, w in position.combat.wrecks.items() if name in (event.causes or ())), None)
    unit = position.setup.units.get(event.unit or "")
    if wreck is None or unit is None or unit.id != wreck[0]:
        return None
    claims = (event.claimed_modifier, event.claimed_pinned)
    hearing.not_claimed(claims.count(None))
    fallen, best, dice = wreck[1], leadership(unit, position), event.dice
    if claims == (None, None) or "fearless" in unit.rules or pinned_before(unit, position):
        return RAN
    if fallen is None or best is None or dice is None or len(dice) != 2:
        return [unchecked(INSIDE, f"who of {unit.name} fell, its Leadership (BASE-LD) or the dice of the test")]
    pinned = sum(dice) > best - fallen
    if event.claimed_modifier in (None, -fallen) and event.claimed_pinned in (None, pinned):
        return RAN
    text = f"{unit.name} tests for pinning and needs {at_most(best, fallen)}. The dice show {sum(dice)}: {'' if pinned else 'not '}pinned."
    return [
        fault(
            INSIDE,
            "miscalculated",
            text,
            unit.id,
            claimed={"modifier": claims[0], "pinned": claims[1]},
            recomputed={"modifier": -fallen, "pinned": pinned},
            figures=[Figure("needed at most", best - fallen, (("Leadership", best), ("fallen", -fallen)))],
        )
    ]


def _untested(event: records.Event, position: Position, phase: str) -> Iterator[Remark]:
    over = leaves_phase(event, position, phase)
    fighting = begins_fight(event, position)
    for name, (unit_id, fallen) in position.combat.wrecks.items():
        unit = position.setup.units[unit_id]
        if not (over or unit.id in fighting):
            continue
        state = position.units[unit.id]
        if state.pinned is not None or state.falling_back or "fearless" in unit.rules:
            continue
        if all(position.models[model.id].wounds == 0 for model in position.living(unit)):
            continue
        tests = [test for test in position.pin_tests if test.unit == unit.id]
        if any(test.causes is None or name in test.causes for test in tests):
            continue
        if any(unit.id in (step.unit, step.target) for step in position.combat.steps.values()):
            continue
        text = f"{unit.name} climbed out of a wreck and took no Pinning Test."
        figures = [] if fallen is None else not_rolled(unit, (-fallen, -fallen), position, pinning=True)
        due = pinning_of(unit, [name])
        yield fault(INSIDE, "omitted", text, unit.id, player=unit.player, figures=figures, due=due)


RULES: tuple[Rule, ...] = (
    an_open_wreck_hits_less_hard,
    debris_hits_all_within_reach,
    those_inside_are_hit_and_climb_out,
)
