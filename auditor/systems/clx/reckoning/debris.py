"""What a vehicle that explodes does to those round it and inside it. Source: catalogue CLX-VEH-01 to -03.

The record names who fell, not who lost a wound and stays: that is worked out from the dice, so far as no reading is in
question.
"""

from __future__ import annotations

from collections.abc import Iterable

from auditor.geometry.inches.shapes import Shape
from auditor.systems.clx import records
from auditor.systems.clx.packs import Model, Unit
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.reckoning.dice import reaches
from auditor.systems.clx.reckoning.saves import save_by_ap
from auditor.systems.clx.tables import tables, to_wound

NOT_KNOWN = 0
"""What a save needs of which nobody knows what it needs."""


def wreck_of(event: records.VehicleExplodes, position: Position) -> tuple[Unit, Model, Shape] | None:
    """The vehicle that explodes and its hull as it stands; None where that is not known."""
    unit = position.setup.units.get(event.vehicle or "")
    hulls = [] if unit is None else position.living(unit)
    if unit is None or unit.vehicle is None or len(hulls) != 1:
        return None
    hull = hulls[0]
    if position.models[hull.id].heading is None and not hasattr(hull.base, "radius"):
        return None
    return unit, hull, position.shape(hull)


def left_round(event: records.VehicleExplodes, position: Position) -> tuple[dict[str, int | None], tuple[str, ...]]:
    """The wounds left to those that debris hit and changed, None where that is not known; and who of them may be gone,
    where the record does not say who is."""
    found: dict[str, int | None] = {}
    perhaps: list[str] = []
    for name in dict.fromkeys(event.hit_models or ()):
        model = position.setup.models.get(name or "")
        if model is None or not position.on_table(model.id) or name in (event.casualties or ()):
            continue
        had, wounded = position.models[model.id].wounds, _is_wounded(model, event, position)
        if wounded is False:
            continue
        if wounded and had is not None and had > 1:
            found[model.id] = had - 1
        elif event.casualties is None or had != 1:
            found[model.id] = None
            perhaps.append(model.id)
    return found, tuple(perhaps) if event.casualties is None else ()


def left_inside(event: records.VehicleExplodes, position: Position) -> dict[str, int | None]:
    """The wounds left to those inside a transport that did not fall, None where that is not known. Where nobody knows which
    one exploded it may have been any."""
    standing, which = position.models, event.vehicle
    inside = [
        model
        for model in position.setup.models.values()
        if standing[model.id].alive and standing[model.id].aboard is not None
        if which in (None, standing[model.id].aboard)
    ]
    had = {model.id: position.models[model.id].wounds for model in inside}
    fallen = set(event.casualties or ())
    gone = [had[model.id] for model in inside if model.id in fallen]
    left = {model.id: had[model.id] for model in inside if model.id not in fallen}
    wounds = _wounds_inside(inside, event, position)
    sure = wounds is not None and event.casualties is not None and None not in gone
    over = (wounds or 0) - sum(one or 0 for one in gone) if sure else None
    if over == 0:
        return left
    several = [name for name, before in left.items() if before != 1]
    before = left[several[0]] if len(several) == 1 else None
    if over is not None and before is not None and 0 < over < before:
        return {**left, several[0]: before - over}
    return {name: before if before == 1 else None for name, before in left.items()}


def _is_wounded(model: Model, event: records.VehicleExplodes, position: Position) -> bool | None:
    """Whether debris took a wound of a model that it hit; None where the record does not say."""
    row = tables()["explosion"]["bystanders"]
    dice = [roll.die for roll in event.wound_rolls or () if roll.model == model.id]
    saves = [roll.die for roll in event.saves or () if roll.model == model.id]
    if len(dice) != 1 or len(saves) > 1 or event.saves is None:
        return False if set(dice) == {1} else None
    mates = position.living(position.setup.units[model.unit])
    wounded = _wounds(dice[0], [row["S"]], {one.profile.T for one in mates} | {model.profile.T})
    if wounded is not True:
        return None if saves else wounded
    stopped = {_saves(saves[0] if saves else None, needed) for needed in _may_need(model, [row["AP"]], position)}
    return not stopped.pop() if len(stopped) == 1 and None not in stopped else None


def _wounds_inside(models: list[Model], event: records.VehicleExplodes, position: Position) -> int | None:
    """How many wounds those inside a transport that explodes did not save; None where the record does not say.

    Their hits are wounded and saved without a name, so all of them must be alike.
    """
    unit = position.setup.units.get(event.vehicle or "")
    if unit is None or unit.vehicle is None:
        return None
    row = tables()["explosion"]["open_topped" if unit.vehicle.open_topped else "passengers"]
    strengths = {row["S"], row["S"] if event.passenger_S is None else event.passenger_S}
    dice, saves = event.passenger_wound_rolls, event.passenger_saves
    if dice is not None and all(die == 1 for die in dice):
        return 0
    if dice is None or saves is None or not models:
        return None
    wounded = [_wounds(die, strengths, {model.profile.T for model in models}) for die in dice]
    if None in wounded or len({(model.profile.AS, model.profile.inv) for model in models}) > 1:
        return None
    lost, needs = wounded.count(True), _may_need(models[0], {event.passenger_AP, row["AP"]}, position)
    if needs == {None} and not saves:
        return lost
    if None in needs or NOT_KNOWN in needs or len(saves) != lost:
        return None
    found = {sum(not reaches(die, needed) for die in saves) for needed in needs}
    return found.pop() if len(found) == 1 else None


def _wounds(die: int | None, strengths: Iterable[int], toughnesses: Iterable[int | None]) -> bool | None:
    """Whether a die wounds, whatever OR-TWICE says; None where that is not known."""
    against = set(toughnesses)
    if die is None or not 1 <= die <= 6:
        return None
    if die == 1:
        return False
    if len(against) != 1 or None in against:
        return None
    tough = against.pop() or 0
    found = {die >= to_wound(one, tough, option) for one in strengths for option in ("AT_LEAST", "EXACT")}
    return found.pop() if len(found) == 1 else None


def _may_need(model: Model, aps: Iterable[int | None], position: Position) -> set[int | None]:
    """What the save of a model may need: None where it has none."""
    armour, inv = model.profile.AS, model.profile.inv
    found: set[int | None] = set()
    for ap in aps:
        known, needed = (False, None) if armour is None else save_by_ap(armour, ap, position)
        found.add(needed if known else NOT_KNOWN)
    return found if inv is None else found - {None} | {inv}


def _saves(die: int | None, needed: int | None) -> bool | None:
    """Whether a save stopped a wound; None where that is not known."""
    if needed is None:
        return False if die is None else None
    return None if die is None or needed == NOT_KNOWN else reaches(die, needed)
