"""What adopting shares: labels, models that settle in a hex, facts that are lost."""

from __future__ import annotations

from auditor.core.findings import Fact
from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.geometry.hexes import Hex
from auditor.systems.calth import records
from auditor.systems.calth.reckoning.ahead import assault_goes_on
from auditor.systems.calth.reckoning.views import View
from auditor.systems.calth.state import Position, Unit


def label_of_side(position: Position, wanted: str, side: str) -> str:
    """How a unit of a side goes by here that the log calls `wanted`: units of both sides may be called the same."""
    bearer = position.units.get(wanted)
    if bearer is not None and bearer.side != side and wanted not in position.shared:
        position.shared = {**position.shared, wanted: side}
    return position.own_label(wanted, side)


def free_label(position: Position, wanted: str | None, side: str, hex_: Hex) -> str:
    """A label for a new unit: the log's, unless another unit bears it. Both sides may use one."""
    if wanted is not None:
        wanted = label_of_side(position, wanted, side)
        if wanted not in position.units or position.units[wanted].hex == hex_:
            return wanted
    base = f"{side.lower()}@{hex_[0]},{hex_[1]}"
    label, n = base, 1
    while label in position.units:
        n += 1
        label = f"{base}#{n}"
    return label


def give_to_the_most(position: Position, label: str, unit: Unit) -> None:
    """A label under which models of a side were placed in two hexes is that of the unit with more of them."""
    label = position.own_label(label, unit.side)
    bearer = position.units.get(label)
    if bearer is None or bearer is unit or bearer.side != unit.side or len(unit.models) <= len(bearer.models):
        return
    del position.units[unit.id], position.units[label]
    unit.id = label
    position.units[label] = unit
    bearer.id = free_label(position, None, bearer.side, bearer.hex)
    position.units[bearer.id] = bearer


def settle(position: Position, side: str, hex_: Hex, models: tuple[str, ...], tp: int, label: str | None) -> None:
    """Let models stand in a hex: they join the unit there, or are a new one."""
    host = position.by_hex.get(hex_)
    if host is not None:
        position.join(host, models)
    else:
        position.put(Unit(free_label(position, label, side, hex_), side, hex_, models, max(0, tp)))


def lose_track(position: Position, event: records.Event, what: str) -> None:
    """The event leaves out a fact that cannot be derived: from here on anything may have changed (CAL-AUD-04)."""
    position.holes.open(Hole(event.seq, f"event {event.seq} does not state {what}"))


def nothing(event: records.Event, view: View, position: Position, hearing: Hearing) -> None:
    """An event that changes nothing, or that restates what another said."""


def end_activation(position: Position) -> None:
    """What holds until the end of an activation is over; before the first one it waits for the next."""
    if position.act is not None and position.suspensions:
        position.suspensions = tuple(held for held in position.suspensions if held.until != "activation")


def lose_what_was_not_recorded(position: Position) -> None:
    """An activation is over of whose action nothing is recorded (CAL-ACT-03): where its unit stands, or what it shot at and
    who moved, nobody can tell from here on (CAL-AUD-04).
    """
    act = position.act
    if act is None or act.seen or act.action not in ("advance", "run", "consolidate", "shoot"):
        return
    facts = frozenset({("hex", act.unit)}) if act.action in ("advance", "run") else None
    why = f"what {act.unit} did after its activation at event {act.number} is not recorded"
    position.holes.open(Hole(act.number, why, facts))


def lose_an_assault(position: Position) -> None:
    """An Assault was declared of which the record shows no attack (CAL-ASL-01), but what follows one: what became of the
    units beside, nobody can tell.
    """
    act = position.act
    if act is None or act.action != "assault" or act.attacked or act.hex is None:
        return
    recorded = position.recorded
    if "assault" in recorded.actions.get(act.number, ()) or not assault_goes_on(recorded.events, act.number):
        return
    fought = [*position.enemies_beside(act.hex, act.side), *filter(None, [position.of_act(act.hex)])]
    facts = {("attack",), ("losses",), ("units",), *(cell for unit in fought for cell in who_is_left(unit))}
    why = f"the attack of {act.unit} after its activation at event {act.number} is not recorded"
    position.holes.open(Hole(act.number, why, frozenset(facts)))


def who_is_left(unit: Unit) -> set[Fact]:
    """What an attack that nobody recorded may have changed of a unit."""
    return {("hex", unit.id), ("count", unit.id), *(("in", model) for model in unit.models)}
