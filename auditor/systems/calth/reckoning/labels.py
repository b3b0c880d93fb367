"""Which unit a label of the log means (catalogue section 5, Labels)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from auditor.geometry.hexes import Hex
from auditor.systems.calth.reckoning.retreats import assaulted
from auditor.systems.calth.state import OTHER, Position, Unit


def unit_called(position: Position, label: str | None, side: str | None = None) -> Unit | None:
    """The unit that a label means: the one that bears it, else the one in which most of those stand who bore it last, where
    it is known which units there are. None where it names none on the board. `side`: whose unit is meant, where both
    sides use the label.
    """
    if label is None:
        return None
    if label in position.shared:
        label = position.own_label(label, side)
    unit = position.units.get(label)
    if unit is not None or label not in position.former or label in position.gone:
        return unit
    if position.holes.doubt([("units",)]) is not None:
        return None  # it may be a unit of its own still, of which nobody knows
    standing = [position.unit_of[model] for model in position.former[label] if model in position.unit_of]
    return max(standing, key=lambda one: sum(other is one for other in standing), default=None)


def is_gone(position: Position, label: str | None, side: str | None = None) -> bool:
    """Whether the unit that a label means has lost all its models. `side` as in `unit_called`."""
    if label is None:
        return False
    if label in position.shared:
        label = position.own_label(label, side)
    if label in position.units:
        return False
    former = position.former.get(label, ())
    return label in position.gone or (bool(former) and position.removed.issuperset(former))


def units_called(position: Position, label: str | None) -> list[Unit]:
    """The units that a label may mean: one of each side where both use it, else one or none."""
    if label is not None and label in position.shared:
        both = (unit_called(position, label, side) for side in (OTHER[position.shared[label]], position.shared[label]))
        return [unit for unit in both if unit is not None]
    unit = unit_called(position, label)
    return [unit] if unit is not None else []


def units_listed(position: Position, entries: Iterable[tuple[str | None, int | None]]) -> list[Unit | None]:
    """The units of a list of labels and of the TPs that they have by the log: where both sides use a label, each entry
    means a unit of its own, the one whose claim agrees first. An old label of a unit that is listed besides means
    nobody.
    """
    entries = list(entries)
    if position.shared:
        found = _each_its_own(position, entries)
    else:
        found = [unit_called(position, label) for label, _ in entries]
    labels = {label for label, _ in entries}
    return [
        None if unit is not None and label not in position.units and unit.id in labels - {label} else unit
        for unit, (label, _) in zip(found, entries, strict=True)
    ]


def left_out(position: Position, labels: Sequence[str | None], found: Sequence[Unit | None]) -> tuple[int, Unit] | None:
    """Where one label of a list of units that are given TPs names no unit, and one is left out that the list should have,
    of the sides whose units it names, or of both where nothing is in doubt: the place of that label, and the unit.
    """
    strays = [
        place
        for place, (label, unit) in enumerate(zip(labels, found, strict=True))
        if label is not None and unit is None and unit_called(position, label) is None and not is_gone(position, label)
    ]
    if len(strays) != 1:
        return None
    listed = {unit.id for unit in found if unit is not None}
    sides = {unit.side for unit in found if unit is not None}
    every = [one for one in position.units.values() if one.id not in listed | set(position.refreshed or ())]
    left = [one for one in every if one.side in sides or not sides] or ([] if position.holes else every)
    return (strays[0], left[0]) if len(left) == 1 else None


def _each_its_own(position: Position, entries: list[tuple[str | None, int | None]]) -> list[Unit | None]:
    """`units_listed` where both sides use a label."""
    found: list[Unit | None] = [None] * len(entries)
    left = {label: units_called(position, label) for label, _ in entries}
    for agreeing in (True, False):
        for number, (label, tps) in enumerate(entries):
            meant = next((unit for unit in left[label] if not agreeing or unit.tp == tps), None)
            if found[number] is None and meant is not None:
                found[number] = meant
                left[label].remove(meant)
    return [
        unit if unit is not None else unit_called(position, label)
        for unit, (label, _) in zip(found, entries, strict=True)
    ]


def unit_of_models(position: Position, models: Iterable[str | None]) -> Unit | None:
    """The unit in which all these models stand; None where they stand in several, or one stands nowhere."""
    units = {id(unit): unit for model in models if (unit := position.unit_of.get(model or "")) is not None}
    return next(iter(units.values())) if len(units) == 1 else None


class Meant(NamedTuple):
    """The unit whose act an event is; None where nobody can tell. `astray`: what of the event contradicts that, in
    sentences.
    """

    unit: Unit | None
    astray: tuple[str, ...] = ()


def unit_meant(
    position: Position,
    label: str | None,
    player: str | None,
    due: Callable[[Position], Unit | None],
    *,
    models: Collection[str | None] = (),
    start: Hex | None = None,
    alone: bool = False,
) -> Meant:
    """Whose act an event is that names a unit, its player, models and the hex where it starts.

    `due` says whose act is due. Where what the event names does not agree, most of it decides; where that
    is undecided, nobody can tell. `alone`: no other unit can be meant by a label that names none.
    """
    side = player if player is not None else side_of(due(position))
    named = unit_called(position, label, side)
    shown = unit_of_models(position, models) if models else None
    if named is not None and player in (None, named.side) and (shown is None or shown is named):
        if start is None or start == named.hex:
            return Meant(named)
    expected = due(position)
    gone = named is None and is_gone(position, label, side)
    there = position.by_hex.get(start) if start is not None else None
    if there is not None and player is not None and there.side != player and there is not named:
        there = None
    if named is None and not gone:
        unit = shown or there or (expected if alone and player in (None, side_of(expected)) else None)
        if unit is None or label is None:
            return Meant(unit)
        return Meant(unit, (f"{label} is named, and no unit of that name is on the board; {unit.id} is meant.",))
    of = named.side if named is not None else side_of_gone(position, label)
    other_side = player is not None and of is not None and of != player
    # An act that starts where the unit stands whose act is due, and not where the one stands that is named.
    starts = named is not expected and expected is not None and start == expected.hex
    if not (other_side or (shown is not None and shown is not named) or starts):
        return Meant(named)

    def agreeing(unit: Unit) -> int:
        return sum((unit is named, unit is shown, unit is there, unit is expected, unit.side == player))

    units = {id(unit): unit for unit in (named, shown, there, expected) if unit is not None}
    ranked = sorted(units.values(), key=agreeing, reverse=True)
    if not ranked:
        return Meant(None)
    first = ranked[0]
    rest = [agreeing(unit) for unit in ranked[1:]]
    rest.append(2 - other_side if gone else int(other_side))  # a unit that is gone; any of the player's
    if agreeing(first) <= max(rest):
        return Meant(None)
    if first is not named:
        return Meant(first, (f"{label} is named, and all else in the event is that of {first.id}.",))
    return Meant(first, (f"{first.id} is a unit of the other side than the event says.",) if other_side else ())


def side_of(unit: Unit | None) -> str | None:
    return unit.side if unit is not None else None


def side_of_gone(position: Position, label: str | None) -> str | None:
    """The side of a unit that has lost all its models."""
    models = position.former.get(label or "", ())
    known = position.table.models.get(models[0]) if models else None
    return known.side if known is not None else None


def unit_acting(position: Position) -> Unit | None:
    """The unit of the open activation, where it stands now."""
    act = position.act
    unit = position.of_act(act.hex) if act is not None else None
    return unit if unit is not None and act is not None and unit.side == act.side else None


def unit_assaulted(position: Position) -> Unit | None:
    """The unit that the Assault of the open activation is made on, as it stands now in its hex."""
    return assaulted(position, position.act) if position.act is not None else None
